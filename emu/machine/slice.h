/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPUs in rotation: how long the turn of one is. */
#ifndef ZRI_EMU_MACHINE_SLICE_H
#define ZRI_EMU_MACHINE_SLICE_H

#include <stdint.h>

struct machine;

/* With one CPU: units, see CPU_UNIT, before the host is looked at. */
#define MACHINE_SINGLE_SLICE 500000u

/* Units of a CPU before the next one has its turn, and with one CPU before the host is looked at. */
uint64_t machine_slice(const struct machine *machine);
/* The most that this can be. */
uint64_t machine_slice_most(const struct machine *machine);
/* A CPU called another one, which is to have its turn soon: slices are the shortest ones from now on. */
void machine_called(struct machine *machine);
/* A run within a slice took `ns` nanoseconds of the host's time: when that was long, the slices of the next rotations
   are shorter. */
void machine_slice_took(struct machine *machine, uint64_t ns);
/* All CPUs had their turns: the next ones are longer, unless one was called or a run took long. */
void machine_slice_next(struct machine *machine);

#endif
