/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lessons: what a file of doc/lessons.txt's form says. */
#ifndef ZRI_EMU_LESSON_LESSON_H
#define ZRI_EMU_LESSON_LESSON_H

#include "base/bits.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LESSON_TASKS  32u
#define LESSON_CHECKS 16u
#define LESSON_HINTS  8u
#define LESSON_NAME   32u  /* characters of a name, NUL included */
#define LESSON_LINE   200u /* longest line of a file, bytes */

/* Indented lines of a file, without what all of them are indented by; `line` is the number of the first one. */
struct lesson_block {
    unsigned line;
    char *text; /* each line with its end; NULL: there is no such block */
};

/* A condition, and what is said when it does not hold. */
struct lesson_check {
    unsigned line;
    char *condition;
    struct lesson_block otherwise;
};

struct lesson_task {
    unsigned line;
    char *title;
    struct lesson_block text, setup, done, hints[LESSON_HINTS];
    struct lesson_check checks[LESSON_CHECKS];
    unsigned hint_count, check_count;
};

struct lesson {
    char name[LESSON_NAME];
    char *title, *about;
    /* What the machine is; 0 or NULL: as it usually is. */
    unsigned cpus;
    uint64_t storage; /* bytes */
    char *profile, *pipe;
    struct lesson_block text, setup;
    struct lesson_task tasks[LESSON_TASKS];
    unsigned task_count;
};

/* Understand a file's text. `name` stands for the file in messages. Returns 0, or a negative errno with a sentence that
   names file and line in error[size]. What was understood is to be given back by lesson_free() in both cases. */
int lesson_parse(struct lesson *lesson, const char *text, size_t length, const char *name, char *error,
                 size_t size) MUST_USE;
/* The same for a file. */
int lesson_read(struct lesson *lesson, const char *path, char *error, size_t size) MUST_USE;
void lesson_free(struct lesson *lesson);

/* A whole file of at most `most` bytes, with a NUL behind it, for the caller to free. Returns 0 or a negative errno
   with a sentence; `what` names its kind. */
int lesson_file(const char *path, const char *what, size_t most, char **text, size_t *length, char *error,
                size_t size) MUST_USE;

#endif
