/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report controls, groups, their store, halts, suppression, transactions (specification G to J), by events. */
#include "tests/unit/ri_harness.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void start(struct world *w, struct ri_controls c)
{
    lric(w, c);
    ri_enable(w->ri, true);
}
/* Controls with no report control on. */
static struct ri_controls silent(uint64_t sf)
{
    struct ri_controls c = usual(sf);
    c.f = 0;
    c.ic = c.dc = 15;
    return c;
}
static bool reports(struct world *w)
{
    uint64_t now = groups(w);
    static uint64_t before;
    bool more = now != before;
    before = now;
    return more;
}

/* ---- G: report controls ---------------------------------------------------------------------------------------- */

WORLD(ri_91_92_override, "RI-A")
{
    struct ri_controls c = silent(2);
    start(w, c);
    steps(w, 10);
    access_step(w, 0x5000, 8, true);
    call(w, 0x11000);
    assert_int_equal(groups(w), 0);
    c.f = 1;
    c.bpxn = c.bpxt = c.bpti = c.bpni = 1;
    lric(w, c);
    steps(w, 10);
    assert_int_equal(groups(w), 5);
}

WORLD(ri_93_94_uncached_levels, "RI-A")
{
    for (unsigned level = 0; level <= 15; level++) {
        struct ri_controls c = silent(1);
        c.ic = (uint8_t)level;
        start(w, c);
        uint64_t before = groups(w);
        steps(w, 3);
        assert_int_equal(groups(w) - before, level < 15 ? 3 : 0);
        c.ic = 15;
        c.dc = (uint8_t)level;
        lric(w, c);
        before = groups(w);
        steps(w, 3);
        assert_int_equal(groups(w) - before, 0);
        access_step(w, 0x5000, 8, true);
        assert_int_equal(groups(w) - before, level < 15);
    }
}

WORLD(ri_95_to_98_prediction_controls, "RI-A")
{
    struct ri_controls c = silent(1);
    c.bpxn = 1;
    start(w, c);
    reports(w);
    w->ia = 0x10000;
    branch(w, RI_CLASS_OTHER, false, true, true, 0x10040); /* predicted not taken, taken: not what is asked for */
    assert_false(reports(w));
    w->ia = 0x10000;
    branch(w, RI_CLASS_OTHER, false, true, false, 0x10040);
    assert_true(reports(w));
    assert_int_equal(field(w, 1, "PT"), 1);
    assert_int_equal(field(w, 1, "TK"), 0);

    c = silent(1);
    c.bpxt = 1;
    lric(w, c);
    w->ia = 0x10000;
    branch(w, RI_CLASS_OTHER, false, true, true, 0x10040);
    assert_true(reports(w));
    w->ia = 0x10000;
    branch(w, RI_CLASS_OTHER, false, true, true, 0x10040);
    assert_false(reports(w));

    c = silent(1);
    c.bpti = 1;
    lric(w, c);
    static const struct {
        uint64_t target;
        bool reported;
    } br[] = {{0x11000, true}, {0x11000, false}, {0x12000, true}};
    for (unsigned i = 0; i < 3; i++) {
        w->ia = 0x10000;
        branch(w, RI_CLASS_RETURN, true, false, true, br[i].target);
        assert_int_equal(reports(w), br[i].reported);
    }

    c = silent(1);
    c.bpni = 1;
    lric(w, c);
    static const struct {
        uint64_t target;
        bool reported;
    } bcr[] = {{0x11000, false}, {0x12000, true}, {0x12000, false}};
    for (unsigned i = 0; i < 3; i++) {
        w->ia = 0x10000;
        branch(w, RI_CLASS_OTHER, false, false, false, bcr[i].target);
        assert_int_equal(reports(w), bcr[i].reported);
    }
}

WORLD(ri_99_report_by_state, "RI-A")
{
    for (unsigned i = 0; i < 8; i++) {
        struct ri_controls c = usual(1);
        c.ps = i & 1;
        c.qs = i >> 1 & 1;
        start(w, c);
        uint64_t before = groups(w);
        w->problem = i >> 2;
        steps(w, 1); /* by count */
        bool want = w->problem ? c.ps : c.qs;
        assert_int_equal(groups(w) - before, want);
        c.m = 2;
        lric(w, c);
        before = groups(w);
        next(w);
        steps(w, 1); /* by direction */
        assert_int_equal(groups(w) - before, want);
    }
}

static void two_level(struct world *w, uint8_t ic)
{
    struct ri_profile p = ri_profiles[0];
    p.cache_model = RI_CACHE_TWO_LEVEL;
    assert_int_equal(ri_set_profile(w->ri, &p), 0);
    struct ri_controls c = silent(1);
    c.ic = ic;
    start(w, c);
}

WORLD(ri_101_two_level_caches, "RI-A")
{
    static const bool wanted[4][3] = {{true, false, true}, {true, false, false}, {false, false, false}};
    for (unsigned ic = 0; ic < 3; ic++) {
        two_level(w, (uint8_t)ic);
        reports(w);
        w->ia = 0x10000;
        steps(w, 1); /* never touched: level 1 */
        assert_int_equal(reports(w), wanted[ic][0]);
        steps(w, 1); /* the same line: no miss */
        assert_int_equal(reports(w), wanted[ic][1]);
        w->ia = 0x14000; /* 64 lines on: takes the place in the first level */
        steps(w, 1);
        reports(w);
        w->ia = 0x10000; /* level 0 */
        steps(w, 1);
        assert_int_equal(reports(w), wanted[ic][2]);
        ri_enable(w->ri, false);
    }
    struct ri_controls c = silent(1);
    c.dc = 0;
    start(w, c);
    assert_false(ri_fast(w->ri));
    access_step(w, 0x5000, 4, false);
    assert_true(reports(w));
    access_step(w, 0x50f0, 4, false);
    assert_false(reports(w));
}

/* ---- H: groups and records ------------------------------------------------------------------------------------- */

WORLD(ri_102_group_sizes, "RI-D")
{
    for (unsigned rgs = 0; rgs < 8; rgs++) {
        struct ri_controls c = usual(1);
        c.rgs = (uint8_t)rgs;
        c.rla = BASE + 0x3fff;
        start(w, c);
        steps(w, 2);
        unsigned n = 2u << rgs;
        assert_int_equal(type(w, 0), 2);
        assert_int_equal(type(w, n - 1), 4);
        assert_int_equal(type(w, n), 3);
        assert_int_equal(type(w, 2 * n - 1), 4);
        assert_int_equal(stric(w).rca, BASE + 2 * 16 * n);
    }
}

WORLD(ri_103_133_begin_and_timestamp, "RI-B")
{
    struct ri_controls c = usual(16);
    c.rgs = 1;
    start(w, c);
    steps(w, 16);
    assert_int_equal(record(w, 0).hi, 0x0200000100012800); /* NRG 1, version 1, RGS 1, T */
    assert_int_equal(record(w, 0).lo, 0x1122334455667788);
    w->env.tod = 0x2122334455667788;
    steps(w, 16);
    assert_int_equal(record(w, 0).hi, 0x0200000200012800);
    assert_int_equal(record(w, 0).lo, 0x1122334455667788);
    assert_int_equal(record(w, 4).hi, 0x0300000000010800);
    assert_int_equal(record(w, 4).lo, 0x2122334455667788);
}

WORLD(ri_105_instruction_record, "RI-A")
{
    start(w, usual(1));
    steps(w, 1);
    assert_int_equal(record(w, 1).hi, 0x0400000000010000);
    assert_int_equal(record(w, 1).lo, 0x04ef020018010000 + 0x0); /* CS, IL 14, DL 15, 2 bytes */
    w->problem = true;
    access_step(w, 0x5000, 4, false);
    assert_int_equal(record(w, 3).lo, 0x05ee0600d203a000); /* CS PS, IL 14, DL 14, 6 bytes */
    w->problem = false;
    call(w, 0x11000);
    assert_int_equal(record(w, 5).lo, 0xf4ef0400a7f40002); /* BR TK PT TC CS */
    branch(w, RI_CLASS_OTHER, false, false, false, 0x11000);
    assert_int_equal(record(w, 7).lo, 0x94ef0400a7f40002); /* BR TC CS */
}

WORLD(ri_85_86_88_body, "RI-A")
{
    struct ri_controls c = usual(2);
    c.rgs = 2;
    start(w, c);
    emit(w, 0x111);
    call(w, 0x11000); /* the sample instruction's own event is in its group */
    for (unsigned i = 1; i <= 4; i++) {
        assert_int_equal(record(w, i).hi, 0);
        assert_int_equal(record(w, i).lo, 0);
    }
    assert_int_equal(type(w, 5), 0x10);
    assert_int_equal(type(w, 6), 0x12);
    steps(w, 2); /* no new events: repeated */
    assert_int_equal(type(w, 8 + 5), 0x10);
    assert_int_equal(type(w, 8 + 6), 0x12);
}

WORLD(ri_106_107_address_code, "RI-A")
{
    start(w, usual(1));
    w->ia = (UINT64_C(1) << 55) - 2;
    steps(w, 1);
    assert_int_equal(record(w, 1).hi, 0x047ffffffffffffe);
    assert_int_equal(stric(w).mae, 0);
    w->ia = 0x0080000000000000 | 0x1234;
    steps(w, 1);
    assert_int_equal(record(w, 3).hi, 0x0480000000001234);
    assert_int_equal(stric(w).mae, 1);
    w->ia = 0x10000;
    steps(w, 1);
    assert_int_equal(stric(w).mae, 1); /* stays */
    struct ri_controls c = usual(2);   /* an event record in the body does it as well */
    c.rgs = 1;
    lric(w, c);
    w->ia = 0x1200000000001234;
    emit(w, 5);
    w->ia = 0x10000;
    assert_int_equal(stric(w).mae, 0);
    steps(w, 1);
    assert_int_equal(field(w, 2, "C"), 1);
    assert_int_equal(field(w, 2, "IA"), 0x1234);
    assert_int_equal(stric(w).mae, 1);
}

WORLD(ri_110_extra_record, "RI-A")
{
    struct ri_controls c = usual(1);
    c.d = 1;
    c.rgs = 1;
    start(w, c);
    access_step(w, 0x123456789abcdef0, 0x123456789, true);
    assert_int_equal(type(w, 2), 1);
    assert_int_equal(record(w, 2).hi, 0x01018e00ffffffff);
    assert_int_equal(record(w, 2).lo, 0x123456789abcdef0);
    access_step(w, 0x5000, 4, false);
    assert_int_equal(record(w, 4 + 2).hi, 0x01010e0000000004);
    steps(w, 1); /* no storage operand */
    assert_int_equal(type(w, 8 + 2), 0);
    c.d = 0;
    lric(w, c);
    access_step(w, 0x5000, 4, false);
    assert_int_equal(type(w, 2), 0);
    c.d = 1;
    c.rgs = 0; /* no room for it */
    lric(w, c);
    access_step(w, 0x5000, 4, false);
    assert_int_equal(type(w, 1), 4);
}

/* ---- I: the store ---------------------------------------------------------------------------------------------- */

WORLD(ri_111_112_120_125_until_full, "RI-A")
{
    struct ri_controls c = usual(1);
    c.u = 1;
    c.rgs = 4;
    start(w, c);
    for (unsigned n = 1; n <= 8; n++) {
        assert_int_equal(ri_alert(w->ri), 0);
        steps(w, 1);
        assert_int_equal(stric(w).rca, BASE + 512 * n);
        assert_int_equal(field(w, 0, "NRG"), n);
        assert_int_equal(field(w, 0, "S"), n == 8);
    }
    assert_int_equal(stric(w).l, 1);
    assert_int_equal(stric(w).rca, stric(w).rla + 1);
    assert_int_equal(ri_alert(w->ri), 0x10);
    assert_false(ri_active(w->ri));
    ri_alert_presented(w->ri);
    ri_interruption(w->ri, RI_INT_EXTERNAL);
    ri_enable(w->ri, false);
    ri_enable(w->ri, true);
    steps(w, 5);
    assert_int_equal(groups(w), 8);
    assert_int_equal(ri_alert(w->ri), 0);
}

WORLD(ri_120_first_group_fills, "RI-D")
{
    struct ri_controls c = usual(1);
    c.rgs = 7;
    start(w, c);
    steps(w, 1);
    assert_int_equal(field(w, 0, "S"), 1);
    assert_int_equal(field(w, 0, "NRG"), 1);
    assert_int_equal(stric(w).l, 1);
    assert_int_equal(stric(w).rca, BASE + 0x1000);
}

WORLD(ri_116_117_access_exception, "RI-A")
{
    struct ri_controls c = usual(3);
    start(w, c);
    steps(w, 3);
    emit(w, 1);
    uint8_t saved[ROOM];
    memcpy(saved, w->bytes, ROOM);
    w->bad_page = BASE;
    struct ri_controls before = stric(w);
    steps(w, 1);
    assert_int_equal(step(w), 0x11);
    ri_interruption(w->ri, RI_INT_PROGRAM);
    assert_memory_equal(saved, w->bytes, ROOM);
    struct ri_controls after = stric(w);
    assert_int_equal(after.rca, before.rca);
    assert_int_equal(after.rsic, 3); /* the interval has restarted */
    assert_int_equal(after.l + after.g, 0);
    w->bad_page = 0;
    steps(w, 3);
    assert_int_equal(groups(w), 2);
    assert_int_equal(stric(w).rca, BASE + 64);
    assert_int_equal(field(w, 0, "NRG"), 2);
}

WORLD(ri_118_begin_record_inaccessible, "RI-A")
{
    struct ri_controls c = usual(1);
    c.rla = BASE + 0x1fff;
    start(w, c);
    steps(w, 128); /* one page of groups */
    assert_int_equal(stric(w).rca, BASE + 0x1000);
    uint8_t saved[ROOM];
    memcpy(saved, w->bytes, ROOM);
    w->bad_page = BASE;
    assert_int_equal(step(w), 0x11);
    assert_memory_equal(saved, w->bytes, ROOM);
    assert_int_equal(stric(w).rca, BASE + 0x1000);
    w->bad_page = BASE + 0x1000;
    assert_int_equal(step(w), 0x11);
    assert_memory_equal(saved, w->bytes, ROOM);
    w->bad_page = 0;
    steps(w, 1);
    assert_int_equal(field(w, 0, "NRG"), 129);
}

/* Storage that is nothing but the begin record at address 0. */
static int vast_test(void *context, uint64_t address, unsigned length, bool fetch_too)
{
    (void)context, (void)address, (void)length, (void)fetch_too;
    return 0;
}
static int vast_fetch(void *context, uint64_t address, void *to, unsigned length)
{
    assert_int_equal(address, 0);
    memcpy(to, context, length);
    return 0;
}
static int vast_store(void *context, uint64_t address, const void *from, unsigned length)
{
    if (address == 0)
        memcpy(context, from, length);
    return 0;
}

WORLD(nrg_saturates, "RI-A")
{
    uint8_t begin[16] = {2, 0xff, 0xff, 0xfe, 0, 1};
    const struct ri_storage vast = {begin, vast_test, vast_fetch, vast_store, NULL};
    struct ri_controls c = usual(1);
    c.roa = 0;
    c.rla = 0x3fffffff;
    c.rca = UINT64_C(32) * 0xfffffe; /* 2^24 - 2 groups are there */
    w->env.storage = &vast;
    start(w, c);
    for (unsigned i = 0; i < 3; i++) {
        steps(w, 1);
        assert_int_equal(begin[1] << 16 | begin[2] << 8 | begin[3], 0xffffff);
        assert_int_equal(begin[0], 2);
    }
    assert_int_equal(groups(w), 3);
}

/* ---- J: capability, version, halts ----------------------------------------------------------------------------- */

WORLD(ri_134_135_136_suppression, "RI-A")
{
    for (unsigned i = 0; i < 16; i++) {
        bool secondary = i & 1, y = i & 2, z = i & 4, mixed = i & 8;
        struct ri_profile p = ri_profiles[0];
        p.secondary = secondary;
        assert_int_equal(ri_set_profile(w->ri, &p), 0);
        struct ri_controls c = usual(2);
        c.y = y;
        c.z = z;
        w->env.mixed_capability = mixed;
        start(w, c);
        bool suppressed = mixed && (secondary ? z : y);
        uint64_t before = groups(w);
        struct ri_record begin = record(w, 0);
        steps(w, 2);
        assert_int_equal(groups(w) - before, !suppressed);
        assert_int_equal(stric(w).rsic, 2);
        assert_int_equal(stric(w).rca, suppressed ? BASE : BASE + 32);
        if (suppressed) {
            assert_int_equal(record(w, 0).hi, begin.hi);
            before = groups(w);
            next(w);
            steps(w, 1); /* directed (and by count): suppressed as well */
            assert_int_equal(groups(w) - before, 0);
        } else
            assert_int_equal(field(w, 0, "T"), secondary);
    }
}

/* Store `n` groups by RI-A, then the same controls are loaded under another profile. */
static void migrate(struct world *w, struct ri_controls c, unsigned n, const char *to)
{
    start(w, c);
    steps(w, n);
    ri_enable(w->ri, false);
    struct ri_controls saved = stric(w);
    assert_int_equal(ri_set_profile(w->ri, ri_profile_find(to)), 0);
    start(w, saved);
}

WORLD(ri_137_141_142_other_version_halts, "RI-A")
{
    struct ri_controls c = usual(1);
    c.u = 1;
    migrate(w, c, 3, "RI-C");
    steps(w, 1);
    assert_int_equal(groups(w), 3);
    assert_int_equal(stric(w).rca, BASE + 96);
    assert_int_equal(stric(w).g, 1);
    assert_int_equal(field(w, 0, "H"), 1);
    assert_int_equal(field(w, 0, "NRG"), 3);
    assert_int_equal(ri_alert(w->ri), 0x20);
    /* RI-140: the halted state. */
    assert_false(ri_active(w->ri));
    emit(w, 1);
    next(w);
    steps(w, 5);
    assert_int_equal(ri_collected(w->ri), 0);
    assert_int_equal(groups(w), 3);
    /* Presentation ends it; the next sample finds the condition again. */
    ri_alert_presented(w->ri);
    ri_interruption(w->ri, RI_INT_EXTERNAL);
    ri_enable(w->ri, false);
    assert_int_equal(ri_alert(w->ri), 0);
    ri_enable(w->ri, true);
    assert_true(ri_active(w->ri));
    steps(w, 1);
    assert_int_equal(ri_alert(w->ri), 0x20);
    assert_int_equal(groups(w), 3);
    /* RI-143: MRIC with RCA = ROA. */
    mric(w, usual(1), false);
    assert_int_equal(ri_alert(w->ri), 0);
    steps(w, 1);
    assert_int_equal(groups(w), 4);
    assert_int_equal(field(w, 0, "H"), 0);
    assert_int_equal(field(w, 0, "VERSION"), 2);
    assert_int_equal(field(w, 0, "NRG"), 1);
}

WORLD(ri_35_mric_elsewhere_keeps_the_halt, "RI-A")
{
    struct ri_controls c = usual(1);
    migrate(w, c, 3, "RI-C");
    steps(w, 1);
    assert_true(w->ri->halted);
    c = stric(w);
    mric(w, c, false);
    assert_true(w->ri->halted);
    assert_int_equal(stric(w).g, 1);
    assert_false(ri_active(w->ri));
}

WORLD(ri_138_smaller_limit_halts, "RI-A")
{
    struct ri_controls c = usual(16);
    c.rgs = 3;
    start(w, c);
    steps(w, 16);
    ri_enable(w->ri, false);
    struct ri_controls saved = stric(w);
    assert_int_equal(ri_set_profile(w->ri, ri_profile_find("RI-B")), 0);
    start(w, saved);
    assert_int_equal(stric(w).rgs, 3);
    steps(w, 16);
    assert_int_equal(groups(w), 1);
    assert_int_equal(stric(w).g, 1);
    assert_int_equal(field(w, 0, "H"), 1);
    assert_int_equal(stric(w).rca, saved.rca);
}

WORLD(ri_139_first_group_never_halts, "RI-A")
{
    migrate(w, usual(1), 0, "RI-C");
    steps(w, 1);
    assert_int_equal(groups(w), 1);
    assert_int_equal(field(w, 0, "VERSION"), 2);
}

WORLD(ri_144_back_on_the_original_version, "RI-A")
{
    migrate(w, usual(1), 2, "RI-C");
    steps(w, 1);
    ri_enable(w->ri, false);
    struct ri_controls saved = stric(w);
    assert_int_equal(saved.g, 1);
    assert_int_equal(ri_set_profile(w->ri, ri_profile_find("RI-A")), 0);
    start(w, saved);
    steps(w, 1);
    assert_int_equal(groups(w), 3);
    assert_int_equal(stric(w).g, 0);
    assert_int_equal(field(w, 0, "H"), 1);
    assert_int_equal(field(w, 0, "NRG"), 3);
}

struct blob {
    uint8_t bytes[1 << 16];
    size_t length;
};
static void save_field(void *context, const char *name, void *place, size_t size)
{
    struct blob *b = context;
    (void)name;
    assert_true(b->length + size <= sizeof b->bytes);
    memcpy(b->bytes + b->length, place, size);
    b->length += size;
}
static void load_field(void *context, const char *name, void *place, size_t size)
{
    struct blob *b = context;
    (void)name;
    memcpy(place, b->bytes + b->length, size);
    b->length += size;
}

/* Export everything, import it into a new unit of `profile`, which takes the old one's place. */
static void snapshot(struct world *w, const char *profile)
{
    struct blob *b = calloc(1, sizeof *b);
    ri_each_field(w->ri, save_field, b);
    ri_destroy(w->ri);
    w->ri = ri_create(ri_profile_find(profile));
    b->length = 0;
    ri_each_field(w->ri, load_field, b);
    ri_restored(w->ri);
    free(b);
}

static void mixed_program(struct world *w)
{
    w->ia = 0x10000;
    for (unsigned i = 0; i < 7; i++) {
        emit(w, i);
        call(w, 0x10100 + 64 * (i % 3));
        steps(w, 2);
        branch(w, RI_CLASS_RETURN, true, false, true, 0x10000 + 32 * i);
        if (i % 3 == 0)
            next(w);
    }
}

WORLD(ri_145_snapshot_on_the_same_profile, "RI-A")
{
    struct ri_controls c = usual(9);
    c.rgs = 2;
    start(w, c);
    mixed_program(w);
    next(w);
    snapshot(w, "RI-A");
    steps(w, 1);
    mixed_program(w);
    uint8_t with[ROOM];
    memcpy(with, w->bytes, ROOM);
    ri_enable(w->ri, false);
    memset(w->bytes, 0, ROOM);
    start(w, c);
    mixed_program(w);
    next(w);
    steps(w, 1);
    mixed_program(w);
    assert_true(groups(w) > 8);
    assert_memory_equal(with, w->bytes, ROOM);
}

WORLD(ri_146_snapshot_on_another_profile, "RI-A")
{
    struct ri_controls c = usual(1);
    start(w, c);
    steps(w, 2);
    snapshot(w, "RI-B");
    assert_int_equal(stric(w).sf, 1); /* not clamped */
    steps(w, 1);
    assert_int_equal(groups(w), 3);
    assert_int_equal(field(w, 0, "T"), 0);
    assert_int_equal(field(w, 4, "T"), 1);
    snapshot(w, "RI-C");
    steps(w, 1);
    assert_int_equal(groups(w), 3);
    assert_int_equal(stric(w).g, 1);
}

/* ---- I.7: transactions ----------------------------------------------------------------------------------------- */

static void transactional(struct world *w, struct ri_controls c)
{
    struct ri_profile p = ri_profiles[0];
    p.transactional = true;
    assert_int_equal(ri_set_profile(w->ri, &p), 0);
    start(w, c);
}

WORLD(ri_128_129_131_deferred_group, "RI-A")
{
    struct ri_controls c = usual(4);
    c.rgs = 1;
    transactional(w, c);
    w->env.transaction = true;
    emit(w, 0xaaa);
    steps(w, 3); /* the sample point */
    assert_int_equal(groups(w), 0);
    emit(w, 0xbbb); /* frozen */
    next(w);        /* no-operation */
    steps(w, 8);    /* further sample points: nothing but the interval */
    w->env.transaction = false;
    steps(w, 1); /* the outermost TEND */
    w->env.tod++;
    assert_int_equal(groups(w), 0);
    assert_int_equal(ri_transaction_end(w->ri, &w->env), 0);
    assert_int_equal(groups(w), 1);
    assert_int_equal(field(w, 0, "TOD"), 0x1122334455667789);
    assert_int_equal(field(w, 2, "DATA"), 0xaaa);
    assert_int_equal(field(w, 3, "IA"), 0x10000 + 4 + 4);
    assert_int_equal(ri_collected(w->ri), 0);
    emit(w, 0xccc);
    assert_int_equal(ri_collected(w->ri), 1);
}

WORLD(ri_128_no_sample_in_the_transaction, "RI-A")
{
    struct ri_controls c = usual(5);
    transactional(w, c);
    w->env.transaction = true;
    emit(w, 1);
    w->env.transaction = false;
    steps(w, 4); /* the last is the sample instruction and TEND: stored at once, the buffer is kept */
    assert_int_equal(groups(w), 1);
    assert_int_equal(ri_transaction_end(w->ri, &w->env), 0);
    assert_int_equal(groups(w), 1);
    assert_int_equal(ri_collected(w->ri), 1);
}

WORLD(ri_130_90_109_abort_without_interruption, "RI-A")
{
    struct ri_controls c = usual(2);
    c.x = 1;
    transactional(w, c);
    w->env.transaction = true;
    steps(w, 2);
    w->env.transaction = false;
    assert_int_equal(ri_transaction_end(w->ri, &w->env), 0);
    ri_transaction_aborted(w->ri, 0x10010, 0x12345, 0xffff000000010020, false);
    assert_int_equal(groups(w), 1);
    assert_int_equal(ri_collected(w->ri), 1);
    assert_int_equal(ri_collected_record(w->ri, 0).hi, 0x1100000000010010);
    assert_int_equal(ri_collected_record(w->ri, 0).lo, 0xffff000000010020);
    ri_transaction_aborted(w->ri, 0x10010, 256, 0x10020, false);
    assert_int_equal(ri_collected_record(w->ri, 1).lo, 0x0100000000010020);
    c.x = 0;
    lric(w, c);
    ri_transaction_aborted(w->ri, 0x10010, 256, 0x10020, false);
    assert_int_equal(ri_collected(w->ri), 0);
    assert_int_equal(ri_set_profile(w->ri, ri_profile_find("RI-A")), 0); /* not configured: X has no effect */
    c.x = 1;
    lric(w, c);
    ri_transaction_aborted(w->ri, 0x10010, 256, 0x10020, false);
    assert_int_equal(ri_collected(w->ri), 0);
}

WORLD(ri_130_abort_with_interruption, "RI-A")
{
    struct ri_controls c = usual(2);
    transactional(w, c);
    w->env.transaction = true;
    steps(w, 2);
    assert_true(w->ri->deferred);
    ri_interruption(w->ri, RI_INT_PROGRAM);
    w->env.transaction = false;
    assert_int_equal(ri_transaction_end(w->ri, &w->env), 0);
    assert_int_equal(groups(w), 0);
    /* An external interruption: stored first. */
    w->env.transaction = true;
    steps(w, 2);
    w->env.transaction = false;
    assert_int_equal(ri_transaction_end(w->ri, &w->env), 0);
    ri_interruption(w->ri, RI_INT_EXTERNAL);
    assert_int_equal(groups(w), 1);
}

/* ---- text ------------------------------------------------------------------------------------------------------ */

static void count_record(void *context, unsigned group, uint64_t address, struct ri_record record)
{
    unsigned *n = context;
    assert_int_equal(address, BASE + 16 * *n);
    assert_int_equal(group, 1 + *n / 4);
    assert_non_null(ri_type_name(ri_record_type(record)));
    ++*n;
}

/* All controls, as NAME=VALUE in so many digits: what it means. */
static void note_control(void *context, const char *name, uint64_t value, unsigned digits, const char *words)
{
    char *text = context;
    const size_t length = strlen(text);
    snprintf(text + length, 4096 - length, "%s=%0*" PRIX64 ": %s\n", name, digits ? (int)digits : 1, value, words);
}

WORLD(text_and_json, "RI-A")
{
    char text[RI_LINE], json[2048], words[4096] = "";
    struct ri_controls c = usual(2);
    c.rgs = 1;
    c.ic = 15;
    start(w, c);
    call(w, 0x11000);
    emit(w, 0x5a5);
    steps(w, 2);
    unsigned n = 0;
    assert_int_equal(ri_buffer_each(w->bytes, 0x1000, BASE, count_record, &n), 2);
    assert_int_equal(n, 8);
    ri_record_text(record(w, 1), text, sizeof text);
    assert_string_equal(text, "call        10000 -> 11000  well predicted");
    ri_record_text(record(w, 2), text, sizeof text);
    assert_string_equal(text, "emit        11000  data 00000000000005A5");
    ri_record_json(record(w, 1), json, sizeof json);
    assert_string_equal(json, "{\"type\":\"call\",\"code\":\"12\",\"C\":0,\"IA\":\"00000000010000\",\"W\":1,"
                              "\"TGT\":\"0000000000011000\"}");
    ri_controls_each(&w->ri->controls, note_control, words);
    n = 0;
    for (const char *line = words; (line = strchr(line, '\n')); line++)
        n++;
    assert_int_equal(n, 39);
    assert_non_null(strstr(words, "RCA=0000000000020080: current address\n"));
    assert_non_null(strstr(words, "\nRGS=1: reporting-group size code: 4 records, 64 bytes\n"));
    assert_non_null(strstr(words, "\nIC=F: report fetch misses from level: never\n"));
    assert_non_null(strstr(words, "\nM=1: mode: instructions\n"));
    assert_true(ri_controls_set(&c, "sf", 77));
    assert_int_equal(c.sf, 77);
    assert_true(ri_controls_set(&c, "Key", 15));
    assert_false(ri_controls_set(&c, "Key", 16));
    assert_false(ri_controls_set(&c, "nothing", 0));
    assert_string_equal(ri_state_name(w->ri), "active");
    ri_enable(w->ri, false);
    assert_string_equal(ri_state_name(w->ri), "off");
    w->bytes[0] = 4;
    assert_int_equal(ri_buffer_each(w->bytes, 0x1000, BASE, count_record, &n), 0);
    for (unsigned i = 0; i < 256; i++) { /* every type, every bit one: no line too long */
        ri_record_text((struct ri_record){(uint64_t)i << 56 | 0xffffffffffffff, ~UINT64_C(0)}, text, sizeof text);
        assert_true(strlen(text) < RI_LINE - 40);
    }
}

int main(void)
{
    RI_OR_SKIP();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ri_91_92_override),
        cmocka_unit_test(ri_93_94_uncached_levels),
        cmocka_unit_test(ri_95_to_98_prediction_controls),
        cmocka_unit_test(ri_99_report_by_state),
        cmocka_unit_test(ri_101_two_level_caches),
        cmocka_unit_test(ri_102_group_sizes),
        cmocka_unit_test(ri_103_133_begin_and_timestamp),
        cmocka_unit_test(ri_105_instruction_record),
        cmocka_unit_test(ri_85_86_88_body),
        cmocka_unit_test(ri_106_107_address_code),
        cmocka_unit_test(ri_110_extra_record),
        cmocka_unit_test(ri_111_112_120_125_until_full),
        cmocka_unit_test(ri_120_first_group_fills),
        cmocka_unit_test(ri_116_117_access_exception),
        cmocka_unit_test(ri_118_begin_record_inaccessible),
        cmocka_unit_test(nrg_saturates),
        cmocka_unit_test(ri_134_135_136_suppression),
        cmocka_unit_test(ri_137_141_142_other_version_halts),
        cmocka_unit_test(ri_35_mric_elsewhere_keeps_the_halt),
        cmocka_unit_test(ri_138_smaller_limit_halts),
        cmocka_unit_test(ri_139_first_group_never_halts),
        cmocka_unit_test(ri_144_back_on_the_original_version),
        cmocka_unit_test(ri_145_snapshot_on_the_same_profile),
        cmocka_unit_test(ri_146_snapshot_on_another_profile),
        cmocka_unit_test(ri_128_129_131_deferred_group),
        cmocka_unit_test(ri_128_no_sample_in_the_transaction),
        cmocka_unit_test(ri_130_90_109_abort_without_interruption),
        cmocka_unit_test(ri_130_abort_with_interruption),
        cmocka_unit_test(text_and_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
