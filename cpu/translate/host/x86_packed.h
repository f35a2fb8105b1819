/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions of an x86-64 host on registers of sixteen bytes, as in x86.h: SSE up to 4.2, and FMA. */
#ifndef ZRI_CPU_TRANSLATE_X86_PACKED_H
#define ZRI_CPU_TRANSLATE_X86_PACKED_H

#include "cpu/translate/host/x86.h"

static inline void x86_movups_load(struct x86 *x, unsigned xmm, unsigned base, int32_t d)
{
    x86_rm(x, 0, 0x0f10, xmm, base, d);
}
static inline void x86_movups_store(struct x86 *x, unsigned xmm, unsigned base, int32_t d)
{
    x86_rm(x, 0, 0x0f11, xmm, base, d);
}

/* Operations on packed numbers, by their opcodes. The first operand is changed. */
enum x86_packed {
    PACKED_MERGE_LOW_B = 0x0f60,
    PACKED_MERGE_LOW_H,
    PACKED_MERGE_LOW_F,
    PACKED_GREATER_B = 0x0f64,
    PACKED_GREATER_H,
    PACKED_GREATER_F,
    PACKED_PACK_H = 0x0f67, /* signed halfwords to unsigned bytes, saturated */
    PACKED_MERGE_HIGH_B,
    PACKED_MERGE_HIGH_H,
    PACKED_MERGE_HIGH_F,
    PACKED_MERGE_LOW_G = 0x0f6c,
    PACKED_MERGE_HIGH_G,
    PACKED_LOAD = 0x0f6f,
    PACKED_EQUAL_B = 0x0f74,
    PACKED_EQUAL_H,
    PACKED_EQUAL_F,
    PACKED_MULTIPLY_H = 0x0fd5,
    PACKED_MIN_UB = 0x0fda,
    PACKED_AND = 0x0fdb,
    PACKED_MAX_UB = 0x0fde,
    PACKED_AND_NOT = 0x0fdf, /* the first one inverted */
    PACKED_MIN_SH = 0x0fea,
    PACKED_OR = 0x0feb,
    PACKED_MAX_SH = 0x0fee,
    PACKED_XOR = 0x0fef,
    PACKED_MULTIPLY_F_EVEN = 0x0ff4, /* to doublewords */
    PACKED_SUB_B = 0x0ff8,
    PACKED_SUB_H,
    PACKED_SUB_F,
    PACKED_SUB_G,
    PACKED_ADD_B,
    PACKED_ADD_H,
    PACKED_ADD_F,
    PACKED_ADD_G = 0x0fd4,
    PACKED_BYTES = 0x0f3800, /* the bytes that the second operand numbers; zero for numbers from 80 on */
    PACKED_TEST = 0x0f3817,  /* flags: zero when no bit is in both; carry when none is in the second alone */
    PACKED_ABS_B = 0x0f381c, /* of the second operand */
    PACKED_ABS_H,
    PACKED_ABS_F,
    PACKED_EXTEND_B = 0x0f3820, /* bytes to halfwords and so on */
    PACKED_EXTEND_H = 0x0f3823,
    PACKED_EXTEND_F = 0x0f3825,
    PACKED_MULTIPLY_SF_EVEN = 0x0f3828,
    PACKED_EQUAL_G,
    PACKED_PACK_F = 0x0f382b, /* signed words to unsigned halfwords, saturated */
    PACKED_EXTEND_UB = 0x0f3830,
    PACKED_EXTEND_UH = 0x0f3833,
    PACKED_EXTEND_UF = 0x0f3835,
    PACKED_GREATER_G = 0x0f3837,
    PACKED_MIN_SB,
    PACKED_MIN_SF,
    PACKED_MIN_UH,
    PACKED_MIN_UF,
    PACKED_MAX_SB,
    PACKED_MAX_SF,
    PACKED_MAX_UH,
    PACKED_MAX_UF,
    PACKED_MULTIPLY_F,
};
static inline void x86_packed(struct x86 *x, enum x86_packed op, unsigned to, unsigned from)
{
    x86_rr(x, X86_HALF, op, to, from);
}
/* The second operand stands in this code. */
static inline void x86_packed_code(struct x86 *x, enum x86_packed op, unsigned to, const uint8_t *target)
{
    x86_opcode(x, X86_HALF, op, to, 0, 0);
    x86_bytes(x, (to & 7u) << 3 | 5, 1);
    x86_bytes(x, (uint32_t)(target - (x->at + 4)), 4);
}
static inline void x86_mov_x(struct x86 *x, unsigned to, unsigned from) { x86_rr(x, 0, 0x0f28, to, from); }
/* Elements of 16, 32 and 64 bits shifted by an immediate amount */
enum x86_packed_shift { PACKED_SHR = 2, PACKED_SAR = 4, PACKED_SHL = 6 };
static inline void x86_packed_shift(struct x86 *x, unsigned bits, enum x86_packed_shift shift, unsigned xmm, uint8_t n)
{
    x86_rr(x, X86_HALF, bits == 16 ? 0x0f71 : bits == 32 ? 0x0f72 : 0x0f73, shift, xmm);
    x86_bytes(x, n, 1);
}
/* From and to a general register; the rest becomes zero. */
static inline void x86_to_xmm(struct x86 *x, bool w, unsigned to, unsigned from)
{
    x86_rr(x, X86_HALF | w, 0x0f6e, to, from);
}
static inline void x86_from_xmm(struct x86 *x, bool w, unsigned to, unsigned from)
{
    x86_rr(x, X86_HALF | w, 0x0f7e, from, to);
}
/* The leftmost bit of each byte */
static inline void x86_pmovmskb(struct x86 *x, unsigned to, unsigned xmm) { x86_rr(x, X86_HALF, 0x0fd7, to, xmm); }
/* The number of the leftmost one bit, from the right */
static inline void x86_bsf(struct x86 *x, bool w, unsigned to, unsigned from) { x86_rr(x, w, 0x0fbc, to, from); }
static inline void x86_bsr(struct x86 *x, bool w, unsigned to, unsigned from) { x86_rr(x, w, 0x0fbd, to, from); }

/* ---- floating point --------------------------------------------------------------------------------------------- */

/* One number, on the right of a register: operations by their opcodes; long (W) or short. */
enum x86_scalar {
    SCALAR_SQRT = 0x0f51,
    SCALAR_ADD = 0x0f58,
    SCALAR_MULTIPLY,
    SCALAR_CONVERT, /* to the other format */
    SCALAR_SUB = 0x0f5c,
    SCALAR_DIVIDE = 0x0f5e,
};
static inline void x86_scalar_load(struct x86 *x, bool w, unsigned xmm, unsigned base, int32_t d)
{
    x86_bytes(x, w ? 0xf2 : 0xf3, 1);
    x86_rm(x, 0, 0x0f10, xmm, base, d);
}
static inline void x86_scalar(struct x86 *x, bool w, enum x86_scalar op, unsigned to, unsigned from)
{
    x86_bytes(x, w ? 0xf2 : 0xf3, 1);
    x86_rr(x, 0, op, to, from);
}
/* The same of all numbers of a register */
static inline void x86_float(struct x86 *x, bool w, enum x86_scalar op, unsigned to, unsigned from)
{
    x86_rr(x, w ? X86_HALF : 0, op, to, from);
}
/* From and to a signed integer of 64 bits (W) or 32, truncated */
static inline void x86_from_integer(struct x86 *x, bool is_long, bool w, unsigned xmm, unsigned from)
{
    x86_bytes(x, is_long ? 0xf2 : 0xf3, 1);
    x86_rr(x, w, 0x0f2a, xmm, from);
}
static inline void x86_to_integer(struct x86 *x, bool is_long, bool w, unsigned to, unsigned xmm)
{
    x86_bytes(x, is_long ? 0xf2 : 0xf3, 1);
    x86_rr(x, w, 0x0f2c, to, xmm);
}
/* Flags: below, equal (zero), unordered (parity) */
static inline void x86_ucomis(struct x86 *x, bool is_long, unsigned one, unsigned other)
{
    x86_rr(x, is_long ? X86_HALF : 0, 0x0f2e, one, other);
}
/* `one` times `other` is added to `sum`, or that is subtracted from it, rounded once. */
static inline void x86_fused_by(struct x86 *x, bool w, unsigned opcode, unsigned sum, unsigned one, unsigned other)
{
    x86_bytes(x, 0xc4, 1);
    x86_bytes(x, (sum & 8 ? 0u : 0x80u) | 0x40u | (other & 8 ? 0u : 0x20u) | 2, 1);
    x86_bytes(x, (w ? 0x80u : 0u) | (~one & 15) << 3 | 1, 1);
    x86_bytes(x, opcode, 1);
    x86_bytes(x, 0xc0u | (sum & 7) << 3 | (other & 7), 1);
}
static inline void x86_fused(struct x86 *x, bool w, bool subtract, unsigned sum, unsigned one, unsigned other)
{
    x86_fused_by(x, w, subtract ? 0xbb : 0xb9, sum, one, other);
}
static inline void x86_fused_packed(struct x86 *x, bool w, bool subtract, unsigned sum, unsigned one, unsigned other)
{
    x86_fused_by(x, w, subtract ? 0xba : 0xb8, sum, one, other);
}
/* Control and status */
static inline void x86_ldmxcsr(struct x86 *x, unsigned base, int32_t d) { x86_rm(x, 0, 0x0fae, 2, base, d); }
static inline void x86_stmxcsr(struct x86 *x, unsigned base, int32_t d) { x86_rm(x, 0, 0x0fae, 3, base, d); }

#endif
