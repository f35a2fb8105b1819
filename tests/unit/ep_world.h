/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs for tests of edge profiles. They are "executed" by throwing dice at each conditional branch, so that all
   branches that completed are known; each sample that a unit takes must end as they do. */
#ifndef ZRI_TESTS_UNIT_EP_WORLD_H
#define ZRI_TESTS_UNIT_EP_WORLD_H

#include "base/bits.h"
#include "ri/profile/collect.h"
#include "ri/profile/unit.h"
#include "ri/profile/walk.h"
#include "tests/random.h"
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
// clang-format on
#include <stdlib.h>

#define BASE  0x10000u
#define SPACE 3u

static inline struct ep_place at(uint64_t address) { return (struct ep_place){address, SPACE, EP_64}; }

#define CODE_SIZE 2048u

struct done { /* a branch that completed */
    uint64_t from, to;
    bool taken, executed;
};
struct world {
    uint8_t code[CODE_SIZE];
    unsigned size; /* bytes of code */
    uint16_t start[CODE_SIZE / 2];
    unsigned starts;
    uint64_t epoch, changed; /* one page */
    struct ep_unit unit;
    struct ep_walker *walker;
    struct ep_walker *other; /* NULL, or one that has to find the same */
    struct ep_rules rules;
    struct done *done;
    size_t count, room;
    uint64_t random, ia;
    bool problem;
    uint64_t samples, dropped[EP_DROPS];
    bool uncached;                  /* no instruction is kept */
    bool biased;                    /* traces need not end as what completed */
    struct ep_collector *collector; /* NULL: nobody collects */
    const struct ep_code *code_of;
    struct ep_collector *quick;     /* NULL, or another one, that keeps stretches ... */
    struct ep_walker *quick_walker; /* ... with this */
};

static inline bool fetch(void *context, struct ep_place place, uint8_t bytes[6], uint64_t *changed)
{
    const struct world *w = context;
    const uint64_t offset = place.address - BASE;
    if (offset >= w->size)
        return false;
    memcpy(bytes, w->code + offset, w->size - offset < 6 ? w->size - offset : 6);
    *changed = w->changed;
    return true;
}
static inline bool page(void *context, struct ep_place place, uint64_t *changed)
{
    const struct world *w = context;
    (void)place;
    *changed = w->changed;
    return !w->uncached;
}
static inline unsigned targets(void *context, struct ep_place place, uint16_t cpu, const struct ep_target **target)
{
    (void)cpu;
    return ep_executes_targets(&((struct world *)context)->unit.executes, place, target);
}

static inline void sample(void *context, const struct ep_sample *s);
static inline void complete(void *context, uint16_t cpu, const struct ep_branch *b);

static inline void world_begin(struct world *w, unsigned tbt, struct ep_rules rules, uint64_t base,
                               struct ep_filter filter)
{
    const struct ep_code code = {w, fetch, targets, page};
    const struct ep_parameters p = {.base = base, .seed = 1, .tbt = tbt, .event = rules.event, .filter = filter};
    w->rules = rules;
    w->ia = BASE;
    assert_int_equal(ep_unit_create(&w->unit, &p, 0), 0);
    w->unit.epoch = &w->epoch;
    w->unit.code = code;
    w->unit.sample = sample;
    w->unit.branch = complete;
    w->unit.context = w;
    ep_unit_on(&w->unit, at(BASE));
    w->walker = ep_walker_create(&rules, &code, EP_RING_MOST(tbt));
    assert_non_null(w->walker);
}
static inline void world_end(struct world *w)
{
    ep_unit_destroy(&w->unit);
    ep_walker_destroy(w->walker);
    ep_walker_destroy(w->other);
    ep_walker_destroy(w->quick_walker);
    free(w->done);
    free(w);
}

/* The other walker, for which nothing is kept, makes the same of a sample. */
static inline void same_walk(struct world *w, const struct ep_sample *s, enum ep_drop drop, const struct ep_path *path)
{
    struct ep_path again;
    assert_int_equal(ep_walk(w->other, s, &again), drop);
    assert_int_equal(again.count, path->count);
    assert_int_equal(again.branches, path->branches);
    assert_int_equal(again.assumed, path->assumed);
    if (!drop)
        assert_int_equal(again.run_size, path->run_size);
    for (unsigned i = 0; i < again.count; i++) {
        const struct ep_step *a = &path->step[i], *b = &again.step[i];
        assert_true(ep_same_place(a->from, b->from) && ep_same_place(a->to, b->to) && a->last == b->last);
        assert_true(a->gap == b->gap && a->before == b->before && a->taken == b->taken && a->executed == b->executed);
        assert_memory_equal(a->bytes, b->bytes, sizeof a->bytes);
    }
}

/* The sample that is due now. Its path is the end of what completed. */
static inline void sample(void *context, const struct ep_sample *s)
{
    struct world *w = context;
    struct ep_path path;
    const enum ep_drop drop = ep_walk(w->walker, s, &path);
    w->samples++;
    w->dropped[drop]++;
    if (w->other)
        same_walk(w, s, drop, &path);
    if (w->collector)
        assert_int_equal(ep_collect(w->collector, s, w->code_of, drop, &path), 0);
    if (w->quick)
        assert_int_equal(ep_collect_sample(w->quick, w->quick_walker, s, w->code_of), 0);
    if (drop || w->biased)
        return;
    size_t n = w->count - (w->rules.event == EP_EVENT_INSN && s->trigger.branch);
    assert_int_equal(path.branches, n < w->rules.cbt ? n : w->rules.cbt);
    for (unsigned i = path.count; i--;) {
        const struct ep_step *step = &path.step[i];
        if (step->gap) { /* the part of a run before it begins where the step before went, and is not empty */
            assert_true(i > 0);
            const uint64_t begin = path.step[i - 1].to.address;
            assert_int_equal(step->before, begin != step->from.address);
            if (step->before && (step->last < begin || step->last >= step->from.address))
                fail_msg("sample %llu: a run from %llx to %llx before a gap", (unsigned long long)w->samples,
                         (unsigned long long)begin, (unsigned long long)step->last);
            continue;
        }
        const struct done *d = &w->done[--n];
        if (step->from.address != d->from || step->to.address != d->to || step->taken != d->taken ||
            step->executed != d->executed)
            fail_msg("sample %llu: %llx->%llx %c%s, completed was %llx->%llx %c", (unsigned long long)w->samples,
                     (unsigned long long)step->from.address, (unsigned long long)step->to.address,
                     step->taken ? 'T' : 'N', step->executed ? " executed" : "", (unsigned long long)d->from,
                     (unsigned long long)d->to, d->taken ? 'T' : 'N');
    }
}

/* The unit says that a branch of the target program completed: it is the one that did. */
static inline void complete(void *context, uint16_t cpu, const struct ep_branch *b)
{
    struct world *w = context;
    (void)cpu;
    if (w->count == w->room) {
        w->room = w->room ? 2 * w->room : 1024;
        w->done = realloc(w->done, w->room * sizeof *w->done);
        assert_non_null(w->done);
    }
    w->done[w->count++] = (struct done){b->from.address, b->to.address, b->taken, b->executed};
}

/* One instruction completes at w->ia: `insn` is what counts (of an execute-type one the target). */
static inline void instruction(struct world *w, const struct dis_insn *insn, unsigned length, bool executed, bool taken,
                               uint64_t to)
{
    const struct ep_branch b = {.from = at(w->ia),
                                .to = at(taken ? to : w->ia + length),
                                .insn = insn,
                                .taken = taken,
                                .executed = executed,
                                .problem = w->problem};
    const struct ep_filter *f = &w->unit.parameters.filter;
    bool target = w->problem ? f->problem : f->supervisor;
    const size_t before = w->count;
    if (f->range)
        target &= (b.from.address >= f->range[0].first && b.from.address <= f->range[0].last) ||
                  (b.from.address >= f->range[1].first && b.from.address <= f->range[1].last);
    w->ia = b.to.address;
    const bool branch = ep_edge_branches(dis_edge_class(insn));
    if (branch)
        ep_unit_branch(&w->unit, &b);
    else
        ep_unit_instruction(&w->unit, &b);
    assert_int_equal(w->count, before + (branch && target));
}

/* Execution goes on elsewhere, by no branch. */
static inline void gap(struct world *w, uint64_t to)
{
    ep_unit_moved(&w->unit, at(w->ia), at(to), w->problem, EP_PSW);
    w->ia = to;
}

static const struct ep_filter all = {.problem = true, .supervisor = true};

static inline unsigned below(struct world *w, unsigned n) { return (unsigned)(random_step(&w->random) >> 33) % n; }
static inline uint64_t anywhere(struct world *w) { return BASE + w->start[below(w, w->starts)]; }

static inline void append(struct world *w, const void *bytes, unsigned length)
{
    w->start[w->starts++] = (uint16_t)w->size;
    memcpy(w->code + w->size, bytes, length);
    w->size += length;
}

/* Kinds of instructions, each with those before it. */
enum { RELATIVE_ALONE = 8, BRANCHES_ALONE = 12, SUPERVISOR_CALLS, EXECUTES };

/* Instructions of every class; relative targets are set when all places are known. The last one branches back. */
static inline void make_program(struct world *w, unsigned kinds)
{
    const unsigned count = 20 + below(w, 150);
    while (w->starts < count) {
        uint8_t m = (uint8_t)(1 + below(w, 14));
        const uint8_t brc[] = {0xa7, (uint8_t)(m << 4 | 4), 0, 0}, bcr[] = {0x07, (uint8_t)(m << 4 | 7)};
        switch (below(w, kinds)) {
        case 0:
        case 1:
        case 2:
            append(w, "\x18\x12", 2);
            break;
        case 3:
            append(w, "\xb9\x04\x00\x12", 4);
            break;
        case 4:
            append(w, "\xe3\x10\x20\x00\x00\x04", 6);
            break;
        case 5:
            append(w, "\x07\x00", 2);
            break;
        case 6:
        case 7:
        case 8:
            append(w, brc, 4);
            break;
        case 9:
            append(w, bcr, 2);
            break;
        case 10:
            append(w, below(w, 2) ? "\xa7\xf4\x00\x00" : "\xa7\x15\x00\x00", 4);
            break;
        case 11:
            append(w, below(w, 2) ? "\x07\xfe" : "\x0d\xe1", 2);
            break;
        case 12:
            append(w, "\x0a\x01", 2);
            break;
        default:
            append(w, "\x44\x00\x10\x00", 4);
            break;
        }
    }
    append(w, "\xa7\xf4\x00\x00", 4);
    for (unsigned i = 0; i < w->starts; i++)
        if (w->code[w->start[i]] == 0xa7)
            put16(w->code + w->start[i] + 2, (uint16_t)((int)(anywhere(w) - BASE - w->start[i]) / 2));
}

/* The target of an execute-type instruction: always the same for some sites, of two classes for others. */
static inline void target_of(struct world *w, struct dis_insn *target)
{
    static const char *const choice[4][2] = {
        {"\x07\x17", "\x07\x17"}, {"\x18\x12", "\x07\x00"}, {"\x07\x17", "\x18\x12"}, {"\x0d\xe1", "\x07\x07"}};
    uint8_t bytes[6] = {0};
    memcpy(bytes, choice[w->ia / 4 % 4][below(w, 3) == 0], 2);
    dis_decode(bytes, target);
}

static inline void random_step_of(struct world *w, bool gaps)
{
    struct dis_insn insn, target;
    uint8_t bytes[6] = {0};
    uint64_t changed;
    assert_true(fetch(w, at(w->ia), bytes, &changed));
    dis_decode(bytes, &insn);
    target = insn;
    const bool executed = dis_edge_class(&insn) == DIS_EDGE_EXEC;
    if (executed)
        target_of(w, &target);
    const enum dis_edge class = dis_edge_class(&target);
    const bool taken = class == DIS_EDGE_COND ? below(w, 2) : ep_edge_branches(class);
    uint64_t to = anywhere(w);
    if (!executed && taken && dis_branch_relative(&insn))
        to = w->ia + (uint64_t)insn.i2;
    instruction(w, &target, insn.length, executed, taken, to);
    if (gaps && below(w, 40) == 0)
        gap(w, below(w, 2) ? w->ia : anywhere(w));
}

static inline struct world *random_world(uint64_t seed, unsigned tbt, struct ep_rules rules, bool execute,
                                         struct ep_filter filter)
{
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->random = seed * 2 + 1;
    make_program(w, execute ? EXECUTES : SUPERVISOR_CALLS);
    world_begin(w, tbt, rules, 1, filter);
    return w;
}

#endif
