/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long requests wait until they are taken: for the exact counters, whether or not anything is put out. */
#ifndef ZRI_RI_TRACE_WAIT_H
#define ZRI_RI_TRACE_WAIT_H

#include "ri/trace/number.h"
#include <stdbool.h>

struct et_waits {
    struct {
        uint32_t count; /* requests that wait */
        bool known;     /* since when the oldest of them does */
        uint64_t since;
    } of[ET_NUMBERS];
};

/* A request of this number becomes pending at `now' (ticks); one of them goes untaken. */
void et_wait_begin(struct et_waits *waits, unsigned en, uint64_t now);
void et_wait_withdraw(struct et_waits *waits, unsigned en);
/* The interruption is taken. False: it was no request, or nobody knows since when it waits, as several did. */
bool et_wait_end(struct et_waits *waits, unsigned en, uint64_t now, uint64_t *latency);

#endif
