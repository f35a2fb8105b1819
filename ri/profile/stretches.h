/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks that come again. From where a taken branch went to the next branch that was recorded the code is straight: what
   a walk finds there is kept, as long as the code does not change, of at most EP_STRETCHES stretches with
   EP_STRETCH_STEPS branches, which is EP_STRETCH_BYTES at most. */
#ifndef ZRI_RI_PROFILE_STRETCHES_H
#define ZRI_RI_PROFILE_STRETCHES_H

#include "ri/profile/walk.h"

#define EP_STRETCHES     16384u
#define EP_STRETCH_STEPS 65536u
#define EP_STRETCH_PAGES 16u /* longer ones are walked each time */
#define EP_STRETCH_BYTES                                                                                               \
    (EP_STRETCHES * (sizeof(struct ep_stretch) + 4) + EP_STRETCH_STEPS * (sizeof(struct ep_step) + 8))

struct ep_stretch {
    uint64_t at, from, to;   /* where it begins, and its last branch */
    uint64_t changed, other; /* epochs of the page that it begins in, and the latest of those behind it */
    uint64_t units;          /* the user's */
    uint32_t space;
    uint32_t first;  /* of its steps */
    uint16_t count;  /* 0: this one has to be walked each time */
    uint16_t before; /* the one that led to where it begins the last time, plus one; 0: none did */
    uint8_t mode;
    bool taken;
};

struct ep_stretches;
/* NULL: no memory. */
struct ep_stretches *ep_stretches_create(void);
void ep_stretches_destroy(struct ep_stretches *stretches);
/* A sample begins: code may have changed since the latest one. Before the first one, too. */
void ep_stretches_look(struct ep_stretches *stretches);
/* The stretch from `at`, of code as it was at `epoch`, to the branch of an entry, taken or (EP_EXEC) not; `later` is
   the one that follows it in the sample, or NULL. It stays where it is until ep_stretches_clear(). NULL: it has to be
   walked. */
struct ep_stretch *ep_stretches_find(struct ep_stretches *stretches, struct ep_walker *walker,
                                     const struct ep_code *code, struct ep_place at, uint64_t epoch,
                                     const struct ep_entry *branch, struct ep_stretch *later);
/* Its branches, `count` of them; until the next call of ep_stretches_find(). */
const struct ep_step *ep_stretch_steps(const struct ep_stretches *stretches, const struct ep_stretch *stretch);
/* For each of its branches the user's units of them from that one on, with no run in front of that one. */
uint64_t *ep_stretch_parts(const struct ep_stretches *stretches, const struct ep_stretch *stretch);
/* No more can be kept: to be cleared when the units were looked at. */
bool ep_stretches_full(const struct ep_stretches *stretches);
void ep_stretches_clear(struct ep_stretches *stretches);
/* All that are kept, also of code that has changed: from *n = 0 on, NULL at the end. */
struct ep_stretch *ep_stretches_next(struct ep_stretches *stretches, size_t *n);

#endif
