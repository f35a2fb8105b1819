/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folded stacks: one line for each function, behind its heaviest callers. */
#include "ri/profile/show/internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls of one function by another. */
struct call {
    uint32_t caller, callee;
    uint64_t units;
};

static int call_compare(const void *left, const void *right)
{
    const struct call *a = left, *b = right;
    if (a->callee != b->callee)
        return a->callee < b->callee ? -1 : 1;
    return a->caller < b->caller ? -1 : a->caller > b->caller;
}

/* Whose start is lower; functions are in the order of their modules. */
static bool stands_before(const struct ep_view *view, uint32_t a, uint32_t b)
{
    const uint64_t x = view->function[a].start, y = view->function[b].start;
    return x < y || (x == y && a < b);
}

/* Into `heaviest` by function: who calls it most, view->functions for nobody. */
static int find_callers(const struct ep_view *view, uint32_t *heaviest)
{
    struct call *calls = calloc(view->branches + 1u, sizeof *calls);
    uint64_t *most = calloc(view->functions + 1u, sizeof *most);
    uint32_t n = 0;
    if (!calls || !most) {
        free(calls);
        free(most);
        return -ENOMEM;
    }
    for (uint32_t i = 0; i < view->functions; i++)
        heaviest[i] = view->functions;
    for (uint32_t i = 0; i < view->branches; i++) {
        const struct ep_view_branch *b = &view->branch[i];
        if (b->call && b->from_function < view->functions && b->to_function < view->functions)
            calls[n++] = (struct call){b->from_function, b->to_function, b->row->units};
    }
    if (n)
        qsort(calls, n, sizeof *calls, call_compare);
    for (uint32_t i = 0, next; i < n; i = next) {
        uint64_t units = 0;
        uint32_t *caller = &heaviest[calls[i].callee];
        for (next = i; next < n && !call_compare(&calls[i], &calls[next]); next++)
            units = ep_saturated_sum(units, calls[next].units);
        if (units > most[calls[i].callee] ||
            (units && units == most[calls[i].callee] && stands_before(view, calls[i].caller, *caller))) {
            most[calls[i].callee] = units;
            *caller = calls[i].caller;
        }
    }
    free(calls);
    free(most);
    return 0;
}

/* A line's stack: functions from the innermost out. */
struct stack {
    uint32_t *function, depth;
};

/* The text of a stack, to be freed; NULL: no memory. */
static char *text_of(const struct ep_view *view, const struct stack *stack)
{
    size_t size = 1, n = 0;
    for (uint32_t i = 0; i < stack->depth; i++)
        size += 3 * strlen(ep_view_name(view, stack->function[i])) + 1;
    char *text = malloc(size);
    if (!text)
        return NULL;
    for (uint32_t i = stack->depth; i--;) {
        for (const char *name = ep_view_name(view, stack->function[i]); *name; name++) {
            if (*name == ';') {
                memcpy(text + n, "%3b", 3);
                n += 3;
            } else {
                text[n++] = *name;
            }
        }
        if (i)
            text[n++] = ';';
    }
    text[n] = 0;
    return text;
}

struct line {
    char *text;
    uint64_t count;
};

static int line_compare(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    const int n = strcmp(a->text, b->text);
    char digits[2][24]; /* a line's bytes decide, so 10 comes before 9 */
    snprintf(digits[0], sizeof digits[0], "%" PRIu64, a->count);
    snprintf(digits[1], sizeof digits[1], "%" PRIu64, b->count);
    return n ? n : strcmp(digits[0], digits[1]);
}

/* The lines that are not zero; how many into *count. -ENOMEM; lines made so far are there. */
static int make_lines(const struct ep_view *view, const uint32_t *heaviest, struct line *lines, uint32_t *count)
{
    struct stack stack = {calloc(view->functions + 1u, sizeof *stack.function), 0};
    uint32_t *within = calloc(view->functions + 1u, sizeof *within); /* number of the last line that a function is in */
    int status = stack.function && within ? 0 : -ENOMEM;
    for (uint32_t i = 0; !status && i <= view->functions; i++) {
        const uint64_t units = ep_rounded(view->units[i], view->unit);
        if (!units)
            continue;
        stack.depth = 0;
        for (uint32_t f = i;;) {
            stack.function[stack.depth++] = f;
            if (f == view->functions)
                break;
            within[f] = i + 1;
            f = heaviest[f];
            if (f == view->functions || within[f] == i + 1)
                break;
        }
        lines[*count] = (struct line){text_of(view, &stack), units};
        status = lines[*count].text ? 0 : -ENOMEM;
        *count += !status;
    }
    free(stack.function);
    free(within);
    return status;
}

int ep_export_folded(const struct ep_profile *profile, const struct ep_writer *writer)
{
    struct ep_view view;
    uint32_t count = 0;
    int status = ep_view_make(&view, profile);
    if (status)
        return status;
    uint32_t *heaviest = calloc(view.functions + 1u, sizeof *heaviest);
    struct line *lines = calloc(view.functions + 1u, sizeof *lines);
    status = heaviest && lines ? find_callers(&view, heaviest) : -ENOMEM;
    status = status ? status : make_lines(&view, heaviest, lines, &count);
    if (!status && count)
        qsort(lines, count, sizeof *lines, line_compare);
    for (uint32_t i = 0; i < count; i++) {
        if (!status) {
            ep_put(writer, lines[i].text);
            ep_print(writer, " %" PRIu64 "\n", lines[i].count);
        }
        free(lines[i].text);
    }
    free(lines);
    free(heaviest);
    ep_view_free(&view);
    return status;
}
