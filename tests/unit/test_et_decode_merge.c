/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several sources of an exception trace in the order of their times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "ri/trace/read/merge.h"
#include "tests/unit/et_reader.h"
#include "tests/unit/random.h"
#include <errno.h>

static uint8_t file[1 << 19];
static size_t file_size;
static struct made made[5];

static long read_file(void *context, uint64_t offset, uint8_t *bytes, size_t size)
{
    (void)context;
    if (offset >= file_size)
        return 0;
    const size_t n = file_size - offset < size ? file_size - (size_t)offset : size;
    memcpy(bytes, file + offset, n);
    return (long)n;
}

/* What is told, and the times of the events in their order. */
struct merged {
    struct told told;
    uint64_t time;
    unsigned backwards, source;
    bool same_time_wrong;
};

static void merged_event(void *context, const struct et_event *event)
{
    struct merged *merged = context;
    told_event(&merged->told, event);
    if (event->kind > ET_K_MARK)
        return;
    merged->backwards += event->time < merged->time;
    if (event->time == merged->time && event->source < merged->source && merged->source != ET_SOURCE_MACHINE)
        merged->same_time_wrong = true;
    merged->time = event->time;
    merged->source = event->source;
}

static void merged_diagnostic(void *context, const struct et_diagnostic *diagnostic)
{
    told_diagnostic(&((struct merged *)context)->told, diagnostic);
}

static void merge(struct merged *merged, bool apart)
{
    const struct et_input input = {NULL, read_file};
    const struct et_decoder_calls calls = {merged, merged_event, merged_diagnostic, NULL};
    struct et_sources sources;
    assert_int_equal(et_sources_find(&input, NULL, &sources), 0);
    assert_int_equal(sources.apart, apart);
    memset(merged, 0, sizeof *merged);
    merged->told.source = -1;
    assert_int_equal(et_merge(&input, NULL, &sources, &calls, &merged->told.sums), 0);
}

/* SVCs of some CPUs at random times. */
static void make_sources(struct random *r, unsigned sources, const char *keys)
{
    const struct et_config config = made_keys(keys);
    for (unsigned i = 0; i < sources; i++) {
        uint64_t time = below(r, 50);
        made[i] = (struct made){.source = i};
        for (unsigned k = 0; k < 200; k++) {
            if (k % 50 == 0) {
                made_sync_of(&made[i], time, 0, 0, NULL);
                made_config(&made[i], &config);
            }
            const unsigned delta = below(r, 60);
            made_hex(&made[i], 1, k % 2 ? "0e0021" : "0e0011");
            made_byte(&made[i], 0xc0 + delta);
            time += delta;
        }
        made_end(&made[i], 0, 200, 0);
    }
}

static void interleave(struct random *r, unsigned sources, unsigned most)
{
    size_t done[5] = {0}, left = 0;
    file_size = file_head(file, sources);
    file_size += file_chunk(file + file_size, 0, ET_CHUNK_METADATA, (const uint8_t *)"{}", 2);
    for (unsigned i = 0; i < sources; i++)
        left += made[i].size;
    while (left) {
        const unsigned i = below(r, sources);
        const size_t rest = made[i].size - done[i], n0 = 1 + below(r, most), n = rest < n0 ? rest : n0;
        file_size += file_chunk(file + file_size, made[i].source, ET_CHUNK_EVENTS, made[i].bytes + done[i], n);
        done[i] += n;
        left -= n;
    }
}

static void et_91_sources_are_merged_by_time(void **state)
{
    (void)state;
    for (unsigned trial = 0; trial < 40; trial++) {
        struct random r = seeded(9100 + trial);
        const unsigned sources = 1 + trial % 5;
        struct merged merged;
        struct told whole;
        make_sources(&r, sources, "events=entry+exit,clock=tod");
        interleave(&r, sources, trial % 2 ? 3000 : 40);
        tell(&whole, file, file_size);
        merge(&merged, false);
        assert_int_equal(merged.told.any, 0);
        assert_int_equal(merged.backwards, 0);
        assert_false(merged.same_time_wrong);
        assert_int_equal(merged.told.events, 200 * sources);
        assert_int_equal(merged.told.last[ET_K_FILE].value, sources);
        /* the same as without, but for the order */
        assert_int_equal(merged.told.size, whole.size);
        assert_int_equal(merged.told.sums.events, whole.sums.events);
        assert_int_equal(merged.told.sums.segments, whole.sums.segments);
        assert_true(adds_up(&merged.told, file_size));
        told_free(&merged.told);
        told_free(&whole);
    }
}

static void et_91_clocks_of_each_cpu_are_noticed(void **state)
{
    (void)state;
    static const char *const keys[] = {"clock=insn", "clock=cycle"};
    for (unsigned i = 0; i < 2; i++) {
        struct random r = seeded(i + 1);
        struct merged merged;
        make_sources(&r, 3, keys[i]);
        interleave(&r, 3, 100);
        merge(&merged, true);
        told_free(&merged.told);
    }
}

/* A request of the machine stands behind the interruption in the file; in time it is before it. */
static void et_88_91_requests_of_the_machine_come_before_their_answers(void **state)
{
    (void)state;
    struct merged merged;
    made[0] = (struct made){.source = 0};
    made[1] = (struct made){.source = ET_SOURCE_MACHINE};
    made_begin(&made[0], 0, "signal=on,clock=tod");
    made_hex(&made[0], 1, "0e0810 cc");
    made_end(&made[0], 0, 1, 0);
    made_begin(&made[1], 0, "signal=on,clock=tod");
    made_hex(&made[1], 1, "220800 c5");
    made_end(&made[1], 0, 1, 0);
    file_size = file_head(file, 2);
    for (unsigned i = 0; i < 2; i++)
        file_size += file_chunk(file + file_size, made[i].source, ET_CHUNK_EVENTS, made[i].bytes, made[i].size);
    merge(&merged, false);
    assert_string_equal(merged.told.text, "S008@5 E008@12 l7 X008@12+cut+imp >g0/0");
    told_free(&merged.told);
}

/* Damage in one source, in the container, and a file that is cut: told once, every byte accounted for. */
static void et_81_91_damage_is_told_once(void **state)
{
    (void)state;
    for (unsigned trial = 0; trial < 300; trial++) {
        struct random r = seeded(8100 + trial);
        struct merged merged;
        struct told whole;
        make_sources(&r, 3, "events=entry+exit,clock=tod");
        interleave(&r, 3, 2000);
        if (trial % 3)
            file[below(&r, (unsigned)file_size)] ^= (uint8_t)(1 + below(&r, 255));
        else
            file_size = 30 + below(&r, (unsigned)file_size - 30);
        tell(&whole, file, file_size);
        merge(&merged, false);
        assert_true(adds_up(&merged.told, file_size));
        assert_int_equal(merged.told.sums.packets, whole.sums.packets);
        assert_int_equal(merged.told.sums.diagnostics, whole.sums.diagnostics);
        for (unsigned code = 1; code <= ET_DIAGNOSTICS; code++)
            assert_int_equal(merged.told.diagnostics[code], whole.diagnostics[code]);
        told_free(&merged.told);
        told_free(&whole);
    }
}

static long read_never(void *context, uint64_t offset, uint8_t *bytes, size_t size)
{
    (void)bytes, (void)size;
    return offset > *(const uint64_t *)context ? -EIO : read_file(NULL, offset, bytes, size);
}

static void et_92_a_read_that_fails_is_handed_on(void **state)
{
    (void)state;
    struct random r = seeded(3);
    struct et_sources sources;
    uint64_t limit = UINT64_MAX;
    const struct et_input input = {&limit, read_never};
    struct merged merged = {.told = {.source = -1}};
    const struct et_decoder_calls calls = {&merged, merged_event, merged_diagnostic, NULL};
    make_sources(&r, 3, "clock=tod");
    interleave(&r, 3, 100);
    assert_int_equal(et_sources_find(&input, NULL, &sources), 0);
    limit = 2000;
    assert_int_equal(et_merge(&input, NULL, &sources, &calls, NULL), -EIO);
    assert_int_equal(et_sources_find(&input, NULL, &sources), -EIO);
    told_free(&merged.told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_91_sources_are_merged_by_time),
        cmocka_unit_test(et_91_clocks_of_each_cpu_are_noticed),
        cmocka_unit_test(et_88_91_requests_of_the_machine_come_before_their_answers),
        cmocka_unit_test(et_81_91_damage_is_told_once),
        cmocka_unit_test(et_92_a_read_that_fails_is_handed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
