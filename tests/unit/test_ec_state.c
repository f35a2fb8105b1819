/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a pipeline model is taken out and put into another one: both go on alike, to the last counter; and what
   was damaged on the way does no harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "ri/counters/intervals.h"
#include "tests/unit/ec_programs.h"

enum { ROOM = 1 << 22 };

struct bytes {
    uint8_t *at;
    size_t length, next;
    bool bad;
    const char *why;
};

static void write_number(void *context, void *place, unsigned size)
{
    struct bytes *b = context;
    assert_true(b->length + size <= ROOM);
    memcpy(b->at + b->length, place, size);
    b->length += size;
}

static void read_number(void *context, void *place, unsigned size)
{
    struct bytes *b = context;
    b->bad |= size > b->length - b->next;
    if (b->bad)
        return;
    memcpy(place, b->at + b->next, size);
    b->next += size;
}

static void refuse(void *context, const char *why)
{
    struct bytes *b = context;
    b->bad = true;
    b->why = why;
}

static bool refused(void *context) { return ((struct bytes *)context)->bad; }

static struct ec_fields fields(struct bytes *b, bool loading)
{
    void (*const one)(void *, void *, unsigned) = loading ? read_number : write_number;
    return (struct ec_fields){
        .context = b, .loading = loading, .number = one, .bytes = one, .refuse = refuse, .refused = refused};
}

static void take_out(struct ec_model *m, struct bytes *b)
{
    const struct ec_fields f = fields(b, false);
    b->length = 0;
    ec_model_fields(m, &f);
}

static bool put_in(struct ec_model *m, struct bytes *b)
{
    const struct ec_fields f = fields(b, true);
    b->next = 0;
    b->bad = false;
    b->why = NULL;
    ec_model_fields(m, &f);
    return !b->bad;
}

static struct bytes room(void)
{
    struct bytes b = {.at = malloc(ROOM)};
    assert_non_null(b.at);
    return b;
}

/* A model in the middle of a random program, everything of it in use. */
static struct ec_model *in_the_middle(struct guest *g, uint64_t seed, const struct ec_profile *p, unsigned steps)
{
    random_guest(g, seed);
    g->dat = seed % 2;
    struct ec_model *m = guest_model(g, p);
    struct ec_counting *c = ec_model_counting(m);
    ec_add_pairs(c, UINT64_MAX);
    ec_set_register(c, EC_MMCRP,
                    (uint32_t)EC_LOAD << 24 | (uint32_t)(EC_WRITE << 6 | EC_LD_BYTES) << 16 |
                        (uint32_t)(EC_PRELOAD_DECODE << 6 | EC_REG_RD) << 8 | EC_PRELOAD_ICR << 6);
    ec_set_register(c, EC_ICR, 0x01020304);
    ec_set_register(c, EC_MMCR0, EC_PMCTRIGGER | EC_ENINT | EC_LOAD << EC_PMC1SEL_SHIFT | EC_SELECT_PV);
    ec_set_register(c, EC_MMCR1, (EC_SELECT_PV + 1u) << 25 | (EC_SELECT_PV + 3u) << 18);
    ec_set_register(c, EC_PMC1, 0x80000000u - steps / 8);
    for (unsigned i = 0; i < steps; i++)
        guest_step(g, m);
    return m;
}

static void go_on(struct guest *g, struct ec_model *m, unsigned steps)
{
    uint64_t cycles = 0;
    const struct ec_raised *by;
    for (unsigned i = 0; i < steps; i++) {
        guest_step(g, m);
        (void)ec_model_boundary(m, false, 0, i << 4, &cycles, &by);
    }
}

static void ec_73_another_goes_on_alike(void **state)
{
    static struct guest g, other;
    struct bytes one = room(), two = room();
    unsigned in_flight = 0;
    (void)state;
    for (uint64_t seed = 300; seed < 340; seed++) {
        const struct ec_profile p = shape(seed % SHAPES);
        struct ec_model *a = in_the_middle(&g, seed, &p, (unsigned)(seed * 37 % STEPS));
        other = g;
        struct ec_model *b = guest_model(&other, &p);
        in_flight += ec_live(ec_model_counting(a));
        take_out(a, &one);
        take_out(a, &two); /* taking it out changes nothing */
        assert_true(one.length == two.length && memcmp(one.at, two.at, one.length) == 0);
        assert_true(put_in(b, &one) && one.next == one.length);
        take_out(b, &two);
        assert_true(one.length == two.length && memcmp(one.at, two.at, one.length) == 0);
        assert_true(ec_identity(ec_model_counting(b)));
        go_on(&g, a, STEPS);
        go_on(&other, b, STEPS);
        take_out(a, &one);
        take_out(b, &two);
        assert_true(one.length == two.length && memcmp(one.at, two.at, one.length) == 0);
        assert_true(ec_identity(ec_model_counting(b)));
        /* over a model that has lived, too */
        assert_true(put_in(a, &two) && put_in(b, &two));
        go_on(&g, a, 50);
        go_on(&other, b, 50);
        take_out(a, &one);
        take_out(b, &two);
        assert_true(one.length == two.length && memcmp(one.at, two.at, one.length) == 0);
        ec_model_destroy(a);
        ec_model_destroy(b);
    }
    assert_true(in_flight > 40);
    free(one.at);
    free(two.at);
}

/* Whatever the bytes are, a model that takes them can go on. */
static void ec_73_damage_does_no_harm(void **state)
{
    static struct guest g, other;
    struct random r = seeded(7);
    struct bytes good = room(), bad = room();
    unsigned taken = 0, sentences = 0;
    (void)state;
    for (uint64_t seed = 400; seed < 408; seed++) {
        struct ec_profile p = shape(seed % SHAPES);
        if (p.l3_sets > 64)
            p.l3_sets = 64;
        struct ec_model *m = in_the_middle(&g, seed, &p, 700);
        take_out(m, &good);
        for (unsigned i = 0; i < 400; i++) {
            memcpy(bad.at, good.at, good.length);
            bad.length = good.length - (i % 50 == 0 ? below(&r, 100) : 0);
            for (unsigned k = 0; k < 1 + below(&r, 3); k++) {
                const size_t at = below(&r, below(&r, 2) ? 3000u : (unsigned)good.length);
                bad.at[at < bad.length ? at : 0] ^= (uint8_t)(1u << below(&r, 8));
            }
            other = g;
            struct ec_model *b = guest_model(&other, &p);
            if (put_in(b, &bad)) {
                go_on(&other, b, 60);
                (void)ec_model_drain(b);
                assert_int_equal(ec_live(ec_model_counting(b)), 0);
                taken++;
            } else {
                sentences += bad.why != NULL;
            }
            ec_model_destroy(b);
        }
        ec_model_destroy(m);
    }
    assert_true(taken > 100 && sentences > 100);
    free(good.at);
    free(bad.at);
}

/* Shapes that no file could describe are refused. */
static void ec_73_profiles(void **state)
{
    struct bytes b = room();
    (void)state;
    for (unsigned i = 0; i < SHAPES; i++) {
        struct ec_profile p = shape(i), q = {.machine = 0};
        const struct ec_fields out = fields(&b, false), in = fields(&b, true);
        b.length = b.next = 0;
        b.bad = false;
        ec_profile_fields(&p, &out);
        ec_profile_fields(&q, &in);
        assert_true(!b.bad && ec_profile_same(&p, &q));
        for (unsigned key = 0; key < 6; key++) {
            q = p;
            if (key == 0)
                q.ct_entries = 3;
            else if (key == 1)
                q.l1i_sets = 3;
            else if (key == 2)
                q.predictor = 3;
            else if (key == 3)
                memset(q.name, 'x', sizeof q.name);
            else if (key == 4)
                q.name[0] = 27;
            else
                q.l3_ways = !q.l3_ways;
            assert_false(ec_profile_same(&p, &q));
            b.length = b.next = 0;
            b.bad = false;
            ec_profile_fields(&q, &out);
            ec_profile_fields(&q, &in);
            assert_true(b.bad);
        }
    }
    free(b.at);
}

static void ec_67_73_intervals(void **state)
{
    static struct guest g;
    const struct ec_profile p = shape(0);
    struct ec_model *m = in_the_middle(&g, 5, &p, 900);
    struct ec_intervals *a = ec_intervals_create(100, 0), *b = ec_intervals_create(3, 0), *none = NULL;
    struct bytes one = room(), two = room();
    const struct ec_fields out = fields(&one, false), in = fields(&one, true), again = fields(&two, false);
    (void)state;
    assert_true(a && b);
    for (unsigned i = 0; i < 1500; i++)
        ec_intervals_take(a, m, i);
    assert_non_null(ec_intervals_next(a));
    ec_intervals_fields(&a, &out);
    ec_intervals_fields(&b, &in);
    assert_false(one.bad);
    ec_intervals_fields(&b, &again);
    assert_true(one.length == two.length && memcmp(one.at, two.at, one.length) == 0);
    assert_int_equal(ec_intervals_count(b), 1500);
    assert_int_equal(ec_intervals_next(b)->tod, ec_intervals_next(a)->tod);
    memset(one.at + 1, 0, 8); /* of no length */
    one.next = 0;
    ec_intervals_fields(&b, &in);
    assert_true(one.bad);
    one.length = one.next = 0;
    one.bad = false;
    ec_intervals_fields(&none, &out);
    ec_intervals_fields(&b, &in);
    assert_true(!one.bad && !b);
    ec_intervals_destroy(a);
    ec_model_destroy(m);
    free(one.at);
    free(two.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ec_73_another_goes_on_alike),
        cmocka_unit_test(ec_73_damage_does_no_harm),
        cmocka_unit_test(ec_73_profiles),
        cmocka_unit_test(ec_67_73_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
