/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 of 4 KB as programs compute it that have no assist: rotations, choices and sums of words. */
typedef unsigned word;

/* Fractions of cube roots of primes stand in the algorithm; any words take as long. */
static word constants[64], state[8];
static unsigned char text[4096];

static word rotated(word v, unsigned n) { return v >> n | v << (32 - n); }

static void block(const unsigned char *p)
{
    word w[64], s[8];
    for (unsigned i = 0; i < 16; i++)
        w[i] = (word)p[4 * i] << 24 | (word)p[4 * i + 1] << 16 | (word)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (unsigned i = 16; i < 64; i++)
        w[i] = w[i - 16] + (rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
               (rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10);
    for (unsigned i = 0; i < 8; i++)
        s[i] = state[i];
    for (unsigned i = 0; i < 64; i++) {
        const word one = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) +
                         ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
        const word two = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) +
                         ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (unsigned k = 7; k; k--)
            s[k] = s[k - 1];
        s[4] += one;
        s[0] = one + two;
    }
    for (unsigned i = 0; i < 8; i++)
        state[i] += s[i];
}

void kernel(unsigned long repeat)
{
    for (unsigned i = 0; i < 64; i++)
        constants[i] = 0x9e3779b9u * (i + 1);
    for (unsigned i = 0; i < sizeof text; i++)
        text[i] = (unsigned char)(i * i >> 3);
    for (; repeat; repeat--)
        for (unsigned i = 0; i < sizeof text; i += 64)
            block(text + i);
}
