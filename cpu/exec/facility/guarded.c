/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guarded-storage facility: loads that notice addresses in guarded sections. PoP chapter 4 "Guarded-Storage
   Facility" and chapter 7 (SA22-7832-13). */
#include "cpu/control/guarded.h"
#include "cpu/control/transaction.h"
#include "cpu/exec/bodies.h"
#include "cpu/storage/access.h"

/* Guarded-storage designation. */
#define CHARACTERISTIC_MIN 25u
#define CHARACTERISTIC_MAX 56u
#define SHIFT_MAX          4u
static unsigned characteristic(const struct cpu *cpu) { return (unsigned)field64(cpu->gs_designation, 58, 63); }
static unsigned load_shift(const struct cpu *cpu) { return (unsigned)field64(cpu->gs_designation, 53, 55); }

#define CONTROL_BLOCK 32u /* bytes: reserved, designation, section mask, parameter-list address */

#define CAUSE_TRANSACTION 0x80
#define CAUSE_CONSTRAINED 0x40
#define CAUSE_SHIFTED     0x01 /* LOAD LOGICAL AND SHIFT GUARDED */

/* The address is in a guarded section of the guarded region. */
static bool guarded(const struct cpu *cpu, uint64_t address)
{
    const unsigned size = characteristic(cpu);
    if (!(cpu->cr[2] & CR2_GUARDED_STORAGE) || size < CHARACTERISTIC_MIN || size > CHARACTERISTIC_MAX ||
        load_shift(cpu) > SHIFT_MAX)
        return false;
    address &= cpu->address_mask;
    return address >> size == cpu->gs_designation >> size && (cpu->gs_sections & BIT64((address >> (size - 6)) & 63));
}

static int load(struct cpu *cpu, const struct dis_insn *i, uint64_t operand, uint64_t result, uint8_t cause)
{
    if (LIKELY(!guarded(cpu, result))) {
        cpu->gr[i->r1] = result;
        return 0;
    }
    uint8_t access = (uint8_t)field64(cpu->psw.mask, 16, 17) << 4;
    if (cpu->psw.mask & PSW_DAT)
        access |= 0x40;
    if (field64(cpu->psw.mask, 16, 17) == AS_ACCESS_REGISTER)
        access |= i->b2;
    if (cpu_tx_active(cpu))
        cause |= CAUSE_TRANSACTION | (cpu_tx_constrained(cpu) ? CAUSE_CONSTRAINED : 0);
    cpu->gs_event = (struct cpu_guarded_event){cpu->insn_ia, operand, result, cause, access};
    if (cpu_tx_active(cpu))
        return cpu_tx_abort_with(cpu, TX_GUARDED); /* the event follows the abort */
    return cpu_guarded_event(cpu, cpu->psw.ia);
}

/* LOAD GUARDED: a doubleword into R1, unless it designates a guarded section: then a guarded-storage event. CC:
   unchanged. Exceptions: operation; access (fetch, second operand; fetch and store, parameter list). */
int cpu_lgg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t value, operand = cpu_ea2(cpu, i);
    int code = cpu_fetch8(cpu, operand, i->b2, &value);
    return code ? code : load(cpu, i, operand, value, 0);
}

/* LOAD LOGICAL AND SHIFT GUARDED: a word, shifted left by the guarded-load shift, likewise. */
int cpu_llgfsg(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t value;
    uint64_t operand = cpu_ea2(cpu, i);
    int code = cpu_fetch4(cpu, operand, i->b2, &value);
    unsigned shift = load_shift(cpu);
    if (!(cpu->cr[2] & CR2_GUARDED_STORAGE) || shift > SHIFT_MAX)
        shift = 0;
    return code ? code : load(cpu, i, operand, (uint64_t)value << shift, CAUSE_SHIFTED);
}

/* LOAD GUARDED STORAGE CONTROLS from the 32 bytes at the second operand. CC: unchanged. Exceptions: operation; special
   operation (control register 2 bit 59); access (fetch). */
int cpu_lgsc(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t block[CONTROL_BLOCK];
    if (!(cpu->cr[2] & CR2_GUARDED_STORAGE))
        return PIC_SPECIAL_OPERATION;
    int code = cpu_fetch_bytes(cpu, cpu_ea2(cpu, i), i->b2, block, sizeof block);
    if (code)
        return code;
    cpu->gs_designation = get64(block + 8);
    cpu->gs_sections = get64(block + 16);
    cpu->gs_list = get64(block + 24);
    return 0;
}

/* STORE GUARDED STORAGE CONTROLS. CC: unchanged. Exceptions: operation; special operation; access (store). */
int cpu_stgsc(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t block[CONTROL_BLOCK] = {0};
    if (!(cpu->cr[2] & CR2_GUARDED_STORAGE))
        return PIC_SPECIAL_OPERATION;
    put64(block + 8, cpu->gs_designation);
    put64(block + 16, cpu->gs_sections);
    put64(block + 24, cpu->gs_list);
    return cpu_store_bytes(cpu, cpu_ea2(cpu, i), i->b2, block, sizeof block);
}
