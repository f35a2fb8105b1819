/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which host thread carries which CPU. There are as many threads as CPUs, and every thread has a CPU of its own to look
   after, but not for ever: a thread whose CPU has nothing more to do takes one that was just given something, with what
   the host's caches hold, and leaves its own one to the thread that sleeps. Two CPUs that hand work to each other thus
   run in one thread, and nobody sleeps or wakes for it; two that work at the same time run in two. */
#ifndef ZRI_EMU_MACHINE_CARRIER_H
#define ZRI_EMU_MACHINE_CARRIER_H

#include "cpu/engine/engine.h"
#include <pthread.h>

/* A CPU, with what its thread knows of it. All but `place` belongs to the thread that carries it. */
struct worker {
    struct cpu *cpu;
    enum engine_end end; /* of the last slice */
    unsigned place;      /* atomic: enum carrier_state, and above it the number of its thread */
    bool stepped;        /* its last slice was the instruction that the operator wanted to be carried out */
    uint64_t until_ns;   /* host time from which on its own timers have something for it; UINT64_MAX: never */
    uint64_t nap_ns;     /* how long it sleeps when the guest waits in a loop once more */
    unsigned slice;      /* instructions of the next slice */
    uint64_t done;       /* instructions */
};

/* A host thread. */
struct carrier {
    struct carriers *all;
    struct worker *worker; /* which it looks after; changes under carriers.lock */
    pthread_t thread;
    unsigned calls;    /* atomic, and what it sleeps on: it was called so often */
    bool sleeps;       /* atomic */
    uint64_t armed_ns; /* host time up to which it sleeps at most; under carriers.lock */
    uint64_t owes;     /* workers, by their number, that it called and has roused nobody for */
    uint64_t look_ns;  /* it looks for so long for something to do before it sleeps */
    bool naps;         /* what it carried last waits for another CPU in a loop, ... */
    bool ended;        /* ... ended the run for the operator, ... */
    bool halted;       /* ... or is given something to do by nobody but the operator or another CPU */
};

struct carriers {
    pthread_mutex_t lock; /* who takes a worker holds it, for a moment */
    uint64_t called;      /* atomic: where to look for workers that were called; none is lost that is not here */
    bool stop;            /* atomic: all threads are to end */
    bool look;            /* the host has CPUs to spare: threads look before they sleep */
    unsigned count;
    struct worker workers[CPU_MAX];
    struct carrier carriers[CPU_MAX];
};

/* Before a thread begins: worker and thread number i belong together, and the worker runs. */
void carrier_give(struct carriers *all, unsigned i);

/* Host time. */
uint64_t carrier_now_ns(void);
/* The host's processor may be told that nothing but time passes in a loop. */
void carrier_pause(void);

/* The worker has nothing to do, and was not given anything. */
bool worker_idles(const struct worker *w);
/* It ended the run, for the operator. */
bool worker_ended(const struct worker *w);

/* Its thread says that it has nothing to do until host time `until_ns`. From here on it belongs to whoever takes it. */
void worker_rest(struct worker *w, uint64_t until_ns);
/* The same in two steps: from the first one on whoever brings something is heard; between them the thread looks whether
   there is something already. False: there is, and the thread goes on with it. */
void worker_is_about_to_rest(struct worker *w, uint64_t until_ns);
bool worker_rests(struct worker *w, bool work);

/* Somebody has given it something to do. True: carrier_rouse() is to follow, soon. */
bool worker_call(struct carriers *all, struct worker *w) MUST_USE;
/* Wake the thread that looks after it, unless some thread has taken it meanwhile. */
void carrier_rouse(struct carriers *all, struct worker *w);
/* The same for all workers that are owed. */
void carrier_pay(struct carrier *c);

/* Its thread says that it ended the run: it is carried no more, and called in vain. */
void worker_end(struct worker *w);

/* Until the thread carries a worker that has something to do; false: all threads are to end. `looks`: for
   a while it does not sleep. */
bool carrier_wait(struct carrier *c, bool looks);
/* The thread that carries a worker that runs. */
struct carrier *worker_carrier(struct carriers *all, const struct worker *w);
/* All threads end. */
void carriers_stop(struct carriers *all);

#endif
