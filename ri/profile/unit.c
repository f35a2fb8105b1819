/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/unit.h"

#include <errno.h>
#include <stdlib.h>

/* The interval begins. */
static void look_far(struct ep_unit *u)
{
    u->far = u->parameters.near && u->parameters.event == EP_EVENT_BRANCH && u->pmc.left > u->parameters.near;
}

/* A branch has completed, and execution is at `place`. */
static void approach(struct ep_unit *u, struct ep_place place)
{
    if (!u->far || u->pmc.left > u->parameters.near)
        return;
    u->far = false;
    ep_ring_start(&u->ring, place, *u->epoch);
}

int ep_unit_create(struct ep_unit *u, const struct ep_parameters *parameters, uint16_t cpu)
{
    static const uint64_t never;
    *u = (struct ep_unit){.parameters = *parameters, .cpu = cpu, .epoch = &never};
    if (!ep_interval_valid(parameters->base, parameters->delta))
        return -EINVAL;
    const int bad = ep_ring_create(&u->ring, parameters->tbt);
    if (bad)
        return bad;
    u->entries = calloc(EP_RING_MOST(parameters->tbt), sizeof *u->entries);
    if (!u->entries) {
        ep_unit_destroy(u);
        return -ENOMEM;
    }
    ep_pmc_init(&u->pmc, parameters->base, parameters->delta, parameters->seed, cpu);
    look_far(u);
    return 0;
}

void ep_unit_destroy(struct ep_unit *u)
{
    ep_ring_destroy(&u->ring);
    ep_executes_destroy(&u->executes);
    free(u->entries);
    u->entries = NULL;
}

/* ---- the target program ----------------------------------------------------------------------------------------- */

bool ep_space_wanted(const struct ep_filter *f, uint32_t space)
{
    bool any = !f->space;
    for (unsigned i = 0; i < f->spaces && !any; i++)
        any = f->space[i] == space;
    return any && (!f->wants || f->wants(f->context, space));
}

static bool in_ranges(const struct ep_filter *f, uint64_t address)
{
    for (unsigned i = 0; i < f->ranges; i++)
        if (address >= f->range[i].first && address <= f->range[i].last)
            return true;
    return false;
}

static bool in_target(const struct ep_filter *f, struct ep_place at, bool problem)
{
    return ep_state_wanted(f, problem) && ep_space_wanted(f, at.space) && (!f->range || in_ranges(f, at.address));
}

/* The target program is at `entry`: when it was expected elsewhere, there is a gap. */
static void enter(struct ep_unit *u, struct ep_place entry)
{
    if (!u->known) { /* the origin */
        const struct ep_entry origin = {.to = entry};
        ep_ring_start(&u->ring, entry, 0);
        if (u->gap)
            u->gap(u->context, u->cpu, &origin);
    } else if (!ep_same_place(u->expected, entry) &&
               u->parameters.event != EP_EVENT_CALL) { /* calls are not connected */
        const struct ep_entry e = {.from = u->expected,
                                   .to = entry,
                                   .event = u->pmc.total + 1,
                                   .epoch = *u->epoch,
                                   .kind = u->reason == EP_ABORTED ? EP_ABORT : EP_GAP,
                                   .reason = u->reason == EP_ABORTED ? 0 : u->reason};
        if (!u->far)
            ep_ring_put(&u->ring, &e);
        if (u->gap)
            u->gap(u->context, u->cpu, &e);
    }
    u->known = true;
    u->reason = EP_RANGE;
}

/* The instructions from u->at up to the one in front of `end`: are all of them in one range, or outside of all? */
static bool on_one_side(const struct ep_unit *u, struct ep_place end, bool *inside)
{
    const struct ep_filter *f = &u->parameters.filter;
    const uint64_t first = u->at.address, last = end.address - 1;
    *inside = false;
    for (unsigned i = 0; i < f->ranges; i++) {
        const struct ep_range *r = &f->range[i];
        if (first >= r->first && last <= r->last)
            *inside = true;
        else if (first <= r->last && last >= r->first)
            return false;
    }
    return true;
}

/* The instructions from u->at up to the one in front of `end`, some of which are in a range: where each begins, the
   code says. */
static void cross(struct ep_unit *u, struct ep_place end)
{
    struct ep_place place = u->at;
    bool before = false;
    for (uint64_t steps = 0; place.address != end.address && steps < EP_WALK_LIMIT; steps++) {
        uint8_t bytes[6];
        uint64_t changed;
        const bool inside = in_ranges(&u->parameters.filter, place.address);
        if (inside && !before)
            enter(u, place);
        if (!u->code.fetch || !u->code.fetch(u->code.context, place, bytes, &changed))
            return;
        place.address = (place.address + dis_length(bytes[0])) & ep_mode_mask(place.mode);
        if (inside)
            u->expected = place;
        before = inside;
    }
}

/* The instructions from u->at up to the one in front of `end` were executed, one after the other: those that are the
   target program's. Nothing was executed when the places are the same. */
static void executed_up_to(struct ep_unit *u, struct ep_place end, bool problem)
{
    const struct ep_filter *f = &u->parameters.filter;
    bool inside = true;
    if (u->at.address == end.address || !ep_state_wanted(f, problem) || !ep_space_wanted(f, u->at.space))
        return;
    if (f->range && !on_one_side(u, end, &inside)) {
        cross(u, end);
    } else if (inside) {
        enter(u, u->at);
        u->expected = end;
    }
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static void event(struct ep_unit *u, struct ep_trigger trigger)
{
    if (!ep_pmc_event(&u->pmc, &trigger.interval))
        return;
    look_far(u);
    struct ep_sample sample = {.trigger = trigger, .cpu = u->cpu};
    ep_ring_read(&u->ring, u->entries, &sample);
    if (u->sample)
        u->sample(u->context, &sample);
}

static bool is_event(const struct ep_unit *u, enum dis_edge class, bool taken)
{
    switch (u->parameters.event) {
    case EP_EVENT_CALL:
        return class == DIS_EDGE_CALL;
    case EP_EVENT_TAKEN:
        return taken;
    default:
        return true;
    }
}

/* An instruction of the target program: what the ring keeps of it. */
static void remember(struct ep_unit *u, const struct ep_branch *b, enum dis_edge class)
{
    const uint64_t number = u->pmc.total + 1;
    const bool tell = b->executed && ep_executes_executed(&u->executes, b->from, b->insn, number);
    if (b->executed && u->executes.added && u->target)
        u->target(u->context, u->cpu, b->from, u->executes.added);
    if (u->far || (u->parameters.event == EP_EVENT_CALL ? class != DIS_EDGE_CALL : !b->taken && !tell))
        return;
    const struct ep_entry e = {.from = b->from,
                               .to = b->to,
                               .event = number,
                               .epoch = *u->epoch,
                               .kind = (uint8_t)(b->taken ? ep_kind_of(class) : EP_EXEC),
                               .executed = b->executed,
                               .not_taken = !b->taken && ep_edge_branches(class)};
    ep_ring_put(&u->ring, &e);
}

/* `b` has completed, a branch or not, in one piece with what was executed before it. */
static void completed(struct ep_unit *u, const struct ep_branch *b)
{
    const enum dis_edge class = dis_edge_class(b->insn);
    const bool branch = ep_edge_branches(class);
    executed_up_to(u, b->from, b->problem);
    u->at = b->from;
    if (in_target(&u->parameters.filter, b->from, b->problem)) {
        enter(u, b->from);
        remember(u, b, class);
        u->expected = b->to;
        if (branch && u->branch)
            u->branch(u->context, u->cpu, b);
        if (u->parameters.event == EP_EVENT_INSN || (branch && is_event(u, class, b->taken)))
            event(u, (struct ep_trigger){.at = b->from,
                                         .event = u->pmc.total + 1,
                                         .branch = branch,
                                         .taken = b->taken,
                                         .executed = b->executed});
        approach(u, b->to);
    }
    u->at = b->to;
}

/* ---- what is told ----------------------------------------------------------------------------------------------- */

void ep_unit_on(struct ep_unit *u, struct ep_place place)
{
    u->at = place;
    u->known = false;
    u->reason = EP_RANGE;
    u->on = true;
}

void ep_unit_off(struct ep_unit *u)
{
    if (u->on)
        ep_pmc_restart(&u->pmc);
    look_far(u);
    u->on = false;
}

void ep_unit_branch(struct ep_unit *u, const struct ep_branch *b)
{
    if (u->on)
        completed(u, b);
}

void ep_unit_instruction(struct ep_unit *u, const struct ep_branch *i)
{
    if (u->on && (i->executed || u->parameters.event == EP_EVENT_INSN))
        completed(u, i);
}

void ep_unit_moved(struct ep_unit *u, struct ep_place from, struct ep_place to, bool problem, unsigned reason)
{
    if (!u->on)
        return;
    executed_up_to(u, from, problem);
    u->at = to;
    if (u->reason == EP_RANGE)
        u->reason = (uint8_t)reason;
}

void ep_unit_passed(struct ep_unit *u, struct ep_place place)
{
    if (u->on)
        u->at = place;
}

/* ---- many at a time ---------------------------------------------------------------------------------------------- */

bool ep_unit_takes_many(const struct ep_unit *u)
{
    return u->parameters.event == EP_EVENT_BRANCH && !u->parameters.filter.range && !u->branch;
}

void ep_unit_branched(struct ep_unit *u, struct ep_place from, struct ep_place to, enum dis_edge class)
{
    enter(u, u->at); /* from there to `from` nothing but straight code was executed */
    if (class != DIS_EDGE_NEVER && !u->far) {
        const struct ep_entry e = {
            .from = from, .to = to, .event = u->pmc.total + 1, .epoch = *u->epoch, .kind = (uint8_t)ep_kind_of(class)};
        ep_ring_put(&u->ring, &e);
    }
    u->pmc.total++;
    u->pmc.left--;
    u->at = u->expected = to;
    approach(u, to);
}

void ep_unit_branches(struct ep_unit *u, const struct ep_entry *entry, unsigned count, uint64_t taken, uint64_t events)
{
    if (!u->on || !events)
        return;
    enter(u, u->at);
    ep_ring_skip(&u->ring, taken - count);
    for (unsigned i = 0; i < count; i++)
        ep_ring_put(&u->ring, &entry[i]);
    u->pmc.total += events;
    u->pmc.left -= events;
    if (count)
        u->at = entry[count - 1].to;
    u->expected = u->at; /* the rest of what was executed is told with what comes next */
}

bool ep_unit_starts_anew(const struct ep_unit *u)
{
    const struct ep_parameters *p = &u->parameters;
    return u->far && p->base - p->delta > p->near;
}

/* All up to a sample have completed, and execution is at `place`. */
static void up_to_sample(struct ep_unit *u, struct ep_place place, uint64_t events, struct ep_trigger *trigger)
{
    enter(u, u->at);
    u->pmc.total += events - 1;
    u->pmc.left -= events - 1;
    trigger->event = u->pmc.total + 1;
    (void)ep_pmc_event(&u->pmc, &trigger->interval);
    look_far(u);
    u->at = u->expected = place;
}

bool ep_unit_marked(struct ep_unit *u, const struct ep_marked *marked, struct ep_place place, uint64_t events)
{
    struct ep_trigger trigger;
    if (!u->marked || !u->marked(u->context, u->cpu, marked))
        return false;
    up_to_sample(u, place, events, &trigger);
    return true;
}

void ep_unit_sampled(struct ep_unit *u, const struct ep_latest *latest, uint64_t events, struct ep_trigger trigger)
{
    up_to_sample(u, latest->place, events, &trigger);
    const struct ep_sample sample = {.trigger = trigger,
                                     .origin = latest->origin,
                                     .origin_epoch = *u->epoch,
                                     .origin_valid = true,
                                     .cpu = u->cpu,
                                     .count = latest->count,
                                     .entry = u->entries,
                                     .marked = latest->marked};
    if (u->sample)
        u->sample(u->context, &sample);
}

void ep_unit_counted(struct ep_unit *u, struct ep_place place, uint64_t events)
{
    if (!u->on || !events)
        return;
    enter(u, u->at);
    u->pmc.total += events;
    u->pmc.left -= events;
    u->at = u->expected = place;
    approach(u, place);
}

void ep_unit_remember(struct ep_unit *u, struct ep_place place)
{
    u->parameters.near = 0;
    if (u->far)
        ep_ring_start(&u->ring, place, *u->epoch);
    u->far = false;
}

bool ep_unit_executes_ordinary(const struct ep_unit *u, struct ep_place place)
{
    const struct ep_target *target;
    const unsigned n = ep_executes_targets(&u->executes, place, &target);
    bool ordinary = false, branch = false;
    for (unsigned i = 0; i < n; i++) {
        struct dis_insn insn;
        dis_decode(target[i].bytes, &insn);
        ordinary |= dis_edge_class(&insn) == DIS_EDGE_ORD;
        branch |= ep_edge_branches(dis_edge_class(&insn));
    }
    return ordinary && !branch;
}
