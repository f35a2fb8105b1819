/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What edge profiles are told of a CPU, see cpu/state/edges.h; all but the first only with cpu->edges. */
#ifndef ZRI_CPU_CONTROL_EDGES_H
#define ZRI_CPU_CONTROL_EDGES_H

#include "cpu/state/edges.h"

/* From now on the CPU tells; `edges` must live until it is detached. Between two instructions. -ENOMEM. */
int cpu_edges_attach(struct cpu *cpu, struct cpu_edges *edges) MUST_USE;
void cpu_edges_detach(struct cpu *cpu);
/* The unit records from the present place on, or no longer. */
void cpu_edges_on(struct cpu *cpu);
void cpu_edges_off(struct cpu *cpu);

/* Bits of the PSW that state, space and addressing mode depend on. */
#define CPU_EDGES_MASK (PSW_DAT | PSW_PROBLEM | PSW_AS | PSW_EA | PSW_BA)
/* Is all as cpu_edges_begin() has found it, but for the instruction address? */
static inline bool cpu_edges_steady(const struct cpu *cpu)
{
    const struct cpu_edges *e = cpu->edges;
    return e->steady && !((cpu->psw.mask ^ e->mask) & CPU_EDGES_MASK) && cpu->cr[1] == e->cr1 && cpu->cr[13] == e->cr13;
}

/* An instruction, or a run of blocks, is about to begin at psw.ia: was it to be there? */
enum cpu_edges_way cpu_edges_begin(struct cpu *cpu);
/* The instruction at insn_ia was fetched: `length` bytes. False: threads, the CPU must be alone
   first. */
bool cpu_edges_fetched(struct cpu *cpu, unsigned length) MUST_USE;
/* An instruction that began as cpu_edges_begin() said has ended with `code`, which is not delivered yet. */
void cpu_edges_end(struct cpu *cpu, const struct dis_insn *insn, int code);
/* Likewise one that ends a run of blocks; it is no branch and executes none. */
void cpu_edges_stopped(struct cpu *cpu, int code);
/* A run of blocks is over. */
void cpu_edges_run_ended(struct cpu *cpu);
/* A measurement alert is about to be taken: its handler is not profiled. */
void cpu_edges_alert(struct cpu *cpu);

/* From now on branches are collected, up to the next sample at most, or (e->far) counted. */
void cpu_edges_arm(struct cpu *cpu);
/* Likewise for a run that begins, with nothing that waits to be told: which it is to be is chosen. */
void cpu_edges_arm_run(struct cpu *cpu);
/* The block engine runs with branches counted in the budget, until the second one; in between, the third one makes of
   the rest of the run a stretch of as many units as the budget may have. When they are gone either few units or few
   branches are left. */
void cpu_edges_far_begin(struct cpu *cpu);
void cpu_edges_far_end(struct cpu *cpu);
void cpu_edges_stretch(struct cpu *cpu);
/* Those that were only counted are told. */
void cpu_edges_counted(struct cpu *cpu);
/* What the block engine has collected is told. */
static inline void cpu_edges_settle(struct cpu *cpu)
{
    if (cpu->edge_word != cpu->edges->start || cpu->far)
        cpu->edges->collected(cpu);
}

/* Branch number `number` of those that were noted, 1 for the first since the latest look; ... */
static inline const struct ep_noted *cpu_edges_noted(const struct cpu_edges *e, uint64_t number)
{
    return &e->ring[number & (e->slots - 1)];
}
/* ... how many had completed with it; where it went. */
static inline uint64_t cpu_edges_with(const struct cpu_edges *e, uint64_t number)
{
    return (uint64_t)(e->start - (cpu_edges_noted(e, number)->word - (int64_t)number)) / (uint64_t)CPU_EDGE;
}
/* The newest of those up to `newest` with which at most so many had completed; 0: there is none. It, or the one behind
   it, is still there. */
static inline uint64_t cpu_edges_before(const struct cpu_edges *e, uint64_t newest, uint64_t completed)
{
    uint64_t low = newest < e->slots ? 0 : newest - e->slots + 1, high = newest;
    while (low < high) {
        const uint64_t middle = high - (high - low) / 2;
        if (cpu_edges_with(e, middle) <= completed)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}
static inline struct ep_place cpu_edges_target(const struct cpu_edges *e, uint64_t number)
{
    struct ep_place to = e->next;
    to.address = cpu_edges_noted(e, number)->to;
    return to;
}
/* What the newest branches are known by: those that were noted behind number `first`, `taken` in all, and the trigger
   when it was not taken. Until more is noted. */
struct ep_marked cpu_edges_named(struct cpu *cpu, uint64_t first, uint64_t taken, bool trigger_taken);

/* Is nothing told of such an instruction, when it completes? */
bool cpu_edges_untold(const struct dis_insn *insn);

/* Of all CPUs. */
void cpu_edges_settle_all(struct cpu_system *sys);

/* The page at an absolute address is fetched from by a target program: stores there are looked at. False: threads, the
   CPU must be alone first. */
bool cpu_edges_mark(struct cpu *cpu, uint64_t absolute) MUST_USE;

#endif
