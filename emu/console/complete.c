/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion and history of the console's lines. */
#include "emu/console/complete.h"
#include "cpu/control/registers.h"
#include "cpu/state/interruptions.h"
#include "disasm/dis.h"
#include "emu/dev/types.h"
#include "ri/text.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static void offer(struct console_completion *m, const char *word)
{
    if (strncasecmp(word, m->text, strlen(m->text)) != 0)
        return;
    if (m->count + 1 >= m->room) {
        const size_t room = m->room ? 2 * m->room : 32;
        char **more = realloc(m->found, room * sizeof *more);
        if (!more)
            return;
        m->found = more;
        m->room = room;
    }
    m->found[m->count] = strdup(word);
    if (m->found[m->count])
        m->found[++m->count] = NULL;
}

static void offer_commands(struct console_completion *m, const struct console_table *table)
{
    for (unsigned i = 0; i < table->command_count; i++)
        if (table->commands[i].name)
            offer(m, table->commands[i].name);
}

/* The words of the table that can stand at place `place` (from 1) behind `command`. */
static void offer_words(struct console_completion *m, const struct console_table *table,
                        const struct console_command *command, const char *before, unsigned place)
{
    for (unsigned i = 0; i < table->word_count; i++) {
        const struct console_word *word = &table->words[i];
        const bool fits = *word->behind == '*' ? true
                          : place == 1         ? !*word->behind
                                               : strcasecmp(word->behind, before) == 0;
        if (strcmp(word->command, command->name) == 0 && fits)
            offer(m, word->word);
    }
}

static void offer_mnemonics(struct console_completion *m)
{
    const char *name;
    for (unsigned i = 0; (name = dis_mnemonic(i)); i++)
        offer(m, name);
}

/* Symbols behind an @, or, where names of symbols alone are wanted, without it. */
static void offer_symbols(struct console_completion *m, const struct session *session, bool alone)
{
    struct ipl_symbols *symbols = session->load ? ipl_load_symbols(session->load) : NULL;
    char name[130];
    if ((*m->text != '@' && !alone) || !symbols)
        return;
    for (unsigned i = 0; i < ipl_symbols_count(symbols); i++) {
        snprintf(name, sizeof name, "%s%.120s", *m->text == '@' ? "@" : "", ipl_symbol_number(symbols, i)->name);
        if (strncmp(name, m->text, strlen(m->text)) == 0)
            offer(m, name);
    }
}

/* Names of program interruptions, in one word. */
static void offer_programs(struct console_completion *m)
{
    char name[64];
    for (const struct cpu_code_name *row = cpu_program_codes; row->name; row++) {
        snprintf(name, sizeof name, "%s", row->name);
        for (char *blank = name; (blank = strchr(blank, ' '));)
            *blank = '-';
        offer(m, name);
    }
}

static void offer_field(void *context, const char *name, uint64_t value, unsigned digits, const char *meaning)
{
    char word[32];
    (void)value;
    (void)digits;
    (void)meaning;
    snprintf(word, sizeof word, "%.29s=", name);
    offer(context, word);
}

static void offer_registers(struct console_completion *m)
{
    char name[16];
    for (unsigned id = 0; id < CPU_REGISTER_COUNT; id++)
        for (unsigned n = 0; n < cpu_registers[id].count; n++) {
            snprintf(name, sizeof name, cpu_registers[id].count > 1 ? "%s%u" : "%s", cpu_registers[id].name, n);
            offer(m, name);
        }
}

static void offer_devices(struct console_completion *m, struct css *css)
{
    const struct channel_device *d;
    char number[16];
    for (unsigned n = 0; (d = css_device(css, n)); n++) {
        snprintf(number, sizeof number, d->set ? "%u:%04X" : "%.0u%04X", d->set, d->number);
        offer(m, number);
    }
}

static void offer_kind(struct console_completion *m, const struct console *c, enum console_kind kind)
{
    const struct ri_controls none = {0};
    const struct emu_profile *profile;
    switch (kind) {
    case KIND_COMMAND:
        offer_commands(m, c->table);
        break;
    case KIND_MNEMONIC:
        offer_mnemonics(m);
        break;
    case KIND_RI_FIELD:
        ri_controls_each(&none, offer_field, m);
        break;
    case KIND_DEVICE:
        offer_devices(m, c->machine->css);
        break;
    case KIND_DEVICE_TYPE:
        for (const struct channel_type *const *t = device_types; *t; t++)
            offer(m, (*t)->name);
        break;
    case KIND_PROFILE:
        for (unsigned i = 0; (profile = emu_profile_number(i)); i++)
            offer(m, profile->name);
        break;
    case KIND_REGISTER:
        offer_registers(m);
        break;
    case KIND_PROGRAM_CODE:
        offer_programs(m);
        break;
    default:
        break;
    }
    offer_symbols(m, c->session, kind == KIND_SYMBOL_FILE);
}

/* The word in front of the one that begins at `start` in the line, and how many there are. */
static unsigned words_before(const char *line, int start, char before[32])
{
    unsigned count = 0;
    *before = 0;
    for (int i = 0; i < start;) {
        const size_t blank = strspn(line + i, " \t"), n = strcspn(line + i + blank, " \t");
        i += (int)blank;
        if (!n || i >= start)
            break;
        count++;
        snprintf(before, 32, "%.*s", (int)(n < 31 ? n : 31), line + i);
        i += (int)n;
    }
    return count;
}

void console_matches(struct console_completion *m, const struct console *c, const char *line, int start, bool *files)
{
    char before[32], first[32];
    const unsigned place = words_before(line, start, before);
    *files = false;
    if (place == 0) {
        offer_commands(m, c->table);
        return;
    }
    words_before(line, (int)(strspn(line, " \t") + strcspn(line + strspn(line, " \t"), " \t")), first);
    const struct console_command *command = console_find(c, first);
    if (!command)
        return;
    const struct console_word *word = place == 2 ? console_word(c, command->name, "", before) : NULL;
    const enum console_kind kind = word && word->kind ? word->kind : command->kind[place < 3 ? place - 1 : 2];
    offer_words(m, c->table, command, before, place);
    if (*m->text == '-')
        offer(m, "--json");
    offer_kind(m, c, kind);
    *files = kind == KIND_FILE || kind == KIND_SYMBOL_FILE;
}

/* Where a match is written; it has to fit whole. */
struct list {
    char *at;
    size_t room;
};

static void add(struct list *l, const char *word, const char *behind)
{
    const int n = snprintf(l->at, l->room, "%s%s\n", word, behind);
    if (n < 0 || (size_t)n >= l->room) {
        if (l->room)
            *l->at = 0;
        return;
    }
    l->at += n;
    l->room -= (size_t)n;
}

/* Names of files that begin so. */
static void add_files(struct list *l, const char *text)
{
    const char *slash = strrchr(text, '/'), *begin = slash ? slash + 1 : text;
    char folder[1024], path[1300];
    const int length = (int)(begin - text);
    snprintf(folder, sizeof folder, "%.*s", length, text);
    DIR *dir = opendir(*folder ? folder : ".");
    const struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        struct stat is;
        const bool hidden = *entry->d_name == '.' && *begin != '.';
        if (hidden || strncmp(entry->d_name, begin, strlen(begin)) != 0)
            continue;
        snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
        add(l, path, stat(path, &is) == 0 && S_ISDIR(is.st_mode) ? "/" : "");
    }
    if (dir)
        closedir(dir);
}

void console_offers(const struct console *c, const char *line, size_t at, char *words, size_t size)
{
    char text[CONSOLE_LINE];
    struct list list = {words, size};
    bool files = false;
    size_t start = at;
    *words = 0;
    while (start && line[start - 1] != ' ')
        start--;
    snprintf(text, sizeof text, "%.*s", (int)(at - start), line + start);
    struct console_completion m = {.text = text};
    console_matches(&m, c, line, (int)start, &files);
    for (size_t i = 0; i < m.count; i++) {
        add(&list, m.found[i], "");
        free(m.found[i]);
    }
    free(m.found);
    if (files)
        add_files(&list, text);
}

void console_history_file(char *path, size_t size)
{
    const char *given = getenv("ZRI_HISTORY"), *home = getenv("HOME");
    *path = 0;
    if (given)
        snprintf(path, size, "%s", given);
    else if (home && *home)
        snprintf(path, size, "%s/.zri_history", home);
}

bool console_repeats(const struct console *c, const char *line)
{
    char name[32];
    line += strspn(line, " \t");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " \t"), line);
    const struct console_command *command = console_find(c, name);
    return command && (command->flags & CONSOLE_REPEATS);
}
