/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random programs full of branches and RI instructions, with random controls, run by each engine in slices of random
   length: registers, PSW, storage (program buffers, stored controls) and all of RI must agree after each slice. In half
   of the runs counter sets and the sampling facility are active too, and must agree as well (EC-119, EC-135). */
#include "cpu/control/psw.h"
#include "ri/counters/sampling.h"
#include "tests/unit/ri_guest.h"
#include "tests/random.h"

#define SLOTS 160

static uint64_t seed;
static uint64_t rnd(void) { return random_step(&seed) >> 11; }
static unsigned below(unsigned n) { return (unsigned)(rnd() % n); }

static struct ri_controls random_controls(void)
{
    static const uint64_t intervals[] = {1, 2, 3, 5, 8, 13, 50, 200, 1000, 5000};
    struct ri_controls c = {.v = 1, .s = 1, .ps = 1, .qs = 1, .pc = 1, .qc = 1, .n = 1, .e = 1};
    c.roa = BASE + 0x1000 * below(6);
    c.rla = c.roa + 0x1000 * (1 + below(2)) - 1;
    if (below(12) == 0) { /* over the program, the control blocks, the prefix area; or empty */
        static const uint64_t places[] = {CODE, BLOCK, OUT, 0x14000, 0, 0x3ff000, 0x7fffffff000};
        c.roa = places[below(7)];
        c.rla = c.roa + (below(4) ? 0xfff : -(uint64_t)0x1000);
    }
    c.rca = c.roa;
    c.k = below(2);
    c.m = below(8) == 0 ? 2 : below(3) == 0 ? 0 : 1;
    c.rgs = (uint8_t)below(4);
    c.sf = intervals[below(10)];
    c.rsic = below(4) ? 0 : 1 + below(60);
    c.c = below(4) != 0;
    c.r = below(4) != 0;
    c.b = below(4) != 0;
    c.j = below(2);
    c.d = below(2);
    c.u = below(2);
    c.f = below(2);
    c.ic = c.dc = below(2) ? 15 : 0;
    c.bpxn = below(2);
    c.bpxt = below(2);
    c.bpti = below(2);
    c.bpni = below(2);
    c.key = below(20) == 0 ? 5 : 0;
    if (below(8) == 0)
        c.ps = c.pc = 0;
    if (below(8) == 0)
        c.qs = c.qc = 0;
    return c;
}

/* One line of assembler; @sN is slot N. */
static void random_line(char *line, size_t size)
{
    static const char *const lines[] = {
        "lr %r1,%r2",
        "ar %r1,%r3",
        "aghi %r3,1",
        "xgr %r1,%r1",
        "cr %r2,%r3",
        "stg %r1,0x12100",
        "lg %r2,0x12100",
        "cghi %r3,5",
        "riemit %r3",
        "riemit %r14",
        "rinext",
        "rinext",
        "rion",
        "rion",
        "rion",
        "rioff",
        "tric",
        "stric 0x12000",
        "larl %r6,@s%u",
        "larl %r6,@s%u",
        "j @s%u",
        "brc %u,@s%u",
        "brc %u,@s%u",
        "brcl %u,@s%u",
        "brct %r4,@s%u",
        "brctg %r5,@s%u",
        "brasl %r14,@s%u",
        "bras %r14,@s%u",
        "brasl %r14,@s%u",
        "br %r14",
        "br %r14",
        "basr %r7,%r6",
        "bc 15,0(%r6)",
        "bc 4,0(%r6)",
        "bcr 7,%r6",
        "bctr %r4,%r6",
        "bctg %r5,0(%r6)",
        "crj %r2,%r3,4,@s%u",
        "cgij %r3,9,2,@s%u",
        "clgrj %r1,%r3,8,@s%u",
        "brxh %r2,%r4,@s%u",
        "brxlg %r2,%r4,@s%u",
        "ex %r0,0x%x(%r9)",
        "ex %r0,0x%x(%r9)",
        "exrl %r0,@t%u",
        "svc 3",
        "lpswe 0x940",
        "lric 0x%x",
        "mric 0x%x",
        "epsw %r8,%r10",
        "bxle %r2,%r4,0(%r6)",
        "ltgr %r3,%r3",
        "slgr %r1,%r2",
        "balr %r7,%r6",
        "la %r3,1(%r3)",
        "lcctl 0x920",
        "lcctl 0x928",
        "ecctr %r1,%r11",
        "mvcl %r10,%r12",
    };
    unsigned n = below(sizeof lines / sizeof lines[0]);
    const char *from = lines[n];
    size_t at = 0;
    bool mask = strncmp(from, "brc", 3) == 0 && strstr(from, "%u,");
    for (; *from && at + 12 < size; from++) {
        if (from[0] == '%' && from[1] == 'u') {
            unsigned value = mask ? below(16) : from[-1] == 't' ? below(8) : below(SLOTS);
            at += (size_t)snprintf(line + at, size - at, "%u", value);
            mask = false;
            from++;
        } else if (from[0] == '%' && from[1] == 'x') {
            unsigned value = strstr(line, "ric") ? BLOCK + 64 * below(8) : 8 * below(8);
            at += (size_t)snprintf(line + at, size - at, "%x", value);
            from++;
        } else {
            line[at++] = *from;
            line[at] = 0;
        }
    }
}

/* A loop of one block in the place of slot `i`, left at its end or in its middle, perhaps entered by others there. */
static void random_loop(char *line, size_t size, unsigned i)
{
    static const char *const bodies[] = {
        "la %r1,1(%r1)",
        "agr %r2,%r1\n cgij %r2,9,2,@s",
        "clgrj %r1,%r3,8,@s",
        "lg %r2,0x12100\n xgr %r2,%r1",
        "lg %r2,0(%r1)\n la %r1,8(%r1)", /* of pages that are there, and of others */
        "brc 2,@s",
        "stg %r1,0x12100",
    };
    static const char *const ends[] = {"brct %r4,@w", "brctg %r5,@w", "brxlg %r3,%r10,@w", "jl @w"};
    const char *body = bodies[below(sizeof bodies / sizeof *bodies)], *end = ends[below(sizeof ends / sizeof *ends)];
    char exit[16] = "";
    if (body[strlen(body) - 1] == 's')
        snprintf(exit, sizeof exit, "%u", below(SLOTS));
    snprintf(line, size, "lhi %%r4,%u\n lghi %%r5,%u\n w%u:\n ahi %%r3,1\n %s%s\n cghi %%r3,%u\n %s%u", 1 + below(60),
             1 + below(90), i, body, exit, below(70), end, i);
}

/* The program goes round for ever; handlers return to the old PSW. */
static void random_program(struct guest *g)
{
    static char text[SLOTS * 80 + 2000];
    size_t at = 0;
    at += (size_t)snprintf(text, sizeof text, "larl %%r9,@t0\n larl %%r6,@s0\n larl %%r14,@s1\n lric 0x11000\n rion\n");
    for (unsigned i = 0; i < SLOTS; i++) {
        char line[160] = "";
        if (below(8) == 0)
            random_loop(line, sizeof line, i);
        else
            random_line(line, sizeof line);
        at += (size_t)snprintf(text + at, sizeof text - at, " s%u:\n %s\n", i, line);
    }
    snprintf(text + at, sizeof text - at,
             " j @s0\n .org 14000\n t0:\n lr %%r1,%%r2\n nopr %%r0\n nop 0\n t1:\n basr %%r7,%%r6\n nopr %%r0\n nop 0\n"
             " t2:\n br %%r6\n nopr %%r0\n nop 0\n t3:\n riemit %%r5\n nop 0\n t4:\n rinext\n nop 0\n"
             " t5:\n brasl %%r14,@s7\n nopr %%r0\n t6:\n stg %%r3,0x108(%%r9)\n nopr %%r0\n t7:\n rion\n nop 0\n"
             " back:\n lpswe 0x140\n program:\n lpswe 0x150\n external:\n lpswe 0x130\n");
    guest_code(g, CODE, text);
    uint64_t handler = PSW_64 | (below(4) == 0 ? PSW_RI : 0);
    guest_psw(g, 0x1c0, handler, label(g, "back"));
    guest_psw(g, 0x1d0, PSW_64, label(g, "program"));
    guest_psw(g, 0x1b0, PSW_64, label(g, "external"));
    guest_psw(g, 0x940, PSW_64 | PSW_RI | PSW_EXT | (below(2) ? PSW_PROBLEM : 0), label(g, "s3"));
}

/* Counters active, and samples at short intervals into two blocks that follow each other. */
#define TABLE 0x28000u
static void measure(struct guest *g, uint64_t interval)
{
    uint8_t block[COUNTERS_BLOCK] = {0};
    put64(g->storage + 0x920, 0x60006);
    put64(g->storage + 0x928, 0x60000);
    put64(g->storage + TABLE, TABLE + 0x1000);
    put64(g->storage + TABLE + 8, TABLE + 0x2000);
    put64(g->storage + TABLE + 16, TABLE + 1);
    put64(block, SAMPLING_ES | SAMPLING_CS | SAMPLING_ED | SAMPLING_CD);
    put64(block + 16, TABLE);
    put64(block + 24, TABLE + 0x1000);
    counters_control(g->cpu->counters, 0x60006);
    sampling_control(g->cpu->counters, block);
    g->cpu->counters->sampling.interval = g->cpu->counters->sampling.left = interval; /* shorter than is possible */
}

static void same_counters(const struct counters *x, const struct counters *y)
{
    assert_memory_equal(x->value, y->value, sizeof x->value);
    assert_int_equal(x->active, y->active);
    assert_int_equal(x->alerts, y->alerts);
    assert_int_equal(x->samples, y->samples);
    assert_int_equal(x->sampling.controls, y->sampling.controls);
    assert_int_equal(x->sampling.left, y->sampling.left);
    assert_int_equal(x->sampling.tear, y->sampling.tear);
    assert_int_equal(x->sampling.dear, y->sampling.dear);
    assert_false(x->due || y->due);
}

static void save(void *context, const char *name, void *place, size_t size)
{
    FILE *f = context;
    /* What is not architecture, or only a shadow of what was: old ring slots, the counts of the ring, empty entries. */
    if (strcmp(name, "ring") && strcmp(name, "head") && strcmp(name, "start") && strncmp(name, "predictor", 9) &&
        strncmp(name, "group", 5) && strncmp(name, "partial", 7) && strcmp(name, "nsi"))
        fwrite(place, size, 1, f);
}

static void same(struct guest *a, struct guest *b)
{
    struct cpu *x = a->cpu, *y = b->cpu;
    char one[2000], two[2000];
    memset(one, 0, sizeof one);
    memset(two, 0, sizeof two);
    assert_int_equal(x->psw.ia, y->psw.ia);
    assert_int_equal(cpu_psw_mask(x), cpu_psw_mask(y));
    assert_memory_equal(x->gr, y->gr, sizeof x->gr);
    assert_int_equal(x->bear, y->bear);
    assert_int_equal(x->elapsed, y->elapsed);
    assert_int_equal(cpu_cycles(x), cpu_cycles(y));
    FILE *f = fmemopen(one, sizeof one, "wb");
    ri_each_field(x->ri, save, f);
    fclose(f);
    f = fmemopen(two, sizeof two, "wb");
    ri_each_field(y->ri, save, f);
    fclose(f);
    assert_memory_equal(one, two, sizeof one);
    assert_int_equal(x->ri->groups, y->ri->groups);
    assert_int_equal(ri_collected(x->ri), ri_collected(y->ri));
    for (unsigned i = 0; i < ri_collected(x->ri); i++) {
        struct ri_record r = ri_collected_record(x->ri, i), s = ri_collected_record(y->ri, i);
        assert_int_equal(r.hi, s.hi);
        assert_int_equal(r.lo, s.lo);
    }
    same_counters(x->counters, y->counters);
    assert_memory_equal(a->storage, b->storage, 0x30000);
}

static void run_programs(uint64_t start, unsigned programs, enum engine_kind engine)
{
    static const char *const profiles[] = {"RI-A", "RI-A", "RI-B", "RI-D"};
    uint64_t groups = 0, instructions = 0, counted = 0, samples = 0, done;
    seed = start;
    for (unsigned n = 0; n < programs; n++) {
        struct guest g[2];
        const char *profile = profiles[below(4)];
        uint8_t blocks[8][64];
        uint64_t keep = seed;
        for (unsigned i = 0; i < 8; i++) {
            struct ri_controls c = random_controls();
            if (below(20) == 0)
                c.v = 0;
            ri_controls_encode(&c, blocks[i]);
        }
        const uint64_t interval = 1 + below(below(2) ? 20 : 500);
        uint64_t program = seed;
        for (unsigned e = 0; e < 2; e++) {
            guest_init_forced(&g[e], profile, e ? ENGINE_REFERENCE : engine, n / 2 % 8);
            memcpy(g[e].storage + BLOCK, blocks, sizeof blocks);
            seed = program;
            random_program(&g[e]);
            if (n & 1)
                measure(&g[e], interval);
            g[e].cpu->gr[4] = 3;
            g[e].cpu->gr[5] = 7;
            g[e].cpu->state = CPU_STATE_OPERATING;
            assert_int_equal(cpu_load_psw(g[e].cpu, PSW_64, CODE), 0);
        }
        for (unsigned slice = 0; slice < 40; slice++) {
            uint64_t length = below(4) ? 1 + below(40) : 1 + below(2000);
            enum engine_end end[2];
            for (unsigned e = 0; e < 2; e++) {
                end[e] = engine_run(g[e].cpu, length, &done);
                engine_advance(&g[e].sys, cpu_cycles(g[e].cpu) - g[e].cpu->slice_start);
            }
            if (g[0].cpu->psw.ia != g[1].cpu->psw.ia || memcmp(g[0].storage, g[1].storage, 0x30000))
                print_error("program %u, seed %llx, slice %u\n", n, (unsigned long long)keep, slice);
            same(&g[0], &g[1]);
            assert_int_equal(end[0], end[1]);
            instructions += done;
            if (end[0] != ENGINE_BUDGET) /* it overwrote the handlers, or the like */
                break;
        }
        groups += guest_groups(&g[0]);
        counted += g[0].cpu->counters->value[COUNTER_INSTRUCTIONS];
        samples += g[0].cpu->counters->samples;
        guest_end(&g[0]);
        guest_end(&g[1]);
    }
    print_message("%u programs, %llu instructions, %llu groups; %llu instructions counted, %llu samples\n", programs,
                  (unsigned long long)instructions, (unsigned long long)groups, (unsigned long long)counted,
                  (unsigned long long)samples);
    assert_true(groups > programs && counted > 1000 * programs && samples > programs);
}

static void engines_agree(void **state)
{
    (void)state;
    const char *text = getenv("RI_PROGRAMS"); /* more for a long run by hand */
    const unsigned programs = text ? (unsigned)strtoul(text, NULL, 10) : 60;
    run_programs(0x123456789abcdef1, programs, ENGINE_BLOCK);
    run_programs(0x2345678, 2 * programs, ENGINE_TRANSLATE);
}

/* One address has a relative branch and one to the address in a register, by turns, which go to the same place: each
   was predicted by what the other one did there (specification F.5, RI-100). */
static void kinds_at_one_address(void **state)
{
    static const enum engine_kind kinds[] = {ENGINE_REFERENCE, ENGINE_BLOCK, ENGINE_TRANSLATE};
    struct guest g[3];
    (void)state;
    for (unsigned e = 0; e < 3; e++) {
        const struct ri_controls c = {.v = 1,
                                      .qs = 1,
                                      .qc = 1,
                                      .m = 1,
                                      .b = 1,
                                      .f = 1,
                                      .rgs = 2,
                                      .sf = 9,
                                      .roa = BASE,
                                      .rca = BASE,
                                      .rla = BASE + 0x3fff};
        uint64_t done;
        guest_init(&g[e], "RI-A", kinds[e]);
        ri_controls_encode(&c, g[e].storage + BLOCK);
        guest_code(&g[e], CODE,
                   " larl %r6,@there\n larl %r8,@x\n larl %r9,@relative\n larl %r10,@register\n lric 0x11000\n rion\n"
                   " lghi %r4,60\n next:\n mvc 0(4,%r8),0(%r9)\n lghi %r5,3\n one:\n cr %r1,%r1\n j @x\n"
                   " x:\n brc 8,@there\n nopr %r0\n there:\n brct %r5,@one\n"
                   " lgr %r11,%r9\n lgr %r9,%r10\n lgr %r10,%r11\n brct %r4,@next\n lpswe 0x900\n"
                   " relative:\n nop 0\n register:\n bc 8,0(%r6)\n");
        memcpy(g[e].storage + label(&g[e], "relative"), g[e].storage + label(&g[e], "x"), 4);
        g[e].cpu->state = CPU_STATE_OPERATING;
        assert_int_equal(cpu_load_psw(g[e].cpu, PSW_64, CODE), 0);
        assert_int_equal(engine_run(g[e].cpu, 100000, &done), ENGINE_WAIT);
        assert_int_equal(g[e].cpu->psw.ia, WAIT_END);
        assert_true(guest_groups(&g[e]) > 100);
        same(&g[0], &g[e]);
    }
    for (unsigned e = 0; e < 3; e++)
        guest_end(&g[e]);
}

int main(void)
{
    RI_OR_SKIP();
    const struct CMUnitTest tests[] = {cmocka_unit_test(engines_agree), cmocka_unit_test(kinds_at_one_address)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
