/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pipeline model counts, by the address of the instruction that caused it: by function, or by range. What a
   wrong path causes belongs to the branch in front of it. Event-counter specification, 3.8 and 4.9. */
#ifndef ZRI_RI_COUNTERS_PLACES_H
#define ZRI_RI_COUNTERS_PLACES_H

#include "ri/counters/model/model.h"

/* Instruction addresses from `start` to before `end`. */
struct ec_place {
    uint64_t start, end;
    uint64_t reach; /* derived: the last end of this one and those before it */
    char name[64];
};
/* Which instructions count. */
enum ec_place_state { EC_PLACE_ANY, EC_PLACE_PROBLEM, EC_PLACE_SUPERVISOR };

struct ec_places {
    uint64_t start, size; /* of the current place: until then nothing has to be looked for */
    uint64_t state;       /* of the current instructions: 0 supervisor, 1 problem */
    unsigned current;     /* its index; `count`: elsewhere */
    bool runs;
    uint8_t wanted;        /* enum ec_place_state */
    struct ec_totals last; /* when it began to be current */
    unsigned count;
    struct ec_place *place; /* in the order of addresses, none in another */
    struct ec_totals *sum;  /* by place, and one more: of all that is elsewhere */
};

/* For `count` places, sorted here; of those that overlap the one that begins later has what both have. They are copied.
   NULL: no host memory. */
struct ec_places *ec_places_create(const struct ec_place *place, unsigned count, enum ec_place_state wanted)
    __attribute__((warn_unused_result));
void ec_places_destroy(struct ec_places *places);
/* The model counts for them from now on; no longer. */
void ec_places_enter(struct ec_places *places, const struct ec_model *model);
void ec_places_leave(struct ec_places *places, const struct ec_model *model);
/* What was counted since belongs to the current place (before the sums are looked at). */
void ec_places_settle(struct ec_places *places, const struct ec_model *model);
void ec_places_change(struct ec_places *places, const struct ec_model *model, uint64_t ia, bool problem);

/* The instruction at `ia` is told to the model next. */
static inline void ec_places_at(struct ec_places *places, const struct ec_model *model, uint64_t ia, bool problem)
{
    if (ia - places->start >= places->size || places->state != problem)
        ec_places_change(places, model, ia, problem);
}

#endif
