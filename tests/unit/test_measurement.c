/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPU-measurement facilities by events, and their alerts as guest programs on both engines have them. Names carry
   the requirements of the event-counter specification. */
#include "cpu/control/interrupt.h"
#include "cpu/control/sample.h"
#include "ri/counters/sampling.h"
#include "tests/unit/ri_guest.h"

/* ---- by events ------------------------------------------------------------------------------------------------- */

#define STORAGE 0x10000u
#define TABLE   0x1000u /* sample-data-block table */
#define FIRST   0x2000u /* sample-data blocks */
#define SECOND  0x3000u

struct machine {
    struct counters *counters;
    uint8_t bytes[STORAGE];
    unsigned exchanges_lost; /* so often another program changes a doubleword first, setting its last bit but one */
};

static bool fetch(void *context, uint64_t address, uint64_t *value)
{
    struct machine *m = context;
    if (address > STORAGE - 8)
        return false;
    *value = get64(m->bytes + address);
    return true;
}
static bool store(void *context, uint64_t address, const uint8_t *from, unsigned length)
{
    struct machine *m = context;
    if (address > STORAGE - length)
        return false;
    memcpy(m->bytes + address, from, length);
    return true;
}
static bool exchange(void *context, uint64_t address, uint64_t *old, uint64_t value)
{
    struct machine *m = context;
    if (m->exchanges_lost) {
        m->exchanges_lost--;
        put64(m->bytes + address, get64(m->bytes + address) ^ BIT64(62));
    }
    uint64_t is = get64(m->bytes + address);
    if (is == *old)
        put64(m->bytes + address, value);
    *old = is;
    return true;
}

static void sample(struct machine *m)
{
    const struct sampling_storage storage = {m, fetch, store, exchange};
    struct sampling_state state = {.ia = 0x123456789abcdef0,
                                   .program_parameter = 0x1122334455667788,
                                   .primary_asn = 0xfedc,
                                   .space = 2,
                                   .dat = true,
                                   .problem = true};
    memset(state.clock, 0xcc, sizeof state.clock);
    counters_charge(m->counters, 1, m->counters->sampling.left, false);
    assert_true(m->counters->due);
    sampling_take(m->counters, &state, &storage);
    assert_false(m->counters->due);
}

static void control(struct machine *m, unsigned controls, uint64_t tear, uint64_t dear)
{
    uint8_t block[COUNTERS_BLOCK] = {0};
    put64(block, controls);
    put64(block + 8, 30000);
    put64(block + 16, tear);
    put64(block + 24, dear);
    assert_false(sampling_control_invalid(block));
    sampling_control(m->counters, block);
}

static void setup(struct machine *m)
{
    memset(m, 0, sizeof *m);
    m->counters = counters_create();
    assert_non_null(m->counters);
    put64(m->bytes + TABLE, FIRST);
    put64(m->bytes + TABLE + 8, SECOND);
    put64(m->bytes + TABLE + 16, TABLE | 1);
}

#define TEST(name)                                                                                                     \
    static void name##_body(struct machine *m);                                                                        \
    static void name(void **state)                                                                                     \
    {                                                                                                                  \
        static struct machine m;                                                                                       \
        (void)state;                                                                                                   \
        setup(&m);                                                                                                     \
        name##_body(&m);                                                                                               \
        counters_destroy(m.counters);                                                                                  \
    }                                                                                                                  \
    static void name##_body(struct machine *m)

#define TRAILER(block) (m->bytes + (block) + SAMPLING_TRAILER)
#define BASIC          (SAMPLING_ES | SAMPLING_CS)
#define BOTH           (SAMPLING_ES | SAMPLING_CS | SAMPLING_ED | SAMPLING_CD)

TEST(ec_117_118_125_sizes_and_versions)
{
    static const struct {
        unsigned type, first, second, problem, crypto, extended, mt;
    } machines[] = {{0x2827, 1, 3, 6, 16, 128, 0},  {0x2828, 1, 3, 6, 16, 128, 0},  {0x2964, 3, 4, 2, 16, 128, 48},
                    {0x2965, 3, 4, 2, 16, 128, 48}, {0x3906, 3, 5, 2, 16, 128, 48}, {0x3907, 3, 5, 2, 16, 128, 48},
                    {0x8561, 3, 6, 2, 20, 160, 48}, {0x8562, 3, 6, 2, 20, 160, 48}, {0x3931, 3, 7, 2, 20, 160, 48},
                    {0x3932, 3, 7, 2, 20, 160, 48}, {0x2097, 3, 5, 2, 16, 128, 48}};
    for (unsigned i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct counters_profile p = {.mhz = 1, .crypto = true};
        unsigned first;
        bool readable;
        counters_versions((uint16_t)machines[i].type, &p.first_version, &p.second_version);
        assert_int_equal(p.first_version, machines[i].first);
        assert_int_equal(p.second_version, machines[i].second);
        counters_set_profile(m->counters, &p);
        assert_int_equal(counters_multiple(m->counters, 0, &first, &readable), machines[i].extended);
        assert_int_equal(first, 128);
        assert_int_equal(counters_multiple(m->counters, 1, &first, &readable), 6);
        assert_int_equal(first, 0);
        assert_int_equal(counters_multiple(m->counters, 2, &first, &readable), machines[i].problem);
        assert_int_equal(first, 32);
        assert_int_equal(counters_multiple(m->counters, 3, &first, &readable), machines[i].crypto);
        assert_int_equal(first, 64);
        assert_int_equal(counters_multiple(m->counters, 5, &first, &readable), machines[i].mt);
        /* EC-125: headers of 8 bytes, all sets, a trailer of 64 bytes in the page of the kernel's diagnostic data */
        assert_true(8 * (6 + machines[i].problem + machines[i].crypto + machines[i].extended + machines[i].mt) + 5 * 8 +
                        64 <=
                    4096);
    }
}

TEST(ec_119_crypto_classes)
{
    struct counters *c = m->counters;
    uint64_t value;
    counters_set_profile(c, &(struct counters_profile){3, 6, 1, true, false});
    counters_function(c, COUNTERS_AES); /* disabled: not counted */
    counters_control(c, 0x80008);
    assert_false(c->counting); /* nothing per instruction */
    for (unsigned class = COUNTERS_PRNG; class <= COUNTERS_ECC; class ++)
        for (unsigned n = 0; n <= class; n++)
            counters_function(c, (enum counters_class) class);
    for (unsigned n = 64; n < 84; n++) {
        assert_true(counters_extract(c, n, &value));
        assert_int_equal(value, n % 4 ? 0 : (n - 64) / 4 + 1);
    }
    counters_set_profile(c, &(struct counters_profile){3, 5, 1, true, false}); /* no counters of ECC here */
    counters_function(c, COUNTERS_ECC);
    assert_false(counters_extract(c, 80, &value));
}

TEST(ec_114_120_authorization)
{
    struct counters *c = m->counters;
    uint64_t value;
    counters_control(c, 0x60006);
    counters_charge(c, 1, 2, true);
    counters_authorize(c, COUNTERS_BASIC);
    assert_int_equal(c->alerts, COUNTERS_CACA);
    assert_false(counters_extract(c, 32, &value));
    assert_true(counters_extract(c, 0, &value));
    assert_int_equal(value, 2);
    assert_true(counters_control_invalid(c, 0x40000));
    counters_authorize(c, 0xffff);
    assert_false(counters_extract(c, 32, &value)); /* disabled now */
    counters_control(c, 0x60000);
    assert_true(counters_extract(c, 32, &value));
    assert_int_equal(value, 0);
    assert_true(counters_control_invalid(c, 0x10000)); /* extended: never without the model */
}

TEST(ec_120_mt_diagnostic)
{
    struct counters *c = m->counters;
    uint64_t value;
    uint8_t block[COUNTERS_BLOCK];
    counters_set_profile(c, &(struct counters_profile){3, 5, 1, false, true});
    counters_query(c, 0, block);
    assert_int_equal(get16(block + 2), 0x26);
    assert_int_equal(get16(block + 4), 0x20);
    assert_int_equal(get16(block + 6), 0x20);
    counters_control(c, 0); /* ignored there */
    counters_charge(c, 3, 7, false);
    assert_true(counters_extract(c, 448, &value));
    assert_int_equal(value, 7);
    assert_true(counters_extract(c, 449, &value));
    assert_int_equal(value, 0);
    assert_false(counters_store(c, 448, 0)); /* EC-109: read-only */
}

TEST(ec_107_cpu_reset)
{
    struct counters *c = m->counters;
    counters_control(c, 0x60006);
    counters_charge(c, 1, 2, true);
    control(m, BASIC, TABLE, FIRST);
    c->alerts = COUNTERS_CACA | COUNTERS_PRA;
    counters_reset(c);
    assert_int_equal(c->enabled | c->active | c->alerts | c->sampling.controls, 0);
    assert_int_equal(c->value[0], 0);
    assert_false(c->counting);
}

TEST(ec_134_basic_entry)
{
    control(m, BASIC, TABLE, FIRST);
    sample(m);
    const uint8_t *e = m->bytes + FIRST;
    assert_int_equal(get64(e), UINT64_C(0x0001012c4000fedc)); /* U 1; T, P, secondary; CL 1; ASN */
    assert_int_equal(get64(e + 8), UINT64_C(0x123456789abcdef0));
    assert_int_equal(get64(e + 16), 0);
    assert_int_equal(get64(e + 24), UINT64_C(0x1122334455667788));
    assert_int_equal(get64(e + 32), 0);
    assert_int_equal(m->counters->sampling.dear, FIRST + 32);
    assert_int_equal(m->counters->sampling.tear, TABLE);
}

TEST(ec_136_diagnostic_entry)
{
    counters_control(m->counters, 0x20002);
    control(m, BOTH, TABLE, FIRST);
    sample(m);
    const uint8_t *e = m->bytes + FIRST + SAMPLING_BASIC;
    assert_int_equal(get16(m->bytes + FIRST), 1);
    assert_int_equal(get64(e), UINT64_C(0x8001000000000000));
    assert_int_equal(get64(e + 8), 30000);
    assert_int_equal(get64(e + 16), 1);
    for (unsigned n = 24; n < SAMPLING_DIAG + 32; n += 8)
        assert_int_equal(get64(e + n), 0);
    assert_int_equal(m->counters->sampling.dear, FIRST + 144);
    control(m, SAMPLING_ED | SAMPLING_CD, TABLE, SECOND); /* alone */
    sample(m);
    assert_int_equal(get16(m->bytes + SECOND), 0x8001);
    assert_int_equal(m->counters->sampling.dear, SECOND + 112);
}

/* How many entries a block takes, and what happens when it is full. */
TEST(ec_133_137_full_block)
{
    control(m, BASIC, TABLE, FIRST);
    put64(TRAILER(FIRST), UINT64_C(0x0fffffffffffffff)); /* no alert request; rubbish else */
    put64(TRAILER(FIRST) + 48, 77);
    for (unsigned n = 0; n < 125; n++)
        sample(m);
    assert_int_equal(get64(TRAILER(FIRST)) >> 63, 0);
    sample(m);
    assert_int_equal(get64(TRAILER(FIRST)), UINT64_C(0xafffffff00200070)); /* F and T, sizes */
    for (unsigned n = 16; n < 32; n++)
        assert_int_equal(TRAILER(FIRST)[n], 0xcc);
    assert_int_equal(get64(TRAILER(FIRST) + 48), 77); /* the program's */
    assert_int_equal(m->counters->sampling.tear, TABLE + 8);
    assert_int_equal(m->counters->sampling.dear, SECOND);
    assert_int_equal(m->counters->alerts, 0);
    put64(TRAILER(SECOND), BIT64(1)); /* A: an alert is wanted; a program is faster twice */
    for (unsigned n = 0; n < 125; n++)
        sample(m);
    m->exchanges_lost = 2;
    sample(m);
    assert_int_equal(get64(TRAILER(SECOND)), UINT64_C(0xe000000000200070));
    assert_int_equal(m->counters->alerts, COUNTERS_PRA);
    assert_int_equal(m->counters->sampling.tear, TABLE); /* by the link */
    assert_int_equal(m->counters->sampling.dear, FIRST);
    assert_int_equal(m->counters->samples, 252);
    control(m, BOTH, TABLE, FIRST);
    put64(TRAILER(FIRST), 0);
    for (unsigned n = 0; n < 4032 / 144; n++)
        sample(m);
    assert_int_equal(m->counters->sampling.dear, SECOND);
}

TEST(ec_138_overflow)
{
    control(m, BASIC, TABLE, FIRST);
    put64(TRAILER(FIRST), BIT64(0));
    put64(TRAILER(FIRST) + 8, 41);
    sample(m);
    m->exchanges_lost = 1;
    sample(m);
    assert_int_equal(get64(TRAILER(FIRST) + 8), 43 ^ 2); /* the other program's change is not lost */
    assert_int_equal(m->counters->samples, 0);
    assert_int_equal(m->counters->alerts, 0);
    assert_int_equal(m->counters->sampling.dear, FIRST);
    assert_true(m->counters->counting); /* it goes on */
    put64(TRAILER(FIRST), 0);
    sample(m);
    assert_int_equal(m->counters->samples, 1);
}

TEST(ec_138_entry_addresses)
{
    static const struct {
        uint64_t tear, dear, entry;
        uint32_t alert;
    } cases[] = {
        {TABLE, UINT64_C(0x7fffffff000), SECOND, COUNTERS_IAE},
        {TABLE, STORAGE, SECOND, COUNTERS_IAE},
        {TABLE, FIRST + 4, SECOND, COUNTERS_IAE},
        {UINT64_C(0x7fffffff000), FIRST + 4000, SECOND, COUNTERS_IAE},
        {TABLE, FIRST + 4000, 0, COUNTERS_ISE},
        {TABLE, FIRST + 4000, SECOND + 8, COUNTERS_ISE},
        {TABLE, FIRST + 4000, 5, COUNTERS_ISE},
        {TABLE, FIRST + 4000, (TABLE + 8) | 1, COUNTERS_ISE}, /* a link to itself */
        {TABLE, FIRST + 4000, UINT64_C(0x7fffffff001), COUNTERS_IAE},
        {TABLE, FIRST + 4000, UINT64_C(0x7fffffff000), 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        counters_reset(m->counters);
        put64(m->bytes + TABLE + 8, cases[i].entry);
        put64(TRAILER(FIRST), 0);
        control(m, BASIC, cases[i].tear, cases[i].dear);
        sample(m);
        assert_int_equal(m->counters->alerts, cases[i].alert);
        assert_int_equal(m->counters->sampling.controls, cases[i].alert ? SAMPLING_ES : BASIC); /* inactive */
        assert_int_equal(m->counters->counting, !cases[i].alert);
    }
}

TEST(ec_132_disabling_clears_sampling_alerts)
{
    control(m, BASIC, TABLE, FIRST);
    m->counters->alerts = COUNTERS_PRA | COUNTERS_IAE | COUNTERS_CACA;
    control(m, SAMPLING_ES, 0, 0);
    assert_int_equal(m->counters->alerts, COUNTERS_PRA | COUNTERS_IAE | COUNTERS_CACA);
    assert_int_equal(m->counters->sampling.tear, TABLE);
    control(m, 0, 0, 0);
    assert_int_equal(m->counters->alerts, COUNTERS_CACA);
    assert_int_equal(m->counters->sampling.tear, 0);
}

/* A remainder belongs to the next interval, and being inactive for a while loses no cycles. */
TEST(ec_135_intervals)
{
    struct counters *c = m->counters;
    unsigned samples = 0;
    control(m, BASIC, TABLE, FIRST);
    assert_int_equal(counters_until_sample(c), 30000);
    for (unsigned n = 1; n <= 100000; n++) {
        counters_charge(c, 1, 7, false);
        if (c->due) {
            assert_true(7 * (uint64_t)n / 30000 == samples + 1 && 7 * (uint64_t)(n - 1) / 30000 == samples);
            samples++;
            c->due = false;
        }
        if (n % 1000 == 0) {
            control(m, SAMPLING_ES, 0, 0);
            assert_int_equal(counters_until_sample(c), UINT64_MAX);
            counters_charge(c, 1, 7, false);
            control(m, BASIC, TABLE, FIRST);
        }
    }
    assert_int_equal(samples, 700000 / 30000);
}

/* ---- alerts, by guest programs --------------------------------------------------------------------------------- */

#define ENABLE(g)                                                                                                      \
    guest_psw(g, 0x1b0, PSW_64, label(g, "alert"));                                                                    \
    (g)->cpu->cr[0] |= BIT64(58);                                                                                      \
    guest_psw(g, 0x980, PSW_64 | PSW_EXT, label(g, "on"))

#define PROGRAM "lpswe 0x980\n on:\n nopr %r0\n nopr %r0\n lpswe 0x900\n alert:\n lpswe 0x900\n"

GUEST(ec_112_116_alert, "RI-A")
{
    guest_code(g, CODE, PROGRAM);
    ENABLE(g);
    g->cpu->counters->alerts = COUNTERS_PRA | COUNTERS_CACA;
    memset(g->storage + 128, 0xff, 8);
    assert_true(cpu_external_pending(g->cpu) & CPU_EXT_MEASUREMENT_ALERT);
    guest_go(g, PSW_64, CODE);
    assert_int_equal(get32(g->storage + 128), COUNTERS_PRA | COUNTERS_CACA);
    assert_int_equal(get16(g->storage + 132), 0);
    assert_int_equal(get16(g->storage + 134), 0x1407);
    assert_int_equal(get64(g->storage + 312), label(g, "on"));
    assert_int_equal(g->cpu->counters->alerts, 0);
}

GUEST(ec_112_masks, "RI-A")
{
    guest_code(g, CODE, PROGRAM);
    ENABLE(g);
    g->cpu->cr[0] &= ~BIT64(58);
    g->cpu->counters->alerts = COUNTERS_PRA;
    guest_go(g, PSW_64, CODE);
    assert_int_equal(get16(g->storage + 134), 0);
    assert_int_equal(g->cpu->counters->alerts, COUNTERS_PRA);
    guest_psw(g, 0x980, PSW_64, label(g, "on"));
    g->cpu->cr[0] |= BIT64(58);
    guest_go(g, PSW_64, CODE);
    assert_int_equal(get16(g->storage + 134), 0);
}

/* One interruption presents everything; RI's bits stay a level of its own controls. */
GUEST(ec_116_shared_with_ri, "RI-A")
{
    struct ri_controls c = {.v = 1, .u = 1, .g = 1, .m = 1, .sf = 1000};
    uint8_t block[RI_BLOCK_SIZE];
    guest_code(g, CODE, PROGRAM);
    ENABLE(g);
    ri_controls_encode(&c, block);
    assert_true(ri_lric(g->cpu->ri, block));
    g->cpu->counters->alerts = COUNTERS_LCDA;
    guest_go(g, PSW_64, CODE);
    assert_int_equal(get32(g->storage + 128), COUNTERS_LCDA | 0x20);
    assert_int_equal(g->cpu->ri->controls.g, 0);
    c.u = 0; /* RI's condition is not enabled by its own control */
    ri_controls_encode(&c, block);
    assert_true(ri_lric(g->cpu->ri, block));
    g->cpu->counters->alerts = COUNTERS_LCDA;
    guest_go(g, PSW_64, CODE);
    assert_int_equal(get32(g->storage + 128), COUNTERS_LCDA);
    assert_int_equal(g->cpu->ri->controls.g, 1);
}

/* A sample that fills a block interrupts in front of the very instruction that it describes. */
GUEST(ec_135_137_alert_of_a_sample, "RI-A")
{
    uint8_t block[COUNTERS_BLOCK] = {0};
    guest_code(g, CODE, "lpswe 0x980\n on:\n loop:\n la %r1,1(%r1)\n lgr %r2,%r1\n j @loop\n alert:\n lpswe 0x900\n");
    ENABLE(g);
    put64(g->storage + 0x28000, 0x29000);
    put64(g->storage + 0x28008, 0x28001);
    put64(g->storage + 0x29000 + SAMPLING_TRAILER, BIT64(1));
    put64(block, BASIC);
    put64(block + 8, 30000);
    put64(block + 16, 0x28000);
    put64(block + 24, 0x29000 + 4000);
    sampling_control(g->cpu->counters, block);
    guest_go(g, PSW_64, CODE);
    assert_int_equal(get32(g->storage + 128), COUNTERS_PRA);
    /* LPSWE: 2 cycles; 29,998 of loops of 6 leave 4: in front of the branch */
    assert_int_equal(get64(g->storage + 312), label(g, "loop") + 8);
    assert_int_equal(get64(g->storage + 0x29000 + 4000 + 8), label(g, "loop") + 8);
    assert_int_equal(g->cpu->gr[1], 29998 / 6 + 1);
    assert_int_equal(g->storage[0x29000 + SAMPLING_TRAILER] >> 5, 7);
    assert_int_equal(g->cpu->counters->sampling.dear, 0x29000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ec_117_118_125_sizes_and_versions),
        cmocka_unit_test(ec_119_crypto_classes),
        cmocka_unit_test(ec_114_120_authorization),
        cmocka_unit_test(ec_120_mt_diagnostic),
        cmocka_unit_test(ec_107_cpu_reset),
        cmocka_unit_test(ec_134_basic_entry),
        cmocka_unit_test(ec_136_diagnostic_entry),
        cmocka_unit_test(ec_133_137_full_block),
        cmocka_unit_test(ec_138_overflow),
        cmocka_unit_test(ec_138_entry_addresses),
        cmocka_unit_test(ec_132_disabling_clears_sampling_alerts),
        cmocka_unit_test(ec_135_intervals),
        cmocka_unit_test(ec_112_116_alert),
        cmocka_unit_test(ec_112_masks),
        cmocka_unit_test(ec_116_shared_with_ri),
        cmocka_unit_test(ec_135_137_alert_of_a_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
