/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of addresses. Additions are appended; the array is put in order when it is next asked. */
#include "ipl/internal.h"
#include <errno.h>
#include <stdlib.h>

struct ipl_symbols {
    struct ipl_symbol *all;
    unsigned count, room;
    bool ordered;
};

struct ipl_symbols *ipl_symbols_new(void) { return calloc(1, sizeof(struct ipl_symbols)); }

void ipl_symbols_clear(struct ipl_symbols *symbols)
{
    for (unsigned i = 0; i < symbols->count; i++)
        free((char *)(uintptr_t)symbols->all[i].name);
    symbols->count = 0;
}

void ipl_symbols_free(struct ipl_symbols *symbols)
{
    if (!symbols)
        return;
    ipl_symbols_clear(symbols);
    free(symbols->all);
    free(symbols);
}

static int make_room(struct ipl_symbols *symbols, unsigned more)
{
    unsigned need = symbols->count + more;
    if (need < more || need > 1u << 28)
        return -ENOMEM;
    if (need <= symbols->room)
        return 0;
    unsigned room = symbols->room * 2 > need ? symbols->room * 2 : need + 64;
    struct ipl_symbol *all = realloc(symbols->all, room * sizeof *all);
    if (!all)
        return -ENOMEM;
    symbols->all = all;
    symbols->room = room;
    return 0;
}

int ipl_symbols_add(struct ipl_symbols *symbols, uint64_t address, uint64_t size, const char *name, bool code)
{
    if (make_room(symbols, 1))
        return -ENOMEM;
    char *copy = strdup(name);
    if (!copy)
        return -ENOMEM;
    symbols->all[symbols->count++] = (struct ipl_symbol){address, size, copy, code};
    symbols->ordered = false;
    return 0;
}

int ipl_symbols_move(struct ipl_symbols *to, struct ipl_symbols *from)
{
    if (from->count == 0)
        return 0;
    if (make_room(to, from->count))
        return -ENOMEM;
    memcpy(to->all + to->count, from->all, from->count * sizeof *from->all);
    to->count += from->count;
    to->ordered = false;
    from->count = 0;
    return 0;
}

/* By address; at one address code before data, longer before shorter, then by name, so that the order never depends on
   the order of the additions. */
static int compare(const void *a, const void *b)
{
    const struct ipl_symbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->code != y->code)
        return x->code ? -1 : 1;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void put_in_order(struct ipl_symbols *symbols)
{
    if (!symbols->ordered && symbols->count)
        qsort(symbols->all, symbols->count, sizeof *symbols->all, compare);
    symbols->ordered = true;
}

const struct ipl_symbol *ipl_symbol_at(struct ipl_symbols *symbols, uint64_t address)
{
    put_in_order(symbols);
    unsigned low = 0, high = symbols->count;
    while (low < high) { /* first symbol above `address` */
        unsigned middle = low + (high - low) / 2;
        if (symbols->all[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    unsigned i = low - 1;
    while (i > 0 && symbols->all[i - 1].address == symbols->all[i].address)
        i--;
    const struct ipl_symbol *s = &symbols->all[i];
    return s->size == 0 || address - s->address < s->size ? s : NULL;
}

const struct ipl_symbol *ipl_symbol_named(struct ipl_symbols *symbols, const char *name)
{
    put_in_order(symbols);
    for (unsigned i = 0; i < symbols->count; i++)
        if (!strcmp(symbols->all[i].name, name))
            return &symbols->all[i];
    return NULL;
}

unsigned ipl_symbols_count(const struct ipl_symbols *symbols) { return symbols->count; }

const struct ipl_symbol *ipl_symbol_number(struct ipl_symbols *symbols, unsigned index)
{
    put_in_order(symbols);
    return index < symbols->count ? &symbols->all[index] : NULL;
}

/* One line of a map: "ADDRESS TYPE NAME" or, for what has no address, blanks, type, name (skipped). */
static int map_line(struct ipl_symbols *into, const char *line, size_t length, uint64_t delta, const char **why)
{
    char text[512];
    *why = NULL;
    while (length && (line[length - 1] == '\r' || line[length - 1] == ' '))
        length--;
    if (length == 0 || line[0] == '#' || line[0] == '*' || line[0] == ' ')
        return 0;
    if (length >= sizeof text) {
        *why = "the line is longer than 511 characters";
        return -EINVAL;
    }
    memcpy(text, line, length);
    text[length] = 0;
    size_t digits = strspn(text, "0123456789abcdefABCDEF");
    if (digits == 0 || digits > 16 || text[digits] != ' ' || !text[digits + 1] || text[digits + 2] != ' ' ||
        !text[digits + 3] || strlen(text) != length) {
        *why = "not of the form ADDRESS TYPE NAME";
        return -EINVAL;
    }
    char type = text[digits + 1];
    const char *name = text + digits + 3;
    return ipl_symbols_add(into, strtoull(text, NULL, 16) + delta, 0, name, strchr("tTwWiI", type) != NULL);
}

int ipl_symbols_add_map(struct ipl_symbols *symbols, const char *text, uint64_t length, uint64_t delta, char *error,
                        size_t size)
{
    struct ipl_symbols *staged = ipl_symbols_new();
    const char *why = "no memory on the host";
    int code = staged ? 0 : -ENOMEM;
    unsigned line = 0;
    for (uint64_t at = 0; !code && at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        uint64_t n = end ? (uint64_t)(end - text) - at : length - at;
        line++;
        code = map_line(staged, text + at, n, delta, &why);
        at += n + 1;
    }
    if (!code)
        code = ipl_symbols_move(symbols, staged);
    ipl_symbols_free(staged);
    if (code)
        return fail_with(code, error, size, "map, line %u: %s; make the map with nm", line,
                         why ? why : "no memory on the host");
    return 0;
}
