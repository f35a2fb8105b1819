/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DIAGNOSE X'E10': exception trace for the guest that is traced. */
#ifndef ZRI_EMU_MACHINE_EXCEPTION_DIAGNOSE_H
#define ZRI_EMU_MACHINE_EXCEPTION_DIAGNOSE_H

#include "emu/state/machine.h"

/* Subcode in bits 32-63 of R1, argument and result in R1+1 and R3. Condition code 0 done, 1 in part, 2 refused, 3 no
   such subcode or register. Returns 0 or an interruption code: specification (R1 odd), addressing (a storage operand is
   not there). */
int exception_diagnose(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3);

#endif
