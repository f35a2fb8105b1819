/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats of decimal floating point: densely packed decimal, and integers of 256 bits. PoP chapter 20. */
#include "cpu/numbers/dfp_internal.h"
#include "cpu/numbers/ten.h"

const struct dfp_parameters dfp_parameters[3] = {
    {7, 6, 2, 101, 191, 192, 96}, {16, 8, 5, 398, 767, 576, 384}, {34, 12, 11, 6176, 12287, 9216, 6144}};

unsigned dfp_precision(enum dfp_format f) { return dfp_parameters[f].precision; }
int dfp_bias(enum dfp_format f) { return dfp_parameters[f].bias; }
int dfp_max_biased(enum dfp_format f) { return dfp_parameters[f].max_biased; }

/* ---- declets: both tables are made by the compiler from the definition ------------------------------------------- */

#define B(d, n)       ((d) >> (n)&1)
#define N3(a, b, c)   ((a)*4 + (b)*2 + (c))
#define N(h, t, u)    ((h)*100 + (t)*10 + (u))
#define PQR(d)        ((d) >> 7 & 7)
#define STU(d)        ((d) >> 4 & 7)
#define WXY(d)        ((d)&7)
#define PQ(d, last)   N3(B(d, 9), B(d, 8), B(d, last))
#define LARGE(d, bit) (8 + B(d, bit))
#define NUMBER(d)                                                                                                      \
    (!B(d, 3)             ? N(PQR(d), STU(d), WXY(d))                                                                  \
     : ((d)&6) == 0       ? N(PQR(d), STU(d), LARGE(d, 0))                                                             \
     : ((d)&6) == 2       ? N(PQR(d), LARGE(d, 4), N3(B(d, 6), B(d, 5), B(d, 0)))                                      \
     : ((d)&6) == 4       ? N(LARGE(d, 7), STU(d), PQ(d, 0))                                                           \
     : ((d)&0x60) == 0    ? N(LARGE(d, 7), LARGE(d, 4), PQ(d, 0))                                                      \
     : ((d)&0x60) == 0x20 ? N(LARGE(d, 7), PQ(d, 4), LARGE(d, 0))                                                      \
     : ((d)&0x60) == 0x40 ? N(PQR(d), LARGE(d, 4), LARGE(d, 0))                                                        \
                          : N(LARGE(d, 7), LARGE(d, 4), LARGE(d, 0)))

#define H(n)             ((n) / 100)
#define T(n)             ((n) / 10 % 10)
#define U(n)             ((n) % 10)
#define HIGH2(digit)     ((digit) >> 1 & 3)
#define DECLET3(p, s, w) ((p) << 7 | (s) << 4 | (w))
/* Two bits and the low bit of a digit. */
#define PAIR(two, digit) ((two) << 1 | ((digit)&1))
#define DECLET(n)                                                                                                      \
    (H(n) < 8 && T(n) < 8 && U(n) < 8 ? DECLET3(H(n), T(n), U(n))                                                      \
     : H(n) < 8 && T(n) < 8           ? DECLET3(H(n), T(n), 8 | PAIR(0, U(n)))                                         \
     : H(n) < 8 && U(n) < 8           ? DECLET3(H(n), PAIR(HIGH2(U(n)), T(n)), 8 | PAIR(1, U(n)))                      \
     : T(n) < 8 && U(n) < 8           ? DECLET3(PAIR(HIGH2(U(n)), H(n)), T(n), 8 | PAIR(2, U(n)))                      \
     : U(n) < 8                       ? DECLET3(PAIR(HIGH2(U(n)), H(n)), PAIR(0, T(n)), 8 | PAIR(3, U(n)))             \
     : T(n) < 8                       ? DECLET3(PAIR(HIGH2(T(n)), H(n)), PAIR(1, T(n)), 8 | PAIR(3, U(n)))             \
     : H(n) < 8                       ? DECLET3(H(n), PAIR(2, T(n)), 8 | PAIR(3, U(n)))                                \
                                      : DECLET3(PAIR(0, H(n)), PAIR(3, T(n)), 8 | PAIR(3, U(n))))

#define TIMES4(m, n)   m(n), m((n) + 1), m((n) + 2), m((n) + 3)
#define TIMES8(m, n)   TIMES4(m, n), TIMES4(m, (n) + 4)
#define TIMES10(m, n)  TIMES8(m, n), m((n) + 8), m((n) + 9)
#define TIMES32(m, n)  TIMES8(m, n), TIMES8(m, (n) + 8), TIMES8(m, (n) + 16), TIMES8(m, (n) + 24)
#define TIMES128(m, n) TIMES32(m, n), TIMES32(m, (n) + 32), TIMES32(m, (n) + 64), TIMES32(m, (n) + 96)
#define TIMES50(m, n)                                                                                                  \
    TIMES10(m, n), TIMES10(m, (n) + 10), TIMES10(m, (n) + 20), TIMES10(m, (n) + 30), TIMES10(m, (n) + 40)
#define TIMES250(m, n)                                                                                                 \
    TIMES50(m, n), TIMES50(m, (n) + 50), TIMES50(m, (n) + 100), TIMES50(m, (n) + 150), TIMES50(m, (n) + 200)

static const uint16_t number_of[1024] = {TIMES128(NUMBER, 0),   TIMES128(NUMBER, 128), TIMES128(NUMBER, 256),
                                         TIMES128(NUMBER, 384), TIMES128(NUMBER, 512), TIMES128(NUMBER, 640),
                                         TIMES128(NUMBER, 768), TIMES128(NUMBER, 896)};
static const uint16_t declet_of[1000] = {TIMES250(DECLET, 0), TIMES250(DECLET, 250), TIMES250(DECLET, 500),
                                         TIMES250(DECLET, 750)};

/* ---- formats ----------------------------------------------------------------------------------------------------- */

/* Of a format that the compiler knows */
static ALWAYS_INLINE struct dfp decode(enum dfp_format f, dfp_digits bits)
{
    const struct dfp_parameters *p = &dfp_parameters[f];
    const unsigned trailing = p->declets * 10u, sign = trailing + p->continuation + 5;
    const unsigned combination = (unsigned)(bits >> (trailing + p->continuation)) & 0x1f;
    const unsigned rest = (unsigned)(bits >> trailing) & ((1u << p->continuation) - 1);
    struct dfp a = {.minus = bits >> sign & 1};
    unsigned leftmost = 0, high;
    if (combination >= 0x1e)
        a.kind = combination == 0x1e ? DFP_INFINITY : rest >> (p->continuation - 1) ? DFP_SNAN : DFP_QNAN;
    else {
        if (combination < 0x18) {
            high = combination >> 3;
            leftmost = combination & 7;
        } else {
            high = combination >> 1 & 3;
            leftmost = 8 + (combination & 1);
        }
        a.exponent = (int)(high << p->continuation | rest) - p->bias;
    }
    uint64_t parts[2] = {leftmost, 0}; /* extended: five and then six declets */
    unsigned n = p->declets, first = f == DFP_EXTENDED ? n - 6 : n;
#pragma GCC unroll 12
    for (unsigned d = 0; d < first; d++)
        parts[0] = parts[0] * 1000 + number_of[(unsigned)(bits >> 10 * (n - 1 - d)) & 0x3ff];
    a.digits = parts[0];
    if (first < n) {
#pragma GCC unroll 12
        for (unsigned d = first; d < n; d++)
            parts[1] = parts[1] * 1000 + number_of[(unsigned)(bits >> 10 * (n - 1 - d)) & 0x3ff];
        a.digits = a.digits * UINT64_C(1000000000000000000) + parts[1];
    }
    return a;
}

static ALWAYS_INLINE dfp_digits encode(enum dfp_format f, const struct dfp *a)
{
    const struct dfp_parameters *p = &dfp_parameters[f];
    const unsigned trailing = p->declets * 10u;
    dfp_digits bits = 0;
    uint64_t parts[2];
    unsigned n = 0;
    if (f == DFP_EXTENDED) {
        parts[0] = (uint64_t)(a->digits % UINT64_C(1000000000000000000));
        parts[1] = (uint64_t)(a->digits / UINT64_C(1000000000000000000));
        uint64_t low = 0;
#pragma GCC unroll 12
        for (; n < 6; n++, parts[0] /= 1000)
            low |= (uint64_t)declet_of[parts[0] % 1000] << 10 * n;
        bits = low;
        parts[0] = parts[1];
    } else
        parts[0] = (uint64_t)a->digits;
#pragma GCC unroll 12
    for (; n < p->declets; n++, parts[0] /= 1000)
        bits |= (dfp_digits)declet_of[parts[0] % 1000] << 10 * n;
    unsigned combination, rest = 0;
    if (a->kind != DFP_FINITE) {
        combination = a->kind == DFP_INFINITY ? 0x1e : 0x1f;
        if (a->kind == DFP_SNAN)
            rest = 1u << (p->continuation - 1);
    } else {
        unsigned biased = (unsigned)(a->exponent + p->bias), leftmost = (unsigned)parts[0] % 10;
        unsigned high = biased >> p->continuation & 3;
        rest = biased & ((1u << p->continuation) - 1);
        combination = leftmost < 8 ? high << 3 | leftmost : 0x18 | high << 1 | (leftmost & 1);
    }
    bits |= ((dfp_digits)a->minus << 5 | combination) << (trailing + p->continuation);
    return bits | (dfp_digits)rest << trailing;
}

struct dfp dfp_decode(enum dfp_format f, dfp_digits bits)
{
    return f == DFP_LONG       ? decode(DFP_LONG, bits)
           : f == DFP_EXTENDED ? decode(DFP_EXTENDED, bits)
                               : decode(DFP_SHORT, bits);
}
dfp_digits dfp_encode(enum dfp_format f, const struct dfp *a)
{
    return f == DFP_LONG ? encode(DFP_LONG, a) : f == DFP_EXTENDED ? encode(DFP_EXTENDED, a) : encode(DFP_SHORT, a);
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */

static unsigned bit_length(dfp_digits v)
{
    uint64_t hi = (uint64_t)(v >> 64), lo = (uint64_t)v;
    return hi ? 128 - (unsigned)__builtin_clzll(hi) : lo ? 64 - (unsigned)__builtin_clzll(lo) : 0;
}

unsigned dfp_count(dfp_digits v)
{
    unsigned n = bit_length(v) * 1233 >> 12; /* log 2, a little less: n or n + 1 digits */
    if (n > 38)
        n = 38;
    return n + (v >= ten_power(n));
}

struct wide wide_multiply(dfp_digits a, dfp_digits b)
{
    uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64), b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    dfp_digits low = (dfp_digits)a0 * b0, m1 = (dfp_digits)a1 * b0, m2 = (dfp_digits)a0 * b1,
               high = (dfp_digits)a1 * b1;
    dfp_digits middle = (low >> 64) + (uint64_t)m1 + (uint64_t)m2;
    return (struct wide){high + (m1 >> 64) + (m2 >> 64) + (middle >> 64), middle << 64 | (uint64_t)low};
}
struct wide wide_add(struct wide a, struct wide b)
{
    dfp_digits lo = a.lo + b.lo;
    return (struct wide){a.hi + b.hi + (lo < a.lo), lo};
}
struct wide wide_subtract(struct wide a, struct wide b)
{
    return (struct wide){a.hi - b.hi - (a.lo < b.lo), a.lo - b.lo};
}
int wide_compare(struct wide a, struct wide b)
{
    if (a.hi != b.hi)
        return a.hi < b.hi ? -1 : 1;
    return a.lo < b.lo ? -1 : a.lo > b.lo;
}

/* Long division with digits of 32 bits: each estimate from the two leftmost digits is at most two too large. */
static struct wide divide_long(struct wide a, dfp_digits b, dfp_digits *remainder)
{
    const unsigned shift = 128 - bit_length(b);
    const unsigned limbs = shift / 32, bits = shift % 32;
    uint32_t u[9] = {0}, v[4];
    struct wide s = a;
    b <<= shift;
    if (bits) {
        s.hi = a.hi << bits | a.lo >> (128 - bits);
        s.lo = a.lo << bits;
        u[8] = (uint32_t)(a.hi >> (128 - bits));
    }
    for (unsigned n = 0; n < 4; n++) {
        u[n] = (uint32_t)(s.lo >> 32 * n);
        u[n + 4] = (uint32_t)(s.hi >> 32 * n);
        v[n] = (uint32_t)(b >> 32 * n);
    }
    const unsigned nv = 4 - limbs; /* digits of the divisor, which is b shifted by less than a digit */
    uint32_t quotient[9] = {0};
    const uint32_t *d = v + limbs;
    for (int j = (int)(8 - nv); j >= 0; j--) {
        uint64_t top = (uint64_t)u[j + (int)nv] << 32 | u[j + (int)nv - 1];
        uint64_t guess = top / d[nv - 1];
        if (guess > UINT32_MAX)
            guess = UINT32_MAX;
        int64_t borrow = 0;
        uint64_t carry = 0;
        for (unsigned n = 0; n < nv; n++) {
            carry += guess * d[n];
            int64_t t = (int64_t)u[(unsigned)j + n] - (int64_t)(uint32_t)carry + borrow;
            u[(unsigned)j + n] = (uint32_t)t;
            borrow = t >> 32;
            carry >>= 32;
        }
        int64_t t = (int64_t)u[(unsigned)j + nv] - (int64_t)carry + borrow;
        u[(unsigned)j + nv] = (uint32_t)t;
        while (t < 0) {
            guess--;
            uint64_t sum = 0;
            for (unsigned n = 0; n < nv; n++) {
                sum += (uint64_t)u[(unsigned)j + n] + d[n];
                u[(unsigned)j + n] = (uint32_t)sum;
                sum >>= 32;
            }
            t += (int64_t)sum;
            u[(unsigned)j + nv] = (uint32_t)t;
        }
        quotient[j] = (uint32_t)guess;
    }
    dfp_digits r = 0;
    for (unsigned n = 0; n < nv; n++)
        r |= (dfp_digits)u[n] << 32 * n;
    *remainder = r >> bits;
    struct wide result = {0, 0};
    for (unsigned n = 0; n < 4; n++) {
        result.lo |= (dfp_digits)quotient[n] << 32 * n;
        result.hi |= (dfp_digits)quotient[n + 4] << 32 * n;
    }
    return result;
}
struct wide wide_divide(struct wide a, dfp_digits b, dfp_digits *remainder)
{
    if (a.hi == 0) {
        dfp_digits q = a.lo / b;
        *remainder = a.lo - q * b;
        return (struct wide){0, q};
    }
    return divide_long(a, b, remainder);
}

struct wide wide_scale(dfp_digits a, unsigned e)
{
    if (e <= 38)
        return wide_multiply(a, ten_power(e));
    /* a * 10**(e-38) fits 128 bits whenever the product fits 256 and a is not large; else by parts */
    struct wide part = wide_multiply(a, ten_power(e - 38)), low = wide_multiply(part.lo, ten_power(38));
    low.hi += part.hi * ten_power(38);
    return low;
}

unsigned wide_count(struct wide a)
{
    if (a.hi == 0)
        return dfp_count(a.lo);
    unsigned n = (128 + bit_length(a.hi)) * 1233 >> 12; /* n or n + 1 digits, n at least 38 */
    return n + (n < 77 && wide_compare(a, wide_scale(1, n)) >= 0);
}

/* ---- rounding ---------------------------------------------------------------------------------------------------- */

enum place { EXACT, BELOW_HALF, HALF, ABOVE_HALF };

static bool increments(unsigned rounding, bool minus, dfp_digits digits, enum place place)
{
    switch (rounding) {
    case DFP_NEAREST_EVEN:
        return place == ABOVE_HALF || (place == HALF && (digits & 1));
    case DFP_UP:
        return !minus;
    case DFP_DOWN:
        return minus;
    case DFP_NEAREST_AWAY:
        return place >= HALF;
    case DFP_NEAREST_TOWARD_ZERO:
        return place == ABOVE_HALF;
    case DFP_AWAY:
        return true;
    case DFP_SHORTER:
        return digits % 5 == 0;
    default:
        return false;
    }
}

struct dfp_rounded dfp_round(unsigned rounding, bool minus, struct wide v, unsigned drop, bool sticky)
{
    struct dfp_rounded result = {0};
    dfp_digits remainder = 0, half = 0;
    enum place place;
    if (drop > wide_count(v)) {
        place = (v.hi || v.lo || sticky) ? BELOW_HALF : EXACT;
        v = (struct wide){0, 0};
    } else {
        if (drop > 38) {
            v = wide_divide(v, ten_power(drop - 38), &remainder);
            sticky |= remainder != 0;
            drop = 38;
        }
        if (drop) {
            half = ten_power(drop) / 2;
            v = wide_divide(v, ten_power(drop), &remainder);
        }
        place = remainder == 0 && !sticky              ? EXACT
                : remainder < half                     ? BELOW_HALF
                : remainder == half && !sticky && half ? HALF
                : half                                 ? ABOVE_HALF
                                                       : BELOW_HALF;
    }
    result.digits = v.lo;
    result.inexact = place != EXACT;
    result.incremented = result.inexact && increments(rounding, minus, v.lo, place);
    result.digits += result.incremented;
    return result;
}
