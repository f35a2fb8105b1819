/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tracker of exception trace: what is ENTRY, EXIT and RETURN (specification 1.4 to 1.6, ET-4 to ET-21), by events. */
#include "tests/unit/et_harness.h"

#define CTX    UINT64_C(0x0800)
#define PSTATE UINT64_C(0x1000)
#define ANY    UINT64_C(0x2000)
#define NEAR   UINT64_C(0x4000)
#define TPI    UINT64_C(0x0400)

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

static void et_4_numbers_are_total(void **state)
{
    (void)state;
    for (unsigned code = 0; code < 0x10000; code++) {
        const unsigned external = et_number(ET_EXTERNAL, code), program = et_number(ET_PROGRAM, code);
        assert_true(external >= 4 && external <= 0x1f);
        assert_true(program >= 0x80 && program <= 0xff);
        /* PER (0080) and abort (0200) beside a code do not change its number. */
        assert_int_equal(program, et_number(ET_PROGRAM, code | 0x280));
    }
    assert_int_equal(et_number(ET_EXTERNAL, 0x1004), 4);
    assert_int_equal(et_number(ET_EXTERNAL, 0x9999), 0x1f);
    assert_int_equal(et_number(ET_PROGRAM, 0x119), 0xf9);
    assert_int_equal(et_number(ET_PROGRAM, 0x80), 0x80);
    assert_int_equal(et_number(ET_PROGRAM, 0x40), 0xc0);
    assert_int_equal(et_number(ET_PROGRAM, 0x100), 0xff);
    assert_int_equal(et_number(ET_SVC, 0x1ff), 0x1ff);
    assert_int_equal(et_number(ET_IO, 7), 0xf);
}

/* INFO tag 1 has the exact code where the number stands for all others. */
static void et_4_exact_code(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    set(&r, ETFR, UINT64_C(0x11a1e0000));
    set(&r, ETCR, 0x4030041);
    const struct et_info info = {.given = 1u << ET_INFO_CODE, .code = 0x9999};
    et_entry(r.cpu, ET_EXTERNAL, 0x9999, at(0x100), at(0x200), &info);
    assert_int_equal(et_finish(r.machine), 0);
    struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    const uint8_t wanted[] = {0x0e, 0x1f, 0x10, 0x24, 0x04, 0x01, 0x99, 0xb3, 0x02};
    bool found = false;
    for (size_t i = 0; i + sizeof wanted <= b.size; i++)
        found |= !memcmp(b.at + i, wanted, sizeof wanted);
    assert_true(found);
    bytes_free(&b);
    rig_end(&r);
}

/* ---- EXIT ------------------------------------------------------------------------------------------------------- */

static void et_7_5_each_instruction_leaves(void **state)
{
    (void)state;
    for (enum et_insn insn = ET_LPSW; insn <= ET_PR; insn++) {
        struct rig r;
        rig_all(&r, 1, 0);
        take(&r, 1, ET_SVC, 1, 0x100);
        et_reload(r.cpu, insn, at(0x100));
        et_boundary(r.cpu, at(0x100));
        assert_words(&r, 0, "E101 X101 R000");
        rig_end(&r);
    }
}

/* RP and PR only where the PSW matches, whatever RETM says: no event, no count. */
static void et_7_11_rp_and_pr_match_only(void **state)
{
    (void)state;
    for (enum et_insn insn = ET_RP; insn <= ET_PR; insn++) {
        struct rig r;
        struct et_accounts accounts;
        rig_all(&r, 1, ANY);
        et_reload(r.cpu, insn, user(0x5000));
        take(&r, 1, ET_SVC, 1, 0x100);
        et_reload(r.cpu, insn, user(0x5000));
        assert_false(r.attention[0]);
        et_accounts(r.cpu, &accounts);
        assert_int_equal(accounts.reloads_in_normal + accounts.reloads_in_handler, 0);
        assert_words(&r, 0, "E101");
        rig_end(&r);
    }
}

static void et_8_loads_without_event_are_counted(void **state)
{
    struct rig r;
    struct et_accounts accounts;
    (void)state;
    rig_all(&r, 1, 0);
    load(&r, 1, at(0x100));
    load(&r, 2, user(0x100));
    assert_false(r.attention[0]);
    take(&r, 3, ET_SVC, 1, 0x100);
    load(&r, 4, at(0x200));
    load(&r, 5, user(0x100));
    load(&r, 6, at(0x102));
    assert_false(r.attention[0]);
    et_accounts(r.cpu, &accounts);
    assert_int_equal(accounts.reloads_in_normal, 2);
    assert_int_equal(accounts.reloads_in_handler, 3);
    assert_words(&r, 0, "E101");
    rig_end(&r);
}

/* Masks, CC, program mask, PER and W may be others; DAT, key, P, AS, EA, BA may not; ETPM says so. */
static void et_10_match_mask(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 64; bit++)
        for (int all = 0; all < 2; all++) {
            struct rig r;
            const uint64_t match = all ? UINT64_C(1) << 62 : UINT64_C(0x04f1c00180000000), one = UINT64_C(1) << bit;
            rig_all(&r, 1, 0);
            set(&r, ETPM, match);
            take(&r, 1, ET_SVC, 1, 0x100);
            load(&r, 2, (struct et_psw){SUPERVISOR ^ one, 0x100});
            assert_int_equal(r.attention[0], !(match & one));
            rig_end(&r);
        }
}

static void et_10_near(void **state)
{
    (void)state;
    for (int near = 0; near < 2; near++)
        for (uint64_t base = 0; base <= 0x1000; base += 0x1000)
            for (int64_t ahead = -8; ahead <= 8; ahead++) {
                struct rig r;
                const bool matches = !ahead || (near && ahead % 2 == 0 && ahead >= -6 && ahead <= 6);
                rig_all(&r, 1, near ? NEAR : 0);
                take(&r, 1, ET_SVC, 1, base);
                load(&r, 2, at(base + (uint64_t)ahead));
                assert_int_equal(r.attention[0], matches);
                rig_end(&r);
            }
}

/* RETM 0, 1, 2 with a reload that matches, one to problem state and one to supervisor state; CTX=0. */
static void et_11_reload_rules(void **state)
{
    static const struct {
        uint64_t retm;
        const char *matching, *problem, *supervisor;
        unsigned depth_problem, depth_supervisor;
    } rules[] = {
        {0, "E101 E00b X00b R101", "E101 E00b", "E101 E00b", 2, 2},
        {PSTATE, "E101 E00b X00b R101", "E101 E00b X00b.f R000.f", "E101 E00b", 0, 2},
        {ANY, "E101 E00b X00b R101", "E101 E00b X00b.f R101.f", "E101 E00b X00b.f R101.f", 1, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        for (unsigned which = 0; which < 3; which++) {
            struct rig r;
            rig_all(&r, 1, rules[i].retm);
            take(&r, 1, ET_SVC, 1, 0x100);
            take(&r, 2, ET_IO, 3, 0x200);
            const struct et_psw to = which == 0 ? at(0x200) : which == 1 ? user(0x9000) : at(0x9000);
            load(&r, 3, to);
            if (r.attention[0])
                et_boundary(r.cpu, to);
            assert_int_equal(et_depth(r.cpu), which == 0   ? 1
                                              : which == 1 ? rules[i].depth_problem
                                                           : rules[i].depth_supervisor);
            assert_words(&r, 0, which == 0 ? rules[i].matching : which == 1 ? rules[i].problem : rules[i].supervisor);
            rig_end(&r);
        }
}

/* RETM=1 with CTX=1: the frame stays, and the task can go on later. */
static void et_11_13_problem_state_keeps_frames(void **state)
{
    struct rig r;
    (void)state;
    rig_all(&r, 1, PSTATE | CTX);
    take_from(&r, 1, ET_SVC, 1, user(0x100));
    load(&r, 2, user(0x9000));
    et_boundary(r.cpu, user(0x9000));
    assert_int_equal(et_depth(r.cpu), 1);
    assert_int_equal(et_current(r.cpu), 0);
    assert_words(&r, 0, "E101 X101.f R000.f");
    rig_end(&r);
}

static void et_12_unwinding(void **state)
{
    struct rig r;
    (void)state;
    rig_all(&r, 1, 0);
    take(&r, 10, ET_SVC, 1, 0x100);
    take(&r, 20, ET_SVC, 2, 0x200);
    take(&r, 30, ET_SVC, 3, 0x300);
    take(&r, 40, ET_SVC, 4, 0x400);
    back(&r, 50, 0x200);
    assert_int_equal(et_depth(r.cpu), 1);
    assert_int_equal(et_count(r.cpu, 0x104)->gross, 10);
    assert_int_equal(et_count(r.cpu, 0x103)->gross, 20);
    assert_int_equal(et_count(r.cpu, 0x103)->self, 10);
    assert_int_equal(et_count(r.cpu, 0x102)->self, 10);
    back(&r, 60, 0x100);
    assert_int_equal(et_count(r.cpu, 0x101)->gross, 50);
    assert_int_equal(et_count(r.cpu, 0x101)->self, 20);
    assert_words(&r, 0, "E101 E102 E103 E104 X104 X103.f X102.f R101 X101 R000");
    rig_end(&r);
}

/* Two tasks that sleep in their SVCs and go on in another order; the scheduler goes from one to the other inside of a
   handler, without loading a PSW. Every ENTRY has its EXIT and its RETURN. */
static void et_13_tasks_return_out_of_order(void **state)
{
    struct rig r;
    (void)state;
    rig_all(&r, 1, CTX | PSTATE);
    take_from(&r, 10, ET_SVC, 1, user(0x1000)); /* X sleeps: the scheduler begins Y */
    load(&r, 20, user(0x2000));
    et_boundary(r.cpu, user(0x2000));
    take_from(&r, 30, ET_SVC, 2, user(0x2100)); /* Y sleeps; X goes on */
    load(&r, 40, user(0x1000));
    et_boundary(r.cpu, user(0x1000));
    take_from(&r, 50, ET_EXTERNAL, 0x1004, user(0x1100)); /* a tick in X: Y goes on */
    load(&r, 60, user(0x2100));
    et_boundary(r.cpu, user(0x2100));
    take_from(&r, 70, ET_IO, 1, user(0x2200)); /* in Y: X goes on */
    load(&r, 80, user(0x1100));
    et_boundary(r.cpu, user(0x1100));
    take_from(&r, 90, ET_SVC, 3, user(0x1200)); /* X sleeps; Y goes on */
    load(&r, 99, user(0x2200));
    et_boundary(r.cpu, user(0x2200));
    assert_int_equal(et_depth(r.cpu), 1);
    assert_int_equal(et_count(r.cpu, 0x102)->gross, 10);
    assert_words(&r, 0, "E101 X101.f R000.f E102 X102 R000 E004 X004 R000 E009 X009 R000 E103 X103 R000");
    rig_end(&r);
}

/* With CTX=1 an idle loop that runs outside of every handler gives a task its turn: nothing is left by it. */
static void et_13_a_task_goes_on_from_the_idle_loop(void **state)
{
    struct rig r;
    (void)state;
    rig_all(&r, 1, CTX | PSTATE);
    take(&r, 5, ET_EXTERNAL, 0x1004, 0x50); /* in the idle loop: its tick begins task X */
    load(&r, 6, user(0x900));
    et_boundary(r.cpu, user(0x900));
    take_from(&r, 10, ET_SVC, 1, user(0x1000)); /* X sleeps: the idle loop goes on */
    back(&r, 20, 0x50);
    load(&r, 30, user(0x1000)); /* it gives X its turn */
    et_boundary(r.cpu, user(0x1000));
    assert_int_equal(et_depth(r.cpu), 0);
    assert_words(&r, 0, "E004 X004.f R000.f E101 X101 R000 R000");
    rig_end(&r);
}

/* ---- boundaries: the table of 1.4.2 ------------------------------------------------------------------------------ */

/* Taken at once: TC; the context does not return. */
static void et_14_taken_at_once(void **state)
{
    struct rig r;
    (void)state;
    rig_all(&r, 1, 0);
    take(&r, 1, ET_EXTERNAL, 0x1004, 0x100);
    load(&r, 2, at(0x100));
    take(&r, 3, ET_IO, 5, 0x100);
    assert_int_equal(et_depth(r.cpu), 1);
    back(&r, 4, 0x100);
    assert_int_equal(et_count(r.cpu, 0x00d)->tail_chains, 1);
    assert_words(&r, 0, "E004 X004.t E00d.t X00d R000");
    rig_end(&r);
}

/* An instruction of the context (or the attempt: SVC, a fault in its fetch) lies between: no TC. */
static void et_9_14_a_unit_of_operation_between(void **state)
{
    static const struct {
        enum et_class class;
        unsigned code;
        const char *words;
    } next[] = {{ET_IO, 5, "E004 X004 R000 E00d"},
                {ET_SVC, 1, "E004 X004 R000 E101"},
                {ET_PROGRAM, 0x11, "E004 X004 R000 E091"}};
    (void)state;
    for (size_t i = 0; i < sizeof next / sizeof *next; i++) {
        struct rig r;
        rig_all(&r, 1, 0);
        take(&r, 1, ET_EXTERNAL, 0x1004, 0x100);
        load(&r, 2, at(0x100));
        assert_true(r.attention[0]);
        et_boundary(r.cpu, at(0x100));
        assert_false(r.attention[0]);
        take(&r, 3, next[i].class, next[i].code, 0x102);
        assert_words(&r, 0, next[i].words);
        rig_end(&r);
    }
}

/* An early PSW exception is taken before any fetch: TC, and INFO says EPSW. */
static void et_14_19_early_psw(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    set(&r, ETFR, UINT64_C(0x11afe0000));
    set(&r, ETCR, 0x4030041);
    take(&r, 1, ET_EXTERNAL, 0x1004, 0x100);
    load(&r, 2, at(0x100));
    const struct et_info info = {
        .given = 1u << ET_INFO_CODE | 1u << ET_INFO_FLAGS, .code = 6, .flags = ET_IF_EARLY_PSW};
    et_entry(r.cpu, ET_PROGRAM, 6, at(0x100), at(0x300), &info);
    assert_stream(&r, "00 00 00 00 00 00 00 80 10 80 01 01 00 ff ff 03 00 00 01 ba"
                      "38 01 c1 80 8c 20  38 02 80 80 f8 d7 11  38 05 00"
                      "0e 04 10  0e 04 60  0e 86 50 24 04 01 06 06 01  78 03 00 03 00 03 b2 f9 03 e8");
    rig_end(&r);
}

static void et_14_enabled_wait(void **state)
{
    struct rig r;
    (void)state;
    rig_all(&r, 1, 0);
    take(&r, 1, ET_EXTERNAL, 0x1004, 0x100);
    load(&r, 2, at(0x100)); /* nothing pending */
    et_boundary(r.cpu, at(0x100));
    et_state(r.cpu, ET_ST_WAIT);
    et_state(r.cpu, ET_ST_WAIT_END);
    take(&r, 9, ET_IO, 5, 0x100);
    load(&r, 10, at(0x100)); /* a request is pending */
    take(&r, 11, ET_IO, 6, 0x100);
    assert_words(&r, 0, "E004 X004 R000 state1 state2 E00d X00d.t E00e.t");
    rig_end(&r);
}

/* STOSM and STNSM around nothing: nested. */
static void et_14_masks_opened_for_an_instant(void **state)
{
    struct rig r;
    (void)state;
    rig_all(&r, 1, 0);
    take(&r, 1, ET_SVC, 1, 0x100);
    take(&r, 2, ET_IO, 5, 0x8004);
    assert_int_equal(et_depth(r.cpu), 2);
    assert_words(&r, 0, "E101 E00d");
    rig_end(&r);
}

/* Several pending at LPSWE: the first is TC; what comes before its handler's first instruction is late, not TC. */
static void et_14_16_several_pending(void **state)
{
    struct rig r;
    (void)state;
    rig_all(&r, 1, 0);
    take(&r, 1, ET_EXTERNAL, 0x1004, 0x100);
    load(&r, 2, at(0x100));
    et_entry(r.cpu, ET_EXTERNAL, 0x1005, at(0x100), at(0x700), NULL);
    et_entry(r.cpu, ET_IO, 5, at(0x700), at(0x800), NULL);
    et_boundary(r.cpu, at(0x800));
    back(&r, 3, 0x700);
    back(&r, 4, 0x100);
    assert_words(&r, 0, "E004 X004.t E005.t E00d.l X00d R005 X005 R000");
    rig_end(&r);
}

static void et_16_late_arrival(void **state)
{
    struct rig r;
    (void)state;
    rig_all(&r, 1, 0);
    et_entry(r.cpu, ET_SVC, 1, at(0x100), at(0x700), NULL);
    et_entry(r.cpu, ET_EXTERNAL, 0x1004, at(0x700), at(0x800), NULL);
    et_boundary(r.cpu, at(0x800));
    back(&r, 3, 0x700);
    assert_int_equal(et_count(r.cpu, 4)->late_arrivals, 1);
    assert_words(&r, 0, "E101 E004.l X004 R101");
    rig_end(&r);
}

static void et_14_15_test_pending_interruption(void **state)
{
    (void)state;
    for (int on = 0; on < 2; on++) {
        struct rig r;
        rig_all(&r, 1, on ? TPI : 0);
        et_tpi(r.cpu, 4, 0x10001); /* outside of everything */
        take(&r, 1, ET_SVC, 1, 0x100);
        et_tpi(r.cpu, 4, 0x10001); /* outside of an I/O handler */
        take(&r, 10, ET_IO, 3, 0x200);
        r.now = 30;
        et_tpi(r.cpu, 5, 0x10002);
        back(&r, 35, 0x200); /* the old PSW is that of the first */
        assert_int_equal(et_depth(r.cpu), 1);
        assert_int_equal(et_count(r.cpu, 0x00d)->gross, on ? 5 : 0);
        assert_int_equal(et_count(r.cpu, 0x00b)->gross, on ? 20 : 25);
        assert_words(&r, 0, on ? "E101 E00b X00b.t E00d.t X00d R101" : "E101 E00b X00b R101");
        rig_end(&r);
    }
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

/* A stop behind the reload tells the EXIT; the boundary comes later. */
static void et_18_stop_at_the_boundary(void **state)
{
    struct rig r;
    (void)state;
    rig_all(&r, 1, 0);
    take(&r, 1, ET_SVC, 1, 0x100);
    load(&r, 2, at(0x100));
    et_state(r.cpu, ET_ST_STOPPED);
    assert_true(r.attention[0]);
    et_state(r.cpu, ET_ST_STARTED);
    et_boundary(r.cpu, at(0x100));
    assert_words(&r, 0, "E101 X101 state4 state5 R000");
    rig_end(&r);
}

static void et_18_reset_discards_frames(void **state)
{
    struct rig r;
    (void)state;
    rig_all(&r, 1, 0);
    take(&r, 1, ET_SVC, 1, 0x100);
    take(&r, 1, ET_SVC, 2, 0x100);
    load(&r, 2, at(0x100));
    et_state(r.cpu, ET_ST_RESET);
    assert_false(r.attention[0]);
    assert_int_equal(et_depth(r.cpu), 0);
    assert_int_equal(et_current(r.cpu), 0);
    et_state(r.cpu, ET_ST_IPL);
    take(&r, 3, ET_SVC, 3, 0x100);
    back(&r, 4, 0x100);
    assert_words(&r, 0, "E101 E102 X102 state6 state7 E103 X103 R000");
    rig_end(&r);
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

static void et_20_47_requests(void **state)
{
    struct rig r;
    (void)state;
    rig_all(&r, 1, 0);
    et_request(r.machine, 0, ET_EXTERNAL, 0x1004, NULL, false);
    et_request(r.machine, 0, ET_EXTERNAL, 0x1004, NULL, true);
    et_request(r.machine, -1, ET_IO, 5, NULL, false);
    et_request(r.machine, -1, ET_REPRESSIBLE, 0, NULL, false);
    et_request(r.machine, 0, ET_RESTART, 0, NULL, false);
    et_request(r.machine, 0, ET_SVC, 1, NULL, false);
    et_request(r.machine, 0, ET_PROGRAM, 1, NULL, false);
    et_request(r.machine, 0, ET_EXIGENT, 0, NULL, false);
    et_request(r.machine, 1, ET_IO, 1, NULL, false); /* no such CPU */
    assert_words(&r, 0, "S004 W004 S00d S003 S001");
    rig_end(&r);
}

static void et_1_20_floating_requests_have_a_source(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 2, true);
    for (unsigned i = 0; i < 3; i++) {
        struct et_cpu *cpu = et_machine_cpu(r.machine, i < 2 ? i : ET_SOURCE_MACHINE);
        assert_non_null(cpu);
        assert_null(et_write(cpu, ETCR, 0x4030341, ET_BY_START));
    }
    assert_null(et_machine_cpu(r.machine, 2));
    et_request(r.machine, 1, ET_EXTERNAL, 0x1004, NULL, false);
    et_request(r.machine, -1, ET_IO, 5, NULL, false);
    take(&r, 1, ET_SVC, 1, 0x100);
    et_request(r.machine, -1, ET_IO, 6, NULL, true);
    assert_int_equal(et_finish(r.machine), 0);
    assert_int_equal(get32(r.file.at + 8), 3);
    assert_words(&r, 0, "E101");
    assert_words(&r, 1, "S004");
    assert_words(&r, ET_SOURCE_MACHINE, "S00d W00e");
    rig_end(&r);
}

/* ---- the table of frames ------------------------------------------------------------------------------------------
 */

static void et_21_the_65th_frame(void **state)
{
    struct rig r;
    struct et_frame_view view;
    char wanted[4096] = "", *to = wanted;
    (void)state;
    rig_all(&r, 1, 0);
    for (unsigned i = 0; i < 66; i++) {
        take(&r, i, ET_SVC, i, 0x1000 + i);
        to += sprintf(to, "%sE1%02x ", i >= 64 ? "state8 " : "", i);
    }
    assert_int_equal(et_depth(r.cpu), 64);
    assert_true(et_frame(r.cpu, 63, &view));
    assert_int_equal(view.en, 0x102);
    assert_int_equal(view.interrupted, 0x101);
    assert_false(et_frame(r.cpu, 64, &view));
    for (unsigned i = 66; i-- > 2;) {
        back(&r, 100, 0x1000 + i);
        to += sprintf(to, "X1%02x R1%02x ", i, i - 1);
        assert_int_equal(et_count(r.cpu, 0x100 + i)->gross, 100 - i);
    }
    to[-1] = 0;
    assert_int_equal(et_depth(r.cpu), 0);
    assert_words(&r, 0, wanted);
    rig_end(&r);
}

/* ---- while nothing is put out -------------------------------------------------------------------------------------
 */

/* Frames and counters are kept; switching on inside of a handler begins with SYNC that has the open frames. */
static void et_6_23_switched_on_in_a_handler(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    take(&r, 10, ET_SVC, 1, 0x100);
    take(&r, 20, ET_IO, 3, 0x200);
    assert_int_equal(et_count(r.cpu, 0x101)->entries, 1);
    assert_int_equal(r.file.size, 0);
    r.now = 30;
    assert_null(et_output(r.cpu, true, ET_BY_CONSOLE));
    back(&r, 40, 0x200);
    assert_int_equal(et_count(r.cpu, 0x00b)->gross, 20);
    assert_stream(&r, "00 00 00 00 00 00 00 80 10 80 01 01 00 ff ff 03 1e 0b 03 0b 81 02 98"
                      "38 01 c1 80 8c 20  38 02 80 80 f8 d0 01  38 05 00  0e 0b 20  0e 01 31"
                      "78 02 00 02 00 02 82 e0 02 c8");
    rig_end(&r);
}

/* Counters of more than one visit: totals, maxima, tail-chains. */
static void et_84_exact_counters(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    take(&r, 100, ET_SVC, 1, 0x100);
    take(&r, 110, ET_IO, 3, 0x200);
    back(&r, 130, 0x200);
    back(&r, 150, 0x100);
    take(&r, 200, ET_SVC, 1, 0x100);
    back(&r, 220, 0x100);
    const struct et_count *c = et_count(r.cpu, 0x101);
    assert_int_equal(c->entries, 2);
    assert_int_equal(c->exits, 2);
    assert_int_equal(c->returns, 1);
    assert_int_equal(c->gross, 70);
    assert_int_equal(c->self, 50);
    assert_int_equal(c->gross_max, 50);
    assert_int_equal(c->self_max, 30);
    assert_int_equal(et_count(r.cpu, 0)->returns, 2);
    et_counts_reset(r.cpu);
    assert_int_equal(c->entries, 0);
    rig_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_4_numbers_are_total),
        cmocka_unit_test(et_4_exact_code),
        cmocka_unit_test(et_7_5_each_instruction_leaves),
        cmocka_unit_test(et_7_11_rp_and_pr_match_only),
        cmocka_unit_test(et_8_loads_without_event_are_counted),
        cmocka_unit_test(et_10_match_mask),
        cmocka_unit_test(et_10_near),
        cmocka_unit_test(et_11_reload_rules),
        cmocka_unit_test(et_11_13_problem_state_keeps_frames),
        cmocka_unit_test(et_12_unwinding),
        cmocka_unit_test(et_13_tasks_return_out_of_order),
        cmocka_unit_test(et_13_a_task_goes_on_from_the_idle_loop),
        cmocka_unit_test(et_14_taken_at_once),
        cmocka_unit_test(et_9_14_a_unit_of_operation_between),
        cmocka_unit_test(et_14_19_early_psw),
        cmocka_unit_test(et_14_enabled_wait),
        cmocka_unit_test(et_14_masks_opened_for_an_instant),
        cmocka_unit_test(et_14_16_several_pending),
        cmocka_unit_test(et_16_late_arrival),
        cmocka_unit_test(et_14_15_test_pending_interruption),
        cmocka_unit_test(et_18_stop_at_the_boundary),
        cmocka_unit_test(et_18_reset_discards_frames),
        cmocka_unit_test(et_20_47_requests),
        cmocka_unit_test(et_1_20_floating_requests_have_a_source),
        cmocka_unit_test(et_21_the_65th_frame),
        cmocka_unit_test(et_6_23_switched_on_in_a_handler),
        cmocka_unit_test(et_84_exact_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
