/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the manual that come out of the program's own tables. */
#ifndef ZRI_EMU_MANUAL_H
#define ZRI_EMU_MANUAL_H

#include <stdbool.h>
#include <stdio.h>

/* Print a part by its name (troff). False: there is no such part; then *parts receives the names of those there are. */
bool emu_manual(const char *part, FILE *out, const char **parts);

#endif
