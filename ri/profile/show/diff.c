/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two profiles side by side: tables for people, JSON, metrics alone. */
#include "ri/profile/show/diff.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs ----------------------------------------------------------------------------------------------------- */

static int order(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int branch_order(const struct ep_row *a, const struct ep_row *b)
{
    int n = order(a->from_space, b->from_space);
    n = n ? n : order(a->from, b->from);
    n = n ? n : order(a->kind, b->kind);
    n = n ? n : order(a->to_space, b->to_space);
    return n ? n : order(a->to, b->to);
}

static int pair_order(const void *left, const void *right)
{
    return branch_order(((const struct ep_pair *)left)->row, ((const struct ep_pair *)right)->row);
}

static double share(uint64_t units, uint64_t of) { return of ? (double)units / (double)of : 0; }

/* All branches of both, then those of one edge in one pair. An edge and a call of a call-graph profile are the same. */
static int make_pairs(struct ep_diff *diff)
{
    const size_t room = (size_t)diff->view[0].branches + diff->view[1].branches;
    struct ep_pair *all = diff->pair = calloc(room + 1, sizeof *all);
    size_t n = 0, kept = 0;
    if (!all)
        return -ENOMEM;
    for (unsigned side = 0; side < 2; side++) {
        const struct ep_view *view = &diff->view[side];
        for (uint32_t i = 0; i < view->branches; i++) {
            const double part = share(view->branch[i].row->units, view->total);
            all[n++] = (struct ep_pair){view->branch[i].row, view->branch[i].site, side ? 0 : part, side ? part : 0};
        }
    }
    if (n)
        qsort(all, n, sizeof *all, pair_order);
    for (size_t i = 0; i < n; i++) {
        if (kept && !branch_order(all[kept - 1].row, all[i].row)) {
            all[kept - 1].p += all[i].p;
            all[kept - 1].q += all[i].q;
        } else {
            all[kept++] = all[i];
        }
    }
    diff->pairs = (uint32_t)kept;
    return 0;
}

static int function_order(const void *left, const void *right)
{
    const struct ep_function *a = ((const struct ep_pair_function *)left)->function;
    const struct ep_function *b = ((const struct ep_pair_function *)right)->function;
    int n = order(a->module, b->module);
    n = n ? n : order(a->start, b->start);
    n = n ? n : order(a->end, b->end);
    return n ? n : strcmp(a->name, b->name);
}

static int make_functions(struct ep_diff *diff)
{
    const size_t room = (size_t)diff->view[0].functions + diff->view[1].functions;
    struct ep_pair_function *all = diff->function = calloc(room + 1, sizeof *all);
    size_t n = 0, kept = 0;
    if (!all)
        return -ENOMEM;
    for (unsigned side = 0; side < 2; side++) {
        const struct ep_view *view = &diff->view[side];
        for (uint32_t i = 0; i < view->functions; i++) {
            const double part = share(view->units[i], view->total);
            all[n++] = (struct ep_pair_function){&view->function[i], side ? 0 : part, side ? part : 0};
        }
    }
    if (n)
        qsort(all, n, sizeof *all, function_order);
    for (size_t i = 0; i < n; i++) {
        if (kept && !function_order(&all[kept - 1], &all[i])) {
            all[kept - 1].p += all[i].p;
            all[kept - 1].q += all[i].q;
        } else {
            all[kept++] = all[i];
        }
    }
    diff->functions = (uint32_t)kept;
    return 0;
}

int ep_diff_make(struct ep_diff *diff, struct ep_profile *const aligned[2], const struct ep_show *show)
{
    *diff = (struct ep_diff){.pair = NULL};
    int status = ep_view_make(&diff->view[0], aligned[0]);
    status = status ? status : ep_view_make(&diff->view[1], aligned[1]);
    status = status ? status : make_pairs(diff);
    status = status ? status : make_functions(diff);
    status = status ? status : ep_diff_measure(diff);
    status = status ? status : ep_diff_blocks(diff, show);
    if (status)
        ep_diff_free(diff);
    return status;
}

void ep_diff_free(struct ep_diff *diff)
{
    ep_view_free(&diff->view[0]);
    ep_view_free(&diff->view[1]);
    free(diff->pair);
    free(diff->function);
    *diff = (struct ep_diff){.pair = NULL};
}

/* ---- the largest changes first --------------------------------------------------------------------------------- */

struct change {
    double size;
    uint32_t number;
};

static int change_order(const void *left, const void *right)
{
    const struct change *a = left, *b = right;
    if (a->size > b->size || a->size < b->size)
        return a->size > b->size ? -1 : 1;
    return order(a->number, b->number);
}

/* To be freed; NULL: no memory. `functions` or else edges. */
static struct change *changes(const struct ep_diff *diff, bool functions)
{
    const uint32_t n = functions ? diff->functions : diff->pairs;
    struct change *all = calloc(n + 1u, sizeof *all);
    for (uint32_t i = 0; all && i < n; i++) {
        const double p = functions ? diff->function[i].p : diff->pair[i].p;
        const double q = functions ? diff->function[i].q : diff->pair[i].q;
        all[i] = (struct change){fabs(q - p), i};
    }
    if (all && n)
        qsort(all, n, sizeof *all, change_order);
    return all;
}

/* ---- forms ----------------------------------------------------------------------------------------------------- */

static void put_metric(const struct ep_diff *diff, const struct ep_writer *w, enum ep_metric metric, const char *quote,
                       const char *none)
{
    if (!diff->defined[metric])
        ep_put(w, none);
    else if (isinf(diff->metric[metric]))
        ep_print(w, "%sinf%s", quote, quote);
    else
        ep_print(w, "%.6f", diff->metric[metric]);
}

static void metrics(const struct ep_diff *diff, const struct ep_writer *w)
{
    for (unsigned i = 0; i < EP_METRICS; i++) {
        ep_print(w, "%s ", ep_metric_key(i));
        put_metric(diff, w, i, "", "-");
        ep_put(w, "\n");
    }
}

static void text_shares(const struct ep_writer *w, double p, double q)
{
    ep_print(w, "%8.3f %% %8.3f %% %+8.3f %%  ", 100 * p, 100 * q, 100 * (q - p));
}

static void text_edge(const struct ep_writer *w, const struct ep_pair *x)
{
    text_shares(w, x->p, x->q);
    ep_print(w, "%" PRIu32 " %" PRIx64 " -> %" PRIu32 " %" PRIx64 " %s, %s\n", x->row->from_space, x->row->from,
             x->row->to_space, x->row->to, x->row->kind == EP_TAKEN ? "taken" : "not taken",
             ep_class_word(x->site->class));
}

/* One table; 0 or -ENOMEM. */
static int text_table(const struct ep_diff *diff, const struct ep_show *show, bool functions)
{
    const uint32_t n = functions ? diff->functions : diff->pairs;
    struct change *all = changes(diff, functions);
    if (!all)
        return -ENOMEM;
    ep_print(show->writer, "\n%s\n reference    profile     change  %s\n", functions ? "Functions" : "Edges",
             functions ? "name" : "space and address");
    for (uint32_t i = 0; i < n && i < show->top; i++) {
        if (functions) {
            const struct ep_pair_function *x = &diff->function[all[i].number];
            text_shares(show->writer, x->p, x->q);
            ep_put(show->writer, x->function->name);
            ep_put(show->writer, "\n");
        } else {
            text_edge(show->writer, &diff->pair[all[i].number]);
        }
    }
    free(all);
    return 0;
}

static void json_share(struct ep_json *list, const char *name, double value)
{
    ep_json_key(list, name);
    ep_print(list->writer, "%.9g", value);
}

static void json_shares(struct ep_json *object, double p, double q)
{
    json_share(object, "reference", p);
    json_share(object, "profile", q);
    json_share(object, "change", q - p);
}

static void json_function(const struct ep_diff *diff, struct ep_json *object, uint32_t number)
{
    const struct ep_pair_function *x = &diff->function[number];
    ep_json_name(object, "name", x->function->name);
    ep_json_name(object, "module", diff->view[0].module[x->function->module].name);
    ep_json_address(object, "start", x->function->start);
    json_shares(object, x->p, x->q);
}

static void json_edge(const struct ep_diff *diff, struct ep_json *object, uint32_t number)
{
    const struct ep_pair *x = &diff->pair[number];
    ep_json_number(object, "space", x->row->from_space);
    ep_json_address(object, "from", x->row->from);
    ep_json_number(object, "to_space", x->row->to_space);
    ep_json_address(object, "to", x->row->to);
    ep_json_truth(object, "taken", x->row->kind == EP_TAKEN);
    json_shares(object, x->p, x->q);
}

static int json_table(const struct ep_diff *diff, struct ep_json *list, bool functions)
{
    const uint32_t n = functions ? diff->functions : diff->pairs;
    struct change *all = changes(diff, functions);
    if (!all)
        return -ENOMEM;
    struct ep_json array = ep_json_begin(list, functions ? "functions" : "edges", "[");
    for (uint32_t i = 0; i < n; i++) {
        struct ep_json object = ep_json_begin(&array, NULL, "{");
        if (functions)
            json_function(diff, &object, all[i].number);
        else
            json_edge(diff, &object, all[i].number);
        ep_json_end(&object, "}");
    }
    ep_json_end(&array, "]");
    free(all);
    return 0;
}

int ep_diff_text(struct ep_profile *const aligned[2], const struct ep_show *show)
{
    struct ep_diff diff;
    int status = ep_diff_make(&diff, aligned, show);
    if (status)
        return status;
    metrics(&diff, show->writer);
    status = text_table(&diff, show, true);
    status = status ? status : text_table(&diff, show, false);
    ep_diff_free(&diff);
    return status;
}

int ep_diff_metrics(struct ep_profile *const aligned[2], const struct ep_show *show)
{
    struct ep_diff diff;
    const int status = ep_diff_make(&diff, aligned, show);
    if (status)
        return status;
    metrics(&diff, show->writer);
    ep_diff_free(&diff);
    return 0;
}

int ep_diff_json(struct ep_profile *const aligned[2], const struct ep_show *show)
{
    struct ep_diff diff;
    int status = ep_diff_make(&diff, aligned, show);
    if (status)
        return status;
    struct ep_json all = {show->writer, false};
    ep_put(show->writer, "{");
    ep_json_headers(&all, "reference", aligned[0]);
    ep_json_headers(&all, "profile", aligned[1]);
    struct ep_json inner = ep_json_begin(&all, "metrics", "{");
    for (unsigned i = 0; i < EP_METRICS; i++) {
        ep_json_key(&inner, ep_metric_key(i));
        put_metric(&diff, show->writer, i, "\"", "null");
    }
    ep_json_end(&inner, "}");
    status = json_table(&diff, &all, true);
    status = status ? status : json_table(&diff, &all, false);
    ep_put(show->writer, "}\n");
    ep_diff_free(&diff);
    return status;
}
