/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection in exception trace (specification 4.2, 4.3, ET-23 to ET-30). */
#include "tests/unit/et_harness.h"
#include "ri/trace/select.h"

static struct et_config reset(void)
{
    struct et_config c;
    et_config_reset(&c);
    return c;
}

/* What the numbers of a configuration are is `wanted`. */
static void numbers(const struct et_config *c, bool (*wanted)(unsigned en))
{
    struct et_selector s;
    et_selector_make(&s, c);
    for (unsigned en = 0; en < ET_NUMBERS; en++)
        if (et_selector_number(&s, en) != wanted(en)) {
            print_error("number %03x\n", en);
            fail();
        }
}

static bool reserved(unsigned en) { return en && et_number_class(en) == ET_CLASS_NONE; }

/* ---- kinds ----------------------------------------------------------------------------------------------------------
 */

static void et_24_25_kinds(void **state)
{
    /* entry 1, exit 2, return 4 */
    static const uint8_t three[8] = {0, 1, 2, 3, 7, 6, 5, 4}, four[8] = {7, 6, 5, 4, 3, 2, 1, 0};
    struct et_selector s;
    struct et_config c = reset();
    const struct et_limits limits = {.host_clock = true};
    (void)state;
    for (unsigned code = 0; code < 16; code++)
        for (unsigned encoding = 0; encoding < 2; encoding++) {
            ET_PUT(&c, ETCR, EVENC, encoding);
            ET_PUT(&c, ETCR, EVSEL, code);
            et_selector_make(&s, &c);
            const unsigned wanted = !encoding ? three[code & 7] : code & 8 ? four[code & 7] : 0;
            for (unsigned fn = ET_FN_ENTRY; fn <= ET_FN_RETURN; fn++)
                assert_int_equal(s.kinds[fn], wanted >> (fn - 1) & 1);
            assert_int_equal(et_config_wrong(&c, &limits) != NULL, encoding && code == 15);
        }
}

/* A master switch besides the kinds: with every code of the table nothing comes while it is off. */
static void et_23_output_off(void **state)
{
    (void)state;
    for (unsigned code = 0; code < 8; code++) {
        struct rig r;
        struct et_accounts accounts;
        rig_begin(&r, 1, true);
        set(&r, ETCR, UINT64_C(0x4030300) | code << 4);
        figure_6(&r);
        et_mark(r.cpu, 1);
        et_state(r.cpu, ET_ST_RESET);
        et_flush(r.cpu);
        assert_int_equal(et_finish(r.machine), 0);
        assert_int_equal(r.file.size, 0);
        et_accounts(r.cpu, &accounts);
        assert_int_equal(accounts.detected, 0);
        rig_end(&r);
    }
}

/* ---- classes, subsets, priorities
 * ------------------------------------------------------------------------------------ */

static bool hardware(unsigned en) { return en >= 1 && en < 0x80 && !reserved(en); }
static bool software(unsigned en) { return en >= 0x80; }
static bool timers(unsigned en) { return en == 4 || en == 5; }
static bool io(unsigned en) { return en >= 8 && en <= 15; }
static bool faults(unsigned en) { return en == 0x90 || en == 0x91 || (en >= 0xb8 && en <= 0xbb); }
static bool low16(unsigned en) { return en < 16; }
static bool all(unsigned en) { return en < ET_NUMBERS; }
static bool none(unsigned en) { return en >= ET_NUMBERS; }
static bool but_normal(unsigned en) { return en && !reserved(en); }

static void et_26_subsets(void **state)
{
    static bool (*const subsets[8])(unsigned) = {all, hardware, software, timers, io, faults, low16, none};
    struct et_config c = reset();
    (void)state;
    for (unsigned subset = 0; subset < 8; subset++) {
        ET_PUT(&c, ETSL, SUBSET, subset);
        numbers(&c, subsets[subset]);
    }
    c = reset();
    ET_PUT(&c, ETSL, HWONLY, 1);
    numbers(&c, hardware);
    c = reset();
    ET_PUT(&c, ETSL, NORM, 0);
    numbers(&c, but_normal);
}

static void et_26_classes_and_priorities(void **state)
{
    (void)state;
    for (unsigned class = 0; class < ET_CLASSES; class ++)
        for (unsigned priority = 0; priority < 8; priority++) {
            struct et_config c = reset();
            struct et_selector s;
            ET_PUT(&c, ETSL, CLS, 1u << class);
            ET_PUT(&c, ETSL, PRIO, priority);
            et_selector_make(&s, &c);
            for (unsigned en = 1; en < ET_NUMBERS; en++)
                if (!reserved(en))
                    assert_int_equal(et_selector_number(&s, en),
                                     et_number_class(en) == class && et_class_priority(class) <= priority);
            assert_int_equal(et_selector_number(&s, 0), priority == 7);
        }
    /* 1.3: exigent machine check 1, SVC 2, program 3, repressible machine check 4, external 5, I/O 6, restart 7 */
    static const enum et_class order[] = {ET_EXIGENT,  ET_SVC, ET_PROGRAM, ET_REPRESSIBLE,
                                          ET_EXTERNAL, ET_IO,  ET_RESTART};
    for (unsigned i = 0; i < 7; i++)
        assert_int_equal(et_class_priority(order[i]), i + 1);
}

/* ---- ranges and bitmap
 * ------------------------------------------------------------------------------------------------ */

static bool in_4_to_15(unsigned en) { return en >= 4 && en <= 0x15; }
static bool not_4_to_15(unsigned en) { return !in_4_to_15(en); }
static bool in_two(unsigned en) { return in_4_to_15(en) || (en >= 0x100 && en <= 0x1ff); }
static bool without_8(unsigned en) { return in_4_to_15(en) && en != 8; }

static void et_27_ranges(void **state)
{
    struct et_config c = reset();
    (void)state;
    ET_PUT(&c, ETRG, R0LOW, 4);
    ET_PUT(&c, ETRG, R0HIGH, 0x15);
    ET_PUT(&c, ETRG, R1LOW, 0x100);
    ET_PUT(&c, ETRG, R1HIGH, 0x1ff);
    numbers(&c, all); /* not in use */
    ET_PUT(&c, ETSL, R0EN, 1);
    numbers(&c, in_4_to_15);
    ET_PUT(&c, ETSL, R0EXC, 1);
    numbers(&c, not_4_to_15);
    ET_PUT(&c, ETSL, R0EXC, 0);
    ET_PUT(&c, ETSL, R1EN, 1);
    numbers(&c, in_two);
    ET_PUT(&c, ETRG, R1LOW, 8);
    ET_PUT(&c, ETRG, R1HIGH, 8);
    ET_PUT(&c, ETSL, R1EXC, 1); /* include and exclude together: what is excluded is out */
    numbers(&c, without_8);
    ET_PUT(&c, ETRG, R1LOW, 9); /* an empty range */
    numbers(&c, in_4_to_15);
}

static void et_28_bitmap(void **state)
{
    (void)state;
    for (unsigned one = 0; one < ET_NUMBERS; one++) {
        struct et_config c = reset();
        struct et_selector s;
        for (unsigned i = 0; i < 8; i++)
            c.reg[ETBM0 + i] = 0;
        c.reg[ETBM0 + one / 64] = UINT64_C(1) << one % 64;
        et_selector_make(&s, &c);
        assert_true(et_selector_number(&s, one ^ 1)); /* BMEN=0 */
        ET_PUT(&c, ETSL, BMEN, 1);
        et_selector_make(&s, &c);
        for (unsigned en = 0; en < ET_NUMBERS; en++)
            assert_int_equal(et_selector_number(&s, en), en == one);
    }
}

static bool only_91(unsigned en) { return en == 0x91; }

/* All selectors together: each takes away what the others have left. */
static void et_29_selectors_combine(void **state)
{
    struct et_config c = reset();
    (void)state;
    ET_PUT(&c, ETSL, CLS, 1u << ET_PROGRAM | 1u << ET_SVC);
    ET_PUT(&c, ETSL, SUBSET, 5);
    ET_PUT(&c, ETSL, PRIO, 3);
    ET_PUT(&c, ETSL, R0EN, 1);
    ET_PUT(&c, ETRG, R0LOW, 0x90);
    ET_PUT(&c, ETRG, R0HIGH, 0xb8);
    ET_PUT(&c, ETSL, R1EN, 1);
    ET_PUT(&c, ETSL, R1EXC, 1);
    ET_PUT(&c, ETRG, R1LOW, 0xb8);
    ET_PUT(&c, ETRG, R1HIGH, 0xbf);
    ET_PUT(&c, ETSL, BMEN, 1);
    c.reg[ETBM2] &= ~(UINT64_C(1) << (0x90 - 0x80));
    numbers(&c, only_91);
    ET_PUT(&c, ETFR, RED, 1);
    ET_PUT(&c, ETFR, REDSUP, 1);
    numbers(&c, none);
    ET_PUT(&c, ETFR, OMIT, 1); /* wins */
    numbers(&c, only_91);
}

/* ---- by frame
 * --------------------------------------------------------------------------------------------------------- */

static void play_from(uint64_t from, const char *wanted)
{
    struct rig r;
    rig_begin(&r, 1, true);
    set(&r, ETCR, UINT64_C(0x4000041) | from << 16);
    take_from(&r, 1, ET_SVC, 1, user(0x100)); /* from problem state */
    take(&r, 2, ET_IO, 3, 0x200);             /* from supervisor state */
    back(&r, 3, 0x200);
    load(&r, 4, user(0x100));
    et_boundary(r.cpu, user(0x100));
    assert_words(&r, 0, wanted);
    rig_end(&r);
}

/* Each event by the old PSW of its frame, RETURN by that of the frame it closes. */
static void et_26_from_state(void **state)
{
    (void)state;
    play_from(3, "E101 E00b X00b R101 X101 R000");
    play_from(1, "E101 X101 R000");
    play_from(2, "E00b X00b R101");
    play_from(0, "");
}

/* 1 in 3: the frames with numbers 3, 6, ...; whole ones, and counters of all. */
static void et_30_samples(void **state)
{
    struct rig r;
    struct et_accounts accounts;
    (void)state;
    rig_begin(&r, 1, true);
    set(&r, ETMS, UINT64_C(3) << 32);
    set(&r, ETCR, 0x4030041);
    for (unsigned i = 1; i <= 6; i += 2) {
        take(&r, 1, ET_SVC, i, 0x100);
        take(&r, 1, ET_SVC, i + 1, 0x200);
        back(&r, 1, 0x200);
        back(&r, 1, 0x100);
    }
    for (unsigned i = 1; i <= 6; i++)
        assert_int_equal(et_count(r.cpu, 0x100 + i)->exits, 1);
    et_accounts(r.cpu, &accounts);
    assert_int_equal(accounts.detected, 18);
    assert_int_equal(accounts.filtered, 12);
    assert_words(&r, 0, "E103 X103 R000 E106 X106 R105");
    rig_end(&r);
}

/* SIGNAL by the number, not by FROM and STATN. */
static void et_29_47_signals(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    set(&r, ETMS, UINT64_C(1000) << 32);
    set(&r, ETSL, 0x70ef); /* without I/O */
    set(&r, ETCR, 0x4000141);
    et_request(r.machine, 0, ET_IO, 3, NULL, false);
    et_request(r.machine, 0, ET_EXTERNAL, 0x1004, NULL, false);
    take(&r, 1, ET_EXTERNAL, 0x1004, 0x100);
    assert_words(&r, 0, "S004");
    rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_24_25_kinds),
        cmocka_unit_test(et_23_output_off),
        cmocka_unit_test(et_26_subsets),
        cmocka_unit_test(et_26_classes_and_priorities),
        cmocka_unit_test(et_27_ranges),
        cmocka_unit_test(et_28_bitmap),
        cmocka_unit_test(et_29_selectors_combine),
        cmocka_unit_test(et_26_from_state),
        cmocka_unit_test(et_30_samples),
        cmocka_unit_test(et_29_47_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
