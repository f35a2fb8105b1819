/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Subchannels and channel programs for people. */
#include "emu/dev/css/look.h"
#include "emu/dev/css/internal.h"
#include <stdio.h>
#include <string.h>

void css_look(const struct channel_device *device, struct css_look *look)
{
    const struct subchannel *s = css_subchannel(device);
    *look = (struct css_look){.enabled = s->flags & PMCW_ENABLED,
                              .requests = s->interruption,
                              .working = s->phase != PHASE_IDLE,
                              .format1 = s->orb & ORB_FORMAT1,
                              .isc = (uint8_t)css_isc(s),
                              .device_status = s->device_status,
                              .status = s->status,
                              .count = s->count,
                              .scsw = s->scsw,
                              .parameter = s->parameter,
                              .at = s->at,
                              .next = s->next};
}

void css_look_words(const struct css_look *look, char *text, size_t size)
{
    static const struct {
        uint32_t bit;
        const char *words;
    } bits[] = {{SCSW_START, "start"},
                {SCSW_HALT, "halt"},
                {SCSW_CLEAR, "clear"},
                {SCSW_RESUME_PENDING, "resume pending"},
                {SCSW_START_PENDING, "start pending"},
                {SCSW_HALT_PENDING, "halt pending"},
                {SCSW_CLEAR_PENDING, "clear pending"},
                {SCSW_ACTIVE, "active"},
                {SCSW_DEVICE_ACTIVE, "device active"},
                {SCSW_SUSPENDED, "suspended"},
                {SCSW_PENDING, "status pending:"},
                {SCSW_ALERT, "alert"},
                {SCSW_INTERMEDIATE, "intermediate"},
                {SCSW_PRIMARY, "primary"},
                {SCSW_SECONDARY, "secondary"}};
    size_t n = 0;
    *text = 0;
    for (unsigned i = 0; i < sizeof bits / sizeof *bits && n < size; i++)
        if (look->scsw & bits[i].bit)
            n += (size_t)snprintf(text + n, size - n, "%s%s", n ? " " : "", bits[i].words);
    if (!n)
        snprintf(text, size, "%s", look->enabled ? "idle" : "not enabled");
}

size_t css_ccw_words(const uint8_t ccw[8], bool format1, uint64_t at, char *text, size_t size, uint64_t *next)
{
    const unsigned command = ccw[0], flags = format1 ? ccw[1] : ccw[4];
    const unsigned count = get16(format1 ? ccw + 2 : ccw + 6);
    const uint32_t data = format1 ? get32(ccw + 4) : get32(ccw) & 0xffffff;
    static const char *const flag_names[] = {"CD", "CC", "SLI", "SKIP", "PCI", "IDA", "S", "MIDA"};
    const bool transfer = (command & 15) == 8;
    *next = transfer ? data : flags & 0xc0 ? at + 8 : 0;
    size_t n =
        (size_t)snprintf(text, size, transfer ? "; TIC %X" : "; %02X %X.%X", transfer ? data : command, data, count);
    for (unsigned i = 0; !transfer && i < 8 && n < size; i++)
        if (flags >> (7 - i) & 1)
            n += (size_t)snprintf(text + n, size - n, " %s", flag_names[i]);
    return n < size ? n : size;
}
