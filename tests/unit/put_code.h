/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs of unit tests: lines of assembler into storage. */
#ifndef PUT_CODE_H
#define PUT_CODE_H

#include "disasm/dis.h"

/* One instruction at `at` of `storage`; the address behind it. */
static inline uint64_t put_code(uint8_t *storage, uint64_t at, const char *line)
{
    char why[200];
    const int length = dis_assemble(line, at, storage + at, why, sizeof why);
    if (length < 0)
        fail_msg("%s: %s", line, why);
    return at + (uint64_t)length;
}

/* Instructions one behind the other, up to NULL; the address behind them. */
static inline uint64_t put_program(uint8_t *storage, uint64_t at, const char *const *lines)
{
    for (; *lines; lines++)
        at = put_code(storage, at, *lines);
    return at;
}

#endif
