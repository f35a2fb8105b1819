/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this room share. */
#ifndef ZRI_EMU_HISTORY_INTERNAL_H
#define ZRI_EMU_HISTORY_INTERNAL_H

#include "emu/history/history.h"
#include "emu/history/pages.h"
#include "emu/machine/snapshot.h"

/* A moment to which the machine can return. */
struct moment {
    uint64_t instructions, time; /* of all CPUs; the guest's clock */
    uint64_t each[CPU_MAX];      /* instructions of each CPU */
    unsigned event;              /* events that had come before */
    bool changed;                /* it does not follow from the one before: somebody changed something */
    bool stop;                   /* a run ended here, nothing more */
    struct snapshot_bytes state;
    struct pages_undo undo; /* brings storage here from the next moment; empty in the last one */
};

/* Something that came from outside, and when. */
struct event {
    uint64_t instructions, time;
    enum session_outside kind;
    bool idle; /* while the guest was idle: when it is so again, not before */
    uint64_t value;
    uint32_t length;
    uint8_t *bytes; /* of malloc() */
};

struct history {
    struct session *session;
    struct machine *machine;
    unsigned machines; /* session->machines then */
    struct machine_door door;
    struct pages *pages;
    struct moment *moments;
    unsigned count, room;
    uint64_t bytes, most;
    uint64_t spacing; /* instructions between two moments */
    uint64_t next_at; /* instructions at which the next moment is due */
    bool travelling;  /* the past is being carried out again, to get somewhere */
    bool broken;      /* the host had no memory: begin anew */
    bool only;        /* there is one moment, and no other is to be */
    struct event *events;
    unsigned event_count, event_room;
    unsigned event; /* the next one to come again; event_count: none, what comes is new */
    struct snapshot_bytes scratch;
};

/* Moments (emu/history/history.c). Index of the last one at or before so many instructions; those behind are forgotten
   by moments_return(), which brings the machine there: 0 or a negative errno with a sentence. */
unsigned moments_before(const struct history *h, uint64_t instructions) __attribute__((pure));
int moments_return(struct history *h, unsigned n, char *error, size_t size) MUST_USE;
/* With this machine, as it is now, a past can be kept. 0, or a negative errno with a sentence. */
int history_possible(const struct session *s, char *error, size_t size) MUST_USE;

/* The guest's clock now, also in the middle of a rotation: what machine->sys.now is going to be. */
static inline uint64_t history_clock(const struct history *h)
{
    const struct machine *m = h->machine;
    return m->sys.now + (m->sys.now_rest + m->longest * CPU_TOD_MICROSECOND) / cpu_mhz(&m->sys);
}

/* Events (emu/history/events.c). */
void events_join_session(struct history *h);
/* What is to come again at this place is handed over. */
void events_replay(struct history *h);
/* What was still to come again will not: the future is a new one. */
void events_forget_future(struct history *h);
void events_free(struct history *h);
/* While the guest is idle. Returns what machine_host.idle does. */
bool events_idle(void *history, uint64_t *us);
/* The machine tells when the next one, or the next moment, is due. */
void events_due(struct history *h);

#endif
