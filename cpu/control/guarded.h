/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Guarded-storage events, PoP chapter 4. */
#ifndef ZRI_CPU_CONTROL_GUARDED_H
#define ZRI_CPU_CONTROL_GUARDED_H

#include "cpu/state/cpu.h"

/* Carry out the event that is noted in cpu->gs_event: the parameter list is stored, and the CPU goes on at the handler
   that the list names. Returns 0 or the code of an access exception. */
int cpu_guarded_event(struct cpu *cpu, uint64_t return_address) MUST_USE;

#endif
