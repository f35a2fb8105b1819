/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of words. */
#ifndef ZRI_BASE_WORDS_H
#define ZRI_BASE_WORDS_H

#include <stddef.h>

/* Bytes that all words of a list, each with a line end behind it, begin with, and how many words there are. */
size_t words_common(const char *words, unsigned *count);

#endif
