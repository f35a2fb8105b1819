/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T2, the second compiler: locals and stack in registers, constants folded, short static calls inlined, virtual calls
   inlined behind a comparison of the class word where a site is monomorphic or bimorphic. There is no instrumentation
   in its code (counter-g: a count where a guard fails).

   The stack is kept at compile time, as values: constants, locals (by name), temporary registers, places in the frame.
   At branches and their targets it is in the frame. Registers 1 to 5 are temporary, 6 to 9 and 13 are locals'; all of
   them are the callee's at a call. */
#include "compile2.h"

/* ---- one bytecode ---------------------------------------------------------------------------------------------- */

static void store(struct making *k, u32 variable)
{
    struct variable *x = &k->variable[variable];
    struct value v = pop(k);
    const struct value what = resolved(k, v);
    if (!(what.kind == REGISTER && x->in_register && what.reg == x->reg))
        detach(k, variable);
    if (x->in_register)
        load(k, x->reg, v);
    else {
        u32 taken;
        const u32 r = in_register(k, v, &taken);
        emit_rxy(k->c, STG, r, R_FRAME, at(x->place));
        give(k, taken);
    }
    release(k, &v);
}

static void leave(struct making *k, const u8 *p)
{
    struct level *l = &k->level[k->levels - 1];
    struct value v = *p == BC_RET ? pop(k) : (struct value){.kind = CONSTANT};
    if (k->levels > 1) {
        const u32 last = (u32)(p - l->m->code) + 1 == l->m->length;
        if (!l->result) {
            const struct value what = resolved(k, v);
            if (what.kind == REGISTER && !(TEMPORARIES >> what.reg & 1) && v.kind == VARIABLE && v.place >= l->first) {
                const u32 r = temporary(k); /* a home that ends here */
                emit_rre(k->c, LGR, r, what.reg);
                push_register(k, r);
            } else if (v.kind == VARIABLE && v.place >= l->first)
                push(k, what);
            else
                k->stack[k->depth++] = v.kind == MEMORY ? owned(k, v) : v;
            return;
        }
        load(k, l->result, v);
        release(k, &v);
        if (!last)
            emit_branch(k->c, MASK_ALWAYS, l->end);
        return;
    }
    load(k, 0, v);
    release(k, &v);
    emit_rxy(k->c, STG, 0, R_FRAME, 0);
    emit_rxy(k->c, LG, R_LINK, R_FRAME, at(l->m->locals));
    emit2(k->c, 0x07f0 | R_LINK);
}

static void jump(struct making *k, const u8 *p, u32 bci)
{
    struct level *l = &k->level[k->levels - 1];
    const u32 label = (u32)l->label[bci + (u32)(s16v)(p[1] << 8 | p[2])];
    if (*p == BC_JMP) {
        settle(k);
        emit_branch(k->c, MASK_ALWAYS, label);
        return;
    }
    struct value v = pop(k);
    u32 taken;
    settle(k);
    const u32 r = in_register(k, v, &taken);
    emit_rre(k->c, LTGR, r, r);
    give(k, taken);
    release(k, &v);
    emit_branch(k->c, *p == BC_JZ ? MASK_EQUAL : MASK_NOT_EQUAL, label);
}

/* Object or array, and index in bytes, in registers. */
static void element(struct making *k, u32 op)
{
    struct value v = {.kind = CONSTANT}, index, array;
    u32 tv = 0, ti, ta;
    if (op == BC_AST)
        v = pop(k);
    index = pop(k);
    array = pop(k);
    const u32 ra = in_register(k, array, &ta), ri = in_register(k, index, &ti);
    const u32 shifted = temporary(k);
    k->used |= (u16)(1u << shifted);
    emit_shift(k->c, SLLG, shifted, ri, 0, 3);
    if (op == BC_AST) {
        const u32 rv = in_register(k, v, &tv);
        emit_rxy_index(k->c, STG, rv, ra, shifted, 8);
    } else
        emit_rxy_index(k->c, LG, shifted, shifted, ra, 8);
    give(k, ta);
    give(k, ti);
    give(k, tv);
    release(k, &v);
    release(k, &index);
    release(k, &array);
    if (op == BC_AST)
        k->used &= (u16) ~(1u << shifted);
    else
        push_register(k, shifted);
}

static void field(struct making *k, u32 op, u32 n)
{
    struct value v = {.kind = CONSTANT}, object;
    u32 tv = 0, to;
    if (op == BC_PUTF)
        v = pop(k);
    object = pop(k);
    const u32 r = in_register(k, object, &to);
    if (op == BC_PUTF) {
        emit_rxy(k->c, STG, in_register(k, v, &tv), r, 8 + 8 * (s32)n);
        give(k, to);
        give(k, tv);
        release(k, &v);
        release(k, &object);
        return;
    }
    give(k, to);
    release(k, &object);
    const u32 d = temporary(k);
    emit_rxy(k->c, LG, d, r, 8 + 8 * (s32)n);
    push_register(k, d);
}

static void checksum(struct making *k)
{
    struct value v = pop(k);
    u32 taken;
    const u32 r = in_register(k, v, &taken);
    emit_rxy(k->c, LG, 0, R_VM, IN_VM(vm.checksum));
    emit_shift(k->c, RLLG, 0, 0, 0, 7);
    emit_rrf(k->c, AGRK, 0, 0, r);
    emit_rxy(k->c, STG, 0, R_VM, IN_VM(vm.checksum));
    give(k, taken);
    release(k, &v);
}

static void simple(struct making *k, const u8 *p)
{
    const struct level *l = &k->level[k->levels - 1];
    struct value v, w;
    switch (*p) {
    case BC_PUSH8:
        push_constant(k, (signed char)p[1]);
        break;
    case BC_PUSH32:
        push_constant(k, (s32)((u32)p[1] << 24 | (u32)p[2] << 16 | (u32)p[3] << 8 | p[4]));
        break;
    case BC_LOAD:
        push(k, (struct value){.kind = VARIABLE, .place = (u16)(l->first + p[1])});
        break;
    case BC_DUP:
        push(k, k->stack[k->depth - 1]);
        break;
    case BC_POP:
        v = pop(k);
        release(k, &v);
        break;
    case BC_SWAP:
        v = owned(k, pop(k)); /* places belong to depths */
        w = owned(k, pop(k));
        k->stack[k->depth++] = v;
        k->stack[k->depth++] = w;
        break;
    case BC_NEW:
        flush(k);
        emit_constant(k->c, 0, p[1]);
        helper_call(k, HELPER_NEW);
        break;
    case BC_NEWARR:
        v = pop(k);
        load(k, 0, v);
        release(k, &v);
        helper_call(k, HELPER_NEWARR);
        break;
    default:
        break;
    }
}

/* Returns the bytes that it took, its own among them. */
static u32 one(struct making *k, u32 bci)
{
    const struct level *l = &k->level[k->levels - 1];
    const u8 *p = l->m->code + bci, *next = p + bytecode_length(*p);
    switch (*p) {
    case BC_ADD:
    case BC_SUB:
    case BC_MUL:
    case BC_AND:
    case BC_XOR:
    case BC_OR:
    case BC_SHL:
    case BC_SHR:
        binary(k, *p, next);
        break;
    case BC_LT:
    case BC_EQ:
        return 1 + comparison(k, *p, next);
    case BC_STORE:
        store(k, l->first + p[1]);
        break;
    case BC_JMP:
    case BC_JZ:
    case BC_JNZ:
        jump(k, p, bci);
        break;
    case BC_CALLS:
    case BC_CALLV:
        call(k, p, bci);
        break;
    case BC_RET:
    case BC_HALT:
        leave(k, p);
        break;
    case BC_GETF:
    case BC_PUTF:
        field(k, *p, p[1]);
        break;
    case BC_ALD:
    case BC_AST:
        element(k, *p);
        break;
    case BC_SUM:
        checksum(k);
        break;
    default:
        simple(k, p);
    }
    return bytecode_length(*p);
}

/* The bytecode of the innermost level. */
void compile_level(struct making *k)
{
    struct level *l = &k->level[k->levels - 1];
    const struct method *m = l->m;
    u8 depth[CODE_MOST];
    u32 ended = 0;
    l->end = code_label(k->c);
    for (u32 i = 0; i < m->length; i++)
        l->label[i] = -1;
    for (u32 i = 0; i < m->length; i += bytecode_length(m->code[i]))
        if (m->code[i] >= BC_JMP && m->code[i] <= BC_JNZ) {
            const u32 to = i + (u32)(s16v)(m->code[i + 1] << 8 | m->code[i + 2]);
            if (l->label[to] < 0)
                l->label[to] = (s16v)code_label(k->c);
            depth[to] = (u8)l->base;
        }
    for (u32 i = 0; i < m->length;) {
        const u32 op = m->code[i];
        if (l->label[i] >= 0) {
            if (ended)
                k->depth = depth[i];
            else
                settle(k);
            if (k->depth != l->base) /* values on the stack over a label: such code is T1's */
                making_fail(k);
            code_here(k->c, (u32)l->label[i]);
        }
        i += one(k, i);
        ended = op == BC_JMP || op == BC_RET || op == BC_HALT;
    }
    code_here(k->c, l->end);
}

void compile2(struct code *c, u32 number)
{
    static struct making k;
    u32 poll, back;
    memset(&k, 0, sizeof k);
    k.c = c;
    k.number = number;
    k.levels = 1;
    struct level *l = &k.level[0];
    const struct method *m = l->m = &vm.method[number];
    l->number = number;
    k.variables = m->locals;
    k.places = m->locals + 1u;
    u32 weight[LOCALS];
    weigh(m, weight);
    emit_entry(c, m, &poll, &back);
    for (u32 i = 0; i < m->locals; i++)
        k.variable[i].place = (u16)i;
    for (u32 n = 0; n < m->locals; n++) { /* the heaviest first */
        u32 best = LOCALS;
        for (u32 i = 0; i < m->locals; i++)
            if (!k.variable[i].in_register && weight[i] && (best == LOCALS || weight[i] > weight[best]))
                best = i;
        if (best == LOCALS || !free_home(&k))
            break;
        struct variable *x = &k.variable[best];
        x->in_register = 1;
        x->reg = (u8)free_home(&k);
        k.live |= (u16)(1u << x->reg);
        k.keep[x->reg] = x->place;
        if (best < m->arguments)
            emit_rxy(c, LG, x->reg, R_FRAME, at(best));
    }
    compile_level(&k);
    emit_poll(c, poll, back);
    calls_later(&k);
}
