/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From text to methods: names of bytecodes, numbers, labels ("loop:"), names of methods and classes. A program's text
   is ours, so that what is wrong in it ends the run. */
#include "build.h"

#define TEXT_MOST 60000u
#define LABELS    24u

static const struct {
    const char *name;
    u8 operands; /* 1 i8 or n, 4 i32, 2 label, 3 method, 5 slot and arguments, 6 class */
    signed char effect;
} bytecodes[BC_COUNT] = {
    {"nop", 0, 0},   {"push8", 1, 1},  {"push", 4, 1},  {"load", 1, 1}, {"store", 1, -1}, {"dup", 0, 1},
    {"pop", 0, -1},  {"swap", 0, 0},   {"add", 0, -1},  {"sub", 0, -1}, {"mul", 0, -1},   {"and", 0, -1},
    {"xor", 0, -1},  {"or", 0, -1},    {"shl", 0, -1},  {"shr", 0, -1}, {"jmp", 2, 0},    {"jz", 2, -1},
    {"jnz", 2, -1},  {"calls", 3, 0},  {"callv", 5, 0}, {"ret", 0, 0},  {"new", 6, 1},    {"getf", 1, 0},
    {"putf", 1, -2}, {"newarr", 0, 0}, {"ald", 0, -1},  {"ast", 0, -3}, {"lt", 0, -1},    {"eq", 0, -1},
    {"sum", 0, -1},  {"halt", 0, 0},
};

static u8 text[TEXT_MOST];
static u32 text_used;
struct place {
    char name[8];
    s32 bci; /* -1: not yet */
};
struct making {
    struct method *m;
    u8 *code;
    u32 n;
    s32 depth, most;
    struct place label[LABELS];
    u32 labels;
    struct {
        u32 at, label;
    } jump[LABELS * 4];
    u32 jumps;
};

static u32 same(const char *a, const char *word, u32 length)
{
    u32 i = 0;
    for (; i < length; i++)
        if (a[i] != word[i])
            return 0;
    return !a[i];
}

u32 method_named(const char *word, u32 length)
{
    for (u32 i = 0; i < vm.methods; i++)
        if (same(vm.method[i].name, word, length))
            return i;
    return NO_METHOD;
}

static u32 word_end(const char *p)
{
    u32 n = 0;
    while (p[n] && p[n] != ' ')
        n++;
    return n;
}

static const char *next_word(const char *p)
{
    p += word_end(p);
    while (*p == ' ')
        p++;
    return p;
}

static s64 number(const char *p)
{
    s64 sign = *p == '-' ? -1 : 1, value = 0;
    for (p += *p == '-'; *p >= '0' && *p <= '9'; p++)
        value = value * 10 + (*p - '0');
    return sign * value;
}

static u32 label(struct making *k, const char *word, u32 length)
{
    for (u32 i = 0; i < k->labels; i++)
        if (same(k->label[i].name, word, length))
            return i;
    struct place *l = &k->label[k->labels];
    if (k->labels == LABELS || length > 7)
        build_fail(k->m->name, word);
    memcpy(l->name, word, length);
    l->name[length] = 0;
    l->bci = -1;
    return k->labels++;
}

static void byte(struct making *k, s64 value) { k->code[k->n++] = (u8)value; }

static void callee(struct making *k, const char *word, u32 length)
{
    const u32 number = method_named(word, length); /* callees stand before their callers */
    if (number == NO_METHOD)
        build_fail(k->m->name, word);
    byte(k, number >> 8);
    byte(k, number);
}

/* The operands of a bytecode that has some; returns the last of their words. */
static const char *operands(struct making *k, u32 op, const char *p)
{
    p = next_word(p);
    const u32 length = word_end(p);
    switch (bytecodes[op].operands) {
    case 1:
        byte(k, number(p));
        break;
    case 2:
        k->jump[k->jumps].at = k->n - 1;
        k->jump[k->jumps++].label = label(k, p, length);
        k->n += 2;
        break;
    case 3:
        callee(k, p, length);
        p = next_word(p);
        k->depth += 1 - (s32)number(p); /* arguments, for the depth */
        break;
    case 4: {
        const s64 value = number(p);
        if (value >= -128 && value < 128) {
            k->code[k->n - 1] = BC_PUSH8;
            byte(k, value);
            break;
        }
        for (u32 i = 0; i < 4; i++)
            byte(k, value >> (24 - 8 * i));
        break;
    }
    case 5:
        byte(k, number(p));
        p = next_word(p);
        byte(k, number(p));
        k->depth += 1 - (s32)number(p);
        break;
    default:
        byte(k, number(p));
    }
    return p;
}

static void jumps_settle(struct making *k)
{
    for (u32 i = 0; i < k->jumps; i++) {
        const struct place *to = &k->label[k->jump[i].label];
        const s32 distance = to->bci - (s32)k->jump[i].at;
        if (to->bci < 0)
            build_fail(k->m->name, to->name);
        k->code[k->jump[i].at + 1] = (u8)(distance >> 8);
        k->code[k->jump[i].at + 2] = (u8)distance;
    }
}

u32 build_method(const char *name, u32 arguments, u32 locals, const char *p)
{
    static struct making k;
    struct method *m = &vm.method[vm.methods];
    memset(&k, 0, sizeof k);
    k.m = m;
    k.code = text + text_used;
    m->name = name;
    m->code = k.code;
    m->arguments = (u8)arguments;
    m->locals = (u8)locals;
    for (; *p; p = next_word(p)) {
        const u32 length = word_end(p);
        u32 op = 0;
        if (p[length - 1] == ':') {
            k.label[label(&k, p, length - 1)].bci = (s32)k.n;
            continue;
        }
        while (op < BC_COUNT && !same(bytecodes[op].name, p, length))
            op++;
        if (op == BC_COUNT || k.n > CODE_MOST - 8 || text_used + k.n > TEXT_MOST - 8 || vm.methods == METHODS - 1)
            build_fail(name, p);
        byte(&k, op);
        m->operations++;
        k.depth += bytecodes[op].effect;
        if (bytecodes[op].operands)
            p = operands(&k, op, p);
        k.most = k.depth > k.most ? k.depth : k.most;
        if (k.depth < 0)
            build_fail(name, p);
        if (op == BC_RET || op == BC_JMP)
            k.depth = 0;
    }
    jumps_settle(&k);
    m->length = (u16)k.n;
    m->depth = (u8)(k.most + 2);
    text_used += k.n;
    return vm.methods++;
}

/* A site for each call; methods' sites stand together. */
static void add_sites(u32 number)
{
    struct method *m = &vm.method[number];
    m->site0 = (u16)(vm.sites + 1);
    for (u32 i = 0; i < m->length; i += bytecode_length(m->code[i])) {
        if (m->code[i] != BC_CALLS && m->code[i] != BC_CALLV)
            continue;
        struct site *s = &vm.site[vm.sites++];
        if (vm.sites == SITES)
            build_fail(m->name, "sites");
        s->method = (u16)number;
        s->bci = (u16)i;
        s->is_virtual = m->code[i] == BC_CALLV;
        m->virtuals |= s->is_virtual;
        s->slot = s->is_virtual ? m->code[i + 1] : 0;
    }
}

void build_link(void)
{
    for (u32 i = 0; i < vm.methods; i++)
        add_sites(i);
}

u32 bytecode_length(u32 op)
{
    static const u8 by_kind[7] = {1, 2, 3, 3, 5, 3, 2};
    return op < BC_COUNT ? by_kind[bytecodes[op].operands] : 1;
}

s32 bytecode_effect(u32 op) { return bytecodes[op].effect; }

u32 build_class(const char *name, u32 fields, const char *const methods[SLOTS])
{
    struct klass *c = &vm.klass[vm.classes];
    c->name = name;
    c->number = vm.classes;
    c->fields = (u16)fields;
    for (u32 i = 0; i < SLOTS; i++) {
        u32 length = 0;
        while (methods[i] && methods[i][length])
            length++;
        c->method[i] = (u16)(methods[i] ? method_named(methods[i], length) : NO_METHOD);
    }
    return vm.classes++;
}
