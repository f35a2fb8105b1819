/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PERFORM FLOATING-POINT OPERATION. PoP chapter 9 (SA22-7832-13). */
#include "cpu/exec/bodies.h"
#include "cpu/exec/float.h"
#include "cpu/numbers/radix.h"

enum { CONVERT_RADIX = 1 };

/* Bits of general register 0, in its right half. */
#define TEST      0x80000000u
#define QUIET     0x80u /* inexact suppression */
#define ALTERNATE 0x40u /* alternate exception action: no interruption */
#define CONTROL_1 0x20u /* HFP: overflow control */
#define CONTROL_2 0x10u /* HFP: underflow control; DFP: preferred-quantum control */

static bool format_of(unsigned code, struct radix_format *f)
{
    code &= 0xff;
    if (code <= 2)
        *f = (struct radix_format){RADIX_HFP, (uint8_t)code};
    else if (code >= 5 && code <= 7)
        *f = (struct radix_format){RADIX_BFP, (uint8_t)(code - 5)};
    else if (code >= 8 && code <= 10)
        *f = (struct radix_format){RADIX_DFP, (uint8_t)(code - 8)};
    else
        return false;
    return true;
}

/* The rounding method by the rightmost digit: of the DFP or of the BFP rounding mode, or 8-15. */
static unsigned rounding_of(const struct cpu *cpu, unsigned code)
{
    unsigned mode = code == 0 ? (cpu->fpc & FPC_DRM) >> 4 : code == 1 ? cpu->fpc & FPC_BRM : code & 7;
    return mode & 7;
}

/* Function, formats, controls and rounding method name a function that there is. */
static bool valid(const struct cpu *cpu, unsigned gr0, struct radix_format *to, struct radix_format *from)
{
    if ((gr0 >> 24 & 0x7f) != CONVERT_RADIX || !format_of(gr0 >> 16, to) || !format_of(gr0 >> 8, from) ||
        to->radix == from->radix)
        return false;
    unsigned controls = to->radix == RADIX_HFP ? CONTROL_1 | CONTROL_2 : 0;
    if (to->radix == RADIX_DFP && cpu_facility(cpu->sys, FACILITY_FPEXT))
        controls = CONTROL_2;
    if (gr0 & (CONTROL_1 | CONTROL_2) & ~controls)
        return false;
    unsigned rounding = gr0 & 15;
    return rounding <= 1 || rounding >= 8;
}

/* The number in FPR 4 (and 6) in another radix to FPR 0 (and 2), as bits 32-63 of GR 0 say: 32 test, 33-39 operation
   (1), 40-47 format of the result, 48-55 of the operand, 56-59 controls, 60-63 rounding method. A return code is put
   into GR 1 bits 32-63: 0, also by the test.

   CC (test): 0 there is such a function, 3 not. CC: 0 no exception, 1 exceptions that do not trap, 2 one that does.
   Exceptions: operation, data (AFP register; IEEE exceptions that trap), specification (no such function). Reading:
   with the alternate exception action a trap is condition code 2, with its data-exception code in the FPC register and
   in GR 1; one that completes sets both likewise before it interrupts. */
int cpu_pfpo(struct cpu *cpu, const struct dis_insn *i)
{
    struct radix_format to, from;
    const unsigned gr0 = gr32(cpu, 0);
    const bool good = valid(cpu, gr0, &to, &from);
    (void)i;
    if (gr0 & TEST) {
        set_gr32(cpu, 1, 0);
        cpu->cc = good ? 0 : 3;
        return 0;
    }
    if (!good)
        return PIC_SPECIFICATION;
    struct radix_env x = {.rounding = (uint8_t)rounding_of(cpu, gr0 & 15),
                          .masks = (uint8_t)(cpu->fpc >> FPC_MASKS_SHIFT) & 0xf8,
                          .quiet = gr0 & QUIET,
                          .hfp_overflow = gr0 & CONTROL_1,
                          .hfp_underflow = gr0 & CONTROL_2,
                          .quantum_of_one = gr0 & CONTROL_2};
    radix_bits result = radix_convert(&x, from, to, fpr_get(cpu, (enum bfp_format)from.length, 4));
    const bool interrupts = x.dxc && !(gr0 & ALTERNATE);
    if (!x.suppressed)
        fpr_set(cpu, (enum bfp_format)to.length, 0, result);
    if (!(interrupts && x.suppressed)) {
        set_gr32(cpu, 1, x.dxc);
        cpu->cc = x.dxc ? 2 : x.flags ? 1 : 0;
    }
    cpu->fpc |= (uint32_t)x.flags << FPC_FLAGS_SHIFT;
    if (x.dxc && !interrupts)
        cpu->fpc = (cpu->fpc & ~FPC_DXC) | (uint32_t)x.dxc << 8;
    return interrupts ? cpu_data_exception(cpu, x.dxc) : 0;
}
