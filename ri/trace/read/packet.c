/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets of exception trace become raw events: their fields, numbers under compression, times. An event waits for the
   packets that belong to it (INFO, ADDR, time), at most until another packet begins. */
#include "ri/trace/read/decoder.h"
#include <inttypes.h>
#include <string.h>

#define LEFT_OUT (-2) /* as a number: OMIT */

/* ---- handing on ------------------------------------------------------------------------------------------------ */

static void deliver(struct et_source *source, struct et_raw *raw)
{
    raw->event.source = source->id;
    source->calls->raw(source->calls->context, raw);
}

static unsigned shift(const struct et_source *source) { return (unsigned)ET_GET(&source->config, ETTS, SHIFT); }

/* An empty raw event that begins at `offset'. */
static struct et_raw *begin(struct et_source *source, struct et_raw *raw, enum et_kind kind, uint64_t offset)
{
    memset(&raw->event, 0, sizeof raw->event);
    raw->config = NULL;
    raw->event.kind = kind;
    raw->event.offset = offset;
    raw->event.index = source->index;
    raw->event.time = source->last_time;
    raw->event.flags = source->doubtful ? ET_E_DOUBTFUL : 0;
    return raw;
}

/* The clock stands at `clock', shifted. */
static void set_clock(struct et_source *source, uint64_t clock)
{
    source->clock = clock;
    source->last_time = clock << shift(source);
    source->last_known = true;
    source->clock_changed = false;
}

static void stamp(struct et_source *source, struct et_raw *raw, bool known)
{
    raw->event.time_known = known;
    raw->event.time = source->last_time;
}

static void pending_out(struct et_source *source, bool known)
{
    if (source->have_first) {
        stamp(source, &source->first, known);
        deliver(source, &source->first);
    }
    stamp(source, &source->pending, known);
    deliver(source, &source->pending);
    source->have_pending = source->have_first = false;
    if (source->pending.event.kind == ET_K_STATE && source->pending.event.value == ET_ST_TOD_CHANGED)
        source->clock_changed = true;
}

bool et_read_flush(struct et_source *source)
{
    uint64_t time;
    if (!source->have_pending)
        return true;
    if (ET_GET(&source->config, ETTS, TSM) != ET_TSM_SEPARATE) {
        pending_out(source, source->timed);
        return true;
    }
    const int taken = et_times_take(source, &time);
    if (!taken)
        return false;
    if (taken > 0)
        set_clock(source, time);
    pending_out(source, taken > 0);
    return true;
}

/* ---- SYNC and configuration ------------------------------------------------------------------------------------ */

void et_read_sync(struct et_source *source, const struct et_sync *sync)
{
    struct et_raw *raw = begin(source, &source->sync, ET_K_SYNC, sync->marker);
    raw->event.value = sync->sequence;
    raw->event.en_known = true;
    raw->event.en = sync->current;
    raw->event.time = sync->time;
    raw->broken = !source->events.clean || sync->flags & ET_SYNC_AFTER_LOSS;
    raw->open = sync->open;
    raw->listed = sync->listed;
    memcpy(raw->frames, sync->frames, sizeof raw->frames);
    source->sync_waits = true;
    source->sync_registers = 0;
    et_config_reset(&source->next);
    et_numbers_clear(&source->numbers);
    memset(source->addresses, 0, sizeof source->addresses);
    et_times_segment(source, sync->sequence);
}

static void told_config(struct et_source *source, unsigned index, uint64_t offset)
{
    struct et_raw raw = {.config = NULL};
    begin(source, &raw, ET_K_CONFIG, offset);
    raw.event.time_known = true;
    raw.event.reg = index;
    raw.event.value = source->config.reg[index];
    deliver(source, &raw);
}

/* Is the clock of the SYNC behind what was last told, and nobody set it? */
static void look_back(struct et_source *source, uint64_t clock)
{
    if (source->last_known && !source->clock_changed && source->last_clock == ET_GET(&source->config, ETTS, CLK) &&
        source->last_time >> shift(source) > clock)
        et_source_tell(source, 17, source->sync.event.offset, 0,
                       "the time of the SYNC is before that of the event in front of it");
}

/* All CFG packets behind the SYNC have come. False: there are none, and it is not known what the packets mean. */
static bool sync_complete(struct et_source *source)
{
    const unsigned wanted = 1u << ETCR | 1u << ETFR | 1u << ETTS;
    const uint64_t clock = source->sync.event.time;
    const bool complete = (source->sync_registers & wanted) == wanted;
    source->sync_waits = false;
    source->doubtful = false;
    if (complete) {
        source->config = source->next;
        source->configured = true;
    } else {
        source->damaged = true;
        source->doubtful = true;
        et_source_tell(source, 20, source->sync.event.offset, 0, "ETCR, ETFR and ETTS do not follow the SYNC%s",
                       source->configured ? "; the configuration before it is assumed" : "");
    }
    look_back(source, clock);
    set_clock(source, clock);
    source->last_clock = (unsigned)ET_GET(&source->config, ETTS, CLK);
    source->sync.config = &source->config;
    source->sync.event.time_known = true;
    source->sync.event.time = source->last_time;
    source->sync.event.index = source->index;
    deliver(source, &source->sync);
    for (unsigned i = 0; i < ET_REGISTERS && complete; i++)
        if (source->sync_registers & 1u << i)
            told_config(source, i, source->sync_offset[i]);
    return source->configured;
}

static int config_packet(struct et_source *source, const uint8_t *bytes, size_t size, uint64_t offset, const char **why)
{
    uint64_t value;
    if (size < 2)
        return ET_MORE;
    const unsigned index = bytes[1] - 1u;
    *why = "no such register";
    if (index >= ET_REGISTERS)
        return ET_ILLEGAL;
    const int n = et_leb_get(bytes + 2, size - 2, &value);
    *why = "the register's value is no number in its shortest form";
    if (n <= 0)
        return n ? ET_ILLEGAL : ET_MORE;
    if (source->sync_waits) {
        source->next.reg[index] = value;
        source->sync_registers |= 1u << index;
        source->sync_offset[index] = offset;
    } else {
        source->config.reg[index] = value;
        told_config(source, index, offset);
    }
    return 2 + n;
}

/* ---- exception packets ----------------------------------------------------------------------------------------- */

static void strict(struct et_source *source, uint64_t offset, unsigned reserved)
{
    if (source->options->strict && reserved)
        et_source_tell(source, 7, offset, 0, "reserved bits %02X are not zero", reserved);
}

static enum et_kind kind_of(unsigned flags)
{
    static const uint8_t kinds[] = {ET_K_EXIT, ET_K_ENTRY, ET_K_EXIT, ET_K_RETURN};
    return kinds[flags >> 4 & 3];
}

static void event(struct et_source *source, struct et_raw *raw, enum et_kind kind, int en, unsigned flags,
                  uint64_t offset)
{
    begin(source, raw, kind, offset);
    raw->event.en_known = en >= 0;
    raw->event.en = en >= 0 ? (unsigned)en : 0;
    raw->event.flags |=
        (flags & ET_P_TC ? ET_E_TC : 0) | (flags & ET_P_LA ? ET_E_LA : 0) | (flags & ET_P_FRC ? ET_E_FRC : 0);
    source->emitted++;
}

static void packet_begun(struct et_source *source)
{
    source->have_pending = true;
    source->timed = false;
    source->stage = 0;
    source->index++;
    source->events.packets++;
}

static const char *flags_wrong(unsigned flags)
{
    const unsigned fn = flags >> 4 & 3;
    if (fn == ET_FN_MERGED)
        return "kind of event 0 where it has no meaning";
    if (flags & ET_P_LA && fn != ET_FN_ENTRY)
        return "late arrival of what is no entry";
    if (flags & ET_P_TC && fn == ET_FN_RETURN)
        return "tail-chain flag on a return";
    return NULL;
}

/* An event with flag byte `flags' whose packet has `n' bytes; `en' as it was found. */
static int single(struct et_source *source, int en, unsigned flags, int n, uint64_t offset, const char **why)
{
    *why = flags_wrong(flags);
    if (*why)
        return ET_ILLEGAL;
    if (en == -1)
        return ET_EMPTY;
    event(source, &source->pending, kind_of(flags), en, flags, offset);
    packet_begun(source);
    return n;
}

static int full(struct et_source *source, const uint8_t *bytes, uint64_t offset, const char **why)
{
    const bool figure = ET_GET(&source->config, ETFR, FIG);
    const unsigned en = bytes[1] | (bytes[2] & ET_P_EN8) << 8;
    const unsigned reserved = bytes[2] & (figure ? 0x8eu : 0x06u);
    const int n = single(source, (int)en, bytes[2] & ~reserved, 3, offset, why);
    if (n > 0) {
        strict(source, offset, reserved);
        et_numbers_told(&source->numbers, &source->config, en);
    }
    return n;
}

/* The number that a reduced field means; -1: it means none. */
static int reduced(const struct et_source *source, unsigned field)
{
    const struct et_config *config = &source->config;
    const unsigned en = field + (ET_GET(config, ETFR, REDOFS) ? (unsigned)ET_GET(config, ETFR, REDBASE) : 0);
    return field > ET_GET(config, ETFR, REDMAX) || en >= ET_NUMBERS ? -1 : (int)en;
}

static int red(struct et_source *source, const uint8_t *bytes, uint64_t offset, const char **why)
{
    const int en = reduced(source, bytes[1] & 15);
    if (en < 0) {
        *why = "a reduced number that is greater than the configuration admits";
        return ET_ILLEGAL;
    }
    const int n = single(source, en, bytes[1] & 0xf0, 2, offset, why);
    if (n > 0)
        et_numbers_told(&source->numbers, &source->config, (unsigned)en);
    return n;
}

static int omitted(struct et_source *source, const uint8_t *bytes, uint64_t offset, const char **why)
{
    const unsigned reserved = bytes[1] & (ET_GET(&source->config, ETFR, FIG) ? 0x8fu : 0x07u);
    const int n = single(source, LEFT_OUT, bytes[1] & ~reserved, 2, offset, why);
    if (n > 0)
        strict(source, offset, reserved);
    return n;
}

static int same(struct et_source *source, const uint8_t *bytes, uint64_t offset, const char **why)
{
    const unsigned reserved = bytes[1] & (ET_GET(&source->config, ETFR, FIG) ? 0x8fu : 0x07u);
    *why = flags_wrong(bytes[1] & ~reserved);
    if (*why)
        return ET_ILLEGAL;
    const int n =
        single(source, et_numbers_same(&source->numbers, &source->config), bytes[1] & ~reserved, 2, offset, why);
    *why = "a number is left out, and none came before that it could be";
    if (n > 0)
        strict(source, offset, reserved);
    return n;
}

static int fifo(struct et_source *source, const uint8_t *bytes, uint64_t offset, const char **why)
{
    const unsigned mask = (2u << ET_GET(&source->config, ETFR, FIFOSZ)) - 1;
    const unsigned reserved = (bytes[1] & 15 & ~mask) | (ET_GET(&source->config, ETFR, FIG) ? bytes[1] & 0x80u : 0);
    *why = flags_wrong(bytes[1] & 0xf0 & ~reserved);
    if (*why)
        return ET_ILLEGAL;
    const int en = et_numbers_fifo(&source->numbers, &source->config, bytes[1] & mask);
    const int n = single(source, en, bytes[1] & 0xf0 & ~reserved, 2, offset, why);
    *why = "the entry of the list of earlier numbers is empty";
    if (n > 0)
        strict(source, offset, reserved);
    return n;
}

/* EXIT(en1) with RETURN(en2) or a tail-chained ENTRY(en2). */
static int pair(struct et_source *source, unsigned en1, unsigned en2, bool tail, int n, uint64_t offset)
{
    event(source, &source->first, ET_K_EXIT, (int)en1, 0, offset);
    event(source, &source->pending, tail ? ET_K_ENTRY : ET_K_RETURN, (int)en2, tail ? ET_P_TC : 0, offset);
    source->have_first = true;
    packet_begun(source);
    et_numbers_told(&source->numbers, &source->config, en1);
    et_numbers_told(&source->numbers, &source->config, en2);
    return n;
}

static int merged(struct et_source *source, const uint8_t *bytes, uint64_t offset, const char **why)
{
    const bool figure = ET_GET(&source->config, ETFR, FIG);
    const unsigned flags = bytes[3], fn = flags >> 4 & 3;
    *why = "a merged packet of kinds that do not merge";
    if (fn > ET_FN_ENTRY || (fn == ET_FN_ENTRY && figure) || (fn == ET_FN_MERGED && flags & ET_P_TC))
        return ET_ILLEGAL;
    strict(source, offset, flags & 0x8c);
    return pair(source, bytes[1] | (flags & 1) << 8, bytes[2] | (flags & 2) << 7, fn == ET_FN_ENTRY, 4, offset);
}

static int red2(struct et_source *source, const uint8_t *bytes, uint64_t offset, const char **why)
{
    const int en1 = reduced(source, bytes[1] >> 4), en2 = reduced(source, bytes[1] & 15);
    *why = "a reduced number that is greater than the configuration admits";
    return en1 < 0 || en2 < 0 ? ET_ILLEGAL : pair(source, (unsigned)en1, (unsigned)en2, false, 2, offset);
}

/* The figures of the document give one header several meanings: which, the configuration says. */
static int figure(struct et_source *source, const uint8_t *bytes, uint64_t offset, const char **why)
{
    const struct et_config *config = &source->config;
    if (ET_GET(config, ETFR, OMIT))
        return omitted(source, bytes, offset, why);
    if (ET_GET(config, ETFR, RED)) {
        const uint8_t plain[2] = {bytes[0], bytes[1] & 0x7f};
        const int n = red(source, plain, offset, why);
        if (n > 0)
            strict(source, offset, bytes[1] & 0x80);
        return n;
    }
    if (ET_GET(config, ETFR, COMP) == ET_COMP_FIFO)
        return fifo(source, bytes, offset, why);
    if (ET_GET(config, ETFR, COMP))
        return same(source, bytes, offset, why);
    *why = "the configuration has no packet without a number";
    return ET_ILLEGAL;
}

bool et_read_zeros(const uint8_t *bytes, size_t size)
{
    unsigned zeros = 0;
    for (size_t i = 0; i < size && zeros < ET_SYNC_ZEROS; i++)
        zeros = bytes[i] ? 0 : zeros + 1;
    return zeros == ET_SYNC_ZEROS;
}

/* The length byte of a packet and what it counts: 0, or why it is refused. */
static const char *length_wrong(const uint8_t *bytes, size_t size)
{
    const size_t length = bytes[1], have = size - 2 < length ? size - 2 : length;
    if (!length || length > 127)
        return "a length that is not 1 to 127";
    return et_read_zeros(bytes + 2, have) ? "it reaches over a SYNC" : NULL;
}

/* ---- what belongs to an event ---------------------------------------------------------------------------------- */

static int information(struct et_source *source, const uint8_t *bytes, size_t size, const char **why)
{
    struct et_event *event = &source->pending.event;
    if (size < 2)
        return ET_MORE;
    const size_t length = bytes[1];
    *why = "information of no event";
    if (!source->have_pending || source->timed || source->stage ||
        (event->kind != ET_K_ENTRY && event->kind != ET_K_SIGNAL))
        return ET_ILLEGAL;
    if ((*why = length_wrong(bytes, size)))
        return ET_ILLEGAL;
    if (size < 2 + length)
        return ET_MORE;
    *why = "tags and values do not fill the length";
    for (size_t at = 2; at < 2 + length;) {
        const unsigned tag = bytes[at++];
        uint64_t value;
        const int n = et_leb_get(bytes + at, 2 + length - at, &value);
        if (n <= 0) {
            event->given = 0;
            return ET_ILLEGAL;
        }
        at += (unsigned)n;
        if (tag >= ET_INFO_CODE && tag <= ET_INFO_BEAR) {
            event->given |= 1u << tag;
            event->info[tag] = value;
        }
    }
    source->stage = 1;
    return 2 + (int)length;
}

static int address(struct et_source *source, const uint8_t *bytes, size_t size, const char **why)
{
    struct et_event *event = &source->pending.event;
    uint64_t value;
    if (size < 2)
        return ET_MORE;
    const unsigned kind = bytes[1];
    *why = "an address of no event";
    if (!source->have_pending || source->timed || kind < ET_ADDR_OLD || kind > ET_ADDR_RETURN || source->stage > kind ||
        event->kind != (kind == ET_ADDR_RETURN ? ET_K_RETURN : ET_K_ENTRY))
        return ET_ILLEGAL;
    const int n = et_leb_get(bytes + 2, size - 2, &value);
    *why = "an address that is no number in its shortest form";
    if (n <= 0)
        return n ? ET_ILLEGAL : ET_MORE;
    const uint64_t at = source->addresses[kind] += et_unzigzag(value);
    if (kind == ET_ADDR_OLD) {
        event->old_known = true;
        event->old_address = at;
    } else if (kind == ET_ADDR_NEW) {
        event->new_known = true;
        event->new_address = at;
    } else {
        event->return_known = true;
        event->return_address = at;
    }
    source->stage = 1 + kind;
    return 2 + n;
}

/* A time `value', or a difference to the last one. */
static int time_of_event(struct et_source *source, bool absolute, uint64_t value, int n, const char **why)
{
    *why = "a time of no event";
    if (!source->have_pending || source->timed || ET_GET(&source->config, ETTS, TSM) != ET_TSM_INLINE)
        return ET_ILLEGAL;
    const uint64_t clock = absolute ? value : source->clock + value;
    if (!absolute && clock < value)
        et_source_tell(source, 17, source->pending.event.offset, 0, "the difference of times passes the clock's end");
    set_clock(source, clock);
    source->timed = true;
    pending_out(source, true);
    return n;
}

static int time_packet(struct et_source *source, const uint8_t *bytes, size_t size, const char **why)
{
    uint64_t value;
    const int n = et_leb_get(bytes + 1, size - 1, &value);
    *why = "a time that is no number in its shortest form";
    if (n <= 0)
        return n ? ET_ILLEGAL : ET_MORE;
    return time_of_event(source, bytes[0] == ET_H_TSA, value, 1 + n, why);
}

/* ---- other packets --------------------------------------------------------------------------------------------- */

static int signal(struct et_source *source, const uint8_t *bytes, uint64_t offset)
{
    const unsigned en = bytes[1] | (bytes[2] & ET_P_EN8) << 8;
    event(source, &source->pending, ET_K_SIGNAL, (int)en, 0, offset);
    if (bytes[2] & ET_SIG_WITHDRAWN)
        source->pending.event.flags |= ET_E_WITHDRAWN;
    strict(source, offset, bytes[2] & 0x7e);
    packet_begun(source);
    return 3;
}

static int state(struct et_source *source, const uint8_t *bytes, uint64_t offset, const char **why)
{
    *why = "no such state";
    if (!bytes[1] || bytes[1] > ET_ST_TOD_CHANGED)
        return ET_ILLEGAL;
    event(source, &source->pending, ET_K_STATE, LEFT_OUT, 0, offset);
    source->pending.event.value = bytes[1];
    packet_begun(source);
    return 2;
}

static int mark(struct et_source *source, const uint8_t *bytes, size_t size, uint64_t offset, const char **why)
{
    uint64_t value;
    const int n = et_leb_get(bytes + 1, size - 1, &value);
    *why = "a value that is no number in its shortest form";
    if (n <= 0)
        return n ? ET_ILLEGAL : ET_MORE;
    event(source, &source->pending, ET_K_MARK, LEFT_OUT, 0, offset);
    source->pending.event.value = value;
    packet_begun(source);
    return 1 + n;
}

/* What is no event packet and is told at once. */
static void tell_now(struct et_source *source, struct et_raw *raw)
{
    stamp(source, raw, source->last_known);
    raw->event.numbers = raw->numbers;
    deliver(source, raw);
}

static int counts(struct et_source *source, const uint8_t *bytes, size_t size, uint64_t offset, const char **why)
{
    struct et_raw raw;
    if (size < 2)
        return ET_MORE;
    const size_t length = bytes[1];
    if ((*why = length_wrong(bytes, size)))
        return ET_ILLEGAL;
    if (size < 2 + length)
        return ET_MORE;
    *why = "numbers and counts do not fill the length";
    for (unsigned pass = 0; pass < 2; pass++) { /* look at all before any is told */
        begin(source, &raw, ET_K_COUNTS, offset);
        for (size_t at = 2; at < 2 + length;) {
            uint64_t pair[2];
            for (unsigned i = 0; i < 2; i++) {
                const int n = et_leb_get(bytes + at, 2 + length - at, &pair[i]);
                if (n <= 0)
                    return ET_ILLEGAL;
                at += (unsigned)n;
            }
            if (pair[0] >= ET_NUMBERS)
                return ET_ILLEGAL;
            memcpy(raw.numbers + raw.event.count, pair, sizeof pair);
            raw.event.count += 2;
            if (raw.event.count == ET_PACKETED || at == 2 + length) {
                if (pass)
                    tell_now(source, &raw);
                raw.event.count = 0;
            }
        }
    }
    return 2 + (int)length;
}

static int overflow(struct et_source *source, const uint8_t *bytes, size_t size, uint64_t offset, const char **why)
{
    struct et_raw raw;
    uint64_t lost;
    const int n = et_leb_get(bytes + 1, size - 1, &lost);
    *why = "a number of lost events that is not in its shortest form";
    if (n <= 0)
        return n ? ET_ILLEGAL : ET_MORE;
    source->lost += lost;
    source->events.overflowed = true;
    et_source_tell(source, 5, offset, 0, "%" PRIu64 " events are lost", lost);
    begin(source, &raw, ET_K_LOST, offset)->event.value = lost;
    tell_now(source, &raw);
    return 1 + n;
}

/* ---- dispatch -------------------------------------------------------------------------------------------------- */

static bool belongs(unsigned header)
{
    return header == ET_H_INFO || header == ET_H_ADDR || header == ET_H_TSD || header == ET_H_TSA ||
           (header >= ET_H_TSS && header <= ET_H_TSS_LAST);
}

/* Bytes of a packet of fixed length, 0: it has none, or is unknown. */
static unsigned fixed_length(unsigned header)
{
    switch (header) {
    case ET_H_OMIT:
    case ET_H_RED2:
    case ET_H_SAME:
    case ET_H_FIFO:
    case ET_H_RED:
    case ET_H_STATE:
        return 2;
    case ET_H_FULL:
    case ET_H_SIG:
        return 3;
    case ET_H_MERGED:
        return 4;
    default:
        return 0;
    }
}

static int fixed_packet(struct et_source *source, const uint8_t *bytes, uint64_t offset, const char **why)
{
    const bool figures = ET_GET(&source->config, ETFR, FIG);
    switch (bytes[0]) {
    case ET_H_FULL:
        return full(source, bytes, offset, why);
    case ET_H_MERGED:
        return merged(source, bytes, offset, why);
    case ET_H_OMIT:
        return figures ? figure(source, bytes, offset, why) : omitted(source, bytes, offset, why);
    case ET_H_SIG:
        return signal(source, bytes, offset);
    case ET_H_STATE:
        return state(source, bytes, offset, why);
    default:
        break;
    }
    *why = "not in figure mode";
    if (figures)
        return ET_UNKNOWN;
    switch (bytes[0]) {
    case ET_H_RED:
        return red(source, bytes, offset, why);
    case ET_H_RED2:
        return red2(source, bytes, offset, why);
    case ET_H_SAME:
        return same(source, bytes, offset, why);
    default:
        return fifo(source, bytes, offset, why);
    }
}

static int long_packet(struct et_source *source, const uint8_t *bytes, size_t size, uint64_t offset, const char **why)
{
    switch (bytes[0]) {
    case ET_H_INFO:
        return information(source, bytes, size, why);
    case ET_H_ADDR:
        return address(source, bytes, size, why);
    case ET_H_TSD:
    case ET_H_TSA:
        return time_packet(source, bytes, size, why);
    case ET_H_CFG:
        return config_packet(source, bytes, size, offset, why);
    case ET_H_MARK:
        return mark(source, bytes, size, offset, why);
    case ET_H_CNT:
        return counts(source, bytes, size, offset, why);
    case ET_H_OVF:
        return overflow(source, bytes, size, offset, why);
    default:
        *why = "";
        return ET_UNKNOWN;
    }
}

int et_read_packet(struct et_source *source, const uint8_t *bytes, size_t size, uint64_t offset, const char **why)
{
    const unsigned header = bytes[0];
    if (header >= ET_H_TSS && header <= ET_H_TSS_LAST)
        return time_of_event(source, false, header - ET_H_TSS, 1, why);
    if (source->have_pending && !belongs(header)) {
        *why = "no time is behind the event";
        if (ET_GET(&source->config, ETTS, TSM) == ET_TSM_INLINE && !source->timed)
            return ET_ILLEGAL;
        if (!et_read_flush(source))
            return ET_STALL;
    }
    if (source->sync_waits && header != ET_H_CFG && !sync_complete(source))
        return ET_UNCONFIGURED;
    *why = "behind a loss comes a SYNC";
    if (source->events.overflowed)
        return ET_ILLEGAL;
    const unsigned fixed = fixed_length(header);
    if (!fixed)
        return long_packet(source, bytes, size, offset, why);
    return size < fixed ? ET_MORE : fixed_packet(source, bytes, offset, why);
}

void et_read_end(struct et_source *source, const uint64_t numbers[ET_END_NUMBERS], uint64_t offset)
{
    struct et_raw raw;
    begin(source, &raw, ET_K_END, offset)->event.count = ET_END_NUMBERS;
    memcpy(raw.numbers, numbers, ET_END_NUMBERS * sizeof *numbers);
    tell_now(source, &raw);
}

bool et_read_ready(struct et_source *source)
{
    if (source->have_pending && !source->timed && ET_GET(&source->config, ETTS, TSM) == ET_TSM_INLINE) {
        source->damaged = true;
        et_source_tell(source, 7, source->pending.event.offset, 0, "no time is behind the event");
    }
    if (!et_read_flush(source))
        return false;
    if (source->sync_waits)
        sync_complete(source);
    return true;
}

void et_read_lost(struct et_source *source, uint64_t offset)
{
    struct et_raw raw;
    source->lost_unknown = true;
    begin(source, &raw, ET_K_LOST, offset)->event.value = UINT64_MAX;
    tell_now(source, &raw);
}

void et_read_break(struct et_source *source)
{
    uint64_t time;
    if (source->have_pending) {
        const bool separate = ET_GET(&source->config, ETTS, TSM) == ET_TSM_SEPARATE;
        const bool taken = separate && et_times_take(source, &time) > 0;
        if (taken)
            set_clock(source, time);
        pending_out(source, taken || source->timed);
    }
    if (source->sync_waits)
        sync_complete(source);
    et_numbers_clear(&source->numbers);
}
