/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that multiply and divide. PoP chapter 7.
   The condition code is unchanged except by MSC, MSGC, MSRKC and MSGRKC. Odd even-odd-pair designations are found by
   the engine (specification); then come access exceptions of the storage operand, then fixed-point divide. */
#include "cpu/exec/general/internal.h"

/* A doubleword into bits 32-63 of the registers of an even-odd pair. */
static int set_pair32(struct cpu *cpu, unsigned r1, uint64_t v)
{
    set_gr32(cpu, r1, (uint32_t)(v >> 32));
    set_gr32(cpu, r1 | 1u, (uint32_t)v);
    return 0;
}
static uint64_t pair32(const struct cpu *cpu, unsigned r1)
{
    return (uint64_t)gr32(cpu, r1) << 32 | gr32(cpu, r1 | 1u);
}

static int set_pair64(struct cpu *cpu, unsigned r1, unsigned __int128 v)
{
    cpu->gr[r1] = (uint64_t)(v >> 64);
    cpu->gr[r1 | 1u] = (uint64_t)v;
    return 0;
}

/* MULTIPLY (MR; M, MFY: 32 x 32 bits to the pair's 64; MGRK; MG: 64 x 64 bits to the pair's 128). */
static int multiply32(struct cpu *cpu, unsigned r1, uint32_t b)
{
    return set_pair32(cpu, r1, (uint64_t)((int64_t)(int32_t)gr32(cpu, r1 | 1u) * (int32_t)b));
}
int cpu_mr(struct cpu *cpu, const struct dis_insn *i) { return multiply32(cpu, i->r1, gr32(cpu, i->r2)); }
int cpu_m(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : multiply32(cpu, i->r1, v);
}
int cpu_mgrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_pair64(cpu, i->r1, (unsigned __int128)((__int128)(int64_t)cpu->gr[i->r2] * (int64_t)cpu->gr[i->r3]));
}
int cpu_mg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code
                : set_pair64(cpu, i->r1, (unsigned __int128)((__int128)(int64_t)cpu->gr[i->r1 | 1u] * (int64_t)v));
}

/* MULTIPLY HALFWORD (MH, MHY, MGH), MULTIPLY HALFWORD IMMEDIATE (MHI, MGHI): the product without what is left of the
   first operand's size. */
int cpu_mh(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, gr32(cpu, i->r1) * (uint32_t)v);
    return 0;
}
int cpu_mgh(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] *= (uint64_t)v;
    return 0;
}
int cpu_mhi(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, gr32(cpu, i->r1) * (uint32_t)(int16_t)i->i2);
    return 0;
}
int cpu_mghi(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] *= (uint64_t)(int16_t)i->i2;
    return 0;
}

/* MULTIPLY LOGICAL (MLR; ML: 32 x 32 bits to the pair's 64; MLGR; MLG: 64 x 64 bits to the pair's 128). */
int cpu_mlr(struct cpu *cpu, const struct dis_insn *i)
{
    return set_pair32(cpu, i->r1, (uint64_t)gr32(cpu, i->r1 | 1u) * gr32(cpu, i->r2));
}
int cpu_ml(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : set_pair32(cpu, i->r1, (uint64_t)gr32(cpu, i->r1 | 1u) * v);
}
int cpu_mlgr(struct cpu *cpu, const struct dis_insn *i)
{
    return set_pair64(cpu, i->r1, (unsigned __int128)cpu->gr[i->r1 | 1u] * cpu->gr[i->r2]);
}
int cpu_mlg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : set_pair64(cpu, i->r1, (unsigned __int128)cpu->gr[i->r1 | 1u] * v);
}

/* MULTIPLY SINGLE (MSR, MSGR, MSGFR; MS, MSY, MSG, MSGF), MULTIPLY SINGLE IMMEDIATE (MSFI, MSGFI). */
int cpu_msr(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, gr32(cpu, i->r1) * gr32(cpu, i->r2));
    return 0;
}
int cpu_msgr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] *= cpu->gr[i->r2];
    return 0;
}
int cpu_msgfr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] *= (uint64_t)(int32_t)gr32(cpu, i->r2);
    return 0;
}
int cpu_ms(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, gr32(cpu, i->r1) * v);
    return 0;
}
int cpu_msg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] *= v;
    return 0;
}
int cpu_msgf(struct cpu *cpu, const struct dis_insn *i)
{
    int32_t v;
    int code = general_signed_word(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] *= (uint64_t)(int64_t)v;
    return 0;
}
int cpu_msfi(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, gr32(cpu, i->r1) * (uint32_t)i->i2);
    return 0;
}
int cpu_msgfi(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] *= (uint64_t)(int32_t)i->i2;
    return 0;
}

/* MULTIPLY SINGLE that sets the condition code (MSRKC, MSGRKC; MSC, MSGC): 0 zero, 1 less than zero, 2 greater than
   zero, 3 overflow. Fixed-point overflow (completed). */
static int multiply_single32(struct cpu *cpu, unsigned r1, uint32_t a, uint32_t b)
{
    int32_t result;
    bool overflow = __builtin_mul_overflow((int32_t)a, (int32_t)b, &result);
    return general_set_result32(cpu, r1, result, overflow);
}
static int multiply_single64(struct cpu *cpu, unsigned r1, uint64_t a, uint64_t b)
{
    int64_t result;
    bool overflow = __builtin_mul_overflow((int64_t)a, (int64_t)b, &result);
    return general_set_result64(cpu, r1, result, overflow);
}
int cpu_msrkc(struct cpu *cpu, const struct dis_insn *i)
{
    return multiply_single32(cpu, i->r1, gr32(cpu, i->r2), gr32(cpu, i->r3));
}
int cpu_msgrkc(struct cpu *cpu, const struct dis_insn *i)
{
    return multiply_single64(cpu, i->r1, cpu->gr[i->r2], cpu->gr[i->r3]);
}
int cpu_msc(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : multiply_single32(cpu, i->r1, gr32(cpu, i->r1), v);
}
int cpu_msgc(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : multiply_single64(cpu, i->r1, cpu->gr[i->r1], v);
}

/* DIVIDE (DR; D): the pair's 64-bit dividend by 32 bits; remainder to R1, quotient to R1+1 (32 bits each). Fixed-point
   divide (suppressed): divisor zero or quotient too large. */
static int divide32(struct cpu *cpu, unsigned r1, int32_t divisor)
{
    int64_t dividend = (int64_t)pair32(cpu, r1);
    if (divisor == 0 || (divisor == -1 && dividend == INT64_MIN))
        return PIC_FIXED_POINT_DIVIDE;
    int64_t quotient = dividend / divisor;
    if (quotient != (int32_t)quotient)
        return PIC_FIXED_POINT_DIVIDE;
    set_gr32(cpu, r1, (uint32_t)(dividend % divisor));
    set_gr32(cpu, r1 | 1u, (uint32_t)quotient);
    return 0;
}
int cpu_dr(struct cpu *cpu, const struct dis_insn *i) { return divide32(cpu, i->r1, (int32_t)gr32(cpu, i->r2)); }
int cpu_d(struct cpu *cpu, const struct dis_insn *i)
{
    int32_t v;
    int code = general_signed_word(cpu, i, &v);
    return code ? code : divide32(cpu, i->r1, v);
}

/* DIVIDE LOGICAL (DLR; DL: 64 by 32 bits; DLGR; DLG: 128 by 64 bits). Fixed-point divide as for DIVIDE. */
static int divide_logical32(struct cpu *cpu, unsigned r1, uint32_t divisor)
{
    uint64_t dividend = pair32(cpu, r1);
    if (dividend >> 32 >= divisor)
        return PIC_FIXED_POINT_DIVIDE;
    set_gr32(cpu, r1, (uint32_t)(dividend % divisor));
    set_gr32(cpu, r1 | 1u, (uint32_t)(dividend / divisor));
    return 0;
}
static int divide_logical64(struct cpu *cpu, unsigned r1, uint64_t divisor)
{
    unsigned __int128 dividend = (unsigned __int128)cpu->gr[r1] << 64 | cpu->gr[r1 | 1u];
    if (cpu->gr[r1] >= divisor)
        return PIC_FIXED_POINT_DIVIDE;
    cpu->gr[r1] = (uint64_t)(dividend % divisor);
    cpu->gr[r1 | 1u] = (uint64_t)(dividend / divisor);
    return 0;
}
int cpu_dlr(struct cpu *cpu, const struct dis_insn *i) { return divide_logical32(cpu, i->r1, gr32(cpu, i->r2)); }
int cpu_dl(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : divide_logical32(cpu, i->r1, v);
}
int cpu_dlgr(struct cpu *cpu, const struct dis_insn *i) { return divide_logical64(cpu, i->r1, cpu->gr[i->r2]); }
int cpu_dlg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : divide_logical64(cpu, i->r1, v);
}

/* DIVIDE SINGLE (DSGR, DSGFR; DSG, DSGF): the 64-bit dividend is in R1+1; remainder to R1, quotient to R1+1.
   Fixed-point divide (suppressed): divisor zero, or the maximum negative number by -1. */
static int divide_single(struct cpu *cpu, unsigned r1, int64_t divisor)
{
    int64_t dividend = (int64_t)cpu->gr[r1 | 1u];
    if (divisor == 0 || (divisor == -1 && dividend == INT64_MIN))
        return PIC_FIXED_POINT_DIVIDE;
    cpu->gr[r1] = (uint64_t)(dividend % divisor);
    cpu->gr[r1 | 1u] = (uint64_t)(dividend / divisor);
    return 0;
}
int cpu_dsgr(struct cpu *cpu, const struct dis_insn *i) { return divide_single(cpu, i->r1, (int64_t)cpu->gr[i->r2]); }
int cpu_dsgfr(struct cpu *cpu, const struct dis_insn *i)
{
    return divide_single(cpu, i->r1, (int32_t)gr32(cpu, i->r2));
}
int cpu_dsg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : divide_single(cpu, i->r1, (int64_t)v);
}
int cpu_dsgf(struct cpu *cpu, const struct dis_insn *i)
{
    int32_t v;
    int code = general_signed_word(cpu, i, &v);
    return code ? code : divide_single(cpu, i->r1, v);
}
