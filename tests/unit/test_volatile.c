/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An instruction that is changed again and again is decoded each time: block engine and translator against the
   reference engine. It becomes instructions of other lengths, branches, what is interrupted, what changes the mode,
   what stores into itself; for a while it stays what it is, and is like others then. */
#include "cpu/engine/block.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/control/psw.h"
#include "cpu/lockstep/lockstep.h"
#include "cpu/storage/main.h"
#include "random.h"
#include "tests/unit/bare_cpu.h"
#include "tests/unit/use_engine.h"
#include <cmocka.h>

#define CODE    0x10000u
#define PLACE   (CODE + 22)   /* of the instruction */
#define TARGET  (CODE + 0x80) /* of EXECUTE */
#define TABLE   0x20000u      /* what it becomes in turn: 16 times 8 bytes */
#define DATA    0x30000u
#define GOES_ON 0x8000u
#define STORE   (UINT64_C(1) << 20)
#define PASSES  9000u

/* Six bytes each. Registers 0 to 8; 11 has DATA, 13 CODE. */
static const uint8_t choices[][6] = {
    {0xa7, 0x29, 0x12, 0x34, 0x07, 0x00}, /* LGHI */
    {0xb9, 0x08, 0x00, 0x23, 0x07, 0x00}, /* AGR */
    {0xe3, 0x42, 0x30, 0x07, 0x00, 0x71}, /* LAY */
    {0xa7, 0xf4, 0x00, 0x03, 0x07, 0x00}, /* BRC over all six */
    {0xa7, 0x44, 0x00, 0x03, 0x1a, 0x23}, /* likewise on condition code 1; AR */
    {0x18, 0x23, 0x1a, 0x34, 0x15, 0x45}, /* LR, AR, CLR */
    {0x04, 0x20, 0x07, 0x00, 0x07, 0x00}, /* SPM */
    {0x00, 0x00, 0x07, 0x00, 0x07, 0x00}, /* operation exception */
    {0x0a, 0x07, 0x1a, 0x23, 0x07, 0x00}, /* SVC */
    {0xd2, 0x03, 0xb0, 0x10, 0xb0, 0x20}, /* MVC */
    {0x44, 0x00, 0xd0, 0x80, 0x07, 0x00}, /* EX of an addition */
    {0xac, 0xfc, 0xb0, 0x30, 0x07, 0x00}, /* STNSM */
    {0xad, 0x00, 0xb0, 0x31, 0x07, 0x00}, /* STOSM */
    {0x92, 0x07, 0xd0, 0x16, 0x07, 0x00}, /* MVI into itself: BCR 0 from then on */
    {0xe3, 0x50, 0xb0, 0x40, 0x00, 0x04}, /* LG */
    {0xe3, 0x20, 0xb0, 0x48, 0x00, 0x24}, /* STG */
};
#define CHOICES (sizeof choices / sizeof *choices)

static const uint8_t program[] = {
    0xa7, 0xf1, 0x08, 0x00,                         /* TMLL 15: for 2,048 passes nothing changes */
    0xa7, 0x14, 0x00, 0x09,                         /* BRC to the place */
    0xd2, 0x05, 0xd0, 0x16, 0xc0, 0x00,             /* MVC */
    0x41, 0xc0, 0xc0, 0x08, 0xa5, 0xc7, 0xff, 0x7f, /* LA and NILL: the next one */
    0x07, 0x00, 0x07, 0x00, 0x07, 0x00,             /* the place */
    0xa7, 0x9a, 0x00, 0x01, 0xa7, 0xf7, 0xff, 0xf0, /* AHI, BRCTG */
    0xa7, 0xf4, 0x00, 0x00,
};

static struct cpu *make_cpu(struct cpu_system *sys, uint64_t seed)
{
    struct random r = seeded(seed);
    struct cpu *cpu = bare_cpu(sys, STORE);
    uint8_t *bytes = sys->storage.bytes;
    const unsigned kinds = 1 + below(&r, CHOICES);
    memcpy(bytes + CODE, program, sizeof program);
    put16(bytes + TARGET, 0x1a23); /* AR */
    for (unsigned i = 0; i < 16; i++)
        memcpy(bytes + TABLE + 8 * i, choices[(i + below(&r, kinds)) % CHOICES], 6);
    for (unsigned at = 448; at <= 464; at += 16) { /* SVC and program interruptions go on behind the instruction */
        put64(bytes + at, PSW_EA | PSW_BA);
        put64(bytes + at + 8, at == 448 ? GOES_ON : GOES_ON + 4);
    }
    put32(bytes + GOES_ON, 0xb2b20140);
    put32(bytes + GOES_ON + 4, 0xb2b20150);
    for (unsigned i = 0; i < 9; i++)
        cpu->gr[i] = next(&r);
    cpu->gr[2] &= ~(UINT64_C(0xf) << 24); /* for SPM: no fixed-point overflow, which would interrupt most */
    cpu->gr[11] = DATA;
    cpu->gr[12] = TABLE;
    cpu->gr[13] = CODE;
    cpu->gr[15] = PASSES;
    assert_int_equal(cpu_load_psw(cpu, PSW_EA | PSW_BA, CODE), 0);
    cpu->state = CPU_STATE_OPERATING;
    return cpu;
}

static bool is_volatile(struct cpu *cpu) { return block_volatile(cache_of(cpu), PLACE); }

static void with(enum engine_kind engine)
{
    const uint64_t trials = trials_of("VOLATILE_TRIALS", 24);
    for (uint64_t seed = 1; seed <= trials; seed++) {
        struct cpu_system a, b;
        char why[400];
        struct cpu *ca = make_cpu(&a, seed), *cb = make_cpu(&b, seed);
        bool was = false, was_not = false;
        use_engine(ca, engine, 0);
        cb->engine_kind = ENGINE_REFERENCE;
        for (unsigned part = 0; part < 40 && ca->gr[15]; part++) {
            if (!lockstep_run(ca, cb, 3500, why, sizeof why))
                fail_msg("seed %llu, %llu passes left: %s", (unsigned long long)seed, (unsigned long long)ca->gr[15],
                         why);
            was |= is_volatile(ca);
            was_not |= was && !is_volatile(ca);
        }
        assert_int_equal(ca->gr[15], 0);
        assert_true(was);
        assert_true(was_not);
        cpu_destroy(ca);
        cpu_destroy(cb);
        storage_destroy(&a.storage);
        storage_destroy(&b.storage);
    }
}

static void on_blocks(void **state)
{
    (void)state;
    with(ENGINE_BLOCK);
}

static void on_translated_code(void **state)
{
    (void)state;
    with(ENGINE_TRANSLATE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_blocks), cmocka_unit_test(on_translated_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
