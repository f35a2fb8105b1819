/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector decimal arithmetic: signed packed decimal numbers of 31 digits in vector registers. PoP chapter 25
   (SA22-7832-13). Exceptions of all of them: operation; data (DXC X'FE'; X'00' for a digit or sign that is not valid,
   after specification); specification for controls that are not valid; decimal overflow (completes).

   Reading: a result that is zero and did not overflow is plus, also of a multiplication or division, otherwise than in
   chapter 8. */
#include "cpu/exec/vector/decimal.h"
#include "cpu/exec/bodies.h"
#include "cpu/numbers/ten.h"

enum { DIGITS = VECTOR_DIGITS };

bool vector_controls(const struct cpu *cpu, unsigned immediate, unsigned mask, bool any, struct vector_result *r)
{
    *r = (struct vector_result){immediate & 0x80, immediate & 31, mask};
    return !(immediate & 0x60) && (any || r->digits) &&
           !(r->no_overflow && !cpu_facility(cpu->sys, FACILITY_VECDECENH1));
}

bool vector_get_packed(const struct cpu *cpu, unsigned v, bool force, struct packed *value)
{
    uint8_t bytes[16];
    union vector vector = vector_get(cpu, v);
    vector_to_bytes(&vector, bytes);
    if (force)
        bytes[15] = (uint8_t)((bytes[15] & 0xf0) | 0xc);
    return packed_get(bytes, 16, value);
}

int vector_put_packed(struct cpu *cpu, unsigned v, struct packed value, bool overflow, const struct vector_result *r)
{
    uint8_t bytes[16];
    const unsigned __int128 limit = ten_power(r->digits);
    if (value.magnitude >= limit) {
        value.magnitude %= limit;
        overflow = true;
    }
    if (!value.magnitude && !overflow)
        value.minus = false;
    if (r->mask & FORCE_1)
        value.minus = false;
    (void)packed_put(&value, bytes, 16);
    if (r->mask & FORCE_1)
        bytes[15] |= 15;
    vector_set(cpu, v, vector_from_bytes(bytes));
    if (r->mask & CC_SET)
        cpu->cc = overflow ? 3 : !value.magnitude ? 0 : value.minus ? 1 : 2;
    return overflow && !r->no_overflow && (cpu->psw.mask & PSW_PM_DECIMAL_OVERFLOW) ? PIC_DECIMAL_OVERFLOW : 0;
}

/* V2 and V3 of an arithmetic instruction. Returns a code. */
static int operands(struct cpu *cpu, const struct dis_insn *i, bool any, struct vector_result *r, struct packed *a,
                    struct packed *b)
{
    if (!vector_controls(cpu, i->i4, i->m5, any, r))
        return PIC_SPECIFICATION;
    if (!vector_get_packed(cpu, i->r2, i->m5 & FORCE_2, a) || !vector_get_packed(cpu, i->r3, i->m5 & FORCE_3, b))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    return 0;
}

static int add(struct cpu *cpu, const struct dis_insn *i, bool subtract)
{
    struct vector_result r;
    struct packed a, b, sum;
    int code = operands(cpu, i, false, &r, &a, &b);
    if (code)
        return code;
    b.minus ^= subtract;
    if (a.minus == b.minus)
        sum = (struct packed){a.magnitude + b.magnitude, a.minus};
    else if (a.magnitude >= b.magnitude)
        sum = (struct packed){a.magnitude - b.magnitude, a.minus};
    else
        sum = (struct packed){b.magnitude - a.magnitude, b.minus};
    return vector_put_packed(cpu, i->r1, sum, false, &r);
}

/* VECTOR ADD DECIMAL, VECTOR SUBTRACT DECIMAL. CC (when M5 bit 3 is one): see vector_put_packed(). */
int cpu_vap(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, false); }
int cpu_vsp(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, true); }

/* The product of two numbers of 31 digits, shifted right by `digits` (0-31): its rightmost 31 digits, and whether there
   were others than zeros to their left. */
static unsigned __int128 product(unsigned __int128 a, unsigned __int128 b, unsigned digits, bool *more)
{
    const uint64_t half = UINT64_C(10000000000000000); /* 16 digits */
    const unsigned __int128 whole = (unsigned __int128)half * half;
    unsigned __int128 middle = a / half * (b % half) + a % half * (b / half);
    unsigned __int128 low = a % half * (b % half) + middle % half * half;
    unsigned __int128 high = a / half * (b / half) + middle / half + low / whole;
    low %= whole;
    if (digits == 0) {
        *more = high || low >= ten_power(DIGITS);
        return low % ten_power(DIGITS);
    }
    unsigned __int128 kept = ten_power(digits - 1);
    *more = high / kept != 0;
    return high % kept * ten_power(32 - digits) + low / ten_power(digits);
}

static int multiply(struct cpu *cpu, const struct dis_insn *i, bool shift)
{
    struct vector_result r;
    struct packed a, b;
    bool more;
    int code = operands(cpu, i, shift, &r, &a, &b);
    if (code)
        return code;
    unsigned digits = shift ? r.digits : 0;
    if (shift)
        r.digits = DIGITS;
    a.magnitude = product(a.magnitude, b.magnitude, digits, &more);
    a.minus ^= b.minus;
    return vector_put_packed(cpu, i->r1, a, more, &r);
}

/* VECTOR MULTIPLY DECIMAL; VECTOR MULTIPLY AND SHIFT DECIMAL: the product shifted right, not rounded. CC (when M5 bit 3
   is one): see vector_put_packed(). */
int cpu_vmp(struct cpu *cpu, const struct dis_insn *i) { return multiply(cpu, i, false); }
int cpu_vmsp(struct cpu *cpu, const struct dis_insn *i) { return multiply(cpu, i, true); }

static int divide(struct cpu *cpu, const struct dis_insn *i, bool remainder)
{
    struct vector_result r;
    struct packed a, b;
    int code = operands(cpu, i, false, &r, &a, &b);
    if (code)
        return code;
    if (!b.magnitude)
        return PIC_DECIMAL_DIVIDE;
    if (remainder)
        a.magnitude %= b.magnitude;
    else
        a = (struct packed){a.magnitude / b.magnitude, a.minus != b.minus};
    return vector_put_packed(cpu, i->r1, a, false, &r);
}

/* VECTOR DIVIDE DECIMAL, VECTOR REMAINDER DECIMAL (it has the sign of the dividend). CC (when M5 bit 3 is one): see
   vector_put_packed(). Also: decimal divide when V3 is zero. */
int cpu_vdp(struct cpu *cpu, const struct dis_insn *i) { return divide(cpu, i, false); }
int cpu_vrp(struct cpu *cpu, const struct dis_insn *i) { return divide(cpu, i, true); }

/* VECTOR SHIFT AND DIVIDE DECIMAL: V2 with I4 bits 3-7 zeros appended, divided by V3. CC (when M5 bit 3 is one): see
   vector_put_packed(). Also: decimal divide. */
int cpu_vsdp(struct cpu *cpu, const struct dis_insn *i)
{
    struct vector_result r;
    struct packed a, b;
    bool more = false;
    int code = operands(cpu, i, true, &r, &a, &b);
    if (code)
        return code;
    if (!b.magnitude)
        return PIC_DECIMAL_DIVIDE;
    unsigned __int128 quotient = a.magnitude / b.magnitude, rest = a.magnitude % b.magnitude;
    for (unsigned left = r.digits, n; left; left -= n) {
        n = left < 7 ? left : 7; /* rest * 10^7 has 38 digits: fewer than 128 bits */
        unsigned __int128 room = ten_power(DIGITS - n);
        rest *= ten_power(n);
        more = more || quotient >= room;
        quotient = quotient % room * ten_power(n) + rest / b.magnitude;
        rest %= b.magnitude;
    }
    r.digits = DIGITS;
    return vector_put_packed(cpu, i->r1, (struct packed){quotient, a.minus != b.minus}, more, &r);
}

int vector_shift_packed(struct cpu *cpu, const struct dis_insn *i, int amount, bool round,
                        const struct vector_result *r)
{
    struct packed a;
    bool more = false;
    if (!vector_get_packed(cpu, i->r2, i->m5 & FORCE_2, &a))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    if (amount > DIGITS - 1) {
        more = a.magnitude != 0;
        a.magnitude = 0;
    } else if (amount >= 0) {
        unsigned __int128 room = ten_power(DIGITS - (unsigned)amount);
        more = a.magnitude >= room;
        a.magnitude = a.magnitude % room * ten_power((unsigned)amount);
    } else if (amount < -DIGITS) {
        a.magnitude = 0;
    } else {
        unsigned __int128 unit = ten_power((unsigned)-amount);
        a.magnitude = (a.magnitude + (round ? unit / 2 : 0)) / unit;
    }
    return vector_put_packed(cpu, i->r1, a, more, r);
}

/* VECTOR SHIFT AND ROUND DECIMAL: the amount is in I4 bits 1-7, signed; bit 0 asks for rounding. CC (when M5 bit 3 is
   one): see vector_put_packed(). */
int cpu_vsrp(struct cpu *cpu, const struct dis_insn *i)
{
    struct vector_result r;
    if (!vector_controls(cpu, i->i3, i->m5, false, &r))
        return PIC_SPECIFICATION;
    int amount = i->i4 & 0x7f;
    return vector_shift_packed(cpu, i, amount & 0x40 ? amount - 0x80 : amount, i->i4 & 0x80, &r);
}

/* VECTOR COMPARE DECIMAL; M3 bits 0 and 1 force the first and second operand to plus. CC: 0 equal, 1 first low, 2 first
   high. */
int cpu_vcp(struct cpu *cpu, const struct dis_insn *i)
{
    struct packed a, b;
    if (!vector_get_packed(cpu, i->r1, i->m3 & 8, &a) || !vector_get_packed(cpu, i->r2, i->m3 & 4, &b))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    if (a.magnitude == b.magnitude && (a.minus == b.minus || !a.magnitude))
        cpu->cc = 0;
    else if (a.minus != b.minus)
        cpu->cc = a.minus ? 1 : 2;
    else
        cpu->cc = (a.magnitude < b.magnitude) != a.minus ? 1 : 2;
    return 0;
}

/* ---- conversions ------------------------------------------------------------------------------------------------- */

/* VECTOR CONVERT TO BINARY: M3 bit 0 forces plus, bit 2 asks for an unsigned result (the sign is not looked at then).
   The rightmost bits of the result are stored in any case. CC (when M3 bit 3 is one): 0 no overflow, 3 overflow. Also:
   fixed-point overflow (completes; not when M4 bit 0 is one). */
static int to_binary(struct cpu *cpu, const struct dis_insn *i, unsigned bits)
{
    const bool logical = i->m3 & 2, no_exception = i->m4 & 8;
    struct packed a;
    if (no_exception && !cpu_facility(cpu->sys, FACILITY_VECDECENH1))
        return PIC_SPECIFICATION;
    if (!vector_get_packed(cpu, i->r2, logical || i->m3 & FORCE_2, &a))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    unsigned __int128 limit = (unsigned __int128)1 << (logical ? bits : bits - 1);
    bool overflow = a.minus ? a.magnitude > limit : a.magnitude >= limit;
    uint64_t value = (uint64_t)(a.minus ? -a.magnitude : a.magnitude);
    if (bits == 32)
        set_gr32(cpu, i->r1, (uint32_t)value);
    else
        cpu->gr[i->r1] = value;
    if (i->m3 & CC_SET)
        cpu->cc = overflow ? 3 : 0;
    return overflow && !no_exception && (cpu->psw.mask & PSW_PM_FIXED_POINT_OVERFLOW) ? PIC_FIXED_POINT_OVERFLOW : 0;
}
int cpu_vcvb(struct cpu *cpu, const struct dis_insn *i) { return to_binary(cpu, i, 32); }
int cpu_vcvbg(struct cpu *cpu, const struct dis_insn *i) { return to_binary(cpu, i, 64); }

/* VECTOR CONVERT TO DECIMAL: M4 bit 0 says that the second operand is unsigned. CC (when M4 bit 3 is one): 0 no
   overflow, 3 overflow. */
static int to_decimal(struct cpu *cpu, const struct dis_insn *i, uint64_t magnitude, bool minus)
{
    struct vector_result r;
    if (!vector_controls(cpu, i->i3, i->m4 & FORCE_1, false, &r))
        return PIC_SPECIFICATION;
    bool overflow = magnitude >= ten_power(r.digits);
    if (i->m4 & CC_SET)
        cpu->cc = overflow ? 3 : 0;
    return vector_put_packed(cpu, i->r1, (struct packed){magnitude, minus}, false, &r);
}
int cpu_vcvd(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t value = gr32(cpu, i->r2);
    bool minus = !(i->m4 & 8) && value >> 31;
    return to_decimal(cpu, i, minus ? -value : value, minus);
}
int cpu_vcvdg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t value = cpu->gr[i->r2];
    bool minus = !(i->m4 & 8) && value >> 63;
    return to_decimal(cpu, i, minus ? -value : value, minus);
}

/* ---- digits and signs -------------------------------------------------------------------------------------------- */

bool vector_digits_valid(vector_quad q)
{
    for (q >>= 4; q; q >>= 4)
        if ((unsigned)(q & 15) > 9)
            return false;
    return true;
}

/* VECTOR TEST DECIMAL. CC: 0 valid, 1 the sign is not, 2 a digit is not, 3 neither. */
int cpu_vtp(struct cpu *cpu, const struct dis_insn *i)
{
    vector_quad q = vector_get(cpu, i->r1).q;
    cpu->cc = (uint8_t)((vector_digits_valid(q) ? 0 : 2) + (packed_sign_valid(q & 15) ? 0 : 1));
    return 0;
}

/* VECTOR LOAD IMMEDIATE DECIMAL: four digits, shifted left by I3 bits 1-3; bit 0 says minus. */
int cpu_vlip(struct cpu *cpu, const struct dis_insn *i)
{
    vector_quad q = (vector_quad)(uint64_t)i->i2 << 4;
    if (!vector_digits_valid(q))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    vector_set(cpu, i->r1, (union vector){.q = q << 4 * (i->i3 & 7) | (i->i3 & 8 ? 0xd : 0xc)});
    return 0;
}

/* VECTOR PERFORM SIGN OPERATION DECIMAL: rightmost digits of V2 with another sign. I4 bit 0: nothing is validated, 1: a
   zero may be minus (both by the vector-packed-decimal-enhancement facility 1), 4-5: the sign is kept, inverted, plus,
   minus, 6: plus is X'F', 7: the sign is validated even though it is replaced. CC (when M5 bit 3 is one): 0 zero, 1
   less, 2 greater than zero, 3 overflow. */
int cpu_vpsop(struct cpu *cpu, const struct dis_insn *i)
{
    enum { MAINTAIN, COMPLEMENT, PLUS, MINUS };
    struct vector_result r;
    if (!vector_controls(cpu, i->i3, i->m5, false, &r))
        return PIC_SPECIFICATION;
    const bool enhanced = cpu_facility(cpu->sys, FACILITY_VECDECENH1);
    const bool trust = enhanced && i->i4 & 0x80, minus_zero = enhanced && i->i4 & 0x40;
    const unsigned operation = i->i4 >> 2 & 3, sign = vector_get(cpu, i->r2).q & 15;
    vector_quad q = vector_get(cpu, i->r2).q >> 4;
    bool check = operation == MAINTAIN ? !trust : operation == COMPLEMENT || i->i4 & 1;
    if ((!trust && !vector_digits_valid(q << 4)) || (check && !packed_sign_valid(sign)))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    const bool overflow = r.digits < DIGITS && q >> 4 * r.digits;
    q &= ~(vector_quad)0 >> (128 - 4 * r.digits);
    bool minus = operation == MAINTAIN     ? packed_sign_minus(sign)
                 : operation == COMPLEMENT ? !packed_sign_minus(sign)
                                           : operation == MINUS;
    if (!q && !minus_zero)
        minus = false;
    unsigned new_sign = minus ? 0xd : i->i4 & 2 ? 0xf : 0xc;
    if (operation == MAINTAIN && !packed_sign_valid(sign))
        new_sign = sign;
    vector_set(cpu, i->r1, (union vector){.q = q << 4 | new_sign});
    if (i->m5 & CC_SET)
        cpu->cc = overflow ? 3 : !q ? 0 : minus ? 1 : 2;
    return overflow && !r.no_overflow && (cpu->psw.mask & PSW_PM_DECIMAL_OVERFLOW) ? PIC_DECIMAL_OVERFLOW : 0;
}

/* VECTOR PACK ZONED, VECTOR UNPACK ZONED: I3 + 1 bytes (1-31) of storage; nothing is validated. */
int cpu_vpkz(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t zoned[32];
    vector_quad q = 0;
    if (i->i3 > 30)
        return PIC_SPECIFICATION;
    int code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, zoned, i->i3 + 1u);
    if (code)
        return code;
    for (unsigned k = 0; k <= i->i3; k++)
        q = q << 4 | (zoned[k] & 15);
    vector_set(cpu, i->r1, (union vector){.q = q << 4 | zoned[i->i3] >> 4});
    return 0;
}
int cpu_vupkz(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t zoned[32];
    vector_quad q = vector_get(cpu, i->r1).q;
    unsigned zone = (unsigned)(q & 15) << 4;
    if (i->i3 > 30)
        return PIC_SPECIFICATION;
    for (unsigned k = i->i3 + 1u; k-- > 0; zone = 0xf0) {
        q >>= 4;
        zoned[k] = (uint8_t)(zone | (unsigned)(q & 15));
    }
    return cpu_store_bytes(cpu, cpu_ea2(cpu, i), i->b2, zoned, i->i3 + 1u);
}
