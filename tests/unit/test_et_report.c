/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of exception traces and the report that is made of them: streams written by hand, and the whole text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "tests/unit/et_reader.h"
#include "ri/trace/show/output.h"
#include "ri/trace/show/statistics.h"

struct text {
    char bytes[1 << 15];
    size_t size;
};

static void add(void *context, const char *file, const void *bytes, size_t size)
{
    struct text *text = context;
    (void)file;
    assert_true(text->size + size < sizeof text->bytes);
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = 0;
}

struct reader {
    const struct et_output *output;
    void *state;
};

static void an_event(void *context, const struct et_event *event)
{
    const struct reader *reader = context;
    reader->output->event(reader->state, event);
}

static void a_diagnostic(void *context, const struct et_diagnostic *diagnostic)
{
    const struct reader *reader = context;
    reader->output->diagnostic(reader->state, diagnostic);
}

/* What this output makes of the stream. */
static const char *shown(const struct et_output *output, const struct made *made)
{
    static struct text text;
    text.size = 0;
    const struct et_output_setting setting = {.writer = {&text, add}, .input = "x.et"};
    struct reader reader = {output, output->begin(&setting)};
    const struct et_decoder_calls calls = {&reader, an_event, a_diagnostic, NULL};
    struct et_decoder *decoder = et_decoder_new(&calls, NULL);
    struct et_decoder_sums sums;
    assert_non_null(reader.state);
    assert_non_null(decoder);
    assert_int_equal(et_decoder_push(decoder, made->bytes, made->size), 0);
    et_decoder_end(decoder);
    et_decoder_sums(decoder, &sums);
    et_decoder_free(decoder);
    output->end(reader.state, &sums);
    return text.bytes;
}

static void chains(struct made *made)
{
    made_begin(made, 1000, "tailflag=both,lateflag=on");
    made_hex(made, 8, "0e0a11 c0 0e0410 e8 0e0460 ca 0e0d50 c0 0e0d60 c5 0e0550 c0 0e0520 c3 0e0a31 c0");
    made_hex(made, 8, "0e0a21 d4 0e0030 c0 0e0a11 e0 0e0790 c1 0e0720 cb 0e0a31 c1 0e0a21 c6 0e0030 c0");
    made_end(made, 0, 16, 0);
}

/* Seven events are lost in front of a handler's end; what follows is seen again. */
static void loss(struct made *made)
{
    const struct et_config config = made_keys("tailflag=entry");
    const unsigned frame = 0x091;
    made_begin(made, 1000, "tailflag=entry");
    made_hex(made, 2, "0e0a11 c0 0e0410 e8");
    made_hex(made, 0, "7007");
    made->flags |= ET_SYNC_AFTER_LOSS;
    made_sync_of(made, 2000, 0x091, 1, &frame);
    made_config(made, &config);
    made_hex(made, 5, "0e0410 ca 0e0420 c5 0e0d50 c0 0e0d20 c6 0e9120 cf");
    made_hex(made, 1, "0e0030 c0");
    made_end(made, 0, 8, 7);
}

/* clang-format off */
static const char chains_report[] =
    "Exception trace x.et\n"
    "clock insn, times in instructions\n"
    "111 bytes = 111 in packets + 0 reported; 16 events, 1 segments; lost: 0 events\n"
    "6.94 bytes for each event\n"
    "no diagnostics\n"
    "\n"
    "cpu00\n"
    "  configuration: enable=on tailflag=both lateflag=on timestamps=inline clock=insn\n"
    "  entries, exits and returns: order, counts, nesting, durations, tail-chains\n"
    "  16 events in 1 segments, 0 states, 0 marks\n"
    "  time from 1000, 129 long\n"
    "  accounts: 16 detected = 0 filtered + 16 emitted + 0 lost\n"
    "\n"
    "Exceptions, by the time of their handlers without what interrupted these (self)\n"
    "EN  name                            count  chained    late           self      %         mean          p50          p90          p99          max\n"
    "10a SVC 10                              2        0       0             68  52.71           34            8           60           60           60\n"
    "007 EXT external-call                   1        0       1             11   8.53           11           11           11           11           11\n"
    "004 EXT clock-comparator                1        0       0             10   7.75           10           10           10           10           10\n"
    "00d I/O isc 5                           1        1       0              5   3.88            5            5            5            5            5\n"
    "005 EXT cpu-timer                       1        1       0              3   2.33            3            3            3            3            3\n"
    "\n"
    "Classes\n"
    "EN  name                            count  chained    late           self      %         mean          p50          p90          p99          max\n"
    "    external                            3        1       1             24  18.60            8           10           11           11           11\n"
    "    io                                  1        1       0              5   3.88            5            5            5            5            5\n"
    "    svc                                 2        0       0             68  52.71           34            8           60           60           60\n"
    "    all                                 6        2       1             97  75.19           16            8           60           60           60\n"
    "\n"
    "Time: 129 = 32 NORMAL (24.81 %) + 97 in handlers (75.19 %)\n"
    "\n"
    "Time of handlers with what interrupted them (gross)\n"
    "EN  name                                n            sum          min         mean          p50          p90          p99          max\n"
    "004 EXT clock-comparator                1             10           10           10           10           10           10           10\n"
    "005 EXT cpu-timer                       1              3            3            3            3            3            3            3\n"
    "007 EXT external-call                   1             11           11           11           11           11           11           11\n"
    "00d I/O isc 5                           1              5            5            5            5            5            5            5\n"
    "10a SVC 10                              2             97           19           48           19           78           78           78\n"
    "    external                            3             24            3            8           10           11           11           11\n"
    "    io                                  1              5            5            5            5            5            5            5\n"
    "    svc                                 2             97           19           48           19           78           78           78\n"
    "    all                                 6            126            3           21           10           78           78           78\n"
    "\n"
    "From interruption to the handler's first instruction, where others came first (start)\n"
    "EN  name                                n            sum          min         mean          p50          p90          p99          max\n"
    "10a SVC 10                              1             13           13           13           13           13           13           13\n"
    "    svc                                 1             13           13           13           13           13           13           13\n"
    "    all                                 1             13           13           13           13           13           13           13\n"
    "\n"
    "From the end of a handler to what it resumes (return); by what is resumed\n"
    "EN  name                                n            sum          min         mean          p50          p90          p99          max\n"
    "000 NORMAL                              2              0            0            0            0            0            0            0\n"
    "10a SVC 10                              2              1            0            0            0            1            1            1\n"
    "    svc                                 2              1            0            0            0            1            1            1\n"
    "    all                                 4              1            0            0            0            1            1            1\n"
    "\n"
    "From one to the next of the same number\n"
    "EN  name                                n            sum          min         mean          p50          p90          p99          max\n"
    "10a SVC 10                              1            110          110          110          110          110          110          110\n"
    "    external                            2             71           15           35           15           56           56           56\n"
    "    svc                                 1            110          110          110          110          110          110          110\n"
    "    all                                 5            111            1           22           10           55           55           55\n"
    "\n"
    "Nesting: entries at each depth, the deepest 2\n"
    "   1             2\n"
    "   2             4\n"
    "\n"
    "Tail-chains: entries behind so many links, the longest 2\n"
    "   1             1\n"
    "   2             1\n"
    "005 EXT cpu-timer              longest 2\n"
    "00d I/O isc 5                  longest 1\n"
    "\n"
    "Self time of all, in powers of two of ticks\n"
    "              <4            1 #################\n"
    "              <8            1 #################\n"
    "             <16            3 ##################################################\n"
    "             <32            0 \n"
    "             <64            1 #################\n"
    "\n"
    "Gross time of all, in powers of two of ticks\n"
    "              <4            1 #########################\n"
    "              <8            1 #########################\n"
    "             <16            2 ##################################################\n"
    "             <32            1 #########################\n"
    "             <64            0 \n"
    "            <128            1 #########################\n";

static const char loss_report[] =
    "Exception trace x.et\n"
    "clock insn, times in instructions\n"
    "121 bytes = 121 in packets + 0 reported; 8 events, 2 segments; lost: 7 events\n"
    "15.12 bytes for each event\n"
    "something is missing: counts are lower bounds (>=), and so are times marked so\n"
    "\n"
    "cpu00\n"
    "  configuration: enable=on tailflag=entry timestamps=inline clock=insn\n"
    "  entries, exits and returns: order, counts, nesting, durations, tail-chains\n"
    "  8 events in 2 segments, 0 states, 0 marks\n"
    "  time from 1000, 1036 long, 960 of it not seen\n"
    "  accounts: 15 detected = 0 filtered + 8 emitted + 7 lost\n"
    "\n"
    "Exceptions, by the time of their handlers without what interrupted these (self)\n"
    "EN  name                            count  chained    late           self      %         mean          p50          p90          p99          max\n"
    "10a SVC 10                            >=1      >=0     >=0           >=40  52.63\n"
    "091 PGM 11                            >=1      >=0     >=0           >=25  32.89\n"
    "00d I/O isc 5                         >=1      >=1     >=0              6   7.89            6            6            6            6            6\n"
    "004 EXT clock-comparator              >=2      >=0     >=0            >=5   6.58            5            5            5            5            5\n"
    "\n"
    "Classes\n"
    "EN  name                            count  chained    late           self      %         mean          p50          p90          p99          max\n"
    "    external                          >=2      >=0     >=0            >=5   6.58            5            5            5            5            5\n"
    "    io                                >=1      >=1     >=0              6   7.89            6            6            6            6            6\n"
    "    program                           >=1      >=0     >=0           >=25  32.89\n"
    "    svc                               >=1      >=0     >=0           >=40  52.63\n"
    "    all                               >=5      >=1     >=0           >=76 100.00            5            5            6            6            6\n"
    "\n"
    "Time: 76 = 0 NORMAL (0.00 %) + >=76 in handlers (100.00 %)\n"
    "\n"
    "Time of handlers with what interrupted them (gross)\n"
    "EN  name                                n            sum          min         mean          p50          p90          p99          max\n"
    "004 EXT clock-comparator                2            >=5            5            5            5            5            5            5\n"
    "00d I/O isc 5                           1              6            6            6            6            6            6            6\n"
    "091 PGM 11                              1           >=36\n"
    "10a SVC 10                              1           >=40\n"
    "    external                            2            >=5            5            5            5            5            5            5\n"
    "    io                                  1              6            6            6            6            6            6            6\n"
    "    program                             1           >=36\n"
    "    svc                                 1           >=40\n"
    "    all                                 5           >=87            5            5            5            6            6            6\n"
    "\n"
    "From the end of a handler to what it resumes (return); by what is resumed\n"
    "EN  name                                n            sum          min         mean          p50          p90          p99          max\n"
    "000 NORMAL                              1              0            0            0            0            0            0            0\n"
    "    all                                 1              0            0            0            0            0            0            0\n"
    "\n"
    "From one to the next of the same number\n"
    "EN  name                                n            sum          min         mean          p50          p90          p99          max\n"
    "    all                                 2             45            5           22            5           40           40           40\n"
    "\n"
    "Nesting: entries at each depth, the deepest >=2\n"
    "   1           >=1\n"
    "   2           >=3\n"
    "\n"
    "Tail-chains: entries behind so many links, the longest >=1\n"
    "   1           >=1\n"
    "00d I/O isc 5                  longest >=1\n"
    "\n"
    "Self time of all, in powers of two of ticks\n"
    "              <8            2 ##################################################\n"
    "\n"
    "Gross time of all, in powers of two of ticks\n"
    "              <8            2 ##################################################\n"
    "\n"
    "Diagnostics: 1\n"
    "  D05 events lost                               1\n"
    "!! D05 cpu00 offset 45: 7 events are lost\n";
/* clang-format on */

static void assert_report(void (*make)(struct made *made), const char *wanted)
{
    struct made made = {.size = 0};
    make(&made);
    assert_string_equal(shown(&et_output_report, &made), wanted);
}

static void et_86_99_chains_and_late_arrivals(void **state)
{
    struct made made = {.size = 0};
    (void)state;
    assert_report(chains, chains_report);
    chains(&made);
    const char *json = shown(&et_output_json, &made), *timer = strstr(json, "\"en\":5,");
    assert_non_null(timer);
    assert_memory_equal(strstr(timer, "\"chained\""), "\"chained\":1,\"longest_chain\":2,\"late\":0,", 38);
    const char *call = strstr(json, "\"en\":7,");
    assert_non_null(call);
    assert_memory_equal(strstr(call, "\"chained\""), "\"chained\":0,\"longest_chain\":0,\"late\":1,", 38);
}

static void et_90_99_what_loss_touches(void **state)
{
    struct made made = {.size = 0};
    (void)state;
    assert_report(loss, loss_report);
    loss(&made);
    const char *json = shown(&et_output_json, &made), *program = strstr(json, "\"en\":145,");
    assert_non_null(strstr(json, "\"incomplete\":true"));
    assert_non_null(program);
    assert_non_null(strstr(program, "\"gross\":{\"n\":0,"));
    assert_non_null(strstr(program, "\"lower_bounds\":1,\"lower_bounds_sum\":36"));
}

static void count_event(void *statistics, const struct et_event *event) { et_statistics_event(statistics, event); }
static void count_diagnostic(void *statistics, const struct et_diagnostic *diagnostic)
{
    et_statistics_diagnostic(statistics, diagnostic);
}

/* Counts of each number are right behind every packet, not only at the end. */
static void et_89_counts_as_packets_are_read(void **state)
{
    static const unsigned ens[] = {0x10a, 0x004, 0x10a, 0x1ff, 0x004, 0x004, 0x0ff};
    struct made made = {.size = 0};
    unsigned entries[ET_NUMBERS] = {0};
    struct et_statistics *statistics = et_statistics_new();
    const struct et_decoder_calls calls = {statistics, count_event, count_diagnostic, NULL};
    struct et_decoder *decoder = et_decoder_new(&calls, NULL);
    size_t done = 0;
    (void)state;
    assert_non_null(statistics);
    assert_non_null(decoder);
    made_begin(&made, 0, "events=entry"); /* times end each event: none waits for what may belong to it */
    for (unsigned i = 0; i <= sizeof ens / sizeof *ens; i++) {
        assert_int_equal(et_decoder_push(decoder, made.bytes + done, made.size - done), 0);
        done = made.size;
        for (unsigned en = 0; en < ET_NUMBERS; en++)
            assert_int_equal(statistics->rows[en].entries, entries[en]);
        assert_int_equal(statistics->all.entries, i);
        if (i == sizeof ens / sizeof *ens)
            break;
        made_byte(&made, ET_H_FULL);
        made_byte(&made, ens[i] & 0xff);
        made_byte(&made, 0x10 | ens[i] >> 8);
        made_byte(&made, ET_H_TSS);
        entries[ens[i]]++;
    }
    assert_int_equal(statistics->classes[ET_SVC].entries, 3);
    assert_int_equal(statistics->classes[ET_EXTERNAL].entries, 3);
    et_decoder_free(decoder);
    et_statistics_free(statistics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_86_99_chains_and_late_arrivals),
        cmocka_unit_test(et_90_99_what_loss_touches),
        cmocka_unit_test(et_89_counts_as_packets_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
