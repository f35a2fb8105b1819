/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of ri/counters/model share. */
#ifndef ZRI_RI_COUNTERS_MODEL_INTERNAL_H
#define ZRI_RI_COUNTERS_MODEL_INTERNAL_H

#include "ri/counters/model/counting.h"
#include <assert.h>
#include <string.h>

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* A signal that PMCs or programmable provisional counters look at. */
void ec_programmed(struct ec_counting *c, enum ec_event e, struct ec_entry *entry, uint32_t amount);
void ec_saturated(struct ec_counting *c, struct ec_entry *entry, enum ec_event e);
/* Programmable provisional counters: another member joins, an entry has completed. */
void ec_preload(struct ec_pmu *p, struct ec_entry *entry, const struct ec_member *member, bool first);
void ec_programmed_leave(struct ec_counting *c, const struct ec_entry *entry);
/* Renew what follows from the registers. */
void ec_derive(struct ec_counting *c);

static inline bool ec_is_live(const struct ec_counting *c, unsigned tag)
{
    const unsigned age = tag >= c->ctag ? tag - c->ctag : tag + c->n - c->ctag;
    return tag < c->n && age < ec_live(c);
}

/* The signal itself. `entry` NULL: it has no tag. */
static inline void ec_count(struct ec_counting *c, enum ec_event e, struct ec_entry *entry, uint32_t amount)
{
    const uint64_t bit = UINT64_C(1) << e;
    if (c->paired & bit) {
        c->pmu.all[e] += amount;
        if (!entry) {
            c->pmu.untagged[e] += amount;
        } else {
            entry->touched |= bit;
            if (UNLIKELY(__builtin_add_overflow(entry->prov[e], amount, &entry->prov[e])))
                ec_saturated(c, entry, e);
        }
    }
    if (UNLIKELY(c->programmed & bit))
        ec_programmed(c, e, entry, amount);
}

/* The provisional counts of an entry that goes are added to `to`, and are zero again. */
static inline void ec_move(uint64_t to[EC_NEV], struct ec_entry *entry)
{
    for (uint64_t set = entry->touched; set; set &= set - 1) {
        const unsigned e = (unsigned)__builtin_ctzll(set);
        to[e] += entry->prov[e];
        entry->prov[e] = 0;
    }
    entry->touched = 0;
}

/* A signal of an instruction on a wrong path: it counts in ALL, and is lost. */
static inline void ec_count_lost(struct ec_counting *c, enum ec_event e, struct ec_entry *entry, uint32_t amount)
{
    const uint64_t bit = UINT64_C(1) << e;
    if (c->paired & bit) {
        c->pmu.all[e] += amount;
        c->pmu.flushed[e] += amount;
    }
    if (UNLIKELY(c->programmed & bit))
        ec_programmed(c, e, entry, amount);
}

/* ---- the forms of ec_allocate(), ec_join() and ec_leave() for every instruction -----------------------------------
 */

static inline unsigned ec_enter(struct ec_counting *c, const struct ec_member *member)
{
    const unsigned tag = c->atag;
    struct ec_entry *entry = &c->ct[tag];
    assert(!ec_full(c));
    c->atag = tag + 1 == c->n ? 0 : tag + 1;
    entry->x = entry->n = entry->c = entry->slack = 0;
    entry->ia = member->ia;
    entry->kind = member->kind;
    entry->members = 1;
    entry->instructions = member->inst;
    entry->src = member->src;
    entry->dst = member->dst;
    entry->wrong_path = member->wrong_path;
    entry->problem = member->problem;
    entry->marked = member->marked;
    entry->cancelled = member->cancelled;
    entry->open = true;
    if (UNLIKELY(c->pmu.mmcrp != 0))
        ec_preload(&c->pmu, entry, member, true);
    return tag;
}

/* Dispatch on a wrong path: an entry that can only be flushed. It has no provisional counts; what its instructions
   cause is lost at once (ec_count_lost()). */
static inline unsigned ec_enter_wrong(struct ec_counting *c, uint64_t ia, bool problem, bool marked)
{
    const unsigned tag = c->atag;
    struct ec_entry *entry = &c->ct[tag];
    assert(!ec_full(c));
    c->atag = tag + 1 == c->n ? 0 : tag + 1;
    entry->ia = ia;
    entry->members = 1;
    entry->wrong_path = entry->open = true;
    entry->problem = problem;
    entry->marked = marked;
    if (UNLIKELY(c->pmu.mmcrp != 0))
        memset(entry->pv, 0, sizeof entry->pv), memset(entry->base, 0, sizeof entry->base);
    return tag;
}

static inline void ec_enter_open(struct ec_counting *c, const struct ec_member *member)
{
    struct ec_entry *entry = &c->ct[ec_youngest(c)];
    entry->members++;
    entry->instructions = (uint8_t)(entry->instructions + member->inst);
    entry->src |= member->src;
    entry->dst |= member->dst;
    if (UNLIKELY(c->pmu.mmcrp != 0))
        ec_preload(&c->pmu, entry, member, false);
}

static inline void ec_go(struct ec_counting *c)
{
    struct ec_entry *entry = &c->ct[c->ctag];
    assert(c->ctag != c->atag && !entry->wrong_path);
    c->ctag = c->ctag + 1 == c->n ? 0 : c->ctag + 1;
    ec_move(entry->cancelled ? c->pmu.cancelled : c->pmu.completed, entry);
    if (UNLIKELY(c->leaving))
        ec_programmed_leave(c, entry);
}

#endif
