/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline model on random programs: the identity of its counters at every boundary, completed counts that do not
   depend on the profile, equal runs, reading that changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/ec_programs.h"

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
