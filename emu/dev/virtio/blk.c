/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Virtio block device on a disk image. Virtual I/O Device specification 1.2, section 5.2. */
#include "emu/dev/css/medium.h"
#include "emu/dev/virtio/transport.h"
#include "emu/dev/virtio/types.h"
#include "emu/state/machine.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define SECTOR        512u
#define QUEUE_SIZE    256
#define MOST_SEGMENTS 254u
#define MOST_SECTORS  32768u /* that one discard or write-zeroes segment names */
#define MOST_RANGES   16u
#define HEADER        16u
#define RANGE         16u
#define NAME          20u
#define PIECE         65536u
#define HEADS         16u
#define TRACK         63u /* sectors */

enum { FEATURE_SEGMENTS = 2, FEATURE_GEOMETRY = 4, FEATURE_READ_ONLY = 5, FEATURE_BLOCK_SIZE = 6, FEATURE_FLUSH = 9 };
enum { FEATURE_QUEUES = 12, FEATURE_DISCARD = 13, FEATURE_WRITE_ZEROES = 14 };
enum {
    REQUEST_READ = 0,
    REQUEST_WRITE = 1,
    REQUEST_FLUSH = 4,
    REQUEST_NAME = 8,
    REQUEST_DISCARD = 11,
    REQUEST_WRITE_ZEROES = 13
};
enum { DONE = 0, FAILED = 1, UNKNOWN = 2 };

struct block {
    struct virtio v;
    struct image *image;
    uint64_t sectors;
    char name[NAME + 1]; /* that the guest can ask for */
    uint8_t piece[PIECE];
};

static void config(struct virtio *v, uint8_t *to)
{
    const struct block *b = (const struct block *)v;
    const uint64_t cylinders = b->sectors / (HEADS * TRACK);
    virtio_put(v, to, b->sectors, 8);
    virtio_put(v, to + 12, MOST_SEGMENTS, 4);
    virtio_put(v, to + 16, cylinders < 65535 ? cylinders : 65535, 2);
    to[18] = HEADS;
    to[19] = TRACK;
    virtio_put(v, to + 20, SECTOR, 4);
    virtio_put(v, to + 34, v->kind->queues, 2);
    virtio_put(v, to + 36, MOST_SECTORS, 4);
    virtio_put(v, to + 40, MOST_RANGES, 4);
    virtio_put(v, to + 44, image_piece(b->image) / SECTOR, 4);
    virtio_put(v, to + 48, MOST_SECTORS, 4);
    virtio_put(v, to + 52, MOST_RANGES, 4);
    to[56] = 1; /* zeros may be made by giving space back */
}

static uint8_t host_result(struct block *b, const char *what, uint64_t offset, int code)
{
    return image_result(b->image, what, offset, code, "an I/O error") ? FAILED : DONE;
}

static bool on_disk(const struct block *b, uint64_t sector, uint64_t bytes)
{
    return bytes % SECTOR == 0 && sector <= b->sectors && bytes / SECTOR <= b->sectors - sector;
}

static uint8_t transfer(struct block *b, bool write, uint64_t sector, uint64_t bytes)
{
    uint64_t done = 0;
    int code = 0;
    if (!on_disk(b, sector, bytes) || (write && image_read_only(b->image)))
        return FAILED;
    while (done < bytes && !code) {
        size_t n = bytes - done < PIECE ? (size_t)(bytes - done) : PIECE;
        if (write) {
            if (virtio_read(&b->v, HEADER + done, b->piece, n) < n)
                return FAILED;
            code = image_write(b->image, sector * SECTOR + done, b->piece, n);
        } else {
            code = image_read(b->image, sector * SECTOR + done, b->piece, n);
            if (!code && virtio_write(&b->v, done, b->piece, n) < n)
                return FAILED;
        }
        done += code ? 0 : n;
    }
    if (write && !code && !virtio_accepted(&b->v, FEATURE_FLUSH)) /* a guest that never flushes */
        code = image_flush(b->image);
    return host_result(b, write ? "write" : "read", sector * SECTOR + done, code);
}

/* Ranges that become zero, or whose contents do not matter any more. */
static uint8_t zero_ranges(struct block *b, bool discard)
{
    const uint64_t bytes = b->v.request.out - HEADER;
    uint8_t range[RANGE];
    if (!bytes || bytes % RANGE || bytes / RANGE > MOST_RANGES || image_read_only(b->image))
        return FAILED;
    for (uint64_t at = 0; at < bytes; at += RANGE) {
        if (virtio_read(&b->v, HEADER + at, range, RANGE) < RANGE)
            return FAILED;
        uint64_t sector = virtio_get(&b->v, range, 8), count = virtio_get(&b->v, range + 8, 4);
        uint32_t flags = (uint32_t)virtio_get(&b->v, range + 12, 4);
        if (flags & (discard ? ~0u : ~1u))
            return UNKNOWN;
        if (count > MOST_SECTORS || !on_disk(b, sector, count * SECTOR))
            return FAILED;
        int code = image_zero(b->image, sector * SECTOR, count * SECTOR, discard);
        if (host_result(b, "write", sector * SECTOR, code) != DONE)
            return FAILED;
    }
    return DONE;
}

/* Carry out the request. `room`: bytes for data that the guest gave; *written: those that were filled. */
static uint8_t carry_out(struct block *b, uint64_t room, uint64_t *written)
{
    uint8_t header[HEADER];
    *written = 0;
    if (virtio_read(&b->v, 0, header, HEADER) < HEADER)
        return FAILED;
    const uint64_t sector = virtio_get(&b->v, header + 8, 8);
    uint8_t result;
    switch (virtio_get(&b->v, header, 4)) {
    case REQUEST_READ:
        result = transfer(b, false, sector, room);
        *written = result == DONE ? room : 0;
        return result;
    case REQUEST_WRITE:
        return transfer(b, true, sector, b->v.request.out - HEADER);
    case REQUEST_FLUSH:
        return host_result(b, "flush", 0, image_flush(b->image));
    case REQUEST_NAME:
        *written = virtio_write(&b->v, 0, b->name, room < NAME ? (size_t)room : NAME);
        return DONE;
    case REQUEST_DISCARD:
    case REQUEST_WRITE_ZEROES:
        return zero_ranges(b, virtio_get(&b->v, header, 4) == REQUEST_DISCARD);
    default:
        return UNKNOWN;
    }
}

static void serve(struct virtio *v, unsigned queue)
{
    struct block *b = (struct block *)v;
    image_set_lazy(b->image, virtio_accepted(v, FEATURE_FLUSH));
    while (virtio_take(v, queue)) {
        if (v->request.in < 1) {
            virtio_break(v, "a request has no room for its status");
            break;
        }
        uint64_t room = v->request.in - 1, filled;
        uint8_t result = carry_out(b, room, &filled);
        if (virtio_write(v, room, &result, 1) < 1)
            virtio_break(v, "a buffer is not in storage");
        else
            virtio_done(v, queue, (uint32_t)filled + 1);
    }
    image_set_lazy(b->image, false); /* block I/O does not flush */
    virtio_tell(v, queue);
}

static void own_fields(struct virtio *v, const struct channel_fields *f)
{
    image_fields(((struct block *)v)->image, f);
}

static const struct virtio_kind kind = {
    .queues = 4,
    .config_length = 60,
    .queue_size = QUEUE_SIZE,
    .config = config,
    .serve = serve,
    .fields = own_fields,
};

/* The disk's name out of the device's words: "serial=TEXT", which is taken away. False: it is too long. */
static bool take_name(struct block *b, unsigned *count, char **words, char **rest)
{
    static const char word[] = "serial=";
    unsigned kept = 0;
    bool good = true;
    snprintf(b->name, sizeof b->name, "zri-%u:%04X", b->v.device->set & 7u, b->v.device->number);
    for (unsigned i = 0; i < *count; i++)
        if (strncmp(words[i], word, sizeof word - 1) != 0)
            rest[kept++] = words[i];
        else if (strlen(words[i]) - (sizeof word - 1) > NAME)
            good = false;
        else
            strncpy(b->name, words[i] + sizeof word - 1, NAME); /* filled with zeros */
    *count = kept;
    return good;
}

static int open_block(struct channel_device *d, unsigned count, char **words, char *error, size_t size)
{
    struct block *b = calloc(1, sizeof *b);
    char **rest = calloc(count + 1, sizeof *rest);
    d->own = b;
    if (!b || !rest) {
        snprintf(error, size, "the host has no memory for a disk");
        free(rest);
        return -ENOMEM;
    }
    b->v.device = d;
    if (take_name(b, &count, words, rest))
        b->image = channel_medium(d, count, rest, error, size);
    else
        snprintf(error, size, "a disk's serial= has at most %u characters; write a shorter one", NAME);
    free(rest);
    if (!b->image)
        return -EINVAL;
    b->sectors = image_size(b->image) / SECTOR;
    uint64_t features = VIRTIO_FEATURE(FEATURE_SEGMENTS) | VIRTIO_FEATURE(FEATURE_GEOMETRY) |
                        VIRTIO_FEATURE(FEATURE_BLOCK_SIZE) | VIRTIO_FEATURE(FEATURE_FLUSH) |
                        VIRTIO_FEATURE(FEATURE_QUEUES);
    features |= image_read_only(b->image) ? VIRTIO_FEATURE(FEATURE_READ_ONLY)
                                          : VIRTIO_FEATURE(FEATURE_DISCARD) | VIRTIO_FEATURE(FEATURE_WRITE_ZEROES);
    virtio_open(&b->v, d, &kind, features);
    return 0;
}

static void close_block(struct channel_device *d)
{
    struct block *b = d->own;
    if (b)
        image_close(b->image);
    free(b);
    d->own = NULL;
}

static void describe(const struct channel_device *d, char *text, size_t size)
{
    const struct block *b = d->own;
    char kind[80];
    image_describe(b->image, kind, sizeof kind);
    snprintf(text, size, "%llu sectors, %s", (unsigned long long)b->sectors, kind);
}

static struct image *image_of(struct channel_device *d) { return ((struct block *)d->own)->image; }

const struct channel_type virtio_blk_type = {
    VIRTIO_TYPE("virtio-blk", VIRTIO_ID_BLOCK, IMAGE_WORDS " [serial=TEXT]",
                "virtio disk; snapshot: writes are kept in memory; =SIZE: empty, in memory"),
    .open = open_block,
    .close = close_block,
    .describe = describe,
    .image = image_of,
};
