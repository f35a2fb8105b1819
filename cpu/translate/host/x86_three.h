/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions of an x86-64 host on registers of sixteen bytes that say where the result goes: with the VEX prefix
   (AVX), or, when one of XMM16-31 is named, with the EVEX prefix (AVX-512 VL, BW and DQ). As in x86.h. */
#ifndef ZRI_CPU_TRANSLATE_X86_THREE_H
#define ZRI_CPU_TRANSLATE_X86_THREE_H

#include "cpu/translate/host/x86_packed.h"

#define X86_EVEX 16u /* in a size: with EVEX whatever the registers */

/* Prefix and opcode: `reg` and `rm` as in x86_rr(), `other` the register between them, 0 when there is none. X86_HALF
   in `size` is the prefix 66. */
static inline void x86_vex_opcode(struct x86 *x, unsigned size, uint32_t opcode, unsigned reg, unsigned other,
                                  unsigned rm)
{
    const unsigned map = opcode >> 8 == 0x0f ? 1 : opcode >> 8 == 0x0f38 ? 2 : 3;
    const unsigned last = (size & X86_WIDE ? 0x80u : 0) | (~other & 15) << 3 | (size & X86_HALF ? 1 : 0);
    const unsigned r = (~reg >> 3 & 1) << 7, b = (~rm >> 3 & 1) << 5;
    if ((reg | other | rm) > 15 || size & X86_EVEX) {
        x86_bytes(x, 0x62, 1);
        x86_bytes(x, r | (~rm >> 4 & 1) << 6 | b | (~reg >> 4 & 1) << 4 | map, 1);
        x86_bytes(x, last | 4, 1);
        x86_bytes(x, (~other >> 4 & 1) << 3, 1);
    } else if (map == 1 && rm < 8 && !(size & X86_WIDE)) {
        x86_bytes(x, 0xc5, 1);
        x86_bytes(x, r | last, 1);
    } else {
        x86_bytes(x, 0xc4, 1);
        x86_bytes(x, r | 0x40 | b | map, 1);
        x86_bytes(x, last, 1);
    }
    x86_bytes(x, opcode & 0xff, 1);
}

static inline void x86_vex(struct x86 *x, unsigned size, uint32_t opcode, unsigned reg, unsigned other, unsigned rm)
{
    x86_vex_opcode(x, size, opcode, reg, other, rm);
    x86_bytes(x, 0xc0u | (reg & 7) << 3 | (rm & 7), 1);
}

/* Sixteen bytes at base + displacement, which EVEX counts in sixteens when it is short. */
static inline void x86_vex_m(struct x86 *x, unsigned size, uint32_t opcode, unsigned reg, unsigned other, unsigned base,
                             int32_t d)
{
    const bool evex = (reg | other) > 15;
    const int32_t small = evex && d % 16 ? INT32_MAX : evex ? d / 16 : d;
    const unsigned mode = d == 0 && (base & 7) != RBP ? 0 : small == (int8_t)small ? 0x40 : 0x80;
    x86_vex_opcode(x, size, opcode, reg, other, base);
    x86_bytes(x, mode | (reg & 7) << 3 | (base & 7), 1);
    if ((base & 7) == RSP)
        x86_bytes(x, 0x24, 1);
    if (mode)
        x86_bytes(x, (uint32_t)(mode == 0x40 ? small : d), mode == 0x40 ? 1 : 4);
}

/* Of general registers (BMI2): `from`, rotated to the right. The flags stay. */
static inline void x86_rorx(struct x86 *x, bool w, unsigned to, unsigned from, uint8_t n)
{
    x86_bytes(x, 0xc4, 1);
    x86_bytes(x, (~to >> 3 & 1) << 7 | 0x40 | (~from >> 3 & 1) << 5 | 3, 1);
    x86_bytes(x, w ? 0xfb : 0x7b, 1);
    x86_bytes(x, 0xf0, 1);
    x86_bytes(x, 0xc0u | (to & 7) << 3 | (from & 7), 1);
    x86_bytes(x, n, 1);
}

/* ---- moves ------------------------------------------------------------------------------------------------------ */

static inline void x86_vmov(struct x86 *x, unsigned to, unsigned from) { x86_vex(x, 0, 0x0f28, to, 0, from); }
static inline void x86_vload(struct x86 *x, unsigned xmm, unsigned base, int32_t d)
{
    x86_vex_m(x, 0, 0x0f10, xmm, 0, base, d);
}
static inline void x86_vstore(struct x86 *x, unsigned xmm, unsigned base, int32_t d)
{
    x86_vex_m(x, 0, 0x0f11, xmm, 0, base, d);
}
/* From and to a general register; the rest becomes zero. */
static inline void x86_vto_xmm(struct x86 *x, bool w, unsigned to, unsigned from)
{
    x86_vex(x, X86_HALF | w, 0x0f6e, to, 0, from);
}
static inline void x86_vfrom_xmm(struct x86 *x, bool w, unsigned to, unsigned from)
{
    x86_vex(x, X86_HALF | w, 0x0f7e, from, 0, to);
}
/* What `xmm` is with an element, of 1 to 8 bytes, from a general register */
static inline void x86_vinsert(struct x86 *x, unsigned bytes, unsigned to, unsigned xmm, unsigned from, uint8_t number)
{
    x86_vex(x, X86_HALF | (bytes == 8), bytes == 1 ? 0x0f3a20 : bytes == 2 ? 0x0fc4 : 0x0f3a22, to, xmm, from);
    x86_bytes(x, number, 1);
}
/* An element, zero-extended */
static inline void x86_vextract(struct x86 *x, unsigned bytes, unsigned to, unsigned xmm, uint8_t number)
{
    if (bytes == 2)
        x86_vex(x, X86_HALF, 0x0fc5, to, 0, xmm);
    else
        x86_vex(x, X86_HALF | (bytes == 8), bytes == 1 ? 0x0f3a14 : 0x0f3a16, xmm, 0, to);
    x86_bytes(x, number, 1);
}

/* ---- operations ------------------------------------------------------------------------------------------------- */

static inline unsigned x86_three_size(enum x86_packed op, unsigned all)
{
    const bool wide = op == PACKED_ADD_G || op == PACKED_SUB_G || op == PACKED_MERGE_LOW_G ||
                      op == PACKED_MERGE_HIGH_G || op == PACKED_MULTIPLY_F_EVEN || op == PACKED_MULTIPLY_SF_EVEN;
    return X86_HALF | (all > 15 && wide ? X86_WIDE : 0);
}
/* The operation on `one` and `other`; of operations on one operand `one` is 0. Comparisons and PACKED_TEST have no form
   for XMM16-31: with EVEX the result goes elsewhere, or there is none. */
static inline void x86_three(struct x86 *x, enum x86_packed op, unsigned to, unsigned one, unsigned other)
{
    x86_vex(x, x86_three_size(op, to | one | other), op, to, one, other);
}
/* The second operand stands in this code. */
static inline void x86_three_code(struct x86 *x, enum x86_packed op, unsigned to, unsigned one, const uint8_t *target)
{
    x86_vex_opcode(x, x86_three_size(op, to | one), op, to, one, 0);
    x86_bytes(x, (to & 7u) << 3 | 5, 1);
    x86_bytes(x, (uint32_t)(target - (x->at + 4)), 4);
}
/* Elements of 16, 32 and 64 bits by an immediate amount */
static inline void x86_vshift(struct x86 *x, unsigned bits, enum x86_packed_shift shift, unsigned to, unsigned from,
                              uint8_t n)
{
    const unsigned wide = bits == 64 && (to | from) > 15 ? X86_WIDE : 0;
    x86_vex(x, X86_HALF | wide, bits == 16 ? 0x0f71 : bits == 32 ? 0x0f72 : 0x0f73, shift, to, from);
    x86_bytes(x, n, 1);
}
/* Sixteen bytes by n of them, to the right */
static inline void x86_vshift_bytes(struct x86 *x, unsigned to, unsigned from, uint8_t n)
{
    x86_vex(x, X86_HALF, 0x0f73, 3, to, from);
    x86_bytes(x, n, 1);
}
/* With AVX-512: elements of 32 and 64 bits, rotated to the left, or doublewords shifted with their signs */
static inline void x86_vrotate(struct x86 *x, unsigned bits, unsigned to, unsigned from, uint8_t n)
{
    x86_vex(x, X86_EVEX | X86_HALF | (bits == 64 ? X86_WIDE : 0), 0x0f72, 1, to, from);
    x86_bytes(x, n, 1);
}
static inline void x86_vshift_signed(struct x86 *x, unsigned to, unsigned from, uint8_t n)
{
    x86_vex(x, X86_EVEX | X86_HALF | X86_WIDE, 0x0f72, PACKED_SAR, to, from);
    x86_bytes(x, n, 1);
}
/* Each bit of `to` becomes that of the number in `table` that it, those of `one` and of `other` are. */
static inline void x86_vternary(struct x86 *x, unsigned to, unsigned one, unsigned other, uint8_t table)
{
    x86_vex(x, X86_EVEX | X86_HALF, 0x0f3a25, to, one, other);
    x86_bytes(x, table, 1);
}
/* Words in the order that four pairs of bits say, from the right */
static inline void x86_vpshufd(struct x86 *x, unsigned to, unsigned from, uint8_t order)
{
    x86_vex(x, X86_HALF, 0x0f70, to, 0, from);
    x86_bytes(x, order, 1);
}
/* The right half from `one`, the left one from `other`, likewise: words, doublewords by one bit each. */
static inline void x86_vshufps(struct x86 *x, unsigned to, unsigned one, unsigned other, uint8_t order)
{
    x86_vex(x, 0, 0x0fc6, to, one, other);
    x86_bytes(x, order, 1);
}
static inline void x86_vshufpd(struct x86 *x, unsigned to, unsigned one, unsigned other, uint8_t order)
{
    x86_vex(x, X86_HALF | ((to | one | other) > 15 ? X86_WIDE : 0), 0x0fc6, to, one, other);
    x86_bytes(x, order, 1);
}
/* Sixteen bytes from byte n on of both, the second one being on the right */
static inline void x86_vpalignr(struct x86 *x, unsigned to, unsigned one, unsigned other, uint8_t n)
{
    x86_vex(x, X86_HALF, 0x0f3a0f, to, one, other);
    x86_bytes(x, n, 1);
}

#endif
