/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The translator of a CPU: when a block is translated, and how its instructions follow each other. */
#include "config.h"

#include "cpu/translate/translate.h"
#include "cpu/translate/plan.h"
#include "cpu/engine/handlers.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#if ZRI_TRANSLATOR
#include <cpuid.h>
#ifdef __linux__
#include <asm/hwcap2.h>
#include <sys/auxv.h>
#endif
#endif

#define BUFFER (UINT64_C(64) << 20)
/* Executions before a block is translated: twice as many with each part of the buffer that was filled since the
   translator is there, up to the greatest power. What makes much code has blocks that are worth it in greater number
   than there is room. */
#define HEAT       16u
#define HEAT_PARTS 4u
#define HEAT_POWER 4u
/* A block is left to handlers when fewer of its instructions have templates, for each row of those that have none: it
   takes registers to storage and back. */
#define WORTH   3u
#define ALIGNED 16u /* the code of a block begins at such an address */

/* ---- one block -------------------------------------------------------------------------------------------------- */

/* The block's end, where no branch has left it. */
static void emit_tail(struct translation *t)
{
    if (!t->block->tail || t->over)
        return;
    t->op = &t->block->ops[t->block->tail];
    if (falls(t->op))
        edge_emit(t, &t->cc);
    else
        exit_now(t);
}

static void emit_block(struct translation *t, const struct plan *p)
{
    bool reached = true;
    entry_emit(t);
    for (unsigned k = 0; k < p->count && !t->x.full; k++) {
        template_at(t, p, k);
        if (!p->templates[k]) {
            if (reached)
                call_emit(t, p, k);
            reached = false;
            continue;
        }
        if (!reached) /* op_resume stands in front of it */
            back_emit(t, p, k);
        reached = true;
        if (p->crossing)
            crossing_emit(t, &p->insns[k]);
        template_prepare(t, p->templates[k]);
        shares_before(t);
        t->over = false;
        template_emit(t, p->templates[k]);
        shares_behind(t);
    }
    if (reached)
        emit_tail(t);
    aparts_emit(t, p);
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

static void tell(struct translator *r, const struct cpu *cpu, struct block *block, const struct translation *t,
                 unsigned count)
{
    const uint8_t *from = code_writer(r, t->part).at, *apart = t->part ? t->end : code_writer(r, 1).at;
    const struct op *crossing = block_crossing(block);
    const struct translated what = {
        .ia = block->ia,
        .count = count,
        .guest = crossing ? crossing->insn->bytes : block->host + block->ops[0].offset,
        .code = {{code_run(r, from), (uint64_t)(t->end - from)}, {code_run(r, apart), (uint64_t)(t->x.at - apart)}}};
    if (r->listener)
        r->listener->translated(r->listener->context, cpu, &what);
}

/* The same with the edges where they are. */
static void emit_again(struct translation *t, const struct plan *p, const size_t places[2])
{
    struct translator *r = t->translator;
    memset(t->edges, 0, p->edges * sizeof *t->edges);
    r->places[0].count = places[0];
    r->places[1].count = places[1];
    t->x = code_writer(r, t->part);
    t->exit_count = t->far_count = t->edge_count = t->back_count = t->due_count = t->aside_count = t->elsewhere_count =
        t->went_count = t->apart_count = 0;
    t->parts = t->differs = false;
    shares_forget(t);
    emit_block(t, p);
}

/* Its code stays. */
static void code_written(struct translator *r, const struct translation *t)
{
    struct code_part *parts = r->buffer.parts;
    const uint64_t before = parts[0].used + parts[1].used;
    if (!t->part)
        parts[0].used = (uint64_t)(t->end - r->buffer.write + ALIGNED - 1) & ~(uint64_t)(ALIGNED - 1);
    parts[1].used = (uint64_t)(t->x.at - r->buffer.write);
    r->stats.bytes += parts[0].used + parts[1].used - before;
}

static void link_now(struct translation *t, const struct plan *p)
{
    for (unsigned k = 0; k < p->count; k++)
        if (p->templates[k] && p->templates[k]->flags & BRANCHES && dis_branch_relative(&p->insns[k]))
            edge_link_now(t, block_op(t->block, k));
    if (t->block->tail && falls(&t->block->ops[t->block->tail]))
        edge_link_now(t, &t->block->ops[t->block->tail]);
}

/* The host fetches instructions by lines of its cache: a loop that begins at the start of one takes the fewest,
   wherever the code in front of it ends. */
#define LINE 64u

static void align_loop(struct translation *t, const struct plan *p, const size_t places[2])
{
    struct translator *r = t->translator;
    const uint64_t short_of = -(uint64_t)(uintptr_t)t->block->again & (LINE - 1);
    if (t->x.full || !short_of)
        return;
    r->buffer.parts[t->part].used += short_of;
    emit_again(t, p, places);
}

static void cool(struct translator *r)
{
    const uint64_t filled = r->stats.bytes / (r->buffer.size / HEAT_PARTS);
    if (!r->force.heat)
        r->hooks.executions = HEAT << (filled < HEAT_POWER ? filled : HEAT_POWER);
}

__attribute__((noinline)) void translate(struct cpu *cpu, struct block_cache *cache, struct block *block)
{
    struct translator *r = translator_in(cache);
    struct translation t;
    memset(&t, 0, offsetof(struct translation, exits));
    t.translator = r;
    t.cpu = cpu;
    t.block = block;
    const size_t places[] = {r->places[0].count, r->places[1].count};
    uint64_t own;
    struct plan p;
    plan_make(&p, block);
    leave_to_handlers(block, &p, r->hooks.outside);
    if (p.good == 0 || (!r->force.all && (p.good < WORTH * p.calls || plan_alone(&p, cpu, block)))) {
        /* branches that were collected name operations, and so do owners of the predictor's entries */
        if (!(block->mode & (MODE_EDGES | MODE_RI)) || block->mode & MODE_FAR)
            plan_give_up(&p, block);
        r->stats.unworthy++;
        return;
    }
    t.part = (block->mode & (MODE_EDGES | MODE_FAR)) == MODE_EDGES; /* carried out seldom, near samples */
    r->buffer.parts[1].used += -r->buffer.parts[1].used & (t.part ? ALIGNED - 1 : 0);
    t.x = code_writer(r, t.part);
    const uint64_t room = p.edges * sizeof(struct edge);
    t.edges = block_alloc(cache, room > sizeof(struct block) ? room : sizeof(struct block));
    if (!t.edges)
        return;
    memset(t.edges, 0, room);
    plan_live(&p, t.live_before);
    shares_plan(&t, &p);
    block->cc_dead = !t.live_before[0];
    block->narrow = 0;
    plan_ahead(&p, cpu, block, r->hooks.outside);
    const enum shape shape = plan_shape(&p, block, r->force.all, &own);
    t.wanders = shape == OTHER && (r->places_used > TLB_PLACES || r->force.wander);
    t.bear = shape == LOOP && (block->mode & (MODE_EDGES | MODE_FAR)) != MODE_EDGES ? own : 0;
    emit_block(&t, &p);
    if (!t.x.full && shape != OTHER && layout_choose(&t, shape))
        emit_again(&t, &p, places);
    if (t.differs) {
        r->stats.differ++;
        t.shares_none = true;
        emit_again(&t, &p, places);
    }
    if (shape == LOOP)
        align_loop(&t, &p, places);
    if (t.x.full || cache->purge) { /* branches that are told from each other may be too many as well */
        leave_to_handlers(block, &p, r->hooks.outside);
        r->stats.full += t.x.full;
        block_full(cache);
        return;
    }
    link_now(&t, &p);
    layout_remember(&t);
    r->stats.blocks++;
    r->stats.instructions += p.count;
    r->stats.host += p.good;
    r->stats.shared += t.apart_count != 0;
    r->stats.crossings += p.crossing != NULL;
    tell(r, cpu, block, &t, p.count);
    code_written(r, &t);
    cool(r);
    code_buffer_filled(&r->buffer);
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
    for (unsigned part = 0; part < 2; part++) {
        r->buffer.parts[part].used = r->buffer.parts[part].kept;
        r->places[part].count = 0;
    }
    looks_forget(r);
}

static void destroy(struct block_translator *translator)
{
    struct translator *r = (struct translator *)(void *)translator;
    code_buffer_destroy(&r->buffer);
    free(r->places[0].at);
    free(r->places[1].at);
    free(r->wanders);
    free(r);
}

static bool ready(const struct op *op, const struct dis_insn *insn) { return template_for(op, insn); }

#if ZRI_TRANSLATOR && !defined BLOCK_LOOP
static int supported(char *why, size_t size)
{
    unsigned a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d) && (c & bit_MOVBE) && __builtin_cpu_supports("avx") &&
        __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        return 0;
    snprintf(why, size, "this processor has no MOVBE, AVX, FMA or BMI2; blocks are carried out by handlers");
    return -ENOTSUP;
}
static bool has_wide(void)
{
    return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq");
}
static bool has_segment(void) /* the processor, and the system lets programs do it */
{
#ifdef HWCAP2_FSGSBASE
    return getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE;
#else
    return false;
#endif
}
#else
static int supported(char *why, size_t size)
{
    snprintf(why, size, "this program was built without a translator; blocks are carried out by handlers");
    return -ENOTSUP;
}
static bool has_wide(void) { return false; }
static bool has_segment(void) { return false; }
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
    if (r && !(r->wanders = calloc(WANDERS, 1))) {
        free(r);
        r = NULL;
    }
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
        free(r->wanders);
        free(r);
        return code;
    }
    r->wide = has_wide() && !r->force.narrow;
    r->segment = has_segment() && !r->force.narrow;
    routines_emit(r);
    layouts_begin(r);
    r->hooks.heat = op_heat;
    r->hooks.executions = r->force.heat ? r->force.heat : HEAT;
    r->hooks.branches = r->force.branches ? r->force.branches : BLOCK_BRANCHES / 2;
    r->hooks.ready = ready;
    r->hooks.dropped = dropped;
    r->hooks.forgotten = forgotten;
    r->hooks.looked = looked;
    r->hooks.destroy = destroy;
    e->translator = &r->hooks;
    looks_begin(cpu);
    return 0;
}

void translator_listen(struct cpu *cpu, const struct translate_listener *listener)
{
    if (translator_of(cpu))
        translator_of(cpu)->listener = listener;
}

const struct translate_stats *translator_stats(const struct cpu *cpu)
{
    return translator_of(cpu) ? &translator_of(cpu)->stats : NULL;
}
