/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Life of a pipeline model, what it is told beside instructions, what it tells. */
#include "ri/counters/model/model.h"
#include "ri/counters/model/pipeline.h"
#include <stdlib.h>
#include <string.h>

static int create_caches(struct ec_caches *c, const struct ec_profile *p)
{
    return ec_cache_create(&c->l1i, p->l1i_sets, p->l1i_ways) | ec_cache_create(&c->l1d, p->l1d_sets, p->l1d_ways) |
           ec_cache_create(&c->l2, p->l2_sets, p->l2_ways) | ec_cache_create(&c->l3, p->l3_sets, p->l3_ways) |
           ec_tlb_create(&c->itlb, p->itlb) | ec_tlb_create(&c->dtlb, p->dtlb) | ec_tlb_create(&c->tlb2, p->tlb2);
}

/* Front and back end at first. */
static void begin(struct ec_model *m)
{
    memset(&m->front, 0, sizeof m->front);
    m->front.fs = m->profile.fetch_width;
    m->front.line = EC_NO_LINE;
    m->front.brk = true;
    memset(m->rdy, 0, sizeof m->rdy);
}

struct ec_model *ec_model_create(const struct ec_profile *profile, const struct ec_storage *storage)
{
    struct ec_model *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->profile = *profile;
    m->storage = *storage;
    m->ops.profile = &m->profile;
    m->line_shift = (unsigned)__builtin_ctz(profile->line);
    begin(m);
    if (ec_counting_create(&m->counting, profile->ct_entries) | ec_predict_create(&m->predict, profile) |
        create_caches(&m->caches, profile)) {
        ec_model_destroy(m);
        return NULL;
    }
    return m;
}

void ec_model_destroy(struct ec_model *m)
{
    if (!m)
        return;
    ec_counting_destroy(&m->counting);
    ec_predict_destroy(&m->predict);
    ec_cache_destroy(&m->caches.l1i);
    ec_cache_destroy(&m->caches.l1d);
    ec_cache_destroy(&m->caches.l2);
    ec_cache_destroy(&m->caches.l3);
    ec_tlb_destroy(&m->caches.itlb);
    ec_tlb_destroy(&m->caches.dtlb);
    ec_tlb_destroy(&m->caches.tlb2);
    free(m);
}

void ec_model_no_fetch(struct ec_model *m)
{
    ec_count(&m->counting, EC_EXC, NULL, 1);
    if (m->front.fc < m->cc)
        m->front.fc = m->cc;
    m->front.brk = true;
}

uint64_t ec_model_interrupted(struct ec_model *m)
{
    const uint64_t cycles = ec_model_drain(m);
    ec_count(&m->counting, EC_INTR, NULL, 1);
    return cycles;
}

void ec_model_reset(struct ec_model *m, bool clear)
{
    ec_counting_empty(&m->counting);
    m->front.brk = true;
    if (clear)
        ec_counting_clear(&m->counting);
}

void ec_model_purge(struct ec_model *m) { ec_purge(m); }

bool ec_model_watches(const struct ec_model *m)
{
    const struct ec_counting *c = &m->counting;
    return c->pmu.mmcr0 & EC_ENINT || (c->paired | c->programmed) >> EC_TBIT & 1;
}

bool ec_model_boundary(struct ec_model *m, bool problem, uint64_t program_parameter, uint64_t tod, uint64_t *cycles,
                       const struct ec_raised **by)
{
    m->counting.problem = problem;
    m->counting.marked = ec_marked(&m->counting.pmu, program_parameter);
    if (!ec_boundary(&m->counting, tod))
        return false;
    *cycles += ec_model_drain(m);
    *by = ec_alert(&m->counting);
    return true;
}

struct ec_counting *ec_model_counting(struct ec_model *m) { return &m->counting; }
const struct ec_profile *ec_model_profile(const struct ec_model *m) { return &m->profile; }
const struct ec_sources *ec_model_sources(const struct ec_model *m) { return &m->sources; }
const struct ec_latest *ec_model_latest(const struct ec_model *m) { return &m->latest; }
uint64_t ec_model_cycles(const struct ec_model *m) { return m->cc; }
uint64_t ec_model_wrong(const struct ec_model *m) { return m->wrong; }
void ec_model_watch(struct ec_model *m, const struct ec_watch *watch) { m->watch = watch; }
uint64_t ec_model_mispredictions(const struct ec_model *m) { return m->mispredictions; }

const struct ec_misprediction *ec_model_misprediction(const struct ec_model *m, unsigned back)
{
    if (back >= EC_FLUSHES || back >= m->mispredictions)
        return NULL;
    return &m->misprediction[(m->mispredictions - 1 - back) % EC_FLUSHES];
}

void ec_model_totals(const struct ec_model *m, struct ec_totals *totals)
{
    const struct ec_counting *c = &m->counting;
    uint64_t cycles, stall;
    memset(totals, 0, sizeof *totals);
    memcpy(totals->all, c->pmu.all, sizeof totals->all);
    memcpy(totals->completed, c->pmu.completed, sizeof totals->completed);
    for (unsigned t = c->ctag; t != c->atag; t = t + 1 == c->n ? 0 : t + 1)
        for (unsigned e = 0; e < EC_NEV && !c->ct[t].cancelled; e++)
            totals->completed[e] += c->ct[t].prov[e];
    totals->cycles = m->cc;
    if (!ec_would_close(m, &cycles, &stall))
        return;
    totals->cycles += cycles;
    if (c->paired >> EC_CYCLES & 1) {
        totals->all[EC_CYCLES] += cycles;
        totals->completed[EC_CYCLES] += cycles;
    }
    if (c->paired >> EC_CSTALL_L1D & 1) {
        totals->all[EC_CSTALL_L1D] += stall;
        totals->completed[EC_CSTALL_L1D] += stall;
    }
}

/* The open entry closes and all leave, in a copy. */
void ec_model_pmu(const struct ec_model *m, struct ec_pmu *pmu)
{
    struct ec_counting c = m->counting;
    const unsigned last = ec_youngest(&c);
    struct ec_entry youngest = c.ct[last];
    uint64_t cycles, stall;
    if (ec_would_close(m, &cycles, &stall)) {
        c.ct = &youngest;
        if (c.programmed >> EC_CYCLES & 1)
            ec_programmed(&c, EC_CYCLES, &youngest, (uint32_t)cycles);
        if (stall && c.programmed >> EC_CSTALL_L1D & 1)
            ec_programmed(&c, EC_CSTALL_L1D, &youngest, (uint32_t)stall);
    }
    for (unsigned t = c.ctag; c.leaving && t != c.atag; t = t + 1 == c.n ? 0 : t + 1) {
        c.ct = t == last ? &youngest : m->counting.ct;
        ec_programmed_leave(&c, t == last ? &youngest : &c.ct[t]);
    }
    *pmu = c.pmu;
}
