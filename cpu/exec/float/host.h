/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the host's arithmetic gives what binary floating point asks for. PoP chapters 9 and 19 (SA22-7832-13).

   The host rounds to nearest. While the FPC register asks for that, no IEEE exception traps and inexact has been
   recognized before, an operation has no other effect than its result unless it is invalid, divides by zero, overflows
   or underflows; results within the bounds below rule that out, whatever the operands. All else is left to the
   bodies. */
#ifndef ZRI_CPU_EXEC_FLOAT_HOST_H
#define ZRI_CPU_EXEC_FLOAT_HOST_H

#include "cpu/exec/float.h"

/* Rounding to nearest, nothing traps; and the inexact flag is up. */
static inline bool float_calm(const struct cpu *cpu) { return !(cpu->fpc & (0xf8000000u | FPC_BRM)); }
static inline bool float_steady(const struct cpu *cpu)
{
    return (cpu->fpc & (0xf8000000u | FPC_BRM | FPC_INEXACT)) == FPC_INEXACT;
}

/* A result that is neither a NaN nor infinite. Sums and differences need no more: those that are tiny are exact. */
static inline bool long_finite(uint64_t v) { return v << 1 < UINT64_C(0x7ff) << 53; }
static inline bool short_finite(uint32_t v) { return v << 1 < UINT32_C(0xff) << 24; }
/* ... and not tiny, nor rounded up from a tiny one. */
static inline bool long_ordinary(uint64_t v)
{
    return (v << 1) - (UINT64_C(2) << 53) < (UINT64_C(0x7ff) << 53) - (UINT64_C(2) << 53);
}
static inline bool short_ordinary(uint32_t v)
{
    return (v << 1) - (UINT32_C(2) << 24) < (UINT32_C(0xff) << 24) - (UINT32_C(2) << 24);
}

/* Was a sum rounded? z is the second operand, negative for a difference; all finite, no overflow. */
static inline bool long_sum_inexact(double x, double z, double r)
{
    double v = r - x;
    return (x - (r - v)) + (z - v) != 0;
}
static inline bool short_sum_inexact(float x, float z, float r)
{
    float v = r - x;
    return (x - (r - v)) + (z - v) != 0;
}
/* Was an ordinary product rounded, of ordinary factors? Its significand has 105 or 106 bits. */
static inline bool long_product_inexact(uint64_t x, uint64_t y)
{
    const uint64_t hidden = UINT64_C(1) << 52, fraction = hidden - 1;
    unsigned __int128 p = (unsigned __int128)((x & fraction) | hidden) * ((y & fraction) | hidden);
    return (uint64_t)p & (p >> 105 ? fraction << 1 | 1 : fraction);
}

/* x times y plus z: 0 for integers that leave no doubt; else 2, not known. */
static inline bool long_integer(double x) { return x > -0x1p53 && x < 0x1p53 && x == (double)(int64_t)x; }
static inline unsigned fused_inexact(double x, double y, double z)
{
    return long_integer(x) && long_integer(y) && long_integer(z) && long_integer(x * y) && long_integer(x * y + z) ? 0
                                                                                                                   : 2;
}

/* Condition code 0 zero, 1 less, 2 greater than zero of a number. */
static inline uint64_t long_cc(uint64_t v) { return v << 1 ? 2 - (v >> 63) : 0; }
static inline uint64_t short_cc(uint32_t v) { return v << 1 ? 2 - (v >> 31) : 0; }

#endif
