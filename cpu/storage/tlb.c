/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation contexts. A context holds pages translated under one set of conditions; loading a PSW or a control
   register picks the context for the new conditions and clears nothing. PoP chapter 3, "Translation-Lookaside Buffer".
   When pages come in, and which ones make room, depends on the engine, but no guest can tell: a context says nothing
   that storage keys, registers and, unless CPUs run in threads, the tables (cpu/storage/tables.h) do not say now. */
#include "cpu/storage/tlb.h"
#include "cpu/state/per.h"
#include "cpu/storage/dat.h"
#include "cpu/storage/main.h"
#include <errno.h>
#include <sys/mman.h>

#define MODE_DAT     0x100u
#define MODE_PER     0x200u /* PER storage alteration may be recognized: stores are looked at singly */
#define PAGE_INDEXES 256u   /* entries of a page table */
#define MODE_NONE    0xffffffffu
#define GROUP        (TLB_ENTRIES / 64) /* slots of one bit in storage.slots */

/* Groups where an entry that was never used would be found by its tag, which is zero: by what is in the first page, and
   by what begins in the last one and ends in the first. So these are cleared from the beginning. */
#define ZEROS_FOUND (UINT64_C(1) << 63 | 1)

static bool serves(const struct cpu *cpu, const struct tlb *tlb, uint64_t asce, uint32_t mode)
{
    return tlb->asce == asce && tlb->mode == mode && tlb->prefix == cpu->prefix;
}

static void clear_group(struct tlb *tlb, unsigned group)
{
    struct tlb_entry *const first = &tlb->entry[group * GROUP];
    for (unsigned i = 0; i < GROUP; i++)
        first[i].read = first[i].write = TLB_NONE;
}

void tlb_begin_group(struct tlb *tlb, uint64_t bit)
{
    clear_group(tlb, (unsigned)__builtin_ctzll(bit));
    tlb->groups |= bit;
}

static void forget(struct tlb *tlb)
{
    for (; tlb->groups; tlb->groups &= tlb->groups - 1)
        clear_group(tlb, (unsigned)__builtin_ctzll(tlb->groups));
    memset(tlb->formed, 0, sizeof tlb->formed);
    for (unsigned i = 0; i < TLB_KNOWN; i++)
        tlb->known[i] = TLB_NONE;
}

/* Which entries places of the program expect need not be right, but they are of the same context. */
static void expect_any(struct tlb *tlb)
{
    for (unsigned i = 0; i < TLB_PLACES; i++)
        tlb->expected[i] = tlb->entry;
}

/* Contexts take memory of the host only when they are first used: a machine may live for a few instructions. */
int tlb_create(struct cpu *cpu)
{
    cpu->tlb_pool = storage_map(sizeof *cpu->tlb_pool);
    if (!cpu->tlb_pool)
        return -ENOMEM;
    for (unsigned i = 0; i < TLB_CONTEXTS; i++) {
        cpu->tlb_pool->contexts[i].mode = MODE_NONE;
        cpu->tlb_pool->contexts[i].groups = ZEROS_FOUND;
    }
    cpu->tlb_pool->empty.mode = MODE_NONE;
    cpu->tlb_pool->empty.groups = ZEROS_FOUND;
    return 0;
}

void tlb_destroy(struct cpu *cpu)
{
    if (cpu->tlb_pool)
        munmap(cpu->tlb_pool, sizeof *cpu->tlb_pool);
    cpu->tlb_pool = NULL;
}

/* The one where no page ever is */
static struct tlb *empty_context(struct cpu *cpu)
{
    struct tlb *empty = &cpu->tlb_pool->empty;
    if (UNLIKELY(empty->groups)) {
        expect_any(empty);
        forget(empty);
    }
    return empty;
}

static struct tlb *used(struct tlb_pool *pool, struct tlb *tlb)
{
    tlb->used = ++pool->clock;
    return tlb;
}

/* The context for these conditions; `now` (may be NULL) is the most likely one. */
static struct tlb *context_for(struct cpu *cpu, struct tlb *now, uint64_t asce, uint32_t mode)
{
    struct tlb_pool *pool = cpu->tlb_pool;
    struct tlb *oldest = &pool->contexts[0], **found = &pool->found[(asce >> 12 ^ asce >> 18 ^ mode >> 4) % TLB_FOUND];
    if (LIKELY(now && serves(cpu, now, asce, mode)))
        return used(pool, now);
    if (LIKELY(*found && serves(cpu, *found, asce, mode)))
        return used(pool, *found);
    for (unsigned i = 0; i < TLB_CONTEXTS; i++) {
        struct tlb *tlb = &pool->contexts[i];
        if (serves(cpu, tlb, asce, mode))
            return used(pool, *found = tlb);
        if (tlb->used < oldest->used)
            oldest = tlb;
    }
    if (!oldest->expected[0])
        expect_any(oldest);
    forget(oldest);
    oldest->asce = asce;
    oldest->mode = mode;
    oldest->prefix = cpu->prefix;
    oldest->generation = __atomic_add_fetch(&cpu->sys->generation, 1, __ATOMIC_RELAXED);
    return used(pool, *found = oldest);
}

/* The bits of control register 0 that decide what an access may do. */
#define CR0_OF_ACCESSES                                                                                                \
    (CR0_LOW_ADDRESS_PROTECTION | CR0_FETCH_PROTECTION_OVERRIDE | CR0_STORAGE_PROTECTION_OVERRIDE | CR0_EDAT | CR0_IEP)

static void select_spaces(struct cpu *cpu, uint32_t mode)
{
    struct tlb *fetch = cpu->fetch_tlb, *data = cpu->tlb;
    if (!(cpu->psw.mask & PSW_DAT)) {
        cpu->tlb = cpu->fetch_tlb = context_for(cpu, fetch, 0, mode);
        return;
    }
    mode |= MODE_DAT;
    switch (field64(cpu->psw.mask, 16, 17)) {
    case AS_PRIMARY:
        cpu->tlb = cpu->fetch_tlb = context_for(cpu, fetch, cpu->cr[1], mode);
        break;
    case AS_SECONDARY:
        cpu->fetch_tlb = context_for(cpu, fetch, cpu->cr[1], mode);
        cpu->tlb = context_for(cpu, data, cpu->cr[7], mode);
        break;
    case AS_HOME:
        cpu->tlb = cpu->fetch_tlb = context_for(cpu, fetch, cpu->cr[13], mode);
        break;
    default:
        cpu->fetch_tlb = context_for(cpu, fetch, cpu->cr[1], mode);
        cpu->tlb = empty_context(cpu);
        break;
    }
}

static uint32_t mode_for(const struct cpu *cpu, unsigned key)
{
    return key << 4 | (uint32_t)field64(cpu->cr[0] & CR0_OF_ACCESSES, 35, 43) << 16 |
           (per_watches_stores(cpu) ? MODE_PER : 0);
}

const struct tlb *tlb_known_space(const struct cpu *cpu, uint64_t asce, unsigned key)
{
    const uint32_t mode = mode_for(cpu, key) | MODE_DAT;
    for (unsigned i = 0; i < TLB_CONTEXTS; i++)
        if (serves(cpu, &cpu->tlb_pool->contexts[i], asce, mode))
            return &cpu->tlb_pool->contexts[i];
    return NULL;
}

void tlb_select(struct cpu *cpu)
{
    select_spaces(cpu, mode_for(cpu, cpu_key(cpu)));
    if (cpu->tx_depth) /* a transaction: every access is looked at */
        cpu->tlb = empty_context(cpu);
}

void cpu_tlb_purge(struct cpu *cpu)
{
    for (unsigned i = 0; i < TLB_CONTEXTS; i++)
        cpu->tlb_pool->contexts[i].mode = MODE_NONE;
    tlb_select(cpu);
}

/* Where decoded code and entries above the page tables are noted: it is found by logical address alone, and they are
   used by many pages, so a context is dropped as a whole when one of their table entries changes. The notes say yes for
   all that were made, and now and then for another one. */
struct note {
    unsigned word[2];
    uint64_t bit[2];
};

static struct note note_of(uint64_t entry)
{
    const uint64_t mixed = entry * UINT64_C(0x9e3779b97f4a7c15);
    const unsigned a = (unsigned)(mixed >> 47), b = (unsigned)(mixed >> 30) % TLB_FORMED;
    _Static_assert(TLB_FORMED == 1u << 17, "seventeen bits choose one");
    return (struct note){{a / 64, b / 64}, {UINT64_C(1) << a % 64, UINT64_C(1) << b % 64}};
}

void tlb_note(struct tlb *tlb, uint64_t entry)
{
    const struct note n = note_of(entry);
    tlb->formed[n.word[0]] |= n.bit[0];
    tlb->formed[n.word[1]] |= n.bit[1];
    tlb->known[tlb_known(entry)] = entry;
}

void tlb_purge_formed(struct cpu *cpu, uint64_t entry)
{
    const struct note n = note_of(entry);
    bool dropped = false;
    for (unsigned i = 0; i < TLB_CONTEXTS; i++) {
        struct tlb *tlb = &cpu->tlb_pool->contexts[i];
        if (tlb->mode == MODE_NONE || !(tlb->mode & MODE_DAT))
            continue;
        if ((tlb->formed[n.word[0]] & n.bit[0]) && (tlb->formed[n.word[1]] & n.bit[1])) {
            tlb->mode = MODE_NONE;
            dropped = true;
            continue;
        }
        for (unsigned slot = (unsigned)(entry / 8) % PAGE_INDEXES; slot < TLB_ENTRIES; slot += PAGE_INDEXES)
            if (tlb->groups & tlb_slot_bit(slot) && tlb->page_entry[slot] == entry)
                tlb->entry[slot].read = tlb->entry[slot].write = TLB_NONE;
    }
    if (dropped) {
        tlb_select(cpu);
        cpu->refetch = true;
    }
}

/* Of contexts for DAT those whose address-space-control elements are this one in the bits of `mask`. */
static void purge_spaces(struct cpu *cpu, uint64_t asce, uint64_t mask)
{
    for (unsigned i = 0; i < TLB_CONTEXTS; i++) {
        struct tlb *tlb = &cpu->tlb_pool->contexts[i];
        if ((tlb->mode & MODE_DAT) && ((tlb->asce ^ asce) & mask) == 0)
            tlb->mode = MODE_NONE;
    }
    tlb_select(cpu);
}

void tlb_purge_space(struct cpu *cpu, uint64_t asce) { purge_spaces(cpu, asce, ASCE_ORIGIN); }
void tlb_purge_spaces(struct cpu *cpu) { purge_spaces(cpu, 0, 0); }

void cpu_tlb_purge_all(struct cpu_system *sys)
{
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (sys->cpus[i])
            cpu_tlb_purge(sys->cpus[i]);
}

/* The entries for a page in one group of slots of a context. */
static void purge_group(struct tlb *tlb, unsigned first, uint64_t page)
{
    for (unsigned i = first; i < first + GROUP; i++)
        if (tlb->entry[i].absolute == page)
            tlb->entry[i].read = tlb->entry[i].write = TLB_NONE;
}

void tlb_purge_frame(struct cpu_system *sys, uint64_t page)
{
    uint64_t *slots = &sys->storage.slots[page >> PAGE_BITS];
    const uint64_t some = *slots;
    if (!some) /* nor is decoded code in the page used: that began with an entry */
        return;
    *slots = sys->storage.write_slots[page >> PAGE_BITS] = 0;
    if (sys->storage.code_lines[page >> PAGE_BITS]) { /* found without a look at the entries, which may be gone */
        cpu_tlb_purge_all(sys);
        return;
    }
    for (unsigned c = 0; c < CPU_MAX; c++)
        for (unsigned t = 0; sys->cpus[c] && t < TLB_CONTEXTS; t++)
            for (uint64_t left = some & sys->cpus[c]->tlb_pool->contexts[t].groups; left; left &= left - 1)
                purge_group(&sys->cpus[c]->tlb_pool->contexts[t], (unsigned)__builtin_ctzll(left) * GROUP, page);
}

void tlb_stop_stores(struct cpu_system *sys, uint64_t page)
{
    uint64_t *slots = &sys->storage.write_slots[page >> PAGE_BITS];
    for (unsigned c = 0; c < CPU_MAX; c++)
        for (unsigned t = 0; sys->cpus[c] && t < TLB_CONTEXTS; t++) {
            struct tlb *tlb = &sys->cpus[c]->tlb_pool->contexts[t];
            for (uint64_t left = tlb->mode != MODE_NONE ? *slots : 0; left; left &= left - 1) {
                const unsigned first = (unsigned)__builtin_ctzll(left) * GROUP;
                for (unsigned i = first; i < first + GROUP; i++)
                    if (tlb->entry[i].write != TLB_NONE && tlb->entry[i].absolute == page)
                        tlb->entry[i].write = TLB_NONE;
            }
        }
    *slots = 0;
}
