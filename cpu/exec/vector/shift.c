/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector shifts and rotations. PoP chapter 22 (SA22-7832-13). None changes the condition code. Exceptions of all of
   them: operation, data (DXC X'FE'); specification where a size is not valid. */
#include "cpu/exec/bodies.h"
#include "cpu/exec/vector/lanes.h"

/* ---- elements: the rightmost bits of the amount count ------------------------------------------------------------ */

#define AMOUNT ((unsigned)y & (ELEMENT_BITS - 1))
BINARY(rotate, (uint64_t)x << AMOUNT | (uint64_t)x >> ((ELEMENT_BITS - AMOUNT) & (ELEMENT_BITS - 1)))
BINARY(left, (uint64_t)x << AMOUNT)
BINARY(right, x >> AMOUNT)
BINARY_SIGNED(right_arithmetic, x >> AMOUNT)

/* Amounts in the elements of V3. */
static int by_elements(struct cpu *cpu, const struct dis_insn *i, const vector_binary *operations)
{
    return vector_by_size(cpu, i, operations, VECTOR_DOUBLEWORD, vector_get(cpu, i->r2), vector_get(cpu, i->r3));
}
int cpu_verllv(struct cpu *cpu, const struct dis_insn *i) { return by_elements(cpu, i, rotate); }
int cpu_veslv(struct cpu *cpu, const struct dis_insn *i) { return by_elements(cpu, i, left); }
int cpu_vesrlv(struct cpu *cpu, const struct dis_insn *i) { return by_elements(cpu, i, right); }
int cpu_vesrav(struct cpu *cpu, const struct dis_insn *i) { return by_elements(cpu, i, right_arithmetic); }

/* The amount (below 64) in the rightmost byte of every element of whatever size. */
static union vector amounts(uint64_t amount)
{
    uint64_t all = (amount & 63) * UINT64_C(0x0101010101010101);
    return (union vector){.g = {all, all}};
}

/* The second-operand address is the amount. */
static int by_address(struct cpu *cpu, const struct dis_insn *i, const vector_binary *operations)
{
    return vector_by_size(cpu, i, operations, VECTOR_DOUBLEWORD, vector_get(cpu, i->r3), amounts(cpu_ea2(cpu, i)));
}
int cpu_verll(struct cpu *cpu, const struct dis_insn *i) { return by_address(cpu, i, rotate); }
int cpu_vesl(struct cpu *cpu, const struct dis_insn *i) { return by_address(cpu, i, left); }
int cpu_vesrl(struct cpu *cpu, const struct dis_insn *i) { return by_address(cpu, i, right); }
int cpu_vesra(struct cpu *cpu, const struct dis_insn *i) { return by_address(cpu, i, right_arithmetic); }

/* VECTOR ELEMENT ROTATE AND INSERT UNDER MASK: V2 rotated by I4 replaces V1 where V3 has ones. */
int cpu_verim(struct cpu *cpu, const struct dis_insn *i)
{
    union vector a = vector_get(cpu, i->r2), b = amounts(i->i4), r;
    if (i->m5 > VECTOR_DOUBLEWORD)
        return PIC_SPECIFICATION;
    rotate[i->m5](&a, &b, &r);
    vector_quad mask = vector_get(cpu, i->r3).q, old = vector_get(cpu, i->r1).q;
    vector_set(cpu, i->r1, (union vector){.q = (r.q & mask) | (old & ~mask)});
    return 0;
}

/* ---- the whole vector by bits ------------------------------------------------------------------------------------ */

/* VECTOR SHIFT LEFT: every byte and what follows it, by bits 5-7 of the byte of V3. Without the vector-enhancements
   facility 2 all of these must be equal, so that nobody sees a difference. */
int cpu_vsl(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t from[17], by[16];
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3);
    vector_to_bytes(&a, from);
    vector_to_bytes(&b, by);
    from[16] = 0;
    for (unsigned k = 0; k < 16; k++)
        from[k] = (uint8_t)((unsigned)(from[k] << 8 | from[k + 1]) << (by[k] & 7) >> 8);
    vector_set(cpu, i->r1, vector_from_bytes(from));
    return 0;
}

/* VECTOR SHIFT RIGHT LOGICAL, ARITHMETIC: every byte and what precedes it. */
static int shift_right(struct cpu *cpu, const struct dis_insn *i, bool arithmetic)
{
    uint8_t from[16], by[16];
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3);
    vector_to_bytes(&a, from);
    vector_to_bytes(&b, by);
    unsigned before = arithmetic && from[0] >> 7 ? 0xff : 0;
    for (unsigned k = 0; k < 16; k++) {
        unsigned both = before << 8 | from[k];
        before = from[k];
        from[k] = (uint8_t)(both >> (by[k] & 7));
    }
    vector_set(cpu, i->r1, vector_from_bytes(from));
    return 0;
}
int cpu_vsrl(struct cpu *cpu, const struct dis_insn *i) { return shift_right(cpu, i, false); }
int cpu_vsra(struct cpu *cpu, const struct dis_insn *i) { return shift_right(cpu, i, true); }

/* ---- the whole vector by bytes ----------------------------------------------------------------------------------- */

/* Bits: eight times bits 1-4 of byte 7 of V3. */
static unsigned by_bytes(const struct cpu *cpu, const struct dis_insn *i) { return cpu->vr[i->r3].hi & 0x78; }

static int set_quad(struct cpu *cpu, const struct dis_insn *i, vector_quad q)
{
    vector_set(cpu, i->r1, (union vector){.q = q});
    return 0;
}
int cpu_vslb(struct cpu *cpu, const struct dis_insn *i)
{
    return set_quad(cpu, i, vector_get(cpu, i->r2).q << by_bytes(cpu, i));
}
int cpu_vsrlb(struct cpu *cpu, const struct dis_insn *i)
{
    return set_quad(cpu, i, vector_get(cpu, i->r2).q >> by_bytes(cpu, i));
}
int cpu_vsrab(struct cpu *cpu, const struct dis_insn *i)
{
    return set_quad(cpu, i, (vector_quad)(vector_get(cpu, i->r2).sq >> by_bytes(cpu, i)));
}

/* 128 bits of V2 and V3 together, from bit n (0-128) on. */
static int from_bit(struct cpu *cpu, const struct dis_insn *i, unsigned n)
{
    vector_quad a = vector_get(cpu, i->r2).q, b = vector_get(cpu, i->r3).q;
    return set_quad(cpu, i, n == 0 ? a : n == 128 ? b : a << n | b >> (128 - n));
}
/* VECTOR SHIFT LEFT DOUBLE BY BYTE, BY BIT; VECTOR SHIFT RIGHT DOUBLE BY BIT (rightmost 128 bits of the result). I4
   above 15 bytes or 7 bits is a specification exception. */
int cpu_vsldb(struct cpu *cpu, const struct dis_insn *i)
{
    return i->i4 > 15 ? PIC_SPECIFICATION : from_bit(cpu, i, 8u * i->i4);
}
int cpu_vsld(struct cpu *cpu, const struct dis_insn *i)
{
    return i->i4 > 7 ? PIC_SPECIFICATION : from_bit(cpu, i, i->i4);
}
int cpu_vsrd(struct cpu *cpu, const struct dis_insn *i)
{
    return i->i4 > 7 ? PIC_SPECIFICATION : from_bit(cpu, i, 128u - i->i4);
}
