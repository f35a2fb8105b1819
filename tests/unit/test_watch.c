/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watchpoints: every family of stores and fetches, to the byte, on both engines, and no guest can tell. CPUs that are
   held or stepped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cpu/control/psw.h"
#include "cpu/engine/engine.h"
#include "cpu/storage/code.h"
#include "cpu/storage/watch.h"
#include "emu/machine/run.h"
#include "tests/unit/put_code.h"
#include "tests/unit/small_machine.h"
#include <stdio.h>

#define PSW_64 UINT64_C(0x0000000180000000)
#define CODE   0x10000u
#define DATA   0x20000u /* %r1 */
#define AT     0x20100u /* where the operand that is looked at begins */
#define MOST   0x4000u

static struct machine *make(unsigned cpus, uint8_t engine, bool threads)
{
    struct machine_config config = machine_default_config();
    config.cpus = cpus;
    config.engine = engine;
    config.threads = threads;
    return small_machine(config, NULL);
}

static uint64_t put(struct machine *m, uint64_t at, const char *line)
{
    const uint64_t end = put_code(m->sys.storage.bytes, at, line);
    cpu_code_written(&m->sys, at, (unsigned)(end - at));
    return end;
}

/* Registers that the instructions below use: 1 data, 2 and 3 a long operand there of 16 bytes, 4 and 5 another one in
   another page. */
static void registers(struct machine *m)
{
    struct cpu *cpu = m->sys.cpus[0];
    cpu->cr[0] |= CR0_AFP | CR0_VECTOR;
    cpu->gr[0] = 0;
    cpu->gr[1] = DATA;
    cpu->gr[2] = AT;
    cpu->gr[3] = 16;
    cpu->gr[4] = DATA + 0x2000;
    cpu->gr[5] = 16;
    cpu->gr[6] = cpu->gr[7] = 0;
    cpu->gr[8] = cpu->gr[9] = 1;
    memset(m->sys.storage.bytes + DATA, 0, MOST);
    memset(m->sys.storage.bytes + DATA + 0x2000, 0x1c, 64);
    m->sys.storage.bytes[DATA + 0x2010] = 0;
}

/* An instruction behind one that has brought the page in, and the end. Returns the address behind it. */
static uint64_t enter(struct machine *m, const char *text)
{
    uint64_t at = put(m, CODE, "stg %r0,0x800(%r1)"), behind;
    at = put(m, at, "lg %r0,0x800(%r1)");
    behind = at = put(m, at, text);
    put(m, at, "lpswe 0x300");
    put64(m->sys.storage.bytes + 0x300, UINT64_C(0x0002000180000000));
    put64(m->sys.storage.bytes + 0x308, 0);
    registers(m);
    assert_int_equal(machine_start(m, PSW_64, CODE), 0);
    return behind;
}

/* One byte is watched: is it met, by this instruction, and reported with its address? */
static bool meets(struct machine *m, const char *text, uint64_t address, uint8_t kind)
{
    const struct cpu_watches watches = {.count = 1, .watch = {{address, 1, kind}}};
    struct cpu *cpu = m->sys.cpus[0];
    const uint64_t behind = enter(m, text);
    cpu_watch_set(&m->sys, &watches);
    struct machine_result r = machine_run(m, 1000);
    const bool met = cpu->watched.count;
    if (met && (r.end != MACHINE_REQUEST || cpu->psw.ia != behind || cpu->watched.hits[0].address != address ||
                cpu->watched.hits[0].kind != kind || cpu->watched.count != 1))
        fail_msg("%s: end %d at %lx", text, r.end, (unsigned long)cpu->psw.ia);
    cpu->watched.count = 0;
    if (met)
        r = machine_run(m, 1000);
    if (r.end != MACHINE_STOPPED || cpu->psw.ia != 0)
        fail_msg("%s: end %d at %lx", text, r.end, (unsigned long)cpu->psw.ia);
    cpu_watch_set(&m->sys, NULL);
    return met;
}

static void to_the_byte(const char *text, unsigned length, uint8_t kind)
{
    for (uint8_t engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
        struct machine *m = make(1, engine, false);
        for (uint64_t at = AT - 2; at < AT + length + 2; at++)
            if (meets(m, text, at, kind) != (at >= AT && at < AT + length))
                fail_msg("engine %d, %s: byte %d", engine, text, (int)(at - AT));
        machine_destroy(m);
    }
}

static void stores_to_the_byte(void **state)
{
    static const struct {
        const char *text;
        unsigned length;
    } stores[] = {
        {"stc %r0,0x100(%r1)", 1},
        {"sth %r0,0x100(%r1)", 2},
        {"st %r0,0x100(%r1)", 4},
        {"sty %r0,0x100(%r1)", 4},
        {"stg %r0,0x100(%r1)", 8},
        {"strvg %r0,0x100(%r1)", 8},
        {"strv %r0,0x100(%r1)", 4},
        {"stm %r6,%r9,0x100(%r1)", 16},
        {"stmg %r6,%r9,0x100(%r1)", 32},
        {"stmh %r6,%r9,0x100(%r1)", 16},
        {"stpq %r6,0x100(%r1)", 16},
        {"stcm %r0,5,0x100(%r1)", 2},
        {"stocg %r0,0x100(%r1),15", 8},
        {"mvi 0x100(%r1),1", 1},
        {"mvhhi 0x100(%r1),1", 2},
        {"mvghi 0x100(%r1),1", 8},
        {"ni 0x100(%r1),1", 1},
        {"oi 0x100(%r1),1", 1},
        {"xiy 0x100(%r1),1", 1},
        {"asi 0x100(%r1),1", 4},
        {"agsi 0x100(%r1),1", 8},
        {"mvc 0x100(1,%r1),0(%r4)", 1},
        {"mvc 0x100(8,%r1),0(%r4)", 8},
        {"mvc 0x100(23,%r1),0(%r4)", 23},
        {"mvcin 0x100(5,%r1),9(%r4)", 5},
        {"mvn 0x100(5,%r1),0(%r4)", 5},
        {"mvz 0x100(5,%r1),0(%r4)", 5},
        {"mvo 0x100(5,%r1),0(3,%r4)", 5},
        {"xc 0x100(9,%r1),0x100(%r1)", 9},
        {"nc 0x100(9,%r1),0(%r4)", 9},
        {"oc 0x100(9,%r1),0(%r4)", 9},
        {"tr 0x100(6,%r1),0(%r4)", 6},
        {"pack 0x100(3,%r1),0(5,%r4)", 3},
        {"unpk 0x100(5,%r1),0(3,%r4)", 5},
        {"zap 0x100(4,%r1),0(1,%r4)", 4},
        {"cvd %r0,0x100(%r1)", 8},
        {"cvdg %r0,0x100(%r1)", 16},
        {"mvcl %r2,%r4", 16},
        {"mvcle %r2,%r4,0", 16},
        {"mvst %r2,%r4", 17},
        {"cs %r0,%r6,0x100(%r1)", 4},
        {"csg %r0,%r6,0x100(%r1)", 8},
        {"cds %r6,%r8,0x100(%r1)", 8},
        {"cdsg %r6,%r8,0x100(%r1)", 16},
        {"laag %r6,%r8,0x100(%r1)", 8},
        {"lax %r6,%r8,0x100(%r1)", 4},
        {"ts 0x100(%r1)", 1},
        {"std %f0,0x100(%r1)", 8},
        {"stey %f0,0x100(%r1)", 4},
        {"stfpc 0x100(%r1)", 4},
        {"stam %a0,%a3,0x100(%r1)", 16},
        {"vst %v1,0x100(%r1)", 16},
        {"vstm %v1,%v3,0x100(%r1)", 48},
        {"vstl %v1,%r3,0x100(%r1)", 16},
        {"vsteb %v1,0x100(%r1),3", 1},
        {"vsteg %v1,0x100(%r1),1", 8},
        {"stck 0x100(%r1)", 8},
        {"stckf 0x100(%r1)", 8},
        {"stcke 0x100(%r1)", 16},
        {"stctg %c0,%c1,0x100(%r1)", 16},
        {"stpt 0x100(%r1)", 8},
        {"stpx 0x100(%r1)", 4},
        {"stidp 0x100(%r1)", 8},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof stores / sizeof *stores; i++)
        to_the_byte(stores[i].text, stores[i].length, CPU_STORE);
}

static void fetches_to_the_byte(void **state)
{
    static const struct {
        const char *text;
        unsigned length;
    } fetches[] = {
        {"llgc %r6,0x100(%r1)", 1},    {"lh %r6,0x100(%r1)", 2},       {"l %r6,0x100(%r1)", 4},
        {"lg %r6,0x100(%r1)", 8},      {"lmg %r6,%r9,0x100(%r1)", 32}, {"ag %r6,0x100(%r1)", 8},
        {"c %r6,0x100(%r1)", 4},       {"cli 0x100(%r1),1", 1},        {"clc 0x100(7,%r1),0(%r4)", 7},
        {"tm 0x100(%r1),1", 1},        {"mvc 0(6,%r4),0x100(%r1)", 6}, {"mvcl %r4,%r2", 16},
        {"ld %f0,0x100(%r1)", 8},      {"vl %v1,0x100(%r1)", 16},      {"ni 0x100(%r1),1", 1},
        {"csg %r0,%r6,0x100(%r1)", 8}, {"adb %f0,0x100(%r1)", 8},      {"vlm %v1,%v2,0x100(%r1)", 32},
        {"icm %r6,5,0x100(%r1)", 2},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof fetches / sizeof *fetches; i++)
        to_the_byte(fetches[i].text, fetches[i].length, CPU_FETCH);
}

/* Both kinds at once, and an operand that crosses into another page or wraps around. */
static void accesses_across_pages(void **state)
{
    (void)state;
    for (uint8_t engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
        struct machine *m = make(1, engine, false);
        assert_true(meets(m, "lg %r6,0x100(%r1)", AT + 3, CPU_UPDATE));
        assert_true(meets(m, "stg %r6,0x100(%r1)", AT + 3, CPU_UPDATE));
        assert_true(meets(m, "stg %r6,0xffc(%r1)", DATA + 0xffc, CPU_STORE));
        assert_true(meets(m, "stg %r6,0xffc(%r1)", DATA + 0x1003, CPU_STORE));
        assert_false(meets(m, "stg %r6,0xffc(%r1)", DATA + 0x1004, CPU_STORE));
        assert_false(meets(m, "stg %r6,0xffc(%r1)", DATA + 0x1003, CPU_FETCH));
        assert_true(meets(m, "mvc 0xffe(200,%r1),0(%r4)", DATA + 0x10c5, CPU_STORE));
        assert_false(meets(m, "mvc 0xffe(200,%r1),0(%r4)", DATA + 0x10c6, CPU_STORE));
        machine_destroy(m);
    }
}

/* A loop with stores beside a watched byte in the page of its own code: everything a guest has is the same with and
   without it, and nothing is met. */
static void no_guest_can_tell(void **state)
{
    static const char *const lines[] = {
        "lghi %r3,500",          "stg %r3,0x800(%r1)", "ag %r4,0x800(%r1)", "mvc 0x900(8,%r1),0x800(%r1)",
        "cs %r0,%r3,0xa00(%r1)", "ex %r0,0x7f0(%r1)",  "brctg %r3,0x10004", "lpswe 0x300"};
    uint64_t seen[2][4];
    (void)state;
    for (uint8_t engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++)
        for (unsigned watched = 0; watched < 2; watched++) {
            static const struct cpu_watches watches = {
                .count = 2, .watch = {{CODE + 0xb00, 8, CPU_UPDATE}, {0x10001, 1, CPU_FETCH}}};
            struct machine *m = make(1, engine, false);
            struct cpu *cpu = m->sys.cpus[0];
            uint64_t at = CODE;
            for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
                at = put(m, at, lines[i]);
            put(m, CODE + 0x7f0, "nopr %r7");
            registers(m);
            cpu->gr[1] = CODE;
            put64(m->sys.storage.bytes + 0x300, UINT64_C(0x0002000180000000));
            if (watched)
                cpu_watch_set(&m->sys, &watches);
            assert_int_equal(machine_start(m, PSW_64, CODE), 0);
            assert_int_equal(machine_run(m, 100000).end, MACHINE_STOPPED);
            assert_int_equal(cpu->watched.count, 0);
            seen[watched][0] = cpu->gr[4];
            seen[watched][1] = cpu_instructions(cpu);
            seen[watched][2] = get64(m->sys.storage.bytes + CODE + 0x900);
            seen[watched][3] = m->sys.storage.keys[CODE >> 12];
            if (watched)
                assert_memory_equal(seen[0], seen[1], sizeof seen[0]);
            machine_destroy(m);
        }
}

/* Two CPUs that count, one by one: a run in steps of one of them is the same as a run at once; a CPU that is held does
   nothing, with either kind of running. */
static void counting(struct machine *m)
{
    uint64_t at = put(m, CODE, "aghi %r1,1");
    at = put(m, at, "stg %r1,0x400(%r2)");
    put(m, at, "j 0x10000");
    for (unsigned i = 0; i < 2; i++) {
        m->sys.cpus[i]->gr[2] = DATA + 0x1000 * i;
        assert_int_equal(cpu_load_psw(m->sys.cpus[i], PSW_64, CODE), 0);
        m->sys.cpus[i]->state = CPU_STATE_OPERATING;
    }
}

static void steps_change_nothing(void **state)
{
    (void)state;
    for (uint8_t engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
        struct machine *a = make(2, engine, false), *b = make(2, engine, false);
        counting(a);
        counting(b);
        a->stepping = a->sys.cpus[1];
        for (unsigned i = 0; i < 50; i++) {
            const uint64_t before = cpu_instructions(a->sys.cpus[1]);
            assert_int_equal(machine_go_on(a, UINT64_MAX).end, MACHINE_STEPPED);
            assert_int_equal(cpu_instructions(a->sys.cpus[1]), before + 1);
        }
        a->stepping = NULL;
        const uint64_t so_far = machine_instructions(a);
        assert_int_equal(machine_go_on(b, so_far).instructions, so_far);
        machine_go_on(a, 70000);
        machine_go_on(b, 70000);
        for (unsigned i = 0; i < 2; i++) {
            assert_int_equal(a->sys.cpus[i]->gr[1], b->sys.cpus[i]->gr[1]);
            assert_int_equal(a->sys.cpus[i]->psw.ia, b->sys.cpus[i]->psw.ia);
        }
        assert_int_equal(a->sys.now, b->sys.now);
        machine_destroy(a);
        machine_destroy(b);
    }
}

static void a_held_cpu_stands(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads < 2; threads++) {
        struct machine *m = make(2, ENGINE_BLOCK, threads);
        counting(m);
        m->sys.cpus[0]->held = true;
        m->stepping = m->sys.cpus[1];
        for (unsigned i = 0; i < 6; i++)
            assert_int_equal(machine_go_on(m, UINT64_MAX).end, MACHINE_STEPPED);
        assert_int_equal(m->sys.cpus[1]->gr[1], 2);
        assert_int_equal(m->sys.cpus[0]->gr[1], 0);
        m->stepping = NULL;
        m->sys.cpus[0]->held = false;
        for (unsigned i = 0; i < 1000 && !m->sys.cpus[0]->gr[1]; i++) /* which thread runs first the host chooses */
            machine_go_on(m, 1000000);
        assert_true(m->sys.cpus[0]->gr[1] > 0);
        machine_destroy(m);
    }
}

/* What instruction `text` does meets a watchpoint that the machine has; the guest goes on then, and ends in order. */
static unsigned met_by(struct machine *m, const char *text, const struct cpu_watches *watches,
                       struct cpu_watch_hit *hit)
{
    struct cpu *cpu = m->sys.cpus[0];
    enter(m, text);
    cpu_watch_set(&m->sys, watches);
    struct machine_result r = machine_run(m, 1000);
    const unsigned count = cpu->watched.count;
    *hit = cpu->watched.hits[0];
    assert_int_equal(r.end, count ? MACHINE_REQUEST : MACHINE_STOPPED);
    cpu->watched.count = 0;
    cpu_watch_set(&m->sys, NULL);
    while (count && r.end == MACHINE_REQUEST)
        r = machine_run(m, 1000);
    assert_int_equal(r.end, MACHINE_STOPPED);
    return count;
}

/* Real and absolute addresses: the prefix area is elsewhere, and DAT is off, so that logical addresses are real. */
static void real_and_absolute_addresses(void **state)
{
    static const struct {
        const char *text;
        uint64_t address;
        uint8_t kind, space;
        bool met;
    } cases[] = {
        {"stg %r0,0x640(%r0)", 0x640, CPU_STORE, CPU_WATCH_REAL, true},
        {"stg %r0,0x640(%r0)", 0x640, CPU_STORE, CPU_WATCH_ABSOLUTE, false},
        {"stg %r0,0x640(%r0)", 0x40647, CPU_STORE, CPU_WATCH_ABSOLUTE, true},
        {"stg %r0,0x640(%r0)", 0x40648, CPU_STORE, CPU_WATCH_ABSOLUTE, false},
        {"stg %r0,0x640(%r0)", 0x40640, CPU_STORE, CPU_WATCH_REAL, false},
        {"lg %r0,0x640(%r0)", 0x40640, CPU_UPDATE, CPU_WATCH_ABSOLUTE, true},
        {"lg %r0,0x640(%r0)", 0x40640, CPU_STORE, CPU_WATCH_ABSOLUTE, false},
        {"stg %r0,0x100(%r1)", AT, CPU_STORE, CPU_WATCH_ABSOLUTE, true},
        {"stg %r0,0x100(%r1)", AT, CPU_STORE, CPU_WATCH_REAL, true},
        {"mvc 0xffe(4,%r1),0(%r4)", DATA + 0x1001, CPU_STORE, CPU_WATCH_ABSOLUTE, true},
        {"mvc 0xffe(4,%r1),0(%r4)", DATA + 0x1002, CPU_STORE, CPU_WATCH_ABSOLUTE, false},
        {"sturg %r0,%r4", DATA + 0x2007, CPU_STORE, CPU_WATCH_REAL, true},
        {"stfl 0", 0x400c9, CPU_STORE, CPU_WATCH_ABSOLUTE, true}, /* real 200, whatever is said */
        {"stfl 0", 200, CPU_STORE, CPU_WATCH_LOGICAL, true},
    };
    (void)state;
    for (uint8_t engine = ENGINE_REFERENCE; engine <= ENGINE_TRANSLATE; engine++)
        for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct machine *m = make(1, engine, false);
            const struct cpu_watches watches = {.count = 1,
                                                .watch = {{cases[i].address, 1, cases[i].kind, cases[i].space}}};
            struct cpu_watch_hit hit;
            m->sys.cpus[0]->prefix = 0x40000;
            memcpy(m->sys.storage.bytes + 0x40300, (const uint8_t[]){0, 2, 0, 1, 0x80}, 5);
            const unsigned count = met_by(m, cases[i].text, &watches, &hit);
            if (count != cases[i].met || (count && (hit.address != cases[i].address || hit.space != cases[i].space)))
                fail_msg("engine %d, case %u (%s): %u, at %lx", engine, i, cases[i].text, count,
                         (unsigned long)hit.address);
            machine_destroy(m);
        }
}

/* What interruptions store: old PSWs, codes and parameters, to the byte. */
static void interruptions_store(void **state)
{
    static const struct {
        const char *text;
        uint64_t first, last; /* bytes of low storage, and not those beside them */
        uint8_t space;
    } cases[] = {
        {"svc 5", 136, 139, CPU_WATCH_LOGICAL},      {"svc 5", 320, 335, CPU_WATCH_LOGICAL},
        {"svc 5", 320, 335, CPU_WATCH_ABSOLUTE},     {"svc 5", 136, 139, CPU_WATCH_REAL},
        {"trap2", 336, 351, CPU_WATCH_REAL},         {"trap2", 140, 144 - 1, CPU_WATCH_ABSOLUTE},
        {"trap2", 272, 279, CPU_WATCH_LOGICAL},      {"cgit %r1,0,6", 144, 147, CPU_WATCH_LOGICAL},
        {"mc 0x123,1", 148, 149, CPU_WATCH_LOGICAL}, {"mc 0x123,1", 176, 183, CPU_WATCH_LOGICAL},
    };
    (void)state;
    for (uint8_t engine = ENGINE_REFERENCE; engine <= ENGINE_TRANSLATE; engine++)
        for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
            for (uint64_t at = cases[i].first - 1; at <= cases[i].last + 1; at++) {
                struct machine *m = make(1, engine, false);
                const bool want = at >= cases[i].first && at <= cases[i].last;
                const bool also = at == 140 || (at == 144 && i == 5) || (at == 143 && i == 7); /* another parameter's */
                const struct cpu_watches watches = {.count = 1, .watch = {{at, 1, CPU_STORE, cases[i].space}}};
                struct cpu_watch_hit hit;
                m->sys.cpus[0]->cr[8] |= 0xffff;
                for (uint64_t new = 448; new <= 464; new += 16)
                    put64(m->sys.storage.bytes + new, UINT64_C(0x0002000180000000));
                const unsigned count = met_by(m, cases[i].text, &watches, &hit);
                if (!also && (count != want || (want && (hit.address != at || hit.who != CPU_WATCH_MACHINE))))
                    fail_msg("engine %d, %s: byte %u: %u", engine, cases[i].text, (unsigned)at, count);
                machine_destroy(m);
            }
}

/* What somebody outside stores: the CPU that runs ends its run, also when it waits. */
static void stores_from_outside(void **state)
{
    static const struct cpu_watches watches = {.count = 3,
                                               .watch = {{DATA + 8, 8, CPU_STORE, CPU_WATCH_ABSOLUTE},
                                                         {DATA + 0x1000, 0x2000, CPU_UPDATE, CPU_WATCH_LOGICAL},
                                                         {DATA, 4, CPU_FETCH, CPU_WATCH_REAL}}};
    struct machine *m = make(2, ENGINE_BLOCK, false);
    (void)state;
    counting(m);
    m->sys.cpus[1]->state = CPU_STATE_STOPPED;
    assert_int_equal(machine_go_on(m, 1000).end, MACHINE_LIMIT);
    cpu_watch_set(&m->sys, &watches);
    cpu_code_written_outside(&m->sys, DATA, 8); /* a fetch is watched there, and the next bytes are */
    assert_int_equal(machine_go_on(m, 1000).end, MACHINE_LIMIT);
    cpu_code_written_outside(&m->sys, DATA, 9);
    struct machine_result r = machine_go_on(m, 1000);
    assert_int_equal(r.end, MACHINE_REQUEST);
    assert_ptr_equal(r.cpu, m->sys.running);
    assert_int_equal(r.cpu->watched.hits[0].address, DATA + 8);
    assert_int_equal(r.cpu->watched.hits[0].who, CPU_WATCH_OUTSIDE);
    r.cpu->watched.count = 0;
    assert_int_equal(machine_go_on(m, 1000).end, MACHINE_LIMIT);
    m->sys.cpus[0]->psw.mask |= PSW_WAIT | PSW_EXT;
    cpu_code_written_outside(&m->sys, DATA + 0xfff, 0x1800);
    r = machine_go_on(m, 1000);
    assert_int_equal(r.end, MACHINE_REQUEST);
    assert_int_equal(r.cpu->watched.count, 1);
    assert_int_equal(r.cpu->watched.hits[0].address, DATA + 0x1000);
    cpu_watch_set(&m->sys, NULL);
    machine_destroy(m);
}

/* A logical address is watched where it leads, whoever stores there: by the tables of some CPU. */
static void stores_where_tables_lead(void **state)
{
    static const struct cpu_watches watches = {.count = 1, .watch = {{0x6ff8, 0x10, CPU_STORE, CPU_WATCH_LOGICAL}}};
    struct machine *m = make(2, ENGINE_BLOCK, false);
    struct cpu *other = m->sys.cpus[1];
    (void)state;
    counting(m);
    other->state = CPU_STATE_STOPPED;
    put64(m->sys.storage.bytes + 0x100000, 0x110000);                        /* segment 0 */
    put64(m->sys.storage.bytes + 0x110000 + 6 * UINT64_C(8), 0x400);         /* page 6: none */
    put64(m->sys.storage.bytes + 0x110000 + 7 * UINT64_C(8), DATA + 0x3000); /* page 7 */
    other->cr[1] = 0x100000;
    other->psw.mask |= PSW_DAT;
    cpu_watch_set(&m->sys, &watches);
    cpu_code_written_outside(&m->sys, DATA + 0x2ff8, 8);
    cpu_code_written_outside(&m->sys, DATA + 0x3008, 8);
    assert_int_equal(machine_go_on(m, 1000).end, MACHINE_LIMIT);
    cpu_code_written_outside(&m->sys, DATA + 0x3004, 8);
    const struct machine_result r = machine_go_on(m, 1000);
    assert_int_equal(r.end, MACHINE_REQUEST);
    assert_int_equal(r.cpu->watched.hits[0].address, 0x7004);
    cpu_watch_set(&m->sys, NULL);
    machine_destroy(m);
}

/* With threads the CPU that stores ends the run. */
static void threads_meet_watchpoints(void **state)
{
    static const struct cpu_watches watches = {.count = 1, .watch = {{DATA + 0x1400, 8, CPU_STORE}}};
    struct machine *m = make(2, ENGINE_BLOCK, true);
    (void)state;
    counting(m);
    cpu_watch_set(&m->sys, &watches);
    for (unsigned i = 1; i < 1000; i++) { /* often: a thread may start when another has ended the run */
        const struct machine_result r = machine_go_on(m, UINT64_MAX);
        assert_int_equal(r.end, MACHINE_REQUEST);
        assert_ptr_equal(r.cpu, m->sys.cpus[1]);
        assert_int_equal(r.cpu->gr[1], i);
        r.cpu->watched.count = 0;
    }
    cpu_watch_set(&m->sys, NULL);
    machine_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stores_to_the_byte),       cmocka_unit_test(fetches_to_the_byte),
        cmocka_unit_test(accesses_across_pages),    cmocka_unit_test(no_guest_can_tell),
        cmocka_unit_test(steps_change_nothing),     cmocka_unit_test(a_held_cpu_stands),
        cmocka_unit_test(threads_meet_watchpoints), cmocka_unit_test(real_and_absolute_addresses),
        cmocka_unit_test(interruptions_store),      cmocka_unit_test(stores_from_outside),
        cmocka_unit_test(stores_where_tables_lead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
