/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of the machine: what a window or a terminal shows of it. A view is drawn while the machine stands (it does for
   a moment, many times a second), so it is quick, and it changes nothing that a guest or another observer can see. */
#ifndef ZRI_EMU_PANEL_VIEW_VIEW_H
#define ZRI_EMU_PANEL_VIEW_VIEW_H

#include "emu/machine/session.h"
#include "emu/panel/canvas/canvas.h"

/* The views in their order, and what of view->memory is theirs. */
enum view_number {
    VIEW_FRONT,
    VIEW_CODE,
    VIEW_STORAGE,
    VIEW_TRANSLATION,
    VIEW_INSTRUMENTATION,
    VIEW_TRACE,
    VIEW_GRAPH,
    VIEW_PIPELINE,
    VIEW_CHANNELS,
    VIEW_MACHINE,
    VIEW_COUNT
};

/* Where an instruction comes from. */
struct view_source {
    char place[96]; /* "FILE:LINE", or "" */
    char text[160]; /* of that line, or "" */
    bool newer;     /* the text is newer than the program: it may be another one */
};

/* What the console knows besides the machine. */
struct view_teller {
    void *context;
    bool (*breakpoint)(void *context, uint64_t address); /* one stands there */
    void (*source)(void *context, uint64_t address, struct view_source *source);
    bool (*keeps_events)(void *context);                                  /* the latest events are kept */
    bool (*event)(void *context, unsigned back, char *text, size_t size); /* that with `back` later ones; false: none */
};

/* What is being looked at. It belongs to the panel and survives the machine. */
struct view {
    struct session *session;
    const struct view_teller *teller;             /* NULL: nobody tells */
    struct cpu *cpu;                              /* the chosen one */
    uint64_t code_at, storage_at, translation_at; /* addresses that were chosen */
    bool follow;                                  /* code: the PSW */
    bool moving;                                  /* the machine runs; nothing is marked as changed */
    uint64_t pictures;                            /* drawn so far: what fades counts by them */
    float pointer_x, pointer_y;                   /* where the pointer is, cells of the view; negative: elsewhere */
    void *memory[VIEW_COUNT]; /* of each view by enum view_number, made by itself at need (view_end() gives it back) */
};

struct view_kind {
    const char *name, *title; /* "front", "Front" */
    const char *help;
    void (*draw)(struct view *view, struct canvas *canvas); /* into canvas->width x canvas->height */
    void (*end)(struct view *view, void *memory);           /* NULL: nothing to give back */
    /* "/NAME WORDS" of a click, on this view or another one; false: it does not know them. NULL: it has no commands.
       All views with something to scroll know `up`, `down`, `pageup`, `pagedown`, `home` (keys and wheel). */
    bool (*command)(struct view *view, const char *words);
};

/* The n-th view, enum view_number; NULL: it is not there. view.c has their table: a new view is a file NAME.c with
   `const struct view_kind view_NAME`, a row there and a line in kinds.h. */
const struct view_kind *view_kind(unsigned n);
/* The number of the view with this name; -1: there is none. */
int view_find(const char *name);
/* Draw view n, while the machine stands. Nothing without a chosen CPU. */
void view_draw(struct view *view, unsigned n, struct canvas *canvas);
/* Carry out "NAME WORDS", a command of the view of that name. False: it is none. */
bool view_command(struct view *view, const char *command);
/* All views give back what they have kept. */
void view_end(struct view *view);

#endif
