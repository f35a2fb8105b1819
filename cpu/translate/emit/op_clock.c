/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: clocks, the breaking-event-address register, spaces. PoP chapters 4 and 10. */
#include "cpu/translate/emit/template.h"

/* RAX becomes the host address of the doubleword. */
static void doubleword(struct translation *t, unsigned how, bool store)
{
    operand_address(t, how);
    x86_test_i(&t->x, false, RAX, 7);
    exit_if(t, IF_NE);
    probe_emit(t, 8, store);
}

/* RAX becomes what the function returns, which is given RDX. */
static void ask(struct translation *t, code_function clock)
{
    budget_emit(t);
    x86_mov_i(&t->x, RAX, (uint64_t)(uintptr_t)t->op);
    x86_store(&t->x, true, RAX, RSP, PASS_AT);
    call_function(t, clock);
}

/* The CPU timer; with HOW_FOUR the TOD clock, extended with HOW_MORE. */
void template_store_clock(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    if (how & HOW_MORE) {
        operand_address(t, how);
        probe_emit(t, 16, true);
        x86_mov(x, true, RDX, RAX);
        ask(t, (code_function)(uintptr_t)block_tod_extended);
    } else {
        doubleword(t, how, true);
        x86_store(x, true, RAX, RSP, KEEP_AT);
        ask(t, (code_function)(uintptr_t)(how & HOW_FOUR ? block_tod : block_timer));
        x86_load(x, true, RCX, RSP, KEEP_AT);
        x86_movbe_store(x, X86_WIDE, RAX, RCX, 0);
    }
    if (how & HOW_FOUR)
        cc_set(t, value_constant(0), value_constant(0), NOWHERE);
}

void template_store_bear(struct translation *t, unsigned how)
{
    doubleword(t, how, true);
    x86_load(&t->x, true, RCX, CPU, CPU_AT(bear));
    x86_movbe_store(&t->x, X86_WIDE, RCX, RAX, 0);
}

static void load(struct translation *t, unsigned how, int32_t to)
{
    spare_watched(t);
    doubleword(t, how, false);
    x86_movbe_load(&t->x, X86_WIDE, RCX, RAX, 0);
    x86_store(&t->x, true, RCX, CPU, to);
}

void template_load_bear(struct translation *t, unsigned how) { load(t, how, CPU_AT(bear)); }

/* In the home-space mode neither the primary nor the secondary space is in use. */
void template_load_space(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    x86_load(x, false, RAX, CPU, PSW_WORD_AT);
    x86_alu_i(x, false, ALU_AND, RAX, (int32_t)(BLOCK_HOME >> 32));
    x86_alu_i(x, false, ALU_CMP, RAX, (int32_t)(BLOCK_HOME >> 32));
    exit_if(t, IF_NE);
    load(t, how, CPU_AT(cr) + 8 * t->op->r1);
}
