/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots of the pipeline model's totals in even intervals of its cycles. Event-counter specification 3.8. */
#ifndef ZRI_RI_COUNTERS_INTERVALS_H
#define ZRI_RI_COUNTERS_INTERVALS_H

#include "ri/counters/model/state.h"

enum { EC_INTERVALS = 1024 }; /* as many are kept, the latest */

struct ec_interval {
    uint64_t tod; /* as the first doubleword of STORE CLOCK */
    struct ec_totals totals;
};
struct ec_intervals;

/* One every `cycles` (not 0) from `now` on. NULL: no host memory. */
struct ec_intervals *ec_intervals_create(uint64_t cycles, uint64_t now) __attribute__((warn_unused_result));
void ec_intervals_destroy(struct ec_intervals *intervals);
/* At an instruction boundary, the model's cycle being `now`: is one due? Then it is to be taken. */
bool ec_intervals_due(const struct ec_intervals *intervals, uint64_t now);
void ec_intervals_take(struct ec_intervals *intervals, const struct ec_model *model, uint64_t tod);
/* How many there ever were; the `back`-th before the latest, NULL: it is not kept. */
uint64_t ec_intervals_count(const struct ec_intervals *intervals);
/* The oldest kept one that this has not given yet, NULL: none. */
const struct ec_interval *ec_intervals_next(struct ec_intervals *intervals);
const struct ec_interval *ec_intervals_get(const struct ec_intervals *intervals, uint64_t back);

/* For snapshots. *intervals NULL: there are none; when loading what is there is let go. */
void ec_intervals_fields(struct ec_intervals **intervals, const struct ec_fields *fields);

#endif
