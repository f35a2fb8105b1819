/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads and stores of floating-point registers. PoP chapter 9 (SA22-7832-13). The long-displacement facility promises
   four of them, so they are here before the rest of floating point. */
#include "cpu/exec/bodies.h"
#include "cpu/storage/access.h"

/* LOAD (short): the word operand replaces bits 0-31 of the register, bits 32-63 stay. CC: unchanged. Exceptions: data
   (AFP register), access (fetch). */
int cpu_le(struct cpu *cpu, const struct dis_insn *i)
{
    uint32_t value;
    int code = cpu_fetch4(cpu, cpu_ea2(cpu, i), i->b2, &value);
    if (!code)
        cpu->vr[i->r1].hi = (cpu->vr[i->r1].hi & UINT64_C(0xffffffff)) | (uint64_t)value << 32;
    return code;
}

/* LOAD (long). CC: unchanged. Exceptions: data (AFP register), access (fetch). */
int cpu_ld(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t value;
    int code = cpu_fetch8(cpu, cpu_ea2(cpu, i), i->b2, &value);
    if (!code)
        cpu->vr[i->r1].hi = value;
    return code;
}

/* STORE (short): bits 0-31 of the register. CC: unchanged. Exceptions: data (AFP register), access (store). */
int cpu_ste(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store4(cpu, cpu_ea2(cpu, i), i->b2, (uint32_t)(cpu->vr[i->r1].hi >> 32));
}

/* STORE (long). CC: unchanged. Exceptions: data (AFP register), access (store). */
int cpu_std(struct cpu *cpu, const struct dis_insn *i)
{
    return cpu_store8(cpu, cpu_ea2(cpu, i), i->b2, cpu->vr[i->r1].hi);
}
