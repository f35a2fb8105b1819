/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed-block disks 3370 and 9336 with blocks of 512 bytes. The command set is that of IBM's descriptions of
   these disks: a chain defines an extent, locates blocks in it and then reads or writes them. */
#include "emu/dev/css/medium.h"
#include "emu/dev/unit/types.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 512u

enum {
    COMMAND_WRITE = 0x41,
    COMMAND_READ_IPL = 0x02,
    COMMAND_READ = 0x42,
    COMMAND_LOCATE = 0x43,
    COMMAND_DEFINE_EXTENT = 0x63,
    COMMAND_CHARACTERISTICS = 0x64,
    COMMAND_RELEASE = 0x94,
    COMMAND_BUFFERED_LOG = 0xa4,
    COMMAND_RESERVE = 0xb4,
};

/* Define extent, byte 0: what may be written; and bits that must be zero. */
#define MASK_CONTROL  0xc0
#define MASK_NO_WRITE 0x40
#define MASK_RESERVED 0x33
/* Locate, byte 0. */
enum { OPERATION_WRITE = 0x01, OPERATION_READ_COPY = 0x02, OPERATION_WRITE_VERIFY = 0x05, OPERATION_READ = 0x06 };
/* Sense byte 1. */
#define SENSE1_WRITE_INHIBITED 0x02
#define SENSE1_FILE_PROTECTED  0x04

struct fba {
    struct image *image;
    uint32_t blocks;
    /* The extent of the chain */
    bool defined, located;
    uint8_t mask, operation;
    uint32_t offset, first, last; /* block on the disk; logical blocks */
    /* The blocks located */
    uint32_t block, count;
};

static int fba_open(struct channel_device *d, unsigned count, char **words, char *error, size_t size)
{
    struct fba *f = calloc(1, sizeof *f);
    d->own = f;
    if (!f) {
        snprintf(error, size, "the host has no memory for a disk");
        return -ENOMEM;
    }
    f->image = channel_medium(d, count, words, error, size);
    if (!f->image)
        return -EINVAL;
    uint64_t blocks = image_size(f->image) / BLOCK;
    if (blocks == 0 || blocks > UINT32_MAX) {
        snprintf(error, size, "the disk image is %s; a disk has 1 to 4294967295 blocks of 512 bytes",
                 blocks ? "too large" : "too small");
        return -EINVAL;
    }
    f->blocks = (uint32_t)blocks;
    return 0;
}

static void fba_close(struct channel_device *d)
{
    struct fba *f = d->own;
    if (f)
        image_close(f->image);
    free(f);
    d->own = NULL;
}

static void fba_reset(struct channel_device *d, bool system)
{
    struct fba *f = d->own;
    (void)system;
    f->defined = f->located = false;
}

static unsigned reject(struct channel_device *d, uint8_t sense0, uint8_t sense1)
{
    unsigned status = channel_check(d, CHANNEL_GOOD, sense0);
    d->sense[1] = sense1;
    return status;
}

/* What the host did with block f->block: when it could not, the guest gets an equipment check. False: it could not. */
static bool host_did(struct fba *f, const char *what, int code)
{
    return image_result(f->image, what, (uint64_t)f->block * BLOCK, code, "an equipment check") == 0;
}

static unsigned define_extent(struct channel_device *d, struct fba *f, struct channel_io *io)
{
    uint8_t p[16];
    f->defined = f->located = false;
    if (channel_fetch(io, p, sizeof p) < sizeof p)
        return reject(d, SENSE_COMMAND_REJECT, 0);
    f->mask = p[0];
    f->offset = get32(p + 4);
    f->first = get32(p + 8);
    f->last = get32(p + 12);
    if ((p[0] & MASK_RESERVED) || (p[0] & MASK_CONTROL) == 0x80 || p[1] || (get16(p + 2) && get16(p + 2) != BLOCK) ||
        f->first > f->last || f->offset >= f->blocks || f->last - f->first > f->blocks - 1 - f->offset)
        return reject(d, SENSE_COMMAND_REJECT, 0);
    f->defined = true;
    return CHANNEL_GOOD;
}

static unsigned locate(struct channel_device *d, struct fba *f, struct channel_io *io)
{
    uint8_t p[8];
    f->located = false;
    if (!f->defined || channel_fetch(io, p, sizeof p) < sizeof p)
        return reject(d, SENSE_COMMAND_REJECT, 0);
    uint32_t count = get16(p + 2), block = get32(p + 4);
    f->operation = p[0] & 0x0f;
    bool known = f->operation == OPERATION_WRITE || f->operation == OPERATION_READ_COPY ||
                 f->operation == OPERATION_WRITE_VERIFY || f->operation == OPERATION_READ;
    if ((p[0] & 0xf0) || !known || count == 0)
        return reject(d, SENSE_COMMAND_REJECT, 0);
    if (block < f->first || block > f->last || count - 1 > f->last - block)
        return reject(d, 0, SENSE1_FILE_PROTECTED);
    f->block = f->offset + (block - f->first);
    f->count = count;
    f->located = true;
    return CHANNEL_GOOD;
}

/* Blocks as long as the program has room for them. */
static unsigned read_blocks(struct channel_device *d, struct fba *f, struct channel_io *io)
{
    uint8_t bytes[BLOCK];
    if (!f->located || (f->operation != OPERATION_READ && f->operation != OPERATION_READ_COPY))
        return reject(d, SENSE_COMMAND_REJECT, 0);
    for (; f->count; f->count--, f->block++) {
        int code = image_read(f->image, (uint64_t)f->block * BLOCK, bytes, BLOCK);
        if (!host_did(f, "read", code))
            return reject(d, SENSE_EQUIPMENT_CHECK, 0);
        if (channel_store(io, bytes, BLOCK) < BLOCK)
            break;
    }
    return CHANNEL_GOOD;
}

static unsigned write_blocks(struct channel_device *d, struct fba *f, struct channel_io *io)
{
    uint8_t bytes[BLOCK];
    if (!f->located || (f->operation != OPERATION_WRITE && f->operation != OPERATION_WRITE_VERIFY))
        return reject(d, SENSE_COMMAND_REJECT, 0);
    if ((f->mask & MASK_CONTROL) == MASK_NO_WRITE || image_read_only(f->image))
        return reject(d, SENSE_COMMAND_REJECT, SENSE1_WRITE_INHIBITED);
    for (; f->count; f->count--, f->block++) {
        size_t n = channel_fetch(io, bytes, BLOCK);
        if (n == 0 || channel_failed(io))
            break;
        memset(bytes + n, 0, BLOCK - n); /* the rest of a short block is zeros */
        int code = image_write(f->image, (uint64_t)f->block * BLOCK, bytes, BLOCK);
        if (!host_did(f, "write", code))
            return reject(d, SENSE_EQUIPMENT_CHECK, 0);
        if (n < BLOCK)
            break;
    }
    return CHANNEL_GOOD;
}

static unsigned read_ipl(struct channel_device *d, struct fba *f, struct channel_io *io)
{
    f->mask = MASK_NO_WRITE;
    f->offset = f->first = 0;
    f->last = f->blocks - 1;
    f->block = 0;
    f->count = 1;
    f->operation = OPERATION_READ;
    f->defined = f->located = true;
    return read_blocks(d, f, io);
}

static unsigned characteristics(const struct channel_device *d, const struct fba *f, struct channel_io *io)
{
    const bool older = d->type->device_type == 0x3370;
    uint8_t p[32] = {0};
    p[0] = 0x30; /* burst mode, data chaining */
    p[1] = 0x08; /* movable access mechanism */
    p[2] = 0x21;
    p[3] = older ? 0x02 : 0x11;
    put16(p + 4, BLOCK);
    put32(p + 6, older ? 744 : 777); /* blocks in a cyclical group */
    put32(p + 10, older ? 62 : 111); /* blocks under one access position */
    put32(p + 14, f->blocks);
    channel_store(io, p, sizeof p);
    return CHANNEL_GOOD;
}

static unsigned fba_command(struct channel_device *d, uint8_t command, struct channel_io *io)
{
    struct fba *f = d->own;
    uint8_t zeros[32] = {0};
    if (channel_first(io))
        f->defined = f->located = false;
    switch (command) {
    case COMMAND_DEFINE_EXTENT:
        return define_extent(d, f, io);
    case COMMAND_LOCATE:
        return locate(d, f, io);
    case COMMAND_READ:
        return read_blocks(d, f, io);
    case COMMAND_WRITE:
        return write_blocks(d, f, io);
    case COMMAND_READ_IPL:
        return read_ipl(d, f, io);
    case COMMAND_CHARACTERISTICS:
        return characteristics(d, f, io);
    case COMMAND_RESERVE: /* no other system shares the disk */
    case COMMAND_RELEASE:
        channel_store(io, d->sense, d->type->sense_length);
        return CHANNEL_GOOD;
    case COMMAND_BUFFERED_LOG:
        channel_store(io, zeros, 24);
        return CHANNEL_GOOD;
    default:
        return channel_command(d, command, io);
    }
}

static void fba_describe(const struct channel_device *d, char *text, size_t size)
{
    const struct fba *f = d->own;
    char kind[80];
    image_describe(f->image, kind, sizeof kind);
    snprintf(text, size, "%u blocks, %s", f->blocks, kind);
}

static void fba_fields(struct channel_device *d, const struct channel_fields *f)
{
    struct fba *own = d->own;
    uint8_t defined = own->defined, located = own->located;
    f->number(f->context, &defined, 1);
    f->number(f->context, &located, 1);
    f->number(f->context, &own->mask, 1);
    f->number(f->context, &own->operation, 1);
    f->number(f->context, &own->offset, 4);
    f->number(f->context, &own->first, 4);
    f->number(f->context, &own->last, 4);
    f->number(f->context, &own->block, 4);
    f->number(f->context, &own->count, 4);
    if (f->loading && (own->block > own->blocks || own->count > own->blocks - own->block)) {
        own->block = own->count = 0;
        f->refuse(f->context, "a disk is shorter than it was");
    }
    own->defined = defined == 1;
    own->located = located == 1;
    image_fields(own->image, f);
}

static struct image *fba_image(struct channel_device *d) { return ((struct fba *)d->own)->image; }

#define FBA_TYPE(variable, text, unit, unit_model, type, model)                                                        \
    const struct channel_type variable = {                                                                             \
        .name = text,                                                                                                  \
        .arguments = IMAGE_WORDS,                                                                                      \
        .help = "fixed-block disk, blocks of 512 bytes; snapshot: writes are kept in memory; =SIZE: empty, in memory", \
        CHANNEL_UNIT(unit, unit_model, type, model, 24),                                                               \
        .open = fba_open,                                                                                              \
        .close = fba_close,                                                                                            \
        .reset = fba_reset,                                                                                            \
        .command = fba_command,                                                                                        \
        .describe = fba_describe,                                                                                      \
        .fields = fba_fields,                                                                                          \
        .image = fba_image,                                                                                            \
    }
FBA_TYPE(fba_3370_type, "3370", 0x3880, 0x01, 0x3370, 0x00);
FBA_TYPE(fba_9336_type, "9336", 0x6310, 0x80, 0x9336, 0x10);
