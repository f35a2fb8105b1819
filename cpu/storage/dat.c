/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dynamic address translation: region, segment and page tables, large frames. PoP chapter 3 (SA22-7832-13). */
#include "cpu/storage/dat.h"
#include "cpu/storage/art.h"

/* Table entries. */
#define ENTRY_ORIGIN PAGE_ADDRESS
#define ENTRY_AV     BIT64(47) /* access-control-bits and fetch-protection validity, large frames */
#define ENTRY_FC     BIT64(53) /* format control: a large frame */
#define ENTRY_P      BIT64(54)
#define ENTRY_IEP    BIT64(55)
#define ENTRY_I      BIT64(58)
#define ENTRY_COMMON BIT64(59)
#define PTE_ZERO     BIT64(52)
#define PTE_I        BIT64(53)
#define PTE_P        BIT64(54)
#define PTE_IEP      BIT64(55)
#define STE_PTO      (~UINT64_C(0x7ff))

/* Levels by the DT and TT codes: 0 segment, 1 region third, 2 second, 3 first. */
static const char *const table_names[4] = {"segment table", "region third table", "region second table",
                                           "region first table"};
static const uint8_t index_first_bit[4] = {33, 22, 11, 0};
static const int missing[4] = {PIC_SEGMENT_TRANSLATION, PIC_REGION_THIRD_TRANSLATION, PIC_REGION_SECOND_TRANSLATION,
                               PIC_REGION_FIRST_TRANSLATION};

struct walk {
    const struct cpu *cpu;
    uint64_t asce, address;
    struct dat_result *result;
    dat_step *step;
    void *context;
};

static int read_entry(const struct walk *w, const char *what, uint64_t origin, unsigned index, uint64_t *entry)
{
    uint64_t at = origin + 8 * (uint64_t)index;
    const struct storage *s = &w->cpu->sys->storage;
    if (!storage_has(s, at, 8))
        return PIC_ADDRESSING;
    *entry = get64(s->bytes + at);
    w->result->entries[w->result->count++] = at;
    if (w->step) {
        struct cpu_walk_step step = {what, origin, index, at, *entry};
        w->step(w->context, &step);
    }
    return 0;
}

static bool edat(const struct cpu *cpu, unsigned facility)
{
    return (cpu->cr[0] & CR0_EDAT) && cpu_facility(cpu->sys, facility);
}

static void large_frame(const struct walk *w, uint64_t entry, unsigned frame_bits)
{
    uint64_t low = (UINT64_C(1) << frame_bits) - 1;
    w->result->absolute = (entry & ~low) | (w->address & low);
    if (entry & ENTRY_AV) {
        w->result->acc_valid = true;
        w->result->acc = (uint8_t)(field64(entry, 48, 52) << 3);
    }
}

static void entry_protection(const struct walk *w, uint64_t entry)
{
    if (dat_no_execute(w->cpu) && (entry & ENTRY_IEP))
        w->result->no_execute = true;
}

static int page_table(const struct walk *w, uint64_t segment_entry)
{
    uint64_t entry;
    unsigned index = (unsigned)field64(w->address, 44, 51);
    int code = read_entry(w, "page table", segment_entry & STE_PTO, index, &entry);
    if (code)
        return code;
    if (entry & PTE_I)
        return PIC_PAGE_TRANSLATION;
    if (entry & PTE_ZERO)
        return PIC_TRANSLATION_SPECIFICATION;
    if (entry & PTE_P)
        w->result->protect = true;
    entry_protection(w, entry);
    w->result->paged = true;
    /* The page-frame address is real; those of large frames are absolute. */
    w->result->absolute = cpu_real_to_absolute(w->cpu, (entry & ENTRY_ORIGIN) | (w->address & 0xfff));
    return 0;
}

/* The tables from `level` (0-3) down. `length` and `offset` are the TL and TF that apply to this table. */
static int tables(const struct walk *w, int level, uint64_t origin, unsigned offset, unsigned length)
{
    for (;; level--) {
        uint64_t entry;
        unsigned index = (unsigned)field64(w->address, index_first_bit[level], index_first_bit[level] + 10u);
        if (index >> 9 < offset || index >> 9 > length)
            return missing[level];
        int code = read_entry(w, table_names[level], origin, index, &entry);
        if (code)
            return code;
        if (entry & ENTRY_I)
            return missing[level];
        if (field64(entry, 60, 61) != (uint64_t)level)
            return PIC_TRANSLATION_SPECIFICATION;
        bool large = (entry & ENTRY_FC) &&
                     ((level == 0 && edat(w->cpu, FACILITY_EDAT1)) || (level == 1 && edat(w->cpu, FACILITY_EDAT2)));
        if ((level == 0 || large) && (entry & ENTRY_COMMON) && (w->asce & ASCE_PRIVATE))
            return PIC_TRANSLATION_SPECIFICATION;
        if ((level == 0 || edat(w->cpu, FACILITY_EDAT1)) && (entry & ENTRY_P))
            w->result->protect = true;
        if (large) {
            entry_protection(w, entry);
            large_frame(w, entry, level == 0 ? 20 : 31);
            return 0;
        }
        if (level == 0)
            return page_table(w, entry);
        origin = entry & ENTRY_ORIGIN;
        offset = (unsigned)field64(entry, 56, 57);
        length = (unsigned)field64(entry, 62, 63);
    }
}

int dat_translate(const struct cpu *cpu, uint64_t asce, uint64_t address, struct dat_result *result, dat_step *step,
                  void *context)
{
    struct walk w = {cpu, asce, address, result, step, context};
    *result = (struct dat_result){0};
    if (asce & ASCE_REAL) {
        result->absolute = cpu_real_to_absolute(cpu, address);
        return 0;
    }
    int level = (int)field64(asce, 60, 61);
    unsigned first = index_first_bit[level];
    if (first && address >> (64 - first))
        return PIC_ASCE_TYPE;
    return tables(&w, level, asce & ASCE_ORIGIN, 0, (unsigned)field64(asce, 62, 63));
}

int dat_space(struct cpu *cpu, enum cpu_space space, unsigned ar, struct dat_space *result)
{
    static const uint8_t of_psw[4] = {CPU_SPACE_PRIMARY, CPU_SPACE_AR, CPU_SPACE_SECONDARY, CPU_SPACE_HOME};
    if (space == CPU_SPACE_CURRENT)
        space = of_psw[field64(cpu->psw.mask, 16, 17)];
    *result = (struct dat_space){.asce = cpu->cr[1], .identification = AS_PRIMARY};
    switch (space) {
    case CPU_SPACE_AR:
        result->identification = AS_ACCESS_REGISTER;
        return art_translate(cpu, ar, &result->asce, &result->fetch_only);
    case CPU_SPACE_SECONDARY:
        *result = (struct dat_space){.asce = cpu->cr[7], .identification = AS_SECONDARY};
        return 0;
    case CPU_SPACE_HOME:
        *result = (struct dat_space){.asce = cpu->cr[13], .identification = AS_HOME};
        return 0;
    default:
        return 0;
    }
}

int cpu_walk(struct cpu *cpu, enum cpu_space space, unsigned ar, uint64_t address, dat_step *step, void *context,
             uint64_t *absolute, bool *protect)
{
    struct dat_result result = {0};
    struct dat_space from = {0};
    bool dat = space != CPU_SPACE_REAL && space != CPU_SPACE_ABSOLUTE;
    if (space == CPU_SPACE_CURRENT && !(cpu->psw.mask & PSW_DAT)) {
        dat = false;
        space = CPU_SPACE_REAL;
    }
    if (dat) {
        int code = dat_space(cpu, space, ar, &from);
        if (!code)
            code = dat_translate(cpu, from.asce, address, &result, step, context);
        if (code)
            return code;
    } else {
        result.absolute = space == CPU_SPACE_ABSOLUTE ? address : cpu_real_to_absolute(cpu, address);
    }
    *absolute = result.absolute;
    *protect = result.protect || from.fetch_only;
    return 0;
}
