/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that load or store on condition, several registers, or bytes under a mask; access registers.
   PoP chapter 7. */
#include "cpu/exec/general/internal.h"

/* LOAD ON CONDITION (LOCR, LOCGR; LOC, LOCG), LOAD HIGH ON CONDITION (LOCFHR; LOCFH), LOAD HALFWORD IMMEDIATE ON
   CONDITION (LOCHI, LOCGHI), LOAD HALFWORD HIGH IMMEDIATE ON CONDITION (LOCHHI): when the condition code selects a one
   in M3, the first operand is replaced. Condition code unchanged. Our reading: storage is not accessed when the
   condition is not met (PoP leaves that to the model). */
int cpu_locr(struct cpu *cpu, const struct dis_insn *i)
{
    if (general_condition(cpu, i->m3))
        set_gr32(cpu, i->r1, gr32(cpu, i->r2));
    return 0;
}
int cpu_locgr(struct cpu *cpu, const struct dis_insn *i)
{
    if (general_condition(cpu, i->m3))
        cpu->gr[i->r1] = cpu->gr[i->r2];
    return 0;
}
int cpu_locfhr(struct cpu *cpu, const struct dis_insn *i)
{
    if (general_condition(cpu, i->m3))
        set_grh32(cpu, i->r1, grh32(cpu, i->r2));
    return 0;
}
int cpu_loc(struct cpu *cpu, const struct dis_insn *i) { return general_condition(cpu, i->m3) ? cpu_l(cpu, i) : 0; }
int cpu_locg(struct cpu *cpu, const struct dis_insn *i) { return general_condition(cpu, i->m3) ? cpu_lg(cpu, i) : 0; }
int cpu_locfh(struct cpu *cpu, const struct dis_insn *i) { return general_condition(cpu, i->m3) ? cpu_lfh(cpu, i) : 0; }
int cpu_lochi(struct cpu *cpu, const struct dis_insn *i) { return general_condition(cpu, i->m3) ? cpu_lhi(cpu, i) : 0; }
int cpu_locghi(struct cpu *cpu, const struct dis_insn *i)
{
    return general_condition(cpu, i->m3) ? cpu_lghi(cpu, i) : 0;
}
int cpu_lochhi(struct cpu *cpu, const struct dis_insn *i)
{
    if (general_condition(cpu, i->m3))
        set_grh32(cpu, i->r1, (uint32_t)(int16_t)i->i2);
    return 0;
}

/* STORE ON CONDITION (STOC, STOCG), STORE HIGH ON CONDITION (STOCFH). Reading as for LOAD ON CONDITION. */
int cpu_stoc(struct cpu *cpu, const struct dis_insn *i) { return general_condition(cpu, i->m3) ? cpu_st(cpu, i) : 0; }
int cpu_stocg(struct cpu *cpu, const struct dis_insn *i) { return general_condition(cpu, i->m3) ? cpu_stg(cpu, i) : 0; }
int cpu_stocfh(struct cpu *cpu, const struct dis_insn *i)
{
    return general_condition(cpu, i->m3) ? cpu_stfh(cpu, i) : 0;
}

/* SELECT (SELR, SELGR), SELECT HIGH (SELFHR): the second operand when the condition code selects a one in M4, else the
   third. */
int cpu_selr(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, gr32(cpu, general_condition(cpu, i->m4) ? i->r2 : i->r3));
    return 0;
}
int cpu_selgr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = cpu->gr[general_condition(cpu, i->m4) ? i->r2 : i->r3];
    return 0;
}
int cpu_selfhr(struct cpu *cpu, const struct dis_insn *i)
{
    set_grh32(cpu, i->r1, grh32(cpu, general_condition(cpu, i->m4) ? i->r2 : i->r3));
    return 0;
}

/* Number of registers from R1 to R3, register 0 following register 15. */
static unsigned registers(const struct dis_insn *i) { return ((i->r3 - i->r1) & 15u) + 1; }

/* Their storage operand, `size` bytes for each. */
static int MUST_USE fetch_registers(struct cpu *cpu, const struct dis_insn *i, uint8_t *bytes, unsigned size)
{
    return cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes, size * registers(i));
}
static int MUST_USE store_registers(struct cpu *cpu, const struct dis_insn *i, const uint8_t *bytes, unsigned size)
{
    return cpu_store_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes, size * registers(i));
}

/* LOAD MULTIPLE (LM, LMY, LMG), LOAD MULTIPLE HIGH (LMH): registers R1 to R3 from consecutive words or doublewords.
   Access exceptions (nothing is loaded then). */
int cpu_lm(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[64];
    int code = fetch_registers(cpu, i, bytes, 4);
    for (unsigned k = 0, n = registers(i); !code && k < n; k++)
        set_gr32(cpu, (i->r1 + k) & 15, get32(bytes + 4 * k));
    return code;
}
int cpu_lmh(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[64];
    int code = fetch_registers(cpu, i, bytes, 4);
    for (unsigned k = 0, n = registers(i); !code && k < n; k++)
        set_grh32(cpu, (i->r1 + k) & 15, get32(bytes + 4 * k));
    return code;
}
int cpu_lmg(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[128];
    int code = fetch_registers(cpu, i, bytes, 8);
    for (unsigned k = 0, n = registers(i); !code && k < n; k++)
        cpu->gr[(i->r1 + k) & 15] = get64(bytes + 8 * k);
    return code;
}

/* LOAD MULTIPLE DISJOINT (LMD): bits 0-31 of the registers from the second operand, bits 32-63 from the fourth. */
int cpu_lmd(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t high[64], low[64];
    unsigned n = registers(i);
    int code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, high, 4 * n);
    if (!code)
        code = cpu_fetch_bytes(cpu, cpu_ea4(cpu, i), i->b4, low, 4 * n);
    if (code)
        return code;
    for (unsigned k = 0; k < n; k++)
        cpu->gr[(i->r1 + k) & 15] = (uint64_t)get32(high + 4 * k) << 32 | get32(low + 4 * k);
    return 0;
}

/* STORE MULTIPLE (STM, STMY, STMG), STORE MULTIPLE HIGH (STMH). Access exceptions (nothing is stored then). */
int cpu_stm(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[64];
    for (unsigned k = 0, n = registers(i); k < n; k++)
        put32(bytes + 4 * k, gr32(cpu, (i->r1 + k) & 15));
    return store_registers(cpu, i, bytes, 4);
}
int cpu_stmh(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[64];
    for (unsigned k = 0, n = registers(i); k < n; k++)
        put32(bytes + 4 * k, grh32(cpu, (i->r1 + k) & 15));
    return store_registers(cpu, i, bytes, 4);
}
int cpu_stmg(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[128];
    for (unsigned k = 0, n = registers(i); k < n; k++)
        put64(bytes + 8 * k, cpu->gr[(i->r1 + k) & 15]);
    return store_registers(cpu, i, bytes, 8);
}

/* LOAD ACCESS MULTIPLE (LAM, LAMY), STORE ACCESS MULTIPLE (STAM, STAMY). Specification exception: operand not on a word
   boundary; access exceptions. */
int cpu_lam(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[64];
    int code = cpu_ea2(cpu, i) & 3 ? PIC_SPECIFICATION : fetch_registers(cpu, i, bytes, 4);
    for (unsigned k = 0, n = registers(i); !code && k < n; k++)
        cpu->ar[(i->r1 + k) & 15] = get32(bytes + 4 * k);
    return code;
}
int cpu_stam(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[64];
    for (unsigned k = 0, n = registers(i); k < n; k++)
        put32(bytes + 4 * k, cpu->ar[(i->r1 + k) & 15]);
    return cpu_ea2(cpu, i) & 3 ? PIC_SPECIFICATION : store_registers(cpu, i, bytes, 4);
}

/* COPY ACCESS (CPYA), EXTRACT ACCESS (EAR), SET ACCESS (SAR). */
int cpu_cpya(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->ar[i->r1] = cpu->ar[i->r2];
    return 0;
}
int cpu_ear(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, cpu->ar[i->r2]);
    return 0;
}
int cpu_sar(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->ar[i->r1] = gr32(cpu, i->r2);
    return 0;
}

/* INSERT CHARACTERS UNDER MASK (ICM, ICMY: bits 32-63; ICMH: bits 0-31): successive bytes go where M3 has ones.
   Condition code: 0 all inserted bits zeros or mask zero, 1 leftmost inserted bit one, 2 leftmost zero but not all.
   Access exceptions, for one byte when the mask is zero. */
static int insert_under_mask(struct cpu *cpu, const struct dis_insn *i, uint32_t old, uint32_t *new)
{
    uint8_t bytes[4];
    unsigned n = general_ones(i->m3), next = 0;
    int code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes, n ? n : 1);
    if (code)
        return code;
    uint32_t any = 0;
    for (unsigned k = 0; k < 4; k++) {
        if (!(i->m3 & (8u >> k)))
            continue;
        any |= bytes[next];
        old = (old & ~(UINT32_C(0xff) << (24 - 8 * k))) | (uint32_t)bytes[next++] << (24 - 8 * k);
    }
    *new = old;
    cpu->cc = n == 0 || any == 0 ? 0 : bytes[0] & 0x80 ? 1 : 2;
    return 0;
}
int cpu_icm(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = insert_under_mask(cpu, i, gr32(cpu, i->r1), &v);
    if (!code)
        set_gr32(cpu, i->r1, v);
    return code;
}
int cpu_icmh(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = insert_under_mask(cpu, i, grh32(cpu, i->r1), &v);
    if (!code)
        set_grh32(cpu, i->r1, v);
    return code;
}

/* The bytes of `word` that mask M3 selects, left-aligned; returns their number. */
static unsigned select_bytes(uint32_t word, unsigned mask, uint8_t bytes[4])
{
    unsigned n = 0;
    for (unsigned k = 0; k < 4; k++) {
        if (mask & (8u >> k))
            bytes[n++] = (uint8_t)(word >> (24 - 8 * k));
    }
    return n;
}

/* STORE CHARACTERS UNDER MASK (STCM, STCMY: bits 32-63; STCMH: bits 0-31). Our reading: with a zero mask storage is not
   accessed (PoP leaves that to the model). */
static int store_under_mask(struct cpu *cpu, const struct dis_insn *i, uint32_t word)
{
    uint8_t bytes[4];
    unsigned n = select_bytes(word, i->m3, bytes);
    return n ? cpu_store_bytes(cpu, cpu_ea2(cpu, i), i->b2, bytes, n) : 0;
}
int cpu_stcm(struct cpu *cpu, const struct dis_insn *i) { return store_under_mask(cpu, i, gr32(cpu, i->r1)); }
int cpu_stcmh(struct cpu *cpu, const struct dis_insn *i) { return store_under_mask(cpu, i, grh32(cpu, i->r1)); }

/* COMPARE LOGICAL CHARACTERS UNDER MASK (CLM, CLMY: bits 32-63; CLMH: bits 0-31): condition code 0 equal or mask zero,
   1 first operand low, 2 first operand high. Access exceptions, for one byte when the mask is zero. */
static int compare_under_mask(struct cpu *cpu, const struct dis_insn *i, uint32_t word)
{
    uint8_t first[4], second[4];
    unsigned n = select_bytes(word, i->m3, first);
    int code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, second, n ? n : 1);
    if (code)
        return code;
    int order = n ? memcmp(first, second, n) : 0;
    cpu->cc = general_sign(order);
    return 0;
}
int cpu_clm(struct cpu *cpu, const struct dis_insn *i) { return compare_under_mask(cpu, i, gr32(cpu, i->r1)); }
int cpu_clmh(struct cpu *cpu, const struct dis_insn *i) { return compare_under_mask(cpu, i, grh32(cpu, i->r1)); }
