/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TOD clock, clock comparator, CPU timer. PoP chapter 4, "Timing". */
#ifndef ZRI_CPU_STATE_TIMING_H
#define ZRI_CPU_STATE_TIMING_H

#include "cpu/state/cpu.h"

/* Machine time in TOD units at the current instruction, not moved by SET CLOCK. */
uint64_t cpu_now(const struct cpu *cpu);
/* Units that may pass, of whatever instructions, before machine time `at` comes: with the last of them it may be there.
   At least 1; less than there are when it is far away. */
int64_t cpu_units_until(const struct cpu *cpu, uint64_t at);
/* TOD clock bits 0-63 at the current instruction; its epoch index; and the CPU timer. */
uint64_t cpu_tod(struct cpu *cpu);
uint8_t cpu_tod_epoch(struct cpu *cpu);
/* Bits 0-63 of a value that was not stored before, moved on when the clock has not been; and what STORE CLOCK EXTENDED
   stores: epoch index (zero without the multiple-epoch facility), bits 0-103 of such a value, TOD programmable field.
   Bit 103 is kept at one, so that the rightmost part of a running clock is not zero. */
uint64_t cpu_unique_tod(struct cpu *cpu);
void cpu_extended_tod(struct cpu *cpu, uint8_t bytes[16]);
/* The TOD clock becomes `value`, with epoch index zero. */
void cpu_set_tod(struct cpu *cpu, uint64_t value);
/* The TOD clock as if it had never been set. */
uint64_t cpu_physical_clock(struct cpu *cpu);
/* The TOD clock has passed the clock comparator: as signed numbers while control register 0 says so. */
bool cpu_clock_passed(struct cpu *cpu);
int64_t cpu_timer_value(struct cpu *cpu);
/* Both at one moment: CPU_EXT_CLOCK_COMPARATOR and CPU_EXT_CPU_TIMER, where their conditions are met now. */
uint32_t cpu_timer_conditions(struct cpu *cpu);
/* None of the two that can interrupt has its condition met: now, or, by the host's clock, when it was last asked a
   short while ago and they were the same. */
bool cpu_timers_quiet(struct cpu *cpu);
void cpu_set_timer(struct cpu *cpu, int64_t value);
/* Change the CPU state (enum cpu_state): the CPU timer runs in the operating state only. */
void cpu_set_state(struct cpu *cpu, unsigned state);
/* cpu_units_until() the clock comparator or CPU timer condition next changes from false to true or the time
   sys->event_at comes; INT64_MAX when none is going to. With host_clock: when to ask again. */
int64_t cpu_next_timer_event(struct cpu *cpu);
/* TOD units until the clock comparator or the CPU timer causes an interruption condition, by whatever clock, 1 when it
   has; INT64_MAX when neither is going to. */
int64_t cpu_next_timer_units(struct cpu *cpu);
/* TOD units until that or the time sys->event_at comes, at least 1; INT64_MAX when neither is going to. */
int64_t cpu_next_event_units(struct cpu *cpu);

#endif
