/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripted instruction tests: the language of zri-test(5). */
#ifndef ZRI_EMU_SCRIPT_SCRIPT_H
#define ZRI_EMU_SCRIPT_SCRIPT_H

#include <stddef.h>

struct zt_totals {
    unsigned passed, failed; /* cases; each row of a table is one */
};

/* One line of the report, without line end. */
typedef void (*zt_line)(void *context, const char *line);

struct coverage;

/* Run all cases of a file and add to the totals. Differences and, when verbose, the name of each case go to `line`.
   Returns 0, or a negative number when the file cannot be read or has a line that is not understood (said by `line` as
   well). */
int zt_run_file(const char *path, int verbose, struct coverage *coverage, struct zt_totals *totals, zt_line line,
                void *context);

/* The same for a text in memory; `name` stands for the file in messages. */
int zt_run_text(const char *text, size_t length, const char *name, int verbose, struct coverage *coverage,
                struct zt_totals *totals, zt_line line, void *context);

#endif
