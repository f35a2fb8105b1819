/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The panel in a terminal: panes with views of the machine, the console, and what the guest writes. */
#ifndef ZRI_EMU_PANEL_TERMINAL_TERMINAL_H
#define ZRI_EMU_PANEL_TERMINAL_TERMINAL_H

#include "emu/panel/view/view.h"

struct terminal;

/* What it asks of those above. */
struct terminal_host {
    void *context;
    struct cpu *(*cpu)(void *context); /* the chosen one */
    bool (*runs)(void *context);       /* the machine runs, and stands for a moment only */
    bool (*serves)(void *context);     /* it may be asked to stand */
    void (*stop)(void *context);       /* the run is to end */
    void (*quit)(void *context);       /* and the program */
    /* Carry out a line; what it shows comes by terminal_print(). `again`: an empty line may give it once more. */
    void (*line)(void *context, const char *line, bool *again);
    /* What can stand in the place of the word that ends at `at`: matches, each with a newline behind it. */
    void (*complete)(void *context, const char *line, size_t at, char *words, size_t size);
    bool reads;                       /* there is much to read in the console: its pane is larger */
    const struct view_teller *teller; /* for views */
    const char *history;              /* a file of lines; "": none */
};

/* Take the terminal and draw the panes. The guest writes to a pane from now on, and what the program says on its
   standard descriptors stands in the console's. 0 or a negative errno with a sentence. */
int terminal_open(struct terminal **terminal, struct session *session, const struct terminal_host *host, char *error,
                  size_t size) MUST_USE;
/* The terminal is as it was, and has the last sentences that the program wrote on standard error; with `tells` the last
   lines of the console. */
void terminal_close(struct terminal *terminal, bool tells);

/* Text for the console's pane. */
void terminal_print(struct terminal *terminal, const char *bytes, size_t length);
/* Keys that wait are carried out, and everything is drawn. For a machine that stands; session_serve() does it while it
   runs. */
void terminal_look(struct terminal *terminal);
/* Columns of the console's pane. */
unsigned terminal_width(const struct terminal *terminal);
/* Ctrl-C while the machine stands: what is typed is thrown away. */
void terminal_interrupted(struct terminal *terminal);

#endif
