/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of an exception trace. */
#include "ri/trace/show/statistics.h"
#include <stdlib.h>

struct et_statistics *et_statistics_new(void)
{
    struct et_statistics *statistics = calloc(1, sizeof *statistics);
    if (statistics)
        statistics->sample = 1;
    return statistics;
}

static void row_free(struct et_row *row)
{
    for (unsigned i = 0; i < ET_MEASURES; i++)
        free(row->measures[i].histogram);
}

void et_statistics_free(struct et_statistics *statistics)
{
    if (!statistics)
        return;
    for (unsigned i = 0; i < ET_NUMBERS; i++)
        row_free(&statistics->rows[i]);
    for (unsigned i = 0; i < ET_CLASSES; i++)
        row_free(&statistics->classes[i]);
    row_free(&statistics->unnamed);
    row_free(&statistics->all);
    for (unsigned i = 0; i <= ET_SOURCE_MACHINE; i++)
        free(statistics->sources[i]);
    free(statistics);
}

/* ---- values ---------------------------------------------------------------------------------------------------- */

static unsigned bucket(uint64_t value)
{
    if (value < 8)
        return (unsigned)value;
    const unsigned power = 63u - (unsigned)__builtin_clzll(value);
    return (power - 2) * 8 + (value >> (power - 3) & 7);
}

/* The greatest value of a bucket. */
static uint64_t bucket_end(unsigned index)
{
    if (index < 8)
        return index;
    const unsigned power = index / 8 + 2;
    return ((UINT64_C(8) + index % 8) << (power - 3)) + ((UINT64_C(1) << (power - 3)) - 1);
}

uint64_t et_measure_percentile(const struct et_measure *measure, unsigned percent)
{
    if (!measure->n || !measure->histogram)
        return 0;
    const uint64_t rank = (uint64_t)(((unsigned __int128)measure->n * percent + 99) / 100);
    uint64_t seen = 0;
    for (unsigned i = 0; i < ET_BUCKETS; i++) {
        seen += measure->histogram->buckets[i];
        if (seen >= rank) {
            const uint64_t end = bucket_end(i);
            return end < measure->least ? measure->least : end < measure->most ? end : measure->most;
        }
    }
    return measure->most;
}

uint64_t et_measure_power(const struct et_measure *measure, unsigned power)
{
    uint64_t n = 0;
    if (!measure->histogram || power > 63)
        return 0;
    if (power < 3) {
        for (unsigned i = power ? 1u << power : 0; i < 2u << power; i++)
            n += measure->histogram->buckets[i];
        return n;
    }
    for (unsigned i = 0; i < 8; i++)
        n += measure->histogram->buckets[(power - 2) * 8 + i];
    return n;
}

static void add(struct et_statistics *statistics, struct et_measure *measure, uint64_t value, unsigned flags)
{
    if (flags & ET_E_BOUND) {
        measure->lower_n++;
        measure->lower_sum += value;
        return;
    }
    if (!measure->n || value < measure->least)
        measure->least = value;
    if (value > measure->most)
        measure->most = value;
    measure->n++;
    measure->sum += value;
    measure->upper += flags & ET_E_MOST ? 1 : 0;
    if (!measure->histogram && !(measure->histogram = calloc(1, sizeof *measure->histogram)))
        statistics->starved = true;
    else
        measure->histogram->buckets[bucket(value)]++;
}

/* ---- rows ------------------------------------------------------------------------------------------------------ */

/* The rows that an event counts in: of its number, of its class, of all. */
struct places {
    struct et_row *rows[3];
    unsigned arrivals[3]; /* places in arrived[] */
    unsigned count;
};

static void places(struct et_statistics *statistics, const struct et_event *event, struct places *places)
{
    const enum et_class class = event->en_known ? et_number_class(event->en) : ET_CLASS_NONE;
    places->count = 0;
    places->rows[places->count] = event->en_known ? &statistics->rows[event->en % ET_NUMBERS] : &statistics->unnamed;
    places->arrivals[places->count++] = event->en_known ? event->en % ET_NUMBERS : 0;
    if (class < ET_CLASSES) {
        places->rows[places->count] = &statistics->classes[class];
        places->arrivals[places->count++] = ET_NUMBERS + class;
    }
    places->rows[places->count] = &statistics->all;
    places->arrivals[places->count++] = ET_NUMBERS + ET_CLASSES;
}

static void measure(struct et_statistics *statistics, const struct places *places, enum et_measured what,
                    uint64_t value, unsigned flags)
{
    for (unsigned i = 0; i < places->count; i++)
        add(statistics, &places->rows[i]->measures[what], value, flags);
}

#define COUNT(places, member)                                                                                          \
    for (unsigned place_ = 0; place_ < (places)->count; place_++)                                                      \
    (places)->rows[place_]->member++

static struct et_source_view *view_of(struct et_statistics *statistics, unsigned source)
{
    struct et_source_view **view = &statistics->sources[source & ET_SOURCE_MACHINE];
    if (!*view) {
        *view = calloc(1, sizeof **view);
        if (!*view) {
            statistics->starved = true;
            return NULL;
        }
        (*view)->chainable = -1;
        (*view)->in_normal = true;
        et_config_reset(&(*view)->config);
        et_visible(&(*view)->config, &(*view)->visible);
    }
    return *view;
}

/* ---- time in NORMAL -------------------------------------------------------------------------------------------- */

static void pass_normal(struct et_source_view *view, uint64_t time)
{
    if (view->in_normal && view->timed && time > view->since)
        view->normal += time - view->since;
    view->since = time;
}

/* Is NORMAL running behind this event? Where tasks are switched frames may be open that do not run: RETURN says it. */
static bool normal_behind(const struct et_source_view *view, const struct et_event *event)
{
    if (!ET_GET(&view->config, ETCR, CTX))
        return !event->depth;
    if (event->kind == ET_K_RETURN)
        return event->en_known && event->en == ET_NORMAL;
    return event->kind == ET_K_EXIT || event->kind == ET_K_ENTRY ? false : view->in_normal;
}

static void pass_time(struct et_source_view *view, const struct et_event *event)
{
    if (!event->time_known)
        return;
    if (!view->timed) {
        view->first = view->since = event->time;
        view->timed = true;
    }
    if (view->gap && event->time > view->last) { /* a SYNC is near: frames that it tells of come first */
        view->unseen += event->time - view->last;
        view->since = view->last = event->time;
    }
    if (view->visible.nests) {
        pass_normal(view, event->time);
        const bool normal = normal_behind(view, event);
        if (normal && !view->in_normal && event->kind == ET_K_RETURN && event->back_known &&
            ET_GET(&view->config, ETCR, CTX))
            view->normal += event->back; /* the EXIT has ended what ran */
        view->in_normal = normal;
    }
    view->last = event->time;
}

/* ---- events ---------------------------------------------------------------------------------------------------- */

static struct et_task *task_of(struct et_statistics *statistics, unsigned asn)
{
    unsigned i = 0;
    while (i < ET_TASKS - 1 && statistics->tasks[i].used && statistics->tasks[i].asn != asn)
        i++;
    statistics->tasks[i].used = true;
    statistics->tasks[i].asn = i < ET_TASKS - 1 ? asn : UINT32_MAX;
    return &statistics->tasks[i];
}

/* ENTRY with the number of its task: its frame is remembered. */
static void task_entry(struct et_statistics *statistics, struct et_source_view *view, const struct et_event *event)
{
    const enum et_class class = et_number_class(event->en);
    if (!(event->given & 1u << ET_INFO_ASN) || !event->en_known || class >= ET_CLASSES)
        return;
    const unsigned asn = (unsigned)event->info[ET_INFO_ASN] & 0xffff;
    task_of(statistics, asn)->entries[class]++;
    view->open[event->frame % ET_DEPTHS] = (struct et_open_task){event->frame, asn};
}

static void task_exit(struct et_statistics *statistics, const struct et_source_view *view, const struct et_event *event)
{
    const enum et_class class = et_number_class(event->en);
    const struct et_open_task *open = &view->open[event->frame % ET_DEPTHS];
    if (event->frame && open->frame == event->frame && event->durations && event->en_known && class < ET_CLASSES)
        task_of(statistics, open->asn)->self[class] += event->self;
}

static void entry(struct et_statistics *statistics, struct et_source_view *view, const struct et_event *event,
                  const struct places *to)
{
    COUNT(to, entries);
    if (event->flags & ET_E_TC)
        COUNT(to, chained);
    if (event->flags & ET_E_LA)
        COUNT(to, late);
    for (unsigned i = 0; i < to->count; i++)
        if (event->chain > to->rows[i]->chain_most)
            to->rows[i]->chain_most = event->chain;
    if (event->chain)
        statistics->chains[event->chain < ET_CHAINS ? event->chain : ET_CHAINS - 1]++;
    if (event->depth_known) {
        statistics->depths[event->depth < ET_DEPTHS ? event->depth : ET_DEPTHS - 1]++;
        if (event->depth > view->deepest)
            view->deepest = event->depth;
    }
    if (event->latency_known)
        measure(statistics, to, ET_M_LATENCY, event->latency, 0);
    for (unsigned i = 0; i < to->count && event->time_known; i++) {
        const unsigned place = to->arrivals[i];
        if (view->arrived_known[place] && event->time >= view->arrived[place])
            add(statistics, &to->rows[i]->measures[ET_M_ARRIVAL], event->time - view->arrived[place], 0);
        view->arrived[place] = event->time;
        view->arrived_known[place] = true;
    }
    task_entry(statistics, view, event);
}

/* Streams without entries: an EXIT that an EXIT follows, not a RETURN, was chained. */
static void chained_by_order(struct et_statistics *statistics, struct et_source_view *view,
                             const struct et_event *event, const struct places *to)
{
    const struct et_visible *visible = &view->visible;
    if (visible->entry)
        return;
    if (event->flags & ET_E_TC)
        COUNT(to, chained);
    if (view->chainable >= 0 && visible->back && visible->all && !(event->flags & ET_E_FRC)) {
        const struct et_event before = {.en_known = true, .en = (unsigned)view->chainable};
        struct places from;
        places(statistics, &before, &from);
        COUNT(&from, chained);
    }
    view->chainable = event->en_known && !(event->flags & ET_E_TC) ? (int)event->en : -1;
}

static void exit_of(struct et_statistics *statistics, struct et_source_view *view, const struct et_event *event,
                    const struct places *to)
{
    if (!(event->flags & ET_E_IMPLIED)) {
        COUNT(to, exits);
        chained_by_order(statistics, view, event, to);
    }
    if (event->flags & ET_E_FRC)
        COUNT(to, forced);
    if (event->flags & ET_E_CUT)
        COUNT(to, cut);
    if (event->durations && !(event->flags & ET_E_ABORTED)) {
        measure(statistics, to, ET_M_GROSS, event->gross, event->flags);
        measure(statistics, to, ET_M_SELF, event->self, event->flags);
    } else if (event->durations) {
        measure(statistics, to, ET_M_GROSS, event->gross, ET_E_BOUND);
        measure(statistics, to, ET_M_SELF, event->self, ET_E_BOUND);
    }
    task_exit(statistics, view, event);
}

static void return_to(struct et_statistics *statistics, struct et_source_view *view, const struct et_event *event,
                      const struct places *to)
{
    COUNT(to, returns);
    if (event->start_known)
        measure(statistics, to, ET_M_START, event->start_latency, 0);
    if (event->back_known)
        measure(statistics, to, ET_M_BACK, event->back, 0);
    view->chainable = -1;
}

static void sync(struct et_source_view *view, const struct et_event *event)
{
    if (view->segments++ && !view->gap)
        return;
    if (!view->timed && event->time_known) {
        view->first = view->last = view->since = event->time;
        view->timed = true;
    }
    if (event->time > view->last) {
        view->unseen += event->time - view->last;
        view->last = event->time;
    }
    view->since = event->time;
    view->in_normal = !event->depth || event->en == ET_NORMAL; /* the second where tasks are switched */
    view->chainable = -1;
    view->gap = false;
    for (unsigned i = 0; i < ET_ARRIVALS; i++)
        view->arrived_known[i] = false;
}

/* What is no exception. */
static void other(struct et_statistics *statistics, struct et_source_view *view, const struct et_event *event)
{
    switch (event->kind) {
    case ET_K_STATE:
        view->states++;
        view->gap |= event->value == ET_ST_OFF;
        break;
    case ET_K_MARK:
        view->marks++;
        break;
    case ET_K_COUNTS:
        for (size_t i = 0; i + 1 < event->count; i += 2)
            statistics->rows[event->numbers[i] % ET_NUMBERS].counted += event->numbers[i + 1];
        break;
    case ET_K_SYNC:
        sync(view, event);
        break;
    case ET_K_CONFIG:
        view->config.reg[event->reg % ET_REGISTERS] = event->value;
        et_visible(&view->config, &view->visible);
        if (view->visible.sample > statistics->sample)
            statistics->sample = view->visible.sample;
        break;
    case ET_K_LOST:
        view->gap = true;
        if (event->value == UINT64_MAX)
            view->lost_unknown = true;
        else
            view->lost += event->value;
        break;
    case ET_K_END:
        view->ended = true;
        for (size_t i = 0; i < event->count && i < ET_END_NUMBERS; i++)
            view->accounts[i] = event->numbers[i];
        view->lost = view->accounts[ET_END_LOST];
        view->lost_unknown = false;
        break;
    default:
        break;
    }
}

void et_statistics_event(struct et_statistics *statistics, const struct et_event *event)
{
    struct places to;
    struct et_source_view *view = event->kind == ET_K_FILE ? NULL : view_of(statistics, event->source);
    if (!view)
        return;
    view->seen = true;
    if (event->kind > ET_K_MARK) {
        other(statistics, view, event);
        return;
    }
    const bool implied = event->flags & ET_E_IMPLIED;
    view->events += !implied;
    pass_time(view, event);
    if (event->kind > ET_K_SIGNAL) {
        other(statistics, view, event);
        return;
    }
    places(statistics, event, &to);
    if (event->kind == ET_K_ENTRY && !implied)
        entry(statistics, view, event, &to);
    else if (event->kind == ET_K_ENTRY)
        COUNT(&to, begun);
    else if (event->kind == ET_K_EXIT)
        exit_of(statistics, view, event, &to);
    else if (event->kind == ET_K_RETURN)
        return_to(statistics, view, event, &to);
    else if (event->kind == ET_K_SIGNAL && event->flags & ET_E_WITHDRAWN)
        COUNT(&to, withdrawn);
    else if (event->kind == ET_K_SIGNAL)
        COUNT(&to, signals);
}

void et_statistics_diagnostic(struct et_statistics *statistics, const struct et_diagnostic *diagnostic)
{
    static const unsigned incomplete = 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 7 | 1u << 8 |
                                       1u << 9 | 1u << 10 | 1u << 16 | 1u << 20 | 1u << 22;
    static const unsigned missing = 1u << 1 | 1u << 2 | 1u << 5 | 1u << 6 | 1u << 7 | 1u << 10 | 1u << 16 | 1u << 22;
    const unsigned code = diagnostic->code <= ET_DIAGNOSTICS ? diagnostic->code : 0;
    struct et_source_view *view = statistics->sources[diagnostic->source & ET_SOURCE_MACHINE];
    statistics->diagnostics[code]++;
    statistics->diagnosed++;
    statistics->incomplete |= incomplete >> code & 1;
    if (view && missing >> code & 1)
        view->gap = true;
}

/* ---- questions ------------------------------------------------------------------------------------------------- */

uint64_t et_row_count(const struct et_row *row)
{
    const uint64_t entries = row->entries + row->begun;
    return entries ? entries : row->exits ? row->exits : row->returns;
}

uint64_t et_statistics_seen(const struct et_statistics *statistics, uint64_t *normal)
{
    uint64_t seen = 0;
    *normal = 0;
    for (unsigned i = 0; i <= ET_SOURCE_MACHINE; i++) {
        const struct et_source_view *view = statistics->sources[i];
        if (view && i != ET_SOURCE_MACHINE) {
            seen += view->last - view->first - view->unseen;
            *normal += view->normal;
        }
    }
    return seen;
}

const char *et_measured_name(enum et_measured measured)
{
    static const char *const names[ET_MEASURES] = {"self", "gross", "latency", "start", "back", "arrival"};
    return measured < ET_MEASURES ? names[measured] : "";
}
