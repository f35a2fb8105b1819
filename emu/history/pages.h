/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a machine's storage held at a moment, and what undoes all that was stored since another one. */
#ifndef ZRI_EMU_HISTORY_PAGES_H
#define ZRI_EMU_HISTORY_PAGES_H

#include "emu/state/machine.h"

/* What storage, keys and states of pages were at one moment, where they are not what they are at the next one: pieces
   in ascending order of pages, see emu/history/pages.c. */
struct pages_undo {
    uint8_t *bytes; /* of malloc() */
    size_t length, room;
};
void pages_undo_free(struct pages_undo *undo);

struct pages;

/* Begin: the machine's storage as it is now is kept. NULL: the host has no memory. The marks of changed pages in the
   machine's storage belong to this until pages_end(). */
struct pages *pages_begin(struct machine *machine) MUST_USE;
void pages_end(struct pages *pages); /* NULL is taken; after that the machine may be another one */

/* What is kept becomes what storage has now; `undo`, empty before, what brings it back. False: the host has no memory
   for that; then nothing is undone by it, and the past is lost. */
bool pages_keep(struct pages *pages, struct pages_undo *undo) MUST_USE;
/* Was something changed since? */
bool pages_changed(const struct pages *pages) MUST_USE;
/* Storage becomes what is kept. */
void pages_return(struct pages *pages);
/* Storage, which is as kept, and what is kept become what they were. */
void pages_undo(struct pages *pages, const struct pages_undo *undo);
/* What undoes first `last` and then `first` at once, into `first`; `last` is freed. False: no memory, both are as they
   were. */
bool pages_undo_join(struct pages_undo *first, struct pages_undo *last) MUST_USE;

#endif
