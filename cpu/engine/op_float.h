/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floating-point registers as numbers of the host, and the conditions under which its arithmetic gives what binary
   floating point asks for. For the handlers of cpu/engine only. PoP chapters 9 and 19 (SA22-7832-13).

   The host rounds to nearest. While the FPC register asks for that, no IEEE exception traps and inexact has been
   recognized before, an operation has no other effect than its result unless it is invalid, divides by zero, overflows
   or underflows; results within the bounds below rule that out, whatever the operands. All else is left to the
   bodies. */
#ifndef ZRI_CPU_ENGINE_OP_FLOAT_H
#define ZRI_CPU_ENGINE_OP_FLOAT_H

#include "cpu/engine/block.h"
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

/* Registers */
#define L1 (cpu->vr[op->r1].hi)
#define L2 (cpu->vr[op->r2].hi)
#define L3 (cpu->vr[op->r3].hi)
/* The leftmost 32 bits of a register */
#define SHORT(n) (*(uint32_t *)(void *)((uint8_t *)&cpu->vr[n].hi + (4 - LOW_HALF)))
#define S1       SHORT(op->r1)
#define S2       SHORT(op->r2)

#define EA_X                (GR(op->r2) + GR(op->r3) + (uint64_t)(int64_t)op->d)
#define IN_PAGE(tag, ea, n) LIKELY((tag) == (((ea) + (n)-1) & PAGE_ADDRESS))

/* Operands x, y; r the result. `fits` bounds r; `inexact` finds out for the first inexact result whether it is one:
   0 no, 1 yes, UNKNOWN the body shall tell. */
#define UNKNOWN 2
/* The flag for the first inexact result, or the body. */
#define FIRST_INEXACT(inexact)                                                                                         \
    if (UNLIKELY(!float_steady(cpu))) {                                                                                \
        const unsigned is = float_calm(cpu) ? (inexact) : UNKNOWN;                                                     \
        if (is == UNKNOWN)                                                                                             \
            TAIL op_redo(ARGS);                                                                                        \
        cpu->fpc |= is ? FPC_INEXACT : 0;                                                                              \
    }
#define WORK(host, as, bits_of, type, to, first, second, expression, fits, inexact, ...)                               \
    const type xv = (first), yv = (second);                                                                            \
    const host x = as(xv), y = as(yv);                                                                                 \
    const host r = (expression);                                                                                       \
    const type rv = bits_of(r);                                                                                        \
    (void)x;                                                                                                           \
    if (UNLIKELY(!(fits)))                                                                                             \
        TAIL op_redo(ARGS);                                                                                            \
    FIRST_INEXACT(inexact)                                                                                             \
    to = rv;                                                                                                           \
    __VA_ARGS__;                                                                                                       \
    NEXT(1)
/* A product or quotient may be zero when the first operand (or either factor) is. */
#define ZERO_IF(zero) (r == 0 && (zero))
/* Tests that hold for ordinary long operands */
#define WITH_ORDINARY(test) (r == 0 ? 0u : long_ordinary(xv) && long_ordinary(yv) ? (unsigned)(test) : UNKNOWN)

#define COMPARISON(x, y)                                                                                               \
    if (UNLIKELY(__builtin_isunordered(x, y)))                                                                         \
        TAIL op_redo(ARGS);                                                                                            \
    a = (uint64_t)((x) < (y)) | (uint64_t)((x) > (y)) << 1;                                                            \
    NEXT(1)

/* Multiplication and addition rounded once: a function that may use the host's must be FUSED, and be called only where
   block_fused() is true. */
#if defined __x86_64__ && !defined __FMA__
#define FUSED __attribute__((target("fma")))
#else
#define FUSED
#endif

/* Leftmost elements of vectors: V1 from V2 and V3, and V4 in m; V1 is zero beside it. */
/* clang-format off */
#define VECTOR_SINGLE(V)                                                                                               \
    V(wadb) V(wsdb) V(wmdb) V(wddb) V(wsqdb) V(waeb) V(wseb) V(wmeeb) V(wdeb) V(wsqeb) V(wmadb) V(wmsdb) V(wmaeb)      \
    V(wmseb) V(waxb) V(wsxb) V(wmxb) V(wdxb) V(wsqxb) V(wcxb) V(wflld) V(wflrx)
/* clang-format on */
#define DECLARE(name) HANDLER(op_##name);
VECTOR_SINGLE(DECLARE)
#undef DECLARE

#endif
