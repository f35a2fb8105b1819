/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The past of a machine, kept in storage of the host while it runs: moments to which it can return, and what came from
   outside since. From the moment before a place the machine gets there by carrying out again what it did, bit for bit,
   on any engine; what it writes meanwhile is not shown a second time. */
#ifndef ZRI_EMU_HISTORY_HISTORY_H
#define ZRI_EMU_HISTORY_HISTORY_H

#include "emu/machine/session.h"

#define HISTORY_BYTES (UINT64_C(256) << 20) /* that moments take at most, when nothing else is said */

#define HISTORY_SPACING UINT64_C(8000000) /* instructions between two moments, likewise */

/* Keep the past of the session's machine from now on, in at most `bytes` bytes beside one more copy of what the guest
   has touched of its storage; the oldest is given up when they are used. A moment each `spacing` instructions of all
   CPUs, or, when they are too many, each eight times as many. Once more: from now on, nothing before. Returns 0, or a
   negative errno with a sentence: with this machine it is not possible, or the host has no memory. */
int history_begin(struct session *session, uint64_t bytes, uint64_t spacing, char *error, size_t size) MUST_USE;
/* The same, but the one moment that is kept is this one, for history_to_begin(); what comes behind it may be anything,
   and is forgotten. */
int history_begin_only(struct session *session, char *error, size_t size) MUST_USE;
/* The past is kept no more. */
void history_end(struct session *session);

/* What there is. */
struct history_words {
    bool kept;                     /* the past is kept; else nothing of the rest */
    uint64_t first, now;           /* instructions of all CPUs: where the past begins, and now */
    uint64_t first_time, now_time; /* guest's clock there, TOD units */
    uint64_t moments, bytes, most; /* that it takes, and may take */
    uint64_t outside;              /* what came from outside and is kept */
    bool again;                    /* of that something is still to come: this was the past once */
};
void history_tell(const struct session *session, struct history_words *words);

/* How a journey ended. */
struct history_end {
    bool begin;                 /* nothing was there to stop at: where the past begins */
    bool interrupted;           /* somebody asked for attention on the way */
    bool ended;                 /* the guest ends before the place that was asked for */
    struct cpu *cpu;            /* a search: the CPU that was there; NULL: none */
    enum machine_end why;       /* MACHINE_BREAK or MACHINE_REQUEST */
    struct cpu_watched watched; /* what its next instruction accesses that is watched */
    uint8_t class;              /* the interruption that it takes next, when nothing is watched */
    uint32_t code;
};

/* Each of these returns 0, or a negative errno with a sentence: the machine is then where it was, but with -EIO where
   it can be no more. The machine does not run now. */

/* To the place before instruction `instruction` (counted from zero over all CPUs) in the past, or ahead. */
int history_goto(struct session *session, uint64_t instruction, struct history_end *end, char *error,
                 size_t size) MUST_USE;
/* To where history_begin_only() was called, as the machine was there before anybody changed something. */
int history_to_begin(struct session *session, char *error, size_t size) MUST_USE;
/* To the first place at or behind `time`, in TOD units since the machine was made. */
int history_goto_time(struct session *session, uint64_t time, struct history_end *end, char *error,
                      size_t size) MUST_USE;
/* `count` instructions of this CPU back. */
int history_back(struct session *session, struct cpu *cpu, uint64_t count, struct history_end *end, char *error,
                 size_t size) MUST_USE;
/* The last `count` instructions of all CPUs once more, with this observer on `cpu`. The machine ends where it is now;
   an idle one where it became idle. end->begin: the past begins later than that. -EBUSY: what was changed here would be
   lost. */
int history_again(struct session *session, struct cpu *cpu, uint64_t count, const struct cpu_observer *observer,
                  struct history_end *end, char *error, size_t size) MUST_USE;
/* To the latest place before this one where a run would stop by a breakpoint, an interruption, or in front of an access
   to what is watched, and meant() says that it is meant; `result` is that run's. */
struct history_search {
    void *context;
    bool (*meant)(void *context, const struct machine_result *result);
};
int history_search(struct session *session, const struct history_search *search, struct history_end *end, char *error,
                   size_t size) MUST_USE;

#endif
