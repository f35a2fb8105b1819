/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPUs in rotation: how long the turn of one is. */
#include "emu/machine/slice.h"
#include "emu/state/machine.h"

#define SLICE 20000u
/* By the host's clock CPUs that have nothing to do with each other have longer ones, as with each turn the host's
   caches get to hold another program: while no run in them takes the host long, for who waits for a timer has to wait
   for its turn too. Who was called by another CPU has its turn soon. */
#define LONGEST_SLICE 320000u
#define SLICE_NS      200000u

uint64_t machine_slice(const struct machine *m)
{
    return m->sys.cpu_count == 1 ? MACHINE_SINGLE_SLICE : m->sys.host_clock && m->slice ? m->slice : SLICE;
}

uint64_t machine_slice_most(const struct machine *m)
{
    return m->sys.cpu_count == 1 ? MACHINE_SINGLE_SLICE : m->sys.host_clock ? LONGEST_SLICE : SLICE;
}

void machine_called(struct machine *m)
{
    if (m->sys.threads)
        return;
    m->slice = SLICE;
    m->called = true;
}

void machine_slice_took(struct machine *m, uint64_t ns) { m->slow |= ns > SLICE_NS; }

/* What is found in a rotation holds from the next one on, so that all CPUs have as much of one. */
void machine_slice_next(struct machine *m)
{
    const uint64_t slice = machine_slice(m);
    if (m->slow)
        m->slice = slice < 2 * SLICE ? SLICE : slice / 2;
    else if (!m->was_slow && !m->called)
        m->slice = 2 * slice < LONGEST_SLICE ? 2 * slice : LONGEST_SLICE;
    m->was_slow = m->slow;
    m->slow = m->called = false;
}
