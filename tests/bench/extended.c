/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extended binary floating point: a polynomial, quotients and roots, converted from and to long numbers. */
void kernel(unsigned long repeat)
{
    long double sum = 0, x = 0.7L;
    for (; repeat; repeat--) {
        long double p = 1.0L;
        for (int i = 9; i; i--)
            p = p * x / i + 1;
        sum += p;
        x = x * 0.99L + (double)__builtin_sqrtl(p) * 0.001L;
        if (sum > 1000)
            sum -= 1000;
        __asm__ volatile("" : : "f"(sum));
    }
}
