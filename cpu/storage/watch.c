/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watchpoints: which pages have some, and whether an access meets one. */
#include "cpu/storage/watch.h"
#include "cpu/storage/tlb.h"

void cpu_watch_set(struct cpu_system *sys, const struct cpu_watches *watches)
{
    sys->watches = watches && watches->count ? watches : NULL;
    cpu_tlb_purge_all(sys);
}

/* Do [a, a + n) and [b, b + m) have a byte in common? Neither wraps. */
static bool meet(uint64_t a, uint64_t n, uint64_t b, uint64_t m) { return b - a < n || a - b < m; }

bool cpu_watch_page(const struct cpu_watches *watches, uint64_t page)
{
    for (unsigned i = 0; i < watches->count; i++)
        if (meet(page, PAGE_SIZE_Z, watches->watch[i].address, watches->watch[i].length))
            return true;
    return false;
}

static void note(struct cpu *cpu, uint64_t address, uint64_t length, unsigned kind)
{
    const struct cpu_watches *watches = cpu->sys->watches;
    struct cpu_watched *w = &cpu->watched;
    for (unsigned i = 0; length && i < watches->count; i++) {
        const struct cpu_watch *watch = &watches->watch[i];
        bool known = false;
        if (!(watch->kind & kind) || !meet(watch->address, watch->length, address, length))
            continue;
        for (unsigned k = 0; k < w->count; k++)
            known = known || (w->hits[k].watch == watch->address && w->hits[k].kind == watch->kind);
        if (!known && w->count < CPU_WATCHED) {
            const uint64_t at = address > watch->address ? address : watch->address;
            w->hits[w->count++] = (struct cpu_watch_hit){.watch = watch->address, .address = at, .kind = watch->kind};
        }
        cpu->leave = true;
    }
}

void cpu_watch_note(struct cpu *cpu, const struct cpu_access *a, unsigned length)
{
    const bool dat = cpu->psw.mask & PSW_DAT;
    const uint64_t mask = a->wide ? UINT64_MAX : cpu->address_mask;
    const unsigned kind = a->kind & CPU_UPDATE;
    if (a->test || !kind || (dat && (a->space == CPU_SPACE_REAL || a->space == CPU_SPACE_ABSOLUTE)))
        return;
    const uint64_t left = mask - a->address; /* bytes behind the first one before the range wraps */
    const uint64_t first = length - 1 > left ? left + 1 : length;
    note(cpu, a->address, first, kind);
    note(cpu, 0, length - first, kind);
}
