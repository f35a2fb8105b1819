/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector decimal instructions of the vector-packed-decimal-enhancement facility 2: zoned numbers in registers, leading
   zeros, conversions from and to HFP. PoP chapter 25 (SA22-7832-13). Exceptions of all of them: operation; data (DXC
   X'FE'; X'00' for a digit or sign that is not valid, after specification); specification for controls that are not
   valid; decimal overflow (completes) where it is named. */
#include "cpu/exec/bodies.h"
#include "cpu/exec/vector/decimal.h"
#include "cpu/numbers/hfp.h"
#include "cpu/numbers/ten.h"

/* Bits of M3 and M5: the sign, or nothing at all, is validated; of M3: a minus zero is less than zero. */
enum { NO_SIGN_VALIDATION = 8, NO_VALIDATION = 4, MINUS_ZERO = 2 };

static bool valid(unsigned mask, bool digits, bool sign)
{
    return mask & NO_VALIDATION || (digits && (sign || mask & NO_SIGN_VALIDATION));
}

/* VECTOR PACK ZONED REGISTER: the 32 digits of V2 and V3, rightmost I4 bits 3-7 of them, and the sign (plus, as X'F',
   when M5 bit 2 is one). CC (when M5 bit 3 is one): 0 zero, 1 less, 2 greater than zero, 3 overflow or not valid. Also:
   decimal overflow. */
int cpu_vpkzr(struct cpu *cpu, const struct dis_insn *i)
{
    struct vector_result r;
    if (!vector_controls(cpu, i->i4, i->m5, false, &r))
        return PIC_SPECIFICATION;
    const union vector zoned[2] = {vector_get(cpu, i->r2), vector_get(cpu, i->r3)};
    vector_quad left = 0, right = 0;
    for (unsigned k = 0; k < 16; k++) {
        left = left << 4 | (zoned[0].b[LANE(k, 16)] & 15);
        right = right << 4 | (zoned[1].b[LANE(k, 16)] & 15);
    }
    vector_quad digits = left << 64 | right;
    unsigned sign = zoned[1].b[LANE(15, 16)] >> 4;
    const bool good_digits = vector_digits_valid(digits) && (digits & 15) <= 9, good_sign = packed_sign_valid(sign);
    if (!valid(i->m5, good_digits, good_sign))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    const vector_quad kept = digits & ~(vector_quad)0 >> (128 - 4 * r.digits);
    const bool overflow = kept != digits;
    if (r.mask & FORCE_1)
        sign = 15;
    vector_set(cpu, i->r1, (union vector){.q = kept << 4 | sign});
    if (r.mask & CC_SET)
        cpu->cc = overflow || !good_digits || !good_sign ? 3 : !digits ? 0 : packed_sign_minus(sign) ? 1 : 2;
    return overflow && !r.no_overflow && (cpu->psw.mask & PSW_PM_DECIMAL_OVERFLOW) ? PIC_DECIMAL_OVERFLOW : 0;
}

/* VECTOR UNPACK ZONED HIGH, LOW: the 15 leftmost digits with a zero before them, the 16 rightmost digits with the sign
   (X'F' when M3 bit 2 is one). CC: unchanged. */
static int unpack(struct cpu *cpu, const struct dis_insn *i, bool low)
{
    const vector_quad q = vector_get(cpu, i->r2).q;
    if (!valid(i->m3, vector_digits_valid(q), packed_sign_valid(q & 15)))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    vector_quad digits = low ? q >> 4 : q >> 68;
    unsigned zone = low && !(i->m3 & FORCE_1) ? (unsigned)(q & 15) << 4 : 0xf0;
    union vector r;
    for (unsigned k = 16; k-- > 0; digits >>= 4, zone = 0xf0)
        r.b[LANE(k, 16)] = (uint8_t)(zone | (digits & 15));
    vector_set(cpu, i->r1, r);
    return 0;
}
int cpu_vupkzh(struct cpu *cpu, const struct dis_insn *i) { return unpack(cpu, i, false); }
int cpu_vupkzl(struct cpu *cpu, const struct dis_insn *i) { return unpack(cpu, i, true); }

/* VECTOR COUNT LEADING ZERO DIGITS of V2, to byte 7 of V1. CC (when M3 bit 3 is one): 0 zero, 1 less than zero (minus
   zero too when M3 bit 2 is one), 2 greater than zero, 3 not valid. */
int cpu_vclzdp(struct cpu *cpu, const struct dis_insn *i)
{
    const vector_quad q = vector_get(cpu, i->r2).q;
    const bool good = vector_digits_valid(q) && packed_sign_valid(q & 15), minus = packed_sign_minus(q & 15);
    if (!valid(i->m3 & ~(unsigned)NO_SIGN_VALIDATION, good, good))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    unsigned zeros = 0;
    while (zeros < VECTOR_DIGITS && !(q >> (124 - 4 * zeros) & 15))
        zeros++;
    vector_set(cpu, i->r1, (union vector){.g = {[LANE(0, 2)] = zeros}});
    if (i->m3 & CC_SET)
        cpu->cc = !good ? 3 : zeros < VECTOR_DIGITS ? (minus ? 1 : 2) : minus && i->m3 & MINUS_ZERO ? 1 : 0;
    return 0;
}

static unsigned byte_7(const struct cpu *cpu, unsigned v) { return (unsigned)cpu->vr[v].hi & 0xff; }

/* VECTOR SHIFT AND ROUND DECIMAL REGISTER: the amount is in byte 7 of V3, signed; I4 bit 1 asks for rounding. CC (when
   M5 bit 3 is one): 0 zero, 1 less, 2 greater than zero, 3 overflow. Also: decimal overflow. */
int cpu_vsrpr(struct cpu *cpu, const struct dis_insn *i)
{
    struct vector_result r;
    if (!vector_controls(cpu, i->i4 & ~0x40u, i->m5, false, &r))
        return PIC_SPECIFICATION;
    return vector_shift_packed(cpu, i, (int8_t)byte_7(cpu, i->r3), i->i4 & 0x40, &r);
}

/* ---- HFP --------------------------------------------------------------------------------------------------------- */

/* V2 with as many zeros appended as byte 7 of V3 says (Reading: modulo 8; the book leaves 8 and more open). Its 38
   digits fit 127 bits. */
static int scaled(struct cpu *cpu, const struct dis_insn *i, struct packed *value)
{
    if (!vector_get_packed(cpu, i->r2, false, value))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    value->magnitude *= ten_power(byte_7(cpu, i->r3) & 7);
    return 0;
}

/* The leftmost digits of m (not zero) in an HFP format, *unit the power of 2 of the rightmost one. */
static struct hfp_rounded convert(enum hfp_format f, bool minus, vector_quad m, bool round, int *unit)
{
    static const int digits[] = {6, 14, 28};
    int e = 127;
    for (; !(m >> 127); e--)
        m <<= 1;
    struct hfp_rounded r = hfp_round(f, round ? BFP_NEAREST_AWAY : BFP_TOWARD_ZERO, minus, e, m);
    *unit = 4 * (r.characteristic - 64 - digits[f]);
    return r;
}

/* DECIMAL SCALE AND CONVERT TO HFP: M4 2 short, 3 long, 4 extended; M5 bit 3 rounds (to nearest, ties away from zero).
   The rest of V1 is zero. CC: unchanged. */
int cpu_vschp(struct cpu *cpu, const struct dis_insn *i)
{
    struct packed value;
    int unit;
    if (i->m4 < 2 || i->m4 > 4)
        return PIC_SPECIFICATION;
    int code = scaled(cpu, i, &value);
    if (code)
        return code;
    union vector result = {.q = 0};
    const enum hfp_format f = (enum hfp_format)(i->m4 - 2);
    if (value.magnitude) {
        struct hfp_rounded r = convert(f, value.minus, value.magnitude, i->m5 & 1, &unit);
        result.q = hfp_encode(f, value.minus, &r) << (f == HFP_SHORT ? 96 : f == HFP_LONG ? 64 : 0);
    }
    vector_set(cpu, i->r1, result);
    return 0;
}

/* DECIMAL SCALE AND CONVERT AND SPLIT TO HFP: the leftmost six digits as a short number in the left half of V1, what is
   left, truncated, as a long number in the right half. CC: unchanged. */
int cpu_vscshp(struct cpu *cpu, const struct dis_insn *i)
{
    struct packed value;
    int unit, code = scaled(cpu, i, &value);
    if (code)
        return code;
    uint64_t high = 0, low = 0;
    if (value.magnitude) {
        struct hfp_rounded r = convert(HFP_SHORT, value.minus, value.magnitude, false, &unit);
        high = (uint64_t)hfp_encode(HFP_SHORT, value.minus, &r) << 32;
        if (unit > 0)
            value.magnitude -= r.fraction << unit;
        else
            value.magnitude = 0;
    }
    if (value.magnitude) {
        struct hfp_rounded r = convert(HFP_LONG, value.minus, value.magnitude, false, &unit);
        low = (uint64_t)hfp_encode(HFP_LONG, value.minus, &r);
    }
    vector_set(cpu, i->r1, (union vector){.g = {[LANE(0, 2)] = high, [LANE(1, 2)] = low}});
    return 0;
}

/* m * 10^scale / 2^bits, rounded to nearest (ties away from zero) or truncated, its rightmost 31 digits. m has up to
   112 bits, so the product has up to 215. */
static vector_quad scaled_integer(vector_quad m, unsigned scale, unsigned bits, bool round)
{
    const vector_quad ten = ten_power(scale), mask = ~UINT64_C(0), limit = ten_power(VECTOR_DIGITS);
    vector_quad low = (m & mask) * (ten & mask), middle1 = (m >> 64) * (ten & mask), middle2 = (m & mask) * (ten >> 64);
    vector_quad carry = (low >> 64) + (middle1 & mask) + (middle2 & mask);
    vector_quad high = (m >> 64) * (ten >> 64) + (middle1 >> 64) + (middle2 >> 64) + (carry >> 64);
    low = carry << 64 | (low & mask);
    bool half = false;
    if (bits > 216)
        return 0;
    for (; bits; bits--) {
        half = low & 1;
        low = low >> 1 | high << 127;
        high >>= 1;
    }
    /* The remainder of high * 2^128 + low: bits come in from the left. */
    vector_quad rest = high % limit;
    for (unsigned k = 128; k-- > 0;) {
        rest = rest << 1 | (low >> k & 1);
        rest -= rest >= limit ? limit : 0;
    }
    rest += round && half;
    return rest == limit ? 0 : rest;
}

/* VECTOR CONVERT HFP TO SCALED DECIMAL: the extended number in V2 times 10 to the power in byte 7 of V3 (Reading:
   modulo 32; the book leaves more open), truncated or, when M4 bit 3 is one, rounded (to nearest, ties away from zero).
   Reading: digits beyond 31 are lost without a word; zero is plus. CC: unchanged. */
int cpu_vcsph(struct cpu *cpu, const struct dis_insn *i)
{
    struct packed value;
    int e;
    vector_quad m = hfp_decode(HFP_EXTENDED, vector_get(cpu, i->r2).q, &value.minus, &e);
    const unsigned scale = byte_7(cpu, i->r3) & 31;
    const vector_quad limit = ten_power(VECTOR_DIGITS);
    if (e > 0) {
        for (m %= limit; e; e -= 4)
            m = m * 16 % limit;
    }
    value.magnitude = scaled_integer(m, scale, (unsigned)-e, i->m4 & 1);
    return vector_put_packed(cpu, i->r1, value, false, &(struct vector_result){true, VECTOR_DIGITS, 0});
}
