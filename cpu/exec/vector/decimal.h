/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of vector decimal instructions share. */
#ifndef ZRI_CPU_EXEC_VECTOR_DECIMAL_H
#define ZRI_CPU_EXEC_VECTOR_DECIMAL_H

#include "cpu/exec/vector/element.h"
#include "cpu/numbers/packed.h"

enum { VECTOR_DIGITS = 31 };

/* Bits of M3, M4 and M5. */
enum { FORCE_2 = 8, FORCE_3 = 4, FORCE_1 = 2, CC_SET = 1 };

/* What the controls of an instruction say about its result. */
struct vector_result {
    bool no_overflow; /* instruction-overflow mask: no decimal-overflow exception */
    unsigned digits;  /* that are kept, 1-31 */
    unsigned mask;    /* FORCE_1, CC_SET */
};

/* I3 or I4: overflow mask and number of digits (or, with `any`, another number of five bits). false: not valid. */
bool vector_controls(const struct cpu *cpu, unsigned immediate, unsigned mask, bool any,
                     struct vector_result *r) MUST_USE;
/* The number in a register; `force`: as if its sign were plus, whatever it is. false: not valid. */
bool vector_get_packed(const struct cpu *cpu, unsigned v, bool force, struct packed *value) MUST_USE;
/* Result, condition code (0 zero, 1 less, 2 greater than zero, 3 overflow), exception. */
int vector_put_packed(struct cpu *cpu, unsigned v, struct packed value, bool overflow,
                      const struct vector_result *r) MUST_USE;
/* V2 shifted by `amount` digits, to the left when it is above zero; to the right rounded when `round`; to V1. */
int vector_shift_packed(struct cpu *cpu, const struct dis_insn *i, int amount, bool round,
                        const struct vector_result *r) MUST_USE;
bool vector_digits_valid(vector_quad q) MUST_USE;

#endif
