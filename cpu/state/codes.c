/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What program-interruption codes say about the instruction that ended with them. PoP chapters 5 and 6
   (SA22-7832-13). */
#include "cpu/state/cpu.h"

bool cpu_code_nullifies(int code)
{
    switch (code & ~PIC_PER_EVENT) {
    case PIC_SEGMENT_TRANSLATION:
    case PIC_PAGE_TRANSLATION:
    case PIC_TRACE_TABLE:
    case PIC_ASCE_TYPE:
    case PIC_REGION_FIRST_TRANSLATION:
    case PIC_REGION_SECOND_TRANSLATION:
    case PIC_REGION_THIRD_TRANSLATION:
        return true;
    default:
        return (code & ~PIC_PER_EVENT) >= PIC_AFX_TRANSLATION && (code & ~PIC_PER_EVENT) <= PIC_STACK_OPERATION &&
               (code & ~PIC_PER_EVENT) != PIC_ALET_SPECIFICATION;
    }
}

bool cpu_code_completes(int code)
{
    switch (code & ~PIC_PER_EVENT) {
    case 0: /* PER event alone */
    case PIC_FIXED_POINT_OVERFLOW:
    case PIC_DECIMAL_OVERFLOW:
    case PIC_HFP_EXPONENT_OVERFLOW:
    case PIC_HFP_EXPONENT_UNDERFLOW:
    case PIC_HFP_SIGNIFICANCE:
    case PIC_SPACE_SWITCH_EVENT:
    case PIC_MONITOR_EVENT:
        return code != 0;
    default:
        return false;
    }
}

/* Data-exception codes. */
enum { DXC_IEEE_INVALID = 0x80, DXC_IEEE_DIVIDE = 0x40, DXC_IEEE_FIRST = 0x04, DXC_COMPARE_AND_TRAP = 0xff };

bool cpu_completes(const struct cpu *cpu, int code)
{
    if ((code & ~PIC_PER_EVENT) != PIC_DATA)
        return cpu_code_completes(code);
    return cpu->dxc == DXC_COMPARE_AND_TRAP ||
           (cpu->dxc >= DXC_IEEE_FIRST && !(cpu->dxc & (DXC_IEEE_INVALID | DXC_IEEE_DIVIDE)));
}

bool cpu_code_stores_teid(int code)
{
    return code == PIC_PROTECTION || code == PIC_SEGMENT_TRANSLATION || code == PIC_PAGE_TRANSLATION ||
           (code >= PIC_ASCE_TYPE && code <= PIC_REGION_THIRD_TRANSLATION) ||
           (code >= PIC_AFX_TRANSLATION && code <= PIC_LSX_TRANSLATION) || code == PIC_LSTE_SEQUENCE ||
           code == PIC_SPACE_SWITCH_EVENT;
}

void cpu_exception_code_to_fpc(struct cpu *cpu, uint8_t code)
{
    if (cpu->cr[0] & CR0_AFP)
        cpu->fpc = (cpu->fpc & 0xffff00ff) | (uint32_t)code << 8;
}
