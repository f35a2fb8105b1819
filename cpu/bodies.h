/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares every body that the instruction table names: row body `x` is cpu_x(). */
#ifndef ZRI_CPU_BODIES_H
#define ZRI_CPU_BODIES_H

#include "cpu/cpu.h"

#define ROW(id, mnemonic, name, opcode, format, facility, flags, cc, branch, edge, operands, storage1, storage2,       \
            section, body)                                                                                             \
    int cpu_##body(struct cpu *cpu, const struct dis_insn *insn) MUST_USE;
#include "disasm/instructions.def"
#undef ROW

#endif
