/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/compare/regs.h"

#include "base/bits.h"
#include "cpu/state/codes.h"
#include "disasm/dis.h"

#include <string.h>

/* What one machine made of the case. */
struct outcome {
    const uint8_t *out; /* the case */
    unsigned pic;       /* program-interruption code, 0: none (SVC) */
    uint64_t ia;        /* address in the old PSW */
    uint64_t mask;      /* bits 0-63 of the old PSW */
};

static struct outcome outcome(const uint8_t *c)
{
    struct outcome o = {.out = c, .pic = get16(c + OUT_CODES + 6)};
    unsigned old = OUT_OLD + (o.pic ? 16 : 0);
    o.mask = get64(c + old);
    o.ia = get64(c + old + 8);
    return o;
}

static bool same(const uint8_t *a, const uint8_t *b, unsigned from, unsigned to)
{
    return memcmp(a + from, b + from, to - from) == 0;
}

/* Completed with overflow here and there, but the interruption that the program mask asks for came only here. */
static bool overflow_not_reported(const struct outcome *a, const struct outcome *b)
{
    return a->pic == PIC_FIXED_POINT_OVERFLOW && b->pic == 0 && a->mask == b->mask &&
           same(a->out, b->out, OUT_GR, OUT_OLD) && same(a->out, b->out, OUT_DATA, OUT_END);
}

/* Only bits 0-31 of R1 differ. */
static bool high_half_of_r1(const struct outcome *a, const struct outcome *b, const struct dis_insn *i)
{
    for (unsigned r = 0; r < 16; r++) {
        unsigned at = OUT_GR + 8 * r;
        if (r == i->r1 ? !same(a->out, b->out, at + 4, at + 8) : !same(a->out, b->out, at, at + 8))
            return false;
    }
    return same(a->out, b->out, OUT_AR, OUT_END);
}

static bool known_qemu(const struct outcome *a, const struct outcome *b, const struct dis_insn *i)
{
    const bool mode24 = !(get64(a->out + IN_PSW) & (BIT64(31) | BIT64(32)));
    switch (i->row) {
    case DIS_BSM:
    case DIS_BASSM:
    case DIS_CPYA:
    case DIS_LMD:
    case DIS_CVBG:
    case DIS_CVB:
    case DIS_CVBY:
    case DIS_CVDG:
        return b->pic == PIC_OPERATION; /* it has them not */
    case DIS_LARL:                      /* far targets, 24-bit wrap */
    case DIS_STMH:
        return true;
    case DIS_TS: /* bits 8-15 not ignored */
        return b->pic == PIC_OPERATION;
    case DIS_BRCTH: /* relative to EXRL, not to its target */
        return get16(a->out + IN_SLOT) == 0xc600;
    case DIS_CDSG: /* odd registers not found */
        return a->pic == PIC_SPECIFICATION;
    case DIS_LA:
    case DIS_LAY:
    case DIS_LAE:
    case DIS_LAEY:
        return high_half_of_r1(a, b, i);
    default:
        break;
    }
    if (dis_rows[i->row].storage[0].where == DIS_AT_RI2 && a->pic == PIC_SPECIFICATION)
        return true; /* boundary not checked */
    if (overflow_not_reported(a, b))
        return true;
    if (a->pic == PIC_SPECIFICATION && (a->ia & 1))
        return true;                                                         /* odd branch address not found */
    return mode24 && (dis_rows[i->row].flags & DIS_BRANCHES) && b->ia >> 24; /* branch address not wrapped */
}

static bool known_hercules(const struct outcome *a, const struct outcome *b, const struct dis_insn *i)
{
    switch (i->row) {
    case DIS_RISBHG: /* going round from the last bit to the first */
    case DIS_RISBLG:
    case DIS_RISBGN: /* sets the condition code as RISBG does */
    case DIS_POPCNT: /* newer form with M3 */
        return true;
    case DIS_CFXR: /* extended to fixed: it rounds without the low-order part; exact fractions judge these */
    case DIS_CGXR:
        return a->pic == b->pic;
    case DIS_BAL: /* instruction-length code 2 in the link information, where EXRL has 3 */
        return get16(a->out + IN_SLOT) == 0xc600;
    case DIS_LAA: /* boundary not checked */
    case DIS_LAAG:
    case DIS_LAAL:
    case DIS_LAALG:
    case DIS_LAN:
    case DIS_LANG:
    case DIS_LAO:
    case DIS_LAOG:
    case DIS_LAX:
    case DIS_LAXG:
    case DIS_LPD:
    case DIS_LPDG:
        return a->pic == PIC_SPECIFICATION;
    default:
        return b->pic == PIC_OPERATION; /* it has them not */
    }
}

bool regs_known(const uint8_t *ours, const uint8_t *theirs, const char *peer)
{
    struct outcome a = outcome(ours), b = outcome(theirs);
    struct dis_insn insn;
    dis_decode(ours + (get16(ours + IN_SLOT) == 0xc600 ? IN_TARGET : IN_SLOT), &insn);
    if (ours[IN_SEQUENCE])
        return b.pic == PIC_OPERATION && strcmp(peer, "hercules") == 0;
    if (insn.row == DIS_NO_ROW)
        return false;
    if (strcmp(peer, "qemu") == 0)
        return known_qemu(&a, &b, &insn);
    if (strcmp(peer, "hercules") == 0)
        return known_hercules(&a, &b, &insn);
    return false;
}
