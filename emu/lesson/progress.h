/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which tasks somebody has done: a text file, whose form doc/lessons.txt tells. */
#ifndef ZRI_EMU_LESSON_PROGRESS_H
#define ZRI_EMU_LESSON_PROGRESS_H

#include "base/bits.h"
#include <stddef.h>
#include <stdint.h>

#define PROGRESS_PATH 1024u

/* Where the file is: in XDG_STATE_HOME, or .local/state of the home. 0, or -ENOENT with a sentence: neither is known.
 */
int progress_path(char path[PROGRESS_PATH], char *error, size_t size) MUST_USE;
/* The tasks of the lesson that are done, bits 1 << number, the first task being number 0. A file that is not there says
   that none is. 0 or a negative errno with a sentence; *done is 0 then. */
int progress_read(const char *path, const char *lesson, uint32_t *done, char *error, size_t size) MUST_USE;
/* Say it; what the file has of other lessons stays. A file that progress_read() refuses is left as it is. The same. */
int progress_write(const char *path, const char *lesson, uint32_t done, char *error, size_t size) MUST_USE;

#endif
