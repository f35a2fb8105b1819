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
#define UNARY_LANES(name, type, member, value)                                                                         \
    static void name##_##member(const union vector *a, union vector *r)                                                \
    {                                                                                                                  \
        typedef type element;                                                                                          \
        for (unsigned k = 0; k < 16 / sizeof(element); k++) {                                                          \
            const element x = a->member[k];                                                                            \
            r->member[k] = (element)(value);                                                                           \
        }                                                                                                              \
    }
#define BINARY_LANES(name, type, member, value)                                                                        \
    static void name##_##member(const union vector *a, const union vector *b, union vector *r)                         \
    {                                                                                                                  \
        typedef type element;                                                                                          \
        for (unsigned k = 0; k < 16 / sizeof(element); k++) {                                                          \
            const element x = a->member[k], y = b->member[k];                                                          \
            r->member[k] = (element)(value);                                                                           \
        }                                                                                                              \
    }
#define TERNARY_LANES(name, type, member, value)                                                                       \
    static void name##_##member(const union vector *a, const union vector *b, const union vector *c, union vector *r)  \
    {                                                                                                                  \
        typedef type element;                                                                                          \
        for (unsigned k = 0; k < 16 / sizeof(element); k++) {                                                          \
            const element x = a->member[k], y = b->member[k], z = c->member[k];                                        \
            r->member[k] = (element)(value);                                                                           \
        }                                                                                                              \
    }
#define BINARY_QUAD(name, value)                                                                                       \
    static void name##_q(const union vector *a, const union vector *b, union vector *r)                                \
    {                                                                                                                  \
        typedef vector_quad element;                                                                                   \
        const element x = a->q, y = b->q;                                                                              \
        r->q = (element)(value);                                                                                       \
    }

/* Tables by element size: unsigned elements, signed ones, unsigned ones with quadwords. */
#define UNARY(name, value)                                                                                             \
    UNARY_LANES(name, uint8_t, b, value)                                                                               \
    UNARY_LANES(name, uint16_t, h, value)                                                                              \
    UNARY_LANES(name, uint32_t, f, value)                                                                              \
    UNARY_LANES(name, uint64_t, g, value)                                                                              \
    static const vector_unary name[] = {name##_b, name##_h, name##_f, name##_g};
#define BINARY(name, value)                                                                                            \
    BINARY_LANES(name, uint8_t, b, value)                                                                              \
    BINARY_LANES(name, uint16_t, h, value)                                                                             \
    BINARY_LANES(name, uint32_t, f, value)                                                                             \
    BINARY_LANES(name, uint64_t, g, value)                                                                             \
    static const vector_binary name[] = {name##_b, name##_h, name##_f, name##_g};
#define BINARY_SIGNED(name, value)                                                                                     \
    BINARY_LANES(name, int8_t, sb, value)                                                                              \
    BINARY_LANES(name, int16_t, sh, value)                                                                             \
    BINARY_LANES(name, int32_t, sf, value)                                                                             \
    BINARY_LANES(name, int64_t, sg, value)                                                                             \
    static const vector_binary name[] = {name##_sb, name##_sh, name##_sf, name##_sg};
#define BINARY_WIDE(name, value)                                                                                       \
    BINARY_LANES(name, uint8_t, b, value)                                                                              \
    BINARY_LANES(name, uint16_t, h, value)                                                                             \
    BINARY_LANES(name, uint32_t, f, value)                                                                             \
    BINARY_LANES(name, uint64_t, g, value)                                                                             \
    BINARY_QUAD(name, value)                                                                                           \
    static const vector_binary name[] = {name##_b, name##_h, name##_f, name##_g, name##_q};
#define TERNARY(name, value)                                                                                           \
    TERNARY_LANES(name, uint8_t, b, value)                                                                             \
    TERNARY_LANES(name, uint16_t, h, value)                                                                            \
    TERNARY_LANES(name, uint32_t, f, value)                                                                            \
    static const vector_ternary name[] = {name##_b, name##_h, name##_f};
#define TERNARY_SIGNED(name, value)                                                                                    \
    TERNARY_LANES(name, int8_t, sb, value)                                                                             \
    TERNARY_LANES(name, int16_t, sh, value)                                                                            \
    TERNARY_LANES(name, int32_t, sf, value)                                                                            \
    static const vector_ternary name[] = {name##_sb, name##_sh, name##_sf};

/* The highest size in such a table. */
#define LAST_SIZE(operations) (sizeof(operations) / sizeof *(operations)-1)

#endif
