/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What came from outside, with its place: the instructions that all CPUs had carried out, the clock (an idle guest
   carries out nothing while it goes on), and whether the guest was idle. While something of that is to come again the
   guest gets nothing else. */
#include "emu/history/internal.h"
#include <stdlib.h>
#include <string.h>

#define EVENTS      (1u << 25)
#define EVENT_BYTES (UINT64_C(1) << 30)
#define ONE_EVENT   sizeof(struct event)

static void truncate_to(struct history *h, unsigned count)
{
    while (h->event_count > count) {
        h->event_bytes -= ONE_EVENT + h->events[--h->event_count].length;
        free(h->events[h->event_count].bytes);
    }
    if (h->event > count)
        h->event = count;
}

void events_free(struct history *h)
{
    truncate_to(h, 0);
    free(h->events);
    h->events = NULL;
    h->event_room = 0;
}

void events_forget_future(struct history *h)
{
    if (h->event < h->event_count)
        recording_future_gone(h);
    truncate_to(h, h->event);
}

static bool room_for_event(struct history *h)
{
    if (h->event_count < h->event_room)
        return true;
    const unsigned room = 2 * h->event_room + 64;
    struct event *more = room > EVENTS ? NULL : realloc(h->events, room * sizeof *more);
    if (!more)
        return false;
    h->events = more;
    h->event_room = room;
    return true;
}

bool events_add(struct history *h, const struct event *from, const void *bytes)
{
    struct event e = *from;
    e.bytes = malloc(e.length + 1);
    if (!e.bytes || h->event_bytes > EVENT_BYTES || !room_for_event(h)) {
        free(e.bytes);
        return false;
    }
    if (e.length)
        memcpy(e.bytes, bytes, e.length);
    e.bytes[e.length] = 0;
    h->event_bytes += ONE_EVENT + e.length;
    h->events[h->event_count++] = e;
    return true;
}

struct event events_now(const struct history *h, unsigned kind, bool idle, uint64_t value)
{
    const struct machine *m = h->machine;
    return (struct event){.instructions = machine_instructions(m),
                          .time = history_clock(h),
                          .turn = (uint8_t)m->turn,
                          .used = m->sys.cpu_count > 1 ? m->slice_used : 0,
                          .kind = (uint8_t)kind,
                          .idle = idle,
                          .value = value};
}

/* The session hands something over. */
static void told(void *context, enum session_outside kind, bool idle, uint64_t value, const void *bytes, size_t length)
{
    struct history *h = context;
    if (h->travelling || h->event < h->event_count)
        return;
    struct event e = events_now(h, kind, idle, value);
    e.length = (uint32_t)length;
    e.bytes = (uint8_t *)(uintptr_t)bytes; /* not kept, and not written to */
    recording_told(h, &e);
    if (!h->keeps)
        return;
    if (!events_add(h, &e, bytes))
        h->broken = true; /* what came before cannot be reached any more */
    h->event = h->event_count;
}

static void wrote(void *context, const char *text, size_t length)
{
    const struct history *h = context;
    if (h->tape)
        h->tape->wrote = tape_hash(h->tape->wrote, text, length);
}

static bool replays(void *context)
{
    const struct history *h = context;
    return h->event < h->event_count;
}

/* The next one is to come here. */
static const struct event *here(const struct history *h, bool idle)
{
    const struct machine *m = h->machine;
    const struct event *e = &h->events[h->event];
    return h->event < h->event_count && (e->idle == idle || e->kind >= TAPE_CHECK) &&
                   e->instructions == machine_instructions(m) && e->time <= history_clock(h) &&
                   (m->sys.cpu_count == 1 || (e->turn == m->turn && e->used == m->slice_used))
               ? e
               : NULL;
}

/* What the guest comes to by itself is no place at which it is to be stopped. */
static bool by_itself(const struct event *e) { return e->kind == TAPE_END && e->value == TAPE_GUEST; }

void events_due(struct history *h)
{
    const struct tape *t = h->tape;
    uint64_t due = h->broken || !h->keeps || h->only ? UINT64_MAX : h->next_at;
    if (t && t->out && t->check_at < due)
        due = t->check_at;
    h->machine->again = h->travelling || h->event < h->event_count;
    if (h->event < h->event_count) {
        const struct event *e = &h->events[h->event];
        const uint64_t at = e->instructions + by_itself(e);
        due = at < due ? at : due;
    }
    h->machine->due = due;
}

static void hand(struct history *h, const struct event *e)
{
    if (e->kind >= TAPE_CHECK)
        recording_replay(h, e);
    else
        session_hand(h->session, e->kind, e->value, e->bytes, e->length);
}

void events_replay(struct history *h)
{
    const struct event *e;
    while ((e = here(h, false)) && !by_itself(e)) {
        h->event++;
        hand(h, e);
    }
    if (h->event < h->event_count && h->events[h->event].instructions < machine_instructions(h->machine))
        recording_missed(h);
    events_due(h);
}

bool events_idle(void *context, uint64_t *us)
{
    struct history *h = context;
    const struct event *e;
    bool handed = false;
    while ((e = here(h, true)) && !by_itself(e)) {
        h->event++;
        handed = true;
        if (e->kind == SESSION_SLEPT) {
            *us = e->value;
            break;
        }
        hand(h, e);
        if (h->session->played_out) {
            *us = 0;
            break;
        }
    }
    events_due(h);
    return handed || *us != UINT64_MAX;
}

/* The machine of the session is another one. */
static void renewed(void *context)
{
    struct history *h = context;
    h->broken = h->keeps; /* what is kept is the other one's: the next run begins anew */
    disks_leave(h);
    recording_future_gone(h);
    h->machine = h->session->machine;
    h->machines = h->session->machines;
    h->machine->door = &h->door;
}

void events_join_session(struct history *h)
{
    h->machines = h->session->machines;
    h->session->keeper = (struct session_keeper){
        .context = h, .told = told, .wrote = wrote, .replays = replays, .idle = events_idle, .renewed = renewed};
}
