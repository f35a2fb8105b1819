/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the templates of vector instructions. A vector register is two doublewords in the host's order: element n
   of the guest is element n ^ 7 >> size of the host. */
#ifndef ZRI_CPU_TRANSLATE_EMIT_VECTOR_H
#define ZRI_CPU_TRANSLATE_EMIT_VECTOR_H

#include "cpu/translate/emit/template.h"

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

/* Vector registers in XMM6 and those above; XMM0-5 are free. Who reads does so before it writes, and leaves to handlers
   before either has changed anything. */
/* The register that has it, not to be changed. */
unsigned vector_read(struct translation *t, unsigned vr);
/* Likewise among XMM0-15, where some operations must have it: `scratch` when it is elsewhere. */
unsigned vector_low(struct translation *t, unsigned vr, unsigned scratch);
/* The register that becomes it as a whole. */
unsigned vector_write(struct translation *t, unsigned vr);
/* Likewise among XMM0-15, or XMM0; vector_written() has to follow. */
unsigned vector_write_low(struct translation *t, unsigned vr);
/* It is in `from`. */
void vector_written(struct translation *t, unsigned vr, unsigned from);
/* The register that has it, of which a part will be changed. */
unsigned vector_change(struct translation *t, unsigned vr);
/* Is it in one? Else it is in struct cpu. */
bool vector_held(struct translation *t, unsigned vr);

static inline void ones(struct translation *t, unsigned xmm) { x86_three(&t->x, PACKED_EQUAL_F, xmm, xmm, xmm); }
/* XMM0 is V1 with its halves exchanged. */
static inline void swapped(struct translation *t) { x86_vpshufd(&t->x, vector_write(t, V1), 0, 0x4e); }

#endif
