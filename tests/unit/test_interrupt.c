/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interruptions: what is stored where, old PSWs, masks, priorities, invalid new PSWs. PoP chapters 6 and 11. */
#include "cpu/control/interrupt.h"
#include "cpu/control/registers.h"
#include "cpu/control/status.h"
#include "cpu/life/life.h"
#include "cpu/state/timing.h"
#include "tests/unit/cpu_harness.h"
#include "tests/unit/use_engine.h"

#define OLD_RESTART  288
#define OLD_EXTERNAL 304
#define OLD_SVC      320
#define OLD_PROGRAM  336
#define OLD_MCHK     352
#define OLD_IO       368
#define NEW(old)     ((old) + 128u)

/* New PSWs that lead to recognizable addresses, everything masked. */
static struct rig *rig_ready(void)
{
    struct rig *r = rig_new();
    for (unsigned old = OLD_RESTART; old <= OLD_IO; old += 16) {
        set_dword(r, NEW(old), PSW_64);
        set_dword(r, NEW(old) + 8, 0x80000 + old);
    }
    memset(r->at + 128, 0xee, 160); /* so that unstored fields show */
    return r;
}

/* An instruction of `length` bytes at 10000 ends with `code`. */
static void deliver(struct rig *r, unsigned length, int code)
{
    r->cpu->insn_ia = 0x10000;
    r->cpu->ilc = (uint8_t)length;
    r->cpu->psw.ia = 0x10000 + length;
    cpu_deliver(r->cpu, code);
}
#define assert_at(r, old) assert_int_equal((r)->cpu->psw.ia, 0x80000 + (old))

static void lb_48_50_program(void **state)
{
    (void)state;
    static const struct {
        int code;
        bool nullifies, completes, teid, access_id;
    } codes[] = {
        {PIC_OPERATION, false, false, false, false},
        {PIC_PRIVILEGED_OPERATION, false, false, false, false},
        {PIC_EXECUTE, false, false, false, false},
        {PIC_PROTECTION, false, false, true, true},
        {PIC_ADDRESSING, false, false, false, false},
        {PIC_SPECIFICATION, false, false, false, false},
        {PIC_FIXED_POINT_OVERFLOW, false, true, false, false},
        {PIC_FIXED_POINT_DIVIDE, false, false, false, false},
        {PIC_DECIMAL_OVERFLOW, false, true, false, false},
        {PIC_DECIMAL_DIVIDE, false, false, false, false},
        {PIC_HFP_EXPONENT_OVERFLOW, false, true, false, false},
        {PIC_HFP_EXPONENT_UNDERFLOW, false, true, false, false},
        {PIC_HFP_SIGNIFICANCE, false, true, false, false},
        {PIC_HFP_DIVIDE, false, false, false, false},
        {PIC_SEGMENT_TRANSLATION, true, false, true, true},
        {PIC_PAGE_TRANSLATION, true, false, true, true},
        {PIC_TRANSLATION_SPECIFICATION, false, false, false, false},
        {PIC_SPECIAL_OPERATION, false, false, false, false},
        {PIC_OPERAND, false, false, false, false},
        {PIC_TRACE_TABLE, true, false, false, false},
        {PIC_SPACE_SWITCH_EVENT, false, true, true, false},
        {PIC_PC_TRANSLATION_SPECIFICATION, false, false, false, false},
        {PIC_AFX_TRANSLATION, true, false, true, false},
        {PIC_ASX_TRANSLATION, true, false, true, false},
        {PIC_LX_TRANSLATION, true, false, true, false},
        {PIC_EX_TRANSLATION, true, false, true, false},
        {PIC_PRIMARY_AUTHORITY, true, false, true, false},
        {PIC_SECONDARY_AUTHORITY, true, false, true, false},
        {PIC_ALET_SPECIFICATION, false, false, false, true},
        {PIC_ALEN_TRANSLATION, true, false, false, true},
        {PIC_ALE_SEQUENCE, true, false, false, true},
        {PIC_ASTE_VALIDITY, true, false, false, true},
        {PIC_ASTE_SEQUENCE, true, false, false, true},
        {PIC_EXTENDED_AUTHORITY, true, false, false, true},
        {PIC_STACK_FULL, true, false, false, false},
        {PIC_STACK_EMPTY, true, false, false, false},
        {PIC_ASCE_TYPE, true, false, true, true},
        {PIC_REGION_FIRST_TRANSLATION, true, false, true, true},
        {PIC_REGION_THIRD_TRANSLATION, true, false, true, true},
        {PIC_MONITOR_EVENT, false, true, false, false},
    };
    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++)
        for (unsigned length = 2; length <= 6; length += 2) {
            struct rig *r = rig_ready();
            struct cpu *cpu = r->cpu;
            cpu->cc = 2;
            cpu->bear = 0x123456;
            cpu->teid = 0x5000800;
            cpu->exception_access_id = 7;
            cpu->operand_access_id = 0x35;
            cpu->monitor_class = 9;
            cpu->monitor_code = 0xabcdef;
            assert_int_equal(cpu_code_nullifies(codes[i].code), codes[i].nullifies);
            assert_int_equal(cpu_code_completes(codes[i].code), codes[i].completes);
            deliver(r, length, codes[i].code);
            assert_at(r, OLD_PROGRAM);
            assert_int_equal(dword(r, OLD_PROGRAM), PSW_64 | UINT64_C(2) << 44);
            assert_int_equal(dword(r, OLD_PROGRAM + 8), 0x10000 + (codes[i].nullifies ? 0 : length));
            assert_int_equal(word(r, 140), length << 16 | (unsigned)codes[i].code);
            assert_int_equal(dword(r, 272), 0x123456);
            assert_int_equal(dword(r, 168), codes[i].teid ? 0x5000800 : UINT64_C(0xeeeeeeeeeeeeeeee));
            assert_int_equal(r->at[160], codes[i].access_id ? 7 : 0xee);
            assert_int_equal(r->at[162], codes[i].access_id ? 0x35 : 0xee);
            bool monitor = codes[i].code == PIC_MONITOR_EVENT;
            assert_int_equal(get16(r->at + 148), monitor ? 9 : 0xeeee);
            assert_int_equal(dword(r, 176), monitor ? 0xabcdef : UINT64_C(0xeeeeeeeeeeeeeeee));
            assert_int_equal(get16(r->at + 150), 0xeeee); /* no PER event */
            assert_int_equal(word(r, 144), 0xeeeeeeee);
            rig_end(r);
        }
}

static void lb_48_data_exceptions(void **state)
{
    (void)state;
    for (unsigned afp = 0; afp < 2; afp++) {
        struct rig *r = rig_ready();
        r->cpu->fpc = 0xf8ffff77;
        set_cr(r, 0, afp ? BIT64(45) : 0);
        r->cpu->dxc = 0x20;
        deliver(r, 4, PIC_DATA);
        assert_int_equal(word(r, 144), 0x20);
        assert_int_equal(r->cpu->fpc, afp ? 0xf8ff2077 : 0xf8ffff77);
        r->cpu->vxc = 0x51;
        deliver(r, 6, PIC_VECTOR_PROCESSING);
        assert_int_equal(word(r, 144), 0x51);
        assert_int_equal(word(r, 140), 0x0006001b);
        assert_int_equal(r->cpu->fpc, afp ? 0xf8ff5177 : 0xf8ffff77);
        rig_end(r);
    }
}

static void lb_50_supervisor_call(void **state)
{
    (void)state;
    struct rig *r = rig_ready();
    r->cpu->svc_code = 0x42;
    deliver(r, 4, CPU_SVC); /* as target of EXECUTE */
    assert_at(r, OLD_SVC);
    assert_int_equal(word(r, 136), 0x00040042);
    assert_int_equal(dword(r, OLD_SVC + 8), 0x10004);
    assert_int_equal(word(r, 140), 0xeeeeeeee);
    rig_end(r);
}

/* The prefix area is where it all happens. */
static void lb_34_50_prefixed(void **state)
{
    (void)state;
    struct rig *r = rig_ready();
    memcpy(r->at + 0x300000, r->at, 0x2000);
    set_dword(r, 0x300000 + NEW(OLD_PROGRAM) + 8, 0x90000);
    assert_true(cpu_set_prefix(r->cpu, 0x300000));
    deliver(r, 2, PIC_OPERATION);
    assert_int_equal(r->cpu->psw.ia, 0x90000);
    assert_int_equal(dword(r, 0x300000 + OLD_PROGRAM + 8), 0x10002);
    assert_int_equal(dword(r, OLD_PROGRAM + 8), 0);
    rig_end(r);
}

/* A new PSW with a format error: a program interruption with length code zero, the invalid PSW as old PSW. If that of
   program interruptions is invalid, the CPU checks-stops instead of going on for ever. */
static void invalid_new_psw(void **state)
{
    (void)state;
    struct rig *r = rig_ready();
    set_dword(r, NEW(OLD_SVC), PSW_64 | BIT64(3));
    r->cpu->svc_code = 1;
    deliver(r, 2, CPU_SVC);
    assert_at(r, OLD_PROGRAM);
    assert_int_equal(word(r, 140), PIC_SPECIFICATION);
    assert_int_equal(dword(r, OLD_PROGRAM), PSW_64 | BIT64(3));
    assert_int_equal(dword(r, OLD_PROGRAM + 8), 0x80000 + OLD_SVC);
    assert_int_equal(dword(r, OLD_SVC + 8), 0x10002);
    assert_false(r->cpu->zero_ilc);
    set_dword(r, NEW(OLD_PROGRAM), PSW_EA);
    deliver(r, 4, PIC_OPERATION);
    assert_int_equal(r->cpu->state, CPU_STATE_CHECK_STOP);
    assert_int_equal(word(r, 140), PIC_SPECIFICATION); /* it was tried once */
    rig_end(r);
}

static unsigned told;
static void state_changed(void *machine, struct cpu *cpu)
{
    assert_non_null(machine);
    told = cpu->state;
}

static void check_stop(void **state)
{
    (void)state;
    static const struct cpu_callouts callouts = {.state_changed = state_changed};
    struct rig *r = rig_ready();
    uint64_t done;
    r->sys.callouts = &callouts;
    r->sys.machine = r;
    told = 0;
    deliver(r, 2, CPU_CHECK_STOP);
    assert_int_equal(r->cpu->state, CPU_STATE_CHECK_STOP);
    assert_int_equal(told, CPU_STATE_CHECK_STOP);
    assert_int_equal(engine_run(r->cpu, 10, &done), ENGINE_STOPPED);
    assert_int_equal(done, 0);
    rig_end(r);
}

/* ---- external -------------------------------------------------------------------------------------------------- */

static const struct {
    uint32_t condition;
    unsigned code, subclass; /* bit of control register 0 */
} external[] = {
    {CPU_EXT_INTERRUPT_KEY, 0x0040, 57},  {CPU_EXT_MALFUNCTION_ALERT, 0x1200, 48}, {CPU_EXT_EMERGENCY, 0x1201, 49},
    {CPU_EXT_CALL, 0x1202, 50},           {CPU_EXT_CLOCK_COMPARATOR, 0x1004, 52},  {CPU_EXT_CPU_TIMER, 0x1005, 53},
    {CPU_EXT_SERVICE_SIGNAL, 0x2401, 54},
};
#define EXTERNALS (sizeof external / sizeof external[0])

/* All conditions pending at once. */
static void raise_all(struct rig *r)
{
    struct cpu *cpu = r->cpu;
    cpu_raise_external(cpu, CPU_EXT_INTERRUPT_KEY);
    cpu_raise_external(cpu, CPU_EXT_MALFUNCTION_ALERT);
    cpu->ext_malfunction = 1u << 5;
    cpu_raise_external(cpu, CPU_EXT_EMERGENCY);
    cpu->ext_emergency = 1u << 6;
    cpu_raise_external(cpu, CPU_EXT_CALL);
    cpu->ext_call_from = 7;
    cpu_raise_service_signal(&r->sys, 0xcafe0008);
    r->sys.tod_base = 100;
    cpu->clock_comparator = 0;
    cpu_set_timer(cpu, -1);
}

/* Each in its turn by priority; the levels stay pending. */
static void lb_54_external_priority(void **state)
{
    (void)state;
    struct rig *r = rig_ready();
    struct cpu *cpu = r->cpu;
    raise_all(r);
    set_cr(r, 0, UINT64_MAX & ~(BIT64(35) | BIT64(10))); /* the comparator's sign does not count */
    for (unsigned i = 0; i < EXTERNALS; i++) {
        psw(r, PSW_64 | PSW_EXT, 0x4000);
        assert_true(cpu_interruption_pending(cpu));
        assert_true(cpu_take_interruption(cpu));
        assert_at(r, OLD_EXTERNAL);
        assert_int_equal(dword(r, OLD_EXTERNAL + 8), 0x4000);
        assert_int_equal(get16(r->at + 134), external[i].code);
        assert_int_equal(get16(r->at + 132), i >= 1 && i <= 3 ? 4 + i : 0);
        if (external[i].condition == CPU_EXT_SERVICE_SIGNAL)
            assert_int_equal(word(r, 128), 0xcafe0008);
        assert_false(cpu_take_interruption(cpu)); /* masked by the new PSW */
        if (external[i].condition == CPU_EXT_CLOCK_COMPARATOR) {
            assert_true(cpu_external_pending(cpu) & CPU_EXT_CLOCK_COMPARATOR);
            cpu->clock_comparator = UINT64_MAX;
        }
        if (external[i].condition == CPU_EXT_CPU_TIMER) {
            assert_true(cpu_external_pending(cpu) & CPU_EXT_CPU_TIMER);
            cpu_set_timer(cpu, 1000);
        }
    }
    assert_int_equal(cpu_external_pending(cpu), 0);
    rig_end(r);
}

/* Its own subclass mask lets a condition through, and no other one does. */
static void lb_54_external_masks(void **state)
{
    (void)state;
    for (unsigned i = 0; i < EXTERNALS; i++) {
        struct rig *r = rig_ready();
        raise_all(r);
        psw(r, PSW_64 | PSW_EXT, 0x4000);
        set_cr(r, 0, 0);
        assert_false(cpu_take_interruption(r->cpu));
        set_cr(r, 0, BIT64(external[i].subclass));
        psw(r, PSW_64, 0x4000);
        assert_false(cpu_interruption_pending(r->cpu));
        psw(r, PSW_64 | PSW_EXT, 0x4000);
        assert_true(cpu_take_interruption(r->cpu));
        assert_int_equal(get16(r->at + 134), external[i].code);
        rig_end(r);
    }
}

/* Emergency signals of several CPUs come one by one; a service signal is taken by one CPU and gathers its
   parameters. */
static void lb_54_external_sources(void **state)
{
    (void)state;
    struct rig *r = rig_ready();
    struct cpu *cpu = r->cpu, *other = cpu_create(&r->sys, 1);
    assert_non_null(other);
    set_cr(r, 0, BIT64(49) | BIT64(54));
    cpu_raise_external(cpu, CPU_EXT_EMERGENCY);
    cpu->ext_emergency = UINT64_C(1) << 63 | 1u << 2;
    psw(r, PSW_64 | PSW_EXT, 0);
    assert_true(cpu_take_interruption(cpu));
    assert_int_equal(get16(r->at + 132), 2);
    psw(r, PSW_64 | PSW_EXT, 0);
    assert_true(cpu_take_interruption(cpu));
    assert_int_equal(get16(r->at + 132), 63);
    psw(r, PSW_64 | PSW_EXT, 0);
    assert_false(cpu_take_interruption(cpu));
    cpu_raise_service_signal(&r->sys, 0x1000);
    cpu_raise_service_signal(&r->sys, 1);
    assert_true(other->external & CPU_EXT_SERVICE_SIGNAL);
    assert_true(cpu_take_interruption(cpu));
    assert_int_equal(word(r, 128), 0x1001);
    assert_false(other->external & CPU_EXT_SERVICE_SIGNAL);
    cpu_raise_service_signal(&r->sys, 2);
    psw(r, PSW_64 | PSW_EXT, 0);
    assert_true(cpu_take_interruption(cpu));
    assert_int_equal(word(r, 128), 2);
    rig_end(r);
}

/* ---- I/O, machine check, restart ------------------------------------------------------------------------------- */

struct device {
    struct rig *r;
    unsigned pending;
};
static bool io_pending(void *machine, struct cpu *cpu)
{
    (void)cpu;
    return ((struct device *)machine)->pending;
}
static bool io_take(void *machine, struct cpu *cpu, uint32_t words[3])
{
    struct device *d = machine;
    (void)cpu;
    for (unsigned i = 0; i < 3; i++)
        words[i] = 0x11111111u * (i + 1);
    return d->pending-- != 0;
}

static struct rig *rig_with_device(struct device *device)
{
    static const struct cpu_callouts callouts = {.io_pending = io_pending, .io_take = io_take};
    struct rig *r = rig_ready();
    device->r = r;
    r->sys.callouts = &callouts;
    r->sys.machine = device;
    return r;
}

static void classes(void **state)
{
    (void)state;
    struct device device = {NULL, 1};
    struct rig *r = rig_with_device(&device);
    struct cpu *cpu = r->cpu;
    set_cr(r, 0, BIT64(50));
    set_cr(r, 14, BIT64(35));
    cpu_raise_external(cpu, CPU_EXT_CALL);
    cpu_raise_channel_report(&r->sys);
    cpu->restart_pending = true;
    const uint64_t all = PSW_64 | PSW_EXT | PSW_IO | PSW_MCHK;
    static const unsigned order[] = {OLD_MCHK, OLD_EXTERNAL, OLD_IO, OLD_RESTART};
    for (unsigned i = 0; i < 4; i++) {
        psw(r, all, 0x4000 + i);
        assert_true(cpu_take_interruption(cpu));
        assert_at(r, order[i]);
        assert_int_equal(dword(r, order[i]), all);
        assert_int_equal(dword(r, order[i] + 8), 0x4000 + i);
    }
    psw(r, all, 0x5000);
    assert_false(cpu_take_interruption(cpu));
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(word(r, 184 + 4 * i), 0x11111111u * (i + 1));
    assert_int_equal(dword(r, 232), UINT64_C(0x00400f1d40330000));
    assert_int_equal(dword(r, 0x1380 + 8 * 14), BIT64(35)); /* registers were saved */
    /* Masks. */
    device.pending = 1;
    cpu_raise_channel_report(&r->sys);
    psw(r, PSW_64 | PSW_EXT, 0x5000);
    assert_false(cpu_interruption_pending(cpu));
    set_cr(r, 14, 0);
    psw(r, PSW_64 | PSW_MCHK, 0x5000);
    assert_false(cpu_interruption_pending(cpu));
    cpu->restart_pending = true; /* cannot be masked */
    assert_true(cpu_take_interruption(cpu));
    assert_at(r, OLD_RESTART);
    rig_end(r);
}

/* Keys of the prefix area and of absolute zero are what they are after a store to the first page, perhaps to the
   second. */
static void assert_recorded(struct rig *r, uint64_t prefix, bool second)
{
    assert_int_equal(key(r, prefix), 0x30 | KEY_R | KEY_C);
    assert_int_equal(key(r, prefix + 0x1000), second ? 0x30 | KEY_R | KEY_C : 0x30);
    for (unsigned page = 0; page < 2; page++) {
        if (prefix)
            assert_int_equal(key(r, page * 0x1000), 0);
        set_key(r, prefix + page * 0x1000, 0x30);
    }
}

/* PoP chapter 3: change recording takes place for the implicit stores of interruptions and of store status, too. */
static void stores_are_recorded(void **state)
{
    (void)state;
    struct device device = {NULL, 1};
    struct rig *r = rig_with_device(&device);
    struct cpu *cpu = r->cpu;
    memcpy(r->at + 0x20000, r->at, 0x1000);
    assert_true(cpu_set_prefix(cpu, 0x20000));
    set_key(r, 0x20000, 0x30);
    set_key(r, 0x21000, 0x30);
    set_key(r, 0, 0);
    set_key(r, 0x1000, 0);
    set_cr(r, 0, BIT64(50) | BIT64(54));
    set_cr(r, 14, BIT64(35));
    deliver(r, 4, PIC_OPERATION);
    assert_recorded(r, 0x20000, false);
    deliver(r, 2, CPU_SVC);
    assert_recorded(r, 0x20000, false);
    cpu_raise_external(cpu, CPU_EXT_CALL);
    cpu_raise_channel_report(&r->sys);
    cpu->restart_pending = true;
    for (unsigned i = 0; i < 4; i++) { /* machine check, which saves registers, external, I/O, restart */
        psw(r, PSW_64 | PSW_EXT | PSW_IO | PSW_MCHK, 0x4000);
        assert_true(cpu_take_interruption(cpu));
        assert_recorded(r, 0x20000, i == 0);
    }
    cpu_raise_block_io(&r->sys, 0x0700, 0x1234); /* a parameter of 64 bits goes to real 4536 */
    psw(r, PSW_64 | PSW_EXT, 0x4000);
    assert_true(cpu_take_interruption(cpu));
    assert_recorded(r, 0x20000, true);
    assert_true(cpu_set_prefix(cpu, 0));
    set_key(r, 0, 0x30);
    set_key(r, 0x1000, 0x30);
    cpu_store_status(cpu);
    assert_recorded(r, 0, true);
    rig_end(r);
}

/* An external new PSW that is enabled for a condition that stays: the operator gets the machine back. */
static void endless_string(void **state)
{
    (void)state;
    for (int kind = ENGINE_BLOCK; kind <= ENGINE_TRANSLATE; kind++) {
        struct rig *r = rig_ready();
        uint64_t done;
        use_engine(r->cpu, (enum engine_kind)kind, 0);
        set_dword(r, NEW(OLD_EXTERNAL), PSW_64 | PSW_EXT);
        set_cr(r, 0, BIT64(53));
        cpu_set_timer(r->cpu, -1);
        psw(r, PSW_64 | PSW_EXT, 0x4000);
        assert_int_equal(engine_run(r->cpu, 1000, &done), ENGINE_BUDGET);
        assert_int_equal(done, 1000);
        assert_int_equal(cpu_instructions(r->cpu), 1000);
        rig_end(r);
    }
}

/* A program new PSW that leads to the next program interruption: the same. */
static void program_loop(void **state)
{
    (void)state;
    static const uint64_t bad[][2] = {{PSW_64, 0x80001}, {PSW_64, 64 * MIB}, {PSW_64 | PSW_DAT, 0}, {PSW_64, 0x20000}};
    for (int kind = ENGINE_BLOCK; kind <= ENGINE_TRANSLATE; kind++)
        for (unsigned i = 0; i < 4; i++) {
            struct rig *r = rig_ready();
            uint64_t done;
            use_engine(r->cpu, (enum engine_kind)kind, 0);
            r->cpu->cr[1] = 64 * MIB;
            set_dword(r, NEW(OLD_PROGRAM), bad[i][0]);
            set_dword(r, NEW(OLD_PROGRAM) + 8, bad[i][1]);
            psw(r, PSW_64, 0x20000);
            assert_int_equal(engine_run(r->cpu, 500, &done), ENGINE_BUDGET);
            assert_int_equal(done, 500);
            assert_int_equal(dword(r, OLD_PROGRAM), bad[i][0]);
            rig_end(r);
        }
}

/* Names of codes, and codes of names. */
static void names(void **state)
{
    static const struct {
        unsigned code;
        const char *name;
    } codes[] = {{0, ""},
                 {PIC_ADDRESSING, "addressing"},
                 {PIC_PER_EVENT, "PER event"},
                 {PIC_REGION_FIRST_TRANSLATION, "region-first translation"},
                 {PIC_PAGE_TRANSLATION | PIC_PER_EVENT, "page translation, PER event"},
                 {PIC_DATA | PIC_TRANSACTION_ABORT, "data, transaction aborted"},
                 {PIC_DATA | PIC_TRANSACTION_ABORT | PIC_PER_EVENT, "data, PER event, transaction aborted"},
                 {PIC_CRYPTO_OPERATION, "crypto operation"},
                 {0x3f, ""}};
    static const struct {
        const char *name;
        int code;
    } found[] = {{"addressing", PIC_ADDRESSING},
                 {"Addr", PIC_ADDRESSING},
                 {"page translation", PIC_PAGE_TRANSLATION},
                 {"page-translation", PIC_PAGE_TRANSLATION},
                 {"PAGE_TRANS", PIC_PAGE_TRANSLATION},
                 {"operation", PIC_OPERATION},
                 {"opera", -1}, /* operation, operand */
                 {"region", -1},
                 {"region-th", PIC_REGION_THIRD_TRANSLATION},
                 {"ex", -1},
                 {"execute", PIC_EXECUTE},
                 {"", -1},
                 {"addressings", -1}};
    char text[64];
    (void)state;
    for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++) {
        cpu_program_name(codes[i].code, text, sizeof text);
        assert_string_equal(text, codes[i].name);
    }
    for (size_t size = 1; size < 30; size++) {
        cpu_program_name(PIC_DATA | PIC_PER_EVENT, text, size);
        assert_int_equal(strlen(text), size <= 15 ? size - 1 : 15);
    }
    for (unsigned i = 0; i < sizeof found / sizeof *found; i++)
        if (cpu_program_find(found[i].name) != found[i].code)
            fail_msg("%s: %d", found[i].name, cpu_program_find(found[i].name));
    for (const struct cpu_code_name *row = cpu_program_codes; row->name; row++)
        assert_int_equal(cpu_program_find(row->name), row->code);
    assert_string_equal(cpu_data_exception_name(DXC_TRAP), "compare and trap");
    assert_null(cpu_data_exception_name(5));
    assert_string_equal(cpu_vector_exception_name(0x31), "IEEE invalid operation");
    assert_null(cpu_vector_exception_name(0x30));
    assert_string_equal(cpu_external_name(0x1004), "clock comparator");
    assert_null(cpu_external_name(0x1003));
    assert_int_equal(cpu_machine_check_rows[0].code, UINT64_C(0x0040000000000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(lb_48_50_program),
        cmocka_unit_test(lb_48_data_exceptions),
        cmocka_unit_test(lb_50_supervisor_call),
        cmocka_unit_test(lb_34_50_prefixed),
        cmocka_unit_test(invalid_new_psw),
        cmocka_unit_test(check_stop),
        cmocka_unit_test(lb_54_external_priority),
        cmocka_unit_test(lb_54_external_masks),
        cmocka_unit_test(lb_54_external_sources),
        cmocka_unit_test(classes),
        cmocka_unit_test(endless_string),
        cmocka_unit_test(stores_are_recorded),
        cmocka_unit_test(program_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
