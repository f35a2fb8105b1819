/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lengths of storage operands, by the rules of the instruction table. */
#ifndef ZRI_CPU_STATE_LENGTH_H
#define ZRI_CPU_STATE_LENGTH_H

#include "cpu/state/cpu.h"

/* Bytes of the storage operand `s` of the instruction that is about to be carried out; 0: it is not accessed. With
   DIS_LEN_TOLD: 1, as only its body knows. */
uint64_t cpu_operand_length(const struct cpu *cpu, const struct dis_insn *insn, const struct dis_storage *s);

/* Bytes that the instruction stores at general register 1, when its function answers a question and has no other
   operand; else 0. */
unsigned cpu_answer_length(const struct cpu *cpu, const struct dis_insn *insn);

#endif
