/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: conversions of binary floating point. PoP chapter 19. */
#include "cpu/translate/emit/template.h"
#include "cpu/exec/float.h"

#define FPR_AT(n)   (CPU_AT(vr) + (int32_t)sizeof(struct vector_register) * (n))
#define SHORT_AT(n) (FPR_AT(n) + 4)

/* Short to long, which is exact; from storage with HOW_MORE */
void template_float_lengthen(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    if (how & HOW_MORE)
        x86_mov(x, false, RAX, second_operand(t, STORAGE_WORD_L).host);
    else
        x86_load(x, false, RAX, CPU, SHORT_AT(t->op->r2));
    x86_mov(x, false, RCX, RAX);
    x86_shift_i(x, false, SHIFT_SHR, RCX, 23);
    x86_alu_i(x, false, ALU_AND, RCX, 0xff);
    x86_alu_i(x, false, ALU_CMP, RCX, 0xff);
    exit_if(t, IF_E);
    x86_to_xmm(x, false, 1, RAX);
    x86_scalar(x, false, SCALAR_CONVERT, 1, 1);
    x86_from_xmm(x, true, RAX, 1);
    x86_store(x, true, RAX, CPU, FPR_AT(t->op->r1));
}

/* ---- the inexact flag ------------------------------------------------------------------------------------------- */

static void raise_flag(struct x86 *x, const uint8_t *back)
{
    x86_alu_mi(x, false, ALU_OR, CPU, CPU_AT(fpc), FPC_INEXACT);
    x86_jmp(x, back);
}

/* RAX has what is not steady of the FPC register, RCX the integer. Calm, the flag goes on when the number that was made
   of it, in XMM1, is another one. */
static void unsteady_from(struct translation *t, unsigned how, const uint8_t *back)
{
    struct x86 *x = &t->x;
    x86_test(x, false, RAX, RAX);
    exit_if(t, IF_NE);
    x86_mov_i(x, RDX, 0x1f80);
    x86_store(x, false, RDX, RSP, KEEP_AT);
    x86_ldmxcsr(x, RSP, KEEP_AT);
    x86_from_integer(x, !(how & HOW_WORD), true, 1, RCX);
    x86_stmxcsr(x, RSP, KEEP_AT);
    x86_load(x, false, RAX, RSP, KEEP_AT);
    x86_test_i(x, false, RAX, 0x20);
    x86_jcc(x, IF_E, back);
    raise_flag(x, back);
}

static struct aside *look(struct translation *t, aside_function unsteady, unsigned how)
{
    struct x86 *x = &t->x;
    x86_load(x, false, RAX, CPU, CPU_AT(fpc));
    x86_alu_i(x, false, ALU_AND, RAX, (int32_t)(0xf8000000u | FPC_BRM | FPC_INEXACT));
    x86_alu_i(x, false, ALU_CMP, RAX, FPC_INEXACT);
    return aside_if(t, IF_NE, unsteady, how);
}

/* ---- integers --------------------------------------------------------------------------------------------------- */

/* Words and doublewords to numbers. How: the second operand's place, HOW_WORD to short ones. Words are exact as long
   ones. */
void template_float_from_integer(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const bool is_long = !(how & HOW_WORD), word = (how & HOW_OPERAND) == FROM_WORD;
    if (word)
        copy32_signed(t, RCX, t->op->r2);
    else
        copy64(t, RCX, t->op->r2);
    if (!(word && is_long)) {
        struct aside *steady = look(t, unsteady_from, how);
        steady->to = t->x.at;
    }
    x86_packed(x, PACKED_XOR, 1, 1);
    x86_from_integer(x, is_long, true, 1, RCX);
    x86_from_xmm(x, is_long, RAX, 1);
    x86_store(x, is_long, RAX, CPU, is_long ? FPR_AT(t->op->r1) : SHORT_AT(t->op->r1));
}

/* RCX is the integer, XMM1 the number. */
static void unsteady_to(struct translation *t, unsigned how, const uint8_t *back)
{
    struct x86 *x = &t->x;
    x86_test(x, false, RAX, RAX);
    exit_if(t, IF_NE);
    x86_from_integer(x, !(how & HOW_WORD), true, 2, RCX);
    x86_ucomis(x, !(how & HOW_WORD), 1, 2);
    x86_jcc(x, IF_E, back);
    raise_flag(x, back);
}

/* Numbers, short ones with HOW_WORD, to words (HOW_FOUR) or doublewords, toward zero. What does not fit becomes the
   integer with no more than a sign. */
void template_float_to_integer(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const bool is_long = !(how & HOW_WORD);
    x86_scalar_load(x, is_long, 1, CPU, is_long ? FPR_AT(t->op->r2) : SHORT_AT(t->op->r2));
    x86_to_integer(x, is_long, true, RCX, 1);
    if (how & HOW_FOUR) {
        x86_movsxd(x, RAX, RCX);
        x86_alu(x, true, ALU_CMP, RAX, RCX);
        exit_if(t, IF_NE);
    } else {
        x86_alu_i(x, true, ALU_CMP, RCX, 1);
        exit_if(t, IF_O);
    }
    struct aside *steady = look(t, unsteady_to, how);
    steady->to = t->x.at;
    if (how & HOW_FOUR) {
        x86_mov(x, false, RCX, RCX);
        write32(t, t->op->r1, RCX);
    } else {
        write64(t, t->op->r1, RCX);
    }
    x86_from_xmm(x, is_long, RAX, 1);
    number_cc(t, is_long);
}
