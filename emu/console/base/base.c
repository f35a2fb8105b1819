/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ground of the console: finding, printing, failing, values. */
#include "emu/console/base/base.h"
#include "cpu/control/registers.h"
#include "cpu/storage/access.h"
#include "emu/console/base/look.h"
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- commands and their words ---------------------------------------------------------------------------------- */

const struct console_command *console_find(const struct console *c, const char *name)
{
    for (unsigned i = 0; i < c->table->command_count; i++) {
        const struct console_command *command = &c->table->commands[i];
        if (command->name && (strcasecmp(name, command->name) == 0 || strcasecmp(name, command->abbreviation) == 0))
            return command;
    }
    return NULL;
}

static bool stands_behind(const struct console_word *word, const char *command, const char *behind)
{
    return strcmp(word->command, command) == 0 && strcmp(word->behind, behind) == 0;
}

const struct console_word *console_word(const struct console *c, const char *command, const char *behind,
                                        const char *text)
{
    for (unsigned i = 0; i < c->table->word_count; i++) {
        const struct console_word *word = &c->table->words[i];
        if (stands_behind(word, command, behind) && strcasecmp(word->word, text) == 0)
            return word;
    }
    return NULL;
}

const struct console_word *console_wants(struct console *c, const char *command, const char *behind, const char *text)
{
    const struct console_word *found = console_word(c, command, behind, text);
    char list[CONSOLE_ERROR / 2] = "";
    const struct console_word *last = NULL;
    if (found)
        return found;
    for (unsigned i = 0; i < c->table->word_count; i++) {
        const struct console_word *word = &c->table->words[i];
        const size_t used = strlen(list);
        if (!stands_behind(word, command, behind))
            continue;
        if (last)
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", last->word);
        last = word;
    }
    console_fail(c, "%s%s%s: '%.40s' is not one of %s%s%s", command, *behind ? " " : "", behind, text, list,
                 *list ? " and " : "", last ? last->word : "");
    return NULL;
}

const struct console_word *console_word_for(const struct console *c, const char *command, const char *behind,
                                            uint64_t value)
{
    for (unsigned i = 0; i < c->table->word_count; i++)
        if (stands_behind(&c->table->words[i], command, behind) && c->table->words[i].value == value)
            return &c->table->words[i];
    return NULL;
}

/* The one word of a command that begins so and has a function; NULL: none, or several. */
static const struct console_word *word_begun(const struct console *c, const char *command, const char *text)
{
    const struct console_word *found = NULL;
    for (unsigned i = 0; i < c->table->word_count; i++) {
        const struct console_word *word = &c->table->words[i];
        if (!word->run || !stands_behind(word, command, "") || strncasecmp(word->word, text, strlen(text)) != 0)
            continue;
        if (found)
            return NULL;
        found = word;
    }
    return found;
}

int console_run_word(struct console *c, const char *command, int argc, char **argv)
{
    const struct console_word *word = argc > 1 ? console_word(c, command, "", argv[1]) : NULL;
    if (argc > 1 && !word)
        word = word_begun(c, command, argv[1]);
    if (!word || !word->run || (argc > 2 && !*word->arguments))
        return console_usage(c, command);
    return word->run(c, argc, argv);
}

/* The arguments of a word: (a|b|c) where the words behind it are meant. */
static void arguments_of(const struct console_table *table, const struct console_word *word, char *text, size_t size)
{
    const bool list = *word->arguments == '@';
    size_t used = (size_t)snprintf(text, size, "%s", list ? "(" : word->arguments);
    for (unsigned i = 0; list && i < table->word_count && used < size; i++)
        if (stands_behind(&table->words[i], word->command, word->word))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 1 ? "|" : "", table->words[i].word);
    if (list && used < size)
        snprintf(text + used, size - used, ")");
}

void console_word_usage(const struct console_table *table, const struct console_word *word, char *text, size_t size)
{
    char arguments[CONSOLE_USAGE / 2];
    arguments_of(table, word, arguments, sizeof arguments);
    snprintf(text, size, "%s%s%s", word->word, *arguments ? " " : "", arguments);
}

void console_usage_words(const struct console_table *table, const struct console_command *command, char *text,
                         size_t size)
{
    const char *at = strchr(command->usage, '@');
    size_t used = (size_t)snprintf(text, size, "%.*s", at ? (int)(at - command->usage) : -1, command->usage);
    bool first = true;
    if (!at)
        return;
    for (unsigned i = 0; i < table->word_count && used < size; i++) {
        const struct console_word *word = &table->words[i];
        if (!stands_behind(word, command->name, ""))
            continue;
        char usage[CONSOLE_USAGE / 2];
        console_word_usage(table, word, usage, sizeof usage);
        used += (size_t)snprintf(text + used, size - used, "%s%s", first ? "" : "|", usage);
        first = false;
    }
    if (used < size)
        snprintf(text + used, size - used, "%s", at + 1);
}

/* ---- printing and failing -------------------------------------------------------------------------------------- */

void console_print(struct console *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(c->out, format, arguments);
    va_end(arguments);
    if (!c->log)
        return;
    va_start(arguments, format);
    vfprintf(c->log, format, arguments);
    va_end(arguments);
}

int console_fail(struct console *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->error, sizeof c->error, format, arguments);
    va_end(arguments);
    return -1;
}

int console_usage(struct console *c, const char *name)
{
    const struct console_command *command = console_find(c, name);
    char usage[CONSOLE_USAGE];
    console_usage_words(c->table, command, usage, sizeof usage);
    return console_fail(c, "%s: these words do not make a command; usage: %s; example: %s", name, usage,
                        command->example);
}

/* ---- values ---------------------------------------------------------------------------------------------------- */

/* A register by its name in the table of registers (%r5, %c0, %fpc), or as people write it too (%cr0, %gr5); %ia and
   %cc are parts of the PSW. */
static int register_value(struct console *c, const char *name, size_t length, uint64_t *value)
{
    static const char *const spellings[][2] = {{"gpr", "r"}, {"gr", "r"}, {"cr", "c"}, {"ar", "a"}, {"fpr", "f"}};
    char word[16], table_word[24];
    unsigned number;
    uint64_t wide[2];
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), name);
    snprintf(table_word, sizeof table_word, "%s", word);
    if (strcasecmp(word, "ia") == 0)
        strcpy(table_word, "pswa");
    if (strcasecmp(word, "cc") == 0) {
        *value = c->cpu->cc;
        return 0;
    }
    for (unsigned i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const size_t n = strlen(spellings[i][0]);
        if (strncasecmp(word, spellings[i][0], n) == 0 && isdigit((unsigned char)word[n]))
            snprintf(table_word, sizeof table_word, "%s%s", spellings[i][1], word + n);
    }
    const int id = cpu_register_find(table_word, &number);
    if (id < 0 || cpu_registers[id].width > 64 || !cpu_register_get(c->cpu, (unsigned)id, number, wide))
        return console_fail(c,
                            "%%%.*s: no such register; there are %%r0 to %%r15, %%a0, %%c0, %%f0, %%ia and %%cc, "
                            "and those that 'reg' shows",
                            (int)(length < 20 ? length : 20), name);
    *value = wide[1];
    return 0;
}

static int symbol_value(struct console *c, const char *name, size_t length, uint64_t *value)
{
    char word[128];
    const struct ipl_symbol *symbol = NULL;
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    if (c->session->load)
        symbol = ipl_symbol_named(ipl_load_symbols(c->session->load), word);
    if (!symbol)
        return console_fail(c, "@%s: there is no such symbol; 'symbols FILE' reads a map", word);
    *value = symbol->address;
    return 0;
}

static int storage_value(struct console *c, const char *text, size_t length, uint64_t *value)
{
    static const struct {
        const char *name;
        unsigned bytes;
    } kinds[] = {{"byte(", 1}, {"half(", 2}, {"word(", 4}, {"dword(", 8}};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t n = strlen(kinds[i].name);
        char inner[64];
        uint8_t bytes[8] = {0};
        uint64_t address;
        if (length <= n + 1 || strncasecmp(text, kinds[i].name, n) != 0 || text[length - 1] != ')' ||
            length - n - 1 >= sizeof inner)
            continue;
        memcpy(inner, text + n, length - n - 1);
        inner[length - n - 1] = 0;
        if (strchr(inner, '(')) /* one level is enough, and keeps this from going deep */
            break;
        if (console_value(c, inner, &address))
            return -1;
        if (look_fetch(c, CPU_SPACE_CURRENT, 0, address, bytes + 8 - kinds[i].bytes, kinds[i].bytes) != kinds[i].bytes)
            return console_fail(c, "%.*s: there is no storage", (int)length, text);
        *value = get64(bytes);
        return 0;
    }
    return console_fail(c, "'%.*s' is not a value; give hexadecimal digits, %%r1, @symbol or word(ADDRESS)",
                        (int)length, text);
}

static int one_term(struct console *c, const char *text, size_t length, uint64_t *value)
{
    if (length > 1 && *text == '%')
        return register_value(c, text + 1, length - 1, value);
    if (length > 1 && *text == '@')
        return symbol_value(c, text + 1, length - 1, value);
    size_t skip = length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 2 : 0;
    uint64_t v = 0;
    size_t digits = 0;
    for (size_t i = skip; i < length; i++) {
        if (text[i] == '_' || text[i] == '\'')
            continue;
        if (!isxdigit((unsigned char)text[i]) || (digits >= 16 && v >> 60))
            return storage_value(c, text, length, value);
        char digit[2] = {text[i], 0};
        v = v << 4 | strtoul(digit, NULL, 16);
        digits++;
    }
    if (!digits || digits > 32)
        return storage_value(c, text, length, value);
    *value = v;
    return 0;
}

int console_value(struct console *c, const char *text, uint64_t *value)
{
    uint64_t sum = 0;
    bool minus = false;
    for (const char *at = text;;) {
        size_t n = 0;
        int depth = 0;
        uint64_t term;
        while (at[n] && (depth || (at[n] != '+' && at[n] != '-'))) {
            depth += (at[n] == '(') - (at[n] == ')');
            n++;
        }
        if (one_term(c, at, n, &term))
            return -1;
        sum = minus ? sum - term : sum + term;
        if (!at[n])
            break;
        minus = at[n] == '-';
        at += n + 1;
    }
    *value = sum;
    return 0;
}

int console_hex(struct console *c, const char *text, uint64_t limit, uint64_t *value)
{
    if (console_value(c, text, value))
        return -1;
    if (*value > limit)
        return console_fail(c, "%s is too large; the largest value here is %llX", text, (unsigned long long)limit);
    return 0;
}

int console_count(struct console *c, const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long v = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
    if (!isdigit((unsigned char)*text) || errno || *end)
        return console_fail(c, "'%s' is not a count; give a decimal number", text);
    *value = v;
    return 0;
}

void console_end_file(struct console *c, FILE **file, const char *what, const char *name)
{
    if (!*file)
        return;
    const bool lost = ferror(*file);
    errno = 0;
    if (fclose(*file) || lost) {
        fprintf(stderr, "zri: the %s '%s' is not complete: %s; name a file where there is room\n", what, name,
                errno ? strerror(errno) : "it could not be written");
        c->lost = true;
    }
    *file = NULL;
}
