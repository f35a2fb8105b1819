/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The translator against the reference engine: what the first operand of a sum or difference was is had from the sum,
   as long as nobody has asked for the condition code. All conditions, with numbers near zero and near the largest, with
   the registers in host registers and in storage, changed in between or not. */
#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/lockstep/lockstep.h"
#include "cpu/storage/main.h"
#include "tests/unit/bare_cpu.h"
#include "tests/unit/use_engine.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

#define CODE  0x10000u
#define DATA  0x40000u /* pairs of numbers, and 16 KiB behind them what each pair came to */
#define STORE (UINT64_C(1) << 20)

enum { PAIR = 12, RESULT = 10, LOOP = 15, OTHER = 5 };

static const int64_t numbers[] = {0, 1, -1, 2, -2, 7, -7, INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 1};
#define NUMBERS (sizeof numbers / sizeof *numbers)

enum between { A_LOAD, NOT_STRAIGHT, ADDRESS, SECOND_CHANGES, BETWEENS };
struct program {
    unsigned opcode; /* AGR and its kin, or AGHI with `i` */
    int16_t i;
    unsigned r1, r2, mask; /* mask 0: IPM */
    enum between between;
};

struct code {
    uint8_t *bytes;
    unsigned at;
};
static void two(struct code *c, unsigned value)
{
    put16(c->bytes + c->at, (uint16_t)value);
    c->at += 2;
}
static void four(struct code *c, unsigned one, unsigned other)
{
    two(c, one);
    two(c, other);
}
/* RXY: displacement up to X'7FFFF' */
static void six(struct code *c, unsigned opcode, unsigned r1, unsigned base, unsigned d)
{
    two(c, (opcode >> 8) << 8 | r1 << 4);
    two(c, base << 12 | (d & 0xfff));
    two(c, (d >> 12) << 8 | (opcode & 0xff));
}

static void emit_between(struct code *c, const struct program *p)
{
    if (p->between == A_LOAD)
        four(c, 0xa709 | OTHER << 4, 3); /* LGHI */
    else
        four(c, 0xb24f, OTHER << 4); /* EAR: such blocks move no registers */
    if (p->between == ADDRESS)
        four(c, 0x4100 | p->r1 << 4, p->r1 << 12 | 5); /* LA */
    if (p->between == SECOND_CHANGES)
        four(c, 0xa709 | p->r2 << 4, 7); /* LGHI */
}

static void make_code(uint8_t *bytes, const struct program *p)
{
    struct code c = {bytes, 0};
    six(&c, 0xe304, p->r1, PAIR, 0); /* LG */
    six(&c, 0xe304, p->r2, PAIR, 8);
    if (p->opcode >> 8 == 0xa7)
        four(&c, p->opcode | p->r1 << 4, (uint16_t)p->i);
    else
        four(&c, p->opcode, p->r1 << 4 | p->r2);
    emit_between(&c, p);
    if (p->mask) {
        four(&c, 0xa704 | p->mask << 4, 4);               /* BRC over the next one */
        four(&c, 0x4100 | RESULT << 4, RESULT << 12 | 1); /* LA */
    } else {
        four(&c, 0xb222, RESULT << 4); /* IPM */
    }
    six(&c, 0xe324, RESULT, PAIR, 0x4000); /* STG */
    six(&c, 0xe324, p->r1, PAIR, 0x4008);
    four(&c, 0x4100 | PAIR << 4, PAIR << 12 | 16);            /* LA */
    four(&c, 0xa707 | LOOP << 4, (uint16_t)(-(int)c.at / 2)); /* BRCTG */
    four(&c, 0xa7f4, 0);
}

static struct cpu *make_cpu(struct cpu_system *sys, const struct program *p)
{
    struct cpu *cpu = bare_cpu(sys, STORE);
    uint8_t *at = sys->storage.bytes + DATA;
    make_code(sys->storage.bytes + CODE, p);
    for (unsigned i = 0; i < NUMBERS; i++)
        for (unsigned k = 0; k < NUMBERS; k++, at += 16) {
            put64(at, (uint64_t)numbers[i]);
            put64(at + 8, (uint64_t)numbers[k]);
        }
    cpu->gr[PAIR] = DATA;
    cpu->gr[LOOP] = NUMBERS * NUMBERS;
    assert_int_equal(cpu_load_psw(cpu, PSW_EA | PSW_BA, CODE), 0);
    cpu->state = CPU_STATE_OPERATING;
    return cpu;
}

static void try(const struct program *p)
{
    struct cpu_system a, b;
    char why[400];
    struct cpu *ca = make_cpu(&a, p), *cb = make_cpu(&b, p);
    use_engine(ca, ENGINE_TRANSLATE, 0);
    cb->engine_kind = ENGINE_REFERENCE;
    if (!lockstep_run(ca, cb, 12 * NUMBERS * NUMBERS, why, sizeof why))
        fail_msg("opcode %x, R1 %u, R2 %u, immediate %d, mask %u, between %u: %s", p->opcode, p->r1, p->r2, p->i,
                 p->mask, (unsigned)p->between, why);
    assert_int_equal(ca->gr[LOOP], 0);
    cpu_destroy(ca);
    cpu_destroy(cb);
    storage_destroy(&a.storage);
    storage_destroy(&b.storage);
}

/* Registers 0 and 3 are in host registers outside of loops of one block, 6 to 8 in storage. */
static void everywhere(struct program p)
{
    static const uint8_t registers[][2] = {{0, 3}, {0, 7}, {6, 3}, {6, 7}};
    for (unsigned n = 0; n < sizeof registers / sizeof *registers; n++)
        for (p.mask = 0; p.mask < 15; p.mask++)
            for (unsigned between = 0; between < BETWEENS; between++) {
                p.r1 = registers[n][0];
                p.r2 = registers[n][1];
                p.between = (enum between)between;
                try(&p);
            }
}

static void sums(void **state)
{
    static const unsigned opcodes[] = {0xb908, 0xb90a}; /* AGR, ALGR */
    (void)state;
    for (unsigned i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        everywhere((struct program){.opcode = opcodes[i]});
}

static void differences(void **state)
{
    static const unsigned opcodes[] = {0xb909, 0xb90b}; /* SGR, SLGR */
    (void)state;
    for (unsigned i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        everywhere((struct program){.opcode = opcodes[i]});
}

static void constants(void **state)
{
    static const int16_t added[] = {1, -2};
    (void)state;
    for (unsigned i = 0; i < sizeof added / sizeof *added; i++)
        everywhere((struct program){.opcode = 0xa70b, .i = added[i]}); /* AGHI */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(differences),
                                       cmocka_unit_test(constants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
