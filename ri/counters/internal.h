/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of ri/counters share. */
#ifndef ZRI_RI_COUNTERS_INTERNAL_H
#define ZRI_RI_COUNTERS_INTERNAL_H

#include "ri/counters/counters.h"
#include "ri/internal.h"

static inline void counters_put16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}
static inline void counters_put32(uint8_t *p, uint32_t v)
{
    counters_put16(p, (uint16_t)(v >> 16));
    counters_put16(p + 2, (uint16_t)v);
}

/* Renew what is derived: counting. */
static inline void counters_derive(struct counters *c)
{
    c->counting = c->active & (COUNTERS_BASIC | COUNTERS_PROBLEM | COUNTERS_MT) ||
                  c->sampling.controls & (SAMPLING_CS | SAMPLING_CD);
}
/* The sampling facility's part of a CPU reset, and of counting cycles. */
void sampling_reset(struct counters *counters);
void sampling_charge(struct counters *counters, uint64_t cycles);

/* What the model feeds in these sets (which become active / are active and go on no more) is counted from here / up to
   here. */
void counters_begin_view(struct counters *counters, unsigned sets);
void counters_end_view(struct counters *counters, unsigned sets);
void counters_set_value(struct counters *counters, unsigned number, uint64_t value);
/* With a model: an instruction, in the problem state or not, or what happened between two, is behind us. */
void counters_problem_view(struct counters *counters, bool problem);

#endif
