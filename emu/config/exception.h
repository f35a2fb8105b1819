/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration of exception trace as the operator writes it: files with sections, and KEY=VALUE lists. */
#ifndef ZRI_EMU_CONFIG_EXCEPTION_H
#define ZRI_EMU_CONFIG_EXCEPTION_H

#include "base/bits.h"
#include "ri/trace/config.h"
#include <stddef.h>

#define EMU_EXCEPTION_ALL   (-1) /* every CPU */
#define EMU_EXCEPTION_RULES (-2) /* a rule of the on-line analyser: all of the line is in `key' */

/* Lines of a file, in their order. */
struct emu_exception_lines {
    struct emu_exception_line {
        int cpu; /* CPU address, or one of those */
        char *key, *value;
        unsigned number; /* of the line in its file */
    } * line;
    unsigned count;
    char *name, *text;
};

/* Read a file: `key = value', `#' begins a comment, sections [exception-trace], [exception-trace cpuN] (N decimal) and
   [exception-trace rules]; lines in front of the first section are for all CPUs. Returns 0, or a negative errno with a
   sentence; release what was read by emu_exception_forget(). */
int emu_exception_read(const char *file, struct emu_exception_lines *lines, char *error, size_t size) MUST_USE;
void emu_exception_forget(struct emu_exception_lines *lines);
/* Apply the lines for all CPUs, then those for this one. 0, or -EINVAL with a sentence. */
int emu_exception_apply(const struct emu_exception_lines *lines, unsigned cpu, struct et_config *config, char *error,
                        size_t size) MUST_USE;
/* Apply "KEY=VALUE[,KEY=VALUE...]"; what follows a comma and has no = belongs to the value in front. The same. */
int emu_exception_keys(const char *keys, struct et_config *config, char *error, size_t size) MUST_USE;

#endif
