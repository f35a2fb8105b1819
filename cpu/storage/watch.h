/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watchpoints of a debugger: storage whose accesses end a run. No guest can tell: a page with a watched byte is not let
   through by translation contexts, so that accesses to it come by the slow paths, which look here. Other pages cost
   nothing. What is stored without a logical address, by an interruption or a device, is told here by who does it. */
#ifndef ZRI_CPU_STORAGE_WATCH_H
#define ZRI_CPU_STORAGE_WATCH_H

#include "cpu/storage/access.h"

#define CPU_WATCHES 64u

/* What the address of a watchpoint is. Logical ones are watched in every address space; real ones as every CPU has
   them. */
enum cpu_watch_space { CPU_WATCH_LOGICAL, CPU_WATCH_REAL, CPU_WATCH_ABSOLUTE };

/* Who has made an access: an instruction; the CPU by itself, in an interruption say; or a device, the service processor
   or DIAGNOSE. */
enum cpu_watch_who { CPU_WATCH_INSTRUCTION, CPU_WATCH_MACHINE, CPU_WATCH_OUTSIDE };

struct cpu_watch {
    uint64_t address, length; /* length not zero; the range does not wrap */
    uint8_t kind;             /* CPU_FETCH, CPU_STORE or CPU_UPDATE (both) */
    uint8_t space;            /* enum cpu_watch_space */
};

/* Those of a machine, in force on all CPUs. */
struct cpu_watches {
    unsigned count;
    struct cpu_watch watch[CPU_WATCHES];
};

/* From now on these are in force (NULL: none); the caller owns them and leaves them alone until the next call. All CPUs
   stand. */
void cpu_watch_set(struct cpu_system *sys, const struct cpu_watches *watches);

/* Is something watched in the page at a logical address, which is in the frame at an absolute one? A context then lets
   nothing through to it, neither fetches nor stores: handlers of updates ask for the right to store alone. */
bool cpu_watch_page(const struct cpu *cpu, uint64_t page, uint64_t frame) __attribute__((pure));

/* An access of `length` bytes is being carried out: those that are watched by logical addresses are noted in
   cpu->watched, and the run ends behind the instruction. Real and absolute addresses count as logical ones only while
   DAT is off. */
void cpu_watch_note(struct cpu *cpu, const struct cpu_access *access, unsigned length);
/* The same for what is watched by real and absolute addresses: a part of that access, of at least one byte and within a
   page. */
void cpu_watch_part(struct cpu *cpu, uint64_t absolute, unsigned length, unsigned kind);

/* This CPU has stored without a logical address. Logical watchpoints count where they lead, on any CPU, by its
   translation as it is now; of a longer one its first 64 pages while DAT is on. */
void cpu_watch_stored(struct cpu *cpu, uint64_t absolute, uint64_t length, enum cpu_watch_who who);

/* Nobody of the CPUs has: it is noted for the one that is running. */
void cpu_watch_outside(struct cpu_system *sys, uint64_t absolute, uint64_t length);

#endif
