/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the program zri-et. */
#ifndef ZRI_EMU_ZRI_ET_H
#define ZRI_EMU_ZRI_ET_H

/* Says on standard error "zri-et: WHAT: ..." and returns `status` (exit.h). */
int zri_et_fail(int status, const char *what, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* zri-et filter: argv[0] is "filter". Returns the exit status. */
int zri_et_filter(int argc, char **argv);

#endif
