/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest that waits in a loop for another CPU leaves its slice to others, by the host's clock; loops that get on with
   something do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/state/timing.h"
#include "cpu/storage/code.h"
#include "emu/config/options.h"
#include "emu/machine/run.h"
#include "tests/unit/put_code.h"
#include "tests/unit/small_machine.h"

#define PSW_64 UINT64_C(0x0000000180000000)
#define FLAG   0x2000u
#define CODE   0x10000u
#define OTHER  0x11000u
#define BUDGET 100000u
#define FEW    2000u

static struct machine *make(unsigned cpus, bool host_clock, bool threads)
{
    struct machine_config config = machine_default_config();
    config.cpus = cpus;
    config.host_clock = host_clock;
    config.threads = threads;
    struct machine *m = small_machine(config, NULL);
    m->sys.storage.bytes[FLAG] = 1;
    put64(m->sys.storage.bytes + FLAG + 8, FLAG + 8); /* a list that never ends */
    return m;
}

static void start(struct machine *m, unsigned address, uint64_t at, const char *const *lines)
{
    struct cpu *cpu = m->sys.cpus[address];
    assert_int_equal(cpu_load_psw(cpu, PSW_64, at), 0);
    cpu_set_state(cpu, CPU_STATE_OPERATING);
    cpu->gr[2] = FLAG;
    cpu->gr[3] = FLAG + 8;
    put_program(m->sys.storage.bytes, at, lines);
    cpu_code_written(&m->sys, 0, 0x20000);
}

/* How a run of that loop ends that nobody ends. */
static enum engine_end end_of(unsigned cpus, bool host_clock, const char *const *lines)
{
    struct machine *m = make(cpus, host_clock, false);
    uint64_t done;
    start(m, 0, CODE, lines);
    const enum engine_end end = engine_run(m->sys.cpus[0], BUDGET, &done);
    assert_int_equal(done, cpu_instructions(m->sys.cpus[0]));
    assert_true(end == ENGINE_SPINS ? done < FEW : done == BUDGET);
    assert_true(m->sys.cpus[0]->psw.ia >= CODE && m->sys.cpus[0]->psw.ia < CODE + 16);
    machine_destroy(m);
    return end;
}

static void loops(void **state)
{
    static const char *const waits[][4] = {
        {"tm 0(%r2),1", "jne 0x10000"},
        {"l %r1,0(%r2)", "tmlh %r1,256", "jne 0x10000"},
        {"lt %r1,0(%r2)", "bcr 14,%r0", "jne 0x10000"},
        {"cli 0(%r2),1", "je 0x10000"},
        {"llgc %r1,0(%r2)", "cgije %r1,1,0x10000"},
    };
    static const char *const others[][4] = {
        {"lg %r3,0(%r3)", "ltgr %r3,%r3", "jne 0x10000"},     /* goes along a list */
        {"tm 0(%r2),1", "brctg %r4,0x10000"},                 /* counts */
        {"st %r1,0x300", "tm 0(%r2),1", "jne 0x10000"},       /* stores */
        {"stck 0x300", "tm 0(%r2),1", "jne 0x10000"},         /* looks at the clock */
        {"lg %r1,0(%r4,%r2)", "la %r4,0", "j 0x10000", NULL}, /* is not left by what it finds */
    };
    (void)state;
    for (unsigned i = 0; i < sizeof waits / sizeof *waits; i++) {
        assert_int_equal(end_of(2, true, waits[i]), ENGINE_SPINS);
        assert_int_equal(end_of(2, false, waits[i]), ENGINE_BUDGET); /* its runs repeat on every engine */
        assert_int_equal(end_of(1, true, waits[i]), ENGINE_BUDGET);
    }
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(end_of(2, true, others[i]), ENGINE_BUDGET);
}

static const char *const waiting[] = {"tm 0(%r2),1", "jne 0x10000", "lpswe 0x900", NULL};
static const char *const working[] = {"lgfi %r1,1000000", "brctg %r1,0x11006", "mvi 0(%r2),0", "lpswe 0x900", NULL};

static void both(struct machine *m)
{
    put64(m->sys.storage.bytes + 0x900, PSW_64 | PSW_WAIT);
    start(m, 0, CODE, waiting);
    start(m, 1, OTHER, working);
    assert_int_equal(machine_run(m, UINT64_MAX).end, MACHINE_STOPPED);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(m->sys.cpus[i]->psw.ia, 0);
}

/* The one that waits has hardly any part of the rotation. */
static void in_rotation(void **state)
{
    struct machine *m = make(2, true, false);
    (void)state;
    both(m);
    assert_true(cpu_instructions(m->sys.cpus[1]) > 1000000);
    assert_true(cpu_instructions(m->sys.cpus[0]) < 100000); /* it would have as many as the other one */
    machine_destroy(m);
}

static void in_threads(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        struct machine *m = make(2, true, true);
        both(m);
        machine_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops), cmocka_unit_test(in_rotation),
                                       cmocka_unit_test(in_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
