/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Life and resets of a CPU. PoP chapters 4 and 12. */
#ifndef ZRI_CPU_LIFE_LIFE_H
#define ZRI_CPU_LIFE_LIFE_H

#include "cpu/control/registers.h"

/* Create a CPU with `address` in `sys`, in the stopped state after a power-on reset. NULL: no host memory. */
struct cpu *cpu_create(struct cpu_system *sys, uint16_t address) MUST_USE;
void cpu_destroy(struct cpu *cpu);

/* The resets of one CPU, PoP chapter 4. Clear reset of storage is storage_clear(), done once by the machine. */
void cpu_reset(struct cpu *cpu, enum cpu_reset_kind kind);

#endif
