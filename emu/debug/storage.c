/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/debug/storage.h"
#include "cpu/storage/code.h"
#include "cpu/storage/dat.h"
#include "cpu/storage/main.h"

/* Host address of a byte, NULL: there is none; *left receives how many there are up to the end of the page. Addresses
   of the current space are as the addressing mode has them: bit 32 of a 31-bit register is none of theirs. */
static uint8_t *host(struct cpu *cpu, enum cpu_space space, uint64_t address, size_t *left)
{
    const uint64_t within = space == CPU_SPACE_CURRENT ? address & cpu->address_mask : address;
    uint64_t absolute;
    bool protect;
    *left = cpu_page_left(address);
    if (cpu_walk(cpu, space, 0, within, NULL, NULL, &absolute, &protect) ||
        !storage_has(&cpu->sys->storage, absolute, 1))
        return NULL;
    return cpu->sys->storage.bytes + absolute;
}

size_t debug_fetch(struct cpu *cpu, enum cpu_space space, uint64_t address, void *to, size_t length)
{
    size_t done = 0, left;
    for (; done < length; done += left) {
        const uint8_t *bytes = host(cpu, space, address + done, &left);
        if (!bytes)
            break;
        left = left < length - done ? left : length - done;
        memcpy((uint8_t *)to + done, bytes, left);
    }
    return done;
}

bool debug_store(struct cpu *cpu, enum cpu_space space, uint64_t address, const void *from, size_t length)
{
    struct cpu_system *sys = cpu->sys;
    size_t left;
    for (size_t done = 0; done < length; done += left)
        if (!host(cpu, space, address + done, &left))
            return false;
    for (size_t done = 0; done < length; done += left) {
        uint8_t *bytes = host(cpu, space, address + done, &left);
        if (!bytes) /* the tables were changed by what was stored just now */
            return false;
        left = left < length - done ? left : length - done;
        memcpy(bytes, (const uint8_t *)from + done, left);
        storage_record_store(&sys->storage, (uint64_t)(bytes - sys->storage.bytes), left);
        cpu_code_written(sys, (uint64_t)(bytes - sys->storage.bytes), left);
    }
    return true;
}
