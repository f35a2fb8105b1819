/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decoder of exception traces and streams that are cut, damaged or wrong: everything is told, every byte is
   accounted for, and nothing is believed that is not sure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/unit/et_golden.h"
#include "tests/unit/et_reader.h"
#include "tests/unit/random.h"

/* A stream of three segments, with every kind of packet; 12 events. */
static void make_long(struct made *made)
{
    const struct et_config config =
        made_keys("signal=on,state=on,info=on,addr=old+new+ret,reduced=on,merge=exit-return,counts=on");
    const unsigned frame = 0x10a;
    memset(made, 0, sizeof *made);
    made_sync_of(made, 1000, 0, 0, NULL);
    made_config(made, &config);
    made_hex(made, 2, "0e0a11 2404 010a0202 2801 8020 2802 20 c8 220400 d0");
    made_sync_of(made, 1030, 0x10a, 1, &frame);
    made_config(made, &config);
    made_hex(made, 4, "1d14 24 02 0801 2801 90a008 c4 3c8101 c1 0f040a02 2803 9010 c9 2d01 30 80 01");
    made_hex(made, 0, "40 05 8a02 04 0401");
    made_sync_of(made, 2000, 0x10a, 1, &frame);
    made_config(made, &config);
    made_hex(made, 4, "2d02 c2 0e91 10 c1 0f910a02 c1 0f0a0001 30 8001");
    made_end(made, 3, 13, 0);
}

/* Kind and number of each event, of the stream alone. */
static const char *events_of(const uint8_t *bytes, size_t size, struct told *told)
{
    memset(told, 0, sizeof *told);
    told->source = -1;
    told->bare = told->plain = true;
    tell_with(told, NULL, bytes, size, 0);
    return told->text;
}

/* The streams of the specification, the long one, and that in a container: call `check' for each. */
static void for_all(void (*check)(const uint8_t *bytes, size_t size))
{
    static struct made made;
    static uint8_t file[4096];
    for (unsigned i = 0; i < GOLDEN_STREAMS; i++)
        check(golden[i].bytes, golden[i].size);
    make_long(&made);
    check(made.bytes, made.size);
    size_t size = file_head(file, 1);
    size += file_chunk(file + size, 0, ET_CHUNK_EVENTS, made.bytes, made.size / 2);
    size += file_chunk(file + size, 0, ET_CHUNK_EVENTS, made.bytes + made.size / 2, made.size - made.size / 2);
    check(file, size);
}

static void is_sound(const uint8_t *bytes, size_t size)
{
    struct told told;
    tell(&told, bytes, size);
    assert_true(adds_up(&told, size));
    for (unsigned code = 1; code <= ET_DIAGNOSTICS; code++)
        if (code != 5 && told.diagnostics[code])
            fail_msg("D%02u: %s", code, told.words[code]);
    told_free(&told);
}

static void et_80_sound_streams_have_no_diagnostics(void **state)
{
    (void)state;
    for_all(is_sound);
}

/* ---- cut ------------------------------------------------------------------------------------------------------- */

static void cut_everywhere(const uint8_t *bytes, size_t size)
{
    struct told whole, told;
    const char *all = events_of(bytes, size, &whole);
    for (size_t n = 0; n < size; n++) {
        const char *some = events_of(bytes, n, &told);
        if (strncmp(all, some, strlen(some)))
            fail_msg("cut at %zu of %zu: '%s' does not begin '%s'", n, size, some, all);
        if (!told.diagnostics[8] && !told.diagnostics[9] && !told.diagnostics[22])
            fail_msg("cut at %zu of %zu: not told", n, size);
        if (!adds_up(&told, n))
            fail_msg("cut at %zu of %zu: bytes do not add up", n, size);
        told_free(&told);
    }
    told_free(&whole);
}

static void et_81_82_cut_at_every_byte(void **state)
{
    (void)state;
    for_all(cut_everywhere);
}

/* ---- damaged --------------------------------------------------------------------------------------------------- */

static void flip_everywhere(const uint8_t *bytes, size_t size)
{
    static uint8_t other[8192];
    struct told told, whole;
    tell(&whole, bytes, size);
    memcpy(other, bytes, size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        if (*bytes == 'Z' && (bit / 8 == 11 || bit == 80)) /* there may be more sources than have a stream */
            continue;
        other[bit / 8] ^= (uint8_t)(1u << bit % 8);
        tell(&told, other, size);
        bool same = told.any == whole.any;
        for (unsigned code = 1; code <= ET_DIAGNOSTICS && same; code++)
            same = told.diagnostics[code] == whole.diagnostics[code] && !strcmp(told.words[code], whole.words[code]);
        if (same)
            fail_msg("bit %zu of byte %zu of %zu: not told", bit % 8, bit / 8, size);
        if (!adds_up(&told, size))
            fail_msg("bit %zu of byte %zu of %zu: bytes do not add up", bit % 8, bit / 8, size);
        struct told piecewise = {.source = -1};
        if (bit % 5 == 0) { /* what is told does not depend on how the bytes come */
            tell_with(&piecewise, NULL, other, size, 1 + bit % 3);
            if (strcmp(piecewise.text, told.text))
                fail_msg("bit %zu:\n  %s\n  by pieces\n  %s", bit, told.text, piecewise.text);
            told_free(&piecewise);
        }
        told_free(&told);
        other[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    told_free(&whole);
}

static void et_59_81_every_single_bit_error_is_told(void **state)
{
    (void)state;
    for_all(flip_everywhere);
}

/* A byte is changed, left out or doubled: what is behind the next SYNC is not touched by it. */
static void et_80_damage_ends_at_the_next_sync(void **state)
{
    (void)state;
    static struct made made;
    static uint8_t other[4096];
    struct told whole, told;
    make_long(&made);
    tell(&whole, made.bytes, made.size);
    const size_t third = (size_t)whole.last[ET_K_SYNC].offset;
    told_free(&whole);
    events_of(made.bytes + third, made.size - third, &whole);
    struct random r = seeded(80);
    for (unsigned trial = 0; trial < 3000; trial++) {
        const size_t at = 21 + below(&r, (unsigned)third - 21);
        size_t size = made.size;
        memcpy(other, made.bytes, size);
        switch (below(&r, 3)) {
        case 0:
            other[at] ^= (uint8_t)(1 + below(&r, 255));
            break;
        case 1:
            memmove(other + at, other + at + 1, --size - at);
            break;
        default:
            memmove(other + at + 1, other + at, size++ - at);
        }
        const char *some = events_of(other, size, &told);
        assert_true(adds_up(&told, size));
        if (strlen(some) < strlen(whole.text) || strcmp(some + strlen(some) - strlen(whole.text), whole.text))
            fail_msg("trial %u, byte %zu: '%s' does not end with '%s'", trial, at, some, whole.text);
        told_free(&told);
    }
    told_free(&whole);
}

static void et_81_93_bytes_of_every_input_add_up(void **state)
{
    (void)state;
    static struct made made;
    static uint8_t other[4096];
    struct random r = seeded(81);
    make_long(&made);
    for (unsigned trial = 0; trial < 20000; trial++) {
        size_t size = below(&r, (unsigned)made.size) + 1;
        memcpy(other, made.bytes, size);
        for (unsigned n = below(&r, 12); n--;) {
            const size_t at = below(&r, (unsigned)size);
            if (below(&r, 3))
                other[at] = below(&r, 2) ? 0 : (uint8_t)next(&r);
            else
                memmove(other + at, other + below(&r, (unsigned)size - (unsigned)at), 1);
        }
        struct told told = {.source = -1, .quiet = true};
        const struct et_decoder_options options = {.salvage = trial & 1, .strict = trial & 2};
        tell_with(&told, &options, other, size, below(&r, 4));
        assert_true(adds_up(&told, size));
    }
}

/* ---- SYNC ------------------------------------------------------------------------------------------------------ */

/* Bytes of segment n (1 to 3) of the long stream. */
static void segment_of(const struct made *made, unsigned n, size_t *from, size_t *to)
{
    size_t begins[4], count = 0;
    for (size_t at = 0; at + 8 < made->size && count < 3; at++)
        if (!memcmp(made->bytes + at, "\0\0\0\0\0\0\0\200", 8))
            begins[count++] = at;
    begins[count] = made->size;
    *from = begins[n - 1];
    *to = begins[n];
}

static void et_83_missing_and_repeated_segments(void **state)
{
    (void)state;
    static struct made made, other;
    struct told told;
    size_t from, to;
    make_long(&made);
    segment_of(&made, 2, &from, &to);
    other = made;
    memmove(other.bytes + from, other.bytes + to, made.size - to);
    tell(&told, other.bytes, made.size - (to - from));
    assert_int_equal(told.diagnostics[10], 1);
    assert_non_null(strstr(told.words[10], "SYNC 3 comes behind SYNC 1: 1 missing"));
    assert_int_equal(told.diagnostics[3] + told.diagnostics[4], 0);
    told_free(&told);
    memcpy(other.bytes, made.bytes, to);
    memcpy(other.bytes + to, made.bytes + from, made.size - from);
    tell(&told, other.bytes, made.size + (to - from));
    assert_int_equal(told.diagnostics[10], 1);
    assert_non_null(strstr(told.words[10], "SYNC 2 comes behind SYNC 2: repeated"));
    told_free(&told);
    tell(&told, made.bytes + from, made.size - from); /* the beginning is gone, as with overflow=wrap */
    assert_int_equal(told.diagnostics[10], 1);
    assert_non_null(strstr(told.words[10], "begins with SYNC 2"));
    assert_int_equal(told.any, 1);
    told_free(&told);
}

static void et_54_marker_of_more_than_seven_zeros(void **state)
{
    (void)state;
    for (unsigned zeros = 7; zeros < 700; zeros += zeros < 20 ? 1 : 97) {
        struct told told = {.source = -1, .bare = true};
        uint8_t bytes[1024] = {0};
        memcpy(bytes + zeros - 7, golden[0].bytes, golden[0].size);
        tell_with(&told, NULL, bytes, zeros - 7 + golden[0].size, zeros % 3);
        assert_int_equal(told.any, zeros > 7); /* at the beginning what is no marker is skipped */
        assert_int_equal(told.length[1], zeros - 7);
        assert_true(adds_up(&told, zeros - 7 + golden[0].size));
        told_free(&told);
        struct made made = {.size = 0};
        made_begin(&made, 0, "");
        const size_t second = made.size;
        made_sync_of(&made, 0, 0, 0, NULL);
        const struct et_config config = made_keys("");
        made_config(&made, &config);
        made_end(&made, 0, 0, 0);
        memmove(made.bytes + second + zeros - 7, made.bytes + second, made.size - second);
        memset(made.bytes + second, 0, zeros - 7);
        made.size += zeros - 7;
        tell(&told, made.bytes, made.size);
        assert_int_equal(told.any, 0);
        assert_true(adds_up(&told, made.size));
        told_free(&told);
    }
}

/* ---- a test for each diagnostic -------------------------------------------------------------------------------- */

#define assert_diagnostic(made, code, offset_, length_, words_)                                                        \
    diagnostic_is((made)->bytes, (made)->size, code, offset_, length_, words_, __LINE__)
static void diagnostic_is(const uint8_t *bytes, size_t size, unsigned code, uint64_t offset, uint64_t length,
                          const char *words, int line)
{
    struct told told;
    tell(&told, bytes, size);
    if (!told.diagnostics[code] || told.offset[code] != offset || told.length[code] != length ||
        !strstr(told.words[code], words))
        fail_msg("line %d: %s; D%02u at %u length %u: %s", line, told.text, code, (unsigned)told.offset[code],
                 (unsigned)told.length[code], told.words[code]);
    assert_true(adds_up(&told, size));
    told_free(&told);
}

static void et_81_d01_skipped_bytes(void **state)
{
    (void)state;
    static uint8_t bytes[256];
    memset(bytes, 0x55, 9);
    memcpy(bytes + 9, golden[0].bytes, golden[0].size);
    diagnostic_is(bytes, 9 + golden[0].size, 1, 0, 9, "9 bytes are skipped", __LINE__);
}

static void et_54_d02_damaged_sync(void **state)
{
    (void)state;
    static uint8_t bytes[256];
    memcpy(bytes, golden[6].bytes, golden[6].size);
    bytes[60] ^= 1;
    diagnostic_is(bytes, golden[6].size, 2, 47, 0, "SYNC", __LINE__);
    diagnostic_is(bytes, golden[6].size, 1, 47, golden[6].size - 47, "skipped", __LINE__);
    /* fields that no SYNC has: version, flags, source, sequence, frames */
    static const struct {
        unsigned at, value;
    } wrong[] = {{8, 0x20}, {9, 0}, {10, 0}, {11, 0}, {19, 0}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(bytes, golden[0].bytes, golden[0].size);
        bytes[wrong[i].at] = (uint8_t)wrong[i].value;
        bytes[20] = et_crc8(0, bytes + 8, 12);
        diagnostic_is(bytes, golden[0].size, 2, 0, 0, "SYNC", __LINE__);
    }
}

/* A SYNC whose frames are more than a tracker has, and the most it can have. */
static void et_54_d02_frames_of_a_sync(void **state)
{
    (void)state;
    const unsigned frames[8] = {1, 2, 3, 4, 5, 6, 7, 511};
    for (unsigned open = 64; open <= 65; open++) {
        struct made made = {.size = 0};
        struct told told;
        const struct et_config config = made_keys("");
        made_sync_of(&made, 0, 1, open, frames);
        made_config(&made, &config);
        made_end(&made, 0, 0, 0);
        tell(&told, made.bytes, made.size);
        assert_int_equal(told.diagnostics[2], open - 64);
        assert_int_equal(told.implied, open == 64 ? 128 : 0);
        told_free(&told);
    }
}

static void et_59_d03_check_sum_of_a_segment(void **state)
{
    (void)state;
    static uint8_t bytes[256];
    memcpy(bytes, golden[0].bytes, golden[0].size);
    bytes[38] ^= 1; /* another number */
    diagnostic_is(bytes, golden[0].size, 3, golden[0].size - 10, 0,
                  "the last 6 event packets before this place are doubtful", __LINE__);
}

static void et_56_d04_number_of_packets(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    made_begin(&made, 0, "timestamps=off");
    made_hex(&made, 3, "0e0a11 0e0a21");
    const size_t end = made.size;
    made_end(&made, 0, 2, 0);
    assert_diagnostic(&made, 4, end, 0, "3 event packets were sent, 2 decoded: 1 missing");
    made.size = end;
    made.packets = 1;
    made_end(&made, 0, 2, 0);
    assert_diagnostic(&made, 4, end, 0, "1 event packets were sent, 2 decoded: 1 too many");
}

static void et_56_d05_loss(void **state)
{
    (void)state;
    diagnostic_is(golden[6].bytes, golden[6].size, 5, 45, 0, "7 events are lost", __LINE__);
    /* a SYNC has to follow at once */
    struct made made = {.size = 0};
    made_begin(&made, 0, "timestamps=off");
    made_hex(&made, 1, "7003");
    const size_t at = made.size;
    made_hex(&made, 1, "0e0a11");
    assert_diagnostic(&made, 7, at, 1, "behind a loss comes a SYNC");
}

static void et_80_d06_unknown_header(void **state)
{
    (void)state;
    static const uint8_t headers[] = {0x01, 0x0c, 0x10, 0x12, 0x1f, 0x23, 0x2c, 0x44, 0x71, 0x79, 0x80, 0xbf, 0xff};
    for (unsigned i = 0; i < sizeof headers; i++) {
        struct made made = {.size = 0};
        char words[32];
        made_begin(&made, 0, "timestamps=off");
        const size_t at = made.size;
        made_byte(&made, headers[i]), made_hex(&made, 0, "1111");
        snprintf(words, sizeof words, "header %02X", headers[i]);
        assert_diagnostic(&made, 6, at, 1, words);
        assert_diagnostic(&made, 1, at + 1, 2, "2 bytes");
    }
    struct made made = {.size = 0};
    made_begin(&made, 0, "timestamps=off");
    const size_t at = made.size;
    made_hex(&made, 0, "000000000000 11"); /* six zeros and no marker */
    assert_diagnostic(&made, 6, at, 1, "header 00");
    assert_diagnostic(&made, 1, at + 1, 6, "6 bytes");
    made.size = at;
    made_hex(&made, 0, "00000000000000000000 11"); /* more than seven, and none either */
    assert_diagnostic(&made, 6, at, 1, "header 00");
    assert_diagnostic(&made, 1, at + 1, 10, "10 bytes");
}

/* Numbers that are too long, beyond 64 bits or not in the shortest form, in each packet that has one. */
static void et_80_d07_numbers_that_are_none(void **state)
{
    (void)state;
    static const char *const heads[] = {"0e0a11 30", "0e0a11 34",   "3801",           "3c",     "70",
                                        "78",        "0e0a11 2801", "0e0a11 2405 01", "4005 01"};
    static const char *const numbers[] = {"8000", "8100", "ffffffffffffffffff8001", "ffffffffffffffffff02",
                                          "80808080808080808080808001"};
    for (unsigned i = 0; i < sizeof heads / sizeof *heads; i++)
        for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            struct made made = {.size = 0};
            struct told told;
            made_begin(&made, 0, "info=on,addr=old,counts=on");
            made_hex(&made, 1, heads[i]);
            made_hex(&made, 0, numbers[k]);
            made_hex(&made, 0, "01010101010101010101");
            tell(&told, made.bytes, made.size);
            if (told.diagnostics[7] != 1)
                fail_msg("%s %s: %s", heads[i], numbers[k], told.text);
            assert_true(adds_up(&told, made.size));
            told_free(&told);
        }
}

static void et_80_d07_illegal_fields(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        unsigned at;
    } wrong[] = {{"2d00", 0},
                 {"2d0e", 0},
                 {"380001", 0},
                 {"381401", 0},
                 {"2400", 0},
                 {"0e0a21 c0 2402", 4},
                 {"0e0a11 2400", 3},
                 {"0e0a11 2480 00", 3},
                 {"0e0a11 280001", 3},
                 {"0e0a11 280401", 3},
                 {"0e0a11 280301", 3},
                 {"0e0a21 280101", 3},
                 {"4000", 0},
                 {"40 80 01 02", 0},
                 {"4002 8104 01", 0},
                 {"4003 010201", 0},
                 {"c1", 0},
                 {"3001", 0},
                 {"0e0a11 c1 c1", 4},
                 {"0e0a11 2802 01 2801 01", 6},
                 {"0e0a11 0e0a21", 3},
                 {"2801 01", 0},
                 {"0e0a11 2801 01 2402 0101", 6}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct made made = {.size = 0};
        made_begin(&made, 0, "info=on,addr=old+new+ret");
        const size_t at = made.size + wrong[i].at;
        made_hex(&made, 1, wrong[i].hex);
        assert_diagnostic(&made, 7, at, 1, "packet");
    }
    struct made made = {.size = 0}; /* times belong to the companion stream, or there are none */
    made_begin(&made, 0, "timestamps=off");
    const size_t at = made.size + 3;
    made_hex(&made, 1, "0e0a11 c1");
    assert_diagnostic(&made, 7, at, 1, "a time of no event");
}

static void et_82_d08_cut_inside_a_packet(void **state)
{
    (void)state;
    diagnostic_is(golden[0].bytes, 39, 8, 37, 2, "ends inside a packet", __LINE__);
}

static void et_57_d09_no_end(void **state)
{
    (void)state;
    diagnostic_is(golden[0].bytes, 41, 9, 0, 0, "no END", __LINE__);
}

static void et_57_d18_bytes_behind_the_end(void **state)
{
    (void)state;
    static uint8_t bytes[512];
    memcpy(bytes, golden[0].bytes, golden[0].size);
    memcpy(bytes + golden[0].size, golden[1].bytes, golden[1].size);
    diagnostic_is(bytes, golden[0].size + golden[1].size, 18, golden[0].size, golden[1].size, "behind the END",
                  __LINE__);
}

static void et_55_d20_no_configuration(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    struct told told;
    made_sync_of(&made, 0, 0, 0, NULL);
    made_hex(&made, 1, "0e0a11");
    assert_diagnostic(&made, 20, 0, 0, "do not follow the SYNC");
    tell(&told, made.bytes, made.size);
    assert_int_equal(told.events, 0); /* what the packets mean is not known */
    assert_int_equal(told.length[1], 3);
    told_free(&told);
    /* one is missing */
    const struct et_config config = made_keys("timestamps=off");
    static const unsigned orders[][3] = {{ETCR, ETTS, ETTS}, {ETCR, ETFR, ETSL}};
    for (unsigned i = 0; i < 2; i++) {
        made = (struct made){.size = 0};
        made_sync_of(&made, 0, 0, 0, NULL);
        for (unsigned k = 0; k < 3; k++)
            made_cfg(&made, orders[i][k], config.reg[orders[i][k]]);
        made_hex(&made, 1, "0e0a11");
        assert_diagnostic(&made, 20, 0, 0, "do not follow the SYNC");
    }
    /* a later SYNC without: what was in force is assumed, and said */
    made = (struct made){.size = 0};
    made_begin(&made, 0, "timestamps=off,reduced=on,reduced.offset=on,reduced.base=0x100");
    made_sync_of(&made, 0, 0, 0, NULL);
    made_hex(&made, 1, "1d15");
    tell(&told, made.bytes, made.size);
    assert_string_equal(told.text, "D20 E105+dbt D09 X105+cut+imp");
    told_free(&told);
}

static void et_57_67_d21_accounts_that_do_not_add_up(void **state)
{
    (void)state;
    struct made made = {.size = 0};
    made_begin(&made, 0, "timestamps=off");
    made_hex(&made, 2, "0e0a11 0e0a21");
    const size_t end = made.size;
    made_end(&made, 5, 3, 0);
    assert_diagnostic(&made, 21, end, 0, "3 events emitted, 2 decoded");
    made.size = end;
    made_end(&made, 0, 2, 4);
    assert_diagnostic(&made, 21, end, 0, "4 events lost, 0 told by OVF");
    made.size = end;
    made_end(&made, 0, 2, 0);
    made.bytes[end + 1] = 9;
    made.bytes[made.size - 1] = et_crc8(0, made.bytes + end + 1, made.size - end - 2);
    assert_diagnostic(&made, 21, end, 0, "9 detected, but 0 filtered, 2 emitted and 0 lost");
}

/* ---- options --------------------------------------------------------------------------------------------------- */

static void et_46_reserved_bits_are_ignored_and_told_when_asked(void **state)
{
    (void)state;
    const struct et_decoder_options strict = {.strict = true};
    struct made made = {.size = 0};
    struct told told = {.source = -1, .bare = true};
    made_begin(&made, 0, "timestamps=off,compress=fifo");
    made_hex(&made, 6, "0e0a17 191c 0d27 0f0a000c 226a7e 0e0020");
    made_end(&made, 0, 7, 0);
    tell_with(&told, NULL, made.bytes, made.size, 0);
    assert_int_equal(told.diagnostics[7], 0);
    told_free(&told);
    told = (struct told){.source = -1, .bare = true};
    tell_with(&told, &strict, made.bytes, made.size, 0);
    assert_int_equal(told.diagnostics[7], 5);
    assert_int_equal(told.length[7], 0);
    assert_int_equal(told.sums.events, 7);
    assert_true(adds_up(&told, made.size));
    told_free(&told);
}

static void et_80_salvage_marks_what_it_finds(void **state)
{
    (void)state;
    const struct et_decoder_options salvage = {.salvage = true};
    struct made made = {.size = 0};
    struct told told = {.source = -1};
    made_begin(&made, 0, "compress=previous");
    made_hex(&made, 6, "0e0a11 c1 ff 0e0411 c2 0e0a21 c0 1520 c3 55 5555 0e0030 c3");
    made_end(&made, 0, 6, 0);
    tell_with(&told, &salvage, made.bytes, made.size, 0);
    assert_int_equal(told.diagnostics[6], 1);
    assert_int_equal(told.diagnostics[1], 1);
    assert_int_equal(told.length[1], 3);
    assert_true(told.last[ET_K_RETURN].flags & ET_E_DOUBTFUL);
    assert_int_equal(told.events, 5);
    assert_true(adds_up(&told, made.size));
    told_free(&told);
    tell(&told, made.bytes, made.size); /* and not otherwise */
    assert_int_equal(told.events, 1);
    told_free(&told);
}

static void et_79_fragment_with_an_assumed_configuration(void **state)
{
    (void)state;
    const struct et_config config = made_keys("compress=previous");
    const struct et_decoder_options options = {.assume = &config};
    struct made made = {.size = 0};
    struct told told = {.source = -1};
    made_hex(&made, 3, "0e0a11 c1 1520 c2 0e0030 c1");
    made_end(&made, 0, 3, 0);
    tell_with(&told, &options, made.bytes, made.size, 0);
    assert_string_equal(told.text, "E10a@1+dbt X10a@3+dbt g2/2 R000@4+dbt");
    assert_true(adds_up(&told, made.size));
    told_free(&told);
    tell(&told, made.bytes, made.size);
    assert_int_equal(told.events, 0);
    told_free(&told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_80_sound_streams_have_no_diagnostics),
        cmocka_unit_test(et_81_82_cut_at_every_byte),
        cmocka_unit_test(et_59_81_every_single_bit_error_is_told),
        cmocka_unit_test(et_80_damage_ends_at_the_next_sync),
        cmocka_unit_test(et_81_93_bytes_of_every_input_add_up),
        cmocka_unit_test(et_83_missing_and_repeated_segments),
        cmocka_unit_test(et_54_marker_of_more_than_seven_zeros),
        cmocka_unit_test(et_81_d01_skipped_bytes),
        cmocka_unit_test(et_54_d02_damaged_sync),
        cmocka_unit_test(et_54_d02_frames_of_a_sync),
        cmocka_unit_test(et_59_d03_check_sum_of_a_segment),
        cmocka_unit_test(et_56_d04_number_of_packets),
        cmocka_unit_test(et_56_d05_loss),
        cmocka_unit_test(et_80_d06_unknown_header),
        cmocka_unit_test(et_80_d07_numbers_that_are_none),
        cmocka_unit_test(et_80_d07_illegal_fields),
        cmocka_unit_test(et_82_d08_cut_inside_a_packet),
        cmocka_unit_test(et_57_d09_no_end),
        cmocka_unit_test(et_57_d18_bytes_behind_the_end),
        cmocka_unit_test(et_55_d20_no_configuration),
        cmocka_unit_test(et_57_67_d21_accounts_that_do_not_add_up),
        cmocka_unit_test(et_46_reserved_bits_are_ignored_and_told_when_asked),
        cmocka_unit_test(et_80_salvage_marks_what_it_finds),
        cmocka_unit_test(et_79_fragment_with_an_assumed_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
