/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encoder: the order of decisions of specification 3.9, what is held and merged, what SYNC and END account for. */
#include "ri/trace/packet.h"
#include <string.h>

void et_encoder_init(struct et_encoder *e, unsigned source, const struct et_way *way)
{
    struct et_config reset;
    memset(e, 0, sizeof *e);
    e->way = *way;
    e->source = (uint8_t)source;
    e->events.crc = e->timing.crc = ET_CRC16_INIT;
    et_config_reset(&reset);
    et_encoder_configure(e, &reset);
}

/* The registers of a full stream. Reading: CFG tells these, so that the stream describes itself; what the tracker looks
   at stays, as the filter cannot change it. */
static void full_stream(struct et_config *c)
{
    ET_PUT(c, ETCR, EVENC, 0);
    ET_PUT(c, ETCR, EVSEL, 4);
    ET_PUT(c, ETCR, SIG, 1);
    ET_PUT(c, ETCR, STATE, 1);
    ET_PUT(c, ETCR, FROMP, 1);
    ET_PUT(c, ETCR, FROMS, 1);
    ET_PUT(c, ETCR, CNTE, 0);
    c->reg[ETFR] = et_register_reset(ETFR);
    ET_PUT(c, ETFR, TCE, 1);
    ET_PUT(c, ETFR, TCX, 1);
    ET_PUT(c, ETFR, LAE, 1);
    ET_PUT(c, ETFR, INFO, 1);
    ET_PUT(c, ETFR, ADDRO, 1);
    ET_PUT(c, ETFR, ADDRN, 1);
    ET_PUT(c, ETFR, ADDRR, 1);
    c->reg[ETSL] = et_register_reset(ETSL);
    c->reg[ETRG] = et_register_reset(ETRG);
    for (unsigned i = ETBM0; i <= ETBM7; i++)
        c->reg[i] = et_register_reset(i);
    ET_PUT(c, ETTS, TSM, ET_TSM_INLINE);
    ET_PUT(c, ETTS, SHIFT, 0);
    ET_PUT(c, ETMS, MTO, 0);
    ET_PUT(c, ETMS, STATN, 0);
}

void et_encoder_configure(struct et_encoder *e, const struct et_config *config)
{
    struct et_config *c = &e->config;
    *c = *config;
    e->full = ET_GET(c, ETCR, DS);
    if (e->full)
        full_stream(c);
    et_selector_make(&e->selector, c);
    et_compress_make(&e->compress, c);
    e->nest.to_problem = ET_GET(c, ETCR, RETM) == ET_RETM_PSTATE && !ET_GET(c, ETCR, CTX);
    e->omit = ET_GET(c, ETFR, OMIT);
    e->figure = ET_GET(c, ETFR, FIG);
    e->merge = e->omit ? ET_MERGE_OFF : (unsigned)ET_GET(c, ETFR, MERGE);
    e->tsm = (enum et_tsm)ET_GET(c, ETTS, TSM);
    e->shift = (unsigned)ET_GET(c, ETTS, SHIFT);
    e->counts = ET_GET(c, ETCR, CNTE);
    e->sync_period = 64 * ET_GET(c, ETBF, SYNCPER);
    e->timeout = ET_GET(c, ETMS, MTO);
}

/* ---- putting out ------------------------------------------------------------------------------------------------ */

static void follow(struct et_segment *s, const uint8_t *bytes, size_t size)
{
    s->bytes += size;
    s->crc = et_crc16(s->crc, bytes, size);
}

/* Events that did not go out. */
static void lose(struct et_encoder *e, uint64_t events)
{
    e->lost += events;
    e->lost_untold += events;
    e->overflowed = true;
    e->owed = true;
}

/* A block that has all of one packet and what belongs to it: out, or lost. */
static bool put_event(struct et_encoder *e, struct et_block *block, uint64_t time, unsigned events)
{
    uint8_t timing_bytes[ET_LEB_MAX + 1];
    struct et_block timing = {0, timing_bytes};
    const uint64_t now = time >> e->shift;
    if (e->tsm == ET_TSM_INLINE)
        et_packet_time(block, e->time_base, now);
    else if (e->tsm == ET_TSM_SEPARATE)
        et_packet_time(&timing, e->time_base, now);
    if (e->owed || !e->way.room(e->way.context, block->size, timing.size)) {
        lose(e, events);
        return false;
    }
    e->way.put(e->way.context, block->bytes, block->size, timing.bytes, timing.size);
    follow(&e->events, block->bytes, block->size);
    e->events.packets++;
    if (timing.size) {
        follow(&e->timing, timing.bytes, timing.size);
        e->timing.packets++;
    }
    e->time_base = now;
    e->last_time = time;
    e->emitted += events;
    return true;
}

/* What begins anew behind a SYNC, in unit and decoder. */
static void synchronized(struct et_encoder *e, uint64_t time)
{
    const struct et_segment none = {.crc = ET_CRC16_INIT};
    e->events = none;
    if (e->tsm == ET_TSM_SEPARATE) {
        e->timing = none; /* else its segment goes on: it has no SYNC here */
        e->timing_begun = true;
    }
    e->time_base = time >> e->shift;
    e->last_time = time;
    memset(e->address_base, 0, sizeof e->address_base);
    et_compress_reset(&e->compress);
    e->sequence++;
    e->begun = true;
    e->owed = false;
}

/* SYNC and CFG, with CNT or OVF in front, when there is room for all of it. */
static bool put_sync(struct et_encoder *e, uint64_t time, bool counts)
{
    uint8_t bytes[ET_CNT_MAX + ET_SYNC_MAX], timing_bytes[ET_SYNC_MAX];
    struct et_block block = {0, bytes}, timing = {0, timing_bytes};
    const bool loss = e->lost_untold;
    const unsigned flags = e->figure ? ET_SYNC_FIGURE : 0, lost = loss ? ET_SYNC_AFTER_LOSS : 0;
    struct et_segment ended = e->events;
    if (loss && e->begun) {
        et_block_byte(&block, ET_H_OVF);
        et_block_leb(&block, e->lost_untold);
    } else if (counts && !loss) {
        et_packet_counts(&block, e->entries);
    }
    follow(&ended, bytes, block.size);
    et_packet_sync(&block, e, &ended, flags | lost, time >> e->shift);
    const unsigned config = block.size;
    et_packet_config(&block, &e->config);
    if (e->tsm == ET_TSM_SEPARATE)
        et_packet_sync(&timing, e, &e->timing, flags | lost | ET_SYNC_TIMING, time >> e->shift);
    if (!e->way.room(e->way.context, block.size, timing.size))
        return false;
    e->way.put(e->way.context, bytes, block.size, timing_bytes, timing.size);
    synchronized(e, time);
    follow(&e->events, bytes + config, block.size - config);
    e->lost_untold = 0;
    if (counts && !loss)
        memset(e->entries, 0, sizeof e->entries);
    return true;
}

void et_encoder_sync(struct et_encoder *e, uint64_t time)
{
    if (!e->on)
        return;
    const bool counts = e->counts && e->begun;
    if (!e->begun)
        memset(e->entries, 0, sizeof e->entries);
    if (!put_sync(e, time, counts) && !(counts && put_sync(e, time, false)))
        e->owed = true;
}

/* ---- exception packets ------------------------------------------------------------------------------------------ */

/* E8 to E12: the packet of one event. True: its number was left out by compression. */
static bool exception_packet(const struct et_encoder *e, struct et_block *b, const struct et_occurrence *o)
{
    const bool entry = o->what == ET_W_ENTRY, exit = o->what == ET_W_EXIT, frc = o->frc && !e->figure;
    const bool flagged = o->tc && ((entry && ET_GET(&e->config, ETFR, TCE)) || (exit && ET_GET(&e->config, ETFR, TCX)));
    const unsigned flags =
        ET_P_FN(o->what) | (flagged ? ET_P_TC : 0) | (o->la && entry && ET_GET(&e->config, ETFR, LAE) ? ET_P_LA : 0);
    const unsigned forced = frc ? ET_P_FRC : 0;
    unsigned field;
    if (e->omit) {
        et_block_byte(b, ET_H_OMIT);
        et_block_byte(b, flags | forced);
        return false;
    }
    const int match = et_compress_find(&e->compress, (enum et_fn)o->what, o->en);
    const bool fifo = e->compress.how == ET_COMP_FIFO;
    if (match >= 0 && !(fifo && frc)) {
        et_block_byte(b, e->figure ? ET_H_OMIT : fifo ? ET_H_FIFO : ET_H_SAME);
        et_block_byte(b, flags | forced | (unsigned)match);
        return true;
    }
    if (ET_GET(&e->config, ETFR, RED) && !frc && et_reduced(&e->config, o->en, &field)) {
        et_block_byte(b, e->figure ? ET_H_OMIT : ET_H_RED);
        et_block_byte(b, flags | field);
        return false;
    }
    et_block_byte(b, ET_H_FULL);
    et_block_byte(b, o->en & 0xff);
    et_block_byte(b, flags | forced | o->en >> 8);
    return false;
}

static void merged_packet(const struct et_encoder *e, struct et_block *b, const struct et_occurrence *o)
{
    const unsigned left = e->held.en;
    unsigned field1, field2;
    if (o->what == ET_W_RETURN && !e->figure && ET_GET(&e->config, ETFR, RED) &&
        et_reduced(&e->config, left, &field1) && et_reduced(&e->config, o->en, &field2)) {
        et_block_byte(b, ET_H_RED2);
        et_block_byte(b, field1 << 4 | field2);
        return;
    }
    et_block_byte(b, ET_H_MERGED);
    et_block_byte(b, left & 0xff);
    et_block_byte(b, o->en & 0xff);
    et_block_byte(b, (o->what == ET_W_ENTRY ? ET_P_TC | ET_P_FN(ET_FN_ENTRY) : 0) | (o->en >> 8) << 1 | left >> 8);
}

/* INFO and ADDR behind the exception packet. */
static void details(const struct et_encoder *e, struct et_block *b, const struct et_occurrence *o)
{
    if ((o->what == ET_W_ENTRY || o->what == ET_W_SIGNAL) && ET_GET(&e->config, ETFR, INFO))
        et_packet_info(b, o->info, o->depth, e->full && o->problem);
    if (!o->addresses)
        return;
    const unsigned wanted = (unsigned)(e->config.reg[ETFR] >> ETFR_ADDRO_LOW) << ET_ADDR_OLD & o->addresses;
    for (unsigned kind = ET_ADDR_OLD; kind <= ET_ADDR_RETURN; kind++)
        if (wanted >> kind & 1) {
            et_block_byte(b, ET_H_ADDR);
            et_block_byte(b, kind);
            et_block_leb(b, et_zigzag(o->address[kind] - e->address_base[kind]));
        }
}

static void details_out(struct et_encoder *e, const struct et_occurrence *o)
{
    const unsigned wanted = (unsigned)(e->config.reg[ETFR] >> ETFR_ADDRO_LOW) << ET_ADDR_OLD & o->addresses;
    for (unsigned kind = ET_ADDR_OLD; kind <= ET_ADDR_RETURN; kind++)
        if (wanted >> kind & 1)
            e->address_base[kind] = o->address[kind];
}

static void put_exception(struct et_encoder *e, const struct et_occurrence *o)
{
    uint8_t bytes[ET_EVENT_MAX];
    struct et_block block = {0, bytes};
    const bool matched = exception_packet(e, &block, o);
    details(e, &block, o);
    if (!put_event(e, &block, o->time, 1))
        return;
    details_out(e, o);
    if (!e->omit)
        et_compress_note(&e->compress, o->en, matched);
}

static void put_pair(struct et_encoder *e, const struct et_occurrence *o)
{
    uint8_t bytes[ET_EVENT_MAX];
    struct et_block block = {0, bytes};
    e->holding = false;
    merged_packet(e, &block, o);
    details(e, &block, o);
    if (!put_event(e, &block, o->time, 2))
        return;
    details_out(e, o);
    et_compress_note(&e->compress, e->held.en, false);
    et_compress_note(&e->compress, o->en, false);
}

static void put_other(struct et_encoder *e, const struct et_occurrence *o)
{
    uint8_t bytes[ET_EVENT_MAX];
    struct et_block block = {0, bytes};
    switch (o->what) {
    case ET_W_SIGNAL:
        et_block_byte(&block, ET_H_SIG);
        et_block_byte(&block, o->en & 0xff);
        et_block_byte(&block, (o->withdrawn ? ET_SIG_WITHDRAWN : 0) | o->en >> 8);
        details(e, &block, o);
        break;
    case ET_W_STATE:
        et_block_byte(&block, ET_H_STATE);
        et_block_byte(&block, (unsigned)o->value);
        break;
    default:
        et_block_byte(&block, ET_H_MARK);
        et_block_leb(&block, o->value);
        break;
    }
    put_event(e, &block, o->time, 1);
}

/* ---- decisions -------------------------------------------------------------------------------------------------- */

void et_encoder_release(struct et_encoder *e)
{
    if (!e->holding)
        return;
    e->holding = false;
    put_exception(e, &e->held);
}

static void too_old(struct et_encoder *e, uint64_t time)
{
    if (e->holding && e->timeout && time > e->held.time && time - e->held.time > e->timeout)
        et_encoder_release(e);
}

void et_encoder_poll(struct et_encoder *e, uint64_t time)
{
    if (!e->on)
        return;
    too_old(e, time);
    if (e->owed && !e->holding)
        et_encoder_sync(e, time);
}

/* STATE codes that are told whenever output is on. */
static bool always_told(uint64_t code)
{
    return code == ET_ST_RESET || code == ET_ST_FRAME_DROPPED || code == ET_ST_OFF || code == ET_ST_ON;
}

/* E4, E5. `frame`: the one that the event belongs to. */
static bool selected(const struct et_encoder *e, const struct et_occurrence *o, struct et_open frame)
{
    const struct et_selector *s = &e->selector;
    switch (o->what) {
    case ET_W_ENTRY:
    case ET_W_EXIT:
    case ET_W_RETURN:
        return s->kinds[o->what] && et_selector_number(s, o->en) && (frame.problem ? s->problem : s->supervisor) &&
               (s->sample == 1 || frame.sampled);
    case ET_W_SIGNAL:
        return s->signal && et_selector_number(s, o->en);
    case ET_W_STATE:
        return s->state || always_told(o->value);
    default:
        return true;
    }
}

static bool pairs(const struct et_encoder *e, const struct et_occurrence *o)
{
    const bool forced = (o->frc || e->held.frc) && !e->figure;
    return !forced && !o->la &&
           (o->what == ET_W_RETURN || (o->what == ET_W_ENTRY && o->tc && e->merge == ET_MERGE_TAIL));
}

/* E2 to E12 for an event while output is on. Reading: a SYNC in front of an EXIT, whose time is that of the reload, is
   not earlier than a request that was told in between: in a stream time goes back by TSA alone. */
static void decide(struct et_encoder *e, const struct et_occurrence *o, struct et_open frame)
{
    e->detected++;
    if (!e->holding && (e->owed || (e->sync_period && e->events.bytes >= e->sync_period)))
        et_encoder_sync(e, o->time > e->last_time ? o->time : e->last_time);
    too_old(e, o->time);
    if (!selected(e, o, frame)) {
        e->filtered++;
        et_encoder_release(e);
        return;
    }
    if (e->holding) {
        if (pairs(e, o)) {
            put_pair(e, o);
            return;
        }
        et_encoder_release(e);
    }
    if (o->what > ET_W_RETURN) {
        put_other(e, o);
    } else if (e->merge && o->what == ET_W_EXIT) {
        e->held = *o;
        e->holding = true;
    } else {
        put_exception(e, o);
    }
}

void et_encoder_event(struct et_encoder *e, const struct et_occurrence *o)
{
    struct et_open frame = {0};
    switch (o->what) {
    case ET_W_ENTRY:
        frame = (struct et_open){.en = o->en, .problem = o->problem};
        frame.sampled = e->on && ++e->entry_number % e->selector.sample == 0;
        e->entries[o->en]++;
        break;
    case ET_W_EXIT:
        frame = et_nest_find(&e->nest, o->en);
        break;
    case ET_W_RETURN:
        frame = e->nest.left;
        break;
    default:
        break;
    }
    if (e->on)
        decide(e, o, frame);
    et_nest_follow(&e->nest, o, frame);
}

/* ---- beginning and end ------------------------------------------------------------------------------------------ */

void et_encoder_start(struct et_encoder *e, uint64_t time)
{
    if (e->on)
        return;
    e->on = true;
    if (!e->begun) {
        const struct et_segment none = {.crc = ET_CRC16_INIT};
        e->events = e->timing = none;
        e->sequence = e->entry_number = e->lost_untold = 0;
        e->detected = e->filtered = e->emitted = e->lost = 0;
    }
    et_encoder_sync(e, time);
}

void et_encoder_stop(struct et_encoder *e)
{
    et_encoder_release(e);
    e->on = false;
}

void et_encoder_lose(struct et_encoder *e, uint64_t events)
{
    e->detected += events;
    lose(e, events);
}

void et_encoder_end(struct et_encoder *e, uint64_t time)
{
    uint8_t bytes[ET_EVENT_MAX], timing_bytes[ET_EVENT_MAX];
    struct et_block block = {0, bytes}, timing = {0, timing_bytes};
    et_encoder_release(e);
    if (!e->begun)
        return;
    if (e->owed && e->lost_untold) {
        e->on = true;
        et_encoder_sync(e, time);
    }
    et_packet_end(&block, e, &e->events);
    if (e->timing_begun)
        et_packet_end(&timing, e, &e->timing);
    e->way.put(e->way.context, bytes, block.size, timing_bytes, timing.size);
    follow(&e->events, bytes, block.size);
    e->on = e->begun = e->timing_begun = false;
}
