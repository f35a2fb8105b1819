/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A taken-branch trace holds a fixed number of taken branches, and with the branches that were not taken between them
   it is longer where most are not taken. Added up whole, such code would weigh too much: by one over the share of its
   branches that is taken. Cut to the same number of completed branches each, a sample at branch k stands for the
   branches before it and for nothing else, every branch lies in just as many of the possible samples as any other, and
   the probability that it is in one is its share of all. */
#include "ri/profile/walk.h"
#include "ri/profile/decoded.h"
#include "ri/profile/executes.h"

#include <stdlib.h>

struct ep_walker {
    struct ep_rules rules;
    struct ep_code code;
    struct ep_decoder *decoder;
    const struct ep_sample *sample;
    /* Steps so far, the newest ones: a ring of `room`, in which one branch more than is wanted and all gaps fit. */
    struct ep_step *ring, *line;
    unsigned room;
    uint64_t begin, end; /* numbers of steps */
    unsigned branches;   /* in the ring */
    struct ep_place at;
    struct ep_place run, ran; /* where that run began, and the one before it */
    uint64_t epoch;           /* when the walk was at the stretch's beginning */
    uint64_t last;            /* address of the newest of those that `since` counts */
    uint64_t since,
        before; /* instructions since the latest branch or gap, the branch itself not counted; ditto up to it */
    uint64_t assumed, walked;
    bool whole;     /* the steps go back to the origin */
    bool connected; /* the walk is somewhere: at `at` */
    bool alone;     /* one stretch without its sample: what execute-type instructions did is not known */
    enum ep_drop why;
};

const char *ep_drop_name(enum ep_drop drop)
{
    static const char *const names[EP_DROPS] = {
        "",         "drop.image", "drop.flow", "drop.walk_limit",   "drop.unmapped",
        "drop.smc", "drop.xfer",  "drop.addr", "drop.ex_ambiguous", "drop.short",
    };
    return names[drop];
}

struct ep_walker *ep_walker_create(const struct ep_rules *rules, const struct ep_code *code, unsigned entries)
{
    struct ep_walker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->rules = *rules;
    w->code = *code;
    w->room = rules->cbt + 2 + entries;
    w->ring = calloc(w->room, sizeof *w->ring);
    w->line = calloc(w->room, sizeof *w->line);
    w->decoder = ep_decoder_create(code, rules->weigh == EP_NORM_BLOCK);
    if (!w->ring || !w->line || !w->decoder) {
        ep_walker_destroy(w);
        return NULL;
    }
    return w;
}

void ep_walker_destroy(struct ep_walker *w)
{
    if (!w)
        return;
    free(w->ring);
    free(w->line);
    ep_decoder_destroy(w->decoder);
    free(w);
}

void ep_walker_forget(struct ep_walker *w) { ep_decoder_forget(w->decoder); }

uint64_t ep_walked(const struct ep_walker *w) { return w->walked; }

const struct ep_rules *ep_walker_rules(const struct ep_walker *w) { return &w->rules; }

/* ---- steps ------------------------------------------------------------------------------------------------------ */

static struct ep_step *step_at(struct ep_walker *w, uint64_t n) { return &w->ring[n % w->room]; }

static void forget_oldest(struct ep_walker *w) { w->branches -= !step_at(w, w->begin++)->gap; }

/* Where the next step is put together: a copy of it would wait for each of its members to be written. */
static struct ep_step *next_step(struct ep_walker *w, bool gap)
{
    while (w->end - w->begin == w->room || (!gap && w->branches > w->rules.cbt))
        forget_oldest(w);
    return step_at(w, w->end);
}

/* It is there. */
static void emit(struct ep_walker *w, bool gap)
{
    w->end++;
    w->branches += !gap;
    w->before = w->since;
    w->since = 0;
}

/* The trace breaks: what came so far is of no use. */
static void break_trace(struct ep_walker *w, enum ep_drop why)
{
    w->begin = w->end;
    w->branches = 0;
    w->whole = false;
    w->why = why;
}

/* ---- code ------------------------------------------------------------------------------------------------------- */

/* The instruction at a place. EP_ACCEPTED, or why it cannot be trusted. */
static enum ep_drop read_code(struct ep_walker *w, struct ep_place place, const struct ep_decoded **insn)
{
    uint64_t changed;
    *insn = ep_decoder_read(w->decoder, place, &changed);
    if (!*insn)
        return EP_DROP_UNMAPPED;
    return changed > w->epoch ? EP_DROP_SMC : EP_ACCEPTED;
}

/* The class of an execute-type instruction that was passed without an entry of its own: it is as old as the time when
   its targets did not have to be told apart yet. DIS_EDGE_ORD: no branch. */
static enum dis_edge executed_class(struct ep_walker *w, struct ep_place place)
{
    const struct ep_target *t;
    if (!w->code.targets) {
        w->assumed++;
        return DIS_EDGE_ORD;
    }
    const unsigned n = w->code.targets(w->code.context, place, w->sample->cpu, &t);
    enum dis_edge class = DIS_EDGE_ORD;
    bool any = false;
    for (unsigned i = 0; i < n && t[i].event <= w->sample->trigger.event; i++) {
        struct dis_insn insn;
        dis_decode(t[i].bytes, &insn);
        const enum dis_edge this = dis_edge_class(&insn);
        if (any && this != class && (ep_edge_branches(this) || ep_edge_branches(class)))
            break;
        any = true;
        class = this;
    }
    if (!any)
        w->assumed++;
    return ep_edge_branches(class) ? class : DIS_EDGE_ORD;
}

static void not_taken(struct ep_step *step, struct ep_place from, const struct ep_decoded *insn, bool executed)
{
    step->from = step->to = from;
    step->to.address = (from.address + dis_length(insn->bytes[0])) & ep_mode_mask(from.mode);
    step->gap = step->before = step->taken = false;
    step->executed = executed;
    memcpy(step->bytes, insn->bytes, sizeof step->bytes);
}

/* Passes the instruction at w->at, adding it when it is a branch that was not taken. */
static enum ep_drop pass(struct ep_walker *w, const struct ep_decoded *insn)
{
    enum dis_edge class = insn->class;
    const bool executed = class == DIS_EDGE_EXEC;
    const unsigned length = dis_length(insn->bytes[0]);
    if (executed && w->alone)
        return EP_DROP_EX_AMBIGUOUS;
    if (executed)
        class = executed_class(w, w->at);
    if (class == DIS_EDGE_UNCOND || class == DIS_EDGE_CALL || class == DIS_EDGE_RET)
        return EP_DROP_FLOW;
    if (class == DIS_EDGE_XFER && w->rules.ri)
        return EP_DROP_XFER;
    if (class == DIS_EDGE_COND) {
        not_taken(next_step(w, false), w->at, insn, executed);
        emit(w, false);
    } else {
        w->since++;
        w->last = w->at.address;
    }
    if (insn->sets_mode)
        w->at.mode = insn->mode;
    w->at.address = (w->at.address + length) & ep_mode_mask(w->at.mode);
    if (class == DIS_EDGE_COND)
        w->run = w->at;
    w->walked++;
    return EP_ACCEPTED;
}

/* From w->at to `stop`, which is not passed. */
static enum ep_drop walk(struct ep_walker *w, struct ep_place stop)
{
    ep_decoder_look(w->decoder);
    if (w->at.space != stop.space)
        return EP_DROP_FLOW;
    for (uint64_t steps = 0; w->at.address != stop.address; steps++) {
        const uint64_t mask = ep_mode_mask(w->at.mode), left = (stop.address - w->at.address) & mask;
        const struct ep_decoded *insn;
        if (left > mask / 2 || (stop.address & ~mask))
            return EP_DROP_FLOW;
        if (steps >= w->rules.walk_limit)
            return EP_DROP_WALK_LIMIT;
        enum ep_drop drop = read_code(w, w->at, &insn);
        if (!drop)
            drop = dis_length(insn->bytes[0]) > left ? EP_DROP_FLOW : pass(w, insn);
        if (drop)
            return drop;
    }
    return w->at.mode == stop.mode ? EP_ACCEPTED : EP_DROP_FLOW;
}

/* The instruction of a branch that was taken, or that the trigger is; is it one, and can it go there? */
static enum ep_drop branch_at(struct ep_walker *w, struct ep_place from, struct ep_place to, bool executed, bool taken,
                              struct ep_step *step)
{
    const struct ep_decoded *insn;
    const enum ep_drop drop = read_code(w, from, &insn);
    if (drop)
        return drop;
    not_taken(step, from, insn, executed);
    step->taken = taken;
    const enum dis_edge class = insn->class;
    if (w->rules.ri && class == DIS_EDGE_EXEC) /* its records do not tell */
        executed = step->executed = true;
    if (executed ? class != DIS_EDGE_EXEC : !ep_edge_branches(class))
        return EP_DROP_IMAGE;
    if (taken) {
        step->to = to;
        if (!executed && insn->relative && ep_decoded_target(insn, from) != to.address)
            return EP_DROP_IMAGE;
    }
    return EP_ACCEPTED;
}

/* ---- a sample --------------------------------------------------------------------------------------------------- */

/* Go on behind what came before to `from`; what came is dropped when the code does not lead there. */
static bool reach(struct ep_walker *w, struct ep_place from)
{
    const enum ep_drop drop = walk(w, from);
    if (drop)
        break_trace(w, drop);
    return !drop;
}

/* A branch that was recorded, taken or not. `fresh`: no stretch leads to it, the code is looked at as it was then. */
static void record(struct ep_walker *w, const struct ep_entry *e, bool fresh)
{
    if (e->partial) {
        break_trace(w, EP_DROP_ADDR);
        return;
    }
    if (fresh) {
        w->epoch = e->epoch;
        ep_decoder_look(w->decoder);
    }
    const enum ep_drop drop = branch_at(w, e->from, e->to, e->executed, ep_taken(e), next_step(w, false));
    if (drop)
        break_trace(w, drop);
    else
        emit(w, false);
}

/* Behind an entry begins another run; not behind that of an execute-type instruction that was no branch. */
static void enter_run(struct ep_walker *w, const struct ep_entry *e)
{
    if (e->kind == EP_EXEC && !e->not_taken)
        return;
    w->ran = w->run;
    w->run = e->to;
    ep_decoder_lead(w->decoder, e->to);
}

/* The next entry. `fresh`: the first one, and the origin is not known, or there is no walking. */
static void take(struct ep_walker *w, const struct ep_entry *e, bool fresh)
{
    if (!fresh && !e->partial)
        fresh = !reach(w, e->from);
    if (e->kind == EP_GAP || e->kind == EP_ABORT) {
        *next_step(w, true) = (struct ep_step){.gap = true,
                                               .from = e->from,
                                               .to = e->to,
                                               .last = w->last,
                                               .before = w->since != 0,
                                               .reason = e->kind == EP_ABORT ? EP_ABORTED : e->reason};
        emit(w, true);
    } else if (e->kind == EP_EXEC && !e->not_taken) {
        w->since++;
        w->last = e->from.address;
    } else {
        record(w, e, fresh);
    }
    w->at = e->to;
    w->epoch = e->epoch;
    enter_run(w, e);
}

/* The trigger's own entry, when it has one that is no taken branch, and what follows the newest taken branch when
   triggers are not appended, is left out. Returns how many entries there are then. */
static unsigned wanted_entries(const struct ep_walker *w)
{
    const struct ep_sample *s = w->sample;
    unsigned n = s->count;
    if (n && s->entry[n - 1].kind == EP_EXEC && s->entry[n - 1].event == s->trigger.event &&
        ep_same_place(s->entry[n - 1].from, s->trigger.at))
        n--;
    if (w->rules.event == EP_EVENT_BRANCH && !w->rules.append_nt)
        while (n && !ep_taken(&s->entry[n - 1]))
            n--;
    return n;
}

/* All branches up to the newest entry. */
static void take_entries(struct ep_walker *w)
{
    const struct ep_sample *s = w->sample;
    const unsigned n = wanted_entries(w);
    const bool calls = w->rules.event == EP_EVENT_CALL;
    unsigned i = 0;
    w->whole = s->origin_valid;
    w->at = w->run = w->ran = s->origin;
    w->epoch = s->origin_epoch;
    if (!w->whole)
        while (i < n && !ep_taken(&s->entry[i]))
            i++;
    w->connected = w->whole;
    for (; i < n; i++, w->connected = true)
        take(w, &s->entry[i], !w->connected || calls);
}

/* How many instructions there are from `at` to the end of the run. */
static enum ep_drop run_forward(struct ep_walker *w, struct ep_place at, uint64_t *size)
{
    for (*size = 0; *size < w->rules.walk_limit;) {
        const struct ep_decoded *insn;
        const enum ep_drop drop = read_code(w, at, &insn);
        if (drop)
            return drop;
        enum dis_edge class = insn->class;
        if (class == DIS_EDGE_EXEC)
            class = executed_class(w, at);
        ++*size;
        w->walked++;
        if (ep_edge_branches(class) || class == DIS_EDGE_XFER)
            return EP_ACCEPTED;
        if (insn->sets_mode)
            at.mode = insn->mode;
        at.address = (at.address + dis_length(insn->bytes[0])) & ep_mode_mask(at.mode);
    }
    return EP_DROP_WALK_LIMIT;
}

/* Instructions of the block with `trigger` in it, of a run of `size` that begins at `at`. */
static uint64_t block_size(struct ep_walker *w, struct ep_place at, uint64_t size, struct ep_place trigger)
{
    uint64_t block = 0;
    bool inside = false;
    for (uint64_t i = 0; i < size; i++) {
        const struct ep_decoded *insn;
        if (i && ep_decoder_leads(w->decoder, at)) {
            if (inside)
                break;
            block = 0;
        }
        inside |= at.address == trigger.address;
        block++;
        if (read_code(w, at, &insn))
            break;
        if (insn->sets_mode)
            at.mode = insn->mode;
        at.address = (at.address + dis_length(insn->bytes[0])) & ep_mode_mask(at.mode);
    }
    return block ? block : 1;
}

/* Between the newest entry and a trigger that is an instruction: its own branch is no part of the trace, as all
   instructions of a run shall see the same newest branch. */
static enum ep_drop trigger_instruction(struct ep_walker *w, struct ep_path *path)
{
    const struct ep_trigger *t = &w->sample->trigger;
    uint64_t rest = 0;
    enum ep_drop drop = EP_ACCEPTED;
    if (t->branch && t->taken) {
        if (w->begin == w->end)
            return EP_ACCEPTED;
        w->branches -= !step_at(w, --w->end)->gap;
        path->run_size = w->before + 1;
    } else {
        if (!reach(w, t->at) || !w->rules.weigh)
            return EP_ACCEPTED;
        w->ran = w->run;
        drop = run_forward(w, t->at, &rest);
        path->run_size = w->since + rest;
    }
    if (!w->rules.weigh)
        path->run_size = 1;
    else if (!drop && w->rules.weigh == EP_NORM_BLOCK)
        path->run_size = block_size(w, w->ran, path->run_size, t->at);
    return drop;
}

/* A trigger that is a branch and was not taken ends the trace. */
static void trigger_branch(struct ep_walker *w)
{
    const struct ep_trigger *t = &w->sample->trigger;
    const struct ep_entry b = {
        .from = t->at, .to = t->at, .epoch = w->epoch, .kind = EP_EXEC, .executed = t->executed, .not_taken = true};
    if (!t->taken)
        take(w, &b, false);
}

unsigned ep_walk_stretch(struct ep_walker *w, struct ep_place at, uint64_t epoch, const struct ep_entry *branch,
                         const struct ep_step **step)
{
    if (branch->executed || branch->partial)
        return 0;
    w->begin = w->end = w->since = w->before = 0;
    w->branches = 0;
    w->at = at;
    w->epoch = epoch;
    w->alone = true;
    enum ep_drop drop = walk(w, branch->from);
    w->alone = false;
    if (!drop)
        drop = branch_at(w, branch->from, branch->to, false, ep_taken(branch), next_step(w, false));
    if (drop)
        return 0;
    emit(w, false);
    *step = w->ring;
    return w->branches == w->end && w->end <= w->rules.cbt ? w->branches : 0;
}

enum ep_drop ep_walk(struct ep_walker *w, const struct ep_sample *sample, struct ep_path *path)
{
    w->sample = sample;
    w->begin = w->end = w->since = w->before = w->assumed = 0;
    w->branches = 0;
    w->why = sample->cut ? EP_DROP_EX_AMBIGUOUS : EP_DROP_SHORT;
    *path = (struct ep_path){.step = w->line, .run_size = 1};
    enum ep_drop drop = EP_ACCEPTED;
    take_entries(w);
    if (w->connected && w->rules.event == EP_EVENT_INSN)
        drop = trigger_instruction(w, path);
    else if (w->connected && w->rules.event == EP_EVENT_BRANCH && w->rules.append_nt)
        trigger_branch(w);
    path->assumed = w->assumed;
    if (drop)
        return drop;
    if (w->branches < w->rules.cbt && w->rules.short_is != EP_SHORT_KEEP &&
        (w->rules.short_is == EP_SHORT_DROP || !w->whole))
        return w->why;
    while (w->begin != w->end && (step_at(w, w->begin)->gap || w->branches > w->rules.cbt))
        forget_oldest(w);
    while (w->begin != w->end && step_at(w, w->end - 1)->gap)
        w->end--;
    for (uint64_t n = w->begin; n != w->end; n++)
        w->line[path->count++] = *step_at(w, n);
    path->branches = w->branches;
    return EP_ACCEPTED;
}
