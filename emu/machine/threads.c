/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every CPU in a host thread of its own. A CPU thread runs guest code in short slices. Whatever changes what belongs to
   all (translations, storage keys, decoded code, devices, other CPUs, the taking of interruptions) is done by a thread
   that is alone: it holds the lock, and no other is inside a slice. All CPUs then stand between two instructions, so
   nothing else in the machine needs a lock. A CPU that has nothing to do sleeps until its own timers or somebody else
   wakes it. */
#define _GNU_SOURCE /* syscall */
#include "emu/machine/threads.h"
#include "cpu/control/interrupt.h"
#include "cpu/control/transaction.h"
#include "cpu/engine/engine.h"
#include "cpu/state/timing.h"
#include "emu/dev/css/css.h"
#include <linux/futex.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
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

struct threads;

struct worker {
    struct threads *all;
    struct cpu *cpu;
    pthread_t thread;
    enum engine_end end; /* of the last slice */
    unsigned idle;       /* atomic, and what it sleeps on: not zero until its CPU has something to do */
    uint64_t owes;       /* workers, by their index, that it gave something to do and has not woken yet */
    bool ends;           /* its last slice ended the run, for the operator */
    bool stepped;        /* its last slice was the instruction that the operator wanted to be carried out */
    bool halted;         /* nothing but the operator or another CPU gives it something to do again */
    uint64_t sleep_ns;   /* until its own timers have something for it; UINT64_MAX when they are not going to */
    uint64_t spin_ns;    /* it looks for so long for something to do before it sleeps */
    uint64_t nap_ns;     /* how long it sleeps when the guest waits in a loop once more */
    unsigned slice;      /* instructions of the next slice */
    uint64_t done;       /* instructions */
};

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
    bool stop;
    bool spins;        /* the host has more than one CPU */
    uint64_t clock_ns; /* host time up to which the machine's time was advanced */
    unsigned count;
    struct worker workers[CPU_MAX];
};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * NS_PER_SECOND + (uint64_t)t.tv_nsec;
}

/* ---- waiting --------------------------------------------------------------------------------------------------- */

static unsigned atomic_get(const unsigned *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
static bool stops(const struct threads *t) { return __atomic_load_n(&t->stop, __ATOMIC_SEQ_CST); }
static bool sleeps(const struct worker *w) { return atomic_get(&w->idle) != 0; }

/* Look at a word for a short while, until it is zero. */
static void spin_until_zero(const struct threads *t, const unsigned *word)
{
    const uint64_t until = t->spins ? now_ns() + SPIN_NS : 0;
    while (t->spins && atomic_get(word) && now_ns() < until)
        ;
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

static void rouse(struct worker *w) { syscall(SYS_futex, &w->idle, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }

static void awaken(struct worker *w)
{
    if (__atomic_exchange_n(&w->idle, 0, __ATOMIC_SEQ_CST))
        rouse(w);
}

/* While alone: no CPU that sleeps changes. */
static void wake_ready(struct threads *t)
{
    for (unsigned i = 0; i < t->count; i++)
        if (sleeps(&t->workers[i]) && !t->workers[i].ends && ready(t->workers[i].cpu))
            awaken(&t->workers[i]);
}

static struct worker *worker_of(struct threads *t, const struct cpu *cpu)
{
    for (unsigned i = 0; i < t->count; i++)
        if (t->workers[i].cpu == cpu)
            return &t->workers[i];
    return NULL;
}

/* Another CPU, which runs, has told this one something. Who tells holds a lock of the guest's as a rule, which the
   other one wants first of all, and a thread that is woken may take the host's CPU from the one that woke it. So a
   thread that only looks still sees it at once, but one that sleeps is woken behind the slice. */
static void wake(struct machine *m, struct cpu *by, struct cpu *cpu)
{
    struct threads *t = m->threads;
    if (m->sys.alone)
        return; /* leave_alone() looks at all */
    struct worker *from = worker_of(t, by), *to = worker_of(t, cpu);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (from && to && sleeps(to) && __atomic_exchange_n(&to->idle, 0, __ATOMIC_SEQ_CST))
        from->owes |= UINT64_C(1) << (to - t->workers);
}

static void wake_owed(struct worker *w)
{
    for (; w->owes; w->owes &= w->owes - 1)
        rouse(&w->all->workers[__builtin_ctzll(w->owes)]);
}

/* For SENSE RUNNING STATUS: its PSW is not to be looked at while it runs. */
static bool stands_still(struct machine *m, struct cpu *cpu)
{
    const struct threads *t = m->threads;
    for (unsigned i = 0; i < t->count; i++)
        if (t->workers[i].cpu == cpu)
            return sleeps(&t->workers[i]);
    return true;
}

static void leave_alone(struct threads *t)
{
    wake_ready(t);
    t->machine->sys.alone = false;
    if (__atomic_sub_fetch(&t->machine->sys.want_alone, 1, __ATOMIC_SEQ_CST) == 0)
        pthread_cond_broadcast(&t->go);
    else
        pthread_cond_broadcast(&t->safe);
}

static bool all_idle(const struct threads *t)
{
    for (unsigned i = 0; i < t->count; i++)
        if (!sleeps(&t->workers[i]))
            return false;
    return true;
}

/* ---- a CPU ----------------------------------------------------------------------------------------------------- */

static void count(struct worker *w, uint64_t done) { __atomic_fetch_add(&w->done, done, __ATOMIC_RELAXED); }

/* Still inside the slice, or alone: a CPU without work says so, and then looks whether somebody has just brought some.
 */
static void fall_asleep(struct worker *w)
{
    w->ends = engine_ends_all(w->cpu, w->end) || w->stepped;
    if (!w->ends && w->end == ENGINE_SPINS) { /* it has something to do, and who leaves the others' way wakes it */
        w->sleep_ns = w->nap_ns;
        w->nap_ns = w->nap_ns < NAP_MOST_NS ? 2 * w->nap_ns : NAP_MOST_NS;
        __atomic_store_n(&w->idle, 1, __ATOMIC_SEQ_CST);
        return;
    }
    if (w->end != ENGINE_ALONE)
        w->nap_ns = NAP_NS;
    if (!w->ends && w->end != ENGINE_WAIT && w->end != ENGINE_STOPPED)
        return;
    const int64_t units = w->end == ENGINE_WAIT ? cpu_next_timer_units(w->cpu) : INT64_MAX;
    w->halted = w->ends || w->end == ENGINE_STOPPED || machine_disabled_wait(w->cpu);
    w->sleep_ns = units == INT64_MAX ? UINT64_MAX : ((uint64_t)units / CPU_TOD_MICROSECOND + 1) * NS_PER_US;
    __atomic_store_n(&w->idle, 1, __ATOMIC_SEQ_CST);
    if (!w->ends && ready(w->cpu))
        __atomic_store_n(&w->idle, 0, __ATOMIC_SEQ_CST);
}

/* The instruction or interruption for which the CPU must be alone; a transaction up to its end. */
static void run_alone(struct worker *w)
{
    uint64_t done, total = 0;
    pthread_mutex_lock(&w->all->lock);
    while (!w->all->stop && now_ns() >= w->all->look_ns) /* a lock is not fair: who releases it has it again at once */
        pthread_cond_wait(&w->all->seen, &w->all->lock);
    become_alone(w->all);
    w->end = ENGINE_BUDGET;
    if (!w->all->stop) {
        do {
            w->end = engine_run(w->cpu, 1, &done);
            total += done;
        } while (cpu_tx_active(w->cpu) && w->end == ENGINE_BUDGET && total < TRANSACTION);
        count(w, total);
        w->stepped = total && w->cpu == w->all->machine->stepping;
        w->all->machine->diagnose.yielded = false;
        fall_asleep(w);
    }
    leave_alone(w->all);
    pthread_mutex_unlock(&w->all->lock);
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
            while (others_wait(t) && !t->stop)
                pthread_cond_wait(&t->go, &t->lock);
            pthread_mutex_unlock(&t->lock);
        }
        if (stops(t))
            return false;
    }
}

/* Slices are short while others wait for their ends often. */
static void run_slices(struct worker *w)
{
    struct threads *t = w->all;
    uint64_t done;
    bool waited;
    const bool steps = w->cpu == t->machine->stepping;
    if (!enter_slices(t))
        return;
    do {
        w->end = engine_run(w->cpu, steps ? 1 : w->slice, &done);
        count(w, done);
        wake_owed(w);
        w->stepped = steps && done;
        waited = others_wait(t);
        w->slice = waited ? w->slice / 2 : w->slice + w->slice / 16;
        w->slice = w->slice < SLICE_LEAST ? SLICE_LEAST : w->slice > SLICE_MOST ? SLICE_MOST : w->slice;
    } while (w->end == ENGINE_BUDGET && !waited && !w->stepped);
    fall_asleep(w);
    leave_slices(t);
}

/* Whoever looks after the host is to do so now: a run has ended, a CPU has stopped, a device waits for its time. */
static void call_for_look(struct threads *t)
{
    pthread_mutex_lock(&t->lock);
    pthread_cond_signal(&t->tick);
    pthread_mutex_unlock(&t->lock);
}

/* Until somebody brings work or the time is over. */
static void sleep_until_awake(struct worker *w, uint64_t start_ns)
{
    while ((sleeps(w) || w->ends) && !stops(w->all)) {
        if (w->ends) { /* whoever woke it does not know that */
            __atomic_store_n(&w->idle, 1, __ATOMIC_SEQ_CST);
            if (stops(w->all)) /* it was the last time, and this has undone it: nobody will wake it again */
                return;
        }
        const uint64_t passed = now_ns() - start_ns, left = passed < w->sleep_ns ? w->sleep_ns - passed : 0;
        const bool timed = w->sleep_ns != UINT64_MAX;
        struct timespec time = {.tv_sec = (time_t)(left / NS_PER_SECOND), .tv_nsec = (long)(left % NS_PER_SECOND)};
        if (timed && !left)
            __atomic_store_n(&w->idle, 0, __ATOMIC_SEQ_CST);
        else
            syscall(SYS_futex, &w->idle, FUTEX_WAIT_PRIVATE, 1, timed ? &time : NULL, NULL, 0);
    }
}

/* Nothing to do until something comes; a run that ended for the operator waits for him. Before a CPU sleeps it looks
   for a short while, which is worth it when it would not have slept longer than that. */
static void wait_for_work(struct worker *w)
{
    struct threads *t = w->all;
    const uint64_t start = now_ns(), most = w->spin_ns < w->sleep_ns ? w->spin_ns : w->sleep_ns;
    const bool event = __atomic_load_n(&t->machine->sys.event_at, __ATOMIC_RELAXED);
    if (w->ends || (all_idle(t) && (w->halted || event)))
        call_for_look(t);
    while (t->spins && sleeps(w) && !stops(t) && now_ns() - start < most)
        ;
    sleep_until_awake(w, start);
    const bool brief = now_ns() - start < SPIN_NS;
    w->spin_ns = !brief ? w->spin_ns / 2 : w->spin_ns < SPIN_NS / 2 ? 2 * w->spin_ns + SPIN_NS / 16 : SPIN_NS;
    if (!stops(t))
        w->end = ENGINE_BUDGET;
}

/* The guest waits for another CPU, which may have no CPU of the host: it is not to be kept from one. */
static void nap(struct worker *w)
{
    sleep_until_awake(w, now_ns());
    w->end = ENGINE_BUDGET;
}

/* The thread of a CPU. */
static void *work(void *context)
{
    struct worker *w = context;
    prctl(PR_SET_TIMERSLACK, (unsigned long)LATE_NS); /* a host that cannot do it is late */
    pthread_mutex_lock(&w->all->lock);                /* until all are there */
    pthread_mutex_unlock(&w->all->lock);
    while (!stops(w->all)) {
        if (w->end == ENGINE_WAIT || w->end == ENGINE_STOPPED || w->ends)
            wait_for_work(w);
        else if (w->end == ENGINE_SPINS)
            nap(w);
        else if (w->end == ENGINE_ALONE)
            run_alone(w);
        else
            run_slices(w);
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
    for (unsigned i = 0; i < t->count; i++) {
        uint64_t own = cpu_now(t->workers[i].cpu) - sys->now;
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
    for (unsigned i = 0; i < t->count; i++) {
        const struct cpu *cpu = t->workers[i].cpu;
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
    for (unsigned i = 0; i < t->count; i++) {
        struct worker *w = &t->workers[i];
        result->instructions += __atomic_load_n(&w->done, __ATOMIC_RELAXED);
        if (sleeps(w) && w->ends) {
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
        wake_ready(t);
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
    clock_gettime(CLOCK_REALTIME, &until);
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
        __atomic_store_n(&t->stop, look_after(t, limit, result), __ATOMIC_SEQ_CST);
        t->look_ns = now_ns() + LOOK_NS;
        leave_alone(t);
        pthread_cond_broadcast(&t->seen);
        if (t->stop)
            break;
        if (!t->slept)
            wait_tick(t);
    }
    for (unsigned i = 0; i < t->count; i++)
        awaken(&t->workers[i]);
    pthread_cond_broadcast(&t->go);
}

/* The run ended for another CPU's breakpoint: this one stands at one as well, whether it had looked at it or not. */
static void untold(const struct worker *w, const struct cpu *told)
{
    const struct cpu *cpu = w->cpu;
    if (cpu != told && cpu->state == CPU_STATE_OPERATING && engine_break_at(cpu, cpu->psw.ia) &&
        (cpu->goes_on || w->end == ENGINE_BREAK))
        w->all->machine->untold |= UINT64_C(1) << cpu->address;
}

struct machine_result machine_run_threads(struct machine *m, uint64_t limit)
{
    struct threads t = {.machine = m,
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .safe = PTHREAD_COND_INITIALIZER,
                        .go = PTHREAD_COND_INITIALIZER,
                        .tick = PTHREAD_COND_INITIALIZER,
                        .seen = PTHREAD_COND_INITIALIZER,
                        .look_ns = now_ns() + LOOK_NS,
                        .spins = sysconf(_SC_NPROCESSORS_ONLN) > 1,
                        .clock_ns = now_ns()};
    struct machine_result result = {.end = MACHINE_LIMIT};
    machine_rotate(m);
    m->untold = 0;
    m->sys.alone = false;
    m->threads = &t;
    m->wake = wake;
    m->sleeps = stands_still;
    pthread_mutex_lock(&t.lock);
    for (; t.count < m->sys.cpu_count; t.count++) {
        struct worker *w = &t.workers[t.count];
        *w = (struct worker){.all = &t,
                             .cpu = m->sys.cpus[t.count],
                             .end = ENGINE_BUDGET,
                             .spin_ns = SPIN_NS,
                             .nap_ns = NAP_NS,
                             .slice = SLICE_MOST};
        if (pthread_create(&w->thread, NULL, work, w)) {
            if (m->host.message)
                m->host.message(m->host.context, "the host does not give a thread to every CPU; raise its limit "
                                                 "(ulimit -u), or take fewer CPUs, or leave --threads out");
            result.end = MACHINE_REFUSED;
            t.stop = true;
            break;
        }
    }
    if (!t.stop)
        supervise(&t, limit, &result);
    pthread_mutex_unlock(&t.lock);
    result.instructions = 0;
    for (unsigned i = 0; i < t.count; i++) {
        pthread_join(t.workers[i].thread, NULL);
        result.instructions += t.workers[i].done;
        untold(&t.workers[i], result.cpu);
    }
    m->sys.alone = true;
    m->wake = NULL;
    m->sleeps = NULL;
    m->threads = NULL;
    machine_rotate(m);
    return result;
}
