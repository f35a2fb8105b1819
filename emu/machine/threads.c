/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPUs in host threads, as many threads as CPUs. A thread runs guest code in short slices. Whatever changes what
   belongs to all (translations, storage keys, decoded code, devices, other CPUs, the taking of interruptions) is done
   by a thread that is alone: it holds the lock, and no other is inside a slice. All CPUs then stand between two
   instructions, so nothing else in the machine needs a lock. A CPU that has nothing to do waits until its own timers or
   somebody else wakes it: carrier.h says which thread carries which CPU. */
#include "emu/machine/threads.h"
#include "cpu/control/interrupt.h"
#include "cpu/control/transaction.h"
#include "cpu/engine/engine.h"
#include "cpu/state/timing.h"
#include "emu/dev/css/css.h"
#include "emu/machine/carrier.h"
#include <pthread.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define SLICE_MOST    16000u    /* instructions between two looks at what the others want ... */
#define SLICE_LEAST   1000u     /* ... and while they want something all the time */
#define TRANSACTION   10000u    /* instructions of a transaction before the others have a turn */
#define SPIN_NS       30000u    /* a wait of this length is not worth a system call, where the host has CPUs to spare */
#define TICK_NS       8000000u  /* the host is looked at this often: all CPUs stand still for it ... */
#define TICK_POLLS_NS 2000000u  /* ... and while it may have something for a device (a network) */
#define LOOK_NS       10000000u /* and at the latest, however much the CPUs want to be alone */
#define NAP_NS        10000u    /* first sleep of a CPU that waits for another one in a loop of the guest's ... */
#define NAP_MOST_NS   320000u   /* ... and the longest, when its owner has no host CPU for long */
#define LONGEST_US    10000u    /* longest sleep without a look, when nothing else ends it */
#define LATE_NS       1000u     /* the host may wake a CPU so much after its timers; of itself it takes 50,000 */
#define SOON_US       2000u     /* for an event that comes sooner the host is not looked at; CPUs sleep by themselves */
#define NS_PER_US     1000u
#define NS_PER_SECOND 1000000000u

/* Who wants to be alone raises `want_alone` and waits until `running` is zero; who wants to run raises `running` and
   looks whether `want_alone` is zero. Both are atomic, so that the one and the other need no lock unless they have to
   sleep. */
struct threads {
    struct machine *machine;
    pthread_mutex_t lock; /* held while alone */
    pthread_cond_t safe;  /* nobody runs any more */
    pthread_cond_t go;    /* nobody wants to be alone any more */
    pthread_cond_t tick;  /* wakes the thread that looks after the host */
    pthread_cond_t seen;  /* it has looked */
    uint64_t look_ns;     /* host time from which on it goes first */
    unsigned running;     /* threads inside a slice */
    bool sleeping;        /* one of those sleeps until `safe` */
    bool slept;           /* whoever looks after the host slept meanwhile */
    uint64_t clock_ns;    /* host time up to which the machine's time was advanced */
    struct carriers all;
};

static uint64_t now_ns(void) { return carrier_now_ns(); }

static struct threads *threads_of(struct carrier *c)
{
    return (struct threads *)(void *)((uint8_t *)c->all - offsetof(struct threads, all));
}

/* ---- waiting --------------------------------------------------------------------------------------------------- */

static unsigned atomic_get(const unsigned *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
static bool stops(const struct threads *t) { return __atomic_load_n(&t->all.stop, __ATOMIC_SEQ_CST); }

/* Look at a word for a short while, until it is zero. */
static void spin_until_zero(const struct threads *t, const unsigned *word)
{
    const uint64_t until = t->all.look ? now_ns() + SPIN_NS : 0;
    while (t->all.look && atomic_get(word) && now_ns() < until)
        carrier_pause();
}

/* ---- being alone ----------------------------------------------------------------------------------------------- */

static bool others_wait(const struct threads *t) { return atomic_get(&t->machine->sys.want_alone) != 0; }

/* With the lock held. Behind it all other threads are outside their slices until leave_alone(). */
static void become_alone(struct threads *t)
{
    __atomic_fetch_add(&t->machine->sys.want_alone, 1, __ATOMIC_SEQ_CST);
    spin_until_zero(t, &t->running);
    while (atomic_get(&t->running)) {
        __atomic_store_n(&t->sleeping, true, __ATOMIC_SEQ_CST);
        if (atomic_get(&t->running))
            pthread_cond_wait(&t->safe, &t->lock);
    }
    __atomic_store_n(&t->sleeping, false, __ATOMIC_SEQ_CST);
    t->machine->sys.alone = true;
}

/* A CPU that sleeps has something to do. */
static bool ready(struct cpu *cpu)
{
    return cpu->state == CPU_STATE_OPERATING && !cpu->held &&
           (cpu->stop_pending || !(cpu->psw.mask & PSW_WAIT) || cpu_interruption_pending(cpu));
}

/* While alone: CPUs with nothing to do do not change. `c` (may be NULL) rouses their threads later. */
static void wake_ready(struct threads *t, struct carrier *c)
{
    for (unsigned i = 0; i < t->all.count; i++) {
        struct worker *w = &t->all.workers[i];
        if (!worker_idles(w) || !ready(w->cpu) || !worker_call(&t->all, w))
            continue;
        if (c)
            c->owes |= UINT64_C(1) << i;
        else
            carrier_rouse(&t->all, w);
    }
}

static struct worker *worker_of(struct threads *t, const struct cpu *cpu)
{
    for (unsigned i = 0; i < t->all.count; i++)
        if (t->all.workers[i].cpu == cpu)
            return &t->all.workers[i];
    return NULL;
}

/* Another CPU, which runs, has told this one something. Who tells holds a lock of the guest's as a rule, which the
   other one wants first of all, and a thread that is woken may take the host's CPU from the one that woke it; or has
   nothing more to do, and its thread can go on with the other one. So one that sleeps is woken behind the slice. */
static void wake(struct machine *m, struct cpu *by, struct cpu *cpu)
{
    struct threads *t = m->threads;
    if (m->sys.alone)
        return; /* leave_alone() looks at all */
    struct worker *from = worker_of(t, by), *to = worker_of(t, cpu);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (from && to && worker_call(&t->all, to))
        worker_carrier(&t->all, from)->owes |= UINT64_C(1) << (to - t->all.workers);
}

/* For SENSE RUNNING STATUS: its PSW is not to be looked at while it runs. */
static bool stands_still(struct machine *m, struct cpu *cpu)
{
    const struct worker *w = worker_of(m->threads, cpu);
    return !w || worker_idles(w);
}

static void leave_alone(struct threads *t, struct carrier *c)
{
    wake_ready(t, c);
    t->machine->sys.alone = false;
    if (__atomic_sub_fetch(&t->machine->sys.want_alone, 1, __ATOMIC_SEQ_CST) == 0)
        pthread_cond_broadcast(&t->go);
    else
        pthread_cond_broadcast(&t->safe);
}

static bool all_idle(const struct threads *t)
{
    for (unsigned i = 0; i < t->all.count; i++) {
        const struct worker *w = &t->all.workers[i];
        if (!worker_idles(w) && !worker_ended(w))
            return false;
    }
    return true;
}

/* ---- a CPU ----------------------------------------------------------------------------------------------------- */

static void count(struct worker *w, uint64_t done) { __atomic_fetch_add(&w->done, done, __ATOMIC_RELAXED); }

/* Still inside the slice, or alone: a CPU without work says so, and then looks whether somebody has just brought some.
   True: it goes on; else it is no longer carried. */
static bool goes_on(struct carrier *c, struct worker *w)
{
    c->ended = engine_ends_all(w->cpu, w->end) || w->stepped;
    c->halted = c->naps = false;
    if (c->ended) {
        worker_end(w);
        return false;
    }
    if (w->end == ENGINE_SPINS) { /* it has something to do, and who leaves the others' way wakes it */
        const uint64_t nap = w->nap_ns;
        w->nap_ns = nap < NAP_MOST_NS ? 2 * nap : NAP_MOST_NS;
        c->naps = true;
        worker_rest(w, now_ns() + nap);
        return false;
    }
    if (w->end != ENGINE_ALONE)
        w->nap_ns = NAP_NS;
    if (w->end != ENGINE_WAIT && w->end != ENGINE_STOPPED)
        return true;
    c->halted = w->end == ENGINE_STOPPED || machine_disabled_wait(w->cpu);
    const int64_t units = w->end == ENGINE_WAIT ? cpu_next_timer_units(w->cpu) : INT64_MAX;
    const uint64_t us = (uint64_t)units / CPU_TOD_MICROSECOND + 1;
    worker_is_about_to_rest(w, units == INT64_MAX ? UINT64_MAX : now_ns() + us * NS_PER_US);
    return !worker_rests(w, ready(w->cpu));
}

/* The instruction or interruption for which the CPU must be alone; a transaction up to its end. Returns goes_on(). */
static bool run_alone(struct carrier *c, struct worker *w)
{
    struct threads *t = threads_of(c);
    uint64_t done, total = 0;
    bool on = true;
    pthread_mutex_lock(&t->lock);
    while (!stops(t) && now_ns() >= t->look_ns) /* a lock is not fair: who releases it has it again at once */
        pthread_cond_wait(&t->seen, &t->lock);
    become_alone(t);
    w->end = ENGINE_BUDGET;
    if (!stops(t)) {
        do {
            w->end = engine_run(w->cpu, 1, &done);
            total += done;
        } while (cpu_tx_active(w->cpu) && w->end == ENGINE_BUDGET && total < TRANSACTION);
        count(w, total);
        w->stepped = total && w->cpu == t->machine->stepping;
        t->machine->diagnose.yielded = false;
        on = goes_on(c, w);
    }
    leave_alone(t, c);
    pthread_mutex_unlock(&t->lock);
    return on;
}

static void leave_slices(struct threads *t)
{
    if (__atomic_sub_fetch(&t->running, 1, __ATOMIC_SEQ_CST) || !__atomic_load_n(&t->sleeping, __ATOMIC_SEQ_CST))
        return;
    pthread_mutex_lock(&t->lock);
    pthread_cond_broadcast(&t->safe);
    pthread_mutex_unlock(&t->lock);
}

/* To be inside a slice. False: the run is over. */
static bool enter_slices(struct threads *t)
{
    for (;;) {
        __atomic_fetch_add(&t->running, 1, __ATOMIC_SEQ_CST);
        if (!others_wait(t) && !stops(t)) /* who stops the run was alone: either word says it */
            return true;
        leave_slices(t);
        spin_until_zero(t, &t->machine->sys.want_alone);
        if (others_wait(t)) {
            pthread_mutex_lock(&t->lock);
            while (others_wait(t) && !stops(t))
                pthread_cond_wait(&t->go, &t->lock);
            pthread_mutex_unlock(&t->lock);
        }
        if (stops(t))
            return false;
    }
}

/* Slices are short while others wait for their ends often. Returns goes_on(). */
static bool run_slices(struct carrier *c, struct worker *w)
{
    struct threads *t = threads_of(c);
    uint64_t done;
    bool waited;
    const bool steps = w->cpu == t->machine->stepping;
    if (!enter_slices(t))
        return true;
    do {
        carrier_pay(c);
        w->end = engine_run(w->cpu, steps ? 1 : w->slice, &done);
        count(w, done);
        w->stepped = steps && done;
        waited = others_wait(t);
        w->slice = waited ? w->slice / 2 : w->slice + w->slice / 16;
        w->slice = w->slice < SLICE_LEAST ? SLICE_LEAST : w->slice > SLICE_MOST ? SLICE_MOST : w->slice;
    } while (w->end == ENGINE_BUDGET && !waited && !w->stepped);
    const bool on = goes_on(c, w);
    if (on)
        carrier_pay(c);
    leave_slices(t);
    return on;
}

/* Whoever looks after the host is to do so now: a run has ended, a CPU has stopped, a device waits for its time. */
static void call_for_look(struct threads *t)
{
    pthread_mutex_lock(&t->lock);
    pthread_cond_signal(&t->tick);
    pthread_mutex_unlock(&t->lock);
}

/* The thread of a CPU. */
static void *work(void *context)
{
    struct carrier *c = context;
    struct threads *t = threads_of(c);
    prctl(PR_SET_TIMERSLACK, (unsigned long)LATE_NS); /* a host that cannot do it is late */
    pthread_mutex_lock(&t->lock);                     /* until all are there */
    pthread_mutex_unlock(&t->lock);
    while (!stops(t)) {
        struct worker *w = c->worker;
        if (w->end == ENGINE_ALONE ? run_alone(c, w) : run_slices(c, w))
            continue;
        if (c->ended || (all_idle(t) && (c->halted || __atomic_load_n(&t->machine->sys.event_at, __ATOMIC_RELAXED))))
            call_for_look(t);
        if (!carrier_wait(c, !c->naps))
            break;
    }
    return NULL;
}

/* ---- the host -------------------------------------------------------------------------------------------------- */

/* The machine's time follows the host's, but never goes back for a CPU. */
static void advance(struct threads *t)
{
    struct cpu_system *sys = &t->machine->sys;
    uint64_t now = now_ns(), units = (now - t->clock_ns) / NS_PER_US * CPU_TOD_MICROSECOND;
    t->clock_ns = now;
    for (unsigned i = 0; i < t->all.count; i++) {
        uint64_t own = cpu_now(t->all.workers[i].cpu) - sys->now;
        if (own > units)
            units = own;
    }
    engine_skip(sys, units);
    if (sys->event_at && sys->event_at <= sys->now)
        sys->callouts->event(sys->machine, sys->now);
}

/* Every CPU sleeps, the lock is held. False: nothing can come any more. */
static bool idle(struct threads *t)
{
    struct machine *m = t->machine;
    const int64_t event = machine_next_event(m);
    uint64_t us = event == INT64_MAX ? UINT64_MAX : (uint64_t)event / CPU_TOD_MICROSECOND + 1, passed = us;
    t->slept = us > SOON_US || m->sys.event_at;
    if (m->sys.event_at) { /* devices do not wait for the host's clock */
        if (m->sys.event_at > m->sys.now)
            engine_skip(&m->sys, m->sys.event_at - m->sys.now);
        return true;
    }
    if (!t->slept)
        return true;
    if (m->host.idle && m->host.idle(m->host.context, &passed))
        return true;
    if (us == UINT64_MAX)
        return false;
    us = us > LONGEST_US ? LONGEST_US : us;
    nanosleep(&(struct timespec){.tv_nsec = (long)(us * NS_PER_US)}, NULL);
    return true;
}

static bool alive(const struct threads *t)
{
    for (unsigned i = 0; i < t->all.count; i++) {
        const struct cpu *cpu = t->all.workers[i].cpu;
        if (cpu->state == CPU_STATE_OPERATING && !machine_disabled_wait(cpu))
            return true;
    }
    return false;
}

/* Look after host, clock and devices, alone. Returns true when the run is over. */
static bool look_after(struct threads *t, uint64_t limit, struct machine_result *result)
{
    struct machine *m = t->machine;
    advance(t);
    diagnose_watch(m);
    result->instructions = 0;
    for (unsigned i = 0; i < t->all.count; i++) {
        struct worker *w = &t->all.workers[i];
        result->instructions += __atomic_load_n(&w->done, __ATOMIC_RELAXED);
        if (worker_ended(w)) {
            result->end = w->end == ENGINE_BREAK ? MACHINE_BREAK : w->stepped ? MACHINE_STEPPED : MACHINE_REQUEST;
            result->cpu = w->cpu;
            return true;
        }
    }
    if (m->host.poll && m->host.poll(m->host.context)) {
        result->end = MACHINE_REQUEST;
        return true;
    }
    if (m->diagnose.load)
        machine_load_again(m);
    if (!alive(t)) {
        machine_end_stopped(m, result);
        return true;
    }
    if (result->instructions >= limit)
        return true;
    if (all_idle(t)) {
        wake_ready(t, NULL);
        if (all_idle(t) && !idle(t)) {
            result->end = MACHINE_IDLE;
            return true;
        }
    }
    return false;
}

static void wait_tick(struct threads *t)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += css_polls(t->machine->css) ? TICK_POLLS_NS : TICK_NS;
    if (until.tv_nsec >= (long)NS_PER_SECOND) {
        until.tv_nsec -= NS_PER_SECOND;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&t->tick, &t->lock, &until);
}

/* With the lock held. */
static void supervise(struct threads *t, uint64_t limit, struct machine_result *result)
{
    for (;;) {
        become_alone(t);
        t->slept = false;
        const bool over = look_after(t, limit, result);
        __atomic_store_n(&t->all.stop, over, __ATOMIC_SEQ_CST);
        t->look_ns = now_ns() + LOOK_NS;
        leave_alone(t, NULL);
        pthread_cond_broadcast(&t->seen);
        if (over)
            break;
        if (!t->slept)
            wait_tick(t);
    }
    carriers_stop(&t->all);
    pthread_cond_broadcast(&t->go);
}

/* The run ended for another CPU's breakpoint: this one stands at one as well, whether it had looked at it or not. */
static void untold(struct machine *m, const struct worker *w, const struct cpu *told)
{
    const struct cpu *cpu = w->cpu;
    if (cpu != told && cpu->state == CPU_STATE_OPERATING && engine_break_at(cpu, cpu->psw.ia) &&
        (cpu->goes_on || w->end == ENGINE_BREAK))
        m->untold |= UINT64_C(1) << cpu->address;
}

/* With the lock held: as many threads as CPUs. False: the host does not give them. */
static bool start(struct threads *t)
{
    for (; t->all.count < t->machine->sys.cpu_count; t->all.count++) {
        const unsigned i = t->all.count;
        struct worker *w = &t->all.workers[i];
        *w = (struct worker){
            .cpu = t->machine->sys.cpus[i], .end = ENGINE_BUDGET, .nap_ns = NAP_NS, .slice = SLICE_MOST};
        carrier_give(&t->all, i);
        if (pthread_create(&t->all.carriers[i].thread, NULL, work, &t->all.carriers[i]))
            return false;
    }
    return true;
}

struct machine_result machine_run_threads(struct machine *m, uint64_t limit)
{
    struct threads t = {.machine = m,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .safe = PTHREAD_COND_INITIALIZER,
                        .go = PTHREAD_COND_INITIALIZER,
                        .seen = PTHREAD_COND_INITIALIZER,
                        .look_ns = now_ns() + LOOK_NS,
                        .clock_ns = now_ns(),
                        .all = {.lock = PTHREAD_MUTEX_INITIALIZER, .look = sysconf(_SC_NPROCESSORS_ONLN) > 1}};
    struct machine_result result = {.end = MACHINE_LIMIT};
    pthread_condattr_t steady; /* whoever sets the host's clock */
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&t.tick, &steady);
    pthread_condattr_destroy(&steady);
    machine_rotate(m);
    m->untold = 0;
    m->sys.alone = false;
    m->threads = &t;
    m->wake = wake;
    m->sleeps = stands_still;
    pthread_mutex_lock(&t.lock);
    if (!start(&t)) {
        if (m->host.message)
            m->host.message(m->host.context, "the host does not give a thread to every CPU; raise its limit "
                                             "(ulimit -u), or take fewer CPUs, or leave --threads out");
        result.end = MACHINE_REFUSED;
        carriers_stop(&t.all);
    } else {
        supervise(&t, limit, &result);
    }
    pthread_mutex_unlock(&t.lock);
    result.instructions = 0;
    for (unsigned i = 0; i < t.all.count; i++)
        pthread_join(t.all.carriers[i].thread, NULL);
    for (unsigned i = 0; i < t.all.count; i++) {
        result.instructions += t.all.workers[i].done;
        untold(m, &t.all.workers[i], result.cpu);
    }
    pthread_cond_destroy(&t.tick);
    m->sys.alone = true;
    m->wake = NULL;
    m->sleeps = NULL;
    m->threads = NULL;
    machine_rotate(m);
    return result;
}
