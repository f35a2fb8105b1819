/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Initial program loading. */
#ifndef ZRI_EMU_DEV_CSS_LOAD_H
#define ZRI_EMU_DEV_CSS_LOAD_H

#include "emu/dev/css/css.h"

/* Initial program loading from a device, after a reset: reads, stores the subsystem identification and loads the PSW on
   CPU 0, which operates then. 0, or a negative errno with a sentence in error[size]. */
int css_ipl(struct machine *machine, struct channel_device *device, char *error, size_t size) MUST_USE;

#endif
