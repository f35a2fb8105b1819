/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/edges/profile.h"
#include "cpu/control/edges.h"
#include "emu/edges/exact.h"
#include "emu/edges/programs.h"
#include "emu/symbols/symbols.h"
#include "ri/profile/show/output.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define FILTER 700
/* Taken branches are remembered from so many branches before a sample on, and those that it may hold. Then it is made
   of fewer entries, mostly, and begins where that was; its newest branches are the same. (Where none of these more was
   taken, what comes before is not known to have changed: that needs code that stores into the straight code that it is
   itself.) */
#define NEAR UINT64_C(16)

/* A file that is written at the end. */
struct out {
    FILE *file;
    char *name;
};

struct edge_profile {
    struct machine *machine;
    struct emu_edges asked;
    struct ep_parameters parameters;
    struct ep_rules rules;
    struct edge_modules modules;
    struct edge_spaces spaces;
    struct edge_programs programs;
    struct cpu_edges_system shared;
    struct edge_consumer *consumer;
    struct edge_exact *exact; /* NULL: branches are not counted one by one */
    struct out out, log, exact_out;
    char program[256];
    struct symbols *symbols; /* of the images; NULL: none */
    unsigned load;           /* number of the load that they are of */
    pthread_mutex_t lock;    /* threads: CPUs tell one at a time */
    bool on, units;
    struct ep_unit unit[CPU_MAX];
    struct cpu_edges cpus[CPU_MAX];
    struct edge_code code[CPU_MAX]; /* for ranges */
};

static int no_memory(char *error, size_t size)
{
    snprintf(error, size, "the host has no memory for an edge profile");
    return -ENOMEM;
}

/* ---- what CPUs tell ---------------------------------------------------------------------------------------------- */

static uint32_t space_number(void *context, struct cpu *cpu, unsigned kind, uint64_t asce, bool *stays)
{
    struct edge_profile *p = context;
    bool added;
    pthread_mutex_lock(&p->lock);
    const uint32_t number = edge_programs_space(&p->programs, cpu, kind, asce, &added);
    if (added) {
        edge_consumer_space(p->consumer, &p->spaces.space[number]);
        if (p->exact)
            edge_exact_space(p->exact, &p->spaces.space[number]);
    }
    *stays = kind != EP_SPACE_PRIMARY || edge_programs_knows(&p->programs, number);
    pthread_mutex_unlock(&p->lock);
    return number;
}

/* Is what runs in that space the program that was asked for? */
static bool wanted(void *context, uint32_t space)
{
    struct edge_profile *p = context;
    pthread_mutex_lock(&p->lock);
    const char *name = space < p->spaces.count ? p->spaces.space[space].name : NULL;
    const bool wants = name && !strcmp(name, p->asked.program);
    pthread_mutex_unlock(&p->lock);
    return wants;
}

static void module(void *context, const struct ep_module *m)
{
    struct edge_profile *p = context;
    edge_consumer_module(p->consumer, m);
    if (p->exact)
        edge_exact_module(p->exact, m);
}

/* The modules that a sample is of. They begin and end with pages. */
static void find_modules(struct edge_profile *p, const struct ep_sample *s)
{
    struct cpu *cpu = p->machine->sys.cpus[s->cpu];
    struct ep_place last = s->trigger.at;
    edge_programs_modules(&p->programs, cpu, last.space, last.address, module, p);
    for (unsigned i = 0; i < s->count; i++) {
        const struct ep_place from = s->entry[i].from;
        if (((from.address ^ last.address) & PAGE_ADDRESS) || from.space != last.space)
            edge_programs_modules(&p->programs, cpu, from.space, from.address, module, p);
        last = from;
    }
}

static void sampled(void *context, const struct ep_sample *sample)
{
    struct edge_profile *p = context;
    pthread_mutex_lock(&p->lock);
    find_modules(p, sample);
    edge_consumer_sample(p->consumer, p->machine->sys.cpus[sample->cpu], sample);
    pthread_mutex_unlock(&p->lock);
}

/* Where modules are not known yet each branch is in the page that its stretch begins in: others are left out. */
static bool marked(void *context, uint16_t number, const struct ep_marked *m)
{
    struct edge_profile *p = context;
    struct cpu *cpu = p->machine->sys.cpus[number];
    struct ep_marked within = *m;
    pthread_mutex_lock(&p->lock);
    const bool settled = edge_programs_settled(&p->programs, m->place.space);
    if (!settled)
        within.context = 0;
    const bool enough = edge_consumer_marked(p->consumer, &within);
    if (enough && !settled) {
        uint64_t last = ep_mark_of(m, 0).at;
        edge_programs_modules(&p->programs, cpu, m->place.space, last, module, p);
        for (unsigned i = m->count; i-- > 0;) { /* the oldest first */
            const uint64_t at = ep_mark_of(m, i).at;
            if ((at ^ last) & PAGE_ADDRESS)
                edge_programs_modules(&p->programs, cpu, m->place.space, at, module, p);
            last = at;
        }
    }
    pthread_mutex_unlock(&p->lock);
    return enough;
}

static void executed(void *context, uint16_t cpu, struct ep_place at, const struct ep_target *target)
{
    struct edge_profile *p = context;
    p->cpus[cpu].targets++;
    pthread_mutex_lock(&p->lock);
    edge_consumer_target(p->consumer, cpu, at, target);
    pthread_mutex_unlock(&p->lock);
}

static void branched(void *context, uint16_t cpu, const struct ep_branch *branch)
{
    struct edge_profile *p = context;
    pthread_mutex_lock(&p->lock);
    edge_exact_branch(p->exact, p->machine->sys.cpus[cpu], branch);
    pthread_mutex_unlock(&p->lock);
}

static void gapped(void *context, uint16_t cpu, const struct ep_entry *gap)
{
    struct edge_profile *p = context;
    pthread_mutex_lock(&p->lock);
    edge_exact_gap(p->exact, p->machine->sys.cpus[cpu], gap);
    pthread_mutex_unlock(&p->lock);
}

/* Code is about to change: samples that are waiting are of what it was. */
static void settle(struct cpu_system *sys)
{
    const struct machine *m = sys->machine;
    cpu_edges_settle_all(sys);
    if (m->edges->asked.threaded)
        edge_consumer_drain(m->edges->consumer);
}

/* Ranges need the code. */
static bool unit_fetch(void *context, struct ep_place place, uint8_t bytes[6], uint64_t *changed)
{
    struct edge_code *code = context;
    code->look++;
    return edge_code_fetch(code, place, bytes, changed);
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

static void remove_units(struct edge_profile *p)
{
    struct machine *m = p->machine;
    for (unsigned i = 0; i < m->sys.cpu_count && p->units; i++) {
        if (m->sys.cpus[i]->edges)
            cpu_edges_off(m->sys.cpus[i]);
        cpu_edges_detach(m->sys.cpus[i]);
        ep_unit_destroy(&p->unit[i]);
        edge_code_destroy(&p->code[i]);
    }
    p->units = p->on = false;
}

static int make_unit(struct edge_profile *p, unsigned i)
{
    struct ep_unit *u = &p->unit[i];
    struct ep_parameters parameters = p->parameters;
    if (p->log.file) /* shows all entries */
        parameters.near = 0;
    int bad = ep_unit_create(u, &parameters, (uint16_t)i);
    if (bad)
        return bad;
    p->code[i] = (struct edge_code){.machine = &p->shared, .spaces = &p->spaces, .cpu = p->machine->sys.cpus[i]};
    u->parameters.filter.wants = p->asked.program[0] ? wanted : NULL;
    u->parameters.filter.context = p;
    u->epoch = &p->shared.epoch;
    u->code = (struct ep_code){.context = &p->code[i], .fetch = unit_fetch};
    u->sample = sampled;
    u->marked = marked;
    u->target = executed;
    u->branch = p->exact ? branched : NULL;
    u->gap = p->exact ? gapped : NULL;
    u->context = p;
    p->cpus[i] = (struct cpu_edges){.unit = u, .machine = &p->shared, .space = space_number, .context = p};
    bad = cpu_edges_attach(p->machine->sys.cpus[i], &p->cpus[i]);
    return bad;
}

/* Everything that is collected into, anew. */
static int remake(struct edge_profile *p, char *error, size_t size)
{
    char filter[FILTER];
    const bool on = p->on;
    remove_units(p);
    edge_consumer_destroy(p->consumer);
    edge_spaces_destroy(&p->spaces);
    edge_programs_destroy(&p->programs);
    p->programs = (struct edge_programs){.spaces = &p->spaces, .kernel = p->modules.kernel};
    emu_edges_filter(&p->asked, filter, sizeof filter);
    const struct edge_consumer_plan plan = {.parameters = p->parameters,
                                            .rules = p->rules,
                                            .program = p->program,
                                            .filter = filter,
                                            .modules = &p->modules,
                                            .machine = &p->shared,
                                            .threaded = p->asked.threaded,
                                            .drop = p->asked.drop};
    p->consumer = edge_consumer_create(&plan);
    if (p->exact) {
        edge_exact_destroy(p->exact);
        p->exact = edge_exact_create(&p->shared, &p->modules, p->program);
        if (!p->exact)
            return no_memory(error, size);
    }
    if (!p->consumer)
        return no_memory(error, size);
    p->units = true;
    for (unsigned i = 0; i < p->machine->sys.cpu_count; i++)
        if (make_unit(p, i))
            return no_memory(error, size);
    p->shared.settle = settle;
    return on ? edge_profile_on(p->machine, error, size) : 0;
}

static uint64_t events_of(struct edge_profile *p, uint64_t each[CPU_MAX])
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < p->machine->sys.cpu_count; i++) {
        struct cpu *cpu = p->machine->sys.cpus[i];
        each[i] = 0;
        if (!cpu->edges)
            continue;
        cpu_edges_settle(cpu);
        each[i] = p->unit[i].pmc.total;
        sum += each[i];
    }
    return sum;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static struct edge_profile *make(struct machine *m)
{
    struct edge_profile *p = m->edges;
    if (p)
        return p;
    p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->shared.changed = calloc(m->sys.storage.total / PAGE_SIZE_Z, sizeof *p->shared.changed);
    if (!p->shared.changed) {
        free(p);
        return NULL;
    }
    p->machine = m;
    p->shared.settle = settle;
    snprintf(p->program, sizeof p->program, "guest");
    emu_edges_reset(&p->asked);
    pthread_mutex_init(&p->lock, NULL);
    m->edges = p;
    m->sys.edges = &p->shared;
    return p;
}

static void forget_out(struct out *out)
{
    if (out->file)
        fclose(out->file);
    free(out->name);
    *out = (struct out){NULL, NULL};
}

void edge_profile_destroy(struct machine *m)
{
    struct edge_profile *p = m->edges;
    if (!p)
        return;
    remove_units(p);
    edge_consumer_destroy(p->consumer);
    edge_exact_destroy(p->exact);
    edge_spaces_destroy(&p->spaces);
    edge_programs_destroy(&p->programs);
    edge_modules_forget(&p->modules);
    symbols_free(p->symbols);
    forget_out(&p->out);
    forget_out(&p->log);
    forget_out(&p->exact_out);
    pthread_mutex_destroy(&p->lock);
    free(p->shared.changed);
    m->sys.edges = NULL;
    m->edges = NULL;
    free(p);
}

struct emu_edges edge_profile_asked(const struct machine *m)
{
    struct emu_edges edges;
    emu_edges_reset(&edges);
    return m->edges ? m->edges->asked : edges;
}

int edge_profile_set(struct machine *m, const struct emu_edges *edges, const char **doubt, char *error, size_t size)
{
    struct ep_parameters parameters;
    struct ep_rules rules;
    int bad = emu_edges_settle(edges, &parameters, &rules, error, size);
    struct edge_profile *p = bad ? NULL : make(m);
    if (bad)
        return bad;
    if (!p)
        return no_memory(error, size);
    if (p->log.file) {
        snprintf(error, size, "profile: a log has one set of parameters; end '%.200s' first ('prof log off')",
                 p->log.name);
        return -EBUSY;
    }
    *doubt = emu_edges_doubt(&parameters);
    p->asked = *edges;
    bad = emu_edges_settle(&p->asked, &p->parameters, &p->rules, error, size); /* ranges are those of the copy */
    p->parameters.near = p->rules.append_nt ? NEAR + p->parameters.tbt : 0;
    return bad ? bad : remake(p, error, size);
}

int edge_profile_forget(struct machine *m, char *error, size_t size)
{
    const char *doubt;
    return m->edges ? edge_profile_set(m, &m->edges->asked, &doubt, error, size) : 0;
}

static int units(struct machine *m, char *error, size_t size)
{
    const struct emu_edges asked = edge_profile_asked(m);
    const char *doubt;
    return m->edges && m->edges->units ? 0 : edge_profile_set(m, &asked, &doubt, error, size);
}

int edge_profile_on(struct machine *m, char *error, size_t size)
{
    int bad = units(m, error, size);
    for (unsigned i = 0; !bad && i < m->sys.cpu_count; i++)
        cpu_edges_on(m->sys.cpus[i]);
    if (!bad)
        m->edges->on = true;
    return bad;
}

void edge_profile_off(struct machine *m)
{
    if (!m->edges || !m->edges->units)
        return;
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        cpu_edges_off(m->sys.cpus[i]);
    m->edges->on = false;
}

int edge_profile_count(struct machine *m, char *error, size_t size)
{
    int bad = units(m, error, size);
    struct edge_profile *p = m->edges;
    if (bad || p->exact)
        return bad;
    p->exact = edge_exact_create(&p->shared, &p->modules, p->program);
    return p->exact ? remake(p, error, size) : no_memory(error, size);
}

struct edge_profile_state edge_profile_state(struct machine *m)
{
    struct edge_profile *p = m->edges;
    uint64_t each[CPU_MAX];
    if (!p || !p->units)
        return (struct edge_profile_state){.there = false};
    const uint64_t events = events_of(p, each);
    return (struct edge_profile_state){.there = true,
                                       .on = p->on,
                                       .exact = p->exact,
                                       .events = events,
                                       .counts = edge_consumer_counts(p->consumer),
                                       .spaces = p->spaces.count,
                                       .log = p->log.name};
}

bool edge_profile_space(const struct machine *m, uint32_t number, struct edge_space *space)
{
    if (!m->edges || number >= m->edges->spaces.count)
        return false;
    *space = m->edges->spaces.space[number];
    return true;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static int not_written(const char *file, int code, char *error, size_t size)
{
    snprintf(error, size,
             "the edge profile '%.200s' is not complete: %s; name a file where there is room and that may "
             "be written",
             file, strerror(-code));
    return code;
}

static int open_out(struct out *out, const char *name, char *error, size_t size)
{
    FILE *file = fopen(name, "wb");
    if (!file)
        return not_written(name, -errno, error, size);
    out->name = strdup(name);
    out->file = file;
    return out->name ? 0 : no_memory(error, size);
}

/* The file is closed. */
static int close_out(struct out *out, int bad, char *error, size_t size)
{
    if (!out->file)
        return bad;
    errno = 0;
    if (fclose(out->file) && !bad)
        bad = errno ? -errno : -EIO;
    out->file = NULL;
    if (bad)
        bad = not_written(out->name, bad, error, size);
    forget_out(out);
    return bad;
}

static int put(void *file, const void *bytes, size_t size)
{
    errno = 0;
    return fwrite(bytes, 1, size, file) == size ? 0 : errno ? -errno : -EIO;
}

/* Functions of a profile. Images that are no module of it have none. */
static int name_functions(struct edge_profile *p, struct ep_profile *profile)
{
    char why[300];
    const int bad = ep_profile_settle(profile);
    if (bad)
        return bad;
    if (p->symbols && !symbols_bind(p->symbols, profile, why, sizeof why))
        return symbols_name(p->symbols, profile, why, sizeof why);
    return ep_profile_name_functions(profile, NULL, 0);
}

static int copy_of(struct edge_profile *p, bool exact, bool partial, struct ep_profile **copy)
{
    uint64_t each[CPU_MAX];
    const uint64_t events = events_of(p, each);
    int bad = exact ? edge_exact_profile(p->exact, &p->machine->sys, partial, copy)
                    : edge_consumer_profile(p->consumer, events, partial, copy);
    if (!bad)
        bad = ep_profile_unite(copy);
    if (!bad)
        bad = name_functions(p, *copy);
    if (bad) {
        ep_profile_free(*copy);
        *copy = NULL;
    }
    return bad;
}

int edge_profile_copy(struct machine *m, bool exact, struct ep_profile **copy, char *error, size_t size)
{
    struct edge_profile *p = m->edges;
    *copy = NULL;
    if (!p || !p->units || (exact && !p->exact)) {
        snprintf(error, size,
                 exact ? "branches are not counted one by one; 'prof exact on' begins that"
                       : "nothing was profiled yet; 'prof on' begins it");
        return -ENOENT;
    }
    const int bad = copy_of(p, exact, p->on, copy);
    if (bad)
        snprintf(error, size, "the edge profile cannot be made: %s", strerror(-bad));
    return bad;
}

/* Into a file that is open; it is closed. */
static int write_out(struct edge_profile *p, struct out *out, bool exact, bool partial, char *error, size_t size)
{
    struct ep_profile *copy = NULL;
    const struct ep_sink sink = {out->file, put};
    char why[300] = "";
    if (!out->file)
        return 0;
    int bad = copy_of(p, exact, partial, &copy);
    if (!bad)
        bad = ep_profile_write(copy, &sink, why, sizeof why);
    ep_profile_free(copy);
    return close_out(out, bad, error, size);
}

int edge_profile_save(struct machine *m, bool exact, const char *file, char *error, size_t size)
{
    struct ep_profile *copy;
    struct out out = {NULL, NULL};
    char why[300] = "";
    int bad = edge_profile_copy(m, exact, &copy, error, size);
    if (bad)
        return bad;
    bad = open_out(&out, file, error, size);
    if (!bad) {
        const struct ep_sink sink = {out.file, put};
        bad = close_out(&out, ep_profile_write(copy, &sink, why, sizeof why), error, size);
    }
    ep_profile_free(copy);
    return bad;
}

int edge_profile_log(struct machine *m, const char *file, char *error, size_t size)
{
    int bad = units(m, error, size);
    struct edge_profile *p = m->edges;
    uint64_t each[CPU_MAX];
    if (bad)
        return bad;
    (void)events_of(p, each);
    if (p->log.file)
        bad = close_out(&p->log, edge_consumer_log(p->consumer, NULL, each, m->sys.cpu_count), error, size);
    if (!file || bad)
        return bad;
    bad = open_out(&p->log, file, error, size);
    if (bad)
        return bad;
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        ep_unit_remember(&p->unit[i], p->cpus[i].next);
    bad = edge_consumer_log(p->consumer, p->log.file, each, m->sys.cpu_count);
    return bad ? close_out(&p->log, bad, error, size) : 0;
}

/* ---- the command line -------------------------------------------------------------------------------------------- */

/* Files that give no symbols leave functions without names. */
static void open_symbols(struct edge_profile *p, const struct ipl_request *images, unsigned count)
{
    char why[600];
    p->symbols = p->modules.count ? symbols_new() : NULL;
    for (unsigned i = 0; p->symbols && i < count; i++)
        if (!images[i].has_address && strncmp(images[i].path, "builtin:", 8))
            (void)!symbols_add(p->symbols, images[i].path, why, sizeof why);
}

static void know_images(struct edge_profile *p, const struct ipl_request *images, unsigned count)
{
    symbols_free(p->symbols);
    edge_modules_forget(&p->modules);
    edge_modules_find(&p->modules, images, count);
    open_symbols(p, images, count);
    if (count)
        snprintf(p->program, sizeof p->program, "%s",
                 p->modules.count ? p->modules.module[0].name : edge_modules_base(images[count - 1].path));
}

void edge_profile_images(struct machine *m, const struct ipl_request *images, unsigned count, unsigned load)
{
    struct edge_profile *p = make(m);
    if (!p || p->log.file || p->load == load)
        return;
    know_images(p, images, count);
    p->load = load;
}

int edge_profile_begin(struct machine *m, const struct edge_profile_plan *plan, const char **doubt, char *error,
                       size_t size)
{
    struct emu_edges edges;
    struct edge_profile *p = make(m);
    *doubt = NULL;
    if (!p)
        return no_memory(error, size);
    emu_edges_reset(&edges);
    int bad = 0;
    for (unsigned i = 0; !bad && i < plan->key_count; i++)
        bad = emu_edges_key(&edges, plan->keys[i], error, size);
    if (bad)
        return bad;
    know_images(p, plan->images, plan->image_count);
    p->load = plan->image_count ? 1 : 0;
    bad = edge_profile_set(m, &edges, doubt, error, size);
    if (!bad && plan->exact)
        bad = edge_profile_count(m, error, size);
    if (!bad && plan->out)
        bad = open_out(&p->out, plan->out, error, size);
    if (!bad && plan->exact)
        bad = open_out(&p->exact_out, plan->exact, error, size);
    if (!bad && plan->log)
        bad = edge_profile_log(m, plan->log, error, size);
    return bad ? bad : edge_profile_on(m, error, size);
}

static void caution(struct edge_profile *p, void (*warn)(void *context, const char *sentence), void *context)
{
    struct ep_profile *copy;
    if (!warn || !p->out.file || copy_of(p, false, false, &copy))
        return;
    ep_cautions(copy, warn, context);
    ep_profile_free(copy);
}

int edge_profile_end(struct machine *m, void (*warn)(void *context, const char *sentence), void *context, char *error,
                     size_t size)
{
    struct edge_profile *p = m->edges;
    if (!p || !p->units)
        return 0;
    edge_profile_off(m);
    if (warn && p->spaces.full)
        warn(context,
             "there were more than 65,536 address spaces: what was executed in those that came later counts in "
             "the last one; select a program or a state by --profile-what");
    caution(p, warn, context);
    int bad = write_out(p, &p->out, false, false, error, size);
    const int second = p->log.file ? edge_profile_log(m, NULL, error, size) : 0;
    const int third = write_out(p, &p->exact_out, true, false, error, size);
    return bad ? bad : second ? second : third;
}
