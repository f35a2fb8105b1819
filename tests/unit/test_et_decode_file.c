/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Containers of exception traces: sources that are multiplexed, times in a stream of their own, chunks that are not
   known, files that are damaged (specification 3.5, 3.6). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/unit/et_golden.h"
#include "tests/unit/et_reader.h"
#include "tests/unit/random.h"

static struct made made[4], timing;
static uint8_t file[1 << 18];

/* A stream of source n that has SVC n, and STATE in front of it. */
static void make_source(struct made *stream, unsigned n)
{
    *stream = (struct made){.source = n};
    made_begin(stream, 1000 * n, "state=on,clock=tod");
    made_hex(stream, 1, "2d05 c1");
    for (unsigned i = 0; i < 3; i++) {
        made_byte(stream, 0x0e), made_byte(stream, n), made_hex(stream, 1, "11 c1 0e");
        made_byte(stream, n), made_hex(stream, 2, "21 ca 0e0030 c0");
    }
    made_end(stream, 0, 10, 0);
}

/* Streams of three sources in pieces of random length, in the order that `r' gives. */
static size_t multiplex(struct random *r, unsigned sources)
{
    size_t done[4] = {0}, size = file_head(file, sources), left = 0;
    for (unsigned i = 0; i < sources; i++) {
        make_source(&made[i], i == 3 ? ET_SOURCE_MACHINE : i);
        left += made[i].size;
    }
    while (left) {
        const unsigned i = below(r, sources);
        const size_t rest = made[i].size - done[i], most = 1 + below(r, 20), n = rest < most ? rest : most;
        size += file_chunk(file + size, made[i].source, ET_CHUNK_EVENTS, made[i].bytes + done[i], n);
        done[i] += n;
        left -= n;
    }
    return size;
}

static void et_1_91_sources_are_separated_again(void **state)
{
    (void)state;
    char wanted[4][256];
    for (unsigned i = 0; i < 4; i++) {
        struct told told;
        make_source(&made[i], i == 3 ? ET_SOURCE_MACHINE : i);
        tell(&told, made[i].bytes, made[i].size);
        assert_int_equal(told.any, 0);
        snprintf(wanted[i], sizeof wanted[i], "%s", told.text);
        told_free(&told);
    }
    for (unsigned trial = 0; trial < 50; trial++) {
        struct random r = seeded(trial);
        const size_t size = multiplex(&r, 4);
        for (unsigned i = 0; i < 4; i++) {
            struct told told = {.source = (int)made[i].source};
            tell_with(&told, NULL, file, size, trial % 7);
            assert_string_equal(told.text, wanted[i]);
            assert_int_equal(told.any, 0);
            assert_int_equal(told.sums.events, 40);
            assert_int_equal(told.last[ET_K_FILE].value, 4);
            assert_true(adds_up(&told, size));
            told_free(&told);
        }
    }
}

/* ---- times apart ----------------------------------------------------------------------------------------------- */

/* The same 200 events inline, and as an event stream with a timing stream; segments begin at the same places. */
static void make_timed(struct random *r, struct made *inline_, struct made *events)
{
    const struct et_config with = made_keys("clock=tod,clock.shift=2"),
                           apart = made_keys("clock=tod,clock.shift=2,timestamps=separate");
    uint64_t time = 5000;
    *inline_ = *events = timing = (struct made){.size = 0};
    timing.flags = ET_SYNC_TIMING;
    for (unsigned i = 0; i < 200; i++) {
        static const char *const packets[] = {"0e0a11", "0e0a21", "0e0030"};
        const unsigned delta = below(r, 5) ? below(r, 63) : below(r, 100000);
        if (i % 60 == 0) {
            made_sync_of(inline_, time, 0, 0, NULL);
            made_config(inline_, &with);
            made_sync_of(events, time, 0, 0, NULL);
            made_config(events, &apart);
            made_sync_of(&timing, time, 0, 0, NULL);
        }
        made_hex(inline_, 1, packets[i % 3]);
        made_hex(events, 1, packets[i % 3]);
        if (delta < 63) {
            made_byte(inline_, 0xc0 + delta), made_byte(&timing, 0xc0 + delta);
        } else {
            made_byte(inline_, 0x30), made_leb(inline_, delta);
            made_byte(&timing, 0x30), made_leb(&timing, delta);
        }
        timing.packets++;
        time += delta;
    }
    made_end(inline_, 0, 200, 0);
    made_end(events, 0, 200, 0);
}

/* Chunks of both streams, in the order that `r' gives; skew: by how many bytes one may be ahead of the other. */
static size_t interleave(struct random *r, const struct made *events, size_t skew)
{
    size_t done = 0, times = 0, size = file_head(file, 1);
    while (done < events->size || times < timing.size) {
        bool first = below(r, 2);
        if (done + skew < times)
            first = true;
        else if (times + skew < done)
            first = false;
        if (times == timing.size || done == events->size)
            first = times == timing.size;
        const struct made *stream = first ? events : &timing;
        size_t *at = first ? &done : &times, n = 1 + below(r, 40);
        if (n > stream->size - *at)
            n = stream->size - *at;
        size += file_chunk(file + size, 0, first ? ET_CHUNK_EVENTS : ET_CHUNK_TIMING, stream->bytes + *at, n);
        *at += n;
    }
    return size;
}

static void et_52_separate_times_are_those_inline(void **state)
{
    (void)state;
    for (unsigned trial = 0; trial < 60; trial++) {
        struct random r = seeded(520 + trial);
        struct told whole, told = {.source = -1};
        make_timed(&r, &made[0], &made[1]);
        tell(&whole, made[0].bytes, made[0].size);
        assert_int_equal(whole.any, 0);
        const size_t size = interleave(&r, &made[1], trial % 3 ? 100000 : 30);
        tell_with(&told, NULL, file, size, trial % 4 * 7);
        assert_string_equal(told.text, whole.text);
        assert_true(adds_up(&told, size));
        told_free(&told);
        told_free(&whole);
    }
}

/* An END in the timing stream is in order, too, and closes its last segment. */
static void et_52_timing_stream_with_an_end(void **state)
{
    (void)state;
    struct random r = seeded(1);
    make_timed(&r, &made[0], &made[1]);
    made_end(&timing, 0, 200, 0);
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        struct told told;
        timing.bytes[timing.size - 30] ^= (uint8_t)wrong; /* a time of the last segment */
        size_t size = file_head(file, 1);
        size += file_chunk(file + size, 0, ET_CHUNK_EVENTS, made[1].bytes, made[1].size);
        size += file_chunk(file + size, 0, ET_CHUNK_TIMING, timing.bytes, timing.size);
        tell(&told, file, size);
        assert_int_equal(told.any > 0, wrong);
        assert_true(adds_up(&told, size));
        told_free(&told);
    }
}

#define FILE_WITH(events_, timing_, size_)                                                                             \
    size_t size_ = file_head(file, 1);                                                                                 \
    size_ += file_chunk(file + size_, 0, ET_CHUNK_EVENTS, (events_)->bytes, (events_)->size);                          \
    size_ += file_chunk(file + size_, 0, ET_CHUNK_TIMING, (timing_)->bytes, (timing_)->size)

static void make_apart(const char *times)
{
    made[0] = timing = (struct made){.size = 0};
    timing.flags = ET_SYNC_TIMING;
    made_begin(&made[0], 100, "timestamps=separate");
    made_hex(&made[0], 3, "0e0a11 0e0a21 0e0030");
    made_end(&made[0], 0, 3, 0);
    made_sync_of(&timing, 100, 0, 0, NULL);
    made_hex(&timing, 0, times);
}

static void et_52_d19_times_that_do_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *times, *told, *words;
    } cases[] = {
        {"c1c2c3", "E10a@101 X10a@103 g2/2 R000@106", ""},
        {"c1c2", "E10a@101 X10a@103 g2/2 D19 R000", "times are missing"},
        {"", "D19 E10a X10a R000", "times are missing"},
        {"c1c2c3c4", "E10a@101 X10a@103 g2/2 R000@106 D19", "times are left"},
        {"c1ffc3", "D06 E10a@101 D19 X10a R000 D01", "times are missing"},
        {"c10e0a11", "D06 E10a@101 D19 X10a R000 D01", "times are missing"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct told told;
        make_apart(cases[i].times);
        FILE_WITH(&made[0], &timing, size);
        tell(&told, file, size);
        if (strcmp(told.text, cases[i].told) || !strstr(told.words[19], cases[i].words))
            fail_msg("'%s': %s (%s), wanted %s", cases[i].times, told.text, told.words[19], cases[i].told);
        assert_true(adds_up(&told, size));
        told_free(&told);
    }
    struct told told;
    make_apart("c1c2c3"); /* no timing stream at all */
    size_t size = file_head(file, 1);
    size += file_chunk(file + size, 0, ET_CHUNK_EVENTS, made[0].bytes, made[0].size);
    tell(&told, file, size);
    assert_string_equal(told.text, "D19 E10a X10a R000");
    told_free(&told);
}

/* A segment of one stream is damaged: the others keep their times. */
static void et_52_80_damage_in_one_of_two_streams(void **state)
{
    (void)state;
    struct random r = seeded(2);
    struct told whole, told;
    make_timed(&r, &made[0], &made[1]);
    tell(&whole, made[0].bytes, made[0].size);
    for (unsigned in_times = 0; in_times < 2; in_times++) {
        static struct made other, times;
        other = made[1];
        times = timing;
        struct made *hit = in_times ? &times : &other;
        hit->bytes[hit->size / 2] = 0xff; /* no header, no payload that would be right */
        FILE_WITH(&other, &times, size);
        tell(&told, file, size);
        assert_true(told.any > 0);
        assert_true(adds_up(&told, size));
        const char *tail = whole.text + whole.size - 300;
        assert_string_equal(told.text + told.size - 300, tail);
        told_free(&told);
    }
    told_free(&whole);
}

static void et_52_d19_a_sync_of_the_other_kind(void **state)
{
    (void)state;
    struct told told;
    make_apart("c1c2c3");
    tell(&told, timing.bytes, timing.size);
    assert_int_equal(told.diagnostics[19], 1);
    assert_int_equal(told.length[1], timing.size);
    told_free(&told);
    FILE_WITH(&made[0], &made[0], size);
    tell(&told, file, size);
    assert_non_null(strstr(told.words[19], "times are missing"));
    assert_true(adds_up(&told, size));
    told_free(&told);
}

/* ---- container ------------------------------------------------------------------------------------------------- */

static void et_22_112_chunks_of_others_are_passed_over(void **state)
{
    (void)state;
    struct told told;
    make_source(&made[0], 0);
    size_t size = file_head(file, 1);
    size += file_chunk(file + size, 0, ET_CHUNK_METADATA, (const uint8_t *)"{\"clock\": \"tod\"}", 16);
    size += file_chunk(file + size, 0, ET_CHUNK_EVENTS, made[0].bytes, 40);
    size += file_chunk(file + size, 0, ET_CHUNK_RI, made[0].bytes, 40);
    size += file_chunk(file + size, 0, ET_CHUNK_EVENTS, made[0].bytes, 0);
    size += file_chunk(file + size, 7, ET_CHUNK_COUNTERS, file, 100);
    size += file_chunk(file + size, 0, ET_CHUNK_EVENTS, made[0].bytes + 40, made[0].size - 40);
    for (size_t piece = 0; piece < 12; piece++) {
        told = (struct told){.source = -1};
        tell_with(&told, NULL, file, size, piece);
        assert_int_equal(told.any, 0);
        assert_int_equal(told.sums.events, 10);
        assert_int_equal(told.sums.packets, size);
        told_free(&told);
    }
}

struct seen_chunks {
    unsigned chunks, kind, source;
    uint64_t bytes;
};
static void seen_chunk(void *context, unsigned source, unsigned kind, uint64_t offset, const uint8_t *bytes,
                       size_t size, bool last)
{
    struct seen_chunks *seen = context;
    (void)bytes;
    assert_true(offset > 0);
    seen->chunks += last;
    seen->kind = kind;
    seen->source = source;
    seen->bytes += size;
}
static void no_event(void *context, const struct et_event *event) { (void)context, (void)event; }
static void no_diagnostic(void *context, const struct et_diagnostic *diagnostic) { (void)context, (void)diagnostic; }

static void et_112_chunks_of_others_are_handed_on(void **state)
{
    (void)state;
    for (size_t piece = 1; piece < 9; piece++) {
        struct seen_chunks seen = {0};
        const struct et_decoder_calls calls = {&seen, no_event, no_diagnostic, seen_chunk};
        size_t size = file_head(file, 1);
        size += file_chunk(file + size, 3, ET_CHUNK_RI, made[0].bytes, 33);
        size += file_chunk(file + size, 3, ET_CHUNK_RI, made[0].bytes, 0);
        struct et_decoder *decoder = et_decoder_new(&calls, NULL);
        for (size_t at = 0; at < size; at += piece)
            assert_int_equal(et_decoder_push(decoder, file + at, piece < size - at ? piece : size - at), 0);
        et_decoder_end(decoder);
        et_decoder_free(decoder);
        assert_int_equal(seen.chunks, 2);
        assert_int_equal(seen.bytes, 33);
        assert_int_equal(seen.source, 3);
        assert_int_equal(seen.kind, ET_CHUNK_RI);
    }
}

static void et_81_d11_unknown_kinds_and_sources(void **state)
{
    (void)state;
    struct told told;
    make_source(&made[2], 2);
    size_t size = file_head(file, 1);
    size += file_chunk(file + size, 0, 9, made[2].bytes, 5);
    size += file_chunk(file + size, 2, ET_CHUNK_EVENTS, made[2].bytes, made[2].size);
    tell(&told, file, size);
    assert_int_equal(told.diagnostics[11], 2);
    assert_int_equal(told.offset[11], 29);
    assert_non_null(strstr(told.words[11], "a stream of source 2, but the head of the file names 1 sources"));
    assert_int_equal(told.sums.events, 10); /* decoded all the same */
    assert_true(adds_up(&told, size));
    told_free(&told);
    size = file_head(file, 3); /* the stream says that it is another's */
    size += file_chunk(file + size, 1, ET_CHUNK_EVENTS, made[2].bytes, made[2].size);
    tell(&told, file, size);
    assert_non_null(strstr(told.words[11], "the SYNC is of source 2, the stream of source 1"));
    told_free(&told);
}

static void et_81_d22_damaged_containers(void **state)
{
    (void)state;
    static uint8_t good[4096];
    struct told told;
    make_source(&made[0], 0);
    size_t size = file_head(file, 1);
    size += file_chunk(file + size, 0, ET_CHUNK_EVENTS, made[0].bytes, 60);
    const size_t second = size;
    size += file_chunk(file + size, 0, ET_CHUNK_EVENTS, made[0].bytes + 60, made[0].size - 60);
    memcpy(good, file, size);
    /* bits of the head */
    for (unsigned at = 0; at < 16; at++) {
        file[at] ^= 2;
        tell(&told, file, size);
        if (at != 11) {
            assert_int_equal(told.diagnostics[22], 1);
            assert_int_equal(told.length[22], 16);
        }
        assert_int_equal(told.sums.events, 10);
        assert_true(adds_up(&told, size));
        told_free(&told);
        file[at] ^= 2;
    }
    /* a chunk's head: what follows is skipped until another chunk, and decoding begins with a SYNC */
    file[second] = 'Y';
    size += file_chunk(file + size, 0, ET_CHUNK_EVENTS, made[0].bytes, made[0].size);
    tell(&told, file, size);
    assert_int_equal(told.diagnostics[22], 1);
    assert_int_equal(told.offset[22], second);
    assert_int_equal(told.length[22], 8 + made[0].size - 60);
    assert_int_equal(told.diagnostics[10], 1); /* SYNC 1 once more */
    assert_true(told.sums.events >= 14);
    assert_true(adds_up(&told, size));
    told_free(&told);
    /* the file ends in the head of a chunk, and in a chunk */
    tell(&told, good, second + 5);
    assert_int_equal(told.length[22], 5);
    assert_true(adds_up(&told, second + 5));
    told_free(&told);
    tell(&told, good, second + 20);
    assert_int_equal(told.length[22], 0);
    assert_non_null(strstr(told.words[22], "ends inside a chunk"));
    told_free(&told);
    tell(&told, good, 16);
    assert_non_null(strstr(told.words[22], "no stream of events"));
    told_free(&told);
    /* metadata that is none */
    size = file_head(file, 1);
    size += file_chunk(file + size, 0, ET_CHUNK_METADATA, made[0].bytes, 9);
    size += file_chunk(file + size, 0, ET_CHUNK_EVENTS, made[0].bytes, made[0].size);
    tell(&told, file, size);
    assert_int_equal(told.any, 1);
    assert_non_null(strstr(told.words[22], "metadata"));
    told_free(&told);
}

static void et_81_inputs_that_are_no_trace(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "Z", "ZETC", "ZETC\1", "hello, world: this is text, and longer than a head", "\0\0\0"};
    static const size_t sizes[] = {0, 1, 4, 5, 49, 3};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct told told;
        tell(&told, (const uint8_t *)texts[i], sizes[i]);
        assert_int_equal(told.events, 0);
        assert_true(told.any > 0);
        assert_true(adds_up(&told, sizes[i]));
        told_free(&told);
    }
}

/* The event is told when its time has come, or when the next packet begins: not later. */
static void et_94_events_are_told_as_they_come(void **state)
{
    (void)state;
    struct told told = {.source = -1};
    const struct et_decoder_calls calls = {&told, told_event, told_diagnostic, NULL};
    struct et_decoder *decoder = et_decoder_new(&calls, NULL);
    const uint8_t *bytes = golden[0].bytes;
    assert_int_equal(et_decoder_push(decoder, bytes, 40), 0);
    assert_int_equal(told.events, 0);
    assert_int_equal(et_decoder_push(decoder, bytes + 40, 1), 0);
    assert_int_equal(told.events, 1);
    assert_int_equal(et_decoder_push(decoder, bytes + 41, 4), 0);
    assert_int_equal(told.events, 2);
    et_decoder_free(decoder);
    told_free(&told);
    told = (struct told){.source = -1};
    decoder = et_decoder_new(&calls, NULL);
    bytes = golden[3].bytes; /* no times: the next header */
    assert_int_equal(et_decoder_push(decoder, bytes, 40), 0);
    assert_int_equal(told.events, 0); /* perhaps the next packet belongs to it */
    assert_int_equal(et_decoder_push(decoder, bytes + 40, 1), 0);
    assert_int_equal(told.events, 1);
    et_decoder_free(decoder);
    told_free(&told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_1_91_sources_are_separated_again),
        cmocka_unit_test(et_52_separate_times_are_those_inline),
        cmocka_unit_test(et_52_timing_stream_with_an_end),
        cmocka_unit_test(et_52_d19_times_that_do_not_fit),
        cmocka_unit_test(et_52_80_damage_in_one_of_two_streams),
        cmocka_unit_test(et_52_d19_a_sync_of_the_other_kind),
        cmocka_unit_test(et_22_112_chunks_of_others_are_passed_over),
        cmocka_unit_test(et_112_chunks_of_others_are_handed_on),
        cmocka_unit_test(et_81_d11_unknown_kinds_and_sources),
        cmocka_unit_test(et_81_d22_damaged_containers),
        cmocka_unit_test(et_81_inputs_that_are_no_trace),
        cmocka_unit_test(et_94_events_are_told_as_they_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
