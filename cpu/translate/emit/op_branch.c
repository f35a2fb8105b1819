/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: branches. A conditional one that goes backward ends its block, and is expected to be taken: its edge
   stands in line; forward ones have it behind the rest. PoP chapter 7. */
#include "cpu/translate/emit/template.h"

#define R1   (t->op->r1)
#define DATA (*(struct op_branch *)(void *)(t->op + 1))

static void here(struct translation *t, uint8_t *const from[2])
{
    for (unsigned i = 0; i < 2 && from[i] && !t->x.full; i++)
        x86_patch(from[i], t->x.at);
}

static void not_taken(struct translation *t)
{
    observe_not_taken(t);
    collect_not_taken(t);
}

static bool backward(const struct translation *t) { return DATA.target <= DATA.own; }

/* The branch is taken when `out` says yes; of a backward one `out` is the opposite. */
static void relative(struct translation *t, const struct outcome *out)
{
    t->over = backward(t) ? out->never : out->always;
    if (!backward(t)) {
        if (out->always)
            edge_emit(t, &t->cc);
        else if (!out->never)
            edge_far(t, out->yes);
        here(t, out->no);
        if (!out->always)
            not_taken(t);
        return;
    }
    here(t, out->no);
    if (!out->always)
        edge_emit(t, &t->cc);
    here(t, out->yes);
    if (!out->never)
        not_taken(t);
}

/* BRANCH RELATIVE ON CONDITION */
void template_branch(struct translation *t, unsigned how)
{
    struct outcome out;
    (void)how;
    cc_jump(t, t->op->kind, backward(t) ? t->op->m ^ 15u : t->op->m, &out);
    t->cc.a.host = t->cc.b.host = NOWHERE;
    relative(t, &out);
}

/* COMPARE AND BRANCH RELATIVE. How: as template_compare() has it. */
void template_compare_branch(struct translation *t, unsigned how)
{
    struct outcome out = {.always = false};
    const unsigned place = !(how & HOW_WORD) ? REGISTER : how & HOW_FOUR ? WORD_LOGICAL : WORD_SIGNED;
    const struct value a = value_of((enum place)place, R1);
    struct value b = value_of((enum place)place, t->op->r2);
    if ((how & HOW_OPERAND) == FROM_I)
        b = value_constant(how & HOW_FOUR ? t->op->m : (int8_t)t->op->m);
    const unsigned mask = t->insn.m3 & 14u;
    compare_jump(t, !(how & HOW_FOUR), backward(t) ? mask ^ 14u : mask, a, b, &out);
    relative(t, &out);
}

/* BRANCH RELATIVE ON COUNT */
void template_branch_count(struct translation *t, unsigned how)
{
    struct outcome out = {.always = false};
    if (how & HOW_WORD) {
        const unsigned to = word_in_place(t, R1, R1);
        x86_alu_i(&t->x, false, ALU_SUB, to, 1);
        if (to == RAX)
            x86_mov(&t->x, false, RCX, RAX);
        write32(t, R1, to);
        if (to == RAX)
            x86_test(&t->x, false, RCX, RCX);
    } else {
        change64_i(t, ALU_SUB, R1, 1);
    }
    x86_jcc(&t->x, backward(t) ? IF_E : IF_NE, t->x.at);
    out.yes[0] = t->x.at;
    relative(t, &out);
}

/* BRANCH RELATIVE ON INDEX: low or equal, or (HOW_FOUR) high. The block engine has the comparand's register in R2. */
void template_branch_index(struct translation *t, unsigned how)
{
    struct outcome out = {.always = false};
    const bool w = !(how & HOW_WORD);
    const bool high = (how & HOW_FOUR) != 0;
    if (w)
        copy64(t, RDX, R1);
    else
        copy32(t, RDX, R1);
    x86_alu(&t->x, w, ALU_ADD, RDX, w ? read64(t, t->op->r3, RAX) : read32(t, t->op->r3, RAX));
    if (w)
        copy64(t, RCX, t->op->r2);
    else
        copy32(t, RCX, t->op->r2);
    if (w) {
        write64(t, R1, RDX);
    } else {
        x86_mov(&t->x, false, RAX, RDX);
        write32(t, R1, RAX);
    }
    x86_alu(&t->x, w, ALU_CMP, RDX, RCX);
    x86_jcc(&t->x, high != backward(t) ? IF_G : IF_LE, t->x.at);
    out.yes[0] = t->x.at;
    relative(t, &out);
}

/* BRANCH RELATIVE AND SAVE */
void template_link(struct translation *t, unsigned how)
{
    (void)how;
    x86_mov_i(&t->x, RAX, DATA.own + t->op->length);
    write64(t, R1, RAX);
    edge_emit(t, &t->cc);
    t->over = true;
}

/* Its branch address into RAX. */
static void branch_address(struct translation *t, unsigned how)
{
    if (how & HOW_FOUR)
        address_emit(t, t->op->r2, t->op->r3, t->op->i);
    else
        copy64(t, RAX, t->op->r2);
}

/* BRANCH ON CONDITION to the address in a register, or R2 + R3 + I with HOW_FOUR */
void template_branch_register(struct translation *t, unsigned how)
{
    struct outcome out;
    cc_jump(t, t->op->kind, t->op->m ^ 15u, &out);
    here(t, out.no);
    if (!out.always) {
        const uint32_t split = t->split;
        make_whole(t);
        cc_store(t, &t->cc, t->op->after);
        branch_address(t, how);
        indirect_emit(t);
        t->split = split;
    }
    t->over = out.never;
    here(t, out.yes);
    if (!out.never) {
        observe_not_taken(t);
        if (collects(t)) {
            branch_address(t, how);
            collect_not_taken_indirect(t);
        }
    }
}

/* BRANCH AND SAVE to the address in a register; without one, only the address is saved. */
void template_link_register(struct translation *t, unsigned how)
{
    (void)how;
    if (t->insn.r2 == 0) {
        x86_mov_i(&t->x, RAX, (uint64_t)t->op->i);
        write64(t, R1, RAX);
        return;
    }
    make_whole(t);
    cc_store(t, &t->cc, t->op->after);
    copy64(t, RAX, t->op->r2);
    x86_mov_i(&t->x, RCX, DATA.own + t->op->length);
    write64(t, R1, RCX);
    indirect_emit(t);
    t->over = true;
}
