/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disk images in the format qcow2, versions 2 and 3, for reading: clusters as they are, compressed by zlib, of zeros,
   or absent. Not known: backing files, encryption, other compressions, external data. */
#ifndef ZRI_EMU_DEV_QCOW2_H
#define ZRI_EMU_DEV_QCOW2_H

#include "cpu/bits.h"
#include <stddef.h>

struct qcow2;

/* Begin to read the image in an open file, which the caller keeps open. 0, or a negative errno: -ENOTSUP for what is
   not known, -EINVAL for what is no such image. */
int qcow2_open(int file, struct qcow2 **image) MUST_USE;
void qcow2_close(struct qcow2 *image);          /* NULL is taken */
uint64_t qcow2_size(const struct qcow2 *image); /* bytes of the disk */
/* Read bytes of the disk, which lie in it. 0 or a negative errno: -EIO when the file is damaged. */
int qcow2_read(struct qcow2 *image, uint64_t offset, uint8_t *to, size_t length) MUST_USE;

#endif
