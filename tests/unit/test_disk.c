/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disks whose files fail, fixed-block and virtio, raw and qcow2: what the guest gets, what the operator reads and how
   often, and that nothing is written beyond the image. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "emu/dev/css/attach.h"
#include "emu/dev/image/disk.h"
#include "emu/dev/virtio/transport.h"
#include "tests/unit/channel_rig.h"
#include "tests/unit/qcow2_maker.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK  512u
#define BLOCKS 4096u
#define RINGS  0x40000u /* descriptors; the rings in the two pages behind */
#define HEADER 0x44000u
#define STATUS 0x44100u
#define DATA   0x30000u /* of both kinds */
#define IS_OWN 0xabu

/* What the host is to do wrong. */
static struct {
    int read, write, sync; /* errno; 0: nothing */
} host;

ssize_t __real_pread(int fd, void *to, size_t length, off_t at);
ssize_t __real_pwrite(int fd, const void *from, size_t length, off_t at);
int __real_fdatasync(int fd);
ssize_t __wrap_pread(int fd, void *to, size_t length, off_t at);
ssize_t __wrap_pwrite(int fd, const void *from, size_t length, off_t at);
int __wrap_fdatasync(int fd);

ssize_t __wrap_pread(int fd, void *to, size_t length, off_t at)
{
    errno = host.read;
    return host.read ? -1 : __real_pread(fd, to, length, at);
}

ssize_t __wrap_pwrite(int fd, const void *from, size_t length, off_t at)
{
    errno = host.write;
    return host.write ? -1 : __real_pwrite(fd, from, length, at);
}

int __wrap_fdatasync(int fd)
{
    errno = host.sync;
    return host.sync ? -1 : __real_fdatasync(fd);
}

/* ---- the four disks -------------------------------------------------------------------------------------------- */

static const struct kind {
    bool virtio, qcow2;
} kinds[] = {{false, false}, {false, true}, {true, false}, {true, true}};
#define KINDS (sizeof kinds / sizeof *kinds)

struct disk {
    struct rig r;
    const struct kind *kind;
    struct virtio *v;
    uint16_t asked;
};

/* A virtio guest after its set-up: one queue of 256 entries. */
static void set_up_virtio(struct disk *d)
{
    d->v = channel_find(d->r.m, 0x10000)->own;
    d->v->revision = 3;
    d->v->status = 0x0f;
    d->v->accepted = VIRTIO_FEATURE(VIRTIO_F_VERSION_1) | VIRTIO_FEATURE(9);
    d->v->queues[0] =
        (struct virtio_queue){.descriptors = RINGS, .driver = RINGS + 0x1000, .device = RINGS + 0x2000, .size = 256};
}

static void make_kind(struct disk *d, const struct kind *k, const char *words)
{
    char name[] = "/tmp/zri-disk-XXXXXX.qcow2", device[160];
    int file = mkstemps(name, 6);
    assert_true(file >= 0);
    close(file);
    if (k->qcow2) {
        const struct shape shape = {3, 12, 4, BLOCKS * BLOCK, NULL};
        make_qcow2(name, &shape);
    } else {
        assert_int_equal(truncate(name, BLOCKS * BLOCK), 0);
    }
    host.read = host.write = host.sync = 0;
    snprintf(device, sizeof device, "0120,%s,%s%s%s", k->virtio ? "virtio-blk" : "9336", name,
             k->qcow2 ? "" : ",format=raw", words);
    make(&d->r, 1, ENGINE_REFERENCE, device);
    snprintf(d->r.file, sizeof d->r.file, "%s", name);
    d->kind = k;
    d->asked = 0;
    if (k->virtio)
        set_up_virtio(d);
    else
        enable(&d->r);
}

static void end_kind(struct disk *d)
{
    host.read = host.write = host.sync = 0;
    machine_destroy(d->r.m);
    unlink(d->r.file);
}

static void little(uint8_t *to, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static void descriptor(uint8_t *to, uint64_t at, uint32_t length, uint16_t flags, uint16_t next)
{
    little(to, at, 8);
    little(to + 8, length, 4);
    little(to + 12, flags, 2);
    little(to + 14, next, 2);
}

/* A virtio request; returns its status. */
static uint8_t ask(struct disk *d, uint32_t type, uint64_t block, uint32_t count, bool in)
{
    uint8_t *s = d->r.at, *table = s + RINGS;
    little(s + HEADER, type, 4);
    little(s + HEADER + 8, block, 8);
    s[STATUS] = 0xee;
    descriptor(table, HEADER, 16, 1, count ? 1 : 2);
    descriptor(table + 16, DATA, count * BLOCK, in ? 3 : 1, 2);
    descriptor(table + 32, STATUS, 1, 2, 0);
    little(s + RINGS + 0x1004 + 2 * (d->asked % 256), 0, 2);
    little(s + RINGS + 0x1002, ++d->asked, 2);
    d->v->kind->serve(d->v, 0);
    assert_false(d->v->broken);
    assert_int_equal(s[RINGS + 0x2002], d->asked & 0xff); /* given back */
    return s[STATUS];
}

/* Read or write blocks. True: the guest was told that it is done; otherwise that it is not, in the disk's own words. */
static bool transfer(struct disk *d, bool write, unsigned block, unsigned count)
{
    uint8_t irb[CPU_IO_BLOCK];
    if (d->kind->virtio) {
        uint8_t status = ask(d, write, block, count, !write);
        assert_in_range(status, 0, 1);
        return status == 0;
    }
    disk_program(&d->r, write, block, count);
    put32(d->r.at + 0x20300 + 12, BLOCKS - 1); /* the extent is the disk */
    run_program(&d->r, irb);
    if (irb[8] == 0x0c)
        return true;
    assert_int_equal(irb[8], 0x0e);
    assert_int_equal(irb[32], SENSE_EQUIPMENT_CHECK);
    return false;
}

static void assert_told(const struct disk *d, unsigned messages, const char *what, const char *remedy)
{
    const char *m = d->r.message;
    assert_int_equal(d->r.messages, messages);
    if (!strstr(m, "device 0:0120: ") || !strstr(m, d->r.file) || !strstr(m, what) || !strstr(m, remedy) ||
        !strstr(m, d->kind->virtio ? "gets an I/O error" : "gets an equipment check"))
        fail_msg("the operator read: %s", m);
}

/* ---- the host's errors ----------------------------------------------------------------------------------------- */

/* Errors come and go: the guest gets each, the operator the first, the tenth, the hundredth. */
static void medium(void **state)
{
    (void)state;
    for (unsigned k = 0; k < KINDS; k++) {
        struct disk d;
        make_kind(&d, &kinds[k], "");
        memset(d.r.at + DATA, IS_OWN, 8 * BLOCK);
        assert_true(transfer(&d, true, 8, 8));
        host.read = EIO;
        for (unsigned n = 1; n <= 120; n++) {
            assert_false(transfer(&d, false, 8, 1));
            assert_int_equal(d.r.messages, n < 10 ? 1 : n < 100 ? 2 : 3);
        }
        assert_told(&d, 3, "cannot read", "medium");
        assert_non_null(strstr(d.r.message, "at byte 4096: "));
        assert_non_null(strstr(d.r.message, "(100 times by now)"));
        host.read = 0;
        d.r.at[DATA] = 0;
        assert_true(transfer(&d, false, 8, 1));
        assert_int_equal(d.r.at[DATA], IS_OWN);
        host.write = EIO;
        assert_false(transfer(&d, true, 8, 1));
        assert_told(&d, 4, "cannot write", "medium");
        host.write = 0;
        assert_true(transfer(&d, true, 8, 1));
        if (d.kind->virtio) {
            host.sync = EIO;
            assert_int_equal(ask(&d, 4, 0, 0, false), 1);
            assert_told(&d, 5, "cannot flush", "medium");
            host.sync = 0;
            assert_int_equal(ask(&d, 4, 0, 0, false), 0);
        }
        end_kind(&d);
    }
}

/* No room: what was there stays, and when there is room again all goes on. */
static void full(void **state)
{
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    for (unsigned k = 0; k < KINDS; k++) {
        struct disk d;
        struct rlimit old, small;
        struct stat before, after;
        make_kind(&d, &kinds[k], "");
        memset(d.r.at + DATA, IS_OWN, 8 * BLOCK);
        assert_true(transfer(&d, true, 0, 8));
        host.write = ENOSPC;
        assert_false(transfer(&d, true, 1000, 8));
        assert_told(&d, 1, "No space left", "make room");
        host.write = 0;
        /* A limit of this process, which the host itself keeps. */
        assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
        assert_int_equal(stat(d.r.file, &before), 0);
        small = old;
        small.rlim_cur = 60 * BLOCK;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        unsigned failed = 0;
        for (unsigned block = 2000; block < 2200; block += 8)
            failed += !transfer(&d, true, block, 8);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_true(failed > 10);
        assert_non_null(strstr(d.r.message, "ulimit -f"));
        assert_int_equal(d.r.messages, 3);
        assert_int_equal(stat(d.r.file, &after), 0);
        assert_true(after.st_size == before.st_size || after.st_size <= (off_t)small.rlim_cur);
        for (unsigned block = 1000; block < 1200; block += 8)
            assert_true(transfer(&d, true, block, 8));
        memset(d.r.at + DATA, 0, BLOCK);
        assert_true(transfer(&d, false, 0, 1));
        assert_int_equal(d.r.at[DATA], IS_OWN);
        if (kinds[k].qcow2) {
            size_t length;
            unsigned leaks;
            char path[64];
            snprintf(path, sizeof path, "%s", d.r.file);
            machine_destroy(d.r.m);
            uint8_t *bytes = load(path, &length);
            assert_int_equal(check_qcow2(bytes, length, &leaks), 0);
            free(bytes);
            unlink(path);
        } else {
            end_kind(&d);
        }
    }
}

/* The file becomes shorter: what is left is read, the rest is not, and nothing makes it longer again. */
static void cut(void **state)
{
    (void)state;
    for (unsigned k = 0; k < KINDS; k++) {
        struct disk d;
        struct stat st;
        make_kind(&d, &kinds[k], "");
        memset(d.r.at + DATA, IS_OWN, 8 * BLOCK);
        for (unsigned block = 0; block < 64; block += 8)
            assert_true(transfer(&d, true, block, 8));
        assert_int_equal(stat(d.r.file, &st), 0);
        const off_t left = kinds[k].qcow2 ? 7 * 4096 : 16 * (off_t)BLOCK;
        assert_int_equal(truncate(d.r.file, left), 0);
        assert_true(transfer(&d, false, 0, 1));
        assert_false(transfer(&d, false, 56, 1));
        assert_told(&d, 1, "cannot read", kinds[k].qcow2 ? "good copy" : "shorter");
        assert_false(transfer(&d, true, 56, 1));
        assert_told(&d, 2, "cannot write", kinds[k].qcow2 ? "good copy" : "shorter");
        assert_int_equal(stat(d.r.file, &st), 0);
        assert_int_equal(st.st_size, left);
        if (d.kind->virtio) {
            assert_int_equal(ask(&d, 4, 0, 0, false), 1);
            assert_told(&d, 3, "cannot flush", kinds[k].qcow2 ? "good copy" : "shorter");
        }
        char path[64];
        snprintf(path, sizeof path, "%s", d.r.file);
        machine_destroy(d.r.m);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_size, left);
        unlink(path);
    }
}

/* The file's name goes: the disk is there as long as zri has it open, and the operator is told once. */
static void gone(void **state)
{
    (void)state;
    for (unsigned k = 0; k < KINDS; k++) {
        struct disk d;
        make_kind(&d, &kinds[k], "");
        memset(d.r.at + DATA, IS_OWN, 8 * BLOCK);
        assert_true(transfer(&d, true, 0, 8));
        assert_int_equal(d.r.messages, 0);
        unlink(d.r.file);
        assert_true(transfer(&d, true, 8, 8));
        assert_true(transfer(&d, true, 16, 8));
        assert_int_equal(d.r.messages, 1);
        assert_non_null(strstr(d.r.message, "was removed"));
        assert_non_null(strstr(d.r.message, d.r.file));
        d.r.at[DATA] = 0;
        assert_true(transfer(&d, false, 8, 1));
        assert_int_equal(d.r.at[DATA], IS_OWN);
        end_kind(&d);
    }
}

/* A file that may not be written: the operator is told, the guest sees a read-only disk and the file stays as it is. */
static void read_only(void **state)
{
    (void)state;
    for (unsigned k = 0; k < KINDS; k++) {
        struct disk d;
        char device[128], error[600];
        make_kind(&d, &kinds[k], "");
        memset(d.r.at + DATA, IS_OWN, 8 * BLOCK);
        assert_true(transfer(&d, true, 0, 8));
        assert_int_equal(css_detach(d.r.m, 0, 0x120, false, error, sizeof error), 0);
        assert_int_equal(chmod(d.r.file, 0444), 0);
        const bool root = geteuid() == 0;
        if (root)
            assert_int_equal(seteuid(65534), 0);
        snprintf(device, sizeof device, "0120,%s,%s%s", kinds[k].virtio ? "virtio-blk" : "9336", d.r.file,
                 kinds[k].qcow2 ? "" : ",format=raw");
        int code = css_attach_text(d.r.m, device, false, error, sizeof error);
        if (root)
            assert_int_equal(seteuid(0), 0);
        assert_int_equal(code, 0);
        assert_int_equal(d.r.messages, 1);
        assert_non_null(strstr(d.r.message, "is read-only for the guest"));
        memset(d.r.at + DATA, 0, BLOCK);
        if (kinds[k].virtio) {
            set_up_virtio(&d);
            d.asked = 0;
            memset(d.r.at + RINGS, 0, 0x3000);
            assert_true(d.v->own_features & VIRTIO_FEATURE(5));
            assert_int_equal(ask(&d, 1, 0, 1, false), 1);
        } else {
            uint8_t irb[CPU_IO_BLOCK];
            enable(&d.r);
            disk_program(&d.r, true, 0, 1);
            run_program(&d.r, irb);
            assert_int_equal(irb[32], SENSE_COMMAND_REJECT);
            assert_int_equal(irb[33], 0x02); /* write inhibited */
        }
        assert_int_equal(d.r.messages, 1);
        assert_true(transfer(&d, false, 0, 1));
        assert_int_equal(d.r.at[DATA], IS_OWN);
        end_kind(&d);
    }
}

/* ---- virtio ---------------------------------------------------------------------------------------------------- */

/* The name, discard and zeros, and what a guest that never flushes gets. */
static void requests(void **state)
{
    (void)state;
    for (unsigned k = 2; k < KINDS; k++) {
        struct disk d;
        uint8_t *data;
        make_kind(&d, &kinds[k], ",serial=my disk");
        data = d.r.at + DATA;
        memset(data, 0xff, BLOCK);
        little(d.r.at + RINGS + 0x1000, 0, 2);
        assert_int_equal(ask(&d, 8, 0, 1, true), 0);
        assert_memory_equal(data, "my disk\0\0\0\0\0\0\0\0\0\0\0\0\0\xff", 21);
        memset(data, IS_OWN, 64 * BLOCK);
        assert_int_equal(ask(&d, 1, 0, 64, false), 0);
        for (unsigned type = 11; type <= 13; type += 2) {
            memset(data, 0, BLOCK); /* one range: 8 blocks from 8 or 16 on */
            little(data, type == 11 ? 8 : 16, 8);
            little(data + 8, 8, 4);
            assert_int_equal(ask(&d, type, 0, 0, false), 1); /* no range */
            descriptor(d.r.at + RINGS + 16, 0, 0, 0, 0);
            little(d.r.at + HEADER, type, 4);
            little(d.r.at + RINGS + 8, 16, 4);
            descriptor(d.r.at + RINGS, HEADER, 16, 1, 1);
            descriptor(d.r.at + RINGS + 16, DATA, 16, 1, 2);
            little(d.r.at + RINGS + 0x1002, ++d.asked, 2);
            d.v->kind->serve(d.v, 0);
            assert_int_equal(d.r.at[STATUS], 0);
        }
        assert_int_equal(ask(&d, 0, 8, 24, true), 0);
        for (unsigned n = 0; n < 24 * BLOCK; n++)
            assert_int_equal(data[n], n < 16 * BLOCK ? 0 : IS_OWN);
        d.v->accepted &= ~VIRTIO_FEATURE(9);
        host.sync = EIO;
        assert_int_equal(ask(&d, 1, 0, 1, false), 1);
        host.sync = 0;
        assert_int_equal(ask(&d, 1, 0, 1, false), 0);
        end_kind(&d);
    }
}

/* The guest's queue lies in what a request reads, so that each block brings the next request: no more of them are
   served at once than the queue has entries, the rest by the timer. */
static void ring_in_data(void **state)
{
    enum { LINKS = 64, ENTRIES = 8, RING = 0x100 };
    struct disk d;
    uint8_t sector[BLOCK];
    (void)state;
    make_kind(&d, &kinds[2], "");
    uint8_t *s = d.r.at;
    struct image *image = d.v->device->type->image(d.v->device);
    d.v->queues[0].size = ENTRIES;
    d.v->queues[0].driver = DATA + RING;
    for (unsigned i = 0; i < LINKS; i++) {
        memset(sector, 0, sizeof sector);
        little(sector + 8, i + 1, 8); /* the next block */
        little(sector + RING + 2, i + 1 < LINKS ? i + 2 : LINKS, 2);
        assert_int_equal(image_write(image, i * BLOCK, sector, BLOCK), 0);
    }
    memset(s + DATA, 0, BLOCK);
    little(s + DATA + RING + 2, 1, 2);
    descriptor(s + RINGS, DATA, 16, 1, 1);
    descriptor(s + RINGS + 16, DATA, BLOCK, 3, 2);
    descriptor(s + RINGS + 32, STATUS, 1, 2, 0);
    d.v->kind->serve(d.v, 0);
    assert_int_equal(s[RINGS + 0x2002], ENTRIES);
    for (unsigned more = 1; more < LINKS / ENTRIES; more++) {
        assert_true(d.r.m->sys.event_at > d.r.m->sys.now);
        d.r.m->sys.now = d.r.m->sys.event_at;
        css_event(d.r.m, d.r.m->sys.now);
        assert_int_equal(s[RINGS + 0x2002], ENTRIES * (more + 1));
    }
    assert_int_equal(d.r.m->sys.event_at, 0);
    assert_false(d.v->broken);
    end_kind(&d);
}

/* Other words for a disk: not while a virtio guest has it; a fixed-block one is another disk then. */
static void other_words(void **state)
{
    (void)state;
    for (unsigned k = 0; k < KINDS; k += 2) {
        struct disk d;
        char error[600], *words[] = {"=1M"}, *wrong[] = {"/nonexistent/x"};
        make_kind(&d, &kinds[k], "");
        int code = css_reopen(d.r.m, 0, 0x120, 1, words, error, sizeof error);
        if (kinds[k].virtio) {
            assert_int_equal(code, -EBUSY);
            assert_non_null(strstr(error, "detach"));
            assert_true(transfer(&d, true, 0, 1)); /* its queues are there */
            virtio_reset(d.v->device, true);
            code = css_reopen(d.r.m, 0, 0x120, 1, words, error, sizeof error);
        }
        assert_int_equal(code, 0);
        assert_int_equal(
            image_size(css_find_number(d.r.m->css, 0, 0x120)->type->image(css_find_number(d.r.m->css, 0, 0x120))),
            1 << 20);
        assert_int_not_equal(css_reopen(d.r.m, 0, 0x120, 1, wrong, error, sizeof error), 0);
        assert_non_null(strstr(error, "/nonexistent/x"));
        assert_non_null(strstr(error, "is detached now"));
        assert_null(css_find_number(d.r.m->css, 0, 0x120));
        end_kind(&d);
    }
}

/* A file is one disk of a machine, or several that do not write. */
static void twice(void **state)
{
    (void)state;
    for (unsigned k = 0; k < KINDS; k++) {
        struct disk d;
        char device[128], error[600];
        make_kind(&d, &kinds[k], "");
        for (unsigned n = 0; n < 3; n++) {
            static const char *const words[] = {"", ",ro", ",snapshot"};
            snprintf(device, sizeof device, "0121,9336,%s%s%s", d.r.file, kinds[k].qcow2 ? "" : ",format=raw",
                     words[n]);
            assert_int_not_equal(css_attach_text(d.r.m, device, false, error, sizeof error), 0);
            assert_non_null(strstr(error, "another disk of this machine"));
        }
        assert_int_equal(css_detach(d.r.m, 0, 0x120, false, error, sizeof error), 0);
        assert_int_equal(css_attach_text(d.r.m, device, false, error, sizeof error), 0);
        device[3] = '3';
        assert_int_equal(css_attach_text(d.r.m, device, false, error, sizeof error), 0);
        end_kind(&d);
    }
}

/* Block I/O of DIAGNOSE X'250' when the host fails. */
static void block_io(void **state)
{
    (void)state;
    for (unsigned k = 0; k < KINDS; k++) {
        struct disk d;
        make_kind(&d, &kinds[k], "");
        uint8_t *list = d.r.at + 0x20000;
        struct cpu *cpu = d.r.cpu;
        put16(list, 0x120);
        put32(list + 24, BLOCK);
        cpu->gr[2] = 0x20000;
        cpu->gr[4] = 0;
        assert_int_equal(machine_diagnose(d.r.m, cpu, 0x250, 2, 4), 0);
        assert_int_equal(cpu->gr[3], 0);
        memset(list + 2, 0, 62);
        put32(list + 28, 1);
        put32(list + 36, 0x20100);
        put32(list + 256, 0x01ee0000);
        put32(list + 260, 10);
        put32(list + 268, DATA);
        cpu->gr[4] = 1;
        for (unsigned write = 1; write <= 2; write++) {
            list[256] = (uint8_t)write;
            host.read = host.write = EIO;
            assert_int_equal(machine_diagnose(d.r.m, cpu, 0x250, 2, 4), 0);
            assert_int_equal(cpu->gr[3], 40);
            assert_int_equal(list[257], 5);
            assert_int_equal(d.r.messages, write);
            assert_non_null(strstr(d.r.message, "at byte 4608: "));
            host.read = host.write = 0;
            assert_int_equal(machine_diagnose(d.r.m, cpu, 0x250, 2, 4), 0);
            assert_int_equal(cpu->gr[3], 0);
            assert_int_equal(list[257], 0);
        }
        machine_reset(d.r.m); /* the environment ends */
        assert_int_equal(machine_diagnose(d.r.m, cpu, 0x250, 2, 4), 0);
        assert_int_equal(cpu->gr[3], 28);
        end_kind(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medium),       cmocka_unit_test(full),      cmocka_unit_test(cut),
        cmocka_unit_test(gone),         cmocka_unit_test(read_only), cmocka_unit_test(requests),
        cmocka_unit_test(other_words),  cmocka_unit_test(block_io),  cmocka_unit_test(twice),
        cmocka_unit_test(ring_in_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
