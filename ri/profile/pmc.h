/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counter that takes edge-profile samples: preset to an interval, one less at each event, and at zero a sample is
   due. */
#ifndef ZRI_RI_PROFILE_PMC_H
#define ZRI_RI_PROFILE_PMC_H

#include "base/bits.h"

struct ep_pmc {
    uint64_t left, interval; /* events until the sample, of them in all; 1 or more */
    uint64_t base, delta;    /* an interval is base + d, d uniform in -delta to +delta */
    uint64_t state;          /* of the random numbers */
    uint64_t total;          /* events since it was made */
};

/* An interval has a base of 1 to 2**63-1 and a delta of at most an eighth of it. */
bool ep_interval_valid(uint64_t base, uint64_t delta) MUST_USE;
bool ep_prime(uint64_t n) MUST_USE;
/* For CPU `cpu` (0, 1, ...); the interval must be valid. CPUs of one seed have sequences of their own. */
void ep_pmc_init(struct ep_pmc *pmc, uint64_t base, uint64_t delta, uint64_t seed, unsigned cpu);
/* The pending interval is given up, and another begins. */
void ep_pmc_restart(struct ep_pmc *pmc);

/* One event. True: a sample is due, *expired is the interval that has ended, and the next one has begun. */
static inline bool ep_pmc_event(struct ep_pmc *pmc, uint64_t *expired)
{
    pmc->total++;
    if (LIKELY(--pmc->left))
        return false;
    *expired = pmc->interval;
    ep_pmc_restart(pmc);
    return true;
}

#endif
