/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The eight instructions of run-time instrumentation. Source: the RI specification, section D. Operation exceptions
   (facility 64) and the privileged-operation exception of LRIC come from the table. */
#include "cpu/exec/bodies.h"
#include "cpu/storage/access.h"
#include "ri/ri.h"

/* The permission and validity check. True: the instruction goes on; false: condition code 2 or 3 is set. */
static bool permitted(struct cpu *cpu)
{
    unsigned cc = ri_pvc(cpu->ri, cpu_problem_state(cpu));
    if (cc)
        cpu->cc = (uint8_t)cc;
    return cc == 0;
}

/* The operand of LRIC and MRIC. */
static int fetch_block(struct cpu *cpu, const struct dis_insn *i, uint8_t block[RI_BLOCK_SIZE])
{
    uint64_t address = cpu_ea2(cpu, i);
    if (address & 7)
        return PIC_SPECIFICATION;
    return cpu_fetch_bytes(cpu, address, i->b2, block, RI_BLOCK_SIZE);
}

/* RUN-TIME INSTRUMENTATION NEXT: the next sequential instruction becomes a sample instruction; a no-operation unless RI
   is active and N is one. CC: unchanged. Exceptions: operation. */
int cpu_rinext(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    ri_next(cpu->ri, cpu->psw.ia);
    return 0;
}

/* RUN-TIME INSTRUMENTATION EMIT: register R1 goes into the collection buffer; a no-operation unless RI is active, E is
   one and collection is on in this state. CC: unchanged. Exceptions: operation. */
int cpu_riemit(struct cpu *cpu, const struct dis_insn *i)
{
    ri_emit(cpu->ri, cpu->insn_ia, cpu->gr[i->r1], cpu_problem_state(cpu));
    return 0;
}

/* RUN-TIME INSTRUMENTATION ON: PSW bit 24 becomes one. CC: 0 on; 2 problem state prohibited; 3 controls not valid.
   Exceptions: operation. */
int cpu_rion(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    if (!permitted(cpu))
        return 0;
    cpu->psw.mask |= PSW_RI;
    ri_enable(cpu->ri, true);
    cpu->cc = 0;
    return 0;
}

/* RUN-TIME INSTRUMENTATION OFF: PSW bit 24 becomes zero. CC: as RION. Exceptions: operation. */
int cpu_rioff(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    if (!permitted(cpu))
        return 0;
    cpu->psw.mask &= ~PSW_RI;
    ri_enable(cpu->ri, false);
    cpu->cc = 0;
    return 0;
}

/* TEST RUN-TIME INSTRUMENTATION CONTROLS. CC: 0 unchanged since LRIC; 1 changed; 2 problem state prohibited; 3 controls
   not valid. Exceptions: operation. */
int cpu_tric(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    if (permitted(cpu))
        cpu->cc = (uint8_t)ri_tric(cpu->ri);
    return 0;
}

/* LOAD RUN-TIME INSTRUMENTATION CONTROLS: the 64-byte block at the operand. With V zero RI is turned off. CC:
   unchanged. Exceptions: operation; privileged operation; specification (doubleword boundary); access (fetch);
   specification (mode 3-15 with V one). */
int cpu_lric(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t block[RI_BLOCK_SIZE];
    int code = fetch_block(cpu, i, block);
    if (code)
        return code;
    if (ri_block_invalid(block, false))
        return PIC_SPECIFICATION;
    if (!ri_lric(cpu->ri, block))
        cpu->psw.mask &= ~PSW_RI;
    return 0;
}

/* MODIFY RUN-TIME INSTRUMENTATION CONTROLS: the fields of the block at the operand that a program may change. CC: 0
   modified; 2 problem state prohibited; 3 controls not valid. Exceptions: operation; specification (doubleword
   boundary); access (fetch); specification (mode 3-15). */
int cpu_mric(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t block[RI_BLOCK_SIZE];
    if (!permitted(cpu))
        return 0;
    int code = fetch_block(cpu, i, block);
    if (code)
        return code;
    if (ri_block_invalid(block, true))
        return PIC_SPECIFICATION;
    ri_mric(cpu->ri, block, cpu_problem_state(cpu));
    cpu->cc = 0;
    return 0;
}

/* STORE RUN-TIME INSTRUMENTATION CONTROLS at the operand, 64 bytes. CC: 0 stored; 2 problem state prohibited; 3
   controls not valid. Exceptions: operation; specification (doubleword boundary); access (store). */
int cpu_stric(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t block[RI_BLOCK_SIZE];
    if (!permitted(cpu))
        return 0;
    uint64_t address = cpu_ea2(cpu, i);
    if (address & 7)
        return PIC_SPECIFICATION;
    ri_stric(cpu->ri, block);
    int code = cpu_store_bytes(cpu, address, i->b2, block, sizeof block);
    if (code)
        return code;
    cpu->cc = 0;
    return 0;
}
