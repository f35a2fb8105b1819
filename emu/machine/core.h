/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dumps of a machine as ELF core files. */
#ifndef ZRI_EMU_MACHINE_CORE_H
#define ZRI_EMU_MACHINE_CORE_H

#include "emu/machine/machine.h"

/* Write all storage and the state of every CPU to a file: an ELF core file of s390x, with absolute addresses as
   physical and virtual ones, the notes for each CPU that Linux writes, and Linux's VMCOREINFO when the guest has one.
   Pages of zeros become holes. Returns 0, or a negative errno with a sentence; what was written is removed then. */
int core_save(struct machine *m, const char *file, char *error, size_t size) MUST_USE;

#endif
