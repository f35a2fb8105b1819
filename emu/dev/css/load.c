/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Initial program loading from a device. PoP chapter 17, "Channel-Subsystem Initial Program Loading" (CCW-type). */
#include "emu/dev/css/load.h"
#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/state/timing.h"
#include "cpu/storage/code.h"
#include "emu/dev/css/internal.h"
#include "emu/state/machine.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define LPM_ALL   0x0000ff00u
#define MAX_STEPS 100000000u /* of a channel program that never ends */

/* Carry the program on, with the time that it takes. 0, or -EIO with a sentence. */
static int run(struct css *css, struct subchannel *s, char *error, size_t size)
{
    struct cpu_system *sys = css_system(css);
    for (unsigned steps = 0; s->phase != PHASE_IDLE; steps++) {
        if (!s->due || steps == MAX_STEPS) {
            snprintf(error, size, "IPL from %u:%04X: %s", s->set, s->device->number,
                     s->due ? "the channel program does not end" : "the device waits for what does not come");
            return -EIO;
        }
        if (sys->event_at > sys->now)
            engine_skip(sys, sys->event_at - sys->now);
        css_event(css->machine, sys->now);
    }
    if (s->device_status == CHANNEL_GOOD && !(s->status & ~CHANNEL_PCI))
        return 0;
    snprintf(error, size,
             "IPL from %u:%04X: device status %02X, subchannel status %02X, sense %02X%02X at CCW %06" PRIX64
             "; the device has no program to load",
             s->set, s->device->number, s->device_status, s->status, s->device->sense[0], s->device->sense[1], s->at);
    return -EIO;
}

int css_ipl(struct machine *m, struct channel_device *d, char *error, size_t size)
{
    struct css *css = m->css;
    struct cpu *cpu = m->sys.cpus[0];
    uint64_t mask, ia;
    struct subchannel *s = css_subchannel(d);
    css->now = m->sys.now;
    s->flags |= PMCW_ENABLED;
    s->loads = true;
    css_program_start(css, s, 0, LPM_ALL);
    css_schedule(css);
    cpu_set_state(cpu, CPU_STATE_LOAD);
    int code = run(css, s, error, size);
    s->loads = false;
    css_abort(s);
    s->scsw = 0;
    s->device_status = s->status = 0;
    if (code)
        return code;
    uint8_t *low = m->sys.storage.bytes; /* the prefix is zero */
    put32(low + 184, 0x00010000u | (uint32_t)d->set << 17 | s->number);
    put64(low + 188, 0);
    cpu_code_stored(cpu, 184, 12);
    cpu_expand_psw(get64(low), &mask, &ia);
    if (cpu_load_psw(cpu, mask, ia)) {
        snprintf(error, size,
                 "IPL from %u:%04X: %016" PRIX64 " at 0 is not a valid PSW; the device has no program to load", d->set,
                 d->number, get64(low));
        return -ENOEXEC;
    }
    cpu_set_state(cpu, CPU_STATE_OPERATING);
    return 0;
}
