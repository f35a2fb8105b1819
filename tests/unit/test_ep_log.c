/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sample logs of edge profiles: what is built from one is what was collected on the way; damage is found. */
#include "ri/profile/build.h"
#include "ri/profile/file/internal.h"
#include "tests/unit/ep_world.h"
#include "tests/unit/ep_example.h"
#include <errno.h>
#include <string.h>

struct logged {
    struct world *w;
    struct ep_bytes log;
    struct ep_log_writer writer;
    struct ep_log_header header;
    struct ep_profile *profile;
    struct ep_collector collector;
    struct ep_code code;
};

static void sampled(void *context, const struct ep_sample *s)
{
    struct logged *l = context;
    assert_int_equal(ep_log_sample(&l->writer, s), 0);
    sample(l->w, s);
}
static void branched(void *context, uint16_t cpu, const struct ep_branch *b)
{
    complete(((struct logged *)context)->w, cpu, b);
}
static void executed(void *context, uint16_t cpu, struct ep_place place, const struct ep_target *t)
{
    assert_int_equal(ep_log_target(&((struct logged *)context)->writer, cpu, place, t), 0);
}

static const struct ep_space one_space = {.kind = EP_SPACE_PRIMARY, .token = 0x1000, .name = "guest"};
static const struct ep_module one_module = {.start = BASE, .end = BASE + CODE_SIZE, .name = "program"};

/* A world whose samples are collected on the way and logged as well. */
static struct logged *log_of(struct world *w)
{
    const struct ep_sink sink = {NULL, ep_bytes_put};
    struct logged *l = calloc(1, sizeof *l);
    assert_non_null(l);
    l->w = w;
    l->profile = ep_profile_new();
    assert_non_null(l->profile);
    l->code = (struct ep_code){w, fetch, targets};
    ep_collector_begin(&l->collector, l->profile, &w->rules);
    l->header = (struct ep_log_header){.parameters = w->unit.parameters, .cbt = w->rules.cbt, .cpus = 1};
    struct ep_sink to = sink;
    to.context = &l->log;
    assert_int_equal(ep_log_begin(&l->writer, &to, &l->header), 0);
    assert_int_equal(ep_build_parameters(&l->writer, &w->rules, "any", "a program"), 0);
    for (unsigned i = 0; i <= SPACE; i++) {
        assert_int_equal(ep_collector_space(&l->collector, &one_space), 0);
        assert_int_equal(ep_log_space(&l->writer, i, &one_space), 0);
    }
    struct ep_log_module module = {.module = one_module, .last_epoch = UINT64_MAX};
    module.module.space = SPACE;
    assert_int_equal(ep_log_module(&l->writer, &module), 0);
    module.module.space = l->collector.space[SPACE];
    assert_int_equal(ep_profile_module(l->profile, &module.module, NULL), 0);
    w->collector = &l->collector;
    w->code_of = &l->code;
    w->unit.sample = sampled;
    w->unit.branch = branched;
    w->unit.target = executed;
    w->unit.context = l;
    return l;
}

static void end_log(struct logged *l)
{
    assert_int_equal(ep_log_end(&l->writer, &l->w->unit.pmc.total, 1), 0);
    assert_int_equal(
        ep_collector_tell(&l->collector, &l->w->unit.parameters, &l->w->rules, l->w->unit.pmc.total, "a program"), 0);
}
static void forget(struct logged *l)
{
    ep_collector_end(&l->collector);
    ep_profile_free(l->profile);
    world_end(l->w);
    free(l->log.bytes);
    free(l);
}

static bool image(void *context, uint32_t number, uint64_t address, uint8_t bytes[6])
{
    uint64_t epoch;
    return number == SPACE && fetch(context, at(address), bytes, &epoch);
}

/* The profile of `size` bytes of a log. */
static int build(struct logged *l, const char *bytes, size_t size, struct ep_profile **profile, struct ep_built *built,
                 char error[600])
{
    struct ep_bytes from = {.bytes = (char *)(uintptr_t)bytes, .size = size};
    const struct ep_input input = {&from, ep_bytes_read};
    const struct ep_images images = {.context = l->w, .fetch = image};
    struct ep_log_header header;
    error[0] = 0;
    *profile = ep_profile_new();
    assert_non_null(*profile);
    int bad = ep_log_read_header(&input, &header, error, 600);
    return bad ? bad : ep_build(&input, &header, &images, *profile, built, error, 600);
}

static void same_profile(struct logged *l)
{
    struct ep_profile *again;
    struct ep_built built;
    char error[600];
    if (build(l, l->log.bytes, l->log.size, &again, &built, error))
        fail_msg("%s", error);
    assert_false(built.truncated);
    assert_int_equal(built.triggered, l->w->samples);
    char *a = ep_to_text(l->profile, error), *b = ep_to_text(again, error);
    assert_non_null(a);
    assert_non_null(b);
    assert_string_equal(a, b);
    free(a);
    free(b);
    ep_profile_free(again);
}

static struct logged *random_log(uint64_t seed, struct ep_rules rules, unsigned tbt, unsigned instructions)
{
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->random = seed * 2 + 1;
    make_program(w, EXECUTES);
    world_begin(w, tbt, rules, 8 + seed % 50, all);
    struct logged *l = log_of(w);
    w->biased = !rules.append_nt || rules.event == EP_EVENT_CALL;
    for (unsigned i = 0; i < instructions; i++)
        random_step_of(w, seed & 1);
    end_log(l);
    return l;
}

/* AT-10, of a log. */
static void ep_t10_32_34_what_is_built_is_what_was_collected(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        const struct ep_rules rules = {.cbt = 1 + seed % 15,
                                       .event = (unsigned)(seed % 3),
                                       .short_is = (unsigned)(seed / 3 % 3),
                                       .walk_limit = seed % 7 ? EP_WALK_LIMIT : 20,
                                       .append_nt = seed % 5,
                                       .weigh = seed % 3 == EP_EVENT_INSN && seed % 2};
        struct logged *l = random_log(seed, rules, 16, 4000);
        same_profile(l);
        forget(l);
    }
}

/* Pages that have changed break traces in a log, too. */
static void ep_65_pages_that_changed(void **state)
{
    const struct ep_rules rules = {.cbt = 8, .walk_limit = EP_WALK_LIMIT, .append_nt = true};
    (void)state;
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->random = 77;
    make_program(w, BRANCHES_ALONE);
    world_begin(w, 8, rules, 20, all);
    struct logged *l = log_of(w);
    for (unsigned i = 0; i < 20000; i++) {
        random_step_of(w, false);
        if (i % 100 == 0) {
            w->changed = ++w->epoch;
            assert_int_equal(ep_log_changed(&l->writer, SPACE, BASE, w->epoch), 0);
        }
    }
    end_log(l);
    assert_true(w->dropped[EP_DROP_SMC] > 10 && w->dropped[EP_ACCEPTED] > 10);
    same_profile(l);
    forget(l);
}

/* Samples that never came into the log are counted as such. */
static void ep_33_81_what_was_lost_is_counted(void **state)
{
    const struct ep_rules rules = {.cbt = 4, .walk_limit = EP_WALK_LIMIT, .append_nt = true};
    struct ep_profile *profile;
    struct ep_built built;
    char error[600];
    (void)state;
    struct logged *l = random_log(3, rules, 4, 300);
    struct logged *other = random_log(3, rules, 4, 0);
    /* The first log once more, with two records in front of its end. */
    const size_t end = l->log.size - 32;
    other->log.size = 0;
    other->writer.crc = ep_crc32(0, l->log.bytes, end);
    ep_bytes_put(&other->log, l->log.bytes, end);
    assert_int_equal(ep_log_lost(&other->writer, 0, 1, 5), 0);
    assert_int_equal(ep_log_lost(&other->writer, 0, 1, 2), 0);
    assert_int_equal(ep_log_end(&other->writer, &l->w->unit.pmc.total, 1), 0);
    if (build(l, other->log.bytes, other->log.size, &profile, &built, error))
        fail_msg("%s", error);
    assert_false(built.truncated);
    assert_int_equal(built.triggered, l->w->samples + 7);
    assert_int_equal(ep_profile_counter(profile, "drop.queue"), 7);
    ep_profile_free(profile);
    forget(other);
    forget(l);
}

/* ---- damage ----------------------------------------------------------------------------------------------------- */

static const struct ep_rules usual = {.cbt = 4, .walk_limit = EP_WALK_LIMIT, .append_nt = true};

/* A log that ends early is used as far as it goes, and said to be truncated; without its header it is refused. */
static void ep_91_every_truncation(void **state)
{
    (void)state;
    struct logged *l = random_log(3, usual, 4, 300);
    for (size_t size = 0; size < l->log.size; size++) {
        struct ep_profile *profile;
        struct ep_built built = {0};
        char error[600];
        const int bad = build(l, l->log.bytes, size, &profile, &built, error);
        if (bad ? bad != -EINVAL || !error[0] : !built.truncated)
            fail_msg("%zu of %zu bytes: %d '%s'", size, l->log.size, bad, error);
        if (size < 64)
            assert_int_equal(bad, -EINVAL);
        ep_profile_free(profile);
    }
    forget(l);
}

/* Every bit that is wrong is found. */
static void ep_91_every_single_bit(void **state)
{
    (void)state;
    struct logged *l = random_log(3, usual, 4, 200);
    for (size_t bit = 0; bit < l->log.size * 8; bit++) {
        struct ep_profile *profile;
        struct ep_built built = {0};
        char error[600];
        /* The last four bytes are filling. */
        if (bit / 8 >= l->log.size - 4)
            continue;
        l->log.bytes[bit / 8] ^= (char)(0x80 >> bit % 8);
        const int bad = build(l, l->log.bytes, l->log.size, &profile, &built, error);
        l->log.bytes[bit / 8] ^= (char)(0x80 >> bit % 8);
        if (bad ? bad != -EINVAL || !error[0] : !built.truncated)
            fail_msg("bit %zu: %d '%s'", bit, bad, error);
        ep_profile_free(profile);
    }
    forget(l);
}

/* Types of records that are not known are passed over, however long they are. */
static void ep_91_unknown_records(void **state)
{
    (void)state;
    struct logged *l = random_log(4, usual, 4, 300);
    struct ep_bytes more = {0};
    const size_t long_one = 3000000;
    char *filling = calloc(1, long_one);
    assert_non_null(filling);
    put16(filling, 999);
    put32(filling + 4, (uint32_t)long_one);
    ep_bytes_put(&more, l->log.bytes, 64);
    ep_bytes_put(&more, filling, long_one);
    ep_bytes_put(&more, l->log.bytes + 64, l->log.size - 64);
    put32(more.bytes + more.size - 8, ep_crc32(0, more.bytes, more.size - 8));
    struct ep_profile *profile;
    struct ep_built built = {0};
    char error[600];
    if (build(l, more.bytes, more.size, &profile, &built, error))
        fail_msg("%s", error);
    assert_false(built.truncated);
    assert_int_equal(built.accepted, l->w->dropped[EP_ACCEPTED]);
    ep_profile_free(profile);
    free(more.bytes);
    free(filling);
    forget(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ep_t10_32_34_what_is_built_is_what_was_collected),
        cmocka_unit_test(ep_65_pages_that_changed),
        cmocka_unit_test(ep_33_81_what_was_lost_is_counted),
        cmocka_unit_test(ep_91_every_truncation),
        cmocka_unit_test(ep_91_every_single_bit),
        cmocka_unit_test(ep_91_unknown_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
