/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the image of a random comparison: random cases over every general instruction with operands of bounded
   length, and short sequences of them. */
#include "tests/compare/regs.h"

#include "base/bits.h"
#include "disasm/dis.h"

#include <stdbool.h>
#include <string.h>

/* A register's contents: edges of both halves, small numbers, single bits, noise. */
static uint32_t word_at_edge(uint64_t *s)
{
    static const uint32_t edges[] = {0,          1,          2,          0x7f,       0x80,       0xff,
                                     0x7fff,     0x8000,     0xffff,     0x10000,    0x7ffffffe, 0x7fffffff,
                                     0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0xffff8000, 0xffffff80};
    switch (compare_below(s, 4)) {
    case 0:
        return edges[compare_below(s, sizeof edges / sizeof *edges)];
    case 1:
        return (uint32_t)(int8_t)compare_random(s);
    case 2:
        return UINT32_C(1) << compare_below(s, 32);
    default:
        return (uint32_t)compare_random(s);
    }
}
uint64_t regs_value(uint64_t *s)
{
    switch (compare_below(s, 5)) {
    case 0:
        return (uint64_t)(int64_t)(int32_t)word_at_edge(s);
    case 1:
        return (UINT64_C(1) << compare_below(s, 64)) - compare_below(s, 2);
    case 2:
        return compare_random(s);
    default:
        return (uint64_t)word_at_edge(s) << 32 | word_at_edge(s);
    }
}

/* Instructions whose result differs from machine to machine or from moment to moment, or that no case can be made
   for. */
static bool left_out(unsigned row)
{
    static const uint16_t rows[] = {DIS_STCK,   DIS_STCKE, DIS_STCKF, DIS_ECTG, DIS_ECAG,   DIS_STFLE,
                                    DIS_PPA,    DIS_PLO,   DIS_SVC,   DIS_EPSW, DIS_NTSTG,  DIS_LGG,
                                    DIS_LLGFSG, DIS_LGSC,  DIS_STGSC, DIS_CSST, DIS_TBEGIN, DIS_TBEGINC};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k] == row)
            return true;
    }
    return false;
}

static bool bounded(const struct dis_storage *s)
{
    switch (s->length) {
    case DIS_LEN_FIXED:
        return s->bytes <= 16;
    case DIS_LEN_REGS4:
    case DIS_LEN_REGS8:
    case DIS_LEN_MASK:
        return true;
    default:
        return s->where == DIS_AT_NONE;
    }
}

/* Can this row be a case? */
bool regs_usable(unsigned row)
{
    const struct dis_row *r = &dis_rows[row];
    if (strcmp(r->section, "7") != 0 || !dis_implemented(row) || left_out(row) || r->facility == FACILITY_RI ||
        r->facility == FACILITY_CTX || r->facility == FACILITY_TX)
        return false;
    if (r->flags & (DIS_PRIVILEGED | DIS_SEMIPRIVILEGED | DIS_EXECUTES | DIS_INTERRUPTIBLE | DIS_CC3_END))
        return false;
    return bounded(&r->storage[0]) && bounded(&r->storage[1]);
}

struct making {
    uint64_t *random;
    uint64_t gr[16];
    uint32_t given; /* registers whose contents are decided */
    uint64_t mode_mask;
    uint8_t *data;
};

/* Give register `b` contents such that b + x + d is `address` in the mode. false: it cannot be. */
static bool reach(struct making *m, unsigned b, unsigned x, int32_t d, uint64_t address)
{
    if (b == 0 || b == x || (m->given >> b & 1))
        return false;
    uint64_t index = x ? m->gr[x] : 0;
    m->gr[b] = ((address - index - (uint64_t)(int64_t)d) & m->mode_mask) | (compare_random(m->random) & ~m->mode_mask);
    m->given |= 1u << b | (x ? 1u << x : 0);
    return true;
}

static uint64_t code_address(struct making *m)
{
    uint64_t address = AT_CODE + 2 * compare_below(m->random, 0x1000);
    /* The instruction itself is no target: it would be carried out twice. */
    if (address >= AT_SLOT - 8 && address < AT_TARGET + 16)
        address += 0x200;
    return address;
}

/* Where the storage operand is to be, and that its registers lead there. */
static bool place_storage(struct making *m, const struct dis_insn *i, const struct dis_storage *s)
{
    uint64_t address = AT_DATA + compare_below(m->random, 256 - 128);
    if (s->length == DIS_LEN_FIXED || s->length == DIS_LEN_MASK)
        address = AT_DATA + compare_below(m->random, 256 - 16);
    if (compare_below(m->random, 3) || s->bytes == 16)
        address &= ~UINT64_C(15);
    switch (s->where) {
    case DIS_AT_B1D1:
        return reach(m, i->b1, 0, i->d1, address);
    case DIS_AT_B2D2:
    case DIS_AT_X2B2D2:
        return reach(m, i->b2, i->x2, i->d2, address);
    case DIS_AT_B4D4:
        return reach(m, i->b4, 0, i->d4, address);
    case DIS_AT_NONE:
    case DIS_AT_RI2:
        return true;
    default:
        return false;
    }
}

/* Put the relative operand where it leads to data or code. */
static void place_relative(struct making *m, uint8_t *bytes, unsigned format, uint64_t at, bool branches)
{
    uint64_t address = branches ? code_address(m)
                                : AT_DATA + (compare_below(m->random, 2) ? 2u * compare_below(m->random, 120)
                                                                         : 8u * compare_below(m->random, 31));
    int64_t halfwords = ((int64_t)address - (int64_t)at) / 2;
    switch (format) {
    case DIS_FMT_RI_b:
    case DIS_FMT_RI_c:
    case DIS_FMT_RSI:
    case DIS_FMT_RIE_b:
    case DIS_FMT_RIE_c:
    case DIS_FMT_RIE_e:
        put16(bytes + 2, (uint16_t)halfwords);
        break;
    case DIS_FMT_RIL_b:
    case DIS_FMT_RIL_c:
        put32(bytes + 2, (uint32_t)halfwords);
        break;
    default:
        break;
    }
}

/* Branch targets in registers and storage. */
static bool place_branch(struct making *m, const struct dis_insn *i)
{
    switch (dis_rows[i->row].format) {
    case DIS_FMT_RR:
    case DIS_FMT_RRE:
        if (i->r2 == 0)
            return true;
        m->gr[i->r2] = code_address(m) | (compare_random(m->random) & ~m->mode_mask);
        if (i->row == DIS_BSM || i->row == DIS_BASSM)
            m->gr[i->r2] = compare_below(m->random, 2) ? code_address(m) | 1
                                                       : code_address(m) | (uint64_t)compare_below(m->random, 2) << 31;
        return true;
    case DIS_FMT_RRS:
    case DIS_FMT_RIS:
        return reach(m, i->b4, 0, i->d4, code_address(m));
    case DIS_FMT_RX_a:
    case DIS_FMT_RX_b:
    case DIS_FMT_RS_a:
    case DIS_FMT_RSY_a:
    case DIS_FMT_RXY_a:
        return reach(m, i->b2, i->x2, i->d2, code_address(m));
    case DIS_FMT_RXY_b: /* BIC: the address is in storage */
        for (unsigned k = 0; k < 32; k++)
            put64(m->data + 8 * k, code_address(m));
        return true;
    default:
        return true;
    }
}

static bool odd_pair(const struct dis_insn *i)
{
    uint64_t flags = dis_rows[i->row].flags;
    return (flags & DIS_EVEN_R1 && i->r1 & 1) || (flags & DIS_EVEN_R2 && i->r2 & 1) ||
           (flags & DIS_EVEN_R3 && i->r3 & 1);
}

/* Does the case end the peer instead of being carried out (guides/oracles.md)? */
static bool ends_peer(const struct dis_insn *i, const char *peer)
{
    return strcmp(peer, "qemu") == 0 && (i->i3 & 0x80) &&
           (i->row == DIS_RNSBG || i->row == DIS_ROSBG || i->row == DIS_RXSBG);
}

/* One attempt at a case for `row`. */
static bool make_case(uint8_t *in, unsigned row, uint64_t *random, const char *peer)
{
    const struct dis_row *r = &dis_rows[row];
    struct making m = {.random = random, .data = in + IN_DATA};
    struct dis_insn insn;
    uint8_t bytes[8];
    for (unsigned k = 0; k < 32; k++)
        put64(m.data + 8 * k, regs_value(random));
    for (unsigned k = 0; k < 16; k++)
        m.gr[k] = compare_below(random, 6) || k == 0 ? regs_value(random) : m.gr[k - 1];

    unsigned mode = compare_below(random, 8);
    m.mode_mask = mode == 0 ? 0xffffff : mode <= 2 ? 0x7fffffff : ~UINT64_C(0);
    uint64_t bits = compare_random(random) >> 16;
    bits = (bits & ~r->mask) | r->opcode;
    put64(bytes, bits << 16);
    dis_decode(bytes, &insn);
    if (ends_peer(&insn, peer))
        return false;
    if (insn.row != row || (odd_pair(&insn) && compare_below(random, 16)))
        return false;
    bool branches = r->flags & DIS_BRANCHES, executed = dis_implemented(DIS_EXRL) && compare_below(random, 8) == 0;
    if (branches || r->storage[0].where == DIS_AT_RI2) {
        place_relative(&m, bytes, r->format, executed ? AT_TARGET : AT_SLOT, branches);
        dis_decode(bytes, &insn);
    }
    if (branches && !place_branch(&m, &insn))
        return false;
    if (!(branches && r->format != DIS_FMT_RXY_b) &&
        (!place_storage(&m, &insn, &r->storage[0]) || !place_storage(&m, &insn, &r->storage[1])))
        return false;

    /* -2^63 by -1 ends QEMU and Hercules. */
    if ((insn.row == DIS_DSG || insn.row == DIS_DSGR || insn.row == DIS_DSGF || insn.row == DIS_DSGFR) &&
        m.gr[insn.r1 | 1] == BIT64(0))
        m.gr[insn.r1 | 1]++;

    uint64_t psw = BIT64(31) | BIT64(32);
    if (m.mode_mask != ~UINT64_C(0))
        psw = m.mode_mask == 0xffffff ? 0 : BIT64(32);
    psw |= (uint64_t)compare_below(random, 4) << (63 - 19);
    if (compare_below(random, 16) == 0)
        psw |= BIT64(20);
    for (unsigned k = 0; k < 16; k++) {
        put64(in + IN_GR + 8 * k, m.gr[k]);
        put32(in + IN_AR + 4 * k, (uint32_t)regs_value(random));
    }
    put64(in + IN_PSW, psw);
    put64(in + IN_PSW + 8, AT_SLOT);
    put64(in + IN_CR8, compare_random(random) & 0xffff);
    for (unsigned k = 0; k < 256; k += 2)
        put16(in + IN_SLOT + k, 0x0a01);
    for (unsigned k = 0; k < 16; k += 2)
        put16(in + IN_TARGET + k, 0x0a01);
    memcpy(in + (executed ? IN_TARGET : IN_SLOT), bytes, insn.length);
    if (executed) { /* EXRL 0,AT_TARGET */
        put16(in + IN_SLOT, 0xc600);
        put32(in + IN_SLOT + 2, (AT_TARGET - AT_SLOT) / 2);
    }
    return true;
}

static void make(uint8_t *image, unsigned cases, uint64_t seed, const char *peer, const char *only)
{
    uint16_t rows[DIS_ROW_COUNT];
    unsigned count = 0;
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++) {
        if (only && *only ? strcmp(dis_rows[row].mnemonic, only) == 0 : regs_usable(row))
            rows[count++] = (uint16_t)row;
    }
    for (unsigned k = 0; k < 0x2000; k += 2)
        put16(image + AT_CODE + k, 0x0a00);
    for (unsigned n = 0; n < cases && count;) {
        uint8_t *in = image + AT_CASES + (size_t)n * CASE_SIZE;
        if (!only && n % 2) {
            regs_make_sequence(in, (uint64_t)(in - image) + IN_SLOT, &seed, peer);
            n++;
        } else if (make_case(in, rows[compare_below(&seed, count)], &seed, peer))
            n++;
    }
}

static const struct compare_part parts[] = {
    {COMPARE_PSW, IN_PSW, COMPARE_NONE, 16, 0},
    {COMPARE_CODE, IN_SLOT, COMPARE_NONE, 256, AT_SLOT},
    {COMPARE_CODE, IN_TARGET, COMPARE_NONE, 16, AT_TARGET},
    {COMPARE_MEMORY, IN_DATA, OUT_DATA, 256, AT_DATA},
    {COMPARE_CR, IN_CR8, COMPARE_NONE, 8, 8},
    {COMPARE_AR, IN_AR, OUT_AR, 64, 0},
    {COMPARE_OLD_PSW, COMPARE_NONE, OUT_OLD, 32, 0},
    {COMPARE_CODES, COMPARE_NONE, OUT_CODES, 20, 136},
    {COMPARE_CODES, COMPARE_NONE, OUT_MONITOR, 8, 176},
    {COMPARE_GR, IN_GR, OUT_GR, 128, 0},
};

/* A sequence needs what leads to its operands and counts the loop. */
static uint32_t needed(const uint8_t *in)
{
    struct dis_insn i;
    uint16_t row = compare_insn(&compare_regs, in, &i);
    if (in[IN_SEQUENCE])
        return 0x1f00;
    if (row == DIS_NO_ROW || dis_rows[row].flags & DIS_BRANCHES)
        return 0xffff;
    return (1u << i.b1 | 1u << i.b2 | 1u << i.b4 | 1u << i.x2) & ~1u;
}

const struct compare_class compare_regs = {
    .name = "regs",
    .case_size = CASE_SIZE,
    .code = IN_SLOT,
    .code_bytes = 256,
    .target = IN_TARGET,
    .out = OUT_GR,
    .end = OUT_END,
    .parts = parts,
    .part_count = sizeof parts / sizeof *parts,
    .make = make,
    .known = regs_known,
    .needed = needed,
};
