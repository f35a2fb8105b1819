/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector integer multiplications and sums across elements. PoP chapter 22 (SA22-7832-13). None changes the condition
   code. Exceptions of all of them: operation, data (DXC X'FE'); specification where a size is not valid. */
#include "cpu/exec/bodies.h"
#include "cpu/exec/vector/lanes.h"

/* ---- results of the same size ------------------------------------------------------------------------------------ */

TERNARY(low, (uint64_t)x *y + z)
TERNARY_SIGNED(high, ((int64_t)x * y + z) >> ELEMENT_BITS)
TERNARY(high_logical, ((uint64_t)x * y + z) >> ELEMENT_BITS)

/* Of products (plus elements of c) the left or right half. */
static int multiply(struct cpu *cpu, const struct dis_insn *i, unsigned size, const vector_ternary *operations,
                    union vector c)
{
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3), r;
    if (size > VECTOR_WORD)
        return PIC_SPECIFICATION;
    operations[size](&a, &b, &c, &r);
    vector_set(cpu, i->r1, r);
    return 0;
}
static const union vector zero = {0};

/* VECTOR MULTIPLY LOW, HIGH, LOGICAL HIGH. */
int cpu_vml(struct cpu *cpu, const struct dis_insn *i) { return multiply(cpu, i, i->m4, low, zero); }
int cpu_vmh(struct cpu *cpu, const struct dis_insn *i) { return multiply(cpu, i, i->m4, high, zero); }
int cpu_vmlh(struct cpu *cpu, const struct dis_insn *i) { return multiply(cpu, i, i->m4, high_logical, zero); }

/* VECTOR MULTIPLY AND ADD LOW, HIGH, LOGICAL HIGH: V4 is added to the right of the product, sign-extended or not. */
int cpu_vmal(struct cpu *cpu, const struct dis_insn *i) { return multiply(cpu, i, i->m5, low, vector_get(cpu, i->r4)); }
int cpu_vmah(struct cpu *cpu, const struct dis_insn *i)
{
    return multiply(cpu, i, i->m5, high, vector_get(cpu, i->r4));
}
int cpu_vmalh(struct cpu *cpu, const struct dis_insn *i)
{
    return multiply(cpu, i, i->m5, high_logical, vector_get(cpu, i->r4));
}

/* ---- results of twice the size ----------------------------------------------------------------------------------- */

/* The products of the elements `which` of every pair, plus the elements of c. The arithmetic is modulo 2^64. */
typedef void (*longer)(const union vector *a, const union vector *b, const union vector *c, unsigned which,
                       union vector *r);
#define LONGER(name, narrow, wide, extended, type)                                                                     \
    static void name##_##narrow(const union vector *a, const union vector *b, const union vector *c, unsigned which,   \
                                union vector *r)                                                                       \
    {                                                                                                                  \
        for (unsigned k = 0; k < sizeof r->wide / sizeof *r->wide; k++)                                                \
            r->wide[k] =                                                                                               \
                (type)((uint64_t)((extended)a->narrow[2 * k + which] * b->narrow[2 * k + which]) + c->wide[k]);        \
    }
LONGER(product, sb, h, int64_t, uint16_t)
LONGER(product, sh, f, int64_t, uint32_t)
LONGER(product, sf, g, int64_t, uint64_t)
static const longer product[] = {product_sb, product_sh, product_sf};
LONGER(product, b, h, uint64_t, uint16_t)
LONGER(product, h, f, uint64_t, uint32_t)
LONGER(product, f, g, uint64_t, uint64_t)
static const longer product_logical[] = {product_b, product_h, product_f};

enum { EVEN = LANE(0, 2), ODD = LANE(1, 2) };

static int multiply_longer(struct cpu *cpu, const struct dis_insn *i, unsigned size, const longer *operations,
                           unsigned which, union vector c)
{
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3), r;
    if (size > VECTOR_WORD)
        return PIC_SPECIFICATION;
    operations[size](&a, &b, &c, which, &r);
    vector_set(cpu, i->r1, r);
    return 0;
}
int cpu_vme(struct cpu *cpu, const struct dis_insn *i) { return multiply_longer(cpu, i, i->m4, product, EVEN, zero); }
int cpu_vmo(struct cpu *cpu, const struct dis_insn *i) { return multiply_longer(cpu, i, i->m4, product, ODD, zero); }
int cpu_vmle(struct cpu *cpu, const struct dis_insn *i)
{
    return multiply_longer(cpu, i, i->m4, product_logical, EVEN, zero);
}
int cpu_vmlo(struct cpu *cpu, const struct dis_insn *i)
{
    return multiply_longer(cpu, i, i->m4, product_logical, ODD, zero);
}
int cpu_vmae(struct cpu *cpu, const struct dis_insn *i)
{
    return multiply_longer(cpu, i, i->m5, product, EVEN, vector_get(cpu, i->r4));
}
int cpu_vmao(struct cpu *cpu, const struct dis_insn *i)
{
    return multiply_longer(cpu, i, i->m5, product, ODD, vector_get(cpu, i->r4));
}
int cpu_vmale(struct cpu *cpu, const struct dis_insn *i)
{
    return multiply_longer(cpu, i, i->m5, product_logical, EVEN, vector_get(cpu, i->r4));
}
int cpu_vmalo(struct cpu *cpu, const struct dis_insn *i)
{
    return multiply_longer(cpu, i, i->m5, product_logical, ODD, vector_get(cpu, i->r4));
}

/* VECTOR MULTIPLY SUM LOGICAL: the products of both doublewords (doubled by M6 bits 0 and 1) and V4 added up. */
int cpu_vmsl(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m5 != VECTOR_DOUBLEWORD)
        return PIC_SPECIFICATION;
    vector_quad even = (vector_quad)cpu->vr[i->r2].hi * cpu->vr[i->r3].hi;
    vector_quad odd = (vector_quad)cpu->vr[i->r2].lo * cpu->vr[i->r3].lo;
    even <<= i->m6 >> 3 & 1;
    odd <<= i->m6 >> 2 & 1;
    vector_set(cpu, i->r1, (union vector){.q = even + odd + vector_get(cpu, i->r4).q});
    return 0;
}

/* ---- Galois field ------------------------------------------------------------------------------------------------ */

static vector_quad without_carries(uint64_t a, uint64_t b)
{
    vector_quad r = 0, shifted = a;
    for (; b; b >>= 1, shifted <<= 1)
        r ^= b & 1 ? shifted : 0;
    return r;
}

/* VECTOR GALOIS FIELD MULTIPLY SUM (AND ACCUMULATE): the products of the elements of each pair, and V4, XORed. */
static int galois(struct cpu *cpu, const struct dis_insn *i, unsigned size, union vector c)
{
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3), r = c;
    if (size > VECTOR_DOUBLEWORD)
        return PIC_SPECIFICATION;
    for (unsigned e = 0; e < vector_count(size); e++) {
        vector_quad p = without_carries(vector_element(&a, size, e), vector_element(&b, size, e));
        if (size == VECTOR_DOUBLEWORD)
            r.q ^= p;
        else
            vector_set_element(&r, size + 1, e / 2, vector_element(&r, size + 1, e / 2) ^ (uint64_t)p);
    }
    vector_set(cpu, i->r1, r);
    return 0;
}
int cpu_vgfm(struct cpu *cpu, const struct dis_insn *i) { return galois(cpu, i, i->m4, zero); }
int cpu_vgfma(struct cpu *cpu, const struct dis_insn *i) { return galois(cpu, i, i->m5, vector_get(cpu, i->r4)); }

/* ---- sums
 * ------------------------------------------------------------------------------------------------------------ */

/* The elements of V2 in each element of `size`, and the rightmost one of V3 there, added up. */
static int sum_across(struct cpu *cpu, const struct dis_insn *i, unsigned size, unsigned first, unsigned last)
{
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3), r = {0};
    if (i->m4 < first || i->m4 > last)
        return PIC_SPECIFICATION;
    const unsigned per = 1u << (size - i->m4);
    for (unsigned e = 0; e < vector_count(size); e++) {
        vector_quad sum = vector_element(&b, i->m4, e * per + per - 1);
        for (unsigned k = 0; k < per; k++)
            sum += vector_element(&a, i->m4, e * per + k);
        if (size == VECTOR_QUADWORD)
            r.q = sum;
        else
            vector_set_element(&r, size, e, (uint64_t)sum);
    }
    vector_set(cpu, i->r1, r);
    return 0;
}
int cpu_vsum(struct cpu *cpu, const struct dis_insn *i)
{
    return sum_across(cpu, i, VECTOR_WORD, VECTOR_BYTE, VECTOR_HALFWORD);
}
int cpu_vsumg(struct cpu *cpu, const struct dis_insn *i)
{
    return sum_across(cpu, i, VECTOR_DOUBLEWORD, VECTOR_HALFWORD, VECTOR_WORD);
}
int cpu_vsumq(struct cpu *cpu, const struct dis_insn *i)
{
    return sum_across(cpu, i, VECTOR_QUADWORD, VECTOR_WORD, VECTOR_DOUBLEWORD);
}

/* VECTOR CHECKSUM: the words of V2 and word 1 of V3, each carry out added at the right; to word 1, the others zero. */
int cpu_vcksm(struct cpu *cpu, const struct dis_insn *i)
{
    union vector a = vector_get(cpu, i->r2);
    uint64_t sum = (uint32_t)cpu->vr[i->r3].hi;
    for (unsigned k = 0; k < 4; k++) {
        sum += a.f[k];
        sum = (uint32_t)sum + (sum >> 32);
    }
    cpu->vr[i->r1] = (struct vector_register){sum, 0};
    return 0;
}
