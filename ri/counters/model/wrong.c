/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wrong path behind a misprediction: event-counter specification 5.8. */
#include "ri/counters/model/pipeline.h"
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
    bool fetch_only;     /* nothing younger is dispatched any more */
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

/* The bytes of the instruction at `ia`, near the end of a page or where none were read yet; 0: they cannot be had. */
static uint64_t text_slow(struct walk *w, uint64_t ia, struct ec_bytes *bytes)
{
    const struct page *page = code_page(w, ia);
    const unsigned offset = (unsigned)(ia % EC_PAGE), room = EC_PAGE - offset;
    if (ia & 1 || !page->there || !page->bytes)
        return 0;
    *bytes = (struct ec_bytes){.ia = ia, .absolute = page->absolute + offset};
    bytes->length = dis_length(page->bytes[offset]);
    if (LIKELY(bytes->length <= room))
        return ec_text(page->bytes + offset, room);
    uint8_t both[6] = {0};
    memcpy(both, page->bytes + offset, room);
    const uint64_t end = (ia + room) & w->r->mask;
    page = code_page(w, end);
    if (!page->there || !page->bytes)
        return 0;
    memcpy(both + room, page->bytes, bytes->length - room);
    bytes->absolute2 = page->absolute;
    return ec_text(both, 6);
}

static uint64_t text_at(struct walk *w, uint64_t ia, struct ec_bytes *bytes)
{
    const struct page *page = &w->code[ia / EC_PAGE & 1];
    const unsigned offset = (unsigned)(ia % EC_PAGE);
    if (UNLIKELY(page->logical != ia / EC_PAGE + 1 || !page->bytes || ia & 1 || offset > EC_PAGE - 8))
        return text_slow(w, ia, bytes);
    const uint64_t text = ec_text(page->bytes + offset, 8);
    bytes->ia = ia;
    bytes->absolute = page->absolute + offset;
    bytes->length = (unsigned)(text & 7);
    return text;
}

/* What EXECUTE at a known address executes; NULL: it is taken for itself. */
static const struct ec_op *executed(struct walk *w, const struct ec_op *op, uint64_t ia, uint64_t *base)
{
    struct ec_bytes bytes;
    const unsigned r1 = op->insn.r1;
    if (!ec_shadow_address(&w->shadow, op, 0, ia, base) || (r1 && !(w->shadow.known >> r1 & 1)))
        return NULL;
    uint64_t text = text_at(w, *base, &bytes);
    if (!text)
        return NULL;
    if (r1)
        text |= (w->shadow.gr[r1] & 0xff) << 48;
    const struct ec_op execute = *op, *target = ec_decode_kept(&w->m->ops, text);
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
    *value = 0;
    for (uint64_t i = 0; i < length; i++) {
        const uint64_t at = (logical + i) & w->r->mask;
        const struct page *page = data_page(w, at, false);
        if (!page->there || !page->bytes)
            return false;
        *value = *value << 8 | page->bytes[at % EC_PAGE];
    }
    return true;
}

/* Operand `which`, when its address and length are known. */
static bool operand(struct walk *w, const struct ec_op *op, uint64_t base, unsigned which, struct ec_operand *o)
{
    const struct dis_storage *s = &op->storage[which];
    uint64_t address;
    if (!ec_shadow_address(&w->shadow, op, which, base, &address))
        return false;
    *o = (struct ec_operand){
        .logical = address, .length = ec_shadow_length(&w->shadow, op, which), .fetch = s->fetch, .store = s->store};
    if (!o->length)
        return false;
    for (unsigned n = 0; n < 2; n++) {
        const uint64_t at = n ? (address / EC_PAGE + 1) * EC_PAGE & w->r->mask : address;
        if (n && address % EC_PAGE + o->length <= EC_PAGE)
            break;
        const struct page *page = data_page(w, at, o->store);
        o->there[n] = page->there;
        o->absolute[n] = page->absolute + at % EC_PAGE;
    }
    return true;
}

/* Accesses of an instruction that issues at `x`; the cycle of its finish. */
static uint64_t execute(struct walk *w, const struct ec_op *op, uint64_t base, uint64_t x, struct ec_entry *entry)
{
    uint64_t n = x + op->latency, longest = 0;
    for (unsigned which = 0; which < op->operands; which++) {
        struct ec_operand o;
        struct ec_held held;
        uint8_t level = 0;
        held.count = 0;
        if (!operand(w, op, base, which, &o))
            continue;
        n += ec_data(w->m, w->r, &o, true, &held, &level);
        longest = o.length > longest ? o.length : longest;
        ec_signal_held(w->m, &held, entry, true);
    }
    return op->class == EC_SS ? n + (longest + 15) / 16 : n;
}

static void shadow(struct walk *w, const struct ec_op *op, uint64_t base, uint64_t ia)
{
    const struct dis_storage *s = &op->storage[0];
    uint64_t address, value = 0, length;
    bool loaded = false;
    if (op->operands == 1 && s->fetch && !s->store && (length = ec_shadow_length(&w->shadow, op, 0)) != 0 &&
        length <= 8 && ec_shadow_address(&w->shadow, op, 0, base, &address))
        loaded = value_at(w, address, length, &value);
    if (base == ia || !(op->flags & EC_OP_CALL))
        ec_shadow_execute(&w->shadow, op, base, loaded, value);
    else
        w->shadow.known &= ~op->dst;
}

/* ---- dispatch -------------------------------------------------------------------------------------------------- */

/* A place in the table for an instruction that could be dispatched at *d. False: there is none until R. */
static bool room(struct walk *w, struct ec_passing *p, uint64_t *d)
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
static bool dispatch(struct walk *w, struct ec_passing *p, unsigned *tag)
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
        *tag = ec_allocate_wrong(c, p->ia, w->r->problem, w->marked);
        c->ct[*tag].d = d;
    }
    p->d = d;
    if (op->flags & EC_OP_BRANCH)
        c->ct[*tag].open = false;
    return true;
}

/* A dispatched instruction goes on as far as it comes by R. */
static void pass(struct walk *w, struct ec_passing *p, unsigned tag, uint64_t base)
{
    struct ec_model *m = w->m;
    struct ec_entry *entry = &m->counting.ct[tag];
    const struct ec_op *op = p->op;
    uint64_t x = p->d + 1, n = w->until + 1;
    ec_signal_dispatch(m, p, entry, true, true);
    for (uint32_t src = op->src; src; src &= src - 1)
        x = w->rdy[__builtin_ctz(src)] > x ? w->rdy[__builtin_ctz(src)] : x;
    if (x <= w->until) {
        n = execute(w, op, base, x, entry);
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
}

static void only_fetched(struct walk *w, struct ec_passing *p)
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
static bool next_address(struct walk *w, const struct ec_passing *p, uint64_t base, unsigned tag, uint64_t *ia,
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

/* One instruction of the wrong path. False: the walk ends. */
static bool step(struct walk *w, uint64_t *ia)
{
    struct ec_model *m = w->m;
    struct ec_bytes bytes;
    struct ec_passing p;
    uint64_t base = *ia;
    unsigned tag = EC_NO_TAG;
    const uint64_t text = text_at(w, *ia, &bytes);
    if (!text)
        return false;
    p.ia = *ia;
    p.op = ec_decode_kept(&m->ops, text);
    p.held.count = 0;
    p.level = 0;
    if (p.op->flags & EC_OP_INVALID || !ec_fetch(m, w->front, w->r, &bytes, w->until, m->profile.wp_pollute, &p))
        return false;
    w->fetched++;
    if (p.f > w->until) {
        only_fetched(w, &p);
        return false;
    }
    if (UNLIKELY(p.op->flags & EC_OP_EXECUTES)) {
        const struct ec_op *both = executed(w, p.op, *ia, &base);
        base = both ? base : *ia;
        p.op = both ? both : p.op;
    }
    const bool serial = p.op->flags & EC_OP_SERIAL;
    w->fetch_only = w->fetch_only || serial || !dispatch(w, &p, &tag);
    if (w->fetch_only) {
        only_fetched(w, &p);
        ec_dispatched(m, w->front, EC_NEVER);
    } else {
        ec_dispatched(m, w->front, p.d);
        pass(w, &p, tag, base);
        shadow(w, p.op, base, *ia);
        w->dispatched++;
    }
    return !serial && next_address(w, &p, base, tag, ia, bytes.length) && w->dispatched < m->profile.wp_max_insns;
}

unsigned ec_walk(struct ec_model *m, const struct ec_record *r, uint64_t start, uint64_t until, struct ec_past *past)
{
    struct walk w;
    w.m = m;
    w.r = r;
    w.until = until;
    w.front = &m->wrong_front;
    w.past = past;
    w.dispatched = w.fetched = 0;
    w.fetch_only = false;
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
    while (step(&w, &ia))
        continue;
    return w.fetched;
}
