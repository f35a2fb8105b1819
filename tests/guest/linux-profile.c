/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What linux-profile.sh profiles: an interpreter of bytecode, a sort, a search, in known shares. Usage: NAME ROUNDS. */
#include <stdio.h>
#include <stdlib.h>

enum { PUSH, ADD, DUP, DEC, JUMP_IF, SWAP, HALT };

__attribute__((noinline)) static long interpret(long n)
{
    static const unsigned char code[] = {DUP, ADD, SWAP, DEC, SWAP, PUSH, ADD, JUMP_IF, HALT};
    long a = 1, b = n, sum = 0;
    for (unsigned pc = 0;;)
        switch (code[pc++]) {
        case PUSH:
            sum += a ^ b;
            break;
        case ADD:
            a = (a + sum) & 0xffff;
            break;
        case DUP:
            sum++;
            break;
        case DEC:
            b--;
            break;
        case SWAP:
            sum ^= a;
            break;
        case JUMP_IF:
            if (b > 0)
                pc = 0;
            break;
        default:
            return sum;
        }
}

static int compare(const void *a, const void *b) { return *(const int *)a < *(const int *)b ? -1 : 1; }

__attribute__((noinline)) static long sort(unsigned seed)
{
    int v[32];
    for (unsigned i = 0; i < 32; i++)
        v[i] = (int)((seed = seed * 1103515245u + 12345u) >> 8 & 0xffff);
    qsort(v, 32, sizeof *v, compare);
    return v[5];
}

int main(int argc, char **argv)
{
    const unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 100;
    long sum = 0;
    for (unsigned i = 0; i < rounds; i++) {
        sum += interpret(20);
        if (i % 16 == 0)
            sum += sort(i);
    }
    printf("%s: %ld\n", argv[0], sum);
    return 0;
}
