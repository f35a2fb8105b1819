/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation contexts. A context holds pages translated under one set of conditions; loading a PSW or a control
   register picks the context for the new conditions and clears nothing. PoP chapter 3, "Translation-Lookaside Buffer".
 */
#include "cpu/storage/tlb.h"
#include "cpu/control/transaction.h"
#include "cpu/storage/dat.h"
#include "cpu/engine/engine.h"
#include "cpu/state/per.h"
#include <errno.h>
#include <stdlib.h>

#define MODE_DAT  0x100u
#define MODE_PER  0x200u /* PER storage alteration may be recognized: stores are looked at singly */
#define MODE_NONE 0xffffffffu

static bool serves(const struct cpu *cpu, const struct tlb *tlb, uint64_t asce, uint32_t mode)
{
    return tlb->asce == asce && tlb->mode == mode && tlb->prefix == cpu->prefix;
}

static void forget(struct tlb *tlb)
{
    for (unsigned i = 0; i < TLB_ENTRIES; i++)
        tlb->entry[i].read = tlb->entry[i].write = TLB_NONE;
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
    if (cpu_tx_active(cpu)) /* every access is looked at */
        cpu->tlb = &cpu->tlb_pool->empty;
}

void cpu_tlb_purge(struct cpu *cpu)
{
    for (unsigned i = 0; i < TLB_CONTEXTS; i++)
        cpu->tlb_pool->contexts[i].mode = MODE_NONE;
    tlb_select(cpu);
}

void cpu_tlb_purge_all(struct cpu_system *sys)
{
    for (unsigned i = 0; i < CPU_MAX; i++)
        if (sys->cpus[i])
            cpu_tlb_purge(sys->cpus[i]);
}

/* No TLB entry lets stores to this page through any more. */
static void watch_page(struct cpu_system *sys, uint64_t page)
{
    if (!(sys->storage.page_flags[page >> PAGE_BITS] & PAGE_WRITE_TAGGED))
        return;
    sys->storage.page_flags[page >> PAGE_BITS] &= (uint8_t)~PAGE_WRITE_TAGGED;
    for (unsigned c = 0; c < CPU_MAX; c++)
        for (unsigned t = 0; sys->cpus[c] && t < TLB_CONTEXTS; t++) {
            struct tlb *tlb = &sys->cpus[c]->tlb_pool->contexts[t];
            for (unsigned i = 0; tlb->mode != MODE_NONE && i < TLB_ENTRIES; i++)
                if (tlb->entry[i].write != TLB_NONE && tlb->entry[i].absolute == page)
                    tlb->entry[i].write = TLB_NONE;
        }
}

static uint64_t lines(uint64_t absolute, unsigned length)
{
    unsigned first = (unsigned)(absolute & 0xfff) >> 6, last = (unsigned)((absolute + length - 1) & 0xfff) >> 6;
    return (~UINT64_C(0) >> (63 - (last - first))) << first;
}

void storage_code_mark(struct cpu_system *sys, uint64_t absolute, uint64_t length)
{
    while (length && storage_has(&sys->storage, absolute, 1)) {
        unsigned part = cpu_page_left(absolute);
        if (part > length)
            part = (unsigned)length;
        if (cpu_alone(sys)) {
            sys->storage.code_lines[absolute >> PAGE_BITS] |= lines(absolute, part);
            watch_page(sys, absolute & PAGE_ADDRESS);
        } else { /* claimed before */
            __atomic_fetch_or(&sys->storage.code_lines[absolute >> PAGE_BITS], lines(absolute, part), __ATOMIC_SEQ_CST);
        }
        absolute += part;
        length -= part;
    }
}

bool storage_code_claim(struct cpu_system *sys, uint64_t absolute, unsigned length)
{
    struct storage *s = &sys->storage;
    if (cpu_alone(sys))
        return true;
    __atomic_fetch_or(&s->code_lines[absolute >> PAGE_BITS], lines(absolute, length), __ATOMIC_SEQ_CST);
    return !(__atomic_load_n(&s->page_flags[absolute >> PAGE_BITS], __ATOMIC_SEQ_CST) & PAGE_WRITE_TAGGED);
}

void cpu_code_written(struct cpu_system *sys, uint64_t absolute, uint64_t length)
{
    while (length && storage_has(&sys->storage, absolute, 1)) {
        unsigned part = cpu_page_left(absolute);
        if (part > length)
            part = (unsigned)length;
        uint64_t *marked = &sys->storage.code_lines[absolute >> PAGE_BITS], hit = lines(absolute, part);
        if (UNLIKELY(*marked & hit)) {
            *marked &= ~hit;
            for (unsigned c = 0; c < CPU_MAX; c++)
                if (sys->cpus[c]) {
                    engine_code_changed(sys->cpus[c], absolute, part);
                    sys->cpus[c]->refetch = true;
                }
        }
        absolute += part;
        length -= part;
    }
}

/* Some of [absolute, absolute+length) is marked as decoded code. */
static bool marked(const struct storage *s, uint64_t absolute, uint64_t length)
{
    while (length && storage_has(s, absolute, 1)) {
        unsigned part = cpu_page_left(absolute);
        if (part > length)
            part = (unsigned)length;
        if (__atomic_load_n(&s->code_lines[absolute >> PAGE_BITS], __ATOMIC_SEQ_CST) & lines(absolute, part))
            return true;
        absolute += part;
        length -= part;
    }
    return false;
}

static void put_off(struct cpu *cpu, uint64_t absolute, unsigned length)
{
    if (cpu->stored_count < CPU_STORED) {
        cpu->stored[cpu->stored_count].absolute = absolute;
        cpu->stored[cpu->stored_count].length = length;
    }
    if (cpu->stored_count <= CPU_STORED)
        cpu->stored_count++;
    cpu->refetch = cpu->settle = true;
}

void cpu_code_stored(struct cpu *cpu, uint64_t absolute, uint64_t length)
{
    storage_record_store(&cpu->sys->storage, absolute, length);
    if (LIKELY(cpu_alone(cpu->sys))) {
        cpu_code_written(cpu->sys, absolute, length);
        return;
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (marked(&cpu->sys->storage, absolute, length))
        put_off(cpu, absolute, (unsigned)length);
}

void cpu_code_about_to_be_stored(struct cpu *cpu, uint64_t absolute, unsigned length)
{
    struct storage *s = &cpu->sys->storage;
    if (LIKELY(cpu_alone(cpu->sys)))
        cpu_code_written(cpu->sys, absolute, length);
    else if (!(__atomic_load_n(&s->page_flags[absolute >> PAGE_BITS], __ATOMIC_RELAXED) & PAGE_WRITE_TAGGED) ||
             marked(s, absolute, length))
        put_off(cpu, absolute, length); /* it may be decoded before the store is carried out */
}

bool cpu_code_settle(struct cpu *cpu)
{
    const struct storage *s = &cpu->sys->storage;
    const bool all = cpu->stored_count > CPU_STORED, alone = cpu_alone(cpu->sys);
    bool hit = all;
    if (!cpu->stored_count)
        return true;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < cpu->stored_count && !hit; i++)
        hit = marked(s, cpu->stored[i].absolute, cpu->stored[i].length);
    if (hit && !alone)
        return false;
    for (unsigned i = 0; i < cpu->stored_count && hit && !all; i++)
        cpu_code_written(cpu->sys, cpu->stored[i].absolute, cpu->stored[i].length);
    if (all)
        cpu_code_written(cpu->sys, 0, s->size);
    cpu->stored_count = 0;
    return true;
}
