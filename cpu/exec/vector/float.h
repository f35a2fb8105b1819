/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floating-point elements of vectors, shared by the vector floating-point files only. PoP chapter 24 (SA22-7832-13). */
#ifndef ZRI_CPU_EXEC_VECTOR_FLOAT_H
#define ZRI_CPU_EXEC_VECTOR_FLOAT_H

#include "cpu/exec/float.h"
#include "cpu/exec/vector/element.h"

/* Bits of the masks. */
enum { SINGLE_ELEMENT = 8, NO_INEXACT = 4, SIGNAL_QUIET = 4 };

/* The format that a mask names. Short and extended by the vector-enhancements facility 1. */
static inline bool vector_format(const struct cpu *cpu, unsigned mask, enum bfp_format *format)
{
    if (mask != 3 && !((mask == 2 || mask == 4) && cpu_facility(cpu->sys, FACILITY_VECENH1)))
        return false;
    *format = (enum bfp_format)(mask - 2);
    return true;
}

/* Elements to operate on: one with the single-element control. */
static inline unsigned vector_elements(enum bfp_format f, unsigned mask) { return mask & SINGLE_ELEMENT ? 1 : 4u >> f; }

static inline bfp_bits vector_float(const union vector *v, enum bfp_format f, unsigned e)
{
    return f == BFP_SHORT ? v->f[LANE(e, 4)] : f == BFP_LONG ? v->g[LANE(e, 2)] : v->q;
}
static inline void vector_set_float(union vector *v, enum bfp_format f, unsigned e, bfp_bits value)
{
    if (f == BFP_SHORT)
        v->f[LANE(e, 4)] = (uint32_t)value;
    else if (f == BFP_LONG)
        v->g[LANE(e, 2)] = (uint64_t)value;
    else
        v->q = value;
}

/* The exceptions of element e: joined to `x`, which begins with those of the elements before. Returns
   PIC_VECTOR_PROCESSING with its code when one of them traps: the instruction is suppressed then. */
static inline int MUST_USE vector_exceptions(struct cpu *cpu, const struct bfp *x, unsigned e)
{
    if (LIKELY(!x->dxc))
        return 0;
    unsigned code = x->dxc & BFP_INVALID     ? VXC_INVALID_OPERATION
                    : x->dxc & BFP_DIVIDE    ? VXC_DIVISION_BY_ZERO
                    : x->dxc & BFP_OVERFLOW  ? VXC_OVERFLOW
                    : x->dxc & BFP_UNDERFLOW ? VXC_UNDERFLOW
                                             : VXC_INEXACT;
    cpu->vxc = (uint8_t)(e << 4 | code);
    return PIC_VECTOR_PROCESSING;
}

/* Element e of a result, and its exceptions. */
static inline int MUST_USE vector_put_float(struct cpu *cpu, const struct bfp *x, union vector *v, enum bfp_format f,
                                            unsigned e, bfp_bits value)
{
    vector_set_float(v, f, e, value);
    return vector_exceptions(cpu, x, e);
}

/* All elements are done: the result, and the flags. */
static inline int vector_float_end(struct cpu *cpu, const struct bfp *x, unsigned r, union vector result)
{
    vector_set(cpu, r, result);
    cpu->fpc |= (uint32_t)x->flags << FPC_FLAGS_SHIFT;
    return 0;
}

/* A rounding method in a mask; 0: that of the FPC register. false: there is none. */
static inline bool vector_rounding(struct bfp *x, unsigned mask)
{
    if (mask == 2 || mask > 7)
        return false;
    if (mask)
        x->rounding = (uint8_t)mask;
    return true;
}

#endif
