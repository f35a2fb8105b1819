/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of general instructions: storage operands, condition codes, overflow.
   Source for the general_*.c files: z/Architecture Principles of Operation, chapter 7 (SA22-7832-13).

   For every body in them: the engine has already recognized operation, privileged-operation and (for odd even-odd-pair
   designations) specification exceptions; access exceptions of storage operands come from the accessors, and nothing
   has been changed when a body returns one of these codes. */
#ifndef ZRI_CPU_EXEC_GENERAL_INTERNAL_H
#define ZRI_CPU_EXEC_GENERAL_INTERNAL_H

#include "cpu/exec/bodies.h"
#include "cpu/storage/access.h"

/* Fetch the second operand of an RX, RXY, RS or RSY instruction. Returns 0 or an access exception. */
static inline int MUST_USE general_byte(struct cpu *cpu, const struct dis_insn *i, uint8_t *v)
{
    return cpu_fetch1(cpu, cpu_ea2(cpu, i), i->b2, v);
}
static inline int MUST_USE general_word(struct cpu *cpu, const struct dis_insn *i, uint32_t *v)
{
    return cpu_fetch4(cpu, cpu_ea2(cpu, i), i->b2, v);
}
static inline int MUST_USE general_doubleword(struct cpu *cpu, const struct dis_insn *i, uint64_t *v)
{
    return cpu_fetch8(cpu, cpu_ea2(cpu, i), i->b2, v);
}
static inline int MUST_USE general_halfword(struct cpu *cpu, const struct dis_insn *i, int16_t *v)
{
    uint16_t u = 0;
    int code = cpu_fetch2(cpu, cpu_ea2(cpu, i), i->b2, &u);
    *v = (int16_t)u;
    return code;
}
static inline int MUST_USE general_signed_word(struct cpu *cpu, const struct dis_insn *i, int32_t *v)
{
    uint32_t u = 0;
    int code = cpu_fetch4(cpu, cpu_ea2(cpu, i), i->b2, &u);
    *v = (int32_t)u;
    return code;
}

/* Fetch the second operand of a relative-long instruction, which is accessed in the space that instructions are fetched
   from. Returns PIC_SPECIFICATION when it is not on its integral boundary, 0 or an access exception. */
int general_relative_halfword(struct cpu *cpu, const struct dis_insn *i, uint16_t *v) MUST_USE;
int general_relative_word(struct cpu *cpu, const struct dis_insn *i, uint32_t *v) MUST_USE;
int general_relative_doubleword(struct cpu *cpu, const struct dis_insn *i, uint64_t *v) MUST_USE;

/* Number of ones in a four-bit mask. */
static inline unsigned general_ones(unsigned mask) { return (unsigned)__builtin_popcount(mask & 0xf); }

/* Does the current condition code select a one in mask M (M1 or M3)? */
static inline bool general_condition(const struct cpu *cpu, unsigned mask) { return mask & (8u >> cpu->cc); }

/* Condition code of a signed result: 0 zero, 1 less than zero, 2 greater than zero. */
static inline uint8_t general_sign(int64_t v) { return (uint8_t)(v < 0 ? 1 : v > 0 ? 2 : 0); }

/* Condition code of a comparison: 0 equal, 1 first low, 2 first high. */
static inline uint8_t general_compare_signed(int64_t a, int64_t b) { return (uint8_t)(a < b ? 1 : a > b ? 2 : 0); }
static inline uint8_t general_compare_logical(uint64_t a, uint64_t b) { return (uint8_t)(a < b ? 1 : a > b ? 2 : 0); }

/* A signed result was put in place and has overflowed: condition code 3, and the code of the interruption if the
   program mask asks for it (the operation is completed). */
static inline int MUST_USE general_overflow(struct cpu *cpu)
{
    cpu->cc = 3;
    return cpu->psw.mask & PSW_PM_FIXED_POINT_OVERFLOW ? PIC_FIXED_POINT_OVERFLOW : 0;
}

/* Condition code of a signed result that was put in place, with or without overflow; then as general_overflow(). */
static inline int MUST_USE general_signed_cc(struct cpu *cpu, int64_t result, bool overflow)
{
    if (overflow)
        return general_overflow(cpu);
    cpu->cc = general_sign(result);
    return 0;
}

/* Put a signed result in place and set the condition code; returns as general_overflow(). */
static inline int MUST_USE general_set_result32(struct cpu *cpu, unsigned r1, int32_t result, bool overflow)
{
    set_gr32(cpu, r1, (uint32_t)result);
    return general_signed_cc(cpu, result, overflow);
}
static inline int MUST_USE general_set_result64(struct cpu *cpu, unsigned r1, int64_t result, bool overflow)
{
    cpu->gr[r1] = (uint64_t)result;
    return general_signed_cc(cpu, result, overflow);
}

/* A trap: data exception with DXC X'FF'; the operation is completed. */
static inline int MUST_USE general_trap(struct cpu *cpu) { return cpu_data_exception(cpu, DXC_TRAP); }

#endif
