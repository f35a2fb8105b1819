/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A CPU with storage and nothing around it, which has every facility but the removal of storage keys; for tests that
   compare engines. */
#ifndef ZRI_TESTS_UNIT_BARE_CPU_H
#define ZRI_TESTS_UNIT_BARE_CPU_H

#include "base/bits.h"
#include "cpu/life/life.h"
#include "cpu/storage/main.h"
#include "disasm/facility.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static inline struct cpu *bare_cpu(struct cpu_system *sys, uint64_t storage)
{
    memset(sys, 0, sizeof *sys);
    assert_int_equal(storage_create(&sys->storage, storage), 0);
    for (unsigned i = 0; i < 4; i++)
        sys->profile.facilities[i] = ~UINT64_C(0);
    sys->profile.facilities[2] &= ~BIT64(FACILITY_STORAGE_KEY_REMOVAL - 128);
    sys->cpu_count = 1;
    struct cpu *cpu = sys->cpus[0] = cpu_create(sys, 0);
    assert_non_null(cpu);
    return cpu;
}

#endif
