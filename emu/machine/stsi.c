/* SPDX-License-Identifier: GPL-3.0-or-later */
/* STORE SYSTEM INFORMATION blocks, PoP chapter 10 (SA22-7832-13); STORE HYPERVISOR INFORMATION as Linux knows it. */
#include "base/ebcdic.h"
#include "emu/machine/machine.h"
#include <stdio.h>

#define ALTERNATE_CAPABILITY_FORMAT 0
#define TOPOLOGY_DEDICATED          0x04
#define TOPOLOGY_VERTICAL_HIGH      0x03

static void text(uint8_t *at, const char *words, size_t length) { ebcdic_text(words, at, length); }

static void machine_type(const struct machine *m, uint8_t *at)
{
    char digits[8];
    snprintf(digits, sizeof digits, "%04X", m->config.profile.machine_type);
    text(at, digits, 4);
}

/* 1.1.1: the machine. */
static void basic_machine(const struct machine *m, uint8_t *b)
{
    text(b + 32, "ZRI", 16);
    machine_type(m, b + 48);
    text(b + 64, "ZRI", 16); /* model-capacity identifier */
    text(b + 80, "0000000000012345", 16);
    text(b + 96, "00", 4);
    text(b + 100, "ZRI", 16); /* model */
    text(b + 116, "ZRI", 16); /* permanent and temporary model-capacity identifier: nothing was changed */
    text(b + 132, "ZRI", 16);
    for (unsigned at = 148; at <= 156; at += 4) /* the ratings of the three */
        put32(b + at, m->config.profile.capability);
}

/* 1.2.1 and 2.2.1: this CPU. */
static void this_cpu(const struct cpu *cpu, uint8_t *b)
{
    text(b + 80, "0000000000012345", 16);
    text(b + 96, "00", 4);
    put16(b + 100, cpu->address);
}

/* CPUs that are configured, and all with those in standby. */
static uint16_t configured(const struct machine *m)
{
    unsigned n = 0;
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        n += !machine_cpu_standby(m, i);
    return (uint16_t)n;
}

/* Counts of CPUs as several blocks have them: total, configured, standby, reserved. */
static void counts(const struct machine *m, uint8_t *at)
{
    put16(at, (uint16_t)m->sys.cpu_count);
    put16(at + 2, configured(m));
    put16(at + 4, (uint16_t)(m->sys.cpu_count - configured(m)));
    put16(at + 6, 0);
}

/* 1.2.2: the CPUs. */
static void basic_cpus(const struct machine *m, uint8_t *b)
{
    b[0] = ALTERNATE_CAPABILITY_FORMAT;
    put32(b + 32, m->config.profile.capability);
    counts(m, b + 36);
    for (unsigned i = 2; i <= m->sys.cpu_count; i++)
        put16(b + 44 + 2 * (i - 2), 100); /* each CPU at its full speed */
}

/* 2.2.2: the CPUs of the logical partition. */
static void partition_cpus(const struct machine *m, uint8_t *b)
{
    put16(b + 32, 1); /* partition number */
    b[35] = 0x80;     /* dedicated */
    counts(m, b + 36);
    text(b + 44, "ZRI", 8);
    put32(b + 52, 1000);
    put16(b + 72, (uint16_t)m->sys.cpu_count);
}

/* 3.2.2: one description block of a virtual machine, with the name that Linux knows. */
static void virtual_machine(const struct machine *m, uint8_t *b)
{
    b[31] = 1;
    uint8_t *d = b + 32;
    counts(m, d + 4);
    text(d + 12, "ZRI", 8);
    put32(d + 20, 1000);
    text(d + 24, "KVM/Linux", 16);
}

/* 15.1.x: the topology to x nesting levels: all CPUs in one container of each level. */
static void topology(const struct machine *m, unsigned levels, uint8_t *b)
{
    uint8_t *entry = b + 16;
    b[9] = (uint8_t)m->sys.cpu_count; /* how many entries each level can have, the innermost last */
    for (unsigned level = 2; level <= levels; level++)
        b[10 - level] = 1;
    b[11] = (uint8_t)levels;
    for (unsigned level = levels - 1; level; level--, entry += 8) {
        entry[0] = (uint8_t)level;
        entry[7] = 1;
    }
    /* CPUs: dedicated, so that their vertical polarization is high; the type is 0, addresses begin with 0. */
    entry[4] = m->sys.vertical ? TOPOLOGY_DEDICATED | TOPOLOGY_VERTICAL_HIGH : TOPOLOGY_DEDICATED;
    uint64_t mask = 0;
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        if (!machine_cpu_standby(m, i))
            mask |= BIT64(i);
    put64(entry + 8, mask);
    put16(b + 2, (uint16_t)(entry + 16 - b));
}

bool machine_system_information(void *machine, struct cpu *cpu, unsigned fc, unsigned sel1, unsigned sel2,
                                uint8_t block[4096])
{
    const struct machine *m = machine;
    memset(block, 0, 4096);
    if (fc == 15 && sel1 == 1 && sel2 >= 2 && sel2 <= MACHINE_TOPOLOGY_LEVELS &&
        cpu_facility(&m->sys, FACILITY_TOPOLOGY)) {
        topology(m, sel2, block);
        return true;
    }
    if (fc > m->config.profile.level)
        return false;
    if (sel1 > 15 || sel2 > 15)
        return false;
    switch (fc << 8 | sel1 << 4 | sel2) {
    case 0x111:
        basic_machine(m, block);
        return true;
    case 0x121:
    case 0x221:
        this_cpu(cpu, block);
        return true;
    case 0x122:
        basic_cpus(m, block);
        return true;
    case 0x222:
        partition_cpus(m, block);
        return true;
    case 0x322:
        virtual_machine(m, block);
        return true;
    default:
        return false;
    }
}

/* ---- STORE HYPERVISOR INFORMATION ------------------------------------------------------------------------------- */

/* The response of function 0, capacities: lengths of its sections, and where they begin. */
enum { STHYI_HEADER = 48, STHYI_MACHINE = 64, STHYI_PARTITION = 56, STHYI_ALL = 168 };
enum { HEADER_INCOMPLETE = 0x20, HEADER_NO_PARTITIONS = 0x10 };
enum { MACHINE_COUNTS = 0x80, MACHINE_IDENTIFIED = 0x40 };
enum { PARTITION_COUNTS = 0x80, PARTITION_WEIGHT = 0x40, PARTITION_CAP = 0x20, PARTITION_IDENTIFIED = 0x10 };

/* Header, machine and partition, as STORE SYSTEM INFORMATION tells them: all CPUs are dedicated general-purpose ones,
   nothing is capped. The level of the virtual machine has no section, and the header says so. */
void machine_hypervisor_information(void *machine, struct cpu *cpu, uint8_t block[4096])
{
    const struct machine *m = machine;
    uint8_t information[4096], *mac = block + STHYI_HEADER, *par = mac + STHYI_MACHINE;
    memset(block, 0, 4096);
    block[0] = m->config.profile.level >= 3  ? HEADER_INCOMPLETE
               : m->config.profile.level < 2 ? HEADER_NO_PARTITIONS
                                             : 0;
    put16(block + 8, STHYI_ALL);
    put16(block + 10, STHYI_HEADER);
    put16(block + 12, STHYI_HEADER);
    put16(block + 14, STHYI_MACHINE);
    put16(block + 16, STHYI_HEADER + STHYI_MACHINE);
    put16(block + 18, STHYI_PARTITION);
    mac[2] = MACHINE_COUNTS;
    put16(mac + 6, (uint16_t)m->sys.cpu_count);
    if (machine_system_information(machine, cpu, 1, 1, 1, information)) {
        mac[2] |= MACHINE_IDENTIFIED;
        memcpy(mac + 20, information + 48, 4);  /* type */
        memcpy(mac + 24, information + 32, 16); /* manufacturer */
        memcpy(mac + 40, information + 80, 20); /* sequence code, plant */
    }
    if (!machine_system_information(machine, cpu, 2, 2, 2, information))
        return;
    par[2] = PARTITION_COUNTS | PARTITION_WEIGHT | PARTITION_CAP | PARTITION_IDENTIFIED;
    memcpy(par + 4, information + 32, 2); /* number */
    put16(par + 8, configured(m));
    memcpy(par + 16, information + 44, 8); /* name */
}
