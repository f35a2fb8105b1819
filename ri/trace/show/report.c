/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of an exception trace: what costs time. Head, a row for each exception number sorted by self time and for
   each class, times of every kind, nesting, chains, tasks, histograms, diagnostics. */
#include "ri/trace/show/report.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *et_report_begin(const struct et_output_setting *setting)
{
    struct et_report *report = calloc(1, sizeof *report);
    if (!report)
        return NULL;
    report->setting = setting;
    report->writer = &setting->writer;
    et_scale_init(&report->scale, setting->insn_rate);
    report->statistics = et_statistics_new();
    if (report->statistics)
        return report;
    free(report);
    return NULL;
}

void et_report_event(void *output, const struct et_event *event)
{
    struct et_report *report = output;
    et_scale_event(&report->scale, event);
    et_statistics_event(report->statistics, event);
}

void et_report_diagnostic(void *output, const struct et_diagnostic *diagnostic)
{
    struct et_report *report = output;
    et_statistics_diagnostic(report->statistics, diagnostic);
    if (report->kept < ET_REPORT_KEPT)
        snprintf(report->texts[report->kept++], sizeof *report->texts, "D%02u cpu%02u offset %" PRIu64 ": %s",
                 diagnostic->code, diagnostic->source, diagnostic->offset, diagnostic->text);
}

bool et_report_starved(const void *report) { return ((const struct et_report *)report)->statistics->starved; }

void et_report_free(struct et_report *report)
{
    et_statistics_free(report->statistics);
    free(report);
}

/* ---- times ----------------------------------------------------------------------------------------------------- */

/* Instructions and cycles are counted; the other clocks are shown in microseconds. */
static bool counted(const struct et_report *report)
{
    return report->scale.clock == ET_CLOCK_INSN || report->scale.clock == ET_CLOCK_CYCLE;
}

static const char *unit(const struct et_report *report)
{
    return report->scale.clock == ET_CLOCK_INSN ? "instructions" : counted(report) ? "cycles" : "microseconds";
}

#define TIME_SIZE 40u
/* `relation' in front: ">=", "<=", "~" or "". */
static const char *time_text(const struct et_report *report, const char *relation, uint64_t ticks, char text[TIME_SIZE])
{
    if (counted(report)) {
        snprintf(text, TIME_SIZE, "%s%" PRIu64, relation, ticks);
    } else {
        const uint64_t ns = (uint64_t)(et_scale_ps(&report->scale, ticks) / 1000);
        snprintf(text, TIME_SIZE, "%s%" PRIu64 ".%03u", relation, ns / 1000, (unsigned)(ns % 1000));
    }
    return text;
}

static const char *relation(const struct et_measure *measure)
{
    return measure->lower_n ? measure->upper ? "~" : ">=" : measure->upper ? "<=" : "";
}

/* A number of events: an estimate (~) where one frame in so many is traced, a lower bound (>=) where some are lost. */
static const char *count_text(const struct et_report *report, uint64_t count, char text[TIME_SIZE])
{
    const struct et_statistics *statistics = report->statistics;
    snprintf(text, TIME_SIZE, "%s%" PRIu64,
             statistics->sample > 1   ? "~"
             : statistics->incomplete ? ">="
                                      : "",
             count * statistics->sample);
    return text;
}

static uint64_t total(const struct et_measure *measure) { return measure->sum + measure->lower_sum; }

/* Mean, percentiles and the longest of those that are known to the end; there are some. */
static void put_durations(const struct et_report *report, const struct et_measure *m)
{
    char text[5][TIME_SIZE];
    et_print(report->writer, " %12s %12s %12s %12s %12s", time_text(report, "", m->sum / m->n, text[0]),
             time_text(report, "", et_measure_percentile(m, 50), text[1]),
             time_text(report, "", et_measure_percentile(m, 90), text[2]),
             time_text(report, "", et_measure_percentile(m, 99), text[3]), time_text(report, "", m->most, text[4]));
}

static double percent(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

/* ---- head ------------------------------------------------------------------------------------------------------ */

static void config_line(void *context, const char *key, const char *value) { et_print(context, " %s=%s", key, value); }

static void source_head(const struct et_report *report, unsigned id, const struct et_source_view *view)
{
    const struct et_writer *writer = report->writer;
    char first[TIME_SIZE], span[TIME_SIZE], unseen[TIME_SIZE];
    et_print(writer, "\ncpu%02u%s\n  configuration:", id, id == ET_SOURCE_MACHINE ? ", requests of the machine" : "");
    et_config_save(&view->config, config_line, (void *)writer);
    et_print(writer, "\n  %s\n", et_visible_words(&view->visible));
    if (!view->visible.all)
        et_put(writer, "  not all exceptions are selected\n");
    if (view->visible.sample > 1)
        et_print(writer, "  one exception in %u is traced: counts are estimates\n", view->visible.sample);
    et_print(writer, "  %" PRIu64 " events in %" PRIu64 " segments, %" PRIu64 " states, %" PRIu64 " marks\n",
             view->events, view->segments, view->states, view->marks);
    if (view->timed)
        et_print(writer, "  time from %s, %s long", time_text(report, "", view->first, first),
                 time_text(report, "", view->last - view->first, span));
    if (view->unseen)
        et_print(writer, ", %s of it not seen", time_text(report, "", view->unseen, unseen));
    et_put(writer, view->timed ? "\n" : "");
    if (view->ended) {
        const uint64_t *end = view->accounts;
        et_print(writer,
                 "  accounts: %" PRIu64 " detected = %" PRIu64 " filtered + %" PRIu64 " emitted + %" PRIu64 " lost%s\n",
                 end[ET_END_DETECTED], end[ET_END_FILTERED], end[ET_END_EMITTED], end[ET_END_LOST],
                 end[ET_END_DETECTED] == end[ET_END_FILTERED] + end[ET_END_EMITTED] + end[ET_END_LOST]
                     ? ""
                     : ": THEY DO NOT ADD UP");
    } else {
        et_print(writer, "  accounts: none, the stream has no END; lost: %s%" PRIu64 "\n",
                 view->lost_unknown ? "at least " : "", view->lost);
    }
}

static void head(const struct et_report *report)
{
    const struct et_writer *writer = report->writer;
    const struct et_statistics *statistics = report->statistics;
    const struct et_decoder_sums *sums = &report->sums;
    et_print(writer, "Exception trace %s\n", report->setting->input);
    et_print(writer, "clock %s, times in %s\n", et_clock_name(report->scale.clock), unit(report));
    et_print(writer,
             "%" PRIu64 " bytes = %" PRIu64 " in packets + %" PRIu64 " reported; %" PRIu64 " events, %" PRIu64
             " segments; lost: %s%" PRIu64 " events\n",
             sums->input, sums->packets, sums->reported, sums->events, sums->segments,
             sums->lost_unknown ? "at least " : "", sums->lost);
    if (sums->events)
        et_print(writer, "%.2f bytes for each event\n", (double)sums->input / (double)sums->events);
    et_put(writer, statistics->diagnosed ? "" : "no diagnostics\n");
    if (statistics->incomplete)
        et_put(writer, "something is missing: counts are lower bounds (>=), and so are times marked so\n");
    for (unsigned i = 0; i <= ET_SOURCE_MACHINE; i++)
        if (statistics->sources[i])
            source_head(report, i, statistics->sources[i]);
}

/* ---- tables ---------------------------------------------------------------------------------------------------- */

/* Numbers of rows in the order of `key', the greatest first. */
static unsigned sorted(const struct et_statistics *statistics, uint64_t (*key)(const struct et_row *row),
                       uint16_t order[ET_NUMBERS])
{
    unsigned n = 0;
    for (unsigned en = 0; en < ET_NUMBERS; en++) {
        const struct et_row *row = &statistics->rows[en];
        if (!et_row_count(row) && !row->signals && !row->cut && !row->counted)
            continue;
        unsigned place = n++;
        for (; place && key(&statistics->rows[order[place - 1]]) < key(row); place--)
            order[place] = order[place - 1];
        order[place] = (uint16_t)en;
    }
    return n;
}

static uint64_t by_self(const struct et_row *row) { return total(&row->measures[ET_M_SELF]); }

static void table_head(const struct et_report *report)
{
    et_print(report->writer, "%-3s %-26s %10s %8s %7s %14s %6s %12s %12s %12s %12s %12s\n", "EN", "name", "count",
             "chained", "late", "self", "%", "mean", "p50", "p90", "p99", "max");
}

static void table_row(const struct et_report *report, const char *en, const char *name, const struct et_row *row,
                      uint64_t seen)
{
    const struct et_measure *self = &row->measures[ET_M_SELF];
    char text[3][TIME_SIZE];
    et_print(report->writer, "%-3s %-26s %10s %8s %7s", en, name, count_text(report, et_row_count(row), text[0]),
             count_text(report, row->chained, text[1]), count_text(report, row->late, text[2]));
    if (!self->n && !self->lower_n) {
        et_print(report->writer, " %14s\n", "-");
        return;
    }
    et_print(report->writer, " %14s %6.2f", time_text(report, relation(self), total(self), text[0]),
             percent(total(self), seen));
    if (self->n)
        put_durations(report, self);
    et_put(report->writer, "\n");
}

static void numbers_and_classes(const struct et_report *report)
{
    const struct et_statistics *statistics = report->statistics;
    uint16_t order[ET_NUMBERS];
    uint64_t normal;
    const uint64_t seen = et_statistics_seen(statistics, &normal);
    const unsigned n = sorted(statistics, by_self, order);
    et_print(report->writer, "\nExceptions, by the time of their handlers without what interrupted these (self)\n");
    table_head(report);
    for (unsigned i = 0; i < n; i++) {
        char name[ET_NAME_SIZE], en[8];
        if (order[i] == ET_NORMAL && !statistics->rows[0].entries)
            continue;
        snprintf(en, sizeof en, "%03x", order[i]);
        table_row(report, en, et_number_name(order[i], report->setting->program, name), &statistics->rows[order[i]],
                  seen);
    }
    if (et_row_count(&statistics->unnamed))
        table_row(report, "---", "(numbers omitted)", &statistics->unnamed, seen);
    et_put(report->writer, "\nClasses\n");
    table_head(report);
    for (unsigned class = 0; class < ET_CLASSES; class ++)
        if (et_row_count(&statistics->classes[class]))
            table_row(report, "", et_class_name((enum et_class) class), &statistics->classes[class], seen);
    table_row(report, "", "all", &statistics->all, seen);
}

static void whole_time(const struct et_report *report)
{
    const struct et_statistics *statistics = report->statistics;
    const struct et_measure *self = &statistics->all.measures[ET_M_SELF];
    char text[4][TIME_SIZE];
    uint64_t normal;
    const uint64_t seen = et_statistics_seen(statistics, &normal), known = normal + total(self);
    if (!seen || !(self->n + self->lower_n + normal))
        return;
    et_print(report->writer, "\nTime: %s = %s NORMAL (%.2f %%) + %s in handlers (%.2f %%)",
             time_text(report, "", seen, text[0]), time_text(report, "", normal, text[1]), percent(normal, seen),
             time_text(report, relation(self), total(self), text[2]), percent(total(self), seen));
    if (known != seen)
        et_print(report->writer, " %c %s not known", known < seen ? '+' : '-',
                 time_text(report, "", known < seen ? seen - known : known - seen, text[3]));
    et_put(report->writer, "\n");
    if (et_row_count(&statistics->all)) {
        const unsigned __int128 ps = et_scale_ps(&report->scale, seen);
        if ((!counted(report) || report->setting->insn_rate) && ps)
            et_print(report->writer, "%.1f exceptions in a second of each CPU\n",
                     (double)et_row_count(&statistics->all) * statistics->sample * 1e12 / (double)ps);
    }
}

/* A table of one kind of time, if there is any. */
static void measure_table(const struct et_report *report, enum et_measured what, const char *title)
{
    const struct et_statistics *statistics = report->statistics;
    if (!statistics->all.measures[what].n && !statistics->all.measures[what].lower_n)
        return;
    et_print(report->writer, "\n%s\n%-3s %-26s %10s %14s %12s %12s %12s %12s %12s %12s\n", title, "EN", "name", "n",
             "sum", "min", "mean", "p50", "p90", "p99", "max");
    for (unsigned i = 0; i <= ET_NUMBERS + ET_CLASSES; i++) {
        const struct et_row *row = i < ET_NUMBERS                ? &statistics->rows[i]
                                   : i < ET_NUMBERS + ET_CLASSES ? &statistics->classes[i - ET_NUMBERS]
                                                                 : &statistics->all;
        const struct et_measure *m = &row->measures[what];
        char en[8] = "", number[ET_NAME_SIZE], text[2][TIME_SIZE];
        const char *name = i < ET_NUMBERS                ? et_number_name(i, report->setting->program, number)
                           : i < ET_NUMBERS + ET_CLASSES ? et_class_name((enum et_class)(i - ET_NUMBERS))
                                                         : "all";
        if (!m->n && !m->lower_n)
            continue;
        if (i < ET_NUMBERS)
            snprintf(en, sizeof en, "%03x", i);
        et_print(report->writer, "%-3s %-26s %10" PRIu64 " %14s", en, name, m->n + m->lower_n,
                 time_text(report, relation(m), total(m), text[0]));
        if (m->n) {
            et_print(report->writer, " %12s", time_text(report, "", m->least, text[1]));
            put_durations(report, m);
        }
        et_put(report->writer, "\n");
    }
}

/* ---- nesting, chains, tasks, histograms ------------------------------------------------------------------------ */

static void nesting(const struct et_report *report)
{
    const struct et_statistics *statistics = report->statistics;
    unsigned deepest = 0, longest = 0;
    char text[TIME_SIZE], name[ET_NAME_SIZE];
    for (unsigned i = 0; i < ET_DEPTHS; i++)
        deepest = statistics->depths[i] ? i : deepest;
    for (unsigned i = 0; i < ET_CHAINS; i++)
        longest = statistics->chains[i] ? i : longest;
    if (deepest)
        et_print(report->writer, "\nNesting: entries at each depth, the deepest %s%u\n",
                 statistics->incomplete ? ">=" : "", deepest);
    for (unsigned i = 1; i <= deepest; i++)
        et_print(report->writer, "  %2u%s %12s\n", i, i == ET_DEPTHS - 1 ? "+" : " ",
                 count_text(report, statistics->depths[i], text));
    if (longest)
        et_print(report->writer, "\nTail-chains: entries behind so many links, the longest %s%" PRIu64 "\n",
                 statistics->incomplete ? ">=" : "", statistics->all.chain_most);
    for (unsigned i = 1; i <= longest; i++)
        et_print(report->writer, "  %2u%s %12s\n", i, i == ET_CHAINS - 1 ? "+" : " ",
                 count_text(report, statistics->chains[i], text));
    for (unsigned en = 0; en < ET_NUMBERS; en++)
        if (statistics->rows[en].chain_most)
            et_print(report->writer, "%03x %-26s longest %s%" PRIu64 "\n", en,
                     et_number_name(en, report->setting->program, name), statistics->incomplete ? ">=" : "",
                     statistics->rows[en].chain_most);
}

static void tasks(const struct et_report *report)
{
    const struct et_statistics *statistics = report->statistics;
    char text[TIME_SIZE];
    if (!statistics->tasks[0].used && !statistics->tasks[ET_TASKS - 1].used)
        return;
    et_print(report->writer, "\nTasks (ASN): entries and self time in each class\n%-6s", "ASN");
    for (unsigned class = 0; class < ET_CLASSES; class ++)
        if (et_row_count(&statistics->classes[class]))
            et_print(report->writer, " %26s", et_class_name((enum et_class) class));
    et_put(report->writer, "\n");
    for (unsigned i = 0; i < ET_TASKS; i++) {
        const struct et_task *task = &statistics->tasks[i];
        if (!task->used)
            continue;
        if (task->asn == UINT32_MAX)
            et_print(report->writer, "%-6s", "others");
        else
            et_print(report->writer, "%-6x", task->asn);
        for (unsigned class = 0; class < ET_CLASSES; class ++)
            if (et_row_count(&statistics->classes[class]))
                et_print(report->writer, " %10" PRIu64 " %15s", task->entries[class],
                         time_text(report, "", task->self[class], text));
        et_put(report->writer, "\n");
    }
}

static void histogram(const struct et_report *report, enum et_measured what, const char *title)
{
    static const char bar[] = "##################################################";
    const struct et_measure *m = &report->statistics->all.measures[what];
    unsigned first = 64, last = 0;
    uint64_t greatest = 1;
    for (unsigned power = 0; power < 64; power++) {
        const uint64_t n = et_measure_power(m, power);
        if (!n)
            continue;
        first = first == 64 ? power : first;
        last = power;
        greatest = n > greatest ? n : greatest;
    }
    if (first == 64)
        return;
    et_print(report->writer, "\n%s, in powers of two of ticks\n", title);
    for (unsigned power = first; power <= last; power++) {
        const uint64_t n = et_measure_power(m, power);
        char text[TIME_SIZE];
        et_print(report->writer, "  %14s %12" PRIu64 " %.*s\n",
                 time_text(report, "<", power < 63 ? UINT64_C(2) << power : UINT64_MAX, text), n,
                 (int)(((unsigned __int128)n * 50 + greatest - 1) / greatest), bar);
    }
}

static void counters(const struct et_report *report)
{
    bool any = false;
    for (unsigned en = 0; en < ET_NUMBERS; en++) {
        const struct et_row *row = &report->statistics->rows[en];
        char name[ET_NAME_SIZE];
        if (!row->counted)
            continue;
        if (!any)
            et_put(report->writer, "\nEntries by the unit's own counters, and in the stream\n");
        any = true;
        et_print(report->writer, "%03x %-26s %12" PRIu64 " %12" PRIu64 "\n", en,
                 et_number_name(en, report->setting->program, name), row->counted, row->entries);
    }
}

static void diagnostics(const struct et_report *report)
{
    const struct et_statistics *statistics = report->statistics;
    if (!statistics->diagnosed)
        return;
    et_print(report->writer, "\nDiagnostics: %" PRIu64 "\n", statistics->diagnosed);
    for (unsigned code = 1; code <= ET_DIAGNOSTICS; code++)
        if (statistics->diagnostics[code])
            et_print(report->writer, "  D%02u %-30s %12" PRIu64 "\n", code, et_diagnostic_name(code),
                     statistics->diagnostics[code]);
    for (unsigned i = 0; i < report->kept; i++)
        et_print(report->writer, "!! %s\n", report->texts[i]);
    if (statistics->diagnosed > report->kept)
        et_print(report->writer, "... and %" PRIu64 " more\n", statistics->diagnosed - report->kept);
}

static void report_end(void *output, const struct et_decoder_sums *sums)
{
    struct et_report *report = output;
    report->sums = *sums;
    head(report);
    numbers_and_classes(report);
    whole_time(report);
    measure_table(report, ET_M_GROSS, "Time of handlers with what interrupted them (gross)");
    measure_table(report, ET_M_LATENCY, "From request to interruption (latency)");
    measure_table(report, ET_M_START,
                  "From interruption to the handler's first instruction, where others came first (start)");
    measure_table(report, ET_M_BACK, "From the end of a handler to what it resumes (return); by what is resumed");
    measure_table(report, ET_M_ARRIVAL, "From one to the next of the same number");
    nesting(report);
    histogram(report, ET_M_SELF, "Self time of all");
    histogram(report, ET_M_GROSS, "Gross time of all");
    histogram(report, ET_M_LATENCY, "Latency of all");
    tasks(report);
    counters(report);
    diagnostics(report);
    if (report->statistics->starved)
        et_put(report->writer, "\nThe host had no memory for all of it: something is missing.\n");
    et_report_free(report);
}

const struct et_output et_output_report = {.name = "report",
                                           .help =
                                               "what costs time: counts, times, latencies of each exception and class",
                                           .begin = et_report_begin,
                                           .event = et_report_event,
                                           .diagnostic = et_report_diagnostic,
                                           .starved = et_report_starved,
                                           .end = report_end};
