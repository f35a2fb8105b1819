/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The random numbers of unit tests: the same in every run from the same seed, which must not be zero. */
#ifndef ZRI_TESTS_UNIT_RANDOM_H
#define ZRI_TESTS_UNIT_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state;
};
static inline uint64_t next(struct random *r)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state * UINT64_C(0x2545f4914f6cdd1d);
}
static inline unsigned below(struct random *r, unsigned n) { return (unsigned)((next(r) >> 33) % n); }

#endif
