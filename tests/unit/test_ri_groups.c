/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-time instrumentation as guest programs see it: sampling, collection, report controls, groups, their store, alerts
   (specification E to J). Each program is run by both engines. */
#include "cpu/control/interrupt.h"
#include "cpu/control/psw.h"
#include "cpu/storage/tlb.h"
#include "tests/unit/ri_guest.h"

static struct ri_controls silent(uint64_t sf)
{
    struct ri_controls c = usual(sf);
    c.f = 0;
    c.ic = c.dc = 15;
    return c;
}
/* LRIC of `c`, RION, `text`, RIOFF, STRIC to OUT, end; what follows # in `text` is put behind the end. */
static void sampled(struct guest *g, struct ri_controls c, const char *text)
{
    char all[2000];
    size_t length = strcspn(text, "#");
    guest_block(g, 0, c);
    snprintf(all, sizeof all, "lric 0x11000\n rion\n %.*s\n rioff\n stric 0x12000\n lpswe 0x900\n %s", (int)length,
             text, text[length] ? text + length + 1 : "");
    ENDS(g, all);
}

/* ---- E: sampling ----------------------------------------------------------------------------------------------- */

GUEST(ri_67_every_nth, "RI-A")
{
    for (unsigned n = 1; n <= 9; n++) {
        uint64_t before = guest_groups(g);
        /* 2 + 20 * 3 + 1 units: LGHI, LGHI, the loop, BRCT falls through */
        sampled(g, usual(n), "lghi %r3,20\n lghi %r4,0\n loop:\n aghi %r4,1\n nopr %r0\n brct %r3,@loop");
        assert_int_equal(guest_groups(g) - before, 62 / n);
        assert_int_equal(guest_out(g, 0).rsic, n - 62 % n);
        assert_int_equal(g->cpu->gr[4], 20);
    }
}

GUEST(ri_68_cycles, "RI-A")
{
    struct ri_controls c = usual(12);
    c.m = 0;
    /* 1 2 3 2 3 = 11, then EX (2) with its target (3): exhausted. */
    sampled(g, c,
            "nopr %r0\n lhi %r2,1\n larl %r9,@target\n nop 0\n larl %r8,0x12000\n here:\n ex %r0,0(%r9)\n nopr "
            "%r0#target:\n stg %r2,64(%r8)");
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "here"));
    assert_int_equal(guest_field(g, 1, "EX"), 1);
    assert_int_equal(guest_field(g, 1, "LEN"), 6);
    assert_int_equal(guest_out(g, 0).rsic, 11);
}

GUEST(ri_69_first_interval, "RI-A")
{
    struct ri_controls c = usual(5);
    c.rsic = 2;
    sampled(
        g, c,
        "nopr %r0\n first:\n lr %r1,%r1\n nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n second:\n lr %r1,%r1\n nopr %r0");
    assert_int_equal(guest_groups(g), 2);
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "first"));
    assert_int_equal(guest_field(g, 3, "IA"), label(g, "second"));
    c.rsic = 7;
    sampled(g, c, "nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n first:\n lr %r1,%r1\n nopr %r0");
    assert_int_equal(guest_groups(g), 3);
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "first"));
}

GUEST(ri_71_rioff_rion_continue, "RI-A")
{
    sampled(g, usual(6),
            "nopr %r0\n nopr %r0\n rioff\n nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n rion\n"
            "nopr %r0\n nopr %r0\n nopr %r0\n sample:\n lr %r1,%r1");
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "sample"));
}

GUEST(ri_72_73_execute_and_condition_code_3, "RI-A")
{
    sampled(
        g, usual(4),
        "larl %r9,@target\n ex %r0,0(%r9)\n exrl %r0,@target\n sample:\n lr %r1,%r1\n nopr %r0#target:\n lr %r2,%r3");
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "sample"));
}

GUEST(ri_74_126_program_exceptions, "RI-A")
{
    /* A nullified instruction is not counted; one that completes with an interruption is, but stores no group. */
    struct ri_controls c = usual(3);
    guest_block(g, 0, c);
    guest_code(g, CODE, "lric 0x11000\n rion\n nopr %r0\n .hex 0000\n handler:\n stric 0x12000\n lpswe 0x900");
    guest_psw(g, 0x1d0, PSW_64, label(g, "handler"));
    assert_int_equal(guest_well(g, guest_go(g, PSW_64, CODE)), WAIT_END);
    assert_int_equal(guest_out(g, 0).rsic, 2);
    guest_code(g, CODE,
               "lric 0x11000\n lpswe 0x910\n go:\n lgfi %r2,0x7fffffff\n nopr %r0\n ar %r2,%r2\n handler:\n stric "
               "0x12000\n lpswe 0x900");
    guest_psw(g, 0x910, PSW_64 | PSW_RI | PSW_PM_FIXED_POINT_OVERFLOW, label(g, "go"));
    guest_psw(g, 0x1d0, PSW_64, label(g, "handler"));
    assert_int_equal(guest_well(g, guest_go(g, PSW_64, CODE)), WAIT_END);
    assert_int_equal(get16(g->storage + 142), PIC_FIXED_POINT_OVERFLOW);
    assert_int_equal(guest_groups(g), 0);
    assert_int_equal(guest_out(g, 0).rsic, 3); /* the interval has restarted */
}

GUEST(ri_75_76_supervisor_call, "RI-A")
{
    struct ri_controls c = usual(1000);
    guest_block(g, 0, c);
    guest_code(g, CODE,
               "lric 0x11000\n lpswe 0x910\n go:\n nopr %r0\n svc 1\n nopr %r0\n nopr %r0\n svc 2\n"
               "handler:\n cli 0x8b,2\n je @done\n lpswe 0x140\n done:\n stric 0x12000\n lpswe 0x900");
    guest_psw(g, 0x910, PSW_64 | PSW_RI | PSW_PROBLEM, label(g, "go"));
    guest_psw(g, 0x1c0, PSW_64, label(g, "handler"));
    assert_int_equal(guest_well(g, guest_go(g, PSW_64, CODE)), WAIT_END);
    assert_int_equal(guest_out(g, 0).rsic, 997); /* three in the problem state; SVC and what is done with RI off not */
    guest_psw(g, 0x1c0, PSW_64 | PSW_RI, label(g, "handler"));
    assert_int_equal(guest_well(g, guest_go(g, PSW_64, CODE)), WAIT_END);
    /* and CLI, JE, LPSWE (bit 24 one before and after), CLI, JE in the supervisor state */
    assert_int_equal(guest_out(g, 0).rsic, 992);
}

GUEST(ri_59_60_64_65_66_directed, "RI-A")
{
    struct ri_controls c = silent(1);
    c.m = 2;
    sampled(g, c,
            "nopr %r0\n rinext\n one:\n lr %r1,%r1\n nopr %r0\n rinext\n two:\n rinext\n three:\n j @four\n nopr %r0\n "
            "four:\n nopr %r0");
    assert_int_equal(guest_groups(g), 3);
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "one"));
    assert_int_equal(guest_field(g, 3, "IA"), label(g, "two"));
    assert_int_equal(guest_field(g, 5, "IA"), label(g, "three"));
    assert_int_equal(guest_field(g, 5, "BR"), 1);
    assert_int_equal(guest_field(g, 1, "DS"), 1);
    assert_int_equal(guest_out(g, 0).rsic, 0);
    c.n = 0;
    sampled(g, c, "rinext\n nopr %r0\n rinext\n nopr %r0");
    assert_int_equal(guest_groups(g), 3);
}

GUEST(ri_61_directed_execute, "RI-A")
{
    struct ri_controls c = silent(1);
    c.m = 2;
    sampled(g, c,
            "larl %r9,@target\n rinext\n one:\n ex %r0,0(%r9)\n nopr %r0\n exrl %r0,@next\n two:\n lr %r1,%r1\n nopr "
            "%r0#target:\n lr %r2,%r3\n next:\n rinext");
    assert_int_equal(guest_groups(g), 2);
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "one"));
    assert_int_equal(guest_field(g, 1, "EX"), 1);
    assert_int_equal(guest_field(g, 1, "TXT"), 0x18230000);
    assert_int_equal(guest_field(g, 3, "IA"), label(g, "two"));
}

GUEST(ri_62_interruption_cancels, "RI-A")
{
    struct ri_controls c = silent(1);
    c.m = 2;
    guest_block(g, 0, c);
    guest_code(
        g, CODE,
        "lric 0x11000\n rion\n rinext\n svc 1\n nopr %r0\n nopr %r0\n rioff\n lpswe 0x900\n handler:\n lpswe 0x140");
    guest_psw(g, 0x1c0, PSW_64, label(g, "handler"));
    assert_int_equal(guest_well(g, guest_go(g, PSW_64, CODE)), WAIT_END);
    assert_int_equal(guest_groups(g), 0);
}

GUEST(ri_63_count_and_direction, "RI-A")
{
    sampled(g, silent(2), "rinext\n one:\n lr %r1,%r1\n nopr %r0");
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(guest_field(g, 1, "DS"), 1);
    assert_int_equal(guest_field(g, 1, "CS"), 1);
}

/* ---- F: collection --------------------------------------------------------------------------------------------- */

/* One branch, then what was collected: its type or 0. `setup` is done before RION. */
static unsigned collected(struct guest *g, struct ri_controls c, const char *setup, const char *branch)
{
    char text[400];
    c.rgs = 1;
    c.sf = 1000;
    guest_block(g, 0, c);
    snprintf(text, sizeof text,
             "lric 0x11000\n larl %%r6,@to\n lghi %%r2,5\n lghi %%r3,1\n lghi %%r4,9\n lghi %%r5,9\n %s\n rion\n at:\n "
             "%s\n to:\n"
             "rinext\n nopr %%r0\n rioff\n lpswe 0x900",
             setup, branch);
    memset(g->storage + BASE, 0, 64);
    ENDS(g, text);
    assert_int_equal(guest_type(g, 3), 4);
    unsigned type = guest_type(g, 2);
    if (type) {
        assert_int_equal(guest_field(g, 2, "IA"), label(g, "at"));
        assert_int_equal(guest_field(g, 2, "TGT"), label(g, "to"));
    }
    return type;
}

GUEST(ri_77_78_80_81_every_branch_class, "RI-A")
{
    static const struct {
        const char *setup, *branch;
        unsigned type;
    } cases[] = {
        {"", "balr %r7,%r6", 0x12},
        {"", "bal %r7,0(%r6)", 0x12},
        {"", "basr %r7,%r6", 0x12},
        {"", "bas %r7,0(%r6)", 0x12},
        {"", "bras %r7,@to", 0x12},
        {"", "brasl %r7,@to", 0x12},
        {"aghi %r6,1", "bassm %r7,%r6", 0x12},
        {"", "balr %r7,%r0", 0},
        {"", "basr %r7,%r0", 0},
        {"", "bassm %r7,%r0", 0},
        {"", "bcr 15,%r6", 0x13},
        {"", "bcr 15,%r0", 0},
        {"", "bc 15,0(%r6)", 0x14},
        {"cr %r4,%r5", "bcr 8,%r6", 0x14},
        {"cr %r4,%r5", "bcr 7,%r6", 0},
        {"cr %r4,%r5", "bc 8,0(%r6)", 0x14},
        {"cr %r4,%r5", "bc 7,0(%r6)", 0},
        {"", "bct %r2,0(%r6)", 0x14},
        {"", "bct %r3,0(%r6)", 0},
        {"", "bctr %r2,%r6", 0x14},
        {"", "bctr %r2,%r0", 0},
        {"", "bctg %r2,0(%r6)", 0x14},
        {"", "bctgr %r2,%r6", 0x14},
        {"", "bxh %r2,%r3,0(%r6)", 0x14},
        {"", "bxhg %r2,%r3,0(%r6)", 0x14},
        {"", "bxle %r3,%r4,0(%r6)", 0},
        {"lghi %r5,99", "bxle %r3,%r4,0(%r6)", 0x14},
        {"lghi %r5,99", "bxleg %r3,%r4,0(%r6)", 0x14},
        {"", "brc 15,@to", 0x14},
        {"", "brcl 15,@to", 0x14},
        {"cr %r4,%r5", "brc 8,@to", 0x14},
        {"cr %r4,%r5", "brc 6,@to", 0},
        {"", "brct %r2,@to", 0x14},
        {"", "brctg %r2,@to", 0x14},
        {"", "brxh %r2,%r3,@to", 0x14},
        {"", "brxhg %r2,%r3,@to", 0x14},
        {"lghi %r5,99", "brxle %r3,%r4,@to", 0x14},
        {"lghi %r5,99", "brxlg %r3,%r4,@to", 0x14},
        {"", "crb %r4,%r5,8,0(%r6)", 0x14},
        {"", "cgrb %r4,%r5,8,0(%r6)", 0x14},
        {"", "crj %r4,%r5,8,@to", 0x14},
        {"", "cgrj %r4,%r5,8,@to", 0x14},
        {"", "cgrj %r4,%r5,6,@to", 0},
        {"", "cib %r4,9,8,0(%r6)", 0x14},
        {"", "cgib %r4,9,8,0(%r6)", 0x14},
        {"", "cij %r4,9,8,@to", 0x14},
        {"", "cgij %r4,9,8,@to", 0x14},
        {"", "clrb %r4,%r5,8,0(%r6)", 0x14},
        {"", "clgrb %r4,%r5,8,0(%r6)", 0x14},
        {"", "clrj %r4,%r5,8,@to", 0x14},
        {"", "clgrj %r4,%r5,8,@to", 0x14},
        {"", "clib %r4,9,8,0(%r6)", 0x14},
        {"", "clgib %r4,9,8,0(%r6)", 0x14},
        {"", "clij %r4,9,8,@to", 0x14},
        {"", "clgij %r4,9,8,@to", 0x14},
        {"aghi %r6,1", "bsm %r7,%r6", 0x14},
        {"", "bsm %r7,%r0", 0},
        {"stg %r6,0x930", "bic 15,0x930", 0x14},
        {"", "j @to", 0x14},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ri_controls c = silent(1);
        unsigned type = collected(g, c, cases[i].setup, cases[i].branch);
        if (type != cases[i].type)
            print_error("%s\n", cases[i].branch);
        assert_int_equal(type, cases[i].type);
        if (!type)
            continue;
        /* Only its own control matters. */
        c.c = type == 0x12;
        c.r = type == 0x13;
        c.b = type == 0x14;
        assert_int_equal(collected(g, c, cases[i].setup, cases[i].branch), type);
        c.c = !c.c;
        c.r = !c.r;
        c.b = !c.b;
        assert_int_equal(collected(g, c, cases[i].setup, cases[i].branch), 0);
    }
}

GUEST(ri_79_control_j, "RI-A")
{
    for (unsigned j = 0; j < 2; j++) {
        struct ri_controls c = silent(1);
        c.j = (uint8_t)j;
        assert_int_equal(collected(g, c, "", "bc 15,0(%r6)"), j ? 0x13 : 0x14);
        assert_int_equal(collected(g, c, "stg %r6,0x930", "bic 15,0x930"), j ? 0x13 : 0x14);
        assert_int_equal(collected(g, c, "", "bcr 15,%r6"), 0x13);
        assert_int_equal(collected(g, c, "cr %r4,%r5", "bc 8,0(%r6)"), 0x14);
        c.b = 0;
        assert_int_equal(collected(g, c, "", "bc 15,0(%r6)"), j ? 0x13 : 0);
        c.b = 1;
        c.r = 0;
        assert_int_equal(collected(g, c, "", "bc 15,0(%r6)"), j ? 0 : 0x14);
    }
}

GUEST(ri_83_84_newest_thirty, "RI-A")
{
    struct ri_controls c = usual(1000);
    c.rgs = 4;
    sampled(g, c, "lghi %r3,40\n loop:\n riemit %r3\n brctg %r3,@loop\n rinext\n nopr %r0");
    assert_int_equal(guest_groups(g), 1);
    /* RIEMIT and the branch alternate; the last loop emits 1 and falls through: ... 14, emit 1. */
    for (unsigned i = 30; i >= 1; i--) {
        unsigned age = 30 - i;
        assert_int_equal(guest_type(g, i), age % 2 ? 0x14 : 0x10);
        if (age % 2 == 0)
            assert_int_equal(guest_field(g, i, "DATA"), 1 + age / 2);
    }
}

GUEST(ri_87_emptied_by_interruption_and_rioff, "RI-A")
{
    struct ri_controls c = usual(1000);
    c.rgs = 1;
    sampled(g, c, "riemit %r1\n rioff\n rion\n rinext\n nopr %r0");
    assert_int_equal(guest_type(g, 2), 0);
    guest_block(g, 0, c);
    guest_code(
        g, CODE,
        "lric 0x11000\n rion\n riemit %r1\n svc 1\n rinext\n nopr %r0\n rioff\n lpswe 0x900\n handler:\n lpswe 0x140");
    guest_psw(g, 0x1c0, PSW_64, label(g, "handler"));
    assert_int_equal(guest_well(g, guest_go(g, PSW_64, CODE)), WAIT_END);
    assert_int_equal(guest_groups(g), 2);
    assert_int_equal(guest_type(g, 2), 0);
}

GUEST(ri_89_executed_branch, "RI-A")
{
    struct ri_controls c = usual(1000);
    c.rgs = 1;
    sampled(g, c,
            "larl %r9,@target\n lghi %r7,0x33\n larl %r6,@to\n at:\n ex %r0,0(%r9)\n nopr %r0\n to:\n rinext\n nopr "
            "%r0#target:\n basr %r7,%r6");
    assert_int_equal(guest_type(g, 2), 0x12);
    assert_int_equal(guest_field(g, 2, "IA"), label(g, "at"));
    assert_int_equal(guest_field(g, 2, "TGT"), label(g, "to"));
    assert_int_equal(guest_field(g, 2, "W"), 0);
}

GUEST(ri_106_addressing_modes, "RI-A")
{
    for (unsigned mode = 0; mode < 3; mode++) {
        struct ri_controls c = usual(1000);
        c.rgs = 1;
        guest_block(g, 0, c);
        guest_code(g, CODE,
                   "lric 0x11000\n lpswe 0x910\n go:\n llihf %r6,0xffffffff\n larl %r6,@to\n oihh %r6,0xff00\n oilh "
                   "%r6,0xff00\n at:\n basr %r7,%r6\n to:\n rinext\n nopr %r0\n rioff\n lpswe 0x900");
        if (mode == 2) /* in the 64-bit mode the register has to be clean */
            guest_code(g, CODE,
                       "lric 0x11000\n lpswe 0x910\n go:\n nopr %r0\n larl %r6,@to\n at:\n basr %r7,%r6\n to:\n "
                       "rinext\n nopr %r0\n rioff\n lpswe 0x900");
        if (mode == 1)
            guest_code(g, CODE,
                       "lric 0x11000\n lpswe 0x910\n go:\n larl %r6,@to\n oihh %r6,0xff00\n oilh %r6,0x8000\n at:\n "
                       "basr %r7,%r6\n to:\n rinext\n nopr %r0\n rioff\n lpswe 0x900");
        guest_psw(g, 0x910, PSW_RI | (mode == 0 ? 0 : mode == 1 ? PSW_BA : PSW_64), label(g, "go"));
        assert_int_equal(guest_well(g, guest_go(g, PSW_64, CODE)), WAIT_END);
        assert_int_equal(guest_record(g, 2).hi, UINT64_C(0x12) << 56 | label(g, "at"));
        assert_int_equal(guest_record(g, 2).lo, label(g, "to"));
    }
}

/* ---- G: report controls ---------------------------------------------------------------------------------------- */

GUEST(ri_91_to_94_levels, "RI-A")
{
    static const char text[] =
        "nopr %r0\n stg %r1,0x930\n lr %r1,%r1\n lg %r2,0x930\n la %r2,0x930\n mvghi 0x938,5\n cs %r1,%r1,0x930";
    struct ri_controls c = silent(1);
    sampled(g, c, text);
    assert_int_equal(guest_groups(g), 0);
    c.ic = 14;
    sampled(g, c, text);
    assert_int_equal(guest_groups(g), 7);
    c.ic = 15;
    c.dc = 0;
    sampled(g, c, text); /* STG, LG, MVC, CS */
    assert_int_equal(guest_groups(g), 7 + 4);
    c.dc = 15;
    c.f = 1;
    sampled(g, c, text);
    assert_int_equal(guest_groups(g), 7 + 4 + 7);
    c.f = 0;
    c.dc = 0;
    sampled(g, c, "cr %r1,%r1\n locg %r2,0x930,8\n locg %r2,0x930,4\n stocg %r2,0x930,8\n stocg %r2,0x930,7");
    assert_int_equal(guest_groups(g), 7 + 4 + 7 + 2); /* only those whose condition is met have an access */
}

GUEST(ri_95_to_98_prediction, "RI-A")
{
    struct ri_controls c = silent(1);
    c.bpxn = 1; /* taken twice, then not */
    sampled(g, c, "lghi %r3,3\n loop:\n brct %r3,@loop");
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(guest_field(g, 1, "TK"), 0);
    assert_int_equal(guest_field(g, 1, "PT"), 1);
    c = silent(1);
    c.bpxt = 1;
    sampled(g, c, "lghi %r3,3\n loop:\n brct %r3,@loop");
    assert_int_equal(guest_groups(g), 2);
    assert_int_equal(guest_field(g, 1, "TK"), 1);
    assert_int_equal(guest_field(g, 1, "PT"), 0);
    c = silent(1);
    c.bpti = 1; /* BR to one, to one, to two */
    sampled(g, c,
            "larl %r6,@one\n larl %r7,@one\n larl %r8,@two\n back:\n br %r6\n nopr %r0\n one:\n lgr %r6,%r7\n lgr "
            "%r7,%r8\n j @back\n nopr %r0\n two:\n nopr %r0");
    assert_int_equal(guest_groups(g), 4);
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "back"));
    assert_int_equal(guest_field(g, 3, "IA"), label(g, "back"));
    c = silent(1);
    c.bpni = 1;
    sampled(g, c,
            "lghi %r3,3\n larl %r6,@one\n loop:\n cr %r3,%r3\n at:\n bcr 7,%r6\n one:\n aghi %r6,2\n brct %r3,@loop");
    assert_int_equal(guest_groups(g), 6);
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "at"));
}

GUEST(ri_99_states, "RI-A")
{
    for (unsigned i = 0; i < 8; i++) {
        struct ri_controls c = usual(2);
        c.ps = i & 1;
        c.qs = i >> 1 & 1;
        guest_block(g, 0, c);
        uint64_t before = guest_groups(g);
        bool problem = i >> 2;
        guest_code(g, CODE, "lric 0x11000\n lpswe 0x910\n go:\n nopr %r0\n nopr %r0\n rinext\n nopr %r0\n svc 0");
        guest_psw(g, 0x910, PSW_64 | PSW_RI | (problem ? PSW_PROBLEM : 0), label(g, "go"));
        assert_int_equal(guest_go(g, PSW_64, CODE), WAIT_SVC);
        assert_int_equal(guest_groups(g) - before, (problem ? c.ps : c.qs) ? 2 : 0);
    }
}

GUEST(ri_110_extra_record, "RI-A")
{
    struct ri_controls c = usual(1);
    c.d = 1;
    c.rgs = 1;
    sampled(g, c, "lgfi %r1,0x12345\n stmg %r2,%r5,0x11(%r1)\n l %r2,0x15(%r1)");
    assert_int_equal(guest_type(g, 2), 0);
    assert_int_equal(guest_record(g, 6).hi, 0x01018e0000000020);
    assert_int_equal(guest_record(g, 6).lo, 0x12356);
    assert_int_equal(guest_record(g, 10).hi, 0x01010e0000000004);
    assert_int_equal(guest_record(g, 10).lo, 0x1235a);
}

/* What the extra record says of the instruction at label "at" of `text`: length, store, address; length 0: there is no
   such record. General register 6 is DATA, the others what `text` makes of them. */
#define DATA 0x28000u
static void accesses(struct guest *g, const char *text, uint64_t length, bool store, uint64_t address)
{
    struct ri_controls c = usual(1);
    char all[600];
    c.d = 1;
    c.rgs = 1;
    memset(g->storage + BASE, 0xee, 0x1000);
    memset(g->storage + DATA, 0, 0x1000);
    memcpy(g->storage + DATA + 0x40, "abc", 4);
    memcpy(g->storage + DATA + 0x80, "abc", 4);
    memcpy(g->storage + DATA + 0xc0, "axc", 4);
    memset(g->cpu->gr, 0, sizeof g->cpu->gr);
    g->cpu->vr[2].hi = 0x0000000400000008;
    g->cpu->cr[1] = BIT64(58); /* with DAT on: a real space */
    g->cpu->cr[0] |= CR0_TRANSACTIONS | CR0_AFP | CR0_VECTOR;
    const uint64_t before = guest_groups(g);
    snprintf(all, sizeof all, "lgfi %%r6,0x28000\n %s", text);
    sampled(g, c, all);
    for (unsigned n = 0; n < guest_groups(g) - before; n++) {
        const struct ri_record extra = guest_record(g, 4 * n + 2);
        if (guest_field(g, 4 * n + 3, "IA") != label(g, "at"))
            continue;
        if (extra.hi >> 56 != (length != 0))
            fail_msg("%s: %s extra record", text, length ? "there is no" : "there is an");
        if (length && (extra.hi != (0x01010e0000000000 | (uint64_t)store << 47 | length) || extra.lo != address))
            fail_msg("%s: %016llx %016llx", text, (unsigned long long)extra.hi, (unsigned long long)extra.lo);
        return;
    }
    fail_msg("%s: no group", text);
}

/* Every length rule of the instruction table (F.6, H.9). */
GUEST(ri_110_lengths, "RI-A")
{
    accesses(g, "la %r1,5\n at:\n mvck 0(%r1,%r6),0x40(%r6),%r3", 5, true, DATA);
    accesses(g, "la %r1,300\n at:\n mvck 0(%r1,%r6),0x40(%r6),%r3", 256, true, DATA);
    accesses(g, "at:\n mvck 0(%r1,%r6),0x40(%r6),%r3", 0, false, 0);
    accesses(g, "la %r0,6\n at:\n mvcrl 0x8(%r6),0x40(%r6)", 7, true, DATA + 8);
    accesses(g, "la %r0,3\n at:\n mvcdk 0(%r6),0x40(%r6)", 4, true, DATA);
    accesses(g, "la %r0,3\n at:\n mvcsk 0(%r6),0x40(%r6)", 4, true, DATA);
    accesses(g, "stosm 0x900(%r6),4\n la %r3,20\n at:\n mvcos 0(%r6),0x40(%r6),%r3", 20, true, DATA);
    accesses(g, "stosm 0x900(%r6),4\n lghi %r3,5000\n at:\n mvcos 0(%r6),0x40(%r6),%r3", 4096, true, DATA);
    accesses(g, "la %r0,2\n at:\n stfle 8(%r6)", 24, true, DATA + 8);
    accesses(g, "la %r0,255\n at:\n stfle 8(%r6)", 32, true, DATA + 8);
    accesses(g, "at:\n l %r1,4(%r6)", 4, false, DATA + 4);
    accesses(g, "at:\n mvc 4(9,%r6),0(%r6)", 9, true, DATA + 4);
    accesses(g, "at:\n icm %r1,5,4(%r6)", 2, false, DATA + 4);
    accesses(g, "exrl %r0,@t\n at:\n exrl %r0,@t\n#t:\n nopr %r0", 0, false, 0);
    accesses(g, "at:\n exrl %r0,@t\n#t:\n stg %r0,8(%r6)", 8, true, DATA + 8);
}

GUEST(ri_110_lengths_of_strings, "RI-A")
{
    static const char *const long_ones[] = {"clcl %r2,%r4", "clcle %r2,%r4,0", "clclu %r2,%r4,0"};
    char text[200];
    accesses(g, "la %r2,0(%r6)\n la %r4,0x40(%r6)\n at:\n mvst %r2,%r4", 4, true, DATA);
    accesses(g, "la %r2,0x40(%r6)\n la %r4,0x80(%r6)\n at:\n clst %r2,%r4", 4, false, DATA + 0x40);
    accesses(g, "la %r2,0x40(%r6)\n la %r4,0xc0(%r6)\n at:\n clst %r2,%r4", 2, false, DATA + 0x40);
    accesses(g, "la %r1,0x4a(%r6)\n la %r2,0x40(%r6)\n at:\n srst %r1,%r2", 10, false, DATA + 0x40);
    accesses(g, "la %r1,0x40(%r6)\n la %r2,0x40(%r6)\n at:\n srst %r1,%r2", 0, false, 0);
    accesses(g, "la %r1,0x49(%r6)\n la %r2,0x40(%r6)\n at:\n srstu %r1,%r2", 10, false, DATA + 0x40);
    accesses(g, "la %r1,0x100(%r6)\n la %r2,0(%r6)\n la %r3,5\n la %r4,0x80(%r6)\n at:\n trot %r2,%r4,1", 10, true,
             DATA);
    accesses(g, "lay %r1,0x1000(%r6)\n la %r2,0(%r6)\n la %r3,10\n la %r4,0x80(%r6)\n at:\n trto %r2,%r4,1", 5, true,
             DATA);
    for (unsigned i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "la %%r2,0(%%r6)\n la %%r4,0x40(%%r6)\n la %%r5,4\n at:\n %s", long_ones[i]);
        accesses(g, text, 4, false, DATA + 0x40);
        snprintf(text, sizeof text, "la %%r2,0(%%r6)\n la %%r4,0x40(%%r6)\n la %%r3,2\n la %%r5,4\n at:\n %s",
                 long_ones[i]);
        accesses(g, text, 2, false, DATA);
        snprintf(text, sizeof text, "la %%r2,0(%%r6)\n la %%r4,0x40(%%r6)\n at:\n %s", long_ones[i]);
        accesses(g, text, 0, false, 0);
    }
    accesses(g, "la %r2,0(%r6)\n la %r4,0x40(%r6)\n la %r5,4\n at:\n mvcl %r2,%r4", 0, false, 0);
    accesses(g, "la %r2,0(%r6)\n la %r4,0x40(%r6)\n la %r3,2\n at:\n mvcl %r2,%r4", 2, true, DATA);
}

GUEST(ri_110_lengths_of_vectors, "RI-A")
{
    accesses(g, "la %r3,4\n at:\n vll %v1,%r3,0(%r6)", 5, false, DATA);
    accesses(g, "la %r3,100\n at:\n vstl %v1,%r3,0(%r6)", 16, true, DATA);
    accesses(g, "la %r3,6\n at:\n vlrlr %v1,%r3,0(%r6)", 7, false, DATA);
    accesses(g, "la %r3,6\n at:\n vstrlr %v1,%r3,0(%r6)", 7, true, DATA);
    accesses(g, "at:\n vlrl %v1,0(%r6),3", 4, false, DATA);
    accesses(g, "at:\n vstrl %v1,0(%r6),3", 4, true, DATA);
    accesses(g, "at:\n vpkz %v1,0(%r6),9", 10, false, DATA);
    accesses(g, "at:\n vupkz %v1,0(%r6),9", 10, true, DATA);
    accesses(g, "at:\n vllez %v1,0(%r6),0", 1, false, DATA);
    accesses(g, "at:\n vllez %v1,0(%r6),3", 8, false, DATA);
    accesses(g, "at:\n vllez %v1,0(%r6),6", 4, false, DATA);
    accesses(g, "at:\n vllebrz %v1,0(%r6),1", 2, false, DATA);
    accesses(g, "at:\n vlrep %v1,0(%r6),2", 4, false, DATA);
    accesses(g, "at:\n vlbrrep %v1,0(%r6),3", 8, false, DATA);
    accesses(g, "at:\n vlbb %v1,0x3c(%r6),0", 4, false, DATA + 0x3c);
    accesses(g, "at:\n vlbb %v1,0x3c(%r6),1", 16, false, DATA + 0x3c);
    accesses(g, "at:\n vlm %v1,%v3,0(%r6)", 48, false, DATA);
    accesses(g, "at:\n vgef %v1,4(%v2,%r6),1", 4, false, DATA + 4 + 8);
    accesses(g, "at:\n vscef %v1,4(%v2,%r6),0", 4, true, DATA + 4 + 4);
    accesses(g, "at:\n vgeg %v1,0(%v2,%r6),1", 8, false, DATA);
}

GUEST(ri_110_lengths_by_function, "RI-A")
{
    static const struct {
        const char *function;
        unsigned length;
        bool store;
    } locked[] = {{"0", 4, false}, {"1", 8, false},  {"2", 8, false},    {"3", 16, false},
                  {"4", 4, true},  {"5", 8, true},   {"6", 8, true},     {"7", 16, true},
                  {"8", 4, true},  {"23", 16, true}, {"0x100", 0, false}};
    char text[200];
    for (unsigned i = 0; i < sizeof locked / sizeof *locked; i++) {
        snprintf(text, sizeof text, "la %%r0,%s\n at:\n plo %%r2,0(%%r6),%%r4,0x200(%%r6)", locked[i].function);
        accesses(g, text, locked[i].length, locked[i].store, DATA);
    }
    accesses(g, "lghi %r0,0x201\n la %r1,0x100(%r6)\n at:\n csst 0(%r6),0x40(%r6),%r2", 8, true, DATA);
    accesses(g, "lghi %r0,0x402\n la %r1,0x100(%r6)\n at:\n csst 0(%r6),0x40(%r6),%r2", 16, true, DATA);
    accesses(g, "at:\n tbegin 0,0\n tend", 0, false, 0);
    accesses(g, "at:\n tbegin 0x100(%r6),0\n tend", 256, true, DATA + 0x100);
    accesses(g, "at:\n tbeginc 0,0\n tend", 0, false, 0);
    accesses(g, "at:\n stric 0x100(%r6)", 64, true, DATA + 0x100);
}

/* Functions that answer a question store a parameter block, whatever their registers say; other functions have only
   some of the operands. */
GUEST(ri_110_operands_by_function, "RI-A")
{
    static const char *const queries[] = {"km %r2,%r4",        "kmc %r2,%r4", "kmf %r2,%r4",        "kmo %r2,%r4",
                                          "kmctr %r2,%r8,%r4", "kimd 2,%r4",  "klmd %r2,%r4",       "kmac 2,%r4",
                                          "kma %r2,%r8,%r4",   "pcc",         "prno %r2,%r4",       "pckmo",
                                          "kdsa 2,%r4",        "ptff",        "dfltcc %r2,%r4,%r8", "sortl %r2,%r4"};
    static const struct {
        const char *function, *insn;
        unsigned length, at;
        bool store;
    } others[] = {
        {"0x70", "prno %r2,%r4", 8, 0x200, true},
        {"0x72", "prno %r2,%r4", 8, 0, true},
        {"0x83", "prno %r2,%r4", 24, 0x40, false},
        {"3", "prno %r2,%r4", 8, 0, true},
        {"2", "klmd %r2,%r4", 24, 0x40, false},
        {"36", "klmd %r2,%r4", 8, 0, true},
        {"2\n la %r5,64", "kimd %r2,%r4", 64, 0x40, false},
    };
    static const char operands[] = "la %r1,0x200(%r6)\n la %r2,0(%r6)\n la %r3,8\n la %r4,0x40(%r6)\n la %r5,24\n "
                                   "la %r8,0x80(%r6)\n la %r9,8\n";
    char text[300];
    for (unsigned i = 0; i < sizeof queries / sizeof *queries; i++) {
        snprintf(text, sizeof text, "%s at:\n %s", operands, queries[i]);
        accesses(g, text, i < 14 ? 16 : 32, true, DATA + 0x200);
    }
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(text, sizeof text, "%s lghi %%r0,%s\n at:\n %s", operands, others[i].function, others[i].insn);
        accesses(g, text, others[i].length, others[i].store, DATA + others[i].at);
    }
}

/* The channel subsystem of the test: the condition code is in general register 5; a response has 24 bytes. */
static int channels(void *machine, struct cpu *cpu, enum cpu_io function, uint8_t block[CPU_IO_BLOCK], unsigned *cc)
{
    (void)machine;
    if (function == CPU_IO_CALL)
        put16(block + get16(block), 24);
    *cc = (unsigned)cpu->gr[5] & 3;
    return 0;
}
GUEST(ri_110_lengths_of_channels, "RI-A")
{
    static const struct cpu_callouts callouts = {.io = channels};
    static const struct {
        const char *insn;
        unsigned length[4]; /* by condition code */
        bool store;
    } rows[] = {
        {"stsch", {52, 0, 0, 0}, true},    {"tsch", {64, 64, 0, 0}, true},    {"tpi", {0, 8, 8, 8}, true},
        {"stcrw", {4, 4, 4, 4}, true},     {"msch", {52, 52, 52, 52}, false}, {"ssch", {12, 12, 12, 12}, false},
        {"stcps", {32, 32, 32, 32}, true},
    };
    char text[200];
    g->sys.callouts = &callouts;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned cc = 0; cc < 4; cc++) {
            snprintf(text, sizeof text, "lghi %%r5,%u\n at:\n %s 0x100(%%r6)", cc, rows[i].insn);
            accesses(g, text, rows[i].length[cc], rows[i].store, DATA + 0x100);
        }
    accesses(g, "mvi 0x107(%r6),4\n at:\n ssch 0x100(%r6)", 12, false, DATA + 0x100);
    accesses(g, "mvi 0x107(%r6),1\n at:\n ssch 0x100(%r6)", 32, false, DATA + 0x100);
    accesses(g, "lghi %r5,1\n at:\n tpi 0", 0, false, 0); /* the prefix area */
    accesses(g, "mvi 1(%r6),16\n at:\n chsc %r6", 40, true, DATA);
    g->sys.callouts = NULL;
}

/* What only the body knows. */
GUEST(ri_110_lengths_told, "RI-A")
{
    accesses(g, "la %r0,255\n at:\n qpaci 8(%r6)", 16, true, DATA + 8);
    accesses(g, "at:\n qpaci 8(%r6)", 8, true, DATA + 8);
    /* The save area: a short PSW, access register at 10, general register at 18. */
    accesses(g,
             "larl %r1,@next\n oihl %r1,1\n oilh %r1,0x8000\n stg %r1,0x100(%r6)\n at:\n rp 0x100(%r6)\n "
             ".hex 0000000000100018\n next:\n nopr %r0",
             0x1c, false, DATA + 0x100);
    /* and with the right half of the general register before the PSW */
    accesses(g,
             "larl %r1,@next\n oihl %r1,1\n oilh %r1,0x8000\n stg %r1,0x120(%r6)\n at:\n rp 0x100(%r6)\n "
             ".hex 0000002000100018\n next:\n nopr %r0",
             0x28, false, DATA + 0x100);
}

/* What the validity control ends accesses nothing (D.0). */
GUEST(ri_37_110_no_operand, "RI-A")
{
    struct ri_controls c = usual(1);
    c.d = 1;
    c.rgs = 1;
    c.s = 0;
    guest_block(g, 0, c);
    guest_code(g, CODE, "lric 0x11000\n lpswe 0x910\n go:\n stric 0x12001\n svc 0");
    guest_psw(g, 0x910, PSW_64 | PSW_RI | PSW_PROBLEM, label(g, "go"));
    assert_int_equal(guest_go(g, PSW_64, CODE), WAIT_SVC);
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(guest_field(g, 3, "IA"), label(g, "go"));
    assert_int_equal(guest_type(g, 2), 0);
    assert_int_equal(guest_field(g, 3, "DL"), 15);
}

/* ---- I: the store ---------------------------------------------------------------------------------------------- */

GUEST(ri_111_112_120_121_full, "RI-A")
{
    struct ri_controls c = usual(1);
    c.u = 1;
    c.rgs = 3; /* 256 bytes: sixteen groups */
    sampled(g, c, "lghi %r3,40\n loop:\n riemit %r3\n rinext\n brct %r3,@loop");
    assert_int_equal(guest_groups(g), 16);
    struct ri_controls out = guest_out(g, 0);
    assert_int_equal(out.rca, BASE + 0x1000);
    assert_int_equal(out.l, 1);
    assert_int_equal(out.rsic, 1);
    assert_int_equal(guest_field(g, 0, "NRG"), 16);
    assert_int_equal(guest_field(g, 0, "S"), 1);
}

GUEST(ri_123_125_buffer_full_alert, "RI-A")
{
    struct ri_controls c = usual(10);
    c.u = 1;
    c.rgs = 4;
    guest_block(g, 0, c);
    /* Enabled for external interruptions while RI is on: taken right behind the sample instruction that fills it. */
    guest_code(g, CODE,
               "lric 0x11000\n lpswe 0x910\n loop:\n aghi %r3,1\n nopr %r0\n j @loop\n handler:\n lpswe 0x920\n "
               "again:\n lghi %r2,100\n more:\n nopr %r0\n brct %r2,@more\n stric 0x12000\n lpswe 0x900");
    g->cpu->gr[3] = 0;
    guest_psw(g, 0x910, PSW_64 | PSW_RI | PSW_EXT, label(g, "loop"));
    guest_psw(g, 0x920, PSW_64 | PSW_RI | PSW_EXT, label(g, "again"));
    guest_psw(g, 0x1b0, PSW_64, label(g, "handler"));
    assert_int_equal(guest_well(g, guest_go(g, PSW_64, CODE)), WAIT_END);
    assert_int_equal(get16(g->storage + 0x86), 0x1407);
    assert_int_equal(get32(g->storage + 0x80), 0x10);
    assert_int_equal(guest_groups(g), 8);
    assert_int_equal(g->cpu->gr[3], 27); /* the 80th instruction is AGHI once more after 26 rounds of three */
    assert_int_equal(get64(g->storage + 0x138), label(g, "loop") + 6);
    assert_int_equal(guest_out(g, 0).l, 0);
}

GUEST(ri_113_key, "RI-A")
{
    struct ri_controls c = usual(2);
    c.key = 3;
    guest_block(g, 0, c);
    for (unsigned key = 0; key < 16; key++) {
        g->sys.storage.keys[BASE / 4096] = (uint8_t)(key << 4);
        cpu_tlb_purge(g->cpu);
        uint64_t before = guest_groups(g);
        uint64_t end =
            guest_run(g, "lric 0x11000\n rion\n nopr %r0\n sample:\n nopr %r0\n behind:\n rioff\n lpswe 0x900");
        if (key == 3) {
            assert_int_equal(end, WAIT_END);
            assert_int_equal(guest_groups(g) - before, 1);
            continue;
        }
        /* RI-116: length code zero, behind the sample instruction. */
        assert_int_equal(guest_groups(g), before);
        guest_program(g, PIC_PROTECTION, 0);
        assert_int_equal(program_old_ia(g), label(g, "behind"));
    }
}

GUEST(ri_115_119_real_prefix_low_address, "RI-A")
{
    /* Real addresses: with a prefix, the buffer at real 0 of the prefix area. */
    struct ri_controls c = usual(1);
    c.roa = c.rca = 0x1000;
    c.rla = 0x1fff;
    guest_block(g, 0, c);
    memcpy(g->storage + 0x100000, g->storage, 0x2000);
    g->cpu->prefix = 0x100000;
    cpu_tlb_purge(g->cpu);
    ENDS(g, "lric 0x11000\n rion\n nopr %r0\n rioff\n lpswe 0x900");
    assert_int_equal(g->storage[0x101000], 2);
    assert_int_equal(g->storage[0x1000], 0);
    g->cpu->prefix = 0;
    cpu_tlb_purge(g->cpu);
    /* Low-address protection covers 0-511 and 4096-4607. */
    g->cpu->cr[0] |= BIT64(35);
    cpu_mode_changed(g->cpu);
    uint64_t before = guest_groups(g);
    guest_run(g, "lric 0x11000\n rion\n nopr %r0\n rioff\n lpswe 0x900");
    guest_program(g, PIC_PROTECTION, 0);
    assert_int_equal(guest_groups(g), before);
    assert_int_equal(g->storage[0x1000], 0);
}

/* A segment table and page tables at 0x200000 for 2 GiB; page `page` of the first segment at frame `frame`. */
static uint64_t space(struct guest *g, unsigned n)
{
    uint64_t segment = 0x200000 + n * 0x10000, pages = segment + 0x4000;
    for (unsigned i = 0; i < 2048; i++)
        put64(g->storage + segment + 8 * i, 0x20);
    for (unsigned s = 0; s < 4; s++) {
        put64(g->storage + segment + 8 * s, pages + 0x800 * s);
        for (unsigned i = 0; i < 256; i++)
            put64(g->storage + pages + 0x800 * s + 8 * i, (s << 20) + (i << 12));
    }
    return segment;
}
static void map(struct guest *g, uint64_t segment, uint64_t address, uint64_t entry)
{
    put64(g->storage + segment + 0x4000 + (address >> 12) * 8, entry);
}

GUEST(ri_114_space_of_the_buffer, "RI-A")
{
    for (unsigned h = 0; h < 2; h++)
        for (unsigned as = 0; as < 4; as++) {
            if (as == AS_SECONDARY)
                continue;
            uint64_t primary = space(g, 0), home = space(g, 1);
            map(g, primary, BASE, 0x300000);
            map(g, home, BASE, 0x301000);
            memset(g->storage + 0x300000, 0, 0x2000);
            g->cpu->cr[1] = primary;
            g->cpu->cr[13] = home;
            cpu_tlb_purge(g->cpu);
            struct ri_controls c = usual(1);
            c.h = (uint8_t)h;
            guest_block(g, 0, c);
            guest_code(g, CODE, "lric 0x11000\n rion\n nopr %r0\n rioff\n lpswe 0x900");
            memset(g->cpu->ar, 0, sizeof g->cpu->ar);
            assert_int_equal(guest_well(g, guest_go(g, PSW_64 | PSW_DAT | (uint64_t)as << 46, CODE)), WAIT_END);
            assert_int_equal(g->storage[0x300000], h ? 0 : 2);
            assert_int_equal(g->storage[0x301000], h ? 2 : 0);
        }
}

GUEST(ri_116_117_118_page_fault, "RI-A")
{
    uint64_t primary = space(g, 0);
    struct ri_controls c = usual(2);
    c.rla = BASE + 0x1fff;
    c.rca = BASE + 0x1000;
    map(g, primary, BASE, 0x300000);
    map(g, primary, BASE + 0x1000, 0x301000 | 0x400); /* invalid */
    g->cpu->cr[1] = primary;
    cpu_tlb_purge(g->cpu);
    g->storage[0x300000] = 2;
    put64(g->storage + 0x300000, 0x0200000100010000);
    guest_block(g, 0, c);
    guest_code(g, CODE,
               "lric 0x11000\n rion\n nopr %r0\n sample:\n lr %r2,%r3\n behind:\n nopr %r0\n nopr %r0\n nopr %r0\n "
               "rioff\n lpswe 0x900\n"
               "handler:\n stric 0x12000\n lpswe 0x930");
    guest_psw(g, 0x1d0, PSW_64, label(g, "handler"));
    guest_psw(g, 0x930, PSW_64 | PSW_WAIT, 0x444);
    assert_int_equal(guest_go(g, PSW_64 | PSW_DAT, CODE), 0x444);
    assert_int_equal(get16(g->storage + 142), PIC_PAGE_TRANSLATION);
    assert_int_equal(g->storage[141], 0);
    assert_int_equal(program_old_ia(g), label(g, "behind"));
    assert_true(program_old_mask(g) & PSW_RI);
    assert_int_equal(get64(g->storage + 168) & PAGE_ADDRESS, BASE + 0x1000);
    assert_int_equal(guest_out(g, 0).rca, BASE + 0x1000);
    assert_int_equal(guest_groups(g), 0);
    assert_int_equal(get64(g->storage + 0x300000), 0x0200000100010000);
    /* The page comes; the program goes on from the old PSW. */
    map(g, primary, BASE + 0x1000, 0x301000);
    cpu_tlb_purge(g->cpu);
    assert_int_equal(guest_well(g, guest_go(g, get64(g->storage + 0x150), program_old_ia(g))), WAIT_END);
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(g->storage[0x301000], 3);
    assert_int_equal(get64(g->storage + 0x300000), 0x0200008100010000);
    /* DAT protection of the page. */
    map(g, primary, BASE + 0x1000, 0x301000 | 0x200);
    cpu_tlb_purge(g->cpu);
    assert_int_equal(guest_go(g, PSW_64 | PSW_DAT, CODE), 0x444);
    assert_int_equal(get16(g->storage + 142), PIC_PROTECTION);
    assert_int_equal(guest_groups(g), 1);
    /* RI-118: the begin record's page. */
    map(g, primary, BASE + 0x1000, 0x301000);
    map(g, primary, BASE, 0x300000 | 0x400);
    cpu_tlb_purge(g->cpu);
    g->storage[0x301000] = 0xee;
    assert_int_equal(guest_go(g, PSW_64 | PSW_DAT, CODE), 0x444);
    assert_int_equal(get16(g->storage + 142), PIC_PAGE_TRANSLATION);
    assert_int_equal(get64(g->storage + 168) & PAGE_ADDRESS, BASE);
    assert_int_equal(g->storage[0x301000], 0xee);
}

GUEST(ri_127_external_after_the_store, "RI-A")
{
    guest_block(g, 0, usual(3));
    guest_code(g, CODE, "lric 0x11000\n lpswe 0x910\n go:\n nopr %r0\n nopr %r0\n sample:\n stosm 0x930,1\n nopr %r0");
    guest_psw(g, 0x910, PSW_64 | PSW_RI, label(g, "go"));
    cpu_raise_external(g->cpu, CPU_EXT_INTERRUPT_KEY);
    g->cpu->cr[0] |= BIT64(57);
    assert_int_equal(guest_go(g, PSW_64, CODE), WAIT_EXTERNAL);
    assert_int_equal(get16(g->storage + 0x86), 0x40);
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "sample"));
}

/* ---- J: halts -------------------------------------------------------------------------------------------------- */

GUEST(ri_137_to_144_halt, "RI-A")
{
    struct ri_controls c = usual(2);
    c.u = 1;
    sampled(g, c, "nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0");
    assert_int_equal(guest_groups(g), 2);
    /* On another version, with the stored controls. */
    assert_int_equal(ri_set_profile(g->cpu->ri, ri_profile_find("RI-C")), 0);
    ENDS(g, "lric 0x12000\n rion\n nopr %r0\n nopr %r0\n riemit %r0\n rinext\n nopr %r0\n nopr %r0\n tric\n ipm %r2\n "
            "rioff\n stric 0x12040\n lpswe 0x900");
    assert_int_equal(guest_groups(g), 2);
    assert_int_equal(guest_out(g, 1).g, 1);
    assert_int_equal(guest_out(g, 1).rca, BASE + 64);
    assert_int_equal(guest_out(g, 1).rsic, 2);
    assert_int_equal(guest_field(g, 0, "H"), 1);
    assert_int_equal(guest_cc(g, 2), 1);
    guest_code(g, CODE, "stosm 0x930,1\n lpswe 0x900");
    assert_int_equal(guest_go(g, PSW_64, CODE), WAIT_EXTERNAL);
    assert_int_equal(get32(g->storage + 0x80), 0x20);
    /* Back: the next sample stores, G becomes zero, H stays. */
    assert_int_equal(ri_set_profile(g->cpu->ri, ri_profile_find("RI-A")), 0);
    ENDS(g, "lric 0x12040\n rion\n nopr %r0\n nopr %r0\n rioff\n stric 0x12040\n lpswe 0x900");
    assert_int_equal(guest_groups(g), 3);
    assert_int_equal(guest_out(g, 1).g, 0);
    assert_int_equal(guest_field(g, 0, "H"), 1);
    assert_int_equal(guest_field(g, 0, "NRG"), 3);
}

/* ---- K: what programs do --------------------------------------------------------------------------------------- */

GUEST(ri_150_criu, "RI-A")
{
    struct ri_controls linux_start = {.rla = 0xfff, .v = 1, .s = 1, .k = 1, .ps = 1, .pc = 1};
    struct ri_controls c = {.rca = BASE + 0x10, .roa = BASE + 0x10, .rla = BASE + 0x10 + 0x2000};
    guest_block(g, 0, linux_start);
    guest_block(g, 1, c);
    ENDS(g, "lric 0x11000\n lpswe 0x900");
    guest_code(g, CODE,
               "mric 0x11040\n rion\n poll:\n lghi %r3,50\n spin:\n brct %r3,@spin\n rioff\n stric 0x12000\n rion\n "
               "lgrl %r4,0x12000\n lgrl %r5,0x12010\n cgrjh %r4,%r5,@full\n j @poll\n full:\n rioff\n svc 0");
    assert_int_equal(guest_go(g, PSW_64 | PSW_PROBLEM, CODE), WAIT_SVC);
    struct ri_controls out = guest_out(g, 0);
    assert_int_equal(out.rca, out.rla + 1);
    ENDS(g, "lric 0x12000\n rion\n rioff\n stric 0x12040\n lpswe 0x900");
    assert_memory_equal(g->storage + OUT, g->storage + OUT + 64, 48);
    assert_int_equal(guest_out(g, 1).a, 1);
}

int main(void)
{
    RI_OR_SKIP();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ri_67_every_nth),
        cmocka_unit_test(ri_68_cycles),
        cmocka_unit_test(ri_69_first_interval),
        cmocka_unit_test(ri_71_rioff_rion_continue),
        cmocka_unit_test(ri_72_73_execute_and_condition_code_3),
        cmocka_unit_test(ri_74_126_program_exceptions),
        cmocka_unit_test(ri_75_76_supervisor_call),
        cmocka_unit_test(ri_59_60_64_65_66_directed),
        cmocka_unit_test(ri_61_directed_execute),
        cmocka_unit_test(ri_62_interruption_cancels),
        cmocka_unit_test(ri_63_count_and_direction),
        cmocka_unit_test(ri_77_78_80_81_every_branch_class),
        cmocka_unit_test(ri_79_control_j),
        cmocka_unit_test(ri_83_84_newest_thirty),
        cmocka_unit_test(ri_87_emptied_by_interruption_and_rioff),
        cmocka_unit_test(ri_89_executed_branch),
        cmocka_unit_test(ri_106_addressing_modes),
        cmocka_unit_test(ri_91_to_94_levels),
        cmocka_unit_test(ri_95_to_98_prediction),
        cmocka_unit_test(ri_99_states),
        cmocka_unit_test(ri_110_extra_record),
        cmocka_unit_test(ri_110_lengths),
        cmocka_unit_test(ri_110_lengths_of_strings),
        cmocka_unit_test(ri_110_lengths_of_vectors),
        cmocka_unit_test(ri_110_lengths_by_function),
        cmocka_unit_test(ri_110_lengths_told),
        cmocka_unit_test(ri_110_operands_by_function),
        cmocka_unit_test(ri_110_lengths_of_channels),
        cmocka_unit_test(ri_37_110_no_operand),
        cmocka_unit_test(ri_111_112_120_121_full),
        cmocka_unit_test(ri_123_125_buffer_full_alert),
        cmocka_unit_test(ri_113_key),
        cmocka_unit_test(ri_115_119_real_prefix_low_address),
        cmocka_unit_test(ri_114_space_of_the_buffer),
        cmocka_unit_test(ri_116_117_118_page_fault),
        cmocka_unit_test(ri_127_external_after_the_store),
        cmocka_unit_test(ri_137_to_144_halt),
        cmocka_unit_test(ri_150_criu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
