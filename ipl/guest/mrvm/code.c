/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Emitting, and the code cache: versions, the map from addresses to them, discarding. Places of the cache are used
   again when a version was discarded; a group that is older than the version which it points into is recognized by
   time. */
#include "code.h"

void emit2(struct code *c, u32 bytes)
{
    if (c->n > EMIT_MOST - 8) {
        c->failed = 1;
        return;
    }
    c->bytes[c->n++] = (u8)(bytes >> 8);
    c->bytes[c->n++] = (u8)bytes;
}

void emit4(struct code *c, u32 bytes)
{
    emit2(c, bytes >> 16);
    emit2(c, bytes & 0xffff);
}

void emit6(struct code *c, u64 bytes)
{
    emit4(c, (u32)(bytes >> 16));
    emit2(c, bytes & 0xffff);
}

u32 code_label(struct code *c)
{
    if (c->labels == CODE_LABELS) {
        c->failed = 1;
        return 0;
    }
    c->label[c->labels] = -1;
    return c->labels++;
}

void code_here(struct code *c, u32 label) { c->label[label] = (s32)c->n; }

void emit_branch(struct code *c, u32 mask, u32 label)
{
    if (c->fixes == CODE_FIXES) {
        c->failed = 1;
        return;
    }
    c->fix[c->fixes].at = c->n;
    c->fix[c->fixes++].label = label;
    emit6(c, (u64)(0xc004 | mask << 4) << 32);
}

static void fix_branches(struct code *c)
{
    for (u32 i = 0; i < c->fixes; i++) {
        const u32 at = c->fix[i].at;
        const u32 halfwords = (u32)((c->label[c->fix[i].label] - (s32)at) / 2);
        if (c->label[c->fix[i].label] < 0)
            c->failed = 1;
        for (u32 k = 0; k < 4; k++)
            c->bytes[at + 2 + k] = (u8)(halfwords >> (24 - 8 * k));
    }
}

void code_site(struct code *c, u32 site)
{
    if (c->sites == CODE_SITES) {
        c->failed = 1;
        return;
    }
    c->site[c->sites].at = c->n;
    c->site[c->sites++].site = site;
}

void emit_rxy_index(struct code *c, enum rxy op, u32 r, u32 base, u32 index, s32 d)
{
    emit6(c, (u64)0xe3 << 40 | (u64)r << 36 | (u64)index << 32 | (u64)base << 28 | ((u64)d & 0xfff) << 16 |
                 ((u64)(d >> 12) & 0xff) << 8 | op);
}
void emit_rxy(struct code *c, enum rxy op, u32 r, u32 base, s32 d) { emit_rxy_index(c, op, r, base, 0, d); }
void emit_rre(struct code *c, enum rre op, u32 r1, u32 r2) { emit4(c, (u32)op << 16 | r1 << 4 | r2); }
void emit_rrf(struct code *c, enum rrf op, u32 r1, u32 r2, u32 r3)
{
    emit4(c, (u32)op << 16 | r3 << 12 | r1 << 4 | r2);
}
void emit_shift(struct code *c, enum rsy op, u32 r1, u32 r3, u32 base, s32 d)
{
    emit6(c, (u64)0xeb << 40 | (u64)r1 << 36 | (u64)r3 << 32 | (u64)base << 28 | ((u64)d & 0xfff) << 16 | op);
}
void emit_ri(struct code *c, enum ri_op op, u32 r, s32 value)
{
    emit4(c, 0xa7000000u | r << 20 | (u32)op << 16 | ((u32)value & 0xffff));
}
void emit_ril(struct code *c, enum ril_op op, u32 r, s64 value)
{
    emit6(c, (u64)(op >> 4) << 40 | (u64)r << 36 | ((u64)op & 15) << 32 | ((u64)value & 0xffffffff));
}
void emit_add_memory(struct code *c, u32 base, s32 d, s32 value)
{
    emit6(c, (u64)0xeb << 40 | ((u64)value & 0xff) << 32 | (u64)base << 28 | ((u64)d & 0xfff) << 16 |
                 ((u64)(d >> 12) & 0xff) << 8 | 0x7a);
}
void emit_constant(struct code *c, u32 r, s64 value)
{
    if (value >= -32768 && value < 32768)
        emit_ri(c, LGHI, r, (s32)value);
    else
        emit_ril(c, LGFI, r, value);
}
void emit_rinext(struct code *c) { emit4(c, 0xaa000000); }
void emit_basr(struct code *c, u32 r) { emit2(c, 0x0d00 | R_LINK << 4 | r); }

void emit_helper(struct code *c, enum helper helper)
{
    emit_rxy(c, LG, 1, R_VM, IN_VM(vm.helper[helper]));
    emit_basr(c, 1);
}

void emit_entry(struct code *c, const struct method *m, u32 *poll, u32 *back)
{
    *poll = code_label(c);
    *back = code_label(c);
    emit_rxy(c, STG, R_LINK, R_FRAME, 8 * m->locals);
    emit6(c, (u64)0xe555 << 32 | (u64)R_BUFFER << 28 | 2ul << 16 | GROUP_LIMIT); /* CLHHSI: NRG */
    emit_branch(c, MASK_NOT_LOW, *poll);
    code_here(c, *back);
}

void emit_poll(struct code *c, u32 poll, u32 back)
{
    code_here(c, poll);
    emit_helper(c, HELPER_POLL);
    emit_branch(c, MASK_ALWAYS, back);
}

u32 site_at(u32 method, u32 bci)
{
    u32 s = vm.method[method].site0 - 1u;
    while (vm.site[s].bci != bci)
        s++;
    return s;
}

/* ---- the cache ------------------------------------------------------------------------------------------------- */

/* Offset of a free place of so many blocks, all ones: there is none. Places that were used before come first. */
static u32 place(u32 blocks)
{
    u32 run = 0;
    for (u32 b = 0; b < vm.code_next; b++) {
        run = vm.map[b] ? 0 : run + 1;
        if (run == blocks) {
            vm.newest = tod();
            return b + 1 - blocks;
        }
    }
    if (vm.code_next + blocks > BLOCKS)
        return ~0u;
    vm.code_next += blocks;
    return vm.code_next - blocks;
}

static void set_entry(u32 number, u64 entry)
{
    vm.entry[number] = entry;
    for (u32 k = 0; k < vm.classes; k++)
        for (u32 s = 0; s < SLOTS; s++)
            if (vm.klass[k].method[s] == number)
                vm.klass[k].code[s] = entry;
}

static u32 free_version(void)
{
    for (u32 i = 1; i < vm.versions; i++)
        if (vm.version[i].died && !vm.version[i].length)
            return i;
    return vm.versions < VERSIONS ? vm.versions++ : 0;
}

/* The code gets its place, and is what the method is from its next call on. */
static u32 install(struct code *c, u32 number, enum tier tier)
{
    struct method *m = &vm.method[number];
    const u32 blocks = (c->n + BLOCK - 1) / BLOCK, index = (u32)(c->version - vm.version);
    const u32 at = c->failed ? ~0u : place(blocks);
    if (at == ~0u) {
        c->version->died = 1;
        c->version->length = 0;
        return 0;
    }
    struct version *v = c->version;
    const u64 start = CODE_START + (u64)at * BLOCK;
    v->start = start;
    v->length = blocks * BLOCK;
    v->born = tod();
    v->died = 0;
    v->method = (u16)number;
    v->tier = (u8)tier;
    v->retired = 0;
    for (u32 b = 0; b < blocks; b++) {
        vm.map[at + b] = (u16)index;
        vm.method_map[at + b] = (u16)(tier == T0 ? 0 : number + 1);
    }
    memcpy((void *)start, c->bytes, c->n);
    memset(SITE_MAP + (start - CODE_START) / 2, 0, v->length);
    for (u32 i = 0; i < c->sites; i++)
        SITE_MAP[(start - CODE_START + c->site[i].at) / 2] = (u16)((c->site[i].site + 1) * SITE_SCALE);
    if (m->version)
        vm.version[m->version].retired = 1;
    m->version = (u16)index;
    m->tier = (u8)tier;
    set_entry(number, start);
    return c->n;
}

void version_discard(struct version *v)
{
    for (u32 b = 0; b < v->length / BLOCK; b++) {
        vm.map[(v->start - CODE_START) / BLOCK + b] = 0;
        vm.method_map[(v->start - CODE_START) / BLOCK + b] = 0;
    }
    memset(SITE_MAP + (v->start - CODE_START) / 2, 0, v->length);
    v->died = tod();
    v->length = 0;
}

/* No frame is on the stack: what was replaced goes. */
void versions_collect(void)
{
    for (u32 i = 1; i < vm.versions; i++)
        if (vm.version[i].retired && vm.version[i].length)
            version_discard(&vm.version[i]);
}

static struct code being;

static struct code *begin(void)
{
    struct code *c = &being;
    const u32 index = free_version();
    c->n = c->failed = c->labels = c->fixes = c->sites = 0;
    c->failed = !index;
    c->version = &vm.version[index];
    c->version->inlined = 0;
    return c;
}

/* Two instructions that lead into the interpreter. */
void method_interpreted(u16 number)
{
    struct code *c = begin();
    emit_constant(c, 0, number);
    emit_rxy(c, LG, 1, R_VM, IN_VM(vm.helper[HELPER_INTERPRET]));
    emit2(c, 0x07f1);
    (void)install(c, number, T0);
    vm.method[number].tier = T0;
}

u32 method_compile(u16 number, enum tier tier, enum why why, u32 detail)
{
    const u64 before = instructions();
    struct code *c = begin();
    struct method *m = &vm.method[number];
    const u8 from = m->tier;
    if (c->failed)
        return 0;
    if (tier == T1)
        compile1(c, number);
    else
        compile2(c, number);
    fix_branches(c);
    const u32 bytes = install(c, number, tier);
    if (bytes)
        event_tier(number, from, (u8)tier, (u8)why, detail, bytes);
    vm.compile_insn += instructions() - before;
    return bytes;
}
