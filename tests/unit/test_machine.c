/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines: two in one process, rotation, SIGP, service processor, profiles, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/ebcdic.h"
#include "cpu/control/interrupt.h"
#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/state/timing.h"
#include "cpu/storage/code.h"
#include "emu/config/options.h"
#include "emu/dev/sclp/event.h"
#include "emu/machine/run.h"
#include "emu/machine/slice.h"
#include "emu/machine/snapshot.h"
#include "tests/unit/put_code.h"
#include "tests/unit/small_machine.h"
#include <stdio.h>
#include <unistd.h>

#define PSW_64 UINT64_C(0x0000000180000000)

struct output {
    char text[4096];
    size_t length;
};

static void collect(void *context, const char *text, size_t length)
{
    struct output *o = context;
    if (length > sizeof o->text - 1 - o->length)
        length = sizeof o->text - 1 - o->length;
    memcpy(o->text + o->length, text, length);
    o->length += length;
    o->text[o->length] = 0;
}

static struct machine *make(unsigned cpus, uint8_t engine, struct output *out)
{
    struct machine_config config = machine_default_config();
    struct machine_host host = {.context = out, .output = collect};
    config.cpus = cpus;
    config.engine = engine;
    return small_machine(config, out ? &host : NULL);
}

/* Assemble lines one behind the other. */
static void program(struct machine *m, uint64_t at, const char *const *lines)
{
    put_program(m->sys.storage.bytes, at, lines);
    cpu_code_written(&m->sys, 0, 0x20000);
}

static void wait_psw(struct machine *m, uint64_t at, uint64_t ia)
{
    put64(m->sys.storage.bytes + at, UINT64_C(0x0002000180000000));
    put64(m->sys.storage.bytes + at + 8, ia);
}

static void two_machines_in_one_process(void **state)
{
    static const char *const count_up[] = {"aghi %r1,1", "j 0x10000", NULL};
    static const char *const count_down[] = {"aghi %r1,-1", "j 0x10000", NULL};
    struct machine *a = make(1, ENGINE_BLOCK, NULL), *b = make(1, ENGINE_BLOCK, NULL);
    (void)state;
    program(a, 0x10000, count_up);
    program(b, 0x10000, count_down);
    assert_int_equal(machine_start(a, PSW_64, 0x10000), 0);
    assert_int_equal(machine_start(b, PSW_64, 0x10000), 0);
    for (unsigned i = 0; i < 10; i++) {
        assert_int_equal(machine_run(a, 1000).end, MACHINE_LIMIT);
        assert_int_equal(machine_run(b, 500).end, MACHINE_LIMIT);
    }
    assert_int_equal(a->sys.cpus[0]->gr[1], 5000);
    assert_int_equal(b->sys.cpus[0]->gr[1], (uint64_t)-2500);
    assert_int_equal(machine_instructions(a), 10000);
    assert_int_equal(a->sys.now, 40000); /* TOD units: 2 for a cycle, of which an instruction here has 2 */
    assert_int_equal(b->sys.now, 20000);
    machine_destroy(a);
    assert_int_equal(machine_run(b, 100).instructions, 100);
    machine_destroy(b);
}

/* A slice may end right in front of a breakpoint, and the run then for another CPU's: the first is told of its own,
 * too. */
static void every_breakpoint_is_told_in_rotation(void **state)
{
    static const char *const loop[] = {"brct %r1,0x10000", "nopr", "lpswe 0x900", NULL};
    static const char *const line[] = {"nopr", "nopr", "lpswe 0x900", NULL};
    (void)state;
    for (uint64_t passes = 19990; passes < 20010; passes++) {
        struct machine *m = make(2, ENGINE_BLOCK, NULL);
        struct machine_result result;
        unsigned told[2] = {0};
        program(m, 0x10000, loop);
        program(m, 0x11000, line);
        wait_psw(m, 0x900, 0);
        for (unsigned i = 0; i < 2; i++) {
            assert_int_equal(cpu_load_psw(m->sys.cpus[i], PSW_64, 0x10000 + 0x1000 * i), 0);
            m->sys.cpus[i]->state = CPU_STATE_OPERATING;
        }
        m->sys.cpus[0]->gr[1] = passes;
        assert_int_equal(engine_break_add(m->sys.cpus[0], 0x10004), 0);
        assert_int_equal(engine_break_add(m->sys.cpus[1], 0x11002), 0);
        while ((result = machine_run(m, UINT64_MAX)).end == MACHINE_BREAK)
            told[result.cpu->address]++;
        assert_int_equal(result.end, MACHINE_STOPPED);
        assert_int_equal(told[0], 1);
        assert_int_equal(told[1], 1);
        machine_destroy(m);
    }
}

/* Two CPUs add to one word by turns; how the turns fall is the same every time and on every engine. */
static uint64_t turns(uint8_t engine, uint64_t pieces)
{
    static const char *const code[] = {"lg %r1,0x800",  "sllg %r2,%r1,5", "agr %r1,%r2", "agr %r1,%r3",
                                       "stg %r1,0x800", "j 0x10000",      NULL};
    struct machine *m = make(2, engine, NULL);
    program(m, 0x10000, code);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(cpu_load_psw(m->sys.cpus[i], PSW_64, 0x10000), 0);
        m->sys.cpus[i]->gr[3] = i + 1;
        cpu_set_state(m->sys.cpus[i], CPU_STATE_OPERATING);
    }
    for (uint64_t done = 0; done < 400000; done += pieces)
        assert_int_equal(machine_run(m, pieces).instructions, pieces);
    uint64_t value = get64(m->sys.storage.bytes + 0x800);
    machine_destroy(m);
    return value;
}

static void rotation_repeats(void **state)
{
    (void)state;
    assert_int_equal(turns(ENGINE_BLOCK, 400000), turns(ENGINE_BLOCK, 400000));
    assert_int_equal(turns(ENGINE_BLOCK, 400000), turns(ENGINE_REFERENCE, 400000));
    /* A run in pieces is the same as a run at once. */
    assert_int_equal(turns(ENGINE_BLOCK, 400000), turns(ENGINE_BLOCK, 40000));
    assert_int_equal(turns(ENGINE_BLOCK, 400000), turns(ENGINE_BLOCK, 125));
    assert_int_equal(turns(ENGINE_BLOCK, 400000), turns(ENGINE_REFERENCE, 3200));
}

static void lb_51_53_waiting_jumps_to_the_timer(void **state)
{
    struct machine *m = make(1, ENGINE_BLOCK, NULL);
    struct cpu *cpu = m->sys.cpus[0];
    (void)state;
    wait_psw(m, 432, 0x130); /* external new PSW */
    cpu->cr[0] |= BIT64(52);
    cpu->clock_comparator = cpu_tod(cpu) + UINT64_C(4000000000);
    assert_int_equal(machine_start(m, PSW_64 | PSW_WAIT | PSW_EXT, 0x10000), 0);
    struct machine_result r = machine_run(m, 1000);
    assert_int_equal(r.end, MACHINE_STOPPED);
    assert_int_equal(cpu->psw.ia, 0x130);
    assert_int_equal(get16(m->sys.storage.bytes + 134), 0x1004);
    assert_true(m->sys.now >= 1000000000);
    /* No timer any more: nothing can come. */
    assert_int_equal(machine_start(m, PSW_64 | PSW_WAIT | PSW_IO, 0x10000), 0);
    assert_int_equal(machine_run(m, 1000).end, MACHINE_IDLE);
    machine_destroy(m);
}

static unsigned signal(struct machine *m, unsigned to, uint8_t order, uint64_t parameter, uint32_t *status)
{
    unsigned cc = 9;
    *status = 0;
    assert_int_equal(machine_sigp(m, m->sys.cpus[0], (uint16_t)to, order, parameter, status, &cc), 0);
    return cc;
}

static void lb_4_60_61_62_sigp_orders(void **state)
{
    struct machine *m = make(2, ENGINE_BLOCK, NULL);
    struct cpu *one = m->sys.cpus[1];
    uint32_t status;
    (void)state;
    assert_int_equal(signal(m, 2, 0x01, 0, &status), 3); /* no such CPU */
    assert_int_equal(signal(m, 1, 0x01, 0, &status), 1); /* sense: stopped */
    assert_int_equal(status, 0x40);
    assert_int_equal(signal(m, 1, 0x99, 0, &status), 1);
    assert_int_equal(status, 0x02); /* invalid order */
    assert_int_equal(signal(m, 1, 0x0d, 0x2000, &status), 0);
    assert_int_equal(one->prefix, 0x2000);
    assert_int_equal(signal(m, 1, 0x0d, 0x7ffe0000, &status), 1);
    assert_int_equal(status, 0x100); /* prefix not in storage */
    assert_int_equal(signal(m, 1, 0x12, 1, &status), 1);
    assert_int_equal(status, 0x100); /* z/Architecture already */
    assert_int_equal(signal(m, 1, 0x15, 0, &status), 1);
    assert_int_equal(status, 0x400); /* not running */
    assert_int_equal(signal(m, 1, 0x02, 0, &status), 0);
    assert_int_equal(signal(m, 1, 0x02, 0, &status), 1); /* external call pending already */
    assert_int_equal(status, 0x80);
    assert_int_equal(signal(m, 1, 0x03, 0, &status), 0);
    assert_int_equal(one->ext_emergency, 1);
    one->gr[5] = 0x55;
    assert_int_equal(signal(m, 1, 0x0e, 0x3000, &status), 0); /* store status at address */
    assert_int_equal(get64(m->sys.storage.bytes + 0x3000 + 128 + 40), 0x55);
    one->gr[6] = 0x66;
    assert_int_equal(signal(m, 1, 0x09, 0, &status), 0); /* stop and store status: absolute 4608 on */
    assert_int_equal(get64(m->sys.storage.bytes + 4608 + 128 + 48), 0x66);
    assert_int_equal(signal(m, 1, 0x0b, 0, &status), 0); /* initial CPU reset */
    assert_int_equal(one->prefix, 0);
    assert_int_equal(one->external, 0);
    /* Restart takes the PSW at real 416. */
    wait_psw(m, 416, 0x1234);
    assert_int_equal(signal(m, 1, 0x06, 0, &status), 0);
    struct machine_result r = machine_run(m, 10);
    assert_int_equal(r.end, MACHINE_STOPPED);
    assert_int_equal(one->psw.ia, 0x1234);
    assert_int_equal(signal(m, 1, 0x0d, 0, &status), 1);
    assert_int_equal(status, 0x200); /* incorrect state: operating */
    machine_destroy(m);
}

/* In rotation one CPU runs, and no other: a guest that waits for a lock gives its slice to the owner at once. */
static void lb_61_one_cpu_runs_in_rotation(void **state)
{
    struct machine *m = make(2, ENGINE_BLOCK, NULL);
    uint32_t status;
    (void)state;
    assert_int_equal(machine_start(m, PSW_64, 0x10000), 0);
    cpu_set_state(m->sys.cpus[1], CPU_STATE_OPERATING);
    assert_int_equal(signal(m, 0, 0x15, 0, &status), 0);
    assert_int_equal(signal(m, 1, 0x15, 0, &status), 1);
    assert_int_equal(status, 0x400);
    machine_destroy(m);
}

/* An order that was accepted and is not complete yet makes the CPU busy for all others but the resets. */
static void busy_while_an_order_is_incomplete(void **state)
{
    static const char *const loop[] = {"j 0x10000", NULL};
    static const uint8_t others[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x09, 0x0d, 0x0e, 0x13, 0x15, 0x17};
    static const struct {
        uint8_t first, second; /* orders */
    } pending[] = {{0x05, 0x05}, {0x09, 0x01}, {0x06, 0x01}};
    uint32_t status;
    (void)state;
    for (unsigned i = 0; i < sizeof pending / sizeof *pending; i++) {
        struct machine *m = make(2, ENGINE_BLOCK, NULL);
        struct cpu *one = m->sys.cpus[1];
        program(m, 0x10000, loop);
        put64(m->sys.storage.bytes + 416, PSW_64);
        put64(m->sys.storage.bytes + 424, 0x10000);
        assert_int_equal(machine_start(m, PSW_64, 0x10000), 0);
        assert_int_equal(cpu_load_psw(one, PSW_64, 0x10000), 0);
        if (pending[i].first != 0x06)
            cpu_set_state(one, CPU_STATE_OPERATING);
        assert_int_equal(signal(m, 1, pending[i].first, 0, &status), 0);
        m->sys.threads = true; /* no rotation then: SENSE runs beside the others and leaves the machine as it is */
        assert_int_equal(signal(m, 1, 0x01, 0, &status), 2);
        assert_false(m->diagnose.yielded);
        m->sys.threads = false;
        for (unsigned n = 0; n < sizeof others; n++)
            assert_int_equal(signal(m, 1, others[n], 0, &status), 2);
        assert_int_equal(signal(m, 1, 0x99, 0, &status), 1); /* no such order is found first */
        const uint64_t before = cpu_instructions(one);
        (void)machine_run(m, machine_slice(m) + 1);
        if (pending[i].first == 0x06) {
            assert_int_equal(signal(m, 1, 0x01, 0, &status), 0);
        } else {
            assert_int_equal(cpu_instructions(one), before); /* at the next unit of operation: none was carried out */
            assert_int_equal(signal(m, 1, 0x01, 0, &status), 1);
            assert_int_equal(status, 0x40);
        }
        assert_int_equal(signal(m, 1, pending[i].second, 0, &status), pending[i].first == 0x09);
        assert_int_equal(signal(m, 1, 0x06, 0, &status), 0);
        assert_int_equal(signal(m, 1, 0x0c, 0, &status), 0); /* CPU reset: never busy */
        assert_int_equal(signal(m, 1, 0x01, 0, &status), 1);
        machine_destroy(m);
    }
}

/* The CPU that finds another one busy lets it go on: SENSE behind STOP is busy a few times, not for a slice. */
static void busy_ends_soon(void **state)
{
    static const char *const loop[] = {"j 0x20000", NULL};
    static const char *const issuer[] = {"lghi %r3,1",    "sigp %r1,%r3,5", "aghi %r5,1", "sigp %r1,%r3,1",
                                         "brc 2,0x10008", "lpswe 512(%r0)", NULL};
    (void)state;
    for (uint8_t engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
        struct machine *m = make(2, engine, NULL);
        program(m, 0x20000, loop);
        program(m, 0x10000, issuer);
        put64(m->sys.storage.bytes + 512, PSW_64 | PSW_WAIT);
        put64(m->sys.storage.bytes + 520, 0xfff);
        assert_int_equal(machine_start(m, PSW_64, 0x10000), 0);
        assert_int_equal(cpu_load_psw(m->sys.cpus[1], PSW_64, 0x20000), 0);
        cpu_set_state(m->sys.cpus[1], CPU_STATE_OPERATING);
        assert_int_equal(machine_run(m, 1000000).end, MACHINE_STOPPED);
        assert_int_equal(m->sys.cpus[0]->psw.ia, 0xfff);
        assert_int_equal(gr32(m->sys.cpus[0], 1), 0x40);
        assert_int_equal(m->sys.cpus[0]->gr[5], 2); /* busy once */
        machine_destroy(m);
    }
}

static void loads_again(struct machine *m)
{
    char name[] = "/tmp/zri-slices-XXXXXX", error[256] = "";
    const int fd = mkstemp(name);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(snapshot_save(m, name, error, sizeof error), 0);
    struct machine *again = snapshot_load(name, NULL, NULL, ENGINE_BLOCK, error, sizeof error);
    unlink(name);
    if (!again)
        fail_msg("%s", error);
    assert_int_equal(again->slice_used, m->slice_used);
    assert_int_equal(machine_run(again, 1000000).end, MACHINE_LIMIT);
    machine_destroy(again);
}

/* By the host's clock the slices of CPUs that do not call each other get longer, up to a bound, and shorter when a run
   takes the host long; SIGP makes them short at once. By its own clock a machine has slices of one length. */
static void slices_of_cpus_that_do_not_talk(void **state)
{
    uint32_t status;
    (void)state;
    for (unsigned host = 0; host < 2; host++) {
        struct machine_config config = machine_default_config();
        config.cpus = 2;
        config.host_clock = host;
        struct machine *m = small_machine(config, NULL);
        const uint64_t shortest = machine_slice(m), most = machine_slice_most(m);
        assert_int_equal(most, host ? 16 * shortest : shortest);
        for (unsigned n = 0; n < 10; n++)
            machine_slice_next(m);
        assert_int_equal(machine_slice(m), most);
        machine_slice_took(m, 1000);
        assert_int_equal(machine_slice(m), most);
        machine_slice_took(m, 10000000);
        assert_int_equal(machine_slice(m), most); /* who is next has as much */
        machine_slice_next(m);
        assert_int_equal(machine_slice(m), host ? most / 2 : shortest);
        machine_slice_next(m);
        assert_int_equal(machine_slice(m), host ? most / 2 : shortest);
        machine_slice_next(m);
        assert_int_equal(machine_slice(m), most);
        for (unsigned n = 0; n < 10; n++) {
            machine_slice_took(m, 10000000);
            machine_slice_next(m);
        }
        assert_int_equal(machine_slice(m), shortest);
        machine_slice_next(m);
        machine_slice_next(m);
        assert_int_equal(machine_slice(m), host ? 2 * shortest : shortest);
        assert_int_equal(signal(m, 0, 0x01, 0, &status), 1); /* SENSE of itself calls nobody */
        assert_int_equal(machine_slice(m), host ? 2 * shortest : shortest);
        assert_int_equal(signal(m, 1, 0x01, 0, &status), 1);
        assert_int_equal(machine_slice(m), shortest);
        machine_destroy(m);
    }
}

/* A long turn ends when SIGP makes turns short, and a machine that is saved within one can be loaded. How long the
   turns are that the guest gets depends on the host, so the length is set here. */
static void a_long_turn_ends_and_is_saved(void **state)
{
    static const char *const loop[] = {"aghi %r1,1", "j 0x10000", NULL};
    struct machine_config config = machine_default_config();
    uint32_t status;
    (void)state;
    config.cpus = 2;
    config.host_clock = true;
    struct machine *m = small_machine(config, NULL);
    const uint64_t shortest = machine_slice(m);
    program(m, 0x10000, loop);
    assert_int_equal(machine_start(m, PSW_64, 0x10000), 0);
    assert_int_equal(cpu_load_psw(m->sys.cpus[1], PSW_64, 0x10000), 0);
    cpu_set_state(m->sys.cpus[1], CPU_STATE_OPERATING);
    assert_int_equal(machine_run(m, 100 * shortest).end, MACHINE_LIMIT);
    /* All have as many turns, of the same length: what is over is at most a turn. Two instructions count once. */
    assert_in_range(m->sys.cpus[1]->gr[1], (100 * shortest - machine_slice_most(m)) / 4, 25 * shortest);
    assert_in_range(m->sys.cpus[0]->gr[1], 25 * shortest, (100 * shortest + machine_slice_most(m)) / 4);
    m->slice = machine_slice_most(m);
    m->slice_used = machine_slice_most(m) - 1;
    loads_again(m);
    m->slice_used = shortest + 1;
    const unsigned turn = m->turn;
    assert_int_equal(signal(m, 1, 0x15, 0, &status), 1);
    assert_int_equal(machine_run(m, 1).end, MACHINE_LIMIT);
    assert_true(m->turn != turn);
    machine_destroy(m);
}

/* CONDITIONAL EMERGENCY SIGNAL: any one of its conditions is enough. */
static void conditional_emergency_signal(void **state)
{
    static const struct {
        uint64_t mask, ia;
        uint16_t primary, secondary, parameter;
        bool accepted;
    } cases[] = {
        {PSW_IO | PSW_EXT, 0x1000, 1, 2, 3, false},
        {PSW_EXT, 0x1000, 1, 2, 3, true},
        {PSW_IO, 0x1000, 1, 2, 3, true},
        {0, 0x1000, 1, 2, 3, true},
        {PSW_IO | PSW_EXT, 0x1000, 3, 2, 3, true},
        {PSW_IO | PSW_EXT, 0x1000, 1, 3, 3, true},
        {PSW_IO | PSW_EXT | PSW_WAIT, 0x1000, 1, 2, 3, true},
        {PSW_IO | PSW_EXT | PSW_WAIT, 0, 1, 2, 3, false},
        {PSW_IO | PSW_EXT | PSW_WAIT, 0, 3, 3, 3, false}, /* the number counts for a CPU that does not wait */
        {PSW_EXT | PSW_WAIT, 0, 1, 2, 3, true},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine *m = make(2, ENGINE_BLOCK, NULL);
        struct cpu *one = m->sys.cpus[1];
        uint32_t status;
        assert_int_equal(cpu_load_psw(one, PSW_64 | cases[i].mask, cases[i].ia), 0);
        one->cr[4] = UINT64_C(0xabcd0000) | cases[i].primary;
        one->cr[3] = UINT64_C(0xabcd0000) | cases[i].secondary;
        cpu_set_state(one, CPU_STATE_OPERATING);
        assert_int_equal(signal(m, 1, 0x13, UINT64_C(0x12340000) | cases[i].parameter, &status), !cases[i].accepted);
        assert_int_equal(status, cases[i].accepted ? 0 : 0x200);
        assert_int_equal(one->ext_emergency, cases[i].accepted);
        machine_destroy(m);
    }
}

/* STORE ADDITIONAL STATUS AT ADDRESS: vector registers, then guarded-storage controls, by the length in the
   parameter. */
static void store_additional_status(void **state)
{
    static const struct {
        uint32_t parameter;
        uint16_t status; /* 0: accepted */
        bool guarded;
    } cases[] = {{0x20000, 0, false},     {0x20400, 0, false},     {0x20200, 0x100, false},   {0x2000a, 0, false},
                 {0x2000b, 0, true},      {0x2000c, 0, true},      {0x2040b, 0x100, false},   {0x2080c, 0x100, false},
                 {0x20009, 0x100, false}, {0x2000d, 0x100, false}, {0x7ffff00b, 0x100, false}};
    struct machine *m = make(2, ENGINE_BLOCK, NULL);
    struct cpu *one = m->sys.cpus[1];
    uint32_t status;
    (void)state;
    for (unsigned i = 0; i < 32; i++)
        one->vr[i] = (struct vector_register){.hi = 0x1000 + i, .lo = 0x2000 + i};
    one->gs_designation = 0x11;
    one->gs_sections = 0x22;
    one->gs_list = 0x33;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint8_t *at = m->sys.storage.bytes + (cases[i].parameter & 0xfffff0);
        memset(m->sys.storage.bytes + 0x20000, 0xee, 0x1000);
        assert_int_equal(signal(m, 1, 0x17, cases[i].parameter, &status), cases[i].status != 0);
        assert_int_equal(status, cases[i].status);
        if (status) {
            assert_int_equal(m->sys.storage.bytes[0x20000], 0xee);
            continue;
        }
        for (unsigned n = 0; n < 32; n++) {
            assert_int_equal(get64(at + 16 * n), 0x1000 + n);
            assert_int_equal(get64(at + 16 * n + 8), 0x2000 + n);
        }
        for (unsigned n = 1; n < 4; n++)
            assert_int_equal(get64(at + 1024 + 8 * n), cases[i].guarded ? 0x11 * n : UINT64_C(0xeeeeeeeeeeeeeeee));
        assert_int_equal(m->sys.storage.keys[0x20], KEY_R | KEY_C);
    }
    cpu_set_state(one, CPU_STATE_OPERATING);
    assert_int_equal(signal(m, 1, 0x17, 0x20000, &status), 1);
    assert_int_equal(status, 0x200);
    cpu_set_state(one, CPU_STATE_STOPPED);
    m->sys.profile.facilities[133 / 64] &= ~BIT64(133 % 64);
    assert_int_equal(signal(m, 1, 0x17, 0x2000b, &status), 1);
    assert_int_equal(status, 0x100);
    assert_int_equal(signal(m, 1, 0x17, 0x20000, &status), 0);
    m->sys.profile.facilities[129 / 64] &= ~BIT64(129 % 64);
    assert_int_equal(signal(m, 1, 0x17, 0x20000, &status), 1);
    assert_int_equal(status, 0x02);
    machine_destroy(m);
}

/* In the check-stop state a CPU answers SENSE and the resets, and nothing else. */
static void check_stop_answers(void **state)
{
    static const uint8_t refused[] = {0x02, 0x03, 0x04, 0x05, 0x06, 0x09, 0x0d, 0x0e, 0x13, 0x17};
    struct machine *m = make(2, ENGINE_BLOCK, NULL);
    uint32_t status;
    (void)state;
    cpu_set_state(m->sys.cpus[1], CPU_STATE_CHECK_STOP);
    for (unsigned i = 0; i < sizeof refused; i++) {
        assert_int_equal(signal(m, 1, refused[i], 0, &status), 1);
        assert_int_equal(status, 0x10);
    }
    assert_int_equal(signal(m, 1, 0x01, 0, &status), 1);
    assert_int_equal(status, 0x10);
    assert_int_equal(signal(m, 1, 0x0c, 0, &status), 0);
    assert_int_equal(signal(m, 1, 0x01, 0, &status), 1);
    assert_int_equal(status, 0x40);
    machine_destroy(m);
}

static void lb_96_stopping_the_last_cpu_is_power_off(void **state)
{
    static const char *const code[] = {"lghi %r3,0", "sigp %r1,%r3,5", "j 0x10000", NULL};
    struct machine *m = make(1, ENGINE_BLOCK, NULL);
    (void)state;
    program(m, 0x10000, code);
    assert_int_equal(machine_start(m, PSW_64, 0x10000), 0);
    struct machine_result r = machine_run(m, 1000);
    assert_int_equal(r.end, MACHINE_POWERED_OFF);
    assert_int_equal(m->sys.cpus[0]->state, CPU_STATE_STOPPED);
    machine_destroy(m);
}

/* A slice ends right in front of a breakpoint, by a guest that gives the rest of it away or by its length: the machine
   stops there all the same, once. */
static void breakpoints_between_slices(void **state)
{
    static const char *const code[] = {"diag %r2,%r4,0x44", "aghi %r1,1", "j 0x10000", NULL};
    (void)state;
    for (uint8_t engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
        struct machine *m = make(1, engine, NULL);
        program(m, 0x10000, code);
        assert_int_equal(machine_start(m, PSW_64, 0x10000), 0);
        assert_int_equal(engine_break_add(m->sys.cpus[0], 0x10004), 0);
        for (unsigned i = 0; i < 3; i++) {
            assert_int_equal(machine_run(m, 100).end, MACHINE_BREAK);
            assert_int_equal(m->sys.cpus[0]->psw.ia, 0x10004);
            assert_int_equal(m->sys.cpus[0]->gr[1], i);
        }
        machine_destroy(m);
    }
}

/* ---- service processor ----------------------------------------------------------------------------------------- */

#define SCCB 0x6000u

static uint16_t service(struct machine *m, uint32_t command, unsigned length)
{
    unsigned cc = 9;
    put16(m->sys.storage.bytes + SCCB, (uint16_t)length);
    assert_int_equal(sclp_service_call(m, m->sys.cpus[0], command, SCCB, &cc), 0);
    assert_int_equal(cc, 0);
    assert_true(cpu_external_pending(m->sys.cpus[0]) & CPU_EXT_SERVICE_SIGNAL);
    return get16(m->sys.storage.bytes + SCCB + 6);
}

/* An event buffer with one text object; returns its length. */
static unsigned message(uint8_t *at, const char *text)
{
    unsigned n = (unsigned)strlen(text), length = 6 + 12 + 56 + 10 + n;
    memset(at, 0, length);
    put16(at, (uint16_t)length);
    at[2] = 2;
    put16(at + 6, (uint16_t)(length - 6));
    put16(at + 8, 1);
    put32(at + 10, 0xd4c4c240);
    put32(at + 14, 1);
    put16(at + 18, 56);
    put16(at + 20, 1);
    put16(at + 74, (uint16_t)(10 + n));
    put16(at + 76, 4);
    ebcdic_text(text, at + 84, n);
    return length;
}

static void lb_27_every_event_buffer_is_printed(void **state)
{
    struct output out = {.length = 0};
    struct machine *m = make(1, ENGINE_BLOCK, &out);
    uint8_t *sccb = m->sys.storage.bytes + SCCB;
    (void)state;
    unsigned first = message(sccb + 8, "one"), second = message(sccb + 8 + first, "two lines");
    assert_int_equal(service(m, 0x00760005, 8 + first + second), 0x0020);
    assert_string_equal(out.text, "one\ntwo lines\n");
    assert_int_equal(sccb[8 + 3], 0x80);
    assert_int_equal(sccb[8 + first + 3], 0x80);
    /* Lengths that do not fit are refused, and nothing is read beyond the SCCB. */
    put16(sccb + 8, 4000);
    assert_int_equal(service(m, 0x00760005, 100), 0x72f0);
    put16(sccb + 8, 60);
    put16(sccb + 14, 60);
    assert_int_equal(service(m, 0x00760005, 68), 0x73f0);
    machine_destroy(m);
}

static void lb_20_22_23_24_service_calls(void **state)
{
    struct machine *m = make(2, ENGINE_BLOCK, NULL);
    uint8_t *sccb = m->sys.storage.bytes + SCCB;
    unsigned cc;
    (void)state;
    assert_int_equal(service(m, 0x00120001, 4096), 0x0010);
    assert_int_equal(get16(sccb + 8) * (uint64_t)sccb[10] << 20, m->sys.storage.size);
    assert_int_equal(get16(sccb + 16), 2);
    assert_int_equal(sccb[get16(sccb + 18) + 16], 1); /* second CPU entry */
    assert_int_equal(service(m, 0x00020001, 100), 0x0300);
    assert_int_equal(service(m, 0x00010001, 4096), 0x0010);
    assert_int_equal(get16(sccb + 8), 2);
    assert_int_equal(service(m, 0x00abcdef, 4096), 0x01f0);
    put16(sccb + 10, 4);
    assert_int_equal(service(m, 0x00780005, 28), 0x0020);
    assert_int_equal(get32(sccb + 20) & 0x40000000, 0x40000000); /* the machine receives messages */
    /* Not on a doubleword, beyond storage, over a page boundary. */
    assert_int_equal(sclp_service_call(m, m->sys.cpus[0], 1, SCCB + 4, &cc), PIC_SPECIFICATION);
    assert_int_equal(sclp_service_call(m, m->sys.cpus[0], 1, 0x7ffffff8, &cc), PIC_ADDRESSING);
    put16(sccb + 0xf00, 0x200);
    assert_int_equal(sclp_service_call(m, m->sys.cpus[0], 0x00120001, SCCB + 0xf00, &cc), 0);
    assert_int_equal(get16(sccb + 0xf06), 0x0100);
    machine_destroy(m);
}

static void lb_25_27_typed_lines_reach_the_guest(void **state)
{
    struct machine *m = make(1, ENGINE_BLOCK, NULL);
    uint8_t *sccb = m->sys.storage.bytes + SCCB;
    (void)state;
    assert_false(sclp_input_line(m, "too early"));
    assert_int_equal(service(m, 0x00770005, 4096), 0x60f0);
    put16(sccb + 10, 4);
    put32(sccb + 12, 0x80000000); /* receive operator commands */
    put32(sccb + 16, 0x40000000);
    assert_int_equal(service(m, 0x00780005, 28), 0x0020);
    assert_true(sclp_input_line(m, "LS"));
    memset(sccb, 0, 4096);
    assert_int_equal(service(m, 0x00770005, 4096), 0x0020);
    assert_int_equal(sccb[10], 1);
    assert_int_equal(get16(sccb + 8), 6 + 16 + 2);
    assert_int_equal(sccb[14 + 16], 0xd3); /* L */
    assert_int_equal(sccb[14 + 17], 0xe2); /* S */
    machine_destroy(m);
}

/* STORE HYPERVISOR INFORMATION follows the level that STORE SYSTEM INFORMATION has. */
static void hypervisor_information(void **state)
{
    struct machine *m = make(3, ENGINE_BLOCK, NULL);
    uint8_t block[4096];
    static const uint8_t flags[4] = {0, 0x10, 0, 0x20};
    (void)state;
    m->standby_cpus = 4;
    for (uint8_t level = 1; level <= 3; level++) {
        m->config.profile.level = level;
        machine_hypervisor_information(m, m->sys.cpus[0], block);
        assert_int_equal(block[0], flags[level]);
        assert_int_equal(get16(block + 8), 168);
        const uint8_t *machine = block + get16(block + 12), *partition = block + get16(block + 16);
        assert_int_equal(machine[2], 0xc0);
        assert_int_equal(get16(machine + 6), 3);
        assert_int_equal(get32(machine + 20), 0xf3f9f3f1); /* 3931 */
        assert_int_equal(partition[2], level > 1 ? 0xf0 : 0);
        assert_int_equal(get16(partition + 8), level > 1 ? 2 : 0);
    }
    machine_destroy(m);
}

static void lb_17_18_19_system_information(void **state)
{
    struct machine *m = make(2, ENGINE_BLOCK, NULL);
    uint8_t block[4096];
    (void)state;
    assert_true(machine_system_information(m, m->sys.cpus[0], 1, 1, 1, block));
    assert_int_equal(block[32], ebcdic_from_latin('Z'));
    assert_true(machine_system_information(m, m->sys.cpus[0], 1, 2, 2, block));
    assert_int_equal(get16(block + 36), 2);
    assert_true(machine_system_information(m, m->sys.cpus[1], 1, 2, 1, block));
    assert_int_equal(get16(block + 100), 1);
    assert_true(machine_system_information(m, m->sys.cpus[0], 3, 2, 2, block));
    assert_int_equal(block[32 + 24], 0xd2); /* K */
    assert_false(machine_system_information(m, m->sys.cpus[0], 4, 1, 1, block));
    assert_false(machine_system_information(m, m->sys.cpus[0], 1, 9, 1, block));
    machine_destroy(m);
}

/* ---- profiles, options ----------------------------------------------------------------------------------------- */

static void profiles(void **state)
{
    static const char good[] =
        "# mine\nname = mine\nfacilities = all -64 -45\nmachine-type = 2964\nlevel = 1\nri = RI-B\n";
    static const char bad[] = "name = x\nfacilities = all 999\n";
    struct emu_profile p;
    struct cpu_profile cpu;
    uint64_t complete[4];
    char error[512];
    (void)state;
    assert_int_equal(emu_profile_parse(good, sizeof good - 1, "mine", &p, error, sizeof error), 0);
    assert_int_equal(emu_profile_resolve(&p, &cpu, error, sizeof error), 0);
    emu_facilities_complete(complete);
    assert_true(complete[1] & BIT64(0)); /* RI is complete ... */
    assert_false(cpu.facilities[1] & BIT64(0));
    assert_string_equal(cpu.name, "mine");
    assert_true(emu_profile_parse(bad, sizeof bad - 1, "bad", &p, error, sizeof error) < 0);
    assert_non_null(strstr(error, "line 2"));
    assert_true(emu_profile_parse("x\0y", 3, "nul", &p, error, sizeof error) < 0);
    /* A claim that is not complete is refused, with the first missing instruction. */
    assert_int_equal(emu_profile_find("max", &p, error, sizeof error), 0);
    assert_int_equal(emu_profile_change(&p, "+165", error, sizeof error), 0);
    assert_int_not_equal(emu_profile_resolve(&p, &cpu, error, sizeof error), 0);
    assert_non_null(strstr(error, "165"));
    assert_non_null(strstr(error, "nnpa"));
    assert_int_equal(emu_profile_change(&p, "-165", error, sizeof error), 0);
    assert_int_equal(emu_profile_resolve(&p, &cpu, error, sizeof error), 0);
    assert_true(emu_profile_find("../no/such.profile", &p, error, sizeof error) < 0);
}

static void sizes(void **state)
{
    uint64_t n, end;
    char range[] = "dir:1/core:100-1FF", bad[] = "core:5-4", error[200];
    (void)state;
    assert_int_equal(emu_parse_size("512M", &n), 0);
    assert_int_equal(n, UINT64_C(512) << 20);
    assert_int_equal(emu_parse_size("65536", &n), 0);
    assert_true(emu_parse_size("99999999999999999999", &n) < 0);
    assert_true(emu_parse_size("17592186044416M", &n) < 0); /* 2^64 */
    assert_true(emu_parse_size("5X", &n) < 0);
    assert_true(emu_parse_size("-5", &n) < 0);
    assert_int_equal(emu_parse_range(range, &n, &end, error, sizeof error), 0);
    assert_string_equal(range, "dir:1/core");
    assert_int_equal(n, 0x100);
    assert_int_equal(end, 0x1ff);
    assert_true(emu_parse_range(bad, &n, &end, error, sizeof error) < 0);
}

static void impossible_machines(void **state)
{
    struct machine_config config = machine_default_config();
    char error[256];
    (void)state;
    config.cpus = 0;
    assert_null(machine_create(&config, NULL, error, sizeof error));
    config.cpus = CPU_MAX + 1;
    assert_null(machine_create(&config, NULL, error, sizeof error));
    config.cpus = 1;
    config.storage = 5;
    assert_null(machine_create(&config, NULL, error, sizeof error));
    assert_non_null(strstr(error, "storage"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_machines_in_one_process),
        cmocka_unit_test(rotation_repeats),
        cmocka_unit_test(every_breakpoint_is_told_in_rotation),
        cmocka_unit_test(lb_51_53_waiting_jumps_to_the_timer),
        cmocka_unit_test(lb_4_60_61_62_sigp_orders),
        cmocka_unit_test(lb_61_one_cpu_runs_in_rotation),
        cmocka_unit_test(busy_while_an_order_is_incomplete),
        cmocka_unit_test(busy_ends_soon),
        cmocka_unit_test(slices_of_cpus_that_do_not_talk),
        cmocka_unit_test(a_long_turn_ends_and_is_saved),
        cmocka_unit_test(conditional_emergency_signal),
        cmocka_unit_test(store_additional_status),
        cmocka_unit_test(check_stop_answers),
        cmocka_unit_test(lb_96_stopping_the_last_cpu_is_power_off),
        cmocka_unit_test(breakpoints_between_slices),
        cmocka_unit_test(lb_27_every_event_buffer_is_printed),
        cmocka_unit_test(lb_20_22_23_24_service_calls),
        cmocka_unit_test(lb_25_27_typed_lines_reach_the_guest),
        cmocka_unit_test(lb_17_18_19_system_information),
        cmocka_unit_test(hypervisor_information),
        cmocka_unit_test(profiles),
        cmocka_unit_test(sizes),
        cmocka_unit_test(impossible_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
