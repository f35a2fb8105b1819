/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The console as a whole: the tables of commands and words, and its life. Everything else stands below. */
#include "emu/console/console.h"
#include "emu/console/help.h"
#include "cpu/control/registers.h"
#include "emu/console/base/internal.h"
#include "emu/console/base/source.h"
#include "emu/console/debug/debug.h"
#include "emu/console/debug/events.h"
#include "emu/debug/gdb.h"
#include "emu/panel/window/panel.h"
#include "ri/counters/counters.h"
#include "ri/trace/number.h"
#include <stdlib.h>

static const struct console_command commands[] = {
#define CONSOLE_COMMAND(id, name, abbreviation, function, usage, help, example, kind1, kind2, kind3, flags)            \
    {name, abbreviation, usage, help, example, function, {kind1, kind2, kind3}, flags, NULL},
#define CONSOLE_GROUP(title) {.group = title},
#include "emu/console/base/commands.def"
#undef CONSOLE_COMMAND
#undef CONSOLE_GROUP
};

static const struct console_word words[] = {
#define CONSOLE_WORD(command, behind, word, value, arguments, help, kind)                                              \
    {command, behind, word, NULL, value, arguments, help, kind},
#define CONSOLE_DOES(command, word, function, arguments, help, kind)                                                   \
    {command, "", word, function, 0, arguments, help, kind},
#include "emu/console/base/words.def"
#undef CONSOLE_WORD
#undef CONSOLE_DOES
};

static const struct console_table table = {commands, words, sizeof commands / sizeof *commands,
                                           sizeof words / sizeof *words};

struct console *console_create(struct session *session, FILE *out)
{
    struct console *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->session = session;
    c->machine = session->machine;
    c->cpu = c->machine->sys.cpus[0];
    c->table = &table;
    c->out = out;
    return c;
}

bool console_end(struct console *c)
{
    console_trace_end(c);
    console_end_file(c, &c->log, "log", c->log_name);
    return !c->lost;
}

void console_destroy(struct console *c)
{
    if (!c)
        return;
    panel_destroy(c->panel);
    events_end(c);
    c->keep_branches = false;
    console_end(c);
    console_observe(c);
    for (unsigned i = 0; i < c->machine->sys.cpu_count; i++)
        engine_break_clear(c->machine->sys.cpus[i]);
    c->session->copy = NULL;
    gdb_set_host(c->session, &(struct gdb_host){.context = NULL});
    json_clear(&c->facts);
    source_close(c);
    free(c);
}

void console_set_json(struct console *c, bool on) { c->json_always = on; }
bool console_quit(const struct console *c) { return c->quit; }
void console_set_limit(struct console *c, uint64_t instructions) { c->limit = instructions; }
const struct machine_result *console_result(const struct console *c) { return c->has_result ? &c->result : NULL; }
void console_manual(FILE *out) { help_manual(&table, out); }
