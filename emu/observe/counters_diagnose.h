/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DIAGNOSE X'1F8': the pipeline model's counters for a control program. Not offered unless asked for. */
#ifndef ZRI_EMU_MACHINE_COUNTERS_DIAGNOSE_H
#define ZRI_EMU_MACHINE_COUNTERS_DIAGNOSE_H

#include "emu/state/machine.h"

/* R1: real address of the parameter block, on a doubleword boundary and within a 4K-byte page, R3 bits 32-63: subcode.
   The block begins with its length and the length used. CC 0: done; 1: the model is off; 2: subcode, length or contents
   are not valid; 3: not allowed. Event-counter specification 4.8. */
int counters_diagnose(struct machine *machine, struct cpu *cpu, unsigned r1, unsigned r3);

#endif
