/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruction traces: which instructions and interruptions are told, what of them, and where to. */
#ifndef ZRI_EMU_CONSOLE_DEBUG_TRACE_H
#define ZRI_EMU_CONSOLE_DEBUG_TRACE_H

#include "emu/console/base/base.h"

struct dis_insn;

/* What the observer of the CPUs is told while there is a trace. */
void trace_before(struct console *c, struct cpu *cpu, const struct dis_insn *insn);
void trace_after(struct console *c, struct cpu *cpu, int code);
void trace_interruption(struct console *c, struct cpu *cpu, enum cpu_class class, unsigned code);
/* There is a trace; it wants to be told of instructions, too. */
bool trace_wanted(const struct console *c);
bool trace_wants_instructions(const struct console *c);

#endif
