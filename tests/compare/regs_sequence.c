/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random sequences of instructions in a short loop: what engines make of instructions that stand together (condition
   codes computed later, comparisons fused with branches, decoded code that is used again). Results go to registers 0-7;
   registers 8-11 lead to operands, register 12 counts the loop. */
#include "base/bits.h"
#include "disasm/dis.h"
#include "tests/compare/regs.h"

#include <string.h>

static bool interlocked(unsigned row)
{
    static const uint16_t rows[] = {DIS_LAA, DIS_LAAG, DIS_LAAL, DIS_LAALG, DIS_LAN, DIS_LANG,
                                    DIS_LAO, DIS_LAOG, DIS_LAX,  DIS_LAXG,  DIS_LPD, DIS_LPDG};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k] == row)
            return true;
    }
    return false;
}

/* Rows that the peer has wrong, has not, or that would end it; and those that leave the sequence. */
static bool suits(unsigned row, const char *peer)
{
    static const uint16_t out[] = {DIS_MC,     DIS_SPM,    DIS_SAM24,  DIS_SAM31, DIS_STMH, DIS_LARL,
                                   DIS_CPYA,   DIS_LMD,    DIS_TS,     DIS_DSG,   DIS_DSGR, DIS_DSGF,
                                   DIS_DSGFR,  DIS_CVB,    DIS_CVBY,   DIS_CVBG,  DIS_CVDG, DIS_RISBHG,
                                   DIS_RISBLG, DIS_RISBGN, DIS_POPCNT, DIS_LPTEA};
    if (!regs_usable(row))
        return false;
    if (strcmp(peer, "zri") == 0)
        return true;
    for (unsigned k = 0; k < sizeof out / sizeof *out; k++) {
        if (out[k] == row)
            return false;
    }
    /* Hercules has nothing newer than z196, and lets LOAD AND ADD and its neighbours off their boundary. */
    if (strcmp(peer, "hercules") == 0 && (dis_rows[row].facility >= 48 || interlocked(row)))
        return false;
    return true;
}

/* Masks for the halfbytes that hold registers, so that they name 0-7. */
static void low_registers(uint8_t *bytes, const struct dis_row *row)
{
    switch (row->format) {
    case DIS_FMT_RRE:
    case DIS_FMT_RRF_a:
    case DIS_FMT_RRF_c:
        bytes[3] &= 0x77;
        if (row->format == DIS_FMT_RRF_a)
            bytes[2] &= 0x7f;
        break;
    case DIS_FMT_RR:
    case DIS_FMT_RIE_b:
    case DIS_FMT_RIE_d:
    case DIS_FMT_RIE_f:
    case DIS_FMT_RS_a:
    case DIS_FMT_RSY_a:
    case DIS_FMT_SS_e:
        bytes[1] &= 0x77;
        break;
    case DIS_FMT_RX_a:
    case DIS_FMT_RXY_a:
        bytes[1] &= row->storage[0].where == DIS_AT_NONE ? 0x7f : 0x70;
        break;
    case DIS_FMT_SI:
    case DIS_FMT_SIY:
        break;
    default:
        bytes[1] &= 0x7f;
        break;
    }
}

/* Bases 8-11 and small displacements for the operand fields at `at`. */
static void base_field(uint8_t *at, uint64_t *random)
{
    put16(at, (uint16_t)((8 + compare_below(random, 4)) << 12 | compare_below(random, 64)));
}

/* One instruction for the middle of a sequence. Returns its length, 0: not this one. */
static unsigned make_one(uint8_t *bytes, unsigned row, uint64_t at, uint64_t *random)
{
    const struct dis_row *r = &dis_rows[row];
    struct dis_insn i;
    put64(bytes, ((compare_random(random) >> 16 & ~r->mask) | r->opcode) << 16);
    low_registers(bytes, r);
    if (r->flags & DIS_BRANCHES) {
        if (r->format != DIS_FMT_RI_c && r->format != DIS_FMT_RIE_b && r->format != DIS_FMT_RIE_c &&
            r->format != DIS_FMT_RIL_c)
            return 0;
    } else if (r->storage[0].where == DIS_AT_RI2) {
        put32(bytes + 2, (uint32_t)((AT_DATA + 16 * compare_below(random, 15) - at) / 2));
    } else if (r->storage[0].where != DIS_AT_NONE) {
        base_field(bytes + 2, random);
        if (r->storage[1].where != DIS_AT_NONE || r->format == DIS_FMT_SSF)
            base_field(bytes + 4, random);
        else if (r->length == 6 && r->format != DIS_FMT_SIL)
            bytes[4] = 0;
    }
    dis_decode(bytes, &i);
    if (i.row != row)
        return 0;
    if ((r->flags & DIS_EVEN_R1 && i.r1 & 1) || (r->flags & DIS_EVEN_R2 && i.r2 & 1) ||
        (r->flags & DIS_EVEN_R3 && i.r3 & 1))
        return 0;
    if ((row == DIS_RNSBG || row == DIS_ROSBG || row == DIS_RXSBG) && (i.i3 & 0x80))
        return 0; /* ends QEMU */
    if (r->storage[0].length >= DIS_LEN_REGS4 && r->storage[0].length <= DIS_LEN_REGS8 && i.r3 < i.r1)
        return 0;
    return i.length;
}

/* Forward branches lead to the beginning of a later instruction. */
static void aim(uint8_t *code, const uint8_t *starts, unsigned n, unsigned count, uint64_t *random)
{
    struct dis_insn i;
    uint8_t *bytes = code + starts[n];
    dis_decode(bytes, &i);
    if (!(dis_rows[i.row].flags & DIS_BRANCHES))
        return;
    unsigned to = starts[n + 1 + compare_below(random, count - n)];
    uint32_t halfwords = (to - starts[n]) / 2u;
    if (dis_rows[i.row].format == DIS_FMT_RIL_c)
        put32(bytes + 2, halfwords);
    else
        put16(bytes + 2, (uint16_t)halfwords);
}

void regs_make_sequence(uint8_t *in, uint64_t start, uint64_t *random, const char *peer)
{
    static const uint16_t branches[] = {DIS_BRC,  DIS_BRC,   DIS_BRC, DIS_BRCL, DIS_CRJ,  DIS_CGRJ,
                                        DIS_CLRJ, DIS_CLGRJ, DIS_CIJ, DIS_CGIJ, DIS_CLIJ, DIS_CLGIJ};
    uint8_t code[256], starts[40];
    unsigned count = 4 + compare_below(random, 16), at = 0;
    for (unsigned k = 0; k < 256; k += 2)
        put16(in + IN_SLOT + k, 0x0a01);
    for (unsigned n = 0; n < count;) {
        unsigned row = compare_below(random, 4) ? compare_below(random, DIS_ROW_COUNT)
                                                : branches[compare_below(random, sizeof branches / sizeof *branches)];
        uint8_t bytes[8];
        unsigned length = suits(row, peer) ? make_one(bytes, row, start + at, random) : 0;
        if (length == 0)
            continue;
        memcpy(code + at, bytes, length);
        starts[n++] = (uint8_t)at;
        at += length;
    }
    starts[count] = (uint8_t)at;
    for (unsigned n = 0; n < count; n++)
        aim(code, starts, n, count, random);
    memcpy(in + IN_SLOT, code, at);
    put32(in + IN_SLOT + at, 0xa7c60000 | (uint16_t)(0 - at / 2)); /* BRCT 12 */
    for (unsigned k = 0; k < 16; k++) {
        put64(in + IN_GR + 8 * k, k == 12            ? 1 + compare_below(random, 4)
                                  : k >= 8 && k < 12 ? AT_DATA + 48 * (k - 8)
                                                     : regs_value(random));
        put32(in + IN_AR + 4 * k, (uint32_t)regs_value(random));
    }
    for (unsigned k = 0; k < 32; k++)
        put64(in + IN_DATA + 8 * k, regs_value(random));
    uint64_t psw = BIT64(31) | BIT64(32);
    if (strcmp(peer, "zri") ==
        0) { /* what the peers have wrong: other modes, with noise above the addresses; overflow */
        uint64_t mask = compare_below(random, 2)                       ? ~UINT64_C(0)
                        : compare_below(random, 2) && start < 0xff0000 ? 0xffffff
                                                                       : 0x7fffffff;
        psw = mask == 0xffffff ? 0 : mask == 0x7fffffff ? BIT64(32) : psw;
        psw |= compare_below(random, 4) ? 0 : BIT64(20);
        for (unsigned k = 8; k < 12; k++)
            put64(in + IN_GR + 8 * k, get64(in + IN_GR + 8 * k) | (compare_random(random) & ~mask));
    }
    put64(in + IN_PSW, psw | (uint64_t)compare_below(random, 4) << (63 - 19));
    put64(in + IN_PSW + 8, start);
    in[IN_SEQUENCE] = (uint8_t)count;
}
