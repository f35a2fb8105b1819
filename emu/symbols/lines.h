/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines of an ELF file, from DWARF by libdw. */
#ifndef ZRI_EMU_SYMBOLS_LINES_H
#define ZRI_EMU_SYMBOLS_LINES_H

#include "emu/symbols/internal.h"

/* Finds what the file has; nothing at all is good, too. -EINVAL, -ENOMEM. */
int symbols_lines_open(struct symbols_file *file, char *error, size_t size) MUST_USE;
void symbols_lines_close(struct symbols_lines *lines); /* NULL: nothing */

/* For who works with libdw itself: the file's DWARF, and the call-frame information in its .eh_frame. NULL: none. */
struct Dwarf *symbols_lines_dwarf(const struct symbols_lines *lines) __attribute__((pure));
struct Dwarf_CFI_s *symbols_lines_frames(const struct symbols_file *file);

#endif
