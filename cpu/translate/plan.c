/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of the instructions of a block, before code is made of it. */
#include "cpu/engine/handlers.h"
#include "cpu/translate/plan.h"

/* Instructions of a block that is too short to be worth it when it goes to handlers and comes from there. */
#define ALONE 3u
/* So many instructions of a block say what becomes of the condition code that it is entered with. */
#define AHEAD 4u

/* The template of instruction `k`; NULL: it has none. */
static const struct template *template_of(struct block *block, unsigned k, struct dis_insn *insn)
{
    const struct op *crossing = block_crossing(block);
    struct op asked = *block_op(block, k);
    if (k == 0)
        asked.run = crossing ? crossing->run : block->first;
    if (crossing)
        *insn = *crossing->insn;
    else
        dis_decode(block->host + asked.offset, insn);
    if (asked.run == op_volatile) /* no more is known of it than of a target */
        insn->row = DIS_EX;
    return template_for(&asked, insn);
}

void plan_make(struct plan *p, struct block *block)
{
    p->count = block_count(block);
    p->good = p->calls = 0;
    p->edges = 1;
    p->crossing = block_crossing(block);
    for (unsigned k = 0; k < p->count; k++) {
        p->templates[k] = template_of(block, k, &p->insns[k]);
        if (p->templates[k]) {
            p->good++;
            p->edges += (p->templates[k]->flags & BRANCHES) != 0;
        } else {
            p->calls += k == 0 || p->templates[k - 1];
        }
    }
}

void plan_live(const struct plan *p, bool live[BLOCK_INSTRUCTIONS + 1])
{
    live[p->count] = true;
    for (unsigned k = p->count; k--;) {
        const struct template *template = p->templates[k];
        const unsigned flags = template ? template_flags(template, &p->insns[k]) : 0;
        live[k] = live[k + 1];
        if (!template || flags & (CC_READS | MAY_EXIT | BRANCHES))
            live[k] = true;
        else if (flags & CC_SETS)
            live[k] = false;
    }
    if (p->crossing)
        live[0] = true;
}

/* Is the condition code that the block is entered with looked at by nobody? What is seen at its beginning says so; the
   plan of the whole block, when it has one, may say more. */
static bool begins_dead(struct block *block)
{
    if (block_crossing(block))
        return false;
    for (unsigned k = 0, count = block_count(block); k < count && k < AHEAD; k++) {
        struct dis_insn insn;
        const struct template *template = template_of(block, k, &insn);
        const unsigned flags = template ? template_flags(template, &insn) : CC_READS;
        if (flags & (CC_READS | MAY_EXIT | BRANCHES))
            return false;
        if (flags & CC_SETS)
            return true;
    }
    return false;
}

static void look_ahead(const struct cpu *cpu, const struct op *op, const uint8_t *outside)
{
    struct block *to = cpu->jumps[jump_slot(BRANCH.target)];
    if (to->ia == BRANCH.target && to->need != BLOCK_NEVER && to->code == outside)
        to->cc_dead = begins_dead(to);
}

void plan_ahead(const struct plan *p, const struct cpu *cpu, struct block *block, const uint8_t *outside)
{
    for (unsigned k = 0; k < p->count; k++)
        if (p->templates[k] && p->templates[k]->flags & BRANCHES && dis_branch_relative(&p->insns[k]))
            look_ahead(cpu, block_op(block, k), outside);
    if (block->tail && falls(&block->ops[block->tail]))
        look_ahead(cpu, &block->ops[block->tail], outside);
}

/* Has the first instruction no template? What becomes of the block is not known yet. */
static bool begins_without(struct block *block)
{
    struct dis_insn insn;
    return !template_of(block, 0, &insn);
}

/* What is known of the block at the branch's target: it is the handlers', or (*other) it is not. */
static bool left_to_handlers(const struct cpu *cpu, const struct block *from, struct op *op, bool *other)
{
    const uint64_t target = BRANCH.target;
    struct block *to = cpu->jumps[jump_slot(target)];
    if (to->ia != target || to->need == BLOCK_NEVER)
        return false;
    const bool outside = to->code == cache_of((struct cpu *)(uintptr_t)cpu)->translator->outside;
    const bool theirs = to != from && outside && (to->heat == 0 || begins_without(to));
    *other |= !theirs;
    return theirs;
}

bool plan_alone(const struct plan *p, const struct cpu *cpu, struct block *block)
{
    bool some = false, other = p->good > ALONE;
    for (unsigned k = 0; k < p->count && !other; k++)
        if (p->templates[k] && p->templates[k]->flags & BRANCHES) {
            if (dis_branch_relative(&p->insns[k]))
                some |= left_to_handlers(cpu, block, block_op(block, k), &other);
            else
                other = true;
        }
    if (block->tail && falls(&block->ops[block->tail]) && !other)
        some |= left_to_handlers(cpu, block, &block->ops[block->tail], &other);
    return some && !other;
}

static bool fenced(const struct block *block, unsigned k, unsigned slot)
{
    return (k == 0 ? block->first : block->ops[slot].run) == op_fence;
}

/* Operations keep their order and move forward. Those that handlers are given have numbers to be mended: the first of
   each instruction, the one behind a fence, and the one behind the last instruction. */
void plan_give_up(const struct plan *p, struct block *block)
{
    uint8_t *slots = (uint8_t *)block + block->slots;
    unsigned to = 0;
    for (unsigned k = 0; k < p->count; k++) {
        const bool last = k + 1 == p->count;
        const unsigned from = slots[k], behind = from + 1u + fenced(block, k, slots[k]);
        const unsigned end = !last ? slots[k + 1] : block->tail ? block->tail : behind;
        const unsigned n = end - from - (!last && !p->templates[k]);
        memmove(&block->ops[to], &block->ops[from], n * sizeof(struct op));
        block->ops[to].slot = slots[k] = (uint8_t)to;
        if (fenced(block, k, to))
            block->ops[to + 1].slot = (uint8_t)(to + 1);
        to += n;
    }
    if (!block->tail)
        return;
    const unsigned n = falls(&block->ops[block->tail]) ? 2 : 1;
    memmove(&block->ops[to], &block->ops[block->tail], n * sizeof(struct op));
    block->ops[to].slot = block->tail = (uint8_t)to;
}

/* ---- places of registers ----------------------------------------------------------------------------------------- */

/* Templates whose code has no ways around what they do with registers: these may be halved. */
static bool straight(const struct template *template)
{
    static const template_function functions[] = {
        template_load,
        template_insert,
        template_address,
        template_nothing,
        template_sum,
        template_word_sum,
        template_compare,
        template_word_logical_sum,
        template_product,
        template_count,
        template_logic,
        template_logic_complement,
        template_shift,
        template_rotate_insert,
        template_rotate_logic,
        template_branch,
        template_compare_branch,
        template_branch_count,
        template_branch_index,
        template_store,
        template_several,
        template_store_immediate,
        template_logic_part,
        template_test_part,
        template_compare_immediate,
        template_test_immediate,
        template_logic_immediate,
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (template->function == functions[i])
            return true;
    return false;
}

#define LONG 24u /* instructions */

enum shape plan_shape(const struct plan *p, struct block *block, bool all, uint64_t *own)
{
    unsigned branches = 0;
    bool loop = false;
    *own = 0;
    for (unsigned k = 0; k < p->count; k++) {
        if (p->crossing || !p->templates[k] ||
            !(straight(p->templates[k]) || vectors_stay(p->templates[k], &p->insns[k])))
            return OTHER;
        const struct op *op = block_op(block, k);
        branches += k + 1 < p->count && p->templates[k]->flags & BRANCHES;
        if (p->templates[k]->flags & BRANCHES && dis_branch_relative(&p->insns[k]) && BRANCH.target == block->ia) {
            *own = loop ? 0 : BRANCH.own;
            loop = true;
        }
    }
    return loop ? LOOP : branches == 0 && (all || p->count >= LONG) ? STRAIGHT : OTHER;
}
