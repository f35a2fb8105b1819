/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel: a window with views of the machine, keys of the operator and a line for commands. It can be drawn, pressed
   and pictured without a window as well. All functions belong to the machine's thread; the window has one of its own.
 */
#ifndef ZRI_EMU_PANEL_WINDOW_PANEL_H
#define ZRI_EMU_PANEL_WINDOW_PANEL_H

#include "emu/panel/view/view.h"

struct panel;

/* What the panel asks of those above it. */
struct panel_host {
    void *context;
    /* Carry out a command of the console that speaks about *cpu, which it may choose anew. What it has shown, of
       malloc(); NULL: nothing can be told. */
    char *(*command)(void *context, struct cpu **cpu, const char *line);
    /* The machine runs, and was left for a moment. */
    bool (*runs)(void *context);
    /* The run is to end; CPUs stay as they are. */
    void (*stop)(void *context);
    /* The CPU that the console speaks about. */
    struct cpu *(*cpu)(void *context);
    /* What the word that ends at byte `at` of a line may become, a line each. */
    void (*complete)(void *context, const char *line, size_t at, char *words, size_t size);
    struct view_teller teller;
};

/* A panel without a window. NULL: no host memory. */
struct panel *panel_create(struct session *session, const struct panel_host *host) MUST_USE;
void panel_destroy(struct panel *panel);

/* The window. 0, or a negative errno with a sentence; nothing happens when it is open. The user may close it, too. */
int panel_open(struct panel *panel, char *error, size_t size) MUST_USE;
void panel_close(struct panel *panel);
bool panel_is_open(const struct panel *panel);

/* Carry out what was pressed and typed, and draw anew. */
void panel_serve(struct panel *panel);

/* Settings. False: there is no such thing. */
bool panel_view(struct panel *panel, const char *name);
bool panel_theme(struct panel *panel, const char *name);
/* Pixels: 320 to 8192; per cent: 50 to 400. */
bool panel_size(struct panel *panel, uint64_t width, uint64_t height);
bool panel_scale(struct panel *panel, uint64_t per_cent);

/* How the panel is. */
struct panel_status {
    bool open;
    const char *view, *theme;
    unsigned width, height, scale; /* pixels, per cent */
    uint64_t pictures;             /* drawn of views */
    uint64_t drawing_ns;           /* of the machine's time, for all of them */
    const char *focus; /* text of what the keyboard would press, "": the line for commands; until the next call */
};
struct panel_status panel_status(struct panel *panel);

/* What is to be seen as lines of text, lamps as (*) and ( ). */
int panel_text(struct panel *panel, void (*line)(void *context, const char *text), void *context) MUST_USE;
/* The same as a picture, of the view n (negative: the chosen one). 0 or a negative errno with a sentence. */
int panel_shot(struct panel *panel, const char *file, int n, char *error, size_t size) MUST_USE;
/* As the mouse does at a place in cells; on the item with this text; as the keyboard does, by the name of a key ("Tab",
   "Ctrl+2", "F3") or with text. False: there is nothing such. */
bool panel_click(struct panel *panel, float x, float y);
bool panel_press(struct panel *panel, const char *label);
bool panel_key(struct panel *panel, const char *name);
void panel_type(struct panel *panel, const char *text);

#endif
