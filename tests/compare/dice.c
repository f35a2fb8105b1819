/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sample log, and the profile that is collected on the way, of an ELF file's code that is "executed" by throwing
   dice: conditional branches go either way, calls remember where they came from, other register branches go back there
   or to where a function was called before. dice ELF DIGEST LOG PROFILE [COUNT [SEED [BIAS [ENTRY...]]]]; DIGEST is the
   file's SHA-256 in hexadecimal, or -; behind BIAS addresses of functions to begin with may stand, all in hexadecimal.
 */
#include "ri/profile/build.h"
#include "ri/profile/decoded.h"
#include "tests/random.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH   64u
#define ENTRIES 256u

struct dice {
    uint8_t *file;
    size_t size;
    uint64_t segment[8][3], bias; /* address, offset, size: of code */
    unsigned segments;
    uint64_t random, ia, stack[DEPTH], entry[ENTRIES], epoch;
    unsigned depth, entries, given; /* the first `given` entries are those to begin with */
    struct ep_unit unit;
    struct ep_walker *walker;
    struct ep_collector collector;
    struct ep_code code;
    struct ep_log_writer writer;
};

static void check(int bad, const char *what)
{
    if (!bad)
        return;
    fprintf(stderr, "dice: %s: %s\n", what, strerror(bad < 0 ? -bad : bad));
    exit(1);
}
static unsigned below(struct dice *d, unsigned n) { return (unsigned)(random_step(&d->random) >> 33) % n; }
static struct ep_place at(uint64_t address) { return (struct ep_place){address, 0, EP_64}; }

static bool fetch(void *context, struct ep_place place, uint8_t bytes[6], uint64_t *changed)
{
    const struct dice *d = context;
    *changed = 0;
    for (unsigned i = 0; i < d->segments; i++) {
        const uint64_t offset = place.address - d->bias - d->segment[i][0];
        if (offset >= d->segment[i][2])
            continue;
        const uint64_t left = d->segment[i][2] - offset;
        memcpy(bytes, d->file + d->segment[i][1] + offset, left < 6 ? left : 6);
        return left >= dis_length(bytes[0]);
    }
    return false;
}

static void sampled(void *context, const struct ep_sample *s)
{
    struct dice *d = context;
    struct ep_path path;
    check(ep_log_sample(&d->writer, s), "log");
    const enum ep_drop drop = ep_walk(d->walker, s, &path);
    check(ep_collect(&d->collector, s, &d->code, drop, &path), "collecting");
}

static void read_elf(struct dice *d, const char *name)
{
    FILE *in = fopen(name, "rb");
    check(!in, name);
    fseek(in, 0, SEEK_END);
    d->size = (size_t)ftell(in);
    rewind(in);
    d->file = malloc(d->size);
    check(!d->file || fread(d->file, 1, d->size, in) != d->size, name);
    fclose(in);
    const uint64_t headers = get64(d->file + 32);
    for (unsigned i = 0; i < get16(d->file + 56); i++) {
        const uint8_t *h = d->file + headers + i * 56;
        if (get32(h) != 1 || !(get32(h + 4) & 1))
            continue;
        uint64_t *s = d->segment[d->segments++];
        s[0] = get64(h + 16);
        s[1] = get64(h + 8);
        s[2] = get64(h + 32);
    }
    d->ia = get64(d->file + 24) + d->bias;
}

/* Where a branch goes whose target is in a register. */
static uint64_t register_target(struct dice *d, bool call)
{
    if (!call && d->depth)
        return d->stack[--d->depth];
    return d->entry[below(d, d->entries)];
}

/* One instruction; false: there is no code any more. */
static bool step(struct dice *d)
{
    uint8_t bytes[6] = {0};
    uint64_t changed;
    struct dis_insn insn;
    if (!fetch(d, at(d->ia), bytes, &changed) || dis_decode(bytes, &insn) == DIS_NO_ROW)
        return false;
    const enum dis_edge class = dis_edge_class(&insn);
    const bool call = class == DIS_EDGE_CALL,
               taken = class == DIS_EDGE_COND ? below(d, 3) == 0 : ep_edge_branches(class);
    const uint64_t next = d->ia + insn.length;
    uint64_t to = next;
    if (taken)
        to = dis_branch_relative(&insn) ? ep_relative_target(&insn, at(d->ia)) : register_target(d, call);
    if (call && !fetch(d, at(to), bytes, &changed))
        return false;
    if (call && d->entries < ENTRIES)
        d->entry[d->entries++] = to;
    if (call)
        d->stack[d->depth < DEPTH ? d->depth++ : DEPTH - 1] = next;
    const struct ep_branch b = {.from = at(d->ia), .to = at(to), .insn = &insn, .taken = taken, .problem = true};
    if (ep_edge_branches(class))
        ep_unit_branch(&d->unit, &b);
    d->ia = to;
    return true;
}

/* Begins again where a function was called. */
static void again(struct dice *d)
{
    const uint64_t to = d->entry[below(d, below(d, 2) ? d->given : d->entries)];
    d->depth = 0;
    ep_unit_moved(&d->unit, at(d->ia), at(to), true, EP_PSW);
    d->ia = to;
}

static int put(void *context, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, context) == size ? 0 : -5;
}

/* What a log and a profile say about the program. */
static void tell_modules(struct dice *d, struct ep_profile *profile, const char *name, const char *digest)
{
    const struct ep_space space = {.kind = EP_SPACE_PRIMARY, .token = 0x1000, .name = "guest"};
    check(ep_log_space(&d->writer, 0, &space), "log");
    check(ep_collector_space(&d->collector, &space), "profile");
    for (unsigned i = 0; i < d->segments; i++) {
        struct ep_log_module m = {.module = {.start = d->segment[i][0] + d->bias, .bias = d->bias}};
        const char *slash = strrchr(name, '/');
        m.module.end = m.module.start + d->segment[i][2];
        m.module.name = slash ? slash + 1 : name;
        m.module.has_digest = strlen(digest) == 64;
        for (unsigned k = 0; m.module.has_digest && k < 32; k++) {
            const char pair[3] = {digest[2 * k], digest[2 * k + 1], 0};
            m.module.digest[k] = (uint8_t)strtoul(pair, NULL, 16);
        }
        m.last_epoch = UINT64_MAX;
        check(ep_log_module(&d->writer, &m), "log");
        check(ep_profile_module(profile, &m.module, NULL), "profile");
    }
}

int main(int argc, char **argv)
{
    static struct dice d;
    if (argc < 5)
        return 64;
    const uint64_t count = argc > 5 ? strtoull(argv[5], NULL, 10) : 1000000;
    d.random = (argc > 6 ? strtoull(argv[6], NULL, 10) : 1) * 2 + 1;
    d.bias = argc > 7 ? strtoull(argv[7], NULL, 16) : 0;
    read_elf(&d, argv[1]);
    d.entry[d.entries++] = d.ia;
    for (int i = 8; i < argc && d.entries < ENTRIES; i++)
        d.entry[d.entries++] = strtoull(argv[i], NULL, 16) + d.bias;
    d.given = d.entries;
    const struct ep_rules rules = {.cbt = 16, .event = EP_EVENT_BRANCH, .walk_limit = EP_WALK_LIMIT, .append_nt = true};
    const struct ep_parameters p = {
        .base = 97, .delta = 6, .seed = 1, .tbt = 16, .filter = {.problem = true, .supervisor = true}};
    const struct ep_log_header header = {.parameters = p, .cbt = rules.cbt, .cpus = 1};
    struct ep_profile *profile = ep_profile_new();
    FILE *log = fopen(argv[3], "wb"), *text = fopen(argv[4], "wb");
    check(!log || !text || !profile, "files");
    const struct ep_sink to_log = {log, put}, to_text = {text, put};
    char error[400];
    d.code = (struct ep_code){&d, fetch, NULL};
    ep_collector_begin(&d.collector, profile, &rules);
    check(ep_log_begin(&d.writer, &to_log, &header), "log");
    check(ep_build_parameters(&d.writer, &rules, "any", "dice"), "log");
    tell_modules(&d, profile, argv[1], argv[2]);
    check(ep_unit_create(&d.unit, &p, 0), "unit");
    d.unit.epoch = &d.epoch;
    d.unit.code = d.code;
    d.unit.sample = sampled;
    d.unit.context = &d;
    d.walker = ep_walker_create(&rules, &d.code, EP_RING_MOST(p.tbt));
    check(!d.walker, "walker");
    ep_unit_on(&d.unit, at(d.ia));
    for (uint64_t i = 0; i < count; i++)
        if (!step(&d) || below(&d, 5000) == 0)
            again(&d);
    check(ep_log_end(&d.writer, &d.unit.pmc.total, 1), "log");
    check(ep_collector_tell(&d.collector, &p, &rules, d.unit.pmc.total, "dice"), "profile");
    if (ep_profile_write(profile, &to_text, error, sizeof error)) {
        fprintf(stderr, "dice: %s\n", error);
        return 1;
    }
    printf("%" PRIu64 " branches, %" PRIu64 " samples, %" PRIu64 " accepted\n", d.unit.pmc.total, d.collector.triggered,
           d.collector.accepted);
    check(fclose(log) | fclose(text), "files");
    ep_unit_destroy(&d.unit);
    ep_walker_destroy(d.walker);
    ep_collector_end(&d.collector);
    ep_profile_free(profile);
    free(d.file);
    return 0;
}
