/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TOD clock, clock comparator, CPU timer. PoP chapter 4, "Timing" (SA22-7832-13). */
#include "cpu/state/timing.h"
#include "cpu/state/exceptions.h"
#include <string.h>

/* With the host's clock: look at it again after so many instructions. */
#define HOST_CLOCK_INTERVAL 50000

/* What it said is good enough for so many of them when interruptions are enabled again. */
#define HOST_CLOCK_RECENT 2000

/* Further away is not looked. */
#define HORIZON (UINT64_C(1) << 40)

uint64_t cpu_now(const struct cpu *cpu)
{
    const struct cpu_system *sys = cpu->sys;
    const uint64_t cycles = cpu_cycles(cpu) - cpu->slice_start;
    return sys->now + (sys->now_rest + cycles * CPU_TOD_MICROSECOND) / cpu_mhz(sys);
}

/* Cycles until machine time `at`, at least 1; less when that is beyond the horizon. */
static uint64_t cycles_until(const struct cpu *cpu, uint64_t at)
{
    const struct cpu_system *sys = cpu->sys;
    const uint64_t cycles = cpu_cycles(cpu) - cpu->slice_start;
    uint64_t distance = at > sys->now ? at - sys->now : 0;
    distance = (distance < HORIZON ? distance : HORIZON) * cpu_mhz(sys);
    const uint64_t all =
        distance > sys->now_rest ? (distance - sys->now_rest + CPU_TOD_MICROSECOND - 1) / CPU_TOD_MICROSECOND : 0;
    return all > cycles ? all - cycles : 1;
}

int64_t cpu_units_until(const struct cpu *cpu, uint64_t at)
{
    return (int64_t)((cycles_until(cpu, at) - 1) / CPU_CYCLES_MOST + 1);
}

/* Time in TOD units that the clocks go by. */
static uint64_t raw_time(struct cpu *cpu)
{
    const struct cpu_system *sys = cpu->sys;
    if (sys->host_clock && sys->callouts && sys->callouts->host_tod)
        return sys->callouts->host_tod(sys->machine);
    return cpu_now(cpu);
}

uint64_t cpu_tod(struct cpu *cpu) { return cpu->sys->tod_base + raw_time(cpu); }

/* The epoch index when bits 0-63 are `tod` */
static uint8_t epoch_at(const struct cpu *cpu, uint64_t tod)
{
    return (uint8_t)(cpu->sys->tod_epoch + (tod < cpu->sys->tod_base)); /* a carry out of bit 0 since then */
}

uint8_t cpu_tod_epoch(struct cpu *cpu) { return epoch_at(cpu, cpu_tod(cpu)); }

static uint64_t unique_tod(struct cpu *cpu, uint64_t *now)
{
    uint64_t *last = &cpu->sys->tod_last, before = __atomic_load_n(last, __ATOMIC_RELAXED), tod;
    do {
        *now = tod = cpu_tod(cpu);
        if (tod <= before && before - tod < 16 * CPU_MAX)
            tod = before + 1;
    } while (!__atomic_compare_exchange_n(last, &before, tod, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    return tod;
}

uint64_t cpu_unique_tod(struct cpu *cpu)
{
    uint64_t now;
    return unique_tod(cpu, &now);
}

void cpu_extended_tod(struct cpu *cpu, uint8_t bytes[16])
{
    uint64_t now;
    const uint64_t unique = unique_tod(cpu, &now);
    memset(bytes, 0, 16);
    if (cpu_facility(cpu->sys, FACILITY_MULTIPLE_EPOCH)) /* the unique value may be ahead, behind a carry */
        bytes[0] = (uint8_t)(epoch_at(cpu, now) + (unique < now));
    put64(bytes + 1, unique);
    bytes[13] = 1;
    put16(bytes + 14, (uint16_t)cpu->tod_programmable);
}

void cpu_set_tod(struct cpu *cpu, uint64_t value)
{
    struct cpu_system *sys = cpu->sys;
    sys->tod_base += value - cpu_tod(cpu);
    sys->tod_epoch = value < sys->tod_base ? UINT8_MAX : 0;
    if (UNLIKELY(cpu->exceptions != NULL))
        et_state(cpu->exceptions->unit, ET_ST_TOD_CHANGED);
}

uint64_t cpu_physical_clock(struct cpu *cpu) { return cpu->sys->tod_physical + raw_time(cpu); }

/* What turns the comparison of two clock values into an unsigned one. */
static uint64_t sign_of_clock(const struct cpu *cpu)
{
    return (cpu->cr[0] & CR0_COMPARATOR_SIGN) && cpu_facility(cpu->sys, FACILITY_MULTIPLE_EPOCH) ? BIT64(0) : 0;
}

/* These at the machine time `raw`. */
static bool passed(const struct cpu *cpu, uint64_t raw)
{
    const uint64_t sign = sign_of_clock(cpu);
    return ((cpu->sys->tod_base + raw) ^ sign) > (cpu->clock_comparator ^ sign);
}
static int64_t timer(const struct cpu *cpu, uint64_t raw)
{
    const bool runs = cpu->state == CPU_STATE_OPERATING;
    return (int64_t)((uint64_t)cpu->cpu_timer - (runs ? raw - cpu->cpu_timer_set : 0));
}

bool cpu_clock_passed(struct cpu *cpu) { return passed(cpu, raw_time(cpu)); }
int64_t cpu_timer_value(struct cpu *cpu) { return timer(cpu, raw_time(cpu)); }

uint32_t cpu_timer_conditions(struct cpu *cpu)
{
    const uint64_t raw = raw_time(cpu);
    return (passed(cpu, raw) ? CPU_EXT_CLOCK_COMPARATOR : 0u) | (timer(cpu, raw) < 0 ? CPU_EXT_CPU_TIMER : 0u);
}

bool cpu_timers_quiet(struct cpu *cpu)
{
    const uint64_t timers = cpu->cr[0] & (CR0_CLOCK_COMPARATOR | CR0_CPU_TIMER), at = cpu_elapsed(cpu);
    const struct cpu_timers_seen *seen = &cpu->timers_seen,
                                 now = {at, cpu->cr[0], cpu->clock_comparator, cpu->cpu_timer_set, cpu->sys->tod_base};
    if (!(cpu->psw.mask & PSW_EXT) || !timers)
        return true;
    if (cpu->sys->host_clock && at - seen->at < HOST_CLOCK_RECENT && seen->cr0 == now.cr0 &&
        seen->comparator == now.comparator && seen->timer_set == now.timer_set && seen->tod_base == now.tod_base)
        return true;
    const uint32_t met = cpu_timer_conditions(cpu);
    if ((met & CPU_EXT_CLOCK_COMPARATOR && timers & CR0_CLOCK_COMPARATOR) ||
        (met & CPU_EXT_CPU_TIMER && timers & CR0_CPU_TIMER))
        return false;
    cpu->timers_seen = now;
    return true;
}

void cpu_set_timer(struct cpu *cpu, int64_t value)
{
    cpu->cpu_timer = value;
    cpu->cpu_timer_set = raw_time(cpu);
}

void cpu_set_state(struct cpu *cpu, unsigned state)
{
    const unsigned before = cpu->state;
    int64_t timer = cpu_timer_value(cpu);
    cpu->state = (uint8_t)state;
    cpu_set_timer(cpu, timer);
    if (UNLIKELY(cpu->exceptions != NULL))
        cpu_exceptions_state(cpu, before);
}

/* TOD units until the condition of one of these timers (bits of control register 0) changes from false to true. */
static int64_t change_of(struct cpu *cpu, uint64_t timers)
{
    uint64_t units = INT64_MAX, tod = cpu_tod(cpu);
    if ((timers & CR0_CLOCK_COMPARATOR) && !cpu_clock_passed(cpu) && cpu->clock_comparator - tod < units)
        units = cpu->clock_comparator - tod + 1;
    int64_t timer = cpu_timer_value(cpu);
    if ((timers & CR0_CPU_TIMER) && timer >= 0 && (uint64_t)timer < units)
        units = (uint64_t)timer + 1;
    return (int64_t)units;
}

/* Likewise, of those that can interrupt. */
static int64_t next_change(struct cpu *cpu) { return cpu->psw.mask & PSW_EXT ? change_of(cpu, cpu->cr[0]) : INT64_MAX; }

int64_t cpu_next_timer_units(struct cpu *cpu)
{
    const int64_t units = next_change(cpu); /* first: what comes about meanwhile by the host's clock is seen below */
    const bool comparator = (cpu->cr[0] & CR0_CLOCK_COMPARATOR) && cpu_clock_passed(cpu);
    if ((cpu->psw.mask & PSW_EXT) && (comparator || ((cpu->cr[0] & CR0_CPU_TIMER) && cpu_timer_value(cpu) < 0)))
        return 1; /* the host's clock went on since somebody looked */
    return units;
}

int64_t cpu_next_event_units(struct cpu *cpu)
{
    const int64_t timer = cpu_next_timer_units(cpu);
    const uint64_t at = cpu->sys->event_at, now = cpu_now(cpu);
    const int64_t event = at == 0 ? INT64_MAX : at > now ? (int64_t)(at - now) : 1;
    return timer < event ? timer : event;
}

int64_t cpu_next_timer_event(struct cpu *cpu)
{
    const struct cpu_system *sys = cpu->sys;
    const uint64_t both = CR0_CLOCK_COMPARATOR | CR0_CPU_TIMER;
    const bool all = cpu->exceptions != NULL; /* it is told of requests at once, whether they can interrupt or not */
    const int64_t event = sys->event_at ? cpu_units_until(cpu, sys->event_at) : INT64_MAX;
    if (LIKELY(!all) && (!(cpu->psw.mask & PSW_EXT) || !(cpu->cr[0] & both)))
        return event;
    if (sys->host_clock)
        return event < HOST_CLOCK_INTERVAL ? event : HOST_CLOCK_INTERVAL;
    const int64_t units = all ? change_of(cpu, both) : next_change(cpu);
    if (units == INT64_MAX)
        return event;
    const int64_t timer = cpu_units_until(cpu, cpu_now(cpu) + (uint64_t)units);
    return timer < event ? timer : event;
}
