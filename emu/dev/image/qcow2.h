/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disk images in the format qcow2, versions 2 and 3: clusters as they are, compressed by zlib, of zeros, or absent,
   which are those of the backing image if there is one. Written in place: what is compressed, of zeros, absent or
   shared with an internal snapshot goes into a cluster of its own. At any moment the file can be left as it is: at
   worst some clusters of it are counted that nothing uses. Not known: encryption, compression by zstd, external data
   files, extended second-level entries. */
#ifndef ZRI_EMU_DEV_IMAGE_QCOW2_H
#define ZRI_EMU_DEV_IMAGE_QCOW2_H

#include "base/bits.h"
#include <stddef.h>

struct qcow2;

/* Begin to use the image in an open file, which the caller keeps open. 0, or a negative errno with a sentence in
   why[size]: -ENOTSUP for what is not known, -EINVAL for what is no such image, -EUCLEAN for one that is damaged. */
int qcow2_open(int file, bool writable, struct qcow2 **image, char *why, size_t size) MUST_USE;
/* All that was written is on the medium, and what was not used is given back. NULL is taken. 0 or a negative errno; the
   image is closed then, too. */
int qcow2_close(struct qcow2 *image);
uint64_t qcow2_size(const struct qcow2 *image);  /* bytes of the disk */
uint32_t qcow2_piece(const struct qcow2 *image); /* bytes of a cluster */

/* The name of the backing image as the file has it, NULL: none; and of its format, "": not told. */
const char *qcow2_backing_name(const struct qcow2 *image);
const char *qcow2_backing_format(const struct qcow2 *image);
/* What is absent is read from the backing image of `size` bytes, by `read`, which gets bytes that lie in it; the caller
   keeps it. */
void qcow2_set_backing(struct qcow2 *image, void *backing, uint64_t size,
                       int (*read)(void *backing, uint64_t offset, uint8_t *to, size_t length));

/* Move bytes of the disk, which lie in it. 0 or a negative errno: -EUCLEAN when the tables of the file cannot be, -EIO
   when the file has become shorter. After an error some of the bytes may be written. */
int qcow2_read(struct qcow2 *image, uint64_t offset, uint8_t *to, size_t length) MUST_USE;
int qcow2_write(struct qcow2 *image, uint64_t offset, const uint8_t *from, size_t length) MUST_USE;
/* The bytes become zero, and clusters that are wholly among them are given back. `discard`: their contents do not
   matter, and only whole clusters are looked at. */
int qcow2_zero(struct qcow2 *image, uint64_t offset, uint64_t length, bool discard) MUST_USE;
/* Whether what was written may be lost when zri ends in the middle, up to the last flush; not at first. */
void qcow2_set_lazy(struct qcow2 *image, bool lazy);
/* Everything written is on the host's medium. */
int qcow2_flush(struct qcow2 *image) MUST_USE;
/* The file is as it would be after closing; going on is possible. */
int qcow2_rest(struct qcow2 *image) MUST_USE;

#endif
