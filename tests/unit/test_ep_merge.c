/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging edge profiles: sums, matching of spaces and modules, mixed headers, refusals; any order and grouping gives
   the same bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "tests/unit/ep_example.h"

/* A profile from the parts of the example, with changes: pairs of words, NULL at the end. */
static struct ep_profile *changed(const char *const *changes)
{
    char body[8000], other[8000], error[600];
    strcpy(body, EP_EXAMPLE_BODY);
    for (; changes && *changes; changes += 2) {
        for (char *at = body; (at = strstr(at, changes[0])); at += strlen(changes[1])) {
            snprintf(other, sizeof other, "%.*s%s%s", (int)(at - body), body, changes[1], at + strlen(changes[0]));
            strcpy(body, other);
        }
    }
    char *text = ep_with_trailer(body);
    struct ep_profile *profile = ep_of_text(text, strlen(text), error);
    if (!profile)
        fail_msg("%s", error);
    free(text);
    return profile;
}

static const char *const names[] = {"a", "b", "c"};

static struct ep_profile *merged(const struct ep_profile *const *profiles, size_t count, bool forced)
{
    char error[600];
    struct ep_profile *result;
    if (ep_profile_merge(profiles, names, count, &(struct ep_join_options){.forced = forced}, &result, error,
                         sizeof error))
        fail_msg("%s", error);
    return result;
}

static void is_text(struct ep_profile *profile, const char *text)
{
    char error[600];
    char *made = ep_to_text(profile, error);
    if (!made)
        fail_msg("%s", error);
    assert_string_equal(made, text);
    free(made);
}

static void refused(const struct ep_profile *a, const struct ep_profile *b, const char *said)
{
    char error[600];
    struct ep_profile *result;
    const struct ep_profile *const both[] = {a, b};
    assert_int_equal(
        ep_profile_merge(both, names, 2, &(struct ep_join_options){.forced = false}, &result, error, sizeof error),
        -EPERM);
    assert_null(result);
    if (!strstr(error, said))
        fail_msg("%s", error);
}

#define HAS(text, part)                                                                                                \
    do {                                                                                                               \
        if (!strstr(text, part))                                                                                       \
            fail_msg("no %s in:\n%s", part, text);                                                                     \
    } while (0)

/* Twice the same: twice its units. */
static void ep_55_units_events_samples_and_counters_add_up(void **state)
{
    (void)state;
    char error[600];
    struct ep_profile *a = changed((const char *const[]){"drop.flow 0", "drop.flow 3", NULL}), *b = changed(NULL);
    struct ep_profile *sum = merged((const struct ep_profile *const[]){a, b}, 2, false);
    char *text = ep_to_text(sum, error);
    HAS(text, "H events-total 30\nH samples-triggered 6\nH samples-accepted 6\nH branch-units 24\nH run-units 18\nH "
              "program ex\n");
    HAS(text, "E 0 1001c 0 10024 T 6\n");
    HAS(text, "R 0 10024 10028 B 4\n");
    HAS(text, "D drop.flow 3\nD drop.short 0\n");
    HAS(text, "H rate-base 4\n");
    free(text);
    ep_profile_free(sum);
    sum = merged((const struct ep_profile *const[]){b}, 1, false);
    is_text(sum, EP_EXAMPLE);
    ep_profile_free(sum);
    ep_profile_free(a);
    ep_profile_free(b);
}

/* Profiles that differ in whatever may differ: bases, a bias, tokens of a named space, units, optional headers, other
   functions, a digest's name. */
static void three(struct ep_profile *p[3])
{
    p[0] = changed((const char *const[]){"0000000000000000 -", "0000000000003000 guest", NULL});
    p[1] = changed((const char *const[]){"0000000000000000 -",
                                         "0000000000001000 guest",
                                         "rate-base 4",
                                         "rate-base 5",
                                         " 1000",
                                         " 2000",
                                         " 1001",
                                         " 2001",
                                         " 1002",
                                         " 2002",
                                         " 1003",
                                         " 2003",
                                         " 1004",
                                         " 2004",
                                         "10048 0 sha",
                                         "20048 10000 sha",
                                         "20048 0 sha",
                                         "20048 10000 sha",
                                         "program ex\n",
                                         "program ex\nH partial 1\n",
                                         NULL});
    p[2] = changed((const char *const[]){"0000000000000000 -", "0000000000002000 guest", "unit 1", "unit 4294967296",
                                         "drop.short 0\n", "drop.short 7\nD warn.ex_assumed 2\n", "program ex",
                                         "program ey", "_start\n", "_start\nF 1 0 10010 10020 inner\n", NULL});
}

static void ep_55_any_order_and_grouping_gives_the_same_bytes(void **state)
{
    (void)state;
    static const unsigned orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    char error[600], *wanted = NULL;
    struct ep_profile *p[3];
    three(p);
    for (unsigned i = 0; i < 6; i++) {
        const struct ep_profile *const order[] = {p[orders[i][0]], p[orders[i][1]], p[orders[i][2]]};
        struct ep_profile *all = merged(order, 3, false), *left = merged(order, 2, false),
                          *right = merged(order + 1, 2, false);
        struct ep_profile *grouped[2] = {merged((const struct ep_profile *const[]){left, order[2]}, 2, false),
                                         merged((const struct ep_profile *const[]){order[0], right}, 2, false)};
        if (!wanted)
            wanted = ep_to_text(all, error);
        is_text(all, wanted);
        is_text(grouped[0], wanted);
        is_text(grouped[1], wanted);
        ep_profile_free(all);
        ep_profile_free(left);
        ep_profile_free(right);
        ep_profile_free(grouped[0]);
        ep_profile_free(grouped[1]);
    }
    HAS(wanted, "H rate-base mixed\n");
    HAS(wanted, "H unit 4294967296\n");
    HAS(wanted,
        "H program mixed\nH partial mixed\nS 0 primary 0000000000001000 guest\nM 0 0 10000 10048 0 sha256:- ex\n"
        "F 0 0 10000 10048 _start\nF 1 0 10010 10020 inner\nB ");
    HAS(wanted, "E 0 1001c 0 10024 T 25769803779\n"); /* 2 profiles with 3 * 2**32, one with 3 of 2**32 */
    HAS(wanted, "H branch-units 103079215116\n");
    free(wanted);
    for (unsigned i = 0; i < 3; i++)
        ep_profile_free(p[i]);
}

static void ep_55_what_differs_in_kind_is_refused_unless_forced(void **state)
{
    (void)state;
    char error[600];
    static const char *const changes[][3] = {
        {"cbt 4", "cbt 3", NULL}, {"event branch", "event insn", NULL}, {"norm none", "norm run", NULL}};
    static const char *const said[] = {"a has cbt 4 and b has 3", "a has event branch and b has insn",
                                       "a has norm none"};
    static const char *const mixed[] = {"H cbt mixed\n", "H event mixed\n", "H norm mixed\n"};
    struct ep_profile *a = changed(NULL);
    for (unsigned i = 0; i < 3; i++) {
        struct ep_profile *b = changed(changes[i]);
        refused(a, b, said[i]);
        struct ep_profile *sum = merged((const struct ep_profile *const[]){a, b}, 2, true);
        char *text = ep_to_text(sum, error);
        HAS(text, mixed[i]);
        struct ep_profile *again = ep_of_text(text, strlen(text), error);
        assert_non_null(again);
        ep_profile_free(again);
        free(text);
        ep_profile_free(sum);
        ep_profile_free(b);
    }
    ep_profile_free(a);
}

/* Other programs at the same addresses, by name, by digest; code outside of all modules where another profile has one.
 */
static void ep_55_different_modules_at_the_same_addresses_are_refused(void **state)
{
    (void)state;
    char error[600];
#define DIGEST "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    struct ep_profile *a = changed(NULL);
    struct ep_profile *named = changed((const char *const[]){"sha256:- ex", "sha256:- other", NULL});
    struct ep_profile *digest = changed((const char *const[]){"sha256:- ex", "sha256:" DIGEST " ex", NULL});
    struct ep_profile *renamed = changed((const char *const[]){"sha256:- ex", "sha256:" DIGEST " copy", NULL});
    struct ep_profile *bare =
        changed((const char *const[]){"M 0 0 10000 10048 0 sha256:- ex\n", "", "F 0 0 10000 10048 _start\n", "", NULL});
    struct ep_profile *away =
        changed((const char *const[]){"sha256:- ex", "sha256:- other", " 1000", " 2000", " 1001", " 2001", " 1002",
                                      " 2002", " 1003", " 2003", " 1004", " 2004", NULL});
    refused(a, named, "modules ex and other are different and have the addresses from 10000 on");
    refused(a, digest, "modules ex and ex are different");
    refused(a, bare, "b: its address 10010 is in no module, and in module ex of another");
    struct ep_profile *sum = merged((const struct ep_profile *const[]){digest, renamed}, 2, false);
    char *text = ep_to_text(sum, error);
    HAS(text, "sha256:" DIGEST " copy\n");
    free(text);
    ep_profile_free(sum);
    sum = merged((const struct ep_profile *const[]){a, away}, 2, false);
    text = ep_to_text(sum, error);
    HAS(text, "M 0 0 10000 10048 0 sha256:- ex\nM 1 0 20000 20048 0 sha256:- other\n");
    HAS(text, "F 1 1 20000 20048 _start\n");
    free(text);
    ep_profile_free(sum);
    struct ep_profile *const all[] = {a, named, digest, renamed, bare, away};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        ep_profile_free(all[i]);
}

/* Spaces without a name are the same by kind and token only. */
static void ep_55_spaces_match_by_name_or_token(void **state)
{
    (void)state;
    char error[600];
    struct ep_profile *a = changed(NULL);
    struct ep_profile *b = changed((const char *const[]){"0000000000000000 -", "0000000000001000 -", NULL});
    struct ep_profile *sum = merged((const struct ep_profile *const[]){b, a}, 2, false);
    char *text = ep_to_text(sum, error);
    HAS(text, "S 0 primary 0000000000000000 -\nS 1 primary 0000000000001000 -\nM 0 0 10000 10048 0 sha256:- ex\n"
              "M 1 1 10000 10048 0 sha256:- ex\n");
    HAS(text, "E 1 10010 1 10018 T 2\n");
    free(text);
    ep_profile_free(sum);
    ep_profile_free(a);
    ep_profile_free(b);
}

/* Two profiles side by side: the same numbers and addresses, their own units. */
static void ep_83_profiles_are_aligned(void **state)
{
    (void)state;
    char error[600];
    struct ep_profile *p[3], *aligned[2];
    uint32_t count;
    three(p);
    if (ep_profile_align((const struct ep_profile *const[]){p[2], p[1]}, names, aligned, error, sizeof error))
        fail_msg("%s", error);
    for (unsigned i = 0; i < 2; i++) {
        const struct ep_row *edges = ep_profile_list(aligned[i], EP_EDGES, &count);
        assert_int_equal(count, 6);
        assert_int_equal(edges[2].from, 0x1001c);
        assert_int_equal(edges[2].units, i ? 3 * EP_FULL_UNIT : 3);
        assert_int_equal(ep_profile_number(aligned[i], EP_H_UNIT), EP_FULL_UNIT);
        assert_int_equal(((const struct ep_module *)ep_profile_list(aligned[i], EP_MODULES, &count))->bias, 0);
        ep_profile_free(aligned[i]);
    }
    for (unsigned i = 0; i < 3; i++)
        ep_profile_free(p[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ep_55_units_events_samples_and_counters_add_up),
        cmocka_unit_test(ep_55_any_order_and_grouping_gives_the_same_bytes),
        cmocka_unit_test(ep_55_what_differs_in_kind_is_refused_unless_forced),
        cmocka_unit_test(ep_55_different_modules_at_the_same_addresses_are_refused),
        cmocka_unit_test(ep_55_spaces_match_by_name_or_token),
        cmocka_unit_test(ep_83_profiles_are_aligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
