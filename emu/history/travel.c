/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Going to a place of the past or ahead: back to the moment before it, then on as the machine went. */
#include "emu/history/internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What a run may do for those who watch it is not done while the past is carried out again. */
struct quiet {
    struct machine_host host;
    const struct cpu_observer *observers[CPU_MAX];
    struct {
        bool held, ri_watch, loops;
        uint8_t stop_at;
    } cpus[CPU_MAX];
    struct cpu *stepping;
};

static bool travel_asked(void *context) { return session_asked(context); }

static bool travel_idle(void *context, uint64_t *us)
{
    const struct session *s = context;
    return events_idle(s->history, us);
}

/* `stops`: breakpoints at interruptions count. */
static void be_quiet(struct history *h, struct quiet *q, bool stops)
{
    struct machine *m = h->machine;
    q->host = m->host;
    q->stepping = m->stepping;
    m->stepping = NULL;
    m->host.output = NULL;
    m->host.message = NULL;
    m->host.poll = NULL;
    m->host.urgent = travel_asked;
    m->host.idle = travel_idle;
    m->host.context = h->session;
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        struct cpu *cpu = m->sys.cpus[i];
        q->observers[i] = cpu->observer;
        q->cpus[i].held = cpu->held;
        q->cpus[i].ri_watch = cpu->ri_watch;
        q->cpus[i].stop_at = cpu->taken.stop_at;
        q->cpus[i].loops = cpu->taken.stop_at_loops;
        cpu->observer = NULL;
        cpu->held = cpu->ri_watch = cpu->taken.stop_at_loops = false;
        if (!stops)
            cpu->taken.stop_at = 0;
    }
    h->travelling = true;
    if (h->tape)
        h->tape->straight = false;
    h->machine->again = true;
    h->session->played_out = false;
}

static void be_loud(struct history *h, const struct quiet *q)
{
    struct machine *m = h->machine;
    m->host = q->host;
    m->stepping = q->stepping;
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        struct cpu *cpu = m->sys.cpus[i];
        cpu->observer = q->observers[i];
        cpu->held = q->cpus[i].held;
        cpu->ri_watch = q->cpus[i].ri_watch;
        cpu->taken.stop_at = q->cpus[i].stop_at;
        cpu->taken.stop_at_loops = q->cpus[i].loops;
        cpu->watched.count = 0;
        cpu->taken.stopped = cpu->taken.loop = false;
    }
    h->travelling = false;
    events_due(h);
    h->door.end(h); /* what is changed here will be known by that */
}

/* One stretch ahead. False: there is no going on; *end says why. */
static bool go_ahead(struct history *h, uint64_t limit, struct machine_result *r, struct history_end *end)
{
    struct machine *m = h->machine;
    for (unsigned i = 0; i < m->sys.cpu_count; i++) {
        m->sys.cpus[i]->watched.count = 0;
        m->sys.cpus[i]->taken.stopped = m->sys.cpus[i]->taken.loop = false;
    }
    *r = machine_go_on(m, limit);
    end->interrupted = session_asked(h->session);
    end->ended = r->end == MACHINE_STOPPED || r->end == MACHINE_POWERED_OFF || r->end == MACHINE_IDLE ||
                 r->end == MACHINE_REFUSED || h->session->played_out;
    h->session->played_out = false;
    return !end->interrupted && !end->ended;
}

static void break_at_first(struct machine *m, const struct cpu *but)
{
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        m->sys.cpus[i]->goes_on = m->sys.cpus[i] != but;
}

/* Ahead until so many instructions were carried out, whatever a run may stop at. Who comes there is there, also where
   the guest ends: whether the run told of that depends on where its stretches began, which the host's speed decides. */
static void run_to(struct history *h, uint64_t instructions, struct history_end *end)
{
    struct machine_result r;
    uint64_t now;
    while ((now = machine_instructions(h->machine)) < instructions) {
        for (unsigned i = 0; i < h->machine->sys.cpu_count; i++)
            h->machine->sys.cpus[i]->goes_on = false;
        if (!go_ahead(h, instructions - now, &r, end))
            break;
    }
    end->ended &= machine_instructions(h->machine) < instructions;
}

static int come_to(struct history *h, uint64_t instructions, struct history_end *end, char *error, size_t size)
{
    const uint64_t now = machine_instructions(h->machine);
    const unsigned n = moments_before(h, instructions);
    end->begin = instructions < h->moments[0].instructions;
    if (instructions < now || (n == h->count - 1 && h->moments[n].instructions > now)) {
        int code = moments_return(h, n, error, size);
        if (code)
            return code;
    }
    run_to(h, instructions, end);
    return 0;
}

/* The past is there, up to now. */
static int ready(struct session *s, struct history_end *end, char *error, size_t size)
{
    struct history *h = s->history;
    memset(end, 0, sizeof *end);
    if (!h || !h->count || h->broken) {
        snprintf(error, size,
                 !h || !h->keeps ? "the past is not kept; `history on' begins with that"
                                 : "the past was lost: it begins anew when the "
                                   "machine goes on");
        return -ENOENT;
    }
    int code = history_possible(s, error, size);
    if (code)
        return code;
    h->door.begin(h); /* what was changed here stays here */
    if (!h->broken)
        return 0;
    snprintf(error, size, "the past was lost: the host has no memory");
    return -ENOMEM;
}

int history_goto(struct session *s, uint64_t instruction, struct history_end *end, char *error, size_t size)
{
    struct quiet q;
    int code = ready(s, end, error, size);
    if (code)
        return code;
    be_quiet(s->history, &q, false);
    code = come_to(s->history, instruction, end, error, size);
    be_loud(s->history, &q);
    return code;
}

int history_to_begin(struct session *s, char *error, size_t size)
{
    struct quiet q;
    be_quiet(s->history, &q, false);
    const int code = moments_return(s->history, 0, error, size);
    events_forget_future(s->history);
    be_loud(s->history, &q);
    return code;
}

int history_goto_time(struct session *s, uint64_t time, struct history_end *end, char *error, size_t size)
{
    struct quiet q;
    struct machine_result r;
    int code = ready(s, end, error, size);
    struct history *h = s->history;
    if (code)
        return code;
    unsigned n = h->count - 1;
    while (n && h->moments[n].time > time)
        n--;
    end->begin = time < h->moments[0].time;
    be_quiet(h, &q, false);
    if (history_clock(h) > time)
        code = moments_return(h, n, error, size);
    while (!code && history_clock(h) < time) {
        /* an instruction takes at most so many cycles, but for one with much work */
        const uint64_t cycles = (time - history_clock(h)) * cpu_mhz(&h->machine->sys) / CPU_TOD_MICROSECOND;
        for (unsigned i = 0; i < h->machine->sys.cpu_count; i++)
            h->machine->sys.cpus[i]->goes_on = false;
        if (!go_ahead(h, cycles / CPU_CYCLES_MOST + 1, &r, end))
            break;
    }
    end->ended &= history_clock(h) < time;
    be_loud(h, &q);
    return code;
}

/* Ahead until this CPU has carried out so many. */
static void run_cpu_to(struct history *h, const struct cpu *cpu, uint64_t instructions, struct history_end *end)
{
    struct machine_result r;
    while (cpu_instructions(cpu) < instructions) {
        for (unsigned i = 0; i < h->machine->sys.cpu_count; i++)
            h->machine->sys.cpus[i]->goes_on = false;
        if (!go_ahead(h, instructions - cpu_instructions(cpu), &r, end))
            break;
    }
    end->ended &= cpu_instructions(cpu) < instructions;
}

int history_back(struct session *s, struct cpu *cpu, uint64_t count, struct history_end *end, char *error, size_t size)
{
    struct quiet q;
    int code = ready(s, end, error, size);
    struct history *h = s->history;
    if (code)
        return code;
    const uint64_t now = cpu_instructions(cpu), to = count > now ? 0 : now - count;
    unsigned n = h->count - 1;
    while (n && h->moments[n].each[cpu->address] > to)
        n--;
    end->begin = count > now || h->moments[n].each[cpu->address] > to;
    be_quiet(h, &q, false);
    code = moments_return(h, n, error, size);
    if (!code)
        run_cpu_to(h, cpu, to, end);
    be_loud(h, &q);
    return code;
}

int history_again(struct session *s, struct cpu *cpu, uint64_t count, const struct cpu_observer *observer,
                  struct history_end *end, char *error, size_t size)
{
    struct quiet q;
    int code = ready(s, end, error, size);
    struct history *h = s->history;
    if (code)
        return code;
    const uint64_t now = machine_instructions(h->machine);
    if (h->count > 1 && h->moments[h->count - 1].changed && h->moments[h->count - 1].instructions == now) {
        snprintf(error, size, "something was changed here, and would be lost; go on first");
        return -EBUSY;
    }
    be_quiet(h, &q, false);
    code = come_to(h, count < now ? now - count : 0, end, error, size);
    const bool begin = end->begin;
    if (!code && begin)
        code = come_to(h, h->moments[0].instructions, end, error, size);
    end->begin = begin;
    cpu->observer = observer;
    if (!code)
        run_to(h, now, end);
    be_loud(h, &q);
    return code;
}

/* ---- searching ----------------------------------------------------------------------------------------------------
 */

/* A stop that was found: where, and what a run would tell there. */
struct found {
    bool any;
    uint64_t place;
    struct history_end end;
};

/* A run has stopped: a place before `now` counts. */
static void note(const struct history *h, const struct history_search *search, const struct machine_result *r,
                 uint64_t now, struct found *f)
{
    const bool watched = r->cpu && r->cpu->watched.count;
    const uint64_t here = machine_instructions(h->machine), place = watched && here ? here - 1 : here;
    if (!r->cpu || (r->end != MACHINE_BREAK && r->end != MACHINE_REQUEST) || place >= now ||
        !search->meant(search->context, r))
        return;
    *f = (struct found){.any = true,
                        .place = place,
                        .end = {.cpu = r->cpu,
                                .why = r->end,
                                .watched = r->cpu->watched,
                                .class = r->cpu->taken.class,
                                .code = r->cpu->taken.code}};
}

/* What lies between moment n and place `to` is looked through. */
static int look_through(struct history *h, const struct history_search *search, unsigned n, uint64_t to, uint64_t now,
                        struct found *f, struct history_end *end, char *error, size_t size)
{
    struct machine_result r;
    const struct cpu *but = NULL;
    uint64_t here;
    int code = moments_return(h, n, error, size);
    while (!code && (here = machine_instructions(h->machine)) < to) {
        break_at_first(h->machine, but);
        if (!go_ahead(h, to - here, &r, end))
            break;
        note(h, search, &r, now, f);
        but = r.end == MACHINE_BREAK ? r.cpu : NULL;
    }
    return code;
}

int history_search(struct session *s, const struct history_search *search, struct history_end *end, char *error,
                   size_t size)
{
    struct quiet q;
    struct found found = {0};
    int code = ready(s, end, error, size);
    struct history *h = s->history;
    if (code)
        return code;
    const uint64_t now = machine_instructions(h->machine);
    uint64_t to = now;
    be_quiet(h, &q, true);
    for (unsigned n = h->count; n-- > 0 && !found.any && !code && !end->interrupted;) {
        if (h->moments[n].instructions >= to)
            continue;
        const uint64_t from = h->moments[n].instructions;
        code = look_through(h, search, n, to, now, &found, end, error, size);
        to = from;
    }
    be_loud(h, &q);
    if (code || end->interrupted)
        return code;
    *end = found.end;
    end->begin = !found.any;
    be_quiet(h, &q, false);
    struct history_end way = {0};
    code = come_to(h, found.any ? found.place : h->moments[0].instructions, &way, error, size);
    be_loud(h, &q);
    end->interrupted = way.interrupted;
    return code;
}
