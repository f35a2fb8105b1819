/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: interlocked updates. Where CPUs take turns in one thread of the host nobody comes in between, and what
   locks would take longer. A CPU with a thread of its own locks; when another one came in between, which is seldom, the
   instruction is left to its body, that tries again. PoP chapter 7. */
#include "cpu/translate/template.h"

#define R1 (t->op->r1)

/* RAX becomes the host address of the operand at R2 + D, which is on a boundary of its length. */
static void aligned(struct translation *t, bool w)
{
    address_emit(t, t->op->r2, 16, t->op->d);
    x86_test_i(&t->x, false, RAX, w ? 7 : 3);
    exit_if(t, IF_NE);
    probe_emit(t, w ? 8 : 4, true);
}

static void write_r1(struct translation *t, bool w, unsigned from)
{
    if (w)
        write64(t, R1, from);
    else
        write32(t, R1, from);
}

/* COMPARE AND SWAP of a CPU with a thread of its own */
static void swap_locked(struct translation *t, bool w)
{
    struct x86 *x = &t->x;
    x86_mov(x, true, RDX, RAX);
    copy64(t, RAX, R1);
    copy64(t, RCX, t->op->r3);
    x86_bswap(x, w, RAX);
    x86_bswap(x, w, RCX);
    x86_lock_cmpxchg(x, w, RCX, RDX, 0);
    x86_setcc(x, IF_NE, RDX);
    x86_movzx8(x, RDX, RDX);
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
    x86_bswap(x, w, RAX);
    write_r1(t, w, RAX);
}

/* COMPARE AND SWAP */
void template_swap(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const bool w = !(how & HOW_WORD);
    aligned(t, w);
    if (t->cpu->sys->threads) {
        swap_locked(t, w);
        return;
    }
    x86_movbe_load(x, w ? X86_WIDE : 0, RCX, RAX, 0);
    x86_alu(x, w, ALU_CMP, RCX, w ? read64(t, R1, RDX) : read32(t, R1, RDX));
    x86_setcc(x, IF_NE, RDX); /* the flags stay */
    x86_movzx8(x, RDX, RDX);
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
    x86_jcc(x, IF_NE, x->at);
    uint8_t *const other = x->at;
    const unsigned third = w ? read64(t, t->op->r3, RCX) : read32(t, t->op->r3, RCX);
    x86_movbe_store(x, w ? X86_WIDE : 0, third, RAX, 0);
    x86_jmp(x, x->at);
    uint8_t *const same = x->at;
    if (!x->full)
        x86_patch(other, x->at);
    write_r1(t, w, RCX);
    if (!x->full)
        x86_patch(same, x->at);
}

/* RDX becomes the condition code of the sum or logical result that the flags are of, when somebody looks. RAX is lost,
   the flags are not. */
static void updated_cc(struct translation *t, enum x86_alu alu, bool logical)
{
    struct x86 *x = &t->x;
    if (!t->live)
        return;
    x86_setcc(x, IF_NE, RDX);
    x86_movzx8(x, RDX, RDX);
    if (alu != ALU_ADD)
        return;
    x86_setcc(x, logical ? IF_B : IF_G, RAX);
    x86_movzx8(x, RAX, RAX);
    x86_rmx(x, X86_WIDE, 0x8d, RDX, RDX, RAX, logical ? 1 : 0, 0);
    if (logical)
        return;
    x86_mov_i(x, RAX, 3);
    x86_cmov(x, false, IF_O, RDX, RAX);
}

/* RAX: host address of the operand. RCX becomes the operand as it was, RDX what R3 made of it, and the flags are of
   that; when it is not stored nothing has changed. */
static void update_locked(struct translation *t, bool w, enum x86_alu alu, bool overflow)
{
    struct x86 *x = &t->x;
    x86_mov(x, true, RDX, RAX);
    x86_load(x, w, RAX, RDX, 0);
    copy64(t, RCX, t->insn.r3);
    x86_bswap(x, w, RAX);
    x86_alu(x, w, alu, RCX, RAX);
    if (overflow)
        exit_if(t, IF_O);
    x86_bswap(x, w, RAX);
    x86_bswap(x, w, RCX);
    x86_lock_cmpxchg(x, w, RCX, RDX, 0);
    exit_if(t, IF_NE);
    copy64(t, RDX, t->insn.r3);
    x86_mov(x, true, RCX, RAX);
    x86_bswap(x, w, RCX);
    x86_alu(x, w, alu, RDX, RCX);
}

/* The same of a CPU that has no thread of its own. */
static void update_alone(struct translation *t, bool w, enum x86_alu alu, bool overflow)
{
    struct x86 *x = &t->x;
    x86_movbe_load(x, w ? X86_WIDE : 0, RCX, RAX, 0);
    if (w)
        copy64(t, RDX, t->insn.r3);
    else
        copy32(t, RDX, t->insn.r3);
    x86_alu(x, w, alu, RDX, RCX);
    if (overflow)
        exit_if(t, IF_O);
    x86_movbe_store(x, w ? X86_WIDE : 0, RDX, RAX, 0);
}

/* LOAD AND ADD (logical with HOW_FOUR), AND, OR, EXCLUSIVE OR: R1 becomes the operand as it was. */
void template_load_and(struct translation *t, unsigned how)
{
    const bool w = !(how & HOW_WORD), logical = how & HOW_FOUR;
    const enum x86_alu alu = how & HOW_AND ? ALU_AND : how & HOW_XOR ? ALU_XOR : how & HOW_MORE ? ALU_OR : ALU_ADD;
    const bool overflow = alu == ALU_ADD && !logical && t->block->mode & MODE_OVERFLOW;
    aligned(t, w);
    if (t->cpu->sys->threads)
        update_locked(t, w, alu, overflow);
    else
        update_alone(t, w, alu, overflow);
    updated_cc(t, alu, logical);
    t->flags = false;
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
    write_r1(t, w, RCX);
}
