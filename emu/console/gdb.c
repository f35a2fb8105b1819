/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debugger port: opening it, and commands that come through it. */
#include "emu/debug/gdb.h"
#include "emu/console/base/internal.h"
#include "emu/console/console.h"
#include "emu/console/base/space.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A command of the debugger's (monitor), as it would be carried out here; what it shows is its answer. */
static char *command(void *context, struct cpu **cpu, const char *line, bool *quits)
{
    struct console *c = context;
    FILE *out = c->out;
    char *text = NULL;
    size_t size = 0;
    c->out = open_memstream(&text, &size);
    if (!c->out) {
        c->out = out;
        return NULL;
    }
    c->cpu = *cpu;
    (void)console_line(c, line); /* what was wrong is shown, too */
    const bool bad = fclose(c->out);
    c->out = out;
    *cpu = c->cpu;
    *quits = c->quit;
    if (!bad)
        return text;
    free(text);
    return NULL;
}

void console_serve_debugger(struct console *c)
{
    gdb_set_host(c->session, &(struct gdb_host){.context = c, .command = command});
}

int console_gdb_off(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    if (gdb_serves(c->session))
        return console_fail(c, "gdb off: this command came from gdb itself; say detach there");
    gdb_close(c->session);
    return 0;
}

int console_gdb_space(struct console *c, int argc, char **argv)
{
    enum cpu_space space;
    unsigned ar = 0;
    if (argc != 3)
        return console_usage(c, "gdb");
    if (strcasecmp(argv[2], "current") == 0)
        space = CPU_SPACE_CURRENT;
    else if (strcasecmp(argv[2], "real") == 0)
        space = CPU_SPACE_REAL;
    else if (strcasecmp(argv[2], "absolute") == 0)
        space = CPU_SPACE_ABSOLUTE;
    else if (!space_word(c, argv[2], &space, &ar) || space == CPU_SPACE_AR)
        return console_fail(c, "gdb space: '%.20s' is not one of current, real, absolute, primary, secondary and home",
                            argv[2]);
    gdb_set_space(c->session, space);
    return 0;
}

int console_cmd_gdb(struct console *c, int argc, char **argv)
{
    char words[CONSOLE_ERROR];
    const struct console_word *word = argc > 1 ? console_word(c, "gdb", "", argv[1]) : NULL;
    if (word)
        return console_run_word(c, "gdb", argc, argv);
    if (argc > 2)
        return console_usage(c, "gdb");
    if (argc == 2) {
        if (gdb_serves(c->session))
            return console_fail(c, "gdb: this command came from gdb itself; its port stays as it is");
        if (c->session->twin)
            return console_fail(c, "gdb: two machines run in lockstep; start zri without --lockstep");
        if (strcmp(argv[1], "stdio") == 0)
            return console_fail(c, "gdb: standard input and output are the console's; start zri with --batch --gdb "
                                   "stdio");
        if (gdb_open(c->session, argv[1], false, NULL, words, sizeof words))
            return console_fail(c, "%s", words);
        console_serve_debugger(c);
    }
    gdb_words(c->session, words, sizeof words);
    SHOW(c, "{}\n", fact_text("gdb", words));
    return 0;
}
