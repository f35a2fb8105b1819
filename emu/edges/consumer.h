/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of samples of edge profiles: they are walked and collected, and go into a log. In the thread of the CPU
   that took them, or in one of its own; what comes out is the same. */
#ifndef ZRI_EMU_EDGES_CONSUMER_H
#define ZRI_EMU_EDGES_CONSUMER_H

#include "emu/edges/code.h"
#include "emu/edges/modules.h"
#include "ri/profile/log.h"
#include <stdio.h>

struct edge_consumer;

struct edge_consumer_plan {
    struct ep_parameters parameters;
    struct ep_rules rules;
    const char *program; /* its name; kept */
    const char *filter;  /* in words; kept */
    const struct edge_modules *modules;
    struct cpu_edges_system *machine;
    bool threaded, drop; /* a thread of its own; samples are dropped when that does not keep up */
};

/* NULL: no host memory, or no thread. */
struct edge_consumer *edge_consumer_create(const struct edge_consumer_plan *plan);
void edge_consumer_destroy(struct edge_consumer *consumer);

/* The functions from here to edge_consumer_sample() come from CPUs, one at a time. Spaces in the order of their
   numbers. */
void edge_consumer_space(struct edge_consumer *consumer, const struct edge_space *space);
/* One more module, in the space that it names. */
void edge_consumer_module(struct edge_consumer *consumer, const struct ep_module *module);
void edge_consumer_target(struct edge_consumer *consumer, uint16_t cpu, struct ep_place at,
                          const struct ep_target *target);
void edge_consumer_sample(struct edge_consumer *consumer, struct cpu *cpu, const struct ep_sample *sample);
/* Instead of a sample, the names of its branches. False: they are not enough, and nothing was done. */
bool edge_consumer_marked(struct edge_consumer *consumer, const struct ep_marked *marked);
/* All that came has been worked on. */
void edge_consumer_drain(struct edge_consumer *consumer);

/* From now on everything goes into a log as well, which is the caller's to close; NULL: it ends, `events` are those of
   each CPU. What was written before is without gaps. Returns 0 or a negative errno of all writing. Drained. */
int edge_consumer_log(struct edge_consumer *consumer, FILE *file, const uint64_t *events, unsigned cpus) MUST_USE;

/* The profile so far, a copy that is the caller's, with its headers. 0 or a negative errno. Drained. */
int edge_consumer_profile(struct edge_consumer *consumer, uint64_t events, bool partial,
                          struct ep_profile **copy) MUST_USE;
struct edge_consumer_counts {
    uint64_t triggered, accepted, dropped[EP_DROPS], queue;
};
struct edge_consumer_counts edge_consumer_counts(struct edge_consumer *consumer);
/* The first thing that went wrong on the host, a negative errno; 0: nothing. */
int edge_consumer_bad(struct edge_consumer *consumer);

#endif
