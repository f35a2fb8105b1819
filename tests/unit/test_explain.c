/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is told of instructions: every row has a sentence and meanings of its condition codes, every line of the tables
   is of use, and fields have their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "disasm/explain.h"
#include "disasm/internal.h"

static struct dis_insn bare(unsigned row)
{
    struct dis_insn insn;
    uint8_t bytes[6];
    for (unsigned n = 0; n < 6; n++)
        bytes[n] = (uint8_t)(dis_rows[row].opcode >> (40 - 8 * n));
    assert_int_equal(dis_decode(bytes, &insn), row);
    return insn;
}

static struct dis_insn decoded(const char *line)
{
    struct dis_insn insn;
    uint8_t bytes[6] = {0};
    char why[200];
    if (dis_assemble(line, 0x1000, bytes, why, sizeof why) < 0)
        fail_msg("%s: %s", line, why);
    dis_decode(bytes, &insn);
    return insn;
}

static void every_row_is_told(void **state)
{
    (void)state;
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++) {
        const struct dis_insn insn = bare(row);
        char text[600], shorter[40];
        unsigned meanings = 0, bit;
        dis_explain(&insn, text, sizeof text);
        if (strlen(text) < 15 || text[strlen(text) - 1] != '.' || strpbrk(text, "[]|"))
            fail_msg("%s (%s): \"%s\"", dis_rows[row].mnemonic, dis_rows[row].name, text);
        dis_explain(&insn, shorter, sizeof shorter);
        assert_int_equal(strncmp(text, shorter, strlen(shorter)), 0);
        for (unsigned cc = 0; cc < 4; cc++)
            meanings += *dis_condition(row, cc) != 0;
        if ((dis_rows[row].cc == DIS_CC_UNCHANGED) != (meanings == 0))
            fail_msg("%s: %u meanings of condition codes", dis_rows[row].mnemonic, meanings);
        for (unsigned n = 0; dis_value_exception(row, n, &bit); n++)
            assert_true(n < 5);
    }
    assert_string_equal(dis_condition(DIS_NO_ROW, 0), "");
    assert_string_equal(dis_condition(DIS_AR, 4), "");
}

/* Every line explains a row: its beginning, up to a choice, is that of some row's sentence. */
static void every_line_is_of_use(void **state)
{
    static const char *const lines[] = {
#define EFFECT(name, exceptions, condition, words) words,
#define FLOATS                                     EFFECT
#include "disasm/effects.def"
    };
    (void)state;
    for (unsigned n = 0; n < sizeof lines / sizeof *lines; n++) {
        bool used = false;
        for (unsigned row = 0; row < DIS_ROW_COUNT && !used; row++) {
            const struct dis_insn insn = bare(row);
            char text[600];
            dis_explain(&insn, text, sizeof text);
            const char *choice = strchr(lines[n], '[');
            const char *end = choice ? strchr(choice, ']') + 1 : lines[n];
            used = strstr(text, end) && (!choice || strncmp(text, lines[n], (size_t)(choice - lines[n])) == 0);
        }
        if (!used)
            fail_msg("no instruction has the line \"%s\"", lines[n]);
    }
}

static void forms_are_told_apart(void **state)
{
    static const struct {
        const char *line, *begins;
    } cases[] = {
        {"ar 1,2", "Adds the second operand to the first;"},
        {"ark 1,2,3", "Adds the second and third operands;"},
        {"adbr 1,2", "Adds the second operand to the first; the sum, rounded"},
        {"adtr 1,2,3", "Adds the second and third operands; the sum, rounded"},
        {"cs 1,2,0(3)", "If the first operand equals storage"},
        {"c 1,0", "Compares the first operand with the second"},
        {"vfchdb 1,2,3", "Places ones in each element where the second operand's number is higher"},
        {"vpklsf 1,2,3", "Makes elements half as long; what does not fit becomes"},
        {"brxh 1,2,0x1000", "Adds the increment"},
        {"ahik 1,2,3", "Adds the signed number in the instruction to the second-named operand"},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        const struct dis_insn insn = decoded(cases[n].line);
        char text[600];
        dis_explain(&insn, text, sizeof text);
        if (strncmp(text, cases[n].begins, strlen(cases[n].begins)) != 0)
            fail_msg("%s: %s", cases[n].line, text);
    }
    assert_string_equal(dis_condition(DIS_ADBR, 3), "not a number (of binary and decimal formats)");
    assert_string_equal(dis_condition(DIS_AR, 3), "overflow");
    assert_string_equal(dis_condition(DIS_LCDFR, 3), "");
}

/* The fields as "OP0-7 R1:8-11 ...". */
static void fields_text(const char *line, char *text, size_t size)
{
    const struct dis_insn insn = decoded(line);
    struct dis_named_field fields[DIS_FIELDS_MOST];
    const unsigned count = dis_named_fields(&insn, fields);
    *text = 0;
    for (unsigned n = 0; n < count; n++)
        snprintf(text + strlen(text), size - strlen(text), "%s%s:%u-%u", n ? " " : "", fields[n].name, fields[n].first,
                 fields[n].first + fields[n].width - 1);
}

static void fields_have_their_names(void **state)
{
    static const struct {
        const char *line, *fields;
    } cases[] = {
        {"ar 1,2", "OP:0-7 R1:8-11 R2:12-15"},
        {"a 1,4(2,3)", "OP:0-7 R1:8-11 X2:12-15 B2:16-19 D2:20-31"},
        {"ag 1,4(2,3)", "OP:0-7 R1:8-11 X2:12-15 B2:16-19 DL2:20-31 DH2:32-39 OP:40-47"},
        {"mvc 0(8,1),0(2)", "OP:0-7 L:8-15 B1:16-19 D1:20-31 B2:32-35 D2:36-47"},
        {"ap 0(8,1),0(2,2)", "OP:0-7 L1:8-11 L2:12-15 B1:16-19 D1:20-31 B2:32-35 D2:36-47"},
        {"brc 8,0x1000", "OP:0-7 M1:8-11 OP:12-15 RI2:16-31"},
        {"ahi 1,5", "OP:0-7 R1:8-11 OP:12-15 I2:16-31"},
        {"ark 1,2,3", "OP:0-15 R3:16-19 :20-23 R1:24-27 R2:28-31"},
        {"crj 1,2,8,0x1000", "OP:0-7 R1:8-11 R2:12-15 RI4:16-31 M3:32-35 :36-39 OP:40-47"},
        {"va 1,2,3,3", "OP:0-7 V1:8-11 V2:12-15 V3:16-19 :20-31 M4:32-35 RXB:36-39 OP:40-47"},
        {"larl 1,0x1000", "OP:0-7 R1:8-11 OP:12-15 RI2:16-47"},
        {"rosbg 1,2,3,4,5", "OP:0-7 R1:8-11 R2:12-15 I3:16-23 I4:24-31 I5:32-39 OP:40-47"},
        {"svc 5", "OP:0-7 I:8-15"},
    };
    (void)state;
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        char text[300];
        fields_text(cases[n].line, text, sizeof text);
        assert_string_equal(text, cases[n].fields);
    }
}

/* Whatever the row: the fields cover it, and what the assembler places has a name. */
static void fields_cover_every_row(void **state)
{
    (void)state;
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++) {
        const struct dis_insn insn = bare(row);
        struct dis_named_field fields[DIS_FIELDS_MOST];
        struct dis_named_operand operands[DIS_OPERANDS_MOST];
        unsigned next = 0;
        uint64_t placed = 0;
        for (const uint8_t *kind = dis_rows[row].operands; *kind; kind++)
            placed |= dis_operand_bits(*kind);
        const unsigned count = dis_named_fields(&insn, fields);
        for (unsigned n = 0; n < count; n++) {
            assert_int_equal(fields[n].first, next);
            next += fields[n].width;
            const uint64_t bits = dis_in_field(~UINT64_C(0), fields[n].first, fields[n].width);
            if ((placed & bits) && (!*fields[n].name || strcmp(fields[n].name, "OP") == 0))
                fail_msg("%s: bits %u-%u have the name \"%s\"", dis_rows[row].mnemonic, fields[n].first, next - 1,
                         fields[n].name);
        }
        assert_int_equal(next, 8 * dis_rows[row].length);
        for (unsigned n = 0, all = dis_named_operands(&insn, operands); n < all; n++)
            assert_true(operands[n].kind <= DIS_NAMED_ADDRESS);
    }
}

static void operands_are_named(void **state)
{
    struct dis_named_operand o[DIS_OPERANDS_MOST];
    struct dis_insn insn = decoded("lay 1,-5(2,3)");
    (void)state;
    assert_int_equal(dis_named_operands(&insn, o), 2);
    assert_int_equal(o[0].kind, DIS_NAMED_GR);
    assert_int_equal(o[0].number, 1);
    assert_int_equal(o[1].kind, DIS_NAMED_ADDRESS);
    assert_int_equal(o[1].value, -5);
    assert_int_equal(o[1].index, 2);
    assert_int_equal(o[1].base, 3);
    insn = decoded("va %v17,%v2,%v31,3");
    assert_int_equal(dis_named_operands(&insn, o), 4);
    assert_int_equal(o[0].kind, DIS_NAMED_VR);
    assert_int_equal(o[0].number, 17);
    assert_int_equal(o[2].number, 31);
    assert_int_equal(o[3].value, 3);
    insn = decoded("j 0xff0");
    dis_named_operands(&insn, o);
    assert_int_equal(o[1].kind, DIS_NAMED_RELATIVE);
    assert_int_equal(o[1].value, -0x10);
    insn = decoded("mvc 2(200,1),3(2)");
    assert_int_equal(dis_named_operands(&insn, o), 2);
    assert_int_equal(o[0].length, 200);
    insn = decoded("mr 2,3");
    dis_named_operands(&insn, o);
    assert_true(o[0].pair);
    insn.row = DIS_NO_ROW;
    assert_int_equal(dis_named_operands(&insn, o), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_told),      cmocka_unit_test(every_line_is_of_use),
        cmocka_unit_test(forms_are_told_apart),   cmocka_unit_test(fields_have_their_names),
        cmocka_unit_test(fields_cover_every_row), cmocka_unit_test(operands_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
