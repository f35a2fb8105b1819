/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal floating point: compound interest in long numbers, sums and quotients in extended ones. */
void kernel(unsigned long repeat)
{
    _Decimal64 balance = 1000.00DD, rate = 1.0325DD;
    _Decimal128 total = 0.DL;
    for (; repeat; repeat--) {
        _Decimal64 interest = balance * rate - balance;
        balance = balance + interest;
        total = total + (_Decimal128)interest;
        if (balance > 1000000.00DD) {
            balance = balance / 999.5DD;
            total = total / 3.DL;
        }
        total = total * 1.01DL;
        if (total > 1000000.DL)
            total = total - 999999.DL;
        __asm__ volatile("" : : "f"(balance), "f"(total));
    }
}
