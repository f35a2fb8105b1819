/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "disasm/dis.h"
#include "ri/profile/show/blocks.h"
#include "ri/profile/decoded.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 1024u
#define MOST       (1u << 22) /* instructions: of the largest kernels there are as many */

static uint32_t place_of(const struct ep_insns *x, uint32_t space, uint64_t address)
{
    const uint64_t sum = address * UINT64_C(0x9e3779b97f4a7c15) + space * UINT64_C(0xd1b54a32d192ed03);
    uint32_t i = (uint32_t)(sum >> 32) & (x->slots - 1);
    while (x->slot[i] && (x->insn[x->slot[i] - 1].at != address || x->insn[x->slot[i] - 1].space != space))
        i = (i + 1) & (x->slots - 1);
    return i;
}

uint32_t ep_insns_at(const struct ep_insns *x, uint32_t space, uint64_t address)
{
    return x->count ? x->slot[place_of(x, space, address)] - 1 : EP_NO_INSN;
}

static int grow(struct ep_insns *x)
{
    if (x->count < x->room)
        return 0;
    const uint32_t room = x->room ? 2 * x->room : FIRST_ROOM;
    if (room > MOST)
        return -EFBIG;
    struct ep_insn *insn = realloc(x->insn, room * sizeof *insn);
    if (!insn)
        return -ENOMEM;
    x->insn = insn;
    uint32_t *slot = calloc(2 * (size_t)room, sizeof *slot);
    if (!slot)
        return -ENOMEM;
    free(x->slot);
    x->slot = slot;
    x->room = room;
    x->slots = 2 * room;
    for (uint32_t i = 0; i < x->count; i++)
        x->slot[place_of(x, insn[i].space, insn[i].at)] = i + 1;
    return 0;
}

/* The number of the instruction at a place, in *number; a new one is still to be read. */
static int add(struct ep_insns *x, uint32_t space, uint64_t address, bool leads, uint32_t *number)
{
    const int bad = grow(x);
    if (bad)
        return bad;
    const uint32_t slot = place_of(x, space, address);
    if (!x->slot[slot]) {
        x->insn[x->count] = (struct ep_insn){.at = address, .space = space, .block = UINT32_MAX};
        x->slot[slot] = ++x->count;
    }
    *number = x->slot[slot] - 1;
    x->insn[*number].leads |= leads;
    return 0;
}

static int lead(struct ep_insns *x, uint32_t space, uint64_t address)
{
    uint32_t number;
    return add(x, space, address, true, &number);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool same_function(const struct ep_insns *x, uint32_t space, uint64_t a, uint64_t b)
{
    return ep_view_function(x->view, space, a) == ep_view_function(x->view, space, b);
}

/* A relative branch of class call goes to a function, and not over constants within its own. */
static bool calls(const struct ep_insns *x, const struct ep_insn *i)
{
    const uint32_t f = ep_view_function(x->view, i->space, i->at);
    return !same_function(x, i->space, i->at, i->target) ||
           (f < x->view->functions && x->view->function[f].start == i->target);
}

static void read_insn(const struct ep_insns *x, struct ep_insn *i)
{
    uint8_t bytes[6] = {0};
    struct dis_insn insn;
    const bool executed_branch = i->class == DIS_EDGE_COND; /* as its site was told */
    if (!x->source->code(x->source->context, i->space, i->at, bytes))
        return;
    dis_decode(bytes, &insn);
    i->read = true;
    i->length = (uint8_t)dis_length(bytes[0]);
    i->class = (uint8_t)dis_edge_class(&insn);
    i->has_target = dis_branch_relative(&insn);
    if (i->has_target)
        i->target = ep_relative_target(&insn, (struct ep_place){i->at, i->space, EP_64});
    if (i->class == DIS_EDGE_EXEC)
        i->class = executed_branch ? DIS_EDGE_COND : DIS_EDGE_ORD;
    if (i->class == DIS_EDGE_CALL && i->has_target && !calls(x, i))
        i->class = DIS_EDGE_UNCOND;
}

/* From instruction `n`, as far as the code goes on: what is reached is added, targets of branches lead. */
static int walk_from(struct ep_insns *x, uint32_t n)
{
    while (!x->insn[n].read) {
        read_insn(x, &x->insn[n]);
        const struct ep_insn i = x->insn[n];
        const uint64_t next = i.at + i.length;
        int bad = 0;
        if (!i.read)
            return 0;
        if (i.has_target && same_function(x, i.space, i.at, i.target))
            bad = lead(x, i.space, i.target);
        if (bad || !ep_insn_falls(&i) || !same_function(x, i.space, i.at, next))
            return bad;
        const uint32_t known = ep_insns_at(x, i.space, next);
        /* What was walked already from elsewhere begins a block: two readings of the bytes meet. */
        bad = add(x, i.space, next, ep_insn_ends(&i) || (known != EP_NO_INSN && x->insn[known].read), &n);
        if (bad)
            return bad;
    }
    return 0;
}

/* ---- where it begins --------------------------------------------------------------------------------------------- */

/* Both ends of edges, the beginnings of runs, where gaps ended. */
static int add_rows(struct ep_insns *x, const struct ep_profile *profile)
{
    static const uint8_t lists[] = {EP_EDGES, EP_RUNS, EP_GAPS};
    int bad = 0;
    for (unsigned k = 0; k < sizeof lists; k++) {
        uint32_t count, number;
        const struct ep_row *row = ep_profile_list(profile, lists[k], &count);
        for (uint32_t i = 0; !bad && i < count; i++) {
            if (lists[k] == EP_RUNS)
                bad = lead(x, row[i].from_space, row[i].from);
            else
                bad = lead(x, row[i].to_space, row[i].to);
            if (!bad && lists[k] == EP_EDGES && !(bad = add(x, row[i].from_space, row[i].from, false, &number)))
                x->insn[number].class = DIS_EDGE_COND;
        }
    }
    return bad;
}

/* Where execution went on from one function into another. */
struct crossing {
    struct ep_insns *insns;
    uint32_t space, function;
    bool any;
};
static int cross(void *context, uint64_t address, const uint8_t bytes[6])
{
    struct crossing *c = context;
    const uint32_t f = ep_view_function(c->insns->view, c->space, address);
    (void)bytes;
    const int bad = c->any && f != c->function ? lead(c->insns, c->space, address) : 0;
    c->function = f;
    c->any = true;
    return bad;
}

static int add_crossings(struct ep_insns *x, const struct ep_profile *profile, char *error, size_t size)
{
    uint32_t count;
    const struct ep_row *row = ep_profile_list(profile, EP_RUNS, &count);
    int bad = 0;
    for (uint32_t i = 0; !bad && i < count; i++) {
        struct crossing c = {.insns = x, .space = row[i].from_space};
        if (!same_function(x, c.space, row[i].from, row[i].to))
            bad = ep_source_walk(x->source, c.space, row[i].from, row[i].to, cross, &c, error, size);
    }
    return bad;
}

static int add_functions(struct ep_insns *x)
{
    const struct ep_view *v = x->view;
    int bad = 0;
    for (uint32_t i = 0; !bad && i < v->functions; i++)
        bad = lead(x, v->module[v->function[i].module].space, v->function[i].start);
    return bad;
}

int ep_insns_find(struct ep_insns *x, const struct ep_view *view, const struct ep_view *other,
                  const struct ep_source *source, char *error, size_t size)
{
    const struct ep_profile *const profile[2] = {view->profile, other ? other->profile : NULL};
    *x = (struct ep_insns){.view = view, .source = source};
    int bad = add_functions(x);
    for (unsigned k = 0; k < 2 && profile[k] && !bad; k++) {
        bad = add_rows(x, profile[k]);
        bad = bad ? bad : add_crossings(x, profile[k], error, size);
    }
    for (bool again = true; again && !bad;) {
        again = false;
        for (uint32_t i = 0; !bad && i < x->count; i++) { /* those that are added on the way, too */
            if (!x->insn[i].leads || x->insn[i].looked)
                continue;
            x->insn[i].looked = true;
            again = true;
            bad = walk_from(x, i);
        }
    }
    if (bad)
        ep_insns_free(x);
    return bad;
}

void ep_insns_free(struct ep_insns *x)
{
    free(x->insn);
    free(x->slot);
    *x = (struct ep_insns){.insn = NULL};
}
