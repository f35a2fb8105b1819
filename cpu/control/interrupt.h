/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interruptions: the one place where PSWs are exchanged for them. PoP chapter 6. */
#ifndef ZRI_CPU_CONTROL_INTERRUPT_H
#define ZRI_CPU_CONTROL_INTERRUPT_H

#include "cpu/state/cpu.h"

/* Take a program interruption with `code` for the current instruction (cpu->ilc, insn_ia, executed, teid, dxc ... are
   used). psw.ia must be the address behind the instruction (or the branch target); it is backed up here when the code
   nullifies. PER events that were noted are merged. New PSW early exceptions follow at once. */
void cpu_program_interruption(struct cpu *cpu, int code);
/* Deliver what a body returned (a code, CPU_SVC, CPU_CHECK_STOP). Not for 0 and CPU_PARTIAL. */
void cpu_deliver(struct cpu *cpu, int code);

/* The highest-priority enabled and pending interruption (machine check, external, I/O, restart), if any, is taken.
   Returns true when one was taken. Called between instructions, by the engines only. */
bool cpu_take_interruption(struct cpu *cpu);
/* True when cpu_take_interruption() would take one. */
bool cpu_interruption_pending(struct cpu *cpu);

/* False: it would take none. Quick where there is nothing at all; the host's clock need not have been asked right now
   (cpu_timers_quiet()). */
bool cpu_may_be_interrupted(struct cpu *cpu);

/* What cpu_take_interruption() would take changes what belongs to all CPUs: a floating condition, or a device's. */
bool cpu_interruption_needs_alone(struct cpu *cpu);

/* Pending external conditions with the computed levels (clock comparator, CPU timer, measurement alert) included: enum
 * cpu_external. */
uint32_t cpu_external_pending(struct cpu *cpu);
/* Of those, the subclasses: each is the bit that control register 0 has for it. */
uint64_t cpu_external_subclasses(struct cpu *cpu);

/* Make an external condition pending (devices, SIGP, operator). */
void cpu_raise_external(struct cpu *cpu, enum cpu_external condition);
/* A restart interruption is to be taken (SIGP, operator). */
void cpu_raise_restart(struct cpu *cpu);
/* An emergency signal or external call from the CPU with address `from`, also while `cpu` runs in its own thread. The
   call is refused (false) while another one is pending. */
void cpu_raise_emergency(struct cpu *cpu, uint16_t from);
bool cpu_raise_call(struct cpu *cpu, uint16_t from) MUST_USE;
/* Channel report pending, a floating machine-check condition of all CPUs; taken by one. */
void cpu_raise_channel_report(struct cpu_system *sys);
/* Service signal: to every CPU of the system; taken by one. */
void cpu_raise_service_signal(struct cpu_system *sys, uint32_t parameter);

/* Block I/O has ended: pending for every CPU of the system, taken by one. There must be room. */
bool cpu_block_io_room(const struct cpu_system *sys);
void cpu_raise_block_io(struct cpu_system *sys, uint16_t what, uint64_t parameter);

#endif
