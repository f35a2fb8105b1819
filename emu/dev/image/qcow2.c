/* SPDX-License-Identifier: GPL-3.0-or-later */
/* qcow2 images: the header, and reading. The disk is cut into clusters; a table of tables tells where each lies in the
   file. Numbers are big-endian. Nothing in the file is believed. */
#include "emu/dev/image/disk.h"
#include "emu/dev/image/host_file.h"
#include "emu/dev/image/qcow2_internal.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#define MAGIC         0x514649fbu
#define HEADER        112u
#define SHORTEST      72u                 /* header of version 2 */
#define LARGEST_TABLE (UINT64_C(4) << 20) /* entries of the first table */
#define LONGEST_NAME  1023u               /* of a backing image */
#define WITHOUT       "take a copy made by `qemu-img convert -O qcow2'"
#define CHECK         "mend it by `qemu-img check -r all'"

/* Incompatible features. */
enum { FEATURE_DIRTY = 1, FEATURE_CORRUPT = 2, FEATURE_EXTERNAL = 4, FEATURE_COMPRESSION = 8, FEATURE_EXTENDED = 16 };
enum { EXTENSION_END = 0, EXTENSION_FORMAT = 0xe2792aca };

/* ---- the file -------------------------------------------------------------------------------------------------- */

int qcow2_file_read(const struct qcow2 *q, uint64_t offset, uint8_t *to, size_t length)
{
    const uint64_t last = (q->end + qcow2_cluster(q) - 1) >> q->bits << q->bits;
    if (offset > last || length > last - offset)
        return -EUCLEAN;
    return host_file_read(q->file, q->end, offset, to, length);
}

int qcow2_file_write(const struct qcow2 *q, uint64_t offset, const uint8_t *from, size_t length)
{
    return host_file_write(q->file, offset, from, length);
}

int qcow2_whole(const struct qcow2 *q)
{
    struct stat st;
    if (fstat(q->file, &st))
        return -errno;
    return q->regular && (uint64_t)st.st_size < q->end ? -EIO : 0;
}

int qcow2_table(struct qcow2 *q, uint64_t at, uint8_t **bytes)
{
    struct qcow2_table *t = q->kept;
    for (unsigned i = 0; i < QCOW2_TABLES; i++) {
        if (q->kept[i].at == at) {
            t = &q->kept[i];
            break;
        }
        if (q->kept[i].used < t->used)
            t = &q->kept[i];
    }
    if (t->at != at && t->high) {
        bool some;
        int code = qcow2_commit(q, &some);
        if (code)
            return code;
    }
    if (!t->bytes)
        t->bytes = malloc(qcow2_cluster(q));
    if (!t->bytes)
        return -ENOMEM;
    t->used = ++q->clock;
    *bytes = t->bytes;
    if (t->at == at)
        return 0;
    t->at = QCOW2_NONE;
    int code = at & (qcow2_cluster(q) - 1) ? -EUCLEAN : qcow2_file_read(q, at, t->bytes, qcow2_cluster(q));
    if (!code)
        t->at = at;
    return code;
}

void qcow2_changed(struct qcow2 *q, uint64_t at, size_t low, size_t high)
{
    for (unsigned i = 0; i < QCOW2_TABLES; i++) {
        struct qcow2_table *t = &q->kept[i];
        if (t->at != at)
            continue;
        t->low = t->high && t->low < low ? t->low : low;
        t->high = t->high > high ? t->high : high;
    }
}

int qcow2_commit(struct qcow2 *q, bool *some)
{
    int code = 0;
    *some = false;
    for (unsigned i = 0; i < QCOW2_TABLES && !code; i++) {
        struct qcow2_table *t = &q->kept[i];
        if (!t->high)
            continue;
        if (!*some)
            code = qcow2_whole(q);
        if (!*some && !code && fdatasync(q->file))
            code = -errno;
        if (code)
            return code;
        *some = true;
        code = qcow2_file_write(q, t->at + t->low, t->bytes + t->low, t->high - t->low);
        if (!code)
            t->low = t->high = 0;
    }
    return code;
}

void qcow2_forget(struct qcow2 *q, uint64_t at)
{
    for (unsigned i = 0; i < QCOW2_TABLES; i++)
        if (q->kept[i].at == at)
            q->kept[i] = (struct qcow2_table){.at = QCOW2_NONE, .bytes = q->kept[i].bytes};
}

/* ---- the header ------------------------------------------------------------------------------------------------ */

static int refuse(int code, char *why, size_t size, const char *text)
{
    snprintf(why, size, "%s", text);
    return code;
}

static int features(const struct qcow2 *q, const uint8_t *header, char *why, size_t size)
{
    const uint64_t wanted = q->version == 3 ? get64(header + 72) : 0;
    if (get32(header + 32))
        return refuse(-ENOTSUP, why, size, "it is encrypted, which is not known here; " WITHOUT);
    if (wanted & FEATURE_EXTERNAL)
        return refuse(-ENOTSUP, why, size, "its data are in another file, which is not known here; " WITHOUT);
    if (wanted & FEATURE_EXTENDED)
        return refuse(-ENOTSUP, why, size, "it has subclusters (extended_l2), which are not known here; " WITHOUT);
    if (wanted & FEATURE_COMPRESSION)
        return refuse(-ENOTSUP, why, size, "it is compressed by another method than zlib; " WITHOUT);
    if (wanted & ~(uint64_t)(FEATURE_DIRTY | FEATURE_CORRUPT))
        return refuse(-ENOTSUP, why, size, "it has features that are not known here; " WITHOUT);
    if (!q->writable || !wanted)
        return 0;
    return refuse(-EUCLEAN, why, size,
                  wanted & FEATURE_CORRUPT ? "it is marked as damaged; " CHECK ", or add ro"
                                           : "it was not closed well; " CHECK ", or add ro or snapshot");
}

static int understand(struct qcow2 *q, const uint8_t *header, char *why, size_t size)
{
    q->version = get32(header + 4);
    q->bits = get32(header + 20);
    q->size = get64(header + 24);
    q->tables = get32(header + 36);
    q->tables_at = get64(header + 40);
    if (get32(header) != MAGIC)
        return refuse(-EINVAL, why, size, "it is no qcow2 image; name the image, or add format=raw");
    if (q->version < 2 || q->version > 3)
        return refuse(-ENOTSUP, why, size, "its qcow2 version is not known here (2 and 3 are); " WITHOUT);
    int code = features(q, header, why, size);
    if (code)
        return code;
    if (q->bits < 9 || q->bits > 21 || q->tables > LARGEST_TABLE || !q->size || q->size > INT64_MAX ||
        (q->tables_at & (qcow2_cluster(q) - 1)))
        return refuse(-EUCLEAN, why, size, "its header cannot be; take a whole copy of it");
    const unsigned covered = 2 * q->bits - 3; /* bits of the bytes that one entry of the first table stands for */
    if ((q->size - 1) >> covered >= q->tables)
        return refuse(-EUCLEAN, why, size, "its table is too small for the disk; take a whole copy of it");
    return 0;
}

/* The backing image, its name and its format, which is an extension of the header. */
static int read_backing_names(struct qcow2 *q, const uint8_t *header, char *why, size_t size)
{
    const uint64_t at = get64(header + 8), length = get32(header + 16);
    uint8_t part[8];
    if (!at)
        return 0;
    if (length > LONGEST_NAME || at > qcow2_cluster(q) ||
        qcow2_file_read(q, at, (uint8_t *)q->backing_name, (size_t)length) || !q->backing_name[0])
        return refuse(-EUCLEAN, why, size, "the name of its backing image cannot be; take a whole copy of it");
    uint64_t next = q->version == 3 ? get32(header + 100) : SHORTEST;
    while (next <= qcow2_cluster(q) && !qcow2_file_read(q, next, part, sizeof part)) {
        const uint64_t type = get32(part), room = get32(part + 4);
        if (type == EXTENSION_END)
            break;
        if (type == EXTENSION_FORMAT && room < sizeof q->backing_format &&
            qcow2_file_read(q, next + 8, (uint8_t *)q->backing_format, (size_t)room))
            break;
        next += 8 + ((room + 7) & ~(uint64_t)7);
    }
    return 0;
}

static int look(struct qcow2 *q, char *why, size_t size)
{
    uint8_t header[HEADER] = {0};
    struct stat st;
    off_t end = lseek(q->file, 0, SEEK_END);
    if (end < 0 || fstat(q->file, &st))
        return refuse(-errno, why, size, strerror(errno));
    q->end = (uint64_t)end;
    q->regular = S_ISREG(st.st_mode);
    if (q->end < SHORTEST)
        return refuse(-EINVAL, why, size, "it is too short for a qcow2 image; name the image, or add format=raw");
    q->bits = 9;
    int code = qcow2_file_read(q, 0, header, HEADER);
    if (code)
        return refuse(code, why, size, strerror(-code));
    code = understand(q, header, why, size);
    if (code)
        return code;
    q->first = malloc((size_t)(8 * q->tables));
    q->cluster = malloc(qcow2_cluster(q));
    q->compressed = malloc(2 * qcow2_cluster(q));
    q->copy = malloc(qcow2_cluster(q));
    if (!q->first || !q->cluster || !q->compressed || !q->copy)
        return refuse(-ENOMEM, why, size, "the host has no memory for its tables; take larger clusters");
    if (qcow2_file_read(q, q->tables_at, q->first, (size_t)(8 * q->tables)))
        return refuse(-EUCLEAN, why, size, "its table is not in the file; take a whole copy of it");
    code = read_backing_names(q, header, why, size);
    return code || !q->writable ? code : qcow2_begin_counts(q, header, why, size);
}

int qcow2_open(int file, bool writable, struct qcow2 **image, char *why, size_t size)
{
    struct qcow2 *q = calloc(1, sizeof *q);
    *image = NULL;
    if (!q)
        return refuse(-ENOMEM, why, size, "the host has no memory for it");
    q->file = file;
    q->writable = writable;
    q->packed = QCOW2_NONE;
    for (unsigned i = 0; i < QCOW2_TABLES; i++)
        q->kept[i].at = QCOW2_NONE;
    int code = look(q, why, size);
    if (code) {
        q->writable = false;
        qcow2_close(q);
        return code;
    }
    *image = q;
    return 0;
}

int qcow2_close(struct qcow2 *q)
{
    if (!q)
        return 0;
    const int code = q->writable ? qcow2_rest(q) : 0;
    for (unsigned i = 0; i < QCOW2_TABLES; i++)
        free(q->kept[i].bytes);
    free(q->first);
    free(q->cluster);
    free(q->compressed);
    free(q->counts);
    free(q->copy);
    free(q);
    return code;
}

uint64_t qcow2_size(const struct qcow2 *q) { return q->size; }
uint32_t qcow2_piece(const struct qcow2 *q) { return (uint32_t)qcow2_cluster(q); }
const char *qcow2_backing_name(const struct qcow2 *q) { return q->backing_name[0] ? q->backing_name : NULL; }
const char *qcow2_backing_format(const struct qcow2 *q) { return q->backing_format; }
void qcow2_set_lazy(struct qcow2 *q, bool lazy) { q->lazy = lazy; }
void qcow2_set_backing(struct qcow2 *q, void *backing, uint64_t size,
                       int (*read)(void *backing, uint64_t offset, uint8_t *to, size_t length))
{
    q->backing = backing;
    q->backing_size = size;
    q->backing_read = read;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

int qcow2_find(struct qcow2 *q, uint64_t offset, uint64_t *entry)
{
    const uint64_t number = offset >> q->bits, entries = qcow2_cluster(q) / 8;
    const uint64_t table = get64(q->first + 8 * (number / entries)) & QCOW2_PLACE;
    uint8_t *bytes;
    *entry = 0;
    int code = table ? qcow2_table(q, table, &bytes) : 0;
    if (table && !code)
        *entry = get64(bytes + 8 * (number % entries));
    return code;
}

enum qcow2_kind qcow2_kind(const struct qcow2 *q, uint64_t entry)
{
    if (entry & QCOW2_COMPRESSED)
        return QCOW2_PACKED;
    if (q->version == 3 && (entry & QCOW2_ZEROS))
        return QCOW2_ZERO;
    return entry & QCOW2_PLACE ? QCOW2_PLAIN : QCOW2_ABSENT;
}

#ifdef HAVE_ZLIB
/* The compressed cluster of an entry into q->cluster. */
static int unpack(struct qcow2 *q, uint64_t entry)
{
    const unsigned split = 62 - (q->bits - 8);
    const uint64_t at = entry & ((UINT64_C(1) << split) - 1);
    const uint64_t sectors = (entry & (QCOW2_COMPRESSED - 1)) >> split;
    uint64_t length = (sectors + 1) * 512 - (at & 511);
    if (entry == q->packed)
        return 0;
    q->packed = QCOW2_NONE;
    if (at >= q->end || length > 2 * qcow2_cluster(q))
        return -EUCLEAN;
    if (length > q->end - at) /* the last sector may lie beyond the end of the file */
        length = q->end - at;
    int code = qcow2_file_read(q, at, q->compressed, (size_t)length);
    if (code)
        return code;
    z_stream z = {.next_in = q->compressed,
                  .avail_in = (uInt)length,
                  .next_out = q->cluster,
                  .avail_out = (uInt)qcow2_cluster(q)};
    if (inflateInit2(&z, -15) != Z_OK)
        return -ENOMEM;
    code = inflate(&z, Z_FINISH);
    inflateEnd(&z);
    if (z.avail_out || (code != Z_STREAM_END && code != Z_BUF_ERROR && code != Z_OK))
        return -EUCLEAN;
    q->packed = entry;
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

/* What lies below the image: nothing, or a backing image that may be shorter. */
static int read_below(const struct qcow2 *q, uint64_t offset, uint8_t *to, size_t length)
{
    const uint64_t size = q->backing_size;
    const size_t there = offset >= size ? 0 : size - offset < length ? (size_t)(size - offset) : length;
    memset(to + there, 0, length - there);
    return there ? q->backing_read(q->backing, offset, to, there) : 0;
}

int qcow2_read_cluster(struct qcow2 *q, uint64_t entry, uint64_t offset, uint8_t *to, size_t length)
{
    const uint64_t within = offset & (qcow2_cluster(q) - 1), at = entry & QCOW2_PLACE;
    int code;
    switch (qcow2_kind(q, entry)) {
    case QCOW2_PACKED:
        code = unpack(q, entry);
        if (!code)
            memcpy(to, q->cluster + within, length);
        return code;
    case QCOW2_ABSENT:
        return read_below(q, offset, to, length);
    case QCOW2_ZERO:
        memset(to, 0, length);
        return 0;
    default:
        return at & (qcow2_cluster(q) - 1) ? -EUCLEAN : qcow2_file_read(q, at + within, to, length);
    }
}

int qcow2_read(struct qcow2 *q, uint64_t offset, uint8_t *to, size_t length)
{
    int code = offset > q->size || length > q->size - offset ? -EINVAL : 0;
    while (!code && length) {
        size_t n = qcow2_cluster(q) - (size_t)(offset & (qcow2_cluster(q) - 1));
        uint64_t entry;
        if (n > length)
            n = length;
        code = qcow2_find(q, offset, &entry);
        if (!code)
            code = qcow2_read_cluster(q, entry, offset, to, n);
        to += n;
        offset += n;
        length -= n;
    }
    return code;
}
