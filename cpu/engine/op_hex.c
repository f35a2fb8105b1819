/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of the block engine: short and long hexadecimal floating point by integers of the host, for results that
   are not zero and whose characteristic fits; all else is left to the bodies of cpu/exec/float/hfp.c. PoP chapter 18
   (SA22-7832-13). */
#include "cpu/engine/block.h"
#include "cpu/engine/handlers.h"
#include "cpu/engine/op_float.h"
#include "cpu/engine/tuning.h"
#include "cpu/numbers/hfp_sum.h"
#include "cpu/storage/access.h"

/* n digits of fraction at the right, characteristic, sign */
struct hex {
    uint64_t fraction;
    int c;
    bool minus;
};

static ALWAYS_INLINE struct hex take(unsigned n, uint64_t v)
{
    return (struct hex){v & ((UINT64_C(1) << 4 * n) - 1), (int)(v >> 4 * n) & 127, v >> (4 * n + 7)};
}
static ALWAYS_INLINE uint64_t put(unsigned n, struct hex h)
{
    return (uint64_t)h.minus << (4 * n + 7) | (uint64_t)h.c << 4 * n | h.fraction;
}
static ALWAYS_INLINE bool normal(unsigned n, struct hex h) { return h.fraction >> (4 * n - 4); }
static ALWAYS_INLINE bool fits(struct hex h) { return (unsigned)h.c <= 127; }

/* n digits of fraction: the first digit must not be zero. */
static ALWAYS_INLINE struct hex normalized(unsigned n, struct hex h)
{
    const int digits = (__builtin_clzll(h.fraction) - (int)(64 - 4 * n)) / 4;
    h.fraction <<= 4 * digits;
    h.c -= digits;
    return h;
}

HFP_DEFINE_SUM(sum, struct hex, uint64_t)

/* Sum of x and y: r, in range when *good. */
static ALWAYS_INLINE struct hex add(unsigned n, struct hex x, struct hex y, bool *good)
{
    struct hex r = sum(x, y);
    *good = r.fraction;
    if (!r.fraction)
        return r;
    if (r.fraction >> (4 * n + 4)) {
        r.fraction >>= 4;
        r.c++;
    } else {
        r = normalized(n + 1, r);
    }
    r.fraction >>= 4;
    *good = fits(r);
    return r;
}
static ALWAYS_INLINE struct hex subtract(unsigned n, struct hex x, struct hex y, bool *good)
{
    y.minus = !y.minus;
    return add(n, x, y, good);
}
/* To m digits, at least as many as n. */
static ALWAYS_INLINE struct hex multiply(unsigned n, unsigned m, struct hex x, struct hex y, bool *good)
{
    const unsigned __int128 p = (unsigned __int128)x.fraction * y.fraction;
    struct hex r = {0, x.c + y.c - 64, x.minus != y.minus};
    const bool first = p >> (8 * n - 4);
    const unsigned keep = 8 * n - (first ? 0 : 4); /* bits of the product without a first digit that is zero */
    r.fraction = (uint64_t)(keep >= 4 * m ? p >> (keep - 4 * m) : p << (4 * m - keep));
    r.c -= !first;
    *good = normal(n, x) && normal(n, y) && fits(r);
    return r;
}
static ALWAYS_INLINE struct hex divide(unsigned n, struct hex x, struct hex y, bool *good)
{
    const bool digit = x.fraction >= y.fraction;
    const unsigned bits = 4 * n - (digit ? 4 : 0);
    struct hex r = {0, x.c - y.c + 64 + digit, x.minus != y.minus};
    *good = normal(n, x) && normal(n, y) && fits(r);
    if (*good)
        r.fraction = n == 6 ? (x.fraction << bits) / y.fraction
                            : (uint64_t)(((unsigned __int128)x.fraction << bits) / y.fraction);
    return r;
}

#define SHORT_DIGITS 6
#define LONG_DIGITS  14
#define FINISH(m, to, type, expression, ...)                                                                           \
    bool good;                                                                                                         \
    const struct hex r = expression;                                                                                   \
    if (UNLIKELY(!good))                                                                                               \
        TAIL op_redo(ARGS);                                                                                            \
    to = (type)put(m, r);                                                                                              \
    __VA_ARGS__;                                                                                                       \
    NEXT(1)
/* x is the first operand, y the second, in a register or in storage. */
#define OPERATION(name, n, bits, from, second, m, to, type, ...)                                                       \
    HANDLER(op_##name##r)                                                                                              \
    {                                                                                                                  \
        const struct hex x = take(n, from), y = take(n, second);                                                       \
        FINISH(m, to, type, __VA_ARGS__);                                                                              \
    }                                                                                                                  \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        uint64_t ea = EA_X;                                                                                            \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (UNLIKELY(e->read != ((ea + bits / 8 - 1) & PAGE_ADDRESS)))                                                 \
            TAIL op_redo(ARGS);                                                                                        \
        const struct hex x = take(n, from), y = take(n, get##bits((const void *)(ea + e->host)));                      \
        FINISH(m, to, type, __VA_ARGS__);                                                                              \
    }
#define LONG(name, ...)   OPERATION(name, LONG_DIGITS, 64, L1, L2, LONG_DIGITS, L1, uint64_t, __VA_ARGS__)
#define SHORT_(name, ...) OPERATION(name, SHORT_DIGITS, 32, S1, S2, SHORT_DIGITS, S1, uint32_t, __VA_ARGS__)
#define SIGN_CC()         (a = 2 - r.minus)
LONG(ad, add(LONG_DIGITS, x, y, &good), SIGN_CC())
LONG(sd, subtract(LONG_DIGITS, x, y, &good), SIGN_CC())
LONG(md, multiply(LONG_DIGITS, LONG_DIGITS, x, y, &good), )
LONG(dd, divide(LONG_DIGITS, x, y, &good), )
SHORT_(ae, add(SHORT_DIGITS, x, y, &good), SIGN_CC())
SHORT_(se, subtract(SHORT_DIGITS, x, y, &good), SIGN_CC())
SHORT_(mee, multiply(SHORT_DIGITS, SHORT_DIGITS, x, y, &good), )
SHORT_(de, divide(SHORT_DIGITS, x, y, &good), )
OPERATION(mde, SHORT_DIGITS, 32, S1, S2, LONG_DIGITS, L1, uint64_t, multiply(SHORT_DIGITS, LONG_DIGITS, x, y, &good), )

#define COMPARE(name, n, bits, first, second)                                                                          \
    HANDLER(op_##name##r)                                                                                              \
    {                                                                                                                  \
        struct hex y = take(n, second);                                                                                \
        y.minus = !y.minus;                                                                                            \
        const struct hex r = sum(take(n, first), y);                                                                   \
        a = r.fraction ? 2 - r.minus : 0;                                                                              \
        NEXT(1);                                                                                                       \
    }                                                                                                                  \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        uint64_t ea = EA_X;                                                                                            \
        const struct tlb_entry *e = tlb_slot(tlb, ea);                                                                 \
        if (UNLIKELY(e->read != ((ea + bits / 8 - 1) & PAGE_ADDRESS)))                                                 \
            TAIL op_redo(ARGS);                                                                                        \
        struct hex y = take(n, get##bits((const void *)(ea + e->host)));                                               \
        y.minus = !y.minus;                                                                                            \
        const struct hex r = sum(take(n, first), y);                                                                   \
        a = r.fraction ? 2 - r.minus : 0;                                                                              \
        NEXT(1);                                                                                                       \
    }
COMPARE(cd, LONG_DIGITS, 64, L1, L2)
COMPARE(ce, SHORT_DIGITS, 32, S1, S2)

/* A sign; condition code 0 when the fraction is zero */
#define SIGNED(name, value)                                                                                            \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        const uint64_t v = L2;                                                                                         \
        L1 = (value);                                                                                                  \
        a = v << 8 ? 2 - (L1 >> 63) : 0;                                                                               \
        NEXT(1);                                                                                                       \
    }
SIGNED(ltdr, v)
SIGNED(lcdr, v ^ BIT64(0))
SIGNED(lpdr, v & ~BIT64(0))
SIGNED(lndr, v | BIT64(0))
HANDLER(op_lter)
{
    const uint32_t v = S2;
    S1 = v;
    a = v << 8 ? 2 - (v >> 31) : 0;
    NEXT(1);
}

#define HALVE(name, n, from, type)                                                                                     \
    HANDLER(op_##name)                                                                                                 \
    {                                                                                                                  \
        struct hex r = take(n, from##2);                                                                               \
        if (UNLIKELY(!r.fraction))                                                                                     \
            TAIL op_redo(ARGS);                                                                                        \
        r.fraction <<= 3;                                                                                              \
        r = normalized(n + 1, r);                                                                                      \
        if (UNLIKELY(!fits(r)))                                                                                        \
            TAIL op_redo(ARGS);                                                                                        \
        r.fraction >>= 4;                                                                                              \
        from##1 = (type)put(n, r);                                                                                     \
        NEXT(1);                                                                                                       \
    }
HALVE(hdr, LONG_DIGITS, L, uint64_t)
HALVE(her, SHORT_DIGITS, S, uint32_t)
