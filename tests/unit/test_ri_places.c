/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-time instrumentation as guest programs see it when the program buffer lies where it should not: empty, at the end
   of the address space, over the running code, the control block, the prefix area; and collection by state. Each
   program is run by both engines. */
#include "cpu/control/psw.h"
#include "cpu/storage/tlb.h"
#include "tests/unit/ri_guest.h"

/* RLA below ROA is accepted and is the stopped state from the start: nothing is counted or stored, L stays zero. */
GUEST(ri_15_121_rla_below_roa, "RI-A")
{
    struct ri_controls c = usual(2);
    c.u = 1;
    c.rla = BASE - 1;
    guest_block(g, 0, c);
    ENDS(g, "lric 0x11000\n rion\n riemit %r1\n rinext\n nopr %r0\n nopr %r0\n stric 0x12000\n rioff\n lpswe 0x900");
    assert_int_equal(guest_groups(g), 0);
    assert_int_equal(guest_out(g, 0).roa, BASE);
    assert_int_equal(guest_out(g, 0).rca, BASE);
    assert_int_equal(guest_out(g, 0).rla, BASE - 1);
    assert_int_equal(guest_out(g, 0).rsic, 2);
    assert_int_equal(guest_out(g, 0).l, 0);
    assert_int_equal(guest_type(g, 0), 0);
    /* MRIC with room ends it. */
    c.rla = BASE + 0xfff;
    guest_block(g, 1, c);
    ENDS(g, "lric 0x11000\n rion\n mric 0x11040\n nopr %r0\n nopr %r0\n rioff\n lpswe 0x900");
    assert_int_equal(guest_groups(g), 1);
}

/* Far addresses that are no storage: an addressing exception for the group, and the program goes on behind it. */
GUEST(ri_116_117_buffer_beyond_storage, "RI-A")
{
    static const uint64_t at[] = {0x10000000, UINT64_C(0x7ffffffffffff000), UINT64_C(0xfffffffffffff000)};
    for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
        struct ri_controls c = usual(2);
        c.roa = c.rca = at[i];
        c.rla = at[i] + 0xfff;
        guest_block(g, 0, c);
        guest_run(g, "lric 0x11000\n rion\n nopr %r0\n sample:\n nopr %r0\n behind:\n rioff\n lpswe 0x900");
        guest_program(g, PIC_ADDRESSING, 0);
        assert_int_equal(program_old_ia(g), label(g, "behind"));
        assert_int_equal(g->cpu->ri->controls.rca, at[i]);
        assert_int_equal(guest_groups(g), 0);
    }
}

/* Tables that lead both the lowest and the highest MiB of 2^64 bytes to absolute 0 up. */
static void whole_space(struct guest *g)
{
    uint64_t tables[] = {0x200000, 0x204000, 0x208000, 0x20c000, 0x210000};
    for (unsigned level = 0; level < 4; level++) {
        for (unsigned i = 0; i < 2048; i++)
            put64(g->storage + tables[level] + 8 * i, 0x20);
        uint64_t type = 12 - 4 * level, entry = level < 3 ? tables[level + 1] | type | 3 : tables[4];
        put64(g->storage + tables[level], entry);
        put64(g->storage + tables[level] + 8 * 2047, entry);
    }
    for (unsigned i = 0; i < 256; i++)
        put64(g->storage + tables[4] + 8 * i, i << 12);
    g->cpu->cr[1] = tables[0] | 0xf;
    cpu_tlb_purge(g->cpu);
}

/* The last 4K-byte block: what happens behind its last group is not promised, but no harm comes to the machine. */
GUEST(ri_120_buffer_that_wraps, "RI-A")
{
    const uint64_t last = UINT64_C(0xfffffffffffff000);
    struct ri_controls c = usual(1);
    whole_space(g);
    c.roa = c.rca = last;
    c.rla = last + 0xfff;
    c.rgs = 1; /* 64 groups of 64 bytes */
    guest_block(g, 0, c);
    guest_code(g, CODE, "lric 0x11000\n lghi %r3,70\n rion\n loop:\n brct %r3,@loop\n rioff\n lpswe 0x900");
    guest_go(g, PSW_64 | PSW_DAT, CODE);
    assert_true(guest_groups(g) >= 64);
    for (unsigned i = 1; i < 64; i++)
        assert_int_equal(g->storage[0xff000 + 64 * i], RI_TYPE_TIMESTAMP);
    assert_true(get64(g->storage + 0xff000) >> 32 >= 0x02000040); /* 64 groups, or more: no promise */
}

/* The group is stored over the instructions that come next: they are what is carried out. */
GUEST(ri_111_buffer_over_the_running_code, "RI-A")
{
    struct ri_controls c = usual(5);
    c.roa = c.rca = 0x14000;
    c.rla = 0x14fff;
    c.rgs = 0;
    guest_block(g, 0, c);
    /* Once with RI off, so that the code is known to the engine, then with it. */
    const char *text = "lric 0x11000\n lpswe 0x910\n .org 13ff8\n go:\n nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n "
                       "sample:\n lr %r1,%r1\n lr %r2,%r2\n lpswe 0x900";
    guest_code(g, CODE, text);
    guest_psw(g, 0x910, PSW_64, label(g, "go"));
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(guest_go(g, PSW_64, CODE), WAIT_END);
    guest_psw(g, 0x910, PSW_64 | PSW_RI, label(g, "go"));
    guest_go(g, PSW_64, CODE);
    assert_int_equal(label(g, "sample"), 0x14000);
    assert_int_equal(guest_groups(g), 1);
    /* The sample instruction is the fifth; behind it stands the middle of a begin record: 0001 0001 ... */
    assert_int_equal(get64(g->storage + 0x14000), UINT64_C(0x0200000100010000));
    guest_program(g, PIC_OPERATION, 2);
    assert_int_equal(program_old_ia(g), 0x14004);
}

/* The group is stored over the control block that it was loaded from: the controls in the CPU stay, and what LRIC takes
   from there afterwards are the bytes of the group. */
GUEST(ri_12_22_buffer_over_the_control_block, "RI-A")
{
    struct ri_controls c = usual(2);
    c.roa = c.rca = BLOCK;
    c.rla = BLOCK + 0xfff;
    c.rgs = 0;
    guest_block(g, 0, c);
    ENDS(g, "lric 0x11000\n rion\n nopr %r0\n nopr %r0\n stric 0x12000\n rioff\n lric 0x11000\n tric\n ipm %r2\n lpswe "
            "0x900");
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(g->storage[BLOCK], RI_TYPE_BEGIN);
    assert_int_equal(guest_out(g, 0).roa, BLOCK);
    assert_int_equal(guest_out(g, 0).rca, BLOCK + 32);
    assert_int_equal(guest_out(g, 0).sf, 2);
    assert_int_equal(guest_cc(g, 2), 3); /* bit 64 of the instruction record of NOPR stands where V is: zero */
    /* With a branch the bit is one, and its text stands where the mode is: 10, which is not valid. */
    guest_block(g, 0, c);
    guest_run(g, "lric 0x11000\n rion\n nopr %r0\n j @on\n on:\n rioff\n lric 0x11000\n lpswe 0x900");
    assert_int_equal(g->storage[BLOCK + 16], RI_TYPE_INSTRUCTION);
    guest_program(g, PIC_SPECIFICATION, 6);
    assert_int_equal(g->cpu->ri->controls.roa, BLOCK); /* the controls are unchanged */
}

/* The group is stored over the prefix area: the new PSWs are what the records are. */
GUEST(ri_6_115_buffer_over_the_prefix_area, "RI-A")
{
    struct ri_controls c = usual(100);
    c.roa = c.rca = 0;
    c.rla = 0xfff;
    c.rgs = 4; /* 512 bytes: the new PSWs at 1A0 to 1FF are records 26 to 31 */
    guest_block(g, 0, c);
    memcpy(g->storage + 0x3000, g->storage, 0x1000);
    /* The SVC new PSW at 1C0 becomes the emit record about the last event but one: bit 3 of a PSW must be zero. */
    guest_code(g, CODE,
               "lric 0x11000\n rion\n riemit %r5\n riemit %r5\n riemit %r5\n rinext\n nopr %r0\n rioff\n lpswe "
               "0x900");
    assert_int_equal(guest_go(g, PSW_64, CODE), WAIT_END);
    assert_int_equal(g->storage[0], RI_TYPE_BEGIN);
    assert_int_equal(g->storage[0x1c0], RI_TYPE_EMIT);
    assert_int_equal(g->storage[0x1f0], RI_TYPE_INSTRUCTION);
    /* Now an SVC: its new PSW is not valid, and neither is the program new PSW at 1D0: a string of interruptions
       without end, out of which the operator can still take the machine. */
    uint64_t done;
    guest_code(g, CODE, "svc 0");
    g->cpu->state = CPU_STATE_OPERATING;
    assert_int_equal(cpu_load_psw(g->cpu, PSW_64, CODE), 0);
    enum engine_end end = engine_run(g->cpu, 10000, &done);
    assert_true(end == ENGINE_BUDGET || g->cpu->state != CPU_STATE_OPERATING);
    memcpy(g->storage, g->storage + 0x3000, 0x1000);
    g->cpu->state = CPU_STATE_OPERATING;
    ENDS(g, "nopr %r0\n lpswe 0x900");
}

/* A key that forbids the begin record's page only: nothing of a later group is stored. */
GUEST(ri_113_118_key_of_the_begin_record, "RI-A")
{
    struct ri_controls c = usual(2);
    c.key = 3;
    c.rgs = 0;
    c.rla = BASE + 0x1fff;
    c.rca = BASE + 0x1000;
    guest_block(g, 0, c);
    put64(g->storage + BASE, UINT64_C(0x0200008000010000));
    for (unsigned i = 0; i < 3; i++) {
        static const uint8_t keys[] = {0x38, 0x40, 0x30}; /* fetch-protected with the right key; another key; right */
        g->sys.storage.keys[BASE / 4096] = keys[i];
        g->sys.storage.keys[BASE / 4096 + 1] = 0x30;
        g->storage[BASE + 0x1000] = 0xee;
        cpu_tlb_purge(g->cpu);
        uint64_t before = guest_groups(g);
        guest_run(g, "lric 0x11000\n rion\n nopr %r0\n nopr %r0\n behind:\n rioff\n lpswe 0x900");
        if (i == 1) {
            guest_program(g, PIC_PROTECTION, 0);
            assert_int_equal(program_old_ia(g), label(g, "behind"));
            assert_int_equal(g->storage[BASE + 0x1000], 0xee);
        } else {
            assert_int_equal(g->storage[BASE + 0x1000], RI_TYPE_TIMESTAMP);
        }
        assert_int_equal(guest_groups(g) - before, i != 1);
    }
}

/* The page of the buffer is invalidated again and again (IPTE), and made valid by the guest's own handler: a group is
   lost each time, the others stand one behind the other, and no instruction is carried out twice. */
GUEST(ri_111_117_pages_come_and_go, "RI-A")
{
    struct ri_controls c = usual(7);
    whole_space(g);
    c.rgs = 0;
    guest_block(g, 0, c);
    guest_code(g, CODE,
               "lric 0x11000\n lpswe 0x910\n go:\n lghi %r3,40\n lgfi %r4,0x210000\n lgfi %r5,0x20000\n loop:\n "
               "aghi %r2,1\n tmll %r3,3\n jne @skip\n ipte %r4,%r5\n skip:\n nopr %r0\n brct %r3,@loop\n rioff\n "
               "lpswe 0x900\n"
               "handler:\n ahi %r9,1\n lgfi %r11,0x210100\n lg %r10,0(%r11)\n nill %r10,0xfbff\n stg %r10,0(%r11)\n "
               "lpswe 0x150");
    g->cpu->gr[2] = g->cpu->gr[9] = 0;
    guest_psw(g, 0x910, PSW_64 | PSW_DAT | PSW_RI, label(g, "go"));
    guest_psw(g, 0x1d0, PSW_64, label(g, "handler"));
    assert_int_equal(guest_well(g, guest_go(g, PSW_64 | PSW_DAT, CODE)), WAIT_END);
    const uint64_t faults = g->cpu->gr[9], stored = guest_groups(g);
    assert_int_equal(g->cpu->gr[2], 40);
    assert_in_range(faults, 5, 10); /* ten times invalid, and a sample now and then before it is so again */
    assert_int_equal(stored + faults, g->cpu->ri->told.samples);
    assert_int_equal(guest_field(g, 0, "NRG"), stored);
    for (unsigned i = 0; i < stored; i++) {
        assert_int_equal(guest_type(g, 2 * i), i ? RI_TYPE_TIMESTAMP : RI_TYPE_BEGIN);
        assert_int_equal(guest_type(g, 2 * i + 1), RI_TYPE_INSTRUCTION);
    }
    assert_int_equal(guest_type(g, 2 * (unsigned)stored), 0);
}

/* Branches by the state they are executed in. */
GUEST(ri_82_collection_by_state, "RI-A")
{
    for (unsigned i = 0; i < 8; i++) {
        struct ri_controls c = usual(1000);
        const bool problem = i & 4;
        c.rgs = 1;
        c.pc = i & 1;
        c.qc = i >> 1 & 1;
        guest_block(g, 0, c);
        memset(g->storage + BASE, 0, 64);
        guest_code(g, CODE, "lric 0x11000\n lpswe 0x910\n go:\n bras %r7,@on\n on:\n rinext\n nopr %r0\n svc 0");
        guest_psw(g, 0x910, PSW_64 | PSW_RI | (problem ? PSW_PROBLEM : 0), label(g, "go"));
        assert_int_equal(guest_go(g, PSW_64, CODE), WAIT_SVC);
        assert_int_equal(guest_type(g, 2), (problem ? c.pc : c.qc) ? RI_TYPE_CALL : RI_TYPE_FILLER);
        assert_int_equal(guest_type(g, 3), RI_TYPE_INSTRUCTION);
    }
}

int main(void)
{
    RI_OR_SKIP();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ri_15_121_rla_below_roa),
        cmocka_unit_test(ri_116_117_buffer_beyond_storage),
        cmocka_unit_test(ri_120_buffer_that_wraps),
        cmocka_unit_test(ri_111_buffer_over_the_running_code),
        cmocka_unit_test(ri_12_22_buffer_over_the_control_block),
        cmocka_unit_test(ri_6_115_buffer_over_the_prefix_area),
        cmocka_unit_test(ri_113_118_key_of_the_begin_record),
        cmocka_unit_test(ri_111_117_pages_come_and_go),
        cmocka_unit_test(ri_82_collection_by_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
