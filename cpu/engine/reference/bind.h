/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies by row of the instruction table. */
#ifndef ZRI_CPU_ENGINE_BIND_H
#define ZRI_CPU_ENGINE_BIND_H

#include "cpu/state/cpu.h"

/* A body carries out one decoded instruction. On entry psw.ia already designates the next sequential instruction,
   insn_ia this one. Returns 0, a program-interruption code (nothing changed unless PoP says terminated/completed),
   CPU_PARTIAL or CPU_SVC. */
typedef int (*cpu_body)(struct cpu *cpu, const struct dis_insn *insn);

/* Bodies by row number; cpu_none where a row has none. Built from the table. */
extern const cpu_body cpu_bodies[DIS_ROW_COUNT];
int cpu_none(struct cpu *cpu, const struct dis_insn *insn) MUST_USE; /* PIC_OPERATION */

#endif
