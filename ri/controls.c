/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control block: decoding, normalizing, storing; the instructions that load, modify, store and test it.
   Specification: RI sections C and D. */
#include "ri/internal.h"

struct ri_controls ri_controls_decode(const uint8_t block[RI_BLOCK_SIZE])
{
    struct ri_controls c;
#define CONTROL(dw, first, last, id, name, mric, text) c.id = field64(get64(block + 8 * (dw)), first, last);
#include "ri/controls.def"
    return c;
}

void ri_controls_encode(const struct ri_controls *c, uint8_t block[RI_BLOCK_SIZE])
{
    uint64_t words[RI_BLOCK_SIZE / 8] = {0};
#define CONTROL(dw, first, last, id, name, mric, text) words[dw] |= (uint64_t)c->id << (63 - (last));
#include "ri/controls.def"
    for (unsigned i = 0; i < RI_BLOCK_SIZE / 8; i++)
        put64(block + 8 * i, words[i]);
}

/* C.3 items 2 and 3 for the addresses in `c`, whose ROA and RLA are normalized already. */
static void normalize_rca(struct ri_controls *c)
{
    c->rca &= ~(ri_group_length(c->rgs) - 1);
    if (c->rca < c->roa || c->rca > c->rla + 1)
        c->rca = c->roa;
}

/* C.4: group size, scaling factor, count, by the limits of the profile. */
static void apply_limits(struct ri_controls *c, const struct ri_profile *p)
{
    if (c->rgs > p->rgs_max && c->rca == c->roa)
        c->rgs = p->rgs_max;
    uint64_t min = p->sf_min[c->m != RI_MODE_CYCLES];
    if (c->sf == 0)
        c->sf = 1;
    if (c->sf < min)
        c->sf = min;
    if (c->sf > p->sf_max)
        c->sf = p->sf_max;
    if (c->rsic > p->sf_max)
        c->rsic = p->sf_max;
    if (c->rsic == 0 && c->m != RI_MODE_DIRECTED)
        c->rsic = c->sf;
}

/* After LRIC and MRIC alike: a new interval begins, nothing of before is left. */
static void loaded(struct ri *ri)
{
    ri_empty(ri);
    ri_forget(ri);
    ri_derive(ri);
}

unsigned ri_pvc(const struct ri *ri, bool problem)
{
    if (problem && !ri->controls.s)
        return 2;
    return ri->controls.v ? 0 : 3;
}

bool ri_block_invalid(const uint8_t block[RI_BLOCK_SIZE], bool mric)
{
    struct ri_controls c = ri_controls_decode(block);
    return (mric || c.v) && c.m > RI_MODE_DIRECTED;
}

bool ri_lric(struct ri *ri, const uint8_t block[RI_BLOCK_SIZE])
{
    struct ri_controls c = ri_controls_decode(block);
    ri->halted = false;
    ri->keeping = false;
    if (!c.v) {
        ri->controls = (struct ri_controls){0};
        ri->enabled = false;
        loaded(ri);
        return false;
    }
    c.a = ri->enabled;
    c.roa &= ~UINT64_C(0xfff);
    c.rla |= 0xfff;
    normalize_rca(&c);
    apply_limits(&c, &ri->profile);
    ri->controls = c;
    loaded(ri);
    return true;
}

void ri_mric(struct ri *ri, const uint8_t block[RI_BLOCK_SIZE], bool problem)
{
    const struct ri_controls operand = ri_controls_decode(block);
    const struct ri_controls old = ri->controls;
    struct ri_controls c = old;
    bool set_buffer = !problem || old.k;
#define LOAD_N(id)
#define LOAD_A(id) c.id = operand.id;
#define LOAD_K(id)                                                                                                     \
    if (set_buffer)                                                                                                    \
        c.id = operand.id;
#define CONTROL(dw, first, last, id, name, mric, text) LOAD_##mric(id)
#include "ri/controls.def"
#undef LOAD_N
#undef LOAD_A
#undef LOAD_K
    c.roa &= ~UINT64_C(0xfff);
    c.rla |= 0xfff;
    normalize_rca(&c);
    if (c.rgs != old.rgs)
        c.rca = c.roa;
    apply_limits(&c, &ri->profile);
    c.a = 1;
    ri->controls = c;
    if (c.rca == c.roa) {
        ri->controls.g = 0;
        ri->halted = false;
    }
    if (c.rca == c.roa || !ri_stopped(ri))
        ri->controls.l = 0;
    loaded(ri);
}

void ri_stric(const struct ri *ri, uint8_t block[RI_BLOCK_SIZE]) { ri_controls_encode(&ri->controls, block); }

unsigned ri_tric(const struct ri *ri) { return ri->controls.a; }
