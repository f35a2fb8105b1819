/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hexadecimal floating-point arithmetic. PoP chapters 9 and 18 (SA22-7832-13). Knows no CPU. */
#ifndef ZRI_CPU_NUMBERS_HFP_H
#define ZRI_CPU_NUMBERS_HFP_H

#include "cpu/numbers/bfp.h"

/* A number in its format, right-aligned: 32, 64 or 128 bits. */
typedef unsigned __int128 hfp_bits;

enum hfp_format { HFP_SHORT, HFP_LONG, HFP_EXTENDED };

/* What an operation recognized. The last two suppress it; the others leave a result. */
enum hfp_exception {
    HFP_NO_EXCEPTION,
    HFP_OVERFLOW,
    HFP_UNDERFLOW,
    HFP_SIGNIFICANCE,
    HFP_DIVIDE_BY_ZERO,
    HFP_ROOT_OF_NEGATIVE
};

/* What an operation needs and what it recognized. */
struct hfp {
    bool underflow;    /* exponent-underflow mask of the PSW */
    bool significance; /* significance mask of the PSW */
    uint8_t cc;        /* out: condition code of the result */
    uint8_t exception; /* out: enum hfp_exception */
};

/* ADD, SUBTRACT NORMALIZED and UNNORMALIZED. Exponent overflow, exponent underflow (normalized), significance; cc
   0-2. */
hfp_bits hfp_add(struct hfp *x, enum hfp_format f, hfp_bits a, hfp_bits b, bool subtract, bool normalize);
/* COMPARE: condition code 0 equal, 1 low, 2 high. */
unsigned hfp_compare(enum hfp_format f, hfp_bits a, hfp_bits b);
/* MULTIPLY of numbers in `from` to a normalized product in `to`, truncated. Exponent overflow, underflow. */
hfp_bits hfp_multiply(struct hfp *x, enum hfp_format from, enum hfp_format to, hfp_bits a, hfp_bits b);
/* DIVIDE. Exponent overflow, underflow, HFP divide (suppresses). */
hfp_bits hfp_divide(struct hfp *x, enum hfp_format f, hfp_bits a, hfp_bits b);
/* MULTIPLY AND ADD, SUBTRACT: a*b+c or a*b-c, exact, then normalized and truncated. Short and long. */
hfp_bits hfp_multiply_add(struct hfp *x, enum hfp_format f, hfp_bits a, hfp_bits b, hfp_bits c, bool subtract);
/* MULTIPLY (AND ADD) UNNORMALIZED: long a*b, or a*b+*c when c is not NULL, as an extended number. No exceptions. */
hfp_bits hfp_multiply_unnormalized(hfp_bits a, hfp_bits b, const hfp_bits *c);
/* SQUARE ROOT, rounded. HFP square root (suppresses). */
hfp_bits hfp_square_root(struct hfp *x, enum hfp_format f, hfp_bits a);
/* HALVE. Exponent underflow. */
hfp_bits hfp_halve(struct hfp *x, enum hfp_format f, hfp_bits a);
/* LOAD LENGTHENED and LOAD ROUNDED. Exponent overflow of the latter. */
hfp_bits hfp_convert(struct hfp *x, enum hfp_format from, enum hfp_format to, hfp_bits a);
/* LOAD FP INTEGER: truncated and normalized. */
hfp_bits hfp_to_integral(enum hfp_format f, hfp_bits a);
/* LOAD AND TEST, COMPLEMENT, NEGATIVE, POSITIVE: the number with a sign; *cc is 0-2. The low-order part of an extended
   number is made to fit. */
hfp_bits hfp_with_sign(enum hfp_format f, hfp_bits a, bool minus, unsigned *cc);
bool hfp_is_minus(enum hfp_format f, hfp_bits a);
/* CONVERT FROM FIXED: normalized, truncated. */
hfp_bits hfp_from_integer(enum hfp_format f, int64_t value);
/* CONVERT TO FIXED, 32 or 64 bits, rounding method as enum bfp_rounding; *cc 0-2, 3 the number does not fit (the
   greatest or least integer then). */
uint64_t hfp_to_integer(enum hfp_format f, hfp_bits a, unsigned bits, unsigned rounding, unsigned *cc);
/* A number out of its format: the integer that is returned times 2^*e; its sign. */
hfp_bits hfp_decode(enum hfp_format f, hfp_bits a, bool *minus, int *e);
/* What rounding to the digits of a format did; the characteristic may be out of 0-127. */
struct hfp_rounded {
    hfp_bits fraction; /* 6, 14 or 28 digits, normalized */
    int characteristic;
    bool inexact, incremented;
};
/* m / 2^127 * 2^e, the leftmost bit of m on, by a rounding method as enum bfp_rounding. */
struct hfp_rounded hfp_round(enum hfp_format f, unsigned rounding, bool minus, int e, hfp_bits m);
/* Into the format, the characteristic modulo 128; a zero has no characteristic. */
hfp_bits hfp_encode(enum hfp_format f, bool minus, const struct hfp_rounded *r);
/* The number of largest magnitude. */
hfp_bits hfp_greatest(enum hfp_format f, bool minus);
/* CONVERT BFP TO HFP (long) and CONVERT HFP (long) TO BFP; *cc 0-2, 3 special case. */
hfp_bits hfp_from_bfp(enum bfp_format from, bfp_bits a, unsigned *cc);
bfp_bits hfp_to_bfp(enum bfp_format to, hfp_bits a, unsigned rounding, unsigned *cc);

#endif
