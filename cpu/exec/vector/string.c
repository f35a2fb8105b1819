/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector string instructions. PoP chapter 23 (SA22-7832-13). Sizes: byte, halfword, word. Exceptions of all of them:
   operation, data (DXC X'FE'); specification where a size, or a bit of some masks, is not valid. */
#include "cpu/exec/bodies.h"
#include "cpu/exec/vector/element.h"

/* Bits of the mask M5 or M6. */
enum { INVERT = 8, RESULT_TYPE = 4, ZERO_SEARCH = 2, CC_SET = 1 };

/* What a search found: byte indexes, 16 for nothing. */
struct found {
    unsigned match, zero;
};

static unsigned lower(unsigned a, unsigned b) { return a < b ? a : b; }

/* The lower index to byte 7 of V1, zeros elsewhere. */
static void set_index(struct cpu *cpu, const struct dis_insn *i, unsigned index)
{
    cpu->vr[i->r1] = (struct vector_register){index, 0};
}

/* CC: 0 a zero with no match before it, 1 a match and no zero, 2 a match before a zero, 3 neither. */
static uint8_t search_cc(const struct found *found)
{
    if (found->zero == 16)
        return found->match == 16 ? 3 : 1;
    return found->match < found->zero ? 2 : 0;
}

/* The leftmost bit of every element, by size. */
static const uint64_t tops[3] = {UINT64_C(0x8080808080808080), UINT64_C(0x8000800080008000),
                                 UINT64_C(0x8000000080000000)};

/* A vector with the leftmost bit of each element on that is zero in v, all else zeros. */
static union vector zeros_in(union vector v, unsigned size)
{
    const uint64_t rest = ~tops[size];
    for (unsigned k = 0; k < 2; k++)
        v.g[k] = ~(((v.g[k] & rest) + rest) | v.g[k] | rest);
    return v;
}

/* Byte index of the leftmost one; 16: none. */
static unsigned first_one(union vector v)
{
    uint64_t left = v.g[LANE(0, 2)], right = v.g[LANE(1, 2)];
    return left ? (unsigned)__builtin_clzll(left) / 8 : right ? 8 + (unsigned)__builtin_clzll(right) / 8 : 16;
}

static unsigned find_zero(union vector v, unsigned size) { return first_one(zeros_in(v, size)); }

/* The elements of a that pass, by their leftmost bits. operands: V3, V4. */
typedef union vector (*tester)(union vector a, const union vector *operands, unsigned size);

/* VFAE and VSTRC: does each element of V2 pass? */
static int find_any(struct cpu *cpu, const struct dis_insn *i, unsigned size, unsigned mask, tester passes)
{
    if (size > VECTOR_WORD)
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), operands[2] = {vector_get(cpu, i->r3), vector_get(cpu, i->r4)};
    union vector is = passes(a, operands, size);
    for (unsigned k = 0; k < 2 && mask & INVERT; k++)
        is.g[k] ^= tops[size];
    struct found found = {first_one(is), mask & ZERO_SEARCH ? find_zero(a, size) : 16};
    const unsigned bits = 8u << size;
    for (unsigned k = 0; k < 2; k++) /* one bit to all of the element */
        is.g[k] = (is.g[k] >> (bits - 1)) * (~UINT64_C(0) >> (64 - bits));
    if (mask & RESULT_TYPE)
        vector_set(cpu, i->r1, is);
    else
        set_index(cpu, i, lower(found.match, found.zero));
    if (mask & CC_SET)
        cpu->cc = search_cc(&found);
    return 0;
}

static union vector among(union vector a, const union vector *operands, unsigned size)
{
    union vector r = {0};
    for (unsigned e = 0; e < vector_count(size); e++) {
        uint64_t all = vector_element(operands, size, e) * (tops[size] >> ((8u << size) - 1));
        r.q |= zeros_in((union vector){.g = {a.g[0] ^ all, a.g[1] ^ all}}, size).q;
    }
    return r;
}

/* Within a range: two elements of V3, each with a control in V4 whose bits 0-2 allow equal, low and high. */
static bool in_a_range(const union vector *operands, unsigned size, uint64_t element)
{
    for (unsigned e = 0; e < vector_count(size); e += 2) {
        unsigned passed = 0;
        for (unsigned k = e; k <= e + 1; k++) {
            uint64_t limit = vector_element(&operands[0], size, k);
            unsigned control = (unsigned)(vector_element(&operands[1], size, k) >> ((8u << size) - 3));
            passed += (control >> (element == limit ? 2 : element < limit ? 1 : 0)) & 1;
        }
        if (passed == 2)
            return true;
    }
    return false;
}
static union vector in_range(union vector a, const union vector *operands, unsigned size)
{
    union vector r = {0};
    for (unsigned e = 0; e < vector_count(size); e++)
        if (in_a_range(operands, size, vector_element(&a, size, e)))
            vector_set_element(&r, size, e, UINT64_C(1) << ((8u << size) - 1));
    return r;
}

/* VECTOR FIND ANY ELEMENT EQUAL: an element of V2 that equals one of V3. CC (when M5 bit 3 is one): see search_cc(). */
int cpu_vfae(struct cpu *cpu, const struct dis_insn *i) { return find_any(cpu, i, i->m4, i->m5, among); }

/* VECTOR STRING RANGE COMPARE. CC (when M6 bit 3 is one): see search_cc(). */
int cpu_vstrc(struct cpu *cpu, const struct dis_insn *i) { return find_any(cpu, i, i->m5, i->m6, in_range); }

/* VECTOR FIND ELEMENT EQUAL: the first element of V2 that equals its neighbour in V3. CC (when M5 bit 3 is one): see
   search_cc(). */
int cpu_vfee(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m4 > VECTOR_WORD || i->m5 & ~(ZERO_SEARCH | CC_SET))
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3);
    union vector difference = {.q = a.q ^ b.q};
    struct found found = {16, i->m5 & ZERO_SEARCH ? find_zero(a, i->m4) : 16};
    found.match = find_zero(difference, i->m4);
    set_index(cpu, i, lower(found.match, found.zero));
    if (i->m5 & CC_SET)
        cpu->cc = search_cc(&found);
    return 0;
}

/* VECTOR FIND ELEMENT NOT EQUAL. CC (when M5 bit 3 is one): 0 a zero in both with no difference before it, 1 differs
   and V2 is low, 2 differs and V2 is high, 3 all equal. */
int cpu_vfene(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m4 > VECTOR_WORD || i->m5 & ~(ZERO_SEARCH | CC_SET))
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3);
    unsigned zero = i->m5 & ZERO_SEARCH ? find_zero(a, i->m4) : 16;
    unsigned differs = first_one((union vector){.q = a.q ^ b.q}) & ~((1u << i->m4) - 1), e = differs >> i->m4;
    bool low = differs < 16 && vector_element(&a, i->m4, e) < vector_element(&b, i->m4, e);
    set_index(cpu, i, lower(differs, zero));
    if (i->m5 & CC_SET)
        cpu->cc = differs == 16 && zero == 16 ? 3 : zero < differs ? 0 : low ? 1 : 2;
    return 0;
}

/* VECTOR ISOLATE STRING: zeros from the first zero element on. CC (when M5 bit 3 is one): 0 there is one, 3 none. */
int cpu_vistr(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m3 > VECTOR_WORD || i->m5 & ~CC_SET)
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2);
    unsigned zero = find_zero(a, i->m3);
    if (zero < 16)
        a.q &= ~(~(vector_quad)0 >> (8 * zero));
    vector_set(cpu, i->r1, a);
    if (i->m5 & CC_SET)
        cpu->cc = zero < 16 ? 0 : 3;
    return 0;
}

/* Elements of the substring: byte 7 of V4 counts its bytes; with zero search it ends before a zero. */
static unsigned substring_length(const struct cpu *cpu, const struct dis_insn *i, const union vector *substring)
{
    unsigned length = (cpu->vr[i->r4].hi & 0xff) >> i->m5;
    if (i->m6 & ZERO_SEARCH)
        length = lower(length, find_zero(*substring, i->m5) >> i->m5);
    return length;
}

/* VECTOR STRING SEARCH: byte index in V2 where the substring in V3, or as much of it as V2 has room for, begins; 16:
   nowhere. CC: 0 nowhere and no zero, 1 nowhere and a zero in V2, 2 full match, 3 partial match. */
int cpu_vstrs(struct cpu *cpu, const struct dis_insn *i)
{
    if (i->m5 > VECTOR_WORD || i->m6 & ~ZERO_SEARCH)
        return PIC_SPECIFICATION;
    union vector a = vector_get(cpu, i->r2), b = vector_get(cpu, i->r3);
    const unsigned size = i->m5, n = vector_count(size), length = substring_length(cpu, i, &b);
    unsigned end = i->m6 & ZERO_SEARCH ? find_zero(a, size) >> size : n;
    if (length == 0) {
        set_index(cpu, i, 0);
        cpu->cc = 2;
        return 0;
    }
    for (unsigned at = 0; at < end; at++) {
        unsigned room = lower(length, n - at), k = 0;
        while (k < room && vector_element(&a, size, at + k) == vector_element(&b, size, k))
            k++;
        if (k == room) {
            set_index(cpu, i, at << size);
            cpu->cc = room == length ? 2 : 3;
            return 0;
        }
    }
    set_index(cpu, i, 16);
    cpu->cc = end < n ? 1 : 0;
    return 0;
}
