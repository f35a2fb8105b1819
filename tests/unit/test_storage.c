/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Absolute storage, and the watching of pages that hold decoded code. */
#include "cpu/control/psw.h"
#include "cpu/life/life.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "cpu/storage/main.h"
#include "tests/unit/cpu_harness.h"
#include <errno.h>

static void sizes(void **state)
{
    (void)state;
    struct storage s;
    assert_int_equal(storage_create(&s, 0), -EINVAL);
    assert_int_equal(storage_create(&s, MIB - 1), -EINVAL);
    assert_int_equal(storage_create(&s, (UINT64_C(1) << 40) + 1), -EINVAL);
    assert_int_equal(storage_create(&s, MIB + 1), 0);
    assert_int_equal(s.size, 2 * MIB);
    assert_int_equal(s.bytes[s.size - 1], 0);
    assert_int_equal(s.bytes[s.size], 0); /* the slack may be read */
    storage_destroy(&s);
    assert_null(s.bytes);
}

static void bounds(void **state)
{
    (void)state;
    const struct storage s = {.size = 0x100000};
    assert_true(storage_has(&s, 0, 0x100000));
    assert_true(storage_has(&s, 0xfffff, 1));
    assert_false(storage_has(&s, 0xfffff, 2));
    assert_false(storage_has(&s, 0x100000, 1));
    assert_false(storage_has(&s, 0, 0x100001));
    assert_false(storage_has(&s, UINT64_MAX, 2)); /* would wrap */
    assert_false(storage_has(&s, 8, UINT64_MAX - 4));
}

static void clearing(void **state)
{
    (void)state;
    struct storage s;
    assert_int_equal(storage_create(&s, MIB), 0);
    memset(s.bytes, 0x5a, s.size);
    memset(s.keys, 0xfe, s.size >> PAGE_BITS);
    s.page_flags[1] = PAGE_TABLES | PAGE_VOLATILE | PAGE_NO_DAT;
    storage_clear(&s);
    assert_int_equal(s.page_flags[1], PAGE_TABLES);
    for (size_t i = 0; i < s.size; i++)
        assert_int_equal(s.bytes[i], 0);
    for (size_t i = 0; i < s.size >> PAGE_BITS; i++)
        assert_int_equal(s.keys[i], 0);
    storage_destroy(&s);
}

/* An engine that keeps decoded code wherever lines are marked, or nothing there any more. */
static bool drops(struct cpu *cpu, uint64_t absolute, unsigned length)
{
    (void)cpu, (void)absolute, (void)length;
    return true;
}
static bool drops_nothing(struct cpu *cpu, uint64_t absolute, unsigned length)
{
    (void)cpu, (void)absolute, (void)length;
    return false;
}

/* Storing to a page without code is tagged; marking code takes every tag away; only a store that hits a marked line is
   reported, and unmarks it. */
static void code_lines(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    struct cpu *cpu = r->cpu;
    r->sys.code_changed = drops;
    assert_int_equal(cpu_store8(cpu, 0x20008, 0, 1), 0);
    assert_int_equal(tlb_slot(cpu->tlb, 0x20000)->write, 0x20000);
    assert_int_equal(cpu_store8(cpu, 0x21008, 0, 1), 0);

    storage_code_mark(&r->sys, 0x2003e, 4); /* lines 0 and 1 */
    assert_int_equal(r->sys.storage.code_lines[0x20], 3);
    assert_int_equal(tlb_slot(cpu->tlb, 0x20000)->write, TLB_NONE);
    assert_int_equal(tlb_slot(cpu->tlb, 0x21000)->write, 0x21000); /* another page keeps it */

    cpu->refetch = false;
    assert_int_equal(cpu_store8(cpu, 0x20080, 0, 7), 0); /* line 2: no code there */
    assert_false(cpu->refetch);
    assert_int_equal(dword(r, 0x20080), 7);
    assert_int_equal(tlb_slot(cpu->tlb, 0x20000)->write, TLB_NONE); /* still watched */

    assert_int_equal(cpu_store1(cpu, 0x2007f, 0, 9), 0);
    assert_true(cpu->refetch);
    assert_int_equal(r->sys.storage.code_lines[0x20], 1);
    cpu->refetch = false;
    assert_int_equal(cpu_store1(cpu, 0x2007f, 0, 9), 0);
    assert_false(cpu->refetch);

    uint8_t *host;
    assert_int_equal(cpu_page(cpu, 0x20000, 0, 16, CPU_STORE, &host), 0);
    assert_true(cpu->refetch);
    assert_int_equal(r->sys.storage.code_lines[0x20], 0);
    assert_int_equal(cpu_store1(cpu, 0x20000, 0, 9), 0); /* nothing left to watch */
    assert_int_equal(tlb_slot(cpu->tlb, 0x20000)->write, 0x20000);

    r->sys.code_changed = drops_nothing; /* what was decoded is not kept, or is decoded each time */
    storage_code_mark(&r->sys, 0x20000, 4);
    cpu->refetch = false;
    assert_int_equal(cpu_store1(cpu, 0x20000, 0, 9), 0);
    assert_false(cpu->refetch);
    rig_end(r);
}

/* Marking and writing over page borders and at the end of storage; other CPUs lose their tags and are told. */
static void code_ranges(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    struct cpu *second = cpu_create(&r->sys, 5);
    assert_non_null(second);
    r->sys.code_changed = drops;
    assert_int_equal(cpu_load_psw(second, PSW_64, 0), 0);
    assert_int_equal(cpu_store1(second, 0x31000, 0, 1), 0);
    storage_code_mark(&r->sys, 0x30fc0, 0x80);
    assert_int_equal(r->sys.storage.code_lines[0x30], UINT64_C(1) << 63);
    assert_int_equal(r->sys.storage.code_lines[0x31], 1);
    assert_int_equal(tlb_slot(second->tlb, 0x31000)->write, TLB_NONE);
    second->refetch = false;
    assert_int_equal(cpu_store8(r->cpu, 0x30ffc, 0, 0), 0); /* crosses: both lines */
    assert_true(second->refetch);
    assert_int_equal(r->sys.storage.code_lines[0x30], 0);
    assert_int_equal(r->sys.storage.code_lines[0x31], 0);
    storage_code_mark(&r->sys, 4 * MIB - 64, 4096); /* what lies outside is ignored */
    cpu_code_written(&r->sys, 4 * MIB - 64, UINT64_MAX);
    assert_int_equal(r->sys.storage.code_lines[0x3ff], 0);
    rig_end(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),      cmocka_unit_test(bounds),      cmocka_unit_test(clearing),
        cmocka_unit_test(code_lines), cmocka_unit_test(code_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
