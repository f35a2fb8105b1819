/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge profiles: what handlers of branches note (cpu/engine/op_branch.c) code notes itself. When a look at it is due
   code is left behind the branch, to op_turn. */
#include "cpu/translate/emit/internal.h"
#include "cpu/state/edges.h"

_Static_assert(sizeof(struct ep_noted) == 1 << 5, "an entry of the ring is found by a shift");

/* A stretch of fewer units is not begun: few branches are left until those that are noted. */
#define STRETCH_LEAST 40
_Static_assert((CPU_FAR_WEIGHT + 1) * CPU_EDGES_FAR > STRETCH_LEAST &&
                   (CPU_FAR_WEIGHT + 1) * CPU_EDGES_FAR > BLOCK_INSTRUCTIONS,
               "where code or handlers leave off counting what was counted is told");
/* A value that no budget has in code: with no bits of branches, where CPU_FAR_ZERO are at least. */
#define NO_BUDGET (INT32_MIN)
_Static_assert(INT32_MIN % CPU_UNIT == 0, "all bits of branches and cycles are zeros");

static bool profiled(const struct translation *t) { return (t->block->mode & (MODE_EDGES | MODE_FAR)) == MODE_EDGES; }

/* Notes the branch of the operation in RDX to the address in RAX. The flags say whether a look is due: negative. RCX
   and RDX are lost. Code that notes is seldom in the host's cache when it is carried out: so much of it as can be is
   here. */
void observe_note_emit(struct x86 *x)
{
    x86_load(x, true, RCX, CPU, CPU_AT(edge_word));
    x86_alu_i(x, true, ALU_SUB, RCX, (int32_t)(CPU_EDGE - 1));
    x86_store(x, true, RCX, CPU, CPU_AT(edge_word));
    x86_shift_i(x, true, SHIFT_SHL, RCX, 5);
    x86_alu_m(x, true, ALU_AND, RCX, CPU, CPU_AT(edge_mask));
    x86_alu_m(x, true, ALU_ADD, RCX, CPU, CPU_AT(edge_ring));
    x86_store(x, true, RDX, RCX, (int32_t)offsetof(struct ep_noted, branch));
    x86_store(x, true, RAX, RCX, (int32_t)offsetof(struct ep_noted, to));
    x86_load(x, true, RDX, CPU, CPU_AT(edge_word));
    x86_store(x, true, RDX, RCX, (int32_t)offsetof(struct ep_noted, word));
    x86_test(x, true, RDX, RDX);
    x86_ret(x);
}

static void note(struct translation *t, const struct op *op)
{
    x86_mov_i(&t->x, RDX, (uint64_t)(uintptr_t)op);
    x86_call(&t->x, code_write(t->translator, t->translator->note));
}

uint8_t *observe_taken(struct translation *t, const struct op *op)
{
    struct x86 *x = &t->x;
    if (!profiled(t) || op->run == op_fall)
        return NULL;
    x86_mov_i(x, RAX, BRANCH.target);
    note(t, op);
    x86_jcc(x, IF_S, x->at);
    return x->at;
}

void observe_indirect(struct translation *t)
{
    if (profiled(t))
        note(t, t->op);
}

void observe_indirect_due(struct translation *t)
{
    if (!profiled(t))
        return;
    x86_alu_mi(&t->x, true, ALU_CMP, CPU, CPU_AT(edge_word), 0);
    x86_jcc(&t->x, IF_S, code_write(t->translator, t->translator->due_at));
}

void observe_not_taken(struct translation *t)
{
    if (!profiled(t))
        return;
    x86_alu_mi(&t->x, true, ALU_SUB, CPU, CPU_AT(edge_word), (int32_t)CPU_EDGE);
    x86_jcc(&t->x, IF_S, t->x.at);
    t->dues[t->due_count] = (struct exit){t->x.at, t->op, t->cc, t->split, t->vectors};
    t->dues[t->due_count].cc.a.host = t->dues[t->due_count].cc.b.host = NOWHERE;
    t->due_count++;
}

/* Behind a branch that was not taken. */
static void due(struct translation *t, const struct exit *e)
{
    x86_patch(e->from, t->x.at);
    place_note(t, e->op);
    t->split = e->split;
    t->vectors = e->vectors;
    vectors_store(t);
    make_whole(t);
    cc_store(t, &e->cc, e->op->after);
    x86_alu_i4(&t->x, true, ALU_ADD, LEFT, (int32_t)t->block->need);
    x86_mov_i(&t->x, RAX, (uint64_t)(uintptr_t)e->op);
    x86_jmp(&t->x, code_write(t->translator, t->translator->due));
}

/* The budget of a stretch of RCX units, less RAX; a loop that keeps the budget it was entered with has branched. */
static void emit_stretch_of(struct x86 *x)
{
    x86_mov(x, true, LEFT, RCX);
    x86_shift_i(x, true, SHIFT_SHL, LEFT, CPU_UNIT_BITS);
    x86_alu(x, true, ALU_SUB, LEFT, RAX);
    x86_alu_i(x, true, ALU_ADD, LEFT, (int32_t)(CPU_FAR_ZERO * CPU_FAR));
    x86_store_i(x, true, CPU, CPU_AT(code_entered), NO_BUDGET);
}

/* cpu_edges_stretch(), where blocks are left that the budget does not suffice for. LEFT is the budget less RAX. The
   flags say whether the next one is worth it: not less. RAX is lost. */
void observe_stretch_emit(struct x86 *x)
{
    x86_push(x, RCX);
    x86_push(x, RDX);
    x86_alu(x, true, ALU_ADD, LEFT, RAX);
    x86_mov(x, true, RCX, LEFT);
    x86_shift_i(x, true, SHIFT_SHR, RCX, CPU_FAR_BITS);
    x86_alu_i(x, false, ALU_AND, RCX, (int32_t)(CPU_UNIT / CPU_FAR - 1));
    x86_alu_i(x, true, ALU_SUB, RCX, CPU_FAR_ZERO);
    x86_alu_to_m(x, true, ALU_SUB, CPU, CPU_AT(edge_word), RCX);
    x86_mov(x, true, RDX, LEFT);
    x86_alu_i(x, false, ALU_AND, RDX, (int32_t)CPU_FAR - 1);
    x86_alu_to_m(x, true, ALU_ADD, CPU, CPU_AT(cycles), RDX);
    x86_shift_i(x, true, SHIFT_SAR, LEFT, CPU_UNIT_BITS);
    x86_shift_i(x, true, SHIFT_SHL, RCX, 2);
    x86_alu(x, true, ALU_ADD, LEFT, RCX); /* units left of the stretch */
    x86_alu(x, true, ALU_OR, RDX, RCX);

    /* most of them are followed by one that is as long as can be */
    x86_mov_i(x, RCX, CPU_FAR_MOST);
    x86_alu(x, true, ALU_SUB, RCX, LEFT);
    x86_alu_mi(x, true, ALU_CMP, CPU, CPU_AT(edge_word), CPU_FAR_MOST / (CPU_FAR_WEIGHT + 1) + 1);
    x86_jcc(x, IF_L, x->at);
    uint8_t *const near = x->at;
    x86_alu_m(x, true, ALU_CMP, RCX, CPU, CPU_AT(far_held));
    x86_jcc(x, IF_G, x->at);
    uint8_t *const ends = x->at;
    x86_alu_to_m(x, true, ALU_SUB, CPU, CPU_AT(far_held), RCX);
    x86_alu_to_m(x, true, ALU_ADD, CPU, CPU_AT(budget_start), RCX);
    x86_mov_i(x, RCX, CPU_FAR_MOST);
    emit_stretch_of(x);
    x86_test(x, true, RCX, RCX);
    x86_pop(x, RDX);
    x86_pop(x, RCX);
    x86_ret(x);

    if (!x->full) {
        x86_patch(near, x->at);
        x86_patch(ends, x->at);
    }
    x86_alu_to_m(x, true, ALU_SUB, CPU, CPU_AT(budget_start), LEFT);
    x86_alu_m(x, true, ALU_ADD, LEFT, CPU, CPU_AT(far_held)); /* of the run */
    x86_load(x, true, RCX, CPU, CPU_AT(edge_word));
    x86_imul_i(x, true, RCX, RCX, CPU_FAR_WEIGHT + 1);
    x86_alu(x, true, ALU_CMP, LEFT, RCX);
    x86_cmov(x, true, IF_L, RCX, LEFT);
    x86_test(x, true, RDX, RDX);
    x86_mov_i(x, RDX, 0);
    x86_cmov(x, true, IF_E, RCX, RDX); /* nothing was carried out since the latest one: it was not enough */
    x86_mov_i(x, RDX, CPU_FAR_MOST);
    x86_alu(x, true, ALU_CMP, RDX, RCX);
    x86_cmov(x, true, IF_L, RCX, RDX); /* of the next stretch */
    x86_alu(x, true, ALU_SUB, LEFT, RCX);
    x86_store(x, true, LEFT, CPU, CPU_AT(far_held));
    x86_alu_to_m(x, true, ALU_ADD, CPU, CPU_AT(budget_start), RCX);
    emit_stretch_of(x);
    x86_alu_i(x, true, ALU_CMP, RCX, STRETCH_LEAST);
    x86_pop(x, RDX);
    x86_pop(x, RCX);
    x86_ret(x);
}

void observe_refill(struct translation *t, const uint8_t *to)
{
    if (!(t->block->mode & MODE_FAR))
        return;
    x86_mov_i(&t->x, RAX, (uint64_t)t->block->need);
    x86_call(&t->x, code_write(t->translator, t->translator->stretch));
    x86_jcc(&t->x, IF_GE, to);
}

void observe_refill_at(struct x86 *x, const uint8_t *stretch)
{
    uint8_t *not_far, *other, *few;
    x86_alu_mi(x, true, ALU_CMP, CPU, CPU_AT(far), 0);
    x86_jcc(x, IF_E, x->at);
    not_far = x->at;
    x86_alu_m(x, true, ALU_CMP, RAX, RDX, (int32_t)offsetof(struct block, ia));
    x86_jcc(x, IF_NE, x->at);
    other = x->at;
    x86_push(x, RAX);
    x86_mov_i(x, RAX, 0);
    x86_call(x, stretch);
    x86_pop(x, RAX);
    x86_jcc(x, IF_L, x->at);
    few = x->at;
    x86_mov(x, true, RCX, LEFT);
    x86_alu_m(x, true, ALU_SUB, RCX, RDX, (int32_t)offsetof(struct block, need));
    x86_jcc(x, IF_L, x->at);
    uint8_t *const dropped = x->at;
    x86_mov(x, true, LEFT, RCX);
    x86_jmp_m(x, RDX, (int32_t)offsetof(struct block, code));
    if (x->full)
        return;
    x86_patch(not_far, x->at);
    x86_patch(other, x->at);
    x86_patch(few, x->at);
    x86_patch(dropped, x->at);
}

void observe_emit(struct translation *t)
{
    for (unsigned i = 0; i < t->due_count && !t->x.full; i++)
        due(t, &t->dues[i]);
}
