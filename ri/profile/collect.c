/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/collect.h"
#include "ri/profile/decoded.h"
#include "ri/profile/executes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ep_collector_begin(struct ep_collector *c, struct ep_profile *profile, const struct ep_rules *rules)
{
    *c = (struct ep_collector){.profile = profile,
                               .calls = rules->event == EP_EVENT_CALL,
                               .weighs = rules->event == EP_EVENT_INSN && rules->weigh};
}

void ep_collector_end(struct ep_collector *c)
{
    free(c->space);
    free(c->leg);
    ep_stretches_destroy(c->stretches);
    free(c->marks.known);
    *c = (struct ep_collector){0};
}

int ep_collector_space(struct ep_collector *c, const struct ep_space *space)
{
    uint32_t *larger = realloc(c->space, (c->spaces + 1) * sizeof *larger);
    if (!larger)
        return -ENOMEM;
    c->space = larger;
    const int bad = ep_profile_space(c->profile, space, &c->space[c->spaces]);
    if (!bad)
        c->spaces++;
    return bad;
}

void ep_opcode(const struct dis_insn *insn, char key[EP_OPCODE])
{
    unsigned n = 0;
    const struct dis_row *row = &dis_rows[insn->row];
    for (int shift = 40; shift >= 0; shift -= 8) {
        const unsigned opcode = (unsigned)(row->opcode >> shift) & 0xff, mask = (unsigned)(row->mask >> shift) & 0xff;
        static const char digits[] = "0123456789abcdef";
        if (!mask)
            continue;
        key[n++] = mask & 0xf0 ? digits[opcode >> 4] : 'x';
        key[n++] = mask & 0x0f ? digits[opcode & 15] : 'x';
    }
    key[n] = 0;
}

/* What a site is: the instruction there and, when it is an execute-type one, a branch that it executes; NULL: that is
   not known, and it stands for itself. */
static int tell_site(struct ep_collector *c, const struct ep_step *step, const struct dis_insn *insn,
                     const struct dis_insn *executed)
{
    static const uint8_t classes[] = {[DIS_EDGE_COND] = EP_SITE_COND,
                                      [DIS_EDGE_UNCOND] = EP_SITE_UNCOND,
                                      [DIS_EDGE_CALL] = EP_SITE_CALL,
                                      [DIS_EDGE_RET] = EP_SITE_RET,
                                      [DIS_EDGE_EXEC] = EP_SITE_COND};
    struct ep_site_facts site = {.at = step->from.address, .space = c->space[step->from.space], .length = insn->length};
    char own[EP_OPCODE], key[EP_OPCODE];
    ep_opcode(insn, own);
    site.class = classes[dis_edge_class(executed ? executed : insn)];
    if (c->calls)
        site.class = EP_SITE_CALL;
    if (executed) {
        ep_opcode(executed, key);
        snprintf(site.opcode, sizeof site.opcode, "%.4s/%.6s", own, key);
    } else {
        memcpy(site.opcode, own, sizeof own);
    }
    if (dis_branch_relative(insn)) {
        site.has_target = true;
        site.target = ep_relative_target(insn, step->from);
    }
    return ep_profile_site(c->profile, &site);
}

static int tell_sites(struct ep_collector *c, const struct ep_sample *sample, const struct ep_code *code,
                      const struct ep_step *step)
{
    const struct ep_target *target = NULL;
    struct dis_insn insn, executed;
    dis_decode(step->bytes, &insn);
    if (!step->executed)
        return tell_site(c, step, &insn, NULL);
    const unsigned n = code->targets ? code->targets(code->context, step->from, sample->cpu, &target) : 0;
    int bad = 0;
    bool any = false;
    for (unsigned i = 0; i < n && !bad && target[i].event <= sample->trigger.event; i++) {
        dis_decode(target[i].bytes, &executed);
        if (!ep_edge_branches(dis_edge_class(&executed)))
            continue;
        any = true;
        bad = tell_site(c, step, &insn, &executed);
    }
    return any ? bad : tell_site(c, step, &insn, NULL);
}

static int add(struct ep_collector *c, enum ep_list_name list, struct ep_place from, struct ep_place to, unsigned kind,
               uint64_t units)
{
    if (from.space >= c->spaces || to.space >= c->spaces)
        return -EINVAL;
    const struct ep_row row = {.from = from.address,
                               .to = to.address,
                               .units = units,
                               .from_space = c->space[from.space],
                               .to_space = c->space[to.space],
                               .kind = kind};
    return ep_profile_add(c->profile, list, &row);
}

/* A run of instructions from `first` to the one at `last`. */
static int add_run(struct ep_collector *c, struct ep_place first, uint64_t last, unsigned kind, uint64_t units)
{
    struct ep_place end = first;
    end.address = last;
    return add(c, EP_RUNS, first, end, kind, units);
}

/* A gap: the part of a run before it, when there is one, and the gap itself. */
static int add_gap(struct ep_collector *c, struct ep_place first, const struct ep_step *gap, uint64_t units)
{
    static const uint8_t reasons[] = {[EP_RESUME] = EP_REASON_RESUME,
                                      [EP_PSW] = EP_REASON_PSW,
                                      [EP_RANGE] = EP_REASON_RANGE,
                                      [EP_ABORTED] = EP_REASON_ABORT};
    const int bad = gap->before ? add_run(c, first, gap->last, EP_RUN_CUT, units) : 0;
    return bad ? bad : add(c, EP_GAPS, gap->from, gap->to, reasons[gap->reason], units);
}

/* ---- legs ---------------------------------------------------------------------------------------------------------
 */

/* A run of instructions and the branch that ended it, as they come again and again: their units are added up here
   before they go into the profile, in LEGS_MOST slots at most. */
#define LEGS_FIRST 128u
#define LEGS_MOST  (1u << 20)
struct ep_leg {
    struct ep_step step;   /* not through an execute-type instruction */
    struct ep_place first; /* of the run */
    uint64_t units;        /* 0: a free slot */
    bool run;              /* a run is there */
};

static struct ep_leg *leg_at(const struct ep_collector *c, struct ep_place first, const struct ep_step *s, bool run)
{
    const uint64_t hash =
        (first.address * UINT64_C(0x9e3779b97f4a7c15) + s->from.address) * UINT64_C(0xd1b54a32d192ed03) +
        s->to.address + 2 * (uint64_t)s->taken + run;
    size_t i = (size_t)((hash * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (c->legs - 1);
    for (;; i = (i + 1) & (c->legs - 1)) {
        struct ep_leg *leg = &c->leg[i];
        if (!leg->units || (leg->first.address == first.address && leg->step.from.address == s->from.address &&
                            leg->step.to.address == s->to.address && leg->step.taken == s->taken && leg->run == run &&
                            leg->first.space == first.space && leg->step.from.space == s->from.space &&
                            leg->step.to.space == s->to.space && leg->step.from.mode == s->from.mode &&
                            !memcmp(leg->step.bytes, s->bytes, sizeof s->bytes)))
            return leg;
    }
}

static int grow_legs(struct ep_collector *c)
{
    struct ep_collector larger = {.legs = c->leg ? 2 * c->legs : LEGS_FIRST};
    if (c->leg && c->legs == LEGS_MOST)
        return ep_collector_settle(c);
    larger.leg = calloc(larger.legs, sizeof *larger.leg);
    if (!larger.leg)
        return -ENOMEM;
    for (size_t i = 0; i < c->legs; i++)
        if (c->leg[i].units)
            *leg_at(&larger, c->leg[i].first, &c->leg[i].step, c->leg[i].run) = c->leg[i];
    free(c->leg);
    c->leg = larger.leg;
    c->legs = larger.legs;
    return 0;
}

/* `step`, a branch, at the end of a run that began at `first` when `run`. */
static int add_leg(struct ep_collector *c, struct ep_place first, const struct ep_step *step, bool run, uint64_t units)
{
    if (step->from.space >= c->spaces || step->to.space >= c->spaces || first.space >= c->spaces)
        return -EINVAL;
    if (c->used >= c->legs / 2) {
        const int bad = grow_legs(c);
        if (bad)
            return bad;
    }
    struct ep_leg *leg = leg_at(c, first, step, run);
    if (!leg->units) {
        c->used++;
        *leg = (struct ep_leg){.step = *step, .first = first, .run = run};
    }
    leg->units = ep_saturated_sum(leg->units, units);
    return 0;
}

static int settle_leg(struct ep_collector *c, const struct ep_leg *leg)
{
    const struct ep_step *step = &leg->step;
    int bad = leg->run ? add_run(c, leg->first, step->from.address, EP_RUN_BRANCH, leg->units) : 0;
    if (!bad)
        bad = add(c, c->calls ? EP_CALLS : EP_EDGES, step->from, step->to,
                  c->calls || step->taken ? EP_TAKEN : EP_NOT_TAKEN, leg->units);
    return bad ? bad : tell_sites(c, NULL, NULL, step);
}

/* The runs and branches that a stretch consists of: the first run begins where the stretch does. Of parts that begin
   with one of its branches that has no run in front of it. */
static int settle_stretch(struct ep_collector *c, struct ep_stretch *x)
{
    const struct ep_step *step = ep_stretch_steps(c->stretches, x);
    uint64_t *part = ep_stretch_parts(c->stretches, x);
    struct ep_leg leg = {.first = {x->at, x->space, x->mode}, .units = x->units, .run = true};
    int bad = 0;
    for (unsigned i = 0; i < x->count && !bad; i++) {
        leg.step = step[i];
        bad = leg.units ? settle_leg(c, &leg) : 0;
        if (part[i] && !bad)
            bad = settle_leg(c, &(struct ep_leg){.first = step[i].from, .step = step[i], .units = part[i]});
        leg.units = ep_saturated_sum(leg.units, part[i]);
        leg.first = step[i].to;
        part[i] = 0;
    }
    x->units = 0;
    return bad;
}

static int settle_stretches(struct ep_collector *c)
{
    int bad = 0;
    size_t n = 0;
    struct ep_stretch *x;
    ep_marks_settle(&c->marks);
    while (c->stretches && !bad && (x = ep_stretches_next(c->stretches, &n)) != NULL)
        bad = settle_stretch(c, x);
    return bad;
}

int ep_collector_settle(struct ep_collector *c)
{
    int bad = settle_stretches(c);
    for (size_t i = 0; i < c->legs && c->used && !bad; i++) {
        if (c->leg[i].units)
            bad = settle_leg(c, &c->leg[i]);
        c->leg[i].units = 0;
    }
    c->used = 0;
    return bad;
}

/* ---- samples ------------------------------------------------------------------------------------------------------
 */

int ep_collect(struct ep_collector *c, const struct ep_sample *sample, const struct ep_code *code, enum ep_drop drop,
               const struct ep_path *path)
{
    int bad = 0;
    c->triggered++;
    c->dropped[drop]++;
    if (drop)
        return 0;
    const uint64_t units = c->weighs ? (2 * EP_FULL_UNIT + path->run_size) / (2 * path->run_size) : 1;
    c->accepted++;
    c->assumed += path->assumed;
    for (unsigned i = 0; i < path->count && !bad; i++) {
        const struct ep_step *step = &path->step[i];
        const struct ep_place first = i ? path->step[i - 1].to : step->from;
        if (step->gap) {
            bad = c->calls ? 0 : add_gap(c, first, step, units);
            continue;
        }
        if (!step->executed) {
            bad = add_leg(c, i ? first : step->from, step, i && !c->calls, units);
            continue;
        }
        if (i && !c->calls)
            bad = add_run(c, first, step->from.address, EP_RUN_BRANCH, units);
        if (!bad)
            bad = add(c, c->calls ? EP_CALLS : EP_EDGES, step->from, step->to,
                      c->calls || step->taken ? EP_TAKEN : EP_NOT_TAKEN, units);
        if (!bad)
            bad = tell_sites(c, sample, code, step);
    }
    return bad;
}

/* ---- samples of which every stretch is kept -----------------------------------------------------------------------
 */

/* Where the stretch that leads to entry `i` begins: at the oldest one, when the origin is not known, it is the branch
   alone. False: there is a gap, or the like. */
static bool stretch_before(const struct ep_sample *s, unsigned i, struct ep_place *at, uint64_t *epoch)
{
    const struct ep_entry *e = &s->entry[i ? i - 1 : 0];
    *at = i ? e->to : s->origin_valid ? s->origin : e->from;
    *epoch = i || !s->origin_valid ? e->epoch : s->origin_epoch;
    return !i || ep_taken(e);
}

/* The whole stretches of a sample that its last cbt branches lie in, the newest first, and how many branches they have.
   0: there are others among them. */
static unsigned find_stretches(struct ep_collector *c, struct ep_walker *w, const struct ep_sample *s,
                               const struct ep_code *code, struct ep_stretch *found[EP_TRACE_MOST], unsigned *branches)
{
    const struct ep_trigger *t = &s->trigger;
    const struct ep_entry last = {.from = t->at, .to = t->at, .kind = EP_EXEC, .not_taken = true};
    const unsigned cbt = ep_walker_rules(w)->cbt;
    unsigned n = 0;
    *branches = 0;
    if (!s->count || (!t->taken && t->executed))
        return 0;
    for (unsigned i = s->count + !t->taken; i-- > 0 && *branches < cbt; n++) {
        const struct ep_entry *e = i == s->count ? &last : &s->entry[i];
        struct ep_place at;
        uint64_t epoch;
        if ((i < s->count && !ep_taken(e)) || !stretch_before(s, i, &at, &epoch) || e->executed || e->partial)
            return 0;
        found[n] = ep_stretches_find(c->stretches, w, code, at, epoch, e, n ? found[n - 1] : NULL);
        if (!found[n] || found[n]->space >= c->spaces)
            return 0;
        *branches += found[n]->count;
    }
    return *branches < cbt ? 0 : n;
}

/* All of them count, of the oldest one the last branches only. */
static void add_stretches(struct ep_collector *c, struct ep_stretch *const *found, unsigned n, unsigned left_out)
{
    ep_stretch_parts(c->stretches, found[n - 1])[left_out]++;
    for (unsigned i = 0; i + 1 < n; i++)
        found[i]->units++;
}

/* They are known by the names of their branches from now on. */
static void name_stretches(struct ep_collector *c, const struct ep_sample *s, struct ep_stretch *const *found,
                           unsigned n)
{
    const struct ep_marked *all = s->marked;
    const uint32_t common = all ? ep_marks_common(&c->marks, all) : 0;
    for (unsigned i = 0; all && i < n; i++) {
        const struct ep_mark mark = ep_mark_of(all, i);
        ep_marks_put(&c->marks, &mark, common, all->context, found[i]);
    }
}

bool ep_collect_marked(struct ep_collector *c, struct ep_walker *w, const struct ep_marked *all)
{
    const unsigned cbt = ep_walker_rules(w)->cbt;
    struct ep_known *found[EP_TRACE_MOST];
    unsigned n = 0, branches = 0;
    if (!c->marks.known)
        return false;
    const uint32_t common = ep_marks_common(&c->marks, all);
    struct ep_mark mark = ep_mark_of(all, 0);
    const struct ep_noted *before = &all->ring[(all->newest - !all->not_taken) & all->mask];
    for (uint64_t number = all->newest - !all->not_taken;;) {
        if (!(found[n] = ep_marks_find(&c->marks, &mark, common, all->context)))
            return false;
        branches += found[n++]->count;
        if (branches >= cbt)
            break;
        if (n == all->count)
            return false;
        mark.branch = before->branch;
        mark.to = before->to;
        before = &all->ring[--number & all->mask];
        mark.at = before->to;
    }
    ep_stretch_parts(c->stretches, found[n - 1]->stretch)[branches - cbt]++;
    for (unsigned i = 0; i + 1 < n; i++)
        found[i]->units++;
    c->triggered++;
    c->accepted++;
    c->dropped[EP_ACCEPTED]++;
    return true;
}

/* Are samples such that stretches can be kept at all? */
static bool keeps_stretches(struct ep_collector *c, const struct ep_rules *rules, const struct ep_code *code)
{
    if (rules->event != EP_EVENT_BRANCH || !rules->append_nt || rules->ri || !code->page)
        return false;
    if (!c->stretches)
        c->stretches = ep_stretches_create();
    return c->stretches;
}

int ep_collect_sample(struct ep_collector *c, struct ep_walker *w, const struct ep_sample *s,
                      const struct ep_code *code)
{
    const struct ep_rules *rules = ep_walker_rules(w);
    struct ep_stretch *found[EP_TRACE_MOST];
    struct ep_path path;
    unsigned branches;
    int bad = 0;
    if (keeps_stretches(c, rules, code)) {
        if (ep_stretches_full(c->stretches)) {
            bad = settle_stretches(c);
            ep_stretches_clear(c->stretches);
            ep_marks_clear(&c->marks);
        }
        ep_stretches_look(c->stretches);
        const unsigned n = bad ? 0 : find_stretches(c, w, s, code, found, &branches);
        if (n) {
            c->triggered++;
            c->accepted++;
            c->dropped[EP_ACCEPTED]++;
            add_stretches(c, found, n, branches - rules->cbt);
            name_stretches(c, s, found, n);
            return 0;
        }
    }
    const enum ep_drop drop = ep_walk(w, s, &path);
    return bad ? bad : ep_collect(c, s, code, drop, &path);
}

int ep_collect_branch(struct ep_collector *c, uint16_t cpu, const struct ep_code *code, struct ep_place first,
                      const struct ep_step *branch)
{
    const struct ep_sample always = {.trigger = {.event = UINT64_MAX}, .cpu = cpu};
    int bad = add_run(c, first, branch->from.address, EP_RUN_BRANCH, 1);
    if (!bad)
        bad = add(c, EP_EDGES, branch->from, branch->to, branch->taken ? EP_TAKEN : EP_NOT_TAKEN, 1);
    return bad ? bad : tell_sites(c, &always, code, branch);
}

int ep_collect_gap(struct ep_collector *c, struct ep_place first, const struct ep_step *gap)
{
    return add_gap(c, first, gap, 1);
}

int ep_collect_cut(struct ep_collector *c, struct ep_place first, uint64_t last)
{
    return add_run(c, first, last, EP_RUN_CUT, 1);
}

/* The parameters that a profile names. */
static int tell_parameters(struct ep_profile *p, const struct ep_parameters *parameters, const struct ep_rules *rules)
{
    static const char *const events[] = {
        [EP_EVENT_BRANCH] = "branch", [EP_EVENT_INSN] = "insn", [EP_EVENT_CALL] = "call", [EP_EVENT_TAKEN] = "taken"};
    static const char *const policies[] = {
        [EP_SHORT_AUTO] = "auto", [EP_SHORT_DROP] = "drop", [EP_SHORT_KEEP] = "keep"};
    static const char *const norms[] = {[EP_NORM_NONE] = "none", [EP_NORM_RUN] = "run", [EP_NORM_BLOCK] = "block"};
    const unsigned norm = rules->event == EP_EVENT_INSN ? rules->weigh : EP_NORM_NONE;
    const struct {
        enum ep_header header;
        const char *word;
        uint64_t number;
    } values[] = {{EP_H_MODE, rules->event == EP_EVENT_CALL ? "callgraph" : "edge", 0},
                  {EP_H_SOURCE, rules->ri ? "ri" : "native", 0},
                  {EP_H_EVENT, events[rules->event], 0},
                  {EP_H_RATE_BASE, NULL, parameters->base},
                  {EP_H_RATE_DELTA, NULL, parameters->delta},
                  {EP_H_SEED, NULL, parameters->seed},
                  {EP_H_TBT, NULL, parameters->tbt},
                  {EP_H_CBT, NULL, rules->cbt},
                  {EP_H_SHORT_POLICY, policies[rules->short_is], 0},
                  {EP_H_APPEND_NT, NULL, rules->append_nt},
                  {EP_H_NORM, norms[norm], 0},
                  {EP_H_UNIT, NULL, norm ? EP_FULL_UNIT : 1}};
    int bad = 0;
    for (unsigned i = 0; i < sizeof values / sizeof *values && !bad; i++)
        bad = values[i].word ? ep_profile_set(p, values[i].header, values[i].word)
                             : ep_profile_set_number(p, values[i].header, values[i].number);
    return bad;
}

int ep_collector_tell(struct ep_collector *c, const struct ep_parameters *parameters, const struct ep_rules *rules,
                      uint64_t events, const char *program)
{
    int bad = ep_collector_settle(c);
    if (!bad)
        bad = tell_parameters(c->profile, parameters, rules);
    if (!bad)
        bad = ep_profile_set_number(c->profile, EP_H_EVENTS_TOTAL, events);
    if (!bad)
        bad = ep_profile_set_number(c->profile, EP_H_SAMPLES_TRIGGERED, c->triggered);
    if (!bad)
        bad = ep_profile_set_number(c->profile, EP_H_SAMPLES_ACCEPTED, c->accepted);
    if (!bad)
        bad = ep_profile_set(c->profile, EP_H_PROGRAM, program);
    for (unsigned d = 1; d < EP_DROPS && !bad; d++)
        if (c->dropped[d] || d == EP_DROP_FLOW || d == EP_DROP_SHORT) /* these two always, to be seen */
            bad = ep_profile_count(c->profile, ep_drop_name(d), c->dropped[d]);
    if (!bad && c->assumed)
        bad = ep_profile_count(c->profile, "warn.ex_assumed", c->assumed);
    return bad;
}
