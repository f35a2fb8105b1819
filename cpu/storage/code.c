/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where decoded code lies in storage, and that it, or a translation table, was changed. PoP chapter 5, "Conceptual
   Sequence" (SA22-7832-13): a program may store into its own instructions. */
#include "cpu/storage/code.h"
#include "cpu/state/edges.h"
#include "cpu/storage/access.h"
#include "cpu/storage/main.h"
#include "cpu/storage/tables.h"
#include "cpu/storage/tlb.h"
#include "cpu/storage/watch.h"

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
            tlb_watch_page(sys, absolute & PAGE_ADDRESS);
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
    return !__atomic_load_n(&s->write_slots[absolute >> PAGE_BITS], __ATOMIC_SEQ_CST);
}

/* A page that a target program has fetched from is being changed. */
static void profiled_changed(struct cpu_system *sys, uint64_t frame)
{
    struct cpu_edges_system *e = sys->edges;
    if (!e)
        return;
    e->settle(sys);
    e->changed[frame] = ++e->epoch;
}

void cpu_code_written(struct cpu_system *sys, uint64_t absolute, uint64_t length)
{
    if (!sys->threads)
        sys->storage.told++;
    while (length && storage_has(&sys->storage, absolute, 1)) {
        unsigned part = cpu_page_left(absolute);
        if (part > length)
            part = (unsigned)length;
        uint64_t *marked = &sys->storage.code_lines[absolute >> PAGE_BITS], hit = lines(absolute, part);
        if (UNLIKELY(*marked & hit)) {
            *marked &= ~hit;
            for (unsigned c = 0; c < sys->cpu_count; c++)
                if (sys->cpus[c] && (!sys->code_changed || sys->code_changed(sys->cpus[c], absolute, part)))
                    sys->cpus[c]->refetch = true;
        }
        tables_changed(sys, absolute, part);
        storage_note_change(&sys->storage, absolute);
        if (UNLIKELY(sys->storage.page_flags[absolute >> PAGE_BITS] & PAGE_PROFILED))
            profiled_changed(sys, absolute >> PAGE_BITS);
        absolute += part;
        length -= part;
    }
}

void cpu_code_written_outside(struct cpu_system *sys, uint64_t absolute, uint64_t length)
{
    cpu_code_written(sys, absolute, length);
    cpu_watch_outside(sys, absolute, length);
}

/* Some of [absolute, absolute+length) is marked as decoded code, or in a page that is profiled. */
static bool marked(const struct storage *s, uint64_t absolute, uint64_t length)
{
    while (length && storage_has(s, absolute, 1)) {
        unsigned part = cpu_page_left(absolute);
        if (part > length)
            part = (unsigned)length;
        if (__atomic_load_n(&s->code_lines[absolute >> PAGE_BITS], __ATOMIC_SEQ_CST) & lines(absolute, part))
            return true;
        if (UNLIKELY(s->page_flags[absolute >> PAGE_BITS] & PAGE_PROFILED))
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
    if (UNLIKELY(cpu->sys->watches))
        cpu_watch_stored(cpu, absolute, length, CPU_WATCH_INSTRUCTION);
    cpu_code_accessed(cpu, absolute, length);
}

void cpu_code_accessed(struct cpu *cpu, uint64_t absolute, uint64_t length)
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
    const bool looked_at = !__atomic_load_n(&s->write_slots[absolute >> PAGE_BITS], __ATOMIC_RELAXED);
    if (LIKELY(cpu_alone(cpu->sys))) {
        cpu_code_written(cpu->sys, absolute, length);
        cpu->tables_doubt |= looked_at;
    } else if (looked_at || marked(s, absolute, length)) {
        put_off(cpu, absolute, length); /* it may be decoded before the store is carried out */
    }
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
