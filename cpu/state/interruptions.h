/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interruption codes by name, from interruptions.def. Codes themselves: codes.h. */
#ifndef ZRI_CPU_STATE_INTERRUPTIONS_H
#define ZRI_CPU_STATE_INTERRUPTIONS_H

#include <stddef.h>
#include <stdint.h>

struct cpu_code_name {
    uint16_t code;
    const char *name; /* as PoP says it, without "exception" */
};

/* Lists that end with a NULL name. */
extern const struct cpu_code_name cpu_program_codes[], cpu_data_exception_codes[], cpu_vector_exception_codes[];

/* Program-interruption conditions as they are stored: "addressing"; with a PER event or an aborted transaction: "PER
   event", "addressing, PER event", "data, transaction aborted". Writes at most `size` bytes, always ends with NUL; ""
   when the code has no name. */
void cpu_program_name(unsigned code, char *text, size_t size);

/* The condition with this name (case and the words' separators, blank or hyphen, do not matter; the beginning of a name
   is enough when no other begins so), or -1. */
int cpu_program_find(const char *name);

/* Data-exception code; vector-exception code with or without the number of the element. NULL when it has no name. */
const char *cpu_data_exception_name(unsigned code);
const char *cpu_vector_exception_name(unsigned code);

/* External interruptions, in priority order. */
struct cpu_external_row {
    uint32_t condition; /* enum cpu_external */
    uint16_t code;
    uint64_t subclass; /* in control register 0 */
    const char *name;
};
enum {
#define EXTERNAL(id, ...) CPU_EXTERNAL_##id,
#include "cpu/state/interruptions.def"
    CPU_EXTERNAL_COUNT
};
extern const struct cpu_external_row cpu_externals[CPU_EXTERNAL_COUNT];

/* Name of an external-interruption code; NULL when it has none. */
const char *cpu_external_name(unsigned code);

/* Machine checks that the machine has. */
struct cpu_machine_check_row {
    uint32_t condition; /* enum cpu_machine_check */
    uint64_t code;      /* bit of the machine-check-interruption code */
    uint64_t subclass;  /* in control register 14 */
    const char *name;
};
enum {
#define MACHINE_CHECK(id, ...) CPU_MACHINE_CHECK_##id,
#include "cpu/state/interruptions.def"
    CPU_MACHINE_CHECK_COUNT
};
extern const struct cpu_machine_check_row cpu_machine_check_rows[CPU_MACHINE_CHECK_COUNT];

#endif
