/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators and comparisons of the second compiler. */
#include "compile2.h"

/* ---- operators ------------------------------------------------------------------------------------------------- */

static s64 folded(u32 op, s64 a, s64 b)
{
    switch (op) {
    case BC_ADD:
        return (s64)((u64)a + (u64)b);
    case BC_SUB:
        return (s64)((u64)a - (u64)b);
    case BC_MUL:
        return (s64)((u64)a * (u64)b);
    case BC_AND:
        return a & b;
    case BC_XOR:
        return a ^ b;
    case BC_OR:
        return a | b;
    case BC_SHL:
        return (s64)((u64)a << (b & 63));
    case BC_SHR:
        return a >> (b & 63);
    case BC_LT:
        return a < b;
    default:
        return a == b;
    }
}

static u32 small(const struct value *v, s64 limit)
{
    return v->kind == CONSTANT && v->constant >= -limit && v->constant < limit;
}

/* Where the result of an operator goes: into the home of the local that the next bytecode stores into, else a temporary
   register. */
static u32 destination(struct making *k, const u8 *next, u32 *home)
{
    const struct level *l = &k->level[k->levels - 1];
    *home = 0;
    if (next && *next == BC_STORE && l->label[next - l->m->code] < 0) {
        const u32 variable = l->first + next[1];
        if (k->variable[variable].in_register && !k->variable[variable].bound) {
            detach(k, variable);
            *home = k->variable[variable].reg;
            return *home;
        }
    }
    return temporary(k);
}

/* d := ra OP b, with b in a register or a constant. */
static void operate(struct making *k, u32 op, u32 d, u32 ra, struct value b, u32 rb)
{
    static const u16 three[] = {[BC_ADD] = AGRK, [BC_SUB] = SGRK, [BC_AND] = NGRK, [BC_XOR] = XGRK, [BC_OR] = OGRK};
    struct code *c = k->c;
    switch (op) {
    case BC_SHL:
    case BC_SHR:
        emit_shift(c, op == BC_SHL ? SLLG : SRAG, d, ra, b.kind == CONSTANT ? 0 : rb,
                   b.kind == CONSTANT ? (s32)(b.constant & 63) : 0);
        return;
    case BC_MUL:
        if (b.kind == CONSTANT) {
            if (d != ra)
                emit_rre(c, LGR, d, ra);
            emit_ril(c, MSGFI, d, b.constant);
        } else if (d == rb)
            emit_rre(c, MSGR, d, ra);
        else {
            if (d != ra)
                emit_rre(c, LGR, d, ra);
            emit_rre(c, MSGR, d, rb);
        }
        return;
    default:
        break;
    }
    if (b.kind == CONSTANT) { /* AGHIK, or AND with a mask that is a run of ones on the right: RISBG */
        if (op == BC_AND) {
            const u32 bits = 64u - (u32)__builtin_clzl((u64)b.constant);
            emit6(c, (u64)0xec << 40 | (u64)d << 36 | (u64)ra << 32 | (u64)(64 - bits) << 24 | (u64)(0x80 | 63) << 16 |
                         0x55);
        } else
            emit6(c, (u64)0xec << 40 | (u64)d << 36 | (u64)ra << 32 |
                         ((u64)(op == BC_SUB ? -b.constant : b.constant) & 0xffff) << 16 | 0xd9);
        return;
    }
    emit_rrf(c, (enum rrf)three[op], d, ra, rb);
}

/* May the constant stay one in operate()? */
static u32 immediate(u32 op, const struct value *b)
{
    if (b->kind != CONSTANT)
        return 0;
    switch (op) {
    case BC_SHL:
    case BC_SHR:
        return 1;
    case BC_MUL:
        return small(b, 1l << 31);
    case BC_ADD:
    case BC_SUB:
        return small(b, 32767);
    case BC_AND:
        return b->constant > 0 && !(b->constant & (b->constant + 1));
    default:
        return 0;
    }
}

void binary(struct making *k, u32 op, const u8 *next)
{
    struct value b = pop(k), a = pop(k);
    struct value vb = resolved(k, b), va = resolved(k, a);
    u32 ta = 0, tb = 0, home;
    if (va.kind == CONSTANT && vb.kind == CONSTANT) {
        push_constant(k, folded(op, va.constant, vb.constant));
        return;
    }
    if (va.kind == CONSTANT && (op == BC_ADD || op == BC_MUL || op == BC_AND) && immediate(op, &va)) {
        const struct value v = va, w = a;
        va = vb, a = b;
        vb = v, b = w;
    }
    const u32 ra = in_register(k, va, &ta);
    const u32 rb = immediate(op, &vb) ? 0 : in_register(k, vb, &tb);
    if (rb)
        vb.kind = REGISTER;
    release(k, &a);
    release(k, &b);
    give(k, ta);
    give(k, tb);
    /* A value that the copies of destination() push aside must not be one of the operands' registers. */
    k->used |= (u16)((1u << ra | 1u << rb) & TEMPORARIES);
    u32 d = destination(k, next, &home);
    if (!home && ((1u << ra) & TEMPORARIES) && !k->pins[ra])
        d = ra;
    else if (!home && rb && ((1u << rb) & TEMPORARIES) && !k->pins[rb] && op != BC_SUB && op != BC_SHL && op != BC_SHR)
        d = rb;
    operate(k, op, d, ra, vb, rb);
    if (((1u << ra) & TEMPORARIES) && !k->pins[ra])
        k->used &= (u16) ~(1u << ra);
    if (rb && ((1u << rb) & TEMPORARIES) && !k->pins[rb])
        k->used &= (u16) ~(1u << rb);
    if (home)
        push(k, (struct value){.kind = REGISTER, .reg = (u8)home}); /* the store that follows finds it there */
    else
        push_register(k, d);
}

/* Compare two values; CONSTANT b of 16 bits stays one. Sets the condition code. */
static void compare(struct making *k, struct value a, struct value b)
{
    u32 ta, tb = 0;
    const struct value vb = resolved(k, b);
    const u32 ra = in_register(k, a, &ta);
    if (small(&vb, 32768))
        emit_ri(k->c, CGHI, ra, (s32)vb.constant);
    else if (vb.kind == MEMORY)
        emit_rxy(k->c, CG, ra, R_FRAME, at(vb.place));
    else
        emit_rre(k->c, CGR, ra, in_register(k, vb, &tb));
    give(k, ta);
    give(k, tb);
}

/* LT or EQ, with the branch behind it when there is one that belongs to it; the number of bytes that this took more. */
u32 comparison(struct making *k, u32 op, const u8 *next)
{
    struct level *l = &k->level[k->levels - 1];
    struct value b = pop(k), a = pop(k);
    const u32 bci = (u32)(next - l->m->code);
    u32 mask = op == BC_LT ? MASK_LOW : MASK_EQUAL;
    if ((*next == BC_JZ || *next == BC_JNZ) && l->label[bci] < 0) {
        const u32 to = bci + (u32)(s16v)(next[1] << 8 | next[2]);
        settle(k);
        compare(k, a, b);
        release(k, &a);
        release(k, &b);
        emit_branch(k->c, *next == BC_JZ ? 15 ^ mask : mask, (u32)l->label[to]);
        return 3;
    }
    compare(k, a, b);
    release(k, &a);
    release(k, &b);
    const u32 r = temporary(k);
    emit_ri(k->c, LGHI, r, 0);
    emit_ri(k->c, LGHI, 0, 1);
    emit_rrf(k->c, LOCGR, r, 0, mask);
    push_register(k, r);
    return 0;
}
