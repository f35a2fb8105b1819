/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal floating point: densely packed decimal, integers of 256 bits, and our arithmetic against Intel's library (in
   a build that has it). */
#include "config.h"

#include "cpu/numbers/dfp_internal.h"
#include "cpu/numbers/ten.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* All 1024 declets stand for 1000 numbers, 24 of them a second, third or fourth time; every number comes back. */
static void test_declets(void **state)
{
    (void)state;
    unsigned seen[1000] = {0}, same = 0;
    for (unsigned d = 0; d < 1024; d++) {
        struct dfp a = dfp_decode(DFP_LONG, d);
        assert_true(a.digits < 1000);
        seen[(unsigned)a.digits]++;
        same += (dfp_encode(DFP_LONG, &a) & 0x3ff) == d;
    }
    assert_int_equal(same, 1000);
    for (unsigned n = 0; n < 1000; n++)
        assert_int_equal(seen[n], n / 100 >= 8 && n / 10 % 10 >= 8 && n % 10 >= 8 ? 4 : 1);
}

/* What the format holds comes back: every leftmost digit, the ends of the exponents, each kind. */
static void test_formats(void **state)
{
    (void)state;
    for (enum dfp_format f = DFP_SHORT; f <= DFP_EXTENDED; f++) {
        const struct dfp_parameters *p = &dfp_parameters[f];
        for (int biased = 0; biased <= p->max_biased; biased++) {
            for (unsigned left = 0; left < 10; left++) {
                struct dfp a = {left & 1, DFP_FINITE, biased - p->bias, left * ten_power(p->precision - 1u) + 123456};
                struct dfp b = dfp_decode(f, dfp_encode(f, &a));
                assert_true(a.digits == b.digits && a.exponent == b.exponent && a.minus == b.minus && b.kind == a.kind);
            }
        }
        for (unsigned kind = DFP_INFINITY; kind <= DFP_SNAN; kind++) {
            struct dfp a = {true, (uint8_t)kind, 0, 98765}, b = dfp_decode(f, dfp_encode(f, &a));
            assert_true(b.kind == kind && b.digits == a.digits && b.minus);
        }
    }
    /* 1, -1 and the largest number as the Principles of Operation has them. */
    struct dfp one = {false, DFP_FINITE, 0, 1}, largest = {true, DFP_FINITE, 369, ten_power(16) - 1};
    assert_true(dfp_encode(DFP_LONG, &one) == UINT64_C(0x2238000000000001));
    assert_true(dfp_encode(DFP_LONG, &largest) == UINT64_C(0xf7fcff3fcff3fcff));
    assert_true(dfp_encode(DFP_SHORT, &one) == 0x22500001);
}

static dfp_digits some(uint64_t *s)
{
    dfp_digits v = (dfp_digits)next(s) << 64 | next(s);
    return v >> next(s) % 128;
}

/* quotient * divisor + remainder is the dividend, and the remainder is below the divisor. */
static void test_wide(void **state)
{
    (void)state;
    uint64_t s = 7;
    for (unsigned n = 0; n < 100000; n++) {
        struct wide a = {some(&s), some(&s)};
        dfp_digits b = some(&s) >> 1, remainder;
        if (n % 8 == 0)
            a = wide_subtract(wide_multiply(b, some(&s) | 1), (struct wide){0, n / 8 % 2});
        if (b == 0)
            continue;
        struct wide q = wide_divide(a, b, &remainder);
        assert_true(remainder < b);
        struct wide back = wide_multiply(q.lo, b);
        back.hi += q.hi * b;
        back = wide_add(back, (struct wide){0, remainder});
        assert_int_equal(wide_compare(back, a), 0);
    }
    for (unsigned e = 0; e < 77; e++) {
        struct wide power = wide_scale(1, e);
        assert_int_equal(wide_count(power), e + 1);
        if (e)
            assert_int_equal(wide_count(wide_subtract(power, (struct wide){0, 1})), e);
    }
}

static struct dfp operand(uint64_t *s, enum dfp_format f)
{
    const struct dfp_parameters *p = &dfp_parameters[f];
    struct dfp a = {next(s) & 1, DFP_FINITE, 0, some(s) % ten_power(p->precision)};
    if (next(s) % 4 == 0)
        a.digits = a.digits / ten_power(p->precision / 2) * ten_power(p->precision / 2);
    if (next(s) % 8 == 0)
        a.digits = ten_power(p->precision) - 1 - next(s) % 3;
    if (next(s) % 4)
        a.exponent = (int)(next(s) % (3u * p->precision)) - p->precision;
    else
        a.exponent = (int)(next(s) % (p->max_biased + 1u)) - p->bias;
    return a;
}

/* With a mask on, it is our own arithmetic; with none, it is the library's where there is one. */
static void test_library(void **state)
{
    (void)state;
    uint64_t s = 20;
    if (!HAVE_INTELRDFP)
        skip();
    for (unsigned n = 0; n < 300000; n++) {
        enum dfp_format f = n & 1 ? DFP_LONG : DFP_EXTENDED;
        struct dfp a = operand(&s, f), b = operand(&s, f), r[2];
        unsigned rounding = (unsigned)next(&s) % 5, op = (unsigned)next(&s) % 4;
        uint8_t flags[2];
        for (unsigned own = 0; own < 2; own++) {
            struct dfp_env x = {.rounding = (uint8_t)rounding, .masks = own ? DFP_INEXACT : 0, .quantum = true};
            r[own] = op == 2   ? dfp_multiply(&x, f, &a, &b)
                     : op == 3 ? dfp_divide(&x, f, &a, &b)
                               : dfp_add(&x, f, &a, &b, op);
            flags[own] = x.flags & (x.dxc ? ~DFP_QUANTUM : 0xff);
            flags[own] |= x.dxc ? DFP_INEXACT : 0;
        }
        if (flags[1] & DFP_INEXACT) /* a trap for inexact hides quantum */
            flags[0] &= (uint8_t)~DFP_QUANTUM;
        if (r[0].digits != r[1].digits || r[0].exponent != r[1].exponent || r[0].minus != r[1].minus ||
            r[0].kind != r[1].kind || flags[0] != flags[1])
            fail_msg("case %u: operation %u, rounding %u, flags %02x %02x", n, op, rounding, flags[0], flags[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_declets),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
