/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PSW formats, addressing modes, resets, the register table, store status. PoP chapters 4 and 11. */
#include "cpu/control/psw.h"
#include "cpu/control/registers.h"
#include "cpu/control/status.h"
#include "cpu/life/life.h"
#include "cpu/state/timing.h"
#include "ri/ri.h"
#include "tests/unit/cpu_harness.h"
#include <errno.h>

static void formats(void **state)
{
    (void)state;
    static const struct {
        uint64_t mask, ia;
        bool valid;
    } cases[] = {
        {0, 0, true},
        {0, 0xffffff, true},
        {0, 0x1000000, false},
        {0, UINT64_C(1) << 63, false},
        {PSW_BA, 0x7fffffff, true},
        {PSW_BA, 0x80000000, false},
        {PSW_BA, UINT64_C(0x100000000), false},
        {PSW_64, UINT64_MAX, true}, /* odd: found when the instruction is fetched */
        {PSW_EA, 0, false},
        {PSW_64 | UINT64_C(0x4707f00000000000), 0, true}, /* all that is assigned */
        {PSW_64 | PSW_KEY | PSW_AS | PSW_CC | PSW_PM | PSW_WAIT | PSW_PROBLEM | PSW_MCHK, 0, true},
    };
    struct rig *r = rig_new();
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(cpu_load_psw(r->cpu, cases[i].mask, cases[i].ia), cases[i].valid ? 0 : PIC_SPECIFICATION);
        /* It is current in any case. */
        assert_int_equal(cpu_psw_mask(r->cpu), cases[i].mask);
        assert_int_equal(r->cpu->psw.ia, cases[i].ia);
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t mask = PSW_64 ^ BIT64(bit);
        bool unassigned = bit == 0 || (bit >= 2 && bit <= 4) || bit == 12 || (bit >= 24 && bit <= 30) || bit >= 33;
        /* Without bit 31 addresses are of 31 bits, without bit 32 bit 31 makes no sense. */
        assert_int_equal(cpu_load_psw(r->cpu, mask, 0), unassigned || bit == 32 ? PIC_SPECIFICATION : 0);
    }
    rig_end(r);
}

/* PSW bit 24 needs the facility and valid controls. */
static void run_time_instrumentation(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    uint8_t block[64] = {0};
    assert_int_equal(cpu_load_psw(r->cpu, PSW_64 | PSW_RI, 0), PIC_SPECIFICATION);
    assert_int_equal(cpu_load_psw(r->cpu, PSW_64, 0), 0);
    set_dword(r, 0x20000, 0); /* the controls of the specification's example */
    put64(block, 0x20000);
    put64(block + 8, 0x20000);
    put64(block + 16, 0x20fff);
    put64(block + 24, UINT64_C(0x8050000210e80100));
    assert_false(ri_block_invalid(block, false));
    (void)ri_lric(r->cpu->ri, block);
    assert_true(ri_valid(r->cpu->ri));
    assert_int_equal(cpu_load_psw(r->cpu, PSW_64 | PSW_RI, 0), 0);
    assert_true(r->cpu->psw.mask & PSW_RI);
    assert_true(ri_active(r->cpu->ri));
    facility_off(r, 64);
    assert_int_equal(cpu_load_psw(r->cpu, PSW_64 | PSW_RI, 0), PIC_SPECIFICATION);
    r->sys.profile.facilities[1] = UINT64_MAX;
    for (int kind = CPU_RESET; kind <= CPU_RESET_POWER_ON; kind++) {
        (void)ri_lric(r->cpu->ri, block);
        assert_int_equal(cpu_load_psw(r->cpu, PSW_64 | PSW_RI, 0), 0);
        cpu_reset(r->cpu, (enum cpu_reset_kind)kind);
        assert_false(r->cpu->psw.mask & PSW_RI);
        assert_false(ri_valid(r->cpu->ri));
        assert_false(ri_active(r->cpu->ri));
    }
    rig_end(r);
}

static void modes(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    psw(r, 0, 0);
    assert_int_equal(r->cpu->address_mask, 0xffffff);
    psw(r, PSW_BA, 0);
    assert_int_equal(r->cpu->address_mask, 0x7fffffff);
    psw(r, PSW_64, 0);
    assert_int_equal(r->cpu->address_mask, UINT64_MAX);
    psw(r, PSW_64 | UINT64_C(3) << 44, 0);
    assert_int_equal(r->cpu->cc, 3);
    assert_int_equal(r->cpu->psw.mask & PSW_CC, 0);
    r->cpu->cc = 1;
    assert_int_equal(cpu_psw_mask(r->cpu), PSW_64 | UINT64_C(1) << 44);
    rig_end(r);
}

static void short_psw(void **state)
{
    (void)state;
    uint64_t mask, ia;
    cpu_expand_psw(UINT64_C(0x0008000080010000), &mask, &ia);
    assert_int_equal(mask, PSW_BA);
    assert_int_equal(ia, 0x10000);
    cpu_expand_psw(UINT64_C(0x070a3001ffffffff), &mask, &ia);
    assert_int_equal(mask, UINT64_C(0x0702300180000000));
    assert_int_equal(ia, 0x7fffffff);
    cpu_expand_psw(0x10000, &mask, &ia); /* bit 12 not one */
    assert_int_equal(mask, PSW_BIT12);
}

/* ---- resets ---------------------------------------------------------------------------------------------------- */

static void fill(struct rig *r)
{
    struct cpu *cpu = r->cpu;
    memset(cpu->gr, 0x11, sizeof cpu->gr);
    memset(cpu->ar, 0x22, sizeof cpu->ar);
    memset(cpu->vr, 0x33, sizeof cpu->vr);
    memset(cpu->cr, 0x44, sizeof cpu->cr);
    cpu->fpc = 0x55;
    assert_true(cpu_set_prefix(cpu, 0x20000));
    cpu->tod_programmable = 0x66;
    cpu->clock_comparator = 0x77;
    cpu->program_parameter = 0x88;
    cpu->bear = 0x99;
    cpu_set_timer(cpu, 0xaa);
    psw(r, PSW_64 | PSW_PROBLEM, 0xbbbc);
    cpu->cc = 2;
    cpu->external = CPU_EXT_CALL | CPU_EXT_EMERGENCY | CPU_EXT_MALFUNCTION_ALERT | CPU_EXT_SERVICE_SIGNAL;
    cpu->ext_emergency = cpu->ext_malfunction = 1;
    cpu->restart_pending = cpu->stop_pending = true;
    cpu_set_state(cpu, CPU_STATE_OPERATING);
}

static void resets(void **state)
{
    (void)state;
    for (int kind = CPU_RESET; kind <= CPU_RESET_POWER_ON; kind++) {
        struct rig *r = rig_new();
        struct cpu *cpu = r->cpu;
        bool initial = kind >= CPU_RESET_INITIAL, clear = kind >= CPU_RESET_CLEAR;
        fill(r);
        cpu_reset(cpu, (enum cpu_reset_kind)kind);
        assert_int_equal(cpu->state, CPU_STATE_STOPPED);
        assert_int_equal(cpu->external, clear ? 0 : CPU_EXT_SERVICE_SIGNAL); /* a floating condition */
        assert_false(cpu->restart_pending || cpu->stop_pending);
        assert_int_equal(cpu_psw_mask(cpu), initial ? 0 : PSW_64 | PSW_PROBLEM | UINT64_C(2) << 44);
        assert_int_equal(cpu->psw.ia, initial ? 0 : 0xbbbc);
        assert_int_equal(cpu->address_mask, initial ? 0xffffff : UINT64_MAX);
        assert_int_equal(cpu->prefix, initial ? 0 : 0x20000);
        assert_int_equal(cpu->fpc, initial ? 0 : 0x55);
        assert_int_equal(cpu->tod_programmable, initial ? 0 : 0x66);
        assert_int_equal(cpu->clock_comparator, initial ? 0 : 0x77);
        assert_int_equal(cpu->program_parameter, initial ? 0 : 0x88);
        assert_int_equal(cpu->bear, initial ? 1 : 0x99);
        assert_int_equal(cpu_timer_value(cpu), initial ? 0 : 0xaa);
        for (unsigned i = 0; i < 16; i++) {
            uint64_t cr = i == 0 ? 0xe0 : i == 14 ? 0xc2000000 : 0;
            assert_int_equal(cpu->cr[i], initial ? cr : UINT64_C(0x4444444444444444));
            assert_int_equal(cpu->gr[i], clear ? 0 : UINT64_C(0x1111111111111111));
            assert_int_equal(cpu->ar[i], clear ? 0 : 0x22222222);
        }
        for (unsigned i = 0; i < 32; i++) {
            assert_int_equal(cpu->vr[i].hi, clear ? 0 : UINT64_C(0x3333333333333333));
            assert_int_equal(cpu->vr[i].lo, clear ? 0 : UINT64_C(0x3333333333333333));
        }
        rig_end(r);
    }
}

static void creation(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    assert_null(cpu_create(&r->sys, 0)); /* there is one */
    assert_null(cpu_create(&r->sys, CPU_MAX));
    struct cpu *last = cpu_create(&r->sys, CPU_MAX - 1);
    assert_non_null(last);
    assert_int_equal(r->sys.cpu_count, CPU_MAX);
    assert_int_equal(last->state, CPU_STATE_STOPPED);
    assert_int_equal(last->cr[0], 0xe0);
    cpu_destroy(last);
    assert_null(r->sys.cpus[CPU_MAX - 1]);
    rig_end(r);
}

/* ---- registers ------------------------------------------------------------------------------------------------- */

static void registers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int id;
        unsigned number;
    } names[] = {{"r0", CPU_REG_GR, 0},        {"R15", CPU_REG_GR, 15},       {"a7", CPU_REG_AR, 7},
                 {"c13", CPU_REG_CR, 13},      {"f15", CPU_REG_FPR, 15},      {"v31", CPU_REG_VR, 31},
                 {"fpc", CPU_REG_FPC, 0},      {"pswm", CPU_REG_PSW_MASK, 0}, {"prefix", CPU_REG_PREFIX, 0},
                 {"cpt", CPU_REG_CPU_TIMER, 0}};
    static const char *const bad[] = {"", "r", "r16", "v32", "fpc0", "r1x", "x1", "r0001", "r-1", "prefixprefix1"};
    struct rig *r = rig_new();
    unsigned number;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(cpu_register_find(names[i].name, &number), names[i].id);
        assert_int_equal(number, names[i].number);
    }
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_true(cpu_register_find(bad[i], &number) < 0);
    /* What is written is read, for every register. */
    for (unsigned id = 0; id < CPU_REGISTER_COUNT; id++)
        for (unsigned n = 0; n < cpu_registers[id].count; n++) {
            uint64_t set[2] = {0, 0x20000 + n}, got[2];
            if (cpu_registers[id].width == 128)
                set[0] = 0x1234 + n;
            if (id == CPU_REG_PSW_MASK)
                set[1] = PSW_64 | UINT64_C(2) << 44;
            assert_int_equal(cpu_register_set(r->cpu, id, n, set), 0);
            assert_true(cpu_register_get(r->cpu, id, n, got));
            assert_int_equal(got[0], set[0]);
            assert_int_equal(got[1], set[1]);
        }
    const uint64_t value[2] = {0, UINT64_C(0x100000000)}, odd_mode[2] = {0, PSW_EA};
    uint64_t got[2];
    assert_int_equal(cpu_register_set(r->cpu, CPU_REG_GR, 16, value), -EINVAL);
    assert_int_equal(cpu_register_set(r->cpu, CPU_REGISTER_COUNT, 0, value), -EINVAL);
    assert_int_equal(cpu_register_set(r->cpu, CPU_REG_PREFIX, 0, value), -EINVAL);
    assert_int_equal(cpu_register_set(r->cpu, CPU_REG_PSW_MASK, 0, odd_mode), PIC_SPECIFICATION);
    assert_false(cpu_register_get(r->cpu, CPU_REG_VR, 32, got));
    assert_false(cpu_register_get(r->cpu, CPU_REGISTER_COUNT, 0, got));
    /* A floating-point register is the left half of the vector register. */
    const uint64_t half[2] = {0, 77};
    assert_int_equal(cpu_register_set(r->cpu, CPU_REG_FPR, 3, half), 0);
    assert_int_equal(r->cpu->vr[3].hi, 77);
    rig_end(r);
}

/* ---- status ---------------------------------------------------------------------------------------------------- */

static void status(void **state)
{
    (void)state;
    struct rig *r = rig_new();
    struct cpu *cpu = r->cpu;
    fill(r);
    for (unsigned i = 0; i < 16; i++) {
        cpu->gr[i] = 0x100 + i;
        cpu->ar[i] = 0x200 + i;
        cpu->cr[i] = 0x300 + i;
        cpu->vr[i].hi = 0x400 + i;
    }
    cpu->clock_comparator = UINT64_C(0x1122334455667788);
    cpu_set_state(cpu, CPU_STATE_STOPPED);
    cpu_store_status(cpu);
    assert_int_equal(r->at[163], 1);
    for (unsigned i = 0; i < 16; i++) {
        assert_int_equal(dword(r, 0x1200 + 8 * i), 0x400 + i);
        assert_int_equal(dword(r, 0x1280 + 8 * i), 0x100 + i);
        assert_int_equal(word(r, 0x1340 + 4 * i), 0x200 + i);
        assert_int_equal(dword(r, 0x1380 + 8 * i), 0x300 + i);
    }
    assert_int_equal(dword(r, 0x1300), PSW_64 | PSW_PROBLEM | UINT64_C(2) << 44);
    assert_int_equal(dword(r, 0x1308), 0xbbbc);
    assert_int_equal(word(r, 0x1318), 0x20000);
    assert_int_equal(word(r, 0x131c), 0x55);
    assert_int_equal(word(r, 0x1324), 0x66);
    assert_int_equal(dword(r, 0x1328), 0xaa);
    assert_int_equal(dword(r, 0x1331), UINT64_C(0x1122334455667700)); /* 7 bytes at 1331, 1338 not stored */
    assert_false(cpu_store_status_at(cpu, 4 * MIB - 511));
    assert_true(cpu_store_status_at(cpu, 4 * MIB - 512));
    assert_int_equal(cpu_sigp_status(cpu), CPU_STATUS_STOPPED | CPU_STATUS_EXTERNAL_CALL_PENDING);
    cpu->external = 0;
    cpu_set_state(cpu, CPU_STATE_OPERATING);
    assert_int_equal(cpu_sigp_status(cpu), 0);
    cpu_set_state(cpu, CPU_STATE_CHECK_STOP);
    assert_int_equal(cpu_sigp_status(cpu), CPU_STATUS_CHECK_STOP);
    rig_end(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),   cmocka_unit_test(run_time_instrumentation),
        cmocka_unit_test(modes),     cmocka_unit_test(short_psw),
        cmocka_unit_test(resets),    cmocka_unit_test(creation),
        cmocka_unit_test(registers), cmocka_unit_test(status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
