/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What disks held before the guest wrote to them: since the last moment, so that they can go back; and since a
   recording began, so that it can be replayed on a disk that was written to. Blocks of 4096 bytes are kept, each once
   for each of the two. */
#include "base/room.h"
#include "emu/dev/css/css.h"
#include "emu/dev/image/disk.h"
#include "emu/history/internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 4096u
#define DISKS 64u
#define HEAD  12u /* of what is kept of a block: index of the disk, bytes that follow, number of the block */

struct disk {
    unsigned set;
    uint16_t number;
    const struct image *image;
    uint64_t blocks;
    uint64_t *since, *ever; /* of malloc(): bits of blocks that were written to since the last moment, and at all */
};

struct disks {
    struct history *history;
    struct disk disks[DISKS];
    unsigned count;
    struct disks_undo undo; /* since the last moment */
    bool lost;              /* not all of it is there */
    bool undoing;           /* it is us who write */
};

void disks_undo_free(struct disks_undo *u)
{
    free(u->bytes);
    memset(u, 0, sizeof *u);
}

/* Its image, while it is the one that is watched. */
static struct image *image_of(const struct history *h, const struct disk *d)
{
    struct channel_device *device = css_find_number(h->machine->css, d->set, d->number);
    struct image *image = device && device->type->image ? device->type->image(device) : NULL;
    return image == d->image ? image : NULL;
}

/* ---- writing is watched ---------------------------------------------------------------------------------------- */

static bool set_bit(uint64_t *bits, uint64_t n)
{
    const uint64_t bit = UINT64_C(1) << n % 64;
    const bool was = bits[n / 64] & bit;
    bits[n / 64] |= bit;
    return !was;
}

static bool is_zero(const uint8_t *bytes, size_t length)
{
    return !bytes[0] && memcmp(bytes, bytes + 1, length - 1) == 0;
}

static void keep_block(struct disks *all, unsigned index, uint64_t n, const uint8_t *bytes, size_t length)
{
    struct disks_undo *u = &all->undo;
    const size_t kept = is_zero(bytes, length) ? 0 : length;
    if (u->length > all->history->most || !room_for(&u->bytes, &u->room, u->length + HEAD + BLOCK)) {
        all->lost = true;
        return;
    }
    uint8_t *to = u->bytes + u->length;
    put16(to, (uint16_t)index);
    put16(to + 2, (uint16_t)kept);
    put64(to + 4, n);
    memcpy(to + HEAD, bytes, kept);
    u->length += HEAD + kept;
}

static void before_block(struct disks *all, unsigned index, struct image *image, uint64_t n)
{
    struct history *h = all->history;
    struct disk *d = &all->disks[index];
    const uint64_t at = n * BLOCK, left = image_size(image) - at;
    const size_t length = left < BLOCK ? (size_t)left : BLOCK;
    uint8_t bytes[8 + BLOCK];
    const bool moment = h->keeps && set_bit(d->since, n), ever = set_bit(d->ever, n) && !image_private(image);
    if (!moment && !(ever && h->tape && h->tape->out))
        return;
    if (image_read(image, at, bytes + 8, length)) {
        all->lost = true;
        return;
    }
    if (moment)
        keep_block(all, index, n, bytes + 8, length);
    put64(bytes, n);
    if (ever)
        recording_block(h, (uint64_t)d->set << 16 | d->number, bytes, 8 + length);
}

static void before(void *context, struct image *image, uint64_t offset, uint64_t length)
{
    struct disks *all = context;
    unsigned index = 0;
    if (all->undoing)
        return;
    while (index < all->count && all->disks[index].image != image)
        index++;
    for (uint64_t n = offset / BLOCK; index < all->count && n <= (offset + length - 1) / BLOCK; n++)
        before_block(all, index, image, n);
}

static int watch_one(struct disks *all, const struct channel_device *device, struct image *image)
{
    unsigned index = 0;
    while (index < all->count && all->disks[index].image != image)
        index++;
    if (index < all->count)
        return 0;
    struct disk *d = &all->disks[index];
    if (index == DISKS)
        return -ENOMEM;
    *d = (struct disk){.set = device->set, .number = device->number, .image = image};
    d->blocks = (image_size(image) + BLOCK - 1) / BLOCK;
    d->since = calloc((size_t)(d->blocks / 64 + 1), 8);
    d->ever = calloc((size_t)(d->blocks / 64 + 1), 8);
    all->count++;
    if (!d->since || !d->ever)
        return -ENOMEM;
    image_keep(image, &(struct image_keeper){.context = all, .before = before});
    return 0;
}

int disks_watch(struct history *h)
{
    struct channel_device *device;
    int code = 0;
    if (!h->disks) {
        h->disks = calloc(1, sizeof *h->disks);
        if (!h->disks)
            return -ENOMEM;
        h->disks->history = h;
    }
    for (unsigned n = 0; !code && (device = css_device(h->machine->css, n)); n++) {
        struct image *image = device->type->image ? device->type->image(device) : NULL;
        if (image && !image_read_only(image))
            code = watch_one(h->disks, device, image);
    }
    return code;
}

void disks_leave(struct history *h)
{
    struct disks *all = h->disks;
    for (unsigned n = 0; all && n < all->count; n++) {
        struct image *image = h->machines == h->session->machines ? image_of(h, &all->disks[n]) : NULL;
        if (image)
            image_keep(image, NULL);
        free(all->disks[n].since);
        free(all->disks[n].ever);
    }
    if (all)
        disks_undo_free(&all->undo);
    free(all);
    h->disks = NULL;
}

/* ---- going back ------------------------------------------------------------------------------------------------ */

static void forget_since(struct disks *all)
{
    for (unsigned n = 0; n < all->count; n++)
        memset(all->disks[n].since, 0, (size_t)(all->disks[n].blocks / 64 + 1) * 8);
    disks_undo_free(&all->undo);
}

int disks_begin(struct history *h)
{
    const int code = disks_watch(h);
    if (!code) {
        forget_since(h->disks);
        h->disks->lost = false;
    }
    return code;
}

bool disks_keep(struct history *h, struct disks_undo *undo)
{
    struct disks *all = h->disks;
    if (!all)
        return true;
    if (all->undo.length) {
        *undo = all->undo;
        memset(&all->undo, 0, sizeof all->undo);
        forget_since(all);
    }
    return !all->lost;
}

bool disks_changed(const struct history *h) { return h->disks && h->disks->undo.length; }

/* The pieces lie one behind the other and are of different lengths: from the last to the first by their places. */
static int undo_all(struct history *h, const struct disks_undo *u)
{
    static const uint8_t zeros[BLOCK];
    struct disks *all = h->disks;
    size_t count = 0, *places = NULL, room = 0;
    int code = 0;
    for (size_t at = 0; at < u->length; at += HEAD + get16(u->bytes + at + 2)) {
        if (count == room) {
            size_t *more = realloc(places, (room = 2 * room + 64) * sizeof *places);
            if (!more) {
                free(places);
                return -ENOMEM;
            }
            places = more;
        }
        places[count++] = at;
    }
    all->undoing = true;
    while (count && !code) {
        const uint8_t *piece = u->bytes + places[--count];
        const unsigned index = get16(piece), kept = get16(piece + 2);
        struct image *image = index < all->count ? image_of(h, &all->disks[index]) : NULL;
        const uint64_t at = get64(piece + 4) * BLOCK;
        if (!image)
            code = -ENODEV;
        else if (kept)
            code = image_write(image, at, piece + HEAD, kept);
        else
            code = image_write(image, at, zeros, image_size(image) - at < BLOCK ? image_size(image) - at : BLOCK);
    }
    all->undoing = false;
    free(places);
    return code;
}

int disks_return(struct history *h)
{
    if (!h->disks || !h->disks->undo.length)
        return 0;
    const int code = undo_all(h, &h->disks->undo);
    forget_since(h->disks);
    return code;
}

int disks_undo(struct history *h, struct disks_undo *undo) { return undo->length ? undo_all(h, undo) : 0; }

bool disks_undo_join(struct disks_undo *first, struct disks_undo *last)
{
    if (!last->length)
        return true;
    if (!room_for(&first->bytes, &first->room, first->length + last->length))
        return false;
    memcpy(first->bytes + first->length, last->bytes, last->length);
    first->length += last->length;
    disks_undo_free(last);
    return true;
}

/* ---- a recording ----------------------------------------------------------------------------------------------- */

void disks_restore(struct history *h, const struct event *blocks, unsigned count)
{
    for (unsigned n = 0; n < count; n++) {
        const struct event *e = &blocks[n];
        struct channel_device *device =
            css_find_number(h->machine->css, (unsigned)(e->value >> 16 & 3), (uint16_t)e->value);
        struct image *image = device && device->type->image ? device->type->image(device) : NULL;
        const uint64_t block = get64(e->bytes);
        if (image && image_private(image) && block < image_size(image) / BLOCK + 1)
            (void)!image_write(image, block * BLOCK, e->bytes + 8, e->length - 8); /* identity tells of the rest */
    }
}
