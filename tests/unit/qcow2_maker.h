/* SPDX-License-Identifier: GPL-3.0-or-later */
/* qcow2 images for tests, made and looked through without help: an empty image of any shape, and the count of every
   cluster against what points to it. */
#ifndef ZRI_TESTS_UNIT_QCOW2_MAKER_H
#define ZRI_TESTS_UNIT_QCOW2_MAKER_H

#include "base/bits.h"
#include <stdio.h>
#include <stdlib.h>

struct shape {
    unsigned version, bits, count_bits; /* count_bits: 1 << this; version 2 has 4 */
    uint64_t size;
    const char *backing; /* NULL: none */
};

static inline void save(const char *name, const void *bytes, size_t length)
{
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(bytes, 1, length, f) != length || fclose(f))
        abort();
}

static inline uint8_t *load(const char *name, size_t *length)
{
    FILE *f = fopen(name, "rb");
    if (!f || fseek(f, 0, SEEK_END))
        abort();
    *length = (size_t)ftell(f);
    rewind(f);
    uint8_t *bytes = malloc(*length + 1);
    if (!bytes || fread(bytes, 1, *length, f) != *length || fclose(f))
        abort();
    return bytes;
}

static inline void shape_count(const struct shape *s, uint8_t *block, uint64_t n, uint64_t value)
{
    if (s->count_bits < 3) {
        const unsigned width = 1u << s->count_bits;
        block[n * width / 8] |= (uint8_t)(value << n * width % 8);
    } else {
        block[((n + 1) << (s->count_bits - 3)) - 1] = (uint8_t)value;
    }
}

static inline uint64_t shape_counted(const struct shape *s, const uint8_t *block, uint64_t n)
{
    const unsigned width = 1u << s->count_bits;
    if (s->count_bits < 3)
        return block[n * width / 8] >> n * width % 8 & ((1u << width) - 1);
    uint64_t value = 0;
    for (unsigned i = 0; i < width / 8; i++)
        value = value << 8 | block[n * width / 8 + i];
    return value;
}

/* Header in cluster 0, counts in 1 and 2, the first table from 3 on. */
static inline void make_qcow2(const char *name, const struct shape *s)
{
    const uint64_t cluster = UINT64_C(1) << s->bits, per = cluster * cluster / 8;
    const uint64_t entries = (s->size + per - 1) / per, tables = (8 * entries + cluster - 1) / cluster;
    const size_t length = (size_t)((3 + tables) * cluster);
    uint8_t *p = calloc(1, length);
    if (!p)
        abort();
    put32(p, 0x514649fb);
    put32(p + 4, s->version);
    if (s->backing) {
        put64(p + 8, 256);
        put32(p + 16, (uint32_t)strlen(s->backing));
        memcpy(p + 256, s->backing, strlen(s->backing));
    }
    put32(p + 20, s->bits);
    put64(p + 24, s->size);
    put32(p + 36, (uint32_t)entries);
    put64(p + 40, 3 * cluster);
    put64(p + 48, cluster);
    put32(p + 56, 1);
    if (s->version == 3) {
        put32(p + 96, s->count_bits);
        put32(p + 100, 104);
    }
    put64(p + cluster, 2 * cluster);
    for (uint64_t n = 0; n < 3 + tables; n++)
        shape_count(s, p + 2 * cluster, n, 1);
    save(name, p, length);
    free(p);
}

/* What is wrong with the counts of an image: clusters counted lower than they are used, or used beyond its end. *leaks:
   those counted higher. */
static inline unsigned check_qcow2(const uint8_t *p, size_t length, unsigned *leaks)
{
    struct shape s = {.version = get32(p + 4), .bits = get32(p + 20)};
    s.count_bits = s.version == 3 ? get32(p + 96) : 4;
    const uint64_t cluster = UINT64_C(1) << s.bits, clusters = (length + cluster - 1) / cluster;
    const uint64_t counts = get64(p + 48), blocks = (uint64_t)get32(p + 56) * cluster / 8;
    const uint64_t first = get64(p + 40), entries = get32(p + 36), per = cluster * 8 >> s.count_bits;
    const uint64_t place = UINT64_C(0x00fffffffffffe00);
    unsigned *used = calloc(clusters + 1, sizeof *used), wrong = 0;
    *leaks = 0;
#define USE(at) ((at) / cluster < clusters ? (void)used[(at) / cluster]++ : (void)wrong++)
    USE((uint64_t)0);
    for (uint64_t i = 0; i < 8 * entries; i += cluster)
        USE(first + i);
    for (uint64_t i = 0; i < 8 * blocks; i += cluster)
        USE(counts + i);
    for (uint64_t i = 0; i < blocks; i++)
        if (get64(p + counts + 8 * i))
            USE(get64(p + counts + 8 * i));
    for (uint64_t i = 0; i < entries; i++) {
        const uint64_t table = get64(p + first + 8 * i) & place;
        if (!table)
            continue;
        USE(table);
        if (table + cluster > length) {
            wrong++;
            continue;
        }
        for (uint64_t n = 0; n < cluster / 8; n++) {
            const uint64_t entry = get64(p + table + 8 * n);
            if (entry & UINT64_C(1) << 62) {
                const unsigned split = 62 - (s.bits - 8);
                uint64_t at = entry & ((UINT64_C(1) << split) - 1), sectors = entry << 2 >> 2 >> split & 0xffff;
                for (uint64_t c = at / cluster; c <= ((at & ~UINT64_C(511)) + (sectors + 1) * 512 - 1) / cluster; c++)
                    USE(c * cluster);
            } else if (entry & place) {
                USE(entry & place);
            }
        }
    }
#undef USE
    for (uint64_t n = 0; n < clusters; n++) {
        const uint64_t block = n / per < blocks ? get64(p + counts + 8 * (n / per)) : 0;
        const uint64_t counted =
            block && block + cluster <= clusters * cluster ? shape_counted(&s, p + block, n % per) : 0;
        wrong += counted < used[n];
        *leaks += counted > used[n];
    }
    free(used);
    return wrong;
}

#endif
