/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripted tests: splitting a file into cases, words and numbers. */
#include "base/digit.h"
#include "base/ebcdic.h"
#include "cpu/control/registers.h"
#include "emu/script/internal.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text, size_t length)
{
    char *c = malloc(length + 1);
    if (c) {
        memcpy(c, text, length);
        c[length] = 0;
    }
    return c;
}

static bool add(struct zt_list *list, unsigned line, const char *text)
{
    if (list->count == list->room) {
        unsigned room = list->room ? 2 * list->room : 16;
        struct zt_statement *more = realloc(list->items, room * sizeof *more);
        if (!more)
            return false;
        list->items = more;
        list->room = room;
    }
    list->items[list->count].line = line;
    list->items[list->count].text = copy(text, strlen(text));
    return list->items[list->count++].text != NULL;
}

static void free_list(struct zt_list *list)
{
    for (unsigned i = 0; i < list->count; i++)
        free(list->items[i].text);
    free(list->items);
    *list = (struct zt_list){0};
}

static void free_case(struct zt_case *c)
{
    free(c->name);
    free_list(&c->statements);
    for (unsigned i = 0; i < ZT_COLUMNS; i++)
        free(c->columns[i]);
    for (unsigned r = 0; r < c->row_count; r++)
        for (unsigned i = 0; i < ZT_COLUMNS; i++)
            free(c->rows[r].values[i]);
    free(c->rows);
}

void zt_file_free(struct zt_file *file)
{
    for (unsigned i = 0; i < file->case_count; i++)
        free_case(&file->cases[i]);
    free(file->cases);
    *file = (struct zt_file){0};
}

/* Comment and outer spaces away. A # begins one at the start or behind a space, outside quotes. */
static void trim(char *text)
{
    bool quoted = false;
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '"')
            quoted = !quoted;
        if (text[i] == '#' && !quoted && (i == 0 || isspace((unsigned char)text[i - 1]))) {
            text[i] = 0;
            break;
        }
    }
    n = strlen(text);
    while (n && isspace((unsigned char)text[n - 1]))
        text[--n] = 0;
    size_t first = 0;
    while (isspace((unsigned char)text[first]))
        first++;
    memmove(text, text + first, n - first + 1);
}

/* Words of a table line, "..." being one. Returns how many, or -1. */
static int words(const char *text, char **values)
{
    int n = 0;
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        if (!*text)
            return n;
        if (n == (int)ZT_COLUMNS)
            return -1;
        const char *from = text, *to;
        if (*text == '"') {
            from++;
            to = strchr(from, '"');
            if (!to)
                return -1;
            text = to + 1;
        } else {
            while (*text && !isspace((unsigned char)*text))
                text++;
            to = text;
        }
        values[n] = copy(from, (size_t)(to - from));
        if (!values[n++])
            return -1;
    }
}

static struct zt_case *new_case(struct zt_file *file, unsigned line, const char *name, const struct zt_list *setup)
{
    struct zt_case *more = realloc(file->cases, (file->case_count + 1) * sizeof *more);
    if (!more)
        return NULL;
    file->cases = more;
    struct zt_case *c = &file->cases[file->case_count++];
    *c = (struct zt_case){.line = line, .name = copy(name, strlen(name))};
    for (unsigned i = 0; i < setup->count; i++)
        if (!add(&c->statements, setup->items[i].line, setup->items[i].text))
            return NULL;
    return c->name ? c : NULL;
}

static const char *new_row(struct zt_case *c, unsigned line, const char *text)
{
    struct zt_row *more = realloc(c->rows, (c->row_count + 1) * sizeof *more);
    if (!more)
        return "the host has no memory for this table";
    c->rows = more;
    struct zt_row *row = &c->rows[c->row_count++];
    *row = (struct zt_row){.line = line};
    int n = words(text, row->values);
    return n == (int)c->column_count
               ? NULL
               : "this row has not as many words as the table has columns; put words with spaces in \"\"";
}

/* State while a file is read. */
struct reader {
    struct zt_file *file;
    struct zt_list setup;
    struct zt_case *current; /* NULL before the first test */
    bool in_setup, in_table;
};

static const char *one_line(struct reader *r, unsigned number, char *text)
{
    const char *rest;
    trim(text);
    if (!*text) {
        r->in_table = false;
        return NULL;
    }
    if (zt_word(text, "test", &rest)) {
        r->in_setup = r->in_table = false;
        r->current = new_case(r->file, number, rest, &r->setup);
        return r->current ? NULL : "the host has no memory for this file";
    }
    if (strcmp(text, "setup") == 0) {
        free_list(&r->setup);
        r->in_setup = true;
        r->in_table = false;
        r->current = NULL;
        return NULL;
    }
    if (r->in_table)
        return new_row(r->current, number, text);
    if (r->current && zt_word(text, "table", &rest)) {
        int n = r->current->column_count ? -1 : words(rest, r->current->columns);
        if (n <= 0)
            return "a table needs a line of column names, and a case has one table";
        r->current->column_count = (unsigned)n;
        r->in_table = true;
        return NULL;
    }
    if (!r->current && !r->in_setup && !zt_word(text, "engine", &rest) && !zt_word(text, "profile", &rest))
        return "before the first \"test\" only setup, engine and profile can stand";
    return add(r->current ? &r->current->statements : &r->setup, number, text) ? NULL
                                                                               : "the host has no memory for this file";
}

/* What cannot pass for the right reason: a file without a case, a case that expects nothing, a table without rows.
   Returns the line, or 0. */
static unsigned nothing_to_judge(const struct zt_file *file, unsigned last, const char **problem)
{
    const char *rest;
    if (!file->case_count) {
        *problem = "there is no case in this file; a case begins with test NAME";
        return last ? last : 1;
    }
    for (unsigned i = 0; i < file->case_count; i++) {
        const struct zt_case *c = &file->cases[i];
        unsigned s = 0;
        while (s < c->statements.count && !zt_word(c->statements.items[s].text, "expect", &rest))
            s++;
        if (s == c->statements.count) {
            *problem = "this case expects nothing; say at least one expect, as expect no interruption";
            for (s = 0; s < c->statements.count; s++) /* the one that was meant as expect */
                if (c->statements.items[s].text[0] == 'e' && !zt_word(c->statements.items[s].text, "engine", &rest)) {
                    *problem = "the first word is not understood; was expect meant? zri-test(5) has the list";
                    return c->statements.items[s].line;
                }
            return c->line;
        }
        if (c->column_count && !c->row_count) {
            *problem = "the table of this case has no rows";
            return c->line;
        }
    }
    return 0;
}

unsigned zt_file_parse(const char *text, size_t length, struct zt_file *file, char *why, size_t size)
{
    struct reader r = {.file = file};
    unsigned number = 0;
    const char *at = text, *end = text + length, *problem = NULL;
    *file = (struct zt_file){0};
    while (at < end && !problem) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end)
            line_end = end;
        number++;
        char *line = copy(at, (size_t)(line_end - at));
        if (!line)
            problem = "the host has no memory for this file";
        else if (memchr(line, 0, (size_t)(line_end - at)))
            problem = "this is no text";
        else
            problem = one_line(&r, number, line);
        free(line);
        at = line_end + 1;
    }
    free_list(&r.setup);
    if (!problem) {
        number = nothing_to_judge(file, number, &problem);
        if (!number)
            return 0;
    }
    snprintf(why, size, "%s", problem);
    zt_file_free(file);
    return number;
}

bool zt_fill(const struct zt_case *c, const struct zt_row *row, const char *text, char out[ZT_TEXT])
{
    size_t n = 0;
    while (*text) {
        if (*text != '$') {
            if (n + 1 >= ZT_TEXT)
                return false;
            out[n++] = *text++;
            continue;
        }
        size_t length = 1;
        while (isalnum((unsigned char)text[length]) || text[length] == '_')
            length++;
        unsigned i = 0;
        while (i < c->column_count &&
               !(strlen(c->columns[i]) == length - 1 && !strncmp(c->columns[i], text + 1, length - 1)))
            i++;
        if (!row || i == c->column_count)
            return false;
        size_t add = strlen(row->values[i]);
        if (n + add >= ZT_TEXT)
            return false;
        memcpy(out + n, row->values[i], add);
        n += add;
        text += length;
    }
    out[n] = 0;
    return true;
}

/* ---- words and numbers ----------------------------------------------------------------------------------------- */

bool zt_word(const char *text, const char *word, const char **rest)
{
    size_t n = strlen(word);
    if (strncmp(text, word, n) || (text[n] && !isspace((unsigned char)text[n])))
        return false;
    text += n;
    while (isspace((unsigned char)*text))
        text++;
    *rest = text;
    return true;
}

bool zt_number(const char **text, uint64_t *value)
{
    const char *t = *text;
    unsigned digits = 0;
    while (isspace((unsigned char)*t))
        t++;
    bool minus = *t == '-';
    t += minus;
    *value = 0;
    for (; hex_digit(*t) >= 0 || (*t == '_' && digits); t++) {
        if (*t == '_')
            continue;
        if (++digits > 16 && *value >> 60)
            return false;
        *value = *value << 4 | (unsigned)hex_digit(*t);
    }
    if (!digits || isalnum((unsigned char)*t))
        return false;
    if (minus)
        *value = -*value;
    while (isspace((unsigned char)*t))
        t++;
    *text = t;
    return true;
}

bool zt_end(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return !*text;
}

bool zt_equals(const char **text)
{
    const char *t = *text;
    while (isspace((unsigned char)*t))
        t++;
    if (*t != '=')
        return false;
    t++;
    while (isspace((unsigned char)*t))
        t++;
    *text = t;
    return true;
}

/* One item of a `mem` value at *text: fills `item`, returns its length or -1. */
static int item(const char **text, uint8_t *bytes, unsigned room)
{
    const char *t = *text;
    bool ebcdic = *t == 'e' && t[1] == '"';
    unsigned n = 0;
    if (*t == '"' || ebcdic) {
        t += 1 + ebcdic;
        for (; *t && *t != '"'; t++) {
            if (n == room)
                return -1;
            bytes[n++] = ebcdic ? ebcdic_from_latin((uint8_t)*t) : (uint8_t)*t;
        }
        if (*t != '"')
            return -1;
        *text = t + 1;
        return (int)n;
    }
    if (hex_digit(t[0]) < 0 || hex_digit(t[1]) < 0 || room == 0)
        return -1;
    bytes[n++] = (uint8_t)(hex_digit(t[0]) << 4 | hex_digit(t[1]));
    t += 2;
    if (*t == '*') {
        uint64_t count;
        t++;
        if (!zt_number(&t, &count) || count == 0 || count > room)
            return -1;
        memset(bytes, bytes[0], count);
        n = (unsigned)count;
    }
    *text = t;
    return (int)n;
}

int zt_bytes(const char *text, uint8_t *bytes, unsigned room)
{
    unsigned n = 0;
    for (;;) {
        while (isspace((unsigned char)*text) || *text == '_')
            text++;
        if (!*text)
            return (int)n;
        int more = item(&text, bytes + n, room - n);
        if (more < 0)
            return -1;
        n += (unsigned)more;
    }
}

bool zt_address(struct zt_run *run, const char **text, uint64_t *value)
{
    const char *t = *text;
    if (*t != '@')
        return zt_number(text, value);
    size_t n = 1;
    while (isalnum((unsigned char)t[n]) || t[n] == '_')
        n++;
    for (unsigned i = 0; i < run->place_count; i++)
        if (strlen(run->places[i].label) == n - 1 && n > 1 && !strncmp(run->places[i].label, t + 1, n - 1)) {
            *value = run->places[i].address;
            *text = t + n;
            return true;
        }
    return false;
}

bool zt_register(const char **text, unsigned *id, unsigned *number, char *part)
{
    static const struct {
        const char *words;
        enum cpu_register_id id;
    } named[] = {{"clock comparator", CPU_REG_CLOCK_COMPARATOR}, {"cpu timer", CPU_REG_CPU_TIMER}};
    const char *t = *text;
    char name[16];
    size_t n = 0;
    *part = ' ';
    *number = 0;
    for (unsigned i = 0; i < sizeof named / sizeof *named; i++)
        if (zt_word(t, named[i].words, text)) {
            *id = named[i].id;
            return true;
        }
    while (isalnum((unsigned char)t[n]) && n < sizeof name - 1)
        n++;
    snprintf(name, sizeof name, "%.*s", (int)n, t);
    const int found = cpu_register_find(name, number);
    if (found < 0 || found == CPU_REG_PSW_MASK || found == CPU_REG_PSW_ADDRESS)
        return false;
    *id = (unsigned)found;
    t += n;
    if (*id == CPU_REG_GR && *t == '.' && (t[1] == 'l' || t[1] == 'h')) {
        *part = t[1];
        t += 2;
    }
    *text = t;
    return true;
}
