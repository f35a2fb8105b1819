/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control instructions that deal with pages: locks in page tables, and what a guest tells of its pages. Neither is in
   the Principles of Operation of z/Architecture: LOCK PAGE comes from ESA/390, EXTRACT AND SET STORAGE ATTRIBUTES is
   what Linux uses (arch/s390: page-states.h). */
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "cpu/storage/dat.h"

#define LOCK_REQUEST  BIT64(54) /* general register 0: one locks, zero unlocks */
#define LOCK_RESERVED (BIT64(48) | BIT64(49) | BIT64(50) | BIT64(51) | BIT64(52) | BIT64(53) | BIT64(55))
#define PTE_LOCK      BIT64(63)

/* What LOCK PAGE keeps of a translation. */
struct walked {
    uint64_t address, entry; /* of the page-table entry */
    bool page;
};

static void remember(void *context, const struct cpu_walk_step *step)
{
    struct walked *w = context;
    w->page = !strcmp(step->what, "page table");
    w->address = step->entry_address;
    w->entry = step->entry;
}

/* LOCK PAGE: the lock bit, 63, of the page-table entry for the address in R2 is set to one (bit 54 of general register
   0 one), and R1 receives the real address, or is set to zero. CC: 0 done; 1 it was so already; 3 there is no entry, or
   to be locked no translation. Exceptions: privileged operation; special operation (DAT off); specification (bits 48-53
   and 55 of general register 0); addressing and translation specification (tables). */
int cpu_lkpg(struct cpu *cpu, const struct dis_insn *i)
{
    struct walked w = {.page = false};
    const bool lock = cpu->gr[0] & LOCK_REQUEST;
    uint64_t absolute;
    bool protect;
    if (!(cpu->psw.mask & PSW_DAT))
        return PIC_SPECIAL_OPERATION;
    if (cpu->gr[0] & LOCK_RESERVED)
        return PIC_SPECIFICATION;
    int code =
        cpu_walk(cpu, CPU_SPACE_CURRENT, i->r2, cpu->gr[i->r2] & cpu->address_mask, remember, &w, &absolute, &protect);
    if (code == PIC_ADDRESSING || (code == PIC_TRANSLATION_SPECIFICATION && (lock || !w.page)))
        return code;
    if (!w.page) {
        cpu->cc = 3;
        return 0;
    }
    cpu->cc = lock == !!(w.entry & PTE_LOCK);
    if (cpu->cc)
        return 0;
    if (lock && code) {
        cpu->cc = 3;
        return 0;
    }
    put64(cpu->sys->storage.bytes + w.address, w.entry ^ PTE_LOCK); /* the walk found it in storage */
    cpu_code_stored(cpu, w.address, 8);
    if (lock)
        cpu->gr[i->r1] = cpu_real_to_absolute(cpu, absolute); /* prefixing is its own inverse */
    return 0;
}

/* Operation-request codes of EXTRACT AND SET STORAGE ATTRIBUTES. */
enum {
    ESSA_EXTRACT,
    ESSA_STABLE,
    ESSA_UNUSED,
    ESSA_VOLATILE,
    ESSA_POTENTIALLY_VOLATILE,
    ESSA_STABLE_RESIDENT,
    ESSA_STABLE_IF_RESIDENT,
    ESSA_STABLE_NO_DAT,
};

/* EXTRACT AND SET STORAGE ATTRIBUTES: R1 receives the state of the 4K-byte block at the absolute address in R2: usage
   in bits 60-61 (stable, unused, potentially volatile, volatile), bit 58 no translation tables in it; M3 then chooses a
   new one. Every block is resident here and stays so, whatever its usage: bits 62-63 are zero. CC: unchanged.
   Exceptions: operation; privileged operation; specification (M3); addressing. */
int cpu_essa(struct cpu *cpu, const struct dis_insn *i)
{
    static const uint8_t usage[] = {
        [ESSA_STABLE] = PAGE_STABLE,
        [ESSA_UNUSED] = PAGE_UNUSED,
        [ESSA_VOLATILE] = PAGE_VOLATILE,
        [ESSA_POTENTIALLY_VOLATILE] = PAGE_POTENTIALLY_VOLATILE,
        [ESSA_STABLE_RESIDENT] = PAGE_STABLE,
        [ESSA_STABLE_IF_RESIDENT] = PAGE_STABLE,
        [ESSA_STABLE_NO_DAT] = PAGE_STABLE | PAGE_NO_DAT,
    };
    const uint64_t address = cpu->gr[i->r2];
    if (i->m3 > (cpu_facility(cpu->sys, FACILITY_NO_DAT) ? ESSA_STABLE_NO_DAT : ESSA_STABLE_IF_RESIDENT))
        return PIC_SPECIFICATION;
    if (!storage_has(&cpu->sys->storage, address, 1))
        return PIC_ADDRESSING;
    uint8_t *flags = &cpu->sys->storage.page_flags[address >> PAGE_BITS], was, now;
    was = __atomic_load_n(flags, __ATOMIC_RELAXED);
    do { /* other CPUs may change other bits meanwhile */
        uint8_t keep = i->m3 == ESSA_STABLE ? 0 : was & PAGE_NO_DAT;
        now = i->m3 == ESSA_EXTRACT ? was : (uint8_t)((was & ~PAGE_STATE) | keep | usage[i->m3]);
    } while (!__atomic_compare_exchange_n(flags, &was, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    cpu->gr[i->r1] = was & PAGE_STATE;
    return 0;
}
