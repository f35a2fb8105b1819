/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command reference, from the tables. */
#ifndef ZRI_EMU_CONSOLE_HELP_H
#define ZRI_EMU_CONSOLE_HELP_H

#include "emu/console/base/base.h"

/* As a part of a manual page (troff). */
void help_manual(const struct console_table *table, FILE *out);

/* Text for troff: backslashes and hyphens. */
void help_troff(FILE *out, const char *text);

#endif
