/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal-floating-point instructions but the conversions. PoP chapter 20 (SA22-7832-13). The engine has checked the
   AFP-register control (DXC 3) and the registers of extended operands. Exceptions of all of them: operation (facility),
   data (AFP register; IEEE exceptions that trap), specification (extended). */
#include "cpu/exec/float/dfp.h"
#include "cpu/exec/bodies.h"
#include "cpu/numbers/ten.h"

/* A result goes to R1 unless the operation is suppressed; flags, trap. */
static int finish(struct cpu *cpu, const struct dfp_env *x, enum dfp_format f, unsigned r, const struct dfp *v)
{
    if (!x->suppressed)
        dfp_set(cpu, f, r, v);
    return dfp_end(cpu, x);
}
static int finish_cc(struct cpu *cpu, const struct dfp_env *x, enum dfp_format f, unsigned r, const struct dfp *v)
{
    if (!x->suppressed)
        cpu->cc = (uint8_t)dfp_cc(v);
    return finish(cpu, x, f, r, v);
}

/* ADD, SUBTRACT: R2 and R3, M4 a rounding method, to R1. CC: 0 zero, 1 less, 2 greater than zero, 3 NaN. */
static int add(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f, bool subtract)
{
    struct dfp_env x;
    dfp_start_rounding(cpu, cpu_facility(cpu->sys, FACILITY_FPEXT) ? i->m4 : 0, &x);
    struct dfp a = dfp_get(cpu, f, i->r2), b = dfp_get(cpu, f, i->r3), r = dfp_add(&x, f, &a, &b, subtract);
    return finish_cc(cpu, &x, f, i->r1, &r);
}
int cpu_adtra(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, DFP_LONG, false); }
int cpu_axtra(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, DFP_EXTENDED, false); }
int cpu_sdtra(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, DFP_LONG, true); }
int cpu_sxtra(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, DFP_EXTENDED, true); }

/* MULTIPLY, DIVIDE: R2 by R3, M4 a rounding method, to R1. CC: unchanged. */
static int product(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f, bool divide)
{
    struct dfp_env x;
    dfp_start_rounding(cpu, cpu_facility(cpu->sys, FACILITY_FPEXT) ? i->m4 : 0, &x);
    struct dfp a = dfp_get(cpu, f, i->r2), b = dfp_get(cpu, f, i->r3);
    struct dfp r = divide ? dfp_divide(&x, f, &a, &b) : dfp_multiply(&x, f, &a, &b);
    return finish(cpu, &x, f, i->r1, &r);
}
int cpu_mdtra(struct cpu *cpu, const struct dis_insn *i) { return product(cpu, i, DFP_LONG, false); }
int cpu_mxtra(struct cpu *cpu, const struct dis_insn *i) { return product(cpu, i, DFP_EXTENDED, false); }
int cpu_ddtra(struct cpu *cpu, const struct dis_insn *i) { return product(cpu, i, DFP_LONG, true); }
int cpu_dxtra(struct cpu *cpu, const struct dis_insn *i) { return product(cpu, i, DFP_EXTENDED, true); }

/* COMPARE, COMPARE AND SIGNAL. CC: 0 equal, 1 low, 2 high, 3 unordered. */
static int compare(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f, bool signal)
{
    struct dfp_env x;
    dfp_start(cpu, &x);
    struct dfp a = dfp_get(cpu, f, i->r1), b = dfp_get(cpu, f, i->r2);
    unsigned cc = dfp_compare(&x, &a, &b, signal);
    if (!x.suppressed)
        cpu->cc = (uint8_t)cc;
    return dfp_end(cpu, &x);
}
int cpu_cdtr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, DFP_LONG, false); }
int cpu_cxtr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, DFP_EXTENDED, false); }
int cpu_kdtr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, DFP_LONG, true); }
int cpu_kxtr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, DFP_EXTENDED, true); }

/* COMPARE BIASED EXPONENT. CC: 0 equal, or both infinities, or both NaNs; 1 low; 2 high; 3 one of them is no number or
   they are of different kinds. */
static int compare_exponent(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f)
{
    struct dfp a = dfp_get(cpu, f, i->r1), b = dfp_get(cpu, f, i->r2);
    if (a.kind == DFP_FINITE && b.kind == DFP_FINITE)
        cpu->cc = a.exponent == b.exponent ? 0 : a.exponent < b.exponent ? 1 : 2;
    else {
        unsigned ka = a.kind < DFP_QNAN ? a.kind : DFP_QNAN, kb = b.kind < DFP_QNAN ? b.kind : DFP_QNAN;
        cpu->cc = ka == kb ? 0 : 3;
    }
    return 0;
}
int cpu_cedtr(struct cpu *cpu, const struct dis_insn *i) { return compare_exponent(cpu, i, DFP_LONG); }
int cpu_cextr(struct cpu *cpu, const struct dis_insn *i) { return compare_exponent(cpu, i, DFP_EXTENDED); }

/* EXTRACT BIASED EXPONENT, EXTRACT SIGNIFICANCE of R2 to GR R1: -1 infinity, -2 quiet, -3 signaling NaN. CC:
 * unchanged. */
static int extract(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f, bool significance)
{
    struct dfp a = dfp_get(cpu, f, i->r2);
    int64_t value = a.kind != DFP_FINITE ? -(int64_t)a.kind
                    : significance       ? (int64_t)dfp_count(a.digits)
                                         : a.exponent + dfp_bias(f);
    cpu->gr[i->r1] = (uint64_t)value;
    return 0;
}
int cpu_eedtr(struct cpu *cpu, const struct dis_insn *i) { return extract(cpu, i, DFP_LONG, false); }
int cpu_eextr(struct cpu *cpu, const struct dis_insn *i) { return extract(cpu, i, DFP_EXTENDED, false); }
int cpu_esdtr(struct cpu *cpu, const struct dis_insn *i) { return extract(cpu, i, DFP_LONG, true); }
int cpu_esxtr(struct cpu *cpu, const struct dis_insn *i) { return extract(cpu, i, DFP_EXTENDED, true); }

/* The digits of an infinity or a NaN are one fewer: those of the trailing significand. */
static dfp_digits limit_digits(enum dfp_format f, enum dfp_kind kind, dfp_digits digits)
{
    return digits % ten_power(dfp_precision(f) - (kind != DFP_FINITE));
}

/* INSERT BIASED EXPONENT of GR R2 into the number in R3: -1 makes an infinity, -3 a signaling NaN, others below 0 or
   above the range a quiet one. CC: unchanged. */
static int insert(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f)
{
    struct dfp a = dfp_get(cpu, f, i->r3);
    int64_t biased = (int64_t)cpu->gr[i->r2];
    a.kind = biased == -1                               ? DFP_INFINITY
             : biased == -3                             ? DFP_SNAN
             : biased < 0 || biased > dfp_max_biased(f) ? DFP_QNAN
                                                        : DFP_FINITE;
    a.exponent = a.kind == DFP_FINITE ? (int)biased - dfp_bias(f) : 0;
    a.digits = limit_digits(f, a.kind, a.digits);
    dfp_set(cpu, f, i->r1, &a);
    return 0;
}
int cpu_iedtr(struct cpu *cpu, const struct dis_insn *i) { return insert(cpu, i, DFP_LONG); }
int cpu_iextr(struct cpu *cpu, const struct dis_insn *i) { return insert(cpu, i, DFP_EXTENDED); }

/* LOAD AND TEST. CC: 0 zero, 1 less, 2 greater than zero, 3 NaN. */
static int load_test(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f)
{
    struct dfp_env x;
    dfp_start(cpu, &x);
    struct dfp a = dfp_get(cpu, f, i->r2), r = dfp_quiet(&x, &a);
    return finish_cc(cpu, &x, f, i->r1, &r);
}
int cpu_ltdtr(struct cpu *cpu, const struct dis_insn *i) { return load_test(cpu, i, DFP_LONG); }
int cpu_ltxtr(struct cpu *cpu, const struct dis_insn *i) { return load_test(cpu, i, DFP_EXTENDED); }

/* LOAD FP INTEGER: M3 a rounding method, M4 bit 1 suppresses inexact. CC: unchanged. */
static int integral(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f)
{
    struct dfp_env x;
    dfp_start_rounding(cpu, i->m3, &x);
    x.quiet = i->m4 & DFP_XXC;
    struct dfp a = dfp_get(cpu, f, i->r2), r = dfp_to_integral(&x, &a);
    return finish(cpu, &x, f, i->r1, &r);
}
int cpu_fidtr(struct cpu *cpu, const struct dis_insn *i) { return integral(cpu, i, DFP_LONG); }
int cpu_fixtr(struct cpu *cpu, const struct dis_insn *i) { return integral(cpu, i, DFP_EXTENDED); }

/* An infinity or a NaN in another format: the trailing significand keeps its rightmost digits. M4 bit 0: signaling NaNs
   stay so, infinities keep their digits. */
static struct dfp convert_special(struct dfp_env *x, enum dfp_format to, const struct dfp *a, bool keep)
{
    struct dfp r = keep ? *a : dfp_quiet(x, a);
    r.digits = limit_digits(to, a->kind, r.digits);
    return r;
}

/* LOAD LENGTHENED: exact. M4 bit 0 as above. CC: unchanged. */
static int lengthen(struct cpu *cpu, const struct dis_insn *i, enum dfp_format from, enum dfp_format to)
{
    struct dfp_env x;
    dfp_start(cpu, &x);
    struct dfp a = dfp_get(cpu, from, i->r2);
    if (a.kind != DFP_FINITE)
        a = convert_special(&x, to, &a, i->m4 & DFP_XIC);
    return finish(cpu, &x, to, i->r1, &a);
}
int cpu_ldetr(struct cpu *cpu, const struct dis_insn *i) { return lengthen(cpu, i, DFP_SHORT, DFP_LONG); }
int cpu_lxdtr(struct cpu *cpu, const struct dis_insn *i) { return lengthen(cpu, i, DFP_LONG, DFP_EXTENDED); }

/* LOAD ROUNDED: M3 a rounding method; M4 bit 0 as above, bit 1 suppresses inexact. An overflow or underflow that traps
   leaves the number in the source format, rounded to the target precision, its exponent scaled. Reading: an overflow
   scales like an underflow, and both as for BFP by a quarter of the source's range (192, 3072; there 512, 8192). CC:
   unchanged. */
static int shorten(struct cpu *cpu, const struct dis_insn *i, enum dfp_format from, enum dfp_format to)
{
    struct dfp_env x;
    dfp_start_rounding(cpu, i->m3, &x);
    struct dfp a = dfp_get(cpu, from, i->r2), r;
    bool in_source = false;
    x.quiet = i->m4 & DFP_XXC;
    if (a.kind == DFP_FINITE)
        r = dfp_shorten(&x, from, to, &a, &in_source);
    else
        r = convert_special(&x, to, &a, i->m4 & DFP_XIC);
    return finish(cpu, &x, in_source ? from : to, i->r1, &r);
}
int cpu_ledtr(struct cpu *cpu, const struct dis_insn *i) { return shorten(cpu, i, DFP_LONG, DFP_SHORT); }
int cpu_ldxtr(struct cpu *cpu, const struct dis_insn *i) { return shorten(cpu, i, DFP_EXTENDED, DFP_LONG); }

/* QUANTIZE: the number in R3 with the quantum of that in R2. REROUND: the number in R3 to as many digits as bits 58-63
   of GR R2 say. M4 a rounding method. CC: unchanged. */
static int quantize(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f)
{
    struct dfp_env x;
    dfp_start_rounding(cpu, i->m4, &x);
    struct dfp a = dfp_get(cpu, f, i->r3), b = dfp_get(cpu, f, i->r2), r = dfp_quantize(&x, f, &a, &b);
    return finish(cpu, &x, f, i->r1, &r);
}
static int reround(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f)
{
    struct dfp_env x;
    dfp_start_rounding(cpu, i->m4, &x);
    struct dfp a = dfp_get(cpu, f, i->r3), r = dfp_reround(&x, f, &a, (unsigned)cpu->gr[i->r2] & 63);
    return finish(cpu, &x, f, i->r1, &r);
}
int cpu_qadtr(struct cpu *cpu, const struct dis_insn *i) { return quantize(cpu, i, DFP_LONG); }
int cpu_qaxtr(struct cpu *cpu, const struct dis_insn *i) { return quantize(cpu, i, DFP_EXTENDED); }
int cpu_rrdtr(struct cpu *cpu, const struct dis_insn *i) { return reround(cpu, i, DFP_LONG); }
int cpu_rrxtr(struct cpu *cpu, const struct dis_insn *i) { return reround(cpu, i, DFP_EXTENDED); }

/* SHIFT SIGNIFICAND LEFT, RIGHT: the digits of R3 by bits 58-63 of the second-operand address, to R1; sign, exponent
   and kind stay. CC: unchanged. */
static int shift(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f, bool left)
{
    struct dfp a = dfp_get(cpu, f, i->r3);
    unsigned n = (unsigned)cpu_ea2(cpu, i) & 63, width = dfp_precision(f) - (a.kind != DFP_FINITE);
    if (n >= width)
        a.digits = 0;
    else if (left) /* the digits that stay first: nothing leaves the integer */
        a.digits = a.digits % ten_power(width - n) * ten_power(n);
    else
        a.digits /= ten_power(n);
    dfp_set(cpu, f, i->r1, &a);
    return 0;
}
int cpu_sldt(struct cpu *cpu, const struct dis_insn *i) { return shift(cpu, i, DFP_LONG, true); }
int cpu_slxt(struct cpu *cpu, const struct dis_insn *i) { return shift(cpu, i, DFP_EXTENDED, true); }
int cpu_srdt(struct cpu *cpu, const struct dis_insn *i) { return shift(cpu, i, DFP_LONG, false); }
int cpu_srxt(struct cpu *cpu, const struct dis_insn *i) { return shift(cpu, i, DFP_EXTENDED, false); }

/* TEST DATA CLASS, TEST DATA GROUP of R1: bits 52-63 of the second-operand address select, for each class or group one
   bit for plus and one for minus. CC: 0 not selected, 1 selected. */
static int select_bit(struct cpu *cpu, const struct dis_insn *i, unsigned number, bool minus)
{
    cpu->cc = cpu_ea2(cpu, i) >> (11 - 2 * number - minus) & 1;
    return 0;
}
static int test_class(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f)
{
    struct dfp a = dfp_get(cpu, f, i->r1);
    enum { ZERO, SUBNORMAL, NORMAL, INFINITE };
    unsigned number;
    if (a.kind != DFP_FINITE)
        number = INFINITE + a.kind - DFP_INFINITY;
    else if (a.digits == 0)
        number = ZERO;
    else /* the leftmost digit below that of the smallest normal number */
        number = a.exponent + dfp_bias(f) + (int)dfp_count(a.digits) < (int)dfp_precision(f) ? SUBNORMAL : NORMAL;
    return select_bit(cpu, i, number, a.minus);
}
static int test_group(struct cpu *cpu, const struct dis_insn *i, enum dfp_format f)
{
    struct dfp a = dfp_get(cpu, f, i->r1);
    enum { SAFE_ZERO, EXTREME_ZERO, EXTREME, SAFE_LEFTMOST_ZERO, SAFE, SPECIAL };
    int biased = a.exponent + dfp_bias(f);
    bool extreme = biased == 0 || biased == dfp_max_biased(f);
    unsigned number;
    if (a.kind != DFP_FINITE)
        number = SPECIAL;
    else if (a.digits == 0)
        number = extreme ? EXTREME_ZERO : SAFE_ZERO;
    else if (extreme)
        number = EXTREME;
    else
        number = dfp_count(a.digits) < dfp_precision(f) ? SAFE_LEFTMOST_ZERO : SAFE;
    return select_bit(cpu, i, number, a.minus);
}
int cpu_tdcet(struct cpu *cpu, const struct dis_insn *i) { return test_class(cpu, i, DFP_SHORT); }
int cpu_tdcdt(struct cpu *cpu, const struct dis_insn *i) { return test_class(cpu, i, DFP_LONG); }
int cpu_tdcxt(struct cpu *cpu, const struct dis_insn *i) { return test_class(cpu, i, DFP_EXTENDED); }
int cpu_tdget(struct cpu *cpu, const struct dis_insn *i) { return test_group(cpu, i, DFP_SHORT); }
int cpu_tdgdt(struct cpu *cpu, const struct dis_insn *i) { return test_group(cpu, i, DFP_LONG); }
int cpu_tdgxt(struct cpu *cpu, const struct dis_insn *i) { return test_group(cpu, i, DFP_EXTENDED); }
