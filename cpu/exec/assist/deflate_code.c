/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Huffman codes of compressed data: read, made from lengths, made for given data. RFC 1951; parameter-block fields CDHT
   and CDHTL of DEFLATE CONVERSION CALL, PoP chapter 26 (SA22-7832-13). */
#include "cpu/exec/assist/deflate.h"

const struct deflate_range deflate_lengths[29] = {
    {3, 0},  {4, 0},  {5, 0},  {6, 0},   {7, 0},   {8, 0},   {9, 0},   {10, 0},  {11, 1},  {13, 1},
    {15, 1}, {17, 1}, {19, 2}, {23, 2},  {27, 2},  {31, 2},  {35, 3},  {43, 3},  {51, 3},  {59, 3},
    {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0},
};
const struct deflate_range deflate_distances[DEFLATE_DISTANCES] = {
    {1, 0},     {2, 0},     {3, 0},     {4, 0},      {5, 1},      {7, 1},      {9, 2},     {13, 2},
    {17, 3},    {25, 3},    {33, 4},    {49, 4},     {65, 5},     {97, 5},     {129, 6},   {193, 6},
    {257, 7},   {385, 7},   {513, 8},   {769, 8},    {1025, 9},   {1537, 9},   {2049, 10}, {3073, 10},
    {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13},
};

/* The last of `count` ranges that does not begin behind the value. */
static unsigned range_of(const struct deflate_range *ranges, unsigned count, unsigned value)
{
    unsigned n = count - 1;
    while (ranges[n].base > value)
        n--;
    return n;
}

unsigned deflate_length_symbol(unsigned length) { return 257 + range_of(deflate_lengths, 29, length); }
unsigned deflate_distance_symbol(unsigned distance) { return range_of(deflate_distances, DEFLATE_DISTANCES, distance); }
/* The codes of code lengths, in the order of a table. */
enum { CODE_LENGTHS = 19, CODE_LENGTH_DEEPEST = 7 };
static const uint8_t order[CODE_LENGTHS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
/* Symbols 16-18: repetitions from `base` on, with `extra` bits. */
static const struct deflate_range repeats[3] = {{3, 2}, {3, 3}, {11, 7}};

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* The next 16 bits; zeros behind the end. */
static unsigned peek(const struct deflate_reader *r)
{
    unsigned value = 0;
    for (unsigned n = 0, byte = r->at / 8; n < 3 && byte + n < (r->end + 7) / 8; n++)
        value |= (unsigned)r->bytes[byte + n] << 8 * n;
    return value >> r->at % 8 & 0xffff;
}

int deflate_take(struct deflate_reader *r, unsigned n)
{
    if (r->end - r->at < n)
        return DEFLATE_SHORT;
    const unsigned value = peek(r) & ((1u << n) - 1);
    r->at += n;
    return (int)value;
}

int deflate_symbol(struct deflate_reader *r, const struct deflate_code *code)
{
    const unsigned left = r->end - r->at;
    unsigned next = peek(r), found = code->quick[next % 1024], length = found & 15;
    int symbol = (int)(found >> 4);
    if (!found) { /* bit by bit: codes of a length are consecutive numbers */
        unsigned value = 0, first = 0, index = 0;
        for (length = 1; length <= DEFLATE_DEEPEST; length++, next >>= 1) {
            value = value << 1 | (next & 1);
            first <<= 1;
            if (value - first < code->count[length] && value >= first)
                break;
            index += code->count[length];
            first += code->count[length];
        }
        if (length > DEFLATE_DEEPEST)
            return left < DEFLATE_DEEPEST ? DEFLATE_SHORT : DEFLATE_INVALID;
        symbol = code->sorted[index + value - first];
    }
    if (length > left)
        return DEFLATE_SHORT;
    r->at += length;
    return symbol;
}

/* ---- codes from lengths ----------------------------------------------------------------------------------------- */

static unsigned reversed(unsigned bits, unsigned length)
{
    unsigned to = 0;
    for (; length; length--, bits >>= 1)
        to = to << 1 | (bits & 1);
    return to;
}

/* Make the rest of a code from the lengths of `symbols` codes. 0, DEFLATE_SHORT when bit patterns remain that are no
   code, DEFLATE_INVALID when there are too many codes. */
static int build_code(struct deflate_code *code, unsigned symbols)
{
    unsigned next[17] = {0}, place[17] = {0};
    int left = 1;
    code->symbols = (uint16_t)symbols;
    memset(code->count, 0, sizeof code->count);
    memset(code->quick, 0, sizeof code->quick);
    for (unsigned n = 0; n < symbols; n++)
        code->count[code->length[n]]++;
    code->count[0] = 0;
    for (unsigned n = 1; n <= DEFLATE_DEEPEST; n++) {
        left = 2 * left - code->count[n];
        if (left < 0)
            return DEFLATE_INVALID;
        next[n + 1] = (next[n] + code->count[n]) << 1;
        place[n + 1] = place[n] + code->count[n];
    }
    for (unsigned n = 0; n < symbols; n++) {
        const unsigned length = code->length[n];
        if (!length)
            continue;
        code->sorted[place[length]++] = (uint16_t)n;
        code->bits[n] = (uint16_t)reversed(next[length]++, length);
        for (unsigned q = code->bits[n]; length <= 10 && q < 1024; q += 1u << length)
            code->quick[q] = (uint16_t)(n << 4 | length);
    }
    return left ? DEFLATE_SHORT : 0;
}

void deflate_fixed(struct deflate_codes *codes)
{
    for (unsigned n = 0; n < DEFLATE_SYMBOLS; n++)
        codes->literal.length[n] = n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8;
    memset(codes->distance.length, 5, 32);
    (void)build_code(&codes->literal, DEFLATE_SYMBOLS);
    (void)build_code(&codes->distance, 32);
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

/* `total` code lengths. */
static int read_lengths(struct deflate_reader *r, const struct deflate_code *code, uint8_t *lengths, unsigned total)
{
    for (unsigned n = 0; n < total;) {
        const int symbol = deflate_symbol(r, code);
        if (symbol < 0)
            return symbol == DEFLATE_SHORT ? DEFLATE_SHORT : OESC_CODE_LENGTHS;
        if (symbol < 16) {
            lengths[n++] = (uint8_t)symbol;
            continue;
        }
        const struct deflate_range *repeat = &repeats[symbol - 16];
        const int more = deflate_take(r, repeat->extra);
        if (more < 0)
            return DEFLATE_SHORT;
        const unsigned times = repeat->base + (unsigned)more;
        if ((symbol == 16 && !n) || times > total - n)
            return OESC_REPEAT;
        memset(lengths + n, symbol == 16 ? lengths[n - 1] : 0, times);
        n += times;
    }
    return 0;
}

/* Incomplete is a code of one bit only, or (distances) none at all. */
static bool wrong(int status, const struct deflate_code *code)
{
    unsigned longer = 0;
    for (unsigned n = 2; n <= DEFLATE_DEEPEST; n++)
        longer += code->count[n];
    return status == DEFLATE_INVALID || (status == DEFLATE_SHORT && longer);
}

int deflate_read_table(struct deflate_reader *r, struct deflate_codes *codes)
{
    uint8_t lengths[DEFLATE_SYMBOLS + 32] = {0};
    struct deflate_code code;
    const int counts = deflate_take(r, 14);
    if (counts < 0)
        return DEFLATE_SHORT;
    const unsigned literals = 257 + (counts & 31u), distances = 1 + (counts >> 5 & 31u),
                   some = 4 + ((unsigned)counts >> 10);
    if (literals > DEFLATE_LENGTHS)
        return OESC_HLIT;
    if (distances > DEFLATE_DISTANCES)
        return OESC_HDIST;
    memset(code.length, 0, sizeof code.length);
    for (unsigned n = 0; n < some; n++) {
        const int length = deflate_take(r, 3);
        if (length < 0)
            return DEFLATE_SHORT;
        code.length[order[n]] = (uint8_t)length;
    }
    if (build_code(&code, CODE_LENGTHS))
        return OESC_CODE_LENGTHS;
    const int status = read_lengths(r, &code, lengths, literals + distances);
    if (status)
        return status;
    if (!lengths[DEFLATE_END])
        return OESC_NO_END;
    memset(codes, 0, sizeof *codes);
    memcpy(codes->literal.length, lengths, literals);
    memcpy(codes->distance.length, lengths + literals, distances);
    if (wrong(build_code(&codes->literal, literals), &codes->literal))
        return OESC_LITERAL_CODES;
    return wrong(build_code(&codes->distance, distances), &codes->distance) ? OESC_DISTANCE_CODES : 0;
}

/* ---- lengths for frequencies ------------------------------------------------------------------------------------ */

/* Symbols that occur, from the least frequent on. Yields how many. */
static unsigned by_frequency(const uint32_t *frequency, unsigned symbols, uint16_t *list)
{
    unsigned count = 0;
    for (unsigned n = 0; n < symbols; n++) {
        if (!frequency[n])
            continue;
        unsigned at = count++;
        for (; at && frequency[list[at - 1]] > frequency[n]; at--)
            list[at] = list[at - 1];
        list[at] = (uint16_t)n;
    }
    return count;
}

/* Depths of the leaves of a Huffman tree whose weights do not decrease; two queues, leaves and inner nodes. */
static void tree_depths(const uint32_t *frequency, const uint16_t *list, unsigned count,
                        unsigned depth[DEFLATE_SYMBOLS])
{
    uint32_t weight[2 * DEFLATE_SYMBOLS];
    uint16_t parent[2 * DEFLATE_SYMBOLS] = {0};
    unsigned leaf = 0, inner = count, total = count;
    for (unsigned n = 0; n < count; n++)
        weight[n] = frequency[list[n]];
    while (total < 2 * count - 1) {
        weight[total] = 0;
        for (unsigned child = 0; child < 2; child++) {
            const unsigned n = leaf < count && (inner == total || weight[leaf] <= weight[inner]) ? leaf++ : inner++;
            weight[total] += weight[n];
            parent[n] = (uint16_t)total;
        }
        total++;
    }
    unsigned down[2 * DEFLATE_SYMBOLS] = {0};
    for (unsigned n = total - 1; n-- > 0;) {
        down[n] = down[parent[n]] + 1;
        if (n < count)
            depth[n] = down[n];
    }
}

/* Lengths, at most `deepest`, of a complete code for the symbols that occur, two at least. What the limit spoils in the
   tree is mended: seldom symbols get longer until there is a code, then frequent ones shorter until it is complete. */
static void choose_lengths(const uint32_t *frequency, unsigned symbols, unsigned deepest, uint8_t *lengths)
{
    uint16_t list[DEFLATE_SYMBOLS];
    unsigned depth[DEFLATE_SYMBOLS] = {0};
    const unsigned count = by_frequency(frequency, symbols, list);
    int room = 1 << deepest;
    memset(lengths, 0, symbols);
    tree_depths(frequency, list, count, depth);
    for (unsigned n = 0; n < count; n++) {
        if (depth[n] > deepest)
            depth[n] = deepest;
        room -= 1 << (deepest - depth[n]);
    }
    for (unsigned n = 0; room < 0; n = (n + 1) % count)
        if (depth[n] < deepest)
            room += 1 << (deepest - ++depth[n]);
    for (unsigned n = count; room > 0; n = n ? n : count) {
        n--;
        if (1 << (deepest - depth[n]) <= room)
            room -= 1 << (deepest - depth[n]--);
    }
    for (unsigned n = 0; n < count; n++)
        lengths[list[n]] = (uint8_t)depth[n];
}

/* ---- a table for data ------------------------------------------------------------------------------------------- */

struct table_writer {
    uint8_t *to;
    unsigned at; /* in bits */
};

static void put(struct table_writer *w, unsigned value, unsigned n)
{
    for (; n; n--, value >>= 1, w->at++)
        w->to[w->at / 8] |= (uint8_t)((value & 1) << w->at % 8);
}

/* The code lengths as symbols with repetitions, one after the other: a count of them (writer NULL) or the table. */
static void put_lengths(const uint8_t *lengths, unsigned total, uint32_t *frequency, const struct deflate_code *code,
                        struct table_writer *w)
{
    for (unsigned n = 0, run; n < total; n += run) {
        const uint8_t length = lengths[n];
        unsigned symbol = length;
        const unsigned most = length ? 6 : 138;
        for (run = 1; n + run < total && lengths[n + run] == length && run < most; run++)
            ;
        if (length && n && lengths[n - 1] == length && run >= 3)
            symbol = 16;
        else if (!length && run >= 3)
            symbol = run >= 11 ? 18 : 17;
        else
            run = 1;
        frequency[symbol]++;
        if (!w)
            continue;
        put(w, code->bits[symbol], code->length[symbol]);
        if (symbol >= 16)
            put(w, run - repeats[symbol - 16].base, repeats[symbol - 16].extra);
    }
}

/* Two symbols at least. */
static void at_least_two(uint32_t *frequency, unsigned symbols)
{
    unsigned count = 0;
    for (unsigned n = 0; n < symbols; n++)
        count += frequency[n] != 0;
    for (unsigned n = 0; count < 2; n++)
        if (!frequency[n]) {
            frequency[n] = 1;
            count++;
        }
}

static unsigned write_table(const uint32_t *literals, const uint32_t *distances, uint8_t *table)
{
    uint8_t lengths[DEFLATE_LENGTHS + DEFLATE_DISTANCES];
    uint32_t frequency[CODE_LENGTHS] = {0}, again[CODE_LENGTHS] = {0};
    struct deflate_code code;
    struct table_writer w = {table, 0};
    unsigned used = DEFLATE_LENGTHS, far = DEFLATE_DISTANCES, some = CODE_LENGTHS;
    memset(table, 0, DEFLATE_TABLE);
    choose_lengths(literals, DEFLATE_LENGTHS, DEFLATE_DEEPEST, lengths);
    while (!lengths[used - 1])
        used--;
    choose_lengths(distances, DEFLATE_DISTANCES, DEFLATE_DEEPEST, lengths + used);
    while (!lengths[used + far - 1])
        far--;
    put_lengths(lengths, used + far, frequency, NULL, NULL);
    at_least_two(frequency, CODE_LENGTHS);
    memset(code.length, 0, sizeof code.length);
    choose_lengths(frequency, CODE_LENGTHS, CODE_LENGTH_DEEPEST, code.length);
    (void)build_code(&code, CODE_LENGTHS);
    while (!code.length[order[some - 1]])
        some--;
    put(&w, used - 257, 5);
    put(&w, far - 1, 5);
    put(&w, some - 4, 4);
    for (unsigned n = 0; n < some; n++)
        put(&w, code.length[order[n]], 3);
    put_lengths(lengths, used + far, again, &code, &w);
    return w.at;
}

unsigned deflate_make_table(struct deflate_matcher *m, bool all, uint8_t table[DEFLATE_TABLE])
{
    uint32_t literals[DEFLATE_LENGTHS], distances[DEFLATE_DISTANCES];
    for (unsigned n = 0; n < DEFLATE_LENGTHS; n++)
        literals[n] = all || n == DEFLATE_END;
    for (unsigned n = 0; n < DEFLATE_DISTANCES; n++)
        distances[n] = all;
    for (unsigned n = m->at; n < m->end; n++) /* with other history there may be other strings, but no other literals */
        literals[m->window[n]] = 1;
    while (m->at < m->end) {
        unsigned distance = 0, length = deflate_match(m, &distance);
        if (length) {
            literals[deflate_length_symbol(length)]++;
            distances[deflate_distance_symbol(distance)]++;
        } else {
            literals[m->window[m->at]]++;
            length = 1;
        }
        m->at += length;
    }
    at_least_two(literals, DEFLATE_LENGTHS);
    at_least_two(distances, DEFLATE_DISTANCES);
    return write_table(literals, distances, table);
}
