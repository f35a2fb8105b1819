/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The current PSW. PoP chapter 4, "Program-Status Word". */
#ifndef ZRI_CPU_CONTROL_PSW_H
#define ZRI_CPU_CONTROL_PSW_H

#include "cpu/state/cpu.h"

/* A short (8-byte) PSW, as LOAD PSW and IPL take it, in the form of cpu_load_psw(). One whose bit 12 is not one comes
   out with a format error. */
static inline void cpu_expand_psw(uint64_t word, uint64_t *mask, uint64_t *ia)
{
    *mask = (word ^ PSW_BIT12) & ~(PSW_BA - 1);
    *ia = word & (PSW_BA - 1);
}

/* Make (mask, ia) the current PSW: splits off the condition code, recomputes what depends on the mode, applies the
   RI rule. Returns 0 or PIC_SPECIFICATION when the PSW format is invalid (the PSW is current all the same, and the
   exception is an early one: ILC as PoP says). Used by LPSW(E), interruptions, IPL, restart, console. */
int cpu_load_psw(struct cpu *cpu, uint64_t mask, uint64_t ia) MUST_USE;

/* Call after changing psw.mask (DAT, key, AS, addressing mode, problem state, PER) or control registers other than by
   cpu_load_psw: recomputes address_mask and the translation contexts. */
void cpu_mode_changed(struct cpu *cpu);

#endif
