/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions that a profile says were executed, with what it counted; texts without duplicates. */
#ifndef ZRI_RI_PROFILE_SHOW_EXECUTED_H
#define ZRI_RI_PROFILE_SHOW_EXECUTED_H

#include "ri/profile/show/internal.h"

struct ep_instruction {
    uint64_t address;
    uint64_t runs, branches, taken; /* units: of the runs that it is in; of what completed at it as a branch */
    uint32_t space, function;       /* function: the view's, its `functions` when unknown */
    uint32_t first, end;            /* branches `first` to `end` of the view begin here */
};
struct ep_executed {
    struct ep_instruction *at; /* in the order of space and address */
    uint32_t count;
};
/* Walks the runs. -ENOENT: there is no code for one (`error` says where), -ENOMEM. */
int ep_executed_make(struct ep_executed *executed, const struct ep_view *view, const struct ep_source *source,
                     char *error, size_t size) MUST_USE;
void ep_executed_free(struct ep_executed *executed);
/* What was executed at an address; NULL: nothing. */
const struct ep_instruction *ep_executed_at(const struct ep_executed *executed, uint32_t space, uint64_t address);

/* Texts by number. */
struct ep_names {
    const char **name; /* `count` of them; not owned */
    uint32_t *slot, count, slots;
};
/* The number of a text, which is added when it is new (then *added is true, when it is asked for). The text stays its
   owner's. -ENOMEM. */
int ep_names_number(struct ep_names *names, const char *name, uint32_t *number, bool *added) MUST_USE;
void ep_names_free(struct ep_names *names);

#endif
