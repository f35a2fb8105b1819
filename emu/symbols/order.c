/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of the names in a file those of functions. */
#include "emu/symbols/internal.h"
#include <stdlib.h>
#include <string.h>

/* By address; of several names at one address the one to be kept is first: one with a size,
   then by rank, then the one with fewer underscores in front, the shorter one, the one that sorts first. */
static int compare(const void *left, const void *right)
{
    const struct symbols_function *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->open != b->open)
        return a->open ? 1 : -1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    const size_t under_a = strspn(a->name, "_"), under_b = strspn(b->name, "_");
    if (under_a != under_b)
        return under_a < under_b ? -1 : 1;
    const size_t length_a = strlen(a->name), length_b = strlen(b->name);
    if (length_a != length_b)
        return length_a < length_b ? -1 : 1;
    const int order = strcmp(a->name, b->name);
    return order ? order : a->end < b->end ? -1 : a->end > b->end;
}

void symbols_order(struct symbols_file *file)
{
    struct symbols_function *all = file->function;
    uint64_t reach = 0; /* of functions with a size */
    size_t kept = 0;
    if (file->functions)
        qsort(all, file->functions, sizeof *all, compare);
    for (size_t i = 0; i < file->functions; i++) {
        if ((kept && all[kept - 1].start == all[i].start) || (all[i].label && all[i].start < reach))
            continue;
        if (!all[i].open && !all[i].label && all[i].end > reach)
            reach = all[i].end;
        all[kept++] = all[i];
    }
    for (size_t i = 0; i + 1 < kept; i++)
        if (all[i].open && all[i + 1].start < all[i].end)
            all[i].end = all[i + 1].start;
    file->functions = kept;
}
