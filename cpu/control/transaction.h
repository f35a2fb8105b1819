/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transactional execution, PoP chapter 5. The instructions of a transaction run on the reference engine and store in
   place; what the lines held before is kept, and put back when the transaction is aborted. Between two runs of the CPU,
   when others have their turn, storage holds the old contents: a transaction is suspended then, and goes on only if the
   lines that it accessed still hold what it found in them. */
#ifndef ZRI_CPU_CONTROL_TRANSACTION_H
#define ZRI_CPU_CONTROL_TRANSACTION_H

#include "cpu/state/cpu.h"

/* The CPU is in the transactional-execution mode; in a constrained transaction. */
static inline bool cpu_tx_active(const struct cpu *cpu) { return UNLIKELY(cpu->tx_depth != 0); }
bool cpu_tx_constrained(const struct cpu *cpu);

/* A transaction is open and is about to carry out `insn`: 0, CPU_TX_ABORT for a restricted instruction, or
   PIC_TRANSACTION_CONSTRAINT. */
int cpu_tx_check(struct cpu *cpu, const struct dis_insn *insn) MUST_USE;

/* What TRANSACTION BEGIN asks for. */
struct cpu_tx_request {
    bool constrained, access_registers, floating_point;
    uint8_t filtering; /* program-interruption-filtering control, 0-2 */
    uint8_t save_mask; /* general-register save mask */
    bool has_block;    /* a transaction diagnostic block is designated */
    uint64_t block;
};
#define CPU_TX_FILTERING_MAX 2u
#define CPU_TX_BLOCK         256u /* bytes of a transaction diagnostic block */
/* TRANSACTION BEGIN and TRANSACTION END, all their exceptions having been looked for: condition code, mode, depth.
   Return 0 or CPU_TX_ABORT. */
int cpu_tx_begin(struct cpu *cpu, const struct cpu_tx_request *request) MUST_USE;
int cpu_tx_end(struct cpu *cpu) MUST_USE;
/* In a transaction: a doubleword was stored that stays when it is aborted. Returns 0 or CPU_TX_ABORT. */
int cpu_tx_single(struct cpu *cpu, uint64_t absolute, uint64_t value) MUST_USE;

/* Note the code with which CPU_TX_ABORT is returned. */
static inline int MUST_USE cpu_tx_abort_with(struct cpu *cpu, uint64_t code)
{
    cpu->tx_code = code;
    return CPU_TX_ABORT;
}
/* The current instruction is restricted in the transaction that is open, under conditions that its body finds: what it
   returns then. */
int cpu_tx_restricted(struct cpu *cpu) MUST_USE;
/* Carry out the abort that CPU_TX_ABORT asks for: the CPU goes on at the transaction-abort PSW. Returns 0 or a
   program-interruption code of the deferred report of run-time instrumentation (with zero length code). */
int cpu_tx_abort(struct cpu *cpu) MUST_USE;
/* Abort because of an interruption that is taken next (external, I/O, machine check: the deferred report is stored
   first), or because of a restart (it is purged). Returns as cpu_tx_abort(). */
int cpu_tx_abort_for(struct cpu *cpu, enum cpu_tx_code code, bool purge) MUST_USE;
/* A program interruption with *code is recognized in a transaction. True: it is filtered, and the CPU has gone on at
   the transaction-abort PSW. False: the transaction is aborted and *code is what the interruption stores. */
bool cpu_tx_program(struct cpu *cpu, int *code) MUST_USE;
/* The instruction ended with `code`: when it was the outermost TRANSACTION END, the deferred report of run-time
   instrumentation is stored. Returns the code to deliver. */
int cpu_tx_ended(struct cpu *cpu, int code) MUST_USE;

/* The CPU is about to run, or its run is over. Going on may find that the transaction must be aborted: returns as
   cpu_tx_abort(). */
int cpu_tx_resume(struct cpu *cpu) MUST_USE;
void cpu_tx_suspend(struct cpu *cpu);
/* Between two runs: abort a transaction that is open (the operator). Returns as cpu_tx_abort(). */
int cpu_tx_give_up(struct cpu *cpu) MUST_USE;
/* A reset: the transaction is forgotten, its stores are undone. */
void cpu_tx_reset(struct cpu *cpu);
void cpu_tx_destroy(struct cpu *cpu);

/* For a snapshot, between two runs: called for each field of the state of a transaction, and for its depth, which is
   zero when none is open. Fields of one byte are flags; those of more than 8 bytes are doublewords. `field` transfers
   the contents of `place` in one direction or the other: when the nesting depth of the CPU is zero and `field` makes it
   another one, the state is taken over. False: what came is not possible, or no host memory; no transaction is open
   then. */
typedef void cpu_tx_field(void *context, const char *name, void *place, size_t size);
bool cpu_tx_each_field(struct cpu *cpu, cpu_tx_field *field, void *context) MUST_USE;

#endif
