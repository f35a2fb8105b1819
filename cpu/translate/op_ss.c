/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: short storage-to-storage instructions, each operand in one page. Both operands are looked for before
   anything is changed. PoP chapter 7. */
#include "cpu/translate/template.h"

/* As the block engine has them: base and displacement of the operands, length code. */
static void first_address(struct translation *t) { address_emit(t, t->op->r1, 16, t->op->d); }
static void second_address(struct translation *t) { address_emit(t, t->op->r2, 16, t->op->i); }

/* `n` bytes, at most 32, as two pieces of the largest power of two that overlap, or one. */
static unsigned piece_of(unsigned n)
{
    unsigned piece = 16;
    while (piece > n)
        piece /= 2;
    return piece;
}
/* RDX and RCX, or XMM0 and XMM1 */
static void piece_load(struct x86 *x, unsigned piece, unsigned to, unsigned base, int32_t d)
{
    if (piece == 16)
        x86_movups_load(x, to == RCX, base, d);
    else if (piece == 1)
        x86_movzx8_m(x, to, base, d);
    else if (piece == 2)
        x86_movzx16_m(x, to, base, d);
    else
        x86_load(x, piece == 8, to, base, d);
}
static void piece_store(struct x86 *x, unsigned piece, unsigned from, unsigned base, int32_t d)
{
    if (piece == 16)
        x86_movups_store(x, from == RCX, base, d);
    else if (piece == 1)
        x86_store8(x, from, base, d);
    else if (piece == 2)
        x86_store16(x, from, base, d);
    else
        x86_store(x, piece == 8, from, base, d);
}

/* A destructive overlap is left to the handler. */
void template_move(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned n = t->op->m + 1u, piece = piece_of(n);
    (void)how;
    second_address(t);
    probe_emit(t, n, false);
    x86_store(x, true, RAX, RSP, KEEP_AT);
    first_address(t);
    probe_emit(t, n, true);
    x86_load(x, true, RCX, RSP, KEEP_AT);
    if (n > 1) {
        x86_mov(x, true, RDX, RAX);
        x86_alu(x, true, ALU_SUB, RDX, RCX);
        x86_alu_i(x, true, ALU_CMP, RDX, (int32_t)n);
        exit_if(t, IF_B);
    }
    piece_load(x, piece, RDX, RCX, 0);
    if (piece < n)
        piece_load(x, piece, RCX, RCX, (int32_t)(n - piece));
    piece_store(x, piece, RDX, RAX, 0);
    if (piece < n)
        piece_store(x, piece, RCX, RAX, (int32_t)(n - piece));
}

/* An operand exclusive-ored with itself */
void template_clear(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned n = t->op->m + 1u, piece = piece_of(n);
    (void)how;
    first_address(t);
    probe_emit(t, n, true);
    if (piece == 16)
        x86_packed(x, PACKED_XOR, 0, 0);
    else
        x86_mov_i(x, RDX, 0);
    piece_store(x, piece, RDX, RAX, 0);
    if (piece < n)
        piece_store(x, piece, RDX, RAX, (int32_t)(n - piece));
    cc_set(t, value_constant(0), value_constant(0), NOWHERE);
}

/* RCX becomes the operand at RAX, to be compared as signed. */
static void number(struct x86 *x, unsigned n)
{
    if (n == 1) {
        x86_movzx8_m(x, RCX, RAX, 0);
        return;
    }
    x86_movbe_load(x, n == 8 ? X86_WIDE : n == 2 ? X86_HALF : 0, RCX, RAX, 0);
    if (n == 2)
        x86_movzx16(x, RCX, RCX);
    if (n == 8) {
        x86_mov_i(x, RDX, BIT64(0));
        x86_alu(x, true, ALU_XOR, RCX, RDX);
    }
}

/* Of one, two, four or eight bytes */
void template_compare_storage(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned n = t->op->m + 1u;
    (void)how;
    first_address(t);
    probe_emit(t, n, false);
    number(x, n);
    x86_store(x, true, RCX, RSP, KEEP_AT);
    second_address(t);
    probe_emit(t, n, false);
    number(x, n);
    x86_load(x, true, RDX, RSP, KEEP_AT);
    cc_set(t, value_host(RDX), value_host(RCX), NOWHERE);
}
