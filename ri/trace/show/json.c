/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of an exception trace as one JSON object: the facts of report.c, times in ticks. */
#include "ri/trace/show/report.h"
#include <inttypes.h>
#include <stdio.h>

/* Members of an object or array: a comma in front of all but the first. */
struct list {
    const struct et_writer *writer;
    bool more;
};

static void comma(struct list *list, const char *comma)
{
    et_put(list->writer, list->more ? comma : "");
    list->more = true;
}

static void key(struct list *list, const char *name)
{
    comma(list, ",");
    et_print(list->writer, "\"%s\":", name);
}

static void number(struct list *list, const char *name, uint64_t value)
{
    key(list, name);
    et_print(list->writer, "%" PRIu64, value);
}

static void text(struct list *list, const char *name, const char *value)
{
    key(list, name);
    et_put_json(list->writer, value);
}

static void truth(struct list *list, const char *name, bool value)
{
    key(list, name);
    et_put(list->writer, value ? "true" : "false");
}

/* An object or array that is a member. */
static struct list open_member(struct list *list, const char *name, const char *bracket)
{
    comma(list, ",\n");
    if (name)
        et_print(list->writer, "\"%s\":", name);
    et_put(list->writer, bracket);
    return (struct list){list->writer, false};
}

static void measure(struct list *list, const struct et_measure *m, const char *name)
{
    if (!m->n && !m->lower_n)
        return;
    key(list, name);
    et_put(list->writer, "{");
    struct list inner = {list->writer, false};
    number(&inner, "n", m->n);
    number(&inner, "sum", m->sum);
    if (m->n) {
        number(&inner, "min", m->least);
        number(&inner, "mean", m->sum / m->n);
        number(&inner, "p50", et_measure_percentile(m, 50));
        number(&inner, "p90", et_measure_percentile(m, 90));
        number(&inner, "p99", et_measure_percentile(m, 99));
        number(&inner, "max", m->most);
    }
    if (m->upper)
        number(&inner, "upper_bounds", m->upper);
    if (m->lower_n) {
        number(&inner, "lower_bounds", m->lower_n);
        number(&inner, "lower_bounds_sum", m->lower_sum);
    }
    et_put(list->writer, "}");
}

static void row(struct list *list, const struct et_row *row)
{
    number(list, "count", et_row_count(row));
    number(list, "entries", row->entries);
    number(list, "exits", row->exits);
    number(list, "returns", row->returns);
    number(list, "signals", row->signals);
    number(list, "withdrawn", row->withdrawn);
    number(list, "chained", row->chained);
    number(list, "longest_chain", row->chain_most);
    number(list, "late", row->late);
    number(list, "forced", row->forced);
    number(list, "begun_unseen", row->begun);
    number(list, "cut", row->cut);
    number(list, "counted_by_unit", row->counted);
    for (unsigned i = 0; i < ET_MEASURES; i++)
        measure(list, &row->measures[i], et_measured_name((enum et_measured)i));
}

static void config_line(void *context, const char *key, const char *value) { text(context, key, value); }

static void source(struct list *between, unsigned id, const struct et_source_view *view)
{
    static const char *const accounts[ET_END_NUMBERS] = {"detected", "filtered", "emitted", "lost", "last_packets"};
    struct list list = open_member(between, NULL, "{");
    number(&list, "source", id);
    struct list inner = open_member(&list, "configuration", "{");
    et_config_save(&view->config, config_line, &inner);
    et_put(list.writer, "}");
    text(&list, "admits", et_visible_words(&view->visible));
    truth(&list, "all_selected", view->visible.all);
    number(&list, "sample", view->visible.sample);
    number(&list, "events", view->events);
    number(&list, "segments", view->segments);
    number(&list, "states", view->states);
    number(&list, "marks", view->marks);
    if (view->timed) {
        number(&list, "first", view->first);
        number(&list, "last", view->last);
        number(&list, "unseen", view->unseen);
        number(&list, "normal", view->normal);
    }
    number(&list, "deepest", view->deepest);
    number(&list, "lost", view->lost);
    truth(&list, "lost_unknown", view->lost_unknown);
    if (view->ended) {
        inner = open_member(&list, "accounts", "{");
        for (unsigned i = 0; i < ET_END_NUMBERS; i++)
            number(&inner, accounts[i], view->accounts[i]);
        et_put(list.writer, "}");
    }
    et_put(list.writer, "}");
}

static void head(const struct et_report *report, struct list *list)
{
    const struct et_decoder_sums *sums = &report->sums;
    uint64_t normal;
    text(list, "trace", report->setting->input);
    text(list, "clock", et_clock_name(report->scale.clock));
    number(list, "picoseconds_in_1000_ticks", (uint64_t)et_scale_ps(&report->scale, 1000));
    number(list, "bytes", sums->input);
    number(list, "bytes_in_packets", sums->packets);
    number(list, "bytes_reported", sums->reported);
    number(list, "events", sums->events);
    number(list, "segments", sums->segments);
    number(list, "lost", sums->lost);
    truth(list, "lost_unknown", sums->lost_unknown);
    truth(list, "incomplete", report->statistics->incomplete);
    number(list, "sample", report->statistics->sample);
    number(list, "time_seen", et_statistics_seen(report->statistics, &normal));
    number(list, "time_normal", normal);
}

static void exceptions(const struct et_report *report, struct list *list)
{
    const struct et_statistics *statistics = report->statistics;
    for (unsigned en = 0; en <= ET_NUMBERS; en++) {
        const struct et_row *r = en < ET_NUMBERS ? &statistics->rows[en] : &statistics->unnamed;
        char name[ET_NAME_SIZE];
        if (!et_row_count(r) && !r->signals && !r->withdrawn && !r->counted && !r->cut)
            continue;
        struct list inner = open_member(list, NULL, "{");
        if (en < ET_NUMBERS) {
            number(&inner, "en", en);
            text(&inner, "name", et_number_name(en, report->setting->program, name));
            text(&inner, "class", et_class_name(et_number_class(en)));
        }
        row(&inner, r);
        et_put(list->writer, "}");
    }
}

static void classes(const struct et_report *report, struct list *list)
{
    for (unsigned class = 0; class <= ET_CLASSES; class ++) {
        const struct et_row *r = class < ET_CLASSES ? &report->statistics->classes[class] : &report->statistics->all;
        if (class < ET_CLASSES && !et_row_count(r) && !r->signals && !r->withdrawn)
            continue;
        struct list inner = open_member(list, class < ET_CLASSES ? et_class_name((enum et_class) class) : "all", "{");
        row(&inner, r);
        et_put(list->writer, "}");
    }
}

static void array(struct list *list, const char *name, const uint64_t *values, unsigned count)
{
    struct list inner = open_member(list, name, "[");
    for (unsigned i = 0; i < count; i++) {
        comma(&inner, ",");
        et_print(inner.writer, "%" PRIu64, values[i]);
    }
    et_put(list->writer, "]");
}

static void tasks(const struct et_report *report, struct list *list)
{
    for (unsigned i = 0; i < ET_TASKS; i++) {
        const struct et_task *task = &report->statistics->tasks[i];
        if (!task->used)
            continue;
        struct list inner = open_member(list, NULL, "{");
        if (task->asn != UINT32_MAX)
            number(&inner, "asn", task->asn);
        for (unsigned class = 0; class < ET_CLASSES; class ++) {
            if (!task->entries[class])
                continue;
            key(&inner, et_class_name((enum et_class) class));
            et_print(list->writer, "{\"entries\":%" PRIu64 ",\"self\":%" PRIu64 "}", task->entries[class],
                     task->self[class]);
        }
        et_put(list->writer, "}");
    }
}

/* How many values are below 2, 4, 8, ... ticks and in none of the counts before. */
static void histograms(const struct et_report *report, struct list *list)
{
    for (unsigned what = 0; what < ET_MEASURES; what++) {
        const struct et_measure *m = &report->statistics->all.measures[what];
        uint64_t powers[64];
        unsigned count = 0;
        for (unsigned power = 0; power < 64; power++) {
            powers[power] = et_measure_power(m, power);
            count = powers[power] ? power + 1 : count;
        }
        if (count)
            array(list, et_measured_name((enum et_measured)what), powers, count);
    }
}

static void diagnostics(const struct et_report *report, struct list *list)
{
    number(list, "diagnostics", report->statistics->diagnosed);
    struct list inner = open_member(list, "diagnostics_by_code", "{");
    for (unsigned code = 1; code <= ET_DIAGNOSTICS; code++) {
        char name[8];
        snprintf(name, sizeof name, "D%02u", code);
        if (report->statistics->diagnostics[code])
            number(&inner, name, report->statistics->diagnostics[code]);
    }
    et_put(list->writer, "}");
    inner = open_member(list, "first_diagnostics", "[");
    for (unsigned i = 0; i < report->kept; i++) {
        comma(&inner, ",\n");
        et_put_json(list->writer, report->texts[i]);
    }
    et_put(list->writer, "]");
}

static void json_end(void *output, const struct et_decoder_sums *sums)
{
    struct et_report *report = output;
    const struct et_writer *writer = report->writer;
    struct list list = {writer, false};
    report->sums = *sums;
    et_put(writer, "{");
    head(report, &list);
    struct list inner = open_member(&list, "sources", "[");
    for (unsigned i = 0; i <= ET_SOURCE_MACHINE; i++)
        if (report->statistics->sources[i])
            source(&inner, i, report->statistics->sources[i]);
    et_put(writer, "]");
    inner = open_member(&list, "exceptions", "[");
    exceptions(report, &inner);
    et_put(writer, "]");
    inner = open_member(&list, "classes", "{");
    classes(report, &inner);
    et_put(writer, "}");
    array(&list, "entries_at_depth", report->statistics->depths, ET_DEPTHS);
    array(&list, "entries_behind_links", report->statistics->chains, ET_CHAINS);
    inner = open_member(&list, "histograms", "{");
    histograms(report, &inner);
    et_put(writer, "}");
    inner = open_member(&list, "tasks", "[");
    tasks(report, &inner);
    et_put(writer, "]");
    diagnostics(report, &list);
    et_put(writer, "}\n");
    et_report_free(report);
}

const struct et_output et_output_json = {.name = "json",
                                         .help = "the report as a JSON object",
                                         .begin = et_report_begin,
                                         .event = et_report_event,
                                         .diagnostic = et_report_diagnostic,
                                         .starved = et_report_starved,
                                         .end = json_end};
