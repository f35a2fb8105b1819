/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panes of a screen. */
#include "emu/panel/terminal/layout.h"
#include <string.h>

#define LEAST_WIDTH  16
#define LEAST_HEIGHT 3
#define STEP         50 /* thousandths */

void layout_begin(struct layout *l)
{
    memset(l, 0, sizeof *l);
    l->node[0] = (struct layout_node){.used = true, .parent = -1};
}

/* The node of a pane; -1: there is none. */
static int node_of(const struct layout *l, int pane)
{
    for (int i = 0; i < LAYOUT_NODES; i++)
        if (l->node[i].used && !l->node[i].split && l->node[i].pane == pane)
            return i;
    return -1;
}

static int new_node(struct layout *l, int parent, int pane)
{
    for (int i = 0; i < LAYOUT_NODES; i++)
        if (!l->node[i].used) {
            l->node[i] = (struct layout_node){.used = true, .parent = parent, .pane = pane};
            return i;
        }
    return -1;
}

bool layout_split(struct layout *l, int pane, bool across, unsigned share, int new)
{
    const int n = node_of(l, pane);
    if (n < 0 || new < 0 || new >= LAYOUT_PANES || node_of(l, new) >= 0)
        return false;
    struct layout_node *node = &l->node[n]; /* so many panes have room for their nodes */
    const int first = new_node(l, n, pane), second = new_node(l, n, new);
    node->split = true;
    node->across = across;
    node->share = share < STEP ? STEP : share > 1000 - STEP ? 1000 - STEP : share;
    node->side[0] = first;
    node->side[1] = second;
    return true;
}

bool layout_close(struct layout *l, int pane)
{
    const int n = node_of(l, pane), up = n < 0 ? -1 : l->node[n].parent;
    if (up < 0)
        return false;
    struct layout_node *above = &l->node[up];
    const int other = above->side[above->side[0] == n];
    const struct layout_node stays = l->node[other];
    const int parent = above->parent;
    l->node[n].used = l->node[other].used = false;
    *above = stays;
    above->parent = parent;
    for (int i = 0; stays.split && i < 2; i++)
        l->node[stays.side[i]].parent = up;
    return true;
}

bool layout_resize(struct layout *l, int pane, bool across, bool on)
{
    int n = node_of(l, pane);
    if (n >= 0)
        n = l->node[n].parent;
    while (n >= 0 && l->node[n].across != across)
        n = l->node[n].parent;
    if (n < 0)
        return false;
    struct layout_node *node = &l->node[n];
    if (on ? node->share + STEP > 1000 - STEP : node->share < 2 * STEP)
        return false;
    node->share += on ? STEP : (unsigned)-STEP;
    return true;
}

static bool place(const struct layout *l, int n, struct layout_box box, struct layout_box boxes[LAYOUT_PANES])
{
    const struct layout_node *node = &l->node[n];
    struct layout_box a = box, b = box;
    if (!node->split) {
        boxes[node->pane] = box;
        return box.width >= LEAST_WIDTH && box.height >= LEAST_HEIGHT;
    }
    if (node->across) {
        a.width = (box.width - 1) * (int)node->share / 1000;
        b.x += a.width + 1;
        b.width -= a.width + 1;
    } else {
        a.height = box.height * (int)node->share / 1000;
        b.y += a.height;
        b.height -= a.height;
    }
    return place(l, node->side[0], a, boxes) && place(l, node->side[1], b, boxes);
}

bool layout_place(const struct layout *l, struct layout_box all, struct layout_box boxes[LAYOUT_PANES])
{
    memset(boxes, 0, LAYOUT_PANES * sizeof *boxes);
    return place(l, l->root, all, boxes);
}

/* Panes in the order in which they lie. */
static int list(const struct layout *l, int n, int panes[LAYOUT_PANES], int count)
{
    const struct layout_node *node = &l->node[n];
    if (node->split)
        return list(l, node->side[1], panes, list(l, node->side[0], panes, count));
    panes[count] = node->pane;
    return count + 1;
}

int layout_next(const struct layout *l, int pane, bool back)
{
    int panes[LAYOUT_PANES] = {0};
    const int count = list(l, l->root, panes, 0);
    for (int i = 0; i < count; i++)
        if (panes[i] == pane)
            return panes[(i + (back ? count - 1 : 1)) % count];
    return panes[0];
}

bool layout_has(const struct layout *l, int pane) { return node_of(l, pane) >= 0; }

int layout_free(const struct layout *l)
{
    for (int i = 0; i < LAYOUT_PANES; i++)
        if (node_of(l, i) < 0)
            return i;
    return -1;
}
