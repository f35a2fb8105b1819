/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DIAGNOSE X'250', block I/O: disks by block numbers, without channel programs. */
#ifndef ZRI_EMU_DEV_UNIT_BLOCK_IO_H
#define ZRI_EMU_DEV_UNIT_BLOCK_IO_H

#include "base/bits.h"

struct machine;

/* The environment of a device, from the function that initializes it until the one that removes it, or a reset. */
struct block_io {
    uint32_t block_size; /* bytes; 0: there is none */
    int64_t offset;      /* of block 1 from the first block of the disk */
};

/* DIAGNOSE X'250' of a machine is carried out. */
int block_io_hook(struct machine *machine) MUST_USE;

#endif
