/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Service processor and DIAGNOSE by calls: what is in standby, events, every DIAGNOSE code's answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/control/registers.h"
#include "cpu/engine/reference/bind.h"
#include "emu/dev/css/attach.h"
#include "base/ebcdic.h"
#include "cpu/control/interrupt.h"
#include "cpu/control/psw.h"
#include "cpu/state/timing.h"
#include "emu/dev/sclp/event.h"
#include "emu/machine/diagnose.h"
#include "emu/machine/run.h"
#include <stdio.h>

#define SCCB 0x6000u
#define MIB  (UINT64_C(1) << 20)

static char said[256];
static unsigned loads;

static void message(void *context, const char *text)
{
    (void)context;
    snprintf(said, sizeof said, "%s", text);
}
static bool load(void *context, bool clear)
{
    (void)context;
    loads += clear ? 100 : 1;
    return false;
}
static int command(void *context, const char *line, char *answer, size_t size)
{
    (void)context;
    snprintf(answer, size, "%s!\n", line);
    return 28;
}

static struct machine *make(unsigned cpus, unsigned standby, uint64_t standby_storage)
{
    struct machine_config config = machine_default_config();
    struct machine_host host = {.message = message, .load = load, .command = command};
    char error[256];
    config.storage = 512 * MIB + standby_storage;
    config.cpus = cpus + standby;
    config.standby_cpus = standby;
    config.standby_storage = standby_storage;
    config.consoles = SCLP_LINE_MODE | SCLP_ASCII;
    said[0] = 0;
    loads = 0;
    struct machine *m = machine_create(&config, &host, error, sizeof error);
    assert_non_null(m);
    return m;
}

/* The first random numbers of a machine. */
static uint64_t random_of(uint8_t entropy, uint64_t seed, bool host_clock)
{
    struct machine_config config = machine_default_config();
    char error[256];
    uint8_t bytes[8];
    config.entropy = entropy;
    config.seed = seed;
    config.host_clock = host_clock;
    struct machine *m = machine_create(&config, NULL, error, sizeof error);
    assert_non_null(m);
    m->sys.callouts->random(m, bytes, sizeof bytes);
    machine_destroy(m);
    return get64(bytes);
}

static void random_numbers_repeat_or_not(void **state)
{
    (void)state;
    const uint64_t usual = random_of(ENTROPY_BY_CLOCK, 0, false);
    assert_int_equal(random_of(ENTROPY_BY_CLOCK, 0, false), usual);
    assert_int_equal(random_of(ENTROPY_SEED, 0, false), usual);
    assert_int_equal(random_of(ENTROPY_SEED, 0, true), usual);
    assert_int_not_equal(random_of(ENTROPY_SEED, 1, false), usual);
    assert_int_not_equal(random_of(ENTROPY_BY_CLOCK, 0, true), usual);
    assert_int_not_equal(random_of(ENTROPY_HOST, 0, false), usual);
    assert_int_not_equal(random_of(ENTROPY_HOST, 0, false), random_of(ENTROPY_HOST, 0, false));
}

static uint16_t service(struct machine *m, uint32_t word, unsigned length)
{
    unsigned cc = 9;
    put16(m->sys.storage.bytes + SCCB, (uint16_t)length);
    assert_int_equal(sclp_service_call(m, m->sys.cpus[0], word, SCCB, &cc), 0);
    assert_int_equal(cc, 0);
    return get16(m->sys.storage.bytes + SCCB + 6);
}

static int diagnose(struct machine *m, uint16_t code, unsigned r1, unsigned r3)
{
    return m->sys.callouts->diagnose(m, m->sys.cpus[0], code, r1, r3);
}

/* ---- service processor ----------------------------------------------------------------------------------------- */

static void lb_24_cpus_in_standby(void **state)
{
    struct machine *m = make(2, 2, 0);
    uint8_t *sccb = m->sys.storage.bytes + SCCB;
    uint32_t status;
    unsigned cc;
    (void)state;
    assert_int_equal(service(m, 0x00010001, 4096), 0x0010);
    assert_int_equal(get16(sccb + 8), 2);
    assert_int_equal(get16(sccb + 12), 2);
    assert_int_equal(sccb[get16(sccb + 14)], 2); /* the first CPU in standby */
    machine_sigp(m, m->sys.cpus[0], 3, 1, 0, &status, &cc);
    assert_int_equal(cc, 3);
    assert_int_equal(service(m, 0x00110301, 8), 0x0020);
    assert_int_equal(service(m, 0x00110301, 8), 0x0120);
    machine_sigp(m, m->sys.cpus[0], 3, 1, 0, &status, &cc);
    assert_int_equal(cc, 1);
    assert_int_equal(service(m, 0x00120001, 4096), 0x0010);
    assert_int_equal(get16(sccb + 16), 3);
    assert_int_equal(get16(sccb + 120), 3); /* the highest address */
    cpu_set_state(m->sys.cpus[3], CPU_STATE_OPERATING);
    assert_int_equal(service(m, 0x00100301, 8), 0x09f0); /* it runs */
    cpu_set_state(m->sys.cpus[3], CPU_STATE_STOPPED);
    assert_int_equal(service(m, 0x00100301, 8), 0x0020);
    assert_int_equal(service(m, 0x00110901, 8), 0x09f0); /* no such CPU */
    machine_destroy(m);
}

/* READ SCP INFO says what STSI 15.1.x, the protection exceptions and the profile do. */
static void what_there_is_is_announced(void **state)
{
    struct machine *m = make(1, 0, 0);
    const uint8_t *sccb = m->sys.storage.bytes + SCCB;
    uint8_t block[4096];
    (void)state;
    assert_int_equal(service(m, 0x00120001, 4096), 0x0010);
    assert_int_equal(sccb[15], 6); /* nesting levels */
    assert_true(machine_system_information(m, m->sys.cpus[0], 15, 1, sccb[15], block));
    assert_false(machine_system_information(m, m->sys.cpus[0], 15, 1, sccb[15] + 1u, block));
    assert_int_equal(sccb[80] & 0x20, 0x20); /* suppression on protection */
    assert_int_equal(sccb[85] & 0x02, 0x02); /* enhanced */
    m->sys.profile.facilities[0] &= ~BIT64(11);
    assert_int_equal(service(m, 0x00120001, 4096), 0x0010);
    assert_int_equal(sccb[15], 0);
    machine_destroy(m);
}

/* The SCCB is neither in the prefix area nor in what it was exchanged with, and all bits of its address count. */
static void service_control_blocks_where_they_may_be(void **state)
{
    static const struct {
        uint64_t at;
        int code;
    } cases[] = {
        {0, PIC_SPECIFICATION},
        {0x1ff8, PIC_SPECIFICATION},
        {0x20000, PIC_SPECIFICATION},
        {0x21ff8, PIC_SPECIFICATION},
        {0x2000, 0},
        {0x1f000, 0},
        {0x22000, 0},
        {0x80006000, PIC_SPECIFICATION},
        {UINT64_C(0x100006000), PIC_SPECIFICATION},
        {0x6004, PIC_SPECIFICATION},
        {BIT64(0) | 0x6000, PIC_SPECIFICATION},
        {0x70000000, PIC_ADDRESSING},
    };
    struct machine *m = make(1, 0, 0);
    (void)state;
    assert_true(cpu_set_prefix(m->sys.cpus[0], 0x20000));
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned cc = 9;
        if (!cases[i].code)
            put16(m->sys.storage.bytes + cases[i].at, 4096);
        assert_int_equal(sclp_service_call(m, m->sys.cpus[0], 0x00120001, cases[i].at, &cc), cases[i].code);
    }
    machine_destroy(m);
}

/* What a guest said of its pages and the polarization of its CPUs do not survive a reset, whichever it is. */
static void states_do_not_survive_a_reset(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 4; way++) {
        struct machine *m = make(1, 0, 0);
        struct cpu *cpu = m->sys.cpus[0];
        m->sys.storage.page_flags[0x50] |= PAGE_UNUSED | PAGE_NO_DAT;
        m->sys.vertical = m->sys.topology_changed = true;
        m->diagnose.page_faults = 1;
        put64(m->sys.storage.bytes, 0x0008000080010000);
        cpu->gr[4] = way; /* DIAGNOSE X'308': modified clear, load normal */
        if (way < 2)
            assert_int_equal(diagnose(m, 0x308, 2, 4), 0);
        else if (way == 2)
            machine_reset(m);
        else
            machine_clear(m);
        assert_int_equal(m->sys.storage.page_flags[0x50] & PAGE_STATE, 0);
        assert_false(m->sys.vertical || m->sys.topology_changed);
        assert_int_equal(m->diagnose.page_faults, 0);
        machine_destroy(m);
    }
}

/* Vertical polarization shows in the list of CPUs, and each change once in PERFORM TOPOLOGY FUNCTION. */
static void cpus_are_polarized(void **state)
{
    static const struct {
        uint8_t function, cc;
        uint16_t result;
        uint8_t shown; /* CPU entry of STSI 15.1.2: dedicated, polarization */
    } steps[] = {{2, 0, 2, 4},     {0, 2, 0x100, 4}, {1, 0, 1, 7}, {2, 1, 2, 7}, {2, 0, 2, 7},
                 {1, 2, 0x101, 7}, {2, 0, 2, 7},     {0, 0, 0, 4}, {2, 1, 2, 4}};
    struct machine *m = make(1, 1, 0);
    struct cpu *cpu = m->sys.cpus[0];
    uint8_t block[4096];
    (void)state;
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct dis_insn insn;
        dis_decode((const uint8_t[6]){0xb9, 0xa2, 0x00, 0x10}, &insn); /* PTF 1 */
        cpu->gr[1] = steps[i].function;
        assert_int_equal(cpu_bodies[insn.row](cpu, &insn), 0);
        assert_int_equal(cpu->cc, steps[i].cc);
        assert_int_equal(cpu->gr[1], steps[i].result);
        assert_true(machine_system_information(m, cpu, 15, 1, 2, block));
        assert_int_equal(block[16 + 8 + 4], steps[i].shown);
    }
    assert_int_equal(service(m, 0x00110101, 8), 0x0020); /* a CPU comes out of standby */
    assert_true(m->sys.topology_changed);
    machine_destroy(m);
}

/* DIAGNOSE X'258' as its callers know it: begun and ended once on each CPU, with a parameter list that holds. */
static void page_fault_handshake(void **state)
{
    static const struct {
        uint16_t code, function, length, version;
        uint64_t token, select, compare, last;
        int exception;
        uint8_t answer;
    } calls[] = {
        {0x258, 1, 5, 2, 0, 0, 0, 0, 0, 4},                             /* not begun */
        {0x258, 0, 4, 2, 0x7100, 3, 1, BIT64(0), PIC_SPECIFICATION, 0}, /* length */
        {0x258, 0, 5, 1, 0x7100, 3, 1, BIT64(0), PIC_SPECIFICATION, 0}, /* version */
        {0x250, 0, 5, 2, 0x7100, 3, 1, BIT64(0), PIC_SPECIFICATION, 0}, /* code */
        {0x258, 2, 5, 2, 0x7100, 3, 1, BIT64(0), PIC_SPECIFICATION, 0}, /* function */
        {0x258, 0, 5, 2, 0x7104, 3, 1, BIT64(0), PIC_SPECIFICATION, 0}, /* token not on a doubleword */
        {0x258, 0, 5, 2, 0x7100, 1, 3, BIT64(0), PIC_SPECIFICATION, 0}, /* compared, but not selected */
        {0x258, 0, 5, 2, 0x7100, 3, 1, 0, PIC_SPECIFICATION, 0},        /* last doubleword */
        {0x258, 0, 5, 2, UINT64_C(1) << 40, 3, 1, BIT64(0), PIC_ADDRESSING, 0},
        {0x258, 0, 5, 2, 0x7100, 3, 1, BIT64(0), 0, 0},          /* begun */
        {0x258, 0, 5, 2, 0x7100, 3, 1, BIT64(0), 0, 8},          /* already */
        {0x258, 1, 5, 2, 0x7100, 0, 0, 0, PIC_SPECIFICATION, 0}, /* to end, all is zero */
        {0x258, 1, 5, 2, 0, 0, 0, 0, 0, 0},                      /* ended */
        {0x258, 1, 5, 2, 0, 0, 0, 0, 0, 4},
    };
    struct machine *m = make(1, 0, 0);
    uint64_t *gr = m->sys.cpus[0]->gr;
    uint8_t *list = m->sys.storage.bytes + 0x7000;
    (void)state;
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
        put16(list, calls[i].code);
        put16(list + 2, calls[i].function);
        put16(list + 4, calls[i].length);
        put16(list + 6, calls[i].version);
        put64(list + 8, calls[i].token);
        put64(list + 16, calls[i].select);
        put64(list + 24, calls[i].compare);
        put64(list + 32, calls[i].last);
        gr[2] = 0x7000, gr[4] = 99;
        assert_int_equal(diagnose(m, 0x258, 2, 4), calls[i].exception);
        assert_int_equal(gr[4], calls[i].exception ? 99 : calls[i].answer);
    }
    gr[2] = 0x7004;
    assert_int_equal(diagnose(m, 0x258, 2, 4), PIC_SPECIFICATION);
    gr[2] = UINT64_C(1) << 40;
    assert_int_equal(diagnose(m, 0x258, 2, 4), PIC_ADDRESSING);
    machine_destroy(m);
}

static void lb_24_storage_in_standby(void **state)
{
    struct machine *m = make(1, 0, 512 * MIB);
    uint8_t *sccb = m->sys.storage.bytes + SCCB;
    (void)state;
    assert_int_equal(m->sys.storage.size, 512 * MIB);
    assert_int_equal(service(m, 0x00120001, 4096), 0x0010);
    assert_int_equal(get16(sccb + 8), 4);
    assert_int_equal(sccb[10], 0);
    assert_int_equal(get32(sccb + 100), 256);
    assert_int_equal(service(m, 0x00040101, 4096), 0x0010);
    assert_int_equal(get16(sccb + 10), 2);
    assert_int_equal(service(m, 0x00040201, 4096), 0x0410);
    assert_int_equal(get16(sccb + 10), 2);
    assert_int_equal(get32(sccb + 16), 0x30000); /* increment 3 */
    assert_int_equal(service(m, 0x00080201, 4096), 0x0020);
    assert_int_equal(service(m, 0x00040201, 4096), 0x0010);
    put16(sccb + 8, 3);
    assert_int_equal(service(m, 0x000d0001, 16), 0x0020);
    assert_int_equal(m->sys.storage.size, 768 * MIB);
    put16(sccb + 8, 3);
    assert_int_equal(service(m, 0x000d0001, 16), 0x0120);
    m->sys.storage.bytes[700 * MIB] = 1;
    put16(sccb + 8, 3);
    assert_int_equal(service(m, 0x000c0001, 16), 0x0020);
    assert_int_equal(m->sys.storage.size, 512 * MIB);
    assert_int_equal(m->sys.storage.bytes[700 * MIB], 0);
    put16(sccb + 8, 5);
    assert_int_equal(service(m, 0x000d0001, 16), 0x09f0);
    machine_destroy(m);
}

static void listen(struct machine *m, uint32_t receive)
{
    uint8_t *sccb = m->sys.storage.bytes + SCCB;
    put16(sccb + 10, 4);
    put32(sccb + 12, receive);
    put32(sccb + 16, 0x40000040);
    assert_int_equal(service(m, 0x00780005, 28), 0x0020);
}

static void lb_25_26_98_several_events_in_one_read(void **state)
{
    struct machine *m = make(1, 0, 0);
    uint8_t *sccb = m->sys.storage.bytes + SCCB;
    (void)state;
    listen(m, 0x80000048); /* operator commands, ASCII, quiesce */
    assert_true(sclp_input_line(m, "ONE"));
    assert_true(sclp_input_line(m, "TWO"));
    assert_true(sclp_input_keys(m, "k", 1));
    assert_true(sclp_quiesce(m));
    assert_int_equal(m->sys.cpus[0]->ext_service & 1, 1);
    memset(sccb, 0, 64);
    sccb[5] = 0x80;
    assert_int_equal(service(m, 0x00770005, 4096), 0x0020);
    assert_int_equal(get16(sccb), 8 + 25 + 25 + 8 + 9);
    assert_int_equal(sccb[10], 1);
    assert_int_equal(sccb[8 + 25 + 22], ebcdic_from_latin('T'));
    assert_int_equal(sccb[8 + 50 + 2], 0x1a);
    assert_int_equal(sccb[8 + 58 + 2], 0x1d);
    memset(sccb, 0, 64);
    assert_int_equal(service(m, 0x00770005, 4096), 0x60f0);
    /* a selective read leaves the others */
    assert_true(sclp_input_line(m, "X"));
    assert_true(sclp_input_keys(m, "k", 1));
    memset(sccb, 0, 64);
    sccb[2] = 1;
    put32(sccb + 8, 0x40);
    assert_int_equal(service(m, 0x00770005, 4096), 0x0020);
    assert_int_equal(sccb[10], 0x1a);
    memset(sccb, 0, 64);
    sccb[2] = 1;
    put32(sccb + 8, 0x40);
    assert_int_equal(service(m, 0x00770005, 4096), 0x70f0);
    machine_destroy(m);
}

/* Output goes to the consoles that there are. */
static void lb_28_each_console_alone(void **state)
{
    static const uint8_t consoles[] = {SCLP_LINE_MODE, SCLP_ASCII, SCLP_LINE_MODE | SCLP_ASCII};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct machine *m = make(1, 0, 0);
        uint8_t *sccb = m->sys.storage.bytes + SCCB;
        m->config.consoles = consoles[i];
        put16(sccb + 8, 18);
        sccb[10] = 2;
        put16(sccb + 14, 12); /* a message without objects */
        put16(sccb + 16, 1);
        put32(sccb + 18, 0xd4c4c240);
        assert_int_equal(service(m, 0x00760005, 8 + 18), consoles[i] & SCLP_LINE_MODE ? 0x0020 : 0x40f0);
        put16(sccb + 8, 7);
        sccb[10] = 0x1a;
        assert_int_equal(service(m, 0x00760005, 8 + 7), consoles[i] & SCLP_ASCII ? 0x0020 : 0x40f0);
        machine_destroy(m);
    }
}

static void input_has_limits(void **state)
{
    struct machine *m = make(1, 0, 0);
    char line[SCLP_LINE + 2];
    unsigned lines = 0;
    (void)state;
    assert_int_equal(sclp_line_room(m), 0);
    listen(m, 0x80000040);
    memset(line, 'x', sizeof line);
    line[SCLP_LINE + 1] = 0;
    assert_false(sclp_input_line(m, line));
    line[SCLP_LINE] = 0;
    while (sclp_input_line(m, line))
        lines++;
    assert_int_equal(lines, SCLP_INPUT / (SCLP_LINE + 1));
    assert_false(sclp_input_keys(m, line, sclp_key_room(m) + 1));
    uint8_t *sccb = m->sys.storage.bytes + SCCB;
    memset(sccb, 0, 64);
    assert_int_equal(service(m, 0x00770005, 100), 0x75f0); /* a line does not fit: it stays */
    memset(sccb, 0, 64);
    assert_int_equal(service(m, 0x00770005, 8 + 22 + SCLP_LINE), 0x0020);
    assert_int_equal(get16(sccb + 8), 22 + SCLP_LINE);
    machine_destroy(m);
}

/* The completion of one request is not mixed with that of another. */
static void lb_20_completions_keep_their_address(void **state)
{
    struct machine *m = make(1, 0, 0);
    (void)state;
    cpu_raise_service_signal(&m->sys, 0x6000);
    cpu_raise_service_signal(&m->sys, 1);
    assert_int_equal(m->sys.cpus[0]->ext_service, 0x6001);
    cpu_raise_service_signal(&m->sys, 0x9000);
    assert_int_equal(m->sys.cpus[0]->ext_service, 0x9001);
    machine_destroy(m);
}

/* ---- DIAGNOSE -------------------------------------------------------------------------------------------------- */

static void lb_13_codes_are_offered_or_not(void **state)
{
    struct machine *m = make(1, 0, 0);
    char error[128];
    uint32_t offered = diagnose_default();
    (void)state;
    assert_int_equal(diagnose(m, 0x123, 2, 4), PIC_SPECIFICATION);
    assert_int_equal(diagnose(m, 0x008, 2, 4), PIC_SPECIFICATION); /* not unless asked for */
    assert_int_equal(diagnose(m, 0x044, 2, 4), 0);
    assert_int_equal(diagnose_change(&offered, "-44,+8", error, sizeof error), 0);
    m->config.diagnose = offered;
    assert_int_equal(diagnose(m, 0x044, 2, 4), PIC_SPECIFICATION);
    assert_int_equal(diagnose_change(&offered, "-44,+77", error, sizeof error), -22);
    assert_int_equal(diagnose_change(&offered, "8 ", error, sizeof error), -22);
    machine_destroy(m);
}

static int hook(void *context, struct cpu *cpu, unsigned r1, unsigned r3)
{
    (*(unsigned *)context)++;
    cpu->gr[r1] = r3;
    return 0;
}

static void hooks_take_a_code(void **state)
{
    struct machine *m = make(1, 0, 0);
    unsigned calls = 0;
    (void)state;
    for (unsigned i = m->diagnose.hook_count; i < DIAGNOSE_HOOKS; i++)
        assert_int_equal(machine_hook_diagnose(m, (uint16_t)(0xe80 + i), hook, &calls), 0);
    assert_int_equal(machine_hook_diagnose(m, 0xe90, hook, &calls), -28);
    assert_int_equal(diagnose(m, 0xe80 + DIAGNOSE_HOOKS - 1, 2, 7), 0);
    assert_int_equal(calls, 1);
    assert_int_equal(m->sys.cpus[0]->gr[2], 7);
    machine_destroy(m);
}

static void operators_command(void **state)
{
    struct machine *m = make(1, 0, 0);
    uint64_t *gr = m->sys.cpus[0]->gr;
    uint8_t *s = m->sys.storage.bytes;
    (void)state;
    m->config.diagnose = UINT32_MAX;
    ebcdic_text("psw", s + 0x7000, 3);
    gr[2] = 0x7000, gr[3] = 0x8000, gr[4] = 0x40000003, gr[5] = 100;
    assert_int_equal(diagnose(m, 8, 2, 4), 0);
    assert_int_equal(gr[4], 28);
    assert_int_equal(gr[5], 5);
    assert_int_equal(m->sys.cpus[0]->cc, 0);
    assert_int_equal(s[0x8003], ebcdic_from_latin('!'));
    assert_int_equal(s[0x8004], 0x15);
    gr[4] = 0x40000003, gr[5] = 2;
    assert_int_equal(diagnose(m, 8, 2, 4), 0);
    assert_int_equal(m->sys.cpus[0]->cc, 1);
    assert_int_equal(gr[5], 3); /* so many did not fit */
    gr[4] = 241;
    assert_int_equal(diagnose(m, 8, 2, 4), PIC_SPECIFICATION);
    gr[4] = 3, gr[2] = 0x7ffffff0;
    assert_int_equal(diagnose(m, 8, 2, 4), PIC_ADDRESSING);
    machine_destroy(m);
}

static void pages_are_released(void **state)
{
    struct machine *m = make(1, 0, 0);
    uint64_t *gr = m->sys.cpus[0]->gr;
    uint8_t *s = m->sys.storage.bytes;
    (void)state;
    memset(s + 0x10000, 0xff, 0x40000);
    gr[2] = 0x11000, gr[4] = 0x4e000;
    assert_int_equal(diagnose(m, 0x10, 2, 4), 0);
    assert_int_equal(s[0x10fff], 0xff);
    assert_int_equal(s[0x11000], 0);
    assert_int_equal(s[0x4efff], 0);
    assert_int_equal(s[0x4f000], 0xff);
    gr[2] = 0x12800;
    assert_int_equal(diagnose(m, 0x10, 2, 4), PIC_SPECIFICATION);
    gr[2] = 0x50000;
    assert_int_equal(diagnose(m, 0x10, 2, 4), PIC_SPECIFICATION);
    gr[4] = 512 * MIB;
    assert_int_equal(diagnose(m, 0x10, 2, 4), PIC_ADDRESSING);
    machine_destroy(m);
}

static void lb_13_36_storage_and_partitions(void **state)
{
    struct machine *m = make(2, 0, 0);
    uint64_t *gr = m->sys.cpus[0]->gr;
    uint8_t *s = m->sys.storage.bytes;
    (void)state;
    gr[2] = 0x7000, gr[3] = 128, gr[4] = 0x10;
    assert_int_equal(diagnose(m, 0x260, 2, 4), 0);
    assert_int_equal(gr[4], 1);
    assert_int_equal(get64(s + 0x7008), 512 * MIB - 1);
    gr[4] = 0xc;
    assert_int_equal(diagnose(m, 0x260, 2, 4), 0);
    assert_int_equal(gr[2], 512 * MIB - 1);
    gr[2] = 0x7000, gr[4] = 0x10005, gr[5] = 0; /* how many pages */
    if (cpu_load_psw(m->sys.cpus[0], PSW_EA | PSW_BA, 0))
        fail();
    assert_int_equal(diagnose(m, 0x204, 2, 4), 0);
    assert_int_equal(gr[4], 0);
    assert_int_equal(gr[5], 1);
    gr[4] = 0x10007, gr[5] = 1;
    assert_int_equal(diagnose(m, 0x204, 2, 4), 0);
    assert_int_equal(s[0x7000], 1);
    assert_int_equal(s[0x7000 + 64 + 1], 2);               /* CPUs of the partition */
    assert_int_equal(get16(s + 0x7000 + 64 + 96 + 96), 1); /* address of the second */
    gr[4] = 0x10007, gr[5] = 0;
    assert_int_equal(diagnose(m, 0x204, 2, 4), 0);
    assert_int_equal(gr[4], 4);
    gr[4] = 0x7000, gr[2] = 0;
    assert_int_equal(diagnose(m, 0x224, 2, 4), 0);
    assert_int_equal(s[0x7010], ebcdic_from_latin('C'));
    machine_destroy(m);
}

static void the_watchdog_strikes(void **state)
{
    struct machine *m = make(1, 0, 0);
    struct cpu *cpu = m->sys.cpus[0];
    uint8_t *s = m->sys.storage.bytes;
    (void)state;
    cpu->gr[2] = 1, cpu->gr[3] = 20, cpu->gr[4] = 0; /* change: there is none */
    assert_int_equal(diagnose(m, 0x288, 2, 4), PIC_SPECIFICATION);
    cpu->gr[2] = 0, cpu->gr[3] = 14;
    assert_int_equal(diagnose(m, 0x288, 2, 4), PIC_SPECIFICATION);
    cpu->gr[3] = 20;
    assert_int_equal(diagnose(m, 0x288, 2, 4), 0);
    put64(s + 416, UINT64_C(0x0002000180000000)); /* restart new PSW: a disabled wait */
    put64(s + 424, 0x288);
    if (cpu_load_psw(cpu, PSW_WAIT | PSW_EXT | PSW_EA | PSW_BA, 0x1000))
        fail();
    cpu_set_state(cpu, CPU_STATE_OPERATING);
    uint64_t before = cpu_tod(cpu);
    struct machine_result r = machine_run(m, 1000);
    (void)r;
    assert_int_equal(cpu->psw.ia, 0x288);
    assert_string_equal(said, "the guest's watchdog strikes: restart interruption");
    assert_true(cpu_tod(cpu) - before >= UINT64_C(20) * 4096000000);
    assert_true(cpu_tod(cpu) - before < UINT64_C(21) * 4096000000);
    cpu->gr[2] = 2; /* cancel: it is off */
    assert_int_equal(diagnose(m, 0x288, 2, 4), PIC_SPECIFICATION);
    machine_destroy(m);
}

static void lb_13_97_ipl_functions(void **state)
{
    struct machine *m = make(2, 0, 0);
    struct cpu *cpu = m->sys.cpus[0];
    uint8_t *s = m->sys.storage.bytes;
    (void)state;
    cpu->gr[2] = 0x7000, cpu->gr[4] = 6;
    assert_int_equal(diagnose(m, 0x308, 2, 4), 0);
    assert_int_equal(cpu->gr[3], 0x0102);
    cpu->gr[4] = 2;
    assert_int_equal(diagnose(m, 0x308, 2, 4), PIC_SPECIFICATION);
    /* reset and go on with the PSW at 0; storage and the other CPU's registers stay */
    put64(s, UINT64_C(0x0008000080004000));
    s[0x9000] = 7;
    m->sys.cpus[1]->gr[9] = 99;
    cpu_set_state(m->sys.cpus[1], CPU_STATE_OPERATING);
    cpu->gr[4] = 1;
    cpu_set_state(cpu, CPU_STATE_OPERATING);
    assert_int_equal(diagnose(m, 0x308, 2, 4), 0);
    assert_int_equal(cpu->psw.ia, 0x4000);
    assert_int_equal(cpu->state, CPU_STATE_OPERATING);
    assert_int_equal(m->sys.cpus[1]->state, CPU_STATE_STOPPED);
    assert_int_equal(m->sys.cpus[1]->gr[9], 99);
    assert_int_equal(s[0x9000], 7);
    /* load again */
    cpu->gr[4] = 3;
    assert_int_equal(diagnose(m, 0x308, 2, 4), 0);
    assert_int_equal(cpu->state, CPU_STATE_STOPPED);
    struct machine_result r = machine_run(m, 1000);
    assert_int_equal(loads, 100);
    assert_int_equal(r.end, MACHINE_STOPPED);
    machine_destroy(m);
}

/* The parameter block: none when nothing was loaded; after IPL it names the device, for images a reader. One that the
   guest sets counts from then on, whatever is reset, and its load parameter is the service processor's, too. */
static void parameter_block_of_a_load(void **state)
{
    static const struct {
        unsigned at;
        uint8_t byte;
    } wrong[] = {{3, 199}, {2, 0x11}, {7, 1}, {11, 191}, {12, 0}, {109, 4}};
    static const uint8_t blank[8] = {0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40};
    struct machine *m = make(1, 0, 0);
    struct cpu *cpu = m->sys.cpus[0];
    uint8_t *block = m->sys.storage.bytes + 0x7000;
    (void)state;
    memset(block, 0xee, 4096);
    cpu->gr[2] = 0x7000, cpu->gr[4] = 6;
    assert_int_equal(diagnose(m, 0x308, 2, 4), 0);
    assert_int_equal(cpu->gr[3], 0x0102);
    assert_int_equal(block[0], 0xee);
    diagnose_loads_from(m, 1, 0x4321);
    assert_int_equal(diagnose(m, 0x308, 2, 4), 0);
    assert_int_equal(cpu->gr[3], 1);
    assert_int_equal(get32(block), 200);
    assert_int_equal(get32(block + 4), 0); /* flags, version */
    assert_int_equal(get32(block + 8), 192);
    assert_int_equal(get32(block + 12), 0x02800000); /* on a channel, with a load parameter */
    assert_memory_equal(block + 16, blank, 8);
    assert_int_equal(get32(block + 108), 0x00014321);
    assert_int_equal(get64(block + 192), 0);
    assert_int_equal(block[200], 0xee);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const uint8_t right = block[wrong[i].at];
        block[wrong[i].at] = wrong[i].byte;
        put16(block + 110, 0x5555);
        cpu->gr[4] = 5;
        assert_int_equal(diagnose(m, 0x308, 2, 4), 0);
        assert_int_equal(cpu->gr[3], 0x0402);
        assert_int_equal(m->diagnose.ipl_number, 0x4321);
        block[wrong[i].at] = right;
    }
    put16(block + 110, 0x1234);
    block[109] = 0;
    memset(block + 16, 0xc1, 8);
    assert_int_equal(diagnose(m, 0x308, 2, 4), 0);
    assert_int_equal(cpu->gr[3], 1);
    machine_reset(m);
    machine_clear(m);
    cpu->gr[2] = 0x7000, cpu->gr[4] = 6;
    assert_int_equal(diagnose(m, 0x308, 2, 4), 0);
    assert_int_equal(cpu->gr[3], 1);
    assert_int_equal(get32(block + 108), 0x1234);
    assert_int_equal(get64(block + 16), UINT64_C(0xc1c1c1c1c1c1c1c1));
    assert_int_equal(service(m, 0x00020001, 4096), 0x0010);
    assert_int_equal(get64(m->sys.storage.bytes + SCCB + 24), UINT64_C(0xc1c1c1c1c1c1c1c1));
    machine_destroy(m);
}

/* Images of the host: a reader, whose number no device has; the guest may name another device, and the reader again. */
static void images_are_loaded_as_from_a_reader(void **state)
{
    struct machine *m = make(1, 0, 0);
    struct cpu *cpu = m->sys.cpus[0];
    uint8_t *block = m->sys.storage.bytes + 0x7000;
    char error[256];
    (void)state;
    assert_true(diagnose_from_images(m));
    diagnose_loads_images(m);
    cpu->gr[2] = 0x7000, cpu->gr[4] = 6;
    assert_int_equal(diagnose(m, 0x308, 2, 4), 0);
    assert_int_equal(cpu->gr[3], 1);
    assert_int_equal(get32(block + 12), 0x02800000);
    assert_int_equal(get32(block + 108), 0x0000000c);
    put16(block + 110, 0x0120);
    cpu->gr[4] = 5;
    assert_int_equal(diagnose(m, 0x308, 2, 4), 0);
    assert_false(diagnose_from_images(m));
    put16(block + 110, 0x000c);
    block[109] = 1;
    assert_int_equal(diagnose(m, 0x308, 2, 4), 0);
    assert_false(diagnose_from_images(m));
    block[109] = 0;
    assert_int_equal(diagnose(m, 0x308, 2, 4), 0);
    assert_true(diagnose_from_images(m));
    diagnose_loads_from(m, 0, 0x000c);
    assert_false(diagnose_from_images(m));
    assert_int_equal(css_attach_text(m, "000C,3215", false, error, sizeof error), 0);
    diagnose_loads_images(m);
    assert_int_equal(m->diagnose.ipl_number, 0x000d);
    assert_true(diagnose_from_images(m));
    machine_destroy(m);
}

static void lb_13_36_small_answers(void **state)
{
    struct machine *m = make(2, 0, 0);
    struct cpu *cpu = m->sys.cpus[0];
    (void)state;
    cpu->gr[2] = 0x0600000100000000;
    assert_int_equal(diagnose(m, 0x318, 2, 4), 0);
    assert_int_equal(m->diagnose.control_program, 0x0600000100000000);
    cpu->gr[2] = 1;
    assert_int_equal(diagnose(m, 0x9c, 2, 4), 0);
    assert_true(m->diagnose.yielded);
    m->diagnose.yielded = false;
    cpu->gr[2] = 9; /* no such CPU: nothing to wait for */
    assert_int_equal(diagnose(m, 0x9c, 2, 4), 0);
    assert_false(m->diagnose.yielded);
    machine_destroy(m);
}

static bool nothing_came(void *context)
{
    (void)context;
    return false;
}

/* A Linux guest with a network is told about once, when its random numbers repeat. */
static void keys_that_repeat_are_told_of(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 4; n++) {
        struct machine *m = make(1, 0, 0);
        char error[256];
        m->config.entropy = n & 1 ? ENTROPY_HOST : ENTROPY_BY_CLOCK;
        m->host.poll = nothing_came;
        if ((n & 2) && css_attach_text(m, "0000,virtio-net,user", false, error, sizeof error)) {
            if (!strstr(error, "libslirp"))
                fail_msg("%s", error);
            machine_destroy(m);
            continue;
        }
        m->sys.cpus[0]->gr[2] = UINT64_C(6) << 56; /* another control program */
        assert_int_equal(diagnose(m, 0x318, 2, 4), 0);
        assert_string_equal(said, "");
        m->sys.cpus[0]->gr[2] = UINT64_C(4) << 56;
        assert_int_equal(diagnose(m, 0x318, 2, 4), 0);
        assert_int_equal(strstr(said, "--seed host") != NULL, n == 2);
        said[0] = 0;
        machine_reset(m);
        assert_int_equal(diagnose(m, 0x318, 2, 4), 0);
        assert_string_equal(said, "");
        machine_destroy(m);
    }
}

/* Whoever draws random numbers is told about as well, without code X'318': by the first number, once. */
static void numbers_drawn_are_told_of(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        struct machine *m = make(1, 0, 0);
        char error[256];
        uint8_t bytes[8];
        m->config.entropy = n ? ENTROPY_HOST : ENTROPY_BY_CLOCK;
        m->host.poll = nothing_came;
        m->sys.callouts->random(m, bytes, sizeof bytes);
        assert_string_equal(said, ""); /* no network */
        if (css_attach_text(m, "0000,virtio-net,user", false, error, sizeof error)) {
            if (!strstr(error, "libslirp"))
                fail_msg("%s", error);
            machine_destroy(m);
            continue;
        }
        m->sys.callouts->random(m, bytes, sizeof bytes);
        assert_int_equal(strstr(said, "--seed host") != NULL, n == 0);
        said[0] = 0;
        m->sys.callouts->random(m, bytes, sizeof bytes);
        assert_string_equal(said, "");
        machine_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lb_24_cpus_in_standby),
        cmocka_unit_test(random_numbers_repeat_or_not),
        cmocka_unit_test(keys_that_repeat_are_told_of),
        cmocka_unit_test(numbers_drawn_are_told_of),
        cmocka_unit_test(what_there_is_is_announced),
        cmocka_unit_test(service_control_blocks_where_they_may_be),
        cmocka_unit_test(states_do_not_survive_a_reset),
        cmocka_unit_test(cpus_are_polarized),
        cmocka_unit_test(page_fault_handshake),
        cmocka_unit_test(lb_24_storage_in_standby),
        cmocka_unit_test(lb_25_26_98_several_events_in_one_read),
        cmocka_unit_test(lb_28_each_console_alone),
        cmocka_unit_test(input_has_limits),
        cmocka_unit_test(lb_20_completions_keep_their_address),
        cmocka_unit_test(lb_13_codes_are_offered_or_not),
        cmocka_unit_test(hooks_take_a_code),
        cmocka_unit_test(operators_command),
        cmocka_unit_test(pages_are_released),
        cmocka_unit_test(lb_13_36_storage_and_partitions),
        cmocka_unit_test(the_watchdog_strikes),
        cmocka_unit_test(lb_13_97_ipl_functions),
        cmocka_unit_test(parameter_block_of_a_load),
        cmocka_unit_test(images_are_loaded_as_from_a_reader),
        cmocka_unit_test(lb_13_36_small_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
