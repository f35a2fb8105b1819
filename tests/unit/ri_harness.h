/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Feeds events to ri/ with no CPU in sight: storage is an array, a "program" is a sequence of calls. */
#ifndef TESTS_RI_HARNESS_H
#define TESTS_RI_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ri/ri.h"
#include "ri/text.h"
#include <string.h>

/* Built without run-time instrumentation (for measuring what it costs): nothing to test. */
#define RI_OR_SKIP()                                                                                                   \
    do {                                                                                                               \
        if (!ZRI_RI)                                                                                                   \
            return 77;                                                                                                 \
    } while (0)

#define BASE 0x20000u
#define ROOM 0x10000u

struct world {
    struct ri *ri;
    uint8_t bytes[ROOM];
    uint64_t bad_page; /* address of a 4K-byte block that cannot be accessed; 0 none */
    int bad_code;
    struct ri_storage storage;
    struct ri_environment env;
    bool problem;
    uint64_t ia; /* of the next step() */
    unsigned stores;
};

static inline bool reachable(const struct world *w, uint64_t address, unsigned length)
{
    return address >= BASE && address - BASE <= ROOM - length &&
           (!w->bad_page || (address & ~UINT64_C(0xfff)) != w->bad_page);
}
static inline int world_test(void *context, uint64_t address, unsigned length, bool fetch_too)
{
    struct world *w = context;
    (void)fetch_too;
    return reachable(w, address, length) ? 0 : w->bad_code;
}
static inline int world_fetch(void *context, uint64_t address, void *to, unsigned length)
{
    struct world *w = context;
    if (!reachable(w, address, length))
        return w->bad_code;
    memcpy(to, w->bytes + (address - BASE), length);
    return 0;
}
static inline int world_store(void *context, uint64_t address, const void *from, unsigned length)
{
    struct world *w = context;
    if (!reachable(w, address, length))
        return w->bad_code;
    memcpy(w->bytes + (address - BASE), from, length);
    w->stores++;
    return 0;
}

/* The buffer is in the host's reach: the other way to it. */
static inline uint8_t *world_place(void *context, uint64_t address, bool fetch_too)
{
    struct world *w = context;
    (void)fetch_too;
    return reachable(w, address, 8) ? w->bytes + (address - BASE) : NULL;
}

static inline void world_init(struct world *w, const char *profile)
{
    memset(w, 0, sizeof *w);
    w->ri = ri_create(ri_profile_find(profile));
    assert_non_null(w->ri);
    w->bad_code = 0x11;
    w->storage = (struct ri_storage){w, world_test, world_fetch, world_store, NULL};
    w->env = (struct ri_environment){.storage = &w->storage, .tod = 0x1122334455667788};
    w->ia = 0x10000;
}
static inline void world_end(struct world *w) { ri_destroy(w->ri); }

/* A cmocka test around one world; once more with the program buffer within reach. */
#define WORLD(name, profile)                                                                                           \
    static void name##_body(struct world *w);                                                                          \
    static void name(void **state)                                                                                     \
    {                                                                                                                  \
        struct world w;                                                                                                \
        (void)state;                                                                                                   \
        for (unsigned reach = 0; reach < 2; reach++) {                                                                 \
            world_init(&w, profile);                                                                                   \
            w.storage.place = reach ? world_place : NULL;                                                              \
            name##_body(&w);                                                                                           \
            world_end(&w);                                                                                             \
        }                                                                                                              \
    }                                                                                                                  \
    static void name##_body(struct world *w)

/* The controls most tests begin with: everything collected and reported, mode 1, one 4K-byte block, interval `sf`. */
static inline struct ri_controls usual(uint64_t sf)
{
    return (struct ri_controls){.rca = BASE,
                                .roa = BASE,
                                .rla = BASE + 0xfff,
                                .v = 1,
                                .s = 1,
                                .k = 1,
                                .ps = 1,
                                .qs = 1,
                                .pc = 1,
                                .qc = 1,
                                .m = 1,
                                .n = 1,
                                .c = 1,
                                .r = 1,
                                .b = 1,
                                .e = 1,
                                .f = 1,
                                .sf = sf};
}
static inline void lric(struct world *w, struct ri_controls c)
{
    uint8_t block[RI_BLOCK_SIZE];
    ri_controls_encode(&c, block);
    assert_false(ri_block_invalid(block, false));
    ri_lric(w->ri, block);
}
static inline void mric(struct world *w, struct ri_controls c, bool problem)
{
    uint8_t block[RI_BLOCK_SIZE];
    ri_controls_encode(&c, block);
    assert_false(ri_block_invalid(block, true));
    ri_mric(w->ri, block, problem);
}
static inline struct ri_controls stric(struct world *w)
{
    uint8_t block[RI_BLOCK_SIZE];
    ri_stric(w->ri, block);
    return ri_controls_decode(block);
}

static inline int finish(struct world *w, enum ri_end end, unsigned cycles)
{
    unsigned sample = ri_complete(w->ri, end, cycles);
    return ri_report(w->ri, sample, &w->env);
}
/* One instruction of two bytes that does nothing special. Returns the code of the report. */
static inline int step(struct world *w)
{
    if (ri_active(w->ri)) {
        struct ri_insn insn = {w->ia, w->ia, 0x18010000, 2, RI_CLASS_NONE, false, false, false, w->problem};
        ri_begin(w->ri, &insn);
        w->ia += 2;
        return finish(w, RI_END_COMPLETE, 1);
    }
    w->ia += 2;
    return 0;
}
static inline void steps(struct world *w, unsigned n)
{
    while (n--)
        assert_int_equal(step(w), 0);
}
/* A branch of `class` at w->ia, of four bytes; the next instruction is at its target or behind it. */
static inline int branch(struct world *w, enum ri_class class, bool always, bool relative, bool taken, uint64_t target)
{
    uint64_t ia = w->ia;
    w->ia = taken ? target : ia + 4;
    if (!ri_active(w->ri))
        return 0;
    struct ri_insn insn = {ia, ia, 0xa7f40002, 4, (uint8_t) class, always, relative, false, w->problem};
    ri_begin(w->ri, &insn);
    ri_branch(w->ri, taken, target);
    return finish(w, RI_END_COMPLETE, 2);
}
static inline int call(struct world *w, uint64_t target) { return branch(w, RI_CLASS_CALL, true, true, true, target); }
/* An instruction of six bytes with a storage operand. */
static inline int access_step(struct world *w, uint64_t address, uint64_t length, bool store)
{
    struct ri_insn insn = {w->ia, w->ia, 0xd203a000, 6, RI_CLASS_NONE, false, false, false, w->problem};
    w->ia += 6;
    if (!ri_active(w->ri))
        return 0;
    ri_begin(w->ri, &insn);
    ri_access(w->ri, address, length, store);
    return finish(w, RI_END_COMPLETE, 3);
}
static inline int emit(struct world *w, uint64_t data)
{
    struct ri_insn insn = {w->ia, w->ia, 0xaa540000, 4, RI_CLASS_NONE, false, false, false, w->problem};
    uint64_t ia = w->ia;
    bool active = ri_active(w->ri);
    if (active)
        ri_begin(w->ri, &insn);
    ri_emit(w->ri, ia, data, w->problem);
    w->ia += 4;
    return active ? finish(w, RI_END_COMPLETE, 2) : 0;
}
static inline int next(struct world *w)
{
    struct ri_insn insn = {w->ia, w->ia, 0xaa000000, 4, RI_CLASS_NONE, false, false, false, w->problem};
    bool active = ri_active(w->ri);
    if (active)
        ri_begin(w->ri, &insn);
    w->ia += 4;
    ri_next(w->ri, w->ia);
    return active ? finish(w, RI_END_COMPLETE, 2) : 0;
}

/* The n-th record of the program buffer. */
static inline struct ri_record record(const struct world *w, unsigned n) { return ri_record_from(w->bytes + 16 * n); }
static inline unsigned type(const struct world *w, unsigned n) { return w->bytes[16 * n]; }
static inline uint64_t groups(const struct world *w) { return w->ri->groups; }
/* A value of one field of a record, by the specification's name. */
struct wanted {
    const char *name;
    uint64_t value;
    bool found;
};
static inline void wanted_fact(void *context, const char *name, uint64_t value, unsigned digits)
{
    struct wanted *want = context;
    (void)digits;
    if (strcmp(name, want->name) == 0) {
        want->value = value;
        want->found = true;
    }
}
static inline uint64_t field(const struct world *w, unsigned n, const char *name)
{
    struct wanted want = {name, 0, false};
    ri_record_facts(record(w, n), wanted_fact, &want);
    assert_true(want.found);
    return want.value;
}

/* Controls in which no field that MRIC changes is zero. */
static inline struct ri_controls all_of_mric(void)
{
    return (struct ri_controls){.rca = BASE + 0x40,
                                .roa = BASE,
                                .rla = BASE + 0xfff,
                                .rgs = 1,
                                .m = 2,
                                .n = 1,
                                .mae = 1,
                                .c = 1,
                                .r = 1,
                                .b = 1,
                                .e = 1,
                                .x = 1,
                                .j = 1,
                                .bpxn = 1,
                                .bpxt = 1,
                                .bpti = 1,
                                .bpni = 1,
                                .y = 1,
                                .z = 1,
                                .d = 1,
                                .f = 1,
                                .ic = 5,
                                .dc = 9,
                                .sf = 77,
                                .rsic = 55};
}

/* The program buffer of the worked example (specification M), with groups of this time of day. */
#define WORKED_EXAMPLE(tod)                                                                                            \
    {                                                                                                                  \
        {0x0200000300014000, tod}, {0, 0}, {0, 0}, {0, 0}, {0x1000000000010018, 0x00000000000005a5},                   \
            {0x120000000001001c, 0x8000000000010040}, {0x1300000000010044, 0x0000000000010022},                        \
            {0x0400000000010044, 0xe4ef020007fe0000}, {0x0300000000010000, tod},                                       \
            {0x1000000000010018, 0x00000000000005a5}, {0x120000000001001c, 0x8000000000010040},                        \
            {0x1300000000010044, 0x0000000000010022}, {0x1400000000010022, 0x0000000000010018},                        \
            {0x1000000000010018, 0x00000000000005a5}, {0x120000000001001c, 0x8000000000010040},                        \
            {0x0400000000010040, 0x04ef0400a74a0001}, {0x0300000000010000, tod},                                       \
            {0x1000000000010018, 0x00000000000005a5}, {0x120000000001001c, 0x8000000000010040},                        \
            {0x1300000000010044, 0x8000000000010022}, {0x1400000000010022, 0x8000000000010018},                        \
            {0x1000000000010018, 0x00000000000005a5}, {0x120000000001001c, 0x8000000000010040},                        \
        {                                                                                                              \
            0x040000000001001c, 0xf4ef0600c0e50000                                                                     \
        }                                                                                                              \
    }

#endif
