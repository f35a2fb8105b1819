/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder of exception traces against bytes written down in the specification (3.7, 8.1 to 8.8) and against packets
   of every kind written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/unit/et_golden.h"
#include "tests/unit/et_reader.h"

/* What is told of the bytes in `made', whole and byte by byte. */
#define assert_told(made, wanted) told_is((made)->bytes, (made)->size, wanted, __LINE__)
static void told_is(const uint8_t *bytes, size_t size, const char *wanted, int line)
{
    for (unsigned piece = 0; piece < 4; piece++) {
        struct told told = {.source = -1};
        tell_with(&told, NULL, bytes, size, piece);
        if (strcmp(told.text, wanted))
            fail_msg("line %d, pieces of %u:\n  %s\n  wanted\n  %s", line, piece, told.text, wanted);
        if (!adds_up(&told, size))
            fail_msg("line %d: bytes do not add up", line);
        told_free(&told);
    }
}

/* ---- specification, section 8 ---------------------------------------------------------------------------------- */

static void et_107_streams_of_section_8(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "E10a@1000 E00b@1040 X00b@1105 g65/65 R10a@1105 X10a@1290 g290/225 R000@1290",
        "E10a@1000 E004@1040 E00d@1105+tc c1",
        "E10a@1000 E004@1040 S00d@1060 X004@1105 g65/65 E00d@1105+tc l45 c1 X00d@1180 g75/75 c1 R10a@1180 X10a@1290 "
        "g290/150 "
        "R000@1290",
        "E10a E00b X00b R10a X10a R000",
        "E10a E00b X00b R10a X10a R000",
        "E091@5000 X091@5210 g210/210 R000@5210",
        ("E10a@1000 E004@1040 D05 L7 X004@1040+cut+imp >g0/0 X10a@1040+cut+imp ~g40/40 E091@2000+cut+imp X091@2100+cut "
         ">g100/100 R000@2100"),
    };
    for (unsigned i = 0; i < GOLDEN_STREAMS; i++)
        told_is(golden[i].bytes, golden[i].size, wanted[i], (int)i + 1);
}

static void et_107_page_fault_has_its_information(void **state)
{
    (void)state;
    struct told told;
    tell(&told, golden[5].bytes, golden[5].size);
    const struct et_event *entry = &told.last[ET_K_ENTRY];
    assert_int_equal(entry->given, 1u << ET_INFO_CODE | 1u << ET_INFO_ILC | 1u << ET_INFO_PARAMETER);
    assert_int_equal(entry->info[ET_INFO_CODE], 0x11);
    assert_int_equal(entry->info[ET_INFO_ILC], 6);
    assert_int_equal(entry->info[ET_INFO_PARAMETER], 0x7f000800);
    assert_true(entry->old_known && entry->new_known && !entry->return_known);
    assert_int_equal(entry->old_address, 0x10a4c);
    assert_int_equal(entry->new_address, 0x2000);
    assert_true(told.last[ET_K_RETURN].return_known);
    assert_int_equal(told.last[ET_K_RETURN].return_address, 0x10a4c);
    told_free(&told);
}

static void et_57_107_accounts_of_end(void **state)
{
    (void)state;
    static const uint64_t ends[][ET_END_NUMBERS] = {{6, 0, 6, 0, 6}, {9, 6, 3, 0, 3}, {9, 0, 9, 0, 6}, {6, 0, 6, 0, 6},
                                                    {6, 0, 6, 0, 6}, {3, 0, 3, 0, 3}, {11, 0, 4, 7, 2}};
    for (unsigned i = 0; i < GOLDEN_STREAMS; i++) {
        struct told told;
        tell(&told, golden[i].bytes, golden[i].size);
        assert_memory_equal(told.end, ends[i], sizeof ends[i]);
        assert_int_equal(told.sums.events, ends[i][ET_END_EMITTED]);
        assert_int_equal(told.events, ends[i][ET_END_EMITTED]);
        assert_int_equal(told.sums.lost, ends[i][ET_END_LOST]);
        assert_int_equal(told.any, i == 6);
        told_free(&told);
    }
}

/* 8.8: the variants of the lost-and-found stream. */
static void et_80_107_damage_in_front_of_a_loss(void **state)
{
    (void)state;
    struct told told;
    uint8_t bytes[128];
    memcpy(bytes, golden[6].bytes, golden[6].size);
    bytes[41] = 0x1f;
    tell(&told, bytes, golden[6].size);
    assert_string_equal(told.text, "E10a@1000 D06 D01 D04 D05 L? X10a@1000+cut+imp >g0/0 E091@2000+cut+imp "
                                   "X091@2100+cut >g100/100 R000@2100");
    assert_int_equal(told.offset[6], 41);
    assert_int_equal(told.length[6], 1);
    assert_int_equal(told.offset[1], 42);
    assert_int_equal(told.length[1], 5);
    assert_int_equal(told.offset[4], 47);
    assert_non_null(strstr(told.words[4], "2 event packets were sent, 1 decoded: 1 missing"));
    assert_int_equal(told.offset[5], 47);
    assert_int_equal(told.sums.lost, 7); /* END settles it */
    assert_false(told.sums.lost_unknown);
    assert_true(adds_up(&told, golden[6].size));
    told_free(&told);
}

static void et_82_107_file_cut_inside_a_packet(void **state)
{
    (void)state;
    struct told told;
    tell(&told, golden[6].bytes, 43);
    assert_string_equal(told.text, "E10a@1000 D08 D09 X10a@1000+cut+imp >g0/0");
    assert_int_equal(told.offset[8], 41);
    assert_int_equal(told.length[8], 2);
    assert_true(adds_up(&told, 43));
    told_free(&told);
}

static void et_56_loss_is_at_its_place(void **state)
{
    (void)state;
    struct told told;
    tell(&told, golden[6].bytes, golden[6].size);
    assert_int_equal(told.offset[5], 45);
    assert_non_null(strstr(told.words[5], "7 events"));
    assert_int_equal(told.last[ET_K_LOST].value, 7);
    assert_int_equal(told.sums.segments, 2);
    told_free(&told);
}

/* ---- 8.1: the same events under every setting ------------------------------------------------------------------ */

/* How many event packets are in a row of exception packets without times. */
static unsigned packets_of(const char *hex)
{
    unsigned n = 0;
    for (const char *at = hex; *at; n++, at += strspn(at, " "))
        at += strcspn(at, " ");
    return n;
}

static void row_is(const char *keys, const char *hex, unsigned packets, unsigned bytes, const char *wanted, int line)
{
    struct made made = {.size = 0};
    struct told told = {.source = -1, .bare = true};
    made_begin(&made, 0, keys);
    const size_t before = made.size;
    made_hex(&made, packets, hex);
    assert_int_equal(packets_of(hex), packets);
    assert_int_equal(made.size - before, bytes);
    unsigned events = 0;
    for (const char *at = wanted; *at; at++)
        events += *at == ' ' || !at[1];
    made_end(&made, 0, events, 0);
    tell_with(&told, NULL, made.bytes, made.size, 0);
    if (strcmp(told.text, wanted) || told.any || !adds_up(&told, made.size))
        fail_msg("row %d: %s\n  %s\n  wanted\n  %s", line, keys, told.text, wanted);
    told_free(&told);
}

static void rows_are(unsigned figure)
{
    for (unsigned i = 0; i < GOLDEN_ROWS; i++) {
        const struct golden_row *row = &golden_rows[i];
        char keys[160];
        snprintf(keys, sizeof keys, "timestamps=off,tailflag=entry%s%s", *row->keys ? "," : "", row->keys);
        row_is(keys, row->figure[figure].hex, row->figure[figure].packets, row->figure[figure].bytes,
               row->figure[figure].events, (int)i);
    }
}

static void et_105_sizes_and_contents_for_figure_3(void **state)
{
    (void)state;
    rows_are(0);
}

static void et_106_sizes_and_contents_for_figure_6(void **state)
{
    (void)state;
    rows_are(1);
}

/* ---- 3.7: figure mode ------------------------------------------------------------------------------------------ */

static void et_46_55_figure_mode_is_read_by_its_configuration(void **state)
{
    (void)state;
    for (unsigned i = 0; i < GOLDEN_FIGURES; i++) {
        char keys[160];
        snprintf(keys, sizeof keys, "timestamps=off,lateflag=off,figure-mode=on%s%s",
                 *golden_figures[i].keys ? "," : "", golden_figures[i].keys);
        struct made made = {.size = 0};
        struct told told = {.source = -1, .bare = true};
        made_begin(&made, 0, keys);
        made_hex(&made, packets_of(golden_figures[i].hex), golden_figures[i].hex);
        tell_with(&told, NULL, made.bytes, made.size, 0);
        char *behind = strstr(told.text, " D"); /* what the missing END and open frames add */
        if (behind)
            *behind = 0;
        if (strcmp(told.text, golden_figures[i].events))
            fail_msg("%s: %s, wanted %s", golden_figures[i].keys, told.text, golden_figures[i].events);
        told_free(&told);
    }
}

/* The same two bytes, four meanings; none without a configuration. */
static void et_79_one_header_of_figure_mode_has_the_meaning_of_its_configuration(void **state)
{
    (void)state;
    static const char *const keys[] = {"omit=on", "reduced=on", "compress=previous", "compress=fifo"};
    static const char *const wanted[] = {"E001 E???", "E001 E001", "E001 E001", "E001 D16"};
    for (unsigned i = 0; i < 4; i++) {
        char text[128];
        struct made made = {.size = 0};
        struct told told = {.source = -1, .bare = true};
        snprintf(text, sizeof text, "timestamps=off,lateflag=off,figure-mode=on,%s", keys[i]);
        made_begin(&made, 0, text);
        made_hex(&made, 2, "0e0110 0d11");
        tell_with(&told, NULL, made.bytes, made.size, 0);
        assert_memory_equal(told.text, wanted[i], strlen(wanted[i]));
        told_free(&told);
    }
    struct made made = {.size = 0};
    made_begin(&made, 0, "timestamps=off,lateflag=off,figure-mode=on");
    made_hex(&made, 2, "0e0110 0d11");
    assert_told(&made, "E001 D07 D01 D09 X001+cut+imp");
}

static void et_46_headers_of_the_project_are_unknown_in_figure_mode(void **state)
{
    (void)state;
    static const char *const packets[] = {"1510", "1910", "1d10", "1111"};
    for (unsigned i = 0; i < 4; i++) {
        struct made made = {.size = 0};
        struct told told;
        made_begin(&made, 0, "timestamps=off,lateflag=off,figure-mode=on,omit=on");
        made_hex(&made, 1, packets[i]);
        tell(&told, made.bytes, made.size);
        assert_int_equal(told.diagnostics[6], 1);
        assert_int_equal(told.events, 0);
        told_free(&told);
    }
}

/* ---- packets --------------------------------------------------------------------------------------------------- */

/* All 512 numbers, all kinds. */
static void et_31_79_full_packets_of_all_numbers(void **state)
{
    (void)state;
    for (unsigned en = 0; en < 512; en++) {
        struct made made = {.size = 0};
        struct told told = {.source = -1, .bare = true};
        char wanted[32];
        made_begin(&made, 0, "timestamps=off");
        for (unsigned fn = 1; fn <= 3; fn++) {
            made_byte(&made, 0x0e);
            made_byte(&made, en & 0xff);
            made_byte(&made, fn << 4 | en >> 8);
        }
        made.packets = 3;
        made_end(&made, 0, 3, 0);
        tell_with(&told, NULL, made.bytes, made.size, 0);
        /* the return is to what was left: that is told; the numbers are what counts here */
        snprintf(wanted, sizeof wanted, "E%03x X%03x %sR%03x", en, en, en ? "D14 " : "", en);
        assert_string_equal(told.text, wanted);
        told_free(&told);
    }
}

static void et_32_34_51_merged_packets(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 512; i++) {
        const unsigned en1 = i * 167 & 511, en2 = (i * 61 + 5) & 511, tail = i & 1;
        struct made made = {.size = 0};
        struct told told = {.source = -1};
        made_begin(&made, 100, tail ? "merge=exit-return+tail" : "merge=exit-return");
        made_byte(&made, 0x0e), made_byte(&made, en1 & 0xff), made_byte(&made, 0x10 | en1 >> 8),
            made_hex(&made, 1, "c5");
        made_byte(&made, 0x0f), made_byte(&made, en1 & 0xff), made_byte(&made, en2 & 0xff);
        made_byte(&made, (tail ? 0x50 : 0) | (en2 >> 8) << 1 | en1 >> 8), made_hex(&made, 1, "ca");
        tell_with(&told, NULL, made.bytes, made.size, 0);
        const struct et_event *exit = &told.last[ET_K_EXIT], *second = &told.last[tail ? ET_K_ENTRY : ET_K_RETURN];
        if (!tail)
            assert_true(exit->en_known && exit->en == en1);
        assert_int_equal(second->en, en2);
        assert_int_equal(second->time, 115);
        assert_int_equal(second->delta, 0);
        assert_int_equal(second->index, 1);
        assert_int_equal(!!(second->flags & ET_E_TC), tail);
        assert_int_equal(told.sums.events, 3);
        told_free(&told);
    }
}

static void et_34_merged_packets_that_cannot_be(void **state)
{
    (void)state;
    static const char *const packets[] = {"0f020120", "0f020130", "0f020140"};
    for (unsigned i = 0; i < 3; i++) {
        struct made made = {.size = 0};
        made_begin(&made, 0, "timestamps=off,merge=exit-return+tail");
        made_hex(&made, 1, packets[i]);
        assert_told(&made, "D07 D01 D09");
    }
}

static void et_38_omitted_numbers_leave_kind_flag_and_order(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    made_begin(&made, 0, "omit=on,tailflag=entry");
    made_hex(&made, 6, "0d10c0 0d90c1 0d20c2 0d28c3 0d50c4 0d30c5");
    made_end(&made, 0, 6, 0);
    assert_told(&made, "E???@0 E???@1+la X???@3 g2/2 X???@6+frc g6/4 E???@10+tc c1 R???@15 X???@15+cut+imp >g5/5 c1");
}

static void et_39_41_reduced_numbers(void **state)
{
    (void)state;
    for (unsigned base = 0; base < 512; base += 31)
        for (unsigned n = 0; n < 16; n++) {
            struct made made = {.size = 0};
            struct told told = {.source = -1, .bare = true};
            char keys[128], wanted[32];
            snprintf(keys, sizeof keys, "timestamps=off,reduced=on,reduced.offset=on,reduced.base=%u", base);
            made_begin(&made, 0, keys);
            made_byte(&made, 0x1d), made_byte(&made, 0x10 | n);
            tell_with(&told, NULL, made.bytes, made.size, 0);
            snprintf(wanted, sizeof wanted, base + n < 512 ? "E%03x D09" : "D07 D01 D09", base + n);
            assert_string_equal(told.text, wanted);
            told_free(&told);
        }
    struct made made = {.size = 0};
    made_begin(&made, 0, "reduced=on,reduced.max=9,timestamps=off");
    made_hex(&made, 3, "1d19 1d29 1d1a");
    assert_told(&made, "E009 X009 D07 D01 D09");
    struct made pair = {.size = 0};
    made_begin(&pair, 0, "reduced=on,merge=exit-return");
    made_hex(&pair, 2, "1d13c1 1130c2");
    made_end(&pair, 0, 3, 0);
    assert_told(&pair, "E003@1 X003@3 g2/2 R000@3");
}

/* What is told of packets without times: kinds and numbers. */
#define assert_kinds(keys, packets, hex, wanted) kinds_are(keys, packets, hex, wanted, __LINE__)
static void kinds_are(const char *keys, unsigned packets, const char *hex, const char *wanted, int line)
{
    struct made made = {.size = 0};
    struct told told = {.source = -1, .bare = true};
    char text[256];
    snprintf(text, sizeof text, "timestamps=off,%s", keys);
    made_begin(&made, 0, text);
    made_hex(&made, packets, hex);
    tell_with(&told, NULL, made.bytes, made.size, 0);
    if (strcmp(told.text, wanted) || !adds_up(&told, made.size))
        fail_msg("line %d:\n  %s\n  wanted\n  %s", line, told.text, wanted);
    told_free(&told);
}

/* Numbers in full, reduced and merged packets are remembered; those of requests are not. */
static void et_42_compression_previous(void **state)
{
    (void)state;
    assert_kinds("compress=previous,reduced=on,merge=exit-return", 8,
                 "0e0b10 1520 1d14 221000 1520 0e0510 0f050000 1530",
                 "E00b X00b E004 S010 X004 E005 X005 R000 R000 D09");
    assert_kinds("compress=previous", 1, "1520", "D16 D01 D09");
    assert_kinds("compress=off", 2, "0e0b10 1520", "E00b D16 D01 D09");
    assert_kinds("compress=fifo", 2, "0e0b10 1520", "E00b D16 D01 D09");
}

static void et_43_compression_stack(void **state)
{
    (void)state;
    assert_kinds("compress=stack", 4, "0e0030 0e0110 1520 1530", "R000 E001 X001 R000 D09");
    assert_kinds("compress=stack", 1, "1520", "D16 D01 D09");
    assert_kinds("compress=stack,merge=exit-return", 6, "0e0110 0e0210 0f020100 1530 1530 1530",
                 "E001 E002 X002 R001 R001 D14 R002 R002 D09");
    /* a full stack of two loses its bottom: three in, two out */
    assert_kinds("compress=stack,stack=2", 6, "0e0110 0e0210 0e0310 1520 1520 1520",
                 "E001 E002 E003 X003 X002 D16 D01 D09");
    for (unsigned depth = 0; depth < 8; depth++) {
        struct made made = {.size = 0};
        struct told told = {.source = -1, .bare = true};
        char keys[64];
        snprintf(keys, sizeof keys, "timestamps=off,compress=stack,stack=%u", 1u << depth);
        made_begin(&made, 0, keys);
        for (unsigned i = 0; i < 200; i++)
            made_byte(&made, 0x0e), made_byte(&made, i), made_byte(&made, 0x11);
        for (unsigned i = 0; i <= 1u << depth; i++)
            made_hex(&made, 1, "1520");
        tell_with(&told, NULL, made.bytes, made.size, 0);
        assert_int_equal(told.sums.events, 200 + (1u << depth));
        assert_int_equal(told.last[ET_K_EXIT].en, 0x100 + 200 - (1u << depth));
        assert_int_equal(told.diagnostics[16], 1);
        told_free(&told);
    }
}

/* Against a plain list of the last numbers. */
static void et_44_compression_fifo(void **state)
{
    (void)state;
    for (unsigned entries = 2; entries <= 16; entries *= 2) {
        struct made made = {.size = 0};
        struct told told = {.source = -1, .bare = true};
        char keys[64], wanted[4096] = "";
        unsigned fifo[16] = {0}, write = 0;
        snprintf(keys, sizeof keys, "timestamps=off,compress=fifo,fifo=%u", entries);
        made_begin(&made, 0, keys);
        for (unsigned i = 0; i < 100; i++) {
            unsigned en = i * 7 % 11 + 0x100;
            if (i % 3 && i >= entries) {
                en = fifo[(i * 5) % entries];
                made_byte(&made, 0x19), made_byte(&made, 0x10 | (i * 5) % entries);
            } else {
                made_byte(&made, 0x0e), made_byte(&made, en & 0xff), made_byte(&made, 0x11);
            }
            fifo[write++ % entries] = en;
            snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%sE%03x", i ? " " : "", en);
        }
        made.packets = 100;
        made_end(&made, 0, 100, 0);
        tell_with(&told, NULL, made.bytes, made.size, 0);
        assert_string_equal(told.text, wanted);
        told_free(&told);
    }
    assert_kinds("compress=fifo", 1, "1910", "D16 D01 D09");
    assert_kinds("compress=fifo", 2, "0e0a11 1911", "E10a D16 D01 D09");
    assert_kinds("compress=fifo,merge=exit-return", 3, "0e0a11 0f0a0001 1932", "E10a X10a R000 R000 D09");
    assert_kinds("compress=off", 2, "0e0a11 1910", "E10a D16 D01 D09");
}

/* A SYNC begins anew with all of it. */
static void et_54_sync_forgets_what_is_remembered(void **state)
{
    (void)state;
    static const char *const keys[] = {"compress=previous", "compress=stack", "compress=fifo"};
    static const char *const packets[] = {"1520", "1520", "1920"};
    for (unsigned i = 0; i < 3; i++) {
        struct made made = {.size = 0};
        struct told told = {.source = -1, .bare = true};
        char text[64];
        const unsigned frame = 0x10a;
        snprintf(text, sizeof text, "timestamps=off,%s", keys[i]);
        const struct et_config config = made_keys(text);
        made_begin(&made, 0, text);
        made_hex(&made, 1, "0e0a11");
        made_sync_of(&made, 0, 0x10a, 1, &frame);
        made_config(&made, &config);
        made_hex(&made, 1, packets[i]);
        tell_with(&told, NULL, made.bytes, made.size, 0);
        assert_string_equal(told.text, "E10a D16 D01 D09");
        told_free(&told);
    }
}

static void et_47_requests(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    made_begin(&made, 0, "signal=on,info=on");
    made_hex(&made, 5, "220d00c1 220d80c2 22ff01c3 220400 2403018420 c4 0e0410 2403018420 c5");
    made_end(&made, 0, 5, 0);
    assert_told(&made, "S00d@1 S00d@3+wd S1ff@6 S004@10 E004@15 l5 X004@15+cut+imp >g0/0");
}

static void et_48_information_of_every_tag(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    struct told told;
    made_begin(&made, 0, "info=on");
    made_hex(&made, 1, "0e1911 24");
    const size_t length = made.size;
    made_byte(&made, 0);
    for (unsigned tag = 1; tag <= 12; tag++) { /* 11 and 12 are not known */
        made_byte(&made, tag);
        made_leb(&made, UINT64_C(0x0123456789abcdef) >> 4 * tag);
    }
    made.bytes[length] = (uint8_t)(made.size - length - 1);
    made_hex(&made, 0, "c0");
    made_end(&made, 0, 1, 0);
    tell(&told, made.bytes, made.size);
    assert_int_equal(told.any, 0);
    assert_int_equal(told.last[ET_K_ENTRY].given, 0x7fe);
    for (unsigned tag = 1; tag <= 10; tag++)
        assert_int_equal(told.last[ET_K_ENTRY].info[tag], UINT64_C(0x0123456789abcdef) >> 4 * tag);
    told_free(&told);
}

static void et_49_addresses_over_the_full_range(void **state)
{
    (void)state;
    static const uint64_t at[] = {0,           1, UINT64_MAX, 0x7fffffffffffffff, 0x8000000000000000,
                                  0x123456789, 0, UINT64_MAX, 0x10a4c0000};
    struct made made = {.size = 0};
    struct told told = {.source = -1};
    uint64_t last[4] = {0};
    made_begin(&made, 0, "addr=old+new+ret");
    for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
        const uint64_t to[4] = {0, at[i], ~at[i], at[i] + 4};
        for (unsigned kind = 1; kind <= 3; kind++) {
            made_hex(&made, kind > 1, kind == 1 ? "0e0a11" : kind == 3 ? "c0 0e0a21 c0 0e0030" : "");
            made_byte(&made, 0x28), made_byte(&made, kind), made_leb(&made, et_zigzag(to[kind] - last[kind]));
            last[kind] = to[kind];
        }
        made_hex(&made, 1, "c0");
        told.size = 0;
        tell_with(&told, NULL, made.bytes, made.size, 0);
        assert_int_equal(told.diagnostics[7], 0);
        assert_int_equal(told.last[ET_K_ENTRY].old_address, to[1]);
        assert_int_equal(told.last[ET_K_ENTRY].new_address, to[2]);
        assert_int_equal(told.last[ET_K_RETURN].return_address, to[3]);
    }
    told_free(&told);
}

static void et_50_states_marks_and_counts(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    struct told told;
    made_begin(&made, 0, "state=on,counts=on");
    for (unsigned code = 1; code <= 13; code++)
        made_byte(&made, 0x2d), made_byte(&made, code), made_byte(&made, 0xc1);
    made.packets = 13;
    made_hex(&made, 1, "3c ffffffffffffffffff01 c1");
    made_hex(&made, 0, "40 03 8a02 07  40 07 00 8101 04 05 8302");
    made_end(&made, 0, 14, 0);
    tell(&told, made.bytes, made.size);
    assert_string_equal(told.text, "T1@1 T2@2 T3@3 T4@4 T5@5 T6@6 T7@7 T8@8 T9@9 Ta@10 Tb@11 Tc@12 Td@13 "
                                   "Mffffffffffffffff@14 C D07 D01 D09");
    told_free(&told);
    struct made good = {.size = 0};
    made_begin(&good, 0, "counts=on");
    made_hex(&good, 0, "40 03 8a02 07  40 06 04 8101 05 8302");
    made_hex(&good, 0, "40 14 0101 0202 0303 0404 0505 0606 0707 0808 0909 0a0a");
    made_end(&good, 0, 0, 0);
    tell(&told, good.bytes, good.size);
    assert_int_equal(told.any, 0);
    static const uint64_t wanted[] = {0x10a, 7, 4, 129, 5, 259};
    assert_int_equal(told.counts, 26);
    assert_memory_equal(told.counted, wanted, sizeof wanted);
    for (unsigned i = 0; i < 10; i++)
        assert_true(told.counted[6 + 2 * i] == i + 1 && told.counted[7 + 2 * i] == i + 1);
    told_free(&told);
}

/* ---- time ------------------------------------------------------------------------------------------------------ */

static void et_51_inline_times(void **state)
{
    (void)state;
    static const uint64_t deltas[] = {0, 1, 62, 63, 64, 127, 128, UINT64_C(1) << 32, UINT64_C(1) << 63};
    struct made made = {.size = 0};
    struct told told;
    uint64_t time = 5;
    made_begin(&made, time, "");
    for (unsigned i = 0; i < sizeof deltas / sizeof *deltas; i++) {
        made_hex(&made, 1, "0e0a11");
        if (deltas[i] <= 62) {
            made_byte(&made, 0xc0 + (unsigned)deltas[i]);
        } else {
            made_byte(&made, 0x30);
            made_leb(&made, deltas[i]);
        }
        time += deltas[i];
        tell(&told, made.bytes, made.size);
        assert_int_equal(told.last[ET_K_ENTRY].time, time);
        if (i)
            assert_int_equal(told.last[ET_K_ENTRY].delta, deltas[i]);
        assert_int_equal(told.diagnostics[17], 0);
        told_free(&told);
    }
}

/* The long form of a short difference is as good. */
static void et_51_either_form_of_a_difference(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    made_begin(&made, 0, "");
    made_hex(&made, 3, "0e0a11 3005 0e0a21 30 00 0e0030 c0");
    made_end(&made, 0, 3, 0);
    assert_told(&made, "E10a@5 X10a@5 g0/0 R000@5");
}

static void et_53_prescaler_and_a_clock_that_is_set_back(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    made_begin(&made, 0x100, "clock=tod,clock.shift=4,state=on");
    made_hex(&made, 4, "0e0a11 c1 0e0a21 c2 0e0030 c0 0e0a11 3410");
    made_end(&made, 0, 4, 0);
    assert_told(&made, "E10a@4112 X10a@4144 g32/32 R000@4144 E10a@256 X10a@256+cut+imp >g0/0");
}

static void et_53_time_goes_backwards_at_a_sync(void **state)
{
    (void)state;
    for (unsigned set = 0; set < 2; set++) { /* with STATE 13 in front of it that is in order */
        struct made made = {.size = 0};
        struct told told;
        const struct et_config config = made_keys("clock=tod,state=on");
        made_begin(&made, 1000, "clock=tod,state=on");
        made_hex(&made, 3, "0e0a11 c5 0e0a21 c5 0e0030 c0");
        if (set)
            made_hex(&made, 1, "2d0d c0");
        made_sync_of(&made, 500, 0, 0, NULL);
        made_config(&made, &config);
        made_hex(&made, 1, "0e0a11 c1");
        tell(&told, made.bytes, made.size);
        assert_int_equal(told.diagnostics[17], set ? 0 : 1);
        assert_int_equal(told.last[ET_K_ENTRY].time, 501);
        told_free(&told);
    }
    struct made made = {.size = 0};
    made_begin(&made, UINT64_MAX, "");
    made_hex(&made, 1, "0e0a11 c1");
    assert_told(&made, "D17 E10a@0 D09 X10a@0+cut+imp >g0/0");
}

/* ---- configuration --------------------------------------------------------------------------------------------- */

static void et_55_cfg_packets_give_every_register(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    struct told told;
    struct et_config config = made_keys("sample=7,range0=0x004-0x005,numbers=0x001-0x17f,timestamps=off,counts=on");
    made_sync_of(&made, 0, 0, 0, NULL);
    made_config(&made, &config);
    made_end(&made, 0, 0, 0);
    tell(&told, made.bytes, made.size);
    assert_int_equal(told.any, 0);
    for (unsigned i = 0; i < ET_REGISTERS; i++)
        if (i != ETBF && i != ETPM)
            assert_int_equal(told.config.reg[i], config.reg[i]);
    told_free(&told);
}

/* What a SYNC does not tell again has its reset value, and each configuration holds from its SYNC on. */
static void et_55_75_configuration_changes_with_a_sync(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    const struct et_config first = made_keys("timestamps=off,reduced=on,reduced.offset=on,reduced.base=0x100,sample=3");
    const struct et_config second = made_keys("timestamps=off,reduced=on");
    made_sync_of(&made, 0, 0, 0, NULL);
    made_config(&made, &first);
    made_hex(&made, 2, "1d15 1d25");
    made_sync_of(&made, 0, 0, 0, NULL);
    made_config(&made, &second);
    made_hex(&made, 2, "1d15 1d25");
    made_end(&made, 0, 4, 0);
    struct told told = {.source = -1, .bare = true};
    tell_with(&told, NULL, made.bytes, made.size, 0);
    assert_string_equal(told.text, "E105 X105 E005 X005");
    assert_int_equal(told.config.reg[ETMS], 0);
    told_free(&told);
}

static void et_37_79_flags_are_of_the_events_that_have_them(void **state)
{
    (void)state;
    static const char *const wrong[] = {"0e0aa0", "0e0ab0", "0e0a70", "0e0a00", "0d80", "1d81", "1dc5"};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct made made = {.size = 0};
        made_begin(&made, 0, "timestamps=off,reduced=on");
        made_hex(&made, 1, wrong[i]);
        assert_told(&made, "D07 D01 D09");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_107_streams_of_section_8),
        cmocka_unit_test(et_107_page_fault_has_its_information),
        cmocka_unit_test(et_57_107_accounts_of_end),
        cmocka_unit_test(et_80_107_damage_in_front_of_a_loss),
        cmocka_unit_test(et_82_107_file_cut_inside_a_packet),
        cmocka_unit_test(et_56_loss_is_at_its_place),
        cmocka_unit_test(et_105_sizes_and_contents_for_figure_3),
        cmocka_unit_test(et_106_sizes_and_contents_for_figure_6),
        cmocka_unit_test(et_46_55_figure_mode_is_read_by_its_configuration),
        cmocka_unit_test(et_79_one_header_of_figure_mode_has_the_meaning_of_its_configuration),
        cmocka_unit_test(et_46_headers_of_the_project_are_unknown_in_figure_mode),
        cmocka_unit_test(et_31_79_full_packets_of_all_numbers),
        cmocka_unit_test(et_32_34_51_merged_packets),
        cmocka_unit_test(et_34_merged_packets_that_cannot_be),
        cmocka_unit_test(et_38_omitted_numbers_leave_kind_flag_and_order),
        cmocka_unit_test(et_39_41_reduced_numbers),
        cmocka_unit_test(et_42_compression_previous),
        cmocka_unit_test(et_43_compression_stack),
        cmocka_unit_test(et_44_compression_fifo),
        cmocka_unit_test(et_54_sync_forgets_what_is_remembered),
        cmocka_unit_test(et_47_requests),
        cmocka_unit_test(et_48_information_of_every_tag),
        cmocka_unit_test(et_49_addresses_over_the_full_range),
        cmocka_unit_test(et_50_states_marks_and_counts),
        cmocka_unit_test(et_51_inline_times),
        cmocka_unit_test(et_51_either_form_of_a_difference),
        cmocka_unit_test(et_53_prescaler_and_a_clock_that_is_set_back),
        cmocka_unit_test(et_53_time_goes_backwards_at_a_sync),
        cmocka_unit_test(et_55_cfg_packets_give_every_register),
        cmocka_unit_test(et_55_75_configuration_changes_with_a_sync),
        cmocka_unit_test(et_37_79_flags_are_of_the_events_that_have_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
