/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several profiles in one: spaces and modules are matched first, then every line is brought to the addresses that a
   module has in the result. All that is done to a line or a header depends on the set of the profiles, not on their
   order; sums, least values and "differs" may be formed in any grouping. */
#include "ri/profile/file/internal.h"
#include "base/message.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Modules by address. */
struct atlas {
    const struct ep_module *modules;
    uint32_t *order; /* numbers of modules by space and start */
    uint32_t count;
};

/* One of the profiles on its way into the result. */
struct part {
    const struct ep_profile *profile;
    const char *name;
    struct atlas atlas;
    uint32_t *spaces, *modules; /* their numbers in the result */
    uint64_t *shifts;           /* by module: what is added to its addresses */
    uint64_t scale;             /* of units */
};

struct join {
    struct part *parts;
    size_t count;
    const struct ep_join_options *options;
    struct ep_list space_keys, module_keys; /* what matches; the result's numbers are places in them */
    uint64_t *tokens, *biases;              /* the smallest, by number in the result */
    const char **names;                     /* of modules: the first by its bytes */
    struct ep_profile *places;              /* spaces and modules of the result */
    struct atlas atlas;                     /* of `places` */
    char *error;
    size_t error_size;
};

#define refuse(join, ...) fail_with(-EPERM, (join)->error, (join)->error_size, __VA_ARGS__)

/* ---- modules by address ---------------------------------------------------------------------------------------- */

static int by_address(const void *left, const void *right)
{
    const struct ep_module *a = *(const struct ep_module *const *)left, *b = *(const struct ep_module *const *)right;
    if (a->space != b->space)
        return a->space < b->space ? -1 : 1;
    return a->start < b->start ? -1 : a->start > b->start;
}

static int atlas_make(struct atlas *atlas, const struct ep_profile *profile)
{
    const uint32_t count = profile->lists[EP_MODULES].count;
    const struct ep_module **sorted = calloc(count + 1u, sizeof *sorted);
    *atlas =
        (struct atlas){EP_ITEMS(profile, EP_MODULES, struct ep_module), calloc(count + 1u, sizeof(uint32_t)), count};
    if (!sorted || !atlas->order) {
        free(sorted);
        return -ENOMEM;
    }
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &atlas->modules[i];
    qsort(sorted, count, sizeof *sorted, by_address);
    for (uint32_t i = 0; i < count; i++)
        atlas->order[i] = (uint32_t)(sorted[i] - atlas->modules);
    free(sorted);
    return 0;
}

/* The module at an address; UINT32_MAX: none. */
static uint32_t atlas_find(const struct atlas *atlas, uint32_t space, uint64_t address)
{
    uint32_t low = 0, high = atlas->count;
    while (low < high) { /* the last that begins there or before */
        const uint32_t middle = low + (high - low) / 2;
        const struct ep_module *m = &atlas->modules[atlas->order[middle]];
        if (m->space < space || (m->space == space && m->start <= address))
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return UINT32_MAX;
    const struct ep_module *m = &atlas->modules[atlas->order[low - 1]];
    return m->space == space && address < m->end ? atlas->order[low - 1] : UINT32_MAX;
}

/* ---- what matches ---------------------------------------------------------------------------------------------- */

/* The number in the result of what has this key. `least` grows with the keys. */
static int match(struct ep_list *keys, const struct ep_form *form, const void *key, uint64_t value, uint64_t **least,
                 uint32_t *number)
{
    const int status = ep_list_place(keys, form, key, number);
    if (status < 0)
        return status;
    if (status == 0) {
        if (!(*number & (*number + 1))) { /* room for as many again */
            uint64_t *grown = realloc(*least, ((size_t)*number + 1) * 2 * sizeof *grown);
            if (!grown)
                return -ENOMEM;
            *least = grown;
        }
        (*least)[*number] = value;
    }
    if (value < (*least)[*number])
        (*least)[*number] = value;
    return 0;
}

static int match_spaces(struct join *join, struct part *part)
{
    const struct ep_space *spaces = EP_ITEMS(part->profile, EP_SPACES, struct ep_space);
    for (uint32_t i = 0; i < part->profile->lists[EP_SPACES].count; i++) {
        struct ep_space key = spaces[i];
        if (strcmp(key.name, "-") != 0)
            key.token = 0;
        const int status =
            match(&join->space_keys, &ep_forms[EP_SPACES], &key, spaces[i].token, &join->tokens, &part->spaces[i]);
        if (status)
            return status;
    }
    return 0;
}

static int match_modules(struct join *join, struct part *part)
{
    const struct ep_module *modules = EP_ITEMS(part->profile, EP_MODULES, struct ep_module);
    for (uint32_t i = 0; i < part->profile->lists[EP_MODULES].count; i++) {
        const struct ep_module *m = &modules[i];
        struct ep_module key = *m;
        key.space = part->spaces[m->space];
        key.start -= m->bias;
        key.end -= m->bias;
        key.bias = 0;
        if (key.has_digest)
            key.name = "-";
        const int status =
            match(&join->module_keys, &ep_forms[EP_MODULES], &key, m->bias, &join->biases, &part->modules[i]);
        if (status)
            return status;
    }
    return 0;
}

/* The first of the names that a module has in the profiles. */
static int name_modules(struct join *join)
{
    join->names = calloc(join->module_keys.count + 1u, sizeof *join->names);
    if (!join->names)
        return -ENOMEM;
    for (size_t k = 0; k < join->count; k++) {
        const struct ep_profile *p = join->parts[k].profile;
        for (uint32_t i = 0; i < p->lists[EP_MODULES].count; i++) {
            const char *name = EP_ITEMS(p, EP_MODULES, struct ep_module)[i].name;
            const char **kept = &join->names[join->parts[k].modules[i]];
            *kept = !*kept || strcmp(name, *kept) < 0 ? name : *kept;
        }
    }
    return 0;
}

/* Spaces and modules of the result. Their numbers are those of the keys, so nothing may be found equal on the way. */
static int make_places(struct join *join)
{
    struct ep_profile *to = join->places = ep_profile_new();
    int status = to ? 0 : -ENOMEM;
    for (uint32_t i = 0; !status && i < join->space_keys.count; i++) {
        struct ep_space space = ((struct ep_space *)(void *)join->space_keys.items)[i];
        space.token = join->tokens[i];
        status = ep_list_append(&to->lists[EP_SPACES], &ep_forms[EP_SPACES], &space);
    }
    for (uint32_t i = 0; !status && i < join->module_keys.count; i++) {
        struct ep_module module = ((struct ep_module *)(void *)join->module_keys.items)[i];
        module.bias = join->biases[i];
        module.start += module.bias;
        module.end += module.bias;
        module.name = join->names[i];
        if (module.start >= module.end)
            return refuse(
                join,
                "module %.200s would go around the end of the address space at the smallest of its load biases; "
                "merge profiles in which it lies at the same address",
                module.name);
        status = ep_list_append(&to->lists[EP_MODULES], &ep_forms[EP_MODULES], &module);
    }
    return status ? status : atlas_make(&join->atlas, to);
}

static int distinct(struct join *join)
{
    for (uint32_t i = 1; i < join->atlas.count; i++) {
        const struct ep_module *a = &join->atlas.modules[join->atlas.order[i - 1]];
        const struct ep_module *b = &join->atlas.modules[join->atlas.order[i]];
        if (a->space == b->space && b->start < a->end)
            return refuse(join,
                          "modules %.200s and %.200s are different and have the addresses from %" PRIx64
                          " on in the same "
                          "space; only profiles of the same programs can be taken together",
                          a->name, b->name, b->start);
    }
    return 0;
}

static int plan_part(struct join *join, struct part *part)
{
    const struct ep_profile *p = part->profile;
    part->spaces = calloc(p->lists[EP_SPACES].count + 1u, sizeof *part->spaces);
    part->modules = calloc(p->lists[EP_MODULES].count + 1u, sizeof *part->modules);
    part->shifts = calloc(p->lists[EP_MODULES].count + 1u, sizeof *part->shifts);
    if (!part->spaces || !part->modules || !part->shifts)
        return -ENOMEM;
    int status = match_spaces(join, part);
    status = status ? status : match_modules(join, part);
    return status ? status : atlas_make(&part->atlas, p);
}

static int plan(struct join *join)
{
    uint64_t unit = 1;
    int status = 0;
    for (size_t k = 0; !status && k < join->count; k++) {
        const uint64_t own = ep_profile_number(join->parts[k].profile, EP_H_UNIT);
        unit = own > unit ? own : unit;
        status = plan_part(join, &join->parts[k]);
    }
    status = status ? status : name_modules(join);
    status = status ? status : make_places(join);
    status = status ? status : distinct(join);
    for (size_t k = 0; !status && k < join->count; k++) {
        struct part *part = &join->parts[k];
        const uint64_t own = ep_profile_number(part->profile, EP_H_UNIT);
        part->scale = own ? unit / own : 1;
        for (uint32_t i = 0; i < part->atlas.count; i++)
            part->shifts[i] = join->biases[part->modules[i]] - part->atlas.modules[i].bias;
    }
    return status;
}

/* ---- lines ----------------------------------------------------------------------------------------------------- */

/* What an address becomes, and by what its module is shifted. -EPERM: in the result a module of another profile is
   there. */
static int move(struct join *join, const struct part *part, uint32_t space, uint64_t address, uint64_t *moved)
{
    const uint32_t module = atlas_find(&part->atlas, space, address);
    *moved = module == UINT32_MAX ? address : address + part->shifts[module];
    if (module != UINT32_MAX || join->options->compare)
        return 0;
    const uint32_t other = atlas_find(&join->atlas, part->spaces[space], address);
    if (other == UINT32_MAX)
        return 0;
    return refuse(join,
                  "%s: its address %" PRIx64 " is in no module, and in module %.200s of another of the profiles; only "
                  "profiles of the same programs can be taken together",
                  part->name, address, join->atlas.modules[other].name);
}

static int take_functions(struct ep_profile *to, const struct part *part)
{
    const struct ep_function *functions = EP_ITEMS(part->profile, EP_FUNCTIONS, struct ep_function);
    int status = 0;
    for (uint32_t i = 0; status >= 0 && i < part->profile->lists[EP_FUNCTIONS].count; i++) {
        struct ep_function f = functions[i];
        uint32_t place;
        f.start += part->shifts[f.module];
        f.end += part->shifts[f.module];
        f.module = part->modules[f.module];
        if (f.start >= f.end) /* it is not within its module and would go around the end of the space */
            continue;
        f.name = ep_text_keep(to, f.name);
        status = f.name ? ep_list_place(&to->lists[EP_FUNCTIONS], &ep_forms[EP_FUNCTIONS], &f, &place) : -ENOMEM;
    }
    return status < 0 ? status : 0;
}

static int take_sites(struct join *join, struct ep_profile *to, const struct part *part)
{
    const struct ep_site_facts *sites = EP_ITEMS(part->profile, EP_SITES, struct ep_site_facts);
    int status = 0;
    for (uint32_t i = 0; !status && i < part->profile->lists[EP_SITES].count; i++) {
        struct ep_site_facts s = sites[i];
        status = move(join, part, s.space, s.at, &s.at);
        s.target += s.has_target ? s.at - sites[i].at : 0; /* it stands in the code as a distance */
        s.space = part->spaces[s.space];
        status = status ? status : ep_profile_site(to, &s);
    }
    return status;
}

static int take_rows(struct join *join, struct ep_profile *to, const struct part *part, enum ep_list_name list)
{
    const struct ep_row *rows = EP_ITEMS(part->profile, list, struct ep_row);
    int status = 0;
    for (uint32_t i = 0; !status && i < part->profile->lists[list].count; i++) {
        struct ep_row r = rows[i];
        status = move(join, part, r.from_space, r.from, &r.from);
        if (list == EP_EDGES && r.kind == EP_NOT_TAKEN)
            r.to += r.from - rows[i].from; /* the next instruction, which may be behind the module's end */
        else
            status = status ? status : move(join, part, r.to_space, r.to, &r.to);
        r.from_space = part->spaces[r.from_space];
        r.to_space = part->spaces[r.to_space];
        if (__builtin_mul_overflow(r.units, part->scale, &r.units)) {
            r.units = UINT64_MAX;
            to->saturated = true;
        }
        status = status ? status : ep_row_add(to, list, &r);
    }
    return status;
}

/* Headers behind the first profile's: what differs, or is missing in one of them, is mixed. */
static int take_headers(struct ep_profile *to, const struct ep_profile *from, bool first)
{
    int status = 0;
    for (unsigned i = 0; !status && i < EP_HEADERS; i++) {
        const char *value = from->headers[i], *before = to->headers[i];
        if (ep_header_facts[i].how == EP_HOW_MADE)
            continue;
        if (ep_header_facts[i].how == EP_HOW_SUM) {
            const uint64_t sum = ep_profile_number(to, i), more = ep_profile_number(from, i);
            to->saturated |= sum + more < sum;
            status = ep_profile_set_number(to, i, ep_saturated_sum(sum, more));
        } else if (first) {
            status = value ? ep_header_keep(to, i, value) : 0;
        } else if (value ? !before || strcmp(value, before) != 0 : before != NULL) {
            status = ep_header_keep(to, i, EP_MIXED);
        }
    }
    return status;
}

static int take(struct join *join, struct ep_profile *to, const struct part *part, bool first)
{
    const struct ep_profile *p = part->profile;
    const uint64_t unit = ep_profile_number(p, EP_H_UNIT) * part->scale;
    int status = take_headers(to, p, first);
    status = status ? status : ep_profile_set_number(to, EP_H_UNIT, unit);
    status = status ? status : take_functions(to, part);
    status = status ? status : take_sites(join, to, part);
    for (unsigned list = EP_EDGES; !status && list <= EP_GAPS; list++)
        status = take_rows(join, to, part, list);
    for (uint32_t i = 0; !status && i < p->lists[EP_COUNTERS].count; i++) {
        const struct ep_counter *counter = &EP_ITEMS(p, EP_COUNTERS, struct ep_counter)[i];
        status = ep_counter_add(to, counter->name, counter->value);
    }
    to->saturated |= p->saturated;
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

static int alike(struct join *join)
{
    const struct part *first = &join->parts[0];
    for (size_t k = 1; k < join->count; k++) {
        const struct part *part = &join->parts[k];
        for (unsigned i = 0; i < EP_HEADERS; i++) {
            const char *a = first->profile->headers[i], *b = part->profile->headers[i];
            if (ep_header_facts[i].how == EP_HOW_MATCH && a && b && strcmp(a, b))
                return refuse(
                    join,
                    "%s has %s %s and %s has %s; profiles that differ so are not merged unless that is forced "
                    "(--force)",
                    first->name, ep_header_facts[i].key, a, part->name, b);
        }
    }
    return 0;
}

static int join_begin(struct join *join, const struct ep_profile *const *profiles, const char *const *names,
                      size_t count)
{
    join->parts = calloc(count + 1u, sizeof *join->parts);
    join->count = join->parts ? count : 0;
    for (size_t k = 0; k < join->count; k++) {
        join->parts[k].profile = profiles[k];
        join->parts[k].name = names[k];
    }
    if (!join->parts)
        return -ENOMEM;
    const int status = join->options->forced || join->options->compare ? 0 : alike(join);
    return status ? status : plan(join);
}

static int join_end(struct join *join, int status)
{
    for (size_t k = 0; k < join->count; k++) {
        free(join->parts[k].spaces);
        free(join->parts[k].modules);
        free(join->parts[k].shifts);
        free(join->parts[k].atlas.order);
    }
    free(join->parts);
    ep_list_free(&join->space_keys);
    ep_list_free(&join->module_keys);
    free(join->tokens);
    free(join->biases);
    free(join->names);
    free(join->atlas.order);
    ep_profile_free(join->places);
    if (status == -EPERM || !status)
        return status;
    return fail_with(status, join->error, join->error_size,
                     "the host has no memory for it; end other programs, or give it more");
}

int ep_profile_merge(const struct ep_profile *const *profiles, const char *const *names, size_t count,
                     const struct ep_join_options *options, struct ep_profile **result, char *error, size_t size)
{
    struct join join = {.options = options, .error = error, .error_size = size};
    *result = NULL;
    int status = join_begin(&join, profiles, names, count);
    status = status ? status : ep_profile_copy(join.places, result);
    for (size_t k = 0; !status && k < count; k++)
        status = take(&join, *result, &join.parts[k], k == 0);
    status = status ? status : ep_profile_settle(*result);
    if (status) {
        ep_profile_free(*result);
        *result = NULL;
    }
    return join_end(&join, status);
}

int ep_profile_align(const struct ep_profile *const profiles[2], const char *const names[2],
                     struct ep_profile *aligned[2], char *error, size_t size)
{
    const struct ep_join_options options = {.compare = true};
    struct join join = {.options = &options, .error = error, .error_size = size};
    aligned[0] = aligned[1] = NULL;
    int status = join_begin(&join, profiles, names, 2);
    for (unsigned k = 0; !status && k < 2; k++) {
        status = ep_profile_copy(join.places, &aligned[k]);
        status = status ? status : take(&join, aligned[k], &join.parts[k], true);
        status = status ? status : ep_profile_settle(aligned[k]);
    }
    for (unsigned k = 0; status && k < 2; k++) {
        ep_profile_free(aligned[k]);
        aligned[k] = NULL;
    }
    return join_end(&join, status);
}
