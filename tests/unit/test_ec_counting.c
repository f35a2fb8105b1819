/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counting method: tags, provisional counters, completion and cancellation, PMCs and their conditions. Requirements
   EC-1 to EC-64 of the event-counter specification, and its examples 1 and 4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ri/counters/model/counting.h"
#include <string.h>

static const struct ec_member plain = {.inst = 1, .reg_rd = 2, .reg_wr = 1};

static struct ec_counting fresh(unsigned n, unsigned first)
{
    struct ec_counting c;
    assert_int_equal(ec_counting_create(&c, n), 0);
    c.atag = c.ctag = first;
    return c;
}

static unsigned put(struct ec_counting *c)
{
    const unsigned tag = ec_allocate(c, &plain);
    c->ct[tag].open = false;
    return tag;
}

static uint32_t pmc(const struct ec_counting *c, unsigned k)
{
    return ec_register(c, (enum ec_register)(EC_PMC1 + k - 1));
}

static void select_events(struct ec_counting *c, uint32_t controls, unsigned pmc1, unsigned pmc2)
{
    ec_set_register(c, EC_MMCR0, controls | pmc1 << 6 | pmc2);
}

/* ---- EC-1, EC-245 ---------------------------------------------------------------------------------------------- */

static void ec_1_245_catalogue(void **state)
{
    static const char *const order[EC_PAIRS] = {
        "INST",    "BRANCH",     "BR_MISP",    "L1D_MISS",  "L1I_MISS", "LOAD",      "STORE",  "L1D_ACC",
        "L2_MISS", "DTLB1_MISS", "ITLB1_MISS", "TLB2_MISS", "BR_COND",  "BR_PTAKEN", "BR_IND", "BTB_MISS",
        "FINISH",  "L1I_ACC",    "L1D_PEN",    "L1I_PEN",   "LD_BYTES", "ST_BYTES"};
    unsigned events = 0;
    (void)state;
    for (unsigned k = 0; k < EC_PAIRS; k++)
        assert_string_equal(ec_events[ec_pair_event(k)].name, order[k]);
    for (unsigned e = 0; e < EC_NEV; e++)
        events += ec_events[e].name != NULL;
    assert_int_equal(events, 0x2b);
    assert_int_equal(ec_event_named("l1d_miss"), 0x15);
    assert_int_equal(ec_event_named("nothing"), EC_NONE);
    assert_int_equal(__builtin_popcountll(ec_pair_set()), EC_PAIRS);
}

/* ---- example 1 ------------------------------------------------------------------------------------------------- */

static void ec_11_15_20_21_22_23_33_37_38_39_example_1(void **state)
{
    struct ec_counting c = fresh(16, 3);
    (void)state;
    ec_set_register(&c, EC_MMCRP, (uint32_t)EC_L1D_MISS << 24);
    select_events(&c, 0, 0x30, EC_L1D_MISS);
    assert_int_equal(put(&c), 3);
    assert_int_equal(put(&c), 4);
    assert_int_equal(put(&c), 5);
    ec_signal(&c, EC_L1D_MISS, 3, 1);
    assert_int_equal(c.ct[3].pv[0], 1);
    ec_signal(&c, EC_L1D_MISS, 5, 1);
    ec_signal(&c, EC_L1D_MISS, 5, 1);
    assert_int_equal(c.ct[5].pv[0], 2);
    c.ct[6].pv[0] = 77; /* of an earlier life */
    assert_int_equal(put(&c), 6);
    assert_int_equal(c.ct[6].pv[0], 0);
    assert_int_equal(c.atag, 7);
    ec_signal(&c, EC_L1D_MISS, 6, 1);
    assert_int_equal(pmc(&c, 1), 0);
    assert_int_equal(pmc(&c, 2), 4);
    assert_int_equal(ec_flush(&c, 4), 2);
    assert_int_equal(c.atag, 5);
    ec_leave(&c);
    assert_int_equal(pmc(&c, 1), 1);
    ec_leave(&c);
    assert_int_equal(pmc(&c, 1), 1);
    assert_int_equal(put(&c), 5);
    assert_int_equal(c.ct[5].pv[0], 0);
    ec_signal(&c, EC_L1D_MISS, 5, 1);
    ec_leave(&c);
    assert_int_equal(pmc(&c, 1), 2);
    assert_int_equal(pmc(&c, 2), 5);
    assert_int_equal(c.ctag, 6);
    assert_int_equal(c.pmu.all[EC_L1D_MISS], 5);
    assert_int_equal(c.pmu.completed[EC_L1D_MISS], 2);
    assert_true(ec_identity(&c));
    ec_counting_destroy(&c);
}

/* EC-12, EC-13: from ctag 3, atag 6 twelve more fit. */
static void ec_10_12_13_46_capacity(void **state)
{
    (void)state;
    struct ec_counting c = fresh(16, 3);
    for (unsigned i = 0; i < 3; i++)
        put(&c);
    for (unsigned i = 0; i < 12; i++) {
        assert_false(ec_full(&c));
        assert_int_equal(put(&c), (6 + i) % 16);
    }
    assert_int_equal(c.atag, 2);
    assert_true(ec_full(&c));
    assert_int_equal(ec_live(&c), 15);
    ec_leave(&c);
    assert_false(ec_full(&c));
    ec_counting_destroy(&c);
    for (unsigned n = EC_ENTRIES_LEAST; n <= EC_ENTRIES_MOST; n += 63) { /* around the end, with any size */
        c = fresh(n, n - 1);
        for (unsigned i = 0; i < 3 * n; i++) {
            if (ec_full(&c))
                ec_leave(&c);
            const unsigned tag = put(&c);
            ec_signal(&c, EC_LOAD, tag, 1);
            assert_true(tag < n && ec_live(&c) < n);
        }
        assert_int_equal(c.pmu.all[EC_LOAD], 3 * n);
        assert_int_equal(ec_inflight(&c, EC_LOAD), n - 1);
        assert_true(ec_identity(&c));
        ec_counting_destroy(&c);
    }
}

/* EC-2: what is not designated changes nothing. */
static void ec_2_undesignated(void **state)
{
    struct ec_counting c = fresh(8, 0);
    struct ec_pmu before;
    (void)state;
    const unsigned tag = put(&c);
    before = c.pmu;
    ec_signal(&c, EC_REG_RD, tag, 5);
    ec_signal(&c, EC_TBIT, EC_NO_TAG, 1);
    assert_memory_equal(&before, &c.pmu, sizeof before);
    assert_int_equal(c.ct[tag].prov[EC_REG_RD], 0);
    ec_add_pairs(&c, UINT64_C(1) << EC_REG_RD);
    ec_signal(&c, EC_REG_RD, tag, 5);
    assert_int_equal(c.pmu.all[EC_REG_RD], 5);
    ec_leave(&c);
    assert_int_equal(c.pmu.completed[EC_REG_RD], 5);
    ec_counting_destroy(&c);
}

/* EC-22, EC-25, EC-26: the four modes, alone and with members that join. */
static void ec_8_24_25_26_modes(void **state)
{
    (void)state;
    struct ec_counting c = fresh(8, 0);
    ec_set_register(&c, EC_ICR, 0x00000009);
    ec_set_register(&c, EC_MMCRP,
                    (0u << 6 | EC_LD_BYTES) << 24 | (1u << 6 | EC_LD_BYTES) << 16 | (2u << 6 | EC_REG_RD) << 8 |
                        (3u << 6 | EC_INST));
    ec_set_register(&c, EC_MMCR0, 0x30u << 6 | 0x31);
    ec_set_register(&c, EC_MMCR1, 0x32u << 25 | 0x33u << 18);
    const unsigned tag = ec_allocate(&c, &plain);
    assert_int_equal(c.ct[tag].pv[2], 2);
    assert_int_equal(c.ct[tag].pv[3], 9);
    ec_signal(&c, EC_LD_BYTES, tag, 8);
    ec_signal(&c, EC_LD_BYTES, tag, 4);
    ec_signal(&c, EC_REG_RD, tag, 100);
    ec_signal(&c, EC_INST, tag, 1);
    assert_int_equal(c.ct[tag].pv[0], 12);
    assert_int_equal(c.ct[tag].pv[1], 4);
    ec_join(&c, &plain);
    ec_signal(&c, EC_LD_BYTES, tag, 3);
    ec_signal(&c, EC_LD_BYTES, tag, 16);
    c.ct[tag].open = false;
    ec_leave(&c);
    assert_int_equal(pmc(&c, 1), 31);
    assert_int_equal(pmc(&c, 2), 20);
    assert_int_equal(pmc(&c, 3), 4);
    assert_int_equal(pmc(&c, 4), 9);
    ec_counting_destroy(&c);
}

/* EC-29: 32 bits, at their end they stay. */
static void ec_29_saturation(void **state)
{
    struct ec_counting c = fresh(8, 0);
    (void)state;
    ec_set_register(&c, EC_MMCRP, (uint32_t)EC_LD_BYTES << 24);
    const unsigned tag = put(&c);
    ec_signal(&c, EC_LD_BYTES, tag, UINT32_MAX);
    assert_false(c.pmu.saturated);
    ec_signal(&c, EC_LD_BYTES, tag, 1);
    assert_true(c.pmu.saturated);
    assert_int_equal(c.ct[tag].prov[EC_LD_BYTES], UINT32_MAX);
    assert_int_equal(c.ct[tag].pv[0], UINT32_MAX);
    ec_counting_destroy(&c);
}

/* EC-4, EC-5. */
static void ec_4_5_6_registers(void **state)
{
    struct ec_counting c = fresh(8, 0);
    (void)state;
    for (unsigned r = 0; r < EC_REGISTERS; r++) {
        ec_set_register(&c, (enum ec_register)r, UINT32_MAX);
        assert_int_equal(ec_register(&c, (enum ec_register)r), r == EC_MMCR1 ? 0xfffc0000 : UINT32_MAX);
    }
    ec_counting_clear(&c);
    for (unsigned r = 0; r < EC_REGISTERS; r++)
        assert_int_equal(ec_register(&c, (enum ec_register)r), 0);
    select_events(&c, 0, EC_LOAD, 0x3f);
    ec_set_register(&c, EC_PMC1, UINT32_MAX);
    ec_signal(&c, EC_LOAD, EC_NO_TAG, 2);
    assert_int_equal(pmc(&c, 1), 1);
    assert_int_equal(pmc(&c, 2), 0);
    for (unsigned sel = 0x34; sel < 0x80; sel++) { /* reserved: selects nothing */
        select_events(&c, 0, sel, 0);
        ec_leave((put(&c), &c));
        ec_signal(&c, EC_LOAD, EC_NO_TAG, 1);
        assert_int_equal(pmc(&c, 1), 1);
    }
    ec_counting_destroy(&c);
}

/* ---- EC-53 to EC-56 -------------------------------------------------------------------------------------------- */

/* What PMC1 (directly) and PMC2 (through PV0) count of one load in each state. */
static void ec_53_54_55_56_filters(void **state)
{
    (void)state;
    static const struct {
        uint32_t control;
        bool counts[4]; /* by state: bit 0 problem, bit 1 marked */
    } cases[] = {
        {0, {1, 1, 1, 1}},
        {EC_DIS, {0, 0, 0, 0}},
        {EC_DP, {0, 1, 0, 1}},
        {EC_DU, {1, 0, 1, 0}},
        {EC_DMS, {1, 1, 0, 0}},
        {EC_DMR, {0, 0, 1, 1}},
        {EC_DP | EC_DMS, {0, 1, 0, 0}},
        {EC_DU | EC_DMR, {0, 0, 1, 0}},
        {EC_DP | EC_DU, {0, 0, 0, 0}},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned s = 0; s < 4; s++) {
            struct ec_counting c = fresh(8, 0);
            struct ec_member member = plain;
            member.problem = s & 1;
            member.marked = s & 2;
            ec_set_register(&c, EC_MMCRP, (uint32_t)EC_LOAD << 24);
            select_events(&c, cases[i].control, EC_LOAD, 0x30);
            const unsigned tag = ec_allocate(&c, &member);
            c.problem = !member.problem; /* what the CPU is now does not matter */
            c.marked = !member.marked;
            ec_signal(&c, EC_LOAD, tag, 1);
            assert_int_equal(pmc(&c, 1), cases[i].counts[s]);
            ec_leave(&c);
            assert_int_equal(pmc(&c, 2), cases[i].counts[s]);
            ec_signal(&c, EC_LOAD, EC_NO_TAG, 10); /* but for untagged ones */
            assert_int_equal(pmc(&c, 1), cases[i].counts[s] + (cases[i].counts[3 - s] ? 10 : 0));
            assert_int_equal(c.pmu.all[EC_LOAD], 11); /* pairs know no conditions */
            ec_counting_destroy(&c);
        }
}

static void ec_55_marks(void **state)
{
    struct ec_pmu p = {.markmask = 0};
    (void)state;
    assert_false(ec_marked(&p, 0));
    p.markmask = 0xff00;
    p.markvalue = 0x1200;
    assert_true(ec_marked(&p, 0x991299));
    assert_false(ec_marked(&p, 0x1300));
}

/* EC-57 */
static void ec_57_trigger(void **state)
{
    struct ec_counting c = fresh(8, 0);
    (void)state;
    select_events(&c, EC_PMCTRIGGER, EC_LOAD, EC_STORE);
    ec_set_register(&c, EC_MMCR1, (uint32_t)EC_STORE << 25 | (uint32_t)EC_LOAD << 18);
    ec_set_register(&c, EC_PMC1, 0x7ffffffe);
    ec_signal(&c, EC_STORE, EC_NO_TAG, 1);
    ec_signal(&c, EC_LOAD, EC_NO_TAG, 1);
    assert_int_equal(pmc(&c, 2) + pmc(&c, 3) + pmc(&c, 4), 0);
    ec_signal(&c, EC_LOAD, EC_NO_TAG, 1); /* the trigger: not yet one for PMC4 */
    assert_int_equal(pmc(&c, 4), 0);
    ec_signal(&c, EC_LOAD, EC_NO_TAG, 1);
    ec_signal(&c, EC_STORE, EC_NO_TAG, 1);
    assert_int_equal(pmc(&c, 2), 1);
    assert_int_equal(pmc(&c, 3), 1);
    assert_int_equal(pmc(&c, 4), 1);
    ec_set_register(&c, EC_PMC1, 0);
    ec_signal(&c, EC_STORE, EC_NO_TAG, 1);
    assert_int_equal(pmc(&c, 2), 2); /* until MMCR0 is written */
    ec_set_register(&c, EC_MMCR0, ec_register(&c, EC_MMCR0));
    ec_signal(&c, EC_STORE, EC_NO_TAG, 1);
    assert_int_equal(pmc(&c, 2), 2);
    ec_alert(&c); /* an alert triggers, too */
    ec_signal(&c, EC_STORE, EC_NO_TAG, 1);
    assert_int_equal(pmc(&c, 2), 3);
    ec_counting_destroy(&c);
}

/* ---- EC-58 to EC-61, example 4 --------------------------------------------------------------------------------- */

static void branch_completes(struct ec_counting *c)
{
    ec_signal(c, EC_BRANCH, put(c), 1);
    ec_leave(c);
}

static void ec_59_60_64_example_4(void **state)
{
    struct ec_counting c = fresh(16, 0);
    (void)state;
    ec_set_register(&c, EC_MMCRP, (uint32_t)EC_BRANCH << 24);
    select_events(&c, EC_ENINT | EC_DISCOUNT | EC_PMC1INTCONTROL, 0x30, EC_BRANCH);
    ec_set_register(&c, EC_PMC1, 0x7ffffffe);
    branch_completes(&c);
    assert_false(ec_boundary(&c, 0));
    const unsigned tag = put(&c);
    ec_signal(&c, EC_BRANCH, tag, 1);
    for (unsigned i = 0; i < 3; i++)
        ec_signal(&c, EC_BRANCH, put(&c), 1);
    ec_flush(&c, tag);
    ec_leave(&c);
    assert_int_equal(pmc(&c, 1), 0x80000000);
    assert_int_equal(pmc(&c, 2), 5);
    assert_true(ec_boundary(&c, 0));
    ec_alert(&c);
    assert_true(c.pmu.alert);
    assert_int_equal(ec_register(&c, EC_MMCR0) & EC_ENINT, 0);
    branch_completes(&c);
    assert_int_equal(pmc(&c, 1), 0x80000000);
    assert_int_equal(pmc(&c, 2), 5);
    assert_false(ec_boundary(&c, 0));
    ec_set_register(&c, EC_MMCR0, ec_register(&c, EC_MMCR0) | EC_ENINT);
    assert_true(ec_boundary(&c, 0)); /* level-triggered */
    branch_completes(&c);
    assert_int_equal(pmc(&c, 2), 6); /* the write has ended the freeze */
    ec_counting_destroy(&c);
}

static void ec_58_59_alert_conditions(void **state)
{
    (void)state;
    for (unsigned k = 0; k < EC_NPMC; k++)
        for (unsigned control = 0; control < 4; control++) {
            struct ec_counting c = fresh(8, 0);
            ec_set_register(&c, (enum ec_register)(EC_PMC1 + k), 0x80000000);
            ec_set_register(&c, EC_MMCR0,
                            EC_ENINT | (control & 1 ? EC_PMC1INTCONTROL : 0) | (control & 2 ? EC_PMCINTCONTROL : 0));
            assert_int_equal(ec_boundary(&c, 0), k ? control >> 1 : control & 1);
            ec_set_register(&c, EC_MMCR0, ec_register(&c, EC_MMCR0) & ~(uint32_t)EC_ENINT);
            assert_false(ec_boundary(&c, 0));
            ec_counting_destroy(&c);
        }
}

static void ec_27_58_61_time_bits(void **state)
{
    static const unsigned bits[4] = {51, 43, 39, 35};
    (void)state;
    for (unsigned s = 0; s < 4; s++) {
        struct ec_counting c = fresh(8, 0);
        const uint64_t one = UINT64_C(1) << (63 - bits[s]);
        ec_add_pairs(&c, UINT64_C(1) << EC_TBIT);
        ec_set_register(&c, EC_MMCR0, EC_ENINT | s << EC_TBSEL_SHIFT);
        assert_false(ec_boundary(&c, one)); /* the first look cannot see a transition */
        assert_int_equal(c.pmu.untagged[EC_TBIT], 0);
        assert_false(ec_boundary(&c, 0));
        assert_false(ec_boundary(&c, one));
        assert_int_equal(c.pmu.untagged[EC_TBIT], 1);
        assert_false(ec_boundary(&c, one | (one - 1)));
        assert_false(ec_boundary(&c, one - 1));
        assert_int_equal(c.pmu.all[EC_TBIT], 1);
        ec_set_register(&c, EC_MMCR0, EC_ENINT | EC_INTONBITTRANS | s << EC_TBSEL_SHIFT);
        assert_false(ec_boundary(&c, 0));
        assert_true(ec_boundary(&c, one));
        assert_false(ec_boundary(&c, one)); /* an edge */
        assert_int_equal(c.pmu.all[EC_TBIT], 2);
        assert_true(ec_identity(&c));
        ec_counting_destroy(&c);
    }
}

/* EC-35, EC-41, EC-44: a cancelled entry and those that a reset finds add nothing. */
static void ec_35_41_44_cancelled(void **state)
{
    struct ec_counting c = fresh(8, 0);
    struct ec_member member = plain;
    (void)state;
    member.cancelled = true;
    ec_signal(&c, EC_LOAD, ec_allocate(&c, &member), 1);
    ec_leave(&c);
    ec_signal(&c, EC_LOAD, put(&c), 1);
    ec_counting_empty(&c);
    assert_int_equal(ec_live(&c), 0);
    assert_int_equal(c.pmu.all[EC_LOAD], 2);
    assert_int_equal(c.pmu.completed[EC_LOAD], 0);
    assert_int_equal(c.pmu.cancelled[EC_LOAD], 2);
    assert_true(ec_identity(&c));
    ec_counting_destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ec_1_245_catalogue),
        cmocka_unit_test(ec_11_15_20_21_22_23_33_37_38_39_example_1),
        cmocka_unit_test(ec_10_12_13_46_capacity),
        cmocka_unit_test(ec_2_undesignated),
        cmocka_unit_test(ec_8_24_25_26_modes),
        cmocka_unit_test(ec_29_saturation),
        cmocka_unit_test(ec_4_5_6_registers),
        cmocka_unit_test(ec_53_54_55_56_filters),
        cmocka_unit_test(ec_55_marks),
        cmocka_unit_test(ec_57_trigger),
        cmocka_unit_test(ec_59_60_64_example_4),
        cmocka_unit_test(ec_58_59_alert_conditions),
        cmocka_unit_test(ec_27_58_61_time_bits),
        cmocka_unit_test(ec_35_41_44_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
