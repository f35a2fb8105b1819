/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tracing: the trace table that control register 12 designates, its entries. PoP chapter 4
   (SA22-7832-13). */
#include "cpu/control/trace.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"

int control_trace_add(struct cpu *cpu, struct control_trace *trace, const uint8_t *bytes, unsigned length,
                      unsigned room)
{
    uint64_t real = trace->cr12 & CR12_ENTRY_ADDRESS, absolute = cpu_real_to_absolute(cpu, real);
    int code = cpu_low_address_exception(cpu, real);
    if (code)
        return code;
    if (!storage_has(&cpu->sys->storage, absolute, 1))
        return PIC_ADDRESSING;
    if (room >= cpu_page_left(real)) /* reaching the boundary counts as crossing it */
        return PIC_TRACE_TABLE;
    memcpy(trace->entry[trace->count].bytes, bytes, length);
    trace->entry[trace->count].absolute = absolute;
    trace->entry[trace->count].length = length;
    trace->count++;
    trace->cr12 = (trace->cr12 & ~CR12_ENTRY_ADDRESS) | (real + length);
    return 0;
}

void control_trace_commit(struct cpu *cpu, const struct control_trace *trace)
{
    for (unsigned n = 0; n < trace->count; n++) {
        uint64_t absolute = trace->entry[n].absolute;
        memcpy(cpu->sys->storage.bytes + absolute, trace->entry[n].bytes, trace->entry[n].length);
        cpu_code_stored(cpu, absolute, trace->entry[n].length);
    }
    cpu->cr[12] = trace->cr12;
}

/* ---- entries ---- */

static bool mode64(const struct cpu *cpu) { return cpu->psw.mask & PSW_EA; }

/* An instruction address as the 4-byte field of a trace entry has it: in the 31-bit mode with a one in bit 0. */
static uint32_t address32(uint64_t mask, uint64_t ia)
{
    return (uint32_t)ia | ((mask & (PSW_EA | PSW_BA)) == PSW_BA ? BIT32(0) : 0);
}

/* Put an address of 4 or 8 bytes; the length. */
static unsigned put_address(uint8_t *to, bool wide, uint64_t value)
{
    if (wide)
        put64(to, value);
    else
        put32(to, (uint32_t)value);
    return wide ? 8 : 4;
}

static int add(struct cpu *cpu, struct control_trace *trace, const uint8_t *bytes, unsigned length)
{
    return control_trace_add(cpu, trace, bytes, length, length);
}

int control_trace_branch(struct cpu *cpu, struct control_trace *trace, uint64_t target, bool mode24)
{
    uint8_t entry[12] = {0x52, 0xc0};
    if (mode24) {
        put32(entry, (uint32_t)target & 0xffffff);
        return add(cpu, trace, entry, 4);
    }
    if (target >> 31 == 0) {
        put32(entry, (uint32_t)target | BIT32(0));
        return add(cpu, trace, entry, 4);
    }
    put64(entry + 4, target);
    return add(cpu, trace, entry, 12);
}

int control_trace_mode_switch(struct cpu *cpu, struct control_trace *trace)
{
    uint8_t entry[12] = {0};
    bool wide = mode64(cpu) && cpu->psw.ia > 0x7fffffff;
    entry[0] = wide ? 0x52 : 0x51;
    entry[1] = !mode64(cpu) ? 0x30 : wide ? 0x60 : 0x20;
    unsigned length = put_address(entry + 4, wide, wide ? cpu->psw.ia : address32(cpu->psw.mask, cpu->psw.ia));
    return add(cpu, trace, entry, 4 + length);
}

int control_trace_mode_switch_branch(struct cpu *cpu, struct control_trace *trace, uint64_t target)
{
    uint8_t entry[12] = {0};
    bool wide = !mode64(cpu) && target > 0x7fffffff;
    entry[0] = wide ? 0x52 : 0x51;
    entry[1] = mode64(cpu) ? 0xa0 : wide ? 0xf0 : 0xb0;
    unsigned length = put_address(entry + 4, wide, target);
    return add(cpu, trace, entry, 4 + length);
}

int control_trace_subspace(struct cpu *cpu, struct control_trace *trace, uint32_t alet, uint64_t target)
{
    uint8_t entry[12];
    put32(entry, (alet & 0xffffff) | 0x41000000);
    if (mode64(cpu)) {
        entry[0] = 0x42;
        put64(entry + 4, target);
        return add(cpu, trace, entry, 12);
    }
    /* bit 7 of the ALET, the primary list, takes the place of bit 8 */
    entry[1] = (uint8_t)((entry[1] & 0x7f) | (alet & BIT32(7) ? 0x80 : 0));
    put32(entry + 4, (uint32_t)target & (target & BIT64(32) ? ~0u : 0xffffff));
    return add(cpu, trace, entry, 8);
}

int control_trace_set_secondary(struct cpu *cpu, struct control_trace *trace, unsigned sasn, bool instance)
{
    uint8_t entry[4] = {0x10, instance};
    put16(entry + 2, (uint16_t)sasn);
    return add(cpu, trace, entry, 4);
}

int control_trace_transfer(struct cpu *cpu, struct control_trace *trace, unsigned pasn, uint64_t r2, bool instance)
{
    uint8_t entry[12];
    bool wide = mode64(cpu) && r2 >> 32;
    entry[0] = wide ? 0x32 : 0x31;
    entry[1] = (uint8_t)(cpu_key(cpu) << 4 | (!mode64(cpu) ? 0 : wide ? 0x0c : 0x08) | instance);
    put16(entry + 2, (uint16_t)pasn);
    unsigned length = put_address(entry + 4, wide, r2);
    return add(cpu, trace, entry, 4 + length);
}

int control_trace_call(struct cpu *cpu, struct control_trace *trace, uint32_t number)
{
    uint8_t entry[16] = {0};
    unsigned key = cpu_key(cpu) << 4;
    uint64_t problem = cpu_problem_state(cpu) ? 1 : 0;
    bool long_number = control_reuse(cpu) && (number & BIT32(12)), wide = mode64(cpu);
    if (long_number) /* 8 bytes only when they are needed */
        wide = wide && cpu->psw.ia >> 32;
    uint64_t return_address = mode64(cpu) ? cpu->psw.ia : address32(cpu->psw.mask, cpu->psw.ia);
    entry[0] = long_number && wide ? 0x23 : long_number || wide ? 0x22 : 0x21;
    if (long_number)
        entry[1] = (uint8_t)(key | (!mode64(cpu) ? 0x08 : wide ? 0x0f : 0x0b));
    else
        put32(entry, (uint32_t)entry[0] << 24 | key << 16 | (number & 0xfffff));
    unsigned length = 4 + put_address(entry + 4, wide, return_address | problem);
    if (long_number) {
        put32(entry + length, number);
        length += 4;
    }
    return add(cpu, trace, entry, length);
}

int control_trace_return(struct cpu *cpu, struct control_trace *trace, unsigned pasn, uint64_t mask, uint64_t ia)
{
    uint8_t entry[20];
    bool old_wide = mode64(cpu) && cpu->psw.ia >> 32, new_wide = (mask & PSW_EA) && ia >> 32;
    entry[0] = (uint8_t)(0x32 + old_wide + new_wide);
    entry[1] = (uint8_t)(cpu_key(cpu) << 4 | (mask & PSW_EA ? 8 : 0) | (new_wide ? 4 : 0) | (mode64(cpu) ? 2 : 0) |
                         (old_wide ? 1 : 0));
    put16(entry + 2, (uint16_t)pasn);
    uint64_t to = (mask & PSW_EA ? ia : address32(mask, ia)) | (mask & PSW_PROBLEM ? 1 : 0);
    unsigned length = 4 + put_address(entry + 4, new_wide, to);
    length += put_address(entry + length, old_wide, old_wide ? cpu->psw.ia : address32(cpu->psw.mask, cpu->psw.ia));
    return add(cpu, trace, entry, length);
}
