/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help, and the command reference of the manual: both out of the tables of commands and words. */
#include "emu/config/wrap.h"
#include "emu/console/help.h"
#include "emu/console/base/internal.h"
#include <ctype.h>
#include <string.h>

/* ---- help ------------------------------------------------------------------------------------------------------ */

static bool has_words(const struct console *c, const struct console_command *command)
{
    for (unsigned i = 0; i < c->table->word_count; i++)
        if (strcmp(c->table->words[i].command, command->name) == 0)
            return true;
    return false;
}

#define WORD_COLUMN    28u
#define WORD_INDENT    6u
#define COMMAND_COLUMN 14u
#define NARROW         70u /* columns */

static unsigned width_of(const struct console *c) { return c->width ? c->width : wrap_width(c->out, 0); }

/* A text that begins in a column, broken as the terminal is wide. */
static const char *fitted(const struct console *c, const char *text, unsigned column, unsigned indent, char *out,
                          size_t size)
{
    wrap_text(text, column, indent, width_of(c), out, size);
    return out;
}

/* A word with its help: beside it, or below it when it is long or the terminal is narrow; for people when `told`. */
static void help_word(struct console *c, const struct console_word *word, bool told)
{
    char usage[CONSOLE_USAGE], left[CONSOLE_USAGE + 40], lines[CONSOLE_USAGE + 80], help[CONSOLE_USAGE];
    const bool first = !*word->behind || *word->behind == '*';
    const unsigned width = width_of(c);
    console_word_usage(c->table, word, usage, sizeof usage);
    snprintf(left, sizeof left, "%s%s%s", first ? "" : word->behind, first ? "" : " ", usage);
    const bool below = width && (width < NARROW || strlen(left) + 4 > WORD_COLUMN);
    const unsigned column = below ? WORD_INDENT : WORD_COLUMN;
    fitted(c, left, 2, 4, lines, sizeof lines);
    fitted(c, word->help, column, column, help, sizeof help);
    if (told && below)
        show_words(c, "  %s\n%*s%s\n", lines, (int)WORD_INDENT, "", help);
    else if (told)
        show_words(c, "  %-24s  %s\n", lines, help);
    SHOW_ROW(c, "", fact_if(!first, fact_text("behind", word->behind)), fact_text("word", usage),
             fact_text("help", word->help));
}

static void help_words(struct console *c, const struct console_command *command, bool told)
{
    show_list(c, "words");
    for (unsigned i = 0; i < c->table->word_count; i++)
        if (strcmp(c->table->words[i].command, command->name) == 0)
            help_word(c, &c->table->words[i], told);
    show_end_list(c);
}

/* All of a command: for programs always, for people when `told`. */
static void help_one(struct console *c, const struct console_command *command, bool told)
{
    char usage[CONSOLE_USAGE], usage_lines[CONSOLE_USAGE + 100], help[2 * CONSOLE_USAGE], example[CONSOLE_USAGE];
    console_usage_words(c->table, command, usage, sizeof usage);
    show_object(c, NULL);
    SHOW(c, told ? "{}\n  {}\n  example: {}\n" : "",
         fact_text(NULL, fitted(c, usage, 0, 4, usage_lines, sizeof usage_lines)),
         fact_text(NULL, fitted(c, command->help, 2, 2, help, sizeof help)),
         fact_text(NULL, fitted(c, command->example, 11, 11, example, sizeof example)),
         fact_text("name", command->name), fact_text("abbreviation", command->abbreviation), fact_text("usage", usage),
         fact_text("help", command->help), fact_text("example", command->example));
    if (told && *command->abbreviation)
        show_words(c, "  short: %s\n", command->abbreviation);
    if (has_words(c, command))
        help_words(c, command, told);
    show_end_object(c);
}

/* The first clause of a help text. */
static void help_line(struct console *c, const struct console_command *command)
{
    char clause[CONSOLE_USAGE], lines[CONSOLE_USAGE];
    snprintf(clause, sizeof clause, "%.*s", (int)strcspn(command->help, ";"), command->help);
    show_words(c, "  %-11s %s\n", command->name,
               fitted(c, clause, COMMAND_COLUMN, COMMAND_COLUMN, lines, sizeof lines));
}

int console_cmd_help(struct console *c, int argc, char **argv)
{
    char lines[CONSOLE_USAGE];
    if (argc > 1) {
        const struct console_command *command = console_find(c, argv[1]);
        if (!command)
            return console_fail(c, "help: there is no command '%.40s'; 'help' lists the commands", argv[1]);
        help_one(c, command, true);
        return 0;
    }
    show_list(c, NULL);
    for (unsigned i = 0; i < c->table->command_count; i++) {
        const struct console_command *command = &c->table->commands[i];
        if (command->group) {
            show_words(c, "%s\n", command->group);
        } else {
            help_line(c, command);
            help_one(c, command, false);
        }
    }
    show_end_list(c);
    show_words(c, "%s\n",
               fitted(c,
                      "Numbers are hexadecimal. 'help COMMAND' shows all of it, with an example; --json with a "
                      "display gives JSON. While the guest runs, a line that begins with Ctrl-] is a command for this "
                      "console, and an empty one stops the guest, as Ctrl-C does; with a VT220 Ctrl-] begins such a "
                      "line at any time.",
                      0, 0, lines, sizeof lines));
    return 0;
}

/* ---- the manual ------------------------------------------------------------------------------------------------ */

void help_troff(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '-')
            fputs("\\-", out);
        else if (*text == '\\')
            fputs("\\e", out);
        else
            fputc(*text, out);
    }
}

/* A sentence: a capital letter in front, a full stop behind. */
static void sentence(FILE *out, const char *text)
{
    fputc(toupper((unsigned char)text[0]), out);
    help_troff(out, text + 1);
    fputs(".\n", out);
}

static void manual_words(const struct console_table *table, const struct console_command *command, FILE *out)
{
    char usage[CONSOLE_USAGE];
    bool any = false;
    for (unsigned i = 0; i < table->word_count; i++) {
        const struct console_word *word = &table->words[i];
        if (strcmp(word->command, command->name) != 0)
            continue;
        fputs(any ? "" : ".RS\n", out);
        any = true;
        const bool first = !*word->behind || *word->behind == '*';
        console_word_usage(table, word, usage, sizeof usage);
        fputs(".TP\n.B \"", out);
        help_troff(out, first ? "" : word->behind);
        fputs(first ? "" : " ", out);
        help_troff(out, usage);
        fputs("\"\n", out);
        sentence(out, word->help);
    }
    fputs(any ? ".RE\n" : "", out);
}

void help_manual(const struct console_table *table, FILE *out)
{
    char usage[CONSOLE_USAGE];
    for (unsigned i = 0; i < table->command_count; i++) {
        const struct console_command *command = &table->commands[i];
        if (command->group) {
            fprintf(out, ".SS %s\n", command->group);
            continue;
        }
        console_usage_words(table, command, usage, sizeof usage);
        fprintf(out, ".TP\n.B \"");
        help_troff(out, usage);
        fprintf(out, "\"\n");
        sentence(out, command->help);
        if (*command->abbreviation) {
            fprintf(out, "Short:\n.BR \"");
            help_troff(out, command->abbreviation);
            fprintf(out, "\" .\n");
        }
        fprintf(out, "Example:\n.BR \"");
        help_troff(out, command->example);
        fprintf(out, "\" .\n");
        manual_words(table, command, out);
    }
}
