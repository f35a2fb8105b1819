/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two engines side by side. */
#ifndef ZRI_CPU_LOCKSTEP_LOCKSTEP_H
#define ZRI_CPU_LOCKSTEP_LOCKSTEP_H

#include "cpu/engine/engine.h"

/* Lockstep: runs `instructions` on `a` and `b`, two CPUs of two machines in the same state on two engines (when they
   are the same, `b` runs on the reference engine), comparing all state after each block of instructions; on a
   difference fills `why` and returns false. */
bool lockstep_run(struct cpu *a, struct cpu *b, uint64_t instructions, char *why, size_t size);
/* The same without the storage at the end, for callers that come back soon; and the storage alone. */
bool lockstep_registers(struct cpu *a, struct cpu *b, uint64_t instructions, char *why, size_t size);
bool lockstep_storage(struct cpu *a, struct cpu *b, char *why, size_t size);

#endif
