/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TOD clock, clock comparator and CPU timer: the next event is foretold to the instruction. PoP chapter 4. */
#include "cpu/control/interrupt.h"
#include "cpu/state/timing.h"
#include "tests/unit/cpu_harness.h"
#include "tests/unit/use_engine.h"

/* TOD units of a cycle, and of an instruction of two halfwords. */
#define CYCLE (CPU_TOD_MICROSECOND / CPU_MHZ)
#define WORD  (2 * CYCLE)

/* Let `n` instructions of so many halfwords pass, as an engine would. */
static void pass_long(struct rig *r, int64_t n, int64_t halfwords) { r->cpu->budget -= n * (CPU_UNIT - halfwords); }
static void pass(struct rig *r, int64_t n) { pass_long(r, n, 2); }

static void lb_30_tod(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    r->sys.tod_base = UINT64_C(0xd000000000000000);
    uint64_t start = cpu_tod(r->cpu);
    assert_int_equal(start, r->sys.tod_base);
    pass(r, 10);
    assert_int_equal(cpu_tod(r->cpu), start + 10 * WORD);
    /* The rotation moves a slice into the machine's time: nothing jumps. */
    r->cpu->elapsed = 10;
    r->cpu->cycles = 20;
    r->cpu->budget = r->cpu->budget_start = 0;
    engine_advance(&r->sys, 20);
    assert_int_equal(cpu_tod(r->cpu), start + 10 * WORD);
    /* A longer slice of another CPU. */
    engine_advance(&r->sys, 10);
    assert_int_equal(cpu_tod(r->cpu), start + 15 * WORD);
    rig_end(r);
}

static void lb_52_timer_states(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    cpu_set_timer(r->cpu, 1000);
    pass(r, 3);
    assert_int_equal(cpu_timer_value(r->cpu), 1000 - 3 * WORD);
    psw(r, PSW_64 | PSW_WAIT, 0); /* runs in the wait state */
    pass(r, 3);
    assert_int_equal(cpu_timer_value(r->cpu), 1000 - 6 * WORD);
    cpu_set_state(r->cpu, CPU_STATE_STOPPED);
    pass(r, 100);
    assert_int_equal(cpu_timer_value(r->cpu), 1000 - 6 * WORD);
    cpu_set_state(r->cpu, CPU_STATE_OPERATING);
    pass(r, 1);
    assert_int_equal(cpu_timer_value(r->cpu), 1000 - 7 * WORD);
    /* SET CLOCK does not move it. */
    r->sys.tod_base += 1000000;
    assert_int_equal(cpu_timer_value(r->cpu), 1000 - 7 * WORD);
    cpu_set_timer(r->cpu, INT64_MIN); /* wraps like a register */
    pass(r, 1);
    assert_int_equal(cpu_timer_value(r->cpu), INT64_MAX - 3);
    rig_end(r);
}

/* For every distance and phase: not before the last of the foretold instructions is the condition there, however long
   they are, and then at the first cycle. */
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
            for (uint64_t rest = (uint64_t)distance / CYCLE + 1; rest;) { /* cycles until it is there */
                assert_true(event >= 1 && (uint64_t)event <= (rest - 1) / CPU_CYCLES_MOST + 1);
                pass_long(r, event - 1, CPU_CYCLES_MOST); /* the longest instructions are not too long for it */
                rest -= (uint64_t)(event - 1) * CPU_CYCLES_MOST;
                assert_false(cpu_external_pending(cpu) & condition);
                pass_long(r, 1, 1);
                assert_int_equal(!!(cpu_external_pending(cpu) & condition), --rest == 0);
                event = cpu_next_timer_event(cpu);
            }
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
    assert_int_equal(cpu_next_timer_event(cpu), 20 / CPU_CYCLES_MOST + 1);
    set_cr(r, 0, CR0_CLOCK_COMPARATOR);
    assert_int_equal(cpu_next_timer_event(cpu), 200 / CPU_CYCLES_MOST + 1);
    set_cr(r, 0, 0);
    assert_int_equal(cpu_next_timer_event(cpu), INT64_MAX);
    set_cr(r, 0, CR0_CLOCK_COMPARATOR | CR0_CPU_TIMER);
    cpu->clock_comparator = UINT64_MAX; /* never exceeded */
    cpu_set_timer(cpu, INT64_MAX);
    assert_true(cpu_next_timer_event(cpu) > UINT32_MAX);
    rig_end(r);
}

/* The engine takes the interruption at the foretold instruction: a loop of one-instruction branches. */
static void lb_51_taken_in_time(void **state)
{
    (void)state;
    for (int kind = ENGINE_BLOCK; kind <= ENGINE_TRANSLATE; kind++)
        for (uint64_t distance = 1; distance < 400; distance += 37) {
            struct rig *r = rig_new();
            uint64_t done;
            use_engine(r->cpu, (enum engine_kind)kind, 0);
            put64(r->at + 432, PSW_64 | PSW_WAIT); /* external new PSW */
            put64(r->at + 440, 0xfff);
            put32(r->at + 0x10000, 0x1a12a7f4); /* AR 1,2; J back */
            put16(r->at + 0x10004, 0xffff);
            psw(r, PSW_64 | PSW_EXT, 0x10000);
            r->cpu->gr[2] = 1;
            set_cr(r, 0, CR0_CLOCK_COMPARATOR);
            const uint64_t cycles = distance / 2 * 3 + distance % 2;
            r->cpu->clock_comparator = cpu_tod(r->cpu) + cycles * CYCLE - 1;
            assert_int_equal(engine_run(r->cpu, 100000, &done), ENGINE_WAIT);
            assert_int_equal(done, distance);
            assert_int_equal(r->cpu->gr[1], (distance + 1) / 2);
            assert_int_equal(get16(r->at + 134), 0x1004);
            rig_end(r);
        }
}

/* Where a guest was that moves half a megabyte by MVCL and then adds, when the clock comparator interrupted it. */
struct interrupted {
    uint64_t done, elapsed, cycles, sum, to, left, old;
};
static struct interrupted interrupted_at(int kind, uint64_t distance)
{
    struct rig *r = rig_new();
    struct interrupted at;
    use_engine(r->cpu, (enum engine_kind)kind, 0);
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
    r->cpu->clock_comparator = cpu_tod(r->cpu) + distance * CYCLE - 1;
    assert_int_equal(engine_run(r->cpu, 100000, &at.done), ENGINE_WAIT);
    assert_int_equal(get16(r->at + 134), 0x1004);
    at.elapsed = cpu_elapsed(r->cpu);
    at.cycles = cpu_cycles(r->cpu);
    at.sum = r->cpu->gr[1];
    at.to = r->cpu->gr[2];
    at.left = r->cpu->gr[3];
    at.old = get64(r->at + 304 + 8);
    assert_int_equal(cpu_instructions(r->cpu), at.done);
    rig_end(r);
    return at;
}

/* Time goes on by what an instruction does: half a megabyte in eight units of operation of 64K bytes, each of which
   takes one cycle for its halfword and two for every 64 bytes. What was to come in the middle comes behind the unit, on
   both engines. */
static void work_takes_time(void **state)
{
    (void)state;
    const uint64_t unit = 1 + 2 * 1024;
    for (uint64_t distance = 1; distance<8 * unit + 90; distance += distance % unit> unit - 32 ? 1 : 31) {
        const uint64_t units = distance < 8 * unit ? (distance + unit - 1) / unit : 8;
        const uint64_t sum = distance < 8 * unit ? 0 : distance - 8 * unit;
        const struct interrupted b = interrupted_at(ENGINE_BLOCK, distance),
                                 r = interrupted_at(ENGINE_REFERENCE, distance);
        assert_memory_equal(&b, &r, sizeof b);
        assert_int_equal(b.elapsed, units * 1025 + sum);
        assert_int_equal(b.cycles, units * unit + sum);
        assert_int_equal(b.done, units + sum);
        assert_int_equal(b.to, 0x100000 + 0x10000 * units);
        assert_int_equal(b.left, 0x80000 - 0x10000 * units);
        assert_int_equal(b.sum, sum);
        assert_int_equal(b.old, units < 8 ? 0x10000 : 0x10002 + 2 * sum);
    }
}

/* The speed is the profile's; what is over at the end of a slice is not lost, so that slices do not change the time. */
static void speed(void **state)
{
    (void)state;
    static const uint32_t mhz[] = {1, 1000, 2047, 2048, 2049, 4095, 4097, 5200, 99999, 1000000};
    for (unsigned i = 0; i < sizeof mhz / sizeof *mhz; i++) {
        struct rig *r = rig_new();
        struct cpu *cpu = r->cpu;
        uint64_t all = 0;
        r->sys.profile.mhz = mhz[i];
        for (unsigned n = 1; n < 400; n++) {
            cpu->cycles += n % 7 * n;
            all += n % 7 * n;
            assert_int_equal(cpu_tod(cpu), all * CPU_TOD_MICROSECOND / mhz[i]);
            if (n % 3)
                engine_advance(&r->sys, cpu_cycles(cpu) - cpu->slice_start);
            assert_int_equal(cpu_tod(cpu), all * CPU_TOD_MICROSECOND / mhz[i]);
        }
        for (uint64_t at = cpu_now(cpu) + 1000, left; at > cpu_now(cpu); cpu->cycles += left) {
            left = (uint64_t)(cpu_units_until(cpu, at) - 1) * CPU_CYCLES_MOST + 1;
            cpu->cycles += left - 1;
            assert_true(cpu_now(cpu) < at);
            cpu->cycles -= left - 1;
        }
        rig_end(r);
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

static uint64_t time_goes_on(void *machine) { return ++*(uint64_t *)machine; }

/* A timer that becomes due while it is looked at is not taken for one that never does: the run would end for it. */
static void due_meanwhile(void **state)
{
    (void)state;
    static const struct cpu_callouts callouts = {.host_tod = time_goes_on};
    struct rig *r = rig_new();
    uint64_t time = 0;
    r->sys.callouts = &callouts;
    r->sys.machine = &time;
    r->sys.host_clock = true;
    psw(r, PSW_64 | PSW_EXT, 0);
    for (unsigned both = 0; both < 2; both++) {
        set_cr(r, 0, both ? CR0_CPU_TIMER : CR0_CLOCK_COMPARATOR);
        for (unsigned in = 0; in < 20; in++) {
            time = 1000;
            r->cpu->clock_comparator = 1000 + in;
            cpu_set_timer(r->cpu, in);
            assert_true(cpu_next_timer_units(r->cpu) <= 25);
        }
    }
    rig_end(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lb_30_tod), cmocka_unit_test(lb_52_timer_states),  cmocka_unit_test(lb_51_52_exactness),
        cmocka_unit_test(masks),     cmocka_unit_test(lb_51_taken_in_time), cmocka_unit_test(work_takes_time),
        cmocka_unit_test(speed),     cmocka_unit_test(host_clock),          cmocka_unit_test(due_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
