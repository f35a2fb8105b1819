/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One test of a page for what the instructions of a block access by the same base register, or base and index.

   The first of them asks for the page of all their bytes, and leaves the host address of the first byte on the stack,
   where the others find it. When these bytes are not in one page, or stores into them are not let through, code goes on
   in a second piece behind the rest (struct apart), where each of these instructions asks for its own; so nothing is
   left to a handler that would not be otherwise. The second piece has all instructions from the first that may go on
   there to the last that uses what was found, and then comes back. Where stores are let through fetches are. An entry
   of the context cannot change within a block but by handlers and functions that are called. */
#include "cpu/translate/plan.h"

#define SPAN 512 /* bytes at most: the longer, the oftener they are in two pages */

/* ---- what instructions do ---------------------------------------------------------------------------------------- */

#define IS_ONE_OF(function, ...)                                                                                       \
    is_one_of(function, (const template_function[]){__VA_ARGS__},                                                      \
              sizeof(const template_function[]){__VA_ARGS__} / sizeof(template_function))
static bool is_one_of(template_function function, const template_function *functions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (function == functions[i])
            return true;
    return false;
}

static unsigned one(struct access *a, const struct op *op, unsigned length, bool store)
{
    *a = access_of(op->r2, op->r3, op->d, length, store);
    return 1;
}

static unsigned two(struct access *a, const struct op *op, bool store)
{
    const uint16_t length = op->m + 1u;
    a[0] = access_of(op->r2, 16, op->i, length, false);
    a[1] = access_of(op->r1, 16, op->d, length, store);
    return 2;
}

/* Accesses of the instruction that may have a test in common with others; their number, two at most. What is not known
   here has a test of its own. */
static unsigned accesses(const struct template *template, const struct op *op, struct access *a)
{
    const template_function f = template->function;
    const unsigned how = template->how;
    if (how & HOW_RELATIVE)
        return 0;
    if (IS_ONE_OF(f, template_load, template_insert, template_sum, template_word_sum, template_word_logical_sum,
                  template_product, template_wide_product, template_logic, template_compare, template_compare_immediate,
                  template_test_immediate, template_float_load))
        return (how & HOW_OPERAND) < FROM_STORAGE ? 0 : one(a, op, operand_length(how), false);
    if (IS_ONE_OF(f, template_store, template_store_immediate))
        return one(a, op, how & 15, true);
    if (f == template_several)
        return one(a, op, (how & HOW_WORD ? 4u : 8u) * op->m, how & HOW_FOUR);
    if (f == template_logic_immediate)
        return one(a, op, 1, true);
    if (IS_ONE_OF(f, template_float_store, template_add_immediate))
        return one(a, op, how & HOW_WORD ? 4 : 8, true);
    if (IS_ONE_OF(f, template_vector_load, template_vector_store))
        return one(a, op, 16, f == template_vector_store);
    if (f == template_vector_several)
        return one(a, op, 16u * op->m, how & HOW_FOUR);
    if (IS_ONE_OF(f, template_swap, template_load_and)) {
        *a = access_of(op->r2, 16, op->d, how & HOW_WORD ? 4 : 8, true);
        return 1;
    }
    if (IS_ONE_OF(f, template_move, template_logic_storage))
        return two(a, op, true);
    return f == template_compare_storage ? two(a, op, false) : 0;
}

/* May the register change? When this says so although it does not, there are only more tests; when it does not and the
   register changes, that is seen when it does: shares_end(). */
static bool may_change(const struct template *template, const struct op *op, unsigned gr)
{
    if (template->flags & WRITES_SEVERAL)
        return ((gr - op->r1) & 15) < op->m;
    if (template->flags & WRITES_PAIR)
        return gr == op->r1 || gr == op->r1 + 1u;
    if (!(template->flags & (WRITES_R1 | CC_SETS | CC_SETS_BY_M5)) ||
        IS_ONE_OF(template->function, template_compare, template_compare_immediate, template_test_immediate,
                  template_test_part, template_logic_immediate, template_add_immediate, template_move,
                  template_logic_storage, template_compare_storage))
        return false;
    return gr == op->r1;
}

/* May one of the two that an address is made of change? */
static bool address_may_change(const struct template *template, const struct op *op, const struct share *s)
{
    return may_change(template, op, s->base) || may_change(template, op, s->index);
}

/* A forward branch that may be taken and may not: its edge stands behind the rest. */
static bool forward(const struct template *template, struct op *op, const struct dis_insn *insn)
{
    if (template->function == template_branch)
        return op->m != 15 && BRANCH.target > BRANCH.own;
    return template->function == template_compare_branch && (insn->m3 & 14) != 14 && BRANCH.target > BRANCH.own;
}

/* ---- the plan ---------------------------------------------------------------------------------------------------- */

/* A test by the access of instruction `k`, for those behind it, from its own next one on, up to instruction `end`;
   there is none when there are none. Where a store follows for sure stores are let through, else fetches alone. */
static struct share share_of(const struct plan *p, struct block *block, unsigned k, unsigned next, unsigned end)
{
    struct access a[2];
    accesses(p->templates[k], block_op(block, k), a);
    const struct access *first = &a[next - 1];
    bool more = false, sure = true;
    struct share s = {.low = (int32_t)first->d,
                      .high = (int32_t)first->d + first->length,
                      .base = first->base,
                      .index = first->index,
                      .store = first->store};
    for (unsigned n = k; n < end; n++, next = 0) {
        const struct op *op = block_op(block, n);
        struct access b[2];
        for (const unsigned count = accesses(p->templates[n], op, b); next < count; next++) {
            const int64_t low = b[next].d < s.low ? b[next].d : s.low, high = b[next].d + b[next].length;
            if (b[next].base != s.base || b[next].index != s.index || (b[next].store && !s.store && !sure) ||
                (high > s.high ? high : s.high) - low > SPAN)
                continue;
            s.store |= b[next].store;
            s.low = (int32_t)low;
            s.high = high > s.high ? (int32_t)high : s.high;
            s.last = (uint8_t)n;
            more = true;
        }
        if (address_may_change(p->templates[n], op, &s))
            break;
        sure &= !(p->templates[n]->flags & BRANCHES);
    }
    return more ? s : (struct share){0};
}

/* Instructions from `first` up to `end` have templates, and no branches that the second piece could not have. */
static void plan_run(struct translation *t, const struct plan *p, unsigned first, unsigned end)
{
    struct share here[SHARES] = {{0}};
    for (unsigned k = first; k < end; k++) {
        struct access a[2];
        const struct op *op = block_op(t->block, k);
        const unsigned count = accesses(p->templates[k], op, a);
        for (unsigned i = 0; i < count; i++) {
            unsigned slot = SHARES;
            bool known = false;
            for (unsigned n = 0; n < SHARES; n++) {
                known |= share_some(&here[n]) && share_within(&here[n], &a[i]);
                if (!share_some(&here[n]) || here[n].last < k)
                    slot = n;
            }
            if (known || slot == SHARES || share_some(&t->begins[k]) || p->templates[k]->flags & CC_READS)
                continue; /* what reads the condition code may find it in the host's flags */
            t->begins[k] = share_of(p, t->block, k, i + 1, end);
            t->begins[k].slot = (uint8_t)slot;
            here[slot] = t->begins[k];
        }
        for (unsigned n = 0; n < SHARES; n++)
            if (here[n].last <= k || address_may_change(p->templates[k], op, &here[n]))
                here[n] = (struct share){0};
    }
}

void shares_plan(struct translation *t, const struct plan *p)
{
    unsigned first = 0;
    for (unsigned k = 0; k <= p->count; k++) {
        const struct template *template = k < p->count ? p->templates[k] : NULL;
        if (template && template->function != template_execute &&
            (!(template->flags & BRANCHES) || forward(template, block_op(t->block, k), &p->insns[k])))
            continue;
        plan_run(t, p, first, k);
        first = k + 1;
    }
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

/* Code of the same instructions, each of which asks for its own page. */
static void apart_emit(struct translation *t, const struct plan *p, const struct apart *apart)
{
    standing_restore(t, &t->standing[apart->first]);
    for (unsigned k = apart->first; k <= apart->last && !t->x.full; k++) {
        template_at(t, p, k);
        if (k != apart->first)
            template_prepare(t, p->templates[k]);
        if (share_begins(t)) {
            t->differs |= !standing_holds(t, &t->standing[k]);
            t->apart_at[k] = t->x.at;
        }
        template_emit(t, p->templates[k]);
    }
    t->differs |= !standing_holds(t, &apart->behind);
    x86_jmp(&t->x, apart->join);
}

void aparts_emit(struct translation *t, const struct plan *p)
{
    /* How registers are used was counted already. */
    uint8_t uses[sizeof t->uses], word_writes[sizeof t->word_writes];
    const uint16_t doublewords = t->doublewords;
    memcpy(uses, t->uses, sizeof uses);
    memcpy(word_writes, t->word_writes, sizeof word_writes);
    t->apart = true;
    for (unsigned i = 0; i < t->apart_count && !t->x.full; i++)
        apart_emit(t, p, &t->aparts[i]);
    t->apart = false;
    t->doublewords = doublewords;
    memcpy(t->uses, uses, sizeof uses);
    memcpy(t->word_writes, word_writes, sizeof word_writes);
}
