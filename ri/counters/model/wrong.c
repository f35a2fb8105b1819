/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wrong path behind a misprediction: event-counter specification 5.8. */
#include "ri/counters/model/pipeline.h"
#include "ri/counters/model/shadow.h"
#include <string.h>

enum { PLACES = 16 };

struct page {
    uint64_t logical; /* number plus 1; 0: none yet */
    uint64_t absolute;
    const uint8_t *bytes;
    bool there;
};

struct walk {
    struct ec_model *m;
    const struct ec_record *r;
    uint64_t until; /* R */
    struct ec_front *front;
    struct ec_past *past;
    struct ec_shadow shadow;
    uint64_t rdy[EC_REGS];
    unsigned dispatched, fetched;
    bool marked;
    struct page code[2]; /* pages seen, by the last bit of their numbers */
    struct page data[2][PLACES];
    struct ec_op executed;
};

static const struct page *look_up(struct walk *w, struct page *at, uint64_t logical, enum ec_use use)
{
    const uint64_t number = logical / EC_PAGE;
    if (at->logical != number + 1) {
        at->logical = number + 1;
        at->there = w->m->storage.page(w->m->storage.context, number * EC_PAGE, use, &at->absolute, &at->bytes);
        at->bytes = at->there ? at->bytes : NULL;
    }
    return at;
}

static const struct page *code_page(struct walk *w, uint64_t ia)
{
    return look_up(w, &w->code[ia / EC_PAGE & 1], ia, EC_USE_INSTRUCTION);
}

static const struct page *data_page(struct walk *w, uint64_t logical, bool store)
{
    return look_up(w, &w->data[store][logical / EC_PAGE % PLACES], logical, store ? EC_USE_STORE : EC_USE_FETCH);
}

/* The instruction at `ia`, near the end of a page or where none were read yet; NULL: it cannot be had. */
static const struct ec_op *op_slow(struct walk *w, uint64_t ia, struct ec_bytes *bytes)
{
    const struct page *page = code_page(w, ia);
    const unsigned offset = (unsigned)(ia % EC_PAGE), room = EC_PAGE - offset;
    struct ec_ops *ops = &w->m->ops;
    if (ia & 1 || !page->there || !page->bytes)
        return NULL;
    *bytes = (struct ec_bytes){.ia = ia, .absolute = page->absolute + offset};
    bytes->length = dis_length(page->bytes[offset]);
    if (LIKELY(bytes->length <= room))
        return ec_decode_kept(ops, ec_text(page->bytes + offset, room));
    uint8_t both[6] = {0};
    memcpy(both, page->bytes + offset, room);
    const uint64_t end = (ia + room) & w->r->mask;
    page = code_page(w, end);
    if (!page->there || !page->bytes)
        return NULL;
    memcpy(both + room, page->bytes, bytes->length - room);
    bytes->absolute2 = page->absolute;
    return ec_decode_kept(ops, ec_text(both, 6));
}

static inline const struct ec_op *op_at(struct walk *w, uint64_t ia, struct ec_bytes *bytes)
{
    const struct page *page = &w->code[ia / EC_PAGE & 1];
    const unsigned offset = (unsigned)(ia % EC_PAGE);
    if (UNLIKELY(page->logical != ia / EC_PAGE + 1 || !page->bytes || ia & 1 || offset > EC_PAGE - 8))
        return op_slow(w, ia, bytes);
    bytes->ia = ia;
    bytes->absolute = page->absolute + offset;
    const struct ec_op *op = ec_decode_at(&w->m->ops, bytes->absolute, page->bytes + offset);
    bytes->length = (unsigned)(op->text & 7);
    return op;
}

/* What EXECUTE at a known address executes; NULL: it is taken for itself. */
static const struct ec_op *executed(struct walk *w, const struct ec_op *op, uint64_t ia, uint64_t *base)
{
    struct ec_bytes bytes;
    const unsigned r1 = op->insn.r1;
    if (!ec_shadow_address(&w->shadow, op, 0, ia, base) || (r1 && !(w->shadow.known >> r1 & 1)))
        return NULL;
    const struct ec_op execute = *op, *target = op_at(w, *base, &bytes);
    if (!target)
        return NULL;
    if (r1)
        target = ec_decode_kept(&w->m->ops, target->text | (w->shadow.gr[r1] & 0xff) << 48);
    if (target->flags & (EC_OP_INVALID | EC_OP_EXECUTES))
        return NULL;
    ec_decode_executed(&execute, target, &w->executed);
    w->executed.text = execute.text;
    return &w->executed;
}

/* ---- execution ------------------------------------------------------------------------------------------------- */

/* The value of up to eight bytes of storage. False: they cannot be had. */
static bool value_at(struct walk *w, uint64_t logical, uint64_t length, uint64_t *value)
{
    const struct page *page = data_page(w, logical, false);
    const uint64_t offset = logical % EC_PAGE;
    if (LIKELY(offset <= EC_PAGE - 8 && page->bytes)) {
        memcpy(value, page->bytes + offset, 8);
        *value = BE64(*value) >> (64 - 8 * length);
        return true;
    }
    *value = 0;
    for (uint64_t i = 0; i < length; i++) {
        const uint64_t at = (logical + i) & w->r->mask;
        page = data_page(w, at, false);
        if (!page->there || !page->bytes)
            return false;
        *value = *value << 8 | page->bytes[at % EC_PAGE];
    }
    return true;
}

/* Operand `which`, when its address and length are known. */
static inline bool operand(struct walk *w, const struct ec_op *op, uint64_t base, unsigned which, struct ec_operand *o)
{
    const struct dis_storage *s = &op->storage[which];
    o->length = ec_shadow_length(op, which);
    o->fetch = s->fetch;
    o->store = s->store;
    return ec_shadow_address(&w->shadow, op, which, base, &o->logical) && o->length;
}

/* Where it is. */
static inline void find(struct walk *w, struct ec_operand *o)
{
    const struct page *page = data_page(w, o->logical, o->store);
    o->there[0] = page->there;
    o->absolute[0] = page->absolute + o->logical % EC_PAGE;
    if (LIKELY(o->logical % EC_PAGE + o->length <= EC_PAGE))
        return;
    page = data_page(w, (o->logical / EC_PAGE + 1) * EC_PAGE & w->r->mask, o->store);
    o->there[1] = page->there;
    o->absolute[1] = page->absolute;
}

/* The operands that are accessed: how many of o[2], and the first of them is o[0]. */
static inline unsigned operands(struct walk *w, const struct ec_op *op, uint64_t base, struct ec_operand o[2])
{
    unsigned count = 0;
    for (unsigned which = 0; which < op->operands; which++)
        count += operand(w, op, base, which, &o[count]);
    return count;
}

/* Accesses of an instruction that issues at `x`; the cycle of its finish. */
static inline uint64_t execute(struct walk *w, const struct ec_op *op, struct ec_operand *o, unsigned count, uint64_t x,
                               struct ec_entry *entry)
{
    uint64_t n = x + op->latency, longest = 0;
    for (unsigned i = 0; i < count; i++) {
        uint8_t level = 0;
        find(w, &o[i]);
        n += ec_data(w->m, w->r, &o[i], true, entry, &level);
        longest = o[i].length > longest ? o[i].length : longest;
    }
    return op->class == EC_SS ? n + (longest + 15) / 16 : n;
}

/* `o`: its only operand, if it is accessed. */
static inline void shadow(struct walk *w, const struct ec_op *op, const struct ec_operand *o, uint64_t base,
                          uint64_t ia)
{
    uint64_t value = 0;
    const bool loaded =
        o && op->operands == 1 && o->fetch && !o->store && o->length <= 8 && value_at(w, o->logical, o->length, &value);
    if (base == ia || !(op->flags & EC_OP_CALL))
        ec_shadow_execute(&w->shadow, op, base, loaded, value);
    else
        w->shadow.known &= ~op->dst;
}

/* ---- dispatch -------------------------------------------------------------------------------------------------- */

/* A place in the table for an instruction that could be dispatched at *d. False: there is none until R. */
static inline bool room(struct walk *w, struct ec_passing *p, uint64_t *d)
{
    struct ec_counting *c = &w->m->counting;
    ec_complete_until(w->m, *d < w->until ? *d : w->until);
    p->stall = 0;
    if (*d > w->until)
        return false;
    if (!ec_full(c))
        return true;
    const struct ec_entry *e = ec_oldest(c);
    if (e->wrong_path || e->open || e->c + 1 > w->until)
        return false;
    const uint64_t later = e->c + 1 > *d ? e->c + 1 : *d;
    p->stall = later - *d;
    *d = later;
    ec_complete_until(w->m, later);
    return true;
}

/* Into the table. False: it is only fetched. */
static inline bool dispatch(struct walk *w, struct ec_passing *p, unsigned *tag)
{
    struct ec_model *m = w->m;
    struct ec_counting *c = &m->counting;
    const struct ec_op *op = p->op;
    uint64_t d = ec_earliest(m, w->front, p);
    struct ec_entry *open = &c->ct[ec_youngest(c)];
    if (open->wrong_path && open->open && open->members < m->profile.group_size && open->d == d && d <= w->until) {
        p->stall = 0;
        open->members++;
        *tag = ec_youngest(c);
    } else {
        if (!room(w, p, &d))
            return false;
        open->open = false;
        *tag = ec_enter_wrong(c, p->ia, w->r->problem, w->marked);
        c->ct[*tag].d = d;
    }
    p->d = d;
    if (op->flags & EC_OP_BRANCH)
        c->ct[*tag].open = false;
    return true;
}

/* A dispatched instruction goes on as far as it comes by R. */
static inline void pass(struct walk *w, struct ec_passing *p, unsigned tag, uint64_t base)
{
    struct ec_operand o[2];
    struct ec_model *m = w->m;
    struct ec_entry *entry = &m->counting.ct[tag];
    const struct ec_op *op = p->op;
    const unsigned count = operands(w, op, base, o);
    uint64_t x = p->d + 1, n = w->until + 1;
    ec_signal_dispatch(m, p, entry, true, true);
    for (uint32_t src = op->src; src; src &= src - 1)
        x = w->rdy[__builtin_ctz(src)] > x ? w->rdy[__builtin_ctz(src)] : x;
    if (x <= w->until) {
        n = execute(w, op, o, count, x, entry);
        if (n <= w->until)
            ec_count_lost(&m->counting, EC_FINISH, entry, 1);
    }
    for (uint32_t dst = op->dst; dst; dst &= dst - 1)
        w->rdy[__builtin_ctz(dst)] = n;
    if (UNLIKELY(m->watch != NULL)) {
        ec_tell(m, p, tag, x, n, w->until);
        m->watch->ended(m->watch->context, m->id, 1, w->until, true, true);
    }
    m->id++;
    shadow(w, op, count ? o : NULL, base, p->ia);
}

static inline void only_fetched(struct walk *w, struct ec_passing *p)
{
    struct ec_model *m = w->m;
    ec_signal_held(m, &p->held, NULL, false);
    ec_count(&m->counting, EC_FETCH, NULL, 1);
    if (UNLIKELY(m->watch != NULL) && p->f <= w->until) {
        ec_tell(m, p, EC_NO_TAG, 0, 0, w->until);
        m->watch->ended(m->watch->context, m->id++, 1, w->until, true, true);
    }
}

/* Where the walk goes on; false: nowhere. */
static inline bool next_address(struct walk *w, const struct ec_passing *p, uint64_t base, unsigned tag, uint64_t *ia,
                                unsigned length)
{
    struct ec_counting *c = &w->m->counting;
    const uint64_t next = (*ia + length) & w->r->mask;
    if (!(p->op->flags & EC_OP_BRANCH)) {
        *ia = next;
        return true;
    }
    const struct ec_branch branch = ec_branch_of(p->op, *ia, next, base, w->r->mask);
    const struct ec_prediction is = ec_predict_branch(&w->m->predict, w->past, &branch);
    if (tag != EC_NO_TAG) {
        if (!is.btb_hit)
            ec_count_lost(c, EC_BTB_MISS, &c->ct[tag], 1);
        if (is.taken)
            ec_count_lost(c, EC_BR_PTAKEN, &c->ct[tag], 1);
    }
    if (is.source == EC_FROM_STALL)
        return false;
    ec_past_apply(&w->m->predict, w->past, &branch, is.taken);
    *ia = is.target;
    if (is.taken)
        w->front->brk = true;
    if (is.taken && is.source == EC_FROM_DECODE)
        w->front->fc += w->m->profile.decode_redirect;
    return true;
}

/* The next instruction is looked for and fetched. False: the walk ends. */
static inline bool fetch(struct walk *w, struct ec_passing *p, uint64_t ia, uint64_t *base, unsigned *length)
{
    struct ec_model *m = w->m;
    struct ec_bytes bytes;
    *base = p->ia = ia;
    p->op = op_at(w, ia, &bytes);
    p->held.count = 0;
    p->level = 0;
    if (!p->op || p->op->flags & EC_OP_INVALID ||
        !ec_fetch(m, w->front, w->r, &bytes, w->until, m->profile.wp_pollute, p))
        return false;
    *length = bytes.length;
    w->fetched++;
    if (UNLIKELY(p->f > w->until)) {
        only_fetched(w, p);
        return false;
    }
    if (UNLIKELY(p->op->flags & EC_OP_EXECUTES)) {
        const struct ec_op *both = executed(w, p->op, ia, base);
        *base = both ? *base : ia;
        p->op = both ? both : p->op;
    }
    return true;
}

/* Instructions of the wrong path that are dispatched; false: the walk ends there, else what was fetched is in *p. */
static bool ahead(struct walk *w, struct ec_passing *p, uint64_t *ia)
{
    uint64_t base;
    unsigned length, tag = EC_NO_TAG;
    for (;;) {
        if (!fetch(w, p, *ia, &base, &length))
            return false;
        if (p->op->flags & EC_OP_SERIAL) {
            only_fetched(w, p);
            return false;
        }
        if (!dispatch(w, p, &tag))
            break;
        ec_dispatched(w->m, w->front, p->d);
        pass(w, p, tag, base);
        if (!next_address(w, p, base, tag, ia, length) || ++w->dispatched >= w->m->profile.wp_max_insns)
            return false;
    }
    only_fetched(w, p);
    ec_dispatched(w->m, w->front, EC_NEVER);
    return next_address(w, p, base, EC_NO_TAG, ia, length);
}

/* Events of fetching alone: they have no tag. */
static void untagged(struct walk *w, const struct ec_held *held) { ec_signal_held(w->m, held, NULL, false); }

/* ec_fetch() of an instruction in one line that nobody watches, and that nothing behind it waits for. */
static inline bool fetch_alone(struct walk *w, uint64_t ia, uint64_t line)
{
    struct ec_model *m = w->m;
    struct ec_front *front = w->front;
    ec_front_go_on(m, front, line);
    if (front->fc > w->until)
        return false;
    if (line != front->line) {
        struct ec_passing p = {.held.count = 0};
        ec_fetch_line(m, front, w->r, ia, line, m->profile.wp_pollute, &p);
        untagged(w, &p.held);
    }
    front->fs++;
    front->ring[front->at] = EC_NEVER;
    front->at = front->at + 1 == m->profile.fetch_buffer ? 0 : front->at + 1;
    w->fetched++;
    ec_count(&m->counting, EC_FETCH, NULL, 1);
    return front->fc <= w->until;
}

/* What is fetched behind the last that was dispatched, as far as it is easy. False: fetching has stopped. */
static bool coast(struct walk *w, struct ec_passing *p, uint64_t *ia)
{
    struct ec_model *m = w->m;
    if (m->watch)
        return true;
    for (;;) {
        struct ec_bytes bytes;
        const struct page *page = &w->code[*ia / EC_PAGE & 1];
        if (page->logical != *ia / EC_PAGE + 1 || !page->bytes || *ia & 1 || *ia % EC_PAGE > EC_PAGE - 8)
            return true;
        p->op = op_at(w, *ia, &bytes);
        const uint64_t line = bytes.absolute >> m->line_shift;
        if (p->op->flags & ~(EC_OP_BRANCH | EC_OP_CONDITIONAL | EC_OP_RELATIVE | EC_OP_CALL | EC_OP_RETURN) ||
            (bytes.absolute + bytes.length - 1) >> m->line_shift != line)
            return true;
        if (!fetch_alone(w, *ia, line) || !next_address(w, p, *ia, EC_NO_TAG, ia, bytes.length))
            return false;
    }
}

/* What is fetched behind the last that was dispatched. */
static void behind(struct walk *w, struct ec_passing *p, uint64_t *ia)
{
    uint64_t base;
    unsigned length;
    do {
        if (!coast(w, p, ia) || !fetch(w, p, *ia, &base, &length))
            return;
        only_fetched(w, p);
        ec_dispatched(w->m, w->front, EC_NEVER);
    } while (!(p->op->flags & EC_OP_SERIAL) && next_address(w, p, base, EC_NO_TAG, ia, length));
}

unsigned ec_walk(struct ec_model *m, const struct ec_record *r, uint64_t start, uint64_t until, struct ec_past *past)
{
    struct walk w;
    struct ec_passing p;
    w.m = m;
    w.r = r;
    w.until = until;
    w.front = &m->wrong_front;
    w.past = past;
    w.dispatched = w.fetched = 0;
    w.marked = m->counting.pmu.markmask && ec_marked(&m->counting.pmu, r->program_parameter);
    memcpy(w.rdy, m->rdy, sizeof w.rdy);
    memcpy(w.front, &m->front, offsetof(struct ec_front, ring) + m->profile.fetch_buffer * sizeof *m->front.ring);
    memcpy(w.shadow.gr, r->gr, sizeof w.shadow.gr);
    w.shadow.known = 0xffff;
    w.shadow.mask = r->mask;
    for (unsigned i = 0; i < 2; i++)
        w.code[i].logical = 0;
    for (unsigned i = 0; i < PLACES; i++)
        w.data[0][i].logical = w.data[1][i].logical = 0;
    uint64_t ia = start;
    if (ahead(&w, &p, &ia))
        behind(&w, &p, &ia);
    return w.fetched;
}
