/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the execute-type instructions of a CPU have executed. */
#ifndef ZRI_RI_PROFILE_EXECUTES_H
#define ZRI_RI_PROFILE_EXECUTES_H

#include "disasm/dis.h"
#include "ri/profile/walk.h"

struct ep_execute {
    struct ep_place at;
    unsigned count; /* of targets; 0: the slot is free */
    struct ep_target target[EP_TARGETS_MOST];
};
struct ep_executes {
    struct ep_execute *slot; /* `size` of them, a power of two; NULL: none yet */
    size_t size, used;
    const struct ep_target *added; /* by the latest ep_executes_executed(); NULL: it was known */
};

/* The instruction `target` is executed by the one at `at`; `event` is the number of the event that this is, or of the
   next one. True: from now on, and this time, the site has to be told of, as the code alone does not say what its
   targets were: an EP_EXEC entry when it is no branch that is taken. A class beyond the room for targets, or for which
   there is no memory, counts as told of. */
bool ep_executes_executed(struct ep_executes *sites, struct ep_place at, const struct dis_insn *target, uint64_t event);
/* The targets of a site so far; the first of each class and row. */
unsigned ep_executes_targets(const struct ep_executes *sites, struct ep_place at, const struct ep_target **target);
void ep_executes_destroy(struct ep_executes *sites);

/* A class that completes as a branch. */
static inline bool ep_edge_branches(enum dis_edge class)
{
    return class == DIS_EDGE_COND || class == DIS_EDGE_UNCOND || class == DIS_EDGE_CALL || class == DIS_EDGE_RET;
}
/* What a taken branch of such a class is in a trace. */
static inline enum ep_kind ep_kind_of(enum dis_edge class)
{
    return class == DIS_EDGE_CALL ? EP_CALL : class == DIS_EDGE_RET ? EP_RETURN : EP_TRANSFER;
}

#endif
