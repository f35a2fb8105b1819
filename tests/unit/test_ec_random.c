/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline model on random programs: the identity of its counters at every boundary, completed counts that do not
   depend on the profile, equal runs, reading that changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/ec_guest.h"
#include "tests/unit/random.h"

enum { CODE = 0x2000, LINES = 48, STEPS = 1500 };

/* Straight pieces, loops, calls, and branches by what was computed. */
static void random_line(struct random *r, char *line, size_t size)
{
    const unsigned a = below(r, 8), b = below(r, 8), to = CODE + 8 * below(r, LINES);
    switch (below(r, 13)) {
    case 0:
        snprintf(line, size, "lghi %u,%d", a, (int)below(r, 200) - 50);
        return;
    case 1:
        snprintf(line, size, "aghi %u,%d", a, (int)below(r, 16) - 8);
        return;
    case 2:
        snprintf(line, size, "agr %u,%u", a, b);
        return;
    case 3:
        snprintf(line, size, "xgr %u,%u", a, b);
        return;
    case 4:
        snprintf(line, size, "ltgr %u,%u", a, b);
        return;
    case 5:
        snprintf(line, size, "msgr %u,%u", a, b);
        return;
    case 6:
    case 7:
        snprintf(line, size, "lg %u,%u(0,%u)", a, below(r, 4000), 8 + below(r, 3));
        return;
    case 8:
        snprintf(line, size, "stg %u,%u(0,%u)", a, below(r, 4000), 8 + below(r, 3));
        return;
    case 9:
        snprintf(line, size, "brctg %u,0x%x", a, to);
        return;
    case 10:
        snprintf(line, size, "brc %u,0x%x", below(r, 16), to);
        return;
    case 11:
        snprintf(line, size, below(r, 2) ? "bras 14,0x%x" : "brc 6,0x%x", to);
        return;
    default:
        snprintf(line, size, below(r, 3) ? "bcr 15,14" : "bcr 15,0");
        return;
    }
}

static void random_guest(struct guest *g, uint64_t seed)
{
    struct random r = seeded(seed);
    char line[48];
    memset(g, 0, sizeof *g);
    for (unsigned i = 0; i < LINES; i++) { /* each at a multiple of 8, filled up */
        uint64_t at = CODE + 8 * i;
        random_line(&r, line, sizeof line);
        at = guest_put(g, at, line);
        while (at < CODE + 8 * (i + 1))
            at = guest_put(g, at, at % 4 ? "ltr 15,15" : "lghi 13,1");
    }
    guest_put(g, CODE + 8 * LINES, "brc 15,0x2000");
    g->gr[14] = CODE;
    g->gr[8] = 0x8000;
    g->gr[9] = 0x9f80;
    g->gr[10] = 0x1e800; /* its operands reach into the page that may be missing */
    g->ia = CODE;
    g->missing = seed % 3 == 0;
}

static const char *const shapes[] = {
    "base = teach\n",
    "base = zlarge\n",
    "base = teach\nct_entries = 4\n",
    "base = teach\ngroup_size = 3\npredictor = gshare\nhistory = 4\n",
    "base = zlarge\nct_entries = 32\nwp_max_insns = 0\n",
    "base = teach\npredictor = tage\nras_entries = 2\nwp_exception = 1\n",
    "base = zlarge\nct_entries = 7\ngroup_size = 8\nwp_exception = 1\nfetch_buffer = 3\n",
    "base = teach\nwp_pollute = 0\nct_entries = 256\nlat_mem = 900\nl3_sets = 64\nl3_ways = 2\nhistory = 3\n",
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct ec_profile shape(unsigned i)
{
    struct ec_profile p;
    char why[200];
    if (ec_profile_read("shape", shapes[i], strlen(shapes[i]), &p, why, sizeof why))
        fail_msg("%s", why);
    return p;
}

static void run(struct guest *g, uint64_t seed, const struct ec_profile *p, unsigned look, struct ec_totals *totals,
                struct ec_pmu *pmu)
{
    random_guest(g, seed);
    struct ec_model *m = guest_model(g, p);
    struct ec_counting *c = ec_model_counting(m);
    ec_add_pairs(c, UINT64_MAX);
    for (unsigned i = 0; i < STEPS; i++) {
        guest_step(g, m);
        if (!ec_identity(c))
            fail_msg("seed %llu, step %u: the identity does not hold", (unsigned long long)seed, i);
        for (unsigned t = c->ctag; t != c->atag; t = (t + 1) % c->n) /* EC-204 */
            assert_false(c->ct[t].wrong_path);
        if (look && i % look == 0)
            ec_model_totals(m, totals);
    }
    ec_model_totals(m, totals);
    ec_model_drain(m);
    for (unsigned e = 0; e < EC_NEV; e++) { /* what reading said is what draining makes */
        assert_int_equal(totals->all[e], c->pmu.all[e]);
        assert_int_equal(totals->completed[e], c->pmu.completed[e]);
        assert_true(c->pmu.completed[e] <= c->pmu.all[e]);
    }
    assert_int_equal(totals->cycles, ec_model_cycles(m));
    assert_int_equal(c->pmu.all[EC_CYCLES], ec_model_cycles(m));
    *pmu = c->pmu;
    ec_model_destroy(m);
}

static void ec_17_36_47_51_52_204_240_identities(void **state)
{
    static const enum ec_event architected[] = {EC_INST,   EC_FINISH, EC_BRANCH,   EC_BR_COND,  EC_BR_IND,
                                                EC_LOAD,   EC_STORE,  EC_LD_BYTES, EC_ST_BYTES, EC_REG_RD,
                                                EC_REG_WR, EC_SERIAL, EC_DECIMAL,  EC_FP,       EC_FETCH};
    static struct guest g;
    struct ec_totals first, other;
    struct ec_pmu pmu;
    uint64_t flushed = 0, cancelled = 0, untagged = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++)
        for (unsigned i = 0; i < SHAPES; i++) {
            const struct ec_profile p = shape(i);
            run(&g, seed, &p, 0, i ? &other : &first, &pmu);
            flushed += pmu.flushed[EC_INST];
            cancelled += pmu.cancelled[EC_INST];
            untagged += pmu.untagged[EC_FETCH];
            for (unsigned k = 0; i && k < sizeof architected / sizeof *architected; k++)
                if (first.completed[architected[k]] != other.completed[architected[k]])
                    fail_msg("seed %llu, shape %u: %s", (unsigned long long)seed, i, ec_events[architected[k]].name);
        }
    assert_true(flushed > 10000 && cancelled > 100 && untagged > 1000); /* the programs have come to all that */
}

/* EC-49, EC-70 */
static void ec_49_70_repeatable(void **state)
{
    static struct guest g, again;
    struct ec_totals a, b;
    struct ec_pmu pa, pb;
    (void)state;
    for (uint64_t seed = 100; seed < 130; seed++) {
        const struct ec_profile p = shape(seed % SHAPES);
        run(&g, seed, &p, 0, &a, &pa);
        run(&again, seed, &p, 3, &b, &pb);
        assert_memory_equal(pa.all, pb.all, sizeof pa.all);
        assert_memory_equal(pa.completed, pb.completed, sizeof pa.completed);
        assert_int_equal(a.cycles, b.cycles);
        assert_memory_equal(g.storage, again.storage, sizeof g.storage);
    }
}

/* EC-68: a PMC that looks at the event, another that looks at it through a provisional counter. */
static void ec_68_programmable(void **state)
{
    static struct guest g;
    (void)state;
    for (uint64_t seed = 200; seed < 220; seed++) {
        const struct ec_profile p = shape(seed % SHAPES);
        random_guest(&g, seed);
        struct ec_model *m = guest_model(&g, &p);
        struct ec_counting *c = ec_model_counting(m);
        ec_set_register(c, EC_MMCRP, (uint32_t)EC_L1D_ACC << 24 | (uint32_t)(EC_PRELOAD_DECODE << 6 | EC_INST) << 16);
        ec_set_register(c, EC_MMCR0, EC_L1D_ACC << 6 | 0x30);
        ec_set_register(c, EC_MMCR1, 0x31u << 25);
        for (unsigned i = 0; i < STEPS; i++)
            guest_step(&g, m);
        ec_model_drain(m);
        assert_int_equal(ec_register(c, EC_PMC1), c->pmu.all[EC_L1D_ACC]);
        assert_int_equal(ec_register(c, EC_PMC2), c->pmu.completed[EC_L1D_ACC]);
        assert_int_equal(ec_register(c, EC_PMC3), c->pmu.completed[EC_INST]);
        ec_model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ec_17_36_47_51_52_204_240_identities),
        cmocka_unit_test(ec_49_70_repeatable),
        cmocka_unit_test(ec_68_programmable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
