/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The edge collector: adds what is left of samples to a profile. */
#ifndef ZRI_RI_PROFILE_COLLECT_H
#define ZRI_RI_PROFILE_COLLECT_H

#include "ri/profile/file/profile.h"
#include "ri/profile/marks.h"
#include "ri/profile/unit.h"
#include "ri/profile/walk.h"

struct ep_leg;

struct ep_collector {
    struct ep_profile *profile;
    uint32_t *space; /* number in the profile of each space of the samples */
    uint32_t spaces;
    bool calls; /* only calls are collected: no runs */
    bool weighs;
    struct ep_leg *leg; /* `legs` slots, a power of two: units that the profile has not got yet */
    size_t legs, used;
    struct ep_stretches *stretches; /* likewise, of whole stretches; NULL: none are kept */
    struct ep_marks marks;          /* likewise, of those by name */
    uint64_t triggered, accepted, dropped[EP_DROPS], assumed;
};

/* Collects into a profile, which stays the caller's. */
void ep_collector_begin(struct ep_collector *collector, struct ep_profile *profile, const struct ep_rules *rules);
/* Frees what it needed. */
void ep_collector_end(struct ep_collector *collector);
/* Spaces are told in the order of their numbers in samples, 0 first. -ENOMEM and those of ep_profile_space(). */
int ep_collector_space(struct ep_collector *collector, const struct ep_space *space) MUST_USE;

/* One sample: the trace that ep_walk() made of it, or why there is none. -EINVAL: a space that was not told; those of
   ep_profile_add(). */
int ep_collect(struct ep_collector *collector, const struct ep_sample *sample, const struct ep_code *code,
               enum ep_drop drop, const struct ep_path *path) MUST_USE;
/* A sample that is not walked yet: the two together, which takes less time when it goes where samples have been. Both
   have the same code. Errors as above. */
int ep_collect_sample(struct ep_collector *collector, struct ep_walker *walker, const struct ep_sample *sample,
                      const struct ep_code *code) MUST_USE;
/* The same for one whose branches have names, when all that counts of it is known by them; false: it is not, nothing
   was done. */
bool ep_collect_marked(struct ep_collector *collector, struct ep_walker *walker, const struct ep_marked *marked);
/* Every completed branch is collected, without samples: one at the end of the run of instructions that began at
   `first`; a gap behind such a run; a run up to the instruction at `last`, which nothing has ended. Errors as above. */
int ep_collect_branch(struct ep_collector *collector, uint16_t cpu, const struct ep_code *code, struct ep_place first,
                      const struct ep_step *branch) MUST_USE;
int ep_collect_gap(struct ep_collector *collector, struct ep_place first, const struct ep_step *gap) MUST_USE;
int ep_collect_cut(struct ep_collector *collector, struct ep_place first, uint64_t last) MUST_USE;
/* What was kept back goes into the profile: before that is looked at. Errors as above. */
int ep_collector_settle(struct ep_collector *collector) MUST_USE;
/* Headers and diagnostics of what was collected go into the profile; once, before it is written for good. `events` is
   the number of events in all; `program` a name. */
int ep_collector_tell(struct ep_collector *collector, const struct ep_parameters *parameters,
                      const struct ep_rules *rules, uint64_t events, const char *program) MUST_USE;

/* The key of an instruction's row: opcode in hexadecimal, x for a register in it ("a7x4", "ec7e", "07"). */
void ep_opcode(const struct dis_insn *insn, char key[EP_OPCODE]);

#endif
