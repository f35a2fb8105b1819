/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests have seen of each instruction: condition codes, exceptions, addressing modes, engines. */
#ifndef ZRI_EMU_SCRIPT_COVERAGE_H
#define ZRI_EMU_SCRIPT_COVERAGE_H

#include "cpu/state/cpu.h"
#include <stdio.h>

#define COVERAGE_CODES 64u /* program-interruption codes below this one are told apart */

#define COVERAGE_KINDS 6u /* kinds of exceptions that the instruction table promises */

/* One row of the instruction table. */
struct coverage_row {
    uint64_t codes;  /* 1 << code of each program interruption it ended with */
    uint8_t cc;      /* 1 << condition code behind a completion */
    uint8_t modes;   /* 1, 2, 4: 24-, 31-, 64-bit addressing */
    uint8_t engines; /* 1 << enum engine_kind */
    bool executed;   /* as the target of an execute-type instruction */
};

struct coverage {
    struct coverage_row rows[DIS_ROW_COUNT];
    struct cpu_observer observer; /* set as cpu->observer of a run on the reference engine */
    uint8_t engines;              /* what such a run counts for */
};

/* Begin with nothing seen. */
void coverage_init(struct coverage *coverage);

/* Append what was seen to a file, one line for each instruction. Returns 0 or a negative errno. */
int coverage_append(const struct coverage *coverage, const char *file) MUST_USE;
/* Add what a file holds. Returns 0 or a negative errno; lines that are not understood are -EINVAL. */
int coverage_read(struct coverage *coverage, const char *file) MUST_USE;

/* Print the table and the gaps (`all`), and the totals: which kinds of exceptions the table promises and were seen,
 which rows were seen with one condition code alone. Instructions with a body that nothing has seen are named. Returns
 how many
 * those are. */
unsigned coverage_report(const struct coverage *coverage, bool all, FILE *out);

#endif
