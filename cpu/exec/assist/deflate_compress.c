/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DEFLATE CONVERSION CALL: compression. PoP chapter 26 (SA22-7832-13), DFLTCC-CMPR. What is compressed but has no room
   in the first operand waits in the continuation state. */
#include "cpu/exec/assist/deflate.h"
#include "cpu/storage/access.h"

/* Continuation state, from BLOCK_CSB on. */
enum { STATE_KIND = 0, STATE_FLAGS = 1, STATE_HELD = 2, STATE_BITS = 3, STATE_COUNT = 4, STATE_BYTES = 16 };
enum { KIND_COMPRESS = 0xc1, HEADER_DONE = 1, CLOSED = 2 };

enum { OUT_MOST = 40960 };

struct compression {
    struct deflate_call *call;
    struct deflate_codes codes;
    struct deflate_matcher matcher;
    uint64_t hold; /* bits not yet in a byte */
    unsigned held;
    uint8_t out[OUT_MOST + 1];
    unsigned count, limit;
    uint8_t pending[DEFLATE_PENDING];
    unsigned waiting;
    unsigned flags;
};

/* ---- bits to bytes ---------------------------------------------------------------------------------------------- */

static bool room(struct compression *k) { return k->count < k->limit && deflate_reach(&k->call->to, k->count); }

static void put_byte(struct compression *k, uint8_t byte)
{
    if (!k->waiting && room(k))
        k->out[k->count++] = byte;
    else if (k->waiting < DEFLATE_PENDING)
        k->pending[k->waiting++] = byte;
}

static void put_bits(struct compression *k, unsigned value, unsigned n)
{
    k->hold |= (uint64_t)value << k->held;
    for (k->held += n; k->held >= 8; k->held -= 8, k->hold >>= 8)
        put_byte(k, (uint8_t)k->hold);
}

static void put_header(struct compression *k)
{
    const uint8_t *block = k->call->block;
    const bool dynamic = block[BLOCK_FLAGS] & FLAG_HTT;
    put_bits(k, block[BLOCK_FLAGS] & FLAG_BHF, 1);
    put_bits(k, dynamic ? 2 : 1, 2);
    const unsigned bits = dynamic ? get16(block + BLOCK_CDHTL) & 0xfff : 0;
    for (unsigned n = 0; n < bits; n += 8) {
        const unsigned some = bits - n < 8 ? bits - n : 8;
        put_bits(k, block[BLOCK_CDHT + n / 8] & ((1u << some) - 1), some);
    }
    k->flags |= HEADER_DONE;
}

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

static void put_symbol(struct compression *k, const struct deflate_code *code, unsigned symbol)
{
    put_bits(k, code->bits[symbol], code->length[symbol]);
}

/* A string that occurred before, if there is one that has codes: its length. */
static unsigned put_string(struct compression *k)
{
    unsigned distance = 0, length = deflate_match(&k->matcher, &distance);
    if (!length)
        return 0;
    const unsigned a = deflate_length_symbol(length), b = deflate_distance_symbol(distance);
    if (!k->codes.literal.length[a] || !k->codes.distance.length[b])
        return 0;
    put_symbol(k, &k->codes.literal, a);
    put_bits(k, length - deflate_lengths[a - 257].base, deflate_lengths[a - 257].extra);
    put_symbol(k, &k->codes.distance, b);
    put_bits(k, distance - deflate_distances[b].base, deflate_distances[b].extra);
    return length;
}

/* Data until there is no more of it, or no room. */
static int put_data(struct compression *k)
{
    struct deflate_matcher *m = &k->matcher;
    while (m->at < m->end && !k->waiting && room(k)) {
        unsigned length = put_string(k);
        if (!length) {
            const uint8_t literal = m->window[m->at];
            if (!k->codes.literal.length[literal]) {
                k->call->oesc = OESC_NO_CODE;
                return PIC_DATA;
            }
            put_symbol(k, &k->codes.literal, literal);
            length = 1;
        }
        m->at += length;
    }
    return 0;
}

/* ---- the parameter block ---------------------------------------------------------------------------------------- */

static int load_codes(struct compression *k)
{
    struct deflate_call *c = k->call;
    if (!(c->block[BLOCK_FLAGS] & FLAG_HTT)) {
        deflate_fixed(&k->codes);
        return 0;
    }
    struct deflate_reader r = {c->block + BLOCK_CDHT, get16(c->block + BLOCK_CDHTL) & 0xfff, 0};
    if (r.end > DEFLATE_TABLE * 8) {
        c->oesc = OESC_TABLE_LENGTH;
        return PIC_DATA;
    }
    const int status = deflate_read_table(&r, &k->codes);
    if (status || r.at != r.end) {
        c->oesc = status > 0 ? (unsigned)status : OESC_TABLE_LENGTH;
        return PIC_DATA;
    }
    return 0;
}

/* The bits that the first operand begins with, and those that waited for room. */
static int load_state(struct compression *k)
{
    struct deflate_call *c = k->call;
    const uint8_t *state = c->block + BLOCK_CSB;
    const unsigned sbb = c->block[BLOCK_SBB] & SBB;
    if (sbb) {
        uint8_t byte;
        int code = cpu_fetch_bytes(c->cpu, c->to.address, c->to.r, &byte, 1);
        if (code)
            return code;
        put_bits(k, byte & ((1u << sbb) - 1), sbb);
    }
    if (!c->resumed)
        return 0;
    const unsigned count = get16(state + STATE_COUNT), held = state[STATE_HELD];
    if (state[STATE_KIND] != KIND_COMPRESS || count > DEFLATE_PENDING - 32 || held > 7) {
        c->oesc = OESC_MODEL;
        return PIC_DATA;
    }
    k->flags = state[STATE_FLAGS];
    for (unsigned n = 0; n < count; n++)
        put_bits(k, state[STATE_BYTES + n], 8);
    put_bits(k, state[STATE_BITS] & ((1u << held) - 1), held);
    return 0;
}

static void save_state(struct compression *k, bool more)
{
    uint8_t *block = k->call->block, *state = block + BLOCK_CSB;
    const struct deflate_code *code = &k->codes.literal;
    const unsigned length = code->length[DEFLATE_END];
    unsigned end = 0;
    for (unsigned n = 0; n < length; n++)
        end |= (code->bits[DEFLATE_END] >> n & 1u) << (15 - n);
    put16(block + BLOCK_EOBS, (uint16_t)((block[BLOCK_EOBS + 1] & 1) | end));
    block[BLOCK_EOBL] = (uint8_t)(length << 4 | (block[BLOCK_EOBL] & 15));
    block[BLOCK_CF] = (uint8_t)((block[BLOCK_CF] & ~CF) | (more ? CF : 0));
    memset(state, 0, DEFLATE_STATE);
    if (!more)
        return;
    state[STATE_KIND] = KIND_COMPRESS;
    state[STATE_FLAGS] = (uint8_t)k->flags;
    state[STATE_HELD] = (uint8_t)k->held;
    state[STATE_BITS] = (uint8_t)k->hold;
    put16(state + STATE_COUNT, (uint16_t)k->waiting);
    memcpy(state + STATE_BYTES, k->pending, k->waiting);
}

/* ---- one execution ---------------------------------------------------------------------------------------------- */

/* Uncompressed data of this execution, behind the history. */
static int load_data(struct compression *k)
{
    struct deflate_call *c = k->call;
    unsigned length = (unsigned)cpu_least(c->from.length, DEFLATE_AMOUNT);
    int code = deflate_fetch_history(c, &c->from, k->matcher.window);
    if (code)
        return code;
    if (length && !deflate_reach(&c->from, length - 1))
        length = c->from.reached;
    for (unsigned n = 0, part; n < length; n += part) {
        part = length - n < PAGE_SIZE_Z ? length - n : PAGE_SIZE_Z;
        code = cpu_fetch_bytes(c->cpu, cpu_wrap(c->cpu, c->from.address + n), c->from.r, k->matcher.window + c->hl + n,
                               part);
        if (code)
            return code;
    }
    deflate_match_begin(&k->matcher, c->hl, length);
    return 0;
}

static int produce(struct compression *k)
{
    struct deflate_call *c = k->call;
    int code = load_state(k);
    if (code)
        return code;
    if (!(c->block[BLOCK_FLAGS] & FLAG_BCF) && !(k->flags & HEADER_DONE))
        put_header(k);
    if (!(k->flags & CLOSED))
        code = put_data(k);
    const bool end = k->matcher.at - c->hl == c->from.length;
    if (!code && end && (c->block[BLOCK_FLAGS] & FLAG_BCC) && !(k->flags & CLOSED) && !k->waiting) {
        put_symbol(k, &k->codes.literal, DEFLATE_END);
        k->flags |= CLOSED;
    }
    return code;
}

int deflate_compress(struct deflate_call *c)
{
    struct compression k;
    k.call = c;
    k.hold = 0;
    k.held = k.count = k.waiting = k.flags = 0;
    k.limit = (unsigned)cpu_least(c->to.length, OUT_MOST);
    int code = load_codes(&k);
    if (!code)
        code = load_data(&k);
    if (!code)
        code = produce(&k);
    if (code)
        return code;
    /* Bits of a last byte are stored as well, if there is one. */
    struct deflate_result result = {.stored = k.count, .consumed = k.matcher.at - c->hl};
    bool unstored = k.waiting;
    if (k.held && !k.waiting) {
        if (k.count < c->to.length && deflate_reach(&c->to, k.count)) {
            result.sbb = k.held;
            k.out[k.count] = (uint8_t)k.hold;
        } else {
            unstored = true;
        }
    }
    const bool closing = (c->block[BLOCK_FLAGS] & FLAG_BCC) && !(k.flags & CLOSED);
    if (!unstored && !closing && (result.consumed == c->from.length || (k.flags & CLOSED)))
        result.cc = 0;
    else if (k.count == c->to.length)
        result.cc = 1;
    else
        result.cc = 3;
    if (!k.count && result.cc == 3 && (c->to.fault || (!result.consumed && c->from.fault)))
        return c->to.fault ? c->to.fault : c->from.fault;
    if (result.sbb) {
        k.held = 0;
        k.hold = 0;
    }
    code = deflate_store(c, k.out, k.count + (result.sbb != 0));
    if (code)
        return code;
    save_state(&k, result.cc != 0);
    result.plain = k.matcher.window + c->hl;
    result.plain_length = result.consumed;
    return deflate_commit(c, &result);
}
