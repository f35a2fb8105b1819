/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LLVM's unsymbolized profile of one module: executed ranges and taken branches, as offsets from the page of its first
   segment. A module is what has one digest (without one, one name), in all spaces and at all load biases. */
#include "ri/profile/show/internal.h"
#include "base/message.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096u

/* A line; units of equal ones are added. */
struct count {
    uint64_t from, to, units;
};

struct raw {
    const struct ep_profile *profile;
    const struct ep_module *module;
    const struct ep_source *source;
    uint32_t modules, chosen; /* chosen: the first line M of the module */
    uint32_t *base;           /* by module: that of its first segment with the same bias */
    struct count *counts;
};

static bool same_module(const struct ep_module *a, const struct ep_module *b)
{
    if (a->has_digest != b->has_digest)
        return false;
    return a->has_digest ? !memcmp(a->digest, b->digest, sizeof a->digest) : !strcmp(a->name, b->name);
}

/* An address as an offset in the chosen module; false: it is not in it. */
static bool offset(const struct raw *raw, uint32_t space, uint64_t address, uint64_t *value)
{
    const uint32_t m = ep_profile_module_at(raw->profile, space, address);
    if (m == UINT32_MAX || !same_module(&raw->module[m], &raw->module[raw->chosen]))
        return false;
    uint64_t first = raw->module[raw->base[m]].start;
    if (raw->source && !raw->source->first(raw->source->context, m, &first))
        first = raw->module[raw->base[m]].start;
    *value = address - (first & -(uint64_t)PAGE);
    return true;
}

/* Lines M of one module at one place next to each other, the first segment in front. */
static int segment_compare(const void *left, const void *right)
{
    const struct ep_module *a = *(const struct ep_module *const *)left, *b = *(const struct ep_module *const *)right;
    int n = a->space < b->space ? -1 : a->space > b->space;
    n = n ? n : a->bias < b->bias ? -1 : a->bias > b->bias;
    n = n ? n : a->has_digest - b->has_digest;
    n = n ? n : a->has_digest ? memcmp(a->digest, b->digest, sizeof a->digest) : strcmp(a->name, b->name);
    return n ? n : a->start < b->start ? -1 : a->start > b->start;
}

static int find_bases(struct raw *raw)
{
    const struct ep_module **sorted = calloc(raw->modules + 1u, sizeof *sorted);
    raw->base = calloc(raw->modules + 1u, sizeof *raw->base);
    if (!sorted || !raw->base) {
        free(sorted);
        return -ENOMEM;
    }
    for (uint32_t i = 0; i < raw->modules; i++)
        sorted[i] = &raw->module[i];
    if (raw->modules)
        qsort(sorted, raw->modules, sizeof *sorted, segment_compare);
    for (uint32_t i = 0; i < raw->modules; i++) {
        const struct ep_module *m = sorted[i], *before = i ? sorted[i - 1] : NULL;
        const bool more = before && before->space == m->space && before->bias == m->bias && same_module(before, m);
        raw->base[m - raw->module] = more ? raw->base[before - raw->module] : (uint32_t)(m - raw->module);
    }
    free(sorted);
    return 0;
}

/* The module with this name, or the only one in which something was executed. */
static int choose(struct raw *raw, const struct ep_profile *profile, const char *name, char *error, size_t size)
{
    uint32_t sites, other = UINT32_MAX;
    const struct ep_site_facts *site = ep_profile_list(profile, EP_SITES, &sites);
    raw->chosen = UINT32_MAX;
    for (uint32_t i = 0; name && i < raw->modules && raw->chosen == UINT32_MAX; i++)
        raw->chosen = strcmp(raw->module[i].name, name) ? UINT32_MAX : i;
    if (name)
        return raw->chosen != UINT32_MAX
                   ? 0
                   : fail_with(-ENOENT, error, size,
                               "no module of the profile has the name %.200s; its lines M have the "
                               "names (--module)",
                               name);
    for (uint32_t i = 0; i < sites && other == UINT32_MAX; i++) {
        const uint32_t m = ep_profile_module_at(profile, site[i].space, site[i].at);
        if (m == UINT32_MAX)
            continue;
        if (raw->chosen == UINT32_MAX)
            raw->chosen = m;
        else if (!same_module(&raw->module[m], &raw->module[raw->chosen]))
            other = m;
    }
    if (other != UINT32_MAX)
        return fail_with(
            -ENOENT, error, size,
            "branches of %.200s, %.200s and perhaps others were counted, and this form has one module; name it "
            "(--module)",
            raw->module[raw->chosen].name, raw->module[other].name);
    if (raw->chosen == UINT32_MAX && raw->modules)
        raw->chosen = 0;
    return raw->chosen != UINT32_MAX
               ? 0
               : fail_with(-ENOENT, error, size,
                           "the profile has no module, and this form needs one; run the program again "
                           "with its file known");
}

static int count_compare(const void *left, const void *right)
{
    const struct count *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

/* The rows of the lists that are in the module, one line for equal ones, as a section. */
static void section(const struct raw *raw, const struct ep_profile *profile, bool ranges,
                    const struct ep_writer *writer)
{
    const uint64_t unit = ep_profile_number(profile, EP_H_UNIT);
    size_t n = 0, kept = 0, lines = 0;
    for (unsigned list = EP_EDGES; list <= EP_CALLS; list++) {
        uint32_t count;
        const struct ep_row *row = ep_profile_list(profile, list, &count);
        if (ranges != (list == EP_RUNS))
            continue;
        for (uint32_t i = 0; i < count; i++) {
            struct count *c = &raw->counts[n];
            c->units = row[i].units;
            n += (list != EP_EDGES || row[i].kind == EP_TAKEN) &&
                 offset(raw, row[i].from_space, row[i].from, &c->from) &&
                 offset(raw, row[i].to_space, row[i].to, &c->to);
        }
    }
    if (n)
        qsort(raw->counts, n, sizeof *raw->counts, count_compare);
    for (size_t i = 0; i < n; i++) {
        struct count *last = kept ? &raw->counts[kept - 1] : NULL;
        if (last && !count_compare(last, &raw->counts[i]))
            last->units = ep_saturated_sum(last->units, raw->counts[i].units);
        else
            raw->counts[kept++] = raw->counts[i];
    }
    for (size_t i = 0; i < kept; i++)
        lines += ep_rounded(raw->counts[i].units, unit) != 0;
    ep_print(writer, "%zu\n", lines);
    for (size_t i = 0; i < kept; i++) {
        const uint64_t times = ep_rounded(raw->counts[i].units, unit);
        if (times)
            ep_print(writer, "%" PRIx64 "%s%" PRIx64 ":%" PRIu64 "\n", raw->counts[i].from, ranges ? "-" : "->",
                     raw->counts[i].to, times);
    }
}

int ep_export_raw(const struct ep_profile *profile, const struct ep_source *source, const char *module,
                  const struct ep_writer *writer, char *error, size_t size)
{
    struct raw raw = {.profile = profile, .source = source};
    size_t room = 1;
    for (unsigned list = EP_EDGES; list <= EP_CALLS; list++) {
        uint32_t count;
        ep_profile_list(profile, list, &count);
        room += count;
    }
    raw.module = ep_profile_list(profile, EP_MODULES, &raw.modules);
    raw.counts = calloc(room, sizeof *raw.counts);
    int status = raw.counts ? find_bases(&raw) : -ENOMEM;
    if (status)
        status = fail_with(status, error, size, "the host has no memory for it; end other programs, or give it more");
    status = status ? status : choose(&raw, profile, module, error, size);
    if (!status) {
        section(&raw, profile, true, writer);
        section(&raw, profile, false, writer);
    }
    free(raw.base);
    free(raw.counts);
    return status;
}
