/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binds the body named by each row of the instruction table to the function of that name. */
#include "cpu/engine/reference/bind.h"
#include "cpu/exec/bodies.h"

const cpu_body cpu_bodies[DIS_ROW_COUNT] = {
#define ROW(id, mnemonic, name, opcode, format, facility, flags, cc, branch, edge, operands, storage1, storage2,       \
            section, body)                                                                                             \
    [DIS_##id] = CPU_BODY(body),
#include "disasm/instructions.def"
#undef ROW
};

int cpu_none(struct cpu *cpu, const struct dis_insn *insn)
{
    (void)cpu;
    (void)insn;
    return PIC_OPERATION;
}
