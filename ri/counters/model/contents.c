/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is in caches and predictor. */
#include "ri/counters/model/pipeline.h"

static const struct ec_cache *cache_of(const struct ec_model *m, unsigned which)
{
    const struct ec_cache *const caches[] = {&m->caches.l1i, &m->caches.l1d, &m->caches.l2, &m->caches.l3};
    return which < sizeof caches / sizeof *caches ? caches[which] : NULL;
}

static const struct ec_tlb *tlb_of(const struct ec_model *m, unsigned which)
{
    return which == 4 ? &m->caches.itlb : which == 5 ? &m->caches.dtlb : &m->caches.tlb2;
}

bool ec_model_line(const struct ec_model *m, unsigned which, uint32_t set, uint32_t way, uint64_t *address)
{
    const struct ec_cache *cache = cache_of(m, which);
    if (!cache || set >= cache->sets || way >= cache->ways)
        return false;
    const uint64_t tag = cache->tags[(size_t)set * cache->ways + way];
    *address = (tag - 1) << m->line_shift;
    return tag != 0;
}

static uint64_t both(const uint64_t of[2]) { return of[0] + of[1]; }

/* Hits and misses, from the pairs of the first levels and from where lines came. */
static void rates(const struct ec_model *m, unsigned which, struct ec_cache_view *view)
{
    const uint64_t *all = m->counting.pmu.all;
    const struct ec_sources *s = &m->sources;
    const uint64_t from_l2 = both(s->l2), from_l3 = both(s->l3), from_memory = both(s->memory);
    const uint64_t accesses[EC_CACHES] = {all[EC_L1I_ACC], all[EC_L1D_ACC], from_l2 + from_l3 + from_memory,
                                          from_l3 + from_memory};
    const uint64_t misses[EC_CACHES] = {all[EC_L1I_MISS],   all[EC_L1D_MISS],   from_l3 + from_memory, from_memory,
                                        all[EC_ITLB1_MISS], all[EC_DTLB1_MISS], both(s->tlb2)};
    view->misses = misses[which];
    view->hits = which < 4    ? accesses[which] - misses[which]
                 : which == 6 ? all[EC_ITLB1_MISS] + all[EC_DTLB1_MISS] - misses[which]
                              : 0; /* no event counts accesses to first-level TLBs */
}

void ec_model_cache(const struct ec_model *m, unsigned which, struct ec_cache_view *view)
{
    static const char *const names[EC_CACHES] = {"L1I", "L1D", "L2", "L3", "ITLB", "DTLB", "TLB2"};
    const struct ec_cache *cache = cache_of(m, which);
    *view = (struct ec_cache_view){.name = names[which]};
    rates(m, which, view);
    if (!cache) {
        view->sets = 1;
        view->ways = tlb_of(m, which)->entries;
        view->used = tlb_of(m, which)->used;
        return;
    }
    view->sets = cache->sets;
    view->ways = cache->ways;
    for (size_t i = 0; i < (size_t)cache->sets * cache->ways; i++)
        view->used += cache->tags[i] != 0;
}

void ec_model_predictor(const struct ec_model *m, struct ec_predict_view *view)
{
    static const char *const kinds[] = {[EC_BIMODAL] = "bimodal", [EC_GSHARE] = "gshare", [EC_TAGE] = "tage"};
    const struct ec_predict *p = &m->predict;
    *view = (struct ec_predict_view){.kind = kinds[p->kind],
                                     .target_places = p->btb_sets * p->btb_ways,
                                     .calls = p->past.ras_count,
                                     .history_bits = p->history_bits};
    view->history = p->past.history[0] & ((UINT64_C(1) << p->history_bits) - 1);
    for (uint32_t i = 0; i < p->pht_entries; i++)
        view->counters[p->pht[i] & 3]++;
    for (uint32_t i = 0; i < p->btb_sets; i++)
        view->targets += p->btb_used[i];
}
