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
