/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/edges/exact.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct edge_exact {
    const struct edge_modules *modules;
    const char *program;
    struct edge_spaces spaces;
    struct edge_code pages;
    struct ep_code code;
    struct ep_collector collector;
    struct ep_profile *profile;
    uint64_t branches;
    int bad;
    struct { /* where the run of each CPU began that no branch has ended yet */
        struct ep_place first;
        bool known;
    } run[CPU_MAX];
};

/* All but the event and what is done with samples is said of those. */
static const struct ep_rules rules = {.event = EP_EVENT_BRANCH, .append_nt = true};
static const struct ep_parameters parameters = {.seed = 1, .event = EP_EVENT_BRANCH};

static void fails(struct edge_exact *x, int bad)
{
    if (bad && !x->bad)
        x->bad = bad;
}

static unsigned targets(void *context, struct ep_place place, uint16_t cpu, const struct ep_target **target)
{
    const struct edge_code *pages = context;
    (void)cpu;
    return ep_executes_targets(&pages->cpu->edges->unit->executes, place, target);
}

struct edge_exact *edge_exact_create(struct cpu_edges_system *machine, const struct edge_modules *modules,
                                     const char *program)
{
    struct edge_exact *x = calloc(1, sizeof *x);
    if (!x)
        return NULL;
    x->modules = modules;
    x->program = program;
    x->profile = ep_profile_new();
    x->pages = (struct edge_code){.machine = machine, .spaces = &x->spaces};
    x->code = (struct ep_code){&x->pages, edge_code_fetch, targets, NULL};
    if (x->profile) {
        ep_collector_begin(&x->collector, x->profile, &rules);
        return x;
    }
    free(x);
    return NULL;
}

void edge_exact_destroy(struct edge_exact *x)
{
    if (!x)
        return;
    ep_collector_end(&x->collector);
    ep_profile_free(x->profile);
    edge_code_destroy(&x->pages);
    edge_spaces_destroy(&x->spaces);
    free(x);
}

void edge_exact_space(struct edge_exact *x, const struct edge_space *space)
{
    bool added;
    const struct ep_space told = {.token = space->asce, .name = space->name, .kind = space->kind};
    const uint32_t number = edge_spaces_add(&x->spaces, space->kind, space->asce, space->name, &added);
    fails(x, added ? ep_collector_space(&x->collector, &told) : -ENOMEM);
    for (unsigned i = 0; !x->bad && !number && i < x->modules->count; i++)
        fails(x, ep_profile_module(x->profile, &x->modules->module[i], NULL));
}

void edge_exact_module(struct edge_exact *x, const struct ep_module *module)
{
    struct ep_module told = *module;
    if (x->bad || module->space >= x->collector.spaces)
        return;
    told.space = x->collector.space[module->space];
    fails(x, ep_profile_module(x->profile, &told, NULL));
}

void edge_exact_branch(struct edge_exact *x, struct cpu *cpu, const struct ep_branch *b)
{
    struct ep_step step = {.from = b->from, .to = b->to, .taken = b->taken, .executed = b->executed};
    uint64_t changed;
    memcpy(step.bytes, b->insn->bytes, sizeof step.bytes);
    edge_code_look(&x->pages, cpu);
    if (b->executed && !edge_code_fetch(&x->pages, b->from, step.bytes, &changed))
        return; /* cannot be: it was fetched just now */
    x->branches++;
    if (!x->bad)
        fails(x, ep_collect_branch(&x->collector, cpu->address, &x->code, x->run[cpu->address].first, &step));
    x->run[cpu->address].first = b->to;
}

/* The last instruction of those from `first` up to the one in front of `end`. False: there is none, or that cannot be
   told any more. */
static bool last_before(struct edge_exact *x, struct ep_place first, struct ep_place end, uint64_t *last)
{
    uint8_t bytes[6];
    uint64_t changed;
    struct ep_place place = first;
    for (uint64_t n = 0; place.address != end.address && n < EP_WALK_LIMIT; n++) {
        if (!edge_code_fetch(&x->pages, place, bytes, &changed))
            return false;
        *last = place.address;
        place.address = (place.address + dis_length(bytes[0])) & ep_mode_mask(place.mode);
    }
    return first.address != end.address && place.address == end.address;
}

void edge_exact_gap(struct edge_exact *x, struct cpu *cpu, const struct ep_entry *gap)
{
    struct ep_place *first = &x->run[cpu->address].first;
    struct ep_step step = {
        .from = gap->from, .to = gap->to, .gap = true, .reason = gap->kind == EP_ABORT ? EP_ABORTED : gap->reason};
    edge_code_look(&x->pages, cpu);
    if (gap->kind) { /* not the origin */
        step.before = last_before(x, *first, gap->from, &step.last);
        if (!x->bad)
            fails(x, ep_collect_gap(&x->collector, *first, &step));
    }
    *first = gap->to;
    x->run[cpu->address].known = true;
}

/* What each CPU has executed behind its latest branch. */
static int rest(struct edge_exact *x, struct ep_collector *c, struct cpu_system *sys)
{
    int bad = 0;
    for (unsigned i = 0; i < sys->cpu_count && !bad; i++) {
        struct cpu *cpu = sys->cpus[i];
        uint64_t last;
        if (!cpu->edges || !x->run[i].known)
            continue;
        struct cpu_edges *e = cpu->edges;
        ep_unit_moved(e->unit, e->next, e->next, e->problem, EP_RANGE); /* as far as it came */
        edge_code_look(&x->pages, cpu);
        if (last_before(x, x->run[i].first, e->unit->expected, &last))
            bad = ep_collect_cut(c, x->run[i].first, last);
    }
    return bad;
}

int edge_exact_profile(struct edge_exact *x, struct cpu_system *sys, bool partial, struct ep_profile **copy)
{
    int bad = x->bad ? x->bad : ep_profile_copy(x->profile, copy);
    if (bad)
        return bad;
    struct ep_collector told = x->collector;
    told.profile = *copy;
    bad = rest(x, &told, sys);
    if (!bad)
        bad = ep_collector_tell(&told, &parameters, &rules, x->branches, x->program);
    if (!bad)
        bad = ep_profile_set(*copy, EP_H_SOURCE, "exact");
    if (!bad && partial)
        bad = ep_profile_set_number(*copy, EP_H_PARTIAL, 1);
    if (bad) {
        ep_profile_free(*copy);
        *copy = NULL;
    }
    return bad;
}
