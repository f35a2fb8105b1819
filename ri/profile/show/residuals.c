/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What does not add up at blocks: all of it in a sampled profile, the beginning and the end of the run in an exact one.
 */
#include "ri/profile/show/cfg.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct residuals {
    struct ep_cfg cfg;
    uint32_t *order; /* blocks, the largest residual first */
};

static uint64_t size_of(const struct ep_block *b) { return b->in > b->out ? b->in - b->out : b->out - b->in; }

/* *there: the code of all modules is known. Otherwise nothing is made. */
static int begin(struct residuals *r, const struct ep_view *view, const struct ep_show *show, bool *there)
{
    char none[1];
    *r = (struct residuals){.order = NULL};
    *there = show->source && !ep_source_complete(show->source, view->profile, none, 0);
    if (!*there)
        return 0;
    const int bad = ep_cfg_make(&r->cfg, view, NULL, show->source, show->error, show->error_size);
    if (bad)
        return bad;
    uint64_t *sizes = calloc(r->cfg.blocks + 1u, sizeof *sizes);
    for (uint32_t i = 0; sizes && i < r->cfg.blocks; i++)
        sizes[i] = size_of(&r->cfg.block[i]);
    r->order = sizes ? ep_by_size(sizes, r->cfg.blocks) : NULL;
    free(sizes);
    if (r->order)
        return 0;
    ep_cfg_free(&r->cfg);
    return -ENOMEM;
}

static void end(struct residuals *r)
{
    free(r->order);
    ep_cfg_free(&r->cfg);
}

int ep_residuals_text(const struct ep_view *view, const struct ep_show *show)
{
    const struct ep_writer *w = show->writer;
    struct residuals r;
    bool there;
    const int bad = begin(&r, view, show, &there);
    uint32_t sound = 0;
    if (bad || !there)
        return bad;
    for (uint32_t i = 0; i < r.cfg.blocks; i++)
        sound += r.cfg.block[i].in == r.cfg.block[i].out;
    ep_print(w, "\nResiduals of blocks (0 at %" PRIu32 " of %" PRIu32 ")\n", sound, r.cfg.blocks);
    if (sound < r.cfg.blocks)
        ep_put(w, "    residual         inflow      outflow   space and address   function\n");
    for (uint32_t i = 0; i < r.cfg.blocks && i < show->top; i++) {
        const struct ep_block *b = &r.cfg.block[r.order[i]];
        if (b->in == b->out)
            break;
        ep_print(w, "%c%11" PRIu64 "   %12" PRIu64 " %12" PRIu64 "   %" PRIu32 " %" PRIx64 "  ",
                 b->in < b->out ? '-' : ' ', ep_rounded(size_of(b), view->unit), ep_rounded(b->in, view->unit),
                 ep_rounded(b->out, view->unit), b->space, b->start);
        ep_put(w, ep_view_name(view, b->function));
        ep_put(w, "\n");
    }
    end(&r);
    return 0;
}

int ep_residuals_json(const struct ep_view *view, struct ep_json *list, const struct ep_show *show)
{
    struct residuals r;
    bool there;
    const int bad = begin(&r, view, show, &there);
    if (bad || !there)
        return bad;
    struct ep_json array = ep_json_begin(list, "residuals", "[");
    for (uint32_t i = 0; i < r.cfg.blocks; i++) {
        const struct ep_block *b = &r.cfg.block[r.order[i]];
        if (!b->in && !b->out)
            continue;
        struct ep_json object = ep_json_begin(&array, NULL, "{");
        ep_json_name(&object, "function", b->function < view->functions ? view->function[b->function].name : NULL);
        ep_json_address(&object, "block", b->start);
        ep_json_number(&object, "inflow", b->in);
        ep_json_number(&object, "outflow", b->out);
        ep_json_key(&object, "residual");
        ep_print(show->writer, "%s%" PRIu64, b->in < b->out ? "-" : "", size_of(b));
        ep_json_end(&object, "}");
    }
    ep_json_end(&array, "]");
    end(&r);
    return 0;
}
