/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal-floating-point conversions from and to integers, packed and zoned numbers. PoP chapter 20 (SA22-7832-13).
   Exceptions of all of them: operation (facility), data (AFP register), specification (extended, register pairs). */
#include "cpu/exec/bodies.h"
#include "cpu/exec/float/dfp.h"
#include "cpu/numbers/ten.h"
#include "cpu/storage/access.h"

/* ---- integers ---------------------------------------------------------------------------------------------------- */

/* CONVERT FROM FIXED, FROM LOGICAL: M3 a rounding method, M4 bit 1 suppresses inexact. CC: unchanged. Exceptions: data
 * (inexact, quantum). */
static int from_integer(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f, unsigned bits, bool is_signed)
{
    bool extension = cpu_facility(cpu->sys, FACILITY_FPEXT);
    struct dfp_env x;
    dfp_start_rounding(cpu, extension ? i->m3 : 0, &x);
    x.quiet = extension && (i->m4 & DFP_XXC);
    uint64_t v = bits == 64  ? cpu->gr[i->r2]
                 : is_signed ? (uint64_t)(int64_t)(int32_t)gr32(cpu, i->r2)
                             : gr32(cpu, i->r2);
    bool minus = is_signed && v >> 63;
    struct dfp r = dfp_from_integer(&x, f, minus, minus ? (uint64_t)0 - v : v);
    dfp_set(cpu, f, i->r1, &r);
    return dfp_end(cpu, &x);
}
int cpu_cdgtra(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, DFP_LONG, 64, true); }
int cpu_cxgtra(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, DFP_EXTENDED, 64, true); }
int cpu_cdftr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, DFP_LONG, 32, true); }
int cpu_cxftr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, DFP_EXTENDED, 32, true); }
int cpu_cdlgtr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, DFP_LONG, 64, false); }
int cpu_cxlgtr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, DFP_EXTENDED, 64, false); }
int cpu_cdlftr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, DFP_LONG, 32, false); }
int cpu_cxlftr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, DFP_EXTENDED, 32, false); }

/* CONVERT TO FIXED, TO LOGICAL: M3 a rounding method, M4 bit 1 suppresses inexact. CC: 0 zero, 1 less, 2 greater than
   zero, 3 not in range or no number. Exceptions: data (invalid, inexact). */
static int to_integer(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f, unsigned bits, bool is_signed)
{
    struct dfp_env x;
    dfp_start_rounding(cpu, i->m3, &x);
    unsigned cc;
    x.quiet = cpu_facility(cpu->sys, FACILITY_FPEXT) && (i->m4 & DFP_XXC);
    struct dfp a = dfp_get(cpu, f, i->r2);
    uint64_t v = dfp_to_integer(&x, &a, bits, is_signed, &cc);
    if (!x.suppressed) {
        cpu->cc = (uint8_t)cc;
        if (bits == 64)
            cpu->gr[i->r1] = v;
        else
            set_gr32(cpu, i->r1, (uint32_t)v);
    }
    return dfp_end(cpu, &x);
}
int cpu_cgdtra(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, DFP_LONG, 64, true); }
int cpu_cgxtra(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, DFP_EXTENDED, 64, true); }
int cpu_cfdtr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, DFP_LONG, 32, true); }
int cpu_cfxtr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, DFP_EXTENDED, 32, true); }
int cpu_clgdtr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, DFP_LONG, 64, false); }
int cpu_clgxtr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, DFP_EXTENDED, 64, false); }
int cpu_clfdtr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, DFP_LONG, 32, false); }
int cpu_clfxtr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, DFP_EXTENDED, 32, false); }

/* ---- digits ------------------------------------------------------------------------------------------------------ */

/* n nibbles, rightmost in the rightmost bits of the last byte but `skip` nibbles, as a number. false: one is no
 * digit. */
static bool gather(const uint8_t *bytes, unsigned length, unsigned skip, unsigned n, dfp_digits *value)
{
    *value = 0;
    for (unsigned nibble = 2 * length - skip - n; n--; nibble++) {
        unsigned digit = nibble & 1 ? bytes[nibble / 2] & 15 : bytes[nibble / 2] >> 4;
        if (digit > 9)
            return false;
        *value = *value * 10 + digit;
    }
    return true;
}

/* The other way: the rightmost n digits. Returns what is left over. */
static dfp_digits scatter(uint8_t *bytes, unsigned length, unsigned skip, unsigned n, dfp_digits value)
{
    for (unsigned nibble = 2 * length - skip; n--; value /= 10) {
        unsigned digit = (unsigned)(value % 10);
        nibble--;
        bytes[nibble / 2] |= (uint8_t)(nibble & 1 ? digit : digit << 4);
    }
    return value;
}

static void put_doubleword(uint8_t *to, uint64_t v)
{
    for (unsigned n = 8; n--; v >>= 8)
        to[n] = (uint8_t)v;
}
static uint64_t get_doubleword(const uint8_t *from)
{
    uint64_t v = 0;
    for (unsigned n = 0; n < 8; n++)
        v = v << 8 | from[n];
    return v;
}

#define PLUS_CODE(f) ((f) ? 0xf : 0xc)
enum { MINUS_CODE = 0xd };

/* CONVERT FROM SIGNED PACKED, UNSIGNED PACKED: from GR R2, or the pair R2 for extended; exact, quantum 1. CC:
   unchanged. Exceptions: data (a digit or the sign is not valid, DXC 0). */
static int from_packed(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f, bool is_signed)
{
    uint8_t bytes[16];
    unsigned length = f == DFP_EXTENDED ? 16 : 8, sign = 0xc;
    struct dfp r = {0};
    put_doubleword(bytes, cpu->gr[i->r2]);
    if (length == 16)
        put_doubleword(bytes + 8, cpu->gr[i->r2 | 1]);
    if (is_signed)
        sign = bytes[length - 1] & 15;
    if (!gather(bytes, length, is_signed, 2 * length - is_signed, &r.digits) || sign < 10)
        return cpu_data_exception(cpu, DXC_DECIMAL);
    r.minus = sign == 0xb || sign == 0xd;
    dfp_set(cpu, f, i->r1, &r);
    return 0;
}
int cpu_cdstr(struct cpu *cpu, const struct dis_insn *i) { return from_packed(cpu, i, DFP_LONG, true); }
int cpu_cxstr(struct cpu *cpu, const struct dis_insn *i) { return from_packed(cpu, i, DFP_EXTENDED, true); }
int cpu_cdutr(struct cpu *cpu, const struct dis_insn *i) { return from_packed(cpu, i, DFP_LONG, false); }
int cpu_cxutr(struct cpu *cpu, const struct dis_insn *i) { return from_packed(cpu, i, DFP_EXTENDED, false); }

/* CONVERT TO SIGNED PACKED, UNSIGNED PACKED: the rightmost digits of R2 to GR R1 or the pair R1; the exponent is not
   looked at. M4 bit 3: the plus sign is F, else C. CC: unchanged. */
static int to_packed(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f, bool is_signed)
{
    uint8_t bytes[16] = {0};
    unsigned length = f == DFP_EXTENDED ? 16 : 8;
    struct dfp a = dfp_get(cpu, f, i->r2);
    (void)scatter(bytes, length, is_signed, 2 * length - is_signed, a.digits);
    if (is_signed)
        bytes[length - 1] |= a.minus ? MINUS_CODE : PLUS_CODE(i->m4 & 1);
    cpu->gr[i->r1] = get_doubleword(bytes);
    if (length == 16)
        cpu->gr[i->r1 | 1] = get_doubleword(bytes + 8);
    return 0;
}
int cpu_csdtr(struct cpu *cpu, const struct dis_insn *i) { return to_packed(cpu, i, DFP_LONG, true); }
int cpu_csxtr(struct cpu *cpu, const struct dis_insn *i) { return to_packed(cpu, i, DFP_EXTENDED, true); }
int cpu_cudtr(struct cpu *cpu, const struct dis_insn *i) { return to_packed(cpu, i, DFP_LONG, false); }
int cpu_cuxtr(struct cpu *cpu, const struct dis_insn *i) { return to_packed(cpu, i, DFP_EXTENDED, false); }

/* ---- packed and zoned numbers in storage ------------------------------------------------------------------------- */

/* M3 of these. */
#define SIGN_CONTROL  8 /* there is a sign */
#define ZONE_CONTROL  4 /* zones are 3, else F */
#define PLUS_CONTROL  2 /* plus is F, else C */
#define FORCE_CONTROL 1 /* a zero is plus */

enum { MAX_PACKED_LONG = 9, MAX_PACKED_EXTENDED = 18 };

/* CONVERT FROM PACKED: L2 up to 9 bytes (extended: 18), M3 bit 0: with a sign. Reading: digits beyond the precision
   must be zero. CC: unchanged. Exceptions: access (fetch); data (DXC 0); specification (length). */
static int from_packed_storage(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f)
{
    uint8_t bytes[MAX_PACKED_EXTENDED];
    unsigned length = i->l2 + 1u, is_signed = i->m3 & SIGN_CONTROL ? 1 : 0, sign = 0xc;
    struct dfp r = {0};
    if (length > (f == DFP_EXTENDED ? MAX_PACKED_EXTENDED : MAX_PACKED_LONG))
        return PIC_SPECIFICATION;
    int code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes, length);
    if (code)
        return code;
    if (is_signed)
        sign = bytes[length - 1] & 15;
    if (!gather(bytes, length, is_signed, 2 * length - is_signed, &r.digits) || sign < 10 ||
        r.digits >= ten_power(dfp_precision(f)))
        return cpu_data_exception(cpu, DXC_DECIMAL);
    r.minus = sign == 0xb || sign == 0xd;
    dfp_set(cpu, f, i->r1, &r);
    return 0;
}
int cpu_cdpt(struct cpu *cpu, const struct dis_insn *i) { return from_packed_storage(cpu, i, DFP_LONG); }
int cpu_cxpt(struct cpu *cpu, const struct dis_insn *i) { return from_packed_storage(cpu, i, DFP_EXTENDED); }

/* CONVERT FROM ZONED: L2 up to 16 bytes (extended: 34), M3 bit 0: the leftmost bits of the last byte are a sign; zones
   are not looked at. CC: unchanged. Exceptions: access (fetch); data (DXC 0); specification (length). */
static int from_zoned(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f)
{
    uint8_t bytes[34];
    unsigned length = i->l2 + 1u, sign = 0xc;
    struct dfp r = {0};
    if (length > dfp_precision(f))
        return PIC_SPECIFICATION;
    int code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes, length);
    if (code)
        return code;
    if (i->m3 & SIGN_CONTROL)
        sign = bytes[length - 1] >> 4;
    for (unsigned n = 0; n < length; n++) {
        if ((bytes[n] & 15) > 9)
            return cpu_data_exception(cpu, DXC_DECIMAL);
        r.digits = r.digits * 10 + (bytes[n] & 15);
    }
    if (sign < 10)
        return cpu_data_exception(cpu, DXC_DECIMAL);
    r.minus = sign == 0xb || sign == 0xd;
    dfp_set(cpu, f, i->r1, &r);
    return 0;
}
int cpu_cdzt(struct cpu *cpu, const struct dis_insn *i) { return from_zoned(cpu, i, DFP_LONG); }
int cpu_cxzt(struct cpu *cpu, const struct dis_insn *i) { return from_zoned(cpu, i, DFP_EXTENDED); }

/* The end of the conversions to storage. CC: 0 zero, 1 less, 2 greater than zero, 3 no number, or digits other than
   zero were lost, which is also a decimal overflow. */
static int stored(struct cpu *cpu, const struct dfp *a, bool lost)
{
    cpu->cc = lost || a->kind != DFP_FINITE ? 3 : (uint8_t)dfp_cc(a);
    return lost && (cpu->psw.mask & PSW_PM_DECIMAL_OVERFLOW) ? PIC_DECIMAL_OVERFLOW : 0;
}
/* The sign of the stored digits; `zero`: all of them are. */
static uint8_t sign_code(const struct dis_insn *i, const struct dfp *a, bool zero)
{
    bool minus = a->minus && !(zero && (i->m3 & FORCE_CONTROL));
    return minus ? MINUS_CODE : PLUS_CODE(i->m3 & PLUS_CONTROL);
}

/* CONVERT TO PACKED: the digits of R1 to storage; the exponent is not looked at. M3: bit 0 with a sign, bit 2 plus is
   F, bit 3 zero is plus. CC: see stored(). Exceptions: access (store); decimal overflow; specification (length). */
static int to_packed_storage(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f)
{
    uint8_t bytes[MAX_PACKED_EXTENDED] = {0};
    unsigned length = i->l2 + 1u, is_signed = i->m3 & SIGN_CONTROL ? 1 : 0;
    if (length > (f == DFP_EXTENDED ? MAX_PACKED_EXTENDED : MAX_PACKED_LONG))
        return PIC_SPECIFICATION;
    struct dfp a = dfp_get(cpu, f, i->r1);
    dfp_digits lost = scatter(bytes, length, is_signed, 2 * length - is_signed, a.digits);
    bool zero = true;
    for (unsigned n = 0; n < length; n++)
        zero = zero && bytes[n] == 0;
    if (is_signed)
        bytes[length - 1] |= sign_code(i, &a, zero);
    int code = cpu_store_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes, length);
    return code ? code : stored(cpu, &a, lost != 0);
}
int cpu_cpdt(struct cpu *cpu, const struct dis_insn *i) { return to_packed_storage(cpu, i, DFP_LONG); }
int cpu_cpxt(struct cpu *cpu, const struct dis_insn *i) { return to_packed_storage(cpu, i, DFP_EXTENDED); }

/* CONVERT TO ZONED: likewise; M3 bit 1: zones are 3, else F. */
static int to_zoned(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f)
{
    uint8_t bytes[34];
    unsigned length = i->l2 + 1u;
    if (length > dfp_precision(f))
        return PIC_SPECIFICATION;
    struct dfp a = dfp_get(cpu, f, i->r1);
    const uint8_t zone = i->m3 & ZONE_CONTROL ? 0x30 : 0xf0;
    dfp_digits rest = a.digits;
    bool zero = true;
    for (unsigned n = length; n--; rest /= 10) {
        bytes[n] = (uint8_t)(zone | (unsigned)(rest % 10));
        zero = zero && rest % 10 == 0;
    }
    if (i->m3 & SIGN_CONTROL)
        bytes[length - 1] = (uint8_t)((bytes[length - 1] & 15) | sign_code(i, &a, zero) << 4);
    int code = cpu_store_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes, length);
    return code ? code : stored(cpu, &a, rest != 0);
}
int cpu_czdt(struct cpu *cpu, const struct dis_insn *i) { return to_zoned(cpu, i, DFP_LONG); }
int cpu_czxt(struct cpu *cpu, const struct dis_insn *i) { return to_zoned(cpu, i, DFP_EXTENDED); }
