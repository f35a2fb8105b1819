/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The event log: what the guest asks of the machine, and interruptions, in words. While it is off nothing of it is in
   the way of the guest. */
#ifndef ZRI_EMU_CONSOLE_DEBUG_EVENTS_H
#define ZRI_EMU_CONSOLE_DEBUG_EVENTS_H

#include "emu/console/base/base.h"

/* What the observer of the CPUs is told; nothing happens while the log is off. */
void events_interruption(struct console *c, struct cpu *cpu, enum cpu_class class, unsigned code);
void events_loaded(struct console *c, struct cpu *cpu, uint64_t mask, uint64_t ia);
/* The log needs the observer, and all that it is told. */
bool events_wanted(const struct console *c);
/* Another machine has come, or the console ends. */
void events_hook(struct console *c);
void events_end(struct console *c);

#endif
