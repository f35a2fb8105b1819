/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions of a lesson's checks: comparisons of values of the console and of what only lessons know. */
#ifndef ZRI_EMU_LESSON_TERMS_H
#define ZRI_EMU_LESSON_TERMS_H

#include "base/bits.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct console;
struct record;

/* Is this a condition as far as its words go? When not, a sentence. */
bool terms_shape(const char *condition, char *why, size_t size);
/* Have what the condition counts counted from now on. False: that is too much for one task. True also when nothing is:
 *instructions then becomes true when each instruction has to be told to record_instruction(). */
bool terms_prepare(struct console *console, struct record *record, const char *condition, bool *instructions);
/* Does it hold? 0, or -1 when it cannot be worked out: the console has a sentence then. */
int terms_hold(struct console *console, const struct record *record, const char *condition, bool *holds) MUST_USE;
/* A value by itself, likewise. */
int terms_value(struct console *console, const struct record *record, const char *text, uint64_t *value) MUST_USE;

#endif
