/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What edge profiles cost is measured with this: a static Linux program that sorts through a function pointer,
   interprets byte codes by a jump table, looks for what is nearly never there, hashes, and moves strings by EXECUTE.
   Its argument, a number, is how often. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t numbers[4096], seed = 12345;
static unsigned char text[8192], copy[8192];

static uint32_t next(void)
{
    seed = seed * 1103515245 + 12345;
    return seed >> 8;
}

static int order(uint32_t x, uint32_t y) { return x < y ? -1 : x > y; }

static void sort(uint32_t *v, int n, int (*compare)(uint32_t, uint32_t))
{
    if (n < 2)
        return;
    const uint32_t pivot = v[n / 2];
    int i = 0, j = n - 1;
    while (i <= j) {
        while (compare(v[i], pivot) < 0)
            i++;
        while (compare(v[j], pivot) > 0)
            j--;
        if (i <= j) {
            const uint32_t t = v[i];
            v[i++] = v[j];
            v[j--] = t;
        }
    }
    sort(v, j + 1, compare);
    sort(v + i, n - i, compare);
}

static uint64_t interpret(const unsigned char *code, unsigned n)
{
    uint64_t a = 0;
    for (unsigned i = 0; i < n; i++)
        switch (code[i] & 7) {
        case 0:
            a += 3;
            break;
        case 1:
            a ^= a << 1;
            break;
        case 2:
            a -= 7;
            break;
        case 3:
            a *= 5;
            break;
        case 4:
            a = a >> 1 | a << 63;
            break;
        case 5:
            a += a & 1;
            break;
        case 6:
            a |= i;
            break;
        default:
            a &= ~(uint64_t)i;
        }
    return a;
}

static unsigned rare(uint32_t x)
{
    unsigned n = 0;
    if (x == 1)
        n = 1;
    if (x == 22)
        n += 2;
    if (x > 0xfffff0)
        n += 3;
    if ((x & 0xfff) == 0)
        n += 4;
    if (x % 97 == 5)
        n += 5;
    return n;
}

int main(int argc, char **argv)
{
    uint64_t sum = 0;
    for (int rounds = argc > 1 ? atoi(argv[1]) : 100; rounds; rounds--) {
        for (unsigned i = 0; i < 4096; i++)
            numbers[i] = next();
        sort(numbers, 4096, order);
        for (unsigned i = 0; i < sizeof text; i++)
            text[i] = (unsigned char)next();
        sum += interpret(text, sizeof text);
        for (unsigned i = 0; i < sizeof text; i++)
            sum = sum * 33 ^ text[i];
        for (unsigned i = 0; i < 20000; i++)
            sum += rare(next());
        for (unsigned i = 0; i < 200; i++)
            memcpy(copy + i, text + i, (next() & 255) + 1);
        sum += copy[100];
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
