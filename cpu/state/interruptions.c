/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of interruptions.def as constant data, and names from them. */
#include "cpu/state/interruptions.h"
#include "cpu/state/cpu.h"
#include <ctype.h>
#include <stdio.h>

const struct cpu_code_name cpu_program_codes[] = {
#define PROGRAM(id, code, name)     {code, name},
#define PROGRAM_BIT(id, code, name) {code, name},
#include "cpu/state/interruptions.def"
    {0, NULL}};

const struct cpu_code_name cpu_data_exception_codes[] = {
#define DATA_EXCEPTION(id, code, name) {code, name},
#include "cpu/state/interruptions.def"
    {0, NULL}};

const struct cpu_code_name cpu_vector_exception_codes[] = {
#define VECTOR_EXCEPTION(id, code, name) {code, name},
#include "cpu/state/interruptions.def"
    {0, NULL}};

const struct cpu_external_row cpu_externals[CPU_EXTERNAL_COUNT] = {
#define EXTERNAL(id, code, subclass, name) {CPU_EXT_##id, code, CR0_##subclass, name},
#include "cpu/state/interruptions.def"
};

const struct cpu_machine_check_row cpu_machine_check_rows[CPU_MACHINE_CHECK_COUNT] = {
#define MACHINE_CHECK(id, bit, subclass, name) {CPU_MCK_##id, BIT64(bit), CR14_##subclass, name},
#include "cpu/state/interruptions.def"
};

static const char *name_of(const struct cpu_code_name *list, unsigned code)
{
    while (list->name && list->code != code)
        list++;
    return list->name;
}

void cpu_program_name(unsigned code, char *text, size_t size)
{
    static const unsigned bits[] = {PIC_PER_EVENT, PIC_TRANSACTION_ABORT};
    const unsigned condition = code & ~(unsigned)(PIC_PER_EVENT | PIC_TRANSACTION_ABORT);
    const char *name = name_of(cpu_program_codes, condition);
    size_t used = 0;
    text[0] = 0;
    if (condition && !name)
        return;
    if (name)
        used = (size_t)snprintf(text, size, "%s", name);
    for (unsigned i = 0; i < sizeof bits / sizeof *bits && used < size; i++)
        if (code & bits[i])
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     name_of(cpu_program_codes, bits[i]));
}

/* Does `name` begin with `words`? *whole: and nothing follows. */
static bool begins(const char *name, const char *words, bool *whole)
{
    for (; *words; words++, name++) {
        const bool gap = *words == ' ' || *words == '-' || *words == '_';
        if (gap ? *name != ' ' && *name != '-' : tolower((unsigned char)*words) != tolower((unsigned char)*name))
            return false;
    }
    *whole = !*name;
    return true;
}

int cpu_program_find(const char *name)
{
    int found = -1;
    bool whole;
    for (const struct cpu_code_name *row = cpu_program_codes; *name && row->name; row++) {
        if (!begins(row->name, name, &whole))
            continue;
        if (whole)
            return row->code;
        found = found == -1 ? row->code : -2;
    }
    return found < 0 ? -1 : found;
}

const char *cpu_data_exception_name(unsigned code) { return name_of(cpu_data_exception_codes, code); }
const char *cpu_vector_exception_name(unsigned code) { return name_of(cpu_vector_exception_codes, code & 0xf); }

const char *cpu_external_name(unsigned code)
{
    for (unsigned i = 0; i < CPU_EXTERNAL_COUNT; i++)
        if (cpu_externals[i].code == code)
            return cpu_externals[i].name;
    return NULL;
}
