/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stops the machine, and what is noted of it while it runs. */
#ifndef ZRI_EMU_CONSOLE_DEBUG_DEBUG_H
#define ZRI_EMU_CONSOLE_DEBUG_DEBUG_H

#include "emu/console/base/base.h"

/* Write instructions and interruptions to a file, as these words of the command t+ say (NULL: none). Returns 0, or -1
   after a sentence on `out`. */
int console_trace(struct console *console, const char *file, const char *words);
/* The instruction of `cpu` has ended with `code`: noted when it has branched, or led elsewhere by a PSW that it has
   loaded. */
struct dis_insn;
void branches_note(struct console_branches *branches, const struct cpu *cpu, const struct dis_insn *insn, int code);
/* It is written to the screen. */
bool console_traces_to_screen(const struct console *c);
/* What is traced so far is in its file; the trace ends. Without one nothing happens. */
void console_trace_flush(struct console *c);
void console_trace_end(struct console *c);
/* Hook the observer in or out as tracing and the branch history need it. */
void console_observe(struct console *c);

/* Breakpoints. Several may stand at one address. */
int console_break_add(struct console *c, const struct console_break *b) MUST_USE;
void console_break_remove(struct console *c, struct console_break *b);
/* Those of commands that run the machine go. */
void console_break_passed(struct console *c);
/* The number of the breakpoint, from `n` on, at which the run of `cpu` ended: in front of an instruction, or behind an
   interruption. Negative: there is none. */
int console_break_met(const struct console *c, const struct cpu *cpu, bool of_class, unsigned n);
/* The first one at an address, and the one for the interruption at which the run of `cpu` ended; NULL: there is none.
 */
struct console_break *console_break_at(struct console *c, uint64_t address);
struct console_break *console_break_class(struct console *c, const struct cpu *cpu);
/* One that stands where `b` does counts on `cpu` now. */
bool console_break_holds(struct console *c, struct cpu *cpu, const struct console_break *b);
/* The number of the watchpoint with a `when`, from `n` on, that an access which ended the run of `cpu` has met.
   Negative: there is none. */
int console_watch_met(const struct console *c, const struct cpu *cpu, unsigned n);
/* Some access that ended the run belongs to a watchpoint without one. */
bool console_watch_plain(const struct console *c, const struct cpu *cpu);
/* The accesses that have met this one do not count. */
void console_watch_forget(const struct console *c, struct cpu *cpu, unsigned n);
/* The watchpoint with this number goes. */
void console_watch_remove(struct console *c, unsigned n);

/* What a breakpoint or watchpoint has behind its place: "once", "count N", "cpu N", "space ASCE", then "if ...", then
   "do COMMANDS". `name` is the command. Returns 0 or console_fail(). */
int console_when_parse(struct console *c, const char *name, int argc, char **argv, struct console_when *when) MUST_USE;
/* In words, each with a blank in front; "": nothing is said. */
void console_when_words(const struct console_when *when, char *words, size_t size);
/* The space that instructions are fetched from has this address-space-control element. */
bool console_in_space(const struct cpu *cpu, uint64_t space);
/* It holds on `cpu` now (or cannot be worked out). */
bool console_when_holds(struct console *c, struct cpu *cpu, const struct console_when *when);

/* What a CPU has accessed that is watched: shown, and forgotten. */
void console_show_watched(struct console *c, struct cpu *cpu);

/* The CPUs of a machine that is new learn which interruptions end a run. */
void console_break_hook(struct console *c);

#endif
