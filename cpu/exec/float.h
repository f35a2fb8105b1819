/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floating-point registers and the FPC register, shared by the bodies of instructions. PoP chapter 9. */
#ifndef ZRI_CPU_EXEC_FLOAT_H
#define ZRI_CPU_EXEC_FLOAT_H

#include "cpu/numbers/bfp.h"
#include "cpu/state/cpu.h"

#include <string.h>

/* FPC register. */
#define FPC_MASKS_SHIFT 24
#define FPC_FLAGS_SHIFT 16
#define FPC_DXC         0x0000ff00u
#define FPC_DRM         0x00000070u
#define FPC_BRM         0x00000007u
#define FPC_INEXACT     0x00080000u
#define FPC_RESERVED    0x03030088u /* bits that must be zero */
/* Bits that came with the floating-point extension facility: quantum mask and flag, the first of the BFP rounding
   mode */
#define FPC_OF_EXTENSION 0x04040004u

static inline uint32_t fpr_short(const struct cpu *cpu, unsigned r) { return (uint32_t)(cpu->vr[r].hi >> 32); }
static inline uint64_t fpr_long(const struct cpu *cpu, unsigned r) { return cpu->vr[r].hi; }
static inline bfp_bits fpr_extended(const struct cpu *cpu, unsigned r)
{
    return (bfp_bits)cpu->vr[r & 13].hi << 64 | cpu->vr[(r & 13) + 2].hi;
}
static inline void set_fpr_short(struct cpu *cpu, unsigned r, uint32_t v)
{
    cpu->vr[r].hi = (cpu->vr[r].hi & UINT64_C(0xffffffff)) | (uint64_t)v << 32;
}
static inline void set_fpr_long(struct cpu *cpu, unsigned r, uint64_t v) { cpu->vr[r].hi = v; }
static inline void set_fpr_extended(struct cpu *cpu, unsigned r, bfp_bits v)
{
    cpu->vr[r & 13].hi = (uint64_t)(v >> 64);
    cpu->vr[(r & 13) + 2].hi = (uint64_t)v;
}
static inline bfp_bits fpr_get(const struct cpu *cpu, enum bfp_format f, unsigned r)
{
    return f == BFP_SHORT ? fpr_short(cpu, r) : f == BFP_LONG ? fpr_long(cpu, r) : fpr_extended(cpu, r);
}
static inline void fpr_set(struct cpu *cpu, enum bfp_format f, unsigned r, bfp_bits v)
{
    if (f == BFP_SHORT)
        set_fpr_short(cpu, r, (uint32_t)v);
    else if (f == BFP_LONG)
        set_fpr_long(cpu, r, (uint64_t)v);
    else
        set_fpr_extended(cpu, r, v);
}

/* The host's numbers of binary formats, and their bits. */
union host_long {
    uint64_t bits;
    double number;
};
union host_short {
    uint32_t bits;
    float number;
};
static inline double as_long(uint64_t v) { return (union host_long){.bits = v}.number; }
static inline uint64_t long_bits(double d) { return (union host_long){.number = d}.bits; }
static inline float as_short(uint32_t v) { return (union host_short){.bits = v}.number; }
static inline uint32_t short_bits(float d) { return (union host_short){.number = d}.bits; }

/* Rounding, masks for one operation, by the FPC register. */
static inline struct bfp float_start(const struct cpu *cpu)
{
    static const uint8_t methods[8] = {BFP_NEAREST_EVEN, BFP_TOWARD_ZERO,  BFP_UP,           BFP_DOWN,
                                       BFP_NEAREST_EVEN, BFP_NEAREST_EVEN, BFP_NEAREST_EVEN, BFP_SHORTER};
    return (struct bfp){.rounding = methods[cpu->fpc & FPC_BRM],
                        .masks = (uint8_t)(cpu->fpc >> FPC_MASKS_SHIFT) & 0xf8};
}

/* The flags go to the FPC register; returns PIC_DATA when there is a trap. */
static inline int MUST_USE float_end(struct cpu *cpu, const struct bfp *x)
{
    cpu->fpc |= (uint32_t)x->flags << FPC_FLAGS_SHIFT;
    return x->dxc ? cpu_data_exception(cpu, x->dxc) : 0;
}

#endif
