/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of the console: words, the command, scripts. */
#include "emu/console/base/internal.h"
#include "emu/console/base/teacher.h"
#include "emu/console/console.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>

/* Take the word --json out, wherever it stands. */
static void take_json(struct console *c, char *line)
{
    static const char word[] = "--json";
    const size_t n = sizeof word - 1;
    for (char *at = line; (at = strstr(at, word)); at += n)
        if ((at == line || isspace((unsigned char)at[-1])) && (!at[n] || isspace((unsigned char)at[n]))) {
            memset(at, ' ', n);
            c->json = true;
        }
}

/* Split in place. Returns the number of words, or -1. */
static int split(struct console *c, char *line, char **words)
{
    int count = 0;
    for (char *at = line; *at;) {
        if (isspace((unsigned char)*at)) {
            *at++ = 0;
            continue;
        }
        if (count == CONSOLE_WORDS)
            return console_fail(c, "more than %d words in a line; use several lines", CONSOLE_WORDS);
        if (*at == '"') {
            char *end = strchr(at + 1, '"');
            if (!end)
                return console_fail(c, "a \" without its second one; close the text");
            *end = 0;
            words[count++] = at + 1;
            at = end + 1;
            continue;
        }
        words[count++] = at;
        while (*at && !isspace((unsigned char)*at))
            at++;
        if (*at)
            *at++ = 0;
    }
    return count;
}

/* "b-", "b?", "t+" and ".text" need no space behind them; a command and its rest are told apart here. */
static const struct console_command *command_of(struct console *c, char **words, int *count, char *split_word,
                                                size_t room)
{
    const struct console_command *command = console_find(c, words[0]);
    if (command)
        return command;
    if (strlen(words[0]) >= room || *count == CONSOLE_WORDS)
        return NULL;
    for (unsigned n = 2; n >= 1; n--) {
        char name[4] = {0};
        if (strlen(words[0]) <= n)
            continue;
        memcpy(name, words[0], n);
        if (strcmp(name, "b-") && strcmp(name, "t+"))
            continue;
        strcpy(split_word, words[0] + n);
        memmove(words + 2, words + 1, (size_t)(*count - 1) * sizeof *words);
        words[1] = split_word;
        (*count)++;
        return console_find(c, name);
    }
    return NULL;
}

static int carry_out(struct console *c, char *line)
{
    char copy[CONSOLE_LINE], joined[CONSOLE_LINE], *words[CONSOLE_WORDS + 1];
    const struct console_command *command;
    if (*line == '.') {
        c->rest = line + 1;
        words[0] = joined;
        strcpy(joined, ".");
        return console_find(c, ".")->run(c, 1, words);
    }
    take_json(c, line);
    strcpy(copy, line);
    int count = split(c, copy, words);
    if (count <= 0)
        return count;
    c->rest = line + strcspn(line, " \t");
    c->rest += strspn(c->rest, " \t");
    command = command_of(c, words, &count, joined, sizeof joined);
    if (!command)
        return console_fail(c, "there is no command '%.40s'; 'help' lists the commands", words[0]);
    if (c->attending && (command->flags & CONSOLE_RUNS))
        return console_fail(c, "%s: the machine runs; stop it first", command->name);
    if (c->teacher)
        c->teacher->typed(c->teacher->context, (unsigned)(command - c->table->commands));
    return command->run(c, count, words);
}

int console_line(struct console *c, const char *text)
{
    char line[CONSOLE_LINE];
    size_t n = strcspn(text, "\r\n");
    c->json = c->json_always;
    c->error[0] = 0;
    while (n && isspace((unsigned char)*text)) {
        text++;
        n--;
    }
    if (n == 0 || *text == '#' || *text == '*')
        return 0;
    if (n >= sizeof line) {
        console_print(c, "the line is longer than %d characters; use several lines\n", CONSOLE_LINE - 1);
        return -1;
    }
    memcpy(line, text, n);
    line[n] = 0;
    if (c->log)
        fprintf(c->log, "zri> %s\n", line);
    const bool serves = c->serves;
    c->serves = false;
    int code = carry_out(c, line);
    c->serves = serves;
    if (code == 0 && c->facts.length)
        console_print(c, "%s\n", c->facts.text);
    json_clear(&c->facts);
    if (code == 0)
        return 0;
    if (c->json) {
        json_begin_object(&c->facts, NULL);
        json_text(&c->facts, "error", c->error);
        json_end_object(&c->facts);
        console_print(c, "%s\n", c->facts.text);
        json_clear(&c->facts);
    } else {
        console_print(c, "%s\n", c->error);
    }
    fflush(c->out);
    return -1;
}

int console_script(struct console *c, const char *file)
{
    char line[CONSOLE_LINE + 2];
    unsigned number = 0;
    int code = 0;
    if (c->nested == CONSOLE_NESTED) {
        console_print(c, "script %s: scripts call scripts %d deep; one of them calls itself\n", file, CONSOLE_NESTED);
        return -1;
    }
    FILE *f = fopen(file, "r");
    if (!f) {
        console_print(c, "cannot open the script '%.200s': %s; name a file of console commands\n", file,
                      strerror(errno));
        return -1;
    }
    c->nested++;
    while (!code && !c->quit && fgets(line, sizeof line, f)) {
        number++;
        code = console_line(c, line);
        if (code)
            console_print(c, "script %s ends at line %u\n", file, number);
    }
    if (ferror(f)) { /* a folder can be opened, too */
        console_print(c, "cannot read the script '%.200s': %s; name a file of console commands\n", file,
                      strerror(errno));
        code = -1;
    }
    c->nested--;
    fclose(f);
    return code;
}

/* ---- the session ----------------------------------------------------------------------------------------------- */

int console_cmd_script(struct console *c, int argc, char **argv)
{
    if (argc != 2)
        return console_usage(c, "script");
    bool json = c->json;
    int code = console_script(c, argv[1]);
    c->json = json;
    return code ? console_fail(c, "script %s: not carried out to its end", argv[1]) : 0;
}

int console_cmd_log(struct console *c, int argc, char **argv)
{
    if (argc > 2)
        return console_usage(c, "log");
    FILE *log = NULL;
    if (argc == 2 && !console_word(c, "log", "", argv[1])) {
        log = fopen(argv[1], "w");
        if (!log)
            return console_fail(c, "cannot write the log '%.200s': %s", argv[1], strerror(errno));
    }
    console_end_file(c, &c->log, "log", c->log_name);
    c->log = c->session->copy = log;
    snprintf(c->log_name, sizeof c->log_name, "%s", log ? argv[1] : "");
    return 0;
}

int console_cmd_json(struct console *c, int argc, char **argv)
{
    const struct console_word *word = argc == 2 ? console_word(c, "json", "", argv[1]) : NULL;
    if (!word)
        return console_usage(c, "json");
    c->json_always = word->value;
    return 0;
}

int console_cmd_echo(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    show_value(c, "{}\n", fact_text(NULL, c->rest));
    return 0;
}

int console_cmd_version(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    show_value(c, "{}\n", fact_text(NULL, PACKAGE_STRING));
    return 0;
}

int console_cmd_quit(struct console *c, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    c->quit = true;
    return 0;
}
