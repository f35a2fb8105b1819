/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of the second compiler: plain ones, inlined ones, those behind guards. */
#include "compile2.h"

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
        making_fail(k);
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

void helper_call(struct making *k, enum helper helper)
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
        making_fail(k);
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

void calls_later(struct making *k)
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

void call(struct making *k, const u8 *p, u32 bci)
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
