/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage operands whose page was tested with that of others by the same base register: cpu/translate/shares.c says
   which. */
#include "cpu/translate/emit/template.h"

bool share_some(const struct share *s) { return s->high != s->low; }

/* Is the access one that such a test is for? */
bool share_within(const struct share *s, const struct access *a)
{
    return a->base == s->base && a->index == s->index && (s->store || !a->store) && a->d >= s->low &&
           a->d + a->length <= s->high;
}

bool share_begins(const struct translation *t) { return share_some(&t->begins[t->number]); }

static void take_standing(const struct translation *t, struct standing *s)
{
    s->cc = t->cc;
    s->flags = t->flags;
    s->dirty = t->dirty;
    s->split = t->split;
    s->vectors = t->vectors;
    s->vector_time = t->vector_time;
    memcpy(s->vector_used, t->vector_used, sizeof s->vector_used);
}

void standing_restore(struct translation *t, const struct standing *s)
{
    t->cc = s->cc;
    t->flags = s->flags;
    t->dirty = s->dirty;
    t->split = s->split;
    t->vectors = s->vectors;
    t->vector_time = s->vector_time;
    memcpy(t->vector_used, s->vector_used, sizeof t->vector_used);
}

static bool same_value(const struct value *a, const struct value *b)
{
    return a->place == b->place && a->reg == b->reg && a->less == b->less && a->plus == b->plus && a->host == b->host &&
           a->constant == b->constant;
}

/* Does the same hold here as there? */
bool standing_holds(const struct translation *t, const struct standing *s)
{
    return same_value(&t->cc.a, &s->cc.a) && same_value(&t->cc.b, &s->cc.b) && t->flags == s->flags &&
           t->dirty == s->dirty && t->split == s->split && memcmp(&t->vectors, &s->vectors, sizeof t->vectors) == 0;
}

void shares_end(struct translation *t, unsigned gr)
{
    for (unsigned n = 0; n < SHARES; n++)
        if (t->share[n].base == gr || t->share[n].index == gr)
            t->shared &= (uint8_t) ~(1u << n);
}

void shares_before(struct translation *t)
{
    if (share_begins(t) && !t->shares_none)
        take_standing(t, &t->standing[t->number]);
}

/* The test, when it is that of the access. */
static bool begin(struct translation *t, const struct access *a)
{
    const struct share *s = &t->begins[t->number];
    if (!share_begins(t) || !share_within(s, a) || t->apart || t->shares_none)
        return false;
    address_emit(t, a->base, a->index, s->low);
    probe_share_emit(t, s);
    x86_store(&t->x, true, RAX, RSP, SHARED_AT(s->slot));
    t->share[s->slot] = *s;
    t->shared |= (uint8_t)(1u << s->slot);
    struct apart *apart = &t->aparts[t->apart_count];
    if (!t->parts)
        *apart = (struct apart){.first = (uint8_t)t->number};
    t->parts = true;
    if (apart->last < s->last)
        apart->last = s->last;
    return true;
}

int32_t access_emit(struct translation *t, unsigned base, unsigned index, int64_t d, unsigned length, bool store)
{
    const struct access a = access_of(base, index, d, length, store);
    for (unsigned n = 0; n < SHARES; n++)
        if (t->shared >> n & 1 && share_within(&t->share[n], &a) && t->number <= t->share[n].last) {
            x86_load(&t->x, true, RAX, RSP, SHARED_AT(n));
            return (int32_t)(d - t->share[n].low);
        }
    if (begin(t, &a))
        return (int32_t)(d - t->begins[t->number].low);
    address_emit(t, base, index, d);
    probe_emit(t, length, store);
    return 0;
}

void shares_behind(struct translation *t)
{
    struct apart *apart = &t->aparts[t->apart_count];
    if (!t->parts || t->number < apart->last)
        return;
    apart->join = t->x.at;
    take_standing(t, &apart->behind);
    t->apart_count++;
    t->parts = false;
    shares_forget(t);
}
