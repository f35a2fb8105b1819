/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random comparison of control instructions: where things are, in storage and in a case.
   Four address spaces of one segment table each: the primary maps the first megabyte to itself, the others have pages
   of their own for the data. Every space has, beside its data, pages that are invalid or protected and segments that
   are invalid, protected or malformed. */
#ifndef ZRI_TESTS_COMPARE_CONTROL_H
#define ZRI_TESTS_COMPARE_CONTROL_H

#include "disasm/dis.h"
#include "tests/compare/compare.h"

enum {
    AT_CODE = 0x6000, /* two pages of SVC, so that a branch to anywhere in it is seen by its address */
    AT_DATA = 0x8f80, /* 256 bytes in two pages; the other spaces have theirs 8K, 16K and 24K bytes behind */
    DATA_SIZE = 256,
    AT_STACK = 0x10000, /* linkage stack: header, room for two state entries */
    STACK_SIZE = 512,
    AT_TRACE = 0x12000,
    TRACE_SIZE = 96,
    AT_TABLES = 0x40000, /* segment tables of the four spaces, then page tables */
    AT_PAGE_TABLES = 0x44000,
    AT_DUCT = 0x46000,
    AT_LIST = 0x46080, /* access list */
    AT_AUTHORITY = 0x46200,
    AT_ASN_FIRST = 0x47000,
    AT_ASN_SECOND = 0x48000, /* ASTEs of 64 bytes: ASN 1 primary, 2 secondary, 3 a further space, 4 invalid ... */
    AT_LINKAGE = 0x4a000,
    AT_ENTRIES = 0x4b000,
    AT_TABLES_END = 0x4c000,
    AT_CASE_PAGES = 0x50000, /* page tables of the storage with the cases, which every space maps to itself */
    PAGE_INVALID = 0xa000,   /* logical addresses */
    PAGE_PROTECTED = 0xb000,
    SEGMENT_INVALID = 0x1f008000,
    SEGMENT_PROTECTED = 0x1f108000,
    SEGMENT_MALFORMED = 0x1f208000,
    SPACES = 4,
    KEYS = 8, /* pages from X'8000' on */
    CASE_SIZE = 8192,
};

enum {
    IN_GR = 0,
    IN_PSW = 128,
    IN_AR = 144,
    IN_CR = 208,
    IN_KEYS = 336,
    IN_TARGET = 352, /* EXRL leads here */
    IN_SLOT = 368,   /* 64 bytes */
    IN_PTES = 432,   /* page-table entries of the primary space for the data and behind: 32 bytes */
    IN_STES = 464,   /* segment-table entries of the bad segments of the primary space: 24 bytes */
    IN_DATA = 512,   /* of the four spaces */
    IN_STACK = 1536,
    IN_TRACE = 2048,
    IN_FIRST = 2304, /* first 128 bytes of the first data page of every space, for MOVE PAGE */
    OUT_GR = 4096,
    OUT_AR = 4096 + 128,
    OUT_CR = 4096 + 192,
    OUT_OLD = 4096 + 320,
    OUT_CODES = 4096 + 352, /* real 136-183 */
    OUT_KEYS = 4096 + 400,
    OUT_PTES = 4096 + 408,
    OUT_STES = 4096 + 440,
    OUT_DATA = 4096 + 512,
    OUT_STACK = 4096 + 1536,
    OUT_TRACE = 4096 + 2048,
    OUT_END = 4096 + 2048 + TRACE_SIZE,
};

/* Is the difference one of the peer's known faults? */
bool control_known(const uint8_t *ours, const uint8_t *theirs, const char *peer);
/* Fill in the tables of the four spaces. */
void control_tables(uint8_t *image);

#endif
