/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector-support instructions between registers. PoP chapter 21 (SA22-7832-13). The condition code is unchanged but by
   the saturating packs. Exceptions of all of them: operation, data (DXC X'FE'); specification where a mask is not
   valid. */
#include "cpu/exec/bodies.h"
#include "cpu/exec/vector/element.h"

/* VECTOR GENERATE BYTE MASK: each bit of I2 becomes a byte. */
int cpu_vgbm(struct cpu *cpu, const struct dis_insn *i)
{
    union vector v;
    for (unsigned e = 0; e < 16; e++)
        v.b[LANE(e, 16)] = (i->i2 >> (15 - e)) & 1 ? 0xff : 0;
    vector_set(cpu, i->r1, v);
    return 0;
}

static union vector replicated(unsigned size, uint64_t value)
{
    union vector v = {0};
    for (unsigned e = 0; e < vector_count(size); e++)
        vector_set_element(&v, size, e, value);
    return v;
}

/* VECTOR GENERATE MASK: ones from bit I2 to bit I3 of every element, wrapping. */
int cpu_vgm(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m4 > VECTOR_DOUBLEWORD)
        return PIC_SPECIFICATION;
    unsigned bits = 8u << i->m4, first = (unsigned)i->i2 & (bits - 1), last = i->i3 & (bits - 1);
    uint64_t all = ~UINT64_C(0) >> (64 - bits), from = all >> first, behind = last + 1 == bits ? 0 : all >> (last + 1);
    vector_set(cpu, i->r1, replicated(i->m4, first <= last ? from & ~behind : (from | ~behind) & all));
    return 0;
}

/* VECTOR LOAD GR FROM VR ELEMENT, VECTOR LOAD VR ELEMENT FROM GR: the element is numbered by the second-operand
   address; its rightmost bits count. */
int cpu_vlgv(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m4 > VECTOR_DOUBLEWORD)
        return PIC_SPECIFICATION;
    union vector v = vector_get(cpu, i->r3);
    cpu->gr[i->r1] = vector_element(&v, i->m4, (unsigned)cpu_ea2(cpu, i) & (vector_count(i->m4) - 1));
    return 0;
}
int cpu_vlvg(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m4 > VECTOR_DOUBLEWORD)
        return PIC_SPECIFICATION;
    union vector v = vector_get(cpu, i->r1);
    vector_set_element(&v, i->m4, (unsigned)cpu_ea2(cpu, i) & (vector_count(i->m4) - 1), cpu->gr[i->r3]);
    vector_set(cpu, i->r1, v);
    return 0;
}

/* VECTOR LOAD VR FROM GRS DISJOINT. */
int cpu_vlvgp(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->vr[i->r1] = (struct vector_register){cpu->gr[i->r2], cpu->gr[i->r3]};
    return 0;
}

/* VECTOR MERGE HIGH, VECTOR MERGE LOW: elements of the halves in turn. */
#define MERGE(member, n)                                                                                               \
    for (unsigned e = 0; e < (n) / 2; e++) {                                                                           \
        r.member[LANE(2 * e, n)] = a.member[LANE(from + e, n)];                                                        \
        r.member[LANE(2 * e + 1, n)] = b.member[LANE(from + e, n)];                                                    \
    }
static int merge(struct cpu *cpu, const struct dis_insn *i, bool low)
{
    if (i->m4 > VECTOR_DOUBLEWORD)
        return PIC_SPECIFICATION;
    const union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3);
    union vector r;
    const unsigned from = low ? vector_count(i->m4) / 2 : 0;
    switch (i->m4) {
    case VECTOR_BYTE:
        MERGE(b, 16)
        break;
    case VECTOR_HALFWORD:
        MERGE(h, 8)
        break;
    case VECTOR_WORD:
        MERGE(f, 4)
        break;
    default:
        MERGE(g, 2)
        break;
    }
    vector_set(cpu, i->r1, r);
    return 0;
}
int cpu_vmrh(struct cpu *cpu, const struct dis_insn *i) { return merge(cpu, i, false); }
int cpu_vmrl(struct cpu *cpu, const struct dis_insn *i) { return merge(cpu, i, true); }

enum saturation { SATURATE_NOT, SATURATE_SIGNED, SATURATE_LOGICAL };

/* The element in half its size. */
static uint64_t narrowed(uint64_t value, unsigned size, enum saturation how, unsigned *saturated)
{
    unsigned bits = 4u << size;
    uint64_t most = ~UINT64_C(0) >> (64 - bits);
    if (how == SATURATE_LOGICAL && value > most) {
        ++*saturated;
        return most;
    }
    if (how == SATURATE_SIGNED) {
        int64_t v = vector_signed(value, size), highest = (int64_t)(most >> 1);
        if (v > highest || v < -highest - 1) {
            ++*saturated;
            return v > highest ? (uint64_t)highest : ~(uint64_t)highest;
        }
    }
    return value;
}

/* VECTOR PACK, VECTOR PACK SATURATE, VECTOR PACK LOGICAL SATURATE: elements of both operands in half their size. CC
   (saturating, when M5 bit 3 is one): 0 none saturated, 1 some, 3 all. */
static int pack(struct cpu *cpu, const struct dis_insn *i, enum saturation how)
{
    if (i->m4 < VECTOR_HALFWORD || i->m4 > VECTOR_DOUBLEWORD)
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3), r = {0};
    unsigned n = vector_count(i->m4), saturated = 0;
    for (unsigned e = 0; e < n; e++) {
        vector_set_element(&r, i->m4 - 1u, e, narrowed(vector_element(&a, i->m4, e), i->m4, how, &saturated));
        vector_set_element(&r, i->m4 - 1u, n + e, narrowed(vector_element(&b, i->m4, e), i->m4, how, &saturated));
    }
    vector_set(cpu, i->r1, r);
    if (how != SATURATE_NOT && (i->m5 & 1))
        cpu->cc = !saturated ? 0 : saturated == 2 * n ? 3 : 1;
    return 0;
}
int cpu_vpk(struct cpu *cpu, const struct dis_insn *i) { return pack(cpu, i, SATURATE_NOT); }
int cpu_vpks(struct cpu *cpu, const struct dis_insn *i) { return pack(cpu, i, SATURATE_SIGNED); }
int cpu_vpkls(struct cpu *cpu, const struct dis_insn *i) { return pack(cpu, i, SATURATE_LOGICAL); }

/* VECTOR PERMUTE: bytes of both operands by the numbers in V4. */
int cpu_vperm(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t from[32];
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3), select = vector_get(cpu, i->r4), r;
    vector_to_bytes(&a, from);
    vector_to_bytes(&b, from + 16);
    for (unsigned k = 0; k < 16; k++)
        r.b[k] = from[select.b[k] & 31];
    vector_set(cpu, i->r1, r);
    return 0;
}

/* VECTOR PERMUTE DOUBLEWORD IMMEDIATE: M4 bit 1 chooses the doubleword of V2, bit 3 that of V3. */
int cpu_vpdi(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t left = i->m4 & 4 ? cpu->vr[i->r2].lo : cpu->vr[i->r2].hi;
    uint64_t right = i->m4 & 1 ? cpu->vr[i->r3].lo : cpu->vr[i->r3].hi;
    cpu->vr[i->r1] = (struct vector_register){left, right};
    return 0;
}

/* VECTOR REPLICATE: element I2 of V3. VECTOR REPLICATE IMMEDIATE. */
int cpu_vrep(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m4 > VECTOR_DOUBLEWORD || (uint64_t)i->i2 >= vector_count(i->m4))
        return PIC_SPECIFICATION;
    union vector v = vector_get(cpu, i->r3);
    vector_set(cpu, i->r1, replicated(i->m4, vector_element(&v, i->m4, (unsigned)i->i2)));
    return 0;
}
int cpu_vrepi(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m3 > VECTOR_DOUBLEWORD)
        return PIC_SPECIFICATION;
    vector_set(cpu, i->r1, replicated(i->m3, (uint64_t)i->i2));
    return 0;
}

/* VECTOR SELECT: bits of V2 where V4 has ones, else of V3. */
int cpu_vsel(struct cpu *cpu, const struct dis_insn *i)
{
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3), c = vector_get(cpu, i->r4);
    vector_set(cpu, i->r1, (union vector){.q = (a.q & c.q) | (b.q & ~c.q)});
    return 0;
}

/* VECTOR SIGN EXTEND TO DOUBLEWORD: the rightmost element of each doubleword. */
int cpu_vseg(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m3 > VECTOR_WORD)
        return PIC_SPECIFICATION;
    cpu->vr[i->r1] = (struct vector_register){(uint64_t)vector_signed(cpu->vr[i->r2].hi, i->m3),
                                              (uint64_t)vector_signed(cpu->vr[i->r2].lo, i->m3)};
    return 0;
}

/* VECTOR UNPACK HIGH, LOW, LOGICAL HIGH, LOGICAL LOW: the elements of one half in twice their size. */
#define UNPACK(to, from_member)                                                                                        \
    for (unsigned k = 0; k < sizeof r.to / sizeof *r.to; k++)                                                          \
        r.to[k] = half.from_member[k];
static int unpack(struct cpu *cpu, const struct dis_insn *i, bool low, bool logical)
{
    if (i->m3 > VECTOR_WORD)
        return PIC_SPECIFICATION;
    union vector half = {.g = {low ? cpu->vr[i->r2].lo : cpu->vr[i->r2].hi, 0}}, r;
    switch (i->m3 << 1 | logical) {
    case VECTOR_BYTE << 1:
        UNPACK(sh, sb)
        break;
    case VECTOR_BYTE << 1 | 1:
        UNPACK(h, b)
        break;
    case VECTOR_HALFWORD << 1:
        UNPACK(sf, sh)
        break;
    case VECTOR_HALFWORD << 1 | 1:
        UNPACK(f, h)
        break;
    case VECTOR_WORD << 1:
        UNPACK(sg, sf)
        break;
    default:
        UNPACK(g, f)
        break;
    }
    vector_set(cpu, i->r1, r);
    return 0;
}
int cpu_vuph(struct cpu *cpu, const struct dis_insn *i) { return unpack(cpu, i, false, false); }
int cpu_vupl(struct cpu *cpu, const struct dis_insn *i) { return unpack(cpu, i, true, false); }
int cpu_vuplh(struct cpu *cpu, const struct dis_insn *i) { return unpack(cpu, i, false, true); }
int cpu_vupll(struct cpu *cpu, const struct dis_insn *i) { return unpack(cpu, i, true, true); }

/* VECTOR BIT PERMUTE: the bits of V2 that the bytes of V3 number (zero from 128 on), in bits 48-63. */
int cpu_vbperm(struct cpu *cpu, const struct dis_insn *i)
{
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3);
    uint64_t bits = 0;
    for (unsigned e = 0; e < 16; e++) {
        unsigned n = b.b[LANE(e, 16)];
        bits = bits << 1 | (n < 128 ? (uint64_t)(a.q >> (127 - n)) & 1 : 0);
    }
    cpu->vr[i->r1] = (struct vector_register){bits, 0};
    return 0;
}
