/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The spaces of one profile: those that nothing is of, those of one program. */
#include "ri/profile/file/internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void mark_used(const struct ep_profile *p, uint32_t *used)
{
    const struct ep_module *modules = EP_ITEMS(p, EP_MODULES, struct ep_module);
    for (uint32_t i = 0; i < p->lists[EP_MODULES].count; i++)
        used[modules[i].space] = 1;
    for (unsigned list = EP_EDGES; list <= EP_GAPS; list++) {
        const struct ep_row *rows = EP_ITEMS(p, list, struct ep_row);
        for (uint32_t i = 0; i < p->lists[list].count; i++)
            used[rows[i].from_space] = used[rows[i].to_space] = 1;
    }
}

static int drop_unused(struct ep_profile *p)
{
    struct ep_list *list = &p->lists[EP_SPACES];
    struct ep_space *spaces = EP_ITEMS(p, EP_SPACES, struct ep_space);
    uint32_t *map = calloc(list->count + 1u, sizeof *map), count = 0;
    if (!map)
        return -ENOMEM;
    mark_used(p, map);
    for (uint32_t i = 0; i < list->count; i++) {
        const bool used = map[i];
        map[i] = count;
        if (used)
            spaces[count++] = spaces[i];
    }
    list->count = count;
    ep_list_sort(list, &ep_forms[EP_SPACES]); /* the places that they had are none any more */
    ep_renumber_spaces(p, map);
    free(map);
    return 0;
}

static bool has_twins(const struct ep_profile *p)
{
    const struct ep_space *spaces = EP_ITEMS(p, EP_SPACES, struct ep_space);
    for (uint32_t i = 1; i < p->lists[EP_SPACES].count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (spaces[i].kind == spaces[k].kind && strcmp(spaces[i].name, "-") != 0 &&
                strcmp(spaces[i].name, spaces[k].name) == 0)
                return true;
    return false;
}

int ep_profile_unite(struct ep_profile **profile)
{
    static const char *const names[] = {"the profile"};
    const struct ep_join_options options = {.forced = true};
    struct ep_profile *copy, *united;
    char why[200];
    int status = ep_profile_copy(*profile, &copy);
    if (status)
        return status;
    status = ep_profile_settle(copy);
    status = status ? status : drop_unused(copy);
    status = status ? status : ep_profile_settle(copy);
    if (!status && has_twins(copy)) {
        status =
            ep_profile_merge((const struct ep_profile *const *)&copy, names, 1, &options, &united, why, sizeof why);
        if (!status) {
            ep_profile_free(copy);
            copy = united;
        }
        status = status == -EPERM ? 0 : status;
    }
    if (status) {
        ep_profile_free(copy);
        return status;
    }
    ep_profile_free(*profile);
    *profile = copy;
    return 0;
}
