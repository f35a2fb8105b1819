/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of control_registers.def as constant data. */
#include "cpu/state/control_registers.h"

const struct cpu_control_field cpu_control_fields[] = {
#define CONTROL(number, first, last, id, name) {number, first, last, name},
#include "cpu/state/control_registers.def"
#undef CONTROL
};

const unsigned cpu_control_field_count = sizeof cpu_control_fields / sizeof *cpu_control_fields;
