/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Typing a line. */
#include "emu/panel/terminal/edit.h"
#include "emu/panel/canvas/cells.h"
#include "emu/panel/terminal/keys.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool inside(char byte) { return (byte & 0xC0) == 0x80; }

static size_t before(const struct edit *e, size_t at)
{
    if (at)
        at--;
    while (at && inside(e->text[at]))
        at--;
    return at;
}

static size_t behind(const struct edit *e, size_t at)
{
    if (at < e->length)
        at++;
    while (at < e->length && inside(e->text[at]))
        at++;
    return at;
}

static size_t word_before(const struct edit *e)
{
    size_t at = e->at;
    while (at && e->text[at - 1] == ' ')
        at--;
    while (at && e->text[at - 1] != ' ')
        at--;
    return at;
}

static size_t word_behind(const struct edit *e)
{
    size_t at = e->at;
    while (at < e->length && e->text[at] == ' ')
        at++;
    while (at < e->length && e->text[at] != ' ')
        at++;
    return at;
}

unsigned edit_columns(const struct edit *e, size_t bytes)
{
    unsigned n = 0;
    for (size_t i = 0; i < bytes && i < e->length; i++)
        n += !inside(e->text[i]);
    return n;
}

/* Take the bytes from `from` to `to` out; `keep`: they can be put in again. */
static void take_out(struct edit *e, size_t from, size_t to, bool keep)
{
    if (from >= to)
        return;
    if (keep) {
        memcpy(e->killed, e->text + from, to - from);
        e->killed[to - from] = 0;
    }
    memmove(e->text + from, e->text + to, e->length - to + 1);
    e->length -= to - from;
    e->at = from;
}

static void insert(struct edit *e, const char *text)
{
    const size_t n = strlen(text);
    if (n > EDIT_LINE - e->length)
        return;
    memmove(e->text + e->at + n, e->text + e->at, e->length - e->at + 1);
    memcpy(e->text + e->at, text, n);
    e->length += n;
    e->at += n;
}

void edit_replace(struct edit *e, size_t from, const char *text)
{
    if (from > e->at || strlen(text) > EDIT_LINE - e->length + (e->at - from))
        return;
    take_out(e, from, e->at, false);
    e->at = from;
    insert(e, text);
}

void edit_set(struct edit *e, const char *text)
{
    e->length = strnlen(text, EDIT_LINE);
    memmove(e->text, text, e->length);
    e->text[e->length] = 0;
    e->at = e->length;
    e->history_at = e->history_count;
    e->searches = false;
}

/* Older lines, or newer ones: those that begin as the line up to the place did when the search began. */
static void call_up(struct edit *e, bool older)
{
    if (!e->searches) {
        e->search = (unsigned)(e->history_at == e->history_count ? e->at : 0);
        strcpy(e->put_aside, e->text);
        e->history_at = e->history_count;
        e->searches = true;
    }
    unsigned n = e->history_at;
    do {
        if (older ? n == 0 : n >= e->history_count)
            return;
        n += older ? -1u : 1u;
    } while (n < e->history_count && strncmp(e->history[n], e->put_aside, e->search) != 0);
    const unsigned search = e->search;
    edit_set(e, n < e->history_count ? e->history[n] : e->put_aside);
    e->history_at = n;
    e->search = search;
    e->searches = true;
}

static void transpose(struct edit *e)
{
    if (e->at == e->length)
        e->at = before(e, e->at);
    const size_t left = before(e, e->at), right = behind(e, e->at), n = e->at - left;
    char first[8];
    if (!e->at || n >= sizeof first)
        return;
    memcpy(first, e->text + left, n);
    memmove(e->text + left, e->text + e->at, right - e->at);
    memcpy(e->text + left + (right - e->at), first, n);
    e->at = right;
}

static bool move(struct edit *e, uint32_t key)
{
    switch (key) {
    case KEYS_LEFT:
    case KEY_OF_CONTROL('B'):
        e->at = before(e, e->at);
        return true;
    case KEYS_RIGHT:
    case KEY_OF_CONTROL('F'):
        e->at = behind(e, e->at);
        return true;
    case KEYS_HOME:
    case KEY_OF_CONTROL('A'):
        e->at = 0;
        return true;
    case KEYS_END:
    case KEY_OF_CONTROL('E'):
        e->at = e->length;
        return true;
    case KEY_OF_ALT('b'):
        e->at = word_before(e);
        return true;
    case KEY_OF_ALT('f'):
        e->at = word_behind(e);
        return true;
    default:
        return false;
    }
}

static bool change(struct edit *e, uint32_t key)
{
    switch (key) {
    case KEYS_BACKSPACE:
    case KEY_OF_CONTROL('H'):
        take_out(e, before(e, e->at), e->at, false);
        return true;
    case KEYS_DELETE:
    case KEY_OF_CONTROL('D'):
        take_out(e, e->at, behind(e, e->at), false);
        return true;
    case KEY_OF_CONTROL('K'):
        take_out(e, e->at, e->length, true);
        return true;
    case KEY_OF_CONTROL('U'):
        take_out(e, 0, e->at, true);
        return true;
    case KEY_OF_CONTROL('W'):
    case KEY_OF_ALT(KEYS_BACKSPACE):
        take_out(e, word_before(e), e->at, true);
        return true;
    case KEY_OF_ALT('d'):
        take_out(e, e->at, word_behind(e), true);
        return true;
    case KEY_OF_CONTROL('Y'):
        insert(e, e->killed);
        return true;
    case KEY_OF_CONTROL('T'):
        transpose(e);
        return true;
    default:
        return false;
    }
}

bool edit_key(struct edit *e, uint32_t key)
{
    char text[5];
    if (key == KEYS_UP || key == KEY_OF_CONTROL('P') || key == KEYS_DOWN || key == KEY_OF_CONTROL('N')) {
        call_up(e, key == KEYS_UP || key == KEY_OF_CONTROL('P'));
        return true;
    }
    if (move(e, key)) {
        e->searches = false;
        return true;
    }
    if (key >= ' ' && key < KEYS_NONE) {
        cells_utf8(key, text);
        insert(e, text);
    } else if (!change(e, key)) {
        return false;
    }
    e->searches = false;
    e->history_at = e->history_count;
    return true;
}

void edit_keep(struct edit *e, const char *line)
{
    const char *last = e->history_count ? e->history[e->history_count - 1] : "";
    char *copy = *line && strcmp(line, last) != 0 ? strdup(line) : NULL;
    if (!copy)
        return;
    if (e->history_count == EDIT_HISTORY) {
        free(e->history[0]);
        memmove(e->history, e->history + 1, (EDIT_HISTORY - 1) * sizeof *e->history);
        e->history_count--;
    }
    e->history[e->history_count++] = copy;
}

void edit_read(struct edit *e, const char *file)
{
    char line[EDIT_LINE + 2];
    FILE *f = fopen(file, "r");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        edit_keep(e, line);
    }
    if (f)
        fclose(f);
    e->history_at = e->history_count;
}

bool edit_write(const struct edit *e, const char *file)
{
    FILE *f = fopen(file, "w");
    if (!f)
        return false;
    for (unsigned i = 0; i < e->history_count; i++)
        fprintf(f, "%s\n", e->history[i]);
    return fclose(f) == 0;
}

void edit_free(struct edit *e)
{
    for (unsigned i = 0; i < e->history_count; i++)
        free(e->history[i]);
    memset(e, 0, sizeof *e);
}
