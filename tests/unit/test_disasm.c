/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instruction table agrees with itself, and the dis_ functions do what dis.h says. Text is test_assembler.c's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "disasm/dis.h"
#include "disasm/internal.h"

static const uint64_t all_bits = (UINT64_C(1) << 48) - 1;

static uint64_t instruction_bits(const struct dis_row *row) { return all_bits << (48 - row->length * 8) & all_bits; }

static void to_bytes(uint64_t insn, uint8_t bytes[6])
{
    for (unsigned i = 0; i < 6; i++)
        bytes[i] = (uint8_t)(insn >> (40 - 8 * i));
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 16 ^ *state << 24;
}

static struct dis_insn decode(uint64_t insn)
{
    uint8_t bytes[6];
    struct dis_insn decoded;
    to_bytes(insn, bytes);
    dis_decode(bytes, &decoded);
    return decoded;
}

/* Rows. */

static void rows_do_not_overlap(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DIS_ROW_COUNT; i++)
        for (unsigned j = i + 1; j < DIS_ROW_COUNT; j++) {
            uint64_t both = dis_rows[i].mask & dis_rows[j].mask;
            if (((dis_rows[i].opcode ^ dis_rows[j].opcode) & both) == 0)
                fail_msg("%s and %s overlap", dis_rows[i].mnemonic, dis_rows[j].mnemonic);
        }
}

static void mnemonics_are_unique(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DIS_ROW_COUNT; i++) {
        if (dis_find(dis_rows[i].mnemonic) != i)
            fail_msg("%s stands twice", dis_rows[i].mnemonic);
        for (unsigned j = 0; j < dis_extended_count; j++)
            if (strcmp(dis_extended[j].mnemonic, dis_rows[i].mnemonic) == 0)
                fail_msg("%s is a row and an extended mnemonic", dis_rows[i].mnemonic);
    }
    assert_int_equal(dis_find("no such"), DIS_NO_ROW);
    assert_int_equal(dis_find(""), DIS_NO_ROW);
}

static void masks_agree_with_formats(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DIS_ROW_COUNT; i++) {
        const struct dis_row *row = &dis_rows[i];
        if (row->opcode & ~row->mask)
            fail_msg("%s: operation code has bits outside its format's", row->mnemonic);
        if (row->mask & ~instruction_bits(row))
            fail_msg("%s: mask is longer than the instruction", row->mnemonic);
        if (row->length != dis_length((uint8_t)(row->opcode >> 40)))
            fail_msg("%s: length of the format and of the first byte differ", row->mnemonic);
        assert_non_null(dis_format_name(row->format));
    }
}

static void operands_agree_with_formats(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DIS_ROW_COUNT; i++) {
        const struct dis_row *row = &dis_rows[i];
        uint64_t taken = row->mask;
        for (unsigned n = 0; row->operands[n] != DIS_OP_NONE; n++) {
            uint64_t bits = dis_operand_bits(row->operands[n]);
            /* Operands may share nothing but the bits of RXB, which each field takes alone. */
            if (bits & taken)
                fail_msg("%s: operand %u lies on the operation code or another operand", row->mnemonic, n + 1);
            if (bits & ~instruction_bits(row))
                fail_msg("%s: operand %u is outside the instruction", row->mnemonic, n + 1);
            taken |= bits;
        }
    }
}

/* Length rules that need fields, or a number, find them. */
static void lengths_agree_with_formats(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DIS_ROW_COUNT; i++)
        for (unsigned k = 0; k < 2; k++) {
            const struct dis_row *row = &dis_rows[i];
            const struct dis_storage *s = &row->storage[k];
            const bool vsi = row->format == DIS_FMT_VSI, vrx = row->format == DIS_FMT_VRX;
            if (s->where == DIS_AT_NONE)
                continue;
            switch (s->length) {
            case DIS_LEN_FIXED:
            case DIS_LEN_R1_MOST:
            case DIS_LEN_R3_MOST:
            case DIS_LEN_TO_R1:
            case DIS_LEN_IF_BASE:
                if (s->bytes == 0)
                    fail_msg("%s: a length without its number", row->mnemonic);
                break;
            case DIS_LEN_R1:
            case DIS_LEN_R2:
            case DIS_LEN_R3:
                if (s->bytes > 1)
                    fail_msg("%s: register R or R + 1, not R + %u", row->mnemonic, s->bytes);
                break;
            case DIS_LEN_INDEX_I3:
            case DIS_LEN_ELEMENT:
            case DIS_LEN_TO_BLOCK:
                if (s->length == DIS_LEN_INDEX_I3 ? !vsi : !vrx)
                    fail_msg("%s: its format has no such field", row->mnemonic);
                break;
            case DIS_LEN_INSTRUCTION:
                if (!(row->flags & DIS_EXECUTES))
                    fail_msg("%s: executes nothing", row->mnemonic);
                break;
            default:
                if (s->bytes != 0)
                    fail_msg("%s: a number that its length rule does not use", row->mnemonic);
            }
        }
}

static void flags_agree_with_columns(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DIS_ROW_COUNT; i++) {
        const struct dis_row *row = &dis_rows[i];
        bool fetch = row->storage[0].fetch || row->storage[1].fetch;
        bool store = row->storage[0].store || row->storage[1].store;
        if (fetch != !!(row->flags & DIS_FETCHES) || store != !!(row->flags & DIS_STORES))
            fail_msg("%s: flags and storage operands differ", row->mnemonic);
        if (row->branch != DIS_BRANCH_NONE && !(row->flags & DIS_BRANCHES))
            fail_msg("%s: has a branch class and does not branch", row->mnemonic);
        if ((row->flags & DIS_PRIVILEGED) && (row->flags & DIS_SEMIPRIVILEGED))
            fail_msg("%s: privileged and semiprivileged", row->mnemonic);
        if ((row->edge == DIS_EDGE_EXEC) != !!(row->flags & DIS_EXECUTES))
            fail_msg("%s: execute flag and edge class differ", row->mnemonic);
        if (row->storage[0].where == DIS_AT_NONE && row->storage[1].where != DIS_AT_NONE)
            fail_msg("%s: second storage operand without the first", row->mnemonic);
        assert_true(strlen(row->name) > 0 && strlen(row->body) > 0 && strlen(row->section) > 0);
        assert_non_null(dis_facility_name(row->facility));
    }
}

/* The set of every flag: how many rows have it, and of the small ones which. A flag that comes or goes by mistake is
   seen here; one that comes or goes for a reason is changed here too. */
static const struct {
    uint64_t flag;
    const char *name;
    unsigned count;
    const char *rows; /* mnemonics in the order of the table; NULL: not listed */
} flag_sets[] = {
    {DIS_PRIVILEGED, "DIS_PRIVILEGED", 104, NULL},
    {DIS_SEMIPRIVILEGED, "DIS_SEMIPRIVILEGED", 36,
     "rion tric rioff stric mric bakr bsa bsg epair epar esar esair iac ipk ivsk "
     "mvpg mvcp mvcs mvcdk mvck mvcos mvcsk ptff pc pr pt pti rp sac sacf spka ssar "
     "ssair ecctr epctr stcctm"},
    {DIS_INTERRUPTIBLE, "DIS_INTERRUPTIBLE", 12, "cksm cfc clcl cuse cmpsc mvcl upt pfmf sske nqap dqap nnpa"},
    {DIS_CC3_END, "DIS_CC3_END", 39,
     "cksm km kma kmc kmf kmctr kmo clcle clclu clst cuse cmpsc kimd klmd kmac cu24 "
     "cu21 cu42 cu41 cu12 cu14 mvcle mvclu mvst pcc prno srst srstu trte trtre tre "
     "troo trot trto trtt sortl dfltcc kdsa nnpa"},
    {DIS_BRANCHES, "DIS_BRANCHES", 60, NULL},
    {DIS_CHANGES_MODE, "DIS_CHANGES_MODE", 75, NULL},
    {DIS_SERIALIZES, "DIS_SERIALIZES", 64, NULL},
    {DIS_EXECUTES, "DIS_EXECUTES", 2, "ex exrl"},
    {DIS_STORES, "DIS_STORES", 188, NULL},
    {DIS_FETCHES, "DIS_FETCHES", 381, NULL},
    {DIS_EVEN_R1, "DIS_EVEN_R1", 66, NULL},
    {DIS_EVEN_R2, "DIS_EVEN_R2", 32,
     "cksm km kma kmc kmf kmctr kmo clcl cuse cmpsc kimd klmd kmac cu24 cu21 cu42 "
     "cu41 cu12 cu14 mvcl prno crdte sthyi cxstr cxutr nqap dqap rpcit pcistg pcilg "
     "sortl kdsa"},
    {DIS_EVEN_R3, "DIS_EVEN_R3", 11, "kma kmctr cds cdsy cdsg clcle clclu lpd lpdg mvcle mvclu"},
    {DIS_FP_PAIR_R1, "DIS_FP_PAIR_R1", 76, NULL},
    {DIS_FP_PAIR_R2, "DIS_FP_PAIR_R2", 53, NULL},
    {DIS_FP_PAIR_R3, "DIS_FP_PAIR_R3", 9, "axtra dxtra iextr mxtra qaxtr rrxtr slxt srxt sxtra"},
    {DIS_NEEDS_AFP, "DIS_NEEDS_AFP", 184, NULL},
    {DIS_AFP_IF_HIGH, "DIS_AFP_IF_HIGH", 124, NULL},
    {DIS_NEEDS_VECTOR, "DIS_NEEDS_VECTOR", 197, NULL},
    {DIS_TX_RESTRICTED, "DIS_TX_RESTRICTED", 170, NULL},
    {DIS_TX_CONSTRAINED, "DIS_TX_CONSTRAINED", 571, NULL},
    {DIS_OPTIONAL_1, "DIS_OPTIONAL_1", 29,
     "cu24 cu21 cu12 cu14 popcnt trte trtre troo trot trto trtt efpc sfpc crdte idte "
     "rdp sske vl vlm vst vstm vfae vfee vfene vistr vstrc vstrs vcvb vcvbg"},
    {DIS_OPTIONAL_2, "DIS_OPTIONAL_2", 1, "ipte"},
    {DIS_DECIMAL_FLOAT, "DIS_DECIMAL_FLOAT", 77, NULL},
    {DIS_CHANGES_AR, "DIS_CHANGES_AR", 6, "cpya lam lamy lae laey sar"},
    {DIS_GIVES_BACK, "DIS_GIVES_BACK", 3, "pfd pfdrl stcmh"},
    {DIS_TX_BRANCH, "DIS_TX_BRANCH", 10, "brc brcl crj cgrj cij cgij clrj clgrj clij clgij"},
    {DIS_ON_CONDITION, "DIS_ON_CONDITION", 7, "bic locfh loc locg stocfh stoc stocg"},
    {DIS_ALONE, "DIS_ALONE", 41,
     "plo tbegin tbeginc csp cspg crdte diag irbm idte ipte pfmf ptff ptf rdp rrbe rrbm "
     "sck spx sske sigp stsi tb lkpg sthyi csch hsch msch rchp rsch sal schm "
     "ssch stcps stcrw stsch tpi tsch xsch siga servc chsc"},
    {DIS_INTERLOCKED, "DIS_INTERLOCKED", 11, "asi agsi alsi algsi ni niy xi xiy oi oiy ts"},
    {DIS_UNCOUNTED, "DIS_UNCOUNTED", 4, "svc rioff lric mric"},
    {DIS_RI_STEP, "DIS_RI_STEP", 10, "rinext rion tric rioff riemit lric stric mric diag sigp"},
    {DIS_QUERIES, "DIS_QUERIES", 16, "km kma kmc kmf kmctr kmo kimd klmd kmac pcc prno pckmo ptff sortl dfltcc kdsa"},
};

static void flags_have_their_sets(void **state)
{
    uint64_t known = DIS_SIGNED_I2, used = 0;
    (void)state;
    for (unsigned f = 0; f < sizeof flag_sets / sizeof *flag_sets; f++) {
        char rows[1024] = "";
        unsigned count = 0;
        size_t length = 0;
        for (unsigned i = 0; i < DIS_ROW_COUNT; i++)
            if (dis_rows[i].flags & flag_sets[f].flag) {
                if (flag_sets[f].rows && length < sizeof rows)
                    length += (size_t)snprintf(rows + length, sizeof rows - length, "%s%s", count ? " " : "",
                                               dis_rows[i].mnemonic);
                count++;
            }
        if (count != flag_sets[f].count)
            fail_msg("%s: %u rows have it, not %u", flag_sets[f].name, count, flag_sets[f].count);
        if (flag_sets[f].rows && strcmp(rows, flag_sets[f].rows) != 0)
            fail_msg("%s: %s", flag_sets[f].name, rows);
        known |= flag_sets[f].flag;
    }
    for (unsigned i = 0; i < DIS_ROW_COUNT; i++)
        used |= dis_rows[i].flags;
    assert_int_equal(used & ~known, 0);
}

/* Flags that say more about another one, or about fields that the format must have. */
static void flags_agree_with_each_other(void **state)
{
    (void)state;
    for (unsigned i = 0; i < DIS_ROW_COUNT; i++) {
        const struct dis_row *row = &dis_rows[i];
        if ((row->flags & DIS_DECIMAL_FLOAT) && !(row->flags & DIS_NEEDS_AFP))
            fail_msg("%s: of decimal floating point without needing the AFP registers", row->mnemonic);
        if ((row->flags & DIS_TX_BRANCH) && (row->flags & (DIS_TX_RESTRICTED | DIS_TX_CONSTRAINED)))
            fail_msg("%s: restricted, and a branch of constrained transactions", row->mnemonic);
        if ((row->flags & DIS_TX_BRANCH) && row->format != DIS_FMT_RI_c && row->format != DIS_FMT_RIL_c &&
            row->format != DIS_FMT_RIE_b && row->format != DIS_FMT_RIE_c)
            fail_msg("%s: no relative branch by a mask", row->mnemonic);
        if ((row->flags & DIS_ON_CONDITION) && row->storage[0].where == DIS_AT_NONE)
            fail_msg("%s: has no storage operand that a condition could keep off", row->mnemonic);
        if ((row->flags & DIS_INTERLOCKED) && !(row->storage[0].fetch && row->storage[0].store))
            fail_msg("%s: an interlocked update that does not fetch and store", row->mnemonic);
        if (row->section[0] == '2' && row->section[1] == '0' && !(row->flags & (DIS_NEEDS_AFP | DIS_AFP_IF_HIGH)))
            fail_msg("%s: a decimal-floating-point instruction that needs no such register", row->mnemonic);
    }
}

static void extended_mnemonics_fit_their_rows(void **state)
{
    (void)state;
    for (unsigned i = 0; i < dis_extended_count; i++) {
        const struct dis_extended *e = &dis_extended[i];
        const struct dis_row *row = &dis_rows[e->row];
        for (unsigned n = 0; n < e->given_count; n++) {
            const struct dis_operand *o = &dis_operands[e->given[n].operand];
            if (dis_operand_bits(e->given[n].operand) & (row->mask | ~instruction_bits(row)))
                fail_msg("%s: gives a field that %s has not", e->mnemonic, row->mnemonic);
            if (e->given[n].value >> o->width)
                fail_msg("%s: a value is too large for its field", e->mnemonic);
        }
        for (unsigned n = 0; e->operands[n] != DIS_OP_NONE; n++)
            if (dis_operand_bits(e->operands[n]) & (row->mask | ~instruction_bits(row)))
                fail_msg("%s: operand %u is none of %s's", e->mnemonic, n + 1, row->mnemonic);
    }
}

/* Decoding. */

static void every_row_decodes(void **state)
{
    uint64_t random = 1;
    (void)state;
    for (unsigned i = 0; i < DIS_ROW_COUNT; i++)
        for (unsigned n = 0; n < 20; n++) {
            uint64_t insn = dis_rows[i].opcode | (next_random(&random) & all_bits & ~dis_rows[i].mask);
            struct dis_insn decoded = decode(insn);
            assert_int_equal(decoded.row, i);
            assert_int_equal(decoded.length, dis_rows[i].length);
        }
}

static void unknown_codes_have_no_row(void **state)
{
    static const uint64_t codes[] = {0x000000000000, 0x02ff00000000, 0xb20300000000, 0xaa0500000000,
                                     0xc00200000000, 0xe30000000000, 0xe700000000f4, 0xffff00000000};
    (void)state;
    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        struct dis_insn insn = decode(codes[i]);
        assert_int_equal(insn.row, DIS_NO_ROW);
        assert_int_equal(insn.length, dis_length((uint8_t)(codes[i] >> 40)));
        assert_int_equal(dis_branch_class(&insn), DIS_BRANCH_NONE);
        assert_int_equal(dis_edge_class(&insn), DIS_EDGE_ORD);
        assert_false(dis_branch_always(&insn));
        assert_false(dis_branch_relative(&insn));
    }
}

static void every_first_halfword_is_safe(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 0x10000; first++)
        for (unsigned last = 0; last < 0x100; last += first >= 0xc000 ? 1 : 0x100) {
            struct dis_insn insn = decode((uint64_t)first << 32 | last);
            assert_true(insn.row == DIS_NO_ROW || insn.row < DIS_ROW_COUNT);
            if (first < 0xe000)
                break;
        }
}

static void fields_are_those_of_the_format(void **state)
{
    struct dis_insn i;
    (void)state;
    i = decode(0x5a1230450000); /* A R1,D2(X2,B2) */
    assert_true(i.row == DIS_A && i.r1 == 1 && i.x2 == 2 && i.b2 == 3 && i.d2 == 0x45);
    i = decode(0xe31230458008); /* AG with DH X'80' */
    assert_true(i.row == DIS_AG && i.r1 == 1 && i.x2 == 2 && i.b2 == 3 && i.d2 == -0x80000 + 0x45);
    i = decode(0xd205123490ab); /* MVC */
    assert_true(i.row == DIS_MVC && i.l1 == 5 && i.b1 == 1 && i.d1 == 0x234 && i.b2 == 9 && i.d2 == 0xab);
    i = decode(0xf25612349abc); /* PACK */
    assert_true(i.row == DIS_PACK && i.l1 == 5 && i.l2 == 6 && i.b1 == 1 && i.b2 == 9 && i.d2 == 0xabc);
    i = decode(0xe10512349abc); /* PKU: L2 */
    assert_true(i.row == DIS_PKU && i.l2 == 5 && i.l1 == 0 && i.b2 == 9);
    i = decode(0xee1312349abc); /* PLO R1,D2(B2),R3,D4(B4) */
    assert_true(i.row == DIS_PLO && i.r1 == 1 && i.r3 == 3 && i.b2 == 1 && i.d2 == 0x234 && i.b4 == 9 && i.d4 == 0xabc);
    i = decode(0xa71affff0000);
    assert_true(i.row == DIS_AHI && i.r1 == 1 && i.i2 == -1);
    i = decode(0xa511ffff0000);
    assert_true(i.r1 == 1 && i.i2 == 0xffff);
    i = decode(0xa7f4ffff0000);
    assert_true(i.row == DIS_BRC && i.m1 == 15 && i.i2 == -2);
    i = decode(0xc0e5ffffffff);
    assert_true(i.row == DIS_BRASL && i.r1 == 14 && i.i2 == -2);
    i = decode(0xc21bffffffff);
    assert_true(i.row == DIS_ALFI && i.i2 == 0xffffffff);
    i = decode(0xc219ffffffff);
    assert_true(i.row == DIS_AFI && i.i2 == -1);
    i = decode(0xec12fffe8076); /* CRJ */
    assert_true(i.row == DIS_CRJ && i.r1 == 1 && i.r2 == 2 && i.ri3 == -4 && i.m3 == 8);
    i = decode(0xec1800028f7e); /* CIJ with I2 X'8F' */
    assert_true(i.row == DIS_CIJ && i.r1 == 1 && i.m3 == 8 && i.ri3 == 4 && i.i2 == -113);
    i = decode(0xec1800028f7f); /* CLIJ */
    assert_true(i.row == DIS_CLIJ && i.i2 == 0x8f);
    i = decode(0xec1290ab8ff6); /* CRB */
    assert_true(i.row == DIS_CRB && i.b4 == 9 && i.d4 == 0xab && i.m3 == 8);
    i = decode(0xec1201023055); /* RISBG */
    assert_true(i.row == DIS_RISBG && i.r1 == 1 && i.r2 == 2 && i.i3 == 1 && i.i4 == 2 && i.i5 == 0x30);
    i = decode(0xebff12340106); /* unassigned */
    assert_int_equal(i.row, DIS_NO_ROW);
    i = decode(0xeb1310ff0026); /* STMH */
    assert_true(i.row == DIS_STMH && i.r1 == 1 && i.r3 == 3 && i.b2 == 1 && i.d2 == 0xff);
    i = decode(0xeb7f1000807a); /* AGSI: I2 127, displacement negative */
    assert_true(i.row == DIS_AGSI && i.i2 == 127 && i.b1 == 1 && i.d1 == -0x80000);
    i = decode(0xe54c1000ffff);
    assert_true(i.row == DIS_MVHI && i.i2 == -1);
    i = decode(0xb9f230120000); /* LOCR */
    assert_true(i.row == DIS_LOCR && i.r1 == 1 && i.r2 == 2 && i.m3 == 3);
    i = decode(0xb2f800000000);
    assert_true(i.row == DIS_TEND && i.b2 == 0);
    i = decode(0xb28291230000); /* unassigned B282 */
    assert_int_equal(i.row, DIS_NO_ROW);
    i = decode(0xc5ffffffffff); /* BPRP */
    assert_true(i.row == DIS_BPRP && i.m1 == 15 && i.i2 == -2 && i.ri3 == -2);
    i = decode(0xc7f01abcfffe); /* BPP */
    assert_true(i.row == DIS_BPP && i.m1 == 15 && i.b4 == 1 && i.d4 == 0xabc && i.i2 == -4);
    i = decode(0xb31e10230000); /* MADBR: R1 behind the operation code */
    assert_true(i.row == DIS_MADBR && i.r1 == 1 && i.r3 == 2 && i.r2 == 3);
    i = decode(0xed123045601e); /* MADB: R1 at the end */
    assert_true(i.row == DIS_MADB && i.r3 == 1 && i.x2 == 2 && i.b2 == 3 && i.r1 == 6);
    i = decode(0xc8241abc9def); /* LPD */
    assert_true(i.row == DIS_LPD && i.r3 == 2 && i.b1 == 1 && i.b2 == 9);
}

/* The fields of every format as PoP chapter 5 draws them. PLAIN: as it is, signed or not by the row; RELATIVE: signed
   halfwords; LONG: DL and DH; VECTOR: with its bit of RXB. */
enum kind { PLAIN, RELATIVE, LONG, VECTOR };
struct field {
    const char *name;
    size_t offset;
    size_t size;
    unsigned start, width;
    enum kind kind;
};
#define F(name, start, width, kind)                                                                                    \
    {                                                                                                                  \
#name, offsetof(struct dis_insn, name), sizeof((struct dis_insn *)NULL)->name, start, width, kind              \
    }
static const struct field formats[DIS_FORMAT_COUNT][9] = {
    [DIS_FMT_I] = {F(i2, 8, 8, PLAIN)},
    [DIS_FMT_E] = {{NULL, 0, 0, 0, 0, 0}},
    [DIS_FMT_RR] = {F(r1, 8, 4, PLAIN), F(r2, 12, 4, PLAIN)},
    [DIS_FMT_IE] = {F(i2, 24, 4, PLAIN), F(i3, 28, 4, PLAIN)},
    [DIS_FMT_RRD] = {F(r1, 16, 4, PLAIN), F(r3, 24, 4, PLAIN), F(r2, 28, 4, PLAIN)},
    [DIS_FMT_RRE] = {F(r1, 24, 4, PLAIN), F(r2, 28, 4, PLAIN)},
    [DIS_FMT_RRF_a] = {F(r3, 16, 4, PLAIN), F(m4, 20, 4, PLAIN), F(r1, 24, 4, PLAIN), F(r2, 28, 4, PLAIN)},
    [DIS_FMT_RRF_b] = {F(r3, 16, 4, PLAIN), F(m4, 20, 4, PLAIN), F(r1, 24, 4, PLAIN), F(r2, 28, 4, PLAIN)},
    [DIS_FMT_RRF_c] = {F(m3, 16, 4, PLAIN), F(m4, 20, 4, PLAIN), F(r1, 24, 4, PLAIN), F(r2, 28, 4, PLAIN)},
    [DIS_FMT_RRF_d] = {F(m3, 16, 4, PLAIN), F(m4, 20, 4, PLAIN), F(r1, 24, 4, PLAIN), F(r2, 28, 4, PLAIN)},
    [DIS_FMT_RRF_e] = {F(m3, 16, 4, PLAIN), F(m4, 20, 4, PLAIN), F(r1, 24, 4, PLAIN), F(r2, 28, 4, PLAIN)},
    [DIS_FMT_RI_a] = {F(r1, 8, 4, PLAIN), F(i2, 16, 16, PLAIN)},
    [DIS_FMT_RI_b] = {F(r1, 8, 4, PLAIN), F(i2, 16, 16, RELATIVE)},
    [DIS_FMT_RI_c] = {F(m1, 8, 4, PLAIN), F(i2, 16, 16, RELATIVE)},
    [DIS_FMT_RIL_a] = {F(r1, 8, 4, PLAIN), F(i2, 16, 32, PLAIN)},
    [DIS_FMT_RIL_b] = {F(r1, 8, 4, PLAIN), F(i2, 16, 32, RELATIVE)},
    [DIS_FMT_RIL_c] = {F(m1, 8, 4, PLAIN), F(i2, 16, 32, RELATIVE)},
    [DIS_FMT_RSI] = {F(r1, 8, 4, PLAIN), F(r3, 12, 4, PLAIN), F(i2, 16, 16, RELATIVE)},
    [DIS_FMT_MII] = {F(m1, 8, 4, PLAIN), F(i2, 12, 12, RELATIVE), F(ri3, 24, 24, RELATIVE)},
    [DIS_FMT_SMI] = {F(m1, 8, 4, PLAIN), F(b4, 16, 4, PLAIN), F(d4, 20, 12, PLAIN), F(i2, 32, 16, RELATIVE)},
    [DIS_FMT_RIE_a] = {F(r1, 8, 4, PLAIN), F(i2, 16, 16, PLAIN), F(m3, 32, 4, PLAIN)},
    [DIS_FMT_RIE_b] = {F(r1, 8, 4, PLAIN), F(r2, 12, 4, PLAIN), F(ri3, 16, 16, RELATIVE), F(m3, 32, 4, PLAIN)},
    [DIS_FMT_RIE_c] = {F(r1, 8, 4, PLAIN), F(m3, 12, 4, PLAIN), F(ri3, 16, 16, RELATIVE), F(i2, 32, 8, PLAIN)},
    [DIS_FMT_RIE_d] = {F(r1, 8, 4, PLAIN), F(r3, 12, 4, PLAIN), F(i2, 16, 16, PLAIN)},
    [DIS_FMT_RIE_e] = {F(r1, 8, 4, PLAIN), F(r3, 12, 4, PLAIN), F(i2, 16, 16, RELATIVE)},
    [DIS_FMT_RIE_f] = {F(r1, 8, 4, PLAIN), F(r2, 12, 4, PLAIN), F(i3, 16, 8, PLAIN), F(i4, 24, 8, PLAIN),
                       F(i5, 32, 8, PLAIN)},
    [DIS_FMT_RIE_g] = {F(r1, 8, 4, PLAIN), F(m3, 12, 4, PLAIN), F(i2, 16, 16, PLAIN)},
    [DIS_FMT_RIS] = {F(r1, 8, 4, PLAIN), F(m3, 12, 4, PLAIN), F(b4, 16, 4, PLAIN), F(d4, 20, 12, PLAIN),
                     F(i2, 32, 8, PLAIN)},
    [DIS_FMT_RRS] = {F(r1, 8, 4, PLAIN), F(r2, 12, 4, PLAIN), F(b4, 16, 4, PLAIN), F(d4, 20, 12, PLAIN),
                     F(m3, 32, 4, PLAIN)},
    [DIS_FMT_RX_a] = {F(r1, 8, 4, PLAIN), F(x2, 12, 4, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN)},
    [DIS_FMT_RX_b] = {F(m1, 8, 4, PLAIN), F(x2, 12, 4, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN)},
    [DIS_FMT_RS_a] = {F(r1, 8, 4, PLAIN), F(r3, 12, 4, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN)},
    [DIS_FMT_RS_b] = {F(r1, 8, 4, PLAIN), F(m3, 12, 4, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN)},
    [DIS_FMT_RSL_a] = {F(l1, 8, 4, PLAIN), F(b1, 16, 4, PLAIN), F(d1, 20, 12, PLAIN)},
    [DIS_FMT_RSL_b] = {F(l2, 8, 8, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN), F(r1, 32, 4, PLAIN),
                       F(m3, 36, 4, PLAIN)},
    [DIS_FMT_RSY_a] = {F(r1, 8, 4, PLAIN), F(r3, 12, 4, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 20, LONG)},
    [DIS_FMT_RSY_b] = {F(r1, 8, 4, PLAIN), F(m3, 12, 4, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 20, LONG)},
    [DIS_FMT_RXE] = {F(r1, 8, 4, PLAIN), F(x2, 12, 4, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN),
                     F(m3, 32, 4, PLAIN)},
    [DIS_FMT_RXF] = {F(r3, 8, 4, PLAIN), F(x2, 12, 4, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN),
                     F(r1, 32, 4, PLAIN)},
    [DIS_FMT_RXY_a] = {F(r1, 8, 4, PLAIN), F(x2, 12, 4, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 20, LONG)},
    [DIS_FMT_RXY_b] = {F(m1, 8, 4, PLAIN), F(x2, 12, 4, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 20, LONG)},
    [DIS_FMT_S] = {F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN)},
    [DIS_FMT_SI] = {F(i2, 8, 8, PLAIN), F(b1, 16, 4, PLAIN), F(d1, 20, 12, PLAIN)},
    [DIS_FMT_SIL] = {F(b1, 16, 4, PLAIN), F(d1, 20, 12, PLAIN), F(i2, 32, 16, PLAIN)},
    [DIS_FMT_SIY] = {F(i2, 8, 8, PLAIN), F(b1, 16, 4, PLAIN), F(d1, 20, 20, LONG)},
    [DIS_FMT_SS_a] = {F(l1, 8, 8, PLAIN), F(b1, 16, 4, PLAIN), F(d1, 20, 12, PLAIN), F(b2, 32, 4, PLAIN),
                      F(d2, 36, 12, PLAIN)},
    [DIS_FMT_SS_b] = {F(l1, 8, 4, PLAIN), F(l2, 12, 4, PLAIN), F(b1, 16, 4, PLAIN), F(d1, 20, 12, PLAIN),
                      F(b2, 32, 4, PLAIN), F(d2, 36, 12, PLAIN)},
    [DIS_FMT_SS_c] = {F(l1, 8, 4, PLAIN), F(i3, 12, 4, PLAIN), F(b1, 16, 4, PLAIN), F(d1, 20, 12, PLAIN),
                      F(b2, 32, 4, PLAIN), F(d2, 36, 12, PLAIN)},
    [DIS_FMT_SS_d] = {F(r1, 8, 4, PLAIN), F(r3, 12, 4, PLAIN), F(b1, 16, 4, PLAIN), F(d1, 20, 12, PLAIN),
                      F(b2, 32, 4, PLAIN), F(d2, 36, 12, PLAIN)},
    [DIS_FMT_SS_e] = {F(r1, 8, 4, PLAIN), F(r3, 12, 4, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN),
                      F(b4, 32, 4, PLAIN), F(d4, 36, 12, PLAIN)},
    [DIS_FMT_SS_f] = {F(l2, 8, 8, PLAIN), F(b1, 16, 4, PLAIN), F(d1, 20, 12, PLAIN), F(b2, 32, 4, PLAIN),
                      F(d2, 36, 12, PLAIN)},
    [DIS_FMT_SSE] = {F(b1, 16, 4, PLAIN), F(d1, 20, 12, PLAIN), F(b2, 32, 4, PLAIN), F(d2, 36, 12, PLAIN)},
    [DIS_FMT_SSF] = {F(r3, 8, 4, PLAIN), F(b1, 16, 4, PLAIN), F(d1, 20, 12, PLAIN), F(b2, 32, 4, PLAIN),
                     F(d2, 36, 12, PLAIN)},
    [DIS_FMT_VRI_a] = {F(r1, 8, 4, VECTOR), F(i2, 16, 16, PLAIN), F(m3, 32, 4, PLAIN)},
    [DIS_FMT_VRI_b] = {F(r1, 8, 4, VECTOR), F(i2, 16, 8, PLAIN), F(i3, 24, 8, PLAIN), F(m4, 32, 4, PLAIN)},
    [DIS_FMT_VRI_c] = {F(r1, 8, 4, VECTOR), F(r3, 12, 4, VECTOR), F(i2, 16, 16, PLAIN), F(m4, 32, 4, PLAIN)},
    [DIS_FMT_VRI_d] = {F(r1, 8, 4, VECTOR), F(r2, 12, 4, VECTOR), F(r3, 16, 4, VECTOR), F(i4, 24, 8, PLAIN),
                       F(m5, 32, 4, PLAIN)},
    [DIS_FMT_VRI_e] = {F(r1, 8, 4, VECTOR), F(r2, 12, 4, VECTOR), F(i2, 16, 12, PLAIN), F(m5, 28, 4, PLAIN),
                       F(m4, 32, 4, PLAIN)},
    [DIS_FMT_VRI_f] = {F(r1, 8, 4, VECTOR), F(r2, 12, 4, VECTOR), F(r3, 16, 4, VECTOR), F(m5, 24, 4, PLAIN),
                       F(i4, 28, 8, PLAIN)},
    [DIS_FMT_VRI_g] = {F(r1, 8, 4, VECTOR), F(r2, 12, 4, VECTOR), F(i4, 16, 8, PLAIN), F(m5, 24, 4, PLAIN),
                       F(i3, 28, 8, PLAIN)},
    [DIS_FMT_VRI_h] = {F(r1, 8, 4, VECTOR), F(i2, 16, 16, PLAIN), F(i3, 32, 4, PLAIN)},
    [DIS_FMT_VRI_i] = {F(r1, 8, 4, VECTOR), F(r2, 12, 4, PLAIN), F(m4, 24, 4, PLAIN), F(i3, 28, 8, PLAIN)},
    [DIS_FMT_VRR_a] = {F(r1, 8, 4, VECTOR), F(r2, 12, 4, VECTOR), F(m5, 24, 4, PLAIN), F(m4, 28, 4, PLAIN),
                       F(m3, 32, 4, PLAIN)},
    [DIS_FMT_VRR_b] = {F(r1, 8, 4, VECTOR), F(r2, 12, 4, VECTOR), F(r3, 16, 4, VECTOR), F(m5, 24, 4, PLAIN),
                       F(m4, 32, 4, PLAIN)},
    [DIS_FMT_VRR_c] = {F(r1, 8, 4, VECTOR), F(r2, 12, 4, VECTOR), F(r3, 16, 4, VECTOR), F(m6, 24, 4, PLAIN),
                       F(m5, 28, 4, PLAIN), F(m4, 32, 4, PLAIN)},
    [DIS_FMT_VRR_d] = {F(r1, 8, 4, VECTOR), F(r2, 12, 4, VECTOR), F(r3, 16, 4, VECTOR), F(m5, 20, 4, PLAIN),
                       F(m6, 24, 4, PLAIN), F(r4, 32, 4, VECTOR)},
    [DIS_FMT_VRR_e] = {F(r1, 8, 4, VECTOR), F(r2, 12, 4, VECTOR), F(r3, 16, 4, VECTOR), F(m6, 20, 4, PLAIN),
                       F(m5, 28, 4, PLAIN), F(r4, 32, 4, VECTOR)},
    [DIS_FMT_VRR_f] = {F(r1, 8, 4, VECTOR), F(r2, 12, 4, PLAIN), F(r3, 16, 4, PLAIN)},
    [DIS_FMT_VRR_g] = {F(r1, 12, 4, VECTOR)},
    [DIS_FMT_VRR_h] = {F(r1, 12, 4, VECTOR), F(r2, 16, 4, VECTOR), F(m3, 24, 4, PLAIN)},
    [DIS_FMT_VRR_i] = {F(r1, 8, 4, PLAIN), F(r2, 12, 4, VECTOR), F(m3, 24, 4, PLAIN), F(m4, 28, 4, PLAIN)},
    [DIS_FMT_VRR_j] = {F(r1, 8, 4, VECTOR), F(r2, 12, 4, VECTOR), F(r3, 16, 4, VECTOR), F(m4, 24, 4, PLAIN)},
    [DIS_FMT_VRR_k] = {F(r1, 8, 4, VECTOR), F(r2, 12, 4, VECTOR), F(m3, 24, 4, PLAIN)},
    [DIS_FMT_VRS_a] = {F(r1, 8, 4, VECTOR), F(r3, 12, 4, VECTOR), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN),
                       F(m4, 32, 4, PLAIN)},
    [DIS_FMT_VRS_b] = {F(r1, 8, 4, VECTOR), F(r3, 12, 4, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN),
                       F(m4, 32, 4, PLAIN)},
    [DIS_FMT_VRS_c] = {F(r1, 8, 4, PLAIN), F(r3, 12, 4, VECTOR), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN),
                       F(m4, 32, 4, PLAIN)},
    [DIS_FMT_VRS_d] = {F(r3, 12, 4, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN), F(r1, 32, 4, VECTOR)},
    [DIS_FMT_VRV] = {F(r1, 8, 4, VECTOR), F(x2, 12, 4, VECTOR), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN),
                     F(m3, 32, 4, PLAIN)},
    [DIS_FMT_VRX] = {F(r1, 8, 4, VECTOR), F(x2, 12, 4, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN),
                     F(m3, 32, 4, PLAIN)},
    [DIS_FMT_VSI] = {F(i3, 8, 8, PLAIN), F(b2, 16, 4, PLAIN), F(d2, 20, 12, PLAIN), F(r1, 32, 4, VECTOR)},
};

static int64_t read_field(const struct dis_insn *insn, const struct field *field)
{
    const uint8_t *at = (const uint8_t *)insn + field->offset;
    int64_t wide;
    int32_t word;
    switch (field->size) {
    case 1:
        return *at;
    case 4:
        memcpy(&word, at, sizeof word);
        return word;
    default:
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
}

static int64_t expected(uint64_t insn, const struct field *field, bool sign)
{
    uint64_t value = dis_field(insn, field->start, field->width == 20 ? 12 : field->width);
    if (field->kind == VECTOR)
        value |= dis_field(insn, dis_rxb_bit(field->start), 1) << 4;
    if (field->kind == LONG)
        value |= dis_field(insn, 32, 8) << 12;
    if (field->kind == RELATIVE || field->kind == LONG || (sign && strcmp(field->name, "i2") == 0)) {
        uint64_t top = UINT64_C(1) << (field->width - 1);
        value = (value ^ top) - top;
    }
    return (int64_t)(field->kind == RELATIVE ? value * 2 : value);
}

/* Every field has its value, and clearing it (and its other reading, M1 for R1, M3 for R3) leaves nothing behind. */
static void every_format_has_its_fields(void **state)
{
    uint64_t random = 11;
    (void)state;
    for (unsigned i = 0; i < DIS_ROW_COUNT; i++)
        for (unsigned n = 0; n < 20; n++) {
            const struct dis_row *row = &dis_rows[i];
            uint64_t insn = (row->opcode | (next_random(&random) & all_bits & ~row->mask)) & instruction_bits(row);
            struct dis_insn decoded = decode(insn), nothing;
            for (const struct field *field = formats[row->format]; field->name != NULL; field++) {
                int64_t want = expected(insn, field, row->flags & DIS_SIGNED_I2);
                if (read_field(&decoded, field) != want)
                    fail_msg("%s (%012llx): %s is %lld, not %lld", row->mnemonic, (unsigned long long)insn, field->name,
                             (long long)read_field(&decoded, field), (long long)want);
            }
            for (const struct field *field = formats[row->format]; field->name != NULL; field++)
                memset((uint8_t *)&decoded + field->offset, 0, field->size);
            decoded.m1 = decoded.m3 = decoded.r3 = decoded.r1 = 0;
            memset(&nothing, 0, sizeof nothing);
            nothing.row = decoded.row;
            nothing.length = decoded.length;
            memcpy(nothing.bytes, decoded.bytes, sizeof nothing.bytes);
            if (memcmp(&decoded, &nothing, sizeof nothing) != 0)
                fail_msg("%s (%012llx): a field that its format has not is filled in", row->mnemonic,
                         (unsigned long long)insn);
        }
}

static void vector_registers_have_their_extra_bits(void **state)
{
    struct dis_insn i;
    (void)state;
    i = decode(0xe712300050ef); /* VFMAX V1,V2,V3 without RXB */
    assert_true(i.r1 == 1 && i.r2 == 2 && i.r3 == 3);
    i = decode(0xe712300038f3); /* VA: RXB 8 */
    assert_true(i.row == DIS_VA && i.r1 == 17 && i.r2 == 2 && i.r3 == 3 && i.m4 == 3);
    i = decode(0xe712300034f3);
    assert_true(i.r1 == 1 && i.r2 == 18 && i.r3 == 3);
    i = decode(0xe712300032f3);
    assert_true(i.r1 == 1 && i.r2 == 2 && i.r3 == 19);
    i = decode(0xe7123000418c); /* VPERM: V4 */
    assert_true(i.row == DIS_VPERM && i.r4 == 20);
    i = decode(0xe71230453c06); /* VL: X2 has no bit in RXB */
    assert_true(i.row == DIS_VL && i.r1 == 17 && i.x2 == 2 && i.b2 == 3 && i.m3 == 3);
    i = decode(0xe71230453c13); /* VGEF: V2 is the index */
    assert_true(i.row == DIS_VGEF && i.r1 == 17 && i.x2 == 18 && i.m3 == 3);
    i = decode(0xe612304549ff);
    assert_int_equal(i.row, DIS_NO_ROW);
    i = decode(0xe60412345135); /* VLRL: I3, V1 at the end */
    assert_true(i.row == DIS_VLRL && i.i3 == 4 && i.b2 == 1 && i.d2 == 0x234 && i.r1 == 21);
}

/* Branches: spec/ri.md F.2 and spec/edge-profile.md 2.5, with the masks at their limits. */

static void ep_35_branch_classes(void **state)
{
    static const struct {
        uint64_t insn;
        enum dis_branch class;
        enum dis_edge edge;
        bool always, relative;
    } cases[] = {
        {0x05e100000000, DIS_BRANCH_CALL, DIS_EDGE_CALL, true, false},   /* BALR */
        {0x05e000000000, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false}, /* BALR with R2 zero */
        {0x0de100000000, DIS_BRANCH_CALL, DIS_EDGE_CALL, true, false},   /* BASR */
        {0x0de000000000, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false},
        {0x0ce100000000, DIS_BRANCH_CALL, DIS_EDGE_CALL, true, false}, /* BASSM */
        {0x0ce000000000, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false},
        {0x45e010000000, DIS_BRANCH_CALL, DIS_EDGE_CALL, true, false},   /* BAL */
        {0x4de010000000, DIS_BRANCH_CALL, DIS_EDGE_CALL, true, false},   /* BAS */
        {0xa7e500020000, DIS_BRANCH_CALL, DIS_EDGE_CALL, true, true},    /* BRAS */
        {0xc0e500000002, DIS_BRANCH_CALL, DIS_EDGE_CALL, true, true},    /* BRASL */
        {0x07fe00000000, DIS_BRANCH_RETURN, DIS_EDGE_RET, true, false},  /* BCR 15 */
        {0x07ee00000000, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false}, /* BCR 14 */
        {0x071e00000000, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false}, /* BCR 1 */
        {0x070e00000000, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false}, /* BCR 0 */
        {0x07f000000000, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false}, /* BCR 15,0 */
        {0x47f010000000, DIS_BRANCH_BC15, DIS_EDGE_UNCOND, true, false}, /* BC 15 */
        {0x47e010000000, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false},
        {0x470010000000, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false},
        {0xe3f010000047, DIS_BRANCH_BC15, DIS_EDGE_UNCOND, true, false}, /* BIC 15 */
        {0xe31010000047, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false},
        {0xe30010000047, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false},
        {0xa7f400020000, DIS_BRANCH_OTHER, DIS_EDGE_UNCOND, true, true}, /* BRC 15 */
        {0xa71400020000, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, true},
        {0xa70400020000, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false},
        {0xc0f400000002, DIS_BRANCH_OTHER, DIS_EDGE_UNCOND, true, true}, /* BRCL 15 */
        {0xc00400000002, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false},
        {0x0b0100000000, DIS_BRANCH_OTHER, DIS_EDGE_UNCOND, true, false}, /* BSM */
        {0x0b1000000000, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false},
        {0x061200000000, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false}, /* BCTR */
        {0x061000000000, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false},
        {0xb94600120000, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false}, /* BCTGR */
        {0xb94600100000, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false},
        {0x461010000000, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false},  /* BCT */
        {0xe31010000046, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false},  /* BCTG */
        {0xa71600020000, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, true},   /* BRCT */
        {0xa71700020000, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, true},   /* BRCTG */
        {0xcc1600000002, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, true},   /* BRCTH */
        {0x861310000000, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false},  /* BXH */
        {0x871310000000, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false},  /* BXLE */
        {0xeb1310000044, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false},  /* BXHG */
        {0xeb1310000045, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false},  /* BXLEG */
        {0x841300020000, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, true},   /* BRXH */
        {0x851300020000, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, true},   /* BRXLE */
        {0xec1300020044, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, true},   /* BRXHG */
        {0xec1300020045, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, true},   /* BRXLG */
        {0xec1200028064, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, true},   /* CGRJ */
        {0xec120002e065, DIS_BRANCH_OTHER, DIS_EDGE_UNCOND, false, true}, /* CLGRJ 14: unconditional to the walk only */
        {0xec120002f076, DIS_BRANCH_OTHER, DIS_EDGE_UNCOND, false, true}, /* CRJ 15 */
        {0xec1200021077, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false},  /* CLRJ 1 */
        {0xec180002007c, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, true},   /* CGIJ */
        {0xec100002007d, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false},  /* CLGIJ 0 */
        {0xec1e0002007e, DIS_BRANCH_OTHER, DIS_EDGE_UNCOND, false, true}, /* CIJ 14 */
        {0xec120002007f, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, true},   /* CLIJ */
        {0xec12100080e4, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false},  /* CGRB */
        {0xec12100080e5, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false},  /* CLGRB */
        {0xec12100000f6, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false},  /* CRB 0 */
        {0xec12100080f7, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false},  /* CLRB */
        {0xec18100000fc, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false},  /* CGIB */
        {0xec18100000fd, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false},  /* CLGIB */
        {0xec18100000fe, DIS_BRANCH_OTHER, DIS_EDGE_COND, false, false},  /* CIB */
        {0xec11100000ff, DIS_BRANCH_NONE, DIS_EDGE_NEVER, false, false},  /* CLIB 1 */
        {0x441010000000, DIS_BRANCH_NONE, DIS_EDGE_EXEC, false, false},   /* EX */
        {0xc61000000002, DIS_BRANCH_NONE, DIS_EDGE_EXEC, false, false},   /* EXRL */
        {0x0a0000000000, DIS_BRANCH_NONE, DIS_EDGE_XFER, false, false},   /* SVC */
        {0xb2b210000000, DIS_BRANCH_NONE, DIS_EDGE_XFER, false, false},   /* LPSWE */
        {0xb24000120000, DIS_BRANCH_NONE, DIS_EDGE_XFER, false, false},   /* BAKR */
        {0x1a1200000000, DIS_BRANCH_NONE, DIS_EDGE_ORD, false, false},    /* AR */
        {0x010d00000000, DIS_BRANCH_NONE, DIS_EDGE_ORD, false, false},    /* SAM31 */
        {0xc5f000000000, DIS_BRANCH_NONE, DIS_EDGE_ORD, false, false},    /* BPRP */
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dis_insn insn = decode(cases[i].insn);
        if (insn.row == DIS_NO_ROW || dis_branch_class(&insn) != cases[i].class ||
            dis_edge_class(&insn) != cases[i].edge || dis_branch_always(&insn) != cases[i].always ||
            dis_branch_relative(&insn) != cases[i].relative)
            fail_msg("case %u (%012llx): class %d, edge %d, always %d, relative %d", i,
                     (unsigned long long)cases[i].insn, dis_branch_class(&insn), dis_edge_class(&insn),
                     dis_branch_always(&insn), dis_branch_relative(&insn));
    }
}

/* Lists. */

static void lists(void **state)
{
    unsigned missing = 0, without = 0;
    (void)state;
    for (unsigned row = dis_missing(0); row != DIS_NO_ROW; row = dis_missing(row + 1)) {
        assert_false(dis_implemented(row));
        missing++;
    }
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        without += !dis_implemented(row);
    assert_int_equal(missing, without);
    assert_int_equal(dis_missing(DIS_ROW_COUNT), DIS_NO_ROW);
    assert_false(dis_implemented(DIS_ROW_COUNT));
    assert_false(dis_implemented(DIS_NO_ROW));
    unsigned count = 0;
    while (dis_mnemonic(count) != NULL)
        count++;
    assert_int_equal(count, DIS_ROW_COUNT + dis_extended_count);
    assert_null(dis_mnemonic(UINT32_MAX));
    assert_string_equal(dis_facility_name(64), "run-time instrumentation");
    assert_null(dis_facility_name(255));
    assert_string_equal(dis_format_name(DIS_FMT_RIE_b), "RIE-b");
    assert_string_equal(dis_format_name(DIS_FMT_RR), "RR");
    assert_null(dis_format_name(DIS_FORMAT_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_do_not_overlap),
        cmocka_unit_test(mnemonics_are_unique),
        cmocka_unit_test(masks_agree_with_formats),
        cmocka_unit_test(operands_agree_with_formats),
        cmocka_unit_test(flags_agree_with_columns),
        cmocka_unit_test(lengths_agree_with_formats),
        cmocka_unit_test(flags_have_their_sets),
        cmocka_unit_test(flags_agree_with_each_other),
        cmocka_unit_test(extended_mnemonics_fit_their_rows),
        cmocka_unit_test(every_row_decodes),
        cmocka_unit_test(unknown_codes_have_no_row),
        cmocka_unit_test(every_first_halfword_is_safe),
        cmocka_unit_test(fields_are_those_of_the_format),
        cmocka_unit_test(every_format_has_its_fields),
        cmocka_unit_test(vector_registers_have_their_extra_bits),
        cmocka_unit_test(ep_35_branch_classes),
        cmocka_unit_test(lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
