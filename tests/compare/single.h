/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes of comparison whose cases are one instruction with operands in floating-point or vector registers: how a case
   is laid out, and how cases are made. */
#ifndef ZRI_TESTS_COMPARE_SINGLE_H
#define ZRI_TESTS_COMPARE_SINGLE_H

#include "base/bits.h"
#include "disasm/dis.h"
#include "tests/compare/compare.h"

#include <string.h>

enum {
    AT_DATA = 0x8fe0, /* 64 bytes across a page boundary */
    CASE_SIZE = 1024,
};

/* A case: what goes in, and from 512 on what came out. */
enum {
    IN_GR = 0,
    IN_REGISTERS = 128, /* of the class */
    IN_DATA = 256,
    IN_PSW = 320,
    IN_FPC = 336,
    IN_CODE = 344,
    OUT_GR = 512,
    OUT_REGISTERS = 640,
    OUT_DATA = 768,
    OUT_OLD = 832,
    OUT_CODES = 864,
    OUT_FPC = 880,
    OUT_END = 884,
};

/* The parts of a case whose registers are of kind `registers`, from number `first` on. */
#define SINGLE_PARTS(registers, first)                                                                                 \
    {                                                                                                                  \
        {COMPARE_PSW, IN_PSW, COMPARE_NONE, 16, 0}, {COMPARE_MEMORY, IN_DATA, OUT_DATA, 64, AT_DATA},                  \
            {registers, IN_REGISTERS, OUT_REGISTERS, 128, first}, {COMPARE_OLD_PSW, COMPARE_NONE, OUT_OLD, 32, 0},     \
            {COMPARE_CODES, COMPARE_NONE, OUT_CODES, 16, 136}, {COMPARE_FPC, IN_FPC, OUT_FPC, 4, 0},                   \
            {COMPARE_GR, IN_GR, OUT_GR, 128, 0},                                                                       \
    }

/* compare_WORD with the file's `parts`, make_WORD() and known(); the nucleus runs with these bits of control register
 * 0. */
#define SINGLE_CLASS(word, controls)                                                                                   \
    const struct compare_class compare_##word = {                                                                      \
        .name = #word,                                                                                                 \
        .case_size = CASE_SIZE,                                                                                        \
        .code = IN_CODE,                                                                                               \
        .code_bytes = 8,                                                                                               \
        .out = OUT_GR,                                                                                                 \
        .end = OUT_END,                                                                                                \
        .parts = parts,                                                                                                \
        .part_count = sizeof parts / sizeof *parts,                                                                    \
        .nucleus_controls = controls,                                                                                  \
        .make = make_##word,                                                                                           \
        .known = known,                                                                                                \
    };

/* Fill in cases of the usable rows (those of the mnemonic `only`, unless it is NULL): each row four times, then at
   random. make_case() gets the case, its address, the state of random numbers and the row. */
static inline void single_make(uint8_t *image, unsigned cases, uint64_t seed, const char *only,
                               bool (*usable)(unsigned row),
                               void (*make_case)(uint8_t *in, uint64_t at, uint64_t *s, unsigned row))
{
    uint16_t rows[DIS_ROW_COUNT];
    unsigned count = 0;
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        if (usable(row) && (!only || strcmp(dis_rows[row].mnemonic, only) == 0))
            rows[count++] = (uint16_t)row;
    for (unsigned n = 0; n < cases && count; n++) {
        uint64_t at = AT_CASES + (uint64_t)n * CASE_SIZE;
        make_case(image + at, at, &seed, rows[n < 4 * count ? n % count : compare_below(&seed, count)]);
    }
}

#endif
