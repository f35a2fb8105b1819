/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception trace of a machine: DIAGNOSE X'E10', the ring in guest storage, stalls, rules, and that nothing else
   changes (specification 4.1 c, 5.8). */
#include "tests/unit/et_guest.h"
#include "ri/counters/counters.h"

#define END  "lpswe 0x900\n"
#define DATA 0x30000u

/* One DIAGNOSE X'E10', alone. Returns the condition code, or 0x100 and the code of an exception. */
static unsigned diagnose(struct traced *w, unsigned r1, uint64_t subcode, uint64_t argument, uint64_t r3, uint64_t mask)
{
    char code[64];
    snprintf(code, sizeof code, "diag %%r%u,%%r6,0xe10\n", r1);
    guest_code(&w->text, CODE, code);
    cpu_code_written(&w->m->sys, CODE, 16);
    w->cpu->gr[r1] = subcode;
    w->cpu->gr[r1 + 1] = argument;
    w->cpu->gr[6] = r3;
    guest_psw(&w->text, 464, PSW_64 | PSW_WAIT, 0xd1);
    assert_int_equal(machine_start(w->m, PSW_64 | mask, CODE), 0);
    (void)machine_step(w->m, w->cpu);
    return w->cpu->psw.ia == CODE + 4 ? w->cpu->cc : 0x100u | get16(w->at + 142);
}
#define CALL_E10(w, sub, arg, r3) diagnose(w, 2, sub, arg, r3, 0)

static void et_71_query_and_registers(void **state)
{
    static struct traced w;
    (void)state;
    traced_begin(&w, ENGINE_BLOCK, 1, END);
    assert_int_equal(CALL_E10(&w, 0, 0, 0), 0);
    assert_int_equal(w.cpu->gr[3] >> 48, 0x10);
    assert_int_equal(w.cpu->gr[3] >> 32 & 0xffff, 19);
    assert_int_equal(w.cpu->gr[6], 1 << 20);
    for (unsigned i = 0; i < ET_REGISTERS; i++) {
        assert_int_equal(CALL_E10(&w, 1, 0, i), 0);
        assert_true(w.cpu->gr[3] == (i == ETST ? 0 : et_register_reset(i)));
    }
    assert_int_equal(CALL_E10(&w, 1, 0, 19), 3);
    assert_int_equal(CALL_E10(&w, 2, 0x70fe, ETSL), 0);
    assert_true(et_read(traced_unit(&w), ETSL) == 0x70fe);
    assert_int_equal(CALL_E10(&w, 2, 0, 19), 3);
    assert_int_equal(CALL_E10(&w, 2, 6, ETBF), 2); /* a buffer of 64 bytes */
    assert_true(et_read(traced_unit(&w), ETBF) == et_register_reset(ETBF));
    assert_int_equal(CALL_E10(&w, 12, 0, 0), 3);
    assert_int_equal(CALL_E10(&w, 0xffffffff, 0, 0), 3);
    /* Bits 0-31 of the subcode's register are no matter. */
    assert_int_equal(CALL_E10(&w, UINT64_C(0x100000001), 0, 0), 0);
    traced_end(&w);
}

static void et_71_exceptions(void **state)
{
    static struct traced w;
    (void)state;
    traced_begin(&w, ENGINE_BLOCK, 1, END);
    assert_int_equal(diagnose(&w, 2, 0, 0, 0, PSW_PROBLEM), 0x100 | PIC_PRIVILEGED_OPERATION);
    assert_int_equal(diagnose(&w, 3, 0, 0, 0, 0), 0x100 | PIC_SPECIFICATION);
    assert_false(exception_trace_kept(w.m)); /* so far nobody has it */
    assert_int_equal(CALL_E10(&w, 3, 2, UINT64_C(0x7ffffffff000)), 0x100 | PIC_ADDRESSING);
    traced_end(&w);
    /* A machine that does not offer the code. */
    traced_begin(&w, ENGINE_BLOCK, 1, END);
    w.m->config.diagnose = 0;
    assert_int_equal(CALL_E10(&w, 0, 0, 0), 0x100 | PIC_SPECIFICATION);
    traced_end(&w);
}

static void et_71_72_refused(void **state)
{
    static struct traced w;
    (void)state;
    traced_begin(&w, ENGINE_BLOCK, 1, END);
    traced_trace(&w, "guest=off");
    assert_int_equal(CALL_E10(&w, 2, 0, ETSL), 2);
    assert_int_equal(CALL_E10(&w, 4, 0, 0), 2);
    assert_int_equal(CALL_E10(&w, 10, 64, DATA), 2);
    assert_int_equal(CALL_E10(&w, 1, 0, ETSL), 0); /* to read is no change */
    traced_end(&w);
    traced_begin(&w, ENGINE_BLOCK, 1, END);
    traced_trace(&w, "lock=on");
    assert_int_equal(CALL_E10(&w, 2, 0, ETSL), 2);
    assert_int_equal(CALL_E10(&w, 5, 0, 0), 2);
    assert_true(et_read(traced_unit(&w), ETSL) == et_register_reset(ETSL));
    traced_end(&w);
}

/* Registers from storage, output on and off, marks, status. */
static void et_71_74_load_output_mark(void **state)
{
    static struct traced w;
    (void)state;
    traced_begin(&w, ENGINE_BLOCK, 1, END);
    traced_trace(&w, "state=off");
    put64(w.at + DATA, et_register_reset(ETCR) | 0x200);
    put64(w.at + DATA + 8, et_register_reset(ETFR));
    put64(w.at + DATA + 16, 0x70ff);
    assert_int_equal(CALL_E10(&w, 3, 3, DATA), 0);
    assert_true(et_read(traced_unit(&w), ETCR) == (et_register_reset(ETCR) | 0x200));
    assert_int_equal(CALL_E10(&w, 3, 20, DATA), 3);
    put64(w.at + DATA + 8, UINT64_C(0x1b1e0080)); /* figure mode with merged tail-chains */
    assert_int_equal(CALL_E10(&w, 3, 3, DATA), 2);
    assert_true(et_read(traced_unit(&w), ETFR) == et_register_reset(ETFR));
    assert_int_equal(CALL_E10(&w, 11, 0, 0), 0);
    assert_int_equal(w.cpu->gr[3] & 1, 0);
    assert_int_equal(CALL_E10(&w, 4, 0, 0), 0);
    assert_int_equal(CALL_E10(&w, 11, 0, 0), 0);
    assert_int_equal(w.cpu->gr[3] & 1, 1);
    assert_int_equal(CALL_E10(&w, 7, 0x1234, 0), 0);
    assert_int_equal(CALL_E10(&w, 6, 0, 0), 0);
    assert_non_null(strstr(w.history, "M1234"));
    assert_int_equal(CALL_E10(&w, 5, 0, 0), 0);
    assert_int_equal(et_read(traced_unit(&w), ETST) & 1, 0);
    traced_end(&w);
}

/* The counter block: six doublewords for each number with activity; with too little room in part. */
static void et_71_counters(void **state)
{
    static struct traced w;
    (void)state;
    traced_begin(&w, ENGINE_BLOCK, 1, "svc 9\nsvc 9\nsvc 8\n" END "svc:\nlpswe 320");
    traced_trace(&w, "clock=insn");
    (void)traced_go(&w, 0, CODE);
    assert_int_equal(CALL_E10(&w, 8, 6 * 48, DATA), 0);
    assert_int_equal(w.cpu->gr[3], 3); /* NORMAL, which was returned to, too */
    assert_int_equal(get64(w.at + DATA), 0);
    assert_int_equal(get64(w.at + DATA + 48), 0x108);
    assert_int_equal(get64(w.at + DATA + 56), 1);
    assert_int_equal(get64(w.at + DATA + 96), 0x109);
    assert_int_equal(get64(w.at + DATA + 104), 2);
    assert_int_equal(get64(w.at + DATA + 120), 2); /* gross: LPSWE alone, twice */
    assert_int_equal(get64(w.at + DATA + 128), 2);
    assert_int_equal(get64(w.at + DATA + 136), 1);
    assert_int_equal(CALL_E10(&w, 8, 2 * 48 + 47, DATA), 1);
    assert_int_equal(w.cpu->gr[3], 2);
    traced_end(&w);
}

/* The buffer, piece by piece. */
static void et_71_buffer(void **state)
{
    static struct traced w;
    uint8_t all[512];
    (void)state;
    traced_begin(&w, ENGINE_BLOCK, 1, "svc 1\n" END "svc:\nlpswe 320");
    traced_trace(&w, "enable=on");
    (void)traced_go(&w, 0, CODE);
    const size_t size = et_buffer_look(traced_unit(&w), all, sizeof all);
    assert_true(size > 20);
    assert_int_equal(CALL_E10(&w, 10, 10, DATA), 1);
    assert_int_equal(w.cpu->gr[3], 10);
    assert_memory_equal(w.at + DATA, all, 10);
    assert_int_equal(CALL_E10(&w, 10, 4096, DATA + 10), 0);
    assert_int_equal(w.cpu->gr[3], size - 10);
    assert_memory_equal(w.at + DATA, all, size);
    assert_int_equal(CALL_E10(&w, 10, 4096, DATA), 0);
    assert_int_equal(w.cpu->gr[3], 0);
    traced_end(&w);
}

/* ---- the ring in guest storage ---- */

/* ENTRY packets of SVCs in FULL format that stand in bytes of a stream. */
static unsigned svcs(const uint8_t *bytes, size_t size)
{
    unsigned n = 0;
    for (size_t i = 0; i + 2 < size; i++)
        n += bytes[i] == 0x0e && (bytes[i + 2] & 0x31) == 0x11;
    return n;
}

static void et_66_97_ring_in_guest_storage(void **state)
{
    static struct traced w;
    (void)state;
    for (int engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
        traced_begin(&w, (enum engine_kind)engine, 1, END);
        assert_int_equal(CALL_E10(&w, 9, 64, DATA), 2); /* too short */
        assert_int_equal(CALL_E10(&w, 9, 4096, UINT64_C(0x7ffffffff000)), 2);
        assert_int_equal(CALL_E10(&w, 9, 4096 + 32, DATA), 0);
        assert_int_equal(CALL_E10(&w, 4, 0, 0), 0);
        assert_memory_equal(w.at + DATA, "ZETR", 4);
        assert_int_equal(get64(w.at + DATA + 8), 4096);
        guest_code(&w.text, CODE,
                   "lghi %r9,7\nagain:\nsvc 5\nbrctg %r9,@again\nllilf %r8,0x30000\nlg %r10,16(%r8)\n"
                   /* counts in %r5 the FULL packets whose kind is ENTRY and whose number is that of an SVC */
                   "la %r11,32(%r8)\nlgr %r12,%r10\naghi %r12,-2\nlghi %r5,0\n"
                   "next:\ncli 0(%r11),0x0e\njne @other\nllgc %r1,2(%r11)\nnill %r1,0x31\ncghi %r1,0x11\n"
                   "jne @other\naghi %r5,1\nother:\nla %r11,1(%r11)\nbrctg %r12,@next\n" END "svc:\nlpswe 320");
        cpu_code_written(&w.m->sys, CODE, 256);
        traced_new_psw(&w, 448, 0, "svc");
        (void)traced_go(&w, 0, CODE);
        /* What the guest reads itself: how far its ring is written; its SVCs are in there, as many as were counted. */
        assert_int_equal(w.cpu->gr[5], 7);
        assert_true(w.cpu->gr[10] > 40 && w.cpu->gr[10] <= get64(w.at + DATA + 16));
        assert_int_equal(svcs(w.at + DATA + 32, (size_t)get64(w.at + DATA + 16)), 7);
        assert_int_equal(et_count(traced_unit(&w), 0x105)->entries, 7);
        assert_int_equal(CALL_E10(&w, 9, 0, 0), 0);
        const uint64_t written = get64(w.at + DATA + 16);
        assert_int_equal(CALL_E10(&w, 7, 1, 0), 0);
        assert_int_equal(get64(w.at + DATA + 16), written);
        traced_end(&w);
    }
}

static void et_66_96_alert(void **state)
{
    (void)state;
    static struct traced w;
    for (int engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
        traced_begin(&w, (enum engine_kind)engine, 1,
                     "lghi %r9,100\nagain:\nsvc 5\nbrctg %r9,@again\n" END
                     "svc:\nlpswe 320\next:\nllgf %r10,128\nllgh %r11,134\n" END);
        traced_trace(&w, "enable=on,guest.alert=50");
        assert_null(et_write(traced_unit(&w), ETGA, DATA, ET_BY_CONSOLE));
        assert_null(et_write(traced_unit(&w), ETGL, 32 + 1024, ET_BY_CONSOLE));
        (void)traced_go(&w, EXT_ON, CODE);
        assert_int_equal(w.cpu->gr[10], 8); /* bit 28 of the parameter */
        assert_int_equal(w.cpu->gr[11], 0x1407);
        assert_true(w.cpu->gr[9] > 40 && w.cpu->gr[9] < 80);
        traced_end(&w);
    }
}

/* ---- rules ---- */

static const char *const busy =
    "lghi %r9,50\nagain:\nsvc 5\nbrctg %r9,@again\n" END "svc:\nlpswe 320\next:\nlgr %r12,%r9\n"
    "llgf %r10,128\n" END;

static void et_96_rules(void **state)
{
    static struct traced w;
    char why[200];
    (void)state;
    for (int engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
        /* set, mark, mode: at the tenth SVC. */
        traced_begin(&w, (enum engine_kind)engine, 1, busy);
        traced_trace(&w, "enable=on,timestamps=inline,clock=insn");
        assert_null(
            exception_trace_rule(w.m, "rule a: when count(svc) >= 10 do mark 7; mode reference", why, sizeof why));
        assert_null(exception_trace_rule(w.m, "rule b: when count(0x105) >= 20 do set events=entry", why, sizeof why));
        (void)traced_go(&w, 0, CODE);
        et_flush(traced_unit(&w));
        assert_int_equal(w.cpu->engine_kind, ENGINE_REFERENCE);
        unsigned entries = 0, exits = 0, before_mark = 0;
        for (unsigned i = 0; i < w.events; i++) {
            entries += w.event[i].kind == ET_K_ENTRY;
            exits += w.event[i].kind == ET_K_EXIT && !(w.event[i].flags & ET_E_IMPLIED);
            if (w.event[i].kind == ET_K_MARK)
                before_mark = entries;
        }
        assert_int_equal(before_mark, 10);
        assert_int_equal(entries, 50);
        assert_true(exits >= 18 && exits <= 20);
        traced_end(&w);
        /* alert: the guest is told. */
        traced_begin(&w, (enum engine_kind)engine, 1, busy);
        traced_trace(&w, "enable=on,timestamps=inline,clock=insn");
        assert_null(exception_trace_rule(w.m, "rule c: when count(svc) >= 10 do alert", why, sizeof why));
        (void)traced_go(&w, EXT_ON, CODE);
        assert_int_equal(w.cpu->gr[10], 8);
        assert_true(w.cpu->gr[12] >= 39 && w.cpu->gr[12] <= 41);
        traced_end(&w);
        /* stop: the operator is. */
        traced_begin(&w, (enum engine_kind)engine, 1, busy);
        traced_trace(&w, "enable=on,timestamps=inline,clock=insn");
        assert_null(exception_trace_rule(w.m, "rule d: when count(svc) >= 10 do stop", why, sizeof why));
        assert_int_equal(traced_go(&w, 0, CODE).end, MACHINE_REQUEST);
        assert_true(exception_trace_stopped(w.m, w.cpu, why, sizeof why));
        assert_string_equal(why, "rule d");
        assert_true(w.cpu->gr[9] >= 40 && w.cpu->gr[9] <= 41);
        traced_end(&w);
    }
}

/* ---- where a run ends ---- */

static void stops_at_events(void **state)
{
    static struct traced w;
    char words[100];
    (void)state;
    for (int engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
        traced_begin(&w, (enum engine_kind)engine, 1,
                     "svc 1\nsvc 2\n" END "svc:\ntm 139,2\njo @deep\nlpswe 320\ndeep:\n.hex 0000\npgm:\n" END);
        assert_true(exception_trace_stop_at(w.m, &(struct exception_trace_stop){ET_SVC, 2, 0}));
        assert_int_equal(traced_go(&w, 0, CODE).end, MACHINE_REQUEST);
        assert_int_equal(get16(w.at + 138), 2);
        assert_true(exception_trace_stopped(w.m, w.cpu, words, sizeof words));
        assert_string_equal(words, "SVC 2, nested 1 deep");
        exception_trace_go(w.m);
        w.cpu->taken.stopped = false;
        assert_true(exception_trace_stop_at(w.m, &(struct exception_trace_stop){ET_CLASS_NONE, UINT64_MAX, 2}));
        assert_int_equal(machine_run(w.m, 1000).end, MACHINE_REQUEST);
        assert_int_equal(et_depth(traced_unit(&w)), 2);
        assert_int_equal(et_current(traced_unit(&w)), 0x081);
        traced_end(&w);
    }
}

/* ---- nothing else changes ---- */

static const char *const mixed =
    "lghi %r9,200\nagain:\nsvc 5\nsigp %r0,%r2,2\nstosm 0x880,1\nstnsm 0x880,0xfe\n.hex 0000\nstck 0x8a0\nlg "
    "%r3,0x8a0\n"
    "agr %r8,%r3\nbrctg %r9,@again\n" END "svc:\nla %r7,1(%r7)\nlpswe 320\npgm:\nlpswe 336\next:\nlpswe 304";

/* State and instructions of a run with this configuration (NULL: no trace), by both engines. */
static uint64_t outcome(enum engine_kind engine, const char *keys, uint64_t gr[16], uint64_t *tod)
{
    static struct traced w;
    traced_begin(&w, engine, 1, mixed);
    if (keys)
        traced_trace(&w, keys);
    if (keys) /* nobody looks */
        assert_true(exception_live_follow(exception_trace_live(w.m), EXCEPTION_LIVE_CONSOLE, NULL, NULL));
    (void)traced_go(&w, 0, CODE);
    memcpy(gr, w.cpu->gr, sizeof w.cpu->gr);
    *tod = cpu_tod(w.cpu);
    const uint64_t n = machine_instructions(w.m);
    traced_end(&w);
    return n;
}

static void et_63_111_the_guest_does_not_notice(void **state)
{
    static const char *const keys[] = {"enable=off",
                                       FULL,
                                       FULL ",clock=cycle",
                                       FULL ",clock=tod,downstream=on",
                                       FULL ",buffer=7,drain=1,overflow=stall",
                                       FULL ",buffer=7,drain=1,overflow=drop"};
    (void)state;
    uint64_t gr[16], tod, other[16], other_tod;
    const uint64_t n = outcome(ENGINE_BLOCK, NULL, gr, &tod);
    assert_int_equal(outcome(ENGINE_REFERENCE, NULL, other, &other_tod), n);
    for (int engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++)
        for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
            assert_int_equal(outcome((enum engine_kind)engine, keys[i], other, &other_tod), n);
            assert_memory_equal(other, gr, sizeof gr);
            assert_true(other_tod == tod);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_71_query_and_registers),
        cmocka_unit_test(et_71_exceptions),
        cmocka_unit_test(et_71_72_refused),
        cmocka_unit_test(et_71_74_load_output_mark),
        cmocka_unit_test(et_71_counters),
        cmocka_unit_test(et_71_buffer),
        cmocka_unit_test(et_66_97_ring_in_guest_storage),
        cmocka_unit_test(et_66_96_alert),
        cmocka_unit_test(et_96_rules),
        cmocka_unit_test(stops_at_events),
        cmocka_unit_test(et_63_111_the_guest_does_not_notice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
