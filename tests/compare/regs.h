/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random comparison of single instructions: the layout of the image that every machine runs. */
#ifndef ZRI_TESTS_COMPARE_REGS_H
#define ZRI_TESTS_COMPARE_REGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AT_NUCLEUS = 0x1000, /* the loop that carries out the cases */
    AT_POINTER = 0x1f00, /* address of the current case, then address behind the last one */
    AT_IN = 0x2000,      /* the current case, copied */
    AT_OUT = 0x2200,     /* its result */
    AT_PSW = 0xf00,      /* PSW that starts the instruction */
    AT_CODE = 0x6000,    /* two pages of SVC, so that a branch to anywhere in it is seen by its address */
    AT_SLOT = 0x6800,    /* 256 bytes: the instruction (or the EXRL that carries it out), or a sequence; then SVC */
    AT_TARGET = 0x6900,  /* 16 bytes: the target of EXRL */
    AT_DATA = 0x8f80,    /* 256 bytes of operands, half of them in either page */
    AT_CASES = 0x100000,
    CASE_SIZE = 1280,
    STORAGE_SIZE = 64 << 20,
};

/* Offsets in a case: what goes in (0-511 and 1024-1279), what came out (512-1023). Copied by the nucleus. */
enum {
    IN_GR = 0,
    IN_PSW = 128,
    IN_TARGET = 160,
    IN_AR = 176,
    IN_CR8 = 240,
    IN_SEQUENCE = 248, /* one byte: number of instructions of a sequence, 0: a single one */
    IN_DATA = 256,
    OUT_GR = 512,
    OUT_AR = 640,
    OUT_OLD = 704,   /* SVC old PSW, program old PSW */
    OUT_CODES = 736, /* real 136-155: SVC and program codes, DXC, monitor class */
    OUT_MONITOR = 756,
    OUT_DATA = 768,
    OUT_END = 1024,
    IN_SLOT = 1024,
};

/* Fill `image` (at least AT_CASES + cases * CASE_SIZE bytes, zero) with nucleus and cases, all of instruction `only`
   when that is not NULL; without what would end the peer ("qemu", "hercules" or ""). */
void regs_make(uint8_t *image, unsigned cases, uint64_t seed, const char *peer, const char *only);

/* Fill in a case that is a sequence of instructions in a short loop. It is carried out where it stands, at the absolute
   address `at`: QEMU goes on with old code when loops are laid over each other. */
void regs_make_sequence(uint8_t *in, uint64_t at, uint64_t *random, const char *peer);

/* Helpers of both kinds. */
bool regs_usable(unsigned row);
uint64_t regs_random(uint64_t *state);
uint64_t regs_value(uint64_t *state);

#endif
