/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running a CPU: what every engine has in common. */
#include "cpu/control/interrupt.h"
#include "cpu/control/model.h"
#include "cpu/control/status.h"
#include "cpu/control/transaction.h"
#include "cpu/engine/internal.h"
#include "cpu/state/edges.h"
#include "cpu/state/exceptions.h"
#include "cpu/state/timing.h"
#include "cpu/storage/code.h"
#include <errno.h>
#include <stdlib.h>

const char *const engine_names[] = {
    [ENGINE_BLOCK] = "block", [ENGINE_REFERENCE] = "reference", [ENGINE_TRANSLATE] = "translate"};

struct engine *engine_of(struct cpu *cpu)
{
    if (!cpu->engine)
        cpu->engine = calloc(1, sizeof *cpu->engine);
    return cpu->engine;
}

void engine_destroy(struct cpu *cpu)
{
    if (!cpu->engine)
        return;
    if (cpu->engine->blocks)
        block_predictor_end(cpu);
    block_destroy(cpu->engine->blocks);
    block_translator_destroy(cpu->engine->translator);
    free(cpu->engine->breaks.at);
    free(cpu->engine);
    cpu->engine = NULL;
}

bool engine_break_at(const struct cpu *cpu, uint64_t address)
{
    const struct engine *e = cpu->engine;
    return e && breaks_at(&e->breaks, address);
}

int engine_break_add(struct cpu *cpu, uint64_t address)
{
    struct engine *e = engine_of(cpu);
    if (!e)
        return -ENOMEM;
    if (e->breaks.count == e->break_room) {
        unsigned room = e->break_room ? 2 * e->break_room : 8;
        uint64_t *more = realloc(e->breaks.at, room * sizeof *more);
        if (!more)
            return -ENOMEM;
        e->breaks.at = more;
        e->break_room = room;
    }
    e->breaks.at[e->breaks.count++] = address;
    block_purge(e->blocks);
    return 0;
}

void engine_break_remove(struct cpu *cpu, uint64_t address)
{
    struct engine *e = cpu->engine;
    for (unsigned i = 0; e && i < e->breaks.count; i++)
        if (e->breaks.at[i] == address) {
            e->breaks.at[i] = e->breaks.at[--e->breaks.count];
            block_purge(e->blocks);
            return;
        }
}

void engine_break_clear(struct cpu *cpu)
{
    if (!cpu->engine)
        return;
    cpu->engine->breaks.count = 0;
    block_purge(cpu->engine->blocks);
}

bool engine_code_changed(struct cpu *cpu, uint64_t absolute, unsigned length)
{
    return cpu->engine && cpu->engine->blocks && block_code_changed(cpu, absolute, length);
}

void engine_code_purge(struct cpu *cpu)
{
    if (cpu->engine)
        block_purge(cpu->engine->blocks);
}

void engine_run_reference(struct cpu *cpu, bool first, bool *at_break)
{
    static const struct breaks none;
    if (UNLIKELY(cpu->edges != NULL))
        cpu->edges->collected = block_edges;
    reference_run(cpu, cpu->engine ? &cpu->engine->breaks : &none, first, at_break);
}

void engine_leave(struct cpu *cpu) { cpu->leave = true; }

static void new_slices(struct cpu_system *sys)
{
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (sys->cpus[i])
            sys->cpus[i]->slice_start = cpu_cycles(sys->cpus[i]);
}

void engine_advance(struct cpu_system *sys, uint64_t cycles)
{
    const uint64_t mhz = cpu_mhz(sys), time = sys->now_rest + cycles * CPU_TOD_MICROSECOND;
    sys->now += time / mhz;
    sys->now_rest = time % mhz;
    new_slices(sys);
}

void engine_skip(struct cpu_system *sys, uint64_t units)
{
    sys->now += units;
    new_slices(sys);
}

/* What was done since the budget was set is accounted, and a new budget begins. Returns the units. */
static uint64_t account(struct cpu *cpu, int64_t next_budget)
{
    const uint64_t used = (uint64_t)(cpu->budget_start - cpu_left(cpu));
    cpu->elapsed += used;
    cpu->cycles += cpu_run_cycles(cpu);
    cpu->budget_start = next_budget < CPU_RUN_MOST ? next_budget : CPU_RUN_MOST;
    cpu_set_left(cpu, cpu->budget_start);
    return used;
}

/* What a transaction that was aborted between two instructions still has to say. */
static void deliver(struct cpu *cpu, int code)
{
    if (code)
        cpu_deliver(cpu, code);
}

/* What the operator and SIGP asked for, between two instructions. Returns true when the CPU is not operating any
   more. */
static bool requests(struct cpu *cpu)
{
    if (cpu->stop_pending && cpu->state == CPU_STATE_OPERATING) {
        cpu->stop_pending = false;
        deliver(cpu, cpu_tx_give_up(cpu));
        cpu_set_state(cpu, CPU_STATE_STOPPED);
        if (cpu->store_status_pending) {
            cpu->store_status_pending = false;
            cpu_store_status(cpu);
        }
        if (cpu->sys->callouts && cpu->sys->callouts->state_changed)
            cpu->sys->callouts->state_changed(cpu->sys->machine, cpu);
    }
    return cpu->state != CPU_STATE_OPERATING;
}

static bool block_engine_serves(const struct cpu *cpu)
{
    return cpu->engine_kind != ENGINE_REFERENCE && !engine_reference_only(cpu);
}

/* Threads, between two instructions: is there something that only a CPU that is alone can do? */
static bool must_be_alone(struct cpu *cpu)
{
    const bool wants = cpu->wants_alone;
    cpu->settle = cpu->wants_alone = false;
    if (!cpu_code_settle(cpu))
        return true;
    return !cpu_alone(cpu->sys) && cpu->state == CPU_STATE_OPERATING &&
           (wants || cpu->stop_pending || cpu_tx_active(cpu) || cpu_interruption_needs_alone(cpu) ||
            (cpu->sys->event_at && cpu->sys->event_at <= cpu_now(cpu)));
}

/* Devices have their turn: what they store must not meet an open transaction's stores. */
static void device_event(struct cpu *cpu)
{
    const bool open = cpu_tx_active(cpu);
    if (open)
        cpu_tx_suspend(cpu);
    cpu->sys->callouts->event(cpu->sys->machine, cpu_now(cpu));
    if (open)
        deliver(cpu, cpu_tx_resume(cpu));
}

/* Run for `time`, as cpu_elapsed() counts it; the last instruction may take longer. */
static enum engine_end run_on(struct cpu *cpu, uint64_t time, bool reference)
{
    bool first = !cpu->goes_on, at_break = false;
    uint64_t used = 0;
    cpu->leave = cpu->watched.late && cpu->watched.count;
    cpu->watched.late = cpu->spun = false;
    account(cpu, 0);
    for (;;) {
        const bool waited = cpu->psw.mask & PSW_WAIT, traced = cpu->exceptions;
        if (UNLIKELY(cpu->sys->threads)) {
            if (must_be_alone(cpu))
                return ENGINE_ALONE;
            if (!cpu->sys->alone && __atomic_load_n(&cpu->sys->want_alone, __ATOMIC_RELAXED))
                return ENGINE_BUDGET;
        }
        if (requests(cpu))
            return ENGINE_STOPPED;
        if (UNLIKELY(cpu->sys->event_at && cpu->sys->event_at <= cpu_now(cpu)))
            device_event(cpu);
        if (UNLIKELY(traced))
            cpu_exceptions_look(cpu);
        if (UNLIKELY(cpu->interrupted && used >= time) && cpu_interruption_pending(cpu))
            return ENGINE_BUDGET;
        if (cpu_take_interruption(cpu)) {
            first = first && waited; /* a breakpoint at the handler counts */
            if (cpu->interrupted) {  /* a string of interruptions takes time too, and must end */
                cpu->elapsed++;
                cpu->cycles++;
                used++;
            }
            cpu->interrupted = true;
            continue;
        }
        cpu->interrupted = false;
        if (cpu->state != CPU_STATE_OPERATING)
            return ENGINE_STOPPED;
        if (UNLIKELY(traced))
            cpu_exceptions_boundary(cpu);
        if (UNLIKELY(cpu->leave && cpu->watched.count))
            return ENGINE_REQUEST;
        if (cpu->psw.mask & PSW_WAIT) {
            if (cpu->model)
                cpu_model_drain(cpu);
            return ENGINE_WAIT;
        }
        if (cpu->leave)
            return cpu->spun ? ENGINE_SPINS : ENGINE_REQUEST;
        if (used >= time)
            return ENGINE_BUDGET;
        const bool timed = cpu->model && cpu_model_timed(cpu);
        int64_t event = timed ? 1 : cpu_next_timer_event(cpu); /* nobody knows how long the next instruction takes */
        uint64_t left = time - used;
        account(cpu, left < (uint64_t)event ? (int64_t)left : event);
        if (reference || !block_engine_serves(cpu))
            engine_run_reference(cpu, first, &at_break);
        else
            block_run(cpu, first, &at_break);
        used += account(cpu, 0);
        first = false;
        cpu->goes_on = !at_break;
        if (at_break)
            return ENGINE_BREAK;
    }
}

static enum engine_end run(struct cpu *cpu, uint64_t time, uint64_t *done, bool reference)
{
    *done = 0;
    if (UNLIKELY(cpu->held))
        return ENGINE_STOPPED;
    if (cpu_tx_active(cpu) && !cpu_alone(cpu->sys))
        return ENGINE_ALONE;
    if (cpu_tx_active(cpu))
        deliver(cpu, cpu_tx_resume(cpu));
    const uint64_t before = cpu_instructions(cpu);
    __atomic_store_n(&cpu->sys->running, cpu, __ATOMIC_RELAXED);
    enum engine_end end = run_on(cpu, time, reference);
    *done = cpu_instructions(cpu) - before;
    if (cpu_tx_active(cpu))
        cpu_tx_suspend(cpu);
    return end;
}

enum engine_end engine_run(struct cpu *cpu, uint64_t time, uint64_t *done) { return run(cpu, time, done, false); }

enum engine_end engine_step(struct cpu *cpu)
{
    uint64_t done;
    cpu->goes_on = false;
    return run(cpu, 1, &done, true);
}
