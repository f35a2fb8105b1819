/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facility that remembers the last taken branches of a CPU. */
#ifndef ZRI_RI_PROFILE_RING_H
#define ZRI_RI_PROFILE_RING_H

#include "ri/profile/trace.h"

struct ep_slot {
    struct ep_entry entry;
    uint64_t order;
};
struct ep_ring {
    struct ep_slot *slot, *exec; /* taken branches and gaps; EP_EXEC, which never crowds the others out */
    uint64_t made, made_exec;    /* entries ever put there */
    uint64_t order;              /* entries of both */
    uint64_t lost;               /* order behind the newest EP_EXEC that was overwritten */
    unsigned tbt;                /* taken branches that it holds */
    struct ep_place origin;      /* of the instruction before the first entry */
    uint64_t origin_epoch;       /* of the code then; 0: not known */
    bool origin_known;
};

/* Entries that ep_ring_read() gives at most. */
#define EP_RING_SLOTS(tbt) (2 * (tbt))
#define EP_RING_EXECS(tbt) (16 * (tbt))
#define EP_RING_MOST(tbt)  (EP_RING_SLOTS(tbt) + EP_RING_EXECS(tbt))

/* For `tbt` taken branches, 1 to EP_TRACE_MOST. 0 or -ENOMEM; -EINVAL. */
int ep_ring_create(struct ep_ring *ring, unsigned tbt) MUST_USE;
void ep_ring_destroy(struct ep_ring *ring);
/* It is empty; recording begins with the instruction at `origin`, of code as it was at `epoch` (0: not known). */
void ep_ring_start(struct ep_ring *ring, struct ep_place origin, uint64_t epoch);
void ep_ring_put(struct ep_ring *ring, const struct ep_entry *entry);
/* So many taken branches came that are older than all that can be read once `tbt` + 1 more are there. */
static inline void ep_ring_skip(struct ep_ring *ring, uint64_t count)
{
    ring->made += count;
    ring->order += count;
}
/* Fills `entries` (EP_RING_MOST()) with the longest series that holds at most `tbt` taken branches and has the newest
   entry last; sets what `sample` says of them. The ring stays as it is. */
void ep_ring_read(const struct ep_ring *ring, struct ep_entry *entries, struct ep_sample *sample);

#endif
