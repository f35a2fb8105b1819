/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random code: guests of 64 KB of biased random instructions, carried out by the block engine and the reference engine
   in lockstep. They run in the supervisor state and the problem state, with DAT on and off, in all addressing and
   address-space modes, with PER, run-time instrumentation, transactions, timers and code that changes itself; in every
   fourth guest some pages are those of its translation tables, which it changes and seldom purges. Whatever they do,
   the engines must agree in all state, and every row of the instruction table with a body must have been carried out.
   Usage: fuzz_code [GUESTS [SEED [translate|block [one|threads|profile|several|free]]]]; guest n is made from SEED + n,
   so that fuzz_code 1 SEED repeats one. The sanitizers judge as well. With `translate' the translator takes the block
   engine's place, which a program with sanitizers does not have (tests/fuzz/random_code is the same without them): it
   translates at once whatever it can, and by the seed most storage accesses are taken to miss, its buffer is small, or
   runs are; two of three guests consist of instructions that it knows, in the modes that it knows. With `threads' the
   machine is one whose CPUs have threads of their own, with fences, locks and a CPU that must be alone now and then.
   Such a machine does not see that tables were stored into: a guest that did so without a purge, or had tables of its
   own, is set aside when its engines differ then, and has its tables back as they were. With `profile' both machines
   make an edge profile, which must be the same. With `several' there are two or three CPUs, which take turns in all
   this, and the whole machines must be the same. With `free' they run in their threads, with nobody to compare them
   with: they must come back. */
#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/life/life.h"
#include "cpu/lockstep/lockstep.h"
#include "cpu/state/codes.h"
#include "cpu/state/timing.h"
#include "cpu/storage/access.h"
#include "cpu/storage/code.h"
#include "cpu/storage/tlb.h"
#include "cpu/translate/translate.h"
#include "emu/edges/profile.h"
#include "emu/machine/machine.h"
#include "emu/machine/run.h"
#include "emu/machine/snapshot.h"
#include "ri/ri.h"
#include "tests/random.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define STORAGE  (UINT64_C(1) << 20)
#define CODE     0x10000u
#define CODE_END 0x1fff0u
#define TABLES   0x20000u /* segment tables 20000, 21000, 22000; page tables 23000, 23800, 24000 */
#define HANDLER  0x30000u
#define SLOTS    0x31000u /* where instructions begin, in halfwords from CODE */
#define STATE    0x3a000u /* what the handler loads; see the offsets below */
#define DATA     0x40000u
#define DATA_END 0x80000u

/* From STATE. The handler takes the next one of each in turn. */
#define MASKS   0x0u    /* 32 PSW masks */
#define TIMER   0x300u  /* CPU timer */
#define CRS     0x1000u /* 4 sets of control registers, in 80 (hexadecimal) bytes each */
#define GRS     0x1400u /* 8 of general registers */
#define ARS     0x1c00u /* 4 of access registers, in 80 bytes each */
#define BLOCKS  0x2000u /* 4 RI control blocks */
#define COUNTER 0x2200u /* offset of the slot that is next in SLOTS */
#define PSW     0xe00u  /* real address of the PSW with which the handler goes on */

#define UNITS 400000u /* of operation for each guest, at most */
#define CHUNK 1500u   /* without a new slot in so many it is sent on by force */

enum way { WAY_ONE, WAY_THREADS, WAY_PROFILE, WAY_SEVERAL, WAY_FREE };

struct guest {
    struct machine *a, *b; /* on the block engine, on the reference engine */
    uint64_t state;        /* random numbers */
    uint64_t seed;
    unsigned slots, restarts;
    bool translate, known; /* the translator is tried, with instructions that it knows */
    bool live;             /* it can store into its translation tables */
    enum way way;
    bool threads;                           /* of the host, but one CPU */
    bool aside;                             /* its engines differed when it had changed its tables */
    uint8_t kept[STATE + 0x3000 - HANDLER]; /* the handler and what it loads, as they were made */
    uint8_t tables[0x5000];                 /* the translation tables, likewise */
};

/* What was carried out, by row: 1 it came up, 2 it completed. */
static uint8_t seen[DIS_ROW_COUNT];

static uint64_t pick(struct guest *g, uint64_t limit) { return (random_step(&g->state) >> 11) % limit; }

static uint64_t pick64(struct guest *g) { return pick(g, UINT64_C(1) << 32) << 32 | pick(g, UINT64_C(1) << 32); }

/* ---- instructions ---------------------------------------------------------------------------------------------- */

enum class { GR, GP, FR, FP, AR, CR, VR, VSAME, U, S, REL, BD, XBD, VBD, LBD, LLBD, RBD };
static const struct {
    uint8_t class, start, width, extra;
} operands[] = {
#define OPERAND(id, class, start, width, extra) [DIS_OP_##id] = {class, start, width, extra},
#include "disasm/operands.def"
#undef OPERAND
};

/* Bits [start, start+width) of an instruction that is left-aligned in 48 bits. */
static void put_bits(uint64_t *code, unsigned start, unsigned width, uint64_t value)
{
    const uint64_t ones = ((UINT64_C(1) << width) - 1) << (48 - start - width);
    *code = (*code & ~ones) | (value << (48 - start - width) & ones);
}

/* Registers 8 to 15 hold addresses, 0 to 7 numbers of all kinds. */
static uint64_t base(struct guest *g) { return pick(g, 12) ? 8 + pick(g, 8) : pick(g, 16); }

static void put_storage(struct guest *g, uint64_t *code, unsigned start, unsigned width)
{
    const uint64_t near = pick(g, 4) ? 8 * pick(g, 16) : pick(g, 4) ? pick(g, 256) : pick(g, 4096);
    put_bits(code, start, 4, base(g));
    put_bits(code, start + 4, 12, near);
    if (width == 20) /* the high-order part stands behind the low-order one */
        put_bits(code, start + 16, 8, pick(g, 16) ? 0 : pick(g, 3) ? 0xff : pick(g, 256));
}

static void put_operand(struct guest *g, uint64_t *code, unsigned kind)
{
    static const uint8_t pairs[] = {0, 1, 4, 5, 8, 9, 12, 13};
    const unsigned start = operands[kind].start, width = operands[kind].width, extra = operands[kind].extra;
    switch ((enum class)operands[kind].class) {
    case GR:
        put_bits(code, start, 4, pick(g, 2) ? 8 + pick(g, 8) : pick(g, 16));
        break;
    case GP:
        put_bits(code, start, 4, 2 * pick(g, 8));
        break;
    case FP:
        put_bits(code, start, 4, pairs[pick(g, sizeof pairs)]);
        break;
    case REL:
        put_bits(code, start, width, pick(g, 8) ? pick(g, 160) - 80 : pick64(g));
        break;
    case BD:
        put_storage(g, code, start, width);
        break;
    case XBD:
    case VBD:
        put_bits(code, extra, 4, pick(g, 3) ? 0 : pick(g, 16));
        put_storage(g, code, start, width);
        break;
    case LBD:
    case RBD:
        put_bits(code, extra, 4, pick(g, 16));
        put_storage(g, code, start, width);
        break;
    case LLBD:
        put_bits(code, extra, 8, pick(g, 3) ? pick(g, 16) : pick(g, 256));
        put_storage(g, code, start, width);
        break;
    default: /* any value will do */
        break;
    }
}

static uint64_t make_instruction(struct guest *g, unsigned row)
{
    const struct dis_row *r = &dis_rows[row];
    uint64_t code = r->opcode | (pick64(g) >> 16 & ~r->mask);
    for (unsigned i = 0; i < sizeof r->operands && r->operands[i] != DIS_OP_NONE; i++)
        if (pick(g, 16)) /* else as it came */
            put_operand(g, &code, r->operands[i]);
    if (r->flags & DIS_NEEDS_VECTOR && pick(g, 8)) { /* most sizes of elements and modifiers would not do */
        put_bits(&code, 32, 2, 0);
        if (pick(g, 2))
            put_bits(&code, 24, 7, 0);
    }
    return (code & ~r->mask) | r->opcode;
}

/* Rows that make programs of what stands between them. */
static unsigned common_row(struct guest *g)
{
    static const uint16_t rows[] = {DIS_BC,   DIS_BRC,  DIS_BRAS,   DIS_BASR,  DIS_BCR,     DIS_BRCT, DIS_CGRJ,
                                    DIS_EX,   DIS_EXRL, DIS_TBEGIN, DIS_TEND,  DIS_TBEGINC, DIS_LA,   DIS_L,
                                    DIS_LG,   DIS_ST,   DIS_STG,    DIS_MVC,   DIS_CLC,     DIS_AGR,  DIS_AHI,
                                    DIS_SLGR, DIS_LTGR, DIS_CGR,    DIS_STC,   DIS_MVI,     DIS_LMG,  DIS_STMG,
                                    DIS_XC,   DIS_SAC,  DIS_RIEMIT, DIS_RINEXT};
    return rows[pick(g, sizeof rows / sizeof *rows)];
}

/* A row that the translator has a template for. */
static unsigned known_row(struct guest *g)
{
    static const uint16_t rows[] = {
#define T(row, ...) DIS_##row,
#include "cpu/translate/emit/translate.def"
#undef T
    };
    return rows[pick(g, sizeof rows / sizeof *rows)];
}

/* Puts an instruction there. Returns the address behind it. */
static uint32_t put_instruction(struct guest *g, uint8_t *storage, uint32_t at, uint64_t code, unsigned length)
{
    put16(storage + SLOTS + 2u * g->slots++, (uint16_t)((at - CODE) / 2));
    put16(storage + at, (uint16_t)(code >> 32));
    put32(storage + at + 2, (uint32_t)code);
    return at + length;
}

/* A short loop, for the most part on words, whose counter it may change. */
static uint32_t make_loop(struct guest *g, uint8_t *storage, uint32_t at)
{
    static const uint16_t rows[] = {DIS_AR,  DIS_SR, DIS_XR,   DIS_LR,  DIS_AHI,  DIS_ALR, DIS_MSR,  DIS_SLL,
                                    DIS_SRL, DIS_L,  DIS_ST,   DIS_RLL, DIS_CR,   DIS_LTR, DIS_NILF, DIS_LLGFR,
                                    DIS_SRA, DIS_A,  DIS_LGFR, DIS_LAY, DIS_AHIK, DIS_LHI};
    const uint32_t head = at;
    for (unsigned n = 1 + (unsigned)pick(g, 8); n; n--) {
        const unsigned row = pick(g, 12) ? rows[pick(g, sizeof rows / sizeof *rows)] : known_row(g);
        at = put_instruction(g, storage, at, make_instruction(g, row), dis_rows[row].length);
    }
    const uint32_t back = (uint16_t)((int32_t)(head - at) / 2), r1 = (uint32_t)pick(g, 16) << 20;
    const uint32_t branch = pick(g, 3) ? 0xa7060000 : 0xa7040000; /* ON COUNT, ON CONDITION */
    return put_instruction(g, storage, at, (uint64_t)(branch | r1 | back) << 16, 4);
}

/* Every row comes up again and again, in another order each time. */
static void make_code(struct guest *g, uint8_t *storage)
{
    uint16_t rows[DIS_ROW_COUNT];
    unsigned count = 0, next = 0;
    uint32_t at = CODE;
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
        if (dis_implemented(row))
            rows[count++] = (uint16_t)row;
    while (at < CODE_END) {
        if (next == 0)
            for (unsigned i = count; i > 1; i--) {
                const unsigned j = (unsigned)pick(g, i);
                const uint16_t row = rows[i - 1];
                rows[i - 1] = rows[j];
                rows[j] = row;
            }
        unsigned row = g->known && pick(g, 16) ? known_row(g) : pick(g, 4) ? rows[next] : common_row(g);
        if (row == rows[next])
            next = (next + 1) % count;
        at = put_instruction(g, storage, at, make_instruction(g, row), dis_rows[row].length);
        if (g->known && pick(g, 24) == 0 && at < CODE_END - 60)
            at = make_loop(g, storage, at);
    }
}

/* ---- what they meet -------------------------------------------------------------------------------------------- */

static uint64_t some_address(struct guest *g)
{
    const uint64_t page = DATA + (pick(g, (DATA_END - DATA) >> 12) << 12);
    switch (pick(g, 12)) {
    case 0:
        return page + 4096 - pick(g, 24); /* at the end of a page */
    case 1:
        return pick(g, 3) ? CODE + 2 * pick(g, (CODE_END - CODE) / 2) : pick(g, STORAGE);
    case 2:
        return page + pick(g, 4096);
    default:
        return page + 8 * pick(g, 400);
    }
}

static uint64_t some_number(struct guest *g)
{
    static const uint64_t edges[] = {0, 1, UINT64_MAX, UINT64_C(1) << 63, 0x7fffffff, 0x80000000, 0xffffffff, 0x100};
    switch (pick(g, 6)) {
    case 0:
        return edges[pick(g, sizeof edges / sizeof *edges)];
    case 1:
        return pick(g, 300);
    case 2:
        return pick(g, 32) | (pick(g, 2) << 7); /* function codes */
    case 3:
        return pick(g, 3000);
    default:
        return pick64(g);
    }
}

static uint64_t some_mask(struct guest *g)
{
    static const uint64_t modes[] = {PSW_EA | PSW_BA, PSW_EA | PSW_BA, PSW_EA | PSW_BA, PSW_BA, 0};
    uint64_t mask = modes[pick(g, sizeof modes / sizeof *modes)];
    if (g->known) {
        mask = pick(g, 8) ? PSW_EA | PSW_BA : PSW_BA;
        mask |= pick(g, 2) ? BIT64(5) : 0;
        mask |= pick(g, 4) ? 0 : BIT64(7) | BIT64(15);
        return mask | pick(g, 64) << (63 - 23);
    }
    mask |= pick(g, 4) ? BIT64(5) : 0;  /* DAT */
    mask |= pick(g, 3) ? 0 : BIT64(1);  /* PER */
    mask |= pick(g, 2) ? BIT64(24) : 0; /* run-time instrumentation */
    mask |= pick(g, 3) ? 0 : BIT64(7);  /* external */
    mask |= pick(g, 8) ? 0 : BIT64(6);  /* I/O */
    mask |= pick(g, 4) ? 0 : BIT64(15); /* problem state */
    mask |= pick(g, 4) ? 0 : pick(g, 16) << (63 - 11);
    mask |= pick(g, 2) ? pick(g, 4) << (63 - 17) : 0; /* address space: primary, AR mode, secondary, home */
    return mask | pick(g, 64) << (63 - 23);           /* condition code and program mask */
}

static uint64_t some_entry(struct guest *g)
{
    const uint64_t frame = pick(g, 8) ? DATA + (pick(g, (DATA_END - DATA) >> 12) << 12) : pick(g, STORAGE >> 12) << 12;
    return frame | (pick(g, 8) ? 0 : 0x400) | (pick(g, 8) ? 0 : 0x200);
}

static void make_tables(struct guest *g, uint8_t *storage)
{
    for (unsigned space = 0; space < 3; space++) {
        const uint32_t segments = TABLES + 0x1000 * space, pages = 0x23000 + 0x800 * space;
        for (unsigned i = 0; i < 512; i++)
            put64(storage + segments + 8 * i, i < 2 ? pages : 0x20 /* invalid */);
        for (unsigned i = 0; i < 256; i++) {
            const bool code = i >= CODE >> 12 && i < 0x20, data = i >= DATA >> 12 && i < DATA_END >> 12;
            uint64_t entry = (uint64_t)i << 12;
            if (data && pick(g, 10) == 0)
                entry = DATA + (pick(g, (DATA_END - DATA) >> 12) << 12);
            if (!code && !data && !(i == 0 && pick(g, 2)))
                entry |= 0x400; /* invalid */
            else
                entry |= pick(g, 24) ? 0 : 0x400;
            entry |= pick(g, 24) ? 0 : 0x200; /* protected */
            put64(storage + pages + 8 * i, entry);
        }
        for (unsigned i = 0; g->live && i < 6; i++)
            put64(storage + pages + 8 * ((DATA >> 12) + pick(g, (DATA_END - DATA) >> 12)),
                  i < 3 ? pages & ~0xfffu : TABLES + (pick(g, 5) << 12));
    }
    /* dispatchable-unit control table: an access list of entries that are invalid */
    memset(storage + 0x25000, 0x80, 0x400);
}

static void make_controls(struct guest *g, uint8_t *at)
{
    uint64_t cr[16] = {0};
    const uint64_t always = BIT64(8) | BIT64(35) | BIT64(36) | BIT64(37) | BIT64(45) | BIT64(46) | BIT64(56);
    cr[0] = always | (pick(g, 2) ? 0 : pick64(g) & ~BIT64(33));
    cr[0] &= pick(g, 8) ? UINT64_MAX : ~(BIT64(45) | BIT64(46)) | pick64(g);
    cr[1] = TABLES;
    cr[7] = TABLES + 0x1000;
    cr[13] = TABLES + 0x2000;
    cr[2] = 0x25000 | pick(g, 16) << 2;
    cr[3] = pick(g, 2) ? 0xffff0000 : pick64(g);
    cr[4] = pick(g, 2) ? 0x00010001 : pick64(g);
    cr[5] = 0x25200;
    cr[6] = pick(g, 2) ? 0xff000000 : 0;
    cr[8] = pick64(g);
    cr[9] = pick(g, 2) ? 0 : pick(g, UINT64_C(1) << 32) & 0xffe00000;
    cr[10] = pick(g, 3) ? CODE + 2 * pick(g, 0x8000) : 0;
    cr[11] = pick(g, 3) ? cr[10] + pick(g, 0x400) : UINT64_MAX;
    cr[12] = pick(g, 4) ? 0 : (0x7f000 + 4 * pick(g, 256)) | BIT64(0) | BIT64(1) | 3;
    cr[14] = 0xc0000000 | pick(g, 2) << 19;
    cr[15] = DATA + 0x1000 + 8 * pick(g, 64);
    for (unsigned i = 0; i < 16; i++)
        put64(at + 8 * i, cr[i]);
}

static void make_ri(struct guest *g, uint8_t *at)
{
    struct ri_controls c = {.v = 1,
                            .s = pick(g, 2),
                            .k = pick(g, 2),
                            .h = pick(g, 4) == 0,
                            .ps = pick(g, 4) != 0,
                            .qs = pick(g, 4) != 0,
                            .pc = pick(g, 4) != 0,
                            .qc = pick(g, 4) != 0,
                            .u = pick(g, 2),
                            .rgs = (uint8_t)pick(g, 4),
                            .m = (uint8_t)pick(g, 3),
                            .n = pick(g, 2),
                            .c = pick(g, 2),
                            .r = pick(g, 2),
                            .b = pick(g, 2),
                            .j = pick(g, 2),
                            .e = pick(g, 2),
                            .x = pick(g, 2),
                            .d = pick(g, 2),
                            .f = pick(g, 4) != 0,
                            .ic = (uint8_t)pick(g, 16),
                            .dc = (uint8_t)pick(g, 16)};
    c.roa = c.rca = DATA + (pick(g, 32) << 12);
    c.rla = c.roa + 0xfff;
    c.sf = 1 + pick(g, pick(g, 2) ? 8 : 300);
    c.rsic = 0;
    ri_controls_encode(&c, at);
}

static void make_state(struct guest *g, uint8_t *storage)
{
    uint8_t *at = storage + STATE;
    for (unsigned i = 0; i < 32; i++)
        put64(at + MASKS + 8 * i, some_mask(g));
    put64(at + TIMER, 0x1000 + pick(g, 0x4000000));
    for (unsigned i = 0; i < 4; i++) {
        make_controls(g, at + CRS + 0x80 * i);
        make_ri(g, at + BLOCKS + 0x40 * i);
        for (unsigned n = 0; n < 16; n++)
            put32(at + ARS + 0x80 * i + 4 * n, (uint32_t)(pick(g, 12) ? pick(g, 2) : pick(g, UINT64_C(1) << 32)));
    }
    for (unsigned i = 0; i < 8; i++)
        for (unsigned n = 0; n < 16; n++)
            put64(at + GRS + 0x80 * i + 8 * n, n < 8 && pick(g, 8) ? some_number(g) : some_address(g));
    for (uint32_t d = DATA; d < DATA_END; d += 8) {
        const uint64_t kind = pick(g, 8);
        put64(storage + d, kind == 0   ? some_address(g)
                           : kind == 1 ? some_number(g)
                           : kind == 2 ? some_mask(g)
                           : kind == 3 ? UINT64_C(0x000000012345678c)
                           : kind == 4 ? UINT64_C(0x3ff0000000000000) + pick(g, 1000)
                           : kind == 5 ? UINT64_C(0xc1c2c3c4f1f2f3f4)
                           : kind == 6 ? (g->live ? some_entry(g) : 0)
                                       : pick64(g));
    }
}

/* The handler of every interruption: the next slot, with the next PSW mask and the next registers. */
static void make_handler(struct guest *g, uint8_t *storage)
{
    char lines[40][48];
    unsigned n = 0;
    uint32_t at = HANDLER, skip = 0;
    char why[200];
#define LINE(...) snprintf(lines[n++], sizeof lines[0], __VA_ARGS__)
    LINE("lgfi %%r5,%u", STATE);
    LINE("lg %%r2,%u(%%r5)", COUNTER);
    LINE("aghi %%r2,2");
    LINE("clgfi %%r2,%u", 2 * g->slots);
    LINE("lghi %%r0,0");
    LINE("locgrhe %%r2,%%r0");
    LINE("stg %%r2,%u(%%r5)", COUNTER);
    LINE("lgfi %%r4,%u", SLOTS);
    LINE("llgh %%r3,0(%%r2,%%r4)");
    LINE("sllg %%r3,%%r3,1");
    LINE("agfi %%r3,%u", CODE);
    LINE("stg %%r3,%u", PSW + 8);
    LINE("lgr %%r6,%%r2");
    LINE("mghi %%r6,73");
    LINE("srlg %%r6,%%r6,4");
    LINE("nilf %%r6,31");
    LINE("sllg %%r6,%%r6,3");
    LINE("lg %%r7,0(%%r6,%%r5)");
    LINE("stg %%r7,%u", PSW);
    LINE("srlg %%r6,%%r2,5");
    LINE("nilf %%r6,3");
    LINE("sllg %%r7,%%r6,6");
    LINE("agr %%r7,%%r5");
    LINE("sllg %%r6,%%r6,7");
    LINE("agr %%r6,%%r5");
    LINE("spt %u(%%r5)", TIMER);
    LINE("lamy %%a0,%%a15,%u(%%r6)", ARS);
    LINE("lctlg %%c0,%%c15,%u(%%r6)", CRS);
    LINE("tmll %%r2,31");
    skip = n;
    LINE("jne 0x%x", 0x30000); /* behind the next one; its address follows */
    LINE("lric %u(%%r7)", BLOCKS);
    LINE("srlg %%r6,%%r2,1");
    LINE("nilf %%r6,7");
    LINE("sllg %%r6,%%r6,7");
    LINE("agr %%r6,%%r5");
    LINE("lmg %%r0,%%r15,%u(%%r6)", GRS);
    LINE("lpswe %u", PSW);
#undef LINE
    for (unsigned i = 0; i < n; i++) {
        uint8_t bytes[6];
        if (i == skip)
            snprintf(lines[i], sizeof lines[i], "jne 0x%x", at + 10);
        int length = dis_assemble(lines[i], at, bytes, why, sizeof why);
        if (length < 0) {
            fprintf(stderr, "fuzz_code: %s: %s\n", lines[i], why);
            exit(99);
        }
        memcpy(storage + at, bytes, (size_t)length);
        at += (uint32_t)length;
    }
}

/* ---- a guest --------------------------------------------------------------------------------------------------- */

/* Control registers have pointed to other tables than those that were made. */
static bool other_tables;

static void after(void *context, struct cpu *cpu, const struct dis_insn *insn, int code)
{
    (void)context;
    other_tables |= cpu->cr[1] != TABLES || cpu->cr[7] != TABLES + 0x1000 || cpu->cr[13] != TABLES + 0x2000;
    if (insn->row != DIS_NO_ROW)
        seen[insn->row] |= (uint8_t)(1 | (code == 0 || cpu_completes(cpu, code) ? 2 : 0));
}
static const struct cpu_observer observer = {.after = after};

/* To the handler, which is mended: the code may have written over it, changed the prefix, stopped the CPU. */
static void send_one_on(struct guest *g, struct machine *m, struct cpu *cpu)
{
    uint8_t *storage = m->sys.storage.bytes, counter[8];
    if (cpu->tx_depth || cpu->state != CPU_STATE_OPERATING)
        cpu_reset(cpu, CPU_RESET);
    if (!cpu_set_prefix(cpu, 0))
        exit(99);
    memcpy(counter, storage + STATE + COUNTER, sizeof counter);
    memcpy(storage + HANDLER, g->kept, sizeof g->kept);
    memcpy(storage + STATE + COUNTER, counter, sizeof counter);
    for (unsigned psw = 0x1a0; psw < 0x200; psw += 16) {
        put64(storage + psw, PSW_EA | PSW_BA);
        put64(storage + psw + 8, HANDLER);
    }
    cpu_code_written(&m->sys, 0, 0x1000);
    cpu_code_written(&m->sys, HANDLER, sizeof g->kept);
    if (cpu_load_psw(cpu, PSW_EA | PSW_BA, HANDLER))
        exit(99);
    cpu_set_state(cpu, CPU_STATE_OPERATING);
    m->powered_off = false;
    m->diagnose.load = DIAGNOSE_LOAD_NONE;
}

static void send_on(struct guest *g, struct machine *m)
{
    for (unsigned i = 0; i < m->sys.cpu_count; i++)
        send_one_on(g, m, m->sys.cpus[i]);
}

/* The tables as they were made: what a guest has put there would soon translate nothing. */
static void mend_tables(struct guest *g, struct machine *m)
{
    memcpy(m->sys.storage.bytes + TABLES, g->tables, sizeof g->tables);
    cpu_code_written(&m->sys, TABLES, sizeof g->tables);
    if (m->sys.threads)
        tlb_purge_spaces(m->sys.cpus[0]);
}
static bool tables_stand(const struct guest *g, const struct machine *m)
{
    return memcmp(m->sys.storage.bytes + TABLES, g->tables, sizeof g->tables) == 0;
}

/* Nobody is at home but for a clock, by which a run in threads is ended. */
static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}
static uint64_t until_ms;
static bool poll_host(void *context)
{
    (void)context;
    return now_ms() >= until_ms;
}
static bool idle_host(void *context, uint64_t *us)
{
    (void)context;
    *us = *us < 1000 ? *us : 1000;
    usleep((unsigned)*us);
    return true;
}
static void nothing_said(void *context, const char *text)
{
    (void)context;
    (void)text;
}
static void nothing_put_out(void *context, const char *text, size_t length)
{
    (void)context;
    (void)text;
    (void)length;
}
static const struct machine_host home = {
    .poll = poll_host, .idle = idle_host, .message = nothing_said, .output = nothing_put_out};

static struct machine *make_machine(const struct guest *g, enum engine_kind engine)
{
    struct machine_config config = machine_default_config();
    char error[512];
    config.storage = STORAGE;
    config.engine = (uint8_t)engine;
    config.cpus = g->way == WAY_SEVERAL || g->way == WAY_FREE ? 2 + g->seed % 2 : 1;
    config.threads = g->way == WAY_FREE;
    struct machine *m = machine_create(&config, g->way == WAY_FREE ? &home : NULL, error, sizeof error);
    if (!m) {
        fprintf(stderr, "fuzz_code: %s\n", error);
        exit(99);
    }
    m->sys.threads |= g->threads;
    return m;
}

/* An edge profile with a short interval, in all states. */
static void profile(const struct guest *g, struct machine *m)
{
    struct emu_edges edges;
    const char *doubt;
    char error[512];
    emu_edges_reset(&edges);
    edges.has_base = edges.problem = edges.supervisor = true;
    edges.base = 97 + 331 * (g->seed / 64 % 4);
    if (edge_profile_set(m, &edges, &doubt, error, sizeof error) || edge_profile_on(m, error, sizeof error)) {
        fprintf(stderr, "fuzz_code: %s\n", error);
        exit(99);
    }
}

static int put(void *file, const void *bytes, size_t size) { return fwrite(bytes, 1, size, file) == size ? 0 : -EIO; }

/* Its text, to be freed. */
static char *profile_of(struct machine *m, size_t *size)
{
    char *text = NULL, error[512];
    struct ep_profile *copy;
    FILE *file = open_memstream(&text, size);
    const struct ep_sink sink = {file, put};
    if (!file || edge_profile_copy(m, false, &copy, error, sizeof error) ||
        ep_profile_write(copy, &sink, error, sizeof error) || fclose(file)) {
        fprintf(stderr, "fuzz_code: no profile\n");
        exit(99);
    }
    ep_profile_free(copy);
    return text;
}

static bool same_profile(const struct guest *g, uint64_t *samples)
{
    size_t size[2];
    char *a = profile_of(g->a, &size[0]), *b = profile_of(g->b, &size[1]);
    const bool same = size[0] == size[1] && memcmp(a, b, size[0]) == 0;
    *samples += edge_profile_state(g->a).counts.accepted;
    free(a);
    free(b);
    return same;
}

/* What makes rare paths frequent, by the seed. */
static void try_translator(const struct guest *g)
{
    static const uint8_t misses[] = {0, 1, 2, 7};
    const struct translate_force force = {.heat = 1 + (unsigned)(g->seed / 4 % 2),
                                          .miss = misses[g->seed / 8 % 4],
                                          .looks = g->seed / 16 % 3 == 1 ? 1 : 0,
                                          .wander = g->seed / 16 % 3 == 2,
                                          .buffer = g->seed % 5 ? 0 : 65536,
                                          .narrow = g->seed / 3 % 2,
                                          .all = true};
    char why[256];
    for (unsigned i = 0; i < g->a->sys.cpu_count; i++) {
        if (translator_attach(g->a->sys.cpus[i], &force, why, sizeof why)) {
            fprintf(stderr, "fuzz_code: %s\n", why);
            exit(99);
        }
        g->a->sys.cpus[i]->engine_kind = ENGINE_TRANSLATE;
    }
}

static void make_guest(struct guest *g, uint64_t seed, bool translate, enum way way)
{
    memset(g, 0, sizeof *g);
    g->seed = seed;
    g->translate = translate;
    g->way = way;
    g->threads = way == WAY_THREADS;
    g->known = translate && seed % 3;
    g->live = seed % 4 == 3 && !g->threads;
    g->state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
    g->a = make_machine(g, ENGINE_BLOCK);
    if (translate)
        try_translator(g);
    g->b = make_machine(g, ENGINE_REFERENCE);
    uint8_t *storage = g->a->sys.storage.bytes;
    for (unsigned i = 0; i < 20; i++)
        (void)pick(g, 2);
    make_code(g, storage);
    make_tables(g, storage);
    make_state(g, storage);
    make_handler(g, storage);
    memcpy(g->kept, storage + HANDLER, sizeof g->kept);
    memcpy(g->tables, storage + TABLES, sizeof g->tables);
    memcpy(g->b->sys.storage.bytes, storage, STORAGE);
    for (unsigned frame = 0; frame < STORAGE >> PAGE_BITS; frame++)
        g->a->sys.storage.keys[frame] = g->b->sys.storage.keys[frame] =
            (uint8_t)(frame < DATA >> 12 || pick(g, 3) ? 0 : pick(g, 128) << 1);
    for (unsigned i = 0; i < 32; i++)
        g->a->sys.cpus[0]->vr[i] = g->b->sys.cpus[0]->vr[i] = (struct vector_register){some_number(g), pick64(g)};
    for (unsigned i = 0; i < g->b->sys.cpu_count; i++)
        g->b->sys.cpus[i]->observer = &observer;
    send_on(g, g->a);
    send_on(g, g->b);
    if (way == WAY_PROFILE) {
        profile(g, g->a);
        profile(g, g->b);
    }
}

/* Where the reference engine stands and what it was about to do. */
static void tell(const struct guest *g, const char *why, uint64_t done)
{
    const struct cpu *cpu = g->b->sys.cpus[0];
    char text[80] = "";
    if (cpu->psw.ia < STORAGE - 6)
        dis_text(g->b->sys.storage.bytes + cpu->psw.ia, cpu->psw.ia, true, text, sizeof text);
    printf("guest %" PRIu64 ": the engines differ after %" PRIu64 " units: %s; PSW %016" PRIX64 " %016" PRIX64
           " (real storage there: %s)\n",
           g->seed, done, why, cpu_psw_mask(cpu), cpu->psw.ia, text);
}

/* A chunk in lockstep; in every other guest of the translator in runs of 64 instructions at most. */
static bool run_chunk(struct guest *g, char *why, size_t size)
{
    struct cpu *a = g->a->sys.cpus[0], *b = g->b->sys.cpus[0];
    const bool brief = g->translate && g->seed / 2 % 2;
    for (unsigned done = 0, n; done < CHUNK; done += n) {
        n = brief ? 1 + pick(g, 64) : CHUNK;
        if (!lockstep_registers(a, b, n, why, size))
            return false;
        if (b->state != CPU_STATE_OPERATING)
            return true;
    }
    return true;
}

static bool run_guest(struct guest *g, uint64_t *units, uint64_t *samples)
{
    struct cpu *a = g->a->sys.cpus[0], *b = g->b->sys.cpus[0];
    const uint8_t *counter = g->b->sys.storage.bytes + STATE + COUNTER;
    uint64_t done = 0, visited = 0;
    unsigned chunks = 0;
    char why[512];
    while (done < UNITS && visited < g->slots && g->restarts < 4 * g->slots) {
        const uint64_t slot = get64(counter), before = cpu_instructions(b);
        other_tables = false;
        bool same = run_chunk(g, why, sizeof why);
        const bool doubt = g->threads && (other_tables || !tables_stand(g, g->a) || !tables_stand(g, g->b));
        if (doubt)
            same &= lockstep_storage(a, b, why, sizeof why);
        g->aside = !same && doubt;
        if (!same && !doubt)
            tell(g, why, done);
        if (!same)
            return doubt;
        done += cpu_instructions(b) - before;
        const uint64_t now = get64(counter);
        visited += now < slot ? g->slots : (now - slot) / 2;
        if (now == slot || b->state != CPU_STATE_OPERATING || cpu_instructions(b) == before) {
            g->restarts++;
            send_on(g, g->a);
            send_on(g, g->b);
        }
        if (doubt || (g->live && ++chunks % 8 == 0)) {
            mend_tables(g, g->a);
            mend_tables(g, g->b);
        }
    }
    *units += done;
    if (g->way == WAY_PROFILE && !same_profile(g, samples)) {
        tell(g, "their profiles", done);
        return false;
    }
    if (lockstep_storage(a, b, why, sizeof why))
        return true;
    tell(g, why, done);
    return false;
}

/* Everything but the code of the latest data exception: engines leave different ones behind. */
static bool same_machines(struct guest *g, char *why, size_t size)
{
    struct snapshot_bytes a = {0}, b = {0};
    char error[512];
    for (unsigned i = 0; i < g->a->sys.cpu_count; i++) {
        struct cpu *one = g->a->sys.cpus[i], *other = g->b->sys.cpus[i];
        one->dxc = other->dxc = one->vxc = other->vxc = 0;
    }
    if (snapshot_keep(g->a, &a, error, sizeof error) || snapshot_keep(g->b, &b, error, sizeof error)) {
        fprintf(stderr, "fuzz_code: %s\n", error);
        exit(99);
    }
    size_t at = 0;
    while (at < a.length && at < b.length && a.bytes[at] == b.bytes[at])
        at++;
    const bool same = at == a.length && at == b.length;
    if (!same)
        snprintf(why, size, "byte %zu of their snapshots", at);
    free(a.bytes);
    free(b.bytes);
    return same && lockstep_storage(g->a->sys.cpus[0], g->b->sys.cpus[0], why, size);
}

/* Runs of machines whose CPUs take turns */
static bool run_several(struct guest *g, uint64_t *units)
{
    const uint64_t span = 1000 + g->seed * 977 % 20000;
    uint64_t done = 0;
    for (unsigned n = 0; done < UNITS && n < UNITS / span + 20; n++) {
        char why[512];
        const struct machine_result a = machine_run(g->a, span), b = machine_run(g->b, span);
        bool same = a.end == b.end && a.instructions == b.instructions;
        done += b.instructions;
        if (!same)
            snprintf(why, sizeof why, "ends %d and %d", (int)a.end, (int)b.end);
        same = same && same_machines(g, why, sizeof why);
        if (!same) {
            tell(g, why, done);
            return false;
        }
        if (b.end != MACHINE_LIMIT || n % 8 == 7) {
            g->restarts++;
            send_on(g, g->a);
            send_on(g, g->b);
        }
    }
    *units += done;
    return true;
}

/* ... and of one whose CPUs have threads. They are called back after 40 milliseconds; ten seconds are a fault. */
static bool run_free(struct guest *g, uint64_t *units)
{
    for (unsigned n = 0; n < 16; n++) {
        until_ms = now_ms() + 40;
        *units += machine_run(g->a, UNITS / 8).instructions;
        const uint64_t late = now_ms();
        if (late > until_ms + 10000) {
            printf("guest %" PRIu64 ": a run came back %" PRIu64 " ms late\n", g->seed, late - until_ms);
            return false;
        }
        send_on(g, g->a);
        if (n % 4 == 3)
            mend_tables(g, g->a);
    }
    return true;
}

static bool run_this(struct guest *g, uint64_t *units, uint64_t *samples)
{
    return g->way == WAY_SEVERAL ? run_several(g, units)
           : g->way == WAY_FREE  ? run_free(g, units)
                                 : run_guest(g, units, samples);
}

static enum way way_of(const char *name)
{
    static const char *const names[] = {[WAY_ONE] = "one",
                                        [WAY_THREADS] = "threads",
                                        [WAY_PROFILE] = "profile",
                                        [WAY_SEVERAL] = "several",
                                        [WAY_FREE] = "free"};
    for (unsigned i = WAY_ONE; i <= WAY_FREE; i++)
        if (strcmp(name, names[i]) == 0)
            return (enum way)i;
    fprintf(stderr, "fuzz_code: there is no way `%s'; there are one, threads, profile, several and free\n", name);
    exit(99);
}

static void add(struct translate_stats *all, const struct translate_stats *one)
{
    all->blocks += one->blocks;
    all->instructions += one->instructions;
    all->host += one->host;
    all->links += one->links;
    all->full += one->full;
}

int main(int argc, char **argv)
{
    const uint64_t guests = argc > 1 ? strtoull(argv[1], NULL, 10) : 30,
                   first = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    const bool translate = argc > 3 && strcmp(argv[3], "translate") == 0;
    const enum way way = argc > 4 ? way_of(argv[4]) : WAY_ONE;
    struct translate_stats all = {0};
    static struct guest g;
    uint64_t units = 0, different = 0, restarts = 0, aside = 0, samples = 0;
    unsigned rows = 0, came = 0, completed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a sanitizer ends the program: what came before is there */
    for (uint64_t n = 0; n < guests; n++) {
        make_guest(&g, first + n, translate, way);
        different += !run_this(&g, &units, &samples);
        aside += g.aside;
        restarts += g.restarts;
        if (translate)
            add(&all, translator_stats(g.a->sys.cpus[0]));
        machine_destroy(g.a);
        machine_destroy(g.b);
    }
    for (unsigned row = 0; row < DIS_ROW_COUNT; row++) {
        rows += dis_implemented(row);
        came += dis_implemented(row) && seen[row] & 1;
        completed += dis_implemented(row) && seen[row] & 2;
        if (argc <= 1 && dis_implemented(row) && !seen[row])
            printf("never carried out: %s\n", dis_rows[row].mnemonic);
    }
    printf("%" PRIu64 " guests, %" PRIu64 " units of operation, sent on %" PRIu64
           " times; %u rows, %u carried out, %u to completion; the engines differ on %" PRIu64 " guests\n",
           guests, units, restarts, rows, came, completed, different);
    if (way == WAY_THREADS)
        printf("%" PRIu64 " guests that changed their tables were set aside\n", aside);
    if (way == WAY_PROFILE)
        printf("profiles have %" PRIu64 " samples\n", samples);
    if (translate)
        printf("translated: %" PRIu64 " blocks with %" PRIu64 " instructions, %" PRIu64
               " of them by templates; %" PRIu64 " links, the buffer was full %" PRIu64 " times\n",
               all.blocks, all.instructions, all.host, all.links, all.full);
    return different || (argc <= 1 && came < rows);
}
