/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking at storage, instructions and symbols, without any effect on the machine. */
#ifndef ZRI_EMU_CONSOLE_LOOK_H
#define ZRI_EMU_CONSOLE_LOOK_H

#include "cpu/storage/access.h"
#include "emu/console/base/base.h"

/* The host's bytes at an address up to the end of its page: how many in *left. NULL: the program-interruption code is
   in *code. */
uint8_t *look_page(struct console *c, enum cpu_space space, unsigned ar, uint64_t address, unsigned *left, int *code);
/* Fetch bytes as the CPU would. Returns how many could be had. */
unsigned look_fetch(struct console *c, enum cpu_space space, unsigned ar, uint64_t address, void *to, unsigned length);
/* The space instructions are fetched from. */
enum cpu_space look_instruction_space(const struct cpu *cpu);
/* "name+offset" of an address, or "" without symbols. */
void look_symbol(struct console *c, uint64_t address, char *text, size_t size);

/* An instruction in storage. */
struct look_instruction {
    unsigned length; /* 0: it cannot be fetched */
    char hex[16], text[128], symbol[96], source[96];
};
struct look_instruction look_instruction(struct console *c, uint64_t address);
/* One instruction at `address` as a line of text; returns its length, 0: not in storage. */
unsigned look_line(struct console *c, uint64_t address, char *text, size_t size);
/* Text of an instruction with a blank where the disassembler has a tab. */
void look_text(const uint8_t *bytes, uint64_t address, char *text, size_t size);

/* Words for a program-interruption code. */
const char *look_code_name(int code);

#endif
