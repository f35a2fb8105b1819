/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/stretches.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_FIRST 128u
#define STEPS_FIRST 1024u
#define PAGES_SEEN  8u

/* Slots are numbers, and stretches lie close together: those of a program that goes where
   it went stay in the host's cache. */
struct ep_stretches {
    uint16_t *slot; /* `slots`, a power of two: numbers of stretches, plus one; 0: free */
    size_t slots;
    struct ep_stretch *made; /* EP_STRETCHES */
    struct ep_step *step;
    uint64_t *part; /* for each step */
    unsigned used, steps, room;
    bool full;
    /* Epochs of pages, as they were found during the `look`. */
    struct seen {
        uint64_t page, look, changed;
        uint32_t space;
    } seen[PAGES_SEEN];
    struct seen *latest; /* that was asked for */
    uint64_t look;
};

struct ep_stretches *ep_stretches_create(void)
{
    struct ep_stretches *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->latest = s->seen;
    s->slots = SLOTS_FIRST;
    s->slot = calloc(s->slots, sizeof *s->slot);
    s->made = calloc(EP_STRETCHES, sizeof *s->made);
    if (s->slot && s->made)
        return s;
    ep_stretches_destroy(s);
    return NULL;
}

void ep_stretches_destroy(struct ep_stretches *s)
{
    if (!s)
        return;
    free(s->slot);
    free(s->made);
    free(s->step);
    free(s->part);
    free(s);
}

bool ep_stretches_full(const struct ep_stretches *s) { return s->full; }

void ep_stretches_clear(struct ep_stretches *s)
{
    if (s->used)
        memset(s->slot, 0, s->slots * sizeof *s->slot);
    s->used = s->steps = 0;
    s->full = false;
}

struct ep_stretch *ep_stretches_next(struct ep_stretches *s, size_t *n)
{
    return *n < s->used ? &s->made[(*n)++] : NULL;
}

const struct ep_step *ep_stretch_steps(const struct ep_stretches *s, const struct ep_stretch *stretch)
{
    return &s->step[stretch->first];
}

uint64_t *ep_stretch_parts(const struct ep_stretches *s, const struct ep_stretch *stretch)
{
    return &s->part[stretch->first];
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

/* The slot of a stretch like `x`, or where it would be. */
static uint16_t *slot_of(const struct ep_stretches *s, const struct ep_stretch *x)
{
    const uint64_t hash =
        (x->at * UINT64_C(0x9e3779b97f4a7c15) + x->from) * UINT64_C(0xd1b54a32d192ed03) + (x->to ^ x->space);
    size_t i = (size_t)((hash * UINT64_C(0x9e3779b97f4a7c15)) >> 40) & (s->slots - 1);
    for (; s->slot[i]; i = (i + 1) & (s->slots - 1)) {
        const struct ep_stretch *y = &s->made[s->slot[i] - 1u];
        if (y->at == x->at && y->from == x->from && y->to == x->to && y->space == x->space && y->mode == x->mode &&
            y->taken == x->taken)
            break;
    }
    return &s->slot[i];
}

void ep_stretches_look(struct ep_stretches *s) { s->look++; }

/* code->page(), which is asked once in a look. */
static inline bool page_epoch(struct ep_stretches *s, const struct ep_code *code, struct ep_place place,
                              uint64_t *changed)
{
    const uint64_t page = place.address / EP_PAGE;
    struct seen *seen = s->latest;
    if (seen->look != s->look || seen->page != page || seen->space != place.space)
        s->latest = seen = &s->seen[page % PAGES_SEEN];
    if (seen->look != s->look || seen->page != page || seen->space != place.space) {
        seen->look = 0;
        if (!code->page(code->context, place, &seen->changed))
            return false;
        seen->page = page;
        seen->space = place.space;
        seen->look = s->look;
    }
    *changed = seen->changed;
    return true;
}

/* The latest epoch of the pages behind the first, up to `last`: a page that changes has the latest one of all. */
static bool later_epochs(struct ep_stretches *s, const struct ep_code *code, struct ep_place at, uint64_t last,
                         uint64_t epoch, struct ep_stretch *x)
{
    uint64_t changed;
    x->other = 0;
    for (uint64_t page = at.address / EP_PAGE + 1; page <= last; page++) {
        at.address = page * EP_PAGE;
        if (!page_epoch(s, code, at, &changed) || changed > epoch)
            return false;
        x->other = changed > x->other ? changed : x->other;
    }
    return true;
}

/* Epochs of the pages that it lies in. False: they are not counted, or there are more of them, or it has changed since
   it was executed. */
static inline bool epochs(struct ep_stretches *s, const struct ep_code *code, struct ep_place at, struct ep_place from,
                          uint64_t epoch, struct ep_stretch *x)
{
    const uint64_t first = at.address / EP_PAGE;
    const uint64_t last = (from.address + 5) / EP_PAGE; /* no instruction ends behind that */
    if (last - first >= EP_STRETCH_PAGES || !page_epoch(s, code, at, &x->changed) || x->changed > epoch)
        return false;
    x->other = x->changed;
    return LIKELY(first == last) || later_epochs(s, code, at, last, epoch, x);
}

/* One that is known: is its code as it was then, and when it was executed? */
static inline bool stands(struct ep_stretches *s, const struct ep_code *code, const struct ep_stretch *x,
                          uint64_t epoch)
{
    const struct ep_place at = {x->at, x->space, x->mode}, from = {x->from, x->space, x->mode};
    struct ep_stretch now;
    return epochs(s, code, at, from, epoch, &now) && now.changed == x->changed && now.other == x->other;
}

static inline bool same_space(struct ep_place at, const struct ep_entry *b)
{
    return b->from.space == at.space && b->to.space == at.space && b->from.mode == at.mode && b->to.mode == at.mode;
}

/* Twice as many slots. Of stretches that are alike the latest is the one to be found. */
static bool more_slots(struct ep_stretches *s)
{
    struct ep_stretches larger = *s;
    larger.slots = 2 * s->slots;
    larger.slot = calloc(larger.slots, sizeof *larger.slot);
    if (!larger.slot)
        return false;
    for (unsigned i = 0; i < s->used; i++)
        *slot_of(&larger, &s->made[i]) = (uint16_t)(i + 1);
    free(s->slot);
    *s = larger;
    return true;
}

/* Room for its steps, and for itself. */
static bool has_room(struct ep_stretches *s, unsigned count)
{
    s->full |= s->used == EP_STRETCHES || s->steps + count > EP_STRETCH_STEPS;
    if (s->full || (2 * (size_t)s->used >= s->slots && !more_slots(s)))
        return false;
    if (s->steps + count <= s->room)
        return true;
    unsigned room = s->room ? s->room : STEPS_FIRST;
    while (room < s->steps + count)
        room *= 2;
    struct ep_step *more = realloc(s->step, room * sizeof *more);
    s->step = more ? more : s->step;
    uint64_t *parts = more ? realloc(s->part, room * sizeof *parts) : NULL;
    s->part = parts ? parts : s->part;
    if (!parts)
        return false;
    s->room = room;
    return true;
}

struct ep_stretch *ep_stretches_find(struct ep_stretches *s, struct ep_walker *walker, const struct ep_code *code,
                                     struct ep_place at, uint64_t epoch, const struct ep_entry *b,
                                     struct ep_stretch *later)
{
    struct ep_stretch *x = later && later->before ? &s->made[later->before - 1u] : NULL;
    if (x && x->count && x->at == at.address && x->from == b->from.address && x->to == b->to.address &&
        x->taken == ep_taken(b) && x->space == at.space && x->mode == at.mode && same_space(at, b) &&
        stands(s, code, x, epoch))
        return x;
    struct ep_stretch now = {.at = at.address,
                             .from = b->from.address,
                             .to = b->to.address,
                             .space = at.space,
                             .mode = at.mode,
                             .taken = ep_taken(b)};
    if (!same_space(at, b) || !epochs(s, code, at, b->from, epoch, &now))
        return NULL;
    struct ep_stretch again;
    const uint16_t known = *slot_of(s, &now);
    x = known ? &s->made[known - 1u] : NULL;
    if (x && x->changed == now.changed && x->other == now.other) {
        if (later)
            later->before = known;
        return x->count ? x : NULL;
    }
    const struct ep_step *step;
    const unsigned count = ep_walk_stretch(walker, at, epoch, b, &step);
    s->look++; /* walking may have found a page mapped elsewhere */
    if (count > UINT16_MAX || !has_room(s, count) || !epochs(s, code, at, b->from, epoch, &again) ||
        again.changed != now.changed || again.other != now.other)
        return NULL;
    now.first = s->steps;
    now.count = (uint16_t)count;
    if (count)
        memcpy(&s->step[s->steps], step, count * sizeof *step);
    if (count)
        memset(&s->part[s->steps], 0, count * sizeof *s->part);
    s->steps += count;
    x = &s->made[s->used++]; /* one of code that was there before is not found any more, and its units stay */
    *x = now;
    *slot_of(s, &now) = (uint16_t)s->used;
    return count ? x : NULL;
}
