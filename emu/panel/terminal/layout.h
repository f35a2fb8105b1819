/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How panes share a screen: each split has two sides, which are panes or split again. */
#ifndef ZRI_EMU_PANEL_TERMINAL_LAYOUT_H
#define ZRI_EMU_PANEL_TERMINAL_LAYOUT_H

#include <stdbool.h>

#define LAYOUT_PANES 8
#define LAYOUT_NODES (2 * LAYOUT_PANES - 1)

struct layout_box {
    int x, y, width, height; /* cells */
};

struct layout_node {
    bool used, split;
    bool across;    /* the sides lie beside each other, with a column between them; else one above the other */
    unsigned share; /* of the first side, in thousandths */
    int side[2];    /* nodes */
    int parent;     /* -1: none */
    int pane;       /* when it is not split */
};

struct layout {
    struct layout_node node[LAYOUT_NODES];
    int root;
};

/* One pane, number 0, has it all. */
void layout_begin(struct layout *layout);
/* Divide a pane; the new one, with this number (0 to LAYOUT_PANES - 1, not there yet), comes behind or below it and has
   1000 - share thousandths. False: there is no such pane. */
bool layout_split(struct layout *layout, int pane, bool across, unsigned share, int new);
/* Take a pane away; its neighbour has its place. False: it is the last one. */
bool layout_close(struct layout *layout, int pane);
/* Move the pane's edge by a twentieth of what it divides: right or down (`on`), or left or up. False: it has none, or
   it goes no further. */
bool layout_resize(struct layout *layout, int pane, bool across, bool on);
/* Where the panes are in a box. False: one would be less than 16 columns or 3 rows; nothing is said then. Those that
   are not there have width 0. */
bool layout_place(const struct layout *layout, struct layout_box all, struct layout_box boxes[LAYOUT_PANES]);
/* The next pane behind this one (or in front of it), round about. */
int layout_next(const struct layout *layout, int pane, bool back);
bool layout_has(const struct layout *layout, int pane);
/* A number that no pane has; -1: all are there. */
int layout_free(const struct layout *layout);

#endif
