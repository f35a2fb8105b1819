/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline model on the worked examples of the event-counter specification, section 6. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "ri/counters/model/passages.h"
#include "tests/unit/ec_guest.h"

struct seen {
    unsigned count;
    struct ec_passage passage[2048];
    uint64_t c[2048];
};

static void passed(void *context, const struct ec_passage *p)
{
    struct seen *s = context;
    assert_true(s->count < 2048 && p->id == s->count);
    s->c[s->count] = 0;
    s->passage[s->count++] = *p;
}

static void ended(void *context, uint64_t first, unsigned count, uint64_t c, bool cancelled, bool wrong_path)
{
    struct seen *s = context;
    (void)cancelled;
    for (unsigned i = 0; i < count; i++) {
        assert_true(first + i < s->count);
        s->c[first + i] = wrong_path ? 0 : c;
    }
}

/* All events have pairs. */
static struct ec_model *fresh(struct guest *g, const struct ec_profile *profile)
{
    struct ec_model *m = guest_model(g, profile);
    ec_add_pairs(ec_model_counting(m), UINT64_MAX);
    return m;
}

static struct ec_profile teach(void)
{
    struct ec_profile p;
    assert_int_equal(ec_profile_built_in("teach", &p), 0);
    return p;
}

static void counted(const struct ec_model *m, const char *name, uint64_t all, uint64_t completed)
{
    struct ec_totals t;
    const enum ec_event e = ec_event_named(name);
    assert_true(e != EC_NONE);
    ec_model_totals(m, &t);
    if (t.all[e] != all || t.completed[e] != completed)
        fail_msg("%s: %llu/%llu, not %llu/%llu", name, (unsigned long long)t.all[e], (unsigned long long)t.completed[e],
                 (unsigned long long)all, (unsigned long long)completed);
}

/* Lines of "address tag F D X N C"; a wrong path's begin with w, and have as many numbers as were reached. */
struct line {
    bool wrong;
    uint64_t ia;
    unsigned tag;
    uint64_t f, d, x, n, c;
};
static void passages(const struct seen *s, const struct line *line, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct ec_passage *p = &s->passage[i];
        assert_true(i < s->count);
        if (p->ia != line[i].ia || p->wrong_path != line[i].wrong || p->tag != line[i].tag || p->f != line[i].f ||
            p->d != line[i].d || p->x != line[i].x || p->n != line[i].n || s->c[i] != line[i].c)
            fail_msg("line %u: %llx tag %u F %llu D %llu X %llu N %llu C %llu", i, (unsigned long long)p->ia, p->tag,
                     (unsigned long long)p->f, (unsigned long long)p->d, (unsigned long long)p->x,
                     (unsigned long long)p->n, (unsigned long long)s->c[i]);
    }
}

/* ---- example 2 ------------------------------------------------------------------------------------------------- */

static void loop_guest(struct guest *g, int times)
{
    char first[32];
    memset(g, 0, sizeof *g);
    snprintf(first, sizeof first, "lghi 1,%d", times);
    uint64_t at = guest_put(g, 0x2000, first);
    at = guest_put(g, at, "lghi 2,0");
    at = guest_put(g, at, "lg 3,0(0,4)");
    at = guest_put(g, at, "agr 2,3");
    at = guest_put(g, at, "la 4,8(0,4)");
    at = guest_put(g, at, "brctg 1,0x2008");
    at = guest_put(g, at, "lg 5,0(0,6)");
    at = guest_put(g, at, "lg 6,0(0,7)");
    at = guest_put(g, at, "bcr 15,0");
    assert_int_equal(at, 0x2028);
    for (unsigned i = 0; i < 100; i++)
        guest_store8(g, 0x3000 + 8 * i, i + 1);
    g->gr[4] = 0x3000;
    g->gr[6] = 0x5000;
    g->gr[7] = 0x6000;
    g->ia = 0x2000;
}

static struct ec_model *run_loop(struct guest *g, const struct ec_profile *p, int times, const struct ec_watch *watch)
{
    loop_guest(g, times);
    struct ec_model *m = fresh(g, p);
    ec_model_watch(m, watch);
    while (g->ia != 0x2028) {
        guest_step(g, m);
        assert_true(ec_identity(ec_model_counting(m)));
    }
    return m;
}

static const struct line loop_lines[] = {
    {0, 0x2000, 0, 101, 106, 107, 108, 109},  {0, 0x2004, 1, 101, 106, 107, 108, 109},
    {0, 0x2008, 2, 102, 107, 108, 211, 212},  {0, 0x200e, 3, 102, 107, 211, 212, 213},
    {0, 0x2012, 4, 103, 108, 109, 110, 213},  {0, 0x2016, 5, 103, 108, 109, 110, 214},
    {1, 0x201a, 6, 104, 109, 110, 0, 0},      {1, 0x2020, 7, 104, 109, 110, 0, 0},
    {1, 0x2026, EC_NO_TAG, 106, 0, 0, 0, 0},  {0, 0x2008, 6, 111, 116, 117, 128, 214},
    {0, 0x200e, 7, 111, 116, 212, 213, 215},  {0, 0x2012, 8, 112, 117, 118, 119, 215},
    {0, 0x2016, 9, 112, 117, 118, 119, 216},  {0, 0x2008, 10, 113, 118, 119, 122, 216},
    {0, 0x200e, 11, 113, 118, 213, 214, 217}, {0, 0x2012, 12, 114, 119, 120, 121, 217},
    {0, 0x2016, 13, 114, 119, 120, 121, 218}, {0, 0x2008, 14, 116, 121, 122, 125, 218},
    {0, 0x200e, 15, 116, 121, 214, 215, 219}, {0, 0x2012, 0, 117, 122, 123, 124, 219},
    {0, 0x2016, 1, 117, 213, 214, 215, 220},
};
static const struct line loop_end[] = {
    {0, 0x201a, 2, 216, 221, 222, 233, 234},
    {0, 0x2020, 3, 216, 221, 222, 233, 234},
    {0, 0x2026, 4, 217, 235, 236, 237, 238},
};

static void ec_221_to_228_example_2(void **state)
{
    static struct guest g;
    static struct seen seen;
    const struct ec_profile p = teach();
    const struct ec_watch watch = {&seen, passed, NULL, ended};
    (void)state;
    struct ec_model *m = run_loop(&g, &p, 4, &watch);
    assert_int_equal(g.gr[2], 10);
    counted(m, "INST", 28, 21);
    counted(m, "FETCH", 36, 21);
    counted(m, "FINISH", 21, 21);
    counted(m, "BRANCH", 5, 4);
    counted(m, "BR_COND", 5, 4);
    counted(m, "BR_PTAKEN", 4, 3);
    counted(m, "BR_MISP", 2, 2);
    counted(m, "BR_MISP_DIR", 2, 2);
    counted(m, "FLUSH", 2, 2);
    counted(m, "FLUSHED_INST", 7, 7);
    counted(m, "BTB_MISS", 1, 1);
    counted(m, "LOAD", 9, 6);
    counted(m, "LD_BYTES", 72, 48);
    counted(m, "L1I_ACC", 8, 5);
    counted(m, "L1I_MISS", 1, 1);
    counted(m, "L1I_PEN", 100, 100);
    counted(m, "L1D_ACC", 9, 6);
    counted(m, "L1D_MISS", 6, 4);
    counted(m, "L1D_PEN", 324, 124);
    counted(m, "L2_ACC", 7, 5);
    counted(m, "L2_MISS", 4, 2);
    counted(m, "REG_RD", 30, 22);
    counted(m, "REG_WR", 27, 20);
    counted(m, "STALL_CT", 91, 91);
    counted(m, "CSTALL_L1D", 108, 108);
    assert_int_equal(ec_model_cycles(m), 238);
    ec_model_drain(m);
    counted(m, "CYCLES", 238, 238);
    passages(&seen, loop_lines, sizeof loop_lines / sizeof *loop_lines);
    assert_int_equal(seen.count, 21 + 3 + 12);
    for (unsigned i = 0, n = seen.count - 3; i < 3; i++) {
        struct seen last = {.count = 1};
        last.passage[0] = seen.passage[n + i];
        last.c[0] = seen.c[n + i];
        passages(&last, &loop_end[i], 1);
    }
    ec_model_destroy(m);
}

static void ec_213_example_2_more(void **state)
{
    static struct guest g;
    struct ec_profile p = teach();
    (void)state;
    struct ec_model *m = run_loop(&g, &p, 100, NULL);
    assert_int_equal(ec_model_cycles(m), 769);
    counted(m, "INST", 412, 405);
    counted(m, "L1D_MISS", 9, 7);
    counted(m, "BR_MISP", 2, 2);
    ec_model_destroy(m);
    p.predictor = EC_GSHARE;
    p.history = 4;
    m = run_loop(&g, &p, 4, NULL);
    counted(m, "INST", 27, 21);
    counted(m, "BR_MISP", 3, 3);
    counted(m, "L1D_MISS", 12, 6);
    assert_int_equal(ec_model_cycles(m), 231);
    ec_model_destroy(m);
    m = run_loop(&g, &p, 100, NULL);
    counted(m, "INST", 420, 405);
    counted(m, "BR_MISP", 6, 6);
    counted(m, "L1D_MISS", 21, 11);
    assert_int_equal(ec_model_cycles(m), 787);
    ec_model_destroy(m);
}

/* ---- example 3 ------------------------------------------------------------------------------------------------- */

static void missing_guest(struct guest *g)
{
    memset(g, 0, sizeof *g);
    uint64_t at = guest_put(g, 0x3000, "lg 1,0(0,8)");
    at = guest_put(g, at, "ltgr 1,1");
    at = guest_put(g, at, "brc 8,0x3040");
    at = guest_put(g, at, "lg 2,0(0,9)");
    at = guest_put(g, at, "lg 3,8(0,9)");
    at = guest_put(g, at, "agr 2,3");
    at = guest_put(g, at, "stg 2,0(0,10)");
    at = guest_put(g, at, "la 9,16(0,9)");
    guest_put(g, at, "brc 15,0x300e");
    guest_put(g, 0x3040, "aghi 5,1");
    guest_put(g, 0x3044, "bcr 15,0");
    g->gr[8] = 0x9000;
    g->gr[9] = 0xa000;
    g->gr[10] = 0xb000;
    g->ia = 0x3000;
}

static void ec_229_to_234_example_3(void **state)
{
    static struct guest g;
    static struct seen seen;
    const struct ec_profile p = teach();
    const struct ec_watch watch = {&seen, passed, NULL, ended};
    static const struct line right[] = {
        {0, 0x3000, 0, 101, 106, 107, 210, 211},
        {0, 0x3006, 1, 101, 106, 210, 211, 212},
        {0, 0x300a, 2, 102, 107, 211, 212, 213},
    };
    static const struct line end[] = {{0, 0x3040, 3, 213, 218, 219, 220, 221}, {0, 0x3044, 4, 213, 222, 223, 224, 225}};
    (void)state;
    missing_guest(&g);
    struct ec_model *m = fresh(&g, &p);
    ec_model_watch(m, &watch);
    while (g.ia != 0x3046)
        guest_step(&g, m);
    assert_true(ec_identity(ec_model_counting(m)));
    ec_model_drain(m);
    assert_int_equal(ec_model_cycles(m), 225);
    counted(m, "INST", 19, 5);
    counted(m, "FETCH", 27, 5);
    counted(m, "FINISH", 16, 5);
    counted(m, "BRANCH", 3, 1);
    counted(m, "BR_COND", 1, 1);
    counted(m, "BR_PTAKEN", 2, 0);
    counted(m, "BR_MISP", 1, 1);
    counted(m, "FLUSHED_INST", 14, 14);
    counted(m, "BTB_MISS", 3, 1);
    counted(m, "LOAD", 5, 1);
    counted(m, "LD_BYTES", 40, 8);
    counted(m, "STORE", 2, 0);
    counted(m, "ST_BYTES", 16, 0);
    counted(m, "L1I_ACC", 5, 2);
    counted(m, "L1I_MISS", 1, 1);
    counted(m, "L1D_ACC", 7, 1);
    counted(m, "L1D_MISS", 3, 1);
    counted(m, "L1D_PEN", 300, 100);
    counted(m, "L2_ACC", 4, 2);
    counted(m, "L2_MISS", 4, 2);
    counted(m, "REG_RD", 19, 3);
    counted(m, "REG_WR", 13, 3);
    counted(m, "STALL_CT", 93, 0);
    counted(m, "CSTALL_L1D", 100, 100);
    assert_int_equal(guest_load8(&g, 0xb000), 0);
    passages(&seen, right, 3);
    assert_int_equal(seen.count, 27);
    for (unsigned i = 0; i < 2; i++) {
        struct seen last = {.count = 1};
        last.passage[0] = seen.passage[25 + i];
        last.c[0] = seen.c[25 + i];
        passages(&last, &end[i], 1);
    }
    const struct ec_misprediction *f = ec_model_misprediction(m, 0);
    assert_non_null(f);
    assert_int_equal(f->ia, 0x300a);
    assert_int_equal(f->predicted, 0x300e);
    assert_int_equal(f->actual, 0x3040);
    assert_int_equal(f->resolved, 212);
    assert_int_equal(f->fetched, 22);
    assert_int_equal(f->flushed, 14);
    assert_null(ec_model_misprediction(m, 1));
    ec_model_destroy(m);
}

/* ---- example 5 ------------------------------------------------------------------------------------------------- */

static void ec_35_41_example_5(void **state)
{
    static struct guest g;
    const struct ec_profile p = teach();
    (void)state;
    memset(&g, 0, sizeof g);
    uint64_t at = guest_put(&g, 0x2000, "lg 1,0(0,8)");
    guest_put(&g, at, "lg 2,0(0,9)");
    g.gr[8] = 0x9000;
    g.gr[9] = 0x1f000;
    g.ia = 0x2000;
    g.missing = true;
    struct ec_model *m = fresh(&g, &p);
    guest_step(&g, m);
    guest_step(&g, m);
    counted(m, "LOAD", 2, 1);
    counted(m, "L1D_ACC", 1, 1);
    counted(m, "EXC", 1, 0);
    counted(m, "FINISH", 1, 1);
    counted(m, "BR_MISP", 0, 0);
    ec_model_drain(m);
    const struct ec_pmu *pmu = &ec_model_counting(m)->pmu;
    assert_int_equal(pmu->cancelled[EC_LOAD], 1);
    assert_int_equal(pmu->all[EC_LOAD], 2);
    g.missing = false; /* the handler returns */
    g.ia = at;
    guest_step(&g, m);
    ec_model_drain(m);
    counted(m, "LOAD", 3, 2);
    assert_true(ec_identity(ec_model_counting(m)));
    ec_model_destroy(m);
}

/* ---- groups ---------------------------------------------------------------------------------------------------- */

/* A load that misses and a branch share an entry: the branch resolves when it has finished itself, the entry completes
   behind the load. */
static void ec_226_240_a_branch_in_a_group(void **state)
{
    static struct guest g;
    static struct seen seen;
    struct ec_profile p = teach();
    const struct ec_watch watch = {&seen, passed, NULL, ended};
    static const struct line lines[] = {{0, 0x2000, 0, 101, 106, 107, 210, 211},
                                        {0, 0x2006, 0, 101, 106, 107, 108, 211}};
    (void)state;
    memset(&g, 0, sizeof g);
    const uint64_t at = guest_put(&g, 0x2000, "lg 1,0(0,8)");
    guest_put(&g, at, "brc 8,0x2040");
    guest_put(&g, 0x2040, "aghi 5,1");
    g.gr[8] = 0x9000;
    g.ia = 0x2000;
    p.group_size = 2;
    struct ec_model *m = fresh(&g, &p);
    ec_model_watch(m, &watch);
    for (unsigned i = 0; i < 3; i++)
        guest_step(&g, m);
    assert_int_equal(g.ia, 0x2044);
    assert_int_equal(ec_model_misprediction(m, 0)->resolved, 108);
    ec_model_drain(m);
    passages(&seen, lines, 2);
    assert_int_equal(seen.passage[seen.count - 1].ia, 0x2040);
    assert_int_equal(seen.passage[seen.count - 1].f, 109);
    assert_int_equal(ec_model_cycles(m), 211);
    assert_true(ec_identity(ec_model_counting(m)));
    ec_model_destroy(m);
}

/* Cycles are charged where an entry closes: at the end of the instruction behind, or of a branch in it; the sum is what
   the model has. */
static void ec_241_cycles_are_charged_where_a_group_closes(void **state)
{
    static struct guest g;
    struct ec_profile p = teach();
    uint64_t sum = 0;
    (void)state;
    memset(&g, 0, sizeof g);
    uint64_t at = 0x2000;
    for (unsigned i = 0; i < 8; i++)
        at = guest_put(&g, at, "lghi 1,5");
    at = guest_put(&g, at, "brc 15,0x2024");
    guest_put(&g, at, "lghi 1,5");
    g.ia = 0x2000;
    p.group_size = p.dispatch_width = p.fetch_width = 3;
    p.fetch_buffer = 9;
    struct ec_model *m = fresh(&g, &p);
    for (unsigned i = 0; i < 10; i++) {
        guest_step(&g, m);
        const uint64_t charged = ec_model_latest(m)->cycles;
        if ((i == 3 || i == 6 || i == 8) != (charged != 0) || (i > 3 && charged > 1))
            fail_msg("instruction %u is charged %u cycles", i, (unsigned)charged);
        sum += charged;
    }
    sum += ec_model_drain(m);
    assert_int_equal(sum, ec_model_cycles(m));
    ec_model_destroy(m);
}

/* ---- looking ---------------------------------------------------------------------------------------------------- */

static void same_pmcs(const struct ec_pmu *a, const struct ec_pmu *b, unsigned step)
{
    for (unsigned k = 0; k < EC_NPMC; k++)
        if (a->pmc[k] != b->pmc[k])
            fail_msg("step %u, PMC%u: %u, drained %u", step, k + 1, a->pmc[k], b->pmc[k]);
    assert_int_equal(a->triggered, b->triggered);
}

/* PMCs as they would be drained, and nothing is: by the cycles directly, as provisional counts, by registers that are
   known from decoding, and by what completion has lost. */
static void ec_43_49_pmcs_are_read_as_drained(void **state)
{
    static struct guest g;
    struct ec_profile p = teach();
    (void)state;
    for (unsigned step = 0; step < 2 * 21; step++) {
        struct ec_pmu seen, again;
        p.group_size = step & 1 ? 3 : 1;
        loop_guest(&g, 4);
        struct ec_model *m = fresh(&g, &p);
        struct ec_counting *c = ec_model_counting(m);
        ec_set_register(c, EC_MMCRP, (uint32_t)EC_CYCLES << 24 | (uint32_t)(EC_PRELOAD_DECODE << 6 | EC_REG_RD) << 16);
        ec_set_register(c, EC_MMCR0, EC_CYCLES << EC_PMC1SEL_SHIFT | EC_SELECT_PV);
        ec_set_register(c, EC_MMCR1, (EC_SELECT_PV + 1u) << 25 | (uint32_t)EC_CSTALL_L1D << 18);
        for (unsigned i = 0; i <= step / 2; i++)
            guest_step(&g, m);
        const struct ec_pmu before = c->pmu;
        const unsigned live = ec_live(c);
        ec_model_pmu(m, &seen);
        ec_model_pmu(m, &again);
        same_pmcs(&seen, &again, step);
        same_pmcs(&before, &c->pmu, step);
        assert_int_equal(live, ec_live(c));
        ec_model_drain(m);
        same_pmcs(&seen, &c->pmu, step);
        assert_true(c->pmu.pmc[0] >= 109 && c->pmu.pmc[0] == c->pmu.pmc[1]);
        ec_model_destroy(m);
    }
}

/* ---- for profilers ----------------------------------------------------------------------------------------------- */

struct profile {
    unsigned completed, branches, wrong[5];
    uint64_t c;
};

static void take(void *context, const struct ec_passed *p)
{
    struct profile *to = context;
    const bool branch = p->passage.ia == 0x2016;
    if (p->passage.wrong_path || p->cancelled)
        return;
    assert_true(p->end >= to->c && p->passage.tag < 16);
    assert_string_equal(ec_class_name(p->passage.class), branch                          ? "branch"
                                                         : p->passage.text >> 56 == 0xe3 ? "load"
                                                         : p->passage.ia == 0x2026       ? "serial"
                                                                                         : "alu");
    assert_int_equal(p->mispredicted, p->outcome != EC_NO_OUTCOME);
    to->c = p->end;
    to->completed++;
    to->branches += branch;
    to->wrong[p->outcome]++;
}

static void ec_251_each_completion_is_told(void **state)
{
    static struct guest g;
    const struct ec_profile p = teach();
    struct profile seen = {0};
    struct ec_passages *passages = ec_passages_create(take, &seen);
    (void)state;
    assert_non_null(passages);
    struct ec_model *m = run_loop(&g, &p, 4, ec_passages_watch(passages));
    ec_model_drain(m);
    assert_int_equal(seen.completed, 21);
    assert_int_equal(seen.branches, 4);
    assert_int_equal(seen.c, 238);
    assert_int_equal(seen.wrong[EC_BPXT], 1); /* the first, taken; the last, not taken */
    assert_int_equal(seen.wrong[EC_BPXN], 1);
    ec_model_destroy(m);
    assert_true(ec_passages_destroy(passages));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ec_221_to_228_example_2),
        cmocka_unit_test(ec_213_example_2_more),
        cmocka_unit_test(ec_229_to_234_example_3),
        cmocka_unit_test(ec_35_41_example_5),
        cmocka_unit_test(ec_226_240_a_branch_in_a_group),
        cmocka_unit_test(ec_241_cycles_are_charged_where_a_group_closes),
        cmocka_unit_test(ec_43_49_pmcs_are_read_as_drained),
        cmocka_unit_test(ec_251_each_completion_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
