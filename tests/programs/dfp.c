/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal floating point: interest, pi to 34 digits, sums that binary cannot hold, quanta, rounding, conversions.
   Results are printed digit by digit with decimal arithmetic alone, because the formats of hosts differ in their
   bits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Significand and exponent of a finite value, by arithmetic: digits after scaling it below 1. */
static void show(const char *what, _Decimal128 x, int places)
{
    int exponent = 0;
    printf("%-20s ", what);
    if (x != x) {
        printf("NaN\n");
        return;
    }
    printf("%c", x < 0 ? '-' : ' ');
    x = x < 0 ? -x : x;
    if (x > 9.999999999999999999999999999999999E6144DL) {
        printf("infinity\n");
        return;
    }
    if (x == 0) {
        printf("0\n");
        return;
    }
    for (; x >= 10; exponent++)
        x *= 0.1DL;
    for (; x < 1; exponent--)
        x *= 10;
    for (int i = 0; i < places; i++) {
        int digit = (int)x;
        printf(i == 1 ? ".%d" : "%d", digit);
        x = (x - digit) * 10;
    }
    printf("E%d\n", exponent);
}

static _Decimal128 root(_Decimal128 x)
{
    _Decimal128 r = x > 1 ? x : 1;
    for (int i = 0; i < 200; i++)
        r = (r + x / r) / 2;
    return r;
}

/* Machin: pi = 16 atan(1/5) - 4 atan(1/239) */
static _Decimal128 inverse_tangent(int n)
{
    _Decimal128 power = 1.0DL / n, all = power;
    for (int i = 3; i < 80; i += 2) {
        power /= -(n * n);
        all += power / i;
    }
    return all;
}

static void interest(void)
{
    volatile _Decimal64 balance = 250000.00DD, rate = 0.0032292DD;
    _Decimal128 paid = 0;
    int months = 0;
    while (balance > 0 && months < 600) {
        volatile _Decimal64 due = balance * rate;
        volatile _Decimal64 cents = due * 100;
        cents += 0.5DD;
        cents = (long)cents;
        cents /= 100;
        balance += cents;
        _Decimal64 part = balance < 1512.37DD ? balance : 1512.37DD;
        balance -= part;
        paid += part;
        if (++months % 60 == 0)
            show("balance", balance, 16);
    }
    printf("months %d\n", months);
    show("paid", paid, 20);
}

static void sums(void)
{
    volatile _Decimal32 a = 0; /* every step is rounded to the format */
    volatile _Decimal64 b = 0;
    _Decimal128 c = 0;
    for (int i = 1; i <= 1000; i++) {
        a += 0.1DF;
        volatile _Decimal64 part = 1.0DD / i;
        b += part;
        c += 1.0DL / ((_Decimal128)i * i);
    }
    show("a thousand tenths", a, 7);
    show("harmonic sum", b, 16);
    show("squares", c, 34);
    printf("exact: %d\n", a == 100.0DF);
}

static void powers(void)
{
    volatile _Decimal64 x = 1; /* every step is rounded to the format */
    _Decimal128 y = 1;
    for (int i = 1; i <= 40; i++) {
        x *= 7;
        y *= -13.0DL;
        if (i % 8 == 0) {
            show("7 to the n", x, 16);
            show("-13 to the n", y, 34);
        }
    }
    for (int i = 0; i < 30; i++)
        x /= 3, y /= 11;
    show("divided", x, 16);
    show("divided", y, 34);
}

static void corners(void)
{
    volatile _Decimal64 zero = 0, big = 9.999999999999999E384DD, tiny = 1E-398DD;
    volatile _Decimal128 large = 9.999999999999999999999999999999999E6144DL, least = 1E-6176DL;
    volatile _Decimal64 round = 12345678.5DD, result;
    show("1/0", 1 / zero, 3);
    show("-1/0", -1 / zero, 3);
    show("0/0", zero / zero, 3);
    result = big * 10;
    show("overflow", result, 3);
    show("large", large, 34);
    show("tiny", (_Decimal128)tiny, 5);
    result = tiny / 3;
    show("tiny / 3", result, 5);
    result = tiny * 2;
    result /= 3;
    show("tiny * 2 / 3", result, 5);
    show("least", least, 5);
    result = round * 1E8DD;
    result += 0.5DD;
    show("half to even", result, 16);
    show("narrowed", (_Decimal64)3.14159265358979323846264338327950288DL, 16);
    show("narrowed", (_Decimal32)2.7182818284DD, 7);
    show("overflow narrowed", (_Decimal32)1E200DD, 7);
    printf("%d %d %d %d\n", 1.0DD == 1.000DD, 1.1DL > 1.09DL, zero == -zero, 0.3DF == (_Decimal32)(0.1DF + 0.2DF));
    printf("%ld %ld %d\n", (long)-123456789.99DD, (long)1234567890123456789.9DL, (int)99.9DF);
    show("from long", (_Decimal64)9223372036854775807L, 16);
    show("from long", (_Decimal128) - 9223372036854775807L, 20);
}

int main(void)
{
    show("pi", 16 * inverse_tangent(5) - 4 * inverse_tangent(239), 33);
    show("root of 2", root(2), 33);
    show("root of 1E-30", root(1E-30DL), 33);
    interest();
    sums();
    powers();
    corners();
    return 0;
}
