/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Downstream filter of exception trace (ET-78): what it makes of a full stream is what a unit puts out itself. */
#include "tests/unit/et_random.h"
#include "ri/trace/filter.h"
#include <errno.h>

static int keep(void *context, const uint8_t *bytes, size_t size)
{
    bytes_add(context, bytes, size);
    return 0;
}

/* Filter what a rig has put out, in pieces of `piece` bytes; the result takes the place of its file. */
static void filter(struct rig *r, const struct et_config *c, size_t piece)
{
    struct bytes out = {0};
    struct et_filter *f = et_filter_new(c, keep, &out);
    assert_non_null(f);
    for (size_t i = 0; i < r->file.size; i += piece) {
        const size_t left = r->file.size - i;
        if (et_filter_push(f, r->file.at + i, left < piece ? left : piece)) {
            print_error("%s\n", et_filter_error(f));
            fail();
        }
    }
    assert_int_equal(et_filter_end(f), 0);
    et_filter_free(f);
    bytes_free(&r->file);
    r->file = out;
}

static void same_streams(const struct rig *direct, const struct rig *filtered)
{
    assert_memory_equal(direct->file.at, filtered->file.at, ET_FILE_HEADER);
    for (unsigned kind = ET_CHUNK_EVENTS; kind <= ET_CHUNK_METADATA; kind++) {
        struct bytes one = stream_of(direct, 0, kind), two = stream_of(filtered, 0, kind);
        char *text1 = hex(one.at, one.size), *text2 = hex(two.at, two.size);
        size_t differ = 0;
        while (text1[differ] && text1[differ] == text2[differ])
            differ++;
        if (text1[differ] || text2[differ])
            print_error("kind %u differs from byte %zu of %zu, %zu on:\n%.120s\n%.120s\n", kind, differ / 3, one.size,
                        two.size, text1 + differ - differ % 3, text2 + differ - differ % 3);
        assert_string_equal(text1, text2);
        free(text1);
        free(text2);
        bytes_free(&one);
        bytes_free(&two);
    }
}

static void et_78_random_configurations(void **state)
{
    size_t bytes = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct rig direct, full;
        struct history h = {.state = seed * UINT64_C(0x9e3779b97f4a7c15), .rig = {&direct, &full}, .address = 0x1000};
        const struct et_config c = any_config(&h);
        struct et_config downstream = c;
        ET_PUT(&downstream, ETCR, DS, 1);
        rig_begin(&direct, 1, true);
        rig_begin(&full, 1, true);
        direct.now = full.now = h.now = 1000;
        assert_null(et_configure(direct.cpu, &c, ET_BY_START));
        assert_null(et_configure(full.cpu, &downstream, ET_BY_START));
        for (unsigned i = 0; i < 400; i++) {
            any_step(&h);
            if (i == 200) {
                assert_int_equal(et_chunk(direct.machine, 0, ET_CHUNK_METADATA, "{}", 2), 0);
                assert_int_equal(et_chunk(full.machine, 0, ET_CHUNK_METADATA, "{}", 2), 0);
            }
        }
        assert_int_equal(et_finish(direct.machine), 0);
        assert_int_equal(et_finish(full.machine), 0);
        filter(&full, &c, seed % 3 ? 1 + seed % 100 : 1 << 20);
        bytes += direct.file.size;
        same_streams(&direct, &full);
        rig_end(&direct);
        rig_end(&full);
    }
    assert_true(bytes > 200000); /* there was something to compare */
}

/* SYNC on request, output switched off and on again. */
static void et_78_requests(void **state)
{
    struct rig rig[2];
    struct et_config c;
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct rig *r = &rig[i];
        rig_begin(r, 1, true);
        et_config_reset(&c);
        ET_PUT(&c, ETCR, ENABLE, 1);
        ET_PUT(&c, ETFR, MERGE, 1);
        ET_PUT(&c, ETTS, TSM, ET_TSM_SEPARATE);
        if (i)
            ET_PUT(&c, ETCR, DS, 1);
        assert_null(et_configure(r->cpu, &c, ET_BY_START));
        figure_6(r);
        et_flush(r->cpu);
        take(r, 2000, ET_SVC, 10, 0x100);
        assert_null(et_output(r->cpu, false, ET_BY_CONSOLE));
        take(r, 2010, ET_IO, 3, 0x200);
        assert_null(et_output(r->cpu, true, ET_BY_CONSOLE));
        back(r, 2020, 0x200);
        back(r, 2030, 0x100);
        assert_int_equal(et_finish(r->machine), 0);
    }
    ET_PUT(&c, ETCR, DS, 0);
    filter(&rig[1], &c, 7);
    same_streams(&rig[0], &rig[1]);
    rig_end(&rig[0]);
    rig_end(&rig[1]);
}

/* A full stream describes itself: CFG has the registers of what is there, and events all their details. */
static void et_55_78_full_stream(void **state)
{
    struct rig r;
    struct et_config c;
    const struct et_info info = {.given = 1u << ET_INFO_CODE, .code = 10};
    (void)state;
    rig_begin(&r, 1, true);
    et_config_reset(&c);
    ET_PUT(&c, ETCR, ENABLE, 1);
    ET_PUT(&c, ETCR, EVSEL, 1);
    ET_PUT(&c, ETCR, DS, 1);
    ET_PUT(&c, ETFR, RED, 1);
    ET_PUT(&c, ETTS, SHIFT, 3);
    assert_null(et_configure(r.cpu, &c, ET_BY_START));
    et_entry(r.cpu, ET_SVC, 10, user(0x100), at(0x200), &info);
    et_boundary(r.cpu, at(0x200));
    load(&r, 5, user(0x100));
    et_boundary(r.cpu, user(0x100));
    assert_int_equal(et_finish(r.machine), 0);
    struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
    assert_bytes(b.at + 20, b.size - 20 - 10,
                 "38 01 c1 86 9c 20  38 02 80 80 f8 d7 f1 01  38 05 01"
                 "0e 0a 11 24 04 01 0a 06 20 28 01 80 04 28 02 80 08 c0  0e 0a 21 c5  0e 00 30 28 03 80 04 c0");
    bytes_free(&b);
    rig_end(&r);
}

static void refused(const char *bytes, size_t size, const char *why)
{
    struct bytes out = {0};
    struct et_config c;
    et_config_reset(&c);
    struct et_filter *f = et_filter_new(&c, keep, &out);
    assert_int_equal(et_filter_push(f, (const uint8_t *)bytes, size), -EINVAL);
    assert_non_null(strstr(et_filter_error(f), why));
    et_filter_free(f);
    bytes_free(&out);
}

/* A configuration with output off: nothing comes out but the head of the container, and nothing is invented for a loss.
 */
static void et_23_78_output_off(void **state)
{
    struct rig r;
    struct et_config c;
    (void)state;
    rig_begin(&r, 1, true);
    et_config_reset(&c);
    ET_PUT(&c, ETCR, ENABLE, 1);
    ET_PUT(&c, ETCR, DS, 1);
    assert_null(et_configure(r.cpu, &c, ET_BY_START));
    figure_6(&r);
    et_flush(r.cpu);
    assert_int_equal(et_finish(r.machine), 0);
    ET_PUT(&c, ETCR, ENABLE, 0);
    ET_PUT(&c, ETCR, DS, 0);
    filter(&r, &c, 1000);
    assert_int_equal(r.file.size, ET_FILE_HEADER);
    rig_end(&r);
}

/* The times of what comes out are those of what goes in: another clock is refused. */
static void et_78_another_clock(void **state)
{
    struct rig r;
    struct et_config c;
    struct bytes out = {0};
    (void)state;
    rig_begin(&r, 1, true);
    et_config_reset(&c);
    ET_PUT(&c, ETCR, ENABLE, 1);
    ET_PUT(&c, ETCR, DS, 1);
    ET_PUT(&c, ETTS, CLK, ET_CLOCK_CYCLE);
    assert_null(et_configure(r.cpu, &c, ET_BY_START));
    figure_6(&r);
    assert_int_equal(et_finish(r.machine), 0);
    ET_PUT(&c, ETCR, DS, 0);
    ET_PUT(&c, ETTS, CLK, ET_CLOCK_INSN);
    struct et_filter *f = et_filter_new(&c, keep, &out);
    assert_int_equal(et_filter_push(f, r.file.at, r.file.size), -EINVAL);
    assert_non_null(strstr(et_filter_error(f), "it needs clock=cycle"));
    et_filter_free(f);
    bytes_free(&out);
    rig_end(&r);
}

/* What is no full stream is named, and nothing is read beyond it. */
static void et_78_other_streams_are_refused(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    set(&r, ETCR, 0x4030041);
    figure_3(&r);
    et_finish(r.machine);
    refused((const char *)r.file.at, r.file.size, "downstream=on");
    rig_end(&r);
    refused("ZETC\2\0\0\0\0\0\0\1\0\0\0\0", 16, "no container");
    refused("ZETC\1\0\0\0\0\0\0\1\0\0\0\0YC\0\0\0\0\0\0", 24, "no chunk");
    refused("\x0e\x0a\x11", 3, "begin with SYNC");
    refused("\0\0\0\0\0\0\0\x81   ", 11, "no SYNC");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_55_78_full_stream),        cmocka_unit_test(et_78_requests),
        cmocka_unit_test(et_78_random_configurations), cmocka_unit_test(et_23_78_output_off),
        cmocka_unit_test(et_78_another_clock),         cmocka_unit_test(et_78_other_streams_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
