/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampling and collecting: life of an RI unit, enabling, interruptions, the events of an instruction, counting.
   Specification: RI sections B, D.7, D.8, E, F and I.8. */
#include "ri/internal.h"
#include <stdlib.h>
#include <string.h>

const struct ri_profile ri_profiles[4] = {
    {"RI-A", 1, false, 4, 32, {4, 1}, UINT64_C(1) << 40, RI_CACHE_UNCACHED, false},
    {"RI-B", 1, true, 2, 32, {64, 16}, UINT32_MAX, RI_CACHE_UNCACHED, false},
    {"RI-C", 2, false, 4, 32, {4, 1}, UINT64_C(1) << 40, RI_CACHE_UNCACHED, false},
    {"RI-D", 1, false, 7, 254, {4, 1}, UINT64_C(1) << 40, RI_CACHE_UNCACHED, false},
};

const struct ri_profile *ri_profile_find(const char *name)
{
    for (unsigned i = 0; i < sizeof ri_profiles / sizeof ri_profiles[0]; i++)
        if (strcmp(name, ri_profiles[i].name) == 0)
            return &ri_profiles[i];
    return NULL;
}

/* ---- life ------------------------------------------------------------------------------------------------------ */

int ri_set_profile(struct ri *ri, const struct ri_profile *profile)
{
    if (profile->cache_model == RI_CACHE_TWO_LEVEL && !ri->cache) {
        ri->cache = calloc(1, sizeof *ri->cache);
        if (!ri->cache)
            return -1;
    }
    if (profile->cache_model != RI_CACHE_TWO_LEVEL) {
        free(ri->cache);
        ri->cache = NULL;
    }
    ri->profile = *profile;
    if (ri->profile.cb_entries > RI_RING)
        ri->profile.cb_entries = RI_RING;
    if (ri->profile.rgs_max > 7)
        ri->profile.rgs_max = 7;
    /* What a smaller buffer cannot hold does not come back with a larger one later. */
    ri->start = ri->head - ri_collected(ri);
    ri_derive(ri);
    return 0;
}

struct ri *ri_create(const struct ri_profile *profile)
{
    struct ri *ri = calloc(1, sizeof *ri);
    if (!ri)
        return NULL;
    ri->predictor_used = true;
    ri->dirty_count = RI_DIRTY + 1;
    if (ri_set_profile(ri, profile) != 0) {
        free(ri);
        return NULL;
    }
    ri_reset(ri);
    return ri;
}

struct ri *ri_copy(const struct ri *ri)
{
    struct ri *copy = malloc(sizeof *copy);
    if (!copy)
        return NULL;
    ri_settle(ri, RI_PREDICTOR);
    *copy = *ri;
    ri_keep_elsewhere(copy, NULL, NULL);
    ri_tell_stored(copy, NULL, NULL);
    if (!ri->cache)
        return copy;
    copy->cache = malloc(sizeof *copy->cache);
    if (!copy->cache) {
        free(copy);
        return NULL;
    }
    *copy->cache = *ri->cache;
    return copy;
}

void ri_destroy(struct ri *ri)
{
    if (ri)
        free(ri->cache);
    free(ri);
}

void ri_reset(struct ri *ri)
{
    ri->controls = (struct ri_controls){0};
    ri->enabled = false;
    ri->halted = false;
    ri->keeping = false;
    ri_empty(ri);
    ri_forget(ri);
    ri_derive(ri);
}

/* ---- PSW and interruptions ------------------------------------------------------------------------------------- */

void ri_enable(struct ri *ri, bool on)
{
    on = on && ri->controls.v;
    if (on == ri->enabled)
        return;
    ri->enabled = on;
    if (on) {
        ri->controls.a = 1;
        ri_forget(ri);
        if (ri->controls.rsic == 0 && ri->controls.m != RI_MODE_DIRECTED)
            ri->controls.rsic = ri->controls.sf;
    } else
        ri_empty(ri);
    ri_derive(ri);
}

/* Charge u; true when the count is exhausted: a new interval has begun. */
static bool charge(struct ri *ri, uint64_t u)
{
    struct ri_controls *c = &ri->controls;
    if (u < c->rsic) {
        c->rsic -= u;
        return false;
    }
    c->rsic = c->sf;
    return true;
}

void ri_interruption(struct ri *ri, enum ri_interruption kind)
{
    if (LIKELY(!ri->enabled)) /* everything is empty since ri_enable() */
        return;
    (void)kind; /* what differs between the classes is done by then: see ri_transaction_end() */
    if (ri->partial && ri->counting) {
        uint64_t u = ri->controls.m == RI_MODE_CYCLES ? ri->partial_cycles : 1;
        /* Never exhausts the count: the final completion is the sample point (specification E.4). */
        ri->controls.rsic = u < ri->controls.rsic ? ri->controls.rsic - u : 1;
    }
    ri_empty(ri);
    ri_derive(ri);
}

void ri_alert_presented(struct ri *ri)
{
    struct ri_controls *c = &ri->controls;
    if (c->g || c->l)
        c->a = 1;
    ri->told.alerts += ri_alert(ri) != 0;
    c->g = 0;
    c->l = 0;
    ri->halted = false;
    ri_derive(ri);
}

/* ---- RIEMIT, RINEXT -------------------------------------------------------------------------------------------- */

void ri_emit(struct ri *ri, uint64_t ia, uint64_t data, bool problem)
{
    if (ri->emits[problem])
        ri_append(ri, ri_record_head(RI_TYPE_EMIT, ia), data);
}

void ri_next(struct ri *ri, uint64_t nsi)
{
    if (!ri->active || ri->frozen || !ri->controls.n)
        return;
    ri->directed = true;
    ri->reference = true;
    ri->nsi = nsi;
}

/* ---- predictor and caches -------------------------------------------------------------------------------------- */

/* Specification F.5; bits of enum ri_condition and what H.5 shows. */
struct outcome {
    bool predicted, target_ok;
    uint8_t conditions;
};

static ALWAYS_INLINE struct outcome predict(const struct ri_site *site, uint8_t flags, bool taken, uint64_t target)
{
    const struct ri_prediction *entry = site->entry;
    bool hit = (entry->tag & ~UINT64_C(1)) == site->own;
    struct outcome o = {.predicted = hit ? entry->tag & 1 : flags & RI_SITE_ALWAYS};
    bool right = hit ? entry->target == target : flags & RI_SITE_RELATIVE;
    if (o.predicted)
        o.conditions = !taken ? RI_BPXN : !right ? RI_BPTI : 0;
    else
        o.conditions = taken ? RI_BPXT : hit && !right ? RI_BPNI : 0;
    o.target_ok = !(o.conditions & (RI_BPTI | RI_BPNI));
    return o;
}

static void put_entry(struct ri *ri, struct ri_prediction *entry, uint64_t tag, uint64_t target)
{
    *entry = (struct ri_prediction){.tag = tag, .target = target};
    ri->predictor_used = true;
    if (ri->dirty_count < RI_DIRTY)
        ri->dirty[ri->dirty_count] = (uint8_t)(entry - ri->predictor);
    if (ri->dirty_count <= RI_DIRTY)
        ri->dirty_count++;
}

static void learn(struct ri *ri, const struct ri_site *site, bool taken, uint64_t target)
{
    put_entry(ri, site->entry, site->own | taken, target);
}

void ri_settle_entry(struct ri *ri, uint64_t own, bool taken, uint64_t target)
{
    struct ri_prediction *entry = &ri->predictor[ri_entry(own)];
    const uint64_t tag = own | taken;
    if (entry->tag != tag || entry->target != target)
        put_entry(ri, entry, tag, target);
}

static bool well_behaved(const struct outcome *o, bool taken) { return o->predicted && taken && o->target_ok; }

/* The predictor learns; the branch's record is collected. */
static void branch_completes(struct ri *ri, const struct ri_site *site, uint8_t flags, const struct outcome *o,
                             bool taken, uint64_t target)
{
    learn(ri, site, taken, target);
    ri_touch_entry(ri, (unsigned)(site->entry - ri->predictor));
    const uint64_t well = well_behaved(o, taken);
    if (taken && (flags & RI_SITE_COLLECTED))
        ri_append(ri, site->head, well << RI_BRANCH_W_SHIFT | (target & RI_TARGET_MASK));
}

void ri_branch_miss(struct ri *ri, const struct ri_site *site, uint8_t flags, bool taken, uint64_t target)
{
    struct outcome o = predict(site, flags, taken, target);
    branch_completes(ri, site, flags, &o, taken, target);
}

bool ri_branch_learn(struct ri *ri, const struct ri_site *site, uint8_t flags, bool taken, uint64_t target)
{
    const struct outcome o = predict(site, flags, taken, target);
    learn(ri, site, taken, target);
    return well_behaved(&o, taken);
}

/* Touch the line of `address` in a first-level cache and the common one; the miss level or 15. */
static uint8_t touch(struct ri *ri, uint64_t *level1, uint64_t address)
{
    uint64_t line = address >> 8;
    uint64_t *one = &level1[line % 64];
    uint64_t *two = &ri->cache->level2[line % 1024];
    ri->predictor_used = true;
    if (*one == line + 1)
        return 15;
    *one = line + 1;
    if (*two == line + 1)
        return 0;
    *two = line + 1;
    return 1;
}

/* ---- one instruction ------------------------------------------------------------------------------------------- */

void ri_begin(struct ri *ri, const struct ri_insn *insn)
{
    bool directed = insn->executed ? ri->idb.directed : ri->directed && ri->nsi == insn->ia;
    if (!insn->executed && ri->directed) {
        /* From here on the flag is RINEXT's to set again. */
        ri->directed = false;
        ri->reference = ri->cache || ri->keeping;
    }
    if (ri->keeping && !insn->executed)
        ri->kept = ri->idb.length ? ri_instruction_data(&ri->idb, ri->idb.directed ? RI_SAMPLE_DIRECTED : 0) : 0;
    if (ri->partial && ri->partial_ia != insn->ia)
        ri->partial = false;
    ri->idb = (struct ri_idb){
        .ia = insn->ia,
        .own = insn->own,
        .text = insn->text,
        .length = insn->length,
        .class = insn->class,
        .always = insn->always,
        .relative = insn->relative,
        .executed = insn->executed,
        .problem = insn->problem,
        .directed = directed,
        .branch = insn->class != RI_CLASS_NONE,
        .il = ri->cache ? touch(ri, ri->cache->instruction, insn->own) : 14,
        .dl = 15,
    };
}

void ri_access(struct ri *ri, uint64_t address, uint64_t length, bool store)
{
    struct ri_idb *idb = &ri->idb;
    idb->access = true;
    idb->access_address = address;
    idb->access_length = length;
    idb->access_store = store;
    if (ri->outside.on)
        idb->dl = ri->outside.dl;
    else
        idb->dl = ri->cache ? touch(ri, ri->cache->data, address) : 14;
}

void ri_outside(struct ri *ri, uint8_t il, uint8_t dl, uint8_t conditions, uint32_t cycles)
{
    struct ri_outside *o = &ri->outside;
    *o = (struct ri_outside){.on = o->on, .il = il, .dl = dl, .conditions = conditions, .cycles = cycles};
    if (!o->on)
        return;
    ri->idb.il = il;
    if (ri->idb.access)
        ri->idb.dl = dl;
}

/* The outcome of the current branch as a pipeline model has it. */
static struct outcome told_outside(const struct ri *ri, bool taken)
{
    const uint8_t conditions = ri->outside.conditions;
    return (struct outcome){.predicted = conditions & (RI_BPXN | RI_BPTI) || (taken && !(conditions & RI_BPXT)),
                            .target_ok = !(conditions & (RI_BPTI | RI_BPNI)),
                            .conditions = conditions};
}

void ri_branch(struct ri *ri, bool taken, uint64_t target)
{
    struct ri_idb *idb = &ri->idb;
    if (!ri->active || !idb->branch)
        return;
    ri_settle(ri, ri_entry(idb->own));
    struct ri_site site = ri_site_make(ri, idb->class, idb->ia, idb->own);
    uint8_t flags = ri_site_flags(ri, idb->class, idb->always, idb->relative, idb->problem);
    struct outcome o = ri->outside.on ? told_outside(ri, taken) : predict(&site, flags, taken, target);
    idb->taken = taken;
    idb->predicted = o.predicted;
    idb->target_ok = o.target_ok;
    idb->conditions = o.conditions;
    branch_completes(ri, &site, flags, &o, taken, target);
}

unsigned ri_complete(struct ri *ri, enum ri_end end, unsigned cycles)
{
    const struct ri_idb *idb = &ri->idb;
    if (ri->outside.on)
        cycles = ri->outside.cycles;
    if (end == RI_END_PARTIAL) {
        ri->partial = true;
        ri->partial_cycles = cycles;
        ri->partial_ia = idb->ia;
        if (idb->directed) { /* not completed: still the next sequential instruction */
            ri->directed = true;
            ri->reference = true;
            ri->nsi = idb->ia;
        }
        return 0;
    }
    if (end == RI_END_NOT)
        return 0; /* the interruption that follows charges units done before, and cancels the direction */
    ri->partial = false;
    if (end == RI_END_NOT_COUNTED || !ri->active)
        return 0;
    unsigned sample = 0;
    if (ri->counting && charge(ri, ri->controls.m == RI_MODE_CYCLES ? cycles : 1))
        sample |= RI_SAMPLE_COUNT;
    if (idb->directed)
        sample |= RI_SAMPLE_DIRECTED;
    return end == RI_END_INTERRUPTION ? 0 : sample;
}

/* ---- looking at it --------------------------------------------------------------------------------------------- */

unsigned ri_predicted(const struct ri *ri)
{
    unsigned count = 0;
    ri_settle(ri, RI_PREDICTOR);
    for (unsigned i = 0; i < RI_PREDICTOR; i++)
        count += ri_entry(ri->predictor[i].tag) == i;
    return count;
}

/* What nobody will look at again is not a part of the state: slots of the ring without a record of the collection
   buffer, and a group that was stored. What they have depends on where an engine's runs ended. */
static void forget_dead(struct ri *ri)
{
    const unsigned live = ri_collected(ri);
    ri->start = ri->head - live;
    for (uint64_t n = live; n < RI_RING; n++)
        ri->ring[(ri->head - 1 - n) % RI_RING] = (struct ri_record){0, 0};
    if (!ri->deferred) {
        memset(ri->group, 0, sizeof ri->group);
        ri->group_records = 0;
    }
}

void ri_each_field(struct ri *ri, void (*visit)(void *context, const char *name, void *place, size_t size),
                   void *context)
{
    forget_dead(ri);
    ri_settle(ri, RI_PREDICTOR);
#define VISIT(name)                                    visit(context, #name, &ri->name, sizeof ri->name)
#define CONTROL(dw, first, last, id, name, mric, text) VISIT(controls.id);
#include "ri/controls.def"
    VISIT(enabled);
    VISIT(halted);
    VISIT(directed);
    VISIT(nsi);
    VISIT(head);
    VISIT(start);
    VISIT(ring);
    VISIT(predictor);
    VISIT(frozen);
    VISIT(deferred);
    VISIT(group_records);
    VISIT(group);
    VISIT(partial);
    VISIT(partial_cycles);
    VISIT(partial_ia);
    VISIT(groups);
    VISIT(halts);
    if (ri->cache)
        visit(context, "cache", ri->cache, sizeof *ri->cache);
#undef VISIT
}

void ri_restored(struct ri *ri)
{
    ri->keeping = false; /* no snapshot has it */
    ri->predictor_used = true;
    ri->dirty_count = RI_DIRTY + 1;
    memset(ri->touched, 0xff, sizeof ri->touched);
    ri->touched_any = true;
    if (ri->controls.rgs > 7) /* never trust a file */
        ri->controls.rgs = 7;
    if (ri->group_records > RI_GROUP_RECORDS)
        ri->deferred = false;
    for (unsigned i = 0; i < RI_PREDICTOR; i++)
        if (ri_entry(ri->predictor[i].tag) != i)
            ri_forget_entry(ri, i);
    ri->start = ri->head - ri_collected(ri);
    ri_derive(ri);
}
