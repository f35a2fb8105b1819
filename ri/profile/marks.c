/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ri/profile/marks.h"

#include <stdlib.h>
#include <string.h>

static void settle(struct ep_known *k)
{
    if (k->units)
        k->stretch->units += k->units;
    k->units = 0;
}

void ep_marks_put(struct ep_marks *marks, const struct ep_mark *mark, const struct ep_marked *all,
                  struct ep_stretch *stretch)
{
    const uint64_t end = stretch->from + 5; /* no instruction ends behind that */
    if (stretch->at / EP_PAGE != end / EP_PAGE)
        return;
    if (!marks->known) {
        if (!(marks->known = aligned_alloc(sizeof *marks->known, EP_MARKS_BYTES)))
            return;
        ep_marks_clear(marks);
    }
    struct ep_known *k = ep_marks_place(marks, mark);
    settle(k);
    *k = (struct ep_known){.branch = mark->branch,
                           .at = mark->at,
                           .to = mark->to,
                           .epoch = all->epoch,
                           .stretch = stretch,
                           .space = all->place.space,
                           .names = all->names,
                           .count = stretch->count,
                           .mode = all->place.mode};
}

void ep_marks_settle(struct ep_marks *marks)
{
    for (unsigned i = 0; marks->known && i < EP_MARKS; i++)
        settle(&marks->known[i]);
}

void ep_marks_clear(struct ep_marks *marks)
{
    if (marks->known)
        memset(marks->known, 0, EP_MARKS * sizeof *marks->known);
}
