/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interruptions: the one place where PSWs are exchanged for them. PoP chapter 6. */
#ifndef ZRI_CPU_CONTROL_INTERRUPT_H
#define ZRI_CPU_CONTROL_INTERRUPT_H

#include "cpu/state/cpu.h"

/* True for codes whose operation is nullified: the old PSW designates the instruction itself. */
bool cpu_code_nullifies(int code);
/* True for codes with which the operation is completed (fixed-point overflow, PER alone, monitor event ...): such an
 * instruction counts. */
bool cpu_code_completes(int code);
/* True for codes with which the translation-exception identification is stored (without PER and transaction bits). */
bool cpu_code_stores_teid(int code);

/* The same, knowing the data-exception code of PIC_DATA (cpu->dxc): compare-and-trap and some IEEE traps complete. */
bool cpu_completes(const struct cpu *cpu, int code);
/* A data- or vector-exception code goes to the FPC register while the additional floating-point registers may be used.
 */
void cpu_exception_code_to_fpc(struct cpu *cpu, uint8_t code);

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

/* Pending external conditions with the computed levels (clock comparator, CPU timer, measurement alert) included: enum
 * cpu_external. */
uint32_t cpu_external_pending(struct cpu *cpu);
/* Of those, the subclasses: each is the bit that control register 0 has for it. */
uint64_t cpu_external_subclasses(struct cpu *cpu);

/* TOD clock bits 0-63 at the current instruction; its epoch index; and the CPU timer. */
uint64_t cpu_tod(struct cpu *cpu);
uint8_t cpu_tod_epoch(struct cpu *cpu);
/* The TOD clock becomes `value`, with epoch index zero. */
void cpu_set_tod(struct cpu *cpu, uint64_t value);
/* The TOD clock as if it had never been set. */
uint64_t cpu_physical_clock(struct cpu *cpu);
/* The TOD clock has passed the clock comparator: as signed numbers while control register 0 says so. */
bool cpu_clock_passed(struct cpu *cpu);
int64_t cpu_timer_value(struct cpu *cpu);
void cpu_set_timer(struct cpu *cpu, int64_t value);
/* Change the CPU state (enum cpu_state): the CPU timer runs in the operating state only. */
void cpu_set_state(struct cpu *cpu, unsigned state);
/* Instructions from now until the clock comparator or CPU timer condition next changes from false to true or the time
   sys->event_at comes, at least 1; INT64_MAX when none is going to. With host_clock: when to ask again. */
int64_t cpu_next_timer_event(struct cpu *cpu);
/* TOD units until the clock comparator or the CPU timer causes an interruption condition, by whatever clock, 1 when it
   has; INT64_MAX when neither is going to. */
int64_t cpu_next_timer_units(struct cpu *cpu);

/* Make an external condition pending (devices, SIGP, operator). */
void cpu_raise_external(struct cpu *cpu, enum cpu_external condition);
/* Channel report pending, a floating machine-check condition of all CPUs; taken by one. */
void cpu_raise_channel_report(struct cpu_system *sys);
/* Service signal: to every CPU of the system; taken by one. */
void cpu_raise_service_signal(struct cpu_system *sys, uint32_t parameter);

/* Block I/O has ended: pending for every CPU of the system, taken by one. There must be room. */
bool cpu_block_io_room(const struct cpu_system *sys);
void cpu_raise_block_io(struct cpu_system *sys, uint16_t what, uint64_t parameter);

#endif
