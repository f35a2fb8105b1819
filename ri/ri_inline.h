/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hot path of run-time instrumentation, for engines that run decoded blocks. Included by ri/ri.h.

   While ri_active() a block engine runs blocks in this form:
   - before a block: when ri_fast() is false, or ri_remaining() is not above the block's charge, let the reference
   engine carry out instructions (ri_begin ... ri_report) until the sample instruction is done;
   - in the block: ri_branch_fast() at each branch of a class, nothing else;
   - at an exit: ri_charge() with the units (mode 1) or halfwords (mode 0) of the instructions that completed.
   - before the general engine takes over (and before anything that reads or changes RI): ri_charge() first.
   The eight RI instructions, interruptible ones, SVC and whatever loads a PSW or takes an interruption go to the
   reference engine while RI is active. The result is the same as that of the general functions. */
#ifndef ZRI_RI_RI_INLINE_H
#define ZRI_RI_RI_INLINE_H

#ifndef ZRI_RI_RI_H
#error "include ri/ri.h"
#endif

#ifndef ZRI_RI
#define ZRI_RI 1
#endif

/* Where fields are: RI_AT(BRANCH, W) is how far a value is shifted left in its doubleword. */
enum ri_position {
#define FIELD(type, name, first, last, text) RI_##type##_##name##_SHIFT = 63 - (last) % 64,
#include "ri/records.def"
};
#define RI_TYPE_SHIFT   56
#define RI_ADDRESS_BITS 55
#define RI_ADDRESS_MASK ((UINT64_C(1) << RI_ADDRESS_BITS) - 1)
#define RI_TARGET_MASK  (~UINT64_C(0) >> 1)

/* First doubleword of a record about the instruction at `ia`: type, C, address (specification H.10). */
static inline uint64_t ri_record_head(enum ri_type type, uint64_t ia)
{
    return (uint64_t)type << RI_TYPE_SHIFT | (uint64_t)(ia >> RI_ADDRESS_BITS != 0) << RI_BRANCH_C_SHIFT |
           (ia & RI_ADDRESS_MASK);
}

/* PSW bit 24 is one and RI is neither halted nor stopped. */
static inline bool ri_active(const struct ri *ri) { return ZRI_RI && ri->active; }

/* Active, and nothing demands that instructions are reported singly. */
static inline bool ri_fast(const struct ri *ri) { return !ri->reference; }

/* Units (mode 1) or cycles (mode 0) up to and including the next sample instruction; all ones when nothing counts. */
static inline uint64_t ri_remaining(const struct ri *ri) { return ri->controls.rsic | ~ri->counting; }

/* Charge units or cycles, fewer than ri_remaining(). An instruction that was completed in part is not the latest one
   any more when others completed. */
static inline void ri_charge(struct ri *ri, uint64_t units)
{
    ri->controls.rsic -= units & ri->counting;
    ri->partial &= units == 0;
}

/* What decoded blocks depend on, for the key they are found by: 0 not active, else 7 bits that tell the mode, control J
   and what is collected in this state. */
static inline unsigned ri_block_key(const struct ri *ri, bool problem)
{
    return ri_active(ri) ? 1u | (unsigned)(ri->controls.m == RI_MODE_CYCLES) << 1 | (unsigned)ri->controls.j << 2 |
                               (unsigned)ri->collect[problem] >> 1 << 3
                         : 0;
}

/* A branch instruction at one place, worked out once when the block is decoded. It depends on nothing but what
   ri_block_key() tells, and belongs to one RI unit. Its flags stand apart so that the rest is 24 bytes. */
struct ri_site {
    uint64_t own;  /* address of the branch itself */
    uint64_t head; /* first doubleword of its record */
    struct ri_prediction *entry;
};
enum ri_site_flag {
    RI_SITE_COLLECTED = 1, /* its record is collected when it is taken */
    RI_SITE_ALWAYS = 2,    /* unconditional by its encoding */
    RI_SITE_RELATIVE = 4,
    RI_SITE_EMIT = 8, /* no branch: a RIEMIT, the second doubleword of its record is the target */
};

/* Predictor entry of a branch at `own`. */
static inline unsigned ri_entry(uint64_t own) { return (unsigned)(own >> 1) % RI_PREDICTOR; }

/* Values that were loaded before are loaded again behind this: cheaper than saving registers for them. */
#define RI_FEW_REGISTERS() __asm__ volatile("" ::: "memory")

/* Record number `n` of all that were ever collected; append one. */
static inline void ri_put(struct ri *ri, uint64_t n, uint64_t hi, uint64_t lo)
{
    struct ri_record *r = &ri->ring[n % RI_RING];
    r->hi = hi;
    r->lo = lo;
}
static inline void ri_append(struct ri *ri, uint64_t hi, uint64_t lo) { ri_put(ri, ri->head++, hi, lo); }

/* Does RIEMIT make a record? Only while ri_active(). */
static inline bool ri_emits(const struct ri *ri, bool problem) { return ri->emits[problem]; }

/* Records that the collection buffer can show. */
static inline uint64_t ri_shown(const struct ri *ri) { return ri->profile.cb_entries; }

/* Cycles are charged, not units. */
static inline bool ri_charges_cycles(const struct ri *ri) { return ri->controls.m == RI_MODE_CYCLES; }

/* An entry of the predictor, for an engine that keeps it with the branch that it belongs to: ri_entry() tells which. */
static inline struct ri_prediction *ri_prediction_at(struct ri *ri, unsigned entry) { return &ri->predictor[entry]; }

/* The engine has the entry as it is; entries 64 i to 64 i + 63 that were changed since, the leftmost bit for the last
   of them, are told once, after ri_any_changed(). */
static inline void ri_entry_taken(struct ri *ri, unsigned entry)
{
    ri->touched[entry / 64] &= ~(UINT64_C(1) << entry % 64);
}
static inline bool ri_any_changed(struct ri *ri)
{
    const bool any = ri->touched_any;
    ri->touched_any = false;
    return any;
}
static inline uint64_t ri_entries_changed(struct ri *ri, unsigned i)
{
    const uint64_t changed = ri->touched[i];
    ri->touched[i] = 0;
    return changed;
}

/* Were entries changed since, for all that is known here: this one? */
static inline bool ri_entry_changed(const struct ri *ri, unsigned entry)
{
    return ri->touched[entry / 64] >> entry % 64 & 1;
}

/* An engine keeps what the predictor has learned from branches that it carried out. Before anybody looks at an entry
   here it is asked for it by `keeper` (RI_PREDICTOR: for all of them), and says it by ri_settle_entry(), but for
   those that ri_entry_changed() names: what it has of these is void. */
static inline void ri_keep_elsewhere(struct ri *ri, void (*keeper)(void *context, struct ri *ri, unsigned entry),
                                     void *context)
{
    ri->keeper = keeper;
    ri->keeper_context = context;
}
/* The branch at `own` completed last of those of its entry, in that direction; `target` is its branch address. */
void ri_settle_entry(struct ri *ri, uint64_t own, bool taken, uint64_t target);

/* `n` records were collected; the caller puts those that anybody sees, and is told the number behind the last. */
static inline uint64_t ri_skip(struct ri *ri, uint64_t n) { return ri->head += n; }

/* The most of them that a group holds. */
static inline uint64_t ri_needed(const struct ri *ri) { return (2u << ri->controls.rgs) - 2; }

/* A branch completes that is no sample instruction: `target` is the branch address, also when not taken. True when the
   predictor knew it, which is the usual case: then all is done, without a jump that could go wrong. False: nothing is
   done, ri_branch_miss() has to. (Two functions, so that a handler need not save registers around a call: the call can
   be its last act.) */
static inline bool ri_branch_known(struct ri *const *place, const struct ri_site *site, const uint8_t *flags,
                                   bool taken, uint64_t target)
{
    struct ri_prediction *entry = site->entry;
    uint64_t last = entry->tag ^ site->own; /* the last direction, when it is this branch */
    if (__builtin_expect(last > 1, 0))
        return false;
    RI_FEW_REGISTERS();
    last &= entry->target == target; /* well behaved, when it is taken */
    entry->target = target;
    RI_FEW_REGISTERS();
    entry->tag = site->own | taken;
    RI_FEW_REGISTERS();
    if (taken && (*flags & RI_SITE_COLLECTED)) {
        struct ri *ri = *place;
        struct ri_record *record = &ri->ring[ri->head % RI_RING];
        RI_FEW_REGISTERS();
        ri->head++;
        record->lo = last << RI_BRANCH_W_SHIFT | (target & RI_TARGET_MASK);
        RI_FEW_REGISTERS();
        record->hi = site->head;
    }
    RI_FEW_REGISTERS();
    return true;
}
void ri_branch_miss(struct ri *ri, const struct ri_site *site, uint8_t flags, bool taken, uint64_t target);

/* The predictor learns of such a branch, for an engine that makes the record itself. True: it was taken and well
   behaved. */
bool ri_branch_learn(struct ri *ri, const struct ri_site *site, uint8_t flags, bool taken, uint64_t target);

/* Both. */
static inline void ri_branch_fast(struct ri *ri, const struct ri_site *site, uint8_t flags, bool taken, uint64_t target)
{
    if (!ri_branch_known(&ri, site, &flags, taken, target))
        ri_branch_miss(ri, site, flags, taken, target);
}

/* Type of the record of a branch. */
static inline enum ri_type ri_site_type(const struct ri *ri, enum ri_class class)
{
    if (class == RI_CLASS_BC15)
        class = ri->controls.j ? RI_CLASS_RETURN : RI_CLASS_OTHER;
    return class == RI_CLASS_CALL ? RI_TYPE_CALL : class == RI_CLASS_RETURN ? RI_TYPE_RETURN : RI_TYPE_TRANSFER;
}

/* Work out a site and its flags. `ia` as records have it (of the execute-type instruction when executed). */
static inline struct ri_site ri_site_make(struct ri *ri, enum ri_class class, uint64_t ia, uint64_t own)
{
    return (struct ri_site){own, ri_record_head(ri_site_type(ri, class), ia), &ri->predictor[ri_entry(own)]};
}
static inline uint8_t ri_site_flags(const struct ri *ri, enum ri_class class, bool always, bool relative, bool problem)
{
    return (uint8_t)((ri->collect[problem] & 1u << class ? RI_SITE_COLLECTED : 0) | (always ? RI_SITE_ALWAYS : 0) |
                     (relative ? RI_SITE_RELATIVE : 0));
}

#endif
