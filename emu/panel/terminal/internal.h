/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the terminal share. */
#ifndef ZRI_EMU_PANEL_TERMINAL_INTERNAL_H
#define ZRI_EMU_PANEL_TERMINAL_INTERNAL_H

#include "emu/panel/terminal/edit.h"
#include "emu/panel/terminal/keys.h"
#include "emu/panel/terminal/layout.h"
#include "emu/panel/terminal/screen.h"
#include "emu/panel/terminal/scroll.h"
#include "emu/panel/terminal/terminal.h"
#include "emu/panel/view/view.h"

#define PROMPT          "zri> "
#define TERMINAL_ITEM   200u /* bytes of a command by which an item is known again */
#define TERMINAL_NOTICE 200u

/* What a pane shows: a view by its number, or one of these. */
enum { PANE_CONSOLE = -1, PANE_GUEST = -2 };

struct pane {
    int shows;
    struct layout_box box; /* title and all; width 0: it is not seen */
    struct canvas canvas;
    struct cells cells;
    char chosen[TERMINAL_ITEM]; /* the command of the item that keys speak about; "": none */
    unsigned back;              /* text: rows back from the end */
};

struct terminal {
    struct session *session;
    struct terminal_host host;
    struct screen *screen;
    struct view view;
    unsigned machines; /* of the session, when views looked last */
    struct layout layout;
    struct pane pane[LAYOUT_PANES];
    int focus, last_view; /* panes */
    bool zoomed, helps, prefix, leaving, again, gone;
    struct scroll console, guest;
    struct edit line, typed, field; /* of the console; for a guest that takes lines; a value in its place */
    bool edits;                     /* `field` is being typed, for the chosen item of the pane `focus` */
    char before[EDIT_LINE + 1];     /* the command that an empty line gives again; "": none */
    char notice[TERMINAL_NOTICE];
    char last_words[4096]; /* of standard error and the like, for the end */
    size_t last_length;
    int ticks; /* descriptor of a timer */
    bool keys_wait, stops, news;
    uint64_t next_ns;
    bool anew;
};

/* ---- panes.c: which there are ---- */
void terminal_arrange(struct terminal *t);
/* Another pane has the keys. */
void terminal_focus(struct terminal *t, int pane);
/* Where panes are on the screen as it is now. */
void terminal_place(struct terminal *t);
/* Some pane has what the guest writes; else it comes to the console's. */
bool terminal_shows_guest(const struct terminal *t);
/* The pane at a place; -1: none. */
int terminal_pane_at(const struct terminal *t, int x, int y);
/* Divide the pane that has the keys, take it away, let it show the next or the one before. */
void terminal_split(struct terminal *t, bool across);
void terminal_close_pane(struct terminal *t);
void terminal_turn_view(struct terminal *t, bool back);
/* The keys go to the pane with this; when there is none, the one that has them shows it. */
void terminal_go_to(struct terminal *t, int shows);
const char *terminal_title(const struct pane *pane);
/* A sentence in the last row, until the next key. */
void terminal_notice(struct terminal *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- draw.c ---- */
void terminal_draw(struct terminal *t);
/* The item of the pane with this command; NULL: there is none. */
const struct canvas_item *terminal_item(const struct pane *pane, const char *command);
/* The inside of a pane. */
struct layout_box terminal_inside(const struct pane *pane);

/* ---- keys.c ---- */
void terminal_key(struct terminal *t, uint32_t key);
/* A line of the console, or what an item commands; "/..." is the panel's own. */
void terminal_command(struct terminal *t, int pane, const char *line);

#endif
