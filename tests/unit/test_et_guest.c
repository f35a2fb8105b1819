/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exception trace by guests whose history is known, on both engines (specification 1.4 to 1.6). */
#include "tests/unit/et_guest.h"
#include "cpu/control/interrupt.h"
#include "cpu/state/interruptions.h"
#include "emu/dev/css/attach.h"
#include "ri/counters/counters.h"

/* An external call to this CPU itself: a request at a place of the program's choice. */
#define CALL "sigp %r0,%r2,2\n"
#define END  "lpswe 0x900\n"

/* ---- tail-chaining and what looks like it ---- */

static void et_14_pending_request_is_taken_behind_lpswe(void **state)
{
    (void)state;
    assert_history(&(struct history){.code = "svc 1\n" END "svc:\n" CALL "lpswe 320\next:\nlpswe 304",
                                     .mask = EXT_ON,
                                     .wanted = "T5 E101 S007 X101+t E007+t X007 R000 T3"});
}

static void et_14_one_instruction_of_the_context(void **state)
{
    (void)state;
    assert_history(&(struct history){.code = "svc 1\n" CALL END "svc:\nlpswe 320\next:\nlpswe 304",
                                     .mask = EXT_ON,
                                     .wanted = "T5 E101 X101 R000 S007 E007 X007 R000 T3"});
}

static void et_14_first_instruction_is_svc_or_faults(void **state)
{
    (void)state;
    assert_history(&(struct history){.code = "svc 1\nsvc 2\n" END "svc:\nlpswe 320",
                                     .wanted = "T5 E101 X101 R000 E102 X102 R000 T3"});
    assert_history(&(struct history){.code = "svc 1\n.hex 0000\n" END "svc:\nlpswe 320\npgm:\nlpswe 336",
                                     .wanted = "T5 E101 X101 R000 E081 X081 R000 T3"});
    /* SVC in the last halfword of storage: behind it nothing can be fetched. */
    assert_history(
        &(struct history){.code = "llilf %r1,0x3ffffe\nmvhhi 0(%r1),0x0a01\nbr %r1\nsvc:\nlpswe 320\npgm:\n" END,
                          .wanted = "T5 E101 X101 R000 E085 T3"});
}

static void et_14_19_early_psw_exception(void **state)
{
    (void)state;
    assert_history(&(struct history){.code = "svc 1\nsvc:\noi 320,0x80\nlpswe 320\npgm:\n" END,
                                     .wanted = "T5 E101 X101+t E086+t/1 T3"});
}

static void key(struct traced *w)
{
    cpu_raise_external(w->cpu, CPU_EXT_INTERRUPT_KEY);
    (void)machine_run(w->m, 1000);
}

static void et_14_enabled_wait(void **state)
{
    (void)state;
    const char *code = "svc 1\n" END "svc:\noi 321,2\nlpswe 320\next:\nni 305,0xfd\nlpswe 304";
    assert_history(&(struct history){
        .code = code, .mask = EXT_ON, .after = key, .wanted = "T5 E101 X101 R000 T1 S010 T2 E010/4 X010 R000 T3"});
    /* The same with a request that is pending at LPSWE: the CPU does not come to wait. */
    assert_history(
        &(struct history){.code = "svc 1\n" END "svc:\n" CALL "oi 321,2\nlpswe 320\next:\nni 305,0xfd\nlpswe 304",
                          .mask = EXT_ON,
                          .wanted = "T5 E101 S007 X101+t E007+t/4 X007 R000 T3"});
}

static void et_14_masks_open_for_an_instant(void **state)
{
    (void)state;
    assert_history(&(struct history){.code = "svc 1\n" END "svc:\n" CALL
                                             "stosm 0x880,1\nstnsm 0x880,0xfe\nlpswe 320\next:\nlpswe 304",
                                     .mask = EXT_ON,
                                     .wanted = "T5 E101 S007 E007 X007 R101 X101 R000 T3"});
}

static void two_io(struct traced *w)
{
    channel_adapter_interruption(w->m, 3);
    channel_adapter_interruption(w->m, 5);
}

static void et_14_15_tpi(void **state)
{
    (void)state;
    const char *code = "stosm 0x880,2\n" END "io:\ntpi 0\nlpswe 368";
    assert_history(&(struct history){.code = code, .before = two_io, .wanted = "T5 E00b X00b+t E00d+t/2 X00d R000 T3"});
    assert_history(
        &(struct history){.code = code, .before = two_io, .keys = "tpi=off", .wanted = "T5 E00b X00b R000 T3"});
    /* With nothing pending, and outside of an I/O handler, it is no event. */
    assert_history(&(struct history){.code = "tpi 0\nsvc 1\ntpi 0\n" END "svc:\ntpi 0\nlpswe 320",
                                     .before = two_io,
                                     .wanted = "T5 E101 X101 R000 T3"});
}

static void io_open_in_ext(struct traced *w)
{
    traced_new_psw(w, 432, IO_ON, "ext");
    channel_adapter_interruption(w->m, 3);
}

static void et_14_several_pending_at_lpswe(void **state)
{
    (void)state;
    assert_history(&(struct history){.code = "svc 1\n" END "svc:\n" CALL "lpswe 320\next:\nlpswe 304\nio:\nlpswe 368",
                                     .mask = EXT_ON,
                                     .before = io_open_in_ext,
                                     .wanted = "T5 E101 S007 X101+t E007+t E00b+l X00b R007 X007 R000 T3"});
}

/* ---- late arrival ---- */

static void ext_open_in_svc(struct traced *w) { traced_new_psw(w, 448, EXT_ON, "svc"); }

static void et_16_late_arrival(void **state)
{
    (void)state;
    assert_history(&(struct history){.code = CALL "svc 1\n" END "svc:\nlpswe 320\next:\nlpswe 304",
                                     .before = ext_open_in_svc,
                                     .wanted = "T5 S007 E101 E007+l X007 R101 X101 R000 T3"});
}

/* ---- interruptible instructions ---- */

static void timers(struct traced *w) { w->cpu->cr[0] |= CR0_CLOCK_COMPARATOR | CR0_CPU_TIMER; }

/* The clock comparator strikes while MVCLE still has pieces to move. */
static void et_17_between_units_of_operation(void **state)
{
    (void)state;
    assert_history(&(struct history){
        .code = "llilf %r2,0x100000\nllilf %r3,0x80000\nllilf %r4,0x200000\nlgr %r5,%r3\n"
                "stckf 0x880\nlg %r1,0x880\naghi %r1,400\nstg %r1,0x880\nsckc 0x880\nlghi %r6,0\n"
                "again:\nmvcl %r2,%r4\n" END "ext:\nlg %r7,312\nlghi %r1,-1\nstg %r1,0x880\nsckc 0x880\nlpswe 304",
        .mask = EXT_ON,
        .before = timers,
        .wanted = "T5 S004 E004 X004 R000 T3"});
}

/* ---- by which instructions handlers end ---- */

static void short_psw(struct traced *w)
{
    put64(w->at + 0x980, UINT64_C(0x0008000080000000) | (CODE + 2)); /* behind SVC, 31-bit mode */
    put64(w->at + 0x990, PSW_64);
    put64(w->at + 0x998, CODE + 2);
}

static void et_7_exits(void **state)
{
    (void)state;
    const char *wanted = "T5 E101 X101 R000 T3";
    assert_history(&(struct history){.code = "svc 1\n" END "svc:\nlpswe 320", .wanted = wanted});
    assert_history(&(struct history){.code = "svc 1\n" END "svc:\nlpswey 320", .wanted = wanted});
    assert_history(&(struct history){.code = "svc 1\n" END "svc:\nexrl %r0,@target\n.org 10100\ntarget:\nlpswe 320",
                                     .wanted = wanted});
    assert_history(&(struct history){.code = "svc 1\n" END "svc:\nexrl %r0,@target\n.org 10100\ntarget:\nlpswey 320",
                                     .wanted = wanted});
}

/* RESUME PROGRAM with the old PSW in its save area, and with another address: no exit. */
static void et_7_resume_program(void **state)
{
    (void)state;
    assert_history(&(struct history){.code = "svc 1\n" END "svc:\nlghi %r1,0\nrp 0(%r1)\n.hex 0004014009600960\n",
                                     .wanted = "T5 E101 X101 R000 T3"});
    assert_history(&(struct history){.code = "svc 1\n" END "other:\n" END
                                             "svc:\nlarl %r1,@other\nstg %r1,328\nlghi %r1,0\nrp 0(%r1)\n"
                                             ".hex 0004014009600960\n",
                                     .keys = "retmode=any",
                                     .wanted = "T5 E101 X101+f R000+f T3"});
}

static void et_7_lpsw(void **state)
{
    static struct traced w;
    static const char *const codes[] = {"svc 1\n" END "svc:\nlpsw 0x980",
                                        "svc 1\n" END
                                        "svc:\nlarl %r1,@target\nex %r0,0(%r1)\n.org 10100\ntarget:\nlpsw 0x980"};
    (void)state;
    for (int engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++)
        for (unsigned i = 0; i < 2; i++) {
            traced_begin(&w, (enum engine_kind)engine, 1, codes[i]);
            short_psw(&w);
            traced_trace(&w, FULL);
            /* LPSW cannot set the 64-bit mode: the program is one of the 31-bit mode. */
            assert_int_equal(machine_start(w.m, PSW_BA, CODE), 0);
            (void)machine_run(w.m, 1000);
            et_flush(traced_unit(&w));
            traced_history(&w, "T5 E101 X101 R000 T3");
            traced_end(&w);
        }
}

/* ---- a reload where no handler runs, or that ends none ---- */

static void et_8_reloads_that_are_no_exits(void **state)
{
    static struct traced w;
    (void)state;
    for (int engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++) {
        struct et_accounts a;
        traced_begin(&w, (enum engine_kind)engine, 1,
                     "larl %r1,@next\nstg %r1,0x998\nlpswe 0x990\nnext:\nsvc 1\n" END
                     "svc:\nlarl %r1,@inner\nstg %r1,0x998\nlpswe 0x990\ninner:\nlpswe 320");
        put64(w.at + 0x990, PSW_64);
        traced_trace(&w, FULL);
        (void)traced_go(&w, 0, CODE);
        et_flush(traced_unit(&w));
        traced_history(&w, "T5 E101 X101 R000 T3");
        et_accounts(traced_unit(&w), &a);
        assert_int_equal(a.reloads_in_normal, 2);
        assert_int_equal(a.reloads_in_handler, 1);
        assert_int_equal(a.detected, a.filtered + a.emitted + a.lost);
        traced_end(&w);
    }
}

/* ---- requests ---- */

static void et_20_signals_and_withdrawals(void **state)
{
    (void)state;
    /* The comparator is passed at once, then set far ahead; the timer is negative, then it is not. */
    assert_history(
        &(struct history){.code = "lghi %r1,0\nstg %r1,0x880\nsckc 0x880\nlghi %r1,-1\nstg %r1,0x888\nsckc 0x888\n"
                                  "spt 0x888\nlghi %r1,0x7fff\nsllg %r1,%r1,40\nstg %r1,0x880\nspt 0x880\n" END,
                          .wanted = "T5 S004 S004- S005 S005- T3"});
}

/* A subchannel's status becomes pending, and TEST SUBCHANNEL clears it before the interruption is taken. */
static void device(struct traced *w)
{
    char error[256];
    if (css_attach_text(w->m, "0120,3370,=1M", false, error, sizeof error))
        fail_msg("%s", error);
    w->cpu->gr[1] = 0x10000;
    w->at[0x8c0 + 4] = 0x28; /* ISC 5 */
    w->at[0x8c0 + 5] = 0x80; /* enabled */
    w->at[0x8c0 + 8] = 0x80;
    w->at[0x8c0 + 7] = 0x20, w->at[0x8c0 + 6] = 0x01;
}

static void et_20_withdrawn_by_test_subchannel(void **state)
{
    (void)state;
    const char *code =
        "msch 0x8c0\nhsch\nlghi %r3,2000\nagain:\nbrctg %r3,@again\ntsch 0x940\nstosm 0x880,2\n" END "io:\nlpswe 368";
    assert_history(&(struct history){.code = code, .before = device, .wanted = "T5 S00d S00d- T3"});
    /* Without TSCH it is taken: no withdrawal. */
    assert_history(&(struct history){.code = "msch 0x8c0\nhsch\nlghi %r3,2000\nagain:\nbrctg %r3,@again\n"
                                             "stosm 0x880,2\n" END "io:\nlpswe 368",
                                     .before = device,
                                     .wanted = "T5 S00d E00d X00d R000 T3"});
}

/* A request in the midst of an instruction comes at the same cycle on both engines. */
static void et_53_110_cycles_of_requests(void **state)
{
    (void)state;
    assert_history(&(struct history){.code = "lghi %r5,1\nsvc 1\n" END "svc:\nlghi %r6,1\nlgr %r7,%r6\n" CALL
                                             "lgr %r8,%r7\nlpswe 320\next:\nlpswe 304",
                                     .mask = EXT_ON,
                                     .keys = "clock=cycle",
                                     .wanted = "T5 E101 S007 X101+t E007+t X007 R000 T3"});
}

static void et_20_floating_requests_go_to_source_255(void **state)
{
    static struct traced w;
    (void)state;
    traced_begin(&w, ENGINE_BLOCK, 2, END);
    traced_trace(&w, FULL);
    channel_adapter_interruption(w.m, 4);
    et_flush(et_machine_cpu(exception_trace_units(w.m), ET_SOURCE_MACHINE));
    traced_history(&w, "S00c");
    assert_int_equal(w.event[0].source, ET_SOURCE_MACHINE);
    traced_end(&w);
}

/* ---- states ---- */

/* Every external interruption that the machine has, by its number. */
static void pend(struct traced *w, uint32_t condition)
{
    switch (condition) {
    case CPU_EXT_CLOCK_COMPARATOR:
        w->cpu->clock_comparator = 0;
        break;
    case CPU_EXT_CPU_TIMER:
        cpu_set_timer(w->cpu, -1);
        break;
    case CPU_EXT_SERVICE_SIGNAL:
        cpu_raise_service_signal(&w->m->sys, 0x1000);
        break;
    case CPU_EXT_MEASUREMENT_ALERT:
        w->cpu->counters->alerts = COUNTERS_TRACE;
        break;
    case CPU_EXT_BLOCK_IO:
        cpu_raise_block_io(&w->m->sys, 0x0700, 0x1234);
        break;
    case CPU_EXT_EMERGENCY:
        cpu_raise_emergency(w->cpu, 0);
        break;
    case CPU_EXT_CALL:
        assert_true(cpu_raise_call(w->cpu, 0));
        break;
    default:
        cpu_raise_external(w->cpu, condition);
        break;
    }
}

static void et_3_external(void **state)
{
    static const struct {
        uint32_t condition;
        unsigned en;
    } cases[] = {{CPU_EXT_INTERRUPT_KEY, 0x010},  {CPU_EXT_MALFUNCTION_ALERT, 0x011}, {CPU_EXT_EMERGENCY, 0x006},
                 {CPU_EXT_CALL, 0x007},           {CPU_EXT_CLOCK_COMPARATOR, 0x004},  {CPU_EXT_CPU_TIMER, 0x005},
                 {CPU_EXT_SERVICE_SIGNAL, 0x014}, {CPU_EXT_MEASUREMENT_ALERT, 0x013}, {CPU_EXT_BLOCK_IO, 0x017}};
    static struct traced w;
    (void)state;
    for (int engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++)
        for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
            char wanted[64];
            traced_begin(&w, (enum engine_kind)engine, 1, "stosm 0x880,1\n" END "ext:\n" END);
            traced_trace(&w, FULL ",signal=off,state=off");
            pend(&w, cases[i].condition);
            timers(&w);
            (void)traced_go(&w, 0, CODE);
            et_flush(traced_unit(&w));
            snprintf(wanted, sizeof wanted, "E%03x", cases[i].en);
            traced_history(&w, wanted);
            traced_end(&w);
        }
}

static void restart(struct traced *w)
{
    cpu_raise_restart(w->cpu);
    (void)machine_run(w->m, 100);
}

static void channel_report(struct traced *w) { cpu_raise_channel_report(&w->m->sys); }

static void et_3_io_restart_machine_check(void **state)
{
    (void)state;
    assert_history(&(struct history){.code = "stosm 0x880,2\n" END "io:\nlpswe 368",
                                     .before = two_io,
                                     .wanted = "T5 E00b X00b+t E00d+t X00d R000 T3"});
    assert_history(
        &(struct history){.code = END "rst:\n" END, .after = restart, .wanted = "T5 T3 S001 T2 E001/4 X001 R000 T3"});
    assert_history(&(struct history){
        .code = END "mck:\n" END, .mask = PSW_MCHK, .before = channel_report, .wanted = "T5 E003 T3"});
}

/* Each SVC number. */
static void et_3_svc(void **state)
{
    static struct traced w;
    (void)state;
    for (int engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++)
        for (unsigned n = 0; n < 256; n++) {
            char wanted[64];
            traced_begin(&w, (enum engine_kind)engine, 1, ".hex 0a00\n" END "svc:\nlpswe 320");
            w.at[CODE + 1] = (uint8_t)n;
            cpu_code_written(&w.m->sys, CODE, 2);
            traced_trace(&w, FULL ",state=off");
            (void)traced_go(&w, 0, CODE);
            et_flush(traced_unit(&w));
            snprintf(wanted, sizeof wanted, "E%03x X%03x R000", 0x100 + n, 0x100 + n);
            traced_history(&w, wanted);
            traced_end(&w);
        }
}

/* Program interruptions that a few instructions can cause: number, exact code, instruction length. */
static void et_3_program(void **state)
{
    static const struct {
        const char *code;
        unsigned pic, en;
        uint64_t mask;
    } cases[] = {
        {".hex 0000\n", 1, 0x081, 0},
        {"lpswe 0x900\n", 2, 0x082, PSW_PROBLEM},
        {"exrl %r0,@ex\nex:\nexrl %r0,@ex\n", 3, 0x083, 0},
        {"llihf %r1,1\nlg %r2,0(%r1)\n", 5, 0x085, 0},
        {"lpswe 0x904\n", 6, 0x086, 0},
        {"larl %r1,@zone\nap 0(2,%r1),2(2,%r1)\nzone:\n.hex ffffffff\n", 7, 0x087, 0},
        {"lhi %r1,-1\nsrl %r1,1\nahi %r1,1\n", 8, 0x088, PSW_PM_FIXED_POINT_OVERFLOW},
        {"lhi %r2,0\nlhi %r3,1\nlhi %r4,0\ndr %r2,%r4\n", 9, 0x089, 0},
        {"mc 0(%r0),1\n", 0x40, 0x0c0, 0},
    };
    static struct traced w;
    (void)state;
    for (int engine = ENGINE_BLOCK; engine <= ENGINE_TRANSLATE; engine++)
        for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
            char code[200], wanted[16];
            snprintf(code, sizeof code, "%s" END "pgm:\n" END, cases[i].code);
            traced_begin(&w, (enum engine_kind)engine, 1, code);
            w.cpu->cr[8] = 0x8000ffff; /* monitor classes */
            traced_trace(&w, FULL ",state=off");
            (void)traced_go(&w, cases[i].mask, CODE);
            et_flush(traced_unit(&w));
            snprintf(wanted, sizeof wanted, "E%03x", cases[i].en);
            traced_history(&w, wanted);
            assert_int_equal(w.event[0].info[ET_INFO_CODE], cases[i].pic);
            assert_int_equal(w.event[0].info[ET_INFO_CODE], get16(w.at + 142));
            assert_int_equal(w.event[0].info[ET_INFO_ILC], w.at[141]);
            traced_end(&w);
        }
}

/* Every program-interruption condition that the CPU knows, as its instructions report it; with a PER event, too. */
static void et_3_every_program_code(void **state)
{
    static struct traced w;
    unsigned codes = 0;
    (void)state;
    for (const struct cpu_code_name *row = cpu_program_codes; row->name; row++)
        for (unsigned per = 0; per <= PIC_PER_EVENT; per += PIC_PER_EVENT) {
            char wanted[16];
            const unsigned code = row->code | per, en = row->code == 0x119 ? 0x0f9 : 0x080 + (row->code & 0x7f);
            if (row->code & 0x280) /* a PER event by itself, and what marks an abort */
                continue;
            traced_begin(&w, ENGINE_REFERENCE, 1, "lghi %r1,1\n" END "pgm:\n" END);
            traced_trace(&w, FULL ",state=off,signal=off");
            assert_int_equal(machine_start(w.m, PSW_64, CODE), 0);
            (void)machine_step(w.m, w.cpu);
            w.cpu->per_code = per ? 0x40 : 0;
            cpu_program_interruption(w.cpu, (int)code);
            (void)machine_run(w.m, 100);
            et_flush(traced_unit(&w));
            snprintf(wanted, sizeof wanted, "E%03x%s", en, per ? "/8" : "");
            traced_history(&w, wanted);
            assert_int_equal(get16(w.at + 142), code);
            assert_int_equal(w.event[0].info[ET_INFO_CODE], code);
            traced_end(&w);
            codes++;
        }
    assert_int_equal(codes, 2 * 53);
}

struct taken {
    unsigned number[6];
};

static void count_taken(void *context, struct cpu *cpu, enum cpu_class class, unsigned code)
{
    (void)cpu;
    (void)code;
    ((struct taken *)context)->number[class]++;
}

/* ENTRY events of each class are as many as the CPU has taken, counted by an observer of the CPU. */
static void et_109_as_many_as_the_cpu_has_taken(void **state)
{
    static struct traced w;
    struct taken taken = {{0}};
    const struct cpu_observer observer = {.context = &taken, .interruption = count_taken};
    unsigned entries[ET_CLASSES] = {0};
    (void)state;
    traced_begin(&w, ENGINE_REFERENCE, 1,
                 "lghi %r9,20\nagain:\nsvc 1\n" CALL
                 "stosm 0x880,3\nstnsm 0x880,0xfc\n.hex 0000\nbrctg %r9,@again\n" END
                 "svc:\nlpswe 320\npgm:\nlpswe 336\next:\nlpswe 304\nio:\nlpswe 368");
    two_io(&w);
    w.cpu->observer = &observer;
    traced_trace(&w, FULL);
    (void)traced_go(&w, 0, CODE);
    et_flush(traced_unit(&w));
    for (unsigned i = 0; i < w.events; i++)
        if (w.event[i].kind == ET_K_ENTRY)
            entries[et_number_class(w.event[i].en)]++;
    assert_int_equal(entries[ET_SVC], taken.number[CPU_CLASS_SVC]);
    assert_int_equal(entries[ET_PROGRAM], taken.number[CPU_CLASS_PROGRAM]);
    assert_int_equal(entries[ET_EXTERNAL], taken.number[CPU_CLASS_EXTERNAL]);
    assert_int_equal(entries[ET_IO], taken.number[CPU_CLASS_IO]);
    assert_int_equal(entries[ET_SVC], 20);
    assert_int_equal(entries[ET_PROGRAM], 20);
    assert_int_equal(entries[ET_EXTERNAL], 20);
    assert_int_equal(entries[ET_IO], 2);
    traced_end(&w);
}

static void stop_start_reset(struct traced *w)
{
    w->cpu->stop_pending = true;
    (void)machine_run(w->m, 1000);
    cpu_set_state(w->cpu, CPU_STATE_OPERATING);
    (void)machine_run(w->m, 1000);
    cpu_reset(w->cpu, CPU_RESET_INITIAL);
    assert_int_equal(et_depth(traced_unit(w)), 0);
}

static void et_18_states(void **state)
{
    (void)state;
    assert_history(&(struct history){
        .code = "svc 1\nsvc:\n" END, .after = stop_start_reset, .wanted = "T5 E101 T3 T4 T5 (X101) T6 T4"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(et_14_pending_request_is_taken_behind_lpswe),
        cmocka_unit_test(et_14_one_instruction_of_the_context),
        cmocka_unit_test(et_14_first_instruction_is_svc_or_faults),
        cmocka_unit_test(et_14_19_early_psw_exception),
        cmocka_unit_test(et_14_enabled_wait),
        cmocka_unit_test(et_14_masks_open_for_an_instant),
        cmocka_unit_test(et_14_15_tpi),
        cmocka_unit_test(et_14_several_pending_at_lpswe),
        cmocka_unit_test(et_16_late_arrival),
        cmocka_unit_test(et_17_between_units_of_operation),
        cmocka_unit_test(et_7_exits),
        cmocka_unit_test(et_7_resume_program),
        cmocka_unit_test(et_7_lpsw),
        cmocka_unit_test(et_8_reloads_that_are_no_exits),
        cmocka_unit_test(et_20_signals_and_withdrawals),
        cmocka_unit_test(et_20_withdrawn_by_test_subchannel),
        cmocka_unit_test(et_53_110_cycles_of_requests),
        cmocka_unit_test(et_20_floating_requests_go_to_source_255),
        cmocka_unit_test(et_3_external),
        cmocka_unit_test(et_3_io_restart_machine_check),
        cmocka_unit_test(et_3_svc),
        cmocka_unit_test(et_3_program),
        cmocka_unit_test(et_3_every_program_code),
        cmocka_unit_test(et_109_as_many_as_the_cpu_has_taken),
        cmocka_unit_test(et_18_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
