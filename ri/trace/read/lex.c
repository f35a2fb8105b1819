/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes of one stream become packets. States: HUNT looks for a SYNC, HEADER expects a packet; behind an error nothing
   is believed until a SYNC has come. Every byte is in a packet or in a range that is told. */
#include "ri/trace/read/decoder.h"
#include <inttypes.h>
#include <string.h>

/* ---- ranges of bytes ------------------------------------------------------------------------------------------- */

static uint64_t where(const struct et_view *view, size_t at)
{
    return view->where ? view->where[at] : view->offset + at;
}

/* Tell what was skipped up to here. */
static void skip_end(struct et_stream *stream)
{
    const char *text = stream->skip_code == 18 ? "bytes are behind the END" : "bytes are skipped";
    if (stream->skip)
        et_source_tell(stream->source, stream->skip_code, stream->skip_at, stream->skip, "%" PRIu64 " %s", stream->skip,
                       text);
    stream->skip = 0;
}

static void skip(struct et_stream *stream, unsigned code, uint64_t offset, uint64_t length)
{
    if (stream->skip && (offset != stream->skip_at + stream->skip || code != stream->skip_code))
        skip_end(stream);
    if (!stream->skip)
        stream->skip_at = offset;
    stream->skip_code = code;
    stream->skip += length;
}

static void skip_view(struct et_stream *stream, unsigned code, const struct et_view *view, size_t from, size_t to)
{
    if (!view->where && from < to)
        skip(stream, code, view->offset + from, to - from);
    for (; view->where && from < to; from++)
        skip(stream, code, view->where[from], 1);
}

/* ---- SYNC ------------------------------------------------------------------------------------------------------ */

/* A number at bytes[*at]. As et_leb_get(). */
static int number(const uint8_t *bytes, size_t size, size_t *at, uint64_t *value)
{
    const int n = et_leb_get(bytes + *at, size - *at, value);
    if (n > 0)
        *at += (size_t)n;
    return n;
}

static int sync_frames(const uint8_t *bytes, size_t size, size_t *at, struct et_sync *sync)
{
    uint64_t value;
    int n = number(bytes, size, at, &value);
    if (n <= 0)
        return n;
    if (value >= ET_NUMBERS)
        return -1;
    sync->current = (unsigned)value;
    if ((n = number(bytes, size, at, &value)) <= 0)
        return n;
    if (!value || value > ET_FRAMES + 1)
        return -1;
    sync->open = (unsigned)value - 1;
    sync->listed = sync->open < ET_LISTED ? sync->open : ET_LISTED;
    for (unsigned i = 0; i < sync->listed; i++) {
        if ((n = number(bytes, size, at, &value)) <= 0)
            return n;
        if (value >= ET_NUMBERS)
            return -1;
        sync->frames[i] = (uint16_t)value;
    }
    return 1;
}

/* What follows the marker: how many bytes; 0: more are needed; -1: damaged. */
static int sync_body(const uint8_t *bytes, size_t size, struct et_sync *sync)
{
    uint64_t *const numbers[] = {&sync->source, &sync->sequence, &sync->packets, &sync->crc, &sync->time};
    size_t at = 2;
    int n;
    if (size < 2)
        return 0;
    sync->version = bytes[0];
    sync->flags = bytes[1];
    if (sync->version >> 4 != ET_VERSION >> 4 || !(sync->flags & ET_SYNC_FLAGS))
        return -1;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if ((n = number(bytes, size, &at, numbers[i])) <= 0)
            return n;
    if (!sync->source || sync->source > ET_SOURCES || !sync->sequence || sync->crc > 0xffff)
        return -1;
    if ((n = sync_frames(bytes, size, &at, sync)) <= 0)
        return n;
    if (at == size)
        return 0;
    return et_crc8(0, bytes, at) == bytes[at] ? (int)at + 1 : -1;
}

/* The count and the check sum that SYNC and END have of what is in front of them. */
static void check_segment(struct et_stream *stream, uint64_t packets, uint64_t crc, uint64_t offset, const char *what)
{
    struct et_source *source = stream->source;
    if (packets != stream->packets) {
        const bool fewer = stream->packets < packets;
        et_source_tell(source, 4, offset, 0, "%" PRIu64 " %s were sent, %" PRIu64 " decoded: %" PRIu64 " %s", packets,
                       what, stream->packets, fewer ? packets - stream->packets : stream->packets - packets,
                       fewer ? "missing" : "too many");
        source->damaged = true;
    }
    if (stream->clean && crc != stream->crc) {
        et_source_tell(source, 3, offset, 0,
                       "check sum %04x, not %04x: the last %" PRIu64 " %s before this place are doubtful", stream->crc,
                       (unsigned)crc, stream->packets, what);
        source->damaged = true;
    }
}

static void check_sequence(struct et_stream *stream, const struct et_sync *sync)
{
    struct et_source *source = stream->source;
    const uint64_t expected = stream->synced ? stream->sequence + 1 : 1;
    const char *what = stream->timing ? "times" : "event packets";
    /* A timing stream has those SYNCs only behind which times are separate. */
    if (sync->sequence == expected || (stream->timing && sync->sequence > expected)) {
        if (stream->synced || !stream->packets)
            check_segment(stream, sync->packets, sync->crc, sync->marker, what);
        return;
    }
    source->damaged = true;
    if (!stream->synced)
        et_source_tell(source, 10, sync->marker, 0,
                       "the stream begins with SYNC %" PRIu64 ": what was before it is missing", sync->sequence);
    else if (sync->sequence > expected)
        et_source_tell(source, 10, sync->marker, 0,
                       "SYNC %" PRIu64 " comes behind SYNC %" PRIu64 ": %" PRIu64 " missing", sync->sequence,
                       stream->sequence, sync->sequence - expected);
    else
        et_source_tell(source, 10, sync->marker, 0, "SYNC %" PRIu64 " comes behind SYNC %" PRIu64 ": repeated",
                       sync->sequence, stream->sequence);
}

static void check_source(struct et_stream *stream, const struct et_sync *sync)
{
    struct et_source *source = stream->source;
    if (!source->have_id)
        source->id = (unsigned)sync->source - 1;
    else if (source->id != sync->source - 1)
        et_source_tell(source, 11, sync->marker, 0, "the SYNC is of source %u, the stream of source %u",
                       (unsigned)sync->source - 1, source->id);
    source->have_id = true;
}

/* A SYNC that is sound. */
static void sync_accept(struct et_stream *stream, const struct et_sync *sync)
{
    struct et_source *source = stream->source;
    const bool hunted = stream->state != ET_LEX_HEADER;
    skip_end(stream);
    check_source(stream, sync);
    check_sequence(stream, sync);
    if (stream->timing) {
        source->times.last = sync->time;
        et_times_put(source, ET_TIME_SYNC, sync->sequence);
    } else {
        if (sync->flags & ET_SYNC_AFTER_LOSS && !stream->overflowed) {
            et_source_tell(source, 5, sync->marker, 0, "events are lost; how many is not known here");
            et_read_lost(source, sync->marker);
        }
        stream->clean = stream->clean && !hunted && stream->synced && sync->sequence == stream->sequence + 1;
        et_read_sync(source, sync);
        source->segments++;
    }
    stream->state = ET_LEX_HEADER;
    stream->tail = 0;
    stream->synced = stream->clean = true;
    stream->overflowed = false;
    stream->sequence = sync->sequence;
    stream->packets = 0;
    stream->crc = ET_CRC16_INIT;
}

/* A SYNC whose marker begins at `at' and has `zeros' zeros in the view: bytes of it, 0: more are needed, -1: damaged
   (which has been told). */
static int sync_read(struct et_stream *stream, const struct et_view *view, size_t at, size_t zeros)
{
    struct et_sync sync = {.marker = stream->zeros ? stream->zero_at : where(view, at)};
    const size_t body = at + zeros + 1;
    int n = sync_body(view->bytes + body, view->size - body, &sync);
    if (et_read_zeros(view->bytes + body, n > 0 ? (size_t)n : n ? 0 : view->size - body))
        n = -1;
    if (!n)
        return 0;
    if (n < 0) {
        stream->source->damaged = true;
        et_source_tell(stream->source, 2, sync.marker, 0, "a SYNC is damaged");
        return -1;
    }
    if (!(sync.flags & ET_SYNC_TIMING) != !stream->timing) {
        stream->source->damaged = true;
        et_source_tell(stream->source, 19, sync.marker, 0,
                       stream->timing ? "a SYNC of an event stream is in the timing stream"
                                      : "a SYNC of a timing stream is in the event stream");
        return -1;
    }
    const int length = (int)zeros + 1 + n;
    stream->source->packets_bytes += (uint64_t)length + stream->zeros;
    stream->zeros = 0;
    sync_accept(stream, &sync);
    return length;
}

/* ---- the states ------------------------------------------------------------------------------------------------ */

/* An error: what comes is not believed. */
static void fall(struct et_stream *stream)
{
    struct et_source *source = stream->source;
    source->damaged = true;
    stream->clean = false;
    stream->tail = 0;
    stream->state = source->options->salvage && !stream->timing ? ET_LEX_SALVAGE : ET_LEX_HUNT;
    if (stream->timing) {
        et_times_put(source, ET_TIME_BROKEN, 0);
    } else {
        et_read_break(source);
        source->doubtful = true;
    }
}

static size_t zero_run(const struct et_view *view, size_t at)
{
    size_t n = at;
    while (n < view->size && !view->bytes[n])
        n++;
    return n - at;
}

/* Returns the place up to which the view is done with; `*more': the rest is not complete. */
static size_t hunt(struct et_stream *stream, const struct et_view *view, size_t at, bool *more)
{
    const uint8_t *zero = memchr(view->bytes + at, 0, view->size - at);
    const size_t run = zero ? (size_t)(zero - view->bytes) : view->size, zeros = zero_run(view, run);
    const size_t first = zeros > ET_SYNC_ZEROS ? run + zeros - ET_SYNC_ZEROS : run;
    skip_view(stream, 1, view, at, first);
    if (run + zeros == view->size) {
        *more = true;
        return first;
    }
    if (zeros < ET_SYNC_ZEROS || view->bytes[run + zeros] != ET_SYNC_END) {
        skip_view(stream, 1, view, first, run + zeros);
        return run + zeros;
    }
    const int n = sync_read(stream, view, first, ET_SYNC_ZEROS);
    *more = !n;
    if (n >= 0)
        return first + (size_t)n;
    skip_view(stream, 1, view, first, first + 1);
    return first + 1;
}

/* The byte at `at' is no header, or `code' D07 or D16 a packet that cannot be. */
static size_t refuse(struct et_stream *stream, const struct et_view *view, size_t at, int result, const char *why)
{
    const bool silent = stream->state == ET_LEX_SALVAGE;
    const uint64_t offset = where(view, at);
    if (silent || result == ET_UNCONFIGURED) { /* D20 is told already */
        skip_view(stream, 1, view, at, at + 1);
    } else if (result == ET_EMPTY) {
        et_source_tell(stream->source, 16, offset, 0, "%s", why);
        skip_view(stream, 1, view, at, at + 1);
    } else if (result == ET_ILLEGAL) {
        et_source_tell(stream->source, 7, offset, 1, "packet %02X: %s", view->bytes[at], why);
    } else {
        et_source_tell(stream->source, 6, offset, 1, "header %02X is not known%s%s", view->bytes[at], *why ? " " : "",
                       why);
    }
    fall(stream);
    return at + 1;
}

/* Zeros that do not begin a SYNC. */
static size_t no_sync(struct et_stream *stream, const struct et_view *view, size_t at, bool damaged)
{
    const uint64_t zero_at = stream->zero_at, zeros = stream->zeros;
    stream->zeros = 0;
    if (zeros && stream->state == ET_LEX_HEADER && !damaged) {
        et_source_tell(stream->source, 6, zero_at, 1, "header 00 is not known");
        skip(stream, 1, zero_at + 1, zeros - 1);
    } else if (zeros) {
        skip(stream, 1, zero_at, zeros);
    } else if (!damaged) {
        return refuse(stream, view, at, ET_UNKNOWN, "");
    }
    skip_view(stream, 1, view, at, at + 1);
    fall(stream);
    return at + 1;
}

/* More than seven zeros, and what comes behind them is not known yet: seven stay in the view. */
static void zeros_kept(struct et_stream *stream, const struct et_view *view, size_t from, size_t to)
{
    for (; from < to; from++) {
        const uint64_t at = where(view, from);
        if (stream->zeros && at != stream->zero_at + stream->zeros) {
            skip(stream, 1, stream->zero_at, stream->zeros);
            stream->zeros = 0;
        }
        if (!stream->zeros++)
            stream->zero_at = at;
    }
}

/* A zero where a header is expected. */
static size_t sync_candidate(struct et_stream *stream, const struct et_view *view, size_t at, bool *more, bool *stalled)
{
    const size_t zeros = zero_run(view, at);
    if (at + zeros == view->size) {
        const size_t kept = zeros > ET_SYNC_ZEROS ? at + zeros - ET_SYNC_ZEROS : at;
        zeros_kept(stream, view, at, kept);
        *more = true;
        return kept;
    }
    if (zeros > ET_SYNC_ZEROS) {
        zeros_kept(stream, view, at, at + zeros - ET_SYNC_ZEROS);
        return at + zeros - ET_SYNC_ZEROS;
    }
    /* A damaged packet may have eaten some of the zeros. */
    if (zeros + stream->tail < ET_SYNC_ZEROS || view->bytes[at + zeros] != ET_SYNC_END)
        return no_sync(stream, view, at, false);
    if (!stream->timing && !et_read_ready(stream->source)) {
        *stalled = true;
        return at;
    }
    const int n = sync_read(stream, view, at, zeros);
    *more = !n;
    return n < 0 ? no_sync(stream, view, at, true) : at + (size_t)n;
}

/* The accounts at the end of a stream. As et_read_packet(). */
static int end_packet(struct et_stream *stream, const uint8_t *bytes, size_t size, uint64_t offset, const char **why)
{
    struct et_source *source = stream->source;
    uint64_t numbers[ET_END_NUMBERS + 1];
    size_t at = 1;
    *why = "a number that is not in its shortest form";
    for (unsigned i = 0; i <= ET_END_NUMBERS; i++) {
        const int n = number(bytes, size, &at, &numbers[i]);
        if (n < 0)
            return ET_ILLEGAL;
        if (!n)
            return et_read_zeros(bytes, size) ? ET_ILLEGAL : ET_MORE;
    }
    if (at == size)
        return ET_MORE;
    *why = "it reaches over a SYNC";
    if (et_read_zeros(bytes, at + 1))
        return ET_ILLEGAL;
    *why = "the check sum of END is wrong";
    if (et_crc8(0, bytes + 1, at - 1) != bytes[at])
        return ET_ILLEGAL;
    check_segment(stream, numbers[ET_END_PACKETS], numbers[ET_END_NUMBERS], offset,
                  stream->timing ? "times" : "event packets");
    if (!stream->timing) {
        const uint64_t sum = numbers[ET_END_FILTERED] + numbers[ET_END_EMITTED] + numbers[ET_END_LOST];
        if (numbers[ET_END_DETECTED] != sum)
            et_source_tell(source, 21, offset, 0,
                           "%" PRIu64 " detected, but %" PRIu64 " filtered, %" PRIu64 " emitted and %" PRIu64 " lost",
                           numbers[ET_END_DETECTED], numbers[ET_END_FILTERED], numbers[ET_END_EMITTED],
                           numbers[ET_END_LOST]);
        if (!source->damaged && source->emitted != numbers[ET_END_EMITTED])
            et_source_tell(source, 21, offset, 0, "%" PRIu64 " events emitted, %" PRIu64 " decoded",
                           numbers[ET_END_EMITTED], source->emitted);
        if (!source->damaged && !source->lost_unknown && source->lost != numbers[ET_END_LOST])
            et_source_tell(source, 21, offset, 0, "%" PRIu64 " events lost, %" PRIu64 " told by OVF",
                           numbers[ET_END_LOST], source->lost);
        source->lost = numbers[ET_END_LOST];
        source->lost_unknown = false;
        et_read_end(source, numbers, offset);
    }
    return (int)at + 1;
}

/* A packet of the stream's kind, END too. */
static int packet(struct et_stream *stream, const uint8_t *bytes, size_t size, uint64_t offset, const char **why)
{
    if (bytes[0] != ET_H_END)
        return stream->timing ? et_read_time(stream->source, bytes, size, why)
                              : et_read_packet(stream->source, bytes, size, offset, why);
    if (!stream->timing && !et_read_ready(stream->source))
        return ET_STALL;
    const int n = end_packet(stream, bytes, size, offset, why);
    if (n > 0)
        stream->state = ET_LEX_ENDED;
    return n;
}

static size_t header(struct et_stream *stream, const struct et_view *view, size_t at, bool *more, bool *stalled)
{
    const uint8_t *bytes = view->bytes + at;
    const char *why = "";
    if (!bytes[0])
        return sync_candidate(stream, view, at, more, stalled);
    const int n = packet(stream, bytes, view->size - at, where(view, at), &why);
    if (n > 0) {
        skip_end(stream);
        for (stream->tail = 0; stream->tail < (unsigned)n && !bytes[(unsigned)n - 1 - stream->tail];)
            stream->tail++;
        stream->crc = et_crc16(stream->crc, bytes, (size_t)n);
        stream->source->packets_bytes += (unsigned)n;
        return at + (size_t)n;
    }
    *more = n == ET_MORE;
    *stalled = n == ET_STALL;
    return *more || *stalled ? at : refuse(stream, view, at, n, why);
}

/* Returns how much of the view is done with. */
static size_t read_view(struct et_stream *stream, const struct et_view *view, bool *stalled)
{
    bool more = false;
    size_t at = 0;
    while (at < view->size && !more && !*stalled) {
        switch (stream->state) {
        case ET_LEX_HUNT:
            at = hunt(stream, view, at, &more);
            break;
        case ET_LEX_ENDED:
            skip_view(stream, 18, view, at, view->size);
            at = view->size;
            break;
        default:
            at = header(stream, view, at, &more, stalled);
        }
    }
    return at;
}

/* ---- input ----------------------------------------------------------------------------------------------------- */

/* With the beginning of a packet that came before; returns how much of the new bytes is done with. */
static size_t push_carried(struct et_stream *stream, uint64_t offset, const uint8_t *bytes, size_t size, bool *stalled)
{
    const size_t old = stream->carried, add = size < ET_CARRY - old ? size : ET_CARRY - old;
    memcpy(stream->carry + old, bytes, add);
    for (size_t i = 0; i < add; i++)
        stream->where[old + i] = offset + i;
    const struct et_view view = {stream->carry, old + add, stream->where, 0};
    const size_t done = read_view(stream, &view, stalled);
    if (done >= old) { /* what is left is in the new bytes alone */
        stream->carried = 0;
        return done - old;
    }
    const size_t left = (*stalled ? old : old + add) - done;
    memmove(stream->carry, stream->carry + done, left);
    memmove(stream->where, stream->where + done, left * sizeof *stream->where);
    stream->carried = left;
    return *stalled ? 0 : add;
}

size_t et_stream_push(struct et_stream *stream, uint64_t offset, const uint8_t *bytes, size_t size, bool *stalled)
{
    size_t used = 0;
    *stalled = false;
    while (used < size && !*stalled) {
        if (stream->carried) {
            used += push_carried(stream, offset + used, bytes + used, size - used, stalled);
            continue;
        }
        const struct et_view view = {bytes + used, size - used, NULL, offset + used};
        used += read_view(stream, &view, stalled);
        if (used < size && !*stalled) { /* the beginning of a packet, shorter than the longest one */
            stream->carried = size - used;
            memcpy(stream->carry, bytes + used, stream->carried);
            for (size_t i = 0; i < stream->carried; i++)
                stream->where[i] = offset + used + i;
            used = size;
        }
    }
    return used;
}

/* What was begun is not completed: told by `code'. */
static void carried_end(struct et_stream *stream, unsigned code)
{
    const struct et_view view = {stream->carry, stream->carried, stream->where, 0};
    if (code == 1) {
        if (stream->zeros)
            skip(stream, 1, stream->zero_at, stream->zeros);
        skip_view(stream, 1, &view, 0, view.size);
    } else {
        for (size_t from = 0, to; from < view.size; from = to) {
            for (to = from + 1; to < view.size && view.where[to] == view.where[to - 1] + 1;)
                to++;
            et_source_tell(stream->source, code, view.where[from], to - from, "the stream ends inside a packet");
        }
        if (stream->zeros)
            et_source_tell(stream->source, code, stream->zero_at, stream->zeros, "the stream ends inside a packet");
    }
    stream->zeros = 0;
    stream->carried = 0;
}

void et_stream_break(struct et_stream *stream)
{
    if (stream->state == ET_LEX_ENDED)
        return;
    fall(stream);
    stream->state = ET_LEX_HUNT;
    carried_end(stream, 1);
}

void et_stream_end(struct et_stream *stream)
{
    if (stream->carried || stream->zeros) {
        const bool marked = stream->carried > ET_SYNC_ZEROS && stream->carry[ET_SYNC_ZEROS] == ET_SYNC_END;
        const bool inside = stream->state == ET_LEX_HEADER || marked;
        stream->source->damaged = true;
        if (inside)
            skip_end(stream);
        carried_end(stream, inside ? 8 : 1);
    }
    skip_end(stream);
    if (!stream->timing) {
        et_read_break(stream->source);
        if (stream->state != ET_LEX_ENDED)
            et_source_tell(stream->source, 9, 0, 0, "the stream has no END");
    }
}
