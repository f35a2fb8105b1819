/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heart of hexadecimal addition and comparison, for fractions of any width. PoP chapter 18 (SA22-7832-13). */
#ifndef ZRI_CPU_NUMBERS_HFP_SUM_H
#define ZRI_CPU_NUMBERS_HFP_SUM_H

#include <stdbool.h>

/* Defines NAME(a, b): the intermediate sum, with one guard digit on the right and perhaps a carry on the left; its sign
   is of no meaning when the fraction is zero. NUMBER has the members `minus`, `c` (characteristic) and `fraction`, an
   integer of type WORD with room for two more digits. */
#define HFP_DEFINE_SUM(NAME, NUMBER, WORD)                                                                             \
    static inline NUMBER NAME(NUMBER a, NUMBER b)                                                                      \
    {                                                                                                                  \
        if (a.c < b.c) {                                                                                               \
            NUMBER t = a;                                                                                              \
            a = b;                                                                                                     \
            b = t;                                                                                                     \
        }                                                                                                              \
        const int shift = 4 * (a.c - b.c);                                                                             \
        const WORD small = shift < (int)(8 * sizeof(WORD)) ? b.fraction << 4 >> shift : 0;                             \
        a.fraction <<= 4;                                                                                              \
        if (a.minus == b.minus) {                                                                                      \
            a.fraction += small;                                                                                       \
        } else if (a.fraction >= small) {                                                                              \
            a.fraction -= small;                                                                                       \
        } else {                                                                                                       \
            a.fraction = small - a.fraction;                                                                           \
            a.minus = b.minus;                                                                                         \
        }                                                                                                              \
        return a;                                                                                                      \
    }

#endif
