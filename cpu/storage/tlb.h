/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation contexts: a small pool for each CPU, so that a change of PSW or control registers only switches. */
#ifndef ZRI_CPU_STORAGE_TLB_H
#define ZRI_CPU_STORAGE_TLB_H

#include "cpu/storage/access.h"

#define TLB_CONTEXTS 16u

#define TLB_FOUND 64u
struct tlb_pool {
    struct tlb contexts[TLB_CONTEXTS];
    struct tlb empty;             /* of the access-register mode: every access goes the slow way */
    uint64_t clock;               /* for replacement */
    struct tlb *found[TLB_FOUND]; /* contexts that served, by what they are for; NULL, or any one */
};

/* Make / end the pool of a CPU. 0 or -ENOMEM. */
int tlb_create(struct cpu *cpu) MUST_USE;
void tlb_destroy(struct cpu *cpu);

/* Choose cpu->tlb and cpu->fetch_tlb for the PSW and control registers as they are now. */
void tlb_select(struct cpu *cpu);

/* Purge translation: everything of this CPU (SPX, reset ...) / of all CPUs. */
void cpu_tlb_purge(struct cpu *cpu);
void cpu_tlb_purge_all(struct cpu_system *sys);

/* The local-clearing control in M4 of an invalidating instruction is one, and the facility is there. */
static inline bool tlb_clears_locally(const struct cpu *cpu, unsigned m4)
{
    return (m4 & 1) && cpu_facility(cpu->sys, FACILITY_LOCAL_TLB_CLEARING);
}
/* A context as a whole is made to depend on the table entry at an absolute address. Is it known to? */
void tlb_note(struct tlb *tlb, uint64_t entry);
static inline unsigned tlb_known(uint64_t entry) { return (unsigned)(entry >> 3 ^ entry >> 12) % TLB_KNOWN; }
static inline bool tlb_depends(const struct tlb *tlb, uint64_t entry) { return tlb->known[tlb_known(entry)] == entry; }
/* Purge what this CPU has formed from the table entry at an absolute address. */
void tlb_purge_formed(struct cpu *cpu, uint64_t entry);
/* Purge what this CPU has formed by an address-space-control element with that table origin / by any. */
void tlb_purge_space(struct cpu *cpu, uint64_t asce);
void tlb_purge_spaces(struct cpu *cpu);
/* The storage key of the page at absolute address `page` was changed: purge what any CPU has for it. */
void tlb_purge_frame(struct cpu_system *sys, uint64_t page);
/* No translation context lets stores to the page at absolute address `page` through any more. */
void tlb_stop_stores(struct cpu_system *sys, uint64_t page);
static inline void tlb_watch_page(struct cpu_system *sys, uint64_t page)
{
    if (sys->storage.write_slots[page >> PAGE_BITS])
        tlb_stop_stores(sys, page);
}
/* The context of accesses with `key` in the space of `asce` by the other conditions as they are, NULL when there is
   none. It counts as no use of it. */
const struct tlb *tlb_known_space(const struct cpu *cpu, uint64_t asce, unsigned key);

/* A page comes into the group of a slot bit, which has none. */
void tlb_begin_group(struct tlb *tlb, uint64_t bit);

#endif
