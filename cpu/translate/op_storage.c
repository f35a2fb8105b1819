/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: stores, storage and immediate operands, several registers. PoP chapter 7. */
#include "cpu/translate/internal.h"

#define R1 (t->op->r1)

static void operand_address(struct translation *t) { address_emit(t, t->op->r2, t->op->r3, t->op->d); }

/* ---- stores ----------------------------------------------------------------------------------------------------- */

/* How: the length; reversed with HOW_FOUR. */
void template_store(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned length = how & 15;
    operand_address(t);
    probe_emit(t, length, true);
    const unsigned from = read64(t, R1, RCX), size = length == 8 ? X86_WIDE : length == 2 ? X86_HALF : 0;
    if (length == 1)
        x86_store8(x, from, RAX, 0);
    else if (how & HOW_FOUR)
        x86_store(x, length == 8, from, RAX, 0);
    else
        x86_movbe_store(x, size, from, RAX, 0);
}

/* The immediate operand is stored. */
void template_store_immediate(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned length = how & 15;
    const uint64_t i = (uint64_t)t->op->i;
    operand_address(t);
    probe_emit(t, length, true);
    switch (length) {
    case 1:
        x86_store8_i(x, RAX, 0, (uint8_t)i);
        break;
    case 2:
        x86_store16_i(x, RAX, 0, __builtin_bswap16((uint16_t)i));
        break;
    case 4:
        x86_store_i(x, false, RAX, 0, (int32_t)__builtin_bswap32((uint32_t)i));
        break;
    default:
        x86_mov_i(x, RCX, __builtin_bswap64(i));
        x86_store(x, true, RCX, RAX, 0);
        break;
    }
}

/* ---- storage and immediate operand ------------------------------------------------------------------------------ */

void template_compare_immediate(struct translation *t, unsigned how)
{
    const struct operand a = second_operand(t, how);
    cc_set(t, a.value, value_constant(t->op->i), NOWHERE);
}

void template_test_immediate(struct translation *t, unsigned how)
{
    const struct operand a = second_operand(t, how);
    x86_alu_i(&t->x, false, ALU_AND, a.host, (int32_t)t->op->i);
    cc_set(t, a.value, value_constant(t->op->i), NOWHERE);
}

/* A byte in storage and the operand. */
void template_logic_immediate(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    operand_address(t);
    probe_emit(t, 1, true);
    x86_movzx8_m(x, RCX, RAX, 0);
    x86_alu_i(x, false, how & HOW_AND ? ALU_AND : how & HOW_XOR ? ALU_XOR : ALU_OR, RCX, (uint8_t)t->op->i);
    x86_store8(x, RCX, RAX, 0);
    cc_set(t, value_constant(0), value_host(RCX), NOWHERE);
}

/* The operand is added to storage. */
void template_add_immediate(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const bool word = how & HOW_WORD;
    operand_address(t);
    probe_emit(t, word ? 4 : 8, true);
    x86_movbe_load(x, !word, RCX, RAX, 0);
    if (word) {
        x86_movsxd(x, RCX, RCX);
        x86_alu_i(x, true, ALU_ADD, RCX, (int32_t)t->op->i);
        x86_movbe_store(x, 0, RCX, RAX, 0);
        cc_set(t, value_host(RCX), value_constant(0), NOWHERE);
    } else {
        cc_set(t, value_host(RCX), value_constant(t->op->i), NOWHERE);
        x86_alu_i(x, true, ALU_ADD, RCX, (int32_t)t->op->i);
        x86_movbe_store(x, X86_WIDE, RCX, RAX, 0);
        t->cc.a.host = NOWHERE;
        t->flags = true;
    }
}

/* ---- several registers ------------------------------------------------------------------------------------------ */

void template_several(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const bool word = how & HOW_WORD, store = how & HOW_FOUR;
    const unsigned length = word ? 4 : 8, count = t->op->m;
    address_emit(t, t->op->r2, 16, t->op->d);
    probe_emit(t, length * count, store);
    for (unsigned i = 0; i < count; i++) {
        const unsigned gr = (R1 + i) & 15;
        const int32_t at = (int32_t)(length * i);
        if (store) {
            x86_movbe_store(x, !word, read64(t, gr, RCX), RAX, at);
        } else if (word) {
            x86_movbe_load(x, 0, RCX, RAX, at);
            write32(t, gr, RCX);
        } else {
            const unsigned to = host_of(gr) != NOWHERE ? host_of(gr) : RCX;
            x86_movbe_load(x, X86_WIDE, to, RAX, at);
            write64(t, gr, to);
        }
    }
}
