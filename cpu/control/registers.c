/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The register table and access by it. */
#include "cpu/control/registers.h"
#include "cpu/control/psw.h"
#include "cpu/state/timing.h"
#include "cpu/storage/tlb.h"
#include <ctype.h>
#include <errno.h>

const struct cpu_register cpu_registers[CPU_REGISTER_COUNT] = {
#define REGISTER(id, name, count, width, member, stride, reset, value, group, debug_name, what)                        \
    [CPU_REG_##id] = {                                                                                                 \
        name, debug_name, what, CPU_REGS_##group, count, width, stride, reset, offsetof(struct cpu, member), value},
#include "cpu/control/registers.def"
#undef REGISTER
};

int cpu_register_find(const char *name, unsigned *number)
{
    char letters[8];
    size_t n = 0;
    while (n < sizeof letters - 1 && isalpha((unsigned char)name[n])) {
        letters[n] = (char)tolower((unsigned char)name[n]);
        n++;
    }
    letters[n] = 0;
    name += n;
    unsigned value = 0, digits = 0;
    for (; isdigit((unsigned char)*name) && digits < 3; name++, digits++)
        value = value * 10 + (unsigned)(*name - '0');
    if (*name)
        return -ENOENT;
    for (int id = 0; id < CPU_REGISTER_COUNT; id++) {
        const struct cpu_register *r = &cpu_registers[id];
        if (strcmp(r->name, letters) == 0 && value < r->count && (digits != 0) == (r->count > 1)) {
            *number = value;
            return id;
        }
    }
    return -ENOENT;
}

bool cpu_register_get(struct cpu *cpu, unsigned id, unsigned number, uint64_t value[2])
{
    if (id >= CPU_REGISTER_COUNT || number >= cpu_registers[id].count)
        return false;
    const struct cpu_register *r = &cpu_registers[id];
    const char *at = (const char *)cpu + r->offset + (size_t)r->stride * number;
    value[0] = 0;
    if (id == CPU_REG_PSW_MASK) {
        value[1] = cpu_psw_mask(cpu);
    } else if (id == CPU_REG_CPU_TIMER) {
        value[1] = (uint64_t)cpu_timer_value(cpu);
    } else if (r->width == 32) {
        uint32_t word;
        memcpy(&word, at, sizeof word);
        value[1] = word;
    } else if (r->width == 64) {
        memcpy(&value[1], at, sizeof value[1]);
    } else {
        memcpy(value, at, 2 * sizeof value[0]);
    }
    return true;
}

int cpu_register_set(struct cpu *cpu, unsigned id, unsigned number, const uint64_t value[2])
{
    if (id >= CPU_REGISTER_COUNT || number >= cpu_registers[id].count)
        return -EINVAL;
    const struct cpu_register *r = &cpu_registers[id];
    char *at = (char *)cpu + r->offset + (size_t)r->stride * number;
    switch (id) {
    case CPU_REG_PSW_MASK:
        return cpu_load_psw(cpu, value[1], cpu->psw.ia);
    case CPU_REG_PSW_ADDRESS:
        return cpu_load_psw(cpu, cpu_psw_mask(cpu), value[1]);
    case CPU_REG_PREFIX:
        return value[1] <= UINT32_MAX && cpu_set_prefix(cpu, (uint32_t)value[1]) ? 0 : -EINVAL;
    case CPU_REG_CPU_TIMER:
        cpu_set_timer(cpu, (int64_t)value[1]);
        return 0;
    default:
        break;
    }
    if (r->width == 32) {
        uint32_t word = (uint32_t)value[1];
        memcpy(at, &word, sizeof word);
    } else if (r->width == 64) {
        memcpy(at, &value[1], sizeof value[1]);
    } else {
        memcpy(at, value, 2 * sizeof value[0]);
    }
    if (id == CPU_REG_CR)
        cpu_mode_changed(cpu);
    return 0;
}

bool cpu_set_prefix(struct cpu *cpu, uint32_t prefix)
{
    prefix &= 0x7fffe000;
    if (!storage_has(&cpu->sys->storage, prefix, 0x2000))
        return false;
    cpu->prefix = prefix;
    cpu_tlb_purge(cpu);
    return true;
}
