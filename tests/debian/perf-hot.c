/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What perf looks at in the guest, its name is busy. "busy ROUNDS": nine tenths of its time are hot()'s, whose branch
   depends on data, the rest is warm()'s; in front and behind it passes places where the test's console stops. "busy
   crypto": 300 functions of AES, 200 of SHA, 100 of DEA, by the instructions themselves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile unsigned table[4096];
static unsigned char block[256], from[256], to[256];

/* Each of these is a place of its own, with something in it that is neither moved nor merged. */
__attribute__((noinline)) void mark_begin(void) { __asm__ volatile("nopr %%r7" ::: "memory"); }
__attribute__((noinline)) void mark_end(void) { __asm__ volatile("nopr %%r6" ::: "memory"); }

__attribute__((noinline)) unsigned hot(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned v = table[i * 2654435761u >> 20];
        if (v & 1)
            sum += v;
        else
            sum ^= i;
        table[i & 4095] = sum;
    }
    return sum;
}

__attribute__((noinline)) unsigned warm(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum = sum * 3 + i;
    return sum;
}

/* CIPHER MESSAGE or COMPUTE INTERMEDIATE MESSAGE DIGEST (both have the length in the odd register behind the source).
 */
static void cipher(unsigned long function, unsigned long length)
{
    register unsigned long r0 __asm__("0") = function;
    register void *r1 __asm__("1") = block;
    register void *r2 __asm__("2") = to;
    register void *r4 __asm__("4") = from;
    register unsigned long r5 __asm__("5") = length;
    __asm__ volatile("0: .insn rre,0xb92e0000,%0,%1\n brc 1,0b"
                     : "+a"(r2), "+a"(r4), "+d"(r5)
                     : "d"(r0), "a"(r1)
                     : "cc", "memory");
}
static void digest(unsigned long function, unsigned long length)
{
    register unsigned long r0 __asm__("0") = function;
    register void *r1 __asm__("1") = block;
    register void *r4 __asm__("4") = from;
    register unsigned long r5 __asm__("5") = length;
    __asm__ volatile("0: .insn rre,0xb93e0000,%%r2,%0\n brc 1,0b"
                     : "+a"(r4), "+d"(r5)
                     : "d"(r0), "a"(r1)
                     : "cc", "memory", "2");
}

int main(int argc, char **argv)
{
    unsigned sum = 0;
    if (argc > 1 && strcmp(argv[1], "crypto") == 0) {
        for (int i = 0; i < 300; i++)
            cipher(18, 32);
        for (int i = 0; i < 200; i++)
            digest(2, 64);
        for (int i = 0; i < 100; i++)
            cipher(1, 16);
        return 0;
    }
    unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
    mark_begin();
    for (unsigned i = 0; i < n; i++) {
        sum += hot(2000);
        sum ^= warm(500);
    }
    mark_end();
    printf("sum %u\n", sum);
    return 0;
}
