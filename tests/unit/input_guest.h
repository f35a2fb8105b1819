/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest for tests of recordings and of the past: what it does depends on when something comes from outside. */
#ifndef INPUT_GUEST_H
#define INPUT_GUEST_H

#include "cpu/control/psw.h"
#include "cpu/life/life.h"
#include "cpu/storage/code.h"
#include "emu/machine/session.h"
#include "tests/unit/put_code.h"
#include <string.h>

/* Each CPU counts in r1, and notes at its table, which begins at r4, how far it was at each external interruption. The
   handler lets the clock comparator strike 2 ms later; with `waits` the guest waits for that after each count. */
static inline void input_guest(struct session *s, bool waits)
{
    static const struct {
        uint64_t at;
        const char *text;
    } lines[] = {{0x10000, "aghi %r1,1"},      {0x10008, "aghi %r1,1"},      {0x1000c, "j 0x10008"},
                 {0x10100, "stg %r1,0(%r4)"},  {0x10106, "la %r4,8(%r4)"},   {0x1010a, "stck 0x300(%r0)"},
                 {0x1010e, "lg %r5,0x300"},    {0x10114, "ag %r5,0x308"},    {0x1011a, "stg %r5,0x300"},
                 {0x10120, "sckc 0x300(%r0)"}, {0x10124, "lpswe 0x130(%r0)"}};
    struct machine *m = s->machine;
    uint8_t *storage = m->sys.storage.bytes;
    const uint64_t mask = BIT64(31) | BIT64(32);
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
        put_code(storage, lines[i].at, lines[i].text);
    if (waits) {
        const uint8_t wait[4] = {0xb2, 0xb2, 0x02, 0x00}, again[4] = {0xb2, 0xb2, 0x02, 0x10};
        memcpy(storage + 0x10004, wait, 4);
        put64(storage + 0x200, mask | BIT64(7) | BIT64(14));
        put64(storage + 0x208, 0x10000);
        memcpy(storage + 0x10124, again, 4);
        put64(storage + 0x210, mask | BIT64(7));
        put64(storage + 0x218, 0x10000);
    }
    put64(storage + 0x308, UINT64_C(2000) << 12);
    put64(storage + 432, mask);
    put64(storage + 440, 0x10100);
    for (unsigned c = 0; c < m->sys.cpu_count; c++) {
        struct cpu *cpu = m->sys.cpus[c];
        assert_true(cpu_set_prefix(cpu, c * 0x2000));
        if (c)
            memcpy(storage + c * 0x2000, storage, 0x2000);
        cpu->gr[4] = 0x20000 + 0x80000 * c;
        cpu->cr[0] |= BIT64(52) | BIT64(54); /* clock comparator, service signal */
        (void)!cpu_load_psw(cpu, mask | BIT64(7), waits ? 0x10000 : 0x10008);
        cpu_set_state(cpu, CPU_STATE_OPERATING);
    }
    m->sclp.receive_mask = UINT32_MAX;
    cpu_code_written(&m->sys, 0, m->sys.storage.size);
}

#endif
