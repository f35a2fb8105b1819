/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The console in a terminal that shows the machine beside it. */
#ifndef ZRI_EMU_CONSOLE_PANES_H
#define ZRI_EMU_CONSOLE_PANES_H

#include "emu/console/console.h"

struct console_panes;

/* Take the terminal: what commands show and the guest writes goes to panes; `reads`: there will be much to read. 0 or a
   negative errno with a sentence. */
int console_panes_open(struct console_panes **panes, struct console *console, bool reads, char *error,
                       size_t size) MUST_USE;
/* Carry out what is typed, until `quit`, a request to terminate, or the time that was given is over. */
void console_panes_run(struct console_panes *panes);
/* The terminal is as it was. NULL: nothing. `failed`: the end is not what was wanted, and the last lines say why. */
void console_panes_close(struct console_panes *panes, bool failed);

#endif
