/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lesson that is on at a console: its machine is made ready, its commands are carried out, its tasks are judged. */
#ifndef ZRI_EMU_LESSON_TEACH_H
#define ZRI_EMU_LESSON_TEACH_H

#include "emu/console/console.h"
#include "emu/lesson/lesson.h"

struct teach;
struct machine_config;

/* What the lesson says of its machine goes into *config. 0, or a negative errno with a sentence. */
int teach_machine(const struct lesson *lesson, struct machine_config *config, char *error, size_t size) MUST_USE;

/* Begin a lesson at a console of such a machine. `path` is its file, for messages. With `progress`, that file's record
   of what is done counts, and is kept; else (NULL) nothing is. The lesson and both names must last. NULL with a
   sentence when the machine cannot be made ready. */
struct teach *teach_begin(struct console *console, const struct lesson *lesson, const char *path, const char *progress,
                          char *error, size_t size) MUST_USE;
/* Show what the lesson is about and the first task that is not done. */
void teach_welcome(struct teach *teach);
/* Tasks that are done, bits 1 << number. */
uint32_t teach_done(const struct teach *teach);
bool teach_complete(const struct teach *teach);
/* Why the task was not done when it was judged last; "": it was not judged, or is done. */
const char *teach_refusal(const struct teach *teach, unsigned task);
void teach_end(struct teach *teach);

#endif
