/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dynamic address translation, shared by the storage files of cpu/ only. PoP chapter 3. */
#ifndef ZRI_CPU_STORAGE_DAT_H
#define ZRI_CPU_STORAGE_DAT_H

#include "cpu/storage/access.h"

/* Address-space-control element, bits 0-63. */
#define ASCE_ORIGIN  PAGE_ADDRESS
#define ASCE_PRIVATE BIT64(55)
#define ASCE_REAL    BIT64(58)

/* Instruction-execution protection is on. */
static inline bool dat_no_execute(const struct cpu *cpu)
{
    return (cpu->cr[0] & CR0_IEP) && cpu_facility(cpu->sys, FACILITY_IEP);
}

#define DAT_LEVELS 5u /* tables that a translation goes through, at most */

/* One translated page. */
struct dat_result {
    uint64_t absolute;            /* of the byte */
    bool protect;                 /* DAT protection: stores are not allowed */
    bool no_execute;              /* instruction-execution protection */
    bool acc_valid;               /* `acc` replaces the storage key's ACC and F (EDAT large frame) */
    uint8_t acc;                  /* key byte form: ACC and F */
    bool paged;                   /* the last entry is of a page table */
    uint8_t count;                /* table entries used: 0 to DAT_LEVELS */
    uint64_t entries[DAT_LEVELS]; /* their absolute addresses, the topmost first */
};

/* The steps of a translation for people: called for each table entry read. */
struct cpu_walk_step {
    const char *what; /* "region first table", "segment table", "page table", "prefixing" ... */
    uint64_t origin;  /* real or absolute address of the table */
    unsigned index;   /* of the entry */
    uint64_t entry_address;
    uint64_t entry; /* its contents */
};
typedef void dat_step(void *context, const struct cpu_walk_step *step);

/* Translate `address` by `asce`. Reports each entry read to `step` (may be NULL). Returns 0 or a translation exception,
   translation specification or addressing; sets nothing in the CPU. */
int dat_translate(const struct cpu *cpu, uint64_t asce, uint64_t address, struct dat_result *result, dat_step *step,
                  void *context) MUST_USE;

/* A space that an access uses. */
struct dat_space {
    uint64_t asce;
    unsigned identification; /* for bits 62-63 of the TEID */
    bool fetch_only;
};
/* The ASCE of `space` now (DAT on). Returns 0 or an exception of access-register translation. */
int dat_space(struct cpu *cpu, enum cpu_space space, unsigned ar, struct dat_space *result) MUST_USE;

/* Translate as an access would but without effects (no reference bit, no TLB), reporting each step. Returns 0 or the
   code; on 0 *absolute, which may lie outside storage, and *protect (DAT or access-list-controlled protection). */
int cpu_walk(struct cpu *cpu, enum cpu_space space, unsigned ar, uint64_t address, dat_step *step, void *context,
             uint64_t *absolute, bool *protect) MUST_USE;

#endif
