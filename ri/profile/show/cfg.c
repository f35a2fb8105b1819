/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/show/cfg.h"
#include "base/message.h"
#include "disasm/dis.h"
#include "ri/profile/show/blocks.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* Runs that were cut, by the address behind. */
struct cut {
    uint64_t next, units;
    uint32_t space, block;
};

struct maker {
    struct ep_cfg *cfg;
    struct ep_insns insns;
    uint64_t *runs, *falls, *cuts; /* run units of blocks: all, those that went on to the next block, that were cut */
    uint64_t *returns;             /* units of returns to blocks */
    struct cut *cut;
    uint32_t cut_count, arc_room;
    uint64_t branch_units, run_units;
    /* of the run that is walked */
    uint64_t units;
    uint32_t space, block, insn;
};

const char *ep_arc_word(enum ep_arc_kind kind)
{
    static const char *const words[EP_ARCS] = {"taken", "nottaken", "fall", "call", "ret", "gap"};
    return words[kind];
}

uint32_t ep_cfg_block(const struct ep_cfg *cfg, uint32_t space, uint64_t address)
{
    uint32_t low = 0, high = cfg->blocks;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const struct ep_block *b = &cfg->block[middle];
        if (b->space < space || (b->space == space && b->start < address))
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < cfg->blocks && cfg->block[low].space == space && cfg->block[low].start == address;
    return found ? low : EP_NO_BLOCK;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static int block_order(const void *left, const void *right)
{
    const struct ep_block *a = left, *b = right;
    if (a->space != b->space)
        return a->space < b->space ? -1 : 1;
    return a->start < b->start ? -1 : a->start > b->start;
}

/* Instructions of a block, the first one known. */
static void fill_block(struct maker *m, uint32_t number)
{
    struct ep_block *b = &m->cfg->block[number];
    uint32_t n = ep_insns_at(&m->insns, b->space, b->start);
    for (;;) {
        struct ep_insn *i = &m->insns.insn[n];
        i->block = number;
        b->last = i->at;
        b->class = i->class;
        b->instructions++;
        n = ep_insns_at(&m->insns, b->space, i->at + i->length);
        if (ep_insn_ends(i) || n == EP_NO_INSN || !m->insns.insn[n].read || m->insns.insn[n].leads)
            return;
    }
}

static int make_blocks(struct maker *m)
{
    struct ep_cfg *c = m->cfg;
    c->block = calloc(m->insns.count + 1u, sizeof *c->block);
    if (!c->block)
        return -ENOMEM;
    for (uint32_t i = 0; i < m->insns.count; i++) {
        const struct ep_insn *insn = &m->insns.insn[i];
        if (insn->leads && insn->read)
            c->block[c->blocks++] = (struct ep_block){
                .start = insn->at, .space = insn->space, .function = ep_view_function(c->view, insn->space, insn->at)};
    }
    if (c->blocks)
        qsort(c->block, c->blocks, sizeof *c->block, block_order);
    for (uint32_t i = 0; i < c->blocks; i++)
        fill_block(m, i);
    return 0;
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* Run units in branch units. */
static uint64_t scaled(const struct maker *m, uint64_t units)
{
    if (!m->run_units || m->run_units == m->branch_units)
        return units;
    const unsigned __int128 value = ((unsigned __int128)units * m->branch_units + m->run_units / 2) / m->run_units;
    return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

static void add_to(uint64_t *sum, uint64_t units) { *sum = ep_saturated_sum(*sum, units); }

static int pass_insn(void *context, uint64_t address, const uint8_t bytes[6])
{
    struct maker *m = context;
    (void)bytes;
    m->insn = ep_insns_at(&m->insns, m->space, address);
    const uint32_t block = m->insn == EP_NO_INSN ? EP_NO_BLOCK : m->insns.insn[m->insn].block;
    if (block == EP_NO_BLOCK)
        return -EINVAL;
    if (m->cfg->block[block].start == address) {
        if (m->block != EP_NO_BLOCK)
            add_to(&m->falls[m->block], m->units);
        add_to(&m->runs[block], m->units);
    }
    m->block = block;
    return 0;
}

static int count_runs(struct maker *m, const struct ep_source *source, char *error, size_t size)
{
    uint32_t count;
    const struct ep_row *row = ep_profile_list(m->cfg->view->profile, EP_RUNS, &count);
    m->cut = calloc(count + 1u, sizeof *m->cut);
    if (!m->cut)
        return -ENOMEM;
    for (uint32_t i = 0; i < count; i++) {
        m->units = row[i].units;
        m->space = row[i].from_space;
        m->block = EP_NO_BLOCK;
        const int bad = ep_source_walk(source, m->space, row[i].from, row[i].to, pass_insn, m, error, size);
        if (bad == -EINVAL)
            return fail_with(-ENOENT, error, size,
                             "the code from %" PRIx64 " of space %" PRIu32
                             " is not what was executed; give the files as they were when they ran (--symbols)",
                             row[i].from, m->space);
        if (bad)
            return bad;
        if (row[i].kind != EP_RUN_CUT)
            continue;
        const struct ep_insn *last = &m->insns.insn[m->insn];
        m->cut[m->cut_count++] = (struct cut){last->at + last->length, m->units, m->space, m->block};
        add_to(&m->cuts[m->block], m->units);
    }
    return 0;
}

static int cut_order(const void *left, const void *right)
{
    const struct cut *a = left, *b = right;
    if (a->space != b->space)
        return a->space < b->space ? -1 : 1;
    if (a->next != b->next)
        return a->next < b->next ? -1 : 1;
    return a->block < b->block ? -1 : a->block > b->block;
}

/* The first run that was cut in front of an address; *units: of all that were. NULL: none. */
static const struct cut *find_cut(const struct maker *m, uint32_t space, uint64_t address, uint64_t *units)
{
    uint32_t low = 0, high = m->cut_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const struct cut *c = &m->cut[middle];
        if (c->space < space || (c->space == space && c->next < address))
            low = middle + 1;
        else
            high = middle;
    }
    *units = 0;
    const struct cut *first = &m->cut[low];
    for (; low < m->cut_count && m->cut[low].space == space && m->cut[low].next == address; low++)
        add_to(units, m->cut[low].units);
    return *units ? first : NULL;
}

/* ---- arcs -------------------------------------------------------------------------------------------------------- */

static uint32_t block_of(const struct maker *m, uint32_t space, uint64_t address)
{
    const uint32_t n = ep_insns_at(&m->insns, space, address);
    return n == EP_NO_INSN ? EP_NO_BLOCK : m->insns.insn[n].block;
}

static int add_arc(struct maker *m, struct ep_arc arc)
{
    struct ep_cfg *c = m->cfg;
    if (c->arcs == m->arc_room) {
        m->arc_room = m->arc_room ? 2 * m->arc_room : 256;
        struct ep_arc *larger = realloc(c->arc, m->arc_room * sizeof *larger);
        if (!larger)
            return -ENOMEM;
        c->arc = larger;
    }
    const uint32_t to = ep_cfg_block(c, arc.to_space, arc.to);
    const bool inside = to != EP_NO_BLOCK && c->block[to].function == c->block[arc.from].function;
    arc.block = inside ? to : EP_NO_BLOCK;
    c->arc[c->arcs++] = arc;
    return 0;
}

/* Behind a call of this block's function: a return that goes there comes from a function called, not from this one. */
static bool behind_call(const struct maker *m, uint32_t to)
{
    const struct ep_block *b = &m->cfg->block[to];
    for (unsigned length = 2; length <= 6; length += 2) {
        const uint32_t n = ep_insns_at(&m->insns, b->space, b->start - length);
        if (n != EP_NO_INSN && m->insns.insn[n].read && m->insns.insn[n].length == length &&
            m->insns.insn[n].class == DIS_EDGE_CALL)
            return true;
    }
    return false;
}

static int add_edges(struct maker *m)
{
    const struct ep_view *v = m->cfg->view;
    struct ep_cfg *c = m->cfg;
    int bad = 0;
    for (uint32_t i = 0; !bad && i < v->branches; i++) {
        const struct ep_view_branch *b = &v->branch[i];
        const struct ep_row *row = b->row;
        struct ep_arc arc = {.to = row->to, .to_space = row->to_space, .units = row->units};
        const uint32_t to = ep_cfg_block(c, row->to_space, row->to);
        arc.from = block_of(m, row->from_space, row->from);
        if (to != EP_NO_BLOCK) {
            add_to(&c->block[to].in, row->units);
            if (b->site->class == EP_SITE_RET)
                add_to(&m->returns[to], row->units);
        }
        if (arc.from == EP_NO_BLOCK)
            continue;
        add_to(&c->block[arc.from].out, row->units);
        const bool inside =
            to != EP_NO_BLOCK && c->block[to].function == c->block[arc.from].function && !behind_call(m, to);
        const bool returns = b->site->class == EP_SITE_RET && !inside;
        arc.kind = row->kind == EP_NOT_TAKEN ? EP_ARC_NOT_TAKEN
                   : b->call                 ? EP_ARC_CALL
                   : returns                 ? EP_ARC_RETURN
                                             : EP_ARC_TAKEN;
        bad = add_arc(m, arc);
        if (!bad && returns) /* out of the function, even where it called itself */
            c->arc[c->arcs - 1].block = EP_NO_BLOCK;
    }
    return bad;
}

static int add_gaps(struct maker *m)
{
    struct ep_cfg *c = m->cfg;
    uint32_t count;
    const struct ep_row *row = ep_profile_list(c->view->profile, EP_GAPS, &count);
    int bad = 0;
    for (uint32_t i = 0, next; !bad && i < count; i = next) {
        uint64_t all = 0, cut;
        const struct cut *before = find_cut(m, row[i].from_space, row[i].from, &cut);
        const uint32_t at = ep_cfg_block(c, row[i].from_space, row[i].from);
        const uint32_t from = before ? before->block : at;
        for (next = i;
             !bad && next < count && row[next].from_space == row[i].from_space && row[next].from == row[i].from;
             next++) {
            const uint32_t to = ep_cfg_block(c, row[next].to_space, row[next].to);
            const uint64_t units = scaled(m, row[next].units);
            add_to(&all, row[next].units);
            if (to != EP_NO_BLOCK)
                add_to(&c->block[to].in, units);
            if (from != EP_NO_BLOCK)
                bad = add_arc(m, (struct ep_arc){.to = row[next].to,
                                                 .to_space = row[next].to_space,
                                                 .units = units,
                                                 .from = from,
                                                 .kind = EP_ARC_GAP});
        }
        if (all > cut && at != EP_NO_BLOCK) /* gaps with nothing executed in front of them */
            add_to(&c->block[at].out, scaled(m, all - cut));
    }
    return bad;
}

/* ---- arcs that the code tells of --------------------------------------------------------------------------------- */

static int arc_order(const void *left, const void *right)
{
    const struct ep_arc *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->to_space != b->to_space)
        return a->to_space < b->to_space ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

static void sort_arcs(struct ep_cfg *c)
{
    if (c->arcs)
        qsort(c->arc, c->arcs, sizeof *c->arc, arc_order);
}

/* What was observed of a block: arcs `first` to `end`. */
struct observed {
    const struct ep_cfg *cfg;
    uint32_t first, end;
};

/* Units of arcs of a kind, to one destination or (NULL) any; false: there is none. */
static bool has_arc(const struct observed *o, unsigned kind, const uint64_t *to, uint64_t *units)
{
    bool any = false;
    *units = 0;
    for (uint32_t i = o->first; i < o->end; i++)
        if (o->cfg->arc[i].kind == kind && (!to || o->cfg->arc[i].to == *to)) {
            add_to(units, o->cfg->arc[i].units);
            any = true;
        }
    return any;
}

/* Adds an arc that was never observed. */
static int add_if_new(struct maker *m, const struct observed *o, struct ep_arc arc)
{
    uint64_t units;
    const bool one = arc.kind == EP_ARC_NOT_TAKEN || arc.kind == EP_ARC_CALL;
    return has_arc(o, arc.kind, one ? NULL : &arc.to, &units) ? 0 : add_arc(m, arc);
}

static int add_static(struct maker *m, const struct observed *o, uint32_t block)
{
    const struct ep_block *b = &m->cfg->block[block];
    const struct ep_insn *last = &m->insns.insn[ep_insns_at(&m->insns, b->space, b->last)];
    struct ep_arc next = {.to = last->at + last->length, .from = block, .to_space = b->space};
    struct ep_arc target = {.to = last->target, .from = block, .to_space = b->space};
    const bool known = block_of(m, b->space, next.to) != EP_NO_BLOCK;
    int bad = 0;
    target.kind = b->class == DIS_EDGE_CALL ? EP_ARC_CALL : EP_ARC_TAKEN;
    if (last->has_target && ep_insn_ends(last))
        bad = add_if_new(m, o, target);
    if (b->class == DIS_EDGE_COND) {
        next.kind = EP_ARC_NOT_TAKEN;
        return bad ? bad : add_if_new(m, o, next);
    }
    if (bad || !ep_insn_falls(last))
        return bad;
    if (b->class == DIS_EDGE_CALL) {
        uint64_t calls;
        const uint32_t to = ep_cfg_block(m->cfg, b->space, next.to);
        (void)has_arc(o, EP_ARC_CALL, NULL, &calls);
        next.kind = EP_ARC_RETURN;
        next.units = to != EP_NO_BLOCK && m->returns[to] ? m->returns[to] : calls;
    } else {
        next.kind = EP_ARC_FALL;
        next.units = scaled(m, m->falls[block]);
    }
    return known ? add_arc(m, next) : 0;
}

static int add_arcs(struct maker *m)
{
    struct ep_cfg *c = m->cfg;
    int bad = add_edges(m);
    sort_arcs(c);
    struct observed o = {.cfg = c};
    const uint32_t edges = c->arcs;
    for (uint32_t i = 0; !bad && i < c->blocks; i++) {
        for (o.first = o.end; o.end < edges && c->arc[o.end].from == i; o.end++)
            ;
        bad = add_static(m, &o, i);
    }
    bad = bad ? bad : add_gaps(m);
    sort_arcs(c);
    return bad;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static void sum_up(struct maker *m)
{
    struct ep_cfg *c = m->cfg;
    for (uint32_t i = 0; i < c->blocks; i++) {
        struct ep_block *b = &c->block[i];
        const uint64_t fall = scaled(m, m->falls[i]);
        const uint32_t next =
            ep_cfg_block(c, b->space, b->last + m->insns.insn[ep_insns_at(&m->insns, b->space, b->last)].length);
        add_to(&b->out, fall);
        add_to(&b->out, scaled(m, m->cuts[i]));
        if (next != EP_NO_BLOCK)
            add_to(&c->block[next].in, fall);
        b->units = m->run_units ? scaled(m, m->runs[i]) : b->out;
    }
}

static int make_all(struct maker *m, const struct ep_source *source, char *error, size_t size)
{
    struct ep_cfg *c = m->cfg;
    int bad = make_blocks(m);
    if (bad)
        return bad;
    m->runs = calloc(c->blocks + 1u, sizeof *m->runs);
    m->falls = calloc(c->blocks + 1u, sizeof *m->falls);
    m->cuts = calloc(c->blocks + 1u, sizeof *m->cuts);
    m->returns = calloc(c->blocks + 1u, sizeof *m->returns);
    if (!m->runs || !m->falls || !m->cuts || !m->returns)
        return -ENOMEM;
    bad = count_runs(m, source, error, size);
    if (m->cut_count)
        qsort(m->cut, m->cut_count, sizeof *m->cut, cut_order);
    bad = bad ? bad : add_arcs(m);
    if (!bad)
        sum_up(m);
    return bad;
}

int ep_cfg_make(struct ep_cfg *cfg, const struct ep_view *view, const struct ep_view *other,
                const struct ep_source *source, char *error, size_t size)
{
    struct maker m = {.cfg = cfg,
                      .branch_units = ep_profile_number(view->profile, EP_H_BRANCH_UNITS),
                      .run_units = ep_profile_number(view->profile, EP_H_RUN_UNITS)};
    *cfg = (struct ep_cfg){.view = view};
    if (size)
        error[0] = 0;
    int bad = ep_insns_find(&m.insns, view, other, source, error, size);
    bad = bad ? bad : make_all(&m, source, error, size);
    ep_insns_free(&m.insns);
    free(m.runs);
    free(m.falls);
    free(m.cuts);
    free(m.returns);
    free(m.cut);
    if (bad)
        ep_cfg_free(cfg);
    return bad;
}

void ep_cfg_free(struct ep_cfg *cfg)
{
    free(cfg->block);
    free(cfg->arc);
    *cfg = (struct ep_cfg){.block = NULL};
}
