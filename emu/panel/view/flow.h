/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control flow of one function as it was profiled, laid out in layers for a picture. */
#ifndef ZRI_EMU_PANEL_VIEW_FLOW_H
#define ZRI_EMU_PANEL_VIEW_FLOW_H

#include "cpu/state/cpu.h"

enum {
    FLOW_NODES = 64,
    FLOW_ARCS = 192,
    FLOW_LINES = 6,
    FLOW_TEXT = 40,
    FLOW_NAME = 80,
    FLOW_HOT = 12,
    FLOW_WIDTH = 36
};

struct flow_node {
    uint64_t start, last, count; /* addresses; executions of its first instruction */
    unsigned instructions, lines;
    char line[FLOW_LINES][FLOW_TEXT];
    unsigned layer, order;
    float x, y, width, height; /* cells, of the whole picture */
};

struct flow_arc {
    uint8_t from, to; /* nodes */
    uint8_t kind;     /* enum ep_arc_kind */
    bool back;        /* against the layers */
    uint64_t count;
};

struct flow {
    char name[FLOW_NAME];
    uint64_t start, end; /* of the function; the same: there is none at the address */
    unsigned nodes, arcs;
    uint64_t left; /* blocks that have no place */
    struct flow_node node[FLOW_NODES];
    struct flow_arc arc[FLOW_ARCS];
    float width, height; /* of the whole picture */
    struct flow_hot {
        char name[FLOW_NAME];
        uint64_t start, count;
    } hot[FLOW_HOT]; /* the functions with the most branches */
    unsigned hot_count;
    char why[200]; /* "": it is whole */
};

/* What is taken for a function where the profile knows none. */
struct flow_guess {
    uint64_t start, end;
    char name[FLOW_NAME];
};
/* The function at an address of the space that `cpu` fetches instructions from, as far as the machine's edge profile
   knows it. It takes as long as a report. */
void flow_make(struct flow *flow, struct cpu *cpu, uint64_t address, const struct flow_guess *guess);
/* Places for what is in nodes and arcs. */
void flow_layout(struct flow *flow);

#endif
