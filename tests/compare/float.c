/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random comparison of single floating-point instructions: binary ones and hexadecimal ones. */
#include "cpu/state/codes.h"
#include "tests/compare/single.h"

#include <string.h>

/* ---- cases ------------------------------------------------------------------------------------------------------- */

static bool is_hex(unsigned row)
{
    return strcmp(dis_rows[row].section, "18") == 0 || row == DIS_THDER || row == DIS_THDR || row == DIS_TBEDR ||
           row == DIS_TBDR;
}
static bool usable(unsigned row)
{
    return row != DIS_SFASR && row != DIS_LFAS /* QEMU aborts */ && dis_implemented(row) &&
           dis_rows[row].flags & (DIS_AFP_IF_HIGH | DIS_NEEDS_AFP);
}
static bool usable_hex(unsigned row) { return usable(row) && is_hex(row); }
static bool usable_binary(unsigned row)
{
    const char *chapter = dis_rows[row].section;
    return usable(row) && (strcmp(chapter, "19") == 0 || (strcmp(chapter, "9") == 0 && !is_hex(row)));
}

/* Bits of a fraction: random, few at one end, a run of ones. */
static uint64_t fraction_bits(uint64_t *s)
{
    uint64_t v = compare_random(s);
    switch (compare_below(s, 6)) {
    case 0:
        return 0;
    case 1:
        return v << compare_below(s, 64);
    case 2:
        return v >> compare_below(s, 64);
    case 3:
        return ~UINT64_C(0) << compare_below(s, 64);
    case 4:
        return (~UINT64_C(0) >> compare_below(s, 64)) + (compare_below(s, 3) - 1);
    default:
        return v;
    }
}

/* A binary number of 32 or 64 bits, or the left half of 128. */
static uint64_t binary(uint64_t *s, unsigned exponent_bits, unsigned bits)
{
    uint64_t e_max = (UINT64_C(1) << exponent_bits) - 1, sign = compare_random(s) & 1, e;
    unsigned n = bits - 1 - exponent_bits;
    switch (compare_below(s, 10)) {
    case 0:
        e = compare_below(s, 3) ? 0 : compare_below(s, n + 3);
        break;
    case 1:
        e = e_max - (compare_below(s, 3) ? 0 : compare_below(s, n));
        break;
    case 2:
    case 3:
        e = compare_random(s);
        break;
    case 4: /* so that products come near the borders */
        e = (compare_below(s, 2) ? e_max / 4 : e_max * 3 / 4) + compare_below(s, 60) - 30;
        break;
    default:
        e = e_max / 2 + compare_below(s, 2 * n) - n;
        break;
    }
    uint64_t fraction = fraction_bits(s) & ((UINT64_C(1) << n) - 1);
    return sign << (bits - 1) | (e & e_max) << n | fraction;
}

/* A hexadecimal number, left-aligned in 64 bits. */
static uint64_t hexadecimal(uint64_t *s)
{
    uint64_t c;
    switch (compare_below(s, 6)) {
    case 0:
        c = compare_below(s, 2) ? compare_below(s, 20) : 127 - compare_below(s, 20);
        break;
    case 1:
        c = compare_below(s, 128);
        break;
    case 2: /* so that products come near the borders */
        c = (compare_below(s, 2) ? 32 : 96) + compare_below(s, 8) - 4;
        break;
    default:
        c = 64 + compare_below(s, 24) - 8;
        break;
    }
    uint64_t fraction = fraction_bits(s) >> (compare_below(s, 3) ? 8 : 8 + compare_below(s, 56));
    if (compare_below(s, 3)) /* most numbers are normalized, but not zero */
        fraction |= UINT64_C(1) << (52 + compare_below(s, 4));
    return (compare_random(s) & 1) << 63 | c << 56 | (fraction & (UINT64_MAX >> 8));
}

/* The format of the source: s, l, e, as the name of the row tells it. */
static char source_format(unsigned row)
{
    const char *text = strchr(dis_rows[row].name, '(');
    return text && (text[1] == 's' || text[1] == 'e') ? text[1] : 'l';
}

static uint64_t operand(uint64_t *s, unsigned row, unsigned k)
{
    bool hex = strcmp(dis_rows[row].section, "18") == 0 || row == DIS_TBEDR || row == DIS_TBDR;
    char f = source_format(row);
    if (f == 'e' && k & 2)
        return hex ? hexadecimal(s) : fraction_bits(s);
    if (hex)
        return hexadecimal(s);
    if (f == 's')
        return binary(s, 8, 32) << 32 | (compare_random(s) & 0xffffffff);
    return f == 'l' ? binary(s, 11, 64) : binary(s, 15, 64);
}

static void make_registers(uint8_t *in, uint64_t *s, unsigned row)
{
    for (unsigned k = 0; k < 16; k++)
        put64(in + IN_REGISTERS + 8 * k, operand(s, row, k));
    for (unsigned k = 0; k < 8; k++)
        put64(in + IN_DATA + 8 * k, operand(s, row, 0));
    for (unsigned k = 0; k < 16; k += 4) { /* operands that are nearly equal, in pairs of registers */
        if (compare_below(s, 4))
            continue;
        unsigned from = 4 * compare_below(s, 4) + (k & 1), to = 4 * compare_below(s, 4) + (k & 1);
        memcpy(in + IN_REGISTERS + 8 * to, in + IN_REGISTERS + 8 * from, 8);
        memcpy(in + IN_REGISTERS + 8 * to + 16, in + IN_REGISTERS + 8 * from + 16, 8);
        in[IN_REGISTERS + 8 * to] ^= compare_below(s, 2) ? 0x80 : 0;
        in[IN_REGISTERS + 8 * to + (compare_below(s, 2) ? 7 : 3)] ^= (uint8_t)compare_below(s, 4);
        in[IN_REGISTERS + 8 * to + 23] ^= (uint8_t)compare_below(s, 4);
        if (compare_below(s, 4) == 0)
            in[IN_REGISTERS + 8 * to] = (uint8_t)(in[IN_REGISTERS + 8 * to] + compare_below(s, 3));
    }
    for (unsigned k = 0; k < 16; k++)
        put64(in + IN_GR + 8 * k, compare_below(s, 4) ? fraction_bits(s) : 0 - (uint64_t)compare_below(s, 9));
    put64(in + IN_GR + 9 * 8, AT_DATA);
}

static unsigned rounding_mask(uint64_t *s)
{
    static const uint8_t valid[] = {0, 0, 1, 3, 4, 5, 6, 7};
    return compare_below(s, 16) == 0 ? compare_below(s, 16) : valid[compare_below(s, 8)];
}

/* A register, of a valid pair if that is asked for. */
static unsigned reg(uint64_t *s, bool pair)
{
    return compare_below(s, 16) & (pair && compare_below(s, 32) ? 13u : 15u);
}

static void make_operands(uint8_t *code, uint64_t *s, unsigned row)
{
    const struct dis_row *r = &dis_rows[row];
    unsigned r1 = reg(s, r->flags & DIS_FP_PAIR_R1), r2 = reg(s, r->flags & DIS_FP_PAIR_R2), r3 = reg(s, false);
    const bool storage = r->storage[0].where != DIS_AT_NONE;
    unsigned address = storage ? 0x9000 + 8 * compare_below(s, 6) + (compare_below(s, 8) ? 0 : compare_below(s, 8))
                               : compare_below(s, 4096);
    if (row == DIS_SRNM || row == DIS_SRNMB || row == DIS_SRNMT)
        address = compare_below(s, 10);
    switch (r->format) {
    case DIS_FMT_RR:
        code[1] = (uint8_t)(r1 << 4 | r2);
        return;
    case DIS_FMT_RRE:
        code[3] = (uint8_t)(r1 << 4 | r2);
        return;
    case DIS_FMT_RRD:
        code[2] = (uint8_t)(r1 << 4);
        code[3] = (uint8_t)(r3 << 4 | r2);
        return;
    case DIS_FMT_RRF_a:
    case DIS_FMT_RRF_b:
        code[2] = (uint8_t)(r3 << 4 | rounding_mask(s));
        code[3] = (uint8_t)(r1 << 4 | r2);
        return;
    case DIS_FMT_RRF_c:
    case DIS_FMT_RRF_e:
        code[2] = (uint8_t)(rounding_mask(s) << 4 | (r->format == DIS_FMT_RRF_e ? compare_below(s, 2) * 4 : 0));
        code[3] = (uint8_t)(r1 << 4 | r2);
        return;
    case DIS_FMT_RXF:
        code[4] = (uint8_t)(r1 << 4);
        code[1] = (uint8_t)(r3 << 4);
        break;
    case DIS_FMT_S:
        break;
    default:
        code[1] = (uint8_t)(r1 << 4);
        break;
    }
    put16(code + 2, (uint16_t)address);
}

static void make_case(uint8_t *in, uint64_t at, uint64_t *s, unsigned row)
{
    static const uint8_t rounding[] = {0, 1, 2, 3};
    uint8_t *code = in + IN_CODE;
    put64(code, dis_rows[row].opcode << 16);
    make_operands(code, s, row);
    make_registers(in, s, row);
    put16(code + (code[0] < 0x40 ? 2 : code[0] < 0xc0 ? 4 : 6), 0x0a00);
    put64(in + IN_PSW,
          BIT64(31) | BIT64(32) | (uint64_t)compare_below(s, 4) << 44 | (uint64_t)compare_below(s, 4) << 40);
    put64(in + IN_PSW + 8, at + IN_CODE);
    uint32_t masks = compare_below(s, 4) ? 0 : compare_below(s, 32) << 27;
    put32(in + IN_FPC,
          is_hex(row) ? 0
                      : masks | rounding[compare_below(s, 4)] | (compare_below(s, 4) ? 0 : compare_below(s, 32) << 19));
}

/* ---- the other side ---------------------------------------------------------------------------------------------- */

/* Where the other side is known to be wrong, or has not got the instruction. */
static bool known(const uint8_t *a, const uint8_t *b, const char *peer)
{
    if (strcmp(peer, "qemu") != 0 && strcmp(peer, "hercules") != 0)
        return false;
    unsigned dxc = get16(a + OUT_CODES + 6) == PIC_DATA ? a[OUT_CODES + 0xb] : 0;
    struct dis_insn i;
    dis_decode(a + IN_CODE, &i);
    if (get16(b + OUT_CODES + 6) == PIC_OPERATION)
        return true;
    switch (i.row) {
    case DIS_TBEDR: /* Hercules knows a rounding method 3, and rounds after truncating */
    case DIS_TBDR:
        return true;
    case DIS_MDEBR: /* QEMU: wrong product */
    case DIS_MXDBR:
    case DIS_MDEB:
    case DIS_MXDB:
    case DIS_LTEBR: /* QEMU: signaling NaNs stay as they are */
    case DIS_LTDBR:
    case DIS_LTXBR:
        return true;
    case DIS_LDXBRA: /* QEMU: any R1 */
    case DIS_LEXBRA:
        if (get16(a + OUT_CODES + 6) == PIC_SPECIFICATION && i.r1 & 2)
            return true;
        break;
    case DIS_MAEBR: /* QEMU: which of several NaNs */
    case DIS_MAEB:
    case DIS_MADBR:
    case DIS_MADB:
    case DIS_MSEBR:
    case DIS_MSEB:
    case DIS_MSDBR:
    case DIS_MSDB:
        if ((get16(a + OUT_REGISTERS + 8 * i.r1) & 0x7f80) == 0x7f80 ||
            (get16(a + OUT_REGISTERS + 8 * i.r1) & 0x7ff0) == 0x7ff0)
            return true;
        break;
    case DIS_MYHR: /* Hercules wants a register pair */
        return get16(b + OUT_CODES + 6) == PIC_SPECIFICATION && i.r1 & 2;
    case DIS_MAER: /* Hercules' intermediate product and sum are not exact (float-exact.py is the judge) */
    case DIS_MAE:
    case DIS_MADR:
    case DIS_MAD:
    case DIS_MSER:
    case DIS_MSE:
    case DIS_MSDR:
    case DIS_MSD:
    case DIS_MAYR:
    case DIS_MAYHR:
    case DIS_MAYLR:
    case DIS_MAY:
    case DIS_MAYH:
    case DIS_MAYL:
        return is_hex(i.row);
    default:
        break;
    }
    /* QEMU: an invalid conversion of a NaN is not inexact. */
    if (i.row >= DIS_CFEBRA && i.row <= DIS_CLGXBR && get32(a + OUT_FPC) == (get32(b + OUT_FPC) | 0x00080000) &&
        get32(a + OUT_FPC) & 0x00800000)
        return true;
    /* QEMU: traps that complete; and a trap for an invalid conversion that says inexact as well. */
    return (dxc >= 0x08 && dxc <= 0x2c) || (dxc == 0x80 && b[OUT_CODES + 0xb] == 0x88);
}

static const struct compare_part parts[] = SINGLE_PARTS(COMPARE_FR, 0);

static void make_binary(uint8_t *image, unsigned cases, uint64_t seed, const char *peer, const char *only)
{
    (void)peer;
    single_make(image, cases, seed, only, usable_binary, make_case);
}

static void make_hex(uint8_t *image, unsigned cases, uint64_t seed, const char *peer, const char *only)
{
    (void)peer;
    single_make(image, cases, seed, only, usable_hex, make_case);
}

SINGLE_CLASS(binary, BIT64(45))
SINGLE_CLASS(hex, BIT64(45))
