/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What programs read of the pipeline model: pairs, PMCs and the documented counters of the extended set, counters 2 to
   5 of the basic set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "ri/counters/counters.h"
#include "ri/counters/sampling.h"
#include "tests/unit/ec_guest.h"

enum { ON = 0x30003, INACTIVE = 0x30000 }; /* basic and extended sets: enabled and active; enabled */

static struct counters *counters(uint16_t machine_type)
{
    struct counters *c = counters_create();
    struct counters_profile profile = {.mhz = 1000};
    assert_non_null(c);
    counters_versions(machine_type, &profile.first_version, &profile.second_version);
    counters_set_profile(c, &profile);
    return c;
}

/* A loop over storage with a branch by what it finds there. */
static struct ec_model *loop(struct guest *g)
{
    struct ec_profile p;
    memset(g, 0, sizeof *g);
    uint64_t at = guest_put(g, 0x2000, "lghi 1,5");
    at = guest_put(g, at, "lg 3,0(0,4)");
    at = guest_put(g, at, "ltgr 3,3");
    at = guest_put(g, at, "brc 8,0x2016");
    at = guest_put(g, at, "aghi 5,1");
    assert_int_equal(at, 0x2016);
    at = guest_put(g, at, "aghi 4,512");
    at = guest_put(g, at, "brctg 1,0x2004");
    guest_put(g, at, "brc 15,0x2000");
    for (uint64_t i = 0; i < 128; i++)
        guest_store8(g, 0x4000 + 512 * i, i * i % 3);
    g->gr[4] = 0x4000;
    g->ia = 0x2000;
    assert_int_equal(ec_profile_built_in("teach", &p), 0);
    return guest_model(g, &p);
}

static void steps(struct guest *g, struct ec_model *m, unsigned n)
{
    while (n--) {
        if (g->gr[4] > 0x10000)
            g->gr[4] = 0x4000;
        guest_step(g, m);
    }
}

static uint64_t extract(const struct counters *c, unsigned number)
{
    uint64_t value = 0;
    assert_true(counters_extract(c, number, &value));
    return value;
}

static void ec_46_106_121_views(void **state)
{
    static struct guest g;
    struct ec_totals t, u;
    uint64_t value;
    (void)state;
    struct counters *c = counters(0x3906);
    struct ec_model *m = loop(&g);
    assert_true(counters_control_invalid(c, 0x10001)); /* there is no model: the set is not authorized */
    counters_set_model(c, m);
    assert_int_equal(c->alerts, COUNTERS_CACA);
    assert_false(counters_control_invalid(c, 0x10001));
    steps(&g, m, 100);
    assert_false(counters_extract(c, 176, &value)); /* disabled */
    counters_control(c, ON);
    assert_int_equal(extract(c, 176), 0); /* from here on, whatever the totals are */
    ec_model_totals(m, &t);
    assert_true(t.all[EC_INST] > 100);
    steps(&g, m, 200);
    ec_model_totals(m, &u);
    for (unsigned k = 0; k < EC_PAIRS; k++) {
        const enum ec_event e = ec_pair_event(k);
        assert_int_equal(extract(c, 176 + 2 * k), u.all[e] - t.all[e]);
        assert_int_equal(extract(c, 177 + 2 * k), u.completed[e] - t.completed[e]);
    }
    assert_int_equal(extract(c, 177), 200);
    assert_true(extract(c, 176) > 200);
    assert_int_equal(extract(c, 2), u.all[EC_L1I_MISS] - t.all[EC_L1I_MISS]);
    assert_int_equal(extract(c, 4), u.all[EC_L1D_MISS] - t.all[EC_L1D_MISS]);
    assert_int_equal(extract(c, 5), u.all[EC_L1D_PEN] - t.all[EC_L1D_PEN]);
    assert_true(extract(c, 4) > 0);
    counters_control(c, INACTIVE); /* it keeps what it has */
    const uint64_t kept = extract(c, 176);
    steps(&g, m, 50);
    assert_int_equal(extract(c, 176), kept);
    counters_control(c, ON);
    steps(&g, m, 10);
    assert_int_equal(extract(c, 177), 210);
    assert_true(counters_store(c, 177, 1000)); /* that counter alone */
    steps(&g, m, 10);
    assert_int_equal(extract(c, 177), 1010);
    assert_true(extract(c, 176) >= 220 && extract(c, 176) < 1000);
    ec_model_totals(m, &u);
    assert_true(u.completed[EC_INST] < 1000); /* the operator's totals are not the program's */
    counters_control(c, 0);
    counters_control(c, ON);
    assert_int_equal(extract(c, 177), 0);
    steps(&g, m, 10);
    counters_set_model(c, NULL);
    assert_false(counters_extract(c, 177, &value));
    ec_model_destroy(m);
    counters_destroy(c);
}

static void ec_121_pmcs(void **state)
{
    static struct guest g;
    uint64_t value;
    (void)state;
    struct counters *c = counters(0x3906);
    struct ec_model *m = loop(&g);
    counters_set_model(c, m);
    ec_set_register(ec_model_counting(m), EC_MMCR0, EC_LOAD << 6);
    assert_false(counters_extract(c, 220, &value)); /* reading needs the set, counting does not */
    steps(&g, m, 100);
    counters_control(c, ON);
    assert_int_equal(extract(c, 220), ec_register(ec_model_counting(m), EC_PMC1));
    assert_true(extract(c, 220) > 20);
    assert_true(counters_store(c, 220, UINT64_C(0x100000005)));
    assert_int_equal(extract(c, 220), 5);
    assert_true(counters_store(c, 223, 7));
    assert_int_equal(ec_register(ec_model_counting(m), EC_PMC4), 7);
    counters_set_model(c, NULL);
    ec_model_destroy(m);
    counters_destroy(c);
}

/* The blocks of the machine types, none of which covers an assigned number. */
static void ec_118_121_numbers(void **state)
{
    static const struct {
        uint16_t type;
        unsigned first, pairs, pmc;
        unsigned assigned[40][2];
    } machines[] = {
        {0x2827, 180, 22, 224, {{128, 133}, {135, 135}, {137, 161}, {177, 179}}},
        {0x2964, 180, 17, 214, {{128, 141}, {143, 179}, {218, 220}}},
        {0x3906, 176, 22, 220, {{128, 141}, {143, 158}, {162, 175}, {224, 226}, {232, 232}, {243, 245}}},
        {0x8561, 176, 22, 220, {{128, 141}, {143, 158}, {162, 175}, {224, 226}, {232, 232}, {243, 245}, {247, 247}}},
        {0x3931, 184, 18, 220, {{128, 132}, {134, 135}, {137, 141}, {143, 143}, {145, 183}, {224, 226}, {232, 232}}},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct counters *c = counters(machines[i].type);
        unsigned pairs, pmc;
        const unsigned first = counters_pairs(c, &pairs, &pmc);
        assert_int_equal(first, machines[i].first);
        assert_int_equal(pairs, machines[i].pairs);
        assert_int_equal(pmc, machines[i].pmc);
        assert_true(first + 2 * pairs <= pmc);
        for (unsigned k = 0; machines[i].assigned[k][0]; k++)
            assert_true(machines[i].assigned[k][1] < first || machines[i].assigned[k][0] > pmc + 3);
        counters_destroy(c);
    }
}

static void ec_122_documented(void **state)
{
    static const struct {
        uint16_t type;
        unsigned l2, memory, decimal, code_l2, code_memory, tlb1;
    } machines[] = {{0x3906, 133, 145, 226, 136, 163, 0},
                    {0x8561, 133, 145, 226, 136, 163, 0},
                    {0x3931, 145, 156, 226, 169, 180, 0},
                    {0x2827, 132, 135, 139, 131, 137, 133},
                    {0x2964, 133, 161, 139, 136, 179, 129}};
    static struct guest g;
    (void)state;
    for (unsigned i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct counters *c = counters(machines[i].type);
        struct ec_model *m = loop(&g);
        struct ec_totals t;
        counters_set_model(c, m);
        counters_control(c, ON);
        steps(&g, m, 1500);
        ec_model_totals(m, &t);
        const struct ec_sources *s = ec_model_sources(m);
        assert_true(s->memory[1] > 0 && s->l2[1] > 0);
        assert_int_equal(s->memory[1] + s->l2[1], t.all[EC_L1D_MISS]);
        assert_int_equal(extract(c, machines[i].l2), s->l2[1]);
        assert_int_equal(extract(c, machines[i].memory), s->memory[1]);
        assert_int_equal(extract(c, machines[i].code_l2), s->l2[0]);
        assert_int_equal(extract(c, machines[i].code_memory), s->memory[0]);
        if (machines[i].type != 0x2827)
            assert_int_equal(extract(c, 143), t.all[EC_L1I_PEN] + t.all[EC_L1D_PEN]);
        assert_int_equal(extract(c, machines[i].decimal), 0);
        assert_int_equal(extract(c, 128), 0); /* DAT is off: on a zEC12 these are cycles of TLB misses */
        if (machines[i].tlb1)
            assert_int_equal(extract(c, machines[i].tlb1), t.all[EC_DTLB1_MISS]);
        counters_set_model(c, NULL);
        ec_model_destroy(m);
        counters_destroy(c);
    }
}

/* A zEC12 has the counters 2 to 5 once more, of the problem state. */
static void ec_117_119_problem_state(void **state)
{
    static struct guest g;
    struct ec_totals t, u;
    uint64_t value;
    (void)state;
    struct counters *c = counters(0x2827);
    struct ec_model *m = loop(&g);
    counters_set_model(c, m);
    steps(&g, m, 50);
    counters_control(c, 0x70007);
    for (unsigned i = 0; i < 400; i++) { /* by turns in both states */
        ec_model_totals(m, &t);
        const uint64_t before[] = {extract(c, 34), extract(c, 35), extract(c, 36), extract(c, 37)};
        const bool problem = i & 4;
        steps(&g, m, 1);
        counters_charge(c, 1, 1, problem);
        ec_model_totals(m, &u);
        assert_int_equal(extract(c, 34) - before[0], problem ? u.all[EC_L1I_MISS] - t.all[EC_L1I_MISS] : 0);
        assert_int_equal(extract(c, 35) - before[1], problem ? u.all[EC_L1I_PEN] - t.all[EC_L1I_PEN] : 0);
        assert_int_equal(extract(c, 36) - before[2], problem ? u.all[EC_L1D_MISS] - t.all[EC_L1D_MISS] : 0);
        assert_int_equal(extract(c, 37) - before[3], problem ? u.all[EC_L1D_PEN] - t.all[EC_L1D_PEN] : 0);
    }
    assert_true(extract(c, 36) > 0 && extract(c, 36) < extract(c, 4));
    assert_int_equal(extract(c, 33), 200);
    counters_control(c, 0x70000); /* kept, and what happens meanwhile does not count */
    const uint64_t kept = extract(c, 36);
    steps(&g, m, 100);
    counters_control(c, 0x70007);
    assert_int_equal(extract(c, 36), kept);
    counters_charge(c, 1, 1, true);
    assert_int_equal(extract(c, 36), kept);
    assert_true(counters_store(c, 37, 5));
    counters_charge(c, 1, 1, true);
    assert_int_equal(extract(c, 37), 5);
    counters_set_model(c, NULL);
    assert_int_equal(extract(c, 36), kept); /* the set is not the model's */
    counters_destroy(c);
    c = counters(0x2964); /* and no other machine */
    counters_control(c, 0x60006);
    assert_false(counters_extract(c, 34, &value));
    ec_model_destroy(m);
    counters_destroy(c);
}

static void ec_122_transactions(void **state)
{
    static const struct {
        uint16_t type;
        unsigned number[4]; /* by enum counters_transaction */
    } machines[] = {{0x2827, {158, 149, 177, 178}},
                    {0x2964, {140, 141, 218, 219}},
                    {0x3906, {140, 141, 243, 244}},
                    {0x8561, {140, 141, 243, 244}},
                    {0x3931, {140, 141, 244, 245}}};
    static struct guest g;
    (void)state;
    for (unsigned i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct counters *c = counters(machines[i].type);
        struct ec_model *m = loop(&g);
        counters_transaction(c, COUNTERS_TX_C_TEND); /* there is no such counter yet */
        counters_set_model(c, m);
        counters_transaction(c, COUNTERS_TX_C_TEND);
        counters_control(c, ON);
        for (unsigned what = 0; what < 4; what++)
            for (unsigned n = 0; n <= what; n++)
                counters_transaction(c, (enum counters_transaction)what);
        for (unsigned what = 0; what < 4; what++)
            assert_int_equal(extract(c, machines[i].number[what]), what + 1);
        counters_control(c, INACTIVE);
        counters_transaction(c, COUNTERS_TX_C_TEND);
        assert_int_equal(extract(c, machines[i].number[0]), 1);
        counters_set_model(c, NULL);
        ec_model_destroy(m);
        counters_destroy(c);
    }
}

/* Functions are counted with the model and without, their cycles with it. */
static void ec_119_cryptographic_functions(void **state)
{
    static struct guest g;
    (void)state;
    struct counters *c = counters(0x3906);
    struct counters_profile profile = c->profile;
    struct ec_model *m = loop(&g);
    profile.crypto = true;
    counters_set_profile(c, &profile);
    counters_control(c, 0x80008);
    counters_function(c, COUNTERS_AES);
    assert_int_equal(extract(c, 76), 1);
    assert_int_equal(extract(c, 77), 0);
    counters_set_model(c, m);
    counters_function(c, COUNTERS_AES);
    counters_function(c, COUNTERS_SHA);
    counters_function(c, COUNTERS_ECC); /* a z14 has no counter for it */
    assert_int_equal(extract(c, 76), 2);
    assert_int_equal(extract(c, 77), 10); /* lat_other of `teach' */
    assert_int_equal(extract(c, 69), 10);
    assert_int_equal(extract(c, 78), 0);
    counters_set_model(c, NULL);
    ec_model_destroy(m);
    counters_destroy(c);
}

/* Storage for samples: it begins with a block. */
static bool fetch(void *context, uint64_t address, uint64_t *value)
{
    memset(value, 0, 8);
    (void)context;
    return address < 8192;
}
static bool store(void *context, uint64_t address, const uint8_t *from, unsigned length)
{
    memcpy((uint8_t *)context + address, from, length);
    return address + length <= 8192;
}
static bool exchange(void *context, uint64_t address, uint64_t *old, uint64_t value)
{
    (void)context;
    (void)value;
    *old = 0;
    return address < 8192;
}

static void ec_134_136_252_samples(void **state)
{
    static struct guest g;
    static uint8_t bytes[8192];
    const struct sampling_storage storage = {bytes, fetch, store, exchange};
    const struct sampling_state now = {.ia = 0x2000};
    uint8_t block[COUNTERS_BLOCK] = {0};
    struct ec_totals t;
    unsigned most = 0, least = 15;
    (void)state;
    struct counters *c = counters(0x3906);
    struct ec_model *m = loop(&g);
    counters_set_model(c, m);
    put64(block, SAMPLING_ES | SAMPLING_ED | SAMPLING_CS | SAMPLING_CD);
    for (unsigned n = 0; n < 200; n++) {
        steps(&g, m, 7);
        put64(block + 24, 0); /* DEAR: the beginning of the block once more */
        sampling_control(c, block);
        sampling_take(c, &now, &storage);
        const unsigned live = ec_live(ec_model_counting(m)); /* of `teach' each is one instruction */
        assert_int_equal(bytes[2], live < 15 ? live : 15);
        assert_int_equal(get64(bytes + 8), 0x2000);
        most = bytes[2] > most ? bytes[2] : most;
        least = bytes[2] < least ? bytes[2] : least;
        ec_model_totals(m, &t);
        assert_int_equal(get64(bytes + 32), UINT64_C(0x8001000000000000));
        assert_int_equal(get64(bytes + 40), t.cycles);
        assert_int_equal(get64(bytes + 48), t.completed[EC_INST]);
        for (unsigned k = 0; k < 11; k++)
            assert_int_equal(get64(bytes + 56 + 8 * k), t.all[ec_pair_event(k)] - t.completed[ec_pair_event(k)]);
    }
    assert_true(most > least + 3);
    assert_true(get64(bytes + 56) > 100);
    counters_set_model(c, NULL);
    ec_model_destroy(m);
    counters_destroy(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ec_46_106_121_views),
        cmocka_unit_test(ec_121_pmcs),
        cmocka_unit_test(ec_118_121_numbers),
        cmocka_unit_test(ec_122_documented),
        cmocka_unit_test(ec_117_119_problem_state),
        cmocka_unit_test(ec_122_transactions),
        cmocka_unit_test(ec_119_cryptographic_functions),
        cmocka_unit_test(ec_134_136_252_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
