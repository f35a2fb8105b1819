/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What displays of the family `et` and its other commands share. */
#ifndef ZRI_EMU_CONSOLE_ET_SHOW_H
#define ZRI_EMU_CONSOLE_ET_SHOW_H

#include "emu/console/base/base.h"
#include "ri/trace/trace.h"
#include "ri/trace/wire.h"

/* Unit of the CPU that a command speaks about; NULL: no host memory, a sentence was noted. */
struct et_cpu *console_et_unit(struct console *c);

#endif
