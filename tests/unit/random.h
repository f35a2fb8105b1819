/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The random numbers of unit tests: the same in every run from the same seed, which must not be zero. */
#ifndef ZRI_TESTS_UNIT_RANDOM_H
#define ZRI_TESTS_UNIT_RANDOM_H

#include "tests/random.h"
#include <stdint.h>
#include <stdlib.h>

struct random {
    uint64_t state;
};
static inline uint64_t next(struct random *r) { return random_step(&r->state) * UINT64_C(0x2545f4914f6cdd1d); }
/* The numbers of one trial; seeds that differ little give sequences that have nothing in common. */
static inline struct random seeded(uint64_t seed)
{
    struct random r = {seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
    for (unsigned n = 0; n < 20; n++)
        next(&r);
    return r;
}
/* How many trials: what the environment variable says, else `usual`. */
static inline uint64_t trials_of(const char *variable, uint64_t usual)
{
    const char *number = getenv(variable);
    return number ? strtoull(number, NULL, 0) : usual;
}
static inline unsigned below(struct random *r, unsigned n) { return (unsigned)((next(r) >> 33) % n); }

#endif
