/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions of an x86-64 host, one function for each form that the translator uses. They know nothing of the guest.
   Sizes: `w` true is 64 bits, false 32. tests/unit/test_x86.c holds every form against the bytes of an assembler. */
#ifndef ZRI_CPU_TRANSLATE_X86_H
#define ZRI_CPU_TRANSLATE_X86_H

#include "base/bits.h"
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Where instructions go. What does not fit is not written, and `full` says so. */
struct x86 {
    uint8_t *at, *end;
    bool full;
};

enum x86_register { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };
/* Operations on two operands, by their number in the immediate form. */
enum x86_alu { ALU_ADD, ALU_OR, ALU_ADC, ALU_SBB, ALU_AND, ALU_SUB, ALU_XOR, ALU_CMP };
enum x86_shift { SHIFT_ROL, SHIFT_ROR, SHIFT_SHL = 4, SHIFT_SHR, SHIFT_SAR = 7 };
/* Conditions; the odd one of a pair is the other's opposite. */
enum x86_condition {
    IF_O,
    IF_NO,
    IF_B,
    IF_AE,
    IF_E,
    IF_NE,
    IF_BE,
    IF_A,
    IF_S,
    IF_NS,
    IF_P,
    IF_NP,
    IF_L,
    IF_GE,
    IF_LE,
    IF_G
};

#define X86_WIDE    1u /* 64 bits */
#define X86_BYTE    2u /* the register is a byte: those above BL need a prefix */
#define X86_BYTE_RM 4u /* likewise the second register */
#define X86_HALF    8u /* 16 bits */

static inline void x86_bytes(struct x86 *x, uint64_t bytes, unsigned n)
{
    if (x->end - x->at < (ptrdiff_t)n) {
        x->full = true;
        return;
    }
    for (unsigned i = 0; i < n; i++)
        *x->at++ = (uint8_t)(bytes >> 8 * i);
}

/* Prefixes and an opcode of one to three bytes, written as a number with the first byte leftmost. */
static inline void x86_opcode(struct x86 *x, unsigned size, uint32_t opcode, unsigned reg, unsigned index, unsigned rm)
{
    const unsigned rex = 0x40u | (size & X86_WIDE) << 3 | (reg >> 3) << 2 | (index >> 3) << 1 | rm >> 3;
    if (size & X86_HALF)
        x86_bytes(x, 0x66, 1);
    if (rex != 0x40 || (size & X86_BYTE && reg >= RSP) || (size & X86_BYTE_RM && rm >= RSP))
        x86_bytes(x, rex, 1);
    if (opcode > 0xffff)
        x86_bytes(x, opcode >> 16, 1);
    if (opcode > 0xff)
        x86_bytes(x, opcode >> 8 & 0xff, 1);
    x86_bytes(x, opcode & 0xff, 1);
}

/* Two registers; `rm` is the one that may be storage in the other forms. */
static inline void x86_rr(struct x86 *x, unsigned size, uint32_t opcode, unsigned reg, unsigned rm)
{
    x86_opcode(x, size, opcode, reg, 0, rm);
    x86_bytes(x, 0xc0u | (reg & 7) << 3 | (rm & 7), 1);
}

/* A register and storage at base + index * 2^scale + displacement; index RSP: none. */
static inline void x86_rmx(struct x86 *x, unsigned size, uint32_t opcode, unsigned reg, unsigned base, unsigned index,
                           unsigned scale, int32_t d)
{
    const unsigned mode = d == 0 && (base & 7) != RBP ? 0 : d == (int8_t)d ? 0x40 : 0x80;
    const bool sib = index != RSP || (base & 7) == RSP;
    x86_opcode(x, size, opcode, reg, index == RSP ? 0 : index, base);
    x86_bytes(x, mode | (reg & 7) << 3 | (sib ? 4 : base & 7), 1);
    if (sib)
        x86_bytes(x, scale << 6 | (index & 7) << 3 | (base & 7), 1);
    if (mode)
        x86_bytes(x, (uint32_t)d, mode == 0x40 ? 1 : 4);
}

/* A register and storage at base + displacement. */
static inline void x86_rm(struct x86 *x, unsigned size, uint32_t opcode, unsigned reg, unsigned base, int32_t d)
{
    x86_rmx(x, size, opcode, reg, base, RSP, 0, d);
}

/* ---- moves ------------------------------------------------------------------------------------------------------ */

static inline void x86_mov(struct x86 *x, bool w, unsigned to, unsigned from) { x86_rr(x, w, 0x8b, to, from); }
static inline void x86_load(struct x86 *x, bool w, unsigned to, unsigned base, int32_t d)
{
    x86_rm(x, w, 0x8b, to, base, d);
}
static inline void x86_store(struct x86 *x, bool w, unsigned from, unsigned base, int32_t d)
{
    x86_rm(x, w, 0x89, from, base, d);
}
/* A doubleword at the base of the GS segment + displacement, and that base itself. The flags stay. */
static inline void x86_gs(struct x86 *x, uint32_t opcode, unsigned reg, int32_t d)
{
    x86_bytes(x, 0x65, 1);
    x86_opcode(x, X86_WIDE, opcode, reg, 0, 0);
    x86_bytes(x, 4 | (reg & 7) << 3, 1);
    x86_bytes(x, 0x25, 1);
    x86_bytes(x, (uint32_t)d, 4);
}
static inline void x86_load_gs(struct x86 *x, unsigned to, int32_t d) { x86_gs(x, 0x8b, to, d); }
static inline void x86_store_gs(struct x86 *x, unsigned from, int32_t d) { x86_gs(x, 0x89, from, d); }
static inline void x86_rdgsbase(struct x86 *x, unsigned to)
{
    x86_bytes(x, 0xf3, 1);
    x86_rr(x, X86_WIDE, 0x0fae, 1, to);
}
static inline void x86_wrgsbase(struct x86 *x, unsigned from)
{
    x86_bytes(x, 0xf3, 1);
    x86_rr(x, X86_WIDE, 0x0fae, 3, from);
}
static inline void x86_store8(struct x86 *x, unsigned from, unsigned base, int32_t d)
{
    x86_rm(x, X86_BYTE, 0x88, from, base, d);
}
static inline void x86_store16(struct x86 *x, unsigned from, unsigned base, int32_t d)
{
    x86_rm(x, X86_HALF, 0x89, from, base, d);
}
/* 64-bit storage becomes a sign-extended immediate. */
static inline void x86_store_i(struct x86 *x, bool w, unsigned base, int32_t d, int32_t value)
{
    x86_rm(x, w, 0xc7, 0, base, d);
    x86_bytes(x, (uint32_t)value, 4);
}
static inline void x86_store8_i(struct x86 *x, unsigned base, int32_t d, uint8_t value)
{
    x86_rm(x, 0, 0xc6, 0, base, d);
    x86_bytes(x, value, 1);
}
static inline void x86_store16_i(struct x86 *x, unsigned base, int32_t d, uint16_t value)
{
    x86_rm(x, X86_HALF, 0xc7, 0, base, d);
    x86_bytes(x, value, 2);
}
/* Any value, in the shortest form; the flags stay. */
static inline void x86_mov_i(struct x86 *x, unsigned to, uint64_t value)
{
    if (value <= 0xffffffff) {
        x86_opcode(x, 0, 0xb8 | (to & 7), 0, 0, to);
        x86_bytes(x, value, 4);
    } else if ((int64_t)value == (int32_t)value) {
        x86_rr(x, X86_WIDE, 0xc7, 0, to);
        x86_bytes(x, value, 4);
    } else {
        x86_opcode(x, X86_WIDE, 0xb8 | (to & 7), 0, 0, to);
        x86_bytes(x, value, 8);
    }
}
static inline void x86_lea(struct x86 *x, unsigned to, unsigned base, int32_t d)
{
    x86_rm(x, X86_WIDE, 0x8d, to, base, d);
}
static inline void x86_lea_x(struct x86 *x, unsigned to, unsigned base, unsigned index, int32_t d)
{
    x86_rmx(x, X86_WIDE, 0x8d, to, base, index, 0, d);
}
/* Words, halfwords and bytes, extended. */
static inline void x86_movsxd(struct x86 *x, unsigned to, unsigned from) { x86_rr(x, X86_WIDE, 0x63, to, from); }
static inline void x86_movsxd_m(struct x86 *x, unsigned to, unsigned base, int32_t d)
{
    x86_rm(x, X86_WIDE, 0x63, to, base, d);
}
static inline void x86_movsx16(struct x86 *x, bool w, unsigned to, unsigned from) { x86_rr(x, w, 0x0fbf, to, from); }
static inline void x86_movsx8(struct x86 *x, bool w, unsigned to, unsigned from)
{
    x86_rr(x, w | X86_BYTE_RM, 0x0fbe, to, from);
}
static inline void x86_movzx16(struct x86 *x, unsigned to, unsigned from) { x86_rr(x, 0, 0x0fb7, to, from); }
static inline void x86_movzx8(struct x86 *x, unsigned to, unsigned from) { x86_rr(x, X86_BYTE_RM, 0x0fb6, to, from); }
static inline void x86_movzx8_m(struct x86 *x, unsigned to, unsigned base, int32_t d)
{
    x86_rm(x, 0, 0x0fb6, to, base, d);
}
static inline void x86_movzx16_m(struct x86 *x, unsigned to, unsigned base, int32_t d)
{
    x86_rm(x, 0, 0x0fb7, to, base, d);
}
static inline void x86_movsx8_m(struct x86 *x, bool w, unsigned to, unsigned base, int32_t d)
{
    x86_rm(x, w, 0x0fbe, to, base, d);
}
/* With the bytes reversed: 16 (the rest of the register stays), 32 or 64 bits; `size` as above. */
static inline void x86_movbe_load(struct x86 *x, unsigned size, unsigned to, unsigned base, int32_t d)
{
    x86_rm(x, size, 0x0f38f0, to, base, d);
}
static inline void x86_movbe_store(struct x86 *x, unsigned size, unsigned from, unsigned base, int32_t d)
{
    x86_rm(x, size, 0x0f38f1, from, base, d);
}
static inline void x86_bswap(struct x86 *x, bool w, unsigned reg) { x86_opcode(x, w, 0x0fc8 | (reg & 7), 0, 0, reg); }
static inline void x86_cmov(struct x86 *x, bool w, enum x86_condition c, unsigned to, unsigned from)
{
    x86_rr(x, w, 0x0f40u | c, to, from);
}
static inline void x86_setcc(struct x86 *x, enum x86_condition c, unsigned to)
{
    x86_rr(x, X86_BYTE_RM, 0x0f90u | c, 0, to);
}

/* ---- arithmetic ------------------------------------------------------------------------------------------------- */

static inline void x86_alu(struct x86 *x, bool w, enum x86_alu alu, unsigned to, unsigned from)
{
    x86_rr(x, w, 8u * alu + 3, to, from);
}
static inline void x86_alu_m(struct x86 *x, bool w, enum x86_alu alu, unsigned to, unsigned base, int32_t d)
{
    x86_rm(x, w, 8u * alu + 3, to, base, d);
}
/* The same with the base of the GS segment added to the address. */
static inline void x86_alu_gs(struct x86 *x, enum x86_alu alu, unsigned to, unsigned base, int32_t d)
{
    x86_bytes(x, 0x65, 1);
    x86_alu_m(x, true, alu, to, base, d);
}
/* Storage is changed, or compared with a register. */
static inline void x86_alu_to_m(struct x86 *x, bool w, enum x86_alu alu, unsigned base, int32_t d, unsigned from)
{
    x86_rm(x, w, 8u * alu + 1, from, base, d);
}
/* The immediate operand is sign-extended. */
static inline void x86_alu_i(struct x86 *x, bool w, enum x86_alu alu, unsigned to, int32_t value)
{
    const bool small = value == (int8_t)value;
    x86_rr(x, w, small ? 0x83 : 0x81, alu, to);
    x86_bytes(x, (uint32_t)value, small ? 1 : 4);
}
/* Always with four bytes of operand, for patching. */
static inline void x86_alu_i4(struct x86 *x, bool w, enum x86_alu alu, unsigned to, int32_t value)
{
    x86_rr(x, w, 0x81, alu, to);
    x86_bytes(x, (uint32_t)value, 4);
}
static inline void x86_alu_mi(struct x86 *x, bool w, enum x86_alu alu, unsigned base, int32_t d, int32_t value)
{
    const bool small = value == (int8_t)value;
    x86_rm(x, w, small ? 0x83 : 0x81, alu, base, d);
    x86_bytes(x, (uint32_t)value, small ? 1 : 4);
}
static inline void x86_alu8_mi(struct x86 *x, enum x86_alu alu, unsigned base, int32_t d, uint8_t value)
{
    x86_rm(x, 0, 0x80, alu, base, d);
    x86_bytes(x, value, 1);
}
/* The same with interlock. */
static inline void x86_lock_alu8_mi(struct x86 *x, enum x86_alu alu, unsigned base, int32_t d, uint8_t value)
{
    x86_bytes(x, 0xf0, 1);
    x86_alu8_mi(x, alu, base, d, value);
}
static inline void x86_test(struct x86 *x, bool w, unsigned one, unsigned other) { x86_rr(x, w, 0x85, other, one); }
static inline void x86_test_m(struct x86 *x, bool w, unsigned reg, unsigned base, int32_t d)
{
    x86_rm(x, w, 0x85, reg, base, d);
}
/* RAX is compared with storage: equal, the register is stored, else RAX becomes what is there. */
static inline void x86_lock_cmpxchg(struct x86 *x, bool w, unsigned from, unsigned base, int32_t d)
{
    x86_bytes(x, 0xf0, 1);
    x86_rm(x, w, 0x0fb1, from, base, d);
}
static inline void x86_test_i(struct x86 *x, bool w, unsigned reg, int32_t value)
{
    x86_rr(x, w, 0xf7, 0, reg);
    x86_bytes(x, (uint32_t)value, 4);
}
static inline void x86_bt(struct x86 *x, bool w, unsigned bits, unsigned number) { x86_rr(x, w, 0x0fa3, number, bits); }
static inline void x86_bt_i(struct x86 *x, bool w, unsigned bits, uint8_t number)
{
    x86_rr(x, w, 0x0fba, 4, bits);
    x86_bytes(x, number, 1);
}
/* The bit becomes zero. */
static inline void x86_btr(struct x86 *x, bool w, unsigned bits, unsigned number)
{
    x86_rr(x, w, 0x0fb3, number, bits);
}
static inline void x86_cmc(struct x86 *x) { x86_bytes(x, 0xf5, 1); }
static inline void x86_neg(struct x86 *x, bool w, unsigned reg) { x86_rr(x, w, 0xf7, 3, reg); }
static inline void x86_not(struct x86 *x, bool w, unsigned reg) { x86_rr(x, w, 0xf7, 2, reg); }
static inline void x86_imul(struct x86 *x, bool w, unsigned to, unsigned from) { x86_rr(x, w, 0x0faf, to, from); }
static inline void x86_imul_i(struct x86 *x, bool w, unsigned to, unsigned from, int32_t value)
{
    x86_rr(x, w, 0x69, to, from);
    x86_bytes(x, (uint32_t)value, 4);
}
/* RDX:RAX becomes the product of RAX and a register; is divided by one; RDX becomes the sign of RAX. */
static inline void x86_mul(struct x86 *x, bool w, unsigned reg) { x86_rr(x, w, 0xf7, 4, reg); }
static inline void x86_div(struct x86 *x, bool w, unsigned reg) { x86_rr(x, w, 0xf7, 6, reg); }
static inline void x86_idiv(struct x86 *x, bool w, unsigned reg) { x86_rr(x, w, 0xf7, 7, reg); }
static inline void x86_cqo(struct x86 *x) { x86_bytes(x, 0x9948, 2); }
static inline void x86_shift_i(struct x86 *x, bool w, enum x86_shift shift, unsigned reg, uint8_t n)
{
    x86_rr(x, w, 0xc1, shift, reg);
    x86_bytes(x, n, 1);
}
/* By the amount in CL. */
static inline void x86_shift_cl(struct x86 *x, bool w, enum x86_shift shift, unsigned reg)
{
    x86_rr(x, w, 0xd3, shift, reg);
}

/* ---- going elsewhere -------------------------------------------------------------------------------------------- */

/* Relative to the end of the instruction: the caller knows both addresses. */
static inline void x86_jmp(struct x86 *x, const uint8_t *target)
{
    x86_bytes(x, 0xe9, 1);
    x86_bytes(x, (uint32_t)(target - (x->at + 4)), 4);
}
static inline void x86_call(struct x86 *x, const uint8_t *target)
{
    x86_bytes(x, 0xe8, 1);
    x86_bytes(x, (uint32_t)(target - (x->at + 4)), 4);
}
static inline void x86_jcc(struct x86 *x, enum x86_condition c, const uint8_t *target)
{
    x86_bytes(x, 0x800fu | (uint32_t)c << 8, 2);
    x86_bytes(x, (uint32_t)(target - (x->at + 4)), 4);
}
/* The jump whose last four bytes end at `after` goes to `target`. */
static inline void x86_patch(uint8_t *after, const uint8_t *target)
{
    const int32_t distance = (int32_t)(target - after);
    memcpy(after - 4, &distance, 4);
}
static inline void x86_jmp_r(struct x86 *x, unsigned reg) { x86_rr(x, 0, 0xff, 4, reg); }
static inline void x86_jmp_m(struct x86 *x, unsigned base, int32_t d) { x86_rm(x, 0, 0xff, 4, base, d); }
static inline void x86_call_r(struct x86 *x, unsigned reg) { x86_rr(x, 0, 0xff, 2, reg); }
/* The address `target` of this code, by its distance. */
static inline void x86_lea_code(struct x86 *x, unsigned to, const uint8_t *target)
{
    x86_opcode(x, X86_WIDE, 0x8d, to, 0, 0);
    x86_bytes(x, (to & 7u) << 3 | 5, 1);
    x86_bytes(x, (uint32_t)(target - (x->at + 4)), 4);
}
static inline void x86_push(struct x86 *x, unsigned reg) { x86_opcode(x, 0, 0x50 | (reg & 7), 0, 0, reg); }
static inline void x86_pop(struct x86 *x, unsigned reg) { x86_opcode(x, 0, 0x58 | (reg & 7), 0, 0, reg); }
static inline void x86_ret(struct x86 *x) { x86_bytes(x, 0xc3, 1); }

#endif
