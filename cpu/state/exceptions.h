/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between a CPU and exception trace (ri/trace): what happened is told to the CPU's unit by value. Nothing of this
   stands on the path of an instruction: a CPU whose cpu->exceptions is NULL has one test in each interruption, in the
   instructions that load a PSW and where the engines look for interruptions. */
#ifndef ZRI_CPU_STATE_EXCEPTIONS_H
#define ZRI_CPU_STATE_EXCEPTIONS_H

#include "cpu/state/cpu.h"
#include "ri/trace/trace.h"
#include "ri/trace/wire.h"

/* A CPU's side of it. Made and attached by whoever owns the units: all zero but the first three, then
   cpu_exceptions_attach(). */
struct cpu_exceptions {
    struct et_machine *machine;
    struct et_cpu *unit;
    void (*entered)(void *context, struct cpu *cpu); /* behind every interruption that was told; NULL: nobody asks */
    void *context;
    bool wanted;   /* the unit wants the next boundary, see et_host.attention */
    bool waits;    /* it was told that the CPU waits */
    bool aborted;  /* the interruption being taken has aborted a transaction */
    bool reloaded; /* an instruction has loaded a PSW: told when it is complete, before anything else ... */
    bool tested;   /* ... and likewise TEST PENDING INTERRUPTION */
    enum et_insn insn;
    struct et_psw loaded;
    uint32_t words[3];    /* what TEST PENDING INTERRUPTION found */
    uint32_t levels;      /* conditions that are no latches, as they were at the latest look: enum cpu_external */
    uint32_t told;        /* told as pending and not taken since: enum cpu_external */
    uint64_t emergencies; /* of CPU_EXT_EMERGENCY: from these CPU addresses */
    /* Threads: told by other CPUs while this one runs, atomic. */
    uint32_t from_others;
    /* The latest interruption, for cpu_exceptions.entered. */
    enum et_class class;
    uint64_t code;
};

/* From now on the CPU's events are told; what is pending already is not. `exceptions` must live as long as the CPU or
   until it is detached (NULL). Between two instructions. */
void cpu_exceptions_attach(struct cpu *cpu, struct cpu_exceptions *exceptions);

/* Whatever is still to be told of the latest instruction: before the unit is asked or told anything by others. */
static inline void cpu_exceptions_settle(struct cpu *cpu)
{
    struct cpu_exceptions *e = cpu->exceptions;
    if (e->reloaded) {
        e->reloaded = false;
        et_reload(e->unit, e->insn, e->loaded);
    }
    if (e->tested) {
        e->tested = false;
        et_tpi(e->unit, e->words[2] >> 27 & 7, e->words[0]);
    }
}

/* ---- the CPU tells; only with cpu->exceptions ----------------------------------------------------------------- */

/* PSWs are exchanged: the current one and all that is stored besides it are in place, the new one comes next. */
void cpu_exceptions_entry(struct cpu *cpu, enum cpu_class class, unsigned code, struct psw new_psw);
/* An instruction has loaded the PSW that is current now. */
void cpu_exceptions_reload(struct cpu *cpu, enum et_insn insn);
/* TEST PENDING INTERRUPTION with condition code 1: the three words. */
void cpu_exceptions_test(struct cpu *cpu, const uint8_t *words);
/* The engine is about to look for interruptions: conditions that are no latches may have changed. */
void cpu_exceptions_look(struct cpu *cpu);
/* It took none, and the CPU goes on, or waits. */
void cpu_exceptions_boundary(struct cpu *cpu);
/* Its state (stopped, operating ...) was another one. */
static inline void cpu_exceptions_state(struct cpu *cpu, unsigned before)
{
    cpu_exceptions_settle(cpu);
    if ((before == CPU_STATE_OPERATING) != (cpu->state == CPU_STATE_OPERATING))
        et_state(cpu->exceptions->unit, before == CPU_STATE_OPERATING ? ET_ST_STOPPED : ET_ST_STARTED);
}
/* It is about to be reset. */
void cpu_exceptions_reset(struct cpu *cpu);
/* A latched condition of this CPU has become pending; `from` is a CPU address for those that have one. */
void cpu_exceptions_external(struct cpu *cpu, uint32_t condition, uint16_t from);
/* A restart interruption of this CPU has become pending. */
void cpu_exceptions_restart(struct cpu *cpu);

/* ---- requests of no CPU in particular; only with sys->exceptions ---------------------------------------------- */

/* A condition of no CPU in particular (enum cpu_external) has become pending, with its external-interruption parameter
   and CPU address, 0 where it has none. */
void cpu_exceptions_floating(struct cpu_system *sys, uint32_t condition, uint64_t parameter, uint16_t address);
/* A channel report, the repressible machine check that the machine has, has become pending. */
void cpu_exceptions_channel_report(struct cpu_system *sys);
/* The channel subsystem: the three words as the interruption will have them. */
void cpu_exceptions_io(struct cpu_system *sys, const uint32_t words[3], bool withdrawn);

#endif
