/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading of qcow2 images. The disk is cut into clusters; a table of tables tells where each lies in the file. Numbers
   are big-endian. Nothing in the file is believed. */
#include "emu/dev/qcow2.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#define MAGIC          0x514649fbu
#define HEADER         112u
#define SHORTEST       72u  /* header of version 2 */
#define KNOWN_FEATURES 0x1u /* incompatible ones: it was not closed well, which matters to writers */
#define PLACE          UINT64_C(0x00fffffffffffe00)
#define COMPRESSED     (UINT64_C(1) << 62)
#define ZEROS          UINT64_C(1)
#define LARGEST_TABLE  (UINT64_C(4) << 20) /* entries of the first table */
#define NONE           UINT64_MAX

struct qcow2 {
    int file;
    unsigned bits; /* of a cluster's size */
    unsigned version;
    uint64_t size, tables; /* bytes of the disk; entries of the first table */
    uint8_t *first;        /* the first table */
    uint64_t second_at;    /* where the second-level table in `second` lies; NONE: nothing is in it */
    uint8_t *second;       /* a cluster */
    uint64_t entry;        /* entry of the compressed cluster in `cluster`; NONE */
    uint8_t *cluster, *packed;
};

static int read_file(int file, uint64_t offset, uint8_t *to, size_t length)
{
    while (length) {
        ssize_t n = offset > INT64_MAX ? 0 : pread(file, to, length, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n ? -errno : -EIO;
        to += n;
        offset += (uint64_t)n;
        length -= (size_t)n;
    }
    return 0;
}

static size_t cluster_size(const struct qcow2 *q) { return (size_t)1 << q->bits; }

static int understand(struct qcow2 *q, const uint8_t *header)
{
    q->version = get32(header + 4);
    q->bits = get32(header + 20);
    q->size = get64(header + 24);
    q->tables = get32(header + 36);
    if (get32(header) != MAGIC)
        return -EINVAL;
    if (q->version < 2 || q->version > 3 || get64(header + 8) || get32(header + 32))
        return -ENOTSUP;
    if (q->version == 3 && (get64(header + 72) & ~(uint64_t)KNOWN_FEATURES))
        return -ENOTSUP;
    if (q->bits < 9 || q->bits > 21 || q->tables > LARGEST_TABLE || !q->size || q->size > INT64_MAX)
        return -EINVAL;
    const unsigned covered = 2 * q->bits - 3; /* bits of the bytes that one entry of the first table stands for */
    return (q->size - 1) >> covered < q->tables ? 0 : -EINVAL;
}

int qcow2_open(int file, struct qcow2 **image)
{
    uint8_t header[HEADER] = {0};
    struct qcow2 *q = calloc(1, sizeof *q);
    *image = q;
    if (!q)
        return -ENOMEM;
    q->file = file;
    q->second_at = q->entry = NONE;
    int code = read_file(file, 0, header, SHORTEST);
    if (!code && get32(header + 4) == 3)
        code = read_file(file, SHORTEST, header + SHORTEST, 8);
    if (!code)
        code = understand(q, header);
    if (!code) {
        q->first = malloc(8 * q->tables);
        q->second = malloc(cluster_size(q));
        q->cluster = malloc(cluster_size(q));
        q->packed = malloc(2 * cluster_size(q));
        code = q->first && q->second && q->cluster && q->packed ? 0 : -ENOMEM;
    }
    if (!code)
        code = read_file(file, get64(header + 40), q->first, 8 * q->tables);
    if (!code)
        return 0;
    qcow2_close(q);
    *image = NULL;
    return code;
}

void qcow2_close(struct qcow2 *q)
{
    if (!q)
        return;
    free(q->first);
    free(q->second);
    free(q->cluster);
    free(q->packed);
    free(q);
}

uint64_t qcow2_size(const struct qcow2 *q) { return q->size; }

/* The second-level entry for the cluster that `offset` is in; 0: it is absent. */
static int find_entry(struct qcow2 *q, uint64_t offset, uint64_t *entry)
{
    const uint64_t number = offset >> q->bits, entries = cluster_size(q) / 8;
    const uint64_t table = get64(q->first + 8 * (number / entries)) & PLACE;
    *entry = 0;
    if (!table)
        return 0;
    if (table != q->second_at) {
        q->second_at = NONE;
        int code = read_file(q->file, table, q->second, cluster_size(q));
        if (code)
            return code;
        q->second_at = table;
    }
    *entry = get64(q->second + 8 * (number % entries));
    return 0;
}

#ifdef HAVE_ZLIB
/* The compressed cluster of an entry into q->cluster. */
static int unpack(struct qcow2 *q, uint64_t entry)
{
    const unsigned split = 62 - (q->bits - 8);
    const uint64_t at = entry & ((UINT64_C(1) << split) - 1);
    const uint64_t sectors = (entry & (COMPRESSED - 1)) >> split;
    size_t length = (size_t)((sectors + 1) * 512 - (at & 511)), got = 0;
    if (entry == q->entry)
        return 0;
    q->entry = NONE;
    if (length > 2 * cluster_size(q))
        return -EIO;
    while (got < length) { /* the last sector may lie beyond the end of the file */
        ssize_t n = pread(q->file, q->packed + got, length - got, (off_t)(at + got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        if (n == 0)
            break;
        got += (size_t)n;
    }
    z_stream z = {
        .next_in = q->packed, .avail_in = (uInt)got, .next_out = q->cluster, .avail_out = (uInt)cluster_size(q)};
    if (inflateInit2(&z, -15) != Z_OK)
        return -ENOMEM;
    int code = inflate(&z, Z_FINISH);
    inflateEnd(&z);
    if (z.avail_out || (code != Z_STREAM_END && code != Z_BUF_ERROR && code != Z_OK))
        return -EIO;
    q->entry = entry;
    return 0;
}
#else
static int unpack(struct qcow2 *q, uint64_t entry)
{
    (void)q;
    (void)entry;
    return -ENOTSUP; /* built without zlib */
}
#endif

/* Bytes of one cluster. */
static int read_piece(struct qcow2 *q, uint64_t offset, uint8_t *to, size_t length)
{
    const uint64_t within = offset & (cluster_size(q) - 1);
    uint64_t entry;
    int code = find_entry(q, offset, &entry);
    if (code)
        return code;
    if (entry & COMPRESSED) {
        code = unpack(q, entry);
        if (!code)
            memcpy(to, q->cluster + within, length);
        return code;
    }
    if (!(entry & PLACE) || (q->version == 3 && (entry & ZEROS))) {
        memset(to, 0, length);
        return 0;
    }
    return read_file(q->file, (entry & PLACE) + within, to, length);
}

int qcow2_read(struct qcow2 *q, uint64_t offset, uint8_t *to, size_t length)
{
    int code = offset > q->size || length > q->size - offset ? -EINVAL : 0;
    while (!code && length) {
        size_t n = cluster_size(q) - (size_t)(offset & (cluster_size(q) - 1));
        if (n > length)
            n = length;
        code = read_piece(q, offset, to, n);
        to += n;
        offset += n;
        length -= n;
    }
    return code;
}
