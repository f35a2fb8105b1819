/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T2, the second compiler: locals and stack in registers, constants folded, short static calls inlined, virtual calls
   inlined behind a comparison of the class word where a site is monomorphic or bimorphic. There is no instrumentation
   in its code (counter-g: a count where a guard fails).

   The stack is kept at compile time, as values: constants, locals (by name), temporary registers, places in the frame.
   At branches and their targets it is in the frame. Registers 1 to 5 are temporary, 6 to 9 and 13 are locals'; all of
   them are the callee's at a call. */
#include "code.h"

#define TEMPORARIES 0x003eu /* registers 1 to 5 */
#define HOMES       0x23c0u /* 6 to 9, 13 */
#define STACK_MOST  40u
#define VARIABLES   64u
#define DEEPEST     4u
#define INLINE_MOST 24u /* bytecodes */
#define LATER       16u

enum kind { CONSTANT, REGISTER, VARIABLE, MEMORY };
struct value {
    u8 kind, reg;
    u16 place; /* variable, or place in the frame */
    s64 constant;
};

/* A local of the method or of one that is inlined: in a register, in the frame, or bound to a value that never changes.
 */
struct variable {
    u8 in_register, reg, bound;
    u16 place; /* in the frame; of one in a register, where it is kept over a call */
    struct value value;
};

/* A method whose bytecode is being compiled, at some depth of inlining. */
struct level {
    const struct method *m;
    u32 number, base; /* of its stack */
    u16 first;        /* variable of local 0 */
    s16v label[CODE_MOST];
    u32 end, result; /* label behind it, register of the result, 0: left on the stack */
    u16 live;        /* registers of variables that are in use outside */
};

/* The way of a guarded site when its guards fail, emitted behind the method. */
struct later {
    u32 label, back, site, arguments, slot, result, depth;
    u16 saved, saved_place[16];
    struct value argument[8];
};

struct making {
    struct code *c;
    u32 number, depth, levels, variables, places, laters;
    u16 used, live; /* registers: temporary ones that hold something, homes and bound ones that are to be kept */
    u8 pins[16];    /* values that are in a temporary register */
    u16 keep[16];   /* place in the frame where a live register is kept over a call */
    struct value stack[STACK_MOST];
    u16 stack_place[STACK_MOST];
    struct variable variable[VARIABLES];
    struct level level[DEEPEST];
    struct later later[LATER];
};

static void fail(struct making *k) { k->c->failed = 1; }
static s32 at(u32 place) { return 8 * (s32)place; }

static u32 new_place(struct making *k)
{
    if (k->places > 250)
        fail(k);
    return k->places++;
}

/* ---- registers and values -------------------------------------------------------------------------------------- */

static void hold(struct making *k, const struct value *v)
{
    if (v->kind == REGISTER) {
        k->pins[v->reg]++;
        k->used |= (u16)(1u << v->reg);
    }
}

static void release(struct making *k, const struct value *v)
{
    if (v->kind == REGISTER && k->pins[v->reg] && !--k->pins[v->reg])
        k->used &= (u16) ~(1u << v->reg);
}

static u32 place_of(struct making *k, u32 depth)
{
    if (!k->stack_place[depth])
        k->stack_place[depth] = (u16)new_place(k);
    return k->stack_place[depth];
}

/* The value on the stack goes into the frame. */
static void spill(struct making *k, u32 depth)
{
    struct value *v = &k->stack[depth];
    if (v->kind != REGISTER)
        return;
    emit_rxy(k->c, STG, v->reg, R_FRAME, at(place_of(k, depth)));
    release(k, v);
    *v = (struct value){.kind = MEMORY, .place = (u16)place_of(k, depth)};
}

/* A free temporary register; the deepest values on the stack make room. */
static u32 temporary(struct making *k)
{
    for (u32 depth = 0;; depth++) {
        for (u32 r = 1; r <= 5; r++)
            if (!(k->used >> r & 1))
                return r;
        if (depth >= k->depth)
            break;
        spill(k, depth);
    }
    fail(k);
    return 1;
}

static void push(struct making *k, struct value v)
{
    if (k->depth == STACK_MOST - 1) {
        fail(k);
        return;
    }
    hold(k, &v);
    k->stack[k->depth++] = v;
}

static void push_register(struct making *k, u32 r) { push(k, (struct value){.kind = REGISTER, .reg = (u8)r}); }
static void push_constant(struct making *k, s64 c) { push(k, (struct value){.kind = CONSTANT, .constant = c}); }

/* Off the stack; a temporary register stays the caller's until release(). */
static struct value pop(struct making *k)
{
    if (!k->depth) {
        fail(k);
        return (struct value){.kind = CONSTANT};
    }
    return k->stack[--k->depth];
}

/* What a value really is: variables are looked through. */
static struct value resolved(const struct making *k, struct value v)
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
static void load(struct making *k, u32 r, struct value v)
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
static u32 in_register(struct making *k, struct value v, u32 *taken)
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

static void give(struct making *k, u32 taken)
{
    if (taken && !k->pins[taken])
        k->used &= (u16) ~(1u << taken);
}

static void flush(struct making *k)
{
    for (u32 i = 0; i < k->depth; i++)
        spill(k, i);
}

/* At a branch everything of this method that is on its stack is in the frame. */
static void settle(struct making *k)
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
static struct value owned(struct making *k, struct value v)
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
static struct value pop_argument(struct making *k)
{
    const struct value v = pop(k);
    return v.kind == MEMORY ? owned(k, v) : v;
}

/* Values on the stack that are this variable get copies, because it changes. */
static void detach(struct making *k, u32 variable)
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

static u32 stores_to(const struct method *m, u32 local)
{
    for (u32 i = 0; i < m->length; i += bytecode_length(m->code[i]))
        if (m->code[i] == BC_STORE && m->code[i + 1] == local)
            return 1;
    return 0;
}

/* How often each local is used, in loops eight times as much. */
static void weigh(const struct method *m, u32 weight[LOCALS])
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

static u32 free_home(const struct making *k)
{
    for (u32 r = 6; r <= 13; r++)
        if ((HOMES & ~k->live) >> r & 1)
            return r;
    return 0;
}

static void give_home(struct making *k, struct variable *x)
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

static void binary(struct making *k, u32 op, const u8 *next)
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
static u32 comparison(struct making *k, u32 op, const u8 *next)
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

/* ---- calls ----------------------------------------------------------------------------------------------------- */

static u16 saved_registers(const struct making *k) { return k->live; }

static void keep_registers(struct code *c, u16 which, const u16 *place, enum rxy op)
{
    for (u32 r = 1; r < 14; r++)
        if (which >> r & 1)
            emit_rxy(c, op, r, R_FRAME, at(place[r]));
}

/* To the callee's entry, in register 1, with its frame from `frame` on. */
static void emit_call(struct making *k, u32 frame, u32 site)
{
    emit_ri(k->c, AGHI, R_FRAME, at(frame));
    if (vm.site[site].planted)
        emit_rinext(k->c);
    code_site(k->c, site);
    emit_basr(k->c, 1);
    emit_ri(k->c, AGHI, R_FRAME, -at(frame));
}

static void store_arguments(struct making *k, const struct value *argument, u32 count, u32 frame)
{
    for (u32 i = 0; i < count; i++) {
        const struct value v = resolved(k, argument[i]);
        if (v.kind == REGISTER)
            emit_rxy(k->c, STG, v.reg, R_FRAME, at(frame + i));
        else {
            load(k, 0, v);
            emit_rxy(k->c, STG, 0, R_FRAME, at(frame + i));
        }
    }
}

/* A call that stays one. */
static void plain_call(struct making *k, u32 site, u32 is_virtual, u32 what, u32 arguments)
{
    struct value argument[8] = {{.kind = CONSTANT}};
    struct code *c = k->c;
    if (arguments > 8 || k->depth < arguments) {
        fail(k);
        return;
    }
    for (u32 i = 0; i + arguments < k->depth; i++)
        spill(k, i);
    for (u32 i = arguments; i; i--)
        argument[i - 1] = pop(k);
    const u32 frame = k->places;
    store_arguments(k, argument, arguments, frame);
    for (u32 i = 0; i < arguments; i++)
        release(k, &argument[i]);
    const u16 saved = saved_registers(k);
    keep_registers(c, saved, k->keep, STG);
    if (is_virtual) {
        emit_rxy(c, LG, 1, R_FRAME, at(frame));
        emit_rxy(c, LG, 1, 1, 0);
        emit_rxy(c, LG, 1, 1, 8 * (s32)what);
    } else
        emit_rxy(c, LG, 1, R_VM, IN_VM(vm.entry[what]));
    emit_call(k, frame, site);
    keep_registers(c, saved, k->keep, LG);
    const u32 r = temporary(k);
    emit_rxy(c, LG, r, R_FRAME, at(frame));
    push_register(k, r);
}

static void helper_call(struct making *k, enum helper helper)
{
    flush(k);
    keep_registers(k->c, saved_registers(k), k->keep, STG);
    emit_helper(k->c, helper);
    emit_rre(k->c, LGR, 0, 2);
    keep_registers(k->c, saved_registers(k), k->keep, LG);
    const u32 r = temporary(k);
    emit_rre(k->c, LGR, r, 0);
    push_register(k, r);
}

static void compile_level(struct making *k);

/* The method's bytecode in place of a call; its arguments are values that are the caller's to release. The result goes
   into the register `result`, or is left on the stack (0). */
static void inline_method(struct making *k, u32 number, const struct value *argument, u32 result)
{
    struct level *l = &k->level[k->levels++];
    const u16 live = k->live;
    const u32 variables = k->variables;
    l->m = &vm.method[number];
    l->number = number;
    l->base = k->depth;
    l->first = (u16)k->variables;
    l->result = result;
    if (k->variables + l->m->locals > VARIABLES) {
        fail(k);
        k->levels--;
        return;
    }
    k->variables += l->m->locals;
    for (u32 i = 0; i < l->m->locals; i++) {
        struct variable *x = &k->variable[l->first + i];
        *x = (struct variable){.bound = 1};
        if (i < l->m->arguments && !stores_to(l->m, i)) {
            x->value = resolved(k, argument[i]);
            const u32 r = x->value.reg;
            if (x->value.kind == REGISTER && !(k->live >> r & 1)) { /* it is to be there until the end */
                k->live |= (u16)(1u << r);
                if (!k->keep[r] || (TEMPORARIES >> r & 1))
                    k->keep[r] = (u16)new_place(k);
            }
            continue;
        }
        give_home(k, x);
        if (i >= l->m->arguments)
            continue;
        if (x->in_register)
            load(k, x->reg, argument[i]);
        else {
            load(k, 0, argument[i]);
            emit_rxy(k->c, STG, 0, R_FRAME, at(x->place));
        }
    }
    compile_level(k);
    k->live = live;
    k->variables = variables;
    k->levels--;
}

static u32 branches(const struct method *m)
{
    for (u32 i = 0; i < m->length; i += bytecode_length(m->code[i]))
        if (m->code[i] >= BC_JMP && m->code[i] <= BC_JNZ)
            return 1;
    return 0;
}

static u32 calls(const struct method *m)
{
    for (u32 i = 0; i < m->length; i += bytecode_length(m->code[i]))
        if (m->code[i] == BC_CALLS || m->code[i] == BC_CALLV || m->code[i] == BC_NEW || m->code[i] == BC_NEWARR)
            return 1;
    return 0;
}

static u32 returns(const struct method *m)
{
    u32 n = 0;
    for (u32 i = 0; i < m->length; i += bytecode_length(m->code[i]))
        n += m->code[i] == BC_RET;
    return n;
}

static u32 may_inline(const struct making *k, u32 number)
{
    const struct method *m = &vm.method[number];
    if (m->operations > INLINE_MOST || k->levels == DEEPEST)
        return 0;
    for (u32 i = 0; i < k->levels; i++)
        if (k->level[i].number == number)
            return 0;
    return 1;
}

static void inline_static(struct making *k, u32 number)
{
    struct value argument[8] = {{.kind = CONSTANT}};
    const struct method *m = &vm.method[number];
    u32 result = 0;
    if (branches(m) || calls(m)) /* what is below stays where it is on all ways */
        for (u32 i = 0; i + m->arguments < k->depth; i++)
            spill(k, i);
    for (u32 i = m->arguments; i; i--)
        argument[i - 1] = pop_argument(k);
    if (returns(m) > 1 || branches(m)) {
        result = temporary(k);
        k->used |= (u16)(1u << result);
        k->pins[result]++;
    }
    inline_method(k, number, argument, result);
    for (u32 i = 0; i < m->arguments; i++)
        release(k, &argument[i]);
    if (result) {
        push_register(k, result);
        k->pins[result]--;
    }
}

static const struct klass *class_with(u32 slot, u32 method)
{
    for (u32 i = 0; i < vm.classes; i++)
        if (vm.klass[i].method[slot] == method)
            return &vm.klass[i];
    return NULL;
}

/* Virtual call: bodies behind guards for the one or two commonest targets, the call itself behind the method. */
static u32 inline_virtual(struct making *k, u32 site, u32 slot, u32 arguments)
{
    u16 target[2];
    const enum site_kind kind = site_decided(&vm.site[site], target);
    struct version *v = k->c->version;
    struct value argument[8] = {{.kind = CONSTANT}};
    u32 count = kind == SITE_BI ? 2 : kind == SITE_MONO ? 1 : 0, taken;
    for (u32 i = 0; i < count; i++)
        if (!may_inline(k, target[i]) || !class_with(slot, target[i]))
            count = i;
    if (!count || k->laters == LATER || v->inlined == INLINED || arguments > 8 || vm.site[site].planted)
        return 0;
    for (u32 i = 0; i + arguments < k->depth; i++)
        spill(k, i);
    for (u32 i = arguments; i; i--)
        argument[i - 1] = pop_argument(k);
    const u32 result = temporary(k);
    k->used |= (u16)(1u << result);
    k->pins[result]++;
    if (resolved(k, argument[0]).kind != REGISTER) {
        const u32 r = in_register(k, argument[0], &taken);
        argument[0] = (struct value){.kind = REGISTER, .reg = (u8)r};
        k->pins[r]++;
    }
    struct later *later = &k->later[k->laters++];
    *later = (struct later){.label = code_label(k->c),
                            .back = code_label(k->c),
                            .site = site,
                            .arguments = arguments,
                            .slot = slot,
                            .result = result,
                            .saved = saved_registers(k)};
    for (u32 i = 0; i < arguments; i++)
        later->argument[i] = resolved(k, argument[i]);
    memcpy(later->saved_place, k->keep, sizeof k->keep);
    v->guard_site[v->inlined] = (u16)site;
    v->guard_target[v->inlined][0] = target[0];
    v->guard_target[v->inlined++][1] = count == 2 ? target[1] : (u16)NO_METHOD;
    const u32 object = resolved(k, argument[0]).reg;
    emit_rxy(k->c, LG, 0, object, 0);
    for (u32 i = 0; i < count; i++) {
        const u32 next = i + 1 == count ? later->label : code_label(k->c);
        if (i) /* the body before has used register 0 */
            emit_rxy(k->c, LG, 0, object, 0);
        emit_ril(k->c, CLGFI, 0, (s64)(u64)class_with(slot, target[i]));
        emit_branch(k->c, MASK_NOT_EQUAL, next);
        inline_method(k, target[i], argument, result);
        if (i + 1 < count) {
            emit_branch(k->c, MASK_ALWAYS, later->back);
            code_here(k->c, next);
        }
    }
    code_here(k->c, later->back);
    for (u32 i = 0; i < arguments; i++)
        release(k, &argument[i]);
    push_register(k, result);
    k->pins[result]--;
    return 1;
}

/* counter-g: a guard has failed. The class is counted in the site's receiver cache, and after many the method is
   compiled again. */
static void count_failure(struct making *k, u32 site, u32 frame)
{
    struct code *c = k->c;
    const u32 done = code_label(c), past = code_label(c);
    emit_rxy(c, LG, 2, R_FRAME, at(frame));
    emit_rxy(c, LG, 2, 2, 0);
    for (u32 i = 0; i < 2; i++) {
        const u32 other = code_label(c);
        emit_rxy(c, CG, 2, R_VM, IN_VM(vm.site[site].klass[i]));
        emit_branch(c, MASK_NOT_EQUAL, other);
        emit_add_memory(c, R_VM, IN_VM(vm.site[site].seen[i]), 1);
        emit_branch(c, MASK_ALWAYS, done);
        code_here(c, other);
    }
    emit_rxy(c, STG, 2, R_VM, IN_VM(vm.receiver));
    emit_constant(c, 0, (s64)site);
    emit_helper(c, HELPER_RECEIVER);
    code_here(c, done);
    emit_add_memory(c, R_VM, IN_VM(vm.method[k->number].guard_count), -1);
    emit_branch(c, MASK_NOT_EQUAL, past);
    emit_constant(c, 0, (s64)k->number);
    emit_helper(c, HELPER_TRIGGER);
    code_here(c, past);
}

static void calls_later(struct making *k)
{
    struct code *c = k->c;
    for (u32 i = 0; i < k->laters; i++) {
        const struct later *l = &k->later[i];
        const u32 frame = k->places;
        code_here(c, l->label);
        store_arguments(k, l->argument, l->arguments, frame);
        keep_registers(c, l->saved, l->saved_place, STG);
        if (vm.mode == COUNTER_G)
            count_failure(k, l->site, frame);
        emit_rxy(c, LG, 1, R_FRAME, at(frame));
        emit_rxy(c, LG, 1, 1, 0);
        emit_rxy(c, LG, 1, 1, 8 * (s32)l->slot);
        emit_call(k, frame, l->site);
        keep_registers(c, l->saved, l->saved_place, LG);
        emit_rxy(c, LG, l->result, R_FRAME, at(frame));
        emit_branch(c, MASK_ALWAYS, l->back);
    }
}

static void call(struct making *k, const u8 *p, u32 bci)
{
    const struct level *l = &k->level[k->levels - 1];
    const u32 site = site_at(l->number, bci);
    if (*p == BC_CALLS) {
        const u32 callee = (u32)p[1] << 8 | p[2];
        if (may_inline(k, callee))
            inline_static(k, callee);
        else
            plain_call(k, site, 0, callee, vm.method[callee].arguments);
    } else if (!inline_virtual(k, site, p[1], p[2]))
        plain_call(k, site, 1, p[1], p[2]);
}

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
static void compile_level(struct making *k)
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
                fail(k);
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
