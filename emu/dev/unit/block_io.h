/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DIAGNOSE X'250', block I/O: disks by block numbers, without channel programs. */
#ifndef ZRI_EMU_DEV_UNIT_BLOCK_IO_H
#define ZRI_EMU_DEV_UNIT_BLOCK_IO_H

#include "cpu/state/cpu.h"

/* DIAGNOSE X'250', as machine_hook_diagnose() wants it; the context is the machine. */
int block_io(void *machine, struct cpu *cpu, unsigned r1, unsigned r3);

#endif
