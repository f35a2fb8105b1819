/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DIAGNOSE X'E20' (specification of the managed run-time, 1.4). Storage operands are at real addresses, and no key
   protects them. */
#include "emu/observe/collection_diagnose.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "ri/ri.h"

enum subcode { QUERY, STORE_RECORDS, CLEAR, STORE_INSTRUCTION, COUNT };
enum { DONE, TRUNCATED, NOT_THERE = 3 };
#define RECORD 16u

static bool there(struct cpu *cpu, uint64_t real, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++)
        if (!cpu_real_host(cpu, real + i, 1))
            return false;
    return true;
}

/* All of it is there. */
static void store8(struct cpu *cpu, uint64_t real, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++) {
        *cpu_real_host(cpu, real + i, 1) = (uint8_t)(value >> (56 - 8 * i));
        cpu_code_stored(cpu, cpu_real_to_absolute(cpu, real + i), 1);
    }
}

static int store_records(struct cpu *cpu, uint64_t *length, uint64_t at)
{
    const unsigned have = ri_collected(cpu->ri);
    const uint64_t room = *length / RECORD;
    const unsigned count = have < room ? have : (unsigned)room;
    if (!there(cpu, at, (uint64_t)count * RECORD))
        return PIC_ADDRESSING;
    for (unsigned i = 0; i < count; i++, at += RECORD) {
        const struct ri_record record = ri_collected_record(cpu->ri, have - count + i);
        store8(cpu, at, record.hi);
        store8(cpu, at + 8, record.lo);
    }
    *length = (uint64_t)count * RECORD;
    cpu->cc = count < have ? TRUNCATED : DONE;
    return 0;
}

static int store_instruction(struct cpu *cpu, uint64_t at)
{
    if (!there(cpu, at, 8))
        return PIC_ADDRESSING;
    store8(cpu, at, ri_kept(cpu->ri));
    cpu->cc = DONE;
    return 0;
}

int collection_diagnose(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3)
{
    (void)m;
    if (r1 & 1)
        return PIC_SPECIFICATION;
    const uint32_t subcode = gr32(cpu, r1);
    uint64_t *operand = &cpu->gr[r1 + 1];
    cpu->cc = NOT_THERE;
    if (subcode != COUNT && !cpu_facility(cpu->sys, FACILITY_RI))
        return 0;
    switch (subcode) {
    case QUERY:
        *operand = (uint64_t)cpu->ri->profile.cb_entries << 32 | (uint64_t)ri_collected(cpu->ri) << 16 | RECORD;
        ri_keep(cpu->ri);
        cpu->cc = DONE;
        return 0;
    case STORE_RECORDS:
        return store_records(cpu, operand, cpu->gr[r3]);
    case CLEAR:
        ri_clear_collected(cpu->ri);
        cpu->cc = DONE;
        return 0;
    case STORE_INSTRUCTION:
        return store_instruction(cpu, cpu->gr[r3]);
    case COUNT:
        *operand = cpu_instructions(cpu);
        cpu->cc = DONE;
        return 0;
    default:
        return 0;
    }
}
