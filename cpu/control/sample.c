/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPU-measurement sampling facility is told, and its access to storage. Source: event-counter specification,
   section 4 (SA23-2260, "The Load-Program-Parameter and the CPU-Measurement Facilities"). */
#include "cpu/control/sample.h"
#include "cpu/state/timing.h"
#include "cpu/storage/code.h"
#include "ri/counters/sampling.h"

/* Absolute storage for the sampling facility. */
static uint8_t *absolute(struct cpu *cpu, uint64_t address, unsigned length, uint8_t key)
{
    struct storage *s = &cpu->sys->storage;
    if (!storage_has(s, address, length))
        return NULL;
    __atomic_fetch_or(&s->keys[address >> PAGE_BITS], key, __ATOMIC_RELAXED);
    return s->bytes + address;
}

static bool sample_fetch(void *context, uint64_t address, uint64_t *value)
{
    const uint8_t *from = absolute(context, address, 8, KEY_R);
    if (from)
        *value = BE64(__atomic_load_n((const uint64_t *)(const void *)from, __ATOMIC_SEQ_CST));
    return from;
}

static bool sample_store(void *context, uint64_t address, const uint8_t *from, unsigned length)
{
    uint8_t *to = absolute(context, address, length, KEY_R | KEY_C);
    if (to) {
        memcpy(to, from, length);
        cpu_code_stored(context, address, length);
    }
    return to;
}

static bool sample_exchange(void *context, uint64_t address, uint64_t *old, uint64_t value)
{
    uint8_t *at = absolute(context, address, 8, KEY_R | KEY_C);
    if (at) {
        uint64_t expected = BE64(*old);
        __atomic_compare_exchange_n((uint64_t *)(void *)at, &expected, BE64(value), false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST);
        *old = BE64(expected);
        cpu_code_stored(context, address, 8);
    }
    return at;
}

bool cpu_sample(struct cpu *cpu)
{
    const struct sampling_storage storage = {cpu, sample_fetch, sample_store, sample_exchange};
    struct sampling_state state = {
        .ia = cpu->psw.ia,
        .program_parameter = cpu->program_parameter,
        .primary_asn = (uint16_t)cpu->cr[4],
        .space = (uint8_t)field64(cpu->psw.mask, 16, 17),
        .dat = cpu->psw.mask & PSW_DAT,
        .wait = cpu->psw.mask & PSW_WAIT,
        .problem = cpu->psw.mask & PSW_PROBLEM,
    };
    put64(state.clock + 1, cpu_tod(cpu));
    put16(state.clock + 14, (uint16_t)cpu->tod_programmable);
    sampling_take(cpu->counters, &state, &storage);
    return cpu->counters->alerts;
}
