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

/* A normal number: its significand has 113 bits, 49 of them in `high`; e is the biased exponent. Behind operations
   there are 64 bits more in `last`. */
struct wide {
    uint64_t high, low, last;
    int e;
    bool minus;
};
enum { BIAS = 16383, ABOVE = 0x7fff };
#define HIDDEN (UINT64_C(1) << 48)

static inline u128 joined(uint64_t high, uint64_t low) { return (u128)high << 64 | low; }
static inline uint64_t left(u128 v) { return (uint64_t)(v >> 64); }

/* False: zero, subnormal, infinity or NaN. */
static ALWAYS_INLINE bool take(uint64_t high, uint64_t low, struct wide *n)
{
    const unsigned e = (unsigned)(high >> 48) & 0x7fff;
    *n = (struct wide){(high & (HIDDEN - 1)) | HIDDEN, low, 0, (int)e, high >> 63};
    return e - 1 < ABOVE - 1;
}

/* What follows has hardly a branch that depends on bits of fractions, as the host would not foresee it. Shifts by up to
   63 that may be by none are made of two. */

/* Round to nearest; `rest`: there is more to the right. False: the exponent is not that of a normal number, or may not
   be one behind rounding. */
static ALWAYS_INLINE bool rounded(struct cpu *cpu, struct wide n, bool rest, u128 *result)
{
    if (UNLIKELY((unsigned)n.e - 1 >= ABOVE - 2))
        return false;
    uint64_t unused;
    n.last |= rest;
    /* More than a half, or a half beside an odd bit, is carried. */
    const uint64_t up = __builtin_add_overflow(n.last, (~UINT64_C(0) >> 1) + (n.low & 1), &unused);
    cpu->fpc |= (uint32_t)(n.last != 0) * FPC_INEXACT;
    /* The leftmost bit adds one to the exponent, and so does a carry. */
    *result = joined(n.high + ((uint64_t)n.minus << 63 | (uint64_t)(unsigned)(n.e - 1) << 48), n.low) + up;
    return true;
}

/* By 0 or 1 to the right; a bit may be lost, which is returned. */
static ALWAYS_INLINE bool halve(struct wide *n, unsigned by)
{
    const bool lost = n->last & by;
    n->last = n->last >> by | (n->low & by) << 63;
    n->low = n->low >> by | (n->high & by) << 63;
    n->high >>= by;
    n->e += (int)by;
    return lost;
}

/* By less than 64 to the left, or to the right into what is zero. */
static ALWAYS_INLINE void shift_left(struct wide *n, unsigned by)
{
    n->high = n->high << by | n->low >> 1 >> (63 - by);
    n->low = n->low << by | n->last >> 1 >> (63 - by);
    n->last <<= by;
}
static ALWAYS_INLINE void shift_right(struct wide *n, unsigned by)
{
    n->last = n->low << 1 << (63 - by);
    n->low = n->low >> by | n->high << 1 << (63 - by);
    n->high >>= by;
}

/* a less b, the smaller one, and less something to the right of both */
static ALWAYS_INLINE bool difference(struct cpu *cpu, struct wide a, struct wide b, bool rest, u128 *result)
{
    const u128 under = (u128)0 - b.last - rest;
    const u128 whole = joined(a.high, a.low) - joined(b.high, b.low) - (left(under) & 1);
    a.high = left(whole);
    a.low = (uint64_t)whole;
    a.last = (uint64_t)under;
    for (unsigned i = 0; UNLIKELY(!a.high); i++) {
        if (i == 2) {
            *result = 0;
            return true;
        }
        a.high = a.low;
        a.low = a.last;
        a.last = 0;
        a.e -= 64;
    }
    const int shift = __builtin_clzll(a.high) - 15;
    if (shift < 0) {
        const unsigned by = (unsigned)-shift;
        a.last = a.low << (64 - by) | a.last >> by;
        a.low = a.high << (64 - by) | a.low >> by;
        a.high >>= by;
    } else {
        shift_left(&a, (unsigned)shift);
    }
    a.e -= shift;
    return rounded(cpu, a, rest, result);
}

static ALWAYS_INLINE bool sum(struct cpu *cpu, struct wide a, struct wide b, u128 *result)
{
    if (a.e < b.e || (a.e == b.e && joined(a.high, a.low) < joined(b.high, b.low))) {
        struct wide t = a;
        a = b;
        b = t;
    }
    const unsigned by = (unsigned)(a.e - b.e);
    bool rest = false;
    if (by < 64) {
        shift_right(&b, by);
    } else if (by < 128) {
        rest = b.low << 1 << (127 - by);
        b = (struct wide){0, b.high, b.low, 0, b.minus};
        b.last = b.last >> (by - 64) | b.low << 1 << (127 - by);
        b.low >>= by - 64;
    } else {
        rest = true;
        b.high = b.low = 0;
    }
    if (a.minus != b.minus)
        return difference(cpu, a, b, rest, result);
    const u128 whole = joined(a.high, a.low) + joined(b.high, b.low);
    a.high = left(whole);
    a.low = (uint64_t)whole;
    a.last = b.last;
    rest |= halve(&a, (unsigned)(a.high >> 49));
    return rounded(cpu, a, rest, result);
}

static ALWAYS_INLINE bool product(struct cpu *cpu, struct wide a, struct wide b, u128 *result)
{
    const u128 lowest = (u128)a.low * b.low;
    const u128 middle = (u128)a.high * b.low + (u128)a.low * b.high + left(lowest);
    const u128 highest = (u128)a.high * b.high + left(middle); /* 97 or 98 bits of 225 or 226 */
    const unsigned by = 16 - (unsigned)(highest >> 97);
    a = (struct wide){left(highest), (uint64_t)highest, (uint64_t)middle, a.e + b.e - BIAS + 16 - (int)by,
                      a.minus ^ b.minus};
    a.high = a.high << by | a.low >> (64 - by);
    a.low = a.low << by | a.last >> (64 - by);
    a.last <<= by;
    return rounded(cpu, a, (uint64_t)lowest, result);
}

/* With the leftmost bit on, and 128 bits of which the leftmost or the next one is on: these are rounded. */
static ALWAYS_INLINE u128 aligned(const struct wide *n) { return joined(n->high, n->low) << 15; }
static ALWAYS_INLINE bool put(struct cpu *cpu, u128 m, int e, bool minus, bool rest, u128 *result)
{
    const unsigned by = 14 + (unsigned)(m >> 127);
    const uint64_t high = left(m), low = (uint64_t)m;
    return rounded(cpu,
                   (struct wide){high >> by, high << (64 - by) | low >> by, low << (64 - by), e - 15 + (int)by, minus},
                   rest, result);
}

/* n by d, when the quotient has 64 bits at most. */
static ALWAYS_INLINE uint64_t divided(u128 n, uint64_t d, uint64_t *remainder)
{
#ifdef __x86_64__ /* the compiler's own division does not know that it has */
    uint64_t q;
    __asm__("divq %4" : "=a"(q), "=d"(*remainder) : "a"((uint64_t)n), "d"(left(n)), "rm"(d) : "cc");
    return q;
#else
    *remainder = (uint64_t)(n % d);
    return (uint64_t)(n / d);
#endif
}

/* floor((2^192 - 1) / d) - 2^64 for d with its leftmost bit on: one division, two corrections */
static ALWAYS_INLINE uint64_t reciprocal(u128 d)
{
    const uint64_t d1 = left(d), d0 = (uint64_t)d;
    uint64_t rest, v = divided(joined(~d1, ~UINT64_C(0)), d1, &rest), p = d1 * v + d0;
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
    const bool less = left(r) >= (uint64_t)q0;
    q += !less;
    r += d & -(u128)less;
    if (UNLIKELY(r >= d)) {
        q++;
        r -= d;
    }
    *remainder = r;
    return q;
}

/* From a quotient of n * 2^128 by d that is at most 3 too small, the right one; true: there is a remainder */
static __attribute__((noinline)) bool corrected(u128 *q, u128 n, u128 d)
{
    const uint64_t d1 = left(d), d0 = (uint64_t)d, q1 = left(*q), q0 = (uint64_t)*q;
    const u128 last = (u128)q0 * d0;
    /* The remainder's 192 bits; it is less than 4 * d. */
    uint64_t low = 0 - (uint64_t)last;
    u128 high = joined((uint64_t)n - q1 * d1, 0) - (u128)q1 * d0 - (u128)q0 * d1 - left(last) - (low != 0);
    for (; high > d1 || (high == d1 && low >= d0); ++*q) {
        high -= d1 + (u128)(low < d0);
        low -= d0;
    }
    return high || low;
}

static ALWAYS_INLINE bool quotient(struct cpu *cpu, struct wide a, struct wide b, u128 *result)
{
    const u128 divisor = aligned(&b), n = aligned(&a) >> 1; /* the last bit was zero */
    const uint64_t d = left(divisor), n1 = left(n), n0 = (uint64_t)n;
    u128 q = n << 1, remainder = n;
    bool rest = false;
    if (divisor << 1) {           /* no power of two */
        if (!(uint64_t)divisor) { /* integers, mostly; this way only multiplications wait for the dividend */
            uint64_t last, v1 = divided(joined(~d, ~UINT64_C(0)), d, &last);
            uint64_t v0 = divided(joined(last, ~UINT64_C(0)), d, &last);
            q = n + (u128)n1 * v1 + left((u128)n1 * v0) + left((u128)n0 * v1);
        } else {
            const uint64_t v = reciprocal(divisor), high = digit(&remainder, divisor, v);
            q = joined(high, left((u128)left(remainder) * v + remainder));
        }
        /* Less than 4 too small, which matters only where it may be exact, or between two numbers. */
        rest = (((uint64_t)q + 3) & 0x1fff) > 3 || corrected(&q, n, divisor);
    }
    return put(cpu, q, a.e - b.e + BIAS, a.minus ^ b.minus, rest, result);
}

/* floor of the square root of n, whose leftmost two bits are not both zeros */
static inline uint64_t root_of(u128 n)
{
    double estimate = sqrt((double)left(n)) * 0x1p32;
    uint64_t s = estimate >= 0x1p64 ? ~UINT64_C(0) : (uint64_t)estimate;
    if (left(n) < s) { /* one step of Newton; the quotient fits */
        uint64_t rest, q = divided(n, s, &rest);
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
    const u128 n = aligned(&a) >> !odd; /* its last bit is zero */
    const uint64_t s = root_of(n);
    const u128 over = n - (u128)s * s; /* at most 2 s */
    /* over * 2^64 by 2 s, and what remains */
    uint64_t unused;
    const uint64_t q = left(over << 63) >= s ? ~UINT64_C(0) : divided(over << 63, s, &unused);
    const u128 rest = (over << 63) - (u128)q * s;
    u128 root = joined(s, q);
    /* n * 2^128 - root^2 = 2 * rest * 2^64 - q^2, as a sum with sign of 192 bits */
    u128 square = (u128)q * q, high = (rest << 1) - left(square);
    uint64_t low = 0 - (uint64_t)square;
    high -= low != 0;
    if (high >> 127) { /* one too great; the new remainder is 2 root - 1 more */
        root--;
        low = 1;
    }
    return put(cpu, root, (a.e - BIAS - odd) / 2 + BIAS, false, high || low, result);
}

/* ---- handlers -------------------------------------------------------------------------------------------------- */

/* Functions on the registers that an operation names: 1 and, where the instruction sets it, the condition code, or 0:
   it is left to the body. Translated code calls them too. They are out of line as a handler whose local variables have
   addresses could not end in a jump. */
#define BINARY(name, perform, sign, high_of, low_of, first, second, code)                                              \
    uint64_t extended_##name(struct cpu *cpu, const struct op *op)                                                     \
    {                                                                                                                  \
        struct wide x, y;                                                                                              \
        u128 r;                                                                                                        \
        if (UNLIKELY(!float_calm(cpu) || !take(high_of(first), low_of(first), &x) ||                                   \
                     !take(high_of(second), low_of(second), &y)))                                                      \
            return 0;                                                                                                  \
        y.minus ^= sign;                                                                                               \
        if (UNLIKELY(!perform(cpu, x, y, &r)))                                                                         \
            return 0;                                                                                                  \
        high_of(op->r1) = left(r);                                                                                     \
        low_of(op->r1) = (uint64_t)r;                                                                                  \
        return code;                                                                                                   \
    }
#define UNARY(name, high_of, low_of)                                                                                   \
    uint64_t extended_##name(struct cpu *cpu, const struct op *op)                                                     \
    {                                                                                                                  \
        struct wide x;                                                                                                 \
        u128 r;                                                                                                        \
        if (UNLIKELY(!float_calm(cpu) || !take(high_of(op->r2), low_of(op->r2), &x) || !square_root(cpu, x, &r)))      \
            return 0;                                                                                                  \
        high_of(op->r1) = left(r);                                                                                     \
        low_of(op->r1) = (uint64_t)r;                                                                                  \
        return 1;                                                                                                      \
    }
#define RUN(name)                                                                                                      \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        if (UNLIKELY(!extended_##name(cpu, op)))                                                                       \
            TAIL op_redo(ARGS);                                                                                        \
        tlb = cpu->tlb;                                                                                                \
        NEXT(1);                                                                                                       \
    }
#define RUN_CC(name)                                                                                                   \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        const uint64_t code = extended_##name(cpu, op);                                                                \
        if (UNLIKELY(!code))                                                                                           \
            TAIL op_redo(ARGS);                                                                                        \
        tlb = cpu->tlb;                                                                                                \
        a = code - 1;                                                                                                  \
        NEXT(1);                                                                                                       \
    }
/* FPR pairs; vector registers */
#define PAIR_HIGH(n)  (cpu->vr[n].hi)
#define PAIR_LOW(n)   (cpu->vr[(n) + 2u].hi)
#define WHOLE_HIGH(n) (cpu->vr[n].hi)
#define WHOLE_LOW(n)  (cpu->vr[n].lo)
/* Condition code and 1 */
static inline uint64_t number_code(u128 r) { return r << 1 ? 3 - (left(r) >> 63) : 1; }

#define PAIRED(name, perform, sign, code) BINARY(name, perform, sign, PAIR_HIGH, PAIR_LOW, op->r1, op->r2, code)
#define WHOLE(name, perform, sign)        BINARY(name, perform, sign, WHOLE_HIGH, WHOLE_LOW, op->r2, op->r3, 1)
PAIRED(axbr, sum, false, number_code(r))
PAIRED(sxbr, sum, true, number_code(r))
PAIRED(mxbr, product, false, 1)
PAIRED(dxbr, quotient, false, 1)
UNARY(sqxbr, PAIR_HIGH, PAIR_LOW)
WHOLE(waxb, sum, false)
WHOLE(wsxb, sum, true)
WHOLE(wmxb, product, false)
WHOLE(wdxb, quotient, false)
UNARY(wsqxb, WHOLE_HIGH, WHOLE_LOW)
RUN_CC(axbr)
RUN_CC(sxbr)
RUN(mxbr)
RUN(dxbr)
RUN(sqxbr)
RUN(waxb)
RUN(wsxb)
RUN(wmxb)
RUN(wdxb)
RUN(wsqxb)

/* In the order of signed magnitudes, for numbers that are finite. */
static inline bool is_finite(uint64_t high) { return high << 1 < UINT64_C(0x7fff) << 49; }
static inline __int128 ordered(uint64_t high, uint64_t low)
{
    const __int128 magnitude = (__int128)(joined(high, low) << 1 >> 1);
    return high >> 63 ? -magnitude : magnitude;
}
#define COMPARED(name, high_of, low_of)                                                                                \
    uint64_t extended_##name(struct cpu *cpu, const struct op *op)                                                     \
    {                                                                                                                  \
        if (UNLIKELY(!is_finite(high_of(op->r1)) || !is_finite(high_of(op->r2))))                                      \
            return 0;                                                                                                  \
        const __int128 x = ordered(high_of(op->r1), low_of(op->r1)), y = ordered(high_of(op->r2), low_of(op->r2));     \
        return 1 + ((uint64_t)(x < y) | (uint64_t)(x > y) << 1);                                                       \
    }                                                                                                                  \
    RUN_CC(name)
COMPARED(cxbr, PAIR_HIGH, PAIR_LOW)
COMPARED(wcxb, WHOLE_HIGH, WHOLE_LOW)
uint64_t extended_ltxbr(struct cpu *cpu, const struct op *op)
{
    const uint64_t high = PAIR_HIGH(op->r2), low = PAIR_LOW(op->r2);
    if (UNLIKELY(!is_finite(high)))
        return 0;
    PAIR_HIGH(op->r1) = high;
    PAIR_LOW(op->r1) = low;
    return number_code(joined(high, low));
}
RUN_CC(ltxbr)

/* From integers and from long numbers: exact. */
static inline u128 from_integer(int64_t v)
{
    const uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    if (!u)
        return 0;
    const unsigned zeros = (unsigned)__builtin_clzll(u);
    return (((u128)u << zeros << 49) & (((u128)1 << 112) - 1)) | (u128)((uint64_t)(v < 0) << 15 | (BIAS + 63 - zeros))
                                                                     << 112;
}
uint64_t extended_from_integer(struct cpu *cpu, const struct op *op, uint64_t v)
{
    const u128 r = from_integer((int64_t)v);
    PAIR_HIGH(op->r1) = left(r);
    PAIR_LOW(op->r1) = (uint64_t)r;
    return 1;
}
HANDLER(op_cxfbr)
{
    extended_from_integer(cpu, op, (uint64_t)(int64_t)(int32_t)LOW(op->r2));
    NEXT(1);
}
HANDLER(op_cxgbr)
{
    extended_from_integer(cpu, op, GR(op->r2));
    NEXT(1);
}
/* Of a normal long number or a zero */
static inline u128 lengthened(uint64_t v)
{
    const uint64_t magnitude = v & ~BIT64(0);
    const u128 e = magnitude ? (u128)(BIAS - 1023) << 112 : 0;
    return ((u128)magnitude << 60) + e + ((u128)(v & BIT64(0)) << 64);
}
#define LENGTHENED(name, high_of, low_of)                                                                              \
    uint64_t extended_##name(struct cpu *cpu, const struct op *op)                                                     \
    {                                                                                                                  \
        const uint64_t v = L2;                                                                                         \
        if (UNLIKELY(!(v << 1 == 0 || (v << 1) - (UINT64_C(1) << 53) < UINT64_C(0x7fe) << 53)))                        \
            return 0;                                                                                                  \
        const u128 r = lengthened(v);                                                                                  \
        high_of(op->r1) = left(r);                                                                                     \
        low_of(op->r1) = (uint64_t)r;                                                                                  \
        return 1;                                                                                                      \
    }                                                                                                                  \
    RUN(name)
LENGTHENED(lxdbr, PAIR_HIGH, PAIR_LOW)
LENGTHENED(wflld, WHOLE_HIGH, WHOLE_LOW)

/* To a long number: normal before and behind. */
static ALWAYS_INLINE bool shortened(struct cpu *cpu, uint64_t high, uint64_t low, uint64_t *result)
{
    const int e = ((int)(high >> 48) & 0x7fff) - BIAS + 1023;
    if (UNLIKELY(!float_calm(cpu) || e < 1 || e >= 0x7fe))
        return false;
    const uint64_t last = low & ((UINT64_C(1) << 60) - 1), half = UINT64_C(1) << 59;
    const uint64_t kept = (high & 0xffffffffffff) << 4 | low >> 60;
    cpu->fpc |= (uint32_t)(last != 0) * FPC_INEXACT;
    *result = ((uint64_t)e << 52) + kept + ((last + half - 1 + (kept & 1)) >> 60) + (high & BIT64(0));
    return true;
}
uint64_t extended_ldxbr(struct cpu *cpu, const struct op *op)
{
    return shortened(cpu, PAIR_HIGH(op->r2), PAIR_LOW(op->r2), &L1);
}
uint64_t extended_wflrx(struct cpu *cpu, const struct op *op)
{
    if (!shortened(cpu, WHOLE_HIGH(op->r2), WHOLE_LOW(op->r2), &L1))
        return 0;
    cpu->vr[op->r1].lo = 0;
    return 1;
}
RUN(ldxbr)
RUN(wflrx)
