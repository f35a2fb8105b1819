/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stops the machine, and what is noted of it while it runs. */
#ifndef ZRI_EMU_CONSOLE_DEBUG_DEBUG_H
#define ZRI_EMU_CONSOLE_DEBUG_DEBUG_H

#include "emu/console/base/base.h"

/* Write instructions and interruptions to a file. Returns 0, or -1 after a sentence on `out`. */
int console_trace(struct console *console, const char *file);
/* Hook the observer in or out as tracing and the branch history need it. */
void console_observe(struct console *c);

/* Breakpoints. */
struct console_break *console_break_at(struct console *c, uint64_t address);
int console_break_add(struct console *c, const struct console_break *b) MUST_USE;
void console_break_remove(struct console *c, struct console_break *b);
/* The breakpoint for the interruption at which the run of `cpu` ended; NULL: none is meant. */
struct console_break *console_break_class(struct console *c, const struct cpu *cpu);
/* True when the condition of a breakpoint holds on `cpu` (or cannot be worked out). */
bool console_break_holds(struct console *c, struct cpu *cpu, const struct console_break *b);

/* What a CPU has accessed that is watched: shown, and forgotten. */
void console_show_watched(struct console *c, struct cpu *cpu);

/* The CPUs of a machine that is new learn which interruptions end a run. */
void console_break_hook(struct console *c);

#endif
