/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two profiles side by side, and how near one is to the other. */
#ifndef ZRI_RI_PROFILE_SHOW_DIFF_H
#define ZRI_RI_PROFILE_SHOW_DIFF_H

#include "ri/profile/show/internal.h"

/* An edge (or call) of either: its shares p in the reference and q in the profile. */
struct ep_pair {
    const struct ep_row *row;
    const struct ep_site_facts *site;
    double p, q;
};

/* A function of either. */
struct ep_pair_function {
    const struct ep_function *function;
    double p, q;
};

enum ep_metric {
#define METRIC(ID, key) EP_M_##ID,
#include "ri/profile/show/metrics.def"
#undef METRIC
    EP_METRICS
};

struct ep_diff {
    struct ep_view view[2];
    struct ep_pair *pair; /* by space, address, outcome, destination; edges before calls */
    struct ep_pair_function *function;
    uint32_t pairs, functions;
    double metric[EP_METRICS]; /* may be infinite */
    bool defined[EP_METRICS];
};

int ep_diff_make(struct ep_diff *diff, struct ep_profile *const aligned[2], const struct ep_show *show) MUST_USE;
void ep_diff_free(struct ep_diff *diff);
const char *ep_metric_key(enum ep_metric metric);
/* Makes the metrics of the pairs. -ENOMEM. */
int ep_diff_measure(struct ep_diff *diff) MUST_USE;
/* Makes that of blocks, when the code is known. -ENOENT: it is another one; -ENOMEM. */
int ep_diff_blocks(struct ep_diff *diff, const struct ep_show *show) MUST_USE;

#endif
