/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations on vectors one element at a time, as loops of one element size that a compiler turns into the host's
   vector instructions; shared by the vector files only. */
#ifndef ZRI_CPU_EXEC_VECTOR_LANES_H
#define ZRI_CPU_EXEC_VECTOR_LANES_H

#include "cpu/exec/vector/element.h"

/* An operation on the elements of one size. */
typedef void (*vector_unary)(const union vector *a, union vector *r);
typedef void (*vector_binary)(const union vector *a, const union vector *b, union vector *r);
typedef void (*vector_ternary)(const union vector *a, const union vector *b, const union vector *c, union vector *r);

/* The loop over all lanes of `member`, whose type is `type`: x, y and z are the elements, `value` the result; it may
   also use `element` (the type) and ELEMENT_BITS. */
#define ELEMENT_BITS (8 * (unsigned)sizeof(element))
/* Each lane of r from the same lanes of the operands, which `value` calls x, y and z. */
#define EACH_LANE(type, member, operands, value)                                                                       \
    typedef type element;                                                                                              \
    for (unsigned k = 0; k < 16 / sizeof(element); k++) {                                                              \
        operands(member) r->member[k] = (element)(value);                                                              \
    }
#define LANES_X(member)   const element x = a->member[k];
#define LANES_XY(member)  LANES_X(member) const element y = b->member[k];
#define LANES_XYZ(member) LANES_XY(member) const element z = c->member[k];
#define UNARY_LANES(name, type, member, value)                                                                         \
    static void name##_##member(const union vector *a, union vector *r) { EACH_LANE(type, member, LANES_X, value) }
#define BINARY_LANES(name, type, member, value)                                                                        \
    static void name##_##member(const union vector *a, const union vector *b, union vector *r)                         \
    {                                                                                                                  \
        EACH_LANE(type, member, LANES_XY, value)                                                                       \
    }
#define TERNARY_LANES(name, type, member, value)                                                                       \
    static void name##_##member(const union vector *a, const union vector *b, const union vector *c, union vector *r)  \
    {                                                                                                                  \
        EACH_LANE(type, member, LANES_XYZ, value)                                                                      \
    }
#define BINARY_QUAD(name, value)                                                                                       \
    static void name##_q(const union vector *a, const union vector *b, union vector *r)                                \
    {                                                                                                                  \
        typedef vector_quad element;                                                                                   \
        const element x = a->q, y = b->q;                                                                              \
        r->q = (element)(value);                                                                                       \
    }

/* A function for each element size: to words, or all. */
#define UNSIGNED_TO_WORD(lanes, name, value)                                                                           \
    lanes(name, uint8_t, b, value) lanes(name, uint16_t, h, value) lanes(name, uint32_t, f, value)
#define UNSIGNED_LANES(lanes, name, value) UNSIGNED_TO_WORD(lanes, name, value) lanes(name, uint64_t, g, value)
#define SIGNED_TO_WORD(lanes, name, value)                                                                             \
    lanes(name, int8_t, sb, value) lanes(name, int16_t, sh, value) lanes(name, int32_t, sf, value)
#define SIGNED_LANES(lanes, name, value) SIGNED_TO_WORD(lanes, name, value) lanes(name, int64_t, sg, value)

/* Tables by element size: unsigned elements, signed ones, unsigned ones with quadwords. */
#define UNARY(name, value)                                                                                             \
    UNSIGNED_LANES(UNARY_LANES, name, value)                                                                           \
    static const vector_unary name[] = {name##_b, name##_h, name##_f, name##_g};
#define BINARY(name, value)                                                                                            \
    UNSIGNED_LANES(BINARY_LANES, name, value)                                                                          \
    static const vector_binary name[] = {name##_b, name##_h, name##_f, name##_g};
#define BINARY_SIGNED(name, value)                                                                                     \
    SIGNED_LANES(BINARY_LANES, name, value)                                                                            \
    static const vector_binary name[] = {name##_sb, name##_sh, name##_sf, name##_sg};
#define BINARY_WIDE(name, value)                                                                                       \
    UNSIGNED_LANES(BINARY_LANES, name, value)                                                                          \
    BINARY_QUAD(name, value)                                                                                           \
    static const vector_binary name[] = {name##_b, name##_h, name##_f, name##_g, name##_q};
#define TERNARY(name, value)                                                                                           \
    UNSIGNED_TO_WORD(TERNARY_LANES, name, value)                                                                       \
    static const vector_ternary name[] = {name##_b, name##_h, name##_f};
#define TERNARY_SIGNED(name, value)                                                                                    \
    SIGNED_TO_WORD(TERNARY_LANES, name, value)                                                                         \
    static const vector_ternary name[] = {name##_sb, name##_sh, name##_sf};

/* M4 chooses the size of an operation on two operands, at most `last`. */
static inline int vector_by_size(struct cpu *cpu, const struct dis_insn *i, const vector_binary *operations,
                                 unsigned last, union vector a, union vector b)
{
    union vector r;
    if (i->m4 > last)
        return PIC_SPECIFICATION;
    operations[i->m4](&a, &b, &r);
    vector_set(cpu, i->r1, r);
    return 0;
}

/* The highest size in such a table. */
#define LAST_SIZE(operations) (sizeof(operations) / sizeof *(operations)-1)

#endif
