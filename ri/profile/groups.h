/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge profiles from the reporting groups of run-time instrumentation, as they are stored or from an RI log. The taken
   branches in a group are a trace, its sample instruction is the trigger; intervals count instructions. With the
   controls C, R and B a profile of edges is made, with C alone one of calls, which is not uniform. */
#ifndef ZRI_RI_PROFILE_GROUPS_H
#define ZRI_RI_PROFILE_GROUPS_H

#include "ri/log.h"
#include "ri/profile/build.h"

struct ep_groups_options {
    unsigned cbt;        /* 0: as many branches as a group of the first one's size has room for, less one */
    unsigned weigh;      /* enum ep_norm */
    uint64_t walk_limit; /* 0: EP_WALK_LIMIT */
    const char *program; /* a name */
    /* Told of each space before the first sample that is in it: its number in samples, from 0, and in the profile, for
       modules to be added there. Other than 0 ends everything. NULL: not asked for. */
    int (*space)(void *context, uint32_t number, uint32_t id, const struct ep_space *space);
    void *context;
};

struct ep_groups;

/* Collects into a profile that is empty and stays the caller's. `cb_entries`: records in the collection buffer. `code`
   as for a walker, without targets. NULL: no memory. */
struct ep_groups *ep_groups_begin(struct ep_profile *profile, const struct ep_code *code,
                                  const struct ep_groups_options *options, unsigned cb_entries);
void ep_groups_end(struct ep_groups *groups);
/* A group with its records. `controls` are those under which it was stored. -EPERM: no profile can be made of such
   groups, `error` names the control and what to do; -EINVAL: it is no group; -ENOMEM and what options->space returned.
   Groups by direction alone (RINEXT) are left out. */
int ep_groups_add(struct ep_groups *groups, const struct ri_log_group *group, const struct ri_controls *controls,
                  const uint8_t *records, char *error, size_t size) MUST_USE;
/* Headers and diagnostics, once, behind the last group. */
int ep_groups_tell(struct ep_groups *groups, struct ep_built *built) MUST_USE;

/* The profile of a whole RI log, the first bytes of which are "zriRIlog". images->module is not called. Errors as
   above, and what the input returned. A log that ends within an entry is used as far as it goes, which built->truncated
   says. */
int ep_groups_build(const struct ep_input *input, const struct ep_images *images,
                    const struct ep_groups_options *options, struct ep_profile *profile, struct ep_built *built,
                    char *error, size_t size) MUST_USE;

#endif
