/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operand classes and extended mnemonics as constant data. */
#include "disasm/dis.h"
#include "disasm/internal.h"

const struct dis_operand dis_operands[] = {
    [DIS_OP_NONE] = {DIS_CLASS_NONE, 0, 0, 0},
#define OPERAND(id, class, start, width, extra) [DIS_OP_##id] = {DIS_CLASS_##class, start, width, extra},
#include "disasm/operands.def"
#undef OPERAND
};

#define KIND(a) DIS_OP_##a
#define OPS_(a, b, c, d, e, f)                                                                                         \
    {                                                                                                                  \
        KIND(a), KIND(b), KIND(c), KIND(d), KIND(e), KIND(f), DIS_OP_NONE                                              \
    }
#define OPS(...) OPS_(__VA_ARGS__)
#define GIVEN0                                                                                                         \
    0,                                                                                                                 \
    {                                                                                                                  \
        {                                                                                                              \
            0, 0                                                                                                       \
        }                                                                                                              \
    }
#define GIVEN1(a, v)                                                                                                   \
    1,                                                                                                                 \
    {                                                                                                                  \
        {                                                                                                              \
            KIND(a), v                                                                                                 \
        }                                                                                                              \
    }
#define GIVEN2(a, v, b, w)                                                                                             \
    2,                                                                                                                 \
    {                                                                                                                  \
        {KIND(a), v}, { KIND(b), w }                                                                                   \
    }
#define GIVEN3(a, v, b, w, c, x)                                                                                       \
    3,                                                                                                                 \
    {                                                                                                                  \
        {KIND(a), v}, {KIND(b), w}, { KIND(c), x }                                                                     \
    }
#define SHOW true
#define ASM  false

const struct dis_extended dis_extended[] = {
#define EXTENDED(mnemonic, row, given, operands, optional, shown)                                                      \
    {mnemonic, DIS_##row, shown, optional, given, operands},
#include "disasm/mnemonics.def"
#undef EXTENDED
};

const unsigned dis_extended_count = sizeof dis_extended / sizeof dis_extended[0];

uint64_t dis_operand_bits(unsigned kind)
{
    const struct dis_operand *o = &dis_operands[kind];
    uint64_t bits = 0;
    switch ((enum dis_class)o->class) {
    case DIS_CLASS_NONE:
        return 0;
    case DIS_CLASS_VR:
        return dis_in_field(~UINT64_C(0), o->start, 4) | dis_in_field(1, dis_rxb_bit(o->start), 1);
    case DIS_CLASS_VSAME:
        return dis_in_field(255, o->start, 8) | dis_in_field(3, dis_rxb_bit(o->start), 2);
    case DIS_CLASS_U:
        return dis_in_field(~(uint64_t)o->extra, o->start, o->width);
    case DIS_CLASS_VBD:
        bits = dis_in_field(1, dis_rxb_bit(o->extra), 1) | dis_in_field(15, o->extra, 4);
        break;
    case DIS_CLASS_XBD:
    case DIS_CLASS_LBD:
    case DIS_CLASS_RBD:
        bits = dis_in_field(15, o->extra, 4);
        break;
    case DIS_CLASS_LLBD:
        bits = dis_in_field(255, o->extra, 8);
        break;
    case DIS_CLASS_BD:
        break;
    default:
        return dis_in_field(~UINT64_C(0), o->start, o->width);
    }
    return bits | dis_in_field(0xffff, o->start, 16) | (o->width == 20 ? dis_in_field(255, o->start + 16, 8) : 0);
}
