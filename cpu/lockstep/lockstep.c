/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lockstep: two CPUs of two machines in the same state, on two engines, must stay in the same state. After a difference
   both are past it, so the run is done in spans that end where the state is compared; a span that differs is named with
   its first and last instruction. */
#include "cpu/lockstep/lockstep.h"
#include "ri/counters/counters.h"
#include "ri/ri.h"
#include <inttypes.h>
#include <stdio.h>

struct lockstep {
    const struct cpu *a, *b;
    char *why;
    size_t size;
    bool same;
};

static void differ(struct lockstep *l, const char *what, unsigned n, uint64_t a, uint64_t b)
{
    if (!l->same)
        return;
    l->same = false;
    snprintf(l->why, l->size, "%s %u: %s engine %016" PRIx64 ", %s engine %016" PRIx64, what, n,
             engine_names[l->a->engine_kind], a, engine_names[l->b->engine_kind], b);
}

static void compare(struct lockstep *l, const char *what, unsigned n, uint64_t a, uint64_t b)
{
    if (a != b)
        differ(l, what, n, a, b);
}

static void compare_registers(struct lockstep *l)
{
    const struct cpu *a = l->a, *b = l->b;
    compare(l, "PSW mask", 0, cpu_psw_mask(a), cpu_psw_mask(b));
    compare(l, "PSW address", 0, a->psw.ia, b->psw.ia);
    for (unsigned i = 0; i < 16; i++) {
        compare(l, "GR", i, a->gr[i], b->gr[i]);
        compare(l, "AR", i, a->ar[i], b->ar[i]);
        compare(l, "CR", i, a->cr[i], b->cr[i]);
    }
    for (unsigned i = 0; i < 32; i++) {
        compare(l, "VR left half", i, a->vr[i].hi, b->vr[i].hi);
        compare(l, "VR right half", i, a->vr[i].lo, b->vr[i].lo);
    }
    compare(l, "FPC", 0, a->fpc, b->fpc);
    compare(l, "prefix", 0, a->prefix, b->prefix);
    compare(l, "breaking-event address", 0, a->bear, b->bear);
    compare(l, "instructions", 0, cpu_instructions(a), cpu_instructions(b));
    compare(l, "units of work", 0, cpu_elapsed(a), cpu_elapsed(b));
    compare(l, "cycles", 0, cpu_cycles(a), cpu_cycles(b));
    compare(l, "state", 0, a->state, b->state);
    compare(l, "external conditions", 0, a->external, b->external);
    compare(l, "clock comparator", 0, a->clock_comparator, b->clock_comparator);
    compare(l, "TOD programmable register", 0, a->tod_programmable, b->tod_programmable);
    compare(l, "CPU timer when set", 0, (uint64_t)a->cpu_timer, (uint64_t)b->cpu_timer);
    compare(l, "program parameter", 0, a->program_parameter, b->program_parameter);
    compare(l, "guarded-storage designation", 0, a->gs_designation, b->gs_designation);
    compare(l, "guarded-storage section mask", 0, a->gs_sections, b->gs_sections);
    compare(l, "guarded-storage parameter list", 0, a->gs_list, b->gs_list);
    compare(l, "transaction-nesting depth", 0, a->tx_depth, b->tx_depth);
}

/* What interruptions have stored: the next ones soon store over it. */
static void compare_assigned(struct lockstep *l)
{
    const struct storage *a = &l->a->sys->storage, *b = &l->b->sys->storage;
    const uint64_t at = l->a->prefix;
    for (unsigned i = 0x80; i < 0x200 && at + i < a->size && at + i < b->size; i += 8)
        compare(l, "assigned storage locations from", i, get64(a->bytes + at + i), get64(b->bytes + at + i));
}

static void compare_ri(struct lockstep *l)
{
    const struct ri *a = l->a->ri, *b = l->b->ri;
    uint8_t block[2][RI_BLOCK_SIZE];
    ri_stric(a, block[0]);
    ri_stric(b, block[1]);
    for (unsigned i = 0; i < RI_BLOCK_SIZE / 8; i++)
        compare(l, "RI control doubleword", i, get64(block[0] + 8 * i), get64(block[1] + 8 * i));
    compare(l, "RI halted", 0, a->halted, b->halted);
    compare(l, "RI groups", 0, a->groups, b->groups);
    compare(l, "RI records collected", 0, ri_collected(a), ri_collected(b));
    for (unsigned i = 0; l->same && i < ri_collected(a); i++) {
        struct ri_record x = ri_collected_record(a, i), y = ri_collected_record(b, i);
        compare(l, "RI record, left half,", i, x.hi, y.hi);
        compare(l, "RI record, right half,", i, x.lo, y.lo);
    }
}

static void compare_counters(struct lockstep *l)
{
    const struct counters *a = l->a->counters, *b = l->b->counters;
    const struct sampling *x = &a->sampling, *y = &b->sampling;
    compare(l, "counter sets enabled", 0, a->enabled, b->enabled);
    compare(l, "counter sets active", 0, a->active, b->active);
    for (unsigned i = 0; i < COUNTERS_NUMBERS; i++)
        compare(l, "counter", i, a->value[i], b->value[i]);
    compare(l, "measurement alerts", 0, a->alerts, b->alerts);
    compare(l, "sampling controls", 0, x->controls, y->controls);
    compare(l, "cycles to the next sample", 0, x->left, y->left);
    compare(l, "TEAR", 0, x->tear, y->tear);
    compare(l, "DEAR", 0, x->dear, y->dear);
    compare(l, "samples", 0, a->samples, b->samples);
}

/* Storage, keys included. */
static void compare_storage(struct lockstep *l)
{
    const struct storage *a = &l->a->sys->storage, *b = &l->b->sys->storage;
    if (a->size != b->size) {
        differ(l, "storage size", 0, a->size, b->size);
        return;
    }
    if (memcmp(a->keys, b->keys, a->size / PAGE_SIZE_Z) != 0)
        for (uint64_t i = 0; i < a->size / PAGE_SIZE_Z; i++)
            compare(l, "storage key of frame", (unsigned)i, a->keys[i], b->keys[i]);
    if (memcmp(a->bytes, b->bytes, a->size) != 0)
        for (uint64_t i = 0; i < a->size; i += 8)
            compare(l, "storage doubleword at 8 times", (unsigned)(i / 8), get64(a->bytes + i), get64(b->bytes + i));
}

/* One of them. With threads it is alone where it must be, for an instruction. */
static enum engine_end run(struct cpu *cpu, uint64_t instructions, uint64_t *done)
{
    uint64_t more;
    enum engine_end end = engine_run(cpu, instructions, done);
    while (end == ENGINE_ALONE && *done < instructions) {
        cpu->sys->alone = true;
        end = engine_run(cpu, 1, &more);
        cpu->sys->alone = false;
        *done += more;
        if (end == ENGINE_BUDGET && *done < instructions) {
            end = engine_run(cpu, instructions - *done, &more);
            *done += more;
        }
    }
    return end == ENGINE_ALONE ? ENGINE_BUDGET : end;
}

/* Run both up to `instructions`; the ends must agree. */
static uint64_t run_both(struct lockstep *l, struct cpu *a, struct cpu *b, uint64_t instructions, enum engine_end *end)
{
    uint64_t done_a, done_b;
    const uint64_t start_a = cpu_cycles(a), start_b = cpu_cycles(b);
    enum engine_end end_b = run(b, instructions, &done_b);
    *end = run(a, instructions, &done_a);
    engine_advance(a->sys, cpu_cycles(a) - start_a);
    engine_advance(b->sys, cpu_cycles(b) - start_b);
    compare(l, "instructions of a span, end", (unsigned)*end, done_a, done_b);
    compare(l, "end of a span", 0, *end, end_b);
    return done_a;
}

bool lockstep_storage(struct cpu *a, struct cpu *b, char *why, size_t size)
{
    struct lockstep l = {.a = a, .b = b, .why = why, .size = size, .same = true};
    compare_storage(&l);
    return l.same;
}

bool lockstep_run(struct cpu *a, struct cpu *b, uint64_t instructions, char *why, size_t size)
{
    return lockstep_registers(a, b, instructions, why, size) && lockstep_storage(a, b, why, size);
}

bool lockstep_registers(struct cpu *a, struct cpu *b, uint64_t instructions, char *why, size_t size)
{
    struct lockstep l = {.a = a, .b = b, .why = why, .size = size, .same = true};
    const uint8_t kind_b = b->engine_kind;
    uint64_t done = 0, checked = 0, turn = 0;
    enum engine_end end = ENGINE_BUDGET;
    if (a->engine_kind == b->engine_kind)
        b->engine_kind = ENGINE_REFERENCE;
    if (size)
        *why = 0;
    while (l.same && done < instructions && end == ENGINE_BUDGET) {
        /* Spans of many lengths, so that blocks are entered and left at every place. */
        static const uint16_t spans[] = {1, 97, 3, 1009, 2, 31, 5003, 11};
        uint64_t span = spans[turn++ % (sizeof spans / sizeof *spans)], from = a->psw.ia;
        if (span > instructions - done)
            span = instructions - done;
        uint64_t n = run_both(&l, a, b, span, &end);
        compare_registers(&l);
        compare_assigned(&l);
        compare_ri(&l);
        compare_counters(&l);
        if (done + n - checked > 1000000) {
            compare_storage(&l);
            checked = done + n;
        }
        if (!l.same) {
            size_t used = strlen(why);
            snprintf(why + used, size - used, "; within %" PRIu64 " instructions from %" PRIx64 ", %" PRIu64 " before",
                     n, from, done);
        }
        done += n;
    }
    b->engine_kind = kind_b;
    return l.same;
}
