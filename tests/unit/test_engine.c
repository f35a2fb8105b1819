/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The block engine against the reference engine: random programs out of the instructions that have handlers of their
   own, in all addressing modes, with operands that cross pages, with run-time instrumentation and without. */
#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/engine/handlers.h"
#include "cpu/life/life.h"
#include "cpu/lockstep/lockstep.h"
#include "cpu/storage/main.h"
#include "random.h"
#include "ri/ri.h"
#include "tests/unit/bare_cpu.h"
#include "tests/unit/use_engine.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define CODE  0x10000u
#define DATA  0x40000u
#define STORE (UINT64_C(1) << 20)

static const uint16_t fast[] = {
#define OP(row, ...)            DIS_##row,
#define RXOP(row, name, after)  DIS_##row,
#define SHIFTOP(row, name, ...) DIS_##row,
#define SIOP(row, name, after)  DIS_##row,
#include "cpu/engine/ops.def"
};
static const uint16_t others[] = {DIS_ICM, DIS_STCM, DIS_BCTR, DIS_BCTGR, DIS_ALC, DIS_SLA, DIS_SLDL, DIS_MVCIN,
                                  DIS_TR,  DIS_CVB,  DIS_CVD,  DIS_EX,    DIS_SPM, DIS_LA,  DIS_AGH,  DIS_POPCNT};
static const uint16_t branches[] = {
    DIS_BRC,   DIS_BRCL, DIS_CRJ,   DIS_CGRJ,  DIS_CLRJ,  DIS_CLGRJ, DIS_CIJ, DIS_CGIJ, DIS_CLIJ, DIS_CLGIJ, DIS_BRCT,
    DIS_BRCTG, DIS_BRXH, DIS_BRXLE, DIS_BRXHG, DIS_BRXLG, DIS_BRC,   DIS_BRC, DIS_BCR,  DIS_BC,   DIS_BRASL, DIS_BASR};

/* A value at an edge more often than not. */
static uint64_t operand(struct random *r)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     ~UINT64_C(0),
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     UINT64_C(1) << 63,
                                     INT64_MAX,
                                     0x100000000,
                                     0x7fff,
                                     0x8000,
                                     0xffffffff80000000,
                                     0x7fffffffffffffff};
    switch (below(r, 4)) {
    case 0:
        return next(r);
    case 1:
        return next(r) >> below(r, 64);
    case 2:
        return edges[below(r, sizeof edges / sizeof *edges)] + below(r, 3) - 1;
    default:
        return edges[below(r, sizeof edges / sizeof *edges)];
    }
}

static void set_nibble(uint8_t *p, unsigned bit, unsigned value)
{
    uint8_t *byte = p + bit / 8;
    *byte = bit % 8 ? (uint8_t)((*byte & 0xf0) | value) : (uint8_t)((*byte & 0x0f) | value << 4);
}
static unsigned nibble(const uint8_t *p, unsigned bit) { return bit % 8 ? p[bit / 8] & 15u : p[bit / 8] >> 4; }

/* Registers 0-9 are operands, 10-13 bases, 14 an index, 15 the loop count. */
static void make_insn(struct random *r, unsigned row, uint8_t bytes[6])
{
    const struct dis_row *d = &dis_rows[row];
    uint64_t bits = (d->opcode & d->mask) | (next(r) & ~d->mask);
    for (unsigned i = 0; i < 6; i++)
        bytes[i] = (uint8_t)(bits >> (40 - 8 * i));
    unsigned base = 10 + below(r, 4), even = d->flags & DIS_EVEN_R1 ? 0xe : 0xf;
    switch (d->format) {
    case DIS_FMT_RRE:
    case DIS_FMT_RRF_a:
    case DIS_FMT_RRF_c:
        set_nibble(bytes, 24, nibble(bytes, 24) % 9 & even);
        set_nibble(bytes, 28, nibble(bytes, 28) % 10);
        if (row != DIS_LOCR && row != DIS_LOCGR)
            set_nibble(bytes, 16, nibble(bytes, 16) % 10);
        return;
    case DIS_FMT_RR:
        set_nibble(bytes, 8, nibble(bytes, 8) % 9 & even);
        set_nibble(bytes, 12, nibble(bytes, 12) % 10);
        return;
    case DIS_FMT_S:
    case DIS_FMT_SI:
    case DIS_FMT_SIY:
    case DIS_FMT_SIL:
        set_nibble(bytes, 16, base);
        break;
    case DIS_FMT_SS_a:
        set_nibble(bytes, 16, base);
        set_nibble(bytes, 32, below(r, 3) ? 10 + below(r, 4) : base);
        bytes[4] &= 0xf1;
        bytes[1] &= (uint8_t)(below(r, 3) ? 0x0f : 0xff);
        break;
    case DIS_FMT_RX_a:
    case DIS_FMT_RXY_a:
        set_nibble(bytes, 8, nibble(bytes, 8) % 10 & even);
        set_nibble(bytes, 12, below(r, 2) ? 0 : 14);
        set_nibble(bytes, 16, base);
        break;
    case DIS_FMT_RS_a:
    case DIS_FMT_RS_b:
    case DIS_FMT_RSY_a:
    case DIS_FMT_RSY_b: {
        unsigned r1 = nibble(bytes, 8) % 10 & even;
        set_nibble(bytes, 8, r1);
        if (d->format == DIS_FMT_RS_a || d->format == DIS_FMT_RSY_a)
            set_nibble(bytes, 12,
                       d->storage[0].where
                           ? (d->flags & DIS_STORES && !below(r, 4) ? below(r, 16) : r1 + below(r, 10 - r1))
                           : nibble(bytes, 12) % 10);
        set_nibble(bytes, 16, d->storage[0].where ? base : below(r, 2) ? 0 : below(r, 10));
        break;
    }
    case DIS_FMT_RIE_d:
    case DIS_FMT_RIE_f:
    case DIS_FMT_RIE_b:
    case DIS_FMT_RIE_e:
    case DIS_FMT_RSI:
        set_nibble(bytes, 12, nibble(bytes, 12) % 10);
        set_nibble(bytes, 8, nibble(bytes, 8) % 10);
        return;
    default:
        if (d->branch == DIS_BRANCH_NONE || row == DIS_BRCT || row == DIS_BRCTG)
            set_nibble(bytes, 8, nibble(bytes, 8) % 10);
        if (row == DIS_CIJ || row == DIS_CGIJ || row == DIS_CLIJ || row == DIS_CLGIJ)
            set_nibble(bytes, 8, nibble(bytes, 8) % 10);
        return;
    }
    if (d->format == DIS_FMT_RXY_a || d->format == DIS_FMT_RSY_a || d->format == DIS_FMT_RSY_b ||
        d->format == DIS_FMT_SIY)
        bytes[4] = below(r, 4) ? 0 : below(r, 2) ? 0xff : 1;
    bytes[2] &= 0xf1;
}

/* A loop over random instructions with branches forward; the last one counts. */
static void make_program(struct random *r, uint8_t *code)
{
    unsigned place[64], n = 24 + below(r, 36), at = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned row, kind = below(r, 20);
        if (kind < 3)
            row = branches[below(r, sizeof branches / sizeof *branches)];
        else if (kind < 4)
            row = others[below(r, sizeof others / sizeof *others)];
        else
            row = fast[below(r, sizeof fast / sizeof *fast)];
        if (dis_rows[row].flags & (DIS_NEEDS_AFP | DIS_NEEDS_VECTOR) && below(r, 6)) /* their masks end many programs */
            row = DIS_AGR;
        /* likewise, boundaries of doublewords */
        const bool bounded = row == DIS_STPT || row == DIS_STBEAR || row == DIS_LBEAR || row == DIS_LCTLG;
        if (bounded && below(r, 6))
            row = DIS_STCKF;
        place[i] = at;
        make_insn(r, row, code + at);
        if (bounded) { /* base 13 is on one, now and then */
            set_nibble(code + at, 16, 13);
            code[at + 3] &= 0xf8;
            if (row == DIS_LCTLG) /* others stop the machine soon */
                code[at + 1] = below(r, 2) ? 0x11 : 0x77;
        }
        if (row == DIS_LARL || row == DIS_EX || row == DIS_BASR || row == DIS_BCR || row == DIS_BC || row == DIS_BRASL)
            set_nibble(code + at, row == DIS_BCR || row == DIS_BASR ? 12 : 8,
                       row == DIS_BASR || (row == DIS_BCR && below(r, 2)) ? 0 : nibble(code + at, 8) % 10);
        if (row == DIS_BC) { /* to the end of the loop by a register nobody changes is not at hand: no branch */
            set_nibble(code + at, 8, 0);
        } else if (row == DIS_BCR) {
            set_nibble(code + at, 12, 0);
        } else if (row == DIS_EX) {
            set_nibble(code + at, 12, 0);
            code[at + 2] = 0xd0; /* in the data: anything */
        }
        at += dis_rows[row].length;
    }
    place[n] = at;
    code[at] = 0xa7; /* BRCTG 15, start */
    code[at + 1] = 0xf7;
    put16(code + at + 2, (uint16_t)(int16_t)(-(int)at / 2));
    put64(code + at + 4, 0); /* an operation exception ends it */
    for (unsigned i = 0; i < n; i++) {
        struct dis_insn insn;
        dis_decode(code + place[i], &insn);
        if (!dis_branch_relative(&insn) && insn.row != DIS_BRASL)
            continue;
        unsigned to = i + 1 + below(r, n - i < 6 ? n - i : 6);
        int distance = (int)(place[to] - place[i]) / 2;
        if (insn.row == DIS_BRASL || insn.row == DIS_BRCL)
            put32(code + place[i] + 2, (uint32_t)distance);
        else
            put16(code + place[i] + 2, (uint16_t)distance);
    }
}

struct trial {
    uint64_t psw, gr[16], interval;
    uint8_t mode;
    uint32_t at; /* of the code: programs may cross pages */
    uint8_t code[1024], data[0x20000];
};

static struct cpu *make_cpu(struct cpu_system *sys, const struct trial *t)
{
    struct cpu *cpu = bare_cpu(sys, STORE);
    memcpy(sys->storage.bytes + t->at, t->code, sizeof t->code);
    memcpy(sys->storage.bytes + DATA, t->data, sizeof t->data);
    put64(sys->storage.bytes + 464, 0x0002000180000000); /* program new PSW: disabled wait */
    put64(sys->storage.bytes + 472, 0xdead);
    memcpy(cpu->gr, t->gr, sizeof t->gr);
    cpu->cr[0] |= BIT64(45) | BIT64(46); /* floating-point and vector registers may be used */
    if (t->interval) {
        uint8_t block[RI_BLOCK_SIZE] = {0};
        put64(block, 0x80000);
        put64(block + 8, 0x80000);
        put64(block + 16, 0xfffff);
        block[24] = 0x80;
        block[25] = 0xf0;
        block[27] = 1;
        block[28] = (uint8_t)(t->mode << 4);
        block[29] = 0xe0;
        put64(block + 40, t->interval);
        put64(block + 48, t->interval);
        (void)ri_lric(cpu->ri, block);
    }
    assert_int_equal(cpu_load_psw(cpu, t->psw, t->at), 0);
    cpu->state = CPU_STATE_OPERATING;
    return cpu;
}

/* The shortest run from the start that ends in two states; prints where it was one instruction before. */
static void shrink(const struct trial *t, enum engine_kind kind)
{
    uint64_t before = t->at;
    for (unsigned n = 1; n < 4000; n++) {
        struct cpu_system a, b;
        struct cpu *ca = make_cpu(&a, t), *cb = make_cpu(&b, t);
        uint64_t done;
        use_engine(ca, kind, 0);
        cb->engine_kind = ENGINE_REFERENCE;
        (void)engine_run(ca, n, &done);
        (void)engine_run(cb, n, &done);
        bool same = ca->psw.ia == cb->psw.ia && cpu_psw_mask(ca) == cpu_psw_mask(cb) &&
                    memcmp(ca->gr, cb->gr, sizeof ca->gr) == 0 && memcmp(a.storage.bytes, b.storage.bytes, STORE) == 0;
        uint64_t now = cb->psw.ia;
        if (!same)
            print_message("after %u instructions, the last one at %llx: %llx and %llx\n", n, (unsigned long long)before,
                          (unsigned long long)ca->psw.ia, (unsigned long long)now);
        for (unsigned i = 0; !same && i < 16; i++)
            if (ca->gr[i] != cb->gr[i])
                print_message("GR %u %llx %llx\n", i, (unsigned long long)ca->gr[i], (unsigned long long)cb->gr[i]);
        before = now;
        cpu_destroy(ca);
        cpu_destroy(cb);
        storage_destroy(&a.storage);
        storage_destroy(&b.storage);
        if (!same)
            return;
    }
}

/* Carries out one program on an engine and the reference engine; returns the number of instructions. */
static uint64_t one_trial(uint64_t seed, const struct trial *t, enum engine_kind kind)
{
    struct cpu_system a, b;
    char why[400];
    struct cpu *ca = make_cpu(&a, t), *cb = make_cpu(&b, t);
    use_engine(ca, kind, seed % 8);
    if (!lockstep_run(ca, cb, 3000, why, sizeof why)) {
        FILE *f = fopen("test_engine.bin", "wb");
        if (f) {
            fwrite(t->code, 1, sizeof t->code, f);
            fclose(f);
        }
        shrink(t, kind);
        fail_msg("seed %llu, PSW %016llx, RI interval %llu: %s; code in test_engine.bin", (unsigned long long)seed,
                 (unsigned long long)t->psw, (unsigned long long)t->interval, why);
    }
    uint64_t n = cpu_instructions(ca);
    cpu_destroy(ca);
    cpu_destroy(cb);
    storage_destroy(&a.storage);
    storage_destroy(&b.storage);
    return n;
}

static unsigned trials(void)
{
    const char *more = getenv("ENGINE_TRIALS");
    return more ? (unsigned)strtoul(more, NULL, 0) : 250;
}

static void random_programs(uint64_t first, uint64_t psw, bool ri, uint8_t mode)
{
    static struct trial t;
    uint64_t n = 0;
    if (getenv("ENGINE_FROM")) /* one program again */
        first = strtoull(getenv("ENGINE_FROM"), NULL, 0);
    for (uint64_t seed = first; seed < first + trials(); seed++) {
        struct random r = seeded(seed);
        memset(&t, 0, sizeof t);
        for (unsigned i = 0; i < sizeof t.data; i += 8)
            put64(t.data + i, operand(&r));
        for (unsigned i = 0; i < 10; i++)
            t.gr[i] = operand(&r);
        for (unsigned i = 10; i < 14; i++)
            t.gr[i] =
                DATA + 0x8000 + 0x1000 * below(&r, 16) + (below(&r, 3) ? below(&r, 0x1000) : 0xf00 + below(&r, 0x100));
        if (below(&r, 4))
            t.gr[13] &= ~UINT64_C(7);
        t.gr[14] = below(&r, 2) ? 8 : below(&r, 256);
        t.gr[15] = 1 + below(&r, 12);
        make_program(&r, t.code);
        t.at = CODE + (below(&r, 3) ? 0 : 0x1000 - 2 * (1 + below(&r, 60)));
        t.psw = psw;
        t.interval = ri ? 5 + below(&r, 200) : 0;
        t.mode = mode;
        n += one_trial(seed, &t, ENGINE_BLOCK);
        if (!ri) /* it is the block engine's, too */
            n += one_trial(seed, &t, ENGINE_TRANSLATE);
    }
    /* A program that ends at its first instruction proves little. */
    print_message("%llu instructions\n", (unsigned long long)n);
    assert_true(trials() == 1 || n / trials() > 20);
}

static void mode_64(void **state)
{
    (void)state;
    random_programs(1, PSW_EA | PSW_BA, false, 0);
}
static void mode_31(void **state)
{
    (void)state;
    random_programs(100001, PSW_BA, false, 0);
}
static void mode_24(void **state)
{
    (void)state;
    random_programs(200001, 0, false, 0);
}
static void overflow_exceptions(void **state)
{
    (void)state;
    random_programs(300001, PSW_EA | PSW_BA | PSW_PM_FIXED_POINT_OVERFLOW, false, 0);
}
static void problem_state(void **state)
{
    (void)state;
    random_programs(400001, PSW_EA | PSW_BA | PSW_PROBLEM, false, 0);
}
static void ri_instructions(void **state)
{
    (void)state;
    random_programs(500001, PSW_EA | PSW_BA | PSW_RI, true, RI_MODE_INSTRUCTIONS);
}
static void ri_cycles(void **state)
{
    (void)state;
    random_programs(600001, PSW_EA | PSW_BA | PSW_PROBLEM | PSW_RI, true, RI_MODE_CYCLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mode_64),       cmocka_unit_test(mode_31),
        cmocka_unit_test(mode_24),       cmocka_unit_test(overflow_exceptions),
        cmocka_unit_test(problem_state), cmocka_unit_test(ri_instructions),
        cmocka_unit_test(ri_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
