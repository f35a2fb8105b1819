/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files about qcow2 images only. */
#ifndef ZRI_EMU_DEV_IMAGE_QCOW2_INTERNAL_H
#define ZRI_EMU_DEV_IMAGE_QCOW2_INTERNAL_H

#include "emu/dev/image/qcow2.h"

#define QCOW2_PLACE      UINT64_C(0x00fffffffffffe00)
#define QCOW2_COMPRESSED (UINT64_C(1) << 62)
#define QCOW2_OWN        (UINT64_C(1) << 63) /* what the entry points to is counted once */
#define QCOW2_ZEROS      UINT64_C(1)         /* version 3 */
#define QCOW2_TABLES     16u                 /* that are kept in memory */
#define QCOW2_RESERVED   256u                /* clusters counted ahead, at most */
#define QCOW2_GIVEN      256u                /* references given up that still count, at most */
#define QCOW2_NONE       UINT64_MAX

/* A cluster of the file that holds a table, as it is in the file. */
struct qcow2_table {
    uint64_t at, used; /* QCOW2_NONE: nothing is in it */
    uint8_t *bytes;
    size_t low, high; /* bytes that are to be written yet; both 0: none */
};

struct qcow2 {
    int file;
    bool regular, writable;
    bool lazy;     /* entries of second-level tables may wait for a flush */
    bool damaged;  /* a count was found that cannot be: nothing more is written */
    unsigned bits; /* of a cluster's size */
    unsigned version;
    uint64_t size;      /* bytes of the disk */
    uint64_t end;       /* bytes that the file has at least */
    uint64_t tables_at; /* first-level table: place, entries, contents */
    uint64_t tables;    /* */
    uint8_t *first;     /* */
    void *backing;      /* NULL: none, and its size is 0 */
    uint64_t backing_size;
    int (*backing_read)(void *backing, uint64_t offset, uint8_t *to, size_t length);
    char backing_name[1024]; /* "": none */
    char backing_format[16];
    struct qcow2_table kept[QCOW2_TABLES];
    uint64_t clock;  /* of use of `kept` */
    uint64_t packed; /* entry of the compressed cluster in `cluster`; QCOW2_NONE */
    uint8_t *cluster, *compressed;
    /* Writing: how often each cluster is used. */
    unsigned count_bits;            /* of a count: 1 << this */
    uint64_t counts_at, blocks;     /* table of the blocks of counts: place, entries, contents */
    uint8_t *counts;                /* */
    uint64_t hint;                  /* no cluster below is free */
    uint64_t untouched;             /* the file is zero from here on: it was made longer, and nothing is there yet */
    unsigned batch;                 /* clusters to count ahead the next time */
    unsigned reserved, taken;       /* clusters counted ahead; how many of them are in use by now */
    uint64_t ahead[QCOW2_RESERVED]; /* their numbers, ascending */
    unsigned given;
    uint64_t gives[QCOW2_GIVEN]; /* numbers of clusters whose counts are to go down by one */
    uint8_t *copy;               /* a cluster that is made */
};

/* What a second-level entry says of its cluster. */
enum qcow2_kind { QCOW2_ABSENT, QCOW2_ZERO, QCOW2_PLAIN, QCOW2_PACKED };
enum qcow2_kind qcow2_kind(const struct qcow2 *q, uint64_t entry);

static inline size_t qcow2_cluster(const struct qcow2 *q) { return (size_t)1 << q->bits; }

/* Move bytes of the file. 0 or a negative errno. Bytes of the last cluster behind the end of the file are zero. */
int qcow2_file_read(const struct qcow2 *q, uint64_t offset, uint8_t *to, size_t length) MUST_USE;
int qcow2_file_write(const struct qcow2 *q, uint64_t offset, const uint8_t *from, size_t length) MUST_USE;
/* 0; -EIO: the file has become shorter, and must not be made longer again, as what lay there is lost. */
int qcow2_whole(const struct qcow2 *q) MUST_USE;
/* A table in the file; *bytes stay until some other tables were asked for. 0 or a negative errno. */
int qcow2_table(struct qcow2 *q, uint64_t at, uint8_t **bytes) MUST_USE;
/* Bytes of a table that is kept were changed, and are written at the next commit. */
void qcow2_changed(struct qcow2 *q, uint64_t at, size_t low, size_t high);
/* Write what waits in the tables that are kept, when all that they point to is on the medium. *some: there was
   something. */
int qcow2_commit(struct qcow2 *q, bool *some) MUST_USE;
/* What is kept of a table is no longer so. */
void qcow2_forget(struct qcow2 *q, uint64_t at);
/* The entry for the cluster that `offset` is in; 0: it is absent. */
int qcow2_find(struct qcow2 *q, uint64_t offset, uint64_t *entry) MUST_USE;
/* Bytes of one cluster, as `entry` has them. */
int qcow2_read_cluster(struct qcow2 *q, uint64_t entry, uint64_t offset, uint8_t *to, size_t length) MUST_USE;

/* Look at the counts of an image that is to be written. As qcow2_open(). */
int qcow2_begin_counts(struct qcow2 *q, const uint8_t *header, char *why, size_t size) MUST_USE;
/* A cluster that nothing used: its offset in the file. *zero: it is known to be zero. */
int qcow2_take(struct qcow2 *q, uint64_t *at, bool *zero) MUST_USE;
/* The cluster that was taken last is not needed after all. */
void qcow2_put_back(struct qcow2 *q);
/* A cluster is used once less, which counts after the next flush. */
int qcow2_give(struct qcow2 *q, uint64_t at) MUST_USE;
/* What was given is counted; all that was written before is on the medium then. */
int qcow2_settle(struct qcow2 *q) MUST_USE;
/* A cluster at `at` would lie over the tables of the file. */
bool qcow2_is_table(const struct qcow2 *q, uint64_t at);

#endif
