/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A disk image for devices: a file of the host, with writes kept apart in memory when the medium is private (snapshot
   mode), or scratch storage without a file. */
#ifndef ZRI_EMU_DEV_IMAGE_H
#define ZRI_EMU_DEV_IMAGE_H

#include "emu/dev/channel.h"

struct image;

/* Open the file `name`, or "=SIZE" (with K, M or G) for zeros in memory. A file that cannot be written is taken
   read-only, as is one in the format qcow2 (its name ends in .qcow2) without private writes. `private_writes`: nothing
   is written to the file. NULL with a sentence in error[size]. */
struct image *image_open(const char *name, bool read_only, bool private_writes, char *error, size_t size) MUST_USE;
/* The same by the words of a device, FILE [ro] [snapshot]; private writes also when the device says so. */
struct image *image_open_words(const struct channel_device *device, unsigned count, char **words, char *error,
                               size_t size) MUST_USE;
void image_close(struct image *image); /* NULL is taken */

uint64_t image_size(const struct image *image); /* bytes, when it was opened */
bool image_read_only(const struct image *image);
/* Move bytes, all of which must lie in the image. 0, or a negative errno: -EIO when the file has become shorter. */
int image_read(struct image *image, uint64_t offset, void *to, size_t length) MUST_USE;
int image_write(struct image *image, uint64_t offset, const void *from, size_t length) MUST_USE;
/* Bytes become zero, and need no space any more where the host can do that. As image_write(). */
int image_zero(struct image *image, uint64_t offset, uint64_t length) MUST_USE;
int image_flush(struct image *image) MUST_USE;

/* Snapshot: what was written and is not in the file. */
void image_fields(struct image *image, const struct channel_fields *fields);

#endif
