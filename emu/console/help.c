/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help, and the command reference of the manual: both out of the tables of commands and words. */
#include "emu/console/help.h"
#include "emu/console/internal.h"
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

static void help_words(struct console *c, const struct console_command *command)
{
    show_list(c, "words");
    for (unsigned i = 0; i < c->table->word_count; i++) {
        const struct console_word *word = &c->table->words[i];
        char usage[CONSOLE_USAGE];
        if (strcmp(word->command, command->name) != 0)
            continue;
        const bool first = !*word->behind || *word->behind == '*';
        console_word_usage(c->table, word, usage, sizeof usage);
        SHOW_ROW(c, "  {}{}{-24}  {}\n", fact_text(first ? NULL : "behind", first ? "" : word->behind),
                 fact_text(NULL, first ? "" : " "), fact_text("word", usage), fact_text("help", word->help));
    }
    show_end_list(c);
}

static void help_one(struct console *c, const struct console_command *command)
{
    char usage[CONSOLE_USAGE];
    console_usage_words(c->table, command, usage, sizeof usage);
    show_object(c, NULL);
    SHOW(c, "{}\n  {}\n  example: {}\n", fact_text("usage", usage), fact_text("help", command->help),
         fact_text("example", command->example), fact_text("name", command->name),
         fact_text("abbreviation", command->abbreviation));
    if (*command->abbreviation)
        show_words(c, "  short: %s\n", command->abbreviation);
    if (has_words(c, command))
        help_words(c, command);
    show_end_object(c);
}

int console_cmd_help(struct console *c, int argc, char **argv)
{
    if (argc > 1) {
        const struct console_command *command = console_find(c, argv[1]);
        if (!command)
            return console_fail(c, "help: there is no command '%.40s'; 'help' lists the commands", argv[1]);
        help_one(c, command);
        return 0;
    }
    show_list(c, NULL);
    for (unsigned i = 0; i < c->table->command_count; i++) {
        const struct console_command *command = &c->table->commands[i];
        if (c->json && command->name)
            help_one(c, command);
        else if (command->group)
            show_words(c, "%s\n", command->group);
        else
            show_words(c, "  %-11s %.*s\n", command->name, (int)strcspn(command->help, ";"), command->help);
    }
    show_end_list(c);
    show_words(c,
               "Numbers are hexadecimal. 'help COMMAND' shows all of it, with an example; --json with a display gives "
               "JSON.\n");
    return 0;
}

/* ---- the manual ------------------------------------------------------------------------------------------------ */

/* Text for troff: backslashes and hyphens. */
static void troff(FILE *out, const char *text)
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
    troff(out, text + 1);
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
        troff(out, first ? "" : word->behind);
        fputs(first ? "" : " ", out);
        troff(out, usage);
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
        troff(out, usage);
        fprintf(out, "\"\n");
        sentence(out, command->help);
        if (*command->abbreviation) {
            fprintf(out, "Short:\n.BR \"");
            troff(out, command->abbreviation);
            fprintf(out, "\" .\n");
        }
        fprintf(out, "Example:\n.BR \"");
        troff(out, command->example);
        fprintf(out, "\" .\n");
        manual_words(table, command, out);
    }
}
