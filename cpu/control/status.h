/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storing the status of a CPU. PoP chapters 4 and 11. */
#ifndef ZRI_CPU_CONTROL_STATUS_H
#define ZRI_CPU_CONTROL_STATUS_H

#include "cpu/state/cpu.h"

/* Store status at absolute 4608.. (z/Architecture locations), PoP chapter 4. */
void cpu_store_status(struct cpu *cpu);
/* SIGP store status at address / additional status go through this one: the 512-byte area at `absolute`. false: not in
 * storage. */
bool cpu_store_status_at(struct cpu *cpu, uint64_t absolute);
/* SIGP store additional status at address: vector registers, and behind 1,024 bytes the guarded-storage controls when
   the area of `length` bytes holds more than that. false: not in storage. */
bool cpu_store_additional_status_at(struct cpu *cpu, uint64_t absolute, unsigned length);
/* The registers alone, without PSW and prefix: the register-save areas of a machine check. false: not in storage. */
bool cpu_store_registers(struct cpu *cpu, uint64_t absolute);

/* Status bits that SIGP reports of this CPU (status word of SENSE); the machine adds those of the order. */
enum { CPU_STATUS_EXTERNAL_CALL_PENDING = 0x80, CPU_STATUS_STOPPED = 0x40, CPU_STATUS_CHECK_STOP = 0x10 };
uint32_t cpu_sigp_status(const struct cpu *cpu);

#endif
