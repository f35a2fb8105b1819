/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: interlocked updates. Where CPUs take turns in one thread of the host nobody comes in between, and what
   locks would take longer. A CPU with a thread of its own locks; when another one came in between, which is seldom, the
   instruction is left to its body, that tries again. PoP chapter 7. */
#include "cpu/translate/emit/template.h"

#define R1 (t->op->r1)

/* RAX plus what is returned becomes the host address of the operand at the base register + D, which is on a boundary of
   its length, as is its address: pages begin on boundaries. */
static int32_t aligned(struct translation *t, bool w, unsigned base, int64_t d)
{
    const int32_t boundary = w ? 7 : 3;
    int32_t at = access_emit(t, base, 16, d, w ? 8 : 4, true);
    if (at & boundary) {
        x86_lea(&t->x, RAX, RAX, at);
        at = 0;
    }
    x86_test_i(&t->x, false, RAX, boundary);
    exit_if(t, IF_NE);
    return at;
}

static void write_r1(struct translation *t, bool w, unsigned from)
{
    if (w)
        write64(t, R1, from);
    else
        write32(t, R1, from);
}

/* COMPARE AND SWAP of a CPU with a thread of its own */
static void swap_locked(struct translation *t, bool w, int32_t at)
{
    struct x86 *x = &t->x;
    x86_lea(x, RDX, RAX, at);
    copy64(t, RAX, R1);
    copy64(t, RCX, t->op->r3);
    x86_bswap(x, w, RAX);
    x86_bswap(x, w, RCX);
    x86_lock_cmpxchg(x, w, RCX, RDX, 0);
    x86_setcc(x, IF_NE, RDX);
    x86_movzx8(x, RDX, RDX);
    cc_set(t, value_constant(0), value_host(RDX), NOWHERE);
    x86_bswap(x, w, RAX);
    write_r1(t, w, RAX);
}

/* COMPARE AND SWAP: the condition code is that of the difference, as of a logical result */
void template_swap(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const bool w = !(how & HOW_WORD);
    const int32_t at = aligned(t, w, t->op->r2, t->op->d);
    if (t->cpu->sys->threads) {
        swap_locked(t, w, at);
        return;
    }
    x86_movbe_load(x, w ? X86_WIDE : 0, RCX, RAX, at);
    if (w)
        copy64(t, RDX, R1);
    else
        copy32(t, RDX, R1);
    x86_alu(x, w, ALU_XOR, RDX, RCX);
    cc_set(t, value_constant(0), value_host(RDX), NOWHERE); /* the flags stay */
    x86_jcc(x, IF_NE, x->at);
    uint8_t *const other = x->at;
    const unsigned third = w ? read64(t, t->op->r3, RCX) : read32(t, t->op->r3, RCX);
    x86_movbe_store(x, w ? X86_WIDE : 0, third, RAX, at);
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

/* What the operand in storage is changed by: R3, or the immediate operand. */
static void changer(struct translation *t, bool w, unsigned to)
{
    if (dis_rows[t->insn.row].format == DIS_FMT_SIY)
        x86_mov_i(&t->x, to, w ? (uint64_t)t->insn.i2 : (uint32_t)t->insn.i2);
    else if (w)
        copy64(t, to, t->insn.r3);
    else
        copy32(t, to, t->insn.r3);
}

/* RAX + `at`: host address of the operand. RCX becomes the operand as it was, RDX what it was changed to, and the flags
   are of that; when it is not stored nothing has changed. */
static void update_locked(struct translation *t, bool w, enum x86_alu alu, bool overflow, int32_t at)
{
    struct x86 *x = &t->x;
    x86_lea(x, RDX, RAX, at);
    x86_load(x, w, RAX, RDX, 0);
    changer(t, w, RCX);
    x86_bswap(x, w, RAX);
    x86_alu(x, w, alu, RCX, RAX);
    if (overflow)
        exit_if(t, IF_O);
    x86_bswap(x, w, RAX);
    x86_bswap(x, w, RCX);
    x86_lock_cmpxchg(x, w, RCX, RDX, 0);
    exit_if(t, IF_NE);
    changer(t, w, RDX);
    x86_mov(x, true, RCX, RAX);
    x86_bswap(x, w, RCX);
    x86_alu(x, w, alu, RDX, RCX);
}

/* The same of a CPU that has no thread of its own. */
static void update_alone(struct translation *t, bool w, enum x86_alu alu, bool overflow, int32_t at)
{
    struct x86 *x = &t->x;
    x86_movbe_load(x, w ? X86_WIDE : 0, RCX, RAX, at);
    changer(t, w, RDX);
    x86_alu(x, w, alu, RDX, RCX);
    if (overflow)
        exit_if(t, IF_O);
    x86_movbe_store(x, w ? X86_WIDE : 0, RDX, RAX, at);
}

/* The operand at base + D is changed; RCX becomes what it was. */
static void update(struct translation *t, bool w, enum x86_alu alu, bool logical, unsigned base, int64_t d)
{
    const bool overflow = alu == ALU_ADD && !logical && t->block->mode & MODE_OVERFLOW;
    const int32_t at = aligned(t, w, base, d);
    if (t->cpu->sys->threads)
        update_locked(t, w, alu, overflow, at);
    else
        update_alone(t, w, alu, overflow, at);
    updated_cc(t, alu, logical);
    t->flags = false;
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
}

/* LOAD AND ADD (logical with HOW_FOUR), AND, OR, EXCLUSIVE OR: R1 becomes the operand as it was. */
void template_load_and(struct translation *t, unsigned how)
{
    const bool w = !(how & HOW_WORD), logical = how & HOW_FOUR;
    const enum x86_alu alu = how & HOW_AND ? ALU_AND : how & HOW_XOR ? ALU_XOR : how & HOW_MORE ? ALU_OR : ALU_ADD;
    update(t, w, alu, logical, t->op->r2, t->op->d);
    write_r1(t, w, RCX);
}

static unsigned base_of_first(const struct translation *t) { return t->insn.b1 ? t->insn.b1 : 16; }

/* ADD IMMEDIATE of a CPU with a thread of its own, ADD LOGICAL WITH SIGNED IMMEDIATE (HOW_FOUR): an operand that is not
   on its boundary is left to the body. */
void template_update_immediate(struct translation *t, unsigned how)
{
    update(t, !(how & HOW_WORD), ALU_ADD, how & HOW_FOUR, base_of_first(t), t->insn.d1);
}

/* AND, OR, EXCLUSIVE OR of a byte and the operand, by a CPU with a thread of its own. */
void template_logic_locked(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    address_emit(t, base_of_first(t), 16, t->insn.d1);
    probe_emit(t, 1, true);
    x86_lock_alu8_mi(x, how & HOW_AND ? ALU_AND : how & HOW_XOR ? ALU_XOR : ALU_OR, RAX, 0, (uint8_t)t->insn.i2);
    updated_cc(t, ALU_OR, false);
    t->flags = false;
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
}
