/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Life and resets of a CPU; store status. PoP chapters 4 and 12 (SA22-7832-13). */
#include "cpu/cpu.h"
#include "cpu/access.h"
#include "cpu/engine/engine.h"
#include "cpu/interrupt.h"
#include "cpu/tlb.h"
#include "ri/ri.h"
#include <stdlib.h>

/* Control registers after initial CPU reset; the others are zero. */
#define CR0_INITIAL  UINT64_C(0xe0)
#define CR14_INITIAL UINT64_C(0xc2000000)

struct cpu *cpu_create(struct cpu_system *sys, uint16_t address)
{
    if (address >= CPU_MAX || sys->cpus[address])
        return NULL;
    struct cpu *cpu = calloc(1, sizeof *cpu);
    if (!cpu)
        return NULL;
    cpu->sys = sys;
    cpu->address = address;
    cpu->ri = ri_create(&ri_profiles[0]);
    if (!cpu->ri || tlb_create(cpu)) {
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
    engine_destroy(cpu);
    tlb_destroy(cpu);
    ri_destroy(cpu->ri);
    if (cpu->sys->cpus[cpu->address] == cpu)
        cpu->sys->cpus[cpu->address] = NULL;
    free(cpu);
}

/* What every reset does: interruption conditions, RI, translations; the CPU is stopped. */
static void reset_subsystems(struct cpu *cpu)
{
    cpu_set_state(cpu, CPU_STATE_STOPPED);
    cpu->external &= CPU_EXT_SERVICE_SIGNAL | CPU_EXT_INTERRUPT_KEY; /* floating conditions stay */
    cpu->ext_malfunction = cpu->ext_emergency = 0;
    cpu->restart_pending = cpu->stop_pending = cpu->store_status_pending = false;
    cpu->machine_checks = 0;
    cpu->zero_ilc = false;
    cpu->per_code = 0;
    ri_reset(cpu->ri);
    cpu->psw.mask &= ~PSW_RI;
}

static void reset_initial(struct cpu *cpu)
{
    cpu->psw = (struct psw){0};
    cpu->cc = 0;
    cpu->prefix = 0;
    cpu->fpc = 0;
    cpu->bear = 1; /* none yet */
    cpu->tod_programmable = 0;
    cpu->program_parameter = 0;
    cpu->clock_comparator = 0;
    cpu_set_timer(cpu, 0);
    memset(cpu->cr, 0, sizeof cpu->cr);
    cpu->cr[0] = CR0_INITIAL;
    cpu->cr[14] = CR14_INITIAL;
}

void cpu_reset(struct cpu *cpu, enum cpu_reset_kind kind)
{
    reset_subsystems(cpu);
    if (kind != CPU_RESET)
        reset_initial(cpu);
    if (kind == CPU_RESET_CLEAR || kind == CPU_RESET_POWER_ON) {
        memset(cpu->gr, 0, sizeof cpu->gr);
        memset(cpu->ar, 0, sizeof cpu->ar);
        memset(cpu->vr, 0, sizeof cpu->vr);
        cpu->external = 0;
        cpu->ext_service = 0;
    }
    cpu_tlb_purge(cpu);
    cpu_mode_changed(cpu);
    engine_code_purge(cpu);
}

bool cpu_store_status_at(struct cpu *cpu, uint64_t absolute)
{
    if (!storage_has(&cpu->sys->storage, absolute, 512))
        return false;
    uint8_t *at = cpu->sys->storage.bytes + absolute;
    for (unsigned i = 0; i < 16; i++) {
        put64(at + 8 * i, cpu->vr[i].hi);
        put64(at + 128 + 8 * i, cpu->gr[i]);
        put32(at + 320 + 4 * i, cpu->ar[i]);
        put64(at + 384 + 8 * i, cpu->cr[i]);
    }
    put64(at + 256, cpu_psw_mask(cpu));
    put64(at + 264, cpu->psw.ia);
    put32(at + 280, cpu->prefix);
    put32(at + 284, cpu->fpc);
    put32(at + 292, cpu->tod_programmable);
    put64(at + 296, (uint64_t)cpu_timer_value(cpu));
    put64(at + 304, cpu->clock_comparator >> 8);
    cpu_code_written(cpu->sys, absolute, 512);
    return true;
}

void cpu_store_status(struct cpu *cpu)
{
    cpu->sys->storage.bytes[163] = 1; /* architectural mode: z/Architecture */
    (void)cpu_store_status_at(cpu, 4608);
}
