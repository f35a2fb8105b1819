/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random histories and legal configurations for trace units: several machines hear the same. */
#ifndef ZRI_TESTS_UNIT_ET_RANDOM_H
#define ZRI_TESTS_UNIT_ET_RANDOM_H

#include "tests/random.h"
#include "tests/unit/et_harness.h"

struct history {
    uint64_t state;
    struct rig *rig[2];
    struct et_psw open[80]; /* PSWs that a reload may go back to, newest last */
    unsigned depth;
    uint64_t now, address;
};

static UNUSED unsigned any(struct history *h, unsigned below)
{
    return (unsigned)(random_step(&h->state) >> 20) % below;
}

static UNUSED struct et_psw any_psw(struct history *h)
{
    h->address = any(h, 40) ? h->address + any(h, 100) * 2 : random_step(&h->state);
    return (struct et_psw){any(h, 2) ? PROBLEM : SUPERVISOR, h->address};
}

static UNUSED struct et_info any_info(struct history *h)
{
    struct et_info info = {.given = any(h, 3) ? any(h, 0x800) & 0x7fe : 0};
    info.code = any(h, 0x10000);
    info.ilc = (uint8_t)(2 * any(h, 4));
    info.parameter = any(h, 4) ? any(h, 300) : random_step(&h->state);
    info.cpu_address = (uint16_t)any(h, 64);
    info.io_word = any(h, 8) << 27;
    info.flags = any(h, 3) ? 0 : (uint8_t)any(h, 32);
    info.dxc = (uint8_t)any(h, 256);
    info.asn = (uint16_t)any(h, 0x10000);
    info.bear = random_step(&h->state) >> any(h, 64);
    return info;
}

#define EACH(r) for (struct rig **at_ = h->rig, *r; at_ < h->rig + 2 && (r = *at_); at_++)

static UNUSED void any_interruption(struct history *h)
{
    static const uint16_t externals[] = {0x1004, 0x1005, 0x1201, 0x1202, 0x0040, 0x2401, 0x9999};
    const enum et_class class = (enum et_class)any(h, ET_CLASSES);
    const unsigned code = class == ET_EXTERNAL ? externals[any(h, 7)] : class == ET_SVC ? any(h, 3) * 100 : any(h, 64);
    const struct et_info info = any_info(h);
    const struct et_psw old = any_psw(h), new_psw = any_psw(h);
    const bool told = any(h, 8);
    if (h->depth == 80)
        h->depth--;
    h->open[h->depth++] = old;
    EACH(r) et_entry(r->cpu, class, code, old, new_psw, told ? &info : NULL);
}

static UNUSED void any_reload(struct history *h)
{
    struct et_psw to = any_psw(h);
    const enum et_insn insn = (enum et_insn)any(h, 5);
    if (h->depth && any(h, 10)) {
        h->depth -= any(h, 12) ? 1 : 1 + any(h, h->depth);
        to = h->open[h->depth];
    }
    EACH(r) et_reload(r->cpu, insn, to);
}

static UNUSED void any_other(struct history *h)
{
    static const uint8_t states[] = {1, 2, 3, 4, 5, 7, 13};
    const struct et_info info = any_info(h);
    const unsigned which = any(h, 40), isc = any(h, 8), code = any(h, 3) ? 0x1004 : 0x1201;
    const bool withdrawn = any(h, 2);
    EACH(r)
    {
        if (which < 16)
            et_request(r->machine, which < 8 ? 0 : -1, which < 12 ? ET_IO : ET_EXTERNAL, which < 12 ? isc : code, &info,
                       withdrawn);
        else if (which < 24)
            et_tpi(r->cpu, isc, 0x10000 + isc);
        else if (which < 30)
            et_mark(r->cpu, info.bear);
        else if (which < 39)
            et_state(r->cpu, states[isc < 7 ? isc : 0]);
        else
            et_state(r->cpu, ET_ST_RESET);
    }
}

/* The next thing that happens. Boundaries come, or do not come, as a CPU that is asked to look at them has them. */
static UNUSED void any_step(struct history *h)
{
    static const uint32_t steps[] = {0, 1, 2, 62, 63, 64, 1000, 100000};
    const unsigned what = any(h, 10);
    h->now += any(h, 500) ? steps[any(h, 8)] : random_step(&h->state) >> (16 + any(h, 48));
    EACH(r)
    {
        r->now = h->now;
        r->instructions = h->now;
    }
    if (what < 4)
        any_interruption(h);
    else if (what < 8)
        any_reload(h);
    else
        any_other(h);
    const bool passed = any(h, 5);
    const struct et_psw next = any_psw(h);
    h->now += any(h, 2);
    EACH(r)
    {
        r->now = h->now;
        if (r->attention[0] && passed)
            et_boundary(r->cpu, next);
    }
}

/* A configuration that is not refused, with output on. */
static UNUSED struct et_config any_config(struct history *h)
{
    const struct et_limits limits = {.host_clock = true};
    for (;;) {
        struct et_config c;
        et_config_reset(&c);
        for (unsigned i = 0; i < ET_REGISTERS; i++)
            if (i != ETST && i != ETGA && i != ETGL && i != ETPM && any(h, 2))
                for (unsigned n = any(h, 8); n > 0; n--) { /* a few of the bits that are there */
                    const unsigned bit = any(h, 64);
                    if (et_register_bits(i) >> bit & 1)
                        c.reg[i] ^= UINT64_C(1) << bit;
                }
        ET_PUT(&c, ETCR, ENABLE, 1);
        ET_PUT(&c, ETCR, LOCK, 0);
        ET_PUT(&c, ETCR, ALWAYS, 0);
        ET_PUT(&c, ETCR, DS, 0);
        ET_PUT(&c, ETCR, TPI, any(h, 2));
        ET_PUT(&c, ETFR, MERGE, any(h, 3));
        ET_PUT(&c, ETFR, COMP, any(h, 4));
        ET_PUT(&c, ETTS, TSM, any(h, 3));
        ET_PUT(&c, ETTS, SHIFT, any(h, 2) ? 0 : any(h, 12));
        ET_PUT(&c, ETMS, MTO, any(h, 2));
        ET_PUT(&c, ETMS, STATN, any(h, 4));
        ET_PUT(&c, ETBF, SIZE, 20);
        ET_PUT(&c, ETBF, OVP, ET_OVP_DROP);
        ET_PUT(&c, ETBF, DRAIN, 0);
        ET_PUT(&c, ETBF, SYNCPER, any(h, 12));
        if (!et_config_wrong(&c, &limits))
            return c;
    }
}

#endif
