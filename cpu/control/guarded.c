/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Guarded-storage events. PoP chapter 4 "Guarded-Storage Facility" (SA22-7832-13). */
#include "cpu/control/guarded.h"
#include "cpu/storage/access.h"

/* Side-effect access: the exception is not one of the instruction's own operand. */
#define TEID_SIDE_EFFECT BIT64(54)

/* Guarded-storage-event parameter list. */
enum { LIST_MODE = 1, LIST_CAUSE = 2, LIST_ACCESS = 3, LIST_HANDLER = 8, LIST_IA = 16, LIST_SIZE = 48 };

int cpu_guarded_event(struct cpu *cpu, uint64_t return_address)
{
    const struct cpu_guarded_event *e = &cpu->gs_event;
    const uint64_t list = cpu->gs_list & cpu->address_mask;
    uint8_t bytes[LIST_SIZE] = {0};
    uint64_t handler;
    int code = cpu_fetch8(cpu, (list + LIST_HANDLER) & cpu->address_mask, 0, &handler);
    if (!code)
        code = cpu_test(cpu, list, 0, LIST_SIZE, CPU_STORE);
    if (code) {
        if (cpu_facility(cpu->sys, FACILITY_SIDE_EFFECT))
            cpu->teid |= TEID_SIDE_EFFECT;
        return code;
    }
    bytes[LIST_MODE] = (uint8_t)((cpu->psw.mask & PSW_EA ? 2 : 0) | (cpu->psw.mask & PSW_BA ? 1 : 0));
    bytes[LIST_CAUSE] = e->cause;
    bytes[LIST_ACCESS] = e->access;
    put64(bytes + LIST_HANDLER, handler);
    put64(bytes + LIST_IA, e->ia);
    put64(bytes + LIST_IA + 8, e->operand);
    put64(bytes + LIST_IA + 16, e->result);
    put64(bytes + LIST_IA + 24, return_address);
    code = cpu_store_bytes(cpu, list, 0, bytes, LIST_SIZE);
    if (!code)
        cpu_branch(cpu, handler);
    return code;
}
