/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is shown of edge profiles: metrics by hand, reports, forms for other programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "ri/profile/show/output.h"
#include "tests/unit/ep_example.h"

static void keep(void *context, const void *bytes, size_t size)
{
    assert_int_equal(ep_bytes_put(context, bytes, size), 0);
}

static struct ep_profile *of_body(const char *body)
{
    char error[600];
    char *text = ep_with_trailer(body);
    struct ep_profile *profile = ep_of_text(text, strlen(text), error);
    if (!profile)
        fail_msg("%s", error);
    free(text);
    return profile;
}

/* A body with one place changed. */
static struct ep_profile *with(const char *body, const char *what, const char *by)
{
    char other[8000];
    const char *at = strstr(body, what);
    assert_non_null(at);
    snprintf(other, sizeof other, "%.*s%s%s", (int)(at - body), body, by, at + strlen(what));
    return of_body(other);
}

#define HAS(text, part)                                                                                                \
    do {                                                                                                               \
        if (!strstr(text, part))                                                                                       \
            fail_msg("no %s in:\n%s", part, text);                                                                     \
    } while (0)

/* The whole run of the example's program, counted. */
#define EXACT                                                                                                          \
    "ZEPROF 1\nH mode edge\nH source exact\nH event branch\nH rate-base 0\nH rate-delta 0\nH seed 1\nH tbt 0\nH cbt "  \
    "0\n"                                                                                                              \
    "H short-policy auto\nH append-nt 1\nH norm none\nH unit 1\nH events-total 15\nH samples-triggered 0\n"            \
    "H samples-accepted 0\nH branch-units 15\nH run-units 0\nH program ex\n" EP_EXAMPLE_PLACES EP_EXAMPLE_SITES        \
    "E 0 10010 0 10018 T 2\nE 0 10010 0 10016 N 1\nE 0 1001c 0 10024 T 3\nE 0 10028 0 1002c N 3\n"                     \
    "E 0 10030 0 10038 T 3\nE 0 1003c 0 10010 T 2\nE 0 1003c 0 10040 N 1\n"

static void is_metrics(struct ep_profile *reference, struct ep_profile *profile, const char *wanted)
{
    struct ep_bytes out = {NULL, 0, 0};
    const struct ep_writer writer = {&out, keep};
    const struct ep_show show = {.writer = &writer, .top = 20};
    static const char *const names[] = {"reference", "profile"};
    char error[600];
    struct ep_profile *aligned[2];
    assert_int_equal(
        ep_profile_align((const struct ep_profile *const[]){reference, profile}, names, aligned, error, sizeof error),
        0);
    assert_int_equal(ep_diff_metrics(aligned, &show), 0);
    assert_string_equal(out.bytes, wanted);
    free(out.bytes);
    ep_profile_free(aligned[0]);
    ep_profile_free(aligned[1]);
}

/* Specification 3.2: the sampled profile against the truth, 13/15; and every metric by hand, in both directions. */
static void ep_83_metrics_of_the_example(void **state)
{
    (void)state;
    struct ep_profile *exact = of_body(EXACT), *sampled = of_body(EP_EXAMPLE_BODY);
    is_metrics(
        exact, sampled,
        "overlap 0.866667\nshare-error 0.133333\nratio-error inf\nratio-error-0.01 inf\nnot-taken-error 0.083333\n"
        "probability-error 0.066667\nhot-10 0.933333\nhot-50 0.933333\ntau-b 0.774597\nblock-overlap -\n"
        "call-overlap -\n");
    is_metrics(
        sampled, exact,
        "overlap 0.866667\nshare-error 0.133333\nratio-error 0.321928\nratio-error-0.01 0.321928\n"
        "not-taken-error 0.083333\nprobability-error 0.055556\nhot-10 1.000000\nhot-50 1.000000\ntau-b 0.703526\n"
        "block-overlap -\ncall-overlap -\n");
    is_metrics(
        exact, exact,
        "overlap 1.000000\nshare-error 0.000000\nratio-error 0.000000\nratio-error-0.01 0.000000\n"
        "not-taken-error 0.000000\nprobability-error 0.000000\nhot-10 1.000000\nhot-50 1.000000\ntau-b 1.000000\n"
        "block-overlap -\ncall-overlap -\n");
    ep_profile_free(exact);
    ep_profile_free(sampled);
}

#define EMPTY                                                                                                          \
    "ZEPROF 1\nH mode edge\nH source native\nH event branch\nH rate-base 4\nH rate-delta 0\nH seed 1\nH tbt 4\n"       \
    "H cbt 4\nH short-policy auto\nH append-nt 1\nH norm none\nH unit 1\nH events-total 3\nH samples-triggered 0\n"    \
    "H samples-accepted 0\nH branch-units 0\nH run-units 0\nH program ex\n"

static void ep_83_a_side_without_branches(void **state)
{
    (void)state;
    struct ep_profile *exact = of_body(EXACT), *empty = of_body(EMPTY);
    is_metrics(
        exact, empty,
        "overlap 0.000000\nshare-error 1.000000\nratio-error inf\nratio-error-0.01 inf\nnot-taken-error 0.333333\n"
        "probability-error 0.000000\nhot-10 0.000000\nhot-50 0.000000\ntau-b -\nblock-overlap -\ncall-overlap -\n");
    is_metrics(empty, exact,
               "overlap -\nshare-error -\nratio-error -\nratio-error-0.01 -\nnot-taken-error -\nprobability-error -\n"
               "hot-10 -\nhot-50 -\ntau-b -\nblock-overlap -\ncall-overlap -\n");
    ep_profile_free(exact);
    ep_profile_free(empty);
}

/* main calls hot (directly, and by a register) and itself; hot calls deep; deep jumps to hot: a tail call; bras to a
   pool in deep; code at 9000 is in no function. */
#define CALLS_PLACES                                                                                                   \
    "S 0 primary 0000000000000000 -\nM 0 0 1000 5000 1000 sha256:- prog\nF 0 0 1000 1100 main\nF 1 0 2000 2100 "       \
    "hot;%20one\n"                                                                                                     \
    "F 2 0 2010 2020 hot.part\nF 3 0 3000 3100 deep\n"
#define CALLS                                                                                                          \
    "ZEPROF 1\nH mode edge\nH source native\nH event branch\nH rate-base 4\nH rate-delta 0\nH seed 1\nH tbt 4\n"       \
    "H cbt 4\nH short-policy auto\nH append-nt 1\nH norm none\nH unit 4\nH events-total 100\nH samples-triggered 9\n"  \
    "H samples-accepted 9\nH branch-units 175\nH run-units 0\nH program prog\n" CALLS_PLACES                           \
    "B 0 1010 call 6 2000 c0x5\nB 0 1020 call 2 - 0d\nB 0 1030 call 6 1000 c0x5\nB 0 2014 call 6 3000 c0x5\n"          \
    "B 0 3010 uncond 4 2000 a7x4\nB 0 3020 call 4 3030 a7x5\nB 0 3040 ret 2 - 07\nB 0 9000 uncond 4 9000 a7x4\n"       \
    "E 0 1010 0 2000 T 40\nE 0 1020 0 2000 T 10\nE 0 1020 0 3000 T 12\nE 0 1030 0 1000 T 4\nE 0 2014 0 3000 T 40\n"    \
    "E 0 3010 0 2000 T 41\nE 0 3020 0 3030 T 8\nE 0 3040 0 2018 T 18\nE 0 9000 0 9000 T 2\n"

static void ep_96_folded_stacks(void **state)
{
    (void)state;
    struct ep_bytes out = {NULL, 0, 0};
    const struct ep_writer writer = {&out, keep};
    struct ep_profile *profile = of_body(CALLS), *example = of_body(EP_EXAMPLE_BODY);
    /* units / 4, halves up: 66 in main, 40 in hot.part, 67 in deep, 2 outside; main's only caller is main */
    assert_int_equal(ep_export_folded(profile, &writer), 0);
    assert_string_equal(out.bytes, "[unknown] 1\nhot.part 10\nhot.part;deep 17\nmain 17\n");
    out.size = 0;
    assert_int_equal(ep_export_folded(example, &writer), 0);
    assert_string_equal(out.bytes, "_start 12\n");
    free(out.bytes);
    ep_profile_free(profile);
    ep_profile_free(example);
}

/* A chain of three, one that is cut where it comes round, callers with as many calls, names with ; and units of calls.
 */
static void ep_96_folded_stacks_of_a_call_graph(void **state)
{
    (void)state;
    struct ep_bytes out = {NULL, 0, 0};
    const struct ep_writer writer = {&out, keep};
    struct ep_profile *profile = of_body(
        "ZEPROF 1\nH mode callgraph\nH source native\nH event call\nH rate-base 4\nH rate-delta 0\nH seed 1\nH tbt 4\n"
        "H cbt 4\nH short-policy auto\nH append-nt 1\nH norm none\nH unit 1\nH events-total 1\n"
        "H samples-triggered 1\nH samples-accepted 1\nH branch-units 21\nH run-units 0\nH program p\n"
        "S 0 primary 0000000000000000 -\nM 0 0 1000 5000 0 sha256:- p\nF 0 0 1000 1100 a\nF 1 0 2000 2100 b;c\n"
        "F 2 0 3000 3100 d\nF 3 0 4000 4100 e\nB 0 1000 call 6 2000 c0x5\nB 0 2000 call 6 3000 c0x5\n"
        "B 0 2010 call 6 4000 c0x5\nB 0 3000 call 6 2000 c0x5\nB 0 3010 call 6 4000 c0x5\nB 0 4000 call 6 1000 c0x5\n"
        "C 0 1000 0 2000 7\nC 0 2000 0 3000 5\nC 0 2010 0 4000 2\nC 0 3000 0 2000 3\nC 0 3010 0 4000 2\n"
        "C 0 4000 0 1000 2\n");
    assert_int_equal(ep_export_folded(profile, &writer), 0);
    assert_string_equal(out.bytes, "a;b%3bc;e 2\nb%3bc;e;a 7\ne;a;b%3bc 7\ne;a;b%3bc;d 5\n");
    free(out.bytes);
    ep_profile_free(profile);
}

/* Specification 4.4.1: the example; two modules; a module whose first segment is not where the code is. */
static void ep_96_llvm_raw(void **state)
{
    (void)state;
    struct ep_bytes out = {NULL, 0, 0};
    const struct ep_writer writer = {&out, keep};
    char error[600];
    struct ep_profile *profile = of_body(EP_EXAMPLE_BODY);
    assert_int_equal(ep_export_raw(profile, NULL, NULL, &writer, error, sizeof error), 0);
    assert_string_equal(out.bytes, "6\n10-10:2\n16-1c:1\n18-1c:2\n24-28:2\n2c-30:1\n38-3c:1\n"
                                   "4\n10->18:2\n1c->24:3\n30->38:2\n3c->10:2\n");
    out.size = 0;
    assert_int_equal(ep_export_raw(profile, NULL, "ex", &writer, error, sizeof error), 0);
    assert_int_equal(ep_export_raw(profile, NULL, "ey", &writer, error, sizeof error), -ENOENT);
    assert_non_null(strstr(error, "no module of the profile has the name ey"));
    ep_profile_free(profile);
    profile = with(
        EP_EXAMPLE_BODY, "M 0 0 10000 10048 0 sha256:- ex\n",
        "M 0 0 e800 e900 e000 sha256:- ex\nM 1 0 10000 10030 e000 sha256:- ex\nM 2 0 10030 10048 0 sha256:- lib\n");
    assert_int_equal(ep_export_raw(profile, NULL, NULL, &writer, error, sizeof error), -ENOENT);
    assert_non_null(strstr(error, "branches of ex, lib and perhaps others"));
    out.size = 0;
    assert_int_equal(ep_export_raw(profile, NULL, "ex", &writer, error, sizeof error), 0);
    assert_string_equal(out.bytes,
                        "4\n2010-2010:2\n2016-201c:1\n2018-201c:2\n2024-2028:2\n2\n2010->2018:2\n201c->2024:3\n");
    ep_profile_free(profile);
    profile = of_body(EMPTY);
    assert_int_equal(ep_export_raw(profile, NULL, NULL, &writer, error, sizeof error), -ENOENT);
    assert_non_null(strstr(error, "the profile has no module"));
    free(out.bytes);
    ep_profile_free(profile);
}

/* Cut and whole runs of one range are one counter; less than half a unit is none. */
static void ep_96_counters_are_rounded(void **state)
{
    (void)state;
    struct ep_bytes out = {NULL, 0, 0};
    const struct ep_writer writer = {&out, keep};
    char error[600];
    struct ep_profile *profile = of_body(
        "ZEPROF 1\nH mode edge\nH source native\nH event insn\nH rate-base 4\nH rate-delta 0\nH seed 1\nH tbt 4\n"
        "H cbt 3\nH short-policy auto\nH append-nt 1\nH norm run\nH unit 4\nH events-total 1\n"
        "H samples-triggered 1\nH samples-accepted 1\nH branch-units 7\nH run-units 2\nH program p\n"
        "S 0 primary 0000000000000000 -\nM 0 0 1000 5000 0 sha256:- p\n"
        "B 0 1000 cond 4 1004 a7x4\nB 0 1010 cond 4 1004 a7x4\nE 0 1000 0 1004 T 6\nE 0 1010 0 1004 T 1\n"
        "R 0 1000 1010 B 1\nR 0 1000 1010 X 1\nR 0 1004 1010 B 1\n");
    assert_int_equal(ep_export_raw(profile, NULL, NULL, &writer, error, sizeof error), 0);
    assert_string_equal(out.bytes, "1\n0-10:1\n1\n0->4:2\n");
    free(out.bytes);
    ep_profile_free(profile);
}

static char *report_of(const struct ep_profile *profile, bool json, uint64_t top)
{
    struct ep_bytes out = {NULL, 0, 0};
    const struct ep_writer writer = {&out, keep};
    const struct ep_show show = {.writer = &writer, .top = top};
    assert_int_equal(json ? ep_report_json(profile, &show) : ep_report_text(profile, &show), 0);
    return out.bytes;
}

static void ep_69_74_97_report(void **state)
{
    (void)state;
    struct ep_profile *profile = of_body(CALLS);
    char *text = report_of(profile, true, 1);
    /* functions: innermost; calls into them without the pool of deep, and without the jump */
    HAS(text, "\"functions\":[{\"name\":\"deep\",\"module\":\"prog\",\"start\":\"3000\",\"end\":\"3100\",\"units\":67,"
              "\"share\":0.382857143,\"calls\":52},\n{\"name\":\"main\",\"module\":\"prog\",\"start\":\"1000\",\"end\":"
              "\"1100\",\"units\":66,\"share\":0.377142857,\"calls\":4},\n{\"name\":\"hot.part\",");
    HAS(text, "{\"name\":\"hot; one\",\"module\":\"prog\",\"start\":\"2000\",\"end\":\"2100\",\"units\":0,\"share\":0,"
              "\"calls\":50}");
    HAS(text, "{\"name\":\"[unknown]\",\"module\":null,\"start\":null,\"end\":null,\"units\":2,");
    /* edges: estimate 41 * 100 / 175 = 23.4, the register call's probability 12 / 22 */
    HAS(text,
        "\"edges\":[{\"space\":0,\"from\":\"3010\",\"to_space\":0,\"to\":\"2000\",\"taken\":true,\"class\":\"uncond\","
        "\"function\":\"deep\",\"units\":41,\"share\":0.234285714,\"estimate\":23,\"probability\":1},\n"
        "{\"space\":0,\"from\":\"1010\",");
    HAS(text,
        "\"from\":\"1020\",\"to_space\":0,\"to\":\"3000\",\"taken\":true,\"class\":\"call\",\"function\":\"main\","
        "\"units\":12,\"share\":0.0685714286,\"estimate\":7,\"probability\":0.545454545}");
    HAS(text,
        "\"from\":\"9000\",\"to_space\":0,\"to\":\"9000\",\"taken\":true,\"class\":\"uncond\",\"function\":null,");
    /* targets: of one site the most frequent first */
    HAS(text, "{\"space\":0,\"site\":\"1020\",\"function\":\"main\",\"units\":22,\n\"callees\":[{\"to_space\":0,\"to\":"
              "\"3000\","
              "\"name\":\"deep\",\"units\":12,\"share\":0.545454545},\n{\"to_space\":0,\"to\":\"2000\",\"name\":\"hot; "
              "one\",");
    assert_null(strstr(text, "\"site\":\"3020\""));
    HAS(text, "\"tail_calls\":[{\"space\":0,\"from\":\"3010\",\"to_space\":0,\"to\":\"2000\",");
    assert_null(strstr(strstr(text, "tail_calls"), "\"from\":\"3040\""));
    assert_null(strstr(text, "residuals"));
    free(text);
    text = report_of(profile, false, 1); /* one line each */
    HAS(text, "\n          17  38.286 %           13             3000  deep\n\n");
    HAS(text,
        "          10  23.429 %           23   100.000 %   0 3010 -> 0 2000 taken, uncond  deep\n\nCall targets\n");
    HAS(text, "\nPossible tail calls\n");
    assert_null(strstr(text, "main\n\nEdges"));
    free(text);
    ep_profile_free(profile);
}

/* Without a count of branches nothing is estimated. */
static void ep_74_what_cannot_be_estimated(void **state)
{
    (void)state;
    struct ep_profile *profile = with(EP_EXAMPLE_BODY, "event branch", "event insn"), *empty = of_body(EMPTY);
    char *text = report_of(profile, true, 20);
    HAS(text, "\"estimate\":null,\"probability\":1}");
    free(text);
    text = report_of(empty, true, 20);
    HAS(text, "\"functions\":[],\n\"edges\":[],\n\"targets\":[],\n\"tail_calls\":[]}");
    free(text);
    ep_profile_free(profile);
    ep_profile_free(empty);
}

static void hear(void *context, const char *sentence) { keep(context, sentence, strlen(sentence)); }

static void is_caution(struct ep_profile *profile, const char *wanted)
{
    struct ep_bytes out = {NULL, 0, 0};
    ep_cautions(profile, hear, &out);
    if (!wanted && out.bytes)
        fail_msg("%s", out.bytes);
    if (wanted && !out.bytes)
        fail_msg("nothing instead of %s", wanted);
    if (wanted)
        HAS(out.bytes, wanted);
    free(out.bytes);
    ep_profile_free(profile);
}

static void ep_4_63_81_89_93_cautions(void **state)
{
    (void)state;
    is_caution(of_body(EP_EXAMPLE_BODY), NULL);
    is_caution(of_body(EXACT), NULL);
    is_caution(with(EP_EXAMPLE_BODY, "event branch", "event taken"),
               "the profile is not uniform: its samples are spaced");
    is_caution(with(EP_EXAMPLE_BODY, "event branch", "event mixed"), "may not be uniform");
    is_caution(with(EP_EXAMPLE_BODY, "program ex\n", "program ex\nH uniform 0\n"), "not uniform (header uniform)");
    is_caution(with(EP_EXAMPLE_BODY, "program ex\n", "program ex\nH uniform mixed\n"), "not uniform (header uniform)");
    is_caution(with(EP_EXAMPLE_BODY, "program ex\n", "program ex\nH uniform 1\n"), NULL);
    is_caution(of_body(EMPTY), "no branch is in the profile");
    /* of 1000 samples: ten dropped are no more than one in a hundred, eleven are; 51 short ones of RI are more than 5 %
     */
    struct ep_profile *profile = with(EP_EXAMPLE_BODY, "samples-triggered 3", "samples-triggered 1000");
    assert_int_equal(ep_profile_count(profile, "drop.flow", 10), 0);
    struct ep_profile *more;
    assert_int_equal(ep_profile_copy(profile, &more), 0);
    is_caution(profile, NULL);
    assert_int_equal(ep_profile_count(more, "drop.image", 1), 0);
    is_caution(more, "11 of 1000 samples were dropped: drop.flow 10, drop.image 1");
    for (unsigned n = 50; n < 52; n++) {
        profile = with(EP_EXAMPLE_BODY, "samples-triggered 3", "samples-triggered 1000");
        assert_int_equal(ep_profile_set(profile, EP_H_SOURCE, "ri"), 0);
        assert_int_equal(ep_profile_count(profile, "drop.short", n), 0);
        is_caution(profile, n == 50 ? "50 of 1000 samples were dropped: drop.short 50"
                                    : "skewed away from code that is executed soon after interruptions");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ep_83_metrics_of_the_example),
        cmocka_unit_test(ep_83_a_side_without_branches),
        cmocka_unit_test(ep_96_folded_stacks),
        cmocka_unit_test(ep_96_folded_stacks_of_a_call_graph),
        cmocka_unit_test(ep_96_llvm_raw),
        cmocka_unit_test(ep_96_counters_are_rounded),
        cmocka_unit_test(ep_69_74_97_report),
        cmocka_unit_test(ep_74_what_cannot_be_estimated),
        cmocka_unit_test(ep_4_63_81_89_93_cautions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
