/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program interruptions, told to the operator. */
#ifndef ZRI_EMU_CONSOLE_TOLD_H
#define ZRI_EMU_CONSOLE_TOLD_H

#include "cpu/state/cpu.h"
#include "emu/console/base/base.h"

struct told {
    unsigned code, ilc;
    uint64_t ia, operand;
    uint64_t before; /* instructions that the CPU has carried out since */
    bool has_operand;
    char name[96], instruction[128], symbol[96]; /* "": not known */
    char words[512];                             /* all of it, but for `before` */
};
struct told console_told(struct console *c, const struct cpu *cpu, const struct cpu_program_taken *taken);

/* "program interruption 0005 (addressing)": a class (enum cpu_class) and its code; negative: any. */
void console_class_words(unsigned class, int64_t code, char *text, size_t size);

/* Show it: as a JSON object with the name `member`, or as a line with `lead` in front and, with `when`, how long ago it
   was. */
void console_show_told(struct console *c, const char *member, const char *lead, const struct told *told, bool when);

#define CONSOLE_LOOP_WORDS "a loop of program interruptions"
/* Before a run: a loop of program interruptions ends it, and what ended the run before is forgotten. */
void console_look_for_loops(struct cpu *cpu);

/* The CPU has ended (disabled wait, check-stop), and there was a program interruption. One long before an end in order
   (wait address 0 or FFF) was handled and explains nothing. */
bool console_end_worth_telling(const struct cpu *cpu);

#endif
