/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The past of a machine: from wherever it goes back to, it is bit for bit what a machine is that went there straight.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cpu/control/psw.h"
#include "cpu/control/registers.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/state/timing.h"
#include "cpu/storage/code.h"
#include "emu/history/history.h"
#include "emu/history/pages.h"
#include "emu/machine/snapshot.h"
#include "emu/machine/threads.h"
#include "tests/unit/input_guest.h"
#include "tests/unit/random.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define STORAGE (UINT64_C(4) << 20)

static char error[512];

/* What a test runs. */
struct guest {
    const char *image; /* NULL: random code by `seed` */
    unsigned cpus;
    uint64_t instructions; /* to be carried out at most */
    uint64_t seed;
};

/* ---- guests -------------------------------------------------------------------------------------------------------
 */

#define CODE      0x10000u
#define CODE_SIZE 0x4000u

/* Anything that decodes, over and over; every interruption goes on somewhere in it, and the timer strikes often. */
static void random_guest(struct session *s, uint64_t seed)
{
    struct cpu_system *sys = &s->machine->sys;
    uint8_t *storage = sys->storage.bytes;
    struct random random = seeded(seed);
    for (unsigned at = CODE; at < CODE + CODE_SIZE;) {
        uint8_t bytes[8];
        struct dis_insn insn;
        put64(bytes, next(&random));
        if (next(&random) % 4) /* most registers are bases that may be changed: keep displacements and lengths short */
            bytes[2] &= 0xf1;
        dis_decode(bytes, &insn);
        if (insn.row == DIS_NO_ROW)
            continue;
        memcpy(storage + at, bytes, 6);
        at += dis_length(bytes[0]);
    }
    for (unsigned n = 0; n < 6; n++) { /* restart, external, SVC, program, machine check, I/O */
        put64(storage + 416 + 16 * n, BIT64(31) | BIT64(32) | (n != 4 ? BIT64(7) : 0));
        put64(storage + 424 + 16 * n, CODE + (next(&random) % (CODE_SIZE - 64) & ~UINT64_C(1)));
    }
    for (unsigned c = 0; c < sys->cpu_count; c++) {
        struct cpu *cpu = sys->cpus[c];
        for (unsigned r = 0; r < 16; r++)
            cpu->gr[r] = r % 3 ? next(&random) % STORAGE : next(&random);
        cpu->cr[0] |= BIT64(52) | BIT64(53) | BIT64(45); /* clock comparator, CPU timer, AFP */
        cpu->clock_comparator = next(&random) % 200000;
        assert_true(cpu_set_prefix(cpu, c * 0x2000));
        memcpy(storage + c * 0x2000 + 416, storage + 416, 96);
        (void)!cpu_load_psw(cpu, BIT64(7) | BIT64(31) | BIT64(32), CODE + 2 * c);
        cpu_set_state(cpu, CPU_STATE_OPERATING);
    }
    cpu_code_written(sys, 0, STORAGE);
}

/* Where the image of a guest is. False: it was not made. */
static bool find_image(const struct guest *g, char *path, size_t size)
{
    const char *guests = getenv("GUESTS"), *folder = guests ? guests : "tests/guest";
    const bool builtin = strchr(g->image, ':') != NULL;
    struct stat st;
    snprintf(path, size, "%s%s%s", builtin ? "" : folder, builtin ? "" : "/", g->image);
    return builtin || (stat(path, &st) == 0 && st.st_size);
}

static void open_guest(struct session *s, const struct guest *g, uint8_t engine)
{
    struct machine_config config = machine_default_config();
    config.storage = STORAGE;
    config.engine = engine;
    config.cpus = g->cpus;
    if (session_open(s, &config, false, NULL, error, sizeof error))
        fail_msg("%s", error);
    if (!g->image) {
        random_guest(s, g->seed);
        return;
    }
    char path[512];
    assert_true(find_image(g, path, sizeof path));
    if (session_load(s, &(struct ipl_request){.path = path}, 1, error, sizeof error))
        fail_msg("%s", error);
    session_start(s);
}

/* ---- comparing ----------------------------------------------------------------------------------------------------
 */

/* False: they differ, *what says in what. */
static bool same_machines(struct machine *a, struct machine *b, const char **what)
{
    struct snapshot_bytes x = {0}, y = {0};
    *what = "storage";
    bool same = memcmp(a->sys.storage.bytes, b->sys.storage.bytes, a->sys.storage.size) == 0;
    if (same) {
        *what = "keys";
        same = memcmp(a->sys.storage.keys, b->sys.storage.keys, a->sys.storage.size >> PAGE_BITS) == 0;
    }
    for (uint64_t page = 0; same && page < a->sys.storage.size >> PAGE_BITS; page++)
        same = ((a->sys.storage.page_flags[page] ^ b->sys.storage.page_flags[page]) & PAGE_STATE) == 0;
    if (same) {
        *what = "state";
        assert_false(snapshot_keep(a, &x, error, sizeof error) || snapshot_keep(b, &y, error, sizeof error));
        same = x.length == y.length && memcmp(x.bytes, y.bytes, x.length) == 0;
    }
    free(x.bytes);
    free(y.bytes);
    return same;
}

static void run(struct machine *m, uint64_t instructions)
{
    while (machine_instructions(m) < instructions) {
        const struct machine_result r = machine_run(m, instructions - machine_instructions(m));
        if (r.end != MACHINE_LIMIT && !r.instructions)
            return;
    }
}

/* The machine of `s`, wherever it came from, against one that went there straight. */
static void same_as_straight(struct session *s, const struct guest *g, uint8_t engine)
{
    struct session straight;
    const char *what;
    const uint64_t place = machine_instructions(s->machine);
    open_guest(&straight, g, engine);
    run(straight.machine, place);
    if (!same_machines(s->machine, straight.machine, &what))
        fail_msg("%s, seed %llu, engine %u: at instruction %llu the %s is another one", g->image ? g->image : "random",
                 (unsigned long long)g->seed, engine, (unsigned long long)place, what);
    session_close(&straight);
}

#define SPACING 700u

/* There and back again. */
static void journeys(const struct guest *g, uint8_t engine, uint64_t bytes, unsigned count)
{
    struct session s;
    struct history_end end;
    struct history_words words;
    struct random random = seeded(g->seed * 77 + engine);
    open_guest(&s, g, engine);
    if (history_begin(&s, bytes, SPACING, error, sizeof error))
        fail_msg("%s", error);
    for (uint64_t at = 0; at < g->instructions;) { /* in pieces */
        at += next(&random) % (g->instructions / 3) + 1;
        run(s.machine, at < g->instructions ? at : g->instructions);
    }
    const uint64_t last = machine_instructions(s.machine);
    same_as_straight(&s, g, engine);
    for (unsigned n = 0; n < count; n++) {
        history_tell(&s, &words);
        assert_true(words.kept && words.bytes <= bytes);
        const uint64_t place = words.first + next(&random) % (last - words.first + 1);
        if (n % 3 == 2 && machine_instructions(s.machine) > words.first) { /* by steps of one CPU */
            struct cpu *cpu = s.machine->sys.cpus[next(&random) % g->cpus];
            const uint64_t had = cpu_instructions(cpu), back = next(&random) % 1500;
            if (history_back(&s, cpu, back, &end, error, sizeof error))
                fail_msg("%s", error);
            if (!end.begin)
                assert_int_equal(cpu_instructions(cpu), had - back);
        } else {
            if (history_goto(&s, place, &end, error, sizeof error))
                fail_msg("%s", error);
            assert_false(end.begin);
            assert_int_equal(machine_instructions(s.machine), place);
        }
        same_as_straight(&s, g, engine);
        if (n % 4 == 3)
            run(s.machine, place + 2000 < last ? place + 2000 : last);
    }
    assert_false(history_goto(&s, last, &end, error, sizeof error));
    same_as_straight(&s, g, engine);
    session_close(&s);
}

static void test_guests(void **state)
{
    static const struct guest guests[] = {{"builtin:demo", 1, 60000, 1},  {"integer.elf", 1, 30000, 2},
                                          {"smc.elf", 1, 30000, 3},       {"dat.elf", 1, 30000, 4},
                                          {"interrupt.elf", 1, 30000, 5}, {"smp.elf", 4, 60000, 6}};
    (void)state;
    char path[512];
    for (unsigned i = 0; i < sizeof guests / sizeof *guests; i++)
        for (uint8_t engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE && find_image(&guests[i], path, sizeof path);
             engine++)
            journeys(&guests[i], engine, UINT64_C(64) << 20, 12);
}

static void test_random_guests(void **state)
{
    const uint64_t seeds = trials_of("HISTORY_SEEDS", 40);
    (void)state;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        const struct guest g = {NULL, 1 + seed % 3, 20000, seed};
        journeys(&g, (uint8_t)(seed / 3 % 3), UINT64_C(64) << 20, 9);
    }
}

/* One CPU stepped by an operator stands where it comes to by itself: the same state to the byte, whichever engine goes
 * there. */
static void test_stepped(void **state)
{
    (void)state;
    for (uint8_t engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
        const struct guest g = {"builtin:demo", 1, 3000, 1};
        struct session s;
        struct history_end end;
        struct snapshot_bytes then = {0}, now = {0};
        open_guest(&s, &g, engine);
        if (history_begin(&s, HISTORY_BYTES, SPACING, error, sizeof error))
            fail_msg("%s", error);
        const struct machine_door *door = s.machine->door;
        door->begin(door->context);
        for (unsigned n = 0; n < g.instructions; n++)
            assert_int_equal(machine_step(s.machine, s.machine->sys.cpus[0]), ENGINE_BUDGET);
        door->end(door->context);
        const uint64_t last = machine_instructions(s.machine);
        assert_false(snapshot_keep(s.machine, &then, error, sizeof error));
        for (unsigned n = 1; n < 6; n++) {
            assert_false(history_goto(&s, n * last / 7, &end, error, sizeof error));
            assert_false(history_goto(&s, last, &end, error, sizeof error));
            assert_false(snapshot_keep(s.machine, &now, error, sizeof error));
            assert_int_equal(now.length, then.length);
            assert_memory_equal(now.bytes, then.bytes, now.length);
        }
        free(then.bytes);
        free(now.bytes);
        session_close(&s);
    }
}

/* With little room the oldest is given up, and what is left is right. */
static void test_little_room(void **state)
{
    const struct guest g = {"builtin:demo", 1, 60000, 9};
    struct session s;
    struct history_words words;
    (void)state;
    journeys(&g, ENGINE_BLOCK, 600000, 12);
    open_guest(&s, &g, ENGINE_BLOCK);
    assert_false(history_begin(&s, 45000, SPACING, error, sizeof error));
    run(s.machine, 60000);
    history_tell(&s, &words);
    if (!words.first || words.moments < 2)
        fail_msg("%llu moments since %llu", (unsigned long long)words.moments, (unsigned long long)words.first);
    session_close(&s);
}

/* What undoes two times at once is what undoes one after the other. */
static void test_join(void **state)
{
    const struct guest g = {NULL, 1, 0, 1};
    struct session s, t;
    struct random seed = seeded(5);
    (void)state;
    for (unsigned n = 0; n < 50; n++) {
        struct pages_undo undo[2] = {{0}}, other[2] = {{0}};
        open_guest(&s, &g, ENGINE_BLOCK);
        open_guest(&t, &g, ENGINE_BLOCK);
        struct pages *p = pages_begin(s.machine), *q = pages_begin(t.machine);
        assert_true(p && q);
        for (unsigned k = 0; k < 2; k++) {
            for (unsigned i = 0; i < 300; i++) {
                const uint64_t at = next(&seed) % (64 * 4096), value = next(&seed) % 3;
                s.machine->sys.storage.bytes[at] = t.machine->sys.storage.bytes[at] = (uint8_t)value;
                cpu_code_written(&s.machine->sys, at, 1);
                cpu_code_written(&t.machine->sys, at, 1);
                s.machine->sys.storage.keys[at >> 12] = t.machine->sys.storage.keys[at >> 12] = (uint8_t)(value << 4);
            }
            assert_true(pages_keep(p, &undo[k]) && pages_keep(q, &other[k]));
        }
        assert_true(pages_undo_join(&undo[0], &undo[1]));
        pages_undo(p, &undo[0]);
        pages_undo(q, &other[1]);
        pages_undo(q, &other[0]);
        assert_memory_equal(s.machine->sys.storage.bytes, t.machine->sys.storage.bytes, STORAGE);
        assert_memory_equal(s.machine->sys.storage.keys, t.machine->sys.storage.keys, STORAGE >> 12);
        assert_false(pages_changed(p) || pages_changed(q));
        for (unsigned k = 0; k < 2; k++) {
            pages_undo_free(&undo[k]);
            pages_undo_free(&other[k]);
        }
        pages_end(p);
        pages_end(q);
        session_close(&s);
        session_close(&t);
    }
}

/* ---- what comes from outside --------------------------------------------------------------------------------------
 */

/* Lines are typed while the guest runs, when they come; from any place of the past the guest comes to the same end. */
static void typed(uint8_t engine, bool waits, uint64_t instructions)
{
    struct session s;
    struct history_end end;
    struct history_words words;
    struct snapshot_bytes then = {0}, now = {0};
    struct random random = seeded(engine * 2 + waits);
    static uint8_t storage[STORAGE];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct machine_config config = machine_default_config();
    config.storage = STORAGE;
    config.engine = engine;
    assert_false(session_open(&s, &config, false, NULL, error, sizeof error));
    input_guest(&s, waits);
    s.input = ends[0];
    s.pace = false;
    assert_false(history_begin(&s, HISTORY_BYTES, instructions / 9, error, sizeof error));
    const pid_t child = fork();
    if (child == 0) {
        for (unsigned n = 0; n < 20; n++) {
            usleep(700 + 100 * n);
            (void)!write(ends[1], "line\n", 5);
        }
        _exit(0);
    }
    do {
        run(s.machine, machine_instructions(s.machine) + instructions);
        history_tell(&s, &words);
    } while (words.outside < 20);
    waitpid(child, NULL, 0);
    const uint64_t last = machine_instructions(s.machine);
    memcpy(storage, s.machine->sys.storage.bytes, STORAGE);
    assert_false(snapshot_keep(s.machine, &then, error, sizeof error));
    for (unsigned n = 0; n < 12; n++) {
        if (history_goto(&s, next(&random) % last, &end, error, sizeof error))
            fail_msg("%s", error);
        if (n % 2)
            run(s.machine, last); /* as a user goes on: the past comes again */
        else
            assert_false(history_goto(&s, last, &end, error, sizeof error));
        assert_int_equal(machine_instructions(s.machine), last);
        assert_memory_equal(s.machine->sys.storage.bytes, storage, STORAGE);
        assert_false(snapshot_keep(s.machine, &now, error, sizeof error));
        if (waits) /* how long it has been idle behind the last instruction, and what came then, is another matter */
            continue;
        assert_int_equal(now.length, then.length);
        assert_memory_equal(now.bytes, then.bytes, now.length);
    }
    free(then.bytes);
    free(now.bytes);
    session_close(&s);
    close(ends[0]);
    close(ends[1]);
}

static void test_typed(void **state)
{
    (void)state;
    for (uint8_t engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
        typed(engine, false, 300000);
        typed(engine, true, 40);
    }
}

/* What cannot go back is refused, and says why. */
static void test_refused(void **state)
{
    struct machine_config config = machine_default_config();
    struct session s;
    struct history_end end;
    (void)state;
    config.storage = STORAGE;
    assert_false(session_open(&s, &config, false, NULL, error, sizeof error));
    assert_true(history_goto(&s, 0, &end, error, sizeof error));
    assert_non_null(strstr(error, "history on"));
    session_close(&s);
    config.host_clock = true;
    assert_false(session_open(&s, &config, false, NULL, error, sizeof error));
    assert_true(history_begin(&s, HISTORY_BYTES, HISTORY_SPACING, error, sizeof error));
    assert_non_null(strstr(error, "--clock host"));
    session_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_join),    cmocka_unit_test(test_guests),      cmocka_unit_test(test_random_guests),
        cmocka_unit_test(test_stepped), cmocka_unit_test(test_little_room), cmocka_unit_test(test_typed),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
