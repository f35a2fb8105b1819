/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: vector instructions on integers that the block engine leaves to their bodies: products of twice the
   length, and VECTOR ELEMENT ROTATE AND INSERT UNDER MASK. PoP chapter 22. */
#include "cpu/translate/emit/vector.h"

/* Two elements are one of twice the length: `to` becomes those with the even or odd one of `from`, with sign unless
   logical. Of words the right ones are what products are made of, whatever stands beside them. */
static unsigned chosen(struct translation *t, unsigned size, bool odd, bool logical, unsigned to, unsigned from)
{
    const unsigned bits = 16u << size;
    const uint8_t half = (uint8_t)(bits / 2);
    if (size == 2) {
        if (odd)
            return from;
        x86_vshift(&t->x, bits, PACKED_SHR, to, from, half);
        return to;
    }
    if (odd) {
        x86_vshift(&t->x, bits, PACKED_SHL, to, from, half);
        from = to;
    }
    x86_vshift(&t->x, bits, logical ? PACKED_SHR : PACKED_SAR, to, from, half);
    return to;
}

/* How: the odd elements with HOW_SUBTRACT, without signs with HOW_FOUR, V4 is added with HOW_MORE. */
void template_vector_product(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const bool logical = how & HOW_FOUR, odd = how & HOW_SUBTRACT, adds = how & HOW_MORE;
    const unsigned size = adds ? t->insn.m5 : t->insn.m4;
    const enum x86_packed product = size == 0   ? PACKED_MULTIPLY_H
                                    : size == 1 ? PACKED_MULTIPLY_F
                                    : logical   ? PACKED_MULTIPLY_F_EVEN
                                                : PACKED_MULTIPLY_SF_EVEN;
    const unsigned one = chosen(t, size, odd, logical, 0, vector_read(t, V2));
    const unsigned other = chosen(t, size, odd, logical, 1, vector_read(t, V3));
    if (!adds) {
        x86_three(x, product, vector_write(t, V1), one, other);
        return;
    }
    const unsigned sum = vector_read(t, t->insn.r4);
    x86_three(x, product, 0, one, other);
    x86_three(x, size == 0 ? PACKED_ADD_H : size == 1 ? PACKED_ADD_F : PACKED_ADD_G, vector_write(t, V1), 0, sum);
}

/* VECTOR ELEMENT ROTATE AND INSERT UNDER MASK, of halfwords, words and doublewords */
void template_vector_insert_rotated(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned bits = 8u << t->insn.m5, n = t->insn.i4 % bits;
    unsigned from = vector_read(t, V2);
    const unsigned mask = vector_read(t, V3);
    (void)how;
    if (n && bits >= 32 && t->translator->wide) {
        x86_vrotate(x, bits, 0, from, (uint8_t)n);
        from = 0;
    } else if (n) {
        x86_vshift(x, bits, PACKED_SHL, 0, from, (uint8_t)n);
        x86_vshift(x, bits, PACKED_SHR, 1, from, (uint8_t)(bits - n));
        x86_three(x, PACKED_OR, 0, 0, 1);
        from = 0;
    }
    if (t->translator->wide) {
        x86_vternary(x, vector_change(t, V1), from, mask, 0xd8);
        return;
    }
    const unsigned to = vector_change(t, V1);
    x86_three(x, PACKED_AND, 0, from, mask);
    x86_three(x, PACKED_AND_NOT, 1, mask, to);
    x86_three(x, PACKED_OR, to, 0, 1);
}
