/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that was written to a terminal, as lines to look at: the last few thousand. */
#ifndef ZRI_EMU_PANEL_TERMINAL_SCROLL_H
#define ZRI_EMU_PANEL_TERMINAL_SCROLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCROLL_LINES 4000u
#define SCROLL_LINE  500u /* characters; what is beyond goes to a line of its own */

struct scroll_line {
    uint32_t *text; /* characters */
    unsigned length, room;
};

struct scroll {
    struct scroll_line line[SCROLL_LINES]; /* a ring */
    uint64_t count;                        /* lines that were ever begun; the last one is being written */
    unsigned column;                       /* in it */
    uint64_t written;                      /* characters so far: something is new when it changes */
    char pending[4];                       /* the beginning of a character of UTF-8 */
    unsigned pending_length;
    uint8_t escape; /* in a control sequence */
    char parameters[16];
    unsigned parameter_length;
};

/* Write bytes: UTF-8, CR, LF, BS, TAB; of control sequences those that move and erase in the line are carried out, the
   others are left out. `plain_lf`: LF alone begins a line at its beginning. */
void scroll_write(struct scroll *scroll, const char *bytes, size_t length, bool plain_lf);
void scroll_free(struct scroll *scroll);
/* How many lines there are to look at, and line n of them (from 0); *length: its characters. */
unsigned scroll_lines(const struct scroll *scroll);
const uint32_t *scroll_line(const struct scroll *scroll, unsigned n, unsigned *length);

#endif
