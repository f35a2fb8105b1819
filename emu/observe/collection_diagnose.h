/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DIAGNOSE X'E20': the collection buffer of run-time instrumentation, for the supervisor of its CPU. */
#ifndef ZRI_EMU_MACHINE_COLLECTION_DIAGNOSE_H
#define ZRI_EMU_MACHINE_COLLECTION_DIAGNOSE_H

#include "emu/state/machine.h"

/* Subcode in bits 32-63 of R1:
     0  query: R1+1 becomes capacity (bits 16-31), records (32-47), bytes of a record (48-63); from here on the
        instruction-data buffer is kept for subcode 3
     1  store the records at real address R3 in program order, the newest that fit into R1+1 bytes; R1+1 becomes the
        number of bytes stored
     2  clear the buffer
     3  store at real address R3 the instruction-data buffer, 8 bytes, as the latest completed instruction left it
     4  R1+1 becomes the number of instructions that this CPU has completed
   Condition code 0 done, 1 not all records fit, 3 no such subcode, or (0 to 3) no run-time instrumentation. Returns 0
   or an interruption code: specification (R1 odd), addressing (a storage operand is not there; nothing was stored).
   Reading: while nobody has asked by subcode 0 since the latest LRIC, reset or restored snapshot, the instruction-data
   buffer is found empty, because a fast engine keeps none; pinned by tests/script/ri-collection.zt. */
int collection_diagnose(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3);

#endif
