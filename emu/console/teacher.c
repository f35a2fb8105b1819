/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of a lesson, which the lesson itself carries out. */
#include "emu/console/base/internal.h"
#include "emu/console/base/teacher.h"

static int hand_over(struct console *c, const char *name, int argc, char **argv)
{
    char *words[CONSOLE_WORDS + 1] = {(char *)(uintptr_t)name};
    if (!c->teacher)
        return console_fail(c, "%s: no lesson is on; zri --lesson lists them, zri --lesson N begins one", name);
    for (int i = 1; i < argc; i++)
        words[i] = argv[i];
    return c->teacher->command(c->teacher->context, argc, words);
}

int console_cmd_lesson(struct console *c, int argc, char **argv) { return hand_over(c, "lesson", argc, argv); }
int console_cmd_task(struct console *c, int argc, char **argv) { return hand_over(c, "task", argc, argv); }
int console_cmd_hint(struct console *c, int argc, char **argv) { return hand_over(c, "hint", argc, argv); }
int console_cmd_check(struct console *c, int argc, char **argv) { return hand_over(c, "check", argc, argv); }
int console_cmd_answer(struct console *c, int argc, char **argv) { return hand_over(c, "answer", argc, argv); }
