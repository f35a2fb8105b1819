/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary floating-point arithmetic: exact results rounded once, IEEE exceptions and traps. PoP chapters 9 and 19. Knows
   no CPU: the same functions serve scalar and vector instructions. */
#ifndef ZRI_CPU_NUMBERS_BFP_H
#define ZRI_CPU_NUMBERS_BFP_H

#include <stdbool.h>
#include <stdint.h>

/* A number in its format, right-aligned: 32, 64 or 128 bits. */
typedef unsigned __int128 bfp_bits;

enum bfp_format { BFP_SHORT, BFP_LONG, BFP_EXTENDED };

/* IEEE exceptions as in byte 0 and 1 of the FPC register, and in the data-exception code. */
enum { BFP_INVALID = 0x80, BFP_DIVIDE = 0x40, BFP_OVERFLOW = 0x20, BFP_UNDERFLOW = 0x10, BFP_INEXACT = 0x08 };
#define BFP_INCREMENTED 0x04 /* of the data-exception code */

/* Rounding methods, numbered as M3 of CONVERT TO FIXED. */
enum bfp_rounding {
    BFP_NEAREST_AWAY = 1,
    BFP_SHORTER = 3, /* prepare for shorter precision */
    BFP_NEAREST_EVEN = 4,
    BFP_TOWARD_ZERO = 5,
    BFP_UP = 6,
    BFP_DOWN = 7,
    /* of conversions between the radices only */
    BFP_NEAREST_TOWARD_ZERO = 8,
    BFP_AWAY = 9,
};

/* What an operation needs and what it recognized. */
struct bfp {
    uint8_t rounding; /* enum bfp_rounding */
    uint8_t masks;    /* exceptions that trap */
    bool quiet;       /* inexact is not recognized (XxC) */
    uint8_t flags;    /* out: exceptions that do not trap */
    uint8_t dxc;      /* out: data-exception code of a trap, 0 none */
    bool suppressed;  /* out: the trap suppresses the operation; else the result is to be stored */
};

/* Classes in the order of TEST DATA CLASS. */
enum bfp_class { BFP_ZERO, BFP_NORMAL, BFP_SUBNORMAL, BFP_INFINITY, BFP_QNAN, BFP_SNAN };
enum bfp_class bfp_classify(enum bfp_format format, bfp_bits a, bool *negative);

/* a+b, a-b, a*b (of format `from`, the product in format `to`), a/b: rounded once as `x` says; flags and traps come
   into it. */
bfp_bits bfp_add(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b);
bfp_bits bfp_subtract(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b);
bfp_bits bfp_multiply(struct bfp *x, enum bfp_format from, enum bfp_format to, bfp_bits a, bfp_bits b);
bfp_bits bfp_divide(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b);
/* a*b+c, or a*b-c; rounded once. Of several NaNs the first signaling one, else the first, in the order of the
   arguments; but infinity times zero is invalid whatever c is. Short and long, and extended for vectors. */
bfp_bits bfp_multiply_add(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b, bfp_bits c, bool subtract);
bfp_bits bfp_square_root(struct bfp *x, enum bfp_format f, bfp_bits a);
/* Condition code 0 equal, 1 low, 2 high, 3 unordered. `signal`: QNaNs are invalid too. */
unsigned bfp_compare(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b, bool signal);
/* LOAD LENGTHENED and LOAD ROUNDED. With an overflow or underflow trap of the latter *in_source is true and the result
   is in the source format, rounded to the target precision, its exponent less or more by 512 (long) or 8192
   (extended). */
bfp_bits bfp_convert(struct bfp *x, enum bfp_format from, enum bfp_format to, bfp_bits a, bool *in_source);
bfp_bits bfp_to_integral(struct bfp *x, enum bfp_format f, bfp_bits a);
/* m / 2^127 * 2^e, rounded to the format; m need not be normalized. */
bfp_bits bfp_round(struct bfp *x, enum bfp_format f, bool minus, int e, bfp_bits m);
/* From a 64-bit integer, signed or not. */
bfp_bits bfp_from_integer(struct bfp *x, enum bfp_format f, uint64_t value, bool is_signed);
/* To an integer of 32 or 64 bits; *cc is 0 zero, 1 less, 2 greater than zero, 3 special (the number or the range is not
 * valid). */
uint64_t bfp_to_integer(struct bfp *x, enum bfp_format f, bfp_bits a, unsigned bits, bool is_signed, unsigned *cc);
/* LOAD AND TEST: a signaling NaN is invalid and becomes quiet. */
bfp_bits bfp_quiet(struct bfp *x, enum bfp_format f, bfp_bits a);
/* DIVIDE TO INTEGER: remainder, *quotient, *cc 0-3. `rounding` is that of the quotient, x->rounding that of the
 * remainder. */
bfp_bits bfp_divide_to_integer(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b, unsigned rounding,
                               bfp_bits *quotient, unsigned *cc);
/* Condition code of a result: 0 zero, 1 less, 2 greater than zero, 3 NaN. */
unsigned bfp_cc(enum bfp_format f, bfp_bits a);

#endif
