/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces that views are made of. */
#ifndef ZRI_EMU_PANEL_VIEW_PARTS_H
#define ZRI_EMU_PANEL_VIEW_PARTS_H

#include "emu/panel/view/view.h"

/* What a view keeps: zeros at first, and when the machine is another one than it was. NULL: no host memory. */
void *view_memory(struct view *view, enum view_number number, size_t size);
/* struct view_kind.end of views whose memory is that one alone. */
void view_memory_end(struct view *view, void *memory);

/* Text that ends within `width` cells, and is left away when it would stand outside the canvas. */
void view_text(struct canvas *canvas, float x, float y, float width, enum canvas_role role, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* canvas_area() of one row and canvas_field(), left away when they would stand outside; `command` as there. */
void view_area(struct canvas *canvas, float x, float y, float width, const char *tip, const char *command, ...)
    __attribute__((format(printf, 6, 7)));
void view_field(struct canvas *canvas, float x, float y, enum canvas_role role, const char *value, const char *command,
                ...) __attribute__((format(printf, 6, 7)));
void view_fill(struct canvas *canvas, float x, float y, float width, enum canvas_role role, unsigned strength);
/* A level or upright line, as far as it is within the canvas. */
void view_line(struct canvas *canvas, float x, float y, float to_x, float to_y, enum canvas_role role, bool arrow);
/* The title of a view in its first row, and at the right end of it whose CPU this is. */
void view_title(const struct view *view, struct canvas *canvas, const char *title);
/* Whole rows of the canvas, and whether row y is one of them. */
unsigned view_rows(const struct canvas *canvas);
bool view_has_row(const struct canvas *canvas, float y);
/* In the last row: so many of something have no place. 0: nothing is said. */
void view_more(struct canvas *canvas, uint64_t count, const char *what);
/* A part is off: a sentence, and a key with the command that turns it on ("": none does). The row behind it. */
float view_missing(struct canvas *canvas, float y, const char *sentence, const char *command);
/* A key as wide as its label; where the next one goes. */
float view_key(struct canvas *canvas, float x, float y, const char *label, const char *command);

/* Hexadecimal digits, or the name of a symbol with or without @. False: neither. */
bool view_address(const struct view *view, const char *words, uint64_t *address);
/* `up`, `pagedown` and so on as rows to go; `home` INT64_MIN. False: none of them. */
bool view_scroll(const char *words, unsigned page, int64_t *rows);

#endif
