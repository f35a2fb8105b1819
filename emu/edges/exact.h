/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact edge profile: every completed branch of the target program is counted, and every run of instructions. */
#ifndef ZRI_EMU_EDGES_EXACT_H
#define ZRI_EMU_EDGES_EXACT_H

#include "emu/edges/code.h"
#include "emu/edges/modules.h"

struct edge_exact;

/* `modules` and `program` stay the caller's. NULL: no host memory. */
struct edge_exact *edge_exact_create(struct cpu_edges_system *machine, const struct edge_modules *modules,
                                     const char *program);
void edge_exact_destroy(struct edge_exact *exact);

/* From CPUs, one at a time. Spaces in the order of their numbers. */
void edge_exact_space(struct edge_exact *exact, const struct edge_space *space);
void edge_exact_module(struct edge_exact *exact, const struct ep_module *module);
void edge_exact_branch(struct edge_exact *exact, struct cpu *cpu, const struct ep_branch *branch);
void edge_exact_gap(struct edge_exact *exact, struct cpu *cpu, const struct ep_entry *gap);

/* The profile so far, with its headers, the caller's. 0 or a negative errno. */
int edge_exact_profile(struct edge_exact *exact, struct cpu_system *sys, bool partial,
                       struct ep_profile **copy) MUST_USE;

#endif
