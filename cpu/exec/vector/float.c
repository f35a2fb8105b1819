/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector floating-point arithmetic and comparison. PoP chapter 24 (SA22-7832-13). Elements are worked on from left to
   right; the first exception that traps suppresses the instruction. With the single-element control the rest of V1,
   which is unpredictable, becomes zero. Exceptions of all of them: operation, data (DXC X'FE'); specification where a
   format or mask is not valid; vector processing (IEEE exceptions that trap). */
#include "cpu/exec/vector/float.h"
#include "cpu/exec/bodies.h"

typedef bfp_bits (*operation)(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b);

static bfp_bits multiply(struct bfp *x, enum bfp_format f, bfp_bits a, bfp_bits b)
{
    return bfp_multiply(x, f, f, a, b);
}

static int arithmetic(struct cpu *cpu, const struct dis_insn *i, operation perform)
{
    enum bfp_format f;
    if (!vector_format(cpu, i->m4, &f) || i->m5 & 7)
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3), r = {0};
    struct bfp x = float_start(cpu);
    int code = 0;
    for (unsigned e = 0; !code && e < vector_elements(f, i->m5); e++)
        code = vector_put_float(cpu, &x, &r, f, e, perform(&x, f, vector_float(&a, f, e), vector_float(&b, f, e)));
    return code ? code : vector_float_end(cpu, &x, i->r1, r);
}
int cpu_vfa(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, bfp_add); }
int cpu_vfs(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, bfp_subtract); }
int cpu_vfm(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, multiply); }
int cpu_vfd(struct cpu *cpu, const struct dis_insn *i) { return arithmetic(cpu, i, bfp_divide); }

static bfp_bits sign_of(enum bfp_format f) { return (bfp_bits)1 << (f == BFP_SHORT ? 31 : f == BFP_LONG ? 63 : 127); }
static bool is_nan(enum bfp_format f, bfp_bits a)
{
    bool minus;
    return bfp_classify(f, a, &minus) >= BFP_QNAN;
}

/* V3 times V2 plus or minus V4 (in this order for NaNs), rounded once; then the sign of a number inverted. */
static int multiply_add(struct cpu *cpu, const struct dis_insn *i, bool subtract, bool negative)
{
    enum bfp_format f;
    if (!vector_format(cpu, i->m6, &f) || i->m5 & 7)
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3), c = vector_get(cpu, i->r4), r = {0};
    struct bfp x = float_start(cpu);
    for (unsigned e = 0; e < vector_elements(f, i->m5); e++) {
        bfp_bits result =
            bfp_multiply_add(&x, f, vector_float(&b, f, e), vector_float(&a, f, e), vector_float(&c, f, e), subtract);
        int code = vector_exceptions(cpu, &x, e);
        if (code)
            return code;
        vector_set_float(&r, f, e, negative && !is_nan(f, result) ? result ^ sign_of(f) : result);
    }
    return vector_float_end(cpu, &x, i->r1, r);
}
int cpu_vfma(struct cpu *cpu, const struct dis_insn *i) { return multiply_add(cpu, i, false, false); }
int cpu_vfms(struct cpu *cpu, const struct dis_insn *i) { return multiply_add(cpu, i, true, false); }
int cpu_vfnma(struct cpu *cpu, const struct dis_insn *i) { return multiply_add(cpu, i, false, true); }
int cpu_vfnms(struct cpu *cpu, const struct dis_insn *i) { return multiply_add(cpu, i, true, true); }

/* VECTOR FP SQUARE ROOT. */
int cpu_vfsq(struct cpu *cpu, const struct dis_insn *i)
{
    enum bfp_format f;
    if (!vector_format(cpu, i->m3, &f) || i->m4 & 7)
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), r = {0};
    struct bfp x = float_start(cpu);
    int code = 0;
    for (unsigned e = 0; !code && e < vector_elements(f, i->m4); e++)
        code = vector_put_float(cpu, &x, &r, f, e, bfp_square_root(&x, f, vector_float(&a, f, e)));
    return code ? code : vector_float_end(cpu, &x, i->r1, r);
}

/* VECTOR FP PERFORM SIGN OPERATION: M5 0 inverts, 1 sets, 2 clears the sign, also of NaNs. */
int cpu_vfpso(struct cpu *cpu, const struct dis_insn *i)
{
    enum bfp_format f;
    if (!vector_format(cpu, i->m3, &f) || i->m4 & 7 || i->m5 > 2)
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), r = {0};
    bfp_bits sign = sign_of(f);
    for (unsigned e = 0; e < vector_elements(f, i->m4); e++) {
        bfp_bits v = vector_float(&a, f, e);
        vector_set_float(&r, f, e, i->m5 == 0 ? v ^ sign : i->m5 == 1 ? v | sign : v & ~sign);
    }
    vector_set(cpu, i->r1, r);
    return 0;
}

/* VECTOR FP TEST DATA CLASS IMMEDIATE: ones where the class is among those of the 12 bits. CC: 0 all, 1 some, 3
   none. */
int cpu_vftci(struct cpu *cpu, const struct dis_insn *i)
{
    enum bfp_format f;
    if (!vector_format(cpu, i->m4, &f) || i->m5 & 7)
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), r = {0};
    unsigned n = vector_elements(f, i->m5), found = 0;
    for (unsigned e = 0; e < n; e++) {
        bool minus;
        unsigned class = bfp_classify(f, vector_float(&a, f, e), &minus);
        bool is = (i->i2 >> (11 - 2 * class - minus)) & 1;
        vector_set_float(&r, f, e, is ? ~(bfp_bits)0 : 0);
        found += is;
    }
    vector_set(cpu, i->r1, r);
    cpu->cc = vector_cc(found, n);
    return 0;
}

/* ---- comparison -------------------------------------------------------------------------------------------------- */

/* VECTOR FP COMPARE SCALAR, COMPARE AND SIGNAL SCALAR: element 0. CC: 0 equal, 1 first low, 2 first high, 3
   unordered. */
static int compare_scalar(struct cpu *cpu, const struct dis_insn *i, bool signal)
{
    enum bfp_format f;
    if (!vector_format(cpu, i->m3, &f) || i->m4)
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r1), b = vector_get(cpu, i->r2);
    struct bfp x = float_start(cpu);
    unsigned cc = bfp_compare(&x, f, vector_float(&a, f, 0), vector_float(&b, f, 0), signal);
    int code = vector_exceptions(cpu, &x, 0);
    if (code)
        return code;
    cpu->fpc |= (uint32_t)x.flags << FPC_FLAGS_SHIFT;
    cpu->cc = (uint8_t)cc;
    return 0;
}
int cpu_wfc(struct cpu *cpu, const struct dis_insn *i) { return compare_scalar(cpu, i, false); }
int cpu_wfk(struct cpu *cpu, const struct dis_insn *i) { return compare_scalar(cpu, i, true); }

/* VECTOR FP COMPARE EQUAL, HIGH, HIGH OR EQUAL: ones where it is so; `accepted` has 8 >> condition code of a
   comparison. M5 bit 1 (vector enhancements 1): QNaNs are invalid too. CC (when M6 bit 3 is one): 0 all, 1 some, 3
   none. */
static int compare(struct cpu *cpu, const struct dis_insn *i, unsigned accepted)
{
    enum bfp_format f;
    if (!vector_format(cpu, i->m4, &f) || i->m5 & 3 || i->m6 & 14 ||
        (i->m5 & SIGNAL_QUIET && !cpu_facility(cpu->sys, FACILITY_VECENH1)))
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3), r = {0};
    struct bfp x = float_start(cpu);
    unsigned n = vector_elements(f, i->m5), found = 0;
    for (unsigned e = 0; e < n; e++) {
        unsigned cc = bfp_compare(&x, f, vector_float(&a, f, e), vector_float(&b, f, e), i->m5 & SIGNAL_QUIET);
        int code = vector_exceptions(cpu, &x, e);
        if (code)
            return code;
        bool is = accepted & (8u >> cc);
        vector_set_float(&r, f, e, is ? ~(bfp_bits)0 : 0);
        found += is;
    }
    if (i->m6 & 1)
        cpu->cc = vector_cc(found, n);
    return vector_float_end(cpu, &x, i->r1, r);
}
int cpu_vfce(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, 8); }
int cpu_vfch(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, 2); }
int cpu_vfche(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, 8 | 2); }

/* ---- maximum and minimum ----------------------------------------------------------------------------------------- */

/* M6; with 8 added, of absolute values (IEEE: of the operands, by magnitude). */
enum { OF_IEEE, OF_JAVA, OF_MACRO, OF_CPP, OF_FMAX, OF_ABSOLUTE = 8 };

static void signal_invalid(struct bfp *x)
{
    if (x->masks & BFP_INVALID)
        x->dxc = BFP_INVALID;
    else
        x->flags |= BFP_INVALID;
}

/* The result when a or b is a NaN. */
static bfp_bits extreme_nan(struct bfp *x, enum bfp_format f, unsigned function, bfp_bits a, bfp_bits b)
{
    bool minus;
    enum bfp_class ca = bfp_classify(f, a, &minus), cb = bfp_classify(f, b, &minus);
    bool signaling = ca == BFP_SNAN || cb == BFP_SNAN;
    if (function == OF_MACRO || function == OF_CPP) { /* an ordered comparison, which is false */
        signal_invalid(x);
        return function == OF_MACRO ? b : a;
    }
    if (signaling)
        signal_invalid(x);
    struct bfp calm = {0};
    if (function == OF_JAVA || (function == OF_IEEE && signaling))
        return bfp_quiet(&calm, f, ca == BFP_SNAN ? a : cb == BFP_SNAN ? b : ca == BFP_QNAN ? a : b);
    return cb >= BFP_QNAN ? a : b; /* as it is: of two NaNs fmax() and fmin() deliver a signaling V2 too */
}

static bfp_bits extreme(struct bfp *x, enum bfp_format f, unsigned function, bfp_bits a, bfp_bits b, bool maximum)
{
    const bfp_bits sign = sign_of(f);
    struct bfp calm = {0};
    bool by_magnitude = function == (OF_IEEE | OF_ABSOLUTE);
    if (function & OF_ABSOLUTE && !by_magnitude) {
        a &= ~sign;
        b &= ~sign;
    }
    function &= 7;
    if (is_nan(f, a) || is_nan(f, b))
        return extreme_nan(x, f, function, a, b);
    unsigned cc = by_magnitude ? bfp_compare(&calm, f, a & ~sign, b & ~sign, false) : 0;
    if (cc == 0)
        cc = bfp_compare(&calm, f, a, b, false);
    if (cc)
        return (cc == 2) == maximum ? a : b;
    if (function == OF_MACRO || function == OF_CPP)
        return function == OF_MACRO ? b : a;
    return !!(a & sign) == maximum ? b : a; /* zeros: the sign decides */
}

/* VECTOR FP MAXIMUM, VECTOR FP MINIMUM. */
static int maximum_minimum(struct cpu *cpu, const struct dis_insn *i, bool maximum)
{
    enum bfp_format f;
    if (!vector_format(cpu, i->m4, &f) || i->m5 & 7 || (i->m6 & 7) > OF_FMAX)
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3), r = {0};
    struct bfp x = float_start(cpu);
    int code = 0;
    for (unsigned e = 0; !code && e < vector_elements(f, i->m5); e++)
        code = vector_put_float(cpu, &x, &r, f, e,
                                extreme(&x, f, i->m6, vector_float(&a, f, e), vector_float(&b, f, e), maximum));
    return code ? code : vector_float_end(cpu, &x, i->r1, r);
}
int cpu_vfmax(struct cpu *cpu, const struct dis_insn *i) { return maximum_minimum(cpu, i, true); }
int cpu_vfmin(struct cpu *cpu, const struct dis_insn *i) { return maximum_minimum(cpu, i, false); }
