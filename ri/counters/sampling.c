/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPU-measurement sampling facility: controls, intervals, sample-data blocks. Source: event-counter specification,
   4.6. */
#include "ri/counters/sampling.h"
#include "ri/counters/internal.h"

#define ENABLES   (SAMPLING_ES | SAMPLING_ED)
#define ACTIVATES (SAMPLING_CS | SAMPLING_CD)

#define LINKS 64u /* of tables, one behind the other; more of them go round in a circle */

/* The trailer of a block, by offset from its beginning. */
enum { TRAILER_FLAGS = 0, TRAILER_OVERFLOW = 8, TRAILER_CLOCK = 16 };
#define FLAG_FULL  (UINT64_C(1) << 63)
#define FLAG_ALERT (UINT64_C(1) << 62)
#define FLAG_CLOCK (UINT64_C(1) << 61)
#define SIZES      UINT64_C(0xffffffff)

/* Authorization of both functions, as QSI has it. */
#define AUTHORIZED 0x00030000u

void sampling_reset(struct counters *c)
{
    memset(&c->sampling, 0, sizeof c->sampling);
    c->due = false;
    c->alerts &= ~(uint32_t)COUNTERS_OF_SAMPLING;
}

/* The state of a function: its enable bit and, one byte to the right, its activation bit. */
void sampling_query(const struct counters *c, uint8_t block[COUNTERS_BLOCK])
{
    const struct sampling *s = &c->sampling;
    memset(block, 0, COUNTERS_BLOCK);
    counters_put32(block, AUTHORIZED | s->controls);
    counters_put16(block + 4, SAMPLING_BASIC);
    counters_put16(block + 6, SAMPLING_DIAG);
    put64(block + 8, SAMPLING_MIN);
    put64(block + 16, SAMPLING_MAX);
    put64(block + 24, s->tear);
    put64(block + 32, s->dear);
    counters_put32(block + 44, c->profile.mhz);
}

/* ES, ED and CS, CD. */
static unsigned controls_of(const uint8_t block[COUNTERS_BLOCK]) { return get64(block) & (ENABLES | ACTIVATES); }

bool sampling_control_invalid(const uint8_t block[COUNTERS_BLOCK])
{
    const unsigned controls = controls_of(block);
    return (controls & ACTIVATES) & ~((controls & ENABLES) >> 8);
}

void sampling_control(struct counters *c, const uint8_t block[COUNTERS_BLOCK])
{
    struct sampling *s = &c->sampling;
    const bool was_enabled = s->controls & ENABLES;
    s->controls = (uint16_t)controls_of(block);
    if (!(s->controls & ENABLES)) {
        sampling_reset(c);
    } else if (s->controls & ACTIVATES) {
        uint64_t interval = get64(block + 8);
        interval = interval < SAMPLING_MIN ? SAMPLING_MIN : interval > SAMPLING_MAX ? SAMPLING_MAX : interval;
        if (!was_enabled || interval != s->interval)
            s->left = s->interval = interval;
        s->tear = get64(block + 16);
        s->dear = get64(block + 24);
    }
    counters_derive(c);
}

void sampling_charge(struct counters *c, uint64_t cycles)
{
    struct sampling *s = &c->sampling;
    if (!(s->controls & ACTIVATES))
        return;
    if (cycles < s->left) {
        s->left -= cycles;
        return;
    }
    s->left = s->interval - (cycles - s->left) % s->interval; /* what is over belongs to the next interval */
    c->due = true;
}

/* ---- storing --------------------------------------------------------------------------------------------------- */

static void give_up(struct counters *c, uint32_t alert)
{
    c->alerts |= alert;
    c->sampling.controls &= ~(unsigned)ACTIVATES;
    counters_derive(c);
}

static unsigned entry_size(const struct sampling *s)
{
    return (s->controls & SAMPLING_CS ? SAMPLING_BASIC : 0) + (s->controls & SAMPLING_CD ? SAMPLING_DIAG : 0);
}

static bool fits(const struct sampling *s) { return s->dear % SAMPLING_BUFFER + entry_size(s) <= SAMPLING_TRAILER; }

static uint64_t trailer(const struct sampling *s)
{
    return (s->dear & ~(uint64_t)(SAMPLING_BUFFER - 1)) + SAMPLING_TRAILER;
}

/* On to the next block by the table. False: the facility has become inactive. */
static bool next_block(struct counters *c, const struct sampling_storage *storage)
{
    struct sampling *s = &c->sampling;
    uint64_t entry = 0;
    s->tear += 8;
    for (unsigned links = 0;; links++) {
        if (s->tear % 8 || !storage->fetch(storage->context, s->tear, &entry)) {
            give_up(c, COUNTERS_IAE);
            return false;
        }
        if (!(entry & 1))
            break;
        if (links == LINKS || (entry & ~UINT64_C(1)) % 8) {
            give_up(c, COUNTERS_ISE);
            return false;
        }
        s->tear = entry & ~UINT64_C(1);
    }
    if (entry == 0 || entry % SAMPLING_BUFFER) {
        give_up(c, COUNTERS_ISE);
        return false;
    }
    s->dear = entry;
    return true;
}

/* The current block is full. The alert request of the program and the flag go by one interlocked update each. */
static bool finish_block(struct counters *c, const struct sampling_state *state, const struct sampling_storage *storage)
{
    struct sampling *s = &c->sampling;
    const uint64_t at = trailer(s);
    const uint64_t sizes = (uint64_t)SAMPLING_BASIC << 16 | SAMPLING_DIAG;
    uint64_t old, flags;
    if (!storage->store(storage->context, at + TRAILER_CLOCK, state->clock, sizeof state->clock) ||
        !storage->fetch(storage->context, at + TRAILER_FLAGS, &flags)) {
        give_up(c, COUNTERS_IAE);
        return false;
    }
    do {
        old = flags;
        if (!storage->exchange(storage->context, at + TRAILER_FLAGS, &flags,
                               (old & ~SIZES) | FLAG_FULL | FLAG_CLOCK | sizes))
            return false;
    } while (flags != old);
    if (old & FLAG_ALERT)
        c->alerts |= COUNTERS_PRA;
    return next_block(c, storage);
}

/* Unique instructions: those in the completion table; without a model no more than one is in work. */
static uint8_t unique(const struct counters *c)
{
    unsigned n = 0;
    if (!c->model || c->model_rests)
        return 1;
    const struct ec_counting *k = ec_model_counting(c->model);
    for (unsigned t = k->ctag; t != k->atag; t = t + 1 == k->n ? 0 : t + 1)
        n += k->ct[t].members;
    return n < 15 ? (uint8_t)n : 15;
}

static void basic_entry(const struct counters *c, const struct sampling_state *state, uint8_t entry[SAMPLING_BASIC])
{
    memset(entry, 0, SAMPLING_BASIC);
    counters_put16(entry, 0x0001);
    entry[2] = unique(c);
    entry[3] = (uint8_t)(state->dat << 5 | state->wait << 4 | state->problem << 3 | (state->space & 3) << 1);
    entry[4] = 0x40; /* configuration level: logical partition */
    counters_put16(entry + 6, state->primary_asn);
    put64(entry + 8, state->ia);
    put64(entry + 24, state->program_parameter);
}

/* Cycles, completed instructions; with a model its own, and what the events of the first pairs were in work that did
   not complete. */
static void diagnostic_entry(const struct counters *c, uint8_t entry[SAMPLING_DIAG])
{
    struct ec_totals t;
    memset(entry, 0, SAMPLING_DIAG);
    counters_put16(entry, 0x8001);
    if (!c->model) {
        put64(entry + 8, c->value[COUNTER_CYCLES]);
        put64(entry + 16, c->value[COUNTER_INSTRUCTIONS]);
        return;
    }
    ec_model_totals(c->model, &t);
    put64(entry + 8, t.cycles);
    put64(entry + 16, t.completed[EC_INST]);
    for (unsigned k = 0; k < EC_PAIRS && 24 + 8 * k < SAMPLING_DIAG; k++)
        put64(entry + 24 + 8 * k, t.all[ec_pair_event(k)] - t.completed[ec_pair_event(k)]);
}

/* One more sample is lost in the current block. */
static void overflow(struct counters *c, const struct sampling_storage *storage)
{
    const uint64_t at = trailer(&c->sampling) + TRAILER_OVERFLOW;
    uint64_t old, count;
    if (!storage->fetch(storage->context, at, &count))
        return;
    do
        old = count;
    while (storage->exchange(storage->context, at, &count, old + 1) && count != old);
}

void sampling_take(struct counters *c, const struct sampling_state *state, const struct sampling_storage *storage)
{
    struct sampling *s = &c->sampling;
    uint8_t entry[SAMPLING_BASIC + SAMPLING_DIAG];
    uint64_t flags;
    c->due = false;
    if (!(s->controls & ACTIVATES))
        return;
    if (!fits(s) && !finish_block(c, state, storage))
        return;
    if (s->dear % 8 || !storage->fetch(storage->context, trailer(s) + TRAILER_FLAGS, &flags)) {
        give_up(c, COUNTERS_IAE);
        return;
    }
    if (flags & FLAG_FULL) {
        overflow(c, storage);
        return;
    }
    const unsigned size = entry_size(s), basic = s->controls & SAMPLING_CS ? SAMPLING_BASIC : 0;
    if (basic)
        basic_entry(c, state, entry);
    if (s->controls & SAMPLING_CD)
        diagnostic_entry(c, entry + basic);
    if (!storage->store(storage->context, s->dear, entry, size)) {
        give_up(c, COUNTERS_IAE);
        return;
    }
    c->samples++;
    s->dear += size;
    if (!fits(s))
        (void)finish_block(c, state, storage);
}
