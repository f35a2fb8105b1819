/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing the RI log of a machine: every reporting group that any of its CPUs stores. */
#ifndef ZRI_EMU_MACHINE_RI_LOG_H
#define ZRI_EMU_MACHINE_RI_LOG_H

#include "emu/machine/machine.h"

struct emu_ri_log;

/* Begin a log in a new file, with the header for this machine. Returns NULL with a sentence in error[size] when the
   file cannot be written. End it with emu_ri_log_close(). */
struct emu_ri_log *emu_ri_log_open(const char *file, const struct machine *machine, char *error, size_t size) MUST_USE;

/* The log goes, in chunks of its own, into the file that exception trace writes (exception_trace_begin() before), and
   into each that it begins later. NULL: no host memory, with a sentence. */
struct emu_ri_log *emu_ri_log_share(struct machine *machine, char *error, size_t size) MUST_USE;

/* From now on the groups of all CPUs of this machine go into the log. Another machine (a snapshot resumed) may be
   attached later; the log must live as long as any of them runs. */
void emu_ri_log_attach(struct emu_ri_log *log, struct machine *machine);

/* Finish the file; a shared one is exception trace's to finish. Returns 0, or a negative errno with a sentence when not
   all could be written. NULL is nothing. */
int emu_ri_log_close(struct emu_ri_log *log, char *error, size_t size) MUST_USE;

#endif
