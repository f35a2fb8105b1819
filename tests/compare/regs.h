/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random comparison of single instructions: the layout of the image that every machine runs. */
#ifndef ZRI_TESTS_COMPARE_REGS_H
#define ZRI_TESTS_COMPARE_REGS_H

#include "disasm/dis.h"
#include "tests/compare/compare.h"

enum {
    AT_CODE = 0x6000,   /* two pages of SVC, so that a branch to anywhere in it is seen by its address */
    AT_SLOT = 0x6800,   /* 256 bytes: the instruction (or the EXRL that carries it out), or a sequence; then SVC */
    AT_TARGET = 0x6900, /* 16 bytes: the target of EXRL */
    AT_DATA = 0x8f80,   /* 256 bytes of operands, half of them in either page */
    CASE_SIZE = 1280,
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

/* Fill in a case that is a sequence of instructions in a short loop. It is carried out where it stands, at the absolute
   address `at`: QEMU goes on with old code when loops are laid over each other. */
void regs_make_sequence(uint8_t *in, uint64_t at, uint64_t *random, const char *peer);

/* Helpers of both kinds. */
bool regs_usable(unsigned row);
uint64_t regs_value(uint64_t *state);
/* Is the difference between our case and the peer's ("qemu", "hercules") one of its known faults? */
bool regs_known(const uint8_t *ours, const uint8_t *theirs, const char *peer);

#endif
