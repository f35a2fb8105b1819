/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A drawing in cells of characters, as terminals and texts have them. */
#ifndef ZRI_EMU_PANEL_CANVAS_CELLS_H
#define ZRI_EMU_PANEL_CANVAS_CELLS_H

#include "emu/panel/canvas/canvas.h"
#include <stdio.h>

/* What stands in a cell: a character, or a line through it, or how strong it is filled; 0: nothing. */
struct cell {
    uint32_t character; /* Unicode */
    uint8_t role;       /* of it, enum canvas_role */
    uint8_t lines;      /* to which sides lines go, CELL_NORTH and so on, where there is no character */
    uint8_t fill;       /* strength 0-255, of the role */
    uint8_t fill_role;
};
enum cell_side { CELL_NORTH = 1, CELL_EAST = 2, CELL_SOUTH = 4, CELL_WEST = 8 };

#define CELLS_MOST 1000u /* columns and rows */

struct cells {
    unsigned columns, rows;
    struct cell *cell; /* row by row */
    size_t room;
};

/* Draw the canvas into its size, rounded up. 0, or -ENOMEM: nothing is there to be seen then. */
int cells_draw(struct cells *cells, const struct canvas *canvas);
void cells_free(struct cells *cells);

/* The character that shows a cell; `unicode`: it may be one beyond ASCII. A blank where there is nothing. */
uint32_t cell_shown(const struct cell *cell, bool unicode);

/* The character that begins at *text (UTF-8; a byte that is none stands for itself as '?'); *text is behind it then. */
uint32_t cells_character(const char **text);
/* Write a character as UTF-8 with a zero behind it. */
void cells_utf8(uint32_t character, char bytes[5]);
/* Write all cells as lines of text, without blanks at their ends. */
void cells_print(const struct cells *cells, bool unicode, FILE *out);

#endif
