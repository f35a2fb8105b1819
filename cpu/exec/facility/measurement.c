/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of the CPU-measurement facilities, and their access to storage. Source: event-counter specification,
   section 4 (SA23-2260, "The Load-Program-Parameter and the CPU-Measurement Facilities"). Operation exceptions and the
   privileged-operation exceptions of privileged instructions come from the table. */
#include "cpu/control/sample.h"
#include "cpu/exec/bodies.h"
#include "cpu/storage/access.h"
#include "ri/counters/sampling.h"

static bool extraction_forbidden(const struct cpu *cpu)
{
    return cpu_problem_state(cpu) && !(cpu->cr[0] & CR0_COUNTER_EXTRACTION);
}

/* A storage operand on a doubleword boundary. */
static int fetch_block(struct cpu *cpu, const struct dis_insn *i, void *to, unsigned length)
{
    const uint64_t address = cpu_ea2(cpu, i);
    return address & 7 ? PIC_SPECIFICATION : cpu_fetch_bytes(cpu, address, i->b2, to, length);
}
static int store_block(struct cpu *cpu, const struct dis_insn *i, const void *from, unsigned length)
{
    const uint64_t address = cpu_ea2(cpu, i);
    return address & 7 ? PIC_SPECIFICATION : cpu_store_bytes(cpu, address, i->b2, from, length);
}

/* ---- counters -------------------------------------------------------------------------------------------------- */

/* LOAD CPU-COUNTER-SET CONTROLS: enable and activation controls from bits 32-47 and 48-63 of the doubleword. CC: 0.
   Exceptions: operation; privileged operation; specification (doubleword boundary); access (fetch); specification (bits
   0-31 not zero, a set that is not authorized, active but not enabled). */
int cpu_lcctl(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t operand[8];
    int code = fetch_block(cpu, i, operand, sizeof operand);
    if (code)
        return code;
    if (counters_control_invalid(cpu->counters, get64(operand)))
        return PIC_SPECIFICATION;
    counters_control(cpu->counters, get64(operand));
    cpu->cc = 0;
    return 0;
}

/* LOAD PERIPHERAL-COUNTER-SET CONTROLS: no peripheral set is authorized. CC: 0. Exceptions: operation; privileged
   operation; specification (doubleword boundary); access (fetch); specification (any one). */
int cpu_lpctl(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t operand[8];
    int code = fetch_block(cpu, i, operand, sizeof operand);
    if (code)
        return code;
    if (get64(operand))
        return PIC_SPECIFICATION;
    cpu->cc = 0;
    return 0;
}

/* QUERY COUNTER INFORMATION: 64 bytes. CC: unchanged. Exceptions: operation; privileged operation; specification
   (doubleword boundary); access (store). */
int cpu_qctri(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t block[COUNTERS_BLOCK];
    counters_query(cpu->counters, (uint16_t)(cpu->sys->cpu_count - 1), block);
    return store_block(cpu, i, block, sizeof block);
}

/* SET CPU COUNTER: the counter with the number in R2 takes the value in R1. CC: 0 set, 3 no such counter, or its set is
   not authorized or not enabled. Exceptions: operation; privileged operation. */
int cpu_scctr(struct cpu *cpu, const struct dis_insn *i)
{
    cpu->cc = counters_store(cpu->counters, cpu->gr[i->r2], cpu->gr[i->r1]) ? 0 : 3;
    return 0;
}

/* SET PERIPHERAL COUNTER: there is none. CC: 3. Exceptions: operation; privileged operation. */
int cpu_spctr(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    cpu->cc = 3;
    return 0;
}

/* EXTRACT CPU COUNTER: R1 becomes the counter with the number in R2. CC: as SET CPU COUNTER. Exceptions: operation;
   privileged operation (problem state, extraction-authority control zero). */
int cpu_ecctr(struct cpu *cpu, const struct dis_insn *i)
{
    uint64_t value;
    if (extraction_forbidden(cpu))
        return PIC_PRIVILEGED_OPERATION;
    cpu->cc = 3;
    if (counters_extract(cpu->counters, cpu->gr[i->r2], &value)) {
        cpu->gr[i->r1] = value;
        cpu->cc = 0;
    }
    return 0;
}

/* EXTRACT PERIPHERAL COUNTER: there is none. CC: 3. Exceptions: as EXTRACT CPU COUNTER. */
int cpu_epctr(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    if (extraction_forbidden(cpu))
        return PIC_PRIVILEGED_OPERATION;
    cpu->cc = 3;
    return 0;
}

/* EXTRACT COPROCESSOR-GROUP ADDRESS of the CPU with the address in R2: zero. CC: 0, 3 no such CPU. Exceptions:
   operation; privileged operation. */
int cpu_ecpga(struct cpu *cpu, const struct dis_insn *i)
{
    const uint64_t address = cpu->gr[i->r2] & 0xffff;
    const bool there = address < CPU_MAX && cpu->sys->cpus[address];
    if (there)
        cpu->gr[i->r1] = 0;
    cpu->cc = there ? 0 : 3;
    return 0;
}

/* STORE CPU COUNTER MULTIPLE: as many counters of the set that M3 designates as R1 says, at most all. CC: 0 all stored,
   1 the first of them, 2 all, but more were asked for, 3 none: the set is not authorized or not enabled. Exceptions:
   operation; privileged operation (as EXTRACT CPU COUNTER); specification (M3, doubleword boundary); access (store). */
int cpu_stcctm(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t values[8 * COUNTERS_NUMBERS];
    unsigned first;
    bool readable;
    if (extraction_forbidden(cpu))
        return PIC_PRIVILEGED_OPERATION;
    const unsigned size = counters_multiple(cpu->counters, i->m3, &first, &readable);
    if (!size || cpu_ea2(cpu, i) & 7)
        return PIC_SPECIFICATION;
    const uint64_t wanted = cpu->gr[i->r1];
    const unsigned count = wanted < size ? (unsigned)wanted : size;
    for (unsigned n = 0; n < count; n++)
        put64(values + 8 * n, counters_value(cpu->counters, first + n));
    cpu->told_length = readable ? 8 * count : 0;
    int code = cpu->told_length ? store_block(cpu, i, values, (unsigned)cpu->told_length) : 0;
    if (code)
        return code;
    if (i->m3 == 9)
        cpu->counters->alerts &= ~COUNTERS_MTDA;
    cpu->cc = !readable ? 3 : wanted == size ? 0 : wanted < size ? 1 : 2;
    return 0;
}

/* ---- sampling -------------------------------------------------------------------------------------------------- */

/* QUERY SAMPLING INFORMATION: 64 bytes. CC: unchanged. Exceptions: operation; privileged operation; specification
   (doubleword boundary); access (store). */
int cpu_qsi(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t block[COUNTERS_BLOCK];
    sampling_query(cpu->counters, block);
    return store_block(cpu, i, block, sizeof block);
}

/* LOAD SAMPLING CONTROLS: the 64-byte block. CC: 0. Exceptions: operation; privileged operation; specification
   (doubleword boundary); access (fetch); specification (active but not enabled). */
int cpu_lsctl(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t block[COUNTERS_BLOCK];
    int code = fetch_block(cpu, i, block, sizeof block);
    if (code)
        return code;
    if (sampling_control_invalid(block))
        return PIC_SPECIFICATION;
    sampling_control(cpu->counters, block);
    cpu->cc = 0;
    return 0;
}
