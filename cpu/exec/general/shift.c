/* SPDX-License-Identifier: GPL-3.0-or-later */
/* General instructions that shift and rotate. PoP chapter 7.
   The shift amount is bits 58-63 of the second-operand address, 0-63. Exceptions: odd even-odd-pair designations
   (specification, by the engine); fixed-point overflow where noted (completed). */
#include "cpu/exec/general/internal.h"

static unsigned amount(const struct cpu *cpu, const struct dis_insn *i) { return (unsigned)cpu_ea2(cpu, i) & 63; }

/* SHIFT LEFT SINGLE (SLA, SLAK, SLAG): the sign stays, zeros are supplied on the right. Condition code: 0 zero, 1 less
   than zero, 2 greater than zero, 3 overflow (a bit unlike the sign was shifted out). Fixed-point overflow. */
static int shift_left_single32(struct cpu *cpu, unsigned r1, uint32_t v, unsigned n)
{
    const uint32_t sign = v & BIT32(0);
    const uint64_t unlike = (sign ? ~v : v) & 0x7fffffff; /* ones where a numeric bit is unlike the sign */
    uint32_t result = sign | ((uint32_t)((uint64_t)v << n) & 0x7fffffff);
    set_gr32(cpu, r1, result);
    /* Beyond 31 places zeros that were supplied are shifted out, which are unlike a negative sign. */
    if (n > 31 ? unlike || sign : unlike >> (31 - n))
        return general_overflow(cpu);
    cpu->cc = general_sign((int32_t)result);
    return 0;
}
static uint64_t shift_left64(struct cpu *cpu, uint64_t v, unsigned n, bool *overflow)
{
    const uint64_t sign = v & BIT64(0);
    const uint64_t unlike = (sign ? ~v : v) & ~BIT64(0);
    const uint64_t result = sign | (v << n & ~BIT64(0));
    *overflow = unlike >> (63 - n) != 0;
    cpu->cc = general_sign((int64_t)result);
    return result;
}
static int shift_left_single64(struct cpu *cpu, unsigned r1, uint64_t v, unsigned n)
{
    bool overflow;
    cpu->gr[r1] = shift_left64(cpu, v, n, &overflow);
    return overflow ? general_overflow(cpu) : 0;
}
int cpu_sla(struct cpu *cpu, const struct dis_insn *i)
{
    return shift_left_single32(cpu, i->r1, gr32(cpu, i->r1), amount(cpu, i));
}
int cpu_slak(struct cpu *cpu, const struct dis_insn *i)
{
    return shift_left_single32(cpu, i->r1, gr32(cpu, i->r3), amount(cpu, i));
}
int cpu_slag(struct cpu *cpu, const struct dis_insn *i)
{
    return shift_left_single64(cpu, i->r1, cpu->gr[i->r3], amount(cpu, i));
}

/* SHIFT LEFT SINGLE LOGICAL (SLL, SLLK, SLLG), SHIFT RIGHT SINGLE LOGICAL (SRL, SRLK, SRLG): zeros are supplied;
   condition code unchanged. */
int cpu_sll(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, (uint32_t)((uint64_t)gr32(cpu, i->r1) << amount(cpu, i)));
    return 0;
}
int cpu_sllk(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, (uint32_t)((uint64_t)gr32(cpu, i->r3) << amount(cpu, i)));
    return 0;
}
int cpu_sllg(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = cpu->gr[i->r3] << amount(cpu, i);
    return 0;
}
int cpu_srl(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, (uint32_t)((uint64_t)gr32(cpu, i->r1) >> amount(cpu, i)));
    return 0;
}
int cpu_srlk(struct cpu *cpu, const struct dis_insn *i)
{
    set_gr32(cpu, i->r1, (uint32_t)((uint64_t)gr32(cpu, i->r3) >> amount(cpu, i)));
    return 0;
}
int cpu_srlg(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = cpu->gr[i->r3] >> amount(cpu, i);
    return 0;
}

/* SHIFT RIGHT SINGLE (SRA, SRAK, SRAG): the sign is supplied. Condition code: 0 zero, 1 less than zero, 2 greater than
   zero. */
static int shift_right_single32(struct cpu *cpu, unsigned r1, uint32_t v, unsigned n)
{
    int32_t result = (int32_t)((int64_t)(int32_t)v >> n);
    set_gr32(cpu, r1, (uint32_t)result);
    cpu->cc = general_sign(result);
    return 0;
}
static int shift_right_single64(struct cpu *cpu, unsigned r1, uint64_t v, unsigned n)
{
    int64_t result = (int64_t)v >> n;
    cpu->gr[r1] = (uint64_t)result;
    cpu->cc = general_sign(result);
    return 0;
}
int cpu_sra(struct cpu *cpu, const struct dis_insn *i)
{
    return shift_right_single32(cpu, i->r1, gr32(cpu, i->r1), amount(cpu, i));
}
int cpu_srak(struct cpu *cpu, const struct dis_insn *i)
{
    return shift_right_single32(cpu, i->r1, gr32(cpu, i->r3), amount(cpu, i));
}
int cpu_srag(struct cpu *cpu, const struct dis_insn *i)
{
    return shift_right_single64(cpu, i->r1, cpu->gr[i->r3], amount(cpu, i));
}

/* SHIFT LEFT DOUBLE (SLDA), SHIFT RIGHT DOUBLE (SRDA): the 64 bits in bits 32-63 of the pair, as for the single forms;
   the condition code is that of all 64 bits. SHIFT LEFT, RIGHT DOUBLE LOGICAL (SLDL, SRDL): condition code
   unchanged. */
static uint64_t pair(const struct cpu *cpu, unsigned r1) { return (uint64_t)gr32(cpu, r1) << 32 | gr32(cpu, r1 | 1u); }
static void set_pair(struct cpu *cpu, unsigned r1, uint64_t v)
{
    set_gr32(cpu, r1, (uint32_t)(v >> 32));
    set_gr32(cpu, r1 | 1u, (uint32_t)v);
}
int cpu_slda(struct cpu *cpu, const struct dis_insn *i)
{
    bool overflow;
    set_pair(cpu, i->r1, shift_left64(cpu, pair(cpu, i->r1), amount(cpu, i), &overflow));
    return overflow ? general_overflow(cpu) : 0;
}
int cpu_srda(struct cpu *cpu, const struct dis_insn *i)
{
    int64_t result = (int64_t)pair(cpu, i->r1) >> amount(cpu, i);
    set_pair(cpu, i->r1, (uint64_t)result);
    cpu->cc = general_sign(result);
    return 0;
}
int cpu_sldl(struct cpu *cpu, const struct dis_insn *i)
{
    set_pair(cpu, i->r1, pair(cpu, i->r1) << amount(cpu, i));
    return 0;
}
int cpu_srdl(struct cpu *cpu, const struct dis_insn *i)
{
    set_pair(cpu, i->r1, pair(cpu, i->r1) >> amount(cpu, i));
    return 0;
}

static uint64_t rotate_left(uint64_t v, unsigned n)
{
    n &= 63;
    return n ? v << n | v >> (64 - n) : v;
}

/* ROTATE LEFT SINGLE LOGICAL (RLL: 32 bits, RLLG: 64 bits): condition code unchanged. */
int cpu_rll(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t v = gr32(cpu, i->r3);
    set_gr32(cpu, i->r1, (uint32_t)((v << 32 | v) >> ((32 - amount(cpu, i)) & 31)));
    return 0;
}
int cpu_rllg(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->gr[i->r1] = rotate_left(cpu->gr[i->r3], amount(cpu, i));
    return 0;
}

/* Ones in bits first to last, going round from 63 to 0 when first is above last. */
static uint64_t selected_bits(unsigned first, unsigned last)
{
    uint64_t from = ~UINT64_C(0) >> first, to = ~UINT64_C(0) << (63 - last);
    return first <= last ? from & to : from | to;
}

/* ROTATE THEN INSERT SELECTED BITS (RISBG, RISBGN): the second operand, rotated left by bits 2-7 of I5, replaces bits
   I3 to I4 (bits 2-7 each) of the first; bit 0 of I4 one: the others become zero. Condition code of RISBG: 0 zero, 1
   less than zero, 2 greater than zero; RISBGN leaves it unchanged. */
int cpu_risbgn(struct cpu *cpu, const struct dis_insn *i)
{
    const uint64_t selected = selected_bits(i->i3 & 63, i->i4 & 63);
    const uint64_t kept = i->i4 & 0x80 ? 0 : cpu->gr[i->r1] & ~selected;
    cpu->gr[i->r1] = kept | (rotate_left(cpu->gr[i->r2], i->i5) & selected);
    return 0;
}
int cpu_risbg(struct cpu *cpu, const struct dis_insn *i)
{
    int code = cpu_risbgn(cpu, i);
    cpu->cc = general_sign((int64_t)cpu->gr[i->r1]);
    return code;
}

/* ROTATE THEN INSERT SELECTED BITS HIGH, LOW (RISBHG, RISBLG): as RISBGN, but within bits 0-31 or 32-63 of the first
   operand and of the rotated second; I3 and I4 (bits 3-7 each) count within that half. Condition code unchanged. */
static uint32_t selected_in_half(const struct dis_insn *i)
{
    unsigned first = i->i3 & 31, last = i->i4 & 31;
    uint32_t from = ~UINT32_C(0) >> first, to = ~UINT32_C(0) << (31 - last);
    return first <= last ? from & to : from | to;
}
int cpu_risbhg(struct cpu *cpu, const struct dis_insn *i)
{
    const uint32_t selected = selected_in_half(i);
    const uint32_t kept = i->i4 & 0x80 ? 0 : grh32(cpu, i->r1) & ~selected;
    const uint32_t rotated = (uint32_t)(rotate_left(cpu->gr[i->r2], i->i5) >> 32);
    set_grh32(cpu, i->r1, kept | (rotated & selected));
    return 0;
}
int cpu_risblg(struct cpu *cpu, const struct dis_insn *i)
{
    const uint32_t selected = selected_in_half(i);
    const uint32_t kept = i->i4 & 0x80 ? 0 : gr32(cpu, i->r1) & ~selected;
    const uint32_t rotated = (uint32_t)rotate_left(cpu->gr[i->r2], i->i5);
    set_gr32(cpu, i->r1, kept | (rotated & selected));
    return 0;
}

/* ROTATE THEN AND, OR, EXCLUSIVE OR SELECTED BITS (RNSBG, ROSBG, RXSBG): the connective applies to bits I3 to I4 of the
   first operand and of the rotated second; bit 0 of I3 one (T): only the condition code is set. Condition code: 0
   selected bits of the result all zeros, 1 not all zeros. */
static int connect_selected(struct cpu *cpu, const struct dis_insn *i, uint64_t selected, uint64_t result)
{
    cpu->cc = (result & selected) != 0;
    if (!(i->i3 & 0x80))
        cpu->gr[i->r1] = (cpu->gr[i->r1] & ~selected) | (result & selected);
    return 0;
}
int cpu_rnsbg(struct cpu *cpu, const struct dis_insn *i)
{
    return connect_selected(cpu, i, selected_bits(i->i3 & 63, i->i4 & 63),
                            cpu->gr[i->r1] & rotate_left(cpu->gr[i->r2], i->i5));
}
int cpu_rosbg(struct cpu *cpu, const struct dis_insn *i)
{
    return connect_selected(cpu, i, selected_bits(i->i3 & 63, i->i4 & 63),
                            cpu->gr[i->r1] | rotate_left(cpu->gr[i->r2], i->i5));
}
int cpu_rxsbg(struct cpu *cpu, const struct dis_insn *i)
{
    return connect_selected(cpu, i, selected_bits(i->i3 & 63, i->i4 & 63),
                            cpu->gr[i->r1] ^ rotate_left(cpu->gr[i->r2], i->i5));
}
