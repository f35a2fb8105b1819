/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watchpoints: which pages have some, and whether an access meets one. */
#include "cpu/storage/watch.h"
#include "cpu/storage/dat.h"
#include "cpu/storage/tlb.h"

#define PAGES_WALKED 64u

void cpu_watch_set(struct cpu_system *sys, const struct cpu_watches *watches)
{
    sys->watches = watches && watches->count ? watches : NULL;
    cpu_tlb_purge_all(sys);
}

/* Do [a, a + n) and [b, b + m) have a byte in common? Neither wraps. */
static bool meet(uint64_t a, uint64_t n, uint64_t b, uint64_t m) { return b - a < n || a - b < m; }

/* The address that a byte of absolute storage has where this watchpoint is; logical ones are none of these. Prefixing
   leads back by the way it came. */
static uint64_t address_in(const struct cpu *cpu, const struct cpu_watch *w, uint64_t absolute)
{
    return w->space == CPU_WATCH_REAL ? cpu_real_to_absolute(cpu, absolute) : absolute;
}

bool cpu_watch_page(const struct cpu *cpu, uint64_t page, uint64_t frame)
{
    const struct cpu_watches *watches = cpu->sys->watches;
    for (unsigned i = 0; i < watches->count; i++) {
        const struct cpu_watch *w = &watches->watch[i];
        const uint64_t there = w->space == CPU_WATCH_LOGICAL ? page : address_in(cpu, w, frame);
        if (meet(there, PAGE_SIZE_Z, w->address, w->length))
            return true;
    }
    return false;
}

/* What was accessed, by its addresses in the space of a watchpoint. */
struct accessed {
    uint64_t address, length;
    unsigned kind;
    enum cpu_watch_who who;
};

/* A watchpoint may be met. */
static void look(struct cpu *cpu, const struct cpu_watch *watch, const struct accessed *a)
{
    struct cpu_watched *w = &cpu->watched;
    bool known = false;
    if (!(watch->kind & a->kind) || !a->length || !meet(watch->address, watch->length, a->address, a->length))
        return;
    for (unsigned k = 0; k < w->count; k++)
        known = known || (w->hits[k].watch == watch->address && w->hits[k].kind == watch->kind &&
                          w->hits[k].space == watch->space);
    if (!known && w->count < CPU_WATCHED) {
        const uint64_t at = a->address > watch->address ? a->address : watch->address;
        w->hits[w->count++] = (struct cpu_watch_hit){
            .watch = watch->address, .address = at, .kind = watch->kind, .space = watch->space, .who = (uint8_t)a->who};
    }
    cpu->leave = true;
}

void cpu_watch_note(struct cpu *cpu, const struct cpu_access *a, unsigned length)
{
    const bool dat = cpu->psw.mask & PSW_DAT;
    const uint64_t mask = a->wide ? UINT64_MAX : cpu->address_mask;
    const unsigned kind = a->kind & CPU_UPDATE;
    const struct cpu_watches *watches = cpu->sys->watches;
    if (a->test || !kind || (dat && (a->space == CPU_SPACE_REAL || a->space == CPU_SPACE_ABSOLUTE)))
        return;
    const uint64_t left = mask - a->address; /* bytes behind the first one before the range wraps */
    const uint64_t first = length - 1 > left ? left + 1 : length;
    for (unsigned i = 0; i < watches->count; i++)
        if (watches->watch[i].space == CPU_WATCH_LOGICAL) {
            look(cpu, &watches->watch[i], &(struct accessed){a->address, first, kind, CPU_WATCH_INSTRUCTION});
            look(cpu, &watches->watch[i], &(struct accessed){0, length - first, kind, CPU_WATCH_INSTRUCTION});
        }
}

void cpu_watch_part(struct cpu *cpu, uint64_t absolute, unsigned length, unsigned kind)
{
    const struct cpu_watches *watches = cpu->sys->watches;
    for (unsigned i = 0; i < watches->count; i++) {
        const struct cpu_watch *w = &watches->watch[i];
        if (w->space != CPU_WATCH_LOGICAL)
            look(cpu, w,
                 &(struct accessed){address_in(cpu, w, absolute), length, kind & CPU_UPDATE, CPU_WATCH_INSTRUCTION});
    }
}

/* ---- stores without a logical address --------------------------------------------------------------------------- */

/* Bytes of a page of storage: do they belong to a logical watchpoint as `other` translates it? Those of `cpu` are
   noted. */
static void look_by_walking(struct cpu *cpu, struct cpu *other, const struct cpu_watch *w, const struct accessed *a)
{
    uint64_t page = w->address & PAGE_ADDRESS, frame;
    const uint64_t last = (w->address + w->length - 1) & PAGE_ADDRESS;
    bool protect;
    if (!(other->psw.mask & PSW_DAT)) {
        struct accessed real = *a;
        real.address = cpu_real_to_absolute(other, a->address);
        look(cpu, w, &real);
        return;
    }
    for (unsigned n = 0; n < PAGES_WALKED; n++, page += PAGE_SIZE_Z) {
        if (!cpu_walk(other, CPU_SPACE_CURRENT, 0, page, NULL, NULL, &frame, &protect) &&
            (frame & PAGE_ADDRESS) == (a->address & PAGE_ADDRESS)) {
            struct accessed logical = *a;
            logical.address = page | (a->address & ~PAGE_ADDRESS);
            look(cpu, w, &logical);
        }
        if (page == last)
            break;
    }
}

/* Bytes of a page of storage. */
static void stored_in_page(struct cpu *cpu, const struct accessed *a)
{
    const struct cpu_system *sys = cpu->sys;
    for (unsigned i = 0; i < sys->watches->count; i++) {
        const struct cpu_watch *w = &sys->watches->watch[i];
        for (unsigned c = 0; c < sys->cpu_count; c++) {
            struct accessed there = *a;
            there.address = address_in(sys->cpus[c], w, a->address);
            if (w->space == CPU_WATCH_LOGICAL)
                look_by_walking(cpu, sys->cpus[c], w, a);
            else
                look(cpu, w, &there);
        }
    }
}

void cpu_watch_stored(struct cpu *cpu, uint64_t absolute, uint64_t length, enum cpu_watch_who who)
{
    while (cpu->sys->watches && length) {
        const uint64_t left = cpu_page_left(absolute), part = left < length ? left : length;
        stored_in_page(cpu, &(struct accessed){absolute, part, CPU_STORE, who});
        absolute += part;
        length -= part;
    }
}

void cpu_watch_outside(struct cpu_system *sys, uint64_t absolute, uint64_t length)
{
    struct cpu *cpu = __atomic_load_n(&sys->running, __ATOMIC_RELAXED);
    if (LIKELY(!sys->watches) || !cpu)
        return;
    cpu_watch_stored(cpu, absolute, length, CPU_WATCH_OUTSIDE);
    cpu->watched.late = cpu->watched.count;
}
