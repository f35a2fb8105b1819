/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge profiles from run-time instrumentation (specification 2.10): groups by hand, and those of a guest program, on
   both engines. */
#include "ri/profile/groups.h"
#include "ri/text.h"
#include "tests/unit/ep_example.h"
#include "tests/unit/ri_guest.h"
#include <math.h>

/* ---- groups by hand ---------------------------------------------------------------------------------------------- */

/* 10000: brct back to itself; 10004: lr; 10006: brc 7 to 10000; 1000a: br; 1000c: svc. */
static const uint8_t loops[] = {0xa7, 0x26, 0x00, 0x00, 0x18, 0x12, 0xa7, 0x74,
                                0xff, 0xfd, 0x07, 0xfe, 0x0a, 0x01, 0x00, 0x00};

static bool loops_fetch(void *context, uint32_t space, uint64_t address, uint8_t bytes[6])
{
    (void)context;
    (void)space;
    memset(bytes, 0, 6);
    if (address < 0x10000 || address >= 0x10000 + sizeof loops)
        return false;
    for (unsigned i = 0; i < 6 && address + i < 0x10000 + sizeof loops; i++)
        bytes[i] = loops[address - 0x10000 + i];
    return true;
}

static struct ri_record transfer(unsigned type, uint64_t from, uint64_t to)
{
    return (struct ri_record){ri_record_head(type, from), to};
}

enum { BR = 8, TK = 4, DS = 1 << 3, CS = 1 << 2 }; /* the first four, and the second four bits behind them */

/* The instruction record: `bits` 64-67 and 68-71, with LEN as of this machine. */
static struct ri_record trigger(uint64_t at, unsigned bits, unsigned sampled, unsigned length)
{
    return (struct ri_record){ri_record_head(RI_TYPE_INSTRUCTION, at),
                              (uint64_t)bits << 60 | (uint64_t)sampled << 56 | (uint64_t)length << 40};
}

struct made {
    struct ep_bytes log;
    struct ri_controls controls;
    unsigned groups;
};

static struct ri_controls good_controls(void)
{
    return (struct ri_controls){.sf = 1000, .m = 1, .f = 1, .c = 1, .r = 1, .b = 1, .pc = 1, .qc = 1, .rgs = 1};
}

static void begin_log(struct made *m)
{
    const struct ri_log_header header = {.format = RI_LOG_FORMAT, .cpus = 1, .cb_entries = 32, .rgs_max = 4};
    uint8_t bytes[RI_LOG_HEADER];
    *m = (struct made){.controls = good_controls()};
    ri_log_put_header(&header, bytes);
    assert_int_equal(ep_bytes_put(&m->log, bytes, sizeof bytes), 0);
}

/* A group of four records: two of the body, the trigger. */
static void add_group(struct made *m, struct ri_record first, struct ri_record second, struct ri_record sample)
{
    uint8_t bytes[RI_LOG_ENTRY];
    const unsigned n = m->groups++;
    const struct ri_record records[4] = {
        {(uint64_t)(n ? RI_TYPE_TIMESTAMP : RI_TYPE_BEGIN) << 56, 0}, first, second, sample};
    const struct ri_log_group group = {.address = 0x1000 + 64 * n,
                                       .roa = 0x1000,
                                       .mode = m->controls.m,
                                       .rgs = 1,
                                       .count = 4,
                                       .psw_mask = PSW_64,
                                       .controls = !n};
    assert_int_equal(ep_bytes_put(&m->log, bytes, ri_log_put_group(&group, records, &m->controls, bytes)), 0);
}

/* Builds the profile of a log and frees the log. *text: the profile, to be freed; NULL: refused. */
static int build_log(struct made *m, const struct ep_groups_options *options, char **text, struct ep_built *built,
                     char error[600])
{
    const struct ep_input input = {&m->log, ep_bytes_read};
    const struct ep_images images = {.fetch = loops_fetch};
    struct ep_profile *profile = ep_profile_new();
    assert_non_null(profile);
    error[0] = 0;
    *text = NULL;
    const int bad = ep_groups_build(&input, &images, options, profile, built, error, 600);
    if (!bad && !(*text = ep_to_text(profile, error)))
        fail_msg("%s", error);
    free(m->log.bytes);
    ep_profile_free(profile);
    return bad;
}
static const struct ep_groups_options plain = {.program = "loops"};

#define LOOP transfer(RI_TYPE_TRANSFER, 0x10000, 0x10000)

static int one_group(struct ri_controls c, char error[600])
{
    struct made m;
    struct ep_built built;
    char *text;
    begin_log(&m);
    m.controls = c;
    add_group(&m, LOOP, LOOP, trigger(0x10004, 0, CS, 2));
    const int bad = build_log(&m, &plain, &text, &built, error);
    free(text);
    return bad;
}

static void ep_61_62_controls_that_are_refused(void **state)
{
    static const struct {
        size_t control;
        uint8_t value;
        const char *named;
    } cases[] = {
        {offsetof(struct ri_controls, c), 0, "control C "},   {offsetof(struct ri_controls, r), 0, "control R "},
        {offsetof(struct ri_controls, b), 0, "control B "},   {offsetof(struct ri_controls, f), 0, "control F "},
        {offsetof(struct ri_controls, qc), 0, "control Qc "}, {offsetof(struct ri_controls, m), 0, "control M "}};
    char error[600];
    (void)state;
    assert_int_equal(one_group(good_controls(), error), 0);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ri_controls c = good_controls();
        ((uint8_t *)&c)[cases[i].control] = cases[i].value;
        assert_int_equal(one_group(c, error), -EPERM);
        if (!strstr(error, cases[i].named))
            fail_msg("'%s' does not name %s", error, cases[i].named);
    }
    struct ri_controls c = good_controls();
    c.pc = 0; /* of the state that was not sampled */
    assert_int_equal(one_group(c, error), 0);
}

/* Groups by direction alone count for nothing, those by both do. */
static void ep_62_groups_by_direction_are_left_out(void **state)
{
    struct made m;
    struct ep_built built;
    char *text, error[600];
    (void)state;
    begin_log(&m);
    add_group(&m, LOOP, LOOP, trigger(0x10004, 0, DS, 2));
    add_group(&m, LOOP, LOOP, trigger(0x10004, 0, DS | CS, 2));
    add_group(&m, LOOP, LOOP, trigger(0x10004, 0, CS, 2));
    assert_int_equal(build_log(&m, &plain, &text, &built, error), 0);
    assert_int_equal(built.triggered, 2);
    assert_non_null(strstr(text, "\nH samples-triggered 2\n"));
    free(text);
}

/* The branch of a one-run loop as the trigger: which of its executions it was is told by BR and TK. CBT 1: the branch
   that is kept is the one before the newest record, or what was not taken in front of the trigger. */
static void ep_60_64_a_trigger_where_the_newest_branch_stands(void **state)
{
    static const struct {
        unsigned bits, length;
        const char *edge;
    } cases[] = {
        {BR | TK, 4, "\nE 0 10006 0 10000 T 1\n"}, /* this very execution: the branch before it is the newest */
        {BR, 4, "\nE 0 10000 0 10000 T 1\n"},      /* a later one, which was not taken: the newest stays */
        {0, 0, "\nE 0 10006 0 10000 T 1\n"},       /* from elsewhere, without these bits: the former */
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made m;
        struct ep_built built;
        char *text, error[600];
        begin_log(&m);
        add_group(&m, transfer(RI_TYPE_TRANSFER, 0x10006, 0x10000), LOOP,
                  trigger(0x10000, cases[i].bits, CS, cases[i].length));
        assert_int_equal(build_log(&m, &plain, &text, &built, error), 0);
        if (!strstr(text, cases[i].edge))
            fail_msg("case %u:\n%s", i, text);
        free(text);
    }
}

/* Records of other kinds are skipped; an abort is a gap; an address that is not complete ends the trace behind it. */
static void ep_42_60_63_records_of_other_kinds(void **state)
{
    static const struct ri_record emit = {(uint64_t)RI_TYPE_EMIT << 56, 7}, filler = {0, 0};
    const struct ri_record abort_record = {ri_record_head(RI_TYPE_ABORT, 0x10004), UINT64_C(0x2) << 48 | 0x10004};
    const struct ri_record far = {(uint64_t)RI_TYPE_TRANSFER << 56 | UINT64_C(1) << 55 | 0x10000, 0x10000};
    const struct ri_record cut = {(uint64_t)RI_TYPE_INSTRUCTION << 56 | UINT64_C(1) << 55 | 0x10004,
                                  (uint64_t)CS << 56 | UINT64_C(2) << 40};
    struct made m;
    struct ep_built built;
    char *text, error[600];
    (void)state;
    begin_log(&m);
    add_group(&m, filler, LOOP, trigger(0x10004, 0, CS, 2));   /* brct taken, then not taken: the newest */
    add_group(&m, LOOP, emit, trigger(0x10006, BR, CS, 4));    /* ditto */
    add_group(&m, filler, far, trigger(0x10000, BR, CS, 4));   /* drop.addr */
    add_group(&m, filler, filler, trigger(0x10000, 0, CS, 4)); /* drop.short */
    add_group(&m, LOOP, LOOP, cut);                            /* drop.addr */
    add_group(&m, LOOP, abort_record, trigger(0x10006, BR, CS, 4));
    assert_int_equal(build_log(&m, &plain, &text, &built, error), 0);
    assert_int_equal(built.triggered, 6);
    assert_int_equal(built.accepted, 3);
    assert_non_null(strstr(text, "\nE 0 10000 0 10004 N 3\n"));
    assert_non_null(strstr(text, "\nD drop.addr 2\n"));
    assert_non_null(strstr(text, "\nD drop.short 1\n"));
    assert_non_null(strstr(text, "\nH source ri\n"));
    assert_non_null(strstr(text, "\nH rate-base 1000\n"));
    assert_non_null(strstr(text, "\nH tbt 2\nH cbt 1\nH short-policy drop\n"));
    free(text);
}

/* A transfer without a record on the way ends the trace. */
static void ep_42_61_transfers_without_a_record(void **state)
{
    struct made m;
    struct ep_built built;
    char *text, error[600];
    (void)state;
    begin_log(&m);
    add_group(&m, LOOP, transfer(RI_TYPE_RETURN, 0x1000a, 0x1000c), trigger(0x1000e, 0, CS, 2));
    assert_int_equal(build_log(&m, &plain, &text, &built, error), 0);
    assert_non_null(strstr(text, "\nD drop.xfer 1\n"));
    free(text);
}

static void ep_93_calls_alone(void **state)
{
    struct made m;
    struct ep_built built;
    char *text, error[600];
    (void)state;
    begin_log(&m);
    m.controls.r = m.controls.b = 0;
    add_group(&m, transfer(RI_TYPE_RETURN, 0x1000a, 0x10000), transfer(RI_TYPE_CALL, 0x10000, 0x10000),
              trigger(0x10004, 0, CS, 2));
    add_group(&m, transfer(RI_TYPE_CALL, 0x10006, 0x10000), transfer(RI_TYPE_CALL, 0x10000, 0x10000),
              trigger(0x10004, 0, CS, 2));
    assert_int_equal(build_log(&m, &plain, &text, &built, error), 0);
    assert_non_null(strstr(text, "\nH mode callgraph\nH source ri\nH event insn\n"));
    assert_non_null(strstr(text, "\nH uniform 0\n"));
    assert_non_null(strstr(text, "\nC 0 10000 0 10000 1\nC 0 10006 0 10000 1\n"));
    assert_non_null(strstr(text, "\nD drop.short 1\n"));
    free(text);
}

/* A log that ends within an entry is used as far as it goes; one without controls, of another kind or with a group that
   is none is refused; no group at all is a profile without samples. */
static void ep_60_91_damaged_logs(void **state)
{
    struct ep_built built;
    char *text, error[600];
    struct made m;
    (void)state;
    begin_log(&m);
    add_group(&m, LOOP, LOOP, trigger(0x10004, 0, CS, 2));
    const size_t one = m.log.size;
    add_group(&m, LOOP, LOOP, trigger(0x10004, 0, CS, 2));
    uint8_t *whole = malloc(m.log.size);
    assert_non_null(whole);
    memcpy(whole, m.log.bytes, m.log.size);
    const size_t all = m.log.size;
    for (size_t size = 0; size <= all; size++) {
        struct made part = {.log = {malloc(all), size, 0}};
        memcpy(part.log.bytes, whole, size);
        const int bad = build_log(&part, &plain, &text, &built, error);
        assert_int_equal(bad, size < RI_LOG_HEADER ? -EINVAL : 0);
        if (!bad) {
            assert_int_equal(built.triggered, size == all ? 2 : size >= one ? 1 : 0);
            assert_int_equal(built.truncated, size != all && size != one && size != RI_LOG_HEADER);
        }
        free(text);
    }
    for (unsigned i = 0; i < 3; i++) {
        static const size_t places[] = {0, RI_LOG_HEADER + 4, RI_LOG_HEADER + RI_LOG_HEAD};
        struct made part = {.log = {malloc(all), all, 0}};
        memcpy(part.log.bytes, whole, all);
        part.log.bytes[places[i]] ^= 1;
        assert_int_equal(build_log(&part, &plain, &text, &built, error), -EINVAL);
        assert_true(strlen(error) > 20);
    }
    struct made part = {.log = {malloc(all), RI_LOG_HEADER + all - one, 0}}; /* the second group alone */
    memcpy(part.log.bytes, whole, RI_LOG_HEADER);
    memcpy(part.log.bytes + RI_LOG_HEADER, whole + one, all - one);
    assert_int_equal(build_log(&part, &plain, &text, &built, error), -EINVAL);
    assert_non_null(strstr(error, "controls"));
    free(m.log.bytes);
    free(whole);
}

/* ---- a guest program --------------------------------------------------------------------------------------------- */

struct live {
    struct guest *g;
    struct ep_groups *groups;
    struct ep_bytes log;
    struct ri_controls told;
    uint64_t at[20000]; /* the instructions that completed, by their samples, and whether they were branches */
    uint8_t bits[20000];
    unsigned count;
};

static bool live_fetch(void *context, struct ep_place place, uint8_t bytes[6], uint64_t *changed)
{
    const struct live *l = context;
    *changed = 0;
    memcpy(bytes, l->g->storage + place.address, 6);
    return true;
}
static bool log_fetch(void *context, uint32_t space, uint64_t address, uint8_t bytes[6])
{
    uint64_t changed;
    const struct ep_place place = {address, space, EP_64};
    return live_fetch(context, place, bytes, &changed);
}

static void live_stored(void *context, const struct ri_stored *stored)
{
    struct live *l = context;
    const struct ri_controls *c = &l->g->cpu->ri->controls;
    uint8_t bytes[RI_LOG_ENTRY];
    char error[600] = "";
    const struct ri_log_group group = {.psw_mask = cpu_psw_mask(l->g->cpu),
                                       .address = stored->address,
                                       .roa = stored->roa,
                                       .mode = stored->mode,
                                       .rgs = stored->rgs,
                                       .count = (uint16_t)stored->count,
                                       .controls = ri_log_controls_differ(&l->told, c)};
    l->told = *c;
    assert_int_equal(ep_bytes_put(&l->log, bytes, ri_log_put_group(&group, stored->records, c, bytes)), 0);
    if (ep_groups_add(l->groups, &group, c, bytes + RI_LOG_HEAD, error, sizeof error))
        fail_msg("%s", error);
    const struct ri_record r = stored->records[stored->count - 1];
    assert_true(l->count < 20000);
    l->at[l->count] = field64(r.hi, 9, 63);
    l->bits[l->count++] = (uint8_t)(r.lo >> 60);
}

/* Sum of the smaller share of each edge: of the profile, and of what completed. */
static double overlap_of(struct live *l, struct ep_profile *profile)
{
    const struct ep_space space = {.kind = EP_SPACE_REAL};
    struct ep_profile *truth = ep_profile_new();
    double sum = 0, all[2] = {0};
    uint32_t n, k;
    assert_non_null(truth);
    assert_int_equal(ep_profile_space(truth, &space, NULL), 0);
    for (unsigned i = 0; i + 1 < l->count; i++) {
        const struct ep_row row = {
            .from = l->at[i], .to = l->at[i + 1], .kind = l->bits[i] & TK ? EP_TAKEN : EP_NOT_TAKEN, .units = 1};
        if (l->bits[i] & BR)
            assert_int_equal(ep_profile_add(truth, EP_EDGES, &row), 0);
    }
    assert_int_equal(ep_profile_settle(truth), 0);
    assert_int_equal(ep_profile_settle(profile), 0);
    const struct ep_row *a = ep_profile_list(profile, EP_EDGES, &n), *b = ep_profile_list(truth, EP_EDGES, &k);
    for (uint32_t i = 0; i < n; i++)
        all[0] += (double)a[i].units;
    for (uint32_t i = 0; i < k; i++)
        all[1] += (double)b[i].units;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < k; j++)
            if (a[i].from == b[j].from && a[i].to == b[j].to && a[i].kind == b[j].kind)
                sum += fmin((double)a[i].units / all[0], (double)b[j].units / all[1]);
    ep_profile_free(truth);
    return sum;
}

/* Every instruction of a program is a sample: weighed by runs, the profile is what completed; not weighed, it is not.
   Live and from the log it is the same. */
static double guest_profile(struct guest *g, unsigned weigh)
{
    static const char program[] =
        "lric 0x11000\n rion\n lghi %r3,350\n lgfi %r4,12345\n loop:\n msgfi %r4,1103515245\n agfi %r4,12345\n"
        "srlg %r5,%r4,16\n tmll %r5,1\n jne @a\n aghi %r6,1\n aghi %r6,1\n aghi %r6,1\n aghi %r6,1\n a:\n tmll %r5,6\n"
        "jne @b\n brasl %r14,@sub\n b:\n lghi %r7,3\n c:\n brct %r7,@c\n nill %r5,3\n je @d\n basr %r13,0\n j @e\n d:\n"
        "lr %r1,%r1\n lr %r1,%r1\n e:\n brct %r3,@loop\n rioff\n lpswe 0x900\n sub:\n ltr %r5,%r5\n jm @f\n nopr %r0\n"
        "f:\n br %r14";
    const struct ep_groups_options options = {.weigh = weigh, .program = "guest"};
    static struct live l;
    l = (struct live){.g = g};
    const struct ep_code code = {.context = &l, .fetch = live_fetch};
    const struct ep_input input = {&l.log, ep_bytes_read};
    const struct ep_images images = {.context = &l, .fetch = log_fetch};
    const struct ri_log_header header = {.format = RI_LOG_FORMAT, .cpus = 1, .cb_entries = 32, .rgs_max = 4};
    uint8_t bytes[RI_LOG_HEADER];
    struct ri_controls c = usual(1);
    struct ep_profile *live = ep_profile_new(), *logged = ep_profile_new();
    struct ep_built built, again;
    char error[600] = "";
    c.rgs = 4;
    c.roa = c.rca = 0x100000;
    c.rla = 0x3fffff;
    guest_block(g, 0, c);
    ri_log_put_header(&header, bytes);
    assert_int_equal(ep_bytes_put(&l.log, bytes, sizeof bytes), 0);
    l.groups = ep_groups_begin(live, &code, &options, header.cb_entries);
    assert_non_null(l.groups);
    ri_tell_stored(g->cpu->ri, live_stored, &l);
    ENDS(g, program);
    ri_tell_stored(g->cpu->ri, NULL, NULL);
    assert_int_equal(ep_groups_tell(l.groups, &built), 0);
    assert_true(built.triggered > 5000);
    assert_true(built.triggered - built.accepted < 100); /* those in front of the first full trace */
    if (ep_groups_build(&input, &images, &options, logged, &again, error, sizeof error))
        fail_msg("%s", error);
    char *first = ep_to_text(live, error), *second = ep_to_text(logged, error);
    assert_non_null(first);
    assert_non_null(second);
    assert_string_equal(first, second);
    assert_non_null(strstr(first, "\nH tbt 30\nH cbt 29\n"));
    const double overlap = overlap_of(&l, live);
    free(first);
    free(second);
    free(l.log.bytes);
    ep_groups_end(l.groups);
    ep_profile_free(live);
    ep_profile_free(logged);
    return overlap;
}

GUEST(ep_32_60_64_every_instruction_of_a_guest, "RI-A")
{
    const double none = guest_profile(g, EP_NORM_NONE), block = guest_profile(g, EP_NORM_BLOCK),
                 run = guest_profile(g, EP_NORM_RUN);
    if (run < 0.997 || none > run - 0.01 || block > run - 0.003)
        fail_msg("overlap %f, by blocks %f, by runs %f", none, block, run);
}

int main(void)
{
    RI_OR_SKIP();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ep_61_62_controls_that_are_refused),
        cmocka_unit_test(ep_62_groups_by_direction_are_left_out),
        cmocka_unit_test(ep_60_64_a_trigger_where_the_newest_branch_stands),
        cmocka_unit_test(ep_42_60_63_records_of_other_kinds),
        cmocka_unit_test(ep_42_61_transfers_without_a_record),
        cmocka_unit_test(ep_93_calls_alone),
        cmocka_unit_test(ep_60_91_damaged_logs),
        cmocka_unit_test(ep_32_60_64_every_instruction_of_a_guest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
