/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each place has the growth of the totals while it was current. As totals are those of a drained pipeline, what is in
   flight belongs to the place that it came from, and the sums of all places are the totals. */
#include "ri/counters/places.h"
#include <stdlib.h>
#include <string.h>

static int by_start(const void *a, const void *b)
{
    const struct ec_place *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start ? 1 : x->end > y->end ? -1 : x->end < y->end;
}

/* The index of the place with that address, `count`: none; [*from, *to) is all around it that has the same one. */
static unsigned find(const struct ec_places *p, uint64_t ia, uint64_t *from, uint64_t *to)
{
    unsigned low = 0, high = p->count;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (p->place[middle].start <= ia)
            low = middle + 1;
        else
            high = middle;
    }
    *to = low < p->count ? p->place[low].start : UINT64_MAX;
    *from = 0;
    while (low && p->place[low - 1].reach > ia) {
        const struct ec_place *at = &p->place[--low];
        *from = at->start > *from ? at->start : *from;
        if (ia < at->end) {
            *to = at->end < *to ? at->end : *to;
            return low;
        }
        *from = at->end > *from ? at->end : *from;
    }
    if (low && p->place[low - 1].reach > *from)
        *from = p->place[low - 1].reach;
    return p->count;
}

struct ec_places *ec_places_create(const struct ec_place *place, unsigned count, enum ec_place_state wanted)
{
    struct ec_places *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->wanted = (uint8_t)wanted;
    p->count = p->current = count;
    p->place = calloc(count + 1u, sizeof *p->place);
    p->sum = calloc(count + 1u, sizeof *p->sum);
    if (!p->place || !p->sum) {
        ec_places_destroy(p);
        return NULL;
    }
    if (count)
        memcpy(p->place, place, count * sizeof *place);
    qsort(p->place, count, sizeof *p->place, by_start);
    for (unsigned i = 0; i < count; i++)
        p->place[i].reach = i && p->place[i - 1].reach > p->place[i].end ? p->place[i - 1].reach : p->place[i].end;
    return p;
}

void ec_places_destroy(struct ec_places *p)
{
    if (!p)
        return;
    free(p->place);
    free(p->sum);
    free(p);
}

void ec_places_settle(struct ec_places *p, const struct ec_model *model)
{
    struct ec_totals now;
    struct ec_totals *sum = &p->sum[p->current];
    if (!p->runs)
        return;
    ec_model_totals(model, &now);
    for (unsigned e = 0; e < EC_NEV; e++) {
        sum->all[e] += now.all[e] - p->last.all[e];
        sum->completed[e] += now.completed[e] - p->last.completed[e];
    }
    sum->cycles += now.cycles - p->last.cycles;
    p->last = now;
}

void ec_places_change(struct ec_places *p, const struct ec_model *model, uint64_t ia, bool problem)
{
    uint64_t from = 0, to = UINT64_MAX;
    const bool meant = p->wanted == EC_PLACE_ANY || (p->wanted == EC_PLACE_PROBLEM) == problem;
    ec_places_settle(p, model);
    p->current = meant ? find(p, ia, &from, &to) : p->count;
    p->start = from;
    p->size = to - from;
    p->state = problem;
}

void ec_places_enter(struct ec_places *p, const struct ec_model *model)
{
    p->size = 0;
    p->current = p->count;
    p->runs = true;
    ec_model_totals(model, &p->last);
}

void ec_places_leave(struct ec_places *p, const struct ec_model *model)
{
    ec_places_settle(p, model);
    p->runs = false;
}
