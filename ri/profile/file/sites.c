/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Do the sites of a profile go with its edges and calls? */
#include "ri/profile/file/internal.h"
#include <inttypes.h>
#include <stdio.h>

static bool says(struct ep_fault *fault, enum ep_list_name list, uint32_t item, uint64_t at, const char *what)
{
    fault->list = list;
    fault->item = item;
    snprintf(fault->text, sizeof fault->text, "the profile has %s %" PRIx64, what, at);
    return false;
}

/* -1, 0, 1: the row's branch comes before, is, comes behind the site. */
static int place(const struct ep_row *row, const struct ep_site_facts *site)
{
    if (row->from_space != site->space)
        return row->from_space < site->space ? -1 : 1;
    return row->from < site->at ? -1 : row->from > site->at;
}

bool ep_sites_fit(const struct ep_profile *profile, struct ep_fault *fault)
{
    const struct ep_row *edges = EP_ITEMS(profile, EP_EDGES, struct ep_row);
    const struct ep_row *calls = EP_ITEMS(profile, EP_CALLS, struct ep_row);
    const struct ep_site_facts *sites = EP_ITEMS(profile, EP_SITES, struct ep_site_facts);
    const uint32_t n_edges = profile->lists[EP_EDGES].count, n_calls = profile->lists[EP_CALLS].count;
    uint32_t e = 0, c = 0;
    for (uint32_t i = 0; i < profile->lists[EP_SITES].count; i++) {
        const uint32_t e_before = e, c_before = c;
        while (e < n_edges && place(&edges[e], &sites[i]) == 0)
            e++;
        while (c < n_calls && place(&calls[c], &sites[i]) == 0)
            c++;
        if (e < n_edges && place(&edges[e], &sites[i]) < 0)
            return says(fault, EP_EDGES, e, edges[e].from, "an edge and no line B for its branch at");
        if (c < n_calls && place(&calls[c], &sites[i]) < 0)
            return says(fault, EP_CALLS, c, calls[c].from, "a call and no line B for its site at");
        if (e == e_before && c == c_before)
            return says(fault, EP_SITES, i, sites[i].at, "no edge and no call for the site at");
    }
    if (e < n_edges)
        return says(fault, EP_EDGES, e, edges[e].from, "an edge and no line B for its branch at");
    return c == n_calls || says(fault, EP_CALLS, c, calls[c].from, "a call and no line B for its site at");
}
