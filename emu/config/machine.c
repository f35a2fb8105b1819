/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine that nobody asked for in particular, and which DIAGNOSE codes one offers. */
#include "emu/config/machine.h"
#include "cpu/engine/engine.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    uint16_t code;
    bool offered;
} codes[] = {
#define DIAGNOSE(code, offered, carry_out, text) {code, offered},
#include "emu/config/diagnose.def"
#undef DIAGNOSE
};
#define CODES (sizeof codes / sizeof *codes)

uint32_t diagnose_default(void)
{
    uint32_t offered = 0;
    for (unsigned i = 0; i < CODES; i++)
        offered |= (uint32_t)codes[i].offered << i;
    return offered;
}

int diagnose_change(uint32_t *offered, const char *changes, char *error, size_t size)
{
    uint32_t changed = *offered;
    while (*changes) {
        const bool take = *changes == '-';
        const char *word = changes + (take || *changes == '+');
        char *end = NULL;
        unsigned long code = isxdigit((unsigned char)*word) ? strtoul(word, &end, 16) : 0;
        unsigned row = 0;
        while (row < CODES && codes[row].code != code)
            row++;
        if (!end || (*end && *end != ',') || row == CODES) {
            snprintf(error, size, "'%.40s': no DIAGNOSE code that can be switched; give hexadecimal codes as +8,-288",
                     changes);
            return -EINVAL;
        }
        changed = take ? changed & ~(1u << row) : changed | 1u << row;
        changes = end + (*end == ',');
    }
    *offered = changed;
    return 0;
}

struct machine_config machine_default_config(void)
{
    return (struct machine_config){.storage = UINT64_C(128) << 20,
                                   .cpus = 1,
                                   .engine = ENGINE_BLOCK,
                                   .consoles = SCLP_LINE_MODE,
                                   .diagnose = diagnose_default(),
                                   .profile = *emu_profile_number(0)};
}
