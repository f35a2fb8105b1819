/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/groups.h"
#include "ri/controls.h"
#include "ri/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A PSW: DAT, address-space control, extended and basic addressing mode. */
enum { DAT_BIT = 5, AS_FIRST = 16, EA_BIT = 31, BA_BIT = 32, HOME = 3 };

struct ep_groups {
    struct ep_profile *profile;
    struct ep_code code;
    struct ep_groups_options options;
    struct ep_rules rules;
    struct ep_parameters parameters;
    struct ep_collector collector;
    struct ep_walker *walker; /* made with the first group */
    struct ep_space *space;   /* as many as the collector knows */
    struct ep_entry entry[RI_GROUP_RECORDS];
    unsigned cb_entries;
    uint64_t groups, events;
    char *error;
    size_t size;
};

struct ep_groups *ep_groups_begin(struct ep_profile *profile, const struct ep_code *code,
                                  const struct ep_groups_options *options, unsigned cb_entries)
{
    struct ep_groups *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->profile = profile;
    g->code = *code;
    g->code.targets = NULL;
    g->options = *options;
    g->cb_entries = cb_entries;
    g->rules = (struct ep_rules){.event = EP_EVENT_INSN,
                                 .short_is = EP_SHORT_DROP,
                                 .walk_limit = options->walk_limit ? options->walk_limit : EP_WALK_LIMIT,
                                 .append_nt = true,
                                 .weigh = options->weigh,
                                 .ri = true};
    ep_collector_begin(&g->collector, profile, &g->rules);
    return g;
}

void ep_groups_end(struct ep_groups *g)
{
    if (!g)
        return;
    ep_walker_destroy(g->walker);
    ep_collector_end(&g->collector);
    free(g->space);
    free(g);
}

/* ---- whether a profile can be made of them ----------------------------------------------------------------------- */

static int refuse(const struct ep_groups *g, const char *control, const char *what)
{
    snprintf(g->error, g->size, "group %" PRIu64 " was stored with control %s %s", g->groups, control, what);
    return -EPERM;
}

/* The controls under which a group was stored let nothing be left out, and choose nothing by what it is. */
static int check_controls(const struct ep_groups *g, const struct ri_controls *c, bool problem)
{
    static const char off[] = "zero: branches are missing in it; set C, R and B to one for edges, or C alone for calls";
    const bool calls = g->rules.event == EP_EVENT_CALL;
    if (c->m == RI_MODE_CYCLES)
        return refuse(g, "M", "zero: intervals of cycles give a profile that is not uniform; set M to 1, instructions");
    if (!c->f)
        return refuse(g, "F", "zero: what is reported depends on what was sampled; set F to one");
    if (problem ? !c->pc : !c->qc)
        return refuse(g, problem ? "Pc" : "Qc", "zero: branches of the state sampled are missing; set it to one");
    if (!c->c)
        return refuse(g, "C", off);
    if (calls ? c->r : !c->r)
        return refuse(g, "R", calls ? "one, those before with zero: take a log for each apart" : off);
    if (calls ? c->b : !c->b)
        return refuse(g, "B", calls ? "one, those before with zero: take a log for each apart" : off);
    return 0;
}

/* Sizes, by the first group. */
static int begin(struct ep_groups *g, const struct ri_log_group *group, const struct ri_controls *c)
{
    const unsigned room = group->count - 2 - (c->d && group->rgs >= 1);
    const unsigned tbt = room < g->cb_entries ? room : g->cb_entries;
    const bool calls = c->c && !c->r && !c->b;
    if (calls)
        g->rules.event = EP_EVENT_CALL;
    if (!tbt || (!calls && tbt < 2))
        return refuse(g, "RGS", "so small that no trace fits into it; set it to 2 or more, 4 is usual");
    g->rules.cbt = g->options.cbt ? g->options.cbt : tbt - !calls;
    if (g->rules.cbt > tbt - !calls) {
        snprintf(g->error, g->size, "a trace of %u branches cannot be cut to %u; take %u or fewer", tbt, g->rules.cbt,
                 tbt - !calls);
        return -EPERM;
    }
    g->parameters = (struct ep_parameters){.base = c->sf, .tbt = tbt, .event = EP_EVENT_INSN};
    g->collector.calls = calls;
    g->collector.weighs = g->rules.weigh && !calls;
    g->walker = ep_walker_create(&g->rules, &g->code, RI_GROUP_RECORDS);
    return g->walker ? 0 : -ENOMEM;
}

/* ---- from records to a sample ------------------------------------------------------------------------------------ */

/* The number of the space that a group's sample instruction came from. */
static int space_of(struct ep_groups *g, const struct ri_log_group *group, uint32_t *number)
{
    const bool dat = group->psw_mask >> (63 - DAT_BIT) & 1;
    const bool home = field64(group->psw_mask, AS_FIRST, AS_FIRST + 1) == HOME;
    const struct ep_space space = {.kind = !dat   ? EP_SPACE_REAL
                                           : home ? EP_SPACE_HOME
                                                  : EP_SPACE_PRIMARY,
                                   .token = dat ? group->asce : 0};
    for (*number = 0; *number < g->collector.spaces; ++*number)
        if (g->space[*number].kind == space.kind && g->space[*number].token == space.token)
            return 0;
    struct ep_space *larger = realloc(g->space, (*number + 1) * sizeof *larger);
    if (!larger)
        return -ENOMEM;
    g->space = larger;
    g->space[*number] = space;
    const int bad = ep_collector_space(&g->collector, &space);
    if (bad || !g->options.space)
        return bad;
    return g->options.space(g->options.context, *number, g->collector.space[*number], &space);
}

#define BIT(record, type, field) ((record).lo >> RI_##type##_##field##_SHIFT & 1)

static struct ep_entry entry_of(struct ri_record r, struct ep_place at)
{
    const unsigned type = ri_record_type(r);
    struct ep_entry e = {.from = at,
                         .to = at,
                         .kind = type == RI_TYPE_CALL     ? EP_CALL
                                 : type == RI_TYPE_RETURN ? EP_RETURN
                                 : type == RI_TYPE_ABORT  ? EP_ABORT
                                                          : EP_TRANSFER,
                         .partial = r.hi >> RI_BRANCH_C_SHIFT & 1};
    e.from.address = field64(r.hi, 9, 63);
    e.to.address = type == RI_TYPE_ABORT ? field64(r.lo, 16, 63) : field64(r.lo, 1, 63);
    return e;
}

/* The branches of the body, oldest first. */
static unsigned entries_of(struct ep_groups *g, const struct ri_log_group *group, const uint8_t *records,
                           struct ep_place at)
{
    unsigned n = 0;
    for (unsigned i = 1; i + 1 < group->count; i++) {
        const struct ri_record r = ri_record_from(records + 16 * i);
        const unsigned type = ri_record_type(r);
        if (type == RI_TYPE_CALL || (g->rules.event != EP_EVENT_CALL && type >= RI_TYPE_ABORT))
            g->entry[n++] = entry_of(r, at);
    }
    return n;
}

/* The trigger, by the instruction record. When it stands where the newest branch does, was it that execution? Records
   of other machines do not tell: it is taken to be. */
static void set_trigger(struct ep_sample *s, struct ri_record r)
{
    const bool told = field64(r.lo, 16, 23) != 0; /* LEN */
    const struct ep_entry *newest = s->count ? &s->entry[s->count - 1] : NULL;
    const bool there = newest && ep_taken(newest) && newest->from.address == field64(r.hi, 9, 63);
    s->trigger.at.address = field64(r.hi, 9, 63);
    s->trigger.taken = there && (!told || BIT(r, INSTRUCTION, TK));
    s->trigger.branch = s->trigger.taken || (BIT(r, INSTRUCTION, BR) && !BIT(r, INSTRUCTION, TK));
    s->trigger.executed = BIT(r, INSTRUCTION, EX);
}

static int sample(struct ep_groups *g, const struct ri_log_group *group, const uint8_t *records)
{
    const struct ri_record r = ri_record_from(records + 16 * (group->count - 1u));
    struct ep_place at = {.mode = !(group->psw_mask >> (63 - BA_BIT) & 1)   ? EP_24
                                  : !(group->psw_mask >> (63 - EA_BIT) & 1) ? EP_31
                                                                            : EP_64};
    struct ep_sample s = {.cpu = group->cpu, .entry = g->entry};
    struct ep_path path = {.run_size = 1};
    const int bad = space_of(g, group, &at.space);
    if (bad)
        return bad;
    s.trigger.at = at;
    s.count = entries_of(g, group, records, at);
    set_trigger(&s, r);
    g->events += g->parameters.base;
    s.trigger.event = g->events;
    s.trigger.interval = g->parameters.base;
    const bool partial = r.hi >> RI_INSTRUCTION_C_SHIFT & 1 && g->rules.event != EP_EVENT_CALL;
    const enum ep_drop drop = partial ? EP_DROP_ADDR : ep_walk(g->walker, &s, &path);
    return ep_collect(&g->collector, &s, &g->code, drop, &path);
}

int ep_groups_add(struct ep_groups *g, const struct ri_log_group *group, const struct ri_controls *controls,
                  const uint8_t *records, char *error, size_t size)
{
    const char *why = ri_group_wrong(records, group->count, group->address == group->roa);
    const struct ri_record r = ri_record_from(records + 16 * (group->count - 1u));
    int bad = 0;
    g->error = error;
    g->size = size;
    g->groups++;
    if (why) {
        snprintf(error, size, "group %" PRIu64 " %s; log the run again", g->groups, why);
        return -EINVAL;
    }
    if (BIT(r, INSTRUCTION, DS) && !BIT(r, INSTRUCTION, CS))
        return 0;
    if (!g->walker)
        bad = begin(g, group, controls);
    if (!bad)
        bad = check_controls(g, controls, BIT(r, INSTRUCTION, PS));
    return bad ? bad : sample(g, group, records);
}

int ep_groups_tell(struct ep_groups *g, struct ep_built *built)
{
    const bool calls = g->rules.event == EP_EVENT_CALL;
    int bad = ep_collector_tell(&g->collector, &g->parameters, &g->rules, g->events, g->options.program);
    if (!bad && calls)
        bad = ep_profile_set(g->profile, EP_H_EVENT, "insn");
    if (!bad && calls)
        bad = ep_profile_set_number(g->profile, EP_H_UNIFORM, 0);
    *built = (struct ep_built){.triggered = g->collector.triggered,
                               .accepted = g->collector.accepted,
                               .wrong_image = g->collector.dropped[EP_DROP_IMAGE]};
    return bad;
}

/* ---- a log ------------------------------------------------------------------------------------------------------- */

struct reader {
    const struct ep_input *input;
    const struct ep_images *images;
    struct ep_groups *groups;
    struct ri_controls controls[EP_LOG_CPUS]; /* of each CPU address, the latest in the log */
    bool known[EP_LOG_CPUS];
    char *error;
    size_t size;
};

/* Takes `size` bytes. 0 or a negative errno; *had: how many there were. */
static int take(struct reader *r, uint8_t *bytes, size_t size, size_t *had)
{
    for (*had = 0; *had < size;) {
        const long n = r->input->read(r->input->context, bytes + *had, size - *had);
        if (n < 0)
            return (int)n;
        if (!n)
            break;
        *had += (size_t)n;
    }
    return 0;
}

static bool fetch(void *context, struct ep_place place, uint8_t bytes[6], uint64_t *changed)
{
    const struct reader *r = context;
    *changed = 0;
    return r->images->fetch(r->images->context, place.space, place.address, bytes);
}

/* The images stay as they are. */
static bool page(void *context, struct ep_place place, uint64_t *changed)
{
    (void)context;
    (void)place;
    *changed = 0;
    return true;
}

/* The next group. -ENODATA: there is none; *cut then tells that it has only begun. */
static int read_group(struct reader *r, bool *cut)
{
    uint8_t bytes[RI_LOG_ENTRY];
    struct ri_log_group group;
    size_t had;
    int bad = take(r, bytes, RI_LOG_HEAD, &had);
    *cut = had && had < RI_LOG_HEAD;
    if (bad || had < RI_LOG_HEAD)
        return bad ? bad : -ENODATA;
    const char *why = ri_log_get_group(bytes, &group);
    if (why) {
        snprintf(r->error, r->size, "the entry of group %" PRIu64 " %s; log the run again", r->groups->groups + 1, why);
        return -EINVAL;
    }
    bad = take(r, bytes + RI_LOG_HEAD, ri_log_rest(&group), &had);
    *cut = had < ri_log_rest(&group);
    if (bad || *cut)
        return bad ? bad : -ENODATA;
    if (group.cpu >= EP_LOG_CPUS) {
        snprintf(r->error, r->size, "group %" PRIu64 " is of CPU %u, and no machine has that many; log the run again",
                 r->groups->groups + 1, group.cpu);
        return -EINVAL;
    }
    if (group.controls)
        r->controls[group.cpu] = ri_controls_decode(bytes + RI_LOG_HEAD + 16 * (size_t)group.count);
    r->known[group.cpu] |= group.controls;
    if (!r->known[group.cpu]) {
        snprintf(r->error, r->size, "group %" PRIu64 " comes without the controls of its CPU; log the run again",
                 r->groups->groups + 1);
        return -EINVAL;
    }
    r->controls[group.cpu].m = group.mode;
    return ep_groups_add(r->groups, &group, &r->controls[group.cpu], bytes + RI_LOG_HEAD, r->error, r->size);
}

static int read_header(struct reader *r, struct ri_log_header *header)
{
    uint8_t bytes[RI_LOG_HEADER] = {0};
    size_t had;
    int bad = take(r, bytes, sizeof bytes, &had);
    const char *why = bad ? NULL : ri_log_get_header(bytes, header);
    if (!bad && !why && had < sizeof bytes)
        why = "it ends within the header of an RI log";
    if (why)
        snprintf(r->error, r->size, "%s; name what zri --ri-log wrote", why);
    return why ? -EINVAL : bad;
}

int ep_groups_build(const struct ep_input *input, const struct ep_images *images,
                    const struct ep_groups_options *options, struct ep_profile *profile, struct ep_built *built,
                    char *error, size_t size)
{
    struct reader *r = calloc(1, sizeof *r);
    const struct ep_code code = {.context = r, .fetch = fetch, .page = page};
    struct ri_log_header header;
    bool cut = false;
    if (!r)
        return -ENOMEM;
    r->input = input;
    r->images = images;
    r->error = error;
    r->size = size;
    int bad = read_header(r, &header);
    if (!bad && !(r->groups = ep_groups_begin(profile, &code, options, header.cb_entries)))
        bad = -ENOMEM;
    while (!bad)
        bad = read_group(r, &cut);
    if (bad == -ENODATA) {
        bad = ep_groups_tell(r->groups, built);
        built->truncated = cut;
    }
    ep_groups_end(r->groups);
    free(r);
    return bad;
}
