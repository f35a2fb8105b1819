/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers of many words. The largest is the denominator of the smallest extended decimal number: 5^6176, and 128 bits
   of a quotient to its left. */
#include "cpu/numbers/big.h"
#include <string.h>

typedef unsigned __int128 u128;

enum { WORDS = 480 };

struct big {
    unsigned n; /* words in use; the leftmost is not zero */
    uint32_t word[WORDS];
};

static void set(struct big *a, u128 v)
{
    for (a->n = 0; v; v >>= 32)
        a->word[a->n++] = (uint32_t)v;
}

static unsigned bit_length(const struct big *a)
{
    return a->n ? 32 * a->n - (unsigned)__builtin_clz(a->word[a->n - 1]) : 0;
}

static void multiply(struct big *a, uint32_t by)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < a->n; i++) {
        carry += (uint64_t)a->word[i] * by;
        a->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && a->n < WORDS)
        a->word[a->n++] = (uint32_t)carry;
}

static void multiply_power_of_5(struct big *a, unsigned n)
{
    static const uint32_t five_13 = 1220703125; /* the largest power of 5 in a word */
    for (; n >= 13; n -= 13)
        multiply(a, five_13);
    for (; n; n--)
        multiply(a, 5);
}

/* The bits of a from `low` on, as many as the result takes; *rest: there are bits to the right of them. */
static u128 bits_from(const struct big *a, unsigned low, bool *rest)
{
    u128 v = 0;
    unsigned first = low / 32, shift = low % 32;
    for (unsigned i = 0; i < first && i < a->n; i++)
        *rest = *rest || a->word[i];
    for (unsigned i = 5; i-- > 0;) {
        uint32_t word = first + i < a->n ? a->word[first + i] : 0;
        v = i ? v << 32 | word : shift ? v << (32 - shift) | word >> shift : v << 32 | word;
        if (i == 0 && shift)
            *rest = *rest || word << (32 - shift);
    }
    return v;
}

/* a - b * 2^(32 words) >= 0? Then subtract. a and b stand aligned at bit 0; a has room. */
static bool subtract_if(struct big *a, const struct big *b)
{
    if (a->n < b->n)
        return false;
    if (a->n == b->n)
        for (unsigned i = a->n; i-- > 0;) {
            if (a->word[i] > b->word[i])
                break;
            if (a->word[i] < b->word[i])
                return false;
        }
    int64_t borrow = 0;
    for (unsigned i = 0; i < a->n; i++) {
        borrow += (int64_t)a->word[i] - (i < b->n ? b->word[i] : 0);
        a->word[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
    while (a->n && !a->word[a->n - 1])
        a->n--;
    return true;
}

static void shift_left(struct big *a, unsigned bits)
{
    unsigned words = bits / 32, by = bits % 32;
    if (!a->n)
        return;
    memmove(a->word + words, a->word, a->n * sizeof *a->word);
    memset(a->word, 0, words * sizeof *a->word);
    a->n += words;
    if (by)
        multiply(a, (uint32_t)1 << by);
}

/* Integer part of m * 2^shift / 5^n, below 2^128, bit by bit; *rest: there is a remainder. */
static u128 divide(u128 m, unsigned shift, unsigned n, bool *rest)
{
    struct big a, b;
    u128 quotient = 0;
    set(&a, m);
    set(&b, 1);
    multiply_power_of_5(&b, n);
    /* All of a but its last `steps` bits is less than b. */
    unsigned have = bit_length(&a), need = bit_length(&b) - 1;
    unsigned steps = shift;
    if (have + shift < need)
        need = have + shift; /* then the quotient is zero */
    if (have <= need) {
        shift_left(&a, need - have);
        steps = shift - (need - have);
    } else {
        u128 low = m;
        unsigned drop = have - need; /* these bits of m come in one by one */
        set(&a, drop < 128 ? m >> drop : 0);
        for (unsigned i = drop; i-- > 0;) {
            shift_left(&a, 1);
            if (low >> i & 1) {
                if (!a.n)
                    set(&a, 1);
                else
                    a.word[0] |= 1;
            }
            quotient = quotient << 1 | subtract_if(&a, &b);
        }
    }
    while (steps--) {
        shift_left(&a, 1);
        quotient = quotient << 1 | subtract_if(&a, &b);
    }
    *rest = *rest || a.n;
    return quotient;
}

u128 big_scale(u128 m, int two, int five, bool *rest)
{
    *rest = false;
    if (five >= 0) {
        struct big a;
        set(&a, m);
        multiply_power_of_5(&a, (unsigned)five);
        if (two >= 0)
            return bits_from(&a, 0, rest) << two;
        return bits_from(&a, (unsigned)-two, rest);
    }
    u128 quotient = divide(m, two > 0 ? (unsigned)two : 0, (unsigned)-five, rest);
    if (two >= 0)
        return quotient;
    if (two <= -128) {
        *rest = *rest || quotient;
        return 0;
    }
    *rest = *rest || quotient & (((u128)1 << -two) - 1);
    return quotient >> -two;
}

u128 big_leading(u128 m, int five, int *exponent, bool *rest)
{
    struct big a;
    *rest = false;
    set(&a, m);
    unsigned have = bit_length(&a);
    if (five >= 0) {
        multiply_power_of_5(&a, (unsigned)five);
        unsigned bits = bit_length(&a);
        *exponent = (int)bits - 128;
        return bits > 128 ? bits_from(&a, bits - 128, rest) : bits_from(&a, 0, rest) << (128 - bits);
    }
    struct big b;
    set(&b, 1);
    multiply_power_of_5(&b, (unsigned)-five);
    unsigned shift = 127 + bit_length(&b) - have; /* a quotient of 127 or 128 bits */
    *exponent = -(int)shift;
    return divide(m, shift, (unsigned)-five, rest);
}
