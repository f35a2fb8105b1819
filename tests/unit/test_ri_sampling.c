/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Enabling, counting, direction, collection (specification D.7-D.9, E, F), by events. */
#include "tests/unit/ri_harness.h"
#include "tests/random.h"

static void start(struct world *w, struct ri_controls c)
{
    lric(w, c);
    ri_enable(w->ri, true);
}

WORLD(ri_67_70_every_nth, "RI-A")
{
    for (unsigned n = 1; n < 8; n++) {
        start(w, usual(n));
        uint64_t before = groups(w);
        for (unsigned i = 1; i <= 5 * n; i++) {
            steps(w, 1);
            assert_int_equal(groups(w) - before, i / n);
        }
        ri_enable(w->ri, false);
    }
}

WORLD(ri_68_cycles, "RI-A")
{
    struct ri_controls c = usual(12);
    c.m = 0;
    start(w, c);
    /* 1 + 3 + 2 + 3 = 9, the fifth (2) makes 11, the sixth (1) makes 12. */
    steps(w, 1);
    access_step(w, 0x5000, 4, false);
    emit(w, 1);
    access_step(w, 0x5000, 4, false);
    emit(w, 1);
    assert_int_equal(groups(w), 0);
    assert_int_equal(stric(w).rsic, 1);
    access_step(w, 0x5000, 4, false); /* 14: exhausted, the excess is not carried over */
    assert_int_equal(groups(w), 1);
    assert_int_equal(stric(w).rsic, 12);
}

WORLD(ri_69_partial_and_extended_interval, "RI-A")
{
    struct ri_controls c = usual(5);
    c.rsic = 2;
    start(w, c);
    steps(w, 1);
    assert_int_equal(groups(w), 0);
    steps(w, 1);
    assert_int_equal(groups(w), 1);
    steps(w, 5);
    assert_int_equal(groups(w), 2);
    ri_enable(w->ri, false);
    c.rsic = 9;
    start(w, c);
    steps(w, 8);
    assert_int_equal(groups(w), 2);
    steps(w, 1);
    assert_int_equal(groups(w), 3);
    steps(w, 5);
    assert_int_equal(groups(w), 4);
}

WORLD(ri_71_149_interval_continues, "RI-A")
{
    start(w, usual(10));
    steps(w, 4);
    ri_enable(w->ri, false); /* RIOFF, or an interruption */
    steps(w, 20);
    ri_enable(w->ri, true);
    steps(w, 5);
    assert_int_equal(groups(w), 0);
    ri_enable(w->ri, false);
    struct ri_controls a = stric(w);
    assert_int_equal(a.rsic, 1);
    start(w, usual(3)); /* task B */
    steps(w, 2);
    ri_enable(w->ri, false);
    start(w, a); /* A again */
    steps(w, 1);
    assert_int_equal(groups(w), 1);
}

WORLD(ri_72_execute_is_one_unit, "RI-A")
{
    struct ri_controls c = usual(2);
    start(w, c);
    for (unsigned i = 0; i < 2; i++) {
        struct ri_insn ex = {0x10000, 0x10000, 0x44000000, 4, RI_CLASS_NONE, false, false, false, false};
        struct ri_insn target = {0x10000, 0x18000, 0xd2030000, 6, RI_CLASS_NONE, false, false, true, false};
        ri_begin(w->ri, &ex);
        ri_begin(w->ri, &target);
        ri_access(w->ri, 0x5000, 4, true);
        assert_int_equal(finish(w, RI_END_COMPLETE, 5), 0);
    }
    assert_int_equal(groups(w), 1);
    assert_int_equal(field(w, 1, "IA"), 0x10000);
    assert_int_equal(field(w, 1, "EX"), 1);
    assert_int_equal(field(w, 1, "LEN"), 6);
    assert_int_equal(field(w, 1, "TXT"), 0xd2030000);
    c.m = 0;
    c.sf = 100;
    start(w, c);
    lric(w, c);
    struct ri_insn ex = {0x10000, 0x10000, 0x44000000, 4, RI_CLASS_NONE, false, false, false, false};
    ri_begin(w->ri, &ex);
    assert_int_equal(finish(w, RI_END_COMPLETE, 5), 0);
    assert_int_equal(stric(w).rsic, 95);
}

static void begin_mvcl(struct world *w)
{
    struct ri_insn mvcl = {0x10100, 0x10100, 0x0e240000, 2, RI_CLASS_NONE, false, false, false, false};
    ri_begin(w->ri, &mvcl);
}

WORLD(ri_73_interruptible, "RI-A")
{
    struct ri_controls c = usual(10);
    start(w, c);
    for (unsigned k = 0; k < 3; k++) { /* three interruptions, each after some units of operation */
        begin_mvcl(w);
        assert_int_equal(finish(w, RI_END_PARTIAL, 1), 0);
        begin_mvcl(w); /* goes on: nothing interrupted it here */
        assert_int_equal(finish(w, RI_END_PARTIAL, 1), 0);
        assert_int_equal(stric(w).rsic, 10 - k);
        ri_interruption(w->ri, RI_INT_EXTERNAL);
        ri_enable(w->ri, false);
        assert_int_equal(stric(w).rsic, 9 - k);
        ri_enable(w->ri, true);
    }
    begin_mvcl(w);
    assert_int_equal(finish(w, RI_END_COMPLETE, 1), 0);
    assert_int_equal(stric(w).rsic, 6); /* k + 1 units */
    /* A partial completion never exhausts the count. */
    c.rsic = 1;
    lric(w, c);
    begin_mvcl(w);
    assert_int_equal(finish(w, RI_END_PARTIAL, 1), 0);
    ri_interruption(w->ri, RI_INT_IO);
    assert_int_equal(stric(w).rsic, 1);
    assert_int_equal(groups(w), 0);
    begin_mvcl(w);
    assert_int_equal(finish(w, RI_END_COMPLETE, 1), 0);
    assert_int_equal(groups(w), 1);
    /* A transaction was aborted there: others complete, in blocks, and the interruption behind them charges no units.
     */
    c.rsic = 9;
    lric(w, c);
    begin_mvcl(w);
    assert_int_equal(finish(w, RI_END_PARTIAL, 1), 0);
    ri_charge(w->ri, 2);
    ri_interruption(w->ri, RI_INT_PROGRAM);
    assert_int_equal(stric(w).rsic, 7);
}

WORLD(ri_74_75_54_not_counted, "RI-A")
{
    start(w, usual(3));
    begin_mvcl(w);
    finish(w, RI_END_NOT, 1);
    ri_interruption(w->ri, RI_INT_PROGRAM);
    assert_int_equal(stric(w).rsic, 3);
    begin_mvcl(w);
    finish(w, RI_END_NOT_COUNTED, 1);
    assert_int_equal(stric(w).rsic, 3);
    /* Not even as the instruction after RINEXT. */
    next(w);
    struct ri_insn rioff = {w->ia, w->ia, 0xaa030000, 4, RI_CLASS_NONE, false, false, false, false};
    ri_begin(w->ri, &rioff);
    ri_enable(w->ri, false);
    finish(w, RI_END_NOT_COUNTED, 2);
    assert_int_equal(groups(w), 0);
    assert_int_equal(stric(w).rsic, 2);
}

WORLD(ri_76_counting_ignores_ps_qs, "RI-A")
{
    struct ri_controls c = usual(4);
    c.ps = c.qs = c.pc = c.qc = 0;
    start(w, c);
    steps(w, 1);
    w->problem = true;
    steps(w, 2);
    assert_int_equal(stric(w).rsic, 1);
    steps(w, 1);
    assert_int_equal(stric(w).rsic, 4);
    assert_int_equal(groups(w), 0);
}

WORLD(ri_126_sample_with_program_interruption, "RI-A")
{
    start(w, usual(1));
    begin_mvcl(w);
    finish(w, RI_END_INTERRUPTION, 1);
    ri_interruption(w->ri, RI_INT_PROGRAM);
    assert_int_equal(groups(w), 0);
    struct ri_controls c = usual(5);
    c.rsic = 1;
    lric(w, c);
    begin_mvcl(w);
    finish(w, RI_END_INTERRUPTION, 1);
    assert_int_equal(stric(w).rsic, 5); /* the interval has restarted */
}

WORLD(ri_59_60_66_directed, "RI-A")
{
    struct ri_controls c = usual(1);
    c.f = 0;
    c.ic = c.dc = 15;
    c.m = 2;
    start(w, c);
    steps(w, 5);
    assert_int_equal(groups(w), 0);
    next(w);
    steps(w, 1);
    assert_int_equal(groups(w), 1);
    assert_int_equal(field(w, 1, "DS"), 1);
    assert_int_equal(field(w, 1, "CS"), 0);
    assert_int_equal(field(w, 1, "IA"), w->ia - 2);
    assert_int_equal(stric(w).rsic, 0);
    steps(w, 5);
    assert_int_equal(groups(w), 1);
    c.n = 0;
    lric(w, c);
    next(w);
    steps(w, 1);
    assert_int_equal(groups(w), 1);
    c.n = 1;
    lric(w, c);
    ri_enable(w->ri, false);
    next(w);
    ri_enable(w->ri, true);
    steps(w, 1);
    assert_int_equal(groups(w), 1);
}

WORLD(ri_61_directed_and_execute, "RI-A")
{
    struct ri_controls c = usual(1);
    c.f = 0;
    c.ic = c.dc = 15;
    c.m = 2;
    start(w, c);
    next(w);
    struct ri_insn ex = {w->ia, w->ia, 0x44000000, 4, RI_CLASS_NONE, false, false, false, false};
    struct ri_insn target = {w->ia, 0x18000, 0x18120000, 2, RI_CLASS_NONE, false, false, true, false};
    ri_begin(w->ri, &ex);
    ri_begin(w->ri, &target);
    finish(w, RI_END_COMPLETE, 3);
    assert_int_equal(groups(w), 1);
    assert_int_equal(field(w, 1, "IA"), w->ia);
    assert_int_equal(field(w, 1, "EX"), 1);
    assert_int_equal(field(w, 1, "DS"), 1);
    assert_int_equal(field(w, 1, "TXT"), 0x18120000);
    /* RINEXT as a target: the instruction behind the execute-type instruction. */
    w->ia += 4;
    ex.ia = ex.own = target.ia = w->ia;
    target.text = 0xaa000000;
    target.length = 4;
    ri_begin(w->ri, &ex);
    ri_begin(w->ri, &target);
    ri_next(w->ri, w->ia + 4);
    finish(w, RI_END_COMPLETE, 4);
    w->ia += 4;
    assert_int_equal(groups(w), 1);
    steps(w, 1);
    assert_int_equal(groups(w), 2);
}

WORLD(ri_62_interruption_cancels_direction, "RI-A")
{
    struct ri_controls c = usual(1);
    c.m = 2;
    start(w, c);
    for (unsigned kind = RI_INT_PROGRAM; kind <= RI_INT_IO; kind++) {
        next(w);
        ri_interruption(w->ri, (enum ri_interruption)kind);
        ri_enable(w->ri, false);
        ri_enable(w->ri, true);
        steps(w, 1);
        assert_int_equal(groups(w), 0);
    }
}

WORLD(ri_63_count_and_direction, "RI-A")
{
    struct ri_controls c = usual(2);
    c.f = 0;
    c.ic = c.dc = 15;
    start(w, c);
    next(w);
    steps(w, 1);
    assert_int_equal(groups(w), 1);
    assert_int_equal(field(w, 1, "DS"), 1);
    assert_int_equal(field(w, 1, "CS"), 1);
    assert_int_equal(stric(w).rsic, 2);
    steps(w, 1);
    next(w); /* sample by count alone: nothing asks for it */
    assert_int_equal(groups(w), 1);
    steps(w, 1); /* by direction alone; it is charged */
    assert_int_equal(groups(w), 2);
    assert_int_equal(field(w, 3, "CS"), 0);
    assert_int_equal(stric(w).rsic, 1);
}

WORLD(ri_64_65_next_and_branch_as_nsi, "RI-A")
{
    struct ri_controls c = usual(1);
    c.m = 2;
    start(w, c);
    next(w);
    next(w);
    assert_int_equal(groups(w), 1);
    steps(w, 1);
    assert_int_equal(groups(w), 2);
    steps(w, 1);
    assert_int_equal(groups(w), 2);
    next(w);
    call(w, 0x14000);
    assert_int_equal(groups(w), 3);
    assert_int_equal(field(w, 5, "BR"), 1);
    steps(w, 1);
    assert_int_equal(groups(w), 3);
}

WORLD(ri_55_56_58_emit, "RI-A")
{
    struct ri_controls c = usual(100);
    start(w, c);
    emit(w, 0xfedcba9876543210);
    assert_int_equal(ri_collected(w->ri), 1);
    struct ri_record r = ri_collected_record(w->ri, 0);
    assert_int_equal(r.hi, 0x1000000000010000);
    assert_int_equal(r.lo, 0xfedcba9876543210);
    c.s = 0; /* not examined */
    lric(w, c);
    w->problem = true;
    emit(w, 1);
    assert_int_equal(ri_collected(w->ri), 1);
    c.pc = 0;
    lric(w, c);
    emit(w, 1);
    assert_int_equal(ri_collected(w->ri), 0);
    w->problem = false;
    emit(w, 1);
    assert_int_equal(ri_collected(w->ri), 1);
    c.qc = 0;
    lric(w, c);
    emit(w, 1);
    assert_int_equal(ri_collected(w->ri), 0);
    c.qc = 1;
    c.e = 0;
    lric(w, c);
    emit(w, 1);
    assert_int_equal(ri_collected(w->ri), 0);
    c.e = 1;
    lric(w, c);
    ri_enable(w->ri, false);
    emit(w, 1);
    assert_int_equal(ri_collected(w->ri), 0);
}

WORLD(ri_77_78_79_80_classes_and_controls, "RI-A")
{
    static const struct {
        enum ri_class class;
        uint8_t c, r, b, j;
        unsigned type; /* 0: no record */
    } cases[] = {
        {RI_CLASS_CALL, 1, 0, 0, 0, 0x12}, {RI_CLASS_CALL, 0, 1, 1, 1, 0},     {RI_CLASS_RETURN, 0, 1, 0, 0, 0x13},
        {RI_CLASS_RETURN, 1, 0, 1, 1, 0},  {RI_CLASS_OTHER, 0, 0, 1, 1, 0x14}, {RI_CLASS_OTHER, 1, 1, 0, 0, 0},
        {RI_CLASS_BC15, 0, 0, 1, 0, 0x14}, {RI_CLASS_BC15, 1, 1, 0, 0, 0},     {RI_CLASS_BC15, 0, 1, 0, 1, 0x13},
        {RI_CLASS_BC15, 1, 0, 1, 1, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ri_controls c = usual(1000);
        c.c = cases[i].c;
        c.r = cases[i].r;
        c.b = cases[i].b;
        c.j = cases[i].j;
        start(w, c);
        branch(w, cases[i].class, true, false, true, 0x12344);
        assert_int_equal(ri_collected(w->ri), cases[i].type != 0);
        if (cases[i].type)
            assert_int_equal(ri_collected_record(w->ri, 0).hi >> 56, cases[i].type);
    }
}

WORLD(ri_81_not_taken_no_record, "RI-A")
{
    start(w, usual(1000));
    branch(w, RI_CLASS_OTHER, false, true, false, 0x12344);
    assert_int_equal(ri_collected(w->ri), 0);
}

WORLD(ri_82_collection_by_state, "RI-A")
{
    struct ri_controls c = usual(1000);
    c.pc = 0;
    start(w, c);
    w->problem = true;
    call(w, 0x11000);
    assert_int_equal(ri_collected(w->ri), 0);
    w->problem = false;
    call(w, 0x11000);
    assert_int_equal(ri_collected(w->ri), 1);
    c.pc = 1;
    c.qc = 0;
    lric(w, c);
    call(w, 0x11000);
    assert_int_equal(ri_collected(w->ri), 0);
    w->problem = true;
    call(w, 0x11000);
    assert_int_equal(ri_collected(w->ri), 1);
}

WORLD(ri_83_84_newest_thirty_in_order, "RI-A")
{
    struct ri_controls c = usual(41);
    c.rgs = 4;
    start(w, c);
    for (unsigned i = 0; i < 40; i++)
        emit(w, i);
    steps(w, 1);
    assert_int_equal(groups(w), 1);
    for (unsigned i = 1; i <= 30; i++) {
        assert_int_equal(type(w, i), 0x10);
        assert_int_equal(field(w, i, "DATA"), 40 - 30 + i - 1);
    }
}

WORLD(ri_83_large_profile, "RI-D")
{
    struct ri_controls c = usual(400);
    c.rgs = 7;
    c.rla = BASE + 0x3fff;
    start(w, c);
    for (unsigned i = 0; i < 399; i++)
        emit(w, i);
    steps(w, 1);
    assert_int_equal(groups(w), 1);
    for (unsigned i = 1; i <= 254; i++)
        assert_int_equal(field(w, i, "DATA"), 399 - 254 + i - 1);
    assert_int_equal(type(w, 255), 4);
}

WORLD(ri_87_buffer_emptied, "RI-A")
{
    start(w, usual(1000));
    for (unsigned kind = RI_INT_PROGRAM; kind <= RI_INT_IO; kind++) {
        call(w, 0x11000);
        assert_int_equal(ri_collected(w->ri), 1);
        ri_interruption(w->ri, (enum ri_interruption)kind);
        assert_int_equal(ri_collected(w->ri), 0);
    }
    call(w, 0x11000);
    ri_enable(w->ri, true); /* RION again: kept (RI-50) */
    assert_int_equal(ri_collected(w->ri), 1);
    ri_enable(w->ri, false);
    assert_int_equal(ri_collected(w->ri), 0);
}

WORLD(ri_89_address_of_execute, "RI-A")
{
    start(w, usual(1000));
    struct ri_insn ex = {0x10000, 0x10000, 0x44000000, 4, RI_CLASS_NONE, false, false, false, false};
    struct ri_insn basr = {0x10000, 0x18000, 0x0de10000, 2, RI_CLASS_CALL, true, false, true, false};
    ri_begin(w->ri, &ex);
    ri_begin(w->ri, &basr);
    ri_branch(w->ri, true, 0x12000);
    finish(w, RI_END_COMPLETE, 3);
    assert_int_equal(ri_collected_record(w->ri, 0).hi, 0x1200000000010000);
    /* The predictor works with the branch's own address: the same one executed from elsewhere is a hit. */
    ex.ia = ex.own = basr.ia = 0x10040;
    ri_begin(w->ri, &ex);
    ri_begin(w->ri, &basr);
    ri_branch(w->ri, true, 0x12000);
    finish(w, RI_END_COMPLETE, 3);
    assert_int_equal(ri_collected_record(w->ri, 1).hi, 0x1200000000010040);
    assert_int_equal(ri_collected_record(w->ri, 1).lo, 0x8000000000012000);
}

WORLD(ri_100_predictor_emptied_by_enabling, "RI-A")
{
    start(w, usual(1000));
    uint64_t ia = w->ia;
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 2; i++) {
            w->ia = ia;
            branch(w, RI_CLASS_OTHER, false, true, true, 0x11000);
        }
        assert_int_equal(ri_collected(w->ri), 2);
        assert_int_equal(ri_collected_record(w->ri, 0).lo >> 63, 0);
        assert_int_equal(ri_collected_record(w->ri, 1).lo >> 63, 1);
        ri_enable(w->ri, false);
        ri_enable(w->ri, true);
    }
}

WORLD(ri_108_well_behaved, "RI-A")
{
    /* {always, relative, first W}: a miss is predicted taken only if unconditional, its target right only if
       relative */
    for (unsigned i = 0; i < 4; i++) {
        bool always = i & 1, relative = i & 2;
        start(w, usual(1000));
        ri_enable(w->ri, false);
        ri_enable(w->ri, true);
        w->ia = 0x10400;
        branch(w, RI_CLASS_OTHER, always, relative, true, 0xffffffff00010001 + i);
        assert_int_equal(ri_collected_record(w->ri, 0).lo,
                         (uint64_t)(always && relative) << 63 | (0x7fffffff00010001 + i));
        w->ia = 0x10400;
        branch(w, RI_CLASS_OTHER, always, relative, true, 0x10000); /* another target than before */
        assert_int_equal(ri_collected_record(w->ri, 1).lo >> 63, 0);
        w->ia = 0x10400;
        branch(w, RI_CLASS_OTHER, always, relative, true, 0x10000);
        assert_int_equal(ri_collected_record(w->ri, 2).lo >> 63, 1);
        w->ia = 0x10600; /* the same entry, another branch */
        branch(w, RI_CLASS_OTHER, always, relative, true, 0x10000);
        assert_int_equal(ri_collected_record(w->ri, 3).lo >> 63, always && relative);
    }
}

WORLD(ri_121_stopped_state, "RI-A")
{
    struct ri_controls c = usual(4);
    c.rca = c.rla + 1;
    start(w, c);
    assert_false(ri_active(w->ri));
    next(w);
    emit(w, 1);
    call(w, 0x11000);
    steps(w, 20);
    assert_int_equal(groups(w), 0);
    assert_int_equal(ri_collected(w->ri), 0);
    assert_int_equal(stric(w).rsic, 4);
    assert_int_equal(stric(w).rca, BASE + 0x1000);
    assert_int_equal(stric(w).l, 0);
}

/* ---- the hot path of block engines does the same as the general functions ------------------------------------- */

static uint64_t random64(uint64_t *state) { return random_step(state); }

WORLD(fast_branches_equal_general_ones, "RI-A")
{
    struct ri *fast = ri_create(ri_profile_find("RI-A"));
    uint64_t seed = 0x9e3779b97f4a7c15;
    for (unsigned round = 0; round < 50; round++) {
        struct ri_controls c = usual(1u << 20);
        uint64_t bits = random64(&seed);
        uint8_t block[RI_BLOCK_SIZE];
        c.c = bits & 1;
        c.r = bits >> 1 & 1;
        c.b = bits >> 2 & 1;
        c.j = bits >> 3 & 1;
        c.qc = bits >> 4 & 1;
        c.m = bits >> 5 & 1;
        ri_controls_encode(&c, block);
        lric(w, c);
        ri_enable(w->ri, true);
        ri_lric(fast, block);
        ri_enable(fast, true);
        for (unsigned i = 0; i < 2000; i++) {
            bits = random64(&seed);
            enum ri_class class = (enum ri_class)(1 + bits % 4);
            uint64_t ia = 0x10000 + (bits >> 8) % 1024 * 2, own = bits & 1 << 20 ? ia + 0x2000 : ia;
            if ((bits >> 24) % 16 == 0)
                ia |= UINT64_C(1) << 60;
            bool always = own & 2, relative = own & 4, taken = always || (bits >> 30) % 3;
            uint64_t target = relative ? own + 64 : 0x18000 + (bits >> 40) % 2 * 8;
            w->problem = bits >> 50 & 1;
            struct ri_insn insn = {ia, own, 0, 4, (uint8_t) class, always, relative, ia != own, w->problem};
            ri_begin(w->ri, &insn);
            ri_branch(w->ri, taken, target);
            assert_int_equal(ri_complete(w->ri, RI_END_COMPLETE, 2), 0);

            struct ri_site site = ri_site_make(fast, class, ia, own);
            uint8_t flags = ri_site_flags(fast, class, always, relative, w->problem);
            assert_true(ri_fast(fast));
            ri_branch_fast(fast, &site, flags, taken, target);
            ri_charge(fast, c.m ? 1 : 2);
            assert_int_equal(ri_remaining(fast), ri_remaining(w->ri));
        }
        assert_int_equal(fast->head, w->ri->head);
        assert_memory_equal(fast->ring, w->ri->ring, sizeof fast->ring);
        assert_memory_equal(fast->predictor, w->ri->predictor, sizeof fast->predictor);
        if (round % 3 == 0) {
            ri_enable(w->ri, false);
            ri_enable(fast, false);
        }
    }
    ri_destroy(fast);
}

int main(void)
{
    RI_OR_SKIP();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ri_67_70_every_nth),
        cmocka_unit_test(ri_68_cycles),
        cmocka_unit_test(ri_69_partial_and_extended_interval),
        cmocka_unit_test(ri_71_149_interval_continues),
        cmocka_unit_test(ri_72_execute_is_one_unit),
        cmocka_unit_test(ri_73_interruptible),
        cmocka_unit_test(ri_74_75_54_not_counted),
        cmocka_unit_test(ri_76_counting_ignores_ps_qs),
        cmocka_unit_test(ri_126_sample_with_program_interruption),
        cmocka_unit_test(ri_59_60_66_directed),
        cmocka_unit_test(ri_61_directed_and_execute),
        cmocka_unit_test(ri_62_interruption_cancels_direction),
        cmocka_unit_test(ri_63_count_and_direction),
        cmocka_unit_test(ri_64_65_next_and_branch_as_nsi),
        cmocka_unit_test(ri_55_56_58_emit),
        cmocka_unit_test(ri_77_78_79_80_classes_and_controls),
        cmocka_unit_test(ri_81_not_taken_no_record),
        cmocka_unit_test(ri_82_collection_by_state),
        cmocka_unit_test(ri_83_84_newest_thirty_in_order),
        cmocka_unit_test(ri_83_large_profile),
        cmocka_unit_test(ri_87_buffer_emptied),
        cmocka_unit_test(ri_89_address_of_execute),
        cmocka_unit_test(ri_100_predictor_emptied_by_enabling),
        cmocka_unit_test(ri_108_well_behaved),
        cmocka_unit_test(ri_121_stopped_state),
        cmocka_unit_test(fast_branches_equal_general_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
