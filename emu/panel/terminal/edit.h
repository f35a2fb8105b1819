/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line that is being typed, with the keys that shells have, and the lines before it. */
#ifndef ZRI_EMU_PANEL_TERMINAL_EDIT_H
#define ZRI_EMU_PANEL_TERMINAL_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EDIT_LINE    1000u
#define EDIT_HISTORY 1000u

struct edit {
    char text[EDIT_LINE + 1]; /* UTF-8 */
    size_t length, at;        /* bytes; `at` is at the beginning of a character */
    char killed[EDIT_LINE + 1];
    char put_aside[EDIT_LINE + 1]; /* what was being typed when older lines were called up */
    char *history[EDIT_HISTORY];   /* the oldest first */
    unsigned history_count, history_at;
    unsigned search; /* characters of the text that lines have to begin with */
    bool searches;
};

/* Carry out a key (a character, or one of terminal/keys.h). False: it is none of these. */
bool edit_key(struct edit *edit, uint32_t key);
/* The text is this from now on, and the place is behind it. */
void edit_set(struct edit *edit, const char *text);
/* Put `text` in the place of the bytes from `from` up to the place. */
void edit_replace(struct edit *edit, size_t from, const char *text);
/* The line was given: remember it, unless it is empty or the one before. */
void edit_keep(struct edit *edit, const char *line);
/* History from a file and back to it, one line each; files that cannot be read have none. True, or errno is set. */
void edit_read(struct edit *edit, const char *file);
bool edit_write(const struct edit *edit, const char *file);
void edit_free(struct edit *edit);
/* Columns that the bytes of the text up to `bytes` take. */
unsigned edit_columns(const struct edit *edit, size_t bytes);

#endif
