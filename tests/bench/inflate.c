/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a decompressor does: codes of variable length are taken from a stream of bits by a table, characters copied,
   and strings from what was written before; a checksum over all of it. */
static unsigned char out[16384], stream[8192];
static unsigned short table[512]; /* of nine bits: length of the code, what it says */

static unsigned make(unsigned n)
{
    for (unsigned i = 0; i < 512; i++) /* short codes for characters, long ones for strings */
        table[i] = (unsigned short)(i & 1   ? (6 << 9) | (i >> 1 & 31) | 0x60
                                    : i & 2 ? (8 << 9) | (i >> 2 & 63)
                                            : (9 << 9) | 256 | (i >> 2 & 127));
    for (unsigned i = 0; i < n; i++)
        stream[i] = (unsigned char)((i * 2654435761u >> 13) | (i & 1));
    return n;
}

static unsigned inflate(unsigned n)
{
    unsigned long bits = 0;
    unsigned have = 0, in = 0, to = 0, one = 1, two = 0;
    while (in + 8 < n && to + 300 < sizeof out) {
        for (; have <= 48; have += 8)
            bits |= (unsigned long)stream[in++] << have;
        const unsigned entry = table[bits & 511], length = entry >> 9;
        bits >>= length;
        have -= length;
        if (entry & 256) {
            unsigned distance = 1 + (unsigned)(bits & 1023), count = 3 + (entry & 31);
            bits >>= 10;
            have -= 10;
            if (distance > to)
                distance = to ? to : 1;
            for (; count && to; count--, to++)
                out[to] = out[to - distance];
        } else {
            out[to++] = (unsigned char)entry;
        }
    }
    for (unsigned i = 0; i < to; i++) {
        one += out[i];
        two += one;
    }
    return (two % 65521) << 16 | one % 65521;
}

void kernel(unsigned long repeat)
{
    const unsigned n = make(sizeof stream);
    for (unsigned sum = 0; repeat; repeat--) {
        sum += inflate(n);
        __asm__ volatile("" : : "r"(sum) : "memory");
    }
}
