/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General registers of a wrong path: what is known of them without carrying anything out. Reading: operands whose
   length stands in a register are not accessed there; LOAD COMPLEMENT is a register load. */
#include "ri/counters/model/shadow.h"

enum operation {
    NOTHING,
    MOVE,
    NEGATE,
    ADD,
    SUB,
    AND,
    OR,
    XOR,
    INSERT,
    INSERT8,
    SWAP,
    SWAP16,
    SLL,
    SRL,
    SLA,
    SRA,
    DECREMENT,
    DECREMENT_HIGH,
    LINK
};
enum source { NONE, R1, R2, R3, I2, MEM, EA, SHIFT };
enum form { U8, U16, U31, U32, U64, S8, S16, S32, HF, LF, HH, HL, LH, LL };
enum { ADDRESS = 1 };

static const struct rule {
    uint8_t operation, bits, first, second, form; /* bits: 32, 64, ADDRESS: by the addressing mode */
} rules[DIS_ROW_COUNT] = {
#define SHADOW(row, operation, bits, first, second, form) [DIS_##row] = {operation, bits, first, second, form},
#include "ri/counters/model/shadow.def"
#undef SHADOW
};

/* ---- results --------------------------------------------------------------------------------------------------- */

static uint64_t formed(uint64_t v, unsigned form)
{
    switch (form) {
    case U8:
        return v & 0xff;
    case U16:
        return v & 0xffff;
    case U31:
        return v & 0x7fffffff;
    case U32:
        return v & 0xffffffff;
    case S8:
        return (uint64_t)(int64_t)(int8_t)v;
    case S16:
        return (uint64_t)(int64_t)(int16_t)v;
    case S32:
        return (uint64_t)(int64_t)(int32_t)v;
    default:
        return v;
    }
}

/* Where an immediate of 16 or 32 bits goes: how far it is moved, and the bits that it covers. */
static unsigned place(unsigned form, uint64_t *covers)
{
    static const uint8_t shifts[] = {32, 0, 48, 32, 16, 0};
    if (form < HF) {
        *covers = UINT64_MAX;
        return 0;
    }
    *covers = (form <= LF ? UINT64_C(0xffffffff) : UINT64_C(0xffff)) << shifts[form - HF];
    return shifts[form - HF];
}

static bool second_of(const struct ec_shadow *s, const struct ec_op *op, const struct rule *rule, uint64_t ia,
                      bool loaded, uint64_t *b)
{
    const struct dis_insn *i = &op->insn;
    bool known = true;
    switch (rule->second) {
    case NONE:
        *b = 0;
        return true;
    case R2:
        known = ec_shadow_get(s, i->r2, b);
        break;
    case R3:
        known = ec_shadow_get(s, i->r3, b);
        break;
    case I2:
        *b = (uint64_t)i->i2;
        break;
    case MEM:
        known = loaded;
        break;
    case EA:
        if (i->row == DIS_LARL)
            *b = (ia + (uint64_t)i->i2) & s->mask;
        else
            known = ec_shadow_based(s, i->b2, i->x2, i->d2, b);
        break;
    default:
        known = ec_shadow_based(s, i->b2, 0, i->d2, b);
        *b &= 63;
        break;
    }
    *b = formed(*b, rule->form);
    return known;
}

static uint64_t shifted(unsigned operation, unsigned bits, uint64_t a, unsigned n)
{
    const uint64_t sign = UINT64_C(1) << (bits - 1), v = bits == 32 ? a & 0xffffffff : a;
    switch (operation) {
    case SLL:
        return v << n;
    case SRL:
        return v >> n;
    case SLA:
        return (v & sign) | (v << n & (sign - 1));
    default: /* SRA */
        if (bits == 32)
            return (uint64_t)((int64_t)(int32_t)v >> n);
        return (uint64_t)((int64_t)v >> n);
    }
}

static uint64_t result(const struct rule *rule, uint64_t a, uint64_t b)
{
    uint64_t covers;
    const unsigned shift = place(rule->form, &covers);
    const uint64_t v = b << shift & covers;
    switch (rule->operation) {
    case MOVE:
        return v;
    case NEGATE:
        return 0 - b;
    case ADD:
        return a + b;
    case SUB:
        return a - b;
    case AND:
        return a & (v | ~covers);
    case OR:
        return a | v;
    case XOR:
        return a ^ v;
    case INSERT:
        return (a & ~covers) | v;
    case INSERT8:
        return (a & ~UINT64_C(0xff)) | b;
    case SWAP:
        return rule->bits == 32 ? __builtin_bswap32((uint32_t)b) : __builtin_bswap64(b);
    case SWAP16:
        return (a & ~UINT64_C(0xffff)) | __builtin_bswap16((uint16_t)b);
    case DECREMENT:
        return a - 1;
    case DECREMENT_HIGH:
        return a - (UINT64_C(1) << 32);
    default:
        return shifted(rule->operation, rule->bits, a, (unsigned)b);
    }
}

/* Bits 31-32 of the PSW in a link: nothing in the 64-bit mode, else the whole right half is the address. */
static uint64_t link_of(const struct ec_shadow *s, const struct ec_op *op, uint64_t ia)
{
    const uint64_t next = (ia + op->insn.length) & s->mask;
    return s->mask == UINT64_C(0x7fffffff) ? next | UINT64_C(0x80000000) : next;
}

void ec_shadow_execute(struct ec_shadow *s, const struct ec_op *op, uint64_t ia, bool loaded, uint64_t value)
{
    const struct rule *rule = &rules[op->insn.row];
    const unsigned to = op->insn.r1 & 15;
    uint64_t a = 0, b = value;
    bool known = rule->operation != NOTHING && second_of(s, op, rule, ia, loaded, &b);
    if (rule->first != NONE)
        known = known && ec_shadow_get(s, rule->first == R1 ? to : rule->first == R2 ? op->insn.r2 : op->insn.r3, &a);
    s->known &= ~(op->dst & 0xffff);
    if (!known)
        return;
    const uint64_t v = rule->operation == LINK ? link_of(s, op, ia) : result(rule, a, b);
    const bool half = rule->bits == 32 || (rule->bits == ADDRESS && s->mask != UINT64_MAX);
    s->known |= 1u << to;
    s->gr[to] = half ? (s->gr[to] & ~UINT64_C(0xffffffff)) | (v & 0xffffffff) : v;
}
