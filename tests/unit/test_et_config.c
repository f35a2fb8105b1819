/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration element of exception trace: registers, what is refused, keys as text (specification 3.7, 4.2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "ri/trace/config.h"
#include "tests/unit/random.h"

static const struct et_limits host = {.host_clock = true}, no_host = {.host_clock = false};

static struct et_config fresh(void)
{
    struct et_config c;
    et_config_reset(&c);
    return c;
}

/* Positions are written out here once more on purpose: reset values and names of the table. */
static void et_68_registers_names_and_reset_values(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t reset;
    } wanted[] = {{"ETCR", 0x4030040}, {"ETFR", 0x1a1e0000},   {"ETSL", 0x70ff}, {"ETRG", 0},
                  {"ETTS", 0},         {"ETBF", 0x4000000014}, {"ETMS", 0},      {"ETST", 0}};
    struct et_config c = fresh();
    assert_int_equal(ET_REGISTERS, 19);
    for (unsigned i = 0; i < 8; i++) {
        assert_string_equal(et_register_name(i), wanted[i].name);
        assert_int_equal(et_register_reset(i), wanted[i].reset);
        assert_int_equal(c.reg[i], wanted[i].reset);
    }
    for (unsigned i = 8; i < 16; i++) {
        char name[8];
        snprintf(name, sizeof name, "ETBM%u", i - 8);
        assert_string_equal(et_register_name(i), name);
        assert_int_equal(c.reg[i], UINT64_MAX);
    }
    assert_int_equal(c.reg[ETPM], 0x04f1c00180000000);
    assert_int_equal(et_register_find("etbm3"), 11);
    assert_int_equal(et_register_find("18"), ETGL);
    assert_int_equal(et_register_find("19"), -1);
    assert_int_equal(et_register_find("ETXX"), -1);
    assert_int_equal(et_register_find(""), -1);
    assert_null(et_config_wrong(&c, &no_host));
}

/* Fields by their places in the registers. */
static void et_68_fields(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value;
        unsigned reg;
        uint64_t clear, set; /* from the reset value */
    } cases[] = {
        {"enable", "on", ETCR, 0, 1},
        {"events", "none", ETCR, 0xf0, 0},
        {"events", "entry", ETCR, 0xf0, 0x10},
        {"events", "exit", ETCR, 0xf0, 0x20},
        {"events", "exit+entry", ETCR, 0xf0, 0x30},
        {"events", "all", ETCR, 0xf0, 0x40},
        {"events", "exit+return", ETCR, 0xf0, 0x50},
        {"events", "entry+return", ETCR, 0xf0, 0x60},
        {"events", "return", ETCR, 0xf0, 0x70},
        {"events", "return+entry+exit", ETCR, 0xf0, 0x40},
        {"events3", "7", ETCR, 0xf0, 0x70},
        {"events4", "9", ETCR, 0xf0, 0x92},
        {"signal", "on", ETCR, 0, 1 << 8},
        {"state", "on", ETCR, 0, 1 << 9},
        {"tpi", "on", ETCR, 0, 1 << 10},
        {"context", "on", ETCR, 0, 1 << 11},
        {"retmode", "pstate", ETCR, 0, 1 << 12},
        {"retmode", "any", ETCR, 0, 2 << 12},
        {"near", "on", ETCR, 0, 1 << 14},
        {"from", "problem", ETCR, 1 << 17, 0},
        {"from", "supervisor", ETCR, 1 << 16, 0},
        {"from", "none", ETCR, 3 << 16, 0},
        {"downstream", "on", ETCR, 0, 1 << 18},
        {"counts", "on", ETCR, 0, 1 << 19},
        {"lock", "on", ETCR, 0, 1 << 24},
        {"always", "on", ETCR, 0, 1 << 25},
        {"guest", "off", ETCR, 1 << 26, 0},
        {"omit", "on", ETFR, 0, 1},
        {"compress", "stack", ETFR, 0, 2 << 1},
        {"compress", "fifo", ETFR, 0, 3 << 1},
        {"reduced", "on", ETFR, 0, 1 << 3},
        {"reduced.others", "suppress", ETFR, 0, 1 << 4},
        {"reduced.offset", "on", ETFR, 0, 1 << 5},
        {"merge", "exit-return", ETFR, 0, 1 << 6},
        {"merge", "exit-return+tail", ETFR, 0, 2 << 6},
        {"reduced.base", "0x100", ETFR, 0x1ff << 8, 0x100 << 8},
        {"reduced.max", "3", ETFR, 0xf << 17, 3 << 17},
        {"tailflag", "entry", ETFR, 0, 1 << 21},
        {"tailflag", "exit", ETFR, 0, 1 << 22},
        {"tailflag", "both", ETFR, 0, 3 << 21},
        {"lateflag", "on", ETFR, 0, 1 << 23},
        {"figure-mode", "on", ETFR, 0, 1 << 24},
        {"fifo", "2", ETFR, 3 << 25, 0},
        {"fifo", "16", ETFR, 3 << 25, 3 << 25},
        {"stack", "128", ETFR, 7 << 27, 7 << 27},
        {"info", "on", ETFR, 0, UINT64_C(1) << 32},
        {"addr", "old", ETFR, 0, UINT64_C(1) << 33},
        {"addr", "old+new+ret", ETFR, 0, UINT64_C(7) << 33},
        {"classes", "svc", ETSL, 0x7f, 0x40},
        {"classes", "restart+io", ETSL, 0x7f, 0x11},
        {"normal", "off", ETSL, 0x80, 0},
        {"hwonly", "on", ETSL, 0, 0x100},
        {"priority", "2", ETSL, 0x7000, 0x2000},
        {"subset", "timers", ETSL, 0x70000, 0x30000},
        {"subset", "none", ETSL, 0x70000, 0x70000},
        {"range0", "0x004-0x005", ETRG, 0, 5 << 16 | 4},
        {"range0", "!4-5", ETSL, 0, 3 << 20},
        {"range1", "3", ETRG, 0, UINT64_C(3) << 48 | UINT64_C(3) << 32},
        {"range1", "0-31", ETSL, 0, 1 << 22},
        {"numbers", "0x004,0x40-0x4f,!0x41", ETBM0, UINT64_MAX, 1 << 4},
        {"numbers", "0x004,0x40-0x4f,!0x41", ETBM1, UINT64_MAX, 0xfffd},
        {"numbers", "!0x1ff", ETBM7, UINT64_C(1) << 63, 0},
        {"numbers", "all", ETSL, 0, 1 << 24},
        {"timestamps", "inline", ETTS, 0, 1},
        {"timestamps", "separate", ETTS, 0, 2},
        {"clock", "insn", ETTS, 0, 0x10},
        {"clock", "host", ETTS, 0, 0x30},
        {"clock.shift", "63", ETTS, 0, 63 << 8},
        {"buffer", "7", ETBF, 0x1f, 7},
        {"overflow", "wrap", ETBF, 0, 2 << 8},
        {"drain", "65535", ETBF, 0, UINT64_C(0xffff) << 16},
        {"sync", "1", ETBF, UINT64_C(0xffff) << 32, UINT64_C(1) << 32},
        {"merge.timeout", "4294967295", ETMS, 0, 0xffffffff},
        {"sample", "64", ETMS, 0, UINT64_C(64) << 32},
        {"guest.alert", "80", ETMS, 0, UINT64_C(80) << 48},
        {"etpm", "0xffff", ETPM, UINT64_MAX, 0xffff},
        {"ETGA", "0x2000", ETGA, 0, 0x2000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct et_config c = fresh();
        char why[200];
        assert_null(et_config_key(&c, cases[i].key, cases[i].value, why, sizeof why));
        if (c.reg[cases[i].reg] != ((et_register_reset(cases[i].reg) & ~cases[i].clear) | cases[i].set))
            fail_msg("%s=%s makes %llx", cases[i].key, cases[i].value, (unsigned long long)c.reg[cases[i].reg]);
        assert_null(et_config_wrong(&c, &host));
    }
}

static void et_68_76_keys_with_wrong_values_change_nothing(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"enable", "maybe"},
                                           {"events", "entry+"},
                                           {"events", ""},
                                           {"events", "entry,exit"},
                                           {"events3", "8"},
                                           {"events4", "15"},
                                           {"retmode", "matc"},
                                           {"priority", "8"},
                                           {"reduced.base", "512"},
                                           {"reduced.max", "16"},
                                           {"fifo", "3"},
                                           {"stack", "256"},
                                           {"range0", "5-4"},
                                           {"range0", "0-512"},
                                           {"range0", "1-2-3"},
                                           {"range0", ""},
                                           {"range0", "4-"},
                                           {"numbers", "1,"},
                                           {"numbers", "1;2"},
                                           {"numbers", "-1"},
                                           {"numbers", "512"},
                                           {"clock.shift", "64"},
                                           {"merge.timeout", "4294967296"},
                                           {"drain", "0x"},
                                           {"drain", "18446744073709551616"},
                                           {"etst", "0"},
                                           {"etts", "0x40"},
                                           {"etpm", "nothing"},
                                           {"preset", "unix"},
                                           {"sample", "-1"},
                                           {"buffer", " 7"},
                                           {"no-such", "1"},
                                           {"7", "0"},
                                           {"", "1"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct et_config c = fresh(), was = c;
        char why[200] = "";
        const char *said = et_config_key(&c, cases[i][0], cases[i][1], why, sizeof why);
        if (!said)
            fail_msg("%s=%s is taken", cases[i][0], cases[i][1]);
        assert_ptr_equal(said, why);
        assert_memory_equal(&c, &was, sizeof c);
        assert_non_null(strstr(why, *cases[i][0] < 'a'                               ? "key"
                                    : cases[i][0][0] == 'e' && cases[i][0][1] == 't' ? "ET"
                                                                                     : cases[i][0]));
    }
}

/* Each refused combination, and its neighbour that is not. */
static void et_68_76_refused_combinations(void **state)
{
    (void)state;
    static const struct {
        unsigned reg;
        uint64_t good, bad;
    } cases[] = {
        {ETCR, 0x40300e2, 0x40300f2},                     /* EVENC with EVSEL 1110, 1111 */
        {ETCR, 0x4030040 | 2 << 12, 0x4030040 | 3 << 12}, /* RETM */
        {ETFR, 0x181e0000 | 496 << 8, 0x181e0000 | 497 << 8},
        {ETFR, 0x18020000 | 510 << 8, 0x18020000 | 511 << 8},
        {ETFR, 0x1a1e0080, 0x1a1e00c0},   /* MERGE */
        {ETFR, 0x1b1e0040, 0x1b1e0080},   /* figure mode: MERGE */
        {ETFR, 0x1b1e0001, 0x1b1e0003},   /* OMIT with COMP */
        {ETFR, 0x1b1e0008, 0x1b1e0009},   /* RED with OMIT */
        {ETFR, 0x1b1e0006, 0x1b1e000e},   /* COMP with RED */
        {ETFR, 0x1b1e0006, 0x1d1e0006},   /* FIFO of 8 */
        {ETFR, 0x1b1e0000, 0x1b9e0000},   /* LA */
        {ETFR, 0x11a1e0000, 0x11b1e0000}, /* INFO */
        {ETFR, 0x21a1e0000, 0x21b1e0000}, /* ADDR */
        {ETFR, 0x41a1e0000, 0x41b1e0000},
        {ETFR, 0x81a1e0000, 0x81b1e0000},
        {ETTS, 0x20, 0x30}, /* clock=host; the machine has none */
        {ETTS, 2, 3},
        {ETBF, 7, 6},
        {ETBF, 26, 27},
        {ETBF, 0x214, 0x314},
        {ETSL, 0x1070ff | 5 << 16 | 1 << 24, UINT64_C(1) << 63}, /* SUBSET and BMEN are fine together */
        {ETRG, 0x01ff01ff01ff01ff, 0x200},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct et_config c = fresh();
        c.reg[cases[i].reg] = cases[i].good;
        if (et_config_wrong(&c, &no_host))
            fail_msg("case %zu: %s", i, et_config_wrong(&c, &no_host));
        c.reg[cases[i].reg] = cases[i].bad;
        if (!et_config_wrong(&c, &no_host))
            fail_msg("case %zu is not refused", i);
    }
    struct et_config c = fresh();
    ET_PUT(&c, ETTS, CLK, ET_CLOCK_HOST);
    assert_null(et_config_wrong(&c, &host));
}

static void et_68_presets(void **state)
{
    (void)state;
    struct et_config c = fresh(), reset = fresh();
    char why[200];
    assert_null(et_config_key(&c, "preset", "os", why, sizeof why));
    assert_int_equal(c.reg[ETCR], 0x4030040 | 1 << 11 | 1 << 12 | 1 << 14);
    assert_null(et_config_key(&c, "omit", "on", why, sizeof why));
    assert_null(et_config_key(&c, "enable", "on", why, sizeof why));
    assert_null(et_config_key(&c, "preset", "bare", why, sizeof why));
    reset.reg[ETCR] |= 1; /* whether there is output stays */
    assert_memory_equal(&c, &reset, sizeof c);
}

/* ---- save and load ---------------------------------------------------------------------------------------------- */

struct restoring {
    struct et_config config;
    unsigned lines;
};

static void restore_line(void *context, const char *key, const char *value)
{
    struct restoring *r = context;
    char why[200];
    r->lines++;
    if (et_config_key(&r->config, key, value, why, sizeof why))
        fail_msg("%s", why);
}

static void et_77_save_and_load_restore_every_register(void **state)
{
    (void)state;
    struct restoring r = {fresh(), 0};
    const struct et_config reset = fresh();
    et_config_save(&reset, restore_line, &r);
    assert_int_equal(r.lines, 0);
    struct random r77 = seeded(77);
    for (unsigned round = 0; round < 20000; round++) {
        struct et_config c = fresh();
        for (unsigned i = 0; i < ET_REGISTERS; i++)
            if (i != ETST && next(&r77) % 3)
                c.reg[i] = next(&r77) & et_register_bits(i);
        r = (struct restoring){reset, 0};
        et_config_save(&c, restore_line, &r);
        assert_memory_equal(&r.config, &c, sizeof c);
    }
}

/* What et_config_key_value() says of a key, et_config_key() reads as the same. */
static void et_77_values_as_they_are_read(void **state)
{
    (void)state;
    struct random r7 = seeded(7);
    for (unsigned round = 0; round < 2000; round++) {
        struct et_config c = fresh();
        for (unsigned i = 0; i < ETBM0; i++)
            c.reg[i] = next(&r7) & et_register_bits(i);
        if (!ET_GET(&c, ETCR, EVENC))
            c.reg[ETCR] &= ~UINT64_C(0x80); /* the table of 3 bits does not look at it */
        if (et_config_wrong(&c, &host))
            continue;
        const char *values, *name;
        for (unsigned i = 0; (name = et_config_key_name(i, &values)); i++) {
            struct et_config again = c;
            char value[1600], why[200];
            et_config_key_value(&c, i, value, sizeof value);
            if (!*value)
                continue;
            if (et_config_key(&again, name, value, why, sizeof why))
                continue; /* a range whose ends are exchanged: only its register can say so */
            if (strncmp(name, "range", 5) || strcmp(value, "off"))
                assert_memory_equal(&again, &c, sizeof c);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_68_registers_names_and_reset_values),
        cmocka_unit_test(et_68_fields),
        cmocka_unit_test(et_68_76_keys_with_wrong_values_change_nothing),
        cmocka_unit_test(et_68_76_refused_combinations),
        cmocka_unit_test(et_68_presets),
        cmocka_unit_test(et_77_save_and_load_restore_every_register),
        cmocka_unit_test(et_77_values_as_they_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
