/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transactional execution, PoP chapter 5. The instructions of a transaction run on the reference engine and store in
   place; what the lines held before is kept, and put back when the transaction is aborted. Between two runs of the CPU,
   when others have their turn, storage holds the old contents: a transaction is suspended then, and goes on only if the
   lines that it accessed still hold what it found in them. */
#ifndef ZRI_CPU_CONTROL_TRANSACTION_H
#define ZRI_CPU_CONTROL_TRANSACTION_H

#include "cpu/state/cpu.h"

/* Transaction-abort codes. */
enum cpu_tx_code {
    TX_EXTERNAL = 2,
    TX_PROGRAM = 4,
    TX_MACHINE_CHECK = 5,
    TX_IO = 6,
    TX_FETCH_OVERFLOW = 7,
    TX_STORE_OVERFLOW = 8,
    TX_FETCH_CONFLICT = 9,
    TX_STORE_CONFLICT = 10,
    TX_RESTRICTED = 11,
    TX_FILTERED = 12,
    TX_NESTING = 13,
    TX_GUARDED = 19,
    TX_MISCELLANEOUS = 255,
    TX_TABORT = 256, /* and up */
};

/* The CPU is in the transactional-execution mode; in a constrained transaction. */
static inline bool cpu_tx_active(const struct cpu *cpu) { return UNLIKELY(cpu->tx_depth != 0); }
bool cpu_tx_constrained(const struct cpu *cpu);
/* The code of the abort that CPU_TX_ABORT asks for. */
uint64_t cpu_tx_code(const struct cpu *cpu);

/* A transaction is open and is about to carry out `insn`: 0, CPU_TX_ABORT for a restricted instruction, or
   PIC_TRANSACTION_CONSTRAINT. */
int cpu_tx_check(struct cpu *cpu, const struct dis_insn *insn) MUST_USE;

/* A transaction is open and accesses `length` bytes (1-4096, within a page) at an absolute address. Returns 0, or
   CPU_TX_ABORT when it has accessed too much, or PIC_TRANSACTION_CONSTRAINT. Before the access. */
int cpu_tx_access(struct cpu *cpu, uint64_t absolute, unsigned length, bool store) MUST_USE;

/* Note the code with which CPU_TX_ABORT is returned. */
int cpu_tx_abort_with(struct cpu *cpu, uint64_t code) MUST_USE;
/* The current instruction is restricted in the transaction that is open, under conditions that its body finds: what it
   returns then. */
int cpu_tx_restricted(struct cpu *cpu) MUST_USE;
/* Carry out the abort that CPU_TX_ABORT asks for: the CPU goes on at the transaction-abort PSW. Returns 0 or a
   program-interruption code of the deferred report of run-time instrumentation (with zero length code). */
int cpu_tx_abort(struct cpu *cpu) MUST_USE;
/* Abort because of an interruption that is taken next (external, I/O, machine check: the deferred report is stored
   first), or because of a restart (it is purged). */
void cpu_tx_abort_for(struct cpu *cpu, enum cpu_tx_code code, bool purge);
/* A program interruption with *code is recognized in a transaction. True: it is filtered, and the CPU has gone on at
   the transaction-abort PSW. False: the transaction is aborted and *code is what the interruption stores. */
bool cpu_tx_program(struct cpu *cpu, int *code) MUST_USE;
/* The instruction ended with `code`: when it was the outermost TRANSACTION END, the deferred report of run-time
   instrumentation is stored. Returns the code to deliver. */
int cpu_tx_ended(struct cpu *cpu, int code) MUST_USE;

/* The CPU is about to run, or its run is over. */
void cpu_tx_resume(struct cpu *cpu);
void cpu_tx_suspend(struct cpu *cpu);
/* Between two runs: abort a transaction that is open (the operator). */
void cpu_tx_give_up(struct cpu *cpu);
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
