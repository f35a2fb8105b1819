/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs of the kinds that a profile has to be near to: its argument is which. */
#include <stdio.h>
#include <string.h>

static unsigned seed = 4711;
static unsigned next(void)
{
    seed = seed * 1103515245 + 12345;
    return seed >> 12;
}

/* An interpreter of byte codes: a loop with a branch of its own kind behind each of them. */
static unsigned long interpret(void)
{
    static unsigned char code[512];
    unsigned long a = 1, b = 0;
    for (unsigned i = 0; i < sizeof code; i++)
        code[i] = next() % 13;
    for (unsigned round = 0; round < 1500; round++)
        for (unsigned pc = 0; pc < sizeof code; pc++)
            switch (code[pc]) {
            case 0:
                a += b;
                break;
            case 1:
                b ^= a << 3;
                break;
            case 2:
                a -= 7;
                break;
            case 3:
                if (a & 1)
                    b++;
                break;
            case 4:
                a = a >> 1 | a << 63;
                break;
            case 5:
                if (b & 64)
                    pc++;
                break;
            case 6:
                b += pc;
                break;
            case 7:
                a *= 5;
                break;
            case 8:
                if (a > b)
                    a = b;
                break;
            case 9:
                b = ~b;
                break;
            case 10:
                a ^= b;
                break;
            case 11:
                b -= a;
                break;
            default:
                a |= 1;
            }
    return a + b;
}

/* Loops that end soon. */
static unsigned long loops(void)
{
    unsigned long sum = 0;
    for (unsigned i = 0; i < 300000; i++) {
        for (unsigned k = next() % 5; k; k--)
            __asm__ volatile("" : "+r"(sum));
        for (unsigned k = i % 4; k; k--) {
            __asm__ volatile("" : "+r"(sum));
            if (sum & k)
                sum++;
        }
        sum += 3;
    }
    return sum;
}

/* Calls through a table. */
#define F(n, body)                                                                                                     \
    static __attribute__((noinline)) unsigned long f##n(unsigned long x) { body; }
F(0, return x + 1)
F(1, return x & 1 ? x * 3 : x / 2)
F(2, return x ^ 0x55)
F(3, if (x % 3 == 0) return x / 3; return x + 7)
F(4, return ~x)
F(5, for (int i = x & 3; i; i--) x += i; return x)
F(6, return x > 1000 ? x - 999 : x)
F(7, return f1(x) + 1)
static unsigned long table(void)
{
    static unsigned long (*const call[])(unsigned long) = {f0, f1, f2, f3, f4, f5, f6, f7};
    unsigned long x = 1;
    for (unsigned i = 0; i < 600000; i++)
        x = call[next() & 7](x & 0xffff);
    return x;
}

/* Copies of all lengths, as the C library does them and by bytes. */
static unsigned long copies(void)
{
    static char from[4096], to[4096];
    unsigned long sum = 0;
    for (unsigned i = 0; i < sizeof from; i++)
        from[i] = (char)(1 + next() % 255);
    for (unsigned i = 0; i < 90000; i++) {
        const unsigned n = next() % 700, at = next() % 1000;
        memcpy(to + at, from + n, n);
        for (unsigned k = 0; k < n % 40; k++)
            to[k] = from[at + k] ? from[at + k] : ' ';
        sum += (unsigned char)to[at];
    }
    return sum;
}

/* Deep recursion, by one function and by two in turn. */
static __attribute__((noinline)) unsigned long deep(unsigned n);
static __attribute__((noinline)) unsigned long deeper(unsigned n) { return n < 3 ? n : 3 * deep(n - 3) + 1; }
static unsigned long deep(unsigned n)
{
    if (n == 0)
        return 1;
    if (n % 3 == 1)
        return deeper(n - 1) ^ n;
    return deep(n - 1) + n;
}
static unsigned long recursion(void)
{
    unsigned long sum = 0;
    for (unsigned i = 0; i < 5000; i++)
        sum += deep(next() % 1000);
    return sum;
}

int main(int argc, char **argv)
{
    unsigned long (*const kinds[])(void) = {interpret, loops, table, copies, recursion};
    printf("%lu\n", kinds[argc > 1 ? (argv[1][0] - '0') % 5 : 0]());
    return 0;
}
