/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compresses and expands data in the deflate form, by the instruction where the machine says that it has one, and by
   itself: what either of them compresses, both expand to the same. The output is the same with and without it. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SIZE 40000
#define ROOM (SIZE + SIZE / 4)
static uint8_t data[SIZE + 4], packed[ROOM], expanded[SIZE + 8];

/* ---- by itself ---- */

struct bits {
    uint8_t *at, *end;
    uint32_t hold;
    int count;
    bool bad;
};
static void put(struct bits *b, uint32_t value, int count)
{
    for (; count > 0; count--, value >>= 1) {
        b->hold |= (value & 1) << b->count;
        if (++b->count < 8)
            continue;
        if (b->at < b->end)
            *b->at++ = (uint8_t)b->hold;
        b->hold = 0;
        b->count = 0;
    }
}
static uint32_t get(struct bits *b, int count)
{
    uint32_t value = 0;
    for (int i = 0; i < count; i++) {
        if (b->count == 0) {
            b->bad |= b->at >= b->end;
            b->hold = b->bad ? 0 : *b->at++;
            b->count = 8;
        }
        value |= (b->hold & 1) << i;
        b->hold >>= 1;
        b->count--;
    }
    return value;
}
static const uint16_t length_base[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                       31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_more[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static int distance_more(unsigned code) { return code < 4 ? 0 : (int)code / 2 - 1; }
static unsigned distance_base(unsigned code)
{
    return code < 4 ? code + 1 : ((2 + code % 2) << distance_more(code)) + 1;
}

/* A symbol of the fixed code, most significant bit of the code first. */
static void put_fixed(struct bits *b, unsigned symbol)
{
    unsigned code = symbol < 144   ? 0x30 + symbol
                    : symbol < 256 ? 0x190 + symbol - 144
                    : symbol < 280 ? symbol - 256
                                   : 0xC0 + symbol - 280;
    int length = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    for (int i = length - 1; i >= 0; i--)
        put(b, code >> i & 1, 1);
}
static void put_match(struct bits *b, unsigned length, unsigned distance)
{
    unsigned code = 28;
    while (length_base[code] > length)
        code--;
    put_fixed(b, 257 + code);
    put(b, length - length_base[code], length_more[code]);
    for (code = 29; distance_base(code) > distance;)
        code--;
    for (int i = 4; i >= 0; i--)
        put(b, code >> i & 1, 1);
    put(b, distance - distance_base(code), distance_more(code));
}
static size_t compress_itself(uint8_t *to, size_t room, const uint8_t *from, size_t size)
{
    static size_t last[4096]; /* where three bytes were seen last, plus one */
    struct bits b = {.at = to, .end = to + room};
    memset(last, 0, sizeof last);
    put(&b, 3, 3); /* the last block, fixed code */
    for (size_t i = 0; i < size;) {
        unsigned hash = (from[i] * 331u ^ from[i + 1] * 1789u ^ from[i + 2] * 7u) & 4095, length = 0;
        size_t before = last[hash];
        last[hash] = i + 1;
        if (before && i + 1 - before <= 32768)
            while (length < 258 && i + length < size && from[before - 1 + length] == from[i + length])
                length++;
        if (length >= 3) {
            put_match(&b, length, (unsigned)(i + 1 - before));
            i += length;
        } else {
            put_fixed(&b, from[i++]);
        }
    }
    put_fixed(&b, 256);
    put(&b, 0, (8 - b.count) % 8);
    return (size_t)(b.at - to);
}

struct code {
    uint16_t count[16], symbol[288];
};
static void make_code(struct code *code, const uint8_t *lengths, unsigned n)
{
    uint16_t next[16] = {0};
    memset(code, 0, sizeof *code);
    for (unsigned i = 0; i < n; i++)
        code->count[lengths[i]]++;
    code->count[0] = 0;
    for (unsigned i = 1; i < 15; i++)
        next[i + 1] = (uint16_t)(next[i] + code->count[i]);
    for (unsigned i = 0; i < n; i++)
        if (lengths[i])
            code->symbol[next[lengths[i]]++] = (uint16_t)i;
}
static unsigned decode(struct bits *b, const struct code *code)
{
    unsigned word = 0, first = 0, index = 0;
    for (unsigned length = 1; length < 16; length++) {
        word |= get(b, 1);
        if (word - first < code->count[length])
            return code->symbol[index + word - first];
        index += code->count[length];
        first = (first + code->count[length]) << 1;
        word <<= 1;
    }
    b->bad = true;
    return 256;
}
static void read_codes(struct bits *b, struct code *symbols, struct code *distances)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[320] = {0};
    unsigned literals = get(b, 5) + 257, n = literals + get(b, 5) + 1, short_ones = get(b, 4) + 4;
    for (unsigned i = 0; i < short_ones; i++)
        lengths[order[i]] = (uint8_t)get(b, 3);
    make_code(symbols, lengths, 19);
    memset(lengths, 0, sizeof lengths);
    for (unsigned i = 0; i < n && !b->bad;) {
        unsigned symbol = decode(b, symbols), times = 1, value = symbol;
        if (symbol == 16)
            value = i ? lengths[i - 1] : 0, times = 3 + get(b, 2);
        if (symbol == 17)
            value = 0, times = 3 + get(b, 3);
        if (symbol == 18)
            value = 0, times = 11 + get(b, 7);
        for (; times > 0 && i < n; times--)
            lengths[i++] = (uint8_t)value;
    }
    make_code(symbols, lengths, literals);
    make_code(distances, lengths + literals, n - literals);
}
static void fixed_codes(struct code *symbols, struct code *distances)
{
    uint8_t lengths[288];
    for (unsigned i = 0; i < 288; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    make_code(symbols, lengths, 288);
    memset(lengths, 5, 30);
    make_code(distances, lengths, 30);
}
static long expand_itself(uint8_t *to, size_t room, uint8_t *from, size_t size)
{
    struct bits b = {.at = from, .end = from + size};
    static struct code symbols, distances;
    size_t n = 0;
    bool last = false;
    while (!last && !b.bad) {
        last = get(&b, 1);
        unsigned type = get(&b, 2);
        if (type == 0) {
            b.count = 0;
            unsigned length = get(&b, 16);
            if (get(&b, 16) != (length ^ 0xFFFF) || n + length > room)
                return -1;
            while (length-- > 0)
                to[n++] = (uint8_t)get(&b, 8);
            continue;
        }
        if (type == 3)
            return -1;
        if (type == 1)
            fixed_codes(&symbols, &distances);
        if (type == 2)
            read_codes(&b, &symbols, &distances);
        for (unsigned symbol; (symbol = decode(&b, &symbols)) != 256 && !b.bad;) {
            if (n >= room || symbol > 285)
                return -1;
            if (symbol < 256) {
                to[n++] = (uint8_t)symbol;
                continue;
            }
            unsigned length = length_base[symbol - 257] + get(&b, length_more[symbol - 257]);
            unsigned code = decode(&b, &distances), distance = distance_base(code) + get(&b, distance_more(code));
            if (code > 29 || distance > n || n + length > room)
                return -1;
            for (; length > 0; length--, n++)
                to[n] = to[n - distance];
        }
    }
    return b.bad ? -1 : (long)n;
}
static uint32_t crc(const uint8_t *from, size_t size)
{
    uint32_t c = ~0u;
    for (size_t i = 0; i < size; i++) {
        c ^= from[i];
        for (int k = 0; k < 8; k++)
            c = c >> 1 ^ (c & 1 ? 0xEDB88320u : 0);
    }
    return ~c;
}

/* ---- by the instruction ---- */

#ifdef __s390x__
enum { QUERY, GENERATE, COMPRESS = 2, EXPAND = 4 };
static _Alignas(8) uint8_t block[1536];
static _Alignas(4096) uint8_t history[32768];

/* To the end of the operation, as many times as it is interrupted. Returns the condition code. */
static int dfltcc(unsigned function, uint8_t **to, size_t *room, uint8_t **from, size_t *size)
{
    register uint64_t r0 __asm__("0") = function;
    register uint64_t r1 __asm__("1") = (uintptr_t)block;
    register uint64_t r2 __asm__("2") = (uintptr_t)*to;
    register uint64_t r3 __asm__("3") = *room;
    register uint64_t r4 __asm__("4") = (uintptr_t)*from;
    register uint64_t r5 __asm__("5") = *size;
    int cc;
    __asm__ volatile("0: .insn rrf,0xb9390000,%%r2,%%r4,%[h],0\n"
                     "   brc 1,0b\n"
                     "   ipm %[cc]\n"
                     "   srl %[cc],28\n"
                     : [cc] "=&d"(cc), "+d"(r0), "+d"(r2), "+d"(r3), "+d"(r4), "+d"(r5)
                     : "d"(r1), [h] "a"(history)
                     : "cc", "memory");
    *to = (uint8_t *)r2;
    *room = r3;
    *from = (uint8_t *)r4;
    *size = r5;
    return cc;
}
static bool there_is_one(void)
{
    uint64_t facilities[4] = {0};
    register uint64_t r0 __asm__("0") = 3;
    __asm__ volatile("stfle %0" : "=Q"(facilities), "+d"(r0)::"cc");
    return facilities[151 / 64] >> (63 - 151 % 64) & 1;
}
static uint32_t check_value(void) /* its bytes are in the order of a gzip trailer */
{
    return (uint32_t)block[51] << 24 | (uint32_t)block[50] << 16 | (uint32_t)block[49] << 8 | block[48];
}
static size_t compress_instruction(uint8_t *to, size_t room, uint8_t *from, size_t size, bool dynamic)
{
    uint8_t *start = to, *some = from;
    size_t no_room = 0, part = size < 8192 ? size : 8192; /* the table is made for the beginning */
    memset(block, 0, sizeof block);
    block[16] = 0x80 | 3; /* a new task; close the block, which is the last */
    if (dynamic) {
        uint8_t *nowhere = to;
        if (dfltcc(GENERATE, &nowhere, &no_room, &some, &part))
            return 0;
        block[16] = 0x80 | 3 | 8;
    }
    if (dfltcc(COMPRESS, &to, &room, &from, &size))
        return 0;
    return (size_t)(to - start) + ((block[18] & 7) != 0);
}
static long expand_instruction(uint8_t *to, size_t room, uint8_t *from, size_t size)
{
    uint8_t *start = to;
    memset(block, 0, sizeof block);
    block[16] = 0x80;
    return dfltcc(EXPAND, &to, &room, &from, &size) ? -1 : to - start;
}
#else
static bool there_is_one(void) { return false; }
static uint32_t check_value(void) { return 0; }
static size_t compress_instruction(uint8_t *to, size_t room, uint8_t *from, size_t size, bool dynamic)
{
    (void)dynamic;
    return compress_itself(to, room, from, size);
}
static long expand_instruction(uint8_t *to, size_t room, uint8_t *from, size_t size)
{
    return expand_itself(to, room, from, size);
}
#endif

static void try(const char *name, size_t size)
{
    const bool one = there_is_one();
    const uint32_t sum = crc(data, size);
    printf("%s: %zu bytes, sum %08x:", name, size, sum);
    for (int way = 0; way < 3;
         way++) { /* by itself; by the instruction (which wants a byte), fixed code, its own code */
        size_t made = way == 0 || !one || size == 0 ? compress_itself(packed, sizeof packed, data, size)
                                                    : compress_instruction(packed, sizeof packed, data, size, way == 2);
        if (one && way && size && check_value() != sum)
            printf(" (wrong sum)");
        for (int back = 0; back < 2; back++) {
            memset(expanded, 0x55, sizeof expanded);
            long n = back && one ? expand_instruction(expanded, sizeof expanded, packed, made)
                                 : expand_itself(expanded, sizeof expanded, packed, made);
            bool same = made && n == (long)size && !memcmp(expanded, data, size);
            if (back && one && check_value() != sum)
                same = false;
            printf(same ? " same" : " DIFFERENT");
        }
    }
    printf("\n");
}

int main(void)
{
    static const size_t sizes[] = {0, 1, 2, 3, 10, 257, 258, 259, 4096, 32769, SIZE};
    uint64_t seed = 88172645463325252u;
    for (unsigned kind = 0; kind < 4; kind++) {
        static const char *const names[] = {"random", "zeros", "text", "a mixture"};
        for (size_t i = 0; i < SIZE; i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            uint8_t text = (uint8_t)("etaoin shrdlu, and"[(seed >> 20) % 18]);
            if (i > 400 && (seed >> 40) % 16)
                text = data[i - 300 + i / 7000];
            data[i] = (uint8_t)(kind == 0 ? seed >> 32 : kind == 1 ? 0 : kind == 2 || i / 3000 % 2 ? text : seed >> 50);
        }
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
            try(names[kind], sizes[i]);
    }
    return 0;
}
