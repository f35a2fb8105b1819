/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of the host under disks. */
#ifndef ZRI_EMU_DEV_IMAGE_HOST_FILE_H
#define ZRI_EMU_DEV_IMAGE_HOST_FILE_H

#include "base/bits.h"
#include <stddef.h>

/* Read all bytes at an offset; those at `end` and behind it are zeros. 0 or a negative errno, -EIO when the file does
   not reach to `end`; some may be read then. */
int host_file_read(int file, uint64_t end, uint64_t offset, uint8_t *to, size_t length) MUST_USE;

/* Write all bytes at an offset. 0 or a negative errno; some may be written then. */
int host_file_write(int file, uint64_t offset, const uint8_t *from, size_t length) MUST_USE;

#endif
