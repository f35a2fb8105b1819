/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that compare and branch, or compare and trap. PoP chapter 7. The condition code is unchanged.
   M3 selects: bit 0 operands equal, bit 1 first operand low, bit 2 first operand high; bit 3 is ignored. */
#include "cpu/exec/general/internal.h"

/* Does M3 select the outcome (0 equal, 1 low, 2 high)? */
static bool selects(unsigned m3, unsigned outcome) { return m3 & (8u >> outcome); }

static int branch_relative(struct cpu *cpu, const struct dis_insn *i, unsigned outcome)
{
    if (selects(i->m3, outcome))
        cpu_branch(cpu, cpu_relative(cpu, i->ri3));
    return 0;
}
static int branch(struct cpu *cpu, const struct dis_insn *i, unsigned outcome)
{
    if (selects(i->m3, outcome))
        cpu_branch(cpu, cpu_ea4(cpu, i));
    return 0;
}
static int trap(struct cpu *cpu, const struct dis_insn *i, unsigned outcome)
{
    return selects(i->m3, outcome) ? general_trap(cpu) : 0;
}

static unsigned signed32(const struct cpu *cpu, unsigned r1, int32_t b)
{
    return general_compare_signed((int32_t)gr32(cpu, r1), b);
}
static unsigned signed64(const struct cpu *cpu, unsigned r1, int64_t b)
{
    return general_compare_signed((int64_t)cpu->gr[r1], b);
}
static unsigned logical32(const struct cpu *cpu, unsigned r1, uint32_t b)
{
    return general_compare_logical(gr32(cpu, r1), b);
}
static unsigned logical64(const struct cpu *cpu, unsigned r1, uint64_t b)
{
    return general_compare_logical(cpu->gr[r1], b);
}

/* COMPARE AND BRANCH (CRB, CGRB), COMPARE AND BRANCH RELATIVE (CRJ, CGRJ). */
int cpu_crb(struct cpu *cpu, const struct dis_insn *i)
{
    return branch(cpu, i, signed32(cpu, i->r1, (int32_t)gr32(cpu, i->r2)));
}
int cpu_cgrb(struct cpu *cpu, const struct dis_insn *i)
{
    return branch(cpu, i, signed64(cpu, i->r1, (int64_t)cpu->gr[i->r2]));
}
int cpu_crj(struct cpu *cpu, const struct dis_insn *i)
{
    return branch_relative(cpu, i, signed32(cpu, i->r1, (int32_t)gr32(cpu, i->r2)));
}
int cpu_cgrj(struct cpu *cpu, const struct dis_insn *i)
{
    return branch_relative(cpu, i, signed64(cpu, i->r1, (int64_t)cpu->gr[i->r2]));
}

/* COMPARE IMMEDIATE AND BRANCH (CIB, CGIB), COMPARE IMMEDIATE AND BRANCH RELATIVE (CIJ, CGIJ). */
int cpu_cib(struct cpu *cpu, const struct dis_insn *i) { return branch(cpu, i, signed32(cpu, i->r1, (int8_t)i->i2)); }
int cpu_cgib(struct cpu *cpu, const struct dis_insn *i) { return branch(cpu, i, signed64(cpu, i->r1, (int8_t)i->i2)); }
int cpu_cij(struct cpu *cpu, const struct dis_insn *i)
{
    return branch_relative(cpu, i, signed32(cpu, i->r1, (int8_t)i->i2));
}
int cpu_cgij(struct cpu *cpu, const struct dis_insn *i)
{
    return branch_relative(cpu, i, signed64(cpu, i->r1, (int8_t)i->i2));
}

/* COMPARE LOGICAL AND BRANCH (CLRB, CLGRB), COMPARE LOGICAL AND BRANCH RELATIVE (CLRJ, CLGRJ). */
int cpu_clrb(struct cpu *cpu, const struct dis_insn *i)
{
    return branch(cpu, i, logical32(cpu, i->r1, gr32(cpu, i->r2)));
}
int cpu_clgrb(struct cpu *cpu, const struct dis_insn *i)
{
    return branch(cpu, i, logical64(cpu, i->r1, cpu->gr[i->r2]));
}
int cpu_clrj(struct cpu *cpu, const struct dis_insn *i)
{
    return branch_relative(cpu, i, logical32(cpu, i->r1, gr32(cpu, i->r2)));
}
int cpu_clgrj(struct cpu *cpu, const struct dis_insn *i)
{
    return branch_relative(cpu, i, logical64(cpu, i->r1, cpu->gr[i->r2]));
}

/* COMPARE LOGICAL IMMEDIATE AND BRANCH (CLIB, CLGIB), COMPARE LOGICAL IMMEDIATE AND BRANCH RELATIVE (CLIJ, CLGIJ). */
int cpu_clib(struct cpu *cpu, const struct dis_insn *i)
{
    return branch(cpu, i, logical32(cpu, i->r1, (uint8_t)i->i2));
}
int cpu_clgib(struct cpu *cpu, const struct dis_insn *i)
{
    return branch(cpu, i, logical64(cpu, i->r1, (uint8_t)i->i2));
}
int cpu_clij(struct cpu *cpu, const struct dis_insn *i)
{
    return branch_relative(cpu, i, logical32(cpu, i->r1, (uint8_t)i->i2));
}
int cpu_clgij(struct cpu *cpu, const struct dis_insn *i)
{
    return branch_relative(cpu, i, logical64(cpu, i->r1, (uint8_t)i->i2));
}

/* COMPARE AND TRAP (CRT, CGRT), COMPARE IMMEDIATE AND TRAP (CIT, CGIT): data exception with DXC X'FF' when selected
   (completed). */
int cpu_crt(struct cpu *cpu, const struct dis_insn *i)
{
    return trap(cpu, i, signed32(cpu, i->r1, (int32_t)gr32(cpu, i->r2)));
}
int cpu_cgrt(struct cpu *cpu, const struct dis_insn *i)
{
    return trap(cpu, i, signed64(cpu, i->r1, (int64_t)cpu->gr[i->r2]));
}
int cpu_cit(struct cpu *cpu, const struct dis_insn *i) { return trap(cpu, i, signed32(cpu, i->r1, (int16_t)i->i2)); }
int cpu_cgit(struct cpu *cpu, const struct dis_insn *i) { return trap(cpu, i, signed64(cpu, i->r1, (int16_t)i->i2)); }

/* COMPARE LOGICAL AND TRAP (CLRT, CLGRT; CLT, CLGT), COMPARE LOGICAL IMMEDIATE AND TRAP (CLFIT, CLGIT): likewise;
   access exceptions of the storage operand first. */
int cpu_clrt(struct cpu *cpu, const struct dis_insn *i)
{
    return trap(cpu, i, logical32(cpu, i->r1, gr32(cpu, i->r2)));
}
int cpu_clgrt(struct cpu *cpu, const struct dis_insn *i) { return trap(cpu, i, logical64(cpu, i->r1, cpu->gr[i->r2])); }
int cpu_clt(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t v;
    int code = general_word(cpu, i, &v);
    return code ? code : trap(cpu, i, logical32(cpu, i->r1, v));
}
int cpu_clgt(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v;
    int code = general_doubleword(cpu, i, &v);
    return code ? code : trap(cpu, i, logical64(cpu, i->r1, v));
}
int cpu_clfit(struct cpu *cpu, const struct dis_insn *i)
{
    return trap(cpu, i, logical32(cpu, i->r1, (uint16_t)i->i2));
}
int cpu_clgit(struct cpu *cpu, const struct dis_insn *i)
{
    return trap(cpu, i, logical64(cpu, i->r1, (uint16_t)i->i2));
}
