/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine profiles: the facility table, the machines of the series, refusal and its way out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants these four */
#include <cmocka.h>

#include "disasm/dis.h"
#include "emu/config/profile.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_bit(const uint64_t bits[4], unsigned n) { return bits[n / 64] & BIT64(n % 64); }

static void lb_93_table(void **state)
{
    uint64_t complete[4];
    (void)state;
    emu_facilities_complete(complete);
    for (unsigned bit = 0; bit < 256; bit++) {
        const struct dis_facility_row *f = dis_facility_of(bit);
        unsigned rows = 0, bodies = 0;
        for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
            if (bit && dis_rows[row].facility == bit) {
                rows++;
                bodies += dis_implemented(row);
            }
        if (rows && !f)
            fail_msg("facility %u has %u instructions and is not in the table of facilities", bit, rows);
        if (f) {
            assert_in_range(f->generation, DIS_Z10, DIS_CONFIGURATION);
            assert_true(*f->name);
            assert_non_null(dis_facility_of(f->with));
            if (f->promise == DIS_PROMISE_ROWS && rows == 0)
                fail_msg("facility %u is said to have instructions, and no row has it", bit);
            if (f->promise == DIS_PROMISE_LACKS)
                assert_false(has_bit(complete, bit));
        }
        if (has_bit(complete, bit) && rows != bodies)
            fail_msg("facility %u is shown with %u of %u instructions", bit, bodies, rows);
        if (!f && !rows)
            assert_false(has_bit(complete, bit)); /* reserved */
    }
    assert_true(has_bit(complete, 1) && has_bit(complete, 2) && has_bit(complete, 7));
}

/* The table of facilities: in the order of the bits; facilities that share a bit agree; what is said to have rows has
   some of its own; pairs name facilities that are there. */
static void facility_table(void **state)
{
    (void)state;
    for (unsigned id = 0; id < DIS_FACILITY_COUNT; id++) {
        const struct dis_facility_row *f = &dis_facilities[id], *first = dis_facility_of(f->bit);
        unsigned rows = 0;
        char names[256];
        for (unsigned row = 0; row < DIS_ROW_COUNT; row++)
            rows += dis_rows[row].facility_id == id;
        assert_true(id == 0 || f->bit >= dis_facilities[id - 1].bit);
        assert_int_equal(f->generation, first->generation);
        assert_int_equal(f->promise, first->promise);
        assert_int_equal(f->with, first->with);
        if (f->promise == DIS_PROMISE_ROWS && rows == 0)
            fail_msg("facility '%s' is said to have instructions, and no row has it", f->name);
        if (f->promise == DIS_PROMISE_LACKS && !*f->note)
            fail_msg("facility '%s': the note does not say what is lacking", f->name);
        if (dis_facility_of(f->with)->generation > f->generation)
            fail_msg("facility '%s' is older than what it needs", f->name);
        dis_facility_names(f->bit, names, sizeof names);
        assert_non_null(strstr(names, f->name));
    }
    for (unsigned i = 0; i < dis_facility_need_count; i++)
        assert_true(dis_facility_of(dis_facility_needs[i].one) && dis_facility_of(dis_facility_needs[i].other));
    for (unsigned i = 0; i < dis_facility_exclude_count; i++)
        assert_true(dis_facility_of(dis_facility_excludes[i].one) && dis_facility_of(dis_facility_excludes[i].other));
}

/* Storage-key removal comes when it is asked for, and what deals with keys goes then. */
static void without_keys(void **state)
{
    static const uint8_t about_keys[] = {FACILITY_CONDITIONAL_SSKE, FACILITY_NONQUIESCING, FACILITY_RRBM,
                                         FACILITY_IRBM};
    struct emu_profile p;
    struct cpu_profile with, without;
    char error[1024];
    (void)state;
    assert_int_equal(emu_profile_find("max", &p, error, sizeof error), 0);
    assert_int_equal(emu_profile_resolve(&p, &with, error, sizeof error), 0);
    assert_int_equal(emu_profile_change(&p, "+169", error, sizeof error), 0);
    assert_int_equal(emu_profile_resolve(&p, &without, error, sizeof error), 0);
    assert_false(has_bit(with.facilities, FACILITY_STORAGE_KEY_REMOVAL));
    assert_true(has_bit(without.facilities, FACILITY_STORAGE_KEY_REMOVAL));
    for (unsigned i = 0; i < sizeof about_keys; i++) {
        assert_true(has_bit(with.facilities, about_keys[i]));
        assert_false(has_bit(without.facilities, about_keys[i]));
    }
}

static void lb_90_models(void **state)
{
    static const struct {
        const char *name;
        unsigned type, generation;
        uint8_t first[3]; /* facilities that came with it */
    } machines[] = {{"z10", 0x2097, DIS_Z10, {8, 34, 35}},      {"z196", 0x2817, DIS_Z196, {37, 45, 66}},
                    {"zEC12", 0x2827, DIS_ZEC12, {49, 64, 73}}, {"z13", 0x2964, DIS_Z13, {53, 80, 129}},
                    {"z14", 0x3906, DIS_Z14, {58, 134, 135}},   {"z15", 0x8561, DIS_Z15, {61, 148, 151}},
                    {"z16", 0x3931, DIS_Z16, {165, 192, 193}}};
    uint64_t before[4] = {0}, now[4], complete[4];
    (void)state;
    emu_facilities_complete(complete);
    for (unsigned m = 0; m < sizeof machines / sizeof *machines; m++) {
        struct emu_profile p;
        struct cpu_profile cpu;
        char error[1024], *way_out;
        assert_int_equal(emu_profile_find(machines[m].name, &p, error, sizeof error), 0);
        assert_int_equal(p.machine_type, machines[m].type);
        assert_int_equal(p.generation, machines[m].generation);
        emu_facilities_of_generation(p.generation, now);
        for (unsigned i = 0; i < 3; i++) {
            assert_true(has_bit(now, machines[m].first[i]));
            assert_false(has_bit(before, machines[m].first[i]));
        }
        bool lacking = false;
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(before[i] & ~now[i], 0);
            lacking |= (now[i] & ~complete[i]) != 0;
        }
        int code = emu_profile_resolve(&p, &cpu, error, sizeof error);
        assert_int_equal(code != 0, lacking);
        if (code) { /* the sentence says what to do, and that helps */
            way_out = strstr(error, "--facility ");
            assert_non_null(way_out);
            assert_true(strlen(error) < sizeof error - 1);
            assert_int_equal(emu_profile_change(&p, way_out + 11, error, sizeof error), 0);
            assert_int_equal(emu_profile_resolve(&p, &cpu, error, sizeof error), 0);
        }
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(cpu.facilities[i], now[i] & complete[i]);
        assert_int_equal(cpu.cpu_id >> 16 & 0xffff, machines[m].type);
        memcpy(before, now, sizeof before);
    }
}

/* Which instructions are missing is said, or what else; small rooms for the sentence do no harm. */
static void sentences(void **state)
{
    struct emu_profile p;
    struct cpu_profile cpu;
    char error[1024];
    (void)state;
    assert_int_equal(emu_profile_find("max", &p, error, sizeof error), 0);
    assert_int_equal(emu_profile_resolve(&p, &cpu, error, sizeof error), 0);
    assert_int_equal(emu_profile_change(&p, "+165,+38,+200", error, sizeof error), 0);
    assert_int_not_equal(emu_profile_resolve(&p, &cpu, error, sizeof error), 0);
    assert_non_null(strstr(error, " 165 (neural-network-processing assist: "));
    assert_non_null(strstr(error, "nnpa"));
    assert_non_null(strstr(error, " 38 (COMPRESSION CALL has no order-preserving form)"));
    assert_non_null(strstr(error, " 200 (unknown: not in this program)"));
    assert_non_null(strstr(error, "--facility -38,-165,-200"));
    for (size_t size = 1; size < 400; size++) {
        char *small = malloc(size);
        assert_int_not_equal(emu_profile_resolve(&p, &cpu, small, size), 0);
        assert_true(strlen(small) < size);
        free(small);
    }
    /* A bit that needs another one goes with it. */
    assert_int_equal(emu_profile_find("max", &p, error, sizeof error), 0);
    assert_int_equal(emu_profile_change(&p, "-1", error, sizeof error), 0);
    assert_int_equal(emu_profile_find("MAX", &p, error, sizeof error), 0);
    assert_true(emu_profile_find("z17", &p, error, sizeof error) < 0);
    assert_non_null(strstr(error, "z17"));
}

/* A file that stands on a machine of the series. */
static void file(void **state)
{
    static const char text[] = "name = small\nbase = z10\nfacilities = -17\ntod = 1\n";
    struct emu_profile p;
    struct cpu_profile cpu;
    char error[1024];
    (void)state;
    assert_int_equal(emu_profile_parse(text, sizeof text - 1, "small.profile", &p, error, sizeof error), 0);
    assert_int_equal(p.machine_type, 0x2097);
    assert_string_equal(p.name, "small");
    if (emu_profile_resolve(&p, &cpu, error, sizeof error))
        fail_msg("%s", error);
    assert_true(cpu.facilities[0] & BIT64(34));
    assert_false(cpu.facilities[0] & BIT64(45));
    assert_false(cpu.facilities[0] & BIT64(17));
}

/* Keys that are numbers: the least and the largest, what is none, and the sentence for that. */
static void numbers(void **state)
{
    static const struct {
        const char *line, *wrong;
    } bad[] = {
        {"machine-type = 10000", "x, line 1: 'machine-type': a machine type has four digits"},
        {"machine-type = 39g1", "x, line 1: 'machine-type': a machine type has four digits"},
        {"identification = 1000000", "x, line 1: 'identification': a CPU identification has six hexadecimal digits"},
        {"capability = 0", "x, line 1: 'capability': a capability is a decimal number from 1 to 8388607"},
        {"capability = 8388608", "x, line 1: 'capability': a capability is a decimal number from 1 to 8388607"},
        {"tod = 10000000000000000", "x, line 1: 'tod': a TOD-clock value has up to 16 hexadecimal digits"},
        {"tod = -1", "x, line 1: 'tod': a TOD-clock value has up to 16 hexadecimal digits"},
        {"level = 0", "x, line 1: 'level': a level is 1, 2 or 3"},
        {"level = 4", "x, line 1: 'level': a level is 1, 2 or 3"},
        {"mhz = 0", "x, line 1: 'mhz': a CPU speed is a decimal number from 1 to 1000000, cycles per microsecond"},
    };
    static const char least[] = "base = max\nmachine-type = 0\nidentification = 0\ncapability = 1\ntod = 0\nlevel = 1\n"
                                "mhz = 1\n",
                      most[] = "base = max\nmachine-type = FFFF\nidentification = FFFFFF\ncapability = 8388607\n"
                               "tod = FFFFFFFFFFFFFFFF\nlevel = 3\nmhz = 1000000\n";
    struct emu_profile p;
    char error[1024];
    (void)state;
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_not_equal(emu_profile_parse(bad[i].line, strlen(bad[i].line), "x", &p, error, sizeof error), 0);
        assert_string_equal(error, bad[i].wrong);
    }
    assert_int_equal(emu_profile_parse(least, sizeof least - 1, "x", &p, error, sizeof error), 0);
    assert_int_equal(p.machine_type | p.identification | p.tod_start, 0);
    assert_true(p.capability == 1 && p.level == 1 && p.mhz == 1);
    assert_int_equal(emu_profile_parse(most, sizeof most - 1, "x", &p, error, sizeof error), 0);
    assert_true(p.machine_type == 0xffff && p.identification == 0xffffff && p.capability == 8388607);
    assert_true(p.tod_start == UINT64_MAX && p.level == 3 && p.mhz == 1000000);
}

/* The keys of the CPU-measurement facilities. */
static void ec_100_keys(void **state)
{
    static const struct {
        const char *text;
        bool good, counters, sampling, multiple;
    } files[] = {
        {"facilities = all\n", true, true, true, true},
        {"facilities = all\ncpumf.counters = on\ncpumf.sampling = on\n", true, true, true, true},
        {"facilities = all\ncpumf.sampling = off\n", true, true, false, true},
        {"facilities = all\ncpumf.counters = off\ncpumf.sampling = off\n", true, false, false, false},
        {"facilities = all\ncpumf.counters = off\n", true, false, false, false},
        {"facilities = all\ncpumf.sampling = on\ncpumf.counters = off\n", false, false, false, false},
        {"facilities = all -40\n", true, true, false, true},
        {"facilities = 40 68\n", false, false, false, false},
        {"facilities = 142\n", false, false, false, false},
        {"facilities = all\ncpumf.counters = perhaps\n", false, false, false, false},
        {"facilities = all\ncpumf.count = on\n", false, false, false, false},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        struct emu_profile p;
        struct cpu_profile cpu;
        char error[1024] = "";
        int code = emu_profile_parse(files[i].text, strlen(files[i].text), "x", &p, error, sizeof error);
        if (!code)
            code = emu_profile_resolve(&p, &cpu, error, sizeof error);
        assert_int_equal(code == 0, files[i].good);
        if (code) {
            assert_true(*error);
            continue;
        }
        assert_int_equal(has_bit(cpu.facilities, 67), files[i].counters);
        assert_int_equal(has_bit(cpu.facilities, 68), files[i].sampling);
        assert_int_equal(has_bit(cpu.facilities, 142), files[i].multiple);
    }
}

/* CPU speed (EC-139), the MT-diagnostic set (EC-120). */
static void ec_120_139_keys(void **state)
{
    static const char text[] = "facilities = all\nmhz = 5200\ncpumf.mtdiag = on\n";
    static const char *const bad[] = {"mhz = 0\n", "mhz = 1000001\n", "mhz = 5.2\n", "cpumf.mtdiag = 1\n"};
    struct emu_profile p;
    struct cpu_profile cpu;
    char error[1024];
    (void)state;
    assert_int_equal(emu_profile_parse(text, sizeof text - 1, "x", &p, error, sizeof error), 0);
    assert_int_equal(emu_profile_resolve(&p, &cpu, error, sizeof error), 0);
    assert_int_equal(cpu.mhz, 5200);
    assert_true(cpu.mt_diagnostic);
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_not_equal(emu_profile_parse(bad[i], strlen(bad[i]), "x", &p, error, sizeof error), 0);
    assert_int_equal(emu_profile_find("z10", &p, error, sizeof error), 0);
    assert_int_equal(emu_profile_change(&p, "-17", error, sizeof error), 0); /* not in a build without nettle */
    assert_int_equal(emu_profile_resolve(&p, &cpu, error, sizeof error), 0);
    assert_int_equal(cpu.mhz, 2048);
    assert_int_equal(cpu.machine_type, 0x2097);
    assert_false(cpu.mt_diagnostic);
}

/* The caches that a guest is told of. */
static void caches(void **state)
{
    static const char text[] = "facilities = all\ncaches = L1:96K/6 L1i:64K/4, L2:1M/8 L8:2M/16/shared\n";
    static const char *const bad[] = {"L0:1K/1",
                                      "L9:1K/1",
                                      "L1:1K",
                                      "L1:1/1",
                                      "L1:1G/1",
                                      "L1:K/1",
                                      "L1:1K/0",
                                      "L1:0K/1",
                                      "L1:1K/3",
                                      "L1:1K/2/own",
                                      "L1:1K/2/x/shared",
                                      "L1:1K/2/shared/shared",
                                      "L1i:64K/4",
                                      "1:1K/1",
                                      "L1d:1K/1",
                                      "L1:8193M/1",
                                      "L1:9999999M/1",
                                      "L1:-1K/1",
                                      "L1:1K/2000",
                                      "L1:64K/4 some",
                                      "L",
                                      "L1",
                                      "L1:1M/8/shared L1i:1M/8"};
    struct emu_profile p;
    struct cpu_profile cpu;
    char error[1024], line[64];
    (void)state;
    assert_int_equal(emu_profile_parse(text, sizeof text - 1, "x", &p, error, sizeof error), 0);
    assert_int_equal(emu_profile_resolve(&p, &cpu, error, sizeof error), 0);
    assert_int_equal(cpu.caches[0][0].kilobytes, 96);
    assert_int_equal(cpu.caches[0][0].ways, 6);
    assert_int_equal(cpu.caches[0][1].kilobytes, 64);
    assert_int_equal(cpu.caches[1][0].kilobytes, 1024);
    assert_false(cpu.caches[1][0].shared);
    assert_int_equal(cpu.caches[1][1].kilobytes, 0);
    assert_int_equal(cpu.caches[2][0].kilobytes, 0);
    assert_int_equal(cpu.caches[7][0].ways, 16);
    assert_true(cpu.caches[7][0].shared);
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(line, sizeof line, "caches = %s\n", bad[i]);
        if (emu_profile_parse(line, strlen(line), "x", &p, error, sizeof error) != -EINVAL)
            fail_msg("%s", bad[i]);
        assert_non_null(strstr(error, "cache"));
    }
    for (unsigned i = 0; emu_profile_number(i); i++) /* whole sets */
        for (unsigned n = 0; n < 2 * CPU_CACHE_LEVELS; n++) {
            const struct cpu_cache *c = &emu_profile_number(i)->caches[n / 2][n % 2];
            assert_int_equal(c->kilobytes ? c->kilobytes * 4 % c->ways : n < 2, 0);
        }
    assert_int_equal(emu_profile_parse("caches = none\n", 14, "x", &p, error, sizeof error), 0);
    assert_int_equal(p.caches[0][0].kilobytes, 0);
}

/* Characteristics of run-time instrumentation, given singly (J.1). */
static void ri_keys(void **state)
{
    static const char text[] =
        "facilities = all\nri = RI-A\nri-odd = RI-B\nri.version = 1f\nri-odd.capability = primary\n"
        "ri.rgs = 5\nri.records = 70\nri.sf-min-cycles = 8\nri.sf-min = 2\nri.sf-max = 1000\n"
        "cache = clm\nri-odd.cache = uncached\n";
    static const char *const bad[] = {
        "ri.version = 0\n", "ri.version = 10000\n",        "ri.capability = 1\n", "ri.rgs = 8\n",
        "ri.records = 1\n", "ri.records = 255\n",          "ri.sf-min = 0\n",     "ri.cache = two\n",
        "cache = 1\n",      "ri.sf-max = 1099511627777\n", "ri.size = 1\n",       "ri.rgs =\n"};
    static const char *const apart[] = {"ri.rgs = 5\n", "ri.records = 29\n", "ri.sf-max = 3\n",
                                        "ri.sf-min = 2000000\nri.sf-max = 1000000\n"};
    struct emu_profile p;
    struct cpu_profile cpu;
    struct ri_profile ri;
    char error[1024];
    (void)state;
    assert_int_equal(emu_profile_parse(text, sizeof text - 1, "x", &p, error, sizeof error), 0);
    assert_int_equal(emu_profile_resolve(&p, &cpu, error, sizeof error), 0);
    for (unsigned address = 0; address < 4; address++) {
        emu_profile_ri(&p, address, &ri);
        assert_string_equal(ri.name, address & 1 ? "RI-B+" : "RI-A+");
        assert_int_equal(ri.version, 0x1f);
        assert_false(ri.secondary);
        assert_int_equal(ri.rgs_max, 5);
        assert_int_equal(ri.cb_entries, 70);
        assert_int_equal(ri.sf_min[0], 8);
        assert_int_equal(ri.sf_min[1], 2);
        assert_int_equal(ri.sf_max, 1000);
        assert_int_equal(ri.cache_model, address & 1 ? RI_CACHE_UNCACHED : RI_CACHE_TWO_LEVEL);
    }
    assert_int_equal(emu_profile_find("max", &p, error, sizeof error), 0);
    emu_profile_ri(&p, 0, &ri);
    assert_memory_equal(&ri, &ri_profiles[0], sizeof ri);
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_not_equal(emu_profile_parse(bad[i], strlen(bad[i]), "x", &p, error, sizeof error), 0);
    for (unsigned i = 0; i < sizeof apart / sizeof *apart; i++) {
        assert_int_equal(emu_profile_parse(apart[i], strlen(apart[i]), "x", &p, error, sizeof error), 0);
        assert_int_equal(emu_profile_resolve(&p, &cpu, error, sizeof error), -EINVAL);
        assert_non_null(strstr(error, "ri."));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caches),          cmocka_unit_test(ri_keys),
        cmocka_unit_test(facility_table),  cmocka_unit_test(without_keys),
        cmocka_unit_test(lb_93_table),     cmocka_unit_test(lb_90_models),
        cmocka_unit_test(sentences),       cmocka_unit_test(file),
        cmocka_unit_test(numbers),         cmocka_unit_test(ec_100_keys),
        cmocka_unit_test(ec_120_139_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
