/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation contexts. A context holds pages translated under one set of conditions; loading a PSW or a control
   register picks the context for the new conditions and clears nothing. PoP chapter 3, "Translation-Lookaside Buffer".
 */
#include "cpu/storage/tlb.h"
#include "cpu/state/per.h"
#include <errno.h>
#include <stdlib.h>

#define MODE_DAT     0x100u
#define MODE_PER     0x200u /* PER storage alteration may be recognized: stores are looked at singly */
#define PAGE_INDEXES 256u   /* entries of a page table */
#define MODE_NONE    0xffffffffu

static bool serves(const struct cpu *cpu, const struct tlb *tlb, uint64_t asce, uint32_t mode)
{
    return tlb->asce == asce && tlb->mode == mode && tlb->prefix == cpu->prefix;
}

static void forget(struct tlb *tlb)
{
    for (unsigned i = 0; i < TLB_ENTRIES; i++)
        tlb->entry[i].read = tlb->entry[i].write = TLB_NONE;
    memset(tlb->fetched, 0, sizeof tlb->fetched);
}

int tlb_create(struct cpu *cpu)
{
    cpu->tlb_pool = aligned_alloc(64, (sizeof *cpu->tlb_pool + 63) & ~(size_t)63);
    if (!cpu->tlb_pool)
        return -ENOMEM;
    memset(cpu->tlb_pool, 0, sizeof *cpu->tlb_pool);
    for (unsigned i = 0; i < TLB_CONTEXTS; i++)
        cpu->tlb_pool->contexts[i].mode = MODE_NONE;
    cpu->tlb_pool->empty.mode = MODE_NONE;
    forget(&cpu->tlb_pool->empty);
    return 0;
}

void tlb_destroy(struct cpu *cpu)
{
    free(cpu->tlb_pool);
    cpu->tlb_pool = NULL;
}

/* The context for these conditions; `now` (may be NULL) is the most likely one. */
static struct tlb *context_for(struct cpu *cpu, struct tlb *now, uint64_t asce, uint32_t mode)
{
    struct tlb_pool *pool = cpu->tlb_pool;
    struct tlb *oldest = &pool->contexts[0];
    if (LIKELY(now && serves(cpu, now, asce, mode))) {
        now->used = ++pool->clock;
        return now;
    }
    for (unsigned i = 0; i < TLB_CONTEXTS; i++) {
        struct tlb *tlb = &pool->contexts[i];
        if (serves(cpu, tlb, asce, mode)) {
            tlb->used = ++pool->clock;
            return tlb;
        }
        if (tlb->used < oldest->used)
            oldest = tlb;
    }
    forget(oldest);
    oldest->asce = asce;
    oldest->mode = mode;
    oldest->prefix = cpu->prefix;
    oldest->generation = __atomic_add_fetch(&cpu->sys->generation, 1, __ATOMIC_RELAXED);
    oldest->used = ++pool->clock;
    return oldest;
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
        cpu->tlb = &cpu->tlb_pool->empty;
        break;
    }
}

void tlb_select(struct cpu *cpu)
{
    uint32_t mode = cpu_key(cpu) << 4;
    mode |= (uint32_t)field64(cpu->cr[0] & CR0_OF_ACCESSES, 35, 43) << 16;
    if (per_watches_stores(cpu))
        mode |= MODE_PER;
    select_spaces(cpu, mode);
    if (cpu->tx_depth) /* a transaction: every access is looked at */
        cpu->tlb = &cpu->tlb_pool->empty;
}

void cpu_tlb_purge(struct cpu *cpu)
{
    for (unsigned i = 0; i < TLB_CONTEXTS; i++)
        cpu->tlb_pool->contexts[i].mode = MODE_NONE;
    tlb_select(cpu);
}

/* The entries of a page index stand in two places of a context. Decoded code is found by its logical address alone: a
   context that instructions were fetched through there is dropped as a whole. */
static void purge_index(struct cpu *cpu, unsigned index)
{
    for (unsigned i = 0; i < TLB_CONTEXTS; i++) {
        struct tlb *tlb = &cpu->tlb_pool->contexts[i];
        if (tlb->mode == MODE_NONE || !(tlb->mode & MODE_DAT))
            continue;
        for (unsigned slot = index; slot < TLB_ENTRIES; slot += PAGE_INDEXES) {
            tlb->entry[slot].read = tlb->entry[slot].write = TLB_NONE;
            if (tlb->fetched[slot / 64] & UINT64_C(1) << slot % 64)
                tlb->mode = MODE_NONE;
        }
    }
    tlb_select(cpu);
}

void tlb_purge_page(struct cpu *cpu, unsigned index, bool local)
{
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (cpu->sys->cpus[i] && (!local || cpu->sys->cpus[i] == cpu))
            purge_index(cpu->sys->cpus[i], index);
}

void cpu_tlb_purge_all(struct cpu_system *sys)
{
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (sys->cpus[i])
            cpu_tlb_purge(sys->cpus[i]);
}

void tlb_stop_stores(struct cpu_system *sys, uint64_t page)
{
    sys->storage.page_flags[page >> PAGE_BITS] &= (uint8_t)~PAGE_WRITE_TAGGED;
    for (unsigned c = 0; c < CPU_MAX; c++)
        for (unsigned t = 0; sys->cpus[c] && t < TLB_CONTEXTS; t++) {
            struct tlb *tlb = &sys->cpus[c]->tlb_pool->contexts[t];
            for (unsigned i = 0; tlb->mode != MODE_NONE && i < TLB_ENTRIES; i++)
                if (tlb->entry[i].write != TLB_NONE && tlb->entry[i].absolute == page)
                    tlb->entry[i].write = TLB_NONE;
        }
}
