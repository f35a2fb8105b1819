/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures as PNG files (ISO/IEC 15948): 8 bits for each of red, green and blue. */
#ifndef ZRI_EMU_PANEL_WINDOW_PNG_H
#define ZRI_EMU_PANEL_WINDOW_PNG_H

#include <stddef.h>
#include <stdint.h>

/* Write width x height pixels, each a word of which bits 0-7 from the right are blue, then green, then red; `stride`
   pixels are from one row to the next. 0, or a negative errno with a sentence; no file is left then. */
int png_write(const char *file, const uint32_t *pixels, unsigned width, unsigned height, size_t stride, char *error,
              size_t size);

#endif
