/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program-event recording. PoP chapter 4. PER runs on the reference engine. */
#ifndef ZRI_CPU_STATE_PER_H
#define ZRI_CPU_STATE_PER_H

#include "cpu/state/cpu.h"

/* In a transaction, and events are suppressed there. */
static inline bool per_suppressed(const struct cpu *cpu) { return cpu->tx_depth && (cpu->cr[9] & CR9_PER_SUPPRESSION); }
/* PSW bit 1 is one and some event is asked for. */
static inline bool per_active(const struct cpu *cpu)
{
    return (cpu->psw.mask & PSW_PER) &&
           (cpu->cr[9] & (CR9_PER_BRANCH | CR9_PER_FETCH | CR9_PER_STORE | CR9_PER_STORE_USING_REAL |
                          CR9_PER_ZERO_ADDRESS | CR9_PER_TRANSACTION_END)) &&
           !per_suppressed(cpu);
}
/* Stores must be looked at singly. */
static inline bool per_watches_stores(const struct cpu *cpu)
{
    return (cpu->psw.mask & PSW_PER) && (cpu->cr[9] & CR9_PER_STORE);
}

/* An instruction starts at insn_ia while per_active(): what is recorded about it goes by PSW and control register 9 as
   they are now. */
void per_begin(struct cpu *cpu);
/* Instruction-fetching nullification: the instruction must not be carried out. The event is noted; deliver
   PIC_PER_EVENT with psw.ia at the instruction. */
bool per_nullifies(struct cpu *cpu, const struct dis_insn *insn) MUST_USE;
/* The instruction, or the target of an execute-type instruction, is about to be carried out while per_active(): does a
   storage operand have an address made of registers that are zero? Noted as a zero-address-detection event. */
void per_operands(struct cpu *cpu, const struct dis_insn *insn);
/* Bytes that were stored: 1-4096 of them at a logical address. */
struct per_store {
    uint64_t address;
    unsigned length;
    bool dat;                /* by DAT, in the space of ... */
    uint64_t asce;           /* ... this address-space-control element ... */
    unsigned identification; /* ... with bits 62-63 of the TEID */
    unsigned ar;             /* access register, which counts in the AR mode */
};
void per_store(struct cpu *cpu, const struct per_store *store);
/* Bytes were stored by real address (STORE USING REAL ADDRESS). */
void per_store_real(struct cpu *cpu);
/* The outermost TRANSACTION END completes: end it with per_end() when per_active() did not hold at its beginning, too,
   if this noted an event. */
void per_transaction_end(struct cpu *cpu);
/* The instruction for which per_begin() was called ended with `code`. Events are noted in cpu->per_code. Returns `code`
   when there is none that can be shown, else with PIC_PER_EVENT ORed in, or PIC_PER_EVENT alone. After SVC the event
   follows the supervisor-call interruption. */
int per_end(struct cpu *cpu, int code) MUST_USE;

#endif
