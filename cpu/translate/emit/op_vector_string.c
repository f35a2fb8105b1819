/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: vector string instructions. PoP chapter 23. */
#include "cpu/translate/emit/vector.h"

/* `to` becomes the number of the leftmost byte of XMM0 that has a one on its left, 16: none. */
static void leftmost(struct translation *t, unsigned to)
{
    struct x86 *x = &t->x;
    x86_three_code(x, PACKED_BYTES, 0, 0, packed_constant(t, PACKED_REVERSED));
    x86_pmovmskb(x, to, 0);
    x86_alu_i(x, false, ALU_OR, to, 0x10000);
    x86_bsf(x, false, to, to);
}

/* RDX becomes 1 or 2 as V2 or V3 is the low one, compared as 128-bit numbers; RAX is lost. */
static void order_of_both(struct translation *t)
{
    struct x86 *x = &t->x;
    const unsigned one = vector_read(t, V2), other = vector_read(t, V3);
    x86_vfrom_xmm(x, true, RAX, one);
    x86_vfrom_xmm(x, true, RDX, other);
    x86_alu(x, true, ALU_CMP, RAX, RDX);
    x86_jcc(x, IF_NE, x->at);
    uint8_t *const left = x->at;
    x86_vextract(x, 8, RAX, one, 1);
    x86_vextract(x, 8, RDX, other, 1);
    x86_alu(x, true, ALU_CMP, RAX, RDX);
    if (!x->full)
        x86_patch(left, x->at);
    x86_mov_i(x, RDX, 2);
    x86_alu_i(x, false, ALU_SBB, RDX, 0);
}

/* RDX becomes the condition code; RCX has the number of the first byte found, RAX that of the first zero. */
static void equal_code(struct x86 *x)
{
    x86_alu(x, false, ALU_CMP, RCX, RAX);
    x86_setcc(x, IF_B, RDX);
    x86_movzx8(x, RDX, RDX);
    x86_alu(x, false, ALU_ADD, RDX, RDX); /* 2: found before a zero */
    x86_bt_i(x, false, RAX, 4);
    x86_alu(x, false, ALU_SBB, RAX, RAX);
    x86_alu_i(x, false, ALU_AND, RAX, 3);
    x86_alu(x, false, ALU_XOR, RDX, RAX); /* no zero: 1, 3 with nothing found */
}
static void unequal_code(struct translation *t)
{
    struct x86 *x = &t->x;
    x86_store(x, true, RAX, RSP, KEEP_AT);
    order_of_both(t);
    x86_mov_i(x, RAX, 3);
    x86_alu_i(x, false, ALU_CMP, RCX, 16);
    x86_cmov(x, false, IF_E, RDX, RAX);
    x86_mov_i(x, RAX, 0);
    x86_rm(x, 0, 0x3b, RCX, RSP, KEEP_AT);
    x86_cmov(x, false, IF_A, RDX, RAX);
    x86_load(x, true, RAX, RSP, KEEP_AT);
}

/* VFEE, with HOW_FOUR VFENE: the first element that is equal to its neighbour, or not; with zero search the first zero
   when that is before it. */
void template_vector_find(struct translation *t, unsigned how)
{
    enum { ZERO_SEARCH = 2, CC_SET = 1 };
    struct x86 *x = &t->x;
    const uint32_t equal = vector_operations[ELEMENT_EQUAL][t->insn.m4];
    const unsigned one = vector_low(t, V2, 2), other = vector_low(t, V3, 3);
    x86_three(x, equal, 0, one, other);
    if (how & HOW_FOUR) {
        ones(t, 1);
        x86_three(x, PACKED_XOR, 0, 0, 1);
    }
    leftmost(t, RCX);
    if (t->insn.m5 & ZERO_SEARCH) {
        x86_three(x, PACKED_XOR, 0, 0, 0);
        x86_three(x, equal, 0, 0, one);
        leftmost(t, RAX);
    } else {
        x86_mov_i(x, RAX, 16);
    }
    if (t->insn.m5 & CC_SET) {
        if (t->live && how & HOW_FOUR)
            unequal_code(t);
        if (t->live && !(how & HOW_FOUR)) {
            x86_store(x, true, RAX, RSP, KEEP_AT);
            equal_code(x);
            x86_load(x, true, RAX, RSP, KEEP_AT);
        }
        cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
    }
    x86_alu(x, false, ALU_CMP, RCX, RAX);
    x86_cmov(x, false, IF_A, RCX, RAX);
    x86_vto_xmm(x, true, vector_write(t, V1), RCX);
}
