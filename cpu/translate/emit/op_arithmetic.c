/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: sums, differences, products and quotients in general registers; the second operand may be in storage. Each
   does what the handler of its row does; the tests hold them together. PoP chapter 7. */
#include "cpu/translate/emit/template.h"

#define R1 (t->op->r1)

/* ---- sums and differences --------------------------------------------------------------------------------------- */

static enum x86_alu sum_of(unsigned how) { return how & HOW_SUBTRACT ? ALU_SUB : ALU_ADD; }

/* Doublewords. The condition code is that of operands a and b, or (HOW_FOUR) of a logical sum, which is b. */
void template_sum(struct translation *t, unsigned how)
{
    const unsigned first = first_operand(t, how);
    const struct operand y = any_second_operand(t, how);
    const bool logical_sum = how & HOW_FOUR;
    if (first == R1 && value_comes_back(R1, &y.value)) {
        cc_set(t, value_constant(0), logical_sum ? value_constant(0) : y.value, NOWHERE);
        operand_change_r1(t, sum_of(how), &y);
        t->cc.a = value_before(R1, &y.value, how & HOW_SUBTRACT);
    } else if (first == R1) {
        cc_set(t, value_of(REGISTER, first), logical_sum ? value_constant(0) : y.value, R1);
        operand_change_r1(t, sum_of(how), &y);
    } else {
        cc_set(t, value_of(REGISTER, first), logical_sum ? value_constant(0) : y.value, R1);
        copy64(t, RAX, first);
        operand_with(t, true, sum_of(how), RAX, &y);
        write64(t, R1, RAX);
    }
    if (logical_sum)
        t->cc.b = value_of(REGISTER, R1);
    t->flags = true;
}

/* Carry in: the host's carry flag becomes what the condition code says, or the opposite, the borrow. */
static void carry_in(struct translation *t, bool borrow)
{
    struct x86 *x = &t->x;
    const unsigned kind = t->op->kind;
    if (kind == KIND_ADDL && t->flags && !borrow)
        return;
    if (kind == KIND_SUBL && t->flags && borrow)
        return;
    if (kind != KIND_ADDL && kind != KIND_SUBL && kind != KIND_S && kind != KIND_U) {
        x86_bt_i(x, false, cc_known(t, kind), 1);
    } else {
        const unsigned a = RDX == t->cc.b.host ? RAX : RDX, b = a == RAX ? RDX : RAX;
        value_load(t, &t->cc.a, CPU_AT(cc_a), a);
        value_load(t, &t->cc.b, CPU_AT(cc_b), b);
        if (kind == KIND_ADDL || kind == KIND_U)
            x86_alu(x, true, ALU_CMP, b, a);
        else
            x86_alu(x, true, ALU_CMP, a, b);
        if (kind == KIND_S) {
            x86_setcc(x, IF_G, RCX);
            x86_bt_i(x, false, RCX, 0);
        }
    }
    if (borrow != (kind == KIND_SUBL))
        x86_cmc(x);
}

/* With carry or borrow: the condition code itself is worked out. A storage operand is kept on the stack meanwhile. */
void template_carry(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const bool borrow = how & HOW_SUBTRACT, word = how & HOW_WORD, storage = (how & HOW_OPERAND) >= FROM_STORAGE;
    const enum x86_alu alu = borrow ? ALU_SBB : ALU_ADC;
    if (storage) {
        t->cc = without_hosts(t->cc);
        t->flags = false;
        x86_store(x, true, second_operand(t, how).host, RSP, KEEP_AT);
    }
    carry_in(t, borrow);
    if (storage) {
        x86_load(x, true, RCX, RSP, KEEP_AT); /* the flags stay */
        t->cc = without_hosts(t->cc);
    }
    const unsigned second = storage ? RCX : word ? read32(t, t->op->r2, RCX) : read64(t, t->op->r2, RCX);
    if (word) {
        copy32(t, RAX, R1);
        x86_alu(x, false, alu, RAX, second);
    } else {
        change64(t, alu, R1, second);
    }
    t->flags = false;
    if (t->live) {
        x86_setcc(x, borrow ? IF_AE : IF_B, RDX);
        x86_setcc(x, IF_NE, RCX);
        x86_movzx8(x, RDX, RDX);
        x86_movzx8(x, RCX, RCX);
        x86_alu(x, true, ALU_ADD, RDX, RDX);
        x86_alu(x, true, ALU_ADD, RDX, RCX);
    }
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
    if (word)
        write32(t, R1, RAX);
}

/* Words, signed: a is the exact sum. */
void template_word_sum(struct translation *t, unsigned how)
{
    const struct operand y = second_operand(t, how);
    if (t->live) {
        copy32_signed(t, RDX, first_operand(t, how));
        operand_with(t, true, sum_of(how), RDX, &y);
        cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
        if (halved(t, R1) && first_operand(t, how) == R1 && (y.constant || y.host == RCX)) { /* no later than need be */
            operand_with(t, false, sum_of(how), host_in(t, R1), &y);
            written32(t, R1);
            return;
        }
        x86_mov(&t->x, false, RAX, RDX);
        write32(t, R1, RAX);
    } else {
        write32(t, R1, operand_with_word(t, sum_of(how), first_operand(t, how), &y));
    }
}

/* Words, logical. The second operand is zero-extended. */
void template_word_logical_sum(struct translation *t, unsigned how)
{
    const unsigned first = first_operand(t, how);
    const struct operand y = any_second_operand(t, how);
    const bool subtract = how & HOW_SUBTRACT;
    struct value b = y.value;
    if (subtract && y.constant)
        b = value_constant((int64_t)(uint32_t)y.i);
    else if (subtract && b.place == REGISTER)
        b.place = WORD_LOGICAL;
    cc_set(t, value_of(WORD_LOGICAL, first), subtract ? b : value_constant(0), R1);
    write32(t, R1, operand_with_word(t, sum_of(how), first, &y));
    if (!subtract)
        t->cc.b = value_of(WORD_LOGICAL, R1);
}

/* The complement of R2. */
void template_complement(struct translation *t, unsigned how)
{
    if (how & HOW_WORD) {
        copy32_signed(t, RDX, t->op->r2);
        x86_neg(&t->x, true, RDX);
        cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
        x86_mov(&t->x, false, RAX, RDX);
        write32(t, R1, RAX);
    } else {
        cc_set(t, value_constant(0), value_of(REGISTER, t->op->r2), R1);
        copy64(t, RAX, t->op->r2);
        x86_neg(&t->x, true, RAX);
        write64(t, R1, RAX);
    }
}

/* A register counted down without a branch. */
void template_count(struct translation *t, unsigned how)
{
    if (how & HOW_WORD) {
        const unsigned to = word_in_place(t, R1, R1);
        x86_alu_i(&t->x, false, ALU_SUB, to, 1);
        write32(t, R1, to);
    } else {
        change64_i(t, ALU_SUB, R1, 1);
    }
}

/* ---- products and quotients ------------------------------------------------------------------------------------- */

void template_product(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const struct operand y = second_operand(t, how);
    const bool w = !(how & HOW_WORD);
    unsigned to = w && host_in(t, R1) != NOWHERE ? host_in(t, R1) : RAX;
    if (w)
        copy64(t, to, R1);
    else
        to = word_in_place(t, R1, R1);
    if (y.constant)
        x86_imul_i(x, w, to, to, y.i);
    else
        x86_imul(x, w, to, y.host);
    if (w)
        write64(t, R1, to);
    else
        write32(t, R1, to);
}

/* R1 and the one behind it become a product of twice the width. */
void template_wide_product(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const struct operand y = second_operand(t, how);
    if (how & HOW_WORD) { /* as doublewords: FROM_WORD signed, FROM_WORD_L not */
        if ((how & HOW_OPERAND) == FROM_WORD)
            copy32_signed(t, RAX, R1 + 1u);
        else
            copy32(t, RAX, R1 + 1u);
        x86_imul(x, true, RAX, y.host);
        x86_mov(x, true, RDX, RAX);
        x86_shift_i(x, true, SHIFT_SHR, RDX, 32);
        x86_mov(x, false, RAX, RAX);
        write32(t, R1, RDX);
        write32(t, R1 + 1u, RAX);
    } else {
        copy64(t, RAX, R1 + 1u);
        x86_mul(x, true, y.host);
        write64(t, R1, RDX);
        write64(t, R1 + 1u, RAX);
    }
}

/* The condition code stays, but has to be known itself behind it. */
void code_known(struct translation *t)
{
    unsigned cc = RDX;
    t->cc = without_hosts(t->cc); /* their registers have changed */
    t->flags = false;
    if (t->live)
        cc = cc_known(t, t->op->kind);
    cc_set(t, value_host(cc), value_constant(0), NOWHERE);
}

/* R1 becomes the remainder, the one behind it the quotient; logical with HOW_FOUR, of a body with HOW_MORE. Exceptions
   are the body's. */
void template_quotient(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const struct operand y = second_operand(t, how);
    if (how & HOW_FOUR) {
        copy64(t, RDX, R1);
        x86_alu(x, true, ALU_CMP, RDX, y.host);
        exit_if(t, IF_AE);
        if (how & HOW_MORE) { /* the others say so in their rows */
            cc_spare(t, R1);
            cc_spare(t, R1 + 1u);
        }
        copy64(t, RAX, R1 + 1u);
        x86_div(x, true, y.host);
    } else {
        x86_lea(x, RAX, y.host, 1); /* divisors -1 and 0 */
        x86_alu_i(x, true, ALU_CMP, RAX, 1);
        exit_if(t, IF_BE);
        copy64(t, RAX, R1 + 1u);
        x86_cqo(x);
        x86_idiv(x, true, y.host);
    }
    write64(t, R1, RDX);
    write64(t, R1 + 1u, RAX);
    if (how & HOW_MORE)
        code_known(t);
}
