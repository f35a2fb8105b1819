/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-time instrumentation as guest programs see it: facility, PSW bit 24, the eight instructions (specification A to
   D) and the worked example M. Each program is run by both engines. */
#include "cpu/control/interrupt.h"
#include "cpu/control/registers.h"
#include "cpu/life/life.h"
#include "cpu/state/timing.h"
#include "tests/unit/ri_guest.h"

/* ---- M: the worked example ------------------------------------------------------------------------------------- */

static const uint64_t dump[24][2] = WORKED_EXAMPLE(0);
static const char example[] =
    "larl %r1,0x10100\n lric 0(%r1)\n lghi %r5,0x5a5\n lhi %r3,3\n rion\n"
    "loop:\n riemit %r5\n brasl %r14,@sub\n brct %r3,@loop\n rioff\n"
    "larl %r1,0x10200\n stric 0(%r1)\n larl %r1,0x10240\n lpswe 0(%r1)\n"
    ".org 10040\n sub:\n ahi %r4,1\n br %r14\n"
    ".org 10100\n .hex 0000000000020000\n .hex 0000000000020000\n .hex 0000000000020fff\n"
    ".hex 8050000210e80100\n"
    ".hex 0000000000000000\n .hex 0000000000000004\n .hex 0000000000000000\n .hex 0000000000000000\n"
    ".org 10240\n .hex 0002000180000000\n .hex 0000000000000fff\n";

GUEST(worked_example, "RI-A")
{
    memset(g->storage + BASE, 0xee, 0x1000);
    uint64_t before = cpu_tod(g->cpu);
    assert_int_equal(guest_run(g, example), WAIT_END);
    uint64_t after = cpu_tod(g->cpu);
    for (unsigned i = 0; i < 24; i++) {
        struct ri_record r = guest_record(g, i);
        assert_int_equal(r.hi, dump[i][0]);
        if (i % 8 == 0)
            assert_true(r.lo >= before && r.lo <= after);
        else
            assert_int_equal(r.lo, dump[i][1]);
    }
    for (unsigned i = 0x180; i < 0x1000; i++)
        assert_int_equal(g->storage[BASE + i], 0xee);
    static const uint64_t cbout[8] = {0x20180, 0x20000, 0x20fff, 0x8850000210e80100, 0, 4, 1, 0};
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(get64(g->storage + 0x10200 + 8 * i), cbout[i]);
}

/* ---- facility, PSW bit 24, resets ------------------------------------------------------------------------------ */

static const char *const eight[] = {"rinext",     "rion",         "tric",          "rioff",
                                    "riemit %r5", "lric 0x11000", "stric 0x12000", "mric 0x11000"};

GUEST(ri_1_stfle_bit_64, "RI-A")
{
    for (int on = 1; on >= 0; on--) {
        if (!on)
            g->sys.profile.facilities[1] &= ~BIT64(0);
        ENDS(g, "lghi %r0,3\n larl %r1,0x12000\n stfle 0(%r1)\n lpswe 0x900");
        assert_int_equal(get64(g->storage + OUT + 8) >> 63, on);
    }
}

GUEST(ri_2_operation_exceptions, "RI-A")
{
    char text[64];
    for (unsigned i = 5; i < 16; i++) {
        snprintf(text, sizeof text, ".hex aa3%x0000\n lpswe 0x900", i);
        guest_run(g, text);
        guest_program(g, PIC_OPERATION, 4);
    }
    g->sys.profile.facilities[1] &= ~BIT64(0);
    for (unsigned i = 0; i < 8; i++) {
        snprintf(text, sizeof text, "%s\n lpswe 0x900", eight[i]);
        guest_run(g, text);
        guest_program(g, PIC_OPERATION, i < 5 ? 4 : 6);
    }
}

GUEST(ri_3_psw_bit_without_valid_controls, "RI-A")
{
    guest_psw(g, 0x910, PSW_64 | PSW_RI, CODE);
    guest_run(g, "lpswe 0x910");
    assert_int_equal(g->cpu->psw.ia, WAIT_PROGRAM);
    assert_int_equal(get16(g->storage + 142), PIC_SPECIFICATION);
    assert_true(program_old_mask(g) & PSW_RI);
    guest_block(g, 0, usual(100));
    g->sys.profile.facilities[1] &= ~BIT64(0);
    guest_run(g, "lpswe 0x910");
    assert_int_equal(get16(g->storage + 142), PIC_SPECIFICATION);
    assert_true(program_old_mask(g) & PSW_RI);
}

GUEST(ri_4_lpswe_and_lpsw_enable, "RI-A")
{
    guest_block(g, 0, usual(3));
    guest_code(g, CODE, "lric 0x11000\n lpswe 0x910\n go:\n epsw %r2,%r3\n nopr %r0\n nopr %r0\n lpswe 0x900");
    guest_psw(g, 0x910, PSW_64 | PSW_RI, label(g, "go"));
    assert_int_equal(guest_well(g, guest_go(g, PSW_64, CODE)), WAIT_END);
    assert_int_equal(g->cpu->gr[2] & 0x80, 0x80);
    assert_int_equal(guest_groups(g), 1); /* LPSWE is not counted; the third after it is the sample instruction */
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "go") + 6);
    guest_code(g, CODE, "lric 0x11000\n lpsw 0x910\n go:\n epsw %r2,%r3\n nopr %r0\n nopr %r0\n lpswe 0x900");
    put64(g->storage + 0x910, PSW_RI | PSW_BIT12 | PSW_BA | label(g, "go"));
    g->cpu->gr[2] = 0;
    assert_int_equal(guest_well(g, guest_go(g, PSW_64, CODE)), WAIT_END);
    assert_int_equal(g->cpu->gr[2] & 0x80, 0x80);
    assert_int_equal(guest_groups(g), 2);
}

GUEST(ri_5_left_unchanged, "RI-A")
{
    static const char *const lines[] = {"ssm 0x920",   "stnsm 0x920,0xff", "stosm 0x920,0", "spka 0x20", "spm %r4",
                                        "bsm %r0,%r6", "bassm %r7,%r6",    "sam64",         "sam31",     "sam24"};
    guest_block(g, 0, usual(1000));
    for (unsigned on = 0; on < 2; on++)
        for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
            char text[200];
            g->storage[0x920] = 0;
            snprintf(text, sizeof text,
                     "lric 0x11000\n larl %%r6,@behind\n %s\n %s\n behind:\n epsw %%r2,%%r3\n spka 0\n lpswe 0x900",
                     on ? "rion" : "rioff", lines[i]);
            if (strncmp(lines[i], "b", 1) == 0) /* the address with its 64-bit mode bit */
                snprintf(
                    text, sizeof text,
                    "lric 0x11000\n larl %%r6,@behind\n aghi %%r6,1\n %s\n %s\n behind:\n epsw %%r2,%%r3\n lpswe 0x900",
                    on ? "rion" : "rioff", lines[i]);
            ENDS(g, text);
            assert_int_equal(g->cpu->gr[2] >> 7 & 1, on);
        }
}

GUEST(ri_6_interruptions_exchange_bit_24, "RI-A")
{
    guest_block(g, 0, usual(1000));
    guest_code(g, CODE, "lric 0x11000\n rion\n svc 7\n lpswe 0x900\n handler:\n epsw %r2,%r3\n lpswe 0x140");
    guest_psw(g, 0x1c0, PSW_64, label(g, "handler"));
    assert_int_equal(guest_well(g, guest_go(g, PSW_64, CODE)), WAIT_END);
    assert_true(get64(g->storage + 0x140) & PSW_RI);
    assert_int_equal(g->cpu->gr[2] & 0x80, 0);
    guest_psw(g, 0x1c0, PSW_64 | PSW_RI, label(g, "handler"));
    assert_int_equal(guest_well(g, guest_go(g, PSW_64, CODE)), WAIT_END);
    assert_int_equal(g->cpu->gr[2] & 0x80, 0x80);
}

GUEST(ri_7_new_psw_bit_without_valid_controls, "RI-A")
{
    guest_psw(g, 0x1c0, PSW_64 | PSW_RI, CODE);
    guest_run(g, "svc 7");
    guest_program(g, PIC_SPECIFICATION, 0);
    assert_true(program_old_mask(g) & PSW_RI);
    assert_int_equal(program_old_ia(g), CODE);
}

GUEST(ri_9_10_resets, "RI-A")
{
    for (int kind = CPU_RESET; kind <= CPU_RESET_POWER_ON; kind++) {
        struct ri_controls c = usual(1000);
        c.u = c.g = 1;
        guest_block(g, 0, c);
        guest_psw(g, 0x910, PSW_64 | PSW_RI | PSW_WAIT, 0x777);
        assert_int_equal(guest_run(g, "lric 0x11000\n lpswe 0x910"), 0x777);
        cpu_reset(g->cpu, (enum cpu_reset_kind)kind);
        assert_false(g->cpu->psw.mask & PSW_RI);
        g->cpu->clock_comparator = ~UINT64_C(0);
        assert_int_equal(cpu_external_pending(g->cpu) & CPU_EXT_MEASUREMENT_ALERT, 0);
        if (kind != CPU_RESET)
            assert_true(g->cpu->cr[0] & BIT64(58));
        ENDS(g, "stric 0x12000\n ipm %r2\n lpswe 0x900");
        assert_int_equal(guest_cc(g, 2), 3);
    }
}

GUEST(ri_11_executed, "RI-A")
{
    struct ri_controls c = usual(1000);
    guest_block(g, 0, c);
    /* All eight as targets of EX and EXRL. */
    ENDS(g, "larl %r9,@i_lric\n ex %r0,0(%r9)\n exrl %r0,@i_rion\n exrl %r0,@i_tric\n ipm %r2\n lghi %r5,0x123\n"
            "larl %r9,@i_emit\n ex %r0,0(%r9)\n exrl %r0,@i_next\n nopr %r0\n exrl %r0,@i_stric\n ipm %r4\n"
            "larl %r9,@i_rioff\n ex %r0,0(%r9)\n epsw %r6,%r7\n exrl %r0,@i_mric\n tric\n ipm %r3\n lpswe 0x900\n"
            ".org 10100\n i_lric:\n lric 0x11000\n i_rion:\n rion\n i_tric:\n tric\n i_emit:\n riemit %r5\n"
            "i_next:\n rinext\n i_stric:\n stric 0x12000\n i_rioff:\n rioff\n i_mric:\n mric 0x11000");
    assert_int_equal(guest_cc(g, 2), 1);
    assert_int_equal(guest_cc(g, 4), 0);
    assert_int_equal(guest_cc(g, 3), 1);
    assert_int_equal(g->cpu->gr[6] & 0x80, 0);
    /* units: tric, ipm, lghi, larl, ex-riemit, exrl-rinext, nopr; STRIC shows what is left before itself */
    assert_int_equal(guest_out(g, 0).rsic, 993);
    assert_int_equal(guest_groups(g), 1); /* by direction */
    assert_int_equal(guest_field(g, 1, "DS"), 1);
}

/* ---- LRIC, MRIC, STRIC ----------------------------------------------------------------------------------------- */

GUEST(ri_12_24_28_lric_stric, "RI-A")
{
    struct ri_controls c = usual(77);
    c.rca = BASE + 0x80;
    c.rgs = 2;
    c.key = 9;
    guest_block(g, 0, c);
    /* Register fields and the signed long displacement. */
    ENDS(g, "larl %r4,0x11010\n tmll %r4,0xffff\n lghi %r8,-1\n .hex eb384ff0ff60\n ipm %r2\n larl %r5,0x12008\n"
            ".hex eb765ff8ff61\n lpswe 0x900");
    c.rsic = 77;
    uint8_t want[64];
    ri_controls_encode(&c, want);
    assert_memory_equal(g->storage + OUT, want, 64);
    assert_int_equal(guest_cc(g, 2), 1); /* of TMLL: leftmost bit zero, mixed */
}

/* The usual controls are in block 0, and loaded. */
static struct ri_controls load_usual(struct guest *g, uint64_t sf)
{
    struct ri_controls c = usual(sf);
    guest_block(g, 0, c);
    ENDS(g, "lric 0x11000\n lpswe 0x900");
    return c;
}

/* `text` ends in a program interruption by an instruction of six bytes. */
static void refused(struct guest *g, const char *text, unsigned code)
{
    guest_run(g, text);
    guest_program(g, code, 6);
}

GUEST(ri_22_lric_exceptions, "RI-A")
{
    struct ri_controls c = load_usual(g, 5);
    refused(g, "lric 0x11004", PIC_SPECIFICATION);
    for (unsigned m = 3; m < 16; m++) {
        c.m = (uint8_t)m;
        guest_block(g, 1, c);
        refused(g, "lric 0x11040", PIC_SPECIFICATION);
    }
    refused(g, "lgfi %r1,0x3fffe0\n lric 0(%r1)", PIC_ADDRESSING); /* its second half is not in storage */
    ENDS(g, "stric 0x12000\n lpswe 0x900");
    assert_int_equal(guest_out(g, 0).sf, 5);
    assert_int_equal(guest_out(g, 0).m, 1);
    assert_int_equal(guest_out(g, 0).a, 0);
}

/* Run `text` in the problem state. */
static uint64_t problem_run(struct guest *g, const char *text)
{
    guest_code(g, CODE, text);
    return guest_go(g, PSW_64 | PSW_PROBLEM, CODE);
}

GUEST(ri_23_lric_privileged, "RI-A")
{
    guest_block(g, 0, usual(5));
    ENDS(g, "lric 0x11000\n lpswe 0x900");
    problem_run(g, "lric 0x11004"); /* before the specification exception */
    guest_program(g, PIC_PRIVILEGED_OPERATION, 6);
}

GUEST(ri_17_25_148_lric_of_zeros, "RI-A")
{
    guest_block(g, 0, usual(5));
    guest_block(g, 1, (struct ri_controls){0});
    ENDS(g, "lric 0x11000\n rion\n lric 0x11040\n epsw %r2,%r3\n rion\n ipm %r4\n lpswe 0x900");
    assert_int_equal(g->cpu->gr[2] & 0x80, 0);
    uint8_t zero[RI_BLOCK_SIZE] = {0}, now[RI_BLOCK_SIZE];
    ri_controls_encode(&g->cpu->ri->controls, now);
    assert_memory_equal(now, zero, sizeof now);
    assert_int_equal(guest_cc(g, 4), 3); /* RI-17 */
    guest_psw(g, 0x910, PSW_64 | PSW_RI | PSW_PROBLEM, CODE);
    guest_run(g, "lpswe 0x910");
    assert_int_equal(get16(g->storage + 142), PIC_SPECIFICATION);
}

GUEST(ri_26_lric_while_enabled, "RI-A")
{
    struct ri_controls c = usual(50);
    guest_block(g, 0, c);
    c.sf = 4;
    guest_block(g, 1, c);
    ENDS(g, "lric 0x11000\n rion\n bras %r14,@a\n a:\n lric 0x11040\n nopr %r0\n nopr %r0\n nopr %r0\n sample:\n nopr "
            "%r0\n rioff\n"
            "lpswe 0x900");
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(guest_field(g, 1, "IA"), label(g, "sample"));
}

GUEST(ri_27_123_124_alert, "RI-A")
{
    struct ri_controls c = usual(50);
    c.u = c.l = c.g = 1;
    guest_block(g, 0, c);
    guest_code(g, CODE, "lric 0x11000\n stosm 0x920,1\n lpswe 0x900");
    assert_int_equal(guest_go(g, PSW_64, CODE), WAIT_EXTERNAL);
    assert_int_equal(get16(g->storage + 0x86), 0x1407);
    assert_int_equal(get16(g->storage + 0x84), 0);
    assert_int_equal(get32(g->storage + 0x80), 0x30);
    ENDS(g, "stric 0x12000\n stosm 0x920,1\n lpswe 0x900"); /* presented: not pending any more */
    assert_int_equal(guest_out(g, 0).g + guest_out(g, 0).l, 0);
    assert_int_equal(guest_out(g, 0).a, 1);
    c.g = 0;
    guest_block(g, 0, c);
    g->cpu->cr[0] &= ~BIT64(58);
    ENDS(g, "lric 0x11000\n stosm 0x920,1\n stnsm 0x920,0xfe\n lpswe 0x900"); /* held back by the subclass mask */
    g->cpu->cr[0] |= BIT64(58);
    guest_code(g, CODE, "stosm 0x920,1\n lpswe 0x900");
    assert_int_equal(guest_go(g, PSW_64, CODE), WAIT_EXTERNAL);
    assert_int_equal(get32(g->storage + 0x80), 0x10);
    c.l = 0;
    guest_block(g, 1, c);
    c.l = 1;
    guest_block(g, 0, c);
    ENDS(g, "lric 0x11000\n lric 0x11040\n stosm 0x920,1\n lpswe 0x900"); /* LRIC removes it */
}

GUEST(ri_37_41_42_47_49_permission, "RI-A")
{
    static const char *const five[] = {"rion", "tric", "rioff", "stric 0x12000", "mric 0x11000"};
    char text[100];
    for (unsigned i = 0; i < 5; i++) {
        memset(g->storage + OUT, 0xee, 64);
        /* S and V zero in the problem state: 2; V zero in the supervisor state: 3. The operand is not looked at. */
        snprintf(text, sizeof text, "%s\n ipm %%r2\n svc 0",
                 i < 3    ? five[i]
                 : i == 3 ? "stric 0x12004"
                          : "mric 0x11004");
        assert_int_equal(problem_run(g, text), WAIT_SVC);
        assert_int_equal(guest_cc(g, 2), 2);
        assert_int_equal(guest_run(g, text), WAIT_SVC);
        assert_int_equal(guest_cc(g, 2), 3);
        for (unsigned k = 0; k < 64; k++)
            assert_int_equal(g->storage[OUT + k], 0xee);
    }
    for (unsigned s = 0; s < 2; s++) {
        struct ri_controls c = usual(50);
        c.s = (uint8_t)s;
        guest_block(g, 0, c);
        for (unsigned i = 0; i < 5; i++) {
            static const unsigned altered_cc = 1;
            ENDS(g, "lric 0x11000\n mric 0x11000\n lpswe 0x900");
            snprintf(text, sizeof text, "%s\n ipm %%r2\n svc 0", five[i]);
            assert_int_equal(problem_run(g, text), WAIT_SVC);
            assert_int_equal(guest_cc(g, 2), !s ? 2 : i == 1 ? altered_cc : 0);
            assert_int_equal((get64(g->storage + 0x140) & PSW_RI) != 0, s && i == 0);
        }
    }
}

GUEST(ri_38_43_operand_exceptions, "RI-A")
{
    struct ri_controls c = load_usual(g, 50);
    refused(g, "mric 0x11004", PIC_SPECIFICATION);
    refused(g, "stric 0x12004", PIC_SPECIFICATION);
    c.m = 3;
    guest_block(g, 1, c);
    refused(g, "mric 0x11040", PIC_SPECIFICATION);
    refused(g, "lgfi %r1,0x3fffe0\n mric 0(%r1)", PIC_ADDRESSING);
    memset(g->storage + 0x3fffe0, 0xee, 32);
    refused(g, "lgfi %r1,0x3fffe0\n stric 0(%r1)", PIC_ADDRESSING);
    assert_int_equal(g->storage[0x3fffe0], 0xee);
    ENDS(g, "tric\n ipm %r2\n lpswe 0x900");
    assert_int_equal(guest_cc(g, 2), 0);
}

GUEST(ri_30_mric_by_k, "RI-A")
{
    for (unsigned k = 0; k < 2; k++) {
        struct ri_controls c = usual(50);
        c.k = (uint8_t)k;
        guest_block(g, 0, c);
        ENDS(g, "lric 0x11000\n lpswe 0x900");
        c.roa = c.rca = 0x24000;
        c.rla = 0x24fff;
        guest_block(g, 1, c);
        assert_int_equal(problem_run(g, "mric 0x11040\n stric 0x12000\n svc 0"), WAIT_SVC);
        assert_int_equal(guest_out(g, 0).roa, k ? 0x24000 : BASE);
        ENDS(g, "mric 0x11040\n stric 0x12000\n lpswe 0x900");
        assert_int_equal(guest_out(g, 0).roa, 0x24000);
    }
}

GUEST(ri_40_44_mric_and_stric_while_enabled, "RI-A")
{
    struct ri_controls c = usual(50);
    c.rsic = 20;
    guest_block(g, 0, c);
    ENDS(g, "lric 0x11000\n rion\n nopr %r0\n rinext\n mric 0x11000\n nopr %r0\n nopr %r0\n stric 0x12000\n rioff\n "
            "lpswe 0x900");
    assert_int_equal(guest_out(g, 0).rsic, 18);
    assert_int_equal(guest_groups(g), 0);
}

GUEST(ri_45_46_50_51_53_54_on_and_off, "RI-A")
{
    guest_block(g, 0, usual(4));
    ENDS(g, "lric 0x11000\n tric\n ipm %r2\n rioff\n ipm %r3\n rion\n ipm %r4\n rion\n riemit %r0\n nopr %r0\n tric\n "
            "ipm %r5\n"
            "rinext\n rioff\n tric\n ipm %r6\n stric 0x12000\n lpswe 0x900");
    assert_int_equal(guest_cc(g, 2), 0);
    assert_int_equal(guest_cc(g, 3), 0); /* RI-53: it already was zero */
    assert_int_equal(guest_cc(g, 4), 0);
    assert_int_equal(guest_cc(g, 5), 1);
    assert_int_equal(guest_cc(g, 6), 1);
    /* Units: IPM, the second RION, RIEMIT, NOPR = sample; TRIC, IPM, RINEXT; RIOFF is neither counted nor sampled. */
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(guest_field(g, 1, "TXT"), 0x07000000);
    assert_int_equal(guest_out(g, 0).rsic, 1);
}

GUEST(ri_52_ignored_fields, "RI-A")
{
    guest_block(g, 0, usual(1000));
    ENDS(g, "lric 0x11000\n .hex aaf1ffff\n .hex aaf2ffff\n ipm %r2\n .hex aaf0ffff\n nopr %r0\n lghi %r9,0x77\n .hex "
            "aa94ffff\n"
            ".hex aaf3ffff\n epsw %r3,%r4\n lpswe 0x900");
    assert_int_equal(guest_cc(g, 2), 1);
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(g->cpu->gr[3] & 0x80, 0);
}

int main(void)
{
    RI_OR_SKIP();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example),
        cmocka_unit_test(ri_1_stfle_bit_64),
        cmocka_unit_test(ri_2_operation_exceptions),
        cmocka_unit_test(ri_3_psw_bit_without_valid_controls),
        cmocka_unit_test(ri_4_lpswe_and_lpsw_enable),
        cmocka_unit_test(ri_5_left_unchanged),
        cmocka_unit_test(ri_6_interruptions_exchange_bit_24),
        cmocka_unit_test(ri_7_new_psw_bit_without_valid_controls),
        cmocka_unit_test(ri_9_10_resets),
        cmocka_unit_test(ri_11_executed),
        cmocka_unit_test(ri_12_24_28_lric_stric),
        cmocka_unit_test(ri_22_lric_exceptions),
        cmocka_unit_test(ri_23_lric_privileged),
        cmocka_unit_test(ri_17_25_148_lric_of_zeros),
        cmocka_unit_test(ri_26_lric_while_enabled),
        cmocka_unit_test(ri_27_123_124_alert),
        cmocka_unit_test(ri_37_41_42_47_49_permission),
        cmocka_unit_test(ri_38_43_operand_exceptions),
        cmocka_unit_test(ri_30_mric_by_k),
        cmocka_unit_test(ri_40_44_mric_and_stric_while_enabled),
        cmocka_unit_test(ri_45_46_50_51_53_54_on_and_off),
        cmocka_unit_test(ri_52_ignored_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
