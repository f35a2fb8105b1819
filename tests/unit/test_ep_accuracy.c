/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge profiles: what is sampled against what completed (acceptance tests of the specification 5.5, by events; overlap
   and floor are those of 5.3 and 5.4). */
#include "tests/unit/ep_world.h"
#include <math.h>
#include <stdio.h>

/* ---- a world that collects -------------------------------------------------------------------------------------- */

struct measured {
    struct world *w;
    struct ep_profile *profile;
    struct ep_collector collector;
    struct ep_code code;
};

static struct measured *measure(struct world *w, bool biased)
{
    const struct ep_space space = {.kind = EP_SPACE_PRIMARY};
    struct measured *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->w = w;
    m->profile = ep_profile_new();
    assert_non_null(m->profile);
    m->code = (struct ep_code){w, fetch, targets};
    ep_collector_begin(&m->collector, m->profile, &w->rules);
    for (unsigned i = 0; i <= SPACE; i++)
        assert_int_equal(ep_collector_space(&m->collector, &space), 0);
    w->collector = &m->collector;
    w->code_of = &m->code;
    w->biased = biased;
    return m;
}
static void measured_end(struct measured *m)
{
    ep_collector_end(&m->collector);
    ep_profile_free(m->profile);
    world_end(m->w);
    free(m);
}

/* Branch j of what completed, counted weight(j) times. */
static struct ep_profile *exact(const struct world *w, uint64_t (*weight)(const struct world *w, size_t j))
{
    const struct ep_space space = {.kind = EP_SPACE_PRIMARY};
    struct ep_profile *p = ep_profile_new();
    uint32_t id;
    assert_non_null(p);
    assert_int_equal(ep_profile_space(p, &space, &id), 0);
    for (size_t j = 0; j < w->count; j++) {
        const struct done *d = &w->done[j];
        const struct ep_row row = {
            .from = d->from, .to = d->to, .kind = d->taken ? EP_TAKEN : EP_NOT_TAKEN, .units = weight(w, j)};
        if (row.units)
            assert_int_equal(ep_profile_add(p, EP_EDGES, &row), 0);
    }
    assert_int_equal(ep_profile_settle(p), 0);
    return p;
}
static uint64_t once(const struct world *w, size_t j)
{
    (void)w;
    (void)j;
    return 1;
}
/* Samples that hold branch j when every branch is a trigger. */
static uint64_t covered(const struct world *w, size_t j)
{
    return w->count - j < w->rules.cbt ? w->count - j : w->rules.cbt;
}
/* When samples lie side by side. */
static uint64_t tiled(const struct world *w, size_t j) { return j < w->count / w->rules.cbt * w->rules.cbt; }

static struct ep_profile *collected(struct measured *m)
{
    assert_int_equal(ep_collector_settle(&m->collector), 0);
    return m->profile;
}

static const struct ep_row *edges(const struct ep_profile *p, uint32_t *count, double *sum)
{
    const struct ep_row *row = ep_profile_list(p, EP_EDGES, count);
    *sum = 0;
    for (uint32_t i = 0; i < *count; i++)
        *sum += (double)row[i].units;
    return row;
}

/* The same edges, the same counts. */
static void same_edges(struct ep_profile *is, struct ep_profile *wanted)
{
    uint32_t n, k;
    double sum;
    assert_int_equal(ep_profile_settle(is), 0);
    const struct ep_row *a = edges(is, &n, &sum), *b = edges(wanted, &k, &sum);
    assert_int_equal(n, k);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(a[i].from, b[i].from);
        assert_int_equal(a[i].to, b[i].to);
        assert_int_equal(a[i].kind, b[i].kind);
        assert_int_equal(a[i].units, b[i].units);
    }
    ep_profile_free(wanted);
}

struct accuracy {
    double overlap, floor, not_taken[2]; /* shares of not-taken edges: sampled, true */
    uint32_t seen;
};

/* Sum of the smaller share of each edge; the lists are in the same order. */
static struct accuracy accuracy(struct measured *m)
{
    struct ep_profile *truth = exact(m->w, once);
    struct accuracy a = {0};
    uint32_t n, k;
    double q, p, noise = 0;
    assert_int_equal(ep_profile_settle(collected(m)), 0);
    const struct ep_row *is = edges(collected(m), &n, &q), *wanted = edges(truth, &k, &p);
    a.seen = n;
    for (uint32_t i = 0, j = 0; j < k; j++) {
        noise += sqrt((double)wanted[j].units / p);
        a.not_taken[1] += wanted[j].kind == EP_NOT_TAKEN ? (double)wanted[j].units / p : 0;
        if (i == n || is[i].from != wanted[j].from || is[i].to != wanted[j].to || is[i].kind != wanted[j].kind)
            continue;
        a.not_taken[0] += is[i].kind == EP_NOT_TAKEN ? (double)is[i].units / q : 0;
        a.overlap += fmin((double)is[i].units / q, (double)wanted[j].units / p);
        i++;
    }
    a.floor = 1 - noise / sqrt(2 * 3.14159265358979 * (double)m->w->dropped[EP_ACCEPTED]);
    ep_profile_free(truth);
    return a;
}

static struct measured *run_kinds(uint64_t seed, struct ep_rules rules, unsigned tbt, uint64_t base, uint64_t delta,
                                  unsigned instructions, bool biased, unsigned kinds)
{
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->random = seed * 2 + 1;
    make_program(w, kinds);
    world_begin(w, tbt, rules, base, all);
    w->unit.parameters.delta = delta;
    ep_pmc_init(&w->unit.pmc, base, delta, seed, 0);
    struct measured *m = measure(w, biased);
    for (unsigned i = 0; i < instructions; i++)
        random_step_of(w, false);
    return m;
}

static struct measured *run_random(uint64_t seed, struct ep_rules rules, unsigned tbt, uint64_t base, uint64_t delta,
                                   unsigned instructions, bool biased)
{
    /* Where an instruction such as SVC cuts runs that go on behind it, weights are not exact. */
    const unsigned kinds = rules.event == EP_EVENT_INSN ? BRANCHES_ALONE : EXECUTES;
    return run_kinds(seed, rules, tbt, base, delta, instructions, biased, kinds);
}

/* ---- acceptance ------------------------------------------------------------------------------------------------- */

static void ep_t1_49_50_every_branch_a_trigger(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const struct ep_rules rules = {
            .cbt = 1 + seed % 32, .walk_limit = EP_WALK_LIMIT, .append_nt = true, .short_is = EP_SHORT_KEEP};
        struct measured *m = run_random(seed, rules, 32, 1, 0, 4000, false);
        same_edges(collected(m), exact(m->w, covered));
        measured_end(m);
    }
}

static void ep_t3_24_samples_side_by_side(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const struct ep_rules rules = {.cbt = 1 + seed % 32, .walk_limit = EP_WALK_LIMIT, .append_nt = true};
        struct measured *m = run_random(seed, rules, 32, rules.cbt, 0, 8000, false);
        same_edges(collected(m), exact(m->w, tiled));
        measured_end(m);
    }
}

/* Branches of a loop at BASE: `n` conditional ones, of which the last is taken. */
static struct world *loop_of(unsigned n, struct ep_rules rules, unsigned tbt, uint64_t base, uint64_t delta)
{
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    for (unsigned i = 0; i < n; i++)
        append(w, "\xa7\x14\x00\x02", 4); /* each to the next */
    put16(w->code + w->size - 2, (uint16_t)(-(int)(w->size - 4) / 2));
    world_begin(w, tbt, rules, base, all);
    w->unit.parameters.delta = delta;
    ep_pmc_init(&w->unit.pmc, base, delta, 1, 0);
    return w;
}

static void conditional(struct world *w, bool taken)
{
    struct dis_insn insn;
    dis_decode(w->code + (w->ia - BASE), &insn);
    instruction(w, &insn, 4, false, taken, w->ia + (uint64_t)insn.i2);
}

/* Half of what completes is a loop of a taken branch, half one of three that are not taken and one that is. */
static double share_of_second(unsigned cbt, uint64_t *samples)
{
    const struct ep_rules rules = {
        .cbt = cbt, .walk_limit = EP_WALK_LIMIT, .append_nt = true, .short_is = EP_SHORT_KEEP};
    struct world *w = calloc(1, sizeof *w);
    double sum, second = 0;
    uint32_t n;
    assert_non_null(w);
    for (unsigned i = 0; i < 5; i++)
        append(w, "\xa7\x14\x00\x00", 4);
    put16(w->code + 18, (uint16_t)-6); /* back to the second */
    world_begin(w, 4, rules, 17, all);
    w->unit.parameters.delta = 1;
    ep_pmc_init(&w->unit.pmc, 17, 1, 1, 0);
    struct measured *m = measure(w, cbt > 4);
    for (unsigned i = 0; i < 16000; i++)
        conditional(w, true);
    gap(w, BASE + 4);
    for (unsigned i = 0; i < 16000; i++)
        conditional(w, i % 4 == 3);
    assert_int_equal(ep_profile_settle(collected(m)), 0);
    const struct ep_row *row = edges(collected(m), &n, &sum);
    for (uint32_t i = 0; i < n; i++)
        second += row[i].from != BASE ? (double)row[i].units / sum : 0;
    *samples = w->dropped[EP_ACCEPTED];
    measured_end(m);
    return second;
}

static void ep_t4_46_48_truncation(void **state)
{
    uint64_t samples;
    (void)state;
    const double cut = share_of_second(4, &samples), whole = share_of_second(64, &samples);
    assert_true(samples > 1800);
    if (fabs(cut - 0.5) > 0.02 || fabs(whole - 0.784) > 0.02)
        fail_msg("%f and %f", cut, whole);
}

static void ep_t5_40_without_triggers_that_were_not_taken(void **state)
{
    struct ep_rules rules = {.cbt = 16, .walk_limit = EP_WALK_LIMIT, .append_nt = true};
    (void)state;
    struct measured *m = run_random(5, rules, 16, 1, 0, 60000, false);
    const struct accuracy with = accuracy(m);
    measured_end(m);
    rules.append_nt = false;
    m = run_random(5, rules, 16, 1, 0, 60000, true);
    const struct accuracy without = accuracy(m);
    measured_end(m);
    assert_true(fabs(with.not_taken[0] - with.not_taken[1]) < 0.0005);
    assert_true(with.overlap > 0.999);
    assert_true(without.not_taken[0] < without.not_taken[1] - 0.003);
    assert_true(without.overlap < 0.995);
}

static struct accuracy locked(uint64_t base, uint64_t delta)
{
    const struct ep_rules rules = {.cbt = 16, .walk_limit = EP_WALK_LIMIT, .append_nt = true};
    struct measured *m = measure(loop_of(100, rules, 16, base, delta), false);
    while (m->w->samples < 10000)
        conditional(m->w, true);
    const struct accuracy a = accuracy(m);
    measured_end(m);
    return a;
}

static void ep_t6_26_28_98_locking(void **state)
{
    (void)state;
    const struct accuracy fixed = locked(100, 0), random = locked(100, 12), prime = locked(101, 0);
    assert_int_equal(fixed.seen, 16);
    assert_true(fabs(fixed.overlap - 0.16) < 1e-6);
    if (random.overlap < 0.9)
        fail_msg("%f", random.overlap);
    assert_true(prime.overlap > 0.999);
}

static void ep_t7_52_56_57_58_instructions_as_triggers(void **state)
{
    struct ep_rules rules = {.cbt = 15, .event = EP_EVENT_INSN, .walk_limit = EP_WALK_LIMIT, .short_is = EP_SHORT_KEEP};
    (void)state;
    for (unsigned kinds = RELATIVE_ALONE; kinds <= BRANCHES_ALONE; kinds += BRANCHES_ALONE - RELATIVE_ALONE) {
        double mean[3] = {0};
        for (uint64_t seed = 1; seed <= 6; seed++)
            for (rules.weigh = EP_NORM_NONE; rules.weigh <= EP_NORM_BLOCK; rules.weigh++) {
                struct measured *m = run_kinds(seed, rules, 16, 1, 0, 100000, false, kinds);
                const double overlap = accuracy(m).overlap;
                measured_end(m);
                mean[rules.weigh] += overlap / 6;
                if (rules.weigh == EP_NORM_RUN && overlap < 0.9995) /* the ends of a short run tell */
                    fail_msg("seed %u: %f", (unsigned)seed, overlap);
            }
        /* Where branches go anywhere each instruction is a block, in the end. */
        if (kinds == RELATIVE_ALONE &&
            (mean[EP_NORM_NONE] > mean[EP_NORM_BLOCK] - 0.002 || mean[EP_NORM_BLOCK] > mean[EP_NORM_RUN] - 0.002))
            fail_msg("%f, by runs %f, by blocks %f", mean[EP_NORM_NONE], mean[EP_NORM_RUN], mean[EP_NORM_BLOCK]);
        assert_true(mean[EP_NORM_NONE] < 0.99);
    }
}

/* Example 3.4: a run of two instructions and one of eight, one behind the other. With `middle`, a branch that is
   executed once would go into the midst of the second. Returns the share of the first one's branch. */
static double share_of_first(unsigned norm, bool middle)
{
    const struct ep_rules rules = {
        .cbt = 1, .event = EP_EVENT_INSN, .walk_limit = EP_WALK_LIMIT, .weigh = norm, .short_is = EP_SHORT_DROP};
    struct world *w = calloc(1, sizeof *w);
    struct dis_insn insn;
    double sum, first = 0;
    uint32_t n;
    assert_non_null(w);
    append(w, "\x18\x12", 2);
    append(w, "\xa7\xf4\x00\x02", 4);
    for (unsigned i = 0; i < 7; i++)
        append(w, "\x18\x12", 2);
    append(w, "\xa7\xf4\xff\xf6", 4);
    append(w, "\xa7\x74\xff\xfb", 4); /* executed at first, and not taken: to the fifth of the second run */
    append(w, "\xa7\xf4\xff\xf2", 4);
    world_begin(w, 2, rules, 1, all);
    struct measured *m = measure(w, true);
    for (unsigned i = 0; i < 2 + 1000 * 10; i++) {
        if (!i)
            gap(w, BASE + (middle ? 24 : 28));
        dis_decode(w->code + (w->ia - BASE), &insn);
        const bool taken = dis_edge_class(&insn) == DIS_EDGE_UNCOND;
        instruction(w, &insn, insn.length, false, taken, w->ia + (uint64_t)insn.i2);
    }
    assert_int_equal(ep_profile_settle(collected(m)), 0);
    const struct ep_row *row = edges(collected(m), &n, &sum);
    for (uint32_t i = 0; i < n; i++)
        first += row[i].from == BASE + 2 ? (double)row[i].units / sum : 0;
    measured_end(m);
    return first;
}

static void ep_52_56_57_58_runs_and_blocks(void **state)
{
    static const struct {
        unsigned norm;
        bool middle;
        double wanted;
    } cases[] = {{EP_NORM_NONE, false, 0.8},
                 {EP_NORM_RUN, false, 0.5},
                 {EP_NORM_BLOCK, false, 0.5},
                 {EP_NORM_RUN, true, 0.5},
                 {EP_NORM_BLOCK, true, 2.0 / 3}};
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double share = share_of_first(cases[i].norm, cases[i].middle);
        if (fabs(share - cases[i].wanted) > 0.002)
            fail_msg("case %u: %f, wanted %f", i, share, cases[i].wanted);
    }
}

static void ep_t8_84_noise(void **state)
{
    static const uint16_t bases[] = {53, 97, 211};
    (void)state;
    for (unsigned i = 0; i < sizeof bases / sizeof *bases; i++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            const struct ep_rules rules = {.cbt = 16, .walk_limit = EP_WALK_LIMIT, .append_nt = true};
            struct measured *m = run_random(seed, rules, 16, bases[i], bases[i] / 16, 400000, false);
            const struct accuracy a = accuracy(m);
            if (a.floor >= 0.85 && a.overlap < a.floor)
                fail_msg("base %u, seed %u: %f, wanted %f", bases[i], (unsigned)seed, a.overlap, a.floor);
            measured_end(m);
        }
}

static uint64_t calls_tiled(const struct world *w, size_t j)
{
    struct dis_insn insn;
    size_t before = 0, calls = 0;
    for (size_t k = 0; k < w->count; k++) {
        dis_decode(w->code + (w->done[k].from - BASE), &insn);
        const bool call = dis_edge_class(&insn) == DIS_EDGE_CALL;
        before += k < j && call;
        calls += call;
        if (k == j && !call)
            return 0;
    }
    return before < calls / w->rules.cbt * w->rules.cbt;
}

static void ep_t9_3_66_calls(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        const struct ep_rules rules = {.cbt = 8, .event = EP_EVENT_CALL, .walk_limit = EP_WALK_LIMIT};
        struct world *w = calloc(1, sizeof *w);
        assert_non_null(w);
        w->random = seed * 2 + 1;
        make_program(w, SUPERVISOR_CALLS);
        world_begin(w, 8, rules, 8, all);
        struct measured *m = measure(w, true);
        for (unsigned i = 0; i < 5000; i++)
            random_step_of(w, true);
        struct ep_profile *wanted = exact(w, calls_tiled);
        uint32_t n, k;
        double sum;
        assert_int_equal(ep_profile_settle(collected(m)), 0);
        const struct ep_row *is = ep_profile_list(collected(m), EP_CALLS, &n), *edge = edges(wanted, &k, &sum);
        if (n != k)
            fail_msg("seed %u: %u of %u, %u samples, %u %u %u %u", (unsigned)seed, n, k, (unsigned)w->samples,
                     (unsigned)w->dropped[0], (unsigned)w->dropped[EP_DROP_IMAGE], (unsigned)w->dropped[EP_DROP_FLOW],
                     (unsigned)w->dropped[EP_DROP_SHORT]);
        for (uint32_t i = 0; i < n; i++)
            assert_true(is[i].from == edge[i].from && is[i].to == edge[i].to && is[i].units == edge[i].units);
        ep_profile_free(wanted);
        measured_end(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ep_t1_49_50_every_branch_a_trigger),
        cmocka_unit_test(ep_t3_24_samples_side_by_side),
        cmocka_unit_test(ep_t4_46_48_truncation),
        cmocka_unit_test(ep_t5_40_without_triggers_that_were_not_taken),
        cmocka_unit_test(ep_t6_26_28_98_locking),
        cmocka_unit_test(ep_t7_52_56_57_58_instructions_as_triggers),
        cmocka_unit_test(ep_52_56_57_58_runs_and_blocks),
        cmocka_unit_test(ep_t8_84_noise),
        cmocka_unit_test(ep_t9_3_66_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
