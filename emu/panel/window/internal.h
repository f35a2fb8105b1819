/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the panel share. */
#ifndef ZRI_EMU_PANEL_WINDOW_INTERNAL_H
#define ZRI_EMU_PANEL_WINDOW_INTERNAL_H

#include "emu/panel/window/panel.h"
#include "emu/panel/window/sdl.h"
#include <pthread.h>
#include <stdatomic.h>

#define PANEL_LINE    1000u /* characters of a command */
#define PANEL_OUT     400u  /* lines that are kept of what was shown */
#define PANEL_WIDTH   240u  /* bytes of each */
#define PANEL_HISTORY 100u
#define PANEL_QUEUE   64u /* commands that wait */
#define PANEL_MENU    16u
#define PANEL_FONT    14u /* pixels of a character, at 100 per cent */

/* What the keyboard does besides typing. */
enum panel_key_code {
#define KEY(id, name) KEY_##id,
#include "emu/panel/window/keys.def"
    KEY_NONE
};

/* A text that is typed, and where its cursor is. */
struct panel_input {
    char text[PANEL_LINE + 1];
    size_t length, cursor;
};

/* What is on the screen besides the views. With the lock held. */
struct panel_ui {
    unsigned view, theme, scale, width, height; /* per cent, pixels */
    float cell_width, cell_height;              /* pixels */
    bool by_step;                               /* rate control: the start key carries out one instruction */
    struct panel_input input;
    char history[PANEL_HISTORY][PANEL_LINE + 1];
    unsigned history_count, history_at; /* ever kept; where arrow keys are: so many back, 0: the new line */
    char out[PANEL_OUT][PANEL_WIDTH];
    unsigned out_count, out_back; /* ever shown; scrolled back by so many lines */
    bool out_open;                /* the last line is not complete */
    float scroll;                 /* of the view, lines */
    int focus;                    /* of what can be pressed, by number; -1: the line for commands */
    bool edits;                   /* a field is being changed: */
    struct panel_input field;
    char field_command[PANEL_LINE + 1];
    struct canvas_box field_box;
    bool menu; /* choices are offered: */
    unsigned choices;
    char choice[PANEL_MENU][PANEL_WIDTH];
    char title[64]; /* of them */
    float pointer_x, pointer_y;
    char tip[PANEL_WIDTH]; /* about what is under the pointer */
    bool runs;             /* the machine does, as far as was seen last */
    unsigned cpu, cpus;    /* the chosen one, and how many there are */
};

struct panel {
    struct session *session;
    struct panel_host host;
    struct view view;
    struct cpu *console_cpu; /* that the console spoke about last */
    unsigned machines;       /* of the session, when the CPU was chosen */
    unsigned pictures;       /* files that the key for pictures has made */
    bool nested;             /* the view is being drawn */
    struct canvas drawing, whole;

    pthread_mutex_t lock; /* of what follows */
    struct panel_ui ui;
    struct canvas shown; /* the view as it was drawn last */
    float content;       /* how high that is, cells */
    uint64_t drawing_ns; /* time of the machine's thread that all pictures took */
    uint64_t picture;    /* how often it was drawn */
    uint64_t changes;    /* of everything else */
    char *queue[PANEL_QUEUE];
    unsigned queue_first, queue_length;

    int bell;                     /* wakes the machine's thread */
    _Atomic unsigned waiting;     /* commands */
    _Atomic bool stale;           /* the machine may have gone on since the view was drawn */
    _Atomic bool visible;         /* somebody can see the window */
    _Atomic uint64_t drawn_ns;    /* host time of the latest drawing */
    _Atomic uint64_t interval_ns; /* to the next one at least: a costly view is drawn less often */
    uint64_t given_next_ns;       /* the machine's thread has had so much time before a running guest is drawn again */
    bool served;                  /* it was drawn just now, and nothing has happened since */

    _Atomic bool open, leave, lost; /* there is a window; it is to go; its display has gone without a word */
    _Atomic bool resize, full;      /* it is to get the size of `ui`; it is to fill the screen, or no more */
    bool started;                   /* there is a thread to be joined */
    pthread_t thread;
#ifdef HAVE_SDL2
    struct sdl sdl;
    pthread_mutex_t paint_lock; /* fonts have one owner at a time */
    int result;                 /* of opening the window; with `lock` */
    bool opened;
    pthread_cond_t opening;
    char why[400];
#endif
};

/* ---- what is on the screen (ui.c, chrome.c); the caller holds the lock --------------------------------------------
 */

void panel_ui_begin(struct panel_ui *ui);
/* Columns and rows, and the part of them that is the view's. */
struct canvas_box panel_view_box(const struct panel_ui *ui);
float panel_columns(const struct panel_ui *ui);
/* Everything as one drawing. */
void panel_compose(struct panel *panel, struct canvas *whole);
/* Item n of what can be pressed; NULL: there is none. */
const struct canvas_item *panel_focused(const struct canvas *whole, int n);
/* Pixels of a character that fit the size: smaller where the window is. */
unsigned panel_font_pixels(const struct panel_ui *ui);

/* Something is shown below: text with line ends. */
void panel_show(struct panel_ui *ui, const char *text, size_t length);
/* A command: of the panel itself when it begins with '/', and is not the machine's; others wait for the machine. */
void panel_command(struct panel *panel, const char *command);
bool panel_click_at(struct panel *panel, float x, float y);
void panel_point(struct panel *panel, float x, float y);
void panel_wheel(struct panel *panel, int lines);
bool panel_press_key(struct panel *panel, enum panel_key_code key);
void panel_type_text(struct panel *panel, const char *text);
/* The word in front of the cursor becomes the first `length` bytes of `text`, unless that is shorter; `whole`: that is
   all of it, and a blank comes behind. */
void panel_complete(struct panel_input *input, const char *text, size_t length, bool whole);

/* ---- the machine's side (panel.c) ---------------------------------------------------------------------------------
 */

/* Draw view n into panel->drawing. */
void panel_draw(struct panel *panel, unsigned n);
/* Wake the machine's thread. */
void panel_ring(struct panel *panel);

/* ---- the window (window.c) and pictures (shot.c) ------------------------------------------------------------------
 */

#ifdef HAVE_SDL2
void *panel_window(void *panel);
#endif

#endif
