/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge profiles: the unit of a CPU, told of branches one by one (specification 2.2 to 2.4, section 6). */
#include "tests/unit/ep_world.h"

#define SAMPLES 64

/* What a unit has told. */
struct told {
    struct ep_sample sample[SAMPLES];
    struct ep_entry entry[SAMPLES][2 * 18];
    unsigned count;
};

static void take(void *context, const struct ep_sample *s)
{
    struct told *t = context;
    assert_true(t->count < SAMPLES && s->count <= 36);
    t->sample[t->count] = *s;
    if (s->count)
        memcpy(t->entry[t->count], s->entry, s->count * sizeof *s->entry);
    t->sample[t->count].entry = t->entry[t->count];
    t->count++;
}

static const uint64_t epoch = 1;

static void begin_with(struct ep_unit *unit, struct told *told, const struct ep_parameters *p)
{
    assert_int_equal(ep_unit_create(unit, p, 0), 0);
    *told = (struct told){.count = 0};
    unit->sample = take;
    unit->context = told;
    unit->epoch = &epoch;
    ep_unit_on(unit, at(BASE));
}

static void begin(struct ep_unit *unit, struct told *told, unsigned tbt, uint64_t base, struct ep_filter filter)
{
    const struct ep_parameters p = {.base = base, .seed = 1, .tbt = tbt, .event = EP_EVENT_BRANCH, .filter = filter};
    begin_with(unit, told, &p);
}

/* BRC, from one place to another, or through. */
static void branch(struct ep_unit *unit, struct ep_place from, struct ep_place to, bool taken)
{
    static const uint8_t bytes[6] = {0xa7, 0x74, 0, 4};
    struct dis_insn insn;
    dis_decode(bytes, &insn);
    ep_unit_branch(unit, &(struct ep_branch){from, to, &insn, taken, false, true});
}

/* `n` branches that are taken, each to where the next one is; behind each `moves` an interruption that comes back. */
static void run(struct ep_unit *unit, unsigned n, bool moves)
{
    for (unsigned i = 0; i < n; i++) {
        const struct ep_place to = at(BASE + 16 * ((i + 1) % 5));
        branch(unit, at(BASE + 16 * (i % 5)), to, true);
        if (moves) {
            const struct ep_place handler = {0x200, 9, EP_64};
            ep_unit_moved(unit, to, handler, true, EP_RESUME);
            ep_unit_moved(unit, handler, to, false, EP_RESUME);
        }
    }
}

static const struct ep_filter problem = {.problem = true};

static void ep_17_each_cpu_has_its_own_size_and_interval(void **state)
{
    struct ep_unit one, other;
    static struct told a, b;
    (void)state;
    begin(&one, &a, 4, 7, problem);
    begin(&other, &b, 16, 20, problem);
    run(&one, 100, false);
    run(&other, 100, false);
    assert_int_equal(a.count, 14);
    assert_int_equal(b.count, 5);
    assert_int_equal(a.sample[13].count, 4);
    assert_int_equal(b.sample[4].count, 16);
    ep_unit_destroy(&one);
    ep_unit_destroy(&other);
}

static void ep_29_interruptions_do_not_touch_the_interval(void **state)
{
    struct ep_unit quiet, disturbed;
    static struct told a, b;
    (void)state;
    begin(&quiet, &a, 8, 9, problem);
    begin(&disturbed, &b, 8, 9, problem);
    run(&quiet, 200, false);
    run(&disturbed, 200, true);
    assert_int_equal(a.count, 22);
    assert_int_equal(b.count, a.count);
    for (unsigned i = 0; i < a.count; i++) {
        assert_int_equal(a.sample[i].trigger.event, 9 * (i + 1));
        assert_int_equal(b.sample[i].trigger.event, a.sample[i].trigger.event);
        assert_int_equal(b.sample[i].trigger.interval, a.sample[i].trigger.interval);
        assert_true(ep_same_place(b.sample[i].trigger.at, a.sample[i].trigger.at));
    }
    assert_int_equal(disturbed.pmc.total, quiet.pmc.total);
    ep_unit_destroy(&quiet);
    ep_unit_destroy(&disturbed);
}

static void ep_30_31_what_a_sample_says(void **state)
{
    struct ep_unit unit;
    static struct told t;
    (void)state;
    begin(&unit, &t, 4, 3, problem);
    branch(&unit, at(BASE), at(BASE + 8), true);
    branch(&unit, at(BASE + 8), at(BASE + 12), false);
    assert_int_equal(t.count, 0);
    branch(&unit, (struct ep_place){BASE + 12, SPACE, EP_31}, (struct ep_place){BASE + 16, SPACE, EP_31}, false);
    assert_int_equal(t.count, 1);
    const struct ep_sample *s = &t.sample[0];
    assert_int_equal(s->trigger.at.address, BASE + 12);
    assert_int_equal(s->trigger.at.space, SPACE);
    assert_int_equal(s->trigger.at.mode, EP_31);
    assert_true(s->trigger.branch && !s->trigger.taken && !s->trigger.executed);
    assert_int_equal(s->trigger.event, 3);
    assert_int_equal(s->trigger.interval, 3);
    assert_true(s->origin_valid && s->origin.address == BASE);
    /* T is all taken branches so far, and taking the sample has not changed what is remembered */
    struct ep_sample again = {.count = 0};
    ep_ring_read(&unit.ring, unit.entries, &again);
    assert_int_equal(again.count, s->count);
    assert_memory_equal(again.entry, s->entry, s->count * sizeof *s->entry);
    run(&unit, 3, false);
    assert_int_equal(t.count, 2);
    assert_true(t.sample[1].trigger.taken);
    ep_unit_destroy(&unit);
}

static void ep_87_both_ends_have_their_space_and_a_filter_leaves_gaps(void **state)
{
    static const uint32_t wanted[] = {SPACE};
    const struct ep_place here = at(BASE + 4), there = {BASE + 64, SPACE + 1, EP_64}, back = at(BASE + 32);
    struct ep_filter filter = problem;
    struct ep_unit unit;
    static struct told t;
    (void)state;
    /* any space: the entries name them, nothing is a gap */
    begin(&unit, &t, 8, 3, filter);
    branch(&unit, here, there, true);
    branch(&unit, there, back, true);
    branch(&unit, back, here, true);
    assert_int_equal(t.count, 1);
    assert_int_equal(t.sample[0].count, 3);
    assert_int_equal(t.entry[0][0].from.space, SPACE);
    assert_int_equal(t.entry[0][0].to.space, SPACE + 1);
    assert_int_equal(t.entry[0][1].from.space, SPACE + 1);
    assert_int_equal(t.entry[0][1].to.space, SPACE);
    ep_unit_destroy(&unit);
    /* one space: the branch in the other one is not counted, and coming back is a gap */
    filter.space = wanted;
    filter.spaces = 1;
    begin(&unit, &t, 8, 2, filter);
    branch(&unit, here, there, true);
    branch(&unit, there, back, true);
    assert_int_equal(unit.pmc.total, 1);
    branch(&unit, back, here, true);
    assert_int_equal(t.count, 1);
    assert_int_equal(t.sample[0].count, 3);
    assert_int_equal(t.entry[0][1].kind, EP_GAP);
    assert_true(ep_same_place(t.entry[0][1].from, there) && ep_same_place(t.entry[0][1].to, back));
    ep_unit_destroy(&unit);
}

/* Far from a sample nothing is remembered, and yet samples say the same: told one by one, or many at a time in parts.
 */
static void ep_11_what_is_too_far_from_a_sample_to_be_seen_need_not_be_remembered(void **state)
{
    (void)state;
    for (unsigned near = 4; near < 24; near++)
        for (unsigned part = 1; part < 8; part++) {
            const struct ep_parameters p = {
                .base = 20, .seed = 1, .tbt = 4, .event = EP_EVENT_BRANCH, .filter = problem, .near = near};
            struct ep_unit all, few;
            static struct told a, b;
            begin(&all, &a, 4, 20, problem);
            begin_with(&few, &b, &p);
            assert_int_equal(ep_unit_far(&few), near < 20 ? 20 - near : 0);
            for (unsigned i = 0; i < 300;) {
                const bool many = part > 1 && ep_unit_far(&few) >= part;
                for (unsigned n = many ? part : 1; n; n--, i++) {
                    const struct ep_place from = at(BASE + 16 * (i % 5)), to = at(BASE + 16 * ((i + 1) % 5));
                    branch(&all, from, to, i % 3);
                    if (!many)
                        branch(&few, from, to, i % 3);
                }
                if (many)
                    ep_unit_counted(&few, all.at, part);
                assert_int_equal(few.pmc.left, all.pmc.left);
            }
            assert_int_equal(b.count, a.count);
            for (unsigned s = 0; s < a.count; s++) {
                /* of four branches taken in the last six all are seen, of fewer those since recording began */
                const unsigned most = a.sample[s].count, seen = b.sample[s].count;
                assert_true(ep_same_place(a.sample[s].trigger.at, b.sample[s].trigger.at));
                assert_int_equal(a.sample[s].trigger.event, b.sample[s].trigger.event);
                assert_true(near < 6 ? seen >= 2 && b.sample[s].origin_valid | (seen == most) : seen == most);
                assert_memory_equal(&a.entry[s][most - seen], b.entry[s], seen * sizeof *b.entry[s]);
            }
            ep_unit_destroy(&all);
            ep_unit_destroy(&few);
        }
}

/* ... or all of them at once, with no more than can be seen. */
static void ep_11_a_sample_may_be_told_in_one_piece(void **state)
{
    enum { TBT = 4, NEAR = 8, INTERVAL = 20 };
    const struct ep_parameters p = {
        .base = INTERVAL, .seed = 1, .tbt = TBT, .event = EP_EVENT_BRANCH, .filter = problem, .near = NEAR};
    struct ep_unit all, few;
    static struct told a, b;
    struct ep_place led = at(BASE); /* where the newest taken branch led to that is too old to be seen */
    struct ep_latest latest = {.count = 0};
    (void)state;
    begin(&all, &a, TBT, INTERVAL, problem);
    begin_with(&few, &b, &p);
    assert_true(ep_unit_starts_anew(&few) && !ep_unit_starts_anew(&all));
    for (unsigned i = 0; i < 15 * INTERVAL; i++) {
        const struct ep_place from = at(BASE + 16 * (i % 5)), to = at(BASE + 16 * ((i + 1) % 5));
        const bool taken = (i * i) % 7 != 1 && i / INTERVAL % 4 != 3, last = i % INTERVAL == INTERVAL - 1;
        branch(&all, from, to, taken);
        if (taken && INTERVAL - 1 - i % INTERVAL >= TBT)
            led = to;
        else if (taken)
            few.entries[latest.count++] =
                (struct ep_entry){.from = from, .to = to, .event = i + 1, .epoch = epoch, .kind = EP_TRANSFER};
        if (!last)
            continue;
        latest.origin = led;
        latest.place = to;
        ep_unit_sampled(&few, &latest, INTERVAL, (struct ep_trigger){.at = from, .branch = true, .taken = taken});
        assert_true(ep_same_place(few.at, to) && ep_same_place(few.expected, to));
        assert_int_equal(few.pmc.total, all.pmc.total);
        assert_int_equal(few.pmc.left, all.pmc.left);
        const struct ep_sample *one = &a.sample[a.count - 1], *other = &b.sample[b.count - 1];
        assert_int_equal(a.count, b.count);
        assert_true(ep_same_place(one->trigger.at, other->trigger.at));
        assert_int_equal(one->trigger.event, other->trigger.event);
        assert_int_equal(one->trigger.interval, other->trigger.interval);
        assert_int_equal(one->trigger.taken, other->trigger.taken);
        assert_true(other->origin_valid && ep_same_place(other->origin, led) && other->origin_epoch == epoch);
        assert_int_equal(other->count, latest.count);
        for (unsigned n = 0; n < latest.count; n++) {
            const struct ep_entry *x = &one->entry[one->count - latest.count + n], *y = &other->entry[n];
            assert_true(ep_same_place(x->from, y->from) && ep_same_place(x->to, y->to));
            assert_true(x->event == y->event && x->epoch == y->epoch && x->kind == y->kind);
        }
        latest.count = 0;
    }
    assert_int_equal(b.count, 15);
    ep_unit_destroy(&all);
    ep_unit_destroy(&few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ep_17_each_cpu_has_its_own_size_and_interval),
        cmocka_unit_test(ep_29_interruptions_do_not_touch_the_interval),
        cmocka_unit_test(ep_30_31_what_a_sample_says),
        cmocka_unit_test(ep_11_what_is_too_far_from_a_sample_to_be_seen_need_not_be_remembered),
        cmocka_unit_test(ep_11_a_sample_may_be_told_in_one_piece),
        cmocka_unit_test(ep_87_both_ends_have_their_space_and_a_filter_leaves_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
