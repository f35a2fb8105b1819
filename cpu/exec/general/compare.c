/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that compare and set the condition code. PoP chapter 7.
   Condition code: 0 operands equal, 1 first operand low, 2 first operand high. The only exceptions are access
   exceptions of the storage operand, and specification for a relative-long operand that is not on its boundary. */
#include "cpu/exec/general/internal.h"

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

/* The first operand in storage. */
static int MUST_USE first_byte(struct cpu *cpu, const struct dis_insn *i, uint8_t *v)
{
    return cpu_fetch1(cpu, cpu_ea1(cpu, i), i->b1, v);
}
static int MUST_USE first_halfword(struct cpu *cpu, const struct dis_insn *i, uint16_t *v)
{
    return cpu_fetch2(cpu, cpu_ea1(cpu, i), i->b1, v);
}
static int MUST_USE first_word(struct cpu *cpu, const struct dis_insn *i, uint32_t *v)
{
    return cpu_fetch4(cpu, cpu_ea1(cpu, i), i->b1, v);
}
static int MUST_USE first_doubleword(struct cpu *cpu, const struct dis_insn *i, uint64_t *v)
{
    return cpu_fetch8(cpu, cpu_ea1(cpu, i), i->b1, v);
}

/* A body with an operand in storage, in the words of its row: `v` of the type is fetched, and the two operands are
   compared by the rule. */
#define WITH_STORAGE(body, rule, type, fetch, first, second)                                                           \
    int cpu_##body(struct cpu *cpu, const struct dis_insn *i)                                                          \
    {                                                                                                                  \
        type v;                                                                                                        \
        int code = fetch(cpu, i, &v);                                                                                  \
        return code ? code : rule(cpu, first, second);                                                                 \
    }

/* COMPARE (CR, CGR, CGFR; C, CY, CG, CGF). */
int cpu_cr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, low(cpu, i->r1), low(cpu, i->r2)); }
int cpu_cgr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, all(cpu, i->r1), all(cpu, i->r2)); }
int cpu_cgfr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, all(cpu, i->r1), low(cpu, i->r2)); }
WITH_STORAGE(c, compare, int32_t, general_signed_word, low(cpu, i->r1), v)
WITH_STORAGE(cg, compare, uint64_t, general_doubleword, all(cpu, i->r1), (int64_t)v)
WITH_STORAGE(cgf, compare, int32_t, general_signed_word, all(cpu, i->r1), v)

/* COMPARE IMMEDIATE (CFI, CGFI), COMPARE RELATIVE LONG (CRL, CGRL, CGFRL). */
int cpu_cfi(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, low(cpu, i->r1), (int32_t)i->i2); }
int cpu_cgfi(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, all(cpu, i->r1), (int32_t)i->i2); }
WITH_STORAGE(crl, compare, uint32_t, general_relative_word, low(cpu, i->r1), (int32_t)v)
WITH_STORAGE(cgrl, compare, uint64_t, general_relative_doubleword, all(cpu, i->r1), (int64_t)v)
WITH_STORAGE(cgfrl, compare, uint32_t, general_relative_word, all(cpu, i->r1), (int32_t)v)

/* COMPARE HALFWORD (CH, CHY, CGH), IMMEDIATE (CHI, CGHI; CHHSI, CHSI, CGHSI with storage), RELATIVE LONG (CHRL,
   CGHRL). */
WITH_STORAGE(ch, compare, int16_t, general_halfword, low(cpu, i->r1), v)
WITH_STORAGE(cgh, compare, int16_t, general_halfword, all(cpu, i->r1), v)
int cpu_chi(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, low(cpu, i->r1), (int16_t)i->i2); }
int cpu_cghi(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, all(cpu, i->r1), (int16_t)i->i2); }
WITH_STORAGE(chhsi, compare, uint16_t, first_halfword, (int16_t)v, (int16_t)i->i2)
WITH_STORAGE(chsi, compare, uint32_t, first_word, (int32_t)v, (int16_t)i->i2)
WITH_STORAGE(cghsi, compare, uint64_t, first_doubleword, (int64_t)v, (int16_t)i->i2)
WITH_STORAGE(chrl, compare, uint16_t, general_relative_halfword, low(cpu, i->r1), (int16_t)v)
WITH_STORAGE(cghrl, compare, uint16_t, general_relative_halfword, all(cpu, i->r1), (int16_t)v)

/* COMPARE HIGH (CHHR, CHLR; CHF), COMPARE IMMEDIATE HIGH (CIH). */
int cpu_chhr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, high(cpu, i->r1), high(cpu, i->r2)); }
int cpu_chlr(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, high(cpu, i->r1), low(cpu, i->r2)); }
WITH_STORAGE(chf, compare, int32_t, general_signed_word, high(cpu, i->r1), v)
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
WITH_STORAGE(cl, compare_logical, uint32_t, general_word, gr32(cpu, i->r1), v)
WITH_STORAGE(clg, compare_logical, uint64_t, general_doubleword, cpu->gr[i->r1], v)
WITH_STORAGE(clgf, compare_logical, uint32_t, general_word, cpu->gr[i->r1], v)
WITH_STORAGE(cli, compare_logical, uint8_t, first_byte, v, (uint8_t)i->i2)

/* COMPARE LOGICAL IMMEDIATE (CLFI, CLGFI; CLHHSI, CLFHSI, CLGHSI with storage). */
int cpu_clfi(struct cpu *cpu, const struct dis_insn *i)
{
    return compare_logical(cpu, gr32(cpu, i->r1), (uint32_t)i->i2);
}
int cpu_clgfi(struct cpu *cpu, const struct dis_insn *i)
{
    return compare_logical(cpu, cpu->gr[i->r1], (uint32_t)i->i2);
}
WITH_STORAGE(clhhsi, compare_logical, uint16_t, first_halfword, v, (uint16_t)i->i2)
WITH_STORAGE(clfhsi, compare_logical, uint32_t, first_word, v, (uint16_t)i->i2)
WITH_STORAGE(clghsi, compare_logical, uint64_t, first_doubleword, v, (uint16_t)i->i2)

/* COMPARE LOGICAL RELATIVE LONG (CLRL, CLGRL, CLGFRL; CLHRL, CLGHRL with a halfword). */
WITH_STORAGE(clrl, compare_logical, uint32_t, general_relative_word, gr32(cpu, i->r1), v)
WITH_STORAGE(clgrl, compare_logical, uint64_t, general_relative_doubleword, cpu->gr[i->r1], v)
WITH_STORAGE(clgfrl, compare_logical, uint32_t, general_relative_word, cpu->gr[i->r1], v)
WITH_STORAGE(clhrl, compare_logical, uint16_t, general_relative_halfword, gr32(cpu, i->r1), v)
WITH_STORAGE(clghrl, compare_logical, uint16_t, general_relative_halfword, cpu->gr[i->r1], v)

/* COMPARE LOGICAL HIGH (CLHHR, CLHLR; CLHF), COMPARE LOGICAL IMMEDIATE HIGH (CLIH). */
int cpu_clhhr(struct cpu *cpu, const struct dis_insn *i)
{
    return compare_logical(cpu, grh32(cpu, i->r1), grh32(cpu, i->r2));
}
int cpu_clhlr(struct cpu *cpu, const struct dis_insn *i)
{
    return compare_logical(cpu, grh32(cpu, i->r1), gr32(cpu, i->r2));
}
WITH_STORAGE(clhf, compare_logical, uint32_t, general_word, grh32(cpu, i->r1), v)
int cpu_clih(struct cpu *cpu, const struct dis_insn *i)
{
    return compare_logical(cpu, grh32(cpu, i->r1), (uint32_t)i->i2);
}
