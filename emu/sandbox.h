/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program can ask of its host while a guest runs. */
#ifndef ZRI_EMU_SANDBOX_H
#define ZRI_EMU_SANDBOX_H

#include "base/bits.h"
#include <stddef.h>

/* For every run, and nothing that zri does is refused: no new privileges; in a run without a console, `alone`, no new
   programs and processes either, and none of the calls that administer a host. As far as the host can do that. */
void emu_sandbox_usual(bool alone);

/* --sandbox: from now on this process reads and writes what it has open, has memory, threads and clocks, and nothing
   else; but for `clients`, who come by a socket that it listens at. 0, or a negative errno with a sentence when that
   cannot be had. */
int emu_sandbox_strict(bool clients, char *error, size_t size) MUST_USE;

#endif
