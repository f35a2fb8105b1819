/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge profiles: what handlers of branches note (cpu/engine/op_branch.c) code notes itself. When a look at it is due
   the run is left behind the branch. */
#include "cpu/translate/internal.h"
#include "cpu/state/edges.h"

#define OWN(t) ((uint64_t)(uintptr_t)(t)->op)

_Static_assert(sizeof(struct cpu_edge) == 1 << 5, "an entry of the ring is found by a shift");

static bool profiled(const struct translation *t) { return (t->block->mode & (MODE_EDGES | MODE_FAR)) == MODE_EDGES; }
static bool counted(const struct translation *t) { return t->block->mode & MODE_FAR; }

/* Branches of the block up to that of `op` have completed; it is the last of them that is carried out. */
static void count(struct x86 *x, const struct op *op)
{
    x86_alu_mi(x, true, ALU_SUB, CPU, CPU_AT(edge_word), BRANCH.entry);
}

/* The word into `word`, counted on; the address of its entry into `entry`. */
static void next_entry(struct x86 *x, unsigned word, unsigned entry)
{
    x86_load(x, true, word, CPU, CPU_AT(edge_word));
    x86_alu_i(x, true, ALU_SUB, word, (int32_t)(CPU_EDGE - 1));
    x86_store(x, true, word, CPU, CPU_AT(edge_word));
    x86_mov(x, true, entry, word);
    x86_shift_i(x, true, SHIFT_SHL, entry, 5);
    x86_alu_m(x, true, ALU_AND, entry, CPU, CPU_AT(edge_mask));
    x86_alu_m(x, true, ALU_ADD, entry, CPU, CPU_AT(edge_ring));
    x86_store(x, true, word, entry, (int32_t)offsetof(struct cpu_edge, word));
}

uint8_t *observe_taken(struct translation *t, const struct op *op)
{
    struct x86 *x = &t->x;
    if (counted(t) && BRANCH.entry) {
        count(x, op);
        x86_jcc(x, IF_S, x->at);
        return x->at;
    }
    if (!profiled(t) || op->run == op_fall)
        return NULL;
    next_entry(x, RAX, RCX);
    x86_mov_i(x, RDX, (uint64_t)(uintptr_t)op);
    x86_store(x, true, RDX, RCX, (int32_t)offsetof(struct cpu_edge, op));
    x86_test(x, true, RAX, RAX);
    x86_jcc(x, IF_S, x->at);
    return x->at;
}

void observe_indirect(struct translation *t)
{
    struct x86 *x = &t->x;
    if (!profiled(t))
        return;
    next_entry(x, RCX, RDX);
    x86_store(x, true, RAX, RDX, (int32_t)offsetof(struct cpu_edge, target));
    x86_mov_i(x, RCX, OWN(t));
    x86_store(x, true, RCX, RDX, (int32_t)offsetof(struct cpu_edge, op));
}

void observe_indirect_due(struct translation *t)
{
    if (counted(t))
        count(&t->x, t->op);
    else if (profiled(t))
        x86_alu_mi(&t->x, true, ALU_CMP, CPU, CPU_AT(edge_word), 0);
    else
        return;
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

void observe_emit(struct translation *t)
{
    for (unsigned i = 0; i < t->due_count && !t->x.full; i++)
        due(t, &t->dues[i]);
}
