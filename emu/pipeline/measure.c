/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan is a sequence of phases that end at a number of instructions, at an address, or at a mark of the guest. */
#include "emu/pipeline/measure.h"
#include "cpu/control/model.h"
#include "cpu/engine/engine.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum phase { WAITS, WARMS, LEADS, MEASURES, OVER }; /* OVER: it waits for nothing */

struct measure {
    struct measure_plan plan;
    bool planned;
    uint8_t phase;         /* enum phase */
    bool armed;            /* breakpoints stand at the plan's address */
    uint64_t first;        /* instructions of all CPUs where the plan began */
    uint64_t next;         /* those at which the phase ends; UINT64_MAX: another thing ends it */
    uint64_t from;         /* those where the interval began */
    struct ec_totals then; /* totals of all CPUs there */
    uint64_t intervals;
    struct ec_totals sum; /* of the complete ones */
    double cpi, squares;  /* sums over them: cycles for each instruction, and its square */
    struct measure_interval kept[MEASURE_KEPT];
    struct ec_places *places[CPU_MAX];
};

/* ---- totals and places ------------------------------------------------------------------------------------------ */

static void add(struct ec_totals *to, const struct ec_totals *from, const struct ec_totals *less)
{
    for (unsigned e = 0; e < EC_NEV; e++) {
        to->all[e] += from->all[e] - less->all[e];
        to->completed[e] += from->completed[e] - less->completed[e];
    }
    to->cycles += from->cycles - less->cycles;
}

static void totals(const struct machine *m, struct ec_totals *t)
{
    static const struct ec_totals none;
    struct ec_totals one;
    memset(t, 0, sizeof *t);
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        ec_model_totals(cpu_model(m->sys.cpus[i]), &one);
        add(t, &one, &none);
    }
}

static void use(struct machine *m, enum cpu_model_use how)
{
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        cpu_model_use(m->sys.cpus[i], how);
}

/* What is counted belongs to places while it is to be. */
static void count_places(struct machine *m)
{
    const struct measure *x = m->measure;
    const bool counts = !x->planned || x->phase == MEASURES;
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        cpu_model_places(m->sys.cpus[i], counts ? x->places[i] : NULL);
}

static bool on(const struct machine *m) { return m->config.pipelined; }

/* The one of a machine; NULL: no memory. */
static struct measure *measure_of(struct machine *m)
{
    if (!m->measure)
        m->measure = calloc(1, sizeof *m->measure);
    return m->measure;
}

static void drop_places(struct machine *m)
{
    for (unsigned i = 0; m->measure && i < CPU_MAX; i++) {
        if (m->measure->places[i] && m->sys.cpus[i] && cpu_model(m->sys.cpus[i]))
            cpu_model_places(m->sys.cpus[i], NULL);
        ec_places_destroy(m->measure->places[i]);
        m->measure->places[i] = NULL;
    }
}

/* Nothing is measured any more by samples or by place. */
static void release(struct machine *m)
{
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (m->measure->planned || m->measure->places[i])
            return;
    free(m->measure);
    m->measure = NULL;
}

int machine_places(struct machine *m, const struct ec_place *place, unsigned count, enum ec_place_state wanted)
{
    drop_places(m);
    if (!place && !count) {
        if (m->measure)
            release(m);
        return 0;
    }
    struct measure *x = measure_of(m);
    for (unsigned i = 0; x && i < m->sys.cpu_count; i++)
        if (!(x->places[i] = ec_places_create(place, count, wanted)))
            x = NULL;
    if (!x) {
        drop_places(m);
        return -ENOMEM;
    }
    count_places(m);
    return 0;
}

const struct ec_places *machine_places_of(struct machine *m, const struct cpu *cpu)
{
    struct ec_places *p = m->measure ? m->measure->places[cpu->address] : NULL;
    if (p)
        ec_places_settle(p, cpu_model(cpu));
    return p;
}

/* ---- phases ----------------------------------------------------------------------------------------------------- */

static void disarm(struct machine *m)
{
    struct measure *x = m->measure;
    for (unsigned i = 0; x->armed && i < m->sys.cpu_count; i++)
        engine_break_remove(m->sys.cpus[i], x->plan.at);
    x->armed = false;
}

static void end_interval(struct machine *m)
{
    struct measure *x = m->measure;
    struct ec_totals now, grown = {0};
    totals(m, &now);
    add(&grown, &now, &x->then);
    add(&x->sum, &now, &x->then);
    const uint64_t done = grown.completed[EC_INST];
    const double cpi = done ? (double)grown.cycles / (double)done : 0;
    x->cpi += cpi;
    x->squares += cpi * cpi;
    x->kept[x->intervals++ % MEASURE_KEPT] = (struct measure_interval){.from = x->from - x->first,
                                                                       .instructions = done,
                                                                       .cycles = grown.cycles,
                                                                       .mispredictions = grown.completed[EC_BR_MISP]};
}

static void begin_phase(struct machine *m, enum phase phase, uint64_t now)
{
    static const uint8_t uses[] = {CPU_MODEL_RESTS, CPU_MODEL_WARMS, CPU_MODEL_RUNS, CPU_MODEL_RUNS};
    struct measure *x = m->measure;
    const bool ends = x->phase == MEASURES && phase != MEASURES;
    x->phase = (uint8_t)phase;
    if (ends)
        end_interval(m);
    use(m, (enum cpu_model_use)uses[phase]);
    if (phase == MEASURES) {
        totals(m, &x->then);
        x->from = now;
    }
    count_places(m);
}

/* Where the next interval by number begins, in instructions of all CPUs; UINT64_MAX: there is none. */
static uint64_t beginning(const struct measure *x)
{
    const struct measure_plan *p = &x->plan;
    if ((p->count && x->intervals >= p->count) || (!p->every && x->intervals))
        return UINT64_MAX;
    return x->first + p->at - 1 + x->intervals * p->every;
}

/* Wait for the next interval. By number: its warming may be due already. */
static void wait_for_next(struct machine *m, uint64_t now)
{
    struct measure *x = m->measure;
    const struct measure_plan *p = &x->plan;
    x->next = UINT64_MAX;
    begin_phase(m, WAITS, now);
    const bool more = !p->count || x->intervals < p->count;
    if (!more)
        x->phase = OVER;
    if (p->kind == MEASURE_AT_ADDRESS && more && !x->armed) {
        x->armed = true;
        for (unsigned i = 0; i < m->sys.cpu_count; i++)
            if (engine_break_add(m->sys.cpus[i], p->at) && m->host.message)
                m->host.message(m->host.context, "the host has no memory for the place where measuring begins");
    }
    if (p->kind != MEASURE_AT_INSTRUCTION)
        return;
    const uint64_t at = beginning(x), before = p->warm + p->lead;
    if (at == UINT64_MAX)
        x->phase = OVER;
    else
        x->next = at > now + before ? at - before : now;
}

/* The phase behind this one begins: those without instructions are passed over. */
static void next_phase(struct machine *m, uint64_t now)
{
    struct measure *x = m->measure;
    const struct measure_plan *p = &x->plan;
    const bool numbered = p->kind == MEASURE_AT_INSTRUCTION;
    const uint64_t at = numbered && x->phase < MEASURES ? beginning(x) : now;
    if (x->phase == WAITS && p->warm && (!numbered || now + p->lead < at)) {
        begin_phase(m, WARMS, now);
        x->next = numbered ? at - p->lead : now + p->warm;
    } else if (x->phase <= WARMS && p->lead && (!numbered || now < at)) {
        begin_phase(m, LEADS, now);
        x->next = numbered ? at : now + p->lead;
    } else if (x->phase <= LEADS) {
        begin_phase(m, MEASURES, now);
        x->next = p->length ? now + p->length : UINT64_MAX;
    } else {
        wait_for_next(m, now);
    }
}

uint64_t measure_until(struct machine *m)
{
    struct measure *x = m->measure;
    uint64_t now;
    if (!x->planned || x->next == UINT64_MAX)
        return UINT64_MAX;
    now = machine_instructions(m);
    while (x->next <= now)
        next_phase(m, now);
    return x->next == UINT64_MAX ? UINT64_MAX : x->next - now;
}

bool measure_came(struct machine *m, const struct cpu *cpu)
{
    struct measure *x = m->measure;
    if (!x->armed || cpu->psw.ia != x->plan.at)
        return false;
    disarm(m);
    next_phase(m, machine_instructions(m));
    return !engine_break_at(cpu, cpu->psw.ia);
}

/* ---- marks of the guest ------------------------------------------------------------------------------------------ */

bool measure_mark(struct machine *m, bool wanted)
{
    struct measure *x = m->measure;
    if (!x || !x->planned || x->plan.kind != MEASURE_AT_MARK)
        return false;
    const uint64_t now = machine_instructions(m);
    if (wanted && x->phase == WAITS)
        next_phase(m, now);
    else if (!wanted && x->phase != WAITS && x->phase != OVER)
        wait_for_next(m, now);
    return true;
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */

static int check(const struct machine *m, const struct measure_plan *p, char *error, size_t size)
{
    const char *why = NULL;
    if (!on(m))
        why = "the pipeline model is off; turn it on by --pipe or ctr on";
    else if (m->config.threads)
        why = "the CPUs have threads, and nobody counts the instructions of all; leave --threads away";
    else if (p->kind == MEASURE_AT_INSTRUCTION && (!p->at || p->at > UINT64_MAX / 2))
        why = "at is the number of an instruction, from 1";
    else if (p->every && p->kind != MEASURE_AT_INSTRUCTION)
        why = "every goes with the number of an instruction; an address or a mark has an interval at each arrival";
    else if (p->every && (!p->length || p->every < p->length))
        why = "the intervals overlap; give a length, and every not less than it";
    else if (p->warm > UINT64_MAX / 8 || p->lead > UINT64_MAX / 8 || p->length > UINT64_MAX / 8 ||
             p->every > UINT64_MAX / 8)
        why = "a number of instructions is too large";
    if (why)
        snprintf(error, size, "measuring: %s", why);
    return why ? -EINVAL : 0;
}

int machine_measure(struct machine *m, const struct measure_plan *plan, char *error, size_t size)
{
    int code = check(m, plan, error, size);
    if (code)
        return code;
    (void)machine_measure_end(m);
    struct measure *x = measure_of(m);
    if (!x) {
        snprintf(error, size, "measuring: the host has no memory");
        return -ENOMEM;
    }
    x->plan = *plan;
    x->planned = true;
    x->phase = WAITS;
    x->intervals = 0;
    x->cpi = x->squares = 0;
    memset(&x->sum, 0, sizeof x->sum);
    const uint64_t now = x->first = machine_instructions(m);
    wait_for_next(m, now);
    for (unsigned i = 0; x->armed && i < m->sys.cpu_count; i++)
        if (m->sys.cpus[i]->state == CPU_STATE_OPERATING && m->sys.cpus[i]->psw.ia == plan->at) {
            disarm(m); /* a run does not stop where it begins */
            next_phase(m, now);
        }
    return 0;
}

bool machine_measure_end(struct machine *m)
{
    struct measure *x = m->measure;
    if (!x || !x->planned)
        return false;
    disarm(m);
    x->planned = false;
    if (on(m)) {
        use(m, CPU_MODEL_RUNS);
        count_places(m);
    }
    release(m);
    return true;
}

bool machine_measured(struct machine *m, struct measure_result *r)
{
    const struct measure *x = m->measure;
    if (!x || !x->planned)
        return false;
    (void)measure_until(m); /* what a CPU that was stepped has come to */
    const double n = (double)x->intervals;
    *r = (struct measure_result){.measuring = x->phase == MEASURES,
                                 .intervals = x->intervals,
                                 .passed = machine_instructions(m) - x->first,
                                 .totals = x->sum,
                                 .mean = n > 0 ? x->cpi / n : 0,
                                 .kept = x->kept,
                                 .kept_count = (unsigned)(x->intervals < MEASURE_KEPT ? x->intervals : MEASURE_KEPT)};
    if (r->measuring) {
        struct ec_totals now;
        totals(m, &now);
        add(&r->totals, &now, &x->then);
    }
    const double variance = n > 1 ? (x->squares - x->cpi * r->mean) / (n - 1) : 0;
    r->half = variance > 0 ? 1.96 * sqrt(variance / n) : 0;
    return true;
}

const struct measure_plan *machine_measure_plan(const struct machine *m)
{
    return m->measure && m->measure->planned ? &m->measure->plan : NULL;
}

void measure_forget(struct machine *m)
{
    (void)machine_measure_end(m);
    drop_places(m);
    if (m->measure)
        release(m);
}
