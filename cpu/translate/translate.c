/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The translator of a CPU: when a block is translated, and how its instructions follow each other. */
#include "config.h"

#include "cpu/translate/internal.h"
#include "cpu/engine/handlers.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define BUFFER (UINT64_C(64) << 20)
/* Executions before a block is translated. */
#define HEAT 16u
/* A block is left to handlers when fewer of its instructions have templates, for each that has none: each of those
   takes registers to storage and back. */
#define WORTH 3u

/* ---- one block -------------------------------------------------------------------------------------------------- */

/* Templates of the block's instructions; NULL: none. */
struct plan {
    unsigned count, good, bad, edges;
    const struct template *templates[BLOCK_INSTRUCTIONS];
    struct dis_insn insns[BLOCK_INSTRUCTIONS];
};

static void make_plan(struct plan *p, struct block *block)
{
    p->count = (unsigned)(block->need / CPU_UNIT);
    p->good = p->bad = 0;
    p->edges = 1;
    for (unsigned k = 0; k < p->count; k++) {
        const struct op *op = block_op(block, k);
        struct dis_insn *insn = &p->insns[k];
        struct op asked = *op;
        if (k == 0)
            asked.run = block->first;
        dis_decode(block->host + op->offset, insn);
        p->templates[k] = template_for(&asked, insn);
        if (p->templates[k]) {
            p->good++;
            p->edges += (p->templates[k]->flags & BRANCHES) != 0;
        } else {
            p->bad++;
        }
    }
}

/* Where the condition code may be looked at: backward, from the end of the block. */
static void find_live(struct translation *t, const struct plan *p)
{
    t->live_before[p->count] = true;
    for (unsigned k = p->count; k--;) {
        const struct template *template = p->templates[k];
        t->live_before[k] = t->live_before[k + 1];
        if (!template || template->flags & (CC_READS | MAY_EXIT | BRANCHES))
            t->live_before[k] = true;
        else if (template->flags & CC_SETS)
            t->live_before[k] = false;
    }
}

/* What the condition code has of registers that are about to change. */
static void spare_registers(struct translation *t, unsigned flags)
{
    if (flags & WRITES_SEVERAL) {
        for (unsigned i = 0; i < t->op->m; i++)
            cc_spare(t, (t->op->r1 + i) & 15);
    } else if (flags & (WRITES_R1 | WRITES_PAIR)) {
        cc_spare(t, t->op->r1);
        if (flags & WRITES_PAIR)
            cc_spare(t, t->op->r1 + 1u);
    }
}

static void by_template(struct translation *t, const struct template *template)
{
    if (!(template->flags & CC_READS)) {
        t->cc.a.host = t->cc.b.host = NOWHERE;
        t->flags = false;
    }
    /* This one itself, or its handler, may look at it when its registers have been spared. */
    t->live |= template->flags & (CC_READS | MAY_EXIT) && !(template->flags & CC_SETS);
    spare_registers(t, template->flags);
    template->function(t, template->how);
    if (!(template->flags & CC_SETS)) {
        t->cc.a.host = t->cc.b.host = NOWHERE;
        t->flags = false;
    }
}

/* The block's end, where no branch has left it. */
static void emit_tail(struct translation *t)
{
    if (!t->block->tail)
        return;
    t->op = &t->block->ops[t->block->tail];
    if (t->op->run == op_fall)
        edge_emit(t, &t->cc);
    else
        exit_now(t);
}

static void emit_block(struct translation *t, const struct plan *p)
{
    bool reached = true;
    entry_emit(t, t->block->ops);
    t->block->code = code_run(t->translator, t->x.at);
    for (unsigned k = 0; k < p->count && !t->x.full; k++) {
        t->op = block_op(t->block, k);
        t->insn = p->insns[k];
        t->live = t->live_before[k + 1];
        if (!p->templates[k]) {
            if (reached)
                exit_now(t);
            reached = false;
            continue;
        }
        if (!reached) /* the one before was left to its handler, and op_resume stands behind it */
            entry_emit(t, t->op - 1);
        reached = true;
        by_template(t, p->templates[k]);
    }
    if (reached)
        emit_tail(t);
    exits_emit(t);
}

/* Everything as if the block had not been looked at. */
static void leave_to_handlers(struct block *block, const struct plan *p, const uint8_t *outside)
{
    block->ops[0].run = block->first;
    block->code = outside;
    for (unsigned k = 1; k < p->count; k++)
        if (!p->templates[k - 1])
            (block_op(block, k) - 1)->run = op_resume;
}

static void tell(struct translator *r, const struct cpu *cpu, const struct block *block, const struct translation *t,
                 unsigned count)
{
    const uint8_t *from = r->buffer.write + r->buffer.used;
    const struct translated what = {
        .ia = block->ia, .count = count, .run = code_run(r, from), .length = (uint64_t)(t->x.at - from)};
    if (r->listener)
        r->listener->translated(r->listener->context, cpu, &what);
}

/* Make code of the block. When there is no room all blocks are dropped at the next dispatch. */
static __attribute__((noinline)) void translate(struct cpu *cpu, struct block_cache *cache, struct block *block)
{
    struct translator *r = translator_in(cache);
    struct translation t = {.translator = r, .cpu = cpu, .block = block};
    struct plan p;
    make_plan(&p, block);
    leave_to_handlers(block, &p, r->hooks.outside);
    if (p.good == 0 || (!r->force.all && p.good < WORTH * p.bad)) {
        r->stats.unworthy++;
        return;
    }
    t.x = (struct x86){.at = r->buffer.write + r->buffer.used, .end = r->buffer.write + r->buffer.size};
    const uint64_t room = p.edges * sizeof(struct edge);
    t.edges = block_alloc(cache, room > sizeof(struct block) ? room : sizeof(struct block));
    if (!t.edges)
        return;
    memset(t.edges, 0, room);
    find_live(&t, &p);
    emit_block(&t, &p);
    if (t.x.full) {
        leave_to_handlers(block, &p, r->hooks.outside);
        r->stats.full++;
        block_purge(cache);
        return;
    }
    r->stats.blocks++;
    r->stats.instructions += p.count;
    r->stats.host += p.good;
    r->stats.bytes += (uint64_t)(t.x.at - r->buffer.write) - r->buffer.used;
    tell(r, cpu, block, &t, p.count);
    r->buffer.used = (uint64_t)(t.x.at - r->buffer.write + 15) & ~UINT64_C(15);
}

/* First of a block that may be translated. The last block of a run is carried out by handlers, one of which stands in
   for another one then. */
static HANDLER(op_heat)
{
    struct block *block = block_of(op);
    struct block_cache *cache = cache_of(cpu);
    if (cache->stop || --block->heat)
        TAIL block->first(ARGS);
    translate(cpu, cache, block);
    GO();
}

/* ---- the translator of a CPU ------------------------------------------------------------------------------------ */

static void dropped(struct block_translator *translator, struct block *block)
{
    edges_unlink((const struct translator *)(const void *)translator, block);
}

static void forgotten(struct block_translator *translator)
{
    struct translator *r = (struct translator *)(void *)translator;
    r->buffer.used = r->buffer.kept;
}

static void destroy(struct block_translator *translator)
{
    struct translator *r = (struct translator *)(void *)translator;
    code_buffer_destroy(&r->buffer);
    free(r);
}

static bool ready(const struct op *op, const struct dis_insn *insn) { return template_for(op, insn); }

#if ZRI_TRANSLATOR && !defined BLOCK_LOOP
static int supported(char *why, size_t size)
{
    if (__builtin_cpu_supports("movbe"))
        return 0;
    snprintf(why, size, "this processor has no MOVBE; blocks are carried out by handlers");
    return -ENOTSUP;
}
#else
static int supported(char *why, size_t size)
{
    snprintf(why, size, "this program was built without a translator; blocks are carried out by handlers");
    return -ENOTSUP;
}
#endif

int translator_possible(char *why, size_t size)
{
    struct code_buffer buffer;
    int code = supported(why, size);
    if (code || (code = code_buffer_create(&buffer, PAGE_SIZE_Z, why, size)) != 0)
        return code;
    code_buffer_destroy(&buffer);
    return 0;
}

int translator_attach(struct cpu *cpu, const struct translate_force *force, char *why, size_t size)
{
    struct engine *e = engine_of(cpu);
    if (e && e->translator)
        return 0;
    struct translator *r = e ? calloc(1, sizeof *r) : NULL;
    if (!r) {
        snprintf(why, size, "the host has no memory for a translator; blocks are carried out by handlers");
        return -ENOMEM;
    }
    if (force)
        r->force = *force;
    int code = supported(why, size);
    if (!code)
        code = code_buffer_create(&r->buffer, r->force.buffer ? r->force.buffer : BUFFER, why, size);
    if (code) {
        free(r);
        return code;
    }
    routines_emit(r);
    r->hooks.heat = op_heat;
    r->hooks.executions = r->force.heat ? r->force.heat : HEAT;
    r->hooks.ready = ready;
    r->hooks.dropped = dropped;
    r->hooks.forgotten = forgotten;
    r->hooks.destroy = destroy;
    e->translator = &r->hooks;
    return 0;
}

static struct translator *of_cpu(const struct cpu *cpu)
{
    return cpu->engine ? (struct translator *)(void *)cpu->engine->translator : NULL;
}

void translator_listen(struct cpu *cpu, const struct translate_listener *listener)
{
    if (of_cpu(cpu))
        of_cpu(cpu)->listener = listener;
}

const struct translate_stats *translator_stats(const struct cpu *cpu)
{
    return of_cpu(cpu) ? &of_cpu(cpu)->stats : NULL;
}
