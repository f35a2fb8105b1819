/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program-event recording. PoP chapter 4. PER runs on the reference engine. */
#ifndef ZRI_CPU_PER_H
#define ZRI_CPU_PER_H

#include "cpu/cpu.h"

/* Events in control register 9. */
#define PER_BRANCH           BIT64(32)
#define PER_FETCH            BIT64(33)
#define PER_STORE            BIT64(34)
#define PER_STORE_USING_REAL BIT64(36)
#define PER_FETCH_NULLIFY    BIT64(39)
#define PER_BRANCH_ADDRESS   BIT64(40) /* branch events only for targets in the area */

/* PSW bit 1 is one and some event is asked for. */
static inline bool per_active(const struct cpu *cpu)
{
    return (cpu->psw.mask & PSW_PER) && (cpu->cr[9] & (PER_BRANCH | PER_FETCH | PER_STORE | PER_STORE_USING_REAL));
}
/* Stores must be looked at singly. */
static inline bool per_watches_stores(const struct cpu *cpu)
{
    return (cpu->psw.mask & PSW_PER) && (cpu->cr[9] & PER_STORE);
}

/* An instruction starts at insn_ia. */
void per_begin(struct cpu *cpu);
/* `length` bytes were stored at a logical address. */
void per_store(struct cpu *cpu, uint64_t address, unsigned length);
/* The instruction ended with `code`: events are noted in cpu->per_code; returns `code`, or with PIC_PER_EVENT ORed in,
 * or PIC_PER_EVENT alone. */
int per_end(struct cpu *cpu, const struct dis_insn *insn, int code) MUST_USE;

#endif
