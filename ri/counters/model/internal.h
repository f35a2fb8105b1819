/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of ri/counters/model share. */
#ifndef ZRI_RI_COUNTERS_MODEL_INTERNAL_H
#define ZRI_RI_COUNTERS_MODEL_INTERNAL_H

#include "ri/counters/model/counting.h"

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* A signal that PMCs or programmable provisional counters look at. */
void ec_programmed(struct ec_counting *c, enum ec_event e, struct ec_entry *entry, uint32_t amount);
void ec_saturated(struct ec_counting *c, struct ec_entry *entry, enum ec_event e);
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
        if (!entry)
            c->pmu.untagged[e] += amount;
        else if (UNLIKELY(__builtin_add_overflow(entry->prov[e], amount, &entry->prov[e])))
            ec_saturated(c, entry, e);
    }
    if (UNLIKELY(c->programmed & bit))
        ec_programmed(c, e, entry, amount);
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

#endif
