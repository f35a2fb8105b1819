/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between a CPU and edge profiles (ri/profile): completed branches are told to the CPU's unit by value. A CPU whose
   cpu->edges is NULL has one test in each instruction of the reference engine and in each run of blocks. */
#ifndef ZRI_CPU_STATE_EDGES_H
#define ZRI_CPU_STATE_EDGES_H

#include "cpu/state/cpu.h"
#include "ri/profile/file/profile.h"
#include "ri/profile/unit.h"

/* A place that is not in the target program's state has no number of a space. */
#define CPU_EDGES_NOWHERE UINT32_MAX

/* How what a CPU does now is told. */
enum cpu_edges_way {
    CPU_EDGES_NOT,  /* it is not the target program's */
    CPU_EDGES_EACH, /* every branch, when it has completed */
    CPU_EDGES_MANY, /* the block engine may collect them, see cpu->edge_word */
};

/* The block engine notes branches that were taken: operations are their names, a word is cpu->edge_word behind one.
   cpu->edge_word: bits 0-43 are the completed branches until the block engine looks, less one, negative when it must;
   bits 44-63 those that were taken since it did. */
#define CPU_EDGE      (INT64_C(1) << 20)
#define CPU_EDGE_MOST (UINT64_C(1) << 19) /* branches between two looks */
/* Far from the next sample none is noted, and cpu->edge_word are those until they are, less those that were counted
   there already; others are in the budget. */
#define CPU_EDGES_FAR   14 /* nearer than that they are told one by one again ... */
#define CPU_EDGES_UNITS 64 /* ... and at the end of a run, so many units before it */

/* Units of the CPU in which no program is replaced by another one whose tables have the same place. */
#define CPU_EDGES_AWAY 4096

/* What all CPUs of a machine have in common. */
struct cpu_edges_system {
    uint64_t epoch;    /* of the code: changes of pages that target programs have fetched from */
    uint64_t *changed; /* for each 4K-byte block the epoch of its latest change */
    /* Branches that were collected are told to the units of all CPUs: before the epoch goes on. At least
       cpu_edges_settle_all(). */
    void (*settle)(struct cpu_system *sys);
};

/* A CPU's side of it. All zero but what is said, then cpu_edges_attach(). */
struct cpu_edges {
    struct ep_unit *unit;             /* set */
    struct cpu_edges_system *machine; /* set */
    /* Set: the number of the space of instruction fetches: EP_SPACE_REAL, EP_SPACE_PRIMARY or EP_SPACE_HOME, and its
       address-space-control element (0 with real). `*stays`: it has that number still when it was left for less than
       CPU_EDGES_AWAY units. */
    uint32_t (*space)(void *context, struct cpu *cpu, unsigned kind, uint64_t asce, bool *stays);
    void *context; /* set */
    struct ep_noted *ring;
    struct ep_entry *entries;
    const void *not_taken; /* the operation of the branch that the run was left behind */
    uint64_t slots;        /* in `ring`, a power of two */
    struct ep_place next;  /* where execution goes on when nothing comes between, `problem` its state */
    uint64_t fetched;      /* frame of the page that was fetched from last */
    uint64_t marked;       /* a logical address of one, while branches are counted; not if `turned` */
    int64_t start;         /* cpu->edge_word then */
    uint64_t asce;         /* the latest space that was asked for */
    struct {
        uint64_t asce, left; /* units of the CPU when another one came behind it */
        uint32_t number;
        bool stays;
    } spaces[EP_SPACE_KINDS]; /* the latest one of each kind */
    uint32_t space_number;
    uint32_t names;     /* counts how often the block engine's operations became others */
    uint8_t space_kind; /* its kind plus one; 0: none was */
    uint8_t way;        /* enum cpu_edges_way, as it is now */
    bool problem;
    bool many;                          /* the unit takes them */
    bool far;                           /* they are counted only, see cpu->edge_word */
    bool turned;                        /* another page may be at `marked` */
    bool aborted;                       /* a transaction was, since the latest look */
    bool told;                          /* of the end of a run of blocks: `next` is right */
    bool suspended;                     /* a handler of a measurement alert runs, nothing is told ... */
    uint64_t loads;                     /* ... PSWs that were loaded when that was looked at last */
    uint64_t targets;                   /* counts the targets of execute-type instructions that were new */
    bool steady;                        /* `way` stays while only the instruction address changes: while ... */
    uint64_t mask, cr1, cr13;           /* ... PSW and control registers select the same state and space */
    struct dis_insn target;             /* of the execute-type instruction that is carried out */
    void (*collected)(struct cpu *cpu); /* tells what was collected; NULL: nothing ever was */
};

#endif
