/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion between binary, decimal and hexadecimal floating point: one exact number, rounded once in the radix of the
   result. PoP chapter 9, PERFORM FLOATING-POINT OPERATION (SA22-7832-13). Knows no CPU. */
#ifndef ZRI_CPU_NUMBERS_RADIX_H
#define ZRI_CPU_NUMBERS_RADIX_H

#include "cpu/numbers/dfp.h"

/* A number in its format, right-aligned: 32, 64 or 128 bits. */
typedef unsigned __int128 radix_bits;

enum radix { RADIX_HFP, RADIX_BFP, RADIX_DFP };

/* Radix and length (0 short, 1 long, 2 extended, as in enum bfp_format, dfp_format and hfp_format). */
struct radix_format {
    uint8_t radix; /* enum radix */
    uint8_t length;
};

/* What a conversion needs and what it recognized. */
struct radix_env {
    uint8_t rounding;    /* enum dfp_rounding, for every radix */
    uint8_t masks;       /* exceptions that trap */
    bool quiet;          /* inexact is not recognized */
    bool hfp_overflow;   /* a number too large for HFP is an overflow, else an invalid operation */
    bool hfp_underflow;  /* one too small for HFP is an underflow, else only inexact */
    bool quantum_of_one; /* DFP: exact results prefer the quantum 1, else the largest one */
    uint8_t flags;       /* out: exceptions that do not trap */
    uint8_t dxc;         /* out: data-exception code of a trap, 0 none */
    bool suppressed;     /* out: the trap suppresses the operation; else the result is to be stored */
};

/* The number `bits` of one format in another, of another radix. A result whose overflow or underflow traps is scaled:
 * its leftmost digit stands in the units position. */
radix_bits radix_convert(struct radix_env *x, struct radix_format from, struct radix_format to, radix_bits bits);

#endif
