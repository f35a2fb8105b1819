/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fuzz drivers that try lines of text change them. */
#ifndef ZRI_TESTS_FUZZ_MUTATE_H
#define ZRI_TESTS_FUZZ_MUTATE_H

#include "tests/random.h"
#include <stddef.h>
#include <string.h>

/* Fewer than `changes` changes to `text`, which has `length` characters and room for `room`: any character, one of the
   `likely` ones, one less, one twice, two that change places. Yields its new length. */
static inline size_t mutate(uint64_t *state, char *text, size_t length, size_t room, unsigned changes,
                            const char *likely)
{
    for (uint64_t n = random_step(state) % changes; n-- && length;) {
        const size_t at = random_step(state) % length, other = random_step(state) % length;
        const char here = text[at];
        switch (random_step(state) % 5) {
        case 0:
            text[at] = (char)random_step(state);
            break;
        case 1:
            text[at] = likely[random_step(state) % strlen(likely)];
            break;
        case 2:
            memmove(text + at, text + at + 1, length-- - at - 1);
            break;
        case 3:
            if (length < room) {
                memmove(text + at + 1, text + at, length - at);
                length++;
            }
            break;
        default:
            text[at] = text[other];
            text[other] = here;
        }
    }
    return length;
}

#endif
