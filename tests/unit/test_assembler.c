/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions as text, and text as instructions: dis_text() and dis_assemble() as dis.h says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "disasm/dis.h"
#include "disasm/internal.h"
#include "tests/random.h"

static void to_bytes(uint64_t insn, uint8_t bytes[6])
{
    for (unsigned i = 0; i < 6; i++)
        bytes[i] = (uint8_t)(insn >> (40 - 8 * i));
}

/* Text. */

static const char *text_of(uint64_t insn, uint64_t address, bool extended)
{
    static char text[128];
    uint8_t bytes[6];
    to_bytes(insn, bytes);
    dis_text(bytes, address, extended, text, sizeof text);
    return text;
}

static void text_forms(void **state)
{
    (void)state;
    assert_string_equal(text_of(0xa71a00050000, 0, true), "ahi\t%r1,5");
    assert_string_equal(text_of(0xa774fffc0000, 0x1000, true), "jne\t0xff8");
    assert_string_equal(text_of(0xa774fffc0000, 0x1000, false), "brc\t7,0xff8");
    assert_string_equal(text_of(0x581230040000, 0, true), "l\t%r1,4(%r2,%r3)");
    assert_string_equal(text_of(0x581030040000, 0, true), "l\t%r1,4(%r3)");
    assert_string_equal(text_of(0x581200040000, 0, true), "l\t%r1,4(%r2,%r0)");
    assert_string_equal(text_of(0x581000040000, 0, true), "l\t%r1,4");
    assert_string_equal(text_of(0xd20310002fff, 0, true), "mvc\t0(4,%r1),4095(%r2)");
    assert_string_equal(text_of(0xe31020008004, 0, true), "lg\t%r1,-524288(%r2)");
    assert_string_equal(text_of(0xe712300038f3, 0, true), "vag\t%v17,%v2,%v3");
    assert_string_equal(text_of(0xe712300038f3, 0, false), "va\t%v17,%v2,%v3,3");
    assert_string_equal(text_of(0x07f000000000, 0, true), "br\t%r0");
    assert_string_equal(text_of(0x070000000000, 0, true), "nopr");
    assert_string_equal(text_of(0x000000000000, 0, true), ".short\t0x0000");
    assert_string_equal(text_of(0xb20300010000, 0, true), ".long\t0xb2030001");
}

static void text_of_run_time_instrumentation(void **state)
{
    (void)state;
    assert_string_equal(text_of(0xaa0000000000, 0, true), "rinext");
    assert_string_equal(text_of(0xaa0100000000, 0, true), "rion");
    assert_string_equal(text_of(0xaa0200000000, 0, true), "tric");
    assert_string_equal(text_of(0xaa0300000000, 0, true), "rioff");
    assert_string_equal(text_of(0xaa5400000000, 0, true), "riemit\t%r5");
    assert_string_equal(text_of(0xaaf3ffff0000, 0, true), "rioff"); /* bits that the CPU ignores */
    assert_string_equal(text_of(0xeb0010000060, 0, true), "lric\t0(%r1)");
    assert_string_equal(text_of(0xeb0010000061, 0, true), "stric\t0(%r1)");
    assert_string_equal(text_of(0xebff1000ff62, 0, true), "mric\t-4096(%r1)");
    assert_string_equal(text_of(0xb22000120000, 0, true), "servc\t%r1,%r2");
}

static void text_stays_in_its_room(void **state)
{
    uint8_t bytes[6];
    char text[9];
    (void)state;
    to_bytes(0xd20310002fff, bytes);
    for (size_t size = 0; size < sizeof text; size++) {
        memset(text, '#', sizeof text);
        assert_int_equal(dis_text(bytes, 0, true, text, size), 6);
        assert_int_equal(text[size], '#');
        if (size > 0)
            assert_int_equal(strlen(text), size - 1);
    }
}

static void text_of_what_is_available(void **state)
{
    static const uint8_t bytes[] = {0xd2, 0x03, 0x10, 0x00, 0x2f, 0xff};
    char text[64];
    (void)state;
    assert_int_equal(dis_text_of(bytes, 0, 0, true, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(dis_text_of(bytes, 1, 0, true, text, sizeof text), 1);
    assert_string_equal(text, ".byte\t0xd2");
    assert_int_equal(dis_text_of(bytes, 3, 0, true, text, sizeof text), 2);
    assert_string_equal(text, ".short\t0xd203");
    assert_int_equal(dis_text_of(bytes, 5, 0, true, text, sizeof text), 4);
    assert_string_equal(text, ".long\t0xd2031000");
    assert_int_equal(dis_text_of(bytes, 6, 0, true, text, sizeof text), 6);
}

/* Assembling. */

static uint64_t assembled(const char *line, uint64_t address)
{
    uint8_t bytes[6] = {0};
    char why[200] = "";
    uint64_t insn = 0;
    if (dis_assemble(line, address, bytes, why, sizeof why) < 0)
        fail_msg("'%s': %s", line, why);
    for (unsigned i = 0; i < 6; i++)
        insn = insn << 8 | bytes[i];
    return insn;
}

static void assembler_forms(void **state)
{
    (void)state;
    assert_int_equal(assembled("ahi %r1,5", 0), 0xa71a00050000);
    assert_int_equal(assembled("  AHI  1 , -5  ", 0), 0xa71afffb0000);
    assert_int_equal(assembled("l 1,0(2,3)", 0), 0x581230000000);
    assert_int_equal(assembled("l r1,X'fff'(,r3)", 0), 0x58103fff0000);
    assert_int_equal(assembled("l %r1,0x10(%r3)", 0), 0x581030100000);
    assert_int_equal(assembled("l 1,(3)", 0), 0x581030000000);
    assert_int_equal(assembled("l 1,8", 0), 0x581000080000);
    assert_int_equal(assembled("mvc 0(256,1),4(2)", 0), 0xd2ff10002004);
    assert_int_equal(assembled("mvc 0(0,1),4(2)", 0), 0xd20010002004);
    assert_int_equal(assembled("mvc 0(4),4", 0), 0xd20300000004);
    assert_int_equal(assembled("j 0x1000", 0x1000), 0xa7f400000000);
    assert_int_equal(assembled("jne *-8", 0x1000), 0xa774fffc0000);
}

static void assembler_takes_any_distance_that_fits(void **state)
{
    (void)state;
    assert_int_equal(assembled("j *+65534", 0), 0xa7f47fff0000);
    assert_int_equal(assembled("j *-65536", 0), 0xa7f480000000);
    assert_int_equal(assembled("larl 1,*", 4), 0xc01000000000);
    assert_int_equal(assembled("larl 1,0xfffffffe", 0), 0xc0107fffffff);
    assert_int_equal(assembled("j 0", 2), 0xa7f4ffff0000);
    assert_int_equal(assembled("j 0xfffffffffffffffe", 0), 0xa7f4ffff0000);
}

static void assembler_of_the_rest(void **state)
{
    (void)state;
    assert_int_equal(assembled("vag %v17,%v2,%v31", 0), 0xe712f0003af3);
    assert_int_equal(assembled("vgef %v1,4(%v18,%r3),2", 0), 0xe71230042413);
    assert_int_equal(assembled("vnot 1,17", 0), 0xe7111000066b);
    assert_int_equal(assembled("nopr", 0), 0x070000000000);
    assert_int_equal(assembled("nop", 0), 0x470000000000);
    assert_int_equal(assembled("ipte 1,2", 0), 0xb22100120000);
    assert_int_equal(assembled("ipte 1,2,3", 0), 0xb22130120000);
    assert_int_equal(assembled("ipte 1,2,3,1", 0), 0xb22131120000);
    assert_int_equal(assembled("sske 1,2", 0), 0xb22b00120000);
    assert_int_equal(assembled("cutfu 2,4,1", 0), 0xb2a710240000);
    assert_int_equal(assembled("vfaezbs 1,2,3", 0), 0xe71230300082);
    assert_int_equal(assembled("lric 0(1)", 0), 0xeb0010000060);
    assert_int_equal(assembled("riemit 5", 0), 0xaa5400000000);
    assert_int_equal(assembled("dr 3,4", 0), 0x1d3400000000); /* the machine says what is wrong with it */
    assert_int_equal(assembled("lctlg %c0,%c15,0(%r1)", 0), 0xeb0f1000002f);
    assert_int_equal(assembled("lam %a0,%a15,0(%r1)", 0), 0x9a0f10000000);
    assert_int_equal(assembled("adbr %f0,%f2", 0), 0xb31a00020000);
    assert_int_equal(assembled("adtr 1,2,3", 0), 0xb3d230120000);
}

static void assembler_refuses(void **state)
{
    static const char *const lines[] = {
        "",
        " ",
        "nosuch 1,2",
        "averyveryverylongmnemonic",
        "ahi",
        "ahi 1",
        "ahi 1,2,3",
        "ahi 1,",
        "ahi 16,5",
        "ahi %f1,5",
        "ahi x,5",
        "ahi 1,32768",
        "ahi 1,-32769",
        "ahi 1,five",
        "ahi 1,0x",
        "ahi 1,X'12",
        "l 1,4096",
        "l 1,-1(2)",
        "l 1,0(2",
        "l 1,0(2,3,4)",
        "l 1,0(2,99)",
        "st 1,0(2)x",
        "mvc 0(257,1),0(2)",
        "mvc 0(1),0(1,2)",
        "mvc 0,0",
        "j 0x10001",
        "j 0x100000000000",
        "j *+65536",
        "j *-65538",
        "j *+x",
        "llill 1,65536",
        "llill 1,-1",
        "va 32,1,2,3",
        "lg 1,524288(2)",
        "ahi 1,18446744073709551616",
        "1",
        ",",
        "ahi ,,,,,,,,,,",
        "cghi %",
        "l %r,0",
        "l 1,()",
        "svc 256",
    };
    (void)state;
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        uint8_t bytes[6];
        char why[200] = "";
        int result = dis_assemble(lines[i], 0, bytes, why, sizeof why);
        if (strcmp(lines[i], "l 1,()") == 0)
            continue; /* empty parentheses are D(0); no harm */
        if (result >= 0)
            fail_msg("'%s' was taken", lines[i]);
        assert_true(strlen(why) > 10);
        char small[4] = "###";
        assert_int_equal(dis_assemble(lines[i], 0, bytes, small, 3), -1);
        assert_int_equal(strlen(small), 2);
        assert_int_equal(dis_assemble(lines[i], 0, bytes, NULL, 0), -1);
    }
}

static void text_and_assembler_are_inverse(void **state)
{
    uint64_t random = 7;
    (void)state;
    for (unsigned i = 0; i < DIS_ROW_COUNT; i++)
        for (unsigned n = 0; n < 40; n++) {
            uint64_t bits = 0;
            uint8_t bytes[6], again[6] = {0};
            char text[128], why[200] = "";
            for (unsigned k = 0; dis_rows[i].operands[k] != DIS_OP_NONE; k++)
                bits |= dis_operand_bits(dis_rows[i].operands[k]);
            to_bytes(dis_rows[i].opcode | (random_step(&random) & bits), bytes);
            dis_text(bytes, 0x12345678, n & 1, text, sizeof text);
            assert_int_not_equal(text[0], '.');
            if (dis_assemble(text, 0x12345678, again, why, sizeof why) != dis_rows[i].length ||
                memcmp(bytes, again, dis_rows[i].length) != 0)
                fail_msg("%s: '%s' comes back as other bytes (%s)", dis_rows[i].mnemonic, text, why);
        }
}

/* Lines of a hostile user: pieces of real lines and noise; nothing but an answer and a sentence may come of them. */
static void assembler_survives_noise(void **state)
{
    static const char *const pieces[] = {"ahi", "mvc", "jne", "vgef", "%r1",  "%",  "(",  ")",    ",",  " ", "0x",
                                         "X'",  "'",   "*",   "-",    "4096", "99", "%v", "%v31", "\t", "f", "\x80"};
    enum { PIECES = sizeof pieces / sizeof pieces[0] };
    uint64_t random = 3;
    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        char line[128] = "", why[64];
        uint8_t bytes[6];
        unsigned count = (unsigned)(random_step(&random) % 16);
        for (unsigned n = 0; n < count; n++)
            strcat(line, pieces[random_step(&random) % PIECES]);
        why[0] = '\0';
        int result = dis_assemble(line, random_step(&random), bytes, why, sizeof why);
        assert_true(result == 2 || result == 4 || result == 6 || (result == -1 && why[0] != '\0'));
    }
}

static void extended_mnemonics_assemble(void **state)
{
    (void)state;
    for (unsigned i = 0; i < dis_extended_count; i++) {
        static const char *const samples[] = {
            [DIS_CLASS_GR] = "%r2",        [DIS_CLASS_GP] = "%r2",         [DIS_CLASS_FR] = "%f4",
            [DIS_CLASS_FP] = "%f4",        [DIS_CLASS_AR] = "%a2",         [DIS_CLASS_CR] = "%c2",
            [DIS_CLASS_VR] = "%v2",        [DIS_CLASS_VSAME] = "%v3",      [DIS_CLASS_U] = "0",
            [DIS_CLASS_S] = "-3",          [DIS_CLASS_REL] = "*+4",        [DIS_CLASS_BD] = "4(%r3)",
            [DIS_CLASS_XBD] = "4(%r3)",    [DIS_CLASS_VBD] = "4(%v3,%r3)", [DIS_CLASS_LBD] = "4(3,%r3)",
            [DIS_CLASS_LLBD] = "4(3,%r3)", [DIS_CLASS_RBD] = "4(%r2,%r3)"};
        const struct dis_extended *e = &dis_extended[i];
        char line[128], why[200] = "";
        uint8_t bytes[6] = {0};
        struct dis_insn insn;
        strcpy(line, e->mnemonic);
        for (unsigned n = 0; e->operands[n] != DIS_OP_NONE; n++) {
            strcat(line, n == 0 ? " " : ",");
            strcat(line, samples[dis_operands[e->operands[n]].class]);
        }
        if (dis_assemble(line, 0, bytes, why, sizeof why) != dis_rows[e->row].length)
            fail_msg("'%s': %s", line, why);
        assert_int_equal(dis_decode(bytes, &insn), e->row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_forms),
        cmocka_unit_test(text_of_run_time_instrumentation),
        cmocka_unit_test(text_stays_in_its_room),
        cmocka_unit_test(text_of_what_is_available),
        cmocka_unit_test(assembler_forms),
        cmocka_unit_test(assembler_takes_any_distance_that_fits),
        cmocka_unit_test(assembler_of_the_rest),
        cmocka_unit_test(assembler_refuses),
        cmocka_unit_test(text_and_assembler_are_inverse),
        cmocka_unit_test(assembler_survives_noise),
        cmocka_unit_test(extended_mnemonics_assemble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
