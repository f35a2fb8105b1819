/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DIAGNOSE. Which codes there are and what each does; spec/linux-boot.md appendix D. Codes of the project's own come in
   as hooks. */
#include "emu/machine/diagnose.h"
#include "base/ebcdic.h"
#include "cpu/control/interrupt.h"
#include "cpu/control/registers.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/state/timing.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "emu/dev/css/channel.h"
#include "emu/dev/css/css.h"
#include "emu/observe/collection_diagnose.h"
#include "emu/observe/counters_diagnose.h"
#include "emu/observe/exception_diagnose.h"
#include "emu/machine/machine.h"
#include "emu/machine/slice.h"
#include <sched.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define EBCDIC_BLANK   0x40
#define TOD_PER_SECOND (UINT64_C(4096) * 1000000)

/* Host pointer to guest real storage of one page that a function may read or write; NULL: not in storage. */
static uint8_t *parameters(struct cpu *cpu, uint64_t real, unsigned length)
{
    return (real & 0xfff) + length <= PAGE_SIZE_Z ? cpu_real_host(cpu, real, length) : NULL;
}

static void written(struct cpu *cpu, uint64_t real, unsigned length)
{
    uint64_t absolute = cpu_real_to_absolute(cpu, real);
    cpu_code_stored(cpu, absolute, length);
}

/* ---- X'008': a command of the operator ------------------------------------------------------------------------- */

/* R1: real address of the command (EBCDIC), R3: flags in bits 32-39 (X'40': answer into storage), length in 40-63;
   R1+1, R3+1: answer area and its length. R3 becomes the return code, R3+1 the length of the answer; CC 0, or 1 when it
   was cut off. Not offered unless asked for: the guest then commands its own console. */
static int operator_command(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3)
{
    const uint32_t flags = gr32(cpu, r3) >> 24, length = gr32(cpu, r3) & 0xffffff;
    const bool store = flags & 0x40;
    char line[DIAGNOSE_COMMAND + 1], answer[8193];
    if (r1 == r3 || length > DIAGNOSE_COMMAND || (flags & ~0xe0u) ||
        (store && ((r1 & 1) || (r3 & 1) || gr32(cpu, r3 + 1) > sizeof answer - 1)))
        return PIC_SPECIFICATION;
    for (unsigned i = 0; i < length; i++) {
        const uint8_t *byte = cpu_real_host(cpu, (gr32(cpu, r1) & 0x7fffffff) + (uint64_t)i, 1);
        if (!byte)
            return PIC_ADDRESSING;
        line[i] = (char)ebcdic_to_latin(*byte);
    }
    line[length] = 0;
    answer[0] = 0;
    int code = m->host.command ? m->host.command(m->host.context, line, answer, sizeof answer) : 1;
    size_t n = strlen(answer), room = store ? gr32(cpu, r3 + 1) : 0, stored = n < room ? n : room;
    for (size_t i = 0; store && i < stored; i++) {
        uint64_t at = (gr32(cpu, r1 + 1) & 0x7fffffff) + (uint64_t)i;
        uint8_t *byte = cpu_real_host(cpu, at, 1);
        if (!byte)
            return PIC_ADDRESSING;
        *byte = answer[i] == '\n' ? 0x15 : ebcdic_from_latin((unsigned char)answer[i]);
        written(cpu, at, 1);
    }
    if (store) {
        set_gr32(cpu, r3 + 1, (uint32_t)(n > room ? n - room : n));
        cpu->cc = n > room;
    } else {
        if (n && m->host.output)
            m->host.output(m->host.context, answer, n);
        cpu->cc = 0;
    }
    set_gr32(cpu, r3, (uint32_t)code);
    return 0;
}

/* ---- X'010': release pages -------------------------------------------------------------------------------------- */

static void release(struct cpu *cpu, uint64_t absolute, uint64_t length)
{
    struct storage *s = &cpu->sys->storage;
    cpu_work(cpu, length / PAGE_SIZE_Z);
    cpu_code_written_outside(cpu->sys, absolute, length);
    if (length < 16 * PAGE_SIZE_Z || madvise(s->bytes + absolute, length, MADV_DONTNEED))
        memset(s->bytes + absolute, 0, length);
}

/* R1, R3: real addresses of the first and of the last page. Their contents become zero. */
static int release_pages(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3)
{
    uint64_t first = cpu->gr[r1], last = cpu->gr[r3];
    (void)m;
    if ((first | last) & 0xfff || first > last || first < 0x2000)
        return PIC_SPECIFICATION;
    if (!storage_has(&cpu->sys->storage, last, PAGE_SIZE_Z))
        return PIC_ADDRESSING;
    if (last < cpu->prefix || first >= cpu->prefix + UINT64_C(0x2000)) {
        release(cpu, first, last + PAGE_SIZE_Z - first);
        return 0;
    }
    for (uint64_t page = first; page <= last; page += PAGE_SIZE_Z)
        release(cpu, cpu_real_to_absolute(cpu, page), PAGE_SIZE_Z);
    return 0;
}

/* ---- X'044', X'09C': others may run ----------------------------------------------------------------------------- */

/* The rest of the slice is given away. */
static int yield(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3)
{
    (void)r1;
    (void)r3;
    if (m->sys.threads)
        sched_yield();
    else
        m->diagnose.yielded = true;
    machine_called(m); /* it waits for another one */
    engine_leave(cpu);
    return 0;
}

/* R1 names the CPU that is waited for. The rotation comes to it soon enough; a CPU that does not exist is no error. */
static int yield_to(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3)
{
    return cpu->gr[r1] < m->sys.cpu_count && cpu->gr[r1] != cpu->address ? yield(m, cpu, r1, r3) : 0;
}

/* ---- X'204', X'224': logical partitions -------------------------------------------------------------------------- */

enum { PARTITION_SIMPLE = 4, PARTITION_ROOM = 5, PARTITION_EXTENDED = 6, PARTITION_PHYSICAL = 7 };
#define PARTITION_FORMAT 0x10000u /* the extended format is asked for */

/* One partition, this machine, with its CPUs; of the physical CPUs the management time is 0. */
static unsigned partition_data(const struct machine *m, const struct cpu *cpu, bool extended, bool physical,
                               uint8_t *block)
{
    const unsigned head = extended ? 64 : 16, part = extended ? 96 : 16, entry = extended ? 96 : 24;
    const unsigned count = m->sys.cpu_count;
    uint8_t *p = block + head;
    block[0] = 1; /* partitions */
    block[1] = physical ? 0x80 : 0;
    put16(block + 4, (uint16_t)count);
    put16(block + 6, (uint16_t)head); /* where this partition stands */
    put64(block + 8, cpu_tod((struct cpu *)cpu));
    p[0] = 1;
    p[1] = (uint8_t)count;
    if (extended)
        p[2] = (uint8_t)count;
    ebcdic_text("ZRI", p + 8, 8);
    p += part;
    for (unsigned i = 0; i < count; i++, p += entry) {
        const uint64_t run = cpu_cycles(m->sys.cpus[i]) / cpu_mhz(&m->sys);
        put16(p, m->sys.cpus[i]->address);
        p[5] = 0x20; /* it is online */
        put16(p + 6, 100);
        put64(p + 8, run); /* microseconds altogether, and in the partition */
        put64(p + 16, run);
        if (extended)
            put64(p + 32, run);
    }
    if (physical) {
        p[1] = (uint8_t)count;
        ebcdic_text("PHYSICAL", p + 8, 8);
        p += part;
        for (unsigned i = 0; i < count; i++, p += entry)
            put16(p, m->sys.cpus[i]->address);
    }
    return (unsigned)(p - block);
}

/* R3, R3+1: what is asked for and the number of pages at the logical address in R1. R3 becomes 0 and R3+1 the number of
   pages that were needed, or R3 becomes 4 when they are too few. */
static int partitions(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3)
{
    uint8_t block[5 * 4096] = {0};
    const unsigned what = cpu->gr[r3] & 0xff;
    const bool extended = cpu->gr[r3] & PARTITION_FORMAT;
    if ((r3 & 1) || (cpu->gr[r3] & ~(uint64_t)(PARTITION_FORMAT | 0xff)) || what < PARTITION_SIMPLE ||
        what > PARTITION_PHYSICAL)
        return PIC_SPECIFICATION;
    unsigned length = partition_data(m, cpu, extended, what != PARTITION_SIMPLE, block);
    unsigned pages = (length + 4095) / 4096;
    if (what != PARTITION_ROOM && cpu->gr[r3 + 1] < pages) {
        cpu->gr[r3] = 4;
        return 0;
    }
    if (what != PARTITION_ROOM) {
        if (cpu->gr[r1] & 0xfff)
            return PIC_SPECIFICATION;
        for (unsigned i = 0; i < pages; i++) {
            int code = cpu_store_bytes(cpu, cpu->gr[r1] + 4096 * i, r1, block + 4096 * i, 4096);
            if (code)
                return code;
        }
    }
    cpu->gr[r3] = 0;
    cpu->gr[r3 + 1] = pages;
    return 0;
}

/* R3: real address of a page that receives the names of CPU types, 16 characters each; its first byte is the highest
   type. */
static int type_names(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3)
{
    (void)m;
    if ((cpu->gr[r3] & 0xfff) || cpu->gr[r1])
        return PIC_SPECIFICATION;
    uint8_t *page = parameters(cpu, cpu->gr[r3], PAGE_SIZE_Z);
    if (!page)
        return PIC_ADDRESSING;
    memset(page, 0, PAGE_SIZE_Z);
    ebcdic_text("CP", page + 16, 16);
    written(cpu, cpu->gr[r3], PAGE_SIZE_Z);
    return 0;
}

/* ---- X'258' ------------------------------------------------------------------------------------------------------ */

/* Page-fault handshake of this CPU: R1 the real address of the parameter list, R3 becomes the return code. Begin: 0, or
   8 when it has begun; end: 0, or 4 when it has not. Pages of this machine are never absent, so that there is never an
   interruption. The list, five doublewords or more: code X'258', function, length, version 2; real address of the
   token; select and compare mask; a doubleword with a one in bit 0 alone. All but the first is zero to end. */
static int page_fault_handshake(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3)
{
    enum { BEGIN, END, ALREADY_BEGUN = 8, NOT_BEGUN = 4, LENGTH = 40 };
    const uint64_t mine = UINT64_C(1) << cpu->address;
    if (cpu->gr[r1] & 7)
        return PIC_SPECIFICATION;
    uint8_t list[LENGTH];
    for (unsigned i = 0; i < LENGTH; i += 8) {
        const uint8_t *from = cpu_real_host(cpu, cpu->gr[r1] + i, 8);
        if (!from)
            return PIC_ADDRESSING;
        memcpy(list + i, from, 8);
    }
    const uint64_t token = get64(list + 8), select = get64(list + 16), compare = get64(list + 24);
    if (get16(list) != 0x258 || get16(list + 4) < LENGTH / 8 || get16(list + 6) != 2)
        return PIC_SPECIFICATION;
    switch (get16(list + 2)) {
    case BEGIN:
        if (m->diagnose.page_faults & mine) {
            cpu->gr[r3] = ALREADY_BEGUN;
            return 0;
        }
        if ((compare & ~select) || (token & 7) || get64(list + 32) != BIT64(0))
            return PIC_SPECIFICATION;
        if (!cpu_real_host(cpu, token, 8))
            return PIC_ADDRESSING;
        m->diagnose.page_faults |= mine;
        cpu->gr[r3] = 0;
        return 0;
    case END:
        if (token | select | compare | get64(list + 32))
            return PIC_SPECIFICATION;
        cpu->gr[r3] = m->diagnose.page_faults & mine ? 0 : NOT_BEGUN;
        m->diagnose.page_faults &= ~mine;
        return 0;
    default:
        return PIC_SPECIFICATION;
    }
}

/* ---- X'260': storage --------------------------------------------------------------------------------------------- */

/* R3 X'C': R1 and R3 become the highest address of storage. R3 X'10': R1, R1+1 are place and length of a list of
   extents (first and last address each); R3 becomes their number; CC 0, or 3 when they do not fit. */
static int storage_extents(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3)
{
    const uint64_t last = m->sys.storage.size - 1, at = cpu->gr[r1];
    if (cpu->gr[r3] == 0xc) {
        cpu->gr[r1] = cpu->gr[r3] = last;
        cpu->cc = 0;
        return 0;
    }
    if (cpu->gr[r3] != 0x10 || (r1 & 1) || (at & 15) || (cpu->gr[r1 + 1] & 15) || !cpu->gr[r1 + 1])
        return PIC_SPECIFICATION;
    uint8_t *list = parameters(cpu, at, 16);
    if (!list)
        return PIC_ADDRESSING;
    put64(list, 0);
    put64(list + 8, last);
    written(cpu, at, 16);
    cpu->gr[r3] = 1;
    cpu->cc = 0;
    return 0;
}

/* ---- X'288': watchdog -------------------------------------------------------------------------------------------- */

enum { WATCHDOG_BEGIN, WATCHDOG_CHANGE, WATCHDOG_CANCEL };
#define WATCHDOG_SHORTEST 15

/* R1: function, R1+1: seconds; R3: what is to happen, 0 (restart interruption) is all there is. */
static int watchdog(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3)
{
    struct machine_diagnose *d = &m->diagnose;
    if ((r1 & 1) || cpu->gr[r1] > WATCHDOG_CANCEL)
        return PIC_SPECIFICATION;
    const uint64_t function = cpu->gr[r1], seconds = cpu->gr[r1 + 1];
    if (function == WATCHDOG_CANCEL) {
        if (!d->watchdog_at)
            return PIC_SPECIFICATION;
        d->watchdog_at = 0;
        return 0;
    }
    if (cpu->gr[r3] || seconds < WATCHDOG_SHORTEST || seconds > UINT32_MAX ||
        (function == WATCHDOG_CHANGE && !d->watchdog_at))
        return PIC_SPECIFICATION;
    d->watchdog_at = cpu_tod(cpu) + seconds * TOD_PER_SECOND;
    return 0;
}

/* It strikes: a restart interruption on the first CPU that operates, or on CPU 0. */
bool diagnose_watch(struct machine *m)
{
    struct cpu *target = m->sys.cpus[0];
    if (!m->diagnose.watchdog_at || cpu_tod(target) < m->diagnose.watchdog_at)
        return false;
    m->diagnose.watchdog_at = 0;
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        if (m->sys.cpus[i]->state == CPU_STATE_OPERATING) {
            target = m->sys.cpus[i];
            break;
        }
    if (m->host.message)
        m->host.message(m->host.context, "the guest's watchdog strikes: restart interruption");
    cpu_raise_restart(target);
    cpu_set_state(target, CPU_STATE_OPERATING);
    return true;
}

int64_t diagnose_next_event(struct machine *m)
{
    uint64_t at = m->diagnose.watchdog_at, tod = at ? cpu_tod(m->sys.cpus[0]) : 0;
    return !at ? INT64_MAX : at <= tod ? 1 : (int64_t)(at - tod);
}

/* ---- X'308': IPL functions --------------------------------------------------------------------------------------- */

enum ipl_function {
    IPL_MODIFIED_CLEAR,
    IPL_MODIFIED_NORMAL,
    IPL_LOAD_CLEAR = 3,
    IPL_LOAD_DUMP = 4,
    IPL_SET = 5,
    IPL_STORE = 6,
    IPL_LOAD_NORMAL = 7
};
#define IPL_DONE     0x0001 /* return codes */
#define IPL_NO_BLOCK 0x0102
#define IPL_INVALID  0x0402

/* The parameter block: a header of 8 bytes, then one part. Offsets from the begin of the block. */
enum {
    BLOCK_LENGTH = 0,
    BLOCK_VERSION = 7,
    PART_LENGTH = 8,
    PART_TYPE = 12,
    PART_FLAGS = 13,
    PART_PARAMETER = 16,
    PART_SET = 109,
    PART_NUMBER = 110,
    BLOCK_END = 200
};
#define PART_CHANNEL         2    /* type: a device on a channel */
#define PART_PARAMETER_VALID 0x80 /* flag */
#define IPL_READER           0x000c

/* The CPUs stop; the machine sees to the rest when none of them is in the middle of an instruction. */
static int ask_for_load(struct machine *m, struct cpu *cpu, bool clear)
{
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        cpu_reset(m->sys.cpus[i], CPU_RESET);
    m->diagnose.load = clear ? DIAGNOSE_LOAD_CLEAR : DIAGNOSE_LOAD_NORMAL;
    engine_leave(cpu);
    return 0;
}

/* A machine that was not loaded has no block. */
static unsigned store_block(const struct machine_diagnose *d, uint8_t *block)
{
    if (!d->ipl_device)
        return IPL_NO_BLOCK;
    memset(block, 0, BLOCK_END);
    put32(block + BLOCK_LENGTH, BLOCK_END);
    put32(block + PART_LENGTH, BLOCK_END - PART_LENGTH);
    block[PART_TYPE] = PART_CHANNEL;
    block[PART_FLAGS] = PART_PARAMETER_VALID;
    memcpy(block + PART_PARAMETER, d->ipl_parameter, sizeof d->ipl_parameter);
    block[PART_SET] = d->ipl_set;
    put16(block + PART_NUMBER, d->ipl_number);
    return IPL_DONE;
}

static void loads_from(struct machine_diagnose *d, uint8_t set, uint16_t number)
{
    d->ipl_device = true;
    d->ipl_set = set;
    d->ipl_number = number;
    memset(d->ipl_parameter, EBCDIC_BLANK, sizeof d->ipl_parameter);
}

void diagnose_loads_from(struct machine *m, uint8_t set, uint16_t number)
{
    m->diagnose.ipl_images = false;
    loads_from(&m->diagnose, set, number);
}

void diagnose_loads_images(struct machine *m)
{
    uint16_t number = IPL_READER;
    while (number < UINT16_MAX && css_find_number(m->css, 0, number))
        number++;
    m->diagnose.ipl_images = true;
    m->diagnose.ipl_reader = number;
    loads_from(&m->diagnose, 0, number);
}

bool diagnose_from_images(const struct machine *m)
{
    const struct machine_diagnose *d = &m->diagnose;
    return !d->ipl_device || (d->ipl_images && !d->ipl_set && d->ipl_number == d->ipl_reader);
}

/* The next load is from the device that the block names. Whether there is one, the load will tell. */
static unsigned set_block(struct machine *m, const uint8_t *block)
{
    if (get32(block + BLOCK_LENGTH) < BLOCK_END || get32(block + BLOCK_LENGTH) > PAGE_SIZE_Z || block[BLOCK_VERSION] ||
        get32(block + PART_LENGTH) < BLOCK_END - PART_LENGTH || block[PART_TYPE] != PART_CHANNEL || block[PART_SET] > 3)
        return IPL_INVALID;
    loads_from(&m->diagnose, block[PART_SET], get16(block + PART_NUMBER));
    if (block[PART_FLAGS] & PART_PARAMETER_VALID)
        memcpy(m->diagnose.ipl_parameter, block + PART_PARAMETER, sizeof m->diagnose.ipl_parameter);
    return IPL_DONE;
}

/* R3: the function; R1: real address of an IPL parameter block, R1+1 becomes the return code. */
static int ipl_functions(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3)
{
    uint8_t *block;
    uint64_t at;
    switch (cpu->gr[r3]) {
    case IPL_MODIFIED_CLEAR:
    case IPL_MODIFIED_NORMAL:
        m->diagnose.reset = cpu->gr[r3] == IPL_MODIFIED_CLEAR ? DIAGNOSE_RESET_CLEAR : DIAGNOSE_RESET_NORMAL;
        return 0;
    case IPL_LOAD_CLEAR:
    case IPL_LOAD_DUMP:
    case IPL_LOAD_NORMAL:
        return ask_for_load(m, cpu, cpu->gr[r3] == IPL_LOAD_CLEAR);
    case IPL_SET:
    case IPL_STORE:
        if ((r1 & 1) || (cpu->gr[r1] & 0xfff))
            return PIC_SPECIFICATION;
        block = parameters(cpu, cpu->gr[r1], PAGE_SIZE_Z);
        if (!block)
            return PIC_ADDRESSING;
        at = cpu->gr[r1];
        if (cpu->gr[r3] == IPL_SET) {
            cpu->gr[r1 + 1] = set_block(m, block);
            return 0;
        }
        cpu->gr[r1 + 1] = store_block(&m->diagnose, block);
        if (cpu->gr[r1 + 1] == IPL_DONE)
            written(cpu, at, BLOCK_END);
        return 0;
    default:
        return PIC_SPECIFICATION;
    }
}

/* ---- X'318' ------------------------------------------------------------------------------------------------------ */

#define CONTROL_PROGRAM_LINUX 4 /* in bits 0-7 */

void diagnose_tell_of_random(struct machine *m)
{
    bool network = false;
    char words[160];
    const struct channel_device *device;
    if (m->told_of_random || !machine_repeats_random(m) || !m->host.message)
        return;
    for (unsigned n = 0; (device = css_device(m->css, n)) != NULL; n++)
        network |= !strcmp(device->type->name, "virtio-net");
    if (!network)
        return;
    m->told_of_random = true;
    snprintf(words, sizeof words,
             "random numbers repeat from seed %" PRIu64
             ": keys made in this guest are the same in every run; --seed host makes others",
             m->config.seed);
    m->host.message(m->host.context, words);
}

/* R1: what the control program calls itself. The operator may want to know. */
static int control_program(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3)
{
    (void)r3;
    m->diagnose.control_program = cpu->gr[r1];
    if (cpu->gr[r1] >> 56 == CONTROL_PROGRAM_LINUX)
        diagnose_tell_of_random(m);
    return 0;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static const struct row {
    uint16_t code;
    int (*carry_out)(struct machine *m, struct cpu *cpu, unsigned r1, unsigned r3); /* NULL: only by a hook */
} rows[] = {
#define DIAGNOSE(code, offered, carry_out, text) {code, carry_out},
#include "emu/config/diagnose.def"
#undef DIAGNOSE
};
#define ROWS (sizeof rows / sizeof *rows)

int machine_diagnose(void *machine, struct cpu *cpu, uint16_t code, unsigned r1, unsigned r3)
{
    struct machine *m = machine;
    const struct machine_diagnose *d = &m->diagnose;
    const struct row *row = NULL;
    for (unsigned i = 0; i < ROWS; i++)
        if (rows[i].code == code) {
            if (!(m->config.diagnose >> i & 1))
                return PIC_SPECIFICATION;
            row = &rows[i];
        }
    for (unsigned i = 0; i < d->hook_count; i++)
        if (d->hooks[i].code == code)
            return d->hooks[i].carry_out(d->hooks[i].context, cpu, r1, r3);
    return row && row->carry_out ? row->carry_out(m, cpu, r1, r3) : PIC_SPECIFICATION;
}

bool diagnose_alone(uint16_t code)
{
    for (unsigned i = 0; i < ROWS; i++)
        if (rows[i].code == code)
            return rows[i].carry_out != yield && rows[i].carry_out != yield_to;
    return true;
}

int machine_hook_diagnose(struct machine *m, uint16_t code,
                          int (*carry_out)(void *context, struct cpu *cpu, unsigned r1, unsigned r3), void *context)
{
    struct machine_diagnose *d = &m->diagnose;
    if (d->hook_count == DIAGNOSE_HOOKS)
        return -ENOSPC;
    d->hooks[d->hook_count].code = code;
    d->hooks[d->hook_count].carry_out = carry_out;
    d->hooks[d->hook_count++].context = context;
    return 0;
}

void diagnose_reset(struct machine *m)
{
    m->diagnose.control_program = m->diagnose.watchdog_at = m->diagnose.page_faults = 0;
    m->diagnose.yielded = false;
}

void diagnose_reset_cpu(struct machine *m, const struct cpu *cpu)
{
    m->diagnose.page_faults &= ~(UINT64_C(1) << cpu->address);
}
