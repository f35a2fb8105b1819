/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vector registers as vectors of the host; for the handlers of cpu/engine only. */
#ifndef ZRI_CPU_ENGINE_OP_VECTOR_H
#define ZRI_CPU_ENGINE_OP_VECTOR_H

#include "cpu/engine/block.h"

#define VECTOR_TYPE(name, type) typedef type vector_##name __attribute__((vector_size(16), may_alias))
VECTOR_TYPE(b, uint8_t);
VECTOR_TYPE(h, uint16_t);
VECTOR_TYPE(f, uint32_t);
VECTOR_TYPE(g, uint64_t);
VECTOR_TYPE(sb, int8_t);
VECTOR_TYPE(sh, int16_t);
VECTOR_TYPE(sf, int32_t);
VECTOR_TYPE(sg, int64_t);
VECTOR_TYPE(long, double);
VECTOR_TYPE(short, float);
#undef VECTOR_TYPE

#define V(type, n) (*(type *)(void *)&cpu->vr[n])
#define HI1        (cpu->vr[op->r1].hi)
#define LO1        (cpu->vr[op->r1].lo)
/* A whole register is stored as one, for what loads it as one next would wait for two halves to be stored. */
#define SET(high, low) (V(vector_g, op->r1) = (vector_g){(high), (low)})

#ifndef EA_X
#define EA_X (GR(op->r2) + GR(op->r3) + (uint64_t)(int64_t)op->d)
#endif

/* Choose the handler of a vector instruction and fill in `op`; *after receives the kind behind it when that changes.
   False: the body. */
bool block_vector(const struct cpu *cpu, const struct dis_insn *insn, struct op *op, unsigned *after);
bool block_vector_float(const struct cpu *cpu, const struct dis_insn *insn, struct op *op, unsigned *after);

#endif
