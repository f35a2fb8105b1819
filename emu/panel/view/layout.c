/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places for the blocks of a function: layers by the longest path from its first block, order in a layer by the
   barycentres of what leads there. */
#include "emu/panel/view/flow.h"

enum { SWEEPS = 4, BETWEEN = 3, ASIDE = 4 };

/* Arcs that lead back to a node that is still on the way down are not counted for layers. */
static void find_back(struct flow *f)
{
    enum { NEW, ON, DONE };
    uint8_t state[FLOW_NODES] = {NEW}, path[FLOW_NODES];
    unsigned next[FLOW_NODES] = {0};
    for (unsigned root = 0; root < f->nodes; root++) {
        unsigned depth = 0;
        if (state[root] != NEW)
            continue;
        path[depth++] = (uint8_t)root;
        state[root] = ON;
        while (depth) {
            const unsigned n = path[depth - 1];
            while (next[n] < f->arcs && f->arc[next[n]].from != n)
                next[n]++;
            if (next[n] == f->arcs) {
                state[n] = DONE;
                depth--;
                continue;
            }
            struct flow_arc *a = &f->arc[next[n]++];
            a->back = state[a->to] == ON;
            if (state[a->to] == NEW) {
                state[a->to] = ON;
                path[depth++] = a->to;
            }
        }
    }
}

static void find_layers(struct flow *f)
{
    bool more = true;
    for (unsigned round = 0; more && round < f->nodes; round++) {
        more = false;
        for (unsigned i = 0; i < f->arcs; i++) {
            const struct flow_arc *a = &f->arc[i];
            if (a->back || f->node[a->to].layer > f->node[a->from].layer)
                continue;
            f->node[a->to].layer = f->node[a->from].layer + 1;
            more = true;
        }
    }
}

/* The mean order of what leads to a node, or of what it leads to; its own where nothing does. */
static float barycentre(const struct flow *f, unsigned n, bool down)
{
    float sum = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < f->arcs; i++) {
        const struct flow_arc *a = &f->arc[i];
        const unsigned here = down ? a->to : a->from, there = down ? a->from : a->to;
        if (a->back || here != n)
            continue;
        sum += (float)f->node[there].order;
        count++;
    }
    return count ? sum / (float)count : (float)f->node[n].order;
}

/* Sort a layer, whose nodes are `n` of them by their order, by their barycentres. */
static void sort_layer(struct flow *f, uint8_t *member, unsigned n, bool down)
{
    float key[FLOW_NODES];
    for (unsigned i = 0; i < n; i++)
        key[i] = barycentre(f, member[i], down);
    for (unsigned i = 1; i < n; i++)
        for (unsigned k = i; k && key[k - 1] > key[k]; k--) {
            const float key_then = key[k];
            const uint8_t member_then = member[k];
            key[k] = key[k - 1];
            member[k] = member[k - 1];
            key[k - 1] = key_then;
            member[k - 1] = member_then;
        }
    for (unsigned i = 0; i < n; i++)
        f->node[member[i]].order = i;
}

static unsigned members(const struct flow *f, unsigned layer, uint8_t member[FLOW_NODES])
{
    unsigned count = 0;
    for (unsigned order = 0; order < f->nodes; order++)
        for (unsigned n = 0; n < f->nodes; n++)
            if (f->node[n].layer == layer && f->node[n].order == order)
                member[count++] = (uint8_t)n;
    return count;
}

/* In columns, so that lines find their way between these. */
static void place(struct flow *f, unsigned layers)
{
    uint8_t member[FLOW_NODES];
    float y = 0;
    f->width = 0;
    for (unsigned layer = 0; layer < layers; layer++) {
        const unsigned count = members(f, layer, member);
        float height = 0;
        for (unsigned i = 0; i < count; i++) {
            struct flow_node *n = &f->node[member[i]];
            n->x = (float)i * (FLOW_WIDTH + ASIDE);
            n->y = y;
            n->width = FLOW_WIDTH;
            n->height = (float)n->lines + 2;
            height = n->height > height ? n->height : height;
            f->width = n->x + FLOW_WIDTH + ASIDE > f->width ? n->x + FLOW_WIDTH + ASIDE : f->width;
        }
        y += height + BETWEEN;
    }
    f->height = y;
}

void flow_layout(struct flow *f)
{
    uint8_t member[FLOW_NODES];
    unsigned layers = 0, used[FLOW_NODES] = {0};
    find_back(f);
    find_layers(f);
    for (unsigned n = 0; n < f->nodes; n++) {
        f->node[n].order = used[f->node[n].layer % FLOW_NODES]++;
        layers = f->node[n].layer >= layers ? f->node[n].layer + 1 : layers;
    }
    for (unsigned sweep = 0; sweep < SWEEPS; sweep++)
        for (unsigned i = 0; i < layers; i++) {
            const unsigned layer = sweep % 2 ? layers - 1 - i : i;
            sort_layer(f, member, members(f, layer, member), !(sweep % 2));
        }
    place(f, layers);
}
