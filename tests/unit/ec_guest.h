/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small guest for tests of the pipeline model: storage, registers, a few instructions carried out plainly, and a
   record of each for the model. DAT is off; logical addresses are absolute ones. */
#ifndef ZRI_TESTS_UNIT_EC_GUEST_H
#define ZRI_TESTS_UNIT_EC_GUEST_H

#include "ri/counters/model/decode.h"
#include "ri/counters/model/model.h"
#include "tests/unit/put_code.h"
#include <string.h>

enum { GUEST_SIZE = 0x20000 };

struct guest {
    uint8_t storage[GUEST_SIZE];
    uint64_t gr[16], ia;
    unsigned cc;
    bool missing; /* the page at X'1F000' has no absolute address */
    bool dat;     /* each page is where it is, by translation */
    struct ec_record record;
};

static inline bool guest_page(void *context, uint64_t logical, enum ec_use use, uint64_t *absolute,
                              const uint8_t **bytes)
{
    struct guest *g = context;
    (void)use;
    if (logical >= GUEST_SIZE || (g->missing && logical >= 0x1f000))
        return false;
    *absolute = logical;
    *bytes = g->storage + logical;
    return true;
}

static inline struct ec_model *guest_model(struct guest *g, const struct ec_profile *profile)
{
    struct ec_model *m = ec_model_create(profile, &(struct ec_storage){g, guest_page});
    assert_non_null(m);
    return m;
}

/* One instruction; the address behind it. */
static inline uint64_t guest_put(struct guest *g, uint64_t at, const char *line)
{
    return put_code(g->storage, at, line);
}

static inline uint64_t guest_load8(const struct guest *g, uint64_t at)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 8; i++)
        v = v << 8 | g->storage[(at + i) % GUEST_SIZE];
    return v;
}
static inline void guest_store8(struct guest *g, uint64_t at, uint64_t v)
{
    for (unsigned i = 0; i < 8; i++)
        g->storage[(at + i) % GUEST_SIZE] = (uint8_t)(v >> (56 - 8 * i));
}

static inline unsigned guest_sign(uint64_t v) { return v == 0 ? 0 : v >> 63 ? 1 : 2; }

/* The effect of the instruction, but for storage operands; true: a branch that is taken. */
static inline bool guest_effect(struct guest *g, const struct dis_insn *i, uint64_t address)
{
    uint64_t *gr = g->gr;
    switch (i->row) {
    case DIS_LGHI:
        gr[i->r1] = (uint64_t)i->i2;
        return false;
    case DIS_AGHI:
        g->cc = guest_sign(gr[i->r1] += (uint64_t)i->i2);
        return false;
    case DIS_AGR:
        g->cc = guest_sign(gr[i->r1] += gr[i->r2]);
        return false;
    case DIS_XGR:
        g->cc = (gr[i->r1] ^= gr[i->r2]) != 0;
        return false;
    case DIS_LTGR:
        g->cc = guest_sign(gr[i->r1] = gr[i->r2]);
        return false;
    case DIS_MSGR:
        gr[i->r1] *= gr[i->r2];
        return false;
    case DIS_LA:
        gr[i->r1] = address;
        return false;
    case DIS_LG:
        gr[i->r1] = guest_load8(g, address);
        return false;
    case DIS_STG:
        guest_store8(g, address, gr[i->r1]);
        return false;
    case DIS_BRCTG:
        return --gr[i->r1] != 0;
    case DIS_BRC:
    case DIS_BCR:
        return i->m1 >> (3 - g->cc) & 1 && dis_branch_class(i) != DIS_BRANCH_NONE;
    case DIS_BRAS:
        gr[i->r1] = g->ia + i->length;
        return true;
    default:
        return false;
    }
}

/* Carry out the instruction at `ia` and tell the model. */
static inline void guest_step(struct guest *g, struct ec_model *m)
{
    struct dis_insn i;
    struct ec_record *r = &g->record;
    assert_true(g->ia < GUEST_SIZE);
    dis_decode(g->storage + g->ia, &i);
    *r = (struct ec_record){.ia = g->ia,
                            .next = g->ia + i.length,
                            .text = ec_text(g->storage + g->ia, 6),
                            .absolute = g->ia,
                            .absolute2 = (g->ia + i.length - 1u) & ~UINT64_C(4095),
                            .mask = UINT64_MAX,
                            .dat = g->dat,
                            .space = 0x7000,
                            .data_space = 0x9000,
                            .gr = g->gr};
    const uint64_t address = (i.b2 ? g->gr[i.b2] : 0) + (i.x2 ? g->gr[i.x2] : 0) + (uint64_t)(int64_t)i.d2;
    if (i.row == DIS_LG || i.row == DIS_STG) {
        const bool there = !g->missing || address < 0x1f000;
        r->operand[r->operands++] = (struct ec_operand){.logical = address,
                                                        .length = 8,
                                                        .absolute = {address, (address + 7) & ~UINT64_C(4095)},
                                                        .there = {there, true},
                                                        .fetch = i.row == DIS_LG,
                                                        .store = i.row == DIS_STG};
        if (!there)
            r->ending = EC_CANCELLED;
    }
    r->target = i.row == DIS_BCR ? g->gr[i.r2] : g->ia + (uint64_t)i.i2;
    if (r->ending != EC_CANCELLED)
        r->taken = guest_effect(g, &i, address);
    g->ia = r->taken ? r->target : r->next;
    ec_model_step(m, r);
}

#endif
