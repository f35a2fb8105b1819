/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TRACE. PoP chapter 10 (SA22-7832-13). */
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"
#include "cpu/state/timing.h"
#include "cpu/storage/access.h"

/* TRACE (32) and (64): when explicit tracing is on (control register 12 bit 63) and bit 0 of the word operand is zero,
   an entry of clock, operand and general registers R1 to R3 is made; else nothing happens. CC: unchanged.
   Exceptions: privileged operation; specification (word boundary); access (fetch); addressing, protection (low-address)
   and trace table, the latter as if all registers were stored. */
static int explicit_trace(struct cpu *cpu, const struct dis_insn *i, unsigned size)
{
    uint8_t entry[16 + 16 * 8] = {0};
    uint32_t operand;
    uint64_t address = cpu_ea2(cpu, i);
    unsigned count = ((unsigned)(i->r3 - i->r1) & 15) + 1, length = size == 8 ? 16 : 12;
    if (address & 3)
        return PIC_SPECIFICATION;
    if (!(cpu->cr[12] & CR12_EXPLICIT_TRACE))
        return 0;
    int code = cpu_fetch4(cpu, address, i->b2, &operand);
    if (code || (operand & BIT32(0)))
        return code;
    struct control_trace trace;
    uint64_t tod = cpu_tod(cpu);
    control_trace_begin(cpu, &trace);
    if (size == 8)
        put64(entry + 2, tod); /* bits 0-79 */
    else
        put64(entry, tod & UINT64_C(0xffffffffffff));
    entry[0] = (uint8_t)(0x70 | (count - 1));
    entry[1] = size == 8 ? 0x80 : 0;
    put32(entry + length - 4, operand);
    for (unsigned n = 0; n < count; n++, length += size)
        if (size == 8)
            put64(entry + length, cpu->gr[(i->r1 + n) & 15]);
        else
            put32(entry + length, gr32(cpu, (i->r1 + n) & 15));
    code = control_trace_add(cpu, &trace, entry, length, size == 8 ? 144 : 76);
    if (!code)
        control_trace_commit(cpu, &trace);
    return code;
}
int cpu_trace(struct cpu *cpu, const struct dis_insn *i) { return explicit_trace(cpu, i, 4); }
int cpu_tracg(struct cpu *cpu, const struct dis_insn *i) { return explicit_trace(cpu, i, 8); }
