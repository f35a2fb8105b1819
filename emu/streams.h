/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Standard input, output and error of a program, as its caller left them. */
#ifndef ZRI_EMU_STREAMS_H
#define ZRI_EMU_STREAMS_H

#include "base/bits.h"

/* To be called before anything is opened: descriptors 0 to 2 exist, so that no file of ours gets one of these numbers
   and what is meant for a person never goes into it. A closed standard output can only be read then: what is written to
   it is lost with an error. A reader that has gone is an error of the output, too, and so is a limit for files; neither
   is our end. False: the host does not give the descriptors. */
bool emu_streams_open(void) MUST_USE;

/* The last act: everything printed is out. Returns `status`, or EMU_EXIT_HOST after a sentence of `program` when some
   of it is lost; with EMU_EXIT_HOST there was a sentence already. */
int emu_streams_end(const char *program, int status) MUST_USE;

#endif
