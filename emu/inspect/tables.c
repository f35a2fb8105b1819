/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries of translation tables for people. PoP chapter 3, "Translation Tables". */
#include "emu/inspect/tables.h"
#include <stdio.h>
#include <string.h>

enum { PAGE_INVALID = 53, TABLE_INVALID = 58, TABLE_FORMAT_CONTROL = 53, COMMON = 59 };

/* Fields of table entries, PoP's bit numbers. */
static const struct inspect_field fields[] = {
    {INSPECT_REGION, 0, 51, "origin", "next table"},
    {INSPECT_SEGMENT, 0, 52, "page_table", "page table"},
    {INSPECT_FRAME_2G, 0, 32, "frame", "frame"},
    {INSPECT_FRAME_1M, 0, 43, "frame", "frame"},
    {INSPECT_PAGE, 0, 51, "frame", "frame"},
    {INSPECT_LARGE, 47, 47, "av", "key given (AV)"},
    {INSPECT_LARGE, 48, 51, "acc", "access-control bits"},
    {INSPECT_LARGE, 52, 52, "fetch_protection", "fetch protection"},
    {INSPECT_LARGE, TABLE_FORMAT_CONTROL, TABLE_FORMAT_CONTROL, "fc", "format control"},
    {INSPECT_PAGE, 52, 52, "zero", "bit 52 (must be 0)"},
    {INSPECT_PAGE, PAGE_INVALID, PAGE_INVALID, "invalid", "invalid"},
    {INSPECT_REGION | INSPECT_SEGMENT | INSPECT_LARGE | INSPECT_PAGE, 54, 54, "protection", "protection"},
    {INSPECT_LARGE | INSPECT_PAGE, 55, 55, "iep", "no execution"},
    {INSPECT_REGION, 56, 57, "table_offset", "offset"},
    {INSPECT_REGION | INSPECT_SEGMENT | INSPECT_LARGE, TABLE_INVALID, TABLE_INVALID, "invalid", "invalid"},
    {INSPECT_FRAME_2G | INSPECT_SEGMENT | INSPECT_FRAME_1M, COMMON, COMMON, "common", "common"},
    {INSPECT_REGION | INSPECT_SEGMENT | INSPECT_LARGE, 60, 61, "table_type", "type"},
    {INSPECT_REGION, 62, 63, "table_length", "length"},
};

static const char *const table_names[] = {"segment table", "region third table", "region second table",
                                          "region first table"};

const struct inspect_field *inspect_field(unsigned n) { return n < sizeof fields / sizeof *fields ? &fields[n] : NULL; }

uint64_t inspect_field_value(const struct inspect_field *field, uint64_t entry)
{
    return field->first == 0 ? entry & ~(BIT64(field->last) - 1) : field64(entry, field->first, field->last);
}

int inspect_level(const char *what)
{
    for (int i = 0; i < 4; i++)
        if (strcmp(what, table_names[i]) == 0)
            return i;
    return -1;
}

static bool edat(const struct cpu *cpu, unsigned facility)
{
    return (cpu->cr[0] & CR0_EDAT) && cpu_facility(cpu->sys, facility);
}

unsigned inspect_kind(const struct cpu *cpu, int level, uint64_t entry)
{
    const bool format = entry & BIT64(TABLE_FORMAT_CONTROL);
    if (level < 0)
        return INSPECT_PAGE;
    if (level == 0)
        return format && edat(cpu, FACILITY_EDAT1) ? INSPECT_FRAME_1M : INSPECT_SEGMENT;
    return level == 1 && format && edat(cpu, FACILITY_EDAT2) ? INSPECT_FRAME_2G : INSPECT_REGION;
}

bool inspect_invalid(unsigned kind, uint64_t entry)
{
    return entry & (kind == INSPECT_PAGE ? BIT64(PAGE_INVALID) : BIT64(TABLE_INVALID));
}

bool inspect_wrong(int level, unsigned kind, uint64_t entry, uint64_t asce, char *why, size_t size)
{
    if (inspect_invalid(kind, entry))
        return false;
    if (kind == INSPECT_PAGE && (entry & BIT64(52)))
        snprintf(why, size, "bit 52 of the page-table entry is one");
    else if (kind == INSPECT_PAGE)
        return false;
    else if (field64(entry, 60, 61) != (uint64_t)level)
        snprintf(why, size, "bits 60-61 (type) are %u, and an entry of a %s has %d there",
                 (unsigned)field64(entry, 60, 61), table_names[level & 3], level);
    else if (kind != INSPECT_REGION && (entry & BIT64(COMMON)) && (asce & ASCE_PRIVATE))
        snprintf(why, size, "bit 59 (common) is one in a private space (bit 55 of the ASCE is one)");
    else
        return false;
    return true;
}

unsigned inspect_asce_register(const struct cpu *cpu, enum cpu_space space)
{
    static const uint8_t of_psw[] = {[AS_PRIMARY] = CPU_SPACE_PRIMARY,
                                     [AS_SECONDARY] = CPU_SPACE_SECONDARY,
                                     [AS_HOME] = CPU_SPACE_HOME,
                                     [AS_ACCESS_REGISTER] = CPU_SPACE_AR};
    if (space == CPU_SPACE_CURRENT)
        space = cpu->psw.mask & PSW_DAT ? of_psw[field64(cpu->psw.mask, 16, 17)] : CPU_SPACE_REAL;
    return space == CPU_SPACE_PRIMARY ? 1 : space == CPU_SPACE_SECONDARY ? 7 : space == CPU_SPACE_HOME ? 13 : 0;
}

void inspect_asce_words(uint64_t asce, char *words, size_t size)
{
    if (asce & ASCE_REAL)
        snprintf(words, size, "real space");
    else
        snprintf(words, size, "%s, length %u", table_names[field64(asce, 60, 61)], (unsigned)field64(asce, 62, 63));
}
