/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of a separate timing stream find their events: the k-th time behind SYNC s belongs to the k-th event packet
   behind SYNC s. Whichever stream is ahead waits, within bounds. */
#include "ri/trace/read/decoder.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void et_times_free(struct et_times *times) { free(times->ring); }

/* Room for one more; false: there is none. */
static bool room(struct et_times *times)
{
    if (times->count < times->room)
        return true;
    const size_t wanted = times->room ? 2 * times->room : 256;
    struct et_time *ring = wanted > ET_TIMES_MAX ? NULL : malloc(wanted * sizeof *ring);
    if (!ring)
        return false;
    for (size_t i = 0; i < times->count; i++)
        ring[i] = times->ring[(times->first + i) % times->room];
    free(times->ring);
    times->ring = ring;
    times->room = wanted;
    times->first = 0;
    return true;
}

static void put(struct et_times *times, enum et_time_kind kind, uint64_t value)
{
    times->ring[(times->first + times->count++) % times->room] = (struct et_time){kind, value};
}

void et_times_put(struct et_source *source, enum et_time_kind kind, uint64_t value)
{
    struct et_times *times = &source->times;
    if (times->overrun && kind != ET_TIME_SYNC)
        return;
    if (room(times)) {
        put(times, kind, value);
        times->overrun = false;
    } else if (!times->overrun) { /* what comes up to the next SYNC that has room is missing */
        times->overrun = true;
        times->ring[(times->first + times->count - 1) % times->room] = (struct et_time){ET_TIME_BROKEN, 0};
    }
}

void et_times_segment(struct et_source *source, uint64_t sequence)
{
    struct et_times *times = &source->times;
    times->surplus = times->found && source->events.clean;
    times->segment = sequence;
    times->found = times->told = false;
}

static const struct et_time *front(const struct et_times *times) { return &times->ring[times->first]; }

static void pop(struct et_times *times)
{
    times->first = (times->first + 1) % times->room;
    times->count--;
}

static void tell(struct et_source *source, const char *text)
{
    struct et_times *times = &source->times;
    if (!times->told)
        et_source_tell(source, 19, source->pending.event.offset, 0, "segment %" PRIu64 ": %s", times->segment, text);
    times->told = true;
}

/* Look for the SYNC of the events' segment. As et_times_take(). */
static int find(struct et_source *source)
{
    struct et_times *times = &source->times;
    for (; times->count; pop(times)) {
        const struct et_time *time = front(times);
        if (time->kind == ET_TIME && times->surplus) {
            tell(source, "the segment before it has more times than events");
            times->surplus = times->told = false;
        }
        if (time->kind != ET_TIME_SYNC || time->value < times->segment)
            continue;
        if (time->value > times->segment)
            break;
        pop(times);
        times->found = true;
        return 1;
    }
    return times->count || source->ended ? -1 : 0;
}

int et_times_take(struct et_source *source, uint64_t *time)
{
    struct et_times *times = &source->times;
    const int found = times->found ? 1 : find(source);
    if (found <= 0) {
        if (found < 0)
            tell(source, "its times are missing in the timing stream");
        return found;
    }
    if (times->count && front(times)->kind == ET_TIME) {
        *time = front(times)->value;
        pop(times);
        return 1;
    }
    if (!times->count && !source->ended)
        return 0;
    tell(source, "times are missing in the timing stream");
    return -1;
}

void et_times_end(struct et_source *source)
{
    struct et_times *times = &source->times;
    bool left = false;
    while (times->count) {
        left |= front(times)->kind == ET_TIME;
        pop(times);
    }
    if (left && source->events.clean)
        tell(source, "times are left that belong to no event");
}

int et_read_time(struct et_source *source, const uint8_t *bytes, size_t size, const char **why)
{
    const unsigned header = bytes[0];
    uint64_t value = header - ET_H_TSS;
    int n = 1;
    if (header == ET_H_TSD || header == ET_H_TSA) {
        n = et_leb_get(bytes + 1, size - 1, &value);
        *why = "a time that is no number in its shortest form";
        if (n <= 0)
            return n ? ET_ILLEGAL : ET_MORE;
        n++;
    } else if (header < ET_H_TSS || header > ET_H_TSS_LAST) {
        *why = "in a timing stream";
        return ET_UNKNOWN;
    }
    if (header != ET_H_TSA && source->times.last + value < value)
        et_source_tell(source, 17, 0, 0, "the difference of times passes the clock's end");
    source->times.last = header == ET_H_TSA ? value : source->times.last + value;
    et_times_put(source, ET_TIME, source->times.last);
    source->timing.packets++;
    return n;
}
