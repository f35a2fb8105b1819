/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disk images: a file, private writes in pieces of 4K bytes above it. */
#define _GNU_SOURCE /* fallocate */
#include "emu/dev/image.h"
#include "emu/dev/qcow2.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE        4096u
#define LARGEST      (UINT64_C(1) << 44)
#define NO_PIECE     UINT64_MAX
#define LARGEST_MEMO (UINT64_C(1) << 36)

struct image {
    int file; /* -1: none, everything else is zero */
    bool read_only;
    uint64_t size;
    struct qcow2 *base; /* the file is one of this format, which is only read; NULL: its bytes are the disk's */
    uint8_t **pieces;   /* private writes, by piece; NULL: writes go to the file */
};

static bool scratch_size(const char *text, uint64_t *bytes)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    *bytes = strtoull(text, &end, 10);
    unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (errno || end[shift != 0] || *bytes > LARGEST_MEMO >> shift)
        return false;
    *bytes <<= shift;
    return *bytes > 0;
}

/* By name and not by contents, which a guest may have written. */
static bool named_qcow2(const char *name)
{
    static const char end[] = ".qcow2";
    size_t length = strlen(name);
    return length >= sizeof end && strcmp(name + length - (sizeof end - 1), end) == 0;
}

static int open_file(struct image *i, const char *name, bool private_writes)
{
    struct stat st;
    i->read_only |= named_qcow2(name) && !private_writes;
    if (!i->read_only && !private_writes)
        i->file = open(name, O_RDWR | O_CLOEXEC);
    if (i->file < 0 && (i->read_only || private_writes || errno == EACCES || errno == EROFS)) {
        i->read_only |= !private_writes;
        i->file = open(name, O_RDONLY | O_CLOEXEC);
    }
    if (i->file < 0 || fstat(i->file, &st))
        return -errno;
    if (S_ISDIR(st.st_mode))
        return -EISDIR;
    off_t end = lseek(i->file, 0, SEEK_END); /* of a block device, too */
    if (end < 0)
        return -errno;
    i->size = (uint64_t)end;
    if (named_qcow2(name)) {
        int code = qcow2_open(i->file, &i->base);
        if (code)
            return code;
        i->size = qcow2_size(i->base);
    }
    return i->size == 0 ? -ENODATA : i->size > LARGEST ? -EFBIG : 0;
}

struct image *image_open(const char *name, bool read_only, bool private_writes, char *error, size_t size)
{
    struct image *i = calloc(1, sizeof *i);
    int code = i ? 0 : -ENOMEM;
    if (i) {
        i->file = -1;
        i->read_only = read_only;
    }
    if (!code && name[0] == '=')
        code = scratch_size(name + 1, &i->size) ? 0 : -EINVAL;
    else if (!code)
        code = open_file(i, name, private_writes);
    if (!code && !i->read_only && (private_writes || i->file < 0)) {
        i->pieces = calloc((size_t)((i->size + PIECE - 1) / PIECE), sizeof *i->pieces);
        code = i->pieces ? 0 : -ENOMEM;
    }
    if (!code)
        return i;
    snprintf(error, size, "disk image '%.100s': %s; name a file with something in it, or =SIZE as =16M", name,
             strerror(-code));
    image_close(i);
    return NULL;
}

struct image *image_open_words(const struct channel_device *d, unsigned count, char **words, char *error, size_t size)
{
    const char *name = NULL;
    bool read_only = false, private_writes = d->private_medium;
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(words[i], "ro") == 0)
            read_only = true;
        else if (strcmp(words[i], "snapshot") == 0)
            private_writes = true;
        else
            name = name ? "" : words[i];
    }
    if (name && *name)
        return image_open(name, read_only, private_writes, error, size);
    snprintf(error, size, "a disk has one image; write FILE[,ro][,snapshot]");
    return NULL;
}

void image_close(struct image *i)
{
    if (!i)
        return;
    for (uint64_t n = 0; i->pieces && n < (i->size + PIECE - 1) / PIECE; n++)
        free(i->pieces[n]);
    free(i->pieces);
    qcow2_close(i->base);
    if (i->file >= 0)
        close(i->file);
    free(i);
}

uint64_t image_size(const struct image *i) { return i->size; }
bool image_read_only(const struct image *i) { return i->read_only; }

static int file_read(const struct image *i, uint64_t offset, uint8_t *to, size_t length)
{
    if (i->base)
        return qcow2_read(i->base, offset, to, length);
    while (length) {
        ssize_t n = i->file < 0 ? 0 : pread(i->file, to, length, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        if (n == 0 && i->file >= 0)
            return -EIO;
        if (n == 0) {
            memset(to, 0, length);
            return 0;
        }
        to += n;
        offset += (uint64_t)n;
        length -= (size_t)n;
    }
    return 0;
}

/* A file that was cut off is not made longer again: what lay between is lost. */
static bool file_whole(const struct image *i)
{
    struct stat st;
    return !fstat(i->file, &st) && (!S_ISREG(st.st_mode) || (uint64_t)st.st_size >= i->size);
}

static int file_write(const struct image *i, uint64_t offset, const uint8_t *from, size_t length)
{
    if (!file_whole(i))
        return -EIO;
    while (length) {
        ssize_t n = pwrite(i->file, from, length, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n ? -errno : -ENOSPC;
        from += n;
        offset += (uint64_t)n;
        length -= (size_t)n;
    }
    return 0;
}

/* What is left of the piece that `offset` is in, at most `length`. */
static size_t in_piece(uint64_t offset, size_t length)
{
    size_t left = PIECE - (size_t)(offset % PIECE);
    return left < length ? left : length;
}

/* A piece of private writes, first filled with what lies below it. NULL: no memory, or *code. */
static uint8_t *piece(const struct image *i, uint64_t n, int *code)
{
    uint8_t **slot = &i->pieces[n];
    if (*slot)
        return *slot;
    uint64_t left = i->size - n * PIECE;
    uint8_t *made = calloc(1, PIECE);
    *code = made ? file_read(i, n * PIECE, made, left < PIECE ? (size_t)left : PIECE) : -ENOMEM;
    if (*code) {
        free(made);
        return NULL;
    }
    return *slot = made;
}

static bool inside(const struct image *i, uint64_t offset, size_t length)
{
    return offset <= i->size && length <= i->size - offset;
}

int image_read(struct image *i, uint64_t offset, void *to, size_t length)
{
    uint8_t *at = to;
    int code = inside(i, offset, length) ? 0 : -EINVAL;
    while (!code && length) {
        size_t n = i->pieces ? in_piece(offset, length) : length;
        const uint8_t *p = i->pieces ? i->pieces[offset / PIECE] : NULL;
        if (p)
            memcpy(at, p + offset % PIECE, n);
        else
            code = file_read(i, offset, at, n);
        at += n;
        offset += n;
        length -= n;
    }
    return code;
}

int image_write(struct image *i, uint64_t offset, const void *from, size_t length)
{
    const uint8_t *at = from;
    int code = i->read_only ? -EROFS : inside(i, offset, length) ? 0 : -EINVAL;
    if (!code && !i->pieces)
        return file_write(i, offset, at, length);
    while (!code && length) {
        size_t n = in_piece(offset, length);
        uint8_t *p = piece(i, offset / PIECE, &code);
        if (p)
            memcpy(p + offset % PIECE, at, n);
        at += n;
        offset += n;
        length -= n;
    }
    return code;
}

int image_zero(struct image *i, uint64_t offset, uint64_t length)
{
    static const uint8_t zeros[PIECE];
    int code = i->read_only ? -EROFS : offset > i->size || length > i->size - offset ? -EINVAL : 0;
    if (!code && !i->pieces && file_whole(i) &&
        !fallocate(i->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)length))
        return 0;
    while (!code && length) {
        size_t n = in_piece(offset, length < PIECE ? (size_t)length : PIECE);
        if (i->pieces && i->file < 0 && n == PIECE) {
            free(i->pieces[offset / PIECE]);
            i->pieces[offset / PIECE] = NULL;
        } else {
            code = image_write(i, offset, zeros, n);
        }
        offset += n;
        length -= n;
    }
    return code;
}

int image_flush(struct image *i)
{
    return i->file < 0 || i->pieces || i->read_only || !fdatasync(i->file) ? 0 : -errno;
}

void image_fields(struct image *i, const struct channel_fields *f)
{
    const uint64_t count = (i->size + PIECE - 1) / PIECE;
    uint64_t size = i->size, n = 0, last = NO_PIECE;
    uint8_t private_writes = i->pieces != NULL;
    f->number(f->context, &size, 8);
    f->number(f->context, &private_writes, 1);
    if (f->loading && (size != i->size || private_writes != (i->pieces != NULL)))
        f->refuse(f->context, "a disk image is not the one of the snapshot");
    if (f->refused(f->context) || !i->pieces)
        return;
    for (; !f->loading && n < count; n++) {
        if (!i->pieces[n])
            continue;
        f->number(f->context, &n, 8);
        f->bytes(f->context, i->pieces[n], PIECE);
    }
    if (!f->loading) {
        f->number(f->context, &last, 8);
        return;
    }
    for (f->number(f->context, &n, 8); !f->refused(f->context) && n != NO_PIECE; f->number(f->context, &n, 8)) {
        if (n < count && !i->pieces[n])
            i->pieces[n] = calloc(1, PIECE);
        if (n >= count || !i->pieces[n])
            f->refuse(f->context, "a block is beyond the disk, or the host has no memory");
        else
            f->bytes(f->context, i->pieces[n], PIECE);
    }
}
