/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A source of exception trace: its event stream, its timing stream, and bytes of events that wait for times. */
#include "ri/trace/read/decoder.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct et_source *et_source_new(const struct et_front_calls *calls, const struct et_decoder_options *options,
                                unsigned id, bool have_id)
{
    struct et_source *source = calloc(1, sizeof *source);
    if (!source)
        return NULL;
    source->calls = calls;
    source->options = options;
    source->id = id;
    source->have_id = have_id;
    source->events.source = source->timing.source = source;
    source->timing.timing = true;
    et_config_reset(&source->config);
    et_numbers_clear(&source->numbers);
    if (options->assume) {
        source->config = *options->assume;
        source->configured = true;
        source->doubtful = true;
        source->events.state = ET_LEX_HEADER;
    }
    return source;
}

void et_source_free(struct et_source *source)
{
    if (!source)
        return;
    et_times_free(&source->times);
    free(source->held.bytes);
    free(source->held.pieces);
    free(source);
}

/* ---- bytes that wait ------------------------------------------------------------------------------------------- */

static int hold_room(struct et_held *held, size_t size)
{
    if (held->room - held->size < size) {
        size_t room = held->room ? held->room : 4096;
        while (room - held->size < size)
            room *= 2;
        uint8_t *bytes = realloc(held->bytes, room);
        if (!bytes)
            return -ENOMEM;
        held->bytes = bytes;
        held->room = room;
    }
    if (held->count == held->pieces_room) {
        const size_t room = held->pieces_room ? 2 * held->pieces_room : 16;
        struct et_piece *pieces = realloc(held->pieces, room * sizeof *pieces);
        if (!pieces)
            return -ENOMEM;
        held->pieces = pieces;
        held->pieces_room = room;
    }
    return 0;
}

static int hold(struct et_held *held, uint64_t offset, const uint8_t *bytes, size_t size)
{
    if (hold_room(held, size))
        return -ENOMEM;
    memcpy(held->bytes + held->size, bytes, size);
    held->size += size;
    struct et_piece *last = held->count > held->first ? &held->pieces[held->count - 1] : NULL;
    if (last && last->offset + last->size == offset)
        last->size += size;
    else
        held->pieces[held->count++] = (struct et_piece){offset, size};
    return 0;
}

/* What is done with goes away when it is the greater part. */
static void compact(struct et_held *held)
{
    if (held->done < 65536 || held->done < held->size / 2)
        return;
    memmove(held->bytes, held->bytes + held->done, held->size - held->done);
    memmove(held->pieces, held->pieces + held->first, (held->count - held->first) * sizeof *held->pieces);
    held->size -= held->done;
    held->count -= held->first;
    held->done = held->first = 0;
}

/* Read what is held as far as the times go. */
static void drain(struct et_source *source)
{
    struct et_held *held = &source->held;
    bool stalled = false;
    while (held->first < held->count && !stalled) {
        struct et_piece *piece = &held->pieces[held->first];
        const size_t used =
            et_stream_push(&source->events, piece->offset, held->bytes + held->done, piece->size, &stalled);
        held->done += used;
        piece->offset += used;
        piece->size -= used;
        if (!piece->size)
            held->first++;
    }
    if (held->first == held->count)
        held->size = held->done = held->first = held->count = 0;
    else
        compact(held);
}

/* More is held than may be: go on without the times. */
static void relieve(struct et_source *source)
{
    if (source->held.size - source->held.done <= ET_HELD_MAX)
        return;
    source->ended = true;
    drain(source);
    source->ended = false;
}

int et_source_push(struct et_source *source, bool timing, uint64_t offset, const uint8_t *bytes, size_t size)
{
    bool stalled = false;
    size_t used = 0;
    if (timing) {
        source->timed_apart = true;
        et_stream_push(&source->timing, offset, bytes, size, &stalled);
        drain(source);
        return 0;
    }
    if (source->held.first == source->held.count)
        used = et_stream_push(&source->events, offset, bytes, size, &stalled);
    const int code = used < size ? hold(&source->held, offset + used, bytes + used, size - used) : 0;
    relieve(source);
    return code;
}

void et_source_break(struct et_source *source)
{
    source->ended = true;
    drain(source);
    source->ended = false;
    et_stream_break(&source->events);
    if (source->timed_apart)
        et_stream_break(&source->timing);
}

void et_source_end(struct et_source *source)
{
    source->ended = true;
    if (source->timed_apart)
        et_stream_end(&source->timing);
    drain(source);
    et_stream_end(&source->events);
    et_times_end(source);
}
