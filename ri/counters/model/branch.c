/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a branch does to the pipeline: event-counter specification 5.7. */
#include "ri/counters/model/pipeline.h"

const enum ec_event ec_wasted[EC_WASTED] = {EC_BRANCH, EC_LOAD, EC_STORE, EC_L1I_MISS, EC_L1D_MISS, EC_L2_MISS};

static void note_misprediction(struct ec_model *m, const struct ec_record *r, const struct ec_passing *p,
                               uint64_t predicted, uint64_t resolved, unsigned fetched, unsigned flushed,
                               const uint64_t before[EC_WASTED])
{
    struct ec_misprediction *to = &m->misprediction[m->mispredictions++ % EC_FLUSHES];
    *to = (struct ec_misprediction){.ia = r->ia,
                                    .predicted = predicted,
                                    .actual = r->taken ? r->target : r->next,
                                    .dispatched = p->d,
                                    .resolved = resolved,
                                    .fetched = fetched,
                                    .flushed = flushed};
    for (unsigned i = 0; i < EC_WASTED; i++)
        to->wasted[i] = (uint32_t)(m->counting.pmu.all[ec_wasted[i]] - before[i]);
}

unsigned ec_walk_and_flush(struct ec_model *m, const struct ec_record *r, uint64_t start, uint64_t until, unsigned tag,
                           struct ec_past *past, unsigned *fetched)
{
    *fetched = 0;
    if (!m->profile.wp_max_insns)
        return 0;
    *fetched = ec_walk(m, r, start, until, past);
    const unsigned flushed = ec_flush(&m->counting, tag);
    m->wrong += flushed;
    return flushed;
}

static void mispredicted(struct ec_model *m, const struct ec_record *r, const struct ec_passing *p, unsigned tag,
                         const struct ec_prediction *is, struct ec_past *past, uint64_t resolved)
{
    struct ec_counting *c = &m->counting;
    struct ec_front *front = &m->front;
    struct ec_entry *e = &c->ct[tag];
    uint64_t before[EC_WASTED];
    unsigned fetched;
    for (unsigned i = 0; i < EC_WASTED; i++)
        before[i] = c->pmu.all[ec_wasted[i]];
    ec_count(c, is->taken != r->taken ? EC_BR_MISP_DIR : EC_BR_MISP_TGT, e, 1);
    ec_count(c, EC_BR_MISP, e, 1);
    if (is->taken)
        front->brk = true;
    if (is->taken && is->source == EC_FROM_DECODE)
        front->fc += m->profile.decode_redirect;
    const unsigned flushed = ec_walk_and_flush(m, r, is->target, resolved, tag, past, &fetched);
    ec_count(c, EC_FLUSH, e, 1);
    if (flushed)
        ec_count(c, EC_FLUSHED_INST, e, flushed);
    note_misprediction(m, r, p, is->target, resolved, fetched, flushed, before);
    front->fc = resolved + m->profile.restart - 1;
    front->brk = true;
}

static enum ec_outcome outcome(const struct ec_record *r, const struct ec_prediction *is, uint64_t target)
{
    if (is->source == EC_FROM_STALL)
        return EC_BPTI;
    if (is->taken != r->taken)
        return is->taken ? EC_BPXN : EC_BPXT;
    if (r->taken)
        return is->target != r->target ? EC_BPTI : EC_NO_OUTCOME;
    return is->btb_hit && is->btb_target != target ? EC_BPNI : EC_NO_OUTCOME;
}

/* Reading: a branch resolves when it has finished itself. Its entry finishes with the latest of its members, but what
   completes together need not wait to be thrown away. */
void ec_resolve(struct ec_model *m, const struct ec_record *r, const struct ec_passing *p, unsigned tag,
                uint64_t resolved)
{
    struct ec_counting *c = &m->counting;
    struct ec_entry *e = &c->ct[tag];
    const struct ec_branch branch = ec_branch_of(p->op, r->ia, r->next, r->target_text ? r->target_ia : r->ia, r->mask);
    const struct ec_prediction is = ec_predict_branch(&m->predict, &m->predict.past, &branch);
    if (is.taken)
        ec_count(c, EC_BR_PTAKEN, e, 1);
    if (!is.btb_hit)
        ec_count(c, EC_BTB_MISS, e, 1);
    m->latest.outcome = (uint8_t)outcome(r, &is, branch.relative ? branch.target : r->target);
    const bool wrong = is.source != EC_FROM_STALL && (is.taken != r->taken || (r->taken && is.target != r->target));
    if (UNLIKELY(m->watch && m->watch->resolved))
        m->watch->resolved(m->watch->context, m->id - 1, (enum ec_outcome)m->latest.outcome, wrong);
    if (UNLIKELY(wrong)) {
        struct ec_past past = m->predict.past;
        ec_past_apply(&m->predict, &past, &branch, is.taken);
        ec_predict_learn(&m->predict, &branch, r->taken, r->target);
        mispredicted(m, r, p, tag, &is, &past, resolved);
        return;
    }
    ec_predict_learn(&m->predict, &branch, r->taken, r->target);
    if (is.source == EC_FROM_STALL) {
        m->front.fc = resolved;
        m->front.brk = true;
    } else if (r->taken) {
        m->front.brk = true;
        if (is.source == EC_FROM_DECODE)
            m->front.fc += m->profile.decode_redirect;
    }
}
