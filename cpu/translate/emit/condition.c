/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jumps on the condition code: what cc_test() in cpu/engine/block.h computes, as comparisons of the host. */
#include "cpu/translate/emit/internal.h"

/* ---- jumps that are found a target later ------------------------------------------------------------------------ */

static void jump(struct translation *t, enum x86_condition c, uint8_t **ends)
{
    x86_jcc(&t->x, c, t->x.at);
    ends[ends[0] != NULL] = t->x.at;
}
static void yes_if(struct translation *t, enum x86_condition c, struct outcome *out) { jump(t, c, out->yes); }
static void no_if(struct translation *t, enum x86_condition c, struct outcome *out) { jump(t, c, out->no); }

/* By three conditions that exclude each other: bits 4, 2 and 1 of `which`. */
struct conditions {
    uint8_t by_bits[8];
};
static const struct conditions signed_ones = {{0, IF_G, IF_L, IF_NE, IF_E, IF_GE, IF_LE, 0}},
                               logical_ones = {{0, IF_A, IF_B, IF_NE, IF_E, IF_AE, IF_BE, 0}};
static void by_three(struct translation *t, const struct conditions *c, unsigned which, struct outcome *out)
{
    if (which == 7)
        out->always = true;
    else if (which == 0)
        out->never = true;
    else
        yes_if(t, (enum x86_condition)c->by_bits[which], out);
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

/* In a host register, as a word when `word` (then the left half is anything). */
static unsigned operand(struct translation *t, const struct value *v, int32_t slot, unsigned scratch, bool word)
{
    if (v->place == REGISTER)
        return read64(t, v->reg, scratch);
    if (word && (v->place == WORD_SIGNED || v->place == WORD_LOGICAL))
        return read32(t, v->reg, scratch);
    if (v->place == IN_SLOT && v->host != NOWHERE)
        return v->host;
    value_load(t, v, slot, scratch);
    return scratch;
}

static bool word_constant(const struct value *v, bool sign)
{
    return v->place == CONSTANT && (sign ? v->constant == (int32_t)v->constant : (uint64_t)v->constant <= 0xffffffff);
}

/* Compare a and b; words are compared as such when both are. */
static void compare(struct translation *t, const struct value *a, const struct value *b, bool sign)
{
    const unsigned as = sign ? WORD_SIGNED : WORD_LOGICAL;
    const bool word = a->place == as && (b->place == as || word_constant(b, sign));
    const unsigned first = operand(t, a, CPU_AT(cc_a), RDX, word);
    if (b->place == CONSTANT && b->constant == 0 && sign) {
        x86_test(&t->x, !word, first, first);
    } else if (b->place == CONSTANT && (word || b->constant == (int32_t)b->constant)) {
        x86_alu_i(&t->x, !word, ALU_CMP, first, (int32_t)b->constant);
    } else {
        const unsigned second = operand(t, b, CPU_AT(cc_b), RAX, word);
        x86_alu(&t->x, !word, ALU_CMP, first, second);
    }
}

static void test_zero(struct translation *t, const struct value *v, int32_t slot)
{
    const bool word = v->place == WORD_SIGNED || v->place == WORD_LOGICAL;
    const unsigned reg = operand(t, v, slot, RDX, word);
    x86_test(&t->x, !word, reg, reg);
}

static bool is_zero(const struct value *v) { return v->place == CONSTANT && v->constant == 0; }

void compare_jump(struct translation *t, bool sign, unsigned mask, struct value a, struct value b, struct outcome *out)
{
    const unsigned which = mask >> 1 & 7;
    if (which == 7 || which == 0) {
        by_three(t, &signed_ones, which, out);
        return;
    }
    if (!sign && is_zero(&a)) { /* a logical result: never high */
        const unsigned outcome = which & 6;
        if (outcome == 6 || outcome == 0) {
            out->always = outcome;
            out->never = !outcome;
            return;
        }
        test_zero(t, &b, CPU_AT(cc_b));
        yes_if(t, outcome == 4 ? IF_E : IF_NE, out);
        return;
    }
    compare(t, &a, &b, sign);
    by_three(t, sign ? &signed_ones : &logical_ones, which, out);
}

/* ---- kinds ------------------------------------------------------------------------------------------------------ */

/* `overflow` is the condition that the host's flags have for condition code 3; for the others, without it, they are
   those of a comparison of the result with zero. */
static void sum(struct translation *t, unsigned mask, struct outcome *out)
{
    static const struct conditions signs = {{0, IF_G, IF_S, IF_NE, IF_E, IF_NS, IF_LE, 0}};
    if (mask == 1 || mask == 14) {
        yes_if(t, mask == 1 ? IF_O : IF_NO, out);
        return;
    }
    if (mask & 1)
        yes_if(t, IF_O, out);
    else
        no_if(t, IF_O, out);
    by_three(t, &signs, mask >> 1, out);
}

static void sum_jump(struct translation *t, unsigned kind, unsigned mask, struct outcome *out)
{
    if (!t->flags) {
        value_load(t, &t->cc.a, CPU_AT(cc_a), RAX);
        const unsigned second = operand(t, &t->cc.b, CPU_AT(cc_b), RCX, false);
        x86_alu(&t->x, true, kind == KIND_ADD64 ? ALU_ADD : ALU_SUB, RAX, second);
    }
    sum(t, mask, out);
}

/* a is the exact sum of two words. */
static void word_sum_jump(struct translation *t, unsigned mask, struct outcome *out)
{
    if (mask == 8 || mask == 7) {
        test_zero(t, &t->cc.a, CPU_AT(cc_a));
        yes_if(t, mask == 8 ? IF_E : IF_NE, out);
        return;
    }
    const unsigned a = operand(t, &t->cc.a, CPU_AT(cc_a), RDX, false);
    x86_movsxd(&t->x, RAX, a);
    x86_alu(&t->x, true, ALU_CMP, RAX, a);
    if (mask == 1 || mask == 14) {
        yes_if(t, mask == 1 ? IF_NE : IF_E, out);
        return;
    }
    if (mask & 1)
        yes_if(t, IF_NE, out);
    else
        no_if(t, IF_NE, out);
    x86_test(&t->x, false, RAX, RAX);
    by_three(t, &signed_ones, mask >> 1, out);
}

static void logical_sum_jump(struct translation *t, unsigned mask, struct outcome *out)
{
    if (mask == 10 || mask == 5) {
        test_zero(t, &t->cc.b, CPU_AT(cc_b));
        yes_if(t, mask == 10 ? IF_E : IF_NE, out);
        return;
    }
    const unsigned a = operand(t, &t->cc.a, CPU_AT(cc_a), RDX, false),
                   b = operand(t, &t->cc.b, CPU_AT(cc_b), RAX, false);
    x86_alu(&t->x, true, ALU_CMP, b, a);
    yes_if(t, mask == 3 ? IF_B : IF_AE, out);
}

static void logical_difference_jump(struct translation *t, unsigned mask, struct outcome *out)
{
    static const struct conditions ones = {{0, IF_A, IF_E, IF_AE, IF_B, IF_NE, IF_BE, 0}};
    if ((mask & 7) == 7 || (mask & 7) == 0) {
        by_three(t, &ones, mask & 7, out);
        return;
    }
    if (!t->flags)
        compare(t, &t->cc.a, &t->cc.b, false);
    by_three(t, &ones, mask & 7, out);
}

/* Of a byte condition code 2 does not occur. */
static unsigned byte_mask(unsigned kind, unsigned mask)
{
    return kind != KIND_TM ? mask : mask & 4 ? mask | 2 : mask & ~2u;
}

static void mask_jump(struct translation *t, unsigned kind, unsigned mask, struct outcome *out)
{
    mask = byte_mask(kind, mask);
    out->always = mask == 15;
    out->never = mask == 0;
    if (out->always || out->never)
        return;
    test_zero(t, &t->cc.a, CPU_AT(cc_a));
    if (mask == 8 || mask == 7) {
        yes_if(t, mask == 8 ? IF_E : IF_NE, out);
        return;
    }
    if (mask == 1 || mask == 6)
        no_if(t, IF_E, out);
    else
        yes_if(t, IF_E, out);
    compare(t, &t->cc.a, &t->cc.b, false);
    yes_if(t, mask == 1 || mask == 9 ? IF_E : IF_NE, out);
}

/* Has the jump a form of its own? */
static bool has_form(unsigned kind, unsigned mask)
{
    switch (kind) {
    case KIND_CC:
    case KIND_DYNAMIC:
        return false;
    case KIND_ADDL:
        return mask == 10 || mask == 5 || mask == 12 || mask == 3;
    case KIND_TMX:
        return mask == 8 || mask == 7 || mask == 1 || mask == 14;
    default:
        return true;
    }
}

unsigned cc_known(struct translation *t, unsigned kind)
{
    if (kind == KIND_CC)
        return operand(t, &t->cc.a, CPU_AT(cc_a), RDX, false);
    cc_store(t, &t->cc, kind);
    vectors_store(t);
    x86_call(&t->x, code_write(t->translator, t->translator->condition));
    vectors_load(t);
    return RAX;
}

/* The code itself: bit 3 - cc of the mask */
static void code_jump(struct translation *t, unsigned kind, unsigned mask, struct outcome *out)
{
    unsigned bits = 0;
    for (unsigned cc = 0; cc < 4; cc++)
        bits |= (mask >> (3 - cc) & 1) << cc;
    const unsigned cc = cc_known(t, kind), scratch = cc == RCX ? RAX : RCX;
    x86_mov_i(&t->x, scratch, bits);
    x86_bt(&t->x, false, scratch, cc);
    yes_if(t, IF_B, out);
}

void cc_jump(struct translation *t, unsigned kind, unsigned mask, struct outcome *out)
{
    *out = (struct outcome){.always = mask == 15, .never = mask == 0};
    if (out->always || out->never)
        return;
    if (!has_form(kind, mask)) {
        code_jump(t, kind, mask, out);
        return;
    }
    switch (kind) {
    case KIND_S:
    case KIND_U:
        compare_jump(t, kind == KIND_S, mask, t->cc.a, t->cc.b, out);
        break;
    case KIND_ADD64:
    case KIND_SUB64:
        sum_jump(t, kind, mask, out);
        break;
    case KIND_ADD32:
        word_sum_jump(t, mask, out);
        break;
    case KIND_ADDL:
        logical_sum_jump(t, mask, out);
        break;
    case KIND_SUBL:
        logical_difference_jump(t, mask, out);
        break;
    default:
        mask_jump(t, kind, mask, out);
        break;
    }
}
