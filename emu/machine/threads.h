/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every CPU of a machine in a host thread of its own. */
#ifndef ZRI_EMU_MACHINE_THREADS_H
#define ZRI_EMU_MACHINE_THREADS_H

#include "emu/machine/machine.h"

/* As machine_run(), for a machine whose configuration says `threads`. The limit is looked at now and then only. */
struct machine_result machine_run_threads(struct machine *machine, uint64_t limit);

#endif
