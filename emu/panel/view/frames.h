/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A map of main storage: what each part of it is used for, found out from what the machine keeps anyway (storage keys,
   decoded code, translations in use, tables that control registers designate), a bounded piece with each picture. */
#ifndef ZRI_EMU_PANEL_VIEW_FRAMES_H
#define ZRI_EMU_PANEL_VIEW_FRAMES_H

#include "emu/state/machine.h"

enum { FRAMES_CELLS = 4096, FRAMES_MARKED = 8192, FRAMES_DEPTH = 5, FRAMES_ROOTS = 192 };

/* A cell of the map: so many 4K-byte frames of it are or have this. */
struct frames_cell {
    uint32_t read, written, code; /* reference bit, change bit, decoded code */
    uint64_t signature;           /* of all that was seen of it: another one means that something went on there */
    uint64_t hot;                 /* the picture in which that was; 0: it never was */
    bool seen;
};

enum frames_mark { FRAMES_TABLE = 1, FRAMES_BUFFER = 2 };

/* Frames that are translation tables or program buffers of run-time instrumentation. */
struct frames_marked {
    uint32_t count;
    uint32_t frame[FRAMES_MARKED];
    uint8_t mark[FRAMES_MARKED];
};

/* A table that is being walked. */
struct frames_table {
    uint64_t at, end; /* next entry and behind the last, real addresses */
    int level;
};

struct frames {
    uint32_t per, cells; /* frames of a cell, a power of two; cells in use */
    struct frames_cell cell[FRAMES_CELLS];
    struct frames_cell sum;            /* of the cell that is being looked at */
    uint32_t cell_now, offset;         /* which, and how many frames of it were */
    struct frames_marked marked, next; /* found in the last round, and in this one so far */
    /* The round: CPU, its control register, the tables on the way down, pages of its program buffer. */
    unsigned cpu, root, depth;
    struct frames_table table[FRAMES_DEPTH];
    uint64_t roots[FRAMES_ROOTS];
    unsigned root_count;
    uint64_t page;
    uint64_t walked; /* entries in this round */
};

/* Map `frames_of` frames by at most `cells` cells; anew when that is another map than before. */
void frames_shape(struct frames *f, uint64_t frames_of, uint32_t cells);
/* Go on with looking: `picture` counts up. */
void frames_look(struct frames *f, struct machine *machine, uint64_t picture);

#endif
