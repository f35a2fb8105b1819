/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short binary floating point: the Mandelbrot set in 64 by 64 points, converted from integers. */
void kernel(unsigned long repeat)
{
    for (; repeat; repeat--) {
        int inside = 0;
        for (int row = 0; row < 64; row++)
            for (int column = 0; column < 64; column++) {
                float cr = (float)column * (2.5f / 64) - 2.0f, ci = (float)row * (2.0f / 64) - 1.0f, r = 0, i = 0;
                int n = 0;
                while (n < 40 && r * r + i * i < 4.0f) {
                    float next = r * r - i * i + cr;
                    i = 2 * r * i + ci;
                    r = next;
                    n++;
                }
                inside += n == 40;
            }
        __asm__ volatile("" : : "r"(inside));
    }
}
