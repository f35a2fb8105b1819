/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The current PSW. PoP chapter 4, "Program-Status Word" (SA22-7832-13). */
#include "cpu/control/psw.h"
#include "cpu/state/cpu.h"
#include "cpu/storage/tlb.h"
#include "ri/ri.h"

/* Bits that must be zero: 0, 2-4, 12, 25-30, 33-63; bit 24 follows run-time instrumentation. */
#define PSW_ZERO (BIT64(0) | BIT64(2) | BIT64(3) | BIT64(4) | PSW_BIT12 | (BIT64(24) - BIT64(30)) | (BIT64(32) - 1))

/* Format errors that are recognized early. */
static bool format_valid(const struct cpu *cpu, uint64_t mask, uint64_t ia)
{
    if (mask & PSW_ZERO)
        return false;
    if ((mask & PSW_RI) && (!cpu_facility(cpu->sys, FACILITY_RI) || !ri_valid(cpu->ri)))
        return false;
    if ((mask & PSW_KEY) && cpu_facility(cpu->sys, FACILITY_STORAGE_KEY_REMOVAL))
        return false;
    switch (mask & (PSW_EA | PSW_BA)) {
    case PSW_EA | PSW_BA:
        return true;
    case PSW_BA:
        return ia <= 0x7fffffff;
    case 0:
        return ia <= 0xffffff;
    default:
        return false;
    }
}

void cpu_mode_changed(struct cpu *cpu)
{
    switch (cpu->psw.mask & (PSW_EA | PSW_BA)) {
    case 0:
        cpu->address_mask = 0xffffff;
        break;
    case PSW_BA:
        cpu->address_mask = 0x7fffffff;
        break;
    default:
        cpu->address_mask = ~UINT64_C(0);
        break;
    }
    tlb_select(cpu);
}

int cpu_load_psw(struct cpu *cpu, uint64_t mask, uint64_t ia)
{
    cpu->psw.mask = mask & ~PSW_CC;
    cpu->cc = (uint8_t)field64(mask, 18, 19);
    cpu->psw.ia = ia;
    cpu->taken.psw_loads++;
    cpu->taken.whole_loads++;
    ri_enable(cpu->ri, cpu_facility(cpu->sys, FACILITY_RI) && (mask & PSW_RI));
    cpu_mode_changed(cpu);
    return format_valid(cpu, mask, ia) ? 0 : PIC_SPECIFICATION;
}
