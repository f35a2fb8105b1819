/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation contexts: a small pool for each CPU, so that a change of PSW or control registers only switches. */
#ifndef ZRI_CPU_STORAGE_TLB_H
#define ZRI_CPU_STORAGE_TLB_H

#include "cpu/storage/access.h"

#define TLB_CONTEXTS 16u

struct tlb_pool {
    struct tlb contexts[TLB_CONTEXTS];
    struct tlb empty; /* of the access-register mode: every access goes the slow way */
    uint64_t clock;   /* for replacement */
};

/* Make / end the pool of a CPU. 0 or -ENOMEM. */
int tlb_create(struct cpu *cpu) MUST_USE;
void tlb_destroy(struct cpu *cpu);

/* Choose cpu->tlb and cpu->fetch_tlb for the PSW and control registers as they are now. */
void tlb_select(struct cpu *cpu);

/* Storage now holds decoded code in [absolute, absolute+length): stores to those pages are watched. Called by the
 * engines. */
void storage_code_mark(struct cpu_system *sys, uint64_t absolute, uint64_t length);
/* Threads: the same before the code is looked at. False: it must not be yet, a CPU may store there unseen; come back
   alone. */
bool storage_code_claim(struct cpu_system *sys, uint64_t absolute, unsigned length) MUST_USE;

#endif
