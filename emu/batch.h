/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running without a console, and what the end of a run means. */
#ifndef ZRI_EMU_BATCH_H
#define ZRI_EMU_BATCH_H

#include "emu/config/options.h"
#include "emu/machine/session.h"

/* Exit statuses of the program. */
enum { EMU_EXIT_GOOD = 0, EMU_EXIT_BAD = 1, EMU_EXIT_HOST = 2, EMU_EXIT_LIMIT = 3 };

/* Run the loaded machine to its end, print why it ended, save what --savecore asks for. Returns the exit status. */
int emu_batch(struct session *session, const struct emu_options *options);

/* Exit status of a machine that has ended as `result` says. */
int emu_end_status(const struct session *session, const struct machine_result *result);

#endif
