/* SPDX-License-Identifier: GPL-3.0-or-later */
/* T1, the template compiler: one fixed sequence for each bytecode, operands in the frame. In the counter modes there
   are counters at the entry and at backward branches, and a receiver cache of two entries at each virtual call. */
#include "code.h"

struct making {
    struct code *c;
    const struct method *m;
    u32 number, depth, ended;
    s16v label[CODE_MOST]; /* of a branch's target, by bci; -1: none */
    u8 at[CODE_MOST];      /* depth of the stack there */
    u32 trigger[8], back[8], triggers;
    struct {
        u32 label, back, site;
    } receiver[16];
    u32 receivers;
};

/* Displacements in the frame: a place of the operand stack by depth, 0 the bottom one. */
static s32 stack(const struct making *k, u32 depth) { return 8 * (s32)(k->m->locals + 1 + depth); }

static u32 target(struct making *k, u32 bci)
{
    if (k->label[bci] < 0)
        k->label[bci] = (s16v)code_label(k->c);
    k->at[bci] = (u8)k->depth;
    return (u32)k->label[bci];
}

/* Counter modes: counts down, and leads to the trigger when it has become zero. */
static void count(struct making *k)
{
    if (!vm.profile_code)
        return;
    emit_add_memory(k->c, R_VM, IN_VM(vm.method[k->number].counter), -1);
    k->trigger[k->triggers] = code_label(k->c);
    k->back[k->triggers] = code_label(k->c);
    emit_branch(k->c, MASK_EQUAL, k->trigger[k->triggers]);
    code_here(k->c, k->back[k->triggers]);
    if (++k->triggers == 8)
        k->c->failed = 1, k->triggers = 7;
}

static void jump(struct making *k, u32 op, u32 bci, s32 distance)
{
    struct code *c = k->c;
    const u32 to = bci + (u32)distance;
    if (op != BC_JMP)
        emit_rxy(c, LTG, 0, R_FRAME, stack(k, --k->depth));
    const u32 mask = op == BC_JMP ? MASK_ALWAYS : op == BC_JZ ? MASK_EQUAL : MASK_NOT_EQUAL;
    const u32 label = target(k, to);
    if (distance >= 0 || !vm.profile_code || op == BC_JMP) {
        if (distance < 0)
            count(k);
        emit_branch(c, mask, label);
        return;
    }
    const u32 past = code_label(c);
    emit_branch(c, 15 ^ mask, past);
    count(k);
    emit_branch(c, MASK_ALWAYS, label);
    code_here(c, past);
}

/* The class in register 2 is looked for in the site's receiver cache. */
static void receiver(struct making *k, u32 site)
{
    struct code *c = k->c;
    struct site *s = &vm.site[site];
    const u32 other = code_label(c), back = code_label(c);
    emit_rxy(c, CG, 2, R_VM, IN_VM(s->klass[0]));
    emit_branch(c, MASK_NOT_EQUAL, other);
    emit_add_memory(c, R_VM, IN_VM(s->seen[0]), 1);
    code_here(c, back);
    if (k->receivers == 16) {
        c->failed = 1;
        return;
    }
    k->receiver[k->receivers].label = other;
    k->receiver[k->receivers].back = back;
    k->receiver[k->receivers++].site = site;
}

static void receivers_elsewhere(struct making *k)
{
    struct code *c = k->c;
    for (u32 i = 0; i < k->receivers; i++) {
        struct site *s = &vm.site[k->receiver[i].site];
        const u32 slow = code_label(c);
        code_here(c, k->receiver[i].label);
        emit_rxy(c, CG, 2, R_VM, IN_VM(s->klass[1]));
        emit_branch(c, MASK_NOT_EQUAL, slow);
        emit_add_memory(c, R_VM, IN_VM(s->seen[1]), 1);
        emit_branch(c, MASK_ALWAYS, k->receiver[i].back);
        code_here(c, slow);
        emit_rxy(c, STG, 2, R_VM, IN_VM(vm.receiver));
        emit_constant(c, 0, (s64)k->receiver[i].site);
        emit_helper(c, HELPER_RECEIVER);
        emit_rxy(c, LG, 2, R_VM, IN_VM(vm.receiver));
        emit_branch(c, MASK_ALWAYS, k->receiver[i].back);
    }
}

static void call(struct making *k, u32 bci, u32 op, u32 a, u32 b)
{
    struct code *c = k->c;
    const u32 callee = a << 8 | b, site = site_at(k->number, bci);
    const u32 arguments = op == BC_CALLS ? vm.method[callee].arguments : b;
    k->depth -= arguments;
    const s32 frame = stack(k, k->depth);
    if (op == BC_CALLS)
        emit_rxy(c, LG, 1, R_VM, IN_VM(vm.entry[callee]));
    else {
        emit_rxy(c, LG, 1, R_FRAME, frame);
        emit_rxy(c, LG, 2, 1, 0);
        if (vm.profile_code)
            receiver(k, site);
        emit_rxy(c, LG, 1, 2, 8 * (s32)a);
    }
    emit_ri(c, AGHI, R_FRAME, frame);
    if (vm.site[site].planted)
        emit_rinext(c);
    code_site(c, site);
    emit_basr(c, 1);
    emit_ri(c, AGHI, R_FRAME, -frame);
    k->depth++;
}

/* Operators on the two uppermost values. */
static void binary(struct making *k, u32 op)
{
    static const u8 memory[] = {
        [BC_ADD] = AG, [BC_SUB] = SG, [BC_MUL] = MSG, [BC_AND] = NG, [BC_XOR] = XG, [BC_OR] = OG};
    struct code *c = k->c;
    const s32 b = stack(k, --k->depth), a = stack(k, k->depth - 1);
    emit_rxy(c, LG, 0, R_FRAME, a);
    switch (op) {
    case BC_SHL:
    case BC_SHR:
        emit_rxy(c, LG, 1, R_FRAME, b);
        emit_shift(c, op == BC_SHL ? SLLG : SRAG, 0, 0, 1, 0);
        break;
    case BC_LT:
    case BC_EQ:
        emit_ri(c, LGHI, 1, 0);
        emit_ri(c, LGHI, 2, 1);
        emit_rxy(c, CG, 0, R_FRAME, b);
        emit_rrf(c, LOCGR, 1, 2, op == BC_LT ? MASK_LOW : MASK_EQUAL);
        emit_rxy(c, STG, 1, R_FRAME, a);
        return;
    default:
        emit_rxy(c, (enum rxy)memory[op], 0, R_FRAME, b);
    }
    emit_rxy(c, STG, 0, R_FRAME, a);
}

static void objects(struct making *k, u32 op, u32 n)
{
    struct code *c = k->c;
    switch (op) {
    case BC_NEW:
        emit_constant(c, 0, (s64)n);
        emit_helper(c, HELPER_NEW);
        emit_rxy(c, STG, 2, R_FRAME, stack(k, k->depth++));
        break;
    case BC_NEWARR:
        emit_rxy(c, LG, 0, R_FRAME, stack(k, k->depth - 1));
        emit_helper(c, HELPER_NEWARR);
        emit_rxy(c, STG, 2, R_FRAME, stack(k, k->depth - 1));
        break;
    case BC_GETF:
        emit_rxy(c, LG, 1, R_FRAME, stack(k, k->depth - 1));
        emit_rxy(c, LG, 0, 1, 8 + 8 * (s32)n);
        emit_rxy(c, STG, 0, R_FRAME, stack(k, k->depth - 1));
        break;
    case BC_PUTF:
        k->depth -= 2;
        emit_rxy(c, LG, 1, R_FRAME, stack(k, k->depth));
        emit_rxy(c, LG, 0, R_FRAME, stack(k, k->depth + 1));
        emit_rxy(c, STG, 0, 1, 8 + 8 * (s32)n);
        break;
    case BC_ALD:
    case BC_AST:
        k->depth -= op == BC_ALD ? 2 : 3;
        emit_rxy(c, LG, 1, R_FRAME, stack(k, k->depth));
        emit_rxy(c, LG, 2, R_FRAME, stack(k, k->depth + 1));
        emit_shift(c, SLLG, 2, 2, 0, 3);
        if (op == BC_ALD)
            emit_rxy_index(c, LG, 0, 1, 2, 8);
        else
            emit_rxy(c, LG, 0, R_FRAME, stack(k, k->depth + 2));
        if (op == BC_ALD)
            emit_rxy(c, STG, 0, R_FRAME, stack(k, k->depth++));
        else
            emit_rxy_index(c, STG, 0, 1, 2, 8);
        break;
    default:
        break;
    }
}

static void moves(struct making *k, u32 op, const u8 *p)
{
    struct code *c = k->c;
    switch (op) {
    case BC_PUSH8: /* MVGHI */
        emit6(c, (u64)0xe548 << 32 | (u64)R_FRAME << 28 | (u64)stack(k, k->depth++) << 16 |
                     ((u64)(signed char)p[1] & 0xffff));
        return;
    case BC_PUSH32:
        emit_ril(c, LGFI, 0, (s32)((u32)p[1] << 24 | (u32)p[2] << 16 | (u32)p[3] << 8 | p[4]));
        break;
    case BC_LOAD:
        emit_rxy(c, LG, 0, R_FRAME, 8 * p[1]);
        break;
    case BC_STORE:
        emit_rxy(c, LG, 0, R_FRAME, stack(k, --k->depth));
        emit_rxy(c, STG, 0, R_FRAME, 8 * p[1]);
        return;
    case BC_DUP:
        emit_rxy(c, LG, 0, R_FRAME, stack(k, k->depth - 1));
        break;
    case BC_SWAP:
        emit_rxy(c, LG, 0, R_FRAME, stack(k, k->depth - 1));
        emit_rxy(c, LG, 1, R_FRAME, stack(k, k->depth - 2));
        emit_rxy(c, STG, 0, R_FRAME, stack(k, k->depth - 2));
        emit_rxy(c, STG, 1, R_FRAME, stack(k, k->depth - 1));
        return;
    default:
        return;
    }
    emit_rxy(c, STG, 0, R_FRAME, stack(k, k->depth++));
}

static void one(struct making *k, u32 bci)
{
    const u8 *p = k->m->code + bci;
    struct code *c = k->c;
    const s32 distance = (s16v)(p[1] << 8 | p[2]);
    switch (*p) {
    case BC_JMP:
    case BC_JZ:
    case BC_JNZ:
        jump(k, *p, bci, distance);
        break;
    case BC_CALLS:
    case BC_CALLV:
        call(k, bci, *p, p[1], p[2]);
        break;
    case BC_RET:
    case BC_HALT:
        if (*p == BC_RET)
            emit_rxy(c, LG, 0, R_FRAME, stack(k, --k->depth));
        else
            emit_constant(c, 0, 0);
        emit_rxy(c, STG, 0, R_FRAME, 0);
        emit_rxy(c, LG, R_LINK, R_FRAME, 8 * k->m->locals);
        emit2(c, 0x07f0 | R_LINK);
        break;
    case BC_POP:
        k->depth--;
        break;
    case BC_SUM:
        emit_rxy(c, LG, 0, R_VM, IN_VM(vm.checksum));
        emit_shift(c, RLLG, 0, 0, 0, 7);
        emit_rxy(c, AG, 0, R_FRAME, stack(k, --k->depth));
        emit_rxy(c, STG, 0, R_VM, IN_VM(vm.checksum));
        break;
    case BC_NEW:
    case BC_NEWARR:
    case BC_GETF:
    case BC_PUTF:
    case BC_ALD:
    case BC_AST:
        objects(k, *p, p[1]);
        break;
    case BC_PUSH8:
    case BC_PUSH32:
    case BC_LOAD:
    case BC_STORE:
    case BC_DUP:
    case BC_SWAP:
        moves(k, *p, p);
        break;
    case BC_NOP:
        break;
    default:
        binary(k, *p);
    }
}

void compile1(struct code *c, u32 number)
{
    static struct making k;
    u32 poll, back;
    k.c = c;
    k.m = &vm.method[number];
    k.number = number;
    k.depth = k.ended = k.triggers = k.receivers = 0;
    for (u32 i = 0; i < k.m->length; i++)
        k.label[i] = -1;
    emit_entry(c, k.m, &poll, &back);
    count(&k);
    /* Targets of backward branches have to be known before: a label for each place that is branched to. */
    for (u32 i = 0; i < k.m->length; i += bytecode_length(k.m->code[i]))
        if (k.m->code[i] >= BC_JMP && k.m->code[i] <= BC_JNZ)
            (void)target(&k, i + (u32)(s16v)(k.m->code[i + 1] << 8 | k.m->code[i + 2]));
    for (u32 i = 0; i < k.m->length; i += bytecode_length(k.m->code[i])) {
        if (k.label[i] >= 0) {
            code_here(c, (u32)k.label[i]);
            if (k.ended)
                k.depth = k.at[i];
        }
        k.ended = k.m->code[i] == BC_JMP || k.m->code[i] == BC_RET;
        one(&k, i);
    }
    emit_poll(c, poll, back);
    for (u32 i = 0; i < k.triggers; i++) {
        code_here(c, k.trigger[i]);
        emit_constant(c, 0, number);
        emit_helper(c, HELPER_TRIGGER);
        emit_branch(c, MASK_ALWAYS, k.back[i]);
    }
    receivers_elsewhere(&k);
}
