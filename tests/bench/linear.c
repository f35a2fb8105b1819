/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of matrices of long floating-point numbers. */
#define N 48
static double a[N][N], b[N][N], c[N][N];

void kernel(unsigned long repeat)
{
    for (unsigned i = 0; i < N; i++)
        for (unsigned k = 0; k < N; k++) {
            a[i][k] = (double)(i + 1) / (double)(k + 3);
            b[i][k] = (double)(k + 2) / (double)(i + 7);
        }
    for (; repeat; repeat--) {
        for (unsigned i = 0; i < N; i++)
            for (unsigned k = 0; k < N; k++)
                c[i][k] = 0;
        for (unsigned i = 0; i < N; i++)
            for (unsigned j = 0; j < N; j++)
                for (unsigned k = 0; k < N; k++)
                    c[i][k] += a[i][j] * b[j][k];
        __asm__ volatile("" : : : "memory");
    }
}
