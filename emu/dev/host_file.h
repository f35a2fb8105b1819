/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of the host under disks. */
#ifndef ZRI_EMU_DEV_HOST_FILE_H
#define ZRI_EMU_DEV_HOST_FILE_H

#include "cpu/bits.h"
#include <stddef.h>

/* Write all bytes at an offset. 0 or a negative errno; some may be written then. */
int host_file_write(int file, uint64_t offset, const uint8_t *from, size_t length) MUST_USE;

#endif
