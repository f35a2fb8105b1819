/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floating-point-support instructions but loads from and stores to storage. PoP chapter 9 (SA22-7832-13). */
#include "cpu/exec/bodies.h"
#include "cpu/exec/float.h"
#include "cpu/numbers/dfp.h"
#include "cpu/storage/access.h"

/* LOAD (short, long, extended) between registers. CC: unchanged. Exceptions: data (AFP register), specification
 * (extended). */
int cpu_ler(struct cpu *cpu, const struct dis_insn *i)
{
    set_fpr_short(cpu, i->r1, fpr_short(cpu, i->r2));
    return 0;
}
int cpu_ldr(struct cpu *cpu, const struct dis_insn *i)
{
    set_fpr_long(cpu, i->r1, fpr_long(cpu, i->r2));
    return 0;
}
int cpu_lxr(struct cpu *cpu, const struct dis_insn *i)
{
    set_fpr_extended(cpu, i->r1, fpr_extended(cpu, i->r2));
    return 0;
}

/* LOAD ZERO. CC: unchanged. Exceptions: data (AFP register), specification (extended). */
int cpu_lzer(struct cpu *cpu, const struct dis_insn *i)
{
    set_fpr_short(cpu, i->r1, 0);
    return 0;
}
int cpu_lzdr(struct cpu *cpu, const struct dis_insn *i)
{
    set_fpr_long(cpu, i->r1, 0);
    return 0;
}
int cpu_lzxr(struct cpu *cpu, const struct dis_insn *i)
{
    set_fpr_extended(cpu, i->r1, 0);
    return 0;
}

/* LOAD FPR FROM GR, LOAD GR FROM FPR. CC: unchanged. Exceptions: operation, data (AFP register). */
int cpu_ldgr(struct cpu *cpu, const struct dis_insn *i)
{
    set_fpr_long(cpu, i->r1, cpu->gr[i->r2]);
    return 0;
}
int cpu_lgdr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = fpr_long(cpu, i->r2);
    return 0;
}

/* COPY SIGN: R1 becomes the number in R2 with the sign of that in R3. LOAD COMPLEMENT, NEGATIVE, POSITIVE (long): the
   sign alone. CC: unchanged. Exceptions: operation, data (AFP register). */
int cpu_cpsdr(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t sign = fpr_long(cpu, i->r3) & BIT64(0);
    set_fpr_long(cpu, i->r1, (fpr_long(cpu, i->r2) & ~BIT64(0)) | sign);
    return 0;
}
int cpu_lcdfr(struct cpu *cpu, const struct dis_insn *i)
{
    set_fpr_long(cpu, i->r1, fpr_long(cpu, i->r2) ^ BIT64(0));
    return 0;
}
int cpu_lndfr(struct cpu *cpu, const struct dis_insn *i)
{
    set_fpr_long(cpu, i->r1, fpr_long(cpu, i->r2) | BIT64(0));
    return 0;
}
int cpu_lpdfr(struct cpu *cpu, const struct dis_insn *i)
{
    set_fpr_long(cpu, i->r1, fpr_long(cpu, i->r2) & ~BIT64(0));
    return 0;
}

/* ---- FPC register ---------------------------------------------------------------------------------------------- */

/* A value that may be loaded: reserved bits zero, a BFP rounding mode that exists. */
static bool fpc_valid(const struct cpu *cpu, uint32_t fpc)
{
    const unsigned mode = fpc & FPC_BRM;
    const uint32_t reserved = FPC_RESERVED | (cpu_facility(cpu->sys, FACILITY_FPEXT) ? 0 : FPC_OF_EXTENSION);
    return !(fpc & reserved) && !(mode >= 4 && mode <= 6);
}

/* EXTRACT FPC to bits 32-63 of R1. STORE FPC. CC: unchanged. Exceptions: data (AFP register), access (store). */
int cpu_efpc(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, cpu->fpc);
    return 0;
}
int cpu_stfpc(struct cpu *cpu, const struct dis_insn *i) { return cpu_store4(cpu, cpu_ea2(cpu, i), i->b2, cpu->fpc); }

/* SET FPC from bits 32-63 of R1. LOAD FPC. CC: unchanged. Exceptions: data (AFP register), access (fetch),
 * specification. */
int cpu_sfpc(struct cpu *cpu, const struct dis_insn *i)
{
    if (!fpc_valid(cpu, gr32(cpu, i->r1)))
        return PIC_SPECIFICATION;
    cpu->fpc = gr32(cpu, i->r1);
    return 0;
}
int cpu_lfpc(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t fpc;
    int code = cpu_fetch4(cpu, cpu_ea2(cpu, i), i->b2, &fpc);
    if (code)
        return code;
    if (!fpc_valid(cpu, fpc))
        return PIC_SPECIFICATION;
    cpu->fpc = fpc;
    return 0;
}

/* The new FPC with the flags of the old one added; old flags whose new masks are one signal: the first of them makes a
   data exception with a simulated code. */
static int set_and_signal(struct cpu *cpu, uint32_t fpc)
{
    static const struct {
        uint8_t flag, code;
    } order[] = {{BFP_INVALID, DXC_SIMULATED_INVALID_OPERATION}, {BFP_DIVIDE, DXC_SIMULATED_DIVISION_BY_ZERO},
                 {BFP_OVERFLOW, DXC_SIMULATED_OVERFLOW_EXACT},   {BFP_UNDERFLOW, DXC_SIMULATED_UNDERFLOW_EXACT},
                 {BFP_INEXACT, DXC_SIMULATED_INEXACT},           {DFP_QUANTUM, DXC_SIMULATED_QUANTUM}};
    if (!fpc_valid(cpu, fpc))
        return PIC_SPECIFICATION;
    uint32_t flags = cpu->fpc >> FPC_FLAGS_SHIFT & 0xff, signals = flags & (fpc >> FPC_MASKS_SHIFT);
    cpu->fpc = fpc | flags << FPC_FLAGS_SHIFT;
    for (unsigned n = 0; n < sizeof order / sizeof order[0]; n++)
        if (signals & order[n].flag) {
            bool range = order[n].flag == BFP_OVERFLOW || order[n].flag == BFP_UNDERFLOW;
            return cpu_data_exception(cpu, order[n].code | (range ? flags & BFP_INEXACT : 0));
        }
    return 0;
}

/* SET FPC AND SIGNAL, LOAD FPC AND SIGNAL. CC: unchanged. Exceptions: operation; data (AFP register, simulated IEEE
   exceptions: completes); access (fetch); specification. */
int cpu_sfasr(struct cpu *cpu, const struct dis_insn *i) { return set_and_signal(cpu, gr32(cpu, i->r1)); }
int cpu_lfas(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t fpc;
    int code = cpu_fetch4(cpu, cpu_ea2(cpu, i), i->b2, &fpc);
    return code ? code : set_and_signal(cpu, fpc);
}

/* SET BFP ROUNDING MODE (2 bits), (3 bits), SET DFP ROUNDING MODE: from the rightmost bits of the second-operand
   address. CC: unchanged. Exceptions: operation; data (AFP register); specification (3 bits: a mode that does not
   exist, other bits of the rightmost byte not zero). */
int cpu_srnm(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->fpc = (cpu->fpc & ~FPC_BRM) | ((uint32_t)cpu_ea2(cpu, i) & 3);
    return 0;
}
int cpu_srnmb(struct cpu *cpu, const struct dis_insn *i)
{
    unsigned mode = (unsigned)cpu_ea2(cpu, i) & 0xff;
    if (mode > 7 || (mode >= 4 && mode <= 6))
        return PIC_SPECIFICATION;
    cpu->fpc = (cpu->fpc & ~FPC_BRM) | mode;
    return 0;
}
int cpu_srnmt(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->fpc = (cpu->fpc & ~FPC_DRM) | ((uint32_t)cpu_ea2(cpu, i) & 7) << 4;
    return 0;
}
