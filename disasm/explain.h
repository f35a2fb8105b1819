/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions told to people: fields, operands, what they do, what the condition code means, what may go wrong. */
#ifndef ZRI_DISASM_EXPLAIN_H
#define ZRI_DISASM_EXPLAIN_H

#include "disasm/dis.h"

/* A field of an instruction: bits first to first + width - 1. */
struct dis_named_field {
    char name[5]; /* as PoP has it ("R1", "D2", "RXB"), "OP" for operation code, "" for bits that mean nothing */
    uint8_t first, width;
};
enum { DIS_FIELDS_MOST = 16 };

/* The fields of an instruction from the left, without a gap. Returns how many; 0: it is none. The displacement D2 and
   the operation code may come in two parts. */
unsigned dis_named_fields(const struct dis_insn *insn, struct dis_named_field fields[DIS_FIELDS_MOST]);

/* An operand as the assembler names it. */
enum dis_named_kind {
    DIS_NAMED_GR,
    DIS_NAMED_FR,
    DIS_NAMED_AR,
    DIS_NAMED_CR,
    DIS_NAMED_VR,
    DIS_NAMED_VALUE,    /* a number or a mask in the instruction */
    DIS_NAMED_RELATIVE, /* a distance from the instruction, in bytes */
    DIS_NAMED_ADDRESS   /* displacement, base and perhaps index */
};
struct dis_named_operand {
    uint8_t kind;        /* enum dis_named_kind */
    uint8_t number;      /* of the register; of a pair its first */
    bool pair;           /* the register and the next (of floating point: the next but one) */
    uint8_t base, index; /* general registers, 0: none */
    bool vector_index;   /* the index is an element of vector register `index` */
    uint16_t length;     /* bytes by the length field, 0: it has none */
    int64_t value;       /* number, distance or displacement */
};
enum { DIS_OPERANDS_MOST = 6 };

/* The operands in assembler order; returns how many. */
unsigned dis_named_operands(const struct dis_insn *insn, struct dis_named_operand operands[DIS_OPERANDS_MOST]);

/* What the instruction does, a sentence or two; "" for what is none. */
void dis_explain(const struct dis_insn *insn, char *text, size_t size);

/* What condition code `cc` (0-3) means after it; "" when it does not set it so. */
const char *dis_condition(unsigned row, unsigned cc);

/* Exceptions by the values: number `n` of a row, and in *mask_bit the bit of the PSW that has to be one for it, 0: none
   has. NULL behind the last. */
const char *dis_value_exception(unsigned row, unsigned n, unsigned *mask_bit);

#endif
