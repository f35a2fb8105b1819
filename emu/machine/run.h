/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running a machine. */
#ifndef ZRI_EMU_MACHINE_RUN_H
#define ZRI_EMU_MACHINE_RUN_H

#include "emu/machine/machine.h"

/* Run all operating CPUs, in rotation or each in a host thread, for at most `limit` instructions in all. */
struct machine_result machine_run(struct machine *machine, uint64_t limit);
/* The same, but on CPUs with cpu->goes_on a breakpoint at the first instruction counts. */
struct machine_result machine_go_on(struct machine *machine, uint64_t limit);
/* Where a run of machine_run() was left for a moment: it goes on. */
struct machine_result machine_go_on_telling(struct machine *machine, uint64_t limit);

/* Words for where a CPU is: "CPU 0: disabled wait, PSW ... ...". */
void machine_cpu_words(const struct cpu *cpu, char *text, size_t size);

#endif
