/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/executes.h"

#include <stdlib.h>

#define FIRST_SIZE 64u

static size_t place_of(const struct ep_executes *sites, struct ep_place at)
{
    uint64_t hash = (at.address ^ (uint64_t)at.space << 40) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 20) & (sites->size - 1);
}

static struct ep_execute *find(const struct ep_executes *sites, struct ep_place at)
{
    size_t i = place_of(sites, at);
    while (sites->slot[i].count && (sites->slot[i].at.address != at.address || sites->slot[i].at.space != at.space))
        i = (i + 1) & (sites->size - 1);
    return &sites->slot[i];
}

/* Room for one more. */
static bool grow(struct ep_executes *sites)
{
    if (sites->slot && sites->used < sites->size / 2)
        return true;
    struct ep_executes larger = {.size = sites->slot ? 2 * sites->size : FIRST_SIZE, .used = sites->used};
    larger.slot = calloc(larger.size, sizeof *larger.slot);
    if (!larger.slot)
        return false;
    for (size_t i = 0; i < sites->size; i++)
        if (sites->slot[i].count)
            *find(&larger, sites->slot[i].at) = sites->slot[i];
    free(sites->slot);
    *sites = larger;
    return true;
}

static enum dis_edge class_of(const struct ep_target *t, uint16_t *row)
{
    struct dis_insn insn;
    dis_decode(t->bytes, &insn);
    *row = insn.row;
    return dis_edge_class(&insn);
}

bool ep_executes_executed(struct ep_executes *sites, struct ep_place at, const struct dis_insn *target, uint64_t event)
{
    sites->added = NULL;
    if (!grow(sites))
        return true;
    struct ep_execute *site = find(sites, at);
    const enum dis_edge class = dis_edge_class(target);
    bool known = false, several = false, branch = ep_edge_branches(class);
    for (unsigned i = 0; i < site->count; i++) {
        uint16_t row;
        const enum dis_edge other = class_of(&site->target[i], &row);
        known |= other == class && (row == target->row || !ep_edge_branches(class));
        several |= other != class;
        branch |= ep_edge_branches(other);
    }
    if (!known && site->count == EP_TARGETS_MOST)
        return true;
    if (!known) {
        struct ep_target *t = &site->target[site->count++];
        sites->used += site->count == 1;
        site->at = at;
        t->event = event;
        memcpy(t->bytes, target->bytes, sizeof t->bytes);
        sites->added = t;
    }
    return several && branch;
}

unsigned ep_executes_targets(const struct ep_executes *sites, struct ep_place at, const struct ep_target **target)
{
    if (!sites->slot)
        return 0;
    const struct ep_execute *site = find(sites, at);
    *target = site->target;
    return site->count;
}

void ep_executes_destroy(struct ep_executes *sites)
{
    free(sites->slot);
    *sites = (struct ep_executes){0};
}
