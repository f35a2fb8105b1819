/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hexadecimal-floating-point instructions, and the conversions between BFP and HFP. PoP chapters 9 and 18
   (SA22-7832-13). The engine has checked the AFP-register control and the registers of extended operands. Exceptions of
   all of them: data (AFP register), access for a storage operand; the others are named at the instruction. Exponent
   overflow, exponent underflow and significance complete the operation; divide and square root suppress it. */
#include "cpu/exec/bodies.h"
#include "cpu/exec/float.h"
#include "cpu/exec/float/operand.h"
#include "cpu/numbers/hfp.h"

/* Registers and storage do not care for the radix. */
static int second(struct cpu *cpu, const struct dis_insn *i, enum hfp_format f, hfp_bits *value)
{
    return float_second(cpu, i, (enum bfp_format)f, value);
}
static hfp_bits get(const struct cpu *cpu, enum hfp_format f, unsigned r)
{
    return fpr_get(cpu, (enum bfp_format)f, r);
}
static void set(struct cpu *cpu, enum hfp_format f, unsigned r, hfp_bits v) { fpr_set(cpu, (enum bfp_format)f, r, v); }

static struct hfp start(const struct cpu *cpu)
{
    return (struct hfp){.underflow = cpu->psw.mask & PSW_PM_HFP_UNDERFLOW,
                        .significance = cpu->psw.mask & PSW_PM_HFP_SIGNIFICANCE};
}

/* Store a result unless the operation is suppressed. */
static int finish(struct cpu *cpu, const struct hfp *x, enum hfp_format f, unsigned r, hfp_bits result)
{
    static const uint8_t codes[] = {[HFP_OVERFLOW] = PIC_HFP_EXPONENT_OVERFLOW,
                                    [HFP_UNDERFLOW] = PIC_HFP_EXPONENT_UNDERFLOW,
                                    [HFP_SIGNIFICANCE] = PIC_HFP_SIGNIFICANCE,
                                    [HFP_DIVIDE_BY_ZERO] = PIC_HFP_DIVIDE,
                                    [HFP_ROOT_OF_NEGATIVE] = PIC_HFP_SQUARE_ROOT};
    if (x->exception < HFP_DIVIDE_BY_ZERO)
        set(cpu, f, r, result);
    return codes[x->exception];
}

/* ---- arithmetic ------------------------------------------------------------------------------------------------ */

/* ADD, SUBTRACT NORMALIZED, UNNORMALIZED. CC: 0 fraction zero, 1 less, 2 greater than zero. Exceptions: exponent
   overflow, exponent underflow (normalized), significance. */
static int add(struct cpu *cpu, const struct dis_insn *i, enum hfp_format f, bool subtract, bool normalize)
{
    hfp_bits b;
    int code = second(cpu, i, f, &b);
    if (code)
        return code;
    struct hfp x = start(cpu);
    hfp_bits result = hfp_add(&x, f, get(cpu, f, i->r1), b, subtract, normalize);
    cpu->cc = x.cc;
    return finish(cpu, &x, f, i->r1, result);
}
int cpu_aer(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, HFP_SHORT, false, true); }
int cpu_adr(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, HFP_LONG, false, true); }
int cpu_axr(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, HFP_EXTENDED, false, true); }
int cpu_ser(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, HFP_SHORT, true, true); }
int cpu_sdr(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, HFP_LONG, true, true); }
int cpu_sxr(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, HFP_EXTENDED, true, true); }
int cpu_aur(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, HFP_SHORT, false, false); }
int cpu_awr(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, HFP_LONG, false, false); }
int cpu_sur(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, HFP_SHORT, true, false); }
int cpu_swr(struct cpu *cpu, const struct dis_insn *i) { return add(cpu, i, HFP_LONG, true, false); }

/* COMPARE. CC: 0 equal, 1 first low, 2 first high. */
static int compare(struct cpu *cpu, const struct dis_insn *i, enum hfp_format f)
{
    hfp_bits b;
    int code = second(cpu, i, f, &b);
    if (!code)
        cpu->cc = (uint8_t)hfp_compare(f, get(cpu, f, i->r1), b);
    return code;
}
int cpu_cer(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, HFP_SHORT); }
int cpu_cdr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, HFP_LONG); }
int cpu_cxr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, HFP_EXTENDED); }

/* MULTIPLY. CC: unchanged. Exceptions: exponent overflow, exponent underflow. */
static int multiply(struct cpu *cpu, const struct dis_insn *i, enum hfp_format from, enum hfp_format to)
{
    hfp_bits b;
    int code = second(cpu, i, from, &b);
    if (code)
        return code;
    struct hfp x = start(cpu);
    hfp_bits result = hfp_multiply(&x, from, to, get(cpu, from, i->r1), b);
    return finish(cpu, &x, to, i->r1, result);
}
int cpu_meer(struct cpu *cpu, const struct dis_insn *i) { return multiply(cpu, i, HFP_SHORT, HFP_SHORT); }
int cpu_mdr(struct cpu *cpu, const struct dis_insn *i) { return multiply(cpu, i, HFP_LONG, HFP_LONG); }
int cpu_mxr(struct cpu *cpu, const struct dis_insn *i) { return multiply(cpu, i, HFP_EXTENDED, HFP_EXTENDED); }
int cpu_mder(struct cpu *cpu, const struct dis_insn *i) { return multiply(cpu, i, HFP_SHORT, HFP_LONG); }
int cpu_mxdr(struct cpu *cpu, const struct dis_insn *i) { return multiply(cpu, i, HFP_LONG, HFP_EXTENDED); }

/* DIVIDE. CC: unchanged. Exceptions: exponent overflow, exponent underflow, HFP divide. */
static int divide(struct cpu *cpu, const struct dis_insn *i, enum hfp_format f)
{
    hfp_bits b;
    int code = second(cpu, i, f, &b);
    if (code)
        return code;
    struct hfp x = start(cpu);
    hfp_bits result = hfp_divide(&x, f, get(cpu, f, i->r1), b);
    return finish(cpu, &x, f, i->r1, result);
}
int cpu_der(struct cpu *cpu, const struct dis_insn *i) { return divide(cpu, i, HFP_SHORT); }
int cpu_ddr(struct cpu *cpu, const struct dis_insn *i) { return divide(cpu, i, HFP_LONG); }
int cpu_dxr(struct cpu *cpu, const struct dis_insn *i) { return divide(cpu, i, HFP_EXTENDED); }

/* MULTIPLY AND ADD, MULTIPLY AND SUBTRACT: third times second operand, plus or minus the first. CC: unchanged.
   Exceptions: operation, exponent overflow, exponent underflow. */
static int multiply_add(struct cpu *cpu, const struct dis_insn *i, enum hfp_format f, bool subtract)
{
    hfp_bits b;
    int code = second(cpu, i, f, &b);
    if (code)
        return code;
    struct hfp x = start(cpu);
    hfp_bits result = hfp_multiply_add(&x, f, get(cpu, f, i->r3), b, get(cpu, f, i->r1), subtract);
    return finish(cpu, &x, f, i->r1, result);
}
int cpu_maer(struct cpu *cpu, const struct dis_insn *i) { return multiply_add(cpu, i, HFP_SHORT, false); }
int cpu_madr(struct cpu *cpu, const struct dis_insn *i) { return multiply_add(cpu, i, HFP_LONG, false); }
int cpu_mser(struct cpu *cpu, const struct dis_insn *i) { return multiply_add(cpu, i, HFP_SHORT, true); }
int cpu_msdr(struct cpu *cpu, const struct dis_insn *i) { return multiply_add(cpu, i, HFP_LONG, true); }

/* MULTIPLY UNNORMALIZED, MULTIPLY AND ADD UNNORMALIZED: third times second operand, plus the first; both parts of the
   extended result, its high-order or its low-order part. CC: unchanged. Exceptions: operation; specification (register
   pair). */
enum part { BOTH, HIGH, LOW };
static int unnormalized(struct cpu *cpu, const struct dis_insn *i, enum part part, bool with_first)
{
    hfp_bits b, first = get(cpu, HFP_LONG, i->r1);
    int code = second(cpu, i, HFP_LONG, &b);
    if (code)
        return code;
    hfp_bits result = hfp_multiply_unnormalized(get(cpu, HFP_LONG, i->r3), b, with_first ? &first : NULL);
    if (part == BOTH)
        set(cpu, HFP_EXTENDED, i->r1, result);
    else
        set(cpu, HFP_LONG, i->r1, part == HIGH ? result >> 64 : (uint64_t)result);
    return 0;
}
int cpu_myr(struct cpu *cpu, const struct dis_insn *i) { return unnormalized(cpu, i, BOTH, false); }
int cpu_myhr(struct cpu *cpu, const struct dis_insn *i) { return unnormalized(cpu, i, HIGH, false); }
int cpu_mylr(struct cpu *cpu, const struct dis_insn *i) { return unnormalized(cpu, i, LOW, false); }
int cpu_mayr(struct cpu *cpu, const struct dis_insn *i) { return unnormalized(cpu, i, BOTH, true); }
int cpu_mayhr(struct cpu *cpu, const struct dis_insn *i) { return unnormalized(cpu, i, HIGH, true); }
int cpu_maylr(struct cpu *cpu, const struct dis_insn *i) { return unnormalized(cpu, i, LOW, true); }

/* SQUARE ROOT. CC: unchanged. Exceptions: HFP square root. */
static int square_root(struct cpu *cpu, const struct dis_insn *i, enum hfp_format f)
{
    hfp_bits b;
    int code = second(cpu, i, f, &b);
    if (code)
        return code;
    struct hfp x = start(cpu);
    hfp_bits result = hfp_square_root(&x, f, b);
    return finish(cpu, &x, f, i->r1, result);
}
int cpu_sqer(struct cpu *cpu, const struct dis_insn *i) { return square_root(cpu, i, HFP_SHORT); }
int cpu_sqdr(struct cpu *cpu, const struct dis_insn *i) { return square_root(cpu, i, HFP_LONG); }
int cpu_sqxr(struct cpu *cpu, const struct dis_insn *i) { return square_root(cpu, i, HFP_EXTENDED); }

/* HALVE. CC: unchanged. Exceptions: exponent underflow. */
static int halve(struct cpu *cpu, const struct dis_insn *i, enum hfp_format f)
{
    struct hfp x = start(cpu);
    hfp_bits result = hfp_halve(&x, f, get(cpu, f, i->r2));
    return finish(cpu, &x, f, i->r1, result);
}
int cpu_her(struct cpu *cpu, const struct dis_insn *i) { return halve(cpu, i, HFP_SHORT); }
int cpu_hdr(struct cpu *cpu, const struct dis_insn *i) { return halve(cpu, i, HFP_LONG); }

/* ---- loads ----------------------------------------------------------------------------------------------------- */

/* LOAD AND TEST, COMPLEMENT, NEGATIVE, POSITIVE: the sign alone changes. CC: 0 fraction zero, 1 less, 2 greater than
   zero. */
enum sign { KEEP, INVERT, MINUS, PLUS };
static int load_sign(struct cpu *cpu, const struct dis_insn *i, enum hfp_format f, enum sign how)
{
    hfp_bits a = get(cpu, f, i->r2);
    bool minus = hfp_is_minus(f, a);
    unsigned cc;
    minus = how == INVERT ? !minus : how == MINUS || (how == KEEP && minus);
    set(cpu, f, i->r1, hfp_with_sign(f, a, minus, &cc));
    cpu->cc = (uint8_t)cc;
    return 0;
}
int cpu_lter(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, HFP_SHORT, KEEP); }
int cpu_ltdr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, HFP_LONG, KEEP); }
int cpu_ltxr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, HFP_EXTENDED, KEEP); }
int cpu_lcer(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, HFP_SHORT, INVERT); }
int cpu_lcdr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, HFP_LONG, INVERT); }
int cpu_lcxr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, HFP_EXTENDED, INVERT); }
int cpu_lner(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, HFP_SHORT, MINUS); }
int cpu_lndr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, HFP_LONG, MINUS); }
int cpu_lnxr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, HFP_EXTENDED, MINUS); }
int cpu_lper(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, HFP_SHORT, PLUS); }
int cpu_lpdr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, HFP_LONG, PLUS); }
int cpu_lpxr(struct cpu *cpu, const struct dis_insn *i) { return load_sign(cpu, i, HFP_EXTENDED, PLUS); }

/* LOAD LENGTHENED, LOAD ROUNDED. CC: unchanged. Exceptions: exponent overflow (LOAD ROUNDED). */
static int convert(struct cpu *cpu, const struct dis_insn *i, enum hfp_format from, enum hfp_format to)
{
    hfp_bits b;
    int code = second(cpu, i, from, &b);
    if (code)
        return code;
    struct hfp x = start(cpu);
    hfp_bits result = hfp_convert(&x, from, to, b);
    return finish(cpu, &x, to, i->r1, result);
}
int cpu_lder(struct cpu *cpu, const struct dis_insn *i) { return convert(cpu, i, HFP_SHORT, HFP_LONG); }
int cpu_lxdr(struct cpu *cpu, const struct dis_insn *i) { return convert(cpu, i, HFP_LONG, HFP_EXTENDED); }
int cpu_lxer(struct cpu *cpu, const struct dis_insn *i) { return convert(cpu, i, HFP_SHORT, HFP_EXTENDED); }
int cpu_ledr(struct cpu *cpu, const struct dis_insn *i) { return convert(cpu, i, HFP_LONG, HFP_SHORT); }
int cpu_ldxr(struct cpu *cpu, const struct dis_insn *i) { return convert(cpu, i, HFP_EXTENDED, HFP_LONG); }
int cpu_lexr(struct cpu *cpu, const struct dis_insn *i) { return convert(cpu, i, HFP_EXTENDED, HFP_SHORT); }

/* LOAD FP INTEGER. CC: unchanged. */
static int load_integer(struct cpu *cpu, const struct dis_insn *i, enum hfp_format f)
{
    set(cpu, f, i->r1, hfp_to_integral(f, get(cpu, f, i->r2)));
    return 0;
}
int cpu_fier(struct cpu *cpu, const struct dis_insn *i) { return load_integer(cpu, i, HFP_SHORT); }
int cpu_fidr(struct cpu *cpu, const struct dis_insn *i) { return load_integer(cpu, i, HFP_LONG); }
int cpu_fixr(struct cpu *cpu, const struct dis_insn *i) { return load_integer(cpu, i, HFP_EXTENDED); }

/* ---- conversions ----------------------------------------------------------------------------------------------- */

/* CONVERT FROM FIXED. CC: unchanged. */
static int from_integer(struct cpu *cpu, const struct dis_insn *i, enum hfp_format f, unsigned bits)
{
    int64_t value = (int64_t)cpu->gr[i->r2];
    set(cpu, f, i->r1, hfp_from_integer(f, bits == 64 ? value : (int32_t)value));
    return 0;
}
int cpu_cefr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, HFP_SHORT, 32); }
int cpu_cdfr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, HFP_LONG, 32); }
int cpu_cxfr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, HFP_EXTENDED, 32); }
int cpu_cegr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, HFP_SHORT, 64); }
int cpu_cdgr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, HFP_LONG, 64); }
int cpu_cxgr(struct cpu *cpu, const struct dis_insn *i) { return from_integer(cpu, i, HFP_EXTENDED, 64); }

/* The rounding method that M3 names (0: toward zero); false when there is none. */
static bool rounding_of(unsigned m, unsigned *rounding)
{
    *rounding = m ? m : BFP_TOWARD_ZERO;
    return m <= 1 || (m >= 4 && m <= 7);
}

/* CONVERT TO FIXED. CC: 0 zero, 1 less, 2 greater than zero, 3 special case. Exceptions: specification (M3). */
static int to_integer(struct cpu *cpu, const struct dis_insn *i, enum hfp_format f, unsigned bits)
{
    unsigned rounding, cc;
    if (!rounding_of(i->m3, &rounding))
        return PIC_SPECIFICATION;
    uint64_t value = hfp_to_integer(f, get(cpu, f, i->r2), bits, rounding, &cc);
    if (bits == 64)
        cpu->gr[i->r1] = value;
    else
        set_gr32(cpu, i->r1, (uint32_t)value);
    cpu->cc = (uint8_t)cc;
    return 0;
}
int cpu_cfer(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, HFP_SHORT, 32); }
int cpu_cfdr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, HFP_LONG, 32); }
int cpu_cfxr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, HFP_EXTENDED, 32); }
int cpu_cger(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, HFP_SHORT, 64); }
int cpu_cgdr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, HFP_LONG, 64); }
int cpu_cgxr(struct cpu *cpu, const struct dis_insn *i) { return to_integer(cpu, i, HFP_EXTENDED, 64); }

/* CONVERT BFP TO HFP. CC: 0 zero, 1 less, 2 greater than zero, 3 special case. */
static int from_bfp(struct cpu *cpu, const struct dis_insn *i, enum bfp_format from)
{
    unsigned cc;
    set(cpu, HFP_LONG, i->r1, hfp_from_bfp(from, fpr_get(cpu, from, i->r2), &cc));
    cpu->cc = (uint8_t)cc;
    return 0;
}
int cpu_thder(struct cpu *cpu, const struct dis_insn *i) { return from_bfp(cpu, i, BFP_SHORT); }
int cpu_thdr(struct cpu *cpu, const struct dis_insn *i) { return from_bfp(cpu, i, BFP_LONG); }

/* CONVERT HFP TO BFP. CC: 0 zero, 1 less, 2 greater than zero, 3 special case. Exceptions: specification (M3). */
static int to_bfp(struct cpu *cpu, const struct dis_insn *i, enum bfp_format to)
{
    unsigned rounding, cc;
    if (!rounding_of(i->m3, &rounding))
        return PIC_SPECIFICATION;
    fpr_set(cpu, to, i->r1, hfp_to_bfp(to, get(cpu, HFP_LONG, i->r2), rounding, &cc));
    cpu->cc = (uint8_t)cc;
    return 0;
}
int cpu_tbedr(struct cpu *cpu, const struct dis_insn *i) { return to_bfp(cpu, i, BFP_SHORT); }
int cpu_tbdr(struct cpu *cpu, const struct dis_insn *i) { return to_bfp(cpu, i, BFP_LONG); }
