/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of an edge profile: the specification's example to the byte, every kind of damage, lists that are told in
   any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "tests/unit/ep_example.h"

static void same_again(const char *text)
{
    char error[600];
    struct ep_profile *profile = ep_of_text(text, strlen(text), error);
    if (!profile)
        fail_msg("%s", error);
    char *again = ep_to_text(profile, error);
    if (!again)
        fail_msg("%s", error);
    assert_string_equal(again, text);
    free(again);
    ep_profile_free(profile);
}

/* Specification 4.3: the example, its line Z and all. */
static void ep_32_the_example_reads_and_writes(void **state)
{
    (void)state;
    same_again(EP_EXAMPLE);
    char *made = ep_with_trailer(EP_EXAMPLE_BODY);
    assert_string_equal(made, EP_EXAMPLE);
    free(made);
    char error[600];
    struct ep_profile *profile = ep_of_text(EP_EXAMPLE, strlen(EP_EXAMPLE), error);
    assert_int_equal(ep_profile_number(profile, EP_H_EVENTS_TOTAL), 15);
    assert_true(ep_profile_is(profile, EP_H_PROGRAM, "ex"));
    ep_profile_free(profile);
}

static const struct ep_site_facts example_sites[] = {
    {0x1003c, 0x10010, 0, EP_SITE_COND, 4, true, "a7x7"}, {0x10010, 0x10018, 0, EP_SITE_COND, 6, true, "ec7e"},
    {0x1001c, 0x10024, 0, EP_SITE_COND, 4, true, "a7x4"}, {0x10030, 0x10038, 0, EP_SITE_COND, 6, true, "ec7d"},
    {0x10028, 0x10040, 0, EP_SITE_COND, 4, true, "a7x4"},
};

/* What a collector tells for the three samples of the example: branches of F one after the other. */
static void tell_samples(struct ep_profile *p)
{
    static const struct {
        uint64_t at, to;
        unsigned taken;
    } told[3][4] = {{{0x10010, 0x10018, 1}, {0x1001c, 0x10024, 1}, {0x10028, 0x1002c, 0}, {0x10030, 0x10038, 1}},
                    {{0x1003c, 0x10010, 1}, {0x10010, 0x10018, 1}, {0x1001c, 0x10024, 1}, {0x10028, 0x1002c, 0}},
                    {{0x10030, 0x10038, 1}, {0x1003c, 0x10010, 1}, {0x10010, 0x10016, 0}, {0x1001c, 0x10024, 1}}};
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k < 4; k++) {
            const struct ep_row edge = {.from = told[i][k].at,
                                        .to = told[i][k].to,
                                        .kind = told[i][k].taken ? EP_TAKEN : EP_NOT_TAKEN,
                                        .units = 1};
            assert_int_equal(ep_profile_add(p, EP_EDGES, &edge), 0);
            if (!k)
                continue;
            const struct ep_row run = {
                .from = told[i][k - 1].to, .to = told[i][k].at, .kind = EP_RUN_BRANCH, .units = 1};
            assert_int_equal(ep_profile_add(p, EP_RUNS, &run), 0);
        }
    }
}

static struct ep_profile *told_example(void)
{
    static const struct {
        enum ep_header header;
        const char *value;
    } values[] = {{EP_H_MODE, "edge"},
                  {EP_H_SOURCE, "native"},
                  {EP_H_EVENT, "branch"},
                  {EP_H_RATE_BASE, "4"},
                  {EP_H_RATE_DELTA, "0"},
                  {EP_H_SEED, "1"},
                  {EP_H_TBT, "4"},
                  {EP_H_CBT, "4"},
                  {EP_H_SHORT_POLICY, "auto"},
                  {EP_H_APPEND_NT, "1"},
                  {EP_H_NORM, "none"},
                  {EP_H_UNIT, "1"},
                  {EP_H_EVENTS_TOTAL, "15"},
                  {EP_H_SAMPLES_TRIGGERED, "3"},
                  {EP_H_SAMPLES_ACCEPTED, "3"},
                  {EP_H_PROGRAM, "ex"}};
    struct ep_profile *p = ep_profile_new();
    uint32_t space = 7, module = 7;
    assert_non_null(p);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_int_equal(ep_profile_set(p, values[i].header, values[i].value), 0);
    assert_int_equal(ep_profile_space(p, &(struct ep_space){.kind = EP_SPACE_PRIMARY}, &space), 0);
    assert_int_equal(ep_profile_module(p, &(struct ep_module){.start = 0x10000, .end = 0x10048, .name = "ex"}, &module),
                     0);
    assert_int_equal(
        ep_profile_function(p, &(struct ep_function){.start = 0x10000, .end = 0x10048, .name = "_start"}, NULL), 0);
    assert_int_equal(space | module, 0);
    tell_samples(p);
    for (size_t i = 0; i < sizeof example_sites / sizeof *example_sites; i++)
        assert_int_equal(ep_profile_site(p, &example_sites[i]), 0);
    assert_int_equal(ep_profile_count(p, "drop.short", 0), 0);
    assert_int_equal(ep_profile_count(p, "drop.flow", 0), 0);
    return p;
}

/* Branches told one by one, sites and counters in any order: the file of the example. Writing changes nothing. */
static void ep_50_53_54_a_collector_makes_the_example(void **state)
{
    (void)state;
    char error[600];
    struct ep_profile *p = told_example();
    for (unsigned i = 0; i < 2; i++) {
        char *text = ep_to_text(p, error);
        if (!text)
            fail_msg("%s", error);
        assert_string_equal(text, EP_EXAMPLE);
        free(text);
    }
    tell_samples(p); /* amid collecting: everything twice */
    char *text = ep_to_text(p, error);
    assert_non_null(strstr(text, "H branch-units 24\n"));
    assert_non_null(strstr(text, "E 0 1001c 0 10024 T 6\n"));
    free(text);
    ep_profile_free(p);
}

static void ep_51_counts_stay_at_the_largest(void **state)
{
    (void)state;
    char error[600];
    struct ep_profile *p = told_example();
    struct ep_row row = {.from = 0x10010, .to = 0x10018, .units = UINT64_MAX - 2};
    assert_int_equal(ep_profile_add(p, EP_EDGES, &row), 0);
    assert_false(ep_profile_saturated(p));
    row.units = 1;
    assert_int_equal(ep_profile_add(p, EP_EDGES, &row), 0);
    assert_true(ep_profile_saturated(p));
    char *text = ep_to_text(p, error);
    assert_non_null(strstr(text, "E 0 10010 0 10018 T 18446744073709551615\n"));
    assert_non_null(strstr(text, "H branch-units 18446744073709551615\n"));
    same_again(text);
    free(text);
    ep_profile_free(p);
}

/* Thousands of spaces and edges, told from the last to the first: the numbers follow the order of the lines. */
static void ep_79_the_order_does_not_depend_on_the_telling(void **state)
{
    (void)state;
    char error[600], *texts[2];
    for (unsigned way = 0; way < 2; way++) {
        struct ep_profile *p = told_example();
        for (unsigned n = 0; n < 3000; n++) {
            const unsigned i = way ? 2999 - n : n;
            uint32_t space;
            const struct ep_space s = {
                .kind = (uint8_t)(i % EP_SPACE_KINDS), .token = i / 7 * 0x1000, .name = i % 2 ? "a b" : ""};
            assert_int_equal(ep_profile_space(p, &s, &space), 0);
            const struct ep_row row = {.from = 0x10010, .to = 4 * i, .from_space = 0, .to_space = space, .units = i};
            assert_int_equal(ep_profile_add(p, EP_EDGES, &row), 0);
        }
        texts[way] = ep_to_text(p, error);
        ep_profile_free(p);
    }
    assert_string_equal(texts[0], texts[1]);
    same_again(texts[0]);
    free(texts[0]);
    free(texts[1]);
}

/* A site through EXECUTE, code that changes: the facts of both. */
static void ep_50_facts_about_a_site_are_joined(void **state)
{
    (void)state;
    static const struct ep_site_facts facts[] = {{0x20, 0, 0, EP_SITE_CALL, 4, false, "44/a7x5"},
                                                 {0x20, 0, 0, EP_SITE_COND, 4, false, "44/a7x4"},
                                                 {0x20, 0, 0, EP_SITE_RET, 4, false, "44/07"}};
    char error[600];
    struct ep_profile *p = told_example();
    const struct ep_row row = {.from = 0x20, .to = 0x30, .units = 1};
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(ep_profile_site(p, &facts[i]), 0);
    assert_int_equal(ep_profile_add(p, EP_EDGES, &row), 0);
    char *text = ep_to_text(p, error);
    assert_non_null(strstr(text, "B 0 20 cond 4 - 44/07\n"));
    same_again(text);
    free(text);
    ep_profile_free(p);
}

static void what_cannot_be_is_refused_when_told(void **state)
{
    (void)state;
    char error[600], longest[EP_NAME_MOST + 2];
    struct ep_profile *p = told_example();
    memset(longest, 'a', sizeof longest);
    longest[EP_NAME_MOST + 1] = 0;
    assert_int_equal(ep_profile_set(p, EP_H_MODE, "edges"), -EINVAL);
    assert_int_equal(ep_profile_set_number(p, EP_H_UNIT, 3), -EINVAL);
    assert_int_equal(ep_profile_set(p, EP_H_PROGRAM, longest), -ENAMETOOLONG);
    assert_int_equal(ep_profile_space(p, &(struct ep_space){.kind = 9}, NULL), -EINVAL);
    assert_int_equal(ep_profile_module(p, &(struct ep_module){.space = 1, .end = 1}, NULL), -EINVAL);
    assert_int_equal(ep_profile_module(p, &(struct ep_module){.start = 1, .end = 1}, NULL), -EINVAL);
    assert_int_equal(ep_profile_function(p, &(struct ep_function){.module = 1, .end = 1}, NULL), -EINVAL);
    assert_int_equal(ep_profile_site(p, &(struct ep_site_facts){.length = 3, .opcode = "07"}), -EINVAL);
    assert_int_equal(ep_profile_site(p, &(struct ep_site_facts){.length = 2, .opcode = "07g"}), -EINVAL);
    assert_int_equal(ep_profile_add(p, EP_EDGES, &(struct ep_row){.kind = 2}), -EINVAL);
    assert_int_equal(ep_profile_add(p, EP_SITES, &(struct ep_row){.kind = 0}), -EINVAL);
    assert_int_equal(ep_profile_add(p, EP_GAPS, &(struct ep_row){.to_space = 1}), -EINVAL);
    assert_int_equal(ep_profile_count(p, "lost.flow", 1), -EINVAL);
    const struct ep_row row = {.from = 0x20, .to = 0x30, .units = 1};
    assert_int_equal(ep_profile_add(p, EP_EDGES, &row), 0); /* and no site for it */
    assert_null(ep_to_text(p, error));
    assert_string_equal(error,
                        "the profile has an edge and no line B for its branch at 20; tell every site of an edge or "
                        "call, and no others");
    ep_profile_free(p);
}

static void names_are_percent_encoded(void **state)
{
    (void)state;
    char error[600];
    struct ep_profile *p = told_example();
    assert_int_equal(ep_profile_set(p, EP_H_PROGRAM, "a b%c\n\xc3\xa9;"), 0);
    assert_int_equal(ep_profile_space(p, &(struct ep_space){.kind = EP_SPACE_REAL, .name = "-"}, NULL), 0);
    char *text = ep_to_text(p, error);
    assert_non_null(strstr(text, "H program a%20b%25c%0a%c3%a9;\n"));
    assert_non_null(strstr(text, "S 1 real 0000000000000000 %2d\n"));
    same_again(text);
    free(text);
    ep_profile_free(p);
}

/* A text, what is put in place of what in it, and what is said then. */
struct damage {
    const char *what, *by, *said;
};

static void try_damage(const struct damage *d, bool trailer)
{
    char error[600], *text = malloc(100000);
    const char *at = strstr(EP_EXAMPLE, d->what);
    assert_non_null(at);
    snprintf(text, 100000, "%.*s%s%s", (int)(at - EP_EXAMPLE), EP_EXAMPLE, d->by, at + strlen(d->what));
    if (trailer) {
        *strstr(text, "\nZ ") = 0;
        strcat(text, "\n");
        char *whole = ep_with_trailer(text);
        free(text);
        text = whole;
    }
    struct ep_profile *profile = ep_of_text(text, strlen(text), error);
    if (profile || !strstr(error, d->said) || (strncmp(error, "line ", 5) && strncmp(error, "this is", 7)) ||
        !strchr(error, ';'))
        fail_msg("'%.40s' instead of '%.40s': %s", d->by, d->what, profile ? "accepted" : error);
    free(text);
}

/* Lines that are wrong, with a check sum that is right. */
static void ep_91_malformed_lines_are_refused(void **state)
{
    (void)state;
    static const struct damage damages[] = {
        {"ZEPROF 1", "ZEPROF 2", "line 1: version '2'"},
        {"ZEPROF 1", "ZEPROG 1", "line 1: it is not 'ZEPROF 1'"},
        {"ZEPROF 1", "ZTBTLOG1", "this is a sample log"},
        {"H mode edge", "H mode edges", "line 2: header mode cannot be 'edges'"},
        {"H mode edge\n", "", "line 41: header mode is nowhere"},
        {"H mode edge\n", "H mode edge\nH mode edge\n", "line 3: header mode is there twice"},
        {"H event branch\n", "H rate-base 4\nH event branch\n", "line 5: header event is out of order"},
        {"H seed 1", "H seed 01", "line 7: header seed cannot"},
        {"H seed 1", "H seed 18446744073709551616", "line 7: header seed cannot"},
        {"H seed 1", "H  seed 1", "line 7: an empty field"},
        {"H seed 1", "H seed 1 ", "line 7: an empty field"},
        {"H seed 1", "H seed 1 2", "line 7: 4 fields"},
        {"H seed 1", "Hh seed 1", "line 7: there is no type of line 'Hh'"},
        {"H unit 1", "H unit 10", "line 13: header unit cannot"},
        {"H events-total 15", "H events-total mixed", "line 14: header events-total cannot"},
        {"H program ex", "H program e%78", "line 19: header program cannot"},
        {"H program ex", "H program e%2", "line 19: header program cannot"},
        {"H program ex", "H program e\tx", "line 19: its byte 12 is X'09'"},
        {"H branch-units 12", "H branch-units 13", "12 units of branches and 9"},
        {"H run-units 9", "H run-units 8", "12 units of branches and 9"},
        {"S 0 primary", "S 1 primary", "line 20: its number is 1, and 0 comes next"},
        {"primary", "other", "line 20: 'other' cannot stand in field 3 of a line S"},
        {"0000000000000000", "000000000000000", "line 20: '000000000000000' is no token"},
        {"0000000000000000 -", "0000000000000000", "line 20: 4 fields"},
        {"M 0 0 10000", "M 0 1 10000", "line 21: there is no space 1"},
        {"M 0 0 10000", "M 0 0 010000", "line 21: '010000' is no address"},
        {"M 0 0 10000", "M 0 0 0x10000", "line 21: '0x10000' is no address"},
        {"M 0 0 10000 10048", "M 0 0 10000 10000", "line 21: it ends at 10000"},
        {"sha256:-", "sha256:00", "line 21: 'sha256:00' is no digest"},
        {"F 0 0", "F 0 1", "line 22: there is no module 1"},
        {"B 0 10010 cond 6", "B 0 10010 cond 5", "line 23: no site has length '5'"},
        {"B 0 10010 cond 6", "B 0 10010 con 6", "line 23: 'con' cannot"},
        {"10018 ec7e", "10018 44/07", "line 23: no site has"},
        {"10018 ec7e", "10018 ec7e07070707", "line 23: no site has"},
        {"B 0 10028 cond 4 10040 a7x4\n", "", "line 30: the profile has an edge and no line B for its branch at 10028"},
        {"E 0 10028 0 1002c N 2\n", "", "line 25: the profile has no edge and no call for the site at 10028"},
        {"T 2\n", "T 2\nE 0 10010 0 10018 T 2\n", "line 29: it is there twice"},
        {"E 0 10010 0 10018 T 2\nE 0 10010 0 10016 N 1\n", "E 0 10010 0 10016 N 1\nE 0 10010 0 10018 T 2\n",
         "line 29: it is out of order"},
        {"E 0 10010 0 10018 T 2", "E 0 10010 0 10018 X 2", "line 28: 'X' cannot"},
        {"E 0 10010 0 10018 T 2", "E 0 10010 0 10018 T -2", "line 28: '-2' is no decimal"},
        {"E 0 10010 0 10018 T 2", "E 0 10010 0 10000000000000018 T 2", "line 28: '10000000000000018' is no address"},
        {"R 0 10010 10010 B 2", "C 0 10010 0 10010 2", "line 35: lines R stand before lines C"},
        {"D drop.flow", "G 0 1 0 2 jump 1\nD drop.flow", "line 40: 'jump' cannot"},
        {"D drop.flow", "D flow", "line 40: 'flow' is no counter"},
        {"D drop.short 0\n", "C 0 10010 0 10010 2\n", "line 41: lines C stand before lines D"},
        {"D drop.short 0\n", "Q 0 10010 0 10010 2\n", "line 41: there is no type of line 'Q'"},
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++)
        try_damage(&damages[i], true);
}

/* The trailer, and what does not go with it. */
static void ep_91_count_and_check_sum_are_looked_at(void **state)
{
    (void)state;
    static const struct damage damages[] = {
        {"Z 41", "Z 40", "line 42: 40 lines are said to be before it, and there are 41"},
        {"a29f6999", "a29f6998", "line 42: the check sum of the lines before it is a29f6999, not a29f6998"},
        {"a29f6999", "A29F6999", "line 42: 'A29F6999' is no check sum"},
        {"a29f6999\n", "a29f6999", "line 42: the file ends in the middle"},
        {"a29f6999\n", "a29f6999\n\n", "line 43: nothing may stand behind"},
        {"Z 41 a29f6999\n", "", "line 42: the file ends before it, without a line Z"},
        {"seed 1", "seed 2", "line 42: the check sum"},
    };
    char error[600];
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++)
        try_damage(&damages[i], false);
    assert_null(ep_of_text("", 0, error));
    assert_non_null(strstr(error, "line 1: the file is empty"));
    for (size_t n = 1; n < strlen(EP_EXAMPLE); n++)
        assert_null(ep_of_text(EP_EXAMPLE, n, error));
    char *much = malloc(100000);
    memset(much, 'H', 100000);
    assert_null(ep_of_text(much, 100000, error));
    assert_non_null(strstr(error, "line 1: it is longer than"));
    free(much);
}

static void ep_91_unknown_headers_are_passed_over(void **state)
{
    (void)state;
    char error[600];
    const char *at = strstr(EP_EXAMPLE_BODY, "H seed");
    char body[4000];
    snprintf(body, sizeof body, "%.*sH tomorrow x\n%s", (int)(at - EP_EXAMPLE_BODY), EP_EXAMPLE_BODY, at);
    char *text = ep_with_trailer(body);
    struct ep_profile *profile = ep_of_text(text, strlen(text), error);
    if (!profile)
        fail_msg("%s", error);
    char *again = ep_to_text(profile, error);
    assert_string_equal(again, EP_EXAMPLE);
    free(again);
    free(text);
    ep_profile_free(profile);
}

/* No branch at all: a profile all the same. */
static void ep_89_a_profile_may_be_empty(void **state)
{
    (void)state;
    char error[600];
    struct ep_profile *p = told_example(), *empty = ep_profile_new();
    for (unsigned i = 0; i < EP_HEADERS; i++)
        if (ep_profile_header(p, i))
            assert_int_equal(ep_profile_set(empty, i, ep_profile_header(p, i)), 0);
    char *text = ep_to_text(empty, error);
    assert_non_null(text);
    same_again(text);
    assert_non_null(strstr(text, "H branch-units 0\nH run-units 0\nH program ex\nZ 19 "));
    free(text);
    ep_profile_free(empty);
    ep_profile_free(p);
}

/* Symbols that hold something, and names for what they do not. */
static void ep_92_functions_are_named(void **state)
{
    (void)state;
    static const struct ep_symbol symbols[] = {{0x3000, 0x3100, 0, "late"},    {0x1000, 0x1800, 0, "first"},
                                               {0x1010, 0x1020, 0, "inner"},   {0x1900, 0x1a00, 0, "never"},
                                               {0x9000, 0x9100, 0, "outside"}, {0x2500, 0x2500, 0, "nothing"}};
    static const struct {
        uint64_t from, to;
        enum ep_site_class class;
    } told[] = {{0x1010, 0x1500, EP_SITE_COND}, {0x1500, 0x2000, EP_SITE_CALL}, {0x2010, 0x2200, EP_SITE_CALL},
                {0x2210, 0x1850, EP_SITE_COND}, {0x1850, 0x3050, EP_SITE_COND}, {0x3050, 0x3200, EP_SITE_COND},
                {0x3200, 0x9000, EP_SITE_RET}};
    char error[600];
    struct ep_profile *p = ep_profile_new(), *example = told_example();
    for (unsigned i = 0; i < EP_HEADERS; i++)
        if (ep_profile_header(example, i))
            assert_int_equal(ep_profile_set(p, i, ep_profile_header(example, i)), 0);
    ep_profile_free(example);
    assert_int_equal(ep_profile_space(p, &(struct ep_space){.kind = EP_SPACE_REAL}, NULL), 0);
    assert_int_equal(ep_profile_module(p, &(struct ep_module){.start = 0x1000, .end = 0x4000, .name = "m"}, NULL), 0);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        const struct ep_site_facts site = {.at = told[i].from, .class = told[i].class, .length = 4, .opcode = "a7x5"};
        const struct ep_row row = {.from = told[i].from, .to = told[i].to, .units = 1};
        assert_int_equal(ep_profile_site(p, &site), 0);
        assert_int_equal(ep_profile_add(p, EP_EDGES, &row), 0);
    }
    assert_int_equal(ep_profile_name_functions(p, symbols, sizeof symbols / sizeof *symbols), 0);
    char *text = ep_to_text(p, error);
    if (!text)
        fail_msg("%s", error);
    /* 1850 lies between first and never; 2000 and 2200 were called; 3200 is behind late */
    if (!strstr(text,
                "F 0 0 1000 1800 first\nF 1 0 1010 1020 inner\nF 2 0 1800 1900 sub_1800\nF 3 0 2000 2200 sub_2000\n"
                "F 4 0 2200 3000 sub_2200\nF 5 0 3000 3100 late\nF 6 0 3100 4000 sub_3100\nB "))
        fail_msg("%s", text);
    free(text);
    assert_int_equal(ep_profile_name_functions(p, symbols, sizeof symbols / sizeof *symbols), 0); /* nothing new */
    uint32_t count;
    ep_profile_list(p, EP_FUNCTIONS, &count);
    assert_int_equal(count, 7);
    ep_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ep_32_the_example_reads_and_writes),
        cmocka_unit_test(ep_50_53_54_a_collector_makes_the_example),
        cmocka_unit_test(ep_51_counts_stay_at_the_largest),
        cmocka_unit_test(ep_79_the_order_does_not_depend_on_the_telling),
        cmocka_unit_test(ep_50_facts_about_a_site_are_joined),
        cmocka_unit_test(what_cannot_be_is_refused_when_told),
        cmocka_unit_test(names_are_percent_encoded),
        cmocka_unit_test(ep_91_malformed_lines_are_refused),
        cmocka_unit_test(ep_91_count_and_check_sum_are_looked_at),
        cmocka_unit_test(ep_91_unknown_headers_are_passed_over),
        cmocka_unit_test(ep_89_a_profile_may_be_empty),
        cmocka_unit_test(ep_92_functions_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
