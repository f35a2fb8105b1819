/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the CPU and run-time instrumentation: tells ri/ by value what an instruction did, and hands it storage. */
#ifndef ZRI_CPU_RI_GLUE_H
#define ZRI_CPU_RI_GLUE_H

#include "cpu/cpu.h"
#include "ri/ri.h"

/* What is known about an instruction before it is carried out. */
struct cpu_ri_before {
    bool active;      /* RI is active: the instruction is reported to ri/ */
    bool look_around; /* after cpu_ri_end(): an alert may be pending now */
    uint8_t length;   /* of the instruction at psw.ia (the execute-type one when executed), bytes */
};

void cpu_ri_begin_active(struct cpu *cpu, const struct dis_insn *insn);
int cpu_ri_end_active(struct cpu *cpu, struct cpu_ri_before *before, int code) MUST_USE;

/* An instruction was fetched and decoded and will be carried out now. */
static inline void cpu_ri_begin(struct cpu *cpu, struct cpu_ri_before *before, const struct dis_insn *insn)
{
    before->active = ri_active(cpu->ri);
    before->look_around = false;
    before->length = insn->length;
    if (UNLIKELY(before->active))
        cpu_ri_begin_active(cpu, insn);
}

/* It is an execute-type instruction and `target` will be carried out now (cpu->executed and target_ia are set). */
static inline void cpu_ri_executed(struct cpu *cpu, const struct dis_insn *target)
{
    if (UNLIKELY(ri_active(cpu->ri)))
        cpu_ri_begin_active(cpu, target);
}

/* The instruction ended with `code` (0, a program-interruption code, CPU_PARTIAL, CPU_SVC; PER merged). Charges,
   and stores the group of a sample instruction. Returns the code to deliver: that of an access exception of the store
   with cpu->zero_ilc set, else `code`. */
static inline int MUST_USE cpu_ri_end(struct cpu *cpu, struct cpu_ri_before *before, int code)
{
    return LIKELY(!before->active) ? code : cpu_ri_end_active(cpu, before, code);
}

/* Branch address of BRANCH INDIRECT ON CONDITION, looked up without any effect; 0 when it is not to be had. */
uint64_t cpu_ri_bic_address(struct cpu *cpu, const struct dis_insn *insn);

/* The lowest-numbered storage operand of an instruction that was not carried out yet: false when it has none. The
   length is what the encoding and the registers say. */
bool cpu_ri_operand(const struct cpu *cpu, const struct dis_insn *insn, uint64_t *address, uint64_t *length,
                    bool *store);

#endif
