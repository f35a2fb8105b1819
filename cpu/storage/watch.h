/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watchpoints of a debugger: logical addresses whose accesses by instructions end a run. No guest can tell: a page with
   a watched byte is not let through by translation contexts, so that accesses to it come by the slow paths, which look
   here. Other pages cost nothing. */
#ifndef ZRI_CPU_STORAGE_WATCH_H
#define ZRI_CPU_STORAGE_WATCH_H

#include "cpu/storage/access.h"

#define CPU_WATCHES 64u

struct cpu_watch {
    uint64_t address, length; /* length not zero; the range does not wrap */
    uint8_t kind;             /* CPU_FETCH, CPU_STORE or CPU_UPDATE (both) */
};

/* Those of a machine, in force on all CPUs and in every address space. */
struct cpu_watches {
    unsigned count;
    struct cpu_watch watch[CPU_WATCHES];
};

/* From now on these are in force (NULL: none); the caller owns them and leaves them alone until the next call. All CPUs
   stand. */
void cpu_watch_set(struct cpu_system *sys, const struct cpu_watches *watches);

/* Is something watched in the page at a logical address? A context then lets nothing through to it, neither fetches nor
   stores: handlers of updates ask for the right to store alone. */
bool cpu_watch_page(const struct cpu_watches *watches, uint64_t page) __attribute__((pure));

/* An access of `length` bytes is being carried out: those that are watched are noted in cpu->watched, and the run ends
   behind the instruction. Real and absolute addresses count as logical ones only while DAT is off. */
void cpu_watch_note(struct cpu *cpu, const struct cpu_access *access, unsigned length);

#endif
