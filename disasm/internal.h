/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of disasm/ share. */
#ifndef ZRI_DISASM_INTERNAL_H
#define ZRI_DISASM_INTERNAL_H

#include "disasm/dis.h"

/* Where the operation code of a format is (formats.def). */
enum dis_pattern { DIS_OP8, DIS_OP12, DIS_OP16, DIS_OP8_40 };

#define DIS_PATTERN_MASK(pattern)                                                                                      \
    ((int)(pattern) == (int)DIS_OP8    ? UINT64_C(0xff0000000000)                                                      \
     : (int)(pattern) == (int)DIS_OP12 ? UINT64_C(0xff0f00000000)                                                      \
     : (int)(pattern) == (int)DIS_OP16 ? UINT64_C(0xffff00000000)                                                      \
                                       : UINT64_C(0xff00000000ff))

/* Operand classes (operands.def). */
enum dis_class {
    DIS_CLASS_NONE,
    DIS_CLASS_GR,
    DIS_CLASS_GP,
    DIS_CLASS_FR,
    DIS_CLASS_FP,
    DIS_CLASS_AR,
    DIS_CLASS_CR,
    DIS_CLASS_VR,
    DIS_CLASS_VSAME,
    DIS_CLASS_U,
    DIS_CLASS_S,
    DIS_CLASS_REL,
    DIS_CLASS_BD,
    DIS_CLASS_XBD,
    DIS_CLASS_VBD,
    DIS_CLASS_LBD,
    DIS_CLASS_LLBD,
    DIS_CLASS_RBD
};

enum {
#define FORMAT(id, length, opcode, name) DIS_PATTERN_##id = DIS_##opcode, DIS_LENGTH_##id = length,
#include "disasm/formats.def"
#undef FORMAT
#define OPERAND(id, class, start, width, extra) DIS_SIGNED_##id = (int)DIS_CLASS_##class == (int)DIS_CLASS_S,
#include "disasm/operands.def"
#undef OPERAND
    DIS_SIGNED_NONE = 0,
};

struct dis_operand {
    uint8_t class; /* enum dis_class */
    uint8_t start, width, extra;
};

extern const struct dis_operand dis_operands[];

/* A field that an extended mnemonic gives. */
struct dis_given {
    uint8_t operand; /* enum dis_operand_kind: where it is */
    uint16_t value;
};

enum { DIS_GIVEN_MAX = 3 };

struct dis_extended {
    const char *mnemonic;
    uint16_t row;
    bool shown;       /* it is the text of instructions, not only assembled */
    uint8_t optional; /* so many of the last operands may be left out when zero */
    uint8_t given_count;
    struct dis_given given[DIS_GIVEN_MAX];
    uint8_t operands[7];
};

extern const struct dis_extended dis_extended[];
extern const unsigned dis_extended_count;

/* Field of `width` bits from bit `start` of an instruction left-aligned in 48 bits. */
static inline uint64_t dis_field(uint64_t insn, unsigned start, unsigned width)
{
    return insn >> (48 - start - width) & ((UINT64_C(1) << width) - 1);
}

/* The same field with `value` in it, other bits zero. */
static inline uint64_t dis_in_field(uint64_t value, unsigned start, unsigned width)
{
    return (value & ((UINT64_C(1) << width) - 1)) << (48 - start - width);
}

/* Bit of RXB that extends the vector-register field at `start`. */
static inline unsigned dis_rxb_bit(unsigned start)
{
    return start == 8 ? 36 : start == 12 ? 37 : start == 16 ? 38 : 39;
}

/* The bits of an instruction that an operand takes. */
uint64_t dis_operand_bits(unsigned kind);

/* How many of the row's last operands may be left out. */
static inline unsigned dis_optional(const struct dis_row *row)
{
    return row->flags & DIS_OPTIONAL_1 ? 1 : row->flags & DIS_OPTIONAL_2 ? 2 : 0;
}

#endif
