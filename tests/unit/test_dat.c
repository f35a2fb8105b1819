/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dynamic address translation and access-register translation, table by table. PoP chapters 3 and 5. */
#include "cpu/control/registers.h"
#include "cpu/storage/dat.h"
#include "cpu/storage/tlb.h"
#include "tests/unit/cpu_harness.h"

#define EDAT_ON (UINT64_C(1) << 23)
#define IEP_ON  (UINT64_C(1) << 20)

static int walk_at(struct rig *r, uint64_t asce, uint64_t address, struct dat_result *d)
{
    return dat_translate(r->cpu, asce, address, d, NULL, NULL);
}
static int walk_code(struct rig *r, uint64_t asce, uint64_t address)
{
    struct dat_result d;
    return walk_at(r, asce, address, &d);
}

#define DEEP UINT64_C(0x8040201004003123) /* no table index is zero */

/* Every kind of ASCE reaches the same page; addresses that it cannot hold are an ASCE-type exception. */
static void lb_41_asce_types(void **state)
{
    (void)state;
    static const struct {
        uint64_t asce, largest;
    } kinds[] = {
        {S_TABLE | ASCE_DT_SEGMENT | TL_FULL, 0x7fffffff},
        {R3_TABLE | ASCE_DT_THIRD | TL_FULL, UINT64_C(0x3ffffffffff)},
        {R2_TABLE | ASCE_DT_SECOND | TL_FULL, UINT64_C(0x1fffffffffffff)},
        {R1_TABLE | ASCE_DT_FIRST | TL_FULL, UINT64_MAX},
    };
    struct rig *r = rig_new();
    for (unsigned k = 0; k < 4; k++) {
        struct dat_result d;
        tables_invalid(r);
        map(r, kinds[k].largest, FRAME, 0);
        assert_int_equal(walk_at(r, kinds[k].asce, kinds[k].largest, &d), 0);
        assert_int_equal(d.absolute, FRAME + 0xfff);
        assert_false(d.protect);
        if (k < 3)
            assert_int_equal(walk_code(r, kinds[k].asce, kinds[k].largest + 1), PIC_ASCE_TYPE);
    }
    tables_invalid(r);
    map(r, DEEP, FRAME, 0);
    struct dat_result d;
    assert_int_equal(walk_at(r, kinds[3].asce, DEEP, &d), 0);
    assert_int_equal(d.absolute, FRAME + 0x123);
    rig_end(r);
}

/* Invalid entry, wrong table type, table length and offset at each level: the exception of that level. */
static void lb_42_43_levels(void **state)
{
    (void)state;
    static const struct {
        uint64_t table;
        unsigned first_bit;
        int exception;
    } at[] = {{R1_TABLE, 0, PIC_REGION_FIRST_TRANSLATION},
              {R2_TABLE, 11, PIC_REGION_SECOND_TRANSLATION},
              {R3_TABLE, 22, PIC_REGION_THIRD_TRANSLATION},
              {S_TABLE, 33, PIC_SEGMENT_TRANSLATION}};
    const uint64_t address =
        (UINT64_C(0x400) << 53) | (UINT64_C(0x400) << 42) | (UINT64_C(0x400) << 31) | (UINT64_C(0x400) << 20) | 0x5000;
    const uint64_t asce = R1_TABLE | ASCE_DT_FIRST | TL_FULL;
    struct rig *r = rig_new();
    for (unsigned level = 0; level < 4; level++) {
        uint64_t entry_at = at[level].table + 8 * field64(address, at[level].first_bit, at[level].first_bit + 10);
        tables_invalid(r);
        map(r, address, FRAME, 0);
        uint64_t good = dword(r, entry_at);
        assert_int_equal(walk_code(r, asce, address), 0);
        set_dword(r, entry_at, good | 0x20);
        assert_int_equal(walk_code(r, asce, address), at[level].exception);
        set_dword(r, entry_at, good ^ 0x4); /* TT */
        assert_int_equal(walk_code(r, asce, address), PIC_TRANSLATION_SPECIFICATION);
        set_dword(r, entry_at, (good ^ 0x4) | 0x20); /* the invalid bit is looked at first */
        assert_int_equal(walk_code(r, asce, address), at[level].exception);
        set_dword(r, entry_at, good);
        /* The length (and offset) of this table: index 400 is the third quarter. */
        if (level == 0) {
            assert_int_equal(walk_code(r, (asce & ~UINT64_C(3)) | 1, address), at[level].exception);
            assert_int_equal(walk_code(r, (asce & ~UINT64_C(3)) | 2, address), 0);
            continue;
        }
        uint64_t upper_at =
            at[level - 1].table + 8 * field64(address, at[level - 1].first_bit, at[level - 1].first_bit + 10);
        uint64_t upper = dword(r, upper_at);
        set_dword(r, upper_at, (upper & ~UINT64_C(3)) | 1); /* TL */
        assert_int_equal(walk_code(r, asce, address), at[level].exception);
        set_dword(r, upper_at, upper | 2 << 6); /* TF = 2: the table begins with index 400 */
        assert_int_equal(walk_code(r, asce, address), 0);
        set_dword(r, upper_at, upper | 3 << 6);
        assert_int_equal(walk_code(r, asce, address), at[level].exception);
        /* A table outside storage. */
        set_dword(r, upper_at, (upper & 0xfff) | 64 * MIB);
        assert_int_equal(walk_code(r, asce, address), PIC_ADDRESSING);
    }
    rig_end(r);
}

static void lb_42_43_pages(void **state)
{
    (void)state;
    const uint64_t asce = R1_TABLE | ASCE_DT_FIRST | TL_FULL, pte = P_TABLE + 8 * 5;
    struct rig *r = rig_new();
    struct dat_result d;
    map(r, 0x5000, FRAME, 0x200);
    assert_int_equal(walk_at(r, asce, 0x5678, &d), 0);
    assert_true(d.protect);
    set_dword(r, pte, FRAME | 0x400);
    assert_int_equal(walk_code(r, asce, 0x5000), PIC_PAGE_TRANSLATION);
    set_dword(r, pte, FRAME | 0xc00);
    assert_int_equal(walk_code(r, asce, 0x5000), PIC_PAGE_TRANSLATION);
    set_dword(r, pte, FRAME | 0x800);
    assert_int_equal(walk_code(r, asce, 0x5000), PIC_TRANSLATION_SPECIFICATION);
    set_dword(r, pte, FRAME);
    set_dword(r, S_TABLE, P_TABLE | 0x200); /* segment protection */
    assert_int_equal(walk_at(r, asce, 0x5000, &d), 0);
    assert_true(d.protect);
    set_dword(r, S_TABLE, 64 * MIB); /* page table outside storage */
    assert_int_equal(walk_code(r, asce, 0x5000), PIC_ADDRESSING);
    /* Common segment and private space exclude each other. */
    set_dword(r, S_TABLE, P_TABLE | 0x10);
    assert_int_equal(walk_code(r, asce, 0x5000), 0);
    assert_int_equal(walk_code(r, asce | ASCE_PRIVATE, 0x5000), PIC_TRANSLATION_SPECIFICATION);
    set_dword(r, S_TABLE, P_TABLE | 0x30); /* invalid comes first */
    assert_int_equal(walk_code(r, asce | ASCE_PRIVATE, 0x5000), PIC_SEGMENT_TRANSLATION);
    /* A page frame outside storage is found by the access. */
    map(r, 0x5000, 64 * MIB, 0);
    assert_int_equal(walk_code(r, asce, 0x5000), 0);
    dat_on(r, asce);
    uint8_t byte;
    assert_int_equal(cpu_fetch1(r->cpu, 0x5000, 0, &byte), PIC_ADDRESSING);
    rig_end(r);
}

/* Page frames are real addresses: prefixing applies to them, and a change of the prefix to what was translated. */
static void lb_34_prefixing(void **state)
{
    (void)state;
    const uint64_t asce = R1_TABLE | ASCE_DT_FIRST | TL_FULL;
    struct rig *r = rig_new();
    uint64_t value;
    set_dword(r, 0x008, 0xa);
    set_dword(r, 0x300008, 0xb);
    assert_true(cpu_set_prefix(r->cpu, 0x300000));
    map(r, 0x5000, 0, 0);
    map(r, 0x6000, 0x300000, 0);
    dat_on(r, asce);
    assert_int_equal(cpu_fetch8(r->cpu, 0x5008, 0, &value), 0);
    assert_int_equal(value, 0xb);
    assert_int_equal(cpu_fetch8(r->cpu, 0x6008, 0, &value), 0);
    assert_int_equal(value, 0xa);
    assert_true(cpu_set_prefix(r->cpu, 0));
    assert_int_equal(cpu_fetch8(r->cpu, 0x5008, 0, &value), 0);
    assert_int_equal(value, 0xa);
    assert_false(cpu_set_prefix(r->cpu, 0x7fffe000));
    assert_int_equal(r->cpu->prefix, 0);
    /* Real-space designation. */
    assert_true(cpu_set_prefix(r->cpu, 0x300000));
    dat_on(r, ASCE_REAL);
    assert_int_equal(cpu_fetch8(r->cpu, 0x008, 0, &value), 0);
    assert_int_equal(value, 0xb);
    assert_int_equal(cpu_fetch8(r->cpu, 0x300008, 0, &value), 0);
    assert_int_equal(value, 0xa);
    rig_end(r);
}

static void lb_42_large_pages(void **state)
{
    (void)state;
    const uint64_t asce = R1_TABLE | ASCE_DT_FIRST | TL_FULL;
    struct rig *r = rig_with(UINT64_C(5) << 30);
    struct dat_result d;
    map(r, 0x5000, FRAME, 0);
    assert_true(cpu_set_prefix(r->cpu, 0x200000));
    /* 1M-byte frame; without EDAT the format control is ignored. The origin is that of a page table then. */
    set_dword(r, S_TABLE, UINT64_C(0x200000) | 0x400 | 0x200);
    set_dword(r, 0x200000 + 8 * 5, 0x300000);
    assert_int_equal(walk_at(r, asce, 0x5678, &d), 0);
    assert_int_equal(d.absolute, 0x300678);
    r->cpu->cr[0] |= EDAT_ON;
    assert_int_equal(walk_at(r, asce, 0x5678, &d), 0);
    assert_int_equal(d.absolute, 0x205678); /* an absolute address: no prefixing */
    assert_true(d.protect);
    assert_false(d.acc_valid);
    set_dword(r, S_TABLE, UINT64_C(0x200000) | 0x400 | 0x10000 | 0x9800); /* AV, ACC 9, F */
    assert_int_equal(walk_at(r, asce, 0xfffff, &d), 0);
    assert_int_equal(d.absolute, 0x2fffff);
    assert_true(d.acc_valid);
    assert_int_equal(d.acc, 0x98);
    assert_false(d.protect);
    facility_off(r, FACILITY_EDAT1);
    facility_off(r, FACILITY_EDAT2);
    assert_int_equal(walk_at(r, asce, 0x5678, &d), 0);
    assert_int_not_equal(d.absolute, 0x205678);
    r->sys.profile.facilities[0] = r->sys.profile.facilities[1] = UINT64_MAX;
    /* 2G-byte frame. */
    set_dword(r, R3_TABLE, UINT64_C(0x80000000) | 0x400 | 0x04);
    assert_int_equal(walk_at(r, asce, 0x7fffffff, &d), 0);
    assert_int_equal(d.absolute, UINT64_C(0xffffffff));
    set_dword(r, R3_TABLE, UINT64_C(0x80000000) | 0x400 | 0x04 | 0x10);
    assert_int_equal(walk_code(r, asce | ASCE_PRIVATE, 0), PIC_TRANSLATION_SPECIFICATION);
    /* Without the format control bit 59 of a region-table entry means nothing. */
    set_dword(r, R3_TABLE, region(S_TABLE, 1) | 0x10);
    assert_int_equal(walk_code(r, asce | ASCE_PRIVATE, 0), 0);
    /* Region protection counts with EDAT only. */
    map(r, 0x5000, FRAME, 0);
    static const uint64_t tables[] = {R1_TABLE, R2_TABLE, R3_TABLE};
    for (unsigned i = 0; i < 3; i++) {
        uint64_t entry = dword(r, tables[i]);
        set_dword(r, tables[i], entry | 0x200);
        assert_int_equal(walk_at(r, asce, 0x5000, &d), 0);
        assert_true(d.protect);
        r->cpu->cr[0] &= ~EDAT_ON;
        assert_int_equal(walk_at(r, asce, 0x5000, &d), 0);
        assert_false(d.protect);
        r->cpu->cr[0] |= EDAT_ON;
        set_dword(r, tables[i], entry);
    }
    rig_end(r);
}

static void lb_42_44_no_execute(void **state)
{
    (void)state;
    const uint64_t asce = R1_TABLE | ASCE_DT_FIRST | TL_FULL;
    struct rig *r = rig_new();
    uint8_t bytes[6];
    uint64_t value;
    map(r, 0x5000, FRAME, 0x100);
    dat_on(r, asce);
    assert_int_equal(cpu_fetch_instruction(r->cpu, 0x5000, bytes), 0);
    set_cr(r, 0, r->cpu->cr[0] | IEP_ON);
    assert_int_equal(cpu_fetch8(r->cpu, 0x5000, 0, &value), 0);
    assert_int_equal(cpu_fetch_instruction(r->cpu, 0x5000, bytes), PIC_PROTECTION);
    assert_int_equal(r->cpu->teid, 0x5000 | 0x800 | 0x84);
    assert_int_equal(cpu_store8(r->cpu, 0x5000, 0, 1), 0);
    rig_end(r);
}

/* ---- spaces ---------------------------------------------------------------------------------------------------- */

#define SEGMENT_7 UINT64_C(0x122000)
#define SEGMENT_H UINT64_C(0x124000)
#define PAGES_7   UINT64_C(0x128000)
#define PAGES_H   UINT64_C(0x128800)

/* Address 5000 is FRAME in the primary, FRAME+1000 in the secondary, FRAME+2000 in the home space. */
static void spaces_of(struct rig *r)
{
    map(r, 0x5000, FRAME, 0);
    set_dword(r, SEGMENT_7, PAGES_7);
    set_dword(r, PAGES_7 + 40, FRAME + 0x1000);
    set_dword(r, SEGMENT_H, PAGES_H);
    set_dword(r, PAGES_H + 40, FRAME + 0x2000);
    r->cpu->cr[1] = S_TABLE | TL_FULL;
    r->cpu->cr[7] = SEGMENT_7 | TL_FULL;
    r->cpu->cr[13] = SEGMENT_H | TL_FULL;
    for (unsigned i = 0; i < 4; i++)
        put32(r->at + FRAME + 0x1000 * i, 0x07000000 + i);
}
#define AS(n) ((uint64_t)(n) << 46)

static void lb_40_44_address_spaces(void **state)
{
    (void)state;
    static const struct {
        unsigned as, data, fetched;
    } modes[] = {{AS_PRIMARY, 0, 0}, {AS_SECONDARY, 1, 0}, {AS_HOME, 2, 2}, {AS_ACCESS_REGISTER, 0, 0}};
    struct rig *r = rig_new();
    spaces_of(r);
    for (unsigned pass = 0; pass < 2; pass++) /* the second time out of the TLB */
        for (unsigned m = 0; m < 4; m++) {
            uint32_t value;
            uint64_t absolute;
            psw(r, PSW_64 | PSW_DAT | AS(modes[m].as), 0);
            assert_int_equal(cpu_fetch4(r->cpu, 0x5000, 0, &value), 0);
            assert_int_equal(value, 0x07000000 + modes[m].data);
            assert_int_equal(cpu_instruction_page(r->cpu, 0x5000, &absolute), 0);
            assert_int_equal(absolute, FRAME + 0x1000 * modes[m].fetched);
        }
    /* Access registers: ALET 0 and 1. */
    uint32_t value;
    r->cpu->ar[0] = 1; /* register 0 means the primary space whatever is in it */
    r->cpu->ar[4] = 1;
    assert_int_equal(cpu_fetch4(r->cpu, 0x5000, 4, &value), 0);
    assert_int_equal(value, 0x07000001);
    assert_int_equal(cpu_fetch4(r->cpu, 0x5000, 0, &value), 0);
    assert_int_equal(value, 0x07000000);
    /* A missing page: the space is identified in bits 62-63, the access register at real 160. */
    static const struct {
        unsigned as, id;
    } ids[] = {{AS_PRIMARY, 0}, {AS_SECONDARY, 2}, {AS_HOME, 3}, {AS_ACCESS_REGISTER, 1}};
    for (unsigned m = 0; m < 4; m++) {
        psw(r, PSW_64 | PSW_DAT | AS(ids[m].as), 0);
        set_dword(r, P_TABLE + 8 * 9, 0x400);
        set_dword(r, PAGES_7 + 8 * 9, 0x400);
        set_dword(r, PAGES_H + 8 * 9, 0x400);
        r->cpu->exception_access_id = 0x55;
        assert_int_equal(cpu_fetch4(r->cpu, 0x9ffc, 4, &value), PIC_PAGE_TRANSLATION);
        assert_int_equal(r->cpu->teid, 0x9000 | 0x800 | ids[m].id);
        assert_int_equal(r->cpu->exception_access_id, ids[m].id == 1 ? 4 : 0);
    }
    rig_end(r);
}

/* ---- access-register translation ------------------------------------------------------------------------------- */

#define DUCT   UINT64_C(0x130000)
#define LIST   UINT64_C(0x130080)
#define ASTE   UINT64_C(0x130200)
#define AUTH   UINT64_C(0x130300)
#define PASTE  UINT64_C(0x130400)
#define ALET_2 0x00050002u /* sequence 5, entry 2 */

static void access_list(struct rig *r)
{
    spaces_of(r);
    r->cpu->cr[2] = DUCT;
    r->cpu->cr[5] = PASTE;
    put32(r->at + DUCT + 16, (uint32_t)LIST | 1); /* 16 entries */
    put32(r->at + PASTE + 16, (uint32_t)LIST | 1);
    put32(r->at + LIST + 32, 0x00050007); /* entry 2: sequence 5, authorization index 7 */
    put32(r->at + LIST + 40, (uint32_t)ASTE);
    put32(r->at + LIST + 44, 0x1234);
    put32(r->at + ASTE, (uint32_t)AUTH);
    put32(r->at + ASTE + 4, 0x00000010); /* authority table of 8 bytes: indexes below 32 */
    set_dword(r, ASTE + 8, SEGMENT_7 | TL_FULL);
    put32(r->at + ASTE + 20, 0x1234);
    psw(r, PSW_64 | PSW_DAT | AS(AS_ACCESS_REGISTER), 0);
    r->cpu->ar[4] = ALET_2;
}

static int fetch_ar(struct rig *r, uint32_t alet)
{
    uint32_t value;
    r->cpu->ar[4] = alet;
    return cpu_fetch4(r->cpu, 0x5000, 4, &value);
}

static void access_registers(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    struct cpu *cpu = r->cpu;
    uint32_t value;
    access_list(r);
    assert_int_equal(cpu_fetch4(cpu, 0x5000, 4, &value), 0);
    assert_int_equal(value, 0x07000001);
    assert_int_equal(fetch_ar(r, ALET_2 | 0x01000000), 0); /* by the primary-space list */
    put32(r->at + PASTE + 16, (uint32_t)LIST);             /* 8 entries there */
    assert_int_equal(fetch_ar(r, 0x01050008), PIC_ALEN_TRANSLATION);
    /* In the order of recognition. */
    assert_int_equal(fetch_ar(r, ALET_2 | 0x02000000), PIC_ALET_SPECIFICATION);
    assert_int_equal(cpu->exception_access_id, 4);
    assert_int_equal(fetch_ar(r, 0x00050010), PIC_ALEN_TRANSLATION);
    assert_int_equal(fetch_ar(r, 0x00060002), PIC_ALE_SEQUENCE);
    put32(r->at + LIST + 32, 0x80050007);
    assert_int_equal(fetch_ar(r, 0x00060002), PIC_ALEN_TRANSLATION); /* invalid entry before its sequence */
    put32(r->at + LIST + 32, 0x00050007);
    put32(r->at + ASTE, (uint32_t)AUTH | 0x80000000);
    put32(r->at + ASTE + 20, 0x1235);
    assert_int_equal(fetch_ar(r, ALET_2), PIC_ASTE_VALIDITY);
    put32(r->at + ASTE, (uint32_t)AUTH);
    assert_int_equal(fetch_ar(r, ALET_2), PIC_ASTE_SEQUENCE);
    put32(r->at + ASTE + 20, 0x1234);
    /* A private entry: the index in control register 8 must be that of the entry, or authorized. */
    put32(r->at + LIST + 32, 0x01050007);
    cpu->cr[8] = UINT64_C(7) << 16;
    assert_int_equal(fetch_ar(r, ALET_2), 0);
    cpu->cr[8] = UINT64_C(6) << 16;
    assert_int_equal(fetch_ar(r, ALET_2), PIC_EXTENDED_AUTHORITY);
    r->at[AUTH + 1] = 0x04; /* secondary authority of index 6 */
    assert_int_equal(fetch_ar(r, ALET_2), 0);
    r->at[AUTH + 1] = 0x08; /* its primary authority is none */
    assert_int_equal(fetch_ar(r, ALET_2), PIC_EXTENDED_AUTHORITY);
    cpu->cr[8] = UINT64_C(0x20) << 16; /* behind the table's end */
    r->at[AUTH + 8] = 0xff;
    assert_int_equal(fetch_ar(r, ALET_2), PIC_EXTENDED_AUTHORITY);
    /* Fetch-only entries. */
    put32(r->at + LIST + 32, 0x02050007);
    assert_int_equal(fetch_ar(r, ALET_2), 0);
    assert_int_equal(cpu_store4(cpu, 0x5000, 4, 1), PIC_PROTECTION);
    assert_int_equal(cpu->teid, 0x5000 | 0x400 | 0xc | 1);
    /* Structures outside storage. */
    cpu->cr[2] = 0x7fffffc0;
    assert_int_equal(fetch_ar(r, ALET_2), PIC_ADDRESSING);
    /* Without DAT, access registers mean nothing. */
    psw(r, PSW_64 | AS(AS_ACCESS_REGISTER), 0);
    assert_int_equal(fetch_ar(r, ALET_2 | 0x80000000), 0);
    rig_end(r);
}

/* ---- TLB ------------------------------------------------------------------------------------------------------- */

/* A translation is kept over changes of the PSW and of control registers, and ended by a purge, which also renews the
   generation. */
static void tlb_contexts(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    struct cpu *cpu = r->cpu;
    uint32_t value;
    spaces_of(r);
    psw(r, PSW_64 | PSW_DAT, 0);
    assert_int_equal(cpu_fetch4(cpu, 0x5000, 0, &value), 0);
    const struct tlb *primary = cpu->tlb;
    uint32_t generation = primary->generation;
    psw(r, PSW_64 | PSW_DAT | AS(AS_HOME), 0);
    assert_ptr_not_equal(cpu->tlb, primary);
    psw(r, PSW_64, 0);
    set_cr(r, 1, R1_TABLE | ASCE_DT_FIRST | TL_FULL);
    set_cr(r, 1, S_TABLE | TL_FULL);
    set_dword(r, P_TABLE + 40, FRAME + 0x3000); /* nobody is told: not seen before a purge */
    psw(r, PSW_64 | PSW_DAT, 0);
    assert_ptr_equal(cpu->tlb, primary);
    assert_ptr_equal(cpu->fetch_tlb, primary);
    assert_int_equal(cpu->tlb->generation, generation);
    assert_int_equal(cpu_fetch4(cpu, 0x5000, 0, &value), 0);
    assert_int_equal(value, 0x07000000);
    cpu_tlb_purge(cpu);
    assert_int_not_equal(cpu->tlb->generation, generation);
    assert_int_equal(cpu_fetch4(cpu, 0x5000, 0, &value), 0);
    assert_int_equal(value, 0x07000003);
    /* More spaces than contexts: each is translated right, whatever was thrown out. */
    for (unsigned pass = 0; pass < 3; pass++)
        for (unsigned i = 0; i < 3 * TLB_CONTEXTS; i++) {
            uint64_t segments = 0x140000 + 0x1000 * i, pages = 0x180000 + 0x800 * i;
            set_dword(r, segments, pages);
            set_dword(r, pages + 40, FRAME + 0x1000 * (i % 4));
            set_cr(r, 1, segments);
            assert_int_equal(cpu_fetch4(cpu, 0x5000, 0, &value), 0);
            assert_int_equal(value, 0x07000000 + i % 4);
        }
    rig_end(r);
}

struct steps {
    unsigned count;
    char names[8][24];
};
static void note_step(void *context, const struct cpu_walk_step *step)
{
    struct steps *s = context;
    assert_true(s->count < 8);
    assert_int_equal(step->entry_address, step->origin + 8 * step->index);
    strcpy(s->names[s->count++], step->what);
}

static void walking(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    struct steps s = {0};
    uint64_t absolute;
    bool protect;
    tables_invalid(r);
    map(r, DEEP, FRAME, 0x200);
    r->cpu->cr[13] = R1_TABLE | ASCE_DT_FIRST | TL_FULL;
    assert_int_equal(cpu_walk(r->cpu, CPU_SPACE_HOME, 0, DEEP, note_step, &s, &absolute, &protect), 0);
    assert_int_equal(absolute, FRAME + 0x123);
    assert_true(protect);
    assert_int_equal(s.count, 5);
    assert_string_equal(s.names[0], "region first table");
    assert_string_equal(s.names[4], "page table");
    assert_int_equal(key(r, FRAME), 0); /* no reference bit */
    s.count = 0;
    assert_int_equal(cpu_walk(r->cpu, CPU_SPACE_HOME, 0, DEEP + 0x1000, note_step, &s, &absolute, &protect),
                     PIC_PAGE_TRANSLATION);
    assert_int_equal(s.count, 5);
    assert_int_equal(cpu_walk(r->cpu, CPU_SPACE_REAL, 0, 0x77, NULL, NULL, &absolute, &protect), 0);
    assert_int_equal(absolute, 0x77);
    assert_true(cpu_set_prefix(r->cpu, 0x300000));
    assert_int_equal(cpu_walk(r->cpu, CPU_SPACE_CURRENT, 0, 0x77, NULL, NULL, &absolute, &protect), 0);
    assert_int_equal(absolute, 0x300077);
    assert_int_equal(cpu_walk(r->cpu, CPU_SPACE_ABSOLUTE, 0, 0x77, NULL, NULL, &absolute, &protect), 0);
    assert_int_equal(absolute, 0x77);
    rig_end(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lb_41_asce_types),
        cmocka_unit_test(lb_42_43_levels),
        cmocka_unit_test(lb_42_43_pages),
        cmocka_unit_test(lb_34_prefixing),
        cmocka_unit_test(lb_42_large_pages),
        cmocka_unit_test(lb_42_44_no_execute),
        cmocka_unit_test(lb_40_44_address_spaces),
        cmocka_unit_test(access_registers),
        cmocka_unit_test(tlb_contexts),
        cmocka_unit_test(walking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
