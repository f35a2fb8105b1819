/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What came from outside, with its place: the instructions that all CPUs had carried out, the clock (an idle guest
   carries out nothing while it goes on), and whether the guest was idle. While something of that is to come again the
   guest gets nothing else. */
#include "emu/history/internal.h"
#include <stdlib.h>
#include <string.h>

#define EVENTS 65536u

static void truncate_to(struct history *h, unsigned count)
{
    while (h->event_count > count)
        free(h->events[--h->event_count].bytes);
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

void events_forget_future(struct history *h) { truncate_to(h, h->event); }

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

/* The session has handed something over. */
static void told(void *context, enum session_outside kind, bool idle, uint64_t value, const void *bytes, size_t length)
{
    struct history *h = context;
    struct event e = {.instructions = machine_instructions(h->machine),
                      .time = history_clock(h),
                      .kind = kind,
                      .idle = idle,
                      .value = value,
                      .length = (uint32_t)length};
    if (h->travelling || h->event < h->event_count)
        return;
    e.bytes = malloc(length + 1);
    if (!e.bytes || !room_for_event(h)) {
        free(e.bytes);
        h->broken = true; /* what came before cannot be reached any more */
        return;
    }
    if (length)
        memcpy(e.bytes, bytes, length);
    e.bytes[length] = 0;
    h->events[h->event_count++] = e;
    h->event = h->event_count;
}

static bool replays(void *context)
{
    const struct history *h = context;
    return h->event < h->event_count;
}

/* The next one is to come here. */
static const struct event *here(const struct history *h, bool idle)
{
    const struct event *e = &h->events[h->event];
    return h->event < h->event_count && e->idle == idle && e->instructions == machine_instructions(h->machine) &&
                   e->time <= history_clock(h)
               ? e
               : NULL;
}

void events_due(struct history *h)
{
    h->machine->due = h->broken ? UINT64_MAX : h->next_at;
    if (h->event < h->event_count && h->events[h->event].instructions < h->machine->due)
        h->machine->due = h->events[h->event].instructions;
}

void events_replay(struct history *h)
{
    const struct event *e;
    while ((e = here(h, false))) {
        h->event++;
        session_hand(h->session, e->kind, e->bytes, e->length);
    }
    events_due(h);
}

bool events_idle(void *context, uint64_t *us)
{
    struct history *h = context;
    const struct event *e;
    bool handed = false;
    while ((e = here(h, true))) {
        h->event++;
        handed = true;
        if (e->kind == SESSION_SLEPT) {
            *us = e->value;
            break;
        }
        session_hand(h->session, e->kind, e->bytes, e->length);
    }
    events_due(h);
    return handed || *us != UINT64_MAX;
}

/* The machine of the session is another one. */
static void renewed(void *context)
{
    struct history *h = context;
    h->machine = h->session->machine;
    h->machines = h->session->machines;
    h->machine->door = &h->door;
    h->broken = true; /* what is kept is the other one's: the next run begins anew */
}

void events_join_session(struct history *h)
{
    h->machines = h->session->machines;
    h->session->keeper = (struct session_keeper){
        .context = h, .told = told, .replays = replays, .idle = events_idle, .renewed = renewed};
}
