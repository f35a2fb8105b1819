/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an operator or a control program sets back to the beginning while the model goes on. */
#include "ri/counters/model/pipeline.h"
#include <string.h>

static void clear_pairs(struct ec_pmu *pmu)
{
    memset(pmu->all, 0, sizeof pmu->all);
    memset(pmu->completed, 0, sizeof pmu->completed);
    memset(pmu->flushed, 0, sizeof pmu->flushed);
    memset(pmu->cancelled, 0, sizeof pmu->cancelled);
    memset(pmu->untagged, 0, sizeof pmu->untagged);
}

void ec_model_clear(struct ec_model *m, unsigned what)
{
    struct ec_counting *k = &m->counting;
    struct ec_caches *c = &m->caches;
    if (what & EC_CLEAR_PAIRS)
        clear_pairs(&k->pmu);
    for (unsigned r = EC_PMC1; what & EC_CLEAR_PMCS && r <= EC_PMC4; r++)
        ec_set_register(k, (enum ec_register)r, 0);
    if (what & EC_CLEAR_REGISTERS) {
        for (unsigned r = EC_MMCR0; r <= EC_ICR; r++)
            ec_set_register(k, (enum ec_register)r, 0);
        k->pmu.markmask = k->pmu.markvalue = 0;
        k->pmu.alert = false;
    }
    if (what & EC_CLEAR_CACHES) {
        ec_cache_reset(&c->l1i);
        ec_cache_reset(&c->l1d);
        ec_cache_reset(&c->l2);
        ec_cache_reset(&c->l3);
        ec_tlb_reset(&c->itlb);
        ec_tlb_reset(&c->dtlb);
        ec_tlb_reset(&c->tlb2);
    }
    if (what & EC_CLEAR_PREDICTOR)
        ec_predict_reset(&m->predict);
}
