/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries virtio devices of every kind with commands, rings, descriptors and requests made at random, half of them nearly
   right: none may crash, hang or harm the host, and queues must stay in states that exist. The network has no way out.
   Usage: fuzz_virtio [COUNT [SEED]]. The sanitizers are the judges of the rest. */
#include "emu/dev/css/attach.h"
#include "emu/dev/css/internal.h"
#include "emu/dev/css/io.h"
#include "emu/dev/virtio/transport.h"
#include "emu/machine/machine.h"
#include "tests/random.h"
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#define STORAGE (UINT64_C(1) << 20)
#define CCW     0x1000u
#define DATA    0x2000u
#define RINGS   0x4000u /* one queue in each 32K */
#define BUFFERS 0x40000u
#define ENTRIES 16u

struct fuzz {
    struct machine *m;
    struct cpu *cpu;
    uint64_t state;
    struct virtio *v; /* the device of this turn */
    uint64_t done;    /* requests given back */
};

static uint64_t pick(struct fuzz *f, uint64_t limit) { return random_step(&f->state) % limit; }

static uint64_t wild(struct fuzz *f)
{
    static const uint64_t edges[] = {
        0, 1, STORAGE - 1, STORAGE, STORAGE - 8, UINT64_MAX, UINT64_MAX - 7, UINT64_C(1) << 63, 0xffffffff, RINGS};
    return pick(f, 3) ? edges[pick(f, sizeof edges / sizeof *edges)] : pick(f, 2) ? pick(f, STORAGE) : f->state;
}

static void events(struct fuzz *f)
{
    for (unsigned i = 0; i < 200 && f->m->sys.event_at; i++) {
        if (f->m->sys.event_at > f->m->sys.now)
            f->m->sys.now = f->m->sys.event_at;
        css_event(f->m, f->m->sys.now);
    }
}

/* One channel command with `length` bytes of data at DATA. */
static void command(struct fuzz *f, uint8_t code, uint8_t flags, const void *data, unsigned length)
{
    static uint8_t block[CPU_IO_BLOCK];
    uint8_t *bytes = f->m->sys.storage.bytes;
    unsigned cc;
    f->cpu->gr[1] = 0x10000u | f->v->device->subchannel;
    bytes[CCW] = code;
    bytes[CCW + 1] = flags;
    put16(bytes + CCW + 2, (uint16_t)length);
    put32(bytes + CCW + 4, DATA);
    if (data)
        memcpy(bytes + DATA, data, length);
    memset(block, 0, sizeof block);
    put32(block + 4, ORB_FORMAT1 | 0xff00u);
    put32(block + 8, CCW);
    (void)css_io(f->m, f->cpu, CPU_IO_TEST, block, &cc);
    memset(block, 0, sizeof block);
    put32(block + 4, ORB_FORMAT1 | 0xff00u);
    put32(block + 8, CCW);
    (void)css_io(f->m, f->cpu, CPU_IO_START, block, &cc);
    events(f);
    (void)css_io(f->m, f->cpu, CPU_IO_TEST, block, &cc);
}

static void enable(struct fuzz *f, bool on)
{
    static uint8_t block[CPU_IO_BLOCK];
    unsigned cc;
    f->cpu->gr[1] = 0x10000u | f->v->device->subchannel;
    (void)css_io(f->m, f->cpu, CPU_IO_TEST, block, &cc);
    memset(block, 0, sizeof block);
    put16(block + 4, (uint16_t)(on ? 0x80 | 3 << 11 : 0));
    block[8] = 0x80;
    (void)css_io(f->m, f->cpu, CPU_IO_MODIFY, block, &cc);
}

static void queue(struct fuzz *f, unsigned index, unsigned entries)
{
    uint8_t p[32] = {0};
    const uint64_t at = RINGS + 0x8000u * index;
    const bool modern = f->v->revision > 1;
    put64(p, pick(f, 30) ? at : wild(f));
    if (modern) {
        put64(p + 16, pick(f, 30) ? at + 0x2000 : wild(f));
        put64(p + 24, pick(f, 30) ? at + 0x4000 : wild(f));
    } else {
        put32(p + 8, pick(f, 20) ? 4096 : (uint32_t)wild(f));
    }
    put16(p + 12, (uint16_t)(pick(f, 40) ? index : pick(f, 65536)));
    put16(p + 14, (uint16_t)(pick(f, 20) ? entries : pick(f, 65536)));
    command(f, 0x13, 0, p, modern ? 32 : 16);
}

/* As a driver does it, mostly. */
static void set_up(struct fuzz *f)
{
    uint8_t p[32] = {0};
    const unsigned revision = (unsigned)pick(f, 4);
    enable(f, false);
    enable(f, true);
    put16(p, (uint16_t)(revision ? revision - 1 : 3));
    command(f, 0x83, 0, p, 4);
    command(f, 0x33, 0, NULL, 0);
    for (unsigned index = 0; index < 2; index++) {
        uint32_t features = index ? revision > 1 : (uint32_t)f->v->own_features | (uint32_t)pick(f, 4) << 28;
        if (pick(f, 30) == 0)
            features = (uint32_t)wild(f);
        for (unsigned i = 0; i < 4; i++)
            p[i] = (uint8_t)(features >> 8 * i);
        p[4] = (uint8_t)index;
        command(f, 0x11, 0, p, 5);
    }
    p[0] = 0x0b;
    command(f, 0x31, 0, p, 1);
    for (unsigned i = 0; i < f->v->kind->queues; i++)
        queue(f, i, ENTRIES);
    if (pick(f, 2)) {
        put64(p, pick(f, 10) ? 0x3000 : wild(f));
        put64(p + 8, pick(f, 10) ? 0x3100 : wild(f));
        put64(p + 16, pick(f, 10) ? pick(f, 100) : wild(f));
        p[24] = (uint8_t)(pick(f, 20) ? 3 : pick(f, 256));
        command(f, 0x73, 0, p, 25);
    } else {
        put64(p, pick(f, 10) ? 0x3200 : wild(f));
        command(f, 0x43, 0, p, 8);
    }
    put64(p, pick(f, 10) ? 0x3300 : wild(f));
    command(f, 0x53, 0, p, 8);
    p[0] = 0x0f;
    command(f, 0x31, 0, p, 1);
}

static void descriptor(struct fuzz *f, uint8_t *at, unsigned entries)
{
    uint64_t address = BUFFERS + pick(f, 0x10000);
    uint32_t length = pick(f, 3) == 0 ? 1 : pick(f, 2) ? (uint32_t)(512 * pick(f, 9)) : (uint32_t)pick(f, 3000);
    uint16_t flags = (uint16_t)pick(f, 4), next = (uint16_t)pick(f, entries);
    if (pick(f, 12) == 0) { /* a table of descriptors */
        flags = 4;
        length = 16 * (uint32_t)pick(f, 20);
    } else if (pick(f, 60) == 0) {
        address = wild(f);
        length = (uint32_t)wild(f);
        flags = (uint16_t)wild(f);
        next = (uint16_t)wild(f);
    } else if (pick(f, 4) == 0) {
        length = 16 + (uint32_t)pick(f, 40);
    }
    virtio_put(f->v, at, address, 8);
    virtio_put(f->v, at + 8, length, 4);
    virtio_put(f->v, at + 12, flags, 2);
    virtio_put(f->v, at + 14, next, 2);
}

/* A chain as drivers make it: header, data, a byte of status. */
static void likely_chain(struct fuzz *f, uint8_t *table, unsigned first)
{
    static const uint32_t lengths[] = {16, 512, 1};
    const bool in = pick(f, 2);
    for (unsigned i = 0; i < 3; i++) {
        uint8_t *at = table + 16 * (size_t)((first + i) % ENTRIES);
        virtio_put(f->v, at, BUFFERS + 0x1000 * (uint64_t)pick(f, 8), 8);
        virtio_put(f->v, at + 8, i == 1 ? lengths[1] * (1 + pick(f, 8)) : lengths[i], 4);
        virtio_put(f->v, at + 12, (uint64_t)(i < 2) | (i == 2 || (i == 1 && in) ? 2 : 0), 2);
        virtio_put(f->v, at + 14, (first + i + 1) % ENTRIES, 2);
    }
}

/* Requests of block devices and frames of networks where buffers are. */
static void contents(struct fuzz *f)
{
    static const uint8_t types[] = {0, 1, 4, 8, 11, 13, 2, 0, 1};
    uint8_t *bytes = f->m->sys.storage.bytes;
    for (unsigned i = 0; i < 64; i++) {
        uint8_t *at = bytes + BUFFERS + (pick(f, 2) ? 0x1000 * pick(f, 16) : pick(f, 0x10000));
        virtio_put(f->v, at, types[pick(f, sizeof types)], 4);
        virtio_put(f->v, at + 8, pick(f, 20) ? pick(f, 140) : wild(f), 8);
        if (f->v->device->type->control_unit_model != VIRTIO_ID_NET)
            continue;
        memset(at, 0, 12);
        memset(at + 12, 0xff, 12);
        put16(at + 24, (uint16_t)(pick(f, 4) ? 0x0800 : pick(f, 2) ? 0x0806 : pick(f, 65536)));
        for (unsigned j = 26; j < 80; j++)
            at[j] = (uint8_t)pick(f, 256);
        at[26] = (uint8_t)(pick(f, 6) ? 0x45 : pick(f, 256));
        put16(at + 28, (uint16_t)(pick(f, 3) ? 52 : pick(f, 2000)));
        at[35] = (uint8_t)(pick(f, 2) ? 17 : pick(f, 2) ? 6 : 1);
        put32(at + 38, 0x0a00020fu);
        put32(at + 42, pick(f, 4) ? 0x0a000202u : 0xffffffffu);
    }
}

static void requests(struct fuzz *f, unsigned index)
{
    uint8_t *bytes = f->m->sys.storage.bytes, *rings = bytes + RINGS + 0x8000u * index;
    const struct virtio_queue *q = &f->v->queues[index];
    uint8_t *driver = rings + (f->v->revision > 1 ? 0x2000 : 16 * ENTRIES);
    const unsigned count = (unsigned)pick(f, 5);
    for (unsigned i = 0; i < ENTRIES; i++)
        descriptor(f, rings + 16 * (size_t)i, ENTRIES);
    for (unsigned i = 0; i < 20; i++) /* tables */
        descriptor(f, bytes + BUFFERS + 16 * pick(f, 0x1000), 20);
    for (unsigned i = 0; i < count; i++) {
        unsigned head = pick(f, 12) ? 3 * i : (unsigned)pick(f, ENTRIES);
        if (pick(f, 12))
            likely_chain(f, rings, head);
        virtio_put(f->v, driver + 4 + 2 * (size_t)((q->taken + i) % ENTRIES), pick(f, 60) ? head : f->state, 2);
    }
    virtio_put(f->v, driver, pick(f, 2), 2);
    virtio_put(f->v, driver + 2, pick(f, 60) ? (uint16_t)(q->taken + count) : f->state & 0xffff, 2);
    virtio_put(f->v, driver + 4 + 2 * (size_t)ENTRIES, pick(f, 2) ? q->told : pick(f, 65536), 2);
    f->cpu->gr[1] = pick(f, 40) ? 3 : pick(f, 5);
    f->cpu->gr[2] = pick(f, 40) ? 0x10000u | f->v->device->subchannel : wild(f);
    f->cpu->gr[3] = pick(f, 40) ? index : wild(f);
    const uint16_t used = q->used;
    (void)machine_diagnose(f->m, f->cpu, 0x500, 2, 4);
    events(f);
    f->done += (uint16_t)(q->used - used);
}

static void any_command(struct fuzz *f)
{
    static const uint8_t known[] = {0x11, 0x12, 0x13, 0x21, 0x22, 0x31, 0x32, 0x33, 0x43, 0x53, 0x72, 0x73, 0x83, 0xe4};
    static const uint8_t flags[] = {0, 0, 0x20, 0x20, 0x40, 0x80, 0x04};
    uint8_t data[64];
    for (unsigned i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(pick(f, 2) ? 0 : pick(f, 256));
    command(f, pick(f, 20) ? known[pick(f, sizeof known)] : (uint8_t)pick(f, 256), flags[pick(f, sizeof flags)], data,
            (unsigned)pick(f, 65));
}

static const char *wrong(const struct virtio *v)
{
    for (unsigned i = 0; i < v->kind->queues; i++) {
        const struct virtio_queue *q = &v->queues[i];
        if (!q->size || (q->size & (q->size - 1)) || q->size > v->kind->queue_size)
            return "a queue has a size that it cannot have";
    }
    return v->revision > 3                ? "a revision that does not exist"
           : v->isc > 7                   ? "an interruption subclass that does not exist"
           : v->kicked >> v->kind->queues ? "a notification of a queue that does not exist"
                                          : NULL;
}

static const char *one(struct fuzz *f)
{
    f->v = css_device(f->m->css, (unsigned)pick(f, 5) % (css_device(f->m->css, 4) ? 5 : 4))->own;
    contents(f);
    for (unsigned i = 0; i < 4; i++) {
        if (!f->v->queues[0].descriptors || f->v->broken || !virtio_running(f->v) || pick(f, 100) == 0)
            set_up(f);
        requests(f, (unsigned)pick(f, f->v->kind->queues));
    }
    if (pick(f, 8) == 0)
        any_command(f);
    if (pick(f, 8) == 0)
        (void)css_line(f->m->css, "typed");
    return wrong(f->v);
}

static bool no_poll(void *context)
{
    (void)context;
    return false;
}

int main(int argc, char **argv)
{
    static const char *const devices[] = {"0000,virtio-blk,=64K", "0001,virtio-blk,=16K,ro", "0002,virtio-console",
                                          "0003,virtio-rng", "0004,virtio-net,user,restrict"};
    const struct machine_host host = {.poll = no_poll};
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
    struct machine_config config = machine_default_config();
    struct fuzz f = {.state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 88172645463325252};
    char error[512];
    config.storage = STORAGE;
    f.m = machine_create(&config, &host, error, sizeof error);
    if (!f.m)
        return 99;
    f.cpu = f.m->sys.cpus[0];
    for (unsigned i = 0; i < 5; i++)
        if (css_attach_text(f.m, devices[i], false, error, sizeof error) && i < 4) { /* no network: without libslirp */
            fprintf(stderr, "fuzz_virtio: %s\n", error);
            return 99;
        }
    for (uint64_t i = 0; i < count; i++) {
        const char *what = one(&f);
        if (what) {
            fprintf(stderr, "fuzz_virtio: input %" PRIu64 ": %s\n", i, what);
            return 1;
        }
        if (i % 5000 == 4999)
            css_reset(f.m->css);
    }
    machine_destroy(f.m);
    if (count >= 1000 && f.done < count) {
        fprintf(stderr, "fuzz_virtio: only %" PRIu64 " requests were given back: the rings do nothing\n", f.done);
        return 1;
    }
    printf("fuzz_virtio: %" PRIu64 " inputs, %" PRIu64 " requests given back: no harm\n", count, f.done);
    return 0;
}
