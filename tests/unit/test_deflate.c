/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DEFLATE CONVERSION CALL, judged by zlib: what it compresses zlib inflates, what zlib deflates it expands, and both
   find the same damaged streams damaged. Operands are cut anywhere, the history is in a buffer or in line, pages are
   missing and come back when they are asked for, and both engines take part. TEST_DEFLATE=N carries out N of each
   kind. */
#include "config.h"
#include "cpu/storage/tlb.h"

#include "cpu_harness.h"
#include "random.h"
#if HAVE_ZLIB
#include <zlib.h>

enum {
    CODE = 0x8000,
    BLOCK = 0x9000,
    HISTORY = 0x10000,
    FIRST = 0x20000,
    SECOND = 0x80000,
    END = 0xf0000,
    MOST = 100000, /* bytes of plain data */
};
enum { QAF = 0, GDHT = 1, CMPR = 2, XPND = 4 };
enum { NT = 0x80, CVT = 0x20, HTT = 0x08, BCF = 0x04, BCC = 0x02, BHF = 0x01 };

static struct rig *start(struct random *r)
{
    struct rig *g = rig_new();
    for (uint64_t at = 0; at < 0x100000; at += 0x1000)
        map(g, at, at, 0);
    put32(g->at + CODE, 0xb9396024);     /* dfltcc 2,4,6 */
    put32(g->at + CODE + 4, 0xa714fffe); /* again, when not finished */
    put64(g->at + 464, 0x0002000180000000);
    put64(g->at + 472, 0xdead);
    memset(g->at + FIRST, 0xee, SECOND - FIRST);
    g->cpu->cr[1] = R1_TABLE | ASCE_DT_FIRST | TL_FULL;
    g->cpu->engine_kind = below(r, 2) ? ENGINE_BLOCK : ENGINE_REFERENCE;
    g->cpu->gr[1] = BLOCK;
    g->cpu->gr[2] = FIRST;
    g->cpu->gr[4] = SECOND;
    g->cpu->gr[6] = HISTORY;
    return g;
}

static unsigned call(struct rig *g, unsigned function)
{
    unsigned faults = 0;
    return call_to_end(g, function, CODE, BLOCK, END, &faults);
}

static void lose_pages(struct rig *g, struct random *r)
{
    if (below(r, 2))
        return;
    for (uint64_t page = BLOCK; page < END; page += 0x1000)
        if (!below(r, 3))
            set_dword(g, entry_of(page), page | 0x400);
    cpu_tlb_purge(g->cpu);
}

/* Data of some kind. */
static unsigned make(struct random *r, uint8_t *to)
{
    static const char *const words[] = {"the ", "of ", "machine ", "instruction ", "a", "\n", "operand ", "z"};
    const unsigned length = below(r, 3) ? below(r, 3000) : below(r, MOST), kind = below(r, 5);
    for (unsigned n = 0; n < length;) {
        if (kind == 0 || (kind == 4 && !below(r, 3))) {
            to[n++] = (uint8_t)next(r);
        } else if (kind == 1) {
            to[n++] = (uint8_t)(below(r, 200) ? 0 : next(r));
        } else if (n && kind >= 3 && below(r, 2)) {
            const unsigned far = 1 + below(r, n < 40000 ? n : 40000);
            for (unsigned some = below(r, 600); some && n < length; some--, n++)
                to[n] = to[n - far];
        } else {
            for (const char *w = words[below(r, 8)]; *w && n < length; w++)
                to[n++] = (uint8_t)*w;
        }
    }
    return length;
}

static unsigned part(struct random *r, unsigned left)
{
    unsigned n = below(r, 4) ? below(r, 50000) : 1 + below(r, 20);
    return n < left ? n : left;
}

static uint32_t check_value(bool adler, const uint8_t *data, unsigned length)
{
    const uint32_t crc = (uint32_t)crc32(0, data, length);
    return adler ? (uint32_t)adler32(1, data, length) : __builtin_bswap32(crc);
}

/* ---- compression ------------------------------------------------------------------------------------------------- */

/* Send the end of a block by hand, as programs do it. */
static void close_block(struct rig *g)
{
    uint8_t *block = g->at + BLOCK;
    unsigned code = get16(block + 52), length = block[54] >> 4, sbb = block[18] & 7;
    uint8_t *to = g->at + g->cpu->gr[2];
    assert_true(length);
    for (; length; length--, code <<= 1) {
        if (!sbb)
            *to = 0;
        *to = (uint8_t)((*to & ((1u << sbb) - 1)) | (code & 0x8000 ? 1u << sbb : 0));
        if (++sbb == 8) {
            sbb = 0;
            to++;
            g->cpu->gr[2]++;
        }
    }
    block[18] = (uint8_t)sbb;
    block[16] &= (uint8_t)~BCF;
}

static void compress_one(struct random *r, uint64_t seed, unsigned *ends)
{
    static uint8_t plain[MOST], back[MOST + 1];
    struct rig *g = start(r);
    uint8_t *block = g->at + BLOCK;
    const unsigned length = make(r, plain), circular = below(r, 2) ? 0x80 : 0;
    const bool adler = below(r, 2), every = below(r, 2);
    const uint64_t out_end = SECOND - 4096;
    bool last = false;
    unsigned cc = 0;
    memcpy(g->at + SECOND, plain, length);
    block[16] = (uint8_t)(NT | (adler ? CVT : 0));
    uint64_t left = length;
    do {
        /* A new block, at the latest for the end of the stream. */
        const unsigned some = (unsigned)left ? 1 + part(r, (unsigned)left - 1) : 0;
        last = some == left;
        const unsigned closing = below(r, 2) && some ? BCC : 0;
        block[16] = (uint8_t)((block[16] & (NT | CVT)) | closing | (last ? BHF : 0) | (below(r, 2) ? HTT : 0));
        lose_pages(g, r);
        g->cpu->gr[5] = some;
        block[17] = every || some > 0x8000 ? 0 : 0x20;
        if (block[16] & HTT && some)
            assert_int_equal(call(g, GDHT), 0);
        else
            block[16] &= (uint8_t)~HTT;
        if (!some) { /* the instruction wants data: an empty block by hand */
            put16(block + 52, 0);
            block[54] = 0x70;
            uint8_t *to = g->at + g->cpu->gr[2];
            const unsigned sbb = block[18] & 7, bits = (unsigned)((sbb ? *to & ((1u << sbb) - 1) : 0) | 3u << sbb);
            *to = (uint8_t)bits;
            to[1] = (uint8_t)(bits >> 8);
            g->cpu->gr[2] += (sbb + 3) / 8;
            block[18] = (uint8_t)((sbb + 3) % 8);
            close_block(g);
            break;
        }
        uint64_t before = g->cpu->gr[2];
        do {
            const unsigned space = 1 + part(r, (unsigned)(out_end - g->cpu->gr[2]) - 1);
            g->cpu->gr[3] = space;
            cc = call(g, CMPR | circular);
            ends[cc & 7]++;
            if (cc != 0 && cc != 1)
                fail_msg("compression, seed %llu: condition code %x, OESC %02x", (unsigned long long)seed, cc,
                         block[19]);
            assert_int_equal(g->cpu->gr[2] + g->cpu->gr[3], before + space);
            before = g->cpu->gr[2];
            assert_int_equal(block[7] & 1, cc);
            if (cc == 1)
                assert_true(g->cpu->gr[3] == 0 && (block[18] & 7) == 0);
            if (below(r, 2) && cc == 1)
                block[16] |= BCF;
        } while (cc == 1);
        left -= some;
        assert_int_equal(g->cpu->gr[5], 0);
        if (!closing)
            close_block(g);
    } while (!last);
    const unsigned produced = (unsigned)(g->cpu->gr[2] - FIRST) + ((block[18] & 7) != 0);
    assert_int_equal(g->at[FIRST + produced], 0xee);
    if (length)
        assert_int_equal(get32(block + 48), check_value(adler, plain, length));
    z_stream z = {.next_in = g->at + FIRST, .avail_in = produced, .next_out = back, .avail_out = sizeof back};
    assert_int_equal(inflateInit2(&z, -15), Z_OK);
    int end = inflate(&z, Z_FINISH);
    if (end != Z_STREAM_END || z.avail_in || z.total_out != length || memcmp(back, plain, length) != 0)
        fail_msg("compression, seed %llu: inflate ends with %d (%s), %lu of %u bytes", (unsigned long long)seed, end,
                 z.msg ? z.msg : "", z.total_out, length);
    inflateEnd(&z);
    rig_end(g);
}

/* ---- expansion --------------------------------------------------------------------------------------------------- */

/* A raw stream of data by zlib, flushed here and there. */
static unsigned deflated(struct random *r, const uint8_t *plain, unsigned length, const uint8_t *dictionary,
                         unsigned dictionary_length, uint8_t *to, unsigned most)
{
    static const int strategies[] = {Z_DEFAULT_STRATEGY, Z_DEFAULT_STRATEGY, Z_HUFFMAN_ONLY, Z_FIXED, Z_RLE};
    z_stream z = {.next_out = to, .avail_out = most};
    assert_int_equal(
        deflateInit2(&z, (int)below(r, 10), Z_DEFLATED, -15, 1 + (int)below(r, 9), strategies[below(r, 5)]), Z_OK);
    if (dictionary_length)
        assert_int_equal(deflateSetDictionary(&z, dictionary, dictionary_length), Z_OK);
    for (unsigned n = 0; n < length;) {
        unsigned some = 1 + part(r, length - n - 1);
        z.next_in = (uint8_t *)(uintptr_t)(plain + n);
        z.avail_in = some;
        assert_int_equal(deflate(&z, below(r, 2) ? Z_NO_FLUSH : below(r, 2) ? Z_SYNC_FLUSH : Z_PARTIAL_FLUSH), Z_OK);
        n += some;
    }
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    const unsigned produced = (unsigned)z.total_out;
    deflateEnd(&z);
    return produced;
}

/* Expand `length` bytes at SECOND into FIRST in pieces. Yields the last condition code. */
static unsigned expand_pieces(struct rig *g, struct random *r, unsigned length, unsigned circular, unsigned *ends)
{
    uint8_t *block = g->at + BLOCK;
    unsigned cc;
    for (;;) {
        const uint64_t from_end = SECOND + length;
        const unsigned left = (unsigned)(from_end - g->cpu->gr[4]), some = left ? 1 + part(r, left - 1) : 0;
        const unsigned space = part(r, (unsigned)(SECOND - 4096 - g->cpu->gr[2]));
        const uint64_t from = g->cpu->gr[4], to = g->cpu->gr[2];
        if (!some && !(block[7] & 1))
            return 2;
        lose_pages(g, r);
        g->cpu->gr[3] = space;
        g->cpu->gr[5] = some;
        cc = call(g, XPND | circular);
        ends[cc & 7]++;
        if (cc == 0 || cc > 2)
            return cc;
        assert_int_equal(g->cpu->gr[2] + g->cpu->gr[3], to + space);
        assert_int_equal(g->cpu->gr[4] + g->cpu->gr[5], from + some);
        assert_int_equal(block[16] & NT, 0);
        if (cc == 2 && block[19])
            return 2;
        if (cc == 1)
            assert_int_equal(g->cpu->gr[3], 0);
        if (cc == 2)
            assert_int_equal(g->cpu->gr[5], 0);
        if (cc == 2 && g->cpu->gr[4] == from_end)
            return 2;
    }
}

static void expand_one(struct random *r, uint64_t seed, bool damage, unsigned *ends)
{
    static uint8_t plain[MOST], stream[2 * MOST], back[4 * MOST], dictionary[0x8000];
    struct rig *g = start(r);
    uint8_t *block = g->at + BLOCK;
    const unsigned length = make(r, plain), circular = below(r, 2) ? 0x80 : 0,
                   known = below(r, 2) ? below(r, 0x8001) : 0;
    const bool adler = below(r, 2);
    for (unsigned n = 0; n < known; n++)
        dictionary[n] = length ? plain[n % length] : (uint8_t)n;
    const unsigned produced = deflated(r, plain, length, dictionary, known, stream, sizeof stream);
    for (unsigned n = damage ? 1 + below(r, 4) : 0; n; n--)
        stream[below(r, below(r, 2) && produced > 40 ? 40 : produced)] ^= (uint8_t)(1u << below(r, 8));
    memcpy(g->at + SECOND, stream, produced);
    block[16] = (uint8_t)((known ? 0 : NT) | (adler ? CVT : 0));
    put32(block + 48, adler && known ? 1 : 0);
    g->cpu->gr[2] = FIRST + 0x8000;
    if (known) {
        const unsigned ho = circular ? below(r, 0x8000) : 0;
        put16(block + 44, (uint16_t)known);
        put16(block + 46, (uint16_t)ho);
        for (unsigned n = 0; n < known; n++)
            g->at[circular ? HISTORY + (ho + n) % 0x8000 : FIRST + 0x8000 - known + n] = dictionary[n];
    }
    z_stream z = {
        .next_in = stream, .avail_in = produced, .next_out = back, .avail_out = SECOND - 4096 - FIRST - 0x8000};
    assert_int_equal(inflateInit2(&z, -15), Z_OK);
    if (known)
        assert_int_equal(inflateSetDictionary(&z, dictionary, known), Z_OK);
    int end = inflate(&z, Z_SYNC_FLUSH);
    const bool fits = z.avail_out;
    const unsigned expected = (unsigned)z.total_out, used = produced - z.avail_in;
    inflateEnd(&z);
    if (fits) { /* else damage made very much of it */
        const unsigned cc = expand_pieces(g, r, produced, circular, ends);
        const unsigned out = (unsigned)(g->cpu->gr[2] - FIRST - 0x8000);
        const uint64_t next_byte = g->cpu->gr[4] - SECOND + ((block[18] & 7) != 0);
        const bool same =
            end == Z_STREAM_END ? cc == 0 && next_byte == used
            : end == Z_DATA_ERROR
                ? cc == 2 && (block[19] || g->cpu->gr[4] == SECOND + produced)
                : cc == 2 && (!block[19] || block[19] == 0x27); /* zlib sees later that there is no code at all */
        if (!same || out != expected || memcmp(g->at + FIRST + 0x8000, back, out) != 0 ||
            g->at[g->cpu->gr[2]] != 0xee || get32(block + 48) != check_value(adler, back, out))
            fail_msg("expansion, seed %llu: zlib ends with %d, condition code %x, OESC %02x; %u and %u bytes; %u and "
                     "%u read",
                     (unsigned long long)seed, end, cc, block[19], expected, out, used, (unsigned)next_byte);
        if (end == Z_DATA_ERROR && block[19])
            ends[4]++;
    }
    rig_end(g);
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static uint64_t count_of(void) { return trials_of("TEST_DEFLATE", 300); }

static void compresses(void **state)
{
    (void)state;
    unsigned ends[8] = {0};
    for (uint64_t seed = 1; seed <= count_of(); seed++) {
        struct random r = seeded(seed);
        compress_one(&r, seed, ends);
    }
    assert_true(ends[0] && ends[1]);
}

static void expands(void **state)
{
    (void)state;
    unsigned ends[8] = {0};
    for (uint64_t seed = 1; seed <= count_of(); seed++) {
        struct random r = seeded(seed + 1000000);
        expand_one(&r, seed, false, ends);
    }
    assert_true(ends[0] && ends[1] && ends[2] && !ends[4]);
}

static void finds_damage(void **state)
{
    (void)state;
    unsigned ends[8] = {0};
    for (uint64_t seed = 1; seed <= 2 * count_of(); seed++) {
        struct random r = seeded(seed + 2000000);
        expand_one(&r, seed, true, ends);
    }
    assert_true(ends[4] > count_of() / 4);
}

/* A small stream cut into two parts at every place, and with room for every number of bytes at first. */
static void cut_everywhere(void **state)
{
    (void)state;
    static uint8_t plain[3000], stream[4000];
    struct random r = seeded(3);
    for (unsigned n = 0; n < sizeof plain; n++)
        plain[n] = (uint8_t)(n % 7 ? n * n / 90 : below(&r, 40));
    z_stream z = {.next_in = plain, .avail_in = sizeof plain, .next_out = stream, .avail_out = sizeof stream};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    const unsigned produced = (unsigned)z.total_out;
    deflateEnd(&z);
    for (unsigned cut = 1; cut < produced + sizeof plain; cut++) {
        struct rig *g = start(&r);
        uint8_t *block = g->at + BLOCK;
        block[16] = NT;
        memcpy(g->at + SECOND, stream, produced);
        g->cpu->gr[3] = cut < produced ? sizeof plain : cut - produced;
        g->cpu->gr[5] = cut < produced ? cut : produced;
        assert_int_equal(call(g, XPND | 0x80), cut < produced ? 2 : 1);
        g->cpu->gr[3] = FIRST + sizeof plain - g->cpu->gr[2];
        g->cpu->gr[5] = SECOND + produced - g->cpu->gr[4];
        assert_int_equal(call(g, XPND | 0x80), 0);
        assert_memory_equal(g->at + FIRST, plain, sizeof plain);
        assert_int_equal(get32(block + 48), check_value(false, plain, sizeof plain));
        rig_end(g);
    }
}

/* Parameter blocks and continuation states of random bits do no harm. */
static void hostile(void **state)
{
    (void)state;
    static const uint8_t functions[] = {GDHT, CMPR, CMPR | 0x80, XPND, XPND | 0x80};
    for (uint64_t seed = 1; seed <= 4 * count_of(); seed++) {
        struct random r = seeded(seed + 3000000);
        struct rig *g = start(&r);
        const unsigned function = functions[below(&r, 5)];
        for (unsigned n = 0; n < 1536; n++)
            g->at[BLOCK + n] = (uint8_t)(below(&r, 4) ? 0 : next(&r));
        for (unsigned n = 0; n < 40000; n += 8)
            put64(g->at + SECOND + n, next(&r));
        put16(g->at + BLOCK, below(&r, 8) ? 0 : 1);
        g->at[BLOCK + 16] = (uint8_t)next(&r);
        g->at[BLOCK + 7] = (uint8_t)next(&r);
        if (below(&r, 4)) {
            put16(g->at + BLOCK + 44, (uint16_t)below(&r, 0x8002));
            g->at[BLOCK + 384] = function & XPND ? 0xe1 : 0xc1;
            g->at[BLOCK + 385] = (uint8_t)below(&r, 4);
            put16(g->at + BLOCK + 388, (uint16_t)below(&r, 600));
            put16(g->at + BLOCK + 392, (uint16_t)below(&r, 300));
        }
        g->cpu->gr[3] = part(&r, 60000);
        g->cpu->gr[5] = part(&r, 40000);
        const unsigned cc = call(g, function);
        assert_true(cc <= 2 || cc == 0x100 + PIC_DATA || cc == 0x100 + PIC_SPECIFICATION);
        rig_end(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compresses),     cmocka_unit_test(expands), cmocka_unit_test(finds_damage),
        cmocka_unit_test(cut_everywhere), cmocka_unit_test(hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) { return 77; }
#endif
