/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs of the pipeline: gem5's O3PipeView and Chrome's trace events by strict readers, written from the formats'
   descriptions; intervals; the picture for people. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ri/counters/model/passages.h"
#include "tests/unit/ec_text.h"

static void put_line(void *context, const char *line)
{
    put(context, line, strlen(line));
    put(context, "\n", 1);
}

static const char *const shapes[] = {"", "group_size = 3\n", "ct_entries = 5\nwp_exception = 1\nlat_mem = 300\n",
                                     "base = zlarge\n"};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Example 2 of the specification, carried out `times` times, watched. */
static struct ec_model *loop(struct guest *g, unsigned shape, unsigned times, const struct ec_watch *watch)
{
    struct ec_profile p;
    char why[160];
    const uint64_t at = guest_missing_loop(g);
    assert_int_equal(ec_profile_read("shape", shapes[shape], strlen(shapes[shape]), &p, why, sizeof why), 0);
    struct ec_model *m = guest_model(g, &p);
    ec_model_watch(m, watch);
    for (unsigned n = 0; n < times; n++)
        for (g->ia = 0x2000, g->gr[4] = 0x3000; g->ia != at;)
            guest_step(g, m);
    ec_model_drain(m);
    ec_model_watch(m, NULL);
    return m;
}

/* ---- O3PipeView ------------------------------------------------------------------------------------------------ */

struct o3 {
    uint64_t fetch, decode, rename, dispatch, issue, complete, retire;
    unsigned long long ia;
};

static uint64_t tick(char **line, const char *stage)
{
    char *end = strchr(*line, '\n'), *rest;
    char head[40];
    const int n = snprintf(head, sizeof head, "O3PipeView:%s:", stage);
    assert_non_null(end);
    *end = 0;
    if (strncmp(*line, head, (size_t)n) != 0)
        fail_msg("not a line of %s: %s", stage, *line);
    const uint64_t value = strtoull(*line + n, &rest, 10);
    assert_string_equal(rest, strcmp(stage, "retire") ? "" : ":store:0");
    assert_int_equal(value % 1000, 0);
    *line = end + 1;
    return value / 1000;
}

static struct o3 instruction(char **line, unsigned number)
{
    struct o3 o;
    unsigned long long fetch, sequence;
    unsigned upc;
    int used = 0;
    if (sscanf(*line, "O3PipeView:fetch:%llu:0x%16llx:%u:%llu: %n", &fetch, &o.ia, &upc, &sequence, &used) != 4)
        fail_msg("not a line of fetch: %.60s", *line);
    assert_true(used && (*line)[used] > ' ' && upc == 0 && sequence == number && fetch % 1000 == 0 && fetch);
    o.fetch = fetch / 1000;
    *line = strchr(*line, '\n') + 1;
    o.decode = tick(line, "decode");
    o.rename = tick(line, "rename");
    o.dispatch = tick(line, "dispatch");
    o.issue = tick(line, "issue");
    o.complete = tick(line, "complete");
    o.retire = tick(line, "retire");
    return o;
}

/* Stages follow each other, and nothing follows one that was not reached. */
static void orderly(const struct o3 *o)
{
    const uint64_t at[] = {o->fetch, o->decode, o->rename, o->dispatch, o->issue, o->complete, o->retire};
    for (unsigned i = 1; i < 7; i++)
        assert_true(at[i] == 0 || (at[i - 1] != 0 && at[i] >= at[i - 1]));
    assert_true(o->rename == o->dispatch && (o->decode == 0 || o->decode == o->fetch + 1));
}

static void ec_156_o3(void **state)
{
    static struct guest g;
    (void)state;
    for (unsigned i = 0; i < SHAPES; i++) {
        struct text text = {0};
        struct ec_totals t;
        struct ec_log *log = ec_log_create(EC_LOG_O3, put, &text);
        assert_non_null(log);
        struct ec_model *m = loop(&g, i, 40, ec_log_watch(log));
        assert_true(ec_log_destroy(log));
        ec_model_totals(m, &t);
        unsigned count = 0, retired = 0, dispatched = 0;
        uint64_t last = 0;
        struct o3 of[10];
        for (char *line = text.bytes; *line; count++) {
            const struct o3 o = instruction(&line, count);
            orderly(&o);
            retired += o.retire != 0;
            dispatched += o.dispatch != 0;
            last = o.retire > last ? o.retire : last;
            if (count < 10)
                of[count] = o;
        }
        assert_int_equal(retired, t.completed[EC_INST]);
        assert_int_equal(dispatched, t.all[EC_INST]);
        assert_true(count > dispatched);
        assert_int_equal(last, ec_model_cycles(m));
        if (i == 0) { /* example 2 */
            assert_memory_equal(&of[2], &((struct o3){102, 103, 107, 107, 108, 211, 212, 0x2008}), sizeof of[2]);
            assert_memory_equal(&of[6], &((struct o3){104, 105, 109, 109, 110, 0, 0, 0x201a}), sizeof of[6]);
            assert_memory_equal(&of[8], &((struct o3){106, 107, 0, 0, 0, 0, 0, 0x2026}), sizeof of[8]);
        }
        free(text.bytes);
        ec_model_destroy(m);
    }
}

/* ---- Chrome's trace events: a reader of JSON ------------------------------------------------------------------- */

static const char *blank(const char *s) { return s + strspn(s, " \n\t\r"); }

static const char *value(const char *s);

static const char *string(const char *s)
{
    assert_true(*s == '"');
    for (s++; *s != '"'; s++)
        assert_true((unsigned char)*s >= ' ' && *s != '\\');
    return s + 1;
}

static const char *members(const char *s, char last, bool named)
{
    for (s = blank(s + 1); *s != last; s = blank(s + (*s == ','))) {
        if (named) {
            s = blank(string(s));
            assert_true(*s == ':');
            s = blank(s + 1);
        }
        s = blank(value(s));
        assert_true(*s == last || (*s == ',' && *blank(s + 1) != last));
    }
    return s + 1;
}

static const char *value(const char *s)
{
    if (*s == '{')
        return members(s, '}', true);
    if (*s == '[')
        return members(s, ']', false);
    if (*s == '"')
        return string(s);
    const size_t n = strspn(s, "0123456789");
    if (!n)
        fail_msg("no value: %.40s", s);
    return s + n;
}

enum { TRACKS = 4 * 4096 };

static void ec_156_chrome(void **state)
{
    static struct guest g;
    static uint64_t busy[TRACKS];
    static bool named[TRACKS];
    (void)state;
    for (unsigned i = 0; i < SHAPES; i++) {
        struct text text = {0};
        struct ec_totals t;
        struct ec_log *log = ec_log_create(EC_LOG_CHROME, put, &text);
        assert_non_null(log);
        struct ec_model *m = loop(&g, i, 40, ec_log_watch(log));
        assert_true(ec_log_destroy(log));
        ec_model_totals(m, &t);
        assert_true(*blank(value(text.bytes)) == 0);
        memset(busy, 0, sizeof busy);
        memset(named, 0, sizeof named);
        unsigned of[4] = {0}, completed = 0;
        uint64_t last = 0;
        for (const char *line = text.bytes; (line = strchr(line, '\n')) != NULL;) {
            unsigned tid;
            unsigned long long ts, dur;
            line++;
            if (sscanf(line, "{\"ph\":\"M\",\"pid\":0,\"tid\":%u,\"name\":\"thread_name\"", &tid) == 1)
                named[tid % TRACKS] = true;
            if (sscanf(line, "{\"ph\":\"X\",\"pid\":0,\"tid\":%u,\"ts\":%llu,\"dur\":%llu", &tid, &ts, &dur) != 3)
                continue;
            assert_true(tid < TRACKS && named[tid] && ts >= busy[tid]); /* one at a time in a track */
            busy[tid] = ts + dur;
            last = ts + dur > last ? ts + dur : last;
            of[tid / 4096]++;
            completed += tid / 4096 == 3 && strstr(line, "\"end\":\"completed\"") < strchr(line, '\n') &&
                         strstr(line, "\"end\":\"completed\"") != NULL;
        }
        assert_int_equal(completed, t.completed[EC_INST]);
        assert_int_equal(of[1], t.all[EC_INST]);
        assert_true(of[0] > of[1] && of[1] >= of[2] && of[2] >= of[3]);
        assert_int_equal(last, ec_model_cycles(m));
        free(text.bytes);
        ec_model_destroy(m);
    }
}

/* ---- intervals and lines --------------------------------------------------------------------------------------- */

/* The part of a log is the same lines as in the whole log. */
static void ec_156_interval(void **state)
{
    static struct guest g;
    (void)state;
    for (unsigned i = 0; i < SHAPES; i++) {
        struct text whole = {0}, part = {0};
        struct ec_span interval;
        struct ec_log *log = ec_log_create(EC_LOG_LINES, put, &whole);
        ec_model_destroy(loop(&g, i, 3, ec_log_watch(log)));
        assert_true(ec_log_destroy(log));
        log = ec_log_create(EC_LOG_LINES, put, &part);
        ec_span_begin(&interval, 6, 25, ec_log_watch(log));
        ec_model_destroy(loop(&g, i, 3, &interval.watch));
        assert_true(ec_log_destroy(log));
        unsigned right = 0, wrong = 0;
        for (const char *s = part.bytes; *s; s = strchr(s, '\n') + 1)
            (*s == 'w' ? wrong++ : right++);
        assert_int_equal(right, 20);
        assert_true(wrong > 0);
        const char *there = strstr(whole.bytes, part.bytes);
        assert_non_null(there);
        for (right = 0; there > whole.bytes; there--)
            right += there[-1] == '\n' && *there == ' ';
        assert_int_equal(right + (*whole.bytes == ' '), 6);
        if (i == 0)
            assert_non_null(strstr(part.bytes, "   5 F 103 D 108 X 109 N 110 C 214 0000000000002016 brctg %r1,0x2008"
                                               "  mispredicted\nw   6 F 104 D 109 X 110 N - R 110 "));
        free(whole.bytes);
        free(part.bytes);
    }
}

static void ec_155_picture(void **state)
{
    static struct guest g;
    static struct ec_recent recent;
    struct text text = {0};
    (void)state;
    ec_recent_begin(&recent);
    ec_model_destroy(loop(&g, 0, 1, &recent.watch));
    ec_recent_show(&recent, EC_RECENT, put_line, &text);
    static const char *const lines[] = {
        "5 0000000000002016 brctg %r1,0x2008  mispredicted\n",
        "6w 000000000000201A lg %r5,0(%r6)\n",
        "cycle 106: fetched 2 3 4 5 6w 7w 8w; dispatched 0 1\n",
        "cycle 110: dispatched 3; executed 2; finished 4 5; thrown away 6w 7w 8w\n",
        "cycle 214: fetched 24w 25w 26w 27w 28w 29w 30w; dispatched 22w 23w; executed 18 20 21w; finished 10 11 12 13 "
        "14 "
        "15 16 17 19; completes 5 9\n",
    };
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(text.bytes, lines[i]))
            fail_msg("not there: %s\n%s", lines[i], text.bytes);
    free(text.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ec_156_o3), cmocka_unit_test(ec_156_chrome),
                                       cmocka_unit_test(ec_156_interval), cmocka_unit_test(ec_155_picture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
