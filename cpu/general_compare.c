/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that compare and set the condition code. PoP chapter 7.
   Condition code: 0 operands equal, 1 first operand low, 2 first operand high. The only exceptions are access
   exceptions of the storage operand, and specification for a relative-long operand that is not on its boundary. */
#include "cpu/general.h"

static int compare(struct cpu *cpu, int64_t a, int64_t b)
{
    cpu->cc = general_compare_signed(a, b);
    return 0;
}
static int compare_logical(struct cpu *cpu, uint64_t a, uint64_t b)
{
    cpu->cc = general_compare_logical(a, b);
    return 0;
}
/* Bits 32-63, bits 0-31, all bits of the register as a signed integer. */
static int32_t low(const struct cpu *cpu, unsigned r) { return (int32_t)gr32(cpu, r); }
static int32_t high(const struct cpu *cpu, unsigned r) { return (int32_t)grh32(cpu, r); }
static int64_t all(const struct cpu *cpu, unsigned r) { return (int64_t)cpu->gr[r]; }

/* COMPARE (CR, CGR, CGFR; C, CY, CG, CGF). */
int cpu_cr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, low(cpu, i->r1), low(cpu, i->r2)); }
int cpu_cgr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, all(cpu, i->r1), all(cpu, i->r2)); }
int cpu_cgfr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, all(cpu, i->r1), low(cpu, i->r2)); }
int cpu_c(struct cpu *cpu, const struct dis_insn *i)
{
    int32_t v;
    int code = general_signed_word(cpu, i, &v);
    return code ? code : compare(cpu, low(cpu, i->r1), v);
}
int cpu_cg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : compare(cpu, all(cpu, i->r1), (int64_t)v);
}
int cpu_cgf(struct cpu *cpu, const struct dis_insn *i)
{
    int32_t v;
    int code = general_signed_word(cpu, i, &v);
    return code ? code : compare(cpu, all(cpu, i->r1), v);
}

/* COMPARE IMMEDIATE (CFI, CGFI), COMPARE RELATIVE LONG (CRL, CGRL, CGFRL). */
int cpu_cfi(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, low(cpu, i->r1), (int32_t)i->i2); }
int cpu_cgfi(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, all(cpu, i->r1), (int32_t)i->i2); }
int cpu_crl(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_relative_word(cpu, i, &v);
    return code ? code : compare(cpu, low(cpu, i->r1), (int32_t)v);
}
int cpu_cgrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_relative_doubleword(cpu, i, &v);
    return code ? code : compare(cpu, all(cpu, i->r1), (int64_t)v);
}
int cpu_cgfrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_relative_word(cpu, i, &v);
    return code ? code : compare(cpu, all(cpu, i->r1), (int32_t)v);
}

/* COMPARE HALFWORD (CH, CHY, CGH), IMMEDIATE (CHI, CGHI; CHHSI, CHSI, CGHSI with storage), RELATIVE LONG (CHRL, CGHRL).
 */
int cpu_ch(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    return code ? code : compare(cpu, low(cpu, i->r1), v);
}
int cpu_cgh(struct cpu *cpu, const struct dis_insn *i)
{
    int16_t v;
    int code = general_halfword(cpu, i, &v);
    return code ? code : compare(cpu, all(cpu, i->r1), v);
}
int cpu_chi(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, low(cpu, i->r1), (int16_t)i->i2); }
int cpu_cghi(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, all(cpu, i->r1), (int16_t)i->i2); }
int cpu_chhsi(struct cpu *cpu, const struct dis_insn *i)
{
    uint16_t v;
    int code = cpu_fetch2(cpu, cpu_ea1(cpu, i), i->b1, &v);
    return code ? code : compare(cpu, (int16_t)v, (int16_t)i->i2);
}
int cpu_chsi(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = cpu_fetch4(cpu, cpu_ea1(cpu, i), i->b1, &v);
    return code ? code : compare(cpu, (int32_t)v, (int16_t)i->i2);
}
int cpu_cghsi(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = cpu_fetch8(cpu, cpu_ea1(cpu, i), i->b1, &v);
    return code ? code : compare(cpu, (int64_t)v, (int16_t)i->i2);
}
int cpu_chrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint16_t v;
    int code = general_relative_halfword(cpu, i, &v);
    return code ? code : compare(cpu, low(cpu, i->r1), (int16_t)v);
}
int cpu_cghrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint16_t v;
    int code = general_relative_halfword(cpu, i, &v);
    return code ? code : compare(cpu, all(cpu, i->r1), (int16_t)v);
}

/* COMPARE HIGH (CHHR, CHLR; CHF), COMPARE IMMEDIATE HIGH (CIH). */
int cpu_chhr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, high(cpu, i->r1), high(cpu, i->r2)); }
int cpu_chlr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, high(cpu, i->r1), low(cpu, i->r2)); }
int cpu_chf(struct cpu *cpu, const struct dis_insn *i)
{
    int32_t v;
    int code = general_signed_word(cpu, i, &v);
    return code ? code : compare(cpu, high(cpu, i->r1), v);
}
int cpu_cih(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, high(cpu, i->r1), (int32_t)i->i2); }

/* COMPARE LOGICAL (CLR, CLGR, CLGFR; CL, CLY, CLG, CLGF; CLI, CLIY with a byte in storage). */
int cpu_clr(struct cpu *cpu, const struct dis_insn *i)
{
    return compare_logical(cpu, gr32(cpu, i->r1), gr32(cpu, i->r2));
}
int cpu_clgr(struct cpu *cpu, const struct dis_insn *i) { return compare_logical(cpu, cpu->gr[i->r1], cpu->gr[i->r2]); }
int cpu_clgfr(struct cpu *cpu, const struct dis_insn *i)
{
    return compare_logical(cpu, cpu->gr[i->r1], gr32(cpu, i->r2));
}
int cpu_cl(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : compare_logical(cpu, gr32(cpu, i->r1), v);
}
int cpu_clg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : compare_logical(cpu, cpu->gr[i->r1], v);
}
int cpu_clgf(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : compare_logical(cpu, cpu->gr[i->r1], v);
}
int cpu_cli(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t v;
    int code = cpu_fetch1(cpu, cpu_ea1(cpu, i), i->b1, &v);
    return code ? code : compare_logical(cpu, v, (uint8_t)i->i2);
}

/* COMPARE LOGICAL IMMEDIATE (CLFI, CLGFI; CLHHSI, CLFHSI, CLGHSI with storage). */
int cpu_clfi(struct cpu *cpu, const struct dis_insn *i)
{
    return compare_logical(cpu, gr32(cpu, i->r1), (uint32_t)i->i2);
}
int cpu_clgfi(struct cpu *cpu, const struct dis_insn *i)
{
    return compare_logical(cpu, cpu->gr[i->r1], (uint32_t)i->i2);
}
int cpu_clhhsi(struct cpu *cpu, const struct dis_insn *i)
{
    uint16_t v;
    int code = cpu_fetch2(cpu, cpu_ea1(cpu, i), i->b1, &v);
    return code ? code : compare_logical(cpu, v, (uint16_t)i->i2);
}
int cpu_clfhsi(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = cpu_fetch4(cpu, cpu_ea1(cpu, i), i->b1, &v);
    return code ? code : compare_logical(cpu, v, (uint16_t)i->i2);
}
int cpu_clghsi(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = cpu_fetch8(cpu, cpu_ea1(cpu, i), i->b1, &v);
    return code ? code : compare_logical(cpu, v, (uint16_t)i->i2);
}

/* COMPARE LOGICAL RELATIVE LONG (CLRL, CLGRL, CLGFRL; CLHRL, CLGHRL with a halfword). */
int cpu_clrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_relative_word(cpu, i, &v);
    return code ? code : compare_logical(cpu, gr32(cpu, i->r1), v);
}
int cpu_clgrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_relative_doubleword(cpu, i, &v);
    return code ? code : compare_logical(cpu, cpu->gr[i->r1], v);
}
int cpu_clgfrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_relative_word(cpu, i, &v);
    return code ? code : compare_logical(cpu, cpu->gr[i->r1], v);
}
int cpu_clhrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint16_t v;
    int code = general_relative_halfword(cpu, i, &v);
    return code ? code : compare_logical(cpu, gr32(cpu, i->r1), v);
}
int cpu_clghrl(struct cpu *cpu, const struct dis_insn *i)
{
    uint16_t v;
    int code = general_relative_halfword(cpu, i, &v);
    return code ? code : compare_logical(cpu, cpu->gr[i->r1], v);
}

/* COMPARE LOGICAL HIGH (CLHHR, CLHLR; CLHF), COMPARE LOGICAL IMMEDIATE HIGH (CLIH). */
int cpu_clhhr(struct cpu *cpu, const struct dis_insn *i)
{
    return compare_logical(cpu, grh32(cpu, i->r1), grh32(cpu, i->r2));
}
int cpu_clhlr(struct cpu *cpu, const struct dis_insn *i)
{
    return compare_logical(cpu, grh32(cpu, i->r1), gr32(cpu, i->r2));
}
int cpu_clhf(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : compare_logical(cpu, grh32(cpu, i->r1), v);
}
int cpu_clih(struct cpu *cpu, const struct dis_insn *i)
{
    return compare_logical(cpu, grh32(cpu, i->r1), (uint32_t)i->i2);
}
