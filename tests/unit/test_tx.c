/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transactions seen from outside: other CPUs, channel programs, run-time instrumentation, PER. What one CPU sees is in
   tests/script/transaction.zt. */
#include "cpu/control/interrupt.h"
#include "cpu/control/psw.h"
#include "cpu/control/registers.h"
#include "cpu/control/transaction.h"
#include "cpu/life/life.h"
#include "cpu/state/timing.h"
#include "tests/unit/ri_guest.h"

#define CR0_TX BIT64(8)
#define DATA   0x20000u /* what transactions store into; the program buffer is elsewhere */
#define FLAG   0x14000u

static struct cpu *second_cpu(struct guest *g)
{
    struct cpu *cpu = cpu_create(&g->sys, 1);
    assert_non_null(cpu);
    cpu->engine_kind = g->cpu->engine_kind;
    cpu->clock_comparator = ~UINT64_C(0);
    cpu->cr[0] |= CR0_TX;
    cpu_set_state(cpu, CPU_STATE_OPERATING);
    return cpu;
}

static void slice(struct cpu *cpu, uint64_t instructions)
{
    uint64_t done;
    (void)engine_run(cpu, instructions, &done);
}

/* CPU 0 at `ia` with transactions allowed. */
static void start(struct guest *g, struct cpu *cpu, uint64_t ia)
{
    (void)g;
    cpu->cr[0] |= CR0_TX;
    cpu_set_state(cpu, CPU_STATE_OPERATING);
    assert_int_equal(cpu_load_psw(cpu, PSW_64, ia), 0);
}

static const char spinning[] = "larl %r9,0x14000\n tbegin 0x200(%r9),0xff00\n brc 7,@aborted\n"
                               "lghi %r1,5\n stg %r1,0x400(%r9)\n lg %r2,0(%r9)\n"
                               "loop:\n ltgr %r3,%r3\n brc 8,@loop\n tend\n"
                               "aborted:\n ipm %r4\n lpswe 0x900";

GUEST(others_see_nothing_of_an_open_transaction, "RI-A")
{
    guest_code(g, CODE, spinning);
    start(g, g->cpu, CODE);
    slice(g->cpu, 20);
    assert_int_equal(g->cpu->tx_depth, 1);
    assert_int_equal(get64(g->storage + FLAG + 0x400), 0);
    slice(g->cpu, 20);
    assert_int_equal(g->cpu->tx_depth, 1); /* nobody was there: it goes on */
    g->cpu->gr[3] = 1;
    slice(g->cpu, 20);
    assert_int_equal(g->cpu->tx_depth, 0);
    assert_int_equal(g->cpu->psw.ia, WAIT_END);
    assert_int_equal(guest_cc(g, 4), 0);
    assert_int_equal(get64(g->storage + FLAG + 0x400), 5);
}

GUEST(a_store_by_another_into_what_was_fetched_aborts, "RI-A")
{
    guest_code(g, CODE, spinning);
    start(g, g->cpu, CODE);
    slice(g->cpu, 20);
    put64(g->storage + FLAG + 0x80, 1); /* the same line */
    slice(g->cpu, 20);
    assert_int_equal(g->cpu->psw.ia, WAIT_END);
    assert_int_equal(guest_cc(g, 4), 2);
    assert_int_equal(get64(g->storage + FLAG + 0x208), TX_FETCH_CONFLICT);
    assert_int_equal(get64(g->storage + FLAG + 0x400), 0);
}

GUEST(a_store_by_another_into_what_was_stored_aborts, "RI-A")
{
    guest_code(g, CODE, spinning);
    start(g, g->cpu, CODE);
    slice(g->cpu, 20);
    put64(g->storage + FLAG + 0x408, 7);
    slice(g->cpu, 20);
    assert_int_equal(guest_cc(g, 4), 2);
    assert_int_equal(get64(g->storage + FLAG + 0x208), TX_STORE_CONFLICT);
    assert_int_equal(get64(g->storage + FLAG + 0x400), 0);
    assert_int_equal(get64(g->storage + FLAG + 0x408), 7);
}

/* A device stores while the CPU runs, between two instructions of a transaction. */
static void device_event(void *machine, uint64_t now)
{
    struct guest *g = machine;
    (void)now;
    g->sys.event_at = 0;
    put64(g->storage + FLAG + 0x408, 7);
}

GUEST(a_store_by_a_device_aborts_and_stays, "RI-A")
{
    static const struct cpu_callouts callouts = {.event = device_event};
    guest_code(g, CODE, spinning);
    g->sys.callouts = &callouts;
    g->sys.machine = g;
    start(g, g->cpu, CODE);
    g->sys.event_at = cpu_now(g->cpu) + 12 * 4; /* TOD units: some 12 instructions */
    slice(g->cpu, 100);
    assert_int_equal(guest_cc(g, 4), 2);
    assert_int_equal(get64(g->storage + FLAG + 0x208), TX_STORE_CONFLICT);
    assert_int_equal(get64(g->storage + FLAG + 0x400), 0);
    assert_int_equal(get64(g->storage + FLAG + 0x408), 7);
    g->sys.callouts = NULL;
}

/* Each of two CPUs moves units from one counter to another and counts its turns. */
GUEST(two_cpus_lose_no_count, "RI-A")
{
    static const char text[] = "larl %r9,0x14000\n lghi %r8,1000\n"
                               "again:\n tbeginc 0,0x8000\n lg %r1,0(%r9)\n aghi %r1,1\n stg %r1,0(%r9)\n"
                               "lg %r2,8(%r9)\n aghi %r2,-1\n stg %r2,8(%r9)\n tend\n brctg %r8,@again\n lpswe 0x900";
    struct cpu *other = second_cpu(g);
    guest_code(g, CODE, text);
    start(g, g->cpu, CODE);
    start(g, other, CODE);
    for (unsigned i = 0; i < 20000 && (g->cpu->psw.ia != WAIT_END || other->psw.ia != WAIT_END); i++) {
        slice(g->cpu, 3 + i % 11);
        slice(other, 2 + i % 7);
    }
    assert_int_equal(g->cpu->psw.ia, WAIT_END);
    assert_int_equal(other->psw.ia, WAIT_END);
    assert_int_equal(get64(g->storage + FLAG), 2000);
    assert_int_equal(get64(g->storage + FLAG + 8), (uint64_t)-2000);
    cpu_destroy(other);
}

GUEST(a_stop_and_a_reset_end_a_transaction, "RI-A")
{
    guest_code(g, CODE, spinning);
    start(g, g->cpu, CODE);
    slice(g->cpu, 20);
    g->cpu->stop_pending = true;
    slice(g->cpu, 20);
    assert_int_equal(g->cpu->state, CPU_STATE_STOPPED);
    assert_int_equal(g->cpu->tx_depth, 0);
    assert_int_equal(get64(g->storage + FLAG + 0x208), TX_MISCELLANEOUS);
    start(g, g->cpu, CODE);
    slice(g->cpu, 20);
    assert_int_equal(g->cpu->tx_depth, 1);
    cpu_reset(g->cpu, CPU_RESET);
    assert_int_equal(g->cpu->tx_depth, 0);
    assert_int_equal(get64(g->storage + FLAG + 0x400), 0);
}

GUEST(the_diagnostic_control_aborts, "RI-A")
{
    static const char text[] = "larl %r9,0x14000\n lghi %r8,64\n"
                               "again:\n tbegin 0,0x8000\n brc 7,@aborted\n nopr %r0\n tend\n aghi %r6,1\n"
                               "j @next\n aborted:\n aghi %r7,1\n next:\n brctg %r8,@again\n lpswe 0x900";
    g->cpu->cr[0] |= CR0_TX;
    g->cpu->cr[2] = 1; /* every transaction */
    ENDS(g, text);
    assert_int_equal(g->cpu->gr[7], 64);
    g->cpu->gr[6] = g->cpu->gr[7] = 0;
    g->cpu->cr[2] = 2; /* some */
    ENDS(g, text);
    assert_int_equal(g->cpu->gr[6] + g->cpu->gr[7], 64);
    assert_true(g->cpu->gr[6] > 8 && g->cpu->gr[7] > 8);
    g->cpu->gr[6] = g->cpu->gr[7] = 0;
    g->cpu->cr[2] = 5; /* the problem state only */
    ENDS(g, text);
    assert_int_equal(g->cpu->gr[6], 64);
}

GUEST(the_diagnostic_block_became_inaccessible, "RI-A")
{
    /* The page-table entry of the block is made invalid by a nontransactional store. */
    g->cpu->cr[0] |= CR0_TX;
    for (unsigned i = 0; i < 256; i++)
        put64(g->storage + 0x80000 + 8 * i, (uint64_t)i << 12);
    put64(g->storage + 0x81000, 0x80000);
    g->cpu->cr[1] = 0x81000;
    guest_code(g, CODE,
               "larl %r9,0x14000\n lghi %r1,0x400\n larl %r2,0x80000\n tbegin 0x200(%r9),0xff00\n"
               "brc 7,@aborted\n stg %r1,0x800(%r9)\n ntstg %r1,0xa0(%r2)\n tabort 256\n aborted:\n ipm %r4\n"
               "lpswe 0x900");
    assert_int_equal(guest_go(g, PSW_64 | PSW_DAT, CODE), WAIT_END);
    assert_int_equal(guest_cc(g, 4), 1);
    assert_int_equal(get64(g->storage + 0x800a0), 0x400);
    assert_int_equal(get64(g->storage + FLAG + 0x800), 0);
}

/* ---- program-event recording ------------------------------------------------------------------------------------ */

GUEST(per_transaction_end_and_suppression, "RI-A")
{
    static const char text[] = "tbegin 0,0xff00\n brc 7,@aborted\n nopr %r0\n tend\n aborted:\n lpswe 0x900";
    g->cpu->cr[0] |= CR0_TX;
    g->cpu->cr[9] = BIT64(38);
    g->cpu->cr[11] = ~UINT64_C(0);
    guest_code(g, CODE, text);
    assert_int_equal(guest_go(g, PSW_64 | PSW_PER, CODE), WAIT_PROGRAM);
    guest_program(g, PIC_PER_EVENT, 4);
    assert_int_equal(get16(g->storage + 150) & 0xff00, 0x0200);
    assert_int_equal(program_old_ia(g), label(g, "aborted"));
    g->cpu->cr[9] = BIT64(33);
    g->cpu->cr[10] = g->cpu->cr[11] = CODE + 10; /* the NOPR in the transaction */
    assert_int_equal(guest_go(g, PSW_64 | PSW_PER, CODE), WAIT_PROGRAM);
    guest_program(g, PIC_PER_EVENT | PIC_TRANSACTION_ABORT, 2);
    assert_int_equal(program_old_ia(g), CODE + 6);
    g->cpu->cr[9] |= BIT64(41);
    assert_int_equal(guest_go(g, PSW_64 | PSW_PER, CODE), WAIT_END);
}

/* ---- run-time instrumentation ----------------------------------------------------------------------------------- */

static struct ri_controls sampling(struct guest *g, unsigned interval)
{
    struct ri_profile profile = *ri_profile_find("RI-A");
    profile.transactional = true;
    assert_int_equal(ri_set_profile(g->cpu->ri, &profile), 0);
    struct ri_controls c = usual(interval);
    c.x = 1;
    c.rgs = 2;
    return c;
}

GUEST(ri_128_129_131_group_behind_the_outermost_end, "RI-A")
{
    g->cpu->cr[0] |= CR0_TX;
    guest_block(g, 0, sampling(g, 4));
    /* Counted behind RION: TBEGIN, BRC, RIEMIT, and STRAG as fourth, in the transaction; four more and the next one. */
    guest_code(g, CODE,
               "lric 0x11000\n lghi %r5,7\n lghi %r6,9\n rion\n tbegin 0,0xff00\n brc 7,@bad\n riemit %r5\n"
               "stg %r6,0x14400\n riemit %r6\n nopr %r0\n nopr %r0\n nopr %r0\n nopr %r0\n"
               "tend\n last:\n nopr %r0\n nopr %r0\n nopr %r0\n rioff\n bad:\n lpswe 0x900");
    start(g, g->cpu, CODE);
    slice(g->cpu, 9);
    assert_int_equal(g->cpu->tx_depth, 1);
    assert_int_equal(guest_groups(g), 0);
    assert_true(g->cpu->ri->deferred);
    slice(g->cpu, 100);
    assert_int_equal(g->cpu->psw.ia, WAIT_END);
    /* The second sample point fell into the same transaction; the third came behind it. */
    assert_int_equal(guest_groups(g), 2);
    assert_int_equal(guest_field(g, (1u << 3) - 1, "IA"), label(g, "last") - 4 - 4 * 2 - 4 - 6);
    bool seven = false, nine = false;
    for (unsigned i = 0; i < 16; i++) {
        seven |= guest_type(g, i) == 0x10 && guest_record(g, i).lo == 7;
        nine |= guest_type(g, i) == 0x10 && guest_record(g, i).lo == 9;
    }
    assert_true(seven);
    assert_false(nine);
}

GUEST(ri_130_90_109_abort_without_an_interruption, "RI-A")
{
    g->cpu->cr[0] |= CR0_TX;
    guest_block(g, 0, sampling(g, 4));
    guest_code(
        g, CODE,
        "lric 0x11000\n lghi %r6,9\n rion\n tbegin 0,0xff00\n brc 7,@out\n nopr %r0\n"
        "stg %r6,0x14400\n lghi %r8,0x1234\n there:\n tabort 0(%r8)\n out:\n nopr %r0\n nopr %r0\n nopr %r0\n rioff\n"
        "lpswe 0x900");
    start(g, g->cpu, CODE);
    slice(g->cpu, 100);
    assert_int_equal(g->cpu->psw.ia, WAIT_END);
    assert_int_equal(get64(g->storage + 0x14400), 0);
    assert_int_equal(guest_groups(g), 2); /* the deferred one; the next has the abort record */
    bool found = false;
    for (unsigned i = 8; i < 16; i++)
        if (guest_type(g, i) == 0x11) {
            struct ri_record r = guest_record(g, i);
            assert_int_equal(r.hi & ((UINT64_C(1) << 55) - 1), label(g, "there"));
            assert_int_equal(r.lo >> 48, 0x1234);
            assert_int_equal(r.lo & ((UINT64_C(1) << 48) - 1), CODE + 6 + 4 + 4 + 6);
            found = true;
        }
    assert_true(found);
}

GUEST(ri_130_abort_by_a_program_interruption, "RI-A")
{
    g->cpu->cr[0] |= CR0_TX;
    guest_block(g, 0, sampling(g, 3));
    guest_code(g, CODE,
               "lric 0x11000\n rion\n tbegin 0,0xff00\n brc 7,@out\n nopr %r0\n .hex 0000\n out:\n lpswe 0x900");
    assert_int_equal(guest_go(g, PSW_64, CODE), WAIT_PROGRAM);
    guest_program(g, PIC_OPERATION | PIC_TRANSACTION_ABORT, 2);
    assert_int_equal(guest_groups(g), 0);
    assert_false(g->cpu->ri->deferred);
}

GUEST(ri_127_130_abort_by_an_external_interruption, "RI-A")
{
    g->cpu->cr[0] |= CR0_TX | BIT64(57);
    guest_block(g, 0, sampling(g, 3));
    guest_code(g, CODE,
               "lric 0x11000\n rion\n tbegin 0,0xff00\n brc 7,@out\n nopr %r0\n loop:\n j @loop\n out:\n lpswe 0x900");
    start(g, g->cpu, CODE);
    slice(g->cpu, 20);
    assert_true(g->cpu->ri->deferred);
    cpu_raise_external(g->cpu, CPU_EXT_INTERRUPT_KEY);
    g->cpu->psw.mask |= PSW_EXT;
    slice(g->cpu, 20);
    assert_int_equal(g->cpu->psw.ia, WAIT_EXTERNAL);
    assert_int_equal(guest_groups(g), 1);
    assert_int_equal(get64(g->storage + 0x138), CODE + 6 + 4 + 6);
}

GUEST(ri_132_restricted_and_allowed, "RI-A")
{
    static const char *const lines[] = {"lric 0x11000", "mric 0x11000", "stric 0x12000", "tric",
                                        "rion",         "rioff",        "riemit %r5",    "rinext"};
    g->cpu->cr[0] |= CR0_TX;
    guest_block(g, 0, sampling(g, 1000));
    for (unsigned i = 0; i < 8; i++) {
        char text[240];
        snprintf(text, sizeof text,
                 "lric 0x11000\n larl %%r9,0x14000\n tbegin 0x200(%%r9),0xff00\n brc 7,@out\n %s\n tend\n"
                 "out:\n ipm %%r4\n lpswe 0x900",
                 lines[i]);
        ENDS(g, text);
        assert_int_equal(guest_cc(g, 4), i < 6 ? 3 : 0);
        if (i < 6)
            assert_int_equal(get64(g->storage + FLAG + 0x208), TX_RESTRICTED);
        snprintf(text, sizeof text, "lric 0x11000\n tbeginc 0,0xff00\n %s\n tend\n lpswe 0x900", lines[i]);
        guest_run(g, text);
        guest_program(g, PIC_TRANSACTION_CONSTRAINT | PIC_TRANSACTION_ABORT, i < 3 ? 6 : 4);
    }
}

int main(void)
{
    RI_OR_SKIP();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_see_nothing_of_an_open_transaction),
        cmocka_unit_test(a_store_by_another_into_what_was_fetched_aborts),
        cmocka_unit_test(a_store_by_another_into_what_was_stored_aborts),
        cmocka_unit_test(a_store_by_a_device_aborts_and_stays),
        cmocka_unit_test(two_cpus_lose_no_count),
        cmocka_unit_test(a_stop_and_a_reset_end_a_transaction),
        cmocka_unit_test(the_diagnostic_control_aborts),
        cmocka_unit_test(the_diagnostic_block_became_inaccessible),
        cmocka_unit_test(per_transaction_end_and_suppression),
        cmocka_unit_test(ri_128_129_131_group_behind_the_outermost_end),
        cmocka_unit_test(ri_130_90_109_abort_without_an_interruption),
        cmocka_unit_test(ri_130_abort_by_a_program_interruption),
        cmocka_unit_test(ri_127_130_abort_by_an_external_interruption),
        cmocka_unit_test(ri_132_restricted_and_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
