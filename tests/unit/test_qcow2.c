/* SPDX-License-Identifier: GPL-3.0-or-later */
/* qcow2 images that are written: against a flat model, the counts of clusters, moments at which the host loses its
   power, backing images, what is refused. qemu-img, where it is, makes images and is a second judge. */
#define _GNU_SOURCE
#include "emu/dev/image/disk.h"
#include "tests/unit/qcow2_maker.h"
#include "tests/unit/random.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define SECTOR 512u
#ifdef HAVE_ZLIB
#define COMPRESS "-c"
#else
#define COMPRESS ""
#endif

struct world {
    char folder[64];
    bool qemu; /* there is a qemu-img */
};

static char *file(const struct world *w, const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", w->folder, name);
    return path;
}

static int command(const char *format, ...)
{
    char line[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

static int begin(void **state)
{
    static struct world w = {.folder = "/tmp/zri-qcow2-XXXXXX"};
    if (!mkdtemp(w.folder))
        return -1;
    w.qemu = command("qemu-img --version >/dev/null 2>&1") == 0;
    if (!w.qemu)
        print_message("there is no qemu-img on this host: only our own images and judge\n");
    *state = &w;
    return 0;
}

static int finish(void **state)
{
    const struct world *w = *state;
    return command("rm -rf %s", w->folder);
}

static struct image *open_image(const char *path)
{
    char error[600] = "";
    struct image *i = image_open(path, false, false, error, sizeof error);
    if (!i)
        fail_msg("%s", error);
    return i;
}

/* Our own judge, and qemu-img. `leaks`: they are no error. */
static void judge(const struct world *w, const char *path, bool leaks)
{
    size_t length;
    unsigned lost;
    uint8_t *bytes = load(path, &length);
    if (get32(bytes + 60) == 0) /* our judge does not know internal snapshots */
        assert_int_equal(check_qcow2(bytes, length, &lost), 0);
    else
        lost = 0;
    free(bytes);
    if (!leaks)
        assert_int_equal(lost, 0);
    if (w->qemu) {
        int code = command("qemu-img check -q -f qcow2 %s >%s/log 2>&1", path, w->folder);
        if (code != 0 && !(leaks && code == 3)) {
            command("cat %s/log", w->folder);
            fail_msg("qemu-img check %s: %d", path, code);
        }
    }
}

/* The disk is as the model says. */
static void compare(const struct world *w, const char *path, const uint8_t *model, size_t size)
{
    struct image *i = open_image(path);
    uint8_t *bytes = malloc(size);
    assert_int_equal(image_size(i), size);
    assert_int_equal(image_read(i, 0, bytes, size), 0);
    for (size_t n = 0; n < size; n++)
        if (bytes[n] != model[n])
            fail_msg("%s: byte %zu is %02x and not %02x", path, n, bytes[n], model[n]);
    free(bytes);
    image_close(i);
    if (w->qemu) {
        char raw[128];
        save(file(w, "model", raw), model, size);
        assert_int_equal(command("qemu-img compare -q -f qcow2 -F raw %s %s", path, raw), 0);
    }
}

/* Bytes that no two writes have alike. */
static void pattern(struct random *r, uint8_t *bytes, size_t length)
{
    for (size_t n = 0; n < length; n++)
        bytes[n] = (uint8_t)(next(r) >> 40);
}

/* Something at random: a write, zeros, a discard, a flush, a read. Discarded bytes are read back into the model. */
static void something(struct random *r, struct image *i, uint8_t *model, uint64_t size)
{
    static uint8_t bytes[1 << 18];
    const uint64_t at = next(r) % (size / SECTOR) * SECTOR;
    uint64_t length = (1 + (below(r, 3) ? below(r, 16) : below(r, sizeof bytes / SECTOR - 1))) * SECTOR;
    if (length > size - at)
        length = size - at;
    switch (below(r, 12)) {
    case 0:
        assert_int_equal(image_zero(i, at, length, false), 0);
        memset(model + at, 0, length);
        break;
    case 1:
        assert_int_equal(image_zero(i, at, length, true), 0);
        assert_int_equal(image_read(i, at, bytes, length), 0);
        for (uint64_t n = 0; n < length; n++)
            assert_true(bytes[n] == 0 || bytes[n] == model[at + n]);
        memcpy(model + at, bytes, length);
        break;
    case 2:
        assert_int_equal(image_flush(i), 0);
        break;
    case 3:
        assert_int_equal(image_read(i, at, bytes, length), 0);
        assert_memory_equal(bytes, model + at, length);
        break;
    default:
        pattern(r, bytes, length);
        assert_int_equal(image_write(i, at, bytes, length), 0);
        memcpy(model + at, bytes, length);
    }
}

static void work(struct random *r, const char *path, uint8_t *model, uint64_t size, unsigned rounds)
{
    struct image *i = open_image(path);
    assert_false(image_read_only(i));
    image_set_lazy(i, below(r, 2));
    for (unsigned n = 0; n < rounds; n++)
        something(r, i, model, size);
    image_close(i);
}

/* ---- the model ------------------------------------------------------------------------------------------------- */

static void against_model(void **state)
{
    const struct world *w = *state;
    static const struct shape shapes[] = {
        {3, 16, 4, 3 << 20, NULL},   {2, 16, 4, 3 << 20, NULL}, {3, 9, 4, 3 << 20, NULL},
        {3, 12, 0, 2 << 20, NULL},   {3, 12, 1, 2 << 20, NULL}, {3, 12, 2, 2 << 20, NULL},
        {3, 12, 3, 2 << 20, NULL},   {3, 9, 6, 3 << 20, NULL},  {3, 10, 5, (1 << 20) + 512, NULL},
        {2, 11, 4, 999 * 512, NULL}, {3, 21, 4, 5 << 20, NULL}, {3, 9, 5, 2 << 20, NULL},
    };
    struct random r = {77};
    char path[128];
    for (unsigned n = 0; n < sizeof shapes / sizeof *shapes; n++) {
        const struct shape *s = &shapes[n];
        uint8_t *model = calloc(1, s->size);
        make_qcow2(file(w, "a.qcow2", path), s);
        for (unsigned turn = 0; turn < 3; turn++) {
            work(&r, path, model, s->size, 200);
            judge(w, path, false);
            compare(w, path, model, s->size);
        }
        free(model);
    }
}

/* Images that qemu-img made: compressed, with internal snapshots (which keep what they have), above other images. */
static void of_qemu(void **state)
{
    const struct world *w = *state;
    if (!w->qemu)
        skip();
    static const char *const options[] = {"compat=1.1", "compat=0.10", "cluster_size=4k,refcount_bits=8",
                                          "cluster_size=512", "lazy_refcounts=on"};
    const size_t size = 2 << 20;
    struct random r = {99};
    char path[128], source[128];
    for (unsigned n = 0; n < sizeof options / sizeof *options; n++) {
        uint8_t *model = calloc(1, size), *then = malloc(size);
        for (size_t at = 0; at < size; at += 64 << 10) /* compresses well in parts */
            pattern(&r, model + at, below(&r, 40) << 10);
        save(file(w, "source", source), model, size);
        assert_int_equal(command("qemu-img convert -q " COMPRESS " -f raw -O qcow2 -o %s %s %s", options[n], source,
                                 file(w, "b.qcow2", path)),
                         0);
        for (unsigned turn = 0; turn < 2; turn++) {
            work(&r, path, model, size, 150);
            judge(w, path, false);
            compare(w, path, model, size);
        }
        memcpy(then, model, size);
        assert_int_equal(command("qemu-img snapshot -c one %s", path), 0);
        work(&r, path, model, size, 150);
        judge(w, path, false);
        compare(w, path, model, size);
        assert_int_equal(command("qemu-img snapshot -a one %s", path), 0);
        compare(w, path, then, size);
        memcpy(model, then, size);
        work(&r, path, model, size, 150);
        assert_int_equal(command("qemu-img snapshot -d one %s", path), 0);
        judge(w, path, false);
        compare(w, path, model, size);
        free(model);
        free(then);
    }
}

/* An image above a shorter raw one, and one above that; only the top changes. */
static void backing(void **state)
{
    const struct world *w = *state;
    const size_t size = 1 << 20, lower = 700 * SECTOR;
    struct random r = {5};
    char base[128], middle[128], top[128];
    for (unsigned version = 2; version <= 3; version++) {
        const struct shape over_raw = {version, 12, 4, size - 2048, "base.raw"},
                           over = {version, 14, 4, size, "middle.qcow2"};
        uint8_t *model = calloc(1, size), *kept;
        size_t length;
        unsigned leaks;
        pattern(&r, model, lower);
        save(file(w, "base.raw", base), model, lower);
        uint8_t *base_bytes = malloc(lower);
        memcpy(base_bytes, model, lower);
        make_qcow2(file(w, "middle.qcow2", middle), &over_raw);
        work(&r, middle, model, size - 2048, 60);
        make_qcow2(file(w, "top.qcow2", top), &over);
        uint8_t *middle_bytes = load(middle, &length);
        for (unsigned turn = 0; turn < 2; turn++) {
            work(&r, top, model, size, 150);
            judge(w, top, false);
            struct image *i = open_image(top);
            uint8_t *bytes = malloc(size);
            assert_int_equal(image_read(i, 0, bytes, size), 0);
            assert_memory_equal(bytes, model, size);
            free(bytes);
            image_close(i);
        }
        size_t after;
        kept = load(middle, &after);
        assert_int_equal(after, length);
        assert_memory_equal(kept, middle_bytes, length);
        assert_int_equal(check_qcow2(kept, after, &leaks), 0);
        free(kept);
        kept = load(base, &after);
        assert_memory_equal(kept, base_bytes, lower);
        free(kept);
        free(base_bytes);
        free(middle_bytes);
        free(model);
    }
}

/* ---- the host stops -------------------------------------------------------------------------------------------- */

/* What was done to the file since it was last on the medium. */
static struct {
    bool on;
    unsigned count;
    struct {
        uint64_t at, length; /* bytes NULL: the file got this length */
        uint8_t *bytes;
    } done[4096];
    uint8_t *durable;
    size_t length;
    const char *path;
} journal;

ssize_t __real_pwrite(int fd, const void *from, size_t length, off_t at);
int __real_ftruncate(int fd, off_t length);
ssize_t __wrap_pwrite(int fd, const void *from, size_t length, off_t at);
int __wrap_ftruncate(int fd, off_t length);
int __wrap_fdatasync(int fd);

static void note(const void *from, uint64_t at, uint64_t length)
{
    if (!journal.on || journal.count == sizeof journal.done / sizeof *journal.done)
        return;
    uint8_t *copy = from ? malloc(length) : NULL;
    if (from)
        memcpy(copy, from, length);
    journal.done[journal.count].at = at;
    journal.done[journal.count].length = length;
    journal.done[journal.count++].bytes = copy;
}

ssize_t __wrap_pwrite(int fd, const void *from, size_t length, off_t at)
{
    note(from, (uint64_t)at, length);
    return __real_pwrite(fd, from, length, at);
}

int __wrap_ftruncate(int fd, off_t length)
{
    note(NULL, 0, (uint64_t)length);
    return __real_ftruncate(fd, length);
}

static void forget(void)
{
    while (journal.count)
        free(journal.done[--journal.count].bytes);
}

int __wrap_fdatasync(int fd)
{
    (void)fd;
    if (journal.on) {
        forget();
        free(journal.durable);
        journal.durable = load(journal.path, &journal.length);
    }
    return 0; /* the medium is our copy */
}

/* The file as it may be found: what was on the medium, and some of what was done since. */
static void lose_power(const struct world *w, struct random *r, char path[128])
{
    size_t length = journal.length, room = length;
    for (unsigned n = 0; n < journal.count; n++)
        if (!journal.done[n].bytes && journal.done[n].length > room)
            room = journal.done[n].length;
        else if (journal.done[n].bytes && journal.done[n].at + journal.done[n].length > room)
            room = journal.done[n].at + journal.done[n].length;
    uint8_t *bytes = calloc(1, room);
    memcpy(bytes, journal.durable, length);
    for (unsigned n = 0; n < journal.count; n++) {
        if (below(r, 2))
            continue;
        if (!journal.done[n].bytes) {
            length = journal.done[n].length;
            continue;
        }
        memcpy(bytes + journal.done[n].at, journal.done[n].bytes, journal.done[n].length);
        if (journal.done[n].at + journal.done[n].length > length)
            length = journal.done[n].at + journal.done[n].length;
    }
    save(file(w, "crash.qcow2", path), bytes, length);
    free(bytes);
}

/* A disk on its way. */
struct way {
    struct image *image;
    uint64_t size;
    uint8_t *model;
    bool *loose; /* sectors written since the last flush */
    const char *name;
};

static uint8_t way_bytes[3 << 20];

/* One write or zeros, and now and then a flush. */
static void go_on(struct random *r, struct way *d)
{
    const uint64_t at = below(r, (unsigned)(d->size / SECTOR)) * SECTOR;
    uint64_t length = (1 + below(r, below(r, 4) ? 12 : 100)) * SECTOR;
    if (length > d->size - at)
        length = d->size - at;
    for (uint64_t s = at / SECTOR; s < (at + length) / SECTOR; s++)
        d->loose[s] = true;
    if (below(r, 6) == 0) {
        assert_int_equal(image_zero(d->image, at, length, false), 0);
        memset(d->model + at, 0, length);
    } else {
        pattern(r, way_bytes, length);
        assert_int_equal(image_write(d->image, at, way_bytes, length), 0);
        memcpy(d->model + at, way_bytes, length);
    }
    if (below(r, 8) == 0) {
        assert_int_equal(image_flush(d->image), 0);
        memset(d->loose, 0, d->size / SECTOR * sizeof *d->loose);
    }
}

/* The host loses its power now. Returns how many clusters are counted that nothing uses. */
static unsigned lost(const struct world *w, struct random *r, const struct way *d)
{
    char crash[128];
    size_t found;
    unsigned leaks;
    lose_power(w, r, crash);
    journal.on = false;
    uint8_t *bytes = load(crash, &found);
    assert_int_equal(check_qcow2(bytes, found, &leaks), 0);
    free(bytes);
    struct image *again = open_image(crash);
    assert_int_equal(image_read(again, 0, way_bytes, d->size), 0);
    image_close(again);
    for (uint64_t s = 0; s < d->size / SECTOR; s++)
        if (!d->loose[s] && memcmp(way_bytes + s * SECTOR, d->model + s * SECTOR, SECTOR) != 0)
            fail_msg("%s: sector %u was on the medium and is lost", d->name, (unsigned)s);
    journal.on = true;
    return leaks;
}

/* At any moment: no cluster is counted too low, the image opens, and what was flushed and not touched since is there.
   Twice, the second time with entries that wait for the flush. */
static void crashes(void **state)
{
    const struct world *w = *state;
    static const struct shape shapes[] = {{3, 12, 4, 1 << 20, "below.raw"},
                                          {3, 9, 4, 1 << 19, NULL},
                                          {2, 12, 4, 1 << 20, "below.raw"},
                                          {3, 9, 6, 1 << 19, "below.raw"},
                                          {3, 9, 6, 3 << 20, NULL}};
    struct random r = {4711};
    char path[128], base[128], name[32];
    unsigned leaks = 0;
    for (unsigned n = 0; n < 2 * (sizeof shapes / sizeof *shapes); n++) {
        const struct shape *s = &shapes[n / 2];
        struct way d = {.size = s->size, .model = calloc(1, s->size), .name = name};
        d.loose = calloc(d.size / SECTOR, sizeof *d.loose);
        snprintf(name, sizeof name, "shape %u%s", n / 2, n & 1 ? ", lazy" : "");
        if (s->backing) {
            pattern(&r, d.model, d.size);
            save(file(w, "below.raw", base), d.model, d.size);
        }
        make_qcow2(file(w, "power.qcow2", path), s);
        journal.path = path;
        d.image = open_image(path);
        image_set_lazy(d.image, n & 1);
        if (d.size > 2 << 20) { /* nearly as much as the first table of blocks of counts is for */
            pattern(&r, d.model, 1900 << 10);
            assert_int_equal(image_write(d.image, 0, d.model, 1900 << 10), 0);
        }
        journal.on = true;
        assert_int_equal(image_flush(d.image), 0);
        for (unsigned turn = 0; turn < 250; turn++) {
            go_on(&r, &d);
            leaks += lost(w, &r, &d);
        }
        journal.on = false;
        image_close(d.image);
        forget();
        free(d.model);
        free(d.loose);
    }
    free(journal.durable);
    journal.durable = NULL;
    assert_true(leaks > 0); /* the moments were not all harmless */
}

/* zri ends without a word. */
static void killed(void **state)
{
    const struct world *w = *state;
    const struct shape shape = {3, 16, 4, 8 << 20, NULL};
    char path[128], flat[128];
    uint8_t *model = calloc(1, shape.size), *bytes = malloc(shape.size);
    make_qcow2(file(w, "killed.qcow2", path), &shape);
    for (unsigned turn = 1; turn < 5; turn++) {
        struct random r = {turn};
        size_t length;
        int status;
        file(w, "flat", flat);
        pid_t child = fork();
        if (child == 0) {
            struct image *i = open_image(path);
            for (unsigned n = 0; n < 40; n++)
                something(&r, i, model, shape.size);
            save(flat, model, shape.size);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        judge(w, path, true);
        free(model);
        model = load(flat, &length);
        struct image *i = open_image(path);
        assert_int_equal(image_read(i, 0, bytes, shape.size), 0);
        image_close(i);
        assert_memory_equal(bytes, model, shape.size);
    }
    free(bytes);
    free(model);
}

/* Another machine takes the image over, as a snapshot that is loaded does: the first one has put it in order, and its
   end changes nothing. */
static void taken_over(void **state)
{
    const struct world *w = *state;
    const struct shape shape = {3, 12, 0, 2 << 20, NULL};
    struct random r = {31};
    char path[128];
    uint8_t *model = calloc(1, shape.size);
    make_qcow2(file(w, "over.qcow2", path), &shape);
    struct image *first = open_image(path);
    for (unsigned turn = 0; turn < 3; turn++) {
        for (unsigned n = 0; n < 60; n++)
            something(&r, first, model, shape.size);
        assert_int_equal(image_settle(first), 0);
        size_t length;
        unsigned leaks;
        uint8_t *bytes = load(path, &length);
        assert_int_equal(check_qcow2(bytes, length, &leaks), 0);
        assert_int_equal(leaks, 0);
        free(bytes);
        if (turn == 1) /* and goes on */
            continue;
        struct image *second = open_image(path);
        something(&r, second, model, shape.size);
        image_close(first);
        for (unsigned n = 0; n < 60; n++)
            something(&r, second, model, shape.size);
        first = second;
    }
    image_close(first);
    judge(w, path, false);
    compare(w, path, model, shape.size);
    free(model);
}

/* Two programs do not write to one image, nor does one read what another writes. */
static void locked(void **state)
{
    const struct world *w = *state;
    const struct shape shape = {3, 12, 4, 1 << 20, NULL};
    char path[128], error[600], word;
    for (unsigned writes = 0; writes < 2; writes++) {
        int ready[2], done[2], status;
        make_qcow2(file(w, "locked.qcow2", path), &shape);
        assert_int_equal(pipe(ready) | pipe(done), 0);
        pid_t child = fork();
        if (child == 0) {
            struct image *i = image_open(path, !writes, false, error, sizeof error);
            if (write(ready[1], "x", 1) != 1 || read(done[0], &word, 1) != 1)
                _exit(2);
            image_close(i);
            _exit(i == NULL);
        }
        assert_int_equal(read(ready[0], &word, 1), 1);
        struct image *i = image_open(path, false, false, error, sizeof error);
        assert_null(i);
        assert_non_null(strstr(error, "another program is using it"));
        i = image_open(path, true, false, error, sizeof error);
        assert_int_equal(i == NULL, writes);
        image_close(i);
        if (w->qemu) {
            int code = command("qemu-io -f qcow2 -c 'write 0 512' %s >%s/log 2>&1", path, w->folder);
            assert_int_not_equal(code, 0);
            assert_int_equal(command("grep -q -i lock %s/log", w->folder), 0);
            assert_int_equal(command("qemu-img check -q %s >/dev/null 2>&1", path) != 0, writes);
        }
        assert_int_equal(write(done[1], "x", 1), 1);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        i = open_image(path);
        image_close(i);
        close(ready[0]);
        close(ready[1]);
        close(done[0]);
        close(done[1]);
    }
}

/* ---- what is refused ------------------------------------------------------------------------------------------- */

static void refused(void **state)
{
    const struct world *w = *state;
    const struct shape shape = {3, 12, 4, 1 << 20, NULL};
    static const struct {
        unsigned at, size;
        uint64_t value;
        const char *words, *remedy;
        bool reads; /* not refused when nothing is written */
    } cases[] = {
        {0, 4, 1, "it is no qcow2 image", "format=raw", false},
        {4, 4, 4, "its qcow2 version", "qemu-img convert", false},
        {32, 4, 1, "encrypted", "qemu-img convert", false},
        {72, 8, 1, "not closed well", "qemu-img check", true},
        {72, 8, 2, "marked as damaged", "qemu-img check", true},
        {72, 8, 4, "another file", "qemu-img convert", false},
        {72, 8, 8, "another method", "qemu-img convert", false},
        {72, 8, 16, "subclusters", "qemu-img convert", false},
        {72, 8, 1u << 20, "features", "qemu-img convert", false},
        {20, 4, 8, "header", "copy", false},
        {20, 4, 22, "header", "copy", false},
        {24, 8, UINT64_C(1) << 40, "too small", "copy", false},
        {40, 8, 4097, "header", "copy", false},
        {40, 8, UINT64_C(1) << 40, "not in the file", "copy", false},
        {48, 8, 0, "counts", "qemu-img check", true},
        {48, 8, UINT64_C(1) << 60, "counts", "qemu-img check", true},
        {56, 4, 0, "counts", "qemu-img check", true},
        {56, 4, UINT32_MAX, "counts", "qemu-img check", true},
        {96, 4, 7, "counts", "qemu-img check", true},
        {8, 8, UINT64_C(1) << 50, "backing image", "copy", false},
    };
    char path[128], error[600];
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        size_t length;
        make_qcow2(file(w, "no.qcow2", path), &shape);
        uint8_t *bytes = load(path, &length);
        for (unsigned i = 0; i < cases[n].size; i++)
            bytes[cases[n].at + i] = (uint8_t)(cases[n].value >> 8 * (cases[n].size - 1 - i));
        save(path, bytes, length);
        free(bytes);
        error[0] = 0;
        struct image *i = image_open(path, false, false, error, sizeof error);
        if (i || !strstr(error, path) || !strstr(error, cases[n].words) || !strstr(error, cases[n].remedy))
            fail_msg("case %u: %s", n, i ? "is taken" : error);
        i = image_open(path, true, false, error, sizeof error);
        if ((i != NULL) != cases[n].reads)
            fail_msg("case %u, read-only: %s", n, error);
        image_close(i);
    }
}

static void names(void **state)
{
    const struct world *w = *state;
    char path[128], error[600];
    /* A ring of images, one that is not there, other kinds of sources. */
    static const char *const belows[] = {"ring.qcow2", "gone.raw", "nbd://host/x", "json:{}"};
    static const char *const words[] = {"too many", "No such file", "is no file", "is no file"};
    for (unsigned n = 0; n < 4; n++) {
        const struct shape shape = {3, 12, 4, 1 << 20, belows[n]};
        make_qcow2(file(w, "ring.qcow2", path), &shape);
        assert_null(image_open(path, false, false, error, sizeof error));
        if (!strstr(error, words[n]))
            fail_msg("%s", error);
    }
    /* The format goes by name or word and not by contents. */
    const struct shape shape = {3, 12, 4, 1 << 20, NULL};
    make_qcow2(file(w, "disk.img", path), &shape);
    assert_null(image_open(path, false, false, error, sizeof error));
    assert_non_null(strstr(error, "format=qcow2"));
    const struct shape over = {3, 12, 4, 1 << 20, "disk.img"};
    make_qcow2(file(w, "over.qcow2", path), &over);
    assert_null(image_open(path, false, false, error, sizeof error));
    assert_non_null(strstr(error, "rebase"));
}

/* Tables that cannot be are found when they are used: an error, and nothing more is written. */
static void damaged(void **state)
{
    const struct world *w = *state;
    const struct shape shape = {3, 12, 4, 1 << 20, NULL};
    static const uint64_t entries[] = {UINT64_C(1) << 63 | 0x1000, UINT64_C(1) << 63 | 0x3000, UINT64_C(1) << 63 | 512,
                                       UINT64_C(1) << 63 | UINT64_C(1) << 50};
    char path[128];
    uint8_t sector[SECTOR] = {1};
    for (unsigned n = 0; n < sizeof entries / sizeof *entries; n++) {
        size_t length;
        make_qcow2(file(w, "bad.qcow2", path), &shape);
        struct image *i = open_image(path);
        assert_int_equal(image_write(i, 0, sector, SECTOR), 0);
        image_close(i);
        uint8_t *bytes = load(path, &length);
        put64(bytes + (get64(bytes + 0x3000) & UINT64_C(0xfffffffffffe00)), entries[n]);
        save(path, bytes, length);
        i = open_image(path);
        assert_int_equal(image_write(i, 0, sector, SECTOR), -EUCLEAN);
        assert_int_equal(image_write(i, 1 << 19, sector, SECTOR), -EUCLEAN);
        image_close(i);
        size_t after;
        uint8_t *now = load(path, &after);
        assert_int_equal(after, length);
        assert_memory_equal(now, bytes, length);
        free(now);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_model), cmocka_unit_test(of_qemu), cmocka_unit_test(backing),
        cmocka_unit_test(crashes),       cmocka_unit_test(killed),  cmocka_unit_test(taken_over),
        cmocka_unit_test(locked),        cmocka_unit_test(refused), cmocka_unit_test(names),
        cmocka_unit_test(damaged),
    };
    return cmocka_run_group_tests(tests, begin, finish);
}
