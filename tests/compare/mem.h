/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random comparison of instructions on long storage operands: the layout of the image that every machine runs. */
#ifndef ZRI_TESTS_COMPARE_MEM_H
#define ZRI_TESTS_COMPARE_MEM_H

#include "disasm/dis.h"
#include "tests/compare/compare.h"

enum {
    AT_SLOT = 0x6800,        /* the instruction (or the EXRL that carries it out), SVC */
    AT_TARGET = 0x6900,      /* the target of EXRL */
    AT_LOOP = 0x7800,        /* the same for one that may end with condition code 3, BRC 1 back to it, SVC */
    AT_DATA = 0x8e00,        /* 1,024 bytes of operands, half of them in either page */
    AT_TABLE = 0x40000,      /* tables that are never stored into, 256K bytes */
    AT_DICTIONARY = 0x80000, /* of COMPRESSION CALL, eight of 64K bytes each */
    DICTIONARY_ROOM = 0x10000,
    DICTIONARIES = 8,
    CASE_SIZE = 4096,
    DATA_SIZE = 1024,
    TABLE_SIZE = 0x40000,
};

/* Offsets in a case: what goes in, and from OUT_GR on what came out. */
enum {
    IN_GR = 0,
    IN_PSW = 128,
    IN_SLOT = 144,
    IN_TARGET = 176,
    IN_DATA = 512,
    OUT_GR = 2048,
    OUT_OLD = 2176,   /* SVC old PSW, program old PSW */
    OUT_CODES = 2208, /* real 136-147: SVC and program codes, DXC */
    OUT_DATA = 2560,
};

/* Is the difference between our case and the peer's one of its known faults (guides/oracles.md)? */
bool mem_known(const uint8_t *ours, const uint8_t *theirs, const char *peer);

#endif
