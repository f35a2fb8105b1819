/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stretches that are found by names: whoever executes code may give each branch that was taken, or was the trigger and
   not taken, a name that stands for it as long as its code and its place do. A stretch that was found once by its
   addresses counts under such a name, at most EP_MARKS of them; which is EP_MARKS_BYTES at most. */
#ifndef ZRI_RI_PROFILE_MARKS_H
#define ZRI_RI_PROFILE_MARKS_H

#include "ri/profile/stretches.h"

#define EP_MARKS       4096u
#define EP_MARKS_BYTES (EP_MARKS * sizeof(struct ep_known))

struct ep_known { /* a line of the host's cache */
    const void *branch; /* NULL: none */
    uint64_t at, to, epoch;
    uint64_t units; /* that its stretch has not got yet */
    struct ep_stretch *stretch;
    uint32_t space, names;
    uint16_t count; /* branches of the stretch */
    uint8_t mode;
};

_Static_assert(sizeof(struct ep_known) == 64, "one look takes one line");

struct ep_marks {
    struct ep_known *known; /* EP_MARKS */
};

/* The place of one like that. */
static inline struct ep_known *ep_marks_place(const struct ep_marks *marks, const struct ep_mark *m)
{
    const uint64_t hash = ((uint64_t)(uintptr_t)m->branch ^ m->to << 20) * UINT64_C(0x9e3779b97f4a7c15) ^
                          m->at * UINT64_C(0xd1b54a32d192ed03);
    return &marks->known[(hash >> 44) % EP_MARKS];
}

/* Is `k` this one, with the code as it is now? */
static inline bool ep_marks_is(const struct ep_known *k, const struct ep_mark *m, const struct ep_marked *all)
{
    return k->branch == m->branch && k->at == m->at && k->to == m->to && k->epoch == all->epoch &&
           k->names == all->names && k->space == all->place.space && k->mode == all->place.mode;
}

/* The stretch that a mark stands for. Those that lie in one page are kept: by the branch's name its page of storage is
   known, too. */
void ep_marks_put(struct ep_marks *marks, const struct ep_mark *mark, const struct ep_marked *all,
                  struct ep_stretch *stretch);
/* All units go to their stretches. */
void ep_marks_settle(struct ep_marks *marks);
/* Nothing is known any more: after that, when stretches are cleared. */
void ep_marks_clear(struct ep_marks *marks);

#endif
