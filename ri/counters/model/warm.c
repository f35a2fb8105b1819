/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warming: caches, TLBs and predictor learn of what is carried out, and nothing else does. */
#include "ri/counters/model/pipeline.h"

static void line(struct ec_model *m, const struct ec_record *r, uint64_t ia, uint64_t number)
{
    struct ec_held held;
    uint8_t level = 0;
    held.count = 0;
    if (number + 1 == m->warm_line)
        return;
    m->warm_line = number + 1;
    (void)ec_instruction_line(m, r, ia / EC_PAGE, number, true, &held, &level);
}

static void instruction(struct ec_model *m, const struct ec_record *r)
{
    const uint64_t last = r->absolute + dis_length((uint8_t)(r->text >> 56)) - 1;
    line(m, r, r->ia, r->absolute >> m->line_shift);
    if (last / EC_PAGE != r->absolute / EC_PAGE)
        line(m, r, (r->ia | (EC_PAGE - 1)) + 1, r->absolute2 >> m->line_shift);
    else
        line(m, r, r->ia, last >> m->line_shift);
    if (r->target_text)
        line(m, r, r->target_ia, r->target_absolute >> m->line_shift);
}

void ec_model_warm(struct ec_model *m, const struct ec_record *r)
{
    const struct ec_sources sources = m->sources;
    const struct ec_op *op = ec_decode_record(m, r);
    instruction(m, r);
    for (unsigned i = 0; i < r->operands; i++)
        ec_data_warm(m, r, &r->operand[i]);
    if (op->flags & EC_OP_BRANCH && r->ending == EC_COMPLETES) {
        const struct ec_branch branch =
            ec_branch_of(op, r->ia, r->next, r->target_text ? r->target_ia : r->ia, r->mask);
        ec_predict_learn(&m->predict, &branch, r->taken, r->target);
    }
    if (op->flags & EC_OP_PURGE)
        ec_purge(m);
    m->sources = sources;
}
