/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hexadecimal floating-point arithmetic. PoP chapters 9 and 18 (SA22-7832-13). Fractions are integers of 6, 14 or 28
   hexadecimal digits, wide enough to keep guard digits. */
#include "cpu/numbers/hfp.h"
#include "cpu/numbers/hfp_sum.h"

typedef unsigned __int128 u128;

static const uint8_t digits_of[3] = {6, 14, 28};

#define MASK56 ((UINT64_C(1) << 56) - 1)

/* Value: fraction / 16^digits * 16^(c - 64). */
struct number {
    bool minus;
    int c; /* characteristic; out of 0-127 in between */
    u128 fraction;
};

static struct number take_apart(enum hfp_format f, hfp_bits a)
{
    if (f == HFP_SHORT)
        return (struct number){a >> 31 & 1, (int)(a >> 24) & 0x7f, a & 0xffffff};
    if (f == HFP_LONG)
        return (struct number){a >> 63 & 1, (int)(a >> 56) & 0x7f, a & MASK56};
    return (struct number){a >> 127, (int)(a >> 120) & 0x7f, (a >> 64 & MASK56) << 56 | (a & MASK56)};
}

/* The characteristic is taken modulo 128; that of a low-order part is 14 less than that of the high-order part. */
static hfp_bits put_together(enum hfp_format f, bool minus, int c, u128 fraction)
{
    u128 head = (u128)minus << 7 | (unsigned)(c & 0x7f);
    if (f == HFP_SHORT)
        return head << 24 | fraction;
    if (f == HFP_LONG)
        return head << 56 | fraction;
    u128 low = (u128)minus << 7 | (unsigned)((c - 14) & 0x7f);
    return head << 120 | (fraction >> 56) << 64 | low << 56 | (fraction & MASK56);
}

/* Shift left until the leftmost of n digits is not zero. The fraction is not zero. */
static void normalize(struct number *a, unsigned n)
{
    while (!(a->fraction >> (4 * (n - 1)))) {
        a->fraction <<= 4;
        a->c--;
    }
}

static hfp_bits true_zero(struct hfp *x)
{
    x->cc = 0;
    return 0;
}

/* A result whose fraction is complete: exponent overflow and underflow. */
static hfp_bits finish(struct hfp *x, enum hfp_format f, bool minus, int c, u128 fraction)
{
    if (c < 0 && fraction) {
        if (!x->underflow)
            return true_zero(x);
        x->exception = HFP_UNDERFLOW;
    } else if (c > 127) {
        x->exception = HFP_OVERFLOW;
    }
    x->cc = !fraction ? 0 : minus ? 1 : 2;
    return put_together(f, minus, c, fraction);
}

/* ---- addition and comparison ----------------------------------------------------------------------------------- */

HFP_DEFINE_SUM(sum, struct number, u128)

hfp_bits hfp_add(struct hfp *x, enum hfp_format f, hfp_bits a, hfp_bits b, bool subtract, bool normalized)
{
    const unsigned n = digits_of[f];
    struct number na = take_apart(f, a), nb = take_apart(f, b);
    nb.minus ^= subtract;
    struct number s = sum(na, nb);
    if (s.fraction >> (4 * n + 4)) {
        s.fraction >>= 4;
        s.c++;
    }
    /* The guard digit keeps a normalized sum from being zero, not an unnormalized one. */
    if (!(normalized ? s.fraction : s.fraction >> 4)) {
        if (!x->significance)
            return true_zero(x);
        x->cc = 0;
        x->exception = HFP_SIGNIFICANCE;
        return put_together(f, false, s.c, 0);
    }
    if (normalized)
        normalize(&s, n + 1);
    return finish(x, f, s.minus, s.c, s.fraction >> 4);
}

unsigned hfp_compare(enum hfp_format f, hfp_bits a, hfp_bits b)
{
    struct number na = take_apart(f, a), nb = take_apart(f, b);
    nb.minus = !nb.minus;
    struct number s = sum(na, nb);
    return !s.fraction ? 0 : s.minus ? 1 : 2;
}

/* ---- multiplication -------------------------------------------------------------------------------------------- */

/* The leftmost 128 bits of a product of 256 bits. */
static u128 high_product(u128 a, u128 b)
{
    uint64_t ah = (uint64_t)(a >> 64), al = (uint64_t)a, bh = (uint64_t)(b >> 64), bl = (uint64_t)b;
    u128 middle1 = (u128)ah * bl, middle2 = (u128)al * bh;
    u128 carry = ((u128)al * bl >> 64) + (uint64_t)middle1 + (uint64_t)middle2;
    return (u128)ah * bh + (middle1 >> 64) + (middle2 >> 64) + (carry >> 64);
}

hfp_bits hfp_multiply(struct hfp *x, enum hfp_format from, enum hfp_format to, hfp_bits a, hfp_bits b)
{
    const unsigned n = digits_of[from], m = digits_of[to];
    struct number na = take_apart(from, a), nb = take_apart(from, b);
    if (!na.fraction || !nb.fraction)
        return true_zero(x);
    normalize(&na, n);
    normalize(&nb, n);
    /* 29 digits of the product at the right, of which the first may be zero. */
    u128 p;
    if (from == HFP_EXTENDED)
        p = high_product(na.fraction << 16, nb.fraction << 16) >> 12;
    else
        p = na.fraction * nb.fraction << (4 * (29 - 2 * n));
    struct number r = {na.minus != nb.minus, na.c + nb.c - 64, p};
    normalize(&r, 29);
    return finish(x, to, r.minus, r.c, r.fraction >> (4 * (29 - m)));
}

hfp_bits hfp_multiply_add(struct hfp *x, enum hfp_format f, hfp_bits a, hfp_bits b, hfp_bits c, bool subtract)
{
    /* Both terms are exact, with 31 digits at the right. What an alignment shifts out counts only when it is
       subtracted: then the terms differ so much that one digit is lost at most on the left. */
    const unsigned n = digits_of[f];
    struct number na = take_apart(f, a), nb = take_apart(f, b), s = take_apart(f, c);
    s.minus ^= subtract;
    struct number p = {na.minus != nb.minus, na.c + nb.c - 64, na.fraction * nb.fraction};
    p.fraction <<= 4 * (31 - 2 * n);
    s.fraction <<= 4 * (31 - n);
    if (!p.fraction && !s.fraction)
        return true_zero(x);
    if (p.fraction)
        normalize(&p, 31);
    if (s.fraction)
        normalize(&s, 31);
    if (!s.fraction || (p.fraction && (p.c > s.c || (p.c == s.c && p.fraction >= s.fraction)))) {
        struct number t = p;
        p = s;
        s = t;
    }
    /* s is the greater one. */
    unsigned shift = p.fraction ? 4 * (unsigned)(s.c - p.c) : 0;
    u128 small = shift < 128 ? p.fraction >> shift : 0;
    bool lost = shift < 128 ? small << shift != p.fraction : p.fraction != 0;
    if (s.minus == p.minus)
        s.fraction += small;
    else
        s.fraction -= small + lost;
    if (!s.fraction)
        return true_zero(x);
    if (s.fraction >> 124) {
        s.fraction >>= 4;
        s.c++;
    }
    normalize(&s, 31);
    return finish(x, f, s.minus, s.c, s.fraction >> (4 * (31 - n)));
}

/* Add s to a product of 28 digits, whose characteristic stays: the exact sum loses the digits that stand left or right
   of those. */
static void add_aligned(struct number *p, struct number s)
{
    const u128 all = ((u128)1 << 112) - 1;
    int left = 4 * (s.c - p->c);
    u128 term = s.fraction << 56;
    bool above = false, below = false;
    if (left >= 112 || left <= -112) {
        above = left > 0 && term;
        below = left < 0 && term;
        term = 0;
    } else if (left >= 0) {
        above = left && term >> (112 - left);
        term = term << left & all;
    } else {
        below = term & (((u128)1 << -left) - 1);
        term >>= -left;
    }
    if (s.minus == p->minus) {
        bool zero = !p->fraction && !term && !above && !below;
        p->fraction = (p->fraction + term) & all;
        p->minus = p->minus && !zero;
        return;
    }
    if (above || p->fraction < term || (p->fraction == term && below)) {
        p->fraction = (term - p->fraction) & all;
        p->minus = s.minus;
    } else {
        p->minus = p->minus && (p->fraction != term);
        p->fraction -= term + below;
    }
}

hfp_bits hfp_multiply_unnormalized(hfp_bits a, hfp_bits b, const hfp_bits *c)
{
    struct number na = take_apart(HFP_LONG, a), nb = take_apart(HFP_LONG, b);
    struct number p = {na.minus != nb.minus, na.c + nb.c - 64, na.fraction * nb.fraction};
    if (c)
        add_aligned(&p, take_apart(HFP_LONG, *c));
    return put_together(HFP_EXTENDED, p.minus, p.c, p.fraction);
}

/* ---- division, square root ------------------------------------------------------------------------------------- */

hfp_bits hfp_divide(struct hfp *x, enum hfp_format f, hfp_bits a, hfp_bits b)
{
    const unsigned n = digits_of[f];
    struct number na = take_apart(f, a), nb = take_apart(f, b);
    if (!nb.fraction) {
        x->exception = HFP_DIVIDE_BY_ZERO;
        return a;
    }
    if (!na.fraction)
        return true_zero(x);
    normalize(&na, n);
    normalize(&nb, n);
    u128 q = na.fraction / nb.fraction, remainder = na.fraction % nb.fraction;
    int c = na.c - nb.c + 64;
    unsigned bits = 4 * n;
    if (q) { /* a digit before the point */
        bits -= 4;
        c++;
    }
    if (f != HFP_EXTENDED)
        q = q << bits | (remainder << bits) / nb.fraction;
    else
        while (bits--) {
            remainder <<= 1;
            bool bit = remainder >= nb.fraction;
            remainder -= bit ? nb.fraction : 0;
            q = q << 1 | bit;
        }
    return finish(x, f, na.minus != nb.minus, c, q);
}

hfp_bits hfp_square_root(struct hfp *x, enum hfp_format f, hfp_bits a)
{
    const unsigned n = digits_of[f];
    struct number m = take_apart(f, a);
    if (!m.fraction)
        return true_zero(x);
    if (m.minus) {
        x->exception = HFP_ROOT_OF_NEGATIVE;
        return a;
    }
    normalize(&m, n);
    /* Two bits of the radicand for each bit of the root, which has one bit more than the result. */
    bool odd = m.c & 1;
    u128 root = 0, remainder = 0, radicand = m.fraction << (128 - 4 * n);
    for (unsigned pairs = odd ? 4 * n - 1 : 4 * n + 1; pairs--; radicand <<= 2) {
        remainder = remainder << 2 | radicand >> 126;
        u128 try = root << 2 | 1;
        root <<= 1;
        if (remainder >= try) {
            remainder -= try;
            root |= 1;
        }
    }
    return finish(x, f, false, (m.c + odd + 64) / 2, (root + 1) >> 1);
}

hfp_bits hfp_halve(struct hfp *x, enum hfp_format f, hfp_bits a)
{
    const unsigned n = digits_of[f];
    struct number m = take_apart(f, a);
    if (!m.fraction)
        return true_zero(x);
    m.fraction <<= 3; /* half of it, and a guard digit */
    normalize(&m, n + 1);
    return finish(x, f, m.minus, m.c, m.fraction >> 4);
}

/* ---- loads ----------------------------------------------------------------------------------------------------- */

hfp_bits hfp_convert(struct hfp *x, enum hfp_format from, enum hfp_format to, hfp_bits a)
{
    struct number m = take_apart(from, a);
    const unsigned n = digits_of[from], k = digits_of[to];
    if (k >= n) { /* a zero extended number is a true zero with the sign */
        if (!m.fraction && to == HFP_EXTENDED)
            return (hfp_bits)m.minus << 127 | (hfp_bits)m.minus << 63;
        return put_together(to, m.minus, m.c, m.fraction << (4 * (k - n)));
    }
    unsigned drop = 4 * (n - k);
    m.fraction = (m.fraction + ((u128)1 << (drop - 1))) >> drop;
    if (m.fraction >> (4 * k)) {
        m.fraction >>= 4;
        m.c++;
    }
    return finish(x, to, m.minus, m.c, m.fraction);
}

hfp_bits hfp_to_integral(enum hfp_format f, hfp_bits a)
{
    const unsigned n = digits_of[f];
    struct number m = take_apart(f, a);
    int behind = (int)n - (m.c - 64); /* digits right of the point */
    if (behind >= (int)n)
        return 0;
    if (behind > 0)
        m.fraction = m.fraction >> (4 * behind) << (4 * behind);
    if (!m.fraction)
        return 0;
    normalize(&m, n);
    return put_together(f, m.minus, m.c, m.fraction);
}

bool hfp_is_minus(enum hfp_format f, hfp_bits a) { return take_apart(f, a).minus; }

hfp_bits hfp_with_sign(enum hfp_format f, hfp_bits a, bool minus, unsigned *cc)
{
    struct number m = take_apart(f, a);
    *cc = !m.fraction ? 0 : minus ? 1 : 2;
    if (f == HFP_EXTENDED && !m.fraction)
        return (hfp_bits)minus << 127 | (hfp_bits)minus << 63;
    return put_together(f, minus, m.c, m.fraction);
}

/* ---- integers -------------------------------------------------------------------------------------------------- */

hfp_bits hfp_from_integer(enum hfp_format f, int64_t value)
{
    const unsigned n = digits_of[f];
    struct number m = {value < 0, 64 + 28, value < 0 ? -(uint64_t)value : (uint64_t)value};
    if (!m.fraction)
        return 0;
    normalize(&m, 28);
    return put_together(f, m.minus, m.c, m.fraction >> (4 * (28 - n)));
}

/* One more in the last place? `half` and `rest`: the leftmost bit that is dropped, and any other. */
static bool round_up(unsigned rounding, bool minus, bool odd, bool half, bool rest)
{
    switch (rounding) {
    case BFP_NEAREST_AWAY:
        return half;
    case BFP_SHORTER:
        return !odd && (half || rest);
    case BFP_NEAREST_EVEN:
        return half && (rest || odd);
    case BFP_UP:
        return !minus && (half || rest);
    case BFP_DOWN:
        return minus && (half || rest);
    case BFP_NEAREST_TOWARD_ZERO:
        return half && rest;
    case BFP_AWAY:
        return half || rest;
    default:
        return false;
    }
}

uint64_t hfp_to_integer(enum hfp_format f, hfp_bits a, unsigned bits, unsigned rounding, unsigned *cc)
{
    const unsigned n = digits_of[f];
    struct number m = take_apart(f, a);
    *cc = !m.fraction ? 0 : m.minus ? 1 : 2;
    if (!m.fraction)
        return 0;
    normalize(&m, n);
    const uint64_t all = bits == 64 ? ~UINT64_C(0) : 0xffffffff, limit = (all >> 1) + m.minus;
    int behind = 4 * ((int)n - (m.c - 64)); /* bits right of the point */
    u128 kept = 0;
    bool fits = m.c - 64 <= 16, half = false, rest = false;
    if (fits && behind <= 0) {
        kept = m.fraction << -behind;
    } else if (fits) {
        kept = behind < 128 ? m.fraction >> behind : 0;
        half = behind <= 128 && (m.fraction >> (behind - 1) & 1);
        rest = behind > 128 || (m.fraction & (((u128)1 << (behind - 1)) - 1));
    }
    kept += round_up(rounding, m.minus, kept & 1, half, rest);
    if (!fits || kept > limit) {
        *cc = 3;
        return limit & all;
    }
    return (m.minus ? -(uint64_t)kept : (uint64_t)kept) & all;
}

/* ---- other radices --------------------------------------------------------------------------------------------- */

hfp_bits hfp_decode(enum hfp_format f, hfp_bits a, bool *minus, int *e)
{
    struct number m = take_apart(f, a);
    *minus = m.minus;
    *e = 4 * (m.c - 64 - (int)digits_of[f]);
    return m.fraction;
}

struct hfp_rounded hfp_round(enum hfp_format f, unsigned rounding, bool minus, int e, hfp_bits m)
{
    const unsigned n = digits_of[f];
    struct hfp_rounded r = {0};
    /* The first digit has the bits of weight 2^(4k) to 2^(4k+3), of which e is one. */
    int k = e >= 0 ? e / 4 : -((3 - e) / 4);
    unsigned drop = 128 - 4 * n + 3 - (unsigned)(e - 4 * k);
    bool half = m >> (drop - 1) & 1, rest = m & (((u128)1 << (drop - 1)) - 1);
    r.fraction = m >> drop;
    r.inexact = half || rest;
    r.incremented = round_up(rounding, minus, r.fraction & 1, half, rest);
    r.fraction += r.incremented;
    r.characteristic = 65 + k;
    if (r.fraction >> (4 * n)) {
        r.fraction >>= 4;
        r.characteristic++;
    }
    return r;
}

hfp_bits hfp_encode(enum hfp_format f, bool minus, const struct hfp_rounded *r)
{
    if (r->fraction)
        return put_together(f, minus, r->characteristic, r->fraction);
    return put_together(f, minus, f == HFP_EXTENDED ? 14 : 0, 0) & ~((u128)(f == HFP_EXTENDED ? 0x7f : 0) << 120);
}

hfp_bits hfp_greatest(enum hfp_format f, bool minus)
{
    return put_together(f, minus, 127, ((u128)1 << 4 * digits_of[f]) - 1);
}

/* ---- binary numbers -------------------------------------------------------------------------------------------- */

hfp_bits hfp_from_bfp(enum bfp_format from, bfp_bits a, unsigned *cc)
{
    const unsigned fraction_bits = from == BFP_SHORT ? 23 : 52;
    const int bias = from == BFP_SHORT ? 127 : 1023;
    const hfp_bits greatest = UINT64_C(0x7fffffffffffffff);
    bool minus;
    enum bfp_class class = bfp_classify(from, a, &minus);
    hfp_bits sign = (hfp_bits)minus << 63;
    if (class >= BFP_INFINITY) {
        *cc = 3;
        return class == BFP_INFINITY ? sign | greatest : greatest;
    }
    *cc = class == BFP_ZERO ? 0 : minus ? 1 : 2;
    if (class == BFP_ZERO)
        return sign;
    uint64_t fraction = (uint64_t)a & ((UINT64_C(1) << fraction_bits) - 1);
    int e = (int)(a >> fraction_bits & (unsigned)(2 * bias + 1)) - bias;
    if (class == BFP_SUBNORMAL)
        e++;
    else
        fraction |= UINT64_C(1) << fraction_bits;
    /* fraction * 2^(e - fraction_bits), as an integer with an exponent that is a multiple of four */
    e += 56 - (int)fraction_bits;
    int shift = e & 3;
    struct number m = {minus, 64 + (e - shift) / 4, (u128)fraction << shift};
    normalize(&m, 14);
    if (m.c > 127) {
        *cc = 3;
        return sign | greatest;
    }
    if (m.c < 0)
        return sign;
    return put_together(HFP_LONG, minus, m.c, m.fraction);
}

bfp_bits hfp_to_bfp(enum bfp_format to, hfp_bits a, unsigned rounding, unsigned *cc)
{
    struct number m = take_apart(HFP_LONG, a);
    struct bfp x = {.rounding = (uint8_t)rounding};
    *cc = !m.fraction ? 0 : m.minus ? 1 : 2;
    bfp_bits result = bfp_round(&x, to, m.minus, 4 * (m.c - 64) + 71, m.fraction);
    if (x.flags & BFP_OVERFLOW)
        *cc = 3;
    return result;
}
