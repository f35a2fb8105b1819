/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/stretches.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS       (2 * (size_t)EP_STRETCHES)
#define STEPS_FIRST 1024u

struct ep_stretches {
    struct ep_stretch *slot; /* SLOTS */
    struct ep_step *step;
    unsigned used, steps, room;
    bool full;
};

struct ep_stretches *ep_stretches_create(void)
{
    struct ep_stretches *s = calloc(1, sizeof *s);
    if (s && !(s->slot = calloc(SLOTS, sizeof *s->slot))) {
        free(s);
        return NULL;
    }
    return s;
}

void ep_stretches_destroy(struct ep_stretches *s)
{
    if (!s)
        return;
    free(s->slot);
    free(s->step);
    free(s);
}

bool ep_stretches_full(const struct ep_stretches *s) { return s->full; }

void ep_stretches_clear(struct ep_stretches *s)
{
    if (s->used)
        memset(s->slot, 0, SLOTS * sizeof *s->slot);
    s->used = s->steps = 0;
    s->full = false;
}

struct ep_stretch *ep_stretches_next(struct ep_stretches *s, size_t *n)
{
    while (*n < SLOTS) {
        struct ep_stretch *stretch = &s->slot[(*n)++];
        if (stretch->used)
            return stretch;
    }
    return NULL;
}

const struct ep_step *ep_stretch_steps(const struct ep_stretches *s, const struct ep_stretch *stretch)
{
    return &s->step[stretch->first];
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

static struct ep_stretch *slot_of(const struct ep_stretches *s, struct ep_place at, const struct ep_entry *b,
                                  bool taken)
{
    const uint64_t hash = (at.address * UINT64_C(0x9e3779b97f4a7c15) + b->from.address) * UINT64_C(0xd1b54a32d192ed03) +
                          (b->to.address ^ at.space);
    size_t i = (size_t)((hash * UINT64_C(0x9e3779b97f4a7c15)) >> 40) & (SLOTS - 1);
    for (;; i = (i + 1) & (SLOTS - 1)) {
        struct ep_stretch *x = &s->slot[i];
        if (!x->used || (!x->gone && x->at == at.address && x->from == b->from.address && x->to == b->to.address &&
                         x->space == at.space && x->mode == at.mode && x->taken == taken))
            return x;
    }
}

/* Epochs of the one or two pages that it lies in. False: they are not counted, or there are more, or it has changed
   since it was executed. */
static bool epochs(const struct ep_code *code, struct ep_place at, struct ep_place from, uint64_t epoch,
                   struct ep_stretch *x)
{
    const struct ep_place end = {from.address + 5, from.space, from.mode}; /* no instruction ends behind that */
    const uint64_t first = at.address / EP_PAGE, last = end.address / EP_PAGE;
    if (last - first > 1 || !code->page(code->context, at, &x->changed) || x->changed > epoch)
        return false;
    x->other = x->changed;
    return first == last || (code->page(code->context, end, &x->other) && x->other <= epoch);
}

/* Room for its steps, and for itself. */
static bool has_room(struct ep_stretches *s, unsigned count)
{
    s->full |= s->used == EP_STRETCHES || s->steps + count > EP_STRETCH_STEPS;
    if (s->full)
        return false;
    if (s->steps + count <= s->room)
        return true;
    unsigned room = s->room ? s->room : STEPS_FIRST;
    while (room < s->steps + count)
        room *= 2;
    struct ep_step *more = realloc(s->step, room * sizeof *more);
    if (!more)
        return false;
    s->step = more;
    s->room = room;
    return true;
}

struct ep_stretch *ep_stretches_find(struct ep_stretches *s, struct ep_walker *walker, const struct ep_code *code,
                                     struct ep_place at, uint64_t epoch, const struct ep_entry *b)
{
    struct ep_stretch now = {.at = at.address,
                             .from = b->from.address,
                             .to = b->to.address,
                             .space = at.space,
                             .mode = at.mode,
                             .taken = ep_taken(b),
                             .used = true};
    if (b->from.space != at.space || b->to.space != at.space || b->from.mode != at.mode || b->to.mode != at.mode ||
        !epochs(code, at, b->from, epoch, &now))
        return NULL;
    struct ep_stretch *x = slot_of(s, at, b, now.taken), again;
    if (x->used && x->changed == now.changed && x->other == now.other)
        return x->count ? x : NULL;
    const struct ep_step *step;
    const unsigned count = ep_walk_stretch(walker, at, epoch, b, &step);
    if (count > UINT16_MAX || !has_room(s, count) || !epochs(code, at, b->from, epoch, &again) ||
        again.changed != now.changed || again.other != now.other)
        return NULL;
    if (x->used) { /* of code that was there before: its units are still wanted */
        x->gone = true;
        x = slot_of(s, at, b, now.taken);
    }
    now.first = s->steps;
    now.count = (uint16_t)count;
    if (count)
        memcpy(&s->step[s->steps], step, count * sizeof *step);
    s->steps += count;
    s->used++;
    *x = now;
    return count ? x : NULL;
}
