/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-time instrumentation as guest programs see it: validation of the control block, MRIC, states, formats, profiles
   and migration (specification C, D.7, H, J, K). Each program is run by both engines. */
#include "cpu/control/interrupt.h"
#include "cpu/control/psw.h"
#include "cpu/storage/tlb.h"
#include "emu/config/profile.h"
#include "tests/unit/ri_guest.h"

static struct ri_controls silent(uint64_t sf)
{
    struct ri_controls c = usual(sf);
    c.f = 0;
    c.ic = c.dc = 15;
    return c;
}
/* LRIC, STRIC: what the controls became. */
static struct ri_controls loaded(struct guest *g, struct ri_controls c)
{
    guest_block(g, 0, c);
    ENDS(g, "lric 0x11000\n stric 0x12000\n lpswe 0x900");
    return guest_out(g, 0);
}
/* LRIC of one block, MRIC of another, STRIC; `problem`: MRIC in the problem state. */
static struct ri_controls modified(struct guest *g, struct ri_controls first, struct ri_controls c, bool problem)
{
    guest_block(g, 0, first);
    guest_block(g, 1, c);
    ENDS(g, "lric 0x11000\n lpswe 0x900");
    guest_code(g, CODE, "mric 0x11040\n ipm %r2\n stric 0x12000\n svc 0");
    assert_int_equal(guest_go(g, PSW_64 | (problem ? PSW_PROBLEM : 0), CODE), WAIT_SVC);
    assert_int_equal(guest_cc(g, 2), 0);
    return guest_out(g, 0);
}
static void sampled(struct guest *g, struct ri_controls c, const char *text)
{
    char all[1200];
    guest_block(g, 0, c);
    snprintf(all, sizeof all, "lric 0x11000\n rion\n %s\n rioff\n stric 0x12000\n lpswe 0x900", text);
    ENDS(g, all);
}

GUEST(ri_13_reserved_positions, "RI-A")
{
    memset(g->storage + BLOCK, 0xff, 64);
    put64(g->storage + BLOCK, BASE);
    put64(g->storage + BLOCK + 8, BASE);
    put64(g->storage + BLOCK + 16, BASE + 0xfff);
    g->storage[BLOCK + 27] = 0xf9; /* RGS 1 */
    g->storage[BLOCK + 28] = 0x1f; /* M 1 */
    put64(g->storage + BLOCK + 40, 9);
    put64(g->storage + BLOCK + 48, 9);
    ENDS(g, "lric 0x11000\n stric 0x12000\n lpswe 0x900");
    assert_int_equal(get64(g->storage + OUT + 24), 0xf0f7f0091cfcffff);
    assert_int_equal(get64(g->storage + OUT + 32), 0);
    assert_int_equal(get64(g->storage + OUT + 56), 0);
}

GUEST(ri_14_15_16_addresses, "RI-A")
{
    struct ri_controls c = usual(10);
    c.roa = 0x20123;
    c.rla = 0x23123;
    c.rca = 0x21fff;
    c.rgs = 3;
    c.a = 1;
    c = loaded(g, c);
    assert_int_equal(c.roa, 0x20000);
    assert_int_equal(c.rla, 0x23fff);
    assert_int_equal(c.rca, 0x21f00);
    assert_int_equal(c.a, 0);
    c.rca = 0x1ff00;
    assert_int_equal(loaded(g, c).rca, 0x20000);
    c.rca = 0x24100;
    assert_int_equal(loaded(g, c).rca, 0x20000);
    c.rca = 0x24000;
    assert_int_equal(loaded(g, c).rca, 0x24000);
}

GUEST(ri_18_to_21_limits, "RI-B")
{
    struct ri_controls c = usual(0);
    assert_int_equal(loaded(g, c).sf, 16);
    assert_int_equal(loaded(g, c).rsic, 16);
    c.m = 0;
    assert_int_equal(loaded(g, c).sf, 64);
    c.sf = c.rsic = ~UINT64_C(0);
    assert_int_equal(loaded(g, c).sf, UINT32_MAX);
    assert_int_equal(loaded(g, c).rsic, UINT32_MAX);
    c.rsic = 3;
    assert_int_equal(loaded(g, c).rsic, 3);
    c.m = 2;
    c.rsic = 0;
    assert_int_equal(loaded(g, c).rsic, 0);
    c.rgs = 4;
    assert_int_equal(loaded(g, c).rgs, 2);
    c.rca = BASE + 0x200;
    assert_int_equal(loaded(g, c).rgs, 4);
}

GUEST(ri_29_31_39_mric_fields, "RI-A")
{
    struct ri_controls first = {.rca = BASE,
                                .roa = BASE,
                                .rla = BASE + 0xfff,
                                .v = 1,
                                .s = 1,
                                .key = 3,
                                .t = 1,
                                .qs = 1,
                                .rgs = 1,
                                .m = 1,
                                .sf = 9};
    const struct ri_controls c = all_of_mric();
    for (unsigned problem = 0; problem < 2; problem++) {
        struct ri_controls want = c, in = c;
        in.s = in.k = in.h = in.ps = in.pc = in.qc = in.g = in.u = in.l = 1;
        in.key = 15;
        uint8_t block[64];
        want.v = want.s = want.t = want.qs = want.a = 1;
        want.key = 3;
        ri_controls_encode(&want, block);
        (void)modified(g, first, in, problem);
        assert_memory_equal(g->storage + OUT, block, 64);
        in.mae = 0;
        assert_int_equal(modified(g, first, in, problem).mae, 0);
    }
}

GUEST(ri_32_to_36_mric_rca_g_l, "RI-A")
{
    struct ri_controls c = usual(10), m = usual(10);
    m.rca = BASE + 0x100;
    assert_int_equal(modified(g, c, m, true).rca, BASE + 0x100);
    m.rgs = 2;
    assert_int_equal(modified(g, c, m, true).rca, BASE); /* another group size */
    m.rgs = 0;
    m.rca = BASE - 0x20;
    assert_int_equal(modified(g, c, m, true).rca, BASE);
    m.rca = BASE + 0x1020;
    assert_int_equal(modified(g, c, m, true).rca, BASE);
    c.g = c.l = c.u = 1;
    m.rca = BASE + 0x1000;
    struct ri_controls out = modified(g, c, m, true);
    assert_int_equal(out.g + out.l, 2);
    m.rca = BASE + 0x40;
    out = modified(g, c, m, true);
    assert_int_equal(out.g, 1);
    assert_int_equal(out.l, 0);
    m.rca = BASE;
    out = modified(g, c, m, true);
    assert_int_equal(out.g + out.l, 0);
    ENDS(g, "stosm 0x920,1\n lpswe 0x900"); /* no alert is pending any more */
}

GUEST(ri_48_rion_in_the_problem_state, "RI-A")
{
    guest_block(g, 0, usual(100));
    ENDS(g, "lric 0x11000\n lpswe 0x900");
    guest_code(g, CODE, "rion\n ipm %r2\n epsw %r3,%r4\n svc 0");
    assert_int_equal(guest_go(g, PSW_64 | PSW_PROBLEM, CODE), WAIT_SVC);
    assert_int_equal(guest_cc(g, 2), 0);
    assert_int_equal(g->cpu->gr[3] & 0x80, 0x80);
}

GUEST(ri_55_to_58_emit, "RI-A")
{
    static const struct {
        bool on, e, pc, qc, s, problem, collected;
    } cases[] = {
        {true, true, true, true, true, false, true},   {true, true, true, true, true, true, true},
        {true, true, true, true, false, true, true},   {false, true, true, true, true, false, false},
        {true, false, true, true, true, false, false}, {true, true, false, true, true, true, false},
        {true, true, false, true, true, false, true},  {true, true, true, false, true, false, false},
        {true, true, true, false, true, true, true},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ri_controls c = silent(1000);
        c.rgs = 1;
        c.e = cases[i].e;
        c.pc = cases[i].pc;
        c.qc = cases[i].qc;
        c.s = cases[i].s;
        guest_block(g, 0, c);
        memset(g->storage + BASE, 0, 64);
        /* CC 2 by the PSW that turns RI on; RIEMIT and RINEXT leave it. */
        guest_code(g, CODE, "lric 0x11000\n lpswe 0x910\n go:\n riemit %r5\n rinext\n ipm %r2\n nopr %r0\n svc 0");
        guest_psw(g, 0x910, PSW_64 | BIT64(18) | (cases[i].on ? PSW_RI : 0) | (cases[i].problem ? PSW_PROBLEM : 0),
                  label(g, "go"));
        g->cpu->gr[5] = 0xfedcba9876543210;
        assert_int_equal(guest_go(g, PSW_64, CODE), WAIT_SVC);
        assert_int_equal(guest_cc(g, 2), 2);
        assert_int_equal(guest_type(g, 3), cases[i].on ? 4 : 0); /* RI-60 with PSW bit 24 zero */
        assert_int_equal(guest_type(g, 2), cases[i].collected ? 0x10 : 0);
        if (cases[i].collected) {
            assert_int_equal(guest_record(g, 2).hi, UINT64_C(0x10) << 56 | label(g, "go"));
            assert_int_equal(guest_record(g, 2).lo, 0xfedcba9876543210);
        }
    }
}

GUEST(ri_70_no_excess, "RI-A")
{
    struct ri_controls c = usual(4);
    c.m = 0;
    sampled(g, c, "nopr %r0\n one:\n lgrl %r1,0x12000\n nopr %r0\n nop 0\n two:\n lr %r1,%r1\n nopr %r0");
    assert_int_equal(guest_groups(g), 2); /* 1 + 3; 1 + 2 + 1 */
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "one"));
    assert_int_equal(guest_field(g, 3, "IA"), label(g, "two"));
    c.sf = 5;
    sampled(g, c, "nop 0\n nop 0\n one:\n lgrl %r1,0x12000\n nop 0\n nopr %r0\n two:\n nop 0\n nopr %r0");
    assert_int_equal(guest_groups(g), 4); /* 2 + 2 + 3 = 7, two too many are not carried over; 2 + 1 + 2 */
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "one"));
    assert_int_equal(guest_field(g, 3, "IA"), label(g, "two"));
}

GUEST(ri_85_86_88_102_body, "RI-A")
{
    struct ri_controls c = usual(1000);
    for (unsigned rgs = 0; rgs <= 4; rgs++) {
        c.rgs = (uint8_t)rgs;
        memset(g->storage + BASE, 0xee, 0x800);
        /* The sample instruction's own event is in its group, and again in the second. */
        sampled(g, c, "riemit %r1\n rinext\n j @on\n nopr %r0\n on:\n rinext\n nopr %r0");
        unsigned n = 2u << rgs;
        assert_int_equal(guest_type(g, 0), 2);
        assert_int_equal(guest_type(g, n - 1), 4);
        assert_int_equal(guest_type(g, n), 3);
        assert_int_equal(guest_type(g, 2 * n - 1), 4);
        assert_int_equal(guest_type(g, 2 * n), 0xee);
        for (unsigned group = 0; group < 2; group++)
            for (unsigned i = 1; i < n - 1; i++) {
                unsigned want = i == n - 2 ? 0x14 : i == n - 3 ? 0x10 : 0;
                assert_int_equal(guest_type(g, group * n + i), want);
                if (!want)
                    assert_int_equal(guest_record(g, group * n + i).lo, 0);
            }
    }
}

GUEST(ri_100_108_predictor, "RI-A")
{
    struct ri_controls c = usual(1000);
    c.rgs = 2;
    /* A conditional branch taken twice, with RI off and on in between or not. */
    for (unsigned off = 0; off < 2; off++) {
        char text[300];
        snprintf(text, sizeof text,
                 "lghi %%r3,3\n loop:\n lghi %%r2,2\n cghi %%r3,1\n je @out\n %s\n %s\n nopr %%r0\n brct %%r3,@loop\n "
                 "out:\n rinext\n nopr %%r0",
                 off ? "rioff" : "nop 0", off ? "rion" : "nop 0");
        sampled(g, c, text);
        /* Newest is JE taken (predicted not taken), before it BRCT taken the second and the first time. */
        assert_int_equal(guest_type(g, 6), 0x14);
        assert_int_equal(guest_field(g, 6, "W"), 0);
        assert_int_equal(guest_type(g, 5), 0x14);
        assert_int_equal(guest_field(g, 5, "W"), off ? 0 : 1);
        assert_int_equal(guest_type(g, 4), off ? 0 : 0x14);
    }
}

GUEST(ri_101_two_level_caches, "RI-A")
{
    static const char key[] = "cache = clm\n"; /* of a machine profile */
    struct emu_profile profile;
    struct ri_profile p;
    char error[256];
    assert_int_equal(emu_profile_parse(key, sizeof key - 1, "x", &profile, error, sizeof error), 0);
    emu_profile_ri(&profile, 0, &p);
    assert_int_equal(ri_set_profile(g->cpu->ri, &p), 0);
    for (unsigned ic = 0; ic < 3; ic++) {
        struct ri_controls c = silent(1);
        c.ic = (uint8_t)ic;
        uint64_t before = guest_groups(g);
        /* In one line of 256 bytes: RION is no fetch while enabled, the next one misses both levels, the rest hit. */
        sampled(g, c, "nopr %r0\n nopr %r0\n nopr %r0");
        assert_int_equal(guest_groups(g) - before, ic < 2);
        if (ic < 2)
            assert_int_equal(guest_field(g, 1, "IL"), 1);
    }
}

GUEST(ri_103_133_profiles_b, "RI-B")
{
    sampled(g, usual(16), "lghi %r3,20\n loop:\n brct %r3,@loop");
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(guest_record(g, 0).hi, 0x0200000100010800);
    sampled(g, usual(16), "lghi %r3,40\n loop:\n brct %r3,@loop");
    assert_int_equal(guest_record(g, 0).hi, 0x0200000200010800);
    assert_int_equal(guest_record(g, 2).hi, 0x0300000000010800);
}

GUEST(ri_104_tod, "RI-A")
{
    sampled(g, usual(2), "stck 0x940\n nopr %r0\n stck 0x948");
    uint64_t first = get64(g->storage + 0x940), last = get64(g->storage + 0x948);
    assert_true(first <= guest_record(g, 0).lo);
    assert_true(guest_record(g, 0).lo <= last);
}

GUEST(ri_105_instruction_record, "RI-A")
{
    struct ri_controls c = usual(1);
    guest_block(g, 0, c);
    guest_code(
        g, CODE,
        "lric 0x11000\n lpswe 0x910\n go:\n lr %r1,%r2\n cghi %r1,0\n jne @go\n stg %r1,0x950\n j @on\n on:\n svc 0");
    guest_psw(g, 0x910, PSW_64 | PSW_RI | PSW_PROBLEM, label(g, "go"));
    g->cpu->gr[2] = 0;
    assert_int_equal(guest_go(g, PSW_64, CODE), WAIT_SVC);
    assert_int_equal(guest_groups(g), 5);
    assert_int_equal(guest_record(g, 1).lo, 0x05ef020018120000);
    assert_int_equal(guest_record(g, 3).lo, 0x05ef0400a71f0000);
    assert_int_equal(guest_record(g, 5).lo, 0x95ef0400a774fffd); /* not taken as predicted, target not wrong */
    assert_int_equal(guest_record(g, 7).lo, 0x05ee0600e3100950);
    assert_int_equal(guest_record(g, 9).lo, 0xf5ef0400a7f40002);
}

/* The segment table that maps the region of 2^55 and above needs region tables: an address of 2^55 is reached by a
   region first table whose second half is used. */
GUEST(ri_107_maximum_address, "RI-A")
{
    uint64_t first = 0x200000, second = 0x204000, third = 0x208000, segment = 0x20c000, pages = 0x210000;
    for (unsigned i = 0; i < 2048; i++) {
        put64(g->storage + first + 8 * i, 0x20);
        put64(g->storage + second + 8 * i, 0x20);
        put64(g->storage + third + 8 * i, 0x20);
        put64(g->storage + segment + 8 * i, 0x20);
    }
    /* 2^55 is region-first index 4; both it and index 0 lead to the same tables. */
    put64(g->storage + first, second | 0xc | 3);
    put64(g->storage + first + 8 * 4, second | 0xc | 3);
    put64(g->storage + second, third | 0x8 | 3);
    put64(g->storage + third, segment | 0x4 | 3);
    put64(g->storage + segment, pages);
    for (unsigned i = 0; i < 256; i++)
        put64(g->storage + pages + 8 * i, i << 12);
    g->cpu->cr[1] = first | 0xf;
    cpu_tlb_purge(g->cpu);
    struct ri_controls c = usual(1);
    guest_block(g, 0, c);
    guest_code(g, CODE,
               "lric 0x11000\n lpswe 0x910\n go:\n nopr %r0\n stric 0x12000\n lpswe 0x920\n low:\n nopr %r0\n rioff\n "
               "stric 0x12040\n lpswe 0x900");
    guest_psw(g, 0x910, PSW_64 | PSW_DAT | PSW_RI, (UINT64_C(1) << 55) + label(g, "go"));
    guest_psw(g, 0x920, PSW_64 | PSW_DAT | PSW_RI, label(g, "low"));
    assert_int_equal(guest_go(g, PSW_64 | PSW_DAT, CODE), WAIT_END);
    assert_int_equal(guest_record(g, 1).hi, 0x0480000000000000 | label(g, "go"));
    assert_int_equal(guest_out(g, 0).mae, 1);
    assert_int_equal(guest_field(g, 7, "C"), 0);
    assert_int_equal(guest_out(g, 1).mae, 1);
}

GUEST(ri_122_g_and_l_while_u_is_zero, "RI-A")
{
    struct ri_controls c = usual(1);
    c.rgs = 4;
    guest_block(g, 0, c);
    ENDS(g, "lric 0x11000\n stosm 0x920,1\n rion\n nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n "
            "nopr %r0\n nopr %r0\n nopr %r0\n rioff\n stric 0x12000\n lpswe 0x900");
    assert_int_equal(guest_out(g, 0).l, 1);
    assert_int_equal(guest_groups(g), 8);
}

GUEST(ri_134_135_136_suppression, "RI-A")
{
    for (unsigned i = 0; i < 16; i++) {
        struct ri_profile p = ri_profiles[0];
        p.secondary = i & 1;
        assert_int_equal(ri_set_profile(g->cpu->ri, &p), 0);
        struct ri_controls c = usual(3);
        c.y = i >> 1 & 1;
        c.z = i >> 2 & 1;
        g->sys.ri_mixed_capability = i >> 3;
        uint64_t before = guest_groups(g);
        sampled(g, c, "nopr %r0\n nopr %r0\n nopr %r0\n rinext\n nopr %r0");
        bool suppressed = i >> 3 && (i & 1 ? c.z : c.y);
        assert_int_equal(guest_groups(g) - before, suppressed ? 0 : 2);
        assert_int_equal(guest_out(g, 0).rca, suppressed ? BASE : BASE + 64);
        assert_int_equal(guest_out(g, 0).rsic, 1);
    }
}

GUEST(ri_138_139_140_142_143_smaller_limit, "RI-A")
{
    struct ri_controls c = usual(16);
    c.rgs = 3;
    c.u = 1;
    sampled(g, c, "lghi %r3,20\n loop:\n brct %r3,@loop");
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(ri_set_profile(g->cpu->ri, ri_profile_find("RI-B")), 0);
    ENDS(g, "lric 0x12000\n rion\n lghi %r3,40\n loop:\n brct %r3,@loop\n rion\n ipm %r2\n rioff\n stric 0x12040\n "
            "tric\n ipm %r3\n lpswe 0x900");
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(guest_out(g, 1).g, 1);
    assert_int_equal(guest_out(g, 1).rsic, 16); /* nothing is counted in the halted state */
    assert_int_equal(guest_field(g, 0, "H"), 1);
    assert_int_equal(guest_cc(g, 2), 0);
    assert_int_equal(guest_cc(g, 3), 1);
    /* The interruption ends the halt; the next sample finds it again. */
    guest_code(g, CODE,
               "lpswe 0x910\n handler:\n stric 0x12080\n rion\n lghi %r3,40\n loop:\n brct %r3,@loop\n rioff\n stric "
               "0x120c0\n lpswe 0x900");
    guest_psw(g, 0x910, PSW_64 | PSW_EXT, CODE);
    guest_psw(g, 0x1b0, PSW_64, label(g, "handler"));
    assert_int_equal(guest_well(g, guest_go(g, PSW_64, CODE)), WAIT_END);
    assert_int_equal(get32(g->storage + 0x80), 0x20);
    assert_int_equal(guest_out(g, 2).g, 0);
    assert_int_equal(guest_out(g, 3).g, 1);
    assert_int_equal(guest_groups(g), 1);
    /* MRIC to the origin: a new begin record. */
    struct ri_controls fresh = usual(16);
    guest_block(g, 3, fresh);
    ENDS(g, "mric 0x110c0\n rion\n lghi %r3,20\n loop:\n brct %r3,@loop\n rioff\n stric 0x12000\n lpswe 0x900");
    assert_int_equal(guest_groups(g), 2);
    assert_int_equal(guest_field(g, 0, "H"), 0);
    assert_int_equal(guest_field(g, 0, "T"), 1);
    assert_int_equal(guest_out(g, 0).g, 0);
}

GUEST(ri_147_linux_start_block, "RI-A")
{
    struct ri_controls start = {.rla = 0xfff, .v = 1, .s = 1, .k = 1, .ps = 1, .pc = 1};
    struct ri_controls mine = {.rca = BASE, .roa = BASE, .rla = BASE + 0xfff, .m = 1, .sf = 2, .b = 1};
    guest_block(g, 0, start);
    guest_block(g, 1, mine);
    ENDS(g, "lric 0x11000\n lpswe 0x900");
    guest_code(g, CODE,
               "mric 0x11040\n ipm %r2\n rion\n ipm %r3\n lghi %r4,10\n loop:\n brct %r4,@loop\n rioff\n stric "
               "0x12000\n svc 0");
    assert_int_equal(guest_go(g, PSW_64 | PSW_PROBLEM, CODE), WAIT_SVC);
    assert_int_equal(guest_cc(g, 2) + guest_cc(g, 3), 0);
    assert_int_equal(guest_groups(g), 6); /* IPM, LGHI and ten times BRCT */
}

GUEST(ri_149_two_tasks, "RI-A")
{
    struct ri_controls a = usual(10), b = usual(3);
    b.roa = b.rca = BASE + 0x1000;
    b.rla = BASE + 0x1fff;
    guest_block(g, 0, a);
    guest_block(g, 1, b);
    /* A: 4 units; B: 4 units, one group; A: 6 units, its first group */
    ENDS(g, "lric 0x11000\n rion\n nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n rioff\n stric 0x11000\n"
            "lric 0x11040\n rion\n nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n rioff\n stric 0x11040\n"
            "lric 0x11000\n rion\n nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n sample:\n lr %r1,%r1\n "
            "rioff\n stric 0x11000\n lpswe 0x900");
    assert_int_equal(guest_groups(g), 2);
    assert_int_equal(g->storage[BASE], 2);
    assert_int_equal(g->storage[BASE + 0x1000], 2);
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "sample"));
    assert_int_equal(ri_controls_decode(g->storage + BLOCK).rca, BASE + 32);
    assert_int_equal(ri_controls_decode(g->storage + BLOCK + 64).rca, BASE + 0x1000 + 32);
    assert_int_equal(ri_controls_decode(g->storage + BLOCK + 64).rsic, 2);
}

/* Partial completions: interrupted k times by an external interruption, MVCL counts k + 1 units. */
GUEST(ri_73_interrupted_mvcl, "RI-A")
{
    struct ri_controls c = usual(1000000);
    guest_block(g, 0, c);
    guest_code(
        g, CODE,
        "lric 0x11000\n lgfi %r2,0x100000\n lgfi %r3,0x80000\n lgfi %r4,0x200000\n lgfi %r5,0x80000\n lpswe 0x910\n "
        "go:\n mvcl %r2,%r4\n rioff\n stric 0x12000\n lpswe 0x900\n handler:\n aghi %r7,1\n lpswe 0x130");
    guest_psw(g, 0x910, PSW_64 | PSW_RI | PSW_EXT, label(g, "go"));
    guest_psw(g, 0x1b0, PSW_64, label(g, "handler"));
    g->cpu->cr[0] |= BIT64(57);
    g->cpu->gr[7] = 0;
    g->cpu->state = CPU_STATE_OPERATING;
    assert_int_equal(cpu_load_psw(g->cpu, PSW_64, CODE), 0);
    /* The key is pressed every few instructions or units of operation. */
    uint64_t done;
    for (unsigned i = 0; i < 400; i++) {
        enum engine_end end = engine_run(g->cpu, 1, &done);
        engine_advance(&g->sys, cpu_cycles(g->cpu) - g->cpu->slice_start);
        if (end == ENGINE_WAIT)
            break;
        if (i % 5 == 4 && g->cpu->psw.ia == label(g, "go"))
            cpu_raise_external(g->cpu, CPU_EXT_INTERRUPT_KEY);
    }
    assert_int_equal(g->cpu->psw.ia, WAIT_END);
    assert_true(g->cpu->gr[7] >= 2);
    assert_int_equal(guest_out(g, 0).rsic, 1000000 - (g->cpu->gr[7] + 1));
}

/* An access exception in the middle: the units of operation before it are one unit, the completion is another. */
GUEST(ri_73_mvcl_with_an_access_exception, "RI-A")
{
    guest_block(g, 0, usual(1000));
    guest_code(g, CODE,
               "lric 0x11000\n lgfi %r2,0x100000\n lgfi %r3,0x3000\n lgfi %r4,0x200000\n lgfi %r5,0x3000\n lpswe "
               "0x910\n go:\n mvcl %r2,%r4\n rioff\n stric 0x12000\n lpswe 0x900\n handler:\n aghi %r7,1\n stric "
               "0x12040\n lpswe 0x920");
    guest_psw(g, 0x910, PSW_64 | PSW_RI, label(g, "go"));
    guest_psw(g, 0x920, PSW_64 | PSW_WAIT, 0x444);
    guest_psw(g, 0x1d0, PSW_64, label(g, "handler"));
    g->cpu->cr[0] &= ~BIT64(38);
    g->sys.storage.keys[0x202000 / 4096] = 0x98;                      /* fetch-protected */
    put64(g->storage + 0x910, get64(g->storage + 0x910) | BIT64(11)); /* key 1 */
    for (unsigned page = 0; page < 3; page++) {
        g->sys.storage.keys[0x100 + page] = 0x10;
        g->sys.storage.keys[OUT / 4096] = 0x10;
    }
    g->sys.storage.keys[BASE / 4096] = 0;
    cpu_tlb_purge(g->cpu);
    assert_int_equal(guest_go(g, PSW_64, CODE), 0x444);
    assert_int_equal(get16(g->storage + 142), PIC_PROTECTION);
    assert_int_equal(g->cpu->gr[3] & 0xffffff, 0x1000);
    assert_int_equal(guest_out(g, 1).rsic, 999);
    g->sys.storage.keys[0x202000 / 4096] = 0x10;
    cpu_tlb_purge(g->cpu);
    assert_int_equal(guest_go(g, get64(g->storage + 0x150), label(g, "go")), WAIT_END);
    assert_int_equal(guest_out(g, 0).rsic, 998);
}

int main(void)
{
    RI_OR_SKIP();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ri_13_reserved_positions),
        cmocka_unit_test(ri_14_15_16_addresses),
        cmocka_unit_test(ri_18_to_21_limits),
        cmocka_unit_test(ri_29_31_39_mric_fields),
        cmocka_unit_test(ri_32_to_36_mric_rca_g_l),
        cmocka_unit_test(ri_48_rion_in_the_problem_state),
        cmocka_unit_test(ri_55_to_58_emit),
        cmocka_unit_test(ri_70_no_excess),
        cmocka_unit_test(ri_85_86_88_102_body),
        cmocka_unit_test(ri_100_108_predictor),
        cmocka_unit_test(ri_101_two_level_caches),
        cmocka_unit_test(ri_103_133_profiles_b),
        cmocka_unit_test(ri_104_tod),
        cmocka_unit_test(ri_105_instruction_record),
        cmocka_unit_test(ri_107_maximum_address),
        cmocka_unit_test(ri_122_g_and_l_while_u_is_zero),
        cmocka_unit_test(ri_134_135_136_suppression),
        cmocka_unit_test(ri_138_139_140_142_143_smaller_limit),
        cmocka_unit_test(ri_147_linux_start_block),
        cmocka_unit_test(ri_149_two_tasks),
        cmocka_unit_test(ri_73_interrupted_mvcl),
        cmocka_unit_test(ri_73_mvcl_with_an_access_exception),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
