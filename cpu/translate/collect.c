/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-time instrumentation: what handlers of branches do for it (cpu/engine/op_branch.c) code does itself while the
   branch owns its entry of the predictor and goes where it went last: it looks whether that is so, and notes it when it
   is taken. Everything else is block_branch()'s. */
#include "cpu/translate/internal.h"

#define ENTRY_AT(op) (CPU_AT(owners) + (int32_t)(BRANCH.entry * sizeof(uint32_t)))
/* Of struct ri. */
#define LAST_AT(op, field)                                                                                             \
    ((int32_t)(offsetof(struct ri, predictor) + BRANCH.entry * sizeof(struct ri_prediction) +                          \
               offsetof(struct ri_prediction, field)))
#define NOTES_AT   CPU_AT(trace)
#define TARGETS_AT (NOTES_AT + (int32_t)(CPU_TRACES * sizeof(uint64_t)))

_Static_assert(CPU_TRACES == 256, "the number of a note is the rightmost byte of their count");

bool collects(const struct translation *t) { return t->block->mode & MODE_RI; }

/* Jump when the branch of `op` does not own its entry, or went another way. */
static struct went *went_otherwise(struct translation *t, struct op *op, bool taken)
{
    struct x86 *x = &t->x;
    struct went *w = &t->went[t->went_count++];
    x86_alu_mi(x, false, ALU_CMP, CPU, ENTRY_AT(op), (int32_t)(block_owner(t->cpu, op) - !taken));
    x86_jcc(x, IF_NE, x->at);
    *w = (struct went){.from = x->at, .op = op, .taken = taken};
    return w;
}

/* The note in RAX (RCX, of an indirect branch to the address in RAX); the other one of RCX and RDX changes. */
static void note_emit(struct x86 *x, bool indirect)
{
    const unsigned note = indirect ? RCX : RAX, number = indirect ? RDX : RCX;
    x86_load(x, true, number, CPU, CPU_AT(traced));
    x86_alu_mi(x, true, ALU_ADD, CPU, CPU_AT(traced), 1);
    x86_movzx8(x, number, number);
    x86_rmx(x, X86_WIDE, 0x89, note, CPU, number, 3, NOTES_AT);
    if (indirect)
        x86_rmx(x, X86_WIDE, 0x89, RAX, CPU, number, 3, TARGETS_AT);
}

void collect_taken(struct translation *t, struct op *op)
{
    struct x86 *x = &t->x;
    if (!collects(t))
        return;
    struct went *w = went_otherwise(t, op, true);
    if (BRANCH.flags & RI_SITE_COLLECTED) {
        x86_mov_i(x, RAX, (uint64_t)(uintptr_t)op);
        w->noted = x->at;
        note_emit(x, false);
    }
    w->to = x->at;
    w->noted = w->noted ? w->noted : x->at;
}

void collect_indirect(struct translation *t)
{
    struct x86 *x = &t->x;
    struct op *op = t->op;
    if (!collects(t))
        return;
    struct went *w = went_otherwise(t, op, true);
    x86_load(x, true, RCX, CPU, CPU_AT(ri));
    x86_mov_i(x, RDX, 0);
    x86_alu_m(x, true, ALU_CMP, RAX, RCX, LAST_AT(op, target));
    x86_setcc(x, IF_NE, RDX);
    x86_store(x, true, RAX, RCX, LAST_AT(op, target));
    if (BRANCH.flags & RI_SITE_COLLECTED) {
        x86_mov_i(x, RCX, (uint64_t)(uintptr_t)op);
        x86_alu(x, true, ALU_ADD, RCX, RDX);
        w->noted = x->at;
        note_emit(x, true);
    }
    w->to = x->at;
    w->noted = w->noted ? w->noted : x->at;
}

void collect_not_taken(struct translation *t)
{
    if (!collects(t))
        return;
    struct went *w = went_otherwise(t, t->op, false);
    w->to = w->noted = t->x.at;
}

void collect_not_taken_indirect(struct translation *t)
{
    struct op *op = t->op;
    if (!collects(t))
        return;
    struct went *w = went_otherwise(t, op, false);
    x86_load(&t->x, true, RCX, CPU, CPU_AT(ri));
    x86_store(&t->x, true, RAX, RCX, LAST_AT(op, target));
    w->to = w->noted = t->x.at;
}

void collect_routine_emit(struct x86 *x)
{
    static const uint8_t kept[] = {RSI, CPU, R8, R9, R10, LEFT};
    for (unsigned i = 0; i < sizeof kept; i++)
        x86_push(x, kept[i]);
    x86_mov(x, true, RSI, RAX);
    x86_mov_i(x, RAX, (uint64_t)(uintptr_t)block_branch);
    x86_call_r(x, RAX);
    for (unsigned i = sizeof kept; i--;)
        x86_pop(x, kept[i]);
    x86_ret(x);
}

/* Was the branch, to the address in RAX, well behaved? One in RDX, or zero. RCX is the RI unit. The entry is another
   branch's: what the predictor says follows from the instruction. Or its own, from the other way or from another block
   that it is in, too. */
static void behaviour_emit(struct translation *t, struct op *op)
{
    struct x86 *x = &t->x;
    x86_mov_i(x, RDX, BRANCH.own);
    x86_alu_m(x, true, ALU_XOR, RDX, RCX, LAST_AT(op, tag));
    x86_alu_i(x, true, ALU_CMP, RDX, 1);
    x86_jcc(x, IF_A, x->at);
    uint8_t *const others = x->at;
    x86_alu_m(x, true, ALU_CMP, RAX, RCX, LAST_AT(op, target));
    x86_jcc(x, IF_E, x->at);
    uint8_t *const same = x->at;
    x86_mov_i(x, RDX, 0);
    x86_jmp(x, x->at);
    uint8_t *const elsewhere = x->at;
    if (!x->full)
        x86_patch(others, x->at);
    x86_mov_i(x, RDX, BRANCH.flags & RI_SITE_RELATIVE && BRANCH.flags & RI_SITE_ALWAYS);
    if (!x->full) {
        x86_patch(same, x->at);
        x86_patch(elsewhere, x->at);
    }
}

/* An entry that some branch owns becomes that of this one, which went as it says. An indirect one goes to the address
   in RAX. */
static void take_emit(struct translation *t, const struct went *w)
{
    struct x86 *x = &t->x;
    struct op *op = w->op;
    const bool relative = BRANCH.flags & RI_SITE_RELATIVE;
    const unsigned note = relative ? RAX : RCX;
    const uint64_t tag = BRANCH.own | w->taken;
    x86_alu_mi(x, false, ALU_CMP, CPU, ENTRY_AT(op), 0);
    x86_jcc(x, IF_E, x->at);
    uint8_t *const unowned = x->at;
    x86_load(x, true, RCX, CPU, CPU_AT(ri));
    if (relative)
        x86_mov_i(x, RAX, BRANCH.target);
    if (w->taken)
        behaviour_emit(t, op);
    x86_store(x, true, RAX, RCX, LAST_AT(op, target));
    x86_store_i(x, false, RCX, LAST_AT(op, tag), (int32_t)tag);
    x86_store_i(x, false, RCX, LAST_AT(op, tag) + 4, (int32_t)(tag >> 32));
    x86_store_i(x, false, CPU, ENTRY_AT(op), (int32_t)(block_owner(t->cpu, op) - !w->taken));
    if (w->taken) {
        x86_mov_i(x, note, (uint64_t)(uintptr_t)op + 1);
        x86_alu(x, true, ALU_SUB, note, RDX);
    }
    x86_jmp(x, w->noted);
    if (!x->full)
        x86_patch(unowned, x->at);
}

void collect_emit(struct translation *t)
{
    struct x86 *x = &t->x;
    for (unsigned i = 0; i < t->went_count && !x->full; i++) {
        const struct went *w = &t->went[i];
        x86_patch(w->from, x->at);
        take_emit(t, w);
        x86_mov(x, true, RDX, RAX);
        x86_mov_i(x, RAX, (uint64_t)(uintptr_t)w->op + w->taken);
        x86_call(x, code_write(t->translator, t->translator->went));
        x86_jmp(x, w->to);
    }
}
