/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TOD clock, clock comparator and CPU timer: the next event is foretold to the instruction. PoP chapter 4. */
#include "cpu/control/interrupt.h"
#include "cpu/state/timing.h"
#include "tests/unit/cpu_harness.h"

/* Let `n` instructions pass, as an engine would. */
static void pass(struct rig *r, int64_t n) { r->cpu->budget -= n; }

static void lb_30_tod(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    r->sys.tod_base = UINT64_C(0xd000000000000000);
    uint64_t start = cpu_tod(r->cpu);
    assert_int_equal(start, r->sys.tod_base);
    pass(r, 10);
    assert_int_equal(cpu_tod(r->cpu), start + 10 * CPU_TOD_PER_INSTRUCTION);
    /* The rotation moves a slice into the machine's time: nothing jumps. */
    r->cpu->elapsed = 10;
    r->cpu->budget = r->cpu->budget_start = 0;
    engine_advance(&r->sys, 10);
    assert_int_equal(cpu_tod(r->cpu), start + 10 * CPU_TOD_PER_INSTRUCTION);
    /* A longer slice of another CPU. */
    engine_advance(&r->sys, 5);
    assert_int_equal(cpu_tod(r->cpu), start + 15 * CPU_TOD_PER_INSTRUCTION);
    rig_end(r);
}

static void lb_52_timer_states(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    cpu_set_timer(r->cpu, 1000);
    pass(r, 3);
    assert_int_equal(cpu_timer_value(r->cpu), 1000 - 3 * CPU_TOD_PER_INSTRUCTION);
    psw(r, PSW_64 | PSW_WAIT, 0); /* runs in the wait state */
    pass(r, 3);
    assert_int_equal(cpu_timer_value(r->cpu), 1000 - 6 * CPU_TOD_PER_INSTRUCTION);
    cpu_set_state(r->cpu, CPU_STATE_STOPPED);
    pass(r, 100);
    assert_int_equal(cpu_timer_value(r->cpu), 1000 - 6 * CPU_TOD_PER_INSTRUCTION);
    cpu_set_state(r->cpu, CPU_STATE_OPERATING);
    pass(r, 1);
    assert_int_equal(cpu_timer_value(r->cpu), 1000 - 7 * CPU_TOD_PER_INSTRUCTION);
    /* SET CLOCK does not move it. */
    r->sys.tod_base += 1000000;
    assert_int_equal(cpu_timer_value(r->cpu), 1000 - 7 * CPU_TOD_PER_INSTRUCTION);
    cpu_set_timer(r->cpu, INT64_MIN); /* wraps like a register */
    pass(r, 1);
    assert_int_equal(cpu_timer_value(r->cpu), INT64_MAX - 3);
    rig_end(r);
}

/* For every distance and phase: at the foretold instruction, and not one earlier, the condition is there. */
static void lb_51_52_exactness(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    struct cpu *cpu = r->cpu;
    psw(r, PSW_64 | PSW_EXT, 0);
    for (unsigned which = 0; which < 2; which++)
        for (int64_t distance = -3; distance < 40; distance++) {
            uint32_t condition = which ? CPU_EXT_CPU_TIMER : CPU_EXT_CLOCK_COMPARATOR;
            cpu->clock_comparator = UINT64_MAX;
            cpu_set_timer(cpu, INT64_MAX);
            r->sys.tod_base = 0x100000 + (uint64_t)distance * 977; /* any phase */
            set_cr(r, 0, which ? CR0_CPU_TIMER : CR0_CLOCK_COMPARATOR);
            if (which)
                cpu_set_timer(cpu, distance);
            else
                cpu->clock_comparator = cpu_tod(cpu) + (uint64_t)distance;
            int64_t event = cpu_next_timer_event(cpu);
            if (distance < 0) {
                assert_true(cpu_external_pending(cpu) & condition);
                assert_int_equal(event, INT64_MAX);
                continue;
            }
            assert_true(event >= 1 && event <= distance / CPU_TOD_PER_INSTRUCTION + 1);
            pass(r, event - 1);
            assert_false(cpu_external_pending(cpu) & condition);
            pass(r, 1);
            assert_true(cpu_external_pending(cpu) & condition);
        }
    rig_end(r);
}

static void masks(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    struct cpu *cpu = r->cpu;
    cpu->clock_comparator = cpu_tod(cpu) + 400;
    cpu_set_timer(cpu, 40);
    set_cr(r, 0, CR0_CLOCK_COMPARATOR | CR0_CPU_TIMER);
    psw(r, PSW_64, 0);
    assert_int_equal(cpu_next_timer_event(cpu), INT64_MAX); /* external mask */
    psw(r, PSW_64 | PSW_EXT, 0);
    assert_int_equal(cpu_next_timer_event(cpu), 11);
    set_cr(r, 0, CR0_CLOCK_COMPARATOR);
    assert_int_equal(cpu_next_timer_event(cpu), 101);
    set_cr(r, 0, 0);
    assert_int_equal(cpu_next_timer_event(cpu), INT64_MAX);
    set_cr(r, 0, CR0_CLOCK_COMPARATOR | CR0_CPU_TIMER);
    cpu->clock_comparator = UINT64_MAX; /* never exceeded */
    cpu_set_timer(cpu, INT64_MAX);
    assert_true(cpu_next_timer_event(cpu) > INT64_MAX / 8);
    rig_end(r);
}

/* The engine takes the interruption at the foretold instruction: a loop of one-instruction branches. */
static void lb_51_taken_in_time(void **state)
{
    (void)state;
    for (int kind = ENGINE_BLOCK; kind <= ENGINE_REFERENCE; kind++)
        for (uint64_t distance = 1; distance < 400; distance += 37) {
            struct rig *r = rig_new();
            uint64_t done;
            r->cpu->engine_kind = (uint8_t)kind;
            put64(r->at + 432, PSW_64 | PSW_WAIT); /* external new PSW */
            put64(r->at + 440, 0xfff);
            put32(r->at + 0x10000, 0x1a12a7f4); /* AR 1,2; J back */
            put16(r->at + 0x10004, 0xffff);
            psw(r, PSW_64 | PSW_EXT, 0x10000);
            r->cpu->gr[2] = 1;
            set_cr(r, 0, CR0_CLOCK_COMPARATOR);
            r->cpu->clock_comparator = cpu_tod(r->cpu) + distance * CPU_TOD_PER_INSTRUCTION - 1;
            assert_int_equal(engine_run(r->cpu, 100000, &done), ENGINE_WAIT);
            assert_int_equal(done, distance);
            assert_int_equal(r->cpu->gr[1], (distance + 1) / 2);
            assert_int_equal(get16(r->at + 134), 0x1004);
            rig_end(r);
        }
}

/* Where a guest was that moves half a megabyte by MVCL and then adds, when the clock comparator interrupted it. */
struct interrupted {
    uint64_t done, elapsed, sum, to, left, old;
};
static struct interrupted interrupted_at(int kind, uint64_t distance)
{
    struct rig *r = rig_new();
    struct interrupted at;
    r->cpu->engine_kind = (uint8_t)kind;
    put64(r->at + 432, PSW_64 | PSW_WAIT);
    put64(r->at + 440, 0xfff);
    put16(r->at + 0x10000, 0x0e24); /* MVCL 2,4 */
    for (unsigned i = 1; i < 100; i++)
        put16(r->at + 0x10000 + 2 * i, 0x1a16); /* AR 1,6 */
    psw(r, PSW_64 | PSW_EXT, 0x10000);
    r->cpu->gr[2] = 0x100000, r->cpu->gr[3] = 0x80000;
    r->cpu->gr[4] = 0x200000, r->cpu->gr[5] = 0x80000;
    r->cpu->gr[6] = 1;
    set_cr(r, 0, CR0_CLOCK_COMPARATOR);
    r->cpu->clock_comparator = cpu_tod(r->cpu) + distance * CPU_TOD_PER_INSTRUCTION - 1;
    assert_int_equal(engine_run(r->cpu, 100000, &at.done), ENGINE_WAIT);
    assert_int_equal(get16(r->at + 134), 0x1004);
    at.elapsed = cpu_elapsed(r->cpu);
    at.sum = r->cpu->gr[1];
    at.to = r->cpu->gr[2];
    at.left = r->cpu->gr[3];
    at.old = get64(r->at + 304 + 8);
    assert_int_equal(cpu_instructions(r->cpu), at.done);
    rig_end(r);
    return at;
}

/* Time goes on by what an instruction does: half a megabyte in eight units of operation of 64K bytes, each of which
   takes as long as 1,025 ordinary instructions. What was to come in the middle comes behind the unit, on both
   engines. */
static void work_takes_time(void **state)
{
    (void)state;
    for (uint64_t distance = 1; distance < 8290; distance += distance % 1025 == 1022 ? 1 : 11) {
        const uint64_t units = distance < 8 * 1025 ? (distance + 1024) / 1025 : 8;
        const uint64_t sum = distance < 8 * 1025 ? 0 : distance - 8 * 1025;
        const struct interrupted b = interrupted_at(ENGINE_BLOCK, distance),
                                 r = interrupted_at(ENGINE_REFERENCE, distance);
        assert_memory_equal(&b, &r, sizeof b);
        assert_int_equal(b.elapsed, units * 1025 + sum);
        assert_int_equal(b.done, units + sum);
        assert_int_equal(b.to, 0x100000 + 0x10000 * units);
        assert_int_equal(b.left, 0x80000 - 0x10000 * units);
        assert_int_equal(b.sum, sum);
        assert_int_equal(b.old, units < 8 ? 0x10000 : 0x10002 + 2 * sum);
    }
}

static uint64_t host_time(void *machine) { return *(uint64_t *)machine; }

static void host_clock(void **state)
{
    (void)state;
    static const struct cpu_callouts callouts = {.host_tod = host_time};
    struct rig *r = rig_new();
    uint64_t time = 1000;
    r->sys.callouts = &callouts;
    r->sys.machine = &time;
    r->sys.host_clock = true;
    r->sys.tod_base = 5;
    assert_int_equal(cpu_tod(r->cpu), 1005);
    cpu_set_timer(r->cpu, 100);
    pass(r, 1000); /* instructions do not count */
    assert_int_equal(cpu_timer_value(r->cpu), 100);
    time += 101;
    assert_int_equal(cpu_timer_value(r->cpu), -1);
    psw(r, PSW_64 | PSW_EXT, 0);
    set_cr(r, 0, CR0_CLOCK_COMPARATOR);
    assert_true(cpu_next_timer_event(r->cpu) < INT64_MAX); /* look at the clock again */
    rig_end(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lb_30_tod),  cmocka_unit_test(lb_52_timer_states),  cmocka_unit_test(lb_51_52_exactness),
        cmocka_unit_test(masks),      cmocka_unit_test(lb_51_taken_in_time), cmocka_unit_test(work_takes_time),
        cmocka_unit_test(host_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
