/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of commands share, besides the ground (base.h, look.h, show.h). */
#ifndef ZRI_EMU_CONSOLE_INTERNAL_H
#define ZRI_EMU_CONSOLE_INTERNAL_H

#include "cpu/engine/engine.h"
#include "emu/console/base/base.h"
#include "emu/console/base/look.h"
#include "emu/console/base/show.h"

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

/* Kinds of what a trace may be confined to; its words are in words.def. */
enum console_trace_kind {
    TRACE_BRANCHES = 1,
    TRACE_INTERRUPTIONS = 2,
    TRACE_IO = 4,
    TRACE_SIGP = 8,
    TRACE_DIAGNOSE = 16,
    TRACE_STORES = 32
};

/* PSW, next instruction: where a CPU is, as facts of the object that is open. */
void console_where(struct console *c, struct cpu *cpu);
/* The same of the chosen CPU, as all that a command shows. */
void console_show_where(struct console *c);

/* The pipeline model of the chosen CPU; NULL, and said: it is off. */
struct ec_model *console_ctr_model(struct console *c);
/* There is such an event, and the model of the chosen CPU counts it; false, and said: not so. */
bool console_ctr_counted(struct console *c, const char *event);

#define CONSOLE_COMMAND(id, name, abbreviation, function, usage, help, example, kind1, kind2, kind3, flags)            \
    console_function function;
#define CONSOLE_GROUP(title)
#include "emu/console/base/commands.def"
#undef CONSOLE_COMMAND
#undef CONSOLE_GROUP
#define CONSOLE_WORD(command, behind, word, value, arguments, help, kind)
#define CONSOLE_DOES(command, word, function, arguments, help, kind) console_function function;
#include "emu/console/base/words.def"
#undef CONSOLE_WORD
#undef CONSOLE_DOES

#endif
