/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the pipeline model, shared by its files. */
#ifndef ZRI_RI_COUNTERS_MODEL_PIPELINE_H
#define ZRI_RI_COUNTERS_MODEL_PIPELINE_H

#include "ri/counters/model/cache.h"
#include "ri/counters/model/decode.h"
#include "ri/counters/model/internal.h"
#include "ri/counters/model/model.h"

#define EC_NO_LINE     UINT64_MAX
#define EC_NEVER       UINT64_MAX /* the dispatch cycle of what was not dispatched */
#define EC_BUFFER_MOST 256

/* The front end; a wrong path has a copy. All of it before the ring is copied as one. */
struct ec_front {
    uint64_t fc;                   /* cycle of fetching */
    uint64_t line;                 /* absolute number of the current line, or EC_NO_LINE */
    uint64_t dc;                   /* cycle of dispatch */
    unsigned fs, ds;               /* slots used in them */
    unsigned at;                   /* where in the ring the next dispatch goes */
    bool brk;                      /* a new fetch block begins */
    uint64_t ring[EC_BUFFER_MOST]; /* dispatch cycles of the last instructions, fetch_buffer of them */
};

/* Events that wait for their tag. */
struct ec_held {
    unsigned count;
    struct {
        uint8_t event;
        uint32_t amount;
    } what[48];
};

/* An instruction on its way, on either path. */
struct ec_passing {
    const struct ec_op *op;
    uint64_t ia, f, d, stall;
    struct ec_held held;
    uint8_t level; /* of its lines */
};

struct ec_caches {
    struct ec_cache l1i, l1d, l2, l3;
    struct ec_tlb itlb, dtlb, tlb2;
};

struct ec_model {
    struct ec_counting counting;
    struct ec_front front;
    uint64_t rdy[EC_REGS];
    uint64_t cc; /* cycle of completion, */
    unsigned cs; /* slots used in it */
    unsigned line_shift;
    uint64_t charged; /* cycles completed since somebody asked */
    uint64_t id;      /* of the next instruction that is fetched */
    const struct ec_watch *watch;
    struct ec_storage storage;
    struct ec_profile profile;
    struct ec_predict predict;
    struct ec_caches caches;
    struct ec_ops ops;
    struct ec_op executed; /* an execute-type instruction and its target */
    struct ec_sources sources;
    struct ec_latest latest;
    uint64_t wrong, mispredictions;
    uint64_t warm_line; /* the latest that ec_model_warm() has fetched, plus 1 */
    struct ec_misprediction misprediction[EC_FLUSHES];
    uint64_t first_id[EC_ENTRIES_MOST]; /* by tag: id of the first member, while somebody watches */
    struct ec_front wrong_front;        /* of the wrong path being walked */
};

/* access.c: a line of instructions. Its events are added to `held`; returns the penalty in cycles; *level goes up to
   where the line came from. `page` is the logical page number, `line` the absolute line number; `pollute`: the caches
   learn. */
uint64_t ec_instruction_line(struct ec_model *m, const struct ec_record *r, uint64_t page, uint64_t line, bool pollute,
                             struct ec_held *held, uint8_t *level);
/* TLBs are purged. */
void ec_purge(struct ec_model *m);
/* All lines of an operand, with LOAD, STORE and the bytes: events of `entry`. `wrong`: on a wrong path. */
uint64_t ec_data(struct ec_model *m, const struct ec_record *r, const struct ec_operand *operand, bool wrong,
                 struct ec_entry *entry, uint8_t *level);

/* An operand that leaves nothing but its lines and pages in caches and TLBs. */
void ec_data_warm(struct ec_model *m, const struct ec_record *r, const struct ec_operand *operand);

/* stage.c */
/* Where the bytes of an instruction are. */
struct ec_bytes {
    uint64_t ia, absolute, absolute2; /* as in struct ec_record */
    unsigned length;
};
/* A line that is not the current one is fetched. */
void ec_fetch_line(struct ec_model *m, struct ec_front *front, const struct ec_record *r, uint64_t ia, uint64_t line,
                   bool pollute, struct ec_passing *p);
/* The oldest entry leaves. */
void ec_tell_completed(struct ec_model *m);
void ec_tell(struct ec_model *m, const struct ec_passing *passing, unsigned tag, uint64_t x, uint64_t n, uint64_t most);

/* pipeline.c */
/* What was carried out, decoded; of an execute-type instruction with its target. */
const struct ec_op *ec_decode_record(struct ec_model *m, const struct ec_record *r);
/* What closing the open entry would charge, and lose to penalties; false: none is open. */
bool ec_would_close(const struct ec_model *m, uint64_t *cycles, uint64_t *stall);

/* branch.c */
/* A branch of the right path resolves in cycle `resolved`: its prediction, what it costs, what is learnt. */
void ec_resolve(struct ec_model *m, const struct ec_record *r, const struct ec_passing *passing, unsigned tag,
                uint64_t resolved);
/* Walk the wrong path from `start` until `until`, and throw it away. Returns the instructions that were dispatched. */
unsigned ec_walk_and_flush(struct ec_model *m, const struct ec_record *r, uint64_t start, uint64_t until, unsigned tag,
                           struct ec_past *past, unsigned *fetched);

/* wrong.c: the wrong path from `start`, until cycle `until`; `past` is the predictor's, with the prediction applied.
   Returns the instructions fetched; what it dispatched is in the table. */
unsigned ec_walk(struct ec_model *m, const struct ec_record *r, uint64_t start, uint64_t until, struct ec_past *past);

static inline void ec_hold(struct ec_held *held, enum ec_event e, uint64_t amount)
{
    if (held->count < sizeof held->what / sizeof *held->what) {
        held->what[held->count].event = (uint8_t)e;
        held->what[held->count++].amount = amount > UINT32_MAX ? UINT32_MAX : (uint32_t)amount;
    }
}

static inline uint64_t ec_latest(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* The cycle and place of the next fetch, in a line; what was fetched a ring before has to be out of the way. */
static inline void ec_front_go_on(const struct ec_model *m, struct ec_front *front, uint64_t line)
{
    if (front->brk || front->fs >= m->profile.fetch_width || line != front->line) {
        front->fc++;
        front->fs = 0;
        if (front->brk)
            front->line = EC_NO_LINE;
        front->brk = false;
    }
    if (front->ring[front->at] > front->fc) {
        front->fc = front->ring[front->at];
        front->fs = 0;
    }
}

/* Fetch; false: beyond the limit, it is not fetched. */
static inline bool ec_fetch(struct ec_model *m, struct ec_front *front, const struct ec_record *r,
                            const struct ec_bytes *bytes, uint64_t limit, bool pollute, struct ec_passing *p)
{
    const uint64_t line = bytes->absolute >> m->line_shift;
    ec_front_go_on(m, front, line);
    if (front->fc > limit)
        return false;
    const uint64_t last = bytes->absolute + bytes->length - 1;
    if (line != front->line)
        ec_fetch_line(m, front, r, bytes->ia, line, pollute, p);
    if (UNLIKELY(last / EC_PAGE != bytes->absolute / EC_PAGE))
        ec_fetch_line(m, front, r, (bytes->ia + bytes->length - 1) & r->mask, bytes->absolute2 >> m->line_shift,
                      pollute, p);
    else if (UNLIKELY(last >> m->line_shift != line))
        ec_fetch_line(m, front, r, bytes->ia, last >> m->line_shift, pollute, p);
    front->fs++;
    p->f = front->fc;
    return true;
}

/* The cycle in which it may be dispatched at the earliest. */
static inline uint64_t ec_earliest(const struct ec_model *m, const struct ec_front *front, const struct ec_passing *p)
{
    const uint64_t d = ec_latest(p->f + m->profile.front_depth, front->dc);
    return d == front->dc && front->ds >= m->profile.dispatch_width ? d + 1 : d;
}

/* It is, in cycle `d`. */
static inline void ec_dispatched(struct ec_model *m, struct ec_front *front, uint64_t d)
{
    front->ds = d == front->dc ? front->ds + 1 : 1;
    front->dc = d == EC_NEVER ? front->dc : d;
    front->ring[front->at] = d;
    front->at = front->at + 1 == m->profile.fetch_buffer ? 0 : front->at + 1;
}

/* The oldest entry leaves. */
static inline void ec_entry_leaves(struct ec_model *m)
{
    if (UNLIKELY(m->watch != NULL))
        ec_tell_completed(m);
    ec_go(&m->counting);
}

/* Closed entries that complete until that cycle leave. */
static inline void ec_complete_until(struct ec_model *m, uint64_t cycle)
{
    struct ec_counting *c = &m->counting;
    while (c->ctag != c->atag) {
        const struct ec_entry *e = ec_oldest(c);
        if (e->open || e->wrong_path || e->c > cycle)
            return;
        ec_entry_leaves(m);
    }
}

/* Events; `lost`: of a wrong path, a constant. */
static inline void ec_event(struct ec_model *m, enum ec_event e, struct ec_entry *entry, uint64_t amount, bool lost)
{
    const uint32_t most = amount > UINT32_MAX ? UINT32_MAX : (uint32_t)amount;
    if (lost)
        ec_count_lost(&m->counting, e, entry, most);
    else
        ec_count(&m->counting, e, entry, most);
}

static inline void ec_signal_held(struct ec_model *m, const struct ec_held *held, struct ec_entry *entry, bool lost)
{
    for (unsigned i = 0; i < held->count; i++)
        ec_event(m, (enum ec_event)held->what[i].event, entry, held->what[i].amount, lost);
}

/* The events of a dispatch, the held ones among them. */
static inline void ec_signal_dispatch(struct ec_model *m, const struct ec_passing *p, struct ec_entry *entry, bool inst,
                                      bool lost)
{
    const struct ec_counting *c = &m->counting;
    const struct ec_op *op = p->op;
    if (p->held.count)
        ec_signal_held(m, &p->held, entry, lost);
    if (inst)
        ec_event(m, EC_INST, entry, 1, lost);
    if (p->stall)
        ec_event(m, EC_STALL_CT, entry, p->stall, lost);
    if ((c->paired | c->programmed) & (UINT64_C(1) << EC_REG_RD | UINT64_C(1) << EC_REG_WR)) {
        ec_event(m, EC_REG_RD, entry, op->reg_rd, lost);
        ec_event(m, EC_REG_WR, entry, op->reg_wr, lost);
    }
    for (uint64_t set = op->dispatch & (c->paired | c->programmed); set; set &= set - 1)
        ec_event(m, (enum ec_event)__builtin_ctzll(set), entry, 1, lost);
    m->sources.decimal += op->dispatch >> EC_DECIMAL & 1;
}

#endif
