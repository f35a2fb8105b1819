/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups are found by Tarjan's algorithm, without recursion: it yields each group behind all those that it calls, so
   costs are shared out in the opposite order of the numbers. */
#include "ri/profile/show/inclusive.h"
#include <errno.h>
#include <stdlib.h>

void ep_costs_add(struct ep_costs *sum, const struct ep_costs *more)
{
    sum->branches = ep_saturated_sum(sum->branches, more->branches);
    sum->taken = ep_saturated_sum(sum->taken, more->taken);
    sum->runs = ep_saturated_sum(sum->runs, more->runs);
}

static uint64_t part(uint64_t value, uint64_t units, uint64_t of_units)
{
    if (!of_units)
        return 0;
    const unsigned __int128 product = (unsigned __int128)value * units;
    const unsigned __int128 share = product / of_units + (product % of_units >= of_units - of_units / 2);
    return share > UINT64_MAX ? UINT64_MAX : (uint64_t)share;
}

struct ep_costs ep_costs_part(const struct ep_costs *cost, uint64_t units, uint64_t of_units)
{
    return (struct ep_costs){part(cost->branches, units, of_units), part(cost->taken, units, of_units),
                             part(cost->runs, units, of_units)};
}

struct arc {
    uint32_t from, to;
    uint64_t units;
};
struct graph {
    struct arc *arc; /* in the order of `from` */
    uint32_t arcs, nodes, *first, *number, *low, *stack, *path, *next, depth, height, found, groups, *group;
    bool *stacked;
};

static int arc_compare(const void *left, const void *right)
{
    const struct arc *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

static void enter(struct graph *g, uint32_t node)
{
    g->number[node] = g->low[node] = ++g->found;
    g->stack[g->height++] = node;
    g->stacked[node] = true;
    g->next[node] = g->first[node];
    g->path[g->depth++] = node;
}

/* All that is called from a node is done: its group, when it is the first node of one. */
static void leave(struct graph *g, uint32_t node)
{
    uint32_t member;
    g->depth--;
    if (g->depth && g->low[node] < g->low[g->path[g->depth - 1]])
        g->low[g->path[g->depth - 1]] = g->low[node];
    if (g->low[node] != g->number[node])
        return;
    do {
        member = g->stack[--g->height];
        g->stacked[member] = false;
        g->group[member] = g->groups;
    } while (member != node);
    g->groups++;
}

static void find_groups(struct graph *g)
{
    for (uint32_t root = 0; root < g->nodes; root++) {
        if (g->number[root])
            continue;
        for (enter(g, root); g->depth;) {
            const uint32_t node = g->path[g->depth - 1];
            if (g->next[node] == g->first[node + 1]) {
                leave(g, node);
                continue;
            }
            const uint32_t to = g->arc[g->next[node]++].to;
            if (!g->number[to])
                enter(g, to);
            else if (g->stacked[to] && g->number[to] < g->low[node])
                g->low[node] = g->number[to];
        }
    }
}

static int make_graph(struct graph *g, const struct ep_view *view)
{
    const size_t nodes = view->functions + 1u;
    g->nodes = (uint32_t)nodes;
    g->arc = calloc(view->branches + 1u, sizeof *g->arc);
    uint32_t *all = calloc(6 * nodes + 1, sizeof *all);
    g->first = all; /* the start of the block */
    g->stacked = calloc(nodes, sizeof *g->stacked);
    if (!g->arc || !all || !g->stacked)
        return -ENOMEM;
    g->number = all + nodes + 1;
    g->low = g->number + nodes;
    g->stack = g->low + nodes;
    g->path = g->stack + nodes;
    g->next = g->path + nodes;
    for (uint32_t i = 0; i < view->branches; i++) {
        const struct ep_view_branch *b = &view->branch[i];
        if (b->call)
            g->arc[g->arcs++] = (struct arc){b->from_function, b->to_function, b->row->units};
    }
    if (g->arcs)
        qsort(g->arc, g->arcs, sizeof *g->arc, arc_compare);
    for (uint32_t i = 0, node = 0; node <= g->nodes; node++) {
        while (i < g->arcs && g->arc[i].from < node)
            i++;
        g->first[node] = i;
    }
    return 0;
}

/* Groups that are called have lower numbers: from the lowest on, all that a group costs is known when it is shared. */
static int share_out(const struct graph *g, const struct ep_costs *self, struct ep_costs *inclusive, uint64_t *calls)
{
    struct arc *across = calloc(g->arcs + 1u, sizeof *across);
    uint32_t count = 0;
    if (!across)
        return -ENOMEM;
    for (uint32_t node = 0; node < g->nodes; node++)
        ep_costs_add(&inclusive[g->group[node]], &self[node]);
    for (uint32_t i = 0; i < g->arcs; i++) {
        const uint32_t from = g->group[g->arc[i].from], to = g->group[g->arc[i].to];
        if (from == to)
            continue;
        across[count++] = (struct arc){from, to, g->arc[i].units};
        calls[to] = ep_saturated_sum(calls[to], g->arc[i].units);
    }
    if (count)
        qsort(across, count, sizeof *across, arc_compare);
    for (uint32_t i = 0; i < count; i++) {
        const struct ep_costs cost = ep_costs_part(&inclusive[across[i].to], across[i].units, calls[across[i].to]);
        ep_costs_add(&inclusive[across[i].from], &cost);
    }
    free(across);
    return 0;
}

int ep_inclusive(const struct ep_view *view, const struct ep_costs *self, struct ep_costs *inclusive, uint64_t *calls,
                 uint32_t *group)
{
    struct graph g = {.group = group};
    int bad = make_graph(&g, view);
    if (!bad) {
        find_groups(&g);
        bad = share_out(&g, self, inclusive, calls);
    }
    free(g.arc);
    free(g.first);
    free(g.stacked);
    return bad;
}
