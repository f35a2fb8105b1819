/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that the compiler turns into vector instructions (-march=z14 -O3), in every element size, and the string
   functions of the C library, which choose their vector forms when the machine has them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1021 };
static int8_t b1[N], b2[N];
static uint8_t u1[N], u2[N];
static int16_t h1[N], h2[N];
static int32_t w1[N], w2[N], w3[N];
static int64_t d1[N], d2[N];
static double f1[N], f2[N];
static float s1[N], s2[N];
static uint64_t seed = 88172645463325252u;

static uint64_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        b1[i] = (int8_t)next(), b2[i] = (int8_t)next();
        u1[i] = (uint8_t)next(), u2[i] = (uint8_t)next();
        h1[i] = (int16_t)next(), h2[i] = (int16_t)next();
        w1[i] = (int32_t)next(), w2[i] = (int32_t)next(), w3[i] = (int32_t)next();
        d1[i] = (int64_t)next(), d2[i] = (int64_t)next();
        f1[i] = (double)(int32_t)next() / 1024, f2[i] = (double)(int32_t)next() / 4096;
        s1[i] = (float)(int16_t)next() / 64, s2[i] = (float)(int16_t)next() / 256;
    }
}

static uint64_t sum(const void *bytes, size_t n)
{
    uint64_t h = 14695981039346656037u;
    const uint8_t *p = bytes;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 1099511628211u;
    return h;
}

/* Elements as big-endian bytes, whatever the host. */
#define SHOW(what, array)                                                                                              \
    do {                                                                                                               \
        static uint8_t bytes[sizeof array];                                                                            \
        const size_t size = sizeof array[0];                                                                           \
        for (size_t i = 0; i < sizeof array; i++)                                                                      \
            bytes[i] = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__                                                          \
                           ? ((uint8_t *)array)[i]                                                                     \
                           : ((uint8_t *)array)[i / size * size + size - 1 - i % size];                                \
        printf("%-28s %016llx\n", what, (unsigned long long)sum(bytes, sizeof bytes));                                 \
    } while (0)

static void integers(void)
{
    for (int i = 0; i < N; i++)
        b1[i] = (int8_t)(b1[i] + b2[i]);
    SHOW("add bytes", b1);
    for (int i = 0; i < N; i++)
        u1[i] = (uint8_t)((u1[i] + u2[i] + 1) >> 1);
    SHOW("average bytes", u1);
    for (int i = 0; i < N; i++)
        u2[i] = u1[i] > u2[i] ? u1[i] : u2[i];
    SHOW("greater bytes", u2);
    for (int i = 0; i < N; i++)
        h1[i] = (int16_t)(h1[i] * h2[i] - h2[i]);
    SHOW("multiply halfwords", h1);
    for (int i = 0; i < N; i++)
        h2[i] = (int16_t)(abs(h2[i]) >> 3);
    SHOW("absolute halfwords", h2);
    for (int i = 0; i < N; i++)
        w1[i] = (int32_t)((uint32_t)w1[i] * (uint32_t)w2[i] + (uint32_t)w3[i]);
    SHOW("multiply and add words", w1);
    for (int i = 0; i < N; i++)
        w2[i] = w1[i] < w3[i] ? w1[i] : w3[i] ^ w2[i];
    SHOW("select words", w2);
    for (int i = 0; i < N; i++)
        w3[i] = (int32_t)((uint32_t)w3[i] << (w1[i] & 31) | (uint32_t)w3[i] >> (-w1[i] & 31));
    SHOW("rotate words", w3);
    for (int i = 0; i < N; i++)
        d1[i] = (int64_t)((uint64_t)d1[i] - (uint64_t)d2[i]) >> (i & 15);
    SHOW("shift doublewords", d1);
    for (int i = 0; i < N; i++)
        d2[i] = (d1[i] & ~d2[i]) | (int64_t)(d1[i] > d2[i]);
    SHOW("logic doublewords", d2);
    for (int i = 0; i < N; i++)
        d1[i] = (int64_t)w1[i] * w2[i];
    SHOW("words to doublewords", d1);
    for (int i = 0; i < N; i++)
        h1[i] = (int16_t)w3[i], u1[i] = (uint8_t)h2[i];
    SHOW("words to halfwords", h1);
    SHOW("halfwords to bytes", u1);
    for (int i = 0; i < N; i++)
        w1[i] = __builtin_popcount((unsigned)w2[i]) * 100 + __builtin_clz((unsigned)w3[i] | 1);
    SHOW("count bits", w1);
}

static void reductions(void)
{
    int64_t dot = 0, bytes = 0;
    int32_t least = INT32_MAX, most = INT32_MIN;
    uint64_t mix = 0;
    for (int i = 0; i < N; i++) {
        dot += (int64_t)h1[i] * h2[i];
        bytes += u2[i];
        least = w2[i] < least ? w2[i] : least;
        most = w2[i] > most ? w2[i] : most;
        mix ^= (uint64_t)d1[i];
    }
    printf("dot %lld, sum %lld, least %d, most %d, mix %016llx\n", (long long)dot, (long long)bytes, least, most,
           (unsigned long long)mix);
}

static void floating(void)
{
    for (int i = 0; i < N; i++)
        f1[i] = f1[i] * f2[i] - f2[i] / 3;
    SHOW("long arithmetic", f1);
    for (int i = 0; i < N; i++)
        s1[i] = s1[i] + s2[i] * 0.5f;
    SHOW("short arithmetic", s1);
    for (int i = 0; i < N; i++)
        f2[i] = f1[i] < f2[i] ? -f1[i] : __builtin_fabs(f2[i]);
    SHOW("long compare", f2);
    for (int i = 0; i < N; i++)
        d1[i] = (int64_t)f2[i], f1[i] = (double)d2[i];
    SHOW("long to integer", d1);
    SHOW("integer to long", f1);
    for (int i = 0; i < N; i++)
        f1[i] = __builtin_sqrt(__builtin_fabs(f2[i]));
    SHOW("square root", f1);
}

/* The library's string functions at all alignments. */
static void strings(void)
{
    static char text[512], copy[512];
    unsigned long all = 0;
    for (int start = 0; start < 20; start++)
        for (int length = 0; length < 200; length += 1 + length / 16) {
            char *at = text + start;
            for (int i = 0; i < length; i++)
                at[i] = (char)('a' + (i * 7 + start) % 23);
            at[length] = 0;
            memset(copy, '#', sizeof copy);
            all = all * 31 + strlen(at) + strnlen(at, 50);
            strcpy(copy + start % 7, at);
            all = all * 31 + (unsigned long)(strcmp(copy + start % 7, at) == 0);
            const char *found = strchr(at, 'k'), *last = strrchr(at, 'k'), *byte = memchr(at, 'b', (size_t)length);
            all = all * 31 + (unsigned long)(found ? found - at : -1) + (unsigned long)(last ? last - at : -2) +
                  (unsigned long)(byte ? byte - at : -3);
            strncat(copy + start % 7, "wxyz", 9);
            all = all * 31 + strspn(copy + start % 7, "abcdefghij") + strcspn(at, "wvu");
            found = strstr(copy, "wxyz");
            all = all * 31 + (unsigned long)(found ? found - copy : -1);
            const int order = memcmp(at, copy + start % 7, (size_t)length + 1);
            all = all * 31 + (unsigned long)(order < 0 ? 0 : order > 0 ? 2 : 1);
            if (length > 3)
                memmove(at + 3, at, (size_t)length - 3);
            all = all * 31 + sum(at, (size_t)length);
        }
    printf("strings %016lx\n", all);
}

int main(void)
{
    fill();
    integers();
    reductions();
    floating();
    strings();
    return 0;
}
