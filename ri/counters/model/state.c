/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/counters/model/state.h"
#include "ri/counters/model/pipeline.h"
#include <string.h>

/* No clock of a model comes here: sums of cycles do not overflow. */
#define CYCLE_MOST (UINT64_C(1) << 60)
#define SLOTS_MOST 0x10000u

static bool loaded(const struct ec_fields *f) { return f->loading && !f->refused(f->context); }

static void require(const struct ec_fields *f, bool possible, const char *why)
{
    if (loaded(f) && !possible)
        f->refuse(f->context, why);
}

void ec_field_flag(const struct ec_fields *f, bool *place)
{
    uint8_t value = f->loading ? 0 : *place;
    EC_FIELD(f, value);
    require(f, value <= 1, "a flag is neither 0 nor 1");
    *place = value == 1;
}

void ec_field_numbers(const struct ec_fields *f, uint64_t *place, size_t count)
{
    for (size_t i = 0; i < count && !f->refused(f->context); i++)
        EC_FIELD(f, place[i]);
}

static void cycles(const struct ec_fields *f, uint64_t *place, size_t count)
{
    ec_field_numbers(f, place, count);
    for (size_t i = 0; f->loading && i < count; i++)
        require(f, place[i] <= CYCLE_MOST, "the pipeline model has come to a cycle that it cannot reach");
}

static void small_numbers(const struct ec_fields *f, uint32_t *place, size_t count)
{
    for (size_t i = 0; i < count; i++)
        EC_FIELD(f, place[i]);
}

void ec_profile_fields(struct ec_profile *p, const struct ec_fields *f)
{
    f->bytes(f->context, p->name, sizeof p->name);
    EC_FIELD(f, p->machine);
    EC_FIELD(f, p->predictor);
#define KEY(key, ...) EC_FIELD(f, p->key);
#include "ri/counters/model/profile.def"
#undef KEY
    require(f, ec_profile_possible(p), "the profile of the pipeline model is not possible");
}

/* ---- the completion table -------------------------------------------------------------------------------------- */

/* Provisional counts that are not zero. */
static void provisional(struct ec_entry *e, const struct ec_fields *f)
{
    uint8_t count = 0;
    for (unsigned i = 0; i < EC_NEV && !f->loading; i++)
        count += e->prov[i] != 0;
    EC_FIELD(f, count);
    for (unsigned i = 0, at = 0; i < count && !f->refused(f->context); i++) {
        uint8_t event;
        while (!f->loading && !e->prov[at])
            at++;
        event = (uint8_t)at;
        EC_FIELD(f, event);
        require(f, event < EC_NEV, "a provisional counter is of no event");
        if (f->refused(f->context))
            return;
        EC_FIELD(f, e->prov[event]);
        e->touched |= UINT64_C(1) << event;
        at++;
    }
}

static void entry(struct ec_model *m, unsigned tag, const struct ec_fields *f)
{
    struct ec_entry *e = &m->counting.ct[tag];
    EC_FIELD(f, e->ia);
    cycles(f, &e->d, 1);
    cycles(f, &e->x, 1);
    cycles(f, &e->n, 1);
    cycles(f, &e->c, 1);
    cycles(f, &e->slack, 1);
    EC_FIELD(f, e->src);
    EC_FIELD(f, e->dst);
    EC_FIELD(f, e->kind);
    EC_FIELD(f, e->members);
    EC_FIELD(f, e->instructions);
    ec_field_flag(f, &e->problem);
    ec_field_flag(f, &e->marked);
    ec_field_flag(f, &e->cancelled);
    ec_field_flag(f, &e->open);
    small_numbers(f, e->pv, EC_NPV);
    small_numbers(f, e->base, EC_NPV);
    EC_FIELD(f, m->first_id[tag]);
    provisional(e, f);
    require(f,
            e->kind < EC_CLASSES && e->members >= 1 && e->members <= m->profile.group_size && e->c <= m->cc &&
                (!e->open || tag == ec_youngest(&m->counting)),
            "an entry of the completion table is not possible");
}

static void table(struct ec_model *m, const struct ec_fields *f)
{
    struct ec_counting *c = &m->counting;
    uint16_t atag = (uint16_t)c->atag, ctag = (uint16_t)c->ctag;
    EC_FIELD(f, atag);
    EC_FIELD(f, ctag);
    require(f, atag < c->n && ctag < c->n, "the completion table is larger than it can be");
    if (f->loading) {
        memset(c->ct, 0, c->n * sizeof *c->ct);
        c->atag = c->ctag = 0;
        if (f->refused(f->context))
            return;
        c->atag = atag;
        c->ctag = ctag;
    }
    for (unsigned t = c->ctag; t != c->atag && !f->refused(f->context); t = t + 1 == c->n ? 0 : t + 1)
        entry(m, t, f);
}

/* ---- registers and counters -------------------------------------------------------------------------------------- */

static void raised(struct ec_raised *r, const struct ec_fields *f)
{
    ec_field_flag(f, &r->known);
    ec_field_flag(f, &r->in_flight);
    ec_field_flag(f, &r->completed);
    EC_FIELD(f, r->kind);
    EC_FIELD(f, r->members);
    EC_FIELD(f, r->tag);
    EC_FIELD(f, r->ia);
    EC_FIELD(f, r->d);
    EC_FIELD(f, r->c);
    require(f, r->kind < EC_CLASSES, "an alert is raised by an instruction of no class");
}

static void monitor(struct ec_counting *c, const struct ec_fields *f)
{
    struct ec_pmu *p = &c->pmu;
    for (unsigned r = 0; r < EC_REGISTERS; r++) {
        uint32_t value = ec_register(c, (enum ec_register)r);
        EC_FIELD(f, value);
        if (f->loading)
            ec_set_register(c, (enum ec_register)r, value);
    }
    EC_FIELD(f, p->markmask);
    EC_FIELD(f, p->markvalue);
    ec_field_flag(f, &p->frozen);
    ec_field_flag(f, &p->triggered);
    ec_field_flag(f, &p->alert);
    ec_field_flag(f, &p->saturated);
    ec_field_flag(f, &p->time_bit);
    ec_field_flag(f, &p->time_seen);
    raised(&p->raised, f);
    ec_field_numbers(f, p->all, EC_NEV);
    ec_field_numbers(f, p->completed, EC_NEV);
    ec_field_numbers(f, p->flushed, EC_NEV);
    ec_field_numbers(f, p->cancelled, EC_NEV);
    ec_field_numbers(f, p->untagged, EC_NEV);
    ec_field_flag(f, &c->problem);
    ec_field_flag(f, &c->marked);
    EC_FIELD(f, c->paired);
    require(f, !(c->paired >> EC_NEV), "there is a pair of no event");
}

/* ---- prediction, caches ------------------------------------------------------------------------------------------ */

static void past(struct ec_predict *p, const struct ec_fields *f)
{
    struct ec_past *is = &p->past;
    ec_field_numbers(f, is->history, EC_HISTORY_WORDS);
    ec_field_numbers(f, is->ras, EC_RAS_MOST);
    EC_FIELD(f, is->ras_top);
    EC_FIELD(f, is->ras_count);
    require(f, is->ras_count <= p->ras_entries && (is->ras_top < p->ras_entries || !is->ras_top),
            "the return-address stack is larger than it can be");
}

static void tage(struct ec_tage_entry *e, const struct ec_fields *f)
{
    EC_FIELD(f, e->tag);
    EC_FIELD(f, e->counter);
    EC_FIELD(f, e->useful);
    EC_FIELD(f, e->valid);
    require(f, e->counter <= 7 && e->useful <= 3 && e->valid <= 1, "a tagged prediction is not possible");
}

static void predictor(struct ec_predict *p, const struct ec_fields *f)
{
    f->bytes(f->context, p->pht, p->pht_entries);
    for (uint32_t i = 0; f->loading && i < p->pht_entries; i++)
        require(f, p->pht[i] <= 3, "a counter of the predictor is not possible");
    for (uint32_t set = 0; set < p->btb_sets && !f->refused(f->context); set++) {
        EC_FIELD(f, p->btb_used[set]);
        require(f, p->btb_used[set] <= p->btb_ways, "a set of branch targets is larger than it can be");
        for (uint32_t i = 0; i < p->btb_used[set] && !f->refused(f->context); i++) {
            EC_FIELD(f, p->btb[set * p->btb_ways + i].ia);
            EC_FIELD(f, p->btb[set * p->btb_ways + i].target);
        }
    }
    for (uint32_t i = 0; p->tage && i < EC_TAGE_TABLES * EC_TAGE_SIZE && !f->refused(f->context); i++)
        tage(&p->tage[i], f);
    EC_FIELD(f, p->conditionals);
    require(f, p->conditionals < UINT32_C(1) << 18, "the predictor has seen more branches than it can have");
    past(p, f);
}

/* By sets: how many lines, and these; free places are behind them. */
static void cache(struct ec_cache *c, const struct ec_fields *f)
{
    for (uint32_t set = 0; set < c->sets && !f->refused(f->context); set++) {
        uint64_t *tag = &c->tags[(size_t)set * c->ways];
        uint8_t used = 0;
        while (!f->loading && used < c->ways && tag[used])
            used++;
        EC_FIELD(f, used);
        require(f, used <= c->ways, "a set of a cache is larger than it can be");
        if (f->refused(f->context))
            return;
        if (f->loading)
            memset(tag, 0, c->ways * sizeof *tag);
        ec_field_numbers(f, tag, used);
    }
}

/* From the least recent page to the most recent: they come in again in this order. */
static void translations(struct ec_tlb *t, const struct ec_fields *f)
{
    uint32_t used = t->used, at = t->oldest;
    EC_FIELD(f, used);
    require(f, used <= t->entries, "a TLB of the pipeline model is larger than it can be");
    if (f->loading)
        ec_tlb_reset(t);
    for (uint32_t i = 0; i < used && !f->refused(f->context); i++) {
        struct ec_page page = {0};
        if (!f->loading) {
            page = t->page[at - 1];
            at = page.newer;
        }
        EC_FIELD(f, page.space);
        EC_FIELD(f, page.page);
        if (loaded(f))
            (void)ec_tlb_access(t, page.space, page.page);
    }
}

/* ---- the model ----------------------------------------------------------------------------------------------------
 */

static void front_end(struct ec_model *m, const struct ec_fields *f)
{
    struct ec_front *front = &m->front;
    cycles(f, &front->fc, 1);
    EC_FIELD(f, front->line);
    cycles(f, &front->dc, 1);
    EC_FIELD(f, front->fs);
    EC_FIELD(f, front->ds);
    EC_FIELD(f, front->at);
    ec_field_flag(f, &front->brk);
    cycles(f, front->ring, m->profile.fetch_buffer);
    require(f, front->fs <= SLOTS_MOST && front->ds <= SLOTS_MOST && front->at < m->profile.fetch_buffer,
            "the front end of the pipeline is not possible");
}

static void mispredictions(struct ec_model *m, const struct ec_fields *f)
{
    EC_FIELD(f, m->mispredictions);
    for (unsigned i = 0; i < EC_FLUSHES; i++) {
        struct ec_misprediction *p = &m->misprediction[i];
        EC_FIELD(f, p->ia);
        EC_FIELD(f, p->predicted);
        EC_FIELD(f, p->actual);
        EC_FIELD(f, p->dispatched);
        EC_FIELD(f, p->resolved);
        EC_FIELD(f, p->fetched);
        EC_FIELD(f, p->flushed);
        small_numbers(f, p->wasted, EC_WASTED);
    }
}

static void sources(struct ec_sources *s, const struct ec_fields *f)
{
    ec_field_numbers(f, s->l2, 2);
    ec_field_numbers(f, s->l3, 2);
    ec_field_numbers(f, s->memory, 2);
    ec_field_numbers(f, s->tlb2, 2);
    ec_field_numbers(f, s->walk, 2);
    EC_FIELD(f, s->decimal);
}

void ec_model_fields(struct ec_model *m, const struct ec_fields *f)
{
    cycles(f, &m->cc, 1);
    EC_FIELD(f, m->cs);
    require(f, m->cs <= SLOTS_MOST, "more has completed in a cycle than can");
    cycles(f, m->rdy, EC_REGS);
    front_end(m, f);
    monitor(&m->counting, f);
    table(m, f);
    cycles(f, &m->charged, 1);
    EC_FIELD(f, m->id);
    EC_FIELD(f, m->wrong);
    mispredictions(m, f);
    sources(&m->sources, f);
    predictor(&m->predict, f);
    cache(&m->caches.l1i, f);
    cache(&m->caches.l1d, f);
    cache(&m->caches.l2, f);
    cache(&m->caches.l3, f);
    translations(&m->caches.itlb, f);
    translations(&m->caches.dtlb, f);
    translations(&m->caches.tlb2, f);
    if (f->loading)
        m->latest = (struct ec_latest){0};
}

void ec_totals_fields(struct ec_totals *t, const struct ec_fields *f)
{
    ec_field_numbers(f, t->all, EC_NEV);
    ec_field_numbers(f, t->completed, EC_NEV);
    EC_FIELD(f, t->cycles);
}
