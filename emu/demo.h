/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The demonstration, for people. */
#ifndef ZRI_EMU_DEMO_H
#define ZRI_EMU_DEMO_H

#include "emu/config/options.h"
#include "emu/machine/session.h"

/* Run the demonstration that was loaded, to its end; then print on standard output what it recorded about itself: every
   reporting group, record by record and with the names of the program, and the samples counted by routine. Returns the
   exit status. */
int emu_demo(struct session *session, const struct emu_options *options);

#endif
