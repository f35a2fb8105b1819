/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of the machine. */
#ifndef ZRI_EMU_CONSOLE_RUN_H
#define ZRI_EMU_CONSOLE_RUN_H

#include "emu/console/base/base.h"
#include "emu/control/control.h"

/* Run the machine until something happens and say what. */
int console_go(struct console *c);
/* Run the machine as gdb_run() does; commands from outside are carried out meanwhile. */
struct machine_result console_run(struct console *c, uint64_t limit);
/* Carry out a line for somebody outside (`context`: the console), also in the middle of another one that runs the
   machine: what is shown is his. It speaks about *cpu, which it may choose anew. */
struct control_shown console_show_command(void *context, struct cpu **cpu, const char *line, bool json);
/* Carry out a line in the middle of another one, which runs the machine. */
void console_line_between(struct console *c, const char *line);

#endif
