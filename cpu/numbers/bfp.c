/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary floating-point arithmetic. PoP chapters 9 and 19 (SA22-7832-13). Every result is worked out with at least 15
   bits more than its precision and a sticky bit, then rounded once. */
#include "cpu/numbers/bfp.h"

typedef unsigned __int128 u128;

static const struct parameters {
    int precision, emax, bits, alpha;
} formats[3] = {{24, 127, 32, 192}, {53, 1023, 64, 1536}, {113, 16383, 128, 24576}};

#define TOP ((u128)1 << 127)

/* A number taken apart: value = m / 2^127 * 2^e with the leftmost bit of m on, when it is finite and not zero. */
struct number {
    enum bfp_class class; /* BFP_SUBNORMAL does not occur: it is normalized */
    bool minus;
    int e;
    u128 m;
};

static u128 fraction_mask(enum bfp_format f) { return ((u128)1 << (formats[f].precision - 1)) - 1; }
static u128 sign_bit(enum bfp_format f) { return (u128)1 << (formats[f].bits - 1); }
static u128 quiet_bit(enum bfp_format f) { return (u128)1 << (formats[f].precision - 2); }
static u128 infinity(enum bfp_format f) { return (u128)(2 * formats[f].emax + 1) << (formats[f].precision - 1); }
static u128 default_nan(enum bfp_format f) { return infinity(f) | quiet_bit(f); }
static u128 with_sign(enum bfp_format f, bool minus, u128 a) { return a | (minus ? sign_bit(f) : 0); }

static int leading_zeros(u128 m)
{
    uint64_t high = (uint64_t)(m >> 64);
    return high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)m);
}

static unsigned exponent_field(enum bfp_format f, u128 a)
{
    return (unsigned)(a >> (formats[f].precision - 1)) & (unsigned)(2 * formats[f].emax + 1);
}

enum bfp_class bfp_classify(enum bfp_format f, bfp_bits a, bool *negative)
{
    u128 fraction = a & fraction_mask(f);
    unsigned e = exponent_field(f, a);
    *negative = (a & sign_bit(f)) != 0;
    if (e == 0)
        return fraction ? BFP_SUBNORMAL : BFP_ZERO;
    if (e != (unsigned)(2 * formats[f].emax + 1))
        return BFP_NORMAL;
    return !fraction ? BFP_INFINITY : fraction & quiet_bit(f) ? BFP_QNAN : BFP_SNAN;
}

static struct number take_apart(enum bfp_format f, u128 a)
{
    const struct parameters *p = &formats[f];
    struct number n = {0};
    n.class = bfp_classify(f, a, &n.minus);
    n.m = a & fraction_mask(f);
    if (n.class == BFP_NORMAL) {
        n.e = (int)exponent_field(f, a) - p->emax;
        n.m = (n.m | (u128)1 << (p->precision - 1)) << (128 - p->precision);
    } else if (n.class == BFP_SUBNORMAL) {
        int shift = leading_zeros(n.m);
        n.class = BFP_NORMAL;
        n.m <<= shift;
        n.e = 1 - p->emax - (shift - (128 - p->precision));
    }
    return n;
}

/* Recognize an exception that suppresses when it traps. */
static void recognize(struct bfp *x, unsigned exception)
{
    if (x->masks & exception) {
        x->dxc = (uint8_t)exception;
        x->suppressed = true;
    } else {
        x->flags |= (uint8_t)exception;
    }
}

static u128 shift_sticky(u128 m, int by, bool *sticky)
{
    if (by <= 0)
        return m;
    if (by >= 128) {
        *sticky = *sticky || m;
        return 0;
    }
    *sticky = *sticky || (m & (((u128)1 << by) - 1));
    return m >> by;
}

/* What rounding did. */
struct rounded {
    u128 kept;
    bool inexact, incremented;
};

/* Keep the leftmost `precision` bits of m (fewer when it was shifted right). */
static struct rounded round_bits(unsigned rounding, bool minus, u128 m, bool sticky, int precision)
{
    struct rounded r = {m >> (128 - precision), false, false};
    u128 rest = m << precision; /* precision is below 128 */
    r.inexact = rest || sticky;
    bool half_or_more = rest >> 127, more = (rest & ~TOP) || sticky;
    switch (rounding) {
    case BFP_NEAREST_EVEN:
        r.incremented = half_or_more && (more || (r.kept & 1));
        break;
    case BFP_NEAREST_AWAY:
        r.incremented = half_or_more;
        break;
    case BFP_UP:
        r.incremented = r.inexact && !minus;
        break;
    case BFP_DOWN:
        r.incremented = r.inexact && minus;
        break;
    case BFP_SHORTER:
        r.incremented = r.inexact && !(r.kept & 1);
        break;
    case BFP_NEAREST_TOWARD_ZERO:
        r.incremented = half_or_more && more;
        break;
    case BFP_AWAY:
        r.incremented = r.inexact;
        break;
    default:
        break;
    }
    r.kept += r.incremented;
    return r;
}

static void inexact(struct bfp *x, bool is, bool incremented)
{
    if (!is || x->quiet)
        return;
    if (!(x->masks & BFP_INEXACT))
        x->flags |= BFP_INEXACT;
    else if (!x->dxc)
        x->dxc = BFP_INEXACT | (incremented ? BFP_INCREMENTED : 0);
}

static u128 overflowed(struct bfp *x, enum bfp_format f, bool minus)
{
    bool to_infinity = !(x->rounding == BFP_TOWARD_ZERO || x->rounding == BFP_SHORTER ||
                         (x->rounding == BFP_UP && minus) || (x->rounding == BFP_DOWN && !minus));
    x->flags |= BFP_OVERFLOW;
    inexact(x, true, to_infinity);
    return with_sign(f, minus, to_infinity ? infinity(f) : infinity(f) - 1);
}

/* The trapped result of an overflow or underflow: rounded, exponent e wrapped by alpha. */
static u128 wrapped(struct bfp *x, enum bfp_format f, bool minus, int e, const struct rounded *r, unsigned exception)
{
    const struct parameters *p = &formats[f];
    e += exception == BFP_OVERFLOW ? -p->alpha : p->alpha;
    x->dxc = (uint8_t)(exception | (r->inexact ? BFP_INEXACT | (r->incremented ? BFP_INCREMENTED : 0) : 0));
    if (e < 1 - p->emax || e > p->emax)
        e = e < 0 ? 1 - p->emax : p->emax; /* cannot happen with one operation on finite numbers */
    return with_sign(f, minus, ((u128)(unsigned)(e + p->emax) << (p->precision - 1)) | (r->kept & fraction_mask(f)));
}

/* Round (m, sticky) * 2^e to the format. m is normalized; m = 0 without sticky is a zero. */
static u128 put_together(struct bfp *x, enum bfp_format f, bool minus, int e, u128 m, bool sticky)
{
    const struct parameters *p = &formats[f];
    const int emin = 1 - p->emax;
    if (!m && !sticky)
        return with_sign(f, minus, 0);
    if (e < emin && !(x->masks & BFP_UNDERFLOW)) {
        m = shift_sticky(m, emin - e, &sticky);
        struct rounded r = round_bits(x->rounding, minus, m, sticky, p->precision);
        if (r.inexact)
            x->flags |= BFP_UNDERFLOW;
        inexact(x, r.inexact, r.incremented);
        return with_sign(f, minus, r.kept); /* a carry makes it the smallest normal number by itself */
    }
    struct rounded r = round_bits(x->rounding, minus, m, sticky, p->precision);
    bool tiny = e < emin;
    if (r.kept >> p->precision) {
        r.kept >>= 1;
        e++;
    }
    if (tiny)
        return wrapped(x, f, minus, e, &r, BFP_UNDERFLOW);
    if (e > p->emax)
        return x->masks & BFP_OVERFLOW ? wrapped(x, f, minus, e, &r, BFP_OVERFLOW) : overflowed(x, f, minus);
    inexact(x, r.inexact, r.incremented);
    return with_sign(f, minus, ((u128)(unsigned)(e + p->emax) << (p->precision - 1)) | (r.kept & fraction_mask(f)));
}

bfp_bits bfp_round(struct bfp *x, enum bfp_format f, bool minus, int e, bfp_bits m)
{
    int shift = m ? leading_zeros(m) : 0;
    return put_together(x, f, minus, e - shift, m << shift, false);
}

/* ---- NaNs ------------------------------------------------------------------------------------------------------ */

static bool is_nan(const struct number *n) { return n->class == BFP_QNAN || n->class == BFP_SNAN; }

/* The NaN that results from operands of which at least one is one: the first signaling one, else the first. */
static u128 choose_nan(struct bfp *x, enum bfp_format f, const u128 *raw, const struct number *n, unsigned count)
{
    unsigned chosen = count;
    for (unsigned i = count; i-- > 0;)
        if (is_nan(&n[i]))
            chosen = i;
    for (unsigned i = count; i-- > 0;)
        if (n[i].class == BFP_SNAN)
            chosen = i;
    if (n[chosen].class == BFP_SNAN)
        recognize(x, BFP_INVALID);
    return raw[chosen] | quiet_bit(f);
}

static u128 invalid(struct bfp *x, enum bfp_format f)
{
    recognize(x, BFP_INVALID);
    return default_nan(f);
}

bfp_bits bfp_quiet(struct bfp *x, enum bfp_format f, bfp_bits a)
{
    struct number n = take_apart(f, a);
    return is_nan(&n) ? choose_nan(x, f, &a, &n, 1) : a;
}

/* ---- addition -------------------------------------------------------------------------------------------------- */

/* Sum of two finite numbers that are not zero, before rounding. m = 0: an exact zero. */
static struct number sum(struct number a, struct number b, bool *sticky)
{
    *sticky = false;
    if (a.e < b.e || (a.e == b.e && a.m < b.m)) {
        struct number t = a;
        a = b;
        b = t;
    }
    u128 small = shift_sticky(b.m, a.e - b.e, sticky);
    if (a.minus == b.minus) {
        u128 total = a.m + small;
        if (total < small) {
            *sticky = *sticky || (total & 1);
            total = total >> 1 | TOP;
            a.e++;
        }
        a.m = total;
        return a;
    }
    a.m -= small + (*sticky ? 1 : 0);
    if (a.m) {
        int shift = leading_zeros(a.m);
        a.m <<= shift;
        a.e -= shift;
    }
    return a;
}

/* The sign of an exact zero sum. */
static bool zero_sign(const struct bfp *x, bool a, bool b) { return a == b ? a : x->rounding == BFP_DOWN; }

static u128 add(struct bfp *x, enum bfp_format f, u128 a, u128 b, bool subtract)
{
    u128 raw[2] = {a, b};
    struct number n[2] = {take_apart(f, a), take_apart(f, b)};
    bool sticky;
    if (is_nan(&n[0]) || is_nan(&n[1]))
        return choose_nan(x, f, raw, n, 2);
    n[1].minus ^= subtract;
    if (n[0].class == BFP_INFINITY || n[1].class == BFP_INFINITY) {
        if (n[0].class == n[1].class && n[0].minus != n[1].minus)
            return invalid(x, f);
        return with_sign(f, n[n[0].class != BFP_INFINITY].minus, infinity(f));
    }
    if (n[0].class == BFP_ZERO && n[1].class == BFP_ZERO)
        return with_sign(f, zero_sign(x, n[0].minus, n[1].minus), 0);
    if (n[0].class == BFP_ZERO || n[1].class == BFP_ZERO) {
        struct number *one = &n[n[0].class == BFP_ZERO];
        return put_together(x, f, one->minus, one->e, one->m, false);
    }
    struct number s = sum(n[0], n[1], &sticky);
    if (!s.m && !sticky)
        return with_sign(f, x->rounding == BFP_DOWN, 0);
    return put_together(x, f, s.minus, s.e, s.m, sticky);
}

bfp_bits bfp_add(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b) { return add(x, f, a, b, false); }
bfp_bits bfp_subtract(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b) { return add(x, f, a, b, true); }

/* ---- multiplication -------------------------------------------------------------------------------------------- */

/* Product of two normalized numbers: its leftmost 128 bits, normalized. */
static struct number product(struct number a, struct number b, bool *sticky)
{
    uint64_t ah = (uint64_t)(a.m >> 64), al = (uint64_t)a.m, bh = (uint64_t)(b.m >> 64), bl = (uint64_t)b.m;
    u128 high = (u128)ah * bh, middle1 = (u128)ah * bl, middle2 = (u128)al * bh, low = (u128)al * bl;
    u128 carry = (low >> 64) + (uint64_t)middle1 + (uint64_t)middle2;
    high += (middle1 >> 64) + (middle2 >> 64) + (carry >> 64);
    u128 rest = carry << 64 | (uint64_t)low;
    a.minus ^= b.minus;
    a.e += b.e + 1;
    if (!(high & TOP)) {
        high = high << 1 | rest >> 127;
        rest <<= 1;
        a.e--;
    }
    a.m = high;
    *sticky = rest != 0;
    return a;
}

/* Infinity, zero, invalid of a product; false: both are finite and not zero. */
static bool special_product(struct bfp *x, enum bfp_format f, const struct number *n, u128 *result)
{
    bool minus = n[0].minus != n[1].minus;
    if (n[0].class == BFP_INFINITY || n[1].class == BFP_INFINITY) {
        bool zero = n[0].class == BFP_ZERO || n[1].class == BFP_ZERO;
        *result = zero ? invalid(x, f) : with_sign(f, minus, infinity(f));
        return true;
    }
    *result = with_sign(f, minus, 0);
    return n[0].class == BFP_ZERO || n[1].class == BFP_ZERO;
}

bfp_bits bfp_multiply(struct bfp *x, enum bfp_format from, enum bfp_format to, bfp_bits a, bfp_bits b)
{
    u128 result;
    bool sticky;
    struct number n[2] = {take_apart(from, a), take_apart(from, b)};
    if (is_nan(&n[0]) || is_nan(&n[1])) {
        u128 raw[2] = {a, b};
        result = choose_nan(x, from, raw, n, 2);
        if (to != from && !x->suppressed) {
            struct bfp calm = {.rounding = BFP_TOWARD_ZERO};
            result = bfp_convert(&calm, from, to, result, &sticky);
        }
        return result;
    }
    if (special_product(x, to, n, &result))
        return result;
    struct number p = product(n[0], n[1], &sticky);
    return put_together(x, to, p.minus, p.e, p.m, sticky);
}

/* Sum of a product (256 bits as two) and a number: only what the sum needs of exactness. The product of extended
   numbers has up to 226 bits, so that its right half takes part in cancellation. */
static struct number sum_exact(struct number p, u128 low, struct number c, bool *sticky)
{
    /* Bring both to a common 256-bit scale: (high, low) with value (high * 2^128 + low) / 2^255 * 2^e. */
    struct number big = p, small = c;
    u128 big_low = low, small_low = 0;
    if (p.e < c.e || (p.e == c.e && p.m < c.m)) {
        big = c;
        big_low = 0;
        small = p;
        small_low = low;
    }
    int by = big.e - small.e;
    *sticky = false;
    if (by >= 256) {
        *sticky = true;
        small.m = small_low = 0;
    } else if (by >= 128) {
        *sticky = small_low != 0;
        small_low = shift_sticky(small.m, by - 128, sticky);
        small.m = 0;
    } else if (by > 0) {
        *sticky = small_low & (((u128)1 << by) - 1);
        small_low = small_low >> by | small.m << (128 - by);
        small.m >>= by;
    }
    if (big.minus == small.minus) {
        u128 l = big_low + small_low, carry = l < small_low, h = big.m + small.m;
        bool over = h < small.m;
        h += carry;
        over = over || (carry && h == 0);
        if (over) {
            *sticky = *sticky || (l & 1);
            l = l >> 1 | h << 127;
            h = h >> 1 | TOP;
            big.e++;
        }
        *sticky = *sticky || l;
        big.m = h;
        return big;
    }
    u128 borrow_in = *sticky ? 1 : 0, l = big_low - small_low, borrow = big_low < small_low;
    borrow += l < borrow_in;
    l -= borrow_in;
    u128 h = big.m - small.m - borrow;
    if (!h && !l) {
        big.m = 0;
        return big;
    }
    int shift = h ? leading_zeros(h) : 128 + leading_zeros(l);
    if (shift >= 128) {
        h = l << (shift - 128);
        l = 0;
    } else if (shift) {
        h = h << shift | l >> (128 - shift);
        l <<= shift;
    }
    big.e -= shift;
    big.m = h;
    *sticky = *sticky || l;
    return big;
}

/* The right half of the exact product, aligned with the normalized left half of product(). */
static u128 product_low(const struct number *a, const struct number *b)
{
    uint64_t ah = (uint64_t)(a->m >> 64), al = (uint64_t)a->m, bh = (uint64_t)(b->m >> 64), bl = (uint64_t)b->m;
    u128 low = (u128)al * bl, middle1 = (u128)ah * bl, middle2 = (u128)al * bh;
    u128 carry = (low >> 64) + (uint64_t)middle1 + (uint64_t)middle2;
    u128 high = (u128)ah * bh + (middle1 >> 64) + (middle2 >> 64) + (carry >> 64);
    u128 rest = carry << 64 | (uint64_t)low;
    return high & TOP ? rest : rest << 1;
}

bfp_bits bfp_multiply_add(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b, bfp_bits c, bool subtract)
{
    u128 raw[3] = {a, b, c}, result;
    struct number n[3] = {take_apart(f, a), take_apart(f, b), take_apart(f, c)};
    bool sticky, minus = n[0].minus != n[1].minus;
    bool bad = (n[0].class == BFP_INFINITY && n[1].class == BFP_ZERO) ||
               (n[0].class == BFP_ZERO && n[1].class == BFP_INFINITY);
    if (bad)
        return invalid(x, f);
    if (is_nan(&n[0]) || is_nan(&n[1]) || is_nan(&n[2]))
        return choose_nan(x, f, raw, n, 3);
    n[2].minus ^= subtract;
    if (special_product(x, f, n, &result)) {
        if (n[0].class == BFP_ZERO || n[1].class == BFP_ZERO) {
            if (n[2].class == BFP_ZERO)
                return with_sign(f, zero_sign(x, minus, n[2].minus), 0);
            return n[2].class == BFP_INFINITY ? with_sign(f, n[2].minus, infinity(f))
                                              : put_together(x, f, n[2].minus, n[2].e, n[2].m, false);
        }
        return n[2].class == BFP_INFINITY && n[2].minus != minus ? invalid(x, f) : result;
    }
    if (n[2].class == BFP_INFINITY)
        return with_sign(f, n[2].minus, infinity(f));
    struct number p = product(n[0], n[1], &sticky);
    if (n[2].class == BFP_ZERO)
        return put_together(x, f, p.minus, p.e, p.m, sticky);
    struct number s = sum_exact(p, product_low(&n[0], &n[1]), n[2], &sticky);
    if (!s.m && !sticky)
        return with_sign(f, x->rounding == BFP_DOWN, 0);
    return put_together(x, f, s.minus, s.e, s.m, sticky);
}

/* ---- division and square root ---------------------------------------------------------------------------------- */

/* Quotient of two normalized numbers, with sticky. */
static struct number quotient(struct number a, struct number b, bool *sticky)
{
    u128 remainder = a.m, q = 0;
    a.minus ^= b.minus;
    a.e -= b.e;
    if (!((uint64_t)a.m | (uint64_t)b.m)) { /* short and long: two steps of the host's division, mostly one */
        u128 dividend = a.m >> 1;
        uint64_t divisor = (uint64_t)(b.m >> 64);
        u128 rest = (dividend % divisor) << 64;
        q = dividend / divisor << 64;
        if (rest)
            q |= rest / divisor;
        *sticky = rest % divisor != 0;
        int shift = leading_zeros(q);
        a.e -= shift;
        a.m = q << shift;
        return a;
    }
    bool over = false;
    for (int i = 0; i < 128; i++) {
        bool bit = over || remainder >= b.m;
        if (bit)
            remainder -= b.m;
        q = q << 1 | bit;
        over = remainder >> 127;
        remainder <<= 1;
    }
    *sticky = remainder || over;
    if (!(q & TOP)) {
        q <<= 1;
        a.e--;
    }
    a.m = q;
    return a;
}

bfp_bits bfp_divide(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b)
{
    u128 raw[2] = {a, b};
    struct number n[2] = {take_apart(f, a), take_apart(f, b)};
    bool sticky, minus = n[0].minus != n[1].minus;
    if (is_nan(&n[0]) || is_nan(&n[1]))
        return choose_nan(x, f, raw, n, 2);
    if (n[0].class == n[1].class && n[0].class != BFP_NORMAL)
        return invalid(x, f);
    if (n[0].class == BFP_INFINITY)
        return with_sign(f, minus, infinity(f));
    if (n[0].class == BFP_ZERO || n[1].class == BFP_INFINITY)
        return with_sign(f, minus, 0);
    if (n[1].class == BFP_ZERO) {
        recognize(x, BFP_DIVIDE);
        return with_sign(f, minus, infinity(f));
    }
    struct number q = quotient(n[0], n[1], &sticky);
    return put_together(x, f, q.minus, q.e, q.m, sticky);
}

bfp_bits bfp_square_root(struct bfp *x, enum bfp_format f, bfp_bits a)
{
    struct number n = take_apart(f, a);
    if (is_nan(&n))
        return choose_nan(x, f, &a, &n, 1);
    if (n.class == BFP_ZERO || (n.class == BFP_INFINITY && !n.minus))
        return a;
    if (n.minus)
        return invalid(x, f);
    /* The root of a 240-bit radicand, two bits at a time: 120 bits. An odd exponent takes one bit more to the left. */
    bool odd = n.e & 1;
    u128 root = 0, remainder = 0, m = odd ? n.m : n.m >> 1;
    for (int i = 0; i < 120; i++) {
        remainder = remainder << 2 | (m >> 126);
        m <<= 2;
        if (i == 63)
            m = odd ? 0 : (n.m & 1) << 127;
        u128 try = root << 2 | 1;
        root <<= 1;
        if (remainder >= try) {
            remainder -= try;
            root |= 1;
        }
    }
    int e = (n.e - odd) / 2;
    if (odd && n.e < 0)
        e = (n.e - 1) / 2;
    int shift = leading_zeros(root);
    return put_together(x, f, false, e + (8 - shift), root << shift, remainder != 0);
}

/* ---- comparison and conversions -------------------------------------------------------------------------------- */

unsigned bfp_compare(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b, bool signal)
{
    struct number n[2] = {take_apart(f, a), take_apart(f, b)};
    if (is_nan(&n[0]) || is_nan(&n[1])) {
        if (signal || n[0].class == BFP_SNAN || n[1].class == BFP_SNAN)
            recognize(x, BFP_INVALID);
        return 3;
    }
    if (n[0].class == BFP_ZERO && n[1].class == BFP_ZERO)
        return 0;
    /* As signed magnitudes the formats are ordered like integers. */
    u128 ma = a & (sign_bit(f) - 1), mb = b & (sign_bit(f) - 1);
    if (n[0].minus != n[1].minus)
        return n[0].minus ? 1 : 2;
    if (ma == mb)
        return 0;
    return (ma < mb) != n[0].minus ? 1 : 2;
}

bfp_bits bfp_convert(struct bfp *x, enum bfp_format from, enum bfp_format to, bfp_bits a, bool *in_source)
{
    struct number n = take_apart(from, a);
    *in_source = false;
    if (is_nan(&n)) {
        u128 quiet = choose_nan(x, from, &a, &n, 1) & fraction_mask(from);
        int shift = formats[to].precision - formats[from].precision;
        quiet = shift >= 0 ? quiet << shift : quiet >> -shift;
        return with_sign(to, n.minus, infinity(to) | quiet);
    }
    if (n.class == BFP_INFINITY)
        return with_sign(to, n.minus, infinity(to));
    if (n.class == BFP_ZERO)
        return with_sign(to, n.minus, 0);
    const struct parameters *p = &formats[to];
    struct rounded r = round_bits(x->rounding, n.minus, n.m, false, p->precision);
    int e = n.e;
    bool carry = r.kept >> p->precision;
    bool over = e + carry > p->emax && (x->masks & BFP_OVERFLOW), under = e < 1 - p->emax && (x->masks & BFP_UNDERFLOW);
    if (to < from && (over || under)) {
        const int scale = (formats[from].emax + 1) / 2; /* a quarter of the source's range: 512, 8192 */
        struct bfp calm = {.rounding = BFP_TOWARD_ZERO};
        *in_source = true;
        e += over ? -scale : scale;
        x->dxc = (uint8_t)((over ? BFP_OVERFLOW : BFP_UNDERFLOW) |
                           (r.inexact ? BFP_INEXACT | (r.incremented ? BFP_INCREMENTED : 0) : 0));
        u128 m = carry ? TOP : r.kept << (128 - p->precision);
        return put_together(&calm, from, n.minus, e + carry, m, false);
    }
    return put_together(x, to, n.minus, e, n.m, false);
}

bfp_bits bfp_from_integer(struct bfp *x, enum bfp_format f, uint64_t value, bool is_signed)
{
    bool minus = is_signed && value >> 63;
    u128 m = minus ? -value : value;
    if (!m)
        return 0;
    int shift = leading_zeros(m);
    return put_together(x, f, minus, 127 - shift, m << shift, false);
}

/* The integer nearest by the rounding method: magnitude (saturated far above 64 bits) and what rounding did. */
static struct rounded integer_of(unsigned rounding, const struct number *n, bool *huge)
{
    bool sticky = false;
    *huge = n->e > 70;
    if (*huge)
        return (struct rounded){0, false, false};
    /* An integer part of at most 72 bits: keep it in the leftmost 72 bits, the fraction behind. */
    u128 m = shift_sticky(n->m, 71 - n->e, &sticky);
    return round_bits(rounding, n->minus, m, sticky, 72);
}

uint64_t bfp_to_integer(struct bfp *x, enum bfp_format f, bfp_bits a, unsigned bits, bool is_signed, unsigned *cc)
{
    struct number n = take_apart(f, a);
    const uint64_t all = bits == 64 ? ~UINT64_C(0) : 0xffffffff, half = (all >> 1) + 1;
    bool huge = false;
    struct rounded r = {0};
    *cc = n.class == BFP_ZERO ? 0 : n.minus ? 1 : 2;
    if (n.class == BFP_ZERO)
        return 0;
    if (n.class == BFP_NORMAL) {
        r = integer_of(x->rounding, &n, &huge);
        u128 limit = !is_signed ? (n.minus ? 0 : all) : n.minus ? half : half - 1;
        if (!huge && r.kept <= limit) {
            inexact(x, r.inexact, r.incremented);
            uint64_t v = (uint64_t)r.kept;
            return (n.minus ? -v : v) & all;
        }
    }
    recognize(x, BFP_INVALID);
    *cc = 3;
    if (is_nan(&n))
        n.minus = true; /* as the most negative one */
    uint64_t result = is_signed ? (n.minus ? half : half - 1) : n.minus ? 0 : all;
    if (!x->suppressed)
        inexact(x, true, false);
    return result;
}

bfp_bits bfp_to_integral(struct bfp *x, enum bfp_format f, bfp_bits a)
{
    struct number n = take_apart(f, a);
    const struct parameters *p = &formats[f];
    if (is_nan(&n))
        return choose_nan(x, f, &a, &n, 1);
    if (n.class != BFP_NORMAL || n.e >= p->precision - 1)
        return a;
    bool sticky = false;
    int keep = n.e < 0 ? 1 : n.e + 1; /* bits of the integer part; below 1 the zero bit of weight 1 */
    u128 m = n.e < 0 ? shift_sticky(n.m, -n.e, &sticky) : n.m;
    struct rounded r = round_bits(x->rounding, n.minus, m, sticky, keep);
    inexact(x, r.inexact, r.incremented);
    if (!r.kept)
        return with_sign(f, n.minus, 0);
    int shift = leading_zeros(r.kept);
    struct bfp calm = {.rounding = BFP_TOWARD_ZERO};
    return put_together(&calm, f, n.minus, 127 - shift, r.kept << shift, false);
}

unsigned bfp_cc(enum bfp_format f, bfp_bits a)
{
    bool minus;
    enum bfp_class class = bfp_classify(f, a, &minus);
    return class == BFP_ZERO ? 0 : class >= BFP_QNAN ? 3 : minus ? 1 : 2;
}

/* ---- divide to integer ----------------------------------------------------------------------------------------- */

/* |a| mod |b| and the quotient's leftmost bits: subtract shifted divisors for `steps` quotient bits from the top. Both
 * m are normalized, a.e - b.e >= steps - 1. */
static u128 long_division(u128 a, u128 b, int steps, u128 *remainder)
{
    u128 q = 0;
    bool over = false;
    for (int i = 0; i < steps; i++) {
        bool bit = over || a >= b;
        if (bit)
            a -= b;
        q = q << 1 | bit;
        if (i + 1 < steps) {
            over = a >> 127;
            a <<= 1;
        }
    }
    *remainder = a;
    return q;
}

/* The quotient q of magnitudes is incremented by this rounding method: twice the remainder is less than (-1), equal to
   (0) or greater than (1) the divisor. */
static bool rounds_up(unsigned rounding, bool minus, u128 q, bool inexact, int compare)
{
    switch (rounding) {
    case BFP_NEAREST_EVEN:
        return compare > 0 || (compare == 0 && (q & 1));
    case BFP_NEAREST_AWAY:
        return compare >= 0;
    case BFP_UP:
        return inexact && !minus;
    case BFP_DOWN:
        return inexact && minus;
    case BFP_SHORTER:
        return inexact && !(q & 1);
    default:
        return false;
    }
}

/* q, an integer, as a number of the format, which holds it but for bits that are truncated; its rightmost bit has the
   weight 2^e. */
static bfp_bits integer_quotient(enum bfp_format f, bool minus, u128 q, int e)
{
    struct bfp calm = {.rounding = BFP_TOWARD_ZERO};
    if (!q)
        return with_sign(f, minus, 0);
    int shift = leading_zeros(q);
    return put_together(&calm, f, minus, e + 127 - shift, q << shift, false);
}

/* A quotient of `steps` bits whose last one has the weight of the rightmost bit that the format has for it, exact or
   truncated, and the remainder. *cc: 2 when there is one, the quotient being partial then; 1 is added when the
   quotient's exponent had to be wrapped. */
static bfp_bits long_quotient(struct bfp *x, enum bfp_format f, const struct number n[2], bool minus, int steps,
                              bfp_bits *quotient_out, unsigned *cc)
{
    const struct parameters *p = &formats[f];
    u128 r, q = long_division(n[0].m, n[1].m, steps, &r);
    int remainder_e = n[0].e - (steps - 1), quotient_e = remainder_e - n[1].e;
    *cc = r ? 2 : 0;
    if (quotient_e + p->precision - 1 > p->emax) {
        quotient_e -= p->alpha;
        *cc |= 1;
    }
    *quotient_out = integer_quotient(f, minus, q, quotient_e);
    if (!r)
        return with_sign(f, n[0].minus, 0);
    int shift = leading_zeros(r);
    return put_together(x, f, n[0].minus, remainder_e - shift, r << shift, false);
}

/* A quotient that the format has all integers for, rounded; d is the difference of the exponents. */
static bfp_bits rounded_quotient(struct bfp *x, enum bfp_format f, const struct number n[2], bool minus, int d,
                                 unsigned rounding, bfp_bits *quotient_out)
{
    u128 q = 0;
    struct number remainder = {.class = BFP_NORMAL, .minus = n[0].minus, .e = n[0].e, .m = n[0].m};
    if (d >= 0) {
        q = long_division(n[0].m, n[1].m, d + 1, &remainder.m);
        remainder.e = n[1].e;
    }
    /* r * 2^remainder.e is |a| - q|b|, 0 <= r < b. Round the quotient: compare 2r with b on a common scale. */
    const u128 r = remainder.m, half = d == -1 ? n[1].m : n[1].m - r; /* at -1, r has the exponent of b less 1 */
    int compare = d < -1 || r < half ? -1 : r == half ? 0 : 1;
    bool sticky = false;
    if (r) {
        int shift = leading_zeros(r);
        remainder.m <<= shift;
        remainder.e -= shift;
    }
    if (rounds_up(rounding, minus, q, r != 0, compare)) {
        struct number minus_b = n[1];
        minus_b.minus = !n[0].minus;
        q++;
        remainder = sum(remainder, minus_b, &sticky);
    }
    *quotient_out = integer_quotient(f, minus, q, 0);
    if (!remainder.m && !sticky)
        return with_sign(f, n[0].minus, 0);
    return put_together(x, f, remainder.minus, remainder.e, remainder.m, sticky);
}

bfp_bits bfp_divide_to_integer(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b, unsigned rounding,
                               bfp_bits *quotient_out, unsigned *cc)
{
    u128 raw[2] = {a, b};
    struct number n[2] = {take_apart(f, a), take_apart(f, b)};
    bool minus = n[0].minus != n[1].minus;
    *cc = 0;
    if (is_nan(&n[0]) || is_nan(&n[1])) {
        *cc = 1;
        return *quotient_out = choose_nan(x, f, raw, n, 2);
    }
    if (n[0].class == BFP_INFINITY || n[1].class == BFP_ZERO) {
        *cc = 1;
        return *quotient_out = invalid(x, f);
    }
    if (n[0].class == BFP_ZERO || n[1].class == BFP_INFINITY) {
        *quotient_out = with_sign(f, minus, 0);
        return a;
    }
    /* A quotient with at most `precision` bits before the point lies between two integers that the format has, and is
       rounded to one of them. Any longer one is final only if it is an integer itself; then it fits, being a factor of
       the dividend. */
    const int precision = formats[f].precision, d = n[0].e - n[1].e, before = d + (n[0].m >= n[1].m);
    if (before > precision)
        return long_quotient(x, f, n, minus, precision + (n[0].m < n[1].m), quotient_out, cc);
    return rounded_quotient(x, f, n, minus, d, rounding, quotient_out);
}
