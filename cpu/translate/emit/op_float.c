/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: loads, stores and moves of floating-point registers. PoP chapters 9 and 20. */
#include "cpu/translate/emit/template.h"

#define R1 (t->op->r1)
#define R2 (t->op->r2)
/* A floating-point register, and its leftmost word */
#define FPR_AT(n)   (CPU_AT(vr) + (int32_t)(sizeof(struct vector_register) * (n) + offsetof(struct vector_register, hi)))
#define SHORT_AT(n) (FPR_AT(n) + 4)

/* Short with HOW_WORD */
void template_float_load(struct translation *t, unsigned how)
{
    const struct operand from = second_operand(t, how);
    x86_store(&t->x, !(how & HOW_WORD), from.host, CPU, how & HOW_WORD ? SHORT_AT(R1) : FPR_AT(R1));
}

void template_float_store(struct translation *t, unsigned how)
{
    const bool word = how & HOW_WORD;
    const int32_t at = access_emit(t, R2, t->op->r3, t->op->d, word ? 4 : 8, true);
    x86_load(&t->x, !word, RCX, CPU, word ? SHORT_AT(R1) : FPR_AT(R1));
    x86_movbe_store(&t->x, word ? 0 : X86_WIDE, RCX, RAX, at);
}

void template_float_move(struct translation *t, unsigned how)
{
    const bool word = how & HOW_WORD;
    x86_load(&t->x, !word, RCX, CPU, word ? SHORT_AT(R2) : FPR_AT(R2));
    x86_store(&t->x, !word, RCX, CPU, word ? SHORT_AT(R1) : FPR_AT(R1));
}

void template_float_zero(struct translation *t, unsigned how)
{
    x86_store_i(&t->x, !(how & HOW_WORD), CPU, how & HOW_WORD ? SHORT_AT(R1) : FPR_AT(R1), 0);
}

/* Between general and floating-point registers */
void template_float_from_general(struct translation *t, unsigned how)
{
    (void)how;
    x86_store(&t->x, true, read64(t, R2, RCX), CPU, FPR_AT(R1));
}
void template_float_to_general(struct translation *t, unsigned how)
{
    (void)how;
    x86_load(&t->x, true, RCX, CPU, FPR_AT(R2));
    write64(t, R1, RCX);
}
