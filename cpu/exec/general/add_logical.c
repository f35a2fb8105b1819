/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that add and subtract unsigned integers, with and without carry or borrow. PoP chapter 7.
   Condition code of ADD LOGICAL: 0 zero, no carry; 1 not zero, no carry; 2 zero, carry; 3 not zero, carry.
   Condition code of SUBTRACT LOGICAL: 0 zero, borrow (with borrow only); 1 not zero, borrow; 2 zero, no borrow; 3 not
   zero, no borrow. The only exceptions are access exceptions of the storage operand. */
#include "cpu/exec/general/internal.h"

static uint8_t logical_cc(bool nonzero, bool carry) { return (uint8_t)(carry << 1 | nonzero); }

/* a + b + carry; a subtraction gives the complement of the subtrahend and a carry of one. */
static uint32_t sum32(struct cpu *cpu, uint32_t a, uint32_t b, unsigned carry)
{
    uint64_t sum = (uint64_t)a + b + carry;
    cpu->cc = logical_cc((uint32_t)sum != 0, sum >> 32);
    return (uint32_t)sum;
}
static uint64_t sum64(struct cpu *cpu, uint64_t a, uint64_t b, unsigned carry)
{
    uint64_t first, sum;
    bool out = __builtin_add_overflow(a, b, &first);
    out |= __builtin_add_overflow(first, (uint64_t)carry, &sum);
    cpu->cc = logical_cc(sum != 0, out);
    return sum;
}

static int add32(struct cpu *cpu, unsigned r1, uint32_t a, uint32_t b)
{
    set_gr32(cpu, r1, sum32(cpu, a, b, 0));
    return 0;
}
static int add64(struct cpu *cpu, unsigned r1, uint64_t a, uint64_t b)
{
    cpu->gr[r1] = sum64(cpu, a, b, 0);
    return 0;
}
static int add_high(struct cpu *cpu, unsigned r1, uint32_t a, uint32_t b)
{
    set_grh32(cpu, r1, sum32(cpu, a, b, 0));
    return 0;
}
static int subtract32(struct cpu *cpu, unsigned r1, uint32_t a, uint32_t b)
{
    set_gr32(cpu, r1, sum32(cpu, a, ~b, 1));
    return 0;
}
static int subtract64(struct cpu *cpu, unsigned r1, uint64_t a, uint64_t b)
{
    cpu->gr[r1] = sum64(cpu, a, ~b, 1);
    return 0;
}
static int subtract_high(struct cpu *cpu, unsigned r1, uint32_t a, uint32_t b)
{
    set_grh32(cpu, r1, sum32(cpu, a, ~b, 1));
    return 0;
}

/* ADD LOGICAL (ALR, ALGR, ALGFR, ALRK, ALGRK; AL, ALY, ALG, ALGF). */
int cpu_alr(struct cpu *cpu, const struct dis_insn *i) { return add32(cpu, i->r1, gr32(cpu, i->r1), gr32(cpu, i->r2)); }
int cpu_algr(struct cpu *cpu, const struct dis_insn *i) { return add64(cpu, i->r1, cpu->gr[i->r1], cpu->gr[i->r2]); }
int cpu_algfr(struct cpu *cpu, const struct dis_insn *i) { return add64(cpu, i->r1, cpu->gr[i->r1], gr32(cpu, i->r2)); }
int cpu_alrk(struct cpu *cpu, const struct dis_insn *i)
{
    return add32(cpu, i->r1, gr32(cpu, i->r2), gr32(cpu, i->r3));
}
int cpu_algrk(struct cpu *cpu, const struct dis_insn *i) { return add64(cpu, i->r1, cpu->gr[i->r2], cpu->gr[i->r3]); }
int cpu_al(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : add32(cpu, i->r1, gr32(cpu, i->r1), v);
}
int cpu_alg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : add64(cpu, i->r1, cpu->gr[i->r1], v);
}
int cpu_algf(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : add64(cpu, i->r1, cpu->gr[i->r1], v);
}

/* ADD LOGICAL IMMEDIATE (ALFI, ALGFI), ADD LOGICAL WITH SIGNED IMMEDIATE (ALHSIK, ALGHSIK). */
int cpu_alfi(struct cpu *cpu, const struct dis_insn *i) { return add32(cpu, i->r1, gr32(cpu, i->r1), (uint32_t)i->i2); }
int cpu_algfi(struct cpu *cpu, const struct dis_insn *i) { return add64(cpu, i->r1, cpu->gr[i->r1], (uint32_t)i->i2); }
int cpu_alhsik(struct cpu *cpu, const struct dis_insn *i)
{
    return add32(cpu, i->r1, gr32(cpu, i->r3), (uint32_t)(int16_t)i->i2);
}
int cpu_alghsik(struct cpu *cpu, const struct dis_insn *i)
{
    return add64(cpu, i->r1, cpu->gr[i->r3], (uint64_t)(int16_t)i->i2);
}

/* ADD LOGICAL HIGH (ALHHHR, ALHHLR), ADD LOGICAL WITH SIGNED IMMEDIATE HIGH (ALSIH; ALSIHN leaves the condition code
   unchanged). */
int cpu_alhhhr(struct cpu *cpu, const struct dis_insn *i)
{
    return add_high(cpu, i->r1, grh32(cpu, i->r2), grh32(cpu, i->r3));
}
int cpu_alhhlr(struct cpu *cpu, const struct dis_insn *i)
{
    return add_high(cpu, i->r1, grh32(cpu, i->r2), gr32(cpu, i->r3));
}
int cpu_alsih(struct cpu *cpu, const struct dis_insn *i)
{
    return add_high(cpu, i->r1, grh32(cpu, i->r1), (uint32_t)i->i2);
}
int cpu_alsihn(struct cpu *cpu, const struct dis_insn *i)
{
    set_grh32(cpu, i->r1, grh32(cpu, i->r1) + (uint32_t)i->i2);
    return 0;
}

/* ADD LOGICAL WITH CARRY (ALCR, ALCGR; ALC, ALCG): bit 18 of the PSW (the condition code's first bit) is added too. */
int cpu_alcr(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, sum32(cpu, gr32(cpu, i->r1), gr32(cpu, i->r2), cpu->cc >> 1));
    return 0;
}
int cpu_alcgr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = sum64(cpu, cpu->gr[i->r1], cpu->gr[i->r2], cpu->cc >> 1);
    return 0;
}
int cpu_alc(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, sum32(cpu, gr32(cpu, i->r1), v, cpu->cc >> 1));
    return 0;
}
int cpu_alcg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = sum64(cpu, cpu->gr[i->r1], v, cpu->cc >> 1);
    return 0;
}

/* ADD LOGICAL WITH SIGNED IMMEDIATE to storage (ALSI, ALGSI): the sign-extended I2 is added to the first operand; an
   operand on its integral boundary is updated with interlock. Access exceptions (fetch and store). */
int cpu_alsi(struct cpu *cpu, const struct dis_insn *i)
{
    const uint32_t addend = (uint32_t)(int8_t)i->i2;
    uint64_t address = cpu_ea1(cpu, i);
    uint32_t old, new;
    if (address & 3) {
        int code = cpu_test(cpu, address, i->b1, 4, CPU_UPDATE);
        if (!code)
            code = cpu_fetch4(cpu, address, i->b1, &old);
        if (!code)
            code = cpu_store4(cpu, address, i->b1, old + addend);
        if (!code)
            (void)sum32(cpu, old, addend, 0);
        return code;
    }
    void *host;
    int code = cpu_interlocked(cpu, address, i->b1, 4, &host);
    if (code)
        return code;
    old = __atomic_load_n((uint32_t *)host, __ATOMIC_RELAXED);
    do
        new = BE32(sum32(cpu, BE32(old), addend, 0));
    while (!__atomic_compare_exchange_n((uint32_t *)host, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return 0;
}
int cpu_algsi(struct cpu *cpu, const struct dis_insn *i)
{
    const uint64_t addend = (uint64_t)(int8_t)i->i2;
    uint64_t address = cpu_ea1(cpu, i);
    uint64_t old, new;
    if (address & 7) {
        int code = cpu_test(cpu, address, i->b1, 8, CPU_UPDATE);
        if (!code)
            code = cpu_fetch8(cpu, address, i->b1, &old);
        if (!code)
            code = cpu_store8(cpu, address, i->b1, old + addend);
        if (!code)
            (void)sum64(cpu, old, addend, 0);
        return code;
    }
    void *host;
    int code = cpu_interlocked(cpu, address, i->b1, 8, &host);
    if (code)
        return code;
    old = __atomic_load_n((uint64_t *)host, __ATOMIC_RELAXED);
    do
        new = BE64(sum64(cpu, BE64(old), addend, 0));
    while (!__atomic_compare_exchange_n((uint64_t *)host, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return 0;
}

/* SUBTRACT LOGICAL (SLR, SLGR, SLGFR, SLRK, SLGRK; SL, SLY, SLG, SLGF). */
int cpu_slr(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract32(cpu, i->r1, gr32(cpu, i->r1), gr32(cpu, i->r2));
}
int cpu_slgr(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract64(cpu, i->r1, cpu->gr[i->r1], cpu->gr[i->r2]);
}
int cpu_slgfr(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract64(cpu, i->r1, cpu->gr[i->r1], gr32(cpu, i->r2));
}
int cpu_slrk(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract32(cpu, i->r1, gr32(cpu, i->r2), gr32(cpu, i->r3));
}
int cpu_slgrk(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract64(cpu, i->r1, cpu->gr[i->r2], cpu->gr[i->r3]);
}
int cpu_sl(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : subtract32(cpu, i->r1, gr32(cpu, i->r1), v);
}
int cpu_slg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : subtract64(cpu, i->r1, cpu->gr[i->r1], v);
}
int cpu_slgf(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : subtract64(cpu, i->r1, cpu->gr[i->r1], v);
}

/* SUBTRACT LOGICAL IMMEDIATE (SLFI, SLGFI). */
int cpu_slfi(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract32(cpu, i->r1, gr32(cpu, i->r1), (uint32_t)i->i2);
}
int cpu_slgfi(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract64(cpu, i->r1, cpu->gr[i->r1], (uint32_t)i->i2);
}

/* SUBTRACT LOGICAL HIGH (SLHHHR, SLHHLR). */
int cpu_slhhhr(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract_high(cpu, i->r1, grh32(cpu, i->r2), grh32(cpu, i->r3));
}
int cpu_slhhlr(struct cpu *cpu, const struct dis_insn *i)
{
    return subtract_high(cpu, i->r1, grh32(cpu, i->r2), gr32(cpu, i->r3));
}

/* SUBTRACT LOGICAL WITH BORROW (SLBR, SLBGR; SLB, SLBG): condition codes 0 and 1 mean that a borrow is to be subtracted
   too. */
int cpu_slbr(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, sum32(cpu, gr32(cpu, i->r1), ~gr32(cpu, i->r2), cpu->cc >> 1));
    return 0;
}
int cpu_slbgr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = sum64(cpu, cpu->gr[i->r1], ~cpu->gr[i->r2], cpu->cc >> 1);
    return 0;
}
int cpu_slb(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    if (code)
        return code;
    set_gr32(cpu, i->r1, sum32(cpu, gr32(cpu, i->r1), ~v, cpu->cc >> 1));
    return 0;
}
int cpu_slbg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    if (code)
        return code;
    cpu->gr[i->r1] = sum64(cpu, cpu->gr[i->r1], ~v, cpu->cc >> 1);
    return 0;
}
