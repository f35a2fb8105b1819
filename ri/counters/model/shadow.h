/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General registers of a wrong path, and the operands that they address. */
#ifndef ZRI_RI_COUNTERS_MODEL_SHADOW_H
#define ZRI_RI_COUNTERS_MODEL_SHADOW_H

#include "disasm/length.h"
#include "ri/counters/model/decode.h"

struct ec_shadow {
    uint64_t gr[16];
    uint32_t known; /* 1 << number */
    uint64_t mask;  /* of addresses */
};

static inline bool ec_shadow_get(const struct ec_shadow *s, unsigned r, uint64_t *value)
{
    *value = s->gr[r & 15];
    return s->known >> (r & 15) & 1;
}

static inline bool ec_shadow_based(const struct ec_shadow *s, unsigned b, unsigned x, int32_t d, uint64_t *address)
{
    uint64_t base = 0, index = 0;
    if ((b && !ec_shadow_get(s, b, &base)) || (x && !ec_shadow_get(s, x, &index)))
        return false;
    *address = (base + index + (uint64_t)(int64_t)d) & s->mask;
    return true;
}

static inline bool ec_shadow_in_register(const struct ec_shadow *s, unsigned r, uint64_t *address)
{
    const bool known = ec_shadow_get(s, r, address);
    *address &= s->mask;
    return known;
}

/* The logical address that base, index and displacement of operand `which` give, or a relative one. False: not known.
 */
static inline bool ec_shadow_address(const struct ec_shadow *s, const struct ec_op *op, unsigned which, uint64_t ia,
                                     uint64_t *address)
{
    const struct dis_insn *i = &op->insn;
    switch (op->storage[which].where) {
    case DIS_AT_B1D1:
        return ec_shadow_based(s, i->b1, 0, i->d1, address);
    case DIS_AT_B2D2:
    case DIS_AT_X2B2D2:
        return ec_shadow_based(s, i->b2, i->x2, i->d2, address);
    case DIS_AT_B4D4:
        return ec_shadow_based(s, i->b4, 0, i->d4, address);
    case DIS_AT_R1:
        return ec_shadow_in_register(s, i->r1, address);
    case DIS_AT_R2:
        return ec_shadow_in_register(s, i->r2, address);
    case DIS_AT_R3:
        return ec_shadow_in_register(s, i->r3, address);
    case DIS_AT_RI2:
        *address = (ia + (uint64_t)i->i2) & s->mask;
        return true;
    default:
        return false;
    }
}

/* The bytes of that operand; 0: not known, or it is not accessed. */
static inline uint64_t ec_shadow_length(const struct ec_op *op, unsigned which)
{
    return dis_length_by_fields(&op->insn, &op->storage[which]);
}

/* The registers behind the instruction. `loaded`: its operand of up to eight bytes was had, its value from the right.
 */
void ec_shadow_execute(struct ec_shadow *s, const struct ec_op *op, uint64_t ia, bool loaded, uint64_t value);

#endif
