/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of the CPU-measurement facilities, and their access to storage. Source: event-counter specification,
   section 4 (SA23-2260, "The Load-Program-Parameter and the CPU-Measurement Facilities"). Operation exceptions and the
   privileged-operation exceptions of privileged instructions come from the table. */
#include "cpu/control/sample.h"
#include "cpu/storage/access.h"
#include "cpu/exec/bodies.h"
#include "cpu/control/interrupt.h"
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
        put64(values + 8 * n, cpu->counters->value[first + n]);
    int code = readable && count ? store_block(cpu, i, values, 8 * count) : 0;
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

/* Absolute storage for the sampling facility. */
static uint8_t *absolute(struct cpu *cpu, uint64_t address, unsigned length, uint8_t key)
{
    struct storage *s = &cpu->sys->storage;
    if (!storage_has(s, address, length))
        return NULL;
    __atomic_fetch_or(&s->keys[address >> PAGE_BITS], key, __ATOMIC_RELAXED);
    return s->bytes + address;
}

static bool sample_fetch(void *context, uint64_t address, uint64_t *value)
{
    const uint8_t *from = absolute(context, address, 8, KEY_R);
    if (from)
        *value = BE64(__atomic_load_n((const uint64_t *)(const void *)from, __ATOMIC_SEQ_CST));
    return from;
}

static bool sample_store(void *context, uint64_t address, const uint8_t *from, unsigned length)
{
    uint8_t *to = absolute(context, address, length, KEY_R | KEY_C);
    if (to) {
        memcpy(to, from, length);
        cpu_code_stored(context, address, length);
    }
    return to;
}

static bool sample_exchange(void *context, uint64_t address, uint64_t *old, uint64_t value)
{
    uint8_t *at = absolute(context, address, 8, KEY_R | KEY_C);
    if (at) {
        uint64_t expected = BE64(*old);
        __atomic_compare_exchange_n((uint64_t *)(void *)at, &expected, BE64(value), false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST);
        *old = BE64(expected);
        cpu_code_stored(context, address, 8);
    }
    return at;
}

bool cpu_sample(struct cpu *cpu)
{
    const struct sampling_storage storage = {cpu, sample_fetch, sample_store, sample_exchange};
    struct sampling_state state = {
        .ia = cpu->psw.ia,
        .program_parameter = cpu->program_parameter,
        .primary_asn = (uint16_t)cpu->cr[4],
        .space = (uint8_t)field64(cpu->psw.mask, 16, 17),
        .dat = cpu->psw.mask & PSW_DAT,
        .wait = cpu->psw.mask & PSW_WAIT,
        .problem = cpu->psw.mask & PSW_PROBLEM,
    };
    put64(state.clock + 1, cpu_tod(cpu));
    put16(state.clock + 14, (uint16_t)cpu->tod_programmable);
    sampling_take(cpu->counters, &state, &storage);
    return cpu->counters->alerts;
}
