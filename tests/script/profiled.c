/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What zri-prof-symbols.sh profiles: loops, a switch, calls through pointers, functions that are inlined, in layers. */
#include <stdio.h>
#include <stdlib.h>

static volatile int lower, higher; /* counting keeps the branches */

static inline __attribute__((always_inline)) int least(int a, int b)
{
    if (a < b) {
        lower++;
        return a;
    }
    return b;
}

static inline __attribute__((always_inline)) int clamp(int value, int low, int high)
{
    if (value < low) {
        higher++;
        return low;
    }
    return least(value, high);
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static __attribute__((noinline)) int kind(int n)
{
    switch (n % 7) {
    case 0:
        return 12;
    case 1:
        return n / 3;
    case 2:
        return n ^ 5;
    case 3:
        return n * n;
    case 4:
        return n << 2;
    default:
        return 1;
    }
}

__attribute__((noinline)) int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += clamp(i * 7 % 31, 3, 20);
        sum += kind(i);
    }
    return sum;
}

int main(int argc, char **argv)
{
    int v[64];
    for (int i = 0; i < 64; i++)
        v[i] = (i * 37) % 64;
    qsort(v, 64, sizeof *v, compare);
    printf("%s %d %d\n", argv[0], work(argc * 100), v[0]);
    return 0;
}
