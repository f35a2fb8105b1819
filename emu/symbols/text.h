/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of source lines, from files of the host that debugging information names. A file that is not there, cannot
   be read or is shorter than it was is no fault: there is no text then. */
#ifndef ZRI_EMU_SYMBOLS_TEXT_H
#define ZRI_EMU_SYMBOLS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct symbols_texts; /* the files that were read last: a few, each of a few megabytes at most */

/* Nothing is read yet. NULL: no memory. */
struct symbols_texts *symbols_texts_new(void);
void symbols_texts_free(struct symbols_texts *texts); /* NULL: nothing */

/* Line `line` (1: the first) of a file, with blanks for tabs, without blanks at its end; what cannot be shown is a dot.
   False, and "": there is no such line. A file is read anew when it has become another one. `changed`: when its
   contents were changed last. */
bool symbols_text(struct symbols_texts *texts, const char *path, uint32_t line, char *text, size_t size,
                  struct timespec *changed);

#endif
