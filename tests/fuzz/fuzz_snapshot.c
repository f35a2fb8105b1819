/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries snapshots made by mutation, uncompressed and with the checksum made right again, so that the damage arrives at
   every section: none may crash, hang, or harm the host, and a machine that was made must be able to run. Usage:
   fuzz_snapshot [COUNT [SEED]]. The sanitizers are the judges. */
#include "base/bits.h"
#include "cpu/control/model.h"
#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/state/timing.h"
#include "emu/dev/css/attach.h"
#include "emu/machine/run.h"
#include "emu/machine/snapshot.h"
#include "ri/ri.h"
#include "tests/random.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_ZLIB
#include <zlib.h>

static uint64_t pick(uint64_t *state, uint64_t limit) { return random_step(state) % limit; }

/* A pipeline that is small, and has everything. */
static const char shape[] =
    "group_size = 3\npredictor = tage\nras_entries = 3\nbtb_sets = 4\nl1i_sets = 2\nl1d_sets = 2\n"
    "l2_sets = 4\nl3_sets = 4\nl3_ways = 2\npht_entries = 32\nwp_exception = 1\n";

/* A small machine of two CPUs with a loop, run-time instrumentation set up on both, and devices; `modelled`: with the
   pipeline model, too. */
static size_t seed(const char *name, uint8_t *data, size_t size, bool modelled)
{
    static const uint8_t loop[] = {0xa7, 0x1b, 0, 1, 0xa7, 0xf4, 0xff, 0xfe};
    struct machine_config config = machine_default_config();
    char error[512];
    config.storage = UINT64_C(1) << 20;
    config.cpus = 2;
    config.pipelined = modelled;
    if (ec_profile_read("shape", shape, strlen(shape), &config.pipeline, error, sizeof error))
        exit(99);
    struct machine *m = machine_create(&config, NULL, error, sizeof error);
    if (!m)
        exit(99);
    static const char *const devices[] = {"000C,3505,ascii,=A CARD", "0009,3215", "1:0120,9336,=8K"};
    for (unsigned i = 0; i < 3; i++)
        if (css_attach_text(m, devices[i], true, error, sizeof error))
            exit(99);
    memcpy(m->sys.storage.bytes + 0x10000, loop, sizeof loop);
    for (unsigned i = 0; i < 2; i++) {
        struct cpu *cpu = m->sys.cpus[i];
        uint8_t block[RI_BLOCK_SIZE] = {0};
        (void)ri_lric(cpu->ri, block);
        cpu->ri->controls.v = cpu->ri->controls.qs = 1;
        if (cpu_load_psw(cpu, PSW_EA | PSW_BA, 0x10000))
            exit(99);
        cpu_set_state(cpu, CPU_STATE_OPERATING);
    }
    machine_run(m, 1000);
    if (modelled && cpu_model_interval(m->sys.cpus[0], 50))
        exit(99);
    machine_run(m, 300);
    if (snapshot_save(m, name, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        exit(99);
    }
    machine_destroy(m);
    gzFile f = gzopen(name, "rb");
    int n = f ? gzread(f, data, (unsigned)size) : -1;
    if (n <= 0 || n == (int)size)
        exit(99);
    gzclose(f);
    return (size_t)n;
}

static size_t mutate(uint64_t *state, uint8_t *data, size_t n)
{
    static const uint64_t edges[] = {0, 1, 0x7f, 0xff, 0xffff, 0x80000000, UINT64_MAX, UINT64_C(1) << 63, 4096, 17};
    for (uint64_t k = 1 + pick(state, 4); k--;) {
        size_t at = pick(state, 2) ? pick(state, n) : pick(state, 1200);
        uint8_t wide[8];
        switch (pick(state, 8)) {
        case 0: /* cut off */
            n = at + 9;
            break;
        case 1: /* a number at an edge */
            put64(wide, edges[pick(state, sizeof edges / sizeof *edges)]);
            if (at + 8 <= n)
                memcpy(data + at, wide, 8);
            break;
        case 2: /* a piece twice */
            if (at + 32 <= n)
                memmove(data + at, data + pick(state, n - 32), 32);
            break;
        default:
            data[at < n ? at : n - 1] = (uint8_t)pick(state, 256);
        }
    }
    return n;
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1500;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 88172645463325252, made = 0;
    static uint8_t goods[2][1 << 18], data[1 << 18];
    char name[64], error[512];
    snprintf(name, sizeof name, "fuzz-snapshot-%ld", (long)getpid());
    const size_t lengths[2] = {seed(name, goods[0], sizeof goods[0], false),
                               seed(name, goods[1], sizeof goods[1], true)};
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *good = goods[i % 3 == 0];
        const size_t length = lengths[i % 3 == 0];
        memcpy(data, good, length);
        size_t n = mutate(&state, data, length);
        if (n > length)
            n = length;
        if (n > 4 && pick(&state, 20))
            put32(data + n - 4, (uint32_t)crc32(0, data, (unsigned)(n - 4)));
        FILE *f = fopen(name, "wb");
        if (!f || fwrite(data, 1, n, f) != n || fclose(f))
            exit(99);
        error[0] = 0;
        struct machine *m = snapshot_load(name, NULL, NULL, i & 1, error, sizeof error);
        if (!m && !error[0]) {
            fprintf(stderr, "fuzz_snapshot: input %" PRIu64 " was refused without a sentence\n", i);
            return 1;
        }
        if (m) {
            machine_run(m, 300);
            made++;
        }
        machine_destroy(m);
    }
    unlink(name);
    printf("fuzz_snapshot: %" PRIu64 " snapshots, %" PRIu64 " taken: no harm\n", count, made);
    return 0;
}

#else
int main(void) { return 77; }
#endif
