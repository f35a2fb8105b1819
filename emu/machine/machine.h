/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine around the CPUs: storage, clock, CPUs in rotation, service processor. Several machines may exist in one
   process; nothing here prints or reads. */
#ifndef ZRI_EMU_MACHINE_MACHINE_H
#define ZRI_EMU_MACHINE_MACHINE_H

#include "emu/dev/css/css.h"
#include "emu/dev/sclp/service.h"
#include "emu/machine/diagnose.h"
#include "emu/state/machine.h"

/* Make a machine: storage zero, all CPUs stopped after a power-on reset. Returns NULL with a sentence in error[size]
   when the configuration is not possible or the host has not the memory. */
struct machine *machine_create(const struct machine_config *config, const struct machine_host *host, char *error,
                               size_t size) MUST_USE;
void machine_destroy(struct machine *machine);

/* Clear reset of everything: storage, keys, CPUs, devices. The clocks go on. */
void machine_clear(struct machine *machine);
/* Normal reset as load normal has it: initial CPU reset of CPU 0, CPU reset of the others, devices. Storage stays. */
void machine_reset(struct machine *machine);

enum machine_end {
    MACHINE_LIMIT,       /* the number of instructions asked for was carried out */
    MACHINE_STOPPED,     /* every CPU is stopped, in a check-stop or in a disabled wait */
    MACHINE_POWERED_OFF, /* likewise, by the guest's own order */
    MACHINE_IDLE,        /* every CPU waits, and nothing can come any more */
    MACHINE_BREAK,       /* a breakpoint on `cpu` */
    MACHINE_REQUEST,     /* host.poll() or engine_leave() asked for it */
    MACHINE_STEPPED,     /* machine->stepping has carried out an instruction */
    MACHINE_REFUSED,     /* the host does not give what the run needs; it was said */
};
struct machine_result {
    enum machine_end end;
    struct cpu *cpu;       /* on which it happened; NULL when that has no meaning */
    uint64_t instructions; /* carried out by all CPUs together */
};

/* Run all operating CPUs in rotation in this thread, as machine_run() does. */
struct machine_result machine_run_in_turn(struct machine *machine, uint64_t limit);

/* One instruction on one CPU, on the reference engine; time goes on with it. Returns enum engine_end. */
unsigned machine_step(struct machine *machine, struct cpu *cpu);

/* CPU 0 starts with this PSW. 0, or a program-interruption code when the PSW is not valid (nothing is started). */
int machine_start(struct machine *machine, uint64_t mask, uint64_t ia) MUST_USE;

/* True when the CPU waits with all interruptions masked off. */
bool machine_disabled_wait(const struct cpu *cpu);
/* Words for the state of a CPU: "stopped", "operating", "disabled wait", "enabled wait", "check-stop", "load". */
const char *machine_state_name(const struct cpu *cpu);

/* For those that run it (emu/machine/threads.c). */

/* A new rotation begins. */
void machine_rotate(struct machine *machine);
/* TOD units until a timer of a waiting CPU, or one of the machine's own; INT64_MAX: none is set. */
int64_t machine_next_event(struct machine *machine);
/* Why a machine ended whose CPUs are all stopped or in a disabled wait. */
void machine_end_stopped(struct machine *machine, struct machine_result *result);
/* A guest asked by DIAGNOSE to be loaded again; all CPUs are stopped. */
void machine_load_again(struct machine *machine);

/* Callouts (emu/machine/sigp.c, emu/machine/stsi.c). */
/* Threads: must the CPU that gives this order be alone? */
bool machine_sigp_alone(uint8_t order);
int machine_sigp(void *machine, struct cpu *cpu, uint16_t address, uint8_t order, uint64_t parameter, uint32_t *status,
                 unsigned *cc);
bool machine_system_information(void *machine, struct cpu *cpu, unsigned fc, unsigned sel1, unsigned sel2,
                                uint8_t block[4096]);
void machine_hypervisor_information(void *machine, struct cpu *cpu, uint8_t block[4096]);

#endif
