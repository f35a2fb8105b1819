/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lessons on the command line. */
#ifndef ZRI_EMU_CLASSROOM_H
#define ZRI_EMU_CLASSROOM_H

#include "emu/config/options.h"
#include "emu/lesson/find.h"
#include "emu/lesson/progress.h"
#include "emu/lesson/teach.h"

/* The lesson that --lesson names, while it is on. */
struct classroom {
    struct lesson lesson;
    char path[FIND_PATH], progress[PROGRESS_PATH];
    bool keeps; /* progress is kept */
    struct teach *teach;
};

/* List the lessons, with what of them is done. The exit status of the program. */
int classroom_list(bool json);
/* Read the lesson, and let it say what its machine is. 0, or a negative errno with a sentence. */
int classroom_open(struct classroom *room, const struct emu_options *options, struct machine_config *config,
                   char *error, size_t size) MUST_USE;
/* Begin it at a console. The same. */
int classroom_begin(struct classroom *room, struct console *console, char *error, size_t size) MUST_USE;
/* The lesson has ended. The exit status: whether all of it is done. */
int classroom_end(struct classroom *room);
void classroom_close(struct classroom *room);

#endif
