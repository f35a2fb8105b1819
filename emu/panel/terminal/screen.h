/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The screen of a terminal. What the program writes to standard output and standard error while it is open does not
   come to the terminal, where it would be in the way, but is handed over by screen_said(). */
#ifndef ZRI_EMU_PANEL_TERMINAL_SCREEN_H
#define ZRI_EMU_PANEL_TERMINAL_SCREEN_H

#include "base/bits.h"
#include "emu/panel/canvas/cells.h"

struct screen;

enum screen_look { SCREEN_REVERSE = 1, SCREEN_UNDERLINE = 2, SCREEN_BOLD = 4 };

/* Take the terminal. 0, or a negative errno with a sentence: it is no terminal, or one that cannot be drawn on, or the
   program was built without ncurses. End it with screen_close(), which gives the terminal back as it was; so does an
   end of the program by a signal. */
int screen_open(struct screen **screen, char *error, size_t size) MUST_USE;
void screen_close(struct screen *screen);

void screen_size(const struct screen *screen, unsigned *columns, unsigned *rows);
/* The terminal has another size than that, which the next key will tell. */
bool screen_resized(const struct screen *screen);

/* A descriptor that can be read when the user wants the program stopped (Ctrl-Z); -1: it never is. */
int screen_stops(const struct screen *screen);
/* The terminal is given back, and the program stopped; it goes on here with the next drawing, which is to be anew. */
void screen_suspend(struct screen *screen);

/* The next key, KEYS_NONE: none waits. Sizes are new behind KEYS_RESIZE. */
uint32_t screen_key(struct screen *screen);
/* Where the mouse was at the latest KEYS_CLICK or wheel. */
void screen_mouse(const struct screen *screen, int *x, int *y);
/* All keys are handed over; else Ctrl-C, Ctrl-Z and Ctrl-\ are signals. */
void screen_raw(struct screen *screen, bool raw);

/* Draw: a cell, with enum screen_look; a text (UTF-8) up to column `end`, which yields the column behind it. */
void screen_cell(struct screen *screen, int x, int y, const struct cell *cell, unsigned look);
int screen_text(struct screen *screen, int x, int y, int end, const char *text, enum canvas_role role, unsigned look);
void screen_character(struct screen *screen, int x, int y, uint32_t character, enum canvas_role role, unsigned look);
void screen_clear(struct screen *screen);
/* What was drawn becomes visible; the cursor there, x < 0: none. `anew`: whatever the terminal has. */
void screen_show(struct screen *screen, int x, int y, bool anew);

/* What was written to standard output and standard error since: at most `size` bytes. */
size_t screen_said(struct screen *screen, char *bytes, size_t size);

#endif
