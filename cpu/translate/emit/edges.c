/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From block to block: edges, which lead to one block each and are linked with it when it has code, and branches whose
   target is in a register. */
#include "cpu/translate/emit/internal.h"

#define NEED(block) ((int32_t)(block)->need)
/* Programs that have code in common take turns, and each is found under a key of its own. To link an edge anew costs as
   much as some hundred looks into the table of jumps: code is written, and the host decodes it again. */
#define PATIENCE 1024
#define LOOKED   (PATIENCE / 4) /* what a look costs that had to be made here */

/* Is there a block at that address that does not look at the condition code? When another one takes its place, the edge
   is not linked to that. */
static bool dead_at(const struct translation *t, uint64_t target)
{
    const struct block *to = t->cpu->jumps[jump_slot(target)];
    if (target == t->block->ia)
        return t->block->cc_dead;
    return to->ia == target && to->need != BLOCK_NEVER && to->cc_dead;
}

static void store_bear(struct translation *t, unsigned scratch, uint64_t bear)
{
    if (bear <= INT32_MAX) {
        x86_store_i(&t->x, true, CPU, CPU_AT(bear), (int32_t)bear);
        return;
    }
    x86_mov_i(&t->x, scratch, bear);
    x86_store(&t->x, true, scratch, CPU, CPU_AT(bear));
}

/* A loop of one block whose only branch to itself is always the latest but in its first pass does not note that in each
   one. It keeps the budget that it was entered with: with another one, it has branched. */
void bear_store(struct translation *t)
{
    struct x86 *x = &t->x;
    if (!t->bear)
        return;
    x86_alu_m(x, true, ALU_CMP, LEFT, CPU, CPU_AT(code_entered));
    x86_jcc(x, IF_E, x->at);
    uint8_t *const first = x->at;
    store_bear(t, RAX, t->bear);
    if (!x->full)
        x86_patch(first, x->at);
}

/* Is it that branch? */
static bool to_itself(const struct translation *t, struct op *op)
{
    return t->bear && !falls(op) && BRANCH.own == t->bear;
}

static bool in_other_page(const struct block *from, uint64_t target) { return (from->ia ^ target) & PAGE_ADDRESS; }

/* The branch of `op` in the current block. */
static void emit_edge(struct translation *t, struct op *op, const struct cc *cc)
{
    struct edge *edge = &t->edges[t->edge_count];
    if (t->apart) { /* an operation has one */
        t->differs = true;
        return;
    }
    const uint32_t split = t->split;
    const bool stays = split & VECTORS && BRANCH.target == t->block->ia;
    if (!stays)
        vectors_store(t);
    edge->light = dead_at(t, BRANCH.target);
    t->edge_cc[t->edge_count++] = *cc;
    if (!edge->light)
        cc_store(t, cc, op->after);
    if (falls(op))
        bear_store(t);
    else if (!to_itself(t, op) || t->split != t->block->narrow)
        store_bear(t, RAX, BRANCH.own);
    edge->due = observe_taken(t, op);
    edge->loop = collects(t) && to_itself(t, op) && t->split == t->block->narrow;
    if (edge->loop)
        collect_loop(t, op);
    else if (!falls(op))
        collect_taken(t, op);
    edge->site = t->x.at;
    BRANCH.edge = edge;
    for (unsigned i = in_other_page(t->block, BRANCH.target) ? EDGE_OTHER : EDGE_NEAR; i; i--)
        x86_bytes(&t->x, 0xcc, 1);
    edge->correct = (uint8_t *)op; /* until the stub is there */
    edge->split = t->split & (stays ? UINT32_MAX : ~VECTORS);
    t->split = split;
}

void edge_emit(struct translation *t, const struct cc *cc) { emit_edge(t, t->op, cc); }

/* Where the branch is made a second time it goes on as the first time. */
static void far_too(struct translation *t, uint8_t *const from[2])
{
    unsigned i = 0, n = 0;
    while (i < t->far_count && t->far[i].op != t->op)
        i++;
    struct far_edge *far = &t->far[i];
    while (i < t->far_count && n < 2 && far->from[n])
        n++;
    if (n == 0 || far->split != t->split || memcmp(&far->vectors, &t->vectors, sizeof t->vectors) != 0) {
        t->differs = true;
        return;
    }
    far->from[n] = from[0];
    far->from[n + 1] = from[1];
}

void edge_far(struct translation *t, uint8_t *const from[2])
{
    if (t->apart) {
        far_too(t, from);
        return;
    }
    t->far[t->far_count++] =
        (struct far_edge){{from[0], from[1], NULL, NULL}, t->op, without_hosts(t->cc), t->split, t->vectors};
}

static void write_unlinked(struct edge *edge)
{
    struct x86 x = {.at = edge->site, .end = edge->site + EDGE_NEAR};
    x86_jmp(&x, edge->stub);
}

/* The edge, in RAX, is linked under another key: is the same block to be entered under this one? Then the flags say
   equal. All registers but RAX stay. */
void edge_other_emit(struct x86 *x)
{
    x86_push(x, RCX);
    x86_load(x, true, RCX, CPU, CPU_AT(jumps));
    x86_alu_m(x, true, ALU_ADD, RCX, RAX, (int32_t)offsetof(struct edge, jump));
    x86_load(x, true, RCX, RCX, 0);
    x86_alu_m(x, true, ALU_CMP, RCX, RAX, (int32_t)offsetof(struct edge, to));
    x86_jcc(x, IF_NE, x->at);
    uint8_t *const not_there = x->at;
    x86_alu_mi(x, false, ALU_SUB, RAX, (int32_t)offsetof(struct edge, patience), 1);
    x86_jcc(x, IF_S, x->at);
    uint8_t *const impatient = x->at;
    x86_alu(x, false, ALU_CMP, RAX, RAX);
    if (!x->full) {
        x86_patch(not_there, x->at);
        x86_patch(impatient, x->at);
    }
    x86_pop(x, RCX);
    x86_ret(x);
}

static void emit_other(struct translation *t, struct edge *edge, uint64_t target)
{
    edge->jump = jump_slot(target) * sizeof(struct block *);
    edge->other = t->x.at;
    x86_mov_i(&t->x, RAX, (uint64_t)(uintptr_t)edge);
    x86_call(&t->x, code_write(t->translator, t->translator->other));
    x86_jcc(&t->x, IF_E, t->x.at); /* to where the edge goes on, once it is linked */
    edge->back = t->x.at;
    x86_jmp(&t->x, edge->stub);
}

static void emit_stub(struct translation *t, struct edge *edge)
{
    struct op *op = (struct op *)(void *)edge->correct;
    t->split = edge->split;
    if (t->split & VECTORS)
        t->vectors = t->loop_vectors;
    else
        vectors_forget(t);
    if (t->split) {
        edge->whole = t->x.at;
        vectors_store(t);
        make_whole(t);
        x86_jmp(&t->x, t->x.at);
        t->split = edge->split;
    }
    edge->correct = t->x.at;
    x86_alu_i4(&t->x, true, ALU_ADD, LEFT, 0);
    observe_refill(t, edge->site);
    edge->stub = t->x.at;
    if (edge->due && !t->x.full)
        x86_patch(edge->due, t->x.at);
    if (to_itself(t, op))
        store_bear(t, RAX, BRANCH.own);
    vectors_store(t);
    if (edge->loop)
        collect_passes(t, true);
    make_whole(t);
    if (edge->light)
        cc_store(t, &t->edge_cc[edge - t->edges], op->after);
    x86_alu_i4(&t->x, true, ALU_ADD, LEFT, NEED(t->block) + op->passed);
    x86_mov_i(&t->x, RAX, (uint64_t)(uintptr_t)op);
    x86_jmp(&t->x, code_write(t->translator, t->translator->find));
    if (in_other_page(t->block, BRANCH.target))
        emit_other(t, edge, BRANCH.target);
    if (!t->x.full)
        write_unlinked(edge);
}

/* What stands behind the rest: first edges, later what they need. */
void edges_emit_far(struct translation *t)
{
    for (unsigned i = 0; i < t->far_count; i++) {
        const struct far_edge *far = &t->far[i];
        for (unsigned n = 0; n < 4 && far->from[n] && !t->x.full; n++)
            x86_patch(far->from[n], t->x.at);
        t->split = far->split;
        t->vectors = far->vectors;
        emit_edge(t, far->op, &far->cc);
    }
}

void edges_emit_stubs(struct translation *t)
{
    for (unsigned i = 0; i < t->edge_count && !t->x.full; i++)
        emit_stub(t, &t->edges[i]);
}

/* Where the target goes on when registers are as they are at the edge. */
static uint8_t *place_in(const struct translator *r, const struct edge *edge, const struct block *from,
                         const struct block *to)
{
    if (to == from && edge->split == to->narrow)
        return (uint8_t *)(uintptr_t)code_write(r, to->again);
    if (edge->split == to->narrow && layout_shared(to->narrow))
        return (uint8_t *)(uintptr_t)code_write(r, to->body);
    uint8_t *code = (uint8_t *)(uintptr_t)code_write(r, to->code);
    if (!edge->split)
        return code;
    x86_patch(edge->correct, code); /* it stands behind that jump */
    return edge->whole;
}

/* Linked, the budget is charged with what was done and compared with what the target needs in one step. */
static void link_edge(const struct translator *r, struct edge *edge, const struct cpu *cpu, struct op *op,
                      struct block *to)
{
    const struct block *from = block_of(op);
    const int32_t charge = NEED(to) - NEED(from) - op->passed;
    const bool other = in_other_page(from, to->ia);
    struct x86 x = {.at = edge->site, .end = edge->site + (other ? EDGE_OTHER : EDGE_NEAR)};
    if (other) { /* another page: in this mode and fetch context, or where it is the same block */
        x86_mov_i(&x, RAX, cpu->block_key);
        x86_rm(&x, X86_WIDE, 0x39, RAX, CPU, CPU_AT(block_key));
        x86_jcc(&x, IF_NE, edge->other);
        x86_patch(edge->back, x.at);
        edge->patience = PATIENCE;
    }
    x86_alu_i4(&x, true, ALU_SUB, LEFT, charge);
    x86_jcc(&x, IF_GE, place_in(r, edge, from, to));
    x86_jmp(&x, edge->correct);
    memcpy(edge->correct + 3, &charge, 4);
    edge->to = to;
    edge->key = cpu->block_key;
    edge->next = to->edges;
    edge->place = &to->edges;
    if (edge->next)
        edge->next->place = &edge->next;
    to->edges = edge;
}

/* May the edge be linked with that block? */
static bool fits(const struct translator *r, const struct edge *edge, const struct block *from, const struct block *to)
{
    return to->code != r->hooks.outside && (to->cc_dead || !edge->light) && (!edge->loop || to == from);
}

void edge_link_now(struct translation *t, struct op *op)
{
    struct translator *r = t->translator;
    struct edge *edge = BRANCH.edge;
    struct block *to = t->cpu->jumps[jump_slot(BRANCH.target)];
    if (!edge || edge - t->edges >= (ptrdiff_t)t->edge_count || to->ia != BRANCH.target || to->need == BLOCK_NEVER ||
        !fits(r, edge, t->block, to))
        return;
    link_edge(r, edge, t->cpu, op, to);
    r->stats.links++;
}

void edges_unlink(const struct translator *r, struct block *block)
{
    (void)r;
    for (struct edge *edge = block->edges; edge; edge = edge->next) {
        write_unlinked(edge);
        edge->to = NULL;
    }
    block->edges = NULL;
}

/* Linked with that block under some key: is this one to take its place? */
static bool is_to_move(struct edge *edge, uint64_t key)
{
    if (edge->key == key)
        return false;
    edge->patience -= LOOKED;
    return edge->patience < 0;
}

/* The target of the branch of `op`, which is taken: where the run goes on, or NULL. */
static __attribute__((noinline)) struct op *follow(struct cpu *cpu, struct op *op)
{
    struct block_cache *cache = cache_of(cpu);
    struct edge *edge = BRANCH.edge;
    cpu->psw.ia = BRANCH.target;
    struct block *to = block_may_enter(cpu) ? block_lookup(cpu, BRANCH.target) : NULL;
    if (!to)
        return NULL;
    struct translator *r = translator_in(cache);
    if (fits(r, edge, block_of(op), to) && (edge->to != to || is_to_move(edge, cpu->block_key))) {
        if (edge->to) { /* linked under another key */
            *edge->place = edge->next;
            if (edge->next)
                edge->next->place = edge->place;
        }
        link_edge(r, edge, cpu, op, to);
        r->stats.links++;
    }
    return block_whole(cpu, to);
}

HANDLER(op_edge)
{
    op = follow(cpu, op);
    if (UNLIKELY(!op))
        TAIL op_turn(ARGS);
    GO();
}

void indirect_emit(struct translation *t)
{
    struct x86 *x = &t->x;
    vectors_store(t);
    store_bear(t, RCX, ((struct op_branch *)(void *)(t->op + 1))->own);
    observe_indirect(t);
    collect_indirect(t);
    x86_mov(x, false, RCX, RAX);
    x86_shift_i(x, false, SHIFT_SHR, RCX, 1);
    x86_alu_i(x, false, ALU_AND, RCX, JUMPS - 1);
    x86_load(x, true, RDX, CPU, CPU_AT(jumps));
    x86_rmx(x, X86_WIDE, 0x8b, RDX, RDX, RCX, 3, 0);
    x86_alu_i4(x, true, ALU_ADD, LEFT, NEED(t->block) + t->op->passed);
    observe_indirect_due(t);
    x86_alu_m(x, true, ALU_CMP, RAX, RDX, (int32_t)offsetof(struct block, ia));
    x86_jcc(x, IF_NE, code_write(t->translator, t->translator->find_at));
    x86_alu_m(x, true, ALU_SUB, LEFT, RDX, (int32_t)offsetof(struct block, need));
    x86_jcc(x, IF_L, code_write(t->translator, t->translator->find_short));
    x86_jmp_m(x, RDX, (int32_t)offsetof(struct block, code));
}
