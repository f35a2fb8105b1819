/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counting method: events of instructions that complete apart from those of all instructions. A completion table
   hands out tags; what an instruction causes is kept in provisional counters under its tag until its fate is known;
   completion adds them to the counters of completed work, cancellation loses them. Source: event-counter specification,
   sections 2 and 3; the numbers of bits are counted from the left. */
#ifndef ZRI_RI_COUNTERS_MODEL_COUNTING_H
#define ZRI_RI_COUNTERS_MODEL_COUNTING_H

#include "ri/counters/model/events.h"
#include <stdbool.h>
#include <stddef.h>

enum { EC_NPV = 4, EC_NPMC = 4, EC_ENTRIES_LEAST = 4, EC_ENTRIES_MOST = 256 };

/* MMCR0. */
enum ec_mmcr0 {
    EC_DIS = 1u << 31,
    EC_DP = 1u << 30,
    EC_DU = 1u << 29,
    EC_DMS = 1u << 28,
    EC_DMR = 1u << 27,
    EC_ENINT = 1u << 26,
    EC_DISCOUNT = 1u << 25,
    EC_TBSEL_SHIFT = 23,
    EC_INTONBITTRANS = 1u << 22,
    EC_THRESHOLD_SHIFT = 16,
    EC_PMC1INTCONTROL = 1u << 15,
    EC_PMCINTCONTROL = 1u << 14,
    EC_PMCTRIGGER = 1u << 13,
    EC_PMC1SEL_SHIFT = 6,
};
enum { EC_SELECT_PV = 0x30 }; /* PMCnSEL: PV0; PV1 ... follow */
/* What a provisional counter does with its event. */
enum ec_mode { EC_ADD, EC_WRITE, EC_PRELOAD_DECODE, EC_PRELOAD_ICR };

/* An instruction that enters the table. */
struct ec_member {
    uint64_t ia;
    uint8_t kind;           /* for people */
    uint8_t reg_rd, reg_wr; /* general registers read and written */
    uint8_t inst;           /* 1; 0: this execution does not finish the instruction */
    bool problem, marked, wrong_path;
    bool cancelled;    /* it will end by nullification, suppression or termination */
    uint32_t src, dst; /* registers, 1 << number; general ones are 0-15 */
};

struct ec_entry {
    uint64_t ia;         /* of the first instruction */
    uint64_t d, x, n, c; /* cycles of dispatch, issue, finish, completion (c: not before the entry is closed) */
    uint64_t slack;      /* n without the penalties of data */
    uint32_t src, dst;   /* registers read and written by its members */
    uint8_t kind, members, instructions;
    bool wrong_path, problem, marked, cancelled;
    bool open;             /* may be joined */
    uint32_t pv[EC_NPV];   /* programmable provisional counters */
    uint32_t base[EC_NPV]; /* what they held when the last member joined */
    uint64_t touched;      /* events whose provisional count is not zero, perhaps: 1 << code */
    uint32_t prov[EC_NEV]; /* provisional counts, by event; zero in an entry that is free */
};

enum ec_register { EC_MMCR0, EC_MMCR1, EC_MMCRP, EC_ICR, EC_PMC1, EC_PMC2, EC_PMC3, EC_PMC4, EC_REGISTERS };

/* The instruction that made a PMC negative: what its entry was when it left. */
struct ec_raised {
    bool known;     /* there was one; else the PMC was set, or by an event without a tag */
    bool in_flight; /* its entry has not left yet */
    bool completed; /* it was not cancelled, nor flushed */
    uint8_t kind, members;
    uint16_t tag;
    uint64_t ia, d, c; /* of the first instruction in the entry; cycles of dispatch and completion (0: flushed) */
};

/* Performance-monitor registers and counters of one CPU. */
struct ec_pmu {
    uint32_t mmcr0, mmcr1, mmcrp, icr, pmc[EC_NPMC];
    uint64_t markmask, markvalue;
    bool frozen, triggered;                  /* by DISCOUNT; the trigger has come */
    bool alert;                              /* an alert was signalled, and nobody has taken it yet */
    bool saturated;                          /* a provisional counter was at its end, some time */
    bool time_bit;                           /* the selected bit of the clock, as last seen; */
    bool time_seen;                          /* it was, since somebody began to look */
    struct ec_raised raised;                 /* by the latest PMC that has become negative */
    uint64_t all[EC_NEV], completed[EC_NEV]; /* totals */
    uint64_t flushed[EC_NEV], cancelled[EC_NEV], untagged[EC_NEV];
};

struct ec_counting {
    struct ec_entry *ct; /* the completion table, n entries; at most n - 1 are live */
    unsigned n, atag, ctag;
    bool problem, marked; /* of untagged signals: the state of the CPU now */
    uint64_t paired;      /* events with ALL and COMPLETED: the pair list and what the operator added */
    uint64_t programmed;  /* derived: events that PMCs or PVs look at */
    bool leaving;         /* derived: PMCs or PVs want to know of each entry that leaves */
    struct ec_pmu pmu;
};

enum { EC_NO_TAG = 0xffff };

/* A table of n entries (4-256), empty; registers and counters zero. 0 or -ENOMEM. */
int ec_counting_create(struct ec_counting *c, unsigned n) __attribute__((warn_unused_result));
void ec_counting_destroy(struct ec_counting *c);
/* What a CPU reset does: the entries are cancelled. */
void ec_counting_empty(struct ec_counting *c);
/* Registers and counters, totals included, become zero (initial, clear and power-on reset). */
void ec_counting_clear(struct ec_counting *c);

static inline unsigned ec_live(const struct ec_counting *c)
{
    return c->atag >= c->ctag ? c->atag - c->ctag : c->atag + c->n - c->ctag;
}
static inline bool ec_full(const struct ec_counting *c) { return (c->atag + 1 == c->n ? 0 : c->atag + 1) == c->ctag; }
/* The tag handed out last. Only while an entry is live. */
static inline unsigned ec_youngest(const struct ec_counting *c) { return (c->atag ? c->atag : c->n) - 1; }
static inline struct ec_entry *ec_oldest(const struct ec_counting *c) { return &c->ct[c->ctag]; }

/* Dispatch: the tag of a new entry, its provisional counters reset. The table is not full. */
unsigned ec_allocate(struct ec_counting *c, const struct ec_member *member);
/* Dispatch into the youngest entry. */
void ec_join(struct ec_counting *c, const struct ec_member *member);
/* `amount` of event `e` caused by the instruction in entry `tag`, or EC_NO_TAG. */
void ec_signal(struct ec_counting *c, enum ec_event e, unsigned tag, uint32_t amount);
/* The oldest entry leaves: its counts are added, or, when it is cancelled, lost. An entry is live. */
void ec_leave(struct ec_counting *c);
/* All entries younger than `tag` are cancelled. Returns the instructions in them. */
unsigned ec_flush(struct ec_counting *c, unsigned tag);

/* Registers; a write drains before (the caller's part). MMCR0 ends freeze and trigger. */
uint32_t ec_register(const struct ec_counting *c, enum ec_register r);
void ec_set_register(struct ec_counting *c, enum ec_register r, uint32_t value);
/* Does the mark definition cover this program parameter? */
bool ec_marked(const struct ec_pmu *pmu, uint64_t program_parameter);
/* Events that have pairs beside the pair list, as a set. The totals of those that go keep what they have. */
void ec_add_pairs(struct ec_counting *c, uint64_t set);

/* At an instruction boundary: the clock's bits are looked at (`tod` as the first doubleword of STORE CLOCK). True: an
   alert is due; the caller drains and calls ec_alert(). */
bool ec_boundary(struct ec_counting *c, uint64_t tod);
/* NULL: no instruction has raised it. */
const struct ec_raised *ec_alert(struct ec_counting *c);

/* INFLIGHT: counts in live entries. */
uint64_t ec_inflight(const struct ec_counting *c, enum ec_event e);
/* ALL = COMPLETED + INFLIGHT + FLUSHED + CANCELLED + UNTAGGED, and COMPLETED <= ALL, for all events. Unless a
   provisional counter was saturated. */
bool ec_identity(const struct ec_counting *c);

#endif
