/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: extended binary floating point by integers of 128 bits, for numbers whose exponents are
   those of normal numbers before and behind the operation, rounded to nearest while nothing traps; all else is left to
   the bodies. FPR pairs, and vector registers with the single-element or without (there is one element). PoP chapters
   19 and 24 (SA22-7832-13). */
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/engine/op_float.h"
#include "cpu/engine/tuning.h"
#include <math.h>

typedef unsigned __int128 u128;

/* A normal number: m has its leftmost bit on, e is the biased exponent. */
struct wide {
    u128 m;
    int e;
    bool minus;
};
enum { BIAS = 16383, ABOVE = 0x7fff };
#define HIDDEN ((u128)1 << 112)

static inline u128 joined(uint64_t high, uint64_t low) { return (u128)high << 64 | low; }
static inline uint64_t left(u128 v) { return (uint64_t)(v >> 64); }

/* False: zero, subnormal, infinity or NaN. */
static ALWAYS_INLINE bool take(uint64_t high, uint64_t low, struct wide *n)
{
    n->e = (int)(high >> 48) & 0x7fff;
    n->minus = high >> 63;
    n->m = (joined(high, low) | HIDDEN) << 15;
    return (unsigned)n->e - 1 < ABOVE - 1;
}

/* Round to nearest; `rest`: there is more to the right of m. False: the exponent is not that of a normal number. */
static ALWAYS_INLINE bool rounded(struct cpu *cpu, struct wide n, bool rest, u128 *result)
{
    unsigned last = (unsigned)n.m & 0x7fff;
    u128 kept = n.m >> 15;
    if (n.e < 1)
        return false;
    kept += last > 0x4000 || (last == 0x4000 && (rest || (kept & 1)));
    if (kept >> 113) {
        kept >>= 1;
        n.e++;
    }
    if (n.e >= ABOVE)
        return false;
    cpu->fpc |= last || rest ? FPC_INEXACT : 0;
    *result = (kept & (HIDDEN - 1)) | (u128)((uint64_t)n.minus << 15 | (unsigned)n.e) << 112;
    return true;
}

static ALWAYS_INLINE bool sum(struct cpu *cpu, struct wide a, struct wide b, u128 *result)
{
    if (a.e < b.e || (a.e == b.e && a.m < b.m)) {
        struct wide t = a;
        a = b;
        b = t;
    }
    int by = a.e - b.e;
    bool rest = by >= 128 || (by && b.m << (128 - by));
    u128 small = by >= 128 ? 0 : b.m >> by;
    if (a.minus == b.minus) {
        a.m += small;
        if (a.m < small) {
            rest |= a.m & 1;
            a.m = a.m >> 1 | (u128)1 << 127;
            a.e++;
        }
        return rounded(cpu, a, rest, result);
    }
    a.m -= small + rest;
    if (!a.m) {
        *result = 0;
        return true;
    }
    int shift = left(a.m) ? __builtin_clzll(left(a.m)) : 64 + __builtin_clzll((uint64_t)a.m);
    a.m <<= shift;
    a.e -= shift;
    return rounded(cpu, a, rest, result);
}

static ALWAYS_INLINE bool product(struct cpu *cpu, struct wide a, struct wide b, u128 *result)
{
    const uint64_t ah = left(a.m), al = (uint64_t)a.m, bh = left(b.m), bl = (uint64_t)b.m;
    const u128 low = (u128)al * bl, middle1 = (u128)ah * bl, middle2 = (u128)al * bh;
    const u128 carry = (u128)left(low) + (uint64_t)middle1 + (uint64_t)middle2;
    u128 high = (u128)ah * bh + left(middle1) + left(middle2) + left(carry), rest = carry << 64 | (uint64_t)low;
    a.minus ^= b.minus;
    a.e += b.e - BIAS + 1;
    if (!(high >> 127)) {
        high = high << 1 | rest >> 127;
        rest <<= 1;
        a.e--;
    }
    a.m = high;
    return rounded(cpu, a, rest, result);
}

/* floor((2^192 - 1) / d) - 2^64 for d with its leftmost bit on: one division, two corrections */
static ALWAYS_INLINE uint64_t reciprocal(u128 d)
{
    const uint64_t d1 = left(d), d0 = (uint64_t)d;
    uint64_t v = (uint64_t)(joined(~d1, ~UINT64_C(0)) / d1), p = d1 * v + d0;
    if (p < d0) {
        v--;
        if (p >= d1) {
            v--;
            p -= d1;
        }
        p -= d1;
    }
    const u128 t = (u128)d0 * v;
    p += left(t);
    if (p < left(t)) {
        v--;
        if (p >= d1 && (p > d1 || (uint64_t)t >= d0))
            v--;
    }
    return v;
}

/* One digit of 2^64: *remainder (below d) times 2^64 by d; v is d's reciprocal. */
static ALWAYS_INLINE uint64_t digit(u128 *remainder, u128 d, uint64_t v)
{
    const u128 n = *remainder, q0 = (u128)left(n) * v + n;
    uint64_t q = left(q0);
    u128 r = joined((uint64_t)n - left(d) * q, 0) - d - (u128)(uint64_t)d * q;
    q++;
    if (left(r) >= (uint64_t)q0) {
        q--;
        r += d;
    }
    if (UNLIKELY(r >= d)) {
        q++;
        r -= d;
    }
    *remainder = r;
    return q;
}

static ALWAYS_INLINE bool quotient(struct cpu *cpu, struct wide a, struct wide b, u128 *result)
{
    const uint64_t v = reciprocal(b.m);
    u128 remainder = a.m >> 1; /* its last bit is zero */
    const uint64_t high = digit(&remainder, b.m, v), low = digit(&remainder, b.m, v);
    a.m = joined(high, low);
    a.minus ^= b.minus;
    a.e += BIAS - b.e;
    if (!(a.m >> 127)) {
        a.m <<= 1;
        a.e--;
    }
    return rounded(cpu, a, remainder, result);
}

/* floor of the square root of n, whose leftmost two bits are not both zeros */
static inline uint64_t root_of(u128 n)
{
    double estimate = sqrt((double)left(n)) * 0x1p32;
    uint64_t s = estimate >= 0x1p64 ? ~UINT64_C(0) : (uint64_t)estimate;
    if (left(n) < s) { /* one step of Newton; the quotient fits */
        uint64_t q = (uint64_t)(n / s);
        s = s / 2 + q / 2 + (s & q & 1);
    }
    while ((u128)s * s > n)
        s--;
    while (n - (u128)s * s > 2 * (u128)s)
        s++;
    return s;
}

/* Half a root at a time: the root of 256 bits n * 2^128 from that of n. */
static ALWAYS_INLINE bool square_root(struct cpu *cpu, struct wide a, u128 *result)
{
    if (a.minus)
        return false;
    const bool odd = (a.e - BIAS) & 1;
    const u128 n = odd ? a.m : a.m >> 1; /* its last bit is zero */
    const uint64_t s = root_of(n);
    const u128 over = n - (u128)s * s; /* at most 2 s */
    /* over * 2^64 by 2 s, and what remains */
    u128 q = (over << 63) / s;
    if (left(q))
        q = ~UINT64_C(0);
    const u128 rest = (over << 63) - q * s;
    u128 root = joined(s, (uint64_t)q);
    /* n * 2^128 - root^2 = 2 * rest * 2^64 - q^2, as a sum with sign of 192 bits */
    u128 square = (u128)(uint64_t)q * (uint64_t)q, high = (rest << 1) - left(square);
    uint64_t low = 0 - (uint64_t)square;
    high -= low != 0;
    if (high >> 127) { /* one too great; the new remainder is 2 root - 1 more */
        root--;
        low = 1;
    }
    a.m = root;
    a.e = (a.e - BIAS - odd) / 2 + BIAS;
    return rounded(cpu, a, high || low, result);
}

/* ---- handlers -------------------------------------------------------------------------------------------------- */

/* Out of line: a handler whose local variables have addresses could not end in a jump. */
#define BINARY(name, perform, sign, high_of, low_of, first, second)                                                    \
    static __attribute__((noinline)) bool work_##name(struct cpu *cpu, const struct op *op)                            \
    {                                                                                                                  \
        struct wide x, y;                                                                                              \
        u128 r;                                                                                                        \
        if (!float_calm(cpu) || !take(high_of(first), low_of(first), &x) ||                                            \
            !take(high_of(second), low_of(second), &y))                                                                \
            return false;                                                                                              \
        y.minus ^= sign;                                                                                               \
        if (!perform(cpu, x, y, &r))                                                                                   \
            return false;                                                                                              \
        high_of(op->r1) = left(r);                                                                                     \
        low_of(op->r1) = (uint64_t)r;                                                                                  \
        return true;                                                                                                   \
    }
#define UNARY(name, high_of, low_of)                                                                                   \
    static __attribute__((noinline)) bool work_##name(struct cpu *cpu, const struct op *op)                            \
    {                                                                                                                  \
        struct wide x;                                                                                                 \
        u128 r;                                                                                                        \
        if (!float_calm(cpu) || !take(high_of(op->r2), low_of(op->r2), &x) || !square_root(cpu, x, &r))                \
            return false;                                                                                              \
        high_of(op->r1) = left(r);                                                                                     \
        low_of(op->r1) = (uint64_t)r;                                                                                  \
        return true;                                                                                                   \
    }
#define RUN(name, ...)                                                                                                 \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        if (UNLIKELY(!work_##name(cpu, op)))                                                                           \
            TAIL op_redo(ARGS);                                                                                        \
        tlb = cpu->tlb;                                                                                                \
        __VA_ARGS__;                                                                                                   \
        NEXT(1);                                                                                                       \
    }
/* FPR pairs; vector registers */
#define PAIR_HIGH(n)  (cpu->vr[n].hi)
#define PAIR_LOW(n)   (cpu->vr[(n) + 2u].hi)
#define WHOLE_HIGH(n) (cpu->vr[n].hi)
#define WHOLE_LOW(n)  (cpu->vr[n].lo)
static inline uint64_t pair_cc(uint64_t high, uint64_t low) { return high << 1 | low ? 2 - (high >> 63) : 0; }
#define PAIR_CC() a = pair_cc(PAIR_HIGH(op->r1), PAIR_LOW(op->r1))

#define PAIRED(name, perform, sign, ...)                                                                               \
    BINARY(name, perform, sign, PAIR_HIGH, PAIR_LOW, op->r1, op->r2)                                                   \
    RUN(name, __VA_ARGS__)
#define WHOLE(name, perform, sign)                                                                                     \
    BINARY(name, perform, sign, WHOLE_HIGH, WHOLE_LOW, op->r2, op->r3)                                                 \
    RUN(name, )
PAIRED(axbr, sum, false, PAIR_CC())
PAIRED(sxbr, sum, true, PAIR_CC())
PAIRED(mxbr, product, false, )
PAIRED(dxbr, quotient, false, )
UNARY(sqxbr, PAIR_HIGH, PAIR_LOW)
RUN(sqxbr, )
WHOLE(waxb, sum, false)
WHOLE(wsxb, sum, true)
WHOLE(wmxb, product, false)
WHOLE(wdxb, quotient, false)
UNARY(wsqxb, WHOLE_HIGH, WHOLE_LOW)
RUN(wsqxb, )

/* In the order of signed magnitudes, for numbers that are finite. */
static inline bool is_finite(uint64_t high) { return high << 1 < UINT64_C(0x7fff) << 49; }
static inline __int128 ordered(uint64_t high, uint64_t low)
{
    const __int128 magnitude = (__int128)(joined(high, low) << 1 >> 1);
    return high >> 63 ? -magnitude : magnitude;
}
#define COMPARED(name, high_of, low_of)                                                                                \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        if (UNLIKELY(!is_finite(high_of(op->r1)) || !is_finite(high_of(op->r2))))                                      \
            TAIL op_redo(ARGS);                                                                                        \
        const __int128 x = ordered(high_of(op->r1), low_of(op->r1)), y = ordered(high_of(op->r2), low_of(op->r2));     \
        a = (uint64_t)(x < y) | (uint64_t)(x > y) << 1;                                                                \
        NEXT(1);                                                                                                       \
    }
COMPARED(cxbr, PAIR_HIGH, PAIR_LOW)
COMPARED(wcxb, WHOLE_HIGH, WHOLE_LOW)
HANDLER(op_ltxbr)
{
    const uint64_t high = PAIR_HIGH(op->r2), low = PAIR_LOW(op->r2);
    if (UNLIKELY(!is_finite(high)))
        TAIL op_redo(ARGS);
    PAIR_HIGH(op->r1) = high;
    PAIR_LOW(op->r1) = low;
    a = pair_cc(high, low);
    NEXT(1);
}

/* From integers and from long numbers: exact. */
static inline u128 from_integer(int64_t v)
{
    const uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    if (!u)
        return 0;
    const unsigned zeros = (unsigned)__builtin_clzll(u);
    return (((u128)u << zeros << 49) & (HIDDEN - 1)) | (u128)((uint64_t)(v < 0) << 15 | (BIAS + 63 - zeros)) << 112;
}
#define SET_PAIR(value)                                                                                                \
    do {                                                                                                               \
        const u128 r_ = (value);                                                                                       \
        PAIR_HIGH(op->r1) = left(r_);                                                                                  \
        PAIR_LOW(op->r1) = (uint64_t)r_;                                                                               \
    } while (0)
HANDLER(op_cxfbr)
{
    SET_PAIR(from_integer((int32_t)LOW(op->r2)));
    NEXT(1);
}
HANDLER(op_cxgbr)
{
    SET_PAIR(from_integer((int64_t)GR(op->r2)));
    NEXT(1);
}
/* Of a normal long number or a zero */
static inline u128 lengthened(uint64_t v)
{
    const uint64_t magnitude = v & ~BIT64(0);
    const u128 e = magnitude ? (u128)(BIAS - 1023) << 112 : 0;
    return ((u128)magnitude << 60) + e + ((u128)(v & BIT64(0)) << 64);
}
HANDLER(op_lxdbr)
{
    const uint64_t v = L2;
    if (UNLIKELY(!(v << 1 == 0 || (v << 1) - (UINT64_C(1) << 53) < UINT64_C(0x7fe) << 53)))
        TAIL op_redo(ARGS);
    SET_PAIR(lengthened(v));
    NEXT(1);
}
HANDLER(op_wflld)
{
    const uint64_t v = L2;
    if (UNLIKELY(!(v << 1 == 0 || (v << 1) - (UINT64_C(1) << 53) < UINT64_C(0x7fe) << 53)))
        TAIL op_redo(ARGS);
    const u128 r = lengthened(v);
    L1 = left(r);
    cpu->vr[op->r1].lo = (uint64_t)r;
    NEXT(1);
}
/* To a long number: normal before and behind; *low is the right part of the result register in a vector. */
static __attribute__((noinline)) uint64_t shortened(struct cpu *cpu, uint64_t high, uint64_t low)
{
    const int e = ((int)(high >> 48) & 0x7fff) - BIAS + 1023;
    if (!float_calm(cpu) || e < 1 || e >= 0x7fe)
        return ~UINT64_C(0);
    const uint64_t last = low & ((UINT64_C(1) << 60) - 1), half = UINT64_C(1) << 59;
    uint64_t kept = (high & 0xffffffffffff) << 4 | low >> 60;
    kept += last > half || (last == half && (kept & 1));
    cpu->fpc |= last ? FPC_INEXACT : 0;
    return ((uint64_t)e << 52) + kept + (high & BIT64(0));
}
HANDLER(op_ldxbr)
{
    const uint64_t v = shortened(cpu, PAIR_HIGH(op->r2), PAIR_LOW(op->r2));
    if (UNLIKELY(v == ~UINT64_C(0)))
        TAIL op_redo(ARGS);
    L1 = v;
    tlb = cpu->tlb;
    NEXT(1);
}
HANDLER(op_wflrx)
{
    const uint64_t v = shortened(cpu, WHOLE_HIGH(op->r2), WHOLE_LOW(op->r2));
    if (UNLIKELY(v == ~UINT64_C(0)))
        TAIL op_redo(ARGS);
    L1 = v;
    cpu->vr[op->r1].lo = 0;
    tlb = cpu->tlb;
    NEXT(1);
}
