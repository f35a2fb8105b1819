/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What run-time instrumentation takes from the pipeline model while that is on: levels, outcomes of branches, cycles.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/ri_harness.h"

/* A branch that a model has told of; the count of its interval goes down by what is returned. */
static uint64_t told_branch(struct world *w, bool taken, uint8_t il, uint8_t conditions, uint32_t cycles)
{
    const uint64_t before = stric(w).rsic;
    struct ri_insn insn = {w->ia, w->ia, 0xa7f40002, 4, RI_CLASS_OTHER, false, true, false, false};
    ri_begin(w->ri, &insn);
    ri_outside(w->ri, il, 15, conditions, cycles);
    ri_branch(w->ri, taken, w->ia + 8);
    assert_int_equal(finish(w, RI_END_COMPLETE, 2), 0);
    return before - stric(w).rsic;
}

WORLD(ec_215_220_250_model, "RI-A")
{
    static const struct {
        uint8_t condition;
        bool taken, predicted, target_ok;
    } cases[] = {{0, true, true, true},        {0, false, false, true},      {RI_BPXN, false, true, true},
                 {RI_BPXT, true, false, true}, {RI_BPTI, true, true, false}, {RI_BPNI, false, false, false}};
    for (unsigned m = 0; m < 2; m++) {
        struct ri_controls c = usual(100000);
        c.m = (uint8_t)m;
        lric(w, c);
        ri_enable(w->ri, true);
        w->ri->outside.on = true;
        for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
            for (uint8_t il = 0; il < 3; il++) {
                const uint64_t charged = told_branch(w, cases[i].taken, il, cases[i].condition, 40 + i);
                assert_int_equal(charged, m == RI_MODE_CYCLES ? 40 + i : 1);
                assert_int_equal(w->ri->idb.il, il);
                assert_int_equal(w->ri->idb.dl, 15);
                assert_int_equal(w->ri->idb.conditions, cases[i].condition);
                assert_int_equal(w->ri->idb.predicted, cases[i].predicted);
                assert_int_equal(w->ri->idb.target_ok, cases[i].target_ok);
            }
        w->ri->outside.on = false; /* its own rules again */
        assert_int_equal(told_branch(w, true, 1, RI_BPXN, 999), m == RI_MODE_CYCLES ? 2 : 1);
        assert_int_not_equal(w->ri->idb.conditions, RI_BPXN);
        ri_enable(w->ri, false);
    }
}

/* The level of data is that of the operand that is reported, told before or behind it. */
WORLD(ec_220_250_data, "RI-A")
{
    lric(w, usual(100000));
    ri_enable(w->ri, true);
    w->ri->outside.on = true;
    struct ri_insn insn = {w->ia, w->ia, 0xd203a000, 6, RI_CLASS_NONE, false, false, false, false};
    ri_begin(w->ri, &insn);
    ri_access(w->ri, 0x4000, 8, false);
    ri_outside(w->ri, 15, 1, 0, 5);
    assert_int_equal(w->ri->idb.dl, 1);
    assert_int_equal(finish(w, RI_END_COMPLETE, 3), 0);
    ri_begin(w->ri, &insn);
    ri_outside(w->ri, 15, 2, 0, 5);
    ri_access(w->ri, 0x4000, 8, false);
    assert_int_equal(w->ri->idb.dl, 2);
    assert_int_equal(finish(w, RI_END_COMPLETE, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ec_215_220_250_model),
        cmocka_unit_test(ec_220_250_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
