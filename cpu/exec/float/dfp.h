/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of decimal-floating-point bodies share: registers, rounding fields, the end of an instruction. */
#ifndef ZRI_CPU_EXEC_FLOAT_DFP_H
#define ZRI_CPU_EXEC_FLOAT_DFP_H

#include "cpu/exec/float.h"
#include "cpu/numbers/dfp.h"

static inline struct dfp dfp_get(const struct cpu *cpu, enum dfp_format f, unsigned r)
{
    return dfp_decode(f, fpr_get(cpu, (enum bfp_format)f, r));
}
static inline void dfp_set(struct cpu *cpu, enum dfp_format f, unsigned r, const struct dfp *v)
{
    fpr_set(cpu, (enum bfp_format)f, r, dfp_encode(f, v));
}

/* The environment is filled in where it is: one that is made elsewhere and copied would be waited for. */
static inline void dfp_environment(const struct cpu *cpu, bool extension, unsigned rounding, struct dfp_env *x)
{
    memset(x, 0, sizeof *x);
    x->rounding = (uint8_t)rounding;
    x->masks = (uint8_t)(cpu->fpc >> FPC_MASKS_SHIFT) & (extension ? 0xfc : 0xf8);
    x->quantum = extension;
}

/* Rounding mode and masks of the FPC register. */
static inline void dfp_start(const struct cpu *cpu, struct dfp_env *x)
{
    dfp_environment(cpu, cpu_facility(cpu->sys, FACILITY_FPEXT), (cpu->fpc & FPC_DRM) >> 4, x);
}

/* Likewise with a rounding field of the instruction. Without the floating-point extension facility only codes from 8 on
 * name a method. Reading: with it code 2 is, like 0, the mode of the FPC register. */
static inline void dfp_start_rounding(const struct cpu *cpu, unsigned m, struct dfp_env *x)
{
    static const uint8_t low[8] = {0,      DFP_NEAREST_AWAY, 0, DFP_SHORTER, DFP_NEAREST_EVEN, DFP_TOWARD_ZERO,
                                   DFP_UP, DFP_DOWN};
    const bool extension = cpu_facility(cpu->sys, FACILITY_FPEXT);
    unsigned rounding = (cpu->fpc & FPC_DRM) >> 4;
    if (m & 8)
        rounding = m & 7;
    else if (extension && m != 0 && m != 2)
        rounding = low[m & 7];
    dfp_environment(cpu, extension, rounding, x);
}

/* The flags go to the FPC register; returns PIC_DATA when there is a trap. */
static inline int MUST_USE dfp_end(struct cpu *cpu, const struct dfp_env *x)
{
    cpu->fpc |= (uint32_t)x->flags << FPC_FLAGS_SHIFT;
    return x->dxc ? cpu_data_exception(cpu, x->dxc) : 0;
}

/* Bits of M4. */
#define DFP_XIC 8 /* invalid-operation-exception control */
#define DFP_XXC 4 /* inexact-exception control */

#endif
