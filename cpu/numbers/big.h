/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers wide enough for every floating-point format in the other radix; shared by cpu/numbers/radix.c and its
   like. */
#ifndef ZRI_CPU_NUMBERS_BIG_H
#define ZRI_CPU_NUMBERS_BIG_H

#include <stdbool.h>
#include <stdint.h>

/* The integer part of m * 2^two * 5^five, which must be below 2^128; *rest: there was a fraction. |five| up to 6300,
   |two| up to 20000. */
unsigned __int128 big_scale(unsigned __int128 m, int two, int five, bool *rest);

/* The leftmost 127 or 128 bits of m * 5^five (m not zero): the number is the result times 2^*exponent, and a little
   more when *rest. */
unsigned __int128 big_leading(unsigned __int128 m, int five, int *exponent, bool *rest);

#endif
