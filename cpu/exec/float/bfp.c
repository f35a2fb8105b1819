/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary-floating-point instructions. PoP chapter 19 (SA22-7832-13). The engine has checked the AFP-register control
   and the registers of extended operands. Exceptions of all of them: data (AFP register; IEEE exceptions that trap),
   access for a storage operand, specification for rounding methods that do not exist. */
#include "cpu/exec/bodies.h"
#include "cpu/exec/float.h"
#include "cpu/exec/float/operand.h"
#include <math.h>

/* Store a result unless the operation is suppressed; flags, trap. */
static int finish(struct cpu *cpu, const struct bfp *x, enum bfp_format f, unsigned r, bfp_bits result, bool cc)
{
    if (!x->suppressed) {
        fpr_set(cpu, f, r, result);
        if (cc)
            cpu->cc = (uint8_t)bfp_cc(f, result);
    }
    return float_end(cpu, x);
}

/* M3 as a rounding method: 0 is that of the FPC register; 3 came with the floating-point extension facility. Returns
   false when there is none. */
static bool rounding_of(const struct cpu *cpu, unsigned m, struct bfp *x)
{
    if (m == 0)
        return true;
    if (m == 2 || m > 7 || (m == 3 && !cpu_facility(cpu->sys, FACILITY_FPEXT)))
        return false;
    x->rounding = (uint8_t)m;
    return true;
}

/* A field that came with the floating-point extension facility: without it, its contents are ignored. */
static unsigned new_field(const struct cpu *cpu, unsigned m) { return cpu_facility(cpu->sys, FACILITY_FPEXT) ? m : 0; }

/* ---- host arithmetic where it gives the same bits and flags ------------------------------------------------------ */

/* Ordinary numbers, far enough from the ends of the range that neither the result of one operation nor its rounding
 * error leaves it. */
static bool ordinary_long(uint64_t v)
{
    unsigned e = (unsigned)(v >> 52) & 0x7ff;
    return e - 600u < 800u;
}
static bool ordinary_short(uint32_t v)
{
    unsigned e = (v >> 23) & 0xff;
    return e - 70u < 110u;
}

enum operation { ADD, SUBTRACT, MULTIPLY, DIVIDE };

static bool plain(const struct cpu *cpu) { return !(cpu->fpc & (0xf8000000u | FPC_BRM)); }

/* a op b for ordinary operands with rounding to nearest, no traps; false: take the general way. */
static bool host_long(struct cpu *cpu, enum operation op, uint64_t a, uint64_t b, uint64_t *result)
{
    double x = as_long(a), y = as_long(b), r;
    if (!plain(cpu) || !ordinary_long(a) || !ordinary_long(b))
        return false;
    switch (op) {
    case ADD:
        r = x + y;
        break;
    case SUBTRACT:
        r = x - y;
        break;
    case MULTIPLY:
        r = x * y;
        break;
    default:
        r = x / y;
        break;
    }
    *result = long_bits(r);
    if (!(cpu->fpc & FPC_INEXACT)) {
        bool inexact;
        if (op == MULTIPLY)
            inexact = fma(x, y, -r) != 0;
        else if (op == DIVIDE)
            inexact = fma(r, y, -x) != 0;
        else {
            double z = op == ADD ? y : -y, v = r - x;
            inexact = (x - (r - v)) + (z - v) != 0;
        }
        if (inexact)
            cpu->fpc |= FPC_INEXACT;
    }
    return true;
}

static bool host_short(struct cpu *cpu, enum operation op, uint32_t a, uint32_t b, uint32_t *result)
{
    double x = as_short(a), y = as_short(b), exact;
    if (!plain(cpu) || !ordinary_short(a) || !ordinary_short(b))
        return false;
    float r;
    bool inexact;
    if (op == MULTIPLY) { /* 48 bits: exact as a long number */
        exact = x * y;
        r = (float)exact;
        inexact = r != exact;
    } else if (op == DIVIDE) {
        r = as_short(a) / as_short(b);
        inexact = (double)r * y != x;
    } else {
        float z = op == ADD ? as_short(b) : -as_short(b), p = as_short(a), v;
        r = p + z;
        v = r - p;
        inexact = (p - (r - v)) + (z - v) != 0;
    }
    *result = short_bits(r);
    if (inexact)
        cpu->fpc |= FPC_INEXACT;
    return true;
}

/* ---- arithmetic ------------------------------------------------------------------------------------------------ */

static int arithmetic(struct cpu *cpu, const struct dis_insn *i, enum bfp_format f, enum operation op)
{
    bfp_bits b;
    int code = float_second(cpu, i, f, &b);
    if (code)
        return code;
    bfp_bits a = fpr_get(cpu, f, i->r1), result;
    bool cc = op <= SUBTRACT;
    uint64_t doubleword;
    uint32_t word;
    if (f == BFP_LONG && host_long(cpu, op, (uint64_t)a, (uint64_t)b, &doubleword)) {
        set_fpr_long(cpu, i->r1, doubleword);
        if (cc)
            cpu->cc = (uint8_t)bfp_cc(f, doubleword);
        return 0;
    }
    if (f == BFP_SHORT && host_short(cpu, op, (uint32_t)a, (uint32_t)b, &word)) {
        set_fpr_short(cpu, i->r1, word);
        if (cc)
            cpu->cc = (uint8_t)bfp_cc(f, word);
        return 0;
    }
    struct bfp x = float_start(cpu);
    switch (op) {
    case ADD:
        result = bfp_add(&x, f, a, b);
        break;
    case SUBTRACT:
        result = bfp_subtract(&x, f, a, b);
        break;
    case MULTIPLY:
        result = bfp_multiply(&x, f, f, a, b);
        break;
    default:
        result = bfp_divide(&x, f, a, b);
        break;
    }
    return finish(cpu, &x, f, i->r1, result, cc);
}

/* ADD, SUBTRACT. CC: 0 zero, 1 less, 2 greater than zero, 3 NaN. MULTIPLY, DIVIDE. CC: unchanged. */
int cpu_aebr(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, BFP_SHORT, ADD); }
int cpu_adbr(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, BFP_LONG, ADD); }
int cpu_axbr(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, BFP_EXTENDED, ADD); }
int cpu_sebr(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, BFP_SHORT, SUBTRACT); }
int cpu_sdbr(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, BFP_LONG, SUBTRACT); }
int cpu_sxbr(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, BFP_EXTENDED, SUBTRACT); }
int cpu_meebr(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, BFP_SHORT, MULTIPLY); }
int cpu_mdbr(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, BFP_LONG, MULTIPLY); }
int cpu_mxbr(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, BFP_EXTENDED, MULTIPLY); }
int cpu_debr(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, BFP_SHORT, DIVIDE); }
int cpu_ddbr(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, BFP_LONG, DIVIDE); }
int cpu_dxbr(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, BFP_EXTENDED, DIVIDE); }

/* MULTIPLY to the next longer format: exact. CC: unchanged. */
static int multiply_longer(struct cpu *cpu, const struct dis_insn *i, enum bfp_format from, enum bfp_format to)
{
    bfp_bits b;
    int code = float_second(cpu, i, from, &b);
    if (code)
        return code;
    struct bfp x = float_start(cpu);
    return finish(cpu, &x, to, i->r1, bfp_multiply(&x, from, to, fpr_get(cpu, from, i->r1), b), false);
}
int cpu_mdebr(struct cpu *cpu, const struct dis_insn *i) { return multiply_longer(cpu, i, BFP_SHORT, BFP_LONG); }
int cpu_mxdbr(struct cpu *cpu, const struct dis_insn *i) { return multiply_longer(cpu, i, BFP_LONG, BFP_EXTENDED); }

/* MULTIPLY AND ADD, MULTIPLY AND SUBTRACT: third times second operand, plus or minus the first, rounded once. CC:
 * unchanged. */
static int multiply_add(struct cpu *cpu, const struct dis_insn *i, enum bfp_format f, bool subtract)
{
    bfp_bits b;
    int code = float_second(cpu, i, f, &b);
    if (code)
        return code;
    struct bfp x = float_start(cpu);
    bfp_bits result = bfp_multiply_add(&x, f, fpr_get(cpu, f, i->r3), b, fpr_get(cpu, f, i->r1), subtract);
    return finish(cpu, &x, f, i->r1, result, false);
}
int cpu_maebr(struct cpu *cpu, const struct dis_insn *i) { return multiply_add(cpu, i, BFP_SHORT, false); }
int cpu_madbr(struct cpu *cpu, const struct dis_insn *i) { return multiply_add(cpu, i, BFP_LONG, false); }
int cpu_msebr(struct cpu *cpu, const struct dis_insn *i) { return multiply_add(cpu, i, BFP_SHORT, true); }
int cpu_msdbr(struct cpu *cpu, const struct dis_insn *i) { return multiply_add(cpu, i, BFP_LONG, true); }

/* SQUARE ROOT. CC: unchanged. */
static int square_root(struct cpu *cpu, const struct dis_insn *i, enum bfp_format f)
{
    bfp_bits b;
    int code = float_second(cpu, i, f, &b);
    if (code)
        return code;
    struct bfp x = float_start(cpu);
    return finish(cpu, &x, f, i->r1, bfp_square_root(&x, f, b), false);
}
int cpu_sqebr(struct cpu *cpu, const struct dis_insn *i) { return square_root(cpu, i, BFP_SHORT); }
int cpu_sqdbr(struct cpu *cpu, const struct dis_insn *i) { return square_root(cpu, i, BFP_LONG); }
int cpu_sqxbr(struct cpu *cpu, const struct dis_insn *i) { return square_root(cpu, i, BFP_EXTENDED); }

/* COMPARE, COMPARE AND SIGNAL. CC: 0 equal, 1 first low, 2 first high, 3 unordered. */
static int compare(struct cpu *cpu, const struct dis_insn *i, enum bfp_format f, bool signal)
{
    bfp_bits b;
    int code = float_second(cpu, i, f, &b);
    if (code)
        return code;
    struct bfp x = float_start(cpu);
    unsigned cc = bfp_compare(&x, f, fpr_get(cpu, f, i->r1), b, signal);
    if (!x.suppressed)
        cpu->cc = (uint8_t)cc;
    return float_end(cpu, &x);
}
int cpu_cebr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, BFP_SHORT, false); }
int cpu_cdbr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, BFP_LONG, false); }
int cpu_cxbr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, BFP_EXTENDED, false); }
int cpu_kebr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, BFP_SHORT, true); }
int cpu_kdbr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, BFP_LONG, true); }
int cpu_kxbr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, BFP_EXTENDED, true); }

/* ---- loads ----------------------------------------------------------------------------------------------------- */

/* LOAD AND TEST: signaling NaNs are invalid. CC: 0 zero, 1 less, 2 greater than zero, 3 NaN. */
static int load_and_test(struct cpu *cpu, const struct dis_insn *i, enum bfp_format f)
{
    struct bfp x = float_start(cpu);
    return finish(cpu, &x, f, i->r1, bfp_quiet(&x, f, fpr_get(cpu, f, i->r2)), true);
}
int cpu_ltebr(struct cpu *cpu, const struct dis_insn *i) { return load_and_test(cpu, i, BFP_SHORT); }
int cpu_ltdbr(struct cpu *cpu, const struct dis_insn *i) { return load_and_test(cpu, i, BFP_LONG); }
int cpu_ltxbr(struct cpu *cpu, const struct dis_insn *i) { return load_and_test(cpu, i, BFP_EXTENDED); }

/* LOAD COMPLEMENT, NEGATIVE, POSITIVE: only the sign changes, also of NaNs. CC: 0 zero, 1 less, 2 greater than zero, 3
 * NaN. */
enum sign { INVERT, SET, CLEAR };
static int load_sign(struct cpu *cpu, const struct dis_insn *i, enum bfp_format f, enum sign how)
{
    static const unsigned top[3] = {31, 63, 127};
    bfp_bits a = fpr_get(cpu, f, i->r2), sign = (bfp_bits)1 << top[f];
    a = how == INVERT ? a ^ sign : how == SET ? a | sign : a & ~sign;
    fpr_set(cpu, f, i->r1, a);
    cpu->cc = (uint8_t)bfp_cc(f, a);
    return 0;
}
int cpu_lcebr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, BFP_SHORT, INVERT); }
int cpu_lcdbr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, BFP_LONG, INVERT); }
int cpu_lcxbr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, BFP_EXTENDED, INVERT); }
int cpu_lnebr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, BFP_SHORT, SET); }
int cpu_lndbr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, BFP_LONG, SET); }
int cpu_lnxbr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, BFP_EXTENDED, SET); }
int cpu_lpebr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, BFP_SHORT, CLEAR); }
int cpu_lpdbr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, BFP_LONG, CLEAR); }
int cpu_lpxbr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, BFP_EXTENDED, CLEAR); }

/* LOAD LENGTHENED: exact. CC: unchanged. */
static int lengthen(struct cpu *cpu, const struct dis_insn *i, enum bfp_format from, enum bfp_format to)
{
    bfp_bits b;
    bool in_source;
    int code = float_second(cpu, i, from, &b);
    if (code)
        return code;
    struct bfp x = float_start(cpu);
    return finish(cpu, &x, to, i->r1, bfp_convert(&x, from, to, b, &in_source), false);
}
int cpu_ldebr(struct cpu *cpu, const struct dis_insn *i) { return lengthen(cpu, i, BFP_SHORT, BFP_LONG); }
int cpu_lxdbr(struct cpu *cpu, const struct dis_insn *i) { return lengthen(cpu, i, BFP_LONG, BFP_EXTENDED); }
int cpu_lxebr(struct cpu *cpu, const struct dis_insn *i) { return lengthen(cpu, i, BFP_SHORT, BFP_EXTENDED); }

/* LOAD ROUNDED: M3 rounding method, M4 bit 1 suppresses inexact. An overflow or underflow that traps leaves the number
   in the source format, rounded to the target precision, its exponent scaled. CC: unchanged. */
static int shorten(struct cpu *cpu, const struct dis_insn *i, enum bfp_format from, enum bfp_format to)
{
    struct bfp x = float_start(cpu);
    bool in_source;
    if (!rounding_of(cpu, new_field(cpu, i->m3), &x))
        return PIC_SPECIFICATION;
    x.quiet = new_field(cpu, i->m4) & 4;
    bfp_bits result = bfp_convert(&x, from, to, fpr_get(cpu, from, i->r2), &in_source);
    return finish(cpu, &x, in_source ? from : to, i->r1, result, false);
}
int cpu_ledbra(struct cpu *cpu, const struct dis_insn *i) { return shorten(cpu, i, BFP_LONG, BFP_SHORT); }
int cpu_ldxbra(struct cpu *cpu, const struct dis_insn *i) { return shorten(cpu, i, BFP_EXTENDED, BFP_LONG); }
int cpu_lexbra(struct cpu *cpu, const struct dis_insn *i) { return shorten(cpu, i, BFP_EXTENDED, BFP_SHORT); }

/* LOAD FP INTEGER: M3 rounding method, M4 bit 1 suppresses inexact. CC: unchanged. */
static int load_integer(struct cpu *cpu, const struct dis_insn *i, enum bfp_format f)
{
    struct bfp x = float_start(cpu);
    if (!rounding_of(cpu, i->m3, &x))
        return PIC_SPECIFICATION;
    x.quiet = new_field(cpu, i->m4) & 4;
    return finish(cpu, &x, f, i->r1, bfp_to_integral(&x, f, fpr_get(cpu, f, i->r2)), false);
}
int cpu_fiebra(struct cpu *cpu, const struct dis_insn *i) { return load_integer(cpu, i, BFP_SHORT); }
int cpu_fidbra(struct cpu *cpu, const struct dis_insn *i) { return load_integer(cpu, i, BFP_LONG); }
int cpu_fixbra(struct cpu *cpu, const struct dis_insn *i) { return load_integer(cpu, i, BFP_EXTENDED); }

/* ---- conversions from and to integers -------------------------------------------------------------------------- */

static int from_integer(struct cpu *cpu, const struct dis_insn *i, enum bfp_format f, unsigned bits, bool is_signed)
{
    struct bfp x = float_start(cpu);
    uint64_t value = cpu->gr[i->r2];
    if (!rounding_of(cpu, new_field(cpu, i->m3), &x))
        return PIC_SPECIFICATION;
    x.quiet = new_field(cpu, i->m4) & 4;
    if (bits == 32)
        value = is_signed ? (uint64_t)(int32_t)value : (uint32_t)value;
    return finish(cpu, &x, f, i->r1, bfp_from_integer(&x, f, value, is_signed), false);
}
/* CONVERT FROM FIXED, CONVERT FROM LOGICAL. CC: unchanged. */
int cpu_cefbra(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, BFP_SHORT, 32, true); }
int cpu_cdfbra(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, BFP_LONG, 32, true); }
int cpu_cxfbra(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, BFP_EXTENDED, 32, true); }
int cpu_cegbra(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, BFP_SHORT, 64, true); }
int cpu_cdgbra(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, BFP_LONG, 64, true); }
int cpu_cxgbra(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, BFP_EXTENDED, 64, true); }
int cpu_celfbr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, BFP_SHORT, 32, false); }
int cpu_cdlfbr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, BFP_LONG, 32, false); }
int cpu_cxlfbr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, BFP_EXTENDED, 32, false); }
int cpu_celgbr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, BFP_SHORT, 64, false); }
int cpu_cdlgbr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, BFP_LONG, 64, false); }
int cpu_cxlgbr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, BFP_EXTENDED, 64, false); }

static int to_integer(struct cpu *cpu, const struct dis_insn *i, enum bfp_format f, unsigned bits, bool is_signed)
{
    struct bfp x = float_start(cpu);
    unsigned cc;
    if (!rounding_of(cpu, i->m3, &x))
        return PIC_SPECIFICATION;
    x.quiet = new_field(cpu, i->m4) & 4;
    uint64_t value = bfp_to_integer(&x, f, fpr_get(cpu, f, i->r2), bits, is_signed, &cc);
    if (!x.suppressed) {
        if (bits == 64)
            cpu->gr[i->r1] = value;
        else
            set_gr32(cpu, i->r1, (uint32_t)value);
        cpu->cc = (uint8_t)cc;
    }
    return float_end(cpu, &x);
}
/* CONVERT TO FIXED, CONVERT TO LOGICAL. CC: 0 zero, 1 less, 2 greater than zero, 3 special case. */
int cpu_cfebra(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, BFP_SHORT, 32, true); }
int cpu_cfdbra(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, BFP_LONG, 32, true); }
int cpu_cfxbra(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, BFP_EXTENDED, 32, true); }
int cpu_cgebra(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, BFP_SHORT, 64, true); }
int cpu_cgdbra(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, BFP_LONG, 64, true); }
int cpu_cgxbra(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, BFP_EXTENDED, 64, true); }
int cpu_clfebr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, BFP_SHORT, 32, false); }
int cpu_clfdbr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, BFP_LONG, 32, false); }
int cpu_clfxbr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, BFP_EXTENDED, 32, false); }
int cpu_clgebr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, BFP_SHORT, 64, false); }
int cpu_clgdbr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, BFP_LONG, 64, false); }
int cpu_clgxbr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, BFP_EXTENDED, 64, false); }

/* DIVIDE TO INTEGER: quotient to R3, remainder to R1; M4 rounds the quotient. A quotient between two integers of which
   one is not in the format is partial: truncated, with a remainder that is incomplete. CC: 0 remainder complete, 1 the
   same with a quotient that overflows or is NaN, 2 remainder incomplete, 3 the same with a quotient that overflows.
   Specification: two registers alike, M4. */
static int divide_to_integer(struct cpu *cpu, const struct dis_insn *i, enum bfp_format f)
{
    struct bfp x = float_start(cpu), method = x;
    bfp_bits quotient;
    unsigned cc;
    if (i->r1 == i->r2 || i->r1 == i->r3 || i->r2 == i->r3 || !rounding_of(cpu, i->m4, &method))
        return PIC_SPECIFICATION;
    bfp_bits remainder =
        bfp_divide_to_integer(&x, f, fpr_get(cpu, f, i->r1), fpr_get(cpu, f, i->r2), method.rounding, &quotient, &cc);
    if (!x.suppressed) {
        fpr_set(cpu, f, i->r3, quotient);
        fpr_set(cpu, f, i->r1, remainder);
        cpu->cc = (uint8_t)cc;
    }
    return float_end(cpu, &x);
}
int cpu_diebr(struct cpu *cpu, const struct dis_insn *i) { return divide_to_integer(cpu, i, BFP_SHORT); }
int cpu_didbr(struct cpu *cpu, const struct dis_insn *i) { return divide_to_integer(cpu, i, BFP_LONG); }

/* TEST DATA CLASS: bits 52-63 of the second-operand address select zero, normal, subnormal, infinity, QNaN, SNaN, each
   plus and minus. CC: 0 not selected, 1 selected. */
static int test_class(struct cpu *cpu, const struct dis_insn *i, enum bfp_format f)
{
    bool minus;
    unsigned class = bfp_classify(f, fpr_get(cpu, f, i->r1), &minus);
    cpu->cc = cpu_ea2(cpu, i) >> (11 - (2 * class + minus)) & 1;
    return 0;
}
int cpu_tceb(struct cpu *cpu, const struct dis_insn *i) { return test_class(cpu, i, BFP_SHORT); }
int cpu_tcdb(struct cpu *cpu, const struct dis_insn *i) { return test_class(cpu, i, BFP_LONG); }
int cpu_tcxb(struct cpu *cpu, const struct dis_insn *i) { return test_class(cpu, i, BFP_EXTENDED); }
