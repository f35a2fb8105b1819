/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: loads, logic and comparisons of general registers; the second operand may be in storage. Each does what
   the handler of its row does; the tests hold them together. PoP chapter 7. */
#include "cpu/translate/emit/template.h"

#define R1 (t->op->r1)

/* ---- loads ------------------------------------------------------------------------------------------------------ */

/* From storage, or a register that is in struct cpu, into the host register of R1, when all of that may change. */
static bool load_in_place(struct translation *t, unsigned how)
{
    const unsigned host = host_in(t, R1), kind = how & HOW_OPERAND;
    const bool word = how & HOW_WORD;
    const bool from_cpu = kind == FROM_R && t->op->r2 < 16 && host_in(t, t->op->r2) == NOWHERE;
    if ((kind < FROM_STORAGE && !from_cpu) || host == NOWHERE || (word && !halved(t, R1)))
        return false;
    if (from_cpu && word)
        copy32(t, host, t->op->r2);
    else if (from_cpu)
        copy64(t, host, t->op->r2);
    else
        operand_fetch(t, how, host);
    if (word && (kind == STORAGE_HALF || kind == STORAGE_BYTE))
        x86_mov(&t->x, false, host, host);
    if (word)
        written32(t, R1);
    else
        written(t, R1);
    return true;
}

/* Does it come from storage as a word with zeros beside it? */
static bool zero_extends(unsigned how)
{
    const unsigned kind = how & HOW_OPERAND;
    return kind == STORAGE_WORD_L || kind == STORAGE_HALF_L || kind == STORAGE_BYTE_L || kind == STORAGE_WORD_REVERSED;
}

static void load(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const struct operand from = second_operand(t, how);
    if (how & HOW_TEST && (how & HOW_OPERAND) == FROM_R && R1 == t->op->r2) {
        /* it is there */
    } else if (how & HOW_WORD) {
        const bool there = !from.constant && (halved(t, R1) || zero_extends(how));
        if (from.constant)
            x86_mov_i(x, RAX, (uint32_t)from.i);
        else if (!there)
            x86_mov(x, false, RAX, from.host);
        write32(t, R1, there ? from.host : RAX);
    } else if (!from.constant) {
        write64(t, R1, from.host);
    } else if (host_in(t, R1) != NOWHERE) {
        x86_mov_i(x, host_in(t, R1), (uint64_t)(int64_t)from.i);
        written(t, R1);
    } else {
        x86_store_i(x, true, CPU, GR_AT(R1), from.i);
    }
}

/* R1 becomes the operand. */
void template_load(struct translation *t, unsigned how)
{
    if (!load_in_place(t, how))
        load(t, how);
    if (how & HOW_TEST)
        cc_set(t, value_of(how & HOW_WORD ? WORD_SIGNED : REGISTER, R1), value_constant(0), NOWHERE);
}

/* Only the rightmost byte (two with HOW_MORE) of R1 changes. */
void template_insert(struct translation *t, unsigned how)
{
    const struct operand from = second_operand(t, how);
    copy32(t, RAX, R1);
    x86_alu_i(&t->x, false, ALU_AND, RAX, how & HOW_MORE ? -0x10000 : -0x100);
    x86_alu(&t->x, false, ALU_OR, RAX, from.host);
    write32(t, R1, RAX);
}

/* R1 becomes an address. */
void template_address(struct translation *t, unsigned how)
{
    const unsigned to = host_in(t, R1) == NOWHERE ? RAX : host_in(t, R1);
    (void)how;
    address_into(t, to, t->op->r2, t->op->r3, t->op->d);
    write64(t, R1, to);
}

void template_access_register(struct translation *t, unsigned how)
{
    (void)how;
    x86_load(&t->x, false, RAX, CPU, CPU_AT(ar) + 4 * t->op->r2);
    write32(t, R1, RAX);
}

void template_nothing(struct translation *t, unsigned how) { (void)t, (void)how; }

/* ---- logic ------------------------------------------------------------------------------------------------------ */

static enum x86_alu logic_of(unsigned how) { return how & HOW_AND ? ALU_AND : how & HOW_XOR ? ALU_XOR : ALU_OR; }

void template_logic(struct translation *t, unsigned how)
{
    const unsigned first = first_operand(t, how);
    const bool word = how & HOW_WORD;
    const struct operand y = any_second_operand(t, how);
    cc_set(t, value_constant(0), value_constant(0), NOWHERE);
    if (first == R1 && !word) {
        operand_change_r1(t, logic_of(how), &y);
    } else if (word) {
        write32(t, R1, operand_with_word(t, logic_of(how), first, &y));
    } else {
        copy64(t, RAX, first);
        operand_with(t, true, logic_of(how), RAX, &y);
        write64(t, R1, RAX);
    }
    t->cc.b = value_of(word ? WORD_LOGICAL : REGISTER, R1);
}

/* A halfword or the left word of R1, at position m, with the operand i; its width is that of the ones in d. */
void template_logic_part(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const uint64_t i = (uint64_t)t->op->i << t->op->m, part = (uint64_t)(uint32_t)t->op->d << t->op->m;
    const uint64_t mask = how & HOW_AND ? i | ~part : i;
    cc_set(t, value_constant(0), value_constant(0), NOWHERE);
    if ((int64_t)mask == (int32_t)mask) {
        change64_i(t, logic_of(how), R1, (int32_t)mask);
    } else {
        x86_mov_i(x, RAX, mask);
        change64(t, logic_of(how), R1, RAX);
    }
    if (!t->live)
        return;
    copy64(t, RCX, R1);
    if (t->op->m)
        x86_shift_i(x, true, SHIFT_SHR, RCX, t->op->m);
    if ((uint32_t)t->op->d == 0xffff)
        x86_movzx16(x, RCX, RCX);
    else
        x86_mov(x, false, RCX, RCX);
    cc_set(t, value_constant(0), value_host(RCX), NOWHERE);
}

/* The same part of R1 is replaced. */
void template_insert_part(struct translation *t, unsigned how)
{
    const uint64_t width = how & HOW_WORD ? 0xffffffff : 0xffff, at = how & HOW_WORD ? 32 : t->op->m;
    copy64(t, RAX, R1);
    x86_mov_i(&t->x, RCX, ~(width << at));
    x86_alu(&t->x, true, ALU_AND, RAX, RCX);
    x86_mov_i(&t->x, RCX, ((uint64_t)t->op->i & width) << at);
    x86_alu(&t->x, true, ALU_OR, RAX, RCX);
    write64(t, R1, RAX);
}

/* TEST UNDER MASK of a register's part */
void template_test_part(struct translation *t, unsigned how)
{
    (void)how;
    copy64(t, RCX, R1);
    if (t->op->m)
        x86_shift_i(&t->x, true, SHIFT_SHR, RCX, t->op->m);
    x86_alu_i(&t->x, false, ALU_AND, RCX, (int32_t)t->op->i);
    cc_set(t, value_host(RCX), value_constant(t->op->i), NOWHERE);
}

/* ---- comparisons ------------------------------------------------------------------------------------------------ */

/* R1, a word with HOW_WORD: signed, or logical with HOW_FOUR. */
void template_compare(struct translation *t, unsigned how)
{
    const unsigned place = !(how & HOW_WORD) ? REGISTER : how & HOW_FOUR ? WORD_LOGICAL : WORD_SIGNED;
    struct value b;
    switch (how & HOW_OPERAND) { /* registers and constants are looked at when somebody asks */
    case FROM_R:
        b = value_of((enum place)(how & HOW_WORD ? place : REGISTER), t->op->r2);
        break;
    case FROM_WORD:
        b = value_of(WORD_SIGNED, t->op->r2);
        break;
    case FROM_WORD_L:
        b = value_of(WORD_LOGICAL, t->op->r2);
        break;
    case FROM_I:
        b = value_constant(t->op->i);
        break;
    default:
        b = second_operand(t, how).value;
        break;
    }
    cc_set(t, value_of((enum place)place, R1), b, NOWHERE);
}
