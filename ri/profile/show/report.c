/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of one profile: tables for people, or JSON. */
#include "ri/profile/show/internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A site with call targets: branches `first` to `end` of the view, those that are calls. */
struct site_calls {
    uint32_t first, end;
    uint64_t units;
};

struct report {
    const struct ep_show *show;
    struct ep_view view;
    uint64_t *values;               /* by branch */
    uint32_t *functions, *branches; /* numbers, largest first */
    struct site_calls *sites;
    uint32_t *targets; /* numbers of `sites`, largest first */
    uint32_t *callees; /* numbers of branches, those of one site largest first */
    uint32_t site_count;
};

/* Puts a site's branches into the order of their units. */
static int order_callees(struct report *r, const struct site_calls *site)
{
    uint32_t *order = ep_by_size(r->values + site->first, site->end - site->first);
    for (uint32_t i = site->first; order && i < site->end; i++)
        r->callees[i] = site->first + order[i - site->first];
    const int status = order ? 0 : -ENOMEM;
    free(order);
    return status;
}

static int find_targets(struct report *r)
{
    const struct ep_view *view = &r->view;
    r->sites = calloc(view->branches + 1u, sizeof *r->sites);
    r->callees = calloc(view->branches + 1u, sizeof *r->callees);
    if (!r->sites || !r->callees)
        return -ENOMEM;
    for (uint32_t i = 0, next; i < view->branches; i = next) {
        struct site_calls site = {.first = i};
        bool any = false;
        for (next = i; next < view->branches && view->branch[next].site == view->branch[i].site; next++) {
            any |= view->branch[next].call;
            site.units = ep_saturated_sum(site.units, view->branch[next].call ? view->branch[next].row->units : 0);
        }
        site.end = next;
        if (any && order_callees(r, &site))
            return -ENOMEM;
        if (any)
            r->sites[r->site_count++] = site;
    }
    for (uint32_t i = 0; i < r->site_count; i++)
        r->values[i] = r->sites[i].units;
    r->targets = ep_by_size(r->values, r->site_count);
    return r->targets ? 0 : -ENOMEM;
}

static int report_begin(struct report *r, const struct ep_profile *profile, const struct ep_show *show)
{
    *r = (struct report){.show = show};
    int status = ep_view_make(&r->view, profile);
    if (status)
        return status;
    r->values = calloc(r->view.branches + 1u, sizeof *r->values);
    if (!r->values)
        return -ENOMEM;
    for (uint32_t i = 0; i < r->view.branches; i++)
        r->values[i] = r->view.branch[i].row->units;
    r->branches = ep_by_size(r->values, r->view.branches);
    r->functions = ep_by_size(r->view.units, r->view.functions + 1);
    status = r->branches && r->functions ? 0 : -ENOMEM;
    return status ? status : find_targets(r);
}

static int report_end(struct report *r, int status)
{
    ep_view_free(&r->view);
    free(r->values);
    free(r->functions);
    free(r->branches);
    free(r->sites);
    free(r->targets);
    free(r->callees);
    return status;
}

/* Is this function worth a line: the one for sites in none only when it has something. */
static bool has_line(const struct ep_view *view, uint32_t function)
{
    return function < view->functions || view->units[function] || view->calls[function];
}

/* How often the whole run went this way, by the share; false: the events do not tell. */
static bool estimate(const struct ep_view *view, uint64_t units, uint64_t *value)
{
    const unsigned __int128 events = ep_profile_number(view->profile, EP_H_EVENTS_TOTAL);
    if (!view->total ||
        !(ep_profile_is(view->profile, EP_H_EVENT, "branch") || ep_profile_is(view->profile, EP_H_EVENT, "call")))
        return false;
    *value = (uint64_t)((units * events + view->total / 2) / view->total);
    return true;
}

/* ---- for people ------------------------------------------------------------------------------------------------ */

static void share(const struct ep_writer *w, uint64_t n, uint64_t of)
{
    if (of)
        ep_print(w, " %7.3f %%", 100 * ((double)n / (double)of));
    else
        ep_put(w, "         -");
}

static void text_head(const struct report *r)
{
    static const enum ep_header shown[] = {
        EP_H_MODE,         EP_H_SOURCE, EP_H_EVENT,   EP_H_RATE_BASE, EP_H_RATE_DELTA, EP_H_TBT,          EP_H_CBT,
        EP_H_SHORT_POLICY, EP_H_NORM,   EP_H_PARTIAL, EP_H_REPAIRED,  EP_H_UNIFORM,    EP_H_QUEUE_POLICY, EP_H_CPU};
    const struct ep_writer *w = r->show->writer;
    const struct ep_profile *p = r->view.profile;
    ep_put(w, "Edge profile of ");
    ep_put(w, ep_profile_header(p, EP_H_PROGRAM));
    for (unsigned i = 0; i < sizeof shown / sizeof *shown; i++)
        if (ep_profile_header(p, shown[i]))
            ep_print(w, "%s %s %s", i ? "," : ":", ep_header_key(shown[i]), ep_profile_header(p, shown[i]));
    ep_print(w,
             "\n%" PRIu64 " events, %" PRIu64 " samples, %" PRIu64 " of them accepted; counted %" PRIu64
             " branches and %" PRIu64 " runs\n",
             ep_profile_number(p, EP_H_EVENTS_TOTAL), ep_profile_number(p, EP_H_SAMPLES_TRIGGERED),
             ep_profile_number(p, EP_H_SAMPLES_ACCEPTED), ep_rounded(r->view.total, r->view.unit),
             ep_rounded(ep_profile_number(p, EP_H_RUN_UNITS), r->view.unit));
}

static void text_functions(const struct report *r)
{
    const struct ep_writer *w = r->show->writer;
    const struct ep_view *view = &r->view;
    uint64_t lines = 0;
    ep_put(w, "\nFunctions\n    branches     share        calls            start  name\n");
    for (uint32_t i = 0; i <= view->functions && lines < r->show->top; i++) {
        const uint32_t f = r->functions[i];
        if (!has_line(view, f))
            continue;
        lines++;
        ep_print(w, "%12" PRIu64, ep_rounded(view->units[f], view->unit));
        share(w, view->units[f], view->total);
        ep_print(w, " %12" PRIu64, ep_rounded(view->calls[f], view->unit));
        if (f < view->functions)
            ep_print(w, " %16" PRIx64 "  ", view->function[f].start);
        else
            ep_print(w, " %16s  ", "-");
        ep_put(w, ep_view_name(view, f));
        ep_put(w, "\n");
    }
}

static void text_edges(const struct report *r, const char *title, bool tails)
{
    const struct ep_writer *w = r->show->writer;
    const struct ep_view *view = &r->view;
    uint64_t lines = 0, value;
    for (uint32_t i = 0; i < view->branches && lines < r->show->top; i++) {
        const struct ep_view_branch *b = &view->branch[r->branches[i]];
        if (tails && !b->tail)
            continue;
        if (!lines++)
            ep_print(w,
                     "\n%s\n       count     share     estimate  of its site   space and address                       "
                     "function\n",
                     title);
        ep_print(w, "%12" PRIu64, ep_rounded(b->row->units, view->unit));
        share(w, b->row->units, view->total);
        if (estimate(view, b->row->units, &value))
            ep_print(w, " %12" PRIu64 "  ", value);
        else
            ep_print(w, " %12s  ", "-");
        share(w, b->row->units, b->site_units);
        ep_print(w, "   %" PRIu32 " %" PRIx64 " -> %" PRIu32 " %" PRIx64 " %s, %s  ", b->row->from_space, b->row->from,
                 b->row->to_space, b->row->to, b->row->kind == EP_TAKEN ? "taken" : "not taken",
                 ep_class_word(b->site->class));
        ep_put(w, ep_view_name(view, b->from_function));
        if (tails) {
            ep_put(w, " -> ");
            ep_put(w, ep_view_name(view, b->to_function));
        }
        ep_put(w, "\n");
    }
}

static void text_targets(const struct report *r)
{
    const struct ep_writer *w = r->show->writer;
    const struct ep_view *view = &r->view;
    if (r->site_count)
        ep_put(w, "\nCall targets\n       count     share   space and address\n");
    for (uint32_t i = 0; i < r->site_count && i < r->show->top; i++) {
        const struct site_calls *site = &r->sites[r->targets[i]];
        const struct ep_view_branch *first = &view->branch[site->first];
        ep_print(w, "%12" PRIu64, ep_rounded(site->units, view->unit));
        share(w, site->units, view->total);
        ep_print(w, "   %" PRIu32 " %" PRIx64 "  ", first->row->from_space, first->row->from);
        ep_put(w, ep_view_name(view, first->from_function));
        ep_put(w, "\n");
        for (uint32_t k = site->first; k < site->end; k++) {
            const struct ep_view_branch *b = &view->branch[r->callees[k]];
            if (!b->call)
                continue;
            ep_print(w, "%12s", "");
            share(w, b->row->units, site->units);
            ep_print(w, "     -> %" PRIu32 " %" PRIx64 "  ", b->row->to_space, b->row->to);
            ep_put(w, ep_view_name(view, b->to_function));
            ep_put(w, "\n");
        }
    }
}

static void text_counters(const struct report *r)
{
    uint32_t count;
    const struct ep_counter *counters = ep_profile_list(r->view.profile, EP_COUNTERS, &count);
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!counters[i].value)
            continue;
        ep_put(r->show->writer, any ? "" : "\nDiagnostics\n");
        ep_print(r->show->writer, "%12" PRIu64 "  %s\n", counters[i].value, counters[i].name);
        any = true;
    }
}

int ep_report_text(const struct ep_profile *profile, const struct ep_show *show)
{
    struct report r;
    const int status = report_begin(&r, profile, show);
    if (status)
        return report_end(&r, status);
    text_head(&r);
    text_functions(&r);
    text_edges(&r, "Edges", false);
    text_targets(&r);
    text_edges(&r, "Possible tail calls", true);
    const int bad = ep_residuals_text(&r.view, show);
    text_counters(&r);
    return report_end(&r, bad);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static const char *name_or_none(const struct ep_view *view, uint32_t function)
{
    return function < view->functions ? view->function[function].name : NULL;
}

static void json_functions(const struct report *r, struct ep_json *list)
{
    const struct ep_view *view = &r->view;
    struct ep_json array = ep_json_begin(list, "functions", "[");
    for (uint32_t i = 0; i <= view->functions; i++) {
        const uint32_t n = r->functions[i];
        if (!has_line(view, n))
            continue;
        const struct ep_function *f = n < view->functions ? &view->function[n] : NULL;
        struct ep_json object = ep_json_begin(&array, NULL, "{");
        ep_json_name(&object, "name", ep_view_name(view, n));
        ep_json_name(&object, "module", f ? view->module[f->module].name : NULL);
        if (f) {
            ep_json_address(&object, "start", f->start);
            ep_json_address(&object, "end", f->end);
        } else {
            ep_json_name(&object, "start", NULL);
            ep_json_name(&object, "end", NULL);
        }
        ep_json_number(&object, "units", view->units[n]);
        ep_json_share(&object, "share", view->units[n], view->total);
        ep_json_number(&object, "calls", view->calls[n]);
        ep_json_end(&object, "}");
    }
    ep_json_end(&array, "]");
}

static void json_edges(const struct report *r, struct ep_json *list, const char *name, bool tails)
{
    const struct ep_view *view = &r->view;
    struct ep_json array = ep_json_begin(list, name, "[");
    for (uint32_t i = 0; i < view->branches; i++) {
        const struct ep_view_branch *b = &view->branch[r->branches[i]];
        uint64_t value;
        if (tails && !b->tail)
            continue;
        struct ep_json object = ep_json_begin(&array, NULL, "{");
        ep_json_number(&object, "space", b->row->from_space);
        ep_json_address(&object, "from", b->row->from);
        ep_json_number(&object, "to_space", b->row->to_space);
        ep_json_address(&object, "to", b->row->to);
        ep_json_truth(&object, "taken", b->row->kind == EP_TAKEN);
        ep_json_text(&object, "class", ep_class_word(b->site->class));
        ep_json_name(&object, "function", name_or_none(view, b->from_function));
        ep_json_number(&object, "units", b->row->units);
        ep_json_share(&object, "share", b->row->units, view->total);
        if (estimate(view, b->row->units, &value))
            ep_json_number(&object, "estimate", value);
        else
            ep_json_name(&object, "estimate", NULL);
        ep_json_share(&object, "probability", b->row->units, b->site_units);
        ep_json_end(&object, "}");
    }
    ep_json_end(&array, "]");
}

static void json_targets(const struct report *r, struct ep_json *list)
{
    const struct ep_view *view = &r->view;
    struct ep_json array = ep_json_begin(list, "targets", "[");
    for (uint32_t i = 0; i < r->site_count; i++) {
        const struct site_calls *site = &r->sites[r->targets[i]];
        const struct ep_view_branch *first = &view->branch[site->first];
        struct ep_json object = ep_json_begin(&array, NULL, "{");
        ep_json_number(&object, "space", first->row->from_space);
        ep_json_address(&object, "site", first->row->from);
        ep_json_name(&object, "function", name_or_none(view, first->from_function));
        ep_json_number(&object, "units", site->units);
        struct ep_json callees = ep_json_begin(&object, "callees", "[");
        for (uint32_t k = site->first; k < site->end; k++) {
            const struct ep_view_branch *b = &view->branch[r->callees[k]];
            if (!b->call)
                continue;
            struct ep_json callee = ep_json_begin(&callees, NULL, "{");
            ep_json_number(&callee, "to_space", b->row->to_space);
            ep_json_address(&callee, "to", b->row->to);
            ep_json_name(&callee, "name", name_or_none(view, b->to_function));
            ep_json_number(&callee, "units", b->row->units);
            ep_json_share(&callee, "share", b->row->units, site->units);
            ep_json_end(&callee, "}");
        }
        ep_json_end(&callees, "]");
        ep_json_end(&object, "}");
    }
    ep_json_end(&array, "]");
}

int ep_report_json(const struct ep_profile *profile, const struct ep_show *show)
{
    struct report r;
    uint32_t count;
    const int status = report_begin(&r, profile, show);
    if (status)
        return report_end(&r, status);
    const struct ep_counter *counters = ep_profile_list(profile, EP_COUNTERS, &count);
    struct ep_json all = {show->writer, false};
    ep_put(show->writer, "{");
    ep_json_headers(&all, "headers", profile);
    struct ep_json inner = ep_json_begin(&all, "diagnostics", "{");
    for (uint32_t i = 0; i < count; i++)
        ep_json_number(&inner, counters[i].name, counters[i].value);
    ep_json_end(&inner, "}");
    json_functions(&r, &all);
    json_edges(&r, &all, "edges", false);
    json_targets(&r, &all);
    json_edges(&r, &all, "tail_calls", true);
    const int bad = ep_residuals_json(&r.view, &all, show);
    ep_put(show->writer, "}\n");
    return report_end(&r, bad);
}
