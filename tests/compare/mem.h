/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random comparison of instructions on long storage operands: the layout of the image that every machine runs. */
#ifndef ZRI_TESTS_COMPARE_MEM_H
#define ZRI_TESTS_COMPARE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AT_PSW = 0xf00,      /* PSW that starts the case; behind it that of the end */
    AT_NEXT = 0xf40,     /* address of the current case, then address behind the last one */
    AT_NUCLEUS = 0x1000, /* the loop that carries out the cases */
    AT_SLOT = 0x6800,    /* the instruction (or the EXRL that carries it out), SVC */
    AT_TARGET = 0x6900,  /* the target of EXRL */
    AT_LOOP = 0x7800,    /* the same for one that may end with condition code 3, BRC 1 back to it, SVC */
    AT_OUT = 0x7200,     /* registers of the current case at its end */
    AT_DATA = 0x8e00,    /* 1,024 bytes of operands, half of them in either page */
    AT_TABLE = 0x40000,  /* tables that are never stored into, 256K bytes */
    AT_CASES = 0x100000,
    CASE_SIZE = 4096,
    DATA_SIZE = 1024,
    TABLE_SIZE = 0x40000,
    STORAGE_SIZE = 64 << 20,
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

/* Fill `image` (AT_CASES + cases * CASE_SIZE bytes, zero) with nucleus, tables and cases, all of instruction `only`
   when that is not NULL; without what the peer ("qemu", "hercules" or "") has not, or would end it. */
void mem_make(uint8_t *image, unsigned cases, uint64_t seed, const char *peer, const char *only);

/* Is the difference between our case and the peer's one of its known faults (guides/oracles.md)? */
bool mem_known(const uint8_t *ours, const uint8_t *theirs, const char *peer);

#endif
