/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between a CPU that carries out single instructions and its run-time instrumentation: what happened is told to ri/ by
   value, and ri/ reaches the program buffer through the accessors made here. (Decoded blocks use ri/ri_inline.h
   instead.) */
#ifndef ZRI_CPU_CONTROL_OBSERVE_H
#define ZRI_CPU_CONTROL_OBSERVE_H

#include "cpu/state/cpu.h"
#include "ri/ri.h"

/* The storage operand of an instruction that run-time instrumentation is told of. */
struct cpu_first_operand {
    uint64_t address, length; /* logical address, bytes */
    bool store;               /* or update */
    bool told;                /* how long it is only the body tells, in cpu->told_length; zero there: not accessed */
};

/* What is known about the current instruction before it is carried out. */
struct cpu_ri_before {
    uint64_t mask;                    /* psw.mask at its start */
    uint64_t target;                  /* branch address, when class is not none */
    uint64_t progress;                /* of an interruptible instruction: what its registers were */
    struct cpu_first_operand operand; /* while RI takes part */
    uint16_t row;                     /* of the instruction or, when executed, of the target */
    uint8_t class;                    /* enum ri_class */
    uint8_t r1, r2;
    uint64_t work;    /* cpu->work */
    uint8_t cycles;   /* halfwords, those of an execute-type instruction and its target together */
    bool active;      /* RI takes part in this instruction */
    bool counted;     /* so do the CPU-measurement facilities */
    bool look_around; /* set by cpu_ri_end(): a sample was taken or is due, an alert may be pending */
};

/* An instruction starts (cpu->insn_ia, psw set up). */
void cpu_ri_begin(struct cpu *cpu, struct cpu_ri_before *before, const struct dis_insn *insn);
/* The current instruction is EX or EXRL, and this is its modified target at cpu->target_ia. */
void cpu_ri_executed(struct cpu *cpu, const struct dis_insn *target);
/* It ended with `code`. Counts; charges, samples, reports. Returns the code to deliver: the same, or that of the
 * report. */
int cpu_ri_end(struct cpu *cpu, struct cpu_ri_before *before, int code) MUST_USE;

/* The accessors to the program buffer of this CPU now. */
struct ri_storage cpu_ri_storage(struct cpu *cpu);
/* What a report of this CPU needs now; `storage` must live as long. */
struct ri_environment cpu_ri_environment(struct cpu *cpu, const struct ri_storage *storage);

/* The logical address of the storage operand `s` of the instruction's row, as the registers are now. False: it is none
   that counts. */
bool cpu_operand_address(const struct cpu *cpu, const struct dis_insn *insn, const struct dis_storage *s,
                         uint64_t *address) MUST_USE;
/* The lowest-numbered storage operand of an instruction that is accessed, as its registers are now (specification F.6).
   False: it accesses none. */
bool cpu_first_operand(const struct cpu *cpu, const struct dis_insn *insn, struct cpu_first_operand *operand) MUST_USE;

/* A storage operand, for those who are told of all of them. */
struct cpu_named_operand {
    uint64_t address, length; /* logical address, bytes */
    uint8_t which, ar;        /* its place in the row; the register that its address is by */
    bool fetch, store;
    bool told;        /* how long it is only the body tells, in cpu->told_length */
    bool counts_down; /* its length is in a register that says afterwards how much is left */
};
/* The storage operands that the instruction is about to access, in the order of their numbers: how many, at most 2. */
unsigned cpu_named_operands(const struct cpu *cpu, const struct dis_insn *insn, struct cpu_named_operand named[2]);
/* What the registers say now of the length of one that counts down. */
uint64_t cpu_operand_left(const struct cpu *cpu, const struct dis_insn *insn, const struct cpu_named_operand *named);

/* What would decide if `insn` came next, at the address in the PSW, and completed: the line of the report-control table
   (1-11), or 0 when it would be no sample instruction. `target` at `target_ia` is what an execute-type instruction
   executes, else NULL; `taken` is the outcome of a branch. *sample receives enum ri_sample bits, *branch whether it is
   a branch. Nothing changes. Without host memory 0. */
unsigned cpu_ri_foresee(struct cpu *cpu, const struct dis_insn *insn, const struct dis_insn *target, uint64_t target_ia,
                        bool taken, unsigned *sample, bool *branch);

#endif
