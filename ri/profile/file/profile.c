/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An edge profile in memory. */
#include "ri/profile/file/internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ep_profile *ep_profile_new(void) { return calloc(1, sizeof(struct ep_profile)); }

void ep_profile_free(struct ep_profile *profile)
{
    if (!profile)
        return;
    for (unsigned i = 0; i < EP_LISTS; i++)
        ep_list_free(&profile->lists[i]);
    for (struct ep_text *text = profile->texts, *next; text; text = next) {
        next = text->next;
        free(text);
    }
    free(profile);
}

const void *ep_profile_list(const struct ep_profile *profile, enum ep_list_name list, uint32_t *count)
{
    *count = profile->lists[list].count;
    return profile->lists[list].items;
}

bool ep_profile_saturated(const struct ep_profile *profile) { return profile->saturated; }

uint64_t ep_saturated_sum(uint64_t a, uint64_t b) { return a + b < a ? UINT64_MAX : a + b; }

/* Adds to a count, and notes when it is full. */
static void add_to(struct ep_profile *profile, uint64_t *count, uint64_t value)
{
    profile->saturated |= *count + value < *count;
    *count = ep_saturated_sum(*count, value);
}

/* ---- adding ---------------------------------------------------------------------------------------------------- */

int ep_profile_space(struct ep_profile *profile, const struct ep_space *space, uint32_t *id)
{
    char name[EP_NAME_MOST + 1];
    struct ep_space item = *space;
    uint32_t place;
    int status = ep_encode(space->name, name);
    item.name = name;
    if (status || space->kind >= EP_SPACE_KINDS)
        return status ? status : -EINVAL;
    status = ep_list_place(&profile->lists[EP_SPACES], &ep_forms[EP_SPACES], &item, &place);
    if (status == 0 && !(EP_ITEMS(profile, EP_SPACES, struct ep_space)[place].name = ep_text_keep(profile, name))) {
        EP_ITEMS(profile, EP_SPACES, struct ep_space)[place].name = "-";
        return -ENOMEM;
    }
    if (status >= 0 && id)
        *id = place;
    return status < 0 ? status : 0;
}

int ep_profile_module(struct ep_profile *profile, const struct ep_module *module, uint32_t *id)
{
    char name[EP_NAME_MOST + 1];
    struct ep_module item = *module;
    uint32_t place;
    int status = ep_encode(module->name, name);
    item.name = name;
    if (!item.has_digest)
        memset(item.digest, 0, sizeof item.digest);
    if (status || module->start >= module->end || module->space >= profile->lists[EP_SPACES].count)
        return status ? status : -EINVAL;
    status = ep_list_place(&profile->lists[EP_MODULES], &ep_forms[EP_MODULES], &item, &place);
    if (status == 0 && !(EP_ITEMS(profile, EP_MODULES, struct ep_module)[place].name = ep_text_keep(profile, name))) {
        EP_ITEMS(profile, EP_MODULES, struct ep_module)[place].name = "-";
        return -ENOMEM;
    }
    if (status >= 0 && id)
        *id = place;
    return status < 0 ? status : 0;
}

int ep_profile_function(struct ep_profile *profile, const struct ep_function *function, uint32_t *id)
{
    char name[EP_NAME_MOST + 1];
    struct ep_function item = *function;
    uint32_t place;
    int status = ep_encode(function->name, name);
    item.name = name;
    if (status || function->start >= function->end || function->module >= profile->lists[EP_MODULES].count)
        return status ? status : -EINVAL;
    status = ep_list_place(&profile->lists[EP_FUNCTIONS], &ep_forms[EP_FUNCTIONS], &item, &place);
    if (status == 0 &&
        !(EP_ITEMS(profile, EP_FUNCTIONS, struct ep_function)[place].name = ep_text_keep(profile, name))) {
        EP_ITEMS(profile, EP_FUNCTIONS, struct ep_function)[place].name = "-";
        return -ENOMEM;
    }
    if (status >= 0 && id)
        *id = place;
    return status < 0 ? status : 0;
}

bool ep_site_is_sound(const struct ep_site_facts *site)
{
    const char *key = site->opcode;
    if (site->class >= EP_SITE_CLASSES || (site->length != 2 && site->length != 4 && site->length != 6) ||
        !memchr(key, 0, EP_OPCODE))
        return false;
    key += !strncmp(key, "44/", 3) ? 3 : !strncmp(key, "c6x0/", 5) ? 5 : 0;
    const size_t n = strspn(key, "0123456789abcdefx");
    return (n == 2 || n == 4) && !key[n] && (key == site->opcode || !site->has_target);
}

void ep_site_join(struct ep_site_facts *site, const struct ep_site_facts *other)
{
    site->class = other->class < site->class ? other->class : site->class;
    site->length = other->length < site->length ? other->length : site->length;
    if (strcmp(other->opcode, site->opcode) < 0)
        memcpy(site->opcode, other->opcode, EP_OPCODE);
    if (!other->has_target || other->target != site->target) {
        site->has_target = false;
        site->target = 0;
    }
}

int ep_profile_site(struct ep_profile *profile, const struct ep_site_facts *site)
{
    struct ep_site_facts item = *site;
    uint32_t place;
    if (!ep_site_is_sound(site) || site->space >= profile->lists[EP_SPACES].count)
        return -EINVAL;
    item.target = item.has_target ? item.target : 0;
    const int status = ep_list_place(&profile->lists[EP_SITES], &ep_forms[EP_SITES], &item, &place);
    if (status == 1)
        ep_site_join(&EP_ITEMS(profile, EP_SITES, struct ep_site_facts)[place], &item);
    return status < 0 ? status : 0;
}

int ep_row_add(struct ep_profile *profile, enum ep_list_name list, const struct ep_row *row)
{
    uint32_t place;
    const int status = ep_list_place(&profile->lists[list], &ep_forms[list], row, &place);
    if (status == 1)
        add_to(profile, &EP_ITEMS(profile, list, struct ep_row)[place].units, row->units);
    return status < 0 ? status : 0;
}

int ep_profile_add(struct ep_profile *profile, enum ep_list_name list, const struct ep_row *row)
{
    static const unsigned kinds[EP_LISTS] = {[EP_EDGES] = 2, [EP_RUNS] = 2, [EP_CALLS] = 1, [EP_GAPS] = EP_REASONS};
    const uint32_t spaces = profile->lists[EP_SPACES].count;
    struct ep_row item = *row;
    if (list == EP_RUNS)
        item.to_space = item.from_space;
    if (list >= EP_LISTS || row->kind >= kinds[list] || row->from_space >= spaces || item.to_space >= spaces)
        return -EINVAL;
    return ep_row_add(profile, list, &item);
}

int ep_counter_add(struct ep_profile *profile, const char *name, uint64_t value)
{
    struct ep_counter item = {name, value};
    struct ep_list *list = &profile->lists[EP_COUNTERS];
    uint32_t place;
    const int status = ep_list_place(list, &ep_forms[EP_COUNTERS], &item, &place);
    if (status < 0)
        return status;
    struct ep_counter *counter = &EP_ITEMS(profile, EP_COUNTERS, struct ep_counter)[place];
    if (status == 1) {
        add_to(profile, &counter->value, value);
        return 0;
    }
    counter->name = ep_text_keep(profile, name);
    if (counter->name)
        return 0;
    counter->name = "info.lost";
    return -ENOMEM;
}

int ep_profile_count(struct ep_profile *profile, const char *name, uint64_t value)
{
    return ep_is_counter(name) ? ep_counter_add(profile, name, value) : -EINVAL;
}

uint64_t ep_profile_counter(const struct ep_profile *profile, const char *name)
{
    const struct ep_counter *counters = EP_ITEMS(profile, EP_COUNTERS, struct ep_counter);
    for (uint32_t i = 0; i < profile->lists[EP_COUNTERS].count; i++)
        if (!strcmp(counters[i].name, name))
            return counters[i].value;
    return 0;
}

/* ---- order ----------------------------------------------------------------------------------------------------- */

/* An item with the number that it had. */
struct numbered {
    const struct ep_form *form;
    const char *item;
    uint32_t number;
};

static int numbered_compare(const void *left, const void *right)
{
    const struct numbered *a = left, *b = right;
    return a->form->compare(a->item, b->item);
}

/* Sorts a list and says which number each item has now; *map is to be freed. */
static int renumber(struct ep_list *list, const struct ep_form *form, uint32_t **map)
{
    const uint32_t count = list->count;
    struct numbered *all = calloc(count + 1u, sizeof *all);
    *map = calloc(count + 1u, sizeof **map);
    if (!all || !*map) {
        free(all);
        return -ENOMEM;
    }
    for (uint32_t i = 0; i < count; i++)
        all[i] = (struct numbered){form, list->items + (size_t)i * form->size, i};
    qsort(all, count, sizeof *all, numbered_compare);
    for (uint32_t i = 0; i < count; i++)
        (*map)[all[i].number] = i;
    free(all);
    ep_list_sort(list, form);
    return 0;
}

void ep_renumber_spaces(struct ep_profile *profile, const uint32_t *map)
{
    struct ep_module *modules = EP_ITEMS(profile, EP_MODULES, struct ep_module);
    struct ep_site_facts *sites = EP_ITEMS(profile, EP_SITES, struct ep_site_facts);
    for (uint32_t i = 0; i < profile->lists[EP_MODULES].count; i++)
        modules[i].space = map[modules[i].space];
    for (uint32_t i = 0; i < profile->lists[EP_SITES].count; i++)
        sites[i].space = map[sites[i].space];
    for (unsigned list = EP_EDGES; list <= EP_GAPS; list++) {
        struct ep_row *rows = EP_ITEMS(profile, list, struct ep_row);
        for (uint32_t i = 0; i < profile->lists[list].count; i++) {
            rows[i].from_space = map[rows[i].from_space];
            rows[i].to_space = map[rows[i].to_space];
        }
    }
}

void ep_units(const struct ep_profile *profile, uint64_t *branches, uint64_t *runs)
{
    *branches = *runs = 0;
    for (unsigned list = EP_EDGES; list <= EP_CALLS; list++) {
        const struct ep_row *rows = EP_ITEMS(profile, list, struct ep_row);
        uint64_t *to = list == EP_RUNS ? runs : branches;
        for (uint32_t i = 0; i < profile->lists[list].count; i++)
            if (list != EP_RUNS || rows[i].kind == EP_RUN_BRANCH)
                *to = ep_saturated_sum(*to, rows[i].units);
    }
}

int ep_profile_settle(struct ep_profile *profile)
{
    uint32_t *spaces, *modules = NULL;
    uint64_t branches, runs;
    int status = renumber(&profile->lists[EP_SPACES], &ep_forms[EP_SPACES], &spaces);
    if (!status) {
        ep_renumber_spaces(profile, spaces);
        status = renumber(&profile->lists[EP_MODULES], &ep_forms[EP_MODULES], &modules);
    }
    if (!status) {
        struct ep_function *functions = EP_ITEMS(profile, EP_FUNCTIONS, struct ep_function);
        for (uint32_t i = 0; i < profile->lists[EP_FUNCTIONS].count; i++)
            functions[i].module = modules[functions[i].module];
        for (unsigned list = EP_FUNCTIONS; list < EP_LISTS; list++)
            ep_list_sort(&profile->lists[list], &ep_forms[list]);
        ep_units(profile, &branches, &runs);
        status = ep_profile_set_number(profile, EP_H_BRANCH_UNITS, branches);
    }
    if (!status)
        status = ep_profile_set_number(profile, EP_H_RUN_UNITS, runs);
    free(spaces);
    free(modules);
    return status;
}

/* The names of a list's items become this profile's own. */
static int keep_names(struct ep_profile *profile, enum ep_list_name list)
{
    static const size_t offsets[EP_LISTS] = {[EP_SPACES] = offsetof(struct ep_space, name),
                                             [EP_MODULES] = offsetof(struct ep_module, name),
                                             [EP_FUNCTIONS] = offsetof(struct ep_function, name),
                                             [EP_COUNTERS] = offsetof(struct ep_counter, name)};
    if (list > EP_FUNCTIONS && list != EP_COUNTERS)
        return 0;
    for (uint32_t i = 0; i < profile->lists[list].count; i++) {
        const char **name =
            (const char **)(void *)(profile->lists[list].items + i * ep_forms[list].size + offsets[list]);
        if (!(*name = ep_text_keep(profile, *name)))
            return -ENOMEM;
    }
    return 0;
}

int ep_profile_copy(const struct ep_profile *profile, struct ep_profile **copy)
{
    struct ep_profile *to = *copy = ep_profile_new();
    int status = to ? 0 : -ENOMEM;
    for (unsigned i = 0; !status && i < EP_HEADERS; i++)
        if (profile->headers[i])
            status = ep_header_keep(to, i, profile->headers[i]);
    for (unsigned list = 0; !status && list < EP_LISTS; list++) {
        const struct ep_list *from = &profile->lists[list];
        for (uint32_t i = 0; !status && i < from->count; i++)
            status = ep_list_append(&to->lists[list], &ep_forms[list], from->items + (size_t)i * ep_forms[list].size);
    }
    for (unsigned list = 0; !status && list < EP_LISTS; list++)
        status = keep_names(to, list);
    if (!status) {
        to->saturated = profile->saturated;
        return 0;
    }
    ep_profile_free(to);
    *copy = NULL;
    return status;
}
