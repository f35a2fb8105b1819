/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands in a CPU for edge profiles: told of every branch that completes and of every place where execution goes
   on otherwise, it picks the target program out of it, counts events, remembers taken branches and takes samples. */
#ifndef ZRI_RI_PROFILE_UNIT_H
#define ZRI_RI_PROFILE_UNIT_H

#include "ri/profile/executes.h"
#include "ri/profile/pmc.h"
#include "ri/profile/ring.h"

/* The target program: what is in one of the spaces, in one of the states and in one of the ranges. */
struct ep_range {
    uint64_t first, last; /* addresses, inclusive */
};
struct ep_filter {
    bool problem, supervisor;
    const uint32_t *space; /* numbers of spaces; NULL: any */
    unsigned spaces;
    bool (*wants)(void *context, uint32_t space); /* of these spaces, the ones that it says now; NULL: all of them */
    void *context;
    const struct ep_range *range; /* in ascending order, apart; NULL: any */
    unsigned ranges;
};

struct ep_parameters {
    uint64_t base, delta, seed; /* of the interval, see ep_interval_valid() */
    unsigned tbt;               /* 1 to EP_TRACE_MOST */
    unsigned event;             /* enum ep_event */
    struct ep_filter filter;
    /* With branches as events: from so many before a sample on they are remembered, tbt of them at least; what came
       before cannot be seen in it. 0: all are. */
    uint64_t near;
};

static inline bool ep_state_wanted(const struct ep_filter *f, bool problem)
{
    return problem ? f->problem : f->supervisor;
}
bool ep_space_wanted(const struct ep_filter *filter, uint32_t space);

/* An instruction that completed, mostly a branch. */
struct ep_branch {
    struct ep_place from, to;      /* through an execute-type instruction: from that one; not taken: the next one */
    const struct dis_insn *insn;   /* the branch itself */
    bool taken, executed, problem; /* through an execute-type instruction; in the problem state */
};

struct ep_unit {
    struct ep_parameters parameters;
    struct ep_pmc pmc;
    struct ep_ring ring;
    struct ep_executes executes;
    struct ep_entry *entries; /* of a sample */
    uint16_t cpu;
    bool on;
    const uint64_t *epoch; /* of the code, now */
    struct ep_code code;   /* with ranges: where instructions begin */
    /* Told of each sample, and of each completed branch of the target program (NULL: nobody asks). */
    void (*sample)(void *context, const struct ep_sample *sample);
    /* ... and first, when its branches have names, of those alone. True: that was enough. NULL: it never is. */
    bool (*marked)(void *context, uint16_t cpu, const struct ep_marked *marked);
    void (*branch)(void *context, uint16_t cpu, const struct ep_branch *branch);
    /* ... and of each target of an execute-type instruction at a place that is the first of its class and row there. */
    void (*target)(void *context, uint16_t cpu, struct ep_place at, const struct ep_target *target);
    /* ... and of each gap (its kind EP_GAP or EP_ABORT), and of the place where recording begins (0, `to`). */
    void (*gap)(void *context, uint16_t cpu, const struct ep_entry *gap);
    void *context;
    /* Where execution is: everything from `at` on is told with what comes next. */
    struct ep_place at;
    struct ep_place expected; /* where the target program goes on when nothing comes between */
    bool known;               /* it has been executed since recording began */
    bool far;                 /* the next sample is so far away that nothing is remembered */
    uint8_t reason;           /* why it may go on elsewhere: enum ep_reason, EP_ABORTED */
};

/* For CPU `cpu`; off. The filter's arrays stay the caller's. -EINVAL: parameters that are none; -ENOMEM. */
int ep_unit_create(struct ep_unit *unit, const struct ep_parameters *parameters, uint16_t cpu) MUST_USE;
void ep_unit_destroy(struct ep_unit *unit);
/* Recording begins at `place`, with nothing remembered. */
void ep_unit_on(struct ep_unit *unit, struct ep_place place);
/* No more is recorded; the pending interval is given up. */
void ep_unit_off(struct ep_unit *unit);

/* A branch has completed. */
void ep_unit_branch(struct ep_unit *unit, const struct ep_branch *branch);
/* An instruction has completed that is no branch: the target of an execute-type one (`executed`), or any where
   instructions are events; `from`, `to` and `insn` as of a branch that was not taken. */
void ep_unit_instruction(struct ep_unit *unit, const struct ep_branch *instruction);
/* Execution was in front of `from` and goes on at `to`: an interruption, a new PSW (`from` is the instruction that
   loaded it, when it has no sequential successor), an aborted transaction. `problem` is the state before, `reason` enum
   ep_reason or EP_ABORTED; of several before the target program goes on, the first says why it was left. */
void ep_unit_moved(struct ep_unit *unit, struct ep_place from, struct ep_place to, bool problem, unsigned reason);
/* Execution is at `place`, and what came since the latest that was told was not the target program's. */
void ep_unit_passed(struct ep_unit *unit, struct ep_place place);

/* May completed branches be told many at a time? When branches are events, ranges do not matter and nobody asks for
   each of them. */
bool ep_unit_takes_many(const struct ep_unit *unit);
/* One branch of the target program has completed, not the last one before a sample, and not through an execute-type
   instruction: of class `class` and taken, or DIS_EDGE_NEVER: not taken. */
void ep_unit_branched(struct ep_unit *unit, struct ep_place from, struct ep_place to, enum dis_edge class);
/* `events` branches of the target program have completed, one after the other with nothing between, fewer than are left
   until the sample. `entry` are the last `count` of the `taken` ones among them, ready for the ring, oldest first: all,
   or at least one more than the ring holds. */
void ep_unit_branches(struct ep_unit *unit, const struct ep_entry *entry, unsigned count, uint64_t taken,
                      uint64_t events);
/* Likewise, while the unit is far from the next sample (`far`), and at most as many as it is until then; execution is
   at `place`. What came between them need not have been told. */
void ep_unit_counted(struct ep_unit *unit, struct ep_place place, uint64_t events);
/* Does the next sample show nothing that is remembered now, nor the one behind it what that one does? */
bool ep_unit_starts_anew(const struct ep_unit *unit);
/* Then all branches up to the next sample may be told at once: `events`, as above, the last of them is the trigger,
   which is not through an execute-type instruction; of `trigger` its place and whether it was taken. */
struct ep_latest {
    struct ep_place origin; /* where the newest taken branch led to that is not remembered: all or tbt since then are */
    struct ep_place place;  /* where execution is now */
    unsigned count;         /* entries that stand in unit->entries, oldest first: taken ones, the trigger, too */
    const struct ep_marked *marked; /* their names, or NULL */
};
void ep_unit_sampled(struct ep_unit *unit, const struct ep_latest *latest, uint64_t events, struct ep_trigger trigger);
/* Likewise by the names of those branches alone. False: they are not enough, and nothing was done. */
bool ep_unit_marked(struct ep_unit *unit, const struct ep_marked *marked, struct ep_place place, uint64_t events);
/* How many events it is until they are remembered; 0: they are. */
static inline uint64_t ep_unit_far(const struct ep_unit *u) { return u->far ? u->pmc.left - u->parameters.near : 0; }
/* From now on all are remembered; execution is at `place`. */
void ep_unit_remember(struct ep_unit *unit, struct ep_place place);
/* Has the execute-type instruction at `place` had ordinary targets, and never a branch? Then another ordinary one need
   not be told. */
bool ep_unit_executes_ordinary(const struct ep_unit *unit, struct ep_place place);

#endif
