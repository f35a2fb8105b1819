/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing of qcow2 images. A cluster that the image has for itself is written where it lies; any other goes into a new
   cluster, which is whole before the table points to it. */
#include "emu/dev/image/disk.h"
#include "emu/dev/image/qcow2_internal.h"
#include <errno.h>
#include <unistd.h>

#define ZEROS 4096u

static int ready(const struct qcow2 *q) { return !q->writable ? -EROFS : q->damaged ? -EUCLEAN : qcow2_whole(q); }

/* The disk's table of second level for `offset`, made or copied when the image has none for itself. */
static int own_table(struct qcow2 *q, uint64_t offset, uint64_t *table)
{
    const uint64_t index = (offset >> q->bits) / (qcow2_cluster(q) / 8);
    const uint64_t old = get64(q->first + 8 * index);
    uint8_t *bytes, entry[8];
    bool zero;
    *table = old & QCOW2_PLACE;
    if (*table && (old & QCOW2_OWN))
        return 0;
    int code = qcow2_take(q, table, &zero);
    if (code)
        return code;
    memset(q->copy, 0, qcow2_cluster(q));
    if (old & QCOW2_PLACE)
        code = qcow2_table(q, old & QCOW2_PLACE, &bytes);
    if (!code && (old & QCOW2_PLACE))
        memcpy(q->copy, bytes, qcow2_cluster(q));
    if (!code)
        code = qcow2_file_write(q, *table, q->copy, qcow2_cluster(q));
    if (!code && fdatasync(q->file))
        code = -errno;
    put64(entry, *table | QCOW2_OWN);
    if (!code)
        code = qcow2_file_write(q, q->tables_at + 8 * index, entry, sizeof entry);
    if (code) {
        qcow2_put_back(q);
        return code;
    }
    memcpy(q->first + 8 * index, entry, sizeof entry);
    return old & QCOW2_PLACE ? qcow2_give(q, old & QCOW2_PLACE) : 0;
}

/* The table says `entry` of the cluster. */
static int link_cluster(struct qcow2 *q, uint64_t offset, uint64_t entry)
{
    const uint64_t index = (offset >> q->bits) % (qcow2_cluster(q) / 8);
    uint64_t table;
    uint8_t *bytes, word[8];
    int code = own_table(q, offset, &table);
    if (!code)
        code = qcow2_table(q, table, &bytes);
    put64(word, entry);
    if (!code && !q->lazy)
        code = qcow2_file_write(q, table + 8 * index, word, sizeof word);
    if (!code)
        memcpy(bytes + 8 * index, word, sizeof word);
    if (!code && q->lazy)
        qcow2_changed(q, table, 8 * index, 8 * index + 8);
    return code;
}

/* What an entry pointed to is used once less. */
static int give_entry(struct qcow2 *q, uint64_t entry)
{
    const unsigned split = 62 - (q->bits - 8);
    uint64_t at = entry & QCOW2_PLACE, last = at;
    if (entry & QCOW2_COMPRESSED) {
        at = entry & ((UINT64_C(1) << split) - 1);
        last = (at & ~UINT64_C(511)) + (((entry & (QCOW2_COMPRESSED - 1)) >> split) + 1) * 512 - 1;
    } else if (!at) {
        return 0;
    }
    int code = 0;
    for (uint64_t n = at >> q->bits; n <= last >> q->bits && !code; n++)
        code = qcow2_give(q, n << q->bits);
    return code;
}

/* Something lies below the cluster. */
static bool below(const struct qcow2 *q, uint64_t offset) { return offset >> q->bits << q->bits < q->backing_size; }

/* Make the new cluster at `at`: what the old one has, with `length` bytes put over it. */
static int fill(struct qcow2 *q, uint64_t at, bool zero, uint64_t entry, uint64_t offset, const uint8_t *from,
                size_t length)
{
    const uint64_t within = offset & (qcow2_cluster(q) - 1), start = offset - within;
    const enum qcow2_kind kind = qcow2_kind(q, entry);
    const bool empty = kind == QCOW2_ZERO || (kind == QCOW2_ABSENT && !below(q, offset));
    const size_t there = q->size - start < qcow2_cluster(q) ? (size_t)(q->size - start) : qcow2_cluster(q);
    if (length == qcow2_cluster(q) || (empty && zero))
        return qcow2_file_write(q, at + within, from, length);
    memset(q->copy, 0, qcow2_cluster(q));
    int code = qcow2_read_cluster(q, entry, start, q->copy, there);
    memcpy(q->copy + within, from, length);
    if (!code)
        code = qcow2_file_write(q, at, q->copy, qcow2_cluster(q));
    if (code || q->lazy)
        return code;
    return fdatasync(q->file) ? -errno : 0; /* what was there before must not be lost */
}

/* Bytes of one cluster. */
static int write_cluster(struct qcow2 *q, uint64_t offset, const uint8_t *from, size_t length)
{
    const uint64_t within = offset & (qcow2_cluster(q) - 1);
    uint64_t entry, at, table;
    bool zero;
    int code = qcow2_find(q, offset, &entry);
    if (code)
        return code;
    if (qcow2_kind(q, entry) == QCOW2_PLAIN && (entry & QCOW2_OWN)) {
        at = entry & QCOW2_PLACE;
        if ((at & (qcow2_cluster(q) - 1)) || at >= q->end || qcow2_is_table(q, at)) {
            q->damaged = true;
            return -EUCLEAN;
        }
        code = qcow2_file_write(q, at + within, from, length);
        if (!code && at + within + length > q->end)
            q->end = at + within + length;
        return code;
    }
    code = own_table(q, offset, &table);
    if (!code)
        code = qcow2_take(q, &at, &zero);
    if (code)
        return code;
    code = fill(q, at, zero, entry, offset, from, length);
    if (!code)
        code = link_cluster(q, offset, at | QCOW2_OWN);
    if (code) {
        qcow2_put_back(q);
        return code;
    }
    return give_entry(q, entry);
}

int qcow2_write(struct qcow2 *q, uint64_t offset, const uint8_t *from, size_t length)
{
    int code = offset > q->size || length > q->size - offset ? -EINVAL : ready(q);
    while (!code && length) {
        size_t n = qcow2_cluster(q) - (size_t)(offset & (qcow2_cluster(q) - 1));
        if (n > length)
            n = length;
        code = write_cluster(q, offset, from, n);
        from += n;
        offset += n;
        length -= n;
    }
    return code;
}

static int write_zeros(struct qcow2 *q, uint64_t offset, size_t length)
{
    static const uint8_t zeros[ZEROS];
    int code = 0;
    while (!code && length) {
        const size_t left = ZEROS - (size_t)(offset % ZEROS), n = length < left ? length : left;
        const size_t inside = qcow2_cluster(q) - (size_t)(offset & (qcow2_cluster(q) - 1));
        const size_t part = n < inside ? n : inside;
        code = write_cluster(q, offset, zeros, part);
        offset += part;
        length -= part;
    }
    return code;
}

/* Bytes of one cluster. */
static int zero_cluster(struct qcow2 *q, uint64_t offset, size_t length, bool discard)
{
    const bool whole = !(offset & (qcow2_cluster(q) - 1)) && (length == qcow2_cluster(q) || offset + length == q->size);
    uint64_t entry;
    int code = qcow2_find(q, offset, &entry);
    if (code)
        return code;
    const enum qcow2_kind kind = qcow2_kind(q, entry);
    const bool under = below(q, offset);
    if (kind == QCOW2_ZERO || (kind == QCOW2_ABSENT && !under))
        return 0;
    if (!whole || (under && q->version < 3))
        return discard ? 0 : write_zeros(q, offset, length);
    code = link_cluster(q, offset, under ? QCOW2_ZEROS : 0);
    return code ? code : give_entry(q, entry);
}

int qcow2_zero(struct qcow2 *q, uint64_t offset, uint64_t length, bool discard)
{
    int code = offset > q->size || length > q->size - offset ? -EINVAL : ready(q);
    while (!code && length) {
        const size_t inside = qcow2_cluster(q) - (size_t)(offset & (qcow2_cluster(q) - 1));
        const size_t n = length < inside ? (size_t)length : inside;
        code = zero_cluster(q, offset, n, discard);
        offset += n;
        length -= n;
    }
    return code;
}

int qcow2_flush(struct qcow2 *q) { return q->writable ? qcow2_settle(q) : 0; }
