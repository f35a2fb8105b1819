/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call frames of the chosen CPU. */
#ifndef ZRI_EMU_CONSOLE_DEBUG_FRAMES_H
#define ZRI_EMU_CONSOLE_DEBUG_FRAMES_H

#include "emu/console/base/base.h"
#include "emu/console/base/source.h"

/* The innermost one. */
void frames_begin(const struct console *c, struct unwind_frame *frame);
/* Its caller's, as symbols_unwind() has it. `depth` 0: it is the innermost one. */
enum unwind_how frames_next(struct console *c, unsigned depth, struct unwind_frame *frame);

#endif
