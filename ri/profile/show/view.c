/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The branches of a profile by function. */
#include "ri/profile/show/internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A function by address; outer ones before those within them. */
struct ep_span {
    uint64_t start, end, highest; /* highest: of the ends up to here in the space */
    uint32_t space, function;
};

static int span_compare(const void *left, const void *right)
{
    const struct ep_span *a = left, *b = right;
    if (a->space != b->space)
        return a->space < b->space ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return a->function > b->function ? -1 : a->function < b->function; /* of two names the first is found */
}

uint32_t ep_view_function(const struct ep_view *view, uint32_t space, uint64_t address)
{
    uint32_t low = 0, high = view->functions;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const struct ep_span *s = &view->span[middle];
        if (s->space < space || (s->space == space && s->start <= address))
            low = middle + 1;
        else
            high = middle;
    }
    while (low && view->span[low - 1].space == space && view->span[low - 1].highest > address)
        if (view->span[--low].end > address)
            return view->span[low].function;
    return view->functions;
}

const char *ep_view_name(const struct ep_view *view, uint32_t function)
{
    return function < view->functions ? view->function[function].name : "[unknown]";
}

uint64_t ep_rounded(uint64_t units, uint64_t unit)
{
    return unit > 1 ? units / unit + (units % unit >= unit - unit / 2) : units;
}

static void make_spans(struct ep_view *view)
{
    for (uint32_t i = 0; i < view->functions; i++) {
        const struct ep_function *f = &view->function[i];
        view->span[i] = (struct ep_span){f->start, f->end, 0, view->module[f->module].space, i};
    }
    if (view->functions)
        qsort(view->span, view->functions, sizeof *view->span, span_compare);
    for (uint32_t i = 0; i < view->functions; i++) {
        struct ep_span *s = &view->span[i];
        s->highest = s->end;
        if (i && s[-1].space == s->space && s[-1].highest > s->highest)
            s->highest = s[-1].highest;
    }
}

/* What the edges or calls of one site have together. `site` is where the last one was found. */
static void make_branch(struct ep_view *view, struct ep_view_branch *b, const struct ep_row *row, uint32_t *site)
{
    while (*site + 1 < view->sites && (view->site[*site].space != row->from_space || view->site[*site].at != row->from))
        ++*site;
    *b = (struct ep_view_branch){.row = row, .site = &view->site[*site]};
    b->from_function = ep_view_function(view, row->from_space, row->from);
    b->to_function = ep_view_function(view, row->to_space, row->to);
    const bool known = b->to_function < view->functions, inside = known && b->to_function == b->from_function;
    const bool entry = known && view->function[b->to_function].start == row->to;
    const bool taken = row->kind == EP_TAKEN;
    b->call = taken && b->site->class == EP_SITE_CALL && (!inside || entry);
    b->tail = taken && b->site->class != EP_SITE_CALL && entry && !inside;
}

static void count_in(struct ep_view *view, const struct ep_view_branch *b)
{
    uint64_t *units = &view->units[b->from_function], *calls = &view->calls[b->to_function];
    *units = ep_saturated_sum(*units, b->row->units);
    if (b->call)
        *calls = ep_saturated_sum(*calls, b->row->units);
}

static void make_branches(struct ep_view *view, const struct ep_row *rows, uint32_t count)
{
    struct ep_view_branch *all = view->branch + view->branches;
    uint32_t site = 0;
    for (uint32_t i = 0; i < count; i++) {
        make_branch(view, &all[i], &rows[i], &site);
        count_in(view, &all[i]);
    }
    for (uint32_t i = 0, next; i < count; i = next) {
        uint64_t units = 0;
        for (next = i; next < count && all[next].site == all[i].site; next++)
            units = ep_saturated_sum(units, rows[next].units);
        for (uint32_t k = i; k < next; k++)
            all[k].site_units = units;
    }
    view->branches += count;
}

int ep_view_make(struct ep_view *view, const struct ep_profile *profile)
{
    uint32_t edges, calls;
    const struct ep_row *edge = ep_profile_list(profile, EP_EDGES, &edges);
    const struct ep_row *call = ep_profile_list(profile, EP_CALLS, &calls);
    *view = (struct ep_view){.profile = profile};
    view->module = ep_profile_list(profile, EP_MODULES, &view->modules);
    view->function = ep_profile_list(profile, EP_FUNCTIONS, &view->functions);
    view->site = ep_profile_list(profile, EP_SITES, &view->sites);
    if ((edges || calls) && !view->sites)
        return -EINVAL;
    view->branch = calloc((size_t)edges + calls + 1, sizeof *view->branch);
    view->span = calloc(view->functions + 1u, sizeof *view->span);
    view->units = calloc(view->functions + 1u, sizeof *view->units);
    view->calls = calloc(view->functions + 1u, sizeof *view->calls);
    view->total = ep_profile_number(profile, EP_H_BRANCH_UNITS);
    view->unit = ep_profile_number(profile, EP_H_UNIT);
    if (!view->branch || !view->span || !view->units || !view->calls) {
        ep_view_free(view);
        return -ENOMEM;
    }
    make_spans(view);
    make_branches(view, edge, edges);
    make_branches(view, call, calls);
    return 0;
}

void ep_view_free(struct ep_view *view)
{
    free(view->branch);
    free(view->span);
    free(view->units);
    free(view->calls);
    *view = (struct ep_view){.profile = NULL};
}

struct sized {
    uint64_t value;
    uint32_t number;
};

static int sized_compare(const void *left, const void *right)
{
    const struct sized *a = left, *b = right;
    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

uint32_t *ep_by_size(const uint64_t *values, uint32_t count)
{
    struct sized *all = calloc(count + 1u, sizeof *all);
    uint32_t *numbers = calloc(count + 1u, sizeof *numbers);
    if (!all || !numbers) {
        free(all);
        free(numbers);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++)
        all[i] = (struct sized){values[i], i};
    qsort(all, count, sizeof *all, sized_compare);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = all[i].number;
    free(all);
    return numbers;
}
