/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs one benchmark kernel without the machine around it: driver [-e block|reference|translate] [-r INTERVAL] [-b
   SLICE] [-c] [-s INTERVAL] [-l] [-o] [-f] [-p PROFILE] IMAGE. Prints the instructions carried out, seconds of CPU time
   and guest MIPS. -l compares block and reference engine instead; -f counts what translated code left to handlers, by
   instruction, which takes its time; -o turns RI (-r) off again after a million instructions, before the time is taken;
   -p turns the pipeline model on. */
#include "cpu/control/model.h"
#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/lockstep/lockstep.h"
#include "cpu/storage/main.h"
#include "cpu/translate/translate.h"
#include "ri/counters/sampling.h"
#include "ri/ri.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define STORAGE (UINT64_C(128) << 20)
#define ENTRY   0x10000
#define BUFFER  0x3000000 /* RI program buffer */
#define TABLE   0x7000000 /* sample-data-block table: one block, again and again */

static const struct cpu_callouts no_callouts;

struct options {
    const char *image;
    int engine;
    uint64_t interval, slice, limit;
    uint64_t sampling; /* interval of the sampling facility, 0: not active */
    bool counters;     /* the basic and the problem-state set are active */
    bool lockstep;
    bool once; /* run-time instrumentation is turned off again before the time is measured */
    struct translate_counts *counts;
    const char *pipeline; /* profile of the pipeline model, NULL: off */
};

static struct cpu *make(struct cpu_system *sys, const struct options *o)
{
    memset(sys, 0, sizeof *sys);
    if (storage_create(&sys->storage, STORAGE)) {
        fprintf(stderr, "driver: no host memory\n");
        exit(2);
    }
    sys->callouts = &no_callouts;
    for (unsigned i = 0; i < 4; i++)
        sys->profile.facilities[i] = ~UINT64_C(0);
    sys->cpu_count = 1;
    struct cpu *cpu = sys->cpus[0] = cpu_create(sys, 0);
    FILE *f = fopen(o->image, "rb");
    if (!cpu || !f || fread(sys->storage.bytes + ENTRY, 1, STORAGE / 2, f) == 0) {
        fprintf(stderr, "driver: cannot read %s\n", o->image);
        exit(2);
    }
    fclose(f);
    put64(sys->storage.bytes + 0x1d0, PSW_WAIT | PSW_EA | PSW_BA); /* no kernel has program interruptions */
    put64(sys->storage.bytes + 0x1d8, 0xbad);
    uint64_t mask = PSW_EA | PSW_BA;
    if (o->interval) {
        uint8_t block[RI_BLOCK_SIZE] = {0};
        put64(block, BUFFER);
        put64(block + 8, BUFFER);
        put64(block + 16, BUFFER + 0x3ffffff);
        block[24] = 0x80;               /* V */
        block[25] = 0xf0;               /* Ps Qs Pc Qc */
        block[27] = 2;                  /* groups of 8 records */
        block[28] = 0x18;               /* mode 1; RINEXT counts */
        block[29] = 0xe8;               /* C R B E */
        put64(block + 40, o->interval); /* SF */
        put64(block + 48, o->interval); /* RSIC */
        (void)ri_lric(cpu->ri, block);
        /* A program buffer is used again and again: the host's pages are there, and it is not the group that pays. */
        memset(sys->storage.bytes + BUFFER, 0, 0x4000000);
        mask |= PSW_RI;
    }
    if (o->counters)
        counters_control(cpu->counters, 0x60006);
    if (o->sampling) {
        uint8_t block[COUNTERS_BLOCK] = {0};
        put64(sys->storage.bytes + TABLE, TABLE + 0x1000);
        put64(sys->storage.bytes + TABLE + 8, TABLE + 1);
        put64(block, SAMPLING_ES | SAMPLING_CS);
        put64(block + 8, o->sampling);
        put64(block + 16, TABLE);
        put64(block + 24, TABLE + 0x1000);
        sampling_control(cpu->counters, block);
    }
    if (cpu_load_psw(cpu, mask, ENTRY)) {
        fprintf(stderr, "driver: PSW refused\n");
        exit(2);
    }
    cpu->state = CPU_STATE_OPERATING;
    cpu->engine_kind = (uint8_t)o->engine;
    char why[256];
    const struct translate_force force = {.counts = o->counts, .all = o->counts};
    if (o->engine == ENGINE_TRANSLATE && translator_attach(cpu, &force, why, sizeof why)) {
        fprintf(stderr, "driver: %s\n", why);
        exit(2);
    }
    struct ec_profile profile;
    if (o->pipeline && (ec_profile_built_in(o->pipeline, &profile) || cpu_model_set(cpu, &profile))) {
        fprintf(stderr, "driver: no pipeline model %s; there are teach and zlarge\n", o->pipeline);
        exit(2);
    }
    return cpu;
}

/* Run-time instrumentation has been active, and is no longer. */
static void turn_off(struct cpu *cpu)
{
    uint64_t done;
    if (engine_run(cpu, 1000000, &done) != ENGINE_BUDGET ||
        cpu_load_psw(cpu, cpu_psw_mask(cpu) & ~PSW_RI, cpu->psw.ia)) {
        fprintf(stderr, "driver: the image is too short\n");
        exit(2);
    }
}

/* CPU time, seconds */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The rows most often left, and how often of a thousand instructions. */
static void print_counts(const struct translate_counts *counts, uint64_t total)
{
    bool said[DIS_ROW_COUNT] = {false};
    for (unsigned n = 0; n < 16; n++) {
        unsigned most = DIS_ROW_COUNT;
        for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
            if (!said[row] && (most == DIS_ROW_COUNT ||
                               counts->calls[row] + counts->exits[row] > counts->calls[most] + counts->exits[most]))
                most = row;
        said[most] = true;
        const double calls = 1000.0 * (double)counts->calls[most] / (double)total,
                     exits = 1000.0 * (double)counts->exits[most] / (double)total;
        if (calls + exits >= 0.05)
            printf("  %-8s %6.1f without template, %6.1f exits of 1,000\n", dis_rows[most].mnemonic, calls, exits);
    }
}

int main(int argc, char **argv)
{
    static struct translate_counts counts;
    struct options o = {.engine = ENGINE_BLOCK, .slice = 100000000, .limit = UINT64_C(20000000000)};
    for (int c; (c = getopt(argc, argv, "e:r:b:n:s:cflop:")) != -1;)
        switch (c) {
        case 'e':
            o.engine = *optarg == 'r' ? ENGINE_REFERENCE : *optarg == 't' ? ENGINE_TRANSLATE : ENGINE_BLOCK;
            break;
        case 'r':
            o.interval = strtoull(optarg, NULL, 0);
            break;
        case 'b':
            o.slice = strtoull(optarg, NULL, 0);
            break;
        case 'n':
            o.limit = strtoull(optarg, NULL, 0);
            break;
        case 's':
            o.sampling = strtoull(optarg, NULL, 0);
            break;
        case 'c':
            o.counters = true;
            break;
        case 'p':
            o.pipeline = optarg;
            break;
        case 'f':
            o.engine = ENGINE_TRANSLATE;
            o.counts = &counts;
            break;
        case 'l':
            o.lockstep = true;
            break;
        case 'o':
            o.once = true;
            break;
        default:
            return 2;
        }
    if (optind + 1 != argc) {
        fprintf(stderr,
                "usage: driver [-e block|reference|translate] [-r INTERVAL] [-b SLICE] [-n LIMIT] [-c] [-s INTERVAL] "
                "[-l] [-o] [-f] [-p PROFILE] IMAGE\n");
        return 2;
    }
    o.image = argv[optind];
    struct cpu_system sys;
    struct cpu *cpu = make(&sys, &o);
    if (o.lockstep) {
        struct cpu_system other;
        char why[512];
        o.engine = ENGINE_REFERENCE;
        struct cpu *reference = make(&other, &o);
        bool same = lockstep_run(cpu, reference, o.limit, why, sizeof why);
        printf("%s: %s (%llu instructions)\n", o.image, same ? "same" : why, (unsigned long long)cpu_instructions(cpu));
        return !same;
    }
    if (o.once)
        turn_off(cpu);
    uint64_t total = 0, done;
    enum engine_end end;
    double start = seconds();
    do {
        end = engine_run(cpu, o.slice, &done);
        engine_advance(&sys, cpu_cycles(cpu) - cpu->slice_start);
        total += done;
    } while (end == ENGINE_BUDGET && total < o.limit);
    double time = seconds() - start;
    printf("%s: %llu instructions, %.3f s, %.1f MIPS, end %d, PSW %016llx %016llx, RI groups %llu\n", o.image,
           (unsigned long long)total, time, (double)total / time * 1e-6, end, (unsigned long long)cpu_psw_mask(cpu),
           (unsigned long long)cpu->psw.ia, (unsigned long long)cpu->ri->groups);
    if (cpu_model(cpu)) {
        struct ec_totals t;
        ec_model_totals(cpu_model(cpu), &t);
        printf("  %.2f cycles, %.3f instructions of wrong paths for each; %.2f mispredictions in 1,000\n",
               (double)t.cycles / (double)total, (double)ec_model_wrong(cpu_model(cpu)) / (double)total,
               1000.0 * (double)ec_model_mispredictions(cpu_model(cpu)) / (double)total);
    }
    bool good = end == ENGINE_WAIT && cpu->psw.ia == 0xfff;
    const struct translate_stats *t = translator_stats(cpu);
    if (t)
        printf("translated: %llu blocks, %llu instructions in %llu bytes, %llu by templates; %llu blocks left to "
               "handlers\n",
               (unsigned long long)t->blocks, (unsigned long long)t->instructions, (unsigned long long)t->bytes,
               (unsigned long long)t->host, (unsigned long long)t->unworthy);
    if (o.counts)
        print_counts(o.counts, total);
    cpu_destroy(cpu);
    storage_destroy(&sys.storage);
    return !good && total < o.limit;
}
