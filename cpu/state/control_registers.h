/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of the control registers by name, from control_registers.def: CR0_AFP is the field as a mask of the
   register, CR0_AFP_BIT the number of its first bit. */
#ifndef ZRI_CPU_STATE_CONTROL_REGISTERS_H
#define ZRI_CPU_STATE_CONTROL_REGISTERS_H

#include "base/bits.h"

/* Bits first to last of a doubleword. */
#define CPU_CONTROL_MASK(first, last) (~UINT64_C(0) >> (first) & ~UINT64_C(0) << (63 - (last)))

enum cpu_control_mask {
#define CONTROL(number, first, last, id, name) CR##number##_##id = CPU_CONTROL_MASK(first, last),
#include "cpu/state/control_registers.def"
#undef CONTROL
};

enum cpu_control_bit {
#define CONTROL(number, first, last, id, name) CR##number##_##id##_BIT = first,
#include "cpu/state/control_registers.def"
#undef CONTROL
};

/* The value of a field, a mask of the enumeration above, of a control register. */
static inline uint64_t cpu_control_value(uint64_t cr, uint64_t field) { return (cr & field) / (field & -field); }

/* Control registers after initial CPU reset; the others are zero. */
#define CR0_INITIAL  (CR0_ONE_56 | CR0_INTERRUPT_KEY | CR0_MEASUREMENT_ALERT)
#define CR14_INITIAL (CR14_ONE_32 | CR14_ONE_33 | CR14_EXTERNAL_DAMAGE)

/* A field, for displays. */
struct cpu_control_field {
    uint8_t number; /* of the register */
    uint8_t first, last;
    const char *name;
};

/* In the order of registers and bits. */
extern const struct cpu_control_field cpu_control_fields[];
extern const unsigned cpu_control_field_count;

#endif
