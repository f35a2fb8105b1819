/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of a profile: of the symbols those that were executed, and names for code that has none. */
#include "ri/profile/file/internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* An address of an edge, run or call; or where a function begins or ends. */
struct place {
    uint64_t address, end;  /* end: of a function */
    uint32_t space, module; /* module: of a function */
    bool entry;             /* a call went there */
};

struct places {
    struct place *at, *function; /* each in the order of space and address */
    size_t count, functions;
};

static int place_compare(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->space != b->space)
        return a->space < b->space ? -1 : 1;
    return a->address < b->address ? -1 : a->address > b->address;
}

uint32_t ep_profile_module_at(const struct ep_profile *profile, uint32_t space, uint64_t address)
{
    const struct ep_module *modules = EP_ITEMS(profile, EP_MODULES, struct ep_module);
    uint32_t low = 0, high = profile->lists[EP_MODULES].count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (modules[middle].space < space || (modules[middle].space == space && modules[middle].start <= address))
            low = middle + 1;
        else
            high = middle;
    }
    return low && modules[low - 1].space == space && address < modules[low - 1].end ? low - 1 : UINT32_MAX;
}

/* The class of the site where a row begins; EP_SITE_CLASSES: it was not told. */
static unsigned class_of(const struct ep_profile *profile, const struct ep_row *row)
{
    const struct ep_site_facts key = {.space = row->from_space, .at = row->from};
    const struct ep_list *sites = &profile->lists[EP_SITES];
    const struct ep_site_facts *site =
        sites->count ? bsearch(&key, sites->items, sites->count, sizeof *site, ep_forms[EP_SITES].compare) : NULL;
    return site ? site->class : EP_SITE_CLASSES;
}

static int find_places(const struct ep_profile *profile, struct places *p)
{
    size_t room = 0;
    for (unsigned list = EP_EDGES; list <= EP_CALLS; list++)
        room += 2 * (size_t)profile->lists[list].count;
    p->at = calloc(room + 1, sizeof *p->at);
    if (!p->at)
        return -ENOMEM;
    for (unsigned list = EP_EDGES; list <= EP_CALLS; list++) {
        const struct ep_row *rows = EP_ITEMS(profile, list, struct ep_row);
        for (uint32_t i = 0; i < profile->lists[list].count; i++) {
            const struct ep_row *r = &rows[i];
            const bool entry =
                list == EP_CALLS || (list == EP_EDGES && r->kind == EP_TAKEN && class_of(profile, r) == EP_SITE_CALL);
            p->at[p->count++] = (struct place){.address = r->from, .space = r->from_space};
            p->at[p->count++] = (struct place){.address = r->to, .space = r->to_space, .entry = entry};
        }
    }
    if (p->count)
        qsort(p->at, p->count, sizeof *p->at, place_compare);
    return 0;
}

/* The number of the first of `all` that is at or behind an address. */
static size_t first_from(const struct place *all, size_t count, uint32_t space, uint64_t address)
{
    size_t low = 0;
    while (low < count) {
        const size_t middle = low + (count - low) / 2;
        if (all[middle].space < space || (all[middle].space == space && all[middle].address < address))
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* Adds the functions that hold a place. */
static int add_known(struct ep_profile *profile, struct places *p, const struct ep_symbol *symbols, size_t count)
{
    const struct ep_function *there = EP_ITEMS(profile, EP_FUNCTIONS, struct ep_function);
    const uint32_t already = profile->lists[EP_FUNCTIONS].count;
    p->function = calloc(count + already + 1, sizeof *p->function);
    if (!p->function)
        return -ENOMEM;
    for (uint32_t i = 0; i < already; i++)
        p->function[p->functions++] =
            (struct place){.address = there[i].start,
                           .end = there[i].end,
                           .space = EP_ITEMS(profile, EP_MODULES, struct ep_module)[there[i].module].space};
    for (size_t i = 0; i < count; i++) {
        const struct ep_symbol *s = &symbols[i];
        const uint32_t module = ep_profile_module_at(profile, s->space, s->start);
        const size_t place = first_from(p->at, p->count, s->space, s->start);
        if (module == UINT32_MAX || s->start >= s->end)
            continue;
        p->function[p->functions++] = (struct place){.address = s->start, .end = s->end, .space = s->space};
        if (place == p->count || p->at[place].space != s->space || p->at[place].address >= s->end)
            continue;
        const struct ep_function f = {.start = s->start, .end = s->end, .name = s->name, .module = module};
        const int status = ep_profile_function(profile, &f, NULL);
        if (status && status != -ENAMETOOLONG) /* code with such a name counts as known all the same */
            return status;
    }
    if (p->functions)
        qsort(p->function, p->functions, sizeof *p->function, place_compare);
    return 0;
}

/* A function without a name around place `i`, from `low` up to whatever is known behind it. Yields its end. */
static int add_unknown(struct ep_profile *profile, const struct places *p, size_t i, uint64_t low, uint64_t *end)
{
    const struct place *at = &p->at[i];
    const uint32_t module = ep_profile_module_at(profile, at->space, at->address);
    const size_t next = first_from(p->function, p->functions, at->space, at->address + 1);
    char name[32];
    struct ep_function f = {.start = EP_ITEMS(profile, EP_MODULES, struct ep_module)[module].start,
                            .end = EP_ITEMS(profile, EP_MODULES, struct ep_module)[module].end,
                            .name = name,
                            .module = module};
    f.start = low > f.start ? low : f.start;
    if (next < p->functions && p->function[next].space == at->space && p->function[next].address < f.end)
        f.end = p->function[next].address;
    for (size_t k = i; k < p->count && p->at[k].space == at->space && p->at[k].address < f.end; k++)
        if (p->at[k].entry && p->at[k].address > at->address)
            f.end = p->at[k].address;
    *end = f.end;
    snprintf(name, sizeof name, "sub_%" PRIx64, f.start);
    return ep_profile_function(profile, &f, NULL);
}

/* Places one after the other; those that no function holds get one. */
static int add_rest(struct ep_profile *profile, const struct places *p)
{
    uint64_t known = 0, low = 0; /* up to where functions reach; where the next one without a name may begin */
    size_t f = 0;
    int status = 0;
    for (size_t i = 0; !status && i < p->count; i++) {
        const struct place *at = &p->at[i];
        if (i && p->at[i - 1].space != at->space)
            known = low = 0;
        for (; f < p->functions && place_compare(&p->function[f], at) <= 0; f++)
            if (p->function[f].space == at->space && p->function[f].end > known)
                known = p->function[f].end;
        low = known > low ? known : low;
        /* an entry among those at the same address may come behind others */
        for (size_t k = i; k < p->count && !place_compare(at, &p->at[k]); k++)
            low = p->at[k].entry && at->address > low ? at->address : low;
        if (known <= at->address && ep_profile_module_at(profile, at->space, at->address) != UINT32_MAX)
            status = add_unknown(profile, p, i, low, &known);
    }
    return status;
}

void ep_profile_forget_functions(struct ep_profile *profile, const bool *module, uint32_t count)
{
    struct ep_list *list = &profile->lists[EP_FUNCTIONS];
    struct ep_function *f = EP_ITEMS(profile, EP_FUNCTIONS, struct ep_function);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (f[i].module >= count || !module[f[i].module])
            f[kept++] = f[i];
    list->count = kept;
    free(list->slots); /* they are made again when something is added */
    list->slots = NULL;
    list->slot_count = 0;
}

int ep_profile_name_functions(struct ep_profile *profile, const struct ep_symbol *symbols, size_t count)
{
    struct places p = {.at = NULL};
    int status = ep_profile_settle(profile);
    status = status ? status : find_places(profile, &p);
    status = status ? status : add_known(profile, &p, symbols, count);
    status = status ? status : add_rest(profile, &p);
    free(p.at);
    free(p.function);
    return status ? status : ep_profile_settle(profile);
}
