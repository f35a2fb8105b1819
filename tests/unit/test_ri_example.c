/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worked example of the specification, section M: its events fed one by one, its dump written out. */
#include "tests/unit/ri_harness.h"

/* One instruction of the example. */
static void run(struct world *w, uint64_t ia, uint32_t text, unsigned length, enum ri_class class, bool always,
                bool relative, bool taken, uint64_t target)
{
    struct ri_insn insn = {ia, ia, text, (uint8_t)length, (uint8_t) class, always, relative, false, false};
    ri_begin(w->ri, &insn);
    if (text == 0xaa540000)
        ri_emit(w->ri, ia, 0x5a5, false);
    if (class != RI_CLASS_NONE)
        ri_branch(w->ri, taken, target);
    assert_int_equal(finish(w, RI_END_COMPLETE, length / 2), 0);
}

static void program(struct world *w, unsigned iterations)
{
    for (unsigned i = 1; i <= iterations; i++) {
        run(w, 0x10018, 0xaa540000, 4, RI_CLASS_NONE, false, false, false, 0);                /* RIEMIT */
        run(w, 0x1001c, 0xc0e50000, 6, RI_CLASS_CALL, true, true, true, 0x10040);             /* BRASL */
        run(w, 0x10040, 0xa74a0001, 4, RI_CLASS_NONE, false, false, false, 0);                /* AHI */
        run(w, 0x10044, 0x07fe0000, 2, RI_CLASS_RETURN, true, false, true, 0x10022);          /* BR */
        run(w, 0x10022, 0xa736fffb, 4, RI_CLASS_OTHER, false, true, i < iterations, 0x10018); /* BRCT */
    }
}

static const uint64_t dump[24][2] = WORKED_EXAMPLE(0x1122334455667788);

static const uint8_t cb[RI_BLOCK_SIZE] = {0, 0, 0, 0, 0, 2, 0,    0,    0,    0,    0, 0, 0,    2,    0, 0,
                                          0, 0, 0, 0, 0, 2, 0x0f, 0xff, 0x80, 0x50, 0, 2, 0x10, 0xe8, 1, 0,
                                          0, 0, 0, 0, 0, 0, 0,    0,    0,    0,    0, 0, 0,    0,    0, 4};
static const uint8_t cbout[RI_BLOCK_SIZE] = {
    0,    0,    0, 0, 0, 2, 1, 0x80, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0x0f, 0xff, 0x88, 0x50, 0, 2,
    0x10, 0xe8, 1, 0, 0, 0, 0, 0,    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0,    0,    0,    0,    0, 1};

WORLD(worked_example_dump, "RI-A")
{
    assert_false(ri_block_invalid(cb, false));
    assert_true(ri_lric(w->ri, cb));
    memset(w->bytes, 0xee, ROOM);
    ri_enable(w->ri, true); /* RION */
    program(w, 3);
    ri_enable(w->ri, false); /* RIOFF */
    for (unsigned i = 0; i < 24; i++) {
        assert_int_equal(record(w, i).hi, dump[i][0]);
        assert_int_equal(record(w, i).lo, dump[i][1]);
    }
    for (unsigned i = 24 * 16; i < ROOM; i++)
        assert_int_equal(w->bytes[i], 0xee);
    uint8_t block[RI_BLOCK_SIZE];
    ri_stric(w->ri, block);
    assert_memory_equal(block, cbout, sizeof block);
}

static void carry_out(struct world *w, struct ri_controls c)
{
    lric(w, c);
    ri_enable(w->ri, true);
    program(w, 3);
}

/* "RLA such that only two groups fit": not possible with whole 4K-byte blocks of 128-byte groups; 30 groups before. */
WORLD(variation_two_groups_fit, "RI-A")
{
    struct ri_controls c = ri_controls_decode(cb);
    lric(w, c);
    ri_enable(w->ri, true);
    c.sf = 1;
    lric(w, c);
    steps(w, 30);
    c = stric(w);
    c.sf = 4;
    c.rsic = 4;
    lric(w, c);
    program(w, 3);
    assert_int_equal(field(w, 0, "S"), 1);
    assert_int_equal(field(w, 0, "NRG"), 32);
    assert_int_equal(stric(w).l, 1);
    assert_int_equal(stric(w).rca, BASE + 0x1000);
    assert_int_equal(groups(w), 32);
}

WORLD(variation_only_bpti, "RI-A")
{
    struct ri_controls c = ri_controls_decode(cb);
    c.f = 0;
    c.ic = c.dc = 15;
    c.bpti = 1;
    carry_out(w, c);
    assert_int_equal(groups(w), 1);
    assert_int_equal(field(w, 7, "IA"), 0x10044);
}

WORLD(variation_group_of_two_records, "RI-A")
{
    struct ri_controls c = ri_controls_decode(cb);
    c.rgs = 0;
    carry_out(w, c);
    assert_int_equal(groups(w), 3);
    assert_int_equal(record(w, 1).lo, dump[7][1]);
    assert_int_equal(record(w, 3).lo, dump[15][1]);
    assert_int_equal(record(w, 5).lo, dump[23][1]);
}

WORLD(variation_no_collection, "RI-A")
{
    struct ri_controls c = ri_controls_decode(cb);
    c.qc = 0;
    carry_out(w, c);
    assert_int_equal(groups(w), 3);
    for (unsigned i = 0; i < 24; i++)
        if (i % 8 != 0 && i % 8 != 7)
            assert_int_equal(record(w, i).hi, 0);
    assert_int_equal(record(w, 23).lo, dump[23][1]); /* the predictor does not depend on collection */
}

WORLD(variation_mode_0, "RI-A")
{
    struct ri_controls c = ri_controls_decode(cb);
    c.m = 0;
    c.sf = 12;
    carry_out(w, c);
    /* Cycles 2 3 2 1 2 each iteration (10): 12 are reached by the RIEMIT of the second (12), then 3 2 1 2 2 3 = 13 by
       the BRASL of the third, then 2 1 2. */
    assert_int_equal(groups(w), 2);
    assert_int_equal(field(w, 7, "IA"), 0x10018);
    assert_int_equal(field(w, 15, "IA"), 0x1001c);
    assert_int_equal(stric(w).rsic, 12 - 5);
}

int main(void)
{
    RI_OR_SKIP();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example_dump),     cmocka_unit_test(variation_two_groups_fit),
        cmocka_unit_test(variation_only_bpti),     cmocka_unit_test(variation_group_of_two_records),
        cmocka_unit_test(variation_no_collection), cmocka_unit_test(variation_mode_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
