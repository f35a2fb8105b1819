/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: vector instructions on elements of integers. The encodings that come here are those that the block
   engine has handlers for. PoP chapters 21 and 22. */
#include "cpu/translate/emit/vector.h"

const uint32_t vector_operations[][4] = {
    [ELEMENT_ADD] = {PACKED_ADD_B, PACKED_ADD_H, PACKED_ADD_F, PACKED_ADD_G},
    [ELEMENT_SUB] = {PACKED_SUB_B, PACKED_SUB_H, PACKED_SUB_F, PACKED_SUB_G},
    [ELEMENT_EQUAL] = {PACKED_EQUAL_B, PACKED_EQUAL_H, PACKED_EQUAL_F, PACKED_EQUAL_G},
    [ELEMENT_GREATER] = {PACKED_GREATER_B, PACKED_GREATER_H, PACKED_GREATER_F, PACKED_GREATER_G},
    [ELEMENT_MAX] = {PACKED_MAX_SB, PACKED_MAX_SH, PACKED_MAX_SF, 0},
    [ELEMENT_MIN] = {PACKED_MIN_SB, PACKED_MIN_SH, PACKED_MIN_SF, 0},
    [ELEMENT_MAX_LOGICAL] = {PACKED_MAX_UB, PACKED_MAX_UH, PACKED_MAX_UF, 0},
    [ELEMENT_MIN_LOGICAL] = {PACKED_MIN_UB, PACKED_MIN_UH, PACKED_MIN_UF, 0},
    [ELEMENT_MULTIPLY] = {0, PACKED_MULTIPLY_H, PACKED_MULTIPLY_F, 0},
    [ELEMENT_MAGNITUDE] = {PACKED_ABS_B, PACKED_ABS_H, PACKED_ABS_F, 0},
    [ELEMENT_EXTEND] = {PACKED_EXTEND_B, PACKED_EXTEND_H, PACKED_EXTEND_F, 0},
    [ELEMENT_EXTEND_LOGICAL] = {PACKED_EXTEND_UB, PACKED_EXTEND_UH, PACKED_EXTEND_UF, 0},
    [ELEMENT_MERGE_HIGH] = {PACKED_MERGE_LOW_B, PACKED_MERGE_LOW_H, PACKED_MERGE_LOW_F, PACKED_MERGE_LOW_G},
    [ELEMENT_MERGE_LOW] = {PACKED_MERGE_HIGH_B, PACKED_MERGE_HIGH_H, PACKED_MERGE_HIGH_F, PACKED_MERGE_HIGH_G},
    [ELEMENT_AND] = {PACKED_AND, 0, 0, 0},
    [ELEMENT_AND_NOT] = {PACKED_AND_NOT, 0, 0, 0},
    [ELEMENT_OR] = {PACKED_OR, 0, 0, 0},
    [ELEMENT_XOR] = {PACKED_XOR, 0, 0, 0},
};

bool vector_fits(unsigned how, const struct dis_insn *insn)
{
    const unsigned size = vector_size(insn, how), element = how & HOW_OPERAND;
    return size < 4 ? vector_operations[element][size] : element == ELEMENT_ADD || element == ELEMENT_SUB;
}

const uint8_t *packed_constant(const struct translation *t, enum packed_constant which)
{
    return t->translator->buffer.write + 16u * which;
}

void packed_constants_emit(struct x86 *x)
{
    static const uint64_t doublewords[][2] = {
        [PACKED_REVERSED] = {UINT64_C(0x0001020304050607), UINT64_C(0x08090a0b0c0d0e0f)},
        [PACKED_ROTATED_8] = {UINT64_C(0x0605040702010003), UINT64_C(0x0e0d0c0f0a09080b)},
        [PACKED_ROTATED_16] = {UINT64_C(0x0504070601000302), UINT64_C(0x0d0c0f0e09080b0a)},
        [PACKED_ROTATED_24] = {UINT64_C(0x0407060500030201), UINT64_C(0x0c0f0e0d080b0a09)},
        [PACKED_BYTES_07] = {UINT64_C(0x0707070707070707), UINT64_C(0x0707070707070707)},
        [PACKED_BYTES_1F] = {UINT64_C(0x1f1f1f1f1f1f1f1f), UINT64_C(0x1f1f1f1f1f1f1f1f)},
        [PACKED_BYTES_70] = {UINT64_C(0x7070707070707070), UINT64_C(0x7070707070707070)},
        [PACKED_BYTES_80] = {UINT64_C(0x8080808080808080), UINT64_C(0x8080808080808080)},
        [PACKED_HALVES_FF] = {UINT64_C(0x00ff00ff00ff00ff), UINT64_C(0x00ff00ff00ff00ff)},
        [PACKED_WORDS_FFFF] = {UINT64_C(0x0000ffff0000ffff), UINT64_C(0x0000ffff0000ffff)},
        [PACKED_FLOAT_LONG] = {UINT64_C(0x8040000000000000), UINT64_C(0x8040000000000000)},
        {UINT64_C(0x7fa0000000000000), UINT64_C(0x7fa0000000000000)},
        {UINT64_C(0x8000000000000000), UINT64_C(0x8000000000000000)},
        {UINT64_C(0x7fe0000000000000), UINT64_C(0x7fe0000000000000)},
        [PACKED_FLOAT_SHORT] = {UINT64_C(0x8200000082000000), UINT64_C(0x8200000082000000)},
        {UINT64_C(0x7d0000007d000000), UINT64_C(0x7d0000007d000000)},
        {UINT64_C(0x8000000080000000), UINT64_C(0x8000000080000000)},
        {UINT64_C(0x7f0000007f000000), UINT64_C(0x7f0000007f000000)},
        [PACKED_WINDOW] = {UINT64_MAX, UINT64_MAX},
        {0, 0},
    };
    for (unsigned i = 0; i < sizeof doublewords / sizeof *doublewords; i++) {
        x86_bytes(x, doublewords[i][0], 8);
        x86_bytes(x, doublewords[i][1], 8);
    }
}

/* ---- elements of equal places ----------------------------------------------------------------------------------- */

static void sum_of_all(struct translation *t, bool subtract)
{
    struct x86 *x = &t->x;
    const unsigned one = vector_read(t, V2), other = vector_read(t, V3);
    x86_vextract(x, 8, RAX, one, 1);
    x86_vextract(x, 8, RDX, other, 1);
    x86_alu(x, true, subtract ? ALU_SUB : ALU_ADD, RAX, RDX);
    x86_vfrom_xmm(x, true, RCX, one);
    x86_vfrom_xmm(x, true, RDX, other);
    x86_alu(x, true, subtract ? ALU_SBB : ALU_ADC, RCX, RDX);
    x86_vto_xmm(x, true, 0, RCX);
    x86_vinsert(x, 8, vector_write(t, V1), 0, RAX, 1);
}

/* What the operation is not, of bits of the second and the third operand, whatever the first */
static uint8_t inverted_table(enum x86_packed op)
{
    const uint8_t one = 0xcc, other = 0xaa;
    switch (op) {
    case PACKED_AND:
        return (uint8_t) ~(one & other);
    case PACKED_AND_NOT:
        return (uint8_t) ~(~one & other);
    case PACKED_OR:
        return (uint8_t) ~(one | other);
    default:
        return (uint8_t) ~(one ^ other);
    }
}

/* V1 becomes the result of two registers of the guest, inverted. */
static void operation(struct translation *t, enum x86_packed op, unsigned a, unsigned b, bool inverted)
{
    struct x86 *x = &t->x;
    const unsigned one = vector_read(t, a), other = vector_read(t, b);
    if (!inverted) {
        x86_three(x, op, vector_write(t, V1), one, other);
        return;
    }
    if (t->translator->wide) {
        x86_vternary(x, vector_write(t, V1), one, other, inverted_table(op));
        return;
    }
    x86_three(x, op, 0, one, other);
    ones(t, 1);
    x86_three(x, PACKED_XOR, vector_write(t, V1), 0, 1);
}

/* How: the operation on V2 and V3; on V3 and V2 with HOW_SUBTRACT; inverted with HOW_XOR. */
void template_vector_elements(struct translation *t, unsigned how)
{
    const unsigned size = vector_size(&t->insn, how);
    const bool turned = how & HOW_SUBTRACT;
    if (size == 4)
        sum_of_all(t, (how & HOW_OPERAND) == ELEMENT_SUB);
    else
        operation(t, vector_operations[how & HOW_OPERAND][size], turned ? V3 : V2, turned ? V2 : V3, how & HOW_XOR);
}

/* The result of a comparison, one of XMM0-15; its condition code when it is asked for: 0 all, 1 some, 3 none */
static void compared(struct translation *t, unsigned xmm)
{
    struct x86 *x = &t->x;
    vector_written(t, V1, xmm);
    if (!(t->insn.m5 & 1) || !t->live) {
        if (t->insn.m5 & 1)
            cc_set(t, value_host(NOWHERE), value_constant(0), NOWHERE);
        return;
    }
    x86_pmovmskb(x, RCX, xmm);
    x86_mov_i(x, RDX, 0);
    x86_test(x, false, RCX, RCX);
    x86_setcc(x, IF_E, RDX);
    x86_rmx(x, 0, 0x8d, RDX, RDX, RDX, 0, 1);
    x86_mov_i(x, RAX, 0);
    x86_alu_i(x, false, ALU_CMP, RCX, 0xffff);
    x86_cmov(x, false, IF_E, RDX, RAX);
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
}

void template_vector_compare(struct translation *t, unsigned how)
{
    const unsigned one = vector_low(t, V2, 0), other = vector_low(t, V3, 1), to = vector_write_low(t, V1);
    x86_three(&t->x, vector_operations[how & HOW_OPERAND][t->insn.m4], to, one, other);
    compared(t, to);
}

/* Logical: not greater is to be the maximum of neither; doublewords as signed ones, of opposite sign bits. */
void template_vector_compare_logical(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned size = t->insn.m4, one = vector_read(t, V2), other = vector_low(t, V3, 2);
    (void)how;
    ones(t, 1);
    if (size == 3) {
        x86_vshift(x, 64, PACKED_SHL, 1, 1, 63);
        x86_three(x, PACKED_XOR, 0, one, 1);
        x86_three(x, PACKED_XOR, 1, other, 1);
        x86_three(x, PACKED_GREATER_G, 0, 0, 1);
    } else {
        x86_three(x, vector_operations[ELEMENT_MAX_LOGICAL][size], 0, one, other);
        x86_three(x, vector_operations[ELEMENT_EQUAL][size], 0, 0, other);
        x86_three(x, PACKED_XOR, 0, 0, 1);
    }
    compared(t, 0);
}

void template_vector_complement(struct translation *t, unsigned how)
{
    const unsigned from = vector_read(t, V2);
    x86_three(&t->x, PACKED_XOR, 0, 0, 0);
    x86_three(&t->x, vector_operations[how & HOW_OPERAND][t->insn.m3], vector_write(t, V1), 0, from);
}

void template_vector_magnitude(struct translation *t, unsigned how)
{
    const unsigned from = vector_read(t, V2);
    x86_three(&t->x, vector_operations[how & HOW_OPERAND][t->insn.m3], vector_write(t, V1), 0, from);
}

void template_vector_select(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned mask = vector_read(t, t->op->m), one = vector_read(t, V2), other = vector_read(t, V3);
    (void)how;
    x86_three(x, PACKED_AND, 0, mask, one);
    x86_three(x, PACKED_AND_NOT, 1, mask, other);
    x86_three(x, PACKED_OR, vector_write(t, V1), 0, 1);
}

void template_vector_test(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned tested = vector_low(t, V1, 0), mask = vector_low(t, V2, 1);
    (void)how;
    x86_mov_i(x, RDX, 0);
    x86_mov_i(x, RAX, 0);
    x86_three(x, PACKED_TEST, tested, 0, mask);
    x86_setcc(x, IF_B, RDX);
    x86_rmx(x, 0, 0x8d, RDX, RDX, RDX, 0, 1);
    x86_cmov(x, false, IF_E, RDX, RAX);
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
}
