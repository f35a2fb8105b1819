/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random comparison of control instructions, of one to three together: PSW, keys, translation, address spaces, linkage,
   tracing, interruptions, with operands that are missing, protected, malformed or out of storage. */
#include "tests/compare/control.h"

#include "base/bits.h"
#include "cpu/state/codes.h"

#include <string.h>

struct making {
    uint64_t *random;
    uint64_t gr[16], cr[16], psw;
    uint32_t taken;
    uint8_t *in;
    uint64_t at; /* where the case stands */
    uint8_t bytes[6];
    bool qemu, hercules;
    bool bad;  /* an operand is not accessible */
    bool full; /* no register was left */
    bool last; /* nothing may follow: addresses would lead elsewhere */
};

static uint64_t bits_of(struct making *m) { return compare_random(m->random); }
static unsigned below(struct making *m, unsigned n) { return compare_below(m->random, n); }
static bool one_in(struct making *m, unsigned n) { return below(m, n) == 0; }

static uint64_t address_mask(const struct making *m)
{
    return m->psw & BIT64(31) ? ~UINT64_C(0) : m->psw & BIT64(32) ? 0x7fffffff : 0xffffff;
}

/* A register that nothing of the case uses yet, from 2 on; the even one of a pair. When there is none,
   `full` is set and the instruction is not taken. */
static unsigned take(struct making *m, bool pair)
{
    for (unsigned tries = 0; tries < 40; tries++) {
        unsigned r = 2 + below(m, 14);
        uint32_t set = pair ? 3u << r : 1u << r;
        if ((pair && r & 1) || m->taken & set)
            continue;
        m->taken |= set;
        return r;
    }
    m->full = true;
    return 14;
}

/* A logical address of `length` bytes: mostly of the data. */
static uint64_t data_address(struct making *m, unsigned length, unsigned alignment)
{
    uint64_t address = AT_DATA + below(m, DATA_SIZE - length + 1);
    if (!one_in(m, 12))
        address &= ~(uint64_t)(alignment - 1);
    if (address < AT_DATA)
        address = AT_DATA;
    if (one_in(m, 4) && m->psw & BIT64(5) && !m->bad) {
        m->bad = true; /* which of two operands is looked at first is left open */
        static const uint64_t others[] = {PAGE_INVALID,    PAGE_PROTECTED,    PAGE_PROTECTED,
                                          SEGMENT_INVALID, SEGMENT_PROTECTED, SEGMENT_MALFORMED};
        /* segments that are not there lie where the 24-bit mode does not reach */
        address = others[below(m, address_mask(m) > 0xffffff ? 6 : 3)] | (address & 0xfff);
    }
    return address;
}

/* A real or absolute address of a page of the data, at times behind the end of storage. */
static uint64_t frame_address(struct making *m)
{
    uint64_t address = 0x8000 + 0x1000 * (uint64_t)below(m, KEYS);
    return one_in(m, 16) && address_mask(m) > 0xffffff ? STORAGE_SIZE + address : address;
}

static uint64_t clean(struct making *m, uint64_t address)
{
    return (address & address_mask(m)) | (bits_of(m) & ~address_mask(m));
}

/* Base and displacement. */
static void place(struct making *m, unsigned at, uint64_t address)
{
    unsigned b = take(m, false), d = below(m, 4096);
    m->gr[b] = clean(m, address - d);
    put16(m->bytes + at, (uint16_t)(b << 12 | d));
}

/* Addresses of two operands of up to 64 bytes that do not overlap: into `at` 2 and 4 of the instruction. */
static void place_two(struct making *m)
{
    uint64_t low = data_address(m, 64, 1), high = data_address(m, 64, 1);
    const unsigned a = below(m, 128), b = 192;
    const bool swap = below(m, 2);
    low = (low & ~UINT64_C(0xfff)) | ((AT_DATA + a) & 0xfff);
    high = (high & ~UINT64_C(0xfff)) | ((AT_DATA + b) & 0xfff);
    if (low >> 13 == 4) /* of the data themselves: in the page of its offset */
        low = AT_DATA + a;
    if (high >> 13 == 4)
        high = AT_DATA + b;
    place(m, 2, swap ? high : low);
    place(m, 4, swap ? low : high);
}

static void rre(struct making *m, unsigned r1, unsigned r2) { m->bytes[3] = (uint8_t)(r1 << 4 | r2); }

/* A PSW for an instruction that loads one: it continues in the area of SVC. */
static uint64_t some_mask(struct making *m)
{
    static const uint64_t spaces[] = {0, 0, BIT64(16), BIT64(16) | BIT64(17), BIT64(17)};
    uint64_t mask = one_in(m, 8) ? 0 : BIT64(31) | BIT64(32);
    mask |= one_in(m, 6) ? BIT64(32) : 0;
    mask |= one_in(m, 2) ? BIT64(5) | spaces[below(m, m->qemu ? 4 : 5)] : 0;
    mask |= one_in(m, 4) ? BIT64(15) : 0;
    mask |= (uint64_t)below(m, 64) << 40 & ~(m->qemu ? UINT64_C(0xf0000000000) : 0);
    if (!m->qemu && one_in(m, 10)) /* what is no PSW */
        mask |= UINT64_C(1) << (one_in(m, 2) ? 63 : below(m, 31));
    return mask & ~(BIT64(14) | BIT64(1) | (m->qemu ? BIT64(12) : 0));
}

/* ---- makers: one for each group of instructions ---------------------------------------------------------------- */

static void no_operands(struct making *m, unsigned row) /* IPK, PTLB, PALB, PR, TRAP2, PTFF ... */
{
    m->taken |= row == DIS_IPK ? 4 : 0; /* general register 2 receives the key */
    if (row == DIS_PTFF)
        m->gr[0] = below(m, 12) << 1 | 1;
    if (row == DIS_TRAP2 || row == DIS_TRAP4)
        m->cr[2] = AT_DUCT;
}

static void one_operand(struct making *m, unsigned row) /* S with storage */
{
    const struct dis_storage *s = &dis_rows[row].storage[0];
    place(m, 2, data_address(m, s->bytes ? s->bytes : 8, s->bytes ? s->bytes : 8));
}

static void one_value(struct making *m, unsigned row) /* SPKA, SAC, SACF: the address is the operand */
{
    uint64_t v = row == DIS_SPKA ? bits_of(m) & 0xff : (uint64_t)below(m, one_in(m, 8) ? 16 : m->qemu ? 1 : 4) << 8;
    if (m->qemu)
        v = row == DIS_SPKA ? 0 : (uint64_t)(below(m, 3) * 3 / 2) << 8; /* no access-register mode */
    place(m, 2, v | (bits_of(m) & ~UINT64_C(0xfff)));
}

static void registers(struct making *m, unsigned row) /* RRE that looks at registers alone */
{
    bool pair = dis_rows[row].flags & DIS_EVEN_R1 && (m->hercules || !one_in(m, 16));
    unsigned r1 = take(m, pair), r2 = take(m, false);
    m->gr[r1] = bits_of(m);
    if (row == DIS_SSAR || row == DIS_SSAIR || row == DIS_ESEA)
        m->gr[r1] = (bits_of(m) << 32 & ~UINT64_C(0)) | (one_in(m, 16) ? 64 + below(m, 64) : below(m, 7));
    if (row == DIS_SSAIR)
        m->gr[r1] &= 0xffff;
    if (row == DIS_ESTA)
        m->gr[r2] = below(m, m->hercules ? 5 : 7); /* 5 came later */
    if (row == DIS_TAR) {
        put32(m->in + IN_AR + 4 * r1, below(m, 10));
        m->gr[r2] = (uint64_t)below(m, 10) << 16;
    }
    rre(m, r1, r2);
}

static void branch(struct making *m, unsigned row) /* BAKR, BSA, BSG, PT, PTI */
{
    unsigned r1 = one_in(m, 4) && row != DIS_PT && row != DIS_PTI ? 0 : take(m, false);
    unsigned r2 = row == DIS_BAKR && one_in(m, 4) ? 0 : take(m, false);
    uint64_t target = AT_CODE + 2 * below(m, 0x380);
    if (r1)
        m->gr[r1] =
            row == DIS_BAKR ? (AT_CODE + 2 * below(m, 0x380)) | (below(m, 2) ? BIT64(32) : 0) : bits_of(m) & 0xffff0007;
    if (row == DIS_PT || row == DIS_PTI)
        m->gr[r1] = (bits_of(m) & UINT64_C(0xffff0000)) | (row == DIS_PTI ? 0 : 0) | below(m, 7);
    if (r2)
        m->gr[r2] = target | (m->psw & BIT64(31) ? 0 : below(m, 2) ? BIT64(32) : 0) | one_in(m, 3);
    rre(m, r1, r2);
}

static void by_real_address(struct making *m, unsigned row) /* LURA, STURA, ISKE, RRBE, SSKE, TB */
{
    unsigned r1 = take(m, false), r2 = take(m, false);
    uint64_t address = frame_address(m);
    if (row == DIS_LURA || row == DIS_LURAG || row == DIS_STURA || row == DIS_STURG)
        address = (one_in(m, 8) ? frame_address(m) : AT_DATA + 0x2000 * below(m, 4)) +
                  (below(m, 64) & (one_in(m, 8) ? ~0u : ~7u));
    m->gr[r1] = bits_of(m);
    m->gr[r2] = clean(m, address);
    m->gr[0] = 0; /* TB */
    rre(m, r1, r2);
    if (row == DIS_SSKE)
        m->bytes[2] = m->qemu || !one_in(m, 4) ? 0 : (uint8_t)((below(m, 4) << 1 & 6) << 4);
}

static void by_logical_address(struct making *m, unsigned row) /* IVSK, TPEI, LPTEA, CSP(G) */
{
    bool pair = (row == DIS_CSP || row == DIS_CSPG) && !one_in(m, 16);
    unsigned size = row == DIS_CSPG ? 8 : 4, r1 = take(m, pair), r2 = take(m, pair);
    uint64_t address = data_address(m, 8, 8);
    if (row == DIS_CSP || row == DIS_CSPG)
        address &= ~UINT64_C(7);
    m->gr[r1] = one_in(m, 2) ? bits_of(m) : get64(m->in + IN_DATA + 8);
    m->gr[r2] = clean(m, address) | (pair ? below(m, 2) : 0);
    (void)size;
    rre(m, r1, r2);
    if (row == DIS_LPTEA) {
        m->bytes[2] = (uint8_t)(take(m, false) << 4 | below(m, 5));
        m->gr[r1 ^ 0] = bits_of(m);
    }
}

static void indexed(struct making *m, unsigned row) /* LRA, LRAY, LRAG */
{
    (void)row;
    place(m, 2, data_address(m, 8, 8) + (one_in(m, 16) ? UINT64_C(0x80000000) : 0));
    m->bytes[1] = (uint8_t)(take(m, false) << 4);
}

static void two_operands(struct making *m, unsigned row) /* TPROT, STRAG, MVCSK, MVCDK, LASP */
{
    if (row == DIS_TPROT) {
        place(m, 2, data_address(m, 8, 8));
        place(m, 4, m->qemu ? 0 : bits_of(m) & 0xf0);
        return;
    }
    if (row == DIS_STRAG || row == DIS_LASP) {
        place(m, 2, data_address(m, 8, 8));
        place(m, 4, data_address(m, 8, 8));
        return;
    }
    place_two(m);
    m->gr[0] = below(m, 64);
    m->gr[1] = m->qemu ? 0 : bits_of(m) & 0xff;
    m->taken |= 3;
}

static void move(struct making *m, unsigned row) /* MVCK, MVCP, MVCS, MVCOS */
{
    unsigned length = take(m, false), key = take(m, false);
    m->gr[length] = below(m, 65);
    if (!(m->psw & BIT64(31)))
        m->gr[length] |= bits_of(m) << 32;
    m->gr[key] = m->qemu ? 0 : bits_of(m);
    m->bytes[1] = (uint8_t)(length << 4 | key);
    if (row == DIS_MVCOS) {
        if (m->hercules && (m->psw & (BIT64(16) | BIT64(17))) == BIT64(17)) /* does not end there */
            m->psw &= ~BIT64(17);
        static const uint8_t controls[] = {0x00, 0x01, 0x81, 0xc1, 0x80, 0xc0};
        m->bytes[1] = (uint8_t)(length << 4 | (m->bytes[1] & 15 & 0));
        m->gr[0] = (uint64_t)controls[below(m, 6)] << 16 | controls[below(m, 6)];
        if (!m->qemu && one_in(m, 3))
            m->gr[0] |= 0x20002 | (bits_of(m) & 0xf000f000);
        m->taken |= 1;
    }
    place_two(m);
}

static void controls(struct making *m, unsigned row) /* LCTL, LCTLG, STCTL, STCTG */
{
    static const uint8_t ranges[][2] = {{2, 5}, {3, 4}, {8, 8}, {10, 11}, {15, 15}, {12, 12}, {2, 3}, {7, 8}};
    const uint8_t *range = ranges[below(m, 8)];
    bool store = row == DIS_STCTL || row == DIS_STCTG, wide = row == DIS_LCTLG || row == DIS_STCTG;
    unsigned size = wide ? 8 : 4, first = store ? below(m, 16) : range[0], last = store ? below(m, 16) : range[1];
    unsigned count = ((last - first) & 15) + 1;
    m->bytes[1] = (uint8_t)(first << 4 | last);
    place(m, 2, data_address(m, size * count, wide ? 8 : 4));
}

static void system_mask(struct making *m, unsigned row) /* SSM, STNSM, STOSM */
{
    uint64_t address = data_address(m, 1, 1);
    const uint8_t mask = (uint8_t)(!m->qemu && one_in(m, 8) ? below(m, 256) & 0xbf : below(m, 2) ? 0x04 : 0x00);
    m->bytes[1] = row == DIS_STNSM ? (uint8_t)(mask | 0xf8) : mask;
    if (row == DIS_SSM)
        for (unsigned n = 0; n < SPACES; n++)
            if (address >= AT_DATA && address < AT_DATA + DATA_SIZE)
                m->in[IN_DATA + DATA_SIZE * n + address - AT_DATA] = mask;
    if (row == DIS_SSM && (address < AT_DATA || address >= AT_DATA + DATA_SIZE))
        address = PAGE_INVALID;
    m->last = true;
    place(m, 2, address);
}

static void load_psw(struct making *m, unsigned row) /* LPSW, LPSWE, LPSWEY, RP */
{
    uint64_t address = data_address(m, 64, 8), mask = some_mask(m), ia = AT_CODE + 2 * below(m, 0x380);
    if (address < AT_DATA || address >= AT_DATA + DATA_SIZE)
        address = PAGE_INVALID;
    if (!m->qemu && !(mask & BIT64(31)) && one_in(m, 16))
        ia |= BIT64(33 - below(m, 2) * 10);
    for (unsigned n = 0; n < SPACES && address >= AT_DATA; n++) {
        uint8_t *at = m->in + IN_DATA + DATA_SIZE * n + (address & 0x1ff) - (AT_DATA & 0x1ff);
        if (address == PAGE_INVALID)
            break;
        at = m->in + IN_DATA + DATA_SIZE * n + (address - AT_DATA);
        if (row == DIS_LPSW) {
            put64(at, ((mask & ~UINT64_C(0xffffffff)) ^ BIT64(12)) | (mask & BIT64(32)) | (ia & 0x7fffffff));
        } else {
            put64(at, mask);
            put64(at + 8, ia);
        }
    }
    place(m, 2, address);
}

static void invalidate(struct making *m, unsigned row) /* IPTE, IDTE */
{
    unsigned r1 = take(m, false), r2 = take(m, false), r3 = row == DIS_IDTE ? take(m, false) : 0;
    if (row == DIS_IPTE) {
        m->gr[r1] = AT_PAGE_TABLES;
        m->gr[r2] = 0x8000 + 0x1000 * (uint64_t)below(m, 4);
    } else {
        m->gr[r1] = AT_TABLES; /* segment-table origin, type 00 */
        m->gr[r2] = SEGMENT_INVALID + 0x100000 * (uint64_t)below(m, 3);
        m->gr[r3] = one_in(m, 4) ? UINT64_C(0x800) : 0;
        if (m->gr[r3])
            m->gr[r2] = 0x800;
        m->bytes[2] = (uint8_t)(r3 << 4);
    }
    rre(m, r1, r2);
}

static void call(struct making *m, unsigned row) /* PC */
{
    (void)row;
    place(m, 2, one_in(m, 8) ? bits_of(m) & 0xfffff : below(m, 16));
}

static void supervisor(struct making *m, unsigned row) /* SVC, MC */
{
    m->bytes[1] = (uint8_t)bits_of(m);
    if (row == DIS_MC) {
        m->bytes[1] &= one_in(m, 8) ? 0xff : 0x0f;
        place(m, 2, bits_of(m));
    }
}

static void signal(struct making *m, unsigned row) /* SIGP: only to CPUs that are not there */
{
    unsigned r1 = take(m, false), r3 = take(m, false);
    (void)row;
    m->gr[r3] = (bits_of(m) & ~UINT64_C(0xffff)) | (9 + below(m, 100));
    m->bytes[1] = (uint8_t)(r1 << 4 | r3);
    place(m, 2, 1 + below(m, 13));
}

static void trace(struct making *m, unsigned row)
{
    unsigned r1 = below(m, 16), r3 = below(m, 16);
    (void)row;
    m->bytes[1] = (uint8_t)(r1 << 4 | r3);
    place(m, 2, data_address(m, 4, 4));
}

static void move_page(struct making *m, unsigned row)
{
    unsigned r1 = take(m, false), r2 = take(m, false);
    (void)row;
    static const uint64_t bad[] = {PAGE_INVALID, PAGE_PROTECTED, SEGMENT_INVALID, SEGMENT_PROTECTED, SEGMENT_MALFORMED};
    const unsigned kinds = address_mask(m) > 0xffffff ? 5 : 2;
    m->gr[0] = one_in(m, 2) ? 0 : bits_of(m) & (m->qemu ? 0 : m->hercules ? 0x1f0 : 0xffff);
    m->taken |= 1;
    m->gr[r1] = clean(m, (one_in(m, 3) ? bad[below(m, kinds)] : 0x9000) | (bits_of(m) & 0xfff));
    m->gr[r2] = clean(m, (one_in(m, 3) ? bad[below(m, kinds)] : 0x8000) | (bits_of(m) & 0xfff));
    rre(m, r1, r2);
}

static void access_registers(struct making *m, unsigned row) /* EAR, SAR, CPYA and operands by access register */
{
    unsigned r1 = take(m, false), r2 = take(m, false);
    m->gr[r2] = below(m, 10);
    if (row == DIS_CPYA || row == DIS_EAR || row == DIS_SAR) {
        rre(m, r1, r2);
        return;
    }
    place(m, 2, data_address(m, 8, 1));
    if (dis_rows[row].format == DIS_FMT_RXY_a || dis_rows[row].format == DIS_FMT_RX_a)
        m->bytes[1] = (uint8_t)(r1 << 4);
    if (dis_rows[row].format == DIS_FMT_SS_a) {
        m->bytes[1] = (uint8_t)below(m, 64);
        place_two(m);
    }
}

static const struct {
    uint16_t row;
    void (*make)(struct making *m, unsigned row);
    uint8_t qemu, hercules; /* has it */
} makers[] = {
    {DIS_IPK, no_operands, 0, 1},
    {DIS_PTLB, no_operands, 1, 1},
    {DIS_PALB, no_operands, 0, 1},
    {DIS_PR, no_operands, 0, 1},
    {DIS_TRAP2, no_operands, 0, 1},
    {DIS_STAP, one_operand, 1, 1},
    {DIS_STPX, one_operand, 1, 1},
    {DIS_STIDP, one_operand, 0, 0},
    {DIS_STCKC, one_operand, 0, 0},
    {DIS_SCKC, one_operand, 1, 1},
    {DIS_SPT, one_operand, 1, 1},
    {DIS_LPP, one_operand, 0, 1},
    {DIS_LBEAR, one_operand, 0, 0},
    {DIS_STBEAR, one_operand, 0, 0},
    {DIS_SPKA, one_value, 1, 1},
    {DIS_SAC, one_value, 0, 1},
    {DIS_SACF, one_value, 0, 1},
    {DIS_EPAR, registers, 0, 1},
    {DIS_ESAR, registers, 0, 1},
    {DIS_EPAIR, registers, 0, 0},
    {DIS_ESAIR, registers, 0, 0},
    {DIS_EPSW, registers, 0, 1},
    {DIS_IAC, registers, 0, 1},
    {DIS_SSAR, registers, 0, 1},
    {DIS_SSAIR, registers, 0, 0},
    {DIS_ESEA, registers, 0, 1},
    {DIS_TAR, registers, 0, 1},
    {DIS_EREG, registers, 0, 1},
    {DIS_EREGG, registers, 0, 1},
    {DIS_ESTA, registers, 0, 1},
    {DIS_MSTA, registers, 0, 1},
    {DIS_BAKR, branch, 0, 1},
    {DIS_BSA, branch, 0, 1},
    {DIS_BSG, branch, 0, 1},
    {DIS_PT, branch, 0, 1},
    {DIS_PTI, branch, 0, 0},
    {DIS_LURA, by_real_address, 0, 1},
    {DIS_LURAG, by_real_address, 0, 1},
    {DIS_STURA, by_real_address, 0, 1},
    {DIS_STURG, by_real_address, 0, 1},
    {DIS_ISKE, by_real_address, 1, 1},
    {DIS_RRBE, by_real_address, 1, 1},
    {DIS_SSKE, by_real_address, 1, 1},
    {DIS_TB, by_real_address, 0, 1},
    {DIS_IVSK, by_logical_address, 0, 1},
    {DIS_LPTEA, by_logical_address, 0, 0},
    {DIS_CSP, by_logical_address, 1, 1},
    {DIS_CSPG, by_logical_address, 1, 1},
    {DIS_LRA, indexed, 0, 1},
    {DIS_LRAY, indexed, 0, 1},
    {DIS_LRAG, indexed, 0, 1},
    {DIS_TPROT, two_operands, 0, 1},
    {DIS_STRAG, two_operands, 0, 1},
    {DIS_MVCSK, two_operands, 0, 1},
    {DIS_MVCDK, two_operands, 0, 1},
    {DIS_LASP, two_operands, 0, 1},
    {DIS_MVCK, move, 0, 1},
    {DIS_MVCP, move, 1, 1},
    {DIS_MVCS, move, 1, 1},
    {DIS_MVCOS, move, 1, 1},
    {DIS_LCTL, controls, 1, 1},
    {DIS_LCTLG, controls, 1, 1},
    {DIS_STCTL, controls, 1, 1},
    {DIS_STCTG, controls, 1, 1},
    {DIS_SSM, system_mask, 1, 1},
    {DIS_STNSM, system_mask, 1, 1},
    {DIS_STOSM, system_mask, 1, 1},
    {DIS_LPSW, load_psw, 0, 1},
    {DIS_LPSWE, load_psw, 1, 1},
    {DIS_LPSWEY, load_psw, 0, 0},
    {DIS_IPTE, invalidate, 1, 1},
    {DIS_IDTE, invalidate, 0, 1},
    {DIS_PC, call, 0, 1},
    {DIS_SVC, supervisor, 1, 1},
    {DIS_MC, supervisor, 1, 1},
    {DIS_SIGP, signal, 1, 1},
    {DIS_TRACE, trace, 0, 0},
    {DIS_TRACG, trace, 0, 0},
    {DIS_MVPG, move_page, 1, 1},
    {DIS_CPYA, access_registers, 0, 1},
    {DIS_EAR, access_registers, 1, 1},
    {DIS_SAR, access_registers, 1, 1},
    {DIS_LG, access_registers, 1, 1},
    {DIS_STG, access_registers, 1, 1},
    {DIS_MVC, access_registers, 1, 1},
    {DIS_XC, access_registers, 1, 1},
};
enum { MAKERS = sizeof makers / sizeof *makers };

/* ---- cases ------------------------------------------------------------------------------------------------------ */

static void make_controls(struct making *m)
{
    m->cr[0] = BIT64(45) | BIT64(46) | (one_in(m, 2) ? BIT64(36) : 0) | (one_in(m, 4) ? 0 : BIT64(37)) |
               (!m->qemu && one_in(m, 16) ? BIT64(33) : 0) | (!m->qemu && one_in(m, 4) ? BIT64(39) : 0) |
               (!m->qemu && one_in(m, 4) ? BIT64(38) : 0); /* low-address protection would meet the frame */
    m->cr[1] = AT_TABLES | (one_in(m, 24) ? BIT64(57) : 0);
    m->cr[2] = AT_DUCT;
    m->cr[3] = (bits_of(m) & 0xffff0000) | 2 | (m->qemu ? 0x80800000 : 0); /* QEMU looks at the wrong bit */
    m->cr[4] = (uint64_t)below(m, 8) << 16 | 1;
    m->cr[5] = AT_ASN_SECOND + 64;
    m->cr[7] = AT_TABLES + 0x1000;
    m->cr[8] = (uint64_t)below(m, 10) << 16 | (bits_of(m) & 0xffff);
    m->cr[12] = m->qemu || !one_in(m, 4) ? 0 : AT_TRACE | (bits_of(m) & (BIT64(0) | BIT64(1) | 2)) | !m->hercules;
    m->cr[13] = AT_TABLES + 0x2000;
    m->cr[14] = one_in(m, 8) ? 0 : BIT64(44) | AT_ASN_FIRST >> 12;
    m->cr[15] = AT_STACK + 8;
    if (!m->qemu && !m->hercules && one_in(m, 8)) { /* program-event recording */
        m->psw |= BIT64(1);
        m->cr[9] = bits_of(m) & 0xf9a00000;
        m->cr[10] = one_in(m, 2) ? AT_DATA : AT_CODE;
        m->cr[11] = m->cr[10] + 0x3000;
    }
}

static void make_psw(struct making *m)
{
    static const uint64_t modes[] = {BIT64(31) | BIT64(32), BIT64(31) | BIT64(32), BIT64(32), 0};
    m->psw = modes[below(m, m->at < 0xff0000 ? 4 : 3)];
    if (!one_in(m, 3)) {
        static const uint64_t spaces[] = {0, 0, BIT64(16), BIT64(16) | BIT64(17), BIT64(17), BIT64(17)};
        m->psw |= BIT64(5) | spaces[below(m, m->qemu ? 4 : 6)];
    }
    if (one_in(m, 4))
        m->psw |= BIT64(15);
    m->psw |= (uint64_t)below(m, 4) << 44;
    if (!m->qemu && one_in(m, 3))
        m->psw |= (uint64_t)below(m, 16) << 52;
}

/* A linkage stack of a header, at times with a state entry. */
static void make_stack(struct making *m)
{
    uint8_t *stack = m->in + IN_STACK;
    bool entry = one_in(m, 3);
    stack[8] = 9; /* header */
    stack[9] = 1;
    put16(stack + 10, one_in(m, 8) ? 8 : 2 * 296);
    if (!entry)
        return;
    uint8_t *e = stack + 16;
    put16(stack + 12, 296);
    for (unsigned k = 0; k < 288; k += 8)
        put64(e + k, bits_of(m));
    put16(e + 132, (uint16_t)below(m, 8));
    put32(e + 132, (uint32_t)below(m, 8) << 16 | 1); /* extended authorization index, primary ASN */
    put16(e + 130, one_in(m, 2) ? 1 : 2);            /* secondary ASN */
    put64(e + 136, some_mask(m));
    put64(e + 168, AT_CODE + 2 * below(m, 0x380));
    memset(e + 176, 0, 48);
    e[288] = one_in(m, 8) ? 9 : 12 + below(m, 2);
    e[289] = 1;
    put16(e + 290, 296);
    m->cr[15] = AT_STACK + 8 + 296;
}

static void make_storage(struct making *m)
{
    for (unsigned k = 0; k < SPACES * DATA_SIZE; k += 8)
        put64(m->in + IN_DATA + k, one_in(m, 4) ? 0 : bits_of(m));
    for (unsigned k = 0; k < 128; k += 8)
        put64(m->in + IN_FIRST + k, bits_of(m));
    for (unsigned k = 0; k < KEYS; k++)
        m->in[IN_KEYS + k] = (uint8_t)(m->qemu || !one_in(m, 3) ? 0
                                                                : (one_in(m, 2)   ? m->psw >> 48 & 0xf0
                                                                   : one_in(m, 4) ? 0x90
                                                                                  : bits_of(m) & 0xf0) |
                                                                      below(m, 8) << 1);
    for (unsigned k = 0; k < 4; k++)
        put64(m->in + IN_PTES + 8 * k, k < 2 ? 0x8000 + 0x1000 * k : 0x8000 + (k == 2 ? BIT64(53) : BIT64(54)));
    put64(m->in + IN_STES, BIT64(58));
    put64(m->in + IN_STES + 8, AT_PAGE_TABLES | BIT64(54));
    put64(m->in + IN_STES + 16, AT_PAGE_TABLES | BIT64(60));
}

static bool suits(const struct making *m, unsigned k, const char *only)
{
    if (only)
        return strcmp(dis_rows[makers[k].row].mnemonic, only) == 0;
    return (!m->qemu || makers[k].qemu) && (!m->hercules || makers[k].hercules) && dis_implemented(makers[k].row);
}

/* One instruction; the last may be the target of EXRL. Returns its length. */
static unsigned make_one(struct making *m, unsigned at, const char *only)
{
    unsigned k = below(m, MAKERS);
    for (unsigned tries = 0; !suits(m, k, only) && tries < 10 * MAKERS; tries++)
        k = below(m, MAKERS);
    const unsigned row = makers[k].row, length = dis_rows[row].length;
    uint8_t opcode[8];
    if (at && (makers[k].make == load_psw || makers[k].make == system_mask || (m->hercules && row == DIS_MVCOS)))
        return 0; /* what is before it may change its operand, or the mode */
    put64(opcode, dis_rows[row].opcode << 16);
    memcpy(m->bytes, opcode, sizeof m->bytes);
    const struct making before = *m;
    m->bad = m->full = false;
    makers[k].make(m, row);
    if (m->full) {
        memcpy(m->gr, before.gr, sizeof m->gr);
        return 0;
    }
    memcpy(m->in + IN_SLOT + at, m->bytes, length);
    return length;
}

static void make_case(struct making *m, const char *only)
{
    m->taken = 3;
    m->last = false;
    for (unsigned k = 0; k < 16; k++) {
        m->gr[k] = bits_of(m);
        put32(m->in + IN_AR + 4 * k, one_in(m, 3) ? below(m, 10) : below(m, 3));
        m->cr[k] = 0;
    }
    make_psw(m);
    make_controls(m);
    make_storage(m);
    make_stack(m);
    unsigned count = only ? 1 : 1 + below(m, 3), at = 0;
    for (unsigned n = 0; n < count && !m->last; n++)
        at += make_one(m, at, only);
    if (count == 1 && one_in(m, 8)) { /* EXRL 0 */
        memcpy(m->in + IN_TARGET, m->in + IN_SLOT, at);
        put16(m->in + IN_SLOT, 0xc600);
        put32(m->in + IN_SLOT + 2, (uint32_t)((IN_TARGET - IN_SLOT) / 2));
        at = 6;
    }
    for (; at < 64; at += 2)
        put16(m->in + IN_SLOT + at, 0x0a01);
    for (unsigned k = 0; k < 16; k++) {
        put64(m->in + IN_GR + 8 * k, m->gr[k]);
        put64(m->in + IN_CR + 8 * k, m->cr[k]);
    }
    put64(m->in + IN_PSW, m->psw);
    put64(m->in + IN_PSW + 8, m->at + IN_SLOT);
}

static void make(uint8_t *image, unsigned cases, uint64_t seed, const char *peer, const char *only)
{
    control_tables(image);
    for (unsigned k = 0; k < 0x2000; k += 2)
        put16(image + AT_CODE + k, 0x0a00);
    for (unsigned n = 0; n < cases; n++) {
        struct making m = {.random = &seed,
                           .in = image + AT_CASES + (size_t)n * CASE_SIZE,
                           .at = AT_CASES + (size_t)n * CASE_SIZE,
                           .qemu = strcmp(peer, "qemu") == 0,
                           .hercules = strcmp(peer, "hercules") == 0};
        make_case(&m, only);
    }
}

static const struct compare_part parts[] = {
    {COMPARE_PSW, IN_PSW, COMPARE_NONE, 16, 0},
    {COMPARE_MEMORY, IN_DATA, OUT_DATA, DATA_SIZE, AT_DATA},
    {COMPARE_MEMORY, IN_DATA + DATA_SIZE, OUT_DATA + DATA_SIZE, DATA_SIZE, AT_DATA + 0x2000},
    {COMPARE_MEMORY, IN_DATA + 2 * DATA_SIZE, OUT_DATA + 2 * DATA_SIZE, DATA_SIZE, AT_DATA + 0x4000},
    {COMPARE_MEMORY, IN_DATA + 3 * DATA_SIZE, OUT_DATA + 3 * DATA_SIZE, DATA_SIZE, AT_DATA + 0x6000},
    {COMPARE_MEMORY, IN_FIRST, COMPARE_NONE, 128, 0x8000},
    {COMPARE_MEMORY, IN_FIRST, COMPARE_NONE, 128, 0xa000},
    {COMPARE_MEMORY, IN_FIRST, COMPARE_NONE, 128, 0xc000},
    {COMPARE_MEMORY, IN_FIRST, COMPARE_NONE, 128, 0xe000},
    {COMPARE_MEMORY, IN_STACK, OUT_STACK, STACK_SIZE, AT_STACK},
    {COMPARE_MEMORY, IN_TRACE, OUT_TRACE, TRACE_SIZE, AT_TRACE},
    {COMPARE_MEMORY, IN_PTES, OUT_PTES, 32, AT_PAGE_TABLES + 8 * 8},
    {COMPARE_MEMORY, IN_STES, OUT_STES, 24, AT_TABLES + 8 * (SEGMENT_INVALID >> 20)},
    {COMPARE_KEYS, IN_KEYS, OUT_KEYS, KEYS, 0x8000},
    {COMPARE_OLD_PSW, COMPARE_NONE, OUT_OLD, 32, 0},
    {COMPARE_CODES, COMPARE_NONE, OUT_CODES, 48, 136},
    {COMPARE_AR, IN_AR, OUT_AR, 64, 0},
    {COMPARE_CR, IN_CR, OUT_CR, 128, 0},
    {COMPARE_GR, IN_GR, OUT_GR, 128, 0},
};

/* Registers that some instruction of the case names. */
static uint32_t needed(const uint8_t *in)
{
    uint32_t set = 3;
    for (unsigned n = 0; n < 20 && in[IN_SLOT + n] != 0x0a;) {
        struct dis_insn i;
        dis_decode(in + IN_SLOT + n, &i);
        if (get16(in + IN_SLOT + n) == 0xc600)
            dis_decode(in + IN_TARGET, &i);
        set |= 1u << i.b1 | 1u << i.b2 | 1u << i.r1 | 1u << i.r2 | 1u << i.r3;
        n += dis_length(in[IN_SLOT + n]);
    }
    return set;
}

const struct compare_class compare_control = {
    .name = "control",
    .case_size = CASE_SIZE,
    .code = IN_SLOT,
    .code_bytes = 64,
    .target = IN_TARGET,
    .out = OUT_GR,
    .end = OUT_END,
    .parts = parts,
    .part_count = sizeof parts / sizeof *parts,
    .tables = {AT_TABLES, AT_TABLES_END},
    .make = make,
    .known = control_known,
    .needed = needed,
};
