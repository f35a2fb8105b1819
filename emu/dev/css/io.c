/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The I/O instructions as the channel subsystem sees them. PoP chapters 14 to 17 (SA22-7832-13). */
#include "emu/dev/css/io.h"
#include "cpu/state/timing.h"
#include "emu/dev/css/internal.h"
#include "emu/state/machine.h"

#define SCSW_AT        28 /* in the SCHIB */
#define IRB_LENGTH     64
#define IRB_ESW        12
#define IRB_ECW        32
#define ERW_CONCURRENT BIT32(7)

/* ---- blocks ---------------------------------------------------------------------------------------------------- */

static void store_scsw(const struct subchannel *s, uint8_t *to)
{
    put32(to, s->scsw);
    put32(to + 4, s->ccw_address);
    to[8] = s->device_status;
    to[9] = s->status;
    put16(to + 10, s->count);
}

static void store_schib(const struct subchannel *s, uint8_t *to)
{
    memset(to, 0, 52);
    put32(to, s->parameter);
    put16(to + 4, s->flags);
    put16(to + 6, s->device ? s->device->number : 0);
    to[8] = s->lpm;
    to[9] = s->pnom;
    to[10] = s->lpum;
    to[11] = s->pim;
    put16(to + 12, s->block_index);
    to[14] = s->pom;
    to[15] = s->pam;
    to[16] = s->path;
    put32(to + 24, s->word6);
    store_scsw(s, to + SCSW_AT);
}

/* ---- functions ------------------------------------------------------------------------------------------------- */

static unsigned clear(struct css *css, struct subchannel *s)
{
    if (!(s->flags & PMCW_ENABLED))
        return 3;
    css_withdraw(css, s);
    css_abort(s);
    if (s->device->type->reset)
        s->device->type->reset(s->device, false);
    s->lpum = s->pnom = 0;
    s->pom = 0xff;
    s->scsw = SCSW_CLEAR;
    s->device_status = s->status = 0;
    s->count = 0;
    s->unsolicited = 0;
    css_status(css, s, 0);
    return 0;
}

static unsigned halt(struct css *css, struct subchannel *s)
{
    const uint32_t was = s->scsw;
    if (!(s->flags & PMCW_ENABLED))
        return 3;
    if ((was & SCSW_STATUS) == SCSW_PENDING || (was & (SCSW_ALERT | SCSW_PRIMARY | SCSW_SECONDARY)))
        return 1;
    if (was & (SCSW_HALT | SCSW_CLEAR))
        return 2;
    css_withdraw(css, s);
    uint16_t left = s->phase == PHASE_IDLE ? 0 : s->left;
    css_abort(s);
    if (s->device->type->reset)
        s->device->type->reset(s->device, false);
    s->scsw = (was & ~(SCSW_ACTIVITY | SCSW_STATUS)) | SCSW_HALT;
    s->device_status = s->status = 0;
    if (was & (SCSW_ACTIVE | SCSW_DEVICE_ACTIVE)) { /* the device ends its operation */
        s->device_status = CHANNEL_GOOD;
        s->count = left;
        s->ccw_address = (uint32_t)s->at + 8;
        css_status(css, s, SCSW_PRIMARY | SCSW_SECONDARY);
    } else {
        css_status(css, s, 0);
    }
    return 0;
}

static unsigned cancel(struct css *css, struct subchannel *s)
{
    (void)css;
    if (!(s->flags & PMCW_ENABLED))
        return 3;
    if (s->scsw & SCSW_PENDING)
        return 1;
    if ((s->scsw & SCSW_FUNCTION) != SCSW_START || (s->scsw & (SCSW_ACTIVE | SCSW_DEVICE_ACTIVE)) ||
        !(s->scsw & (SCSW_START_PENDING | SCSW_RESUME_PENDING | SCSW_SUSPENDED)))
        return 2;
    css_abort(s);
    css_present(css, s);
    return 0;
}

static unsigned resume(struct css *css, struct subchannel *s)
{
    if (!(s->flags & PMCW_ENABLED))
        return 3;
    if (s->scsw & SCSW_PENDING)
        return 1;
    if ((s->scsw & SCSW_FUNCTION) != SCSW_START || (s->scsw & SCSW_RESUME_PENDING) || !(s->orb & ORB_SUSPEND))
        return 2;
    s->scsw |= SCSW_RESUME_PENDING;
    css_measure_start(css, s);
    if (s->scsw & SCSW_SUSPENDED) {
        s->phase = PHASE_FETCH;
        s->due = css->now + CHANNEL_MICROSECOND;
    }
    return 0;
}

static int start(struct css *css, struct subchannel *s, const uint8_t *orb, unsigned *cc)
{
    uint32_t word1 = get32(orb + 4), address = get32(orb + 8);
    if ((word1 & ORB_RESERVED) || (address & BIT32(0)))
        return PIC_OPERAND;
    *cc = 3;
    if (!s || !(s->flags & PMCW_ENABLED))
        return 0;
    *cc = s->scsw & SCSW_PENDING ? 1 : s->scsw & SCSW_FUNCTION ? 2 : 0;
    if (*cc)
        return 0;
    s->parameter = get32(orb);
    css_program_start(css, s, address, word1);
    return 0;
}

static int modify(struct subchannel *s, const uint8_t *schib, unsigned *cc)
{
    uint16_t flags = get16(schib + 4);
    uint32_t word6 = get32(schib + 24);
    if ((flags & PMCW_RESERVED) || (flags & PMCW_LIMIT_MODE) == PMCW_LIMIT_MODE || (word6 & PMCW_WORD6_RESERVED))
        return PIC_OPERAND;
    *cc = !s ? 3 : !(s->flags & PMCW_VALID) ? 0 : s->scsw & SCSW_PENDING ? 1 : s->scsw & SCSW_FUNCTION ? 2 : 0;
    if (*cc || !(s->flags & PMCW_VALID))
        return 0;
    s->parameter = get32(schib);
    const bool was_enabled = s->flags & PMCW_ENABLED;
    s->flags = (uint16_t)((s->flags & ~PMCW_CHANGEABLE) | (flags & PMCW_CHANGEABLE));
    if (was_enabled && !(flags & PMCW_ENABLED) && s->device->type->disabled)
        s->device->type->disabled(s->device);
    s->lpm = schib[8];
    s->block_index = get16(schib + 12);
    s->pom = schib[14];
    s->word6 = word6 & PMCW_CONCURRENT;
    return 0;
}

/* The interruption-response block; what was pending is taken away. Returns the condition code. */
static unsigned test(struct css *css, struct subchannel *s, uint8_t *irb)
{
    if (!(s->flags & PMCW_ENABLED))
        return 3;
    memset(irb, 0, IRB_LENGTH);
    store_scsw(s, irb);
    if (!(s->scsw & SCSW_PENDING))
        return 1;
    irb[IRB_ESW + 1] = s->lpum;
    if (s->scsw & SCSW_EXTENDED) {
        put32(irb + IRB_ESW + 4, ERW_CONCURRENT | (uint32_t)s->sense_length << 16);
        memcpy(irb + IRB_ECW, s->sense, s->sense_length);
    }
    css_withdraw(css, s);
    uint32_t status = s->scsw & SCSW_STATUS;
    if (status != (SCSW_INTERMEDIATE | SCSW_PENDING))
        s->scsw &= ~(SCSW_FUNCTION | SCSW_RESUME_PENDING | SCSW_START_PENDING | SCSW_HALT_PENDING | SCSW_CLEAR_PENDING |
                     SCSW_SUSPENDED);
    else if (s->scsw & SCSW_SUSPENDED)
        s->scsw &= ~SCSW_RESUME_PENDING;
    s->scsw &= ~(SCSW_STATUS | SCSW_EXTENDED | SCSW_NO_PATH | SCSW_ZERO_CC);
    s->status &= (uint8_t)~CHANNEL_PCI;
    s->sense_length = 0;
    css_present(css, s);
    return 0;
}

static int reset_path(struct css *css, uint64_t gr1, unsigned *cc)
{
    if (gr1 & 0xffffff00u)
        return PIC_OPERAND;
    *cc = 3;
    for (unsigned set = 0; set < CSS_SETS; set++)
        for (unsigned i = 0; i < css->count[set]; i++) {
            struct subchannel *s = css->subchannels[set][i];
            if (!s->device || s->path != (uint8_t)gr1)
                continue;
            *cc = 0;
            if (s->phase == PHASE_IDLE)
                continue;
            css_abort(s); /* what was going on ends without status but that of the report */
            css_withdraw(css, s);
            if (s->device->type->reset)
                s->device->type->reset(s->device, false);
        }
    if (*cc == 0)
        css_report(css, CRW_SOLICITED | CRW_PATH | CRW_PATH_RESET | (uint32_t)(gr1 & 0xff));
    return 0;
}

/* Channel paths in use: those of subchannels with an operation in progress. */
static void path_status(const struct css *css, uint8_t *block)
{
    memset(block, 0, 32);
    for (unsigned set = 0; set < CSS_SETS; set++)
        for (unsigned i = 0; i < css->count[set]; i++) {
            const struct subchannel *s = css->subchannels[set][i];
            if (s->scsw & SCSW_ACTIVE)
                block[s->path / 8] |= (uint8_t)(0x80 >> s->path % 8);
        }
}

static unsigned report_word(struct css *css, uint8_t *block)
{
    if (css->report_count == 0) {
        put32(block, 0);
        return 1;
    }
    put32(block, css->reports[0]);
    memmove(css->reports, css->reports + 1, --css->report_count * sizeof *css->reports);
    return 0;
}

/* General register 1: key, bit 62 measurement blocks from the address in general register 2 on, bit 63 device-connect
   times in the extended status, which are not offered. */
static int set_monitor(struct css *css, uint64_t gr1, uint64_t gr2)
{
    const bool measures = gr1 & 2;
    if ((gr1 & 0x0ffffffcu) || (measures && (gr2 & 31)))
        return PIC_OPERAND;
    css->measures = measures;
    if (measures) {
        css->measure_key = (uint8_t)(gr1 >> 28 & 15);
        css->measure_block = gr2;
    }
    return 0;
}

static unsigned take_pending(struct css *css, struct cpu *cpu, uint8_t *block)
{
    uint32_t words[3];
    if (!css_io_take(css->machine, cpu, words))
        return 0;
    for (unsigned i = 0; i < 3; i++)
        put32(block + 4 * i, words[i]);
    return 1;
}

/* Those that name a subchannel in general register 1; what is not there is not operational. */
static int with_subchannel(struct css *css, uint32_t id, enum cpu_io function, uint8_t *block, unsigned *cc)
{
    unsigned set = id >> 17 & 3;
    if ((id & 0xfff90000u) != 0x00010000u || (set && !css->sets_enabled))
        return PIC_OPERAND;
    struct subchannel *s = css_subchannel_at(css, set, id & 0xffff);
    if (function == CPU_IO_START)
        return start(css, s, block, cc);
    if (function == CPU_IO_MODIFY)
        return modify(s, block, cc);
    if (!s || function == CPU_IO_SIGNAL) /* a subchannel without queues is not operational for it */
        return 0;
    if (function == CPU_IO_STORE) {
        store_schib(s, block);
        *cc = 0;
    } else {
        *cc = function == CPU_IO_CLEAR    ? clear(css, s)
              : function == CPU_IO_HALT   ? halt(css, s)
              : function == CPU_IO_RESUME ? resume(css, s)
              : function == CPU_IO_CANCEL ? cancel(css, s)
                                          : test(css, s, block);
    }
    return 0;
}

int css_io(void *machine, struct cpu *cpu, enum cpu_io function, uint8_t *block, unsigned *cc)
{
    struct css *css = css_of(machine);
    const uint64_t gr1 = cpu->gr[1];
    int code = 0;
    css->now = cpu_now(cpu);
    *cc = 3;
    switch (function) {
    case CPU_IO_SET_LIMIT:
        if (gr1 & 0x8000ffffu)
            return PIC_OPERAND;
        css->address_limit = (uint32_t)gr1;
        return 0;
    case CPU_IO_SET_MONITOR:
        return set_monitor(css, gr1, cpu->gr[2]);
    case CPU_IO_RESET_PATH:
        code = reset_path(css, gr1, cc);
        break;
    case CPU_IO_PATH_STATUS:
        path_status(css, block);
        *cc = 0;
        break;
    case CPU_IO_REPORT_WORD:
        *cc = report_word(css, block);
        break;
    case CPU_IO_PENDING:
        *cc = take_pending(css, cpu, block);
        break;
    case CPU_IO_CALL:
        css_call(css, block);
        *cc = 0;
        break;
    default:
        code = with_subchannel(css, (uint32_t)gr1, function, block, cc);
        break;
    }
    css_schedule(css);
    return code;
}
