/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Life and resets of a CPU. PoP chapters 4 and 12 (SA22-7832-13). */
#include "cpu/life/life.h"
#include "cpu/control/model.h"
#include "cpu/control/psw.h"
#include "cpu/control/registers.h"
#include "cpu/control/transaction.h"
#include "cpu/engine/engine.h"
#include "cpu/state/cpu.h"
#include "cpu/state/exceptions.h"
#include "cpu/state/timing.h"
#include "cpu/storage/tlb.h"
#include "ri/counters/counters.h"
#include "ri/ri.h"
#include <stdlib.h>

struct cpu *cpu_create(struct cpu_system *sys, uint16_t address)
{
    if (address >= CPU_MAX || sys->cpus[address])
        return NULL;
    struct cpu *cpu = calloc(1, sizeof *cpu);
    if (!cpu)
        return NULL;
    cpu->sys = sys;
    sys->code_changed = engine_code_changed;
    cpu->address = address;
    cpu->ri = ri_create(&ri_profiles[0]);
    cpu->counters = counters_create();
    if (!cpu->ri || !cpu->counters || tlb_create(cpu)) {
        cpu_destroy(cpu);
        return NULL;
    }
    cpu->state = CPU_STATE_STOPPED;
    sys->cpus[address] = cpu;
    if (sys->cpu_count <= address)
        sys->cpu_count = address + 1u;
    cpu_reset(cpu, CPU_RESET_POWER_ON);
    return cpu;
}

void cpu_destroy(struct cpu *cpu)
{
    if (!cpu)
        return;
    if (cpu_model_set(cpu, NULL)) /* off: cannot fail */
        return;
    engine_destroy(cpu);
    tlb_destroy(cpu);
    cpu_tx_destroy(cpu);
    ri_destroy(cpu->ri);
    counters_destroy(cpu->counters);
    if (cpu->sys->cpus[cpu->address] == cpu)
        cpu->sys->cpus[cpu->address] = NULL;
    free(cpu);
}

/* What every reset does: interruption conditions, RI, translations; the CPU is stopped. */
static void reset_subsystems(struct cpu *cpu)
{
    cpu_set_state(cpu, CPU_STATE_STOPPED);
    cpu_tx_reset(cpu);
    cpu->external &= CPU_EXT_SERVICE_SIGNAL | CPU_EXT_INTERRUPT_KEY; /* floating conditions stay */
    cpu->ext_malfunction = cpu->ext_emergency = 0;
    cpu->restart_pending = cpu->stop_pending = cpu->store_status_pending = false;
    cpu->machine_checks = 0;
    cpu->zero_ilc = false;
    cpu->per_code = 0;
    ri_reset(cpu->ri);
    counters_reset(cpu->counters);
    cpu->psw.mask &= ~PSW_RI;
}

/* Registers that a reset of this kind, or a milder one, clears. */
static void reset_registers(struct cpu *cpu, enum cpu_reset_kind kind)
{
    const uint64_t zero[2] = {0};
    for (unsigned id = 0; id < CPU_REGISTER_COUNT; id++) {
        const struct cpu_register *r = &cpu_registers[id];
        const uint64_t value[2] = {0, r->initial};
        for (unsigned n = 0; n < r->count && r->reset <= kind; n++)
            if (cpu_register_set(cpu, id, n, r->width == 128 ? zero : value))
                cpu->prefix = 0; /* a machine without storage */
    }
}

void cpu_reset(struct cpu *cpu, enum cpu_reset_kind kind)
{
    if (UNLIKELY(cpu->exceptions != NULL))
        cpu_exceptions_reset(cpu);
    if (cpu->pipeline)
        cpu_model_reset(cpu, kind != CPU_RESET);
    reset_subsystems(cpu);
    cpu->interrupted = false;
    if (kind != CPU_RESET) {
        reset_registers(cpu, kind);
        cpu->cr[0] = CR0_INITIAL;
        cpu->cr[14] = CR14_INITIAL;
    }
    if (kind >= CPU_RESET_CLEAR) {
        cpu->external = 0;
        cpu->ext_service = 0;
        cpu->taken.latest.number = 0; /* an operator is told of nothing that came before */
        cpu->taken.repeats = 0;
    }
    cpu_tlb_purge(cpu);
    cpu_mode_changed(cpu);
    engine_code_purge(cpu);
}
