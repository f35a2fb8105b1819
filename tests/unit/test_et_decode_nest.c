/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nesting of exception-trace events: every rule and every row of the table in 5.5 of the specification. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/unit/et_reader.h"
#include "tests/unit/random.h"

/* What is told of packets, SYNC at time 0 without frames; END of `filtered' and as many events as come. */
#define assert_nest(keys, hex, wanted) nest_is(keys, hex, wanted, __LINE__)
static void nest_is(const char *keys, const char *hex, const char *wanted, int line)
{
    struct made made = {.size = 0};
    struct told told;
    made_begin(&made, 0, keys);
    made_hex(&made, 0, hex);
    tell(&told, made.bytes, made.size);
    char *end = strstr(told.text, " D09"); /* there is no END; what is open is not wanted here */
    if (end)
        *end = 0;
    if (strcmp(told.text, wanted))
        fail_msg("line %d:\n  %s\n  wanted\n  %s", line, told.text, wanted);
    told_free(&told);
}

/* ---- rules ----------------------------------------------------------------------------------------------------- */

static void et_84_87_gross_and_self(void **state)
{
    (void)state;
    assert_nest("", "0e0a11 c1 0e0411 ca 0e9110 c5 0e9120 c7 0e0431 c0 0e0421 c2 0e0a31 c1 0e0a21 c4 0e0030 c0",
                "E10a@1 E104@11 E091@16 X091@23 g7/7 R104@23 X104@25 g14/7 R10a@26 X10a@30 g29/15 R000@30");
}

static void et_84_d12_exit_without_entry(void **state)
{
    (void)state;
    assert_nest("", "0e0a21 c1 0e0030 c1", "D12 X10a@1+cut R000@2");
    assert_nest("", "0e0a11 c1 0e0b21 c1 0e0a21 c1", "E10a@1 D12 X10b@2+cut X10a@3 g2/2");
}

static void et_84_d13_exit_of_a_deeper_frame(void **state)
{
    (void)state;
    assert_nest("", "0e0a11 c1 0e0411 c1 0e0511 c1 0e0a21 c1",
                "E10a@1 E104@2 E105@3 D13 X105@4+imp <g1/1 X104@4+imp <g2/1 "
                "X10a@4 <g3/1");
    /* the tracker unwinds and says so */
    assert_nest("", "0e0a11 c1 0e0411 c1 0e0421 c1 0e0a29 c0 0e0030 c0",
                "E10a@1 E104@2 X104@3 g1/1 X10a@3+frc g2/1 R000@3");
    assert_nest("", "0e0a11 c1 0e0411 c1 0e0a29 c1", "E10a@1 E104@2 X104@3+imp <g1/1 X10a@3+frc <g2/1");
}

static void et_84_d14_return_elsewhere(void **state)
{
    (void)state;
    assert_nest("", "0e0a11 c1 0e0411 c1 0e0030 c1", "E10a@1 E104@2 D14 X104@3+imp <g1/1 X10a@3+imp <g2/1 R000@3");
    assert_nest("", "0e0a11 c1 0e0411 c1 0e0a31 c1", "E10a@1 E104@2 D14 X104@3+imp <g1/1 R10a@3");
    assert_nest("", "0e0a11 c1 0e0a21 c1 0e0431 c1 0e0421 c1",
                "E10a@1 X10a@2 g1/1 D14 E104@3+cut+imp R104@3 X104@4+cut >g1/1");
    /* forced: what the tracker dropped without an EXIT of its own */
    assert_nest("retmode=pstate", "0e0a11 c1 0e0411 c1 0e0429 c1 0e0038 c0",
                "E10a@1 E104@2 X104@3+frc g1/1 X10a@3+imp <g2/1 R000@3+frc");
    assert_nest("retmode=any", "0e0a11 c1 0e0411 c1 0e0429 c1 0e0a39 c0", "E10a@1 E104@2 X104@3+frc g1/1 R10a@3+frc");
}

static void frames_at_sync(const char *keys, const char *before, unsigned open, const unsigned *frames,
                           const char *wanted)
{
    struct made made = {.size = 0};
    struct told told;
    const struct et_config config = made_keys(keys);
    made_begin(&made, 0, keys);
    made_hex(&made, 0, before);
    for (const char *at = before; (at = strstr(at, "0e")); at++)
        made.packets++;
    made_sync_of(&made, 50, 0, open, frames);
    made_config(&made, &config);
    tell(&told, made.bytes, made.size);
    char *end = strstr(told.text, " D09");
    *end = 0;
    assert_string_equal(told.text, wanted);
    told_free(&told);
}

static void et_54_84_d15_frames_differ_from_the_sync(void **state)
{
    (void)state;
    const unsigned svc[] = {0x104, 0x10a}, other[] = {0x105, 0x10a};
    frames_at_sync("", "0e0a11 c1 0e0411 c1", 2, svc, "E10a@1 E104@2");
    frames_at_sync("", "0e0a11 c1 0e0411 c1", 1, svc + 1, "E10a@1 E104@2 D15 X104@50+cut+imp >g48/48");
    frames_at_sync("", "0e0a11 c1 0e0411 c1", 2, other, "E10a@1 E104@2 D15 X104@50+cut+imp >g48/48 E105@50+cut+imp");
    frames_at_sync("", "0e0a11 c1", 2, svc, "E10a@1 D15 E104@50+cut+imp");
    /* exits that are not in the stream, or frames that are not selected: nothing can be said */
    frames_at_sync("events=entry", "0e0a11 c1", 0, svc, "E10a@1");
    frames_at_sync("range0=0x104-0x104", "0e0411 c1", 2, svc, "E104@1");
    frames_at_sync("range0=0x104-0x104", "0e0411 c1", 0, svc, "E104@1");
}

static void et_6_54_switched_on_inside_handlers(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    struct told told;
    const unsigned frames[] = {0x104, 0x10a};
    const struct et_config config = made_keys("");
    made_sync_of(&made, 10, 0x104, 2, frames);
    made_config(&made, &config);
    made_hex(&made, 4, "0e0421 c5 0e0a31 c0 0e0a21 c5 0e0030 c0");
    made_end(&made, 0, 4, 0);
    tell(&told, made.bytes, made.size);
    assert_string_equal(told.text,
                        "E10a@10+cut+imp E104@10+cut+imp X104@15+cut >g5/5 R10a@15 X10a@20+cut ~g10/5 R000@20");
    told_free(&told);
}

/* More open frames than a SYNC lists. */
static void et_54_frames_that_are_not_listed(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    struct told told;
    const unsigned frames[] = {0x101, 0x102, 0x103, 0x104, 0x105, 0x106, 0x107, 0x108};
    const struct et_config config = made_keys("");
    made_sync_of(&made, 10, 0x101, 10, frames);
    made_config(&made, &config);
    made_hex(&made, 9, "0e0121 c1 0e0221 c1 0e0321 c1 0e0421 c1 0e0521 c1 0e0621 c1 0e0721 c1 0e0821 c1 0e0a21 c1");
    made_sync_of(&made, 30, 0, 1, frames); /* the outermost, whatever it is */
    made_config(&made, &config);
    made_end(&made, 0, 9, 0);
    tell(&told, made.bytes, made.size);
    assert_int_equal(told.any, 0);
    assert_non_null(strstr(told.text, "E???@10+cut+imp E???@10+cut+imp E108@10+cut+imp"));
    assert_non_null(strstr(told.text, "X10a@19+cut"));
    assert_int_equal(told.last[ET_K_EXIT].depth, 1);
    told_free(&told);
}

static void et_85_86_tail_chains_by_order_and_by_flag(void **state)
{
    (void)state;
    /* with all events, what follows an EXIT without a RETURN is chained, flag or not */
    assert_nest("tailflag=off", "0e0a11 c1 0e0410 c1 0e0420 c1 0e0d10 c0 0e0d20 c1 0e0510 c0 0e0520 c1 0e0a31 c0",
                "E10a@1 E004@2 X004@3 g1/1 E00d@3+tc c1 X00d@4 g1/1 c1 E005@4+tc c2 X005@5 g1/1 c2 R10a@5");
    assert_nest("tailflag=off,events=entry+exit", "0e0a11 c1 0e0a21 c1 0e0d10 c0", "E10a@1 X10a@2 g1/1 E00d@2");
    assert_nest("tailflag=entry,events=entry+exit", "0e0a11 c1 0e0a21 c1 0e0d50 c0", "E10a@1 X10a@2 g1/1 E00d@2+tc c1");
    assert_nest("tailflag=entry,events=entry", "0e0a11 c1 0e0d50 c0 0e0450 c1 0e0410 c1",
                "E10a@1 E00d@1+tc c1 E004@2+tc c2 E004@3");
    assert_nest("tailflag=exit,events=exit", "0e0461 c1 0e0421 c1", "X104@1+tc+cut X104@2+cut");
}

static void et_16_88_late_arrival_and_start_latency(void **state)
{
    (void)state;
    assert_nest("", "0e0a11 c1 0e0590 c2 0e0520 c7 0e0a31 c1 0e0a21 c5 0e0030 c0",
                "E10a@1 E005@3+la X005@10 g7/7 R10a@11 s10 X10a@16 g15/8 R000@16");
    /* two that come late, chained; the handler starts behind both */
    assert_nest("", "0e0a11 c1 0e0590 c2 0e0520 c7 0e0450 c0 0e0420 c3 0e0a31 c1",
                "E10a@1 E005@3+la X005@10 g7/7 E004@10+tc c1 X004@13 g3/3 c1 R10a@14 s13");
    assert_nest("", "0e0a11 c1 0e0510 c2 0e0520 c7 0e0a31 c1", "E10a@1 E005@3 X005@10 g7/7 R10a@11");
}

static void et_88_return_latency(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    struct told told;
    made_begin(&made, 0, "");
    made_hex(&made, 3, "0e0a11 c1 0e0a21 c4 0e0030 c3");
    tell(&told, made.bytes, made.size);
    assert_true(told.last[ET_K_RETURN].back_known);
    assert_int_equal(told.last[ET_K_RETURN].back, 3);
    told_free(&told);
}

static void et_20_88_latency_of_requests(void **state)
{
    (void)state;
    assert_nest("signal=on", "220400 c1 220400 c2 0e0410 c4 0e0450 c1 0e0450 c1",
                "S004@1 S004@3 E004@7 l6 E004@8+tc l5 c1 E004@9+tc c2");
    assert_nest("signal=on", "220400 c1 220400 c2 220480 c1 0e0410 c4", "S004@1 S004@3 S004@4+wd E004@8 l5");
    /* the one with the same code */
    assert_nest("signal=on,info=on", "220800 24020101 c1 220800 24020102 c1 0e0810 24020102 c1 0e0850 24020109 c1",
                "S008@1 S008@2 E008@3 l1 E008@4+tc l3 c1");
    assert_nest("signal=on,info=on", "220800 24020101 c1 220800 24020102 c1 220880 24020102 c1 0e0810 c1",
                "S008@1 S008@2 S008@3+wd E008@4 l3");
}

/* More requests than can wait: the oldest are forgotten, nothing else happens. */
static void et_88_93_many_requests(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    struct told told;
    made_begin(&made, 0, "signal=on");
    for (unsigned i = 0; i < 1000; i++)
        made_hex(&made, 1, "220400 c1");
    made_hex(&made, 1, "0e0410 c1");
    tell(&told, made.bytes, made.size);
    assert_int_equal(told.last[ET_K_ENTRY].latency, 1001 - (1000 - 128 + 1));
    told_free(&told);
}

/* Floating requests are of source 255; another CPU's interruption answers them, if the clocks are the same. */
static void et_20_88_91_requests_of_the_machine(void **state)
{
    (void)state;
    static uint8_t file[4096];
    for (unsigned same = 0; same < 2; same++) {
        struct made machine = {.source = ET_SOURCE_MACHINE}, cpu = {.source = 1};
        struct told told;
        const char *keys = same ? "signal=on,clock=tod" : "signal=on,clock=insn";
        made_begin(&machine, 0, keys);
        made_hex(&machine, 1, "220800 c5");
        made_end(&machine, 0, 1, 0);
        made_begin(&cpu, 0, keys);
        made_hex(&cpu, 1, "0e0810 cc");
        made_end(&cpu, 0, 1, 0);
        size_t size = file_head(file, 2);
        size += file_chunk(file + size, ET_SOURCE_MACHINE, ET_CHUNK_EVENTS, machine.bytes, machine.size);
        size += file_chunk(file + size, 1, ET_CHUNK_EVENTS, cpu.bytes, cpu.size);
        tell(&told, file, size);
        assert_int_equal(told.any, 0);
        assert_int_equal(told.last[ET_K_ENTRY].latency_known, same);
        assert_int_equal(told.last[ET_K_ENTRY].latency, same ? 7 : 0);
        assert_int_equal(told.last[ET_K_ENTRY].signal, 1);
        told_free(&told);
    }
}

static void et_18_84_reset_closes_all(void **state)
{
    (void)state;
    assert_nest("", "0e0a11 c1 0e0411 c1 2d06 c3 0e0a11 c1",
                "E10a@1 E104@2 X104@5+imp+ab g3/3 X10a@5+imp+ab g4/1 T6@5 E10a@6");
}

static void et_21_84_oldest_frame_is_dropped(void **state)
{
    (void)state;
    assert_nest("", "0e0a11 c1 0e0411 c1 2d08 c3 0e0421 c1", "E10a@1 E104@2 X10a@5+cut+imp >g4/4 T8@5 X104@6 g4/4");
    struct made made = {.size = 0};
    struct told told;
    made_begin(&made, 0, "");
    for (unsigned i = 0; i < 300; i++) /* without STATE 8: bounded all the same */
        made_hex(&made, 1, "0e0a11 c1");
    tell(&told, made.bytes, made.size);
    assert_int_equal(told.last[ET_K_ENTRY].depth, 64);
    assert_int_equal(told.implied, 300);
    told_free(&told);
}

/* ---- loss ------------------------------------------------------------------------------------------------------ */

/* Two segments with a loss between them. */
static void lossy(const char *before, unsigned open, const unsigned *frames, const char *after, const char *wanted)
{
    struct made made = {.size = 0};
    struct told told;
    const struct et_config config = made_keys("signal=on");
    made_begin(&made, 0, "signal=on");
    made_hex(&made, 2, before);
    made_hex(&made, 0, "7007");
    made.flags |= ET_SYNC_AFTER_LOSS;
    made_sync_of(&made, 100, 0, open, frames);
    made_config(&made, &config);
    made_hex(&made, 0, after);
    tell(&told, made.bytes, made.size);
    char *end = strstr(told.text, " D09");
    *end = 0;
    assert_string_equal(told.text, wanted);
    told_free(&told);
}

static void et_90_frames_behind_a_loss_are_bounds(void **state)
{
    (void)state;
    const unsigned frames[] = {0x104, 0x10a};
    /* gone: known until the last event in front of the loss */
    lossy("0e0a11 c1 0e0411 c9", 0, NULL, "0e0a11 c5",
          "E10a@1 E104@10 D05 L7 X104@10+cut+imp >g0/0 X10a@10+cut+imp ~g9/9 "
          "E10a@105");
    /* still there, or another of the same number: at least since the SYNC */
    lossy("0e0a11 c1 0e0411 c9", 2, frames, "0e0421 c5 0e0a31 c0 0e0a21 c5",
          "E10a@1 E104@10 D05 L7 X104@105+cut >g5/5 R10a@105 X10a@110+cut ~g10/5");
    /* requests in front of it are forgotten: the interruption that answered may be lost */
    lossy("220400 c1 220500 c1", 0, NULL, "0e0410 c1", "S004@1 S005@2 D05 L7 E004@101");
    /* an EXIT in front does not make a chain of an ENTRY behind */
    lossy("0e0a11 c1 0e0a21 c1", 0, NULL, "0e0411 c1", "E10a@1 X10a@2 g1/1 D05 L7 E104@101");
}

static void et_90_output_was_off(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    struct told told;
    const struct et_config config = made_keys("");
    const unsigned frames[] = {0x10a};
    made_begin(&made, 0, "");
    made_hex(&made, 2, "0e0a11 c1 2d09 c1");
    made_sync_of(&made, 100, 0x10a, 1, frames);
    made_config(&made, &config);
    made_hex(&made, 2, "2d0a c1 0e0a21 c9");
    made_end(&made, 0, 4, 0);
    tell(&told, made.bytes, made.size);
    assert_string_equal(told.text, "E10a@1 T9@2 Ta@101 X10a@110+cut >g10/10");
    told_free(&told);
}

/* ---- what can be rebuilt from a filtered stream ---------------------------------------------------------------- */

#define ALL "0e0a11 c1 0e0410 c4 0e0420 c5 0e0d50 c0 0e0d20 c6 0e0a31 c0 0e0a21 c7 0e0030 c0"

static void et_85_all_events(void **state)
{
    (void)state;
    assert_nest("", ALL, "E10a@1 E004@5 X004@10 g5/5 E00d@10+tc c1 X00d@16 g6/6 c1 R10a@16 X10a@23 g22/11 R000@23");
    assert_nest("merge=exit-return", "0e0a11 c1 0e0410 c4 0e0420 c5 0e0d50 c0 0f0d0a02 c6 0f0a0001 c7",
                "E10a@1 E004@5 X004@10 g5/5 E00d@10+tc c1 X00d@16 g6/6 c1 R10a@16 X10a@23 g22/11 R000@23");
    assert_nest("merge=exit-return+tail,tailflag=off", "0e0a11 c1 0e0410 c4 0f040d50 c5 0f0d0a02 c6",
                "E10a@1 E004@5 X004@10 g5/5 E00d@10+tc c1 X00d@16 g6/6 c1 R10a@16");
}

static void et_85_entry_and_exit(void **state)
{
    (void)state;
    assert_nest("events=entry+exit,tailflag=entry", "0e0a11 c1 0e0410 c4 0e0420 c5 0e0d50 c0 0e0d20 c6 0e0a21 c7",
                "E10a@1 E004@5 X004@10 g5/5 E00d@10+tc c1 X00d@16 g6/6 c1 X10a@23 g22/11");
}

static void et_85_entry_and_return(void **state)
{
    (void)state;
    assert_nest(
        "events=entry+return,tailflag=entry", "0e0a11 c1 0e0410 c4 0e0d50 c5 0e0a31 c6 0e0030 c7",
        "E10a@1 E004@5 X004@10+imp <g5/5 E00d@10+tc c1 X00d@16+imp <g6/6 c1 R10a@16 X10a@23+imp <g22/11 R000@23");
    /* without the flag the chained one seems nested: upper bounds */
    assert_nest("events=entry+return", "0e0a11 c1 0e0410 c4 0e0d10 c5 0e0a31 c6 0e0030 c7",
                "E10a@1 E004@5 E00d@10 X00d@16+imp <g6/6 X004@16+imp <g11/5 R10a@16 X10a@23+imp <g22/11 R000@23");
}

static void et_85_exit_and_return(void **state)
{
    (void)state;
    assert_nest("events=exit+return", "0e0420 c1 0e0d20 c1 0e0a31 c0 0e0a21 c1 0e0030 c1",
                "X004@1+cut X00d@2+cut R10a@2 X10a@3+cut R000@4");
}

static void et_85_one_kind(void **state)
{
    (void)state;
    struct told told;
    assert_nest("events=entry", "0e0a11 c1 0e0410 c4 0e0d50 c5", "E10a@1 E004@5 E00d@10+tc c1");
    assert_nest("events=exit", "0e0420 c1 0e0d20 c1", "X004@1+cut X00d@2+cut");
    assert_nest("events=return", "0e0a31 c1 0e0030 c1", "R10a@1 R000@2");
    struct made made = {.size = 0};
    made_begin(&made, 0, "events=entry");
    made_hex(&made, 1, "0e0a11 c1");
    tell(&told, made.bytes, made.size);
    assert_false(told.last[ET_K_ENTRY].depth_known);
    told_free(&told);
}

static void et_85_numbers_omitted(void **state)
{
    (void)state;
    assert_nest("omit=on", "0d10 c1 0d10 c4 0d20 c5 0d50 c0 0d20 c6 0d30 c0 0d20 c7 0d30 c0",
                "E???@1 E???@5 X???@10 g5/5 E???@10+tc c1 X???@16 g6/6 c1 R???@16 X???@23 g22/11 R???@23");
}

/* Whole frames are in a sample; what lies between them is not there, and that is no fault. */
static void et_30_85_sampled(void **state)
{
    (void)state;
    assert_nest("sample=3", "0e0a11 c1 0e0a21 c5 0e0030 c0 0e0410 c1 0e0420 c2 0e0b31 c0",
                "E10a@1 X10a@6 g5/5 R000@6 E004@7 X004@9 g2/2 R10b@9");
}

static void et_26_85_selected_numbers(void **state)
{
    (void)state;
    assert_nest("range0=0x004-0x00b", "0e0410 c1 0e0b10 c1 0e0b20 c1 0e0430 c0 0e0420 c2",
                "E004@1 E00b@2 X00b@3 g1/1 R004@3 "
                "X004@5 g4/3");
    /* frames of others in a SYNC are not followed: their ends will not be seen */
    const unsigned frames[] = {0x004, 0x10a};
    struct made made = {.size = 0};
    struct told told;
    const struct et_config config = made_keys("range0=0x004-0x00b");
    made_sync_of(&made, 0, 4, 2, frames);
    made_config(&made, &config);
    made_hex(&made, 1, "0e0420 c2");
    made_end(&made, 0, 1, 0);
    tell(&told, made.bytes, made.size);
    assert_string_equal(told.text, "E004@0+cut+imp X004@2+cut >g2/2");
    told_free(&told);
}

/* ---- guests that switch tasks ---------------------------------------------------------------------------------- */

/* Task X in SVC 1 is left for task Y, whose SVC 2 is older; both end out of order. */
static void et_13_84_tasks_that_return_out_of_order(void **state)
{
    (void)state;
    assert_nest(
        "context=on,retmode=pstate", /* Y in SVC 2, timer; X runs; X in SVC 1; back to Y's SVC 2; it ends; X ends */
        "0e0211 c1 0e0410 c3 0e0420 c2 0e0030 c0 0e0111 c5 0e0121 c4 0e0231 c0 0e0221 c3 0e0030 c0",
        "E102@1 E004@4 X004@6 g2/2 R000@6 E101@11 X101@15 g4/4 R102@15 X102@18 g17/6 R000@18");
    /* the frame is left open and found again later: it did not run in between */
    assert_nest("context=on,retmode=pstate",
                "0e0111 c1 0e9110 c4 0e9120 c5 0e0030 c0 0e0211 c1 0e0221 c9 0e0131 c0 0e0121 c2",
                "E101@1 E091@5 X091@10 g5/5 R000@10 E102@11 X102@20 g9/9 R101@20 X101@22 g21/6");
}

static void et_13_54_frames_of_a_sync_with_tasks(void **state)
{
    (void)state;
    const unsigned frames[] = {0x101};
    /* the tracker's table and ours need not have the same numbers: no diagnostic, and ours go on */
    frames_at_sync("context=on", "0e0211 c1", 1, frames, "E102@1");
}

/* ---- random histories ------------------------------------------------------------------------------------------ */

/* Nested handlers with a model of their own: gross and self to the tick, and all time is in exactly one of them or in
   NORMAL. */
static void et_84_87_random_histories(void **state)
{
    (void)state;
    for (unsigned trial = 0; trial < 200; trial++) {
        static struct made made;
        struct random r = seeded(8700 + trial);
        struct told told;
        struct {
            unsigned en;
            uint64_t since, inner;
        } stack[16];
        unsigned depth = 0, en[2000], ends = 0, events = 0;
        uint64_t gross[2000], self[2000], time = 7, normal = 0, sum = 0;
        made = (struct made){.size = 0};
        made_begin(&made, time, "");
        for (unsigned step = 0; step < 300 || depth; step++) {
            const unsigned pass = below(&r, 40);
            time += pass;
            if (!depth)
                normal += pass;
            made_byte(&made, 0x0e);
            if (step < 300 && depth < 16 && (!depth || below(&r, 2))) {
                const unsigned number = 1 + below(&r, 511);
                stack[depth].en = number;
                stack[depth].since = time;
                stack[depth++].inner = 0;
                made_byte(&made, number & 0xff), made_byte(&made, 0x10 | number >> 8), made_byte(&made, 0xc0 + pass);
                events++;
                continue;
            }
            depth--;
            const unsigned back = depth ? stack[depth - 1].en : 0;
            en[ends] = stack[depth].en;
            gross[ends] = time - stack[depth].since;
            self[ends] = gross[ends] - stack[depth].inner;
            sum += self[ends];
            if (depth)
                stack[depth - 1].inner += gross[ends];
            made_byte(&made, en[ends] & 0xff), made_byte(&made, 0x20 | en[ends] >> 8), made_byte(&made, 0xc0 + pass);
            made_byte(&made, 0x0e), made_byte(&made, back & 0xff), made_byte(&made, 0x30 | back >> 8),
                made_byte(&made, 0xc0);
            ends++;
            events += 2;
        }
        made.packets = events;
        made_end(&made, 0, events, 0);
        tell(&told, made.bytes, made.size);
        assert_int_equal(told.any, 0);
        unsigned n = 0;
        for (char *at = told.text; (at = strchr(at, 'X')); at++, n++) {
            unsigned number;
            uint64_t t, g, s;
            assert_int_equal(sscanf(at, "X%x@%" SCNu64 " g%" SCNu64 "/%" SCNu64, &number, &t, &g, &s), 4);
            assert_true(number == en[n] && g == gross[n] && s == self[n]);
        }
        assert_int_equal(n, ends);
        assert_int_equal(sum + normal, time - 7);
        told_free(&told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_84_87_gross_and_self),
        cmocka_unit_test(et_84_d12_exit_without_entry),
        cmocka_unit_test(et_84_d13_exit_of_a_deeper_frame),
        cmocka_unit_test(et_84_d14_return_elsewhere),
        cmocka_unit_test(et_54_84_d15_frames_differ_from_the_sync),
        cmocka_unit_test(et_6_54_switched_on_inside_handlers),
        cmocka_unit_test(et_54_frames_that_are_not_listed),
        cmocka_unit_test(et_85_86_tail_chains_by_order_and_by_flag),
        cmocka_unit_test(et_16_88_late_arrival_and_start_latency),
        cmocka_unit_test(et_88_return_latency),
        cmocka_unit_test(et_20_88_latency_of_requests),
        cmocka_unit_test(et_88_93_many_requests),
        cmocka_unit_test(et_20_88_91_requests_of_the_machine),
        cmocka_unit_test(et_18_84_reset_closes_all),
        cmocka_unit_test(et_21_84_oldest_frame_is_dropped),
        cmocka_unit_test(et_90_frames_behind_a_loss_are_bounds),
        cmocka_unit_test(et_90_output_was_off),
        cmocka_unit_test(et_85_all_events),
        cmocka_unit_test(et_85_entry_and_exit),
        cmocka_unit_test(et_85_entry_and_return),
        cmocka_unit_test(et_85_exit_and_return),
        cmocka_unit_test(et_85_one_kind),
        cmocka_unit_test(et_85_numbers_omitted),
        cmocka_unit_test(et_30_85_sampled),
        cmocka_unit_test(et_26_85_selected_numbers),
        cmocka_unit_test(et_13_84_tasks_that_return_out_of_order),
        cmocka_unit_test(et_13_54_frames_of_a_sync_with_tasks),
        cmocka_unit_test(et_84_87_random_histories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
