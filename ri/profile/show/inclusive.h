/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What functions cost with what they call, as far as counted calls can tell. */
#ifndef ZRI_RI_PROFILE_SHOW_INCLUSIVE_H
#define ZRI_RI_PROFILE_SHOW_INCLUSIVE_H

#include "ri/profile/show/internal.h"

struct ep_costs {
    uint64_t branches, taken, runs;
};
void ep_costs_add(struct ep_costs *sum, const struct ep_costs *more);
/* units / of_units of a cost, rounded. */
struct ep_costs ep_costs_part(const struct ep_costs *cost, uint64_t units, uint64_t of_units);

/* Functions that call each other in circles are one group; group[f] is its number. The inclusive cost of a group is
   that of its functions, and of each group that it calls the part that its calls are of all calls into that group from
   outside, calls[group]. All arrays have view->functions + 1 items, the last one for code in no function. -ENOMEM. */
int ep_inclusive(const struct ep_view *view, const struct ep_costs *self, struct ep_costs *inclusive, uint64_t *calls,
                 uint32_t *group) MUST_USE;

#endif
