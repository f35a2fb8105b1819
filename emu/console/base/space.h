/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words for address spaces. */
#ifndef ZRI_EMU_CONSOLE_SPACE_H
#define ZRI_EMU_CONSOLE_SPACE_H

#include "cpu/storage/access.h"
#include "emu/console/base/base.h"

/* A word that names a space (one of those of the command v); true when it is one. */
bool space_word(const struct console *c, const char *word, enum cpu_space *space, unsigned *ar);

#endif
