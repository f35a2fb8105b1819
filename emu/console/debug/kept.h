/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The newest of many pieces of text, in bounded room. */
#ifndef ZRI_EMU_CONSOLE_DEBUG_KEPT_H
#define ZRI_EMU_CONSOLE_DEBUG_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct kept {
    uint64_t most_bytes, most_records; /* set by the caller; zero: no such bound. At least one is there */
    char **record;                     /* a ring */
    size_t room, first, count;
    uint64_t bytes, dropped; /* dropped: records that are kept no more, or found no memory */
};

/* One more; the oldest ones go when there are too many. */
void kept_add(struct kept *kept, const char *text, size_t length);
/* The file has these and nothing else from now on, with a line in front that says how many are not there; it stays
   within most_bytes. A file that cannot go back gets them when they are the `last` ones only. False: not all could be
   written. */
bool kept_write(const struct kept *kept, FILE *file, bool last);
void kept_free(struct kept *kept);

#endif
