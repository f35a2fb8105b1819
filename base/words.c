/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of words. */
#include "base/words.h"
#include <string.h>

size_t words_common(const char *words, unsigned *count)
{
    size_t n = strcspn(words, "\n");
    *count = 0;
    for (const char *word = words; *word; word += strcspn(word, "\n") + 1, ++*count)
        while (n && strncmp(word, words, n) != 0)
            n--;
    return n;
}
