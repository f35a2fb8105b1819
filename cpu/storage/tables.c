/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation tables in storage. PoP chapter 3 (SA22-7832-13). */
#include "cpu/storage/tables.h"
#include "cpu/storage/tlb.h"

/* A store at a host address that a body was given is not seen any more. What was marked there then is not, but pages
   that the TLB lets stores through to unseen have no marks, and in others there may be some again before the store is
   carried out. So nothing is marked in the former, nor anywhere once one of the latter was given, until the instruction
   is over. Instructions are fetched before that. Returns false when the entry could not be marked. */
static bool mark(struct cpu *cpu, uint64_t absolute, bool instruction)
{
    struct storage *s = &cpu->sys->storage;
    const uint64_t frame = absolute >> PAGE_BITS, bit = UINT64_C(1) << (absolute / 8) % 64;
    uint64_t *word = &s->table_entries[frame][(absolute & 0xfff) / 512];
    if (LIKELY(*word & bit) || UNLIKELY(cpu->sys->threads))
        return true;
    const bool doubt = !instruction && (cpu->tables_doubt || s->write_slots[frame]);
    tlb_watch_page(cpu->sys, absolute & PAGE_ADDRESS);
    if (doubt) {
        cpu->tables_doubt = cpu->refetch = true;
        return false;
    }
    *word |= bit;
    s->page_flags[frame] |= PAGE_TABLES;
    return true;
}

/* Entries that a context depends on as a whole are marked for as long as it is there. */
static bool depend(struct cpu *cpu, struct tlb *tlb, uint64_t entry, bool instruction)
{
    if (LIKELY(tlb_depends(tlb, entry)))
        return true;
    if (!mark(cpu, entry, instruction))
        return false;
    tlb_note(tlb, entry);
    return true;
}

bool tables_used(struct cpu *cpu, struct tlb *tlb, const struct dat_result *dat, bool instruction)
{
    const unsigned above = dat->count - (dat->paged && !instruction);
    for (unsigned i = 0; i < above; i++)
        if (!depend(cpu, tlb, dat->entries[i], instruction))
            return false;
    return above == dat->count || mark(cpu, dat->entries[above], instruction);
}

void tables_used_again(struct tlb *tlb, uint64_t page_entry)
{
    if (page_entry != TLB_NONE && !tlb_depends(tlb, page_entry))
        tlb_note(tlb, page_entry); /* it was marked for the operand */
}

static bool any(const uint64_t words[8])
{
    uint64_t all = 0;
    for (unsigned i = 0; i < 8; i++)
        all |= words[i];
    return all;
}

static void purge_entry(struct cpu_system *sys, uint64_t entry)
{
    for (unsigned c = 0; c < CPU_MAX; c++)
        if (sys->cpus[c])
            tlb_purge_formed(sys->cpus[c], entry);
}

void tables_stored(struct cpu_system *sys, uint64_t absolute, unsigned length)
{
    struct storage *s = &sys->storage;
    const uint64_t page = absolute & PAGE_ADDRESS;
    const unsigned first = (unsigned)(absolute - page) / 8, last = (unsigned)(absolute - page + length - 1) / 8;
    uint64_t *words = s->table_entries[page >> PAGE_BITS];
    for (unsigned w = first / 64; w <= last / 64; w++) {
        uint64_t hit = words[w];
        if (w == first / 64)
            hit &= ~UINT64_C(0) << first % 64;
        if (w == last / 64)
            hit &= ~UINT64_C(0) >> (63 - last % 64);
        words[w] &= ~hit;
        for (; hit; hit &= hit - 1)
            purge_entry(sys, page + 8 * (64 * w + (unsigned)__builtin_ctzll(hit)));
    }
    if (!any(words))
        s->page_flags[page >> PAGE_BITS] &= (uint8_t)~PAGE_TABLES;
}

/* Without threads what is to be purged is not there: no translation outlives its table entries. */
void tables_purge_entry(struct cpu *cpu, uint64_t absolute, bool local)
{
    if (!cpu->sys->threads)
        return;
    if (local)
        tlb_purge_formed(cpu, absolute);
    else
        purge_entry(cpu->sys, absolute);
}

void tables_purge_space(struct cpu *cpu, uint64_t asce, bool local)
{
    for (unsigned c = 0; cpu->sys->threads && c < CPU_MAX; c++)
        if (cpu->sys->cpus[c] && (!local || cpu->sys->cpus[c] == cpu))
            tlb_purge_space(cpu->sys->cpus[c], asce);
}

void tables_purge(struct cpu *cpu, bool local)
{
    for (unsigned c = 0; cpu->sys->threads && c < CPU_MAX; c++)
        if (cpu->sys->cpus[c] && (!local || cpu->sys->cpus[c] == cpu))
            tlb_purge_spaces(cpu->sys->cpus[c]);
}
