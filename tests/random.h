/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers for tests of every kind: the same in every run from the same state, which must not be zero. */
#ifndef ZRI_TESTS_RANDOM_H
#define ZRI_TESTS_RANDOM_H

#include <stdint.h>

/* The next state. */
static inline uint64_t random_step(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif
