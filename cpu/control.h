/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the control-instruction files of cpu/ only. */
#ifndef ZRI_CPU_CONTROL_H
#define ZRI_CPU_CONTROL_H

#include "cpu/cpu.h"

/* Make a PSW from LPSW, LPSWE, PR ... current; a format error gets instruction-length code zero. Returns 0 or a code.
 */
int control_introduce_psw(struct cpu *cpu, uint64_t mask, uint64_t ia) MUST_USE;

/* 0, or PIC_SPACE_SWITCH_EVENT when the change between two address-space controls is one. */
int control_space_switch(struct cpu *cpu, unsigned old_as, unsigned new_as) MUST_USE;

#endif
