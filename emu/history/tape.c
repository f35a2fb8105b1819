/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of recordings. An event is a byte with its kind and whether the guest was idle (0x80), then numbers: how many
   instructions and how much time since the event before, the CPU whose turn it was, how much of its slice was over, the
   value, the length, and so many bytes. A number has seven bits in a byte, the lowest first; 0x80: more follow. */
#include "emu/history/tape.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

uint64_t tape_hash(uint64_t hash, const void *bytes, size_t length)
{
    const uint8_t *at = bytes;
    for (; length >= 8; at += 8, length -= 8)
        hash = (hash ^ get64(at)) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
    for (; length; at++, length--)
        hash = (hash ^ *at) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
    return hash;
}

const char *tape_item(const struct tape_in *in, const char *name)
{
    for (size_t at = 0; at < in->items_length;) {
        const char *found = in->items + at, *value = found + strlen(found) + 1;
        if (strcmp(found, name) == 0)
            return value;
        at = (size_t)(value - in->items) + strlen(value) + 1;
    }
    return NULL;
}

void tape_free(struct tape_in *in)
{
    for (unsigned n = 0; n < in->count; n++)
        free(in->events[n].bytes);
    for (unsigned n = 0; n < in->block_count; n++)
        free(in->blocks[n].bytes);
    free(in->events);
    free(in->blocks);
    free(in->items);
    memset(in, 0, sizeof *in);
}

#ifdef HAVE_ZLIB
#include <zlib.h>

#define MAGIC      UINT64_C(0x7a72695265633031) /* "zriRec01" */
#define HEAD       12u
#define BLOCK      65536u                   /* bytes of events in a block, about */
#define LONGEST    65536u                   /* bytes of an event */
#define BLOCK_MOST (BLOCK + LONGEST + 100u) /* what a block has, unpacked, at most */
#define END_ROOM   256u                     /* for the last block */
#define EVENT_MOST (LONGEST + 1 + 6 * 10u)  /* an event as it is written */
#define EVENTS     (1u << 25)
#define IDLE       0x80

/* ---- writing --------------------------------------------------------------------------------------------------- */

struct tape_out {
    int file;
    int code; /* what ended it; 0: it goes on */
    uint64_t most, length, held;
    struct event last, kept; /* where the event before was; where the last one in the file was */
    time_t flushed;
    size_t used; /* of block[] */
    uint8_t block[BLOCK_MOST];
    uint8_t packed[BLOCK_MOST + BLOCK_MOST / 512 + 256];
};

static int write_all(int file, const uint8_t *bytes, size_t length)
{
    while (length) {
        const ssize_t n = write(file, bytes, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n ? -errno : -EIO;
        bytes += n;
        length -= (size_t)n;
    }
    return 0;
}

/* One block more. When it cannot be written the file ends in front of it. */
static int write_block(struct tape_out *out, const uint8_t *bytes, size_t length, uint64_t most)
{
    uLongf packed = sizeof out->packed - HEAD;
    if (compress2(out->packed + HEAD, &packed, bytes, (uLong)length, 6) != Z_OK)
        return -ENOMEM;
    if (out->length + HEAD + packed > most || out->held + length > TAPE_HELD)
        return -EFBIG;
    put32(out->packed, (uint32_t)packed);
    put32(out->packed + 4, (uint32_t)length);
    put32(out->packed + 8, (uint32_t)crc32(0, out->packed + HEAD, (uInt)packed));
    const int code = write_all(out->file, out->packed, HEAD + packed);
    if (code) {
        if (ftruncate(out->file, (off_t)out->length)) /* the reader finds out for itself */
            return code;
        (void)lseek(out->file, (off_t)out->length, SEEK_SET);
        return code;
    }
    out->length += HEAD + packed;
    out->held += length;
    return 0;
}

static int cannot(const char *file, int code, char *error, size_t size)
{
    snprintf(error, size, "recording '%.200s': it cannot be written: %s; name a file in a folder that you may write to",
             file, strerror(-code));
    return code;
}

struct tape_out *tape_create(const char *file, uint64_t most, const char *items, size_t length, char *error,
                             size_t size)
{
    struct tape_out *out = calloc(1, sizeof *out);
    uint8_t head[12];
    if (!out) {
        snprintf(error, size, "recording '%.200s': the host has no memory; end other programs", file);
        return NULL;
    }
    out->most = most;
    out->file = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int code = out->file < 0 ? -errno : 0;
    put64(head, MAGIC);
    put32(head + 8, TAPE_VERSION);
    code = code ? code : write_all(out->file, head, sizeof head);
    out->length = sizeof head;
    code = code ? code : length > BLOCK_MOST ? -E2BIG : write_block(out, (const uint8_t *)items, length, most);
    if (!code)
        return out;
    cannot(file, code, error, size);
    if (out->file >= 0)
        close(out->file);
    free(out);
    return NULL;
}

static uint8_t *put_number(uint8_t *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

static size_t encode(struct tape_out *out, const struct event *e, uint8_t *to)
{
    uint8_t *at = to;
    *at++ = (uint8_t)(e->kind | (e->idle ? IDLE : 0));
    at = put_number(at, e->instructions - out->last.instructions);
    at = put_number(at, e->time - out->last.time);
    at = put_number(at, e->turn);
    at = put_number(at, e->used);
    at = put_number(at, e->value);
    at = put_number(at, e->length);
    if (e->length)
        memcpy(at, e->bytes, e->length);
    out->last = *e;
    return (size_t)(at + e->length - to);
}

static time_t seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

int tape_flush(struct tape_out *out)
{
    if (out->code || !out->used)
        return out->code;
    out->code = write_block(out, out->block, out->used, out->most - END_ROOM);
    if (out->code)
        out->last = out->kept; /* what was not written was not put */
    out->kept = out->last;
    out->used = 0;
    out->flushed = seconds();
    return out->code;
}

int tape_put(struct tape_out *out, const struct event *e)
{
    if (out->code)
        return out->code;
    if (e->length > LONGEST)
        return out->code = -EFBIG;
    out->used += encode(out, e, out->block + out->used);
    return out->used >= BLOCK || seconds() > out->flushed + 1 ? tape_flush(out) : 0;
}

int tape_put_block(struct tape_out *out, uint64_t device, const uint8_t *bytes, size_t length)
{
    struct event e = out->last;
    e.kind = TAPE_BLOCK;
    e.idle = false;
    e.value = device;
    e.bytes = (uint8_t *)(uintptr_t)bytes; /* which is not written to */
    e.length = (uint32_t)length;
    return tape_put(out, &e);
}

int tape_close(struct tape_out *out, const struct event *end)
{
    int code = tape_flush(out), last = 0;
    if (end && (!code || code == -EFBIG)) {
        struct event e = *end;
        if (e.instructions < out->last.instructions || e.time < out->last.time || code) {
            e = out->last; /* it ends where its last event is, and nobody knows the machine's state there */
            e.kind = TAPE_END;
            e.idle = false;
            e.value = code ? TAPE_FULL : end->value;
            e.length = 0;
        }
        out->used = encode(out, &e, out->block);
        last = write_block(out, out->block, out->used, UINT64_MAX);
    }
    if (close(out->file) && !code)
        code = -errno;
    free(out);
    return code ? code : last;
}

uint64_t tape_length(const struct tape_out *out) { return out->length; }

bool tape_behind(const struct tape_out *out, const struct event *e)
{
    return e->instructions >= out->last.instructions && e->time >= out->last.time;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

struct reader {
    const uint8_t *at, *end;
    bool bad;
};

static uint64_t get_number(struct reader *r)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (r->at == r->end)
            break;
        const uint8_t byte = *r->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    r->bad = true;
    return 0;
}

/* Where the events come to, and where the last one was. */
struct growing {
    struct tape_in *in;
    unsigned room, block_room;
    uint64_t instructions, time;
    bool ended;
};

static bool known(uint8_t kind) { return kind < 8 || (kind >= TAPE_CHECK && kind <= TAPE_BLOCK); }

/* Have the bytes of its kind at least the length that is needed? */
static bool long_enough(const struct event *e)
{
    switch (e->kind) {
    case TAPE_CHECK:
        return e->length == 8;
    case TAPE_BEGIN:
        return e->length == 16;
    case TAPE_END:
        return (e->length == 24 || e->length == 0) && e->value < TAPE_CUT;
    case TAPE_BLOCK:
        return e->length > 8;
    default:
        return true;
    }
}

static bool add(struct event **list, unsigned *count, unsigned *room, const struct event *e)
{
    if (*count == *room) {
        const unsigned more = 2 * *room + 64;
        struct event *grown = more > EVENTS ? NULL : realloc(*list, more * sizeof *grown);
        if (!grown)
            return false;
        *list = grown;
        *room = more;
    }
    (*list)[(*count)++] = *e;
    return true;
}

/* 0: good; -EINVAL: it is none; -ENOMEM. */
static int one_event(struct reader *r, struct growing *g)
{
    const uint8_t kind = *r->at++;
    struct event e = {.kind = kind & (uint8_t)~IDLE, .idle = kind & IDLE};
    const uint64_t instructions = get_number(r), time = get_number(r), turn = get_number(r);
    e.used = get_number(r);
    e.value = get_number(r);
    const uint64_t length = get_number(r);
    e.instructions = g->instructions + instructions;
    e.time = g->time + time;
    e.turn = (uint8_t)turn;
    e.length = (uint32_t)length;
    if (r->bad || g->ended || length > (uint64_t)(r->end - r->at) || turn > UINT8_MAX ||
        e.instructions < instructions || e.time < time || !known(e.kind) || !long_enough(&e))
        return -EINVAL;
    e.bytes = malloc(e.length + 1);
    if (!e.bytes)
        return -ENOMEM;
    memcpy(e.bytes, r->at, e.length);
    e.bytes[e.length] = 0;
    r->at += e.length;
    g->instructions = e.instructions;
    g->time = e.time;
    g->ended = e.kind == TAPE_END;
    if (e.kind == TAPE_BLOCK ? add(&g->in->blocks, &g->in->block_count, &g->block_room, &e)
                             : add(&g->in->events, &g->in->count, &g->room, &e))
        return 0;
    free(e.bytes);
    return -ENOMEM;
}

static int read_all(int file, uint8_t *bytes, size_t length, size_t *had)
{
    for (*had = 0; *had < length;) {
        const ssize_t n = read(file, bytes + *had, length - *had);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n ? -errno : 0;
        *had += (size_t)n;
    }
    return 0;
}

/* A block unpacked into to[BLOCK_MOST + 1]. 1: there is one; 0: here ends the file; -EINVAL: it is none or not all
   there; or another negative errno. */
static int one_block(int file, uint8_t *packed, uint8_t *to, size_t *length, uint64_t *taken)
{
    uint8_t head[HEAD];
    size_t had;
    int code = read_all(file, head, HEAD, &had);
    if (code || had == 0)
        return code;
    const uint32_t in_file = get32(head), unpacked = get32(head + 4);
    if (had < HEAD || in_file > BLOCK_MOST + BLOCK_MOST / 512 + 256 || unpacked > BLOCK_MOST)
        return -EINVAL;
    code = read_all(file, packed, in_file, &had);
    if (code)
        return code;
    uLongf out = BLOCK_MOST;
    if (had < in_file || crc32(0, packed, in_file) != get32(head + 8) ||
        uncompress(to, &out, packed, in_file) != Z_OK || out != unpacked)
        return -EINVAL;
    *length = out;
    *taken = HEAD + in_file;
    return 1;
}

/* The blocks of events, from byte `at` on. */
static int read_events(int file, struct growing *g, uint8_t *packed, uint8_t *block, uint64_t at)
{
    uint64_t taken, held = 0;
    size_t length;
    int code;
    while ((code = one_block(file, packed, block, &length, &taken)) > 0) {
        struct reader r = {.at = block, .end = block + length};
        held += length;
        code = held > TAPE_HELD + BLOCK_MOST ? -EINVAL : 0;
        while (!code && r.at < r.end)
            code = one_event(&r, g);
        if (code)
            break;
        at += taken;
    }
    if (code && code != -EINVAL)
        return code;
    if (code || !g->ended)
        g->in->cut = at;
    return 0;
}

/* A recording that was cut off ends where its last event is. */
static int end_it(struct growing *g)
{
    struct event end = {.kind = TAPE_END, .value = TAPE_CUT, .instructions = g->instructions, .time = g->time};
    if (g->ended)
        return 0;
    if (g->in->count)
        end.turn = g->in->events[g->in->count - 1].turn, end.used = g->in->events[g->in->count - 1].used;
    return add(&g->in->events, &g->in->count, &g->room, &end) ? 0 : -ENOMEM;
}

/* "NAME\0VALUE\0"...? */
static bool good_items(const uint8_t *items, size_t length)
{
    unsigned ends = 0;
    for (size_t n = 0; n < length; n++)
        ends += items[n] == 0;
    return length && ends % 2 == 0 && items[length - 1] == 0;
}

static int read_file(int file, const char *name, struct tape_in *in, uint8_t *work, char *error, size_t size)
{
    struct growing g = {.in = in};
    uint8_t head[12], *packed = work, *block = work + 2 * BLOCK_MOST;
    size_t had, length;
    uint64_t taken;
    int code = read_all(file, head, sizeof head, &had);
    if (!code && (had < sizeof head || get64(head) != MAGIC)) {
        snprintf(error, size, "'%.200s' is no recording; name a file that zri --record wrote", name);
        return -EINVAL;
    }
    if (!code && get32(head + 8) != TAPE_VERSION) {
        snprintf(error, size,
                 "recording '%.200s' has version %" PRIu32 ", and this zri reads version %u; replay it with the zri "
                 "that recorded it",
                 name, get32(head + 8), TAPE_VERSION);
        return -ENOTSUP;
    }
    const int items = code ? code : one_block(file, packed, block, &length, &taken);
    if (!code && (items <= 0 || !good_items(block, length))) {
        snprintf(error, size,
                 "recording '%.200s' is cut off or damaged at byte 12, where it says what was recorded; "
                 "record again",
                 name);
        return -EINVAL;
    }
    in->items = code ? NULL : malloc(length);
    if (!code && !in->items)
        code = -ENOMEM;
    if (!code) {
        memcpy(in->items, block, length);
        in->items_length = length;
        code = read_events(file, &g, packed, block, sizeof head + taken);
    }
    return code ? code : end_it(&g);
}

int tape_read(const char *file, struct tape_in *in, char *error, size_t size)
{
    uint8_t *work = malloc(4 * BLOCK_MOST);
    int fd = work ? open(file, O_RDONLY | O_CLOEXEC) : -1;
    int code = !work ? -ENOMEM : fd < 0 ? -errno : 0;
    memset(in, 0, sizeof *in);
    error[0] = 0;
    if (!code)
        code = read_file(fd, file, in, work, error, size);
    if (code && !error[0])
        snprintf(error, size, "recording '%.200s': it cannot be read: %s; name a file that zri --record wrote", file,
                 strerror(-code));
    if (fd >= 0)
        close(fd);
    free(work);
    if (code)
        tape_free(in);
    return code;
}

#else

static int without(char *error, size_t size)
{
    snprintf(error, size,
             "zri was built without zlib, and neither writes nor reads recordings; install zlib1g-dev and configure "
             "again");
    return -ENOTSUP;
}

struct tape_out *tape_create(const char *file, uint64_t most, const char *items, size_t length, char *error,
                             size_t size)
{
    (void)file;
    (void)most;
    (void)items;
    (void)length;
    (void)without(error, size);
    return NULL;
}

int tape_put(struct tape_out *out, const struct event *e)
{
    (void)out;
    (void)e;
    return -ENOTSUP;
}

int tape_put_block(struct tape_out *out, uint64_t device, const uint8_t *bytes, size_t length)
{
    (void)out;
    (void)device;
    (void)bytes;
    (void)length;
    return -ENOTSUP;
}

int tape_flush(struct tape_out *out)
{
    (void)out;
    return -ENOTSUP;
}

int tape_close(struct tape_out *out, const struct event *end)
{
    (void)out;
    (void)end;
    return -ENOTSUP;
}

uint64_t tape_length(const struct tape_out *out)
{
    (void)out;
    return 0;
}

bool tape_behind(const struct tape_out *out, const struct event *e)
{
    (void)out;
    (void)e;
    return false;
}

int tape_read(const char *file, struct tape_in *in, char *error, size_t size)
{
    (void)file;
    memset(in, 0, sizeof *in);
    return without(error, size);
}

#endif
