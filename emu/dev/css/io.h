/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The I/O instructions. */
#ifndef ZRI_EMU_DEV_CSS_IO_H
#define ZRI_EMU_DEV_CSS_IO_H

#include "emu/dev/css/css.h"

/* Callout, see struct cpu_callouts. */
int css_io(void *machine, struct cpu *cpu, enum cpu_io function, uint8_t *block, unsigned *cc);

#endif
