/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripted instruction tests: the language of zri-test(5). */
#ifndef ZRI_EMU_SCRIPT_SCRIPT_H
#define ZRI_EMU_SCRIPT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct coverage;
struct ec_profile;

/* A case has ended; each row of a table is one. */
struct zt_outcome {
    const char *file, *name;
    unsigned line, row; /* where the case begins; the row of its table, 0: it has none */
    enum zt_end { ZT_PASSED, ZT_FAILED, ZT_REFUSED } end; /* refused: a line is not understood */
};

/* Who hears of a run. `line`: a difference, or what is not understood, without line end, before the case that it
   belongs to has ended; when the whole file is refused, no case follows. */
struct zt_listener {
    void (*line)(void *context, const char *line);
    void (*done)(void *context, const struct zt_outcome *outcome);
    void *context;
    const struct ec_profile
        *pipeline;    /* runs on the reference engine have a pipeline model of this shape; NULL: none */
    uint64_t *budget; /* instructions that all runs together may still carry out; NULL: any number */
};

/* Run the cases of a file: those whose name is `only`, or, when none has that name, has it in it; NULL: all. What they
   have seen of instructions is added to `coverage` (NULL: nobody asks). Returns how many cases there were to run, or a
   negative number when the file cannot be read, has no case, a case without an expectation, or a line that is not
   understood (said by `line` as well). */
int zt_run_file(const char *path, const char *only, struct coverage *coverage, const struct zt_listener *listener);

/* The same for a text in memory; `name` stands for the file in messages. */
int zt_run_text(const char *text, size_t length, const char *name, const char *only, struct coverage *coverage,
                const struct zt_listener *listener);

/* Files to be judged, and how the judgement is told. */
struct zt_plan {
    const char *const *files;
    unsigned count;
    const char *only;                  /* as above */
    bool verbose, tap;                 /* name every case; tell it as TAP (Test Anything Protocol, version 13) */
    const char *junit;                 /* file for a report in JUnit's XML; NULL: none */
    const char *coverage;              /* file to which is added what was seen of each instruction; NULL: none */
    const struct ec_profile *pipeline; /* as above */
    FILE *out;                         /* where the rest goes */
};

/* Judge them. Returns 0 when every case passed, 1 when one failed, a negative number when a file was refused or a
   report cannot be written: then with a sentence in error[size], or an empty one when it is among the lines. */
int zt_judge(const struct zt_plan *plan, char *error, size_t size);

#endif
