/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of cpu/engine only. */
#ifndef ZRI_CPU_ENGINE_INTERNAL_H
#define ZRI_CPU_ENGINE_INTERNAL_H

#include "cpu/engine/engine.h"
#include "cpu/engine/reference/reference.h"

struct block_cache;
struct block_translator;

/* One CPU's engine data. */
struct engine {
    struct breaks breaks;
    unsigned break_room;
    struct block_cache *blocks;          /* block engine, NULL until first used */
    struct block_translator *translator; /* NULL: none */
};

/* cpu->engine, made when absent; NULL when there is no host memory. */
struct engine *engine_of(struct cpu *cpu);

/* What decoded blocks do not know: PER, tracing of branches and of mode switches (control register 12), transactions,
   observers, the pipeline model. */
static inline bool engine_reference_only(const struct cpu *cpu)
{
    return (cpu->observer && (cpu->observer->before || cpu->observer->after)) || cpu->model ||
           (cpu->psw.mask & PSW_PER) || (cpu->cr[12] & (CR12_BRANCH_TRACE | CR12_MODE_TRACE)) || cpu->tx_depth;
}

/* reference_run() with the CPU's breakpoints. */
void engine_run_reference(struct cpu *cpu, bool first, bool *at_break);
/* The same on decoded blocks. */
void block_run(struct cpu *cpu, bool first, bool *at_break);
/* What branches of a profiled program were collected is told: cpu_edges.collected. */
void block_edges(struct cpu *cpu);
/* Nothing of RI's predictor is kept by the block engine any more. */
void block_predictor_end(struct cpu *cpu);
void block_destroy(struct block_cache *blocks);
void block_purge(struct block_cache *blocks);
void block_translator_destroy(struct block_translator *translator);
bool block_code_changed(struct cpu *cpu, uint64_t absolute, unsigned length);

#endif
