/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control instructions of dynamic address translation and of real storage. PoP chapter 10 (SA22-7832-13). */
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "cpu/storage/dat.h"
#include "cpu/storage/tables.h"
#include "cpu/storage/tlb.h"

/* What LOAD REAL ADDRESS keeps of a translation: the last table entry that was read. */
struct last_entry {
    uint64_t address, entry;
    bool any, segment, page; /* kind of table */
};

static void remember_entry(void *context, const struct cpu_walk_step *step)
{
    struct last_entry *last = context;
    last->segment = !strcmp(step->what, "segment table");
    last->page = !strcmp(step->what, "page table");
    if (last->segment || last->page || strstr(step->what, "table")) {
        last->any = true;
        last->address = step->entry_address;
        last->entry = step->entry;
    }
}

#define STE_INVALID BIT64(58)
#define PTE_INVALID BIT64(53)

/* Where a segment-table entry would be that lies outside of its table: behind the last region-table entry, or the
   address-space-control element. */
static uint64_t missing_segment_entry(struct cpu *cpu, enum cpu_space space, unsigned ar, uint64_t address,
                                      const struct last_entry *last)
{
    struct dat_space from = {0};
    if (!last->any && dat_space(cpu, space, ar, &from))
        return ~UINT64_C(0);
    return ((last->any ? last->entry : from.asce) & PAGE_ADDRESS) + 8 * field64(address, 33, 43);
}

/* LOAD REAL ADDRESS, all forms. CC: 0 translated, R1 = real address; 1 segment-table entry invalid, 2 page-table entry
   invalid, R1 = address of that entry; 3 not available, R1 bits 48-63 = exception code, bit 32 one. The 32-bit forms
   outside the 64-bit mode give CC 3 too when the address does not fit 31 bits. Reading: where the segment-table entry
   lies outside of its table, R1 bits 32-63 are the entry's address, in every form and mode, if it fits 31 bits; else
   the exception code. Exceptions: privileged operation; addressing; translation specification. */
static int load_real_address(struct cpu *cpu, const struct dis_insn *i, bool wide)
{
    static const uint8_t space_of[4] = {CPU_SPACE_PRIMARY, CPU_SPACE_AR, CPU_SPACE_SECONDARY, CPU_SPACE_HOME};
    struct last_entry last = {0};
    uint64_t absolute, result = 0, address = cpu_ea2(cpu, i);
    bool protect;
    wide = wide || (cpu->psw.mask & PSW_EA);
    const enum cpu_space space = space_of[field64(cpu->psw.mask, 16, 17)];
    int code = cpu_walk(cpu, space, i->b2, address, remember_entry, &last, &absolute, &protect);
    uint32_t what = BIT32(0) | (uint32_t)code;
    unsigned cc = 0;
    if (code == PIC_ADDRESSING || code == PIC_TRANSLATION_SPECIFICATION)
        return code;
    if (!code) {
        result = cpu_real_to_absolute(cpu, absolute); /* prefixing is its own inverse */
    } else if (code == PIC_SEGMENT_TRANSLATION && last.segment && (last.entry & STE_INVALID)) {
        cc = 1;
        result = last.address;
    } else if (code == PIC_PAGE_TRANSLATION && last.page && (last.entry & PTE_INVALID)) {
        cc = 2;
        result = last.address;
    } else {
        cc = 3;
        if (code == PIC_SEGMENT_TRANSLATION && !last.segment) {
            result = missing_segment_entry(cpu, space, i->b2, address, &last);
            what = result >> 31 ? what : (uint32_t)result;
        }
    }
    if (cc != 3 && !wide && result >> 31) {
        if (!code)
            return PIC_SPECIAL_OPERATION; /* the real address cannot be shown in 31 bits */
        cc = 3;
    }
    if (cc == 3)
        set_gr32(cpu, i->r1, what);
    else if (wide)
        cpu->gr[i->r1] = result;
    else
        set_gr32(cpu, i->r1, (uint32_t)result);
    cpu->cc = (uint8_t)cc;
    return 0;
}
int cpu_lra(struct cpu *cpu, const struct dis_insn *i) { return load_real_address(cpu, i, false); }
int cpu_lrag(struct cpu *cpu, const struct dis_insn *i) { return load_real_address(cpu, i, true); }

/* What LOAD PAGE TABLE ENTRY ADDRESS keeps of a translation. */
struct walked {
    uint64_t segment_address, page_address; /* of the entries; the last that is no page-table entry */
    bool protect;
    bool segment_invalid; /* invalid, or of a large frame */
    bool page;
};

static void remember_walk(void *context, const struct cpu_walk_step *step)
{
    struct walked *w = context;
    if (!strcmp(step->what, "page table")) {
        w->page = true;
        w->page_address = step->entry_address;
        return;
    }
    w->segment_address = step->entry_address;
    w->protect = w->protect || (step->entry & BIT64(54));
    w->segment_invalid = !strcmp(step->what, "segment table") && (step->entry & STE_INVALID);
}

/* LOAD PAGE TABLE ENTRY ADDRESS: the real address of the page-table entry for the address in R2 goes to R1. M4 chooses
   the space: 0 primary, 1 by access register R2, 2 secondary, 3 home, 4 that of the PSW. CC: 0 loaded; 1 loaded, and a
   segment- or region-table entry protects; 2 segment-table entry invalid or of a large frame, R1 = its address; 3 not
   available, R1 bits 48-63 = exception code, bit 32 one. Exceptions: privileged operation; specification (M4);
   addressing; translation specification. */
int cpu_lptea(struct cpu *cpu, const struct dis_insn *i)
{
    static const uint8_t space_of[4] = {CPU_SPACE_PRIMARY, CPU_SPACE_AR, CPU_SPACE_SECONDARY, CPU_SPACE_HOME};
    struct walked w = {.page = false};
    uint64_t absolute;
    bool protect;
    if (i->m4 > 4)
        return PIC_SPECIFICATION;
    unsigned as = i->m4 == 4 ? (unsigned)field64(cpu->psw.mask, 16, 17) : i->m4;
    int code =
        cpu_walk(cpu, space_of[as], i->r2, cpu->gr[i->r2] & cpu->address_mask, remember_walk, &w, &absolute, &protect);
    if (!w.page && (code == PIC_ADDRESSING || code == PIC_TRANSLATION_SPECIFICATION))
        return code;
    if (w.page) {
        cpu->gr[i->r1] = w.page_address;
        cpu->cc = w.protect;
    } else if (!code || w.segment_invalid) {
        cpu->gr[i->r1] = w.segment_address;
        cpu->cc = 2;
    } else {
        set_gr32(cpu, i->r1, BIT32(0) | (uint32_t)code);
        cpu->cc = 3;
    }
    return 0;
}

/* LOAD USING REAL ADDRESS (32), (64): R1 from the word or doubleword at the real address in R2. CC: unchanged.
   Exceptions: privileged operation; specification (boundary); addressing; protection (fetch, key-controlled). */
static int load_using_real(struct cpu *cpu, const struct dis_insn *i, unsigned size)
{
    uint8_t bytes[8];
    struct cpu_access access = {.address = cpu->gr[i->r2] & cpu->address_mask,
                                .space = CPU_SPACE_REAL,
                                .key = (uint8_t)cpu_key(cpu),
                                .kind = CPU_FETCH};
    if (access.address & (size - 1))
        return PIC_SPECIFICATION;
    int code = cpu_fetch_as(cpu, &access, bytes, size);
    if (code)
        return code;
    if (size == 8)
        cpu->gr[i->r1] = get64(bytes);
    else
        set_gr32(cpu, i->r1, get32(bytes));
    return 0;
}
int cpu_lura(struct cpu *cpu, const struct dis_insn *i) { return load_using_real(cpu, i, 4); }
int cpu_lurag(struct cpu *cpu, const struct dis_insn *i) { return load_using_real(cpu, i, 8); }

/* STORE USING REAL ADDRESS (32), (64): R1 to the word or doubleword at the real address in R2. CC: unchanged.
   Exceptions: privileged operation; specification (boundary); addressing; protection (key-controlled, low-address). */
static int store_using_real(struct cpu *cpu, const struct dis_insn *i, unsigned size)
{
    uint8_t bytes[8];
    struct cpu_access access = {.address = cpu->gr[i->r2] & cpu->address_mask,
                                .space = CPU_SPACE_REAL,
                                .key = (uint8_t)cpu_key(cpu),
                                .kind = CPU_STORE};
    if (access.address & (size - 1))
        return PIC_SPECIFICATION;
    if (size == 8)
        put64(bytes, cpu->gr[i->r1]);
    else
        put32(bytes, gr32(cpu, i->r1));
    return cpu_store_as(cpu, &access, bytes, size);
}
int cpu_stura(struct cpu *cpu, const struct dis_insn *i) { return store_using_real(cpu, i, 4); }
int cpu_sturg(struct cpu *cpu, const struct dis_insn *i) { return store_using_real(cpu, i, 8); }

/* PURGE TLB: of this CPU. CC: unchanged. Exceptions: privileged operation. */
int cpu_ptlb(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    tables_purge(cpu, true);
    return 0;
}

/* PURGE ALB: nothing is kept of access-register translations. CC: unchanged. Exceptions: privileged operation. */
int cpu_palb(struct cpu *cpu, const struct dis_insn *i)
{
    (void)cpu;
    (void)i;
    return 0;
}

/* The absolute address of the doubleword table entry at a real (64-bit) address, when the PSW key and low-address
   protection allow it to be fetched and stored. Returns 0, PIC_ADDRESSING or PIC_PROTECTION. */
static int table_entry(struct cpu *cpu, uint64_t real, uint64_t *absolute)
{
    struct cpu_access access = {
        .address = real & ~UINT64_C(7), .space = CPU_SPACE_REAL, .key = (uint8_t)cpu_key(cpu), .kind = CPU_UPDATE};
    return cpu_translate(cpu, &access, absolute);
}

/* Turn `on` on and `off` off in the table entry at a real address, as seen by other CPUs at once; *absolute receives
   its absolute address. */
static int change_entry(struct cpu *cpu, uint64_t real, uint64_t on, uint64_t off, uint64_t *absolute)
{
    int code = table_entry(cpu, real, absolute);
    if (code)
        return code;
    uint64_t *entry = (uint64_t *)(void *)(cpu->sys->storage.bytes + *absolute), was, now;
    was = __atomic_load_n(entry, __ATOMIC_SEQ_CST);
    do
        now = BE64((BE64(was) & ~off) | on);
    while (!__atomic_compare_exchange_n(entry, &was, now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    cpu_code_stored(cpu, *absolute, 8);
    return 0;
}

/* INVALIDATE PAGE TABLE ENTRY: the entry of the table whose origin is in R1 for the page index in bits 44-51 of R2
   (and, with R3 not zero and the IPTE-range facility, as many more as bits 56-63 of R3 say) becomes invalid; TLBs are
   purged of it. Addresses are of 64 bits in every mode. CC: unchanged. Exceptions: privileged operation; specification
   (range beyond the table); addressing; protection (key-controlled, low-address). */
int cpu_ipte(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t origin = cpu->gr[i->r1] & ~UINT64_C(0x7ff);
    unsigned index = (unsigned)field64(cpu->gr[i->r2], 44, 51), more = 0;
    if (i->r3 && cpu_facility(cpu->sys, FACILITY_IPTERANGE))
        more = (unsigned)cpu->gr[i->r3] & 0xff;
    if (index + more > 255)
        return PIC_SPECIFICATION;
    uint64_t entry;
    int code = 0;
    for (unsigned n = 0; n <= more && !code; n++) {
        code = change_entry(cpu, origin + 8 * (uint64_t)(index + n), PTE_INVALID, 0, &entry);
        if (!code)
            tables_purge_entry(cpu, entry, tlb_clears_locally(cpu, i->m4));
    }
    return code;
}

/* RESET DAT PROTECTION: the DAT-protection bit of the page-table entry that R1 and R2 designate, as for INVALIDATE PAGE
   TABLE ENTRY, becomes zero, and TLBs are purged of it. CC: unchanged. Exceptions: operation; privileged operation;
   addressing; protection (key-controlled, low-address). */
int cpu_rdp(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t origin = cpu->gr[i->r1] & ~UINT64_C(0x7ff), entry;
    int code = change_entry(cpu, origin + 8 * field64(cpu->gr[i->r2], 44, 51), 0, BIT64(54), &entry);
    if (!code)
        tables_purge_entry(cpu, entry, tlb_clears_locally(cpu, i->m4));
    return code;
}

/* INVALIDATE DAT TABLE ENTRY: with bit 52 of R2 zero, the region- or segment-table entries that R1 (origin, DT in bits
   60-61) and the index in R2 designate, bits 53-63 of R2 further ones, become invalid, and TLBs are purged of them.
   With bit 52 one they are purged of what was formed by the address-space-control element in R3; when that field is
   zero, of everything. CC: unchanged. Exceptions: operation; privileged operation; specification (bits 44-51 of R2 not
   zero, range beyond the table); addressing; protection (key-controlled, low-address). */
int cpu_idte(struct cpu *cpu, const struct dis_insn *i)
{
    static const uint8_t index_first[4] = {33, 22, 11, 0};
    const bool local = tlb_clears_locally(cpu, i->m4);
    int code = 0;
    if (field64(cpu->gr[i->r2], 44, 51))
        return PIC_SPECIFICATION;
    if (!(cpu->gr[i->r2] & BIT64(52))) {
        uint64_t origin = cpu->gr[i->r1] & PAGE_ADDRESS, entry;
        unsigned first = index_first[field64(cpu->gr[i->r1], 60, 61)];
        unsigned index = (unsigned)field64(cpu->gr[i->r2], first, first + 10u);
        unsigned more = (unsigned)field64(cpu->gr[i->r2], 53, 63);
        if (index + more > 2047)
            return PIC_SPECIFICATION;
        for (unsigned n = 0; n <= more && !code; n++) {
            code = change_entry(cpu, origin + 8 * (uint64_t)(index + n), STE_INVALID, 0, &entry);
            if (!code)
                tables_purge_entry(cpu, entry, local);
        }
    } else if (i->r3) {
        tables_purge_space(cpu, cpu->gr[i->r3], local);
    } else {
        tables_purge(cpu, local);
    }
    return code;
}

/* COMPARE AND REPLACE DAT TABLE ENTRY: the entry that R2 (origin, table type in bits 59-61) and the index in R2+1
   designate is compared with R1; equal: R1+1 replaces it and TLBs are purged; unequal: it goes to R1. CC: 0 equal, 1
   unequal. Exceptions: operation; privileged operation; specification (odd R1 or R2, table type); addressing;
   protection (key-controlled, low-address). */
int cpu_crdte(struct cpu *cpu, const struct dis_insn *i)
{
    unsigned type = (unsigned)field64(cpu->gr[i->r2], 59, 61);
    uint64_t address = cpu->gr[i->r2 | 1], origin = cpu->gr[i->r2];
    unsigned index;
    if (type != 0 && type < 4)
        return PIC_SPECIFICATION;
    if (type == 0) {
        origin &= ~UINT64_C(0x7ff);
        index = (unsigned)field64(address, 44, 51);
    } else {
        static const uint8_t index_first[4] = {33, 22, 11, 0};
        unsigned first = index_first[type & 3];
        origin &= PAGE_ADDRESS;
        index = (unsigned)field64(address, first, first + 10);
    }
    uint64_t absolute;
    int code = table_entry(cpu, origin + 8 * (uint64_t)index, &absolute);
    if (code)
        return code;
    uint8_t *host = cpu->sys->storage.bytes + absolute;
    uint64_t entry = get64(host);
    cpu->cc = entry != cpu->gr[i->r1];
    if (cpu->cc) {
        cpu->gr[i->r1] = entry;
        return 0;
    }
    put64(host, cpu->gr[i->r1 | 1]);
    cpu_code_stored(cpu, absolute, 8);
    tables_purge_entry(cpu, absolute, tlb_clears_locally(cpu, i->m4));
    return 0;
}

/* COMPARE AND SWAP AND PURGE (32), (64): as COMPARE AND SWAP with the storage operand at the address in R2 (rightmost
   bits not used); on equality bit 63 of R2 asks for the TLBs, bit 62 for the ALBs of all CPUs to be purged. CC: 0
   equal, R1+1 stored; 1 unequal, R1 loaded. Exceptions: privileged operation; specification (odd R1); access (fetch and
   store). */
static int swap_and_purge(struct cpu *cpu, const struct dis_insn *i, unsigned size)
{
    void *host;
    uint64_t address = cpu->gr[i->r2] & cpu->address_mask & ~(uint64_t)(size - 1);
    int code = cpu_interlocked(cpu, address, i->r2, size, &host);
    if (code)
        return code;
    bool equal;
    if (size == 8) {
        uint64_t expected = BE64(cpu->gr[i->r1]), new = BE64(cpu->gr[i->r1 | 1]);
        equal =
            __atomic_compare_exchange_n((uint64_t *)host, &expected, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        if (!equal)
            cpu->gr[i->r1] = BE64(expected);
    } else {
        uint32_t expected = BE32(gr32(cpu, i->r1)), new = BE32(gr32(cpu, i->r1 | 1));
        equal =
            __atomic_compare_exchange_n((uint32_t *)host, &expected, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        if (!equal)
            set_gr32(cpu, i->r1, BE32(expected));
    }
    cpu->cc = !equal;
    if (equal && (cpu->gr[i->r2] & 1))
        tables_purge(cpu, false);
    return 0;
}
int cpu_csp(struct cpu *cpu, const struct dis_insn *i) { return swap_and_purge(cpu, i, 4); }
int cpu_cspg(struct cpu *cpu, const struct dis_insn *i) { return swap_and_purge(cpu, i, 8); }

/* TEST PROTECTION: may the first operand be fetched and stored with the access key in bits 56-59 of the second-operand
   address? CC: 0 both, 1 fetch only, 2 neither, 3 translation not available. Exceptions: privileged operation;
   addressing; translation specification. */
int cpu_tprot(struct cpu *cpu, const struct dis_insn *i)
{
    struct cpu_access access = {.address = cpu_ea1(cpu, i),
                                .space = CPU_SPACE_CURRENT,
                                .ar = i->b1,
                                .key = (uint8_t)(cpu_ea2(cpu, i) >> 4 & 15),
                                .kind = CPU_FETCH,
                                .test = true};
    uint64_t absolute;
    int code = control_key_refused(cpu, access.key);
    if (code)
        return code;
    code = cpu_translate(cpu, &access, &absolute);
    if (code == PIC_PROTECTION) {
        cpu->cc = 2;
        return 0;
    }
    if (code == PIC_ADDRESSING || code == PIC_TRANSLATION_SPECIFICATION)
        return code;
    if (code) {
        cpu->cc = 3;
        return 0;
    }
    access.kind = CPU_STORE;
    cpu->cc = cpu_translate(cpu, &access, &absolute) ? 1 : 0;
    return 0;
}
