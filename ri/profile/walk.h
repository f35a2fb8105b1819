/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program flow tracer: makes of the taken branches in a sample the series of all branches that completed, by
   walking the code between them, and keeps the last of them. */
#ifndef ZRI_RI_PROFILE_WALK_H
#define ZRI_RI_PROFILE_WALK_H

#include "disasm/dis.h"
#include "ri/profile/trace.h"

enum ep_event { EP_EVENT_BRANCH, EP_EVENT_INSN, EP_EVENT_CALL, EP_EVENT_TAKEN };
enum ep_short { EP_SHORT_AUTO, EP_SHORT_DROP, EP_SHORT_KEEP };

#define EP_WALK_LIMIT 65536u

/* Why a walk ended early, and a sample was dropped. */
enum ep_drop {
    EP_ACCEPTED,
    EP_DROP_IMAGE,
    EP_DROP_FLOW,
    EP_DROP_WALK_LIMIT,
    EP_DROP_UNMAPPED,
    EP_DROP_SMC,
    EP_DROP_XFER,
    EP_DROP_ADDR,
    EP_DROP_EX_AMBIGUOUS,
    EP_DROP_SHORT,
    EP_DROPS
};
/* "drop.image" ...; "" for EP_ACCEPTED. */
const char *ep_drop_name(enum ep_drop drop);

/* What an execute-type instruction has executed. */
struct ep_target {
    uint8_t bytes[6]; /* as modified */
    uint64_t event;   /* number of the event that its first execution was, or of the next one */
};
#define EP_TARGETS_MOST 16u

/* The program's code, from whoever has it. */
struct ep_code {
    void *context;
    /* The instruction at a place (`bytes` receives its 2, 4 or 6 bytes) and the epoch of the latest change of a page
       that it lies in. False: there is none that can be read. */
    bool (*fetch)(void *context, struct ep_place place, uint8_t bytes[6], uint64_t *changed);
    /* The targets of the execute-type instruction at a place, the first one of each class and row, in the order of
       their first executions; at most EP_TARGETS_MOST. Returns how many. NULL: not known, as with RI as the source. */
    unsigned (*targets)(void *context, struct ep_place place, uint16_t cpu, const struct ep_target **target);
    /* The epoch of the latest change of the page of EP_PAGE bytes that a place lies in: while it is the same, so is the
       page. False: its changes are not counted, as nothing of the program was executed there so far. NULL: no page's
       are; then `fetch` is asked for every instruction that is passed, which takes longer. */
    bool (*page)(void *context, struct ep_place place, uint64_t *changed);
};
#define EP_PAGE 4096u

/* What a sample with an instruction as its event is divided by: the instructions of the run that the trigger is in, or
   of the basic block. A block ends in front of a place that execution may enter at as well: of which are known where
   branches and gaps of samples went so far, and where relative branches that were walked over so far would go. */
enum ep_norm { EP_NORM_NONE, EP_NORM_RUN, EP_NORM_BLOCK };

struct ep_rules {
    unsigned cbt;        /* branches that are kept, 1 to EP_TRACE_MOST */
    unsigned event;      /* enum ep_event */
    unsigned short_is;   /* enum ep_short */
    uint64_t walk_limit; /* instructions between two entries */
    bool append_nt;      /* a trigger that was not taken ends the trace */
    unsigned weigh;      /* enum ep_norm; instructions are the events */
    bool ri;             /* run-time instrumentation is the source: transfers without a record end a stretch */
};

/* A branch that completed, or a gap between two. */
struct ep_step {
    struct ep_place from, to; /* of a gap: where it was left, and entered again */
    uint64_t last;            /* of a gap: address of the last instruction before it, when `before` */
    bool gap, before;
    bool taken, executed;
    uint8_t reason;   /* of a gap: enum ep_reason, or EP_ABORTED */
    uint8_t bytes[6]; /* of a branch: the instruction at `from` */
};
#define EP_ABORTED 3u

struct ep_walker;

/* For samples of at most `entries` entries. NULL: no memory. */
struct ep_walker *ep_walker_create(const struct ep_rules *rules, const struct ep_code *code, unsigned entries);
void ep_walker_destroy(struct ep_walker *walker);
/* The code is another one though no epoch says so: nothing of it is known any more. */
void ep_walker_forget(struct ep_walker *walker);

struct ep_path {
    const struct ep_step *step; /* a branch first and last, or none at all; until the next walk */
    unsigned count;             /* with gaps */
    unsigned branches;          /* at most cbt */
    uint64_t run_size;          /* instructions of the trigger's run or block, with `weigh`; else 1 */
    uint64_t assumed;           /* execute-type instructions that were taken for ordinary ones */
};
/* The last branches before the trigger. EP_ACCEPTED, or why there are none. */
enum ep_drop ep_walk(struct ep_walker *walker, const struct ep_sample *sample, struct ep_path *path);
/* The branches of one stretch alone, from `at` in code as it was at `epoch` to the branch of an entry, taken or
   (EP_EXEC) not: how many, at most cbt, and they; until the next walk. 0: not all of it is known from the code, or it
   is longer. */
unsigned ep_walk_stretch(struct ep_walker *walker, struct ep_place at, uint64_t epoch, const struct ep_entry *branch,
                         const struct ep_step **step);
const struct ep_rules *ep_walker_rules(const struct ep_walker *walker);
/* Instructions that were walked over so far. */
uint64_t ep_walked(const struct ep_walker *walker);

#endif
