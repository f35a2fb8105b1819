/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/edges/consumer.h"
#include "ri/profile/build.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define QUEUE 64u /* samples and the like that wait for the thread */

enum what { SPACE, MODULE, TARGET, SAMPLE, END };
struct item {
    enum what what;
    struct edge_space space; /* its name, and that of the module, stand in `name` */
    struct ep_module module;
    char name[EDGE_NAME];
    uint16_t cpu_number;
    struct ep_place at;
    struct ep_target target;
    struct cpu *cpu;
    struct ep_sample sample; /* its entries are the item's */
    struct ep_entry *entries;
    unsigned room;
};

struct edge_consumer {
    struct edge_consumer_plan plan;
    char *program, *filter;
    struct edge_spaces spaces;
    struct ep_module *module; /* of single spaces, their names are its own; a power of two, or none */
    unsigned modules;
    struct edge_code pages;
    struct ep_code code;
    struct ep_executes executes[CPU_MAX];
    struct ep_walker *walker;
    struct ep_collector collector;
    struct ep_profile *profile;
    struct ep_log_writer log;
    FILE *file; /* of the log; NULL: none */
    uint64_t queue_drops;
    int bad;
    /* The thread's */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t more, less;
    struct item queue[QUEUE];
    unsigned first, count; /* in the queue; one that is worked on counts */
    bool running;
};

static void fails(struct edge_consumer *c, int bad)
{
    if (bad && !c->bad)
        c->bad = bad;
}

/* ---- the log ----------------------------------------------------------------------------------------------------- */

static int put(void *file, const void *bytes, size_t size)
{
    errno = 0;
    return fwrite(bytes, 1, size, file) == size ? 0 : errno ? -errno : -EIO;
}

static void page_changed(void *context, uint32_t space, uint64_t page, uint64_t epoch)
{
    struct edge_consumer *c = context;
    if (c->file)
        fails(c, ep_log_changed(&c->log, space, page, epoch));
}

static int log_space(struct edge_consumer *c, uint32_t number)
{
    const struct edge_space *s = &c->spaces.space[number];
    const struct ep_space space = {.token = s->asce, .name = s->name, .kind = s->kind};
    int bad = ep_log_space(&c->log, number, &space);
    const struct edge_modules *m = c->plan.modules;
    for (unsigned i = 0; !bad && !number && i < m->count; i++)
        bad = ep_log_module(&c->log, &(struct ep_log_module){.module = m->module[i], .last_epoch = UINT64_MAX});
    return bad;
}

/* What a log has to begin with. */
static int begin_log(struct edge_consumer *c, unsigned cpus)
{
    const struct ep_sink sink = {c->file, put};
    const struct ep_log_header header = {.parameters = c->plan.parameters, .cbt = c->plan.rules.cbt, .cpus = cpus};
    int bad = ep_log_begin(&c->log, &sink, &header);
    if (!bad)
        bad = ep_build_parameters(&c->log, &c->plan.rules, c->filter, c->program);
    if (!bad && c->plan.drop)
        bad = ep_log_parameter(&c->log, "queue-policy", "drop");
    for (uint32_t i = 0; !bad && i < c->spaces.count; i++)
        bad = log_space(c, i);
    for (unsigned i = 0; !bad && i < c->modules; i++)
        bad = ep_log_module(&c->log, &(struct ep_log_module){.module = c->module[i], .last_epoch = UINT64_MAX});
    edge_code_told_anew(&c->pages);
    for (unsigned cpu = 0; !bad && cpu < cpus; cpu++)
        for (size_t i = 0; !bad && i < c->executes[cpu].size; i++)
            for (unsigned n = 0; !bad && n < c->executes[cpu].slot[i].count; n++)
                bad = ep_log_target(&c->log, (uint16_t)cpu, c->executes[cpu].slot[i].at,
                                    &c->executes[cpu].slot[i].target[n]);
    return bad;
}

int edge_consumer_log(struct edge_consumer *c, FILE *file, const uint64_t *events, unsigned cpus)
{
    int bad = 0;
    edge_consumer_drain(c);
    if (c->file) {
        if (c->queue_drops)
            bad = ep_log_lost(&c->log, 0, 0, c->queue_drops);
        if (!bad)
            bad = ep_log_end(&c->log, events, cpus);
        if (!bad && fflush(c->file))
            bad = -errno;
    }
    c->file = file;
    if (!bad && file)
        bad = begin_log(c, cpus);
    return bad;
}

/* ---- what came --------------------------------------------------------------------------------------------------- */

static void space(struct edge_consumer *c, const struct edge_space *s)
{
    bool added;
    const struct ep_space told = {.token = s->asce, .name = s->name, .kind = s->kind};
    const uint32_t number = edge_spaces_add(&c->spaces, s->kind, s->asce, s->name, &added);
    fails(c, added ? ep_collector_space(&c->collector, &told) : -ENOMEM);
    for (unsigned i = 0; !c->bad && !number && i < c->plan.modules->count; i++)
        fails(c, ep_profile_module(c->profile, &c->plan.modules->module[i], NULL));
    if (!c->bad && c->file)
        fails(c, log_space(c, number));
}

/* Kept for logs that begin later. */
static int keep_module(struct edge_consumer *c, const struct ep_module *module)
{
    if (!(c->modules & (c->modules - 1))) {
        struct ep_module *more = realloc(c->module, (c->modules ? 2 * c->modules : 1) * sizeof *more);
        if (!more)
            return -ENOMEM;
        c->module = more;
    }
    char *name = strdup(module->name);
    if (!name)
        return -ENOMEM;
    c->module[c->modules] = *module;
    c->module[c->modules++].name = name;
    return 0;
}

static void module(struct edge_consumer *c, const struct ep_module *m)
{
    struct ep_module told = *m;
    if (m->space >= c->collector.spaces)
        return;
    told.space = c->collector.space[m->space];
    fails(c, keep_module(c, m));
    fails(c, ep_profile_module(c->profile, &told, NULL));
    if (!c->bad && c->file)
        fails(c, ep_log_module(&c->log, &(struct ep_log_module){.module = *m, .last_epoch = UINT64_MAX}));
}

static void target(struct edge_consumer *c, const struct item *i)
{
    struct dis_insn insn;
    dis_decode(i->target.bytes, &insn);
    ep_executes_executed(&c->executes[i->cpu_number], i->at, &insn, i->target.event);
    if (c->file)
        fails(c, ep_log_target(&c->log, i->cpu_number, i->at, &i->target));
}

static unsigned targets(void *context, struct ep_place place, uint16_t cpu, const struct ep_target **target)
{
    struct edge_consumer *c = (struct edge_consumer *)(void *)((char *)context - offsetof(struct edge_consumer, pages));
    return ep_executes_targets(&c->executes[cpu], place, target);
}

static void sample(struct edge_consumer *c, struct cpu *cpu, const struct ep_sample *s)
{
    edge_code_look(&c->pages, cpu);
    fails(c, ep_collect_sample(&c->collector, c->walker, s, &c->code));
    if (c->file) /* behind what was found to have changed */
        fails(c, ep_log_sample(&c->log, s));
}

static void consume(struct edge_consumer *c, const struct item *i)
{
    if (c->bad)
        return;
    if (i->what == SPACE) {
        struct edge_space s = i->space;
        s.name = s.name ? (char *)(uintptr_t)i->name : NULL;
        space(c, &s);
    } else if (i->what == MODULE) {
        struct ep_module m = i->module;
        m.name = i->name;
        module(c, &m);
    } else if (i->what == TARGET)
        target(c, i);
    else
        sample(c, i->cpu, &i->sample);
}

/* ---- the thread -------------------------------------------------------------------------------------------------- */

static void *work(void *consumer)
{
    struct edge_consumer *c = consumer;
    for (;;) {
        pthread_mutex_lock(&c->lock);
        while (!c->count)
            pthread_cond_wait(&c->more, &c->lock);
        struct item *i = &c->queue[c->first];
        pthread_mutex_unlock(&c->lock);
        if (i->what == END)
            return NULL;
        consume(c, i);
        pthread_mutex_lock(&c->lock);
        c->first = (c->first + 1) % QUEUE;
        c->count--;
        pthread_cond_broadcast(&c->less);
        pthread_mutex_unlock(&c->lock);
    }
}

/* The entries of a sample stay with the item. */
static bool keep_entries(struct item *i, const struct ep_sample *s)
{
    if (i->room < s->count) {
        struct ep_entry *more = realloc(i->entries, s->count * sizeof *more);
        if (!more)
            return false;
        i->entries = more;
        i->room = s->count;
    }
    if (s->count)
        memcpy(i->entries, s->entry, s->count * sizeof *i->entries);
    i->sample = *s;
    i->sample.entry = i->entries;
    i->sample.marked = NULL; /* they may have become others by then */
    return true;
}

static void hand_over(struct edge_consumer *c, const struct item *item)
{
    if (!c->running) {
        consume(c, item);
        return;
    }
    pthread_mutex_lock(&c->lock);
    if (item->what == SAMPLE && c->count == QUEUE && c->plan.drop) {
        c->queue_drops++;
        pthread_mutex_unlock(&c->lock);
        return;
    }
    while (c->count == QUEUE)
        pthread_cond_wait(&c->less, &c->lock);
    struct item *i = &c->queue[(c->first + c->count) % QUEUE];
    struct ep_entry *entries = i->entries;
    const unsigned room = i->room;
    *i = *item;
    i->entries = entries;
    i->room = room;
    if (item->what == SAMPLE && !keep_entries(i, &item->sample))
        c->queue_drops++;
    else
        c->count++;
    pthread_cond_signal(&c->more);
    pthread_mutex_unlock(&c->lock);
}

void edge_consumer_drain(struct edge_consumer *c)
{
    if (!c->running)
        return;
    pthread_mutex_lock(&c->lock);
    while (c->count)
        pthread_cond_wait(&c->less, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

void edge_consumer_space(struct edge_consumer *c, const struct edge_space *s)
{
    struct item item = {.what = SPACE, .space = *s};
    snprintf(item.name, sizeof item.name, "%s", s->name ? s->name : "");
    hand_over(c, &item);
}

void edge_consumer_module(struct edge_consumer *c, const struct ep_module *m)
{
    struct item item = {.what = MODULE, .module = *m};
    snprintf(item.name, sizeof item.name, "%s", m->name);
    hand_over(c, &item);
}

void edge_consumer_target(struct edge_consumer *c, uint16_t cpu, struct ep_place at, const struct ep_target *target)
{
    hand_over(c, &(struct item){.what = TARGET, .cpu_number = cpu, .at = at, .target = *target});
}

void edge_consumer_sample(struct edge_consumer *c, struct cpu *cpu, const struct ep_sample *s)
{
    if (!c->running) {
        if (!c->bad)
            sample(c, cpu, s);
        return;
    }
    hand_over(c, &(struct item){.what = SAMPLE, .cpu = cpu, .sample = *s});
}

bool edge_consumer_marked(struct edge_consumer *c, const struct ep_marked *marked)
{
    return !c->running && !c->file && !c->bad && ep_collect_marked(&c->collector, c->walker, marked);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

struct edge_consumer *edge_consumer_create(const struct edge_consumer_plan *plan)
{
    struct edge_consumer *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->plan = *plan;
    c->program = strdup(plan->program);
    c->filter = strdup(plan->filter);
    c->profile = ep_profile_new();
    c->pages = (struct edge_code){.machine = plan->machine,
                                  .spaces = &c->spaces,
                                  .settles = !plan->threaded,
                                  .changed = page_changed,
                                  .context = c};
    c->code = (struct ep_code){&c->pages, edge_code_fetch, targets, edge_code_page};
    c->walker = ep_walker_create(&plan->rules, &c->code, EP_RING_MOST(plan->parameters.tbt));
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->more, NULL);
    pthread_cond_init(&c->less, NULL);
    if (c->program && c->filter && c->profile && c->walker) {
        ep_collector_begin(&c->collector, c->profile, &plan->rules);
        c->running = plan->threaded && !pthread_create(&c->thread, NULL, work, c);
        if (c->running == plan->threaded)
            return c;
    }
    edge_consumer_destroy(c);
    return NULL;
}

void edge_consumer_destroy(struct edge_consumer *c)
{
    if (!c)
        return;
    if (c->running) {
        hand_over(c, &(struct item){.what = END});
        pthread_join(c->thread, NULL);
    }
    for (unsigned i = 0; i < QUEUE; i++)
        free(c->queue[i].entries);
    for (unsigned i = 0; i < CPU_MAX; i++)
        ep_executes_destroy(&c->executes[i]);
    for (unsigned i = 0; i < c->modules; i++)
        free((char *)(uintptr_t)c->module[i].name);
    free(c->module);
    ep_walker_destroy(c->walker);
    ep_collector_end(&c->collector);
    ep_profile_free(c->profile);
    edge_code_destroy(&c->pages);
    edge_spaces_destroy(&c->spaces);
    pthread_cond_destroy(&c->more);
    pthread_cond_destroy(&c->less);
    pthread_mutex_destroy(&c->lock);
    free(c->program);
    free(c->filter);
    free(c);
}

/* ---- the profile ------------------------------------------------------------------------------------------------- */

int edge_consumer_profile(struct edge_consumer *c, uint64_t events, bool partial, struct ep_profile **copy)
{
    edge_consumer_drain(c);
    if (c->bad)
        return c->bad;
    int bad = ep_collector_settle(&c->collector);
    if (!bad)
        bad = ep_profile_copy(c->profile, copy);
    if (bad)
        return bad;
    struct ep_collector told = c->collector;
    told.profile = *copy;
    told.triggered += c->queue_drops;
    bad = ep_collector_tell(&told, &c->plan.parameters, &c->plan.rules, events, c->program);
    if (!bad && c->queue_drops)
        bad = ep_profile_count(*copy, "drop.queue", c->queue_drops);
    if (!bad && c->plan.drop)
        bad = ep_profile_set(*copy, EP_H_QUEUE_POLICY, "drop");
    if (!bad && partial)
        bad = ep_profile_set_number(*copy, EP_H_PARTIAL, 1);
    if (bad) {
        ep_profile_free(*copy);
        *copy = NULL;
    }
    return bad;
}

struct edge_consumer_counts edge_consumer_counts(struct edge_consumer *c)
{
    edge_consumer_drain(c);
    struct edge_consumer_counts counts = {.triggered = c->collector.triggered + c->queue_drops,
                                          .accepted = c->collector.accepted,
                                          .queue = c->queue_drops};
    memcpy(counts.dropped, c->collector.dropped, sizeof counts.dropped);
    return counts;
}

int edge_consumer_bad(struct edge_consumer *c)
{
    edge_consumer_drain(c);
    return c->bad;
}
