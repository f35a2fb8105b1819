/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often each cluster of a qcow2 image is used. Clusters are counted ahead, some at a time, and their counts are on
   the host's medium before anything points to them; what is not used any more is counted so only when nothing on the
   medium points to it. So the file may be left at any moment: nothing that is used is counted too low. */
#define _GNU_SOURCE /* fallocate */
#include "emu/dev/image/qcow2_internal.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LARGEST      (UINT64_C(8) << 20)  /* bytes of the table of blocks */
#define LARGEST_HOLD (UINT64_C(16) << 20) /* bytes counted ahead */
#define FIRST_BATCH  8u

/* Places in the header. */
enum { HEADER_COUNTS = 48, HEADER_CLUSTERS = 56, HEADER_AUTOCLEAR = 88, HEADER_COUNT_BITS = 96 };

/* ---- counts ---------------------------------------------------------------------------------------------------- */

/* Counts in a block. */
static uint64_t per_block(const struct qcow2 *q) { return (uint64_t)qcow2_cluster(q) * 8 >> q->count_bits; }

static uint64_t get_count(const struct qcow2 *q, const uint8_t *block, uint64_t n)
{
    if (q->count_bits < 3) {
        const unsigned width = 1u << q->count_bits, shift = (unsigned)(n * width % 8);
        return block[n * width / 8] >> shift & ((1u << width) - 1);
    }
    const unsigned size = 1u << (q->count_bits - 3);
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value = value << 8 | block[n * size + i];
    return value;
}

static void put_count(const struct qcow2 *q, uint8_t *block, uint64_t n, uint64_t value)
{
    if (q->count_bits < 3) {
        const unsigned width = 1u << q->count_bits, shift = (unsigned)(n * width % 8);
        uint8_t *byte = block + n * width / 8;
        *byte = (uint8_t)((*byte & ~(((1u << width) - 1) << shift)) | value << shift);
        return;
    }
    const unsigned size = 1u << (q->count_bits - 3);
    for (unsigned i = size; i-- > 0; value >>= 8)
        block[n * size + i] = (uint8_t)value;
}

static int damaged(struct qcow2 *q)
{
    q->damaged = true;
    return -EUCLEAN;
}

static int sync_file(const struct qcow2 *q) { return fdatasync(q->file) ? -errno : 0; }

static bool overlaps(const struct qcow2 *q, uint64_t at, uint64_t place, uint64_t bytes)
{
    return at < place + bytes && place < at + qcow2_cluster(q);
}

bool qcow2_is_table(const struct qcow2 *q, uint64_t at)
{
    const uint64_t blocks_to_here = (q->end >> q->bits) / per_block(q) + 1;
    if (at < qcow2_cluster(q) || overlaps(q, at, q->tables_at, 8 * q->tables) ||
        overlaps(q, at, q->counts_at, 8 * q->blocks))
        return true;
    for (uint64_t i = 0; i < q->blocks && i < blocks_to_here; i++)
        if ((get64(q->counts + 8 * i) & QCOW2_PLACE) == at)
            return true;
    for (uint64_t i = 0; i < q->tables; i++)
        if ((get64(q->first + 8 * i) & QCOW2_PLACE) == at)
            return true;
    return false;
}

/* ---- beginning ------------------------------------------------------------------------------------------------- */

/* The count of the cluster at a place that is used for certain. */
static bool counted(struct qcow2 *q, uint64_t at)
{
    const uint64_t n = at >> q->bits, block = n / per_block(q);
    const uint64_t place = block < q->blocks ? get64(q->counts + 8 * block) & QCOW2_PLACE : 0;
    uint8_t *bytes;
    return place && !qcow2_table(q, place, &bytes) && get_count(q, bytes, n % per_block(q)) > 0;
}

int qcow2_begin_counts(struct qcow2 *q, const uint8_t *header, char *why, size_t size)
{
    const uint64_t bytes = (uint64_t)get32(header + HEADER_CLUSTERS) << q->bits;
    const uint8_t zeros[8] = {0};
    q->counts_at = get64(header + HEADER_COUNTS);
    q->count_bits = q->version == 3 ? get32(header + HEADER_COUNT_BITS) : 4;
    q->blocks = bytes / 8;
    q->batch = FIRST_BATCH;
    q->untouched = (q->end + qcow2_cluster(q) - 1) >> q->bits << q->bits;
    if (bytes <= LARGEST && q->count_bits <= 6 && bytes && !(q->counts_at & (qcow2_cluster(q) - 1)))
        q->counts = malloc((size_t)bytes);
    if (!q->counts || qcow2_file_read(q, q->counts_at, q->counts, (size_t)bytes) || !counted(q, 0) ||
        !counted(q, q->tables_at) || !counted(q, q->counts_at)) {
        snprintf(
            why, size,
            "its counts of clusters are damaged or absent; mend it by `qemu-img check -r all', or add ro or snapshot");
        return -EUCLEAN;
    }
    int code = q->version == 3 && get64(header + HEADER_AUTOCLEAR)
                   ? qcow2_file_write(q, HEADER_AUTOCLEAR, zeros, sizeof zeros)
                   : 0;
    if (code)
        snprintf(why, size, "its header cannot be written: %s; add ro or snapshot", strerror(-code));
    return code;
}

/* ---- more room ------------------------------------------------------------------------------------------------- */

/* The file has at least `bytes` bytes. */
static int lengthen(struct qcow2 *q, uint64_t bytes)
{
    if (bytes <= q->end)
        return 0;
    if (!q->regular)
        return -ENOSPC;
    if (ftruncate(q->file, (off_t)bytes))
        return -errno;
    q->end = bytes;
    return 0;
}

/* A new block of counts, in the first cluster of those that it counts. */
static int new_block(struct qcow2 *q, uint64_t block)
{
    const uint64_t at = block * per_block(q) << q->bits;
    uint8_t entry[8];
    if (qcow2_is_table(q, at))
        return damaged(q);
    int code = lengthen(q, at + qcow2_cluster(q));
    memset(q->copy, 0, qcow2_cluster(q));
    put_count(q, q->copy, 0, 1);
    if (at + qcow2_cluster(q) > q->untouched)
        q->untouched = at + qcow2_cluster(q);
    qcow2_forget(q, at);
    if (!code)
        code = qcow2_file_write(q, at, q->copy, qcow2_cluster(q));
    if (!code)
        code = sync_file(q);
    put64(entry, at);
    if (!code)
        code = qcow2_file_write(q, q->counts_at + 8 * block, entry, sizeof entry);
    if (!code)
        put64(q->counts + 8 * block, at);
    return code;
}

/* Blocks for the clusters from `first` on, `count` of them, of which all are used; then the table that names the
   blocks. */
static int write_new_table(struct qcow2 *q, uint8_t *table, uint64_t entries, uint64_t first, uint64_t clusters)
{
    const uint64_t per = per_block(q), first_block = first / per;
    const uint64_t blocks = (first + clusters - 1) / per - first_block + 1;
    const uint64_t place = first + clusters - blocks; /* of the first block */
    int code = lengthen(q, (first + clusters) << q->bits);
    for (uint64_t i = 0; i < blocks && !code; i++) {
        memset(q->copy, 0, qcow2_cluster(q));
        for (uint64_t n = first; n < first + clusters; n++)
            if (n / per == first_block + i)
                put_count(q, q->copy, n % per, 1);
        put64(table + 8 * (first_block + i), (place + i) << q->bits);
        code = qcow2_file_write(q, (place + i) << q->bits, q->copy, qcow2_cluster(q));
    }
    if (!code)
        code = qcow2_file_write(q, first << q->bits, table, (size_t)(8 * entries));
    return code ? code : sync_file(q);
}

/* The table of blocks moves to the end of the file and becomes larger. */
static int grow(struct qcow2 *q)
{
    const uint64_t per = per_block(q), entry_clusters = qcow2_cluster(q) / 8, old = q->counts_at, had = q->blocks;
    uint64_t first = (q->end + qcow2_cluster(q) - 1) >> q->bits, entries = had + had / 2 + entry_clusters, clusters,
             next;
    if (first < had * per)
        first = had * per;
    for (next = entries;; next += entry_clusters) {
        entries = (next + entry_clusters - 1) / entry_clusters * entry_clusters;
        clusters = entries / entry_clusters;
        clusters += (first + clusters) / per - first / per + 2; /* blocks, and one for the blocks themselves */
        if ((first + clusters - 1) / per < entries)
            break;
    }
    /* As many blocks as the clusters need, not more. */
    clusters = entries / entry_clusters;
    for (next = 1; (first + clusters + next - 1) / per - first / per + 1 > next; next++)
        ;
    clusters += next;
    uint8_t *table = 8 * entries <= LARGEST ? calloc((size_t)entries, 8) : NULL, place[12];
    if (!table)
        return 8 * entries <= LARGEST ? -ENOMEM : -EFBIG;
    memcpy(table, q->counts, (size_t)(8 * had));
    int code = write_new_table(q, table, entries, first, clusters);
    put64(place, first << q->bits);
    put32(place + 8, (uint32_t)(entries / entry_clusters));
    if (!code)
        code = qcow2_file_write(q, HEADER_COUNTS, place, sizeof place);
    if (!code)
        code = sync_file(q);
    if (code) {
        free(table);
        return code;
    }
    q->untouched = (first + clusters) << q->bits;
    free(q->counts);
    q->counts = table;
    q->counts_at = first << q->bits;
    q->blocks = entries;
    for (uint64_t i = 0; i < had / entry_clusters && !code; i++)
        code = qcow2_give(q, old + (i << q->bits));
    return code;
}

/* ---- clusters counted ahead ------------------------------------------------------------------------------------ */

/* Clusters of a block that are free, from the hint on, into q->ahead. */
static int collect(struct qcow2 *q, uint64_t block, uint8_t *bytes, unsigned most, unsigned *found)
{
    const uint64_t per = per_block(q);
    *found = 0;
    for (uint64_t n = q->hint > block * per ? q->hint % per : 0; n < per && *found < most; n++) {
        if (get_count(q, bytes, n))
            continue;
        if (qcow2_is_table(q, (block * per + n) << q->bits))
            return damaged(q);
        q->ahead[(*found)++] = block * per + n;
    }
    return 0;
}

/* The first `count` clusters of q->ahead, all in one block, become used. */
static int claim(struct qcow2 *q, uint64_t block, unsigned count)
{
    const uint64_t per = per_block(q), at = get64(q->counts + 8 * block) & QCOW2_PLACE;
    const uint64_t low = ((q->ahead[0] % per) << q->count_bits) / 8;
    const uint64_t high = ((q->ahead[count - 1] % per + 1) << q->count_bits) / 8;
    uint8_t *bytes;
    int code = lengthen(q, (q->ahead[count - 1] + 1) << q->bits);
    if (!code)
        code = qcow2_table(q, at, &bytes);
    if (code)
        return code;
    memcpy(q->copy, bytes, qcow2_cluster(q));
    for (unsigned i = 0; i < count; i++)
        put_count(q, q->copy, q->ahead[i] % per, 1);
    const size_t length = (size_t)(high - low) + (high < qcow2_cluster(q));
    code = qcow2_file_write(q, at + low, q->copy + low, length);
    if (!code)
        memcpy(bytes + low, q->copy + low, length);
    return code ? code : sync_file(q);
}

static int reserve(struct qcow2 *q)
{
    const uint64_t per = per_block(q);
    q->reserved = q->taken = 0;
    for (uint64_t block = q->hint / per; !q->damaged; block++) {
        unsigned found;
        uint8_t *bytes;
        if (block * per > (q->end >> q->bits) + 2 * per) /* clusters are used that the file does not have */
            return damaged(q);
        int code = block >= q->blocks ? grow(q) : 0;
        if (!code && !(get64(q->counts + 8 * block) & QCOW2_PLACE))
            code = new_block(q, block);
        if (!code)
            code = qcow2_table(q, get64(q->counts + 8 * block) & QCOW2_PLACE, &bytes);
        if (!code)
            code = collect(q, block, bytes, q->batch, &found);
        if (code)
            return code;
        if (!found) {
            q->hint = (block + 1) * per;
            continue;
        }
        code = claim(q, block, found);
        if ((code == -ENOSPC || code == -EFBIG || code == -EDQUOT) && found > 1) {
            q->batch = found = 1;
            code = claim(q, block, 1);
        }
        if (code)
            return code;
        q->reserved = found;
        q->hint = q->ahead[found - 1] + 1;
        if (q->batch < QCOW2_RESERVED && (uint64_t)q->batch << q->bits < LARGEST_HOLD)
            q->batch *= 2;
        return 0;
    }
    return -EUCLEAN;
}

int qcow2_take(struct qcow2 *q, uint64_t *at, bool *zero)
{
    int code = q->damaged ? -EUCLEAN : q->taken == q->reserved ? reserve(q) : 0;
    if (code)
        return code;
    *at = q->ahead[q->taken++] << q->bits;
    *zero = q->regular && *at >= q->untouched;
    if (*at >= q->untouched)
        q->untouched = *at + qcow2_cluster(q);
    qcow2_forget(q, *at);
    return 0;
}

void qcow2_put_back(struct qcow2 *q) { q->taken--; }

/* ---- clusters given back --------------------------------------------------------------------------------------- */

/* The count of a cluster becomes smaller by one. */
static int reduce(struct qcow2 *q, uint64_t number)
{
    const uint64_t per = per_block(q), block = number / per, n = number % per;
    const uint64_t at = block < q->blocks ? get64(q->counts + 8 * block) & QCOW2_PLACE : 0;
    uint8_t *bytes;
    int code = at ? qcow2_table(q, at, &bytes) : -EUCLEAN;
    if (code)
        return code == -EUCLEAN ? damaged(q) : code;
    const uint64_t count = get_count(q, bytes, n);
    if (!count)
        return damaged(q);
    const uint64_t place = (n << q->count_bits) / 8;
    const size_t size = q->count_bits < 3 ? 1 : (size_t)1 << (q->count_bits - 3);
    put_count(q, bytes, n, count - 1);
    code = qcow2_file_write(q, at + place, bytes + place, size);
    if (code) {
        put_count(q, bytes, n, count);
        return code;
    }
    if (count == 1) {
        if (number < q->hint)
            q->hint = number;
        (void)fallocate(q->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(number << q->bits),
                        (off_t)qcow2_cluster(q)); /* saves space where the host can do that */
    }
    return 0;
}

int qcow2_settle(struct qcow2 *q)
{
    bool some;
    int code = qcow2_whole(q);
    if (!code)
        code = qcow2_commit(q, &some);
    if (!code)
        code = sync_file(q);
    while (!code && q->given && !q->damaged)
        code = reduce(q, q->gives[--q->given]);
    return code;
}

int qcow2_give(struct qcow2 *q, uint64_t at)
{
    int code = q->given == QCOW2_GIVEN ? qcow2_settle(q) : 0;
    if (!code)
        q->gives[q->given++] = at >> q->bits;
    return code;
}

int qcow2_rest(struct qcow2 *q)
{
    uint64_t end = q->end;
    int code = q->writable ? qcow2_settle(q) : 0;
    if (!q->writable || q->damaged)
        return code;
    for (; !code && q->reserved > q->taken; q->reserved--) {
        const uint64_t number = q->ahead[q->reserved - 1];
        code = reduce(q, number);
        if ((number + 1) << q->bits == end)
            end = number << q->bits;
    }
    if (!code && end < q->end && q->regular && !ftruncate(q->file, (off_t)end)) { /* if not, it does no harm */
        q->end = end;
        if (q->untouched > end)
            q->untouched = end;
    }
    return code ? code : sync_file(q);
}
