/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge profiles: stretches that are known by names of their branches (ri/profile/marks.h). */
#include "tests/unit/ep_world.h"

#include "ri/profile/marks.h"

/* Names are looked for by their addresses, which are the same in every run here; nobody looks into one. */
static const char *name(unsigned n)
{
    return (const char *)(uintptr_t)(UINT64_C(0x10000000) + 32 * n); /* like operations: 32 bytes apart */
}

static struct ep_marked sample_of(uint32_t space, uint32_t names, uint8_t mode, uint64_t when)
{
    return (struct ep_marked){.names = names, .place = {BASE, space, mode}, .epoch = when, .context = 5};
}

/* Marks that share one place, in order of their names; all at BASE. */
static unsigned alike(struct ep_mark mark[], unsigned most)
{
    unsigned n = 0;
    for (unsigned i = 0; i < 8 * EP_MARKS && n < most; i++) {
        const struct ep_mark m = {name(i), BASE, BASE + 8};
        if (!n || ep_marks_place(&m) == ep_marks_place(&mark[0]))
            mark[n++] = m;
    }
    return n;
}

static void two_have_one_place(void **state)
{
    (void)state;
    struct ep_marks marks = {0};
    struct ep_mark mark[3];
    struct ep_stretch stretch[3];
    const struct ep_marked all = sample_of(0, 1, EP_64, 1);
    const uint32_t common = ep_marks_common(&marks, &all);
    assert_int_equal(alike(mark, 3), 3);
    for (unsigned i = 0; i < 3; i++) {
        stretch[i] = (struct ep_stretch){.at = BASE, .from = BASE + 4, .to = BASE + 8, .count = (uint16_t)(i + 1)};
        ep_marks_put(&marks, &mark[i], common, all.context, &stretch[i]);
        struct ep_known *k = ep_marks_find(&marks, &mark[i], common, 0);
        assert_non_null(k);
        assert_ptr_equal(k->stretch, &stretch[i]);
        assert_int_equal(k->count, i + 1);
        k->units += 10 * (i + 1);
        if (i) { /* the one before is still known */
            k = ep_marks_find(&marks, &mark[i - 1], common, 0);
            assert_non_null(k);
            assert_int_equal(k->units, 10 * i);
        }
    }
    assert_null(ep_marks_find(&marks, &mark[0], common, 0));
    assert_int_equal(stretch[0].units, 10); /* it got them when it went */
    ep_marks_put(&marks, &mark[2], common, all.context, &stretch[2]);
    assert_int_equal(stretch[2].units, 30);
    assert_non_null(ep_marks_find(&marks, &mark[1], common, 0));
    ep_marks_settle(&marks);
    assert_int_equal(stretch[1].units, 20);
    assert_int_equal(stretch[2].units, 30);
    ep_marks_clear(&marks);
    assert_null(ep_marks_find(&marks, &mark[1], common, 0));
    assert_int_not_equal(ep_marks_common(&marks, &all), common);
    free(marks.known);
}

static void other_samples_have_others(void **state)
{
    (void)state;
    struct ep_marks marks = {0};
    const struct ep_marked all[] = {sample_of(0, 1, EP_64, 1), sample_of(1, 1, EP_64, 1), sample_of(0, 2, EP_64, 1),
                                    sample_of(0, 1, EP_31, 1), sample_of(0, 1, EP_64, 2)};
    uint32_t common[5];
    for (unsigned i = 0; i < 5; i++) {
        common[i] = ep_marks_common(&marks, &all[i]);
        assert_int_not_equal(common[i], 0);
        for (unsigned k = 0; k < i; k++)
            assert_int_not_equal(common[i], common[k]);
    }
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(ep_marks_common(&marks, &all[i]), common[i]);
    for (uint64_t when = 10; when < 10 + EP_COMMON; when++) { /* more than are kept */
        const struct ep_marked later = sample_of(0, 1, EP_64, when);
        ep_marks_common(&marks, &later);
    }
    assert_int_not_equal(ep_marks_common(&marks, &all[0]), common[0]);
    const struct ep_mark mark = {name(1), BASE, BASE + 8};
    struct ep_stretch stretch = {.at = BASE, .from = BASE + 4, .count = 1};
    ep_marks_put(&marks, &mark, 1, 0, &stretch);
    ep_marks_find(&marks, &mark, 1, 0)->units = 7;
    marks.commons = UINT32_MAX; /* numbers begin anew: none means what it was */
    const struct ep_marked last = sample_of(9, 9, EP_24, 9);
    assert_int_equal(ep_marks_common(&marks, &last), 1);
    assert_null(ep_marks_find(&marks, &mark, 1, 0));
    assert_int_equal(stretch.units, 7);
    free(marks.known);
}

static void several_pages_have_their_context(void **state)
{
    (void)state;
    struct ep_marks marks = {0};
    const struct ep_marked all = sample_of(0, 1, EP_64, 1);
    const uint32_t common = ep_marks_common(&marks, &all);
    const struct ep_mark one = {name(1), BASE, BASE + 8}, two = {name(2), BASE + 0xff8, BASE + 8};
    struct ep_stretch within = {.at = BASE, .from = BASE + 0xff0, .count = 1};
    struct ep_stretch across = {.at = BASE + 0xff8, .from = BASE + 0xffc, .count = 1}; /* or six bytes */
    assert_int_equal(BASE % EP_PAGE, 0);
    assert_true((ep_marks_place(&one) ^ ep_marks_place(&two)) > 1); /* each one has a pair of its own */
    ep_marks_put(&marks, &one, common, all.context, &within);
    ep_marks_put(&marks, &two, common, all.context, &across);
    for (uint64_t context = 0; context < 8; context++) {
        assert_non_null(ep_marks_find(&marks, &one, common, context));
        assert_int_equal(ep_marks_find(&marks, &two, common, context) != NULL, context == all.context);
    }
    free(marks.known);
}

/* Of a ring where number n is at n & mask. */
static void marks_of_a_ring(void **state)
{
    (void)state;
    struct ep_noted ring[4];
    for (unsigned n = 5; n < 9; n++)
        ring[n & 3] = (struct ep_noted){.branch = name(n), .to = BASE + 16 * n};
    struct ep_marked m = {.ring = ring, .mask = 3, .newest = 8, .count = 3};
    for (unsigned back = 0; back < 3; back++) {
        const struct ep_mark mark = ep_mark_of(&m, back);
        assert_ptr_equal(mark.branch, name(8 - back));
        assert_int_equal(mark.at, BASE + 16 * (7 - back));
        assert_int_equal(mark.to, BASE + 16 * (8 - back));
    }
    m.not_taken = name(9) + 1;
    m.count = 4;
    const struct ep_mark trigger = ep_mark_of(&m, 0), newest = ep_mark_of(&m, 1);
    assert_ptr_equal(trigger.branch, name(9) + 1);
    assert_int_equal(trigger.at, BASE + 16 * 8);
    assert_int_equal(trigger.to, 0);
    assert_ptr_equal(newest.branch, name(8));
    assert_int_equal(newest.at, BASE + 16 * 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_have_one_place),
        cmocka_unit_test(other_samples_have_others),
        cmocka_unit_test(several_pages_have_their_context),
        cmocka_unit_test(marks_of_a_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
