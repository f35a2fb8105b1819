/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/show/cfg.h"
#include "ri/profile/show/diff.h"
#include <math.h>

/* The blocks are those of both profiles, so they are the same. */
static double overlap_of(const struct ep_cfg cfg[2])
{
    double all[2] = {0, 0}, common = 0;
    for (uint32_t i = 0; i < cfg[0].blocks; i++) {
        all[0] += (double)cfg[0].block[i].units;
        all[1] += (double)cfg[1].block[i].units;
    }
    for (uint32_t i = 0; i < cfg[0].blocks; i++)
        common += fmin(all[0] > 0 ? (double)cfg[0].block[i].units / all[0] : 0,
                       all[1] > 0 ? (double)cfg[1].block[i].units / all[1] : 0);
    return common;
}

int ep_diff_blocks(struct ep_diff *diff, const struct ep_show *show)
{
    struct ep_cfg cfg[2];
    char none[1];
    for (unsigned i = 0; i < 2; i++)
        if (!show->source || ep_source_complete(show->source, diff->view[i].profile, none, 0))
            return 0;
    int bad = ep_cfg_make(&cfg[0], &diff->view[0], &diff->view[1], show->source, show->error, show->error_size);
    if (bad)
        return bad;
    bad = ep_cfg_make(&cfg[1], &diff->view[1], &diff->view[0], show->source, show->error, show->error_size);
    if (!bad && cfg[0].blocks == cfg[1].blocks && diff->view[0].total) {
        diff->metric[EP_M_BLOCK] = overlap_of(cfg);
        diff->defined[EP_M_BLOCK] = true;
    }
    ep_cfg_free(&cfg[0]);
    if (!bad)
        ep_cfg_free(&cfg[1]);
    return bad;
}
