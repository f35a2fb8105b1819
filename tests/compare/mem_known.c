/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Known faults of the machines that we compare with. */
#include "tests/compare/mem.h"

#include "base/bits.h"
#include "disasm/dis.h"

#include <string.h>

/* Everything but the general registers is the same. */
static bool same_but_registers(const uint8_t *a, const uint8_t *b)
{
    return memcmp(a + OUT_OLD, b + OUT_OLD, OUT_DATA + DATA_SIZE - OUT_OLD) == 0;
}

/* In the 24- and 31-bit modes, bits 0-31 of registers that are updated become zeros there. */
static bool high_halves_lost(const uint8_t *a, const uint8_t *b)
{
    if (get64(a + IN_PSW) & BIT64(31))
        return false;
    for (unsigned k = 0; k < 16; k++) {
        const uint8_t *x = a + OUT_GR + 8 * k, *y = b + OUT_GR + 8 * k;
        if (memcmp(x + 4, y + 4, 4) != 0 || (memcmp(x, y, 4) != 0 && get32(y) != 0))
            return false;
    }
    return same_but_registers(a, b);
}

static unsigned cc_of(const uint8_t *c) { return (unsigned)field64(get64(c + OUT_OLD), 18, 19); }

static uint64_t in_gr(const uint8_t *c, unsigned r) { return get64(c + IN_GR + 8 * r); }

static bool high_surrogate(const uint8_t *at) { return (at[0] & 0xfc) == 0xd8; }

/* The two bytes of data at the address in register r at the end. */
static const uint8_t *data_at(const uint8_t *c, unsigned r)
{
    uint64_t offset = (get64(c + OUT_GR + 8 * r) & 0xffffff) - AT_DATA;
    return c + OUT_DATA + (offset < DATA_SIZE - 4 ? offset : 0);
}

/* Where the operands were left when they were not changed by the last of several executions: machines differ in the
   amounts that they process in one. Only those registers may differ. */
static bool amounts_differ(const uint8_t *a, const uint8_t *b, const struct dis_insn *i)
{
    bool r1 = i->row == DIS_CLST && cc_of(a) == 0;
    bool r2 = r1 || i->row == DIS_MVST || i->row == DIS_SRST || i->row == DIS_SRSTU;
    for (unsigned k = 0; k < 16; k++) {
        if ((k == i->r1 && r1) || (k == i->r2 && r2))
            continue;
        if (memcmp(a + OUT_GR + 8 * k, b + OUT_GR + 8 * k, 8) != 0)
            return false;
    }
    return (r1 || r2) && same_but_registers(a, b);
}

/* Specification exception here, other ending there. */
static bool not_checked(const uint8_t *a, const uint8_t *b)
{
    return get16(a + OUT_CODES + 6) == 6 && get16(b + OUT_CODES + 6) != 6;
}

static bool odd_length(const uint8_t *a, unsigned r) { return in_gr(a, r + 1) & 1; }

/* An expansion that fills the first operand ends a few symbols before it is full, at the beginning of a byte of the
   second operand; what was written is the same. */
static bool stops_early(const uint8_t *a, const uint8_t *b, unsigned r1)
{
    const uint64_t end = (get64(b + OUT_GR + 8 * r1) & 0xffffff) - AT_DATA;
    return (in_gr(a, 0) & 0x100) && cc_of(a) == 1 && cc_of(b) == 1 && end < DATA_SIZE &&
           memcmp(a + OUT_DATA, b + OUT_DATA, end) == 0;
}

static bool known_qemu(const uint8_t *a, const uint8_t *b, const struct dis_insn *i)
{
    switch (i->row) {
    case DIS_CSST: /* the register is set wrongly, or without need */
        if (same_but_registers(a, b))
            return true;
        break;
    case DIS_TROT: /* looks at bits 56-63 of the test character only */
        if (in_gr(a, 0) & 0xff00)
            return true;
        break;
    case DIS_MVCLU:
    case DIS_CLCLU:
        if (not_checked(a, b) && (odd_length(a, i->r1) || odd_length(a, i->r3)))
            return true;
        break;
    case DIS_CLST: /* general register 0 */
        if (not_checked(a, b) && in_gr(a, 0) & 0xffffff00)
            return true;
        break;
    case DIS_CU12: /* takes E0 A0..BF xx for ill-formed */
    case DIS_CU14:
        if ((i->m3 & 1) && cc_of(b) == 2 && data_at(b, i->r2)[0] == 0xe0)
            return true;
        break;
    default:
        break;
    }
    return high_halves_lost(a, b) || amounts_differ(a, b, i);
}

static bool known_hercules(const uint8_t *a, const uint8_t *b, const struct dis_insn *i)
{
    switch (i->row) {
    case DIS_CMPSC:
        if (stops_early(a, b, i->r1))
            return true;
        break;
    case DIS_TRTR: /* bit 32 of general register 1 in the 31-bit mode */
        return field64(get64(a + IN_PSW), 31, 32) == 1 && same_but_registers(a, b);
    case DIS_TRTE: /* odd length with two-byte arguments */
    case DIS_TRTRE:
        return not_checked(a, b) && odd_length(a, i->r1);
    case DIS_SRSTU: /* one address odd and the other even: never ends there */
        if ((in_gr(a, i->r1) ^ in_gr(a, i->r2)) & 1)
            return true;
        break;
    case DIS_CU12: /* the second byte behind EF is not looked at */
    case DIS_CU14:
        if ((i->m3 & 1) && cc_of(a) == 2 && data_at(a, i->r2)[0] == 0xef)
            return true;
        break;
    case DIS_CU21: /* takes some surrogate pairs for ill-formed */
        if ((i->m3 & 1) && cc_of(b) == 2 && high_surrogate(data_at(b, i->r2)))
            return true;
        break;
    default:
        break;
    }
    /* The first operand is full and the character is incomplete or invalid: which condition is told. */
    if (dis_rows[i->row].flags & DIS_CC3_END && cc_of(b) == 1 && (cc_of(a) == 2 || cc_of(a) == 0) &&
        memcmp(a + OUT_GR, b + OUT_GR, OUT_OLD - OUT_GR) == 0 && memcmp(a + OUT_DATA, b + OUT_DATA, DATA_SIZE) == 0)
        return true;
    return amounts_differ(a, b, i);
}

bool mem_known(const uint8_t *ours, const uint8_t *theirs, const char *peer)
{
    struct dis_insn insn;
    dis_decode(ours + (get16(ours + IN_SLOT) == 0xc600 ? IN_TARGET : IN_SLOT), &insn);
    if (strcmp(peer, "qemu") == 0)
        return known_qemu(ours, theirs, &insn);
    return strcmp(peer, "hercules") == 0 && known_hercules(ours, theirs, &insn);
}
