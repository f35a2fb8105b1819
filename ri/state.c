/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the other files do to the state of an RI unit in common: what is derived from it, and what empties it. */
#include "ri/internal.h"
#include <string.h>

bool ri_stopped(const struct ri *ri)
{
    const struct ri_controls *c = &ri->controls;
    uint64_t last = c->rca + (ri_group_length(c->rgs) - 1);
    return last < c->rca || last > c->rla;
}

unsigned ri_collected(const struct ri *ri)
{
    uint64_t n = ri->head - ri->start;
    return n < ri->profile.cb_entries ? (unsigned)n : ri->profile.cb_entries;
}

struct ri_record ri_collected_record(const struct ri *ri, unsigned n)
{
    return ri->ring[(ri->head - ri_collected(ri) + n) % RI_RING];
}

void ri_derive(struct ri *ri)
{
    const struct ri_controls *c = &ri->controls;
    ri->active = ri->enabled && c->v && !ri->halted && !ri_stopped(ri);
    ri->reference = ri->directed || ri->cache || ri->keeping;
    ri->counting = ri->active && c->m != RI_MODE_DIRECTED ? ~UINT64_C(0) : 0;
    uint8_t classes = 0;
    if (ri->active && !ri->frozen) {
        if (c->c)
            classes |= 1u << RI_CLASS_CALL;
        if (c->r)
            classes |= 1u << RI_CLASS_RETURN;
        if (c->b)
            classes |= 1u << RI_CLASS_OTHER;
        if (c->j ? c->r : c->b)
            classes |= 1u << RI_CLASS_BC15;
    }
    ri->collect[0] = c->qc ? classes : 0;
    ri->collect[1] = c->pc ? classes : 0;
    const bool emits = ri->active && !ri->frozen && c->e;
    ri->emits[0] = emits && c->qc;
    ri->emits[1] = emits && c->pc;
}

void ri_empty(struct ri *ri)
{
    ri->start = ri->head;
    ri->idb = (struct ri_idb){.il = 15, .dl = 15};
    ri->kept = 0;
    ri->directed = false;
    ri->deferred = false;
    ri->frozen = false;
    ri->partial = false;
}

void ri_keep(struct ri *ri)
{
    ri->keeping = true;
    ri_derive(ri);
}

uint64_t ri_kept(const struct ri *ri) { return ri->kept; }

void ri_clear_collected(struct ri *ri) { ri->start = ri->head; }

void ri_forget_entry(struct ri *ri, unsigned i)
{
    ri->predictor[i] = (struct ri_prediction){.tag = (uint64_t)(i ^ 1) << 1};
    ri_touch_entry(ri, i);
}

void ri_forget(struct ri *ri)
{
    if (ri->keeper) {
        memset(ri->touched, 0xff, sizeof ri->touched);
        ri->touched_any = true;
    }
    if (!ri->predictor_used)
        return;
    if (ri->dirty_count > RI_DIRTY)
        for (unsigned i = 0; i < RI_PREDICTOR; i++)
            ri_forget_entry(ri, i);
    else
        for (unsigned i = 0; i < ri->dirty_count; i++)
            ri_forget_entry(ri, ri->dirty[i]);
    ri->dirty_count = 0;
    if (ri->cache)
        *ri->cache = (struct ri_cache){0};
    ri->predictor_used = false;
}

void ri_tell_stored(struct ri *ri, void (*stored)(void *context, const struct ri_stored *group), void *context)
{
    ri->stored = stored;
    ri->stored_context = context;
}
