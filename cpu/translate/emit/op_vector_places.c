/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: vector instructions that shift elements or put them elsewhere, as in op_vector.c. PoP chapters 21 and 22.
 */
#include "cpu/translate/emit/vector.h"

/* ---- shifts ----------------------------------------------------------------------------------------------------- */

/* A register with the same word in all places, by RCX */
static void words(struct translation *t, unsigned xmm, uint32_t word)
{
    x86_mov_i(&t->x, RCX, word);
    x86_vto_xmm(&t->x, false, xmm, RCX);
    x86_vpshufd(&t->x, xmm, xmm, 0);
}

/* Bytes are shifted as halfwords, without the bits that come from their neighbours. XMM2 is lost. */
static void shift(struct translation *t, unsigned bits, enum x86_packed_shift shift, unsigned to, unsigned from,
                  unsigned n)
{
    const uint32_t left = 0xffu << n & 0xff, right = 0xffu >> n;
    x86_vshift(&t->x, bits == 8 ? 16 : bits, shift, to, from, (uint8_t)n);
    if (bits == 8) {
        words(t, 2, (shift == PACKED_SHL ? left : right) * 0x01010101u);
        x86_three(&t->x, PACKED_AND, to, to, 2);
    }
}

/* To the right by n: the sign, which stands at bit n then, is taken away again from what it is added to. */
static void shift_signed(struct translation *t, unsigned bits, unsigned from, unsigned n)
{
    struct x86 *x = &t->x;
    if (bits == 64 && t->translator->wide) {
        x86_vshift_signed(x, vector_write(t, V1), from, (uint8_t)n);
        return;
    }
    shift(t, bits, PACKED_SHR, 0, from, n);
    if (bits == 8) {
        words(t, 1, (0x80u >> n) * 0x01010101u);
    } else {
        ones(t, 1);
        x86_vshift(x, 64, PACKED_SHL, 1, 1, 63);
        x86_vshift(x, 64, PACKED_SHR, 1, 1, (uint8_t)n);
    }
    x86_three(x, PACKED_XOR, 0, 0, 1);
    x86_three(x, bits == 8 ? PACKED_SUB_B : PACKED_SUB_G, vector_write(t, V1), 0, 1);
}

/* How: enum x86_packed_shift. The amount is a constant. */
void template_vector_shift(struct translation *t, unsigned how)
{
    const unsigned bits = 8u << t->insn.m4, n = (unsigned)t->op->d, from = vector_read(t, V2);
    if (n == 0)
        vector_written(t, V1, from);
    else if (how == PACKED_SAR && (bits == 8 || bits == 64))
        shift_signed(t, bits, from, n);
    else
        shift(t, bits, (enum x86_packed_shift)how, vector_write(t, V1), from, n);
}

void template_vector_rotate(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned bits = 8u << t->insn.m4, n = (unsigned)t->op->d, from = vector_read(t, V2);
    (void)how;
    if (n == 0) {
        vector_written(t, V1, from);
    } else if (bits >= 32 && t->translator->wide) {
        x86_vrotate(x, bits, vector_write(t, V1), from, (uint8_t)n);
    } else if (bits == 32 && n % 8 == 0) {
        x86_three_code(x, PACKED_BYTES, vector_write(t, V1), from,
                       packed_constant(t, (enum packed_constant)(PACKED_ROTATED_8 + n / 8 - 1)));
    } else {
        shift(t, bits, PACKED_SHL, 0, from, n);
        shift(t, bits, PACKED_SHR, 1, from, bits - n);
        x86_three(x, PACKED_OR, vector_write(t, V1), 0, 1);
    }
}

/* ---- elements in other places ----------------------------------------------------------------------------------- */

/* Half of V2 with elements of twice the size: the right one with HOW_SUBTRACT. */
void template_vector_unpack(struct translation *t, unsigned how)
{
    unsigned from = vector_read(t, V2);
    if (how & HOW_SUBTRACT) {
        x86_vpshufd(&t->x, 0, from, 0xee);
        from = 0;
    }
    x86_three(&t->x, vector_operations[how & HOW_OPERAND][t->insn.m3], 0, 0, from);
    swapped(t);
}

void template_vector_merge(struct translation *t, unsigned how)
{
    const unsigned size = t->insn.m4, one = vector_read(t, V2), other = vector_read(t, V3);
    const uint32_t op = vector_operations[how & HOW_OPERAND][size];
    if (size == 3) {
        x86_three(&t->x, op, vector_write(t, V1), one, other);
    } else {
        x86_three(&t->x, op, 0, other, one);
        swapped(t);
    }
}

void template_vector_pack(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned size = t->insn.m4, one = vector_read(t, V2), other = vector_read(t, V3);
    (void)how;
    if (size == 3) {
        x86_vshufps(x, vector_write(t, V1), one, other, 0x22);
        return;
    }
    const uint8_t *mask = packed_constant(t, size == 1 ? PACKED_HALVES_FF : PACKED_WORDS_FFFF);
    x86_vpshufd(x, 0, one, 0x4e);
    x86_vpshufd(x, 1, other, 0x4e);
    x86_three_code(x, PACKED_AND, 0, 0, mask);
    x86_three_code(x, PACKED_AND, 1, 1, mask);
    x86_three(x, size == 1 ? PACKED_PACK_H : PACKED_PACK_F, vector_write(t, V1), 0, 1);
}

/* The host takes a byte by its number in one register, zero when that is 80 or more. */
void template_vector_permute(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned numbers = vector_read(t, t->op->m), one = vector_read(t, V2), other = vector_read(t, V3);
    (void)how;
    x86_three_code(x, PACKED_AND, 2, numbers, packed_constant(t, PACKED_BYTES_1F));
    x86_three_code(x, PACKED_XOR, 2, 2, packed_constant(t, PACKED_BYTES_07));
    x86_three_code(x, PACKED_ADD_B, 2, 2, packed_constant(t, PACKED_BYTES_70));
    x86_three(x, PACKED_BYTES, 0, one, 2);
    x86_three_code(x, PACKED_XOR, 2, 2, packed_constant(t, PACKED_BYTES_80));
    x86_three(x, PACKED_BYTES, 1, other, 2);
    x86_three(x, PACKED_OR, vector_write(t, V1), 0, 1);
}

void template_vector_permute_doublewords(struct translation *t, unsigned how)
{
    const unsigned one = vector_read(t, V2), other = vector_read(t, V3);
    (void)how;
    x86_vshufpd(&t->x, vector_write(t, V1), one, other, (uint8_t)((t->op->m >> 2 & 1) | (t->op->m & 1) << 1));
}

void template_vector_shift_double(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned one = vector_read(t, V2), other = vector_read(t, V3);
    (void)how;
    x86_vpshufd(x, 0, one, 0x4e);
    if (t->op->m) {
        x86_vpshufd(x, 1, other, 0x4e);
        x86_vpalignr(x, 0, 0, 1, (uint8_t)(16 - t->op->m));
    }
    swapped(t);
}
