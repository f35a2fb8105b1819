/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: vector instructions on elements of integers. A vector register is two doublewords in the host's order:
   element n of the guest is element n ^ 7 >> size of the host. The encodings that come here are those that the block
   engine has handlers for. PoP chapters 21 and 22. */
#include "cpu/translate/template.h"

#define V1        (t->op->r1)
#define V2        (t->op->r2)
#define V3        (t->op->r3)
#define V_AT(n)   (CPU_AT(vr) + (int32_t)sizeof(struct vector_register) * (n))
#define DOUBLE(n) ((n) + 8)

/* By size: bytes, halfwords, words, doublewords. 0: left to the handler. */
static const uint32_t elements[][4] = {
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

static unsigned size_of(const struct dis_insn *insn, unsigned how)
{
    return how & HOW_MORE ? 0 : how & HOW_FOUR ? insn->m3 : insn->m4;
}

bool vector_fits(unsigned how, const struct dis_insn *insn)
{
    const unsigned size = size_of(insn, how), element = how & HOW_OPERAND;
    return size < 4 ? elements[element][size] : element == ELEMENT_ADD || element == ELEMENT_SUB;
}

static void load(struct translation *t, unsigned xmm, unsigned vr) { x86_movups_load(&t->x, xmm, CPU, V_AT(vr)); }
static void result(struct translation *t) { x86_movups_store(&t->x, 0, CPU, V_AT(V1)); }
static void ones(struct translation *t, unsigned xmm) { x86_packed(&t->x, PACKED_EQUAL_F, xmm, xmm); }
static void invert(struct translation *t)
{
    ones(t, 1);
    x86_packed(&t->x, PACKED_XOR, 0, 1);
}
static void swap_halves(struct translation *t) { x86_pshufd(&t->x, 0, 0, 0x4e); }

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
    x86_load(x, true, RAX, CPU, DOUBLE(V_AT(V2)));
    x86_load(x, true, RCX, CPU, V_AT(V2));
    x86_alu_m(x, true, subtract ? ALU_SUB : ALU_ADD, RAX, CPU, DOUBLE(V_AT(V3)));
    x86_alu_m(x, true, subtract ? ALU_SBB : ALU_ADC, RCX, CPU, V_AT(V3));
    x86_to_xmm(x, true, 0, RCX);
    x86_insert(x, 8, 0, RAX, 1);
    result(t);
}

/* How: the operation on V2 and V3; on V3 and V2 with HOW_SUBTRACT; inverted with HOW_XOR. */
void template_vector_elements(struct translation *t, unsigned how)
{
    const unsigned size = size_of(&t->insn, how);
    if (size == 4) {
        sum_of_all(t, (how & HOW_OPERAND) == ELEMENT_SUB);
        return;
    }
    load(t, 0, how & HOW_SUBTRACT ? V3 : V2);
    x86_packed_m(&t->x, elements[how & HOW_OPERAND][size], 0, CPU, V_AT(how & HOW_SUBTRACT ? V2 : V3));
    if (how & HOW_XOR)
        invert(t);
    result(t);
}

/* The result of a comparison, its condition code when it is asked for: 0 all, 1 some, 3 none */
static void compared(struct translation *t)
{
    struct x86 *x = &t->x;
    result(t);
    if (!(t->insn.m5 & 1) || !t->live) {
        if (t->insn.m5 & 1)
            cc_set(t, value_host(NOWHERE), value_constant(0), NOWHERE);
        return;
    }
    x86_pmovmskb(x, RCX, 0);
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
    load(t, 0, V2);
    x86_packed_m(&t->x, elements[how & HOW_OPERAND][t->insn.m4], 0, CPU, V_AT(V3));
    compared(t);
}

/* Logical: not greater is to be the maximum of neither; doublewords as signed ones, of opposite sign bits. */
void template_vector_compare_logical(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned size = t->insn.m4;
    (void)how;
    load(t, 0, V2);
    if (size == 3) {
        ones(t, 1);
        x86_packed_shift(x, 64, PACKED_SHL, 1, 63);
        load(t, 2, V3);
        x86_packed(x, PACKED_XOR, 0, 1);
        x86_packed(x, PACKED_XOR, 2, 1);
        x86_packed(x, PACKED_GREATER_G, 0, 2);
    } else {
        x86_packed_m(x, elements[ELEMENT_MAX_LOGICAL][size], 0, CPU, V_AT(V3));
        x86_packed_m(x, elements[ELEMENT_EQUAL][size], 0, CPU, V_AT(V3));
        invert(t);
    }
    compared(t);
}

/* `to` becomes the number of the leftmost byte of XMM0 that has a one on its left, 16: none. */
static void leftmost(struct translation *t, unsigned to)
{
    struct x86 *x = &t->x;
    x86_packed_code(x, PACKED_BYTES, 0, packed_constant(t, PACKED_REVERSED));
    x86_pmovmskb(x, to, 0);
    x86_alu_i(x, false, ALU_OR, to, 0x10000);
    x86_bsf(x, false, to, to);
}

/* RDX becomes 1 or 2 as V2 or V3 is the low one, compared as 128-bit numbers; RAX is lost. */
static void order_of_both(struct translation *t)
{
    struct x86 *x = &t->x;
    x86_load(x, true, RAX, CPU, V_AT(V2));
    x86_mov_i(x, RDX, 2);
    x86_alu_m(x, true, ALU_CMP, RAX, CPU, V_AT(V3));
    x86_jcc(x, IF_NE, x->at);
    uint8_t *const left = x->at;
    x86_load(x, true, RAX, CPU, DOUBLE(V_AT(V2)));
    x86_alu_m(x, true, ALU_CMP, RAX, CPU, DOUBLE(V_AT(V3)));
    if (!x->full)
        x86_patch(left, x->at);
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
    const unsigned size = t->insn.m4;
    load(t, 0, V2);
    x86_packed_m(x, elements[ELEMENT_EQUAL][size], 0, CPU, V_AT(V3));
    if (how & HOW_FOUR)
        invert(t);
    leftmost(t, RCX);
    if (t->insn.m5 & ZERO_SEARCH) {
        x86_packed(x, PACKED_XOR, 0, 0);
        x86_packed_m(x, elements[ELEMENT_EQUAL][size], 0, CPU, V_AT(V2));
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
    x86_to_xmm(x, true, 0, RCX);
    result(t);
}

void template_vector_complement(struct translation *t, unsigned how)
{
    x86_packed(&t->x, PACKED_XOR, 0, 0);
    x86_packed_m(&t->x, elements[how & HOW_OPERAND][t->insn.m3], 0, CPU, V_AT(V2));
    result(t);
}

void template_vector_magnitude(struct translation *t, unsigned how)
{
    x86_packed_m(&t->x, elements[how & HOW_OPERAND][t->insn.m3], 0, CPU, V_AT(V2));
    result(t);
}

void template_vector_select(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    (void)how;
    load(t, 0, t->op->m);
    x86_mov_x(x, 1, 0);
    x86_packed_m(x, PACKED_AND, 0, CPU, V_AT(V2));
    x86_packed_m(x, PACKED_AND_NOT, 1, CPU, V_AT(V3));
    x86_packed(x, PACKED_OR, 0, 1);
    result(t);
}

void template_vector_test(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    (void)how;
    load(t, 0, V1);
    x86_mov_i(x, RDX, 0);
    x86_mov_i(x, RAX, 0);
    x86_packed_m(x, PACKED_TEST, 0, CPU, V_AT(V2));
    x86_setcc(x, IF_B, RDX);
    x86_rmx(x, 0, 0x8d, RDX, RDX, RDX, 0, 1);
    x86_cmov(x, false, IF_E, RDX, RAX);
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
}

/* ---- shifts ----------------------------------------------------------------------------------------------------- */

/* A register with the same word in all places, by RCX */
static void words(struct translation *t, unsigned xmm, uint32_t word)
{
    x86_mov_i(&t->x, RCX, word);
    x86_to_xmm(&t->x, false, xmm, RCX);
    x86_pshufd(&t->x, xmm, xmm, 0);
}

/* Bytes are shifted as halfwords, without the bits that come from their neighbours. */
static void shift(struct translation *t, unsigned bits, enum x86_packed_shift shift, unsigned xmm, unsigned n)
{
    const uint32_t left = 0xffu << n & 0xff, right = 0xffu >> n;
    x86_packed_shift(&t->x, bits == 8 ? 16 : bits, shift, xmm, (uint8_t)n);
    if (bits == 8) {
        words(t, 2, (shift == PACKED_SHL ? left : right) * 0x01010101u);
        x86_packed(&t->x, PACKED_AND, xmm, 2);
    }
}

/* To the right by n: the sign, which stands at bit n then, is taken away again from what it is added to. */
static void shift_signed(struct translation *t, unsigned bits, unsigned n)
{
    struct x86 *x = &t->x;
    shift(t, bits, PACKED_SHR, 0, n);
    if (bits == 8) {
        words(t, 1, (0x80u >> n) * 0x01010101u);
    } else {
        ones(t, 1);
        x86_packed_shift(x, 64, PACKED_SHL, 1, 63);
        x86_packed_shift(x, 64, PACKED_SHR, 1, (uint8_t)n);
    }
    x86_packed(x, PACKED_XOR, 0, 1);
    x86_packed(x, bits == 8 ? PACKED_SUB_B : PACKED_SUB_G, 0, 1);
}

/* How: enum x86_packed_shift. The amount is a constant. */
void template_vector_shift(struct translation *t, unsigned how)
{
    const unsigned bits = 8u << t->insn.m4, n = (unsigned)t->op->d;
    load(t, 0, V2);
    if (n && how == PACKED_SAR && (bits == 8 || bits == 64))
        shift_signed(t, bits, n);
    else if (n)
        shift(t, bits, (enum x86_packed_shift)how, 0, n);
    result(t);
}

void template_vector_rotate(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned bits = 8u << t->insn.m4, n = (unsigned)t->op->d;
    (void)how;
    load(t, 0, V2);
    if (bits == 32 && n && n % 8 == 0) {
        x86_packed_code(x, PACKED_BYTES, 0, packed_constant(t, (enum packed_constant)(PACKED_ROTATED_8 + n / 8 - 1)));
    } else if (n) {
        x86_mov_x(x, 1, 0);
        shift(t, bits, PACKED_SHL, 0, n);
        shift(t, bits, PACKED_SHR, 1, bits - n);
        x86_packed(x, PACKED_OR, 0, 1);
    }
    result(t);
}

/* ---- elements in other places ----------------------------------------------------------------------------------- */

/* Half of V2 with elements of twice the size: the right one with HOW_SUBTRACT. */
void template_vector_unpack(struct translation *t, unsigned how)
{
    const int32_t at = V_AT(V2);
    x86_packed_m(&t->x, elements[how & HOW_OPERAND][t->insn.m3], 0, CPU, how & HOW_SUBTRACT ? DOUBLE(at) : at);
    swap_halves(t);
    result(t);
}

void template_vector_merge(struct translation *t, unsigned how)
{
    const unsigned size = t->insn.m4;
    load(t, 0, size == 3 ? V2 : V3);
    x86_packed_m(&t->x, elements[how & HOW_OPERAND][size], 0, CPU, V_AT(size == 3 ? V3 : V2));
    if (size < 3)
        swap_halves(t);
    result(t);
}

void template_vector_pack(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned size = t->insn.m4;
    (void)how;
    if (size == 3) {
        load(t, 0, V2);
        x86_shufps_m(x, 0, CPU, V_AT(V3), 0x22);
    } else {
        const uint8_t *mask = packed_constant(t, size == 1 ? PACKED_HALVES_FF : PACKED_WORDS_FFFF);
        x86_pshufd_m(x, 0, CPU, V_AT(V2), 0x4e);
        x86_pshufd_m(x, 1, CPU, V_AT(V3), 0x4e);
        x86_packed_code(x, PACKED_AND, 0, mask);
        x86_packed_code(x, PACKED_AND, 1, mask);
        x86_packed(x, size == 1 ? PACKED_PACK_H : PACKED_PACK_F, 0, 1);
    }
    result(t);
}

/* The host takes a byte by its number in one register, zero when that is 80 or more. */
void template_vector_permute(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    (void)how;
    load(t, 2, t->op->m);
    load(t, 0, V2);
    load(t, 1, V3);
    x86_packed_code(x, PACKED_AND, 2, packed_constant(t, PACKED_BYTES_1F));
    x86_packed_code(x, PACKED_XOR, 2, packed_constant(t, PACKED_BYTES_07));
    x86_packed_code(x, PACKED_ADD_B, 2, packed_constant(t, PACKED_BYTES_70));
    x86_packed(x, PACKED_BYTES, 0, 2);
    x86_packed_code(x, PACKED_XOR, 2, packed_constant(t, PACKED_BYTES_80));
    x86_packed(x, PACKED_BYTES, 1, 2);
    x86_packed(x, PACKED_OR, 0, 1);
    result(t);
}

void template_vector_permute_doublewords(struct translation *t, unsigned how)
{
    (void)how;
    load(t, 0, V2);
    x86_shufpd_m(&t->x, 0, CPU, V_AT(V3), (uint8_t)((t->op->m >> 2 & 1) | (t->op->m & 1) << 1));
    result(t);
}

void template_vector_shift_double(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    (void)how;
    x86_pshufd_m(x, 0, CPU, V_AT(V2), 0x4e);
    if (t->op->m) {
        x86_pshufd_m(x, 1, CPU, V_AT(V3), 0x4e);
        x86_palignr(x, 0, 1, (uint8_t)(16 - t->op->m));
    }
    swap_halves(t);
    result(t);
}
