/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Protection, reference and change bits, page crossing, wrap-around, and what exceptions store. PoP chapter 3. */
#include "cpu/storage/dat.h"
#include "cpu/storage/tlb.h"
#include "tests/unit/cpu_harness.h"

#define ASCE (R1_TABLE | ASCE_DT_FIRST | TL_FULL)

static uint64_t with_key(unsigned k) { return PSW_64 | (uint64_t)k << 52; }

static int fetch(struct rig *r, uint64_t address)
{
    uint8_t byte;
    return cpu_fetch1(r->cpu, address, 0, &byte);
}
static int store(struct rig *r, uint64_t address) { return cpu_store1(r->cpu, address, 0, 0x5a); }

/* Each access key with each storage key, both fetch-protection values, first by the slow path, then by the TLB. */
static void key_controlled(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    for (unsigned access = 0; access < 16; access++) {
        psw(r, with_key(access), 0);
        for (unsigned k = 0; k < 256; k += 8) {
            bool match = access == 0 || k >> 4 == access;
            set_key(r, 0x20000, (uint8_t)k);
            cpu_tlb_purge(r->cpu);
            for (unsigned again = 0; again < 2; again++) {
                assert_int_equal(store(r, 0x20000), match ? 0 : PIC_PROTECTION);
                assert_int_equal(fetch(r, 0x20000), match || !(k & KEY_F) ? 0 : PIC_PROTECTION);
            }
            assert_int_equal(key(r, 0x20000) & 0xf8, k);
        }
    }
    rig_end(r);
}

static void overrides(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    psw(r, with_key(3), 0);
    /* Storage-protection override: key 9 is open to all. */
    set_key(r, 0x20000, 0x98);
    assert_int_equal(store(r, 0x20000), PIC_PROTECTION);
    assert_int_equal(fetch(r, 0x20000), PIC_PROTECTION);
    set_cr(r, 0, r->cpu->cr[0] | CR0_STORAGE_PROTECTION_OVERRIDE);
    assert_int_equal(store(r, 0x20000), 0);
    assert_int_equal(fetch(r, 0x20000), 0);
    set_key(r, 0x21000, 0x88);
    assert_int_equal(fetch(r, 0x21000), PIC_PROTECTION);
    /* Fetch-protection override: effective addresses 0-2047. */
    set_key(r, 0, 0x48);
    assert_int_equal(fetch(r, 0x7ff), PIC_PROTECTION);
    set_cr(r, 0, r->cpu->cr[0] | CR0_FETCH_PROTECTION_OVERRIDE);
    for (unsigned again = 0; again < 2; again++) {
        assert_int_equal(fetch(r, 0), 0);
        assert_int_equal(fetch(r, 0x7ff), 0);
        assert_int_equal(fetch(r, 0x800), PIC_PROTECTION);
        assert_int_equal(store(r, 0x7ff), PIC_PROTECTION);
    }
    /* Not in a private space. */
    map(r, 0, 0, 0);
    r->cpu->cr[1] = ASCE;
    psw(r, with_key(3) | PSW_DAT, 0);
    assert_int_equal(fetch(r, 0), 0);
    set_cr(r, 1, ASCE | ASCE_PRIVATE);
    assert_int_equal(fetch(r, 0), PIC_PROTECTION);
    rig_end(r);
}

static void lb_33_45_low_address(void **state)
{
    (void)state;
    static const uint64_t inside[] = {0, 511, 4096, 4607}, outside[] = {512, 4095, 4608, 8192};
    struct rig *r = rig_new();
    for (unsigned i = 0; i < 4; i++) /* in the TLB with the control off */
        assert_int_equal(store(r, inside[i]) | store(r, outside[i]), 0);
    set_cr(r, 0, r->cpu->cr[0] | CR0_LOW_ADDRESS_PROTECTION);
    for (unsigned dat = 0; dat < 2; dat++) {
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(store(r, outside[i]), 0);
            assert_int_equal(store(r, inside[i]), PIC_PROTECTION);
            assert_int_equal(r->cpu->teid & 0x8c, 0x80);
            assert_int_equal(fetch(r, inside[i]), 0);
        }
        assert_int_equal(cpu_store8(r->cpu, 4092, 0, 0), PIC_PROTECTION); /* its last bytes */
        map(r, 0, 0x20000, 0);
        map(r, 0x1000, 0x21000, 0);
        map(r, 0x2000, 0x22000, 0);
        dat_on(r, ASCE);
    }
    set_cr(r, 1, ASCE | ASCE_PRIVATE);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(store(r, inside[i]), 0);
    /* The address counts, not the frame. */
    set_cr(r, 1, ASCE);
    map(r, 0x5000, 0, 0);
    assert_int_equal(store(r, 0x5000), 0);
    /* Stores by real address are subject, by absolute address and by exemption they are not. */
    struct cpu_access a = {.address = 16, .space = CPU_SPACE_REAL, .kind = CPU_STORE};
    uint64_t absolute;
    assert_int_equal(cpu_translate(r->cpu, &a, &absolute), PIC_PROTECTION);
    a.no_low_protection = true;
    assert_int_equal(cpu_translate(r->cpu, &a, &absolute), 0);
    a.no_low_protection = false;
    a.space = CPU_SPACE_ABSOLUTE;
    assert_int_equal(cpu_translate(r->cpu, &a, &absolute), 0);
    rig_end(r);
}

/* A protected page is found protected by the table, and what is stored tells so. */
static void lb_44_45_teid(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    map(r, 0x5000, FRAME, 0x200);
    map(r, 0x6000, FRAME + 0x1000, 0);
    map(r, 0x7000, FRAME + 0x2000, 0x400);
    set_key(r, FRAME + 0x1000, 0x38);
    r->cpu->cr[1] = ASCE;
    psw(r, with_key(2) | PSW_DAT, 0);
    assert_int_equal(store(r, 0x5678), PIC_PROTECTION);
    assert_int_equal(r->cpu->teid, 0x5000 | 0x400 | 4);
    assert_int_equal(fetch(r, 0x5678), 0);
    assert_int_equal(store(r, 0x5678), PIC_PROTECTION); /* the fetch did not open it */
    assert_int_equal(store(r, 0x6678), PIC_PROTECTION);
    assert_int_equal(r->cpu->teid, 0x6000 | 0x400 | 8);
    facility_off(r, 131);
    assert_int_equal(store(r, 0x6678), PIC_PROTECTION);
    assert_int_equal(r->cpu->teid, 0x6000 | 0x400);
    assert_int_equal(fetch(r, 0x6678), PIC_PROTECTION);
    assert_int_equal(r->cpu->teid, 0x6000 | 0x800);
    assert_int_equal(fetch(r, 0x7fff), PIC_PAGE_TRANSLATION);
    assert_int_equal(r->cpu->teid, 0x7000 | 0x800);
    assert_int_equal(store(r, 0x7fff), PIC_PAGE_TRANSLATION);
    assert_int_equal(r->cpu->teid, 0x7000 | 0x400);
    facility_off(r, 75);
    assert_int_equal(store(r, 0x7fff), PIC_PAGE_TRANSLATION);
    assert_int_equal(r->cpu->teid, 0x7000);
    /* Protection by the tables before the frame is looked at, by its key after that. */
    map(r, 0x7000, 64 * MIB, 0x200);
    assert_int_equal(store(r, 0x7000), PIC_PROTECTION);
    assert_int_equal(fetch(r, 0x7000), PIC_ADDRESSING);
    map(r, 0x7000, 64 * MIB, 0);
    assert_int_equal(store(r, 0x7000), PIC_ADDRESSING);
    rig_end(r);
}

static void lb_46_page_crossing(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    uint8_t bytes[300];
    map(r, 0x5000, FRAME + 0x1000, 0);
    map(r, 0x6000, FRAME, 0);
    map(r, 0x7000, FRAME + 0x2000, 0x400);
    map(r, 0x8000, FRAME + 0x3000, 0x200);
    dat_on(r, ASCE);
    for (unsigned i = 0; i < 256; i++)
        bytes[i] = (uint8_t)i;
    assert_int_equal(cpu_store_bytes(r->cpu, 0x5ff0, 0, bytes, 256), 0);
    assert_memory_equal(r->at + FRAME + 0x1ff0, bytes, 16);
    assert_memory_equal(r->at + FRAME, bytes + 16, 240);
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(cpu_fetch_bytes(r->cpu, 0x5ff0, 0, bytes, 256), 0);
    for (unsigned i = 0; i < 256; i++)
        assert_int_equal(bytes[i], i);
    uint64_t value;
    assert_int_equal(cpu_fetch8(r->cpu, 0x5ffd, 0, &value), 0);
    assert_int_equal(value, UINT64_C(0x0d0e0f1011121314));
    /* The second page cannot be had: nothing is stored in the first, and its change bit stays. */
    memset(r->at + FRAME + 0xff8, 0x77, 8);
    set_key(r, FRAME, 0);
    cpu_tlb_purge(r->cpu);
    assert_int_equal(cpu_store8(r->cpu, 0x6ffc, 0, 0), PIC_PAGE_TRANSLATION);
    assert_int_equal(r->cpu->teid & PAGE_ADDRESS, 0x7000);
    assert_int_equal(dword(r, FRAME + 0xff8), UINT64_C(0x7777777777777777));
    assert_int_equal(key(r, FRAME) & KEY_C, 0);
    /* Both faulty: the first one's exception. */
    assert_int_equal(cpu_store8(r->cpu, 0x7ffc, 0, 0), PIC_PAGE_TRANSLATION);
    assert_int_equal(r->cpu->teid & PAGE_ADDRESS, 0x7000);
    assert_int_equal(cpu_test(r->cpu, 0x6ff0, 0, 17, CPU_FETCH), PIC_PAGE_TRANSLATION);
    assert_int_equal(cpu_test(r->cpu, 0x6ff0, 0, 16, CPU_FETCH), 0);
    assert_int_equal(cpu_test(r->cpu, 0x8000, 0, 4096, CPU_UPDATE), PIC_PROTECTION);
    assert_int_equal(cpu_test(r->cpu, 0x8000, 0, 4096, CPU_FETCH), 0);
    rig_end(r);
}

/* Operands wrap at the end of the addressing mode's range. */
static void wrap(void **state)
{
    (void)state;
    struct rig *r = rig_with(32 * MIB);
    static const struct {
        uint64_t mode, last;
    } modes[] = {{0, 0xfffffe}, {PSW_BA, 0x7ffffffe}, {PSW_64, UINT64_MAX - 1}};
    uint8_t bytes[4] = {1, 2, 3, 4};
    for (unsigned i = 0; i < 3; i++) {
        map(r, 0, FRAME + 0x1000, 0);
        map(r, modes[i].last, FRAME, 0);
        r->cpu->cr[1] = ASCE;
        psw(r, modes[i].mode | PSW_DAT, 0);
        cpu_tlb_purge(r->cpu);
        memset(r->at + FRAME, 0, 0x2000);
        assert_int_equal(cpu_store_bytes(r->cpu, modes[i].last, 0, bytes, 4), 0);
        assert_int_equal(get16(r->at + FRAME + 0xffe), 0x0102);
        assert_int_equal(get16(r->at + FRAME + 0x1000), 0x0304);
        /* A wide access goes on. */
        struct cpu_access a = {.address = modes[i].last, .space = CPU_SPACE_CURRENT, .kind = CPU_FETCH, .wide = true};
        if (i < 2) {
            map(r, modes[i].last + 2, FRAME + 0x2000, 0);
            put16(r->at + FRAME + 0x2000, 0x0506);
            assert_int_equal(cpu_fetch_as(r->cpu, &a, bytes, 4), 0);
            assert_int_equal(get32(bytes), 0x01020506);
            put32(bytes, 0x01020304);
        }
    }
    rig_end(r);
}

static void reference_and_change(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    uint8_t *host;
    uint64_t absolute;
    void *word_at;
    assert_int_equal(fetch(r, 0x20000), 0);
    assert_int_equal(key(r, 0x20000), KEY_R);
    assert_int_equal(store(r, 0x20000), 0);
    assert_int_equal(key(r, 0x20000), KEY_R | KEY_C);
    /* Reset as SSKE and RRBE do: the next accesses set them again. */
    set_key(r, 0x20000, 0);
    cpu_tlb_purge_all(&r->sys);
    assert_int_equal(fetch(r, 0x20000), 0);
    assert_int_equal(key(r, 0x20000), KEY_R);
    assert_int_equal(cpu_page(r->cpu, 0x21000, 0, 4096, CPU_FETCH, &host), 0);
    assert_ptr_equal(host, r->at + 0x21000);
    assert_int_equal(key(r, 0x21000), KEY_R);
    assert_int_equal(cpu_page(r->cpu, 0x21000, 0, 4096, CPU_STORE, &host), 0);
    assert_int_equal(key(r, 0x21000), KEY_R | KEY_C);
    assert_int_equal(cpu_interlocked(r->cpu, 0x22008, 0, 8, &word_at), 0);
    assert_ptr_equal(word_at, r->at + 0x22008);
    assert_int_equal(key(r, 0x22000), KEY_R | KEY_C);
    assert_int_equal(cpu_instruction_page(r->cpu, 0x23000, &absolute), 0);
    assert_int_equal(key(r, 0x23000), KEY_R);
    assert_int_equal(cpu_test(r->cpu, 0x24000, 0, 1, CPU_STORE), 0);
    assert_int_equal(key(r, 0x24000), KEY_R | KEY_C);
    struct cpu_access a = {.address = 0x25000, .space = CPU_SPACE_CURRENT, .kind = CPU_STORE, .test = true};
    assert_int_equal(cpu_translate(r->cpu, &a, &absolute), 0);
    assert_int_equal(key(r, 0x25000), 0);
    a.test = false;
    assert_int_equal(cpu_translate(r->cpu, &a, &absolute), 0);
    assert_int_equal(key(r, 0x25000), KEY_R | KEY_C);
    /* A refused access leaves them alone. */
    psw(r, with_key(1), 0);
    set_key(r, 0x26000, 0x28);
    assert_int_equal(store(r, 0x26000), PIC_PROTECTION);
    assert_int_equal(key(r, 0x26000), 0x28);
    rig_end(r);
}

/* Explicit keys and spaces. */
static void described(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    uint8_t bytes[4];
    map(r, 0x5000, FRAME, 0);
    set_dword(r, FRAME, UINT64_C(0x1122334400000000));
    set_dword(r, 0x5000, UINT64_C(0x5566778800000000));
    r->cpu->cr[7] = ASCE;
    r->cpu->cr[1] = ASCE;
    set_key(r, FRAME, 0x38);
    struct cpu_access a = {.address = 0x5000, .space = CPU_SPACE_SECONDARY, .key = 4, .kind = CPU_FETCH};
    psw(r, PSW_64 | PSW_DAT, 0);
    assert_int_equal(cpu_fetch_as(r->cpu, &a, bytes, 4), PIC_PROTECTION);
    assert_int_equal(r->cpu->teid & 3, 2);
    a.key = 3;
    assert_int_equal(cpu_fetch_as(r->cpu, &a, bytes, 4), 0);
    assert_int_equal(get32(bytes), 0x11223344);
    a.space = CPU_SPACE_REAL;
    assert_int_equal(cpu_fetch_as(r->cpu, &a, bytes, 4), 0);
    assert_int_equal(get32(bytes), 0x55667788);
    assert_int_equal(fetch(r, 0x5000), 0);
    /* An access with another key is not let through because the current key's page is in the TLB. */
    a = (struct cpu_access){.address = 0x5000, .space = CPU_SPACE_CURRENT, .key = 5, .kind = CPU_STORE};
    assert_int_equal(cpu_store_as(r->cpu, &a, bytes, 4), PIC_PROTECTION);
    /* And does not leave its own rights behind. */
    psw(r, with_key(5) | PSW_DAT, 0);
    a.key = 0;
    assert_int_equal(cpu_store_as(r->cpu, &a, bytes, 4), 0);
    rig_end(r);
}

static void foreign_key_leaves_nothing(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    uint8_t bytes[4] = {0};
    set_key(r, 0x20000, 0x38);
    psw(r, with_key(5), 0);
    struct cpu_access a = {.address = 0x20000, .space = CPU_SPACE_CURRENT, .key = 0, .kind = CPU_STORE};
    assert_int_equal(cpu_store_as(r->cpu, &a, bytes, 4), 0);
    assert_int_equal(store(r, 0x20000), PIC_PROTECTION);
    a.kind = CPU_FETCH;
    assert_int_equal(cpu_fetch_as(r->cpu, &a, bytes, 4), 0);
    assert_int_equal(fetch(r, 0x20000), PIC_PROTECTION);
    rig_end(r);
}

static void instructions(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    uint8_t bytes[6];
    map(r, 0x5000, FRAME, 0);
    map(r, 0x6000, FRAME + 0x2000, 0);
    map(r, 0x7000, FRAME + 0x1000, 0x400);
    put16(r->at + FRAME + 0xffe, 0xe310);
    put32(r->at + FRAME + 0x2000, 0x20000004);
    put16(r->at + FRAME + 0x2ffe, 0x5810);
    dat_on(r, ASCE);
    assert_int_equal(cpu_fetch_instruction(r->cpu, 0x5ffe, bytes), 0);
    assert_int_equal(get32(bytes), 0xe3102000);
    assert_int_equal(get16(bytes + 4), 0x0004);
    assert_int_equal(cpu_fetch_instruction(r->cpu, 0x5fff, bytes), PIC_SPECIFICATION);
    assert_int_equal(cpu_fetch_instruction(r->cpu, 0x6ffe, bytes), PIC_PAGE_TRANSLATION);
    assert_int_equal(r->cpu->teid & PAGE_ADDRESS, 0x7000);
    assert_int_equal(cpu_fetch_instruction(r->cpu, 0x7000, bytes), PIC_PAGE_TRANSLATION);
    put16(r->at + FRAME + 0x2ffe, 0x0700);
    assert_int_equal(cpu_fetch_instruction(r->cpu, 0x6ffe, bytes), 0); /* needs no second page */
    set_key(r, FRAME, 0x38);
    r->cpu->cr[1] = ASCE;
    psw(r, with_key(4) | PSW_DAT, 0);
    assert_int_equal(cpu_fetch_instruction(r->cpu, 0x5000, bytes), PIC_PROTECTION);
    /* A large frame's own key counts, when it says so. */
    r->cpu->cr[0] |= BIT64(40);
    set_dword(r, S_TABLE, FRAME | 0x400 | 0x10000 | 0x4800);
    cpu_tlb_purge(r->cpu);
    assert_int_equal(cpu_fetch_instruction(r->cpu, 0x0000, bytes), 0);
    assert_int_equal(store(r, 0x0000), 0);
    set_dword(r, S_TABLE, FRAME | 0x400 | 0x10000 | 0x5800);
    cpu_tlb_purge(r->cpu);
    assert_int_equal(store(r, 0x0000), PIC_PROTECTION);
    assert_int_equal(r->cpu->teid & 4, 0);
    rig_end(r);
}

/* Bounds of storage: no host memory is touched behind it. */
static void outside(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    uint64_t value = 0;
    uint8_t bytes[6];
    assert_int_equal(cpu_fetch8(r->cpu, 4 * MIB - 8, 0, &value), 0);
    assert_int_equal(cpu_fetch8(r->cpu, 4 * MIB - 4, 0, &value), PIC_ADDRESSING);
    assert_int_equal(cpu_store8(r->cpu, 4 * MIB, 0, value), PIC_ADDRESSING);
    assert_int_equal(cpu_fetch8(r->cpu, UINT64_MAX - 7, 0, &value), PIC_ADDRESSING);
    assert_int_equal(cpu_fetch8(r->cpu, UINT64_MAX - 3, 0, &value), PIC_ADDRESSING);
    put16(r->at + 4 * MIB - 2, 0x5810);
    assert_int_equal(cpu_fetch_instruction(r->cpu, 4 * MIB - 2, bytes), PIC_ADDRESSING);
    assert_null(cpu_real_host(r->cpu, 4 * MIB, 1));
    assert_null(cpu_real_host(r->cpu, 4 * MIB - 1, 2));
    assert_non_null(cpu_real_host(r->cpu, 4 * MIB - 1, 1));
    rig_end(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(key_controlled),
        cmocka_unit_test(overrides),
        cmocka_unit_test(lb_33_45_low_address),
        cmocka_unit_test(lb_44_45_teid),
        cmocka_unit_test(lb_46_page_crossing),
        cmocka_unit_test(wrap),
        cmocka_unit_test(described),
        cmocka_unit_test(reference_and_change),
        cmocka_unit_test(instructions),
        cmocka_unit_test(foreign_key_leaves_nothing),
        cmocka_unit_test(outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
