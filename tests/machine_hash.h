/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash of what a guest could find of its machine, for tests that see whether something has changed it. */
#ifndef ZRI_TESTS_MACHINE_HASH_H
#define ZRI_TESTS_MACHINE_HASH_H

#include "base/bits.h"
#include "cpu/state/timing.h"
#include "emu/state/machine.h"
#include "ri/ri.h"

static inline uint64_t machine_hash_step(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint64_t machine_hash(const struct machine *m)
{
    uint64_t h = 0;
    for (uint64_t i = 0; i < m->sys.storage.size; i += 8)
        h = machine_hash_step(h, get64(m->sys.storage.bytes + i));
    for (uint64_t i = 0; i < m->sys.storage.size >> 12; i++)
        h = machine_hash_step(h, m->sys.storage.keys[i]);
    for (unsigned n = 0; n < m->sys.cpu_count; n++) {
        const struct cpu *c = m->sys.cpus[n];
        const uint64_t words[] = {c->psw.mask,   c->psw.ia,
                                  c->cc,         c->bear,
                                  c->teid,       c->exception_access_id,
                                  cpu_now(c),    cpu_instructions(c),
                                  cpu_cycles(c), c->ri->controls.rca,
                                  c->ri->head};
        for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
            h = machine_hash_step(h, words[i]);
        for (unsigned i = 0; i < 16; i++)
            h = machine_hash_step(h, c->gr[i] ^ c->cr[i] << 1 ^ (uint64_t)c->ar[i] << 7);
    }
    return h;
}

#endif
