/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector floating-point conversions. PoP chapter 24 (SA22-7832-13). See cpu/exec/vector/float.c for what is common to
   all. */
#include "cpu/exec/bodies.h"
#include "cpu/exec/vector/float.h"

/* M4 of a conversion: single element, no inexact exception; M5: rounding. */
static bool controls(const struct dis_insn *i, struct bfp *x)
{
    x->quiet = i->m4 & NO_INEXACT;
    return !(i->m4 & 3) && vector_rounding(x, i->m5);
}

/* Conversions from and to integers: long, and by the vector-enhancements facility 2 short. */
static bool integer_format(const struct cpu *cpu, unsigned mask, enum bfp_format *f)
{
    *f = mask == 2 ? BFP_SHORT : BFP_LONG;
    return mask == 3 || (mask == 2 && cpu_facility(cpu->sys, FACILITY_VECENH2));
}

/* VECTOR FP CONVERT FROM FIXED and FROM LOGICAL, TO FIXED and TO LOGICAL. */
static int convert_integers(struct cpu *cpu, const struct dis_insn *i, bool to_integer, bool is_signed)
{
    enum bfp_format f;
    struct bfp x = float_start(cpu);
    if (!integer_format(cpu, i->m3, &f) || !controls(i, &x))
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), r = {0};
    int code = 0;
    for (unsigned e = 0; !code && e < vector_elements(f, i->m4); e++) {
        unsigned cc;
        uint64_t value = vector_element(&a, i->m3, e);
        if (to_integer)
            vector_set_element(&r, i->m3, e,
                               bfp_to_integer(&x, f, vector_float(&a, f, e), 8u << i->m3, is_signed, &cc));
        else
            vector_set_float(
                &r, f, e,
                bfp_from_integer(&x, f, is_signed ? (uint64_t)vector_signed(value, i->m3) : value, is_signed));
        code = vector_exceptions(cpu, &x, e);
    }
    return code ? code : vector_float_end(cpu, &x, i->r1, r);
}
int cpu_vcfps(struct cpu *cpu, const struct dis_insn *i) { return convert_integers(cpu, i, false, true); }
int cpu_vcfpl(struct cpu *cpu, const struct dis_insn *i) { return convert_integers(cpu, i, false, false); }
int cpu_vcsfp(struct cpu *cpu, const struct dis_insn *i) { return convert_integers(cpu, i, true, true); }
int cpu_vclfp(struct cpu *cpu, const struct dis_insn *i) { return convert_integers(cpu, i, true, false); }

/* VECTOR LOAD FP INTEGER. */
int cpu_vfi(struct cpu *cpu, const struct dis_insn *i)
{
    enum bfp_format f;
    struct bfp x = float_start(cpu);
    if (!vector_format(cpu, i->m3, &f) || !controls(i, &x))
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), r = {0};
    int code = 0;
    for (unsigned e = 0; !code && e < vector_elements(f, i->m4); e++)
        code = vector_put_float(cpu, &x, &r, f, e, bfp_to_integral(&x, f, vector_float(&a, f, e)));
    return code ? code : vector_float_end(cpu, &x, i->r1, r);
}

/* VECTOR FP LOAD LENGTHENED: the even elements of M3's format (short; long by the vector-enhancements facility 1). The
   vector-exception code numbers the source element. */
int cpu_vfll(struct cpu *cpu, const struct dis_insn *i)
{
    enum bfp_format f;
    if (!vector_format(cpu, i->m3 == 2 ? 3 : i->m3 == 3 ? 4 : 0, &f) || i->m4 & 7)
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), r = {0};
    struct bfp x = float_start(cpu);
    for (unsigned e = 0; e < vector_elements(f, i->m4); e++) {
        bool in_source;
        enum bfp_format from = (enum bfp_format)(f - 1);
        vector_set_float(&r, f, e, bfp_convert(&x, from, f, vector_float(&a, from, 2 * e), &in_source));
        int code = vector_exceptions(cpu, &x, 2 * e);
        if (code)
            return code;
    }
    return vector_float_end(cpu, &x, i->r1, r);
}

/* VECTOR FP LOAD ROUNDED: from M3's format (long; extended by the vector-enhancements facility 1) to the even elements
   of the next shorter one; the odd ones, which are unpredictable, become zero. */
int cpu_vflr(struct cpu *cpu, const struct dis_insn *i)
{
    enum bfp_format f;
    struct bfp x = float_start(cpu);
    if (i->m3 == 2 || !vector_format(cpu, i->m3, &f) || !controls(i, &x))
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), r = {0};
    for (unsigned e = 0; e < vector_elements(f, i->m4); e++) {
        bool in_source;
        enum bfp_format to = (enum bfp_format)(f - 1);
        vector_set_float(&r, to, 2 * e, bfp_convert(&x, f, to, vector_float(&a, f, e), &in_source));
        int code = vector_exceptions(cpu, &x, e);
        if (code)
            return code;
    }
    return vector_float_end(cpu, &x, i->r1, r);
}
