/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector integer instructions but multiplications, sums and shifts. PoP chapter 22 (SA22-7832-13). Exceptions of all of
   them: operation, data (DXC X'FE'); specification where a size is not valid. The condition code is unchanged where
   nothing is said. */
#include "cpu/exec/bodies.h"
#include "cpu/exec/vector/lanes.h"

static int each(struct cpu *cpu, const struct dis_insn *i, const vector_unary *operations, unsigned last)
{
    union vector a = vector_get(cpu, i->r2), r;
    if (i->m3 > last)
        return PIC_SPECIFICATION;
    operations[i->m3](&a, &r);
    vector_set(cpu, i->r1, r);
    return 0;
}
static int each_pair(struct cpu *cpu, const struct dis_insn *i, const vector_binary *operations, unsigned last)
{
    return vector_by_size(cpu, i, operations, last, vector_get(cpu, i->r2), vector_get(cpu, i->r3));
}

/* ---- addition and subtraction ----------------------------------------------------------------------------------- */

BINARY_WIDE(add, x + y)
BINARY_WIDE(carry, (element)(x + y) < x)
BINARY_WIDE(subtract, x - y)
BINARY_WIDE(no_borrow, x >= y)
BINARY_SIGNED(average, (x | y) - ((x ^ y) >> 1))
BINARY(average_logical, (x | y) - ((x ^ y) >> 1))

/* VECTOR ADD, SUBTRACT; COMPUTE CARRY, COMPUTE BORROW INDICATION: one where there is a carry, or no borrow. */
int cpu_va(struct cpu *cpu, const struct dis_insn *i) { return each_pair(cpu, i, add, LAST_SIZE(add)); }
int cpu_vacc(struct cpu *cpu, const struct dis_insn *i) { return each_pair(cpu, i, carry, LAST_SIZE(carry)); }
int cpu_vs(struct cpu *cpu, const struct dis_insn *i) { return each_pair(cpu, i, subtract, LAST_SIZE(subtract)); }
int cpu_vscbi(struct cpu *cpu, const struct dis_insn *i) { return each_pair(cpu, i, no_borrow, LAST_SIZE(no_borrow)); }

/* V2 + V3 (or its complement) + the rightmost bit of V4: the sum or the carry. Quadwords only. */
static int add_with_carry(struct cpu *cpu, const struct dis_insn *i, bool subtract_it, bool want_carry)
{
    if (i->m5 != VECTOR_QUADWORD)
        return PIC_SPECIFICATION;
    vector_quad a = vector_get(cpu, i->r2).q, b = vector_get(cpu, i->r3).q, in = vector_get(cpu, i->r4).q & 1;
    if (subtract_it)
        b = ~b;
    vector_quad sum = a + b, total = sum + in;
    vector_set(cpu, i->r1, (union vector){.q = want_carry ? sum < a || total < sum : total});
    return 0;
}
int cpu_vac(struct cpu *cpu, const struct dis_insn *i) { return add_with_carry(cpu, i, false, false); }
int cpu_vaccc(struct cpu *cpu, const struct dis_insn *i) { return add_with_carry(cpu, i, false, true); }
int cpu_vsbi(struct cpu *cpu, const struct dis_insn *i) { return add_with_carry(cpu, i, true, false); }
int cpu_vsbcbi(struct cpu *cpu, const struct dis_insn *i) { return add_with_carry(cpu, i, true, true); }

/* VECTOR AVERAGE, VECTOR AVERAGE LOGICAL: half the sum, rounded up. */
int cpu_vavg(struct cpu *cpu, const struct dis_insn *i) { return each_pair(cpu, i, average, LAST_SIZE(average)); }
int cpu_vavgl(struct cpu *cpu, const struct dis_insn *i)
{
    return each_pair(cpu, i, average_logical, LAST_SIZE(average_logical));
}

/* ---- bits of the whole vector ------------------------------------------------------------------------------------ */

static int set_quad(struct cpu *cpu, const struct dis_insn *i, vector_quad q)
{
    vector_set(cpu, i->r1, (union vector){.q = q});
    return 0;
}
static vector_quad second(const struct cpu *cpu, const struct dis_insn *i) { return vector_get(cpu, i->r2).q; }
static vector_quad third(const struct cpu *cpu, const struct dis_insn *i) { return vector_get(cpu, i->r3).q; }

int cpu_vn(struct cpu *cpu, const struct dis_insn *i) { return set_quad(cpu, i, second(cpu, i) & third(cpu, i)); }
int cpu_vnc(struct cpu *cpu, const struct dis_insn *i) { return set_quad(cpu, i, second(cpu, i) & ~third(cpu, i)); }
int cpu_vnn(struct cpu *cpu, const struct dis_insn *i) { return set_quad(cpu, i, ~(second(cpu, i) & third(cpu, i))); }
int cpu_vo(struct cpu *cpu, const struct dis_insn *i) { return set_quad(cpu, i, second(cpu, i) | third(cpu, i)); }
int cpu_voc(struct cpu *cpu, const struct dis_insn *i) { return set_quad(cpu, i, second(cpu, i) | ~third(cpu, i)); }
int cpu_vno(struct cpu *cpu, const struct dis_insn *i) { return set_quad(cpu, i, ~(second(cpu, i) | third(cpu, i))); }
int cpu_vx(struct cpu *cpu, const struct dis_insn *i) { return set_quad(cpu, i, second(cpu, i) ^ third(cpu, i)); }
int cpu_vnx(struct cpu *cpu, const struct dis_insn *i) { return set_quad(cpu, i, ~(second(cpu, i) ^ third(cpu, i))); }

/* VECTOR TEST UNDER MASK. CC: 0 selected bits all zeros, or none selected; 1 mixed; 3 all ones. */
int cpu_vtm(struct cpu *cpu, const struct dis_insn *i)
{
    vector_quad mask = second(cpu, i), selected = vector_get(cpu, i->r1).q & mask;
    cpu->cc = !selected ? 0 : selected == mask ? 3 : 1;
    return 0;
}

/* ---- comparisons ------------------------------------------------------------------------------------------------- */

BINARY(equal, x == y ? ~UINT64_C(0) : 0)
BINARY_SIGNED(high, x > y ? -1 : 0)
BINARY(high_logical, x > y ? ~UINT64_C(0) : 0)

/* VECTOR COMPARE EQUAL, HIGH, HIGH LOGICAL: ones in elements where it is so. CC (when M5 bit 3 is one): 0 all, 1 some,
   3 none. */
static int compare(struct cpu *cpu, const struct dis_insn *i, const vector_binary *operations)
{
    int code = each_pair(cpu, i, operations, VECTOR_DOUBLEWORD);
    if (!code && (i->m5 & 1)) {
        vector_quad r = vector_get(cpu, i->r1).q;
        cpu->cc = !~r ? 0 : r ? 1 : 3;
    }
    return code;
}
int cpu_vceq(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, equal); }
int cpu_vch(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, high); }
int cpu_vchl(struct cpu *cpu, const struct dis_insn *i) { return compare(cpu, i, high_logical); }

/* VECTOR ELEMENT COMPARE, VECTOR ELEMENT COMPARE LOGICAL: the rightmost elements of the left doublewords. CC: 0 equal,
   1 first low, 2 first high. */
int cpu_vec(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m3 > VECTOR_DOUBLEWORD)
        return PIC_SPECIFICATION;
    int64_t a = vector_signed(cpu->vr[i->r1].hi, i->m3), b = vector_signed(cpu->vr[i->r2].hi, i->m3);
    cpu->cc = a == b ? 0 : a < b ? 1 : 2;
    return 0;
}
int cpu_vecl(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m3 > VECTOR_DOUBLEWORD)
        return PIC_SPECIFICATION;
    uint64_t mask = ~UINT64_C(0) >> (64 - (8u << i->m3)), a = cpu->vr[i->r1].hi & mask, b = cpu->vr[i->r2].hi & mask;
    cpu->cc = a == b ? 0 : a < b ? 1 : 2;
    return 0;
}

BINARY_SIGNED(maximum, x > y ? x : y)
BINARY(maximum_logical, x > y ? x : y)
BINARY_SIGNED(minimum, x < y ? x : y)
BINARY(minimum_logical, x < y ? x : y)

/* VECTOR MAXIMUM, MINIMUM, and their logical forms. */
int cpu_vmx(struct cpu *cpu, const struct dis_insn *i) { return each_pair(cpu, i, maximum, LAST_SIZE(maximum)); }
int cpu_vmn(struct cpu *cpu, const struct dis_insn *i) { return each_pair(cpu, i, minimum, LAST_SIZE(minimum)); }
int cpu_vmxl(struct cpu *cpu, const struct dis_insn *i)
{
    return each_pair(cpu, i, maximum_logical, LAST_SIZE(maximum_logical));
}
int cpu_vmnl(struct cpu *cpu, const struct dis_insn *i)
{
    return each_pair(cpu, i, minimum_logical, LAST_SIZE(minimum_logical));
}

/* ---- one operand ------------------------------------------------------------------------------------------------- */

UNARY(leading_zeros, x ? (unsigned)__builtin_clzll(x) - (64 - ELEMENT_BITS) : ELEMENT_BITS)
UNARY(trailing_zeros, x ? (unsigned)__builtin_ctzll(x) : ELEMENT_BITS)
UNARY(population, __builtin_popcountll(x))
UNARY(complement, 0 - x)
UNARY(positive, x >> (ELEMENT_BITS - 1) ? 0 - x : x)

int cpu_vclz(struct cpu *cpu, const struct dis_insn *i)
{
    return each(cpu, i, leading_zeros, LAST_SIZE(leading_zeros));
}
int cpu_vctz(struct cpu *cpu, const struct dis_insn *i)
{
    return each(cpu, i, trailing_zeros, LAST_SIZE(trailing_zeros));
}
int cpu_vlc(struct cpu *cpu, const struct dis_insn *i) { return each(cpu, i, complement, LAST_SIZE(complement)); }
int cpu_vlp(struct cpu *cpu, const struct dis_insn *i) { return each(cpu, i, positive, LAST_SIZE(positive)); }

/* VECTOR POPULATION COUNT: sizes above a byte by the vector-enhancements facility 1. */
int cpu_vpopct(struct cpu *cpu, const struct dis_insn *i)
{
    bool sizes = cpu_facility(cpu->sys, FACILITY_VECENH1);
    return each(cpu, i, population, sizes ? VECTOR_DOUBLEWORD : VECTOR_BYTE);
}
