/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A disk image for devices: a file of the host, raw or in the format qcow2, with writes kept apart in memory when the
   medium is private (snapshot mode), or scratch storage without a file. */
#ifndef ZRI_EMU_DEV_IMAGE_DISK_H
#define ZRI_EMU_DEV_IMAGE_DISK_H

#include "emu/state/fields.h"
#include <stddef.h>

struct image;

/* Who uses an image. Functions may be NULL. */
struct image_user {
    void *context;
    bool private_writes;                              /* nothing is written to the file */
    void (*message)(void *context, const char *text); /* a sentence for the operator */
    void (*lost)(void *context); /* some of what was written may be lost, as a message said just now */
    bool (*disturbed)(void *context, const struct image *image); /* another image in use has the same file */
};

/* The words of a device that image_open_words() knows. */
#define IMAGE_WORDS "FILE|=SIZE [ro] [snapshot] [format=raw|qcow2]"

/* Open the file `name`, or "=SIZE" (with K, M or G) for zeros in memory. A file whose name ends in .qcow2 has that
   format. A file that cannot be written is taken read-only. `private_writes`: nothing is written to the file. NULL with
   a sentence in error[size]. */
struct image *image_open(const char *name, bool read_only, bool private_writes, char *error, size_t size) MUST_USE;
/* The same by the words of a device; private writes also when the user says so. The operator is told when the guest
   gets it read-only and nobody said so. */
struct image *image_open_words(const struct image_user *user, unsigned count, char **words, char *error,
                               size_t size) MUST_USE;
void image_close(struct image *image); /* NULL is taken */

/* Both have the same file, and one of the two writes to it. */
bool image_disturbs(const struct image *image, const struct image *other);

uint64_t image_size(const struct image *image);  /* bytes, when it was opened */
uint32_t image_piece(const struct image *image); /* bytes that are best given back together: a cluster of qcow2 */
bool image_read_only(const struct image *image);
/* Move bytes, all of which must lie in the image. 0, or a negative errno: -EIO when the file has become shorter,
   -EUCLEAN when its tables are damaged. */
int image_read(struct image *image, uint64_t offset, void *to, size_t length) MUST_USE;
int image_write(struct image *image, uint64_t offset, const void *from, size_t length) MUST_USE;
/* Bytes become zero, and need no space any more where the host can do that. `discard`: what they become does not
   matter. As image_write(). */
int image_zero(struct image *image, uint64_t offset, uint64_t length, bool discard) MUST_USE;
/* The guest flushes: what it wrote since may be lost when zri ends in the middle. Not so at first. */
void image_set_lazy(struct image *image, bool lazy);
/* All that was written is on the host's medium. */
int image_flush(struct image *image) MUST_USE;
/* The file is as it would be after closing; going on is possible. As image_flush(). */
int image_settle(struct image *image);

/* Somebody who is told before bytes of the image change, and then may read it. NULL: nobody. What is discarded becomes
   zero while there is one. */
struct image_keeper {
    void *context;
    void (*before)(void *context, struct image *image, uint64_t offset, uint64_t length);
};
void image_keep(struct image *image, const struct image_keeper *keeper);
/* Nothing that is written reaches a file. */
bool image_private(const struct image *image);

/* What the functions above returned: the operator is told of an error, with the file, the place in it
   and what to do, and of a file that has gone. Errors of one kind are told when they have come once, 10 times, 100
   times
   ... `what` is "read", "write" or "flush", `guest` what the guest gets. Returns `code`. */
int image_result(struct image *image, const char *what, uint64_t offset, int code, const char *guest);
/* For an operator: format and state, as "qcow2, 65536-byte clusters, read-only". */
void image_describe(const struct image *image, char *text, size_t size);

/* Snapshot: what was written and is not in the file. */
void image_fields(struct image *image, const struct channel_fields *fields);

#endif
