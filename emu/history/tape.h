/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings: files of what came to a machine from outside, each thing with its place. Nothing here knows a machine;
   nothing in a file is trusted.

   A file is the magic word, the version (4 bytes) and blocks. A block is its length as it is in the file, its length
   unpacked (4 bytes each), the CRC-32 of what follows, and so many bytes of a zlib stream; all numbers are big-endian.
   The first block has the items, "NAME\0VALUE\0" each; the others have events, see emu/history/tape.c. A block is
   written when it is full and about each second, so that a recording that was cut off has nearly all. */
#ifndef ZRI_EMU_HISTORY_TAPE_H
#define ZRI_EMU_HISTORY_TAPE_H

#include "base/bits.h"
#include <stddef.h>

#define TAPE_VERSION 1u
#define TAPE_BYTES   (UINT64_C(256) << 20) /* of a file at most, when nothing else is said */
#define TAPE_LEAST   (UINT64_C(64) << 10)  /* the least that can be said */
#define TAPE_HELD    (UINT64_C(2) << 30)   /* of a recording unpacked, at most */

/* Kinds of events besides those of enum session_outside, which are below 16. */
enum tape_kind {
    TAPE_CHECK = 16, /* value: hash of the registers; bytes: 8, hash of what was written */
    TAPE_BEGIN,      /* the same; bytes: 16, hashes of storage and of what was written */
    TAPE_END,        /* value: enum tape_why; bytes: 24, hashes of registers, storage and what was written; or none */
    TAPE_BLOCK,      /* value: device; bytes: number (8) of a block of a disk and what it held before */
};

/* Why a recording ends. */
enum tape_why {
    TAPE_GUEST,    /* the guest ended */
    TAPE_OPERATOR, /* somebody ended the run */
    TAPE_CHANGED,  /* somebody changed the machine */
    TAPE_FULL,     /* the file had its limit */
    TAPE_CUT,      /* never in a file: there is no end, it was cut off */
};

/* Something that came from outside, and when: instructions of all CPUs, the guest's clock, whose turn it was, and how
   much of its slice was over. */
struct event {
    uint64_t instructions, time, used;
    uint64_t value;
    uint8_t *bytes; /* of malloc(); NULL when length is 0 */
    uint32_t length;
    uint8_t turn;
    uint8_t kind; /* enum session_outside or enum tape_kind */
    bool idle;    /* while the guest was idle: when it is so again, not before */
};

/* Quick, and good enough to see a difference. Begin with any number; yields the next one. */
uint64_t tape_hash(uint64_t hash, const void *bytes, size_t length) __attribute__((pure));

/* ---- writing --------------------------------------------------------------------------------------------------- */

struct tape_out;

/* A new file in the place of one of that name, with these items; at most `most` bytes. NULL with a sentence. */
struct tape_out *tape_create(const char *file, uint64_t most, const char *items, size_t length, char *error,
                             size_t size) MUST_USE;
/* `*e` is written behind the others. 0; -EFBIG: the file would pass its limit; or another negative errno. What was
   written before is good, and nothing more can be written but the end. */
int tape_put(struct tape_out *out, const struct event *e) MUST_USE;
/* The same of a block of a disk, where the last event was. */
int tape_put_block(struct tape_out *out, uint64_t device, const uint8_t *bytes, size_t length) MUST_USE;
/* All that was put is in the file. As tape_put(). */
int tape_flush(struct tape_out *out) MUST_USE;
/* Close the file; `end` is its last event, NULL: there is none. A place in front of the last one, and one behind what
   the limit has left, become the last one that is there. 0 or a negative errno; out is gone. */
int tape_close(struct tape_out *out, const struct event *end);
uint64_t tape_length(const struct tape_out *out); /* bytes of the file, so far */
/* Is this place at or behind that of what was put last? */
bool tape_behind(const struct tape_out *out, const struct event *e);

/* ---- reading --------------------------------------------------------------------------------------------------- */

struct tape_in {
    char *items; /* of malloc() */
    size_t items_length;
    struct event *events; /* of malloc(); the last one is a TAPE_END */
    unsigned count;
    struct event *blocks; /* the TAPE_BLOCKs, which are not among them */
    unsigned block_count;
    uint64_t cut; /* the file is good up to this byte, and then cut off or damaged; 0: it is whole */
};

/* All of a file. 0, or a negative errno with a sentence. */
int tape_read(const char *file, struct tape_in *in, char *error, size_t size) MUST_USE;
void tape_free(struct tape_in *in);
/* The value of an item; NULL: there is none. */
const char *tape_item(const struct tape_in *in, const char *name);

#endif
