/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engines: one semantics, several ways to run it, bit-identical in all that a guest can see. */
#ifndef ZRI_CPU_ENGINE_ENGINE_H
#define ZRI_CPU_ENGINE_ENGINE_H

#include "cpu/state/cpu.h"

enum engine_kind {
    ENGINE_BLOCK,
    ENGINE_REFERENCE,
    ENGINE_TRANSLATE, /* the block engine, with host code of its blocks where translator_attach() made that possible */
};
extern const char *const engine_names[];

enum engine_end {
    ENGINE_BUDGET,  /* the number of instructions asked for was executed */
    ENGINE_WAIT,    /* wait state and nothing to take now */
    ENGINE_STOPPED, /* stopped or check-stop state */
    ENGINE_BREAK,   /* a breakpoint at psw.ia (before it is executed) */
    ENGINE_REQUEST, /* a callout or observer asked to leave by engine_leave() */
    ENGINE_SPINS,   /* by the host's clock: the guest waits in a loop until another CPU changes what is in storage */
    ENGINE_ALONE,   /* threads: this CPU can only go on while it is alone, see cpu_alone() */
};

/* Run `cpu` for `time`, of which each instruction takes one (each unit of operation of an interruptible one) and its
   work: for at most so many instructions, and beyond that time by the work of the last one. Interruptions are taken at
   the same instruction by every engine. cpu_elapsed() is accounted on return; sys->now is NOT advanced, the rotation
   does that. *done receives the number of instructions executed. */
enum engine_end engine_run(struct cpu *cpu, uint64_t time, uint64_t *done);

/* Advance the machine's virtual time by the cycles of the longest slice of a rotation, or by TOD units in which nothing
   was done; every CPU starts its next slice there. */
void engine_advance(struct cpu_system *sys, uint64_t cycles);
void engine_skip(struct cpu_system *sys, uint64_t units);

/* Carry out exactly one instruction (or take the pending interruption first, then one instruction) on the reference
 * engine. */
enum engine_end engine_step(struct cpu *cpu);

/* Ask engine_run to return as soon as the current instruction is complete. */
void engine_leave(struct cpu *cpu);

/* Breakpoints (logical instruction addresses, any space). The engine stops before executing there, until each one that
   was added at an address has been removed. */
int engine_break_add(struct cpu *cpu, uint64_t address) MUST_USE; /* 0 or -ENOMEM */
void engine_break_remove(struct cpu *cpu, uint64_t address);
void engine_break_clear(struct cpu *cpu);
/* True when one stands at `address`. */
bool engine_break_at(const struct cpu *cpu, uint64_t address);

/* Storage at [absolute, absolute+length), within a page, was changed: what this CPU's engine decoded of it is dropped.
   True: there was some. */
bool engine_code_changed(struct cpu *cpu, uint64_t absolute, unsigned length);
/* All decoded code is dropped. */
void engine_code_purge(struct cpu *cpu);
void engine_destroy(struct cpu *cpu);

/* A CPU whose run has ended so ends the run of its machine: the operator wants to look. */
static inline bool engine_ends_all(const struct cpu *cpu, enum engine_end end)
{
    return end == ENGINE_BREAK || (end == ENGINE_REQUEST && cpu->ri_watch) || cpu->taken.stopped || cpu->taken.loop ||
           cpu->watched.count;
}

#endif
