/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries SERVICE CALL with control blocks, DIAGNOSE with registers and parameter lists, SIGNAL PROCESSOR and STORE
   SYSTEM INFORMATION with orders and selectors, that are half right or not at all: whatever a guest puts there, it must
   get an answer or a program interruption, the host must come to no harm, and outside the control block a service call
   stores nothing. Usage: fuzz_service [COUNT [SEED]]. The sanitizers judge. */
#include "cpu/engine/engine.h"
#include "emu/dev/css/attach.h"
#include "emu/dev/sclp/event.h"
#include "emu/machine/run.h"
#include "tests/random.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 0x6000u /* where control blocks stand: the page, and its neighbours */

static uint64_t state;
static uint64_t pick(uint64_t limit) { return random_step(&state) % limit; }

static void output(void *context, const char *text, size_t length)
{
    volatile char last = 0;
    uint64_t *count = context;
    for (size_t i = 0; i < length; i++)
        last = text[i];
    (void)last;
    *count += length;
}

static int command(void *context, const char *line, char *answer, size_t size)
{
    (void)context;
    snprintf(answer, size, "you said: %s\n", line);
    return 0;
}

static uint32_t some_command(void)
{
    static const uint32_t commands[] = {0x00120001, 0x00020001, 0x00010001, 0x00760005, 0x00770005, 0x00780005,
                                        0x00110001, 0x00100001, 0x00040001, 0x00080001, 0x000c0001, 0x000d0001};
    uint32_t c = commands[pick(sizeof commands / sizeof *commands)];
    return pick(4) ? c | (pick(3) ? 0 : (uint32_t)pick(8) << 8) : (uint32_t)pick(UINT32_MAX);
}

/* An event with objects whose lengths are right more often than not. */
static unsigned some_event(uint8_t *at, unsigned room)
{
    static const uint8_t types[] = {1, 2, 2, 2, 9, 0x1a, 0x1a, 0x1d, 4, 0xff};
    unsigned length = 6 + (unsigned)pick(120);
    if (length > room)
        return room;
    put16(at, (uint16_t)(pick(20) ? length : pick(65536)));
    at[2] = types[pick(sizeof types)];
    if (length < 40 || at[2] != 2)
        return length;
    put16(at + 6, (uint16_t)(pick(20) ? length - 6 : pick(65536)));
    put16(at + 8, 1);
    put32(at + 10, 0xd4c4c240);
    for (unsigned n = 18; n + 12 < length;) {
        unsigned object = 4 + (unsigned)pick(length - n);
        put16(at + n, (uint16_t)(pick(10) ? object : pick(256)));
        put16(at + n + 2, (uint16_t)(pick(3) ? 4 : 1));
        n += object;
    }
    return length;
}

static void some_block(uint8_t *at, uint32_t what)
{
    for (unsigned i = 0; i < 4096; i += 8)
        put64(at + i, pick(2) ? pick(UINT64_MAX) : 0);
    put16(at, (uint16_t)(pick(3) ? 4096 : pick(300)));
    at[2] = (uint8_t)(pick(4) ? 0 : pick(3));
    if (what == 0x00780005 && pick(5)) {
        put16(at + 10, (uint16_t)(pick(2) ? 4 : pick(1100)));
        put32(at + 12, pick(2) ? UINT32_MAX : (uint32_t)pick(UINT32_MAX));
    } else if (what == 0x00760005) {
        unsigned n = 8;
        while (n < 600)
            n += some_event(at + n, 700 - n);
        if (pick(4))
            put16(at, (uint16_t)n);
    } else if ((what & 0xfffe00ff) == 0x000c0001) {
        put16(at + 8, (uint16_t)pick(8));
    }
}

static void type_something(struct machine *m)
{
    char line[400];
    size_t n = pick(sizeof line);
    for (size_t i = 0; i < n; i++)
        line[i] = (char)(1 + pick(255));
    line[n ? n - 1 : 0] = 0;
    if (pick(2))
        sclp_input_line(m, line);
    else
        sclp_input_keys(m, line, n);
    if (!pick(20))
        sclp_quiesce(m);
}

static bool serve(struct machine *m)
{
    static uint8_t before[0x4000];
    uint8_t *storage = m->sys.storage.bytes;
    uint32_t what = some_command();
    unsigned cc;
    some_block(storage + BLOCK, what);
    memcpy(before, storage + BLOCK - 0x2000, sizeof before);
    uint64_t at = pick(20) ? BLOCK : pick(10) ? BLOCK + 8 * pick(512) : pick(UINT64_MAX);
    bool elsewhere = (at & ~UINT64_C(0xfff)) != BLOCK;
    int code = sclp_service_call(m, m->sys.cpus[pick(m->sys.cpu_count)], what, at, &cc);
    if (code && code != PIC_SPECIFICATION && code != PIC_ADDRESSING)
        return false;
    /* assigning and unassigning storage clears it, but not here */
    return elsewhere || (!memcmp(before, storage + BLOCK - 0x2000, 0x2000) &&
                         !memcmp(before + 0x3000, storage + BLOCK + 0x1000, 0x1000));
}

static void diagnose(struct machine *m)
{
    static const uint16_t codes[] = {8,     0x10,  0x44,  0x9c,  0x204, 0x224, 0x250,
                                     0x258, 0x260, 0x288, 0x308, 0x318, 0x500};
    static const uint64_t values[] = {0,    1,      2,       4,     5,          6,           7,         0xc,
                                      0x10, 0x6000, 0x10000, 0x7fe, 0x40000010, 0x10004,     0x10005,   0x10007,
                                      60,   0x8000, 0xfffff, 64,    UINT64_MAX, 0x40000ffff, 0xffff000, 0x60004};
    struct cpu *cpu = m->sys.cpus[pick(m->sys.cpu_count)];
    uint16_t code = codes[pick(sizeof codes / sizeof *codes)];
    for (unsigned r = 0; r < 16; r++)
        cpu->gr[r] = values[pick(sizeof values / sizeof *values)];
    if (pick(2)) { /* a list of the page-fault handshake */
        put64(m->sys.storage.bytes + BLOCK, UINT64_C(0x0258000000050002) | pick(2) << 32);
        cpu->gr[pick(16)] = BLOCK;
    }
    if (code == 0x250 && pick(4)) { /* a list of block I/O for the disk, and its entries */
        uint8_t *list = m->sys.storage.bytes + BLOCK;
        memset(list, 0, 64);
        put16(list, pick(8) ? 0x120 : 0x121);
        list[2] = (uint8_t)(pick(2) << 7);
        list[25] = (uint8_t)pick(3);
        put32(list + 24 + 4 * pick(2), pick(2) ? 512u << pick(5) : (uint32_t)pick(300));
        put64(list + 28 + 4 * pick(6), pick(2) ? BLOCK + 64 : values[pick(sizeof values / sizeof *values)]);
        if (pick(2))
            put64(list + 48, BLOCK + 64);
        for (unsigned at = 64; at < 640; at += 8)
            put64(list + at, pick(3) ? (pick(4)) << 56 | pick(0x800) << 32 | pick(0x4000) : pick(UINT64_MAX));
        cpu->gr[2] = BLOCK;
        cpu->gr[4] = pick(4);
        (void)m->sys.callouts->diagnose(m, cpu, code, 2, 4);
        return;
    }
    (void)m->sys.callouts->diagnose(m, cpu, code, (unsigned)pick(15), (unsigned)pick(15));
    m->diagnose.load = DIAGNOSE_LOAD_NONE;
}

/* Orders to CPUs that are there, in standby, or not; what they left is carried out. */
static bool signal(struct machine *m)
{
    static const uint8_t orders[] = {1, 2, 3, 4, 5, 6, 9, 0xb, 0xc, 0xd, 0xe, 0x12, 0x13, 0x15, 0x16, 0x17};
    uint32_t status = 0;
    unsigned cc = 9;
    uint8_t order = pick(8) ? orders[pick(sizeof orders)] : (uint8_t)pick(256);
    struct cpu *by = m->sys.cpus[pick(m->sys.cpu_count)];
    int code =
        machine_sigp(m, by, (uint16_t)pick(pick(8) ? 6 : 65536), order, pick(2) ? pick(1 << 20) : state, &status, &cc);
    if (!pick(16))
        (void)machine_run(m, 20);
    return code == 0 && cc <= 3 && (cc == 1 || status == 0);
}

static void information(struct machine *m)
{
    static uint8_t block[4096];
    unsigned fc = (unsigned)pick(16), sel1 = (unsigned)pick(pick(4) ? 4 : 256),
             sel2 = (unsigned)pick(pick(4) ? 8 : 65536);
    (void)machine_system_information(m, m->sys.cpus[pick(m->sys.cpu_count)], fc, sel1, sel2, block);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 30000, printed = 0, events = 0;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 88172645463325252;
    struct machine_config config = machine_default_config();
    struct machine_host host = {.context = &printed, .output = output, .command = command};
    char error[512];
    config.storage = UINT64_C(512) << 20;
    config.standby_storage = UINT64_C(256) << 20;
    config.cpus = 4;
    config.standby_cpus = 2;
    config.consoles = SCLP_LINE_MODE | SCLP_ASCII;
    config.diagnose = UINT32_MAX;
    struct machine *m = machine_create(&config, &host, error, sizeof error);
    if (!m || css_attach_text(m, "0120,9336,=1M", false, error, sizeof error))
        return 99;
    for (uint64_t i = 0; i < count; i++) {
        if (!pick(4))
            type_something(m);
        if (!serve(m)) {
            fprintf(stderr, "fuzz_service: input %" PRIu64 ": something outside the control block was changed\n", i);
            return 1;
        }
        if (!pick(8))
            diagnose(m);
        if (!pick(8) && !signal(m)) {
            fprintf(stderr, "fuzz_service: input %" PRIu64 ": an order was answered wrongly\n", i);
            return 1;
        }
        if (!pick(16))
            information(m);
        if (!pick(2000))
            machine_clear(m);
        events += m->sclp.line_length != 0;
    }
    machine_destroy(m);
    printf("fuzz_service: %" PRIu64 " calls, %" PRIu64 " characters printed, lines waited %" PRIu64 " times: no harm\n",
           count, printed, events);
    return printed && events ? 0 : 1;
}
