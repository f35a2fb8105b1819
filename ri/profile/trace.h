/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What edge profiles are made from: branches that were taken, gaps between them, samples. Everything comes by value;
   nothing here knows a CPU. */
#ifndef ZRI_RI_PROFILE_TRACE_H
#define ZRI_RI_PROFILE_TRACE_H

#include "base/bits.h"

#define EP_TRACE_MOST 1024u /* taken branches in a trace */

/* Where an instruction is. */
struct ep_place {
    uint64_t address;
    uint32_t space; /* number of an address space */
    uint8_t mode;   /* addressing mode: EP_24 ... */
};
enum ep_mode { EP_24, EP_31, EP_64 };

static inline uint64_t ep_mode_mask(unsigned mode)
{
    return mode == EP_64 ? ~UINT64_C(0) : mode == EP_31 ? UINT64_C(0x7fffffff) : UINT64_C(0xffffff);
}
static inline bool ep_same_place(struct ep_place a, struct ep_place b)
{
    return a.address == b.address && a.space == b.space && a.mode == b.mode;
}

static inline bool ep_same_space(struct ep_place a, struct ep_place b)
{
    return a.space == b.space && a.mode == b.mode;
}

enum ep_kind {
    EP_CALL = 1, /* branches that were taken */
    EP_RETURN,
    EP_TRANSFER,
    EP_GAP,   /* what came next is neither sequential nor a branch: `from` was expected, `to` is where it went on */
    EP_ABORT, /* of a transaction: `from` is where execution stopped */
    EP_EXEC,  /* of an execute-type instruction that has had several targets: it was not a branch, or one not taken */
};
enum ep_reason { EP_RESUME, EP_PSW, EP_RANGE }; /* of a gap */

struct ep_entry {
    struct ep_place from, to; /* instruction; where it went. Through an execute-type instruction: that one */
    uint64_t event;           /* number of the event that it is, or of the next one, in its CPU */
    uint64_t epoch;           /* of the code, when it happened */
    uint8_t kind;             /* enum ep_kind */
    uint8_t reason;           /* enum ep_reason, of a gap */
    bool executed;            /* through an execute-type instruction */
    bool not_taken;           /* EP_EXEC: a branch, not taken */
    bool partial;             /* of `from` the leftmost bits are not known (run-time instrumentation) */
};

static inline bool ep_taken(const struct ep_entry *e) { return e->kind <= EP_TRANSFER; }

/* The end of an interval. */
struct ep_trigger {
    struct ep_place at;
    uint64_t event, interval;
    bool branch, taken, executed;
};

/* What is noted of a branch that was taken, by whoever executes code. */
struct ep_noted {
    const void *branch; /* its name, see ri/profile/marks.h */
    int64_t word;       /* whatever he needs */
    uint64_t to;
    uint64_t unused; /* a power of two for the size */
};
/* A branch by name, and the stretch of code that it ends. */
struct ep_mark {
    const void *branch; /* also for whether it was taken; another one's at most with other `names` */
    uint64_t at, to;    /* where the stretch begins; where it went, or 0: it was not taken */
};
/* The newest branches of a sample: those that were taken, and a trigger that was not. */
struct ep_marked {
    const struct ep_noted *ring; /* number n is at n & mask; the one before the oldest is there, too */
    uint64_t mask, newest;       /* number of the newest that was taken */
    unsigned count;              /* with the trigger */
    const void *not_taken;       /* its name, or NULL: it was taken */
    uint32_t names;
    struct ep_place place; /* space and mode of all of them */
    uint64_t epoch;        /* of the code, now */
    uint64_t context;      /* while that is the same each page of the space is where it was; 0: that is not known */
};
/* The newest but `back`, less than `count`. */
static inline struct ep_mark ep_mark_of(const struct ep_marked *m, unsigned back)
{
    if (m->not_taken && !back)
        return (struct ep_mark){m->not_taken, m->ring[m->newest & m->mask].to, 0};
    const uint64_t number = m->newest - back + (m->not_taken != NULL);
    const struct ep_noted *noted = &m->ring[number & m->mask];
    return (struct ep_mark){noted->branch, m->ring[(number - 1) & m->mask].to, noted->to};
}

/* A sample: the trigger and what is remembered of the time before it, oldest first. */
struct ep_sample {
    struct ep_trigger trigger;
    struct ep_place origin; /* where recording began, when the entries go back to it */
    uint64_t origin_epoch;  /* of the code then; 0: not known, and code that has ever changed is not trusted */
    bool origin_valid;
    bool cut; /* entries of several-target sites were overwritten: what is older is left out */
    uint16_t cpu;
    unsigned count;
    const struct ep_entry *entry;
    const struct ep_marked *marked; /* of each entry, and of a trigger that was not taken; NULL: they have no names */
};

#endif
