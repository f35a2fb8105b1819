/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every CPU of a machine in a host thread of its own, and what the rotation in machine.c lends to that. */
#ifndef ZRI_EMU_MACHINE_THREADS_H
#define ZRI_EMU_MACHINE_THREADS_H

#include "emu/machine/machine.h"

/* As machine_run(), for a machine whose configuration says `threads`. The limit is looked at now and then only. */
struct machine_result machine_run_threads(struct machine *machine, uint64_t limit);

/* A new rotation begins. */
void machine_rotate(struct machine *machine);
/* TOD units until a timer of a waiting CPU, or one of the machine's own; INT64_MAX: none is set. */
int64_t machine_next_event(struct machine *machine);
/* Why a machine ended whose CPUs are all stopped or in a disabled wait. */
void machine_end_stopped(struct machine *machine, struct machine_result *result);
/* A guest asked by DIAGNOSE to be loaded again; all CPUs are stopped. */
void machine_load_again(struct machine *machine);

#endif
