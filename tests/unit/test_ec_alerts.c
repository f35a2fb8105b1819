/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Alerts of the performance monitor for those who profile: each is told with the instruction that raised it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cpu/control/model.h"
#include "cpu/control/psw.h"
#include "emu/machine/machine.h"
#include "emu/observe/pipeline.h"
#include "emu/machine/run.h"
#include "tests/unit/put_code.h"
#include <string.h>

enum { CODE = 0x2000, TURNS = 10 };

struct seen {
    unsigned count;
    bool known[64];
    struct ec_raised by[64];
    uint32_t again; /* what PMC1 is set back by; 0: it is not */
};

static void told(void *context, struct cpu *cpu, const struct ec_raised *by)
{
    struct seen *s = context;
    struct ec_counting *c = ec_model_counting(cpu_model(cpu));
    assert_true(s->count < 64);
    assert_int_equal(ec_live(c), 0); /* drained */
    s->known[s->count] = by;
    if (by)
        s->by[s->count] = *by;
    s->count++;
    if (!s->again)
        return;
    ec_set_register(c, EC_PMC1, ec_register(c, EC_PMC1) - s->again);
    ec_set_register(c, EC_MMCR0, ec_register(c, EC_MMCR0) | EC_ENINT);
}

/* A loop of TURNS turns, each completed before the next begins; behind it a branch that is predicted wrong, with a
   store on the wrong path. Then a disabled wait. */
static struct machine *machine(void)
{
    char error[256];
    struct machine_config config = machine_default_config();
    config.storage = UINT64_C(1) << 20;
    config.pipelined = true;
    assert_int_equal(ec_profile_built_in("teach", &config.pipeline), 0);
    struct machine *m = machine_create(&config, NULL, error, sizeof error);
    if (!m)
        fail_msg("%s", error);
    uint64_t at = put_code(m->sys.storage.bytes, CODE, "lghi 1,10");
    at = put_code(m->sys.storage.bytes, at, "bcr 15,0");
    at = put_code(m->sys.storage.bytes, at, "lg 3,0(0,4)");
    at = put_code(m->sys.storage.bytes, at, "brctg 1,0x2004");
    at = put_code(m->sys.storage.bytes, at, "ltgr 3,3");
    at = put_code(m->sys.storage.bytes, at, "brc 8,0x2030");
    assert_int_equal(at, 0x2018);
    put_code(m->sys.storage.bytes, at, "stg 5,0(0,4)");
    put_code(m->sys.storage.bytes, 0x2030, "lpswe 0x500(0)");
    put64(m->sys.storage.bytes + 0x500, PSW_WAIT | PSW_EA | PSW_BA);
    m->sys.cpus[0]->gr[4] = 0x3000;
    assert_int_equal(machine_start(m, PSW_EA | PSW_BA, CODE), 0);
    return m;
}

static void set(struct machine *m, uint32_t mmcr0, unsigned pmc1, uint32_t mmcrp, uint32_t value)
{
    struct ec_counting *c = ec_model_counting(cpu_model(m->sys.cpus[0]));
    ec_set_register(c, EC_MMCRP, mmcrp);
    ec_set_register(c, EC_MMCR0, mmcr0 | pmc1 << EC_PMC1SEL_SHIFT);
    ec_set_register(c, EC_PMC1, value);
}

/* Every second completed branch, the rate kept exact. */
static void ec_63_64_251_every_second_branch(void **state)
{
    struct seen seen = {.again = 2};
    struct machine *m = machine();
    (void)state;
    machine_alert_callback(m, told, &seen);
    set(m, EC_ENINT | EC_PMC1INTCONTROL, EC_SELECT_PV, (uint32_t)EC_BRANCH << 24, 0x80000000u - 2);
    machine_run(m, 1000);
    assert_int_equal(seen.count, (TURNS + 1) / 2);
    for (unsigned i = 0; i < seen.count; i++) {
        const struct ec_raised *by = &seen.by[i];
        assert_true(seen.known[i] && by->completed && !by->in_flight);
        assert_int_equal(by->ia, 0x200c);
        assert_int_equal(by->members, 1);
        assert_true(by->c > by->d && by->d && (!i || by->c > seen.by[i - 1].c));
    }
    machine_alert_callback(m, NULL, NULL);
    machine_destroy(m);
}

/* The only store is on a wrong path; counted directly it raises an alert, and never completes. */
static void ec_63_raised_on_a_wrong_path(void **state)
{
    struct seen seen = {0};
    struct machine *m = machine();
    (void)state;
    machine_alert_callback(m, told, &seen);
    set(m, EC_ENINT | EC_PMC1INTCONTROL, EC_STORE, 0, 0x7fffffff);
    machine_run(m, 1000);
    assert_int_equal(seen.count, 1);
    assert_true(seen.known[0] && !seen.by[0].completed && seen.by[0].c == 0);
    assert_int_equal(seen.by[0].ia, 0x2018);
    machine_destroy(m);
}

/* A PMC that was written raises one that no instruction is guilty of. */
static void ec_59_63_raised_by_nobody(void **state)
{
    struct seen seen = {0};
    struct machine *m = machine();
    (void)state;
    machine_alert_callback(m, told, &seen);
    set(m, EC_ENINT | EC_PMC1INTCONTROL, 0, 0, 0x80000000u);
    machine_run(m, 1);
    assert_int_equal(seen.count, 1);
    assert_false(seen.known[0]);
    machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ec_63_64_251_every_second_branch),
        cmocka_unit_test(ec_63_raised_on_a_wrong_path),
        cmocka_unit_test(ec_59_63_raised_by_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
