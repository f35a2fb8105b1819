/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries I/O instructions with channel programs, ORBs, address words and command blocks made at random on a machine with
   one device of each kind: none may crash, hang or harm the host, and the subchannels must stay in states that exist.
   Usage: fuzz_channel [COUNT [SEED]]. The sanitizers are the judges of the rest. */
#include "emu/dev/css/attach.h"
#include "emu/dev/css/internal.h"
#include "emu/dev/css/io.h"
#include "emu/machine/machine.h"
#include "tests/random.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define STORAGE  (UINT64_C(1) << 20)
#define AREA     0x4000u /* where everything is */
#define PROGRAMS 0x1000u

struct fuzz {
    struct machine *m;
    struct cpu *cpu;
    uint64_t state;
};

static uint64_t pick(struct fuzz *f, uint64_t limit) { return random_step(&f->state) % limit; }

/* An address: mostly near the programs, sometimes anywhere or at an edge. */
static uint32_t address(struct fuzz *f)
{
    static const uint32_t edges[] = {0,        8,        0xfff8,      0x7ffffff8, 0x80000000,
                                     0xffffff, 0xfffff8, STORAGE - 8, STORAGE - 1};
    switch (pick(f, 10)) {
    case 0:
        return (uint32_t)pick(f, UINT64_C(1) << 32);
    case 1:
        return edges[pick(f, sizeof edges / sizeof *edges)];
    case 2:
        return (uint32_t)pick(f, STORAGE);
    default:
        return PROGRAMS + 8 * (uint32_t)pick(f, (AREA - PROGRAMS) / 8);
    }
}

static uint8_t command(struct fuzz *f)
{
    static const uint8_t known[] = {0x01, 0x02, 0x03, 0x04, 0x08, 0x09, 0x0a, 0x0c,
                                    0x41, 0x42, 0x43, 0x63, 0x64, 0xe4, 0xb4};
    return pick(f, 8) ? known[pick(f, sizeof known)] : (uint8_t)pick(f, 256);
}

static void make_ccw(struct fuzz *f, uint8_t *at, bool format1)
{
    static const uint8_t likely[] = {0x00, 0x20, 0x40, 0x60, 0x80, 0xa0, 0x04, 0x24,
                                     0x64, 0x84, 0x01, 0x41, 0x08, 0x48, 0x62, 0x50};
    uint8_t flags = pick(f, 6) ? likely[pick(f, sizeof likely)] : (uint8_t)pick(f, 256);
    uint16_t count = (uint16_t)(pick(f, 3) ? pick(f, 600) : pick(f, 65536));
    if (format1) {
        at[1] = flags;
        put16(at + 2, count);
        put32(at + 4, address(f));
    } else {
        put32(at, address(f));
        at[4] = flags;
        at[5] = 0;
        put16(at + 6, count);
    }
    at[0] = command(f);
}

/* Programs, IDAWs and MIDAWs, define-extent and locate parameters all over the area. */
static void fill(struct fuzz *f, bool format1)
{
    uint8_t *bytes = f->m->sys.storage.bytes;
    for (uint32_t at = PROGRAMS; at < AREA; at += 8) {
        switch (pick(f, 8)) {
        case 0:
            put32(bytes + at, address(f));
            put32(bytes + at + 4, address(f));
            break;
        case 1:
            put64(bytes + at, pick(f, 2) ? address(f) : (uint64_t)pick(f, 256) << 16 | pick(f, 600));
            break;
        case 2: /* locate, or the end of define extent */
            put32(bytes + at, (uint32_t)(pick(f, 8) << 24 | pick(f, 9)));
            put32(bytes + at + 4, (uint32_t)pick(f, 140));
            break;
        case 3:
            break;
        default:
            make_ccw(f, bytes + at, format1);
        }
    }
    for (uint64_t page = 0; page < STORAGE >> PAGE_BITS; page++)
        f->m->sys.storage.keys[page] = pick(f, 6) ? 0x30 : (uint8_t)pick(f, 128) << 1;
}

static void make_block(struct fuzz *f, enum cpu_io function, uint8_t *block, bool format1)
{
    memset(block, 0, CPU_IO_BLOCK);
    if (function == CPU_IO_START) {
        uint32_t word = (format1 ? ORB_FORMAT1 : 0) | 0xff00u | (pick(f, 2) ? 0x30000000u : 0);
        static const uint32_t bits[] = {ORB_SUSPEND,      ORB_INITIAL, ORB_LIMIT, ORB_NO_SUSPENDED,
                                        ORB_FORMAT2_IDAW, ORB_IDAW_2K, ORB_SHORT, ORB_MIDAW};
        for (unsigned i = 0; i < sizeof bits / sizeof *bits; i++)
            word |= pick(f, 3) ? 0 : bits[i];
        put32(block, (uint32_t)pick(f, UINT64_C(1) << 32));
        put32(block + 4, pick(f, 20) ? word : (uint32_t)pick(f, UINT64_C(1) << 32));
        put32(block + 8, address(f));
    } else if (function == CPU_IO_MODIFY) {
        put16(block + 4, (uint16_t)(pick(f, 4) ? 0x80 | pick(f, 8) << 11 | pick(f, 3) << 5 : pick(f, 65536)));
        block[8] = (uint8_t)(pick(f, 5) ? 0x80 : pick(f, 256));
        put32(block + 24, (uint32_t)(pick(f, 8) ? pick(f, 2) : pick(f, UINT64_C(1) << 32)));
    } else if (function == CPU_IO_CALL) {
        static const uint16_t commands[] = {2, 4, 0xe, 0x10, 0x31, 0x33, 0};
        put16(block, (uint16_t)(pick(f, 4) ? 16 : 16 + 8 * pick(f, 509)));
        put16(block + 2, pick(f, 8) ? commands[pick(f, 7)] : (uint16_t)pick(f, 65536));
        for (unsigned i = 4; i < 16; i++)
            block[i] = pick(f, 3) ? 0 : (uint8_t)pick(f, 256);
        if (get16(block + 2) == 0x31 && pick(f, 2)) {
            put16(block, 0x400);
            put32(block + 4, 2);
        }
    }
}

/* What holds at any time. */
static const char *wrong(const struct css *css)
{
    unsigned requests[8] = {0};
    for (unsigned set = 0; set < CSS_SETS; set++)
        for (unsigned i = 0; i < css->count[set]; i++) {
            const struct subchannel *s = css->subchannels[set][i];
            requests[css_isc(s)] += s->interruption;
            if (s->interruption && !(s->scsw & SCSW_PENDING))
                return "an interruption without status";
            if (s->phase != PHASE_IDLE && !(s->scsw & SCSW_FUNCTION))
                return "a program without a function";
            if (s->phase != PHASE_IDLE && s->phase != PHASE_WAITS && !s->due)
                return "a program that nothing carries on";
            if ((s->scsw & SCSW_STATUS) && !(s->scsw & SCSW_PENDING))
                return "status that is not pending";
            if (s->sense_length > sizeof s->sense)
                return "too much sense information";
        }
    return memcmp(requests, css->requests, sizeof requests) ? "requests are counted wrongly" : NULL;
}

static const char *one(struct fuzz *f)
{
    static const enum cpu_io functions[] = {CPU_IO_START,      CPU_IO_START,     CPU_IO_START,      CPU_IO_TEST,
                                            CPU_IO_TEST,       CPU_IO_TEST,      CPU_IO_MODIFY,     CPU_IO_CLEAR,
                                            CPU_IO_HALT,       CPU_IO_RESUME,    CPU_IO_RESUME,     CPU_IO_CANCEL,
                                            CPU_IO_STORE,      CPU_IO_CALL,      CPU_IO_PENDING,    CPU_IO_REPORT_WORD,
                                            CPU_IO_RESET_PATH, CPU_IO_SET_LIMIT, CPU_IO_PATH_STATUS};
    static uint8_t block[CPU_IO_BLOCK];
    enum cpu_io function = functions[pick(f, sizeof functions / sizeof *functions)];
    bool format1 = pick(f, 3);
    unsigned cc = 0;
    f->cpu->cr[6] = pick(f, 2) ? 0xff000000u : 0;
    f->cpu->gr[1] = function == CPU_IO_RESET_PATH  ? pick(f, 4)
                    : function == CPU_IO_SET_LIMIT ? pick(f, 16) << 16
                                                   : UINT64_C(0x10000) + pick(f, 6);
    if (pick(f, 16) == 0)
        f->cpu->gr[1] = 0x30000;
    if (function == CPU_IO_START)
        fill(f, format1);
    make_block(f, function, block, format1);
    (void)css_io(f->m, f->cpu, function, block, &cc);
    const char *what = wrong(f->m->css);
    for (unsigned i = (unsigned)pick(f, 40); !what && i && f->m->sys.event_at; i--) {
        if (f->m->sys.event_at > f->m->sys.now)
            f->m->sys.now = f->m->sys.event_at;
        css_event(f->m, f->m->sys.now);
        what = wrong(f->m->css);
    }
    if (pick(f, 10) == 0)
        (void)css_line(f->m->css, "typed");
    return what;
}

int main(int argc, char **argv)
{
    static const char *const devices[] = {"000C,3505,ascii,=ONE,=TWO,=THREE,eof",
                                          "0009,3215",
                                          "000E,1403,/dev/null",
                                          "0120,3370,=64K",
                                          "0121,9336,=16K,ro",
                                          "1:0130,9336,=70K,snapshot"};
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
    struct machine_config config = machine_default_config();
    struct fuzz f = {.state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 88172645463325252};
    char error[512];
    config.storage = STORAGE;
    f.m = machine_create(&config, NULL, error, sizeof error);
    if (!f.m)
        return 99;
    f.cpu = f.m->sys.cpus[0];
    for (unsigned i = 0; i < sizeof devices / sizeof *devices; i++)
        if (css_attach_text(f.m, devices[i], false, error, sizeof error)) {
            fprintf(stderr, "fuzz_channel: %s\n", error);
            return 99;
        }
    uint64_t started = 0;
    for (uint64_t i = 0; i < count; i++) {
        const char *what = one(&f);
        if (what) {
            fprintf(stderr, "fuzz_channel: input %" PRIu64 ": %s\n", i, what);
            return 1;
        }
        if (i % 5000 == 4999)
            css_reset(f.m->css);
    }
    started = f.m->css->orders;
    machine_destroy(f.m);
    if (count >= 10000 && started < count / 100) {
        fprintf(stderr, "fuzz_channel: only %" PRIu64 " statuses: the programs do nothing\n", started);
        return 1;
    }
    printf("fuzz_channel: %" PRIu64 " instructions, %" PRIu64 " statuses: no harm\n", count, started);
    return 0;
}
