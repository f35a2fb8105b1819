/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reference engine: instructions one by one, by the bodies of their rows; and what an instruction has to pass
   first, whichever engine carries it out. */
#ifndef ZRI_CPU_ENGINE_REFERENCE_H
#define ZRI_CPU_ENGINE_REFERENCE_H

#include "cpu/state/cpu.h"

/* Checks common to all instructions, from the row: operation (no row, no body, facility absent), privileged operation,
   specification (odd register of a pair), floating-point and vector enablement. `facility` and register checks depend
   on the encoding only, privilege and enablement on state. Returns 0 or a code. */
int engine_check(struct cpu *cpu, const struct dis_insn *insn) MUST_USE;

/* Common checks and body of a decoded instruction: what it does, without counting and delivering. Returns 0 or a
   code. */
int engine_perform(struct cpu *cpu, const struct dis_insn *insn) MUST_USE;

/* Carry out the target of EX/EXRL: `bytes` already modified, at address `ia`; the caller's EX is cpu->insn_ia. */
int engine_execute_target(struct cpu *cpu, uint64_t ia, const uint8_t bytes[6]) MUST_USE;

/* Threads: an instruction that must find its CPU alone, because it changes what belongs to all. */
bool engine_needs_alone(unsigned row);

/* Carry out the instruction at psw.ia on the reference engine: fetch, decode, check, execute, RI, PER, delivery of its
   interruption; one unit of budget. Returns true when interruptions, state or mode must be looked at before the next
   one. */
bool reference_one(struct cpu *cpu);
/* The same for an instruction that is known to be there; not while engine_reference_only(). */
bool reference_known(struct cpu *cpu, const struct dis_insn *insn);

/* Breakpoint addresses, unordered. */
struct breaks {
    uint64_t *at;
    unsigned count;
};
static inline bool breaks_at(const struct breaks *breaks, uint64_t address)
{
    for (unsigned i = 0; i < breaks->count; i++)
        if (breaks->at[i] == address)
            return true;
    return false;
}

/* Run until the budget is used up or reference_one() returns true or a breakpoint is met (then true in *at_break).
   `breaks`: where there are any. `first`: do not look for a breakpoint at the first instruction. */
void reference_run(struct cpu *cpu, const struct breaks *breaks, bool first, bool *at_break);

/* After how many passes CPUs that wait in the loop that begins at `start` in the page at `host` are asked to leave the
   host to others; 0: never, or that is no such loop. */
unsigned engine_spins(const struct cpu_system *sys, const uint8_t *host, unsigned start);

#endif
