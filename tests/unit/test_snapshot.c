/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots: the demonstration, cut anywhere with run-time instrumentation active, ends as if it had not been (RI-145);
   on another profile it migrates (RI-146); a file that is not right leaves the machine as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cpu/control/psw.h"
#include "cpu/control/registers.h"
#include "cpu/engine/engine.h"
#include "cpu/state/timing.h"
#include "cpu/storage/access.h"
#include "cpu/storage/dat.h"
#include "emu/machine/session.h"
#include "emu/machine/snapshot.h"
#include "ri/counters/sampling.h"
#include "ri/ri.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_ZLIB

#define STORAGE (UINT64_C(8) << 20)

static char name[64], error[512];

static void open_demo(struct session *s, uint8_t engine)
{
    struct machine_config config = machine_default_config();
    struct ipl_request demo = {.path = "builtin:demo"};
    config.storage = STORAGE;
    config.engine = engine;
    if (session_open(s, &config, false, NULL, error, sizeof error) || session_load(s, &demo, 1, error, sizeof error))
        fail_msg("%s", error);
    session_start(s);
}

/* One field behind the other, so that two units can be compared. */
struct fields {
    uint8_t bytes[1 << 16];
    size_t length;
};
static void take_field(void *context, const char *field, void *place, size_t size)
{
    struct fields *f = context;
    (void)field;
    assert_true(size <= sizeof f->bytes - f->length);
    memcpy(f->bytes + f->length, place, size);
    f->length += size;
}

static void same_machines(struct machine *a, struct machine *b)
{
    static struct fields x, y;
    assert_int_equal(a->sys.storage.size, b->sys.storage.size);
    assert_memory_equal(a->sys.storage.bytes, b->sys.storage.bytes, a->sys.storage.size);
    assert_memory_equal(a->sys.storage.keys, b->sys.storage.keys, a->sys.storage.size >> PAGE_BITS);
    for (uint64_t page = 0; page < a->sys.storage.size >> PAGE_BITS; page++)
        assert_int_equal(a->sys.storage.page_flags[page] & PAGE_STATE, b->sys.storage.page_flags[page] & PAGE_STATE);
    assert_int_equal(a->sys.cpu_count, b->sys.cpu_count);
    assert_true(a->sys.now == b->sys.now && a->sys.tod_base == b->sys.tod_base);
    assert_true(a->sys.tod_physical == b->sys.tod_physical && a->sys.tod_epoch == b->sys.tod_epoch);
    assert_int_equal(machine_instructions(a), machine_instructions(b));
    for (unsigned i = 0; i < a->sys.cpu_count; i++) {
        struct cpu *p = a->sys.cpus[i], *q = b->sys.cpus[i];
        for (unsigned id = 0; id < CPU_REGISTER_COUNT; id++)
            for (unsigned n = 0; n < cpu_registers[id].count; n++) {
                uint64_t v[2], w[2];
                assert_true(cpu_register_get(p, id, n, v) && cpu_register_get(q, id, n, w));
                assert_memory_equal(v, w, sizeof v);
            }
        assert_int_equal(p->state, q->state);
        assert_int_equal(p->external, q->external);
        x.length = y.length = 0;
        ri_each_field(p->ri, take_field, &x);
        ri_each_field(q->ri, take_field, &y);
        assert_int_equal(x.length, y.length);
        counters_each_field(p->counters, take_field, &x);
        counters_each_field(q->counters, take_field, &y);
        assert_int_equal(x.length, y.length);
        assert_memory_equal(p->counters->value, q->counters->value, sizeof p->counters->value);
        assert_int_equal(p->counters->counting, q->counters->counting);
        assert_int_equal(p->counters->sampling.left, q->counters->sampling.left);
        assert_int_equal(p->counters->sampling.dear, q->counters->sampling.dear);
        assert_int_equal(p->counters->samples, q->counters->samples);
        assert_int_equal(p->ri->groups, q->ri->groups);
        assert_int_equal(p->ri->controls.rsic, q->ri->controls.rsic);
        assert_int_equal(p->ri->controls.rca, q->ri->controls.rca);
        assert_int_equal(ri_collected(p->ri), ri_collected(q->ri));
        assert_int_equal(p->tx_depth, q->tx_depth);
        for (unsigned n = 0; n < ri_collected(p->ri); n++) {
            struct ri_record r = ri_collected_record(p->ri, n), t = ri_collected_record(q->ri, n);
            assert_true(r.hi == t.hi && r.lo == t.lo);
        }
    }
}

/* Counters count, and a sample is due in the middle. */
static void measure(struct counters *counters)
{
    uint8_t block[COUNTERS_BLOCK] = {0};
    put64(block, SAMPLING_ES | SAMPLING_CS);
    put64(block + 16, STORAGE - 0x3000);
    put64(block + 24, STORAGE - 0x2000);
    counters_control(counters, 0x60006);
    sampling_control(counters, block);
    counters->sampling.left = 15000;
}

/* Cut after `at` instructions; true when run-time instrumentation was active there. */
static bool cut(uint8_t engine, uint64_t at, uint8_t other)
{
    struct session whole, part;
    open_demo(&whole, engine);
    open_demo(&part, engine);
    for (struct session *s = &whole; s; s = s == &whole ? &part : NULL) {
        s->machine->sys.storage.page_flags[3] |= PAGE_VOLATILE;
        s->machine->sys.storage.page_flags[STORAGE / PAGE_SIZE_Z - 1] |= PAGE_UNUSED | PAGE_NO_DAT;
        s->machine->sys.tod_physical += 12345;
        s->machine->sys.tod_epoch = 7;
        measure(s->machine->sys.cpus[0]->counters);
    }
    machine_run(part.machine, at);
    bool active = part.machine->sys.cpus[0]->ri->active;
    if (snapshot_save(part.machine, name, error, sizeof error))
        fail_msg("%s", error);
    struct machine *m = snapshot_load(name, NULL, NULL, other, error, sizeof error);
    if (!m)
        fail_msg("%s", error);
    same_machines(part.machine, m);
    machine_run(whole.machine, UINT64_MAX);
    assert_int_equal(machine_run(m, UINT64_MAX).end, MACHINE_STOPPED);
    assert_int_equal(m->sys.cpus[0]->psw.ia, 0xfff);
    assert_true(m->sys.cpus[0]->ri->groups > 0);
    assert_true(m->sys.cpus[0]->counters->value[COUNTER_INSTRUCTIONS] > 5000);
    assert_int_equal(m->sys.cpus[0]->counters->samples, 1);
    same_machines(whole.machine, m);
    machine_destroy(m);
    session_close(&part);
    session_close(&whole);
    return active;
}

static void ri_145_goes_on_bit_for_bit(void **state)
{
    static const uint64_t at[] = {0, 1, 5003, 6501, 7000, 7333, 7777, 8001, 8500, 8999, 9300};
    unsigned active = 0;
    (void)state;
    for (unsigned i = 0; i < sizeof at / sizeof *at; i++)
        for (uint8_t engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++)
            active += cut(engine, at[i], engine ^ (i & 1));
    assert_true(active > 4);
}

/* The demonstration after its first group, while active, on a machine whose RI profile is `ri`. */
static struct machine *migrate(const char *ri)
{
    struct session s;
    open_demo(&s, ENGINE_BLOCK);
    struct ri *unit = s.machine->sys.cpus[0]->ri;
    while (!(unit->active && unit->groups && unit->controls.rca != unit->controls.roa) &&
           machine_run(s.machine, 7).end == MACHINE_LIMIT)
        ;
    assert_true(unit->active && unit->groups > 0);
    if (snapshot_save(s.machine, name, error, sizeof error))
        fail_msg("%s", error);
    struct emu_profile profile = s.machine->config.profile;
    snprintf(profile.ri[0], sizeof profile.ri[0], "%s", ri);
    struct machine *m = snapshot_load(name, &profile, NULL, ENGINE_BLOCK, error, sizeof error);
    if (!m)
        fail_msg("%s", error);
    assert_string_equal(m->sys.cpus[0]->ri->profile.name, ri);
    assert_int_equal(m->sys.cpus[0]->ri->controls.sf, unit->controls.sf); /* not clamped */
    assert_int_equal(m->sys.cpus[0]->ri->controls.rsic, unit->controls.rsic);
    session_close(&s);
    return m;
}

/* T (bit 52) of the timestamp record in the program buffer from `from` to `to`. */
static int capability(struct cpu *cpu, uint64_t from, uint64_t to)
{
    for (; from < to; from += 16) {
        uint64_t absolute;
        bool protect;
        if (cpu_walk(cpu, CPU_SPACE_PRIMARY, 0, from, NULL, NULL, &absolute, &protect))
            fail_msg("the program buffer is not mapped");
        const uint8_t *record = cpu->sys->storage.bytes + absolute;
        if (record[0] == RI_TYPE_TIMESTAMP)
            return (record[6] & 0x08) != 0;
    }
    return -1;
}

static void ri_146_on_another_profile(void **state)
{
    unsigned stored = 0, halted = 0;
    (void)state;
    for (unsigned i = 1; i < 4; i++) {
        const struct ri_profile *old = &ri_profiles[0], *now = &ri_profiles[i];
        struct machine *m = migrate(now->name);
        struct ri *ri = m->sys.cpus[0]->ri;
        uint64_t groups = ri->groups, halts = ri->halts, rca = ri->controls.rca;
        while (ri->groups == groups && ri->halts == halts && machine_run(m, 10).end == MACHINE_LIMIT)
            ;
        if (now->version != old->version) { /* J.4: halts at the next sample point, nothing stored */
            assert_int_equal(ri->halts, halts + 1);
            assert_int_equal(ri->groups, groups);
            assert_int_equal(ri->controls.rca, rca);
            halted++;
        } else if (now->rgs_max >= ri->controls.rgs) {
            assert_int_equal(ri->groups, groups + 1);
            assert_int_equal(capability(m->sys.cpus[0], rca, ri->controls.rca), now->secondary);
            stored++;
        }
        machine_destroy(m);
    }
    assert_true(stored == 2 && halted == 1);
}

static void same_profile(const struct ri_profile *a, const struct ri_profile *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->version, b->version);
    assert_int_equal(a->secondary, b->secondary);
    assert_int_equal(a->rgs_max, b->rgs_max);
    assert_int_equal(a->cb_entries, b->cb_entries);
    assert_int_equal(a->sf_min[0], b->sf_min[0]);
    assert_int_equal(a->sf_min[1], b->sf_min[1]);
    assert_int_equal(a->sf_max, b->sf_max);
    assert_int_equal(a->cache_model, b->cache_model);
    assert_int_equal(a->transactional, b->transactional);
}

/* Characteristics that are given singly are those of the restored machine, too, and of nothing else: not on a profile
   whose CPUs have a name of their own, nor on one that has the same name with other values. */
static void ri_145_characteristics_given_singly(void **state)
{
    static const char singly[] =
        "facilities = all\nri.rgs = 5\nri.records = 70\nri.sf-min-cycles = 8\nri.sf-min = 2\nri.sf-max = 1000\n"
        "ri.version = 7\nri.cache = clm\nri-odd.capability = secondary\n";
    static const char others[] = "facilities = all\nri.records = 60\nri-odd.rgs = 3\n";
    struct machine_config config = machine_default_config();
    struct emu_profile changed = config.profile;
    (void)state;
    config.storage = STORAGE;
    config.cpus = 3;
    assert_int_equal(emu_profile_parse(singly, strlen(singly), "singly", &config.profile, error, sizeof error), 0);
    struct machine *a = machine_create(&config, NULL, error, sizeof error);
    assert_non_null(a);
    assert_int_equal(a->sys.cpus[1]->ri->profile.cb_entries, 70);
    assert_true(a->sys.cpus[1]->ri->profile.secondary && !a->sys.cpus[2]->ri->profile.secondary);
    a->sys.cpus[1]->ri->controls.rgs = 5;
    assert_int_equal(snapshot_save(a, name, error, sizeof error), 0);
    struct machine *b = snapshot_load(name, NULL, NULL, ENGINE_BLOCK, error, sizeof error);
    if (!b)
        fail_msg("%s", error);
    same_machines(a, b);
    for (unsigned i = 0; i < 3; i++)
        same_profile(&a->sys.cpus[i]->ri->profile, &b->sys.cpus[i]->ri->profile);
    assert_int_equal(snapshot_save(b, name, error, sizeof error), 0);
    machine_destroy(b);
    for (unsigned n = 0; n < 2; n++) {
        if (n)
            assert_int_equal(emu_profile_parse(others, strlen(others), "others", &changed, error, sizeof error), 0);
        b = snapshot_load(name, &changed, NULL, ENGINE_BLOCK, error, sizeof error);
        if (!b)
            fail_msg("%s", error);
        for (unsigned i = 0; i < 3; i++) {
            struct ri_profile wanted;
            emu_profile_ri(&changed, i, &wanted);
            wanted.transactional = cpu_facility(&b->sys, FACILITY_TX);
            same_profile(&b->sys.cpus[i]->ri->profile, &wanted);
        }
        assert_int_equal(b->sys.cpus[1]->ri->controls.rgs, 5); /* not clamped */
        machine_destroy(b);
    }
    machine_destroy(a);
}

/* Conditions that wait, on several CPUs with a rotation half done. */
static void several_cpus(void **state)
{
    struct machine_config config = machine_default_config();
    (void)state;
    config.storage = STORAGE;
    config.cpus = 3;
    struct machine *a = machine_create(&config, NULL, error, sizeof error);
    assert_non_null(a);
    for (unsigned i = 0; i < 3; i++) {
        struct cpu *cpu = a->sys.cpus[i];
        const uint8_t loop[] = {0xa7, 0x1b, 0, 1, 0xa7, 0xf4, 0xff, 0xfe}; /* aghi 1,1; j .-4 */
        memcpy(a->sys.storage.bytes + 0x10000, loop, sizeof loop);
        assert_int_equal(cpu_load_psw(cpu, PSW_EA | PSW_BA, 0x10000), 0);
        cpu_set_state(cpu, CPU_STATE_OPERATING);
        cpu->external = CPU_EXT_CALL | CPU_EXT_EMERGENCY;
        cpu->ext_call_from = 2;
        cpu->ext_emergency = 4;
        cpu->vr[17].lo = i + 5;
        assert_true(cpu_set_prefix(cpu, 0x2000 * i));
    }
    a->sys.storage.keys[77] = 0xf6;
    a->sclp.receive_mask = 0x12345678;
    a->diagnose.ipl_device = true;
    a->diagnose.ipl_number = 0x1234;
    a->diagnose.ipl_images = true;
    a->diagnose.ipl_reader = 0x1235;
    a->diagnose.ipl_parameter[7] = 0xf5;
    machine_run(a, 31000);
    assert_int_equal(snapshot_save(a, name, error, sizeof error), 0);
    struct machine *b = snapshot_load(name, NULL, NULL, ENGINE_BLOCK, error, sizeof error);
    assert_non_null(b);
    same_machines(a, b);
    same_profile(&a->sys.cpus[2]->ri->profile, &b->sys.cpus[2]->ri->profile);
    assert_int_equal(b->turn, a->turn);
    assert_int_equal(b->sclp.receive_mask, 0x12345678);
    assert_true(b->diagnose.ipl_device);
    assert_int_equal(b->diagnose.ipl_number, 0x1234);
    assert_true(b->diagnose.ipl_images);
    assert_int_equal(b->diagnose.ipl_reader, 0x1235);
    assert_int_equal(b->diagnose.ipl_parameter[7], 0xf5);
    assert_memory_equal(b->sys.profile.caches, a->sys.profile.caches, sizeof a->sys.profile.caches);
    assert_int_equal(b->sys.cpus[1]->ext_emergency, 4);
    machine_run(a, 100000);
    machine_run(b, 100000);
    same_machines(a, b);
    machine_destroy(a);
    machine_destroy(b);
}

static void refused(const char *expected)
{
    struct machine *m = snapshot_load(name, NULL, NULL, ENGINE_BLOCK, error, sizeof error);
    assert_null(m);
    if (!strstr(error, expected) || !strstr(error, name))
        fail_msg("'%s' does not say '%s' and the file's name", error, expected);
}

static void put_file(const void *data, size_t length)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

static void bad_files(void **state)
{
    static uint8_t data[1 << 16];
    struct session s;
    unsigned harmless = 0;
    (void)state;
    open_demo(&s, ENGINE_BLOCK);
    machine_run(s.machine, 8000);
    assert_int_equal(snapshot_save(s.machine, name, error, sizeof error), 0);
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    size_t length = fread(data, 1, sizeof data, f);
    fclose(f);
    assert_true(length > 1000 && length < sizeof data);
    for (size_t i = 0; i < length; i += length / 40 + 1) { /* cut off, one byte changed */
        put_file(data, i);
        assert_null(snapshot_load(name, NULL, NULL, ENGINE_BLOCK, error, sizeof error));
        if (i < 16)
            continue; /* name and time in the gzip header do not matter */
        data[i] ^= 0x20;
        put_file(data, length);
        data[i] ^= 0x20;
        struct machine *m = snapshot_load(name, NULL, NULL, ENGINE_BLOCK, error, sizeof error);
        if (m) /* compression has several ways to say the same */
            same_machines(s.machine, m);
        harmless += m != NULL;
        machine_destroy(m);
    }
    assert_true(harmless < 10);
    put_file("", 0);
    refused("not a snapshot");
    put_file("zriSnap1", 8);
    refused("ends too early");
    put_file("this is a text", 14);
    refused("not a snapshot");
    put_file("zriSnap9", 8);
    refused("format version");
    put_file("zriSnap1CONG\0\0\0\1\0\0\0\0\0\0\0\0", 24);
    refused("another section");
    put_file("zriSnap1CONF\0\0\0\6\0\0\0\0\0\0\0\0", 24);
    refused("its version");
    put_file("zriSnap1CONF\0\0\0\7\0\0\0\0\0\0\0\0", 24);
    refused("shorter");
    unlink(name);
    refused("No such file");
    /* The session keeps its machine. */
    struct machine *before = s.machine;
    assert_int_not_equal(session_resume(&s, name, NULL, error, sizeof error), 0);
    assert_ptr_equal(s.machine, before);
    assert_int_equal(snapshot_save(s.machine, "/nowhere/at/all", error, sizeof error) < 0, 1);
    assert_non_null(strstr(error, "/nowhere/at/all"));
    session_close(&s);
}

/* Fifty transactions, the nested one with a nontransactional store; those of even rounds are aborted. */
static const uint8_t transactions[] = {
    0xc0, 0x90, 0x00, 0x00, 0x80, 0x00, /* LARL 9,20000 */
    0xa7, 0x89, 0x00, 0x32,             /* LGHI 8,50 */
    0xe5, 0x60, 0x91, 0x00, 0xff, 0x00, /* loop TBEGIN 100(9),FF00 */
    0xa7, 0x74, 0x00, 0x1a,             /* BRC 7,out */
    0xe3, 0x10, 0x90, 0x00, 0x00, 0x04, /* LG 1,0(9) */
    0xa7, 0x1b, 0x00, 0x01,             /* AGHI 1,1 */
    0xe5, 0x60, 0x00, 0x00, 0xff, 0x01, /* TBEGIN 0,FF01 */
    0xe3, 0x10, 0x90, 0x00, 0x00, 0x24, /* STG 1,0(9) */
    0xe3, 0x80, 0x93, 0x08, 0x00, 0x25, /* NTSTG 8,308(9) */
    0xb2, 0xf8, 0x00, 0x00,             /* TEND */
    0xa7, 0x81, 0x00, 0x01,             /* TMLL 8,1 */
    0xa7, 0x74, 0x00, 0x04,             /* BRC 7,end */
    0xb2, 0xfc, 0x01, 0x01,             /* TABORT 101 */
    0xb2, 0xf8, 0x00, 0x00,             /* end TEND */
    0xeb, 0x01, 0x92, 0x00, 0x00, 0x7a, /* out AGSI 200(9),1 */
    0xa7, 0x87, 0xff, 0xe0,             /* BRCTG 8,loop */
    0xb2, 0xb2, 0x09, 0x00,             /* LPSWE 900 */
};

static struct machine *with_transactions(void)
{
    struct machine_config config = machine_default_config();
    config.storage = STORAGE;
    struct machine *m = machine_create(&config, NULL, error, sizeof error);
    assert_non_null(m);
    struct cpu *cpu = m->sys.cpus[0];
    memcpy(m->sys.storage.bytes + 0x10000, transactions, sizeof transactions);
    put64(m->sys.storage.bytes + 0x900, PSW_WAIT | PSW_EA | PSW_BA);
    put64(m->sys.storage.bytes + 0x908, 0xfff);
    cpu->cr[0] |= BIT64(8);
    assert_int_equal(cpu_load_psw(cpu, PSW_EA | PSW_BA, 0x10000), 0);
    cpu_set_state(cpu, CPU_STATE_OPERATING);
    return m;
}

/* A snapshot in the middle of a transaction changes nothing, and the machine made from it goes on in the transaction;
   what comes between is noticed there. */
static void in_a_transaction(void **state)
{
    unsigned depths[3] = {0, 0, 0};
    (void)state;
    for (unsigned at = 1; at < 40; at++) {
        struct machine *whole = with_transactions(), *part = with_transactions();
        machine_run(part, at);
        depths[part->sys.cpus[0]->tx_depth]++;
        if (snapshot_save(part, name, error, sizeof error))
            fail_msg("%s", error);
        struct machine *m = snapshot_load(name, NULL, NULL, ENGINE_BLOCK, error, sizeof error);
        if (!m)
            fail_msg("%s", error);
        same_machines(part, m);
        machine_run(whole, UINT64_MAX);
        machine_run(part, UINT64_MAX);
        machine_run(m, UINT64_MAX);
        assert_int_equal(m->sys.cpus[0]->psw.ia, 0xfff);
        assert_int_equal(get64(m->sys.storage.bytes + 0x20000), 25);
        same_machines(whole, m);
        same_machines(whole, part);
        machine_destroy(whole);
        machine_destroy(part);
        machine_destroy(m);
    }
    assert_true(depths[0] > 5 && depths[1] > 5 && depths[2] > 5);
}

static void in_a_transaction_with_a_conflict(void **state)
{
    (void)state;
    struct machine *part = with_transactions();
    while (part->sys.cpus[0]->tx_depth != 2)
        machine_run(part, 1);
    machine_run(part, 1);
    assert_int_equal(snapshot_save(part, name, error, sizeof error), 0);
    struct machine *m = snapshot_load(name, NULL, NULL, ENGINE_BLOCK, error, sizeof error);
    assert_non_null(m);
    put64(m->sys.storage.bytes + 0x20080, 1);
    machine_run(m, 2);
    assert_int_equal(m->sys.cpus[0]->tx_depth, 0);
    assert_int_equal(get64(m->sys.storage.bytes + 0x20108), 10);
    assert_int_equal(get64(m->sys.storage.bytes + 0x20000), 0);
    machine_destroy(m);
    machine_destroy(part);
}

/* A profile without a facility of the guest's is not taken. */
static void lesser_profile(void **state)
{
    struct session s;
    (void)state;
    open_demo(&s, ENGINE_BLOCK);
    assert_int_equal(snapshot_save(s.machine, name, error, sizeof error), 0);
    struct emu_profile profile = s.machine->config.profile;
    assert_int_equal(emu_profile_change(&profile, "-64", error, sizeof error), 0);
    assert_null(snapshot_load(name, &profile, NULL, ENGINE_BLOCK, error, sizeof error));
    assert_non_null(strstr(error, "facility bit 64"));
    session_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ri_145_goes_on_bit_for_bit),
                                       cmocka_unit_test(ri_146_on_another_profile),
                                       cmocka_unit_test(ri_145_characteristics_given_singly),
                                       cmocka_unit_test(several_cpus),
                                       cmocka_unit_test(bad_files),
                                       cmocka_unit_test(in_a_transaction),
                                       cmocka_unit_test(in_a_transaction_with_a_conflict),
                                       cmocka_unit_test(lesser_profile)};
    snprintf(name, sizeof name, "snapshot-%ld.zs", (long)getpid());
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(name);
    return failed;
}

#else
int main(void) { return 77; }
#endif
