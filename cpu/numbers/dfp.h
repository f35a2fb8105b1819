/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal floating-point arithmetic: exact results rounded once, quantum, IEEE exceptions and traps. PoP chapters 9 and
   20 (SA22-7832-13). Knows no CPU. */
#ifndef ZRI_CPU_NUMBERS_DFP_H
#define ZRI_CPU_NUMBERS_DFP_H

#include "base/bits.h"
#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 dfp_digits;

enum dfp_format { DFP_SHORT, DFP_LONG, DFP_EXTENDED };
enum dfp_kind { DFP_FINITE, DFP_INFINITY, DFP_QNAN, DFP_SNAN };

/* A number out of its format: digits times 10 to the exponent (not biased). `digits` of an infinity or a NaN is its
 * trailing significand. */
struct dfp {
    bool minus;
    uint8_t kind; /* enum dfp_kind */
    int exponent;
    dfp_digits digits;
};

/* IEEE exceptions as in byte 0 and 1 of the FPC register, and in the data-exception code. */
enum {
    DFP_INVALID = 0x80,
    DFP_DIVIDE = 0x40,
    DFP_OVERFLOW = 0x20,
    DFP_UNDERFLOW = 0x10,
    DFP_INEXACT = 0x08,
    DFP_QUANTUM = 0x04
};
#define DFP_INCREMENTED 0x04 /* of the data-exception code, with DFP_INEXACT */

/* Rounding methods, numbered as the DFP rounding modes of the FPC register. */
enum dfp_rounding {
    DFP_NEAREST_EVEN,
    DFP_TOWARD_ZERO,
    DFP_UP,
    DFP_DOWN,
    DFP_NEAREST_AWAY,
    DFP_NEAREST_TOWARD_ZERO,
    DFP_AWAY,
    DFP_SHORTER, /* prepare for shorter precision */
};

/* What an operation needs and what it recognized. */
struct dfp_env {
    uint8_t rounding; /* enum dfp_rounding */
    uint8_t masks;    /* exceptions that trap */
    bool quiet;       /* inexact is not recognized (XxC) */
    bool quantum;     /* quantum exceptions are recognized */
    uint8_t flags;    /* out: exceptions that do not trap */
    uint8_t dxc;      /* out: data-exception code of a trap, 0 none */
    bool suppressed;  /* out: the trap suppresses the operation; else the result is to be stored */
};

/* Digits of precision, exponent of the smallest and the largest quantum, largest biased exponent. */
unsigned dfp_precision(enum dfp_format f);
int dfp_bias(enum dfp_format f);
int dfp_max_biased(enum dfp_format f);

/* From and to the bits of a format, right-aligned. Any declet is taken, the preferred ones are made. dfp_encode() takes
 * an exponent and digits that fit. */
struct dfp dfp_decode(enum dfp_format f, dfp_digits bits);
dfp_digits dfp_encode(enum dfp_format f, const struct dfp *a);

/* How many decimal digits (0 has none). */
unsigned dfp_count(dfp_digits digits);

/* a+b or a-b, a*b, a/b: rounded once as `x` says, with the preferred quantum; flags and traps come into it. */
struct dfp dfp_add(struct dfp_env *x, enum dfp_format f, const struct dfp *a, const struct dfp *b, bool subtract);
struct dfp dfp_multiply(struct dfp_env *x, enum dfp_format f, const struct dfp *a, const struct dfp *b);
struct dfp dfp_divide(struct dfp_env *x, enum dfp_format f, const struct dfp *a, const struct dfp *b);
/* Condition code 0 equal, 1 low, 2 high, 3 unordered. `signal`: QNaNs are invalid too. */
unsigned dfp_compare(struct dfp_env *x, const struct dfp *a, const struct dfp *b, bool signal);
/* Condition code of a result: 0 zero, 1 less, 2 greater than zero, 3 NaN. */
unsigned dfp_cc(const struct dfp *a);
/* A signaling NaN is invalid and becomes quiet; an infinity loses its digits. */
struct dfp dfp_quiet(struct dfp_env *x, const struct dfp *a);
/* LOAD ROUNDED: finite numbers into the precision of `to`. With an overflow or underflow trap *in_source is true and
 * the result, scaled by 192 (long) or 3072 (extended), is for the source format. */
struct dfp dfp_shorten(struct dfp_env *x, enum dfp_format from, enum dfp_format to, const struct dfp *a,
                       bool *in_source);
/* From an integer, with the quantum 1 where it fits. */
struct dfp dfp_from_integer(struct dfp_env *x, enum dfp_format f, bool minus, uint64_t magnitude);
/* To an integer; *cc 0 zero, 1 less, 2 greater than zero, 3 special (the number or the range is not valid). */
uint64_t dfp_to_integer(struct dfp_env *x, const struct dfp *a, unsigned bits, bool is_signed, unsigned *cc);
/* LOAD FP INTEGER. */
struct dfp dfp_to_integral(struct dfp_env *x, const struct dfp *a);
/* QUANTIZE a to the quantum of b. REROUND to `significance` digits. */
struct dfp dfp_quantize(struct dfp_env *x, enum dfp_format f, const struct dfp *a, const struct dfp *b);
struct dfp dfp_reround(struct dfp_env *x, enum dfp_format f, const struct dfp *a, unsigned significance);

/* digits * 10**exponent, and a little more in magnitude when `sticky` (then digits has more digits than the format),
 * into format f: rounding, range, quantum nearest the preferred one, exceptions. */
struct dfp dfp_finish(struct dfp_env *x, enum dfp_format f, bool minus, dfp_digits digits, int exponent, bool sticky,
                      int preferred);

#endif
