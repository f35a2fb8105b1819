/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: shifts, rotations, and what is done on condition. PoP chapter 7. */
#include "cpu/translate/emit/template.h"

#define R1 (t->op->r1)

/* ---- shifts ----------------------------------------------------------------------------------------------------- */

/* A rotation by an amount that is known */
static void rotate(struct translation *t, unsigned from, bool word)
{
    const unsigned bits = word ? 32 : 64, n = (bits - t->op->m) % bits, host = host_in(t, R1);
    const unsigned source = word ? read32(t, from, RAX) : read64(t, from, RAX);
    const unsigned to = host == NOWHERE || (word && !halved(t, R1)) ? RAX : host;
    x86_rorx(&t->x, !word, to, source, (uint8_t)n);
    if (word)
        write32(t, R1, to);
    else
        write64(t, R1, to);
}

/* How, beside HOW_WORD: the source is R1 (HOW_FOUR) or R2, as the block engine has them; the host's shift is in the
   bits of the operand. Words are shifted as doublewords, since amounts up to 63 shift everything out. */
void template_shift(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const enum x86_shift shift = (enum x86_shift)(how & 7);
    const unsigned from = how & HOW_FOUR ? R1 : t->op->r2;
    const bool word = how & HOW_WORD, rotates = shift == SHIFT_ROL, by_register = t->insn.b2 != 0;
    if (rotates && !by_register) {
        rotate(t, from, word);
        return;
    }
    if (by_register) {
        copy32(t, RCX, t->op->r3); /* six bits of it are looked at */
        if (t->op->d)
            x86_lea(x, RCX, RCX, t->op->d);
    }
    const bool brief = word && (rotates || (!by_register && t->op->m < 32));
    unsigned to = !word && host_in(t, R1) != NOWHERE ? host_in(t, R1) : RAX;
    if (!word)
        copy64(t, to, from);
    else if (brief)
        to = word_in_place(t, R1, from);
    else if (shift == SHIFT_SAR)
        copy32_signed(t, to, from);
    else
        copy32(t, to, from);
    const bool w = !brief;
    if (by_register)
        x86_shift_cl(x, w, shift, to);
    else if (t->op->m)
        x86_shift_i(x, w, shift, to, t->op->m & (w ? 63 : 31));
    if (word && shift != SHIFT_SHR && !brief)
        x86_mov(x, false, to, to);
    if (word)
        write32(t, R1, to);
    else
        write64(t, R1, to);
    if (shift == SHIFT_SAR)
        cc_set(t, value_of(word ? WORD_SIGNED : REGISTER, R1), value_constant(0), NOWHERE);
}

/* ---- rotate then ... selected bits ------------------------------------------------------------------------------ */

/* `reg` and the mask; `scratch` may be lost. */
static void and_mask(struct x86 *x, unsigned reg, uint64_t mask, unsigned scratch)
{
    if (mask == 0xff) {
        x86_movzx8(x, reg, reg);
    } else if (mask == 0xffff) {
        x86_movzx16(x, reg, reg);
    } else if (mask == 0xffffffff) {
        x86_mov(x, false, reg, reg);
    } else if (mask < 0xffffffff) {
        x86_alu_i(x, false, ALU_AND, reg, (int32_t)mask);
    } else if ((int64_t)mask == (int32_t)mask) {
        if (mask != ~UINT64_C(0))
            x86_alu_i(x, true, ALU_AND, reg, (int32_t)mask);
    } else {
        x86_mov_i(x, scratch, mask);
        x86_alu(x, true, ALU_AND, reg, scratch);
    }
}

/* R2 rotated, in RAX; only the bits of the mask are looked at. */
static void rotated(struct translation *t, uint64_t mask)
{
    const uint64_t from = t->op->m ? mask >> t->op->m | mask << (64 - t->op->m) : mask;
    if (from <= UINT32_MAX)
        copy32(t, RAX, t->op->r2);
    else
        copy64(t, RAX, t->op->r2);
    if (t->op->m)
        x86_shift_i(&t->x, true, SHIFT_ROL, RAX, t->op->m);
}

/* RISBG, RISBGN: the rest of R1 stays, or becomes zero. */
void template_rotate_insert(struct translation *t, unsigned how)
{
    const uint64_t mask = (uint64_t)t->op->i;
    rotated(t, mask);
    and_mask(&t->x, RAX, mask, RCX);
    if (!(t->insn.i4 & 0x80)) {
        copy64(t, RDX, R1);
        and_mask(&t->x, RDX, ~mask, RCX);
        x86_alu(&t->x, true, ALU_OR, RAX, RDX);
    }
    write64(t, R1, RAX);
    if (how & HOW_TEST)
        cc_set(t, value_of(REGISTER, R1), value_constant(0), NOWHERE);
}

/* RNSBG, ROSBG, RXSBG */
void template_rotate_logic(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const uint64_t mask = (uint64_t)t->op->i;
    const bool word = mask <= UINT32_MAX && !(how & HOW_AND);
    cc_set(t, value_constant(0), value_constant(0), NOWHERE);
    rotated(t, mask);
    if (how & HOW_AND) {
        x86_mov_i(x, RCX, ~mask);
        x86_alu(x, true, ALU_OR, RAX, RCX);
        change64(t, ALU_AND, R1, RAX);
    } else {
        and_mask(x, RAX, mask, RCX);
        if (word)
            change32(t, how & HOW_XOR ? ALU_XOR : ALU_OR, R1, RAX);
        else
            change64(t, how & HOW_XOR ? ALU_XOR : ALU_OR, R1, RAX);
    }
    if (!t->live)
        return;
    if (word)
        copy32(t, RCX, R1);
    else
        copy64(t, RCX, R1);
    and_mask(x, RCX, mask, RDX);
    cc_set(t, value_constant(0), value_host(RCX), NOWHERE);
}

/* ---- on condition ----------------------------------------------------------------------------------------------- */

static void here(struct translation *t, uint8_t *const from[2])
{
    for (unsigned i = 0; i < 2 && from[i] && !t->x.full; i++)
        x86_patch(from[i], t->x.at);
}

/* R1 becomes a register or a constant when the condition code is in the mask. */
void template_on_condition(struct translation *t, unsigned how)
{
    struct outcome skip;
    const bool word = how & HOW_WORD;
    cc_jump(t, t->op->kind, t->op->m ^ 15u, &skip);
    here(t, skip.no);
    if (skip.always)
        return;
    if ((how & HOW_OPERAND) == FROM_I)
        x86_mov_i(&t->x, RAX, word ? (uint32_t)t->op->i : (uint64_t)t->op->i);
    else if (word)
        copy32(t, RAX, t->op->r2);
    else
        copy64(t, RAX, t->op->r2);
    if (word)
        write32(t, R1, RAX);
    else
        write64(t, R1, RAX);
    here(t, skip.yes);
}

/* R1 becomes R2 when it is, R3 when it is not. */
void template_select(struct translation *t, unsigned how)
{
    struct outcome other;
    uint8_t *over[2] = {NULL, NULL};
    cc_jump(t, t->op->kind, t->op->m ^ 15u, &other);
    here(t, other.no);
    if (!other.always) {
        copy64(t, RAX, t->op->r2);
        if (!other.never) {
            x86_jmp(&t->x, t->x.at);
            over[0] = t->x.at;
        }
    }
    here(t, other.yes);
    if (!other.never)
        copy64(t, RAX, t->op->r3);
    here(t, over);
    if (how & HOW_WORD) {
        x86_mov(&t->x, false, RAX, RAX);
        write32(t, R1, RAX);
    } else {
        write64(t, R1, RAX);
    }
}
