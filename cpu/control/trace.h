/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tracing: the trace table that control register 12 designates, and its entries. PoP chapter 4. */
#ifndef ZRI_CPU_CONTROL_TRACE_H
#define ZRI_CPU_CONTROL_TRACE_H

#include "cpu/state/cpu.h"

/* The ASN-and-LX-reuse facility is installed and its control, bit 44 of control register 0, is one. */
static inline bool control_reuse(const struct cpu *cpu)
{
    return (cpu->cr[0] & CR0_ASN_AND_LX_REUSE) && cpu_facility(cpu->sys, FACILITY_ALRF);
}

/* Trace-table entries that an instruction is going to make: at most three. All exceptions are known before the first
   is stored. */
struct control_trace {
    uint64_t cr12; /* as it becomes */
    unsigned count;
    struct {
        uint64_t absolute;
        uint8_t bytes[144];
        unsigned length;
    } entry[3];
};
static inline void control_trace_begin(const struct cpu *cpu, struct control_trace *trace)
{
    trace->cr12 = cpu->cr[12];
    trace->count = 0;
}
/* Add an entry of `length` bytes; `room` is the length that the page must have left (TRACE: that with all registers).
   Returns 0, PIC_PROTECTION (low-address), PIC_ADDRESSING or PIC_TRACE_TABLE. */
int control_trace_add(struct cpu *cpu, struct control_trace *trace, const uint8_t *bytes, unsigned length,
                      unsigned room) MUST_USE;
/* Entries of implicit tracing. `target` is a branch address. */
int control_trace_branch(struct cpu *cpu, struct control_trace *trace, uint64_t target, bool mode24) MUST_USE;
int control_trace_mode_switch(struct cpu *cpu, struct control_trace *trace) MUST_USE;
int control_trace_mode_switch_branch(struct cpu *cpu, struct control_trace *trace, uint64_t target) MUST_USE;
int control_trace_subspace(struct cpu *cpu, struct control_trace *trace, uint32_t alet, uint64_t target) MUST_USE;
int control_trace_set_secondary(struct cpu *cpu, struct control_trace *trace, unsigned sasn, bool instance) MUST_USE;
int control_trace_transfer(struct cpu *cpu, struct control_trace *trace, unsigned pasn, uint64_t r2,
                           bool instance) MUST_USE;
int control_trace_call(struct cpu *cpu, struct control_trace *trace, uint32_t number) MUST_USE;
int control_trace_return(struct cpu *cpu, struct control_trace *trace, unsigned pasn, uint64_t mask,
                         uint64_t ia) MUST_USE;
/* Store the entries and move the trace-entry address on. */
void control_trace_commit(struct cpu *cpu, const struct control_trace *trace);

#endif
