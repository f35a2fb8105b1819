/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random comparison of single vector instructions. */
#include "cpu/state/codes.h"
#include "tests/compare/single.h"

#include <string.h>

enum { FIRST_VR = 14 }; /* eight registers, half of them above 15 */

/* ---- cases ------------------------------------------------------------------------------------------------------- */

static bool usable(unsigned row)
{
    const char *chapter = dis_rows[row].section;
    return chapter[0] == '2' && chapter[1] >= '1' && chapter[1] <= '4' && dis_rows[row].flags & DIS_NEEDS_VECTOR &&
           dis_implemented(row);
}

static bool is_float(unsigned row) { return strcmp(dis_rows[row].section, "24") == 0; }

static uint64_t edge(uint64_t *s)
{
    static const uint64_t bytes[] = {0, 0, 1, 0x7f, 0x80, 0xff, 0xfe, 0x81, 0x20, 0x41};
    uint64_t v = 0;
    switch (compare_below(s, 5)) {
    case 0:
        return compare_random(s);
    case 1:
        return UINT64_C(1) << compare_below(s, 64);
    case 2:
        return (UINT64_C(0x0101010101010101) << compare_below(s, 8)) - compare_below(s, 2);
    default:
        for (unsigned k = 0; k < 8; k++)
            v = v << 8 | bytes[compare_below(s, sizeof bytes / sizeof *bytes)];
        return v;
    }
}

/* A number of a binary format, 32 or 64 bits, or the left half of 128. */
static uint64_t number(uint64_t *s, unsigned exponent_bits, unsigned bits)
{
    uint64_t e_max = (UINT64_C(1) << exponent_bits) - 1, sign = compare_random(s) & 1, e, fraction = compare_random(s);
    unsigned fraction_bits = bits - 1 - exponent_bits;
    switch (compare_below(s, 8)) {
    case 0:
        e = 0;
        break;
    case 1:
        e = e_max;
        break;
    case 2:
        e = compare_random(s) & e_max;
        break;
    default:
        e = e_max / 2 + compare_below(s, 2 * fraction_bits) - fraction_bits;
        break;
    }
    switch (compare_below(s, 4)) {
    case 0:
        fraction = 0;
        break;
    case 1:
        fraction = compare_random(s) & UINT64_C(0xf) << (fraction_bits - 4);
        break;
    default:
        break;
    }
    fraction &= (UINT64_C(1) << fraction_bits) - 1;
    return sign << (bits - 1) | (e & e_max) << fraction_bits | fraction;
}

static void make_registers(uint8_t *in, uint64_t *s, unsigned row, unsigned format)
{
    for (unsigned k = 0; k < 16; k++) {
        uint64_t v;
        if (!is_float(row) || (row != DIS_VFTCI && compare_below(s, 6) == 0))
            v = edge(s);
        else if (format == 2)
            v = number(s, 8, 32) << 32 | number(s, 8, 32);
        else if (format == 3)
            v = number(s, 11, 64);
        else
            v = k & 1 ? (compare_below(s, 3) ? compare_random(s) : 0) : number(s, 15, 64);
        put64(in + IN_REGISTERS + 8 * k, v);
    }
    if (compare_below(s, 3) == 0) /* two operands that are (nearly) equal */
        memcpy(in + IN_REGISTERS + 16 * compare_below(s, 8), in + IN_REGISTERS + 16 * compare_below(s, 8),
               16 - compare_below(s, 3));
    for (unsigned k = 0; k < 16; k++)
        put64(in + IN_GR + 8 * k, compare_below(s, 2) ? compare_below(s, 20) : edge(s));
    put64(in + IN_GR + 9 * 8, AT_DATA + compare_below(s, 40));
    for (unsigned k = 0; k < 8; k++)
        put64(in + IN_DATA + 8 * k, edge(s));
}

static void put_register(uint8_t *code, unsigned byte, bool left, unsigned bit, uint64_t *s)
{
    unsigned v = FIRST_VR + compare_below(s, 8);
    code[byte] = (uint8_t)(left ? (code[byte] & 15) | (v & 15) << 4 : (code[byte] & 0xf0) | (v & 15));
    if (v & 16)
        code[4] |= (uint8_t)(8 >> bit);
}
static void put_general(uint8_t *code, unsigned byte, bool left, unsigned r)
{
    code[byte] = (uint8_t)(left ? (code[byte] & 15) | r << 4 : (code[byte] & 0xf0) | r);
}
static unsigned mask(uint64_t *s, unsigned valid)
{
    return compare_below(s, 12) == 0 ? compare_below(s, 16) : compare_below(s, valid);
}

/* Storage or an amount: base register 9 addresses the data. */
static void put_address(uint8_t *code, uint64_t *s, bool storage)
{
    unsigned base = storage ? 9 : compare_below(s, 8), d = compare_below(s, storage ? 8 : 70);
    code[2] = (uint8_t)(base << 4);
    code[3] = (uint8_t)d;
}

/* Masks in bits 16-31 of the register formats: zeros, or a few ones. */
static void put_masks(uint8_t *code, uint64_t *s, unsigned format, bool is_float_row, unsigned m)
{
    unsigned some = compare_below(s, 16), top = compare_below(s, 4) ? 0 : 8;
    switch (format) {
    case DIS_FMT_VRR_a:
        code[3] =
            (uint8_t)(is_float_row ? mask(s, 8) << 4 | top | (compare_below(s, 4) ? 0 : 4) : compare_below(s, 2) << 4);
        break;
    case DIS_FMT_VRR_b:
        code[3] = (uint8_t)(some << 4);
        break;
    case DIS_FMT_VRR_c:
        code[3] = (uint8_t)(is_float_row ? mask(s, 2) << 4 | top | (compare_below(s, 3) ? 0 : 4) : 0);
        break;
    case DIS_FMT_VRR_d:
        code[2] |= (uint8_t)m;
        code[3] = (uint8_t)(compare_below(s, 2) ? some << 4 : compare_below(s, 4) << 4);
        break;
    case DIS_FMT_VRR_e:
        code[2] |= (uint8_t)(is_float_row ? m : 0);
        code[3] = (uint8_t)(is_float_row ? top : 0);
        break;
    default:
        break;
    }
}

/* Formats with a base and a displacement. */
static void make_based(uint8_t *code, uint64_t *s, unsigned format, bool storage)
{
    switch (format) {
    case DIS_FMT_VRX:
    case DIS_FMT_VRV:
        put_register(code, 1, true, 0, s);
        put_address(code, s, true);
        if (format == DIS_FMT_VRV)
            put_register(code, 1, false, 1, s);
        else
            put_general(code, 1, false, 0);
        if (compare_below(s, 2))
            code[4] = (uint8_t)((code[4] & 15) | compare_below(s, 16) << 4);
        break;
    case DIS_FMT_VSI:
        code[4] = 0;
        put_register(code, 4, true, 3, s);
        put_address(code, s, true);
        code[1] = (uint8_t)compare_below(s, compare_below(s, 8) ? 16 : 256);
        break;
    case DIS_FMT_VRS_d:
        code[4] = 0;
        put_register(code, 4, true, 3, s);
        put_general(code, 1, false, compare_below(s, 8));
        put_address(code, s, true);
        break;
    default: /* VRS_a, VRS_b, VRS_c */
        if (format == DIS_FMT_VRS_c)
            put_general(code, 1, true, compare_below(s, 8));
        else
            put_register(code, 1, true, 0, s);
        if (format == DIS_FMT_VRS_b)
            put_general(code, 1, false, compare_below(s, 8));
        else
            put_register(code, 1, false, 1, s);
        put_address(code, s, storage);
        break;
    }
}

/* Formats with an immediate field. */
static void make_immediate(uint8_t *code, uint64_t *s, unsigned format)
{
    code[2] = (uint8_t)compare_random(s);
    code[3] = (uint8_t)compare_random(s);
    if (format == DIS_FMT_VRI_c) {
        code[2] = 0;
        code[3] = (uint8_t)compare_below(s, 18);
    }
    if (format == DIS_FMT_VRI_e)
        code[3] = (uint8_t)((code[3] & 0xf0) | (compare_below(s, 3) ? 0 : 8));
    if (format == DIS_FMT_VRI_d && compare_below(s, 2))
        code[3] &= 15;
    if (format != DIS_FMT_VRI_a && format != DIS_FMT_VRI_b)
        put_register(code, 1, false, 1, s);
    else
        code[1] &= 0xf0;
    if (format == DIS_FMT_VRI_d) {
        code[2] = 0;
        put_register(code, 2, true, 2, s);
    }
}

static void make_operands(uint8_t *code, uint64_t *s, unsigned row)
{
    const unsigned format = dis_rows[row].format;
    const bool f = is_float(row), storage = dis_rows[row].storage[0].where != DIS_AT_NONE;
    unsigned m = f ? compare_below(s, 12) ? 2 + compare_below(s, 3) : compare_below(s, 16) : mask(s, 5);
    code[4] = (uint8_t)(m << 4);
    switch (format) {
    case DIS_FMT_VRX:
    case DIS_FMT_VRV:
    case DIS_FMT_VSI:
    case DIS_FMT_VRS_a:
    case DIS_FMT_VRS_b:
    case DIS_FMT_VRS_c:
    case DIS_FMT_VRS_d:
        make_based(code, s, format, storage);
        return;
    default:
        break;
    }
    put_register(code, 1, true, 0, s);
    if (format == DIS_FMT_VRR_f) {
        code[1] = (uint8_t)((code[1] & 0xf0) | compare_below(s, 16));
        code[2] = (uint8_t)(compare_below(s, 16) << 4);
        return;
    }
    if (format >= DIS_FMT_VRI_a && format <= DIS_FMT_VRI_i) {
        make_immediate(code, s, format);
        return;
    }
    put_register(code, 1, false, 1, s);
    if (format != DIS_FMT_VRR_a)
        put_register(code, 2, true, 2, s);
    put_masks(code, s, format, f, m);
    if (format == DIS_FMT_VRR_d || format == DIS_FMT_VRR_e) {
        code[4] &= 15;
        put_register(code, 4, true, 3, s);
    }
}

static void make_case(uint8_t *in, uint64_t at, uint64_t *s, unsigned row)
{
    static const uint8_t rounding[] = {0, 1, 2, 3, 7, 0, 0, 0};
    uint8_t *code = in + IN_CODE;
    put64(code, dis_rows[row].opcode << 16);
    make_operands(code, s, row);
    struct dis_insn insn;
    dis_decode(code, &insn);
    unsigned format = dis_rows[row].format == DIS_FMT_VRR_e ? insn.m6 : code[4] >> 4;
    make_registers(in, s, row, format >= 2 && format <= 4 ? format : 2 + compare_below(s, 3));
    if (dis_rows[row].format == DIS_FMT_VRV) {
        unsigned n = insn.x2 - FIRST_VR;
        for (unsigned k = 0; k < 4 && n < 8; k++)
            put32(in + IN_REGISTERS + 16 * n + 4 * k,
                  row == DIS_VGEG || row == DIS_VSCEG ? k & 1 ? compare_below(s, 24) : 0 : compare_below(s, 24));
    }
    put16(code + 6, 0x0a00);
    put64(in + IN_PSW, BIT64(31) | BIT64(32) | (uint64_t)compare_below(s, 4) << 44);
    put64(in + IN_PSW + 8, at + IN_CODE);
    uint32_t masks = compare_below(s, 6) ? 0 : compare_below(s, 32) << 27;
    put32(in + IN_FPC, is_float(row) ? masks | rounding[compare_below(s, 8)] : 0);
}

/* ---- the other side ---------------------------------------------------------------------------------------------- */

static bool any_nan(const uint8_t *a)
{
    for (unsigned k = 0; k < 32; k++)
        if ((get32(a + IN_REGISTERS + 4 * k) & 0x7f800000) == 0x7f800000)
            return true;
    return false;
}

/* Where the other side (QEMU 7.2) is known to be wrong, has not got the instruction, or may do as it likes:
   - with a vector-processing exception its old PSW designates the instruction itself;
   - what the single-element control leaves unpredictable is not looked at;
   - it recognizes inexact exceptions that the mask suppresses;
   - a tiny exact result is no underflow exception to it though the mask of the FPC register is one;
   - a NaN that is converted to an integer is not inexact to it;
   - it rounds negated products by the direction of the negated number; its NaN of a multiply-add may be another one. */
static bool known(const uint8_t *a, const uint8_t *b, const char *peer)
{
    if (strcmp(peer, "qemu") != 0 && strcmp(peer, "hercules") != 0)
        return false;
    struct dis_insn insn;
    uint8_t theirs[CASE_SIZE];
    const uint32_t fpc = get32(a + IN_FPC);
    memcpy(theirs, b, CASE_SIZE);
    dis_decode(b + IN_CODE, &insn);
    if (get16(b + OUT_CODES + 6) == PIC_OPERATION || insn.row == DIS_VCKSM)
        return true;
    if (((insn.row == DIS_VFNMA || insn.row == DIS_VFNMS) && (fpc & 7)) ||
        ((insn.row == DIS_VFMA || insn.row == DIS_VFMS || insn.row == DIS_VFNMA || insn.row == DIS_VFNMS) &&
         any_nan(a)))
        return true;
    if ((insn.row == DIS_VCSFP || insn.row == DIS_VCLFP) && any_nan(a)) /* inexact with invalid, or not */
        return true;
    if (get16(a + OUT_CODES + 6) == PIC_VECTOR_PROCESSING && (a[OUT_CODES + 11] & 15) == 4)
        return true;
    if (get16(b + OUT_CODES + 6) == PIC_VECTOR_PROCESSING)
        put64(theirs + OUT_OLD + 24, get64(b + OUT_OLD + 24) + 6);
    if (is_float(insn.row) && dis_rows[insn.row].format == DIS_FMT_VRR_a && insn.m4 & 4) {
        if (get16(b + OUT_CODES + 6) == PIC_VECTOR_PROCESSING)
            return true;
        theirs[OUT_FPC + 1] = (uint8_t)((theirs[OUT_FPC + 1] & ~8) | (a[OUT_FPC + 1] & 8));
    }
    unsigned single = insn.row == DIS_VFTCI ? insn.m5 : insn.m4, format = insn.row == DIS_VFTCI ? insn.m4 : insn.m3;
    if ((insn.row == DIS_VFPSO || insn.row == DIS_VFTCI) && single & 8) {
        unsigned first = format == 2 ? 4 : 8, at = OUT_REGISTERS + 16 * (insn.r1 - FIRST_VR);
        memcpy(theirs + at + first, a + at + first, 16 - first);
    }
    if (insn.row == DIS_VFLR && insn.m3 == 4) { /* the right half of V1 is unpredictable */
        unsigned at = OUT_REGISTERS + 16 * (insn.r1 - FIRST_VR) + 8;
        memcpy(theirs + at, a + at, 8);
    }
    return memcmp(a + OUT_GR, theirs + OUT_GR, OUT_END - OUT_GR) == 0;
}

static const struct compare_part parts[] = SINGLE_PARTS(COMPARE_VR, FIRST_VR);

static void make_vector(uint8_t *image, unsigned cases, uint64_t seed, const char *peer, const char *only)
{
    (void)peer;
    single_make(image, cases, seed, only, usable, make_case);
}

SINGLE_CLASS(vector, BIT64(45) | BIT64(46))
