/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control instructions of the clocks. PoP chapters 4 (timing) and 10 (SA22-7832-13). */
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"
#include "cpu/state/timing.h"
#include "cpu/storage/access.h"

/* STORE CLOCK: bits 0-63 of the TOD clock to the doubleword operand, each value once. CC: 0 (set state).
   Exceptions: access (store). */
int cpu_stck(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_ea2(cpu, i);
    int code = cpu_test(cpu, address, i->b2, 8, CPU_STORE);
    if (!code)
        code = cpu_store8(cpu, address, i->b2, cpu_unique_tod(cpu));
    if (!code)
        cpu->cc = 0;
    return code;
}

/* STORE CLOCK FAST: as STORE CLOCK, but values may repeat. CC: 0. Exceptions: operation; access (store). */
int cpu_stckf(struct cpu *cpu, const struct dis_insn *i)
{
    int code = cpu_store8(cpu, cpu_ea2(cpu, i), i->b2, cpu_tod(cpu));
    if (!code)
        cpu->cc = 0;
    return code;
}

/* STORE CLOCK EXTENDED. CC: 0. Exceptions: access (store). */
int cpu_stcke(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t bytes[16];
    uint64_t address = cpu_ea2(cpu, i);
    int code = cpu_test(cpu, address, i->b2, sizeof bytes, CPU_STORE);
    if (code)
        return code;
    cpu_extended_tod(cpu, bytes);
    code = cpu_store_bytes(cpu, address, i->b2, bytes, sizeof bytes);
    if (!code)
        cpu->cc = 0;
    return code;
}

/* SET CLOCK: the TOD clock of the configuration takes the value of the doubleword, its epoch index becomes zero. CC: 0
   set.
   Exceptions: privileged operation; specification (doubleword boundary); access (fetch). */
int cpu_sck(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t value;
    int code = control_fetch_doubleword(cpu, cpu_ea2(cpu, i), i->b2, &value);
    if (code)
        return code;
    cpu_set_tod(cpu, value);
    cpu->sys->tod_last = 0;
    cpu->cc = 0;
    return 0;
}

/* SET CLOCK COMPARATOR. CC: unchanged. Exceptions: privileged operation; specification (doubleword boundary); access
 * (fetch). */
int cpu_sckc(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t value;
    int code = control_fetch_doubleword(cpu, cpu_ea2(cpu, i), i->b2, &value);
    if (!code)
        cpu->clock_comparator = value;
    return code;
}

/* STORE CLOCK COMPARATOR. CC: unchanged. Exceptions: privileged operation; specification (doubleword boundary); access
 * (store). */
int cpu_stckc(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_ea2(cpu, i);
    return address & 7 ? PIC_SPECIFICATION : cpu_store8(cpu, address, i->b2, cpu->clock_comparator);
}

/* SET CPU TIMER. CC: unchanged. Exceptions: privileged operation; specification (doubleword boundary); access
   (fetch). */
int cpu_spt(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t value;
    int code = control_fetch_doubleword(cpu, cpu_ea2(cpu, i), i->b2, &value);
    if (!code)
        cpu_set_timer(cpu, (int64_t)value);
    return code;
}

/* STORE CPU TIMER. CC: unchanged. Exceptions: privileged operation; specification (doubleword boundary); access
 * (store). */
int cpu_stpt(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t address = cpu_ea2(cpu, i);
    return address & 7 ? PIC_SPECIFICATION : cpu_store8(cpu, address, i->b2, (uint64_t)cpu_timer_value(cpu));
}

/* SET CLOCK PROGRAMMABLE FIELD: bits 48-63 of general register 0; bits 32-47 must be zero. CC: unchanged.
   Exceptions: privileged operation; specification. */
int cpu_sckpf(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    if (gr32(cpu, 0) >> 16)
        return PIC_SPECIFICATION;
    cpu->tod_programmable = gr32(cpu, 0);
    return 0;
}

/* EXTRACT CPU TIME: general register 0 = first operand minus CPU timer, register 1 = second operand, R3 = doubleword at
   the address in R3. CC: unchanged. Exceptions: operation; access (fetch). */
int cpu_ectg(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t first, second, third;
    int code = cpu_fetch8(cpu, cpu_ea1(cpu, i), i->b1, &first);
    if (!code)
        code = cpu_fetch8(cpu, cpu_ea2(cpu, i), i->b2, &second);
    if (!code)
        code = cpu_fetch8(cpu, cpu->gr[i->r3] & cpu->address_mask, i->r3, &third);
    if (code)
        return code;
    cpu->gr[0] = first - (uint64_t)cpu_timer_value(cpu);
    cpu->gr[1] = second;
    cpu->gr[i->r3] = third;
    return 0;
}

/* Functions of PERFORM TIMING FACILITY that are offered. */
enum {
    PTFF_QAF = 0x00,  /* available functions */
    PTFF_QTO = 0x01,  /* TOD offset */
    PTFF_QSI = 0x02,  /* steering information */
    PTFF_QPT = 0x03,  /* physical clock */
    PTFF_QUI = 0x04,  /* UTC information */
    PTFF_QTOU = 0x05, /* TOD offset and the user's part of it */
};

/* PERFORM TIMING FACILITY FUNCTION: bits 57-63 of general register 0 are the function code, general register 1
   addresses the parameter block. The clock is not steered, and no server time protocol is there: what belongs to these
   is zero. SET CLOCK changes the epoch difference. CC: 0 done, 3 function not available. Exceptions: operation;
   specification (bit 56 one); access; privileged operation (control functions in the problem state). */
int cpu_ptff(struct cpu *cpu, const struct dis_insn *i)
{
    static const uint16_t lengths[] = {
        [PTFF_QAF] = 16, [PTFF_QTO] = 32, [PTFF_QSI] = 56, [PTFF_QPT] = 8, [PTFF_QUI] = 256, [PTFF_QTOU] = 40,
    };
    enum { FUNCTIONS = sizeof lengths / sizeof *lengths };
    uint8_t block[256] = {0};
    unsigned function = (unsigned)cpu->gr[0] & 0x7f;
    (void)i;
    if (cpu->gr[0] & 0x80)
        return PIC_SPECIFICATION;
    if (function >= 0x40 && cpu_problem_state(cpu))
        return PIC_PRIVILEGED_OPERATION;
    if (function >= FUNCTIONS) {
        cpu->cc = 3;
        return 0;
    }
    if (function == PTFF_QAF)
        put64(block, ~(~UINT64_C(0) >> FUNCTIONS)); /* each of them */
    else if (function != PTFF_QUI)
        put64(block, cpu_physical_clock(cpu));
    if (function == PTFF_QTO || function == PTFF_QTOU)
        put64(block + 24, cpu->sys->tod_base - cpu->sys->tod_physical); /* epoch difference */
    int code = cpu_store_bytes(cpu, cpu->gr[1] & cpu->address_mask, 1, block, lengths[function]);
    if (!code)
        cpu->cc = 0;
    return code;
}
