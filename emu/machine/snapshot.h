/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole machine in a file, between two instructions, and a machine made from such a file. */
#ifndef ZRI_EMU_MACHINE_SNAPSHOT_H
#define ZRI_EMU_MACHINE_SNAPSHOT_H

#include "emu/machine/machine.h"

/* Write the machine, which does not run now, into `file`; a file of that name is replaced when all is written. Returns
   0, or a negative errno with a sentence in error[size] (-ENOTSUP: built without zlib). */
int snapshot_save(struct machine *machine, const char *file, char *error, size_t size) MUST_USE;

/* Make a machine as `file` has it. `profile` NULL: with the profile it was saved on, so that it goes on as if nothing
   had happened. Otherwise it migrates to that profile, which must have every facility
   of the old one; run-time instrumentation has the characteristics of the new one at once. `host` and
   `engine` (enum engine_kind) are those of the new machine. Returns NULL with a sentence in error[size]. Nothing in the
   file is trusted. The caller owns the machine. */
struct machine *snapshot_load(const char *file, const struct emu_profile *profile, const struct machine_host *host,
                              uint8_t engine, char *error, size_t size) MUST_USE;

/* The same in storage of the host, but for what storage and disks hold, which is kept by others: emu/history. */
struct snapshot_bytes {
    uint8_t *bytes; /* of malloc() */
    size_t length, room;
};

/* Write the machine, which does not run now, in the place of what `to` has. 0, or -ENOMEM with a sentence. */
int snapshot_keep(struct machine *machine, struct snapshot_bytes *to, char *error, size_t size) MUST_USE;
/* Bring the same machine, with the same devices, back to what snapshot_keep() wrote. 0, or a negative errno with a
   sentence: it is then in no state to go on. Translations are not purged. */
int snapshot_return(struct machine *machine, struct snapshot_bytes *from, char *error, size_t size) MUST_USE;

#endif
