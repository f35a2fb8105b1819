/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoded code in storage: where it is, and that it was changed. Whoever tells of a store here tells of translation
   tables too, see cpu/storage/tables.h. */
#ifndef ZRI_CPU_STORAGE_CODE_H
#define ZRI_CPU_STORAGE_CODE_H

#include "cpu/state/cpu.h"

/* Storage now holds decoded code in [absolute, absolute+length): stores to those pages are watched. Called by the
 * engines. */
void storage_code_mark(struct cpu_system *sys, uint64_t absolute, uint64_t length);
/* Threads: the same before the code is looked at. False: it must not be yet, a CPU may store there unseen; come back
   alone. */
bool storage_code_claim(struct cpu_system *sys, uint64_t absolute, unsigned length) MUST_USE;

/* Absolute storage was changed outside the accessors (SCLP, channels, console, loader): drop decoded code, and
   translations by table entries there, all CPUs. Any length. */
void cpu_code_written(struct cpu_system *sys, uint64_t absolute, uint64_t length);
/* The same where a device, the service processor or the like has stored in the course of what the guest does: somebody
   may watch that. */
void cpu_code_written_outside(struct cpu_system *sys, uint64_t absolute, uint64_t length);

/* The same for a store that this CPU carried out, in an instruction or interruption of its own; reference and change
   bits are set (PoP chapter 3: implicit accesses by the machine are recorded too). With threads other CPUs forget their
   decoded code before this CPU carries out its next instruction. */
void cpu_code_stored(struct cpu *cpu, uint64_t absolute, uint64_t length);
/* The same where watchpoints are told otherwise. */
void cpu_code_accessed(struct cpu *cpu, uint64_t absolute, uint64_t length);
/* Likewise for one that it is about to carry out in the current instruction, within a page. */
void cpu_code_about_to_be_stored(struct cpu *cpu, uint64_t absolute, unsigned length);
/* Threads, between two instructions: do what those two put off. False: this CPU must be alone for that. */
bool cpu_code_settle(struct cpu *cpu);

#endif
