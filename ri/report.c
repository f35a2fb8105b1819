/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reporting: whether a sample instruction is reported, the records of its group, the store, halts, transactions.
   Specification: RI sections G, H, I and J. */
#include "ri/internal.h"

/* ---- whether (specification G and J.3) ------------------------------------------------------------------------- */

enum {
    LINE_STATE = 1,
    LINE_SUPPRESSED,
    LINE_DIRECTED,
    LINE_OVERRIDE,
    LINE_BPXN,
    LINE_BPXT,
    LINE_BPTI,
    LINE_BPNI,
    LINE_FETCH,
    LINE_DATA,
    LINE_NONE
};

static bool suppressed(const struct ri *ri, bool mixed_capability)
{
    return mixed_capability && (ri->profile.secondary ? ri->controls.z : ri->controls.y);
}

unsigned ri_report_line(const struct ri *ri, unsigned sample, bool mixed_capability)
{
    const struct ri_controls *c = &ri->controls;
    const struct ri_idb *idb = &ri->idb;
    if (!(idb->problem ? c->ps : c->qs))
        return LINE_STATE;
    if (suppressed(ri, mixed_capability))
        return LINE_SUPPRESSED;
    if (sample & RI_SAMPLE_DIRECTED)
        return LINE_DIRECTED;
    if (c->f)
        return LINE_OVERRIDE;
    if (c->bpxn && idb->conditions & RI_BPXN)
        return LINE_BPXN;
    if (c->bpxt && idb->conditions & RI_BPXT)
        return LINE_BPXT;
    if (c->bpti && idb->conditions & RI_BPTI)
        return LINE_BPTI;
    if (c->bpni && idb->conditions & RI_BPNI)
        return LINE_BPNI;
    if (c->ic != 15 && idb->il != 15 && idb->il >= c->ic)
        return LINE_FETCH;
    if (c->dc != 15 && idb->dl != 15 && idb->dl >= c->dc)
        return LINE_DATA;
    return LINE_NONE;
}

/* ---- the records (specification H) ----------------------------------------------------------------------------- */

/* A value at the place of a field; which of the two doublewords it belongs to is the caller's knowledge. */
#define PUT(type, field, value) ((uint64_t)(value) << RI_##type##_##field##_SHIFT)

uint64_t ri_instruction_data(const struct ri_idb *idb, unsigned sample)
{
    uint64_t lo = PUT(INSTRUCTION, DS, (sample & RI_SAMPLE_DIRECTED) != 0) |
                  PUT(INSTRUCTION, CS, (sample & RI_SAMPLE_COUNT) != 0) | PUT(INSTRUCTION, EX, idb->executed) |
                  PUT(INSTRUCTION, PS, idb->problem) | PUT(INSTRUCTION, IL, idb->il) | PUT(INSTRUCTION, DL, idb->dl) |
                  PUT(INSTRUCTION, LEN, idb->length) | PUT(INSTRUCTION, TXT, idb->text);
    if (idb->branch)
        lo |= PUT(INSTRUCTION, BR, 1) | PUT(INSTRUCTION, TK, idb->taken) | PUT(INSTRUCTION, PT, idb->predicted) |
              PUT(INSTRUCTION, TC, idb->target_ok);
    return lo;
}

static struct ri_record instruction_record(const struct ri_idb *idb, unsigned sample)
{
    return (struct ri_record){ri_record_head(RI_TYPE_INSTRUCTION, idb->ia), ri_instruction_data(idb, sample)};
}

static struct ri_record extra_record(const struct ri_idb *idb)
{
    uint64_t length = idb->access_length > UINT32_MAX ? UINT32_MAX : idb->access_length;
    return (struct ri_record){(uint64_t)RI_TYPE_EXTRA << RI_TYPE_SHIFT | PUT(EXTRA, SUBTYPE, 1) |
                                  PUT(EXTRA, ST, idb->access_store) | PUT(EXTRA, DL, idb->dl) |
                                  PUT(EXTRA, LENGTH, length),
                              idb->access_address};
}

static struct ri_record begin_record(const struct ri *ri, uint64_t tod)
{
    return (struct ri_record){(uint64_t)RI_TYPE_BEGIN << RI_TYPE_SHIFT | PUT(BEGIN, NRG, 1) |
                                  PUT(BEGIN, VERSION, ri->profile.version) | PUT(BEGIN, RGS, ri->controls.rgs) |
                                  PUT(BEGIN, T, ri->profile.secondary),
                              tod};
}

static struct ri_record timestamp_record(const struct ri *ri, uint64_t tod)
{
    return (struct ri_record){(uint64_t)RI_TYPE_TIMESTAMP << RI_TYPE_SHIFT |
                                  PUT(TIMESTAMP, VERSION, ri->profile.version) |
                                  PUT(TIMESTAMP, T, ri->profile.secondary),
                              tod};
}

/* A record goes to its place among `records`, or among the bytes of a program buffer. */
static ALWAYS_INLINE void lay(struct ri_record *records, uint8_t *bytes, unsigned at, struct ri_record record)
{
    if (records)
        records[at] = record;
    else {
        put64(bytes + 16 * at, record.hi);
        put64(bytes + 16 * at + 8, record.lo);
    }
}

/* Body, extra and instruction record, from number 1 on; number 0 is the header's. One of `records` and `bytes` is NULL.
   Yields the bits that are one in the first doubleword of some record. */
static ALWAYS_INLINE uint64_t lay_out(struct ri *ri, unsigned sample, struct ri_record *records, uint8_t *bytes)
{
    const unsigned count = ri_group_count(ri->controls.rgs);
    const bool extra = ri->controls.d && ri->controls.rgs >= 1 && ri->idb.dl != 15;
    const unsigned slots = count - 2 - extra;
    const unsigned events = ri_collected(ri);
    const unsigned copied = events < slots ? events : slots;
    const struct ri_record last = instruction_record(&ri->idb, sample);
    const uint64_t head = ri->head; /* stores into bytes might change it, for all that the compiler knows */
    uint64_t heads = last.hi;
    unsigned at = 1;
    while (at < 1 + slots - copied)
        lay(records, bytes, at++, (struct ri_record){0, 0});
    for (uint64_t i = head - copied; i != head; i++) {
        const struct ri_record event = ri->ring[i % RI_RING];
        heads |= event.hi;
        lay(records, bytes, at++, event);
    }
    if (extra)
        lay(records, bytes, at++, extra_record(&ri->idb));
    lay(records, bytes, at, last);
    return heads;
}

/* Into ri->group: for a group that waits, or that somebody is told of, or that goes to its place by storage's
 * functions. */
static void build(struct ri *ri, unsigned sample)
{
    (void)lay_out(ri, sample, ri->group, NULL);
    ri->group_records = ri_group_count(ri->controls.rgs);
}

/* ---- the store (specification I) ------------------------------------------------------------------------------- */

/* The program buffer: host places of the group and of the begin record, NULL where storage has to be asked. */
struct buffer {
    const struct ri_storage *storage;
    uint8_t *group, *begin;
};

static int store_first_doubleword(const struct ri *ri, const struct buffer *b, uint64_t value)
{
    const struct ri_storage *s = b->storage;
    uint8_t bytes[8];
    if (b->begin) {
        __atomic_thread_fence(__ATOMIC_RELEASE); /* whoever sees the count sees the group */
        put64(b->begin, value);
        return 0;
    }
    put64(bytes, value);
    return s->store(s->context, ri->controls.roa, bytes, sizeof bytes);
}

static int fetch_first_doubleword(const struct ri *ri, const struct buffer *b, uint64_t *value)
{
    const struct ri_storage *s = b->storage;
    uint8_t bytes[16];
    if (b->begin) {
        *value = get64(b->begin);
        return 0;
    }
    const int code = s->fetch(s->context, ri->controls.roa, bytes, sizeof bytes);
    if (!code)
        *value = get64(bytes);
    return code;
}

/* Find the buffer; the group's place can be stored into, the begin record of an earlier group fetched and stored into.
 */
static int open_buffer(const struct ri *ri, const struct ri_storage *s, bool first, struct buffer *b)
{
    const struct ri_controls *c = &ri->controls;
    *b = (struct buffer){.storage = s};
    if (s->place) {
        b->group = s->place(s->context, c->rca, false);
        b->begin = first ? NULL : s->place(s->context, c->roa, true);
    }
    int code = b->group ? 0 : s->test(s->context, c->rca, (unsigned)ri_group_length(c->rgs), false);
    if (!code && !first && !b->begin)
        code = s->test(s->context, c->roa, 16, true);
    return code;
}

/* I.4. */
static int halt(struct ri *ri, const struct buffer *b, uint64_t begin)
{
    int code = store_first_doubleword(ri, b, begin | PUT(BEGIN, H, 1));
    if (code)
        return code;
    ri->controls.g = 1;
    ri->halted = true;
    ri->halts++;
    ri_derive(ri);
    return 0;
}

/* J.4, with the first doubleword of the begin record. */
static bool halted_condition(const struct ri *ri, uint64_t begin)
{
    unsigned version = (unsigned)(begin >> RI_BEGIN_VERSION_SHIFT) & 0xffff;
    unsigned rgs = (unsigned)(begin >> RI_BEGIN_RGS_SHIFT) & 7;
    return version != ri->profile.version || rgs > ri->profile.rgs_max || ri->controls.rgs > ri->profile.rgs_max;
}

/* The group that build() made, to its place. Yields heads, as lay_out() does. */
static uint64_t lay_group(const struct ri *ri, uint8_t *bytes)
{
    uint64_t heads = 0;
    for (unsigned i = 0; i < ri->group_records; i++) {
        const struct ri_record record = ri->group[i];
        const bool event = i && record.hi >> RI_TYPE_SHIFT >= RI_TYPE_INSTRUCTION;
        heads |= event ? record.hi : 0;
        lay(NULL, bytes, i, record);
    }
    return heads;
}

/* The group with this header goes to the program buffer; `sample` 0: build() has made it. *truncated: a record of it
   holds a truncated address (specification H.10). */
static int store_group(struct ri *ri, const struct buffer *b, struct ri_record header, unsigned sample, bool *truncated)
{
    const struct ri_storage *s = b->storage;
    uint8_t away[16 * RI_GROUP_RECORDS], *bytes = b->group ? b->group : away;
    uint64_t heads;
    if (b->group && sample && !ri->stored) {
        lay(NULL, bytes, 0, header);
        heads = lay_out(ri, sample, NULL, bytes);
    } else {
        if (sample)
            build(ri, sample);
        ri->group[0] = header;
        heads = lay_group(ri, bytes);
    }
    *truncated = heads & PUT(BRANCH, C, 1);
    return b->group ? 0 : s->store(s->context, ri->controls.rca, bytes, 16 * ri->group_records);
}

static void tell_stored(const struct ri *ri, uint64_t address, bool full, uint64_t tod)
{
    const struct ri_controls *c = &ri->controls;
    const struct ri_stored group = {.records = ri->group,
                                    .count = ri->group_records,
                                    .address = address,
                                    .roa = c->roa,
                                    .tod = tod,
                                    .mode = c->m,
                                    .rgs = c->rgs,
                                    .key = c->key,
                                    .home = c->h,
                                    .full = full};
    ri->stored(ri->stored_context, &group);
}

/* I.2 for the group of the instruction in the IDB, or, with `sample` 0, for the one that build() made. */
static int store(struct ri *ri, unsigned sample, const struct ri_environment *env)
{
    struct ri_controls *c = &ri->controls;
    const uint64_t length = ri_group_length(c->rgs);
    const bool first = c->rca == c->roa;
    struct buffer b;
    uint64_t begin = 0;
    bool truncated;
    int code = open_buffer(ri, env->storage, first, &b);
    if (code)
        return code;
    if (!first) {
        code = fetch_first_doubleword(ri, &b, &begin);
        if (code)
            return code;
        if (halted_condition(ri, begin))
            return halt(ri, &b, begin);
    }
    const uint64_t next = c->rca + length;
    const uint64_t next_last = next + (length - 1);
    const bool full = next_last < c->rca || next_last > c->rla;
    struct ri_record header = first ? begin_record(ri, env->tod) : timestamp_record(ri, env->tod);
    if (first && full)
        header.hi |= PUT(BEGIN, S, 1);
    code = store_group(ri, &b, header, sample, &truncated);
    if (code)
        return code;
    if (!first) {
        uint64_t nrg = ((c->rca - c->roa) >> ri_group_shift(c->rgs)) + 1;
        if (nrg > 0xffffff)
            nrg = 0xffffff;
        begin &= ~(PUT(BEGIN, NRG, 0xffffff) | PUT(BEGIN, S, 1));
        code = store_first_doubleword(ri, &b, begin | PUT(BEGIN, NRG, nrg) | PUT(BEGIN, S, full));
        if (code)
            return code;
    }
    const uint64_t address = c->rca;
    c->g = 0;
    c->rca = next;
    if (full)
        c->l = 1;
    if (truncated)
        c->mae = 1;
    ri->groups++;
    ri->told.fulls += full;
    if (full) /* nothing else that was changed decides anything */
        ri_derive(ri);
    if (ri->stored)
        tell_stored(ri, address, full, env->tod);
    return 0;
}

int ri_report(struct ri *ri, unsigned sample, const struct ri_environment *env)
{
    if (!sample)
        return 0;
    unsigned line = ri_report_line(ri, sample, env->mixed_capability);
    ri->told.samples++;
    ri->told.ia = ri->idb.ia;
    ri->told.line = (uint8_t)line;
    ri->told.sample = (uint8_t)sample;
    if (ri->frozen)
        return 0;
    if (line == LINE_STATE || line == LINE_SUPPRESSED || line == LINE_NONE)
        return 0;
    if (env->transaction) {
        build(ri, sample);
        ri->deferred = true;
        ri->frozen = true;
        ri_derive(ri);
        return 0;
    }
    return store(ri, sample, env);
}

/* ---- transactions (specification I.7) -------------------------------------------------------------------------- */

int ri_transaction_end(struct ri *ri, const struct ri_environment *env)
{
    if (!ri->deferred)
        return 0;
    int code = store(ri, 0, env);
    bool directed = ri->directed;
    ri_empty(ri);
    ri->directed = directed; /* kept, unlike all that ri_empty() ends otherwise */
    ri_derive(ri);
    return code;
}

void ri_transaction_aborted(struct ri *ri, uint64_t ia, uint64_t code, uint64_t continue_at, bool problem)
{
    const struct ri_controls *c = &ri->controls;
    if (!ri->active || !ri->profile.transactional || !c->x || !(problem ? c->pc : c->qc))
        return;
    ri_append(ri, ri_record_head(RI_TYPE_ABORT, ia),
              PUT(ABORT, TAC, code > 0xffff ? 0xffff : code) | (continue_at & ((UINT64_C(1) << 48) - 1)));
}
