/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-time instrumentation. In cpu->owners code keeps what the predictor learns: which branch went to an entry last,
   and whether it was taken. One that is not taken only says so there. One that is taken was well behaved when it was
   the same branch, taken, to the same address; that is looked at, and noted. What is left to block_branch(): entries
   that ri/ has, branches that are always taken when another one had the entry, and addresses that have had branches of
   both kinds. */
#include "cpu/translate/emit/internal.h"

#define ENTRY_AT(op)  (CPU_AT(owners) + (int32_t)(BRANCH.entry * sizeof(uint32_t)))
#define TARGET_AT(op) (CPU_AT(owner_targets) + (int32_t)(BRANCH.entry * sizeof(uint64_t)))
#define NOTES_AT      CPU_AT(trace)
#define TARGETS_AT    (NOTES_AT + (int32_t)(CPU_TRACES * sizeof(uint64_t)))

_Static_assert(CPU_TRACES == 256, "the number of a note is the rightmost byte of their count");

bool collects(const struct translation *t) { return t->block->mode & MODE_RI; }

/* The branch has its entry from now on. */
static void own_entry(struct translation *t, struct op *op, bool taken)
{
    x86_store_i(&t->x, false, CPU, ENTRY_AT(op), (int32_t)(block_owner(t->cpu, op) + taken));
}

/* Jump when the branch of `op`, which is taken, does not own its entry, or was not taken last. */
static struct went *went_otherwise(struct translation *t, struct op *op)
{
    struct x86 *x = &t->x;
    struct went *w = &t->went[t->went_count++];
    x86_alu_mi(x, false, ALU_CMP, CPU, ENTRY_AT(op), (int32_t)(block_owner(t->cpu, op) + 1));
    x86_jcc(x, IF_NE, x->at);
    *w = (struct went){.from = x->at, .op = op};
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

void collect_loop(struct translation *t, struct op *op) { t->loop = op; }

/* What has been taken of the budget by the passes, in RAX, and a note in RDX. */
static void passes_note(struct translation *t, struct op *op)
{
    struct x86 *x = &t->x;
    const uint64_t charge = (uint64_t) - (int64_t)op->passed;
    const unsigned even = (unsigned)__builtin_ctzll(charge);
    uint64_t inverse = charge >> even;
    for (unsigned i = 0; i < 5; i++) /* of an odd number, modulo 2^64: right bits double from three */
        inverse *= 2 - (charge >> even) * inverse;
    x86_load(x, true, RCX, CPU, CPU_AT(traced));
    x86_alu_mi(x, true, ALU_ADD, CPU, CPU_AT(traced), 1);
    x86_movzx8(x, RCX, RCX);
    x86_rmx(x, X86_WIDE, 0x89, RDX, CPU, RCX, 3, NOTES_AT);
    x86_rmx(x, X86_WIDE, 0x89, RAX, CPU, RCX, 3, TARGETS_AT);
    x86_shift_i(x, true, SHIFT_SHR, RAX, (uint8_t)even);
    x86_mov_i(x, RCX, inverse);
    x86_imul(x, true, RAX, RCX);
    x86_alu_i(x, true, ALU_SUB, RAX, 1);
    x86_alu_to_m(x, true, ALU_ADD, CPU, CPU_AT(traced_again), RAX);
}

static void passes_taken(struct x86 *x)
{
    x86_load(x, true, RAX, CPU, CPU_AT(code_entered));
    x86_alu(x, true, ALU_SUB, RAX, LEFT);
}

void collect_passes(struct translation *t, bool one)
{
    struct x86 *x = &t->x;
    struct op *op = t->loop;
    uint8_t *none = NULL;
    if (!op)
        return;
    if (!one) {
        x86_alu_m(x, true, ALU_CMP, LEFT, CPU, CPU_AT(code_entered));
        x86_jcc(x, IF_E, x->at);
        none = x->at;
    }
    if (BRANCH.flags & RI_SITE_COLLECTED) {
        x86_mov_i(x, RDX, (uint64_t)(uintptr_t)op + BLOCK_PASSES);
        struct went *w = went_otherwise(t, op);
        w->noted = x->at;
        w->one = one;
        passes_taken(x);
        if (one)
            x86_alu_i(x, true, ALU_ADD, RAX, -op->passed);
        w->counted = x->at;
        passes_note(t, op);
        w->to = x->at;
    } else {
        own_entry(t, op, true);
    }
    if (none && !x->full)
        x86_patch(none, x->at);
}

void collect_taken(struct translation *t, struct op *op)
{
    struct x86 *x = &t->x;
    if (!collects(t))
        return;
    collect_passes(t, false);
    if (!(BRANCH.flags & RI_SITE_COLLECTED)) {
        own_entry(t, op, true);
        return;
    }
    struct went *w = went_otherwise(t, op);
    x86_mov_i(x, RAX, (uint64_t)(uintptr_t)op);
    w->noted = x->at;
    note_emit(x, false);
    w->to = x->at;
}

void collect_indirect(struct translation *t)
{
    struct x86 *x = &t->x;
    struct op *op = t->op;
    if (!collects(t))
        return;
    if (!(BRANCH.flags & RI_SITE_COLLECTED)) {
        own_entry(t, op, true);
        x86_store(x, true, RAX, CPU, TARGET_AT(op));
        return;
    }
    struct went *w = went_otherwise(t, op);
    x86_mov_i(x, RDX, 0);
    x86_alu_m(x, true, ALU_CMP, RAX, CPU, TARGET_AT(op));
    x86_setcc(x, IF_NE, RDX);
    x86_mov_i(x, RCX, (uint64_t)(uintptr_t)op);
    x86_alu(x, true, ALU_ADD, RCX, RDX);
    w->noted = x->at;
    x86_store(x, true, RAX, CPU, TARGET_AT(op));
    note_emit(x, true);
    w->to = x->at;
}

void collect_not_taken(struct translation *t)
{
    if (!collects(t))
        return;
    if (t->op == t->loop)
        collect_passes(t, false);
    own_entry(t, t->op, false);
}

void collect_not_taken_indirect(struct translation *t)
{
    struct op *op = t->op;
    own_entry(t, op, false);
    x86_store(&t->x, true, RAX, CPU, TARGET_AT(op));
}

void collect_routine_emit(struct x86 *x)
{
    static const uint8_t kept[] = {RSI, CPU, R8, R9, R10, LEFT};
    for (unsigned i = 0; i < sizeof kept; i++)
        x86_push(x, kept[i]);
    x86_mov(x, true, RSI, RAX);
    x86_mov_i(x, RAX, (uint64_t)(uintptr_t)block_branch);
    cpu_of_handler(x);
    x86_call_r(x, RAX);
    for (unsigned i = sizeof kept; i--;)
        x86_pop(x, kept[i]);
    x86_ret(x);
}

/* An entry that some branch owns becomes that of this one, which is not well behaved: it, or another one, was to go on
   elsewhere. (One that is always taken may be well behaved when it is new there, and so may one at whose address there
   was one of the other kind that went to the same place.) */
static void take_emit(struct translation *t, const struct went *w)
{
    struct x86 *x = &t->x;
    struct op *op = w->op;
    if (BRANCH.flags & RI_SITE_RELATIVE && BRANCH.flags & RI_SITE_ALWAYS)
        return;
    x86_alu_mi(x, false, ALU_CMP, CPU, ENTRY_AT(op), 0);
    x86_jcc(x, IF_E, x->at);
    uint8_t *const unowned = x->at;
    x86_alu8_mi(x, ALU_CMP, CPU, CPU_AT(owners_mixed) + BRANCH.entry, 0);
    x86_jcc(x, IF_NE, x->at);
    uint8_t *const mixed = x->at;
    own_entry(t, op, true);
    if (w->counted)
        x86_alu_i(x, true, ALU_ADD, RDX, BLOCK_ILL);
    else
        x86_mov_i(x, BRANCH.flags & RI_SITE_RELATIVE ? RAX : RCX, (uint64_t)(uintptr_t)op + BLOCK_ILL);
    x86_jmp(x, w->noted);
    if (!x->full) {
        x86_patch(unowned, x->at);
        x86_patch(mixed, x->at);
    }
}

/* The first pass was noted: the others, if there are any. */
static void others_emit(struct x86 *x, const struct went *w)
{
    passes_taken(x);
    if (!w->one)
        x86_alu_i(x, true, ALU_ADD, RAX, w->op->passed);
    x86_mov_i(x, RDX, (uint64_t)(uintptr_t)w->op + BLOCK_PASSES);
    x86_test(x, true, RAX, RAX);
    x86_jcc(x, IF_NE, w->counted);
}

void collect_emit(struct translation *t)
{
    struct x86 *x = &t->x;
    for (unsigned i = 0; i < t->went_count && !x->full; i++) {
        const struct went *w = &t->went[i];
        x86_patch(w->from, x->at);
        take_emit(t, w);
        x86_mov(x, true, RDX, RAX);
        x86_mov_i(x, RAX, (uint64_t)(uintptr_t)w->op + 1);
        x86_call(x, code_write(t->translator, t->translator->went));
        if (w->counted)
            others_emit(x, w);
        x86_jmp(x, w->to);
    }
}
