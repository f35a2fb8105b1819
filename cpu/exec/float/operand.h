/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The second operand of binary and hexadecimal floating-point instructions. */
#ifndef ZRI_CPU_EXEC_FLOAT_OPERAND_H
#define ZRI_CPU_EXEC_FLOAT_OPERAND_H

#include "cpu/exec/float.h"
#include "cpu/storage/access.h"

/* A register, or storage in the RX, RXE and RXF formats; there only short and long numbers. Access exceptions. */
static inline int MUST_USE float_second(struct cpu *cpu, const struct dis_insn *i, enum bfp_format f, bfp_bits *value)
{
    unsigned format = dis_rows[i->row].format;
    uint32_t word;
    uint64_t doubleword;
    int code;
    if (format != DIS_FMT_RX_a && format != DIS_FMT_RXE && format != DIS_FMT_RXF) {
        *value = fpr_get(cpu, f, i->r2);
        return 0;
    }
    if (f == BFP_SHORT) {
        code = cpu_fetch4(cpu, cpu_ea2(cpu, i), i->b2, &word);
        *value = code ? 0 : word;
    } else {
        code = cpu_fetch8(cpu, cpu_ea2(cpu, i), i->b2, &doubleword);
        *value = code ? 0 : doubleword;
    }
    return code;
}

#endif
