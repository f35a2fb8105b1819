/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program buffer of run-time instrumentation. */
#ifndef ZRI_EMU_CONSOLE_OBSERVE_RI_H
#define ZRI_EMU_CONSOLE_OBSERVE_RI_H

#include "emu/console/base/base.h"

/* The program buffer's bytes from ROA to RCA as far as they can be fetched; the caller frees them. */
int console_ri_fetch(struct console *c, uint8_t **bytes, size_t *size);

#endif
