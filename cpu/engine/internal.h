/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of cpu/engine only. */
#ifndef ZRI_CPU_ENGINE_INTERNAL_H
#define ZRI_CPU_ENGINE_INTERNAL_H

#include "cpu/engine/engine.h"

struct block_cache;
struct block_translator;

/* One CPU's engine data. */
struct engine {
    uint64_t *breaks; /* breakpoint addresses, unordered */
    unsigned break_count, break_room;
    struct block_cache *blocks;          /* block engine, NULL until first used */
    struct block_translator *translator; /* NULL: none */
};

/* cpu->engine, made when absent; NULL when there is no host memory. */
struct engine *engine_of(struct cpu *cpu);

/* Checks common to all instructions, from the row: operation (no row, no body, facility absent), privileged operation,
   specification (odd register of a pair), floating-point and vector enablement. `facility` and register checks depend
   on the encoding only, privilege and enablement on state. Returns 0 or a code. */
int engine_check(struct cpu *cpu, const struct dis_insn *insn) MUST_USE;

/* What decoded blocks do not know: PER, tracing of branches and of mode switches (control register 12), transactions,
   observers, the pipeline model. */
static inline bool engine_reference_only(const struct cpu *cpu)
{
    return (cpu->observer && (cpu->observer->before || cpu->observer->after)) || cpu->model ||
           (cpu->psw.mask & PSW_PER) || (cpu->cr[12] & (CR12_BRANCH_TRACE | CR12_MODE_TRACE)) || cpu->tx_depth;
}

/* Carry out the instruction at psw.ia on the reference engine: fetch, decode, check, execute, RI, PER, delivery of its
   interruption; one unit of budget. Returns true when interruptions, state or mode must be looked at before the next
   one. */
bool reference_one(struct cpu *cpu);
/* The same for an instruction that is known to be there; not while engine_reference_only(). */
bool reference_known(struct cpu *cpu, const struct dis_insn *insn);

/* Threads: an instruction that must find its CPU alone, because it changes what belongs to all. */
bool engine_needs_alone(unsigned row);

/* Run until the budget is used up or reference_one() returns true or a breakpoint is met (then true in *at_break).
   `first`: do not look for a breakpoint at the first instruction. */
void reference_run(struct cpu *cpu, bool first, bool *at_break);

/* The same on decoded blocks. */
void block_run(struct cpu *cpu, bool first, bool *at_break);
/* Nothing of RI's predictor is kept by the block engine any more. */
void block_predictor_end(struct cpu *cpu);
void block_destroy(struct block_cache *blocks);
void block_purge(struct block_cache *blocks);
void block_translator_destroy(struct block_translator *translator);
bool block_code_changed(struct cpu *cpu, uint64_t absolute, unsigned length);

#endif
