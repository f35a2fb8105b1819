/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of commands share, besides the ground (base.h, look.h, show.h). */
#ifndef ZRI_EMU_CONSOLE_INTERNAL_H
#define ZRI_EMU_CONSOLE_INTERNAL_H

#include "cpu/engine/engine.h"
#include "emu/console/base.h"
#include "emu/console/look.h"
#include "emu/console/show.h"

/* What `ri stop` can stop at: STOP(name, member of struct ri that counts it); its words are in words.def. */
#define CONSOLE_RI_STOPS(STOP)                                                                                         \
    STOP(SAMPLE, told.samples)                                                                                         \
    STOP(GROUP, groups)                                                                                                \
    STOP(HALT, halts)                                                                                                  \
    STOP(FULL, told.fulls)                                                                                             \
    STOP(ALERT, told.alerts)
enum console_ri_stop {
#define STOP(name, member) RI_STOP_##name,
    CONSOLE_RI_STOPS(STOP)
#undef STOP
        RI_STOP_COUNT
};

/* PSW, next instruction: where a CPU is, as facts of the object that is open. */
void console_where(struct console *c, struct cpu *cpu);
/* The same of the chosen CPU, as all that a command shows. */
void console_show_where(struct console *c);

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

/* Run the machine until something happens and say what. */
int console_go(struct console *c);
/* The program buffer's bytes from ROA to RCA as far as they can be fetched; the caller frees them. */
int console_ri_fetch(struct console *c, uint8_t **bytes, size_t *size);

#define CONSOLE_COMMAND(id, name, abbreviation, function, usage, help, example, kind1, kind2, kind3, flags)            \
    console_function function;
#define CONSOLE_GROUP(title)
#include "emu/console/commands.def"
#undef CONSOLE_COMMAND
#undef CONSOLE_GROUP
#define CONSOLE_WORD(command, behind, word, value, arguments, help, kind)
#define CONSOLE_DOES(command, word, function, arguments, help, kind) console_function function;
#include "emu/console/words.def"
#undef CONSOLE_WORD
#undef CONSOLE_DOES

#endif
