/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that add and subtract signed integers. PoP chapter 7.
   All of them set the condition code: 0 zero, 1 less than zero, 2 greater than zero, 3 overflow; with overflow the
   result without its carry is put in place and a fixed-point-overflow interruption follows when the program mask asks
   for it (completed). Other exceptions: access exceptions of the storage operand. */
#include "cpu/exec/general/internal.h"

static int set_high_result(struct cpu *cpu, unsigned r1, int32_t result, bool overflow)
{
    set_grh32(cpu, r1, (uint32_t)result);
    return general_signed_cc(cpu, result, overflow);
}

static int add32(struct cpu *cpu, unsigned r1, uint32_t a, uint32_t b)
{
    int32_t result;
    bool overflow = __builtin_add_overflow((int32_t)a, (int32_t)b, &result);
    return general_set_result32(cpu, r1, result, overflow);
}
static int add_high(struct cpu *cpu, unsigned r1, uint32_t a, uint32_t b)
{
    int32_t result;
    bool overflow = __builtin_add_overflow((int32_t)a, (int32_t)b, &result);
    return set_high_result(cpu, r1, result, overflow);
}
static int add64(struct cpu *cpu, unsigned r1, uint64_t a, int64_t b)
{
    int64_t result;
    bool overflow = __builtin_add_overflow((int64_t)a, b, &result);
    return general_set_result64(cpu, r1, result, overflow);
}
static int subtract32(struct cpu *cpu, unsigned r1, uint32_t a, uint32_t b)
{
    int32_t result;
    bool overflow = __builtin_sub_overflow((int32_t)a, (int32_t)b, &result);
    return general_set_result32(cpu, r1, result, overflow);
}
static int subtract_high(struct cpu *cpu, unsigned r1, uint32_t a, uint32_t b)
{
    int32_t result;
    bool overflow = __builtin_sub_overflow((int32_t)a, (int32_t)b, &result);
    return set_high_result(cpu, r1, result, overflow);
}
static int subtract64(struct cpu *cpu, unsigned r1, uint64_t a, int64_t b)
{
    int64_t result;
    bool overflow = __builtin_sub_overflow((int64_t)a, b, &result);
    return general_set_result64(cpu, r1, result, overflow);
}

/* ADD (AR, AGR, AGFR, ARK, AGRK; A, AY, AG, AGF). */
int cpu_ar(struct cpu *cpu, const struct dis_insn *i) { return add32(cpu, i->r1, gr32(cpu, i->r1), gr32(cpu, i->r2)); }
int cpu_agr(struct cpu *cpu, const struct dis_insn *i)
{
    return add64(cpu, i->r1, cpu->gr[i->r1], (int64_t)cpu->gr[i->r2]);
}
int cpu_agfr(struct cpu *cpu, const struct dis_insn *i)
{
    return add64(cpu, i->r1, cpu->gr[i->r1], (int32_t)gr32(cpu, i->r2));
}
int cpu_ark(struct cpu *cpu, const struct dis_insn *i) { return add32(cpu, i->r1, gr32(cpu, i->r2), gr32(cpu, i->r3)); }
int cpu_agrk(struct cpu *cpu, const struct dis_insn *i)
{
    return add64(cpu, i->r1, cpu->gr[i->r2], (int64_t)cpu->gr[i->r3]);
}
int cpu_a(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : add32(cpu, i->r1, gr32(cpu, i->r1), v);
}
int cpu_ag(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : add64(cpu, i->r1, cpu->gr[i->r1], (int64_t)v);
}
int cpu_agf(struct cpu *cpu, const struct dis_insn *i)
{
    int32_t v;
    int code = general_signed_word(cpu, i, &v);
    return code ? code : add64(cpu, i->r1, cpu->gr[i->r1], v);
}

/* ADD IMMEDIATE (AFI, AGFI, AHIK, AGHIK), ADD HALFWORD IMMEDIATE (AHI, AGHI). */
int cpu_afi(struct cpu *cpu, const struct dis_insn *i) { return add32(cpu, i->r1, gr32(cpu, i->r1), (uint32_t)i->i2); }
int cpu_agfi(struct cpu *cpu, const struct dis_insn *i) { return add64(cpu, i->r1, cpu->gr[i->r1], (int32_t)i->i2); }
int cpu_ahik(struct cpu *cpu, const struct dis_insn *i)
{
    return add32(cpu, i->r1, gr32(cpu, i->r3), (uint32_t)(int16_t)i->i2);
}
int cpu_aghik(struct cpu *cpu, const struct dis_insn *i) { return add64(cpu, i->r1, cpu->gr[i->r3], (int16_t)i->i2); }
int cpu_ahi(struct cpu *cpu, const struct dis_insn *i)
{
    return add32(cpu, i->r1, gr32(cpu, i->r1), (uint32_t)(int16_t)i->i2);
}
int cpu_aghi(struct cpu *cpu, const struct dis_insn *i) { return add64(cpu, i->r1, cpu->gr[i->r1], (int16_t)i->i2); }

/* ADD IMMEDIATE to storage (ASI, AGSI): the sign-extended I2 is added to the first operand. An operand on its integral
   boundary is updated with interlock. Access exceptions (fetch and store), then fixed-point overflow (completed). */
int cpu_asi(struct cpu *cpu, const struct dis_insn *i)
{
    int32_t result;
    bool overflow;
    uint32_t old, new;
    uint64_t address = cpu_ea1(cpu, i);
    if (address & 3) {
        int code = cpu_test(cpu, address, i->b1, 4, CPU_UPDATE);
        if (!code)
            code = cpu_fetch4(cpu, address, i->b1, &old);
        if (code)
            return code;
        overflow = __builtin_add_overflow((int32_t)old, (int8_t)i->i2, &result);
        code = cpu_store4(cpu, address, i->b1, (uint32_t)result);
        if (code)
            return code;
    } else {
        void *host;
        int code = cpu_interlocked(cpu, address, i->b1, 4, &host);
        if (code)
            return code;
        old = __atomic_load_n((uint32_t *)host, __ATOMIC_RELAXED);
        do {
            overflow = __builtin_add_overflow((int32_t)BE32(old), (int8_t)i->i2, &result);
            new = BE32((uint32_t)result);
        } while (!__atomic_compare_exchange_n((uint32_t *)host, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    }
    if (overflow)
        return general_overflow(cpu);
    cpu->cc = general_sign(result);
    return 0;
}
int cpu_agsi(struct cpu *cpu, const struct dis_insn *i)
{
    int64_t result;
    bool overflow;
    uint64_t old, new;
    uint64_t address = cpu_ea1(cpu, i);
    if (address & 7) {
        int code = cpu_test(cpu, address, i->b1, 8, CPU_UPDATE);
        if (!code)
            code = cpu_fetch8(cpu, address, i->b1, &old);
        if (code)
            return code;
        overflow = __builtin_add_overflow((int64_t)old, (int8_t)i->i2, &result);
        code = cpu_store8(cpu, address, i->b1, (uint64_t)result);
        if (code)
            return code;
    } else {
        void *host;
        int code = cpu_interlocked(cpu, address, i->b1, 8, &host);
        if (code)
            return code;
        old = __atomic_load_n((uint64_t *)host, __ATOMIC_RELAXED);
        do {
            overflow = __builtin_add_overflow((int64_t)BE64(old), (int8_t)i->i2, &result);
            new = BE64((uint64_t)result);
        } while (!__atomic_compare_exchange_n((uint64_t *)host, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    }
    if (overflow)
        return general_overflow(cpu);
    cpu->cc = general_sign(result);
    return 0;
}

/* ADD HALFWORD (AH, AHY, AGH). */
int cpu_ah(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    return code ? code : add32(cpu, i->r1, gr32(cpu, i->r1), (uint32_t)v);
}
int cpu_agh(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    return code ? code : add64(cpu, i->r1, cpu->gr[i->r1], v);
}

/* ADD HIGH (AHHHR, AHHLR), ADD IMMEDIATE HIGH (AIH). */
int cpu_ahhhr(struct cpu *cpu, const struct dis_insn *i)
{
    return add_high(cpu, i->r1, grh32(cpu, i->r2), grh32(cpu, i->r3));
}
int cpu_ahhlr(struct cpu *cpu, const struct dis_insn *i)
{
    return add_high(cpu, i->r1, grh32(cpu, i->r2), gr32(cpu, i->r3));
}
int cpu_aih(struct cpu *cpu, const struct dis_insn *i)
{
    return add_high(cpu, i->r1, grh32(cpu, i->r1), (uint32_t)i->i2);
}

/* SUBTRACT (SR, SGR, SGFR, SRK, SGRK; S, SY, SG, SGF). */
int cpu_sr(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract32(cpu, i->r1, gr32(cpu, i->r1), gr32(cpu, i->r2));
}
int cpu_sgr(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract64(cpu, i->r1, cpu->gr[i->r1], (int64_t)cpu->gr[i->r2]);
}
int cpu_sgfr(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract64(cpu, i->r1, cpu->gr[i->r1], (int32_t)gr32(cpu, i->r2));
}
int cpu_srk(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract32(cpu, i->r1, gr32(cpu, i->r2), gr32(cpu, i->r3));
}
int cpu_sgrk(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract64(cpu, i->r1, cpu->gr[i->r2], (int64_t)cpu->gr[i->r3]);
}
int cpu_s(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : subtract32(cpu, i->r1, gr32(cpu, i->r1), v);
}
int cpu_sg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : subtract64(cpu, i->r1, cpu->gr[i->r1], (int64_t)v);
}
int cpu_sgf(struct cpu *cpu, const struct dis_insn *i)
{
    int32_t v;
    int code = general_signed_word(cpu, i, &v);
    return code ? code : subtract64(cpu, i->r1, cpu->gr[i->r1], v);
}

/* SUBTRACT HALFWORD (SH, SHY, SGH). */
int cpu_sh(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    return code ? code : subtract32(cpu, i->r1, gr32(cpu, i->r1), (uint32_t)v);
}
int cpu_sgh(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    return code ? code : subtract64(cpu, i->r1, cpu->gr[i->r1], v);
}

/* SUBTRACT HIGH (SHHHR, SHHLR). */
int cpu_shhhr(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract_high(cpu, i->r1, grh32(cpu, i->r2), grh32(cpu, i->r3));
}
int cpu_shhlr(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract_high(cpu, i->r1, grh32(cpu, i->r2), gr32(cpu, i->r3));
}
