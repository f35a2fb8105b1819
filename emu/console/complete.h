/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be typed at the console, and what was: for those who edit its lines. */
#ifndef ZRI_EMU_CONSOLE_COMPLETE_H
#define ZRI_EMU_CONSOLE_COMPLETE_H

#include "emu/console/base/base.h"

/* A word that is being completed, and what it may become. */
struct console_completion {
    const char *text;
    char **found; /* the caller frees each, and the list; NULL: none */
    size_t count, room;
};

/* All that can stand at place `start` of a line where m->text stands now. *files: a name of a file can. */
void console_matches(struct console_completion *m, const struct console *c, const char *line, int start, bool *files);
/* All that the word that ends at byte `at` of the line may become, names of files too, a line each; what does not fit
   into `size` bytes is left out. */
void console_offers(const struct console *c, const char *line, size_t at, char *words, size_t size);
/* The file that keeps typed lines between sessions: ZRI_HISTORY, or .zri_history in the home; empty: none. */
void console_history_file(char *path, size_t size);
/* An empty line gives the command before it again, when that is one for it. */
bool console_repeats(const struct console *c, const char *line);

#endif
