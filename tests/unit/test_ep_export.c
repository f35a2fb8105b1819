/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of edge profiles and the code behind them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "ri/profile/show/output.h"
#include "tests/unit/ep_example.h"
#include "tests/unit/ep_source.h"

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

#define HAS(text, part)                                                                                                \
    do {                                                                                                               \
        if (!strstr(text, part))                                                                                       \
            fail_msg("no %s in:\n%s", part, text);                                                                     \
    } while (0)

static struct ep_code_source example = {ep_source_code, sizeof ep_source_code, EP_SOURCE_BASE, NULL, 0};

struct walked {
    uint64_t at[64];
    unsigned count, most;
};
static int note(void *context, uint64_t address, const uint8_t bytes[6])
{
    struct walked *w = context;
    assert_memory_equal(bytes, ep_source_code + (address - EP_SOURCE_BASE), 2);
    w->at[w->count++] = address;
    return w->count == w->most ? -ECANCELED : 0;
}

static void ep_53_96_instructions_of_a_run(void **state)
{
    (void)state;
    const struct ep_source source = ep_source_of(&example);
    struct walked w = {.most = 64};
    char error[600];
    assert_int_equal(ep_source_walk(&source, 0, 0x10016, 0x1001c, note, &w, error, sizeof error), 0);
    assert_int_equal(w.count, 3);
    assert_int_equal(w.at[0], 0x10016);
    assert_int_equal(w.at[1], 0x10018);
    assert_int_equal(w.at[2], 0x1001c);
    w = (struct walked){.most = 2};
    assert_int_equal(ep_source_walk(&source, 0, 0x10016, 0x1001c, note, &w, error, sizeof error), -ECANCELED);
    w = (struct walked){.most = 64};
    assert_int_equal(ep_source_walk(&source, 0, 0x10016, 0x1001a, note, &w, error, sizeof error), -ENOENT);
    HAS(error, "from 10016 of space 0 has no instruction at 1001a");
    w = (struct walked){.most = 64};
    assert_int_equal(ep_source_walk(&source, 0, 0x10040, 0x10050, note, &w, error, sizeof error), -ENOENT);
    HAS(error, "no code at 10046 of space 0");
    w = (struct walked){.most = 64};
    assert_int_equal(ep_source_walk(&source, 0, 0x1001c, 0x10018, note, &w, error, sizeof error), -ENOENT);
}

static void ep_96_the_module_without_code_is_named(void **state)
{
    (void)state;
    struct ep_profile *p = of_body(EP_EXAMPLE_BODY);
    const struct ep_source source = ep_source_of(&example);
    struct ep_code_source none = {NULL, 0, 0, NULL, 0};
    const struct ep_source empty = ep_source_of(&none);
    char error[600];
    assert_int_equal(ep_source_complete(&source, p, error, sizeof error), 0);
    assert_int_equal(ep_source_complete(&empty, p, error, sizeof error), -ENOENT);
    HAS(error, "module ex;");
    HAS(error, "--symbols");
    error[0] = 0;
    assert_int_equal(ep_source_complete(NULL, p, error, sizeof error), -ENOENT);
    HAS(error, "module ex;");
    ep_profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ep_53_96_instructions_of_a_run),
        cmocka_unit_test(ep_96_the_module_without_code_is_named),
    };
    return cmocka_run_group_tests_name("ep_export", tests, NULL, NULL);
}
