/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that fits the terminal. */
#ifndef ZRI_EMU_CONFIG_WRAP_H
#define ZRI_EMU_CONFIG_WRAP_H

#include <stddef.h>
#include <stdio.h>

/* Columns of the terminal that `out` is, or as the environment variable COLUMNS says; `otherwise` when neither
   knows. */
unsigned wrap_width(FILE *out, unsigned otherwise);
/* Lines of it, likewise (LINES). */
unsigned wrap_height(FILE *out, unsigned otherwise);

/* Break a text that begins in column `column` (from 0) between words and behind |, so that no line is longer than
   `width` (0: not at all); lines behind the first begin in column `indent`. At most size - 1 bytes, always with a
   NUL. */
void wrap_text(const char *text, unsigned column, unsigned indent, unsigned width, char *out, size_t size);

#endif
