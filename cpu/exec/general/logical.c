/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions for AND, OR, EXCLUSIVE OR and their complements, TEST UNDER MASK, and bit counts. PoP chapter 7.
   Condition code of the connectives: 0 result zero, 1 result not zero. The only exceptions are access exceptions of the
   storage operand. */
#include "cpu/exec/general/internal.h"

static int set_result32(struct cpu *cpu, unsigned r1, uint32_t v)
{
    set_gr32(cpu, r1, v);
    cpu->cc = v != 0;
    return 0;
}
static int set_result64(struct cpu *cpu, unsigned r1, uint64_t v)
{
    cpu->gr[r1] = v;
    cpu->cc = v != 0;
    return 0;
}

/* AND (NR, NGR, NRK, NGRK; N, NY, NG). */
int cpu_nr(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result32(cpu, i->r1, gr32(cpu, i->r1) & gr32(cpu, i->r2));
}
int cpu_ngr(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result64(cpu, i->r1, cpu->gr[i->r1] & cpu->gr[i->r2]);
}
int cpu_nrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result32(cpu, i->r1, gr32(cpu, i->r2) & gr32(cpu, i->r3));
}
int cpu_ngrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result64(cpu, i->r1, cpu->gr[i->r2] & cpu->gr[i->r3]);
}
int cpu_n(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : set_result32(cpu, i->r1, gr32(cpu, i->r1) & v);
}
int cpu_ng(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : set_result64(cpu, i->r1, cpu->gr[i->r1] & v);
}

/* OR (OR, OGR, ORK, OGRK; O, OY, OG). */
int cpu_or(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result32(cpu, i->r1, gr32(cpu, i->r1) | gr32(cpu, i->r2));
}
int cpu_ogr(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result64(cpu, i->r1, cpu->gr[i->r1] | cpu->gr[i->r2]);
}
int cpu_ork(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result32(cpu, i->r1, gr32(cpu, i->r2) | gr32(cpu, i->r3));
}
int cpu_ogrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result64(cpu, i->r1, cpu->gr[i->r2] | cpu->gr[i->r3]);
}
int cpu_o(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : set_result32(cpu, i->r1, gr32(cpu, i->r1) | v);
}
int cpu_og(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : set_result64(cpu, i->r1, cpu->gr[i->r1] | v);
}

/* EXCLUSIVE OR (XR, XGR, XRK, XGRK; X, XY, XG). */
int cpu_xr(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result32(cpu, i->r1, gr32(cpu, i->r1) ^ gr32(cpu, i->r2));
}
int cpu_xgr(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result64(cpu, i->r1, cpu->gr[i->r1] ^ cpu->gr[i->r2]);
}
int cpu_xrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result32(cpu, i->r1, gr32(cpu, i->r2) ^ gr32(cpu, i->r3));
}
int cpu_xgrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result64(cpu, i->r1, cpu->gr[i->r2] ^ cpu->gr[i->r3]);
}
int cpu_x(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : set_result32(cpu, i->r1, gr32(cpu, i->r1) ^ v);
}
int cpu_xg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : set_result64(cpu, i->r1, cpu->gr[i->r1] ^ v);
}

/* AND WITH COMPLEMENT (NCRK, NCGRK), NAND (NNRK, NNGRK), NOR (NORK, NOGRK), NOT EXCLUSIVE OR (NXRK, NXGRK), OR WITH
   COMPLEMENT (OCRK, OCGRK): the third operand is the one complemented. */
int cpu_ncrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result32(cpu, i->r1, gr32(cpu, i->r2) & ~gr32(cpu, i->r3));
}
int cpu_ncgrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result64(cpu, i->r1, cpu->gr[i->r2] & ~cpu->gr[i->r3]);
}
int cpu_nnrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result32(cpu, i->r1, ~(gr32(cpu, i->r2) & gr32(cpu, i->r3)));
}
int cpu_nngrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result64(cpu, i->r1, ~(cpu->gr[i->r2] & cpu->gr[i->r3]));
}
int cpu_nork(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result32(cpu, i->r1, ~(gr32(cpu, i->r2) | gr32(cpu, i->r3)));
}
int cpu_nogrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result64(cpu, i->r1, ~(cpu->gr[i->r2] | cpu->gr[i->r3]));
}
int cpu_nxrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result32(cpu, i->r1, ~(gr32(cpu, i->r2) ^ gr32(cpu, i->r3)));
}
int cpu_nxgrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result64(cpu, i->r1, ~(cpu->gr[i->r2] ^ cpu->gr[i->r3]));
}
int cpu_ocrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result32(cpu, i->r1, gr32(cpu, i->r2) | ~gr32(cpu, i->r3));
}
int cpu_ocgrk(struct cpu *cpu, const struct dis_insn *i)
{
    return set_result64(cpu, i->r1, cpu->gr[i->r2] | ~cpu->gr[i->r3]);
}

/* The immediate forms change and test bits first to last of the register only. */
enum connective { CONNECTIVE_AND, CONNECTIVE_OR, CONNECTIVE_XOR };
static int connect(struct cpu *cpu, unsigned r1, enum connective how, unsigned first, unsigned last, uint64_t i2)
{
    const uint64_t place = (~UINT64_C(0) >> (63 - (last - first))) << (63 - last);
    const uint64_t operand = i2 << (63 - last) & place;
    uint64_t v = cpu->gr[r1];
    v = how == CONNECTIVE_AND ? v & (operand | ~place) : how == CONNECTIVE_OR ? v | operand : v ^ operand;
    cpu->gr[r1] = v;
    cpu->cc = (v & place) != 0;
    return 0;
}

/* AND IMMEDIATE (NIHF, NILF, NIHH, NIHL, NILH, NILL). */
int cpu_nihf(struct cpu *cpu, const struct dis_insn *i)
{
    return connect(cpu, i->r1, CONNECTIVE_AND, 0, 31, (uint64_t)i->i2);
}
int cpu_nilf(struct cpu *cpu, const struct dis_insn *i)
{
    return connect(cpu, i->r1, CONNECTIVE_AND, 32, 63, (uint64_t)i->i2);
}
int cpu_nihh(struct cpu *cpu, const struct dis_insn *i)
{
    return connect(cpu, i->r1, CONNECTIVE_AND, 0, 15, (uint64_t)i->i2);
}
int cpu_nihl(struct cpu *cpu, const struct dis_insn *i)
{
    return connect(cpu, i->r1, CONNECTIVE_AND, 16, 31, (uint64_t)i->i2);
}
int cpu_nilh(struct cpu *cpu, const struct dis_insn *i)
{
    return connect(cpu, i->r1, CONNECTIVE_AND, 32, 47, (uint64_t)i->i2);
}
int cpu_nill(struct cpu *cpu, const struct dis_insn *i)
{
    return connect(cpu, i->r1, CONNECTIVE_AND, 48, 63, (uint64_t)i->i2);
}

/* OR IMMEDIATE (OIHF, OILF, OIHH, OIHL, OILH, OILL). */
int cpu_oihf(struct cpu *cpu, const struct dis_insn *i)
{
    return connect(cpu, i->r1, CONNECTIVE_OR, 0, 31, (uint64_t)i->i2);
}
int cpu_oilf(struct cpu *cpu, const struct dis_insn *i)
{
    return connect(cpu, i->r1, CONNECTIVE_OR, 32, 63, (uint64_t)i->i2);
}
int cpu_oihh(struct cpu *cpu, const struct dis_insn *i)
{
    return connect(cpu, i->r1, CONNECTIVE_OR, 0, 15, (uint64_t)i->i2);
}
int cpu_oihl(struct cpu *cpu, const struct dis_insn *i)
{
    return connect(cpu, i->r1, CONNECTIVE_OR, 16, 31, (uint64_t)i->i2);
}
int cpu_oilh(struct cpu *cpu, const struct dis_insn *i)
{
    return connect(cpu, i->r1, CONNECTIVE_OR, 32, 47, (uint64_t)i->i2);
}
int cpu_oill(struct cpu *cpu, const struct dis_insn *i)
{
    return connect(cpu, i->r1, CONNECTIVE_OR, 48, 63, (uint64_t)i->i2);
}

/* EXCLUSIVE OR IMMEDIATE (XIHF, XILF). */
int cpu_xihf(struct cpu *cpu, const struct dis_insn *i)
{
    return connect(cpu, i->r1, CONNECTIVE_XOR, 0, 31, (uint64_t)i->i2);
}
int cpu_xilf(struct cpu *cpu, const struct dis_insn *i)
{
    return connect(cpu, i->r1, CONNECTIVE_XOR, 32, 63, (uint64_t)i->i2);
}

/* AND, OR, EXCLUSIVE OR immediate with storage (NI, NIY, OI, OIY, XI, XIY): one byte, updated with interlock. Access
   exceptions (fetch and store). */
int cpu_ni(struct cpu *cpu, const struct dis_insn *i)
{
    void *host;
    int code = cpu_interlocked(cpu, cpu_ea1(cpu, i), i->b1, 1, &host);
    if (code)
        return code;
    cpu->cc = __atomic_and_fetch((uint8_t *)host, (uint8_t)i->i2, __ATOMIC_SEQ_CST) != 0;
    return 0;
}
int cpu_oi(struct cpu *cpu, const struct dis_insn *i)
{
    void *host;
    int code = cpu_interlocked(cpu, cpu_ea1(cpu, i), i->b1, 1, &host);
    if (code)
        return code;
    cpu->cc = __atomic_or_fetch((uint8_t *)host, (uint8_t)i->i2, __ATOMIC_SEQ_CST) != 0;
    return 0;
}
int cpu_xi(struct cpu *cpu, const struct dis_insn *i)
{
    void *host;
    int code = cpu_interlocked(cpu, cpu_ea1(cpu, i), i->b1, 1, &host);
    if (code)
        return code;
    cpu->cc = __atomic_xor_fetch((uint8_t *)host, (uint8_t)i->i2, __ATOMIC_SEQ_CST) != 0;
    return 0;
}

/* TEST UNDER MASK (TM, TMY): condition code 0 selected bits all zeros or mask zero, 1 mixed, 3 all ones. */
int cpu_tm(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t v;
    int code = cpu_fetch1(cpu, cpu_ea1(cpu, i), i->b1, &v);
    if (code)
        return code;
    v &= (uint8_t)i->i2;
    cpu->cc = v == 0 ? 0 : v == (uint8_t)i->i2 ? 3 : 1;
    return 0;
}

/* TEST UNDER MASK HIGH, LOW (TMHH, TMHL, TMLH, TMLL): condition code 0 all zeros or mask zero; mixed: 1 when the
   leftmost selected bit is zero, 2 when it is one; 3 all ones. */
static int test_under_mask(struct cpu *cpu, uint64_t halfword, uint16_t mask)
{
    uint16_t selected = (uint16_t)halfword & mask;
    if (selected == 0)
        cpu->cc = 0;
    else if (selected == mask)
        cpu->cc = 3;
    else
        /* selected and (mask ^ selected) share no bit: the larger one holds the leftmost bit of the mask. */
        cpu->cc = selected > (mask ^ selected) ? 2 : 1;
    return 0;
}
int cpu_tmhh(struct cpu *cpu, const struct dis_insn *i)
{
    return test_under_mask(cpu, cpu->gr[i->r1] >> 48, (uint16_t)i->i2);
}
int cpu_tmhl(struct cpu *cpu, const struct dis_insn *i)
{
    return test_under_mask(cpu, cpu->gr[i->r1] >> 32, (uint16_t)i->i2);
}
int cpu_tmlh(struct cpu *cpu, const struct dis_insn *i)
{
    return test_under_mask(cpu, cpu->gr[i->r1] >> 16, (uint16_t)i->i2);
}
int cpu_tmll(struct cpu *cpu, const struct dis_insn *i)
{
    return test_under_mask(cpu, cpu->gr[i->r1], (uint16_t)i->i2);
}

/* FIND LEFTMOST ONE (FLOGR): R1 receives the number of zeros on the left (64 when there is no one), R1+1 the operand
   without that one. Condition code: 0 no one found, 2 found. Specification exception: R1 odd (engine). */
int cpu_flogr(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v = cpu->gr[i->r2];
    unsigned position = v ? (unsigned)__builtin_clzll(v) : 64;
    cpu->gr[i->r1] = position;
    cpu->gr[i->r1 | 1u] = v ? v & ~BIT64(position) : 0;
    cpu->cc = v ? 2 : 0;
    return 0;
}

/* POPULATION COUNT (POPCNT): each byte of R1 receives the number of ones in that byte of R2; with the
   miscellaneous-instruction-extensions facility 3 (bit 61) and bit 0 of M3 one, R1 receives the number of ones in all
   of R2. Condition code: 0 result zero, 1 not zero. */
int cpu_popcnt(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v = cpu->gr[i->r2];
    if ((i->m3 & 8) && cpu_facility(cpu->sys, FACILITY_MISC3))
        return set_result64(cpu, i->r1, (uint64_t)__builtin_popcountll(v));
    v -= v >> 1 & UINT64_C(0x5555555555555555);
    v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
    return set_result64(cpu, i->r1, (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f));
}
