/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of the source among instructions. */
#ifndef ZRI_EMU_CONSOLE_BASE_LISTING_H
#define ZRI_EMU_CONSOLE_BASE_LISTING_H

#include <stdint.h>

struct console;

#define LISTING_PLACE 96
/* "FILE:LINE  TEXT" as a line for people, where there is a text and FILE:LINE is not that in `line`, which is what was
   looked at last ("": nothing). */
void listing_source(struct console *c, uint64_t address, char line[LISTING_PLACE]);

#endif
