/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries of translation tables for people: their fields by name, and what is wrong with them. PoP chapter 3,
   "Translation Tables". */
#ifndef ZRI_EMU_INSPECT_TABLES_H
#define ZRI_EMU_INSPECT_TABLES_H

#include "cpu/storage/dat.h"

/* Kinds of entries: a field stands in some of them. */
enum {
    INSPECT_REGION = 1,
    INSPECT_SEGMENT = 2,
    INSPECT_PAGE = 4,
    INSPECT_FRAME_2G = 8,
    INSPECT_FRAME_1M = 16,
    INSPECT_LARGE = INSPECT_FRAME_2G | INSPECT_FRAME_1M
};

/* A field of table entries, PoP's bit numbers. */
struct inspect_field {
    uint8_t kinds, first, last;
    const char *name, *words; /* for programs, for people */
};
/* The n-th, NULL: there are no more. */
const struct inspect_field *inspect_field(unsigned n);
/* The field as a value; an address keeps its place. */
uint64_t inspect_field_value(const struct inspect_field *field, uint64_t entry);

/* The level of a table by its name, 0 segment ... 3 region first; negative: another step of a walk. */
int inspect_level(const char *what);
/* The kind of an entry of a table of that level (negative: a page table). */
unsigned inspect_kind(const struct cpu *cpu, int level, uint64_t entry);
/* It has the invalid bit. */
bool inspect_invalid(unsigned kind, uint64_t entry);
/* What makes an entry wrong in itself, a part of a sentence; false: nothing does. `asce`: that of the walk. */
bool inspect_wrong(int level, unsigned kind, uint64_t entry, uint64_t asce, char *why, size_t size);

/* The control register that has the ASCE of a space now; 0: none has. */
unsigned inspect_asce_register(const struct cpu *cpu, enum cpu_space space);
/* "segment table, length 3", "real space". */
void inspect_asce_words(uint64_t asce, char *words, size_t size);

#endif
