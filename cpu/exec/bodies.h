/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares every body that the instruction table names: row body `x` is cpu_x(). */
#ifndef ZRI_CPU_EXEC_BODIES_H
#define ZRI_CPU_EXEC_BODIES_H

#include "cpu/state/cpu.h"

/* The column is expanded first: it may depend on the configuration. */
#define CPU_BODY_(body) cpu_##body
#define CPU_BODY(body)  CPU_BODY_(body)

#define ROW(id, mnemonic, name, opcode, format, facility, flags, cc, branch, edge, operands, storage1, storage2,       \
            section, body)                                                                                             \
    int CPU_BODY(body)(struct cpu * cpu, const struct dis_insn *insn) MUST_USE;
#include "disasm/instructions.def"
#undef ROW

#endif
