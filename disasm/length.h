/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lengths of storage operands that the fields of the instruction tell, without a look at registers. */
#ifndef ZRI_DISASM_LENGTH_H
#define ZRI_DISASM_LENGTH_H

#include "disasm/dis.h"

/* Bytes of the storage operand `s`, 1 to 256 (DIS_LEN_FIXED: what the row says); 0: its rule is another. */
static inline unsigned dis_length_by_fields(const struct dis_insn *insn, const struct dis_storage *s)
{
    const unsigned registers = ((insn->r3 - insn->r1) & 15u) + 1;
    switch (s->length) {
    case DIS_LEN_FIXED:
        return s->bytes;
    case DIS_LEN_L:
    case DIS_LEN_L1:
        return insn->l1 + 1u;
    case DIS_LEN_L2:
        return insn->l2 + 1u;
    case DIS_LEN_REGS4:
        return 4 * registers;
    case DIS_LEN_REGS8:
        return 8 * registers;
    case DIS_LEN_MASK:
        return insn->m3 ? (unsigned)__builtin_popcount(insn->m3) : 1;
    default:
        return 0;
    }
}

#endif
