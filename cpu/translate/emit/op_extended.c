/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: extended binary floating point, by the functions of the block engine's handlers. PoP chapters 9, 19 and
   24. */
#include "cpu/translate/emit/template.h"

typedef uint64_t (*extended_function)(struct cpu *cpu, const struct op *op);

#define PAIR_AT(n, k)                                                                                                  \
    (CPU_AT(vr) + (int32_t)(sizeof(struct vector_register) * ((n) + (k)) + offsetof(struct vector_register, hi)))

static void perform(struct translation *t, code_function function)
{
    struct x86 *x = &t->x;
    x86_mov_i(x, RAX, (uint64_t)(uintptr_t)t->op);
    x86_store(x, true, RAX, RSP, PASS_AT);
    call_function(t, function);
}

/* How: enum extended_operation, HOW_TEST with condition code. */
void template_extended(struct translation *t, unsigned how)
{
#define FUNCTION(name) extended_##name,
    static const extended_function functions[] = {EXTENDED(FUNCTION)};
#undef FUNCTION
    struct x86 *x = &t->x;
    perform(t, (code_function)(uintptr_t)functions[how & HOW_OPERAND]);
    x86_test(x, false, RAX, RAX);
    exit_if(t, IF_E);
    if (how & HOW_TEST) {
        if (t->live)
            x86_lea(x, RDX, RAX, -1);
        cc_set(t, value_host(RDX), value_constant(0), NOWHERE);
    }
}

/* Words and, with FROM_R, doublewords to numbers */
void template_extended_from_integer(struct translation *t, unsigned how)
{
    if ((how & HOW_OPERAND) == FROM_WORD)
        copy32_signed(t, RDX, t->op->r2);
    else
        copy64(t, RDX, t->op->r2);
    perform(t, (code_function)(uintptr_t)extended_from_integer);
}

/* A pair of registers becomes another one; with HOW_XOR zero. */
void template_extended_move(struct translation *t, unsigned how)
{
    struct x86 *x = &t->x;
    for (unsigned k = 0; k <= 2; k += 2)
        if (how & HOW_XOR) {
            x86_store_i(x, true, CPU, PAIR_AT(t->op->r1, k), 0);
        } else {
            x86_load(x, true, RCX, CPU, PAIR_AT(t->op->r2, k));
            x86_store(x, true, RCX, CPU, PAIR_AT(t->op->r1, k));
        }
}
