/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program-event recording, on single instructions. PoP chapter 4. */
#include "cpu/state/per.h"
#include "cpu/storage/dat.h"
#include "tests/unit/cpu_harness.h"
#include "tests/unit/put_code.h"
#include <stdio.h>
#include <string.h>

#define CODE    0x10000u
#define DATA    0x20000u
#define HANDLER 0x80000u
#define ATMID   0xe0u /* 64-bit mode, DAT off, primary */

#define EVENT_BRANCH 0x8000u
#define EVENT_FETCH  0x4000u
#define EVENT_STORE  0x2000u
#define EVENT_REAL   0x2800u

/* PER for the events in `controls` and the area from start to end; the lines stand at CODE. */
static struct rig *rig_per(uint64_t controls, uint64_t start, uint64_t end, const char *lines)
{
    struct rig *r = rig_new();
    char text[256], *rest = text, *line;
    uint64_t at = CODE;
    strcpy(text, lines);
    while ((line = strsep(&rest, ";")))
        at = put_code(r->at, at, line);
    set_dword(r, 464, PSW_64);
    set_dword(r, 472, HANDLER);
    set_dword(r, 448, PSW_64);
    set_dword(r, 456, HANDLER + 0x100);
    r->cpu->cr[9] = controls;
    r->cpu->cr[10] = start;
    r->cpu->cr[11] = end;
    r->cpu->gr[1] = DATA;
    r->cpu->gr[2] = CODE + 0x100;
    psw(r, PSW_64 | PSW_PER, CODE);
    return r;
}

/* One step on the default engine, which has to leave this to the reference engine. */
static void one(struct rig *r)
{
    uint64_t done;
    (void)engine_run(r->cpu, 1, &done);
    assert_int_equal(done, 1);
}

/* The step ended in a program interruption with `code`, events and address as given. */
static void assert_event(struct rig *r, unsigned code, unsigned events, uint64_t address, uint64_t old_ia)
{
    assert_int_equal(r->cpu->psw.ia, HANDLER);
    assert_int_equal(get16(r->at + 142), code);
    assert_int_equal(get16(r->at + 150), events);
    assert_int_equal(dword(r, 152), address);
    assert_int_equal(dword(r, 344), old_ia);
}
static void assert_no_event(struct rig *r, uint64_t ia)
{
    assert_int_equal(r->cpu->psw.ia, ia);
    assert_int_equal(get16(r->at + 142), 0);
}

static void fetching(void **state)
{
    (void)state;
    static const struct {
        uint64_t start, end;
        bool hit;
    } areas[] = {{CODE, CODE, true},     {CODE + 1, CODE + 3, false}, /* only the first byte counts */
                 {0, UINT64_MAX, true},  {CODE + 2, CODE - 1, false}, /* wraps around the instruction */
                 {CODE + 2, CODE, true}, {UINT64_MAX, CODE, true}};
    for (unsigned i = 0; i < 6; i++) {
        struct rig *r = rig_per(CR9_PER_FETCH, areas[i].start, areas[i].end, "l %r3,0(%r1)");
        one(r);
        if (areas[i].hit) {
            assert_event(r, 0x80, EVENT_FETCH | ATMID, CODE, CODE + 4);
            assert_int_equal(word(r, 140), 0x00040080);
            assert_int_equal(dword(r, 336), PSW_64 | PSW_PER);
        } else {
            assert_no_event(r, CODE + 4);
        }
        rig_end(r);
    }
    /* PSW bit 1 off. */
    struct rig *r = rig_per(CR9_PER_FETCH, 0, UINT64_MAX, "l %r3,0(%r1)");
    psw(r, PSW_64, CODE);
    one(r);
    assert_no_event(r, CODE + 4);
    rig_end(r);
}

/* The identification of the mode is that at the start of the instruction. */
static void mode_identification(void **state)
{
    (void)state;
    static const struct {
        uint64_t mask;
        unsigned id;
    } modes[] = {{0, 0x40},
                 {PSW_BA, 0x60},
                 {PSW_64, 0xe0},
                 {PSW_64 | PSW_DAT, 0xf0},
                 {PSW_64 | PSW_DAT | UINT64_C(1) << 46, 0xf4},
                 {PSW_64 | PSW_DAT | UINT64_C(2) << 46, 0xf8},
                 {PSW_64 | PSW_DAT | UINT64_C(3) << 46, 0xfc}};
    for (unsigned i = 0; i < 7; i++) {
        struct rig *r = rig_per(CR9_PER_FETCH, 0, UINT64_MAX, "sam31");
        r->cpu->cr[1] = r->cpu->cr[7] = r->cpu->cr[13] = ASCE_REAL;
        psw(r, modes[i].mask | PSW_PER, CODE);
        one(r);
        assert_event(r, 0x80, EVENT_FETCH | modes[i].id, CODE, CODE + 2);
        assert_int_equal(dword(r, 336) & PSW_64, PSW_BA);
        rig_end(r);
    }
}

static void branching(void **state)
{
    (void)state;
    struct rig *r = rig_per(CR9_PER_BRANCH, 0, 0, "br %r2");
    one(r);
    assert_event(r, 0x80, EVENT_BRANCH | ATMID, CODE, CODE + 0x100);
    rig_end(r);
    r = rig_per(CR9_PER_BRANCH, 0, UINT64_MAX, "brc 0,0x10100"); /* does not branch */
    one(r);
    assert_no_event(r, CODE + 4);
    rig_end(r);
    r = rig_per(CR9_PER_BRANCH | CR9_PER_BRANCH_ADDRESS, CODE + 0x100, CODE + 0x100, "br %r2");
    one(r);
    assert_event(r, 0x80, EVENT_BRANCH | ATMID, CODE, CODE + 0x100);
    rig_end(r);
    r = rig_per(CR9_PER_BRANCH | CR9_PER_BRANCH_ADDRESS, CODE, CODE + 0xff, "br %r2");
    one(r);
    assert_no_event(r, CODE + 0x100);
    rig_end(r);
    r = rig_per(CR9_PER_BRANCH | CR9_PER_FETCH, CODE, CODE, "br %r2"); /* both at once */
    one(r);
    assert_event(r, 0x80, EVENT_BRANCH | EVENT_FETCH | ATMID, CODE, CODE + 0x100);
    rig_end(r);
}

static void storing(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        uint64_t start, end;
        bool hit;
    } cases[] = {
        {"stg %r3,0(%r1)", DATA, DATA, true},
        {"stg %r3,0(%r1)", DATA + 7, DATA + 7, true},
        {"stg %r3,0(%r1)", DATA + 8, DATA + 8, false},
        {"stg %r3,0(%r1)", DATA + 3, DATA + 3, true},
        {"stg %r3,0(%r1)", DATA - 8, DATA - 1, false},
        {"stg %r3,0(%r1)", DATA + 0x1000, DATA, true}, /* wraps */
        {"stg %r3,0(%r1)", DATA + 8, DATA - 1, false}, /* wraps around it */
        {"lg %r3,0(%r1)", 0, UINT64_MAX, false},
        {"mvc 0(16,%r1),0x100(%r1)", DATA + 15, DATA + 15, true},
        {"mvc 0(16,%r1),0x100(%r1)", DATA + 16, DATA + 0x200, false},
        {"stg %r3,0xffc(%r1)", DATA + 0x1003, DATA + 0x1003, true}, /* in the second page */
        {"mvi 0(%r1),5", DATA, DATA, true},
        {"oi 0(%r1),0", DATA, DATA, true}, /* stores what was there */
        {"stm %r0,%r15,0(%r1)", DATA + 63, DATA + 63, true},
        {"stosm 0(%r1),0", DATA, DATA, true},
        {"cs %r3,%r4,0(%r1)", DATA, DATA, true},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rig *r = rig_per(CR9_PER_STORE, cases[i].start, cases[i].end, cases[i].line);
        uint64_t next = CODE + dis_length(r->at[CODE]);
        one(r);
        if (cases[i].hit)
            assert_event(r, 0x80, EVENT_STORE | ATMID, CODE, next);
        else
            assert_no_event(r, next);
        rig_end(r);
    }
    /* The page is in a TLB from a store without PER. */
    struct rig *r = rig_per(CR9_PER_STORE, DATA, DATA, "st %r3,0(%r1); st %r3,0(%r1)");
    psw(r, PSW_64, CODE);
    one(r);
    psw(r, PSW_64 | PSW_PER, CODE + 4);
    one(r);
    assert_event(r, 0x80, EVENT_STORE | ATMID, CODE + 4, CODE + 8);
    psw(r, PSW_64 | PSW_PER, CODE + 4); /* nor does a store with PER open it */
    put64(r->at + 152, 0);
    one(r);
    assert_event(r, 0x80, EVENT_STORE | ATMID, CODE + 4, CODE + 8);
    rig_end(r);
}

/* Control register 9 bit 42 limits storage alteration to spaces whose ASCE has bit 56 on; the space is identified. */
static void storing_in_spaces(void **state)
{
    (void)state;
    static const unsigned mode_of_space[4] = {AS_PRIMARY, AS_ACCESS_REGISTER, AS_SECONDARY, AS_HOME};
    for (unsigned m = 0; m < 4; m++)
        for (unsigned marked = 0; marked < 2; marked++)
            for (unsigned control = 0; control < 2; control++) {
                struct rig *r =
                    rig_per(CR9_PER_STORE | (control ? CR9_PER_STORE_SPACE : 0), DATA, DATA, "st %r3,0(%r1)");
                uint64_t asce = ASCE_REAL | (marked ? BIT64(56) : 0);
                unsigned as = mode_of_space[m];
                r->cpu->cr[1] = r->cpu->cr[7] = r->cpu->cr[13] = asce;
                r->cpu->ar[1] = 1;
                psw(r, PSW_64 | PSW_PER | PSW_DAT | (uint64_t)as << 46, CODE);
                one(r);
                if (control && !marked) {
                    assert_no_event(r, CODE + 4);
                } else {
                    assert_event(r, 0x80, EVENT_STORE | 0xf0 | as << 2 | as, CODE, CODE + 4);
                    assert_int_equal(r->at[161], as == AS_ACCESS_REGISTER ? 1 : 0);
                }
                rig_end(r);
            }
}

static void storing_by_real_address(void **state)
{
    (void)state;
    static const char *const lines[] = {"stura %r3,%r1", "sturg %r3,%r1"};
    for (unsigned i = 0; i < 2; i++) {
        struct rig *r = rig_per(CR9_PER_STORE | CR9_PER_STORE_USING_REAL, 0, 0, lines[i]);
        one(r);
        assert_event(r, 0x80, EVENT_REAL | ATMID, CODE, CODE + 4);
        rig_end(r);
        r = rig_per(CR9_PER_STORE, 0, UINT64_MAX, lines[i]); /* is no ordinary storage alteration */
        one(r);
        assert_no_event(r, CODE + 4);
        rig_end(r);
    }
}

static void executing(void **state)
{
    (void)state;
    struct rig *r = rig_per(CR9_PER_FETCH | CR9_PER_STORE, DATA, DATA, "ex %r0,0(%r2)");
    put32(r->at + CODE + 0x100, 0x50301000); /* ST 3,0(1) */
    one(r);
    assert_event(r, 0x80, EVENT_STORE | ATMID, CODE, CODE + 4);
    rig_end(r);
    r = rig_per(CR9_PER_FETCH, CODE + 0x100, CODE + 0x100, "ex %r0,0(%r2)"); /* the target is fetched too */
    put32(r->at + CODE + 0x100, 0x50301000);
    one(r);
    assert_event(r, 0x80, EVENT_FETCH | ATMID, CODE, CODE + 4);
    assert_int_equal(word(r, 140), 0x00040080);
    rig_end(r);
}

/* With another program-interruption condition: shown together, unless the instruction is nullified. */
static void together(void **state)
{
    (void)state;
    static const uint64_t all = CR9_PER_BRANCH | CR9_PER_FETCH | CR9_PER_STORE;
    struct rig *r = rig_per(all, 0, UINT64_MAX, "ar %r3,%r4"); /* completion */
    r->cpu->gr[3] = r->cpu->gr[4] = 0x7fffffff;
    psw(r, PSW_64 | PSW_PER | PSW_PM_FIXED_POINT_OVERFLOW, CODE);
    one(r);
    assert_event(r, 0x88, EVENT_FETCH | ATMID, CODE, CODE + 2);
    rig_end(r);
    r = rig_per(all, 0, UINT64_MAX, "st %r3,0(%r1)"); /* suppression */
    set_key(r, DATA, 0x30);
    psw(r, PSW_64 | PSW_PER | UINT64_C(4) << 52, CODE);
    one(r);
    assert_event(r, 0x84, EVENT_FETCH | ATMID, CODE, CODE + 4);
    rig_end(r);
    r = rig_per(all, 0, UINT64_MAX, "st %r3,0(%r1)"); /* nullification */
    map(r, CODE, CODE, 0);
    map(r, DATA, DATA, 0x400);
    r->cpu->cr[1] = S_TABLE;
    psw(r, PSW_64 | PSW_PER | PSW_DAT, CODE);
    one(r);
    assert_event(r, 0x11, 0, 0, CODE);
    rig_end(r);
    r = rig_per(all, 0, UINT64_MAX, "br %r2"); /* the instruction itself cannot be fetched */
    psw(r, PSW_64 | PSW_PER, 64 * MIB);
    one(r);
    assert_event(r, 0x05, 0, 0, 64 * MIB + 2);
    rig_end(r);
}

/* Changes of the PSW: what was on at the start is recorded, also when the instruction turns it off. */
static void mode_changes(void **state)
{
    (void)state;
    struct rig *r = rig_per(CR9_PER_FETCH, CODE, CODE, "lpswe 0(%r1)");
    set_dword(r, DATA, PSW_64);
    set_dword(r, DATA + 8, 0x4000);
    one(r);
    assert_event(r, 0x80, EVENT_FETCH | ATMID, CODE, 0x4000);
    assert_int_equal(dword(r, 336), PSW_64);
    rig_end(r);
    r = rig_per(CR9_PER_FETCH, 0, UINT64_MAX, "lpswe 0(%r1)"); /* and not when it turns it on */
    set_dword(r, DATA, PSW_64 | PSW_PER);
    set_dword(r, DATA + 8, 0x4000);
    psw(r, PSW_64, CODE);
    one(r);
    assert_no_event(r, 0x4000);
    rig_end(r);
    r = rig_per(CR9_PER_FETCH, 0, UINT64_MAX, "lctlg %c9,%c9,0(%r1)"); /* turned off by a control register */
    one(r);
    assert_event(r, 0x80, EVENT_FETCH | ATMID, CODE, CODE + 6);
    rig_end(r);
    r = rig_per(CR9_PER_FETCH, CODE, CODE, "lpswe 0(%r1)"); /* an early exception of the new PSW */
    set_dword(r, DATA, PSW_64 | BIT64(2));
    set_dword(r, DATA + 8, 0x4000);
    one(r);
    assert_event(r, 0x86, EVENT_FETCH | ATMID, CODE, 0x4000);
    assert_int_equal(get16(r->at + 140), 0);
    rig_end(r);
}

/* The event of SVC follows the supervisor-call interruption, whose new PSW is the program old PSW. */
static void supervisor_call(void **state)
{
    (void)state;
    struct rig *r = rig_per(CR9_PER_FETCH, CODE, CODE, "svc 66");
    one(r);
    assert_event(r, 0x80, EVENT_FETCH | ATMID, CODE, HANDLER + 0x100);
    assert_int_equal(word(r, 136), 0x00020042);
    assert_int_equal(dword(r, 328), CODE + 2);
    assert_int_equal(dword(r, 320), PSW_64 | PSW_PER);
    rig_end(r);
    r = rig_per(CR9_PER_FETCH, CODE, CODE, "svc 66"); /* with an invalid new PSW besides */
    set_dword(r, 448, PSW_EA);
    one(r);
    assert_event(r, 0x86, EVENT_FETCH | ATMID, CODE, HANDLER + 0x100);
    assert_int_equal(get16(r->at + 140), 0);
    rig_end(r);
    r = rig_per(CR9_PER_FETCH, 0, 0, "svc 66"); /* no event: nothing follows */
    one(r);
    assert_int_equal(r->cpu->psw.ia, HANDLER + 0x100);
    assert_int_equal(get16(r->at + 142), 0);
    rig_end(r);
}

/* Nullified before it is carried out, again and again. */
static void nullification(void **state)
{
    (void)state;
    struct rig *r = rig_per(CR9_PER_FETCH | CR9_PER_FETCH_NULLIFY, CODE, CODE, "lghi %r3,7");
    for (unsigned i = 0; i < 2; i++) {
        psw(r, PSW_64 | PSW_PER, CODE);
        one(r);
        assert_event(r, 0x80, EVENT_FETCH | 0x100 | ATMID, CODE, CODE);
        assert_int_equal(word(r, 140), 0x00040080);
        assert_int_equal(r->cpu->gr[3], 0);
    }
    psw(r, PSW_64, CODE);
    one(r);
    assert_int_equal(r->cpu->gr[3], 7);
    rig_end(r);
}

/* A long move whose last bytes lie in the area: the event comes once, when they are stored, and the move ends right. */
static void interruptible(void **state)
{
    (void)state;
    struct rig *r = rig_per(CR9_PER_STORE, DATA + 0x2fff, DATA + 0x2fff, "mvcle %r4,%r6,0; brc 1,0x10000; lghi %r3,1");
    struct cpu *cpu = r->cpu;
    cpu->gr[4] = DATA;
    cpu->gr[5] = cpu->gr[7] = 0x3000;
    cpu->gr[6] = DATA + 0x10000;
    memset(r->at + DATA + 0x10000, 0x5a, 0x3000);
    unsigned events = 0;
    for (unsigned i = 0; i < 100 && cpu->psw.ia != CODE + 12; i++) {
        one(r);
        if (cpu->psw.ia == HANDLER) {
            events++;
            assert_int_equal(get16(r->at + 142), 0x80);
            assert_int_equal(get16(r->at + 150), EVENT_STORE | ATMID);
            assert_int_equal(dword(r, 152), CODE);
            psw(r, PSW_64 | PSW_PER | (dword(r, 336) & PSW_CC), dword(r, 344));
        }
    }
    assert_int_equal(events, 1);
    assert_int_equal(cpu->gr[3], 1);
    assert_int_equal(cpu->gr[5], 0);
    assert_int_equal(r->at[DATA + 0x2fff], 0x5a);
    rig_end(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fetching),          cmocka_unit_test(mode_identification),
        cmocka_unit_test(branching),         cmocka_unit_test(storing),
        cmocka_unit_test(storing_in_spaces), cmocka_unit_test(storing_by_real_address),
        cmocka_unit_test(executing),         cmocka_unit_test(together),
        cmocka_unit_test(mode_changes),      cmocka_unit_test(supervisor_call),
        cmocka_unit_test(nullification),     cmocka_unit_test(interruptible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
