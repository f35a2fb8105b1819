/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stretches that are found by names: whoever executes code may give each branch that was taken, or was the trigger and
   not taken, a name that stands for it as long as its code and its place do. A stretch that was found once by its
   addresses counts under such a name, at most EP_MARKS of them; which is EP_MARKS_BYTES at most. */
#ifndef ZRI_RI_PROFILE_MARKS_H
#define ZRI_RI_PROFILE_MARKS_H

#include "ri/profile/stretches.h"

#define EP_MARKS       4096u
#define EP_COMMON      8u /* programs that take turns */
#define EP_MARKS_BYTES (EP_MARKS * sizeof(struct ep_known))

/* What branches of a sample have in common. */
struct ep_common {
    uint64_t epoch;
    uint32_t space, names;
    uint32_t number; /* another one has another, for good; 0: none is here */
    uint8_t mode;
};
struct ep_known {       /* a line of the host's cache */
    const void *branch; /* NULL: none */
    uint64_t at, to;
    uint64_t units; /* that its stretch has not got yet */
    struct ep_stretch *stretch;
    uint32_t common;  /* its number */
    uint16_t count;   /* branches of the stretch */
    uint64_t context; /* of a stretch in several pages; 0: it is in one, which is known by the branch's name */
    uint64_t unused;
};
_Static_assert(sizeof(struct ep_known) == 64, "one look takes one line");

struct ep_marks {
    struct ep_known *known;             /* EP_MARKS */
    struct ep_common common[EP_COMMON]; /* the latest ones */
    uint32_t commons;                   /* that there were */
};

/* The first of two places of one like that, the other one is beside it. */
static inline unsigned ep_marks_place(const struct ep_mark *m)
{
    const uint64_t all = (uintptr_t)m->branch ^ m->at << 23 ^ m->to << 40;
    return (unsigned)(all * UINT64_C(0x9e3779b97f4a7c15) >> 52) % EP_MARKS;
}

/* Is `k` this one, with such branches? */
static inline bool ep_marks_is(const struct ep_known *k, const struct ep_mark *m, uint32_t common, uint64_t context)
{
    return k->branch == m->branch && k->at == m->at && k->to == m->to && k->common == common &&
           (!k->context || k->context == context);
}

/* NULL: it is not known. */
static inline struct ep_known *ep_marks_find(const struct ep_marks *marks, const struct ep_mark *m, uint32_t common,
                                             uint64_t context)
{
    const unsigned place = ep_marks_place(m);
    if (ep_marks_is(&marks->known[place], m, common, context))
        return &marks->known[place];
    return ep_marks_is(&marks->known[place ^ 1], m, common, context) ? &marks->known[place ^ 1] : NULL;
}

/* The number of what these have in common. */
uint32_t ep_marks_common(struct ep_marks *marks, const struct ep_marked *all);
/* The stretch that a mark stands for. */
void ep_marks_put(struct ep_marks *marks, const struct ep_mark *mark, uint32_t common, uint64_t context,
                  struct ep_stretch *stretch);
/* All units go to their stretches. */
void ep_marks_settle(struct ep_marks *marks);
/* Nothing is known any more: after that, when stretches are cleared. */
void ep_marks_clear(struct ep_marks *marks);

#endif
