/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DEFLATE CONVERSION CALL: expansion. PoP chapter 26 (SA22-7832-13), DFLTCC-XPND. A block's header and a symbol with
   its distance are units: the bytes of one that the second operand does not have to its end wait in the continuation
   state. */
#include "cpu/exec/assist/deflate.h"
#include "cpu/storage/access.h"

/* Continuation state, from BLOCK_CSB on. */
enum {
    STATE_KIND = 0,
    STATE_PLACE = 1,
    STATE_FINAL = 2,
    STATE_BIT = 3, /* of the first waiting byte */
    STATE_COUNT = 4,
    STATE_STORED = 6,
    STATE_LENGTH = 8,
    STATE_DISTANCE = 10,
    STATE_BYTES = 16,
};
enum { KIND_EXPAND = 0xe1 };

enum { IN_MOST = 16384 };

/* Where in the compressed data. */
enum place { AT_HEADER, IN_CODES, IN_STORED };

/* Why no more is done. */
enum stop { GO_ON, FINISHED, NO_ROOM, NO_DATA, NOT_VALID };

struct expansion {
    struct deflate_call *call;
    struct deflate_reader in;
    struct deflate_codes codes;
    enum place place;
    bool final;
    unsigned stored;           /* bytes left of a block without codes */
    unsigned length, distance; /* left of a string */
    unsigned count, limit;     /* bytes yielded */
    unsigned waiting;          /* bytes of `bytes` that are from earlier executions */
    uint8_t bytes[DEFLATE_PENDING + IN_MOST];
    uint8_t window[DEFLATE_WINDOW + DEFLATE_AMOUNT];
};

static enum stop not_valid(struct expansion *x, unsigned oesc)
{
    x->call->oesc = oesc;
    return NOT_VALID;
}

static bool room(struct expansion *x) { return x->count < x->limit && deflate_reach(&x->call->to, x->count); }
static uint8_t *next_byte(struct expansion *x) { return x->window + x->call->hl + x->count; }

/* ---- blocks ----------------------------------------------------------------------------------------------------- */

static enum stop stored_header(struct expansion *x)
{
    x->in.at = (x->in.at + 7) & ~7u;
    if (x->in.at > x->in.end)
        return NO_DATA;
    const int length = deflate_take(&x->in, 16), complement = deflate_take(&x->in, 16);
    if (length < 0 || complement < 0)
        return NO_DATA;
    if ((length ^ complement) != 0xffff)
        return not_valid(x, OESC_STORED_LENGTH);
    x->stored = (unsigned)length;
    x->place = IN_STORED;
    return GO_ON;
}

/* The table goes into the parameter block too. */
static enum stop dynamic_header(struct expansion *x)
{
    uint8_t *block = x->call->block, *table = block + BLOCK_CDHT;
    struct deflate_reader r = x->in;
    const int status = deflate_read_table(&x->in, &x->codes);
    if (status)
        return status == DEFLATE_SHORT ? NO_DATA : not_valid(x, (unsigned)status);
    const unsigned bits = x->in.at - r.at;
    memset(table, 0, DEFLATE_TABLE);
    for (unsigned n = 0; n < bits && n / 8 < DEFLATE_TABLE; n += 8)
        table[n / 8] = (uint8_t)deflate_take(&r, bits - n < 8 ? bits - n : 8);
    put16(block + BLOCK_CDHTL, (uint16_t)((get16(block + BLOCK_CDHTL) & 0xf000) | bits));
    block[BLOCK_FLAGS] |= FLAG_HTT;
    x->place = IN_CODES;
    return GO_ON;
}

static enum stop header(struct expansion *x)
{
    uint8_t *flags = x->call->block + BLOCK_FLAGS;
    const unsigned start = x->in.at;
    const int bits = deflate_take(&x->in, 3);
    enum stop stop = NO_DATA;
    switch (bits < 0 ? -1 : bits >> 1) {
    case 0:
        stop = stored_header(x);
        break;
    case 1:
        deflate_fixed(&x->codes);
        *flags &= (uint8_t)~FLAG_HTT;
        x->place = IN_CODES;
        stop = GO_ON;
        break;
    case 2:
        stop = dynamic_header(x);
        break;
    case 3:
        stop = not_valid(x, OESC_BLOCK_TYPE);
        break;
    }
    if (stop) {
        x->in.at = start;
        return stop;
    }
    x->final = bits & 1;
    *flags = (uint8_t)((*flags & ~FLAG_BHF) | (x->final ? FLAG_BHF : 0));
    return GO_ON;
}

static enum stop end_of_block(struct expansion *x)
{
    x->place = AT_HEADER;
    return x->final ? FINISHED : GO_ON;
}

static enum stop stored(struct expansion *x)
{
    while (x->stored) {
        if (!room(x))
            return NO_ROOM;
        const int byte = deflate_take(&x->in, 8);
        if (byte < 0)
            return NO_DATA;
        *next_byte(x) = (uint8_t)byte;
        x->count++;
        x->stored--;
    }
    return end_of_block(x);
}

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

/* The value of a symbol with extra bits behind it; DEFLATE_SHORT. */
static int ranged(struct expansion *x, const struct deflate_range *range)
{
    const int more = deflate_take(&x->in, range->extra);
    return more < 0 ? more : range->base + more;
}

static enum stop string(struct expansion *x, unsigned symbol)
{
    if (symbol >= DEFLATE_LENGTHS)
        return not_valid(x, OESC_NO_CODE);
    const int length = ranged(x, &deflate_lengths[symbol - 257]);
    const int far = length < 0 ? length : deflate_symbol(&x->in, &x->codes.distance);
    if (far == DEFLATE_SHORT)
        return NO_DATA;
    if (far < 0 || far >= DEFLATE_DISTANCES)
        return not_valid(x, OESC_NO_CODE);
    const int distance = ranged(x, &deflate_distances[far]);
    if (distance < 0)
        return NO_DATA;
    if ((unsigned)distance > x->call->hl + x->count)
        return not_valid(x, OESC_DISTANCE);
    x->length = (unsigned)length;
    x->distance = (unsigned)distance;
    return GO_ON;
}

static enum stop symbol(struct expansion *x)
{
    const unsigned start = x->in.at;
    const int found = deflate_symbol(&x->in, &x->codes.literal);
    enum stop stop = GO_ON;
    if (found == DEFLATE_END)
        return end_of_block(x);
    if (found < 0)
        stop = found == DEFLATE_SHORT ? NO_DATA : not_valid(x, OESC_NO_CODE);
    else if (!room(x))
        stop = NO_ROOM;
    else if (found > DEFLATE_END)
        stop = string(x, (unsigned)found);
    else
        *next_byte(x) = (uint8_t)found;
    if (stop)
        x->in.at = start;
    else if (found < DEFLATE_END)
        x->count++;
    return stop;
}

static enum stop copy_string(struct expansion *x)
{
    for (; x->length; x->length--) {
        if (!room(x))
            return NO_ROOM;
        *next_byte(x) = *(next_byte(x) - x->distance);
        x->count++;
    }
    return GO_ON;
}

static enum stop expand(struct expansion *x)
{
    enum stop stop = copy_string(x);
    while (!stop) {
        if (x->length)
            stop = copy_string(x);
        else if (x->place == AT_HEADER)
            stop = header(x);
        else
            stop = x->place == IN_STORED ? stored(x) : symbol(x);
    }
    return stop;
}

/* ---- continuation ----------------------------------------------------------------------------------------------- */

static int load_codes(struct expansion *x)
{
    const uint8_t *block = x->call->block;
    struct deflate_reader r = {block + BLOCK_CDHT, get16(block + BLOCK_CDHTL) & 0xfff, 0};
    if (!(block[BLOCK_FLAGS] & FLAG_HTT))
        deflate_fixed(&x->codes);
    else if (r.end > DEFLATE_TABLE * 8 || deflate_read_table(&r, &x->codes))
        return PIC_DATA;
    return 0;
}

static int load_state(struct expansion *x)
{
    struct deflate_call *c = x->call;
    const uint8_t *state = c->block + BLOCK_CSB;
    x->in.at = c->block[BLOCK_SBB] & SBB;
    if (!c->resumed)
        return 0;
    x->waiting = get16(state + STATE_COUNT);
    x->final = state[STATE_FINAL];
    x->stored = get16(state + STATE_STORED);
    x->length = get16(state + STATE_LENGTH);
    x->distance = get16(state + STATE_DISTANCE);
    c->oesc = OESC_MODEL;
    if (state[STATE_KIND] != KIND_EXPAND || state[STATE_PLACE] > IN_STORED || x->waiting > DEFLATE_PENDING ||
        state[STATE_BIT] > 7 || x->length > 258 || (x->length && (!x->distance || x->distance > c->hl)))
        return PIC_DATA;
    x->place = state[STATE_PLACE];
    int code = x->place == IN_CODES ? load_codes(x) : 0;
    if (code)
        return code;
    c->oesc = 0;
    memcpy(x->bytes, state + STATE_BYTES, x->waiting);
    if (x->waiting)
        x->in.at = state[STATE_BIT];
    return 0;
}

static void save_state(struct expansion *x, bool more, unsigned bit, const uint8_t *bytes, unsigned count)
{
    uint8_t *block = x->call->block, *state = block + BLOCK_CSB;
    block[BLOCK_CF] = (uint8_t)((block[BLOCK_CF] & ~CF) | (more ? CF : 0));
    memset(state, 0, DEFLATE_STATE);
    if (!more)
        return;
    state[STATE_KIND] = KIND_EXPAND;
    state[STATE_PLACE] = (uint8_t)x->place;
    state[STATE_FINAL] = x->final;
    state[STATE_BIT] = (uint8_t)bit;
    put16(state + STATE_COUNT, (uint16_t)count);
    put16(state + STATE_STORED, (uint16_t)x->stored);
    put16(state + STATE_LENGTH, (uint16_t)x->length);
    put16(state + STATE_DISTANCE, (uint16_t)x->distance);
    memcpy(state + STATE_BYTES, bytes, count);
}

/* ---- one execution ---------------------------------------------------------------------------------------------- */

/* Bytes of the second operand behind those that waited: enough for the room that there is, and for a table. */
static int load_data(struct expansion *x, unsigned *length)
{
    struct deflate_call *c = x->call;
    const unsigned enough = 4 * x->limit + 1024;
    *length = (unsigned)cpu_least(c->from.length, enough < IN_MOST ? enough : IN_MOST);
    if (*length && !deflate_reach(&c->from, *length - 1))
        *length = c->from.reached;
    for (unsigned n = 0, part; n < *length; n += part) {
        part = *length - n < PAGE_SIZE_Z ? *length - n : PAGE_SIZE_Z;
        int code =
            cpu_fetch_bytes(c->cpu, cpu_wrap(c->cpu, c->from.address + n), c->from.r, x->bytes + x->waiting + n, part);
        if (code)
            return code;
    }
    x->in.end = (x->waiting + *length) * 8;
    if (x->in.at > x->in.end) { /* not even the byte that was begun */
        x->in.at = 0;
        return c->from.fault;
    }
    return 0;
}

/* Condition code, or 4 + a code when nothing was done because of an access exception. */
static int ending(const struct expansion *x, enum stop stop, bool all, bool progress)
{
    const struct deflate_call *c = x->call;
    switch (stop) {
    case NO_ROOM:
        if (x->count == c->to.length)
            return 1;
        return !progress && c->to.fault ? 4 + c->to.fault : 3;
    case NO_DATA:
        if (all)
            return 2;
        return !progress && c->from.fault ? 4 + c->from.fault : 3;
    case NOT_VALID:
        return 2;
    default:
        return 0;
    }
}

static int finish(struct expansion *x, enum stop stop, unsigned length, unsigned start)
{
    struct deflate_call *c = x->call;
    const bool all = length == c->from.length;
    const int cc = ending(x, stop, all, x->count || x->in.at != start);
    if (cc >= 4)
        return cc - 4;
    struct deflate_result result = {
        .cc = (uint8_t)cc, .stored = x->count, .plain = x->window + c->hl, .plain_length = x->count};
    unsigned byte = x->in.at / 8, bit = x->in.at % 8, kept = 0;
    if (stop == NO_DATA && all) {
        kept = x->in.end / 8 - byte;
        result.consumed = length;
    } else if (byte >= x->waiting) {
        result.consumed = byte - x->waiting;
        result.sbb = bit;
    } else {
        kept = x->waiting - byte;
    }
    if (kept > DEFLATE_PENDING) { /* cannot be: no unit is that long */
        c->oesc = OESC_MODEL;
        return PIC_DATA;
    }
    int code = deflate_store(c, result.plain, x->count);
    if (code)
        return code;
    save_state(x, cc == 1 || cc == 3 || (cc == 2 && !c->oesc), bit, x->bytes + byte, kept);
    return deflate_commit(c, &result);
}

int deflate_expand(struct deflate_call *c)
{
    struct expansion x;
    unsigned length;
    x.call = c;
    x.in = (struct deflate_reader){x.bytes, 0, 0};
    x.place = AT_HEADER;
    x.final = false;
    x.stored = x.length = x.distance = x.count = x.waiting = 0;
    x.limit = (unsigned)cpu_least(c->to.length, DEFLATE_AMOUNT);
    int code = load_state(&x);
    if (!code)
        code = load_data(&x, &length);
    if (!code)
        code = deflate_fetch_history(c, &c->to, x.window);
    if (code)
        return code;
    const unsigned start = x.in.at;
    const enum stop stop = expand(&x);
    return finish(&x, stop, length, start);
}
