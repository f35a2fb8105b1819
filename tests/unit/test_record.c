/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings: what was typed comes again at its place on every engine, disks are what they were, several CPUs meet as
   they met; files that are not whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/state/timing.h"
#include "cpu/storage/code.h"
#include "emu/dev/css/css.h"
#include "emu/dev/image/disk.h"
#include "emu/history/internal.h"
#include "emu/history/record.h"
#include "tests/unit/input_guest.h"
#include "tests/unit/random.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef HAVE_ZLIB

#define STORAGE (UINT64_C(4) << 20)

static char error[600], folder[] = "/tmp/zri-record-XXXXXX", file[64], disk[64];

struct kind {
    bool waits;
    unsigned cpus;
    bool host_clock; /* and random numbers */
};

static struct emu_options options_of(const struct kind *k, uint8_t engine, bool again)
{
    struct emu_options o = {.machine = machine_default_config()};
    o.machine.storage = STORAGE;
    o.machine.engine = engine;
    o.machine.cpus = k->cpus;
    o.machine.host_clock = k->host_clock;
    *(again ? &o.replay : &o.record) = file;
    return o;
}

static void open_guest(struct session *s, struct emu_options *o, const struct kind *k, struct tape_in *in)
{
    if (recording_prepare(o, in, error, sizeof error) || session_open(s, &o->machine, false, NULL, error, sizeof error))
        fail_msg("%s", error);
    input_guest(s, k->waits);
    if (recording_begin(s, o, in, error, sizeof error))
        fail_msg("%s", error);
}

/* Until there are `lines` in the guest's console, and `instructions` more. Yields how many there were. */
static uint64_t record(const struct kind *k, uint8_t *storage)
{
    struct session s;
    struct tape_in in;
    struct emu_options o = options_of(k, ENGINE_BLOCK, false);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    open_guest(&s, &o, k, &in);
    s.input = ends[0];
    const pid_t child = fork();
    if (child == 0) {
        for (unsigned n = 0; n < 12; n++) {
            usleep(700 + 100 * n);
            (void)!write(ends[1], "line\n", 5);
        }
        _exit(0);
    }
    close(ends[1]);
    while (!s.input_ended)
        machine_run(s.machine, k->waits ? 40 : 300000);
    waitpid(child, NULL, 0);
    const uint64_t last = machine_instructions(s.machine);
    memcpy(storage, s.machine->sys.storage.bytes, STORAGE);
    assert_int_equal(s.machine->sclp.line_length, 12 * 5);
    if (recording_finish(&s, error, sizeof error))
        fail_msg("%s", error);
    session_close(&s);
    close(ends[0]);
    return last;
}

/* In pieces, back and forth if `back`; the end is found by the recording itself. */
static void replay(const struct kind *k, uint8_t engine, bool back, uint64_t last, const uint8_t *storage)
{
    struct session s;
    struct tape_in in;
    struct history_end end;
    struct random random = seeded(engine * 2 + k->waits);
    struct emu_options o = options_of(k, engine, true);
    open_guest(&s, &o, k, &in);
    if (back && history_begin(&s, HISTORY_BYTES, last / 9 + 1, error, sizeof error))
        fail_msg("%s", error);
    if (back && history_goto(&s, last / 2, &end, error, sizeof error)) /* ahead, by what is to come */
        fail_msg("%s", error);
    for (unsigned n = 0; back && n < 8; n++) {
        if (history_goto(&s, next(&random) % last, &end, error, sizeof error))
            fail_msg("%s", error);
        (void)machine_run(s.machine, next(&random) % (last / 10) + 1);
        assert_true(s.history->tape->replays);
        assert_false(s.history->tape->wrong);
    }
    for (unsigned n = 0; !s.played_out && n < 1000000; n++)
        (void)machine_run(s.machine, last / 7 + 1);
    assert_int_equal(machine_instructions(s.machine), last);
    assert_memory_equal(s.machine->sys.storage.bytes, storage, STORAGE);
    assert_int_equal(s.machine->sclp.line_length, 12 * 5);
    if (recording_finish(&s, error, sizeof error))
        fail_msg("%s", error);
    tape_free(&in);
    session_close(&s);
}

static void test_typed(void **state)
{
    static const struct kind kinds[] = {{false, 1, false}, {true, 1, false}, {false, 3, false}, {true, 2, false},
                                        {false, 1, true},  {true, 1, true},  {true, 2, true}};
    static uint8_t storage[STORAGE];
    (void)state;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const uint64_t last = record(&kinds[i], storage);
        for (uint8_t engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
            replay(&kinds[i], engine, false, last, storage);
            replay(&kinds[i], engine, true, last, storage);
        }
    }
}

/* ---- disks ----------------------------------------------------------------------------------------------------- */

#define DISK_SIZE 300000u

static struct image *image_of(struct session *s)
{
    struct channel_device *d = css_device(s->machine->css, 0);
    return d->type->image(d);
}

static void check_disk(struct session *s, const uint8_t *expected)
{
    static uint8_t now[DISK_SIZE];
    assert_int_equal(image_read(image_of(s), 0, now, DISK_SIZE), 0);
    assert_memory_equal(now, expected, DISK_SIZE);
}

static void attach(struct session *s)
{
    char words[120];
    snprintf(words, sizeof words, "0200,virtio-blk,%s", disk);
    if (session_attach(s, words, false, error, sizeof error))
        fail_msg("%s", error);
}

static void write_disk(struct session *s, struct random *random, uint8_t *also)
{
    static uint8_t bytes[20000];
    const uint64_t at = next(random) % DISK_SIZE;
    const size_t left = DISK_SIZE - at, length = next(random) % 20000 + 1, n = length < left ? length : left;
    memset(bytes, (int)(next(random) % 3), n);
    if (next(random) % 4)
        assert_int_equal(image_write(image_of(s), at, bytes, n), 0);
    else
        assert_int_equal(image_zero(image_of(s), at, n, next(random) % 2), 0);
    assert_int_equal(image_read(image_of(s), 0, also, DISK_SIZE), 0);
}

static void new_disk(uint8_t *bytes)
{
    struct random random = seeded(3);
    FILE *f = fopen(disk, "wb");
    for (unsigned n = 0; n < DISK_SIZE; n++)
        bytes[n] = (uint8_t)(n / 4096 % 3 ? next(&random) : 0);
    assert_true(f && fwrite(bytes, 1, DISK_SIZE, f) == DISK_SIZE && !fclose(f));
}

/* Between runs a disk is written to; going back brings back what it held at each place. */
static void test_disks_go_back(void **state)
{
    enum { STEPS = 40 };
    static uint8_t held[STEPS + 1][DISK_SIZE];
    uint64_t places[STEPS + 1];
    const struct kind k = {false, 1, false};
    struct random random = seeded(9);
    struct machine_config config = machine_default_config();
    struct session s;
    struct history_end end;
    (void)state;
    new_disk(held[0]);
    config.storage = STORAGE;
    assert_false(session_open(&s, &config, false, NULL, error, sizeof error));
    input_guest(&s, k.waits);
    attach(&s);
    if (history_begin(&s, 3 << 20, 1500, error, sizeof error)) /* little room: moments are joined */
        fail_msg("%s", error);
    for (unsigned n = 0; n < STEPS; n++) {
        machine_run(s.machine, 1000);
        places[n] = machine_instructions(s.machine);
        memcpy(held[n + 1], held[n], DISK_SIZE);
        write_disk(&s, &random, held[n + 1]);
    }
    machine_run(s.machine, 1000);
    places[STEPS] = machine_instructions(s.machine);
    check_disk(&s, held[STEPS]);
    for (unsigned n = STEPS; n-- > 1;) { /* in the middle of what followed each writing */
        if (history_goto(&s, places[n] - 500, &end, error, sizeof error))
            fail_msg("%s", error);
        if (end.begin)
            break;
        check_disk(&s, held[n]);
        assert_true(n > 1 || end.begin || places[n] > 500);
    }
    session_close(&s);
    struct stat st;
    assert_true(stat(disk, &st) == 0 && st.st_size == DISK_SIZE);
}

/* What a guest wrote to its disk while it was recorded is not there when it is replayed, on the file that has it. */
static void test_recorded_disk(void **state)
{
    static uint8_t before[DISK_SIZE], after[DISK_SIZE];
    const struct kind k = {false, 1, false};
    struct random random = seeded(7);
    struct session s;
    struct tape_in in;
    (void)state;
    new_disk(before);
    for (unsigned again = 0; again < 2; again++) {
        struct emu_options o = options_of(&k, ENGINE_BLOCK, again);
        if (recording_prepare(&o, &in, error, sizeof error) ||
            session_open(&s, &o.machine, false, NULL, error, sizeof error))
            fail_msg("%s", error);
        input_guest(&s, false);
        attach(&s);
        if (recording_begin(&s, &o, &in, error, sizeof error))
            fail_msg("%s", error);
        if (again)
            check_disk(&s, before);
        for (unsigned n = 0; n < 30; n++)
            write_disk(&s, &random, after);
        machine_run(s.machine, 1000);
        if (recording_finish(&s, error, sizeof error))
            fail_msg("%s", error);
        tape_free(&in);
        session_close(&s);
    }
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

/* The file, cut off at any byte, is refused or ends where its last event is. */
static void test_cut_off(void **state)
{
    static uint8_t storage[STORAGE];
    const struct kind k = {false, 1, false};
    struct tape_in in;
    struct stat st;
    (void)state;
    (void)record(&k, storage);
    assert_int_equal(stat(file, &st), 0);
    assert_int_equal(tape_read(file, &in, error, sizeof error), 0);
    assert_int_equal(in.cut, 0);
    const unsigned whole = in.count;
    assert_true(whole > 12 && in.events[whole - 1].kind == TAPE_END);
    tape_free(&in);
    for (off_t at = st.st_size - 1; at >= 0; at--) {
        assert_int_equal(truncate(file, at), 0);
        if (tape_read(file, &in, error, sizeof error)) {
            assert_true(strstr(error, "is no recording") || strstr(error, "is cut off or damaged at byte 12"));
            continue;
        }
        assert_true(in.cut && in.count && in.count <= whole && in.events[in.count - 1].value == TAPE_CUT);
        tape_free(&in);
    }
}

/* A recording ends when it has its limit, and that end is replayed. */
static void test_limit(void **state)
{
    const char items[] = "a\0b";
    uint8_t bytes[5000];
    struct random random = seeded(1);
    struct tape_in in;
    struct event e = {.kind = SESSION_FRAME, .bytes = bytes, .length = sizeof bytes}, end = {.kind = TAPE_END};
    struct stat st;
    unsigned put = 0;
    int code = 0;
    (void)state;
    struct tape_out *out = tape_create(file, TAPE_LEAST * 3, items, sizeof items, error, sizeof error);
    assert_non_null(out);
    while (!code && put < 10000) {
        for (unsigned n = 0; n < sizeof bytes; n++)
            bytes[n] = (uint8_t)next(&random);
        e.instructions += 100;
        e.time += 7;
        code = tape_put(out, &e);
        put++;
    }
    assert_int_equal(code, -EFBIG);
    end.instructions = e.instructions + 1;
    end.time = e.time;
    (void)tape_close(out, &end);
    assert_true(stat(file, &st) == 0 && st.st_size <= (off_t)TAPE_LEAST * 3);
    assert_int_equal(tape_read(file, &in, error, sizeof error), 0);
    assert_int_equal(in.cut, 0);
    assert_true(in.count > 10 && in.count < put);
    assert_int_equal(in.events[in.count - 1].value, TAPE_FULL);
    assert_int_equal(in.events[in.count - 1].instructions, 100 * (in.count - 1));
    tape_free(&in);
}

static int begin(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(file, sizeof file, "%s/recording", folder);
    snprintf(disk, sizeof disk, "%s/disk", folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    unlink(file);
    unlink(disk);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_typed),   cmocka_unit_test(test_disks_go_back), cmocka_unit_test(test_recorded_disk),
        cmocka_unit_test(test_cut_off), cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, begin, end);
}

#else

int main(void) { return 77; }

#endif
