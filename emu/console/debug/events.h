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
/* Tell these classes (bits 1 << n) to a listener, too, each event as a JSON object; 0: no more. It may be called by any
   CPU's thread. */
typedef void events_told(void *context, unsigned class, const char *json);
void events_listen(struct console *c, uint32_t classes, events_told *told, void *context);
/* The latest events, kept by `events keep`: whether they are; and the one with `back` later ones as a line, false: it
   is not there (any more). */
#define EVENTS_KEPT 100u
bool events_keeps(const struct console *c);
bool events_kept(const struct console *c, unsigned back, char *text, size_t size);
/* The name of class n, NULL: there are no more than n. */
const char *events_class_name(unsigned n);
/* Another machine has come, or the console ends. */
void events_hook(struct console *c);
void events_end(struct console *c);

#endif
