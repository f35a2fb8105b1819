/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of ri/ share. */
#ifndef ZRI_RI_INTERNAL_H
#define ZRI_RI_INTERNAL_H

#include "base/bits.h"
#include "ri/ri.h"

/* Length of a group in bytes and records, by the controls. */
static inline unsigned ri_group_shift(unsigned rgs) { return rgs + 5; }
static inline uint64_t ri_group_length(unsigned rgs) { return UINT64_C(1) << ri_group_shift(rgs); }
static inline unsigned ri_group_count(unsigned rgs) { return 2u << rgs; }

/* Bits 64-127 of the record about an instruction (specification H.5); `sample` has enum ri_sample bits. */
uint64_t ri_instruction_data(const struct ri_idb *idb, unsigned sample);
/* Renew what is derived from controls and latches: active, collect, counting, reference. */
void ri_derive(struct ri *ri);
/* Empty the collection buffer and the IDB, cancel the directed sample, purge a deferred group. */
void ri_empty(struct ri *ri);
/* A predictor entry was changed; becomes empty. */
static inline void ri_touch_entry(struct ri *ri, unsigned i)
{
    ri->touched[i / 64] |= UINT64_C(1) << i % 64;
    ri->touched_any = true;
}
/* What an engine keeps of the entry, or of all (RI_PREDICTOR), is here from now on: see ri_keep_elsewhere(). */
static inline void ri_settle(const struct ri *ri, unsigned entry)
{
    if (UNLIKELY(ri->keeper != NULL)) /* the unit looks as it did to everybody */
        ri->keeper(ri->keeper_context, (struct ri *)(uintptr_t)ri, entry);
}
void ri_forget_entry(struct ri *ri, unsigned i);
/* Empty the predictor and the cache model. */
void ri_forget(struct ri *ri);

#endif
