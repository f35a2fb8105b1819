/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Known faults of the machines that we compare with, in control instructions. */
#include "base/bits.h"
#include "cpu/state/codes.h"
#include "cpu/state/main_storage.h"
#include "tests/compare/control.h"

#include <string.h>

enum { TEID = OUT_CODES + 168 - 136, ACCESS_ID = OUT_CODES + 160 - 136, CHANGE_BITS = 0xfa };

/* What one machine made of the case, without what the book leaves open: reference bits (recording need not be exact),
   and change bits of an operand that an access exception has ended. */
static void normalize(uint8_t *c, bool access)
{
    for (unsigned n = 0; n < 20 && c[IN_SLOT + n] != 0x0a; n += dis_length(c[IN_SLOT + n])) {
        struct dis_insn i;
        uint16_t row = dis_decode(c + IN_SLOT + n, &i);
        if (row == DIS_ISKE || row == DIS_IVSK)
            c[OUT_GR + 8 * i.r1 + 7] &= 0xf9; /* of any page */
    }
    for (unsigned k = 0; k < KEYS; k++)
        c[OUT_KEYS + k] &= access ? 0xf8 : 0xfa;
}

static bool access_exception(unsigned pic)
{
    return pic == PIC_PROTECTION || pic == PIC_ADDRESSING ||
           (pic >= PIC_SEGMENT_TRANSLATION && pic <= PIC_TRANSLATION_SPECIFICATION) ||
           (pic >= PIC_ALET_SPECIFICATION && pic <= PIC_EXTENDED_AUTHORITY) ||
           (pic >= PIC_ASCE_TYPE && pic < PIC_MONITOR_EVENT);
}

/* The row of the instruction at n, or of the one that it executes. */
static uint16_t row_at(const uint8_t *c, unsigned n, struct dis_insn *i)
{
    return dis_decode(get16(c + IN_SLOT + n) == 0xc600 ? c + IN_TARGET : c + IN_SLOT + n, i);
}

static bool has_row(const uint8_t *c, unsigned row)
{
    for (unsigned n = 0; n < 20 && c[IN_SLOT + n] != 0x0a; n += dis_length(c[IN_SLOT + n])) {
        struct dis_insn i;
        if (row_at(c, n, &i) == row)
            return true;
    }
    return false;
}

/* Some instruction of the case accesses two places. */
static bool two_operands(const uint8_t *c)
{
    for (unsigned n = 0; n < 20 && c[IN_SLOT + n] != 0x0a; n += dis_length(c[IN_SLOT + n])) {
        struct dis_insn i;
        uint16_t row = row_at(c, n, &i);
        if (row != DIS_NO_ROW && dis_rows[row].storage[1].where != DIS_AT_NONE)
            return true;
    }
    return false;
}

/* LOAD REAL ADDRESS has put an interruption code into its register. */
static bool cc3_of_lra(const uint8_t *c)
{
    for (unsigned n = 0; n < 20 && c[IN_SLOT + n] != 0x0a; n += dis_length(c[IN_SLOT + n])) {
        struct dis_insn i;
        uint16_t row = row_at(c, n, &i);
        if ((row == DIS_LRA || row == DIS_LRAY || row == DIS_LRAG) &&
            (get64(c + OUT_GR + 8 * i.r1) & UINT64_C(0xffffff00)) == UINT64_C(0x80000000))
            return true;
    }
    return false;
}

/* TEST BLOCK leaves the storage key of a usable block unpredictable (PoP chapter 10). Here the key is as after a store;
   Hercules leaves it as it was: the change bit of the block that was tested says nothing, nor what SET STORAGE KEY
   EXTENDED finds there afterwards. */
static void without_key_of_tested_block(uint8_t *c)
{
    const uint64_t psw = get64(c + IN_PSW);
    const uint64_t mask = psw & BIT64(31) ? ~UINT64_C(0) : psw & BIT64(32) ? 0x7fffffff : 0xffffff;
    for (unsigned n = 0; n < 20 && c[IN_SLOT + n] != 0x0a; n += dis_length(c[IN_SLOT + n])) {
        struct dis_insn i;
        const uint16_t row = row_at(c, n, &i);
        if (row == DIS_SSKE && has_row(c, DIS_TB)) /* the old key, by the conditional form */
            c[OUT_GR + 8 * i.r1 + 6] &= (uint8_t) ~(KEY_R | KEY_C);
        if (row != DIS_TB)
            continue;
        const uint64_t page = (get64(c + IN_GR + 8 * i.r2) & mask) >> 12, first = 0x8000 >> 12;
        if (page >= first && page < first + KEYS)
            c[OUT_KEYS + page - first] &= (uint8_t)~KEY_C;
    }
}

static void clear(uint8_t *a, uint8_t *b, unsigned at, unsigned bytes)
{
    memset(a + at, 0, bytes);
    memset(b + at, 0, bytes);
}

bool control_known(const uint8_t *ours, const uint8_t *theirs, const char *peer)
{
    uint8_t a[CASE_SIZE], b[CASE_SIZE];
    const unsigned pic_a = compare_pic(&compare_control, ours), pic_b = compare_pic(&compare_control, theirs);
    const bool access = access_exception(pic_a), qemu = strcmp(peer, "qemu") == 0;
    const bool ar_mode = field64(get64(ours + OUT_OLD + 16), 16, 17) == 1;
    if (strcmp(peer, "hercules") != 0 && !qemu)
        return false;
    if (pic_b == PIC_OPERATION) /* it has it not */
        return true;
    if (!qemu && pic_a == PIC_SPECIFICATION &&
        has_row(ours, DIS_LPP)) /* boundary: neither of them looks; not decided */
        return true;
    if (access && access_exception(pic_b) && (ar_mode || two_operands(ours))) /* of either operand, as it likes */
        return true;
    if (access && pic_b == 0 && has_row(ours, DIS_MVPG) && get64(ours + IN_GR) & 0x100)
        return true; /* condition code of one page, exception of the other: either may come first */
    if (qemu && pic_b == PIC_PRIVILEGED_OPERATION && (get64(ours + IN_PSW) & BIT64(15))) /* PSW-key mask misread */
        return true;
    if (qemu && pic_b == PIC_ADDRESSING && pic_a != pic_b) /* of a translation that it should have dropped; MVCOS */
        return true;
    if (qemu && (has_row(ours, DIS_LCTL) || has_row(ours, DIS_LCTLG)) && get64(ours + IN_PSW) & BIT64(16))
        return true; /* loads control register 7 before it fetches what follows on the next page */
    if (qemu && pic_a == pic_b && (has_row(ours, DIS_MVCS) || has_row(ours, DIS_MVCP)) &&
        memcmp(ours + OUT_GR, theirs + OUT_GR, OUT_KEYS - OUT_GR) == 0)
        return true;                               /* operands across pages */
    if (qemu && access && has_row(ours, DIS_IPTE)) /* drops it late */
        return true;
    if (pic_b == PIC_MONITOR_EVENT && pic_a != pic_b && get64(ours + OUT_CR + 64) & UINT64_C(0xffff00000000))
        return true;               /* counted in storage here: they have not the enhanced-monitor facility */
    if (!qemu && cc3_of_lra(ours)) /* entry outside of its table: Hercules gives the address of the entry */
        return true;
    if (!qemu && (has_row(ours, DIS_LASP) || has_row(ours, DIS_LPSWE) || has_row(ours, DIS_LPSW)) && access &&
        pic_a == pic_b) /* of the next instruction: any length code */
        return true;
    memcpy(a, ours, CASE_SIZE);
    memcpy(b, theirs, CASE_SIZE);
    normalize(a, access);
    normalize(b, access);
    if (!qemu) {
        without_key_of_tested_block(a);
        without_key_of_tested_block(b);
    }
    if (qemu) /* keys after accesses; TEID of translation-specification exceptions, which have none */
        clear(a, b, OUT_KEYS, KEYS);
    if (qemu && pic_a == PIC_TRANSLATION_SPECIFICATION)
        clear(a, b, TEID, 8);
    if (access &&
        pic_a == pic_b) { /* Hercules: no fetch and store indication; the access identification without need */
        clear(a, b, TEID + 6, 2);
        clear(a, b, ACCESS_ID, 1);
    }
    if (access && pic_a == pic_b && (get64(ours + OUT_OLD + 24) ^ get64(ours + TEID)) >> 12 == 0) {
        clear(a, b, OUT_CODES + 4, 2); /* the fetch of an instruction: any length code */
        clear(a, b, OUT_OLD + 24, 8);
    }
    if (!qemu && has_row(ours, DIS_BSA)) /* entry of the 24-bit form there, whatever the mode */
        clear(a, b, OUT_TRACE, TRACE_SIZE);
    if (pic_a && pic_a == pic_b) /* a trace entry may be there when the operation has not ended */
        clear(a, b, OUT_TRACE, TRACE_SIZE);
    if (pic_a == PIC_SPECIFICATION && pic_b == pic_a && ours[OUT_OLD + 31] & 1) { /* odd address: any length code */
        clear(a, b, OUT_OLD + 16, 16);
        clear(a, b, OUT_CODES + 4, 4);
    }
    return memcmp(a + OUT_GR, b + OUT_GR, OUT_END - OUT_GR) == 0;
}
