/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Students' scripts, judged in bulk: each in a process of its own, in the sandbox, within limits. */
#ifndef ZRI_EMU_GRADE_H
#define ZRI_EMU_GRADE_H

#include "emu/config/options.h"
#include "emu/lesson/lesson.h"
#include <stdio.h>

#define GRADE_INSTRUCTIONS UINT64_C(20000000)  /* unless --limit says otherwise */
#define GRADE_SECONDS      10.0                /* --seconds */
#define GRADE_MEMORY       (UINT64_C(1) << 30) /* --storage */
#define GRADE_OUTPUT       (UINT64_C(1) << 20) /* bytes that a script may show */
#define GRADE_FILE         (256u * 1024)       /* longest script */
#define GRADE_WORDS        600u

enum grade_verdict {
    GRADE_PASSED,
    GRADE_FAILED,     /* not all of it is as expected */
    GRADE_REFUSED,    /* a line is not understood, or there is nothing to be judged */
    GRADE_UNREADABLE, /* the file */
    GRADE_NO_INSTRUCTIONS,
    GRADE_NO_TIME,
    GRADE_NO_STORAGE,
    GRADE_NO_OUTPUT,
    GRADE_DIED,
    GRADE_VERDICTS
};

/* What a process tells of its script. */
struct grade_report {
    uint32_t verdict;    /* enum grade_verdict */
    uint32_t passed, of; /* cases or tasks */
    uint64_t instructions;
    char words[GRADE_WORDS]; /* why, "" when it passed */
};

/* How a script is judged. */
struct grade_plan {
    const struct lesson *lesson; /* scripts are answers to this one; NULL: they are tests of instructions */
    const char *lesson_path;
    uint64_t instructions, memory; /* at most; memory in bytes */
    double seconds;
};

/* Judge one script, in this process, which is in the sandbox already. What it shows goes to `out`. */
void grade_script(const struct grade_plan *plan, const char *name, const char *text, size_t length, FILE *out,
                  struct grade_report *report);

/* Judge the files that the options name. The exit status: 0 when all passed, 1 when one did not, 2 when the host
 * cannot. */
int grade_files(const struct emu_options *options);

#endif
