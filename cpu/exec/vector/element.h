/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector registers as elements, shared by the files of vector instructions. PoP chapter 21 (SA22-7832-13). */
#ifndef ZRI_CPU_EXEC_VECTOR_ELEMENT_H
#define ZRI_CPU_EXEC_VECTOR_ELEMENT_H

#include "cpu/storage/access.h"

typedef unsigned __int128 vector_quad;
typedef __int128 vector_signed_quad;

/* A vector in the host's order: element number e of n stands at LANE(e, n). Loops over all lanes of operations that
   look at one element at a time need not know. */
union vector {
    vector_quad q;
    uint64_t g[2];
    uint32_t f[4];
    uint16_t h[8];
    uint8_t b[16];
    vector_signed_quad sq;
    int64_t sg[2];
    int32_t sf[4];
    int16_t sh[8];
    int8_t sb[16];
};

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LANE(e, n) ((n)-1 - (e))
#else
#define LANE(e, n) (e)
#endif

/* Element sizes as in the masks of the instructions. */
enum vector_size { VECTOR_BYTE, VECTOR_HALFWORD, VECTOR_WORD, VECTOR_DOUBLEWORD, VECTOR_QUADWORD };

static inline union vector vector_get(const struct cpu *cpu, unsigned v)
{
    return (union vector){.g = {[LANE(0, 2)] = cpu->vr[v].hi, [LANE(1, 2)] = cpu->vr[v].lo}};
}
static inline void vector_set(struct cpu *cpu, unsigned v, union vector value)
{
    cpu->vr[v].hi = value.g[LANE(0, 2)];
    cpu->vr[v].lo = value.g[LANE(1, 2)];
}

/* Element e (below 16 >> size) of size up to a doubleword, zero-extended. */
static inline uint64_t vector_element(const union vector *v, unsigned size, unsigned e)
{
    switch (size) {
    case VECTOR_BYTE:
        return v->b[LANE(e, 16)];
    case VECTOR_HALFWORD:
        return v->h[LANE(e, 8)];
    case VECTOR_WORD:
        return v->f[LANE(e, 4)];
    default:
        return v->g[LANE(e, 2)];
    }
}
static inline void vector_set_element(union vector *v, unsigned size, unsigned e, uint64_t value)
{
    switch (size) {
    case VECTOR_BYTE:
        v->b[LANE(e, 16)] = (uint8_t)value;
        break;
    case VECTOR_HALFWORD:
        v->h[LANE(e, 8)] = (uint16_t)value;
        break;
    case VECTOR_WORD:
        v->f[LANE(e, 4)] = (uint32_t)value;
        break;
    default:
        v->g[LANE(e, 2)] = value;
        break;
    }
}
static inline unsigned vector_count(unsigned size) { return 16u >> size; }

/* Sign-extended value of an element. */
static inline int64_t vector_signed(uint64_t value, unsigned size)
{
    unsigned by = 64 - (8u << size);
    return (int64_t)(value << by) >> by;
}

/* Condition code of a comparison of all elements: 0 all, 1 some, 3 none of n. */
static inline uint8_t vector_cc(unsigned found, unsigned n) { return found == n ? 0 : found ? 1 : 3; }

/* Storage of a vector's bytes in their order. */
static inline union vector vector_from_bytes(const uint8_t bytes[16])
{
    return (union vector){.g = {[LANE(0, 2)] = get64(bytes), [LANE(1, 2)] = get64(bytes + 8)}};
}
static inline void vector_to_bytes(const union vector *v, uint8_t bytes[16])
{
    put64(bytes, v->g[LANE(0, 2)]);
    put64(bytes + 8, v->g[LANE(1, 2)]);
}

#endif
