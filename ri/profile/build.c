/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/build.h"
#include "ri/profile/executes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BITS   12
#define FIRST_PAGES 256u
#define PROGRAM     256u

struct page {
    uint64_t number, epoch;
    uint32_t space;
    bool used;
};
struct build {
    const struct ep_log_header *header;
    const struct ep_images *images;
    const struct ep_follower *follower; /* NULL: nobody */
    struct ep_rules rules;
    struct ep_collector collector;
    struct ep_executes executes[EP_LOG_CPUS];
    struct ep_walker *walker; /* made with the first sample: parameters stand before it */
    struct page *page;        /* that have changed; `pages` slots, a power of two */
    size_t pages, changed;
    uint64_t samples;
    uint64_t events[EP_LOG_CPUS]; /* up to the latest sample */
    char program[PROGRAM];
    unsigned given; /* parameters, a bit for each */
    char *error;
    size_t error_size;
};

/* ---- parameters ------------------------------------------------------------------------------------------------- */

static const char *const norms[] = {"none", "run", "block", NULL};    /* enum ep_norm */
static const char *const policies[] = {"auto", "drop", "keep", NULL}; /* enum ep_short */
static const char *const flags[] = {"0", "1", NULL};

enum { APPEND_NT, SHORT_POLICY, NORM, WALK_LIMIT, FILTER, PROGRAM_NAME, PARAMETERS };
static const char *const keys[PARAMETERS] = {"append-nt", "short-policy", "norm", "walk-limit", "filter", "program"};

static int word_of(const char *const *words, const char *value, unsigned *number)
{
    for (*number = 0; words[*number]; ++*number)
        if (!strcmp(words[*number], value))
            return 0;
    return -EINVAL;
}

static int set_parameter(struct build *b, unsigned which, const char *value)
{
    unsigned n = 0;
    char *end;
    int bad = 0;
    switch (which) {
    case APPEND_NT:
        bad = word_of(flags, value, &n);
        b->rules.append_nt = n;
        break;
    case SHORT_POLICY:
        bad = word_of(policies, value, &n);
        b->rules.short_is = n;
        break;
    case NORM:
        bad = word_of(norms, value, &n);
        b->rules.weigh = n;
        break;
    case WALK_LIMIT:
        b->rules.walk_limit = strtoull(value, &end, 10);
        bad = *end || !b->rules.walk_limit || b->rules.walk_limit > UINT64_C(1) << 32 ? -EINVAL : 0;
        break;
    case PROGRAM_NAME:
        snprintf(b->program, sizeof b->program, "%s", value);
        break;
    default: /* the filter was applied when the samples were taken */
        break;
    }
    if (bad)
        snprintf(b->error, b->error_size, "the log's parameter %s cannot be '%s'", keys[which], value);
    b->given |= 1u << which;
    return bad;
}

static int parameter(void *context, const char *key, const char *value)
{
    struct build *b = context;
    if (b->walker) {
        snprintf(b->error, b->error_size, "the log's parameter %.40s stands behind samples: it is damaged", key);
        return -EINVAL;
    }
    for (unsigned i = 0; i < PARAMETERS; i++)
        if (!strcmp(keys[i], key))
            return set_parameter(b, i, value);
    for (unsigned h = EP_H_PARTIAL; h < EP_HEADERS; h++)
        if (!strcmp(ep_header_key(h), key)) {
            const int bad = ep_profile_set(b->collector.profile, h, value);
            if (bad == -EINVAL)
                snprintf(b->error, b->error_size, "the log's parameter %s cannot be '%s'", key, value);
            return bad;
        }
    return 0;
}

int ep_build_parameters(struct ep_log_writer *w, const struct ep_rules *rules, const char *filter, const char *program)
{
    char limit[24];
    snprintf(limit, sizeof limit, "%" PRIu64, rules->walk_limit);
    const char *const values[PARAMETERS] = {
        flags[rules->append_nt], policies[rules->short_is], norms[rules->weigh], limit, filter, program};
    int bad = 0;
    for (unsigned i = 0; i < PARAMETERS && !bad; i++)
        bad = ep_log_parameter(w, keys[i], values[i]);
    return bad;
}

/* ---- code ------------------------------------------------------------------------------------------------------- */

static struct page *find_page(const struct build *b, uint32_t space, uint64_t number)
{
    size_t i = (size_t)(((number ^ (uint64_t)space << 40) * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (b->pages - 1);
    while (b->page[i].used && (b->page[i].number != number || b->page[i].space != space))
        i = (i + 1) & (b->pages - 1);
    return &b->page[i];
}

static int grow(struct build *b)
{
    struct build larger = {.pages = b->page ? 2 * b->pages : FIRST_PAGES};
    if (b->page && b->changed < b->pages / 2)
        return 0;
    larger.page = calloc(larger.pages, sizeof *larger.page);
    if (!larger.page)
        return -ENOMEM;
    for (size_t i = 0; i < b->pages; i++)
        if (b->page[i].used)
            *find_page(&larger, b->page[i].space, b->page[i].number) = b->page[i];
    free(b->page);
    b->page = larger.page;
    b->pages = larger.pages;
    return 0;
}

static int changed(void *context, uint32_t space, uint64_t address, uint64_t epoch)
{
    struct build *b = context;
    const uint64_t number = address >> PAGE_BITS;
    if (grow(b))
        return -ENOMEM;
    struct page *page = find_page(b, space, number);
    b->changed += !page->used;
    *page = (struct page){.number = number, .epoch = epoch, .space = space, .used = true};
    return 0;
}

static bool fetch(void *context, struct ep_place place, uint8_t bytes[6], uint64_t *epoch)
{
    const struct build *b = context;
    *epoch = 0;
    if (!b->images->fetch(b->images->context, place.space, place.address, bytes))
        return false;
    const uint64_t end = place.address + dis_length(bytes[0]) - 1;
    for (uint64_t number = place.address >> PAGE_BITS; b->page && number <= end >> PAGE_BITS; number++) {
        const struct page *page = find_page(b, place.space, number);
        if (page->used && page->epoch > *epoch)
            *epoch = page->epoch;
    }
    return true;
}

static bool page(void *context, struct ep_place place, uint64_t *epoch)
{
    const struct build *b = context;
    *epoch = 0;
    if (b->page) {
        const struct page *page = find_page(b, place.space, place.address >> PAGE_BITS);
        *epoch = page->used ? page->epoch : 0;
    }
    return true;
}

static unsigned targets(void *context, struct ep_place place, uint16_t cpu, const struct ep_target **target)
{
    return ep_executes_targets(&((struct build *)context)->executes[cpu], place, target);
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

static int space(void *context, uint32_t number, const struct ep_space *space)
{
    struct build *b = context;
    if (number == b->collector.spaces) {
        const int bad = ep_collector_space(&b->collector, space);
        return bad || !b->follower ? bad : b->follower->space(b->follower->context, number, space);
    }
    snprintf(b->error, b->error_size, "the log tells space %" PRIu32 " when %" PRIu32 " would be next: it is damaged",
             number, b->collector.spaces);
    return -EINVAL;
}

static int module(void *context, const struct ep_log_module *m)
{
    struct build *b = context;
    struct ep_log_module told = *m;
    if (m->module.space >= b->collector.spaces) {
        snprintf(b->error, b->error_size, "a module of the log is in space %" PRIu32 ", which was not told of",
                 m->module.space);
        return -EINVAL;
    }
    told.module.space = b->collector.space[m->module.space];
    if (b->walker)
        ep_walker_forget(b->walker);
    int bad = ep_profile_module(b->collector.profile, &told.module, NULL);
    if (bad == -EINVAL)
        snprintf(b->error, b->error_size, "a module of the log ends before it begins: it is damaged");
    if (!bad && b->images->module)
        bad = b->images->module(b->images->context, m);
    return bad || !b->follower ? bad : b->follower->module(b->follower->context, m);
}

static int target(void *context, uint16_t cpu, struct ep_place at, const struct ep_target *t)
{
    struct build *b = context;
    struct dis_insn insn;
    dis_decode(t->bytes, &insn);
    ep_executes_executed(&b->executes[cpu], at, &insn, t->event);
    return 0;
}

/* Samples that were due and are not in the log: its queue was full. */
static int lost(void *context, uint16_t cpu, unsigned reason, uint64_t count)
{
    struct build *b = context;
    (void)cpu;
    (void)reason;
    b->collector.triggered += count;
    return ep_profile_count(b->collector.profile, "drop.queue", count);
}

static int begin(struct build *b)
{
    const struct ep_code code = {b, fetch, b->header->ri ? NULL : targets, page};
    for (unsigned i = 0; i < PARAMETERS; i++)
        if (!(b->given & 1u << i)) {
            snprintf(b->error, b->error_size, "the log does not say its parameter %s: it is damaged", keys[i]);
            return -EINVAL;
        }
    if (b->rules.event == EP_EVENT_INSN && b->rules.cbt >= b->header->parameters.tbt) {
        snprintf(b->error, b->error_size, "with instructions as events a trace of %u branches cannot keep %u",
                 b->header->parameters.tbt, b->rules.cbt);
        return -EINVAL;
    }
    b->collector.weighs = b->rules.weigh && b->rules.event == EP_EVENT_INSN;
    b->walker = ep_walker_create(&b->rules, &code, EP_RING_MOST(b->header->parameters.tbt));
    return b->walker ? 0 : -ENOMEM;
}

static int sample(void *context, const struct ep_sample *s)
{
    struct build *b = context;
    const struct ep_code code = {b, fetch, b->header->ri ? NULL : targets, page};
    struct ep_path path;
    int bad = b->walker ? 0 : begin(b);
    if (bad)
        return bad;
    b->samples++;
    b->events[s->cpu] = s->trigger.event;
    const enum ep_drop drop = ep_walk(b->walker, s, &path);
    bad = ep_collect(&b->collector, s, &code, drop, &path);
    if (bad == -EINVAL)
        snprintf(b->error, b->error_size, "sample %" PRIu64 " is in a space that was not told of: the log is damaged",
                 b->samples);
    return bad || !b->follower ? bad : b->follower->sample(b->follower->context, s, drop ? NULL : &path);
}

int ep_build(const struct ep_input *input, const struct ep_log_header *header, const struct ep_images *images,
             struct ep_profile *profile, struct ep_built *built, char *error, size_t size)
{
    return ep_build_followed(input, header, images, NULL, profile, built, error, size);
}

int ep_build_followed(const struct ep_input *input, const struct ep_log_header *header, const struct ep_images *images,
                      const struct ep_follower *follower, struct ep_profile *profile, struct ep_built *built,
                      char *error, size_t size)
{
    struct build b = {.header = header, .images = images, .follower = follower, .error = error, .error_size = size};
    const struct ep_log_listener listener = {.context = &b,
                                             .parameter = parameter,
                                             .space = space,
                                             .module = module,
                                             .changed = changed,
                                             .target = target,
                                             .lost = lost,
                                             .sample = sample};
    struct ep_log_end end;
    uint64_t events = 0;
    b.rules = (struct ep_rules){.cbt = header->cbt, .event = header->parameters.event, .ri = header->ri};
    ep_collector_begin(&b.collector, profile, &b.rules);
    int bad = ep_log_read(input, header, &listener, &end, error, size);
    if (!bad && !b.walker)
        bad = begin(&b);
    for (unsigned i = 0; i < header->cpus; i++)
        events += end.truncated ? b.events[i] : end.events[i];
    if (!bad)
        bad = ep_collector_tell(&b.collector, &header->parameters, &b.rules, events, b.program);
    *built = (struct ep_built){.triggered = b.collector.triggered,
                               .accepted = b.collector.accepted,
                               .wrong_image = b.collector.dropped[EP_DROP_IMAGE],
                               .truncated = end.truncated};
    for (unsigned i = 0; i < EP_LOG_CPUS; i++)
        ep_executes_destroy(&b.executes[i]);
    ep_walker_destroy(b.walker);
    ep_collector_end(&b.collector);
    free(b.page);
    return bad;
}
