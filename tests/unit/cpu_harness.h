/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bare CPU with storage, for tests of the state, storage and interruption functions below the instructions. */
#ifndef TESTS_CPU_HARNESS_H
#define TESTS_CPU_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "cpu/control/interrupt.h"
#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/state/timing.h"
#include "cpu/storage/access.h"
#include "cpu/storage/dat.h"
#include "cpu/storage/main.h"
#include "cpu/storage/tlb.h"
#include <cmocka.h>

#define PSW_64 (PSW_EA | PSW_BA)
#define MIB    (UINT64_C(1) << 20)

#define ASCE_DT_SEGMENT 0x0u
#define ASCE_DT_THIRD   0x4u
#define ASCE_DT_SECOND  0x8u
#define ASCE_DT_FIRST   0xcu
#define TL_FULL         0x3u

/* Where the tests put translation tables; each is zero (valid entries must say so). */
#define R1_TABLE UINT64_C(0x100000)
#define R2_TABLE UINT64_C(0x104000)
#define R3_TABLE UINT64_C(0x108000)
#define S_TABLE  UINT64_C(0x10c000)
#define P_TABLE  UINT64_C(0x110000)
#define FRAME    UINT64_C(0x200000)

struct rig {
    struct cpu_system sys;
    struct cpu *cpu;
    uint8_t *at; /* absolute storage */
};

static inline struct rig *rig_with(uint64_t size)
{
    struct rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    assert_int_equal(storage_create(&r->sys.storage, size), 0);
    r->at = r->sys.storage.bytes;
    memset(r->sys.profile.facilities, 0xff, sizeof r->sys.profile.facilities);
    r->sys.profile.facilities[2] &= ~BIT64(FACILITY_STORAGE_KEY_REMOVAL - 128);
    r->cpu = cpu_create(&r->sys, 0);
    assert_non_null(r->cpu);
    cpu_set_state(r->cpu, CPU_STATE_OPERATING);
    assert_int_equal(cpu_load_psw(r->cpu, PSW_64, 0x10000), 0);
    return r;
}
static inline struct rig *rig_new(void) { return rig_with(4 * MIB); }
static inline void rig_end(struct rig *r)
{
    for (unsigned i = 0; i < CPU_MAX; i++)
        cpu_destroy(r->sys.cpus[i]);
    storage_destroy(&r->sys.storage);
    free(r);
}
static inline void facility_off(struct rig *r, unsigned bit)
{
    r->sys.profile.facilities[bit / 64] &= ~BIT64(bit % 64);
}

static inline void psw(struct rig *r, uint64_t mask, uint64_t ia)
{
    assert_int_equal(cpu_load_psw(r->cpu, mask, ia), 0);
}
static inline void set_cr(struct rig *r, unsigned n, uint64_t value)
{
    r->cpu->cr[n] = value;
    cpu_mode_changed(r->cpu);
}
static inline uint64_t word(const struct rig *r, uint64_t at) { return get32(r->at + at); }
static inline uint64_t dword(const struct rig *r, uint64_t at) { return get64(r->at + at); }
static inline void set_dword(struct rig *r, uint64_t at, uint64_t value) { put64(r->at + at, value); }
static inline void set_key(struct rig *r, uint64_t absolute, uint8_t key) { r->sys.storage.keys[absolute >> 12] = key; }
static inline uint8_t key(const struct rig *r, uint64_t absolute) { return r->sys.storage.keys[absolute >> 12]; }

/* Table entries: region (TT 1-3), segment, page. */
static inline uint64_t region(uint64_t origin, unsigned tt) { return origin | tt << 2 | TL_FULL; }

/* Map the page at `address` (by the full set of tables) to `frame`; `flags` are ORed to the page-table entry. */
static inline void map(struct rig *r, uint64_t address, uint64_t frame, uint64_t flags)
{
    set_dword(r, R1_TABLE + 8 * field64(address, 0, 10), region(R2_TABLE, 3));
    set_dword(r, R2_TABLE + 8 * field64(address, 11, 21), region(R3_TABLE, 2));
    set_dword(r, R3_TABLE + 8 * field64(address, 22, 32), region(S_TABLE, 1));
    set_dword(r, S_TABLE + 8 * field64(address, 33, 43), P_TABLE);
    set_dword(r, P_TABLE + 8 * field64(address, 44, 51), frame | flags);
}

/* Only what was mapped is valid: all entries of all tables invalid. */
static inline void tables_invalid(struct rig *r)
{
    for (uint64_t at = R1_TABLE; at < P_TABLE; at += 8)
        set_dword(r, at, 0x20);
    for (uint64_t at = P_TABLE; at < P_TABLE + 0x800; at += 8)
        set_dword(r, at, 0x400);
}

/* The page-table entry of a page. */
static inline uint64_t entry_of(uint64_t page) { return P_TABLE + 8 * field64(page, 44, 51); }
/* The guest has been interrupted: when a page from `low` to `high` is missing that map() would map to itself, it is
   mapped, and the guest is where it was, at `code`. Returns 0 then, otherwise the code of the exception. */
static inline unsigned page_comes(struct rig *r, uint64_t code, uint64_t low, uint64_t high)
{
    const uint64_t page = dword(r, 168) & PAGE_ADDRESS;
    if (get16(r->at + 142) != PIC_PAGE_TRANSLATION || page < (low & PAGE_ADDRESS) || page >= high)
        return get16(r->at + 142);
    assert_int_equal(dword(r, 336 + 8), code); /* nullified */
    assert_true(dword(r, entry_of(page)) & 0x400);
    set_dword(r, entry_of(page), page);
    cpu_tlb_purge(r->cpu);
    psw(r, dword(r, 336), code);
    return 0;
}

/* An instruction at `code`, and a branch back to it behind it, to its end with the function code in general register 0.
   Missing pages come; *faults counts them. Returns the condition code, or 0x100 and the code of another exception,
   whose new PSW designates X'DEAD'. */
static inline unsigned call_to_end(struct rig *r, unsigned function, uint64_t code, uint64_t low, uint64_t high,
                                   unsigned *faults)
{
    r->cpu->gr[0] = function;
    psw(r, PSW_64 | PSW_DAT, code);
    for (unsigned n = 0; n < 10000; n++) {
        uint64_t done;
        if (r->cpu->psw.ia == code + 8)
            return r->cpu->cc;
        (void)engine_run(r->cpu, 1, &done);
        if (r->cpu->psw.ia != 0xdead)
            continue;
        const unsigned exception = page_comes(r, code, low, high);
        if (exception)
            return 0x100 + exception;
        (*faults)++;
    }
    fail_msg("no end");
    return 0;
}

/* DAT on in the primary-space mode with the region first table. */
static inline void dat_on(struct rig *r, uint64_t asce)
{
    r->cpu->cr[1] = asce;
    psw(r, PSW_64 | PSW_DAT, 0x10000);
}

#endif
