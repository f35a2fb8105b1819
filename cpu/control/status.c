/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storing the status of a CPU. PoP chapters 4 and 11 (SA22-7832-13). */
#include "cpu/control/status.h"
#include "cpu/state/timing.h"
#include "cpu/storage/code.h"

/* Absolute address of the store-status area, and of the architectural-mode identification. */
#define STATUS_AREA       4608
#define ARCHITECTURE_MODE 163

/* The additional-status area: bytes of the vector registers, offset of the guarded-storage controls. */
#define ADDITIONAL_VECTOR  512u
#define ADDITIONAL_GUARDED 1024u

bool cpu_store_registers(struct cpu *cpu, uint64_t absolute)
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
    put32(at + 284, cpu->fpc);
    put32(at + 292, cpu->tod_programmable);
    put64(at + 296, (uint64_t)cpu_timer_value(cpu));
    put64(at + 304, cpu->clock_comparator >> 8); /* bits 0-55, at 305 */
    cpu_code_stored(cpu, absolute, 512);
    return true;
}

bool cpu_store_status_at(struct cpu *cpu, uint64_t absolute)
{
    if (!cpu_store_registers(cpu, absolute))
        return false;
    uint8_t *at = cpu->sys->storage.bytes + absolute;
    put64(at + 256, cpu_psw_mask(cpu));
    put64(at + 264, cpu->psw.ia);
    put32(at + 280, cpu->prefix);
    return true;
}

bool cpu_store_additional_status_at(struct cpu *cpu, uint64_t absolute, unsigned length)
{
    if (!storage_has(&cpu->sys->storage, absolute, length))
        return false;
    uint8_t *at = cpu->sys->storage.bytes + absolute;
    for (unsigned i = 0; i < 32; i++, at += 16) {
        put64(at, cpu->vr[i].hi);
        put64(at + 8, cpu->vr[i].lo);
    }
    cpu_code_stored(cpu, absolute, ADDITIONAL_VECTOR);
    if (length <= ADDITIONAL_GUARDED || !cpu_facility(cpu->sys, FACILITY_GUARDED))
        return true;
    at = cpu->sys->storage.bytes + absolute + ADDITIONAL_GUARDED;
    put64(at, 0);
    put64(at + 8, cpu->gs_designation);
    put64(at + 16, cpu->gs_sections);
    put64(at + 24, cpu->gs_list);
    cpu_code_stored(cpu, absolute + ADDITIONAL_GUARDED, 32);
    return true;
}

void cpu_store_status(struct cpu *cpu)
{
    cpu->sys->storage.bytes[ARCHITECTURE_MODE] = 1; /* z/Architecture */
    cpu_code_stored(cpu, ARCHITECTURE_MODE, 1);
    (void)cpu_store_status_at(cpu, STATUS_AREA); /* storage is never so small */
}

uint32_t cpu_sigp_status(const struct cpu *cpu)
{
    uint32_t status = 0;
    if (__atomic_load_n(&cpu->external, __ATOMIC_RELAXED) & CPU_EXT_CALL) /* threads: others note calls meanwhile */
        status |= CPU_STATUS_EXTERNAL_CALL_PENDING;
    if (cpu->state == CPU_STATE_STOPPED)
        status |= CPU_STATUS_STOPPED;
    if (cpu->state == CPU_STATE_CHECK_STOP)
        status |= CPU_STATUS_CHECK_STOP;
    return status;
}
