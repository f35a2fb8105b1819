/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The translator against the reference engine: random programs of the instructions that have templates. Of those on
   floating-point and vector registers, with numbers at which host and guest part: exact and rounded, tiny, infinite,
   NaNs; with the inexact flag on and off, traps, other roundings. Of the others, with branches on condition codes that
   come from before the block or from an instruction without template. Operands cross pages or are protected, and so do
   half of the programs. */
#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/exec/float.h"
#include "cpu/lockstep/lockstep.h"
#include "cpu/storage/main.h"
#include "random.h"
#include "tests/unit/bare_cpu.h"
#include "tests/unit/use_engine.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define CODE    0x10000u
#define DATA    0x40000u
#define HANDLER 0x8000u
#define STORE   (UINT64_C(1) << 20)
#define WORK    UINT64_C(0x10000) /* bytes of data */
#define TRIALS  600               /* of each kind of program; a machine is made for each */

static const uint16_t rows[] = {
#define T(row, ...) DIS_##row,
#include "cpu/translate/emit/translate.def"
#undef T
};

struct trial {
    uint64_t gr[16];
    struct vector_register vr[32];
    uint32_t fpc;
    bool protected;
    uint64_t instructions; /* at most */
    uint64_t at;           /* of the code */
    uint8_t code[512];
    uint8_t data[WORK];
};

/* A long number that host and guest may differ about. */
static uint64_t long_number(struct random *r)
{
    static const uint16_t edges[] = {0,    1,    2,    3,         52,   54,   1023 - 52, 1022,
                                     1023, 1024, 1075, 1023 + 62, 2044, 2045, 2046,      2047};
    const uint64_t sign = (uint64_t)below(r, 2) << 63;
    union {
        double number;
        uint64_t bits;
    } exact = {.number = (double)(int32_t)(next(r) >> below(r, 64))};
    switch (below(r, 6)) {
    case 0:
        return exact.bits;
    case 1:
        return sign; /* zero */
    case 2:
        return sign | (uint64_t)edges[below(r, sizeof edges / sizeof *edges)] << 52 |
               (below(r, 2)   ? next(r) >> 12
                : below(r, 2) ? UINT64_MAX >> 12
                              : below(r, 3));
    default:
        return sign | (uint64_t)(1003 + below(r, 40)) << 52 | next(r) >> 12;
    }
}

static uint32_t short_number(struct random *r)
{
    static const uint8_t edges[] = {0, 1, 2, 3, 24, 104, 126, 127, 128, 150, 158, 252, 253, 254, 255};
    const uint32_t sign = (uint32_t)below(r, 2) << 31;
    union {
        float number;
        uint32_t bits;
    } exact = {.number = (float)(int16_t)(next(r) >> below(r, 64))};
    switch (below(r, 6)) {
    case 0:
        return exact.bits;
    case 1:
        return sign;
    case 2:
        return sign | (uint32_t)edges[below(r, sizeof edges)] << 23 |
               (below(r, 2)   ? (uint32_t)next(r) >> 9
                : below(r, 2) ? UINT32_MAX >> 9
                              : below(r, 3));
    default:
        return sign | (117 + below(r, 20)) << 23 | (uint32_t)next(r) >> 9;
    }
}

static uint64_t content(struct random *r, unsigned kind)
{
    switch (kind) {
    case 0:
        return long_number(r);
    case 1:
        return (uint64_t)short_number(r) << 32 | short_number(r);
    case 2:
        return next(r) & (below(r, 2) ? 0x1f1f1f1f1f1f1f1f : 0xff00ff00ff00ff);
    default:
        return below(r, 2) ? next(r) : below(r, 2) ? 0 : UINT64_MAX;
    }
}

static bool about(unsigned row) { return dis_rows[row].flags & (DIS_NEEDS_AFP | DIS_AFP_IF_HIGH | DIS_NEEDS_VECTOR); }

static void set_nibble(uint8_t *p, unsigned bit, unsigned value)
{
    uint8_t *byte = p + bit / 8;
    *byte = bit % 8 ? (uint8_t)((*byte & 0xf0) | value) : (uint8_t)((*byte & 0x0f) | value << 4);
}

/* Base registers are 10 to 13; 15 counts the loop; modifiers are mostly those that say something. */
static void make_insn(struct random *r, unsigned row, uint8_t bytes[6])
{
    const struct dis_row *d = &dis_rows[row];
    const uint64_t bits = (d->opcode & d->mask) | (next(r) & ~d->mask);
    static const uint8_t sizes[] = {3, 2, 3, 2, 1, 0, 4, 6}, controls[] = {0, 0, 0, 8, 8, 1};
    for (unsigned i = 0; i < 6; i++)
        bytes[i] = (uint8_t)(bits >> (40 - 8 * i));
    if (d->flags & (DIS_FETCHES | DIS_STORES)) {
        set_nibble(bytes, 12, row == DIS_VLM || row == DIS_VSTM ? below(r, 16) : below(r, 2) ? 0 : 14);
        set_nibble(bytes, 16, 10 + below(r, 4));
        set_nibble(bytes, 20, 0);
        if (d->flags & DIS_NEEDS_VECTOR)
            set_nibble(bytes, 32, below(r, 4));
        else if (d->length == 6)
            bytes[4] = below(r, 8) ? 0 : 0xff;
        return;
    }
    if (!(d->flags & DIS_NEEDS_VECTOR)) {
        if (d->format != DIS_FMT_RR)
            set_nibble(bytes, 24, bytes[3] >> 4 > 14 ? 2 : bytes[3] >> 4); /* R15 may be it */
        if (row == DIS_CFDBRA || row == DIS_CGDBRA || row == DIS_CFEBRA)
            bytes[2] = 0x50;
        else if (below(r, 4) && d->format != DIS_FMT_RRD && row != DIS_CPSDR)
            bytes[2] = 0;
        return;
    }
    if (row == DIS_VLGV)
        set_nibble(bytes, 8, below(r, 10));
    if (row == DIS_VLGV || row == DIS_VLVG)
        set_nibble(bytes, 16, 0);
    if (row == DIS_VFMA || row == DIS_VFMS) {
        set_nibble(bytes, 20, sizes[below(r, 4)]);
        set_nibble(bytes, 28, controls[below(r, 6)]);
        set_nibble(bytes, 24, 0);
    } else if (d->format == DIS_FMT_VRR_d && row != DIS_VSEL && row != DIS_VPERM) {
        set_nibble(bytes, 20, sizes[below(r, 7)]);
    } else if (row != DIS_VSLDB && row != DIS_VSEL && row != DIS_VPERM) {
        set_nibble(bytes, 32, sizes[below(r, 8)]);
        if (row != DIS_VGM && row != DIS_VREP && row != DIS_VGBM && row != DIS_VREPI &&
            !dis_rows[row].storage[0].where && row != DIS_VERIM && d->format != DIS_FMT_VRI_a &&
            d->format != DIS_FMT_VRS_a && d->format != DIS_FMT_VRS_b && d->format != DIS_FMT_VRS_c) {
            set_nibble(bytes, 28, controls[below(r, 6)]);
            set_nibble(bytes, 24, below(r, 4) ? 0 : below(r, 2));
        }
    }
}

/* Of vectors, and no floating point: loops of these keep their registers. */
static bool integral(unsigned row)
{
    return dis_rows[row].flags & DIS_NEEDS_VECTOR &&
           (dis_rows[row].mnemonic[1] != 'f' || row == DIS_VFEE || row == DIS_VFENE);
}

/* The same with vector registers 0 to 7 only, so that a loop has room for all. */
static void make_few(struct random *r, unsigned row, uint8_t bytes[6])
{
    static const uint8_t places[] = {8, 12, 16, 32}; /* DIS_OP_V_8 to DIS_OP_V_32 */
    const struct dis_row *d = &dis_rows[row];
    make_insn(r, row, bytes);
    set_nibble(bytes, 36, 0);
    for (unsigned i = 0; d->operands[i] != DIS_OP_NONE; i++)
        if (d->operands[i] >= DIS_OP_V_8 && d->operands[i] <= DIS_OP_V_32)
            set_nibble(bytes, places[d->operands[i] - DIS_OP_V_8], below(r, 8));
}

static bool general(unsigned row)
{
    const struct dis_row *d = &dis_rows[row];
    return !about(row) && !(d->flags & (DIS_BRANCHES | DIS_EXECUTES)) && d->format != DIS_FMT_RIL_b;
}

/* Of the system mask's bits only those for I/O and external interruptions change, whatever was stored: SET SYSTEM MASK
   has a mask to load that STORE THEN AND has just stored. Returns the bytes in front. */
static unsigned make_mask(struct random *r, unsigned row, uint8_t *bytes)
{
    if (row != DIS_SSM) {
        bytes[1] = (uint8_t)(row == DIS_STNSM ? 0xfc | below(r, 4) : below(r, 4));
        return 0;
    }
    bytes[1] = 0;
    memcpy(bytes + 4, bytes, 4);
    bytes[0] = 0xac;
    bytes[1] = (uint8_t)(0xfc | below(r, 4));
    return 4;
}

/* General registers 0 to 9, base registers as above. Every second XC is of an operand with itself. */
static void make_general(struct random *r, unsigned row, uint8_t bytes[6])
{
    static const uint8_t places[] = {8, 12, 16, 24, 28, 32, 8, 12, 24, 28}; /* DIS_OP_R_8 to DIS_OP_RE_28 */
    const struct dis_row *d = &dis_rows[row];
    const bool several = d->format == DIS_FMT_RS_a || d->format == DIS_FMT_RSY_a;
    make_insn(r, row, bytes);
    for (unsigned i = 0; d->operands[i] != DIS_OP_NONE; i++)
        if (d->operands[i] >= DIS_OP_R_8 && d->operands[i] <= DIS_OP_RE_28) {
            const unsigned bit = places[d->operands[i] - DIS_OP_R_8];
            if (several)
                set_nibble(bytes, bit, bit == 8 ? below(r, 5) : 5 + below(r, 5));
            else
                set_nibble(bytes, bit, d->operands[i] >= DIS_OP_RE_8 ? 2 * below(r, 5) : below(r, 10));
        }
    if (!d->storage[1].where)
        return;
    set_nibble(bytes, 32, 10 + below(r, 4));
    set_nibble(bytes, 36, 0);
    if (below(r, 2)) /* short ones */
        bytes[1] = (uint8_t)below(r, 33);
    if (row == DIS_XC && below(r, 2))
        memcpy(bytes + 4, bytes + 2, 2);
}

/* EXECUTE RELATIVE LONG of one of the targets, storage-to-storage instructions, behind the program */
enum { TARGETS = 480, TARGET_COUNT = 5 };
static void make_targets(struct random *r, uint8_t *code)
{
    static const uint16_t targets[TARGET_COUNT] = {DIS_MVC, DIS_CLC, DIS_XC, DIS_NC, DIS_MVC};
    for (unsigned i = 0; i < TARGET_COUNT; i++)
        make_general(r, targets[i], code + TARGETS + 6 * i);
}
static void make_execute(struct random *r, uint8_t *code, unsigned at)
{
    put16(code + at, (uint16_t)(0xc600 | below(r, 10) << 4));
    put32(code + at + 2, (TARGETS + 6 * below(r, TARGET_COUNT) - at) / 2);
}

/* BRC of any mask, so many bytes forward */
static void make_branch(struct random *r, uint8_t *code, unsigned bytes)
{
    put16(code, (uint16_t)(0xa704 | below(r, 16) << 4));
    put16(code + 2, (uint16_t)(bytes / 2));
}

/* BRCTG 15, start; BRC to itself */
static void make_end(uint8_t *code, unsigned at)
{
    code[at] = 0xa7;
    code[at + 1] = 0xf7;
    put16(code + at + 2, (uint16_t)(int16_t)(-(int)at / 2));
    put32(code + at + 4, 0xa7f40000);
}

/* Some look at the condition code first, some are behind a branch over the one before; ALC and CVD have no template. */
static void make_general_program(struct random *r, uint8_t *code)
{
    const bool vectors = below(r, 3) == 0;
    static const uint16_t looking[] = {DIS_ALCR, DIS_ALCGR, DIS_SLBGR, DIS_IPM, DIS_LOCR, DIS_SELGR};
    unsigned at = 0;
    make_targets(r, code);
    for (unsigned i = 0, n = 6 + below(r, 20); i < n; i++) {
        unsigned row;
        const unsigned branch = at;
        const bool over = below(r, 4) == 0;
        if (over)
            at += 4;
        if (below(r, 8) == 0) {
            row = below(r, 2) ? DIS_ALC : DIS_CVD;
        } else if (below(r, 8) == 0) {
            row = DIS_EXRL;
        } else if (below(r, i ? 12 : 2) == 0) {
            row = looking[below(r, sizeof looking / sizeof *looking)];
        } else {
            do
                row = rows[below(r, sizeof rows / sizeof *rows)];
            while (!general(row) && !(vectors && integral(row)));
        }
        if (row == DIS_EXRL)
            make_execute(r, code, at);
        else if (integral(row))
            make_few(r, row, code + at);
        else
            make_general(r, row, code + at);
        if (row == DIS_SSM || row == DIS_STNSM || row == DIS_STOSM)
            at += make_mask(r, row, code + at);
        at += dis_rows[row].length;
        if (over)
            make_branch(r, code + branch, at - branch);
    }
    make_end(code, at);
}

static void make_program(struct random *r, uint8_t *code)
{
    unsigned at = 0;
    const bool plain = below(r, 2), few = plain && below(r, 2);
    for (unsigned i = 0, n = few ? 1 + below(r, 6) : 8 + below(r, 24); i < n; i++) {
        unsigned row;
        do
            row = rows[below(r, sizeof rows / sizeof *rows)];
        while (!(plain ? integral(row) : about(row)));
        if (few)
            make_few(r, row, code + at);
        else
            make_insn(r, row, code + at);
        at += dis_rows[row].length;
    }
    make_end(code, at);
}

static void make_frame_program(struct random *r, uint8_t *code);
static void make_long_program(struct random *r, uint8_t *code);

static void make_trial(struct random *r, struct trial *t, void (*program)(struct random *r, uint8_t *code))
{
    const unsigned kind = below(r, 4);
    memset(t, 0, sizeof *t);
    for (unsigned i = 0; i < WORK; i += 8)
        put64(t->data + i, content(r, kind));
    for (unsigned i = 0; i < 32; i++)
        t->vr[i] = (struct vector_register){.hi = content(r, kind), .lo = content(r, kind)};
    for (unsigned i = 0; i < 10; i++)
        t->gr[i] = (below(r, 8) ? next(r) : UINT64_MAX) >> below(r, 64);
    for (unsigned i = 10; i < 14; i++)
        t->gr[i] = DATA + 0x4000 + 0x1000 * below(r, 8) + (below(r, 6) ? 8 * below(r, 0x1c0) : 0xfe0 + below(r, 0x20));
    t->gr[14] = below(r, 2) ? 16 : below(r, 64);
    t->gr[15] = 2 + below(r, 3);
    t->fpc = below(r, 3) ? FPC_INEXACT : 0;
    if (!below(r, 4))
        t->fpc |= below(r, 2) ? 1u + below(r, 3) : UINT32_C(0x08000000) << below(r, 5);
    t->protected = !below(r, 8);
    t->instructions = 600;
    program(r, t->code);
    if (program == make_long_program)
        t->gr[15] = 40;
    if (program == make_frame_program) { /* what goes into another page shows */
        t->protected = below(r, 4);
        t->gr[15] = 4 + below(r, 24);
        t->instructions = 1500;
        for (unsigned i = 10; i < 14; i++)
            if (below(r, 2))
                t->gr[i] = (t->gr[i] & ~UINT64_C(0xfff)) + 0xe80 + below(r, 0x180);
    }
    t->at = CODE + (below(r, 2) ? 0 : 0x1000 - 2 * below(r, 80));
}

static struct cpu *make_cpu(struct cpu_system *sys, const struct trial *t, uint64_t psw)
{
    struct cpu *cpu = bare_cpu(sys, STORE);
    memcpy(sys->storage.bytes + t->at, t->code, sizeof t->code);
    memcpy(sys->storage.bytes + DATA, t->data, sizeof t->data);
    put64(sys->storage.bytes + 464, PSW_EA | PSW_BA); /* whatever is interrupted goes on behind the instruction */
    put64(sys->storage.bytes + 472, HANDLER);
    put32(sys->storage.bytes + HANDLER, 0xb2b20150);
    memcpy(cpu->gr, t->gr, sizeof t->gr);
    memcpy(cpu->vr, t->vr, sizeof t->vr);
    cpu->fpc = t->fpc;
    cpu->cr[0] |= BIT64(45) | BIT64(46);
    if (t->protected)
        for (unsigned page = DATA >> 12; page < (DATA + WORK) >> 12; page += 3)
            sys->storage.keys[page] = page & 1 ? 0x30 : 0x38; /* from stores; from fetches as well */
    assert_int_equal(cpu_load_psw(cpu, psw | (t->protected ? UINT64_C(0x20) << 48 : 0), t->at), 0);
    cpu->state = CPU_STATE_OPERATING;
    return cpu;
}

/* What translators did, in all */
static struct translate_stats sums;

/* Whether it came to its end. With `threads` its CPU has a thread of its own, and updates storage with locks. */
static bool one_trial(uint64_t seed, const struct trial *t, bool threads)
{
    struct cpu_system a, b;
    char why[400];
    const uint64_t psw = PSW_EA | PSW_BA | (seed % 4 ? 0 : PSW_IO | PSW_EXT);
    struct cpu *ca = make_cpu(&a, t, psw), *cb = make_cpu(&b, t, psw);
    a.threads = a.alone = threads;
    use_engine(ca, ENGINE_TRANSLATE, seed % 16);
    cb->engine_kind = ENGINE_REFERENCE;
    if (!lockstep_run(ca, cb, t->instructions, why, sizeof why)) {
        char line[80];
        for (unsigned at = 0; at < sizeof t->code && t->code[at]; at += dis_length(t->code[at])) {
            dis_text(t->code + at, t->at + at, true, line, sizeof line);
            print_message("%x %s\n", (unsigned)t->at + at, line);
        }
        fail_msg("seed %llu: %s", (unsigned long long)seed, why);
    }
    const struct translate_stats *stats = translator_stats(ca);
    if (stats) {
        sums.blocks += stats->blocks;
        sums.shared += stats->shared;
        sums.crossings += stats->crossings;
        sums.differ += stats->differ;
        sums.anew += stats->anew;
    }
    const uint64_t end = ca->psw.ia - t->at;
    const bool ended = end < sizeof t->code && get32(t->code + end) == 0xa7f40000;
    cpu_destroy(ca);
    cpu_destroy(cb);
    storage_destroy(&a.storage);
    storage_destroy(&b.storage);
    return ended;
}

static void trials_with(void (*program)(struct random *r, uint8_t *code), bool threads)
{
    static struct trial t;
    const uint64_t trials = trials_of("TRANSLATE_TRIALS", TRIALS), first = trials_of("TRANSLATE_FROM", 1);
    uint64_t n = 0;
    for (uint64_t seed = first; seed < first + trials; seed++) {
        struct random r = seeded(seed);
        make_trial(&r, &t, program);
        n += one_trial(seed, &t, threads);
    }
    assert_true(trials == 1 || n > trials / 2);
}

static void programs(void **state)
{
    (void)state;
    trials_with(make_program, false);
}

static void general_programs(void **state)
{
    (void)state;
    trials_with(make_general_program, false);
}

/* What updates storage in one step, and shifts and sums around it. */
static void make_interlocked_program(struct random *r, uint8_t *code)
{
    static const uint16_t interlocked[] = {DIS_LAA,  DIS_LAAG,  DIS_LAAL, DIS_LAALG, DIS_LAN,   DIS_LANG,  DIS_LAO,
                                           DIS_LAOG, DIS_LAX,   DIS_LAXG, DIS_CS,    DIS_CSG,   DIS_CSY,   DIS_IPM,
                                           DIS_AGR,  DIS_ALCGR, DIS_NI,   DIS_NIY,   DIS_OI,    DIS_OIY,   DIS_XI,
                                           DIS_XIY,  DIS_ASI,   DIS_AGSI, DIS_ALSI,  DIS_ALGSI, DIS_POPCNT};
    unsigned at = 0;
    for (unsigned i = 0, n = 4 + below(r, 12); i < n; i++) {
        const unsigned row = interlocked[below(r, sizeof interlocked / sizeof *interlocked)];
        make_general(r, row, code + at);
        at += dis_rows[row].length;
    }
    make_end(code, at);
}

static void interlocked_programs(void **state)
{
    (void)state;
    trials_with(make_interlocked_program, false);
    trials_with(make_interlocked_program, true);
}

static bool indexed(unsigned row)
{
    const unsigned format = dis_rows[row].format;
    return format == DIS_FMT_RX_a || format == DIS_FMT_RXY_a || format == DIS_FMT_RXE || format == DIS_FMT_RXF ||
           format == DIS_FMT_VRX;
}

/* Accesses near each other by the same base registers, some with an index, which now and then change, with branches
   over some and what may look at the condition code: they have tests of their page in common. */
static void make_frame_program(struct random *r, uint8_t *code)
{
    const bool vectors = below(r, 3) == 0;
    unsigned at = 0;
    make_targets(r, code);
    for (unsigned i = 0, n = 6 + below(r, 16); i < n; i++) {
        const unsigned branch = at;
        const bool over = below(r, 5) == 0;
        unsigned row;
        if (over)
            at += 4;
        do
            row = rows[below(r, sizeof rows / sizeof *rows)];
        while (!(dis_rows[row].flags & (DIS_FETCHES | DIS_STORES)) && below(r, 8));
        if (below(r, 10) == 0 || (!general(row) && !(vectors && about(row))))
            row = below(r, 2) ? DIS_LA : DIS_LR;
        if (row == DIS_SSM || row == DIS_STNSM || row == DIS_STOSM || row == DIS_EX)
            row = DIS_LG;
        if (about(row))
            make_insn(r, row, code + at);
        else
            make_general(r, row, code + at);
        if (dis_rows[row].flags & (DIS_FETCHES | DIS_STORES)) {
            if (below(r, 4) && indexed(row))
                set_nibble(code + at, 12, below(r, 3) ? 0 : 14);
            code[at + 2] &= (uint8_t)(0xf0 | below(r, 2));
        } else if (row == DIS_LA) {                 /* of a base register */
            const unsigned base = 10 + below(r, 5); /* or the index */
            put16(code + at, (uint16_t)(0x4100 | base << 4));
            put16(code + at + 2, (uint16_t)((base < 14 ? base << 12 : 0) | below(r, 128)));
        }
        at += dis_rows[row].length;
        if (over)
            make_branch(r, code + branch, at - branch);
    }
    make_end(code, at);
}

static void frame_programs(void **state)
{
    (void)state;
    memset(&sums, 0, sizeof sums);
    trials_with(make_frame_program, false);
    print_message("%llu blocks, %llu with tests in common, %llu of which could not; %llu in two pages, %llu anew\n",
                  (unsigned long long)sums.blocks, (unsigned long long)sums.shared, (unsigned long long)sums.differ,
                  (unsigned long long)sums.crossings, (unsigned long long)sums.anew);
    assert_true(!sums.blocks || (sums.shared > sums.blocks / 8 && sums.differ < sums.shared / 4 &&
                                 sums.crossings > trials_of("TRANSLATE_TRIALS", TRIALS) / 16 &&
                                 sums.anew > trials_of("TRANSLATE_TRIALS", TRIALS) / 16)); /* or no translator */
    trials_with(make_frame_program, true);
}

/* Longer than a block, of few registers, most of them such as have no host register of their own, and no branch but at
   the end: each block has its registers elsewhere, or where the one in front of it has them. */
static void make_long_program(struct random *r, uint8_t *code)
{
    static const uint16_t of_them[] = {DIS_AGR, DIS_XGR,  DIS_NGR,  DIS_OGR,  DIS_ALGR, DIS_SLGR, DIS_LGR,  DIS_LGR,
                                       DIS_AR,  DIS_XR,   DIS_ALR,  DIS_LR,   DIS_RLLG, DIS_RLL,  DIS_SLLG, DIS_SRLG,
                                       DIS_SRL, DIS_SRAG, DIS_AGHI, DIS_LG,   DIS_AG,   DIS_ALG,  DIS_STG,  DIS_L,
                                       DIS_X,   DIS_ST,   DIS_SLGR, DIS_ALGR, DIS_LCGR, DIS_CGR};
    const unsigned words = below(r, 3), low = 4 + below(r, 4), count = 2 + below(r, 9 - low);
    unsigned at = 0;
    while (at < TARGETS - 16) {
        unsigned row;
        do
            row = of_them[below(r, sizeof of_them / sizeof *of_them)];
        while (words < 2 && words == (strchr(dis_rows[row].mnemonic, 'g') != NULL)); /* or both */
        make_general(r, row, code + at);
        const unsigned format = dis_rows[row].format;
        if (format == DIS_FMT_RRE || format == DIS_FMT_RR)
            code[at + dis_rows[row].length - 1] = (uint8_t)((low + below(r, count)) << 4 | (low + below(r, count)));
        else
            set_nibble(code + at, 8, low + below(r, count));
        if (dis_rows[row].flags & (DIS_FETCHES | DIS_STORES)) {
            set_nibble(code + at, 12, below(r, 3) ? 0 : 14);
            code[at + 2] &= (uint8_t)(0xf0 | below(r, 2));
        } else if (format == DIS_FMT_RSY_a || format == DIS_FMT_RS_a) {
            set_nibble(code + at, 12, low + below(r, count));
        }
        at += dis_rows[row].length;
    }
    make_end(code, at);
}

/* As many instructions at once, which lockstep does not do. */
static void long_programs(void **state)
{
    static struct trial t;
    const uint64_t trials = trials_of("TRANSLATE_TRIALS", TRIALS), first = trials_of("TRANSLATE_FROM", 1);
    uint64_t kept = 0, blocks = 0, done;
    (void)state;
    for (uint64_t seed = first; seed < first + trials; seed++) {
        struct cpu_system a, b;
        struct random r = seeded(seed);
        make_trial(&r, &t, make_long_program);
        struct cpu *ca = make_cpu(&a, &t, PSW_EA | PSW_BA), *cb = make_cpu(&b, &t, PSW_EA | PSW_BA);
        use_engine(ca, ENGINE_TRANSLATE, seed % 3 ? 0 : seed % 16);
        cb->engine_kind = ENGINE_REFERENCE;
        assert_int_equal(engine_run(ca, 20000, &done), ENGINE_BUDGET);
        assert_int_equal(engine_run(cb, 20000, &done), ENGINE_BUDGET);
        if (memcmp(ca->gr, cb->gr, sizeof ca->gr) != 0 || cpu_psw_mask(ca) != cpu_psw_mask(cb) ||
            ca->psw.ia != cb->psw.ia || memcmp(a.storage.bytes, b.storage.bytes, STORE) != 0)
            fail_msg("seed %llu: another end", (unsigned long long)seed);
        kept += translator_stats(ca) ? translator_stats(ca)->kept : 0;
        blocks += translator_stats(ca) ? translator_stats(ca)->blocks : 0;
        cpu_destroy(ca);
        cpu_destroy(cb);
        storage_destroy(&a.storage);
        storage_destroy(&b.storage);
    }
    print_message("%llu blocks, %llu with registers kept\n", (unsigned long long)blocks, (unsigned long long)kept);
    assert_true(!blocks || trials == 1 || kept > blocks / 32); /* or no translator */
}

static void programs_in_threads(void **state)
{
    (void)state;
    trials_with(make_general_program, true);
}

/* Threads: another CPU has stored into code and has not told it yet. Until then instructions are what they were, in one
   piece, and not what stands there now: of another row, or none. */
static void code_that_another_cpu_changes(void **state)
{
    static const uint16_t others[] = {0xb909, 0xb924, 0xb900, 0x0000,
                                      0xe700}; /* three that are, one that is not, the beginning of a longer one */
    static struct trial t = {.at = CODE, .gr = {[2] = 1, [3] = 1000}};
    (void)state;
    put32(t.code, 0xb9080012);     /* agr %r1,%r2 */
    put32(t.code + 4, 0xa736fffe); /* brct %r3,.-4 */
    put32(t.code + 8, 0xa7f40000); /* j . */
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
        const struct translate_force force = {.heat = 8, .all = true};
        struct cpu_system sys;
        char why[256];
        uint64_t done;
        struct cpu *cpu = make_cpu(&sys, &t, PSW_EA | PSW_BA);
        sys.threads = sys.alone = true;
        cpu->engine_kind = translator_attach(cpu, &force, why, sizeof why) ? ENGINE_BLOCK : ENGINE_TRANSLATE;
        assert_int_equal(engine_run(cpu, 4, &done), ENGINE_BUDGET);
        put16(sys.storage.bytes + CODE, others[i]);
        assert_int_equal(engine_run(cpu, 1996, &done), ENGINE_BUDGET);
        assert_int_equal(cpu->psw.ia, CODE + 8);
        assert_int_equal(cpu->gr[1], 1000);
        cpu_destroy(cpu);
        storage_destroy(&sys.storage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(code_that_another_cpu_changes),
                                       cmocka_unit_test(programs),
                                       cmocka_unit_test(general_programs),
                                       cmocka_unit_test(interlocked_programs),
                                       cmocka_unit_test(frame_programs),
                                       cmocka_unit_test(long_programs),
                                       cmocka_unit_test(programs_in_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
