/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/counters/intervals.h"
#include <stdlib.h>

struct ec_intervals {
    uint64_t cycles, next; /* of the model */
    uint64_t count;        /* ever taken */
    uint64_t given;        /* by ec_intervals_next() */
    struct ec_interval kept[EC_INTERVALS];
};

struct ec_intervals *ec_intervals_create(uint64_t cycles, uint64_t now)
{
    struct ec_intervals *i = calloc(1, sizeof *i);
    if (i) {
        i->cycles = cycles;
        i->next = now + cycles;
    }
    return i;
}

void ec_intervals_destroy(struct ec_intervals *i) { free(i); }

bool ec_intervals_due(const struct ec_intervals *i, uint64_t now) { return now >= i->next; }

/* An instruction may take longer than an interval: then the boundaries that passed have one snapshot together. */
void ec_intervals_take(struct ec_intervals *i, const struct ec_model *model, uint64_t tod)
{
    struct ec_interval *to = &i->kept[i->count++ % EC_INTERVALS];
    to->tod = tod;
    ec_model_totals(model, &to->totals);
    const uint64_t now = ec_model_cycles(model);
    if (now >= i->next)
        i->next += ((now - i->next) / i->cycles + 1) * i->cycles;
}

uint64_t ec_intervals_count(const struct ec_intervals *i) { return i->count; }

const struct ec_interval *ec_intervals_get(const struct ec_intervals *i, uint64_t back)
{
    return back < i->count && back < EC_INTERVALS ? &i->kept[(i->count - 1 - back) % EC_INTERVALS] : NULL;
}

const struct ec_interval *ec_intervals_next(struct ec_intervals *i)
{
    if (i->count - i->given > EC_INTERVALS)
        i->given = i->count - EC_INTERVALS;
    return i->given < i->count ? &i->kept[i->given++ % EC_INTERVALS] : NULL;
}

/* The kept ones, from the oldest. */
static void contents(struct ec_intervals *i, const struct ec_fields *f)
{
    EC_FIELD(f, i->cycles);
    EC_FIELD(f, i->next);
    EC_FIELD(f, i->count);
    EC_FIELD(f, i->given);
    if (f->loading && !f->refused(f->context) && (!i->cycles || i->given > i->count))
        f->refuse(f->context, "intervals of no length");
    const uint64_t kept = i->count < EC_INTERVALS ? i->count : EC_INTERVALS;
    for (uint64_t n = i->count - kept; n < i->count && !f->refused(f->context); n++) {
        struct ec_interval *one = &i->kept[n % EC_INTERVALS];
        EC_FIELD(f, one->tod);
        ec_totals_fields(&one->totals, f);
    }
}

void ec_intervals_fields(struct ec_intervals **intervals, const struct ec_fields *f)
{
    bool there = *intervals != NULL;
    ec_field_flag(f, &there);
    if (f->loading) {
        ec_intervals_destroy(*intervals);
        *intervals = there ? ec_intervals_create(1, 0) : NULL;
        if (there && !*intervals)
            f->refuse(f->context, "the host has no memory");
    }
    if (*intervals)
        contents(*intervals, f);
}
