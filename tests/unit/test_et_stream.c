/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams of exception trace byte by byte: specification 8 (S1 to S7, table 8.1) and the vectors of 3.7. */
#include "tests/unit/et_harness.h"

#define SYNC_1000 "00 00 00 00 00 00 00 80 10 80 01 01 00 ff ff 03 e8 07 00 01 ff "

static void begin(struct rig *r, uint64_t etcr, uint64_t etfr, uint64_t etts)
{
    rig_begin(r, 1, true);
    r->now = 1000;
    set(r, ETFR, etfr);
    set(r, ETTS, etts);
    set(r, ETCR, etcr);
}

static void et_107_s1_figure_3_inline_time(void **state)
{
    struct rig r;
    (void)state;
    begin(&r, 0x4030041, 0x1a1e0000, 0x11);
    figure_3(&r);
    assert_stream(&r, SYNC_1000 "38 01 c1 80 8c 20  38 02 80 80 f8 d0 01  38 05 11"
                                "0e 0a 11 c0  0e 0b 10 e8  0e 0b 20 30 41  0e 0a 31 c0  0e 0a 21 30 b9 01  0e 00 30 c0"
                                "78 06 00 06 00 06 86 ad 01 68");
    const struct et_count *svc = et_count(r.cpu, 0x10a), *io = et_count(r.cpu, 0x00b);
    assert_int_equal(svc->gross, 290);
    assert_int_equal(svc->self, 225);
    assert_int_equal(io->gross, 65);
    assert_int_equal(io->self, 65);
    rig_end(&r);
}

static void et_107_s2_figure_6_entry_only(void **state)
{
    struct rig r;
    (void)state;
    begin(&r, 0x4030011, 0x1a3e0000, 0x11);
    figure_6(&r);
    assert_stream(&r, SYNC_1000 "38 01 91 80 8c 20   38 02 80 80 f8 d1 01   38 05 11"
                                "0e 0a 11 c0  0e 04 10 e8  0e 0d 50 30 41  78 09 06 03 00 03 f1 45 05");
    rig_end(&r);
}

static void et_107_s3_figure_6_merged_reduced(void **state)
{
    struct rig r;
    (void)state;
    begin(&r, 0x4030141, 0x1a3e0088, 0x11);
    figure_6(&r);
    assert_stream(&r,
                  SYNC_1000 "38 01 c1 82 8c 20   38 02 88 81 f8 d1 01   38 05 11"
                            "0e 0a 11 c0  1d 14 e8  22 0d 00 d4  0f 04 0d 50 ed  0f 0d 0a 02 30 4b  0f 0a 00 01 30 6e"
                            "78 09 00 09 00 06 e5 e8 02 72");
    rig_end(&r);
}

static void et_43_107_s4_figure_3_stack(void **state)
{
    struct rig r;
    (void)state;
    begin(&r, 0x4030041, 0x1a1e0004, 0x10);
    figure_3(&r);
    assert_stream(&r, SYNC_1000 "38 01 c1 80 8c 20   38 02 84 80 f8 d0 01   38 05 10"
                                "0e 0a 11  0e 0b 10  15 20  15 30  0e 0a 21  0e 00 30  78 06 00 06 00 06 a9 b6 03 a2");
    rig_end(&r);
}

static void et_44_107_s5_figure_3_fifo(void **state)
{
    struct rig r;
    (void)state;
    begin(&r, 0x4030041, 0x1a1e0006, 0x10);
    figure_3(&r);
    assert_stream(&r, SYNC_1000 "38 01 c1 80 8c 20   38 02 86 80 f8 d0 01   38 05 10"
                                "0e 0a 11  0e 0b 10  19 21  19 30  19 23  0e 00 30  78 06 00 06 00 06 e8 97 01 fa");
    rig_end(&r);
}

static void et_48_49_107_s6_page_fault(void **state)
{
    struct rig r;
    (void)state;
    rig_begin(&r, 1, true);
    r.now = 5000;
    set(&r, ETFR, 0xf1a1e0000);
    set(&r, ETTS, 0x11);
    set(&r, ETCR, 0x4030041);
    const struct et_info info = {.given = 1u << ET_INFO_CODE | 1u << ET_INFO_ILC | 1u << ET_INFO_PARAMETER,
                                 .code = 0x11,
                                 .ilc = 6,
                                 .parameter = 0x7f000800};
    et_entry(r.cpu, ET_PROGRAM, 0x11, at(0x10a4c), at(0x2000), &info);
    et_boundary(r.cpu, at(0x2000));
    back(&r, 5210, 0x10a4c);
    assert_stream(&r, "00 00 00 00 00 00 00 80 10 80 01 01 00 ff ff 03 88 27 00 01 e9"
                      "38 01 c1 80 8c 20   38 02 80 80 f8 d0 f1 01   38 05 11"
                      "0e 91 10  24 0a 01 11 02 06 03 80 90 80 f8 07  28 01 98 a9 08   28 02 80 80 01   c0"
                      "0e 91 20  30 d2 01  0e 00 30  28 03 98 a9 08  c0  78 03 00 03 00 03 8a a3 02 d1");
    rig_end(&r);
}

/* Table 8.1: exception packets alone. TCE=1. */
static void et_105_106_sizes(void **state)
{
    static const struct row {
        const char *setting;
        unsigned events; /* EVSEL */
        uint64_t etfr, number;
        unsigned packets_3, packets_6;
        const char *figure_3, *figure_6;
    } rows[] = {
        {"all", 4, 0, 0, 6, 8, "0e0a11 0e0b10 0e0b20 0e0a31 0e0a21 0e0030",
         "0e0a11 0e0410 0e0420 0e0d50 0e0d20 0e0a31 0e0a21 0e0030"},
        {"entry", 1, 0, 0, 2, 3, "0e0a11 0e0b10", "0e0a11 0e0410 0e0d50"},
        {"exit", 2, 0, 0, 2, 3, "0e0b20 0e0a21", "0e0420 0e0d20 0e0a21"},
        {"entry+exit", 3, 0, 0, 4, 6, "0e0a11 0e0b10 0e0b20 0e0a21", "0e0a11 0e0410 0e0420 0e0d50 0e0d20 0e0a21"},
        {"exit+return", 5, 0, 0, 4, 5, "0e0b20 0e0a31 0e0a21 0e0030", "0e0420 0e0d20 0e0a31 0e0a21 0e0030"},
        {"entry+return", 6, 0, 0, 4, 5, "0e0a11 0e0b10 0e0a31 0e0030", "0e0a11 0e0410 0e0d50 0e0a31 0e0030"},
        {"return", 7, 0, 0, 2, 2, "0e0a31 0e0030", "0e0a31 0e0030"},
        {"number of E2", 4, 0, 1, 2, 2, "0e0b10 0e0b20", "0e0410 0e0420"},
        {"merge", 4, 0x40, 0, 4, 6, "0e0a11 0e0b10 0f0b0a02 0f0a0001", "0e0a11 0e0410 0e0420 0e0d50 0f0d0a02 0f0a0001"},
        {"merge, tail pairs", 4, 0x80, 0, 4, 5, "0e0a11 0e0b10 0f0b0a02 0f0a0001",
         "0e0a11 0e0410 0f040d50 0f0d0a02 0f0a0001"},
        {"omit", 4, 0x01, 0, 6, 8, "0d10 0d10 0d20 0d30 0d20 0d30", "0d10 0d10 0d20 0d50 0d20 0d30 0d20 0d30"},
        {"reduced, others full", 4, 0x08, 0, 6, 8, "0e0a11 1d1b 1d2b 0e0a31 0e0a21 1d30",
         "0e0a11 1d14 1d24 1d5d 1d2d 0e0a31 0e0a21 1d30"},
        {"reduced, others suppressed", 4, 0x18, 0, 3, 5, "1d1b 1d2b 1d30", "1d14 1d24 1d5d 1d2d 1d30"},
        {"reduced, base 0x100", 4, 0x10028, 0, 6, 8, "1d1a 0e0b10 0e0b20 1d3a 1d2a 0e0030",
         "1d1a 0e0410 0e0420 0e0d50 0e0d20 1d3a 1d2a 0e0030"},
        {"previous", 4, 0x02, 0, 6, 8, "0e0a11 0e0b10 1520 0e0a31 1520 0e0030",
         "0e0a11 0e0410 1520 0e0d50 1520 0e0a31 1520 0e0030"},
        {"stack", 4, 0x04, 0, 6, 8, "0e0a11 0e0b10 1520 1530 0e0a21 0e0030",
         "0e0a11 0e0410 1520 0e0d50 1520 1530 0e0a21 0e0030"},
        {"fifo 4", 4, 0x06, 0, 6, 8, "0e0a11 0e0b10 1921 1930 1923 0e0030",
         "0e0a11 0e0410 1921 0e0d50 1923 0e0a31 1921 0e0030"},
        {"fifo 4 + reduced", 4, 0x0e, 0, 6, 8, "0e0a11 1d1b 1921 1930 1923 1d30",
         "0e0a11 1d14 1921 1d5d 1923 0e0a31 1921 1d30"},
        {"merge + reduced", 4, 0x48, 0, 4, 6, "0e0a11 1d1b 0f0b0a02 0f0a0001",
         "0e0a11 1d14 1d24 1d5d 0f0d0a02 0f0a0001"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int figure = 3; figure <= 6; figure += 3) {
            struct rig r;
            const unsigned e2 = figure == 3 ? 0x00b : 0x004;
            rig_begin(&r, 1, true);
            set(&r, ETFR, UINT64_C(0x1a3e0000) + rows[i].etfr);
            if (rows[i].number) {
                set(&r, ETRG, (uint64_t)e2 << 16 | e2);
                set(&r, ETSL, 0x1070ff);
            }
            set(&r, ETCR, UINT64_C(0x4030001) | rows[i].events << 4);
            figure == 3 ? figure_3(&r) : figure_6(&r);
            assert_int_equal(et_finish(r.machine), 0);
            struct bytes b = stream_of(&r, 0, ET_CHUNK_EVENTS);
            /* between CFG, whose last is ETTS, and END */
            const char *wanted = figure == 3 ? rows[i].figure_3 : rows[i].figure_6;
            size_t from = 0, size = 0;
            while (memcmp(b.at + from, "\x38\x05", 2))
                from++;
            from += 3;
            for (const char *c = wanted; *c; c++)
                size += *c != ' ';
            print_message("%s, figure %d\n", rows[i].setting, figure);
            assert_bytes(b.at + from, size / 2, wanted);
            assert_int_equal(b.at[from + size / 2], ET_H_END);
            assert_int_equal(b.at[from + size / 2 + 5], figure == 3 ? rows[i].packets_3 : rows[i].packets_6);
            bytes_free(&b);
            rig_end(&r);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_107_s1_figure_3_inline_time),
        cmocka_unit_test(et_107_s2_figure_6_entry_only),
        cmocka_unit_test(et_107_s3_figure_6_merged_reduced),
        cmocka_unit_test(et_43_107_s4_figure_3_stack),
        cmocka_unit_test(et_44_107_s5_figure_3_fifo),
        cmocka_unit_test(et_48_49_107_s6_page_fault),
        cmocka_unit_test(et_105_106_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
