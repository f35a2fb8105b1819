/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPUs in host threads: whoever looks after the host has its turn, a CPU sleeps and wakes by itself, a run that ended
   for the operator has ended. What is measured is compared with what passed meanwhile, for the sake of busy hosts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/state/timing.h"
#include "cpu/storage/code.h"
#include "cpu/translate/translate.h"
#include "emu/config/options.h"
#include "emu/machine/diagnose.h"
#include "emu/machine/run.h"
#include "tests/unit/put_code.h"
#include "tests/unit/small_machine.h"
#include <pthread.h>
#include <sys/prctl.h>
#include <time.h>

#define PSW_64     UINT64_C(0x0000000180000000)
#define HOOK       0x5ff /* a DIAGNOSE code of this test, for which a CPU must be alone */
#define NS_PER_MS  1000000u
#define OVERDUE_NS (20 * NS_PER_MS)

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

struct watch {
    uint64_t start_ns, for_ns; /* the run is to last so long */
    uint64_t looked_ns;
    uint64_t looks, turns, overdue; /* turns of CPUs; those begun long after the host was looked at last */
};

static bool look(void *context)
{
    struct watch *w = context;
    w->looks++;
    w->looked_ns = now_ns();
    return w->looked_ns - w->start_ns >= w->for_ns;
}

static int turn(void *context, struct cpu *cpu, unsigned r1, unsigned r3)
{
    struct watch *w = context;
    (void)cpu, (void)r1, (void)r3;
    w->turns++;
    w->overdue += now_ns() - w->looked_ns > OVERDUE_NS;
    return 0;
}

static struct machine *make(unsigned cpus, struct watch *w)
{
    struct machine_config config = machine_default_config();
    const struct machine_host host = {.context = w, .poll = look};
    config.cpus = cpus;
    config.threads = true;
    struct machine *m = small_machine(config, &host);
    w->start_ns = w->looked_ns = now_ns();
    return m;
}

static void start(struct machine *m, unsigned address, uint64_t at, const char *const *lines)
{
    struct cpu *cpu = m->sys.cpus[address];
    assert_int_equal(cpu_load_psw(cpu, PSW_64, at), 0);
    cpu_set_state(cpu, CPU_STATE_OPERATING);
    put_program(m->sys.storage.bytes, at, lines);
    cpu_code_written(&m->sys, 0, 0x20000);
}

static int ask_slack(void *context, struct cpu *cpu, unsigned r1, unsigned r3)
{
    int *slack = context;
    (void)r1, (void)r3;
    *slack = prctl(PR_GET_TIMERSLACK);
    cpu->stop_pending = true;
    return 0;
}

/* The host wakes a thread 50 microseconds late as a rule: a CPU that waits for its clock comparator asks for better.
   Whose program it is keeps what he has. */
static void cpus_wake_in_time(void **state)
{
    static const char *const code[] = {"diag %r0,%r0,0x5ff", "j 0x10004", NULL};
    (void)state;
    struct watch w = {.for_ns = UINT64_MAX};
    const int before = prctl(PR_GET_TIMERSLACK);
    int slack = 0;
    if (before < 0 || prctl(PR_SET_TIMERSLACK, (unsigned long)before))
        skip(); /* a host that cannot do it */
    struct machine *m = make(1, &w);
    assert_int_equal(machine_hook_diagnose(m, HOOK, ask_slack, &slack), 0);
    start(m, 0, 0x10000, code);
    assert_int_equal(machine_run(m, UINT64_MAX).end, MACHINE_STOPPED);
    assert_int_equal(slack, 1000);
    assert_int_equal(prctl(PR_GET_TIMERSLACK), before);
    machine_destroy(m);
}

/* CPUs that must be alone for each instruction take turns, and a host's lock is not fair: were it not seen to, whoever
   looks after the host would wait for longer than a request of the operator may, again and again. */
static void host_has_its_turn(void **state)
{
    static const char *const code[] = {"diag %r0,%r0,0x5ff", "j 0x10000", NULL};
    (void)state;
    for (unsigned cpus = 2; cpus <= 16; cpus *= 2) {
        struct watch w = {.for_ns = 700 * (uint64_t)NS_PER_MS};
        struct machine *m = make(cpus, &w);
        assert_int_equal(machine_hook_diagnose(m, HOOK, turn, &w), 0);
        for (unsigned i = 0; i < cpus; i++)
            start(m, i, 0x10000, code);
        assert_int_equal(machine_run(m, UINT64_MAX).end, MACHINE_REQUEST);
        print_message("%u CPUs: %u turns, %u of them overdue, %u looks\n", cpus, (unsigned)w.turns, (unsigned)w.overdue,
                      (unsigned)w.looks);
        assert_true(w.turns > 1000);
        assert_true(w.overdue <= 50); /* a turn that the host interrupted in its midst is one */
        machine_destroy(m);
    }
}

/* A CPU waits for its clock comparator many times. It wakes by itself: nobody else had to look every time. */
static void sleeps_by_itself(void **state)
{
    static const char *const code[] = {
        "stck 0x800", "lg %r1,0x800", "aghi %r1,0x4000", "stg %r1,0x800", "sckc 0x800", "lpswe 0x900", NULL};
    static const char *const woken[] = {"lghi %r1,-1",       "stg %r1,0x800", "sckc 0x800",
                                        "brctg %r2,0x10000", "lpswe 0x910",   NULL};
    struct watch w = {.for_ns = 60000 * (uint64_t)NS_PER_MS};
    struct machine *m = make(1, &w);
    struct cpu *cpu = m->sys.cpus[0];
    uint8_t *at = m->sys.storage.bytes;
    (void)state;
    start(m, 0, 0x11000, woken);
    start(m, 0, 0x10000, code);
    put64(at + 0x1b0, PSW_64); /* external new PSW */
    put64(at + 0x1b8, 0x11000);
    put64(at + 0x900, PSW_64 | PSW_EXT | PSW_WAIT);
    put64(at + 0x910, PSW_64 | PSW_WAIT);
    cpu->cr[0] |= CR0_CLOCK_COMPARATOR;
    cpu->gr[2] = 2000;
    assert_int_equal(machine_run(m, UINT64_MAX).end, MACHINE_STOPPED);
    const uint64_t ms = (now_ns() - w.start_ns) / NS_PER_MS;
    print_message("2000 times asleep: %u ms, %u looks\n", (unsigned)ms, (unsigned)w.looks);
    assert_int_equal(cpu->gr[2], 0);
    assert_true(w.looks <= ms + 20);
    machine_destroy(m);
}

/* One CPU comes to a breakpoint, and another one, which is alone again and again, wakes all that could go on: the first
   one stays where it is. */
static void breakpoint_stays(void **state)
{
    static const char *const code[] = {"aghi %r1,1", "nopr", "aghi %r2,1", "j 0x10000", NULL};
    static const char *const others[] = {"diag %r0,%r0,0x5ff", "j 0x11000", NULL};
    (void)state;
    for (unsigned n = 0; n < 50; n++) {
        struct watch w = {.for_ns = 10000 * (uint64_t)NS_PER_MS};
        struct machine *m = make(3, &w);
        assert_int_equal(machine_hook_diagnose(m, HOOK, turn, &w), 0);
        start(m, 0, 0x10000, code);
        start(m, 1, 0x11000, others);
        start(m, 2, 0x11000, others);
        assert_int_equal(engine_break_add(m->sys.cpus[0], 0x10006), 0);
        const struct machine_result result = machine_run(m, UINT64_MAX);
        assert_int_equal(result.end, MACHINE_BREAK);
        assert_ptr_equal(result.cpu, m->sys.cpus[0]);
        assert_int_equal(m->sys.cpus[0]->psw.ia, 0x10006);
        assert_int_equal(m->sys.cpus[0]->gr[1], 1);
        assert_int_equal(m->sys.cpus[0]->gr[2], 0);
        machine_destroy(m);
    }
}

/* CPUs that come to breakpoints at the same time are told of one after the other: none goes on over its own unseen. */
static void every_breakpoint_is_told(void **state)
{
    static const char *const code[] = {"aghi %r1,1", "nopr", "lpswe 0x900", NULL};
    (void)state;
    for (unsigned n = 0; n < 20; n++) {
        struct watch w = {.for_ns = 60000 * (uint64_t)NS_PER_MS};
        struct machine *m = make(3, &w);
        unsigned told[3] = {0};
        put64(m->sys.storage.bytes + 0x900, PSW_64 | PSW_WAIT);
        for (unsigned i = 0; i < 3; i++) {
            start(m, i, 0x10000, code);
            assert_int_equal(engine_break_add(m->sys.cpus[i], 0x10004), 0);
        }
        struct machine_result result;
        while ((result = machine_run(m, UINT64_MAX)).end == MACHINE_BREAK)
            told[result.cpu->address]++;
        assert_int_equal(result.end, MACHINE_STOPPED);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(told[i], 1);
        machine_destroy(m);
    }
}

/* Several CPUs count the same words up, by COMPARE AND SWAP, by an immediate addition and by the loop that another one
   waits in until its code is changed: nothing is lost, and it is the translator that carries it out. */
static void translated_together(void **state)
{
    static const char *const counter[] = {
        "lghi %r1,20000",    "lt %r6,0x980",     "jz 0x10004",  "l %r2,0x800", "lr %r3,%r2",
        "ahi %r3,1",         "cs %r2,%r3,0x800", "jl 0x10012",  "asi 0x880,1", "ni 0x900,255",
        "brctg %r1,0x1000e", "mvhhi 20(%r7),2",  "lpswe 0xa00", NULL};
    static const char *const waiting[] = {
        "lghi %r4,1000", "aghi %r3,1", "brctg %r4,0x12004", "mvhi 0x980,1", "brct %r5,0x12012", "lpswe 0xa00", NULL};
    struct watch w = {.for_ns = 60000 * (uint64_t)NS_PER_MS};
    char why[200];
    (void)state;
    if (translator_possible(why, sizeof why))
        skip();
    for (unsigned n = 0; n < 5; n++) {
        struct machine *m = make(4, &w);
        uint8_t *at = m->sys.storage.bytes;
        put64(at + 0xa00, PSW_64 | PSW_WAIT);
        for (unsigned i = 0; i < 4; i++) {
            m->sys.cpus[i]->engine_kind = ENGINE_TRANSLATE;
            assert_int_equal(translator_attach(m->sys.cpus[i], NULL, why, sizeof why), 0);
        }
        for (unsigned i = 0; i < 3; i++)
            start(m, i, 0x10000, counter), m->sys.cpus[i]->gr[7] = 0x12000;
        start(m, 3, 0x12000, waiting);
        assert_int_equal(machine_run(m, UINT64_MAX).end, MACHINE_STOPPED);
        assert_int_equal(get32(at + 0x800), 60000);
        assert_int_equal(get32(at + 0x880), 60000);
        for (unsigned i = 0; i < 4; i++)
            assert_true(translator_stats(m->sys.cpus[i])->blocks > 0);
        machine_destroy(m);
    }
}

struct turns {
    struct machine *machine;
    pthread_t thread; /* of the last turn */
    unsigned count, together;
};

static int hand_over(void *context, struct cpu *cpu, unsigned r1, unsigned r3)
{
    struct turns *t = context;
    (void)cpu, (void)r1, (void)r3;
    t->together += t->count && pthread_equal(t->thread, pthread_self());
    t->thread = pthread_self();
    for (unsigned i = 0; ++t->count >= 4000 && i < t->machine->sys.cpu_count; i++)
        t->machine->sys.cpus[i]->stop_pending = true;
    return 0;
}

/* Two CPUs hand each other work by an emergency signal, and wait: one has something to do at a time, and neither of
   them is worth that a thread sleeps and another one wakes. */
static void hands_over_in_one_thread(void **state)
{
    static const char *const woken[] = {"diag %r0,%r0,0x5ff", "sigp %r0,%r3,3", "lpswe 0x900", NULL};
    static const char *const waits[] = {"lpswe 0x900", NULL};
    struct watch w = {.for_ns = 60000 * (uint64_t)NS_PER_MS};
    (void)state;
    for (unsigned cpus = 2; cpus <= 5; cpus += 3) {
        struct machine *m = make(cpus, &w);
        struct turns turns = {.machine = m};
        uint8_t *at = m->sys.storage.bytes;
        assert_int_equal(machine_hook_diagnose(m, HOOK, hand_over, &turns), 0);
        put64(at + 0x1b0, PSW_64); /* external new PSW */
        put64(at + 0x1b8, 0x11000);
        put64(at + 0x900, PSW_64 | PSW_EXT | PSW_WAIT);
        put64(at + 0x908, 0x12000);
        for (unsigned i = 0; i < cpus; i++) {
            start(m, i, 0x12000, waits);
            m->sys.cpus[i]->cr[0] |= CR0_EMERGENCY_SIGNAL;
            m->sys.cpus[i]->gr[3] = (i + 1) % cpus;
        }
        start(m, 0, 0x11000, woken);
        assert_int_equal(machine_run(m, UINT64_MAX).end, MACHINE_STOPPED);
        print_message("%u CPUs: %u turns, %u in the thread of the one before\n", cpus, turns.count, turns.together);
        assert_true(turns.together > turns.count / 2);
        machine_destroy(m);
    }
}

/* A block that stays with handlers after all is as it was before: one of its operations stands behind a fence, and
   finds its instruction when the page is not in the TLB, which is so each time. */
static void given_up_behind_a_fence(void **state)
{
    static const char *const code[] = {"lghi %r1,900", "pack 0x700(2),0x710(1)", "cs %r2,%r3,0(%r7)", "j 0x10020",
                                       NULL};
    static const char *const rest[] = {"pack 0x700(2),0x710(1)", "aghi %r7,4096", "brctg %r1,0x10004", "lpswe 0xa00",
                                       NULL};
    struct watch w = {.for_ns = 60000 * (uint64_t)NS_PER_MS};
    char why[200];
    (void)state;
    if (translator_possible(why, sizeof why))
        skip();
    struct machine *m = make(1, &w);
    struct cpu *cpu = m->sys.cpus[0];
    put64(m->sys.storage.bytes + 0xa00, PSW_64 | PSW_WAIT);
    cpu->engine_kind = ENGINE_TRANSLATE;
    assert_int_equal(translator_attach(cpu, NULL, why, sizeof why), 0);
    start(m, 0, 0x10020, rest);
    start(m, 0, 0x10000, code);
    cpu->gr[3] = 7;
    cpu->gr[7] = 0x20000;
    assert_int_equal(machine_run(m, UINT64_MAX).end, MACHINE_STOPPED);
    for (unsigned i = 0; i < 900; i++)
        assert_int_equal(get32(m->sys.storage.bytes + 0x20000 + i * 4096), 7);
    machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpus_wake_in_time),        cmocka_unit_test(host_has_its_turn),
        cmocka_unit_test(sleeps_by_itself),         cmocka_unit_test(breakpoint_stays),
        cmocka_unit_test(every_breakpoint_is_told), cmocka_unit_test(translated_together),
        cmocka_unit_test(given_up_behind_a_fence),  cmocka_unit_test(hands_over_in_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
