/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registers of a CPU by name or number, for resets, console, snapshots and debugger. */
#ifndef ZRI_CPU_CONTROL_REGISTERS_H
#define ZRI_CPU_CONTROL_REGISTERS_H

#include "cpu/state/cpu.h"
#include <stddef.h>

/* Resets, each clearing what the ones before it clear. PoP chapter 4. */
enum cpu_reset_kind { CPU_RESET, CPU_RESET_INITIAL, CPU_RESET_CLEAR, CPU_RESET_POWER_ON };

enum cpu_register_id {
#define REGISTER(id, name, count, width, member, stride, reset, value, group, debug_name, what) CPU_REG_##id,
#include "cpu/control/registers.def"
#undef REGISTER
    CPU_REGISTER_COUNT
};

/* Groups of registers, as debuggers know them. */
enum cpu_register_group {
    CPU_REGS_CORE,
    CPU_REGS_ACCESS,
    CPU_REGS_FLOAT,
    CPU_REGS_VECTOR,
    CPU_REGS_GUARDED,
    CPU_REGS_CONTROL,
    CPU_REGS_SYSTEM,
    CPU_REGS_COUNT
};

struct cpu_register {
    const char *name;       /* without the number */
    const char *debug_name; /* likewise, for debuggers */
    const char *what;       /* PoP name */
    uint8_t group;          /* enum cpu_register_group */
    uint8_t count;          /* registers of this name; with 1 there is no number */
    uint8_t width;          /* bits: 32, 64 or 128 */
    uint8_t stride;         /* bytes from one to the next in struct cpu */
    uint8_t reset;          /* enum cpu_reset_kind: the mildest reset that clears it */
    size_t offset;          /* of the first in struct cpu */
    uint64_t initial;       /* value after that reset */
};

extern const struct cpu_register cpu_registers[CPU_REGISTER_COUNT];

/* Which register `name` is ("r5", "c0", "fpc"): its id, *number receives its number (0 when there is one only).
   Negative when there is no such register. Capital letters are as good. */
int cpu_register_find(const char *name, unsigned *number) MUST_USE;

/* The contents of register `number` of `id`, right-aligned in value[0..1] (value[0] is bits 0-63 of a vector register
   and zero for narrower ones). The CPU timer and the PSW with its condition code are as a program would see them.
   False when there is no such register. */
bool cpu_register_get(struct cpu *cpu, unsigned id, unsigned number, uint64_t value[2]) MUST_USE;

/* Change it; whatever depends on it follows (translation, addressing mode, CPU timer). Returns 0; -EINVAL: no such
   register, or a prefix that is no area of storage; PIC_SPECIFICATION: a PSW with a format error, which is current. */
int cpu_register_set(struct cpu *cpu, unsigned id, unsigned number, const uint64_t value[2]) MUST_USE;

/* Set the prefix (bits 33-50 of `prefix` count); translations are purged. false: its 8K-byte area is not in storage. */
bool cpu_set_prefix(struct cpu *cpu, uint32_t prefix) MUST_USE;

#endif
