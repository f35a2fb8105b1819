/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion between the radices. PoP chapter 9, PERFORM FLOATING-POINT OPERATION (SA22-7832-13).

   Readings. The payload of a NaN counts from the left in BFP and from the right in DFP, so its bits are reversed on the
   way; digits or bits that the target has no room for are those of largest weight in DFP, and vanish. An infinity or a
   NaN is an invalid operation for HFP, with the largest number as its result, plus for a NaN. A zero is exact: its
   quantum is the preferred one. Quantum exceptions are not recognized. */
#include "cpu/numbers/radix.h"
#include "cpu/numbers/bfp.h"
#include "cpu/numbers/big.h"
#include "cpu/numbers/dfp.h"
#include "cpu/numbers/hfp.h"
#include "cpu/numbers/ten.h"

typedef unsigned __int128 u128;

enum kind { FINITE, INFINITE, QUIET, SIGNALING };

/* A number out of its format: m * 2^two * 10^ten. `m` of a NaN is its payload, counted as in DFP. */
struct number {
    uint8_t kind; /* enum kind */
    bool minus;
    int two, ten;
    u128 m;
};

#define TOP ((u128)1 << 127)

static const struct {
    int precision, emax, bits;
} binary[3] = {{24, 127, 32}, {53, 1023, 64}, {113, 16383, 128}};

/* ---- out of the formats ------------------------------------------------------------------------------------------ */

/* The n bits of v in the other order. */
static u128 reverse(u128 v, int n)
{
    u128 r = 0;
    for (; n > 0; n--, v >>= 1)
        r = r << 1 | (v & 1);
    return r;
}

static struct number from_bfp(unsigned length, u128 bits)
{
    const int p = binary[length].precision;
    struct number v = {0};
    enum bfp_class class = bfp_classify((enum bfp_format)length, bits, &v.minus);
    v.m = bits & (((u128)1 << (p - 1)) - 1);
    v.two = 1 - binary[length].emax - (p - 1);
    if (class == BFP_NORMAL) {
        v.m |= (u128)1 << (p - 1);
        v.two += (int)(bits >> (p - 1) & (unsigned)(2 * binary[length].emax + 1)) - 1;
    } else if (class == BFP_INFINITY) {
        v.kind = INFINITE;
    } else if (class >= BFP_QNAN) {
        v.kind = class == BFP_QNAN ? QUIET : SIGNALING;
        v.m = reverse(v.m, p - 2);
    }
    return v;
}

static struct number from_dfp(unsigned length, u128 bits)
{
    static const uint8_t kinds[] = {
        [DFP_FINITE] = FINITE, [DFP_INFINITY] = INFINITE, [DFP_QNAN] = QUIET, [DFP_SNAN] = SIGNALING};
    struct dfp a = dfp_decode((enum dfp_format)length, bits);
    return (struct number){.kind = kinds[a.kind], .minus = a.minus, .ten = a.exponent, .m = a.digits};
}

static struct number take_apart(struct radix_format f, u128 bits)
{
    struct number v = {0};
    if (f.radix == RADIX_BFP)
        return from_bfp(f.length, bits);
    if (f.radix == RADIX_DFP)
        return from_dfp(f.length, bits);
    v.m = hfp_decode((enum hfp_format)f.length, bits, &v.minus, &v.two);
    return v;
}

/* ---- exceptions -------------------------------------------------------------------------------------------------- */

static void invalid(struct radix_env *x)
{
    if (x->masks & DFP_INVALID) {
        x->dxc = DFP_INVALID;
        x->suppressed = true;
    } else
        x->flags |= DFP_INVALID;
}

static uint8_t inexact_code(bool inexact, bool incremented)
{
    return inexact ? DFP_INEXACT | (incremented ? DFP_INCREMENTED : 0) : 0;
}

static void note_inexact(struct radix_env *x, bool inexact, bool incremented)
{
    if (!inexact || x->quiet)
        return;
    if (x->masks & DFP_INEXACT)
        x->dxc = inexact_code(true, incremented);
    else
        x->flags |= DFP_INEXACT;
}

static int leading_zeros(u128 m)
{
    uint64_t high = (uint64_t)(m >> 64);
    return high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)m);
}

/* ---- to a radix of two: leftmost 128 bits ------------------------------------------------------------------------ */

/* m * 2^two * 10^ten as result / 2^127 * 2^*e, the leftmost bit of the result on; its rightmost bit is on as well when
   there is more to the right, far beyond the precision of any format. v is not zero. */
static u128 leading(const struct number *v, int *e)
{
    bool rest;
    int exponent;
    u128 m = big_leading(v->m, v->ten, &exponent, &rest);
    int shift = leading_zeros(m);
    *e = exponent - shift + 127 + v->two + v->ten;
    return m << shift | rest;
}

/* Rounding methods of DFP as those of BFP. */
static const uint8_t methods[8] = {BFP_NEAREST_EVEN, BFP_TOWARD_ZERO,         BFP_UP,   BFP_DOWN,
                                   BFP_NEAREST_AWAY, BFP_NEAREST_TOWARD_ZERO, BFP_AWAY, BFP_SHORTER};

static u128 to_bfp(struct radix_env *x, unsigned length, const struct number *v)
{
    const enum bfp_format f = (enum bfp_format)length;
    const int p = binary[length].precision, emax = binary[length].emax;
    const u128 sign = v->minus ? (u128)1 << (binary[length].bits - 1) : 0;
    const u128 infinity = (u128)(2 * emax + 1) << (p - 1), quiet = (u128)1 << (p - 2);
    if (v->kind == INFINITE)
        return sign | infinity;
    if (v->kind != FINITE) {
        if (v->kind == SIGNALING)
            invalid(x);
        return sign | infinity | quiet | reverse(v->m, p - 2);
    }
    if (!v->m)
        return sign;
    struct bfp y = {.rounding = methods[x->rounding & 7], .masks = x->masks, .quiet = x->quiet};
    int e;
    u128 m = leading(v, &e), result = bfp_round(&y, f, v->minus, e, m);
    x->flags = y.flags;
    x->dxc = y.dxc;
    if (y.dxc & (BFP_OVERFLOW | BFP_UNDERFLOW)) {
        struct bfp calm = {.rounding = y.rounding};
        result = bfp_round(&calm, f, v->minus, 0, m) & (((u128)1 << (p - 1)) - 1);
        result |= sign | (u128)(unsigned)emax << (p - 1);
    }
    return result;
}

static u128 to_hfp(struct radix_env *x, unsigned length, const struct number *v)
{
    const enum hfp_format f = (enum hfp_format)length;
    struct hfp_rounded r = {.fraction = 0};
    if (v->kind != FINITE) {
        invalid(x);
        return hfp_greatest(f, v->kind == INFINITE && v->minus);
    }
    if (!v->m)
        return hfp_encode(f, v->minus, &r);
    int e;
    u128 m = leading(v, &e);
    r = hfp_round(f, methods[x->rounding & 7], v->minus, e, m);
    const bool over = r.characteristic > 127, under = r.characteristic < 0;
    const uint8_t exception = over && x->hfp_overflow ? DFP_OVERFLOW : under && x->hfp_underflow ? DFP_UNDERFLOW : 0;
    if (x->masks & exception) {
        x->dxc = exception | inexact_code(r.inexact, r.incremented);
        r.characteristic = 65;
        return hfp_encode(f, v->minus, &r);
    }
    x->flags |= exception;
    if (over) {
        if (!exception)
            invalid(x);
        else
            note_inexact(x, true, false);
        return hfp_greatest(f, v->minus);
    }
    note_inexact(x, r.inexact || under, !under && r.incremented);
    if (under)
        r.fraction = 0;
    return hfp_encode(f, v->minus, &r);
}

/* ---- to decimal -------------------------------------------------------------------------------------------------- */

/* Digits (37 or 38 of them) and exponent of m * 2^two; *rest: there is more. m is not zero. */
static u128 decimal(const struct number *v, int *exponent, bool *rest)
{
    int shift = leading_zeros(v->m), two = v->two - shift;
    /* 10^n is at most m * 2^two < 20 * 10^n: log 2 is a little more than 1233 / 4096 and less than 30103 / 100000. */
    int n = (two + 127) * 30103;
    n = n >= 0 ? n / 100000 : -((-n + 99999) / 100000);
    *exponent = n - 36;
    return big_scale(v->m << shift, two - *exponent, -*exponent, rest);
}

static struct dfp nan_or_infinity(struct radix_env *x, enum dfp_format f, const struct number *v)
{
    if (v->kind == INFINITE)
        return (struct dfp){.minus = v->minus, .kind = DFP_INFINITY};
    if (v->kind == SIGNALING)
        invalid(x);
    return (struct dfp){.minus = v->minus, .kind = DFP_QNAN, .digits = v->m % ten_power(dfp_precision(f) - 1)};
}

static u128 to_dfp(struct radix_env *x, unsigned length, const struct number *v)
{
    const enum dfp_format f = (enum dfp_format)length;
    const int preferred = x->quantum_of_one ? 0 : dfp_max_biased(f) - dfp_bias(f);
    struct dfp_env y = {.rounding = x->rounding, .masks = x->masks, .quiet = x->quiet};
    struct dfp r;
    if (v->kind != FINITE) {
        r = nan_or_infinity(x, f, v);
        return dfp_encode(f, &r);
    }
    bool rest = false;
    int exponent = 0;
    u128 digits = v->m ? decimal(v, &exponent, &rest) : 0;
    r = dfp_finish(&y, f, v->minus, digits, exponent, rest, preferred);
    x->flags = y.flags;
    x->dxc = y.dxc;
    if (y.dxc & (DFP_OVERFLOW | DFP_UNDERFLOW)) {
        struct dfp_env calm = {.rounding = y.rounding};
        r = dfp_finish(&calm, f, v->minus, digits, 1 - (int)dfp_count(digits), rest, preferred);
        r.exponent = 1 - (int)dfp_count(r.digits);
    }
    return dfp_encode(f, &r);
}

radix_bits radix_convert(struct radix_env *x, struct radix_format from, struct radix_format to, radix_bits bits)
{
    struct number v = take_apart(from, bits);
    if (to.radix == RADIX_BFP)
        return to_bfp(x, to.length, &v);
    return to.radix == RADIX_HFP ? to_hfp(x, to.length, &v) : to_dfp(x, to.length, &v);
}
