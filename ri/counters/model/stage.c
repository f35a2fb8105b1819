/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stages that both paths pass: fetch, dispatch, and what leaves the table. Event-counter specification 5.7. */
#include "ri/counters/model/pipeline.h"

/* ---- fetch ----------------------------------------------------------------------------------------------------- */

void ec_fetch_line(struct ec_model *m, struct ec_front *front, const struct ec_record *r, uint64_t ia, uint64_t line,
                   bool pollute, struct ec_passing *p)
{
    front->fc += ec_instruction_line(m, r, ia / EC_PAGE, line, pollute, &p->held, &p->level);
    front->line = line;
}

/* ---- what is told to those who watch --------------------------------------------------------------------------- */

void ec_tell_completed(struct ec_model *m)
{
    const struct ec_entry *e = ec_oldest(&m->counting);
    m->watch->ended(m->watch->context, m->first_id[m->counting.ctag], e->members, e->c, e->cancelled, false);
}

void ec_tell(struct ec_model *m, const struct ec_passing *p, unsigned tag, uint64_t x, uint64_t n, uint64_t most)
{
    const bool issued = x && x <= most;
    const struct ec_passage passage = {.id = m->id,
                                       .ia = p->ia,
                                       .text = p->op->text,
                                       .f = p->f,
                                       .d = tag == EC_NO_TAG ? 0 : p->d,
                                       .x = issued ? x : 0,
                                       .n = issued && n <= most ? n : 0,
                                       .tag = tag,
                                       .class = p->op->class,
                                       .wrong_path = most != EC_NEVER,
                                       .issued = issued,
                                       .finished = issued && n <= most};
    m->watch->passed(m->watch->context, &passage);
}
