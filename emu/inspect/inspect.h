/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking at storage, instructions and symbols of a machine without any effect on it: what console and panel share. */
#ifndef ZRI_EMU_INSPECT_INSPECT_H
#define ZRI_EMU_INSPECT_INSPECT_H

#include "cpu/storage/access.h"

struct session;

/* Absolute address of a byte in storage. Returns 0, or the program-interruption code (addressing: there is none). */
int inspect_absolute(struct cpu *cpu, enum cpu_space space, unsigned ar, uint64_t address, uint64_t *absolute) MUST_USE;
/* The host's bytes at an address up to the end of its page: how many in *left. NULL: the code is in *code. */
uint8_t *inspect_page(struct cpu *cpu, enum cpu_space space, unsigned ar, uint64_t address, unsigned *left, int *code);
/* Fetch bytes as the CPU would. Returns how many could be had. */
unsigned inspect_fetch(struct cpu *cpu, enum cpu_space space, unsigned ar, uint64_t address, void *to, unsigned length);
/* The space instructions are fetched from. */
enum cpu_space inspect_instruction_space(const struct cpu *cpu);
/* "name+offset" of an address in the images that were loaded, or "". */
void inspect_symbol(struct session *session, uint64_t address, char *text, size_t size);
/* Text of an instruction with blanks where the disassembler has tabs. Returns the bytes that it stands for. */
unsigned inspect_text(const uint8_t *bytes, uint64_t address, char *text, size_t size);
/* Words for a program-interruption code. */
const char *inspect_code_name(int code);

#endif
