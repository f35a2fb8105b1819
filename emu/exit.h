/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exit statuses of the programs. */
#ifndef ZRI_EMU_EXIT_H
#define ZRI_EMU_EXIT_H

enum { EMU_EXIT_GOOD = 0, EMU_EXIT_BAD = 1, EMU_EXIT_HOST = 2, EMU_EXIT_LIMIT = 3, EMU_EXIT_USAGE = 64 };

#endif
