/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running without a console, and what the end of a run means. */
#ifndef ZRI_EMU_BATCH_H
#define ZRI_EMU_BATCH_H

#include "emu/config/options.h"
#include "emu/exit.h"
#include "emu/machine/session.h"

/* All files are open, the guest may begin. Returns 0 or the exit status to end with. */
typedef int emu_ready(const struct session *session, const struct emu_options *options);

/* Run the loaded machine to its end, print why it ended, save what --savecore asks for. Returns the exit status. */
int emu_batch(struct session *session, const struct emu_options *options, emu_ready *ready);

struct console;
/* What the options want to be measured of the pipeline model begins. Returns 0, or -1 after a sentence. */
int emu_measure(struct console *console, const struct emu_options *options);

/* Exit status of a machine that has ended as `result` says. */
int emu_end_status(const struct session *session, const struct machine_result *result);

#endif
