/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DIAGNOSE: what each function code does, and a place for those that devices and tools bring. */
#ifndef ZRI_EMU_MACHINE_DIAGNOSE_H
#define ZRI_EMU_MACHINE_DIAGNOSE_H

#include "emu/state/machine.h"

/* DIAGNOSE; see struct cpu_callouts. A code that is not offered or is switched off: specification exception. */
int machine_diagnose(void *machine, struct cpu *cpu, uint16_t code, unsigned r1, unsigned r3);

/* Threads: must the CPU be alone for this code? */
bool diagnose_alone(uint16_t code);

/* Carry out `code` by a function of the caller's, in place of the table's own if it has one. The function returns 0 or
   a program-interruption code and sets the condition code itself. Returns 0 or -ENOSPC. */
int machine_hook_diagnose(struct machine *machine, uint16_t code,
                          int (*carry_out)(void *context, struct cpu *cpu, unsigned r1, unsigned r3),
                          void *context) MUST_USE;

/* From now on the machine is loaded from this device, without a load parameter, when the guest asks for a load; code
   X'308' has a parameter block that says so. */
void diagnose_loads_from(struct machine *machine, uint8_t set, uint16_t number);

/* From now on the machine is loaded with images of its host, as from a card reader: the parameter block names one of
   channel subsystem 0, 000C as in a virtual machine or the next number that no device has. It is no device of the
   guest's; a load from it takes the images again. */
void diagnose_loads_images(struct machine *machine);

/* Whether a load takes the images of the host: the guest may have named a device since. */
bool diagnose_from_images(const struct machine *machine);

/* Keys that a guest with a network makes are good for nothing when they are the same in every run: the operator is told
   so, once. */
void diagnose_tell_of_random(struct machine *machine);

/* Every reset of the machine. */
void diagnose_reset(struct machine *machine);
/* Reset of one CPU alone, by its operator or another CPU: what it has begun ends. */
void diagnose_reset_cpu(struct machine *machine, const struct cpu *cpu);

/* Looks at the watchdog; called when the clock has gone on. True: it struck, a CPU has a restart to take. */
bool diagnose_watch(struct machine *machine);
/* TOD units until the watchdog strikes, INT64_MAX: it is off. */
int64_t diagnose_next_event(struct machine *machine);

#endif
