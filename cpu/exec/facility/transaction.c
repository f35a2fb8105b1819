/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of transactional execution. PoP chapter 7 (SA22-7832-13). */
#include "cpu/control/transaction.h"
#include "cpu/exec/bodies.h"
#include "cpu/storage/access.h"

/* Second operand of TRANSACTION BEGIN. */
#define CONTROL_ACCESS_REGISTERS 0x08u
#define CONTROL_FLOAT            0x04u
#define CONTROL_FILTERING        0x03u

static struct cpu_tx_request asked_for(const struct dis_insn *i)
{
    return (struct cpu_tx_request){.access_registers = i->i2 & CONTROL_ACCESS_REGISTERS,
                                   .save_mask = (uint8_t)((uint32_t)i->i2 >> 8)};
}

/* TRANSACTION BEGIN (nonconstrained). The first operand, when B1 is not zero, is the transaction diagnostic block (in
   the primary space also in the access-register mode); the second has the controls. CC: 0. Exceptions: operation;
   special operation; execute; specification (doubleword boundary, filtering control 3); access (store, first
   operand). */
int cpu_tbegin(struct cpu *cpu, const struct dis_insn *i)
{
    struct cpu_tx_request request = asked_for(i);
    request.floating_point = i->i2 & CONTROL_FLOAT;
    request.filtering = i->i2 & CONTROL_FILTERING;
    request.has_block = i->b1;
    request.block = cpu_ea1(cpu, i);
    if (!(cpu->cr[0] & CR0_TRANSACTIONS))
        return PIC_SPECIAL_OPERATION;
    if (cpu->executed)
        return PIC_EXECUTE;
    if (request.filtering > CPU_TX_FILTERING_MAX || (i->b1 && (request.block & 7)))
        return PIC_SPECIFICATION;
    if (i->b1 && cpu->tx_depth == 0) {
        int code = cpu_test(cpu, request.block, 0, CPU_TX_BLOCK, CPU_STORE);
        if (code)
            return code;
    }
    return cpu_tx_begin(cpu, &request);
}

/* TRANSACTION BEGIN (constrained). CC: 0. Exceptions: operation; special operation; execute; specification (B1 not
   zero); transaction constraint. */
int cpu_tbeginc(struct cpu *cpu, const struct dis_insn *i)
{
    struct cpu_tx_request request = asked_for(i);
    request.constrained = true;
    if (!(cpu->cr[0] & CR0_TRANSACTIONS))
        return PIC_SPECIAL_OPERATION;
    if (cpu->executed)
        return PIC_EXECUTE;
    if (i->b1)
        return PIC_SPECIFICATION;
    return cpu_tx_begin(cpu, &request);
}

/* TRANSACTION END. CC: 0 it was in the transactional-execution mode, 2 not. Exceptions: operation; special operation;
   execute. */
int cpu_tend(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    if (!(cpu->cr[0] & CR0_TRANSACTIONS))
        return PIC_SPECIAL_OPERATION;
    if (cpu->executed)
        return PIC_EXECUTE;
    if (cpu->tx_depth == 0) {
        cpu->cc = 2;
        return 0;
    }
    return cpu_tx_end(cpu);
}

/* TRANSACTION ABORT. The second-operand address is the abort code. CC: that of the abort, by the rightmost bit of the
   code. Exceptions: operation; special operation; specification (codes 0-255); transaction constraint. */
int cpu_tabort(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t code = cpu_ea2(cpu, i);
    if (!(cpu->cr[0] & CR0_TRANSACTIONS) || !cpu->tx_depth)
        return PIC_SPECIAL_OPERATION;
    if (code < TX_TABORT)
        return PIC_SPECIFICATION;
    return cpu_tx_abort_with(cpu, code);
}

/* EXTRACT TRANSACTION NESTING DEPTH into bits 32-63 of R1. CC: unchanged. Exceptions: operation; special operation;
   transaction constraint. */
int cpu_etnd(struct cpu *cpu, const struct dis_insn *i)
{
    if (!(cpu->cr[0] & CR0_TRANSACTIONS))
        return PIC_SPECIAL_OPERATION;
    set_gr32(cpu, i->r1, cpu->tx_depth);
    return 0;
}

/* NONTRANSACTIONAL STORE of a doubleword, which stays when the transaction is aborted. CC: unchanged. Exceptions:
   operation; specification (doubleword boundary); access (store); transaction constraint. */
int cpu_ntstg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_ea2(cpu, i);
    uint8_t *host;
    if (address & 7)
        return PIC_SPECIFICATION;
    int code = cpu_page(cpu, address, i->b2, 8, CPU_STORE, &host);
    if (code)
        return code;
    put64(host, cpu->gr[i->r1]);
    return cpu->tx_depth ? cpu_tx_single(cpu, (uint64_t)(host - cpu->sys->storage.bytes), cpu->gr[i->r1]) : 0;
}
