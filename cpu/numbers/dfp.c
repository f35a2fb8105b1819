/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal floating-point arithmetic. PoP chapters 9 and 20 (SA22-7832-13). Every operation makes the exact result (or
   one with more digits than any format and the word that there is more) and rounds it once. */
#include "cpu/numbers/dfp_internal.h"
#include "cpu/numbers/ten.h"

/* ---- exceptions -------------------------------------------------------------------------------------------------- */

static void recognize(struct dfp_env *x, uint8_t exception)
{
    if (x->masks & exception) {
        x->dxc = exception;
        x->suppressed = true;
    } else
        x->flags |= exception;
}

/* The default quiet NaN, after an invalid operation. */
static struct dfp invalid(struct dfp_env *x)
{
    recognize(x, DFP_INVALID);
    return (struct dfp){.kind = DFP_QNAN};
}

static uint8_t inexact_code(bool inexact, bool incremented)
{
    return inexact ? DFP_INEXACT | (incremented ? DFP_INCREMENTED : 0) : 0;
}

static void note_inexact(struct dfp_env *x, bool incremented)
{
    if (x->quiet)
        return;
    if (x->masks & DFP_INEXACT)
        x->dxc = inexact_code(true, incremented);
    else
        x->flags |= DFP_INEXACT;
}
/* Inexact for one that knows no overflow. */
static void inexact_only(struct dfp_env *x, const struct dfp_rounded *r)
{
    if (r->inexact)
        note_inexact(x, r->incremented);
}

/* The quantum that was delivered is not the preferred one. Reading: with another trap the DXC is that trap's, and
   the default result of an overflow has none. */
static void note_quantum(struct dfp_env *x)
{
    if (!x->quantum || x->dxc)
        return;
    if (x->masks & DFP_QUANTUM)
        x->dxc = DFP_QUANTUM;
    else
        x->flags |= DFP_QUANTUM;
}

struct dfp dfp_quiet(struct dfp_env *x, const struct dfp *a)
{
    struct dfp r = *a;
    if (a->kind == DFP_SNAN) {
        recognize(x, DFP_INVALID);
        r.kind = DFP_QNAN;
    } else if (a->kind == DFP_INFINITY)
        r.digits = 0;
    return r;
}

/* The result when an operand is a NaN: the first signaling one, else the first. */
static bool nan_result(struct dfp_env *x, const struct dfp *a, const struct dfp *b, struct dfp *r)
{
    if (a->kind < DFP_QNAN && b->kind < DFP_QNAN)
        return false;
    if (a->kind != DFP_SNAN && (b->kind == DFP_SNAN || a->kind != DFP_QNAN))
        a = b;
    *r = dfp_quiet(x, a);
    return true;
}

static struct dfp infinity(bool minus) { return (struct dfp){.minus = minus, .kind = DFP_INFINITY}; }

/* ---- the end of every operation ---------------------------------------------------------------------------------- */

/* The member of the cohort of an exact number whose exponent is nearest the preferred one, within the range. */
static void choose_quantum(const struct dfp_parameters *p, struct dfp *r, int preferred)
{
    const int least = -p->bias, most = p->max_biased - p->bias;
    int wanted = preferred < least ? least : preferred > most ? most : preferred;
    if (r->digits == 0)
        r->exponent = wanted;
    if (r->exponent > wanted) {
        unsigned room = p->precision - dfp_count(r->digits), shift = (unsigned)(r->exponent - wanted);
        if (shift > room)
            shift = room;
        r->digits *= ten_power(shift);
        r->exponent -= (int)shift;
    }
    while (r->exponent < wanted && r->digits % 10 == 0) {
        r->digits /= 10;
        r->exponent++;
    }
}

/* Round to the precision, and to exponents not below `least`. */
static struct dfp_rounded round_to(const struct dfp_env *x, const struct dfp_parameters *p, bool minus, struct wide v,
                                   int *exponent, bool sticky, int least)
{
    unsigned n = wide_count(v);
    int drop = n > p->precision ? (int)(n - p->precision) : 0;
    if (drop < least - *exponent)
        drop = least - *exponent;
    struct dfp_rounded r = dfp_round(x->rounding, minus, v, (unsigned)drop, sticky);
    *exponent += drop;
    if (r.digits == ten_power(p->precision)) {
        r.digits /= 10;
        ++*exponent;
    }
    return r;
}

/* An overflow that does not trap: infinity or the largest number, by the rounding method. */
static struct dfp overflowed(struct dfp_env *x, const struct dfp_parameters *p, bool minus)
{
    bool largest = x->rounding == DFP_TOWARD_ZERO || x->rounding == DFP_SHORTER || (x->rounding == DFP_UP && minus) ||
                   (x->rounding == DFP_DOWN && !minus);
    x->flags |= DFP_OVERFLOW;
    note_inexact(x, !largest);
    if (!largest)
        return infinity(minus);
    return (struct dfp){minus, DFP_FINITE, p->max_biased - p->bias, ten_power(p->precision) - 1};
}

static struct dfp finish_wide(struct dfp_env *x, enum dfp_format f, bool minus, struct wide v, int exponent,
                              bool sticky, int preferred)
{
    const struct dfp_parameters *p = &dfp_parameters[f];
    const int no_limit = -1000000;
    struct dfp result = {.minus = minus};
    if (v.hi == 0 && v.lo == 0) {
        choose_quantum(p, &result, preferred);
        if (result.exponent != preferred)
            note_quantum(x);
        return result;
    }
    bool tiny = exponent + (int)wide_count(v) - 1 < 1 - p->emax;
    uint8_t trap = 0;
    int e = exponent;
    struct dfp_rounded r =
        round_to(x, p, minus, v, &e, sticky, tiny && !(x->masks & DFP_UNDERFLOW) ? -p->bias : no_limit);
    if (!tiny && e + (int)dfp_count(r.digits) - 1 > p->emax) {
        if (!(x->masks & DFP_OVERFLOW))
            return overflowed(x, p, minus);
        trap = DFP_OVERFLOW;
        e -= p->scale;
        preferred -= p->scale;
    } else if (tiny && (x->masks & DFP_UNDERFLOW)) {
        trap = DFP_UNDERFLOW;
        e += p->scale;
        preferred += p->scale;
    }
    result.exponent = e;
    result.digits = r.digits;
    if (!r.inexact)
        choose_quantum(p, &result, preferred);
    if (trap)
        x->dxc = trap | inexact_code(r.inexact, r.incremented);
    else if (r.inexact) {
        if (tiny)
            x->flags |= DFP_UNDERFLOW;
        note_inexact(x, r.incremented);
    }
    if (result.exponent != preferred)
        note_quantum(x);
    return result;
}

struct dfp dfp_finish(struct dfp_env *x, enum dfp_format f, bool minus, dfp_digits digits, int exponent, bool sticky,
                      int preferred)
{
    return finish_wide(x, f, minus, (struct wide){0, digits}, exponent, sticky, preferred);
}

/* ---- add, multiply, divide --------------------------------------------------------------------------------------- */

struct dfp dfp_add(struct dfp_env *x, enum dfp_format f, const struct dfp *a, const struct dfp *b, bool subtract)
{
    struct dfp r;
    if (nan_result(x, a, b, &r))
        return r;
    bool minus_b = b->minus ^ subtract;
    if (a->kind == DFP_INFINITY)
        return b->kind == DFP_INFINITY && minus_b != a->minus ? invalid(x) : infinity(a->minus);
    if (b->kind == DFP_INFINITY)
        return infinity(minus_b);
    /* h with the larger exponent, l with the smaller one */
    bool swap = a->exponent < b->exponent, minus_h = swap ? minus_b : a->minus, minus_l = swap ? a->minus : minus_b;
    const struct dfp *h = swap ? b : a, *l = swap ? a : b;
    const int preferred = l->exponent;
    struct dfp signed_b = *b;
    signed_b.minus = minus_b;
    if (dfp_library(x, f, DFP_ADD, a, &signed_b, preferred, &r))
        return r;
    const bool zero_minus = minus_h == minus_l ? minus_h : x->rounding == DFP_DOWN;
    if (h->digits == 0)
        return dfp_finish(x, f, l->digits ? minus_l : zero_minus, l->digits, preferred, false, preferred);
    if (l->digits == 0)
        return dfp_finish(x, f, minus_h, h->digits, h->exponent, false, preferred);
    const unsigned p = dfp_parameters[f].precision, n = dfp_count(h->digits);
    const unsigned distance = (unsigned)(h->exponent - l->exponent);
    if (distance + n > 2 * p + 5) { /* l is below the last digit of h when that has p+5 digits */
        struct wide sum = wide_scale(h->digits, p + 5 - n);
        if (minus_h != minus_l)
            sum = wide_subtract(sum, (struct wide){0, 1});
        return finish_wide(x, f, minus_h, sum, h->exponent - (int)(p + 5 - n), true, preferred);
    }
    struct wide large = wide_scale(h->digits, distance), small = {0, l->digits};
    if (minus_h == minus_l)
        return finish_wide(x, f, minus_h, wide_add(large, small), preferred, false, preferred);
    int order = wide_compare(large, small);
    if (order == 0)
        return dfp_finish(x, f, zero_minus, 0, preferred, false, preferred);
    return order > 0 ? finish_wide(x, f, minus_h, wide_subtract(large, small), preferred, false, preferred)
                     : finish_wide(x, f, minus_l, wide_subtract(small, large), preferred, false, preferred);
}

struct dfp dfp_multiply(struct dfp_env *x, enum dfp_format f, const struct dfp *a, const struct dfp *b)
{
    struct dfp r;
    if (nan_result(x, a, b, &r))
        return r;
    bool minus = a->minus ^ b->minus;
    if (a->kind == DFP_INFINITY || b->kind == DFP_INFINITY) {
        bool zero = (a->kind == DFP_FINITE && a->digits == 0) || (b->kind == DFP_FINITE && b->digits == 0);
        return zero ? invalid(x) : infinity(minus);
    }
    int exponent = a->exponent + b->exponent;
    if (dfp_library(x, f, DFP_MULTIPLY, a, b, exponent, &r))
        return r;
    return finish_wide(x, f, minus, wide_multiply(a->digits, b->digits), exponent, false, exponent);
}

struct dfp dfp_divide(struct dfp_env *x, enum dfp_format f, const struct dfp *a, const struct dfp *b)
{
    struct dfp r;
    if (nan_result(x, a, b, &r))
        return r;
    const struct dfp_parameters *p = &dfp_parameters[f];
    bool minus = a->minus ^ b->minus;
    if (a->kind == DFP_INFINITY)
        return b->kind == DFP_INFINITY ? invalid(x) : infinity(minus);
    if (b->kind == DFP_INFINITY) /* zero with the smallest quantum */
        return (struct dfp){.minus = minus, .exponent = -p->bias};
    if (b->digits == 0) {
        if (a->digits == 0)
            return invalid(x);
        recognize(x, DFP_DIVIDE);
        return infinity(minus);
    }
    int preferred = a->exponent - b->exponent;
    if (dfp_library(x, f, DFP_DIVIDE_BY, a, b, preferred, &r))
        return r;
    /* The quotient has at least two digits more than the precision. */
    unsigned shift = p->precision + 2 + dfp_count(b->digits) - dfp_count(a->digits);
    if (a->digits == 0)
        shift = 0;
    dfp_digits remainder;
    struct wide quotient = wide_divide(wide_scale(a->digits, shift), b->digits, &remainder);
    return finish_wide(x, f, minus, quotient, preferred - (int)shift, remainder != 0, preferred);
}

/* ---- compare ----------------------------------------------------------------------------------------------------- */

/* -1, 0, 1 for magnitudes of finite numbers. */
static int compare_magnitude(const struct dfp *a, const struct dfp *b)
{
    if (a->digits == 0 || b->digits == 0)
        return a->digits ? 1 : b->digits ? -1 : 0;
    int na = (int)dfp_count(a->digits) + a->exponent, nb = (int)dfp_count(b->digits) + b->exponent;
    if (na != nb)
        return na < nb ? -1 : 1;
    dfp_digits da = a->digits, db = b->digits; /* as many digits: the exponents differ by less than the precision */
    if (a->exponent > b->exponent)
        da *= ten_power((unsigned)(a->exponent - b->exponent));
    else
        db *= ten_power((unsigned)(b->exponent - a->exponent));
    return da < db ? -1 : da > db;
}

unsigned dfp_compare(struct dfp_env *x, const struct dfp *a, const struct dfp *b, bool signal)
{
    if (a->kind >= DFP_QNAN || b->kind >= DFP_QNAN) {
        if (signal || a->kind == DFP_SNAN || b->kind == DFP_SNAN)
            recognize(x, DFP_INVALID);
        return 3;
    }
    int order;
    if (a->kind == DFP_INFINITY || b->kind == DFP_INFINITY) {
        int ia = a->kind != DFP_INFINITY ? 0 : a->minus ? -1 : 1, ib = b->kind != DFP_INFINITY ? 0 : b->minus ? -1 : 1;
        order = ia < ib ? -1 : ia > ib;
    } else if (a->digits == 0 && b->digits == 0)
        order = 0;
    else if (a->minus != b->minus)
        order = a->digits == 0 ? (b->minus ? 1 : -1) : a->minus ? -1 : 1;
    else
        order = a->minus ? -compare_magnitude(a, b) : compare_magnitude(a, b);
    return order < 0 ? 1 : order > 0 ? 2 : 0;
}

unsigned dfp_cc(const struct dfp *a)
{
    if (a->kind >= DFP_QNAN)
        return 3;
    return a->kind == DFP_FINITE && a->digits == 0 ? 0 : a->minus ? 1 : 2;
}

/* ---- conversions, rounding to a quantum -------------------------------------------------------------------------- */

struct dfp dfp_shorten(struct dfp_env *x, enum dfp_format from, enum dfp_format to, const struct dfp *a,
                       bool *in_source)
{
    *in_source = false;
    struct dfp r = dfp_finish(x, to, a->minus, a->digits, a->exponent, false, a->exponent);
    uint8_t trap = x->dxc & (DFP_OVERFLOW | DFP_UNDERFLOW);
    if (trap) { /* the rounded number in the source format, its exponent scaled by a quarter of that format's range */
        *in_source = true;
        const int quarter = (dfp_parameters[from].max_biased + 1) / 4, scale = trap & DFP_OVERFLOW ? -quarter : quarter;
        int e = a->exponent;
        struct dfp_rounded digits = round_to(x, &dfp_parameters[to], a->minus, (struct wide){0, a->digits}, &e, false,
                                             -dfp_parameters[from].bias);
        r.exponent = e + scale;
        r.digits = digits.digits;
        if (!digits.inexact)
            choose_quantum(&dfp_parameters[from], &r, a->exponent + scale);
    }
    return r;
}

struct dfp dfp_from_integer(struct dfp_env *x, enum dfp_format f, bool minus, uint64_t magnitude)
{
    return dfp_finish(x, f, minus, magnitude, 0, false, 0);
}

/* a as a multiple of 10**exponent. Returns false when it has more than 38 digits. */
static bool to_exponent(const struct dfp_env *x, const struct dfp *a, int exponent, struct dfp_rounded *r)
{
    if (exponent > a->exponent) {
        unsigned drop = (unsigned)(exponent - a->exponent);
        *r = dfp_round(x->rounding, a->minus, (struct wide){0, a->digits}, drop, false);
        return true;
    }
    unsigned shift = (unsigned)(a->exponent - exponent);
    *r = (struct dfp_rounded){0};
    if (a->digits == 0)
        return true;
    if (shift + dfp_count(a->digits) > 38)
        return false;
    r->digits = a->digits * ten_power(shift);
    return true;
}

uint64_t dfp_to_integer(struct dfp_env *x, const struct dfp *a, unsigned bits, bool is_signed, unsigned *cc)
{
    const uint64_t most = UINT64_MAX >> (64 - bits) >> is_signed, least = is_signed ? most + 1 : 0;
    struct dfp_rounded r = {0};
    *cc = a->digits == 0 && a->kind == DFP_FINITE ? 0 : a->minus ? 1 : 2;
    if (a->kind != DFP_FINITE || !to_exponent(x, a, 0, &r) || r.digits > (a->minus ? least : most)) {
        *cc = 3;
        recognize(x, DFP_INVALID);
        return a->kind >= DFP_QNAN || a->minus ? (uint64_t)0 - least : most;
    }
    inexact_only(x, &r);
    return a->minus ? (uint64_t)0 - (uint64_t)r.digits : (uint64_t)r.digits;
}

struct dfp dfp_to_integral(struct dfp_env *x, const struct dfp *a)
{
    if (a->kind != DFP_FINITE)
        return dfp_quiet(x, a);
    struct dfp r = *a;
    struct dfp_rounded rounded;
    if (a->exponent >= 0)
        return r;
    to_exponent(x, a, 0, &rounded); /* to fewer digits: always possible */
    inexact_only(x, &rounded);
    r.digits = rounded.digits;
    r.exponent = 0;
    return r;
}

struct dfp dfp_quantize(struct dfp_env *x, enum dfp_format f, const struct dfp *a, const struct dfp *b)
{
    struct dfp r;
    struct dfp_rounded rounded;
    if (nan_result(x, a, b, &r))
        return r;
    if (a->kind == DFP_INFINITY && b->kind == DFP_INFINITY)
        return infinity(a->minus);
    if (a->kind != b->kind || !to_exponent(x, a, b->exponent, &rounded) ||
        rounded.digits >= ten_power(dfp_parameters[f].precision))
        return invalid(x);
    inexact_only(x, &rounded);
    return (struct dfp){a->minus, DFP_FINITE, b->exponent, rounded.digits};
}

struct dfp dfp_reround(struct dfp_env *x, enum dfp_format f, const struct dfp *a, unsigned significance)
{
    if (a->kind != DFP_FINITE)
        return dfp_quiet(x, a);
    unsigned n = dfp_count(a->digits);
    if (significance == 0 || n <= significance)
        return *a;
    struct dfp r = *a;
    struct dfp_rounded rounded = dfp_round(x->rounding, a->minus, (struct wide){0, a->digits}, n - significance, false);
    r.digits = rounded.digits;
    r.exponent += (int)(n - significance);
    if (r.digits == ten_power(significance)) {
        r.digits /= 10;
        r.exponent++;
    }
    if (r.exponent > dfp_parameters[f].max_biased - dfp_parameters[f].bias)
        return invalid(x);
    inexact_only(x, &rounded);
    return r;
}
