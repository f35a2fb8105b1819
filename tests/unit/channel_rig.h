/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine with a device for unit tests, and channel programs for a fixed-block disk. After cmocka.h. */
#ifndef ZRI_TESTS_UNIT_CHANNEL_RIG_H
#define ZRI_TESTS_UNIT_CHANNEL_RIG_H

#include "cpu/engine/engine.h"
#include "emu/dev/css/io.h"
#include "emu/machine/run.h"
#include <stdio.h>

struct rig {
    struct machine *m;
    struct cpu *cpu;
    uint8_t *at;
    char message[512], file[64];
    unsigned messages;
};

static inline void message(void *context, const char *text)
{
    struct rig *r = context;
    snprintf(r->message, sizeof r->message, "%s", text);
    r->messages++;
}

static inline void make(struct rig *r, unsigned cpus, uint8_t engine, const char *device)
{
    struct machine_config config = machine_default_config();
    struct machine_host host = {.context = r, .message = message};
    char error[256];
    config.storage = UINT64_C(4) << 20;
    config.cpus = cpus;
    config.engine = engine;
    *r = (struct rig){.m = NULL};
    r->m = machine_create(&config, &host, error, sizeof error);
    assert_non_null(r->m);
    r->cpu = r->m->sys.cpus[0];
    r->at = r->m->sys.storage.bytes;
    if (css_attach_text(r->m, device, false, error, sizeof error))
        fail_msg("%s", error);
}

static inline unsigned io(struct rig *r, enum cpu_io function, uint8_t *block)
{
    unsigned cc = 9;
    r->cpu->gr[1] = 0x10000;
    assert_int_equal(css_io(r->m, r->cpu, function, block, &cc), 0);
    return cc;
}

static inline void enable(struct rig *r)
{
    uint8_t schib[CPU_IO_BLOCK] = {0};
    schib[5] = 0x80;
    schib[8] = 0x80;
    schib[27] = 0x01; /* concurrent sense */
    assert_int_equal(io(r, CPU_IO_MODIFY, schib), 0);
}

/* Run the format-1 program at 20200 to its end; IRB in block. */
static inline void run_program(struct rig *r, uint8_t *irb)
{
    uint8_t orb[CPU_IO_BLOCK] = {0};
    put32(orb + 4, 0x0080ff00);
    put32(orb + 8, 0x20200);
    assert_int_equal(io(r, CPU_IO_START, orb), 0);
    while (r->m->sys.event_at) {
        r->m->sys.now = r->m->sys.event_at;
        css_event(r->m, r->m->sys.now);
    }
    assert_int_equal(io(r, CPU_IO_TEST, irb), 0);
}

/* Locate `count` blocks from `block` on and read them to 30000, or write them from there. */
static inline void disk_program(struct rig *r, bool write, unsigned block, unsigned count)
{
    uint8_t *p = r->at + 0x20200, *x = r->at + 0x20300;
    put64(p, UINT64_C(0x6340001000020300));
    put64(p + 8, UINT64_C(0x4340000800020310));
    put32(p + 16, (write ? 0x41000000u : 0x42000000u) | 512 * count);
    put32(p + 20, 0x30000);
    put32(x, 0xc0000200);
    put32(x + 12, 63);
    put32(x + 16, (write ? 0x01000000u : 0x06000000u) | count);
    put32(x + 20, block);
}

#endif
