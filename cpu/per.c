/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program-event recording. PoP chapter 4 (SA22-7832-13). */
#include "cpu/per.h"

/* PER code, first byte at real 150. */
#define CODE_BRANCH     0x8000
#define CODE_FETCH      0x4000
#define CODE_STORE      0x2000
#define CODE_STORE_REAL 0x2800 /* storage alteration with the store-using-real-address bit */

/* Is `address` in the area that control registers 10 and 11 designate (it may wrap)? */
static bool in_area(const struct cpu *cpu, uint64_t address)
{
    uint64_t start = cpu->cr[10], end = cpu->cr[11];
    return start <= end ? address >= start && address <= end : address >= start || address <= end;
}

void per_begin(struct cpu *cpu)
{
    cpu->per_code = 0;
    cpu->per_address = cpu->insn_ia;
    cpu->per_access_id = 0;
}

void per_store(struct cpu *cpu, uint64_t address, unsigned length)
{
    uint64_t last = (address + length - 1) & cpu->address_mask, start = cpu->cr[10];
    bool hit = in_area(cpu, address) || in_area(cpu, last) ||
               (address <= last ? start >= address && start <= last : start >= address || start <= last);
    if (hit)
        cpu->per_code |= CODE_STORE;
}

/* Addressing and translation mode at the start of the instruction, bits 8-15 of the code. */
static uint16_t atmid(const struct cpu *cpu, uint64_t mask)
{
    uint16_t id = 0;
    (void)cpu;
    if (mask & PSW_EA)
        id |= 0x80;
    id |= 0x40; /* the identification is valid */
    if (mask & PSW_BA)
        id |= 0x20;
    if (mask & PSW_DAT)
        id |= 0x10;
    return (uint16_t)(id | field64(mask, 16, 17) << 2);
}

int per_end(struct cpu *cpu, const struct dis_insn *insn, int code)
{
    uint64_t controls = cpu->cr[9];
    if (insn->row == DIS_STURA || insn->row == DIS_STURG) {
        if ((controls & (PER_STORE | PER_STORE_USING_REAL)) == (PER_STORE | PER_STORE_USING_REAL) && !code)
            cpu->per_code |= CODE_STORE_REAL;
    }
    if ((controls & PER_FETCH) && in_area(cpu, cpu->insn_ia))
        cpu->per_code |= CODE_FETCH;
    if ((controls & PER_BRANCH) && cpu->branched && (!(controls & PER_BRANCH_ADDRESS) || in_area(cpu, cpu->psw.ia)))
        cpu->per_code |= CODE_BRANCH;
    if (!cpu->per_code)
        return code;
    cpu->per_code |= atmid(cpu, cpu->psw.mask);
    if (code == CPU_SVC || code == CPU_PARTIAL)
        return code; /* presented by the interruption, or with the unit of operation that ends the instruction */
    return code | PIC_PER_EVENT;
}
