/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops over arrays of long floating-point numbers, which compilers turn into vector instructions: sums of multiples,
   the product of two matrices. */
static double x[512] = {1}, y[512] = {1}, a[32][32] = {{1}}, b[32][32] = {{1}}, c[32][32] = {{1}};

void kernel(unsigned long repeat)
{
    for (int i = 0; i < 512; i++) {
        x[i] = 1.0 / (i + 3);
        y[i] = i * 0.37;
    }
    for (int i = 0; i < 1024; i++) {
        a[i / 32][i % 32] = 0.01 * i;
        b[i / 32][i % 32] = 3.1 - 0.02 * i;
    }
    for (; repeat; repeat--) {
        for (int i = 0; i < 512; i++)
            y[i] = y[i] * 0.999 + x[i];
        for (int i = 0; i < 512; i++)
            y[i] = (y[i] - x[i]) / 1.0001;
        for (int i = 0; i < 32; i++)
            for (int j = 0; j < 32; j++)
                c[i][j] = 0;
        for (int i = 0; i < 32; i++)
            for (int k = 0; k < 32; k++)
                for (int j = 0; j < 32; j++)
                    c[i][j] += a[i][k] * b[k][j];
        __asm__ volatile("" : : : "memory");
    }
}
