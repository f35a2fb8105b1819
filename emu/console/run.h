/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of the machine. */
#ifndef ZRI_EMU_CONSOLE_RUN_H
#define ZRI_EMU_CONSOLE_RUN_H

#include "emu/console/base/base.h"

/* Run the machine until something happens and say what. */
int console_go(struct console *c);
/* Run the machine as gdb_run() does; commands from outside are carried out meanwhile. */
struct machine_result console_run(struct console *c, uint64_t limit);

#endif
