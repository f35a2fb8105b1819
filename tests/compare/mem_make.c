/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the image of a random comparison of instructions on storage: cases with operands that touch, overlap and cross
   a page. An instruction that ends with condition code 3 is carried out again until it has finished, since machines
   differ in the amounts. */
#include "tests/compare/dictionary.h"
#include "tests/compare/mem.h"

#include "base/bits.h"
#include "disasm/dis.h"

#include <string.h>

struct making {
    uint64_t random;
    uint64_t gr[16];
    uint32_t taken; /* registers that have a purpose */
    uint64_t mask;  /* of addresses in the case's mode */
    uint8_t data[DATA_SIZE];
    uint8_t bytes[6];
    const char *peer;
    uint16_t symbols[DICTIONARIES][8192]; /* of the dictionaries */
    unsigned symbol_count[DICTIONARIES];
};

static uint64_t random64(struct making *m) { return compare_random(&m->random); }
static unsigned below(struct making *m, unsigned n) { return (unsigned)(random64(m) % n); }
static bool peer_is(const struct making *m, const char *name) { return strcmp(m->peer, name) == 0; }

/* A register without a purpose yet: not 0, 1 or 2, which some instructions name; the even one of two with `pair`. */
static unsigned take(struct making *m, bool pair)
{
    for (;;) {
        unsigned r = 3 + below(m, 13);
        if (pair && (r & 1))
            continue;
        uint32_t bits = pair ? 3u << r : 1u << r;
        if (m->taken & bits)
            continue;
        m->taken |= bits;
        return r;
    }
}

/* A length: mostly short, at times long, at times none. */
static unsigned some_length(struct making *m, unsigned most)
{
    unsigned n = below(m, 4) ? below(m, 40) : below(m, most + 1);
    return n > most ? most : n;
}

static unsigned offset_for(struct making *m, unsigned length)
{
    if (length < 500 && below(m, 2)) /* near the page boundary */
        return 512 - below(m, length + 1);
    return below(m, DATA_SIZE - length + 1);
}

/* An offset for `length` bytes close to `other`, or anywhere. */
static unsigned offset_near(struct making *m, unsigned length, unsigned other)
{
    if (below(m, 2))
        return offset_for(m, length);
    int at = (int)other + (int)below(m, 24) - 12;
    return at < 0 || (unsigned)at + length > DATA_SIZE ? offset_for(m, length) : (unsigned)at;
}

/* Bits that an address or a length in a register may have to the left, in the modes with fewer bits. */
static uint64_t dirt(struct making *m) { return m->mask >> 32 ? 0 : random64(m) & ~UINT64_C(0xffffffff); }

static void set_address(struct making *m, unsigned r, uint64_t address) { m->gr[r] = address | dirt(m); }
static void set_length(struct making *m, unsigned r, uint64_t length) { m->gr[r] = length | dirt(m); }

/* Base and displacement of an operand at `address`, into the halfword at `at` of the instruction. */
static void place(struct making *m, unsigned at, uint64_t address)
{
    unsigned b = take(m, false), d = below(m, 4096);
    m->gr[b] = ((address - d) & m->mask) | (m->mask >> 32 ? 0 : random64(m) & ~m->mask);
    put16(m->bytes + at, (uint16_t)(b << 12 | d));
}
static void place_data(struct making *m, unsigned at, unsigned offset) { place(m, at, AT_DATA + offset); }

/* RRE and RRF-c. */
static void rre(struct making *m, unsigned r1, unsigned r2, unsigned m3)
{
    m->bytes[2] = (uint8_t)(m3 << 4);
    m->bytes[3] = (uint8_t)(r1 << 4 | r2);
}

/* Contents of the data. */
static void fill_random(struct making *m)
{
    for (unsigned k = 0; k < DATA_SIZE; k += 8)
        put64(m->data + k, random64(m));
}
static void fill_alphabet(struct making *m, unsigned letters)
{
    for (unsigned k = 0; k < DATA_SIZE; k++)
        m->data[k] = (uint8_t)(0x40 + below(m, letters));
}
static void fill_any(struct making *m)
{
    switch (below(m, 3)) {
    case 0:
        fill_random(m);
        break;
    case 1:
        fill_alphabet(m, 2);
        break;
    default:
        memset(m->data, (int)below(m, 256), DATA_SIZE);
        m->data[below(m, DATA_SIZE)] = (uint8_t)below(m, 256);
    }
}
/* Digits, with few wrong ones; zones and signs. */
static void fill_digits(struct making *m)
{
    for (unsigned k = 0; k < DATA_SIZE; k++) {
        unsigned left = below(m, 12) ? below(m, 10) : below(m, 16), right = below(m, 12) ? below(m, 10) : below(m, 16);
        m->data[k] = (uint8_t)(below(m, 3) ? left << 4 | right : 0xf0 | right);
    }
}
/* Text in UTF-8, -16 or -32 with errors. */
static void fill_text(struct making *m, unsigned unit)
{
    static const uint32_t bounds[] = {0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff};
    fill_random(m);
    for (unsigned k = 0; k + 4 <= DATA_SIZE;) {
        uint32_t c = below(m, 4) ? below(m, 0x80) : below(m, 2) ? bounds[below(m, 9)] : below(m, 0x110000);
        if (unit == 4) {
            put32(m->data + k, c);
            k += 4;
        } else if (unit == 2) {
            put16(m->data + k, (uint16_t)(c < 0x10000 ? c : 0xd800 | (c - 0x10000) >> 10));
            k += 2;
            if (c >= 0x10000)
                put16(m->data + k, (uint16_t)(0xdc00 | (c & 0x3ff)));
            k += c >= 0x10000 ? 2 : 0;
        } else {
            unsigned n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
            for (unsigned j = n - 1; j; j--, c >>= 6)
                m->data[k + j] = (uint8_t)(0x80 | (c & 0x3f));
            m->data[k] = (uint8_t)(n == 1 ? c : (0xf00u >> n & 0xf0) | c);
            k += n;
        }
    }
    for (unsigned n = below(m, 4); n; n--)
        m->data[below(m, DATA_SIZE)] = (uint8_t)random64(m);
}
/* The second half like the first, with at most one difference. */
static void make_equal(struct making *m, unsigned from, unsigned to, unsigned length)
{
    memmove(m->data + to, m->data + from, length);
    if (length && below(m, 2))
        m->data[to + below(m, length)] ^= (uint8_t)(1u << below(m, 8));
}

/* Makers: one for each group of instructions. They return false when the attempt is no case. */

static bool make_ss(struct making *m, unsigned row) /* MVC, MVN, MVZ, NC, OC, XC, CLC, MVCIN, MVCRL */
{
    unsigned length = 1 + some_length(m, 255), first = offset_for(m, length), second = offset_near(m, length, first);
    fill_any(m);
    if (row == DIS_CLC && below(m, 2))
        make_equal(m, first, second, length);
    if (row == DIS_MVCRL)
        m->gr[0] = (random64(m) & ~UINT64_C(0xff)) | (length - 1);
    else
        m->bytes[1] = (uint8_t)(length - 1);
    if (row == DIS_MVCIN && first < second + length && second < first + length)
        return false; /* overlap: unpredictable */
    place_data(m, 2, first);
    place_data(m, 4, row == DIS_MVCIN ? second + length - 1 : second);
    return true;
}

static bool make_digits(struct making *m, unsigned row) /* MVO, PACK, UNPK */
{
    unsigned l1 = 1 + below(m, 16), l2 = 1 + below(m, 16), first = offset_for(m, l1),
             second = offset_near(m, l2, first);
    fill_digits(m);
    (void)row;
    m->bytes[1] = (uint8_t)((l1 - 1) << 4 | (l2 - 1));
    place_data(m, 2, first);
    place_data(m, 4, second);
    return true;
}

static bool make_pack(struct making *m, unsigned row) /* PKA, PKU, UNPKA, UNPKU */
{
    bool two = row == DIS_PKU || row == DIS_UNPKU, pack = row == DIS_PKA || row == DIS_PKU;
    unsigned length = 1 + below(m, two ? 68 : 34), first = offset_for(m, 16), second = offset_for(m, length);
    if (two && below(m, 8))
        length = (length + 1) & ~1u;
    if (first < second + length && second < first + 16)
        return false;
    fill_digits(m);
    m->bytes[1] = (uint8_t)(length - 1);
    place_data(m, 2, pack ? first : second);
    place_data(m, 4, pack ? second : first);
    return true;
}

/* Address of a table of `size` bytes: tables differ by how many zeros they hold. */
static uint64_t table(struct making *m, unsigned size, unsigned boundary)
{
    uint64_t address = AT_TABLE + below(m, TABLE_SIZE - size);
    return address & ~(uint64_t)(boundary - 1);
}

static bool make_translate(struct making *m, unsigned row) /* TR, TRT, TRTR */
{
    unsigned length = 1 + some_length(m, 255), first = offset_for(m, length);
    fill_any(m);
    m->bytes[1] = (uint8_t)(length - 1);
    place_data(m, 2, row == DIS_TRTR ? first + length - 1 : first);
    if (below(m, 4))
        place(m, 4, table(m, 256, 1));
    else
        place_data(m, 4, offset_near(m, 256, first));
    return true;
}

static bool make_long(struct making *m, unsigned row) /* MVCL, CLCL, MVCLE, CLCLE, MVCLU, CLCLU */
{
    bool two = row == DIS_MVCLU || row == DIS_CLCLU, old = row == DIS_MVCL || row == DIS_CLCL;
    bool compare = row == DIS_CLCL || row == DIS_CLCLE || row == DIS_CLCLU;
    unsigned l1 = some_length(m, 500), l2 = below(m, 3) ? some_length(m, 500) : l1;
    unsigned first = offset_for(m, l1), second = old ? offset_near(m, l2, first) : offset_for(m, l2);
    if (two && below(m, 12)) {
        l1 &= ~1u;
        l2 &= ~1u;
    }
    if (!compare && !old && first < second + l2 && second < first + l1)
        return false;
    fill_any(m);
    if (compare && below(m, 2))
        make_equal(m, first, second, l1 < l2 ? l1 : l2);
    uint16_t pad = below(m, 2) ? get16(m->data + first) : (uint16_t)random64(m);
    unsigned r1 = take(m, true), r2 = take(m, true);
    set_address(m, r1, AT_DATA + first);
    set_address(m, r2, AT_DATA + second);
    if (old) {
        m->gr[r1 + 1] = (random64(m) & ~UINT64_C(0xffffff)) | l1;
        m->gr[r2 + 1] = (random64(m) & ~UINT64_C(0xffffffff)) | (uint64_t)(pad & 0xff) << 24 | l2;
        m->bytes[1] = (uint8_t)(r1 << 4 | r2);
        return true;
    }
    set_length(m, r1 + 1, l1);
    set_length(m, r2 + 1, l2);
    unsigned b = take(m, false), d = below(m, 4096);
    m->gr[b] = (random64(m) & ~UINT64_C(0xffff)) | (uint16_t)(pad - d);
    m->bytes[1] = (uint8_t)(r1 << 4 | r2);
    put16(m->bytes + 2, (uint16_t)(b << 12 | d));
    return true;
}

static bool make_string(struct making *m, unsigned row) /* CLST, MVST, SRST, SRSTU */
{
    unsigned length = some_length(m, 400), first = offset_for(m, length + 2), second = offset_for(m, length + 2);
    unsigned r1 = take(m, false), r2 = take(m, false), end = below(m, 256);
    fill_any(m);
    if (row == DIS_SRST || row == DIS_SRSTU) {
        bool two = row == DIS_SRSTU;
        m->gr[0] =
            (random64(m) & ~UINT64_C(0xffffffff)) | (two ? get16(m->data + below(m, 1000)) : m->data[below(m, 1000)]);
        set_address(m, r1, AT_DATA + second + (two && below(m, 8) ? length & ~1u : length));
        set_address(m, r2, AT_DATA + second);
    } else {
        if (row == DIS_MVST && first < second + length + 2 && second < first + length + 2)
            return false;
        if (row == DIS_CLST && below(m, 4))
            make_equal(m, first, second, length);
        m->data[first + length] = m->data[second + length] = (uint8_t)end;
        if (row == DIS_CLST && below(m, 2))
            m->data[first + below(m, length + 1)] = (uint8_t)end;
        m->gr[0] = (random64(m) & ~UINT64_C(0xffffffff)) | end;
        set_address(m, r1, AT_DATA + first);
        set_address(m, r2, AT_DATA + second);
    }
    if (below(m, 32) == 0)
        m->gr[0] |= 1u << (below(m, 24) + 8);
    rre(m, r1, r2, 0);
    return true;
}

static bool make_substring(struct making *m, unsigned row) /* CUSE */
{
    unsigned l1 = some_length(m, 400), l2 = some_length(m, 400);
    unsigned r1 = take(m, true), r2 = take(m, true);
    (void)row;
    fill_alphabet(m, 2 + below(m, 2));
    set_address(m, r1, AT_DATA + offset_for(m, l1));
    set_address(m, r2, AT_DATA + offset_for(m, l2));
    set_length(m, r1 + 1, l1);
    set_length(m, r2 + 1, l2);
    m->gr[0] = (random64(m) & ~UINT64_C(0xff)) | below(m, 12);
    m->gr[1] = (random64(m) & ~UINT64_C(0xff)) | (0x40 + below(m, 3));
    rre(m, r1, r2, 0);
    return true;
}

static bool make_checksum(struct making *m, unsigned row) /* CKSM */
{
    unsigned length = some_length(m, DATA_SIZE), r1 = take(m, false), r2 = take(m, true);
    (void)row;
    fill_any(m);
    set_address(m, r2, AT_DATA + offset_for(m, length));
    m->gr[r2 + 1] = length | (peer_is(m, "qemu") ? 0 : dirt(m));
    m->gr[r1] = random64(m);
    rre(m, r1, r2, 0);
    return true;
}

static bool make_extended(struct making *m, unsigned row) /* TRE, TROO, TROT, TRTO, TRTT, TRTE, TRTRE */
{
    bool test = row == DIS_TRTE || row == DIS_TRTRE;
    unsigned m3 = test ? below(m, 8) << 1 : row == DIS_TRE ? 0 : below(m, 2);
    unsigned from = row == DIS_TRTO || row == DIS_TRTT || (test && m3 & 8) ? 2 : 1;
    unsigned to = row == DIS_TROT || row == DIS_TRTT ? 2 : 1;
    unsigned length = some_length(m, 250), first = offset_for(m, 2 * length), second = offset_for(m, length);
    if (from == 2 && below(m, 12))
        length &= ~1u;
    if (!test && row != DIS_TRE && first < second + length && second < first + 2 * length)
        return false;
    if (peer_is(m, "qemu") && length == 0)
        return false;
    fill_any(m);
    unsigned r1 = take(m, true), r2 = take(m, false);
    unsigned at = test ? second : first;
    set_address(m, r1, AT_DATA + (row == DIS_TRTRE && length >= from ? at + length - from : at));
    set_length(m, r1 + 1, length);
    set_address(m, r2, row == DIS_TRE ? table(m, 256, 1) : AT_DATA + second);
    m->gr[0] = (random64(m) & ~UINT64_C(0xff)) | (below(m, 2) ? 0 : below(m, 256));
    if (to == 2 && below(m, 2))
        m->gr[0] &= ~UINT64_C(0xffff);
    m->gr[1] = table(m, 0x20000, 8) | dirt(m);
    rre(m, r1, r2, m3);
    return true;
}

static bool make_unicode(struct making *m, unsigned row) /* CU12, CU14, CU21, CU24, CU41, CU42 */
{
    unsigned unit = row == DIS_CU12 || row == DIS_CU14 ? 1 : row == DIS_CU21 || row == DIS_CU24 ? 2 : 4;
    unsigned l1 = some_length(m, 400), l2 = some_length(m, 200), first = offset_for(m, l1), second = offset_for(m, l2);
    if (first < second + l2 && second < first + l1)
        return false;
    unsigned r1 = take(m, true), r2 = take(m, true);
    fill_text(m, unit);
    if (below(m, 2))
        memmove(m->data + second, m->data, l2);
    set_address(m, r1, AT_DATA + first);
    set_length(m, r1 + 1, l1);
    set_address(m, r2, AT_DATA + second);
    set_length(m, r2 + 1, l2);
    rre(m, r1, r2, unit == 4 ? 0 : below(m, 2));
    return true;
}

static bool make_csst(struct making *m, unsigned row)
{
    unsigned function = below(m, 32) ? below(m, 3) : below(m, 8), size = below(m, 32) ? below(m, 5) : below(m, 8);
    unsigned first = offset_for(m, 16), second = offset_for(m, 16), list = 16 * below(m, 60);
    (void)row;
    if (below(m, 16)) {
        first &= ~15u;
        second &= ~15u;
    }
    if (first < second + 16 && second < first + 16)
        return false;
    if (peer_is(m, "qemu") && size == 0)
        return false;
    unsigned r3 = take(m, true);
    fill_any(m);
    m->gr[0] = (random64(m) & ~UINT64_C(0xffff)) | size << 8 | function;
    m->gr[1] = (AT_DATA + list) | dirt(m);
    m->gr[r3] = random64(m);
    if (below(m, 2)) { /* equal */
        m->gr[r3] =
            function == 0 ? (random64(m) & ~UINT64_C(0xffffffff)) | get32(m->data + first) : get64(m->data + first);
        m->gr[r3 + 1] = get64(m->data + first + 8 <= m->data + DATA_SIZE - 8 ? m->data + first + 8 : m->data);
    }
    m->bytes[1] = (uint8_t)(r3 << 4 | (m->bytes[1] & 15));
    place_data(m, 2, first);
    place_data(m, 4, second);
    return true;
}

static bool make_plo(struct making *m, unsigned row)
{
    unsigned function = below(m, 24), r1 = take(m, true), r3 = take(m, true);
    unsigned size = function % 4 == 0 ? 4 : function % 4 == 3 ? 16 : 8;
    unsigned second = 16 * below(m, 16), fourth = 512 - 16 * below(m, 9);
    (void)row;
    fill_random(m);
    m->gr[0] = (random64(m) & ~UINT64_C(0xffffffff)) | function | (below(m, 24) ? 0 : 0x100 + below(m, 64));
    m->gr[1] = random64(m);
    if (below(m, 16) == 0)
        second += 4;
    if (below(m, 32) == 0)
        fourth += 4;
    /* Make the comparisons come out equal more often than not. */
    bool equal = below(m, 4), equal3 = below(m, 3);
    const uint8_t *op2 = m->data + second;
    if (equal && size == 4)
        m->gr[r1] = (random64(m) & ~UINT64_C(0xffffffff)) | get32(op2);
    else if (equal)
        m->gr[r1] = get64(op2);
    if (equal)
        memcpy(m->data + fourth + 16 - size, op2, size);
    for (unsigned n = 0; n < 3 && (function % 4 == 1 || function % 4 == 3 || function >= 16); n++) {
        unsigned target = 800 + 48 * n + 16 * below(m, 3);
        put64(m->data + fourth + 72 + 32 * n, AT_DATA + target);
        if (n == 0 && equal3)
            memcpy(m->data + target, m->data + fourth + 48 - size, size);
    }
    if (equal3 && function == 8)
        m->gr[r3] = (random64(m) & ~UINT64_C(0xffffffff)) | get32(m->data + fourth);
    if (equal3 && function == 10)
        m->gr[r3] = get64(m->data + fourth);
    m->bytes[1] = (uint8_t)(r1 << 4 | r3);
    place_data(m, 2, second);
    place_data(m, 4, fourth);
    return true;
}

static bool make_decimal(struct making *m, unsigned row) /* TP, CVB ... */
{
    bool tp = row == DIS_TP;
    unsigned offset = offset_for(m, 16);
    fill_digits(m);
    memset(m->data + offset, 0, below(m, 14));
    if (below(m, 4)) {
        m->data[offset + 7] = (uint8_t)((m->data[offset + 7] & 0xf0) | (10 + below(m, 6)));
        m->data[offset + 15] = (uint8_t)((m->data[offset + 15] & 0xf0) | (10 + below(m, 6)));
    }
    m->bytes[1] = tp ? (uint8_t)(below(m, 16) << 4) : (uint8_t)(take(m, false) << 4);
    place_data(m, 2, offset);
    return true;
}

/* A packed decimal number of `bytes` bytes: mostly valid, small as often as large. */
static void put_packed(struct making *m, unsigned offset, unsigned bytes)
{
    for (unsigned k = 0; k < bytes; k++)
        m->data[offset + k] = (uint8_t)(below(m, 10) << 4 | below(m, 10));
    if (below(m, 2))
        memset(m->data + offset, 0, below(m, bytes));
    m->data[offset + bytes - 1] = (uint8_t)((m->data[offset + bytes - 1] & 0xf0) | (10 + below(m, 6)));
    if (below(m, 24) == 0)
        m->data[offset + below(m, bytes)] = (uint8_t)random64(m);
}

static bool make_packed(struct making *m, unsigned row) /* AP, SP, ZAP, CP, MP, DP, SRP */
{
    unsigned l1 = 1 + below(m, 16), l2 = 1 + below(m, row == DIS_MP || row == DIS_DP ? 8 : 16);
    unsigned first = offset_for(m, l1), second = offset_for(m, l2);
    fill_random(m);
    put_packed(m, first, l1);
    if (row == DIS_SRP) {
        m->bytes[1] = (uint8_t)((l1 - 1) << 4 | below(m, below(m, 8) ? 10 : 16));
        place_data(m, 2, first);
        place(m, 4, random64(m));
        return true;
    }
    if (first < second + l2 && second < first + l1 && (first + l1 != second + l2 || row == DIS_MP || row == DIS_DP))
        return false; /* overlap: only where the rightmost bytes coincide */
    put_packed(m, second, l2);
    if (row == DIS_MP && below(m, 2)) /* room for the product */
        memset(m->data + first, 0, l2 < l1 ? l2 : l1 - 1);
    m->bytes[1] = (uint8_t)((l1 - 1) << 4 | (l2 - 1));
    place_data(m, 2, first);
    place_data(m, 4, second);
    return true;
}

static bool make_edit(struct making *m, unsigned row) /* ED, EDMK */
{
    static const uint8_t pattern[] = {0x20, 0x20, 0x20, 0x20, 0x21, 0x22, 0x40, 0x4b, 0x6b, 0x60};
    unsigned length = 1 + below(m, 40), first = offset_for(m, length), second = offset_for(m, length);
    if (first < second + length && second < first + length)
        return false;
    (void)row;
    fill_digits(m);
    for (unsigned k = 0; k < length; k++)
        m->data[first + k] = pattern[below(m, sizeof pattern)];
    for (unsigned k = 0; k < length; k++)
        m->data[second + k] =
            (uint8_t)(below(m, 3) ? below(m, 10) << 4 | (below(m, 6) ? below(m, 10) : 10 + below(m, 6)) : 0);
    m->bytes[1] = (uint8_t)(length - 1);
    m->gr[1] = random64(m);
    place_data(m, 2, first);
    place_data(m, 4, second);
    return true;
}

static bool make_codeword(struct making *m, unsigned row) /* CFC */
{
    unsigned limit = 2 * below(m, 60), first = offset_for(m, 140) & ~1u, third = offset_for(m, 140) & ~1u;
    (void)row;
    fill_any(m);
    if (below(m, 2))
        make_equal(m, first, third, 140 - below(m, 140));
    set_address(m, 1, AT_DATA + first);
    set_address(m, 3, AT_DATA + third);
    m->gr[2] = (random64(m) & ~UINT64_C(0xffff)) | (below(m, 16) ? 2 * below(m, 30) : below(m, 60));
    put16(m->bytes + 2, (uint16_t)(limit | below(m, 2)));
    return true;
}

static bool make_tree(struct making *m, unsigned row) /* UPT */
{
    unsigned size = m->mask >> 32 ? 16 : 8;
    (void)row;
    fill_random(m);
    for (unsigned k = 0; k < DATA_SIZE; k += size / 2)
        if (below(m, 8))
            m->data[k] &= 0x7f;
    m->gr[0] = below(m, 8) ? random64(m) & ~(BIT64(0) | BIT64(32)) : random64(m);
    if (below(m, 4) == 0) /* the value of a node */
        m->gr[0] = size == 16 ? get64(m->data + 16 * below(m, 64)) : get32(m->data + 8 * below(m, 128));
    set_address(m, 4, AT_DATA);
    set_length(m, 5, size * below(m, 120) + (below(m, 16) ? 0 : 4));
    return true;
}

/* Dictionaries 0-3 are of format 0, 4-7 of format 1. In the room of one: compression dictionary with the second halves
   of descriptors, expansion dictionary, symbol-translation table. */
static unsigned dictionary_size(unsigned n) { return 1 + n % 3; }

static void make_dictionaries(uint8_t *image, struct making *m)
{
    for (unsigned n = 0; n < DICTIONARIES; n++) {
        const unsigned size = dictionary_size(n), bytes = 0x800u << size;
        uint8_t *at = image + AT_DICTIONARY + n * DICTIONARY_ROOM;
        (void)dictionary_make(at, at + 2 * bytes, size, n >= 4, &m->random, m->symbols[n], &m->symbol_count[n]);
        for (unsigned k = 0; k < 256u << size; k++)
            put16(at + 3 * bytes + 2 * k, (uint16_t)below(m, 256u << size));
    }
}

/* Symbols one behind the other into the data, from a bit on. */
static void fill_symbols(struct making *m, unsigned n, unsigned bit, unsigned end)
{
    const unsigned size = dictionary_size(n) + 8;
    for (; bit + size <= 8 * end; bit += size) {
        const unsigned symbol = m->symbols[n][below(m, m->symbol_count[n])];
        for (unsigned k = 0; k < size; k++) {
            uint8_t *byte = &m->data[(bit + k) / 8], mask = (uint8_t)(0x80 >> (bit + k) % 8);
            *byte = (uint8_t)(symbol >> (size - 1 - k) & 1 ? *byte | mask : *byte & ~mask);
        }
    }
}

static bool make_compression(struct making *m, unsigned row) /* CMPSC */
{
    const unsigned n = below(m, DICTIONARIES), size = dictionary_size(n), bit = below(m, 8);
    const bool expand = below(m, 2), translate = !expand && below(m, 4) == 0;
    unsigned l1 = some_length(m, 400), l2 = some_length(m, 400);
    const unsigned first = below(m, 500 - l1), second = 1000 - l2 - below(m, 500 - l2);
    (void)row;
    fill_random(m);
    for (unsigned k = 0; k < l2; k++)
        m->data[second + k] =
            below(m, 40) ? (uint8_t)(DICTIONARY_LETTER + below(m, DICTIONARY_LETTERS)) : (uint8_t)random64(m);
    if (expand)
        fill_symbols(m, n, 8 * second + bit, second + l2);
    else
        memset(m->data + first, 0, l1); /* Hercules takes for granted what lies behind the bit number */
    m->gr[0] = (random64(m) & ~UINT64_C(0xfff00)) | size << 12 | (n >= 4 ? 0x200 : 0) | (expand ? 0x100 : 0) |
               (translate ? 0x10000 : 0);
    uint64_t at = AT_DICTIONARY + n * DICTIONARY_ROOM + (expand ? 0x1000u << size : 0);
    m->gr[1] = at | (translate ? (0x1800u << size) >> 4 : 0) | bit | dirt(m);
    m->taken |= 3;
    unsigned r1 = take(m, true), r2 = take(m, true);
    set_address(m, r1, AT_DATA + first);
    set_address(m, r2, AT_DATA + second);
    set_length(m, r1 + 1, l1);
    set_length(m, r2 + 1, l2);
    rre(m, r1, r2, 0);
    return true;
}

static const struct {
    uint16_t row;
    bool (*make)(struct making *m, unsigned row);
    bool qemu, hercules; /* has it, and not with faults all over */
} makers[] = {
    {DIS_MVC, make_ss, true, true},          {DIS_MVN, make_ss, true, true},
    {DIS_MVZ, make_ss, true, true},          {DIS_NC, make_ss, true, true},
    {DIS_OC, make_ss, true, true},           {DIS_XC, make_ss, true, true},
    {DIS_CLC, make_ss, true, true},          {DIS_MVCIN, make_ss, true, true},
    {DIS_MVO, make_digits, true, true},      {DIS_PACK, make_digits, true, true},
    {DIS_UNPK, make_digits, false, true},    {DIS_PKA, make_pack, false, true},
    {DIS_PKU, make_pack, false, true},       {DIS_UNPKA, make_pack, true, true},
    {DIS_UNPKU, make_pack, true, true},      {DIS_TR, make_translate, true, true},
    {DIS_TRT, make_translate, true, true},   {DIS_TRTR, make_translate, true, true},
    {DIS_MVCL, make_long, true, true},       {DIS_CLCL, make_long, true, true},
    {DIS_MVCLE, make_long, true, true},      {DIS_CLCLE, make_long, true, true},
    {DIS_MVCLU, make_long, true, true},      {DIS_CLCLU, make_long, true, true},
    {DIS_CLST, make_string, true, true},     {DIS_MVST, make_string, true, true},
    {DIS_SRST, make_string, true, true},     {DIS_SRSTU, make_string, true, true},
    {DIS_CUSE, make_substring, false, true}, {DIS_CKSM, make_checksum, true, true},
    {DIS_TRE, make_extended, true, true},    {DIS_TROO, make_extended, true, true},
    {DIS_TROT, make_extended, true, true},   {DIS_TRTO, make_extended, true, true},
    {DIS_TRTT, make_extended, true, true},   {DIS_TRTE, make_extended, false, true},
    {DIS_TRTRE, make_extended, false, true}, {DIS_CU12, make_unicode, true, true},
    {DIS_CU14, make_unicode, true, true},    {DIS_CU21, make_unicode, true, true},
    {DIS_CU24, make_unicode, true, false},   {DIS_CU41, make_unicode, true, false},
    {DIS_CU42, make_unicode, true, true},    {DIS_CSST, make_csst, true, true},
    {DIS_PLO, make_plo, false, true},        {DIS_TP, make_decimal, true, true},
    {DIS_CVB, make_decimal, false, true},    {DIS_CVBG, make_decimal, false, true},
    {DIS_AP, make_packed, false, true},      {DIS_SP, make_packed, false, true},
    {DIS_ZAP, make_packed, false, true},     {DIS_CP, make_packed, false, true},
    {DIS_MP, make_packed, false, true},      {DIS_DP, make_packed, false, true},
    {DIS_SRP, make_packed, false, true},     {DIS_ED, make_edit, false, true},
    {DIS_EDMK, make_edit, false, true},      {DIS_CFC, make_codeword, false, true},
    {DIS_UPT, make_tree, false, true},       {DIS_CMPSC, make_compression, false, true},
};
enum { MAKERS = sizeof makers / sizeof *makers };

static bool make_case(uint8_t *in, unsigned maker, struct making *m)
{
    const unsigned row = makers[maker].row;
    const struct dis_row *r = &dis_rows[row];
    uint8_t opcode[8];
    unsigned mode = below(m, 8);
    m->mask = mode == 0 ? 0xffffff : mode <= 2 ? 0x7fffffff : ~UINT64_C(0);
    m->taken = 0;
    for (unsigned k = 0; k < 16; k++)
        m->gr[k] = random64(m);
    put64(opcode, r->opcode << 16);
    memcpy(m->bytes, opcode, sizeof m->bytes);
    if (!makers[maker].make(m, row))
        return false;
    bool executed = below(m, 8) == 0;
    uint64_t psw = m->mask >> 32 ? BIT64(31) | BIT64(32) : m->mask == 0xffffff ? 0 : BIT64(32);
    psw |= (uint64_t)below(m, 4) << (63 - 19);
    for (unsigned k = 0; k < 16; k++)
        put64(in + IN_GR + 8 * k, m->gr[k]);
    put64(in + IN_PSW, psw);
    put64(in + IN_PSW + 8, AT_SLOT);
    if (r->flags & DIS_CC3_END)
        put64(in + IN_PSW + 8, AT_LOOP);
    for (unsigned k = 0; k < 6; k += 2)
        put16(in + IN_SLOT + k, 0x0700); /* NOPR */
    memcpy(in + (executed ? IN_TARGET : IN_SLOT), m->bytes, r->length);
    if (executed) { /* EXRL 0,AT_TARGET */
        put16(in + IN_SLOT, 0xc600);
        put32(in + IN_SLOT + 2, (AT_TARGET - AT_SLOT) / 2);
    }
    memcpy(in + IN_DATA, m->data, DATA_SIZE);
    return true;
}

static void make_tables(uint8_t *image, struct making *m)
{
    /* Sparse, dense and without zeros, by 64K bytes. */
    static const unsigned zeros[4] = {100, 8, 2, 0};
    for (unsigned k = 0; k < TABLE_SIZE; k++) {
        unsigned of = zeros[k >> 16 & 3];
        image[AT_TABLE + k] = of && below(m, of) ? 0 : (uint8_t)random64(m);
    }
}

static void mem_make(uint8_t *image, unsigned cases, uint64_t seed, const char *peer, const char *only)
{
    static struct making zero;
    struct making m = zero;
    unsigned chosen[MAKERS], count = 0;
    m.random = seed;
    m.peer = peer;
    for (unsigned k = 0; k < MAKERS; k++) {
        if ((peer_is(&m, "qemu") && !makers[k].qemu) || (peer_is(&m, "hercules") && !makers[k].hercules) ||
            (only && *only && strcmp(dis_rows[makers[k].row].mnemonic, only) != 0))
            continue;
        chosen[count++] = k;
    }
    /* What follows the instruction stays as it is; a case that is to be repeated has a place of its own. */
    put16(image + AT_SLOT + 6, 0x0a01);              /* SVC */
    put32(image + AT_LOOP + 6, 0xa7140000 | 0xfffd); /* BRC 1 */
    put16(image + AT_LOOP + 10, 0x0a01);
    make_tables(image, &m);
    make_dictionaries(image, &m);
    for (unsigned n = 0; n < cases && count;)
        n += make_case(image + AT_CASES + (size_t)n * CASE_SIZE, chosen[below(&m, count)], &m);
}

static const struct compare_part parts[] = {
    {COMPARE_PSW, IN_PSW, COMPARE_NONE, 16, 0},
    {COMPARE_CODE, IN_SLOT, COMPARE_NONE, 6, AT_SLOT},
    {COMPARE_CODE, IN_TARGET, COMPARE_NONE, 6, AT_TARGET},
    {COMPARE_CODE, IN_SLOT, COMPARE_NONE, 6, AT_LOOP},
    {COMPARE_CODE, IN_TARGET, COMPARE_NONE, 6, AT_LOOP + AT_TARGET - AT_SLOT},
    {COMPARE_MEMORY, IN_DATA, OUT_DATA, DATA_SIZE, AT_DATA},
    {COMPARE_OLD_PSW, COMPARE_NONE, OUT_OLD, 32, 0},
    {COMPARE_CODES, COMPARE_NONE, OUT_CODES, 20, 136},
    {COMPARE_GR, IN_GR, OUT_GR, 128, 0},
};

/* Addresses and lengths are in every register that an instruction names, and in 0 to 3. */
static uint32_t needed(const uint8_t *in)
{
    struct dis_insn i;
    compare_insn(&compare_mem, in, &i);
    return 0xf | 3u << i.r1 | 3u << i.r2 | 3u << i.r3 | 1u << i.b1 | 1u << i.b2 | 1u << i.b4;
}

const struct compare_class compare_mem = {
    .name = "mem",
    .case_size = CASE_SIZE,
    .code = IN_SLOT,
    .code_bytes = 6,
    .target = IN_TARGET,
    .out = OUT_GR,
    .end = OUT_DATA + DATA_SIZE,
    .parts = parts,
    .part_count = sizeof parts / sizeof *parts,
    .make = mem_make,
    .known = mem_known,
    .needed = needed,
};
