/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fetch, dispatch, issue, finish, completion, and what a branch does: event-counter specification 5.7 and 5.9. */
#include "ri/counters/model/pipeline.h"

/* ---- completion -------------------------------------------------------------------------------------------------- */

/* The cycle after `cc` in which something finished at `n` completes. */
static inline uint64_t completion(const struct ec_model *m, uint64_t n)
{
    const uint64_t c = ec_latest(n + 1, m->cc);
    return c == m->cc && m->cs >= m->profile.complete_width ? c + 1 : c;
}

bool ec_would_close(const struct ec_model *m, uint64_t *cycles, uint64_t *stall)
{
    const struct ec_counting *c = &m->counting;
    const struct ec_entry *e = &c->ct[ec_youngest(c)];
    if (c->ctag == c->atag || !e->open)
        return false;
    const uint64_t at = completion(m, e->n);
    *cycles = at - m->cc;
    *stall = at - completion(m, e->slack);
    return true;
}

/* The youngest entry gets no more members: now its completion is known. */
static inline void close_entry(struct ec_model *m)
{
    struct ec_counting *c = &m->counting;
    struct ec_entry *e = &c->ct[ec_youngest(c)];
    if (c->ctag == c->atag || !e->open)
        return;
    const uint64_t at = completion(m, e->n), amount = at - m->cc;
    const uint64_t stall = UNLIKELY(e->slack != e->n) ? at - completion(m, e->slack) : 0;
    e->open = false;
    e->c = at;
    m->cs = amount ? 1 : m->cs + 1;
    m->cc = at;
    m->charged += amount;
    ec_count(c, EC_CYCLES, e, (uint32_t)amount);
    if (stall)
        ec_count(c, EC_CSTALL_L1D, e, (uint32_t)stall);
}

static void drain(struct ec_model *m)
{
    close_entry(m);
    ec_complete_until(m, m->cc);
    m->front.fc = ec_latest(m->front.fc, m->cc);
    m->front.dc = ec_latest(m->front.dc, m->cc);
    m->front.brk = true;
}

static uint64_t charged(struct ec_model *m)
{
    const uint64_t cycles = m->charged;
    m->charged = 0;
    return cycles;
}

uint64_t ec_model_drain(struct ec_model *m)
{
    drain(m);
    return charged(m);
}

const struct ec_op *ec_model_decode(struct ec_model *m, uint64_t text) { return ec_decode_kept(&m->ops, text); }

const struct ec_op *ec_model_decode_at(struct ec_model *m, uint64_t absolute, const uint8_t *bytes)
{
    return ec_decode_at(&m->ops, absolute, bytes);
}

/* Wait until the table is empty, or has room. */
static uint64_t wait_for_room(struct ec_model *m, uint64_t d, bool empty, uint64_t *stall)
{
    struct ec_counting *c = &m->counting;
    while (empty && c->ctag != c->atag) {
        d = ec_latest(d, ec_oldest(c)->c + 1);
        ec_entry_leaves(m);
    }
    if (ec_full(c)) {
        const uint64_t later = ec_latest(d, ec_oldest(c)->c + 1);
        *stall = later - d;
        d = later;
        ec_complete_until(m, d);
    }
    return d;
}

/* Dispatch of an instruction of the right path. Returns its tag. */
static unsigned dispatch(struct ec_model *m, const struct ec_record *r, struct ec_passing *p)
{
    struct ec_counting *c = &m->counting;
    const struct ec_op *op = p->op;
    const bool alone = op->flags & EC_OP_SERIAL || r->ending == EC_CANCELLED;
    const struct ec_member member = {.ia = r->ia,
                                     .kind = op->class,
                                     .reg_rd = op->reg_rd,
                                     .reg_wr = op->reg_wr,
                                     .inst = r->ending != EC_PARTIAL,
                                     .problem = r->problem,
                                     .marked = c->pmu.markmask && ec_marked(&c->pmu, r->program_parameter),
                                     .cancelled = r->ending == EC_CANCELLED,
                                     .src = op->src,
                                     .dst = op->dst};
    uint64_t d = ec_earliest(m, &m->front, p);
    struct ec_entry *open = c->ctag != c->atag ? &c->ct[ec_youngest(c)] : NULL;
    p->stall = 0;
    if (open && open->open && !alone && open->members < m->profile.group_size && open->d == d) {
        p->d = d;
        ec_enter_open(c, &member);
        return ec_youngest(c);
    }
    close_entry(m);
    ec_complete_until(m, d);
    p->d = wait_for_room(m, d, op->flags & EC_OP_SERIAL, &p->stall);
    const unsigned tag = ec_enter(c, &member);
    c->ct[tag].d = p->d;
    m->first_id[tag] = m->id;
    return tag;
}

/* ---- an instruction -------------------------------------------------------------------------------------------- */

const struct ec_op *ec_decode_record(struct ec_model *m, const struct ec_record *r)
{
    const struct ec_op *op = ec_decode_kept(&m->ops, r->text);
    if (LIKELY(!r->target_text))
        return op;
    const struct ec_op execute = *op;
    ec_decode_executed(&execute, ec_decode_kept(&m->ops, r->target_text), &m->executed);
    m->executed.text = execute.text;
    return &m->executed;
}

/* Data accesses; the cycle of finish. */
static uint64_t execute(struct ec_model *m, const struct ec_record *r, const struct ec_passing *p, struct ec_entry *e,
                        uint64_t x, uint64_t *penalty)
{
    uint64_t n = x + p->op->latency, longest = 0;
    *penalty = 0;
    for (unsigned i = 0; i < r->operands; i++) {
        uint8_t level = 0;
        *penalty += ec_data(m, r, &r->operand[i], false, e, &level);
        longest = ec_latest(longest, r->operand[i].length);
        if (i == 0)
            m->latest.data_level = level;
    }
    if (p->op->class == EC_SS)
        n += (longest + 15) / 16;
    return n + *penalty;
}

static uint64_t issue(const uint64_t rdy[EC_REGS], uint32_t src, uint64_t d)
{
    uint64_t x = d + 1;
    for (; src; src &= src - 1)
        x = ec_latest(x, rdy[__builtin_ctz(src)]);
    return x;
}

/* The cycle in which it has. */
static uint64_t finish(struct ec_model *m, const struct ec_record *r, const struct ec_passing *p, unsigned tag)
{
    struct ec_entry *e = &m->counting.ct[tag];
    uint64_t penalty;
    const uint64_t x = issue(m->rdy, p->op->src, p->d), n = execute(m, r, p, e, x, &penalty);
    if (r->ending != EC_CANCELLED)
        ec_count(&m->counting, EC_FINISH, e, 1);
    for (uint32_t dst = p->op->dst; dst; dst &= dst - 1)
        m->rdy[__builtin_ctz(dst)] = n;
    e->x = e->members == 1 ? x : e->x;
    e->n = ec_latest(e->n, n);
    e->slack = ec_latest(e->slack, n - penalty);
    if (UNLIKELY(m->watch != NULL))
        ec_tell(m, p, tag, x, n, EC_NEVER);
    m->id++;
    return n;
}

/* What comes behind an instruction that finished at `n` and is the last in its entry. */
static void aftermath(struct ec_model *m, const struct ec_record *r, const struct ec_passing *p, unsigned tag,
                      uint64_t n)
{
    close_entry(m);
    if (p->op->flags & EC_OP_BRANCH && r->ending == EC_COMPLETES)
        ec_resolve(m, r, p, tag, n);
    if (r->ending == EC_CANCELLED) {
        ec_count(&m->counting, EC_EXC, NULL, 1);
        if (m->profile.wp_exception) {
            struct ec_past past = m->predict.past;
            unsigned fetched;
            ec_walk_and_flush(m, r, r->next, n, tag, &past, &fetched);
        }
    }
    if (r->ending == EC_CANCELLED || p->op->flags & EC_OP_SERIAL) {
        m->front.fc = ec_latest(m->front.fc, m->counting.ct[tag].c);
        m->front.brk = true;
    }
}

void ec_model_step(struct ec_model *m, const struct ec_record *r)
{
    struct ec_passing p;
    p.ia = r->ia;
    p.op = ec_decode_record(m, r);
    p.level = 0;
    p.held.count = 0;
    const struct ec_bytes bytes = {r->ia, r->absolute, r->absolute2, dis_length((uint8_t)(r->text >> 56))};
    m->latest.outcome = m->latest.data_level = 0;
    m->counting.problem = r->problem;
    ec_fetch(m, &m->front, r, &bytes, EC_NEVER, true, &p);
    if (UNLIKELY(r->target_text != 0) && r->target_absolute >> m->line_shift != m->front.line) {
        m->front.fc += ec_instruction_line(m, r, r->target_ia / EC_PAGE, r->target_absolute >> m->line_shift, true,
                                           &p.held, &p.level);
        p.f = m->front.fc;
    }
    m->latest.instruction_level = p.level;
    const unsigned tag = dispatch(m, r, &p);
    ec_dispatched(m, &m->front, p.d);
    ec_signal_dispatch(m, &p, &m->counting.ct[tag], r->ending != EC_PARTIAL, false);
    const uint64_t n = finish(m, r, &p, tag);
    if (p.op->flags & (EC_OP_BRANCH | EC_OP_SERIAL) || r->ending == EC_CANCELLED || m->profile.group_size == 1)
        aftermath(m, r, &p, tag, n);
    if (UNLIKELY(p.op->flags & EC_OP_PURGE))
        ec_purge(m);
    m->latest.cycles = charged(m);
}
