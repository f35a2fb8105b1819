/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EXECUTE and EXECUTE RELATIVE LONG. PoP chapter 7. */
#include "cpu/engine/reference/reference.h"
#include "cpu/exec/bodies.h"
#include "cpu/storage/access.h"

/* Fetch the target at `address`, modify a copy by bits 56-63 of general register R1 (R1 not zero), carry it out.
   Exceptions in this order: specification (odd address), access (fetch of the target), execute (the target is an
   execute-type instruction), then those of the target. */
static int execute(struct cpu *cpu, const struct dis_insn *i, uint64_t address)
{
    uint8_t bytes[6] = {0};
    int code = cpu_fetch_instruction(cpu, address, bytes);
    if (code) {
        cpu->tx_fetching = cpu->tx_depth && code != PIC_SPECIFICATION;
        return code;
    }
    if (i->r1)
        bytes[1] |= (uint8_t)cpu->gr[i->r1];
    return engine_execute_target(cpu, address, bytes);
}

/* EXECUTE: the instruction at the second-operand address, its second byte ORed with bits 56-63 of general register R1,
   is carried out. Condition code: that of the target. Exceptions: specification, access, execute; those of the
   target. */
int cpu_ex(struct cpu *cpu, const struct dis_insn *i) { return execute(cpu, i, cpu_ea2(cpu, i)); }

/* EXECUTE RELATIVE LONG: likewise, the address being relative to the instruction. */
int cpu_exrl(struct cpu *cpu, const struct dis_insn *i) { return execute(cpu, i, cpu_relative(cpu, i->i2)); }
