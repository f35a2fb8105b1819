/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The speculative-pipeline model of one CPU. It is told by value of each instruction that was carried out, finds when
   it would have been fetched, dispatched, issued, finished and completed, walks the wrong path behind each
   misprediction, and counts events. It changes nothing that a program sees, and reaches storage only through the
   accessor that it was handed. Source: event-counter specification, section 5. */
#ifndef ZRI_RI_COUNTERS_MODEL_MODEL_H
#define ZRI_RI_COUNTERS_MODEL_MODEL_H

#include "disasm/dis.h"
#include "ri/counters/model/counting.h"
#include "ri/counters/model/profile.h"

enum { EC_ACCESSES = 4, EC_PAGE = 4096, EC_FLUSHES = 64 };

/* Why a page is looked for. */
enum ec_use { EC_USE_INSTRUCTION, EC_USE_FETCH, EC_USE_STORE };

/* The guest's storage, looked at without any effect on the guest. */
struct ec_storage {
    void *context;
    /* The 4K-byte page at a logical address, as the current instruction would have it: its absolute address and its
       bytes, NULL when they cannot be read. False: there is none, or the access is not allowed. */
    bool (*page)(void *context, uint64_t logical, enum ec_use use, uint64_t *absolute, const uint8_t **bytes);
};

/* A storage operand. */
struct ec_operand {
    uint64_t logical, length; /* bytes, not zero */
    uint64_t absolute[2];     /* of its first byte, and of the second page if it reaches it */
    bool there[2];            /* that page has an absolute address; further pages are looked for when needed */
    bool fetch, store;
};

enum ec_ending {
    EC_COMPLETES,
    EC_PARTIAL,  /* an interruptible instruction: some units of operation */
    EC_CANCELLED /* nullified, suppressed or terminated */
};

/* An instruction that was carried out. */
struct ec_record {
    uint64_t ia, next;            /* its address, and the next sequential one */
    uint64_t text, target_text;   /* as ec_text() makes it; target_text: of what it executed, modified, 0: nothing */
    uint64_t target_ia;           /* address of that */
    uint64_t absolute, absolute2; /* of its first byte; of the page that its last byte is in, when another */
    uint64_t target_absolute;     /* of what it executed */
    uint64_t mask;                /* of addresses: X'FFFFFF', X'7FFFFFFF' or ones */
    uint64_t space, data_space;   /* address-space-control elements of instructions and of data, with `dat` */
    uint64_t program_parameter;
    bool dat, problem;
    uint8_t ending;   /* enum ec_ending */
    uint8_t operands; /* how many */
    bool taken;       /* a branch that was taken; where execution goes on: */
    uint64_t target;
    struct ec_operand operand[EC_ACCESSES];
    const uint64_t *gr; /* general registers behind it */
};

/* An instruction in the pipeline, for logs. */
struct ec_passage {
    uint64_t id; /* in the order of fetching, from 0 */
    uint64_t ia, text;
    uint64_t f, d, x, n; /* cycles; 0: not reached (d: only fetched) */
    unsigned tag;        /* EC_NO_TAG: only fetched */
    uint8_t class;       /* enum ec_class, see ec_class_name() */
    bool wrong_path, issued, finished;
};
/* A branch that has resolved, as run-time instrumentation has it; a stall is EC_BPTI, and no misprediction. */
enum ec_outcome { EC_NO_OUTCOME, EC_BPXN, EC_BPXT, EC_BPTI, EC_BPNI };
struct ec_watch {
    void *context;
    void (*passed)(void *context, const struct ec_passage *passage);
    /* A branch of the right path, which was passed last, resolves; a wrong path is passed behind that. NULL: nobody
       wants to know. */
    void (*resolved)(void *context, uint64_t id, enum ec_outcome outcome, bool mispredicted);
    /* `count` instructions from `first` completed at cycle `c`, or were cancelled there; wrong_path: they were flushed,
       or only fetched. */
    void (*ended)(void *context, uint64_t first, unsigned count, uint64_t c, bool cancelled, bool wrong_path);
};

/* Events that are kept of each misprediction. */
enum { EC_WASTED = 6 };
extern const enum ec_event ec_wasted[EC_WASTED];
/* A misprediction. */
struct ec_misprediction {
    uint64_t ia, predicted, actual; /* addresses */
    uint64_t dispatched, resolved;  /* cycles of the branch */
    uint32_t fetched, flushed;      /* instructions of the wrong path */
    uint32_t wasted[EC_WASTED];     /* what it caused, by ec_wasted */
};

/* What documented counters tell of caches and TLBs, over all instructions; [0] instructions, [1] data. */
struct ec_sources {
    uint64_t l2[2], l3[2], memory[2]; /* lines that came from there */
    uint64_t tlb2[2], walk[2];        /* pages not in the second-level TLB; cycles of their walks */
    uint64_t decimal;                 /* instructions dispatched */
};

/* What the latest instruction was, for run-time instrumentation. */
struct ec_latest {
    uint8_t instruction_level, data_level; /* 0: L1, 1: L2, 2: L3 or storage without one, 3: storage */
    uint8_t outcome;                       /* enum ec_outcome */
    uint64_t cycles;                       /* charged at its end */
};

struct ec_model;
struct ec_op;

/* A cold model. NULL: no memory. */
struct ec_model *ec_model_create(const struct ec_profile *profile, const struct ec_storage *storage);
void ec_model_destroy(struct ec_model *model);
/* All that was carried out completes before an instruction with EC_OP_DRAIN begins: ec_model_drain(). */
/* The instruction of such a text, decoded; kept until the next call. */
const struct ec_op *ec_model_decode(struct ec_model *model, uint64_t text);
/* The instruction at an absolute address, of whose first eight bytes `bytes` are; kept as long. */
const struct ec_op *ec_model_decode_at(struct ec_model *model, uint64_t absolute, const uint8_t *bytes);
/* An instruction was carried out. */
void ec_model_step(struct ec_model *model, const struct ec_record *record);
/* The same, but only caches, TLBs and predictor learn of it: nothing is counted, no time passes, and no wrong path is
   walked. Nothing may be in flight. */
void ec_model_warm(struct ec_model *model, const struct ec_record *record);
/* Its fetch ended in an exception. */
void ec_model_no_fetch(struct ec_model *model);
/* An asynchronous interruption: the table drains, fetching begins anew. Cycles that are charged. */
uint64_t ec_model_interrupted(struct ec_model *model);
/* All that is in the pipeline completes (wait state, writes of controls). Cycles that are charged. */
uint64_t ec_model_drain(struct ec_model *model);
/* A CPU reset; `clear`: one that clears registers and counters, too. */
void ec_model_reset(struct ec_model *model, bool clear);
/* TLBs are purged. */
void ec_model_purge(struct ec_model *model);
/* State of the CPU for signals without a tag; the boundary's part of alerts, with TOD bits 0-63. True: an alert was
   signalled; what is charged for the drain in *cycles, the instruction that raised it in *by (NULL: none did). */
/* Does ec_model_boundary() have something to do? */
bool ec_model_watches(const struct ec_model *model);
bool ec_model_boundary(struct ec_model *model, bool problem, uint64_t program_parameter, uint64_t tod, uint64_t *cycles,
                       const struct ec_raised **by);

/* What is set back to the beginning; nothing may be in flight. counters_clear() does the same for whoever counts. */
enum ec_clear {
    EC_CLEAR_PAIRS = 0x01, /* totals */
    EC_CLEAR_PMCS = 0x02,
    EC_CLEAR_REGISTERS = 0x04, /* the other performance-monitor registers, marks, alert */
    EC_CLEAR_CACHES = 0x08,    /* and TLBs */
    EC_CLEAR_PREDICTOR = 0x10
};
void ec_model_clear(struct ec_model *model, unsigned what);

struct ec_counting *ec_model_counting(struct ec_model *model);
const struct ec_profile *ec_model_profile(const struct ec_model *model);
const struct ec_sources *ec_model_sources(const struct ec_model *model);
const struct ec_latest *ec_model_latest(const struct ec_model *model);
/* Cycle of the latest completion, that is cycles since the model was turned on; instructions that were dispatched on
   wrong paths. */
uint64_t ec_model_cycles(const struct ec_model *model);
uint64_t ec_model_wrong(const struct ec_model *model);
/* NULL: nobody watches. Must live as long as it is set. */
void ec_model_watch(struct ec_model *model, const struct ec_watch *watch);
/* Mispredictions, `back` 0 the latest; NULL: not so many (kept). */
const struct ec_misprediction *ec_model_misprediction(const struct ec_model *model, unsigned back);
uint64_t ec_model_mispredictions(const struct ec_model *model);

/* Contents, for people. A cache: 0 L1I, 1 L1D, 2 L2, 3 L3, 4 ITLB, 5 DTLB, 6 second-level TLB. */
enum { EC_CACHES = 7 };
struct ec_cache_view {
    const char *name;
    uint32_t sets, ways;   /* of a TLB: 1 and its entries; an absent cache has no sets */
    uint32_t used;         /* lines or pages in it */
    uint64_t hits, misses; /* of both paths since the model is on */
};
void ec_model_cache(const struct ec_model *model, unsigned which, struct ec_cache_view *view);
/* Address of the line in a cache (0 to 3), from its first set and the most recent of each on; false: none is there. */
bool ec_model_line(const struct ec_model *model, unsigned which, uint32_t set, uint32_t way, uint64_t *address);
struct ec_predict_view {
    const char *kind;
    uint32_t counters[4]; /* how many stand at 0 (not taken) to 3 */
    uint32_t targets, target_places, calls;
    uint64_t history;
    unsigned history_bits;
};
void ec_model_predictor(const struct ec_model *model, struct ec_predict_view *view);

/* Totals as they would be drained; the model stays as it is. cycles: the counter of cycles. */
struct ec_totals {
    uint64_t all[EC_NEV], completed[EC_NEV], cycles;
};
void ec_model_totals(const struct ec_model *model, struct ec_totals *totals);
/* The same of the performance-monitor registers and PMCs. */
void ec_model_pmu(const struct ec_model *model, struct ec_pmu *pmu);

#endif
