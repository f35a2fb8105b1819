/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this room share. */
#ifndef ZRI_EMU_HISTORY_INTERNAL_H
#define ZRI_EMU_HISTORY_INTERNAL_H

#include "emu/history/history.h"
#include "emu/history/pages.h"
#include "emu/history/tape.h"
#include "emu/machine/snapshot.h"

struct disks;

/* What blocks of disks held, in the order in which they were written to, see emu/history/disks.c. */
struct disks_undo {
    uint8_t *bytes; /* of malloc() */
    size_t length, room;
};

/* A moment to which the machine can return. */
struct moment {
    uint64_t instructions, time; /* of all CPUs; the guest's clock */
    uint64_t each[CPU_MAX];      /* instructions of each CPU */
    unsigned event;              /* events that had come before */
    bool changed;                /* it does not follow from the one before: somebody changed something */
    bool stop;                   /* a run ended here, nothing more */
    struct snapshot_bytes state;
    struct pages_undo undo;  /* brings storage here from the next moment; empty in the last one */
    struct disks_undo disks; /* and disks */
};

/* A recording that is being made or replayed (emu/history/record.c). */
struct tape {
    char file[256];
    struct tape_out *out;  /* being made; NULL: not */
    bool played, replays;  /* it is one that is replayed; that still goes on: its events are the history's */
    uint64_t check_at;     /* instructions at which the registers are noted */
    uint64_t wrote;        /* hash of what the guest has written on its consoles */
    bool straight;         /* replayed, and nobody went back: it has written what it had written then */
    bool begun, marked;    /* the first run has begun; one has ended: */
    uint64_t mark, stores; /* what the machine was like then, see marked() */
    bool cut;              /* the file was cut off */
    bool wrong;            /* it went another way, or what was wanted was not all done; it was said */
    uint64_t last_good;    /* the place at which registers were the same */
    uint64_t ends;         /* instructions where the recording ends */
};

struct history {
    struct session *session;
    struct machine *machine;
    unsigned machines; /* session->machines then */
    struct machine_door door;
    struct pages *pages;
    struct disks *disks; /* NULL: none is watched */
    struct moment *moments;
    unsigned count, room;
    uint64_t bytes, most;
    uint64_t spacing;     /* instructions between two moments */
    uint64_t next_at;     /* instructions at which the next moment is due */
    bool keeps;           /* moments are kept; else what came from outside alone is, by a recording */
    bool travelling;      /* the past is being carried out again, to get somewhere */
    bool broken;          /* the host had no memory: begin anew */
    bool only;            /* there is one moment, and no other is to be */
    struct event *events; /* what came from outside, and of a recording that is replayed the rest */
    unsigned event_count, event_room;
    uint64_t event_bytes;
    unsigned event; /* the next one to come again; event_count: none, what comes is new */
    struct snapshot_bytes scratch;
    struct tape *tape; /* NULL: nothing is recorded or replayed */
};

/* The history of a session, made when there was none; NULL: the host has no memory. It goes when nothing uses it. */
struct history *history_of(struct session *s);
void history_unused(struct history *h);

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

/* Disks (emu/history/disks.c). What the guest writes to is watched from now on, also on disks that came since: 0 or
   -ENOMEM. */
int disks_watch(struct history *h) MUST_USE;
int disks_begin(struct history *h) MUST_USE; /* and nothing was written since a moment that is now */
void disks_leave(struct history *h);
/* What was written since the last moment is undone by `undo`, empty before. False: the host had no memory, or could not
   read a disk. */
bool disks_keep(struct history *h, struct disks_undo *undo) MUST_USE;
bool disks_changed(const struct history *h);
/* Disks are as at the last moment; then as at the one before. 0 or a negative errno. */
int disks_return(struct history *h) MUST_USE;
int disks_undo(struct history *h, struct disks_undo *undo) MUST_USE;
void disks_undo_free(struct disks_undo *undo);
/* `last` behind `first`; `last` is freed. False: no memory, both are as they were. */
bool disks_undo_join(struct disks_undo *first, struct disks_undo *last) MUST_USE;
/* What disks held when a recording began goes onto them, which are private. */
void disks_restore(struct history *h, const struct event *blocks, unsigned count);

/* Events (emu/history/events.c). */
void events_join_session(struct history *h);
/* What is to come again at this place is handed over. */
void events_replay(struct history *h);
/* What was still to come again will not: the future is a new one. */
void events_forget_future(struct history *h);
void events_free(struct history *h);
/* Something that may come once more is put behind the others. False: there are too many. */
bool events_add(struct history *h, const struct event *e, const void *bytes) MUST_USE;
/* An event that is now. */
struct event events_now(const struct history *h, unsigned kind, bool idle, uint64_t value);
/* While the guest is idle. Returns what machine_host.idle does. */
bool events_idle(void *history, uint64_t *us);
/* The machine tells when the next one, or the next moment, is due. */
void events_due(struct history *h);

/* Recordings (emu/history/record.c): none of these does anything when there is none. A run begins, it has ended; the
   guest was handed something; a place where something is due; what is replayed says something of itself. */
void recording_run_begins(struct history *h);
void recording_run_ended(struct history *h);
void recording_told(struct history *h, const struct event *e);
void recording_due(struct history *h);
/* A block of a disk is about to be written to for the first time; bytes: number (8) and what it holds. */
void recording_block(struct history *h, uint64_t device, const uint8_t *bytes, size_t length);
void recording_replay(struct history *h, const struct event *e);
/* What is to come was at a place where the machine did not come by. */
void recording_missed(struct history *h);
/* The past was changed at a place in front of what is recorded. */
void recording_future_gone(struct history *h);
void recording_close(struct history *h);

#endif
