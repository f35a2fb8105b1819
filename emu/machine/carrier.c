/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who carries which CPU, and how threads sleep. A worker is called without a lock; it is taken, and changes its thread,
   with one. */
#define _GNU_SOURCE /* syscall */
#include "emu/machine/carrier.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOOK_MOST_NS  5000u /* a wait of this length is not worth a system call, where the host has CPUs to spare */
#define NS_PER_SECOND 1000000000u

enum carrier_state {
    RUNS,   /* its thread carries it */
    TIRES,  /* its thread is about to say that it has nothing to do */
    IDLES,  /* it has nothing to do */
    CALLED, /* it has, and waits for its thread, or another one */
    ENDED,  /* it ended the run for the operator, and is carried no more */
};
#define STATES 8u

uint64_t carrier_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * NS_PER_SECOND + (uint64_t)t.tv_nsec;
}

void carrier_pause(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

/* ---- workers ---------------------------------------------------------------------------------------------------- */

static unsigned place_of(const struct worker *w) { return __atomic_load_n(&w->place, __ATOMIC_SEQ_CST); }
static enum carrier_state state_of(const struct worker *w) { return place_of(w) % STATES; }

bool worker_idles(const struct worker *w) { return state_of(w) == IDLES; }
bool worker_ended(const struct worker *w) { return state_of(w) == ENDED; }

/* Its state, by the thread that carries it. */
static void set_state(struct worker *w, enum carrier_state state)
{
    __atomic_store_n(&w->place, place_of(w) / STATES * STATES + state, __ATOMIC_SEQ_CST);
}

/* *place, which was seen, becomes `then`; false: it was another one, and *place is that now. */
static bool change(struct worker *w, unsigned *place, unsigned then)
{
    return __atomic_compare_exchange_n(&w->place, place, then, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void worker_end(struct worker *w)
{
    w->until_ns = UINT64_MAX;
    set_state(w, ENDED);
}

void worker_rest(struct worker *w, uint64_t until_ns)
{
    w->until_ns = until_ns;
    set_state(w, IDLES);
}

void worker_is_about_to_rest(struct worker *w, uint64_t until_ns)
{
    w->until_ns = until_ns;
    set_state(w, TIRES);
}

bool worker_rests(struct worker *w, bool work)
{
    unsigned place = place_of(w);
    if (!work && place % STATES == TIRES && change(w, &place, place - TIRES + IDLES))
        return true;
    set_state(w, RUNS);
    return false;
}

bool worker_call(struct carriers *all, struct worker *w)
{
    unsigned place = place_of(w);
    for (;;) {
        const enum carrier_state state = place % STATES;
        if (state != IDLES && state != TIRES)
            return false;
        if (!change(w, &place, place - state + (state == IDLES ? CALLED : RUNS)))
            continue;
        if (state == TIRES)
            return false; /* its thread sees it */
        __atomic_fetch_or(&all->called, UINT64_C(1) << (w - all->workers), __ATOMIC_SEQ_CST);
        return true;
    }
}

struct carrier *worker_carrier(struct carriers *all, const struct worker *w)
{
    return &all->carriers[place_of(w) / STATES];
}

void carrier_give(struct carriers *all, unsigned i)
{
    all->workers[i].place = i * STATES + RUNS;
    all->carriers[i] =
        (struct carrier){.all = all, .worker = &all->workers[i], .armed_ns = UINT64_MAX, .look_ns = LOOK_MOST_NS};
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

static bool stops(const struct carriers *all) { return __atomic_load_n(&all->stop, __ATOMIC_SEQ_CST); }

static void rouse(struct carrier *c)
{
    __atomic_fetch_add(&c->calls, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&c->sleeps, __ATOMIC_SEQ_CST))
        syscall(SYS_futex, &c->calls, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

void carrier_rouse(struct carriers *all, struct worker *w)
{
    const unsigned place = place_of(w);
    if (place % STATES == CALLED) /* whoever gives it to another thread now rouses that one */
        rouse(&all->carriers[place / STATES]);
}

void carrier_pay(struct carrier *c)
{
    for (; c->owes; c->owes &= c->owes - 1)
        carrier_rouse(c->all, &c->all->workers[__builtin_ctzll(c->owes)]);
}

void carriers_stop(struct carriers *all)
{
    __atomic_store_n(&all->stop, true, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < all->count; i++)
        rouse(&all->carriers[i]);
}

/* With the lock held: the thread's own worker goes on, if it was called or its time has come. */
static bool take_own(struct carrier *c)
{
    struct worker *w = c->worker;
    unsigned place = place_of(w);
    if (place % STATES == ENDED)
        return false;
    if (place % STATES == IDLES && (w->until_ns == UINT64_MAX || carrier_now_ns() < w->until_ns))
        return false;
    while (!change(w, &place, place / STATES * STATES + RUNS)) /* somebody calls it now */
        ;
    __atomic_fetch_and(&c->all->called, ~(UINT64_C(1) << (w - c->all->workers)), __ATOMIC_SEQ_CST);
    return true;
}

/* With the lock held: `c` carries the worker `w` that `other` looked after, and that one looks after what `c` had.
   Returns it when it has to know. */
static struct carrier *exchange(struct carrier *c, struct carrier *other, struct worker *w)
{
    const struct carrier *first = c->all->carriers;
    struct worker *before = c->worker;
    unsigned place = place_of(before);
    __atomic_store_n(&w->place, (unsigned)(c - first) * STATES + RUNS, __ATOMIC_SEQ_CST);
    c->worker = w;
    other->worker = before;
    while (!change(before, &place, (unsigned)(other - first) * STATES + place % STATES)) /* somebody calls it now */
        ;
    return place % STATES == CALLED || before->until_ns < other->armed_ns ? other : NULL;
}

/* With the lock held: another worker was called, and the thread that looks after it has not come yet. *told: see
   exchange(). */
static bool take_other(struct carrier *c, struct carrier **told)
{
    struct carriers *all = c->all;
    uint64_t left = worker_ended(c->worker) ? 0 : __atomic_load_n(&all->called, __ATOMIC_SEQ_CST);
    for (; left; left &= left - 1) {
        struct worker *w = &all->workers[__builtin_ctzll(left)];
        const unsigned place = place_of(w);
        __atomic_fetch_and(&all->called, ~(left & -left), __ATOMIC_SEQ_CST);
        if (place % STATES == CALLED) {
            *told = exchange(c, &all->carriers[place / STATES], w);
            return true;
        }
    }
    return false;
}

/* A worker with something to do. If there is none, the thread may sleep until host time *until, if carrier.calls is
 *still calls then. */
static bool find(struct carrier *c, unsigned *calls, uint64_t *until)
{
    struct carrier *told = NULL;
    pthread_mutex_lock(&c->all->lock);
    *calls = __atomic_load_n(&c->calls, __ATOMIC_SEQ_CST);
    const bool found = take_own(c) || take_other(c, &told);
    *until = c->armed_ns = found ? UINT64_MAX : c->worker->until_ns;
    pthread_mutex_unlock(&c->all->lock);
    if (told)
        rouse(told);
    return found;
}

/* Until it is called, or perhaps sooner. */
static void sleep_until_called(struct carrier *c, unsigned calls, uint64_t until)
{
    const uint64_t now = carrier_now_ns(), left = now < until ? until - now : 0;
    const struct timespec time = {.tv_sec = (time_t)(left / NS_PER_SECOND), .tv_nsec = (long)(left % NS_PER_SECOND)};
    __atomic_store_n(&c->sleeps, true, __ATOMIC_SEQ_CST);
    if (left)
        syscall(SYS_futex, &c->calls, FUTEX_WAIT_PRIVATE, calls, until == UINT64_MAX ? NULL : &time, NULL, 0);
    __atomic_store_n(&c->sleeps, false, __ATOMIC_SEQ_CST);
}

/* Before a thread sleeps it looks whether it is called, for a short while. It takes no worker that was called and that
   nobody has been roused for yet: whoever called it may have nothing to do soon, and its thread takes it as well. */
static void look(struct carrier *c, unsigned calls, uint64_t start, uint64_t until)
{
    const uint64_t most = start + c->look_ns < until ? start + c->look_ns : until;
    while (__atomic_load_n(&c->calls, __ATOMIC_SEQ_CST) == calls && carrier_now_ns() < most)
        carrier_pause();
}

bool carrier_wait(struct carrier *c, bool looks)
{
    unsigned calls;
    uint64_t until;
    bool found = !stops(c->all) && find(c, &calls, &until);
    carrier_pay(c);
    if (!found && !stops(c->all)) {
        const uint64_t start = carrier_now_ns();
        if (looks && c->all->look)
            look(c, calls, start, until);
        while (!stops(c->all) && !(found = find(c, &calls, &until)))
            sleep_until_called(c, calls, until);
        const bool brief = carrier_now_ns() - start < LOOK_MOST_NS;
        const uint64_t more = 2 * c->look_ns + LOOK_MOST_NS / 16;
        c->look_ns = !brief ? c->look_ns / 2 : more < LOOK_MOST_NS ? more : LOOK_MOST_NS;
    }
    if (found)
        c->worker->end = ENGINE_BUDGET;
    return found;
}
