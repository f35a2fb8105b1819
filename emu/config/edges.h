/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is profiled, and how, as the operator writes it: KEY=VALUE. */
#ifndef ZRI_EMU_CONFIG_EDGES_H
#define ZRI_EMU_CONFIG_EDGES_H

#include "ri/profile/collect.h"
#include <stdio.h>

#define EMU_EDGES_RANGES 16u

/* What was asked for. */
struct emu_edges {
    unsigned event, short_is, norm; /* enum ep_event, ep_short, ep_norm */
    uint64_t base, delta, seed, walk_limit;
    unsigned tbt, cbt;
    bool has_base, has_delta, has_cbt, has_norm; /* else what goes with the others */
    bool append_nt;
    bool problem, supervisor;
    char program[64];    /* the problem state of this one alone; "": of any */
    bool threaded, drop; /* samples are worked on in a host thread; they are dropped when that does not keep up */
    struct ep_range range[EMU_EDGES_RANGES];
    unsigned ranges;
};

void emu_edges_reset(struct emu_edges *edges);
/* One "KEY=VALUE". -EINVAL with a sentence. */
int emu_edges_key(struct emu_edges *edges, const char *text, char *error, size_t size) MUST_USE;
/* What all of them mean together; the filter's ranges are those of `edges`. -EINVAL with a sentence that names the
   parameter. */
int emu_edges_settle(const struct emu_edges *edges, struct ep_parameters *parameters, struct ep_rules *rules,
                     char *error, size_t size) MUST_USE;
/* A sentence of warning, or NULL. */
const char *emu_edges_doubt(const struct ep_parameters *parameters);
/* The keys and what each is now: calls `line` for each. */
void emu_edges_show(const struct emu_edges *edges, void (*line)(void *context, const char *key, const char *value),
                    void *context);
/* The filter in words, as a log carries it. */
void emu_edges_filter(const struct emu_edges *edges, char *text, size_t size);

#endif
