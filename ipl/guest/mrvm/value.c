/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registers and values of the second compiler. */
#include "compile2.h"

u32 new_place(struct making *k)
{
    if (k->places > 250)
        making_fail(k);
    return k->places++;
}

/* ---- registers and values -------------------------------------------------------------------------------------- */

void hold(struct making *k, const struct value *v)
{
    if (v->kind == REGISTER) {
        k->pins[v->reg]++;
        k->used |= (u16)(1u << v->reg);
    }
}

void release(struct making *k, const struct value *v)
{
    if (v->kind == REGISTER && k->pins[v->reg] && !--k->pins[v->reg])
        k->used &= (u16) ~(1u << v->reg);
}

u32 place_of(struct making *k, u32 depth)
{
    if (!k->stack_place[depth])
        k->stack_place[depth] = (u16)new_place(k);
    return k->stack_place[depth];
}

/* The value on the stack goes into the frame. */
void spill(struct making *k, u32 depth)
{
    struct value *v = &k->stack[depth];
    if (v->kind != REGISTER)
        return;
    emit_rxy(k->c, STG, v->reg, R_FRAME, at(place_of(k, depth)));
    release(k, v);
    *v = (struct value){.kind = MEMORY, .place = (u16)place_of(k, depth)};
}

/* A free temporary register; the deepest values on the stack make room. */
u32 temporary(struct making *k)
{
    for (u32 depth = 0;; depth++) {
        for (u32 r = 1; r <= 5; r++)
            if (!(k->used >> r & 1))
                return r;
        if (depth >= k->depth)
            break;
        spill(k, depth);
    }
    making_fail(k);
    return 1;
}

void push(struct making *k, struct value v)
{
    if (k->depth == STACK_MOST - 1) {
        making_fail(k);
        return;
    }
    hold(k, &v);
    k->stack[k->depth++] = v;
}

void push_register(struct making *k, u32 r) { push(k, (struct value){.kind = REGISTER, .reg = (u8)r}); }
void push_constant(struct making *k, s64 c) { push(k, (struct value){.kind = CONSTANT, .constant = c}); }

/* Off the stack; a temporary register stays the caller's until release(). */
struct value pop(struct making *k)
{
    if (!k->depth) {
        making_fail(k);
        return (struct value){.kind = CONSTANT};
    }
    return k->stack[--k->depth];
}

/* What a value really is: variables are looked through. */
struct value resolved(const struct making *k, struct value v)
{
    while (v.kind == VARIABLE) {
        const struct variable *x = &k->variable[v.place];
        if (x->bound)
            v = x->value;
        else if (x->in_register)
            return (struct value){.kind = REGISTER, .reg = x->reg};
        else
            return (struct value){.kind = MEMORY, .place = x->place};
    }
    return v;
}

/* The value in this register. */
void load(struct making *k, u32 r, struct value v)
{
    v = resolved(k, v);
    if (v.kind == CONSTANT)
        emit_constant(k->c, r, v.constant);
    else if (v.kind == MEMORY)
        emit_rxy(k->c, LG, r, R_FRAME, at(v.place));
    else if (v.reg != r)
        emit_rre(k->c, LGR, r, v.reg);
}

/* The value in some register; *taken: a new temporary one, which the caller releases by give(). */
u32 in_register(struct making *k, struct value v, u32 *taken)
{
    const struct value what = resolved(k, v);
    *taken = 0;
    if (what.kind == REGISTER)
        return what.reg;
    *taken = temporary(k);
    k->used |= (u16)(1u << *taken);
    load(k, *taken, what);
    return *taken;
}

void give(struct making *k, u32 taken)
{
    if (taken && !k->pins[taken])
        k->used &= (u16) ~(1u << taken);
}

void flush(struct making *k)
{
    for (u32 i = 0; i < k->depth; i++)
        spill(k, i);
}

/* At a branch everything of this method that is on its stack is in the frame. */
void settle(struct making *k)
{
    for (u32 i = k->level[k->levels - 1].base; i < k->depth; i++) {
        if (k->stack[i].kind == REGISTER)
            spill(k, i);
        else if (k->stack[i].kind != MEMORY || k->stack[i].place != place_of(k, i)) {
            u32 taken;
            const u32 r = in_register(k, k->stack[i], &taken);
            emit_rxy(k->c, STG, r, R_FRAME, at(place_of(k, i)));
            give(k, taken);
            k->stack[i] = (struct value){.kind = MEMORY, .place = (u16)place_of(k, i)};
        }
    }
}

/* The value in a temporary register that it owns. */
struct value owned(struct making *k, struct value v)
{
    if (v.kind == REGISTER)
        return v;
    const u32 r = temporary(k);
    load(k, r, v);
    v = (struct value){.kind = REGISTER, .reg = (u8)r};
    hold(k, &v);
    return v;
}

/* Off the stack, as an argument that outlasts its place there. */
struct value pop_argument(struct making *k)
{
    const struct value v = pop(k);
    return v.kind == MEMORY ? owned(k, v) : v;
}

/* Values on the stack that are this variable get copies, because it changes. */
void detach(struct making *k, u32 variable)
{
    for (u32 i = 0; i < k->depth; i++) {
        if (k->stack[i].kind != VARIABLE || k->stack[i].place != variable)
            continue;
        const u32 r = temporary(k);
        load(k, r, k->stack[i]);
        k->stack[i] = (struct value){.kind = REGISTER, .reg = (u8)r};
        hold(k, &k->stack[i]);
    }
}

/* ---- variables ------------------------------------------------------------------------------------------------- */

u32 stores_to(const struct method *m, u32 local)
{
    for (u32 i = 0; i < m->length; i += bytecode_length(m->code[i]))
        if (m->code[i] == BC_STORE && m->code[i + 1] == local)
            return 1;
    return 0;
}

/* How often each local is used, in loops eight times as much. */
void weigh(const struct method *m, u32 weight[LOCALS])
{
    u16 from[8], to[8];
    u32 loops = 0;
    for (u32 i = 0; i < LOCALS; i++)
        weight[i] = 0;
    for (u32 i = 0; i < m->length; i += bytecode_length(m->code[i])) {
        const s32 distance = (s16v)(m->code[i + 1] << 8 | m->code[i + 2]);
        if (m->code[i] < BC_JMP || m->code[i] > BC_JNZ || distance >= 0 || loops == 8)
            continue;
        from[loops] = (u16)((s32)i + distance);
        to[loops++] = (u16)i;
    }
    for (u32 i = 0; i < m->length; i += bytecode_length(m->code[i])) {
        u32 w = 1;
        if (m->code[i] != BC_LOAD && m->code[i] != BC_STORE)
            continue;
        for (u32 k = 0; k < loops; k++)
            w *= i >= from[k] && i <= to[k] ? 8 : 1;
        weight[m->code[i + 1]] += w;
    }
}

u32 free_home(const struct making *k)
{
    for (u32 r = 6; r <= 13; r++)
        if ((HOMES & ~k->live) >> r & 1)
            return r;
    return 0;
}

void give_home(struct making *k, struct variable *x)
{
    const u32 r = free_home(k);
    x->bound = 0;
    if (!x->place)
        x->place = (u16)new_place(k);
    x->in_register = r != 0;
    x->reg = (u8)r;
    if (r) {
        k->live |= (u16)(1u << r);
        k->keep[r] = x->place;
    }
}
