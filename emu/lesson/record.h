/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has happened since a task began, as far as the machine does not show it afterwards. */
#ifndef ZRI_EMU_LESSON_RECORD_H
#define ZRI_EMU_LESSON_RECORD_H

#include "cpu/state/cpu.h"
#include "ri/counters/model/model.h"

#define RECORD_EVENTS  256u
#define RECORD_ANSWER  64u
#define RECORD_OUTPUT  4096u
#define RECORD_COUNTED 32u
#define RECORD_TYPED   256u

/* An interruption. */
struct record_event {
    uint8_t class;    /* enum cpu_class */
    uint32_t code;    /* I/O: the low halfword of the subsystem word, the subchannel's number */
    uint64_t address; /* of the instruction that caused it; else where the CPU was */
};

/* Instructions that are counted: at an address, or of a row of the table. */
struct record_counted {
    bool by_row;
    uint64_t what, count;
};

struct machine;

struct record {
    struct record_event events[RECORD_EVENTS]; /* the latest ones, number n at n % RECORD_EVENTS */
    uint64_t event_count;
    struct record_counted counted[RECORD_COUNTED];
    unsigned counted_count;
    uint32_t typed[RECORD_TYPED]; /* commands, by their number in the console's table */
    char output[RECORD_OUTPUT];   /* the last that the guest wrote, with a NUL */
    size_t output_length;
    char answer[RECORD_ANSWER]; /* "": none was given */
    /* When it began: */
    uint64_t instructions; /* of all CPUs */
    uint64_t groups[CPU_MAX], samples[CPU_MAX], halts[CPU_MAX];
    struct ec_totals totals; /* of CPU 0's pipeline model, zeros without one */
};

/* It begins. */
void record_begin(struct record *record, const struct machine *machine);
void record_interruption(struct record *record, const struct cpu *cpu, enum cpu_class class, unsigned code);
void record_instruction(struct record *record, const struct cpu *cpu, const struct dis_insn *insn);
void record_output(struct record *record, const char *text, size_t length);
/* Instructions of this kind are to be counted; false: there is no room for more. */
bool record_count(struct record *record, bool by_row, uint64_t what);
/* How many were; 0 also when nobody asked for it. */
uint64_t record_counted(const struct record *record, bool by_row, uint64_t what);
/* Interruptions of a class, with a code and at an address where the pointers are there. */
uint64_t record_happened(const struct record *record, enum cpu_class class, const uint64_t *code,
                         const uint64_t *address);

#endif
