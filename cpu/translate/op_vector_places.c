/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: vector instructions that shift elements or put them elsewhere, as in op_vector.c. PoP chapters 21 and 22.
 */
#include "cpu/translate/vector.h"

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
    x86_packed_m(&t->x, vector_operations[how & HOW_OPERAND][t->insn.m3], 0, CPU, how & HOW_SUBTRACT ? DOUBLE(at) : at);
    swap_halves(t);
    result(t);
}

void template_vector_merge(struct translation *t, unsigned how)
{
    const unsigned size = t->insn.m4;
    load(t, 0, size == 3 ? V2 : V3);
    x86_packed_m(&t->x, vector_operations[how & HOW_OPERAND][size], 0, CPU, V_AT(size == 3 ? V3 : V2));
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
