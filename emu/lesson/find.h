/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lessons that there are: files NUMBER-NAME.lesson in one folder. */
#ifndef ZRI_EMU_LESSON_FIND_H
#define ZRI_EMU_LESSON_FIND_H

#include "base/bits.h"
#include <stddef.h>

#define FIND_PATH 1024u
#define FIND_MOST 100u

struct found_lessons {
    unsigned count;
    unsigned numbers[FIND_MOST];
    char paths[FIND_MOST][FIND_PATH]; /* in their order */
};

/* All of them. 0, or a negative errno with a sentence. */
int find_lessons(struct found_lessons *found, char *error, size_t size) MUST_USE;
/* The file of a number, of a name, or which is a file itself (it has a / or ends with .lesson). 0, or a negative errno
   with a sentence. */
int find_lesson(const char *what, char path[FIND_PATH], char *error, size_t size) MUST_USE;

#endif
