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

uint32_t ep_marks_common(struct ep_marks *marks, const struct ep_marked *all)
{
    for (unsigned i = 0; i < EP_COMMON; i++) { /* the latest first */
        const struct ep_common *c = &marks->common[(marks->commons - i) % EP_COMMON];
        if (c->epoch == all->epoch && c->names == all->names && c->space == all->place.space &&
            c->mode == all->place.mode && c->number)
            return c->number;
    }
    if (!++marks->commons) { /* numbers begin anew */
        ep_marks_settle(marks);
        ep_marks_clear(marks);
        marks->commons = 1;
    }
    marks->common[marks->commons % EP_COMMON] =
        (struct ep_common){all->epoch, all->place.space, all->names, marks->commons, all->place.mode};
    return marks->commons;
}

void ep_marks_put(struct ep_marks *marks, const struct ep_mark *mark, uint32_t common, uint64_t context,
                  struct ep_stretch *stretch)
{
    const uint64_t end = stretch->from + 5; /* no instruction ends behind that */
    if (stretch->at / EP_PAGE == end / EP_PAGE)
        context = 0;
    if (!marks->known) {
        if (!(marks->known = aligned_alloc(sizeof *marks->known, EP_MARKS_BYTES)))
            return;
        memset(marks->known, 0, EP_MARKS_BYTES);
    }
    const unsigned place = ep_marks_place(mark);
    struct ep_known *k = ep_marks_find(marks, mark, common, context);
    if (!k) { /* the one before goes beside it */
        k = &marks->known[place];
        settle(&marks->known[place ^ 1]);
        marks->known[place ^ 1] = *k;
        k->units = 0;
    }
    settle(k);
    *k = (struct ep_known){.branch = mark->branch,
                           .at = mark->at,
                           .to = mark->to,
                           .stretch = stretch,
                           .common = common,
                           .context = context,
                           .count = stretch->count};
}

void ep_marks_settle(struct ep_marks *marks)
{
    for (unsigned i = 0; marks->known && i < EP_MARKS; i++)
        settle(&marks->known[i]);
}

void ep_marks_clear(struct ep_marks *marks)
{
    if (marks->known)
        memset(marks->known, 0, EP_MARKS_BYTES);
    memset(marks->common, 0, sizeof marks->common);
}
