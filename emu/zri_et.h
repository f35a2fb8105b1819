/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the program zri-et. */
#ifndef ZRI_EMU_ZRI_ET_H
#define ZRI_EMU_ZRI_ET_H

#include "ri/trace/show/output.h"
#include <getopt.h>

/* Says on standard error "zri-et: WHAT: ..." and returns `status` (exit.h). */
int zri_et_fail(int status, const char *what, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The reporting groups in a file of exception trace, for an output. */
struct zri_et_groups;
/* Those of this CPU (-1: of all); NULL in *groups: there are none, or the file is a pipe or no container. Returns 0, or
   a status that has been told: no memory, or the file cannot be read. A log that is damaged is told, and read up to
   there.
 */
int zri_et_groups_read(int file, const char *name, int cpu, struct zri_et_groups **groups);
/* Tell those up to this time that were not told yet. `groups` may be NULL. */
void zri_et_groups_until(struct zri_et_groups *groups, uint64_t time, const struct et_output *output, void *state);
/* The end: how many were not told. NULL is nothing. */
size_t zri_et_groups_end(struct zri_et_groups *groups);

/* The completion of all options for "bash" or "zsh", on standard output. False: no such shell. */
bool zri_et_complete(const char *shell, const struct option *options);
extern const struct option zri_et_filter_options[];

/* zri-et filter: argv[0] is "filter". Returns the exit status. */
int zri_et_filter(int argc, char **argv);

#endif
