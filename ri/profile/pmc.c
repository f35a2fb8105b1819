/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/pmc.h"

#define INCREMENT UINT64_C(0x9e3779b97f4a7c15)

/* SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += INCREMENT;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform over 0 to n-1: numbers below the remainder of 2**64 by n are thrown away. */
static uint64_t below(uint64_t *state, uint64_t n)
{
    uint64_t x = next(state);
    while (x < n && x < -n % n) /* seldom is anything divided for that */
        x = next(state);
    return x % n;
}

bool ep_interval_valid(uint64_t base, uint64_t delta) { return base && base <= INT64_MAX && delta <= base / 8; }

/* Miller and Rabin's test; these bases decide for all numbers below 2**64. */
bool ep_prime(uint64_t n)
{
    static const uint8_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    if (n < 2)
        return false;
    for (unsigned i = 0; i < sizeof bases; i++)
        if (n % bases[i] == 0)
            return n == bases[i];
    const unsigned twos = (unsigned)__builtin_ctzll(n - 1);
    for (unsigned i = 0; i < sizeof bases; i++) {
        unsigned __int128 power = 1, square = bases[i];
        for (uint64_t e = (n - 1) >> twos; e; e >>= 1, square = square * square % n)
            if (e & 1)
                power = power * square % n;
        bool passes = power == 1 || power == n - 1;
        for (unsigned k = 1; k < twos && !passes; k++) {
            power = power * power % n;
            passes = power == n - 1;
        }
        if (!passes)
            return false;
    }
    return true;
}

void ep_pmc_restart(struct ep_pmc *pmc)
{
    pmc->interval = pmc->base;
    if (pmc->delta)
        pmc->interval += below(&pmc->state, 2 * pmc->delta + 1) - pmc->delta;
    pmc->left = pmc->interval;
}

void ep_pmc_init(struct ep_pmc *pmc, uint64_t base, uint64_t delta, uint64_t seed, unsigned cpu)
{
    *pmc = (struct ep_pmc){.base = base, .delta = delta};
    uint64_t state = seed;
    for (unsigned i = 0; i <= cpu; i++)
        pmc->state = next(&state);
    ep_pmc_restart(pmc);
}
