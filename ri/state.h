/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What run-time instrumentation of one CPU keeps. "Specification" means the RI specification, sections A to M. */
#ifndef ZRI_RI_STATE_H
#define ZRI_RI_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RI_BLOCK_SIZE    64u  /* control block, bytes */
#define RI_RING          256u /* slots of the collection ring; a power of two, more than any R_CB */
#define RI_PREDICTOR     256u
#define RI_DIRTY         24u
#define RI_GROUP_RECORDS 256u /* records of the largest group */

/* Branch classes, the same numbers as enum dis_branch. */
enum ri_class { RI_CLASS_NONE, RI_CLASS_CALL, RI_CLASS_RETURN, RI_CLASS_OTHER, RI_CLASS_BC15, RI_CLASS_COUNT };

/* Record types, byte 0 of a record (specification H.2). */
enum ri_type {
#define TYPE(code, id, fields, name) RI_TYPE_##id = code,
#include "ri/types.def"
};

enum ri_mode { RI_MODE_CYCLES, RI_MODE_INSTRUCTIONS, RI_MODE_DIRECTED };
enum ri_cache_model { RI_CACHE_UNCACHED, RI_CACHE_TWO_LEVEL };

/* Processor characteristics (specification J.1). */
struct ri_profile {
    char name[16];
    uint16_t version;    /* never 0 */
    bool secondary;      /* capability */
    uint8_t rgs_max;     /* 0-7 */
    uint16_t cb_entries; /* R_CB, at least 2^(rgs_max+1) - 2, at most RI_RING */
    uint64_t sf_min[2];  /* [0] mode 0, [1] modes 1 and 2 */
    uint64_t sf_max;     /* for SF and RSIC, all modes */
    uint8_t cache_model; /* enum ri_cache_model */
    bool transactional;  /* the transactional-execution facility is configured */
};
/* One record, as numbers: bits 0-63 and bits 64-127. */
struct ri_record {
    uint64_t hi, lo;
};

/* The controls, decoded; bytes that are no field are not kept (specification C.2). */
struct ri_controls {
    uint64_t rca, roa, rla, sf;
    uint64_t rsic; /* running count; 0 only in mode 2, or while not valid */
    uint8_t v, s, k, h, a, ps, qs, pc, qc, g, u, l, key, t, rgs;
    uint8_t m, n, mae, c, r, b, j, e, x, bpxn, bpxt, bpti, bpni, y, z, d, f, ic, dc;
};

/* The instruction being executed (specification F.4, H.5). */
struct ri_idb {
    uint64_t ia;  /* as records have it: of the execute-type instruction when executed */
    uint64_t own; /* of the instruction itself */
    uint64_t access_address, access_length;
    uint32_t text;  /* leftmost four bytes of the instruction */
    uint8_t length; /* bytes */
    uint8_t class;  /* enum ri_class */
    uint8_t il, dl; /* miss levels, 15 none */
    bool always, relative, executed, problem, directed, branch, taken, predicted, target_ok, access, access_store;
    uint8_t conditions; /* enum ri_condition */
};
enum ri_condition { RI_BPXN = 1, RI_BPXT = 2, RI_BPTI = 4, RI_BPNI = 8 };

/* Predictor entry: the branch's address with the last direction in the low-order bit. An empty entry holds an address
   that belongs to another entry. */
struct ri_prediction {
    uint64_t tag, target;
};

/* Two-level cache model: line address (bits 0-55) plus one; 0 is empty. */
struct ri_cache {
    uint64_t instruction[64], data[64], level2[1024];
};

/* Why an instruction is a sample instruction. */
enum ri_sample { RI_SAMPLE_COUNT = 1, RI_SAMPLE_DIRECTED = 2 };

/* A reporting group that was just stored, by value. `records` are its records, the header first; they are there during
   the call only. */
struct ri_stored {
    const struct ri_record *records;
    unsigned count;        /* of records */
    uint64_t address, roa; /* of the group, and of the program buffer */
    uint64_t tod;          /* TOD clock bits 0-63 at the store */
    uint8_t mode, rgs, key, home;
    bool full; /* no room for another one is left */
};

/* What happened since the unit was made, for people who watch it: no part of the architecture, in no snapshot. */
struct ri_told {
    uint64_t samples; /* sample instructions, reported or not */
    uint64_t fulls;   /* groups that left no room for another */
    uint64_t alerts;  /* interruptions presented */
    uint64_t ia;      /* of the latest sample instruction, as its record has it */
    uint8_t line;     /* of the report-control table that decided for it, 1-11; 0: there was none yet */
    uint8_t sample;   /* enum ri_sample bits of it */
};

/* What a pipeline model says of the current instruction, in the place of predictor, cache models and halfwords. */
struct ri_outside {
    bool on;            /* there is one; set when it is turned on or off */
    uint8_t il, dl;     /* miss levels, 15 none */
    uint8_t conditions; /* of a branch, enum ri_condition */
    uint32_t cycles;
};

struct ri {
    /* Touched by every instruction or branch while active */
    bool active;        /* enabled and neither halted nor stopped; derived, see ri_active() */
    bool enabled;       /* PSW bit 24 */
    bool directed;      /* directed-sample flag; the NSI's address is in nsi */
    bool reference;     /* this state needs every instruction reported singly (directed flag, cache model); derived */
    uint8_t collect[2]; /* [problem state]: 1 << enum ri_class for each class collected now; derived */
    bool emits[2];      /* [problem state]: RIEMIT makes a record now; derived */
    uint64_t counting;  /* all ones in modes 0 and 1, else 0; derived */
    uint64_t head;      /* records ever collected; ring[head - 1] is the newest */
    uint64_t start;     /* value of head when the buffer was emptied */
    struct ri_controls controls;
    struct ri_record ring[RI_RING];
    struct ri_prediction predictor[RI_PREDICTOR];

    bool halted;                         /* the latch */
    bool predictor_used;                 /* something may be in the predictor or the cache model */
    uint8_t dirty[RI_DIRTY];             /* entries of the predictor that may hold something, while there are few */
    uint8_t dirty_count;                 /* more than RI_DIRTY: any may */
    bool touched_any;                    /* one of these may be one: */
    uint64_t touched[RI_PREDICTOR / 64]; /* entries that the functions of ri.c changed since an engine cleared it */
    bool frozen;                         /* collection frozen in a transaction */
    bool deferred;                       /* group holds a deferred group */
    bool partial;                        /* units of operation done that are not charged yet */
    uint32_t partial_cycles;
    uint64_t partial_ia;
    uint64_t nsi;
    bool keeping;    /* of each instruction kept is made; set by ri_keep() */
    uint64_t kept;   /* H.5 bits 64-127 of the instruction before the current one, 0: none */
    uint64_t groups; /* groups ever stored (for people; not part of the architecture) */
    uint64_t halts;  /* halts ever recognized (likewise) */
    struct ri_told told;
    struct ri_outside outside;                                    /* no part of the architecture, in no snapshot */
    void (*stored)(void *context, const struct ri_stored *group); /* ri_tell_stored(); NULL: nobody asks */
    void *stored_context;
    void (*keeper)(void *context, struct ri *ri, unsigned entry); /* ri_keep_elsewhere(); NULL: nobody */
    void *keeper_context;
    struct ri_idb idb;
    struct ri_profile profile;
    struct ri_record group[RI_GROUP_RECORDS]; /* being built, or deferred: all but the header */
    unsigned group_records;
    struct ri_cache *cache; /* NULL with the uncached model */
};

/* From now on `stored` is called for each group behind its store (with the controls advanced); NULL: no more. */
void ri_tell_stored(struct ri *ri, void (*stored)(void *context, const struct ri_stored *group), void *context);

/* From now on, until LRIC, a reset or a restored snapshot, ri_kept() tells of the instruction before the current one.
   Every instruction is reported singly for that. */
void ri_keep(struct ri *ri);
/* The instruction-data buffer as the latest completed instruction left it: bits 64-127 of its record (specification
   H.5) without CS, which belongs to the sample; 0 when it is empty, or ri_keep() was not called. */
uint64_t ri_kept(const struct ri *ri);
/* Empty the collection buffer alone: what RINEXT directed and a deferred group stay. */
void ri_clear_collected(struct ri *ri);

/* No room for another group. */
bool ri_stopped(const struct ri *ri);
/* Records in the collection buffer, and the n-th of them, 0 = oldest. */
unsigned ri_collected(const struct ri *ri);
struct ri_record ri_collected_record(const struct ri *ri, unsigned n);
#endif
