/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: stores, storage and immediate operands, several registers. PoP chapter 7. */
#include "cpu/translate/emit/template.h"

#define R1 (t->op->r1)

/* ---- stores ----------------------------------------------------------------------------------------------------- */

/* How: the length; reversed with HOW_FOUR. */
void template_store(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned length = how & 15;
    const int32_t at = operand_access(t, how, length, true);
    const unsigned from = length == 8 ? read64(t, R1, RCX) : read32(t, R1, RCX), size = length == 8   ? X86_WIDE
                                                                                        : length == 2 ? X86_HALF
                                                                                                      : 0;
    if (length == 1)
        x86_store8(x, from, RAX, at);
    else if (how & HOW_FOUR)
        x86_store(x, length == 8, from, RAX, at);
    else
        x86_movbe_store(x, size, from, RAX, at);
}

/* The immediate operand is stored. */
void template_store_immediate(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned length = how & 15;
    const uint64_t i = (uint64_t)t->op->i;
    const int32_t at = operand_access(t, how, length, true);
    switch (length) {
    case 1:
        x86_store8_i(x, RAX, at, (uint8_t)i);
        break;
    case 2:
        x86_store16_i(x, RAX, at, __builtin_bswap16((uint16_t)i));
        break;
    case 4:
        x86_store_i(x, false, RAX, at, (int32_t)__builtin_bswap32((uint32_t)i));
        break;
    default:
        x86_mov_i(x, RCX, __builtin_bswap64(i));
        x86_store(x, true, RCX, RAX, at);
        break;
    }
}

/* ---- storage and immediate operand ------------------------------------------------------------------------------ */

void template_compare_immediate(struct translation *t, unsigned how)
{
    const struct operand a = second_operand(t, how);
    cc_set(t, a.value, value_constant(t->op->i), NOWHERE);
}

void template_test_immediate(struct translation *t, unsigned how)
{
    const struct operand a = second_operand(t, how);
    x86_alu_i(&t->x, false, ALU_AND, a.host, (int32_t)t->op->i);
    cc_set(t, a.value, value_constant(t->op->i), NOWHERE);
}

/* A byte in storage and the operand. */
void template_logic_immediate(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    if (t->cpu->sys->threads) {
        template_logic_locked(t, how);
        return;
    }
    const int32_t at = operand_access(t, how, 1, true);
    x86_movzx8_m(x, RCX, RAX, at);
    x86_alu_i(x, false, how & HOW_AND ? ALU_AND : how & HOW_XOR ? ALU_XOR : ALU_OR, RCX, (uint8_t)t->op->i);
    x86_store8(x, RCX, RAX, at);
    cc_set(t, value_constant(0), value_host(RCX), NOWHERE);
}

/* The operand is added to storage. Where overflow interrupts it is a body's operation, which has no operands. */
void template_add_immediate(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const bool word = how & HOW_WORD;
    if (t->cpu->sys->threads || t->block->mode & MODE_OVERFLOW) {
        template_update_immediate(t, how);
        return;
    }
    const int32_t at = operand_access(t, how, word ? 4 : 8, true);
    x86_movbe_load(x, !word, RCX, RAX, at);
    if (word) {
        x86_movsxd(x, RCX, RCX);
        x86_alu_i(x, true, ALU_ADD, RCX, (int32_t)t->op->i);
        x86_movbe_store(x, 0, RCX, RAX, at);
        cc_set(t, value_host(RCX), value_constant(0), NOWHERE);
    } else {
        cc_set(t, value_host(RCX), value_constant(t->op->i), NOWHERE);
        x86_alu_i(x, true, ALU_ADD, RCX, (int32_t)t->op->i);
        x86_movbe_store(x, X86_WIDE, RCX, RAX, at);
        t->cc.a.host = NOWHERE;
        t->flags = true;
    }
}

/* ---- the system mask -------------------------------------------------------------------------------------------- */

void spare_watched(struct translation *t)
{
    x86_alu_mi(&t->x, true, ALU_CMP, CPU, CPU_AT(exceptions), 0);
    exit_if(t, IF_NE);
}

void budget_emit(struct translation *t)
{
    x86_lea(&t->x, RAX, LEFT, (int32_t)t->block->need);
    x86_store(&t->x, true, RAX, CPU, CPU_AT(budget));
}

/* More interruptions are enabled: there must be none now. */
static void enable(struct translation *t, unsigned how, const uint8_t *to)
{
    struct x86 *x = &t->x;
    (void)how;
    x86_store(x, true, RAX, RSP, KEEP_AT);
    budget_emit(t);
    x86_store_i(x, true, RSP, PASS_AT, (uint8_t)t->op->i);
    call_function(t, (code_function)(uintptr_t)block_enable);
    x86_test(x, false, RAX, RAX);
    exit_if(t, IF_E);
    x86_load(x, true, RCX, RSP, KEEP_AT);
    x86_store8(x, RAX, RCX, 0);
    x86_jmp(x, to);
}

/* It is stored, then ANDed with the operand (HOW_AND) or ORed, when nothing but what interruptions are enabled
   changes. */
void template_store_mask(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const uint8_t i = (uint8_t)t->op->i, off = how & HOW_AND ? (uint8_t)~i : 0;
    struct aside *enables = NULL;
    spare_watched(t);
    operand_address(t, how);
    probe_emit(t, 1, true);
    x86_load(x, false, RDX, CPU, PSW_WORD_AT);
    x86_shift_i(x, false, SHIFT_SHR, RDX, 24);
    if (how & HOW_AND && off & ~SYSTEM_MASK_QUIET) {
        x86_test_i(x, false, RDX, off & ~SYSTEM_MASK_QUIET);
        exit_if(t, IF_NE);
    } else if (!(how & HOW_AND) && i) { /* are they ones? */
        x86_mov(x, false, RCX, RDX);
        x86_alu_i(x, false, ALU_AND, RCX, i);
        x86_alu_i(x, false, ALU_CMP, RCX, i);
        enables = aside_if(t, IF_NE, enable, how);
    }
    x86_store8(x, RDX, RAX, 0);
    if (off & SYSTEM_MASK_QUIET)
        x86_alu_mi(x, false, ALU_AND, CPU, PSW_WORD_AT, (int32_t) ~((off & SYSTEM_MASK_QUIET) << 24));
    x86_alu_mi(x, true, ALU_ADD, CPU, CPU_AT(taken.psw_loads), 1);
    if (enables)
        enables->to = x->at;
}

static void set_enables(struct translation *t, unsigned how, const uint8_t *to)
{
    (void)how;
    budget_emit(t);
    call_function(t, (code_function)(uintptr_t)block_set_mask);
    x86_test(&t->x, false, RAX, RAX);
    exit_if(t, IF_E);
    x86_jmp(&t->x, to);
}

void template_set_mask(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    struct aside *enables;
    spare_watched(t);
    x86_mov_i(x, RAX, CR0_SSM_SUPPRESSION);
    x86_test_m(x, true, RAX, CPU, CPU_AT(cr));
    exit_if(t, IF_NE);
    operand_address(t, how);
    probe_emit(t, 1, false);
    x86_movzx8_m(x, RAX, RAX, 0);
    x86_store(x, true, RAX, RSP, PASS_AT);
    x86_load(x, false, RDX, CPU, PSW_WORD_AT);
    x86_shift_i(x, false, SHIFT_SHR, RDX, 24);
    x86_alu(x, false, ALU_XOR, RDX, RAX);                          /* what changes */
    x86_alu_i(x, false, ALU_OR, RAX, ~(int32_t)SYSTEM_MASK_QUIET); /* ... may neither be one then nor another bit */
    x86_test(x, false, RDX, RAX);
    enables = aside_if(t, IF_NE, set_enables, how);
    x86_shift_i(x, false, SHIFT_SHL, RDX, 24);
    x86_alu_to_m(x, false, ALU_XOR, CPU, PSW_WORD_AT, RDX);
    x86_alu_mi(x, true, ALU_ADD, CPU, CPU_AT(taken.psw_loads), 1);
    enables->to = x->at;
}

/* ---- under mask ------------------------------------------------------------------------------------------------- */

/* RCX becomes the `n` bytes, at most three, that stand at R2 + D. */
static void fetch_few(struct translation *t, unsigned n)
{
    struct x86 *x = &t->x;
    address_emit(t, t->op->r2, 16, t->op->d);
    probe_emit(t, n, false);
    if (n == 1) {
        x86_movzx8_m(x, RCX, RAX, 0);
        return;
    }
    x86_movbe_load(x, X86_HALF, RCX, RAX, 0);
    x86_movzx16(x, RCX, RCX);
    if (n == 3) {
        x86_shift_i(x, false, SHIFT_SHL, RCX, 8);
        x86_movzx8_m(x, RDX, RAX, 2);
        x86_alu(x, false, ALU_OR, RCX, RDX);
    }
}

/* The mask is one of adjacent ones, see cpu/engine/decode.c: so many bytes, from bit number I on. */
void template_insert_mask(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned n = (unsigned)__builtin_popcount(t->insn.m3);
    if (n == 4) {
        template_load(t, STORAGE_WORD_L | HOW_WORD | HOW_TEST);
        return;
    }
    (void)how;
    fetch_few(t, n);
    x86_mov(x, false, RDX, RCX);
    x86_shift_i(x, false, SHIFT_SHL, RDX, (uint8_t)(32 - 8 * n));
    x86_movsxd(x, RDX, RDX);
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
    copy32(t, RAX, R1);
    x86_alu_i(x, false, ALU_AND, RAX, (int32_t) ~(UINT32_MAX >> (32 - 8 * n) << t->op->i));
    if (t->op->i)
        x86_shift_i(x, false, SHIFT_SHL, RCX, (uint8_t)t->op->i);
    x86_alu(x, false, ALU_OR, RAX, RCX);
    write32(t, R1, RAX);
}

void template_compare_mask(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const unsigned n = (unsigned)__builtin_popcount(t->insn.m3);
    if (n == 4) {
        template_compare(t, STORAGE_WORD_L | HOW_WORD | HOW_FOUR);
        return;
    }
    (void)how;
    fetch_few(t, n);
    copy32(t, RDX, R1);
    if (t->op->i)
        x86_shift_i(x, false, SHIFT_SHR, RDX, (uint8_t)t->op->i);
    x86_alu_i(x, false, ALU_AND, RDX, (int32_t)(UINT32_MAX >> (32 - 8 * n)));
    cc_set(t, value_host(RDX), value_host(RCX), NOWHERE);
}

/* LCBB: bytes up to a boundary, at most 16 */
void template_to_boundary(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const int32_t block = 64 << t->insn.m3;
    (void)how;
    address_emit(t, t->insn.b2 ? t->insn.b2 : 16, t->insn.x2 ? t->insn.x2 : 16, t->insn.d2);
    x86_alu_i(x, false, ALU_AND, RAX, block - 1);
    x86_mov_i(x, RCX, 16);
    x86_neg(x, false, RAX);
    x86_alu_i(x, false, ALU_ADD, RAX, block);
    x86_mov_i(x, RDX, 0);
    x86_alu(x, false, ALU_CMP, RAX, RCX);
    x86_cmov(x, false, IF_A, RAX, RCX);
    x86_setcc(x, IF_B, RDX);
    x86_rmx(x, 0, 0x8d, RDX, RDX, RDX, 1, 0);
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
    write32(t, R1, RAX);
}

/* ---- on condition ----------------------------------------------------------------------------------------------- */

/* LOAD and STORE (HOW_FOUR) ON CONDITION. The operand is looked for whether the condition is met or not: where it
   cannot be had at once the body decides. The condition code itself is known behind it, and RDX has it where the host's
   carry says that it is selected. */
void template_storage_on_condition(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const bool w = !(how & HOW_WORD), store = how & HOW_FOUR;
    unsigned bits = 0;
    for (unsigned cc = 0; cc < 4; cc++)
        bits |= (t->insn.m3 >> (3 - cc) & 1u) << cc;
    t->cc = without_hosts(t->cc);
    t->flags = false;
    address_emit(t, t->op->r2, 16, t->op->d);
    probe_emit(t, w ? 8 : 4, store);
    x86_store(x, true, RAX, RSP, KEEP_AT);
    const unsigned known = cc_known(t, t->op->kind);
    if (known != RDX)
        x86_mov(x, false, RDX, known);
    cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
    x86_mov_i(x, RCX, bits);
    x86_bt(x, false, RCX, RDX);
    x86_load(x, true, RAX, RSP, KEEP_AT);
    if (store) {
        x86_jcc(x, IF_AE, x->at);
        uint8_t *const over = x->at;
        x86_movbe_store(x, w ? X86_WIDE : 0, w ? read64(t, R1, RCX) : read32(t, R1, RCX), RAX, 0);
        if (!x->full)
            x86_patch(over, x->at);
        return;
    }
    x86_movbe_load(x, w ? X86_WIDE : 0, RCX, RAX, 0);
    if (w)
        copy64(t, RAX, R1);
    else
        copy32(t, RAX, R1);
    x86_cmov(x, w, IF_B, RAX, RCX);
    if (w)
        write64(t, R1, RAX);
    else
        write32(t, R1, RAX);
}

/* ---- several registers ------------------------------------------------------------------------------------------ */

void template_several(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    const bool word = how & HOW_WORD, store = how & HOW_FOUR;
    const unsigned length = word ? 4 : 8, count = t->op->m;
    const int32_t from = access_emit(t, t->op->r2, 16, t->op->d, length * count, store);
    for (unsigned i = 0; i < count; i++) {
        const unsigned gr = (R1 + i) & 15;
        const int32_t at = from + (int32_t)(length * i);
        if (store) {
            x86_movbe_store(x, !word, word ? read32(t, gr, RCX) : read64(t, gr, RCX), RAX, at);
        } else if (word) {
            x86_movbe_load(x, 0, RCX, RAX, at);
            write32(t, gr, RCX);
        } else {
            const unsigned to = host_in(t, gr) != NOWHERE ? host_in(t, gr) : RCX;
            x86_movbe_load(x, X86_WIDE, to, RAX, at);
            write64(t, gr, to);
        }
    }
}
