/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: logic with complements, signs, bits that are looked for, the condition code in a register. PoP chapter
   7. */
#include "cpu/translate/emit/template.h"

#define R1 (t->op->r1)

/* R2 with R3 complemented (HOW_MORE), or the complement of R2 with R3. */
void template_logic_complement(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const bool w = !(how & HOW_WORD);
    const enum x86_alu alu = how & HOW_AND ? ALU_AND : how & HOW_XOR ? ALU_XOR : ALU_OR;
    if (w)
        copy64(t, RCX, t->op->r3);
    else
        copy32(t, RCX, t->op->r3);
    if (how & HOW_MORE)
        x86_not(x, w, RCX);
    x86_alu(x, w, alu, RCX, w ? read64(t, t->op->r2, RAX) : read32(t, t->op->r2, RAX));
    if (!(how & HOW_MORE))
        x86_not(x, w, RCX);
    cc_set(t, value_constant(0), value_constant(0), NOWHERE);
    if (w)
        write64(t, R1, RCX);
    else
        write32(t, R1, RCX);
    t->cc.b = value_of(w ? REGISTER : WORD_LOGICAL, R1);
}

/* LOAD POSITIVE, NEGATIVE (HOW_SUBTRACT) of words: a is the exact number, and the result as a whole with HOW_MORE. */
void template_word_sign(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    copy32_signed(t, RDX, t->op->r2);
    x86_mov(x, true, RCX, RDX);
    x86_neg(x, true, RCX);
    x86_cmov(x, true, how & HOW_SUBTRACT ? IF_S : IF_NS, RDX, RCX);
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
    if (how & HOW_MORE) {
        x86_mov(x, true, RAX, RDX);
        write64(t, R1, RAX);
    } else {
        x86_mov(x, false, RAX, RDX);
        write32(t, R1, RAX);
    }
}

/* LOAD POSITIVE: the difference of the number, or zero when it is negative, and zero, or the number then. */
void template_positive(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    (void)how;
    copy64(t, RDX, t->op->r2);
    x86_mov(x, true, RCX, RDX);
    x86_shift_i(x, true, SHIFT_SAR, RCX, 63);
    x86_alu(x, true, ALU_AND, RCX, RDX);
    x86_alu(x, true, ALU_SUB, RDX, RCX);
    cc_set(t, value_host(RDX), value_host(RCX), NOWHERE);
    x86_mov(x, true, RAX, RDX);
    x86_alu(x, true, ALU_SUB, RAX, RCX);
    write64(t, R1, RAX);
}

void template_negative(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    (void)how;
    copy64(t, RAX, t->op->r2);
    x86_mov(x, true, RCX, RAX);
    x86_neg(x, true, RCX);
    x86_cmov(x, true, IF_S, RAX, RCX);
    write64(t, R1, RAX);
    cc_set(t, value_of(REGISTER, R1), value_constant(0), NOWHERE);
}

/* FIND LEFTMOST ONE: of zero 64, which is 63 less the number 127. */
void template_leftmost_one(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    (void)how;
    copy64(t, RCX, t->op->r2);
    x86_mov_i(x, RDX, 127);
    x86_bsr(x, true, RAX, RCX);
    x86_cmov(x, true, IF_E, RAX, RDX);
    x86_setcc(x, IF_NE, RDX);
    x86_movzx8(x, RDX, RDX);
    x86_alu(x, false, ALU_ADD, RDX, RDX);
    x86_btr(x, true, RCX, RAX);
    x86_alu_i(x, false, ALU_XOR, RAX, 63);
    write64(t, R1, RAX);
    write64(t, R1 + 1u, RCX);
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
}

/* RAX becomes RAX with the bits of a mask, after a shift to the right; RCX is lost. */
static void shifted_and(struct x86 *x, uint8_t shift, uint64_t mask)
{
    if (shift)
        x86_shift_i(x, true, SHIFT_SHR, RAX, shift);
    x86_mov_i(x, RCX, mask);
    x86_alu(x, true, ALU_AND, RAX, RCX);
}

/* POPULATION COUNT: of each byte, or of all. */
void template_population(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    (void)how;
    copy64(t, RDX, t->insn.r2);
    x86_mov(x, true, RAX, RDX);
    shifted_and(x, 1, UINT64_C(0x5555555555555555));
    x86_alu(x, true, ALU_SUB, RDX, RAX);
    x86_mov(x, true, RAX, RDX);
    shifted_and(x, 2, UINT64_C(0x3333333333333333));
    x86_alu(x, true, ALU_AND, RDX, RCX);
    x86_alu(x, true, ALU_ADD, RAX, RDX);
    x86_mov(x, true, RDX, RAX);
    x86_shift_i(x, true, SHIFT_SHR, RDX, 4);
    x86_alu(x, true, ALU_ADD, RAX, RDX);
    shifted_and(x, 0, UINT64_C(0x0f0f0f0f0f0f0f0f));
    if (t->insn.m3 & 8 && cpu_facility(t->cpu->sys, FACILITY_MISC3)) {
        x86_mov_i(x, RCX, UINT64_C(0x0101010101010101));
        x86_imul(x, true, RAX, RCX);
        x86_shift_i(x, true, SHIFT_SHR, RAX, 56);
    }
    if (t->live) {
        x86_test(x, true, RAX, RAX);
        x86_setcc(x, IF_NE, RDX);
        x86_movzx8(x, RDX, RDX);
    }
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
    write64(t, t->insn.r1, RAX);
}

/* Byte 4 of R1 becomes the condition code and the program mask. */
void template_insert_program_mask(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned kind = t->op->kind;
    (void)how;
    if (kind != KIND_S && kind != KIND_U) {
        const unsigned cc = cc_known(t, kind);
        if (cc != RDX)
            x86_mov(x, true, RDX, cc);
    } else {
        const bool sign = kind == KIND_S, swapped = t->cc.b.host == RDX;
        const unsigned a = swapped ? RCX : RDX, b = swapped ? RDX : RCX;
        value_load(t, &t->cc.a, CPU_AT(cc_a), a);
        value_load(t, &t->cc.b, CPU_AT(cc_b), b);
        x86_alu(x, true, ALU_CMP, a, b);
        x86_setcc(x, sign ? IF_L : IF_B, RDX);
        x86_setcc(x, sign ? IF_G : IF_A, RCX);
        x86_movzx8(x, RDX, RDX);
        x86_movzx8(x, RCX, RCX);
        x86_rmx(x, 0, 0x8d, RDX, RDX, RCX, 1, 0);
    }
    x86_load(x, true, RCX, CPU, CPU_AT(psw.mask));
    x86_shift_i(x, true, SHIFT_SHR, RCX, 40); /* bits 20-23 */
    x86_alu_i(x, false, ALU_AND, RCX, 15);
    x86_shift_i(x, false, SHIFT_SHL, RDX, 4);
    x86_alu(x, false, ALU_OR, RCX, RDX);
    x86_shift_i(x, false, SHIFT_SHL, RCX, 24);
    copy32(t, RAX, R1);
    x86_alu_i(x, false, ALU_AND, RAX, 0xffffff);
    x86_alu(x, false, ALU_OR, RAX, RCX);
    t->cc.a.host = t->cc.b.host = NOWHERE;
    write32(t, R1, RAX);
}
