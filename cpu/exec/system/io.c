/* SPDX-License-Identifier: GPL-3.0-or-later */
/* I/O instructions: operands and their exceptions; the channel subsystem of the machine does the rest. PoP chapter 14
   (SA22-7832-13). */
#include "cpu/exec/bodies.h"
#include "cpu/exec/system/internal.h"
#include "cpu/state/exceptions.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"

#define ORB_WORDS       12 /* bytes without extension */
#define ORB_EXTENDED    32
#define ORB_EXTENSION   0x01 /* bit 31 of word 1 */
#define SCHIB           52
#define IRB             64
#define PATH_STATUS     32
#define COMMAND_MINIMUM 16
#define COMMAND_MAXIMUM 4088

/* Ask the channel subsystem. Returns 0 with the condition code set, or a code. */
static int call(struct cpu *cpu, enum cpu_io function, uint8_t *block)
{
    const struct cpu_callouts *out = cpu->sys->callouts;
    unsigned cc = 3;
    if (!out || !out->io)
        return PIC_OPERATION;
    int code = out->io(cpu->sys->machine, cpu, function, block, &cc);
    if (!code)
        cpu->cc = cc & 3;
    return code;
}

/* An instruction without operand in storage that sets no condition code. */
static int call_quietly(struct cpu *cpu, enum cpu_io function)
{
    uint8_t cc = cpu->cc;
    int code = call(cpu, function, NULL);
    cpu->cc = cc;
    return code;
}

/* An instruction that stores `length` bytes when the channel subsystem answers with condition code 0 to `last`. What it
   does there cannot be taken back, so the operand is tested first. */
static int call_and_store(struct cpu *cpu, const struct dis_insn *i, enum cpu_io function, unsigned length,
                          unsigned last)
{
    uint8_t block[CPU_IO_BLOCK];
    uint64_t address = cpu_ea2(cpu, i);
    if (address & (function == CPU_IO_PATH_STATUS ? PATH_STATUS - 1 : 3))
        return PIC_SPECIFICATION;
    int code = cpu_test(cpu, address, i->b2, length, CPU_STORE);
    if (!code)
        code = call(cpu, function, block);
    if (code || cpu->cc > last)
        return code;
    cpu->told_length = length;
    return cpu_store_bytes(cpu, address, i->b2, block, length);
}

/* CLEAR SUBCHANNEL: the subchannel in general register 1 is signaled to clear. CC: 0 initiated, 3 not operational.
   Exceptions: privileged operation; operand. */
int cpu_csch(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    return call(cpu, CPU_IO_CLEAR, NULL);
}

/* HALT SUBCHANNEL. CC: 0 initiated, 1 status pending, 2 busy, 3 not operational. Exceptions: privileged operation;
   operand. */
int cpu_hsch(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    return call(cpu, CPU_IO_HALT, NULL);
}

/* MODIFY SUBCHANNEL: what a program may change in the path-management-control word comes from the SCHIB operand.
   CC: 0 done, 1 status pending, 2 busy, 3 not operational. Exceptions: privileged operation; specification (word
   boundary); access (fetch); operand (general register 1, SCHIB). */
int cpu_msch(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t schib[SCHIB];
    uint64_t address = cpu_ea2(cpu, i);
    if (address & 3)
        return PIC_SPECIFICATION;
    int code = cpu_fetch_bytes(cpu, address, i->b2, schib, SCHIB);
    return code ? code : call(cpu, CPU_IO_MODIFY, schib);
}

/* RESET CHANNEL PATH: the channel path in general register 1. CC: 0 initiated, 2 busy, 3 not operational. Exceptions:
   privileged operation; operand. */
int cpu_rchp(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    return call(cpu, CPU_IO_RESET_PATH, NULL);
}

/* RESUME SUBCHANNEL. CC: 0 initiated, 1 status pending, 2 not applicable, 3 not operational. Exceptions: privileged
   operation; operand. */
int cpu_rsch(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    return call(cpu, CPU_IO_RESUME, NULL);
}

/* SET ADDRESS LIMIT: general register 1 becomes the address-limit value. CC: unchanged. Exceptions: privileged
   operation; operand. */
int cpu_sal(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    return call_quietly(cpu, CPU_IO_SET_LIMIT);
}

/* SET CHANNEL MONITOR: controls in general register 1, measurement-block origin in 2. CC: unchanged. Exceptions:
   privileged operation; operand. */
int cpu_schm(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    return call_quietly(cpu, CPU_IO_SET_MONITOR);
}

/* START SUBCHANNEL: the ORB operand has 12 bytes, or 32 with an extension. CC: 0 initiated, 1 status pending, 2 busy,
   3 not operational. Exceptions: privileged operation; specification (word boundary); access (fetch); operand (general
   register 1, ORB). */
int cpu_ssch(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t orb[ORB_EXTENDED] = {0};
    uint64_t address = cpu_ea2(cpu, i);
    if (address & 3)
        return PIC_SPECIFICATION;
    int code = cpu_fetch_bytes(cpu, address, i->b2, orb, ORB_WORDS);
    if (!code && (orb[7] & ORB_EXTENSION))
        code = cpu_fetch_bytes(cpu, address, i->b2, orb, ORB_EXTENDED);
    cpu->told_length = orb[7] & ORB_EXTENSION ? ORB_EXTENDED : ORB_WORDS;
    return code ? code : call(cpu, CPU_IO_START, orb);
}

/* STORE CHANNEL PATH STATUS: 32 bytes, a bit for each channel path in use. CC: unchanged. Exceptions: privileged
   operation; specification (32-byte boundary); access (store). */
int cpu_stcps(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t cc = cpu->cc;
    int code = call_and_store(cpu, i, CPU_IO_PATH_STATUS, PATH_STATUS, 3);
    cpu->cc = cc;
    return code;
}

/* STORE CHANNEL REPORT WORD. CC: 0 a report, 1 zeros stored. Exceptions: privileged operation; specification (word
   boundary); access (store). */
int cpu_stcrw(struct cpu *cpu, const struct dis_insn *i) { return call_and_store(cpu, i, CPU_IO_REPORT_WORD, 4, 1); }

/* STORE SUBCHANNEL: the SCHIB, 52 bytes. CC: 0 stored, 3 not operational. Exceptions: privileged operation;
   specification (word boundary); access (store); operand (general register 1). */
int cpu_stsch(struct cpu *cpu, const struct dis_insn *i) { return call_and_store(cpu, i, CPU_IO_STORE, SCHIB, 0); }

/* TEST PENDING INTERRUPTION: the I/O-interruption code, two words at the operand, or three at real 184 when the
   second-operand address is zero. The interruption is not pending any more. CC: 0 none, 1 stored. Exceptions:
   privileged operation; specification (word boundary); access (store). */
int cpu_tpi(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t block[CPU_IO_BLOCK];
    uint64_t address = cpu_ea2(cpu, i);
    if (address & 3)
        return PIC_SPECIFICATION;
    int code = address ? cpu_test(cpu, address, i->b2, 8, CPU_STORE) : 0;
    if (!code)
        code = call(cpu, CPU_IO_PENDING, block);
    if (code || cpu->cc == 0)
        return code;
    if (UNLIKELY(cpu->exceptions != NULL))
        cpu_exceptions_test(cpu, block);
    cpu->told_length = address ? 8 : 0; /* accesses to the prefix area do not count */
    if (address)
        return cpu_store_bytes(cpu, address, i->b2, block, 8);
    memcpy(cpu->sys->storage.bytes + cpu->prefix + 184, block, 12); /* the prefix area is always in storage */
    cpu_code_stored(cpu, cpu->prefix + UINT64_C(184), 12);
    return 0;
}

/* TEST SUBCHANNEL: the IRB, 64 bytes, and what was pending is taken away. CC: 0 status was pending, 1 it was not (the
   IRB is stored all the same), 3 not operational. Exceptions: privileged operation; specification (word boundary);
   access (store); operand (general register 1). */
int cpu_tsch(struct cpu *cpu, const struct dis_insn *i) { return call_and_store(cpu, i, CPU_IO_TEST, IRB, 1); }

/* CANCEL SUBCHANNEL: a start function that has not begun at the device. CC: 0 cancelled, 1 status pending, 2 not
   applicable, 3 not operational. Exceptions: privileged operation; operand. */
int cpu_xsch(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    return call(cpu, CPU_IO_CANCEL, NULL);
}

/* CHANNEL SUBSYSTEM CALL: the command block in the page that R1 designates; the response goes behind it. CC: 0.
   Exceptions: operation; privileged operation; specification (page boundary); access (fetch and store); operand (length
   of the command block). */
int cpu_chsc(struct cpu *cpu, const struct dis_insn *i)
{
    uint8_t block[CPU_IO_BLOCK];
    uint64_t address = cpu->gr[i->r1] & cpu->address_mask;
    if (!cpu->sys->callouts || !cpu->sys->callouts->io)
        return PIC_OPERATION;
    if (address & (CPU_IO_BLOCK - 1))
        return PIC_SPECIFICATION;
    int code = cpu_test(cpu, address, i->r1, CPU_IO_BLOCK, CPU_STORE);
    if (!code)
        code = cpu_fetch_bytes(cpu, address, i->r1, block, CPU_IO_BLOCK);
    if (code)
        return code;
    unsigned length = get16(block);
    if (length < COMMAND_MINIMUM || length > COMMAND_MAXIMUM || (length & 7))
        return PIC_OPERAND;
    code = call(cpu, CPU_IO_CALL, block);
    if (code)
        return code;
    unsigned stored = get16(block + length); /* of the response, with its header */
    if (stored > CPU_IO_BLOCK - length)
        stored = CPU_IO_BLOCK - length;
    cpu->told_length = length + stored;
    return cpu_store_bytes(cpu, address + length, i->r1, block + length, stored);
}

/* Function codes of SIGNAL ADAPTER: output, input, synchronize, output of several queues (two forms). */
enum { SIGNAL_LAST = 4 };

/* SIGNAL ADAPTER: the function code in bits 32-63 of general register 0 for the queues of the subchannel in general
   register 1. No device here has queues, so that no subchannel is operational for it. CC: 3. Exceptions: privileged
   operation; specification (function code); operand (general register 1). */
int cpu_siga(struct cpu *cpu, const struct dis_insn *i)
{
    (void)i;
    return gr32(cpu, 0) > SIGNAL_LAST ? PIC_SPECIFICATION : call(cpu, CPU_IO_SIGNAL, NULL);
}
