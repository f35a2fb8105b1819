/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the templates of vector instructions. A vector register is two doublewords in the host's order: element n
   of the guest is element n ^ 7 >> size of the host. */
#ifndef ZRI_CPU_TRANSLATE_VECTOR_H
#define ZRI_CPU_TRANSLATE_VECTOR_H

#include "cpu/translate/template.h"

#define V1        (t->op->r1)
#define V2        (t->op->r2)
#define V3        (t->op->r3)
#define V_AT(n)   (CPU_AT(vr) + (int32_t)sizeof(struct vector_register) * (n))
#define DOUBLE(n) ((n) + 8)

/* The host's operation on elements, by enum element_operation and size: bytes, halfwords, words, doublewords. 0: left
   to the handler. */
extern const uint32_t vector_operations[][4];
/* The size that the instruction says; 0 when it says none. */
static inline unsigned vector_size(const struct dis_insn *insn, unsigned how)
{
    return how & HOW_MORE ? 0 : how & HOW_FOUR ? insn->m3 : insn->m4;
}

static inline void load(struct translation *t, unsigned xmm, unsigned vr)
{
    x86_movups_load(&t->x, xmm, CPU, V_AT(vr));
}
static inline void result(struct translation *t) { x86_movups_store(&t->x, 0, CPU, V_AT(V1)); }
static inline void ones(struct translation *t, unsigned xmm) { x86_packed(&t->x, PACKED_EQUAL_F, xmm, xmm); }
static inline void invert(struct translation *t)
{
    ones(t, 1);
    x86_packed(&t->x, PACKED_XOR, 0, 1);
}
static inline void swap_halves(struct translation *t) { x86_pshufd(&t->x, 0, 0, 0x4e); }

#endif
